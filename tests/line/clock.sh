#!/bin/sh
# SPDX-License-Identifier: MIT
#
# clock.sh - the system clock is set forward and back while jobs wait and run
#
# The real clock is not changed: a build with failpoints adds the content of a file to it (KAHU_CLOCK_FILE).
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

KAHU=${KAHU_FAILING:?}
export KAHU_CLOCK_FILE="$work/by"
echo 0 >by
room_for 2
serve

clock() { echo "$1" >by.new && mv by.new by; }
now_s() { echo $(($(date +%s) + $(cat by))); }
field() { sed -n "s/.*\"$1\":\([-0-9]*\).*/\1/p" | head -n 1; }
of_job() { "$KAHU" job "$1" --json | tr -d ' \n' | field "$2"; } # JOB FIELD
runs() { "$KAHU" queue --json | tr -d ' \n' | sed 's/.*"active":\[\([^]]*\)\].*/\1/' | grep -q "\"job\":\"$1\""; }
within() { [ "$2" -ge "$(($1 - $3))" ] && [ "$2" -le "$(($1 + $3))" ]; } # WANTED GOT ABOUT
steps() { [ "$("$KAHU" journal --from 1 | grep -c 'the system clock was set')" -ge "$1" ]; }
is_after() { [ "$(now_s)" -gt "$1" ]; }

mkfifo go
"$KAHU" submit -l walltime=1:00:00 -o /dev/null -j oe -- sh -c "read x <'$work/go'" >/dev/null
check_true "a job runs" wait_until 10 runs 1
"$KAHU" submit -l nodes=1:ppn=2,walltime=10:00 -o /dev/null -j oe -- true >/dev/null # waits for job 1
date_s=$(($(now_s) + 5 * 3600))
"$KAHU" submit -a "$(date -d "@$date_s" +%Y-%m-%dT%H:%M:%S)" -o "$work/dated" -j oe -- echo on time >/dev/null
submit_s=$(of_job 2 submit)
left_s=$("$KAHU" queue --json | tr -d ' \n' | field remaining_s)
check_true "two seconds pass before the first change" wait_until 10 is_after $(($(now_s) + 1))
count=0
for step in 3600 -3600 0 7200; do
	before=$(cat by)
	count=$((count + 1))
	clock "$step"
	check_true "a clock change by $((step - before)) s is noticed" wait_until 10 steps "$count"
	way=forward by=$((step - before))
	[ $by -gt 0 ] || way=back by=$((-by))
	check_contains "the journal has the change" "the system clock was set $way by $((by / 3600)):00:00, from " "$("$KAHU" journal --from 1)"
	check_true "the running job continues" runs 1
	check_true "its remaining time is unchanged" within "$left_s" "$("$KAHU" queue --json | tr -d ' \n' | field remaining_s)" 30
	check_true "the queue time of the idle job is unchanged" within $((submit_s + step)) "$(of_job 2 submit)" 2
	check_true "reports use the new clock" within "$(now_s)" "$("$KAHU" queue --json | tr -d ' \n' | field now)" 20
	check_equal "a start date is not changed" "$date_s" "$(of_job 3 not_before)"
done
check_contains "the log has the change" "the system clock was set" "$(cat serve.err)"

# While no scheduler runs.
for step in 14400 -7200; do
	kill -9 "$server"
	wait "$server" 2>/dev/null
	count=$((count + 1)) way=forward
	[ "$step" -gt 0 ] || way=back
	clock "$step"
	serve
	check_true "a clock that was set $way while no scheduler ran is noticed at the start" wait_until 10 steps "$count"
	check_true "the running job continues" runs 1
	check_true "its remaining time is unchanged" within "$left_s" "$("$KAHU" queue --json | tr -d ' \n' | field remaining_s)" 60
	check_true "the queue time of the idle job is unchanged" within $((submit_s + step)) "$(of_job 2 submit)" 5
	check_true "reports use the new clock" within "$(now_s)" "$("$KAHU" queue --json | tr -d ' \n' | field now)" 20
done

timeout 10 sh -c 'echo >go' # without the job there is no reader
check_true "both jobs run to their ends" wait_until 20 journal_has 'end 2, status 0'
check_true "the history has the true run time" \
	within 10 "$("$KAHU" history --json | tr -d ' \n' | sed 's/.*"job":"1"/"job":"1"/' | field run_s)" 60
check_equal "the job with a start date is idle" Idle "$("$KAHU" job 3 --json | tr -d ' \n' | sed 's/.*"state":"\([A-Za-z]*\)".*/\1/')"
clock $((5 * 3600 + 60))
check_true "it starts when the new clock reaches its date" wait_until 10 has 'on time' dated

check_true "two seconds pass after the last change" wait_until 10 is_after $(($(now_s) + 1))
"$KAHU" submit -o /dev/null -j oe -- true >/dev/null

# A time that occurred twice means the second occurrence.
from=$("$KAHU" journal --from 1 | sed -n 's/.*set back by 2:00:00, from \([^ ]*\).*/\1/p' | head -n 1)
check_status "queue --at accepts a time that occurred twice" 0 "$KAHU" queue --at "$from"
stop

# A replay needs one clock: a period in which the clock was set is refused, and each period that is suggested can be
# replayed.
first=$("$KAHU" journal --from 1 --json | tr '{' '\n' | field time)
check_status "a period in which the clock was set is not replayed" 1 "$KAHU" replay --since "$(date -d "@$first" +%Y-%m-%dT%H:%M:%S)"
check_contains "the refusal says why" "the system clock was set in entry " "$err"
until=$(expr "$err" : '.*use --until \([^ ]*\)') since=$(expr "$err" : '.* or --since \([^ ]*\)')
check_status "the period up to the suggested end is replayed" 0 \
	"$KAHU" replay --since "$(date -d "@$first" +%Y-%m-%dT%H:%M:%S)" --until "$until"
check_status "the period from the suggested begin is replayed" 0 "$KAHU" replay --since "$since"
check_status "the store is intact" 0 "$KAHU_BUILD/tests/crash/verify_store" "$KAHU_STORE"
