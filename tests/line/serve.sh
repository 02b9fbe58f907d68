#!/bin/sh
# SPDX-License-Identifier: MIT
#
# serve.sh - does a lab's machine run what its people hand in, and say what became of it?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

room_for 2
echo 'jobgrace = "0:00:02"' >>kahu.conf
export KAHU_STORE="$work/st"

comes() { wait_until 20 said "$1"; }

check_status "without a store there is nowhere to hand it in" 1 "$KAHU" submit -- true

# Handed in while the scheduler is still beginning: on a store that is new, and on one that is there.
export KAHU_STORE="$work/early"
begin() {
	"$KAHU" serve >/dev/null 2>&1 &
	early=$!
}
end() { kill $early && wait $early; }
has_begun() { [ "$(head -n 1 "$KAHU_STORE/kahu.lock" | tr -d ' ')" = $early ]; }
for job in 1 2; do
	begin
	wait_until 20 test -d "$KAHU_STORE"
	check_status "job $job, for a scheduler that begins" 0 "$KAHU" submit -o /dev/null -e /dev/null -- true
	check_true "job $job is run by it" comes "end $job, status 0"
	end
done
begin
wait_until 20 has_begun
check_status "what is run here waits for it, too" 3 "$KAHU" run -- sh -c 'exit 3'
end

# A console that comes then shows the one that begins, though it found none to attach to, and the store taken.
begin
wait_until 20 has_begun
kill -STOP $early
printf 'wait-idle\ndump early.screen\n' >early.script
"$KAHU" --script early.script &
console=$!
kill -CONT $early
check_true "a console waits for it" wait $console
check_contains "and is attached" "KAHU attached" "$(cat early.screen)"
end

# Several at once on a store that nobody serves, and a scheduler that begins among them: whoever finds the store
# taken waits for its turn, or for the door.
before=$("$KAHU" journal --from 1 | grep -c ' end .*, status 0')
for number in 1 2 3 4 5 6; do
	[ $number -ne 3 ] || begin
	"$KAHU" submit -o /dev/null -e /dev/null -- true >"many.$number" 2>&1 || echo "$number was refused" >>many.refused &
done
wait_until 20 has_begun
all_run() { [ "$("$KAHU" journal --from 1 | grep -c ' end .*, status 0')" -ge $((before + 6)) ]; }
check_true "all of several that come while it begins are run" wait_until 20 all_run
check_equal "and none was refused" "" "$(cat many.refused many.? 2>/dev/null | grep -vx '[0-9]*')"
end
export KAHU_STORE="$work/st"

serve
check_status "a command is handed in" 0 "$KAHU" submit -N early -- sh -c 'echo early'
check_equal "its id is printed" 1 "$out"
check_true "it runs" comes 'end 1, status 0'
check_equal "and its output is there" early "$(cat early.o1)"

# A script of its own, as PBS has it.
cat >job.sh <<'TEXT'
#!/bin/sh
#PBS -N mine -l walltime=0:01:00 -j oe
#PBS -v COLOUR=green
echo "$COLOUR in $(pwd), job $PBS_JOBID"
exit 7
TEXT
check_status "a script is handed in" 0 "$KAHU" submit job.sh
check_true "it ends with its own status" comes 'end 2, status 7'
check_equal "it had its variables and its folder" "green in $work, job 2" "$(cat mine.o2)"
echo 'echo "from a pipe"' >piped.sh
check_status "and through standard input" 0 sh -c '"$KAHU" submit -N piped <piped.sh'
check_true "it runs too" comes 'end 3, status 0'
check_equal "with its output" "from a pipe" "$(cat piped.o3)"

# What cannot be, is said.
check_status "an option that is not known is wrong usage" 2 "$KAHU" submit -Q x -- true
check_contains "and named" "-Q" "$err"
check_status "more than the machine has is refused, although it is held" 1 "$KAHU" submit -h -l nodes=1:ppn=999999 -- true
check_contains "with the reason" "kahu: the job would never start: it asks for 999999 processors" "$err"
check_contains "and what to do" "--force submits it anyway" "$err"
check_status "unless it is forced" 0 "$KAHU" submit --force -h -l nodes=1:ppn=999999 -- true
check_contains "and said never to start" "never" "$("$KAHU" why 4)"
check_status "a folder that is not there is found at the start" 0 "$KAHU" submit -d /nonexistent -o /dev/null -e /dev/null -- true
check_true "and is the job's reason" comes 'end 5, status 126: .*/nonexistent'

# What runs can be stopped, for a while or for good, with all that it has started.
cat >tree.sh <<TEXT
#!/bin/sh
trap '' TERM
(setsid sh -c 'trap "" TERM; exec sleep 4711.$$' &)
exec sleep 4711.$$
TEXT
check_status "one that does not listen" 0 "$KAHU" submit -N tree tree.sh
check_true "runs" comes 'start 6'
check_true "with its children" wait_until 10 pgrep -f "sleep 4711.$$"
check_status "suspended" 0 "$KAHU" suspend 6
check_contains "which everybody sees" "Suspended" "$("$KAHU" queue)"
check_status "and resumed" 0 "$KAHU" resume 6
check_status "what stands still already is refused" 1 "$KAHU" resume 6
check_status "requeued" 0 "$KAHU" requeue 6
check_true "its tree goes when the grace is over" wait_until 60 said 'end 6'
starts_again() { [ "$("$KAHU" journal --from 1 | grep -c 'start 6$')" -ge 2 ]; }
check_true "and it starts again" wait_until 20 starts_again
check_status "cancelled while the scheduler is killed" 0 "$KAHU" cancel 6
kill -9 "$server"
wait "$server" 2>/dev/null
serve
ends_again() { test "$("$KAHU" journal --from 1 | grep -c 'end 6, status 2')" -ge 2; }
check_true "its end is known to the next one" wait_until 60 ends_again
check_true "and nothing of it is left" wait_until 20 is_gone "sleep 4711.$$"

# What is asked for while nobody runs it, is done by the next one.
check_status "a job that would run for long" 0 "$KAHU" submit -N long -o /dev/null -e /dev/null -- sleep 4712.$$
check_true "runs too" comes 'start 7'
nice_of() { cut -d' ' -f19 "/proc/$1/stat"; }
if [ "$(id -u)" = 0 ]; then
	least=$(for at in "/proc/$server/task/"*; do nice_of "${at#/proc/}"; done | sort -n | head -n 1)
	check_equal "root's scheduler goes before jobs that use every processor" -10 "$least"
	# shellcheck disable=SC2009 # it says whether there is one
	wait_until 20 pgrep -f "^sleep 4712.$$" >/dev/null
	check_equal "which have the usual priority" 0 "$(nice_of "$(pgrep -f "^sleep 4712.$$")")"
	check_equal "so does the fork server, for which it waits" -10 "$(nice_of "$(pgrep -P "$server" -f -- --fork-server)")"
	check_equal "but not the shepherds" 0 "$(nice_of "$(pgrep -f "^kahu-shepherd 7\.1")")"
fi
stop
check_status "it is cancelled while there is no scheduler" 0 "$KAHU" cancel 7
check_true "and runs on" wait_until 20 pgrep -f "sleep 4712.$$"
serve
check_true "until the next scheduler comes" wait_until 20 said 'end 7, status 271'

# One scheduler for a store.
check_status "a second scheduler is refused" 1 "$KAHU" serve
check_contains "and the first is named" "in use by process" "$err"
stop
check_status "nobody simulates real jobs" 1 "$KAHU" demo --store "$KAHU_STORE" --script /dev/null
check_contains "and it is said who runs them" "use 'kahu serve' to run them" "$err"
check_status "and leaves a store that is whole" 0 "$KAHU_BUILD/tests/crash/verify_store" "$KAHU_STORE"

# What is handed in while nobody runs it is signed as at the door, and dated by the clock.
check_status "a job for later" 0 "$KAHU" submit -N later -o /dev/null -e /dev/null -- true
later=$out
check_contains "is ours" "$(id -un)" "$("$KAHU" queue | grep "^$later ")"
check_true "and of now" test "$("$KAHU" queue --json | tr ',{' '\n\n' | sed -n 's/"queued_since"://p' | head -n 1)" -gt 1700000000
serve
overrun=$("$KAHU" submit -N slow -l walltime=1 -o /dev/null -e /dev/null -- sleep 60)
ended() { "$KAHU" history | grep -q "^ *$1 .* $2"; }
check_true "it runs when somebody does" wait_until 20 ended "$later" Completed
check_true "and one that runs over its limit is told from one that was removed" wait_until 20 ended "$overrun" AtLimit
stop

# Descriptors: too few are said at the start, the soft limit is raised, and jobs get theirs back.
export KAHU_STORE="$work/few"
# shellcheck disable=SC3045 # -S and -H are known to dash and bash
(ulimit -Sn 300 && ulimit -Hn 600 && exec "$KAHU" serve >few.out 2>few.err) &
few=$!
at_exit "kill -9 $few 2>/dev/null"
wait_until 20 test -s few.out || fail "a scheduler with few descriptors starts" "$(cat few.err)"
check_contains "too few descriptors are said at the start" \
	"RLIMIT_NOFILE is 600, and 2048 are needed for 1024 connections" "$(cat few.err)"
check_equal "it has raised its own limit" 600 "$(awk '/Max open files/ { print $4 }' /proc/$few/limits)"
check_status "a job" 0 "$KAHU" submit -o "$work/few.job" -j oe -- sh -c 'ulimit -Sn; ulimit -Hn'
check_true "ends" comes "end 1, status 0"
check_equal "with the limits that the scheduler was started with" "300 600" "$(tr '\n' ' ' <few.job | sed 's/ $//')"
kill $few && wait $few
