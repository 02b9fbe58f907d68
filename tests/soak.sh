#!/bin/sh
# SPDX-License-Identifier: MIT
#
# soak.sh - the long form of the crash, fault, fuzz and property tests, as one table
#
#     test    runs    inputs    faults    violations    seconds
#
# Each line of the lists below is a test with the variables that make it long. Tests that judge response times run
# alone and first; then the others, the longest first. Half of these wait for jobs and kills more than they compute,
# so TEST_JOBS (4) run at a time, twice as many as processors. A test may print "# soak RUNS INPUTS FAULTS"; the
# inputs of a corpus program are its mutations; otherwise the cases of a test are its runs. A violation is a case that
# failed, or a test that died or took longer than an hour.
# SOAK=PATTERN: only the tests whose names match the extended regular expression. The status is 0 when there is no
# violation.

set -u
export LC_ALL=C.UTF-8 TZ=UTC CMOCKA_MESSAGE_OUTPUT=TAP
# Memory that a fuzzer frees is kept for its next input: returning it took two thirds of the time of some fuzzers.
export MALLOC_TRIM_THRESHOLD_=67108864 MALLOC_MMAP_THRESHOLD_=67108864
rounds=${ROUNDS:-1000}
limit_s=3600

list_alone() {
	echo "crash/flood.sh MANY=120"
}

list() {
	for kind in write fork open sync read malloc; do
		echo "crash/faults.sh KINDS=$kind FAULTS=$((rounds / 10))"
	done
	cat <<-TEXT
		unit/test_console MANY=50
		fuzz/corpus_maui_cfg FUZZ_RUNS=1000000
		fuzz/corpus_door FUZZ_RUNS=1000000
		crash/kill_shepherd.sh ROUNDS=$rounds
		fuzz/corpus_sweep_spec FUZZ_RUNS=1000000
		fuzz/corpus_advance FUZZ_RUNS=1000000
		fuzz/corpus_socket FUZZ_RUNS=1000000
		unit/test_term MANY=100
		unit/test_damage MANY=10
		unit/test_prune MANY=10
		crash/trap_request.sh
		crash/faults.sh KINDS=signal
		crash/faults.sh KINDS=clock
		crash/power_loss.sh IMAGES=$rounds
		crash/kill_serve.sh ROUNDS=$rounds
		crash/kill_commit ROUNDS=$rounds
		crash/failpoints.sh
		crash/scarce.sh
		line/tree.sh ROUNDS=$rounds
		line/disk_full.sh
		line/security.sh
		property/blackbox MANY=20
		property/drafts MANY=10
		property/remedies MANY=10
		property/cheapest MANY=10
		property/undo MANY=10
		property/rerun MANY=10
		property/names MANY=100
	TEXT
	for program in "${KAHU_BUILD:?}"/tests/fuzz/corpus_*; do
		name=${program##*/}
		case $name in
		*.* | corpus_maui_cfg | corpus_door | corpus_sweep_spec | corpus_advance | corpus_socket) ;;
		*) echo "fuzz/$name FUZZ_RUNS=1000000" ;;
		esac
	done
}

run_one() { # LOGS NAME [VARIABLE=VALUE]...
	logs=$1 name=$2
	shift 2
	title=${name%.sh}
	case ${1-} in KINDS=*) title="$title ${1#KINDS=}" ;; esac
	log=$logs/$(printf '%s' "$title" | tr '/ ' --)
	begun_s=$(date +%s)
	case $name in
	*.sh) env "$@" timeout -k 5 $limit_s sh "${KAHU_SOURCE:?}/tests/$name" ;;
	*) env "$@" timeout -k 5 $limit_s "${KAHU_BUILD:?}/tests/$name" ;;
	esac >"$log" 2>&1 </dev/null
	status=$?
	awk -v title="$title" -v status=$status -v took=$(($(date +%s) - begun_s)) '
		/^# soak / { runs = $3; inputs = $4; faults = $5; told = 1 }
		/^ok [0-9]+ mutations of the corpus run without a failure/ { inputs = $2 }
		/^ok .*# SKIP/ { skipped++; next }
		/^ok / { good++ }
		/^not ok / { bad++ }
		END {
			if (status != 0 && bad == 0) bad = 1
			if (!told) runs = good + 0
			printf "%-28s %9d %10s %8s %11d %8d%s\n", title, runs, inputs == "" ? "-" : inputs,
				faults == "" ? "-" : faults, bad, took, skipped ? "  " skipped " skipped" : ""
		}' "$log" | tee "$log.row"
	grep -A 20 '^not ok' "$log" | sed 's/^/    /' | head -n 60
}

if [ "${1-}" = --one ]; then
	shift
	run_one "$@"
	exit 0
fi

logs=$(mktemp -d) || exit 3
trap 'rm -rf "$logs"' EXIT
trap 'exit 3' HUP INT TERM
begun_s=$(date +%s)
printf '%-28s %9s %10s %8s %11s %8s\n' test runs inputs faults violations seconds
list_alone | grep -E "${SOAK:-.}" | xargs -r -L 1 sh "$0" --one "$logs"
list | grep -E "${SOAK:-.}" | xargs -r -P "${TEST_JOBS:-4}" -L 1 sh "$0" --one "$logs"
wanted=$({ list_alone && list; } | grep -c -E "${SOAK:-.}")
cat "$logs"/*.row | awk -v wanted="$wanted" -v took=$(($(date +%s) - begun_s)) '
	{ sub(/ (write|fork|open|sync|read|malloc|signal|clock) /, " ") } # the kind in a title
	{ runs += $2; inputs += $3; faults += $4; violations += $5 }
	END {
		if (NR != wanted) { print "only " NR " of " wanted " tests were run"; violations++ }
		printf "%-28s %9d %10d %8d %11d %8d\n", "all", runs, inputs, faults, violations, took
		exit violations > 0
	}'
