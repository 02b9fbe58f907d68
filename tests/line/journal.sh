#!/bin/sh
# SPDX-License-Identifier: MIT
#
# journal.sh - the journal shows the effect of an entry, the effect of its undo, and its consequences
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

export KAHU_STORE="$work/st"
last() { "$KAHU" journal -n 1 --json | sed 's/.*"seq":\([0-9]*\).*/\1/'; }

cat >begin <<'EOS'
advance 1h
EOS
check_status 'a demo runs in a store' 0 "$KAHU" demo --store "$KAHU_STORE" --nodes 8 --seed 9 --script begin
check_status 'a weight is changed' 0 "$KAHU" tune xfactorweight 5000
first=$(last)
cat >on <<'EOS'
advance 4h
EOS
check_status 'the demo continues' 0 "$KAHU" demo --store "$KAHU_STORE" --script on

check_status 'an entry is printed' 0 "$KAHU" journal "$first"
check_contains 'it has the immediate effect' '  at once       order' "$out"
check_contains 'it has the effect of an undo now' '  undo now      xfactorweight: ' "$out"
before=$(cksum <"$KAHU_STORE/data.mdb")
check_status '--because succeeds' 0 "$KAHU" journal "$first" --because
check_contains 'it prints the consequences' '  consequences  ' "$out"
check_contains 'it prints the utilization' ', utilization ' "$out"
check_status '--because --json succeeds' 0 "$KAHU" journal "$first" --because --json
for key in '"seq":'"$first" '"effect":{"text":"order' '"queue_before":"' '"undo_now":"xfactorweight: ' \
	'"because":{"until":' '"utilization_without":' '"jobs":['; do
	check_contains "the JSON has $key" "$key" "$out"
done
check_equal 'the store is not changed' "$before" "$(cksum <"$KAHU_STORE/data.mdb")"
started=$("$KAHU" journal --json -n 1000 | tr '{' '\n' | sed -n 's/^"seq":\([0-9]*\),.*"kind":"start".*/\1/p' | head -n 1)
check_status '--because of a decision of the scheduler is refused' 1 "$KAHU" journal "$started" --because
check_contains 'the refusal has the reason' "cannot be left out; name an entry made by a person or a node" "$err"
check_contains 'the entry itself is printed' "$started  " "$out"
check_status 'a decision can be printed without --because' 0 "$KAHU" journal "$started"
check_contains 'it is printed as in the list' ' sched: start ' "$out"
check_equal 'it has no effects' 1 "$(printf '%s\n' "$out" | wc -l | tr -d ' ')"
check_status 'an entry that does not exist is refused' 1 "$KAHU" journal 999999
check_contains 'the refusal names the first and last entry' 'the journal has no entry 999999: it has the entries 1 to ' "$err"
check_status 'a word is wrong usage' 2 "$KAHU" journal x
check_status '--because without an entry is wrong usage' 2 "$KAHU" journal --because
check_status 'an entry and -n are wrong usage' 2 "$KAHU" journal "$first" -n 3
