#!/bin/sh
# SPDX-License-Identifier: MIT
#
# stall.sh - users whose sockets and files make system calls slow
#
# The process of the scheduler must not make these calls; its processor time shows whether it does.
# If it made them, each part below would take it from almost a second to many seconds.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
	skip "slow system calls" "only root runs jobs of others"
	exit 0
fi

mkdir bin
cp "$KAHU" "$KAHU_BUILD/../kahu-shepherd" "$KAHU_BUILD/tests/crash/hostile" bin/ || exit 3
KAHU="$work/bin/kahu"
chmod 755 "$work" bin
export KAHU_RUN="$work/run" KAHU_STORE="$work/st" KAHU_CONF="$work/kahu.conf"
echo "node $(hostname) { procs = 2 }" >kahu.conf
"$KAHU" serve >serve.out 2>serve.err &
server=$!
at_exit 'kill -9 "$server" 2>/dev/null; wait "$server" 2>/dev/null'
wait_until 10 test -s serve.out || fail "the scheduler starts" "$(cat serve.err)"
as() { who=$1; shift; setpriv --reuid="$who" --regid="$(id -g "$who")" --clear-groups -- "$@"; }
submits() { as mail timeout 6 "$KAHU" submit -h -d / -- true >submit.out 2>&1; }

# The processor time of the process in ms.
cpu_ms() { awk -v hz="$(getconf CLK_TCK)" '{ print int(($14 + $15) * 1000 / hz) }' "/proc/$server/stat"; }
max_ms=300
check_processor_time() { # WORDS
	used_ms=$(($(cpu_ms) - began_ms))
	echo "# $1: $used_ms ms"
	check_true "$1: the scheduler's processor time is small" test "$used_ms" -le $max_ms
}
# A hostile client that prints "ready" and stays until hold is closed.
mkfifo hold
begin() { # USER WHAT COUNT
	as "$1" bin/hostile run "$2" "$3" <hold >said 2>&1 &
	hostile=$!
	exec 3>hold
}
end() {
	exec 3>&-
	wait $hostile
}

began_ms=$(cpu_ms)
begin daemon queue 3
check_true "a user closes connections with long queues" wait_until 20 grep -q ready said
check_status "another user can submit meanwhile" 0 submits
check_processor_time "closing them"
end

began_ms=$(cpu_ms)
check_status "a user polls a connection two million times" 0 as bin bin/hostile run poll 3
check_status "another user can submit" 0 submits
check_processor_time "reading and closing it"

begin games map 20
check_true "a user maps the state a million times" wait_until 60 grep -q ready said
began_ms=$(cpu_ms)
check_status "another user changes the state" 0 submits
requests_until_withdrawn() { as mail "$KAHU" limits --self >limits.out 2>&1 && grep -q withdrawn said; }
check_true "the state is withdrawn from the user" wait_until 20 requests_until_withdrawn
check_status "other users can submit meanwhile" 0 submits
check_processor_time "withdrawing it"
end

check_status "root stops the scheduler" 0 timeout 10 "$KAHU" sched stop
wait "$server"
check_equal "its status is 0" 0 $?
check_status "its store is intact" 0 "$KAHU_BUILD/tests/crash/verify_store" "$KAHU_STORE"
