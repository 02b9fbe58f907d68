#!/bin/sh
# SPDX-License-Identifier: MIT
#
# zone.sh - all times that are printed or read are in the local time zone
#
# They are compared with the output of date for the seconds since 1970 in the JSON.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"
export KAHU_STORE="$work/st" TZ=America/New_York
if [ "$(date -d @1767600000 +%H)" != 03 ]; then
	skip "times of New York" "no time zones are installed"
	exit 0
fi

iso() { date -d "@$1" +%Y-%m-%dT%H:%M:%S; }
last() { "$KAHU" journal -n 1 --json | sed 's/.*"seq":\([0-9]*\).*/\1/'; }
last_s() { "$KAHU" journal -n 1 --json | sed 's/.*"time":\([0-9]*\).*/\1/'; }
what() { "$KAHU" journal -n 1; }

printf 'advance 1h\n' >begin
check_status "a demo runs in a store" 0 "$KAHU" demo --store st --nodes 8 --seed 9 --script begin
"$KAHU" tune xfactorweight 5 >/dev/null
early=$(last) early_s=$(last_s)
printf 'advance 30m\n' >on
check_status "the demo continues" 0 "$KAHU" demo --store st --script on
"$KAHU" tune xfactorweight 7 >/dev/null
late=$(last) late_s=$(last_s)
job=$("$KAHU" queue --json | tr '{' '\n' | grep '"state":"Idle"' | sed 's/"job":"*\([0-9]*\).*/\1/' | tail -n 1)

# --- times of entries: the journal, --at, --to ---

check_contains "the journal prints the local time" " $(iso "$late_s") " "$(what)"
check_contains "a single entry has the local time" "$early  $(iso "$early_s")  " "$("$KAHU" journal "$early")"
check_contains "--at accepts a local time" \
	"As of $(date -d "@$late_s" '+%a %b %e %H:%M:%S'), after entry $late " "$("$KAHU" why "$job" --at "$(iso "$late_s")")"
between=$(date -d "@$((late_s - 60))" +%H:%M:%S)
check_contains "--at accepts a time of day" "As of $(date -d "@$((late_s - 60))" '+%a %b %e %H:%M:%S'), after" \
	"$("$KAHU" why "$job" --at "$between")"
check_status "a time before the journal is refused" 1 "$KAHU" queue --at 2020-01-01T02:00
check_contains "the message has the local time" "2020-01-01T02:00:00 is before the journal begins (entry 1, " "$err"
check_status "undo --to a time of day succeeds" 0 "$KAHU" undo --to "$between" --dry-run
check_contains "it undoes the later change" "$late  xfactorweight: 7 -> 5" "$out"
check_equal "it does not undo the earlier change" 0 "$(echo "$out" | grep -c "  $early  ")"
check_status "undo --to a date and time succeeds" 0 "$KAHU" undo --to "$(iso $((early_s - 1)))" --dry-run
check_contains "it undoes the earlier change, too" "  $early  xfactorweight" "$out"

# --- times of start dates and reservations ---

today=$(date -d "@$late_s" +%Y-%m-%d)
check_status "a start date is set" 0 "$KAHU" set "$job" starttime="$today"T12:00
check_contains "the journal has the local time" "starttime = ${today}T12:00:00" "$(what)"
check_contains "why has the local time" "must not start before 12:00:00" "$("$KAHU" why "$job")"
check_status "undo --dry-run succeeds" 0 "$KAHU" undo --dry-run
check_contains "the old value has the local time" "starttime of $job: ${today}T12:00:00 -> none" "$out"
check_contains "the change has the local time" "(starttime = ${today}T12:00:00 of $job)" "$out"
check_status "the start date is undone" 0 "$KAHU" undo
check_status "a reservation with a time is made" 0 "$KAHU" reserve ALL -s "$today"T12:00 -d 1:00:00
check_contains "the journal has the local time" "from ${today}T12:00:00 to ${today}T13:00:00" "$(what)"
check_status "it is undone" 0 "$KAHU" undo
check_status "a reservation with a duration is made" 0 "$KAHU" reserve ALL -d 10:00:00 -n from_now
check_contains "why has the local end" "until $(date -d "@$((late_s + 36000))" +%H:%M:%S) (from_now)" "$("$KAHU" why "$job")"

# --- a past time of day is the last one; the end of a reservation is the next one after its begin ---

since_of() { echo "$1" | sed 's/.*"since":\([0-9]*\).*/\1/'; }
hour_ago=$(date -d "@$((late_s - 3600))" +%H:%M:%S)
check_equal "history --since accepts a time of day" "$((late_s - 3600))" "$(since_of "$("$KAHU" history --since "$hour_ago" --json)")"
check_equal "history --since accepts a duration" "$((late_s - 7200))" "$(since_of "$("$KAHU" history --since 2h --json)")"
check_equal "it counts the same jobs as stats -t" "$("$KAHU" history --since "$hour_ago" --json | grep -o '"job":' | wc -l)" \
	"$("$KAHU" stats -t "$hour_ago" --json | sed 's/.*"system":{[^}]*"ended":\([0-9]*\).*/\1/')"
start_s=$((late_s - 3600 + 86400))
check_status "a reservation from tomorrow to a time of day is made" 0 "$KAHU" reserve ALL -n tomorrow \
	-s "$(date -d "@$start_s" +%H:%M:%S)" -e "$(date -d "@$((late_s + 3600))" +%H:%M:%S)"
check_contains "it ends on the same day" "from $(iso $start_s) to $(iso $((start_s + 7200)))" "$(what)"
