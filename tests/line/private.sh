#!/bin/sh
# SPDX-License-Identifier: MIT
#
# private.sh - a user's own scheduler warns of root's scheduler, and clients report that root's is down
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

if [ "$(id -u)" != 0 ] || ! unshare -m true 2>/dev/null || ! command -v setpriv >/dev/null; then
	skip "a second scheduler next to root's" "only root may mount"
	exit 0
fi

# Everything below has a separate /run and /var/lib, so that no scheduler of this host is affected.
cat >inside.sh <<'TEXT'
mount -t tmpfs none /run && mount -t tmpfs none /var/lib || exit 9
cd "$1" && mkdir own home && chmod 1777 own home && chmod 755 . || exit 9
roots=/var/lib/kahu
mkdir /run/bin && install -m 755 "$KAHU" "$(dirname "$KAHU")/kahu-shepherd" /run/bin
env -u KAHU_STORE -u KAHU_RUN /run/bin/kahu --config none.conf serve >roots.out 2>roots.err &
server=$!
for _ in $(seq 200); do grep -q "kahu serves" roots.out && break; sleep 0.05; done
timeout 3 /run/bin/kahu --store "$1/own/st" --config none.conf serve >own.out 2>own.err
kill $server
wait $server
env -u KAHU_STORE -u KAHU_RUN -u XDG_STATE_HOME HOME="$1/home" setpriv --reuid=65534 --regid=65534 --clear-groups \
	/run/bin/kahu submit -- true >down.out 2>down.err
test -d $roots
TEXT
: >none.conf
chmod 755 "$work"
check_status "root's scheduler and a second one run" 0 unshare -m sh inside.sh "$work"
check_contains "the second one warns of root's" "the scheduler at /run/kahu runs jobs on the same processors of this host" "$(cat own.err)"
check_contains "it serves" "kahu serves" "$(cat own.out)"
check_contains "a user is told that root's scheduler is down" "the system scheduler, whose store is /var/lib/kahu, is not running" "$(cat down.err)"
check_equal "the user is not told to start one" "" "$(grep serve down.err)"
