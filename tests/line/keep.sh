#!/bin/sh
# SPDX-License-Identifier: MIT
#
# keep.sh - is what happened to jobs known afterwards, and does it survive the loss of the store?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

export KAHU_STORE="$work/st"
ended() { "$KAHU" history | grep -qE "^ *$1 "; }

check_status "without a store there is no history" 1 "$KAHU" history
serve
check_equal "without jobs it is empty" "" "$("$KAHU" history)"
"$KAHU" submit -N good -o /dev/null -e /dev/null -- true >/dev/null
"$KAHU" submit -N bad -o /dev/null -e /dev/null -- sh -c 'exit 7' >/dev/null
"$KAHU" submit -N killed -o /dev/null -e /dev/null -- sh -c 'kill -9 $$' >/dev/null
"$KAHU" submit -N never -h -- true >/dev/null
"$KAHU" cancel 4
for job in 1 2 3 4; do wait_until 20 ended $job || fail "job $job ends"; done
check_equal "each is told with how it ended" "1 good Completed 0
2 bad Failed 7
3 killed Failed KILL
4 never NotRun -" "$("$KAHU" history | awk 'NR > 1 { print $1, $2, $4, $5 }' | sort)"
check_equal "scripts get the same" "0 null 7 9 null" "$("$KAHU" history --json | tr ',' '\n' |
	awk -F: '/"exit_status"/ { e = $2 } /"signal"/ { print (e != "null" ? e : $2) }' |
	{ read -r a; read -r b; read -r c; read -r d; echo "$a" "null" "$b" "$c" "$d"; })"
ended_by_name() { "$KAHU" history "$@" 2>/dev/null | awk 'NR > 1 { print $1 }' | sort | tr '\n' ' '; }
check_equal "jobs that are named are shown alone" "2 4 " "$(ended_by_name 4 2)"
check_equal "those of them that match" "" "$(ended_by_name -w user=nobodyatall 4 2)"
check_status "one that has not ended" 1 "$KAHU" history 99
check_equal "is said to be none" "kahu: no such job has ended; 'kahu queue' lists active and waiting jobs" "$err"
check_status "who asks for one that has" 1 "$KAHU" job 2
check_equal "learns how to" "kahu: job 2 has ended; see 'kahu history 2'" "$err"
check_equal "and those of somebody else are left out" "" "$("$KAHU" history -w user=nobodyatall)"
check_equal "or those before" "" "$("$KAHU" history --since +0:01:00)"
check_status "a time that is none is wrong usage" 2 "$KAHU" history --since soon

check_status "the store is whole" 0 "$KAHU" verify
check_contains "and says so" "is intact" "$out"
check_status "it is copied while it is in use" 0 "$KAHU" backup "$work/copy"
check_status "the copy is a store" 0 "$KAHU" --store "$work/copy" verify
check_equal "with the same jobs" "$("$KAHU" history)" "$("$KAHU" --store "$work/copy" history)"
check_status "it is not copied over a store" 3 "$KAHU" backup "$work/copy"
check_status "a store in use is not replaced" 1 "$KAHU" restore "$work/copy"
check_contains "and the scheduler is named" "process $server" "$err"
"$KAHU" submit -N later -o /dev/null -e /dev/null -- true >/dev/null
wait_until 20 ended 5 || fail "job 5 ends"
stop

truncate -s 20000 "$KAHU_STORE/data.mdb"
"$KAHU" verify >/dev/null 2>verify.err
check_equal "a file that was cut off is found" 3 $?
check_contains "and it is said what to do" "kahu: " "$(cat verify.err)"
check_status "the copy takes its place" 0 "$KAHU" restore "$work/copy"
check_status "which is whole" 0 "$KAHU" verify
serve
check_equal "and what happened is known again" "1 2 3 4" "$("$KAHU" history | awk 'NR > 1 { print $1 }' | sort | tr '\n' ' ' | sed 's/ $//')"
stop

truncate -s 0 "$KAHU_STORE/data.mdb"
check_status "a store whose file is empty is not begun anew" 3 "$KAHU" serve
check_contains "as its jobs would be forgotten" "is lost: its data.mdb is empty or missing" "$err"
check_status "nor looked at" 3 "$KAHU" verify
check_contains "it is said what to do" "restore a copy with 'kahu restore'" "$err"
check_status "the last good copy brings the queue back" 0 "$KAHU" restore --last-good
check_contains "and it is said where it ends" "from the last good copy at entry" "$out"
check_status "it is whole" 0 "$KAHU" verify
check_status "a folder and the last good copy are two things" 2 "$KAHU" restore --last-good "$work/copy"
check_status "the copy takes its place, too" 0 "$KAHU" restore "$work/copy"
check_status "and is whole" 0 "$KAHU" verify
