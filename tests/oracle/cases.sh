#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cases.sh - compares Kahu with the output of the original
#
# Each folder of ../shared/cases contains a maui.cfg, traces, and the output of the original in its
# simulation mode. The configuration is imported, the traces are replayed with a pass every 60 s, and
# the commands of expected.txt run at their passes. Both outputs are converted to facts, which are
# compared by kind. Facts that a requirement defines differently are omitted, with the reason.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

oracle=$KAHU_SOURCE/tests/oracle
t0=1699920000

if [ -z "$shared" ] || [ ! -d "$shared/cases" ]; then
	skip "cases of the original" "../shared/cases does not exist"
	exit 0
fi

# The trace as the simulation reads it: the first jobs are submitted when it begins.
initial_queue() { # MAUI.CFG WORKLOAD.TRACE
	awk -v t0=$t0 '
		FNR == 1 { file++ }
		file == 1 { if (toupper($1) == "SIMINITIALQUEUEDEPTH") depth = $2; next }
		NF > 20 && jobs++ < depth { $9 = t0 }
		{ print }' "$1" "$2"
}

replay() { # FOLDER OPTIONS...
	replay_folder=$1
	shift
	for file in "$replay_folder"/FS.*; do
		[ ! -f "$file" ] || set -- --fairshare "$replay_folder" "$@"
		break
	done
	"$KAHU" replay workload.trace --cluster "$replay_folder/resource.trace" --config kahu.conf --poll 60 "$@"
}

compare_steps() { # NAME FOLDER
	awk -f "$oracle/cases_plan.awk" "$2/maui.cfg" "$2/expected.txt" >words
	grep '^!' words >touched.plan
	sed -n 's/^# //p' words | awk -v name="$1" '!seen[$1]++ {
		print "ok " name ": " $0 " # SKIP Kahu has no command that prints the same" }'
	grep '^[0-9]' words | sort -s -k 1,1n -k 2,2n >plan
	cut -f 1,4 plan >commands
	replay "$2" --do commands --until "$(tail -n 1 plan | cut -f 1)" >out 2>err
	grep -v "a command of --do or --report failed" err >errors
	if [ -s errors ]; then
		fail "$1: the trace is replayed" "$(cat errors)"
		return
	fi
	awk -f "$oracle/cases_text.awk" -f "$oracle/cases_maui.awk" plan "$2/expected.txt" >facts.maui
	awk -f "$oracle/cases_text.awk" -f "$oracle/cases_kahu.awk" plan workload.trace out >facts.kahu
	awk -v name="$1" -f "$oracle/cases_compare.awk" rules touched.plan facts.maui facts.kahu >result
	finish "$1"
}

compare_workload() { # NAME FOLDER
	if ! replay "$2" --starts starts.csv --placement placement.csv >out 2>err; then
		fail "$1: the trace is replayed" "$(cat err)"
		return
	fi
	strict=0
	! awk 'toupper($1) == "BACKFILLPOLICY" { print toupper($2) }' "$2/maui.cfg" | grep -q NONE || strict=1
	awk -v name="$1" -v t0=$t0 -v strict=$strict -f "$oracle/cases_workload.awk" \
		"$2/expected.txt" starts.csv placement.csv >result
	finish "$1"
}

finish() { # NAME
	cat result
	tests_failed=$((tests_failed + $(grep -c '^not ok' result)))
	[ -s result ] || fail "$1: there are facts to compare" "$(cat out)"
}

for folder in "$shared"/cases/*/; do
	folder=${folder%/}
	name=${folder##*/}
	if [ ! -f "$folder/maui.cfg" ]; then
		skip "$name" "not a run of the simulation; hpc2n is tested by tests/line/hpc2n.sh"
		continue
	fi
	awk -f "$oracle/cases_rules.awk" "$folder/maui.cfg" "$folder/expected.txt" "$folder/workload.trace" >rules
	reason=$(sed -n 's/^case\t*//p' rules | head -n 1)
	if [ -n "$reason" ]; then
		skip "$name" "$reason"
		continue
	fi
	if ! "$KAHU" import "$folder/maui.cfg" >kahu.conf 2>import.err; then
		fail "$name: maui.cfg is imported" "$(cat import.err)"
		continue
	fi
	initial_queue "$folder/maui.cfg" "$folder/workload.trace" >workload.trace
	if grep -q '^\$ ' "$folder/expected.txt"; then
		compare_steps "$name" "$folder"
	else
		compare_workload "$name" "$folder"
	fi
done
