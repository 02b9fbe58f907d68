# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
#
# policy.sh - a Maui workload trace and earlier usage, for tests of the Fairshare and Limits screens

job() { # NAME PROCS USER WCLIMIT SUBMIT RUN [CLASS]: a line of a workload trace
	echo "$1 0 $2 $3 staff $4 Completed [${7:-batch}:1] $5 $5 $5 $(($5 + $6)) [NONE] [NONE] [NONE] >= 0 >= 0" \
		"[NONE] $5 $2 -1 [NONE] [NONE] [NONE] cmd [NONE] 0 0 [DEFAULT] 1 0 0 0 0 0 [NONE] 0 [NONE] [NONE]" \
		"[NONE] [NONE] [NONE]"
}

window() { # EPOCH USER HOURS...: the file of a window of 12 hours
	window_file=FS.$1 window_total=0
	shift
	echo "# Fairshare Data File (Duration: 43200 Seconds)  Starting: as its name says" >"$window_file"
	while [ $# -gt 0 ]; do
		echo "USER $1 $(($2 * 3600)).000" >>"$window_file"
		window_total=$((window_total + $2 * 3600))
		shift 2
	done
	echo "TOTAL $window_total.00" >>"$window_file"
}
