#!/bin/sh
# SPDX-License-Identifier: MIT
#
# between.sh - requests while a scheduler starts, stops, or is replaced by another
#
# No test depends on speed: a scheduler that must wait is stopped (SIGSTOP), or another process holds
# what it needs, until the client waits for it.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

has_a_socket() { # PID
	for file in /proc/"$1"/fd/*; do
		case $(readlink "$file") in socket:*) return 0 ;; esac
	done
	return 1
}
sleeps() { [ "$(sed 's/.*) //; s/ .*//' "/proc/$1/stat")" = S ]; } # PID
waits_for_answer() { has_a_socket "$1" && sleeps "$1"; }          # PID

all_stopped() { ! sed 's/.*) //; s/ .*//' /proc/"$server"/task/*/stat | grep -qv T; }
stop_scheduler() { kill -STOP "$server" && wait_until 60 all_stopped; }

# Sends a request to the stopped scheduler; the process of the client is $asking.
ask() { # NAME WORD...
	name=$1
	shift
	"$KAHU" "$@" >"$name.out" 2>"$name.err" &
	asking=$!
	wait_until 60 waits_for_answer "$asking" || fail "$name: the client connects" "$(cat "$name.err")"
}
check_answer() { # NAME STATUS
	wait "$asking"
	check_equal "$1" "$2" "$?$(sed 's/^/ /' "$name.err")"
}

serve
waiting=$("$KAHU" submit -h -o /dev/null -e /dev/null -- true)

# The scheduler is killed before it has sent its state, and a new one starts or none does.
for verb in queue "job $waiting" journal "why $waiting" "set $waiting walltime=100" "tail $waiting"; do
	for next in serve true; do
		stop_scheduler
		# shellcheck disable=SC2086 # they are words
		ask lost $verb
		kill -9 "$server"
		wait "$server" 2>/dev/null
		$next
		case $verb in
		tail*) check_answer "$verb, sent to a scheduler that is killed ($next)" "1 kahu: /dev/null is not a regular file; output written to it is not stored" ;;
		*) check_answer "$verb, sent to a scheduler that is killed ($next)" 0 ;;
		esac
		[ "$next" = serve ] || serve
	done
done
stop_scheduler
ask lost sched stop
kill -9 "$server"
wait "$server" 2>/dev/null
check_answer "sched stop, sent to a scheduler that has died, fails" "1 kahu: no scheduler is running"
serve
stop_scheduler
ask lost reload
kill -9 "$server"
wait "$server" 2>/dev/null
check_answer "reload fails if no scheduler is left" \
	"1 kahu: no scheduler is running; the next one reads the configuration when it starts"

# A change that the scheduler did not process is made once: by the next scheduler, or in the store if none runs.
serve
stop_scheduler
ask once submit -h -N bynext -o /dev/null -e /dev/null -- true
kill -9 "$server"
wait "$server" 2>/dev/null
serve
check_answer "a job that was sent to a killed scheduler is accepted by the next" 0
stop_scheduler
ask once submit -h -N byitself -o /dev/null -e /dev/null -- true
kill -TERM "$server"
kill -CONT "$server"
wait "$server"
check_answer "a job that was sent to a stopping scheduler is written to the store if none follows" 0
serve
stop_scheduler
ask once submit -h -N killed -o /dev/null -e /dev/null -- true
kill -9 "$server"
wait "$server" 2>/dev/null
check_answer "a job that was sent to a killed scheduler is written to the store if none follows" 0
serve
for job in bynext byitself killed; do
	check_equal "$job is in the queue once" 1 "$("$KAHU" queue -n | grep -c "^$job")"
done
check_equal "no job was submitted twice" 4 "$("$KAHU" journal --from 1 | grep -c ' submit ')"

# One after the other: the next scheduler starts when the previous one has ended.
for i in 1 2 3 4 5; do
	"$KAHU" sched stop >/dev/null
	check_true "after sched stop there is no socket ($i)" test ! -e "$KAHU_STORE/sock"
	serve
done
stop

# The same if the stopping scheduler has not yet received the request. The time limit grows with the load of the
# machine.
follows() {
	serve
	stop_scheduler
	kill -TERM "$server"
	"$KAHU" serve >next.out 2>next.err &
	next=$!
	wait_until 60 waits_for_answer "$next"
	kill -CONT "$server"
	wait "$server"
	wait_until 60 begun_or_gone "$next"
	test -s next.out
}
begun_or_gone() { test -s next.out || ! kill -0 "$1"; }
check_true "a new scheduler waits for the one that is stopping" follows || follows || follows || follows || follows
server=$next
stop

# The start of a scheduler is delayed by its configuration, a FIFO without a writer: it holds the store and has no
# socket yet.
printf 'systemdefaultjobwalltime = "1:00:00"\n' >plain.conf
has_the_store() { test "$(head -n 1 st/kahu.lock | tr -d ' ')" = "$server"; }
begin() {
	rm -f slow.conf && mkfifo slow.conf || exit 3
	KAHU_CONF=$work/slow.conf "$KAHU" serve >serve.out 2>serve.err &
	server=$!
	wait_until 60 has_the_store || fail "a scheduler begins" "$(cat serve.err)"
	(while [ ! -e continue_scheduler ]; do
		touch -c st/kahu.lock
		sleep 0.02
	done) &
	toucher=$!
}
continue_scheduler() {
	exec 9>slow.conf
	cp plain.conf read.conf && mv read.conf slow.conf
	cat plain.conf >&9
	exec 9>&-
}
finish() {
	: >continue_scheduler
	wait "$toucher"
	rm continue_scheduler
	stop
}
ask_early() { # NAME WORD...
	name=$1
	shift
	"$KAHU" "$@" >"$name.out" 2>"$name.err" &
	asking=$!
	wait_until 60 sleeps "$asking"
}
export KAHU_CONF="$work/plain.conf"
ended=$("$KAHU" submit -o /dev/null -e /dev/null -- true)
for verb in "wait $ended" "sched pause" "sched resume" reload "tune queuetimeweight 7" "notify $ended"; do
	begin
	# shellcheck disable=SC2086 # they are words
	ask_early early $verb
	continue_scheduler
	check_answer "$verb waits for a scheduler that is starting" 0
	finish
done
cat >console <<'EOS'
size 80x24
wait-for LIVE
keys Q
expect-exit 0
EOS
begin
ask_early early --script console
continue_scheduler
check_answer "a console waits for a scheduler that is starting" 0
finish

# A store that is being created is a folder with only a lock file.
begin
mkdir -m 700 new && ln st/kahu.lock new/kahu.lock
ask_early early --store new queue
ln st/lock.mdb new/lock.mdb
ln st/data.mdb new/data.mdb
check_answer "a report waits for a store that is being created" 0
continue_scheduler
finish
