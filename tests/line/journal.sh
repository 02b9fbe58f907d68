#!/bin/sh
# SPDX-License-Identifier: MIT
#
# journal.sh - does the journal say of one entry what it did, what undoing it would do, and what came of it?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

export KAHU_STORE="$work/st"
last() { "$KAHU" journal -n 1 --json | sed 's/.*"seq":\([0-9]*\).*/\1/'; }

cat >begin <<'EOS'
advance 1h
EOS
check_status 'a cluster to work on' 0 "$KAHU" demo --store "$KAHU_STORE" --nodes 8 --seed 9 --script begin
check_status 'a weight is changed' 0 "$KAHU" tune xfactorweight 5000
first=$(last)
cat >on <<'EOS'
advance 4h
EOS
check_status 'the cluster goes on' 0 "$KAHU" demo --store "$KAHU_STORE" --script on

check_status 'an entry is asked for' 0 "$KAHU" journal "$first"
check_contains 'it says what it did at once' '  at once       order' "$out"
check_contains 'what undoing it would do' '  undo now      xfactorweight: ' "$out"
before=$(cksum <"$KAHU_STORE/data.mdb")
check_status 'and what has happened because of it' 0 "$KAHU" journal "$first" --because
check_contains 'in a sentence' '  because of it  ' "$out"
check_contains 'with the utilization' ', utilization ' "$out"
check_status 'for scripts' 0 "$KAHU" journal "$first" --because --json
for key in '"seq":'"$first" '"effect":{"text":"order' '"queue_before":"' '"undo_now":"xfactorweight: ' \
	'"because":{"until":' '"utilization_without":' '"jobs":['; do
	check_contains "it has $key" "$key" "$out"
done
check_equal 'which changes nothing' "$before" "$(cksum <"$KAHU_STORE/data.mdb")"
started=$("$KAHU" journal --json -n 1000 | tr '{' '\n' | sed -n 's/^"seq":\([0-9]*\),.*"kind":"start".*/\1/p' | head -n 1)
check_status 'what the scheduler decided follows from others' 1 "$KAHU" journal "$started" --because
check_contains 'and it says so' "cannot be left out; name an entry made by a person or a node" "$err"
check_contains 'below its line' "$started  " "$out"
check_status 'which is there alone, too' 0 "$KAHU" journal "$started"
check_contains 'as nothing else is to be said of it' ' sched: start ' "$out"
check_equal 'in one line' 1 "$(printf '%s\n' "$out" | wc -l | tr -d ' ')"
check_status 'an entry that is not there' 1 "$KAHU" journal 999999
check_contains 'is named' 'the journal has no entry 999999: it goes from 1 to ' "$err"
check_status 'a word is no entry' 2 "$KAHU" journal x
check_status 'because needs an entry' 2 "$KAHU" journal --because
check_status 'one or several' 2 "$KAHU" journal "$first" -n 3
