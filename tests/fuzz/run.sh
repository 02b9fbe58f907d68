#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh - runs clang's fuzzer for FUZZ_SECONDS (10) on each parser, TEST_JOBS (2) at a time
#
# Each program, fuzz_NAME, starts from tests/fuzz/corpus/NAME and from the inputs that earlier
# runs have found, which are kept below the build folder. A failing input is kept there, and its name is printed.
#
#   build/libfuzzer/tests/fuzz/fuzz_NAME FILE       runs one input again

set -u
seconds=${FUZZ_SECONDS:-10}
at_a_time=${TEST_JOBS:-2}
learned=${KAHU_BUILD:?}/libfuzzer/learned
begun=0

fuzz() { # PROGRAM
	name=${1##*/fuzz_}
	mkdir -p "$learned/$name"
	if "$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=65536 -verbosity=0 \
		-print_final_stats=1 -artifact_prefix="$learned/$name-" "$learned/$name" \
		"${KAHU_SOURCE:?}/tests/fuzz/corpus/$name" >"$learned/$name.log" 2>&1; then
		runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$learned/$name.log")
		echo "ok $name runs ${runs:-?} inputs in $seconds s without a failure"
	else
		: >"$learned/failed"
		printf '%s\nnot ok %s; the name of the input is printed above\n' "$(tail -n 40 "$learned/$name.log" | sed 's/^/# /')" "$name"
	fi
}

[ $# -gt 0 ] || {
	echo "not ok no fuzzers given"
	exit 1
}
mkdir -p "$learned" && rm -f "$learned/failed" || exit 3
for program; do
	fuzz "$program" &
	begun=$((begun + 1))
	[ $((begun % at_a_time)) -ne 0 ] || wait
done
wait
[ ! -e "$learned/failed" ]
