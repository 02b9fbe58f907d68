#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sizes.sh - the console uses the size of the terminal, and a resize loses nothing

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

play demo --nodes 8 --seed 36 <<'EOS'
size 100x30
dump middle
keys j =
dump numbers
keys <Esc>
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
screen '100x30: meters on their own lines, more columns' middle <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████████████████████████████████████████████████████████████████ 58/64  90%]
 Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB        USER       CLASS  PROC    WCLIMIT   PRIO QUEUED EST.START            WHY NOT NOW
  1078     b olga       batch     4   18:00:00      -  3:24h  18:19:06 +10:19h     42%
  1070     b bob        batch     4 1:00:00:00      -  8:13h  Jan10 04:25 +20:25h  14%
  967      b eva        long      1 1:12:00:00      -  1:46h  Jan10 05:08 +21:08h  41%
  1104     b bob        batch     4 1:00:00:00      -  7:18h  Jan10 07:45 +23:45h   1%
  1124     b paul       batch     4 1:00:00:00      -  4:23h  Jan10 07:45 +23:45h   0%
IDLE 3 - by priority ───────────────────────────────────────────────────────────────────────────────
> 1050     r tom        batch    16 1:00:00:00   1589 12:06h  10:20:11 +2:20h     10 procs short
  1115       john       batch    10 1:00:00:00   1170  6:38h  08:14:21 +14m       4 procs short
  1130       finn       batch    13    8:00:00    688  3:44h  12:46:26 +4:46h     7 procs short
BLOCKED 2 - by hold ────────────────────────────────────────────────────────────────────────────────
  670      H lars       batch     2   12:00:00   4987  1d15h -                    held (user)
  1101     H steve      batch    29    2:00:00   1602  8:40h -                    held (system)
BLOCKED 7 - by fairshare cap ───────────────────────────────────────────────────────────────────────
  19       ! lars       batch     3    8:00:00  12360  3d22h  Jan13 00:00 +3d16h  cap of user lars
  345      ! lars       batch     3    8:00:00   8740  2d18h  Jan13 00:00 +3d16h  cap of user lars
  629      ! lars       batch     4    6:00:00   5466  1d16h  Jan13 00:00 +3d16h  cap of user lars
  634      ! lars       batch    22   12:00:00   5126  1d16h  Jan13 00:00 +3d16h  cap of user lars
  696      ! lars       batch    32    8:00:00   4962  1d13h  Jan13 00:00 +3d16h  cap of user lars
  971      ! lars       batch     4    4:00:00   2313 16:37h  20:38:00 +12:38h    cap of user lars
  977      ! lars       batch    16    8:00:00   2097 16:27h  Jan16 00:00 +6d16h  cap of user lars
 Job 1050 needs 16 processors and 6 are free: 10 short.

 Total Jobs: 23   Active Jobs: 11   Idle Jobs: 3   Blocked Jobs: 9

 <Enter> open  w why  H hold  R release  W weights  u undo  o output  x cancel       ? help  Q quit
EOS
screen '=: how the numbers of the job under the cursor are computed' numbers <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [█████████████████████████████ 58/64  90%] Nodes  [███████████████████████████████ 8/8 100%]
  JOB        USER       CLASS  PROC    WCLIMIT   PRIO QUEUED EST.START            WHY NOT NOW
  1078     b olga       batch     4   18:00:00      -  3:24h  18:19:06 +10:19h     42%
  1070     b bob        batch     4 1:00:00:00      -  8:13h  Jan10 04:25 +20:25h  14%
  967      b eva        long      1 1:12:00:00      -  1:46h  Jan10 05:08 +21:08h  41%
  1104     b bob        batch     4 1:00:00:00      -  7:18h  Jan10 07:45 +23:45h   1%
  1124     b paul       batch     4 1:00:00:00      -  4:23h  Jan10 07:45 +23:45h   0%
IDLE 3 - by priority ───────────────────────────────────────────────────────────────────────────────
  1050     r tom        batch    16 1:00:00:00   1589 12:06h  10:20:11 +2:20h     10 procs short
> 1115       john       batch    10 1:00:00:00   1170  6:38h  08:14:21 +14m       4 procs short
  1130       finn       batch    13    8:00:00    688  3:44h  12:46:26 +4:46h     7 procs short
  +9 more
 Job 1115 needs 10 processors and 6 are free: 4 short.
────────────────────────────────────────────────────────────────────────────────────────────────────
 PRIORITY 1170 = fsuser 20 * 7.743 % + fsgroup 5 * 15.91 % + proc 1 * 10 procs + queuetime 2 *
 398.98 min + xfactor 100 * 1.277, cut
 FSUser 154 = fsuser 20 * most(target 10 - usage 2.26, 0), cut fsuserweight: demo.conf:15
 FSGrp 79 = fsgroup 5 * (target 25 - usage 9.09), cut fsgroupweight: demo.conf:16
 Proc 10 = proc 1 * 10 procs              procweight: demo.conf:5
 QTime 797 = queuetime 2 * (23939 s / 60 s), cut queuetimeweight: demo.conf:2
 XFctr 127 = xfactor 100 * (1 + 23939 s / 86400 s), cut xfactorweight: demo.conf:3
 RANK 2 = 1 + 1 jobs ahead
 EST.START 08:14:21 = started 07:14:21 + limit 1:00:00 [1137]
 IN 14m = 08:14:21 - now 08:00:00, cut
 Job 1115 needs 10 processors and 6 are free: 4 short.                                      +10 more
 Total Jobs: 23   Active Jobs: 11   Idle Jobs: 3   Blocked Jobs: 9

 <Enter> open  w why  H hold  R release  W weights  u undo  o output  x cancel       ? help  Q quit
EOS
screen '40x10: one line says that the terminal is too small' small <<'EOS'
Too small, needs 60x15. 11 active, 3 idl
EOS
screen '60x15 is large enough, and the cursor is on the same job' least <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8
 Procs  [█████████ 58/64  90%] Nodes  [███████████ 8/8 100%]
  JOB        USER          PROC    PRIO EST.START
  1070     b bob              4       -  Jan10 04:25 +20:25h
  967      b eva              1       -  Jan10 05:08 +21:08h
  1104     b bob              4       -  Jan10 07:45 +23:45h
  1124     b paul             4       -  Jan10 07:45 +23:45h
IDLE 3 - by priority ───────────────────────────────────────
  1050     r tom             16    1589  10:20:11 +2:20h
> 1115       john            10    1170  08:14:21 +14m
  +10 more
 Job 1115 needs 10 processors and 6 are free: 4 short.
 23 jobs: 11 active, 3 idle, 9 blocked
 <Enter> open  w why  H hold  R release      ? help  Q quit
EOS
screen '200x50: the job next to the list' large <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████████████████████████████████████████████████████████████████ 58/64  90%] Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB        USER       ACCOUNT  QOS    CLASS     PROC    WCLIMIT      PRIO     XF  QUEUED EST.START            WHY NOT NOW       │ Job 1115  foam-les
ACTIVE 11 - by completion ──────────────────────────────────────────────────────────────── ENDS BY ──────────── USED ─────────────│  for       john/engineering/turbine   class batch   QOS normal
  1137     b karl       polymers normal batch        4    1:00:00         -      -      0s  08:14:21 +14m        76%              │  asks      10 procs for 1:00:00:00 = 864000 PS, 2000 MB per task
  1000       marco      lattice  normal batch       25    6:00:00         -      -  11:27h  10:20:11 +2:20h      61%              │  submitted 01:21:01, queued 6:38:59, bypassed 17x
  1131     b lars       catalys~ low    batch        1    6:00:00         -      -      0s  11:26:53 +3:26h      42%              │  state     idle, number 2 of 3
  1090     b marco      lattice  normal batch        5    8:00:00         -      -   5:48h  12:46:26 +4:46h      40%              │  starts     08:14:21 +14m      projection
  911      b paul       acousti~ low    batch        2 1:00:00:00         -      -     55m  14:29:21 +6:29h      72%              │ Job 1115 does not start now: it needs 10 processors and 6 are free:
  1031       eva        lattice  normal batch        4   12:00:00         -      -  10:30h  16:20:27 +8:20h      30%              │ 4 short.
  1078     b olga       weather  high   batch        4   18:00:00         -      -   3:24h  18:19:06 +10:19h     42%              │ Estimated start: Fri Jan  9 08:14:21 (in 0:14:21).
  1070     b bob        catalys~ normal batch        4 1:00:00:00         -      -   8:13h  Jan10 04:25 +20:25h  14%              │
  967      b eva        lattice  normal long         1 1:12:00:00         -      -   1:46h  Jan10 05:08 +21:08h  41%              │ CHECK                    VALUE          LIMIT               RESULT
  1104     b bob        catalys~ normal batch        4 1:00:00:00         -      -   7:18h  Jan10 07:45 +23:45h   1%              │  5 priority not negative 1170           -                   ok
  1124     b paul       acousti~ low    batch        4 1:00:00:00         -      -   4:23h  Jan10 07:45 +23:45h   0%              │  6 fits the machine      10 procs       64 in the machine   ok
IDLE 3 - by priority ─────────────────────────────────────────────────────────────────────────────────────────────────────────────│ 10 idle limits           0 + 1 = 1      MAXIJOB 16          ok
  1050     r tom        plasma   normal batch       16 1:00:00:00      1589   1.50  12:06h  10:20:11 +2:20h     10 procs short    │>14 resources now         10 procs       6 free              FAIL
> 1115       john       turbine  normal batch       10 1:00:00:00      1170   1.28   6:38h  08:14:21 +14m       4 procs short     │ 16 reservations ahead    no reservation is delayed >= 10    ok
  1130       finn       turbine  normal batch       13    8:00:00       688   1.47   3:44h  12:46:26 +4:46h     7 procs short     │ 17 strict order          none ahead     -                   ok
BLOCKED 2 - by hold ──────────────────────────────────────────────────────────────────────────────────────────────────────────────│    none: hold, defer, dependency, start date, limits of its class,
  670      H lars       catalys~ low    batch        2   12:00:00      4987   4.30   1d15h -                    held (user)       │    limits of any job, tasks of its array, hard limits, soft limits,
  1101     H steve      ocean    normal batch       29    2:00:00      1602   5.33   8:40h -                    held (system)     │    fairshare cap, reserved for others, pause
BLOCKED 7 - by fairshare cap ─────────────────────────────────────────────────────────────────────────────────────────────────────│
  19       ! lars       catalys~ low    batch        3    8:00:00     12360  12.75   3d22h  Jan13 00:00 +3d16h  cap of user lars  │ PRIORITY
  345      ! lars       catalys~ low    batch        3    8:00:00      8740   9.34   2d18h  Jan13 00:00 +3d16h  cap of user lars  │ 1170 = fsuser 20 * 7.743 % + fsgroup 5 * 15.91 % + proc 1 * 10
  629      ! lars       catalys~ low    batch        4    6:00:00      5466   7.78   1d16h  Jan13 00:00 +3d16h  cap of user lars  │ procs + queuetime 2 * 398.98 min + xfactor 100 * 1.277
  634      ! lars       catalys~ low    batch       22   12:00:00      5126   4.38   1d16h  Jan13 00:00 +3d16h  cap of user lars  │
  696      ! lars       catalys~ low    batch       32    8:00:00      4962   5.75   1d13h  Jan13 00:00 +3d16h  cap of user lars  │
  971      ! lars       catalys~ low    batch        4    4:00:00      2313   5.15  16:37h  20:38:00 +12:38h    cap of user lars  │
  977      ! lars       catalys~ low    batch       16    8:00:00      2097   3.06  16:27h  Jan16 00:00 +6d16h  cap of user lars  │
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
 Total Jobs: 23   Active Jobs: 11   Idle Jobs: 3   Blocked Jobs: 9

 <Enter> open  w why  H hold  R release  W weights  u undo  o output  x cancel  a submit  = numbers  : command  <Space> mark  / filter  s sort  Z freeze  < slower  > faster             ? help  Q quit
EOS
screen '200x50: points and measured values, shares, all weights' weights <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  7 What-if  8 Journal  9 Config
  JOB          USER         PRIORITY          User*1           QOS*1         Class*1       FSUser*20         FSGrp*5          Proc*1         QTime*2       XFctr*100   TgtQT*0.00001 SHARES
IDLE 3 - by priority ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  1050       r tom              1589           0 (0)           0 (0)           0 (0)           0 (0)     -31 (-6.21)         16 (16)   1453 (726.98)       150 (1.5)           0 (0) qqqqqqqqqqqqqqqqqxx
> 1115         john             1170           0 (0)           0 (0)           0 (0)      154 (7.74)      79 (15.91)         10 (10)    797 (398.98)      127 (1.28)           0 (0) ffffqqqqqqqqqqqqqxx
  1130         finn              688           0 (0)           0 (0)           0 (0)           0 (0)      79 (15.91)         13 (13)    448 (224.42)      146 (1.47)           0 (0) ffqqqqqqqqqqqqqxxxx
BLOCKED 9 - not ranked ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  19         ! lars            12360           0 (0)     -200 (-200)           0 (0)           0 (0)           0 (0)           3 (3) 11282 (5641.22)    1275 (12.75)           0 (0) qqqqqqqqqqqqqqqqqxx
  345        ! lars             8740           0 (0)     -200 (-200)           0 (0)           0 (0)           0 (0)           3 (3)  8003 (4001.93)      933 (9.34)           0 (0) qqqqqqqqqqqqqqqqqxx
  629        ! lars             5466           0 (0)     -200 (-200)           0 (0)           0 (0)           0 (0)           4 (4)  4884 (2442.07)      778 (7.78)           0 (0) cqqqqqqqqqqqqqqqqxx
  634        ! lars             5126           0 (0)     -200 (-200)           0 (0)           0 (0)           0 (0)         22 (22)  4866 (2433.48)      437 (4.38)           0 (0) cqqqqqqqqqqqqqqqqqx
  670        H lars             4987           0 (0)     -200 (-200)           0 (0)           0 (0)           0 (0)           2 (2)  4754 (2377.42)       430 (4.3)           0 (0) cqqqqqqqqqqqqqqqqqx
  696        ! lars             4962           0 (0)     -200 (-200)           0 (0)           0 (0)           0 (0)         32 (32)  4555 (2277.77)      574 (5.75)           0 (0) cqqqqqqqqqqqqqqqqxx
  971        ! lars             2313           0 (0)     -200 (-200)           0 (0)           0 (0)           0 (0)           4 (4)   1994 (997.08)      515 (5.15)           0 (0) cqqqqqqqqqqqqqqxxxx
  977        ! lars             2097           0 (0)     -200 (-200)           0 (0)           0 (0)           0 (0)         16 (16)    1975 (987.7)      305 (3.06)           0 (0) ccqqqqqqqqqqqqqqqxx
  1101       H steve            1602           0 (0)           0 (0)           0 (0)           0 (0)           0 (0)         29 (29)   1040 (520.15)      533 (5.33)           0 (0) rqqqqqqqqqqqqxxxxxx









────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
 1115: 1170 = fsuser 20 * 7.743 % + fsgroup 5 * 15.91 % + proc 1 * 10 procs + queuetime 2 * 398.98 min + xfactor 100 * 1.277

 Swaps with 1130 if: queuetime = -1 | fsuser < -42 | fs -7..-3 | xfactor = 2633 | proc > 161 | never by user qos class fsgroup targetqueuetime cred service
 Passes 1050 if: queuetime = 0 | service = 0 | fs > 2 | fsuser > 74 | fsgroup > 23 | proc < -68 | never by user qos class xfactor targetqueuetime cred
 In 1 h: 1170 -> 1294 (queuetime +120, xfactor +4); still behind 1050
WEIGHTS IN USE ──────────────────────────────────────────────────────────── VALUE ───── IN FORCE ───────────────────────────────────────────────────────────────────────────────────────────────────────
> queuetimeweight             [───────┃──────────────────────────────]          2              2 0..10                Weight of the effective queue time.
  xfactorweight               [───────────────────┃──────────────────]        100            100 0..200               Weight of the expansion factor, 1 + queue time / wallclock limit.
  targetqueuetimeweight       [───────────────────┃──────────────────]    0.00001        0.00001 0..0.00002           Weight of how close the queue time is to qttarget: 1 at first, 1e8 at the target.
  fsuserweight                [───────────────────┃──────────────────]         20             20 0..40                Weight of how far the user is below its fairshare target.
  fsgroupweight               [───────────────────┃──────────────────]          5              5 0..10                Weight of how far the group is below its fairshare target.
  userweight                  [────┃─────────────────────────────────]          1              1 0..10                Weight of the priority set for the job's user.
  qosweight                   [────┃─────────────────────────────────]          1              1 0..10                Weight of the priority set for the job's QOS.
  classweight                 [────┃─────────────────────────────────]          1              1 0..10                Weight of the priority set for the job's class.
  procweight                  [────┃─────────────────────────────────]          1              1 0..10                Weight of the number of requested processors.
  serviceweight               [────┃─────────────────────────────────]          1              1 0..10                Weight of the service level: how long the job has waited.
  targetweight                [────┃─────────────────────────────────]          1              1 0..10                Weight of the service targets: how close the job is to its targets.
  fsweight                    [────┃─────────────────────────────────]          1              1 0..10                Weight of fairshare: usage relative to the fairshare targets.
  credweight                  [────┃─────────────────────────────────]          1              1 0..10                Weight of the credentials: user, group, account, QOS and class.
  +21 more
 points   focus: weights (<Tab>)

 W weights  e value  { -10  } +10  0 default  b percent  = numbers  u undo  q back                                                                                                       ? help  Q quit
EOS
screen 'help is generated from the table of keys' help <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Help]
 ON THE PREVIOUS SCREEN ONLY
  {                   Show all screens as of ten journal entries earlier.
  }                   Show all screens as of ten journal entries later.
  f                   Show ended jobs: their outcome and how much of their request they used.

 FOR THE JOB UNDER THE CURSOR OR THE MARKED JOBS
  <Enter>             Open the row; preview a suggested change; apply the box.
  w                   Show every check of the job, with its numbers.
  p                   Show the components of the job's priority.
  H                   Hold the job: user, system or batch hold.
  R                   Release the job's holds.
  W                   Try other priority weights and see the order change.
  +                   Raise the job's relative priority by 10 points.
  -                   Lower the job's relative priority by 10 points.
  #                   Set an absolute priority, which ranks above all computed priorities.
  t                   Change the job's wallclock limit.
  x <F9>              Cancel the job; all processes of a running job are killed.
  X                   Send a signal to a running job.
  i                   Requeue a running job.
  z                   Suspend a running job, or resume a suspended one.
  o                   Follow the job's output.
  a                   Submit a new job with a form.
  J                   Move the job down one place, by a priority that keeps it there for an hour.
  K                   Move the job up one place, by a priority that keeps it there for an hour.
                                                                                           +185 more


 / filter  <F3> search  q back  : command                                            ? help  Q quit
EOS
