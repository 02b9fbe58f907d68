#!/bin/sh
# SPDX-License-Identifier: MIT
#
# past.sh - do reports on a moment of the past (--at) say what they said then?
#
# A simulated cluster runs for a while, everything is asked, it runs on, and everything is asked again as it was.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

export KAHU_STORE="$work/st"

go_on() { # DURATION
	printf 'advance %s\nwait-idle\n' "$1" >go.script
	check_status "a cluster runs for $1" 0 "$KAHU" --store "$KAHU_STORE" demo --seed 5 --nodes 8 --script go.script
}
last() { "$KAHU" journal -n 1 --json | tr ',{' '\n' | sed -n 's/^"seq"://p'; }
moment() { "$KAHU" journal --from "$1" -n 1 --json | tr ',{' '\n' | sed -n 's/^"time"://p'; } # SEQ
iso() { date -u -d "@$1" +%Y-%m-%dT%H:%M:%S; }                                                 # SECONDS

# What is asked, a line each.
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
# Sums are the same in any order of the names.
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

go_on 2h
job=$("$KAHU" queue --json | tr ',{' '\n' | sed -n 's/^"job":"\([0-9]*\)"/\1/p' | tail -n 1)
runs=$("$KAHU" queue --json | tr ',{' '\n' | sed -n 's/^"job":"\([0-9]*\)"/\1/p' | head -n 1)
echo "why $runs" >>questions
echo "job $job" >>questions
then=$(last) then_s=$(moment "$(last)")
ask before
go_on 10m
"$KAHU" tune xfactorweight 7777 >/dev/null
go_on 20h
now=$(last)
check_true "much has happened since" [ "$now" -gt $((then + 50)) ]
ask since --at "$then"
check_equal "after its last entry everything was as it was said then" "" "$(diff -r before since)"
ask second --at "$(iso "$then_s")"
check_equal "and at its last second" "" "$(diff -r before second)"
check_equal "now it is otherwise" 1 "$("$KAHU" queue --json | cmp -s - before/queue || echo 1)"
check_equal "after the last entry it is as it is" "$("$KAHU" queue --json)" "$("$KAHU" queue --at "$now" --json)"

# --- the clock ---

check_contains "people are told what they look at" "As of $(date -u -d "@$then_s" '+%a %b %e %H:%M:%S' | tr -s ' ')" \
	"$("$KAHU" queue --at "$then" | head -n 1 | tr -s ' ')"
check_contains "between two entries the clock goes on" "\"now\":$((then_s - 1))," \
	"$("$KAHU" queue --at "$(iso $((then_s - 1)))" --json)"
now_s=$(moment "$now")
check_contains "so long ago is counted from now" "\"now\":$((now_s - 7200))," "$("$KAHU" queue --at -2h --json)"
check_contains "a time of day is the last one" "\"now\":$((now_s / 86400 * 86400))," \
	"$("$KAHU" queue --at 00:00 --json)"
check_contains "with seconds too" "\"now\":$now_s," "$("$KAHU" queue --at "$(date -u -d "@$now_s" +%H:%M:%S)" --json)"

# --- what is not kept ---

first_s=$(moment 1)
check_status "the first second is there" 0 "$KAHU" queue --at "$(iso "$first_s")"
check_status "the one before is not" 1 "$KAHU" queue --at "$(iso $((first_s - 1)))"
check_contains "and it is said what is" "is before the journal begins (entry 1, $(iso "$first_s"))" "$err"
check_status "there is no entry 0" 1 "$KAHU" queue --at 0
check_status "nor one yet to come" 1 "$KAHU" queue --at $((now + 1))
check_contains "which is said" "entry $((now + 1)) has not been written yet: the journal ends with entry $now" "$err"
for ahead in +1h "$(iso $((now_s + 1)))"; do
	check_status "$ahead is no past" 1 "$KAHU" queue --at "$ahead"
	check_contains "but to come" "is in the future" "$err"
done
for word in x 99:99 "" 1.5 -x - 2026-13-01T00:00 99999999999999999999; do
	check_status "'$word' is no moment" 1 "$KAHU" queue --at "$word"
	[ -n "$err" ] || fail "and there is a sentence"
done
check_status "an option needs its moment" 2 "$KAHU" queue --at

# --- the past stays as it is ---

check_status "a change has no moment" 2 "$KAHU" hold "$job" --at "$then"
check_status "nor has a report that would change something" 1 "$KAHU" node drain n001 --at "$then"
check_contains "as the past cannot be changed" "a past state cannot be changed" "$err"
check_equal "nothing was written" "$now" "$(last)"
check_status "and the store is whole" 0 "$KAHU" verify
