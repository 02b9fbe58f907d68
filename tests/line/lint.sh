#!/bin/sh
# SPDX-License-Identifier: MIT
#
# lint.sh - is a bad configuration refused with file, line and value, and a good one judged?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

refused() { # NAME TEXT SENTENCE: the text is refused, and the sentence says so
	# shellcheck disable=SC2059 # the text has escapes
	printf "$2" >bad.conf
	check_status "$1 is refused" 1 "$KAHU" lint bad.conf
	check_contains "$1 is named with its line" "$3" "$err"
	check_equal "$1 gives one sentence" 1 "$(printf '%s\n' "$err" | wc -l)"
	check_equal "$1 prints nothing else" "" "$out"
}

refused "an unknown option" 'queuetimeweight = 1\nbogusweight = 2\n' "bad.conf:2:"
refused "an unclosed section" 'queuetimeweight = 1\nuser john {\n  priority = 5\n' "bad.conf:"
refused "an unclosed quote" 'qos hi {\n  qttarget = "4:00\n}\n' "bad.conf:"
refused "nan" 'xfactorweight = nan\n' "bad.conf:1:"
refused "an infinite number" 'xfactorweight = inf\n' "bad.conf:1:"
refused "text for a number" 'xfactorweight = many\n' "bad.conf:1:"
refused "a repeated option" 'xfactorweight = 1\nxfactorweight = 2\n' "bad.conf:2:"
refused "an unquoted sign" 'xfactorweight = 25.0+\n' "bad.conf:1:"
refused "a value out of range" 'reservationdepth = -1\n' "bad.conf:1:"
refused "an unknown choice" 'backfillpolicy = bestest\n' "bad.conf:1:"
refused "a wrong duration" 'qos hi {\n  qttarget = "1:99"\n}\n' "bad.conf:2:"
refused "a NUL byte" 'xfactorweight = 1\n\000\n' "bad.conf:"
refused "text that is not UTF-8" '# \377\nxfactorweight = \377\n' "bad.conf:"

refused "a floor without quotes (F-28)" 'user john {\n  fstarget = 25.0+\n}\n' 'bad.conf:2: 25.0+ must be quoted: "25.0+"'
refused "a target with an unknown suffix" 'user john {\n  fstarget = "25*"\n}\n' "bad.conf:2: fstarget"
refused "a limit of nothing" 'user john {\n  maxjob = {"0"}\n}\n' 'bad.conf:2: maxjob = "0": a limit must be at least 1'
refused "a negative limit" 'user john { maxps = {"-5"} }\n' "bad.conf:1: maxps"
refused "a limit that overflows" 'user john { maxps = {"99999999999999999999"} }\n' "bad.conf:1: maxps"
refused "a limit for an unknown kind of credential" 'user john { maxjob = {"USR=4"} }\n' "unknown credential type USR"
refused "an unknown component of PRIORITYF" 'node DEFAULT {\n  priorityf = "SPEED + MEMORY"\n}\n' "bad.conf:2: priorityf"
check_contains "its column is said" "column 9" "$err"
refused "a PRIORITYF that divides by zero" 'node DEFAULT { priorityf = "SPEED / 0" }\n' "column"
refused "a PRIORITYF with blanks and without quotes (N-20)" 'node DEFAULT { priorityf = 5 * PREF - LOAD }\n' "bad.conf:1:"
refused "a QOS list without names" 'user john { qlist = {"&"} }\n' "bad.conf:1: qlist"
refused "a reservation level that there is not" 'reservationlevel 8 { reservationdepth = 1 }\n' "a number from 0 to 7"
refused "a class limit of 0" 'class a { max.proc = 0 }\n' "bad.conf:1: max.proc"
refused "a decay above 1" 'fsdecay = 1.5\n' "bad.conf:1: fsdecay must be a number from 0 to 1"
refused "more windows than there can be" 'fsdepth = 33\n' "bad.conf:1: fsdepth must be a whole number from 1 to 32"

printf 'nodeallocationpolicy = priority\nnode DEFAULT { priorityf = JOBCOUNT }\n' >plain.conf
check_status "a PRIORITYF of one word needs no quotes (N-19)" 0 "$KAHU" lint plain.conf
check_contains "and is right" "0 warnings" "$out"

check_status "a directory is refused" 1 "$KAHU" lint "$work"
check_contains "a directory is called one" "directory" "$err"
check_status "a missing file is refused" 1 "$KAHU" lint "$work/none.conf"
check_contains "a missing file is named" "none.conf" "$err"

: >empty.conf
check_status "an empty file is a good configuration" 0 "$KAHU" lint empty.conf
check_status "the shipped defaults are a good configuration" 0 "$KAHU" lint "$KAHU_SOURCE/sched/config/defaults.conf"
printf 'node n1 { speed = 1.5 }\nnode n2 { memory = 4 }\n' >plain.conf
check_status "nodes may be those that a manager reports" 0 "$KAHU" lint plain.conf
check_contains "a size without processors is pointed out" "plain.conf:2: W29 node n2 has no procs" "$out"
check_contains "other attributes are not" "1 warning" "$out"

check_status "the shipped example is a good configuration" 0 "$KAHU" lint "$KAHU_SOURCE/tests/examples/hpc2n.conf"
check_contains "and there is nothing odd about it" " 0 warnings" "$out"

printf 'userweight = 10\n' >odd.conf
check_status "a configuration with warnings passes" 0 "$KAHU" lint odd.conf
check_contains "a weight without priorities is warned about" "W4" "$out"
check_contains "warnings are counted" "1 warning" "$out"
check_status "warnings are there as JSON" 0 "$KAHU" lint odd.conf --json
check_contains "JSON has the findings" '"findings":[{"id":"W4"' "$out"

check_status "standard input is read" 0 sh -c "\"$KAHU\" lint - <odd.conf"
check_contains "and called by that name" "standard input" "$out"
check_status "--config names the file too" 0 "$KAHU" lint --config odd.conf
check_status "no configuration anywhere is said" 1 "$KAHU" lint
mkdir -p config/kahu && cp odd.conf config/kahu/kahu.conf
if [ "$(id -u)" = 0 ]; then
	skip "the user's own configuration is found" "root's is elsewhere"
else
	check_status "the user's own configuration is found" 0 "$KAHU" lint
fi
KAHU_CONF=odd.conf
export KAHU_CONF
check_status "KAHU_CONF names it" 0 "$KAHU" lint
check_contains "KAHU_CONF was read" "odd.conf" "$out"

unset KAHU_CONF
check_status "the rules are listed" 0 "$KAHU" lint --rules
check_contains "with id, severity and a sentence" "W18" "$out"
check_contains "also those of a living state" "L9" "$out"
check_equal "thirty and more of them" 1 "$([ "$(printf '%s\n' "$out" | grep -c '^[WL][0-9]')" -ge 30 ] && echo 1)"
printf 'class a { min.proc = 8 max.proc = 4 }\nuserweight = 10\n' >odd.conf
check_status "what keeps jobs out for ever is an error" 1 "$KAHU" lint odd.conf
check_contains "errors are counted" "1 error, 1 warning" "$out"
check_contains "a fix is there to be typed" "    fix: userweight=0" "$out"
check_status "the fix of a finding is there as JSON" 1 "$KAHU" lint odd.conf --json
check_contains "with its option and severity" '"severity":"warning","option":"userweight","fix":"userweight=0"' "$out"

# What a file names is looked for on this host.
printf 'fspolicy = dedicatedps\nfsclassweight = 1\nclass a { fstarget = 70 }\nclass b { fstarget = 60 }\n' >odd.conf
check_status "warnings are no errors" 0 "$KAHU" lint odd.conf
check_contains "two classes are called that" "the fstargets of classes add up to 130 percent" "$out"
printf '#!/bin/sh\n' >epilog.sh
printf 'prolog = "%s/gone"\nepilog = "%s/epilog.sh"\nadmin2 = "no-such-person root"\nuser no-such-person { maxjob = {"4"} }\n' "$work" "$work" >host.conf
check_status "what this host lacks is an error" 1 "$KAHU" lint host.conf
check_contains "a prolog that is not there, with its line" "host.conf:1: H1 prolog = $work/gone does not exist" "$out"
check_contains "a program that is none" "host.conf:2: H2 epilog" "$out"
check_contains "an administrator whom nobody knows" "    fix: admin2=root" "$out"
check_contains "somebody for whom something is set" "host.conf:4: H4 user no-such-person has no account" "$out"
check_contains "notes are no warnings" "1 error, 2 warnings, 1 note" "$out"
chmod +x epilog.sh
mkdir everybodys && mv epilog.sh everybodys && chmod 777 everybodys
printf 'epilog = "%s/everybodys/epilog.sh"\nadmin2 = "root"\n' "$work" >host.conf
check_status "a program in /tmp" 0 "$KAHU" lint host.conf
check_contains "is not run, with what others can write to" \
	"H2 $work/everybodys/epilog.sh is not run, as all users can write to $work/everybodys, so nothing cleans up after jobs" "$out"
make_programs
mv everybodys/epilog.sh "$programs"
printf 'epilog = "%s/epilog.sh"\nadmin2 = "root"\n' "$programs" >host.conf
check_status "what is here" 0 "$KAHU" lint host.conf
check_contains "is right" " 0 warnings" "$out"
chmod o+w host.conf
check_status "a configuration that all users can write to" 1 "$KAHU" lint host.conf
check_contains "has no program run" "host.conf:1: H5 the programs in this file are not run, because all users can write to the" "$out"
check_contains "which doctor counts" "host.conf, 1 warning" "$("$KAHU" --config host.conf doctor 2>&1)"

# What is in force, beside the jobs that there are: one that no node has room for.
printf 'dump %s\n' /dev/null >script
check_status "a cluster to judge" 0 "$KAHU" demo --store state --seed 3 --script script
check_status "what is in force is judged beside its jobs" 1 "$KAHU" --store state lint --live
check_contains "by the rules that need them" ": L8 " "$out"
check_contains "and is said to be in force" ": in force, " "$out"
check_status "without a state that is said" 1 "$KAHU" --store nowhere lint --live
check_contains "in a sentence" "no scheduler is running" "$err"
check_status "without a configuration a file is asked for" 1 env HOME="$work/empty" XDG_CONFIG_HOME= KAHU_CONF= "$KAHU" --store state lint
check_contains "and how a store is judged is said" "check the running configuration (kahu lint --live)" "$err"
