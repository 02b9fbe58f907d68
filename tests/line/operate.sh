#!/bin/sh
# SPDX-License-Identifier: MIT
#
# operate.sh - operators start, hold, change and cancel jobs in a stopped store; statistics and fairshare files
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

# Four processors; at 200 jobs 1 and 2 have ended, 3 runs, 4 to 6 are idle.
cat >log.swf <<'TEXT'
; MaxProcs: 4
1   0 -1 100 4 -1 -1 4 100 -1 1 1 1 -1 1 -1 -1 -1
2  10 -1 100 4 -1 -1 4 200 -1 1 2 1 -1 1 -1 -1 -1
3  20 -1 500 2 -1 -1 2 500 -1 1 3 2 -1 1 -1 -1 -1
4  30 -1 200 4 -1 -1 4 200 -1 1 1 1 -1 2 -1 -1 -1
5  40 -1 900 1 -1 -1 1 900 -1 1 3 1 -1 2 -1 -1 -1
6  50 -1 900 2 -1 -1 2 900 -1 1 3 1 -1 2 -1 -1 -1
TEXT
cat >site.conf <<'TEXT'
fspolicy = dedicatedps
fsinterval = "0:01:40"
fsdepth = 3
user u3 { maxproc = {"2"}  fstarget = "30" }
qos hi { priority = 100 }
TEXT
"$KAHU" replay log.swf --config site.conf --until 200 --store st >/dev/null || exit 3
export KAHU_STORE="$work/st"

squeeze() { printf '%s\n' "$1" | sed 's/  */ /g; s/^ //'; }
check_row() { check_contains "$1" "
$2
" "
$(squeeze "$3")
"; } # NAME ROW TEXT: a line of the text, blanks squeezed

check_row "limits lists the limit that blocks u3's jobs" "user u3 MAXPROC 2 2 2 100% 2" "$("$KAHU" limits)"
check_row "windows lists the free processors" "2 2 0:08:20 now" "$("$KAHU" windows)"

check_status "start --dry-run succeeds" 0 "$KAHU" start 5 --dry-run
check_contains "it prints the limit that the start exceeds" "overrides: Job 5 would add 1 " "$out"
check_contains "it prints the reservation that the start would delay" "overrides: Job 5 would run 0:06:40 into the reservation of job 4" "$out"
check_status "runjob starts the job" 0 "$KAHU" runjob 5
check_contains "the job runs" '"state":"Running"' "$("$KAHU" job 5 --json)"
check_status "a start without enough free processors is refused" 1 "$KAHU" start 4
check_contains "the refusal has the numbers" "needs 4 processors, and 1 usable ones are free" "$err"
check_status "a start of a running job is refused" 1 "$KAHU" start 5

check_status "a job is held with a reason" 0 "$KAHU" hold -s 6 --reason "disk is full"
check_contains "the journal has the reason" "hold system 6: disk is full" "$("$KAHU" journal -n 1)"
check_row "job prints the reason" "holds system: disk is full" "$("$KAHU" job 6)"
check_row "showq prints the state" "6 u3 SystemHold 2 0:15:00 Thu Jan 1 00:00:50" "$("$KAHU" showq)"

check_status "two attributes are set" 0 "$KAHU" set 6 walltime=0:10:00 qos=hi
check_contains "the time limit is changed" '"wclimit_s":600' "$("$KAHU" job 6 --json)"
check_contains "the QOS is changed" '"qos":"hi"' "$("$KAHU" job 6 --json)"
check_status "an unknown partition is refused" 1 "$KAHU" set 6 partition=nowhere
check_status "a change of a running job's time limit is refused" 1 "$KAHU" set 5 walltime=60

check_status "an idle job is cancelled" 0 "$KAHU" cancel 6
check_status "it is no longer in the queue" 1 "$KAHU" job 6
check_status "a running job is cancelled" 0 "$KAHU" canceljob 5
check_status "a second cancellation is refused" 1 "$KAHU" canceljob 5
check_contains "the refusal says that it is already cancelled" "is already cancelled" "$err"
check_status "jobs are cancelled by a selection" 0 "$KAHU" cancel -w 'user=u1 state=idle'

check_row "queue -c lists an ended job" "2 u2 Completed 4 0:01:40 Thu Jan 1 00:03:20" "$("$KAHU" queue -c)"
check_row "queue -c lists a job that never ran" "6 u3 NotRun 2 0:00:00 Thu Jan 1 00:03:20" "$("$KAHU" queue -c)"
check_contains "queue -c --json lists ended jobs" '"completed":[{"job":"1","name":null,"user":"u1",' "$("$KAHU" queue -c --json)"
check_row "stats counts ended jobs" "ended jobs 4, of which 2 ran and 0 were backfilled" "$("$KAHU" stats)"
check_row "showstats -u prints a row for each user" "u2 0 0 0 1 25.00 0.11 50.00 1.45 1.45 0.03 - 50.00" "$("$KAHU" showstats -u)"
check_row "stats -t counts jobs since a time" "ended jobs 3, of which 1 ran and 0 were backfilled" "$("$KAHU" stats -t 1970-01-01T00:02:00)"
check_row "showgrid prints a row for each size" "4 1.00 1.45 - - - - - - - - - -" "$("$KAHU" showgrid avgxfactor)"
check_contains "showgrid --json has each cell" '{"procs":4,"wclimit_s":240,"jobs":1,"value":1.45}' "$("$KAHU" showgrid AVGXFACTOR --json)"
check_status "an unknown statistic is wrong usage" 2 "$KAHU" showgrid AVG
check_contains "when compares a hypothetical job with recent ones" "2 recent jobs of similar size waited 0:00:45 on average" "$("$KAHU" when 4@150)"

mkdir fs
check_status "fairshare --export succeeds" 0 "$KAHU" fairshare --export fs
check_equal "there is a file for each window" "FS.0 FS.100 " "$(cd fs && printf '%s ' *)"
check_contains "a file has the format of Maui" "User u2 400.000" "$(cat fs/FS.100)"
before=$("$KAHU" fairshare)
check_row "fairshare prints the share over all windows" "u2 50.00 ------- ------- 100.00 -------" "$before"
echo "User u2 100.000
TOTAL 800.00" >fs/FS.100
check_status "fairshare --import --dry-run succeeds" 0 "$KAHU" fairshare --import fs --dry-run
check_equal "it changes nothing" "$before" "$("$KAHU" fairshare)"
check_status "fairshare --import succeeds" 0 "$KAHU" fairshare --import fs
check_row "it replaces the usage of the window" "u2 8.33 ------- ------- 12.50 -------" "$("$KAHU" fairshare)"
check_status "--readonly refuses the import" 1 "$KAHU" --readonly fairshare --import fs
check_status "--readonly permits the report" 0 "$KAHU" --readonly fairshare
check_status "a folder without usage files is refused" 1 "$KAHU" fairshare --import "$KAHU_SOURCE/tests"
check_status "an export to a folder that does not exist is refused" 1 "$KAHU" fairshare --export "$work/none"

check_row "times are printed in the local time zone" "2 u2 Completed 4 0:01:40 Thu Jan 1 01:03:20" "$(TZ=CET-1 "$KAHU" queue -c)"
