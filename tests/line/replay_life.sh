#!/bin/sh
# SPDX-License-Identifier: MIT
#
# replay_life.sh - a replay of the journal of real jobs reproduces all starts
#
# This host runs jobs that are suspended, requeued, started by hand, held and cancelled while the scheduler
# is paused and resumed; nothing is simulated.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

serve
printf 'echo begun\nwhile :; do sleep 0.05; done\n' >long.sh
printf 'true\n' >short.sh

state_is() { "$KAHU" job "$1" --json | grep -q "\"state\":\"$2\""; } # JOB STATE
has_ended() { "$KAHU" journal --from 1 | grep -q "end $1,"; }        # JOB
check_succeeds() { check_status "$1" 0 "$KAHU" "$@"; }                      # WORD...

check_succeeds submit -o long long.sh
check_true "the first job runs" wait_until 20 has begun long
check_succeeds suspend 1
check_succeeds resume 1
check_succeeds sched pause
check_succeeds requeue 1
check_true "it is idle after the requeue" wait_until 20 state_is 1 Idle
check_succeeds submit short.sh
check_succeeds submit short.sh
check_succeeds hold 3
check_succeeds start 2
check_true "the job that was started by hand ends" wait_until 20 has_ended 2
check_succeeds tune xfactorweight=5 --for 30m
host=$("$KAHU" node --json | sed -n 's/.*"node":"\([^"]*\)".*/\1/p' | head -n 1)
check_succeeds node drain "$host"
check_succeeds sched resume
check_succeeds release 3
check_succeeds undo
check_succeeds release 3
check_succeeds node undrain "$host"
check_true "the first job runs again" wait_until 20 state_is 1 Running
check_succeeds cancel 1
check_true "it ends" wait_until 20 has_ended 1
check_true "the third job ends" wait_until 20 has_ended 3

check_status "a replay of the journal succeeds" 0 "$KAHU" replay --since 1d --json
check_contains "all jobs start in the same order, at the same second" '"same":{"jobs":3,"in_order":3,"share":1,"same_start":3,' "$out"
check_contains "no action is refused" '"refused":0' "$out"
check_contains "one job was cancelled" '"taken_away":1' "$out"
check_status "the replay prints text" 0 "$KAHU" replay --since 1d
check_contains "it has the share of equal starts" "3 of 3 jobs start in the recorded order (100.00 %)" "$out"
