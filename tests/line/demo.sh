#!/bin/sh
# SPDX-License-Identifier: MIT
#
# demo.sh - a demo is determined by its seed, and continues where it was stopped
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

one=$("$KAHU" demo -b --seed 3)
check_equal "the same seed gives the same queue" "$one" "$("$KAHU" demo -b --seed 3)"
check_true "another seed gives another queue" test "$one" != "$("$KAHU" demo -b --seed 4)"
check_contains "a job is held from the start" "SystemHold" "$one"
check_contains "--nodes sets the size of the cluster" "of 128 Processors" "$("$KAHU" demo -b --nodes 16)"
check_contains "--linear prints plain text" "ACTIVE JOBS" "$("$KAHU" demo --linear)"
check_true "a demo without --store creates no store" test -z "$(find . -name '*.mdb' -print)"
check_status "an invalid value of --nodes is wrong usage" 2 "$KAHU" demo --nodes 0
check_contains "the message names the values allowed" "--nodes takes a whole number from 1 to 10000, got '0'" "$err"
check_status "a missing configuration is refused" 1 "$KAHU" demo -b --config "$work/none.conf"
check_contains "the refusal names the file" "cannot read $work/none.conf: No such file or directory" "$err"

cat >advance <<'TEXT'
size 100x30
advance 2h
wait-idle
TEXT
check_status "a demo runs in a store" 0 "$KAHU" demo --store st --seed 3 --script advance
check_status "its store can be read" 0 "$KAHU" queue --store st --json
check_contains "the time in the store is two hours later" '"now":17679' "$out"
later=$("$KAHU" journal --store st -n 1 | awk 'END { print $1 }')
check_status "the demo continues" 0 "$KAHU" demo --store st --script advance
check_equal "the journal has no gap" "" "$("$KAHU" journal --store st --from 1 | awk 'NR > 1 && $1 != NR - 1')"
check_true "the journal has new entries" \
	test "$("$KAHU" journal --store st -n 1 | awk 'END { print $1 }')" -gt "$later"
check_status "kahu without a verb continues the demo" 0 "$KAHU" --store st --script advance
check_status "the seed of the store is accepted" 0 "$KAHU" demo -b --store st --seed 3
check_status "another seed is refused" 1 "$KAHU" demo -b --store st --seed 4
check_contains "the refusal names the seed of the store" "--seed 3" "$err"
check_status "another number of nodes is refused" 1 "$KAHU" demo -b --store st --nodes 10
check_contains "the refusal names the nodes of the store" "contains a demo created with --nodes" "$err"

# The same duration in one run gives the same decisions as in three.
cat >all <<'TEXT'
size 100x30
advance 2h
advance 2h
advance 2h
wait-idle
TEXT
"$KAHU" demo --store whole --seed 3 --script all
decided() { "$KAHU" journal --store "$1" --from 1 | awk '$4 == "start" || $4 == "end" { print $2, $4, $5 }'; }
# The time of a reopened store is that of its last event, so each part may end a little earlier.
decided st >in_parts
decided whole | head -n "$(awk 'END { print NR }' in_parts)" >in_one
check_true "there are more than 1000 decisions" test "$(awk 'END { print NR }' in_parts)" -gt 1000
check_same_files "a demo in three parts decides as one without interruption" in_one in_parts

# A running demo holds the store; its script is a FIFO, so it runs until the FIFO is closed.
mkfifo pipe
"$KAHU" demo --store st --script pipe >/dev/null 2>&1 &
holder=$!
exec 3>pipe
check_status "a change of a store in use is refused" 1 "$KAHU" tune xfactorweight 7 --store st
check_contains "the refusal names the process" "$holder" "$err"
check_status "a second demo of a store in use is refused" 1 "$KAHU" demo -b --store st
check_contains "the refusal names the process" "$holder" "$err"
check_status "a report of a store in use works" 0 "$KAHU" queue --store st
check_status "a dry run on a store in use works" 0 "$KAHU" tune xfactorweight 7 --store st --dry-run
exec 3>&-
wait $holder
check_status "a change works when the demo has ended" 0 "$KAHU" tune xfactorweight 7 --store st

"$KAHU" demo --store killed --seed 3 --script pipe >/dev/null 2>&1 &
holder=$!
exec 3>pipe
kill -9 $holder
exec 3>&-
wait $holder 2>/dev/null
check_status "a store can be read after kill -9" 0 "$KAHU" queue --store killed
check_equal "its journal has no gap" "" "$("$KAHU" journal --store killed --from 1 | awk 'NR > 1 && $1 != NR - 1')"
check_status "the demo continues after kill -9" 0 "$KAHU" demo --store killed --script advance
