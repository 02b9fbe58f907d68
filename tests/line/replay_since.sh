#!/bin/sh
# SPDX-License-Identifier: MIT
#
# replay_since.sh - replays of a store's journal, under the recorded policy and under others
#
# A simulated cluster runs for several days; between the parts operators hold, release, cancel, change weights, undo,
# drain, pause, start jobs by hand, suspend, requeue and reserve. A replay of its journal must give the starts of the
# history. The effect of another policy on each group is computed from the starts under both. Then arguments
# that are refused.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

store=$work/cluster
kahu() { "$KAHU" --store "$store" "$@"; }

run_on() { # TIME [ARGUMENT...]: runs the cluster for TIME
	printf 'size 80x24\nadvance %s\n' "$1" >on.script
	shift
	kahu --script on.script "$@" >/dev/null
}

first_of() { # LIST: the first job of the list
	kahu queue --json | sed -n 's/.*"'"$1"'":\[{"job":"\([^"]*\)".*/\1/p'
}

start_one() { # starts the first idle job that fits
	kahu queue --json | sed 's/.*"idle":\[//; s/"blocked":\[.*//' | tr '{' '\n' |
		sed -n 's/^"job":"\([^"]*\)".*/\1/p' >waiting.txt
	while read -r job; do
		! kahu start "$job" >start.txt 2>&1 || return 0
	done <waiting.txt
	return 1
}

check_succeeds() { check_status "$1" 0 kahu "$@"; } # WORD...

run_on 6h demo --nodes 4 --seed 5
held=$(first_of idle)
check_succeeds hold "$held"
check_succeeds tune xfactorweight=700
check_succeeds node drain n002
run_on 5h
check_succeeds release "$held"
check_succeeds node undrain n002
check_succeeds cancel "$(first_of active)"
check_succeeds undo
run_on 9h
check_succeeds tune queuetimeweight=4 --for 2h
run_on 12h
check_succeeds sched pause
run_on 2h
check_true "a job is started by hand" start_one
check_succeeds sched step 2
run_on 1h
check_succeeds sched resume
run_on 1h
suspended=$(first_of active)
check_succeeds suspend "$suspended"
check_succeeds reserve -n keep -s +30:00 -d 2:00:00 n003
run_on 1h
check_succeeds resume "$suspended"
requeued=$(first_of active)
check_succeeds requeue "$requeued"
run_on 4h

number() { # NAME: the number of that name in the printed JSON
	printf '%s' "$out" | sed 's/[{,]/\n/g' | sed -n 's/^"'"$1"'":\([-0-9.e]*\).*/\1/p' | head -n 1
}

check_same() { # NAME ARGUMENT...: the replay reproduces the whole record
	name=$1
	shift
	before=$(cksum <"$store/data.mdb")
	check_status "$name: the replay succeeds" 0 kahu replay --json "$@"
	check_contains "$name: all starts are as recorded" '"share":1,' "$out"
	check_contains "$name: there is no difference" '"differences":[]' "$out"
	check_contains "$name: no action is refused" '"refused":0' "$out"
	check_equal "$name: the store is not changed" "$before" "$(cksum <"$store/data.mdb")"
}

check_same "the whole journal" --since 30d --starts starts.csv
check_true "the replay has at least 200 jobs" test "$(number jobs)" -ge 200
check_equal "the summary has all fields" 15 "$(printf '%s' "${out%%\"since\"*}" | sed 's/[{,]/\n/g' | grep -cE \
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
check_true "the history has at least 150 jobs" test "$(wc -l <history.txt)" -ge 150
check_same_files "starts and ends equal those of the history" history.txt replayed.txt
check_same "the last day" --since 1d
check_same "a part of the journal" --since 2026-01-05T20:00 --until +6:00:00
check_same "all, from a time before the first entry" --since 1970-01-02T00:00

check_status "--compare with two policies succeeds" 0 kahu replay --since 30d --compare fcfs --compare easy
check_contains "the first policy has a column" "fcfs" "$out"
check_contains "the second policy has a column" "easy" "$out"
check_contains "the recorded policy has a column" " as recorded " "$out"
check_contains "it says that passes run when due" "passes run" "$out"
check_contains "there is a row for all jobs" "all " "$out"
check_contains "there are rows for users" "user " "$out"
check_status "--compare --json succeeds" 0 kahu replay --since 30d --compare fcfs --json
check_contains "the JSON has the policies" '"compare":[{"config":"fcfs"' "$out"
check_contains "the JSON has the groups" '"groups":[{"type":"all"' "$out"
users=$(printf '%s' "$out" | tr '{' '\n' | sed -n 's/^"type":"user".*"jobs":\([0-9]*\).*/\1/p' | awk '{ n += $1 } END { print n }')
check_contains "each job belongs to one user" "\"type\":\"all\",\"name\":\"\",\"jobs\":$users," "$out"

# Computes the same figures from the starts under both policies.
people() { # the credentials of all jobs in the queue and in the history
	{ kahu queue --json; kahu history --since 30d --json; } | tr '{' '\n' | sed -n \
		's/^"job":"\([^"]*\)".*"user":\([^,]*\),"group":\([^,]*\),"account":\([^,]*\),"qos":\([^,]*\),"class":\([^,]*\),.*"wclimit_s":\([0-9]*\).*/\1 \2 \3 \4 \5 \6 \7/p' |
		tr -d '"'
}
reported() { # the groups of the policy in $out: TYPE NAME JOBS EARLIER LATER WAIT WAIT XFACTOR XFACTOR
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
computed() { # BEFORE.csv AFTER.csv: the same
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
reported >reported.txt
check_status "a replay under the other policy writes its starts" 0 kahu replay --since 30d --policy fcfs --starts fcfs.csv
computed starts.csv fcfs.csv >computed.txt
check_true "some users have jobs that start earlier and jobs that start later" grep -Eq '^user [a-z]+ [0-9]+ [1-9][0-9]* [1-9]' reported.txt
check_same_files "the figures of each group equal those computed from the starts" computed.txt reported.txt

printf 'queuetimeweight = 1\nxfactorweight = 1000\nreservationdepth = 4\n' >other.conf
check_status "a replay with another configuration succeeds" 0 kahu --config other.conf replay --since 1d --json
check_equal "it does not compare the starts with the record" "" "$(printf '%s' "$out" | grep '"same"')"
check_status "a replay with another setting succeeds" 0 kahu replay --since 1d --set backfillpolicy=none --json
check_contains "it has the effect of the setting" '"backfilled":0' "$out"
check_status "--compare with a setting succeeds" 0 kahu replay --since 1d --set backfillpolicy=none --compare easy
check_contains "the setting applies to both columns" " with --set  easy with --set " "$out"
check_equal "no column is the recorded policy" "" "$(printf '%s' "$out" | grep "as recorded")"
printf 'user default { maxps = {"1"} }\n' >never.conf
check_status "--compare with a policy that starts no job succeeds" 0 kahu replay --since 3h --compare never.conf
check_contains "it says that there is nothing to compare" 'No job starts under both "as recorded" and "never.conf"' "$out"
check_equal "it prints no row of zeros" "" "$(printf '%s' "$out" | grep '^all ')"

# Run times of ended jobs are shorter than their limits, so estimates by history are earlier than by limits.
waiting=$(first_of idle)
start_by() { kahu when "$waiting" --json --assume "$1" | sed -n 's/.*"estimated_start":\([0-9]*\).*/\1/p'; }
check_true "with --assume history a job starts no later than with wclimit" \
	test "$(start_by history)" -le "$(start_by wclimit)"
check_status "whatif --assume median succeeds" 0 kahu whatif xfactorweight=5 --assume median --json
check_contains "the JSON names the assumption" '"assume":"median"' "$out"
check_status "an unknown assumption is wrong usage" 2 kahu whatif xfactorweight=5 --assume hope
check_contains "the message lists the assumptions" "wclimit" "$err"
check_status "--assume with --instant is wrong usage" 2 kahu whatif xfactorweight=5 --assume median --instant

refused() { # NAME STATUS SENTENCE WORD...
	name=$1 status=$2 sentence=$3
	shift 3
	check_status "$name is refused" "$status" kahu replay "$@"
	check_contains "$name: the message has the reason" "$sentence" "$err"
	check_equal "$name: there is one message" 1 "$(printf '%s\n' "$err" | grep -c '^kahu: ')"
	check_equal "$name: nothing is printed to standard output" "" "$out"
}
printf 'xfactorweight = many\n' >bad.conf
refused "an invalid time" 2 "--since" --since someday
refused "a time after the last entry" 1 "nothing happened later" --since 2031-01-01T00:00
refused "an invalid end" 2 "--until" --since 1d --until soon
refused "an end before the beginning" 1 "write the earlier one first" --since 1d --until 2026-01-01T00:00
refused "a missing configuration" 1 "none.conf" --since 1d --compare none.conf
refused "an invalid configuration" 1 "bad.conf:1" --since 1d --compare bad.conf
refused "an unknown option" 1 "nosuchweight" --since 1d --set nosuchweight=1
refused "--since with a log" 2 "too many arguments" --since 1d some.swf
refused "--since with a cluster" 2 "--cluster" --since 1d --cluster 4x4
store=$work/none
refused "a missing store" 1 "$work/none" --since 1d
