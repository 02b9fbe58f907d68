#!/bin/sh
# SPDX-License-Identifier: MIT
#
# replay.sh - the schedule of a small log, compared with one worked out by hand
#
# Four processors. Job 2 needs all of them while job 1 runs until 100; job 3 is short
# enough to end before that, job 4 is not.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

cat >log.swf <<'TEXT'
; UnixStartTime: 1000000000
; MaxProcs: 4
1  0 -1 100 2 -1 -1 2 100 -1 1 1 1 -1 1 -1 -1 -1
2 10 -1 100 4 -1 -1 4 100 -1 1 2 1 -1 1 -1 -1 -1
3 20 -1  50 1 -1 -1 1  50 -1 1 3 2 -1 1 -1 -1 -1
4 30 -1 200 1 -1 -1 1 200 -1 1 1 1 -1 2 -1 -1 -1
5 40 -1  10 9 -1 -1 9  10 -1 1 1 1 -1 2 -1 -1 -1
TEXT

# Compressed logs are read through gzip, xz and zstd.
"$KAHU" replay log.swf --starts plain.csv >/dev/null 2>&1
for packing in 'gzip gz' 'xz xz' 'zstd zst'; do
	program=${packing% *}
	suffix=${packing#* }
	if ! command -v "$program" >/dev/null; then
		skip "a .$suffix log is replayed" "$program is not here"
		continue
	fi
	"$program" -c <log.swf >"log.swf.$suffix"
	check_status "a .$suffix log is replayed" 0 "$KAHU" replay "log.swf.$suffix" --starts "$suffix.csv"
	check_same_files "its schedule equals that of the plain log" plain.csv "$suffix.csv"
	head -c 40 "log.swf.$suffix" >"cut.$suffix"
	check_status "a truncated .$suffix log is refused" 1 "$KAHU" replay "cut.$suffix"
	check_contains "the message names the program" "$program cannot unpack it" "$err"
done
head -c 60000000 /dev/zero | tr '\0' ';' | gzip -1 >large.swf.gz
check_status "a small file that unpacks to 60 MB is refused" 1 "$KAHU" replay large.swf.gz
check_contains "the message has the limit" "the maximum for a packed file of its size" "$err"
rm large.swf.gz
mkfifo fifo.swf.gz
check_status "a compressed log that is a FIFO is refused without waiting" 1 timeout 20 "$KAHU" replay fifo.swf.gz
check_contains "the message says that it is not a regular file" "cannot read fifo.swf.gz: it is not a regular file" "$err"
rm fifo.swf.gz
check_status "a missing compressed log is refused" 1 "$KAHU" replay none.swf.gz
check_contains "the message names the file" "cannot read none.swf.gz: No such file" "$err"
rm -f log.swf.* cut.* plain.csv gz.csv xz.csv zst.csv

starts() { "$KAHU" replay log.swf --starts - "$@" 2>summary; }

check_equal "easy backfills only jobs that do not delay the highest job" "job,submit,start,end,procs
1,0,0,100,2
2,10,100,200,4
3,20,20,70,1
4,30,200,400,1" "$(starts --policy easy)"
check_contains "with --starts - the summary goes to standard error" "backfilled" "$(cat summary)"
check_equal "fcfs keeps the order of submission" "job,submit,start,end,procs
1,0,0,100,2
2,10,100,200,4
3,20,200,250,1
4,30,200,400,1" "$(starts --policy fcfs)"
check_equal "conservative reserves a start for every job" "job,submit,start,end,procs
1,0,0,100,2
2,10,100,200,4
3,20,20,70,1
4,30,200,400,1" "$(starts --policy conservative)"
check_equal "--jobs limits the number of jobs" "job,submit,start,end,procs
1,0,0,100,2
2,10,100,200,4" "$(starts --policy easy --jobs 2)"
check_equal "--until leaves later starts and ends empty" "job,submit,start,end,procs
1,0,0,100,2
2,10,100,,4
3,20,20,70,1
4,30,,,1" "$(starts --policy easy --until 100)"
check_equal "--until +TIME counts from the first submission" "$(starts --policy easy --until 100)" \
	"$(starts --policy easy --until +1:40)"
check_equal "--until accepts a date if the log has one" "$(starts --policy easy --until 100)" \
	"$(starts --policy easy --until 2001-09-09T01:48:20)"
check_equal "--cluster sets the size of the cluster" "job,submit,start,end,procs
1,0,0,100,2
2,10,10,110,4
3,20,20,70,1
4,30,30,230,1
5,40,230,240,9" "$(starts --policy easy --cluster 3x3)"

# Two jobs of a user without a memory request, and one of 10 MB.
cat >mem.swf <<'TEXT'
; MaxProcs: 4
1  0 -1 100 1 -1 -1 1 100    -1 1 1 1 -1 1 -1 -1 -1
2  0 -1 100 1 -1 -1 1 100    -1 1 1 1 -1 1 -1 -1 -1
3  0 -1 100 1 -1 -1 1 100 10240 1 1 1 -1 1 -1 -1 -1
TEXT
echo 'user DEFAULT { maxmem = {"150"} }' >mem.conf
of_memory() { "$KAHU" --config mem.conf replay mem.swf --starts - "$@" 2>/dev/null | cut -d, -f1,3 | tr '\n' ' '; }
check_equal "MAXMEM does not count jobs without a memory request" "job,start 1,0 2,0 3,0 " "$(of_memory)"
check_equal "MAXMEM counts systemdefaultjobmemory" "job,start 1,0 2,100 3,0 " \
	"$(of_memory --set systemdefaultjobmemory=100mb)"
rm mem.swf mem.conf
"$KAHU" replay log.swf --policy easy --starts written.csv >/dev/null
starts --policy easy >printed.csv
check_same_files "--starts FILE and --starts - give the same output" printed.csv written.csv
check_equal "no other file was written" "log.swf
printed.csv
summary
written.csv" "$(ls)"

"$KAHU" replay log.swf --policy easy --cluster 2x2 --placement nodes.csv >/dev/null
check_equal "--placement writes the nodes of each job" "job,nodes
1,n002*2
2,n001*2 n002*2
3,n001*1
4,n002*1" "$(cat nodes.csv)"

check_status "standard input is replayed" 0 sh -c "\"$KAHU\" replay - --policy easy --json <log.swf"
for field in '"jobs":4' '"rejected":1' '"bad_lines":0' '"first_submit":0' '"makespan_s":400' '"utilization":0.53125' \
	'"mean_wait_s":65' '"median_wait_s":45' '"p95_wait_s":170' '"mean_bounded_slowdown":' '"mean_xfactor":' \
	'"backfilled":1' '"cycles":' '"decisions_hash":"' '"elapsed_s":' '"peak_rss_kb":' '"reports":{}'; do
	check_contains "the JSON has $field" "$field" "$out"
done

stable() { "$KAHU" replay log.swf --policy easy --json "$@" | sed 's/"elapsed_s":[^,]*,"peak_rss_kb":[0-9]*//'; }
check_equal "two replays give the same output" "$(stable)" "$(stable)"

check_contains "--report adds the JSON of the verb" '"reports":{"queue":{"now":100,"procs_total":4,"procs_busy":4' \
	"$(stable --until 100 --report queue)"
check_contains "--report accepts a verb with arguments" '"why 4":{"job":"4","verdict":"not-now"' \
	"$(stable --until 100 --report 'why 4')"
check_contains "--report in text prints the command before its output" "\$ queue -i" \
	"$("$KAHU" replay log.swf --policy easy --until 100 --report 'queue -i')"

cat >do.txt <<'TEXT'
# job 4 starts first, and job 2 is held for a while
150 release 2
30  hold 2
30  queue -b
TEXT
"$KAHU" replay log.swf --policy easy --do do.txt --starts held.csv >words
check_equal "--do succeeds" 0 $?
check_equal "--do changes the schedule" "job,submit,start,end,procs
1,0,0,100,2
2,10,230,330,4
3,20,20,70,1
4,30,30,230,1" "$(cat held.csv)"
check_contains "--do prints the command and its output" "\$ hold 2
hold user 2" "$(cat words)"
check_contains "--do runs its lines in order of time" "\$ release 2" "$(sed -n '/queue -b/,$p' words)"
echo '30 hold 77' >do.txt
check_status "a refused command of --do gives status 1" 1 "$KAHU" replay log.swf --policy easy --do do.txt
check_contains "its message is printed" "there is no job '77'" "$out"
check_contains "the replay runs to its end" "makespan" "$out"

# Job 5 is submitted at 50, in the time of the log, before job 4 has enough processors; it and the array run to their limits.
cat >do.txt <<'TEXT'
50 submit -l walltime=20 -- true
60 submit -t 0-1%1 -l walltime=30 -- true
TEXT
check_status "--do can submit jobs" 0 "$KAHU" replay log.swf --policy easy --do do.txt --starts come.csv
check_equal "--starts lists only jobs of the log" "$(starts --policy easy | wc -l)" "$(wc -l <come.csv)"
check_status "a replay with submissions is written to a store" 0 "$KAHU" replay log.swf --policy easy --do do.txt --store came
check_contains "a submitted job has its submission time in the history" '"submit":50,"start":' "$("$KAHU" history --store came --since 1970-01-01T00:00 --json)"

# Job 2 of this log is submitted at 20, after jobs of --do: their IDs must not collide, whatever the numbers in the log are.
for numbers in "1 2 5" "1 2 500"; do
	# shellcheck disable=SC2086 # three words
	set -- $numbers
	cat >ids.swf <<TEXT
; MaxProcs: 4
$1 0 -1 30 2 -1 -1 2 40 -1 1 1 1 -1 1 1 -1 -1
$2 20 -1 10 1 -1 -1 1 40 -1 1 1 1 -1 1 1 -1 -1
$3 22 -1 10 1 -1 -1 1 40 -1 1 1 1 -1 1 1 -1 -1
TEXT
	printf '10 submit -l procs=1,walltime=10 -- x\n12 submit -t 0-1 -l walltime=5 -- x\n' >do.txt
	echo "60 history --since 1970-01-01T00:00" >>do.txt
	check_status "$numbers: jobs are submitted before jobs of the log" 0 "$KAHU" replay ids.swf --do do.txt --store "ids$3"
	check_contains "$numbers: their IDs are above those of the log" "submit -l procs=1,walltime=10 -- x
$(($3 + 1))
" "$out"
	check_equal "$numbers: the history has all jobs" "$1 $2 $3 $(($3 + 2))[0] $(($3 + 1)) $(($3 + 2))[1]" \
		"$(printf '%s\n' "$out" | awk '$4 == "Completed" || $4 == "AtLimit" { printf "%s%s", n++ ? " " : "", $1 }')"
	check_contains "$numbers: the past queue is complete" "3 Active Jobs" \
		"$("$KAHU" queue --at 1970-01-01T00:00:25 --store "ids$3")"
	check_contains "$numbers: a replay of the store reproduces all starts" "6 of 6 jobs start in the recorded order" \
		"$("$KAHU" replay --since 1970-01-01T00:00 --store "ids$3")"
done
set --

printf '%s\n' '25 config xfactorweight' '25 config user[u1].priority' >do.txt
check_status "--set sets options" 0 "$KAHU" replay log.swf --set xfactorweight=5 --set 'user[u1].priority=7' --do do.txt
check_contains "the first has its value" "xfactorweight  5" "$out"
check_contains "the second has its value" "user[u1].priority  7" "$out"
echo 'backfillpolicy = none' >none.conf
check_equal "--config sets the policy" "$(starts --policy fcfs)" "$(starts --config none.conf)"

# A replay runs the program of nodeallocationpolicy = local if no other user can change it or the configuration.
make_programs
printf '#!/bin/sh\necho >>%s/asked\necho n002 n001\n' "$work" >"$programs/nodes"
cp "$programs/nodes" nodes
chmod 755 "$programs/nodes" nodes
local_conf() { printf 'nodeallocationpolicy = local\nlocalnodeallocation = "%s"\n' "$1" >local.conf; } # PROGRAM
local_replay() { "$KAHU" replay log.swf --cluster 2x2 --jobs 1 "$@"; }
local_conf "$programs/nodes"
check_status "a replay with a program for node allocation succeeds" 0 local_replay --config local.conf
check_true "the program is run" test -s asked
check_equal "there is no warning" "" "$err"
rm -f asked
check_status "--compare with such a program succeeds" 0 local_replay --compare local.conf
check_true "the program is run" test -s asked
rm -f asked
mkdir everybodys && cp "$programs/nodes" everybodys && chmod 777 everybodys
local_conf "$work/everybodys/nodes"
check_status "a replay with a program in a folder that all users can write to succeeds" 0 local_replay --config local.conf
check_contains "the program is not run, and a warning has the reason" \
	"as with minresource: $work/everybodys/nodes is not run, as all users can write to $work/everybodys" "$err"
local_conf "$programs/nodes"
chmod o+w local.conf
for option in --config --compare; do
	check_status "$option with a configuration that all users can write to succeeds" 0 local_replay $option local.conf
	check_contains "the program is not run, and a warning names the configuration ($option)" \
		"$programs/nodes is not run, as all users can write to the configuration local.conf" "$err"
done
chmod o-w local.conf
if [ "$(id -u)" = 0 ]; then
	chown nobody local.conf
	for option in --config --compare; do
		check_status "$option with a configuration of another user succeeds" 0 local_replay $option local.conf
		check_contains "the program is not run, and a warning names the user ($option)" \
			"$programs/nodes is not run, as the configuration local.conf belongs to user $(id -u nobody)" "$err"
	done
	check_status "a demo with that configuration succeeds" 0 "$KAHU" demo --config local.conf --nodes 2 --jobs 3 --script /dev/null
else
	skip "a configuration of another user" "only root can make one"
fi
check_true "none of these runs has run the program" test ! -e asked

check_status "a replay is written to a store" 0 "$KAHU" replay log.swf --policy easy --until 100 --store st
check_status "the store can be read" 0 "$KAHU" queue --store st --json
check_contains "it has the state at the end of the replay" '"now":100,"procs_total":4,"procs_busy":4' "$out"
check_status "a replay into a store that is not empty is refused" 1 "$KAHU" replay log.swf --store st
check_contains "the message has the reason" "needs an empty one" "$err"

# A command of --do can print JSON.
printf '%s\n' '15 when 2 --json' >do.txt
check_status "--do with a JSON report succeeds" 0 "$KAHU" replay log.swf --do do.txt
check_contains "the JSON is printed" '{"job":"2",' "$out"

# Passes at multiples of --poll are polls: rmpollinterval, whether shorter or longer, changes no start. The order of
# the jobs changes with time, because their expansion factors grow at different rates.
{
	job_line() { echo "$1 $2 -1 $3 $4 -1 -1 $4 $3 -1 1 $1 1 -1 1 -1 -1 -1"; } # NAME SUBMIT RUN PROCS
	job_line 1 0 1000 16
	for i in 2 3 4 5 6; do job_line $i $((i * 7)) $((500 + i * 37)) $((i * 2)); done
} >polled.swf
for poll in 60 300 420; do
	for interval in 1 45 300 420 1200; do
		check_status "a log is replayed with --poll $poll and rmpollinterval $interval" 0 \
			"$KAHU" replay polled.swf --cluster 1x16 --set xfactorweight=100 --set rmpollinterval=$interval \
			--poll $poll --starts polled.csv
		[ "$interval" -gt 1 ] || cp polled.csv wanted.csv
		check_equal "its starts do not depend on rmpollinterval" "$(cat wanted.csv)" "$(cat polled.csv)"
		check_equal "they are at multiples of $poll" "" \
			"$(awk -F, -v poll=$poll 'NR > 1 && $3 % poll != 0' polled.csv)"
	done
done
echo '60 when 3 --json' >do.txt
check_status "a start at a poll is estimated" 0 "$KAHU" replay polled.swf --cluster 1x16 --set xfactorweight=100 \
	--set rmpollinterval=1200 --poll 60 --do do.txt --until 60
check_contains "the estimate is the start" '"estimated_start":120' "$out"

# A reservation without an end blocks the first job, strict order the others, and targets change ranks with time.
cat >stuck.conf <<'TEXT'
backfillpolicy = none
targetqueuetimeweight = 10
targetxfactorweight = 5
qos q { qttarget = "0:10:00" xftarget = 2.0 }
user u1 { qlist = {"q"} qdef = "q" }
TEXT
cat >stuck.swf <<'TEXT'
; MaxProcs: 4
1 0 -1 1 1 -1 -1 1 100 -1 1 2 1 1 1 1 -1 -1
2 1 -1 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1
3 1 -1 100 2 -1 -1 2 100 -1 1 1 1 1 1 1 -1 -1
4 2 -1 100 2 -1 -1 2 1000 -1 1 1 1 1 1 1 -1 -1
TEXT
echo '0 reserve -n keep TASKS==2' >do.txt
for poll in "" "--poll 60"; do
	# shellcheck disable=SC2086 # two words or none
	check_status "a replay ends if no idle job can start any more, with '$poll'" 0 \
		timeout 20 "$KAHU" replay stuck.swf --config stuck.conf --do do.txt $poll
	check_contains "it lists the jobs that have not started" "2, 3, 4 (--report 'why JOB' prints the reason)" "$out"
done
check_contains "the JSON has their number" '"not_started":3' "$("$KAHU" replay stuck.swf --config stuck.conf --do do.txt --json)"
