#!/bin/sh
# SPDX-License-Identifier: MIT
#
# reload.sh - reload, pause, step and stop of the scheduler, and reports to other users
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

chmod 711 "$work"
export KAHU_RUN="$work/run" KAHU_CONF="$work/kahu.conf"
echo 'queuetimeweight = 1' >kahu.conf
serve
says() { "$KAHU" config | grep -qi "queuetimeweight.*$1"; }
check_true "the configuration is in force" says 1

# A new configuration is applied; an invalid one is refused and changes nothing.
echo 'queuetimeweight = 7' >kahu.conf
check_status "reload succeeds" 0 "$KAHU" reload
check_true "the new configuration is in force" says 7
echo 'queuetimeweight = many' >kahu.conf
check_status "an invalid configuration is refused" 1 "$KAHU" reload
check_contains "the message has the file and line" 'kahu.conf:1' "$err"
check_true "the old configuration stays in force" says 7
echo 'queuetimeweight = 9' >kahu.conf
kill -HUP "$server"
check_true "SIGHUP reloads the configuration" wait_until 10 says 9

# While the scheduler is paused, running jobs continue and no job starts.
check_status "sched pause succeeds" 0 "$KAHU" sched pause
"$KAHU" submit -N later -o /dev/null -e /dev/null -- true >/dev/null
check_contains "why names the pause" "the scheduler is paused" "$("$KAHU" why 1)"
check_contains "sched prints the pause" "scheduler paused" "$("$KAHU" sched)"
check_status "sched step succeeds" 0 "$KAHU" sched step
ended() { "$KAHU" history | grep -q " later .*Completed"; }
check_true "the job starts" wait_until 20 ended
check_contains "the scheduler is paused again" "scheduler paused" "$("$KAHU" sched)"
check_status "sched resume succeeds" 0 "$KAHU" sched resume
check_status "an unknown command is wrong usage" 2 "$KAHU" sched halt

# Other users cannot read the store; the scheduler answers them.
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null && setpriv --reuid=65534 test -x "$KAHU"; then
	as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$KAHU" "$@"; }
	check_contains "another user can see the ended jobs" "later" "$(as_nobody history --all)"
	check_contains "another user can see the journal" "the scheduler is paused" "$(as_nobody journal)"
	journal=$("$KAHU" journal --from 1) # entries may follow, such as one about outside load
	check_equal "the journal is complete" "$journal" \
		"$(as_nobody journal --from 1 | head -n "$(printf '%s\n' "$journal" | wc -l)")"
	check_status "another user cannot reload the configuration" 1 as_nobody reload
	check_status "another user cannot stop the scheduler" 1 as_nobody sched stop
	check_contains "the refusal names the required level" "administrator of level 1" "$err"
else
	skip "another user can see the ended jobs" "only root can be somebody else"
fi

check_status "sched stop succeeds" 0 "$KAHU" sched stop
check_true "the process ends" wait_until 10 sh -c "! kill -0 $server 2>/dev/null"
check_status "a second sched stop fails" 1 "$KAHU" sched stop
