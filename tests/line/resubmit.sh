#!/bin/sh
# SPDX-License-Identifier: MIT
#
# resubmit.sh - the same script and options once more, from the queue and from the history
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

check_status "what resubmit would do is said" 0 "$KAHU" resubmit --dry-run "$first"
check_contains "with name, size and limit" "resubmits 1: kept, 2 x 1 processors, limit 0:05:00" "$out"
check_contains "and folder and output" "in $work/there, output $work/there/out.%j" "$out"
check_equal "and nothing is submitted" "" "$("$KAHU" history 2 2>/dev/null)"
check_status "a job that has ended is submitted again" 0 "$KAHU" resubmit "$first"
check_equal "and its number printed" 2 "$out"
check_status "it runs" 0 "$KAHU" wait 2
check_equal "with the same script, arguments, variables and size, in the same folder" 2 \
	"$(grep -c 'one two words blue 2' there/all)"
check_equal "the second at the same limit" 300 "$("$KAHU" history 2 --json | sed 's/.*"wclimit_s":\([0-9]*\).*/\1/')"
check_equal "its IDs as JSON" '["3"]' "$("$KAHU" --json resubmit 2)"
"$KAHU" wait 3 >/dev/null

check_equal "a job that waits" 4 "$("$KAHU" submit -h -N waits -o /dev/null -e /dev/null -- true)"
check_equal "is submitted again without its hold" 5 "$("$KAHU" resubmit 4)"
check_status "so it runs" 0 "$KAHU" wait 5

check_equal "an array" '6[]' "$("$KAHU" submit -t 1,3-5%2 -o /dev/null -e /dev/null -- sh -c 'exit $((PBS_ARRAYID == 4))')"
"$KAHU" wait '6[]' >/dev/null
check_equal "all of it" '10[]' "$("$KAHU" resubmit '6[]')"
"$KAHU" wait '10[]' >/dev/null
check_equal "has the same tasks" "10[1] 10[3] 10[4] 10[5]" \
	"$("$KAHU" history '10[]' | awk '$1 ~ /^10/ { print $1 }' | sort | paste -s -d ' ' -)"
check_equal "the one that failed alone" '14[]' "$("$KAHU" resubmit '6[4]')"
"$KAHU" wait '14[]' >/dev/null
check_equal "is an array of one" "14[4] Failed" "$("$KAHU" history '14[]' | awk '$1 ~ /^14/ { print $1, $4 }')"

check_status "a job that there never was is refused" 1 "$KAHU" resubmit 99
check_contains "with a sentence" "no script is stored for job '99'" "$err"
check_status "a job of kahu run is none that can be submitted again" 0 "$KAHU" run -- true
check_status "but refused" 1 "$KAHU" resubmit 15
check_contains "with the reason" "job 15 was started by 'kahu run'" "$err"

stop
check_status "the store is whole" 0 "$KAHU" verify
check_equal "on a stopped store it waits for a scheduler" 16 "$("$KAHU" resubmit 2)"
serve
check_status "which runs it" 0 "$KAHU" wait 16

if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 "$work"
	check_status "nobody else submits it again" 1 setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$KAHU" --store "$work/st" resubmit 2
	check_equal "and gets nothing" "" "$out"
fi
