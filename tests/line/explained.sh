#!/bin/sh
# SPDX-License-Identifier: MIT
#
# explained.sh - why, when, queue and job give the same answer, with the correct cause and time
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

# ID PROCS USER LIMIT SUBMIT END
trace() {
	echo "VERSION 230"
	while read -r id procs user limit submit end; do
		echo "$id 0 $procs $user g $limit Completed [batch:1] $submit $submit $submit $end" \
			"[NONE] [NONE] [NONE] >= 0 >= 0 [NONE] $submit $procs -1 [NONE] [NONE] [NONE] cmd [NONE]" \
			"0 0 [DEFAULT] 1 0 0 0 0 0 [NONE] 0 [NONE] [NONE] [NONE] [NONE] [NONE]"
	done
}
ask() { # OPTION...: replays log.trace under site.conf with the commands of do.txt
	"$KAHU" replay log.trace --cluster 1x16 --config site.conf --do do.txt "$@"
}

# The usage of user a with the job is 4800 + 600: 40 % of 13500, a total that the others reach after 1087.5 s on 8 processors.
trace >log.trace <<'TEXT'
1 8 a 600 1767571200 1767571800
2 8 b 86400 1767571800 1767579000
3 1 a 600 1767571900 1767572500
TEXT
printf 'fspolicy = dedicatedps\nfsinterval = "24:00:00"\nuser a { fstarget = "40%%" }\n' >site.conf
echo "1767571980 why 3" >do.txt
said=$(ask --starts starts.csv) || exit 3
check_contains "usage of other users lets a fairshare cap clear" "it clears by itself at 00:28:08, in 0:15:08" "$said"
check_contains "the estimated start is the next pass" "Estimated start: Mon Jan  5 00:29:00 (in 0:16:00)." "$said"
check_contains "the job starts at that pass" "3,1767571900,1767572940" "$(cat starts.csv)"

# Other users have used 120 processor-seconds; the job requests 691200.
trace >log.trace <<'TEXT'
1 1 b 60 1767571200 1767571260
2 8 a 86400 1767571270 1767571870
3 1 b 60 1767571300 1767571360
TEXT
printf 'fspolicy = dedicatedps\nuser a { fstarget = "40%%" }\n' >site.conf
echo "1767571380 why 2" >do.txt
said=$(ask) || exit 3
check_contains "the request counts in the total usage" "would bring user a to 99.98 % of recent usage" "$said"
check_contains "no cap above 100 percent is suggested" "tune user[a].fstarget none  now" "$said"

# The hard limit clears, the soft limit never does.
trace >log.trace <<'TEXT'
1 4 a 3600 1767571200 1767574800
2 8 a 3600 1767571210 1767574810
TEXT
printf 'backfillpolicy = none\nhardpass = resources\nuser DEFAULT { maxproc = {"4,8"} }\n' >site.conf
for what in "why 2" "when 2" "job 2"; do
	echo "1767571220 $what" >do.txt
	said=$(ask --until 1767571300) || exit 3
	check_contains "$what: the reason is the limit that never clears" "Job 2 never starts: it asks for 8 processors, more than" "$said"
	check_true "$what: no date" test "${said#*01:00:00}" = "$said"
done
echo "1767571220 queue -b" >do.txt
check_contains "queue -b: no date" "00:00:10  -          MAXPROC 12>4" "$(ask --until 1767571300)"

# The reason for a job that would run into a reservation has the time of the reservation and the overlap.
{
	printf '; MaxNodes: 3\n; MaxProcs: 12\n'
	while read -r id submit procs; do
		echo "$id $submit -1 7200 $procs -1 -1 $procs 7200 -1 1 $((1 + (id + 1) % 2)) 1 1 1 1 1 -1 -1"
	done <<'TEXT'
1 0 2
2 70 2
3 71 1
4 72 5
5 73 3
TEXT
} >log.swf
echo "120 why 5" >do.txt
said=$("$KAHU" replay log.swf --cluster 3x4 --poll 60 --set nodeaccesspolicy=singlejob --do do.txt --until 180) ||
	exit 3
check_contains "the reason has the overlap and the time of the reservation" "would run 1:59:59 into the reservation of job 4 at 02:02:00" "$said"

# A value that the job already has is no change: its reservation stays, and the journal gets no entry.
trace >log.trace <<'TEXT'
1 8 a 86400 1767571200 1767657600
2 16 b 172800 1767571210 1767571810
TEXT
: >site.conf
cat >do.txt <<'TEXT'
1767571230 set 2 walltime=48:00:00
1767571230 set 2 priority=none
1767571230 set 2 priority=none walltime=2:00:00:00 mem=0 --json
1767571230 job 2
1767571230 set 2 walltime=47:00:00 priority=none
TEXT
said=$(ask --until 1767571240) || exit 3
check_contains "a limit that the job already has changes nothing" "changes nothing now:
  modify 2: walltime = 48:00:00 (2)
nothing is changed" "$said"
check_contains "resetting a priority that was not set changes nothing" "reset priority of 2 to the computed value (2)
nothing is changed" "$said"
check_contains "the JSON says that nothing is changed" '{"applied":false,"effect":"nothing is changed","notes":[{"kind":"nothing"' "$said"
check_contains "the reservation stays" "reserved start   Tue Jan  6 00:00:00" "$said"
check_contains "of two values only the new one is changed" "modify 2: walltime = 47:00:00 (2)  [journal" "$said"

# A job is killed at its limit, so no limit below the usual run time of its user's jobs is suggested.
usually() { # RUN: five earlier jobs of user c ran for RUN of 1000 seconds
	for i in 1 2 3 4 5; do
		echo "$i 1 c 1000 1767500000 $((1767500000 + $1))"
	done
	cat <<'TEXT'
6 12 a 86400 1767571200 1767657600
7 16 b 172800 1767571210 1767571810
8 4 c 108000 1767571260 1767571860
TEXT
}
echo "1767571300 why 8" >do.txt
usually 100 | trace >log.trace
check_contains "the suggestion of a shorter limit says that the job is killed at it" \
	"set 8 walltime=23:58:20 now no job delayed; the job is killed at this limit" "$(ask --until 1767571301 | tr -s ' ')"
usually 950 | trace >log.trace
said=$(ask --until 1767571301) || exit 3
check_contains "other changes are suggested" "tune reservationpolicy never" "$said"
check_equal "no limit below the usual run time is suggested" "" "$(echo "$said" | grep walltime=)"
echo "1767571300 why 8 --json" >do.txt
usually 100 | trace >log.trace
check_contains "the JSON says that the job is killed at it" '"work_lost_ps":0,"note":"the job is killed at this limit"' "$(ask --until 1767571301)"

# A start date and a request beyond a limit: all verbs name the reason that never clears.
trace >log.trace <<'TEXT'
1 12 a 600 1767571200 1767571800
2 17 b 600 1767571210 1767571810
3 8 b 600 1767571210 1767571810
TEXT
: >site.conf
for what in "why 2" "when 2" "job 2" "why 2 --json" "when 2 --json" "job 2 --json" "queue -b --json"; do
	printf '1767571211 set 2 starttime=+3600\n1767571220 %s\n' "$what" >do.txt
	check_contains "$what: the reason that never clears comes first" "Job 2 never starts: it asks for 17 processors" \
		"$(ask --until 1767571300)"
done
# A dependency on a job that never ends.
for what in "why 3" "when 3" "job 3" "queue -b --json"; do
	printf '1767571211 set 3 depend=afterany:2\n1767571220 %s\n' "$what" >do.txt
	check_contains "$what: the reason is the dependency" "waits until job 2 has ended" "$(ask --until 1767571300)"
done

# With --poll 60 estimates are times of passes, and the next pass sees a change made at a pass.
trace >log.trace <<'TEXT'
1 16 a 100 1767571200 1767571290
2 16 b 600 1767571210 1767571810
3 4 c 600 1767571210 1767571810
TEXT
: >site.conf
cat >do.txt <<'TEXT'
1767571270 when 2 --json
1767571270 why 2 --json
1767571270 whatif backfillpolicy=none --json
1767571270 when 1@60 --json
1767571270 submit -l procs=1,walltime=60 -- x
TEXT
said=$(ask --poll 60 --starts starts.csv) || exit 3
check_equal "jobs start at passes" "1,1767571260 2,1767571380 3,1767571980" \
	"$(awk -F, 'NR > 1 { printf "%s%s,%s", (NR > 2 ? " " : ""), $1, $3 }' starts.csv)"
check_contains "when prints the time of the pass" '"estimated_start":1767571380' "$said"
check_contains "why prints the time of the pass" '"projected_start":1767571380' "$said"
check_contains "whatif prints the time of the pass" '"start_before":1767571980' "$said"
check_contains "when prints the time of the pass for a hypothetical job" '"procs":1,"wclimit_s":60,"start":null,"reserved_start":null,"estimated_start":1767571980' "$said"

# A value that an option already has.
echo 'xfactorweight = 7' >site.conf
printf '1767571220 tune %s --json\n' 'XFactorWeight 7' 'backfillpolicy FIRSTFIT' 'user[a].maxps 3600' \
	'user[a].maxps=3600' 'rmpollinterval 0:01:00' 'xfactorweight 8 --for 60' 'xfactorweight 8' >do.txt
check_equal "tune to a value that is already set changes nothing" "0 0 1 0 0 1 1" \
	"$(ask | awk '/"changes":/ { printf "%s%d", (n++ ? " " : ""), !/"changes":\[\]/ }')"

# A change of a job that has a reservation is undone before the next pass.
trace >log.trace <<'TEXT'
1 12 a 1000 1767571200 1767572200
2 16 b 600 1767571210 1767571810
TEXT
: >site.conf
reserved() { ask --poll 60 --until 1767571300 | sed -n 's/.*"reserved_start":\([^,]*\),.*/\1/p'; }
for change in "set 2 walltime=450" "set 2 mem=10" "set 2 qos=hi"; do
	printf '1767571270 %s\n' "$change" "undo" "job 2 --json" >do.txt
	check_equal "$change and undo: the reservation stays" 1767572260 "$(reserved)"
done
printf '1767571270 %s\n' "set 2 mem=10" "set 2 walltime=450" "undo" "job 2 --json" >do.txt
check_equal "if one of two changes is undone, the reservation is removed" null "$(reserved)"
