#!/bin/sh
# SPDX-License-Identifier: MIT
#
# words.sh - are the words of the command line understood, and the wrong ones refused?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

check_status "help is printed" 0 "$KAHU" help
check_contains "help lists the verbs" "replay TRACE" "$out"
check_contains "help lists the options of every verb" "--store DIR" "$out"
check_status "--help is the same" 0 "$KAHU" --help
help=$out
check_status "-h is the same" 0 "$KAHU" -h
check_equal "-h and --help agree" "$help" "$out"

for verb in demo replay queue job priority why when windows reservations fairshare limits node stats hold release start cancel set setspri setqos tune config lint import journal undo diagnose help version; do
	check_status "$verb has help of its own" 0 "$KAHU" $verb --help
	check_contains "$verb --help is its usage" "usage: kahu $verb" "$out"
	usage=$out
	check_status "help $verb is there" 0 "$KAHU" help $verb
	check_equal "help $verb says the same" "$usage" "$out"
done
for pair in showq:queue checkjob:job checknode:node explain:why showstart:when showbf:windows showres:reservations showstats:stats showgrid:stats runjob:start canceljob:cancel msub:submit modify:set changeparam:tune sethold:hold releasehold:release showconfig:config; do
	check_status "${pair%:*} is a name of ${pair#*:}" 0 "$KAHU" "${pair%:*}" --help
	check_contains "${pair%:*} runs ${pair#*:}" "usage: kahu ${pair#*:}" "$out"
done

check_status "--version is printed" 0 "$KAHU" --version
check_contains "--version names the program" "kahu " "$out"
check_status "a script is told which it is" 0 "$KAHU" version --json
check_contains "as JSON" '{"version":"' "$out"

check_status "an unknown verb is wrong usage" 2 "$KAHU" explode
check_contains "an unknown verb is named" "unknown verb 'explode'" "$err"
check_status "a misspelt verb is wrong usage" 2 "$KAHU" qeue
check_contains "the nearest verb is named" "did you mean 'queue'" "$err"
check_status "an unknown option is wrong usage" 2 "$KAHU" queue --bogus
check_contains "an unknown option is named" "queue has no option '--bogus'" "$err"
check_status "an option without its value is wrong usage" 2 "$KAHU" queue --store
check_contains "the missing value is named" "option --store needs a value: DIR" "$err"
check_status "a flag with a value is wrong usage" 2 "$KAHU" queue --json=yes
check_status "too few words are wrong usage" 2 "$KAHU" why
check_status "too many words are wrong usage" 2 "$KAHU" why 1 2
check_status "words of the console are refused" 1 "$KAHU" quit
check_contains "words of the console are explained" "only in the console" "$err"

check_status "a store that does not exist is refused" 1 "$KAHU" queue --store "$work/none"
check_contains "what would make the store is named" "kahu demo --store" "$err"
check_status "the option may stand before the verb" 1 "$KAHU" --store "$work/none" queue
check_contains "and means the same there" "$work/none" "$err"
check_status "without a verb and a store there is a sentence" 1 "$KAHU" --store "$work/none"
check_contains "it says what runs" "kahu demo" "$err"
check_true "nothing was made" test ! -e "$work/none"
check_status "a file is no store" 3 "$KAHU" queue --store "$KAHU_SOURCE/LICENSE"

ln -s "$KAHU" showq
check_status "a link named like a verb is that verb" 1 ./showq --store "$work/none"
check_contains "the link looked for the store" "there is no store" "$err"

if [ -w /dev/full ]; then
	"$KAHU" help >/dev/full 2>words
	check_equal "output that cannot be written is a failure" 3 $?
	check_contains "and said so" "cannot write the output" "$(cat words)"
fi
