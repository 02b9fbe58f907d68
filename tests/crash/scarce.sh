#!/bin/sh
# SPDX-License-Identifier: MIT
#
# scarce.sh - a full disk and low limits of processes and descriptors lose no job
#
# The disk of the jobs is full, or the scheduler has almost no descriptors or processes left. Jobs end with
# the status of their programs, and starts that fail temporarily are retried. line/disk_full fills the disk
# of the store; in faults.sh writes fail as on a read-only file system.
# shellcheck source=tests/crash/history.sh
. "${KAHU_SOURCE:?}/tests/crash/history.sh"

room_for 4
if [ "$(id -u)" != 0 ] || ! { mkdir small && mount -t tmpfs -o size=8m kahu-test small 2>/dev/null; }; then
	skip "a full disk loses no job" "only root can mount a small file system"
	exit 0
fi
at_exit 'umount -l "$work/small" 2>/dev/null'
fill() { dd if=/dev/zero of=small/filler bs=4k >/dev/null 2>&1; }

# --- the disk of the jobs is full -----------------------------------------------------------------------

serve
fill
"$KAHU" submit -o "$work/small/out" -j oe -- sh -c 'head -c 100000 /dev/zero || exit 5' >id
check_true "a job whose output does not fit ends with the status of its program" wait_until 20 journal_has "end $(cat id), status [1-9]"
submit_one 3 0
check_true "the other jobs run" wait_until 30 all_ended
rm -f small/filler

# --- few processes and few descriptors ------------------------------------------------------------------

kill "$server" && wait "$server"
serve_within() { # ULIMIT_OPTION NUMBER
	: >serve.out
	(ulimit "$1" "$2" && exec "$KAHU" serve) >serve.out 2>serve.err &
	server=$!
	wait_until 10 test -s serve.out
}

# Opens connections until the scheduler has no descriptor left.
check_true "a scheduler with 44 descriptors starts" serve_within -n 44
for n in 11 12 13 14; do submit_one $n 0.05; done
check_true "jobs run with 44 descriptors" wait_until 30 all_ended
kill "$server" && wait "$server"

if ! setpriv --reuid 65534 --regid 65534 --clear-groups true 2>/dev/null; then
	skip "a start that fails for lack of processes is retried" "only root can run a scheduler as another user"
	exit 0
fi
mkdir bin other && cp "$KAHU" "$KAHU_BUILD/../kahu-shepherd" bin/ || exit 3 # where that user can run them
KAHU="$work/bin/kahu"
chown 65534:65534 other && chmod 755 "$work" bin
# As another user, because root has no limit of processes. The limit is raised when the reason has been seen.
cat >other.sh <<TEXT
export HOME=$work/other XDG_STATE_HOME=$work/other XDG_RUNTIME_DIR=$work/other KAHU_STORE=$work/other/st
cd $work/other || exit 3
"$KAHU" serve >serve.out 2>serve.err &
server=\$!
tries=0
until [ -s serve.out ] || [ \$tries -gt 400 ]; do
	tries=\$((tries + 1))
	sleep 0.05
done
"$KAHU" submit -o /dev/null -j oe -- true >first
"$KAHU" wait "\$(cat first)"
prlimit --pid \$server --nproc=1:1000
for shepherd in \$(pgrep -u 65534 kahu-shepherd); do prlimit --pid "\$shepherd" --nproc=1:1000; done
"$KAHU" submit -o /dev/null -j oe -- sh -c 'exit 3' >second
tries=0
until "$KAHU" why "\$(cat second)" >why 2>&1 && grep -q -i "process\|retried\|temporarily" why || [ \$tries -gt 200 ]; do
	tries=\$((tries + 1))
	sleep 0.05
done
prlimit --pid \$server --nproc=1000:1000
for shepherd in \$(pgrep -u 65534 kahu-shepherd); do prlimit --pid "\$shepherd" --nproc=1000:1000; done
timeout 120 "$KAHU" wait "\$(cat second)"
echo \$? >status
kill \$server
TEXT
setpriv --reuid 65534 --regid 65534 --clear-groups sh other.sh >other.log 2>&1
check_equal "a start that fails for lack of processes is retried, and the job ends with its status" 3 \
	"$(cat other/status 2>&1)"
check_true "why names the reason meanwhile" grep -qi "temporarily unavailable" other/why

# --- the reserve of descriptors ---------------------------------------------------------------------------

# Running jobs and another user's clients use all descriptors except the reserve.
room_for 64
export KAHU_RUN="$work/run"
check_true "a scheduler with 44 descriptors starts" serve_within -n 44
check_contains "it warns of the low limit" "file descriptors: RLIMIT_NOFILE is 44" "$(cat serve.err)"
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do "$KAHU" submit -o /dev/null -j oe -- sleep 1000; done >ids
last=$(tail -n 1 ids)
is_running() { "$KAHU" queue 2>/dev/null | grep -q "^$1 .* Running "; }
is_short() { "$KAHU" why "$last" 2>/dev/null | grep -q "Too many open files"; }
check_true "jobs run until descriptors are short" wait_until 20 is_short
check_true "at least seven jobs run" wait_until 20 is_running 7
as_other() { (cd / && exec setpriv --reuid 65534 --regid 65534 --clear-groups env -u KAHU_STORE HOME=/ "$KAHU" "$@"); }
clients=
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	as_other wait "$last" >/dev/null 2>&1 &
	clients="$clients $!"
done
at_exit 'kill $clients 2>/dev/null'
# A single new client would get the place of an idle one, so several connect at once.
is_refused() {
	asking=
	for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
		as_other queue >"refused.$n" 2>&1 &
		asking="$asking $!"
	done
	# shellcheck disable=SC2086 # process ids are words
	wait $asking
	grep -q "Too many open files\|try again in a while" refused.*
}
check_true "another user is refused with the reason" wait_until 20 is_refused
check_status "root can print the queue" 0 "$KAHU" queue
# shellcheck disable=SC2046 # ids are words
check_status "root can cancel jobs" 0 "$KAHU" cancel $(cat ids)
check_true "all of them end" wait_until 30 all_ended
check_status "jobs can be submitted again" 0 "$KAHU" submit -o /dev/null -j oe -- sh -c 'test "$(ulimit -n)" = 44'
check_true "they have the limit of descriptors that the scheduler was started with" \
	wait_until 30 journal_has "end $((last + 1)), status 0"
kill "$server" && wait "$server"
