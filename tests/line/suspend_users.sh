#!/bin/sh
# SPDX-License-Identifier: MIT
#
# suspend_users.sh - limits of suspensions by users
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

room_for 2
printf 'ownersuspend = keep\nsuspendmax = "0:50:00"\n' >>kahu.conf
serve_users "suspensions of users"

check_equal "a user submits a job" 1 "$(theirs submit -o /dev/null -e /dev/null -- sleep 4817)"
runs() { theirs queue | grep -q "^ *1 .*Running"; }
check_true "it runs" wait_until 20 runs
check_status "its user suspends it for longer than suspendmax" 0 theirs suspend 1 --for 3h
check_contains "the answer has the shortened time" "suspend 1 for 0:50:00  [" "$out"
check_contains "the journal has the shortened time" "suspend 1 for 0:50:00" "$("$KAHU" --store "$work/st" journal)"
check_status "the user resumes it" 0 theirs resume 1
check_status "the user suspends it without an end" 0 theirs --json suspend 1
check_true "the suspension has an end" expr "$out" : '.*suspend 1 for 0:[45][0-9]:[0-9][0-9]"'
check_status "the user resumes it again" 0 theirs resume 1
check_status "the user suspends it for a shorter time" 0 theirs suspend 1 --for 20m
check_contains "that time is not changed" "suspend 1 for 0:20:00  [" "$out"
check_status "root resumes it" 0 "$KAHU" --store "$work/st" resume 1
check_status "root suspends it for longer than suspendmax" 0 "$KAHU" --store "$work/st" suspend 1 --for 3h
check_contains "suspendmax does not apply to root" "suspend 1 for 3:00:00  [" "$out"
check_status "the job is cancelled" 0 "$KAHU" --store "$work/st" cancel 1

# If a job could be suspended again within a second, it could run without ever being charged.
check_status "ownersuspend = release is set" 0 "$KAHU" --store "$work/st" tune ownersuspend release
check_equal "the user submits another job" 2 "$(theirs submit -o /dev/null -e /dev/null -- sleep 4818)"
runs_now() { theirs queue | grep -q "^ *2 .*Running"; }
check_true "it runs" wait_until 20 runs_now
check_status "its user cannot suspend it in its first seconds" 1 theirs suspend 2
check_contains "the message has the reason" "job 2 has been running for less than 10 s; suspend it later" "$err"
check_status "root can suspend it" 0 "$KAHU" --store "$work/st" suspend 2
check_status "root can resume it" 0 "$KAHU" --store "$work/st" resume 2

# Until the suspension ends other jobs of any length use its processors.
suspends() { theirs suspend 2 >/dev/null 2>&1; }
check_true "its user can suspend it later" wait_until 20 suspends
check_contains "why says that it waits for free processors" "as soon as its processors are free" "$(theirs why 2)"
check_equal "root submits a long job" 3 "$("$KAHU" --store "$work/st" submit -l "procs=$(nproc),walltime=10:00:00" -o /dev/null \
	-e /dev/null -- sleep 4819)"
runs_3() { theirs queue | grep -q "^ *3 .*Running"; }
check_true "it starts at once" wait_until 20 runs_3
check_status "both jobs are cancelled" 0 "$KAHU" --store "$work/st" cancel 2 3
