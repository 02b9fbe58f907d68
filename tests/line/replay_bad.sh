#!/bin/sh
# SPDX-License-Identifier: MIT
#
# replay_bad.sh - replay refuses invalid logs and arguments with one message
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

good='1  0 -1 100 2 -1 -1 2 100 -1 1 1 1 -1 1 -1 -1 -1'
printf '; MaxProcs: 4\n%s\n' "$good" >good.swf

bad_line() { # NAME LINE REASON: the line is counted and reported, and the valid line is replayed
	printf '; MaxProcs: 4\n%s\n%s\n' "$2" "$good" >bad.swf
	check_status "$1: the other lines are replayed" 0 "$KAHU" replay bad.swf --json
	check_contains "$1: it is counted" '"jobs":1,"rejected":0,"bad_lines":1' "$out"
	check_contains "$1: the message has the line" "bad.swf:2: " "$err"
	check_contains "$1: the message has the reason" "$3" "$err"
	check_status "$1: --strict refuses it" 1 "$KAHU" replay bad.swf --strict --starts out.csv
	check_true "$1: no output file is written" test ! -e out.csv
}

bad_line "a short line" "2 10 -1 100" "4 "
bad_line "text for a number" "2 10 -1 abc 1 -1 -1 1 100" "abc"
bad_line "a number that overflows" "2 10 -1 100 99999999999999999999 -1 -1 1 100" "field 5"
bad_line "a negative submit time" "2 -10 -1 100 1 -1 -1 1 100" "field 2"

refused() { # NAME MESSAGE ARGUMENT...: status 1 and one message
	name=$1 sentence=$2
	shift 2
	check_status "$name is refused" 1 "$KAHU" replay "$@"
	check_contains "$name: the message has the reason" "$sentence" "$err"
	check_equal "$name: there is one message" 1 "$(printf '%s\n' "$err" | wc -l)"
	check_equal "$name: nothing is printed to standard output" "" "$out"
}

: >empty.swf
printf '; MaxProcs: 4\n' >comments.swf
printf '%s\n' "$good" >no_size.swf
printf '\177ELF\000\001 \377\n\376\000 x\033[2J y\n\001\002\003' >binary.swf
refused "a directory" "directory" "$work"
refused "a missing file" "none.swf" none.swf
refused "an empty file" "empty" empty.swf
refused "a file of comments" "no job" comments.swf
refused "a binary file" "no job could be read" binary.swf
refused "a log without the size of its cluster" "--cluster" no_size.swf
refused "an output file in a missing folder" "no/out.csv" good.swf --starts no/out.csv
refused "a directory as output file" "directory" good.swf --placement "$work"
refused "a missing script" "none.txt" good.swf --do none.txt
echo 'soon queue' >do.txt
refused "a script with an invalid time" "do.txt:1: " good.swf --do do.txt
echo 'xfactorweight = nan' >nan.conf
refused "an invalid configuration" "nan.conf:1: " good.swf --config nan.conf
refused "an unknown option" "xfactorweight" good.swf --set xfactrweight=1
check_equal "refused replays write no file" "" "$(ls -- *.csv *.new 2>/dev/null)"

printf '; MaxProcs: 4\n%s\n2 5 -1 100 1 -1 -1 1 100 -1 1 1 1 -1 1 -1 -1 -1\n3 7 -1 1' "$good" >cut.swf
check_status "a log that ends within a line is replayed" 0 "$KAHU" replay cut.swf --json
check_contains "the incomplete line is counted" '"jobs":2,"rejected":0,"bad_lines":1' "$out"
check_contains "the message has its line" "cut.swf:4: " "$err"

i=0
printf '; MaxProcs: 4\n%s\n' "$good" >many.swf
while [ $i -lt 15 ]; do echo "word $i" >>many.swf; i=$((i + 1)); done
check_status "many bad lines do not stop the replay" 0 "$KAHU" replay many.swf
check_equal "ten bad lines and their number are printed" 11 "$(printf '%s\n' "$err" | wc -l)"
check_contains "the number of the others is printed" "5 more unreadable lines" "$err"

wrong() { # NAME MESSAGE ARGUMENT...: status 2 and a message
	name=$1 sentence=$2
	shift 2
	check_status "$name is wrong usage" 2 "$KAHU" replay "$@"
	check_contains "$name: the message has the reason" "$sentence" "$err"
}

wrong "no log" "too few arguments"
wrong "two logs" "too many arguments" good.swf good.swf
wrong "an unknown policy" "fcfs, easy or conservative" good.swf --policy best
wrong "a policy and a configuration" "are mutually exclusive" good.swf --policy easy --config nan.conf
wrong "a wrong machine" "64x8" good.swf --cluster 64
wrong "a machine of nothing" "64x8" good.swf --cluster 0x8
wrong "a machine of letters" "64x8" good.swf --cluster axb
wrong "a number of jobs that is none" "--jobs" good.swf --jobs many
wrong "a setting without a value" "NAME=VALUE" good.swf --set xfactorweight
wrong "a time that is none" "is not a time of the log" good.swf --until soon
wrong "a date for a log without one" "UnixStartTime" good.swf --until 2026-03-24T16:30
wrong "an unknown report" "unknown verb" good.swf --report nothing
wrong "a report that changes something" "not a report" good.swf --report 'hold 1'
