#!/bin/sh
# SPDX-License-Identifier: MIT
#
# array.sh - is an array of jobs submitted at once, kept within its bound, and named as a whole?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

export KAHU_STORE="$work/st"

comes() { wait_until 20 said "$1"; }
ended() { test "$("$KAHU" journal --from 1 | grep -c ' end ')" -ge "$1"; }
runs() { "$KAHU" queue -r | grep -qF "$1"; } # BEGINNING of a name
queue() { "$KAHU" queue "$@" | sed -n '/JOBS----/q; /^[0-9]*\[/p' | cut -d' ' -f1,2; }
waits() { "$KAHU" queue | grep "^$1" | sed 's/  .*//'; } # BEGINNING: what stands in front of the line
serve

# Each task has its own number, output and place in the environment; only some run at a time.
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
check_status "a script that is an array is handed in" 0 "$KAHU" submit w.sh
check_equal "one id is printed, of all of it" '1[]' "$out"
check_true "all its tasks run" wait_until 30 ended 6
check_equal "the journal calls them by name, also when they have ended" "start 1[0] end 1[0], status 0 end 1[5], status 0" \
	"$("$KAHU" journal --from 1 | grep -o 'start 1.0.\|end 1.[05]., status 0' | sort -t[ -k2,2 -k1,1r | tr '\n' ' ' | sed 's/ $//')"
for i in 0 1 2 3 4 5; do
	check_equal "task $i knows its number" "$i of 1[$i]" "$(cat "w.o1-$i")"
done
check_equal "there were never more than two" "" "$(cat seen.* | grep -v '^[01]$')"
check_contains "the journal says how many they were" 'submit 1\[\], 6 tasks' "$("$KAHU" journal --from 1 | sed 's/\[/\\[/;s/\]/\\]/')"
check_equal "the next job's number is behind theirs" 7 "$("$KAHU" submit -h -- true)"

# Named as a whole, one by one, and by numbers.
check_equal "numbers are listed" '8[]' "$("$KAHU" submit -h -t 3,5,8-12%4 -o /dev/null -e /dev/null -- sleep 600)"
check_equal "waiting tasks share a line" '8[3,5,8-12] x7' "$(waits '8\[')"
check_equal "unless they are asked for" 7 "$("$KAHU" queue -t | grep -c '^8\[')"
check_contains "scripts see them all" '"array":8,"array_index":12' "$("$KAHU" queue --json)"
check_status "some are released" 0 "$KAHU" release '8[5,8-9]'
check_true "and run" wait_until 20 runs '8['
check_equal "the others stay held" '8[3,10-12] x4' "$(waits '8\[3')"
check_status "one is cancelled" 0 "$KAHU" cancel '8[3]'
check_equal "and is not there" '8[10-12] x3' "$(waits '8\[10')"
check_status "what is not there is refused" 1 "$KAHU" cancel '8[3]'
check_contains "with a sentence" 'no task of 8[3] is in the queue' "$err"
check_status "an array is no single job" 1 "$KAHU" why 8
check_contains "and one of its tasks is named" 'name one, such as 8[' "$err"

# The bound is a gate with numbers; it can be changed.
check_status "the bound is lowered" 0 "$KAHU" set '8[10-12]' throttle=1
check_status "they are let go" 0 "$KAHU" release '8[]' -w 'state=held'
check_true "they wait for each other" wait_until 10 sh -c '"$KAHU" why "8[12]" | grep -q "at most 1 run"'
check_contains "which is a row of its own" "tasks of its array" "$("$KAHU" why '8[12]')"
check_contains "with numbers" "1 at a time" "$("$KAHU" why '8[12]')"
check_status "it is for arrays" 1 "$KAHU" set 7 throttle=2
check_contains "and says so" "job 7 is not a task of an array" "$err"
check_status "the whole array is cancelled" 0 "$KAHU" cancel '8[]'
check_true "and goes" wait_until 20 sh -c '! "$KAHU" queue -t | grep -q "^8\["'

# What cannot be is refused whole.
check_status "too many" 2 "$KAHU" submit -t 0-10000 -- true
check_contains "are refused" "an array has at most 10000 tasks" "$err"
check_status "a number that comes twice" 2 "$KAHU" submit -t 1,3,1-2 -- true
check_contains "is named" "task number 1 occurs twice" "$err"

# Others wait for all of an array, or for one of its tasks.
first=$("$KAHU" submit -t 1-3 -o /dev/null -e /dev/null -- sh -c 'until test -e go; do sleep 0.02; done; test "$PBS_ARRAYID" != 2')
check_status "a job waits for an array" 0 "$KAHU" submit -W "depend=afterok:$first" -- true
failed=$out
check_status "another waits until all have ended" 0 \
	"$KAHU" submit -W "depend=afteranyarray:$first" -o /dev/null -e /dev/null -- true
touch go
check_true "the one leaves the queue as soon as one task fails" \
	wait_until 20 sh -c "\"$KAHU\" history -w state=dependfailed | grep -q '^ *$failed '"
check_true "the other runs then" comes "end $out, status 0"
check_status "what is to come after the success of one that has failed is refused" 1 \
	"$KAHU" submit -W "depend=afterok:${first%]}2]" -- true
check_contains "with how that ended" "job ${first%]}2] ended with 1: a job that depends on it" "$err"
check_status "the same of the whole" 1 "$KAHU" submit -W "depend=afterok:$first" -- true
check_status "but not of a task that ended well" 0 \
	"$KAHU" submit -h -W "depend=afterok:${first%]}1]" -o /dev/null -e /dev/null -- true
held=$out
check_status "nor can it be changed to that" 1 "$KAHU" set "$held" "depend=afterok:${first%]}2]"
check_contains "for the same reason" "would never start" "$err"
check_status "that is over" 0 "$KAHU" cancel "$held"
check_status "numbers are named one by one" 2 "$KAHU" submit -W "depend=afterok:${first%]}1-2]" -- true
check_contains "or all" 'afterok:14[] for all tasks of an array' "$err"

# Ten thousand are one step, and one thing to be run; they outlive the scheduler.
check_equal "a large one is taken" '21[]' "$("$KAHU" submit -h -t 1-10000%3 -N big -o /dev/null -e /dev/null -- true)"
kill -9 "$server"
wait "$server" 2>/dev/null
serve
check_equal "and is all there after a crash" '21[1-10000] x10000' "$(waits '21\[')"
check_status "it is let go" 0 "$KAHU" release '21[]'
check_true "tasks of it run" wait_until 20 sh -c '"$KAHU" history | grep -q "^21\["'
check_status "and is cancelled as it runs, though tasks end meanwhile" 0 "$KAHU" cancel '21[]'
check_true "and all of it goes" wait_until 30 sh -c '! "$KAHU" queue -t | grep -q "^21\["'

# Of an array those are left out that cannot take what is asked.
some=$("$KAHU" submit -t 0-5%2 -o /dev/null -e /dev/null -- sleep 600)
check_true "tasks of it run" wait_until 20 runs "${some%]}0]"
check_status "the others are changed" 0 "$KAHU" set "$some" throttle=3
check_status "or held" 0 "$KAHU" hold "$some"
check_contains "which nobody is twice" "the change does not apply to any of the selected tasks" \
	"$("$KAHU" hold "$some" 2>&1)"
check_status "one that runs is refused by name" 1 "$KAHU" set "${some%]}0]" throttle=4
check_status "all of them are cancelled" 0 "$KAHU" cancel "$some"

# A job's own points.
check_status "a job stands back" 0 "$KAHU" submit -h -p -100 -- true
check_contains "by the points it asked for" '"priority":-' "$("$KAHU" queue --json | sed 's/.*"job":"10026"//')"
check_status "points have a bound" 2 "$KAHU" submit -p 2000 -- true
stop
check_status "the store is whole" 0 "$KAHU_BUILD/tests/crash/verify_store" "$KAHU_STORE"
