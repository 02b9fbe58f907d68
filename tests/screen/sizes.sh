#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sizes.sh - does the console use the room it has, and does a resize lose nothing?

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

play demo --nodes 8 --seed 4 <<'EOS'
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
ACTIVE 4 - by completion ───────────────────────────────────── ENDS BY ──────────── USED ───────────
  483        b eva      batch      8    6:00:00       - 11:00h  10:49:05 +2:49h      53%
  476        b steve    batch     32    8:00:00       - 12:14h  13:33:31 +5:33h      30%
  526        b amina    batch      1   12:00:00       -    53m  15:38:33 +7:38h      36%
  462        b julia    batch      8   12:00:00       - 12:08h  16:49:09 +8:49h      26%
IDLE 3 - by priority ───────────────────────────────────────────────────────────────────────────────
> 395        r tom      batch     64 1:00:00:00    3201  1d00h  16:49:09 +8:49h     49 procs short
  511          lars     batch     32    3:00:00    1890 12:46h ~13:33:31 +5:33h     17 procs short
  528          tom      batch     11 1:00:00:00     726  4:57h ~Jan10 16:49 +1d08h  would delay 395
BLOCKED 2 - by hold ────────────────────────────────────────────────────────────────────────────────
  418        H bob      batch     32 1:00:00:00    2659 20:21h -                    held (user)
  523        H john     batch      8 1:00:00:00     821  5:44h -                    held (system)









 Job 395 needs 64 processors and 15 are free: 49 short.
 Total Jobs: 9   Active Jobs: 4   Idle Jobs: 3   Blocked Jobs: 2

 <Enter> open  w why  H hold  R release  W weights  u undo  = numbers  : command     ? help  Q quit
EOS
screen '=: where the numbers of the job under the cursor come from' numbers <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [█████████████████████████████ 49/64  76%] Nodes  [███████████████████████████████ 8/8 100%]
  JOB          USER     CLASS   PROC    WCLIMIT    PRIO QUEUED EST.START            WHY NOT NOW
ACTIVE 4 - by completion ───────────────────────────────────── ENDS BY ──────────── USED ───────────
  483        b eva      batch      8    6:00:00       - 11:00h  10:49:05 +2:49h      53%
  476        b steve    batch     32    8:00:00       - 12:14h  13:33:31 +5:33h      30%
  526        b amina    batch      1   12:00:00       -    53m  15:38:33 +7:38h      36%
  462        b julia    batch      8   12:00:00       - 12:08h  16:49:09 +8:49h      26%
IDLE 3 - by priority ───────────────────────────────────────────────────────────────────────────────
  395        r tom      batch     64 1:00:00:00    3201  1d00h  16:49:09 +8:49h     49 procs short
> 511          lars     batch     32    3:00:00    1890 12:46h ~13:33:31 +5:33h     17 procs short
  528          tom      batch     11 1:00:00:00     726  4:57h ~Jan10 16:49 +1d08h  would delay 395
BLOCKED 2 - by hold ────────────────────────────────────────────────────────────────────────────────
  418        H bob      batch     32 1:00:00:00    2659 20:21h -                    held (user)
  523        H john     batch      8 1:00:00:00     821  5:44h -                    held (system)


 Job 511 needs 32 processors and 15 are free: 17 short.
────────────────────────────────────────────────────────────────────────────────────────────────────
 Priority of 511: 1890 = the sum of these
   qos 1 * -200 = -200                    qosweight: the demo's own:8
   proc 1 * 32 procs = 32                 procweight: the demo's own:5
   queuetime 2 * 766.55 min = 1533.1      queuetimeweight: the demo's own:2
   xfactor 100 * 5.26 = 525.86            xfactorweight: the demo's own:3
 Estimated start 13:33:31 = 08:00:00 + 5:33:31: the first gap of 32 processors for 3:00:00, after
 the jobs before it in the order are placed; running jobs are taken to run to their limits.
 Total Jobs: 9   Active Jobs: 4   Idle Jobs: 3   Blocked Jobs: 2

 <Enter> open  w why  H hold  R release  W weights  u undo  = numbers  : command     ? help  Q quit
EOS
screen '40x10: one line says so' small <<'EOS'
Needs 60x15. 4 active, 3 idle, 2 blocked
EOS
screen '60x15 is enough, and the cursor is on the same job' least <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [█████████ 49/64  76%] Nodes  [███████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START
  483   b eva         8    6:00:00       -  10:49:05 +2:49h
  476   b steve      32    8:00:00       -  13:33:31 +5:33h
  526   b amina       1   12:00:00       -  15:38:33 +7:38h
  462   b julia       8   12:00:00       -  16:49:09 +8:49h
IDLE 3 - by priority ───────────────────────────────────────
  395   r tom        64 1:00:00:00    3201  16:49:09 +8:49h
> 511     lars       32    3:00:00    1890 ~13:33:31 +5:33h
  +3 more
 Job 511 needs 32 processors and 15 are free: 17 short.
 9 jobs: 4 active, 3 idle, 2 blocked
 <Enter> open  w why  H hold  R release      ? help  Q quit
EOS
screen '200x50: the job beside the list' large <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [█████████████████████████████████████████████████████████████████████           49/64  76%] Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB          USER       ACCOUNT  QOS    CLASS     PROC    WCLIMIT      PRIO     XF  QUEUED EST.START            WHY NOT NOW     │ Job 511  orca-opt
ACTIVE 4 - by completion ─────────────────────────────────────────────────────────────────── ENDS BY ──────────── USED ───────────│  for       lars/chemistry/catalysis   class batch   QOS low
  483        b eva        lattice  normal batch        8    6:00:00         -      -  11:00h  10:49:05 +2:49h      53%            │  asks      32 procs for 3:00:00 = 345600 PS, 4000 MB a task
  476        b steve      ocean    normal batch       32    8:00:00         -      -  12:14h  13:33:31 +5:33h      30%            │  submitted Jan08 19:13, queued 12:46:33, bypassed 11x
  526        b amina      plasma   high   batch        1   12:00:00         -      -     53m  15:38:33 +7:38h      36%            │  state     idle, number 2 of 3
  462        b julia      plasma   low    batch        8   12:00:00         -      -  12:08h  16:49:09 +8:49h      26%            │  starts    ~13:33:31 +5:33h
IDLE 3 - by priority ─────────────────────────────────────────────────────────────────────────────────────────────────────────────│ Job 511 needs 32 processors and 15 are free: 17 short.
  395        r tom        plasma   normal batch       64 1:00:00:00      3201   2.02   1d00h  16:49:09 +8:49h     49 procs short  │
> 511          lars       catalys~ low    batch       32    3:00:00      1890   5.26  12:46h ~13:33:31 +5:33h     17 procs short  │ CHECK                   VALUE           LIMIT               RESULT
  528          tom        plasma   normal batch       11 1:00:00:00       726   1.21   4:57h ~Jan10 16:49 +1d08h  would delay 395 │ 1 hold                  none            -                   ok
BLOCKED 2 - by hold ──────────────────────────────────────────────────────────────────────────────────────────────────────────────│ 2 start date            none            -                   ok
  418        H bob        catalys~ normal batch       32 1:00:00:00      2659   1.85  20:21h -                    held (user)     │ 3 fits the machine      32 procs        64 in the machine   ok
  523        H john       turbine  normal batch        8 1:00:00:00       821   1.24   5:44h -                    held (system)   │ 4 priority not negative 1890            -                   ok
                                                                                                                                  │>5 resources now         32 procs        15 free             FAIL
                                                                                                                                  │ 6 reservations ahead    no reservation is delayed >= 32     ok
                                                                                                                                  │ 7 strict order          none ahead      -                   ok
                                                                                                                                  │
                                                                                                                                  │ PRIORITY
                                                                                                                                  │ 1890 = qos 1 * -200 + proc 1 * 32 procs + queuetime 2 * 766.55 min
                                                                                                                                  │ + xfactor 100 * 5.26
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
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
 Total Jobs: 9   Active Jobs: 4   Idle Jobs: 3   Blocked Jobs: 2

 <Enter> open  w why  H hold  R release  W weights  u undo  = numbers  : command  <Space> mark  / filter  s sort  Z freeze  < slower  > faster                                           ? help  Q quit
EOS
screen '200x50: points and what was measured, shares, every weight' weights <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 8 Journal
  JOB          USER         PRIORITY          User*1           QOS*1         Class*1          Proc*1         QTime*2       XFctr*100   TgtQT*0.00001 SHARES
IDLE 3 - by priority ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  395        r tom              3201           0 (0)           0 (0)           0 (0)         64 (64)  2935 (1467.72)      201 (2.02)           0 (0) rqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqxx
> 511          lars             1890           0 (0)     -200 (-200)           0 (0)         32 (32)   1533 (766.55)      525 (5.26)           0 (0) cccrqqqqqqqqqqqqqqqqqqqqqqqqqqqxxxxxxxxx
  528          tom               726           0 (0)           0 (0)           0 (0)         11 (11)    594 (297.22)      120 (1.21)           0 (0) qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqxxxxxxx
BLOCKED 2 - not in the order ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  418        H bob              2659           0 (0)           0 (0)           0 (0)         32 (32)  2442 (1221.45)      184 (1.85)           0 (0) qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqxxx
  523        H john              821           0 (0)           0 (0)           0 (0)           8 (8)    689 (344.85)      123 (1.24)           0 (0) qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqxxxxxx



















────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
 511: 1890 = qos 1 * -200 + proc 1 * 32 procs + queuetime 2 * 766.55 min + xfactor 100 * 5.26

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
 points   keys go to the weights (<Tab> changes)

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
  S                   Sort the other way round.                                             +61 more


 q back  : command                                                                   ? help  Q quit
EOS
