#!/bin/sh
# SPDX-License-Identifier: MIT
#
# undo.sh - does undo say first what it cannot do, and do the rest only when told to?

. "${KAHU_SOURCE:?}/tests/lib.sh"

export KAHU_STORE="$work/st"
cat >begin <<'EOS'
advance 10m
EOS
check_status 'a cluster to work on' 0 "$KAHU" demo --store st --nodes 8 --seed 9 --script begin

last() { "$KAHU" journal -n 1 --json | sed 's/.*"seq":\([0-9]*\).*/\1/'; }
of() { "$KAHU" config "$1" | grep -i "^ *$1 " | awk '{ print $2 }'; }
waiting=$("$KAHU" queue --json | tr '{' '\n' | grep '"state":"Idle"' | sed 's/"job":"*\([0-9]*\).*/\1/' | head -n 3)
one=$(echo "$waiting" | sed -n 1p) two=$(echo "$waiting" | sed -n 2p)
begin=$(last)

# --- the last of the caller ---------------------------------------------------------------------

check_status 'what another operator did is not taken back without its number' 1 "$KAHU" undo
check_contains 'who has changed nothing is told so' "no more changes of $(id -un) can be undone" "$err"
theirs=$("$KAHU" journal --json -n 1000 | tr '{' '\n' | grep '"who":"ops"' | tail -n 1 | sed 's/.*"seq":\([0-9]*\).*/\1/')
check_contains 'and what there is, by whom and when' "entry $theirs (hold" "$err"
check_contains 'by whom' ', made by ops at ' "$err"
check_contains 'and the number to give' "'undo $theirs'" "$err"
check_status 'by its number it can be' 0 "$KAHU" undo "$theirs" --dry-run

# --- several, and to a point ------------------------------------------------------------------

"$KAHU" tune xfactorweight 5 >/dev/null
first=$(last)
"$KAHU" tune xfactorweight 7 >/dev/null
second=$(last)

check_status 'an older one of the same setting changes nothing now' 0 "$KAHU" undo "$first" --dry-run
check_contains 'and it says which has the last word' "stays 7 because of entry $second" "$out"
check_status 'several together' 0 "$KAHU" undo "$first" "$second" --dry-run
check_contains 'the newest first' "  $second  xfactorweight: 7 -> 5
  $first  xfactorweight: 5 -> 100" "$out"
check_equal 'a dry run changes nothing' 7 "$(of xfactorweight)"

"$KAHU" hold "$one" "$two" >/dev/null
"$KAHU" set "$one" priority=+50 >/dev/null
"$KAHU" cancel "$two" >/dev/null
cancelled=$(last)
check_status 'to a point, of which a part is for ever' 1 "$KAHU" undo --to "$begin"
check_contains 'it is refused' 'cannot be undone, so nothing was undone; --what-can-be undoes the others' "$err"
check_equal 'what cannot be undone comes first' 'cannot be undone:' "$(echo "$out" | head -n 1)"
check_contains 'the cancellation' "entry $cancelled (cancel $two) cannot be undone" "$out"
check_contains 'what was done to the job that is gone' "(hold user $two) cannot be undone: its job has ended" "$out"
check_contains 'then what is taken back' "priority of $one: +50 -> computed" "$out"
check_equal 'and nothing was' 7 "$(of xfactorweight)"
check_status 'unless that is enough' 0 "$KAHU" undo --to "$begin" --what-can-be
check_contains 'a hold' "hold of $one: user -> none" "$out"
check_equal 'the setting of before' 100 "$(of xfactorweight)"
check_status 'there is nothing more' 1 "$KAHU" undo --to "$begin"
check_contains 'but what is for ever' "entry $cancelled (cancel $two) cannot be undone" "$err"

# --- undo of an undo --------------------------------------------------------------------------

"$KAHU" tune xfactorweight 9 >/dev/null
"$KAHU" undo >/dev/null
check_equal 'the last one' 100 "$(of xfactorweight)"
check_status 'an undo is undone' 0 "$KAHU" undo "$(last)"
check_contains 'from and to' 'xfactorweight: 100 -> 9' "$out"
check_equal 'it holds again' 9 "$(of xfactorweight)"

# --- the other kinds --------------------------------------------------------------------------

check_status 'a pause' 0 "$KAHU" sched pause
check_status 'is undone' 0 "$KAHU" undo
check_contains 'as any other' 'scheduler: paused -> starts jobs' "$out"
check_status 'a drained node' 0 "$KAHU" node drain n001
check_status 'is undrained' 0 "$KAHU" undo
check_contains 'with its value' 'node[n001].drained: true -> not set' "$out"
check_status 'a reservation' 0 "$KAHU" reserve ALL -s +10:00:00 -d 1:00:00
check_status 'is not any more' 0 "$KAHU" undo
check_contains 'nor kept' 'stands -> none' "$out"

# --- what cannot be asked ----------------------------------------------------------------------

check_status 'no number' 2 "$KAHU" undo x12
check_status 'either or' 2 "$KAHU" undo 12 --to 3
check_status 'no such moment' 2 "$KAHU" undo --to yesterday
check_status 'no change' 1 "$KAHU" undo 1
check_status 'JSON' 0 "$KAHU" undo --dry-run --json
check_contains 'has the notes' '"notes":[{"kind":"done","seq":' "$out"

# --- for a while --------------------------------------------------------------------------------

check_status 'nothing to keep' 1 "$KAHU" keep
"$KAHU" tune xfactorweight 11 --for 30m >/dev/null
tried=$(last)
check_status 'what was for a while' 0 "$KAHU" keep
check_contains 'is named' "keep $tried" "$out"
cat >later <<'EOS'
advance 1h
EOS
check_status 'an hour later' 0 "$KAHU" demo --store st --script later
check_equal 'it still holds' 11 "$(of xfactorweight)"
"$KAHU" tune xfactorweight 13 --for 30m >/dev/null
check_status 'another hour later' 0 "$KAHU" demo --store st --script later
check_equal 'what was not kept has returned' 11 "$(of xfactorweight)"
check_contains 'which is in the journal' ': the temporary change is over' "$("$KAHU" journal -n 60)"

# --- a reason -----------------------------------------------------------------------------------

"$KAHU" tune guarddelayed 1 >/dev/null
check_status 'what puts off many needs a reason' 1 "$KAHU" tune queuetimeweight 5000
check_contains 'which is said' 'a reason is required (--reason TEXT): it delays' "$err"
check_status 'a dry run says so too' 0 "$KAHU" tune queuetimeweight 5000 --dry-run
check_contains 'with what for' 'needs a reason: it delays' "$out"
check_status 'with a reason it is done' 0 "$KAHU" tune queuetimeweight 5000 --reason 'old jobs first'
check_contains 'which the journal keeps' 'set queuetimeweight = 5000: old jobs first' "$("$KAHU" journal -n 20)"
check_status 'what delays nobody needs none' 0 "$KAHU" tune guarddelayed 0

# --- what passes have made of it meanwhile ------------------------------------------------------

stops() { # SEQ: of how many jobs the queue time has stopped since
	"$KAHU" journal --from "$1" | awk '/queue time of [0-9]+ .*stops/ {
		jobs++
		if (match($0, /and of [0-9]+ more/)) jobs += substr($0, RSTART + 7)
	} END { print jobs + 0 }'
}
"$KAHU" tune 'user[DEFAULT].maxps' 1 >/dev/null
limit=$(last)
printf 'advance 1m\n' >on
check_status 'passes are run under a limit' 0 "$KAHU" demo --store st --script on
count=$(stops "$limit")
check_true 'which stops queue time' [ "$count" -gt 1 ]
check_status 'it can be taken back' 0 "$KAHU" undo "$limit" --dry-run
check_contains 'and what that does not bring back is said' "; the queue time of jobs was reset $count times and cannot be restored" "$out"

# --- a console that is killed -------------------------------------------------------------------

unset KAHU_STORE
rm -rf st
serve
# For so long that it is seen, however slow this machine is.
rounds=0
taken_back() { [ "$("$KAHU" journal --from 1 | grep -c 'the temporary change is over')" -ge $rounds ]; }
seen_or_over() { [ -s seen ] || taken_back; }
for trial_s in 3 12 48; do
	cat >trial <<-EOS
		:tune xfactorweight 77
		:apply --for ${trial_s}s --reason trial
		wait-for UNDO
		dump seen
		wait-for what-never-comes
	EOS
	rounds=$((rounds + 1))
	"$KAHU" --script trial >/dev/null 2>&1 &
	console=$!
	wait_until 20 seen_or_over
	kill -9 $console
	wait $console 2>/dev/null
	[ ! -s seen ] || break
done
check_true 'a change for a while, made in a console' test -s seen
check_contains 'which is killed' 'UNDO IN' "$(head -n 1 seen)"
check_true 'is taken back without it' wait_until 20 taken_back
check_equal 'and the former value holds' 0 "$(of xfactorweight)"
check_contains 'in the journal with its reason' 'set xfactorweight = 77 for 0:00:'"$(printf %02d $trial_s)"': trial' "$("$KAHU" journal --from 1)"
