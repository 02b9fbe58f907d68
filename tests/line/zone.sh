#!/bin/sh
# SPDX-License-Identifier: MIT
#
# zone.sh - is every time of day that is told or typed that of the place, and never that of another?
#
# What is right is what date says of the seconds since 1970 that --json has.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"
export KAHU_STORE="$work/st" TZ=America/New_York
if [ "$(date -d @1767600000 +%H)" != 03 ]; then
	skip "New York has its time" "no time zones are installed"
	exit 0
fi

iso() { date -d "@$1" +%Y-%m-%dT%H:%M:%S; }
last() { "$KAHU" journal -n 1 --json | sed 's/.*"seq":\([0-9]*\).*/\1/'; }
last_s() { "$KAHU" journal -n 1 --json | sed 's/.*"time":\([0-9]*\).*/\1/'; }
what() { "$KAHU" journal -n 1; }

printf 'advance 1h\n' >begin
check_status "a cluster to work on" 0 "$KAHU" demo --store st --nodes 8 --seed 9 --script begin
"$KAHU" tune xfactorweight 5 >/dev/null
early=$(last) early_s=$(last_s)
printf 'advance 30m\n' >on
check_status "it goes on" 0 "$KAHU" demo --store st --script on
"$KAHU" tune xfactorweight 7 >/dev/null
late=$(last) late_s=$(last_s)
job=$("$KAHU" queue --json | tr '{' '\n' | grep '"state":"Idle"' | sed 's/"job":"*\([0-9]*\).*/\1/' | tail -n 1)

# --- one moment: the journal, --at, --to ---

check_contains "the journal tells the time of the place" " $(iso "$late_s") " "$(what)"
check_contains "of one entry too" "$early  $(iso "$early_s")  " "$("$KAHU" journal "$early")"
check_contains "what is read there can be asked for" \
	"As of $(date -d "@$late_s" '+%a %b %e %H:%M:%S'), after entry $late " "$("$KAHU" why "$job" --at "$(iso "$late_s")")"
between=$(date -d "@$((late_s - 60))" +%H:%M:%S)
check_contains "by the time of day too" "As of $(date -d "@$((late_s - 60))" '+%a %b %e %H:%M:%S'), after" \
	"$("$KAHU" why "$job" --at "$between")"
check_status "what is not kept is refused" 1 "$KAHU" queue --at 2020-01-01T02:00
check_contains "in the time of the place" "2020-01-01T02:00:00 is before the journal begins (entry 1, " "$err"
check_status "what came later is taken back" 0 "$KAHU" undo --to "$between" --dry-run
check_contains "the late one" "$late  xfactorweight: 7 -> 5" "$out"
check_equal "and not the early one" 0 "$(echo "$out" | grep -c "  $early  ")"
check_status "both, to the second before" 0 "$KAHU" undo --to "$(iso $((early_s - 1)))" --dry-run
check_contains "the early one too" "  $early  xfactorweight" "$out"

# --- moments within sentences ---

today=$(date -d "@$late_s" +%Y-%m-%d)
check_status "a job is to start at noon" 0 "$KAHU" set "$job" starttime="$today"T12:00
check_contains "says the journal" "starttime = ${today}T12:00:00" "$(what)"
check_contains "and its reason" "must not start before 12:00:00" "$("$KAHU" why "$job")"
check_status "it is taken back" 0 "$KAHU" undo --dry-run
check_contains "from noon" "starttime of $job: ${today}T12:00:00 -> none" "$out"
check_contains "as was asked" "(starttime = ${today}T12:00:00 of $job)" "$out"
check_status "and is" 0 "$KAHU" undo
check_status "nodes are kept for others" 0 "$KAHU" reserve ALL -s "$today"T12:00 -d 1:00:00
check_contains "says the journal" "from ${today}T12:00:00 to ${today}T13:00:00" "$(what)"
check_status "not any more" 0 "$KAHU" undo
check_status "nodes are kept from now on" 0 "$KAHU" reserve ALL -d 10:00:00 -n from_now
check_contains "until when" "until $(date -d "@$((late_s + 36000))" +%H:%M:%S) (from_now)" "$("$KAHU" why "$job")"

# --- a time of day of what was is the last one; an end is the next one after the beginning ---

since_of() { echo "$1" | sed 's/.*"since":\([0-9]*\).*/\1/'; }
hour_ago=$(date -d "@$((late_s - 3600))" +%H:%M:%S)
check_equal "history since a time of day" "$((late_s - 3600))" "$(since_of "$("$KAHU" history --since "$hour_ago" --json)")"
check_equal "or so long ago" "$((late_s - 7200))" "$(since_of "$("$KAHU" history --since 2h --json)")"
check_equal "counts the jobs that stats counts" "$("$KAHU" history --since "$hour_ago" --json | grep -o '"job":' | wc -l)" \
	"$("$KAHU" stats -t "$hour_ago" --json | sed 's/.*"system":{[^}]*"ended":\([0-9]*\).*/\1/')"
start_s=$((late_s - 3600 + 86400))
check_status "nodes are kept from tomorrow on" 0 "$KAHU" reserve ALL -n tomorrow \
	-s "$(date -d "@$start_s" +%H:%M:%S)" -e "$(date -d "@$((late_s + 3600))" +%H:%M:%S)"
check_contains "until later that day" "from $(iso $start_s) to $(iso $((start_s + 7200)))" "$(what)"
