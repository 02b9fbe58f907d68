#!/bin/sh
# SPDX-License-Identifier: MIT
#
# wait.sh - are people told when their jobs have ended, and how?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

room_for 2
printf 'class narrow { max.proc = 1 }\n' >>kahu.conf
submit() { "$KAHU" submit -o /dev/null -e /dev/null "$@"; }
until_file() { submit -- sh -c "until test -e '$work/$1'; do sleep 0.02; done; exit $2"; }
serve

check_equal "a job that waits to be told" 1 "$(until_file go 3)"
"$KAHU" wait 1 >waited 2>waited.err &
waiter=$!
check_true "runs" wait_until 20 sh -c '"$KAHU" journal --from 1 | grep -q "start 1"'
check_true "and is waited for" kill -0 $waiter
touch go
wait $waiter
check_equal "until it ends, with its status" 3 $?
check_equal "and a line" "job 1 ended with 3" "$(cat waited)"
check_status "one that has ended is known" 3 "$KAHU" wait 1
check_equal "how" "job 1 ended with 3" "$out"

# Of several the worst; of any the first.
until_file a 5 >ids && until_file b 2 >>ids
touch b
check_status "the first of any" 2 "$KAHU" wait --any 2 3
check_equal "is said alone" "job 3 ended with 2" "$out"
touch a
check_status "the worst of all" 5 "$KAHU" wait 1-3
check_contains "all are said" "job 2 ended with 5" "$out"
check_status "as JSON" 5 "$KAHU" wait 2 1 --json
check_equal "one for each" "2 5 1 3" "$(printf '%s' "$out" | grep -o '"\(job\|exit_status\)":"*[0-9]*' | sed 's/.*:"*//' | tr '\n' ' ' | sed 's/ $//')"

# An array is one thing.
"$KAHU" submit -t 0-3%2 -o /dev/null -e /dev/null -- sh -c 'exit $KAHU_ARRAY_ID' >ids
check_status "an array as a whole" 3 "$KAHU" wait '4[]'
check_equal "has ended as badly as its worst task" "job 4[] ended with 3" "$out"
check_status "by its number too" 3 "$KAHU" wait 4
check_status "one of its tasks by its name" 2 "$KAHU" wait '4[2]'
check_equal "has its own end" "job 4[2] ended with 2" "$out"

# Ends of all kinds.
submit -h -- true >ids
check_status "one is cancelled before it ran" 0 "$KAHU" cancel 8
check_status "as if by TERM" 143 "$KAHU" wait 8
check_equal "which is said" "job 8 was cancelled before it ran" "$out"
submit -- sh -c 'kill -9 $$' >ids
check_status "one that a signal ends" 137 "$KAHU" wait 9
check_equal "is said to be" "job 9 was ended by KILL" "$out"
submit -d /nonexistent -- true >ids
check_status "one that cannot begin" 126 "$KAHU" wait 10
check_contains "says why" "/nonexistent" "$out"
check_status "one that never was" 1 "$KAHU" wait 99
check_contains "is not known" "unknown job 99" "$err"
check_status "nobody at all" 1 "$KAHU" wait

# The scheduler may be gone meanwhile.
until_file c 4 >ids
check_true "one more runs" wait_until 20 sh -c '"$KAHU" journal --from 1 | grep -q "start 11"'
"$KAHU" wait 11 >waited 2>waited.err &
waiter=$!
"$KAHU" notify 11 >noticed 2>&1 &
notifier=$!
asks() { test "$(find "/proc/$1/fd" -lname 'socket:*' | wc -l)" -ge 2; } # the state, then again and again
check_true "two of them ask" wait_until 20 asks $waiter
check_true "again and again" wait_until 20 asks $notifier
kill -9 "$server"
wait "$server" 2>/dev/null
touch c
check_true "it waits on for a scheduler that was killed" kill -0 $waiter
serve
wait $waiter
check_equal "the next one tells" 4 $?
wait $notifier
check_equal "who is to be told as well is" "job 11 ended with 4" "$(cat noticed)"
check_status "and what the last one knew it knows" 5 "$KAHU" wait 2
check_equal "a job held back" 12 "$(submit -h -- true)"
"$KAHU" notify 12 >noticed 2>&1 &
notifier=$!
check_true "is asked about" wait_until 20 asks $notifier
check_status "and let go" 0 "$KAHU" release 12
wait $notifier
check_contains "its end is told" "job 12 ended with 0" "$(cat noticed)"

# What can never start is not waited for.
check_status "a limit of the class alone is reason to refuse" 1 "$KAHU" submit -q narrow -l nodes=1:ppn=2 -- true
check_contains "with the limit" "class narrow allows a job at most 1" "$err"
check_status "a task of an array likewise" 1 "$KAHU" submit -t 0-3 -l nodes=1:ppn=99999 -- true
check_status "a job that never starts" 0 "$KAHU" submit --force -l nodes=1:ppn=99999 -- true
never=$out
check_status "is not waited for" 1 timeout 60 "$KAHU" wait "$never"
check_contains "and why is said" "kahu: Job $never never starts: it asks for 99999 processors" "$err"
check_status "a job that is to fail" 0 submit -h -- false
failing=$out
check_status "one that needs its success" 0 submit -W "depend=afterok:$failing" -- true
needs=$out
"$KAHU" release "$failing" >/dev/null
check_status "is not waited for once that has failed" 1 timeout 60 "$KAHU" wait "$needs"
check_contains "and that is said" "job $needs left the queue, since its dependency can no longer be met: it depends on job $failing" "$out"
"$KAHU" cancel "$never" >/dev/null

# Whoever is cancelled reads why, and the job counts as cancelled however it ends.
submit -- sh -c 'trap "" TERM; touch deaf; while :; do sleep 0.1; done' >ids
deaf=$(cat ids)
check_true "a job that ignores TERM runs" wait_until 20 test -e deaf
check_status "it is cancelled with a reason" 0 "$KAHU" cancel "$deaf" --reason "the disk is full"
check_status "it is killed in the end" 137 timeout 120 "$KAHU" wait "$deaf"
check_equal "it was cancelled, and why" "job $deaf was cancelled: the disk is full" "$out"
check_contains "among those that have ended, too" " Removed KILL " "$("$KAHU" history "$deaf" | tr -s ' ')"
check_contains "with the reason" " the disk is full" "$("$KAHU" history "$deaf")"
check_contains "for programs as well" '"signal":9,' "$("$KAHU" history "$deaf" --json)"
check_contains "with the reason for them, too" '"why":"the disk is full"' \
	"$("$KAHU" history "$deaf" --json)"
submit -h -- true >ids
check_status "one that waits is cancelled with a reason" 0 "$KAHU" cancel "$(cat ids)" --reason "asked for too much"
check_status "its owner waits for it" 143 "$KAHU" wait "$(cat ids)"
check_equal "and reads it" "job $(cat ids) was cancelled before it ran: asked for too much" "$out"
check_contains "later, too" " NotRun " "$("$KAHU" history "$(cat ids)")"
check_contains "as it was given" " asked for too much" "$("$KAHU" history "$(cat ids)")"

kill "$server" && wait "$server"
check_status "a stopped store knows what has ended" 4 "$KAHU" wait 11
submit -h -- true >/dev/null
check_status "but nothing ends there" 1 "$KAHU" wait 18
check_contains "and it is said so" "job 18 has not ended, and no scheduler is running" "$err"
