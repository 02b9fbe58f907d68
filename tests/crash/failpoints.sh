#!/bin/sh
# SPDX-License-Identifier: MIT
#
# failpoints.sh - no job is lost, run twice or recorded wrongly if a process dies at any failpoint
#
# For each failpoint of the program: the first process that reaches it is killed, while jobs are
# submitted, run, end, and are cancelled, requeued, suspended and resumed. A scheduler that dies is restarted.
# A failpoint that is not reached is a failure, so no failpoint is dropped unnoticed. POINTS: only these.
# shellcheck source=tests/crash/history.sh
. "${KAHU_SOURCE:?}/tests/crash/history.sh"

KAHU=${KAHU_FAILING:?}
points=${POINTS:-$(KAHU_FAILPOINT=list "$KAHU" --version)}

# The first scheduler has the failpoint; its successors have none.
keep_serving() {
	while [ ! -e stop ]; do
		"$KAHU" serve >serve.out 2>>serve.err &
		echo $! >serve.pid
		wait $!
		echo "a scheduler ended with status $?" >>serve.err
	done
}

# The first run of this job waits to be requeued.
cat >twice.sh <<'TEXT'
#!/bin/sh
if [ ! -e "$2/first" ]; then
	echo >"$2/first"
	exec sleep 30
fi
echo "begin $1" >>"$2/log"
exit $((3 + $1 % 7))
TEXT
chmod +x twice.sh

# This job waits to be suspended and resumed.
cat >patient.sh <<'TEXT'
#!/bin/sh
echo "begin $1" >>"$2/log"
until [ -e "$2/resumed" ]; do sleep 0.02; done
echo "end $1" >>"$2/log"
exit $((3 + $1 % 7))
TEXT
chmod +x patient.sh

journal_has() { "$KAHU" journal --from 1 2>/dev/null | grep -qE "$1"; }
log_has() { grep -qx "$1" log; }

# Repeats a command until the journal has its entry: the scheduler may die before it processes or answers a request.
repeat_until() { # PATTERN COMMAND...
	insist_pattern=$1
	shift
	insist_tries=200
	until journal_has "$insist_pattern"; do
		"$KAHU" "$@" >>said 2>&1 || sleep 0.02
		insist_tries=$((insist_tries - 1))
		[ $insist_tries -gt 0 ] || return 1
	done
}

# Submits until an ID is printed. Each try is a separate job, because one that was not answered may exist nevertheless.
# Leaves the number of that job in $number.
submit_until_answered() { # NUMBER PROGRAM SECONDS STATUS
	number=$1
	until answered_id=$("$KAHU" submit -o /dev/null -j oe -l walltime=60 -- "$work/$2" "$number" "$PWD" "$3" 2>>said); do
		number=$((number + 70))
		[ $number -lt 7000 ] || return 1
		sleep 0.02
	done
	echo "$answered_id $number $4" >>accepted
}

# A job that was lost with its shepherd has ended without being cancelled or requeued.
is_over() { journal_has " end $1, "; }
wait_for() { # ID COMMAND...
	wait_id=$1
	shift
	until "$@" || is_over "$wait_id"; do sleep 0.02; done
}

# All kinds of events of jobs.
run_all_events() {
	submit_until_answered 1 job.sh 0.05 4
	submit_until_answered 2 job.sh 0.02 5
	submit_until_answered 4 job.sh 30 271
	wait_for "$answered_id" log_has "begin $number"
	is_over "$answered_id" || repeat_until " (cancel|end) $answered_id([, ]|$)" cancel "$answered_id"
	submit_until_answered 5 twice.sh 0 8
	wait_for "$answered_id" test -e first
	is_over "$answered_id" || repeat_until " requeue $answered_id([, ]|$)" requeue "$answered_id"
	submit_until_answered 6 patient.sh 0 9
	wait_for "$answered_id" log_has "begin $number"
	is_over "$answered_id" || repeat_until " (suspend|end) $answered_id([, ]|$)" suspend "$answered_id"
	is_over "$answered_id" || repeat_until " (resume|end) $answered_id([, ]|$)" resume "$answered_id"
	: >resumed
}

# Releases jobs whose start failed, instead of waiting a minute for the retry.
release_deferred() {
	"$KAHU" journal --from 1 2>/dev/null |
		awk '/start of [0-9]+ failed, deferred/ { print $6 }' | while read -r id; do
			"$KAHU" release "$id" >>said 2>&1 || "$KAHU" start "$id" >>said 2>&1
		done
}
all_ended_or_released() { all_ended || { release_deferred; return 1; }; }

# The failpoint that must be hit first for another one to be reached.
before() { # POINT
	case $1 in
	defer_* | adopt_before_bar | adopt_after_bar) echo "start_after_commit:1:kill:$PWD/hit0," ;;
	adopt_*) echo "start_after_fork:1:kill:$PWD/hit0," ;;
	esac
}

# A job is lost if and only if its shepherd died between the job's begin and end.
count_expected_lost() { # POINT
	case $1 in
	shep_after_begun | shep_before_fork | shep_after_fork | shep_after_wait | shep_before_ended) echo 1 ;;
	*) echo 0 ;;
	esac
}

trial() { # POINT ACTION
	mkdir "$1" && cd "$1" || exit 3
	export KAHU_STORE="$PWD/st"
	: >log
	: >accepted
	KAHU_FAILPOINT="$(before "$1")$1:1:$2:$PWD/hit"
	export KAHU_FAILPOINT
	keep_serving 2>/dev/null &
	keeper=$!
	unset KAHU_FAILPOINT
	wait_until 20 test -s serve.out
	run_all_events
	wait_until 30 all_ended_or_released
	check_equal "$1 ($2): every job has run once and ended as it should" "" "$(judge lost 2>&1; [ -e hit ] || echo "failpoint $1 was not reached")"
	check_equal "$1 ($2): the number of lost jobs" "$(count_expected_lost "$1")" "$(count_lost)"
	touch stop
	kill "$(cat serve.pid)"
	wait "$keeper"
	cd ..
	[ -n "${KEEP:-}" ] || rm -rf "$1"
}

room_for 4
for point in $points; do
	trial "$point" kill
done
# A shepherd is alive, but the scheduler cannot watch it.
[ -n "${POINTS:-}" ] || trial before_watch EIO
