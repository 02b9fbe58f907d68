#!/bin/sh
# SPDX-License-Identifier: MIT
#
# replay.sh - does a small log give the schedule that can be worked out by hand?
#
# Four processors. Job 2 wants all of them while job 1 runs until 100; job 3 is short
# enough to run before that, job 4 is not.
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

# Compressed logs are read through their programs.
"$KAHU" replay log.swf --starts plain.csv >/dev/null 2>&1
for packing in 'gzip gz' 'xz xz' 'zstd zst'; do
	program=${packing% *}
	suffix=${packing#* }
	if ! command -v "$program" >/dev/null; then
		skip "a .$suffix log is read" "$program is not here"
		continue
	fi
	"$program" -c <log.swf >"log.swf.$suffix"
	check_status "a .$suffix log is read" 0 "$KAHU" replay "log.swf.$suffix" --starts "$suffix.csv"
	check_same_files "as the log itself" plain.csv "$suffix.csv"
	head -c 40 "log.swf.$suffix" >"cut.$suffix"
	check_status "one that is cut is refused" 1 "$KAHU" replay "cut.$suffix"
	check_contains "with its program" "$program cannot unpack it" "$err"
done
head -c 60000000 /dev/zero | tr '\0' ';' | gzip -1 >large.swf.gz
check_status "a small file that holds 60 MB is refused" 1 "$KAHU" replay large.swf.gz
check_contains "with the most that is read of it" "the maximum for a packed file of its size" "$err"
rm large.swf.gz
mkfifo fifo.swf.gz
check_status "a packed FIFO too, at once" 1 timeout 20 "$KAHU" replay fifo.swf.gz
check_contains "by what it is" "cannot read fifo.swf.gz: it is not a regular file" "$err"
rm fifo.swf.gz
check_status "a compressed log that is missing is refused" 1 "$KAHU" replay none.swf.gz
check_contains "by its name" "cannot read none.swf.gz: No such file" "$err"
rm -f log.swf.* cut.* plain.csv gz.csv xz.csv zst.csv

starts() { "$KAHU" replay log.swf --starts - "$@" 2>summary; }

check_equal "easy backfills what does not delay the head" "job,submit,start,end,procs
1,0,0,100,2
2,10,100,200,4
3,20,20,70,1
4,30,200,400,1" "$(starts --policy easy)"
check_contains "with --starts - the summary goes to standard error" "backfilled" "$(cat summary)"
check_equal "fcfs keeps the order" "job,submit,start,end,procs
1,0,0,100,2
2,10,100,200,4
3,20,200,250,1
4,30,200,400,1" "$(starts --policy fcfs)"
check_equal "conservative promises every job a start" "job,submit,start,end,procs
1,0,0,100,2
2,10,100,200,4
3,20,20,70,1
4,30,200,400,1" "$(starts --policy conservative)"
check_equal "--jobs takes the first jobs" "job,submit,start,end,procs
1,0,0,100,2
2,10,100,200,4" "$(starts --policy easy --jobs 2)"
check_equal "--until leaves empty what had not happened" "job,submit,start,end,procs
1,0,0,100,2
2,10,100,,4
3,20,20,70,1
4,30,,,1" "$(starts --policy easy --until 100)"
check_equal "--until counts from the first job with +" "$(starts --policy easy --until 100)" \
	"$(starts --policy easy --until +1:40)"
check_equal "--until takes a date when the log has one" "$(starts --policy easy --until 100)" \
	"$(starts --policy easy --until 2001-09-09T01:48:20)"
check_equal "--cluster makes the machine larger" "job,submit,start,end,procs
1,0,0,100,2
2,10,10,110,4
3,20,20,70,1
4,30,30,230,1
5,40,230,240,9" "$(starts --policy easy --cluster 3x3)"

# Two jobs of a user that name no memory, and one of 10 MB.
cat >mem.swf <<'TEXT'
; MaxProcs: 4
1  0 -1 100 1 -1 -1 1 100    -1 1 1 1 -1 1 -1 -1 -1
2  0 -1 100 1 -1 -1 1 100    -1 1 1 1 -1 1 -1 -1 -1
3  0 -1 100 1 -1 -1 1 100 10240 1 1 1 -1 1 -1 -1 -1
TEXT
echo 'user DEFAULT { maxmem = {"150"} }' >mem.conf
of_memory() { "$KAHU" --config mem.conf replay mem.swf --starts - "$@" 2>/dev/null | cut -d, -f1,3 | tr '\n' ' '; }
check_equal "MAXMEM does not count jobs without memory" "job,start 1,0 2,0 3,0 " "$(of_memory)"
check_equal "with systemdefaultjobmemory it does" "job,start 1,0 2,100 3,0 " \
	"$(of_memory --set systemdefaultjobmemory=100mb)"
rm mem.swf mem.conf
"$KAHU" replay log.swf --policy easy --starts written.csv >/dev/null
starts --policy easy >printed.csv
check_same_files "--starts writes what it prints" printed.csv written.csv
check_equal "nothing else was written" "log.swf
printed.csv
summary
written.csv" "$(ls)"

"$KAHU" replay log.swf --policy easy --cluster 2x2 --placement nodes.csv >/dev/null
check_equal "--placement names the nodes" "job,nodes
1,n002*2
2,n001*2 n002*2
3,n001*1
4,n002*1" "$(cat nodes.csv)"

check_status "standard input is read" 0 sh -c "\"$KAHU\" replay - --policy easy --json <log.swf"
for field in '"jobs":4' '"rejected":1' '"bad_lines":0' '"first_submit":0' '"makespan_s":400' '"utilization":0.53125' \
	'"mean_wait_s":65' '"median_wait_s":45' '"p95_wait_s":170' '"mean_bounded_slowdown":' '"mean_xfactor":' \
	'"backfilled":1' '"cycles":' '"decisions_hash":"' '"elapsed_s":' '"peak_rss_kb":' '"reports":{}'; do
	check_contains "JSON has $field" "$field" "$out"
done

stable() { "$KAHU" replay log.swf --policy easy --json "$@" | sed 's/"elapsed_s":[^,]*,"peak_rss_kb":[0-9]*//'; }
check_equal "twice gives the same bytes" "$(stable)" "$(stable)"

check_contains "--report adds what the verb prints" '"reports":{"queue":{"now":100,"procs_total":4,"procs_busy":4' \
	"$(stable --until 100 --report queue)"
check_contains "a report may have words of its own" '"why 4":{"job":"4","verdict":"not-now"' \
	"$(stable --until 100 --report 'why 4')"
check_contains "a report in text stands behind its name" "\$ queue -i" \
	"$("$KAHU" replay log.swf --policy easy --until 100 --report 'queue -i')"

cat >do.txt <<'TEXT'
# 4 goes first, and 2 is held for a while
150 release 2
30  hold 2
30  queue -b
TEXT
"$KAHU" replay log.swf --policy easy --do do.txt --starts held.csv >words
check_equal "--do ends well" 0 $?
check_equal "--do changes what is decided after it" "job,submit,start,end,procs
1,0,0,100,2
2,10,230,330,4
3,20,20,70,1
4,30,30,230,1" "$(cat held.csv)"
check_contains "--do prints the command" "\$ hold 2
hold user 2" "$(cat words)"
check_contains "--do runs lines in the order of time" "\$ release 2" "$(sed -n '/queue -b/,$p' words)"
echo '30 hold 77' >do.txt
check_status "a command that is refused is the exit status" 1 "$KAHU" replay log.swf --policy easy --do do.txt
check_contains "its sentence is printed" "there is no job '77'" "$out"
check_contains "the replay went on to its end" "makespan" "$out"

# Job 5 comes at 50, in the log's time, before 4 has room; it and the array run to their limits.
cat >do.txt <<'TEXT'
50 submit -l walltime=20 -- true
60 submit -t 0-1%1 -l walltime=30 -- true
TEXT
check_status "--do may submit" 0 "$KAHU" replay log.swf --policy easy --do do.txt --starts come.csv
check_equal "what was submitted is not of the log" "$(starts --policy easy | wc -l)" "$(wc -l <come.csv)"
check_status "all of it, in a store" 0 "$KAHU" replay log.swf --policy easy --do do.txt --store came
check_contains "the first runs to its limit from when it came" '"submit":50,"start":' "$("$KAHU" history --store came --since 1970-01-01T00:00 --json)"

# Job 2 of this log comes at 20, after jobs were submitted: no id is of two jobs, whatever the numbers are.
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
	check_status "$numbers: submissions before jobs of the log" 0 "$KAHU" replay ids.swf --do do.txt --store "ids$3"
	check_contains "$numbers: their ids are above those of the log" "submit -l procs=1,walltime=10 -- x
$(($3 + 1))
" "$out"
	check_equal "$numbers: history has all" "$1 $2 $3 $(($3 + 2))[0] $(($3 + 1)) $(($3 + 2))[1]" \
		"$(printf '%s\n' "$out" | awk '$4 == "Completed" || $4 == "AtLimit" { printf "%s%s", n++ ? " " : "", $1 }')"
	check_contains "$numbers: the journal is read to its end" "3 Active Jobs" \
		"$("$KAHU" queue --at 1970-01-01T00:00:25 --store "ids$3")"
	check_contains "$numbers: and run again" "6 of 6 jobs start in the recorded order" \
		"$("$KAHU" replay --since 1970-01-01T00:00 --store "ids$3")"
done
set --

check_contains "--set changes an option" '"jobs":4' "$(stable --set xfactorweight=5 --set 'user[u1].priority=7')"
echo 'backfillpolicy = none' >none.conf
check_equal "--config is the policy" "$(starts --policy fcfs)" "$(starts --config none.conf)"

# The program of nodeallocationpolicy = local is asked in a replay too, if nobody else can change it or who names it.
make_programs
printf '#!/bin/sh\necho >>%s/asked\necho n002 n001\n' "$work" >"$programs/nodes"
cp "$programs/nodes" nodes
chmod 755 "$programs/nodes" nodes
local_conf() { printf 'nodeallocationpolicy = local\nlocalnodeallocation = "%s"\n' "$1" >local.conf; } # PROGRAM
local_replay() { "$KAHU" replay log.swf --cluster 2x2 --jobs 1 "$@"; }
local_conf "$programs/nodes"
check_status "a replay of the site's configuration" 0 local_replay --config local.conf
check_true "asks its program" test -s asked
check_equal "and has no warning" "" "$err"
rm -f asked
check_status "one under its policy alone, to compare" 0 local_replay --compare local.conf
check_true "asks it too" test -s asked
rm -f asked
mkdir everybodys && cp "$programs/nodes" everybodys && chmod 777 everybodys
local_conf "$work/everybodys/nodes"
check_status "with a program in a folder where all users can write" 0 local_replay --config local.conf
check_contains "nodes are chosen without it, which is said" \
	"as with minresource: $work/everybodys/nodes is not run, as all users can write to $work/everybodys" "$err"
local_conf "$programs/nodes"
chmod o+w local.conf
for option in --config --compare; do
	check_status "with $option and a file that all users can write to" 0 local_replay $option local.conf
	check_contains "likewise, with the name of the file ($option)" \
		"$programs/nodes is not run, as all users can write to the configuration local.conf" "$err"
done
chmod o-w local.conf
if [ "$(id -u)" = 0 ]; then
	chown nobody local.conf
	for option in --config --compare; do
		check_status "with $option and a file of another user" 0 local_replay $option local.conf
		check_contains "likewise ($option)" \
			"$programs/nodes is not run, as the configuration local.conf belongs to user $(id -u nobody)" "$err"
	done
	check_status "a demo under it" 0 "$KAHU" demo --config local.conf --nodes 2 --jobs 3 --script /dev/null
else
	skip "with a file of another user" "only root can make one"
fi
check_true "and no program has run" test ! -e asked

check_status "a replay can be kept in a store" 0 "$KAHU" replay log.swf --policy easy --until 100 --store st
check_status "the store can be looked at" 0 "$KAHU" queue --store st --json
check_contains "and is as it was at the end" '"now":100,"procs_total":4,"procs_busy":4' "$out"
check_status "a second replay does not mix with it" 1 "$KAHU" replay log.swf --store st
check_contains "and says why" "needs an empty one" "$err"

# A command of --do may print JSON.
printf '%s\n' '15 when 2 --json' >do.txt
check_status "a command of --do prints JSON" 0 "$KAHU" replay log.swf --do do.txt
check_contains "of its own" '{"job":"2",' "$out"

# A reservation without an end stops the first job, strict order the others, and targets change ranks with time.
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
	check_status "a replay ends when the rest can never start, with '$poll'" 0 \
		timeout 20 "$KAHU" replay stuck.swf --config stuck.conf --do do.txt $poll
	check_contains "and names what remains" "2, 3, 4 (--report 'why JOB' prints the reason)" "$out"
done
check_contains "how many, for programs" '"not_started":3' "$("$KAHU" replay stuck.swf --config stuck.conf --do do.txt --json)"
