#!/bin/sh
# SPDX-License-Identifier: MIT
#
# starts.sh - the estimated start of a job is the same on every screen and in every verb
#
# Two processors are in use until 19:00. Job long ranks first and has a reservation at 19:00, but the expansion factor
# of short grows a hundred times faster, so short ranks first by then. Job never exceeds the limit of
# its user and cannot start.

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"
. "$KAHU_SOURCE/tests/screen/policy.sh"

now=1300982531 # Thu Mar 24 2011, 16:02:11
{
	echo "VERSION 230"
	job runs 2 eva 10669 $now 10669
	job long 2 ann 100000 $now 100000
	job short 2 bob 1000 $((now + 60)) 1000
	job never 2 tom 1000 $((now + 60)) 1000
} >work.trace
cat >kahu.conf <<'EOC'
xfactorweight = 100000
user tom { maxproc = {"1"} }
EOC

play replay work.trace --cluster 1x2 --config kahu.conf --console <<'EOS'
size 80x24
advance 60
dump queue
keys <Enter>
dump job
keys 7
dump whatif
keys / n e v e r <Enter> <Enter>
dump never
EOS
{
	echo "$((now + 60)) job long"
	echo "$((now + 60)) when short"
	echo "$((now + 60)) when never"
} >ask
"$KAHU" replay work.trace --cluster 1x2 --config kahu.conf --do ask --starts starts >asked

screen 'no mark on a projected start, > on one that will be delayed, no date for a job that never starts' queue <<'EOS'
 KAHU simulation  Thu Mar 24 16:03:11  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [█████████████████████ 2/2 100%] Nodes  [█████████████████████ 1/1 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
ACTIVE 1 - by completion ─────────────── ENDS BY ──────────── USED ─────────────
  runs    eva        2    2:57:49      -  19:00:00 +2:56h       0%
IDLE 2 - by priority ───────────────────────────────────────────────────────────
> long  r ann        2 1:03:46:40 100061 >19:16:40 +3:13h     2 procs short
  short   bob        2    0:16:40 100000  19:00:00 +2:56h     2 procs short
BLOCKED 1 - by hard limits ─────────────────────────────────────────────────────
  never ! tom        2    0:16:40 100000 never                MAXPROC 2>1









 Job long needs 2 processors and 0 are free: 2 short. Its start: reserved
 19:00:00, expected 19:16:40.
 Total Jobs: 4   Active Jobs: 1   Idle Jobs: 2   Blocked Jobs: 1
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
check_contains 'the page has both: reserved T1, expected T2' \
	"  starts    >19:16:40 +3:13h   reserved 19:00:00, expected 19:16:40   projection" "$(cat job)"
check_contains 'the What-if screen has the start of long' '> long     r   100061 19:16:40    3:14:29' "$(cat whatif)"
check_contains 'the What-if screen has the start of short' '  short        100000 19:00:00    2:56:49' "$(cat whatif)"
check_contains 'the What-if screen has no start of never' '  never    !   100000 -     ' "$(cat whatif)"
check_contains 'the page of a job that never starts has no date' '  starts    never      no start in the projection' \
	"$(cat never)"
check_equal 'the page has no time other than that of submission' '' "$(sed 1d never | grep -v submitted | grep -o '[0-9][0-9]:[0-9][0-9]:[0-9][0-9]')"
check_contains 'job has the start of long' 'estimated start  Thu Mar 24 19:16:40 ' "$(cat asked)"
check_contains 'when has the start of short' 'Thu Mar 24 19:00:00' "$(sed -n '/^\$ when short/,/^\$ when never/p' asked)"
check_contains 'long starts at that time' ",$((now + 11669))," "$(grep '^long,' starts)"
check_contains 'short starts at that time' ",$((now + 10669))," "$(grep '^short,' starts)"
