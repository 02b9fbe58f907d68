#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh - which tests passed?
#
# Runs each program or script given, TEST_JOBS at a time (by default two for each processor and one more, since
# most of the time many wait for something), each for at most TEST_TIMEOUT seconds (600), and prints one line for
# it, with its words when something failed. All of them speak the same lines, those of TAP: "ok NAME", "not ok NAME",
# "# SKIP" after a name that was left out, and perhaps "1..N", the number to come.
# Failures are repeated at the end, after them the ten slowest programs. The last line
# counts the cases of all. A program that ran no case, stopped before its
# last one, died or outlived its time counts as one failed case more. TEST_UNDER is a
# command that programs are run by, as arguments of it.

set -u
export LC_ALL=C.UTF-8 TZ=UTC CMOCKA_MESSAGE_OUTPUT=TAP
# glibc fills memory with these bits when it is allocated and freed, so that a use of either shows.
export MALLOC_PERTURB_=165
limit_s=${TEST_TIMEOUT:-600}
at_a_time=${TEST_JOBS:-$(($(getconf _NPROCESSORS_ONLN) * 2 + 1))}
SLOW_S=10 # the time of what takes as long is said

# "unit/test_err" for build/tests/unit/test_err and for source/tests/unit/test_err.sh alike.
short_name() { printf '%s' "${1##*tests/}" | sed 's/\.sh$//'; }

# shellcheck disable=SC2086 # TEST_UNDER is several words
run() { # PROGRAM: its words go to stdout and stderr
	case $1 in
	*.sh) timeout -k 5 "$limit_s" sh "$1" ;;
	*) timeout -k 5 "$limit_s" ${TEST_UNDER-} "$1" ;;
	esac
}

# Reads a log; says: passed failed skipped promised, the last one -1 when no plan was printed. Plans add up.
count() {
	awk '
		/^(not )?ok .*# SKIP/ { skipped++; next }
		/^ok / { passed++ }
		/^not ok / { failed++ }
		/^1\.\.[0-9]+$/ { promised += substr($0, 4); planned = 1 }
		END { print passed + 0, failed + 0, skipped + 0, planned ? promised : -1 }' "$1"
}

# What went wrong beyond the cases themselves, as a sentence; nothing when all is well.
trouble() { # STATUS CASES FAILED PROMISED
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

# One program: prints its line, and its log when it failed; leaves "passed failed skipped" in the log's name.count.
run_one() { # PROGRAM LOG
	begun_s=$(date +%s)
	run "$1" >"$2" 2>&1 </dev/null
	status=$?
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
	echo "run.sh: no tests were given." >&2
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
