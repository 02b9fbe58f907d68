#!/bin/sh
# SPDX-License-Identifier: MIT
#
# undo.sh - undo reports what cannot be undone, and undoes the rest only with --what-can-be

. "${KAHU_SOURCE:?}/tests/lib.sh"

export KAHU_STORE="$work/st"
cat >begin <<'EOS'
advance 10m
EOS
check_status 'a demo runs in a store' 0 "$KAHU" demo --store st --nodes 8 --seed 9 --script begin

last() { "$KAHU" journal -n 1 --json | sed 's/.*"seq":\([0-9]*\).*/\1/'; }
of() { "$KAHU" config "$1" | grep -i "^ *$1 " | awk '{ print $2 }'; }
waiting=$("$KAHU" queue --json | tr '{' '\n' | grep '"state":"Idle"' | sed 's/"job":"*\([0-9]*\).*/\1/' | head -n 3)
one=$(echo "$waiting" | sed -n 1p) two=$(echo "$waiting" | sed -n 2p)
begin=$(last)

# --- the caller's last change -------------------------------------------------------------------

check_status 'undo without an entry does not undo changes of others' 1 "$KAHU" undo
check_contains 'the message says that the caller has no changes to undo' "no more changes of $(id -un) can be undone" "$err"
theirs=$("$KAHU" journal --json -n 1000 | tr '{' '\n' | grep '"who":"ops"' | tail -n 1 | sed 's/.*"seq":\([0-9]*\).*/\1/')
check_contains 'it names the last entry of others' "entry $theirs (hold" "$err"
check_contains 'it has its operator and time' ', made by ops at ' "$err"
check_contains 'it has the command to undo that entry' "'undo $theirs'" "$err"
check_status 'undo of that entry is possible' 0 "$KAHU" undo "$theirs" --dry-run

# --- several entries, and --to ----------------------------------------------------------------

"$KAHU" tune xfactorweight 5 >/dev/null
first=$(last)
"$KAHU" tune xfactorweight 7 >/dev/null
second=$(last)

check_status 'undo of an older change of the same option succeeds' 0 "$KAHU" undo "$first" --dry-run
check_contains 'it says which entry is in force' "stays 7 because of entry $second" "$out"
check_status 'undo of several entries succeeds' 0 "$KAHU" undo "$first" "$second" --dry-run
check_contains 'they are undone from the newest to the oldest' "  $second  xfactorweight: 7 -> 5
  $first  xfactorweight: 5 -> 100" "$out"
check_equal 'a dry run changes nothing' 7 "$(of xfactorweight)"

"$KAHU" hold "$one" "$two" >/dev/null
"$KAHU" set "$one" priority=+50 >/dev/null
"$KAHU" cancel "$two" >/dev/null
cancelled=$(last)
check_status 'undo --to is refused if an entry cannot be undone' 1 "$KAHU" undo --to "$begin"
check_contains 'the message names --what-can-be' 'cannot be undone, so nothing was undone; --what-can-be undoes the others' "$err"
check_equal 'entries that cannot be undone are listed first' 'cannot be undone:' "$(echo "$out" | head -n 1)"
check_contains 'the cancellation is listed' "entry $cancelled (cancel $two) cannot be undone" "$out"
check_contains 'changes of the cancelled job are listed' "(hold user $two) cannot be undone: its job has ended" "$out"
check_contains 'the other entries are listed after them' "priority of $one: +50 -> computed" "$out"
check_equal 'nothing was undone' 7 "$(of xfactorweight)"
check_status '--what-can-be undoes the others' 0 "$KAHU" undo --to "$begin" --what-can-be
check_contains 'a hold is undone' "hold of $one: user -> none" "$out"
check_equal 'the option has its former value' 100 "$(of xfactorweight)"
check_status 'a second undo --to is refused' 1 "$KAHU" undo --to "$begin"
check_contains 'the message lists the entries that cannot be undone' "entry $cancelled (cancel $two) cannot be undone" "$err"

# --- undo of an undo --------------------------------------------------------------------------

"$KAHU" tune xfactorweight 9 >/dev/null
"$KAHU" undo >/dev/null
check_equal 'the last change is undone' 100 "$(of xfactorweight)"
check_status 'an undo is undone' 0 "$KAHU" undo "$(last)"
check_contains 'it prints the old and new value' 'xfactorweight: 100 -> 9' "$out"
check_equal 'the change is in force again' 9 "$(of xfactorweight)"

# --- other kinds of changes -------------------------------------------------------------------

check_status 'the scheduler is paused' 0 "$KAHU" sched pause
check_status 'the pause is undone' 0 "$KAHU" undo
check_contains 'it prints the old and new state' 'scheduler: paused -> starts jobs' "$out"
check_status 'a node is drained' 0 "$KAHU" node drain n001
check_status 'the drain is undone' 0 "$KAHU" undo
check_contains 'it prints the old and new value' 'node[n001].drained: true -> not set' "$out"
check_status 'a reservation is made' 0 "$KAHU" reserve ALL -s +10:00:00 -d 1:00:00
check_status 'it is undone' 0 "$KAHU" undo
check_contains 'it prints that the reservation is removed' 'in force -> none' "$out"

# --- invalid calls -----------------------------------------------------------------------------

check_status 'an invalid entry is wrong usage' 2 "$KAHU" undo x12
check_status 'an entry with --to is wrong usage' 2 "$KAHU" undo 12 --to 3
check_status 'an invalid time is wrong usage' 2 "$KAHU" undo --to yesterday
check_status 'an entry that is no change is refused' 1 "$KAHU" undo 1
check_status 'undo --json succeeds' 0 "$KAHU" undo --dry-run --json
check_contains 'it has the notes' '"notes":[{"kind":"done","seq":' "$out"

# --- temporary changes --------------------------------------------------------------------------

check_status 'keep without a temporary change is refused' 1 "$KAHU" keep
"$KAHU" tune xfactorweight 11 --for 30m >/dev/null
tried=$(last)
check_status 'a temporary change is kept' 0 "$KAHU" keep
check_contains 'its entry is printed' "keep $tried" "$out"
cat >later <<'EOS'
advance 1h
EOS
check_status 'the demo runs for an hour' 0 "$KAHU" demo --store st --script later
check_equal 'the kept change is in force' 11 "$(of xfactorweight)"
"$KAHU" tune xfactorweight 13 --for 30m >/dev/null
check_status 'the demo runs for another hour' 0 "$KAHU" demo --store st --script later
check_equal 'a temporary change that was not kept is undone' 11 "$(of xfactorweight)"
check_contains 'the journal has its end' ': the temporary change is over' "$("$KAHU" journal -n 60)"

# --- required reasons ---------------------------------------------------------------------------

"$KAHU" tune guarddelayed 1 >/dev/null
check_status 'a change that delays many jobs is refused without a reason' 1 "$KAHU" tune queuetimeweight 5000
check_contains 'the message has the cause' 'a reason is required (--reason TEXT): it delays' "$err"
check_status 'a dry run succeeds' 0 "$KAHU" tune queuetimeweight 5000 --dry-run
check_contains 'it prints that a reason is required' 'needs a reason: it delays' "$out"
check_status 'the change with a reason is made' 0 "$KAHU" tune queuetimeweight 5000 --reason 'old jobs first'
check_contains 'the journal has the reason' 'set queuetimeweight = 5000: old jobs first' "$("$KAHU" journal -n 20)"
check_status 'a change that delays no job needs no reason' 0 "$KAHU" tune guarddelayed 0

# --- effects that an undo does not restore ------------------------------------------------------

stops() { # SEQ: the number of jobs whose queue time was reset since
	"$KAHU" journal --from "$1" | awk '/queue time of [0-9]+ .*stops/ {
		jobs++
		if (match($0, /and of [0-9]+ more/)) jobs += substr($0, RSTART + 7)
	} END { print jobs + 0 }'
}
"$KAHU" tune 'user[DEFAULT].maxps' 1 >/dev/null
limit=$(last)
printf 'advance 1m\n' >on
check_status 'the demo runs with a limit' 0 "$KAHU" demo --store st --script on
count=$(stops "$limit")
check_true 'queue times are reset' [ "$count" -gt 1 ]
check_status 'undo --dry-run of the limit succeeds' 0 "$KAHU" undo "$limit" --dry-run
check_contains 'it prints that queue times cannot be restored' "; the queue time of jobs was reset $count times and cannot be restored" "$out"

# --- the console is killed ----------------------------------------------------------------------

unset KAHU_STORE
rm -rf st
serve
# The duration is raised until the console shows the change before it is over, however slow this machine is.
rounds=0
is_undone() { [ "$("$KAHU" journal --from 1 | grep -c 'the temporary change is over')" -ge $rounds ]; }
seen_or_over() { [ -s seen ] || is_undone; }
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
check_true 'the console shows the temporary change' test -s seen
check_contains 'its header has the time that is left' 'UNDO IN' "$(head -n 1 seen)"
check_true 'the change is undone after the console was killed' wait_until 20 is_undone
check_equal 'the option has its former value' 0 "$(of xfactorweight)"
check_contains 'the journal has the reason' 'set xfactorweight = 77 for 0:00:'"$(printf %02d $trial_s)"': trial' "$("$KAHU" journal --from 1)"
