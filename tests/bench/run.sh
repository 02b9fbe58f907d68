#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh - runs the bench programs and scripts, prints a table, and checks the gates
#
# Each program given as an argument prints rows "name TAB value TAB unit TAB
# gate" (bench.h); a gate is "<=N", ">=N" or "-". The status is 1 if a gate fails or a
# program dies. Lines without tabs are printed unchanged.

set -u
export LC_ALL=C.UTF-8

machine() {
	model=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
	memory=$(awk '/^MemTotal/ { printf "%.0f GB", $2 / 1048576 }' /proc/meminfo 2>/dev/null)
	load=$(cut -d' ' -f1 /proc/loadavg 2>/dev/null)
	echo "machine: ${model:-unknown processor}, $(getconf _NPROCESSORS_ONLN) processors, ${memory:-unknown memory}," \
		"$(uname -sr), load ${load:-unknown}"
	[ -z "${KAHU_COMPILER-}" ] || echo "built with: $KAHU_COMPILER"
}

run() {
	case $1 in
	*.sh) sh "$1" ;;
	*) "$1" ;;
	esac
}

[ $# -gt 0 ] || {
	echo "bench: there are no measurements." >&2
	exit 1
}
machine
for program; do
	run "$program" || printf '%s\tdied\t\t<=0\n' "${program##*/}"
done | awk -F '\t' '
	function good(value, gate,  limit) {
		limit = substr(gate, 3) + 0
		if (value !~ /^[-+.0-9e]+$/) return 0
		return gate ~ /^<=/ ? value + 0 <= limit : value + 0 >= limit
	}
	NF < 4 { print; next }
	!head++ { printf "%-52s %12s %-10s %-12s\n", "measured", "value", "unit", "gate" }
	{
		judged = $4 == "-" ? "" : good($2, $4) ? "ok" : "FAIL"
		if (judged == "FAIL") missed[failed++] = $1 ": " $2 " " $3 ", " $4
		if (judged == "ok") held++
		printf "%-52s %12s %-10s %-12s %s\n", $1, $2, $3, $4, judged
		fflush()
	}
	END {
		for (i = 0; i < failed; i++) print "failed: " missed[i]
		printf "%d gates hold, %d fail\n", held, failed
		exit failed > 0
	}'
