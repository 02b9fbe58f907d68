#!/bin/sh
# SPDX-License-Identifier: MIT
#
# words.sh - verbs, options and help of the command line
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

check_status "help is printed" 0 "$KAHU" help
check_contains "help lists the verbs" "replay TRACE" "$out"
check_contains "help lists the options of every verb" "--store DIR" "$out"
check_status "--help succeeds" 0 "$KAHU" --help
help=$out
check_status "-h succeeds" 0 "$KAHU" -h
check_equal "-h and --help agree" "$help" "$out"

for verb in demo replay queue job priority why when windows reservations fairshare limits node stats hold release start cancel set setspri setqos tune config lint import journal undo diagnose help version; do
	check_status "$verb --help succeeds" 0 "$KAHU" $verb --help
	check_contains "$verb --help prints its usage" "usage: kahu $verb" "$out"
	usage=$out
	check_status "help $verb succeeds" 0 "$KAHU" help $verb
	check_equal "help $verb and $verb --help agree" "$usage" "$out"
done
for pair in showq:queue checkjob:job checknode:node explain:why showstart:when showbf:windows showres:reservations showstats:stats showgrid:stats runjob:start canceljob:cancel msub:submit modify:set changeparam:tune sethold:hold releasehold:release showconfig:config; do
	check_status "${pair%:*} is a name of ${pair#*:}" 0 "$KAHU" "${pair%:*}" --help
	check_contains "${pair%:*} --help prints the usage of ${pair#*:}" "usage: kahu ${pair#*:}" "$out"
done

check_status "--version succeeds" 0 "$KAHU" --version
check_contains "--version names the program" "kahu " "$out"
check_status "version --json succeeds" 0 "$KAHU" version --json
check_contains "it has the version" '{"version":"' "$out"

check_status "an unknown verb is wrong usage" 2 "$KAHU" explode
check_contains "the message names the unknown verb" "unknown verb 'explode'" "$err"
check_status "a misspelt verb is wrong usage" 2 "$KAHU" qeue
check_contains "the message names the nearest verb" "did you mean 'queue'" "$err"
check_status "an unknown option is wrong usage" 2 "$KAHU" queue --bogus
check_contains "the message names the unknown option" "queue has no option '--bogus'" "$err"
check_status "an option without its value is wrong usage" 2 "$KAHU" queue --store
check_contains "the message names the missing value" "option --store needs a value: DIR" "$err"
check_status "a flag with a value is wrong usage" 2 "$KAHU" queue --json=yes
check_status "too few arguments are wrong usage" 2 "$KAHU" why
check_status "too many arguments are wrong usage" 2 "$KAHU" why 1 2
check_status "a verb of the console is refused" 1 "$KAHU" quit
check_contains "the message says that it works only in the console" "only in the console" "$err"

check_status "a store that does not exist is refused" 1 "$KAHU" queue --store "$work/none"
check_contains "the message says how to create a store" "kahu demo --store" "$err"
check_status "--store before the verb is accepted" 1 "$KAHU" --store "$work/none" queue
check_contains "it has the same effect" "$work/none" "$err"
check_status "kahu without a verb and without a store is refused" 1 "$KAHU" --store "$work/none"
check_contains "the message refers to kahu demo" "kahu demo" "$err"
check_true "no store was created" test ! -e "$work/none"
check_status "a file as store is refused" 3 "$KAHU" queue --store "$KAHU_SOURCE/LICENSE"

ln -s "$KAHU" showq
check_status "a link with the name of a verb runs that verb" 1 ./showq --store "$work/none"
check_contains "it looks for the store" "there is no store" "$err"

if [ -w /dev/full ]; then
	"$KAHU" help >/dev/full 2>words
	check_equal "output that cannot be written is a failure" 3 $?
	check_contains "the message says that the output cannot be written" "cannot write the output" "$(cat words)"
fi
