#!/bin/sh
# SPDX-License-Identifier: MIT
#
# finding.sh - filter, search, sort, mark, freeze and setting the time

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

screen 'the list is filtered while the filter is typed' typing <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
ACTIVE 1 - by completion ─────────────── ENDS BY ──────────── USED ─────────────
> 1105  b bob        6 1:00:00:00      -  Jan10 06:50 +22:50h   4%
IDLE 2 - by priority ───────────────────────────────────────────────────────────
  1103    bob       32 1:00:00:00   1683  Jan11 14:50 +2d06h  32 procs short
  1196    bob        4 1:00:00:00    741  17:26:02 +9:26h     4 procs short











 Job 1105 has been running since 06:50:11.

/user=bob !state=held
 <Enter> accept  <Esc> cancel                                    ? help  Q quit
EOS
screen 'all listed jobs are held together' marked <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
ACTIVE 1 - by completion ─────────────── ENDS BY ──────────── USED ─────────────
>*1105  b bob        6 1:00:00:00      -  Jan10 06:50 +22:50h   4%
IDLE 2 - by priority ───────────────────────────────────────────────────────────
 *1103    bob       32 1:00:00:00   1683  Jan11 14:50 +2d06h  32 procs short
 *1196    bob        4 1:00:00:00    741  17:26:02 +9:26h     4 procs short






┌─ Not applied yet ────────────────────────────────────────────────────────────┐
│ hold -s 1103 1196                                                            │
│ [u] user hold  > [s] system hold  [b] batch hold                             │
│ (projection): order unchanged; 16 earlier; 2 later                           │
│ 2 marked jobs                                                                │
│ <Enter> apply   <Esc> dismiss   d add to the draft                           │
└──────────────────────────────────────────────────────────────────────────────┘
 47 jobs: 13 active, 26 idle, 8 block~   filter: user=bob !state=held   3 marked
EOS
screen 'Tab moves to the next section: blocked jobs by reason' blocked <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1211    nora       4 1:00:00:00    406  17:26:02 +9:26h     4 procs short
  1223    eva       32    3:00:00     45  Jan11 11:10 +2d03h  32 procs short
  1225    julia      2    6:00:00     10  11:26:02 +3:26h     2 procs short
  1227    eva        5    2:00:00      1  Jan10 00:37 +16:37h 5 procs short
BLOCKED 4 - by hold ────────────────────────────────────────────────────────────
> 1103  H bob       32 1:00:00:00   1683 -                    held (system)
  1136  H john      16 1:00:00:00   1687 -                    held (user)
  1196  H bob        4 1:00:00:00    741 -                    held (system)
  1201  H rosa       4 1:00:00:00    690 -                    held (system)
BLOCKED 6 - by fairshare cap ───────────────────────────────────────────────────
  247   ! lars       4    6:00:00  11212  21:10:54 +13:10h    cap of user lars
  494   ! lars       4    6:00:00   8273  Jan12 09:29 +3d01h  cap of user lars
  510   ! lars       2 1:12:00:00   7382  Jan15 12:00 +6d04h  cap of user lars
  654   ! lars       4   12:00:00   5670  Jan15 12:00 +6d04h  cap of user lars
  764   ! lars       4   12:00:00   5107  Jan15 12:00 +6d04h  cap of user lars
  1092  ! lars       2   12:00:00   1551  Jan12 09:29 +3d01h  cap of user lars
 Job 1103 is held (system); it can start only after a release.

 Total Jobs: 47   Active Jobs: 13   Idle Jobs: 24   Blocked Jobs: 10
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'sorted by processors in descending order within each section' sorted <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PR~▾    WCLIMIT   PRIO EST.START            WHY NOT NOW
ACTIVE 13 - by PROC ──────────────────── ENDS BY ──────────── USED ─────────────
> 988     eva       31   12:00:00      -  14:42:39 +6:42h      44%
  1105  b bob        6 1:00:00:00      -  Jan10 06:50 +22:50h   4%
  1139    amina      4    8:00:00      -  11:06:25 +3:06h      61%
  1069  b ines       4   18:00:00      -  21:10:54 +13:10h     26%
  1057  b leila      4   12:00:00      -  15:06:53 +7:06h      40%
  1188  b eva        3    6:00:00      -  13:51:35 +5:51h       2%
  1224  b amina      2    3:00:00      -  10:51:02 +2:51h       4%
  1216  b ines       2   12:00:00      -  18:41:00 +10:41h     10%
  1180  b eva        2   18:00:00      -  22:03:29 +14:03h     21%
  1175  b chen       2 1:12:00:00      -  Jan10 15:42 +1d07h   11%
  1074  b steve      2 2:00:00:00      -  Jan10 19:24 +1d11h   26%
  1221  b olga       1    4:00:00      -  10:37:15 +2:37h      34%
  1219  b amina      1   18:00:00      -  Jan10 00:37 +16:37h   7%
IDLE 24 - by PROC ──────────────────────────────────────────────────────────────
  +34 more
 Job 988 has been running since 02:42:39.

 47 jobs: 13 active, 24 idle, 10 blocked   sort: PROC
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'F3 finds a job and hides none' found <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PR~▾    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1127    eva       32    1:00:00   2377  Jan10 03:02 +19:02h 32 procs short
  1209  r mei       16    0:10:00   5074  14:52:39 +6:52h     16 procs short
  1185    john      16 1:00:00:00   1254  Jan11 16:02 +2d08h  16 procs short
  1149    eva       16   12:00:00   1167  Jan11 14:10 +2d06h  16 procs short
  1133    paul      16 1:00:00:00   1378  Jan11 14:10 +2d06h  16 procs short
  1199    tom        8 1:00:00:00    688  Jan11 16:02 +2d08h  8 procs short
  1198    eva        8    8:00:00    455  Jan10 11:16 +1d03h  8 procs short
  1197    john       8 1:00:00:00    925  Jan11 16:02 +2d08h  8 procs short
  1096    ravi       8   18:00:00   1781  Jan10 03:10 +19:10h 8 procs short
  1227    eva        5    2:00:00      1  Jan10 00:37 +16:37h 5 procs short
  1088    nora       5 1:00:00:00   1509  11:16:25 +3:16h     5 procs short
  1229    eva        4    0:30:00    874  15:06:53 +7:06h     4 procs short
  1228    mei        4    0:10:00   2491  11:06:25 +3:06h     4 procs short
  1211    nora       4 1:00:00:00    406  17:26:02 +9:26h     4 procs short
> 1152    paul       4 1:00:00:00   1278  15:36:53 +7:36h     4 procs short
  +13 more
 Job 1152 needs 4 processors and 0 are free: 4 short.

 47 jobs: 13 active, 24 idle, 10 blocked   sort: PROC
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'frozen: the screen is unchanged after two hours and shows its age' frozen <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   FROZEN 2:00h
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PR~▾    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1127    eva       32    1:00:00   2377  Jan10 03:02 +19:02h 32 procs short
  1209  r mei       16    0:10:00   5074  14:52:39 +6:52h     16 procs short
  1185    john      16 1:00:00:00   1254  Jan11 16:02 +2d08h  16 procs short
  1149    eva       16   12:00:00   1167  Jan11 14:10 +2d06h  16 procs short
  1133    paul      16 1:00:00:00   1378  Jan11 14:10 +2d06h  16 procs short
  1199    tom        8 1:00:00:00    688  Jan11 16:02 +2d08h  8 procs short
  1198    eva        8    8:00:00    455  Jan10 11:16 +1d03h  8 procs short
  1197    john       8 1:00:00:00    925  Jan11 16:02 +2d08h  8 procs short
  1096    ravi       8   18:00:00   1781  Jan10 03:10 +19:10h 8 procs short
  1227    eva        5    2:00:00      1  Jan10 00:37 +16:37h 5 procs short
  1088    nora       5 1:00:00:00   1509  11:16:25 +3:16h     5 procs short
  1229    eva        4    0:30:00    874  15:06:53 +7:06h     4 procs short
  1228    mei        4    0:10:00   2491  11:06:25 +3:06h     4 procs short
  1211    nora       4 1:00:00:00    406  17:26:02 +9:26h     4 procs short
> 1152    paul       4 1:00:00:00   1278  15:36:53 +7:36h     4 procs short
  +13 more
 Job 1152 needs 4 processors and 0 are free: 4 short.

 47 jobs: 13 active, 24 idle, 10 blocked   sort: PROC
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'live again' later <<'EOS'
 KAHU simulation  Fri Jan  9 10:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 57/64  89%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PR~▾    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1198    eva        8    8:00:00    722  Jan10 04:37 +18:37h 1 proc short
  1197    john       8 1:00:00:00   1182  Jan11 15:28 +2d05h  1 proc short
  1096  r ravi       8   18:00:00   2036  10:37:15 +37m       1 proc short
  1227    eva        5    2:00:00    282  20:28:17 +10:28h    would delay 1096
  1088    nora       5 1:00:00:00   1757  18:41:00 +8:41h     would delay 1096
  1240    bob        4 1:00:00:00    194  11:22:20 +1:22h     would delay 1096
BLOCKED 4 - by hold ────────────────────────────────────────────────────────────
  1103  H bob       32 1:00:00:00   1931 -                    held (system)
  1136  H john      16 1:00:00:00   1944 -                    held (user)
  1201  H rosa       4 1:00:00:00    938 -                    held (system)
  1196  H bob        4 1:00:00:00    989 -                    held (system)
BLOCKED 7 - by fairshare cap ───────────────────────────────────────────────────
  1237  ! lars       4    6:00:00    167  20:28:17 +10:28h    cap of user lars
  764   ! lars       4   12:00:00   5363  Jan15 12:00 +6d02h  cap of user lars
> 654   ! lars       4   12:00:00   5927  Jan15 12:00 +6d02h  cap of user lars
  +4 more
 Job 654 would bring user lars to 2.80 % of recent usage, and the fairshare cap
 is 1.50 %; it clears by itself at Jan13 12:00, in 4:02:00:00.
 36 jobs: 10 active, 15 idle, 11 blocked   sort: PROC
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'an unknown screen gives a message' unknown <<'EOS'
 KAHU simulation  Fri Jan  9 10:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 57/64  89%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PR~▾    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1197    john       8 1:00:00:00   1182  Jan11 15:28 +2d05h  1 proc short
  1096  r ravi       8   18:00:00   2036  10:37:15 +37m       1 proc short
  1227    eva        5    2:00:00    282  20:28:17 +10:28h    would delay 1096
  1088    nora       5 1:00:00:00   1757  18:41:00 +8:41h     would delay 1096
  1240    bob        4 1:00:00:00    194  11:22:20 +1:22h     would delay 1096
BLOCKED 4 - by hold ────────────────────────────────────────────────────────────
  1103  H bob       32 1:00:00:00   1931 -                    held (system)
  1136  H john      16 1:00:00:00   1944 -                    held (user)
  1201  H rosa       4 1:00:00:00    938 -                    held (system)
  1196  H bob        4 1:00:00:00    989 -                    held (system)
BLOCKED 7 - by fairshare cap ───────────────────────────────────────────────────
  1237  ! lars       4    6:00:00    167  20:28:17 +10:28h    cap of user lars
  764   ! lars       4   12:00:00   5363  Jan15 12:00 +6d02h  cap of user lars
> 654   ! lars       4   12:00:00   5927  Jan15 12:00 +6d02h  cap of user lars
  +4 more
 Job 654 would bring user lars to 2.80 % of recent usage, and the fairshare cap
 is 1.50 %; it clears by itself at Jan13 12:00, in 4:02:00:00.
 unknown screen 5; the screens are 1 Queue, 2 Job, 3 Priority, 4 Share, 6
 Limits, 7 What-if, 8 Journal, 9 Config
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS

# Errors in a filter are shown above the line while it is typed.
play demo --nodes 8 --seed 9 <<'EOS'
size 80x24
keys /
type usr=bob
dump no-field
keys <C-u>
type procs>16 state=idle,held
dump compared
keys <C-u>
type user=(bob
dump no-pattern
keys <Esc>
size 100x30
keys ? /
type order
dump help-filtered
keys <Enter> <Esc> <F3>
type undo
keys <Enter> n
dump help-searched
EOS
screen 'filter: an unknown field' no-field <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
IDLE 0 - by priority ───────────────────────────────────────────────────────────















 no field 'usr' here; fields are job user group account qos class state limit
 procs walltime priority queued name
/usr=bob
 <Enter> accept  <Esc> cancel                                    ? help  Q quit
EOS
screen 'filter: numbers and lists' compared <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
IDLE 8 - by priority ───────────────────────────────────────────────────────────
  1193  r mei       32    0:10:00   6248  14:42:39 +6:42h     32 procs short
  1179    amina     32   12:00:00   2393  15:02:39 +7:02h     32 procs short
  1127    eva       32    1:00:00   2377  Jan10 03:02 +19:02h 32 procs short
> 1103    bob       32 1:00:00:00   1683  Jan11 14:50 +2d06h  32 procs short
  1169    ravi      32    8:00:00   1397  Jan11 06:50 +1d22h  32 procs short
  1141    eva       32    6:00:00   1318  Jan11 00:50 +1d16h  32 procs short
  1205    amina     32 1:12:00:00   1199  Jan10 04:02 +20:02h 32 procs short
  1223    eva       32    3:00:00     45  Jan11 16:02 +2d08h  32 procs short







 Job 1103 needs 32 processors and 0 are free: 32 short.

/procs>16 state=idle,held
 <Enter> accept  <Esc> cancel                                    ? help  Q quit
EOS
screen 'filter: an invalid pattern' no-pattern <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
IDLE 0 - by priority ───────────────────────────────────────────────────────────















 '(bob' is not a valid regular expression (Unmatched ( or \(); it is searched
 for as text
/user=(bob
 <Enter> accept  <Esc> cancel                                    ? help  Q quit
EOS
screen 'help on filters' help-filtered <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Help]
 FOR THE JOB UNDER THE CURSOR OR THE MARKED JOBS
  W                   Try other priority weights and see the order change.

 ON ALL SCREENS
  S                   On the queue screen: reverse the sort order.

 COMMANDS, after : or as 'kahu VERB' in a shell
  when JOB|PROCS@DURATION
                      Show the estimated start of a job, or of a new job of the given size once it
                      is submitted. ~ marks a rough estimate from the instant plan, which assumes
                      that the order of the queue does not change; it is shown where the projection
                      took too long.













 filter: order
/order
 <Enter> accept  <Esc> cancel                                                        ? help  Q quit
EOS
screen 'a search in the help' help-searched <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Help]
  <F7>                Apply the draft or the box temporarily: undone after a given time unless kept
                      with <F8>.
  <F8>                Make a temporary change permanent.
  y                   Copy the job ID to the terminal's clipboard.
  Y                   Copy the reason why the job is waiting.
  E                   Export this screen to a file, with all rows of its list.
  Z                   Freeze the screen until Z is pressed again or a draft is opened.
  L                   Return to live from a past state.
  [                   Show all screens as of the previous journal entry.
  ]                   Show all screens as of the next journal entry.
  (                   Show all screens as of one hour earlier.
  )                   Show all screens as of one hour later.
  <                   Slow down simulated time; the slowest speed stops it.
  >                   Speed up simulated time.
  T                   Switch to the next theme.
  <C-l>               Redraw the screen.
  <C-z>               Not supported: shows why the console is not suspended.

 MOVEMENT
  j <Down>            Move down one line.
  k <Up>              Move up one line.
  h <Left>            Move left; on some screens: previous job, slider down one step, collapse a
                      section.
  l <Right>           Move right; on some screens: next job, slider up one step, expand a section.
  <PgDn> <C-f>        Move down one page.                                                  +136 more


 / filter  <F3> search  q back  : command                                            ? help  Q quit
EOS
