#!/bin/sh
# SPDX-License-Identifier: MIT
#
# reserve.sh - is what was reserved kept, remembered and released, on a stopped store and by a running scheduler?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

# Two nodes of four processors; at 100 job 1 has the one until 1000, 2 and 3 arrive later.
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
check_contains "who would run into it waits" "would run into reservation course at 00:05:00" "$said"
check_contains "it is in the list" "n001  course       User  R      4  -0:00:10" "$said"
check_contains "who is invited runs there" "n001  3            Job   R      4  -0:00:10" "$said"
check_contains "nobody else before it is over" "2,200,800,1800,4" "$(cat starts.csv)"

# What is reserved on a stopped store is there the next time; it is undone like any other change.
export KAHU_STORE="$work/st"
check_status "it is reserved" 0 "$KAHU" reserve -n maint -m disks ALL
check_contains "and said in the journal" "reserve maint: all nodes for nobody from" "$("$KAHU" journal -n 1)"
check_contains "it is remembered" '"name":"maint","type":"user","state":"Active"' "$("$KAHU" reservations --json)"
check_status "a second of that name is refused" 1 "$KAHU" setres -n maint n001
check_contains "with a sentence" "there is a reservation maint already" "$err"
check_status "it is released" 0 "$KAHU" releaseres maint
check_equal "and gone" "0 reservations located" "$("$KAHU" showres | tail -n 1)"
check_status "twice it is not" 1 "$KAHU" unreserve maint
check_contains "with a sentence" "there is no reservation maint" "$err"
check_status "a release is undone" 0 "$KAHU" undo
check_contains "and it stands again" '"name":"maint"' "$("$KAHU" reservations --json)"
check_status "users' own are not allowed unless the site says so" 1 "$KAHU" reserve -p -d 1:00:00 n001
check_contains "and it is said" "userreservations is 0" "$err"
check_status "the store is whole" 0 "$KAHU" verify

# The running scheduler keeps what others reserve with it.
export KAHU_STORE="$work/lab"
"$KAHU" serve >serve.out 2>serve.err &
server=$!
at_exit 'kill -9 "$server" 2>/dev/null'
wait_until 10 test -s serve.out || fail "the scheduler starts" "$(cat serve.err)"
ended() { "$KAHU" journal --from 1 | grep -q "end 1, status 0"; }

check_status "it is reserved there" 0 "$KAHU" reserve -n maint ALL
check_status "a job is taken" 0 "$KAHU" submit -o /dev/null -e /dev/null -- true
check_contains "and waits" "others are reserved for maint until it is released" "$("$KAHU" why 1)"
check_status "its owner is let in" 0 "$KAHU" reserve -n mine -u "$(id -un)" -d 60 ALL
check_contains "but must be by both" "maint" "$("$KAHU" why 1)"
check_status "the other is released" 0 "$KAHU" unreserve maint
check_true "then it runs" wait_until 20 ended
kill "$server" && wait "$server"
check_status "and the store is whole" 0 "$KAHU" verify
