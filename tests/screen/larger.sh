#!/bin/sh
# SPDX-License-Identifier: MIT
#
# larger.sh - the session of session.sh at 100x30 and 200x60: does more room show more of the same?

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

session() { # SIZE
	play demo --nodes 8 --seed 9 <<EOS
size $1
dump $1-first
keys w
dump $1-why
keys q H <Enter>
dump $1-held-draft
keys <Enter>
dump $1-held
keys R <Enter>
dump $1-released
keys W j e <C-u>
type 1000
keys <Enter>
dump $1-typed
keys <Enter>
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

# The first thirty idle jobs as listed, without what stands beside the list.
idle_of() { sed -n '/^IDLE/,/^BLOCKED/p' "$1" | head -n 31 | sed 's,│.*,,'; }
# A job that started meanwhile stays started; the others stand as they stood.
ids_of() { idle_of "$1" | awk 'NR > 1 { print ($1 == ">" ? $2 : $1) }'; }
ids_of 200x60-first >was
ids_of 200x60-last >is
check_equal '200x60: after the undo the order is as it was' "$(grep -Fx -f is was)" "$(grep -Fx -f was is)"
check_true '200x60: with the weight they were others' \
	test "$(idle_of 200x60-first)" != "$(idle_of 200x60-in-force)"

screen '100x30: the queue' 100x30-first <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████████████████████████████████████████████████████████████████ 59/64  92%]
 Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB        USER       CLASS  PROC    WCLIMIT   PRIO QUEUED EST.START            WHY NOT NOW
  1180     b eva        batch     2   18:00:00      -  3:51h  22:04:54 +14:04h     21%
  1219     b amina      batch     1   18:00:00      -     0s  Jan10 00:00 +16:00h  11%
  1202     b bob        batch     2 1:00:00:00      -  3:19h  Jan10 06:39 +22:39h   5%
  1175     b chen       long      2 1:12:00:00      -  3:35h  Jan10 15:17 +1d07h   13%
  1074     b steve      long      2 2:00:00:00      -  5:29h  Jan10 23:53 +1d15h   16%
IDLE 38 - by priority ──────────────────────────────────────────────────────────────────────────────
> 1209     r mei        batch    16    0:10:00   5084  4:10h  10:26:09 +2:26h     11 procs short
  1179       amina      batch    32   12:00:00   2386  7:50h ~14:17:09 +6:17h     27 procs short
  1127       eva        batch    32    1:00:00   2343 11:39h ~Jan10 02:17 +18:17h 27 procs short
  1120       john       batch     4 1:00:00:00   1796 11:52h ~10:36:09 +2:36h     would delay 1209
  1096       ravi       batch     8   18:00:00   1790 12:43h ~10:36:09 +2:36h     3 procs short
  1053       nora       batch     4 1:00:00:00   1744 14:49h ~10:36:09 +2:36h     would delay 1209
  1136       john       batch    16 1:00:00:00   1714 11:06h ~Jan10 03:17 +19:17h 11 procs short
  1134       john       batch     4 1:00:00:00   1709 11:09h ~21:17:42 +13:17h    would delay 1209
  1090       bob        batch     4 1:00:00:00   1707 12:55h ~22:04:54 +14:04h    would delay 1209
  1097       bob        batch     4 1:00:00:00   1684 12:43h ~Jan10 03:17 +19:17h would delay 1209
  1085       tom        batch     4 1:00:00:00   1683 13:02h ~Jan10 03:17 +19:17h would delay 1209
  1103       bob        batch    32 1:00:00:00   1683 12:29h ~Jan10 21:17 +1d13h  27 procs short
  1144       john       batch     4 1:00:00:00   1681 10:56h ~Jan10 22:04 +1d14h  would delay 1209
  +30 more
 Job 1209 needs 16 processors and 5 are free: 11 short.

 Total Jobs: 55   Active Jobs: 12   Idle Jobs: 38   Blocked Jobs: 5

 <Enter> open  w why  H hold  R release  W weights  u undo  = numbers  : command     ? help  Q quit
EOS
screen '100x30: why the first waits' 100x30-why <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue [2 Job] 3 Priority  4 Share  6 Limits  8 Journal
 Job 1209  gmx-prod
  for       mei/biology/protein   class batch   QOS high
  asks      16 procs for 0:10:00 = 9600 PS, 1000 MB a task
  submitted 03:49:50, queued 4:10:10, bypassed 24x
  state     idle, number 1 of 38
  starts     10:26:09 +2:26h (reserved)
 Job 1209 needs 16 processors and 5 are free: 11 short.

 CHECK                   VALUE                                          LIMIT               RESULT
 5 priority not negative 5084                                           -                   ok
 6 fits the machine      16 procs                                       64 in the machine   ok
 9 idle limits           0 + 1 = 1  user mei                            MAXIJOB 16          ok
>13 resources now        16 procs                                       5 free              FAIL
 14 reservations ahead   no reservation is delayed                      >= 16               ok
 15 strict order         none ahead                                     -                   ok
   none: hold, defer, dependency, start date, limits of its class, limits of any job, hard limits,
   soft limits, fairshare cap

 PRIORITY
 5084 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.76 % + proc 1 * 16 procs + queuetime 2 * 250.17
 min + xfactor 100 * 26.02 + targetqueuetime 0.00001 * 14772.18

 HISTORY
 03:49:50     submit 1209: 16 processors for 0:10:00, user mei  (mei, entry 6335)



 H hold  R release  p priority  W weights  = numbers  u undo  q back                 ? help  Q quit
EOS
screen '100x30: the hold and what it would do' 100x30-held-draft <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████████████████████████████████████████████████████████████████ 59/64  92%]
 Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB        USER       CLASS  PROC    WCLIMIT   PRIO QUEUED EST.START            WHY NOT NOW
  1180     b eva        batch     2   18:00:00      -  3:51h  22:04:54 +14:04h     21%
  1219     b amina      batch     1   18:00:00      -     0s  Jan10 00:00 +16:00h  11%
  1202     b bob        batch     2 1:00:00:00      -  3:19h  Jan10 06:39 +22:39h   5%
  1175     b chen       long      2 1:12:00:00      -  3:35h  Jan10 15:17 +1d07h   13%
  1074     b steve      long      2 2:00:00:00      -  5:29h  Jan10 23:53 +1d15h   16%
IDLE 38 - by priority ──────────────────────────────────────────────────────────────────────────────
> 1209     r mei        batch    16    0:10:00   5084  4:10h  10:26:09 +2:26h     11 procs short
  1179       amina      batch    32   12:00:00   2386  7:50h ~14:17:09 +6:17h     27 procs short
  1127       eva        batch    32    1:00:00   2343 11:39h ~Jan10 02:17 +18:17h 27 procs short
  1120       john       batch     4 1:00:00:00   1796 11:52h ~10:36:09 +2:36h     would delay 1209
  1096       ravi       batch     8   18:00:00   1790 12:43h ~10:36:09 +2:36h     3 procs short
  1053       nora       batch     4 1:00:00:00   1744 14:49h ~10:36:09 +2:36h     would delay 1209
  1136       john       batch    16 1:00:00:00   1714 11:06h ~Jan10 03:17 +19:17h 11 procs short
  1134       john       batch     4 1:00:00:00   1709 11:09h ~21:17:42 +13:17h    would delay 1209
  1090       bob        batch     4 1:00:00:00   1707 12:55h ~22:04:54 +14:04h    would delay 1209
  1097       bob        batch     4 1:00:00:00   1684 12:43h ~Jan10 03:17 +19:17h would delay 1209
  1085       tom        batch     4 1:00:00:00   1683 13:02h ~Jan10 03:17 +19:17h would delay 1209
  1103       bob        batch    32 1:00:00:00   1683 12:29h ~Jan10 21:17 +1d13h  27 procs short
  1144       john       batch     4 1:00:00:00   1681 10:56h ~Jan10 22:04 +1d14h  would delay 1209
  +30 more
 Job 1209 needs 16 processors and 5 are free: 11 short.

 Total Jobs: 55   Active Jobs: 12   Idle Jobs: 38   Blocked Jobs: 5
 hold -u 1209: the order stays; 5 earlier; 1 later
 <Enter> apply  <Esc> drop  w why  H hold  R release  W weights  u undo  = numbers   ? help  Q quit
EOS
screen '100x30: held, it is among the blocked' 100x30-held <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████████████████████████████████████████████████████████████████ 63/64  98%]
 Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB        USER       CLASS  PROC    WCLIMIT   PRIO QUEUED EST.START            WHY NOT NOW
  1196       bob        batch     4 1:00:00:00    741  5:08h ~Jan11 03:17 +1d19h  3 procs short
  1201       rosa       batch     4 1:00:00:00    690  4:43h ~Jan12 05:17 +2d21h  3 procs short
  1199       tom        batch     8 1:00:00:00    682  4:56h ~Jan13 05:17 +3d21h  7 procs short
  1204       bob        batch     2 1:00:00:00    655  4:27h ~Jan12 05:17 +2d21h  1 proc short
  1192       nora       batch     2 1:00:00:00    562  5:19h ~Jan12 05:17 +2d21h  1 proc short
  1222       john       batch     2 1:00:00:00    539  1:45h ~Jan13 05:17 +3d21h  1 proc short
  1188       eva        batch     3    6:00:00    513  5:34h ~11:33:45 +3:33h     2 procs short
  1216       ines       batch     2   12:00:00    493  3:02h ~Jan10 08:00 +1d00h  1 proc short
  1198       eva        batch     8    8:00:00    422  5:01h ~Jan10 10:26 +1d02h  7 procs short
  1211       nora       batch     4 1:00:00:00    406  4:02h ~Jan13 05:17 +3d21h  3 procs short
  1223       eva        batch    32    3:00:00     12  1:30h ~Jan13 21:17 +4d13h  31 procs short
  1225       julia      batch     2    6:00:00      3  1:01h ~Jan10 00:00 +16:00h 1 proc short
BLOCKED 3 - by hold ────────────────────────────────────────────────────────────────────────────────
  1133     H paul       batch    16 1:00:00:00   1386 11:10h -                    held (user)
  1193     H mei        batch    32    0:10:00   6258  5:18h -                    held (system)
> 1209     H mei        batch    16    0:10:00   5084  4:10h -                    held (user)
BLOCKED 3 - by fairshare cap ───────────────────────────────────────────────────────────────────────
  510      ! lars       long      2 1:12:00:00   7382  2d12h -                    over the cap of u~
  654      ! lars       batch     4   12:00:00   5670  1d20h ~Jan13 05:17 +3d21h  over the cap of u~
  764      ! lars       batch     4   12:00:00   5107  1d16h ~Jan13 05:17 +3d21h  over the cap of u~
 Job 1209 is held (user); it can start only after a release.

 Total Jobs: 55   Active Jobs: 13   Idle Jobs: 36   Blocked Jobs: 6
 Done: hold -u 1209. u undoes it.
 <Enter> open  w why  H hold  R release  W weights  u undo  = numbers  : command     ? help  Q quit
EOS
screen '100x30: a weight, the order and the starts it would give' 100x30-typed <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  8 Journal
  JOB          USER       RANK           PRIORITY      AFTER START       AFTER       CHANGE
IDLE 37 - in the order the draft would give ────────────────────────────────────────────────────────
> 1209       r mei        1                  5084      28499 11:33:45    11:33:45
  1127         eva        3 -> 2             2343      13729 Jan10 02:17 14:17:09    -12:00:00
  1168         paul       18 -> 3            1365       4962 Jan10 03:17 11:43:45    -15:33:24
  1179       r amina      2 -> 4             2386       3875 14:17:09    15:17:09    +1:00:00
  1141         eva        21 -> 5            1284       3835 Jan12 03:17 Jan10 03:17 -2:00:00:00
  1163         leila      15 -> 6            1426       3777 Jan10 03:17 11:43:45    -15:33:24
  1096         ravi       4 -> 7             1790       3326 11:43:45    14:43:45    +3:00:00
  1169         ravi       16 -> 8            1406       3316 Jan11 21:17 Jan10 09:17 -1:12:00:33
  1053         nora       5 -> 9             1744       3200 11:43:45    17:43:45    +6:00:00
  1090         bob        8 -> 10            1707       3092 22:04:54    21:17:42    -0:47:12
  1085         tom        10 -> 11           1683       3073 Jan10 03:17 22:04:54    -5:12:15
  +31 more
────────────────────────────────────────────────────────────────────────────────────────────────────
 1209: 28499 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.76 % + proc 1 * 16 procs + queuetime 2 *
 250.17 min + xfactor 1000 * 26.02 + targetqueuetime 0.00001 * 14772.18
WEIGHTS IN USE ───────────────────────────────── VALUE ──── IN FORCE ───────────────────────────────
  queuetimeweight          [───┃──────────]          2             2 0..10      Weight of the effec~
> xfactorweight            [─────────────┃]       1000           100 0..1000    Weight of the expan~
  targetqueuetimeweight    [───────┃──────]    0.00001       0.00001 0..0.00002 Weight of how near ~
  fsuserweight             [───────┃──────]         20            20 0..40      Weight of how far t~
  fsgroupweight            [───────┃──────]          5             5 0..10      Weight of how far t~
  userweight               [─┃────────────]          1             1 0..10      Weight of the prior~
  +28 more
 order changes: 32   starts moved: 35 (18 earlier, 17 later)   points   keys: weights (<Tab>)
 tune xfactorweight 1000: 32 jobs change order; 18 earlier; 17 later; 1149 +1:10:38:00
 <Enter> apply  <Esc> drop  W weights  e value  { -10  } +10  0 default  b percent   ? help  Q quit
EOS
screen '100x30: in force' 100x30-tuned <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  8 Journal
  JOB            PRIORITY    User*1     QOS*1 FSUser*20   FSGrp*5   QTime*2 XFctr*10~ SHARES
IDLE 37 - by priority ──────────────────────────────────────────────────────────────────────────────
> 1209       r      28499       150       500        15         0       500     27317 xxxxxxxxxxxxxx
  1127       r      13729      -100         0      -211       -39      1398     12650 qqxxxxxxxxxxxx
  1168               4962         0      -200         0        83      1078      3995 cqqqxxxxxxxxxx
  1179               3875         0       500         0       -39       941      1736 ccqqqxxxxxxttt
  1141               3835      -100         0      -211       -39      1320      2834 fqqqqxxxxxxxxx
  1163               3777         0         0         0         0      1160      2612 qqqqxxxxxxxxxx
  1096               3326         0         0         0        83      1527      1707 qqqqqqqxxxxxxx
  1169               3316         0         0         0        83      1077      2122 qqqqqxxxxxxxxx
  1053               3200         0      -200         0         0      1778      1617 cqqqqqqqxxxxxx
  1090               3092         0         0         0         0      1550      1538 qqqqqqqxxxxxxx
  1085               3073         0         0         0       -39      1565      1543 qqqqqqqxxxxxxx
  +31 more
────────────────────────────────────────────────────────────────────────────────────────────────────
 1209: 28499 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.76 % + proc 1 * 16 procs + queuetime 2 *
 250.17 min + xfactor 1000 * 26.02 + targetqueuetime 0.00001 * 14772.18
WEIGHTS IN USE ───────────────────────────────── VALUE ──── IN FORCE ───────────────────────────────
  queuetimeweight          [───┃──────────]          2             2 0..10      Weight of the effec~
> xfactorweight            [───────┃──────]       1000          1000 0..2000    Weight of the expan~
  targetqueuetimeweight    [───────┃──────]    0.00001       0.00001 0..0.00002 Weight of how near ~
  fsuserweight             [───────┃──────]         20            20 0..40      Weight of how far t~
  fsgroupweight            [───────┃──────]          5             5 0..10      Weight of how far t~
  userweight               [─┃────────────]          1             1 0..10      Weight of the prior~
  +28 more
 points   keys: weights (<Tab>)
 Done: tune xfactorweight 1000. u undoes it.
 W weights  e value  { -10  } +10  0 default  b percent  = numbers  u undo  q back   ? help  Q quit
EOS
screen '100x30: undoing it' 100x30-undo-draft <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  8 Journal
  JOB          USER       RANK           PRIORITY      AFTER START       AFTER       CHANGE
IDLE 37 - in the order the draft would give ────────────────────────────────────────────────────────
> 1209       r mei        1                 28499       5084 11:33:45    11:33:45
  1179         amina      4 -> 2             3875       2386 15:17:09    14:17:09    -1:00:00
  1127       r eva        2 -> 3            13729       2343 14:17:09    Jan10 02:17 +12:00:00
  1096         ravi       7 -> 4             3326       1790 14:43:45    11:43:45    -3:00:00
  1053         nora       9 -> 5             3200       1744 17:43:45    11:43:45    -6:00:00
  1136         john       14 -> 6            3031       1714 Jan10 17:43 Jan10 03:17 -14:26:36
  1134         john       15 -> 7            3028       1709 Jan10 21:17 21:17:42    -1:00:00:00
  1090         bob        10 -> 8            3092       1707 21:17:42    22:04:54    +0:47:12
  1097         bob        12 -> 9            3061       1684 Jan10 06:39 Jan10 03:17 -3:22:00
  1085         tom        11 -> 10           3073       1683 22:04:54    Jan10 03:17 +5:12:15
  1103         bob        13 -> 11           3051       1683 Jan10 17:17 Jan10 21:17 +4:00:33
  +31 more
────────────────────────────────────────────────────────────────────────────────────────────────────
 1209: 5084 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.76 % + proc 1 * 16 procs + queuetime 2 *
 250.17 min + xfactor 100 * 26.02 + targetqueuetime 0.00001 * 14772.18
WEIGHTS IN USE ───────────────────────────────── VALUE ──── IN FORCE ───────────────────────────────
  queuetimeweight          [───┃──────────]          2             2 0..10      Weight of the effec~
> xfactorweight            [───────┃──────]       1000          1000 0..2000    Weight of the expan~
  targetqueuetimeweight    [───────┃──────]    0.00001       0.00001 0..0.00002 Weight of how near ~
  fsuserweight             [───────┃──────]         20            20 0..40      Weight of how far t~
  fsgroupweight            [───────┃──────]          5             5 0..10      Weight of how far t~
  userweight               [─┃────────────]          1             1 0..10      Weight of the prior~
  +28 more
 order changes: 32   starts moved: 35 (17 earlier, 18 later)   points   keys: jobs (<Tab>)
 undo 6500 (xfactorweight = 1000): 32 jobs change order; 17 earlier; 18 later; 1141 +2:00:00:00
 <Enter> apply  <Esc> drop  W weights  e value  { -10  } +10  0 default  b percent   ? help  Q quit
EOS
screen '100x30: the order is as it was' 100x30-last <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████████████████████████████████████████████████████████████████ 63/64  98%]
 Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB        USER       CLASS  PROC    WCLIMIT   PRIO QUEUED EST.START            WHY NOT NOW
ACTIVE 13 - by completion ────────────────────────────────── ENDS BY ──────────── USED ─────────────
  1227     b eva        batch     5    2:00:00      -    46m  09:51:52 +1:51h       6%
  1224     b amina      batch     2    3:00:00      -    23m  10:20:08 +2:20h      22%
  1159     b ravi       batch     4    3:00:00      -  9:16h  10:26:09 +2:26h      18%
  1221     b olga       batch     1    4:00:00      -    17m  10:26:43 +2:26h      38%
  1099     b anna       batch     3    6:00:00      - 10:10h  11:33:45 +3:33h      40%
  988        eva        batch    31   12:00:00      - 12:45h  14:17:09 +6:17h      47%
  1069     b ines       batch     4   18:00:00      -  9:10h  21:17:42 +13:17h     26%
  1180     b eva        batch     2   18:00:00      -  3:51h  22:04:54 +14:04h     21%
  1219     b amina      batch     1   18:00:00      -     0s  Jan10 00:00 +16:00h  11%
  1202     b bob        batch     2 1:00:00:00      -  3:19h  Jan10 06:39 +22:39h   5%
  1120     b john       batch     4 1:00:00:00      - 11:52h  Jan10 08:00 +1d00h    0%
  1175     b chen       long      2 1:12:00:00      -  3:35h  Jan10 15:17 +1d07h   13%
  1074     b steve      long      2 2:00:00:00      -  5:29h  Jan10 23:53 +1d15h   16%
IDLE 37 - by priority ──────────────────────────────────────────────────────────────────────────────
> 1209     r mei        batch    16    0:10:00   5084  4:10h  11:33:45 +3:33h     15 procs short
  1179     r amina      batch    32   12:00:00   2386  7:50h  14:17:09 +6:17h     31 procs short
  1127       eva        batch    32    1:00:00   2343 11:39h ~Jan10 02:17 +18:17h 31 procs short
  1096       ravi       batch     8   18:00:00   1790 12:43h ~11:43:45 +3:43h     7 procs short
  +38 more
 Job 1209 needs 16 processors and 1 are free: 15 short.

 Total Jobs: 55   Active Jobs: 13   Idle Jobs: 37   Blocked Jobs: 5

 <Enter> open  w why  H hold  R release  W weights  u undo  = numbers  : command     ? help  Q quit
EOS
screen '200x60: the queue, the job beside it' 200x60-first <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [███████████████████████████████████████████████████████████████████████████████ 59/64  92%] Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB        USER       ACCOUNT  QOS    CLASS     PROC    WCLIMIT      PRIO     XF  QUEUED EST.START            WHY NOT NOW       │ Job 1209  gmx-prod
  988        eva        lattice  normal batch       31   12:00:00         -      -  12:45h  14:17:09 +6:17h      47%              │  for       mei/biology/protein   class batch   QOS high
  1069     b ines       genomes  normal batch        4   18:00:00         -      -   9:10h  21:17:42 +13:17h     26%              │  asks      16 procs for 0:10:00 = 9600 PS, 1000 MB a task
  1180     b eva        lattice  normal batch        2   18:00:00         -      -   3:51h  22:04:54 +14:04h     21%              │  submitted 03:49:50, queued 4:10:10, bypassed 24x
  1219     b amina      plasma   high   batch        1   18:00:00         -      -      0s  Jan10 00:00 +16:00h  11%              │  state     idle, number 1 of 38
  1202     b bob        catalys~ normal batch        2 1:00:00:00         -      -   3:19h  Jan10 06:39 +22:39h   5%              │  starts     10:26:09 +2:26h (reserved)
  1175     b chen       catalys~ normal long         2 1:12:00:00         -      -   3:35h  Jan10 15:17 +1d07h   13%              │ Job 1209 needs 16 processors and 5 are free: 11 short.
  1074     b steve      ocean    normal long         2 2:00:00:00         -      -   5:29h  Jan10 23:53 +1d15h   16%              │
IDLE 38 - by priority ────────────────────────────────────────────────────────────────────────────────────────────────────────────│ CHECK                   VALUE           LIMIT               RESULT
> 1209     r mei        protein  high   batch       16    0:10:00      5084  26.02   4:10h  10:26:09 +2:26h     11 procs short    │ 5 priority not negative 5084            -                   ok
  1179       amina      plasma   high   batch       32   12:00:00      2386   1.65   7:50h ~14:17:09 +6:17h     27 procs short    │ 6 fits the machine      16 procs        64 in the machine   ok
  1127       eva        lattice  normal batch       32    1:00:00      2343  12.65  11:39h ~Jan10 02:17 +18:17h 27 procs short    │ 9 idle limits           0 + 1 = 1       MAXIJOB 16          ok
  1120       john       turbine  normal batch        4 1:00:00:00      1796   1.49  11:52h ~10:36:09 +2:36h     would delay 1209  │>13 resources now        16 procs        5 free              FAIL
  1096       ravi       turbine  normal batch        8   18:00:00      1790   1.71  12:43h ~10:36:09 +2:36h     3 procs short     │ 14 reservations ahead   no reservation is delayed >= 16     ok
  1053       nora       genomes  low    batch        4 1:00:00:00      1744   1.62  14:49h ~10:36:09 +2:36h     would delay 1209  │ 15 strict order         none ahead      -                   ok
  1136       john       turbine  normal batch       16 1:00:00:00      1714   1.46  11:06h ~Jan10 03:17 +19:17h 11 procs short    │   none: hold, defer, dependency, start date, limits of its class,
  1134       john       turbine  normal batch        4 1:00:00:00      1709   1.47  11:09h ~21:17:42 +13:17h    would delay 1209  │   limits of any job, hard limits, soft limits, fairshare cap
  1090       bob        catalys~ normal batch        4 1:00:00:00      1707   1.54  12:55h ~22:04:54 +14:04h    would delay 1209  │
  1097       bob        catalys~ normal batch        4 1:00:00:00      1684   1.53  12:43h ~Jan10 03:17 +19:17h would delay 1209  │ PRIORITY
  1085       tom        plasma   normal batch        4 1:00:00:00      1683   1.54  13:02h ~Jan10 03:17 +19:17h would delay 1209  │ 5084 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.76 % + proc 1 *
  1103       bob        catalys~ normal batch       32 1:00:00:00      1683   1.52  12:29h ~Jan10 21:17 +1d13h  27 procs short    │ 16 procs + queuetime 2 * 250.17 min + xfactor 100 * 26.02 +
  1144       john       turbine  normal batch        4 1:00:00:00      1681   1.46  10:56h ~Jan10 22:04 +1d14h  would delay 1209  │ targetqueuetime 0.00001 * 14772.18
  1105       bob        catalys~ normal batch        6 1:00:00:00      1650   1.52  12:26h ~Jan11 03:17 +1d19h  1 proc short      │
  1088       nora       genomes  low    batch        5 1:00:00:00      1509   1.54  12:55h ~Jan11 03:17 +1d19h  would delay 1209  │
  1163       leila      ocean    normal batch        4    6:00:00      1426   2.61   9:40h ~Jan10 03:17 +19:17h would delay 1209  │
  1169       ravi       turbine  normal batch       32    8:00:00      1406   2.12   8:58h ~Jan11 21:17 +2d13h  27 procs short    │
  1131       paul       acousti~ low    batch        4 1:00:00:00      1379   1.47  11:12h ~Jan10 23:53 +1d15h  would delay 1209  │
  1168       paul       acousti~ low    batch        4    3:00:00      1365   4.00   8:59h ~Jan10 03:17 +19:17h would delay 1209  │
  1161       bob        catalys~ normal batch        4 1:00:00:00      1318   1.41   9:46h ~Jan11 03:17 +1d19h  would delay 1209  │
  1152       paul       acousti~ low    batch        4 1:00:00:00      1286   1.44  10:27h ~Jan11 03:17 +1d19h  would delay 1209  │
  1141       eva        lattice  normal batch       32    6:00:00      1284   2.83  11:00h ~Jan12 03:17 +2d19h  27 procs short    │
  1185       john       turbine  normal batch       16 1:00:00:00      1282   1.32   7:37h ~Jan12 05:17 +2d21h  11 procs short    │
  1205       amina      plasma   high   long        32 1:12:00:00      1192   1.12   4:25h ~Jan12 09:17 +3d01h  27 procs short    │
  1149       eva        lattice  normal batch       16   12:00:00      1134   1.89  10:40h ~Jan10 06:39 +22:39h 11 procs short    │
  1197       john       turbine  normal batch        8 1:00:00:00       952   1.21   5:02h ~Jan12 05:17 +2d21h  3 procs short     │
  1196       bob        catalys~ normal batch        4 1:00:00:00       741   1.21   5:08h ~Jan11 03:17 +1d19h  would delay 1209  │
  1201       rosa       protein  normal batch        4 1:00:00:00       690   1.20   4:43h ~Jan12 05:17 +2d21h  would delay 1209  │
  1199       tom        plasma   normal batch        8 1:00:00:00       682   1.21   4:56h ~Jan13 05:17 +3d21h  3 procs short     │
  1204       bob        catalys~ normal batch        2 1:00:00:00       655   1.19   4:27h ~Jan12 05:17 +2d21h  would delay 1209  │
  1192       nora       genomes  low    batch        2 1:00:00:00       562   1.22   5:19h ~Jan12 05:17 +2d21h  would delay 1209  │
  1222       john       turbine  normal batch        2 1:00:00:00       539   1.07   1:45h ~Jan13 05:17 +3d21h  would delay 1209  │
  1188       eva        lattice  normal batch        3    6:00:00       513   1.93   5:34h ~11:33:45 +3:33h     would delay 1209  │
  1216       ines       genomes  normal batch        2   12:00:00       493   1.25   3:02h ~Jan10 09:17 +1d01h  would delay 1209  │
  1198       eva        lattice  normal batch        8    8:00:00       422   1.63   5:01h ~Jan10 10:36 +1d02h  3 procs short     │
  1211       nora       genomes  low    batch        4 1:00:00:00       406   1.17   4:02h ~Jan13 05:17 +3d21h  would delay 1209  │
  1223       eva        lattice  normal batch       32    3:00:00        12   1.50   1:30h ~Jan13 21:17 +4d13h  27 procs short    │
  1225       julia      plasma   low    batch        2    6:00:00         3   1.17   1:01h ~Jan10 00:00 +16:00h would delay 1209  │
BLOCKED 2 - by hold ──────────────────────────────────────────────────────────────────────────────────────────────────────────────│
  1133     H paul       acousti~ low    batch       16 1:00:00:00      1386   1.47  11:10h -                    held (user)       │
  1193     H mei        protein  high   batch       32    0:10:00      6258  32.82   5:18h -                    held (system)     │
BLOCKED 3 - by fairshare cap ─────────────────────────────────────────────────────────────────────────────────────────────────────│
  510      ! lars       catalys~ low    long         2 1:12:00:00      7382   2.69   2d12h -                    over the cap of u~│
  654      ! lars       catalys~ low    batch        4   12:00:00      5670   4.74   1d20h ~Jan13 05:17 +3d21h  over the cap of u~│
  764      ! lars       catalys~ low    batch        4   12:00:00      5107   4.38   1d16h ~Jan13 05:17 +3d21h  over the cap of u~│
 Total Jobs: 55   Active Jobs: 12   Idle Jobs: 38   Blocked Jobs: 5

 <Enter> open  w why  H hold  R release  W weights  u undo  = numbers  : command  <Space> mark  / filter  s sort  Z freeze  < slower  > faster                                           ? help  Q quit
EOS
screen '200x60: a weight, the order and the starts it would give' 200x60-typed <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  8 Journal
  JOB          USER       RANK           PRIORITY      AFTER START       AFTER       CHANGE
IDLE 37 - in the order the draft would give ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
> 1209       r mei        1                  5084      28499 11:33:45    11:33:45
  1127         eva        3 -> 2             2343      13729 Jan10 02:17 14:17:09    -12:00:00
  1168         paul       18 -> 3            1365       4962 Jan10 03:17 11:43:45    -15:33:24
  1179       r amina      2 -> 4             2386       3875 14:17:09    15:17:09    +1:00:00
  1141         eva        21 -> 5            1284       3835 Jan12 03:17 Jan10 03:17 -2:00:00:00
  1163         leila      15 -> 6            1426       3777 Jan10 03:17 11:43:45    -15:33:24
  1096         ravi       4 -> 7             1790       3326 11:43:45    14:43:45    +3:00:00
  1169         ravi       16 -> 8            1406       3316 Jan11 21:17 Jan10 09:17 -1:12:00:33
  1053         nora       5 -> 9             1744       3200 11:43:45    17:43:45    +6:00:00
  1090         bob        8 -> 10            1707       3092 22:04:54    21:17:42    -0:47:12
  1085         tom        10 -> 11           1683       3073 Jan10 03:17 22:04:54    -5:12:15
  1097         bob        9 -> 12            1684       3061 Jan10 03:17 Jan10 06:39 +3:22:00
  1103         bob        11 -> 13           1683       3051 Jan10 21:17 Jan10 17:17 -4:00:33
  1136         john       6 -> 14            1714       3031 Jan10 03:17 Jan10 17:43 +14:26:36
  1134         john       7 -> 15            1709       3028 21:17:42    Jan10 21:17 +1:00:00:00
  1105         bob        13 -> 16           1650       3016 Jan11 03:17 Jan10 22:04 -5:12:15
  1144         john       12 -> 17           1681       2991 Jan10 22:04 Jan11 06:39 +8:34:15
  1088         nora       14 -> 18           1509       2894 Jan11 03:17 Jan11 17:17 +14:00:00
  1149         eva        24 -> 19           1134       2834 Jan10 06:39 Jan11 17:17 +1:10:38:00
  1131         paul       17 -> 20           1379       2699 Jan10 23:53 Jan11 17:17 +17:23:32
  1161         bob        19 -> 21           1318       2585 Jan11 03:17 Jan11 17:17 +14:00:00
  1152         paul       20 -> 22           1286       2578 Jan11 03:17 Jan11 17:17 +14:00:00
  1185         john       22 -> 23           1282       2468 Jan12 05:17 Jan11 17:43 -11:33:57
  1188         eva        32 -> 24            513       2248 11:43:45    11:43:45
  1205         amina      23 -> 25           1192       2203 Jan12 09:17 Jan12 17:17 +8:00:00
  1197         john       25 -> 26            952       2041 Jan12 05:17 Jan11 22:04 -7:12:48
  1198         eva        34 -> 27            422       1886 Jan10 11:43 Jan10 08:43 -3:00:00
  1196         bob        26 -> 28            741       1834 Jan11 03:17 Jan12 05:17 +1:02:00:00
  1199         tom        28 -> 29            682       1767 Jan13 05:17 Jan12 17:43 -11:33:57
  1201         rosa       27 -> 30            690       1767 Jan12 05:17 Jan12 05:17 -0:00:33
  1204         bob        29 -> 31            655       1722 Jan12 05:17 Jan12 17:43 +12:26:03
  +11 more
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
 1209: 28499 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.76 % + proc 1 * 16 procs + queuetime 2 * 250.17 min + xfactor 1000 * 26.02 + targetqueuetime 0.00001 * 14772.18

WEIGHTS IN USE ──────────────────────────────────────────────────────────── VALUE ───── IN FORCE ───────────────────────────────────────────────────────────────────────────────────────────────────────
  queuetimeweight             [───────┃──────────────────────────────]          2              2 0..10                Weight of the effective queue time.
> xfactorweight               [─────────────────────────────────────┃]       1000            100 0..1000              Weight of the expansion factor, 1 + queue time / wallclock limit.
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
  resweight                   [────┃─────────────────────────────────]          1              1 0..10                Weight of the resources asked for.
NODES ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  nodeallocationpolicy        <lastavailable>                                      lastavailable                      Which of the nodes that fit are taken.
  +19 more
 order changes: 32   starts moved: 35 (18 earlier, 17 later)   points   keys: weights (<Tab>)
 tune xfactorweight 1000: 32 jobs change order; 18 earlier; 17 later; 1149 +1:10:38:00
 <Enter> apply  <Esc> drop  W weights  e value  { -10  } +10  0 default  b percent  = numbers  u undo  q back                                                                            ? help  Q quit
EOS
screen '200x60: undoing it' 200x60-undo-draft <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  8 Journal
  JOB          USER       RANK           PRIORITY      AFTER START       AFTER       CHANGE
IDLE 37 - in the order the draft would give ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
> 1209       r mei        1                 28499       5084 11:33:45    11:33:45
  1179         amina      4 -> 2             3875       2386 15:17:09    14:17:09    -1:00:00
  1127       r eva        2 -> 3            13729       2343 14:17:09    Jan10 02:17 +12:00:00
  1096         ravi       7 -> 4             3326       1790 14:43:45    11:43:45    -3:00:00
  1053         nora       9 -> 5             3200       1744 17:43:45    11:43:45    -6:00:00
  1136         john       14 -> 6            3031       1714 Jan10 17:43 Jan10 03:17 -14:26:36
  1134         john       15 -> 7            3028       1709 Jan10 21:17 21:17:42    -1:00:00:00
  1090         bob        10 -> 8            3092       1707 21:17:42    22:04:54    +0:47:12
  1097         bob        12 -> 9            3061       1684 Jan10 06:39 Jan10 03:17 -3:22:00
  1085         tom        11 -> 10           3073       1683 22:04:54    Jan10 03:17 +5:12:15
  1103         bob        13 -> 11           3051       1683 Jan10 17:17 Jan10 21:17 +4:00:33
  1144         john       17 -> 12           2991       1681 Jan11 06:39 Jan10 22:04 -8:34:15
  1105         bob        16 -> 13           3016       1650 Jan10 22:04 Jan11 03:17 +5:12:15
  1088         nora       18 -> 14           2894       1509 Jan11 17:17 Jan11 03:17 -14:00:00
  1163         leila      6 -> 15            3777       1426 11:43:45    Jan10 03:17 +15:33:24
  1169         ravi       8 -> 16            3316       1406 Jan10 09:17 Jan11 21:17 +1:12:00:33
  1131         paul       20 -> 17           2699       1379 Jan11 17:17 Jan10 23:53 -17:23:32
  1168         paul       3 -> 18            4962       1365 11:43:45    Jan10 03:17 +15:33:24
  1161         bob        21 -> 19           2585       1318 Jan11 17:17 Jan11 03:17 -14:00:00
  1152         paul       22 -> 20           2578       1286 Jan11 17:17 Jan11 03:17 -14:00:00
  1141         eva        5 -> 21            3835       1284 Jan10 03:17 Jan12 03:17 +2:00:00:00
  1185         john       23 -> 22           2468       1282 Jan11 17:43 Jan12 05:17 +11:33:57
  1205         amina      25 -> 23           2203       1192 Jan12 17:17 Jan12 09:17 -8:00:00
  1149         eva        19 -> 24           2834       1134 Jan11 17:17 Jan10 06:39 -1:10:38:00
  1197         john       26 -> 25           2041        952 Jan11 22:04 Jan12 05:17 +7:12:48
  1196         bob        28 -> 26           1834        741 Jan12 05:17 Jan11 03:17 -1:02:00:00
  1201         rosa       30 -> 27           1767        690 Jan12 05:17 Jan12 05:17 +0:00:33
  1199         tom        29 -> 28           1767        682 Jan12 17:43 Jan13 05:17 +11:33:57
  1204         bob        31 -> 29           1722        655 Jan12 17:43 Jan12 05:17 -12:26:03
  1192         nora       32 -> 30           1661        562 Jan12 17:43 Jan12 05:17 -12:26:03
  1222         john       34 -> 31           1505        539 Jan12 17:43 Jan13 05:17 +11:33:57
  +11 more
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
 1209: 5084 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.76 % + proc 1 * 16 procs + queuetime 2 * 250.17 min + xfactor 100 * 26.02 + targetqueuetime 0.00001 * 14772.18

WEIGHTS IN USE ──────────────────────────────────────────────────────────── VALUE ───── IN FORCE ───────────────────────────────────────────────────────────────────────────────────────────────────────
  queuetimeweight             [───────┃──────────────────────────────]          2              2 0..10                Weight of the effective queue time.
> xfactorweight               [───────────────────┃──────────────────]       1000           1000 0..2000              Weight of the expansion factor, 1 + queue time / wallclock limit.
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
  resweight                   [────┃─────────────────────────────────]          1              1 0..10                Weight of the resources asked for.
NODES ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  nodeallocationpolicy        <lastavailable>                                      lastavailable                      Which of the nodes that fit are taken.
  +19 more
 order changes: 32   starts moved: 35 (17 earlier, 18 later)   points   keys: jobs (<Tab>)
 undo 6500 (xfactorweight = 1000): 32 jobs change order; 17 earlier; 18 later; 1141 +2:00:00:00
 <Enter> apply  <Esc> drop  W weights  e value  { -10  } +10  0 default  b percent  = numbers  u undo  q back                                                                            ? help  Q quit
EOS
