#!/bin/sh
# SPDX-License-Identifier: MIT
#
# when.sh - tests that `when PROCS@DURATION` prints the actual start of a job
#
# In random scenes (limits, shares, priorities of the submitting user and group, reservations, backfill) the start
# that `when` prints for a hypothetical job is compared with the output of `when` and `job` for that job once it is
# submitted, and with its start in a replay in which nothing else happens. SEED and SCENES choose other scenes.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

seed=${SEED:-1} scenes=${SCENES:-60}
me=$(id -un) my_group=$(id -gn)

# Writes log, site.conf and scene: CLUSTER PROCS WCLIMIT TIME CLASS ID of the hypothetical job.
make_scene() { # SEED
	awk -v seed="$1" -v me="$me" -v my_group="$my_group" '
		function below(n) {
			state = state * 16807 % 2147483647
			return int(state / 2147483647 * n)
		}
		function one_of(words,   list, n) {
			n = split(words, list, " ")
			return list[1 + below(n)]
		}
		function maybe(percent, text) {
			return below(100) < percent ? text : ""
		}
		function limits() {
			return maybe(30, " priority = " one_of("10 100 1000")) \
				maybe(30, " maxproc = {\"" one_of("2 4") "," one_of("4 8") "\"}") \
				maybe(20, " maxjob = {\"" one_of("1 2") "\"}") maybe(20, " maxijob = {\"" one_of("1 2") "\"}") \
				maybe(20, " maxps = {\"" one_of("5000 20000") "," one_of("30000 72000") "\"}") \
				maybe(20, " fstarget = \"" one_of("20 40") ".0" one_of("+ - %") "\"")
		}
		BEGIN {
			state = seed * 7919 + 1
			for (i = 0; i < 10; i++)
				below(2)
			procs = one_of("4 8 16")
			nodes = one_of("1 2 4")
			conf = "site.conf"
			print "queuetimeweight = " one_of("0 1 10") >conf
			print maybe(60, "xfactorweight = " one_of("10 1000")) >conf
			print "backfillpolicy = " one_of("firstfit bestfit none") >conf
			print "reservationpolicy = " one_of("currenthighest highest never") >conf
			print maybe(40, "fspolicy = dedicatedps\nfsinterval = \"0:20:00\"\nfsdepth = 4\nfsdecay = 0.5\nfsweight = 10\nfsuserweight = 10") >conf
			print maybe(30, "reservationdepth = " one_of("0 2 5")) >conf
			print maybe(30, "hardpass = resources") >conf
			print maybe(30, "userweight = 5\ngroupweight = 5\nclassweight = 5") >conf
			users = me " eva bob ann"
			groups = my_group " g h"
			n = split(users, list, " ")
			for (i = 1; i <= n; i++)
				print "user " list[i] " { " limits() " }" >conf
			n = split(groups, list, " ")
			for (i = 1; i <= n; i++)
				print "group " list[i] " { " limits() " }" >conf
			print "class batch { priority = 1 }\nclass fast { priority = 50 " maybe(50, "maxjob = {\"1\"}") " }" >conf

			jobs = 3 + below(22)
			at = 1000000
			print "VERSION 230" >"log"
			for (i = 1; i <= jobs; i++) {
				at += one_of("0 0 1 30 " below(600))
				wall = one_of("60 300 600 1200 3600 " 30 + below(4970))
				size = 1 + below(below(2) ? procs : procs / 2)
				printf "%d 0 %d %s %s %d Completed [%s:1] %d %d %d %d [NONE] [NONE] [NONE] >= 0 >= 0 [NONE] %d %d " \
					"-1 [NONE] [NONE] none cmd [NONE] 0 0 [DEFAULT] 1 0 0 0 0 0 [NONE] 0 [NONE] [NONE] [NONE] " \
					"[NONE] [NONE]\n", i, size, one_of(users), one_of(groups), wall, one_of("batch fast"), at, at,
					at, at + wall, at, size >"log"
			}
			print nodes "x" int(procs / nodes), 1 + below(procs), one_of("60 300 600 1800 3600"),
				at + one_of("0 1 59 300"), one_of("- batch fast"), jobs + 1 >"scene"
		}'
}

ask() { # the commands are read from stdin
	cat >commands
	"$KAHU" replay log --cluster "$cluster" --config site.conf --do commands 2>/dev/null
}

number() { # FIELD LINE: what the N-th line of JSON says
	grep '^{' answers | sed -n "$2s/.*\"$1\":\\([0-9a-z]*\\).*/\\1/p"
}

# "WHEN-BEFORE WHEN-AFTER START"; null for a job that never starts.
compare() {
	read -r cluster procs wall at class id <scene
	in_class='' of_class=''
	[ "$class" = - ] || in_class="-q $class" of_class="-c $class"
	ask >answers <<-TEXT
		$at when $procs@$wall $of_class --json
		$at submit $in_class --force -l procs=$procs,walltime=$wall -- true
		$at when $id --json
	TEXT
	before=$(number estimated_start 1) after=$(number estimated_start 2)
	[ "$(number start 2)" = null ] || after=$(number start 2)
	if [ "$after" = null ]; then
		end=$((at + 400000))
	else
		end=$((after + 1))
	fi
	ask >answers <<-TEXT
		$at submit $in_class --force -l procs=$procs,walltime=$wall -- true
		$end job $id --json
	TEXT
	echo "$before $after $(number start 1)"
}

wrong=0 known=0
for scene in $(seq "$seed" $((seed + scenes - 1))); do
	make_scene "$scene"
	found=$(compare)
	# shellcheck disable=SC2086 # three words
	set -- $found
	[ "$1" = null ] || known=$((known + 1))
	if [ $# -ne 3 ] || [ "$1" != "$2" ] || [ "$2" != "$3" ]; then
		wrong=$((wrong + 1))
		echo "# SEED=$scene SCENES=1: when says $1, of the submitted job $2; it starts at $3"
	fi
done
check_equal "of $scenes scenes from SEED=$seed on, those with a wrong answer of 'when'" 0 "$wrong"
check_equal "most jobs have a start" yes "$([ $((known * 2)) -gt "$scenes" ] && echo yes)"
