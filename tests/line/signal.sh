#!/bin/sh
# SPDX-License-Identifier: MIT
#
# signal.sh - does a job get the signals that are meant for it, and no other job?
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
check_status "one that listens" 0 "$KAHU" submit -o a listen.sh
check_status "and another" 0 "$KAHU" submit -o b listen.sh
check_true "both" wait_until 20 has begun a
check_true "run" wait_until 20 has begun b

check_status "a signal has a name" 0 "$KAHU" signal USR1 1
check_contains "that the journal has too" "signal USR1 to 1" "$("$KAHU" journal --from 1)"
check_true "the job gets it" wait_until 10 has usr1 a
check_equal "and only that one" begun "$(cat b)"
check_status "names are read as people write them" 0 "$KAHU" signal sigusr1 1
check_status "numbers too, for all that match" 0 "$KAHU" signal 15 -w "state=running job=2"
check_true "it ends as it likes" wait_until 10 sh -c '"$KAHU" journal --from 1 | grep -q "end 2, status 5"'

check_status "what is no signal is refused" 2 "$KAHU" signal HELLO 1
check_equal "with what there is" "kahu: unknown signal 'HELLO'; give a name such as USR1, or a number from 1 to 64" "$err"
check_status "as is 0" 2 "$KAHU" signal 0 1
check_status "and 65" 2 "$KAHU" signal 65 1
check_status "a job that is not there" 1 "$KAHU" signal TERM 99
check_status "one that waits" 0 "$KAHU" submit -h -- true
check_status "gets none" 1 "$KAHU" signal TERM 3
check_contains "and it is said why" "job 3 is Idle; a signal does not apply" "$err"
check_status "nobody is told without being named" 2 "$KAHU" signal TERM
check_status "an effect can be looked at" 0 "$KAHU" signal KILL 1 --dry-run
check_contains "first" "would signal KILL to 1" "$out"
check_status "KILL ends it" 0 "$KAHU" signal KILL 1
check_true "as one that was killed" wait_until 10 sh -c '"$KAHU" journal --from 1 | grep -q "end 1, status 265"'
