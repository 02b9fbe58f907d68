#!/bin/sh
# SPDX-License-Identifier: MIT
#
# session.sh - can a person at 80x24 find the first idle job, see why it waits, hold and
# release it, raise a weight and see the order and the starts move, undo that, and leave?

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

play demo --nodes 8 --seed 9 <<'EOS'
size 80x24
dump first
keys w
dump why
keys q H
dump kind
keys u
dump held-draft
keys <Enter>
dump held
keys R <Enter>
dump released
keys W j <Right> }
dump slider
keys e <C-u>
type 1000
keys <Enter>
dump typed
keys <Enter>
dump tuned
keys 8
dump journal
keys u
dump undo-draft
keys <Enter>
dump undone
keys 1
dump last
keys Q
dump question
keys y
expect-exit 0
EOS

screen 'the first frame: the queue, the cursor on the first idle job' first <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████ 59/64  92%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1180  b eva        2   18:00:00      -  22:04:54 +14:04h     21%
  1219  b amina      1   18:00:00      -  Jan10 00:00 +16:00h  11%
  1202  b bob        2 1:00:00:00      -  Jan10 06:39 +22:39h   5%
  1175  b chen       2 1:12:00:00      -  Jan10 15:17 +1d07h   13%
  1074  b steve      2 2:00:00:00      -  Jan10 23:53 +1d15h   16%
IDLE 38 - by priority ──────────────────────────────────────────────────────────
> 1209  r mei       16    0:10:00   5084  10:26:09 +2:26h     11 procs short
  1179    amina     32   12:00:00   2386 ~14:17:09 +6:17h     27 procs short
  1127    eva       32    1:00:00   2343 ~Jan10 02:17 +18:17h 27 procs short
  1120    john       4 1:00:00:00   1796 ~10:36:09 +2:36h     would delay 1209
  1096    ravi       8   18:00:00   1790 ~10:36:09 +2:36h     3 procs short
  1053    nora       4 1:00:00:00   1744 ~10:36:09 +2:36h     would delay 1209
  1136    john      16 1:00:00:00   1714 ~Jan10 03:17 +19:17h 11 procs short
  1134    john       4 1:00:00:00   1709 ~21:17:42 +13:17h    would delay 1209
  1090    bob        4 1:00:00:00   1707 ~22:04:54 +14:04h    would delay 1209
  +34 more
 Job 1209 needs 16 processors and 5 are free: 11 short.

 Total Jobs: 55   Active Jobs: 12   Idle Jobs: 38   Blocked Jobs: 5
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'w: every check with its numbers, the first that fails marked' why <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue [2 Job] 3 Priority  4 Share  6 Limits  8 Journal
 Job 1209  gmx-prod
  for       mei/biology/protein   class batch   QOS high
  asks      16 procs for 0:10:00 = 9600 PS, 1000 MB a task
  submitted 03:49:50, queued 4:10:10, bypassed 24x
  state     idle, number 1 of 38
  starts     10:26:09 +2:26h (reserved)
 Job 1209 needs 16 processors and 5 are free: 11 short.

 CHECK                   VALUE                      LIMIT               RESULT
 5 priority not negative 5084                       -                   ok
 6 fits the machine      16 procs                   64 in the machine   ok
 9 idle limits           0 + 1 = 1  user mei        MAXIJOB 16          ok
>13 resources now        16 procs                   5 free              FAIL
 14 reservations ahead   no reservation is delayed  >= 16               ok
 15 strict order         none ahead                 -                   ok
   none: hold, defer, dependency, start date, limits of its class, limits of
   any job, hard limits, soft limits, fairshare cap

 PRIORITY
 5084 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.76 % + proc 1 * 16 pr +5 more

 H hold  R release  p priority  W weights  = numbers  u undo     ? help  Q quit
EOS
screen 'H asks which hold' kind <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████ 59/64  92%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1180  b eva        2   18:00:00      -  22:04:54 +14:04h     21%
  1219  b amina      1   18:00:00      -  Jan10 00:00 +16:00h  11%
  1202  b bob        2 1:00:00:00      -  Jan10 06:39 +22:39h   5%
  1175  b chen       2 1:12:00:00      -  Jan10 15:17 +1d07h   13%
  1074  b steve      2 2:00:00:00      -  Jan10 23:53 +1d15h   16%
IDLE 38 - by priority ──────────────────────────────────────────────────────────
> 1209  r mei       16    0:10:00   5084  10:26:09 +2:26h     11 procs short
  1179    amina     32   12:00:00   2386 ~14:17:09 +6:17h     27 procs short
  1127    eva       32    1:00:00   2343 ~Jan10 02:17 +18:17h 27 procs short
  1120    john       4 1:00:00:00   1796 ~10:36:09 +2:36h     would delay 1209
  1096    ravi       8   18:00:00   1790 ~10:36:09 +2:36h     3 procs short
  1053    nora       4 1:00:00:00   1744 ~10:36:09 +2:36h     would delay 1209
  1136    john      16 1:00:00:00   1714 ~Jan10 03:17 +19:17h 11 procs short
  1134    john       4 1:00:00:00   1709 ~21:17:42 +13:17h    would delay 1209
  1090    bob        4 1:00:00:00   1707 ~22:04:54 +14:04h    would delay 1209
  +34 more
 Job 1209 needs 16 processors and 5 are free: 11 short.

 Which hold?  [u] user (Enter)  [s] system  [b] batch
 <Enter> give  <Esc> never mind                                  ? help  Q quit
EOS
screen 'the hold is a draft with its effect' held-draft <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████ 59/64  92%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1180  b eva        2   18:00:00      -  22:04:54 +14:04h     21%
  1219  b amina      1   18:00:00      -  Jan10 00:00 +16:00h  11%
  1202  b bob        2 1:00:00:00      -  Jan10 06:39 +22:39h   5%
  1175  b chen       2 1:12:00:00      -  Jan10 15:17 +1d07h   13%
  1074  b steve      2 2:00:00:00      -  Jan10 23:53 +1d15h   16%
IDLE 38 - by priority ──────────────────────────────────────────────────────────
> 1209  r mei       16    0:10:00   5084  10:26:09 +2:26h     11 procs short
  1179    amina     32   12:00:00   2386 ~14:17:09 +6:17h     27 procs short
  1127    eva       32    1:00:00   2343 ~Jan10 02:17 +18:17h 27 procs short
  1120    john       4 1:00:00:00   1796 ~10:36:09 +2:36h     would delay 1209
  1096    ravi       8   18:00:00   1790 ~10:36:09 +2:36h     3 procs short
  1053    nora       4 1:00:00:00   1744 ~10:36:09 +2:36h     would delay 1209
  1136    john      16 1:00:00:00   1714 ~Jan10 03:17 +19:17h 11 procs short
  1134    john       4 1:00:00:00   1709 ~21:17:42 +13:17h    would delay 1209
  1090    bob        4 1:00:00:00   1707 ~22:04:54 +14:04h    would delay 1209
  +34 more
 Job 1209 needs 16 processors and 5 are free: 11 short.

 hold -u 1209: the order stays; 5 earlier; 1 later
 <Enter> apply  <Esc> drop  w why  H hold  R release  W weights  ? help  Q quit
EOS
screen 'Enter applies it and the cursor follows the job' held <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████ 63/64  98%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1192    nora       2 1:00:00:00    562 ~Jan12 05:17 +2d21h  1 proc short
  1222    john       2 1:00:00:00    539 ~Jan13 05:17 +3d21h  1 proc short
  1188    eva        3    6:00:00    513 ~11:33:45 +3:33h     2 procs short
  1216    ines       2   12:00:00    493 ~Jan10 08:00 +1d00h  1 proc short
  1198    eva        8    8:00:00    422 ~Jan10 10:26 +1d02h  7 procs short
  1211    nora       4 1:00:00:00    406 ~Jan13 05:17 +3d21h  3 procs short
  1223    eva       32    3:00:00     12 ~Jan13 21:17 +4d13h  31 procs short
  1225    julia      2    6:00:00      3 ~Jan10 00:00 +16:00h 1 proc short
BLOCKED 3 - by hold ────────────────────────────────────────────────────────────
  1133  H paul      16 1:00:00:00   1386 -                    held (user)
  1193  H mei       32    0:10:00   6258 -                    held (system)
> 1209  H mei       16    0:10:00   5084 -                    held (user)
BLOCKED 3 - by fairshare cap ───────────────────────────────────────────────────
  510   ! lars       2 1:12:00:00   7382 -                    over the cap of u~
  654   ! lars       4   12:00:00   5670 ~Jan13 05:17 +3d21h  over the cap of u~
  764   ! lars       4   12:00:00   5107 ~Jan13 05:17 +3d21h  over the cap of u~
 Job 1209 is held (user); it can start only after a release.

 Done: hold -u 1209. u undoes it.
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'released, it is the first again' released <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████ 63/64  98%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1221  b olga       1    4:00:00      -  10:26:43 +2:26h      38%
  1099  b anna       3    6:00:00      -  11:33:45 +3:33h      40%
  988     eva       31   12:00:00      -  14:17:09 +6:17h      47%
  1069  b ines       4   18:00:00      -  21:17:42 +13:17h     26%
  1180  b eva        2   18:00:00      -  22:04:54 +14:04h     21%
  1219  b amina      1   18:00:00      -  Jan10 00:00 +16:00h  11%
  1202  b bob        2 1:00:00:00      -  Jan10 06:39 +22:39h   5%
  1120  b john       4 1:00:00:00      -  Jan10 08:00 +1d00h    0%
  1175  b chen       2 1:12:00:00      -  Jan10 15:17 +1d07h   13%
  1074  b steve      2 2:00:00:00      -  Jan10 23:53 +1d15h   16%
IDLE 37 - by priority ──────────────────────────────────────────────────────────
> 1209  r mei       16    0:10:00   5084  11:33:45 +3:33h     15 procs short
  1179  r amina     32   12:00:00   2386  14:17:09 +6:17h     31 procs short
  1127    eva       32    1:00:00   2343 ~Jan10 02:17 +18:17h 31 procs short
  1096    ravi       8   18:00:00   1790 ~11:43:45 +3:43h     7 procs short
  +38 more
 Job 1209 needs 16 processors and 1 are free: 15 short.

 Done: release 1209. u undoes it.
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'a slider: ranks and starts before and after' slider <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  8 Journal
  JOB          RANK       PRIORITY    AFTER START       AFTER       CHANGE
IDLE 37 - in the order the draft would give ────────────────────────────────────
> 1209       r 1              5084     5656 11:33:45    11:33:45
  1127         3 -> 2         2343     2622 Jan10 02:17 14:17:09    -12:00:00
  1179       r 2 -> 3         2386     2422 14:17:09    15:17:09    +1:00:00
  1096         4              1790     1827 11:43:45    11:43:45
  1053         5              1744     1780 11:43:45    11:43:45
  1136         6              1714     1746 Jan10 03:17 Jan10 03:17
  1090         8 -> 7         1707     1741 22:04:54    21:17:42    -0:47:12
  1134         7 -> 8         1709     1741 21:17:42    22:04:54    +0:47:12
  +34 more
────────────────────────────────────────────────────────────────────────────────
 1209: 5656 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.76 % + proc 1 * 16
 procs + queuetime 2 * 250.17 min + xfactor 122 * 26.02 + targetqueuetime
WEIGHTS IN USE ────────────────────────────────── VALUE ──── IN FORCE ──────────
  queuetimeweight           [───┃──────────]          2             2 0..10
> xfactorweight             [────────┃─────]        122           100 0..200
  targetqueuetimeweight     [───────┃──────]    0.00001       0.00001 0..0.00002
  fsuserweight              [───────┃──────]         20            20 0..40
  +30 more
 tune xfactorweight 122: 11 jobs change order; 2 earlier; 2 later; 1179 +1:00:00
 <Enter> apply  <Esc> drop  W weights  e value  { -10  } +10     ? help  Q quit
EOS
screen 'a typed weight: the order changes and the starts move' typed <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  8 Journal
  JOB          RANK       PRIORITY    AFTER START       AFTER       CHANGE
IDLE 37 - in the order the draft would give ────────────────────────────────────
> 1209       r 1              5084    28499 11:33:45    11:33:45
  1127         3 -> 2         2343    13729 Jan10 02:17 14:17:09    -12:00:00
  1168         18 -> 3        1365     4962 Jan10 03:17 11:43:45    -15:33:24
  1179       r 2 -> 4         2386     3875 14:17:09    15:17:09    +1:00:00
  1141         21 -> 5        1284     3835 Jan12 03:17 Jan10 03:17 -2:00:00:00
  1163         15 -> 6        1426     3777 Jan10 03:17 11:43:45    -15:33:24
  1096         4 -> 7         1790     3326 11:43:45    14:43:45    +3:00:00
  1169         16 -> 8        1406     3316 Jan11 21:17 Jan10 09:17 -1:12:00:33
  +34 more
────────────────────────────────────────────────────────────────────────────────
 1209: 28499 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.76 % + proc 1 * 16
 procs + queuetime 2 * 250.17 min + xfactor 1000 * 26.02 + targetqueuetime
WEIGHTS IN USE ────────────────────────────────── VALUE ──── IN FORCE ──────────
  queuetimeweight           [───┃──────────]          2             2 0..10
> xfactorweight             [─────────────┃]       1000           100 0..1000
  targetqueuetimeweight     [───────┃──────]    0.00001       0.00001 0..0.00002
  fsuserweight              [───────┃──────]         20            20 0..40
  +30 more
 tune xfactorweight 1000: 32 jobs change order; 18 earlier; 17 later; 1149 +1:10
 <Enter> apply  <Esc> drop  W weights  e value  { -10  } +10     ? help  Q quit
EOS
screen 'Enter tunes the weight' tuned <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  8 Journal
  JOB            PRIORITY     QOS*1 FSUser*20   QTime*2 XFctr*10~ SHARES
IDLE 37 - by priority ──────────────────────────────────────────────────────────
> 1209       r      28499       500        15       500     27317 xxxxxxxxxxxxxx
  1127       r      13729         0      -211      1398     12650 qqxxxxxxxxxxxx
  1168               4962      -200         0      1078      3995 cqqqxxxxxxxxxx
  1179               3875       500         0       941      1736 ccqqqxxxxxxttt
  1141               3835         0      -211      1320      2834 fqqqqxxxxxxxxx
  1163               3777         0         0      1160      2612 qqqqxxxxxxxxxx
  1096               3326         0         0      1527      1707 qqqqqqqxxxxxxx
  1169               3316         0         0      1077      2122 qqqqqxxxxxxxxx
  +34 more
────────────────────────────────────────────────────────────────────────────────
 1209: 28499 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.76 % + proc 1 * 16
 procs + queuetime 2 * 250.17 min + xfactor 1000 * 26.02 + targetqueuetime
WEIGHTS IN USE ────────────────────────────────── VALUE ──── IN FORCE ──────────
  queuetimeweight           [───┃──────────]          2             2 0..10
> xfactorweight             [───────┃──────]       1000          1000 0..2000
  targetqueuetimeweight     [───────┃──────]    0.00001       0.00001 0..0.00002
  fsuserweight              [───────┃──────]         20            20 0..40
  +30 more
 Done: tune xfactorweight 1000. u undoes it.
 W weights  e value  { -10  } +10  0 default  b percent  u undo  ? help  Q quit
EOS
screen 'the journal has it, the newest on top' journal <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [8 Journal]
      SEQ TIME        WHO          WHAT                              UNDO
>    6500 08:00:00    OPERATOR     set xfactorweight = 1000          u undoes it
     6497 08:00:00    OPERATOR     release user 1209                 u undoes it
     6493 08:00:00    sched        start 1120 (backfilled)
     6492 08:00:00    OPERATOR     hold user 1209                    u undoes it
     6489 08:00:00    ops          hold system 1193                  u undoes it
     6488 08:00:00    ops          hold user 1133                    u undoes it
     6487 07:59:57    sched        end 1232, status 0
     6486 07:59:36    sched        end 1233, status 0
     6484 07:59:29    sched        start 1233 (backfilled)
     6482 07:59:29    eva          submit 1233: 2 processors for 0:~
     6480 07:58:07    sched        start 1232 (backfilled)
     6478 07:58:07    steve        submit 1232: 2 processors for 0:~
     6477 07:58:03    sched        end 1102, status 0
     6475 07:51:52    sched        start 1227 (backfilled)
     6474 07:51:52    sched        end 1229, status 0
     6471 07:51:50    sched        start 1229 (backfilled)
  +984 more
────────────────────────────────────────────────────────────────────────────────
 6500  2026-01-09T08:00:00  OPERATOR: set xfactorweight = 1000
 1000 entries, without plans, queue time and bypass counts (f: all)
 u undo  <Enter> open  f all  / filter  <F3> search  q back      ? help  Q quit
EOS
screen 'u drafts its undoing' undo-draft <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [8 Journal]
      SEQ TIME        WHO          WHAT                              UNDO
>    6500 08:00:00    OPERATOR     set xfactorweight = 1000          u undoes it
     6497 08:00:00    OPERATOR     release user 1209                 u undoes it
     6493 08:00:00    sched        start 1120 (backfilled)
     6492 08:00:00    OPERATOR     hold user 1209                    u undoes it
     6489 08:00:00    ops          hold system 1193                  u undoes it
     6488 08:00:00    ops          hold user 1133                    u undoes it
     6487 07:59:57    sched        end 1232, status 0
     6486 07:59:36    sched        end 1233, status 0
     6484 07:59:29    sched        start 1233 (backfilled)
     6482 07:59:29    eva          submit 1233: 2 processors for 0:~
     6480 07:58:07    sched        start 1232 (backfilled)
     6478 07:58:07    steve        submit 1232: 2 processors for 0:~
     6477 07:58:03    sched        end 1102, status 0
     6475 07:51:52    sched        start 1227 (backfilled)
     6474 07:51:52    sched        end 1229, status 0
     6471 07:51:50    sched        start 1229 (backfilled)
  +984 more
────────────────────────────────────────────────────────────────────────────────
 6500  2026-01-09T08:00:00  OPERATOR: set xfactorweight = 1000
 undo 6500 (xfactorweight = 1000): 32 jobs change order; 17 earlier; 18 later; 1
 <Enter> apply  <Esc> drop  u undo  f all  / filter  q back      ? help  Q quit
EOS
screen 'undone' undone <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [8 Journal]
      SEQ TIME        WHO          WHAT                              UNDO
>    6503 08:00:00    OPERATOR     undo 6500                         u undoes it
     6500 08:00:00    OPERATOR     set xfactorweight = 1000          undone
     6497 08:00:00    OPERATOR     release user 1209                 u undoes it
     6493 08:00:00    sched        start 1120 (backfilled)
     6492 08:00:00    OPERATOR     hold user 1209                    u undoes it
     6489 08:00:00    ops          hold system 1193                  u undoes it
     6488 08:00:00    ops          hold user 1133                    u undoes it
     6487 07:59:57    sched        end 1232, status 0
     6486 07:59:36    sched        end 1233, status 0
     6484 07:59:29    sched        start 1233 (backfilled)
     6482 07:59:29    eva          submit 1233: 2 processors for 0:~
     6480 07:58:07    sched        start 1232 (backfilled)
     6478 07:58:07    steve        submit 1232: 2 processors for 0:~
     6477 07:58:03    sched        end 1102, status 0
     6475 07:51:52    sched        start 1227 (backfilled)
     6474 07:51:52    sched        end 1229, status 0
  +985 more
────────────────────────────────────────────────────────────────────────────────
 6503  2026-01-09T08:00:00  OPERATOR: undo 6500
 Done: undo 6500 (xfactorweight = 1000).
 u undo  <Enter> open  f all  / filter  <F3> search  q back      ? help  Q quit
EOS
screen 'the order is as it was' last <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████ 63/64  98%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1221  b olga       1    4:00:00      -  10:26:43 +2:26h      38%
  1099  b anna       3    6:00:00      -  11:33:45 +3:33h      40%
  988     eva       31   12:00:00      -  14:17:09 +6:17h      47%
  1069  b ines       4   18:00:00      -  21:17:42 +13:17h     26%
  1180  b eva        2   18:00:00      -  22:04:54 +14:04h     21%
  1219  b amina      1   18:00:00      -  Jan10 00:00 +16:00h  11%
  1202  b bob        2 1:00:00:00      -  Jan10 06:39 +22:39h   5%
  1120  b john       4 1:00:00:00      -  Jan10 08:00 +1d00h    0%
  1175  b chen       2 1:12:00:00      -  Jan10 15:17 +1d07h   13%
  1074  b steve      2 2:00:00:00      -  Jan10 23:53 +1d15h   16%
IDLE 37 - by priority ──────────────────────────────────────────────────────────
> 1209  r mei       16    0:10:00   5084  11:33:45 +3:33h     15 procs short
  1179  r amina     32   12:00:00   2386  14:17:09 +6:17h     31 procs short
  1127    eva       32    1:00:00   2343 ~Jan10 02:17 +18:17h 31 procs short
  1096    ravi       8   18:00:00   1790 ~11:43:45 +3:43h     7 procs short
  +38 more
 Job 1209 needs 16 processors and 1 are free: 15 short.

 Total Jobs: 55   Active Jobs: 13   Idle Jobs: 37   Blocked Jobs: 5
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'leaving asks' question <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████ 63/64  98%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1221  b olga       1    4:00:00      -  10:26:43 +2:26h      38%
  1099  b anna       3    6:00:00      -  11:33:45 +3:33h      40%
  988     eva       31   12:00:00      -  14:17:09 +6:17h      47%
  1069  b ines       4   18:00:00      -  21:17:42 +13:17h     26%
  1180  b eva        2   18:00:00      -  22:04:54 +14:04h     21%
  1219  b amina      1   18:00:00      -  Jan10 00:00 +16:00h  11%
  1202  b bob        2 1:00:00:00      -  Jan10 06:39 +22:39h   5%
  1120  b john       4 1:00:00:00      -  Jan10 08:00 +1d00h    0%
  1175  b chen       2 1:12:00:00      -  Jan10 15:17 +1d07h   13%
  1074  b steve      2 2:00:00:00      -  Jan10 23:53 +1d15h   16%
IDLE 37 - by priority ──────────────────────────────────────────────────────────
> 1209  r mei       16    0:10:00   5084  11:33:45 +3:33h     15 procs short
  1179  r amina     32   12:00:00   2386  14:17:09 +6:17h     31 procs short
  1127    eva       32    1:00:00   2343 ~Jan10 02:17 +18:17h 31 procs short
  1096    ravi       8   18:00:00   1790 ~11:43:45 +3:43h     7 procs short
  +38 more
 Job 1209 needs 16 processors and 1 are free: 15 short.

 Leave? The scheduler stops too.  [y] leave (Enter)  [n] stay
 <Enter> give  <Esc> never mind                                  ? help  Q quit
EOS
