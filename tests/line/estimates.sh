#!/bin/sh
# SPDX-License-Identifier: MIT
#
# estimates.sh - estimated starts are compared with actual starts, and the errors are attributed to causes
#
# A cluster of one node with four processors and jobs that need all of them, so each start follows from the earlier
# ones and every error is known by hand. Then a simulated cluster, and requests that are refused.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

squeeze() { printf '%s\n' "$1" | sed 's/  */ /g; s/^ //'; }
check_row() { check_contains "$1" "$2" "$(squeeze "$3")"; } # NAME ROW TEXT: in the text, blanks squeezed

job() { echo "$1 $2 -1 $3 4 -1 -1 4 $4 -1 1 ${5:-1} 1 -1 1 -1 -1 -1"; } # NAME SUBMIT RUN LIMIT [USER]

# NAME [OPTION...]: replays the log on standard input into a store of that name and writes its estimates to NAME.json.
run() {
	name=$1
	shift
	cat >"$name.swf"
	"$KAHU" replay "$name.swf" --cluster 1x4 --store "$name" "$@" >/dev/null || fail "$name: the replay succeeds"
	"$KAHU" --store "$name" stats --estimates --json >"$name.json" || fail "$name: the estimates are printed"
}

# NAME STAGE TIER: asked,unknown,at_once,known,earlier,later,within_tenth,median_s,p80_s,p95_s,shift_s
errors() {
	tr '{' '\n' <"$1.json" | sed -n "s/^\"stage\":\"$2\",\"tier\":\"$3\",\"asked\":\([^}]*\)}.*/\1/p" | sed 's/"[a-z0-9_]*"://g'
}
worst() { tr -d '\n' <"$1.json" | sed 's/.*"worst":\[\(.*\)\],"jobs":.*/\1/'; } # NAME

run exact --policy fcfs <<EOL
$(job 1 0 1000 1000)
$(job 2 10 1000 1000)
$(job 3 20 5000 5000)
$(job 4 30 100 100)
EOL
for tier in instant full; do
	check_equal "starts are estimated exactly if jobs run to their limits ($tier tier)" "0,0,0,0" \
		"$(errors exact submitted $tier | cut -d, -f8-)"
done
check_equal "four jobs have an estimate at submission, one starts at once" "4,0,1,3,0,0,3" "$(errors exact submitted instant | cut -d, -f1-7)"
check_equal "three jobs have an estimate half-way" "3,0,0,3,0,0,3,0,0,0,0" "$(errors exact halfway instant)"
check_equal "one job has an estimate an hour before its start" "1,0,0,1,0,0,1,0,0,0,0" "$(errors exact hour-before instant)"
check_equal "without errors there are no worst jobs" "" "$(worst exact)"

# Job 1 ends 600 s before its limit, so all others start 600 s earlier. An estimate made after its end has no error.
run early --policy fcfs <<EOL
$(job 1 0 400 1000)
$(job 2 10 1000 1000)
$(job 3 20 5000 5000)
$(job 4 30 100 100)
EOL
check_equal "a job that ends early makes the jobs behind it start earlier" "4,0,1,3,3,0,1,600,600,600,-600" \
	"$(errors early submitted instant)"
check_equal "half-way, one estimate still has the error" "3,0,0,3,1,0,2,0,600,600,0" "$(errors early halfway instant)"
check_equal "an hour before the start, no estimate has the error" "1,0,0,1,0,0,1,0,0,0,0" "$(errors early hour-before instant)"
check_contains "the cause is a job that ended early" '"cause":"ends","followed":true,"causes":[{"cause":"ends","moved_s":-600,"times":1,"most_s":-600' \
	"$(worst early)"
check_contains "the cause names the job" '"most_job":1}]}' "$(worst early)"

# A job that is submitted later and starts earlier: user 2 has a higher priority than user 1.
cat >vip.conf <<'EOC'
userweight = 1
user u2 { priority = 10000 }
EOC
run later --config vip.conf <<EOL
$(job 1 0 1000 1000)
$(job 2 10 1000 1000)
$(job 3 500 300 300 2)
EOL
check_equal "a job with a higher priority delays the others" '300' "$(errors later submitted instant | cut -d, -f10)"
check_contains "the cause is its submission" '"cause":"arrivals","followed":true,"causes":[{"cause":"arrivals","moved_s":300,"times":1,"most_s":300' \
	"$(worst later)"

# Actions of operators.
echo '50 hold 2
1200 release 2' >do.txt
run held --policy fcfs --do do.txt <<EOL
$(job 1 0 1000 1000)
$(job 2 10 1000 1000)
EOL
check_contains "the cause of a delay by a hold is an action of an operator" '"cause":"people","followed":true,"causes":[{"cause":"people","moved_s":200,' "$(worst held)"

# --- text ---------------------------------------------------------------------------------------

"$KAHU" --store early stats --estimates >text
check_contains "the text has the number of started jobs" "4 jobs started since " "$(cat text)"
check_row "the text has the errors of the instant plan" "when submitted instant plan 0 1 3 0:10:00 0:10:00 0:10:00 -0:10:00 3 0 33%" "$(cat text)"
check_row "the text has the errors of the full projection" "when submitted full projection 0 1 3 0:10:00 0:10:00 0:10:00 -0:10:00 3 0 33%" "$(cat text)"
check_contains "the text has the cause" "jobs that ended early -0:10:00 (job 1, entry " "$(cat text)"
check_status "--since a time after the last start succeeds" 0 "$KAHU" --store early stats --estimates --since 1970-01-01T01:48
check_contains "it counts no job" "0 jobs started since " "$out"
check_status "--at a past time succeeds" 0 "$KAHU" --store early stats --estimates --json --at 1970-01-01T00:20
check_contains "it counts only the starts before that time" '"started":2,"asked":2,' "$out"
check_status "--since a time succeeds" 0 "$KAHU" --store early stats --estimates --json --since 1970-01-01T00:20
check_contains "it counts only the starts since that time" '"started":2,"asked":2,' "$out"
check_contains "a job has all fields" '{"job":"3","submit":20,"start":1400,"submitted":{"instant":2000,"full":2000},"halfway":{"instant":1400},"hour-before":{"instant":null,"full":null}}' "$out"

# --- a cluster ------------------------------------------------------------------------------------

printf 'size 80x24\nadvance 6h\nwait-idle\n' >go.script
"$KAHU" --store cluster --script go.script demo --nodes 4 --seed 5 >/dev/null
before=$(cksum <cluster/data.mdb)
for kind in history median; do
	check_status "--assume $kind succeeds" 0 "$KAHU" --store cluster stats --estimates --assume $kind --json
	check_contains "the JSON names the assumption" "\"assume\":\"$kind\",\"errors\":[{\"stage\":\"submitted\"" "$out"
done
check_true "at most 200 jobs are examined" \
	test "$(printf '%s' "$out" | sed 's/.*"asked":\([0-9]*\),"assume".*/\1/')" -le 200
sums=$(printf '%s' "$out" | sed 's/.*"worst":\[\(.*\)\],"jobs":.*/\1/' | sed 's/{"job"/\n&/g' | awk -F'[:,]' '
	/^{"job"/ {
		n++
		sum = 0
		for (i = 1; i < NF; i++) {
			if ($i == "\"start\"") start = $(i + 1)
			if ($i == "\"said\"") said = $(i + 1)
			if ($i == "\"moved_s\"") sum += $(i + 1)
		}
		if (sum != start - said) print "a job moved by " sum ", not " start - said
	}
	END { print n " jobs" }')
check_equal "the causes of an error sum to it" "5 jobs" "$sums"
said=$(printf '%s' "$out" | sed 's/{"job"/\n&/g' | awk -F'[:,]' '
	/^{"job"/ {
		said = full = ""
		for (i = 1; i < NF; i++) {
			if ($i == "\"said\"") said = $(i + 1)
			if ($i == "\"full\"" && full == "") full = $(i + 1)
			if ($i == "{\"full\"" && full == "") full = $(i + 1)
		}
		sub(/}.*/, "", full)
		if (said != "") worst[$2] = said
		else if ($2 in worst && worst[$2] != full) print "job " $2 " had the estimate " full ", not " worst[$2]
	}
	END { for (job in worst) n++; print n " jobs" }')
check_equal "the worst estimates are those of the projection" "5 jobs" "$said"
check_equal "the store is not changed" "$before" "$(cksum <cluster/data.mdb)"

printf 'size 100x30\nkeys w\ndump job\n' >look.script
"$KAHU" --store cluster --script look.script >/dev/null
check_contains "the Job screen has a line about estimates" " starts): half were within " "$(cat job)"
printf 'size 80x24\n:stats --estimates\n' >ask.script
check_status "the console refuses stats --estimates" 1 "$KAHU" --store cluster --script ask.script
check_contains "the refusal refers to the shell" "run it from a shell" "$err"

# --- refusals -------------------------------------------------------------------------------------

refused() { # STATUS SENTENCE WORD...
	status=$1 sentence=$2
	shift 2
	check_status "$* is refused" "$status" "$KAHU" --store early stats "$@"
	check_contains "the refusal names the reason" "$sentence" "$err"
}
refused 2 "--since needs --estimates; use -t" --since 7d
refused 2 "--assume needs --estimates" --assume history
refused 2 "-u cannot be combined with --estimates" --estimates -u
refused 2 "-t cannot be combined with --estimates; use --since TIME" --estimates -t 00:10
refused 2 "--estimates takes no STATISTIC" --estimates avgxfactor
refused 2 "--assume" --estimates --assume guess
refused 2 "--since" --estimates --since someday
refused 2 "--since" --estimates --since ""
refused 1 "is in the future" --estimates --since +1h
echo '50 stats --estimates' >do.txt
check_status "stats --estimates in a replay without a journal is refused" 1 "$KAHU" replay early.swf --cluster 1x4 --do do.txt
check_contains "the refusal names the reason" "a replay keeps no journal" "$out$err"
