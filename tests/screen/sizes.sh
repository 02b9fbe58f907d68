#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sizes.sh - does the console use the room it has, and does a resize lose nothing?

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

play demo --nodes 8 --seed 36 <<'EOS'
size 100x30
dump middle
keys j =
dump numbers
keys =
size 40x10
dump small
size 60x15
dump least
size 200x50
dump large
keys 3 W
dump weights
keys 1 ?
size 100x30
dump help
EOS

screen '100x30: meters on lines of their own, more columns' middle <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [████████████████████████████████████████████████████                            37/64  57%]
 Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB        USER       CLASS  PROC    WCLIMIT   PRIO QUEUED EST.START            WHY NOT NOW
  911      b paul       batch     2 1:00:00:00      -    55m  14:29:21 +6:29h      72%
  1031       eva        batch     4   12:00:00      - 12:43h  18:33:24 +10:33h     12%
  967      b eva        long      1 1:12:00:00      -  1:09h  Jan10 04:31 +20:31h  42%
  1054       john       batch     4 1:00:00:00      - 10:36h  Jan10 06:33 +22:33h   6%
  1070       bob        batch     4 1:00:00:00      - 10:22h  Jan10 06:33 +22:33h   5%
  1124     b paul       batch     4 1:00:00:00      -  3:12h  Jan10 06:35 +22:35h   5%
  1104     b bob        batch     4 1:00:00:00      -  6:09h  Jan10 06:36 +22:36h   5%
IDLE 5 - by priority ───────────────────────────────────────────────────────────────────────────────
> 1101     r steve      batch    29    2:00:00   1602  8:40h  08:14:21 +14m       2 procs short
  1103       john       batch     5 1:00:00:00   1281  7:32h ~08:45:32 +45m       would delay 1101
  1090       marco      batch     5    8:00:00   1279  9:02h ~10:14:21 +2:14h     would delay 1101
  1141       eva        debug     3    0:30:00    897     2m ~10:14:21 +2:14h     would delay 1101
  1130       finn       batch    13    8:00:00    687  3:44h ~10:14:21 +2:14h     would delay 1101
BLOCKED 2 - by hold ────────────────────────────────────────────────────────────────────────────────
  1057     H nora       batch     8 1:00:00:00   1400 12:01h -                    held (user)
  1115     H john       batch    10 1:00:00:00   1174  6:38h -                    held (system)
BLOCKED 3 - by fairshare cap ───────────────────────────────────────────────────────────────────────
  634      ! lars       batch    22   12:00:00   5126  1d16h -                    over the cap of u~
  696      ! lars       batch    32    8:00:00   4962  1d13h -                    over the cap of u~
  977      ! lars       batch    16    8:00:00   2097 16:27h -                    over the cap of u~
 Job 1101 needs 29 processors and 27 are free: 2 short.

 Total Jobs: 21   Active Jobs: 11   Idle Jobs: 5   Blocked Jobs: 5

 <Enter> open  w why  H hold  R release  W weights  u undo  = numbers  : command     ? help  Q quit
EOS
screen '=: where the numbers of the job under the cursor come from' numbers <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████████       37/64  57%] Nodes  [███████████████████████████████ 8/8 100%]
  JOB        USER       CLASS  PROC    WCLIMIT   PRIO QUEUED EST.START            WHY NOT NOW
  911      b paul       batch     2 1:00:00:00      -    55m  14:29:21 +6:29h      72%
  1031       eva        batch     4   12:00:00      - 12:43h  18:33:24 +10:33h     12%
  967      b eva        long      1 1:12:00:00      -  1:09h  Jan10 04:31 +20:31h  42%
  1054       john       batch     4 1:00:00:00      - 10:36h  Jan10 06:33 +22:33h   6%
  1070       bob        batch     4 1:00:00:00      - 10:22h  Jan10 06:33 +22:33h   5%
  1124     b paul       batch     4 1:00:00:00      -  3:12h  Jan10 06:35 +22:35h   5%
  1104     b bob        batch     4 1:00:00:00      -  6:09h  Jan10 06:36 +22:36h   5%
IDLE 5 - by priority ───────────────────────────────────────────────────────────────────────────────
  1101     r steve      batch    29    2:00:00   1602  8:40h  08:14:21 +14m       2 procs short
> 1103       john       batch     5 1:00:00:00   1281  7:32h ~08:45:32 +45m       would delay 1101
  1090       marco      batch     5    8:00:00   1279  9:02h ~10:14:21 +2:14h     would delay 1101
  1141       eva        debug     3    0:30:00    897     2m ~10:14:21 +2:14h     would delay 1101
  +6 more
 Job 1103 would run 1:00:00:00 into the reservation of job 1101 at 08:14:21, which leaves it 2 of
────────────────────────────────────────────────────────────────────────────────────────────────────
 Priority of 1103: 1281 = the sum of these
   fsuser 20 * 8 % = 160.02               fsuserweight: the demo's own:15
   fsgroup 5 * 15.85 % = 79.26            fsgroupweight: the demo's own:16
   proc 1 * 5 procs = 5                   procweight: the demo's own:5
   queuetime 2 * 452.9 min = 905.8        queuetimeweight: the demo's own:2
   xfactor 100 * 1.31 = 131.45            xfactorweight: the demo's own:3
 Estimated start 08:45:32 = 08:00:00 + 0:45:32: the first gap of 5 processors for 1:00:00:00, after
 the jobs before it in the order are placed; running jobs are taken to run to their limits.
 Total Jobs: 21   Active Jobs: 11   Idle Jobs: 5   Blocked Jobs: 5

 <Enter> open  w why  H hold  R release  W weights  u undo  = numbers  : command     ? help  Q quit
EOS
screen '40x10: one line says so' small <<'EOS'
Needs 60x15. 11 active, 5 idle, 5 blocke
EOS
screen '60x15 is enough, and the cursor is on the same job' least <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [█████████ 37/64  57%] Nodes  [███████████ 8/8 100%]
  JOB        USER          PROC    PRIO EST.START
  1054       john             4       -  Jan10 06:33 +22:33h
  1070       bob              4       -  Jan10 06:33 +22:33h
  1124     b paul             4       -  Jan10 06:35 +22:35h
  1104     b bob              4       -  Jan10 06:36 +22:36h
IDLE 5 - by priority ───────────────────────────────────────
  1101     r steve           29    1602  08:14:21 +14m
> 1103       john             5    1281 ~08:45:32 +45m
  +8 more
 Job 1103 would run 1:00:00:00 into the reservation of job
 21 jobs: 11 active, 5 idle, 5 blocked
 <Enter> open  w why  H hold  R release      ? help  Q quit
EOS
screen '200x50: the job beside the list' large <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [████████████████████████████████████████████████████                            37/64  57%] Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB        USER       ACCOUNT  QOS    CLASS     PROC    WCLIMIT      PRIO     XF  QUEUED EST.START            WHY NOT NOW       │ Job 1103  foam-steady
ACTIVE 11 - by completion ──────────────────────────────────────────────────────────────── ENDS BY ──────────── USED ─────────────│  for       john/engineering/turbine   class batch   QOS normal
  1137     b karl       polymers normal batch        4    1:00:00         -      -      0s  08:14:21 +14m        76%              │  asks      5 procs for 1:00:00:00 = 432000 PS, 1000 MB a task
  971        lars       catalys~ low    batch        4    4:00:00         -      -  13:22h  08:45:32 +45m        81%              │  submitted 00:27:06, queued 7:32:54, bypassed 19x
  1131     b lars       catalys~ low    batch        1    6:00:00         -      -      0s  11:26:53 +3:26h      42%              │  state     idle, number 2 of 5
  993      b eva        lattice  normal batch        5    8:00:00         -      -  12:57h  13:40:12 +5:40h      29%              │  starts    ~08:45:32 +45m
  911      b paul       acousti~ low    batch        2 1:00:00:00         -      -     55m  14:29:21 +6:29h      72%              │ Job 1103 would run 1:00:00:00 into the reservation of job 1101 at
  1031       eva        lattice  normal batch        4   12:00:00         -      -  12:43h  18:33:24 +10:33h     12%              │ 08:14:21, which leaves it 2 of its 5 processors.
  967      b eva        lattice  normal long         1 1:12:00:00         -      -   1:09h  Jan10 04:31 +20:31h  42%              │
  1054       john       turbine  normal batch        4 1:00:00:00         -      -  10:36h  Jan10 06:33 +22:33h   6%              │ CHECK                   VALUE           LIMIT               RESULT
  1070       bob        catalys~ normal batch        4 1:00:00:00         -      -  10:22h  Jan10 06:33 +22:33h   5%              │ 5 priority not negative 1281            -                   ok
  1124     b paul       acousti~ low    batch        4 1:00:00:00         -      -   3:12h  Jan10 06:35 +22:35h   5%              │ 6 fits the machine      5 procs         64 in the machine   ok
  1104     b bob        catalys~ normal batch        4 1:00:00:00         -      -   6:09h  Jan10 06:36 +22:36h   5%              │ 9 idle limits           0 + 1 = 1       MAXIJOB 16          ok
IDLE 5 - by priority ─────────────────────────────────────────────────────────────────────────────────────────────────────────────│ 13 resources now        5 procs         27 free             ok
  1101     r steve      ocean    normal batch       29    2:00:00      1602   5.33   8:40h  08:14:21 +14m       2 procs short     │>14 reservations ahead   2 free from 08:14:21 on (job 1101) >= 5 FAIL
> 1103       john       turbine  normal batch        5 1:00:00:00      1281   1.31   7:32h ~08:45:32 +45m       would delay 1101  │ 15 strict order         none ahead      -                   ok
  1090       marco      lattice  normal batch        5    8:00:00      1279   2.13   9:02h ~10:14:21 +2:14h     would delay 1101  │   none: hold, defer, dependency, start date, limits of its class,
  1141       eva        lattice  normal debug        3    0:30:00       897   1.09      2m ~10:14:21 +2:14h     would delay 1101  │   limits of any job, hard limits, soft limits, fairshare cap
  1130       finn       turbine  normal batch       13    8:00:00       687   1.47   3:44h ~10:14:21 +2:14h     would delay 1101  │
BLOCKED 2 - by hold ──────────────────────────────────────────────────────────────────────────────────────────────────────────────│ PRIORITY
  1057     H nora       genomes  low    batch        8 1:00:00:00      1400   1.50  12:01h -                    held (user)       │ 1281 = fsuser 20 * 8 % + fsgroup 5 * 15.85 % + proc 1 * 5 procs +
  1115     H john       turbine  normal batch       10 1:00:00:00      1174   1.28   6:38h -                    held (system)     │ queuetime 2 * 452.9 min + xfactor 100 * 1.31
BLOCKED 3 - by fairshare cap ─────────────────────────────────────────────────────────────────────────────────────────────────────│
  634      ! lars       catalys~ low    batch       22   12:00:00      5126   4.38   1d16h -                    over the cap of u~│
  696      ! lars       catalys~ low    batch       32    8:00:00      4962   5.75   1d13h -                    over the cap of u~│
  977      ! lars       catalys~ low    batch       16    8:00:00      2097   3.06  16:27h -                    over the cap of u~│
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
 Total Jobs: 21   Active Jobs: 11   Idle Jobs: 5   Blocked Jobs: 5

 <Enter> open  w why  H hold  R release  W weights  u undo  = numbers  : command  <Space> mark  / filter  s sort  Z freeze  < slower  > faster                                           ? help  Q quit
EOS
screen '200x50: points and what was measured, shares, every weight' weights <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  8 Journal
  JOB          USER         PRIORITY          User*1           QOS*1         Class*1       FSUser*20         FSGrp*5          Proc*1         QTime*2       XFctr*100   TgtQT*0.00001 SHARES
IDLE 5 - by priority ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  1101       r steve            1602           0 (0)           0 (0)           0 (0)           0 (0)           0 (0)         29 (29)   1040 (520.15)      533 (5.33)           0 (0) rqqqqqqqqqqqqxxxxxx
> 1103         john             1281           0 (0)           0 (0)           0 (0)         160 (8)      79 (15.85)           5 (5)     905 (452.9)      131 (1.31)           0 (0) fffqqqqqqqqqqqqqqxx
  1090         marco            1279           0 (0)           0 (0)           0 (0)           0 (0)     -22 (-4.46)           5 (5)   1084 (542.05)      212 (2.13)           0 (0) qqqqqqqqqqqqqqqqxxx
  1141         eva               897     -100 (-100)           0 (0)     1000 (1000)      -97 (-4.9)     -22 (-4.46)           3 (3)        5 (2.83)      109 (1.09)           0 (0) ccccccccccccccccfxx
  1130         finn              687           0 (0)           0 (0)           0 (0)           0 (0)      79 (15.85)         13 (13)    448 (224.42)      146 (1.47)           0 (0) ffqqqqqqqqqqqqqxxxx
BLOCKED 5 - not in the order ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  634        ! lars             5126           0 (0)     -200 (-200)           0 (0)           0 (0)           0 (0)         22 (22)  4866 (2433.48)      437 (4.38)           0 (0) cqqqqqqqqqqqqqqqqqx
  696        ! lars             4962           0 (0)     -200 (-200)           0 (0)           0 (0)           0 (0)         32 (32)  4555 (2277.77)      574 (5.75)           0 (0) cqqqqqqqqqqqqqqqqxx
  977        ! lars             2097           0 (0)     -200 (-200)           0 (0)           0 (0)           0 (0)         16 (16)    1975 (987.7)      305 (3.06)           0 (0) ccqqqqqqqqqqqqqqqxx
  1057       H nora             1400           0 (0)     -200 (-200)           0 (0)           0 (0)           0 (0)           8 (8)    1442 (721.2)       150 (1.5)           0 (0) ccqqqqqqqqqqqqqqqxx
  1115       H john             1174           0 (0)           0 (0)           0 (0)         160 (8)      79 (15.85)         10 (10)    797 (398.98)      127 (1.28)           0 (0) ffffqqqqqqqqqqqqqxx














────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
 1103: 1281 = fsuser 20 * 8 % + fsgroup 5 * 15.85 % + proc 1 * 5 procs + queuetime 2 * 452.9 min + xfactor 100 * 1.31

WEIGHTS IN USE ──────────────────────────────────────────────────────────── VALUE ───── IN FORCE ───────────────────────────────────────────────────────────────────────────────────────────────────────
> queuetimeweight             [───────┃──────────────────────────────]          2              2 0..10                Weight of the effective queue time.
  xfactorweight               [───────────────────┃──────────────────]        100            100 0..200               Weight of the expansion factor, 1 + queue time / wallclock limit.
  targetqueuetimeweight       [───────────────────┃──────────────────]    0.00001        0.00001 0..0.00002           Weight of how near the queue time is to qttarget: 1 at first, 1e8 at the target.
  fsuserweight                [───────────────────┃──────────────────]         20             20 0..40                Weight of how far the user is below the share aimed at.
  fsgroupweight               [───────────────────┃──────────────────]          5              5 0..10                Weight of how far the group is below the share aimed at.
  userweight                  [────┃─────────────────────────────────]          1              1 0..10                Weight of the priority set for the job's user.
  qosweight                   [────┃─────────────────────────────────]          1              1 0..10                Weight of the priority set for the job's QOS.
  classweight                 [────┃─────────────────────────────────]          1              1 0..10                Weight of the priority set for the job's class.
  procweight                  [────┃─────────────────────────────────]          1              1 0..10                Weight of the processors asked for.
  serviceweight               [────┃─────────────────────────────────]          1              1 0..10                Weight of the service received: how long the job has waited.
  targetweight                [────┃─────────────────────────────────]          1              1 0..10                Weight of the service aimed at: how near the job is to its targets.
  fsweight                    [────┃─────────────────────────────────]          1              1 0..10                Weight of fairshare: who has had less than their share.
  credweight                  [────┃─────────────────────────────────]          1              1 0..10                Weight of who asks: user, group, account, QOS and class.
  +21 more
 points   keys: weights (<Tab>)

 W weights  e value  { -10  } +10  0 default  b percent  = numbers  u undo  q back                                                                                                       ? help  Q quit
EOS
screen 'help is printed from the table of keys' help <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  8 Journal [Help]
 ON THE JOB UNDER THE CURSOR, OR THE MARKED ONES
  <Enter>             Open the job; with a draft: apply it.
  w                   Every check of the job, with numbers.
  p                   What its priority is made of.
  H                   Hold it: user, system or batch.
  R                   Release its holds.
  W                   Try other weights, and see the order change.
  +                   Ten points more of relative priority.
  -                   Ten points less of relative priority.
  #                   Set an absolute priority, above all computed.
  J                   One place down in the order, by the smallest change.
  K                   One place up in the order, by the smallest change.

 EVERYWHERE
  1 2 3 4 5 6 7 8 9   To the screen of that number.
  q                   Back to the screen before.
  <Esc>               Drop the draft, clear the filter, or go back.
  ? <F1>              The keys of this screen and all commands.
  Q <F10> <C-c>       Leave, after a question.
  / <F4>              Show only what matches: text, !text, a regular expression, user=x state=idle.
  <F3>                Go to what matches and hide nothing.
  n                   To the next match.
  N                   To the match before.
  s <F6>              Sort by the next column.
  S                   Sort the other way round.                                             +86 more


 q back  : command                                                                   ? help  Q quit
EOS
