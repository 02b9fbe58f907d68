#!/bin/sh
# SPDX-License-Identifier: MIT
#
# trap_request.sh - the scheduler survives a trap while it handles a request
#
# The scheduler traps, and later aborts, at a place that every request passes. It must continue in the same
# process, adopt the running job, keep acknowledged changes, refuse the user for a while, serve other users, and
# log what happened.
# shellcheck source=tests/crash/history.sh
. "${KAHU_SOURCE:?}/tests/crash/history.sh"

KAHU=${KAHU_FAILING:?}
case $(KAHU_FAILPOINT=list "$KAHU" --version) in
*request_read*) ;;
*)
	fail "the program has the failpoint request_read"
	exit 1
	;;
esac
if [ "$(id -u)" -ne 0 ]; then
	skip "a trap in a request does not end the service" "only root can be several users"
	exit $tests_failed
fi
chmod 755 "$work"
mkdir bin run && chmod 755 bin run
cp "$KAHU" "$(dirname "$KAHU")/kahu-shepherd" bin/ || exit 3
export KAHU_RUN="$work/run"
as() { # USER COMMAND...
	as_user=$1
	shift
	setpriv --reuid="$as_user" --regid="$(id -g "$as_user")" --clear-groups -- "$@"
}
# The next request is the Nth of its kind: the file has a byte for each earlier one.
next_request_traps() { head -c "$1" /dev/zero >passed; }

export KAHU_FAILPOINT="request_read:100001:trap:$work/passed,"
: >passed
KAHU=$work/bin/kahu
serve
check_status "a job is submitted" 0 "$KAHU" submit -o /dev/null -j oe -l walltime=600 -- "$work/job.sh" 1 "$PWD" 60
job=$out
runs() { grep -qx "begin 1" log; }
check_true "it runs" wait_until 20 runs
check_status "another job is held" 0 "$KAHU" submit -h -o /dev/null -j oe -- true
held=$out
watcher=$(shepherds)

next_request_traps 100000
as nobody "$KAHU" queue >trapped.out 2>trapped.err </dev/null
check_true "a user whose request crashes the scheduler is refused" test $? -ne 0
check_true "the process is the same" kill -0 "$server"
came_back() { grep -q 'received signal .*, and was restarted' serve.err; }
check_true "the log has the signal" wait_until 20 came_back
check_contains "the log has the user" "while handling a request from uid $(id -u nobody);" "$(cat serve.err)"
check_status "other users are served" 0 as daemon "$KAHU" queue
check_contains "the held job is still there" "$held" "$("$KAHU" queue -b)"
check_equal "the running job has the same shepherd" "$watcher" "$(shepherds)"
check_equal "it has run once" 1 "$(grep -c '^begin 1$' log)"
check_status "other users can submit" 0 as daemon "$KAHU" submit -h -d / -o /dev/null -j oe -- true
check_status "the user is refused for a while" 3 as nobody "$KAHU" queue
check_contains "the message has the reason" "crashed while it handled a request of this user" "$err"
check_status "the running job is cancelled" 0 "$KAHU" cancel "$job"
gone() { [ -z "$(shepherds)" ]; }
check_true "it ends" wait_until 20 gone

# Outside a request the signal ends the process.
kill -ABRT "$server"
wait "$server"
check_equal "a signal from outside ends the scheduler" 134 $?

# An assertion fails several times.
export KAHU_FAILPOINT="request_read:100001:abort:$work/passed,"
: >passed
serve
for user in nobody daemon; do
	next_request_traps 100000
	as $user "$KAHU" queue >/dev/null 2>&1 </dev/null
	check_true "the scheduler survives an abort in a request of $user" "$KAHU" queue
done
check_status "the first user is refused" 3 as nobody "$KAHU" queue
check_status "the second user is refused" 3 as daemon "$KAHU" queue
check_equal "two restarts are logged" 2 "$(grep -c 'received signal .*, and was restarted' serve.err)"
kill "$server"
wait "$server"
check_equal "the scheduler stops in order" 0 $?
check_true "it removes its socket" test ! -e run/sock
