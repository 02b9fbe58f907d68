#!/bin/sh
# SPDX-License-Identifier: MIT
#
# demo.sh - does a demo begin the same from the same seed, and go on where it was stopped?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

one=$("$KAHU" demo -b --seed 3)
check_equal "the same seed gives the same queue" "$one" "$("$KAHU" demo -b --seed 3)"
check_true "another seed gives another" test "$one" != "$("$KAHU" demo -b --seed 4)"
check_contains "two jobs are held from the start" "SystemHold" "$one"
check_contains "--nodes is the size of the machine" "of 128 Processors" "$("$KAHU" demo -b --nodes 16)"
check_contains "--linear is plain text too" "ACTIVE JOBS" "$("$KAHU" demo --linear)"
check_true "a demo without --store leaves nothing behind" test -z "$(find . -name '*.mdb' -print)"
check_status "a wrong option is wrong usage" 2 "$KAHU" demo --nodes 0
check_status "a wrong configuration is refused" 1 "$KAHU" demo -b --config "$work/none.conf"

cat >advance <<'TEXT'
size 100x30
advance 2h
wait-idle
TEXT
check_status "a demo is kept" 0 "$KAHU" demo --store st --seed 3 --script advance
check_status "its store can be looked at" 0 "$KAHU" queue --store st --json
check_contains "two hours later" '"now":17679' "$out"
later=$("$KAHU" journal --store st -n 1 | awk 'END { print $1 }')
check_status "it goes on" 0 "$KAHU" demo --store st --script advance
check_equal "the journal has no gap" "" "$("$KAHU" journal --store st --from 1 | awk 'NR > 1 && $1 != NR - 1')"
check_true "and more entries than before" \
	test "$("$KAHU" journal --store st -n 1 | awk 'END { print $1 }')" -gt "$later"
check_status "without a verb it goes on too" 0 "$KAHU" --store st --script advance
check_status "the same seed may be said again" 0 "$KAHU" demo -b --store st --seed 3
check_status "another seed is refused" 1 "$KAHU" demo -b --store st --seed 4
check_contains "and the sentence names the one it has" "--seed 3" "$err"
check_status "another size is refused" 1 "$KAHU" demo -b --store st --nodes 10

# In one go it is the same as in three.
cat >all <<'TEXT'
size 100x30
advance 2h
advance 2h
advance 2h
wait-idle
TEXT
"$KAHU" demo --store whole --seed 3 --script all
decided() { "$KAHU" journal --store "$1" --from 1 | awk '$4 == "start" || $4 == "end" { print $2, $4, $5 }'; }
# A store that is opened again stands at its last event, so each part may end a little earlier.
decided st >in_parts
decided whole | head -n "$(awk 'END { print NR }' in_parts)" >in_one
check_true "much has been decided" test "$(awk 'END { print NR }' in_parts)" -gt 1000
check_same_files "stopped twice or never, it decides the same" in_one in_parts

# A scheduler that runs holds the store; its script is a pipe, so it waits until that is closed.
mkfifo pipe
"$KAHU" demo --store st --script pipe >/dev/null 2>&1 &
holder=$!
exec 3>pipe
check_status "while one runs a change is refused" 1 "$KAHU" tune xfactorweight 7 --store st
check_contains "and its process is named" "$holder" "$err"
check_status "a second one is refused" 1 "$KAHU" demo -b --store st
check_status "a report is not" 0 "$KAHU" queue --store st
check_status "nor is a dry run" 0 "$KAHU" tune xfactorweight 7 --store st --dry-run
exec 3>&-
wait $holder
check_status "when it has ended the change is made" 0 "$KAHU" tune xfactorweight 7 --store st

"$KAHU" demo --store killed --seed 3 --script pipe >/dev/null 2>&1 &
holder=$!
exec 3>pipe
kill -9 $holder
exec 3>&-
wait $holder 2>/dev/null
check_status "after kill -9 the store is read" 0 "$KAHU" queue --store killed
check_equal "its journal has no gap" "" "$("$KAHU" journal --store killed --from 1 | awk 'NR > 1 && $1 != NR - 1')"
check_status "and the demo goes on" 0 "$KAHU" demo --store killed --script advance
