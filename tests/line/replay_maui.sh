#!/bin/sh
# SPDX-License-Identifier: MIT
#
# replay_maui.sh - replays of Maui's traces: names of jobs and nodes, and polls
#
# Two nodes: n1 with 2 processors, n2 with 4 and the feature tape. The first job is submitted at 100.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

node() { # NAME PROCS FEATURES
	echo "COMPUTENODE AVAILABLE 0 $1 0 2048 1024 10000 $2 -1 -1 1 linux x86 $3 [batch:$2] [NONE] 1.0 [NONE] [NONE] [NONE]"
}

job() { # NAME TASKS USER WCLIMIT SUBMIT RUN FEATURES HOSTS
	echo "$1 0 $2 $3 g $4 Completed [batch:1] $5 $5 $5 $(($5 + $6)) [NONE] [NONE] [NONE] >= 0 >= 0 $7 $5 $2 -1" \
		"[NONE] [NONE] [NONE] cmd [NONE] 0 0 [DEFAULT] 1 0 0 0 0 0 [NONE] 0 $8 [NONE] [NONE] [NONE] [NONE]"
}

{
	echo "VERSION 230"
	node n1 2 '[NONE]'
	node n2 4 '[tape]'
} >machine.trace
{
	echo "VERSION 230"
	job a.1 6 amy 600 100 90 '[NONE]' '[NONE]'
	job b.2 2 bob 600 130 90 '[NONE]' '[NONE]'
	job c,3 1 eva 600 190 30 '[NONE]' '[NONE]'
} >work.trace

starts() { "$KAHU" replay work.trace --cluster machine.trace --policy easy --starts - "$@" 2>summary; }

check_equal "jobs keep their names, and a name with a comma is quoted" "job,submit,start,end,procs
a.1,100,100,190,6
b.2,130,190,280,2
\"c,3\",190,190,220,1" "$(starts)"
check_equal "with --poll passes are at multiples of it, the first after the first submission" \
	"job,submit,start,end,procs
a.1,100,120,240,6
b.2,130,240,360,2
\"c,3\",190,240,300,1" "$(starts --poll 60)"
check_equal "a cluster of equal nodes gives the same schedule" "$(starts)" \
	"$("$KAHU" replay work.trace --cluster 2x3 --policy easy --starts - 2>summary)"
check_equal "--until accepts a time of day" "$(starts --until 200)" "$(starts --until 00:03:20)"
check_equal "--jobs limits the number of jobs" "job,submit,start,end,procs
a.1,100,100,190,6" "$(starts --jobs 1)"

starts --placement nodes.csv >/dev/null
check_contains "--placement has the node names of the trace" "n2*4" "$(cat nodes.csv)"

"$KAHU" replay work.trace --cluster machine.trace --policy fcfs --compare easy >both
check_contains "--compare prints the difference" "difference" "$(cat both)"
"$KAHU" replay work.trace --cluster machine.trace --policy fcfs --compare easy --json >both.json
check_contains "the JSON has the other policy" '"compare":{"config":"easy","jobs":3' "$(tr -d ' \n' <both.json)"
check_contains "the JSON has the difference" '"difference":{"jobs":0' "$(tr -d ' \n' <both.json)"

printf '150 queue\n' >commands
"$KAHU" replay work.trace --cluster machine.trace --policy easy --do commands >out
check_contains "--do prints jobs with their names" "b.2" "$(cat out)"

# Invalid traces and arguments.
refused() { # NAME WORDS ARGUMENTS...
	refused_name=$1 refused_words=$2
	shift 2
	"$KAHU" replay "$@" >out 2>err
	check_equal "$refused_name is refused" 1 $?
	check_contains "$refused_name: the message has the reason" "$refused_words" "$(cat err)"
}
refused "a workload trace without a cluster" "--cluster NxP or a Maui resource trace" work.trace
refused "a workload trace as the cluster" "no node could be read" work.trace --cluster work.trace
refused "another file as the cluster" "not a Maui resource trace" work.trace --cluster commands
mkdir empty
refused "a folder without usage files" "no files FS.<epoch>" work.trace --cluster machine.trace --fairshare empty
refused "a missing folder of usage files" "cannot read the folder gone" work.trace --cluster machine.trace --fairshare gone
echo "x y z" >>work.trace
refused "a bad line under --strict" "--strict refuses" work.trace --cluster machine.trace --strict
check_contains "the message has the line and the reason" "work.trace:5: it has 3 fields, but a job needs at least 12" "$(cat err)"
