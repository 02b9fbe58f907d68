#!/bin/sh
# SPDX-License-Identifier: MIT
#
# between.sh - does what is asked for work while a scheduler begins, ends, or ends and another follows?
#
# Nobody is quicker here than anybody else: a scheduler that must not go on yet is stopped (SIGSTOP), or what
# it would hold is held by somebody else, until the one who asks has come to wait for it.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

has_a_socket() { # PID
	for file in /proc/"$1"/fd/*; do
		case $(readlink "$file") in socket:*) return 0 ;; esac
	done
	return 1
}
sleeps() { [ "$(sed 's/.*) //; s/ .*//' "/proc/$1/stat")" = S ]; } # PID
waits_at_the_door() { has_a_socket "$1" && sleeps "$1"; }          # PID

all_stopped() { ! sed 's/.*) //; s/ .*//' /proc/"$server"/task/*/stat | grep -qv T; }
hold_still() { kill -STOP "$server" && wait_until 60 all_stopped; }

# Asks the scheduler, which is stopped, so that it hears nothing; what is asked is $asking.
ask() { # NAME WORD...
	name=$1
	shift
	"$KAHU" "$@" >"$name.out" 2>"$name.err" &
	asking=$!
	wait_until 60 waits_at_the_door "$asking" || fail "$name: it asks" "$(cat "$name.err")"
}
check_answer() { # NAME STATUS
	wait "$asking"
	check_equal "$1" "$2" "$?$(sed 's/^/ /' "$name.err")"
}

serve
waiting=$("$KAHU" submit -h -o /dev/null -e /dev/null -- true)

# It is killed before it has told its state, and another follows, or nobody.
for verb in queue "job $waiting" journal "why $waiting" "set $waiting walltime=100" "tail $waiting"; do
	for next in serve true; do
		hold_still
		# shellcheck disable=SC2086 # they are words
		ask lost $verb
		kill -9 "$server"
		wait "$server" 2>/dev/null
		$next
		case $verb in
		tail*) check_answer "$verb, asked of one that was killed ($next)" "1 kahu: /dev/null is not a regular file; its output is not kept" ;;
		*) check_answer "$verb, asked of one that was killed ($next)" 0 ;;
		esac
		[ "$next" = serve ] || serve
	done
done
hold_still
ask lost sched stop
kill -9 "$server"
wait "$server" 2>/dev/null
check_answer "who is to end, and has gone, cannot be told to" "1 kahu: no scheduler is running"
serve
hold_still
ask lost reload
kill -9 "$server"
wait "$server" 2>/dev/null
check_answer "nobody is left to read the configuration" \
	"1 kahu: no scheduler is running; the next one reads the configuration when it starts"

# A change that it did not come to is made once: by the next one, or where nobody follows on the store itself.
serve
hold_still
ask once submit -h -N bynext -o /dev/null -e /dev/null -- true
kill -9 "$server"
wait "$server" 2>/dev/null
serve
check_answer "a job that was handed to one who was killed is taken by the next" 0
hold_still
ask once submit -h -N byitself -o /dev/null -e /dev/null -- true
kill -TERM "$server"
kill -CONT "$server"
wait "$server"
check_answer "one that was handed to one who ended is taken where nobody follows" 0
serve
hold_still
ask once submit -h -N killed -o /dev/null -e /dev/null -- true
kill -9 "$server"
wait "$server" 2>/dev/null
check_answer "also where it was killed" 0
serve
for job in bynext byitself killed; do
	check_equal "$job is there once" 1 "$("$KAHU" queue -n | grep -c "^$job")"
done
check_equal "and nothing twice" 4 "$("$KAHU" journal --from 1 | grep -c ' submit ')"

# One after the other: the next begins when the one before has ended.
for i in 1 2 3 4 5; do
	"$KAHU" sched stop >/dev/null
	check_true "who has stopped it finds no door ($i)" test ! -e "$KAHU_STORE/sock"
	serve
done
stop

# Also one that was told to end and has not heard it yet. It is given a moment for it, and the machine as many
# as it takes.
follows() {
	serve
	hold_still
	kill -TERM "$server"
	"$KAHU" serve >next.out 2>next.err &
	next=$!
	wait_until 60 waits_at_the_door "$next"
	kill -CONT "$server"
	wait "$server"
	wait_until 60 begun_or_gone "$next"
	test -s next.out
}
begun_or_gone() { test -s next.out || ! kill -0 "$1"; }
check_true "who follows one that ends waits for it" follows || follows || follows || follows || follows
server=$next
stop

# A scheduler that begins is held up by its configuration, which nobody has written yet: it has the store, and
# no door. However long that takes, it has only just taken it.
printf 'systemdefaultjobwalltime = "1:00:00"\n' >plain.conf
has_the_store() { test "$(head -n 1 st/kahu.lock | tr -d ' ')" = "$server"; }
begin() {
	rm -f slow.conf && mkfifo slow.conf || exit 3
	KAHU_CONF=$work/slow.conf "$KAHU" serve >serve.out 2>serve.err &
	server=$!
	wait_until 60 has_the_store || fail "a scheduler begins" "$(cat serve.err)"
	(while [ ! -e go_on ]; do
		touch -c st/kahu.lock
		sleep 0.02
	done) &
	toucher=$!
}
go_on() {
	exec 9>slow.conf
	cp plain.conf read.conf && mv read.conf slow.conf
	cat plain.conf >&9
	exec 9>&-
}
finish() {
	: >go_on
	wait "$toucher"
	rm go_on
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
	go_on
	check_answer "$verb waits for one that begins" 0
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
go_on
check_answer "a console is shown it" 0
finish

# A store that somebody is making is a folder with a lock, and nothing else yet.
begin
mkdir -m 700 new && ln st/kahu.lock new/kahu.lock
ask_early early --store new queue
ln st/lock.mdb new/lock.mdb
ln st/data.mdb new/data.mdb
check_answer "a report waits for a store that is being made" 0
go_on
finish
