# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# history.sh - functions of scripts that kill the scheduler and check the remaining state
#
# Jobs log their own begin and end (O_APPEND, one line each); the log is compared with
# the printed IDs and the journal. Each script that reads this file has, in $work:
#
#     log         "begin NUMBER" and "end NUMBER", by the jobs
#     accepted    "ID NUMBER", for each printed ID; "ID NUMBER STATUS" if its status is not
#                 than 3 + NUMBER modulo 7
#     ends        "ID STATUS", for each end in the journal; STATUS is "lost" if it is unknown

# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

seed=${SEED:-$$}
export KAHU_STORE="$work/st"
: >log
: >accepted

# BELOW; sets $random, because in a subshell the seed would not change.
# shellcheck disable=SC2034
random() {
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	random=$((seed / 65536 % $1))
}

serve() {
	: >serve.out
	"$KAHU" serve >serve.out 2>serve.err &
	server=$!
	wait_until 20 test -s serve.out || fail "the scheduler starts" "$(cat serve.err)"
}

kill_server() {
	[ -n "$server" ] || return 0
	kill -9 "$server" 2>/dev/null
	wait "$server" 2>/dev/null
}

# The PIDs of the living shepherds of this store.
shepherds() { "$KAHU_BUILD/tests/crash/show_spool" "$KAHU_STORE/spool" 2>/dev/null | awk '$4 == "alive" { print $3 }'; }

kill_all() {
	[ -z "$submitter" ] || kill "$submitter" 2>/dev/null
	kill_server
	# shellcheck disable=SC2046 # pids are words
	kill -9 $(shepherds) 2>/dev/null
}
server='' submitter=''
at_exit kill_all

# A job that logs its begin and end and has a status of its own.
cat >job.sh <<'TEXT'
#!/bin/sh
echo "begin $1" >>"$2/log"
sleep "$3"
echo "end $1" >>"$2/log"
exit $((3 + $1 % 7))
TEXT
chmod +x job.sh

submit_one() { # NUMBER SECONDS [OPTION...]
	one_number=$1 one_s=$2
	shift 2
	one_id=$("$KAHU" submit -o /dev/null -j oe -l walltime=60 "$@" -- "$work/job.sh" "$one_number" "$work" "$one_s" 2>/dev/null) &&
		echo "$one_id $one_number" >>accepted
}

read_ends() {
	"$KAHU" journal --from 1 2>/dev/null |
		awk '{ sub(/,$/, "", $5) }
			$4 == "requeue" { again[$5] = 1 }
			$4 == "start" { runs[$5] = 1 }
			$4 == "end" {
				sub(/,$/, "", $7)
				if (again[$5] && runs[$5])
					again[$5] = 0 # the end of the requeued run
				else
					print $5, $7 ~ /^unknown/ ? "lost" : $7
			}' >ends
}

all_ended() {
	read_ends
	awk 'FILENAME == "ends" { over[$1] = 1; next } !($1 in over) { missing = 1 } END { exit missing }' ends accepted
}

# Prints violations; nothing if every accepted job has run once and ended with its status. With "lost", a job
# whose shepherd was killed may be lost.
judge() { # [lost]
	cat log ends accepted >/dev/null
	awk -v may_be_lost="${1:-}" '
		FILENAME == "log" { if ($1 == "begin") begun[$2]++; else over[$2]++; next }
		FILENAME == "ends" { count[$1]++; status[$1] = $2; next }
		{
			id = $1; n = $2
			if (!(id in count)) { print "unaccounted: job", id, "(" n ")"; next }
			if (count[id] != 1) print "ended", count[id], "times: job", id
			if (begun[n] > 1) print "run", begun[n], "times: job", id, "(" n ")"
			if (status[id] == "lost") {
				if (may_be_lost != "lost") print "lost: job", id
				next
			}
			if (begun[n] + 0 == 0) print "never run: job", id, "(" n "), status", status[id]
			if (status[id] != (NF > 2 ? $3 : 3 + n % 7)) print "wrong status: job", id, "(" n ")", status[id]
		}' log ends accepted
}

count() { awk 'END { print NR + 0 }' "$1"; } # FILE
count_lost() { grep -c lost ends; }
