#!/bin/sh
# SPDX-License-Identifier: MIT
#
# finding.sh - filter, search, sort, mark, freeze, and time that is moved by hand

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

play demo --nodes 8 --seed 9 <<'EOS'
size 80x24
keys /
type user=bob !state=held
dump typing
keys <Enter> * H s
dump marked
keys <Enter> \ <Esc>
keys <Tab> <Tab>
dump blocked
keys s s s S g
dump sorted
keys <F3>
type paul
keys <Enter> n
dump found
keys Z
advance 2h
dump frozen
keys Z
dump later
keys 5
dump unknown
EOS

screen 'a filter is seen while it is typed' typing <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████ 59/64  92%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
ACTIVE 1 - by completion ─────────────── ENDS BY ──────────── USED ─────────────
> 1202  b bob        2 1:00:00:00      -  Jan10 06:39 +22:39h   5%
IDLE 7 - by priority ───────────────────────────────────────────────────────────
  1090    bob        4 1:00:00:00   1707 ~22:04:54 +14:04h    would delay 1209
  1097    bob        4 1:00:00:00   1684 ~Jan10 03:17 +19:17h would delay 1209
  1103    bob       32 1:00:00:00   1683 ~Jan10 21:17 +1d13h  27 procs short
  1105    bob        6 1:00:00:00   1650 ~Jan11 03:17 +1d19h  1 proc short
  1161    bob        4 1:00:00:00   1318 ~Jan11 03:17 +1d19h  would delay 1209
  1196    bob        4 1:00:00:00    741 ~Jan11 03:17 +1d19h  would delay 1209
  1204    bob        2 1:00:00:00    655 ~Jan12 05:17 +2d21h  would delay 1209






 Job 1202 runs since 06:39:09.

/user=bob !state=held
 <Enter> give  <Esc> never mind                                  ? help  Q quit
EOS
screen 'all that it shows are held together' marked <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████ 59/64  92%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
ACTIVE 1 - by completion ─────────────── ENDS BY ──────────── USED ─────────────
>*1202  b bob        2 1:00:00:00      -  Jan10 06:39 +22:39h   5%
IDLE 7 - by priority ───────────────────────────────────────────────────────────
 *1090    bob        4 1:00:00:00   1707 ~22:04:54 +14:04h    would delay 1209
 *1097    bob        4 1:00:00:00   1684 ~Jan10 03:17 +19:17h would delay 1209
 *1103    bob       32 1:00:00:00   1683 ~Jan10 21:17 +1d13h  27 procs short
 *1105    bob        6 1:00:00:00   1650 ~Jan11 03:17 +1d19h  1 proc short
 *1161    bob        4 1:00:00:00   1318 ~Jan11 03:17 +1d19h  would delay 1209
 *1196    bob        4 1:00:00:00    741 ~Jan11 03:17 +1d19h  would delay 1209
 *1204    bob        2 1:00:00:00    655 ~Jan12 05:17 +2d21h  would delay 1209






 Job 1202 runs since 06:39:09.

 hold -s 1090 1097 1103 1105 1161 1196 1~: the order stays; 18 earlier; 9 later;
 <Enter> apply  <Esc> drop  w why  H hold  R release  W weights  ? help  Q quit
EOS
screen 'Tab goes from part to part: the blocked, by reason' blocked <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████ 59/64  92%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1223    eva       32    3:00:00     12 ~Jan12 23:17 +3d15h  27 procs short
  1225    julia      2    6:00:00      3 ~Jan12 03:17 +2d19h  would delay 1209
BLOCKED 9 - by hold ────────────────────────────────────────────────────────────
> 1090  H bob        4 1:00:00:00   1707 -                    held (system)
  1097  H bob        4 1:00:00:00   1684 -                    held (system)
  1103  H bob       32 1:00:00:00   1683 -                    held (system)
  1105  H bob        6 1:00:00:00   1650 -                    held (system)
  1133  H paul      16 1:00:00:00   1386 -                    held (user)
  1161  H bob        4 1:00:00:00   1318 -                    held (system)
  1193  H mei       32    0:10:00   6258 -                    held (system)
  1196  H bob        4 1:00:00:00    741 -                    held (system)
  1204  H bob        2 1:00:00:00    655 -                    held (system)
BLOCKED 3 - by fairshare cap ───────────────────────────────────────────────────
  510   ! lars       2 1:12:00:00   7382 -                    over the cap of u~
  654   ! lars       4   12:00:00   5670 ~Jan12 03:17 +2d19h  over the cap of u~
  764   ! lars       4   12:00:00   5107 ~Jan12 03:17 +2d19h  over the cap of u~
 Job 1090 is held (system); it can start only after a release.

 Total Jobs: 55   Active Jobs: 12   Idle Jobs: 31   Blocked Jobs: 12
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'sorted by processors, the most first, within the parts' sorted <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████ 59/64  92%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PR~▾    WCLIMIT   PRIO EST.START            WHY NOT NOW
ACTIVE 12 - by PROC ──────────────────── ENDS BY ──────────── USED ─────────────
> 988     eva       31   12:00:00      -  14:17:09 +6:17h      47%
  1227  b eva        5    2:00:00      -  09:51:52 +1:51h       6%
  1159  b ravi       4    3:00:00      -  10:26:09 +2:26h      18%
  1069  b ines       4   18:00:00      -  21:17:42 +13:17h     26%
  1099  b anna       3    6:00:00      -  11:33:45 +3:33h      40%
  1224  b amina      2    3:00:00      -  10:20:08 +2:20h      22%
  1202  b bob        2 1:00:00:00      -  Jan10 06:39 +22:39h   5%
  1180  b eva        2   18:00:00      -  22:04:54 +14:04h     21%
  1175  b chen       2 1:12:00:00      -  Jan10 15:17 +1d07h   13%
  1074  b steve      2 2:00:00:00      -  Jan10 23:53 +1d15h   16%
  1221  b olga       1    4:00:00      -  10:26:43 +2:26h      38%
  1219  b amina      1   18:00:00      -  Jan10 00:00 +16:00h  11%
IDLE 31 - by PROC ──────────────────────────────────────────────────────────────
  1223    eva       32    3:00:00     12 ~Jan12 23:17 +3d15h  27 procs short
  +42 more
 Job 988 runs since 02:17:09.

 55 jobs: 12 active, 31 idle, 12 blocked   sort: PROC
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'F3 finds and hides nothing' found <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████ 59/64  92%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PR~▾    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1127    eva       32    1:00:00   2343 ~Jan10 02:17 +18:17h 27 procs short
  1209  r mei       16    0:10:00   5084  10:26:09 +2:26h     11 procs short
  1185    john      16 1:00:00:00   1282 ~Jan11 03:17 +1d19h  11 procs short
  1149    eva       16   12:00:00   1134 ~Jan10 09:17 +1d01h  11 procs short
  1136    john      16 1:00:00:00   1714 ~Jan10 03:17 +19:17h 11 procs short
  1199    tom        8 1:00:00:00    682 ~Jan12 03:17 +2d19h  3 procs short
  1198    eva        8    8:00:00    422 ~Jan10 10:36 +1d02h  3 procs short
  1197    john       8 1:00:00:00    952 ~Jan11 03:17 +1d19h  3 procs short
  1096    ravi       8   18:00:00   1790 ~10:36:09 +2:36h     3 procs short
  1088    nora       5 1:00:00:00   1509 ~Jan10 03:17 +19:17h would delay 1209
  1211    nora       4 1:00:00:00    406 ~Jan12 03:17 +2d19h  would delay 1209
  1201    rosa       4 1:00:00:00    690 ~Jan11 22:04 +2d14h  would delay 1209
  1168    paul       4    3:00:00   1365 ~Jan10 03:17 +19:17h would delay 1209
  1163    leila      4    6:00:00   1426 ~Jan10 03:17 +19:17h would delay 1209
> 1152    paul       4 1:00:00:00   1286 ~Jan11 03:17 +1d19h  would delay 1209
  +23 more
 Job 1152 would run 1:00:00:00 into the reservation of job 1209 at 10:26:09,
 which leaves it 0 of its 4 processors.
 55 jobs: 12 active, 31 idle, 12 blocked   sort: PROC
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'frozen: two hours later the same picture, and its age' frozen <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   FROZEN 2:00h
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████ 59/64  92%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PR~▾    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1127    eva       32    1:00:00   2343 ~Jan10 02:17 +18:17h 27 procs short
  1209  r mei       16    0:10:00   5084  10:26:09 +2:26h     11 procs short
  1185    john      16 1:00:00:00   1282 ~Jan11 03:17 +1d19h  11 procs short
  1149    eva       16   12:00:00   1134 ~Jan10 09:17 +1d01h  11 procs short
  1136    john      16 1:00:00:00   1714 ~Jan10 03:17 +19:17h 11 procs short
  1199    tom        8 1:00:00:00    682 ~Jan12 03:17 +2d19h  3 procs short
  1198    eva        8    8:00:00    422 ~Jan10 10:36 +1d02h  3 procs short
  1197    john       8 1:00:00:00    952 ~Jan11 03:17 +1d19h  3 procs short
  1096    ravi       8   18:00:00   1790 ~10:36:09 +2:36h     3 procs short
  1088    nora       5 1:00:00:00   1509 ~Jan10 03:17 +19:17h would delay 1209
  1211    nora       4 1:00:00:00    406 ~Jan12 03:17 +2d19h  would delay 1209
  1201    rosa       4 1:00:00:00    690 ~Jan11 22:04 +2d14h  would delay 1209
  1168    paul       4    3:00:00   1365 ~Jan10 03:17 +19:17h would delay 1209
  1163    leila      4    6:00:00   1426 ~Jan10 03:17 +19:17h would delay 1209
> 1152    paul       4 1:00:00:00   1286 ~Jan11 03:17 +1d19h  would delay 1209
  +23 more
 Job 1152 would run 1:00:00:00 into the reservation of job 1209 at 10:26:09,
 which leaves it 0 of its 4 processors.
 55 jobs: 12 active, 31 idle, 12 blocked   sort: PROC
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'live again' later <<'EOS'
 KAHU simulation  Fri Jan  9 10:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████ 62/64  96%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PR~▾    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1185    john      16 1:00:00:00   1524 ~Jan10 21:02 +1d11h  14 procs short
  1149    eva       16   12:00:00   1407 ~Jan11 21:02 +2d11h  14 procs short
  1136    john      16 1:00:00:00   1957 ~21:02:29 +11:02h    14 procs short
  1199    tom        8 1:00:00:00    922 ~Jan11 23:53 +2d13h  6 procs short
  1198    eva        8    8:00:00    703 ~Jan10 03:02 +17:02h 6 procs short
  1197    john       8 1:00:00:00   1194 ~Jan10 23:53 +1d13h  6 procs short
  1088    nora       5 1:00:00:00   1757 ~21:02:29 +11:02h    3 procs short
  1240    bob        4 1:00:00:00    194 ~Jan12 09:02 +2d23h  2 procs short
  1237    lars       4    6:00:00    167 ~Jan10 03:24 +17:24h 2 procs short
  1236    leila      4    3:00:00    401 ~Jan10 03:24 +17:24h 2 procs short
  1211    nora       4 1:00:00:00    654 ~Jan11 21:02 +2d11h  2 procs short
  1201    rosa       4 1:00:00:00    938 ~Jan11 21:02 +2d11h  2 procs short
  1168    paul       4    3:00:00   1670 ~21:17:42 +11:17h    2 procs short
  1163    leila      4    6:00:00   1699 ~21:02:29 +11:02h    2 procs short
> 1152    paul       4 1:00:00:00   1532 ~Jan10 21:02 +1d11h  2 procs short
  +17 more
 Job 1152 needs 4 processors and 2 are free: 2 short.

 49 jobs: 12 active, 25 idle, 12 blocked   sort: PROC
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'a screen that is not there yet says so' unknown <<'EOS'
 KAHU simulation  Fri Jan  9 10:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████ 62/64  96%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PR~▾    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1185    john      16 1:00:00:00   1524 ~Jan10 21:02 +1d11h  14 procs short
  1149    eva       16   12:00:00   1407 ~Jan11 21:02 +2d11h  14 procs short
  1136    john      16 1:00:00:00   1957 ~21:02:29 +11:02h    14 procs short
  1199    tom        8 1:00:00:00    922 ~Jan11 23:53 +2d13h  6 procs short
  1198    eva        8    8:00:00    703 ~Jan10 03:02 +17:02h 6 procs short
  1197    john       8 1:00:00:00   1194 ~Jan10 23:53 +1d13h  6 procs short
  1088    nora       5 1:00:00:00   1757 ~21:02:29 +11:02h    3 procs short
  1240    bob        4 1:00:00:00    194 ~Jan12 09:02 +2d23h  2 procs short
  1237    lars       4    6:00:00    167 ~Jan10 03:24 +17:24h 2 procs short
  1236    leila      4    3:00:00    401 ~Jan10 03:24 +17:24h 2 procs short
  1211    nora       4 1:00:00:00    654 ~Jan11 21:02 +2d11h  2 procs short
  1201    rosa       4 1:00:00:00    938 ~Jan11 21:02 +2d11h  2 procs short
  1168    paul       4    3:00:00   1670 ~21:17:42 +11:17h    2 procs short
  1163    leila      4    6:00:00   1699 ~21:02:29 +11:02h    2 procs short
> 1152    paul       4 1:00:00:00   1532 ~Jan10 21:02 +1d11h  2 procs short
  +17 more
 Job 1152 needs 4 processors and 2 are free: 2 short.

 there is no screen 5; there are 1 Queue, 2 Job, 3 Priority, 4 Share, 6 Limits,
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
