#!/bin/sh
# SPDX-License-Identifier: MIT
#
# reports.sh - the reports of the queue, priorities, jobs and options, as text and as JSON
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

# Two nodes of two processors; at 30 job 1 runs on one, 2 needs both, 3 is held, 4 would delay 2.
cat >log.swf <<'TEXT'
; MaxProcs: 4
; MaxNodes: 2
1  0 -1 100 2 -1 -1 2 100 -1 1 1 1 -1 1 -1 -1 -1
2 10 -1 100 4 -1 -1 4 100 -1 1 2 1 -1 1 -1 -1 -1
3 20 -1 500 1 -1 -1 1 500 -1 1 3 2 -1 1 -1 -1 -1
4 30 -1 200 1 -1 -1 1 200 -1 1 1 1 -1 2 -1 -1 -1
TEXT
echo 'reservationdepth = 1' >site.conf
echo '20 hold 3' >do.txt
"$KAHU" replay log.swf --config site.conf --until 40 --do do.txt --store st >/dev/null || exit 3
export KAHU_STORE="$work/st"

squeeze() { printf '%s\n' "$1" | sed 's/  */ /g; s/^ //'; }

check_status "queue is printed" 0 "$KAHU" queue
check_contains "processors in use are counted" "1 Active Job 2 of 4 Processors Active (50.00%)" "$(squeeze "$out")"
check_contains "nodes in use are counted" "1 of 2 Nodes Active (50.00%)" "$(squeeze "$out")"
check_contains "jobs are counted" "Total Jobs: 4   Active Jobs: 1   Idle Jobs: 2   Blocked Jobs: 1" "$out"
check_contains "a job has the line of Maui's showq" "1 u1 Running 2 0:01:10 Thu Jan 1 00:00:00" "$(squeeze "$out")"
check_contains "a held job has that line" "3 u3 UserHold 1 0:08:20 Thu Jan 1 00:00:20" "$(squeeze "$out")"
check_equal "there are no empty lines" "" "$(printf "%s\n" "$out" | grep -n "^$")"
check_status "queue -v succeeds" 0 "$KAHU" queue -v
check_contains "a reservation is marked" "2*" "$out"
check_contains "a projected start has no mark" " 00:01:40   2 procs short" "$out"
check_contains "neither has a start without a reservation" " 00:03:20   would delay 2" "$out"
check_contains "a hold is printed as the reason" "held (user)" "$out"
check_contains "missing processors are printed as the reason" "2 procs short" "$out"
check_contains "a delay of another job is printed as the reason" "would delay 2" "$out"
check_status "queue -r succeeds" 0 "$KAHU" queue -r
check_contains "it lists only running jobs" "Total Jobs: 1   Active Jobs: 1   Idle Jobs: 0" "$out"
check_status "showq -u succeeds" 0 "$KAHU" showq -u u1
check_contains "it counts only jobs of that user" "Total Jobs: 2   Active Jobs: 1   Idle Jobs: 1" "$out"
check_status "queue -w succeeds" 0 "$KAHU" queue -w 'user=u1 state=idle'
check_contains "it lists only jobs that match all terms" "Total Jobs: 1   Active Jobs: 0   Idle Jobs: 1" "$out"
check_status "--config with queue is wrong usage" 2 "$KAHU" queue --config site.conf
check_status "kahu -b succeeds" 0 "$KAHU" -b
check_contains "it prints the queue" "ACTIVE JOBS" "$out"
if [ -c /dev/full ]; then
	"$KAHU" config >/dev/full 2>err
	check_equal "a report to a full device gives status 3" 3 $?
fi
"$KAHU" config >&- 2>err
check_equal "a report to a closed standard output gives status 3" 3 $?
check_contains "the message says that the output cannot be written" "cannot write the output" "$(cat err)"

check_status "queue --json succeeds" 0 "$KAHU" queue --json
for field in '{"now":30,"procs_total":4,"procs_busy":2,"nodes_total":2,"nodes_busy":1,"active":[{"job":"1","user":"u1","group":"g1","account":null,' \
	'"class":"q1","state":"Running","procs":2,"wclimit_s":100,"remaining_s":70,"start":0,' \
	'"nodes":[{"node":"n002","procs":2}],"array":null,"array_index":null}]' '"priority":' '"queued_since":10' '"estimated_start":100' \
	'"reason":"2 procs short"' '"explanation":"' '"estimated_start":null'; do
	check_contains "queue has $field" "$field" "$(printf '%s' "$out" | sed 's/"qos":null,//; s/"backfilled":false,"over_soft":false,//')"
done

check_status "priority is printed" 0 "$KAHU" priority
check_contains "the first row has the weights" "Weights" "$out"
check_contains "factors with a weight are printed" "QTime" "$out"
check_equal "factors without a weight are not printed" "" "$(echo "$out" | grep -i 'cred(')"
check_status "diagnose -p succeeds" 0 "$KAHU" diagnose -p
check_status "diagnose without a letter is wrong usage" 2 "$KAHU" diagnose
check_status "priority --json succeeds" 0 "$KAHU" priority --json
for field in '{"jobs":[{"job":"2","priority":1,"sum":0.3333333333333333,"bounded":true,"system":null,' \
	'"components":{"cred":0,"fs":0,"res":0,"serv":0.3333333333333333,"target":0,"usage":0}' \
	'"QUEUETIME":{"value":0.3333333333333333,"capped":0.3333333333333333,"weighted":0.3333333333333333,"percent":100}'; do
	check_contains "priority has $field" "$field" "$out"
done

check_status "why succeeds" 0 "$KAHU" why 2
check_contains "the failing check is marked" "FAIL" "$out"
check_contains "the reason has the numbers" "needs 4 processors and 2 are free" "$out"
check_status "explain --json succeeds" 0 "$KAHU" explain 2 --json
check_contains "the verdict is not-now" '{"job":"2","verdict":"not-now","checks":[{"check":"hold","value":"none","limit":null,"ok":true}' "$out"
check_contains "it clears at the end of job 1" '"clears_at":100' "$out"
check_contains "changes have their start, the required level and the delay of other jobs" \
	'"changes":[{"change":"cancel 1","starts_at":30,"may":"admin level 2","delayed":0' "$out"
check_contains "the search for changes is complete" '"search":"complete","not_searched":[]' "$out"
check_contains "the verdict on a running job is runs" '"verdict":"runs"' "$("$KAHU" why 1 --json)"
check_contains "no change is searched for a running job" '"changes":[],"search":"none"' "$("$KAHU" why 1 --json)"
check_contains "the verdict on a held job is held" '"verdict":"held"' "$("$KAHU" why 3 --json)"
check_status "a job that does not exist is refused" 1 "$KAHU" why 9

check_status "when succeeds" 0 "$KAHU" when 2
check_contains "it prints the estimated start" "estimated start" "$out"
check_contains "the JSON has the reserved and estimated start" '"reserved_start":100,"estimated_start":100,"estimated_end":200' "$("$KAHU" showstart 2 --json)"
check_contains "a small hypothetical job starts now" '"estimated_start":30' "$("$KAHU" when 2@50 --json)"
check_contains "a large hypothetical job starts later" '"estimated_start":400' "$("$KAHU" when 4@1:00:00 --json)"
check_contains "a hypothetical job that never fits has no start" '"estimated_start":null' "$("$KAHU" when 5@10 --json)"
check_contains "the reason of a hypothetical job has no job ID" 'It never starts: it asks for 5 processors' "$("$KAHU" when 5@10)"
for word in 0@10 x@10 4@ 4@x 4@0; do
	check_status "$word is wrong usage" 2 "$KAHU" when $word
done

check_status "checkjob succeeds" 0 "$KAHU" checkjob 1
check_contains "it prints the nodes" "n002*2" "$out"
check_status "job --json succeeds" 0 "$KAHU" job 3 --json
check_contains "it has the holds" '"holds":"user"' "$out"

check_status "config succeeds" 0 "$KAHU" config reservationdepth
check_contains "it prints the file and line" "site.conf:1" "$out"
check_status "config --json succeeds" 0 "$KAHU" config reservationdepth --json
check_contains "it has the value, default, unit and origin" '"name":"reservationdepth","value":"1","default":"1","unit":"jobs","origin":"site.conf:1"' "$out"
check_status "config with a part of a name succeeds" 0 "$KAHU" config xfactor
check_contains "it lists the weight" "xfactorweight" "$out"
check_contains "it lists the cap" "xfactorcap" "$out"
check_status "a text that is in no name is refused" 1 "$KAHU" config nothing

# --- a queue too long for the projection's budget ------------------------------------------------

awk 'BEGIN {
	for (i = 1; i <= 3000; i++)
		print i, 0, -1, 100, 1, -1, -1, 1, 100, -1, 1, 1, 1, -1, 1, -1, -1, -1
}' >long.swf
printf '0 queue -i\n0 queue --json\n0 when 3000 --json\n' >ask
out=$("$KAHU" replay long.swf --cluster 1x1 --do ask --until 0)
check_contains "a job within the budget has a projected start" "  00:01:40      1 proc short" "$out"
check_contains "another job has the start of the instant plan, with a mark" "  ~Jan04 11:18  1 proc short" "$out"
check_contains "the mark is explained" "~ marks starts of the instant plan" "$out"
check_contains "the JSON says that the projection is partial" '"blocked":[],"tier":"partial"}' "$out"
check_contains "a job has its tier in the JSON" '"array":null,"array_index":null,"tier":"instant"}' "$out"
check_contains "a query about one job has a larger budget" '"estimated_start":299900,"tier":"full"' \
	"$(printf '%s\n' "$out" | sed 's/"estimated_end":[0-9]*,//')"
