#!/bin/sh
# SPDX-License-Identifier: MIT
#
# fairshare.sh - the Fairshare screen: who is over target and why, and the effect of other settings
#
# The guide's John (F-23): 60, 0, 10 and 50 of 110, 125, 100 and 150 processor-hours. Other users have the remaining
# hours of the windows. Nothing has run yet at the first time, so its shares are exact.

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"
. "$KAHU_SOURCE/tests/screen/policy.sh"

now=1300982531 # Thu Mar 24 2011, 16:02:11
w0=1300968000
mkdir usage && cd usage || exit 3
window $w0 john 60 steve 20 ann 10 bob 8 eva 12
window $((w0 - 43200)) john 0 steve 60 ann 15 bob 20 eva 30
window $((w0 - 86400)) john 10 steve 40 ann 20 bob 10 eva 20
window $((w0 - 129600)) john 50 steve 20 ann 10 bob 30 eva 40
cd ..
{
	echo "VERSION 230"
	job s1 32 steve 36000 $now 30000
	job e1 20 eva 36000 $now 30000
	job a1 8 ann 7200 $now 7000
	job e2 4 eva 7200 $now 7000
	job j1 8 john 3600 $now 3600
	job j2 8 john 7200 $now 3600
	job b1 4 bob 5400 $now 3600
	job b2 4 bob 5400 $now 3600
} >work.trace
cat >kahu.conf <<'EOC'
queuetimeweight = 10
xfactorweight = 1000
procweight = 100
fspolicy = dedicatedps
fsinterval = "12:00:00"
fsdepth = 4
fsdecay = 0.5
fsweight = 100
fsuserweight = 10
enablenegjobpriority = true
user john { fstarget = "25.0" }
user steve { fstarget = "25.0+" }
user ann { fstarget = "20.0-" }
user kim { fstarget = "5.0" }
user bob { fstarget = "10.0%" }
EOC

play replay work.trace --cluster 16x4 --config kahu.conf --fairshare usage --console <<'EOS'
size 100x30
step 1
keys 4
dump shares
keys j j j
dump cap
keys j j
dump below
keys g j j e <C-u>
type 35.0
dump typing
keys <Enter>
dump draft
keys A
dump changed
keys u
dump undo-draft
keys <Enter>
dump undone
keys =
dump numbers
keys <Esc> <Tab> j j j <Left> <Left>
dump slider
keys D g <Right>
dump choice
keys D <Tab> g
dump total
keys j <Left>
dump closed
keys <Right> j <Enter>
dump jobs
keys w
dump why
keys q q b
dump percent
keys 3
dump priority
keys 4
size 80x24
dump small
keys <Tab>
dump small-settings
size 60x15
dump least
EOS

screen 'the shares with John under the cursor: his formula, and the effect of the next rolls' shares <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 4  FSDECAY 0.50  rolls in 7:57:49
 FSWEIGHT 100: U 10 G 0 A 0 Q 0 C 0  lint: 0 errors, 0 warnings
  CREDENTIAL         TARGET  USAGE   DELTA       EFFECT       w0   w1*0.5  w2*0.25 w3*0.125 OLD..NEW
  TOTAL                     100.00                         110.0    125.0    100.0    150.0 █▆▇▆
  - USER                    100.00           1000/point    110.0    125.0    100.0    150.0 █▆▇▆
>   john          *  25.00   31.79   -6.79    -6791 pts     60.0      0.0     10.0     50.0 ▇▂ █
    steve            25.00+  28.90    0.00        0 pts     20.0     60.0     40.0     20.0 ▃▆█▃
    eva                  -   17.11       -    no target     12.0     30.0     20.0     40.0 █▄▆▃
    bob           !  10.00%  11.21       - CAP: blocked      8.0     20.0     10.0     30.0 █▃▆▃
    ann              20.00-  10.98    0.00        0 pts     10.0     15.0     20.0     10.0 ▄█▆▄
    kim               5.00    0.00    5.00     5000 pts      0.0      0.0      0.0      0.0



────────────────────────────────────────────────────────────────────────────────────────────────────
 john = (60 + .5*0 + .25*10 + .125*50) / (110 + .5*125 + .25*100 + .125*150) = 68.75/216.25 h =
 31.79%
 * target 25.00%: fsweight 100 * fsuserweight 10 * -6.7919 = -6791 points
 reached when w0 of all jobs exceeds 168.75 h if w0 of this row stays 60 h
 4 rolls without its jobs, busy (110 h):     14.97%   7.21%   3.64%   0.00%
 4 rolls without its jobs, idle machine:     31.65%  34.78%  54.55%       -
 other settings: FSDECAY 1.00 -> 24.74%, 0.80 -> 26.23%; FSDEPTH 2 -> 34.78%
 w0 began 12:00:00; sums: user = TOTAL; not every job has: group, account, qos, class

 Lint: L1 no job has or had this credential: user kim; check the spelling
 1 off target (*)   1 at a cap (!)   focus: shares (<Tab>)   caps block 2 jobs

 <Enter> open  e value  b percent  { -10  } +10  0 default  = numbers  u undo        ? help  Q quit
EOS
screen 'a cap that is reached blocks two jobs' cap <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 4  FSDECAY 0.50  rolls in 7:57:49
 FSWEIGHT 100: U 10 G 0 A 0 Q 0 C 0  lint: 0 errors, 0 warnings
  CREDENTIAL         TARGET  USAGE   DELTA       EFFECT       w0   w1*0.5  w2*0.25 w3*0.125 OLD..NEW
  TOTAL                     100.00                         110.0    125.0    100.0    150.0 █▆▇▆
  - USER                    100.00           1000/point    110.0    125.0    100.0    150.0 █▆▇▆
    john          *  25.00   31.79   -6.79    -6791 pts     60.0      0.0     10.0     50.0 ▇▂ █
    steve            25.00+  28.90    0.00        0 pts     20.0     60.0     40.0     20.0 ▃▆█▃
    eva                  -   17.11       -    no target     12.0     30.0     20.0     40.0 █▄▆▃
>   bob           !  10.00%  11.21       - CAP: blocked      8.0     20.0     10.0     30.0 █▃▆▃
    ann              20.00-  10.98    0.00        0 pts     10.0     15.0     20.0     10.0 ▄█▆▄
    kim               5.00    0.00    5.00     5000 pts      0.0      0.0      0.0      0.0



────────────────────────────────────────────────────────────────────────────────────────────────────
 bob = (8 + .5*20 + .25*10 + .125*30) / (110 + .5*125 + .25*100 + .125*150) = 24.25/216.25 h =
 11.21%
 cap 10.00%: 11.21% is at or above the cap; 2 jobs blocked by the cap, the first until at least
 17:23:03
 4 rolls without its jobs, busy (110 h):      4.91%   2.16%   0.48%   0.00%
 4 rolls without its jobs, idle machine:     10.38%  10.43%   7.27%       -
 other settings: FSDECAY 1.00 -> 14.02%, 0.80 -> 13.04%; FSDEPTH 2 -> 10.43%
 w0 began 12:00:00; sums: user = TOTAL; not every job has: group, account, qos, class

 Lint: L1 no job has or had this credential: user kim; check the spelling
 1 off target (*)   1 at a cap (!)   focus: shares (<Tab>)   caps block 2 jobs

 <Enter> open  e value  b percent  { -10  } +10  0 default  = numbers  u undo        ? help  Q quit
EOS
screen 'a user without jobs is below the target' below <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 4  FSDECAY 0.50  rolls in 7:57:49
 FSWEIGHT 100: U 10 G 0 A 0 Q 0 C 0  lint: 0 errors, 0 warnings
  CREDENTIAL         TARGET  USAGE   DELTA       EFFECT       w0   w1*0.5  w2*0.25 w3*0.125 OLD..NEW
  TOTAL                     100.00                         110.0    125.0    100.0    150.0 █▆▇▆
  - USER                    100.00           1000/point    110.0    125.0    100.0    150.0 █▆▇▆
    john          *  25.00   31.79   -6.79    -6791 pts     60.0      0.0     10.0     50.0 ▇▂ █
    steve            25.00+  28.90    0.00        0 pts     20.0     60.0     40.0     20.0 ▃▆█▃
    eva                  -   17.11       -    no target     12.0     30.0     20.0     40.0 █▄▆▃
    bob           !  10.00%  11.21       - CAP: blocked      8.0     20.0     10.0     30.0 █▃▆▃
    ann              20.00-  10.98    0.00        0 pts     10.0     15.0     20.0     10.0 ▄█▆▄
>   kim               5.00    0.00    5.00     5000 pts      0.0      0.0      0.0      0.0



────────────────────────────────────────────────────────────────────────────────────────────────────
 kim = (0 + .5*0 + .25*0 + .125*0) / (110 + .5*125 + .25*100 + .125*150) = 0/216.25 h = 0.00%
 target 5.00%: fsweight 100 * fsuserweight 10 * 5 = 5000 points; below the target because no job is
 queued
 4 rolls without its jobs, busy (110 h):      0.00%   0.00%   0.00%   0.00%
 4 rolls without its jobs, idle machine:      0.00%   0.00%   0.00%       -
 other settings: FSDECAY 1.00 -> 0.00%, 0.80 -> 0.00%; FSDEPTH 2 -> 0.00%
 w0 began 12:00:00; sums: user = TOTAL; not every job has: group, account, qos, class


 Lint: L1 no job has or had this credential: user kim; check the spelling
 1 off target (*)   1 at a cap (!)   focus: shares (<Tab>)   caps block 2 jobs

 <Enter> open  e value  b percent  { -10  } +10  0 default  = numbers  u undo        ? help  Q quit
EOS
screen 'e edits the target of the credential under the cursor' typing <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 4  FSDECAY 0.50  rolls in 7:57:49
 FSWEIGHT 100: U 10 G 0 A 0 Q 0 C 0  lint: 0 errors, 0 warnings
  CREDENTIAL         TARGET  USAGE   DELTA       EFFECT       w0   w1*0.5  w2*0.25 w3*0.125 OLD..NEW
  TOTAL                     100.00                         110.0    125.0    100.0    150.0 █▆▇▆
  - USER                    100.00           1000/point    110.0    125.0    100.0    150.0 █▆▇▆
>   john          *  25.00   31.79   -6.79    -6791 pts     60.0      0.0     10.0     50.0 ▇▂ █
    steve            25.00+  28.90    0.00        0 pts     20.0     60.0     40.0     20.0 ▃▆█▃
    eva                  -   17.11       -    no target     12.0     30.0     20.0     40.0 █▄▆▃
    bob           !  10.00%  11.21       - CAP: blocked      8.0     20.0     10.0     30.0 █▃▆▃
    ann              20.00-  10.98    0.00        0 pts     10.0     15.0     20.0     10.0 ▄█▆▄
    kim               5.00    0.00    5.00     5000 pts      0.0      0.0      0.0      0.0



────────────────────────────────────────────────────────────────────────────────────────────────────
 john = (60 + .5*0 + .25*10 + .125*50) / (110 + .5*125 + .25*100 + .125*150) = 68.75/216.25 h =
 31.79%
 * target 25.00%: fsweight 100 * fsuserweight 10 * -6.7919 = -6791 points
 reached when w0 of all jobs exceeds 168.75 h if w0 of this row stays 60 h
 4 rolls without its jobs, busy (110 h):     14.97%   7.21%   3.64%   0.00%
 4 rolls without its jobs, idle machine:     31.65%  34.78%  54.55%       -
 other settings: FSDECAY 1.00 -> 24.74%, 0.80 -> 26.23%; FSDEPTH 2 -> 34.78%
 w0 began 12:00:00; sums: user = TOTAL; not every job has: group, account, qos, class

 Lint: L1 no job has or had this credential: user kim; check the spelling
 1 off target (*)   1 at a cap (!)   focus: shares (<Tab>)   caps block 2 jobs
user[john].fstarget: 35.0
 <Enter> accept  <Esc> cancel                                                        ? help  Q quit
EOS
screen 'the draft: targets, shares and effects before and after' draft <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 4  FSDECAY 0.50  rolls in 7:57:49
 FSWEIGHT 100: U 10 G 0 A 0 Q 0 C 0  lint: 0 errors, 0 warnings
  CREDENTIAL               TARGET    AFTER  USAGE  AFTER       EFFECT        AFTER
  TOTAL                                           100.00
  - USER                                          100.00                1000/point
>   john                   25.00    35.00   31.79  31.79    -6791 pts     3208 pts
    steve                  25.00+   25.00+  28.90  28.90        0 pts        0 pts
    eva                        -        -   17.11  17.11    no target    no target
    bob                !   10.00%   10.00%  11.21  11.21 CAP: blocked CAP: blocked
    ann                    20.00-   20.00-  10.98  10.98        0 pts        0 pts
    kim                     5.00     5.00    0.00   0.00     5000 pts     5000 pts
────────────────────────────────────────────────────────────────────────────────────────────────────
 john = (60 + .5*0 + .25*10 + .125*50) / (110 + .5*125 + .25*100 + .125*150) = 68.75/216.25 h =
 31.79%
 target 35.00%: fsweight 100 * fsuserweight 10 * 3.2081 = 3208 points; below the target with 2 jobs
 queued
 4 rolls without its jobs, busy (110 h):     14.97%   7.21%   3.64%   0.00%
 4 rolls without its jobs, idle machine:     31.65%  34.78%  54.55%       -
 other settings: FSDECAY 1.00 -> 24.74%, 0.80 -> 26.23%; FSDEPTH 2 -> 34.78%
 w0 began 12:00:00; sums: user = TOTAL; not every job has: group, account, qos, class

 Lint: L1 no job has or had this credential: user kim; check the spelling
       L11 (new) user[john].fstarget has been 35.0 since entry 35, overriding 25.0 in line 11 of t~
 1 off target (*)   1 at a cap (!)   focus: shares (<Tab>)   caps block 2 jobs
 DRAFT 1 edit: set user[john].fstarget = 35.0                                    A apply  D discard
 (projection): order and all estimated starts unchanged

 <Enter> open  e value  b percent  { -10  } +10  0 default  = numbers  u undo        ? help  Q quit
EOS
screen 'Enter applies the draft' changed <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 4  FSDECAY 0.50  rolls in 7:57:49
 FSWEIGHT 100: U 10 G 0 A 0 Q 0 C 0  lint: 0 errors, 0 warnings
  CREDENTIAL         TARGET  USAGE   DELTA       EFFECT       w0   w1*0.5  w2*0.25 w3*0.125 OLD..NEW
  TOTAL                     100.00                         110.0    125.0    100.0    150.0 █▆▇▆
  - USER                    100.00           1000/point    110.0    125.0    100.0    150.0 █▆▇▆
>   john             35.00   31.79    3.21     3208 pts     60.0      0.0     10.0     50.0 ▇▂ █
    steve            25.00+  28.90    0.00        0 pts     20.0     60.0     40.0     20.0 ▃▆█▃
    eva                  -   17.11       -    no target     12.0     30.0     20.0     40.0 █▄▆▃
    bob           !  10.00%  11.21       - CAP: blocked      8.0     20.0     10.0     30.0 █▃▆▃
    ann              20.00-  10.98    0.00        0 pts     10.0     15.0     20.0     10.0 ▄█▆▄
    kim               5.00    0.00    5.00     5000 pts      0.0      0.0      0.0      0.0


────────────────────────────────────────────────────────────────────────────────────────────────────
 john = (60 + .5*0 + .25*10 + .125*50) / (110 + .5*125 + .25*100 + .125*150) = 68.75/216.25 h =
 31.79%
 target 35.00%: fsweight 100 * fsuserweight 10 * 3.2081 = 3208 points; below the target with 2 jobs
 queued
 4 rolls without its jobs, busy (110 h):     14.97%   7.21%   3.64%   0.00%
 4 rolls without its jobs, idle machine:     31.65%  34.78%  54.55%       -
 other settings: FSDECAY 1.00 -> 24.74%, 0.80 -> 26.23%; FSDEPTH 2 -> 34.78%
 w0 began 12:00:00; sums: user = TOTAL; not every job has: group, account, qos, class

 Lint: L1 no job has or had this credential: user kim; check the spelling
       L11 user[john].fstarget has been 35.0 since entry 35, overriding 25.0 in line 11 of the con~
 0 off target (*)   1 at a cap (!)   focus: shares (<Tab>)   caps block 2 jobs
 Done: tune user[john].fstarget 35.0. u undoes it.
 <Enter> open  e value  b percent  { -10  } +10  0 default  = numbers  u undo        ? help  Q quit
EOS
screen 'u drafts the undo' undo-draft <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 4  FSDECAY 0.50  rolls in 7:57:49
 FSWEIGHT 100: U 10 G 0 A 0 Q 0 C 0  lint: 0 errors, 0 warnings
  CREDENTIAL               TARGET    AFTER  USAGE  AFTER       EFFECT        AFTER
  TOTAL                                           100.00
  - USER                                          100.00                1000/point
>   john               *   35.00    25.00   31.79  31.79     3208 pts    -6791 pts
    steve                  25.00+   25.00+  28.90  28.90        0 pts        0 pts
    eva                        -        -   17.11  17.11    no target    no target
    bob                !   10.00%   10.00%  11.21  11.21 CAP: blocked CAP: blocked
    ann                    20.00-   20.00-  10.98  10.98        0 pts        0 pts
    kim                     5.00     5.00    0.00   0.00     5000 pts     5000 pts



────────────────────────────────────────────────────────────────────────────────────────────────────
 john = (60 + .5*0 + .25*10 + .125*50) / (110 + .5*125 + .25*100 + .125*150) = 68.75/216.25 h =
 31.79%
 * target 25.00%: fsweight 100 * fsuserweight 10 * -6.7919 = -6791 points
┌─ Not applied yet ────────────────────────────────────────────────────────────────────────────────┐
│ undo 35 (user[john].fstarget = 35.0)                                                             │
│ (projection): order and all estimated starts unchanged                                           │
│ will be undone                                                                                   │
│   35  user[john].fstarget: 35.0 -> 25.0                                                          │
│ <Enter> apply   <Esc> dismiss   d add to the draft                                               │
└──────────────────────────────────────────────────────────────────────────────────────────────────┘
 0 off target (*)   1 at a cap (!)   focus: shares (<Tab>)   caps block 2 jobs
EOS
screen 'the change is undone' undone <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 4  FSDECAY 0.50  rolls in 7:57:49
 FSWEIGHT 100: U 10 G 0 A 0 Q 0 C 0  lint: 0 errors, 0 warnings
  CREDENTIAL         TARGET  USAGE   DELTA       EFFECT       w0   w1*0.5  w2*0.25 w3*0.125 OLD..NEW
  TOTAL                     100.00                         110.0    125.0    100.0    150.0 █▆▇▆
  - USER                    100.00           1000/point    110.0    125.0    100.0    150.0 █▆▇▆
>   john          *  25.00   31.79   -6.79    -6791 pts     60.0      0.0     10.0     50.0 ▇▂ █
    steve            25.00+  28.90    0.00        0 pts     20.0     60.0     40.0     20.0 ▃▆█▃
    eva                  -   17.11       -    no target     12.0     30.0     20.0     40.0 █▄▆▃
    bob           !  10.00%  11.21       - CAP: blocked      8.0     20.0     10.0     30.0 █▃▆▃
    ann              20.00-  10.98    0.00        0 pts     10.0     15.0     20.0     10.0 ▄█▆▄
    kim               5.00    0.00    5.00     5000 pts      0.0      0.0      0.0      0.0



────────────────────────────────────────────────────────────────────────────────────────────────────
 john = (60 + .5*0 + .25*10 + .125*50) / (110 + .5*125 + .25*100 + .125*150) = 68.75/216.25 h =
 31.79%
 * target 25.00%: fsweight 100 * fsuserweight 10 * -6.7919 = -6791 points
 reached when w0 of all jobs exceeds 168.75 h if w0 of this row stays 60 h
 4 rolls without its jobs, busy (110 h):     14.97%   7.21%   3.64%   0.00%
 4 rolls without its jobs, idle machine:     31.65%  34.78%  54.55%       -
 other settings: FSDECAY 1.00 -> 24.74%, 0.80 -> 26.23%; FSDEPTH 2 -> 34.78%
 w0 began 12:00:00; sums: user = TOTAL; not every job has: group, account, qos, class

 Lint: L1 no job has or had this credential: user kim; check the spelling
 1 off target (*)   1 at a cap (!)   focus: shares (<Tab>)   caps block 2 jobs
 Done: undo 35 (user[john].fstarget = 35.0).
 <Enter> open  e value  b percent  { -10  } +10  0 default  = numbers  u undo        ? help  Q quit
EOS
screen '=: the numbers of a share and the lines of the configuration that set them' numbers <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 4  FSDECAY 0.50  rolls in 7:57:49
 FSWEIGHT 100: U 10 G 0 A 0 Q 0 C 0  lint: 0 errors, 0 warnings
  CREDENTIAL         TARGET  USAGE   DELTA       EFFECT       w0   w1*0.5  w2*0.25 w3*0.125 OLD..NEW
  TOTAL                     100.00                         110.0    125.0    100.0    150.0 █▆▇▆
  - USER                    100.00           1000/point    110.0    125.0    100.0    150.0 █▆▇▆
>   john          *  25.00   31.79   -6.79    -6791 pts     60.0      0.0     10.0     50.0 ▇▂ █
    steve            25.00+  28.90    0.00        0 pts     20.0     60.0     40.0     20.0 ▃▆█▃
    eva                  -   17.11       -    no target     12.0     30.0     20.0     40.0 █▄▆▃
  +3 more
────────────────────────────────────────────────────────────────────────────────────────────────────
 john = (60 + .5*0 + .25*10 + .125*50) / (110 + .5*125 + .25*100 + .125*150) = 68.75/216.25 h =
 31.79%
 * target 25.00%: fsweight 100 * fsuserweight 10 * -6.7919 = -6791 points                    +5 more
────────────────────────────────────────────────────────────────────────────────────────────────────
 USAGE 31.79 = 100 * (w0 60 + 0.25 * w2 10 + 0.125 * w3 50) / (w0 110 + 0.5 * w1 125 + 0.25 * w2
 100 + 0.125 * w3 150), rounded
 TARGET 25.00 = 25                        user[john].fstarget: kahu.conf:11
 DELTA -6.79 = target 25 - usage 31.79
 EFFECT -6791 pts = fsweight 100 * (fsuserweight 10 * delta -6.7919), cut
 w0 60.0 = ended 216000 / 3600            12:00:00 to Mar25 00:00
 w1 0.0 = ended 0 / 3600                  00:00:00 to 12:00:00, weighted 0.5
 w2 10.0 = ended 36000 / 3600             Mar23 12:00 to 00:00:00, weighted 0.25
 w3 50.0 = ended 180000 / 3600            Mar23 00:00 to Mar23 12:00, weighted 0.125
 Windows roll at Mar25 00:00, in 7:57:49: the weight of each is then multiplied by fsdecay 0.5, and
 w3 is dropped.                                                                              +6 more
 1 off target (*)   1 at a cap (!)   focus: shares (<Tab>)   caps block 2 jobs

 <Enter> open  e value  b percent  { -10  } +10  0 default  = numbers  u undo        ? help  Q quit
EOS
screen 'Tab, left: FSDECAY changes, and all shares with it' slider <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 4  FSDECAY 0.40  rolls in 7:57:49
 FSWEIGHT 100: U 10 G 0 A 0 Q 0 C 0  lint: 0 errors, 0 warnings
  CREDENTIAL               TARGET    AFTER  USAGE  AFTER       EFFECT        AFTER
  TOTAL                                           100.00
  - USER                                          100.00                1000/point
>   john               *   25.00    25.00   31.79  34.91    -6791 pts    -9913 pts
    steve                  25.00+   25.00+  28.90  27.84        0 pts        0 pts
    eva                        -        -   17.11  16.03    no target    no target
    ann                    20.00-   20.00-  10.98  10.69        0 pts        0 pts
    bob                !   10.00%   10.00%  11.21  10.52 CAP: blocked CAP: blocked
    kim                     5.00     5.00    0.00   0.00     5000 pts     5000 pts





FAIRSHARE ────────────────────────────────────── VALUE ──── IN FORCE ───────────────────────────────
  fspolicy                 <dedicatedps>                 dedicatedps            How fairshare measu~
  fsinterval               [──────┃───────]   12:00:00      12:00:00 1:00:00..~ Length of a fairsha~
  fsdepth                  [─┃────────────]          4             4 1..32      Number of fairshare~
> fsdecay                  [─────┃────────]        0.4           0.5 0..1       Weight of a fairsha~
 Lint: L1 no job has or had this credential: user kim; check the spelling
       L11 (new) fsdecay has been 0.4 since entry 37, overriding 0.5 in line 7 of the configuration
 1 off target (*)   1 at a cap (!)   focus: settings (<Tab>)   caps block 2 jobs
 DRAFT 1 edit: set fsdecay = 0.4                                                 A apply  D discard
 (projection): order and all estimated starts unchanged

 <Enter> open  e value  b percent  { -10  } +10  0 default  = numbers  u undo        ? help  Q quit
EOS
screen 'right: FSPOLICY changes to the next value' choice <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPES (difference)  FSINTERVAL 12:00:00  FSDEPTH 4  FSDECAY 0.50  rolls in 7:57:49
 FSWEIGHT 100: U 10 G 0 A 0 Q 0 C 0  lint: 0 errors, 0 warnings
  CREDENTIAL               TARGET    AFTER  USAGE  AFTER       EFFECT        AFTER
  TOTAL                                           100.00
  - USER                                          100.00                1000/point
>   john               *   25.00    25.00   31.79  31.79    -6791 pts    -6791 pts
    steve                  25.00+   25.00+  28.90  28.90        0 pts        0 pts
    eva                        -        -   17.11  17.11    no target    no target
    bob                !   10.00%   10.00%  11.21  11.21 CAP: blocked CAP: blocked
    ann                    20.00-   20.00-  10.98  10.98        0 pts        0 pts
    kim                     5.00     5.00    0.00   0.00     5000 pts     5000 pts





FAIRSHARE ────────────────────────────────────── VALUE ──── IN FORCE ───────────────────────────────
> fspolicy                 <dedicatedpes>                dedicatedps            How fairshare measu~
  fsinterval               [──────┃───────]   12:00:00      12:00:00 1:00:00..~ Length of a fairsha~
  fsdepth                  [─┃────────────]          4             4 1..32      Number of fairshare~
  fsdecay                  [───────┃──────]        0.5           0.5 0..1       Weight of a fairsha~
 Lint: L1 no job has or had this credential: user kim; check the spelling
       L11 (new) fspolicy has been dedicatedpes since entry 37, overriding dedicatedps in line 4 o~
 1 off target (*)   1 at a cap (!)   focus: settings (<Tab>)   caps block 2 jobs
 DRAFT 1 edit: set fspolicy = dedicatedpes                                       A apply  D discard
 (projection): order and all estimated starts unchanged

 <Enter> open  e value  b percent  { -10  } +10  0 default  = numbers  u undo        ? help  Q quit
EOS
screen 'the usage of all users' total <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 4  FSDECAY 0.50  rolls in 7:57:49
 FSWEIGHT 100: U 10 G 0 A 0 Q 0 C 0  lint: 0 errors, 0 warnings
  CREDENTIAL         TARGET  USAGE   DELTA       EFFECT       w0   w1*0.5  w2*0.25 w3*0.125 OLD..NEW
> TOTAL                     100.00                         110.0    125.0    100.0    150.0 █▆▇▆
  - USER                    100.00           1000/point    110.0    125.0    100.0    150.0 █▆▇▆
    john          *  25.00   31.79   -6.79    -6791 pts     60.0      0.0     10.0     50.0 ▇▂ █
    steve            25.00+  28.90    0.00        0 pts     20.0     60.0     40.0     20.0 ▃▆█▃
    eva                  -   17.11       -    no target     12.0     30.0     20.0     40.0 █▄▆▃
    bob           !  10.00%  11.21       - CAP: blocked      8.0     20.0     10.0     30.0 █▃▆▃
    ann              20.00-  10.98    0.00        0 pts     10.0     15.0     20.0     10.0 ▄█▆▄
    kim               5.00    0.00    5.00     5000 pts      0.0      0.0      0.0      0.0



────────────────────────────────────────────────────────────────────────────────────────────────────
 TOTAL = 110 + .5*125 + .25*100 + .125*150 = 216.25 processor-hours, decayed: the usage of all
 jobs, not the capacity of the machine
 w0 began 12:00:00; sums: user = TOTAL; not every job has: group, account, qos, class






 Lint: L1 no job has or had this credential: user kim; check the spelling
 1 off target (*)   1 at a cap (!)   focus: shares (<Tab>)   caps block 2 jobs

 <Enter> open  e value  b percent  { -10  } +10  0 default  = numbers  u undo        ? help  Q quit
EOS
screen 'left closes the section of users' closed <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 4  FSDECAY 0.50  rolls in 7:57:49
 FSWEIGHT 100: U 10 G 0 A 0 Q 0 C 0  lint: 0 errors, 0 warnings
  CREDENTIAL         TARGET  USAGE   DELTA       EFFECT       w0   w1*0.5  w2*0.25 w3*0.125 OLD..NEW
  TOTAL                     100.00                         110.0    125.0    100.0    150.0 █▆▇▆
> + USER                    100.00           1000/point    110.0    125.0    100.0    150.0 █▆▇▆









────────────────────────────────────────────────────────────────────────────────────────────────────
 user: 6 shown, 5 with a target, 1 off target.
 w0 began 12:00:00; sums: user = TOTAL; not every job has: group, account, qos, class







 Lint: L1 no job has or had this credential: user kim; check the spelling
 1 off target (*)   1 at a cap (!)   focus: shares (<Tab>)   caps block 2 jobs

 <Enter> open  e value  b percent  { -10  } +10  0 default  = numbers  u undo        ? help  Q quit
EOS
screen 'Enter shows the jobs of a credential' jobs <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████████████████████████████████████████████████████████████████ 64/64 100%]
 Nodes  [███████████████████████████████████████████████████████████████████████████████ 16/16 100%]
  JOB        USER       CLASS  PROC    WCLIMIT   PRIO QUEUED EST.START            WHY NOT NOW
IDLE 2 - by priority ───────────────────────────────────────────────────────────────────────────────
> j1       r john       batch     8    1:00:00  -4991     0s  18:02:11 +2:00h     8 procs short
  j2         john       batch     8    2:00:00  -4991     0s  19:02:11 +3:00h     8 procs short

















 Job j1 needs 8 processors and 0 are free: 8 short.

 Total Jobs: 8   Active Jobs: 4   Idle Jobs: 2   Blocked Jobs: 2   filter: user=john

 <Enter> open  w why  H hold  R release  W weights  u undo  o output  x cancel       ? help  Q quit
EOS
screen 'w: the checks of the job, with the owner of each limit' why <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue [2 Job] 3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Job j1
  for       john/staff/-   class batch   QOS -
  asks      8 procs for 1:00:00 = 28800 PS
  submitted 16:02:11, queued 0:00:00
  state     idle, number 1 of 2
  starts     18:02:11 +2:00h   reserved   projection
 Job j1 does not start now: it needs 8 processors and 0 are free: 8 short.
 Estimated start: Thu Mar 24 18:02:11 (in 2:00:00); job a1 ends then.

 CHECK                    VALUE                                         LIMIT               RESULT
  5 priority not negative -4991                                         -                   ok
  6 fits the machine      8 procs                                       64 in the machine   ok
>14 resources now         8 procs                                       0 free              FAIL
 16 reservations ahead    no reservation is delayed                     >= 8                ok
 17 strict order          none ahead                                    -                   ok
    none: hold, defer, dependency, start date, limits of its class, limits of any job, tasks of its
    array, idle limits, hard limits, soft limits, fairshare cap, reserved for others, pause

 WHAT WOULD START IT     full projection, jobs run to their limits
 Single changes that start the job now (simulated only):
   cancel s1                              now       no job delayed; admin level 2
   cancel e1                              now       no job delayed; admin level 2
   cancel a1                              now       no job delayed; admin level 2

 PRIORITY                                                                                    +4 more
 filter: user=john

 H hold  R release  p priority  W weights  = numbers  u undo  q back                 ? help  Q quit
EOS
screen 'b: windows in percent' percent <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 4  FSDECAY 0.50  rolls in 7:57:49
 FSWEIGHT 100: U 10 G 0 A 0 Q 0 C 0  lint: 0 errors, 0 warnings
  CREDENTIAL         TARGET  USAGE   DELTA       EFFECT       w0   w1*0.5  w2*0.25 w3*0.125 OLD..NEW
  TOTAL                     100.00                        100.0%   100.0%   100.0%   100.0% █▆▇▆
  - USER                    100.00           1000/point   100.0%   100.0%   100.0%   100.0% █▆▇▆
>   john          *  25.00   31.79   -6.79    -6791 pts    54.5%     0.0%    10.0%    33.3% ▇▂ █
    steve            25.00+  28.90    0.00        0 pts    18.2%    48.0%    40.0%    13.3% ▃▆█▃
    eva                  -   17.11       -    no target    10.9%    24.0%    20.0%    26.7% █▄▆▃
    bob           !  10.00%  11.21       - CAP: blocked     7.3%    16.0%    10.0%    20.0% █▃▆▃
    ann              20.00-  10.98    0.00        0 pts     9.1%    12.0%    20.0%     6.7% ▄█▆▄
    kim               5.00    0.00    5.00     5000 pts     0.0%     0.0%     0.0%     0.0%



────────────────────────────────────────────────────────────────────────────────────────────────────
 john = (60 + .5*0 + .25*10 + .125*50) / (110 + .5*125 + .25*100 + .125*150) = 68.75/216.25 h =
 31.79%
 * target 25.00%: fsweight 100 * fsuserweight 10 * -6.7919 = -6791 points
 reached when w0 of all jobs exceeds 168.75 h if w0 of this row stays 60 h
 4 rolls without its jobs, busy (110 h):     14.97%   7.21%   3.64%   0.00%
 4 rolls without its jobs, idle machine:     31.65%  34.78%  54.55%       -
 other settings: FSDECAY 1.00 -> 24.74%, 0.80 -> 26.23%; FSDEPTH 2 -> 34.78%
 w0 began 12:00:00; sums: user = TOTAL; not every job has: group, account, qos, class

 Lint: L1 no job has or had this credential: user kim; check the spelling
 1 off target (*)   1 at a cap (!)   focus: shares (<Tab>)   caps block 2 jobs

 <Enter> open  e value  b percent  { -10  } +10  0 default  = numbers  u undo        ? help  Q quit
EOS
screen 'the Priority screen: shares are part of each priority' priority <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  7 What-if  8 Journal  9 Config
  JOB          USER         PRIORITY FSUser*1~  Proc*100  QTime*10 XFctr*10~ SHARES
IDLE 2 - by priority ───────────────────────────────────────────────────────────────────────────────
> j1         r john            -4991     -6791       800         0      1000 ffffffffffffffffffrrxxx
  j2           john            -4991     -6791       800         0      1000 ffffffffffffffffffrrxxx
BLOCKED 2 - not ranked ─────────────────────────────────────────────────────────────────────────────
  b1         ! bob              1400         0       400         0      1000 rrrrrrrxxxxxxxxxxxxxxxx
  b2         ! bob              1400         0       400         0      1000 rrrrrrrxxxxxxxxxxxxxxxx




────────────────────────────────────────────────────────────────────────────────────────────────────
 j1: -4991 = fs 100 * (fsuser 10 * -6.7919 %) + proc 100 * 8 procs + xfactor 1000 * 1

 Tied with j2, which has a higher ID; swaps if: never by fsuser proc queuetime xfactor service
 This job is already first.
 In 1 h: -4991 -> -3391 (queuetime +600, xfactor +1000); already first
WEIGHTS IN USE ───────────────────────────────── VALUE ──── IN FORCE ───────────────────────────────
> queuetimeweight          [───────┃──────]         10            10 0..20      Weight of the effec~
  xfactorweight            [───────┃──────]       1000          1000 0..2000    Weight of the expan~
  fsuserweight             [───────┃──────]         10            10 0..20      Weight of how far t~
  procweight               [───────┃──────]        100           100 0..200     Weight of the numbe~
  serviceweight            [─┃────────────]          1             1 0..10      Weight of the servi~
  fsweight                 [───────┃──────]        100           100 0..200     Weight of fairshare~
  +28 more
 points   focus: jobs (<Tab>)

 W weights  e value  { -10  } +10  0 default  b percent  = numbers  u undo  q back   ? help  Q quit
EOS
screen '80x24: the shares' small <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 4  FSDECAY 0.50
 rolls in 7:57:49  FSWEIGHT 100: U 10 G 0 A 0 Q 0 C 0
 lint: 0 errors, 0 warnings
  CREDENTIAL       TARGET  USAGE   DELTA       EFFECT       w0   w1*0.5 OLD..NEW
  TOTAL                   100.00                        100.0%   100.0% █▆▇▆
  - USER                  100.00           1000/point   100.0%   100.0% █▆▇▆
>   john        *  25.00   31.79   -6.79    -6791 pts    54.5%     0.0% ▇▂ █
    steve          25.00+  28.90    0.00        0 pts    18.2%    48.0% ▃▆█▃
    eva                -   17.11       -    no target    10.9%    24.0% █▄▆▃
  +3 more
────────────────────────────────────────────────────────────────────────────────
 john = (60 + .5*0 + .25*10 + .125*50) / (110 + .5*125 + .25*100 + .125*150) =
 68.75/216.25 h = 31.79%
 * target 25.00%: fsweight 100 * fsuserweight 10 * -6.7919 = -6791 points
 reached when w0 of all jobs exceeds 168.75 h if w0 of this row stays 60 h
 4 rolls without its jobs, busy (110 h):     14.97%   7.21%   3.64%   0.00%
 4 rolls without its jobs, idle machine:     31.65%  34.78%  54.55%       -
 other settings: FSDECAY 1.00 -> 24.74%, 0.80 -> 26.23%; FSDEPTH 2 -> 34.78%
 w0 began 12:00:00; sums: user = TOTAL; not every job has: group, accou~ +1 more
 Lint: L1 no job has or had this credential: user kim; check the spelling
 1 off target (*)   1 at a cap (!)   focus: shares (<Tab>)   caps block 2 jobs
 <Enter> open  e value  b percent  { -10  } +10  0 default       ? help  Q quit
EOS
screen '80x24: the settings replace the formula' small-settings <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 4  FSDECAY 0.50
 rolls in 7:57:49  FSWEIGHT 100: U 10 G 0 A 0 Q 0 C 0
 lint: 0 errors, 0 warnings
  CREDENTIAL       TARGET  USAGE   DELTA       EFFECT       w0   w1*0.5 OLD..NEW
  TOTAL                   100.00                        100.0%   100.0% █▆▇▆
  - USER                  100.00           1000/point   100.0%   100.0% █▆▇▆
>   john        *  25.00   31.79   -6.79    -6791 pts    54.5%     0.0% ▇▂ █
    steve          25.00+  28.90    0.00        0 pts    18.2%    48.0% ▃▆█▃
    eva                -   17.11       -    no target    10.9%    24.0% █▄▆▃
    bob         !  10.00%  11.21       - CAP: blocked     7.3%    16.0% █▃▆▃
    ann            20.00-  10.98    0.00        0 pts     9.1%    12.0% ▄█▆▄
    kim             5.00    0.00    5.00     5000 pts     0.0%     0.0%


FAIRSHARE ─────────────────────────────────────── VALUE ──── IN FORCE ──────────
> fspolicy                  <dedicatedps>                 dedicatedps
  fsinterval                [──────┃───────]   12:00:00      12:00:00 1:00:00..~
  fsdepth                   [─┃────────────]          4             4 1..32
  fsdecay                   [───────┃──────]        0.5           0.5 0..1
 Lint: L1 no job has or had this credential: user kim; check the spelling
 1 off target (*)   1 at a cap (!)   focus: settings (<Tab>)   caps block 2 jobs
 <Enter> open  e value  b percent  { -10  } +10  0 default       ? help  Q quit
EOS
screen '60x15: columns are dropped' least <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00
 FSDEPTH 4  FSDECAY 0.50  rolls in 7:57:49
 FSWEIGHT 100: U 10 G 0 A 0 Q 0 C 0
  CREDENTIAL     TARGET  USAGE   DELTA       EFFECT OLD..NEW
  - USER                100.00           1000/point █▆▇▆
>   john      *  25.00   31.79   -6.79    -6791 pts ▇▂ █
FAIRSHARE ──────────────────────────────────────────── VALUE
> fspolicy                    <dedicatedps>
  fsinterval                  [────────┃────────]   12:00:00
  fsdepth                     [──┃──────────────]          4
  fsdecay                     [────────┃────────]        0.5
 1 off target (*)   1 at a cap (!)   focus: settings (<Tab>~
 <Enter> open  e value  b percent  { -10     ? help  Q quit
EOS

# A job of bob's requests 6 of about 230 h, 2.6 percent, and he has used 11.21 percent.
sed 's/"10.0%"/"12.0%"/' kahu.conf >below.conf
play replay work.trace --cluster 16x4 --config below.conf --fairshare usage --console <<'EOS'
size 100x30
step 1
keys 4
dump held
EOS
check_contains 'a user below the cap whose jobs the cap blocks' ' bob            ' "$(grep 'cap blocks 2' held)"
check_contains 'the total has the number of jobs that caps block' '0 at a cap (!)   focus: shares (<Tab>)   caps block 2 jobs' "$(cat held)"
