#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tail.sh - kahu tail prints the output of jobs, while they run and afterwards
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

export KAHU_STORE="$work/st"
lines() { printf '%s\n' "$1" | tr '\n' ' ' | sed 's/ $//'; }
serve

"$KAHU" submit -N count -- sh -c 'echo oops >&2; seq 1 30; until test -e go; do sleep 0.02; done; echo last' >ids
"$KAHU" tail -f -n 3 1 >seen 2>seen.err &
tail=$!
check_true "tail -f prints the output of a running job" wait_until 20 has 30 seen
check_status "tail succeeds" 0 "$KAHU" tail 1
check_equal "it prints the last ten lines" "21 22 23 24 25 26 27 28 29 30" "$(lines "$out")"
check_status "tail -n 2 succeeds" 0 "$KAHU" tail -n 2 1
check_equal "it prints two lines" "29 30" "$(lines "$out")"
check_status "tail -n 0 succeeds" 0 "$KAHU" tail -n 0 1
check_equal "it prints nothing" "" "$out"
check_status "tail -n 1000 succeeds" 0 "$KAHU" tail -n 1000 1
check_equal "it prints all lines" 30 "$(printf '%s\n' "$out" | wc -l)"
check_status "tail -e succeeds" 0 "$KAHU" tail -e 1
check_equal "it prints the standard error" oops "$out"
check_true "tail -f still waits" kill -0 $tail
touch go
wait $tail
check_equal "tail -f ends with the job" 0 $?
check_equal "it has printed the last line" last "$(tail -n 1 seen)"
check_status "tail of an ended job succeeds" 0 "$KAHU" tail -n 1 1
check_equal "it prints the last line" last "$out"
check_status "tail -f of an ended job ends at once" 0 "$KAHU" tail -f -n 1 1

# Lines of different lengths, the last one without a newline.
"$KAHU" submit -N odd -- sh -c 'head -c 20000 /dev/zero | tr "\0" x; echo; echo; printf end' >ids
check_status "a job ends" 0 "$KAHU" wait 2
check_equal "a last line without a newline is printed" end "$("$KAHU" tail -n 1 2)"
check_equal "an empty line is printed" "1 end" "$(lines "$("$KAHU" tail -n 2 2 | sed '1s/^$/1/')")"
check_equal "a line of 20000 bytes is printed" 20000 "$("$KAHU" tail -n 3 2 | head -n 1 | tr -d '\n' | wc -c)"

# A file without newlines that is larger than any disk.
cp odd.o2 odd.kept
truncate -s 1T odd.o2
printf "far\n" >>odd.o2
check_status "tail of a file of one terabyte succeeds" 0 timeout 20 "$KAHU" tail --raw 2
check_contains "a warning has the limit" "bytes skipped; only the last 1058816 are shown" "$err"
check_equal "the end of the file is printed" far "$(printf '%s' "$out" | tail -c 3)"
check_status "tail -n 1000 of it succeeds" 0 timeout 20 "$KAHU" tail --raw -n 1000 2
mv odd.kept odd.o2

# Missing output.
"$KAHU" submit -h -N later -- sh -c 'echo begun' >ids
check_status "tail of a held job is refused" 1 "$KAHU" tail 3
check_contains "the message names its output file" "$work/later.o3 does not exist" "$err"
"$KAHU" tail -f 3 >seen 2>seen.err &
tail=$!
"$KAHU" release 3 >/dev/null
wait $tail
check_equal "tail -f of a held job waits for its start" begun "$(cat seen)"
"$KAHU" submit -o /dev/null -e /dev/null -- true >ids
check_status "a job with output to /dev/null ends" 0 "$KAHU" wait 4
check_status "tail of it is refused" 1 "$KAHU" tail 4
check_contains "the message has the reason" "/dev/null is not a regular file" "$err"
check_status "an unknown job is refused" 1 "$KAHU" tail 99
check_status "several jobs are refused" 1 "$KAHU" tail 1-3
check_contains "the message has the number of jobs" "matches 3 jobs; name one" "$err"
"$KAHU" submit -t 0-1 -N task -e /dev/null -- sh -c 'echo task $KAHU_ARRAY_ID' >ids
check_status "an array ends" 0 "$KAHU" wait '5[]'
check_status "tail of the whole array is refused" 1 "$KAHU" tail 5
check_contains "the message names a task" "name one, such as 5[0]" "$err"
check_equal "tail prints the output of one task" "task 1" "$("$KAHU" tail '5[1]')"
check_status "an invalid number of lines is wrong usage" 2 "$KAHU" tail -n x 1
rm count.o1 && mkfifo count.o1
check_status "tail of a FIFO is refused without waiting" 1 "$KAHU" tail 1
check_contains "the message has the reason" "is not a regular file" "$err"

kill -9 "$server"
wait "$server" 2>/dev/null
check_equal "tail works without a scheduler" end "$("$KAHU" tail -n 1 2)"
serve
check_equal "tail works with the next scheduler" end "$("$KAHU" tail -n 1 2)"
