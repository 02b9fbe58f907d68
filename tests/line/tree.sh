#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tree.sh - no process of an ended job survives, however it tries to hide
#
# A job that forks twice, leaves its session, ignores SIGTERM, stops itself, clears its environment and forks
# many processes (limited by itself) is cancelled, and reaches its limit; also while no scheduler runs.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

printf 'systemdefaultjobwalltime = "1:00:00"\njobgrace = "0:00:01"\nnodeavailabilitypolicy = dedicated\n' >kahu.conf
export KAHU_STORE="$work/st"
serve() {
	: >serve.out
	"$KAHU" --config "$work/kahu.conf" serve >serve.out 2>serve.err &
	server=$!
	wait_until 10 test -s serve.out || fail "the scheduler starts" "$(cat serve.err)"
}
kill_server() {
	kill -9 "$server" 2>/dev/null
	wait "$server" 2>/dev/null
}
at_exit kill_server

journal_has() { "$KAHU" journal --from 1 | grep -q "$1"; } # WORDS
journal_gets() { wait_until 8 journal_has "$1"; }
# All processes of a job have its file open, so they can be found.
holders() { find /proc/[0-9]*/fd -lname "$work/$1" 2>/dev/null | cut -d/ -f3 | sort -u; } # FILE
no_process_holds() { [ -z "$(holders "$1")" ]; }
processes_hold() { [ "$(holders "$1" | wc -l)" -ge "$2" ]; } # FILE COUNT
# shellcheck disable=SC2046 # pids are words
kill_all() { for file in mark.*; do kill -9 $(holders "$file") 2>/dev/null; done; }
at_exit kill_all

cat >tree.sh <<'TEXT'
#!/bin/sh
exec 9>"$1"
trap '' TERM HUP INT
sleep 1000 &
(setsid sh -c 'trap "" TERM; (sleep 1001 & ) ; exec sleep 1002' &)
(setsid env -i sh -c 'trap "" TERM; sleep 1003 & exec sleep 1004' &)
(sh -c 'kill -STOP $$; sleep 1005' &)
# A fork bomb of limited depth: each process starts two.
bomb() {
	[ "$1" -gt 0 ] || exec sleep 1006
	bomb $(($1 - 1)) &
	bomb $(($1 - 1)) &
	wait
}
bomb 5 &
wait
sleep 1007
TEXT
chmod +x tree.sh

grow() { # NAME
	id=$("$KAHU" submit -o /dev/null -j oe -- "$work/tree.sh" "$work/mark.$1") || fail "a job is submitted"
	check_true "$1: it has 40 processes" wait_until 8 processes_hold "mark.$1" 40
}

# Raises the time limit until the job has 40 processes before it ends, however slow this machine is.
grow_to_limit() { # NAME
	grown=no
	for limit_s in 2 4 8 16 32 64; do
		id=$("$KAHU" submit -o /dev/null -j oe -l walltime=$limit_s -- "$work/tree.sh" "$work/mark.$1") || fail "a job is submitted"
		wait_until 20 has_grown_or_ended "$1"
		[ $grown = no ] || break
	done
	check_true "$1: it has 40 processes" test $grown = yes
}
has_grown_or_ended() { # NAME
	if processes_hold "mark.$1" 40; then grown=yes; else journal_has "end $id,"; fi
}

serve
grow cancelled
check_status "cancelled: cancel succeeds" 0 "$KAHU" cancel "$id"
check_true "cancelled: it ends" journal_gets "end $id, status 2"
check_true "cancelled: no process is left" wait_until 10 no_process_holds mark.cancelled

grow_to_limit limited
check_true "limited: it ends at its limit" journal_gets "end $id, status 2.*limit"
check_true "limited: no process is left" wait_until 10 no_process_holds mark.limited

grow_to_limit alone
kill_server
check_true "alone: no process is left without a scheduler" wait_until 20 no_process_holds mark.alone
serve
check_true "alone: the next scheduler records its end" journal_gets "end $id, status 2.*limit"

grow orphaned
kill_server
"$KAHU" cancel "$id" >/dev/null
serve
check_true "orphaned: a job that was cancelled without a scheduler ends" journal_gets "end $id, status 2"
check_true "orphaned: no process is left" wait_until 10 no_process_holds mark.orphaned

grow lost
shepherd=$("$KAHU_BUILD/tests/crash/show_spool" st/spool | awk -v id="$id" '$1 == id { print $3 }')
kill -9 "$shepherd"
check_true "lost: without its shepherd its status is unknown" journal_gets "end $id, status unknown"
if grep -q 'job containment: none' serve.out serve.err; then
	skip "lost: no process is left" "without a cgroup who wipes its environment away outlives a killed shepherd"
else
	check_true "lost: no process is left" wait_until 10 no_process_holds mark.lost
fi
check_status "lost: a job for all processors is submitted" 0 "$KAHU" submit -l nodes=1:ppn="$(nproc)" -o /dev/null -j oe -- true
check_true "lost: it runs" journal_gets "end $((id + 1)), status 0"
