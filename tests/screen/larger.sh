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
check_equal '200x60: after the undo order and starts are as they were' \
	"$(idle_of 200x60-first)" "$(idle_of 200x60-last)"
check_true '200x60: with the weight they were others' \
	test "$(idle_of 200x60-first)" != "$(idle_of 200x60-in-force)"

screen '100x30: the queue' 100x30-first <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████████████████████████████████████████████████████████████████ 64/64 100%]
 Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB          USER     CLASS   PROC    WCLIMIT    PRIO QUEUED EST.START            WHY NOT NOW
  1069       b ines     batch      4   18:00:00       - 13:19h  Jan10 01:26 +17:26h   3%
  1219       b amina    batch      1   18:00:00       -  1:32h  Jan10 01:32 +17:32h   2%
  1091       b bob      batch      2 1:00:00:00       -  9:49h  Jan10 04:55 +20:55h  12%
  1120       b john     batch      4 1:00:00:00       - 11:32h  Jan10 07:39 +23:39h   1%
  1074       b steve    long       2 2:00:00:00       -  6:46h  Jan11 01:10 +1d17h   14%
IDLE 37 - by priority ──────────────────────────────────────────────────────────────────────────────
> 1096       r ravi     batch      8   18:00:00    1706 12:43h  13:30:36 +5:30h     8 procs short
  1103       r bob      batch     32 1:00:00:00    1683 12:29h  19:58:36 +11:58h    32 procs short
  1105         bob      batch      6 1:00:00:00    1650 12:26h ~16:38:31 +8:38h     6 procs short
  1141         eva      batch     32    6:00:00    1536 11:00h ~Jan10 19:58 +1d11h  32 procs short
  1088         nora     batch      5 1:00:00:00    1509 12:55h ~19:34:02 +11:34h    5 procs short
  1136         john     batch     16 1:00:00:00    1495 11:06h ~Jan10 07:39 +23:39h 16 procs short
  1134         john     batch      4 1:00:00:00    1490 11:09h ~Jan10 16:38 +1d08h  4 procs short
  1144         john     batch      4 1:00:00:00    1462 10:56h ~Jan10 16:38 +1d08h  4 procs short
  1163         leila    batch      4    6:00:00    1426  9:40h ~Jan10 01:26 +17:26h 4 procs short
  1149         eva      batch     16   12:00:00    1385 10:40h ~Jan11 01:58 +1d17h  16 procs short
  1169         ravi     batch     32    8:00:00    1322  8:58h ~Jan11 07:39 +1d23h  32 procs short
  1130         nora     batch      2 1:00:00:00    1311 11:21h ~Jan10 19:34 +1d11h  2 procs short
  1133         paul     batch     16 1:00:00:00    1302 11:10h ~Jan11 13:58 +2d05h  16 procs short
  1131         paul     batch      4 1:00:00:00    1295 11:12h ~Jan10 19:34 +1d11h  4 procs short
  +25 more
 Job 1096 needs 8 processors and 0 are free: 8 short.
 Total Jobs: 53   Active Jobs: 14   Idle Jobs: 37   Blocked Jobs: 2

 <Enter> open  w why  H hold  R release  W weights  u undo  = numbers  : command     ? help  Q quit
EOS
screen '100x30: why the first waits' 100x30-why <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue [2 Job] 3 Priority  8 Journal
 Job 1096  foam-steady
  for       ravi/engineering/turbine   class batch   QOS normal
  asks      8 procs for 18:00:00 = 518400 PS, 4000 MB a task
  submitted Jan08 19:16, queued 12:43:47, bypassed 33x
  state     idle, number 1 of 37
  starts     13:30:36 +5:30h (reserved)
 Job 1096 needs 8 processors and 0 are free: 8 short.

 CHECK                   VALUE                                          LIMIT               RESULT
 5 priority not negative 1706                                           -                   ok
 6 fits the machine      8 procs                                        64 in the machine   ok
>13 resources now        8 procs                                        0 free              FAIL
 14 reservations ahead   no reservation is delayed                      >= 8                ok
 15 strict order         none ahead                                     -                   ok
   none: hold, defer, dependency, start date, limits of its class, limits of any job, idle limits,
   hard limits, soft limits, fairshare cap

 PRIORITY
 1706 = proc 1 * 8 procs + queuetime 2 * 763.78 min + xfactor 100 * 1.71

 HISTORY
 Jan08 19:16  submit 1096: 8 processors for 18:00:00, user ravi  (ravi, entry 5563)





 H hold  R release  p priority  W weights  = numbers  u undo  q back                 ? help  Q quit
EOS
screen '100x30: the hold and what it would do' 100x30-held-draft <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████████████████████████████████████████████████████████████████ 64/64 100%]
 Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB          USER     CLASS   PROC    WCLIMIT    PRIO QUEUED EST.START            WHY NOT NOW
  1069       b ines     batch      4   18:00:00       - 13:19h  Jan10 01:26 +17:26h   3%
  1219       b amina    batch      1   18:00:00       -  1:32h  Jan10 01:32 +17:32h   2%
  1091       b bob      batch      2 1:00:00:00       -  9:49h  Jan10 04:55 +20:55h  12%
  1120       b john     batch      4 1:00:00:00       - 11:32h  Jan10 07:39 +23:39h   1%
  1074       b steve    long       2 2:00:00:00       -  6:46h  Jan11 01:10 +1d17h   14%
IDLE 37 - by priority ──────────────────────────────────────────────────────────────────────────────
> 1096       r ravi     batch      8   18:00:00    1706 12:43h  13:30:36 +5:30h     8 procs short
  1103       r bob      batch     32 1:00:00:00    1683 12:29h  19:58:36 +11:58h    32 procs short
  1105         bob      batch      6 1:00:00:00    1650 12:26h ~16:38:31 +8:38h     6 procs short
  1141         eva      batch     32    6:00:00    1536 11:00h ~Jan10 19:58 +1d11h  32 procs short
  1088         nora     batch      5 1:00:00:00    1509 12:55h ~19:34:02 +11:34h    5 procs short
  1136         john     batch     16 1:00:00:00    1495 11:06h ~Jan10 07:39 +23:39h 16 procs short
  1134         john     batch      4 1:00:00:00    1490 11:09h ~Jan10 16:38 +1d08h  4 procs short
  1144         john     batch      4 1:00:00:00    1462 10:56h ~Jan10 16:38 +1d08h  4 procs short
  1163         leila    batch      4    6:00:00    1426  9:40h ~Jan10 01:26 +17:26h 4 procs short
  1149         eva      batch     16   12:00:00    1385 10:40h ~Jan11 01:58 +1d17h  16 procs short
  1169         ravi     batch     32    8:00:00    1322  8:58h ~Jan11 07:39 +1d23h  32 procs short
  1130         nora     batch      2 1:00:00:00    1311 11:21h ~Jan10 19:34 +1d11h  2 procs short
  1133         paul     batch     16 1:00:00:00    1302 11:10h ~Jan11 13:58 +2d05h  16 procs short
  1131         paul     batch      4 1:00:00:00    1295 11:12h ~Jan10 19:34 +1d11h  4 procs short
  +25 more
 Job 1096 needs 8 processors and 0 are free: 8 short.
 Total Jobs: 53   Active Jobs: 14   Idle Jobs: 37   Blocked Jobs: 2
 hold -u 1096: the order stays; 17 earlier; 7 later; 1195 +18:24:34
 <Enter> apply  <Esc> drop  w why  H hold  R release  W weights  u undo  = numbers   ? help  Q quit
EOS
screen '100x30: held, it is among the blocked' 100x30-held <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████████████████████████████████████████████████████████████████ 64/64 100%]
 Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB          USER     CLASS   PROC    WCLIMIT    PRIO QUEUED EST.START            WHY NOT NOW
  1185         john     batch     16 1:00:00:00    1063  7:37h ~Jan12 13:30 +3d05h  16 procs short
  1187         john     batch      2 1:00:00:00    1000  7:14h ~Jan11 13:58 +2d05h  2 procs short
  1180         eva      batch      2   18:00:00     978  7:46h ~Jan10 15:16 +1d07h  2 procs short
  1188         eva      batch      3    6:00:00     764  5:34h ~23:08:31 +15:08h    3 procs short
  1195         bob      batch      2 1:00:00:00     748  5:12h ~Jan12 13:58 +3d05h  2 procs short
  1196         bob      batch      4 1:00:00:00     741  5:08h ~Jan12 13:58 +3d05h  4 procs short
  1197         john     batch      8 1:00:00:00     733  5:02h ~Jan12 13:58 +3d05h  8 procs short
  1199         tom      batch      8 1:00:00:00     721  4:56h ~Jan13 03:39 +3d19h  8 procs short
  1201         rosa     batch      4 1:00:00:00     690  4:43h ~Jan13 03:39 +3d19h  4 procs short
  1202         bob      batch      2 1:00:00:00     682  4:40h ~Jan13 01:58 +3d17h  2 procs short
  1204         bob      batch      2 1:00:00:00     655  4:27h ~Jan13 03:39 +3d19h  2 procs short
  1192         nora     batch      2 1:00:00:00     562  5:19h ~Jan13 03:39 +3d19h  2 procs short
  1216         ines     batch      2   12:00:00     493  3:02h ~19:34:02 +11:34h    2 procs short
  1211         nora     batch      4 1:00:00:00     406  4:02h ~Jan13 03:39 +3d19h  4 procs short
  1222         john     batch      2 1:00:00:00     320  1:45h ~Jan13 03:39 +3d19h  2 procs short
  1223         eva      batch     32    3:00:00     263  1:30h ~Jan13 13:58 +4d05h  32 procs short
  1225         julia    batch      2    6:00:00      43  1:01h ~Jan10 01:26 +17:26h 2 procs short
BLOCKED 3 - by hold ────────────────────────────────────────────────────────────────────────────────
> 1096       H ravi     batch      8   18:00:00    1706 12:43h -                    held (user)
  1161       H bob      batch      4 1:00:00:00    1318  9:46h -                    held (user)
  1198       H eva      batch      8    8:00:00     673  5:01h -                    held (system)
 Job 1096 is held (user); it can start only after a release.
 Total Jobs: 53   Active Jobs: 14   Idle Jobs: 36   Blocked Jobs: 3
 Done: hold -u 1096. u undoes it.
 <Enter> open  w why  H hold  R release  W weights  u undo  = numbers  : command     ? help  Q quit
EOS
screen '100x30: a weight, the order and the starts it would give' 100x30-typed <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job [3 Priority] 8 Journal
  JOB          USER       RANK           PRIORITY      AFTER START       AFTER       CHANGE
  1163         leila      9 -> 2             1426       3777 Jan10 01:26 10:51:13    -14:34:59
> 1096       r ravi       1 -> 3             1706       3242 13:30:36    15:16:41    +1:46:05
  1169         ravi       11 -> 4            1322       3232 Jan11 07:39 Jan10 01:58 -1:05:41:10
  1149         eva        10 -> 5            1385       3085 Jan11 01:58 Jan10 01:32 -1:00:25:37
  1103       r bob        2 -> 6             1683       3051 19:58:36    Jan10 09:58 +14:00:00
  1105         bob        3 -> 7             1650       3016 16:38:31    Jan10 07:39 +15:01:15
  1088         nora       5 -> 8             1509       2894 19:34:02    Jan10 09:16 +13:42:39
  1136         john       6 -> 9             1495       2812 Jan10 07:39 Jan10 13:32 +5:53:13
  1134         john       7 -> 10            1490       2809 Jan10 16:38 Jan11 01:10 +8:31:49
  1144         john       8 -> 11            1462       2772 Jan10 16:38 Jan11 07:39 +15:01:15
  1130         nora       12                 1311       2637 Jan10 19:34 Jan11 07:39 +12:05:44
  1133         paul       13                 1302       2621 Jan11 13:58 Jan11 09:58 -4:00:00
  +26 more
────────────────────────────────────────────────────────────────────────────────────────────────────
 1096: 3242 = proc 1 * 8 procs + queuetime 2 * 763.78 min + xfactor 1000 * 1.71

WEIGHTS IN USE ────────────────────────────────────── VALUE IN FORCE ───────────────────────────────
  queuetimeweight             [───┃──────────────]        2        2 0..10      Weight of the effec~
> xfactorweight               [─────────────────┃]     1000      100 0..1000    Weight of the expan~
  targetqueuetimeweight       [─────────┃────────]  0.00001  0.00001 0..0.00002 Weight of how near ~
  userweight                  [──┃───────────────]        1        1 0..10      Weight of the prior~
  qosweight                   [──┃───────────────]        1        1 0..10      Weight of the prior~
  classweight                 [──┃───────────────]        1        1 0..10      Weight of the prior~
  +27 more
 order changes: 23   starts moved: 37 (24 earlier, 13 later)   points   keys: weights (<Tab>)
 tune xfactorweight 1000: 23 jobs change order; 24 earlier; 13 later; 1205 +18:18:50
 <Enter> apply  <Esc> drop  W weights  e value  { -10  } +10  0 default  b percent   ? help  Q quit
EOS
screen '100x30: in force' 100x30-tuned <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 8 Journal
  JOB            PRIORITY    User*1     QOS*1   Class*1    Proc*1   QTime*2 XFctr*10~ SHARES
  1163       r       3777         0         0         0         4      1160      2612 qqqqxxxxxxxxxx
> 1096               3242         0         0         0         8      1527      1707 qqqqqqqxxxxxxx
  1169               3232         0         0         0        32      1077      2122 qqqqqxxxxxxxxx
  1149               3085      -100         0         0        16      1280      1889 qqqqqqxxxxxxxx
  1103               3051         0         0         0        32      1499      1520 qqqqqqqxxxxxxx
  1105               3016         0         0         0         6      1492      1518 qqqqqqqxxxxxxx
  1088               2894         0      -200         0         5      1550      1538 cqqqqqqqxxxxxx
  1136               2812         0         0         0        16      1333      1463 qqqqqqqxxxxxxx
  1134               2809         0         0         0         4      1339      1465 qqqqqqqxxxxxxx
  1144               2772         0         0         0         4      1312      1455 qqqqqqqxxxxxxx
  1130               2637         0      -200         0         2      1362      1472 cqqqqqqxxxxxxx
  1133               2621         0      -200         0        16      1340      1465 cqqqqqqxxxxxxx
  +26 more
────────────────────────────────────────────────────────────────────────────────────────────────────
 1096: 3242 = proc 1 * 8 procs + queuetime 2 * 763.78 min + xfactor 1000 * 1.71

WEIGHTS IN USE ────────────────────────────────────── VALUE IN FORCE ───────────────────────────────
  queuetimeweight             [───┃──────────────]        2        2 0..10      Weight of the effec~
> xfactorweight               [─────────┃────────]     1000     1000 0..2000    Weight of the expan~
  targetqueuetimeweight       [─────────┃────────]  0.00001  0.00001 0..0.00002 Weight of how near ~
  userweight                  [──┃───────────────]        1        1 0..10      Weight of the prior~
  qosweight                   [──┃───────────────]        1        1 0..10      Weight of the prior~
  classweight                 [──┃───────────────]        1        1 0..10      Weight of the prior~
  +27 more
 points   keys: weights (<Tab>)
 Done: tune xfactorweight 1000. u undoes it.
 W weights  e value  { -10  } +10  0 default  b percent  = numbers  u undo  q back   ? help  Q quit
EOS
screen '100x30: undoing it' 100x30-undo-draft <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job [3 Priority] 8 Journal
  JOB          USER       RANK           PRIORITY      AFTER START       AFTER       CHANGE
IDLE 37 - in the order the draft would give ────────────────────────────────────────────────────────
> 1096         ravi       3 -> 1             3242       1706 15:16:41    13:30:36    -1:46:05
  1103         bob        6 -> 2             3051       1683 Jan10 09:58 19:58:36    -14:00:00
  1105         bob        7 -> 3             3016       1650 Jan10 07:39 16:38:31    -15:01:15
  1141       r eva        1 -> 4             4087       1536 19:58:36    Jan10 19:58 +1:00:00:00
  1088         nora       8 -> 5             2894       1509 Jan10 09:16 19:34:02    -13:42:39
  1136         john       9 -> 6             2812       1495 Jan10 13:32 Jan10 07:39 -5:53:13
  1134         john       10 -> 7            2809       1490 Jan11 01:10 Jan10 16:38 -8:31:49
  1144         john       11 -> 8            2772       1462 Jan11 07:39 Jan10 16:38 -15:01:15
  1163       r leila      2 -> 9             3777       1426 10:51:13    Jan10 01:26 +14:34:59
  1149         eva        5 -> 10            3085       1385 Jan10 01:32 Jan11 01:58 +1:00:25:37
  1169         ravi       4 -> 11            3232       1322 Jan10 01:58 Jan11 07:39 +1:05:41:10
  +28 more
────────────────────────────────────────────────────────────────────────────────────────────────────
 1096: 1706 = proc 1 * 8 procs + queuetime 2 * 763.78 min + xfactor 100 * 1.71

WEIGHTS IN USE ────────────────────────────────────── VALUE IN FORCE ───────────────────────────────
  queuetimeweight             [───┃──────────────]        2        2 0..10      Weight of the effec~
> xfactorweight               [─────────┃────────]     1000     1000 0..2000    Weight of the expan~
  targetqueuetimeweight       [─────────┃────────]  0.00001  0.00001 0..0.00002 Weight of how near ~
  userweight                  [──┃───────────────]        1        1 0..10      Weight of the prior~
  qosweight                   [──┃───────────────]        1        1 0..10      Weight of the prior~
  classweight                 [──┃───────────────]        1        1 0..10      Weight of the prior~
  +27 more
 order changes: 23   starts moved: 37 (13 earlier, 24 later)   points   keys: jobs (<Tab>)
 undo 6306 (xfactorweight = 1000): 23 jobs change order; 13 earlier; 24 later; 1225 +3:11:01:15
 <Enter> apply  <Esc> drop  W weights  e value  { -10  } +10  0 default  b percent   ? help  Q quit
EOS
screen '100x30: the order is as it was' 100x30-last <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████████████████████████████████████████████████████████████████ 64/64 100%]
 Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB          USER     CLASS   PROC    WCLIMIT    PRIO QUEUED EST.START            WHY NOT NOW
ACTIVE 14 - by completion ──────────────────────────────────── ENDS BY ──────────── USED ───────────
  1233       b eva      debug      2    0:30:00       -    28s  08:29:57 +29m         0%
  1224       b amina    batch      2    3:00:00       -    54m  10:51:13 +2:51h       4%
  1221       b olga     batch      1    4:00:00       -  1:15h  11:24:37 +3:24h      14%
  1121       b karl     batch      2    6:00:00       - 11:18h  13:30:36 +5:30h       8%
  1189       b mei      batch      2    6:00:00       -  4:59h  13:30:36 +5:30h       8%
  1052       b ines     batch      4   12:00:00       - 10:06h  15:16:41 +7:16h      39%
  1057       b leila    batch      4   12:00:00       - 11:08h  16:38:31 +8:38h      27%
  1092       b lars     batch      2   12:00:00       - 12:25h  19:34:02 +11:34h      3%
  1179         amina    batch     32   12:00:00       -  7:49h  19:58:36 +11:58h      0%
  1069       b ines     batch      4   18:00:00       - 13:19h  Jan10 01:26 +17:26h   3%
  1219       b amina    batch      1   18:00:00       -  1:32h  Jan10 01:32 +17:32h   2%
  1091       b bob      batch      2 1:00:00:00       -  9:49h  Jan10 04:55 +20:55h  12%
  1120       b john     batch      4 1:00:00:00       - 11:32h  Jan10 07:39 +23:39h   1%
  1074       b steve    long       2 2:00:00:00       -  6:46h  Jan11 01:10 +1d17h   14%
IDLE 37 - by priority ──────────────────────────────────────────────────────────────────────────────
> 1096       r ravi     batch      8   18:00:00    1706 12:43h  13:30:36 +5:30h     8 procs short
  1103       r bob      batch     32 1:00:00:00    1683 12:29h  19:58:36 +11:58h    32 procs short
  1105         bob      batch      6 1:00:00:00    1650 12:26h ~16:38:31 +8:38h     6 procs short
  1141         eva      batch     32    6:00:00    1536 11:00h ~Jan10 19:58 +1d11h  32 procs short
  +35 more
 Job 1096 needs 8 processors and 0 are free: 8 short.
 Total Jobs: 53   Active Jobs: 14   Idle Jobs: 37   Blocked Jobs: 2

 <Enter> open  w why  H hold  R release  W weights  u undo  = numbers  : command     ? help  Q quit
EOS
screen '200x60: the queue, the job beside it' 200x60-first <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████████████████████████████████████████████████████████████████ 64/64 100%] Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB          USER       ACCOUNT  QOS    CLASS     PROC    WCLIMIT      PRIO     XF  QUEUED EST.START            WHY NOT NOW     │ Job 1096  foam-steady
  1221       b olga       weather  high   batch        1    4:00:00         -      -   1:15h  11:24:37 +3:24h      14%            │  for       ravi/engineering/turbine   class batch   QOS normal
  1121       b karl       polymers normal batch        2    6:00:00         -      -  11:18h  13:30:36 +5:30h       8%            │  asks      8 procs for 18:00:00 = 518400 PS, 4000 MB a task
  1189       b mei        protein  high   batch        2    6:00:00         -      -   4:59h  13:30:36 +5:30h       8%            │  submitted Jan08 19:16, queued 12:43:47, bypassed 33x
  1052       b ines       genomes  normal batch        4   12:00:00         -      -  10:06h  15:16:41 +7:16h      39%            │  state     idle, number 1 of 37
  1057       b leila      ocean    normal batch        4   12:00:00         -      -  11:08h  16:38:31 +8:38h      27%            │  starts     13:30:36 +5:30h (reserved)
  1092       b lars       catalys~ low    batch        2   12:00:00         -      -  12:25h  19:34:02 +11:34h      3%            │ Job 1096 needs 8 processors and 0 are free: 8 short.
  1179         amina      plasma   high   batch       32   12:00:00         -      -   7:49h  19:58:36 +11:58h      0%            │
  1069       b ines       genomes  normal batch        4   18:00:00         -      -  13:19h  Jan10 01:26 +17:26h   3%            │ CHECK                   VALUE           LIMIT               RESULT
  1219       b amina      plasma   high   batch        1   18:00:00         -      -   1:32h  Jan10 01:32 +17:32h   2%            │ 5 priority not negative 1706            -                   ok
  1091       b bob        catalys~ normal batch        2 1:00:00:00         -      -   9:49h  Jan10 04:55 +20:55h  12%            │ 6 fits the machine      8 procs         64 in the machine   ok
  1120       b john       turbine  normal batch        4 1:00:00:00         -      -  11:32h  Jan10 07:39 +23:39h   1%            │>13 resources now        8 procs         0 free              FAIL
  1074       b steve      ocean    normal long         2 2:00:00:00         -      -   6:46h  Jan11 01:10 +1d17h   14%            │ 14 reservations ahead   no reservation is delayed >= 8      ok
IDLE 37 - by priority ────────────────────────────────────────────────────────────────────────────────────────────────────────────│ 15 strict order         none ahead      -                   ok
> 1096       r ravi       turbine  normal batch        8   18:00:00      1706   1.71  12:43h  13:30:36 +5:30h     8 procs short   │   none: hold, defer, dependency, start date, limits of its class,
  1103       r bob        catalys~ normal batch       32 1:00:00:00      1683   1.52  12:29h  19:58:36 +11:58h    32 procs short  │   limits of any job, idle limits, hard limits, soft limits,
  1105         bob        catalys~ normal batch        6 1:00:00:00      1650   1.52  12:26h ~16:38:31 +8:38h     6 procs short   │   fairshare cap
  1141         eva        lattice  normal batch       32    6:00:00      1536   2.83  11:00h ~Jan10 19:58 +1d11h  32 procs short  │
  1088         nora       genomes  low    batch        5 1:00:00:00      1509   1.54  12:55h ~19:34:02 +11:34h    5 procs short   │ PRIORITY
  1136         john       turbine  normal batch       16 1:00:00:00      1495   1.46  11:06h ~Jan10 07:39 +23:39h 16 procs short  │ 1706 = proc 1 * 8 procs + queuetime 2 * 763.78 min + xfactor 100 *
  1134         john       turbine  normal batch        4 1:00:00:00      1490   1.47  11:09h ~Jan10 16:38 +1d08h  4 procs short   │ 1.71
  1144         john       turbine  normal batch        4 1:00:00:00      1462   1.46  10:56h ~Jan10 16:38 +1d08h  4 procs short   │
  1163         leila      ocean    normal batch        4    6:00:00      1426   2.61   9:40h ~Jan10 01:26 +17:26h 4 procs short   │
  1149         eva        lattice  normal batch       16   12:00:00      1385   1.89  10:40h ~Jan11 01:58 +1d17h  16 procs short  │
  1169         ravi       turbine  normal batch       32    8:00:00      1322   2.12   8:58h ~Jan11 07:39 +1d23h  32 procs short  │
  1130         nora       genomes  low    batch        2 1:00:00:00      1311   1.47  11:21h ~Jan10 19:34 +1d11h  2 procs short   │
  1133         paul       acousti~ low    batch       16 1:00:00:00      1302   1.47  11:10h ~Jan11 13:58 +2d05h  16 procs short  │
  1131         paul       acousti~ low    batch        4 1:00:00:00      1295   1.47  11:12h ~Jan10 19:34 +1d11h  4 procs short   │
  1205         amina      plasma   high   long        32 1:12:00:00      1232   1.12   4:25h ~Jan11 15:39 +2d07h  32 procs short  │
  1170         bob        catalys~ normal batch        2 1:00:00:00      1216   1.37   8:58h ~Jan11 01:10 +1d17h  2 procs short   │
  1152         paul       acousti~ low    batch        4 1:00:00:00      1202   1.44  10:27h ~Jan11 16:38 +2d08h  4 procs short   │
  1174         bob        catalys~ normal batch        2 1:00:00:00      1133   1.35   8:18h ~Jan11 16:38 +2d08h  2 procs short   │
  1175         chen       catalys~ normal long         2 1:12:00:00      1120   1.23   8:17h ~Jan11 16:38 +2d08h  2 procs short   │
  1229         eva        lattice  normal debug        4    0:30:00      1092   1.56     16m ~10:51:13 +2:51h     4 procs short   │
  1185         john       turbine  normal batch       16 1:00:00:00      1063   1.32   7:37h ~Jan12 13:58 +3d05h  16 procs short  │
  1187         john       turbine  normal batch        2 1:00:00:00      1000   1.30   7:14h ~Jan11 19:34 +2d11h  2 procs short   │
  1180         eva        lattice  normal batch        2   18:00:00       978   1.43   7:46h ~Jan11 19:34 +2d11h  2 procs short   │
  1188         eva        lattice  normal batch        3    6:00:00       764   1.93   5:34h ~Jan10 04:55 +20:55h 3 procs short   │
  1195         bob        catalys~ normal batch        2 1:00:00:00       748   1.22   5:12h ~Jan11 19:34 +2d11h  2 procs short   │
  1196         bob        catalys~ normal batch        4 1:00:00:00       741   1.21   5:08h ~Jan12 13:34 +3d05h  4 procs short   │
  1197         john       turbine  normal batch        8 1:00:00:00       733   1.21   5:02h ~Jan12 19:34 +3d11h  8 procs short   │
  1199         tom        plasma   normal batch        8 1:00:00:00       721   1.21   4:56h ~Jan13 03:39 +3d19h  8 procs short   │
  1201         rosa       protein  normal batch        4 1:00:00:00       690   1.20   4:43h ~Jan13 03:39 +3d19h  4 procs short   │
  1202         bob        catalys~ normal batch        2 1:00:00:00       682   1.19   4:40h ~Jan12 16:38 +3d08h  2 procs short   │
  1204         bob        catalys~ normal batch        2 1:00:00:00       655   1.19   4:27h ~Jan13 03:39 +3d19h  2 procs short   │
  1192         nora       genomes  low    batch        2 1:00:00:00       562   1.22   5:19h ~Jan13 03:39 +3d19h  2 procs short   │
  1216         ines       genomes  normal batch        2   12:00:00       493   1.25   3:02h ~Jan12 01:10 +2d17h  2 procs short   │
  1211         nora       genomes  low    batch        4 1:00:00:00       406   1.17   4:02h ~Jan13 03:39 +3d19h  4 procs short   │
  1222         john       turbine  normal batch        2 1:00:00:00       320   1.07   1:45h ~Jan13 03:39 +3d19h  2 procs short   │
  1223         eva        lattice  normal batch       32    3:00:00       263   1.50   1:30h ~Jan13 13:58 +4d05h  32 procs short  │
  1225         julia      plasma   low    batch        2    6:00:00        43   1.17   1:01h ~Jan13 03:39 +3d19h  2 procs short   │
BLOCKED 2 - by hold ──────────────────────────────────────────────────────────────────────────────────────────────────────────────│
  1161       H bob        catalys~ normal batch        4 1:00:00:00      1318   1.41   9:46h -                    held (user)     │
  1198       H eva        lattice  normal batch        8    8:00:00       673   1.63   5:01h -                    held (system)   │
 Total Jobs: 53   Active Jobs: 14   Idle Jobs: 37   Blocked Jobs: 2

 <Enter> open  w why  H hold  R release  W weights  u undo  = numbers  : command  <Space> mark  / filter  s sort  Z freeze  < slower  > faster                                           ? help  Q quit
EOS
screen '200x60: a weight, the order and the starts it would give' 200x60-typed <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job [3 Priority] 8 Journal
  JOB          USER       RANK           PRIORITY      AFTER START       AFTER       CHANGE
  1163         leila      9 -> 2             1426       3777 Jan10 01:26 10:51:13    -14:34:59
> 1096       r ravi       1 -> 3             1706       3242 13:30:36    15:16:41    +1:46:05
  1169         ravi       11 -> 4            1322       3232 Jan11 07:39 Jan10 01:58 -1:05:41:10
  1149         eva        10 -> 5            1385       3085 Jan11 01:58 Jan10 01:32 -1:00:25:37
  1103       r bob        2 -> 6             1683       3051 19:58:36    Jan10 09:58 +14:00:00
  1105         bob        3 -> 7             1650       3016 16:38:31    Jan10 07:39 +15:01:15
  1088         nora       5 -> 8             1509       2894 19:34:02    Jan10 09:16 +13:42:39
  1136         john       6 -> 9             1495       2812 Jan10 07:39 Jan10 13:32 +5:53:13
  1134         john       7 -> 10            1490       2809 Jan10 16:38 Jan11 01:10 +8:31:49
  1144         john       8 -> 11            1462       2772 Jan10 16:38 Jan11 07:39 +15:01:15
  1130         nora       12                 1311       2637 Jan10 19:34 Jan11 07:39 +12:05:44
  1133         paul       13                 1302       2621 Jan11 13:58 Jan11 09:58 -4:00:00
  1131         paul       14                 1295       2615 Jan10 19:34 Jan11 09:16 +13:42:39
  1188         eva        24 -> 15            764       2500 Jan10 04:55 16:38:31    -12:16:52
  1152         paul       17 -> 16           1202       2494 Jan11 16:38 Jan11 09:58 -6:39:55
  1229         eva        20 -> 17           1092       2493 10:51:13    13:30:36    +2:39:23
  1170         bob        16 -> 18           1216       2453 Jan11 01:10 Jan11 09:16 +8:06:21
  1174         bob        18 -> 19           1133       2345 Jan11 16:38 Jan11 09:58 -6:39:55
  1180         eva        23 -> 20            978       2266 Jan11 19:34 Jan11 09:58 -9:35:26
  1185         john       21                 1063       2249 Jan12 13:58 Jan11 13:32 -1:00:25:37
  1205         amina      15 -> 22           1232       2243 Jan11 15:39 Jan12 09:58 +18:18:50
  1175         chen       19 -> 23           1120       2227 Jan11 16:38 Jan11 09:58 -6:39:55
  1187         john       22 -> 24           1000       2171 Jan11 19:34 Jan11 09:58 -9:35:26
  1195         bob        25                  748       1843 Jan11 19:34 Jan11 09:58 -9:35:26
  1196         bob        26                  741       1834 Jan12 13:34 Jan12 01:10 -12:23:42
  1197         john       27                  733       1822 Jan12 19:34 Jan12 07:39 -11:54:16
  1199         tom        28                  721       1807 Jan13 03:39 Jan12 13:32 -14:06:47
  1201         rosa       29                  690       1767 Jan13 03:39 Jan12 13:32 -14:06:47
  1202         bob        30                  682       1758 Jan12 16:38 Jan11 09:58 -1:06:39:55
  1204         bob        31                  655       1722 Jan13 03:39 Jan12 09:16 -18:23:05
  1192         nora       32                  562       1661 Jan13 03:39 Jan12 13:32 -14:06:47
  1216         ines       33                  493       1621 Jan12 01:10 Jan10 09:16 -1:15:53:39
  +6 more
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
 1096: 3242 = proc 1 * 8 procs + queuetime 2 * 763.78 min + xfactor 1000 * 1.71

WEIGHTS IN USE ────────────────────────────────────────────────────────── VALUE IN FORCE ───────────────────────────────────────────────────────────────────────────────────────────────────────────────
  queuetimeweight             [───────┃──────────────────────────────]        2        2 0..10      Weight of the effective queue time.
> xfactorweight               [─────────────────────────────────────┃]     1000      100 0..1000    Weight of the expansion factor, 1 + queue time / wallclock limit.
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
  targetxfactorweight         [┃─────────────────────────────────────]        0        0 0..100     Weight of how near the expansion factor is to xftarget: 1 at first, 1e8 at the target.
  fsuserweight                [┃─────────────────────────────────────]        0        0 0..100     Weight of how far the user is below the share aimed at.
  fsgroupweight               [┃─────────────────────────────────────]        0        0 0..100     Weight of how far the group is below the share aimed at.
  +18 more
 order changes: 23   starts moved: 37 (24 earlier, 13 later)   points   keys: weights (<Tab>)
 tune xfactorweight 1000: 23 jobs change order; 24 earlier; 13 later; 1205 +18:18:50
 <Enter> apply  <Esc> drop  W weights  e value  { -10  } +10  0 default  b percent  = numbers  u undo  q back                                                                            ? help  Q quit
EOS
screen '200x60: undoing it' 200x60-undo-draft <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job [3 Priority] 8 Journal
  JOB          USER       RANK           PRIORITY      AFTER START       AFTER       CHANGE
IDLE 37 - in the order the draft would give ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
> 1096         ravi       3 -> 1             3242       1706 15:16:41    13:30:36    -1:46:05
  1103         bob        6 -> 2             3051       1683 Jan10 09:58 19:58:36    -14:00:00
  1105         bob        7 -> 3             3016       1650 Jan10 07:39 16:38:31    -15:01:15
  1141       r eva        1 -> 4             4087       1536 19:58:36    Jan10 19:58 +1:00:00:00
  1088         nora       8 -> 5             2894       1509 Jan10 09:16 19:34:02    -13:42:39
  1136         john       9 -> 6             2812       1495 Jan10 13:32 Jan10 07:39 -5:53:13
  1134         john       10 -> 7            2809       1490 Jan11 01:10 Jan10 16:38 -8:31:49
  1144         john       11 -> 8            2772       1462 Jan11 07:39 Jan10 16:38 -15:01:15
  1163       r leila      2 -> 9             3777       1426 10:51:13    Jan10 01:26 +14:34:59
  1149         eva        5 -> 10            3085       1385 Jan10 01:32 Jan11 01:58 +1:00:25:37
  1169         ravi       4 -> 11            3232       1322 Jan10 01:58 Jan11 07:39 +1:05:41:10
  1130         nora       12                 2637       1311 Jan11 07:39 Jan10 19:34 -12:05:44
  1133         paul       13                 2621       1302 Jan11 09:58 Jan11 13:58 +4:00:00
  1131         paul       14                 2615       1295 Jan11 09:16 Jan10 19:34 -13:42:39
  1205         amina      22 -> 15           2243       1232 Jan12 09:58 Jan11 15:39 -18:18:50
  1170         bob        18 -> 16           2453       1216 Jan11 09:16 Jan11 01:10 -8:06:21
  1152         paul       16 -> 17           2494       1202 Jan11 09:58 Jan11 16:38 +6:39:55
  1174         bob        19 -> 18           2345       1133 Jan11 09:58 Jan11 16:38 +6:39:55
  1175         chen       23 -> 19           2227       1120 Jan11 09:58 Jan11 16:38 +6:39:55
  1229         eva        17 -> 20           2493       1092 13:30:36    10:51:13    -2:39:23
  1185         john       21                 2249       1063 Jan11 13:32 Jan12 13:58 +1:00:25:37
  1187         john       24 -> 22           2171       1000 Jan11 09:58 Jan11 19:34 +9:35:26
  1180         eva        20 -> 23           2266        978 Jan11 09:58 Jan11 19:34 +9:35:26
  1188         eva        15 -> 24           2500        764 16:38:31    Jan10 04:55 +12:16:52
  1195         bob        25                 1843        748 Jan11 09:58 Jan11 19:34 +9:35:26
  1196         bob        26                 1834        741 Jan12 01:10 Jan12 13:34 +12:23:42
  1197         john       27                 1822        733 Jan12 07:39 Jan12 19:34 +11:54:16
  1199         tom        28                 1807        721 Jan12 13:32 Jan13 03:39 +14:06:47
  1201         rosa       29                 1767        690 Jan12 13:32 Jan13 03:39 +14:06:47
  1202         bob        30                 1758        682 Jan11 09:58 Jan12 16:38 +1:06:39:55
  1204         bob        31                 1722        655 Jan12 09:16 Jan13 03:39 +18:23:05
  +8 more
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
 1096: 1706 = proc 1 * 8 procs + queuetime 2 * 763.78 min + xfactor 100 * 1.71

WEIGHTS IN USE ────────────────────────────────────────────────────────── VALUE IN FORCE ───────────────────────────────────────────────────────────────────────────────────────────────────────────────
  queuetimeweight             [───────┃──────────────────────────────]        2        2 0..10      Weight of the effective queue time.
> xfactorweight               [───────────────────┃──────────────────]     1000     1000 0..2000    Weight of the expansion factor, 1 + queue time / wallclock limit.
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
  targetxfactorweight         [┃─────────────────────────────────────]        0        0 0..100     Weight of how near the expansion factor is to xftarget: 1 at first, 1e8 at the target.
  fsuserweight                [┃─────────────────────────────────────]        0        0 0..100     Weight of how far the user is below the share aimed at.
  fsgroupweight               [┃─────────────────────────────────────]        0        0 0..100     Weight of how far the group is below the share aimed at.
  +18 more
 order changes: 23   starts moved: 37 (13 earlier, 24 later)   points   keys: jobs (<Tab>)
 undo 6306 (xfactorweight = 1000): 23 jobs change order; 13 earlier; 24 later; 1225 +3:11:01:15
 <Enter> apply  <Esc> drop  W weights  e value  { -10  } +10  0 default  b percent  = numbers  u undo  q back                                                                            ? help  Q quit
EOS
