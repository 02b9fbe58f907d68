#!/bin/sh
# SPDX-License-Identifier: MIT
#
# array.sh - job arrays: submission, throttle, selection of tasks, and dependencies
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

export KAHU_STORE="$work/st"

journal_gets() { wait_until 20 journal_has "$1"; }
ended() { test "$("$KAHU" journal --from 1 | grep -c ' end ')" -ge "$1"; }
runs() { "$KAHU" queue -r | grep -qF "$1"; } # BEGINNING of a name
queue() { "$KAHU" queue "$@" | sed -n '/JOBS----/q; /^[0-9]*\[/p' | cut -d' ' -f1,2; }
waits() { "$KAHU" queue | grep "^$1" | sed 's/  .*//'; } # BEGINNING: the ID and the number of tasks of the line
serve

# Each task has its own index, output and environment; at most two run at a time.
cat >w.sh <<'TEXT'
#!/bin/sh
#PBS -N w -l walltime=0:01:00
#PBS -t 0-5%2
echo "$PBS_ARRAYID of $PBS_JOBID"
ls | grep -c '^runs\.' >"seen.$PBS_ARRAYID"
: >"runs.$PBS_ARRAYID"
sleep 0.3
rm "runs.$PBS_ARRAYID"
TEXT
check_status "a script with -t submits an array" 0 "$KAHU" submit w.sh
check_equal "submit prints one ID for the array" '1[]' "$out"
check_true "all its tasks run" wait_until 30 ended 6
check_equal "the journal names tasks, also after they have ended" "start 1[0] end 1[0], status 0 end 1[5], status 0" \
	"$("$KAHU" journal --from 1 | grep -o 'start 1.0.\|end 1.[05]., status 0' | sort -t[ -k2,2 -k1,1r | tr '\n' ' ' | sed 's/ $//')"
for i in 0 1 2 3 4 5; do
	check_equal "task $i has its index and ID in the environment" "$i of 1[$i]" "$(cat "w.o1-$i")"
done
check_equal "at most two tasks ran at a time" "" "$(cat seen.* | grep -v '^[01]$')"
check_contains "the journal has the number of tasks" 'submit 1\[\], 6 tasks' "$("$KAHU" journal --from 1 | sed 's/\[/\\[/;s/\]/\\]/')"
check_equal "the next job ID follows those of the tasks" 7 "$("$KAHU" submit -h -- true)"

# Selection of the array, of one task, and of ranges.
check_equal "-t accepts a list and ranges of indexes" '8[]' "$("$KAHU" submit -h -t 3,5,8-12%4 -o /dev/null -e /dev/null -- sleep 600)"
check_equal "idle tasks share a line of the queue" '8[3,5,8-12] x7' "$(waits '8\[')"
check_equal "queue -t has one line for each task" 7 "$("$KAHU" queue -t | grep -c '^8\[')"
check_contains "the JSON of queue has each task" '"array":8,"array_index":12' "$("$KAHU" queue --json)"
check_status "some tasks are released" 0 "$KAHU" release '8[5,8-9]'
check_true "released tasks run" wait_until 20 runs '8['
check_equal "the other tasks stay held" '8[3,10-12] x4' "$(waits '8\[3')"
check_status "a single task is cancelled" 0 "$KAHU" cancel '8[3]'
check_equal "it is no longer in the queue" '8[10-12] x3' "$(waits '8\[10')"
check_status "a task that does not exist is refused" 1 "$KAHU" cancel '8[3]'
check_contains "the refusal names the task" 'no task of 8[3] is in the queue' "$err"
check_status "why refuses an array" 1 "$KAHU" why 8
check_contains "the refusal names one of its tasks" 'name one task, such as 8[' "$err"

# The array throttle is a check of why, and can be changed.
check_status "the throttle is lowered" 0 "$KAHU" set '8[10-12]' throttle=1
check_status "the held tasks are released" 0 "$KAHU" release '8[]' -w 'state=held'
check_true "a task waits for the throttle" wait_until 10 sh -c '"$KAHU" why "8[12]" | grep -q "at most 1 run"'
check_contains "why has a row for the throttle" "tasks of its array" "$("$KAHU" why '8[12]')"
check_contains "the row has the limit" "1 at a time" "$("$KAHU" why '8[12]')"
check_status "a job that is not an array has no throttle" 1 "$KAHU" set 7 throttle=2
check_contains "the refusal says so" "job 7 is not a task of an array" "$err"
check_status "the whole array is cancelled" 0 "$KAHU" cancel '8[]'
check_true "it leaves the queue" wait_until 20 sh -c '! "$KAHU" queue -t | grep -q "^8\["'

# An invalid array is refused as a whole.
check_status "too many tasks are refused" 2 "$KAHU" submit -t 0-10000 -- true
check_contains "the refusal has the limit" "an array can have at most 10000 tasks" "$err"
check_status "a repeated index is refused" 2 "$KAHU" submit -t 1,3,1-2 -- true
check_contains "the refusal names the index" "task number 1 occurs twice" "$err"

# Dependencies on an array or on one of its tasks.
first=$("$KAHU" submit -t 1-3 -o /dev/null -e /dev/null -- sh -c 'until test -e go; do sleep 0.02; done; test "$PBS_ARRAYID" != 2')
check_status "a job with afterok on an array is submitted" 0 "$KAHU" submit -W "depend=afterok:$first" -- true
failed=$out
check_status "a job with afteranyarray on it is submitted" 0 \
	"$KAHU" submit -W "depend=afteranyarray:$first" -o /dev/null -e /dev/null -- true
touch go
check_true "the afterok job is dropped as soon as one task fails" \
	wait_until 20 sh -c "\"$KAHU\" history -w state=dependfailed | grep -q '^ *$failed '"
check_true "the afteranyarray job runs when all tasks have ended" journal_gets "end $out, status 0"
check_status "afterok on a failed task is refused" 1 \
	"$KAHU" submit -W "depend=afterok:${first%]}2]" -- true
check_contains "the refusal has its exit status" "job ${first%]}2] ended with status 1: a job that depends on it" "$err"
check_status "afterok on an array with a failed task is refused" 1 "$KAHU" submit -W "depend=afterok:$first" -- true
check_status "afterok on a task that succeeded is accepted" 0 \
	"$KAHU" submit -h -W "depend=afterok:${first%]}1]" -o /dev/null -e /dev/null -- true
held=$out
check_status "set refuses afterok on a failed task" 1 "$KAHU" set "$held" "depend=afterok:${first%]}2]"
check_contains "the refusal says that the job would never start" "would never start" "$err"
check_status "the job is cancelled" 0 "$KAHU" cancel "$held"
check_status "a dependency on a range of tasks is refused" 2 "$KAHU" submit -W "depend=afterok:${first%]}1-2]" -- true
check_contains "the refusal names the form for all tasks" 'afterok:14[] for all tasks of an array' "$err"

# An array of ten thousand tasks is one journal entry, and survives a restart of the scheduler.
check_equal "an array of 10000 tasks is submitted" '21[]' "$("$KAHU" submit -h -t 1-10000%3 -N big -o /dev/null -e /dev/null -- true)"
kill -9 "$server"
wait "$server" 2>/dev/null
serve
check_equal "it is complete after kill -9 of the scheduler" '21[1-10000] x10000' "$(waits '21\[')"
check_status "it is released" 0 "$KAHU" release '21[]'
check_true "some of its tasks run" wait_until 20 sh -c '"$KAHU" history | grep -q "^21\["'
check_status "it is cancelled while tasks run and end" 0 "$KAHU" cancel '21[]'
check_true "all its tasks leave the queue" wait_until 30 sh -c '! "$KAHU" queue -t | grep -q "^21\["'

# Tasks to which a change does not apply are omitted.
some=$("$KAHU" submit -t 0-5%2 -o /dev/null -e /dev/null -- sleep 600)
check_true "tasks of an array run" wait_until 20 runs "${some%]}0]"
check_status "a change of the array applies to the idle tasks" 0 "$KAHU" set "$some" throttle=3
check_status "the idle tasks are held" 0 "$KAHU" hold "$some"
check_contains "a second hold applies to no task" "the change does not apply to any of the selected tasks" \
	"$("$KAHU" hold "$some" 2>&1)"
check_status "a change of a single running task is refused" 1 "$KAHU" set "${some%]}0]" throttle=4
check_status "the whole array is cancelled" 0 "$KAHU" cancel "$some"

# The priority that a user requests.
check_status "a job with a negative priority is submitted" 0 "$KAHU" submit -h -p -100 -- true
check_contains "its priority is negative" '"priority":-' "$("$KAHU" queue --json | sed 's/.*"job":"10026"//')"
check_status "a priority beyond the limit is refused" 2 "$KAHU" submit -p 2000 -- true
stop
check_status "the store is intact" 0 "$KAHU_BUILD/tests/crash/verify_store" "$KAHU_STORE"
