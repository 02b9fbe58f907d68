#!/bin/sh
# SPDX-License-Identifier: MIT
#
# firstday.sh - what does somebody run into who has never seen the console?
#
# Who else would get what a group of users used: "what if biology had a target?", on screen 4. What a draft
# does to starts that are days away, where columns are narrow. An absolute priority, and what undoing it is
# called. What u takes back where several things were done at once. What is on a screen, in a file.

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
keys <Esc> <Esc>
size 100x30
keys 7
:tune queuetimeweight=10
dump days
size 200x60
dump days-200
keys <Esc>
:set 1742 priority=100
dump first
size 80x24
keys <Enter> 1 u
dump absolute
keys <Enter>
:set 1742 priority=-100
keys <Enter> u
dump relative
keys <Esc>
EOS

screen 'what is looked for is listed, open or not' found <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 6  FSDECAY 0.70
 rolls in 4:00:00  FSWEIGHT 1: U 20 G 5 A 0 Q 0 C 0  lint: 0 errors, 1 warning
  CREDENTIAL       TARGET  USAGE   DELTA       EFFECT       w0   w1*0.7 OLD..NEW
  TOTAL                   100.00                        3693.8   5738.4 █████▆
  - GROUP                 100.00            5 a point   3693.8   5738.4 █████▆
>   biology            -   21.32       -    no target    499.1    385.7 ▄▃█▄▁▂




────────────────────────────────────────────────────────────────────────────────
 biology = (499.09 + .7*385.66 + .49*1488.88 + .343*3217.49 + .2401*1203.76 +
 .1681*1341.86) / (3693.77 + .7*5738.44 + .49*5572.1 + .343*5693.57 +
 .2401*5404.21 + .1681*5523.46) = 3116.75/14619.78 h = 21.32%
 if it runs nothing, machine busy (3694 h):  15.24%  10.32%   4.40%   1.65%
 at the next 4 rolls, machine idle:          21.12%  21.00%  14.35%   9.97%
 other knobs: FSDECAY 1.00 -> 25.73%, 0.80 -> 23.10%, 0.50 -> 17.25%; FSDEPTH 3
 -> 14.35%
 w0 began 00:00:00; sums: user = group = account = qos = class = TOTAL

 3 off target (*)   0 at a cap (!)   keys: shares (<Tab>)   caps ~   filter: bio
 <Enter> open  e value  b percent  { -10  } +10  0 default       ? help  Q quit
EOS

screen '} on a credential is ten points of its target' raised <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 6  FSDECAY 0.70
 rolls in 4:00:00  FSWEIGHT 1: U 20 G 5 A 0 Q 0 C 0  lint: 0 errors, 1 warning
  CREDENTIAL             TARGET    AFTER  USAGE  AFTER       EFFECT        AFTER
  TOTAL                                         100.00
  - GROUP                                       100.00                 5 a point
>   biology                  -    20.00   21.32  21.32    no target       -6 pts




────────────────────────────────────────────────────────────────────────────────
 biology = (499.09 + .7*385.66 + .49*1488.88 + .343*3217.49 + .2401*1203.76 +
 .1681*1341.86) / (3693.77 + .7*5738.44 + .49*5572.1 + .343*5693.57 +
 .2401*5404.21 + .1681*5523.46) = 3116.75/14619.78 h = 21.32%
 target 20.00%: fsweight 1 * fsgroupweight 5 * -1.32 = -6 points
 if it runs nothing, machine busy (3694 h):  15.24%  10.32%   4.40%   1.65%
 at the next 4 rolls, machine idle:          21.12%  21.00%  14.35%   9.97%
 other knobs: FSDECAY 1.00 -> 25.73%, 0.80 -> 23.10%, 0.50 -> 17.25%; FSDEPTH 3
 -> 14.35%
 w0 began 00:00:00; sums: user = group = account = qos = class = TOTAL
 tune group[biology].fstarget 20 (plan): the order and all estimated starts stay
 <Enter> apply  <Esc> drop  e value  b percent  { -10  } +10     ? help  Q quit
EOS

screen "{ and } there are not the settings'" heading <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 6  FSDECAY 0.70
 rolls in 4:00:00  FSWEIGHT 1: U 20 G 5 A 0 Q 0 C 0  lint: 0 errors, 1 warning
  CREDENTIAL       TARGET  USAGE   DELTA       EFFECT       w0   w1*0.7 OLD..NEW
  TOTAL                   100.00                        3693.8   5738.4 █████▆
> - GROUP                 100.00            5 a point   3693.8   5738.4 █████▆
    biology            -   21.32       -    no target    499.1    385.7 ▄▃█▄▁▂




────────────────────────────────────────────────────────────────────────────────
 group: 5 here, 2 with a target, 1 off it.
 w0 began 00:00:00; sums: user = group = account = qos = class = TOTAL







 Only a credential has a target; <Tab> goes to the settings of all.
 <Enter> open  e value  b percent  { -10  } +10  0 default       ? help  Q quit
EOS

screen 'a change of a day is not cut' days <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 What the draft changes                                   full projection, jobs run to their limits
>  1     set queuetimeweight = 10
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          PRIORITY        LIVE        DRAFT       CHANGE    OF 58 JOBS        LIVE       DRAFT
> 1742       r 5178->7953      11:24:09    Jan10 01:55 +14:31:34 jobs that start     58          58
  1737       r 4550->7676      Jan10 01:55 Jan10 06:36 +4:40:54  mean wait   3:20:38:58  3:22:12:39
  1206         4298->20687     Jan10 05:07 Jan10 05:07           max wait   15:21:16:45 15:21:16:45
  1639         4094->10160     15:34:09    11:24:09    -4:10:00  mean xfactor     12.95       15.74
  1672         4055->9768      11:34:09    17:24:09    +5:50:00  last start Jan23 12:00 Jan23 12:00
  1316         3180->14288     Jan10 12:36 Jan10 06:36 -6:00:00  in use till then 48.4%       48.4%
  1744         2760->5502      21:34:09    Jan10 02:39 +5:05:37  jobs delayed         -          24
  1745         2703->5012      Jan10 02:10 Jan10 06:36 +4:25:54  worst delay          - +1:15:55:54
  1747         2439->4700      22:04:09    Jan10 05:24 +7:20:00
  1555         2273->9512      Jan10 16:40 Jan10 11:54 -4:46:34
  1602         2221->8772      Jan11 05:07 Jan11 06:36 +1:29:17
  1538         2170->9557      Jan10 02:39 21:24:09    -5:15:37
  1553         2090->9346      Jan11 02:40 Jan10 02:05 -1d00h
  969          1975->8942      Jan11 14:07 Jan11 06:55 -7:11:50
  1522         1965->9455      Jan11 18:36 Jan10 23:54 -18:42:28
  1611         1911->8359      Jan10 10:40 Jan10 03:09 -7:30:57
  +44 more
 draft ██████▇▇███▇▆████████▇▇▇▇▆███▇▇▇██████████▆▆▆▄▁▁▁                 ██▇▃▁▁▁▁▁▁
 live  ██████████████▇██▇█████████▇██████████████▆▆▁▁▁▁▁                 ██▇▃▁▁▁▁▁▁
       now            Jan11 16:40    Jan14 01:20     Jan16 10:00    Jan18 18:40    Jan21 03:20
 17 earlier, 24 later, 29 change rank   keys: jobs (<Tab>)
 tune queuetimeweight=10 (projection): 29 jobs change order; 17 earlier; 24 later; worst: 1760
 +1:15:55:54
 <Enter> apply  <Esc> drop  e value  f on/off  V sweep  B solve  A assume  D remove  ? help  Q quit
EOS

screen 'an absolute priority is not called a relative one' absolute <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [█████████████████ 497/512  97%] Nodes  [███████████████████ 64/64 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1721  b bob        2 1:00:00:00      -  Jan10 05:38 +21:38h   9%
  1755  b john       2 1:00:00:00      -  Jan10 06:26 +22:26h   6%
  1148    nora     256 1:00:00:00      -  Jan10 06:36 +22:36h   5%
  1438  b bob        1 1:00:00:00      -  Jan10 06:55 +22:55h   4%
  1506  b bob        1 1:00:00:00      -  Jan10 07:38 +23:38h   1%
IDLE 32 - by priority ──────────────────────────────────────────────────────────
> 1742  r eva       32    0:10:00 10000~  11:24:09 +3:24h     17 procs short
  1737  r leila     64    0:15:00   4550  Jan10 01:55 +17:55h 49 procs short
  1206    paul     128 1:00:00:00   4298 ~Jan10 05:07 +21:07h 113 procs short
  1639    amina     32    6:00:00   4094 ~11:34:09 +3:34h     17 procs short
  1672    amina     43    4:00:00   4055 ~17:34:09 +9:34h     28 procs short
  1316    john     128 1:00:00:00   3180 ~Jan10 06:36 +22:36h 113 procs short
  +54 more
 Job 1742 needs 32 processors and 15 are free: 17 short.
────────────────────────────────────────────────────────────────────────────────
 is taken back
   8841  priority of 1742: = 100 -> computed
 undo 8841 (priority = 100 of 1742) (plan): the order and all estimated starts
 stay
 <Enter> apply  <Esc> drop  w why  H hold  R release  W weights  ? help  Q quit
EOS

check_same_files 'back where it was there is no draft' found as-it-was
check_same_files '0 is no target' found none
check_contains '200x60: the change of a day to the second' ' -1:00:35:00' "$(cat days-200)"
check_contains '200x60: an absolute priority in full' ' 5178->1000000100' "$(cat first)"
check_contains 'a relative one has its sign' 'undo 8843 (priority -100 of 1742)' "$(cat relative)"

# u takes back what was done by one act as a whole: all edits of a draft, the holds of all jobs marked.
play demo --nodes 8 --seed 9 <<'EOS'
size 80x24
dump before
keys <Space> j <Space> H u
keys <Enter> \
keys 7
:tune xfactorweight=60
:tune queuetimeweight=4
keys <Enter> 1 u
dump undo-edits
keys <Enter> u
dump undo-holds
keys <Enter>
dump after
keys 7 V
dump sweep
keys <Esc> <Tab>
dump groups
keys <S-Tab> 8 /
type submit 1201
keys <Enter>
dump entry
EOS

screen 'u: both edits of the draft that was applied' undo-edits <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1069  b ines       4   18:00:00      -  21:10:54 +13:10h     26%
  1180  b eva        2   18:00:00      -  22:03:29 +14:03h     21%
  1219  b amina      1   18:00:00      -  Jan10 00:37 +16:37h   7%
  1105  b bob        6 1:00:00:00      -  Jan10 06:50 +22:50h   4%
  1175  b chen       2 1:12:00:00      -  Jan10 15:42 +1d07h   11%
  1074  b steve      2 2:00:00:00      -  Jan10 19:24 +1d11h   26%
IDLE 24 - by priority ──────────────────────────────────────────────────────────
> 1209  r mei       16    0:10:00   4533  14:42:39 +6:42h     16 procs short
  1127  r eva       32    1:00:00   3269  14:52:39 +6:52h     32 procs short
  1179    amina     32   12:00:00   3268 ~15:52:39 +7:52h     32 procs short
  1096    ravi       8   18:00:00   3241 ~13:51:35 +5:51h     8 procs short
  +30 more
 Job 1209 needs 16 processors and 0 are free: 16 short.
────────────────────────────────────────────────────────────────────────────────
 is taken back
   6394  queuetimeweight: 4 -> 2
   6393  xfactorweight: 60 -> 100
 undo of 2 changes (plan): 17 jobs change order; 9 earlier; 6 later; worst: 1152
 +1:06:14:04
 <Enter> apply  <Esc> drop  w why  H hold  R release  W weights  ? help  Q quit
EOS

screen 'u again: the holds of both jobs that were marked' undo-holds <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1069  b ines       4   18:00:00      -  21:10:54 +13:10h     26%
  1180  b eva        2   18:00:00      -  22:03:29 +14:03h     21%
  1219  b amina      1   18:00:00      -  Jan10 00:37 +16:37h   7%
  1105  b bob        6 1:00:00:00      -  Jan10 06:50 +22:50h   4%
  1175  b chen       2 1:12:00:00      -  Jan10 15:42 +1d07h   11%
  1074  b steve      2 2:00:00:00      -  Jan10 19:24 +1d11h   26%
IDLE 24 - by priority ──────────────────────────────────────────────────────────
> 1209  r mei       16    0:10:00   5074  14:42:39 +6:42h     16 procs short
  1179  r amina     32   12:00:00   2393  14:52:39 +6:52h     32 procs short
  1127    eva       32    1:00:00   2377 ~Jan10 02:52 +18:52h 32 procs short
  1096    ravi       8   18:00:00   1781 ~13:51:35 +5:51h     8 procs short
  +30 more
 Job 1209 needs 16 processors and 0 are free: 16 short.
────────────────────────────────────────────────────────────────────────────────
 is taken back
   6389  hold of 1228: user -> none
   6388  hold of 1193: user -> none
 undo of 2 changes (plan): the order stays; 2 earlier; 12 later; worst: 1211
 +0:10:00
 <Enter> apply  <Esc> drop  w why  H hold  R release  W weights  ? help  Q quit
EOS

screen 'without a draft the totals have no columns of one' groups <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 The queue as it is                   full projection, jobs run to their limits
 There is no draft: this is the queue as it is. W tries other weights, :
 another setting (tune user[eva].maxproc 8), H and R hold and release; what is
 drafted on any screen is shown here.
────────────────────────────────────────────────────────────────────────────────
  OF                JOBS   MEAN WAIT MEAN XF
user ───────────────────────────────────────────────────────────────────────────
> mei                  3     8:56:44   54.67
  eva                  8  1:10:03:54   13.38
  bob                  2  1:16:57:00    2.71
  john                 2  3:09:16:29    4.39
  lars                 6  6:21:47:58   15.97
  steve                1     2:52:55   35.58
  amina                2    19:40:59    1.96
  julia                1     4:28:00    1.74
  ravi                 2  1:21:41:32    5.48
  +22 more
 live  ██████████████▇▆▅████████████████▇▇▅▅▅▅▄▂▂▂▁
       now           Jan10 18:24   Jan12 04:48    Jan13 15:12   Jan15 01:36

 keys: totals (<Tab>)
 V sweep  B solve  A assume  W weights  H hold  w why  / filter  ? help  Q quit
EOS

screen '80x24: what an entry says is not cut below the list' entry <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if [8 Journal] 9 Config
      SEQ TIME        WHO          WHAT                              UNDO
>    6188 03:16:41    rosa         submit 1201: 4 processors for 1:~











────────────────────────────────────────────────────────────────────────────────
 6188  2026-01-09T03:16:41  rosa: submit 1201: 4 processors for 1:00:00:00, user
 rosa
   at once: idle, place 36 of 39
   queue: 1200 1127 1193 1096 1053 ..., as before
   because of it: b runs all since again, with it and without it

 1 entry, without plans, queue time and bypass counts (f:~   filter: submit 1201
 u undo  U to here  <Enter> open  [ back  ] on  b because        ? help  Q quit
EOS

check_contains 'a sweep offers first how much waiting counts' 'sweep: queuetimeweight=0..4' "$(cat sweep)"
check_equal 'and all is as it was' "$(sed -n '/^IDLE/,/^ Job/p' before | sed 's/^>/ /' | head -n 8)" \
	"$(sed -n '/^IDLE/,/^ Job/p' after | sed 's/^>/ /' | head -n 8)"

# E writes a screen to a file, all rows of its list with it, and never over another.
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
check_contains 'E: the name has the screen and the entry after which it is so' \
	'write to: kahu-queue-6387.txt' "$(cat asked)"
check_contains 'and what was written is said' "Written to kahu-queue-6387.txt: $(wc -l <queue) lines." "$(cat written)"
check_contains 'where nothing can be written' \
	'the screen cannot be written to /nowhere/it: No such file or directory' "$(cat nowhere)"
check_contains 'what is there already' 'queue is there already and stays as it is; name another file' "$(cat kept)"
check_same_files 'dump --all does the same' kahu-queue-6387.txt queue
check_equal 'all jobs are in it, and nothing is different' "$(jobs_of tall)" "$(jobs_of queue)"
check_true 'and no row is left out' test "$(jobs_of queue | wc -l)" -eq 47
check_true 'a page is written to its end' grep -q '^ 02:41:49     submit 1193' job
