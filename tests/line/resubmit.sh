#!/bin/sh
# SPDX-License-Identifier: MIT
#
# resubmit.sh - resubmits jobs with the same script and options, from the queue and from the history
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

room_for 4
serve
mkdir there && cd there || exit 3
printf '#!/bin/sh\n#PBS -N kept -l walltime=300,nodes=1:ppn=2 -v COLOUR=blue\necho "$0" "$@" $COLOUR $PBS_NP >>all\n' >job.sh
first=$("$KAHU" submit -o out.%j -j oe job.sh one 'two words')
check_status "a job runs" 0 "$KAHU" wait "$first"
rm job.sh
cd ..

check_status "resubmit --dry-run succeeds" 0 "$KAHU" resubmit --dry-run "$first"
check_contains "it prints the name, size and limit" "resubmits 1: kept, 2 x 1 processors, limit 0:05:00" "$out"
check_contains "it prints the folder and output" "in $work/there, output $work/there/out.%j" "$out"
check_equal "it submits nothing" "" "$("$KAHU" history 2 2>/dev/null)"
check_status "an ended job is resubmitted" 0 "$KAHU" resubmit "$first"
check_equal "the new ID is printed" 2 "$out"
check_status "the new job succeeds" 0 "$KAHU" wait 2
check_equal "it has the same script, arguments, variables, size and folder" 2 \
	"$(grep -c 'one two words blue 2' there/all)"
check_equal "it has the same limit" 300 "$("$KAHU" history 2 --json | sed 's/.*"wclimit_s":\([0-9]*\).*/\1/')"
check_equal "--json prints the IDs" '["3"]' "$("$KAHU" --json resubmit 2)"
"$KAHU" wait 3 >/dev/null

check_equal "a held job is submitted" 4 "$("$KAHU" submit -h -N waits -o /dev/null -e /dev/null -- true)"
check_equal "it is resubmitted without its hold" 5 "$("$KAHU" resubmit 4)"
check_status "the new job runs" 0 "$KAHU" wait 5

check_equal "an array is submitted" '6[]' "$("$KAHU" submit -t 1,3-5%2 -o /dev/null -e /dev/null -- sh -c 'exit $((PBS_ARRAYID == 4))')"
"$KAHU" wait '6[]' >/dev/null
check_equal "the whole array is resubmitted" '10[]' "$("$KAHU" resubmit '6[]')"
"$KAHU" wait '10[]' >/dev/null
check_equal "the new array has the same tasks" "10[1] 10[3] 10[4] 10[5]" \
	"$("$KAHU" history '10[]' | awk '$1 ~ /^10/ { print $1 }' | sort | paste -s -d ' ' -)"
check_equal "its failed task is resubmitted" '14[]' "$("$KAHU" resubmit '6[4]')"
"$KAHU" wait '14[]' >/dev/null
check_equal "the new array has one task" "14[4] Failed" "$("$KAHU" history '14[]' | awk '$1 ~ /^14/ { print $1, $4 }')"

check_status "a job that does not exist is refused" 1 "$KAHU" resubmit 99
check_contains "the message has the reason" "no script is stored for job '99'" "$err"
check_status "a job of kahu run ends" 0 "$KAHU" run -- true
check_status "it cannot be resubmitted" 1 "$KAHU" resubmit 15
check_contains "the message has the reason" "job 15 was started by 'kahu run'" "$err"

stop
check_status "the store is intact" 0 "$KAHU" verify
check_equal "resubmit works on a stopped store" 16 "$("$KAHU" resubmit 2)"
serve
check_status "the next scheduler runs the job" 0 "$KAHU" wait 16

if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 "$work"
	check_status "another user cannot resubmit the job" 1 setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$KAHU" --store "$work/st" resubmit 2
	check_equal "nothing is printed to the other user" "" "$out"
fi
