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
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
  1069  b ines        4   18:00:00       -  Jan10 01:26 +17:26h   3%
  1219  b amina       1   18:00:00       -  Jan10 01:32 +17:32h   2%
  1091  b bob         2 1:00:00:00       -  Jan10 04:55 +20:55h  12%
  1120  b john        4 1:00:00:00       -  Jan10 07:39 +23:39h   1%
  1074  b steve       2 2:00:00:00       -  Jan11 01:10 +1d17h   14%
IDLE 37 - by priority ──────────────────────────────────────────────────────────
> 1096  r ravi        8   18:00:00    1706  13:30:36 +5:30h     8 procs short
  1103  r bob        32 1:00:00:00    1683  19:58:36 +11:58h    32 procs short
  1105    bob         6 1:00:00:00    1650 ~16:38:31 +8:38h     6 procs short
  1141    eva        32    6:00:00    1536 ~Jan10 19:58 +1d11h  32 procs short
  1088    nora        5 1:00:00:00    1509 ~19:34:02 +11:34h    5 procs short
  1136    john       16 1:00:00:00    1495 ~Jan10 07:39 +23:39h 16 procs short
  1134    john        4 1:00:00:00    1490 ~Jan10 16:38 +1d08h  4 procs short
  1144    john        4 1:00:00:00    1462 ~Jan10 16:38 +1d08h  4 procs short
  1163    leila       4    6:00:00    1426 ~Jan10 01:26 +17:26h 4 procs short
  1149    eva        16   12:00:00    1385 ~Jan11 01:58 +1d17h  16 procs short
  +29 more
 Job 1096 needs 8 processors and 0 are free: 8 short.
 Total Jobs: 53   Active Jobs: 14   Idle Jobs: 37   Blocked Jobs: 2
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'w: every check with its numbers, the first that fails marked' why <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue [2 Job] 3 Priority  8 Journal
 Job 1096  foam-steady
  for       ravi/engineering/turbine   class batch   QOS normal
  asks      8 procs for 18:00:00 = 518400 PS, 4000 MB a task
  submitted Jan08 19:16, queued 12:43:47, bypassed 33x
  state     idle, number 1 of 37
  starts     13:30:36 +5:30h (reserved)
 Job 1096 needs 8 processors and 0 are free: 8 short.

 CHECK                   VALUE                      LIMIT               RESULT
 5 priority not negative 1706                       -                   ok
 6 fits the machine      8 procs                    64 in the machine   ok
>13 resources now        8 procs                    0 free              FAIL
 14 reservations ahead   no reservation is delayed  >= 8                ok
 15 strict order         none ahead                 -                   ok
   none: hold, defer, dependency, start date, limits of its class, limits of
   any job, idle limits, hard limits, soft limits, fairshare cap

 PRIORITY
 1706 = proc 1 * 8 procs + queuetime 2 * 763.78 min + xfactor 100 * 1.71
                                                                         +2 more

 H hold  R release  p priority  W weights  = numbers  u undo     ? help  Q quit
EOS
screen 'H asks which hold' kind <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
  1069  b ines        4   18:00:00       -  Jan10 01:26 +17:26h   3%
  1219  b amina       1   18:00:00       -  Jan10 01:32 +17:32h   2%
  1091  b bob         2 1:00:00:00       -  Jan10 04:55 +20:55h  12%
  1120  b john        4 1:00:00:00       -  Jan10 07:39 +23:39h   1%
  1074  b steve       2 2:00:00:00       -  Jan11 01:10 +1d17h   14%
IDLE 37 - by priority ──────────────────────────────────────────────────────────
> 1096  r ravi        8   18:00:00    1706  13:30:36 +5:30h     8 procs short
  1103  r bob        32 1:00:00:00    1683  19:58:36 +11:58h    32 procs short
  1105    bob         6 1:00:00:00    1650 ~16:38:31 +8:38h     6 procs short
  1141    eva        32    6:00:00    1536 ~Jan10 19:58 +1d11h  32 procs short
  1088    nora        5 1:00:00:00    1509 ~19:34:02 +11:34h    5 procs short
  1136    john       16 1:00:00:00    1495 ~Jan10 07:39 +23:39h 16 procs short
  1134    john        4 1:00:00:00    1490 ~Jan10 16:38 +1d08h  4 procs short
  1144    john        4 1:00:00:00    1462 ~Jan10 16:38 +1d08h  4 procs short
  1163    leila       4    6:00:00    1426 ~Jan10 01:26 +17:26h 4 procs short
  1149    eva        16   12:00:00    1385 ~Jan11 01:58 +1d17h  16 procs short
  +29 more
 Job 1096 needs 8 processors and 0 are free: 8 short.
 Which hold?  [u] user (Enter)  [s] system  [b] batch
 <Enter> give  <Esc> never mind                                  ? help  Q quit
EOS
screen 'the hold is a draft with its effect' held-draft <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
  1069  b ines        4   18:00:00       -  Jan10 01:26 +17:26h   3%
  1219  b amina       1   18:00:00       -  Jan10 01:32 +17:32h   2%
  1091  b bob         2 1:00:00:00       -  Jan10 04:55 +20:55h  12%
  1120  b john        4 1:00:00:00       -  Jan10 07:39 +23:39h   1%
  1074  b steve       2 2:00:00:00       -  Jan11 01:10 +1d17h   14%
IDLE 37 - by priority ──────────────────────────────────────────────────────────
> 1096  r ravi        8   18:00:00    1706  13:30:36 +5:30h     8 procs short
  1103  r bob        32 1:00:00:00    1683  19:58:36 +11:58h    32 procs short
  1105    bob         6 1:00:00:00    1650 ~16:38:31 +8:38h     6 procs short
  1141    eva        32    6:00:00    1536 ~Jan10 19:58 +1d11h  32 procs short
  1088    nora        5 1:00:00:00    1509 ~19:34:02 +11:34h    5 procs short
  1136    john       16 1:00:00:00    1495 ~Jan10 07:39 +23:39h 16 procs short
  1134    john        4 1:00:00:00    1490 ~Jan10 16:38 +1d08h  4 procs short
  1144    john        4 1:00:00:00    1462 ~Jan10 16:38 +1d08h  4 procs short
  1163    leila       4    6:00:00    1426 ~Jan10 01:26 +17:26h 4 procs short
  1149    eva        16   12:00:00    1385 ~Jan11 01:58 +1d17h  16 procs short
  +29 more
 Job 1096 needs 8 processors and 0 are free: 8 short.
 hold -u 1096: the order stays; 17 earlier; 7 later; 1195 +18:24:34
 <Enter> apply  <Esc> drop  w why  H hold  R release  W weights  ? help  Q quit
EOS
screen 'Enter applies it and the cursor follows the job' held <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
  1195    bob         2 1:00:00:00     748 ~Jan12 13:58 +3d05h  2 procs short
  1196    bob         4 1:00:00:00     741 ~Jan12 13:58 +3d05h  4 procs short
  1197    john        8 1:00:00:00     733 ~Jan12 13:58 +3d05h  8 procs short
  1199    tom         8 1:00:00:00     721 ~Jan13 03:39 +3d19h  8 procs short
  1201    rosa        4 1:00:00:00     690 ~Jan13 03:39 +3d19h  4 procs short
  1202    bob         2 1:00:00:00     682 ~Jan13 01:58 +3d17h  2 procs short
  1204    bob         2 1:00:00:00     655 ~Jan13 03:39 +3d19h  2 procs short
  1192    nora        2 1:00:00:00     562 ~Jan13 03:39 +3d19h  2 procs short
  1216    ines        2   12:00:00     493 ~19:34:02 +11:34h    2 procs short
  1211    nora        4 1:00:00:00     406 ~Jan13 03:39 +3d19h  4 procs short
  1222    john        2 1:00:00:00     320 ~Jan13 03:39 +3d19h  2 procs short
  1223    eva        32    3:00:00     263 ~Jan13 13:58 +4d05h  32 procs short
  1225    julia       2    6:00:00      43 ~Jan10 01:26 +17:26h 2 procs short
BLOCKED 3 - by hold ────────────────────────────────────────────────────────────
> 1096  H ravi        8   18:00:00    1706 -                    held (user)
  1161  H bob         4 1:00:00:00    1318 -                    held (user)
  1198  H eva         8    8:00:00     673 -                    held (system)
 Job 1096 is held (user); it can start only after a release.
 Done: hold -u 1096. u undoes it.
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'released, it is the first again' released <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
  1224  b amina       2    3:00:00       -  10:51:13 +2:51h       4%
  1221  b olga        1    4:00:00       -  11:24:37 +3:24h      14%
  1121  b karl        2    6:00:00       -  13:30:36 +5:30h       8%
  1189  b mei         2    6:00:00       -  13:30:36 +5:30h       8%
  1052  b ines        4   12:00:00       -  15:16:41 +7:16h      39%
  1057  b leila       4   12:00:00       -  16:38:31 +8:38h      27%
  1092  b lars        2   12:00:00       -  19:34:02 +11:34h      3%
  1179    amina      32   12:00:00       -  19:58:36 +11:58h      0%
  1069  b ines        4   18:00:00       -  Jan10 01:26 +17:26h   3%
  1219  b amina       1   18:00:00       -  Jan10 01:32 +17:32h   2%
  1091  b bob         2 1:00:00:00       -  Jan10 04:55 +20:55h  12%
  1120  b john        4 1:00:00:00       -  Jan10 07:39 +23:39h   1%
  1074  b steve       2 2:00:00:00       -  Jan11 01:10 +1d17h   14%
IDLE 37 - by priority ──────────────────────────────────────────────────────────
> 1096  r ravi        8   18:00:00    1706  13:30:36 +5:30h     8 procs short
  1103  r bob        32 1:00:00:00    1683  19:58:36 +11:58h    32 procs short
  +37 more
 Job 1096 needs 8 processors and 0 are free: 8 short.
 Done: release 1096. u undoes it.
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'a slider: ranks and starts before and after' slider <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job [3 Priority] 8 Journal
  JOB          RANK       PRIORITY    AFTER START       AFTER       CHANGE
IDLE 37 - in the order the draft would give ────────────────────────────────────
> 1096       r 1              1706     1743 13:30:36    13:30:36
  1103       r 2              1683     1716 19:58:36    19:58:36
  1105         3              1650     1683 16:38:31    16:38:31
  1141         4              1536     1598 Jan10 19:58 Jan10 19:58
  1088         5              1509     1543 19:34:02    19:34:02
  1136         6              1495     1527 Jan10 07:39 Jan10 07:39
  1134         7              1490     1522 Jan10 16:38 Jan10 16:38
  1144         8              1462     1494 Jan10 16:38 Jan10 16:38
  +31 more
────────────────────────────────────────────────────────────────────────────────
 1096: 1743 = proc 1 * 8 procs + queuetime 2 * 763.78 min + xfactor 122 * 1.71

WEIGHTS IN USE ─────────────────────────────────────── VALUE IN FORCE ──────────
  queuetimeweight             [────┃──────────────]        2        2 0..10
> xfactorweight               [───────────┃───────]      122      100 0..200
  targetqueuetimeweight       [─────────┃─────────]  0.00001  0.00001 0..0.00002
  userweight                  [──┃────────────────]        1        1 0..10
  +29 more
 tune xfactorweight 122: the order and all estimated starts stay
 <Enter> apply  <Esc> drop  W weights  e value  { -10  } +10     ? help  Q quit
EOS
screen 'a typed weight: the order changes and the starts move' typed <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job [3 Priority] 8 Journal
  JOB          RANK       PRIORITY    AFTER START       AFTER       CHANGE
  1163         9 -> 2         1426     3777 Jan10 01:26 10:51:13    -14:34:59
> 1096       r 1 -> 3         1706     3242 13:30:36    15:16:41    +1:46:05
  1169         11 -> 4        1322     3232 Jan11 07:39 Jan10 01:58 -1:05:41:10
  1149         10 -> 5        1385     3085 Jan11 01:58 Jan10 01:32 -1:00:25:37
  1103       r 2 -> 6         1683     3051 19:58:36    Jan10 09:58 +14:00:00
  1105         3 -> 7         1650     3016 16:38:31    Jan10 07:39 +15:01:15
  1088         5 -> 8         1509     2894 19:34:02    Jan10 09:16 +13:42:39
  1136         6 -> 9         1495     2812 Jan10 07:39 Jan10 13:32 +5:53:13
  1134         7 -> 10        1490     2809 Jan10 16:38 Jan11 01:10 +8:31:49
  +29 more
────────────────────────────────────────────────────────────────────────────────
 1096: 3242 = proc 1 * 8 procs + queuetime 2 * 763.78 min + xfactor 1000 * 1.71

WEIGHTS IN USE ─────────────────────────────────────── VALUE IN FORCE ──────────
  queuetimeweight             [────┃──────────────]        2        2 0..10
> xfactorweight               [──────────────────┃]     1000      100 0..1000
  targetqueuetimeweight       [─────────┃─────────]  0.00001  0.00001 0..0.00002
  userweight                  [──┃────────────────]        1        1 0..10
  +29 more
 tune xfactorweight 1000: 23 jobs change order; 24 earlier; 13 later; 1205 +18:1
 <Enter> apply  <Esc> drop  W weights  e value  { -10  } +10     ? help  Q quit
EOS
screen 'Enter tunes the weight' tuned <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 8 Journal
  JOB            PRIORITY     QOS*1   Class*1   QTime*2 XFctr*10~ SHARES
  1163       r       3777         0         0      1160      2612 qqqqxxxxxxxxxx
> 1096               3242         0         0      1527      1707 qqqqqqqxxxxxxx
  1169               3232         0         0      1077      2122 qqqqqxxxxxxxxx
  1149               3085         0         0      1280      1889 qqqqqqxxxxxxxx
  1103               3051         0         0      1499      1520 qqqqqqqxxxxxxx
  1105               3016         0         0      1492      1518 qqqqqqqxxxxxxx
  1088               2894      -200         0      1550      1538 cqqqqqqqxxxxxx
  1136               2812         0         0      1333      1463 qqqqqqqxxxxxxx
  1134               2809         0         0      1339      1465 qqqqqqqxxxxxxx
  +29 more
────────────────────────────────────────────────────────────────────────────────
 1096: 3242 = proc 1 * 8 procs + queuetime 2 * 763.78 min + xfactor 1000 * 1.71

WEIGHTS IN USE ─────────────────────────────────────── VALUE IN FORCE ──────────
  queuetimeweight             [────┃──────────────]        2        2 0..10
> xfactorweight               [─────────┃─────────]     1000     1000 0..2000
  targetqueuetimeweight       [─────────┃─────────]  0.00001  0.00001 0..0.00002
  userweight                  [──┃────────────────]        1        1 0..10
  +29 more
 Done: tune xfactorweight 1000. u undoes it.
 W weights  e value  { -10  } +10  0 default  b percent  u undo  ? help  Q quit
EOS
screen 'the journal has it, the newest on top' journal <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority [8 Journal]
      SEQ TIME        WHO          WHAT                              UNDO
>    6306 08:00:00    OPERATOR     set xfactorweight = 1000          u undoes it
     6303 08:00:00    OPERATOR     release user 1096                 u undoes it
     6300 08:00:00    OPERATOR     hold user 1096                    u undoes it
     6299 08:00:00    ops          hold system 1198                  u undoes it
     6298 08:00:00    ops          hold user 1161                    u undoes it
     6296 07:59:57    sched        start 1233 (backfilled)
     6295 07:59:57    sched        end 1232, status 0
     6293 07:59:29    eva          submit 1233: 2 processors for 0:~
     6291 07:58:36    sched        start 1179
     6290 07:58:36    sched        end 1127, status 0
     6288 07:58:07    sched        start 1232 (backfilled)
     6286 07:58:07    steve        submit 1232: 2 processors for 0:~
     6285 07:52:44    sched        end 1230, status 0
     6282 07:51:13    sched        start 1224 (backfilled)
     6281 07:51:13    sched        start 1230 (backfilled)
     6280 07:51:13    sched        end 1102, status 0
  +984 more
────────────────────────────────────────────────────────────────────────────────
 6306  2026-01-09T08:00:00  OPERATOR: set xfactorweight = 1000
 1000 entries, without plans, queue time and bypass counts (f: all)
 u undo  <Enter> open  f all  / filter  <F3> search  q back      ? help  Q quit
EOS
screen 'u drafts its undoing' undo-draft <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority [8 Journal]
      SEQ TIME        WHO          WHAT                              UNDO
>    6306 08:00:00    OPERATOR     set xfactorweight = 1000          u undoes it
     6303 08:00:00    OPERATOR     release user 1096                 u undoes it
     6300 08:00:00    OPERATOR     hold user 1096                    u undoes it
     6299 08:00:00    ops          hold system 1198                  u undoes it
     6298 08:00:00    ops          hold user 1161                    u undoes it
     6296 07:59:57    sched        start 1233 (backfilled)
     6295 07:59:57    sched        end 1232, status 0
     6293 07:59:29    eva          submit 1233: 2 processors for 0:~
     6291 07:58:36    sched        start 1179
     6290 07:58:36    sched        end 1127, status 0
     6288 07:58:07    sched        start 1232 (backfilled)
     6286 07:58:07    steve        submit 1232: 2 processors for 0:~
     6285 07:52:44    sched        end 1230, status 0
     6282 07:51:13    sched        start 1224 (backfilled)
     6281 07:51:13    sched        start 1230 (backfilled)
     6280 07:51:13    sched        end 1102, status 0
  +984 more
────────────────────────────────────────────────────────────────────────────────
 6306  2026-01-09T08:00:00  OPERATOR: set xfactorweight = 1000
 undo 6306 (xfactorweight = 1000): 23 jobs change order; 13 earlier; 24 later; 1
 <Enter> apply  <Esc> drop  u undo  f all  / filter  q back      ? help  Q quit
EOS
screen 'undone' undone <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority [8 Journal]
      SEQ TIME        WHO          WHAT                              UNDO
>    6311 08:00:00    OPERATOR     undo 6306                         u undoes it
     6306 08:00:00    OPERATOR     set xfactorweight = 1000          undone
     6303 08:00:00    OPERATOR     release user 1096                 u undoes it
     6300 08:00:00    OPERATOR     hold user 1096                    u undoes it
     6299 08:00:00    ops          hold system 1198                  u undoes it
     6298 08:00:00    ops          hold user 1161                    u undoes it
     6296 07:59:57    sched        start 1233 (backfilled)
     6295 07:59:57    sched        end 1232, status 0
     6293 07:59:29    eva          submit 1233: 2 processors for 0:~
     6291 07:58:36    sched        start 1179
     6290 07:58:36    sched        end 1127, status 0
     6288 07:58:07    sched        start 1232 (backfilled)
     6286 07:58:07    steve        submit 1232: 2 processors for 0:~
     6285 07:52:44    sched        end 1230, status 0
     6282 07:51:13    sched        start 1224 (backfilled)
     6281 07:51:13    sched        start 1230 (backfilled)
  +985 more
────────────────────────────────────────────────────────────────────────────────
 6311  2026-01-09T08:00:00  OPERATOR: undo 6306
 Done: undo 6306 (xfactorweight = 1000).
 u undo  <Enter> open  f all  / filter  <F3> search  q back      ? help  Q quit
EOS
screen 'the order is as it was' last <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
  1224  b amina       2    3:00:00       -  10:51:13 +2:51h       4%
  1221  b olga        1    4:00:00       -  11:24:37 +3:24h      14%
  1121  b karl        2    6:00:00       -  13:30:36 +5:30h       8%
  1189  b mei         2    6:00:00       -  13:30:36 +5:30h       8%
  1052  b ines        4   12:00:00       -  15:16:41 +7:16h      39%
  1057  b leila       4   12:00:00       -  16:38:31 +8:38h      27%
  1092  b lars        2   12:00:00       -  19:34:02 +11:34h      3%
  1179    amina      32   12:00:00       -  19:58:36 +11:58h      0%
  1069  b ines        4   18:00:00       -  Jan10 01:26 +17:26h   3%
  1219  b amina       1   18:00:00       -  Jan10 01:32 +17:32h   2%
  1091  b bob         2 1:00:00:00       -  Jan10 04:55 +20:55h  12%
  1120  b john        4 1:00:00:00       -  Jan10 07:39 +23:39h   1%
  1074  b steve       2 2:00:00:00       -  Jan11 01:10 +1d17h   14%
IDLE 37 - by priority ──────────────────────────────────────────────────────────
> 1096  r ravi        8   18:00:00    1706  13:30:36 +5:30h     8 procs short
  1103  r bob        32 1:00:00:00    1683  19:58:36 +11:58h    32 procs short
  +37 more
 Job 1096 needs 8 processors and 0 are free: 8 short.
 Total Jobs: 53   Active Jobs: 14   Idle Jobs: 37   Blocked Jobs: 2
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'leaving asks' question <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
  1224  b amina       2    3:00:00       -  10:51:13 +2:51h       4%
  1221  b olga        1    4:00:00       -  11:24:37 +3:24h      14%
  1121  b karl        2    6:00:00       -  13:30:36 +5:30h       8%
  1189  b mei         2    6:00:00       -  13:30:36 +5:30h       8%
  1052  b ines        4   12:00:00       -  15:16:41 +7:16h      39%
  1057  b leila       4   12:00:00       -  16:38:31 +8:38h      27%
  1092  b lars        2   12:00:00       -  19:34:02 +11:34h      3%
  1179    amina      32   12:00:00       -  19:58:36 +11:58h      0%
  1069  b ines        4   18:00:00       -  Jan10 01:26 +17:26h   3%
  1219  b amina       1   18:00:00       -  Jan10 01:32 +17:32h   2%
  1091  b bob         2 1:00:00:00       -  Jan10 04:55 +20:55h  12%
  1120  b john        4 1:00:00:00       -  Jan10 07:39 +23:39h   1%
  1074  b steve       2 2:00:00:00       -  Jan11 01:10 +1d17h   14%
IDLE 37 - by priority ──────────────────────────────────────────────────────────
> 1096  r ravi        8   18:00:00    1706  13:30:36 +5:30h     8 procs short
  1103  r bob        32 1:00:00:00    1683  19:58:36 +11:58h    32 procs short
  +37 more
 Job 1096 needs 8 processors and 0 are free: 8 short.
 Leave? The scheduler stops too.  [y] leave (Enter)  [n] stay
 <Enter> give  <Esc> never mind                                  ? help  Q quit
EOS
