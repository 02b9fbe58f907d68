#!/bin/sh
# SPDX-License-Identifier: MIT
#
# wait.sh - kahu wait and notify: ends, statuses and reasons of jobs
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

room_for 2
printf 'class narrow { max.proc = 1 }\n' >>kahu.conf
submit() { "$KAHU" submit -o /dev/null -e /dev/null "$@"; }
until_file() { submit -- sh -c "until test -e '$work/$1'; do sleep 0.02; done; exit $2"; }
serve

check_equal "a job is submitted" 1 "$(until_file go 3)"
"$KAHU" wait 1 >waited 2>waited.err &
waiter=$!
check_true "it runs" wait_until 20 sh -c '"$KAHU" journal --from 1 | grep -q "start 1"'
check_true "wait waits for it" kill -0 $waiter
touch go
wait $waiter
check_equal "wait returns its status" 3 $?
check_equal "wait prints its end" "job 1 ended with status 3" "$(cat waited)"
check_status "wait for an ended job returns its status" 3 "$KAHU" wait 1
check_equal "it prints its end" "job 1 ended with status 3" "$out"

# The status is the highest of several jobs, with --any that of the first to end.
until_file a 5 >ids && until_file b 2 >>ids
touch b
check_status "wait --any returns the status of the first job to end" 2 "$KAHU" wait --any 2 3
check_equal "it prints only that job" "job 3 ended with status 2" "$out"
touch a
check_status "wait for several jobs returns the highest status" 5 "$KAHU" wait 1-3
check_contains "it prints all of them" "job 2 ended with status 5" "$out"
check_status "wait --json returns the highest status" 5 "$KAHU" wait 2 1 --json
check_equal "it has one entry for each job" "2 5 1 3" "$(printf '%s' "$out" | grep -o '"\(job\|exit_status\)":"*[0-9]*' | sed 's/.*:"*//' | tr '\n' ' ' | sed 's/ $//')"

# Arrays.
"$KAHU" submit -t 0-3%2 -o /dev/null -e /dev/null -- sh -c 'exit $KAHU_ARRAY_ID' >ids
check_status "wait for an array returns the highest status of its tasks" 3 "$KAHU" wait '4[]'
check_equal "it prints one line" "job 4[] ended with status 3" "$out"
check_status "the number of an array selects it" 3 "$KAHU" wait 4
check_status "a task is selected by its ID" 2 "$KAHU" wait '4[2]'
check_equal "it has its own status" "job 4[2] ended with status 2" "$out"

# Different kinds of ends.
submit -h -- true >ids
check_status "a held job is cancelled" 0 "$KAHU" cancel 8
check_status "wait returns 143" 143 "$KAHU" wait 8
check_equal "it prints that the job was cancelled before it ran" "job 8 was cancelled before it ran" "$out"
submit -- sh -c 'kill -9 $$' >ids
check_status "wait for a job that is killed by signal 9 returns 137" 137 "$KAHU" wait 9
check_equal "it prints the signal" "job 9 was ended by KILL" "$out"
submit -d /nonexistent -- true >ids
check_status "wait for a job that cannot start returns 126" 126 "$KAHU" wait 10
check_contains "it prints the reason" "/nonexistent" "$out"
check_status "an unknown job is refused" 1 "$KAHU" wait 99
check_contains "the message names it" "unknown job 99" "$err"
check_status "a call without a job is refused" 1 "$KAHU" wait

# The scheduler is killed while clients wait.
until_file c 4 >ids
check_true "a job runs" wait_until 20 sh -c '"$KAHU" journal --from 1 | grep -q "start 11"'
"$KAHU" wait 11 >waited 2>waited.err &
waiter=$!
"$KAHU" notify 11 >noticed 2>&1 &
notifier=$!
asks() { test "$(find "/proc/$1/fd" -lname 'socket:*' | wc -l)" -ge 2; } # one for the state, one for repeated queries
check_true "wait is connected" wait_until 20 asks $waiter
check_true "notify is connected" wait_until 20 asks $notifier
kill -9 "$server"
wait "$server" 2>/dev/null
touch c
check_true "wait continues without a scheduler" kill -0 $waiter
serve
wait $waiter
check_equal "wait returns the status after a restart" 4 $?
wait $notifier
check_equal "notify prints the end after a restart" "job 11 ended with status 4" "$(cat noticed)"
check_status "ends before the restart are known" 5 "$KAHU" wait 2
check_equal "a held job is submitted" 12 "$(submit -h -- true)"
"$KAHU" notify 12 >noticed 2>&1 &
notifier=$!
check_true "notify is connected" wait_until 20 asks $notifier
check_status "the job is released" 0 "$KAHU" release 12
wait $notifier
check_contains "notify prints its end" "job 12 ended with status 0" "$(cat noticed)"

# wait does not wait for jobs that can never start.
check_status "a job over a limit of its class is refused" 1 "$KAHU" submit -q narrow -l nodes=1:ppn=2 -- true
check_contains "the message has the limit" "class narrow allows a job at most 1" "$err"
check_status "an array with such tasks is refused" 1 "$KAHU" submit -t 0-3 -l nodes=1:ppn=99999 -- true
check_status "a job that never starts is submitted with --force" 0 "$KAHU" submit --force -l nodes=1:ppn=99999 -- true
never=$out
check_status "wait for it returns 1" 1 timeout 60 "$KAHU" wait "$never"
check_contains "it prints the reason" "kahu: Job $never never starts: it asks for 99999 processors" "$err"
check_status "a job that will fail is submitted" 0 submit -h -- false
failing=$out
check_status "a job that depends on its success is submitted" 0 submit -W "depend=afterok:$failing" -- true
needs=$out
"$KAHU" release "$failing" >/dev/null
check_status "wait returns 1 when the dependency has failed" 1 timeout 60 "$KAHU" wait "$needs"
check_contains "it prints the reason" "job $needs left the queue because its dependency can no longer be met: it depends on job $failing" "$out"
"$KAHU" cancel "$never" >/dev/null

# The reason of a cancellation is shown to the user, and the outcome is that of a cancelled job however it ends.
submit -- sh -c 'trap "" TERM; touch deaf; while :; do sleep 0.1; done' >ids
deaf=$(cat ids)
check_true "a job that ignores TERM runs" wait_until 20 test -e deaf
check_status "it is cancelled with a reason" 0 "$KAHU" cancel "$deaf" --reason "the disk is full"
check_status "wait returns the status of SIGKILL" 137 timeout 120 "$KAHU" wait "$deaf"
check_equal "it prints the cancellation and the reason" "job $deaf was cancelled: the disk is full" "$out"
check_contains "the history has the outcome and the signal" " Removed KILL " "$("$KAHU" history "$deaf" | tr -s ' ')"
check_contains "the history has the reason" " the disk is full" "$("$KAHU" history "$deaf")"
check_contains "the JSON of the history has the signal" '"signal":9,' "$("$KAHU" history "$deaf" --json)"
check_contains "the JSON of the history has the reason" '"why":"the disk is full"' \
	"$("$KAHU" history "$deaf" --json)"
submit -h -- true >ids
check_status "a held job is cancelled with a reason" 0 "$KAHU" cancel "$(cat ids)" --reason "asked for too much"
check_status "wait returns 143" 143 "$KAHU" wait "$(cat ids)"
check_equal "it prints the reason" "job $(cat ids) was cancelled before it ran: asked for too much" "$out"
check_contains "the history has the outcome" " NotRun " "$("$KAHU" history "$(cat ids)")"
check_contains "the history has the reason" " asked for too much" "$("$KAHU" history "$(cat ids)")"

kill "$server" && wait "$server"
check_status "wait on a stopped store returns the status of an ended job" 4 "$KAHU" wait 11
submit -h -- true >/dev/null
check_status "wait on a stopped store for another job is refused" 1 "$KAHU" wait 18
check_contains "the message has the reason" "job 18 has not ended, and no scheduler is running" "$err"
