#!/bin/sh
# SPDX-License-Identifier: MIT
#
# arrays.sh - tasks of an array share a line of the queue, which can be opened and acted on

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

# A simulated cluster is idle when two arrays are submitted; its clock does not advance.
export KAHU_STORE="$work/st"
play demo --nodes 4 --seed 9 --jobs 12 --store "$KAHU_STORE" <<'EOS'
size 80x24
keys Q y
EOS
check_equal "an array is submitted" '13[]' \
	"$("$KAHU" submit -t 0-9%4 -l walltime=600 -o /dev/null -e /dev/null -- true)"
check_equal "a second array is held" '23[]' \
	"$("$KAHU" submit -h -t 3,5,8-12 -l walltime=600 -o /dev/null -e /dev/null -- true)"

cat >script <<'EOS'
size 80x24
wait-idle
dump folded
keys <Enter>
dump open
keys j j <Left>
dump again
keys <Tab> <Space> R
dump marked
keys <Esc>
size 60x16
dump small
EOS
check_status "the script runs" 0 "$KAHU" --script script

screen 'tasks that wait for the same reason share a line' folded <<'EOS'
 KAHU simulation  Mon Jan  5 14:05:42  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [                     0/32   0%] Nodes  [                      0/4   0%]
  JOB               USER     PROC   PRIO EST.START            WHY NOT NOW
IDLE 4 - by priority ───────────────────────────────────────────────────────────
> 13[0-3] x4        OPERATOR    1    101 now                  starts now
BLOCKED 7 - by hold ────────────────────────────────────────────────────────────
  23[3,5,8-12] x7 H OPERATOR    1    101 -                    held (user)
BLOCKED 6 - by tasks of its array ──────────────────────────────────────────────
  13[4-9] x6      ! OPERATOR    1    101  14:15:42 +10m       array: 4 of 4










 Job 13[0] starts at the next pass.

 Total Jobs: 17   Active Jobs: 0   Idle Jobs: 4   Blocked Jobs: 13
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'Enter opens the line: one line for each task' open <<'EOS'
 KAHU simulation  Mon Jan  5 14:05:42  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [                     0/32   0%] Nodes  [                      0/4   0%]
  JOB               USER     PROC   PRIO EST.START            WHY NOT NOW
IDLE 4 - by priority ───────────────────────────────────────────────────────────
> 13[0]             OPERATOR    1    101 now                  starts now
  13[1]             OPERATOR    1    101 now                  starts now
  13[2]             OPERATOR    1    101 now                  starts now
  13[3]             OPERATOR    1    101 now                  starts now
BLOCKED 7 - by hold ────────────────────────────────────────────────────────────
  23[3,5,8-12] x7 H OPERATOR    1    101 -                    held (user)
BLOCKED 6 - by tasks of its array ──────────────────────────────────────────────
  13[4]           ! OPERATOR    1    101  14:15:42 +10m       array: 4 of 4
  13[5]           ! OPERATOR    1    101  14:15:42 +10m       array: 4 of 4
  13[6]           ! OPERATOR    1    101  14:15:42 +10m       array: 4 of 4
  13[7]           ! OPERATOR    1    101  14:15:42 +10m       array: 4 of 4
  13[8]           ! OPERATOR    1    101  14:25:42 +20m       array: 4 of 4
  13[9]           ! OPERATOR    1    101  14:25:42 +20m       array: 4 of 4


 Job 13[0] starts at the next pass.

 Total Jobs: 17   Active Jobs: 0   Idle Jobs: 4   Blocked Jobs: 13
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
check_equal 'left closes it again' "$(cat folded)" "$(cat again)"
screen 'a marked line is acted on with all its tasks' marked <<'EOS'
 KAHU simulation  Mon Jan  5 14:05:42  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [                     0/32   0%] Nodes  [                      0/4   0%]
  JOB               USER     PROC   PRIO EST.START            WHY NOT NOW
IDLE 4 - by priority ───────────────────────────────────────────────────────────
  13[0-3] x4        OPERATOR    1    101 now                  starts now
BLOCKED 7 - by hold ────────────────────────────────────────────────────────────
 *23[3,5,8-12] x7 H OPERATOR    1    101 -                    held (user)
BLOCKED 6 - by tasks of its array ──────────────────────────────────────────────
> 13[4-9] x6      ! OPERATOR    1    101  14:15:42 +10m       array: 4 of 4






┌─ Not applied yet ────────────────────────────────────────────────────────────┐
│ release 23[3] 23[5] 23[8] 23[9] 23[10] 23[11] 23[12]                         │
│ (projection): order unchanged; 7 earlier                                     │
│ 7 marked jobs                                                                │
│ <Enter> apply   <Esc> dismiss   d add to the draft                           │
└──────────────────────────────────────────────────────────────────────────────┘
 Total Jobs: 17   Active Jobs: 0   Idle Jobs: 4   Blocked Jobs: 13   7 marked
EOS
screen 'the same on a small screen' small <<'EOS'
 KAHU simulation  Mon Jan  5 14:05:42  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8
 Procs  [           0/32   0%] Nodes  [            0/4   0%]
  JOB               USER    PROC   PRIO EST.START
IDLE 4 - by priority ───────────────────────────────────────
  13[0-3] x4        OPERATOR   1    101 now
BLOCKED 7 - by hold ────────────────────────────────────────
 *23[3,5,8-12] x7 H OPERATOR   1    101 -
BLOCKED 6 - by tasks of its array ──────────────────────────
> 13[4-9] x6      ! OPERATOR   1    101  14:15:42 +10m



 Job 13[4] waits for other tasks of array 13[]: at most 4  ~
 17 jobs: 0 active, 4 idle, 13 blocked   7 marked
 <Enter> open  w why  H hold  R release      ? help  Q quit
EOS
