#!/bin/sh
# SPDX-License-Identifier: MIT
#
# keep.sh - the history of ended jobs, and verify, backup and restore of the store
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

export KAHU_STORE="$work/st"
ended() { "$KAHU" history | grep -qE "^ *$1 "; }

check_status "history without a store is refused" 1 "$KAHU" history
check_contains "the refusal says that there is no store" "no scheduler is running, and there is no store in $KAHU_STORE" "$err"
serve
check_equal "the history is empty before the first job" "" "$("$KAHU" history)"
"$KAHU" submit -N good -o /dev/null -e /dev/null -- true >/dev/null
"$KAHU" submit -N bad -o /dev/null -e /dev/null -- sh -c 'exit 7' >/dev/null
"$KAHU" submit -N killed -o /dev/null -e /dev/null -- sh -c 'kill -9 $$' >/dev/null
"$KAHU" submit -N never -h -- true >/dev/null
"$KAHU" cancel 4
for job in 1 2 3 4; do wait_until 20 ended $job || fail "job $job ends"; done
check_equal "the history has the outcome of each job" "1 good Completed 0
2 bad Failed 7
3 killed Failed KILL
4 never NotRun -" "$("$KAHU" history | awk 'NR > 1 { print $1, $2, $4, $5 }' | sort)"
check_equal "the JSON has the exit status or the signal" "0 null 7 9 null" "$("$KAHU" history --json | tr ',' '\n' |
	awk -F: '/"exit_status"/ { e = $2 } /"signal"/ { print (e != "null" ? e : $2) }' |
	{ read -r a; read -r b; read -r c; read -r d; echo "$a" "null" "$b" "$c" "$d"; })"
ended_by_name() { "$KAHU" history "$@" 2>/dev/null | awk 'NR > 1 { print $1 }' | sort | tr '\n' ' '; }
check_equal "history with IDs lists only these jobs" "2 4 " "$(ended_by_name 4 2)"
check_equal "history with IDs and a selection lists only matching jobs" "" "$(ended_by_name -w user=nobodyatall 4 2)"
check_status "history of a job that has not ended is refused" 1 "$KAHU" history 99
check_equal "the refusal refers to queue" "kahu: no such job has ended; 'kahu queue' lists active and waiting jobs" "$err"
check_status "job of an ended job is refused" 1 "$KAHU" job 2
check_equal "the refusal refers to history" "kahu: job 2 has ended; see 'kahu history 2'" "$err"
check_equal "-w user lists no jobs of other users" "" "$("$KAHU" history -w user=nobodyatall)"
check_equal "--since a later time lists no job" "" "$("$KAHU" history --since +0:01:00)"
check_status "an invalid time is wrong usage" 2 "$KAHU" history --since soon
check_contains "the message names the time" '"soon" is not a time: write 16:30' "$err"

check_status "verify succeeds" 0 "$KAHU" verify
check_contains "it prints that the store is intact" "is intact" "$out"
check_status "backup succeeds while the store is in use" 0 "$KAHU" backup "$work/copy"
check_status "the copy is intact" 0 "$KAHU" --store "$work/copy" verify
check_equal "the copy has the same history" "$("$KAHU" history)" "$("$KAHU" --store "$work/copy" history)"
check_status "backup does not overwrite a store" 3 "$KAHU" backup "$work/copy"
check_contains "the refusal says what to do" "$work/copy already contains a store; specify a new directory" "$err"
check_status "restore of a store in use is refused" 1 "$KAHU" restore "$work/copy"
check_contains "the refusal names the process of the scheduler" "process $server" "$err"
"$KAHU" submit -N later -o /dev/null -e /dev/null -- true >/dev/null
wait_until 20 ended 5 || fail "job 5 ends"
stop

truncate -s 20000 "$KAHU_STORE/data.mdb"
"$KAHU" verify >/dev/null 2>verify.err
check_equal "verify finds a truncated file" 3 $?
check_contains "it prints an error" "kahu: " "$(cat verify.err)"
check_status "restore replaces the store with the copy" 0 "$KAHU" restore "$work/copy"
check_status "the store is intact" 0 "$KAHU" verify
serve
check_equal "the history is that of the copy" "1 2 3 4" "$("$KAHU" history | awk 'NR > 1 { print $1 }' | sort | tr '\n' ' ' | sed 's/ $//')"
stop

truncate -s 0 "$KAHU_STORE/data.mdb"
check_status "serve refuses a store whose file is empty" 3 "$KAHU" serve
check_contains "it says that the store is lost" "is lost: its data.mdb is empty or missing" "$err"
check_status "verify refuses it, too" 3 "$KAHU" verify
check_contains "it refers to restore" "restore a copy with 'kahu restore'" "$err"
check_status "restore --last-good restores the queue" 0 "$KAHU" restore --last-good
check_contains "it prints the last entry" "from the last good copy at entry" "$out"
check_status "the store is intact" 0 "$KAHU" verify
check_status "restore with a folder and --last-good is wrong usage" 2 "$KAHU" restore --last-good "$work/copy"
check_contains "the message names both" "restore takes either a FOLDER or --last-good" "$err"
check_status "restore replaces the store with the copy again" 0 "$KAHU" restore "$work/copy"
check_status "the store is intact" 0 "$KAHU" verify
