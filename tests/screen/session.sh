#!/bin/sh
# SPDX-License-Identifier: MIT
#
# session.sh - a session at 80x24: find the first idle job, see why it waits, hold and
# release it, raise a weight and see the effect on the order and the starts, undo that, and quit

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

play demo --nodes 8 --seed 9 <<'EOS'
size 80x24
dump first
keys w
dump why
keys q H
dump kind
keys s
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
keys A
dump tuned
keys 8
wait-idle
dump journal
keys u
wait-idle
dump undo-draft
keys <Enter>
wait-idle
dump undone
keys 1
dump last
keys Q
dump question
keys y
expect-exit 0
EOS

screen 'the first frame: the queue with the cursor on the first idle job' first <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1180  b eva        2   18:00:00      -  22:03:29 +14:03h     21%
  1219  b amina      1   18:00:00      -  Jan10 00:37 +16:37h   7%
  1105  b bob        6 1:00:00:00      -  Jan10 06:50 +22:50h   4%
  1175  b chen       2 1:12:00:00      -  Jan10 15:42 +1d07h   11%
  1074  b steve      2 2:00:00:00      -  Jan10 19:24 +1d11h   26%
IDLE 26 - by priority ──────────────────────────────────────────────────────────
> 1193  r mei       32    0:10:00   6248  14:42:39 +6:42h     32 procs short
  1209  r mei       16    0:10:00   5074  14:52:39 +6:52h     16 procs short
  1228    mei        4    0:10:00   2491  11:06:25 +3:06h     4 procs short
  1179    amina     32   12:00:00   2393  15:02:39 +7:02h     32 procs short
  1127    eva       32    1:00:00   2377  Jan10 03:02 +19:02h 32 procs short
  1096    ravi       8   18:00:00   1781  Jan10 06:50 +22:50h 8 procs short
  1103    bob       32 1:00:00:00   1683  Jan11 14:50 +2d06h  32 procs short
  1088    nora       5 1:00:00:00   1509  11:16:25 +3:16h     5 procs short
  1169    ravi      32    8:00:00   1397  Jan11 06:50 +1d22h  32 procs short
  +25 more
 Job 1193 needs 32 processors and 0 are free: 32 short.

 Total Jobs: 47   Active Jobs: 13   Idle Jobs: 26   Blocked Jobs: 8
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'w: all checks with their numbers, the first failing one marked' why <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue [2 Job] 3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Job 1193  gmx-prod
  for       mei/biology/protein   class batch   QOS high
  asks      32 procs for 0:10:00 = 19200 PS, 1000 MB per task
  submitted 02:41:49, queued 5:18:11, bypassed 44x
  state     idle, number 1 of 26
  starts     14:42:39 +6:42h   reserved   projection
 Job 1193 does not start now: it needs 32 processors and 0 are free: 32 short.
 Estimated start: Fri Jan  9 14:42:39 (in 6:42:39); job 988 ends then.

 CHECK                    VALUE                     LIMIT               RESULT
  5 priority not negative 6248                      -                   ok
  6 fits the machine      32 procs                  64 in the machine   ok
 10 idle limits           2 + 1 = 3  user mei       MAXIJOB 16          ok
>14 resources now         32 procs                  0 free              FAIL
 16 reservations ahead    no reservation is delayed >= 32               ok
 17 strict order          none ahead                -                   ok
    none: hold, defer, dependency, start date, limits of its class, limits of
    any job, tasks of its array, hard limits, soft limits, fairshare cap,
    reserved for others, pause
                                                                        +13 more

 H hold  R release  p priority  W weights  = numbers  u undo     ? help  Q quit
EOS
screen 'H asks for the kind of hold' kind <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1180  b eva        2   18:00:00      -  22:03:29 +14:03h     21%
  1219  b amina      1   18:00:00      -  Jan10 00:37 +16:37h   7%
  1105  b bob        6 1:00:00:00      -  Jan10 06:50 +22:50h   4%
  1175  b chen       2 1:12:00:00      -  Jan10 15:42 +1d07h   11%
  1074  b steve      2 2:00:00:00      -  Jan10 19:24 +1d11h   26%
IDLE 26 - by priority ──────────────────────────────────────────────────────────
> 1193  r mei       32    0:10:00   6248  14:42:39 +6:42h     32 procs short
  1209  r mei       16    0:10:00   5074  14:52:39 +6:52h     16 procs short
  1228    mei        4    0:10:00   2491  11:06:25 +3:06h     4 procs short
  1179    amina     32   12:00:00   2393  15:02:39 +7:02h     32 procs short
  1127    eva       32    1:00:00   2377  Jan10 03:02 +19:02h 32 procs short
  1096    ravi       8   18:00:00   1781  Jan10 06:50 +22:50h 8 procs short
┌─ Not applied yet ────────────────────────────────────────────────────────────┐
│ hold -u 1193                                                                 │
│ > [u] user hold  [s] system hold  [b] batch hold                             │
│ (projection): order unchanged; 8 earlier; 1 later                            │
│ <Enter> apply   <Esc> dismiss   d add to the draft                           │
└──────────────────────────────────────────────────────────────────────────────┘
 Total Jobs: 47   Active Jobs: 13   Idle Jobs: 26   Blocked Jobs: 8
EOS
screen 's changes it to a system hold' held-draft <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1180  b eva        2   18:00:00      -  22:03:29 +14:03h     21%
  1219  b amina      1   18:00:00      -  Jan10 00:37 +16:37h   7%
  1105  b bob        6 1:00:00:00      -  Jan10 06:50 +22:50h   4%
  1175  b chen       2 1:12:00:00      -  Jan10 15:42 +1d07h   11%
  1074  b steve      2 2:00:00:00      -  Jan10 19:24 +1d11h   26%
IDLE 26 - by priority ──────────────────────────────────────────────────────────
> 1193  r mei       32    0:10:00   6248  14:42:39 +6:42h     32 procs short
  1209  r mei       16    0:10:00   5074  14:52:39 +6:52h     16 procs short
  1228    mei        4    0:10:00   2491  11:06:25 +3:06h     4 procs short
  1179    amina     32   12:00:00   2393  15:02:39 +7:02h     32 procs short
  1127    eva       32    1:00:00   2377  Jan10 03:02 +19:02h 32 procs short
  1096    ravi       8   18:00:00   1781  Jan10 06:50 +22:50h 8 procs short
┌─ Not applied yet ────────────────────────────────────────────────────────────┐
│ hold -s 1193                                                                 │
│ [u] user hold  > [s] system hold  [b] batch hold                             │
│ (projection): order unchanged; 8 earlier; 1 later                            │
│ <Enter> apply   <Esc> dismiss   d add to the draft                           │
└──────────────────────────────────────────────────────────────────────────────┘
 Total Jobs: 47   Active Jobs: 13   Idle Jobs: 26   Blocked Jobs: 8
EOS
screen 'Enter applies it, and the cursor follows the job' held <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1198    eva        8    8:00:00    455  Jan10 11:16 +1d03h  8 procs short
  1211    nora       4 1:00:00:00    406  22:03:29 +14:03h    4 procs short
  1223    eva       32    3:00:00     45  Jan11 15:52 +2d07h  32 procs short
  1225    julia      2    6:00:00     10  11:26:02 +3:26h     2 procs short
  1227    eva        5    2:00:00      1  Jan10 03:10 +19:10h 5 procs short
BLOCKED 3 - by hold ────────────────────────────────────────────────────────────
  1136  H john      16 1:00:00:00   1687 -                    held (user)
> 1193  H mei       32    0:10:00   6248 -                    held (system)
  1201  H rosa       4 1:00:00:00    690 -                    held (system)
BLOCKED 6 - by fairshare cap ───────────────────────────────────────────────────
  247   ! lars       4    6:00:00  11212  21:10:54 +13:10h    cap of user lars
  494   ! lars       4    6:00:00   8273  Jan12 17:12 +3d09h  cap of user lars
  510   ! lars       2 1:12:00:00   7382  Jan16 12:00 +7d04h  cap of user lars
  654   ! lars       4   12:00:00   5670  Jan16 12:00 +7d04h  cap of user lars
  764   ! lars       4   12:00:00   5107  Jan16 12:00 +7d04h  cap of user lars
  1092  ! lars       2   12:00:00   1551  Jan12 17:12 +3d09h  cap of user lars
 Job 1193 is held (system); it can start only after a release.

 Done: hold -s 1193. u undoes it.
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'after the release it is the first idle job again' released <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1069  b ines       4   18:00:00      -  21:10:54 +13:10h     26%
  1180  b eva        2   18:00:00      -  22:03:29 +14:03h     21%
  1219  b amina      1   18:00:00      -  Jan10 00:37 +16:37h   7%
  1105  b bob        6 1:00:00:00      -  Jan10 06:50 +22:50h   4%
  1175  b chen       2 1:12:00:00      -  Jan10 15:42 +1d07h   11%
  1074  b steve      2 2:00:00:00      -  Jan10 19:24 +1d11h   26%
IDLE 26 - by priority ──────────────────────────────────────────────────────────
> 1193  r mei       32    0:10:00   6248  14:42:39 +6:42h     32 procs short
  1209  r mei       16    0:10:00   5074  14:52:39 +6:52h     16 procs short
  1228    mei        4    0:10:00   2491  11:06:25 +3:06h     4 procs short
  1179    amina     32   12:00:00   2393  15:02:39 +7:02h     32 procs short
  1127    eva       32    1:00:00   2377  Jan10 03:02 +19:02h 32 procs short
  1096    ravi       8   18:00:00   1781  Jan10 06:50 +22:50h 8 procs short
  1103    bob       32 1:00:00:00   1683  Jan11 14:50 +2d06h  32 procs short
  1088    nora       5 1:00:00:00   1509  11:16:25 +3:16h     5 procs short
  +26 more
 Job 1193 needs 32 processors and 0 are free: 32 short.

 Done: release 1193. u undoes it.
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'a slider: ranks and starts before and after' slider <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  7 What-if  8 Journal  9 Config
  JOB        RANK       PRIORITY    AFTER START        AFTER        CHANGE
IDLE 26 - in the order of the draft ────────────────────────────────────────────
> 1193     r 1              6248     6970 14:42:39     14:42:39
  1209     r 2              5074     5646 14:52:39     14:52:39
  1127       5 -> 3         2377     2655 Jan10 03:02  Jan10 03:02
  1228       3 -> 4         2491     2602 11:06:25     11:06:25
  1179       4 -> 5         2393     2429 15:02:39     15:02:39
  1096       6              1781     1819 Jan10 06:50  Jan10 06:50
  +28 more
────────────────────────────────────────────────────────────────────────────────
 1193: 6970 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.266 % + proc 1 * 32   ~
 Swaps with 1209 if: xfactor -94..-73 | queuetime -20..-18 | +10 more
WEIGHTS IN USE ────────────────────────────────── VALUE ──── IN FORCE ──────────
  queuetimeweight           [───┃──────────]          2             2 0..10
> xfactorweight             [────────┃─────]        122           100 0..200
  targetqueuetimeweight     [───────┃──────]    0.00001       0.00001 0..0.00002
  fsuserweight              [───────┃──────]         20            20 0..40
  +30 more
 DRAFT 1 edit: set xfactorweight = 122                       A apply  D discard
 (projection): 3 jobs change order; 8 earlier; 5 later; worst: 1103 +1:12:28
 order changes: 3   starts moved: 13 (8 earlier, 5 later)   points   focus: wei~
 W weights  e value  { -10  } +10  0 default  b percent  u undo  ? help  Q quit
EOS
screen 'a typed weight: the order and the starts change' typed <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  7 What-if  8 Journal  9 Config
  JOB        RANK       PRIORITY    AFTER START        AFTER        CHANGE
IDLE 26 - in the order of the draft ────────────────────────────────────────────
> 1193     r 1              6248    35784 14:42:39     14:42:39
  1209     r 2              5074    28489 14:52:39     14:52:39
  1127       5 -> 3         2377    13762 Jan10 03:02  15:02:39     -12:00:00
  1228       3 -> 4         2491     7005 11:06:25     11:06:25
  1179       4 -> 5         2393     3881 15:02:39     16:02:39     +1:00:00
  1141       11 -> 6        1318     3868 Jan11 00:50  Jan10 07:02  -17:47:32
  +28 more
────────────────────────────────────────────────────────────────────────────────
 1193: 35784 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.266 % + proc 1 * 32  ~
 Swaps with 1209 if: xfactor -94..-73 | queuetime -111..-106 | +10 more
WEIGHTS IN USE ────────────────────────────────── VALUE ──── IN FORCE ──────────
  queuetimeweight           [───┃──────────]          2             2 0..10
> xfactorweight             [─────────────┃]       1000           100 0..1000
  targetqueuetimeweight     [───────┃──────]    0.00001       0.00001 0..0.00002
  fsuserweight              [───────┃──────]         20            20 0..40
  +30 more
 DRAFT 1 edit: set xfactorweight = 1000                      A apply  D discard
 (projection): 20 jobs change order; 9 earlier; 14 later; worst: 1096 +23:13:18
 order changes: 20   starts moved: 23 (9 earlier, 14 later)   points   focus: w~
 W weights  e value  { -10  } +10  0 default  b percent  u undo  ? help  Q quit
EOS
screen 'A applies the draft' tuned <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  7 What-if  8 Journal  9 Config
  JOB            PRIORITY     QOS*1   Class*1   QTime*2 XFctr*10~ SHARES
IDLE 26 - by priority ──────────────────────────────────────────────────────────
> 1193       r      35784       500         0       636     34459 xxxxxxxxxxxxxx
  1209       r      28489       500         0       500     27317 xxxxxxxxxxxxxx
  1127              13762         0         0      1398     12650 qqxxxxxxxxxxxx
  1228               7005       500      1000        80      5265 cccxxxxxxxxxxx
  1179               3881       500         0       941      1736 ccqqqxxxxxxttt
  1141               3868         0         0      1320      2834 fqqqqxxxxxxxxx
  1096               3318         0         0      1527      1707 qqqqqqqxxxxxxx
  +27 more
────────────────────────────────────────────────────────────────────────────────
 1193: 35784 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.266 % + proc 1 * 32
 procs + queuetime 2 * 318.18 min + xfactor 1050 * 32.8183 + targetqueuetime   ~
 Swaps with 1209 if: xfactor -94..-73 | queuetime -111..-106 | +10 more
WEIGHTS IN USE ────────────────────────────────── VALUE ──── IN FORCE ──────────
  queuetimeweight           [───┃──────────]          2             2 0..10
> xfactorweight             [───────┃──────]       1000          1000 0..2000
  targetqueuetimeweight     [───────┃──────]    0.00001       0.00001 0..0.00002
  fsuserweight              [───────┃──────]         20            20 0..40
  +30 more
 Done: tune xfactorweight 1000. u undoes it.
 W weights  e value  { -10  } +10  0 default  b percent  u undo  ? help  Q quit
EOS
screen 'the journal has the entry, the newest first' journal <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if [8 Journal] 9 Config
      SEQ TIME        WHO          WHAT                              UNDO
>    6404 08:00:00    OPERATOR     set xfactorweight = 1000          u undoes it
     6400 08:00:00    OPERATOR     release system 1193               u undoes it
     6396 08:00:00    OPERATOR     hold system 1193                  u undoes it
     6395 08:00:00    ops          hold system 1201                  u undoes it
     6394 08:00:00    ops          hold user 1136                    u undoes it
     6392 07:59:29    eva          submit 1233: 2 processors for 0:~
     6390 07:58:07    steve        submit 1232: 2 processors for 0:~
     6388 07:51:35    sched        start 1188 (backfilled)
     6387 07:51:35    sched        end 1202, status 0
     6385 07:51:02    sched        start 1224 (backfilled)
     6384 07:51:02    sched        end 1230, status 0
  +989 more
────────────────────────────────────────────────────────────────────────────────
 6404  2026-01-09T08:00:00  OPERATOR: set xfactorweight = 1000
   immediate: order: 20 jobs moved
   queue: 1193 1209 1228 1179 1127 ... -> 1193 1209 1127 1228 1179 ...
   undo now: xfactorweight: 1000 -> 100
   consequences: press b to replay with and without this entry

 1000 entries, without plans, queue time and bypass counts (f: all)
 u undo  U to here  <Enter> open  [ back  ] forward  b replay    ? help  Q quit
EOS
screen 'u shows the undo in the box' undo-draft <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if [8 Journal] 9 Config
      SEQ TIME        WHO          WHAT                              UNDO
>    6404 08:00:00    OPERATOR     set xfactorweight = 1000          u undoes it
     6400 08:00:00    OPERATOR     release system 1193               u undoes it
     6396 08:00:00    OPERATOR     hold system 1193                  u undoes it
     6395 08:00:00    ops          hold system 1201                  u undoes it
     6394 08:00:00    ops          hold user 1136                    u undoes it
     6392 07:59:29    eva          submit 1233: 2 processors for 0:~
     6390 07:58:07    steve        submit 1232: 2 processors for 0:~
     6388 07:51:35    sched        start 1188 (backfilled)
     6387 07:51:35    sched        end 1202, status 0
     6385 07:51:02    sched        start 1224 (backfilled)
     6384 07:51:02    sched        end 1230, status 0
┌─ Not applied yet ────────────────────────────────────────────────────────────┐
│ undo 6404 (xfactorweight = 1000)                                             │
│ (projection): 20 jobs change order; 14 earlier; 9 later; worst: 1223         │
│ +1:12:00:00                                                                  │
│ will be undone                                                               │
│   6404  xfactorweight: 1000 -> 100                                           │
│ <Enter> apply   <Esc> dismiss   d add to the draft                           │
└──────────────────────────────────────────────────────────────────────────────┘
 1000 entries, without plans, queue time and bypass counts (f: all)
EOS
screen 'the change is undone' undone <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if [8 Journal] 9 Config
      SEQ TIME        WHO          WHAT                              UNDO
>    6405 08:00:00    OPERATOR     undo 6404                         u undoes it
     6404 08:00:00    OPERATOR     set xfactorweight = 1000          undone
     6400 08:00:00    OPERATOR     release system 1193               u undoes it
     6396 08:00:00    OPERATOR     hold system 1193                  u undoes it
     6395 08:00:00    ops          hold system 1201                  u undoes it
     6394 08:00:00    ops          hold user 1136                    u undoes it
     6392 07:59:29    eva          submit 1233: 2 processors for 0:~
     6390 07:58:07    steve        submit 1232: 2 processors for 0:~
     6388 07:51:35    sched        start 1188 (backfilled)
     6387 07:51:35    sched        end 1202, status 0
     6385 07:51:02    sched        start 1224 (backfilled)
  +990 more
────────────────────────────────────────────────────────────────────────────────
 6405  2026-01-09T08:00:00  OPERATOR: undo 6404
   immediate: order: 20 jobs moved
   queue: 1193 1209 1127 1228 1179 ... -> 1193 1209 1228 1179 1127 ...
   undo now: xfactorweight: 100 -> 1000
   consequences: press b to replay with and without this entry

 Done: undo 6404 (xfactorweight = 1000).
 u undo  U to here  <Enter> open  [ back  ] forward  b replay    ? help  Q quit
EOS
screen 'the order is as before' last <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1069  b ines       4   18:00:00      -  21:10:54 +13:10h     26%
  1180  b eva        2   18:00:00      -  22:03:29 +14:03h     21%
  1219  b amina      1   18:00:00      -  Jan10 00:37 +16:37h   7%
  1105  b bob        6 1:00:00:00      -  Jan10 06:50 +22:50h   4%
  1175  b chen       2 1:12:00:00      -  Jan10 15:42 +1d07h   11%
  1074  b steve      2 2:00:00:00      -  Jan10 19:24 +1d11h   26%
IDLE 26 - by priority ──────────────────────────────────────────────────────────
> 1193  r mei       32    0:10:00   6248  14:42:39 +6:42h     32 procs short
  1209  r mei       16    0:10:00   5074  14:52:39 +6:52h     16 procs short
  1228    mei        4    0:10:00   2491  11:06:25 +3:06h     4 procs short
  1179    amina     32   12:00:00   2393  15:02:39 +7:02h     32 procs short
  1127    eva       32    1:00:00   2377  Jan10 03:02 +19:02h 32 procs short
  1096    ravi       8   18:00:00   1781  Jan10 06:50 +22:50h 8 procs short
  1103    bob       32 1:00:00:00   1683  Jan11 14:50 +2d06h  32 procs short
  1088    nora       5 1:00:00:00   1509  11:16:25 +3:16h     5 procs short
  +26 more
 Job 1193 needs 32 processors and 0 are free: 32 short.

 Total Jobs: 47   Active Jobs: 13   Idle Jobs: 26   Blocked Jobs: 8
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'Q asks for confirmation' question <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1069  b ines       4   18:00:00      -  21:10:54 +13:10h     26%
  1180  b eva        2   18:00:00      -  22:03:29 +14:03h     21%
  1219  b amina      1   18:00:00      -  Jan10 00:37 +16:37h   7%
  1105  b bob        6 1:00:00:00      -  Jan10 06:50 +22:50h   4%
  1175  b chen       2 1:12:00:00      -  Jan10 15:42 +1d07h   11%
  1074  b steve      2 2:00:00:00      -  Jan10 19:24 +1d11h   26%
IDLE 26 - by priority ──────────────────────────────────────────────────────────
> 1193  r mei       32    0:10:00   6248  14:42:39 +6:42h     32 procs short
  1209  r mei       16    0:10:00   5074  14:52:39 +6:52h     16 procs short
  1228    mei        4    0:10:00   2491  11:06:25 +3:06h     4 procs short
  1179    amina     32   12:00:00   2393  15:02:39 +7:02h     32 procs short
  1127    eva       32    1:00:00   2377  Jan10 03:02 +19:02h 32 procs short
  1096    ravi       8   18:00:00   1781  Jan10 06:50 +22:50h 8 procs short
  1103    bob       32 1:00:00:00   1683  Jan11 14:50 +2d06h  32 procs short
  1088    nora       5 1:00:00:00   1509  11:16:25 +3:16h     5 procs short
  +26 more
 Job 1193 needs 32 processors and 0 are free: 32 short.

 Quit? The scheduler stops as well.  [y] quit (Enter)  [n] cancel
 <Enter> accept  <Esc> cancel                                    ? help  Q quit
EOS
