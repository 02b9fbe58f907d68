#!/bin/sh
# SPDX-License-Identifier: MIT
#
# reload.sh - is the scheduler told to read its configuration, to pause and to end, and what happened before?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

chmod 711 "$work"
export KAHU_RUN="$work/run" KAHU_CONF="$work/kahu.conf"
echo 'queuetimeweight = 1' >kahu.conf
serve
says() { "$KAHU" config | grep -qi "queuetimeweight.*$1"; }
check_true "the configuration was read" says 1

# A new one counts, a wrong one does not, and changes nothing.
echo 'queuetimeweight = 7' >kahu.conf
check_status "it is read again" 0 "$KAHU" reload
check_true "and counts" says 7
echo 'queuetimeweight = many' >kahu.conf
check_status "a wrong one is refused" 1 "$KAHU" reload
check_contains "with its line and value" 'kahu.conf:1' "$err"
check_true "and the old one stays" says 7
echo 'queuetimeweight = 9' >kahu.conf
kill -HUP "$server"
check_true "HUP reads it as well" wait_until 10 says 9

# A pause: what runs goes on, nothing starts.
check_status "paused" 0 "$KAHU" sched pause
"$KAHU" submit -N later -o /dev/null -e /dev/null -- true >/dev/null
check_contains "a job says so" "the scheduler is paused" "$("$KAHU" why 1)"
check_contains "and so does the scheduler" "scheduler paused" "$("$KAHU" sched)"
check_status "one pass" 0 "$KAHU" sched step
ended() { "$KAHU" history | grep -q " later .*Completed"; }
check_true "starts it" wait_until 20 ended
check_contains "and it is paused again" "scheduler paused" "$("$KAHU" sched)"
check_status "it goes on" 0 "$KAHU" sched resume
check_status "a word that is none is wrong usage" 2 "$KAHU" sched halt

# The store is its owner's; others ask the scheduler.
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null && setpriv --reuid=65534 test -x "$KAHU"; then
	as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$KAHU" "$@"; }
	check_contains "nobody sees what has ended" "later" "$(as_nobody history --all)"
	check_contains "and who did what" "the scheduler is paused" "$(as_nobody journal)"
	check_equal "entry by entry" "$("$KAHU" journal --from 1)" "$(as_nobody journal --from 1)"
	check_status "but does not have it read its configuration" 1 as_nobody reload
	check_status "nor end it" 1 as_nobody sched stop
	check_contains "since that is for administrators" "administrator of level 1" "$err"
else
	skip "nobody sees what has ended" "only root can be somebody else"
fi

check_status "it is told to end" 0 "$KAHU" sched stop
check_true "and does" wait_until 10 sh -c "! kill -0 $server 2>/dev/null"
check_status "then there is nobody to tell" 1 "$KAHU" sched stop
