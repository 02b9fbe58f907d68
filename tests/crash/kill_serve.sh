#!/bin/sh
# SPDX-License-Identifier: MIT
#
# kill_serve.sh - every accepted job runs exactly once and its end is recorded, however often the scheduler is killed
#
# The scheduler is killed (-9) at random times while jobs are submitted, several at a time, and up to 16 run.
# At the end each job whose ID was printed has run once and has ended with its own exit status: accepted but
# missing 0, run twice 0, wrong status 0, unaccounted 0. No job has run without an answer to its client: a client
# whose scheduler dies asks the next one and gets the same ID. ROUNDS is the number of kills.
# shellcheck source=tests/crash/history.sh
. "${KAHU_SOURCE:?}/tests/crash/history.sh"

rounds=${ROUNDS:-25}
echo "# SEED=$seed, $rounds kills"
room_for 16

submitters=3
submit_some() { # WHICH
	number=$1
	while [ ! -e stop ]; do
		number=$((number + submitters))
		random 30
		submit_one $number "0.$((random / 10))$((random % 10))"
	done
}

# The submitting processes are the only other children of this shell.
no_client_waits() { [ "$(pgrep -c -P $$ -f kill_serve)" = 0 ]; }

# Numbers of jobs that ran although no ID was printed.
unanswered() { awk 'NR == FNR { told[$2] = 1; next } $1 == "begin" && !($2 in told) { print $2 }' accepted log; }

serve
kill_server
for which in $(seq $submitters); do
	submit_some "$which" &
done
round=0
while [ $round -lt "$rounds" ]; do
	round=$((round + 1))
	serve
	random 100
	sleep "0.0$((random / 10))$((random % 10))"
	kill_server
done
serve
enough() { [ "$(count accepted)" -gt "$rounds" ]; }
check_true "more jobs than kills were accepted" wait_until 60 enough
touch stop
check_true "all clients get their answers" wait_until 30 no_client_waits

check_true "every accepted job ends" wait_until 60 all_ended
check_equal "each job ran exactly once and ended once, with its own status" "" "$(judge)"
check_equal "no job ran without a printed ID" "" "$(unanswered)"
echo "# $rounds kills, $(count accepted) accepted, $(count_lost) lost"
echo "# soak $rounds $(count accepted) $rounds"
# The file of an ended job is removed at the next event.
"$KAHU" submit -h -- true >/dev/null
empty() { [ -z "$(find "$KAHU_STORE/spool" -mindepth 1 ! -name boot ! -name clock)" ]; }
check_true "the spool is empty" wait_until 10 empty
kill "$server"
wait "$server"
check_status "the store is intact" 0 "$KAHU_BUILD/tests/crash/verify_store" "$KAHU_STORE"
