#!/bin/sh
# SPDX-License-Identifier: MIT
#
# hpc2n.sh - the queue on the page of a site follows from its policy and workload
#
# H-05, H-09 .. H-14, H-22: the newest blocked job is promoted, and jobs over their soft limit start only
# while no job within its limit is eligible; so the queue at 16:02:11 is that of the page.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

# shellcheck source=tests/hpc2n.sh
. "$KAHU_SOURCE/tests/hpc2n.sh"

# What a verb prints at 16:02:11, without empty lines, with single blanks.
page() { # TRACE VERB [OPTION]...
	page_trace=$1 page_verb=$2
	shift 2
	"$KAHU" replay "$page_trace" --cluster 635x8 --config "$policy" --do do.txt --until "$(at 16:02:11)" \
		--report "$page_verb" "$@" 2>err |
		awk -v line="\$ $page_verb" '$0 == line { on = 1; next } /^jobs  +[0-9]/ { exit } on && NF' |
		sed 's/  */ /g; s/^ //'
}

history snac1 >log
expected="ACTIVE JOBS--------------------
JOBNAME USERNAME STATE PROC REMAINING STARTTIME
899744 user1 Running 2 9:42:28 Thu Mar 24 10:50:09
1 Active Job 3829 of 5080 Processors Active (75.37%)
635 of 635 Nodes Active (100.00%)
IDLE JOBS----------------------
JOBNAME USERNAME STATE PROC WCLIMIT QUEUETIME
900991 user1 Idle 8 1:00:00 Thu Mar 24 09:49:11
900992 user1 Idle 8 2:00:00 Thu Mar 24 09:50:58
900993 user1 Idle 8 2:00:00 Thu Mar 24 09:55:30
900995 user1 Idle 8 2:00:00 Thu Mar 24 10:04:42
900997 user1 Idle 8 2:00:00 Thu Mar 24 10:08:28
901013 user1 Idle 8 1:30:00 Thu Mar 24 10:43:05
901023 user1 Idle 8 2:29:00 Thu Mar 24 11:19:08
901025 user1 Idle 8 2:00:00 Thu Mar 24 11:24:38
8 Idle Jobs
BLOCKED JOBS----------------
JOBNAME USERNAME STATE PROC WCLIMIT QUEUETIME
901069 user1 Idle 8 2:00:00 Thu Mar 24 12:42:29
901070 user1 Idle 8 1:15:00 Thu Mar 24 12:43:41
901071 user1 Idle 8 1:20:00 Thu Mar 24 13:11:23
901074 user1 Idle 8 2:00:00 Thu Mar 24 13:17:44
901108 user1 Idle 8 2:00:00 Thu Mar 24 15:33:06
901620 user1 Idle 8 1:29:00 Thu Mar 24 10:34:26
901624 user1 Idle 8 2:00:00 Thu Mar 24 10:37:25
901627 user1 Idle 8 1:25:00 Thu Mar 24 10:41:13
Total Jobs: 17 Active Jobs: 1 Idle Jobs: 8 Blocked Jobs: 8"
check_equal "H-10, H-11, H-12, H-13: the queue equals that of the page" "$expected" "$(page log "queue -u user1")"
if [ -n "$shared" ] && [ -f "$shared/cases/hpc2n/expected.txt" ]; then
	check_equal "the queue equals that of shared/cases/hpc2n" "$(cat "$shared/cases/hpc2n/expected.txt")" \
		"$(page log "queue -u user1")"
else
	skip "the queue equals that of shared/cases/hpc2n" "there is none"
fi

# H-14: usage, limit and clear time of a job over its soft limit.
why=$(page log "why 900991")
check_contains "why prints the processor-seconds in use and requested" "69896 + 28800 = 98696" "$why"
check_contains "why prints that they exceed the soft limit" "98696 > 72000" "$why"
check_contains "why prints when the limit clears" "it clears by itself at 19:44:39, in 3:42:28" "$why"
check_contains "why prints the estimated start" "Estimated start: Thu Mar 24 19:44:39 (in 3:42:28)." "$why"
check_contains "the job is within the hard limit" "98696 MAXPS 1080000 ok" "$(page log "why 900991 -v")"
check_contains "the smallest limit that starts the job is suggested" \
	"tune account[none].maxps[user:user1] 98696,1080000 now no job delayed" "$why"

# The time of a store is that of its last event, so a job is submitted at 16:02:11.
{ cat log && job Z eva other 2000 1:00:00 16:02:11; } >stored
"$KAHU" replay stored --cluster 635x8 --config "$policy" --do do.txt --until "$(at 16:02:11)" --store st >/dev/null
why=$(KAHU_STORE="$work/st" "$KAHU" why 900991 --json)
for field in '"verdict":"not-now"' '"value":"69896 + 28800 = 98696","limit":"MAXPS 72000","ok":false' \
	'"in_use":69896,"asked":28800,"allowed":72000' "\"clears_at\":$(at 19:44:39)"; do
	check_contains "the JSON has $field" "$field" "$why"
done

# The job is blocked only by the soft limit.
check_contains "with a soft limit of 98696 it starts now" "started Thu Mar 24 16:02:11 (now)" \
	"$(page log "job 900991" --set 'account[none].maxps[user]=98696,1080000')"
check_contains "with hardpass = resources it starts when enough processors are free" "started Thu Mar 24 15:50:00" \
	"$(page log "job 900991" --set hardpass=resources)"
grep -v '^S ' log >alone
check_contains "it starts then, too, if no other job is eligible" "started Thu Mar 24 15:50:00" "$(page alone "job 900991")"
