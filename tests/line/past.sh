#!/bin/sh
# SPDX-License-Identifier: MIT
#
# past.sh - reports with --at equal the reports that were made at that time
#
# A simulated cluster runs for a while, all reports are made, it continues, and all reports are made again with --at.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

export KAHU_STORE="$work/st"

run_demo() { # DURATION
	printf 'advance %s\nwait-idle\n' "$1" >go.script
	check_status "a cluster runs for $1" 0 "$KAHU" --store "$KAHU_STORE" demo --seed 5 --nodes 8 --script go.script
}
last() { "$KAHU" journal -n 1 --json | tr ',{' '\n' | sed -n 's/^"seq"://p'; }
moment() { "$KAHU" journal --from "$1" -n 1 --json | tr ',{' '\n' | sed -n 's/^"time"://p'; } # SEQ
iso() { date -u -d "@$1" +%Y-%m-%dT%H:%M:%S; }                                                 # SECONDS

# The reports, one per line.
cat >questions <<'EOQ'
queue
priority
fairshare
limits
node
reservations
windows
stats -u
stats
history --since 365d
config
diagnose -q
EOQ
# Sorts reports whose order of names may differ.
in_order() { # QUESTION
	case $1 in
	stats* | fairshare) tr ',{[' '\n' | tr -d ']}' | sort ;;
	*) cat ;;
	esac
}
ask() { # FOLDER OPTION...
	answers=$1
	shift
	mkdir "$answers"
	while read -r question; do
		# shellcheck disable=SC2086 # it is words
		"$KAHU" $question "$@" --json >answer || fail "$question $*"
		in_order "$question" <answer >"$answers/$(echo "$question" | tr -d ' ')"
	done <questions
}

run_demo 2h
job=$("$KAHU" queue --json | tr ',{' '\n' | sed -n 's/^"job":"\([0-9]*\)"/\1/p' | tail -n 1)
runs=$("$KAHU" queue --json | tr ',{' '\n' | sed -n 's/^"job":"\([0-9]*\)"/\1/p' | head -n 1)
echo "why $runs" >>questions
echo "job $job" >>questions
then=$(last) then_s=$(moment "$(last)")
ask before
run_demo 10m
"$KAHU" tune xfactorweight 7777 >/dev/null
run_demo 20h
now=$(last)
check_true "the journal has grown" [ "$now" -gt $((then + 50)) ]
ask since --at "$then"
check_equal "reports --at an entry equal those made after it" "" "$(diff -r before since)"
ask second --at "$(iso "$then_s")"
check_equal "reports --at its second equal them, too" "" "$(diff -r before second)"
check_equal "the live queue is different" 1 "$("$KAHU" queue --json | cmp -s - before/queue || echo 1)"
check_equal "the queue --at the last entry is the live queue" "$("$KAHU" queue --json)" "$("$KAHU" queue --at "$now" --json)"

# --- the clock ---

check_contains "the text begins with the past time" "As of $(date -u -d "@$then_s" '+%a %b %e %H:%M:%S' | tr -s ' ')" \
	"$("$KAHU" queue --at "$then" | head -n 1 | tr -s ' ')"
check_contains "the time between two entries is the given one" "\"now\":$((then_s - 1))," \
	"$("$KAHU" queue --at "$(iso $((then_s - 1)))" --json)"
now_s=$(moment "$now")
check_contains "a relative time counts from now" "\"now\":$((now_s - 7200))," "$("$KAHU" queue --at -2h --json)"
check_contains "a time of day is the last one that has passed" "\"now\":$((now_s / 86400 * 86400))," \
	"$("$KAHU" queue --at 00:00 --json)"
check_contains "a time of day may have seconds" "\"now\":$now_s," "$("$KAHU" queue --at "$(date -u -d "@$now_s" +%H:%M:%S)" --json)"

# --- times without a state ---

first_s=$(moment 1)
check_status "the time of the first entry is accepted" 0 "$KAHU" queue --at "$(iso "$first_s")"
check_status "the second before is refused" 1 "$KAHU" queue --at "$(iso $((first_s - 1)))"
check_contains "the refusal has the beginning of the journal" "is before the journal begins (entry 1, $(iso "$first_s"))" "$err"
check_status "entry 0 is refused" 1 "$KAHU" queue --at 0
check_status "an entry that does not exist yet is refused" 1 "$KAHU" queue --at $((now + 1))
check_contains "the refusal has the last entry" "entry $((now + 1)) has not been written yet: the journal ends with entry $now" "$err"
for ahead in +1h "$(iso $((now_s + 1)))"; do
	check_status "the future time $ahead is refused" 1 "$KAHU" queue --at "$ahead"
	check_contains "the refusal says that it is in the future" "is in the future" "$err"
done
for word in x 99:99 "" 1.5 -x - 2026-13-01T00:00 99999999999999999999; do
	check_status "the time '$word' is refused" 1 "$KAHU" queue --at "$word"
	[ -n "$err" ] || fail "the refusal of '$word' has a message"
done
check_status "--at without a time is wrong usage" 2 "$KAHU" queue --at

# --- changes of the past ---

check_status "hold --at is wrong usage" 2 "$KAHU" hold "$job" --at "$then"
check_status "node drain --at is refused" 1 "$KAHU" node drain n001 --at "$then"
check_contains "the refusal says that the past cannot be changed" "a past state cannot be changed" "$err"
check_equal "the journal has no new entry" "$now" "$(last)"
check_status "the store is intact" 0 "$KAHU" verify
