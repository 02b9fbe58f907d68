#!/bin/sh
# SPDX-License-Identifier: MIT
#
# starts.sh - the estimated start of a job, the same on every screen and in every verb
#
# Two processors are taken until 19:00. Job long is first in the order and has the reservation at 19:00, but
# short grows by expansion factor at a hundred times its rate and is first by then. Job never exceeds the limit of
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

screen 'a projected start has no mark, one that will slip >, a job that never starts no date' queue <<'EOS'
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
check_contains 'the page names both: reserved T1, expected T2' \
	"  starts    >19:16:40 +3:13h   reserved 19:00:00, expected 19:16:40   projection" "$(cat job)"
check_contains 'the What-if screen says the same of one' '> long     r   100061 19:16:40    3:14:29' "$(cat whatif)"
check_contains 'of the other' '  short        100000 19:00:00    2:56:49' "$(cat whatif)"
check_contains 'and of the third' '  never    !   100000 -     ' "$(cat whatif)"
check_contains 'a job that never starts has no date on its page' '  starts    never      no start in the projection' \
	"$(cat never)"
check_equal 'nowhere' '' "$(sed 1d never | grep -v submitted | grep -o '[0-9][0-9]:[0-9][0-9]:[0-9][0-9]')"
check_contains 'job says so' 'estimated start  Thu Mar 24 19:16:40 ' "$(cat asked)"
check_contains 'and when' 'Thu Mar 24 19:00:00' "$(sed -n '/^\$ when short/,/^\$ when never/p' asked)"
check_contains 'and so it comes: long' ",$((now + 11669))," "$(grep '^long,' starts)"
check_contains 'and short' ",$((now + 10669))," "$(grep '^short,' starts)"
