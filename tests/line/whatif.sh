#!/bin/sh
# SPDX-License-Identifier: MIT
#
# whatif.sh - kahu whatif: solve, sweep, ablation and dry runs of several commands
#
# The limit of eva is 300 processor-seconds, which her running job uses until 100; her second job waits for it.
# The store is that of a simulation that does not advance.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

cat >site.conf <<'TEXT'
queuetimeweight = 1
user eva { maxps = 300 }
user bob { priority = 10 }
userweight = 1
TEXT

job() { # NAME USER PROCS WCLIMIT SUBMITTED: a line of a Maui workload trace
	echo "$1 0 $3 $2 g $4 Completed [batch:1] $5 $5 $5 $(($5 + $4)) [NONE] [NONE] [NONE] >= 0 >= 0 [NONE] $5 $3 -1" \
		"[NONE] [NONE] none cmd [NONE] 0 0 [DEFAULT] 1 0 0 0 0 0 [NONE] 0 [NONE] [NONE] [NONE] [NONE] [NONE]"
}

{
	echo "VERSION 230"
	job 1 eva 3 100 1000000
	job 2 bob 3 400 1000000
	job 3 eva 2 100 1000000
	job 4 bob 8 100 1000000
	job 5 bob 8 200 1000000
} >log
"$KAHU" replay log --cluster 1x8 --config site.conf --until 1000000 --store st >/dev/null
export KAHU_STORE="$work/st"

refused() { # NAME STATUS MESSAGE ARGUMENT...: that status and message, and nothing on standard output
	refused_name=$1 refused_status=$2 refused_sentence=$3
	shift 3
	"$KAHU" whatif "$@" >out 2>err
	check_equal "$refused_name: the status" "$refused_status" "$?"
	check_contains "$refused_name: the message" "$refused_sentence" "$(cat err)"
	check_equal "$refused_name: nothing is printed to standard output" "" "$(cat out)"
}

before=$("$KAHU" journal | cksum)

# --- solve ---------------------------------------------------------------------------------

check_contains "--solve finds the smallest limit that starts the job" "tune user[eva].maxps 500" \
	"$("$KAHU" whatif --solve 'user[eva].maxps' --job 3)"
check_contains "it prints the current value and the current start" \
	"value closest to the current 300 with which job 3 starts now instead of" \
	"$("$KAHU" whatif --solve 'user[eva].maxps' --job 3)"
check_contains "a later start needs a smaller limit" "tune user[eva].maxps 350" \
	"$("$KAHU" whatif --solve 'user[eva].maxps' --job 3 --by +50)"
check_contains "no change is needed for a start that is in time" "Job 3 starts in time without a change" \
	"$("$KAHU" whatif --solve 'user[eva].maxps' --job 3 --by +2:00:00)"
check_contains "why --by says that no change is needed" "The job needs no change to start by " "$("$KAHU" why 3 --by +2:00:00)"
check_contains "why lists changes that start the job now" "Single changes that start the job now (simulated" "$("$KAHU" why 3)"
json=$("$KAHU" whatif --solve 'user[eva].maxps' --job 3 --json)
for field in '"outcome":"found","value_before":300,"value":500,"setting":"500"' '"start_after":1000000' '"delays":['; do
	check_contains "the JSON of --solve has $field" "$field" "$json"
done
refused "no value of the range starts the job" 1 "no tried value of user[eva].maxps from 1 to 400 starts job 3 now; the earliest start is" \
	--solve 'user[eva].maxps' --job 3 --range 1..400
refused "the message has the limit that blocks the job" 1 "hard limit MAXPS of 400" --solve 'user[eva].maxps' --job 3 --range 1..400
refused "an option without an effect on the start" 1 "with none of these values does the job start earlier than" --solve fsweight --job 3
"$KAHU" whatif --solve fsweight --job 3 --json >out 2>/dev/null
check_equal "--solve --json without a value returns 1" 1 "$?"
check_contains "it has the outcome none" '"outcome":"none"' "$(cat out)"
refused "--solve without a job" 2 "name it with --job" --solve fsweight
refused "--solve with an option that is not a number" 1 "the value of backfillpolicy is not a number" --solve backfillpolicy --job 3
refused "--solve with a running job" 1 "job 1 is no longer idle" --solve fsweight --job 1
refused "a range that ends with unlimited" 1 "--range: unlimited cannot be the end of a range: user[eva].maxps allows" \
	--solve 'user[eva].maxps' --job 3 --range 1..unlimited
refused "a range without an end" 1 "write LO..HI" --solve fsweight --job 3 --range 5

# --- sweep -----------------------------------------------------------------------------------

expected="user[eva].maxps: 3 values tried; nothing is changed (full projection); START and RANK of job 3

         MEANWAIT                        MEANXF  NOW  EARLIER  LATER     START  RANK
current   0:05:22  ####################    3.39    0        0      0  13:47:47     -
    300   0:05:22  ####################    3.39    0        0      0  13:47:47     -
    400   0:05:11  ###################     3.28    0        1      0  13:47:14     -
    500   0:05:00  ###################     3.17    1        1      0  13:46:40     3"
check_equal "--sweep prints each value with the start of a job" "$expected" \
	"$("$KAHU" whatif --sweep 'user[eva].maxps=300..500/3' --job 3 --ascii)"
check_contains "--sweep accepts a list of words" "    none " "$("$KAHU" whatif --sweep 'backfillpolicy=firstfit|none')"
check_contains "--sweep prints a refused value as refused" "refused" \
	"$("$KAHU" whatif --sweep 'backfillpolicy=firstfit|nonsense')"
json=$("$KAHU" whatif --sweep 'user[eva].maxps=300..500/3' --job 3 --json)
for field in '"name":"user[eva].maxps","job":"3"' '"value":"500","starts":3,"starts_now":1' '"value":"400","starts":3'; do
	check_contains "the JSON of --sweep has $field" "$field" "$json"
done
refused "--sweep without values" 2 "no values given" --sweep fsweight
refused "--sweep with an unknown option" 2 "there is no option nothing" --sweep nothing=1..2
refused "--sweep with a range in the wrong order" 2 "write the smaller value first" --sweep fsweight=3..1
refused "--sweep with a range that ends with unlimited" 2 "unlimited cannot be the end of a range" --sweep 'user[eva].maxps=1..unlimited'
refused "--sweep with too many steps" 2 "from 2 to 100" --sweep fsweight=1..3/1000

# --- ablate ----------------------------------------------------------------------------------

report=$("$KAHU" whatif 'user[eva].maxps=500' xfactorcap=600 --do 'hold 4' --ablate)
check_contains "--ablate prints the effect of each edit" "edit 2 changes no start" "$report"
json=$("$KAHU" whatif 'user[eva].maxps=500' xfactorcap=600 --ablate --json)
check_contains "it says if one edit has the whole effect" '"sentence":"edit 1 alone causes the whole gain; edit 2 changes no start"' "$json"
refused "--ablate without an edit" 2 "no change given" --ablate

# --- several commands ----------------------------------------------------------------------------

for lines in 'hold 4|release 4' 'node drain n001|node undrain n001' 'reserve -n own -s +10 -d 500 ALL|unreserve own'; do
	check_contains "a command sees the effect of the earlier ones: ${lines#*|}" "0 of 3 waiting jobs start earlier, 0 later" \
		"$("$KAHU" whatif --do "${lines%|*}" --do "${lines#*|}" 2>&1)"
done
refused "a cancelled job does not exist for the next command" 1 "edit 2 of 2: job 1 has ended" \
	--do 'cancel 1' --do 'suspend 1'
check_contains "a requeued job starts again before the jobs behind it" "0 of 3 waiting jobs start earlier" \
	"$("$KAHU" whatif --do 'requeue 1')"
check_contains "a cancelled running job frees its processors in the preview" "earlier" \
	"$("$KAHU" cancel 2 --dry-run)"

# --- values at which the order of two jobs changes ---------------------------------------------

check_contains "--crosses prints a weight that affects the order" "userweight" "$("$KAHU" priority --crosses 4,3)"
check_contains "--crosses prints the current order" "Job 4 is before job 3" \
	"$("$KAHU" priority --crosses 4,3)"
check_equal "the order changes at a weight of 0" "userweight 1 < 1 never" \
	"$("$KAHU" priority --crosses 4,3 | awk '$1 == "userweight" { print $1, $2, $3, $4, $5 }')"
check_contains "the JSON has the value" '"name":"userweight","value":1,"down":{"at":0' \
	"$("$KAHU" priority --crosses 4,3 --json)"
"$KAHU" priority --crosses 4,4 >out 2>err
check_equal "--crosses with one job twice is refused" "1 kahu: --crosses 4,4: both are the same job; name two jobs" "$? $(cat err)"

# --- the preview of tune and whatif -------------------------------------------------------------

# Expansion factors grow at different rates, so the order changes with time, which the instant plan ignores.
cat >ageing.conf <<'TEXT'
queuetimeweight = 0
xfactorweight = 1000
TEXT
{
	echo "VERSION 230"
	job 1 eva 8 1000 1000000
	for n in $(seq 2 30); do
		job "$n" "u$((n % 5))" $((n * 7 % 8 + 1)) $((n * 613 % 5000 + 60)) 1000000
	done
} >ageing.log
"$KAHU" replay ageing.log --cluster 1x8 --config ageing.conf --until 1000000 --store ageing >/dev/null

numbers() { # FILE: "EARLIER LATER" of a preview or a whatif
	echo "$(sed -n 's/.*[; ]\([0-9]*\) \(of [0-9]* waiting jobs start \)\{0,1\}earlier.*/\1/p' "$1")" \
		"$(sed -n 's/.*[;,] \([0-9]*\) later.*/\1/p' "$1")"
}

for change in 'xfactorweight 0' 'backfillpolicy none' 'reservationdepth[0] 3'; do
	# shellcheck disable=SC2086 # two words
	KAHU_STORE=ageing "$KAHU" tune $change --dry-run >preview
	KAHU_STORE=ageing "$KAHU" whatif "${change% *}=${change#* }" >full
	KAHU_STORE=ageing "$KAHU" whatif "${change% *}=${change#* }" --instant >instant
	check_equal "tune $change: the preview has the numbers of whatif" "$(numbers full)" "$(numbers preview)"
	check_equal "they differ from those of the instant plan" yes \
		"$([ "$(numbers full)" != "$(numbers instant)" ] && echo yes)"
	check_contains "starts of the instant plan are marked" " ~" "$(cat instant)"
	check_equal "projected starts are not marked" "" "$(grep ' ~' full)"
done

# --- invalid combinations -----------------------------------------------------------------------

refused "two kinds of queries at once" 2 "give only one" --sweep fsweight=1..2 --solve fsweight --job 3
refused "an option of another kind of query" 2 "--by and --range need --solve" fsweight=3 --by 17:00
refused "a draft with a refused edit" 1 "edit 3 of 3: " fsweight=3 --do 'cancel 4' --do 'hold 4'
check_equal "the journal has no new entry" "$before" "$("$KAHU" journal | cksum)"
