#!/bin/sh
# SPDX-License-Identifier: MIT
#
# pruned.sh - verbs that need past entries, with a journal whose beginning is pruned
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

export KAHU_STORE="$work/st"
echo 'advance 10m' >begin
echo 'advance 60h' >long
check_status 'a demo runs in a store' 0 "$KAHU" demo --store st --nodes 8 --seed 9 --script begin
"$KAHU" tune xfactorweight 5 >/dev/null
check_status 'the demo continues, so that the journal is long' 0 "$KAHU" demo --store st --nodes 8 --seed 9 --script long
tuned=$("$KAHU" journal --from 1 | awk '/xfactorweight/ { print $1; exit }')
early=$("$KAHU" journal --from 2 -n 1 --json | sed 's/.*"time":\([0-9]*\).*/\1/')
early=$(date -d "@$early" +%Y-%m-%dT%H:%M:%S)
left=$("$KAHU_BUILD/tests/line/prune_store" st)
first=${left% *} last=${left#* }
check_true "the beginning of the journal is pruned: $first to $last are left" [ "$first" -gt "$tuned" ]
begins="is before the journal begins (entry $first, "

check_equal 'the journal begins with the first entry that is left' "$first" "$("$KAHU" journal --from 1 --json | sed 's/.*"entries":\[{"seq":\([0-9]*\).*/\1/;q')"
check_status 'the store is intact' 0 "$KAHU" verify
check_contains 'verify prints where the journal begins' "which begins with entry $first" "$out"

check_status 'a report of a pruned entry is refused' 1 "$KAHU" queue --at 2
check_contains 'the message has the entry and the time at which the journal begins' "entry 2 $begins" "$err"
check_status 'a report of a pruned time is refused' 1 "$KAHU" queue --at "$early"
check_contains 'the message has the beginning of the journal' "$begins" "$err"
check_status 'a report of the first remaining entry works' 0 "$KAHU" queue --at "$first"
check_status 'a pruned entry cannot be shown' 1 "$KAHU" journal 2
check_contains 'the message has the beginning of the journal' "entry 2 $begins" "$err"
check_status '--because of a pruned entry is refused' 1 "$KAHU" journal 2 --because
check_contains 'the message has the beginning of the journal' "entry 2 $begins" "$err"
check_status 'a replay since a pruned time is refused' 1 "$KAHU" replay --since "$early"
check_contains 'the message has the beginning of the journal' "is before the journal of" "$err"
check_status 'a replay of the remaining journal works' 0 "$KAHU" replay --since "$("$KAHU" journal --from "$first" -n 1 --json | sed 's/.*"time":\([0-9]*\).*/@\1/' | xargs -I{} date -d {} +%Y-%m-%dT%H:%M:%S)"
check_status 'stats --estimates works for the remaining journal' 0 "$KAHU" stats --estimates

check_status 'a pruned entry without a change in force cannot be undone' 1 "$KAHU" undo 1
check_contains 'the message has the beginning of the journal' "entry 1 $begins" "$err"
check_status 'undo --to a pruned entry is refused' 1 "$KAHU" undo --to 2
check_contains 'the message has the beginning of the journal' "entry 2 $begins" "$err"
check_status 'undo --to a pruned time is refused' 1 "$KAHU" undo --to "$early"
check_contains 'the message has the beginning of the journal' "$begins" "$err"
check_status 'a change in force can be undone although its entry is pruned' 0 "$KAHU" undo "$tuned"
check_contains 'the change is undone' 'xfactorweight: 5 -> ' "$out"
check_status 'the store is intact' 0 "$KAHU" verify
