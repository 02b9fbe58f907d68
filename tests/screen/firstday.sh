#!/bin/sh
# SPDX-License-Identifier: MIT
#
# firstday.sh - what a new user of the console runs into
#
# How much of a group's usage would change with a target: "what if biology had a target?", on the Fairshare screen. The
# effect of a draft on starts that are days away, in narrow columns. An absolute priority, and the name of its
# undo. The entries that u undoes if several were made at once. A screen written to a file.

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

play demo --nodes 64 --seed 29 <<'EOS'
size 80x24
keys 4 /
type bio
keys <Enter>
dump found
keys G } }
dump raised
keys { {
dump as-it-was
keys } 0
dump none
keys k }
dump heading
keys D <Esc>
size 100x30
keys 7
:tune queuetimeweight=10
dump days
size 200x60
dump days-200
keys D
:set 1762 priority=100
dump first
size 80x24
keys A 1 u
dump absolute
keys <Enter>
:set 1762 priority=-100
keys <Enter> u
dump relative
keys <Esc>
EOS

screen 'an option is found by name, in open and closed sections' found <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 6  FSDECAY 0.70
 rolls in 4:00:00  FSWEIGHT 1: U 20 G 5 A 0 Q 0 C 0  lint: 0 errors, 1 warning
  CREDENTIAL       TARGET  USAGE   DELTA       EFFECT       w0   w1*0.7 OLD..NEW
  TOTAL                   100.00                        3754.5   5813.0 █████▆
  - GROUP                 100.00              5/point   3754.5   5813.0 █████▆
>   biology            -   20.68       -    no target    183.9    632.5 ▄▄█▅▂▁




────────────────────────────────────────────────────────────────────────────────
 biology = (183.95 + .7*632.52 + .49*1790.12 + .343*2867.63 + .2401*1169.42 +
 .1681*1368.73) / (3754.48 + .7*5813.05 + .49*5167.03 + .343*5615.57 +
 .2401*5350.38 + .1681*5531.16) = 2998.29/14495.84 h = 20.68%
 4 rolls without its jobs, busy (3754 h):    14.62%   9.83%   4.38%   1.32%
 4 rolls without its jobs, idle machine:     20.41%  20.25%  14.52%   8.01%
 other settings: FSDECAY 1.00 -> 25.65%, 0.80 -> 22.76%, 0.50 -> 15.52%;
 FSDEPTH 3 -> 14.52%
 w0 began 00:00:00; sums: user = group = account = qos = class = TOTAL

 3 off target (*)   0 at a cap (!)   focus: shares (<Tab>)   caps~   filter: bio
 <Enter> open  e value  b percent  { -10  } +10  0 default       ? help  Q quit
EOS

screen '} raises the target of a credential by ten points' raised <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 6  FSDECAY 0.70
 rolls in 4:00:00  FSWEIGHT 1: U 20 G 5 A 0 Q 0 C 0  lint: 0 errors, 1 warning
  CREDENTIAL             TARGET    AFTER  USAGE  AFTER       EFFECT        AFTER
  TOTAL                                         100.00
  - GROUP                                       100.00                   5/point
>   biology                  -    20.00   20.68  20.68    no target       -3 pts



────────────────────────────────────────────────────────────────────────────────
 biology = (183.95 + .7*632.52 + .49*1790.12 + .343*2867.63 + .2401*1169.42 +
 .1681*1368.73) / (3754.48 + .7*5813.05 + .49*5167.03 + .343*5615.57 +
 .2401*5350.38 + .1681*5531.16) = 2998.29/14495.84 h = 20.68%
 target 20.00%: fsweight 1 * fsgroupweight 5 * -0.68 = -3 points
 4 rolls without its jobs, busy (3754 h):    14.62%   9.83%   4.38%   1.32%
 4 rolls without its jobs, idle machine:     20.41%  20.25%  14.52%   8.01%
 other settings: FSDECAY 1.00 -> 25.65%, 0.80 -> 22.76%, 0.50 -> 15.52%;
 FSDEPTH 3 -> 14.52%                                                     +1 more
 DRAFT 1 edit: set group[biology].fstarget = 20              A apply  D discard
 (projection): order and all estimated starts unchanged
 3 off target (*)   0 at a cap (!)   focus: shares (<Tab>)   caps~   filter: bio
 <Enter> open  e value  b percent  { -10  } +10  0 default       ? help  Q quit
EOS

screen "{ and } on a heading do not change settings" heading <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 6  FSDECAY 0.70
 rolls in 4:00:00  FSWEIGHT 1: U 20 G 5 A 0 Q 0 C 0  lint: 0 errors, 1 warning
  CREDENTIAL       TARGET  USAGE   DELTA       EFFECT       w0   w1*0.7 OLD..NEW
  TOTAL                   100.00                        3754.5   5813.0 █████▆
> - GROUP                 100.00              5/point   3754.5   5813.0 █████▆
    biology            -   20.68       -    no target    183.9    632.5 ▄▄█▅▂▁




────────────────────────────────────────────────────────────────────────────────
 group: 5 shown, 2 with a target, 1 off target.
 w0 began 00:00:00; sums: user = group = account = qos = class = TOTAL







 Only credentials have targets; <Tab> goes to the global settings.
 <Enter> open  e value  b percent  { -10  } +10  0 default       ? help  Q quit
EOS

screen 'a change of a start by days is not truncated' days <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                                     full projection, jobs run to their limits
>  1     set queuetimeweight = 10
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          PRIORITY        LIVE        DRAFT       CHANGE    TOTALS OF 41 JOBS LIVE       DRAFT
> 1206       r 4310->20699     Jan10 07:12 Jan10 07:12           jobs that start     41          41
  1316       r 3239->14347     Jan10 07:36 Jan10 07:19 -0:16:55  mean wait   4:06:54:45  4:07:30:55
  1555         2285->9524      Jan10 19:19 Jan10 07:36 -11:43:05 max wait   14:21:16:45 14:21:16:45
  1540         2265->9645      14:38:14    14:00:29    -0:37:45  mean xfactor     10.00       10.90
  1602         2221->8772      Jan10 13:19 Jan11 07:19 +18:00:00 last start Jan22 12:00 Jan22 12:00
  1522         1965->9455      Jan11 13:36 Jan10 19:36 -18:00:00 used until then  47.9%       47.9%
  969          1938->8889      Jan11 09:19 Jan11 07:12 -2:07:37  jobs delayed         -          16
  1669         1851->7594      Jan11 21:19 Jan11 19:19 -2:00:00  worst delay          - +1:06:00:00
  1355         1833->8785      Jan11 10:12 Jan11 19:12 +9:00:00
  1704         1731->6540      Jan12 04:12 Jan12 09:36 +5:24:32
  1705         1724->6528      Jan11 07:36 Jan11 19:36 +12:00:00
  1762         1499->1693      10:00:29    11:44:28    +1:43:59
  1706         1404->6205      Jan11 13:36 Jan12 01:36 +12:00:00
  1685         1323->6535      Jan10 20:16 Jan10 07:19 -12:56:05
  1560         1263->5047      Jan12 21:19 Jan12 19:19 -2:00:00
  +28 more
 draft █████▇▇██████▇██████▆██▇█▇▇▇██████████████▅▃▃▁                  ██▇▄▁▁▁▁▁▁▁
 live  ██████▇███████████▅▆███▇██████████▇▇▇▇▇██▆▆▅▄▄                  ██▇▄▁▁▁▁▁▁▁
       now            Jan11 12:40    Jan13 17:20     Jan15 22:00    Jan18 02:40    Jan20 07:20
 19 earlier, 16 later, 27 change rank   focus: jobs (<Tab>)
 DRAFT 1 edit                                                                    A apply  D discard
 (projection): 27 jobs change order; 19 earlier; 16 later; worst: 1754 +1:06:00:00

 e value  f on/off  V sweep  B solve  m assume  r remove  W weights  H hold  w why   ? help  Q quit
EOS

screen 'an absolute priority is not called relative' absolute <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [█████████████████ 511/512  99%] Nodes  [███████████████████ 64/64 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1675  b marco     32    8:00:00      -  14:38:14 +6:38h      17%
  1758  b bob        1 1:00:00:00      -  Jan10 07:12 +23:12h   3%
  1148    nora     256 1:00:00:00      -  Jan10 07:19 +23:19h   2%
  1198    john     128 1:00:00:00      -  Jan10 07:36 +23:36h   1%
IDLE 35 - by priority ──────────────────────────────────────────────────────────
  1762  r eva       16    0:05:00 10000~  10:00:29 +2:00h     15 procs short
> 1206  r paul     128 1:00:00:00   4310  Jan10 07:12 +23:12h 127 procs short
  1316    john     128 1:00:00:00   3239  Jan10 07:36 +23:36h 127 procs short
  1555    finn     207   12:00:00   2285  Jan10 19:19 +1d11h  206 procs short
  1540    ahmed     64    6:00:00   2265  14:38:14 +6:38h     63 procs short
  1602    leila    256    6:00:00   2221  Jan10 13:19 +1d05h  255 procs short
┌─ Not applied yet ────────────────────────────────────────────────────────────┐
│ undo 8908 (priority = 100 of 1762)                                           │
│ (projection): 12 jobs change order                                           │
│ will be undone                                                               │
│   8908  priority of 1762: = 100 -> computed                                  │
│ <Enter> apply   <Esc> dismiss   d add to the draft                           │
└──────────────────────────────────────────────────────────────────────────────┘
 Total Jobs: 50   Active Jobs: 7   Idle Jobs: 35   Blocked Jobs: 8
EOS

check_same_files 'back at the old value there is no draft' found as-it-was
check_same_files 'a target of 0 is none' found none
check_contains '200x60: the change of a start by days, in seconds' ' +1:05:43:05' "$(cat days-200)"
check_contains '200x60: an absolute priority in full' ' 1499->1000000100' "$(cat first)"
check_contains 'a relative priority has its sign' 'undo 8914 (priority -100 of 1762)' "$(cat relative)"

# u undoes all entries of one action: all edits of a draft, the holds of all marked jobs.
play demo --nodes 8 --seed 9 <<'EOS'
size 80x24
dump before
keys <Space> j <Space> H
keys <Enter> \
keys 7
:tune xfactorweight=60
:tune queuetimeweight=4
keys A 1 u
dump undo-edits
keys <Enter> u
dump undo-holds
keys <Enter>
dump after
keys 7 V
dump sweep
keys q <Tab>
dump groups
keys <S-Tab> 8 /
type submit 1201
keys <Enter>
dump entry
EOS

screen 'u: both edits of the applied draft' undo-edits <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
┌─ Not applied yet ────────────────────────────────────────────────────────────┐
│ undo of 2 changes                                                            │
│ (projection): 17 jobs change order; 13 earlier; 3 later; worst: 1149         │
│ +19:49:10                                                                    │
│ will be undone                                                               │
│   6402  queuetimeweight: 4 -> 2                                              │
│   6401  xfactorweight: 60 -> 100                                             │
│ <Enter> apply   <Esc> dismiss   d add to the draft                           │
└──────────────────────────────────────────────────────────────────────────────┘
  1209  r mei       16    0:10:00   4533  14:42:39 +6:42h     16 procs short
  1127  r eva       32    1:00:00   3269 >Jan10 22:03 +1d14h  32 procs short
> 1179    amina     32   12:00:00   3268  14:52:39 +6:52h     32 procs short
  1096    ravi       8   18:00:00   3241  Jan10 23:03 +1d15h  8 procs short
  1103    bob       32 1:00:00:00   3121  Jan11 14:52 +2d06h  32 procs short
  1088    nora       5 1:00:00:00   2998  11:06:25 +3:06h     5 procs short
  1133    paul      16 1:00:00:00   2659  Jan12 07:03 +2d23h  16 procs short
  1141    eva       32    6:00:00   2525  Jan11 17:03 +2d09h  32 procs short
  +26 more
 Job 1179 needs 32 processors and 0 are free: 32 short.

 Total Jobs: 47   Active Jobs: 13   Idle Jobs: 24   Blocked Jobs: 10
EOS

screen 'u again: the holds of both marked jobs' undo-holds <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1216  b ines       2   12:00:00      -  18:41:00 +10:41h     10%
  1069  b ines       4   18:00:00      -  21:10:54 +13:10h     26%
  1180  b eva        2   18:00:00      -  22:03:29 +14:03h     21%
  1219  b amina      1   18:00:00      -  Jan10 00:37 +16:37h   7%
  1105  b bob        6 1:00:00:00      -  Jan10 06:50 +22:50h   4%
  1175  b chen       2 1:12:00:00      -  Jan10 15:42 +1d07h   11%
  1074  b steve      2 2:00:00:00      -  Jan10 19:24 +1d11h   26%
IDLE 24 - by priority ──────────────────────────────────────────────────────────
  1209  r mei       16    0:10:00   5074  14:42:39 +6:42h     16 procs short
> 1179  r amina     32   12:00:00   2393  14:52:39 +6:52h     32 procs short
┌─ Not applied yet ────────────────────────────────────────────────────────────┐
│ undo of 2 changes                                                            │
│ (projection): order unchanged; 2 earlier; 10 later; worst: 1209 +0:10:00     │
│ will be undone                                                               │
│   6397  hold of 1228: user -> none                                           │
│   6396  hold of 1193: user -> none                                           │
│ <Enter> apply   <Esc> dismiss   d add to the draft                           │
└──────────────────────────────────────────────────────────────────────────────┘
 Total Jobs: 47   Active Jobs: 13   Idle Jobs: 24   Blocked Jobs: 10
EOS

screen 'without a draft the totals have no columns of a draft' groups <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Projection of the queue              full projection, jobs run to their limits
 No draft is open. To open one, change weights (W) or a setting (: tune
 user[eva].maxproc 8), or hold and release jobs (H, R). This screen shows the
 draft's edits from all screens.
────────────────────────────────────────────────────────────────────────────────
  JOB        PRIORITY START       WAIT        TOTALS OF 32 JOBS             LIVE
  1228           2491 11:06:25    3:46:34     jobs that start                 32
> 1179           2393 15:02:39    14:53:31    mean wait               2:10:50:48
  1127           2377 Jan10 03:02 1:06:41:40  max wait                9:16:55:38
  1096           1781 Jan10 06:50 1:11:33:58  mean xfactor                 13.97
  1103           1683 Jan11 14:50 2:19:19:51  last start             Jan16 12:00
  1088           1509 11:16:25    16:11:48    used until then              51.0%
  1169           1397 Jan11 06:50 2:07:49:06
  1133           1378 Jan11 19:02 2:22:12:45
  1141           1318 Jan11 00:50 2:03:50:32
  1152           1278 15:36:53    18:04:25
  +22 more
 live  ██████████████▇▆▅████████████████▇▇▅▅▅▅▄▂▂▂▁
       now           Jan10 18:24   Jan12 04:48    Jan13 15:12   Jan15 01:36

sweep: queuetimeweight=0..4q
 <Enter> accept  <Esc> cancel                                    ? help  Q quit
EOS

screen '80x24: the effect of an entry is not truncated below the list' entry <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Projection of the queue              full projection, jobs run to their limits
 No draft is open. To open one, change weights (W) or a setting (: tune
 user[eva].maxproc 8), or hold and release jobs (H, R). This screen shows the
 draft's edits from all screens.
────────────────────────────────────────────────────────────────────────────────
  JOB        PRIORITY START       WAIT        TOTALS OF 32 JOBS             LIVE
  1228           2491 11:06:25    3:46:34     jobs that start                 32
> 1179           2393 15:02:39    14:53:31    mean wait               2:10:50:48
  1127           2377 Jan10 03:02 1:06:41:40  max wait                9:16:55:38
  1096           1781 Jan10 06:50 1:11:33:58  mean xfactor                 13.97
  1103           1683 Jan11 14:50 2:19:19:51  last start             Jan16 12:00
  1088           1509 11:16:25    16:11:48    used until then              51.0%
  1169           1397 Jan11 06:50 2:07:49:06
  1133           1378 Jan11 19:02 2:22:12:45
  1141           1318 Jan11 00:50 2:03:50:32
  1152           1278 15:36:53    18:04:25
  +22 more
 live  ██████████████▇▆▅████████████████▇▇▅▅▅▅▄▂▂▂▁
       now           Jan10 18:24   Jan12 04:48    Jan13 15:12   Jan15 01:36

 submit 1201 is not a valid number of values; it must be from 2 to 100
 V sweep  B solve  m assume  W weights  H hold  w why  / filter  ? help  Q quit
EOS

check_contains 'the first suggestion of a sweep is queuetimeweight' 'sweep: queuetimeweight=0..4' "$(cat sweep)"
check_equal 'after the undo the idle jobs are as before' "$(sed -n '/^IDLE/,/^ Job/p' before | sed 's/^>/ /' | head -n 8)" \
	"$(sed -n '/^IDLE/,/^ Job/p' after | sed 's/^>/ /' | head -n 8)"

# E writes a screen with all rows of its list to a file, and never overwrites one.
play demo --nodes 8 --seed 9 <<'EOS'
size 80x24
keys E
dump asked
keys <Enter>
dump written
keys E <C-u>
type /nowhere/it
keys <Enter>
dump nowhere
:dump --all queue
size 80x300
dump tall
size 80x24
keys E <C-u>
type queue
keys <Enter>
dump kept
keys 2 E <C-u>
type job
keys <Enter>
EOS

jobs_of() { sed '/^───/q' "$1" | grep -E '^[> ] [0-9]+ ' | sed 's/^>/ /'; }
check_contains 'E: the file name has the screen and the last entry' \
	'write to: kahu-queue-6395.txt' "$(cat asked)"
check_contains 'the message has the file and its lines' "Written to kahu-queue-6395.txt: $(wc -l <queue) lines." "$(cat written)"
check_contains 'a folder without write permission is refused' \
	'cannot write the screen to /nowhere/it: No such file or directory' "$(cat nowhere)"
check_contains 'an existing file is refused' 'queue already exists; give another file name' "$(cat kept)"
check_same_files 'dump --all writes the same' kahu-queue-6395.txt queue
check_equal 'the file has all jobs as on a tall screen' "$(jobs_of tall)" "$(jobs_of queue)"
check_true 'no row is left out' test "$(jobs_of queue | wc -l)" -eq 47
check_true 'the page of a job is written completely' grep -q '^ 02:41:49     submit 1193' job
