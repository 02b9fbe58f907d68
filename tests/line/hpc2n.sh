#!/bin/sh
# SPDX-License-Identifier: MIT
#
# hpc2n.sh - does a site's own page come out of its policy and the history that leads there?
#
# H-05, H-09 .. H-14, H-22: the newest of the blocked is promoted, jobs over their soft limit start only
# while nobody within his is eligible; so at 16:02:11 the queue is the page's.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

# shellcheck source=tests/hpc2n.sh
. "$KAHU_SOURCE/tests/hpc2n.sh"

# What a verb prints at 16:02:11, without empty lines, runs of blanks as one.
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
check_equal "H-10, H-11, H-12, H-13: the page's queue comes out, word for word" "$expected" "$(page log "queue -u user1")"
if [ -n "$shared" ] && [ -f "$shared/cases/hpc2n/expected.txt" ]; then
	check_equal "it is the one beside the project" "$(cat "$shared/cases/hpc2n/expected.txt")" \
		"$(page log "queue -u user1")"
else
	skip "it is the one beside the project" "there is none"
fi

# H-14 and the sentence of it.
why=$(page log "why 900991")
check_contains "two processors for 9:42:28 are 69896, eight for an hour 28800 more" "69896 + 28800 = 98696" "$why"
check_contains "which is over the soft limit" "98696 > 72000" "$why"
check_contains "and clears by itself" "it clears by itself at 19:44:39, in 3:42:28" "$why"
check_contains "to the minute" "Estimated start: Thu Mar 24 19:44:39 (in 3:42:28)." "$why"
check_contains "the hard limit is kept" "98696 MAXPS 1080000 ok" "$(page log "why 900991 -v")"
check_contains "the smallest limit that starts it is 98696, and delays nobody" \
	"tune account[none].maxps[user:user1] 98696,1080000 now no job delayed" "$why"

# A store stands at its last event: somebody submits at that moment.
{ cat log && job Z eva other 2000 1:00:00 16:02:11; } >stored
"$KAHU" replay stored --cluster 635x8 --config "$policy" --do do.txt --until "$(at 16:02:11)" --store st >/dev/null
why=$(KAHU_STORE="$work/st" "$KAHU" why 900991 --json)
for field in '"verdict":"not-now"' '"value":"69896 + 28800 = 98696","limit":"MAXPS 72000","ok":false' \
	'"in_use":69896,"asked":28800,"allowed":72000' "\"clears_at\":$(at 19:44:39)"; do
	check_contains "as JSON: $field" "$field" "$why"
done

# It waits for the soft limit alone.
check_contains "with a soft limit of 98696 it starts now" "started Thu Mar 24 16:02:11 (now)" \
	"$(page log "job 900991" --set 'account[none].maxps[user]=98696,1080000')"
check_contains "with hardpass = resources as soon as there were processors" "started Thu Mar 24 15:50:00" \
	"$(page log "job 900991" --set hardpass=resources)"
grep -v '^S ' log >alone
check_contains "and likewise while nobody else is eligible" "started Thu Mar 24 15:50:00" "$(page alone "job 900991")"
