#!/bin/sh
# SPDX-License-Identifier: MIT
#
# replay_since.sh - does last week come out again, and who would gain by another policy?
#
# A simulated cluster whose operators hold, weigh, drain, undo and cancel between some sessions, then pause,
# start by hand, suspend, requeue and reserve; its journal, run again, must give the starts that history knows.
# Who gains and who loses by another policy is worked out anew from the starts under either. Then the words
# that are refused.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

store=$work/cluster
kahu() { "$KAHU" --store "$store" "$@"; }

run_on() { # TIME [WORD...]: so much simulated time goes by
	printf 'size 80x24\nadvance %s\n' "$1" >on.script
	shift
	kahu --script on.script "$@" >/dev/null
}

first_of() { # LIST: the job that stands first under it
	kahu queue --json | sed -n 's/.*"'"$1"'":\[{"job":"\([^"]*\)".*/\1/p'
}

start_one() { # the first waiting job that has room
	kahu queue --json | sed 's/.*"idle":\[//; s/"blocked":\[.*//' | tr '{' '\n' |
		sed -n 's/^"job":"\([^"]*\)".*/\1/p' >waiting.txt
	while read -r job; do
		! kahu start "$job" >start.txt 2>&1 || return 0
	done <waiting.txt
	return 1
}

check_done() { check_status "$1" 0 kahu "$@"; } # WORD...

run_on 6h demo --nodes 4 --seed 5
held=$(first_of idle)
check_done hold "$held"
check_done tune xfactorweight=700
check_done node drain n002
run_on 5h
check_done release "$held"
check_done node undrain n002
check_done cancel "$(first_of active)"
check_done undo
run_on 9h
check_done tune queuetimeweight=4 --for 2h
run_on 12h
check_done sched pause
run_on 2h
check_true "a job is started by hand" start_one
check_done sched step 2
run_on 1h
check_done sched resume
run_on 1h
suspended=$(first_of active)
check_done suspend "$suspended"
check_done reserve -n keep -s +30:00 -d 2:00:00 n003
run_on 1h
check_done resume "$suspended"
requeued=$(first_of active)
check_done requeue "$requeued"
run_on 4h

number() { # NAME: of the object that was printed
	printf '%s' "$out" | sed 's/[{,]/\n/g' | sed -n 's/^"'"$1"'":\([-0-9.e]*\).*/\1/p' | head -n 1
}

check_same() { # NAME WORD...: all that is on record comes out again
	name=$1
	shift
	before=$(cksum <"$store/data.mdb")
	check_status "$name is run again" 0 kahu replay --json "$@"
	check_contains "$name comes out as recorded" '"share":1,' "$out"
	check_contains "$name differs in nothing" '"differences":[]' "$out"
	check_contains "$name is done again whole" '"refused":0' "$out"
	check_equal "$name leaves the store alone" "$before" "$(cksum <"$store/data.mdb")"
}

check_same "all of it" --since 30d --starts starts.csv
check_true "there is something to see" test "$(number jobs)" -ge 200
check_equal "a summary has what scripts rely on" 15 "$(printf '%s' "${out%%\"since\"*}" | sed 's/[{,]/\n/g' | grep -cE \
	'^"(jobs|rejected|bad_lines|first_submit|makespan_s|utilization|mean_wait_s|median_wait_s|p95_wait_s|mean_bounded_slowdown|mean_xfactor|backfilled|cycles|elapsed_s|peak_rss_kb)":')"
kahu history --since 30d --json | tr '}' '\n' | awk '
	function member(name) {
		return match($0, "\"" name "\":\"?[^,\"]*") ? substr($0, RSTART, RLENGTH) : ""
	}
	function value(name) { sub(/.*:"?/, "", name); return name }
	/"submit":[0-9]/ {
		print value(member("job")) "," value(member("submit")) "," value(member("start")) "," value(member("end"))
	}' | grep -v "^$requeued," | grep -E '^[^,]*,[0-9]+,[0-9]+,[0-9]+$' | sort >history.txt
grep -E '^[^,]*,[0-9]+,[0-9]+,[0-9]+' starts.csv | cut -d, -f1-4 | grep -v "^$requeued," | sort >replayed.txt
check_true "history knows of many jobs" test "$(wc -l <history.txt)" -ge 150
check_same_files "the starts and ends are those of history" history.txt replayed.txt
check_same "the last day" --since 1d
check_same "a piece of it" --since 2026-01-05T20:00 --until +6:00:00
check_same "what was before anything happened" --since 1970-01-02T00:00

check_status "policies are compared" 0 kahu replay --since 30d --compare fcfs --compare easy
check_contains "the first stands beside the old one" "fcfs" "$out"
check_contains "so does the second" "easy" "$out"
check_contains "the old one is as it was" " as it was " "$out"
check_contains "its passes are those that are due, which the record has not" "passes when due" "$out"
check_contains "everybody together" "all " "$out"
check_contains "and each" "user " "$out"
check_status "the same for scripts" 0 kahu replay --since 30d --compare fcfs --json
check_contains "with both columns" '"compare":[{"config":"fcfs"' "$out"
check_contains "and groups" '"groups":[{"type":"all"' "$out"
users=$(printf '%s' "$out" | tr '{' '\n' | sed -n 's/^"type":"user".*"jobs":\([0-9]*\).*/\1/p' | awk '{ n += $1 } END { print n }')
check_contains "each job is somebody's" "\"type\":\"all\",\"name\":\"\",\"jobs\":$users," "$out"

# The same figures from the starts under either policy, for all who have jobs.
people() { # who each job belongs to: of the queue, and of those that have ended
	{ kahu queue --json; kahu history --since 30d --json; } | tr '{' '\n' | sed -n \
		's/^"job":"\([^"]*\)".*"user":\([^,]*\),"group":\([^,]*\),"account":\([^,]*\),"qos":\([^,]*\),"class":\([^,]*\),.*"wclimit_s":\([0-9]*\).*/\1 \2 \3 \4 \5 \6 \7/p' |
		tr -d '"'
}
told() { # the groups of the one policy in $out: TYPE NAME JOBS EARLIER LATER WAIT WAIT XFACTOR XFACTOR
	printf '%s' "$out" | sed 's/.*"groups":\[//; s/{"type":/\n/g' | tr -d '"{}' |
		awk -F'[:,]' '/^[a-z]/ {
			waits = xfactors = 0
			for (i = 2; i < NF; i++) {
				if ($i == "name") name = $(i + 1) == "" ? "-" : $(i + 1)
				if ($i == "jobs" || $i == "earlier" || $i == "later") is[$i] = $(i + 1)
				if ($i == "mean_wait_s") wait[waits++] = $(i + 1)
				if ($i == "mean_xfactor") xfactor[xfactors++] = $(i + 1)
			}
			printf "%s %s %d %d %d %.3f %.3f %.5f %.5f\n", $1, name, is["jobs"], is["earlier"],
				is["later"], wait[0], wait[1], xfactor[0], xfactor[1]
		}' | sort
}
worked_out() { # BEFORE.csv AFTER.csv: the same
	awk -F'[ ,]' '
		function add(who, was, is) {
			jobs[who]++
			earlier[who] += is < was
			later[who] += is > was
			wait[who] += was
			then[who] += is
			factor[who] += 1 + was / limit[$1]
			thenfactor[who] += 1 + is / limit[$1]
		}
		FILENAME == "people.txt" {
			limit[$1] = $7
			for (i = 2; i < 7; i++) of[$1, i] = $i
			next
		}
		FILENAME == ARGV[2] { before[$1] = $3 == "" ? "" : $3 - $2; next }
		before[$1] != "" && $3 != "" && $1 != "job" {
			add("all -", before[$1], $3 - $2)
			for (i = 2; i < 7; i++)
				if (of[$1, i] != "null")
					add(type[i] " " of[$1, i], before[$1], $3 - $2)
		}
		BEGIN { split("- user group account qos class", type, " ") }
		END {
			for (who in jobs)
				printf "%s %d %d %d %.3f %.3f %.5f %.5f\n", who, jobs[who], earlier[who], later[who],
					wait[who] / jobs[who], then[who] / jobs[who], factor[who] / jobs[who],
					thenfactor[who] / jobs[who]
		}' people.txt "$1" "$2" | sort
}
people >people.txt
told >told.txt
check_status "the starts under the other policy" 0 kahu replay --since 30d --policy fcfs --starts fcfs.csv
worked_out starts.csv fcfs.csv >worked_out.txt
check_true "there are winners and losers" grep -Eq '^user [a-z]+ [0-9]+ [1-9][0-9]* [1-9]' told.txt
check_same_files "who gains and who loses is what the starts say" worked_out.txt told.txt

printf 'queuetimeweight = 1\nxfactorweight = 1000\nreservationdepth = 4\n' >other.conf
check_status "another configuration is no claim to be the same" 0 kahu --config other.conf replay --since 1d --json
check_equal "so nothing is said of it" "" "$(printf '%s' "$out" | grep '"same"')"
check_status "a setting over the old one" 0 kahu replay --since 1d --set backfillpolicy=none --json
check_contains "backfills nothing" '"backfilled":0' "$out"
check_status "compared with a policy" 0 kahu replay --since 1d --set backfillpolicy=none --compare easy
check_contains "both have the setting, and say so" " with --set  easy with --set " "$out"
check_equal "so neither is as it was" "" "$(printf '%s' "$out" | grep 'as it was')"
printf 'user default { maxps = {"1"} }\n' >never.conf
check_status "a policy that starts nothing" 0 kahu replay --since 3h --compare never.conf
check_contains "is not compared" 'No job starts under both "as it was" and "never.conf"' "$out"
check_equal "with zeros" "" "$(printf '%s' "$out" | grep '^all ')"

# What jobs used of their limits is known of those that ended: starts come earlier than by the limits.
waiting=$(first_of idle)
start_by() { kahu when "$waiting" --json --assume "$1" | sed -n 's/.*"estimated_start":\([0-9]*\).*/\1/p'; }
check_true "by people's history a job starts before its limits say" \
	test "$(start_by history)" -le "$(start_by wclimit)"
check_status "a projection can go by the middle of all" 0 kahu whatif xfactorweight=5 --assume median --json
check_contains "and says so" '"assume":"median"' "$out"
check_status "an assumption that is none is wrong usage" 2 kahu whatif xfactorweight=5 --assume hope
check_contains "those that there are are named" "wclimit" "$err"
check_status "the instant plan knows limits alone" 2 kahu whatif xfactorweight=5 --assume median --instant

refused() { # NAME STATUS SENTENCE WORD...
	name=$1 status=$2 sentence=$3
	shift 3
	check_status "$name is refused" "$status" kahu replay "$@"
	check_contains "$name is explained" "$sentence" "$err"
	check_equal "$name gives one sentence" 1 "$(printf '%s\n' "$err" | grep -c '^kahu: ')"
	check_equal "$name prints nothing else" "" "$out"
}
printf 'xfactorweight = many\n' >bad.conf
refused "a time that is none" 2 "--since" --since someday
refused "a later time" 1 "nothing happened later" --since 2031-01-01T00:00
refused "an end that is none" 2 "--until" --since 1d --until soon
refused "an end before the beginning" 1 "write the earlier one first" --since 1d --until 2026-01-01T00:00
refused "a configuration that is not there" 1 "none.conf" --since 1d --compare none.conf
refused "a configuration that is wrong" 1 "bad.conf:1" --since 1d --compare bad.conf
refused "a setting that is none" 1 "nosuchweight" --since 1d --set nosuchweight=1
refused "a log beside it" 2 "too many arguments" --since 1d some.swf
refused "a cluster" 2 "--cluster" --since 1d --cluster 4x4
store=$work/none
refused "a store that is not there" 1 "$work/none" --since 1d
