#!/bin/sh
# SPDX-License-Identifier: MIT
#
# larger.sh - the session of session.sh at 100x30 and 200x60, which show more of the same

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

session() { # SIZE
	play demo --nodes 8 --seed 9 <<EOS
size $1
dump $1-first
keys w
dump $1-why
keys q H
dump $1-held-draft
keys <Enter>
dump $1-held
keys R <Enter>
dump $1-released
keys W j e <C-u>
type 1000
keys <Enter>
dump $1-typed
keys A
dump $1-tuned
keys 1
dump $1-in-force
keys 3 u
dump $1-undo-draft
keys <Enter> 1
dump $1-last
keys Q y
expect-exit 0
EOS
}

session 100x30
session 200x60

# The first thirty idle jobs as listed, without the columns next to the list.
idle_of() { sed -n '/^IDLE/,/^BLOCKED/p' "$1" | head -n 31 | sed 's,│.*,,'; }
# A job that has started meanwhile stays started; the others are in their former places.
ids_of() { idle_of "$1" | awk 'NR > 1 { print ($1 == ">" ? $2 : $1) }'; }
ids_of 200x60-first >was
ids_of 200x60-last >is
check_equal '200x60: after the undo the order is as before' "$(grep -Fx -f is was)" "$(grep -Fx -f was is)"
check_true '200x60: with the weight it was different' \
	test "$(idle_of 200x60-first)" != "$(idle_of 200x60-in-force)"

screen '100x30: the queue' 100x30-first <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████████████████████████████████████████████████████████████████ 64/64 100%]
 Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB        USER       CLASS  PROC    WCLIMIT   PRIO QUEUED EST.START            WHY NOT NOW
  1180     b eva        batch     2   18:00:00      -  3:49h  22:03:29 +14:03h     21%
  1219     b amina      batch     1   18:00:00      -    37m  Jan10 00:37 +16:37h   7%
  1105     b bob        batch     6 1:00:00:00      - 11:16h  Jan10 06:50 +22:50h   4%
  1175     b chen       long      2 1:12:00:00      -  4:00h  Jan10 15:42 +1d07h   11%
  1074     b steve      long      2 2:00:00:00      -  1:00h  Jan10 19:24 +1d11h   26%
IDLE 26 - by priority ──────────────────────────────────────────────────────────────────────────────
> 1193     r mei        batch    32    0:10:00   6248  5:18h  14:42:39 +6:42h     32 procs short
  1209     r mei        batch    16    0:10:00   5074  4:10h  14:52:39 +6:52h     16 procs short
  1228       mei        debug     4    0:10:00   2491    40m  11:06:25 +3:06h     4 procs short
  1179       amina      batch    32   12:00:00   2393  7:50h  15:02:39 +7:02h     32 procs short
  1127       eva        batch    32    1:00:00   2377 11:39h  Jan10 03:02 +19:02h 32 procs short
  1096       ravi       batch     8   18:00:00   1781 12:43h  Jan10 06:50 +22:50h 8 procs short
  1103       bob        batch    32 1:00:00:00   1683 12:29h  Jan11 14:50 +2d06h  32 procs short
  1088       nora       batch     5 1:00:00:00   1509 12:55h  11:16:25 +3:16h     5 procs short
  1169       ravi       batch    32    8:00:00   1397  8:58h  Jan11 06:50 +1d22h  32 procs short
  1133       paul       batch    16 1:00:00:00   1378 11:10h  Jan11 19:02 +2d11h  16 procs short
  1141       eva        batch    32    6:00:00   1318 11:00h  Jan11 00:50 +1d16h  32 procs short
  1152       paul       batch     4 1:00:00:00   1278 10:27h  15:36:53 +7:36h     4 procs short
  1185       john       batch    16 1:00:00:00   1254  7:37h  Jan12 07:02 +2d23h  16 procs short
  +21 more
 Job 1193 needs 32 processors and 0 are free: 32 short.

 Total Jobs: 47   Active Jobs: 13   Idle Jobs: 26   Blocked Jobs: 8

 <Enter> open  w why  H hold  R release  W weights  u undo  o output  x cancel       ? help  Q quit
EOS
screen '100x30: why the first job waits' 100x30-why <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue [2 Job] 3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Job 1193  gmx-prod
  for       mei/biology/protein   class batch   QOS high
  asks      32 procs for 0:10:00 = 19200 PS, 1000 MB per task
  submitted 02:41:49, queued 5:18:11, bypassed 44x
  state     idle, number 1 of 26
  starts     14:42:39 +6:42h   reserved   projection
            past estimates (21 starts): half were within 1:55h, 4 of 5 within 1d03h
 Job 1193 does not start now: it needs 32 processors and 0 are free: 32 short.
 Estimated start: Fri Jan  9 14:42:39 (in 6:42:39); job 988 ends then.

 CHECK                    VALUE                                         LIMIT               RESULT
  5 priority not negative 6248                                          -                   ok
  6 fits the machine      32 procs                                      64 in the machine   ok
 10 idle limits           2 + 1 = 3  user mei                           MAXIJOB 16          ok
>14 resources now         32 procs                                      0 free              FAIL
 16 reservations ahead    no reservation is delayed                     >= 32               ok
 17 strict order          none ahead                                    -                   ok
    none: hold, defer, dependency, start date, limits of its class, limits of any job, tasks of its
    array, hard limits, soft limits, fairshare cap, reserved for others, pause

 WHAT WOULD START IT     full projection, jobs run to their limits
 No single change starts the job now; changes that start it soonest, at 10:37:15 (simulated only):
   cancel 988                             10:37:15
     4 jobs delayed, 1211 by 2:13:07:25; 164.0 CPU-hours lost; admin level 2
                                                                                             +6 more


 H hold  R release  p priority  W weights  = numbers  u undo  q back                 ? help  Q quit
EOS
screen '100x30: a hold and its effect' 100x30-held-draft <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████████████████████████████████████████████████████████████████ 64/64 100%]
 Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB        USER       CLASS  PROC    WCLIMIT   PRIO QUEUED EST.START            WHY NOT NOW
  1180     b eva        batch     2   18:00:00      -  3:49h  22:03:29 +14:03h     21%
  1219     b amina      batch     1   18:00:00      -    37m  Jan10 00:37 +16:37h   7%
  1105     b bob        batch     6 1:00:00:00      - 11:16h  Jan10 06:50 +22:50h   4%
  1175     b chen       long      2 1:12:00:00      -  4:00h  Jan10 15:42 +1d07h   11%
  1074     b steve      long      2 2:00:00:00      -  1:00h  Jan10 19:24 +1d11h   26%
IDLE 26 - by priority ──────────────────────────────────────────────────────────────────────────────
> 1193     r mei        batch    32    0:10:00   6248  5:18h  14:42:39 +6:42h     32 procs short
  1209     r mei        batch    16    0:10:00   5074  4:10h  14:52:39 +6:52h     16 procs short
  1228       mei        debug     4    0:10:00   2491    40m  11:06:25 +3:06h     4 procs short
  1179       amina      batch    32   12:00:00   2393  7:50h  15:02:39 +7:02h     32 procs short
  1127       eva        batch    32    1:00:00   2377 11:39h  Jan10 03:02 +19:02h 32 procs short
  1096       ravi       batch     8   18:00:00   1781 12:43h  Jan10 06:50 +22:50h 8 procs short
  1103       bob        batch    32 1:00:00:00   1683 12:29h  Jan11 14:50 +2d06h  32 procs short
  1088       nora       batch     5 1:00:00:00   1509 12:55h  11:16:25 +3:16h     5 procs short
  1169       ravi       batch    32    8:00:00   1397  8:58h  Jan11 06:50 +1d22h  32 procs short
  1133       paul       batch    16 1:00:00:00   1378 11:10h  Jan11 19:02 +2d11h  16 procs short
┌─ Not applied yet ────────────────────────────────────────────────────────────────────────────────┐
│ hold -u 1193                                                                                     │
│ > [u] user hold  [s] system hold  [b] batch hold                                                 │
│ (projection): order unchanged; 8 earlier; 1 later                                                │
│ <Enter> apply   <Esc> dismiss   d add to the draft                                               │
└──────────────────────────────────────────────────────────────────────────────────────────────────┘
 Total Jobs: 47   Active Jobs: 13   Idle Jobs: 26   Blocked Jobs: 8
EOS
screen '100x30: the held job is blocked' 100x30-held <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████████████████████████████████████████████████████████████████ 64/64 100%]
 Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB        USER       CLASS  PROC    WCLIMIT   PRIO QUEUED EST.START            WHY NOT NOW
  1229       eva        debug     4    0:30:00    874    16m  15:06:53 +7:06h     4 procs short
  1233       eva        debug     2    0:30:00    786    31s  10:56:02 +2:56h     2 procs short
  1196       bob        batch     4 1:00:00:00    741  5:08h  17:26:02 +9:26h     4 procs short
  1199       tom        batch     8 1:00:00:00    688  4:56h  Jan12 14:50 +3d06h  8 procs short
  1198       eva        batch     8    8:00:00    455  5:01h  Jan10 11:16 +1d03h  8 procs short
  1211       nora       batch     4 1:00:00:00    406  4:02h  22:03:29 +14:03h    4 procs short
  1223       eva        batch    32    3:00:00     45  1:30h  Jan11 15:52 +2d07h  32 procs short
  1225       julia      batch     2    6:00:00     10  1:01h  11:26:02 +3:26h     2 procs short
  1227       eva        batch     5    2:00:00      1    54m  Jan10 03:10 +19:10h 5 procs short
BLOCKED 3 - by hold ────────────────────────────────────────────────────────────────────────────────
  1136     H john       batch    16 1:00:00:00   1687 11:06h -                    held (user)
> 1193     H mei        batch    32    0:10:00   6248  5:18h -                    held (user)
  1201     H rosa       batch     4 1:00:00:00    690  4:43h -                    held (system)
BLOCKED 6 - by fairshare cap ───────────────────────────────────────────────────────────────────────
  247      ! lars       batch     4    6:00:00  11212  3d10h  21:10:54 +13:10h    cap of user lars
  494      ! lars       batch     4    6:00:00   8273  2d13h  Jan12 17:12 +3d09h  cap of user lars
  510      ! lars       long      2 1:12:00:00   7382  2d12h  Jan16 12:00 +7d04h  cap of user lars
  654      ! lars       batch     4   12:00:00   5670  1d20h  Jan16 12:00 +7d04h  cap of user lars
  764      ! lars       batch     4   12:00:00   5107  1d16h  Jan16 12:00 +7d04h  cap of user lars
  1092     ! lars       batch     2   12:00:00   1551 12:51h  Jan12 17:12 +3d09h  cap of user lars
 Job 1193 is held (user); it can start only after a release.

 Total Jobs: 47   Active Jobs: 13   Idle Jobs: 25   Blocked Jobs: 9
 Done: hold -u 1193. u undoes it.
 <Enter> open  w why  H hold  R release  W weights  u undo  o output  x cancel       ? help  Q quit
EOS
screen '100x30: a weight, and the order and starts with it' 100x30-typed <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  7 What-if  8 Journal  9 Config
  JOB          USER       RANK           PRIORITY      AFTER START        AFTER        CHANGE
IDLE 26 - in the order of the draft ────────────────────────────────────────────────────────────────
> 1193       r mei        1                  6248      35784 14:42:39     14:42:39
  1209       r mei        2                  5074      28489 14:52:39     14:52:39
  1127         eva        5 -> 3             2377      13762 Jan10 03:02  15:02:39     -12:00:00
  1228         mei        3 -> 4             2491       7005 11:06:25     11:06:25
  1179         amina      4 -> 5             2393       3881 15:02:39     16:02:39     +1:00:00
  1141         eva        11 -> 6            1318       3868 Jan11 00:50  Jan10 07:02  -17:47:32
  1096         ravi       6 -> 7             1781       3318 Jan10 06:50  Jan11 06:03  +23:13:18
  +27 more
────────────────────────────────────────────────────────────────────────────────────────────────────
 1193: 35784 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.266 % + proc 1 * 32 procs + queuetime 2 *
 318.18 min + xfactor 1050 * 32.8183 + targetqueuetime 0.00001 * 200934.98
 Swaps with 1209 if: xfactor -94..-73 | queuetime -111..-106 | proc < -454 | +9 more
 This job is already first.
 In 1 h: 35784 -> 42223 (queuetime +120, xfactor +6300, targetqueuetime +18); already first
WEIGHTS IN USE ───────────────────────────────── VALUE ──── IN FORCE ───────────────────────────────
  queuetimeweight          [───┃──────────]          2             2 0..10      Weight of the effec~
> xfactorweight            [─────────────┃]       1000           100 0..1000    Weight of the expan~
  targetqueuetimeweight    [───────┃──────]    0.00001       0.00001 0..0.00002 Weight of how close~
  fsuserweight             [───────┃──────]         20            20 0..40      Weight of how far t~
  fsgroupweight            [───────┃──────]          5             5 0..10      Weight of how far t~
  +29 more
 order changes: 20   starts moved: 23 (9 earlier, 14 later)   points   focus: weights (<Tab>)
 DRAFT 1 edit: set xfactorweight = 1000                                          A apply  D discard
 (projection): 20 jobs change order; 9 earlier; 14 later; worst: 1096 +23:13:18

 W weights  e value  { -10  } +10  0 default  b percent  = numbers  u undo  q back   ? help  Q quit
EOS
screen '100x30: the weight is in force' 100x30-tuned <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  7 What-if  8 Journal  9 Config
  JOB            PRIORITY    User*1     QOS*1   Class*1 FSUser*20   QTime*2 XFctr*10~ SHARES
IDLE 26 - by priority ──────────────────────────────────────────────────────────────────────────────
> 1193       r      35784       150       500         0         5       636     34459 xxxxxxxxxxxxxx
  1209       r      28489       150       500         0         5       500     27317 xxxxxxxxxxxxxx
  1127              13762      -100         0         0      -185      1398     12650 qqxxxxxxxxxxxx
  1228               7005       150       500      1000         5        80      5265 cccxxxxxxxxxxx
  1179               3881         0       500         0         0       941      1736 ccqqqxxxxxxttt
  1141               3868      -100         0         0      -185      1320      2834 fqqqqxxxxxxxxx
  1096               3318         0         0         0         0      1527      1707 qqqqqqqxxxxxxx
  1169               3308         0         0         0         0      1077      2122 qqqqqxxxxxxxxx
  +26 more
────────────────────────────────────────────────────────────────────────────────────────────────────
 1193: 35784 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.266 % + proc 1 * 32 procs + queuetime 2 *
 318.18 min + xfactor 1050 * 32.8183 + targetqueuetime 0.00001 * 200934.98
 Swaps with 1209 if: xfactor -94..-73 | queuetime -111..-106 | proc < -454 | +9 more
 This job is already first.
 In 1 h: 35784 -> 42223 (queuetime +120, xfactor +6300, targetqueuetime +18); already first
WEIGHTS IN USE ───────────────────────────────── VALUE ──── IN FORCE ───────────────────────────────
  queuetimeweight          [───┃──────────]          2             2 0..10      Weight of the effec~
> xfactorweight            [───────┃──────]       1000          1000 0..2000    Weight of the expan~
  targetqueuetimeweight    [───────┃──────]    0.00001       0.00001 0..0.00002 Weight of how close~
  fsuserweight             [───────┃──────]         20            20 0..40      Weight of how far t~
  fsgroupweight            [───────┃──────]          5             5 0..10      Weight of how far t~
  userweight               [─┃────────────]          1             1 0..10      Weight of the prior~
  +28 more
 points   focus: weights (<Tab>)   hidden columns: FSGrp*5 Proc*1 TgtQT*0.00001
 Done: tune xfactorweight 1000. u undoes it.
 W weights  e value  { -10  } +10  0 default  b percent  = numbers  u undo  q back   ? help  Q quit
EOS
screen '100x30: its undo' 100x30-undo-draft <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  7 What-if  8 Journal  9 Config
  JOB          USER       RANK           PRIORITY      AFTER START        AFTER        CHANGE
IDLE 26 - in the order of the draft ────────────────────────────────────────────────────────────────
> 1193       r mei        1                 35784       6248 14:42:39     14:42:39
  1209       r mei        2                 28489       5074 14:52:39     14:52:39
  1228         mei        4 -> 3             7005       2491 11:06:25     11:06:25
  1179         amina      5 -> 4             3881       2393 16:02:39     15:02:39     -1:00:00
  1127         eva        3 -> 5            13762       2377 15:02:39     Jan10 03:02  +12:00:00
  1096         ravi       7 -> 6             3318       1781 Jan11 06:03  Jan10 06:50  -23:13:18
  1103         bob        9 -> 7             3051       1683 Jan12 00:03  Jan11 14:50  -9:13:18
  1088         nora       10 -> 8            2894       1509 11:46:25     11:16:25     -0:30:00
  +26 more
────────────────────────────────────────────────────────────────────────────────────────────────────
 1193: 6248 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.266 % + proc 1 * 32 procs + queuetime 2 *
 318.18 min + xfactor 150 * 32.818 + targetqueuetime 0.00001 * 200934.98
 Swaps with 1209 if: xfactor -94..-73 | queuetime -18..-16 | proc < -72 | +9 more
 This job is already first.
 In 1 h: 6248 -> 7286 (queuetime +120, xfactor +900, targetqueuetime +18); already first
WEIGHTS IN USE ───────────────────────────────── VALUE ──── IN FORCE ───────────────────────────────
┌─ Not applied yet ────────────────────────────────────────────────────────────────────────────────┐
│ undo 6404 (xfactorweight = 1000)                                                                 │
│ (projection): 20 jobs change order; 14 earlier; 9 later; worst: 1223 +1:12:00:00                 │
│ will be undone                                                                                   │
│   6404  xfactorweight: 1000 -> 100                                                               │
│ <Enter> apply   <Esc> dismiss   d add to the draft                                               │
└──────────────────────────────────────────────────────────────────────────────────────────────────┘
 order changes: 20   starts moved: 23 (14 earlier, 9 later)   points   focus: jobs (<Tab>)
EOS
screen '100x30: the order is as before' 100x30-last <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████████████████████████████████████████████████████████████████ 64/64 100%]
 Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB        USER       CLASS  PROC    WCLIMIT   PRIO QUEUED EST.START            WHY NOT NOW
  1188     b eva        batch     3    6:00:00      -  5:25h  13:51:35 +5:51h       2%
  988        eva        batch    31   12:00:00      - 13:10h  14:42:39 +6:42h      44%
  1057     b leila      batch     4   12:00:00      -  9:37h  15:06:53 +7:06h      40%
  1216     b ines       batch     2   12:00:00      -  1:43h  18:41:00 +10:41h     10%
  1069     b ines       batch     4   18:00:00      -  9:03h  21:10:54 +13:10h     26%
  1180     b eva        batch     2   18:00:00      -  3:49h  22:03:29 +14:03h     21%
  1219     b amina      batch     1   18:00:00      -    37m  Jan10 00:37 +16:37h   7%
  1105     b bob        batch     6 1:00:00:00      - 11:16h  Jan10 06:50 +22:50h   4%
  1175     b chen       long      2 1:12:00:00      -  4:00h  Jan10 15:42 +1d07h   11%
  1074     b steve      long      2 2:00:00:00      -  1:00h  Jan10 19:24 +1d11h   26%
IDLE 26 - by priority ──────────────────────────────────────────────────────────────────────────────
> 1193     r mei        batch    32    0:10:00   6248  5:18h  14:42:39 +6:42h     32 procs short
  1209     r mei        batch    16    0:10:00   5074  4:10h  14:52:39 +6:52h     16 procs short
  1228       mei        debug     4    0:10:00   2491    40m  11:06:25 +3:06h     4 procs short
  1179       amina      batch    32   12:00:00   2393  7:50h  15:02:39 +7:02h     32 procs short
  1127       eva        batch    32    1:00:00   2377 11:39h  Jan10 03:02 +19:02h 32 procs short
  1096       ravi       batch     8   18:00:00   1781 12:43h  Jan10 06:50 +22:50h 8 procs short
  1103       bob        batch    32 1:00:00:00   1683 12:29h  Jan11 14:50 +2d06h  32 procs short
  1088       nora       batch     5 1:00:00:00   1509 12:55h  11:16:25 +3:16h     5 procs short
  +26 more
 Job 1193 needs 32 processors and 0 are free: 32 short.

 Total Jobs: 47   Active Jobs: 13   Idle Jobs: 26   Blocked Jobs: 8

 <Enter> open  w why  H hold  R release  W weights  u undo  o output  x cancel       ? help  Q quit
EOS
screen '200x60: the queue, and the job next to it' 200x60-first <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████████████████████████████████████████████████████████████████ 64/64 100%] Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB        USER       ACCOUNT  QOS    CLASS     PROC    WCLIMIT      PRIO     XF  QUEUED EST.START            WHY NOT NOW       │ Job 1193  gmx-prod
ACTIVE 13 - by completion ──────────────────────────────────────────────────────────────── ENDS BY ──────────── USED ─────────────│  for       mei/biology/protein   class batch   QOS high
  1221     b olga       weather  high   batch        1    4:00:00         -      -     28m  10:37:15 +2:37h      34%              │  asks      32 procs for 0:10:00 = 19200 PS, 1000 MB per task
  1224     b amina      plasma   high   batch        2    3:00:00         -      -     54m  10:51:02 +2:51h       4%              │  submitted 02:41:49, queued 5:18:11, bypassed 44x
  1139       amina      plasma   high   batch        4    8:00:00         -      -   6:08h  11:06:25 +3:06h      61%              │  state     idle, number 1 of 26
  1188     b eva        lattice  normal batch        3    6:00:00         -      -   5:25h  13:51:35 +5:51h       2%              │  starts     14:42:39 +6:42h   reserved   projection
  988        eva        lattice  normal batch       31   12:00:00         -      -  13:10h  14:42:39 +6:42h      44%              │ Job 1193 does not start now: it needs 32 processors and 0 are free:
  1057     b leila      ocean    normal batch        4   12:00:00         -      -   9:37h  15:06:53 +7:06h      40%              │ 32 short.
  1216     b ines       genomes  normal batch        2   12:00:00         -      -   1:43h  18:41:00 +10:41h     10%              │ Estimated start: Fri Jan  9 14:42:39 (in 6:42:39).
  1069     b ines       genomes  normal batch        4   18:00:00         -      -   9:03h  21:10:54 +13:10h     26%              │
  1180     b eva        lattice  normal batch        2   18:00:00         -      -   3:49h  22:03:29 +14:03h     21%              │ CHECK                    VALUE          LIMIT               RESULT
  1219     b amina      plasma   high   batch        1   18:00:00         -      -     37m  Jan10 00:37 +16:37h   7%              │  5 priority not negative 6248           -                   ok
  1105     b bob        catalys~ normal batch        6 1:00:00:00         -      -  11:16h  Jan10 06:50 +22:50h   4%              │  6 fits the machine      32 procs       64 in the machine   ok
  1175     b chen       catalys~ normal long         2 1:12:00:00         -      -   4:00h  Jan10 15:42 +1d07h   11%              │ 10 idle limits           2 + 1 = 3      MAXIJOB 16          ok
  1074     b steve      ocean    normal long         2 2:00:00:00         -      -   1:00h  Jan10 19:24 +1d11h   26%              │>14 resources now         32 procs       0 free              FAIL
IDLE 26 - by priority ────────────────────────────────────────────────────────────────────────────────────────────────────────────│ 16 reservations ahead    no reservation is delayed >= 32    ok
> 1193     r mei        protein  high   batch       32    0:10:00      6248  32.82   5:18h  14:42:39 +6:42h     32 procs short    │ 17 strict order          none ahead     -                   ok
  1209     r mei        protein  high   batch       16    0:10:00      5074  26.02   4:10h  14:52:39 +6:52h     16 procs short    │    none: hold, defer, dependency, start date, limits of its class,
  1228       mei        protein  high   debug        4    0:10:00      2491   5.01     40m  11:06:25 +3:06h     4 procs short     │    limits of any job, tasks of its array, hard limits, soft limits,
  1179       amina      plasma   high   batch       32   12:00:00      2393   1.65   7:50h  15:02:39 +7:02h     32 procs short    │    fairshare cap, reserved for others, pause
  1127       eva        lattice  normal batch       32    1:00:00      2377  12.65  11:39h  Jan10 03:02 +19:02h 32 procs short    │
  1096       ravi       turbine  normal batch        8   18:00:00      1781   1.71  12:43h  Jan10 06:50 +22:50h 8 procs short     │ PRIORITY
  1103       bob        catalys~ normal batch       32 1:00:00:00      1683   1.52  12:29h  Jan11 14:50 +2d06h  32 procs short    │ 6248 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.266 % + proc 1 *
  1088       nora       genomes  low    batch        5 1:00:00:00      1509   1.54  12:55h  11:16:25 +3:16h     5 procs short     │ 32 procs + queuetime 2 * 318.18 min + xfactor 150 * 32.818 +
  1169       ravi       turbine  normal batch       32    8:00:00      1397   2.12   8:58h  Jan11 06:50 +1d22h  32 procs short    │ targetqueuetime 0.00001 * 200934.98
  1133       paul       acousti~ low    batch       16 1:00:00:00      1378   1.47  11:10h  Jan11 19:02 +2d11h  16 procs short    │
  1141       eva        lattice  normal batch       32    6:00:00      1318   2.83  11:00h  Jan11 00:50 +1d16h  32 procs short    │
  1152       paul       acousti~ low    batch        4 1:00:00:00      1278   1.44  10:27h  15:36:53 +7:36h     4 procs short     │
  1185       john       turbine  normal batch       16 1:00:00:00      1254   1.32   7:37h  Jan12 07:02 +2d23h  16 procs short    │
  1205       amina      plasma   high   long        32 1:12:00:00      1199   1.12   4:25h  Jan10 04:02 +20:02h 32 procs short    │
  1149       eva        lattice  normal batch       16   12:00:00      1167   1.89  10:40h  Jan11 19:02 +2d11h  16 procs short    │
  1232       steve      ocean    normal debug        2    0:05:00      1143   1.38      1m  10:51:02 +2:51h     2 procs short     │
  1197       john       turbine  normal batch        8 1:00:00:00       925   1.21   5:02h  Jan12 14:50 +3d06h  8 procs short     │
  1229       eva        lattice  normal debug        4    0:30:00       874   1.56     16m  15:06:53 +7:06h     4 procs short     │
  1233       eva        lattice  normal debug        2    0:30:00       786   1.02     31s  10:56:02 +2:56h     2 procs short     │
  1196       bob        catalys~ normal batch        4 1:00:00:00       741   1.21   5:08h  17:26:02 +9:26h     4 procs short     │
  1199       tom        plasma   normal batch        8 1:00:00:00       688   1.21   4:56h  Jan12 14:50 +3d06h  8 procs short     │
  1198       eva        lattice  normal batch        8    8:00:00       455   1.63   5:01h  Jan10 11:16 +1d03h  8 procs short     │
  1211       nora       genomes  low    batch        4 1:00:00:00       406   1.17   4:02h  22:03:29 +14:03h    4 procs short     │
  1223       eva        lattice  normal batch       32    3:00:00        45   1.50   1:30h  Jan11 16:02 +2d08h  32 procs short    │
  1225       julia      plasma   low    batch        2    6:00:00        10   1.17   1:01h  11:26:02 +3:26h     2 procs short     │
  1227       eva        lattice  normal batch        5    2:00:00         1   1.45     54m  Jan10 03:10 +19:10h 5 procs short     │
BLOCKED 2 - by hold ──────────────────────────────────────────────────────────────────────────────────────────────────────────────│
  1136     H john       turbine  normal batch       16 1:00:00:00      1687   1.46  11:06h -                    held (user)       │
  1201     H rosa       protein  normal batch        4 1:00:00:00       690   1.20   4:43h -                    held (system)     │
BLOCKED 6 - by fairshare cap ─────────────────────────────────────────────────────────────────────────────────────────────────────│
  247      ! lars       catalys~ low    batch        4    6:00:00     11212  14.79   3d10h  21:10:54 +13:10h    cap of user lars  │
  494      ! lars       catalys~ low    batch        4    6:00:00      8273  11.21   2d13h  Jan12 17:12 +3d09h  cap of user lars  │
  510      ! lars       catalys~ low    long         2 1:12:00:00      7382   2.69   2d12h  Jan16 12:00 +7d04h  cap of user lars  │
  654      ! lars       catalys~ low    batch        4   12:00:00      5670   4.74   1d20h  Jan16 12:00 +7d04h  cap of user lars  │
  764      ! lars       catalys~ low    batch        4   12:00:00      5107   4.38   1d16h  Jan16 12:00 +7d04h  cap of user lars  │
  1092     ! lars       catalys~ low    batch        2   12:00:00      1551   2.07  12:51h  Jan12 17:12 +3d09h  cap of user lars  │
                                                                                                                                  │
                                                                                                                                  │
 Total Jobs: 47   Active Jobs: 13   Idle Jobs: 26   Blocked Jobs: 8

 <Enter> open  w why  H hold  R release  W weights  u undo  o output  x cancel  a submit  = numbers  : command  <Space> mark  / filter  s sort  Z freeze  < slower  > faster             ? help  Q quit
EOS
screen '200x60: why the first job waits, and how accurate its estimated start is' 200x60-why <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue [2 Job] 3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Job 1193  gmx-prod
  for       mei/biology/protein   class batch   QOS high
  asks      32 procs for 0:10:00 = 19200 PS, 1000 MB per task
  submitted 02:41:49, queued 5:18:11, bypassed 44x
  state     idle, number 1 of 26
  starts     14:42:39 +6:42h   reserved   projection
            past estimates (21 starts): half were within 1:55h, 4 of 5 within 1d03h
 Job 1193 does not start now: it needs 32 processors and 0 are free: 32 short.
 Estimated start: Fri Jan  9 14:42:39 (in 6:42:39); job 988 ends then.

 CHECK                    VALUE                                         LIMIT               RESULT
  5 priority not negative 6248                                          -                   ok
  6 fits the machine      32 procs                                      64 in the machine   ok
 10 idle limits           2 + 1 = 3  user mei                           MAXIJOB 16          ok
>14 resources now         32 procs                                      0 free              FAIL
 16 reservations ahead    no reservation is delayed                     >= 32               ok
 17 strict order          none ahead                                    -                   ok
    none: hold, defer, dependency, start date, limits of its class, limits of any job, tasks of its array, hard limits, soft limits, fairshare cap, reserved for others, pause

 WHAT WOULD START IT     full projection, jobs run to their limits
 No single change starts the job now; changes that start it soonest, at 10:37:15 (simulated only):
   cancel 988                             10:37:15  4 jobs delayed, 1211 by 2:13:07:25; 164.0 CPU-hours lost; admin level 2

 PRIORITY
 6248 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.266 % + proc 1 * 32 procs + queuetime 2 * 318.18 min + xfactor 150 * 32.818 + targetqueuetime 0.00001 * 200934.98

 HISTORY
 02:41:49     submit 1193: 32 processors for 0:10:00, user mei  (mei, entry 6147)





























 H hold  R release  p priority  W weights  = numbers  u undo  q back                                                                                                                     ? help  Q quit
EOS

screen '200x60: a weight, and the order and starts with it' 200x60-typed <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  7 What-if  8 Journal  9 Config
  JOB          USER       RANK           PRIORITY      AFTER START        AFTER        CHANGE
IDLE 26 - in the order of the draft ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
> 1193       r mei        1                  6248      35784 14:42:39     14:42:39
  1209       r mei        2                  5074      28489 14:52:39     14:52:39
  1127         eva        5 -> 3             2377      13762 Jan10 03:02  15:02:39     -12:00:00
  1228         mei        3 -> 4             2491       7005 11:06:25     11:06:25
  1179         amina      4 -> 5             2393       3881 15:02:39     16:02:39     +1:00:00
  1141         eva        11 -> 6            1318       3868 Jan11 00:50  Jan10 07:02  -17:47:32
  1096         ravi       6 -> 7             1781       3318 Jan10 06:50  Jan11 06:03  +23:13:18
  1169         ravi       9 -> 8             1397       3308 Jan11 06:50  Jan10 22:03  -8:46:42
  1103         bob        7 -> 9             1683       3051 Jan11 14:50  Jan12 00:03  +9:13:18
  1088         nora       8 -> 10            1509       2894 11:16:25     11:46:25     +0:30:00
  1149         eva        15 -> 11           1167       2867 Jan11 19:02  Jan11 06:03  -12:59:10
  1133         paul       10 -> 12           1378       2697 Jan11 19:02  Jan12 01:02  +6:00:00
  1152         paul       12 -> 13           1278       2570 15:36:53     17:06:53     +1:30:00
  1185         john       13 -> 14           1254       2440 Jan12 07:02  Jan12 01:02  -6:00:00
  1232         steve      16 -> 15           1143       2382 10:51:02     10:51:02
  1229         eva        18 -> 16            874       2275 15:06:53     11:16:25     -3:50:28
  1205         amina      14 -> 17           1199       2210 Jan10 04:02  Jan10 13:02  +9:00:00
  1197         john       17 -> 18            925       2013 Jan12 14:50  Jan13 00:03  +9:13:18
  1198         eva        22 -> 19            455       1919 Jan10 11:16  Jan10 06:50  -4:26:14
  1196         bob        20                  741       1834 17:26:02     17:26:02
  1199         tom        21                  688       1774 Jan12 14:50  Jan13 00:03  +9:13:18
  1233         eva        19 -> 22            786       1702 10:56:02     10:56:02
  1211         nora       23                  406       1458 22:03:29     22:03:29
  1223         eva        24                   45       1397 Jan11 16:02  Jan10 04:02  -1:12:00:00
  1227         eva        26 -> 25              1       1248 Jan10 03:10  15:06:53     -12:04:01
  1225         julia      25 -> 26             10       1065 11:26:02     11:26:02
BLOCKED 8 - not ranked ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  +8 more
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
 1193: 35784 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.266 % + proc 1 * 32 procs + queuetime 2 * 318.18 min + xfactor 1050 * 32.8183 + targetqueuetime 0.00001 * 200934.98

 Swaps with 1209 if: xfactor -94..-73 | queuetime -111..-106 | proc < -454 | targetqueuetime < 0 | never by user qos class fsuser fsgroup cred fs service
 This job is already first.
 In 1 h: 35784 -> 42223 (queuetime +120, xfactor +6300, targetqueuetime +18); already first
WEIGHTS IN USE ──────────────────────────────────────────────────────────── VALUE ───── IN FORCE ───────────────────────────────────────────────────────────────────────────────────────────────────────
  queuetimeweight             [───────┃──────────────────────────────]          2              2 0..10                Weight of the effective queue time.
> xfactorweight               [─────────────────────────────────────┃]       1000            100 0..1000              Weight of the expansion factor, 1 + queue time / wallclock limit.
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
  resweight                   [────┃─────────────────────────────────]          1              1 0..10                Weight of the requested resources.
NODES ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  +20 more
 order changes: 20   starts moved: 23 (9 earlier, 14 later)   points   focus: weights (<Tab>)
 DRAFT 1 edit: set xfactorweight = 1000                                                                                                                                              A apply  D discard
 (projection): 20 jobs change order; 9 earlier; 14 later; worst: 1096 +23:13:18

 W weights  e value  { -10  } +10  0 default  b percent  = numbers  u undo  q back                                                                                                       ? help  Q quit
EOS
screen '200x60: its undo' 200x60-undo-draft <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  7 What-if  8 Journal  9 Config
  JOB          USER       RANK           PRIORITY      AFTER START        AFTER        CHANGE
IDLE 26 - in the order of the draft ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
> 1193       r mei        1                 35784       6248 14:42:39     14:42:39
  1209       r mei        2                 28489       5074 14:52:39     14:52:39
  1228         mei        4 -> 3             7005       2491 11:06:25     11:06:25
  1179         amina      5 -> 4             3881       2393 16:02:39     15:02:39     -1:00:00
  1127         eva        3 -> 5            13762       2377 15:02:39     Jan10 03:02  +12:00:00
  1096         ravi       7 -> 6             3318       1781 Jan11 06:03  Jan10 06:50  -23:13:18
  1103         bob        9 -> 7             3051       1683 Jan12 00:03  Jan11 14:50  -9:13:18
  1088         nora       10 -> 8            2894       1509 11:46:25     11:16:25     -0:30:00
  1169         ravi       8 -> 9             3308       1397 Jan10 22:03  Jan11 06:50  +8:46:42
  1133         paul       12 -> 10           2697       1378 Jan12 01:02  Jan11 19:02  -6:00:00
  1141         eva        6 -> 11            3868       1318 Jan10 07:02  Jan11 00:50  +17:47:32
  1152         paul       13 -> 12           2570       1278 17:06:53     15:36:53     -1:30:00
  1185         john       14 -> 13           2440       1254 Jan12 01:02  Jan12 07:02  +6:00:00
  1205         amina      17 -> 14           2210       1199 Jan10 13:02  Jan10 04:02  -9:00:00
  1149         eva        11 -> 15           2867       1167 Jan11 06:03  Jan11 19:02  +12:59:10
  1232         steve      15 -> 16           2382       1143 10:51:02     10:51:02
  1197         john       18 -> 17           2013        925 Jan13 00:03  Jan12 14:50  -9:13:18
  1229         eva        16 -> 18           2275        874 11:16:25     15:06:53     +3:50:28
  1233         eva        22 -> 19           1702        786 10:56:02     10:56:02
  1196         bob        20                 1834        741 17:26:02     17:26:02
  1199         tom        21                 1774        688 Jan13 00:03  Jan12 14:50  -9:13:18
  1198         eva        19 -> 22           1919        455 Jan10 06:50  Jan10 11:16  +4:26:14
  1211         nora       23                 1458        406 22:03:29     22:03:29
  1223         eva        24                 1397         45 Jan10 04:02  Jan11 16:02  +1:12:00:00
  1225         julia      26 -> 25           1065         10 11:26:02     11:26:02
  1227         eva        25 -> 26           1248          1 15:06:53     Jan10 03:10  +12:04:01
BLOCKED 8 - not ranked ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  247        ! lars       -                 24524      11212 21:10:54     21:10:54
  +7 more
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
 1193: 6248 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.266 % + proc 1 * 32 procs + queuetime 2 * 318.18 min + xfactor 150 * 32.818 + targetqueuetime 0.00001 * 200934.98

 Swaps with 1209 if: xfactor -94..-73 | queuetime -18..-16 | proc < -72 | never by user qos class fsuser fsgroup targetqueuetime cred fs service
 This job is already first.
 In 1 h: 6248 -> 7286 (queuetime +120, xfactor +900, targetqueuetime +18); already first
WEIGHTS IN USE ──────────────────────────────────────────────────────────── VALUE ───── IN FORCE ───────────────────────────────────────────────────────────────────────────────────────────────────────
  queuetimeweight             [───────┃──────────────────────────────]          2              2 0..10                Weight of the effective queue time.
> xfactorweight               [───────────────────┃──────────────────]       1000           1000 0..2000              Weight of the expansion factor, 1 + queue time / wallclock limit.
  targetqueuetimeweight       [───────────────────┃──────────────────]    0.00001        0.00001 0..0.00002           Weight of how close the queue time is to qttarget: 1 at first, 1e8 at the target.
  fsuserweight                [───────────────────┃──────────────────]         20             20 0..40                Weight of how far the user is below its fairshare target.
  fsgroupweight               [───────────────────┃──────────────────]          5              5 0..10                Weight of how far the group is below its fairshare target.
  userweight                  [────┃─────────────────────────────────]          1              1 0..10                Weight of the priority set for the job's user.
  qosweight                   [────┃─────────────────────────────────]          1              1 0..10                Weight of the priority set for the job's QOS.
  classweight                 [────┃─────────────────────────────────]          1              1 0..10                Weight of the priority set for the job's class.
  procweight                  [────┃─────────────────────────────────]          1              1 0..10                Weight of the number of requested processors.
  serviceweight               [────┃─────────────────────────────────]          1              1 0..10                Weight of the service level: how long the job has waited.
  targetweight                [────┃──────────────┌─ Not applied yet ────────────────────────────────────────────────────────────────────────────────┐ow close the job is to its targets.
  fsweight                    [────┃──────────────│ undo 6404 (xfactorweight = 1000)                                                                 │ive to the fairshare targets.
  credweight                  [────┃──────────────│ (projection): 20 jobs change order; 14 earlier; 9 later; worst: 1223 +1:12:00:00                 │ group, account, QOS and class.
  resweight                   [────┃──────────────│ will be undone                                                                                   │s.
NODES ────────────────────────────────────────────│   6404  xfactorweight: 1000 -> 100                                                               │──────────────────────────────────────────────────
  nodeallocationpolicy        <lastavailable>     │ <Enter> apply   <Esc> dismiss   d add to the draft                                               │ that fit a job.
  +19 more                                        └──────────────────────────────────────────────────────────────────────────────────────────────────┘
 order changes: 20   starts moved: 23 (14 earlier, 9 later)   points   focus: jobs (<Tab>)
EOS
