#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tail.sh - do people see what their jobs write, while they run and afterwards?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

export KAHU_STORE="$work/st"
lines() { printf '%s\n' "$1" | tr '\n' ' ' | sed 's/ $//'; }
serve

"$KAHU" submit -N count -- sh -c 'echo oops >&2; seq 1 30; until test -e go; do sleep 0.02; done; echo last' >ids
"$KAHU" tail -f -n 3 1 >seen 2>seen.err &
tail=$!
check_true "what is written" wait_until 20 has 30 seen
check_status "is shown" 0 "$KAHU" tail 1
check_equal "the last ten lines" "21 22 23 24 25 26 27 28 29 30" "$(lines "$out")"
check_status "or as many as are wanted" 0 "$KAHU" tail -n 2 1
check_equal "of them" "29 30" "$(lines "$out")"
check_status "or none" 0 "$KAHU" tail -n 0 1
check_equal "at all" "" "$out"
check_status "or all" 0 "$KAHU" tail -n 1000 1
check_equal "there are" 30 "$(printf '%s\n' "$out" | wc -l)"
check_status "errors have a file of their own" 0 "$KAHU" tail -e 1
check_equal "with what stands there" oops "$out"
check_true "who follows" kill -0 $tail
touch go
wait $tail
check_equal "stays until it has ended" 0 $?
check_equal "and misses nothing" last "$(tail -n 1 seen)"
check_status "when it has ended it is there still" 0 "$KAHU" tail -n 1 1
check_equal "whole" last "$out"
check_status "and following it ends at once" 0 "$KAHU" tail -f -n 1 1

# Lines of all lengths, a last one without an end.
"$KAHU" submit -N odd -- sh -c 'head -c 20000 /dev/zero | tr "\0" x; echo; echo; printf end' >ids
check_status "one that ends" 0 "$KAHU" wait 2
check_equal "its last word" end "$("$KAHU" tail -n 1 2)"
check_equal "the empty line before it" "1 end" "$(lines "$("$KAHU" tail -n 2 2 | sed '1s/^$/1/')")"
check_equal "the long one" 20000 "$("$KAHU" tail -n 3 2 | head -n 1 | tr -d '\n' | wc -c)"

# A file without line ends that is larger than all disks.
cp odd.o2 odd.kept
truncate -s 1T odd.o2
printf "far\n" >>odd.o2
check_status "one of a terabyte" 0 timeout 20 "$KAHU" tail --raw 2
check_contains "is shown up to a bound" "bytes skipped; only the last 1058816 are shown" "$err"
check_equal "from its end" far "$(printf '%s' "$out" | tail -c 3)"
check_status "also to those who ask for more" 0 timeout 20 "$KAHU" tail --raw -n 1000 2
mv odd.kept odd.o2

# What is not there.
"$KAHU" submit -h -N later -- sh -c 'echo begun' >ids
check_status "one that waits has written nothing" 1 "$KAHU" tail 3
check_contains "and its file is named" "$work/later.o3 does not exist" "$err"
"$KAHU" tail -f 3 >seen 2>seen.err &
tail=$!
"$KAHU" release 3 >/dev/null
wait $tail
check_equal "who follows it waits for its start" begun "$(cat seen)"
"$KAHU" submit -o /dev/null -e /dev/null -- true >ids
check_status "one that writes nowhere" 0 "$KAHU" wait 4
check_status "has nothing kept" 1 "$KAHU" tail 4
check_contains "which is said" "/dev/null is not a regular file" "$err"
check_status "one that never was" 1 "$KAHU" tail 99
check_status "several at once" 1 "$KAHU" tail 1-3
check_contains "are too many" "matches 3 jobs; name one" "$err"
"$KAHU" submit -t 0-1 -N task -e /dev/null -- sh -c 'echo task $KAHU_ARRAY_ID' >ids
check_status "an array" 0 "$KAHU" wait '5[]'
check_status "is several jobs" 1 "$KAHU" tail 5
check_contains "too" "name one, such as 5[0]" "$err"
check_equal "one task has its file" "task 1" "$("$KAHU" tail '5[1]')"
check_status "no number" 2 "$KAHU" tail -n x 1
rm count.o1 && mkfifo count.o1
check_status "a FIFO at its place" 1 "$KAHU" tail 1
check_contains "is not waited for" "is not a regular file" "$err"

kill -9 "$server"
wait "$server" 2>/dev/null
check_equal "without a scheduler as well" end "$("$KAHU" tail -n 1 2)"
serve
check_equal "and with the next one" end "$("$KAHU" tail -n 1 2)"
