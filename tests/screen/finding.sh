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
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
ACTIVE 1 - by completion ───────────────── ENDS BY ──────────── USED ───────────
> 1091  b bob         2 1:00:00:00       -  Jan10 04:55 +20:55h  12%
IDLE 8 - by priority ───────────────────────────────────────────────────────────
  1103  r bob        32 1:00:00:00    1683  19:58:36 +11:58h    32 procs short
  1105    bob         6 1:00:00:00    1650 ~16:38:31 +8:38h     6 procs short
  1170    bob         2 1:00:00:00    1216 ~Jan11 01:10 +1d17h  2 procs short
  1174    bob         2 1:00:00:00    1133 ~Jan11 16:38 +2d08h  2 procs short
  1195    bob         2 1:00:00:00     748 ~Jan11 19:34 +2d11h  2 procs short
  1196    bob         4 1:00:00:00     741 ~Jan12 13:34 +3d05h  4 procs short
  1202    bob         2 1:00:00:00     682 ~Jan12 16:38 +3d08h  2 procs short
  1204    bob         2 1:00:00:00     655 ~Jan13 03:39 +3d19h  2 procs short






 Job 1091 runs since 04:55:23.
/user=bob !state=held
 <Enter> give  <Esc> never mind                                  ? help  Q quit
EOS
screen 'all that it shows are held together' marked <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
ACTIVE 1 - by completion ───────────────── ENDS BY ──────────── USED ───────────
>*1091  b bob         2 1:00:00:00       -  Jan10 04:55 +20:55h  12%
IDLE 8 - by priority ───────────────────────────────────────────────────────────
 *1103  r bob        32 1:00:00:00    1683  19:58:36 +11:58h    32 procs short
 *1105    bob         6 1:00:00:00    1650 ~16:38:31 +8:38h     6 procs short
 *1170    bob         2 1:00:00:00    1216 ~Jan11 01:10 +1d17h  2 procs short
 *1174    bob         2 1:00:00:00    1133 ~Jan11 16:38 +2d08h  2 procs short
 *1195    bob         2 1:00:00:00     748 ~Jan11 19:34 +2d11h  2 procs short
 *1196    bob         4 1:00:00:00     741 ~Jan12 13:34 +3d05h  4 procs short
 *1202    bob         2 1:00:00:00     682 ~Jan12 16:38 +3d08h  2 procs short
 *1204    bob         2 1:00:00:00     655 ~Jan13 03:39 +3d19h  2 procs short






 Job 1091 runs since 04:55:23.
 hold -s 1103 1105 1170 1174 1195 1196 1~: the order stays; 24 earlier; 11 later
 <Enter> apply  <Esc> drop  w why  H hold  R release  W weights  ? help  Q quit
EOS
screen 'Tab goes from part to part: the blocked, by reason' blocked <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
  1192    nora        2 1:00:00:00     562 ~Jan12 00:55 +2d16h  2 procs short
  1216    ines        2   12:00:00     493 ~Jan12 12:55 +3d04h  2 procs short
  1211    nora        4 1:00:00:00     406 ~Jan12 13:58 +3d05h  4 procs short
  1222    john        2 1:00:00:00     320 ~Jan12 13:58 +3d05h  2 procs short
  1223    eva        32    3:00:00     263 ~Jan13 00:55 +3d16h  32 procs short
  1225    julia       2    6:00:00      43 ~19:34:02 +11:34h    2 procs short
BLOCKED 10 - by hold ───────────────────────────────────────────────────────────
> 1103  H bob        32 1:00:00:00    1683 -                    held (system)
  1105  H bob         6 1:00:00:00    1650 -                    held (system)
  1161  H bob         4 1:00:00:00    1318 -                    held (user)
  1170  H bob         2 1:00:00:00    1216 -                    held (system)
  1174  H bob         2 1:00:00:00    1133 -                    held (system)
  1195  H bob         2 1:00:00:00     748 -                    held (system)
  1196  H bob         4 1:00:00:00     741 -                    held (system)
  1198  H eva         8    8:00:00     673 -                    held (system)
  1202  H bob         2 1:00:00:00     682 -                    held (system)
  1204  H bob         2 1:00:00:00     655 -                    held (system)
 Job 1103 is held (system); it can start only after a release.
 Total Jobs: 53   Active Jobs: 14   Idle Jobs: 29   Blocked Jobs: 10
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'sorted by processors, the most first, within the parts' sorted <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC▾    WCLIMIT    PRIO EST.START            WHY NOT NOW
ACTIVE 14 - by PROC ────────────────────── ENDS BY ──────────── USED ───────────
> 1179    amina      32   12:00:00       -  19:58:36 +11:58h      0%
  1120  b john        4 1:00:00:00       -  Jan10 07:39 +23:39h   1%
  1069  b ines        4   18:00:00       -  Jan10 01:26 +17:26h   3%
  1057  b leila       4   12:00:00       -  16:38:31 +8:38h      27%
  1052  b ines        4   12:00:00       -  15:16:41 +7:16h      39%
  1233  b eva         2    0:30:00       -  08:29:57 +29m         0%
  1224  b amina       2    3:00:00       -  10:51:13 +2:51h       4%
  1189  b mei         2    6:00:00       -  13:30:36 +5:30h       8%
  1121  b karl        2    6:00:00       -  13:30:36 +5:30h       8%
  1092  b lars        2   12:00:00       -  19:34:02 +11:34h      3%
  1091  b bob         2 1:00:00:00       -  Jan10 04:55 +20:55h  12%
  1074  b steve       2 2:00:00:00       -  Jan11 01:10 +1d17h   14%
  1221  b olga        1    4:00:00       -  11:24:37 +3:24h      14%
  1219  b amina       1   18:00:00       -  Jan10 01:32 +17:32h   2%
IDLE 29 - by PROC ──────────────────────────────────────────────────────────────
  +39 more
 Job 1179 runs since 07:58:36.
 53 jobs: 14 active, 29 idle, 10 blocked   sort: PROC
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'F3 finds and hides nothing' found <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC▾    WCLIMIT    PRIO EST.START            WHY NOT NOW
  1205    amina      32 1:12:00:00    1232 ~Jan11 01:58 +1d17h  32 procs short
  1169    ravi       32    8:00:00    1322 ~Jan10 16:55 +1d08h  32 procs short
  1141  r eva        32    6:00:00    1536  19:58:36 +11:58h    32 procs short
  1185    john       16 1:00:00:00    1063 ~Jan12 00:55 +2d16h  16 procs short
  1149    eva        16   12:00:00    1385 ~Jan10 04:55 +20:55h 16 procs short
  1136    john       16 1:00:00:00    1495 ~Jan10 01:58 +17:58h 16 procs short
  1133    paul       16 1:00:00:00    1302 ~Jan11 00:55 +1d16h  16 procs short
  1199    tom         8 1:00:00:00     721 ~Jan12 07:39 +2d23h  8 procs short
  1197    john        8 1:00:00:00     733 ~Jan11 07:39 +1d23h  8 procs short
  1096  r ravi        8   18:00:00    1706  13:30:36 +5:30h     8 procs short
  1088    nora        5 1:00:00:00    1509 ~15:16:41 +7:16h     5 procs short
  1229    eva         4    0:30:00    1092 ~10:51:13 +2:51h     4 procs short
  1211    nora        4 1:00:00:00     406 ~Jan12 13:58 +3d05h  4 procs short
  1201    rosa        4 1:00:00:00     690 ~Jan11 18:55 +2d10h  4 procs short
  1163    leila       4    6:00:00    1426 ~Jan10 01:58 +17:58h 4 procs short
> 1152    paul        4 1:00:00:00    1202 ~Jan10 07:39 +23:39h 4 procs short
  +22 more
 Job 1152 needs 4 processors and 0 are free: 4 short.
 53 jobs: 14 active, 29 idle, 10 blocked   sort: PROC
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'frozen: two hours later the same picture, and its age' frozen <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   FROZEN 2:00h
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC▾    WCLIMIT    PRIO EST.START            WHY NOT NOW
  1205    amina      32 1:12:00:00    1232 ~Jan11 01:58 +1d17h  32 procs short
  1169    ravi       32    8:00:00    1322 ~Jan10 16:55 +1d08h  32 procs short
  1141  r eva        32    6:00:00    1536  19:58:36 +11:58h    32 procs short
  1185    john       16 1:00:00:00    1063 ~Jan12 00:55 +2d16h  16 procs short
  1149    eva        16   12:00:00    1385 ~Jan10 04:55 +20:55h 16 procs short
  1136    john       16 1:00:00:00    1495 ~Jan10 01:58 +17:58h 16 procs short
  1133    paul       16 1:00:00:00    1302 ~Jan11 00:55 +1d16h  16 procs short
  1199    tom         8 1:00:00:00     721 ~Jan12 07:39 +2d23h  8 procs short
  1197    john        8 1:00:00:00     733 ~Jan11 07:39 +1d23h  8 procs short
  1096  r ravi        8   18:00:00    1706  13:30:36 +5:30h     8 procs short
  1088    nora        5 1:00:00:00    1509 ~15:16:41 +7:16h     5 procs short
  1229    eva         4    0:30:00    1092 ~10:51:13 +2:51h     4 procs short
  1211    nora        4 1:00:00:00     406 ~Jan12 13:58 +3d05h  4 procs short
  1201    rosa        4 1:00:00:00     690 ~Jan11 18:55 +2d10h  4 procs short
  1163    leila       4    6:00:00    1426 ~Jan10 01:58 +17:58h 4 procs short
> 1152    paul        4 1:00:00:00    1202 ~Jan10 07:39 +23:39h 4 procs short
  +22 more
 Job 1152 needs 4 processors and 0 are free: 4 short.
 53 jobs: 14 active, 29 idle, 10 blocked   sort: PROC
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'live again' later <<'EOS'
 KAHU simulation  Fri Jan  9 10:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 61/64  95%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC▾    WCLIMIT    PRIO EST.START            WHY NOT NOW
  1169    ravi       32    8:00:00    1587 ~Jan10 13:58 +1d03h  29 procs short
  1141  r eva        32    6:00:00    1809  19:58:36 +9:58h     29 procs short
  1185    john       16 1:00:00:00    1311 ~Jan11 21:58 +2d11h  13 procs short
  1149    eva        16   12:00:00    1642 ~Jan10 01:58 +15:58h 13 procs short
  1136    john       16 1:00:00:00    1744 ~Jan10 01:58 +15:58h 13 procs short
  1133    paul       16 1:00:00:00    1551 ~Jan10 21:58 +1d11h  13 procs short
  1199    tom         8 1:00:00:00     970 ~Jan12 07:34 +2d21h  5 procs short
  1197    john        8 1:00:00:00     981 ~Jan11 15:58 +2d05h  5 procs short
  1096  r ravi        8   18:00:00    1957  12:35:03 +2:35h     5 procs short
  1088    nora        5 1:00:00:00    1757 ~15:16:41 +5:16h     2 procs short
  1240    bob         4 1:00:00:00     194 ~Jan12 13:58 +3d03h  1 proc short
  1237    lars        4    6:00:00     167 ~Jan10 06:35 +20:35h 1 proc short
  1211    nora        4 1:00:00:00     654 ~Jan12 13:58 +3d03h  1 proc short
  1201    rosa        4 1:00:00:00     938 ~Jan12 13:58 +3d03h  1 proc short
  1163    leila       4    6:00:00    1699 ~Jan10 01:26 +15:26h 1 proc short
> 1152    paul        4 1:00:00:00    1450 ~Jan10 16:38 +1d06h  1 proc short
  +22 more
 Job 1152 needs 4 processors and 3 are free: 1 short.
 53 jobs: 13 active, 30 idle, 10 blocked   sort: PROC
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'a screen that is not there yet says so' unknown <<'EOS'
 KAHU simulation  Fri Jan  9 10:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 61/64  95%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC▾    WCLIMIT    PRIO EST.START            WHY NOT NOW
  1169    ravi       32    8:00:00    1587 ~Jan10 13:58 +1d03h  29 procs short
  1141  r eva        32    6:00:00    1809  19:58:36 +9:58h     29 procs short
  1185    john       16 1:00:00:00    1311 ~Jan11 21:58 +2d11h  13 procs short
  1149    eva        16   12:00:00    1642 ~Jan10 01:58 +15:58h 13 procs short
  1136    john       16 1:00:00:00    1744 ~Jan10 01:58 +15:58h 13 procs short
  1133    paul       16 1:00:00:00    1551 ~Jan10 21:58 +1d11h  13 procs short
  1199    tom         8 1:00:00:00     970 ~Jan12 07:34 +2d21h  5 procs short
  1197    john        8 1:00:00:00     981 ~Jan11 15:58 +2d05h  5 procs short
  1096  r ravi        8   18:00:00    1957  12:35:03 +2:35h     5 procs short
  1088    nora        5 1:00:00:00    1757 ~15:16:41 +5:16h     2 procs short
  1240    bob         4 1:00:00:00     194 ~Jan12 13:58 +3d03h  1 proc short
  1237    lars        4    6:00:00     167 ~Jan10 06:35 +20:35h 1 proc short
  1211    nora        4 1:00:00:00     654 ~Jan12 13:58 +3d03h  1 proc short
  1201    rosa        4 1:00:00:00     938 ~Jan12 13:58 +3d03h  1 proc short
  1163    leila       4    6:00:00    1699 ~Jan10 01:26 +15:26h 1 proc short
> 1152    paul        4 1:00:00:00    1450 ~Jan10 16:38 +1d06h  1 proc short
  +22 more
 Job 1152 needs 4 processors and 3 are free: 1 short.
 there is no screen 5; there are 1 Queue, 2 Job, 3 Priority, 8 Journal
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
