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
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [█████████████████████████████████████████████████████████████████████           49/64  76%]
 Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB          USER     CLASS   PROC    WCLIMIT    PRIO QUEUED EST.START            WHY NOT NOW
  1024         ravi     batch      4    6:00:00       - 11:43h  11:20:15 +3:20h      44%
  1131       b lars     batch      1    6:00:00       -     0s  11:26:53 +3:26h      42%
  993          eva      batch      5    8:00:00       - 14:14h  14:57:00 +6:57h      13%
  1023         ravi     batch      4    8:00:00       - 13:20h  14:57:00 +6:57h      13%
  911        b paul     batch      2 1:00:00:00       -  2:47h  16:21:45 +8:21h      65%
  1031         eva      batch      4   12:00:00       - 13:07h  18:57:19 +10:57h      8%
  1078       b olga     batch      4   18:00:00       -  6:09h  21:04:17 +13:04h     27%
  967        b eva      long       1 1:12:00:00       -    53m  Jan10 04:15 +20:15h  43%
  1017         bob      batch      4 1:00:00:00       - 13:26h  Jan10 06:57 +22:57h   4%
  1054         john     batch      4 1:00:00:00       - 11:00h  Jan10 06:57 +22:57h   4%
  1070         bob      batch      4 1:00:00:00       - 10:46h  Jan10 06:57 +22:57h   4%
  1104       b bob      batch      4 1:00:00:00       -  6:31h  Jan10 06:58 +22:58h   4%
  1124       b paul     batch      4 1:00:00:00       -  3:36h  Jan10 06:59 +22:59h   4%
IDLE 4 - by priority ───────────────────────────────────────────────────────────────────────────────
> 1057       r nora     batch      8 1:00:00:00    1400 12:01h now                  starts now
  1090         marco    batch      5    8:00:00    1302  9:02h now                  starts now
  1103         john     batch      5 1:00:00:00    1042  7:32h ~08:14:21 +14m       3 procs short
  1115         john     batch     10 1:00:00:00     935  6:38h ~14:57:00 +6:57h     8 procs short
BLOCKED 2 - by hold ────────────────────────────────────────────────────────────────────────────────
  1101       H steve    batch     29    2:00:00    1602  8:40h -                    held (user)
  1130       H finn     batch     13    8:00:00     608  3:44h -                    held (system)
 Job 1057 starts at the next pass.
 Total Jobs: 20   Active Jobs: 14   Idle Jobs: 4   Blocked Jobs: 2

 <Enter> open  w why  H hold  R release  W weights  u undo  = numbers  : command     ? help  Q quit
EOS
screen '=: where the numbers of the job under the cursor come from' numbers <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [█████████████████████████████ 49/64  76%] Nodes  [███████████████████████████████ 8/8 100%]
  JOB          USER     CLASS   PROC    WCLIMIT    PRIO QUEUED EST.START            WHY NOT NOW
  993          eva      batch      5    8:00:00       - 14:14h  14:57:00 +6:57h      13%
  1023         ravi     batch      4    8:00:00       - 13:20h  14:57:00 +6:57h      13%
  911        b paul     batch      2 1:00:00:00       -  2:47h  16:21:45 +8:21h      65%
  1031         eva      batch      4   12:00:00       - 13:07h  18:57:19 +10:57h      8%
  1078       b olga     batch      4   18:00:00       -  6:09h  21:04:17 +13:04h     27%
  967        b eva      long       1 1:12:00:00       -    53m  Jan10 04:15 +20:15h  43%
  1017         bob      batch      4 1:00:00:00       - 13:26h  Jan10 06:57 +22:57h   4%
  1054         john     batch      4 1:00:00:00       - 11:00h  Jan10 06:57 +22:57h   4%
  1070         bob      batch      4 1:00:00:00       - 10:46h  Jan10 06:57 +22:57h   4%
  1104       b bob      batch      4 1:00:00:00       -  6:31h  Jan10 06:58 +22:58h   4%
  1124       b paul     batch      4 1:00:00:00       -  3:36h  Jan10 06:59 +22:59h   4%
IDLE 4 - by priority ───────────────────────────────────────────────────────────────────────────────
  1057       r nora     batch      8 1:00:00:00    1400 12:01h now                  starts now
> 1090         marco    batch      5    8:00:00    1302  9:02h now                  starts now
  +4 more
 Job 1090 starts at the next pass.
────────────────────────────────────────────────────────────────────────────────────────────────────
 Priority of 1090: 1302 = the sum of these
   proc 1 * 5 procs = 5                   procweight: the demo's own:5
   queuetime 2 * 542.05 min = 1084.1      queuetimeweight: the demo's own:2
   xfactor 100 * 2.13 = 212.93            xfactorweight: the demo's own:3
 Estimated start 08:00:00 = 08:00:00 + 0:00:00: the first gap of 5 processors for 8:00:00, after
 the jobs before it in the order are placed; running jobs are taken to run to their limits.
 Total Jobs: 20   Active Jobs: 14   Idle Jobs: 4   Blocked Jobs: 2

 <Enter> open  w why  H hold  R release  W weights  u undo  = numbers  : command     ? help  Q quit
EOS
screen '40x10: one line says so' small <<'EOS'
Needs 60x15. 14 active, 4 idle, 2 blocke
EOS
screen '60x15 is enough, and the cursor is on the same job' least <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [█████████ 49/64  76%] Nodes  [███████████ 8/8 100%]
  JOB          USER        PROC    PRIO EST.START
  1054         john           4       -  Jan10 06:57 +22:57h
  1070         bob            4       -  Jan10 06:57 +22:57h
  1104       b bob            4       -  Jan10 06:58 +22:58h
  1124       b paul           4       -  Jan10 06:59 +22:59h
IDLE 4 - by priority ───────────────────────────────────────
  1057       r nora           8    1400 now
> 1090         marco          5    1302 now
  +4 more
 Job 1090 starts at the next pass.
 20 jobs: 14 active, 4 idle, 2 blocked
 <Enter> open  w why  H hold  R release      ? help  Q quit
EOS
screen '200x50: the job beside the list' large <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [█████████████████████████████████████████████████████████████████████           49/64  76%] Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB          USER       ACCOUNT  QOS    CLASS     PROC    WCLIMIT      PRIO     XF  QUEUED EST.START            WHY NOT NOW     │ Job 1090  hmc-test
ACTIVE 14 - by completion ────────────────────────────────────────────────────────────────── ENDS BY ──────────── USED ───────────│  for       marco/physics/lattice   class batch   QOS normal
  1137       b karl       polymers normal batch        4    1:00:00         -      -      0s  08:14:21 +14m        76%            │  asks      5 procs for 8:00:00 = 144000 PS, 1000 MB a task
  1024         ravi       turbine  normal batch        4    6:00:00         -      -  11:43h  11:20:15 +3:20h      44%            │  submitted Jan08 22:57, queued 9:02:03, bypassed 22x
  1131       b lars       catalys~ low    batch        1    6:00:00         -      -      0s  11:26:53 +3:26h      42%            │  state     idle, number 2 of 4
  993          eva        lattice  normal batch        5    8:00:00         -      -  14:14h  14:57:00 +6:57h      13%            │  starts    now
  1023         ravi       turbine  normal batch        4    8:00:00         -      -  13:20h  14:57:00 +6:57h      13%            │ Job 1090 starts at the next pass.
  911        b paul       acousti~ low    batch        2 1:00:00:00         -      -   2:47h  16:21:45 +8:21h      65%            │
  1031         eva        lattice  normal batch        4   12:00:00         -      -  13:07h  18:57:19 +10:57h      8%            │ CHECK                   VALUE           LIMIT               RESULT
  1078       b olga       weather  high   batch        4   18:00:00         -      -   6:09h  21:04:17 +13:04h     27%            │ 5 priority not negative 1302            -                   ok
  967        b eva        lattice  normal long         1 1:12:00:00         -      -     53m  Jan10 04:15 +20:15h  43%            │ 6 fits the machine      5 procs         64 in the machine   ok
  1017         bob        catalys~ normal batch        4 1:00:00:00         -      -  13:26h  Jan10 06:57 +22:57h   4%            │ 13 resources now        5 procs         5 free              ok
  1054         john       turbine  normal batch        4 1:00:00:00         -      -  11:00h  Jan10 06:57 +22:57h   4%            │ 14 reservations ahead   no reservation is delayed >= 5      ok
  1070         bob        catalys~ normal batch        4 1:00:00:00         -      -  10:46h  Jan10 06:57 +22:57h   4%            │ 15 strict order         none ahead      -                   ok
  1104       b bob        catalys~ normal batch        4 1:00:00:00         -      -   6:31h  Jan10 06:58 +22:58h   4%            │   none: hold, defer, dependency, start date, limits of its class,
  1124       b paul       acousti~ low    batch        4 1:00:00:00         -      -   3:36h  Jan10 06:59 +22:59h   4%            │   limits of any job, idle limits, hard limits, soft limits,
IDLE 4 - by priority ─────────────────────────────────────────────────────────────────────────────────────────────────────────────│   fairshare cap
  1057       r nora       genomes  low    batch        8 1:00:00:00      1400   1.50  12:01h now                  starts now      │
> 1090         marco      lattice  normal batch        5    8:00:00      1302   2.13   9:02h now                  starts now      │ PRIORITY
  1103         john       turbine  normal batch        5 1:00:00:00      1042   1.31   7:32h ~08:14:21 +14m       3 procs short   │ 1302 = proc 1 * 5 procs + queuetime 2 * 542.05 min + xfactor 100 *
  1115         john       turbine  normal batch       10 1:00:00:00       935   1.28   6:38h ~14:57:00 +6:57h     8 procs short   │ 2.13
BLOCKED 2 - by hold ──────────────────────────────────────────────────────────────────────────────────────────────────────────────│
  1101       H steve      ocean    normal batch       29    2:00:00      1602   5.33   8:40h -                    held (user)     │
  1130       H finn       turbine  normal batch       13    8:00:00       608   1.47   3:44h -                    held (system)   │
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
                                                                                                                                  │
                                                                                                                                  │
 Total Jobs: 20   Active Jobs: 14   Idle Jobs: 4   Blocked Jobs: 2

 <Enter> open  w why  H hold  R release  W weights  u undo  = numbers  : command  <Space> mark  / filter  s sort  Z freeze  < slower  > faster                                           ? help  Q quit
EOS
screen '200x50: points and what was measured, shares, every weight' weights <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 8 Journal
  JOB          USER         PRIORITY          User*1           QOS*1         Class*1          Proc*1         QTime*2       XFctr*100   TgtQT*0.00001 SHARES
IDLE 4 - by priority ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  1057       r nora             1400           0 (0)     -200 (-200)           0 (0)           8 (8)    1442 (721.2)       150 (1.5)           0 (0) cccccqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqxxx
> 1090         marco            1302           0 (0)           0 (0)           0 (0)           5 (5)   1084 (542.05)      212 (2.13)           0 (0) qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqxxxxxxx
  1103         john             1042           0 (0)           0 (0)           0 (0)           5 (5)     905 (452.9)      131 (1.31)           0 (0) qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqxxxxx
  1115         john              935           0 (0)           0 (0)           0 (0)         10 (10)    797 (398.98)      127 (1.28)           0 (0) qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqxxxxxx
BLOCKED 2 - not in the order ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  1101       H steve            1602           0 (0)           0 (0)           0 (0)         29 (29)   1040 (520.15)      533 (5.33)           0 (0) rqqqqqqqqqqqqqqqqqqqqqqqqqqxxxxxxxxxxxxx
  1130       H finn              608           0 (0)           0 (0)           0 (0)         13 (13)    448 (224.42)      146 (1.47)           0 (0) rqqqqqqqqqqqqqqqqqqqqqqqqqqqqqxxxxxxxxxx


















────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
 1090: 1302 = proc 1 * 5 procs + queuetime 2 * 542.05 min + xfactor 100 * 2.13

WEIGHTS IN USE ────────────────────────────────────────────────────────── VALUE IN FORCE ───────────────────────────────────────────────────────────────────────────────────────────────────────────────
> queuetimeweight             [───────┃──────────────────────────────]        2        2 0..10      Weight of the effective queue time.
  xfactorweight               [───────────────────┃──────────────────]      100      100 0..200     Weight of the expansion factor, 1 + queue time / wallclock limit.
  targetqueuetimeweight       [───────────────────┃──────────────────]  0.00001  0.00001 0..0.00002 Weight of how near the queue time is to qttarget: 1 at first, 1e8 at the target.
  userweight                  [────┃─────────────────────────────────]        1        1 0..10      Weight of the priority set for the job's user.
  qosweight                   [────┃─────────────────────────────────]        1        1 0..10      Weight of the priority set for the job's QOS.
  classweight                 [────┃─────────────────────────────────]        1        1 0..10      Weight of the priority set for the job's class.
  procweight                  [────┃─────────────────────────────────]        1        1 0..10      Weight of the processors asked for.
  serviceweight               [────┃─────────────────────────────────]        1        1 0..10      Weight of the service received: how long the job has waited.
  targetweight                [────┃─────────────────────────────────]        1        1 0..10      Weight of the service aimed at: how near the job is to its targets.
  credweight                  [────┃─────────────────────────────────]        1        1 0..10      Weight of who asks: user, group, account, QOS and class.
  resweight                   [────┃─────────────────────────────────]        1        1 0..10      Weight of the resources asked for.
OTHER WEIGHTS ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  bypassweight                [┃─────────────────────────────────────]        0        0 0..100     Weight of how many jobs were backfilled past this one.
  +21 more
 points   keys: weights (<Tab>)

 W weights  e value  { -10  } +10  0 default  b percent  = numbers  u undo  q back                                                                                                       ? help  Q quit
EOS
screen 'help is printed from the table of keys' help <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  8 Journal [Help]
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
