#!/bin/sh
# SPDX-License-Identifier: MIT
#
# retry.sh - failed starts are retried after seconds if the cause is temporary, and deferred or final otherwise
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

room_for 2
plain=$KAHU failing=${KAHU_FAILING:?}
server=

begin() { # [FAILPOINT]
	KAHU=$plain
	[ $# -eq 0 ] || KAHU=$failing
	KAHU_FAILPOINT=${1-}
	export KAHU_FAILPOINT
	serve
	unset KAHU_FAILPOINT
	KAHU=$plain
}
journal_has() { "$KAHU" journal --from 1 | grep -q "$1"; }
journal_has_times() { [ "$("$KAHU" journal --from 1 | grep -c "$1")" -ge "$2" ]; }
explains() { "$KAHU" why "$1" | grep -q "$2"; }

# Failures of fork for the job, of its process before the program begins, of fork for its shepherd, and of the
# shepherd when it creates its spool file.
job=0
for place in shep_before_fork:0:EAGAIN shep_in_child:0:abort shep_in_child:0:kill fork_server_before_fork:0:ENOMEM \
	shep_before_lock:0:ENOSPC; do
	begin "$place"
	job=$((job + 1))
	case $place in
	*EAGAIN) what="cannot create a process for it: Resource temporarily unavailable" ;;
	*abort) what="its process was ended by signal 6 (Aborted) before its program began" ;;
	*kill) what="its process was ended by signal 9 (Killed) before its program began" ;;
	*ENOSPC) what="its shepherd could not begin: No space left on device" ;;
	*) what="cannot create a process for its shepherd: Cannot allocate memory" ;;
	esac
	check_status "job $job is submitted ($place)" 0 "$KAHU" submit -o /dev/null -j oe -- sh -c 'exit 3'
	check_true "its failed start is retried at least twice" wait_until 20 journal_has_times "start of $job failed, retried at.*$what" 2
	check_true "why has the cause and the time of the retry" \
		wait_until 20 explains $job "could not be started, and is retried at .*$what"
	check_contains "the retries are not counted as defers" '"defers":0' "$("$KAHU" job $job --json | tr -d ' \n')"
	check_contains "the log has the cause" "retry_s=1 why=\"$what\"" "$(cat serve.err)"
	kill -9 "$server"
	wait "$server" 2>/dev/null
	begin
	check_true "the next scheduler starts the job" wait_until 20 journal_has "end $job, status 3"
	kill "$server" && wait "$server"
done

begin shep_before_lock:0:EIO
job=$((job + 1))
check_status "job $job is submitted (shep_before_lock:0:EIO)" 0 "$KAHU" submit -o /dev/null -j oe -- sh -c 'exit 3'
what="its shepherd could not begin: Input/output error"
check_true "a permanent fault of the host defers the job" \
	wait_until 20 journal_has "start of $job failed, deferred until .*$what"
check_contains "the defer is counted" '"defers":1' "$("$KAHU" job $job --json | tr -d ' \n')"
check_true "why has the cause" explains $job "$what"
kill "$server" && wait "$server"
begin
check_status "the job is released" 0 "$KAHU" release $job
check_true "it runs" wait_until 20 journal_has "end $job, status 3"
kill "$server" && wait "$server"

# A process that runs as the user can receive any signal from that user.
for place in shep_in_child shep_as_user; do
	begin $place:0:trap
	job=$((job + 1))
	check_status "job $job is submitted ($place:0:trap)" 0 "$KAHU" submit -o /dev/null -j oe -- true
	what="its process was ended by signal [45] (.*) before its program began"
	case $place in
	*child)
		check_true "a signal to the process while it runs as root is a fault of the host" \
			wait_until 20 journal_has "start of $job failed, deferred until .*$what"
		;;
	*)
		check_true "a signal to the process while it runs as the user is the end of the job, which is charged" \
			wait_until 20 journal_has "end $job, status 126: $what"
		;;
	esac
	kill "$server" && wait "$server"
done

begin
check_status "a job with a missing working directory is submitted" 0 "$KAHU" submit -o /dev/null -j oe -d "$work/none" -- true
job=$((job + 1))
check_true "it fails and is not retried" wait_until 20 journal_has "end $job, status 126: its working directory"
kill "$server" && wait "$server"

# Before the program begins its process already runs as the user, who can stop it and kill it later. If such a start
# were retried, the user would hold processors without charge.
child_of_shepherd() { # JOB: sets $child to the process that will run the job, once it waits for the client
	child=
	for shepherd in $(pgrep -f "^kahu-shepherd $1\\.[0-9]*\$"); do # other tests have jobs with this ID
		[ -n "$(find "/proc/$shepherd/fd" -lname "$work/*" 2>/dev/null)" ] &&
			child=$(cat "/proc/$shepherd/task/"*/children 2>/dev/null)
	done
	child=${child%% *}
	[ -n "$child" ] && grep -q '^State:[[:space:]]S' "/proc/$child/status" &&
		[ -n "$(find "/proc/$child/fd" -lname 'socket:*' 2>/dev/null | sed -n 2p)" ]
}
is_held() { "$KAHU" queue --json | grep -q Hold; }
for patience in 1 600000; do
	export KAHU_USER_SETUP_MS=$patience
	begin ""
	"$KAHU" run -h -- sh -c 'echo began >>began' >run.out 2>&1 &
	run=$!
	job=$((job + 1))
	check_true "kahu run waits for a held job" wait_until 20 is_held
	kill -STOP $run
	check_status "the job is released while its client is stopped" 0 "$KAHU" release $job
	check_true "its process waits for the client" wait_until 20 child_of_shepherd $job
	kill -KILL "$child"
	if [ $patience = 1 ]; then
		check_true "if the user kills the process late, the job has ended" \
			wait_until 20 journal_has "end $job, status 126: its process was ended by signal 9"
	else
		check_true "if the process is killed at once, the start is retried" \
			wait_until 20 journal_has "start of $job failed, retried at.*its process was ended by signal 9"
	fi
	kill -CONT $run
	wait $run
	kill "$server" && wait "$server"
done
check_equal "the job has run once" "began" "$(cat began)"
unset KAHU_USER_SETUP_MS
