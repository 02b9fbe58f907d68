#!/bin/sh
# SPDX-License-Identifier: MIT
#
# lint.sh - invalid configurations are refused with file, line and value; valid ones are checked
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

refused() { # NAME TEXT MESSAGE: the configuration is refused with that message
	# shellcheck disable=SC2059 # the text has escapes
	printf "$2" >bad.conf
	check_status "$1 is refused" 1 "$KAHU" lint bad.conf
	check_contains "$1: the message has the line or the reason" "$3" "$err"
	check_equal "$1: there is one message" 1 "$(printf '%s\n' "$err" | wc -l)"
	check_equal "$1: nothing else is printed" "" "$out"
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
refused "a limit of 0" 'user john {\n  maxjob = {"0"}\n}\n' 'bad.conf:2: maxjob = "0": a limit must be at least 1'
refused "a negative limit" 'user john { maxps = {"-5"} }\n' "bad.conf:1: maxps"
refused "a limit that overflows" 'user john { maxps = {"99999999999999999999"} }\n' "bad.conf:1: maxps"
refused "a limit for an unknown kind of credential" 'user john { maxjob = {"USR=4"} }\n' "unknown credential type USR"
refused "an unknown component of PRIORITYF" 'node DEFAULT {\n  priorityf = "SPEED + MEMORY"\n}\n' "bad.conf:2: priorityf"
check_contains "the message has the column" "column 9" "$err"
refused "a PRIORITYF that divides by zero" 'node DEFAULT { priorityf = "SPEED / 0" }\n' "column"
refused "a PRIORITYF with blanks and without quotes (N-20)" 'node DEFAULT { priorityf = 5 * PREF - LOAD }\n' "bad.conf:1:"
refused "a QOS list without names" 'user john { qlist = {"&"} }\n' "bad.conf:1: qlist"
refused "a reservation level that does not exist" 'reservationlevel 8 { reservationdepth = 1 }\n' "a number from 0 to 7"
refused "a class limit of 0" 'class a { max.proc = 0 }\n' "bad.conf:1: max.proc"
refused "a decay above 1" 'fsdecay = 1.5\n' "bad.conf:1: fsdecay must be a number from 0 to 1"
refused "more fairshare windows than the maximum" 'fsdepth = 33\n' "bad.conf:1: fsdepth must be a whole number from 1 to 32"

printf 'nodeallocationpolicy = priority\nnode DEFAULT { priorityf = JOBCOUNT }\n' >plain.conf
check_status "a PRIORITYF of one word needs no quotes (N-19)" 0 "$KAHU" lint plain.conf
check_contains "it has no warnings" "0 warnings" "$out"

check_status "a directory is refused" 1 "$KAHU" lint "$work"
check_contains "the message says that it is a directory" "directory" "$err"
check_status "a missing file is refused" 1 "$KAHU" lint "$work/none.conf"
check_contains "the message names the missing file" "none.conf" "$err"

: >empty.conf
check_status "an empty file is a valid configuration" 0 "$KAHU" lint empty.conf
check_status "the default configuration is valid" 0 "$KAHU" lint "$KAHU_SOURCE/sched/config/defaults.conf"
printf 'node n1 { speed = 1.5 }\nnode n2 { memory = 4 }\n' >plain.conf
check_status "nodes without procs are valid, because a resource manager may report them" 0 "$KAHU" lint plain.conf
check_contains "an attribute that counts only with procs is a warning" "plain.conf:2: W29 node n2 has no procs" "$out"
check_contains "other attributes are no warning" "1 warning" "$out"

check_status "the example configuration is valid" 0 "$KAHU" lint "$KAHU_SOURCE/tests/examples/hpc2n.conf"
check_contains "it has no warnings" " 0 warnings" "$out"

printf 'userweight = 10\n' >odd.conf
check_status "a configuration with warnings is valid" 0 "$KAHU" lint odd.conf
check_contains "a weight without priorities is a warning" "W4" "$out"
check_contains "warnings are counted" "1 warning" "$out"
check_status "--json succeeds" 0 "$KAHU" lint odd.conf --json
check_contains "the JSON has the findings" '"findings":[{"id":"W4"' "$out"

check_status "standard input is read" 0 sh -c "\"$KAHU\" lint - <odd.conf"
check_contains "the report calls it standard input" "standard input" "$out"
check_status "--config names the file too" 0 "$KAHU" lint --config odd.conf
check_status "a call without any configuration is refused" 1 "$KAHU" lint
mkdir -p config/kahu && cp odd.conf config/kahu/kahu.conf
if [ "$(id -u)" = 0 ]; then
	skip "the user's configuration is found" "root's is elsewhere"
else
	check_status "the user's configuration is found" 0 "$KAHU" lint
fi
KAHU_CONF=odd.conf
export KAHU_CONF
check_status "KAHU_CONF sets the path" 0 "$KAHU" lint
check_contains "the report names that file" "odd.conf" "$out"

unset KAHU_CONF
check_status "--rules lists the rules" 0 "$KAHU" lint --rules
check_contains "it has rules about the configuration" "W18" "$out"
check_contains "it has rules about the live state" "L9" "$out"
check_equal "there are at least 30 rules" 1 "$([ "$(printf '%s\n' "$out" | grep -c '^[WL][0-9]')" -ge 30 ] && echo 1)"
printf 'class a { min.proc = 8 max.proc = 4 }\nuserweight = 10\n' >odd.conf
check_status "a class that permits no job is an error" 1 "$KAHU" lint odd.conf
check_contains "errors are counted" "1 error, 1 warning" "$out"
check_contains "a fix is printed in the form of tune" "    fix: userweight=0" "$out"
check_status "--json succeeds with an error" 1 "$KAHU" lint odd.conf --json
check_contains "the JSON has the severity, the option and the fix" '"severity":"warning","option":"userweight","fix":"userweight=0"' "$out"

# Programs, users and groups that a configuration names must exist on this host.
printf 'fspolicy = dedicatedps\nfsclassweight = 1\nclass a { fstarget = 70 }\nclass b { fstarget = 60 }\n' >odd.conf
check_status "warnings give status 0" 0 "$KAHU" lint odd.conf
check_contains "targets of classes above 100 percent are a warning" "the fstargets of classes add up to 130 percent" "$out"
printf '#!/bin/sh\n' >epilog.sh
printf 'prolog = "%s/gone"\nepilog = "%s/epilog.sh"\nadmin2 = "no-such-person root"\nuser no-such-person { maxjob = {"4"} }\n' "$work" "$work" >host.conf
check_status "a missing program is an error" 1 "$KAHU" lint host.conf
check_contains "it has the line and the path" "host.conf:1: H1 prolog = $work/gone does not exist" "$out"
check_contains "a program that is not executable is a finding" "host.conf:2: H2 epilog" "$out"
check_contains "an unknown administrator is a finding with a fix" "    fix: admin2=root" "$out"
check_contains "a limit of an unknown user is a finding" "host.conf:4: H4 user no-such-person has no account" "$out"
check_contains "errors, warnings and notes are counted" "1 error, 2 warnings, 1 note" "$out"
chmod +x epilog.sh
mkdir everybodys && mv epilog.sh everybodys && chmod 777 everybodys
printf 'epilog = "%s/everybodys/epilog.sh"\nadmin2 = "root"\n' "$work" >host.conf
check_status "a program in a folder that all users can write to is only a warning" 0 "$KAHU" lint host.conf
check_contains "the warning has the folder and the consequence" \
	"H2 $work/everybodys/epilog.sh is not run, as all users can write to $work/everybodys, so nothing cleans up after jobs" "$out"
make_programs
mv everybodys/epilog.sh "$programs"
printf 'epilog = "%s/epilog.sh"\nadmin2 = "root"\n' "$programs" >host.conf
check_status "a program in a safe folder gives status 0" 0 "$KAHU" lint host.conf
check_contains "it gives no warning" " 0 warnings" "$out"
chmod o+w host.conf
check_status "a configuration that all users can write to is an error if it names a program" 1 "$KAHU" lint host.conf
check_contains "the error has the consequence" "host.conf:1: H5 the programs in this file are not run, because all users can write to the" "$out"
check_contains "doctor counts it as a warning" "host.conf, 1 warning" "$("$KAHU" --config host.conf doctor 2>&1)"

# lint --live checks the running configuration together with the jobs.
printf 'dump %s\n' /dev/null >script
check_status "a demo runs in a store" 0 "$KAHU" demo --store state --seed 3 --script script
check_status "lint --live finds an error" 1 "$KAHU" --store state lint --live
check_contains "it is an error about jobs" ": L8 " "$out"
check_contains "the report says that the configuration is in force" ": in force, " "$out"
check_status "lint --live without a store is refused" 1 "$KAHU" --store nowhere lint --live
check_contains "the refusal names the reason" "no scheduler is running" "$err"
check_status "a call without a file is refused although there is a store" 1 env HOME="$work/empty" XDG_CONFIG_HOME= KAHU_CONF= "$KAHU" --store state lint
check_contains "the refusal refers to --live" "check the running configuration (kahu lint --live)" "$err"
