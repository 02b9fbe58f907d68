#!/bin/sh
# SPDX-License-Identifier: MIT
#
# serve.sh - the scheduler runs, suspends, requeues and cancels real jobs, and survives restarts
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

room_for 2
echo 'jobgrace = "0:00:02"' >>kahu.conf
export KAHU_STORE="$work/st"

journal_gets() { wait_until 20 journal_has "$1"; }

check_status "a submission without a store is refused" 1 "$KAHU" submit -- true

# Submissions while the scheduler starts, with a new store and with an existing one.
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
	check_status "job $job is submitted while a scheduler starts" 0 "$KAHU" submit -o /dev/null -e /dev/null -- true
	check_true "job $job runs" journal_gets "end $job, status 0"
	end
done
begin
wait_until 20 has_begun
check_status "run waits for a scheduler that is starting" 3 "$KAHU" run -- sh -c 'exit 3'
end

# A console is started while a scheduler holds the store and has no socket yet.
begin
wait_until 20 has_begun
kill -STOP $early
printf 'wait-idle\ndump early.screen\n' >early.script
"$KAHU" --script early.script &
console=$!
kill -CONT $early
check_true "the console waits for the scheduler" wait $console
check_contains "it is attached" "KAHU attached" "$(cat early.screen)"
end

# Several submissions to a store without a scheduler, and a scheduler that starts among them: a client that finds the
# store locked waits for it, or for the socket of the scheduler.
before=$("$KAHU" journal --from 1 | grep -c ' end .*, status 0')
for number in 1 2 3 4 5 6; do
	[ $number -ne 3 ] || begin
	"$KAHU" submit -o /dev/null -e /dev/null -- true >"many.$number" 2>&1 || echo "$number was refused" >>many.refused &
done
wait_until 20 has_begun
all_run() { [ "$("$KAHU" journal --from 1 | grep -c ' end .*, status 0')" -ge $((before + 6)) ]; }
check_true "all submitted jobs run" wait_until 20 all_run
check_equal "no submission was refused" "" "$(cat many.refused many.? 2>/dev/null | grep -vx '[0-9]*')"
end
export KAHU_STORE="$work/st"

serve
check_status "a command is submitted" 0 "$KAHU" submit -N early -- sh -c 'echo early'
check_equal "its ID is printed" 1 "$out"
check_true "it runs" journal_gets 'end 1, status 0'
check_equal "its output is written" early "$(cat early.o1)"

# A script with PBS directives.
cat >job.sh <<'TEXT'
#!/bin/sh
#PBS -N mine -l walltime=0:01:00 -j oe
#PBS -v COLOUR=green
echo "$COLOUR in $(pwd), job $PBS_JOBID"
exit 7
TEXT
check_status "a script is submitted" 0 "$KAHU" submit job.sh
check_true "it ends with its status" journal_gets 'end 2, status 7'
check_equal "it has its variables and its folder" "green in $work, job 2" "$(cat mine.o2)"
echo 'echo "from a pipe"' >piped.sh
check_status "a script is submitted through standard input" 0 sh -c '"$KAHU" submit -N piped <piped.sh'
check_true "it runs" journal_gets 'end 3, status 0'
check_equal "its output is written" "from a pipe" "$(cat piped.o3)"

# Invalid submissions.
check_status "an unknown option is wrong usage" 2 "$KAHU" submit -Q x -- true
check_contains "the message names it" "-Q" "$err"
check_status "a held job with a request beyond the cluster is refused" 1 "$KAHU" submit -h -l nodes=1:ppn=999999 -- true
check_contains "the message has the reason" "kahu: the job would never start: it asks for 999999 processors" "$err"
check_contains "it names --force" "--force submits it anyway" "$err"
check_status "--force submits it" 0 "$KAHU" submit --force -h -l nodes=1:ppn=999999 -- true
check_contains "why says that it never starts" "never" "$("$KAHU" why 4)"
check_status "a job with a missing working directory is submitted" 0 "$KAHU" submit -d /nonexistent -o /dev/null -e /dev/null -- true
check_true "it ends with that reason" journal_gets 'end 5, status 126: .*/nonexistent'

# Running jobs are suspended, requeued and cancelled, with all their processes.
cat >tree.sh <<TEXT
#!/bin/sh
trap '' TERM
(setsid sh -c 'trap "" TERM; exec sleep 4711.$$' &)
exec sleep 4711.$$
TEXT
check_status "a job that ignores SIGTERM is submitted" 0 "$KAHU" submit -N tree tree.sh
check_true "it starts" journal_gets 'start 6'
check_true "its child processes run" wait_until 10 pgrep -f "sleep 4711.$$"
check_status "it is suspended" 0 "$KAHU" suspend 6
check_contains "queue prints that it is suspended" "Suspended" "$("$KAHU" queue)"
check_status "it is resumed" 0 "$KAHU" resume 6
check_status "a second resume is refused" 1 "$KAHU" resume 6
check_status "it is requeued" 0 "$KAHU" requeue 6
check_true "its processes are killed after jobgrace" wait_until 60 journal_has 'end 6'
starts_again() { [ "$("$KAHU" journal --from 1 | grep -c 'start 6$')" -ge 2 ]; }
check_true "it starts again" wait_until 20 starts_again
check_status "it is cancelled and the scheduler is killed" 0 "$KAHU" cancel 6
kill -9 "$server"
wait "$server" 2>/dev/null
serve
ends_again() { test "$("$KAHU" journal --from 1 | grep -c 'end 6, status 2')" -ge 2; }
check_true "the next scheduler records its end" wait_until 60 ends_again
check_true "none of its processes is left" wait_until 20 is_gone "sleep 4711.$$"

# A request to a stopped store is carried out by the next scheduler.
check_status "a long job is submitted" 0 "$KAHU" submit -N long -o /dev/null -e /dev/null -- sleep 4712.$$
check_true "it starts" journal_gets 'start 7'
nice_of() { cut -d' ' -f19 "/proc/$1/stat"; }
if [ "$(id -u)" = 0 ]; then
	least=$(for at in "/proc/$server/task/"*; do nice_of "${at#/proc/}"; done | sort -n | head -n 1)
	check_equal "root's scheduler has niceness -10" -10 "$least"
	# shellcheck disable=SC2009 # it says whether there is one
	wait_until 20 pgrep -f "^sleep 4712.$$" >/dev/null
	check_equal "jobs have niceness 0" 0 "$(nice_of "$(pgrep -f "^sleep 4712.$$")")"
	check_equal "the fork server has niceness -10" -10 "$(nice_of "$(pgrep -P "$server" -f -- --fork-server)")"
	check_equal "shepherds have niceness 0" 0 "$(nice_of "$(pgrep -f "^kahu-shepherd 7\.1")")"
fi
stop
check_status "the job is cancelled without a scheduler" 0 "$KAHU" cancel 7
check_true "it is still running" wait_until 20 pgrep -f "sleep 4712.$$"
serve
check_true "it ends when the next scheduler starts" wait_until 20 journal_has 'end 7, status 271'

# Only one scheduler can use a store.
check_status "a second scheduler is refused" 1 "$KAHU" serve
check_contains "the message has the process of the first one" "in use by process" "$err"
stop
check_status "a demo in a store of real jobs is refused" 1 "$KAHU" demo --store "$KAHU_STORE" --script /dev/null
check_contains "the message refers to kahu serve" "use 'kahu serve' to run them" "$err"
check_status "the store is intact" 0 "$KAHU_BUILD/tests/crash/verify_store" "$KAHU_STORE"

# A submission to a stopped store has the user and the time of the submission.
check_status "a job is submitted to a stopped store" 0 "$KAHU" submit -N later -o /dev/null -e /dev/null -- true
later=$out
check_contains "it belongs to the user" "$(id -un)" "$("$KAHU" queue | grep "^$later ")"
check_true "its queue time is the current time" test "$("$KAHU" queue --json | tr ',{' '\n\n' | sed -n 's/"queued_since"://p' | head -n 1)" -gt 1700000000
serve
overrun=$("$KAHU" submit -N slow -l walltime=1 -o /dev/null -e /dev/null -- sleep 60)
ended() { "$KAHU" history | grep -q "^ *$1 .* $2"; }
check_true "it runs when a scheduler starts" wait_until 20 ended "$later" Completed
check_true "a job that exceeds its limit has the outcome AtLimit" wait_until 20 ended "$overrun" AtLimit
stop

# File descriptors: a low hard limit gives a warning, the soft limit is raised, and jobs get the original limits.
export KAHU_STORE="$work/few"
# shellcheck disable=SC3045 # -S and -H are known to dash and bash
(ulimit -Sn 300 && ulimit -Hn 600 && exec "$KAHU" serve >few.out 2>few.err) &
few=$!
at_exit "kill -9 $few 2>/dev/null"
wait_until 20 test -s few.out || fail "a scheduler with few descriptors starts" "$(cat few.err)"
check_contains "a low limit of descriptors gives a warning" \
	"RLIMIT_NOFILE is 600, but should be 2048: half of it for 1024 connections" "$(cat few.err)"
check_equal "the scheduler has raised its soft limit" 600 "$(awk '/Max open files/ { print $4 }' /proc/$few/limits)"
check_status "a job is submitted" 0 "$KAHU" submit -o "$work/few.job" -j oe -- sh -c 'ulimit -Sn; ulimit -Hn'
check_true "it ends" journal_gets "end 1, status 0"
check_equal "it has the limits that the scheduler was started with" "300 600" "$(tr '\n' ' ' <few.job | sed 's/ $//')"
kill $few && wait $few
