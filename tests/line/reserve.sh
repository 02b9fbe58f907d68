#!/bin/sh
# SPDX-License-Identifier: MIT
#
# reserve.sh - advance reservations in a replay, in a stopped store, and with a running scheduler
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

# Two nodes of four processors; at 100 job 1 runs on one of them until 1000; jobs 2 and 3 are submitted later.
cat >log.swf <<'TEXT'
; MaxProcs: 8
; MaxNodes: 2
1   0 -1 1000 4 -1 -1 4 1000 -1 1 1 1 -1 1 -1 -1 -1
2 200 -1 1000 4 -1 -1 4 1000 -1 1 2 1 -1 1 -1 -1 -1
3 300 -1  100 4 -1 -1 4  100 -1 1 3 1 -1 1 -1 -1 -1
TEXT
cat >do.txt <<'TEXT'
100 reserve -n course -u u3 -s +200 -d 500 n001
210 why 2
310 reservations -n
TEXT
said=$("$KAHU" replay log.swf --cluster 2x4 --do do.txt --starts starts.csv --store st) || exit 3
check_contains "a job that would run into the reservation waits" "would run into reservation course at 00:05:00" "$said"
check_contains "reservations lists the reservation" "n001  course       User  R      4  -0:00:10" "$said"
check_contains "a job of the reservation's user runs in it" "n001  3            Job   R      4  -0:00:10" "$said"
check_contains "the other job starts when the reservation is over" "2,200,800,1800,4" "$(cat starts.csv)"

# A reservation in a stopped store is saved, and can be undone like other changes.
export KAHU_STORE="$work/st"
check_status "a reservation is made" 0 "$KAHU" reserve -n maint -m disks ALL
check_contains "it is in the journal" "reserve maint: all nodes for nobody from" "$("$KAHU" journal -n 1)"
check_contains "it is saved" '"name":"maint","type":"user","state":"Active"' "$("$KAHU" reservations --json)"
check_status "a second reservation with that name is refused" 1 "$KAHU" setres -n maint n001
check_contains "the message has the reason" "reservation maint already exists" "$err"
check_status "it is released" 0 "$KAHU" releaseres maint
check_equal "no reservation is left" "0 reservations located" "$("$KAHU" showres | tail -n 1)"
check_status "a second release is refused" 1 "$KAHU" unreserve maint
check_contains "the message has the reason" "there is no reservation maint" "$err"
check_status "the release is undone" 0 "$KAHU" undo
check_contains "the reservation is restored" '"name":"maint"' "$("$KAHU" reservations --json)"
check_status "a user's own reservation is refused by default" 1 "$KAHU" reserve -p -d 1:00:00 n001
check_contains "the message names the option" "userreservations is 0" "$err"
check_status "the store is intact" 0 "$KAHU" verify

# With a running scheduler.
export KAHU_STORE="$work/lab"
"$KAHU" serve >serve.out 2>serve.err &
server=$!
at_exit 'kill -9 "$server" 2>/dev/null'
wait_until 10 test -s serve.out || fail "the scheduler starts" "$(cat serve.err)"
ended() { "$KAHU" journal --from 1 | grep -q "end 1, status 0"; }

check_status "a reservation of all nodes is made" 0 "$KAHU" reserve -n maint ALL
check_status "a job is submitted" 0 "$KAHU" submit -o /dev/null -e /dev/null -- true
check_contains "it waits for the reservation" "others are reserved for maint until it is released" "$("$KAHU" why 1)"
check_status "a second reservation is made for the user" 0 "$KAHU" reserve -n mine -u "$(id -un)" -d 60 ALL
check_contains "the job still waits for the first one" "maint" "$("$KAHU" why 1)"
check_status "the first reservation is released" 0 "$KAHU" unreserve maint
check_true "the job runs" wait_until 20 ended
kill "$server" && wait "$server"
check_status "the store is intact" 0 "$KAHU" verify
