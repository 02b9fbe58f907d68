#!/bin/sh
# SPDX-License-Identifier: MIT
#
# flood.sh - four hostile accounts against root's scheduler
#
# By default a short form, without limits on times: whatever they send, a fifth account can submit jobs and see
# them, the limits are reported, the scheduler stops in order and leaves an intact store. With MANY=SECONDS they
# flood for that long, the results are printed in the form of `make bench`, and two are judged: how long
# submissions and queries of the fifth account take, and how much the memory of the scheduler grows.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
	skip "four hostile accounts" "only root runs jobs of others"
	exit 0
fi

seconds=${MANY:-3} looks=20
[ -z "${MANY:-}" ] || looks=$((seconds * 20))
hostile="$work/bin/hostile"
mkdir bin
cp "$KAHU" "$KAHU_BUILD/../kahu-shepherd" "$KAHU_BUILD/tests/crash/hostile" bin/ || exit 3
KAHU="$work/bin/kahu"
chmod 755 "$work" bin
export KAHU_RUN="$work/run" KAHU_STORE="$work/st" KAHU_CONF="$work/kahu.conf"
cat >kahu.conf <<TEXT
node $(hostname) { procs = 2 }
maxuserqueuable = 5000
maxuserjournal = 100000
maxuserstored = 100000
TEXT
"$KAHU" serve >serve.out 2>serve.err &
server=$!
at_exit 'kill -9 "$server" 2>/dev/null'
wait_until 10 test -s serve.out || fail "the scheduler starts" "$(cat serve.err)"
as() { who=$1; shift; setpriv --reuid="$who" --regid="$(id -g "$who")" --clear-groups -- "$@"; }

# Its own memory in kB, without the pages of the store, which the kernel can reclaim.
own_kb() { awk '/^Rss(Anon|Shmem):/ { sum += $2 } END { print sum }' "/proc/$server/status"; }
# Also the memory that it has lent to clients: each file counts once, however many descriptors refer to it.
lent_kb() {
	for fd in "/proc/$server/fd/"*; do
		case $(readlink "$fd") in
		/memfd:kahu-*) stat -Lc '%i %b' "$fd" 2>/dev/null ;; # none: it has been withdrawn
		esac
	done | sort -u -k1,1 | awk '{ sum += $2 } END { print int(sum / 2) }'
}

check_status "a fifth account can submit and query before the flood" 0 as mail "$hostile" "$KAHU_RUN" measure 20
quiet=$out
idle_kb=$(own_kb)
for who in daemon bin games news; do
	as "$who" "$hostile" "$KAHU_RUN" flood "$seconds,$(id -u "$who")" >"flood.$who" 2>&1 &
	eval "flood_$who=\$!"
done
as mail "$hostile" "$KAHU_RUN" measure "$looks" >measured 2>&1 &
measure=$!
most_kb=$idle_kb
# shellcheck disable=SC2154 # they are set above
for pid in $measure $flood_daemon $flood_bin $flood_games $flood_news; do
	while kill -0 "$pid" 2>/dev/null; do
		now_kb=$(($(own_kb) + $(lent_kb)))
		[ "$now_kb" -le "$most_kb" ] || most_kb=$now_kb
		sleep 0.2
	done
	wait "$pid" || fail "process $pid does something" "$(cat measured flood.*)"
done
measured=$(cat measured)
check_contains "a fifth account can submit and query during the flood" "submit " "$measured"
check_true "the scheduler still runs" kill -0 "$server"
check_status "limits --self works" 0 as daemon "$KAHU" limits --self --json
check_contains "it has the amounts in use" '"option":"maxuserqueuable","unit":"jobs"' "$out"
check_status "root stops the scheduler" 0 "$KAHU" sched stop
wait "$server"
check_equal "its status is 0" 0 $?
check_status "its store is intact" 0 "$KAHU_BUILD/tests/crash/verify_store" "$KAHU_STORE"

if [ -n "${MANY:-}" ]; then
	cat flood.*
	awk '{ sent += $2 } END { print "# soak 1 " sent + 0 " -" }' flood.*
	p99() { echo "$2" | sed "s/.*$1 \([0-9.]*\).*/\1/"; }
	row() { printf '%s\t%s\t%s\t%s\n' "$@"; }
	row "submit of a fifth account, p99, nobody else" "$(p99 submit "$quiet")" ms -
	row "submit of a fifth account, p99, four hostile ones" "$(p99 submit "$measured")" ms "<=50"
	row "queue of a fifth account, p99, nobody else" "$(p99 queue "$quiet")" ms -
	row "queue of a fifth account, p99, four hostile ones" "$(p99 queue "$measured")" ms "<=50"
	row "memory of the scheduler and what it lends, growth" "$(((most_kb - idle_kb) / 1024))" MB "<=64"
fi
