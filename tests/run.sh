#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh - runs tests and prints their results
#
# Runs each program or script given as an argument, TEST_JOBS at a time (by default two for each processor and one more,
# because most tests wait most of the time), each for at most TEST_TIMEOUT seconds (600), and prints one line for
# it, with its output if a case failed, and the state of all processes if its time was over. The tests print TAP:
# "ok NAME", "not ok NAME", "# SKIP" after the name of a skipped case, and optionally "1..N", the number of cases.
# Failures are repeated at the end, followed by the ten slowest tests. The last line has the total number of cases.
# A test that ran no case, stopped before its last one, died or exceeded its time counts as one more failed case.
# TEST_UNDER is a command, such as valgrind, that runs the programs.

set -u
export LC_ALL=C.UTF-8 TZ=UTC CMOCKA_MESSAGE_OUTPUT=TAP
# glibc fills memory with these bits when it is allocated and freed, so that uses of such memory are noticed.
export MALLOC_PERTURB_=165
limit_s=${TEST_TIMEOUT:-600}
at_a_time=${TEST_JOBS:-$(($(getconf _NPROCESSORS_ONLN) * 2 + 1))}
SLOW_S=10 # from this number of seconds on the time is printed

# "unit/test_err" for build/tests/unit/test_err and for source/tests/unit/test_err.sh alike.
short_name() { printf '%s' "${1##*tests/}" | sed 's/\.sh$//'; }

# shellcheck disable=SC2086 # TEST_UNDER is several words
run() { # PROGRAM
	case $1 in
	*.sh) timeout -k 5 "$limit_s" sh "$1" ;;
	*) timeout -k 5 "$limit_s" ${TEST_UNDER-} "$1" ;;
	esac
}

# A line for each process with a command: its state and where it waits in the kernel.
print_processes() {
	for process in /proc/[0-9]*; do
		[ -e "$process/exe" ] || continue
		printf '# %s of %s %s: %s, %s\n' "${process#/proc/}" "$(sed -n 's/^PPid:[[:space:]]*//p' "$process/status")" \
			"$(cat "$process/comm")" "$(sed -n 's/^State:[[:space:]]*//p' "$process/status")" "$(cat "$process/wchan")"
	done 2>/dev/null
}

# Prints the processes shortly before the time of a test is over, unless it is killed earlier.
watch_for_time_limit() {
	sleep $((limit_s - 3)) &
	sleep_pid=$!
	trap 'kill $sleep_pid; exit' TERM
	wait $sleep_pid && print_processes
}

# Prints "passed failed skipped planned" for a log; planned is -1 if no plan was printed, and the sum of several.
count() {
	awk '
		/^(not )?ok .*# SKIP/ { skipped++; next }
		/^ok / { passed++ }
		/^not ok / { failed++ }
		/^1\.\.[0-9]+$/ { total += substr($0, 4); planned = 1 }
		END { print passed + 0, failed + 0, skipped + 0, planned ? total : -1 }' "$1"
}

# A sentence about a failure other than that of a case; nothing if there is none.
trouble() { # STATUS CASES FAILED PLANNED
	if [ "$1" -eq 124 ] || [ "$1" -eq 137 ]; then
		echo "was stopped after its time limit of $limit_s s"
	elif [ "$4" -ge 0 ] && [ "$2" -ne "$4" ]; then
		echo "stopped after $2 of $4 cases, status $1"
	elif [ "$1" -ne 0 ] && [ "$3" -eq 0 ]; then
		echo "ended with status $1"
	elif [ "$2" -eq 0 ]; then
		echo "ran no case at all"
	fi
}

# Runs one test: prints its line, and its log if it failed; writes "passed failed skipped" to LOG.count.
run_one() { # PROGRAM LOG
	begun_s=$(date +%s)
	watch_for_time_limit >"$2.processes" &
	watch_pid=$!
	run "$1" >"$2" 2>&1 </dev/null
	status=$?
	kill $watch_pid 2>/dev/null
	wait $watch_pid 2>/dev/null
	cat "$2.processes" >>"$2"
	took_s=$(($(date +%s) - begun_s))
	# shellcheck disable=SC2046 # four words
	set -- "$1" "$2" $(count "$2")
	sentence=$(trouble $status $(($3 + $4 + $5)) "$4" "$6")
	failed=$4
	[ -z "$sentence" ] || failed=$((failed + 1))
	echo "$3 $failed $5" >"$2.count"
	echo "$took_s $(short_name "$1")" >"$2.took"
	{
		printf '%-36s %s passed' "$(short_name "$1")" "$3"
		[ "$failed" -eq 0 ] || printf ', %s FAILED' "$failed"
		[ "$5" -eq 0 ] || printf ', %s skipped' "$5"
		[ "$took_s" -lt "$SLOW_S" ] || printf ', %s s' "$took_s"
		[ -z "$sentence" ] || printf ': %s' "$sentence"
		printf '\n'
		sed -n 's/^\(not \)\{0,1\}ok \(.*# SKIP.*\)$/    skipped: \2/p' "$2"
		[ "$failed" -eq 0 ] || tail -n 100 "$2" | sed 's/^/    /'
	} >"$2.words"
	cat "$2.words"
}

if [ "${1-}" = --one ]; then
	run_one "$2" "$3/$(short_name "$2" | tr / -).log"
	exit 0
fi

[ $# -gt 0 ] || {
	echo "run.sh: no tests given" >&2
	exit 2
}
logs=$(mktemp -d) || exit 3
trap 'rm -rf "$logs"' EXIT
trap 'exit 3' HUP INT TERM

for program; do
	printf '%s\n' "$program"
done | xargs -P "$at_a_time" -I @ sh "$0" --one @ "$logs"

for counted in "$logs"/*.count; do
	read -r _ failed _ <"$counted"
	[ "$failed" -eq 0 ] || {
		echo "failed: $(head -n 1 "${counted%.count}.words")"
		grep -A 4 '^not ok' "${counted%.count}" | sed 's/^/    /' | head -n 40
	}
done

echo "slowest: $(cat "$logs"/*.took | sort -rn | head -n 10 | awk '{ printf "%s%s %d s", (NR > 1 ? ", " : ""), $2, $1 }')"
cat "$logs"/*.count | awk -v programs=$# '
	{ passed += $1; failed += $2; skipped += $3 }
	END {
		if (NR != programs) { failed++; print "only " NR " of " programs " test programs were run" }
		printf "%d passed, %d failed%s\n", passed, failed, skipped ? ", " skipped " skipped" : ""
		exit failed > 0
	}'
