#!/bin/sh
# SPDX-License-Identifier: MIT
#
# disk_full.sh - behaviour on a full disk, and recovery without a restart once there is room
#
# The store is on a small tmpfs (only root can mount it), which a file fills completely. The
# same scheduler runs from beginning to end.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

mkdir small
if [ "$(id -u)" != 0 ] || ! mount -t tmpfs -o size=8m kahu-test small 2>/dev/null; then
	skip "behaviour on a full disk" "only root can mount a small file system"
	exit 0
fi
at_exit 'umount -l "$work/small"'
export KAHU_STORE="$work/small/st"
mkdir bin theirs
cp "$KAHU" "$KAHU_BUILD/../kahu-shepherd" bin/ || exit 3 # user nobody must be able to run the program
KAHU="$work/bin/kahu"
chmod 755 "$work" bin
chown nobody theirs
export KAHU_RUN="$work/run"
"$KAHU" serve >serve.out 2>serve.err &
server=$!
at_exit 'kill -9 "$server" 2>/dev/null; wait "$server" 2>/dev/null'
wait_until 10 test -s serve.out || fail "the scheduler starts" "$(cat serve.err)"

journal_has() { "$KAHU" journal --from 1 | grep -q "$1"; } # WORDS
journal_gets() { wait_until 20 journal_has "$1"; }
fill() { dd if=/dev/zero of=small/filler bs=4k >/dev/null 2>&1; }
submit_one() { "$KAHU" submit "$@" -o /dev/null -j oe -- sh -c 'exit 3'; }

mkfifo go
"$KAHU" submit -N runs -o /dev/null -j oe -- sh -c "read x <'$work/go'; exit 7" >/dev/null
check_true "a job runs" journal_gets 'start 1'
"$KAHU" submit -N stops -o /dev/null -j oe -- sleep 4829 >/dev/null
check_true "a second job runs" journal_gets 'start 2'
"$KAHU" submit -h -N waits -o /dev/null -j oe -- true >/dev/null
"$KAHU" submit -h -N starts -o /dev/null -j oe -- true >/dev/null
theirs() { (cd theirs && exec setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups -- env -u KAHU_STORE "$KAHU" "$@"); }
free_kb() { df -k --output=avail small | tail -n 1; }
others=0
if command -v setpriv >/dev/null; then
	others=3
	check_status "a user can submit while the disk has room" 0 theirs submit -h -o /dev/null -e /dev/null -- true
	his=$out
	dd if=/dev/zero of=small/most bs=1k count=$(($(free_kb) - 300)) >/dev/null 2>&1
	check_status "with little room a user's submission is refused" 1 theirs submit -h -o /dev/null -e /dev/null -- true
	check_contains "the refusal names diskreserve" "reserved for running jobs (diskreserve = 64 MB)" "$err"
	check_status "a user can still cancel a job" 0 theirs cancel "$his"
	check_status "root can still submit" 0 "$KAHU" submit -h -N roots -o /dev/null -j oe -- true
	rm small/most
	check_status "a user can submit when there is room again" 0 theirs submit -h -o /dev/null -e /dev/null -- true
fi
fill
tries=0
while submit_one -h >>ids 2>refused && [ $tries -lt 500 ]; do tries=$((tries + 1)); done # free pages of the store are used first
check_contains "on a full disk a submission is refused" "is full: free some space" "$(cat refused)"
check_status "a second submission is refused" 1 submit_one
check_contains "the refusal says what to do" "is full: free some space" "$err"
check_status "an idle job can be cancelled" 0 "$KAHU" cancel 3
check_contains "it has left the queue" "is gone" "$("$KAHU" queue --json | grep -q '"job":"3"' || echo is gone)"
check_status "a running job can be cancelled" 0 "$KAHU" cancel 2
check_true "its process ends" wait_until 20 is_gone "slee[p] 4829"
check_status "a job can be released" 0 "$KAHU" release 4
check_true "it does not start, and why names the disk" wait_until 10 eval '"$KAHU" why 4 | grep -q "the disk that holds the store is full"'
check_contains "the log says that no job is started" "no job is started: the disk that holds the store" "$(cat serve.err)"
check_status "reports work" 0 "$KAHU" queue
check_true "the scheduler still runs" kill -0 "$server"
echo >go # the job ends while nothing can be written
rm small/filler
check_true "the released job runs when there is room" journal_gets 'end 4, status 0'
check_contains "the log says that there is room again" "the store has room again" "$(cat serve.err)"
check_true "the end of the cancelled job is recorded" journal_gets 'end 2, '
check_true "the end and status of the job that ended meanwhile are recorded" journal_gets 'end 1, status 7'
check_true "submissions work again" wait_until 10 submit_one -N later
check_true "a new job runs" journal_gets ', status 3'
check_equal "no refused submission is in the journal" "$(($(grep -c . ids) + 5 + others))" "$("$KAHU" journal --from 1 | grep -c ' submit ')"
check_true "the scheduler was not restarted" kill -0 "$server"
kill "$server"
wait "$server"
check_status "the store is intact" 0 "$KAHU_BUILD/tests/crash/verify_store" "$KAHU_STORE"
