#!/bin/sh
# SPDX-License-Identifier: MIT
#
# service.sh - the scheduler as a service: log lines, metrics, sd_notify and units
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

export KAHU_STORE="$work/st"
cat >kahu.conf <<TEXT
metricsfile = "$work/kahu.prom"
metricsinterval = 1s
TEXT
server=
at_exit 'kill -9 $server 2>/dev/null'

"$KAHU" --config kahu.conf serve >serve.out 2>serve.err &
server=$!
wait_until 10 test -s serve.out || fail "the scheduler starts" "$(cat serve.err)"
check_status "a job is submitted" 0 "$KAHU" submit -N one -o /dev/null -e /dev/null -- sh -c 'exit 3'
logged() { grep -q "$1" serve.err; }
check_true "its submission is logged" wait_until 10 logged "^submit job=1 user=$(id -un) procs=1"
check_true "its start is logged" wait_until 10 logged "^start job=1 user=$(id -un) procs=1 waited_s=[0-9]"
check_true "its end is logged" wait_until 10 logged "^end job=1 user=$(id -un) outcome=failed status=3 ran_s=[0-9]"
has_figure() { grep -q "^$1" kahu.prom 2>/dev/null; }
check_true "the metrics file has the ended job" wait_until 10 has_figure 'kahu_jobs_ended_total{outcome="failed"} 1'
check_true "the metrics file has the submitted job" has_figure 'kahu_jobs_submitted_total 1'
check_equal "all users can read it" 644 "$(stat -c %a kahu.prom)"
check_equal "each metric is declared once" "" "$(grep '^# TYPE' kahu.prom | sort | uniq -d)"
ln kahu.prom before # so that no other file gets its inode number
check_status "another job is submitted" 0 "$KAHU" submit -o /dev/null -e /dev/null -- true
check_true "the metrics file is updated" wait_until 10 has_figure 'kahu_jobs_ended_total{outcome="done"} 1'
check_true "it is replaced by a new file" test "$(stat -c %i before)" != "$(stat -c %i kahu.prom)"
is_alone() { [ -z "$(find . -name 'kahu.prom.*')" ]; }
check_true "no temporary file is left" wait_until 10 is_alone
if [ "$(id -u)" -eq 0 ]; then
	check_status "allowroot = false is set" 0 "$KAHU" tune allowroot false
	check_status "a job of root is refused" 1 "$KAHU" submit -- true
	check_contains "the message names the option" "allowroot" "$err"
else
	skip "allowroot = false is set" "only root has such"
fi
kill "$server" && wait "$server"

# A service manager that receives the notifications of the scheduler.
mkfifo open
"$KAHU_BUILD/tests/line/hear_notify" "$work/notify" <open >heard &
listener=$!
exec 9>open
at_exit "exec 9>&-; kill $listener 2>/dev/null"
wait_until 10 test -S notify || fail "the listener listens"
export KAHU_STORE="$work/watched"
NOTIFY_SOCKET="$work/notify" WATCHDOG_USEC=40000 "$KAHU" --config kahu.conf serve >watched.out 2>&1 &
server=$!
heard() { grep -q "^$1" heard; }
turns() { [ "$(grep -c '^WATCHDOG=1$' heard)" -ge "$1" ]; }
check_true "READY is sent" wait_until 10 heard 'READY=1$'
check_true "WATCHDOG is sent repeatedly" wait_until 10 turns 3
check_status "a job is submitted to the watched scheduler" 0 \
	"$KAHU" submit -o /dev/null -e /dev/null -- sh -c 'echo "$WATCHDOG_USEC$NOTIFY_SOCKET" >inherited'
check_true "a job is run" wait_until 10 test -e inherited
check_equal "it does not inherit the variables of the service manager" "" "$(cat inherited)"
kill -HUP "$server"
check_true "RELOADING is sent with its time" wait_until 10 heard 'RELOADING=1 MONOTONIC_USEC=[0-9][0-9]*$'
is_ready_again() { [ "$(grep -c '^READY=1$' heard)" -eq 2 ]; }
check_true "READY is sent after the reload" wait_until 10 is_ready_again
kill "$server" && wait "$server"
check_equal "STOPPING is the last notification" STOPPING=1 "$(grep -v WATCHDOG heard | tail -n 1)"

unit_dir="$KAHU_SOURCE/sched/host/units"
for unit in kahu.service kahu-failed.service; do
	sed 's,@bindir@,/bin,; s,/bin/kahu ,/bin/true ,' "$unit_dir/$unit.in" >"$unit"
done
if command -v systemd-analyze >/dev/null; then
	check_equal "systemd-analyze gives no warning about the units" "" \
		"$(SYSTEMD_UNIT_PATH="$work:" systemd-analyze verify --man=no "$work/kahu.service" \
			"$work/kahu-failed.service" 2>&1 | grep kahu |
			grep -v 'Unknown key.*\(DelegateSubgroup\|RestartSteps\|RestartMaxDelaySec\)')"
else
	skip "systemd-analyze gives no warning about the units" "no systemd-analyze here"
fi
for words in Type=notify KillMode=process Delegate=yes OOMPolicy=continue Restart=on-failure WatchdogSec= \
	StartLimitIntervalSec=0 'start kahu-failed.service'; do
	check_contains "the unit has $words" "$words" "$(cat kahu.service)"
done
# Jobs inherit the sandbox of the unit. These settings would restrict them: see SERVICE in kahu-jobs(7).
check_equal "the unit has no setting that would restrict jobs" "" "$(grep -E \
	'^(Protect|Private|Restrict(SUID|Realtime|Address|Namespaces|File)|NoNewPriv|SystemCall|ReadOnly|Inaccessible|Device|Memory|CPU|Tasks[A-Z]*=[0-9])' \
	kahu.service)"
