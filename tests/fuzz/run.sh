#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh - what does clang's fuzzer find in FUZZ_SECONDS (10) a parser?
#
# Each program given, fuzz_NAME, starts from tests/fuzz/corpus/NAME and from what earlier
# runs learned, kept below the build. An input that fails is left there and named.
#
#   build/libfuzzer/tests/fuzz/fuzz_NAME FILE       runs one input again

set -u
seconds=${FUZZ_SECONDS:-10}
learned=${KAHU_BUILD:?}/libfuzzer/learned
failed=0

[ $# -gt 0 ] || {
	echo "not ok there are no fuzzers"
	exit 1
}
for program; do
	name=${program##*/fuzz_}
	mkdir -p "$learned/$name"
	if "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=65536 -verbosity=0 \
		-print_final_stats=1 -artifact_prefix="$learned/$name-" "$learned/$name" \
		"${KAHU_SOURCE:?}/tests/fuzz/corpus/$name" >"$learned/$name.log" 2>&1; then
		runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$learned/$name.log")
		echo "ok $name survives ${runs:-?} inputs in $seconds s"
	else
		tail -n 40 "$learned/$name.log" | sed 's/^/# /'
		echo "not ok $name; the input is named above"
		failed=$((failed + 1))
	fi
done
exit $((failed > 0))
