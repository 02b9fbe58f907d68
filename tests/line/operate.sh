#!/bin/sh
# SPDX-License-Identifier: MIT
#
# operate.sh - do jobs start, go and wait on a stopped store as an operator says, and is it remembered?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

# Four processors; at 200 jobs 1 and 2 have ended, 3 runs, 4 to 6 wait.
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

check_row "the limit that keeps u3's jobs is listed" "user u3 MAXPROC 2 2 2 100% 2" "$("$KAHU" limits)"
check_row "as is what is free" "2 2 0:08:20 now" "$("$KAHU" windows)"

check_status "what a start would overstep is said" 0 "$KAHU" start 5 --dry-run
check_contains "the limit" "overrides: Job 5 would bring 1 " "$out"
check_contains "the reservation" "overrides: Job 5 would run 0:06:40 into the reservation of job 4" "$out"
check_status "it is started" 0 "$KAHU" runjob 5
check_contains "and runs" '"state":"Running"' "$("$KAHU" job 5 --json)"
check_status "what does not fit is refused" 1 "$KAHU" start 4
check_contains "with the numbers" "needs 4 processors, and 1 usable ones are free" "$err"
check_status "what runs is refused" 1 "$KAHU" start 5

check_status "a hold says why" 0 "$KAHU" hold -s 6 --reason "disk is full"
check_contains "in the journal" "hold system 6: disk is full" "$("$KAHU" journal -n 1)"
check_row "and as long as it lasts" "holds system: disk is full" "$("$KAHU" job 6)"
check_row "showq has its state" "6 u3 SystemHold 2 0:15:00 Thu Jan 1 00:00:50" "$("$KAHU" showq)"

check_status "attributes are set" 0 "$KAHU" set 6 walltime=0:10:00 qos=hi
check_contains "both" '"wclimit_s":600' "$("$KAHU" job 6 --json)"
check_contains "of them" '"qos":"hi"' "$("$KAHU" job 6 --json)"
check_status "one that cannot be is refused" 1 "$KAHU" set 6 partition=nowhere
check_status "a running job is refused" 1 "$KAHU" set 5 walltime=60

check_status "a waiting job is cancelled" 0 "$KAHU" cancel 6
check_status "and gone" 1 "$KAHU" job 6
check_status "a running one is marked" 0 "$KAHU" canceljob 5
check_status "once" 1 "$KAHU" canceljob 5
check_contains "and goes later" "is already cancelled" "$err"
check_status "a user's own come by selection" 0 "$KAHU" cancel -w 'user=u1 state=idle'

check_row "completed jobs are kept" "2 u2 Completed 4 0:01:40 Thu Jan 1 00:03:20" "$("$KAHU" queue -c)"
check_row "one that never ran too" "6 u3 NotRun 2 0:00:00 Thu Jan 1 00:03:20" "$("$KAHU" queue -c)"
check_contains "scripts get them" '"completed":[{"job":"1","name":null,"user":"u1",' "$("$KAHU" queue -c --json)"
check_row "statistics are theirs" "ended jobs 4, of which 2 ran and 0 were backfilled" "$("$KAHU" stats)"
check_row "and by user" "u2 0 0 0 1 25.00 0.11 50.00 1.45 1.45 0.03 - 50.00" "$("$KAHU" showstats -u)"
check_row "since a moment" "ended jobs 3, of which 1 ran and 0 were backfilled" "$("$KAHU" stats -t 1970-01-01T00:02:00)"
check_row "of each size and length" "4 1.00 1.45 - - - - - - - - - -" "$("$KAHU" showgrid avgxfactor)"
check_contains "for scripts" '{"procs":4,"wclimit_s":240,"jobs":1,"value":1.45}' "$("$KAHU" showgrid AVGXFACTOR --json)"
check_status "a statistic that does not exist is wrong usage" 2 "$KAHU" showgrid AVG
check_contains "a new job is compared with them" "2 recent jobs of similar size waited 0:00:45 on average" "$("$KAHU" when 4@150)"

mkdir fs
check_status "windows of usage are written" 0 "$KAHU" fairshare --export fs
check_equal "each to its file" "FS.0 FS.100 " "$(cd fs && printf '%s ' *)"
check_contains "as the guide has them" "User u2 400.000" "$(cat fs/FS.100)"
before=$("$KAHU" fairshare)
check_row "a share is of all windows" "u2 50.00 ------- ------- 100.00 -------" "$before"
echo "User u2 100.000
TOTAL 800.00" >fs/FS.100
check_status "and read" 0 "$KAHU" fairshare --import fs --dry-run
check_equal "but not in a dry run" "$before" "$("$KAHU" fairshare)"
check_status "and read" 0 "$KAHU" fairshare --import fs
check_row "over what was there" "u2 8.33 ------- ------- 12.50 -------" "$("$KAHU" fairshare)"
check_status "--readonly refuses that" 1 "$KAHU" --readonly fairshare --import fs
check_status "but not the report" 0 "$KAHU" --readonly fairshare
check_status "a folder without such files is refused" 1 "$KAHU" fairshare --import "$KAHU_SOURCE/tests"
check_status "a folder that does not exist is refused" 1 "$KAHU" fairshare --export "$work/none"

check_row "times are those of the place" "2 u2 Completed 4 0:01:40 Thu Jan 1 01:03:20" "$(TZ=CET-1 "$KAHU" queue -c)"
