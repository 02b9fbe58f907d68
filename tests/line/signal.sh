#!/bin/sh
# SPDX-License-Identifier: MIT
#
# signal.sh - signals are sent to the selected jobs and to no others
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

room_for 2
serve

cat >listen.sh <<'TEXT'
trap 'echo usr1' USR1
trap 'echo term; exit 5' TERM
echo begun
while :; do sleep 0.05; done
TEXT
check_status "a job that handles signals is submitted" 0 "$KAHU" submit -o a listen.sh
check_status "another one is submitted" 0 "$KAHU" submit -o b listen.sh
check_true "the first one runs" wait_until 20 has begun a
check_true "the second one runs" wait_until 20 has begun b

check_status "signal accepts a name" 0 "$KAHU" signal USR1 1
check_contains "the journal has the signal" "signal USR1 to 1" "$("$KAHU" journal --from 1)"
check_true "the job gets it" wait_until 10 has usr1 a
check_equal "the other job does not" begun "$(cat b)"
check_status "signal accepts a name with SIG in lower case" 0 "$KAHU" signal sigusr1 1
check_status "signal accepts a number and a selection" 0 "$KAHU" signal 15 -w "state=running job=2"
check_true "the selected job ends with its own status" wait_until 10 sh -c '"$KAHU" journal --from 1 | grep -q "end 2, status 5"'

check_status "an unknown signal is wrong usage" 2 "$KAHU" signal HELLO 1
check_equal "the message has the valid signals" "kahu: unknown signal 'HELLO'; give a name such as USR1, or a number from 1 to 64" "$err"
check_status "signal 0 is wrong usage" 2 "$KAHU" signal 0 1
check_status "signal 65 is wrong usage" 2 "$KAHU" signal 65 1
check_status "an unknown job is refused" 1 "$KAHU" signal TERM 99
check_status "a held job is submitted" 0 "$KAHU" submit -h -- true
check_status "a signal to an idle job is refused" 1 "$KAHU" signal TERM 3
check_contains "the message has the reason" "job 3 is Idle; a signal does not apply" "$err"
check_status "a call without a job is wrong usage" 2 "$KAHU" signal TERM
check_status "--dry-run succeeds" 0 "$KAHU" signal KILL 1 --dry-run
check_contains "it prints the effect" "would signal KILL to 1" "$out"
check_status "KILL is sent" 0 "$KAHU" signal KILL 1
check_true "the status of the job is that of SIGKILL" wait_until 10 sh -c '"$KAHU" journal --from 1 | grep -q "end 1, status 265"'
