#!/bin/sh
# SPDX-License-Identifier: MIT
#
# never.sh - jobs that can never start: refused at submission, dropped when a dependency fails
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

printf 'node %s { procs = 4 }\nnodeavailabilitypolicy = dedicated\nclass c { max.proc = 2 }\nsystemdefaultjobwalltime = "1:00:00"\n' \
	"$(uname -n)" >kahu.conf
export KAHU_CONF="$work/kahu.conf"
submit() { "$KAHU" submit -o /dev/null -e /dev/null "$@"; }

# --- at submission ---------------------------------------------------------------------------------------

refuses() { # NAME WORDS OPTION...
	name=$1 words=$2
	shift 2
	check_status "$name is refused $where" 1 submit "$@" -- true
	check_contains "$name: the reason is printed $where" "$words" "$err"
}
refused_at_submission() { # WHERE
	where=$1
	refuses "a request beyond the machine" "the job would never start: it asks for 8 processors" -l nodes=1:ppn=8
	refuses "an array beyond the machine" "the job would never start: it asks for 8 processors" -t 0-9 -l nodes=1:ppn=8
	refuses "a GPU that no node has" "no node has the generic resource gpu" -l gres=gpu:1
	refuses "a feature that no node has" "no node has the feature nosuch" -l feature=nosuch
	refuses "a class that does not exist" "class nosuch is not known here" -q nosuch
	refuses "more processors than a class allows" "class c allows a job at most 2" -q c -l nodes=1:ppn=3
	check_equal "a job is submitted and cancelled $where" 0 "$(never=$(submit -h -- true) && "$KAHU" cancel "$never" >/dev/null; echo $?)"
	cancelled=$("$KAHU" history --json | sed 's/.*"job":"\([0-9]*\)".*/\1/')
	refuses "a dependency that has failed" "job $cancelled was cancelled before it ran" -W "depend=afterok:$cancelled"
	# The first three stay blocked; the job with the dependency is dropped as soon as a scheduler runs.
	for option in "-l gres=gpu:1" "-l feature=nosuch" "-l nodes=1:ppn=8" "-W depend=afterok:$cancelled"; do
		# shellcheck disable=SC2086 # two words
		check_status "--force submits with $option $where" 0 submit --force $option -- true
	done
}
serve
check_status "submit --dry-run of a job that would never start succeeds" 0 submit --dry-run -l nodes=1:ppn=8 -- true
check_contains "it prints that the job would never start, with the reason" "start       never: it asks for 8 processors" "$out"
check_contains "its JSON has the reason" '"estimated_start":null,"tier":null,"never":"it asks for 8 processors' \
	"$("$KAHU" --json submit --dry-run -l nodes=1:ppn=8 -- true)"
check_contains "submit --dry-run prints the estimated start of a job" "start       $(date +%a)" "$(submit --dry-run -- true)"
check_contains "its JSON has the tier of the estimate" '"tier":"full","never":null}' "$("$KAHU" --json submit --dry-run -- true)"
check_contains "submit --dry-run of a held job prints why there is no estimated start" "no estimated start: it is held (user)" "$(submit --dry-run -h -- true)"
check_equal "nothing was submitted" "" "$("$KAHU" history --json | grep -o '"job":"1"')"
refused_at_submission "by the scheduler"
check_status "run refuses a job that would never start" 1 "$KAHU" run -l nodes=1:ppn=8 -- true
check_contains "the message has the reason" "the job would never start: it asks for 8 processors" "$err"
printf 'size 100x30\nwait-idle\n:submit -l nodes=1:ppn=8 -- true\n' >form.script
check_status "the console refuses a job that would never start" 1 "$KAHU" --script form.script
check_contains "the message has the reason" "the job would never start: it asks for 8 processors" "$err"
stop
refused_at_submission "in a store that nobody runs"
serve
has_ended() { "$KAHU" history --json | grep -q "\"job\":\"$1\"[^}]*\"outcome\":\"$2\""; } # JOB OUTCOME
check_true "the scheduler drops the job with the failed dependency" wait_until 10 has_ended 10 DependFailed
blocked() { "$KAHU" queue -b | sed -n 's/^\([0-9]\{1,\}\) .*/\1/p' | tr '\n' ' '; }
check_equal "the other forced jobs stay blocked" "2 3 4 7 8 9 " "$(blocked)"
"$KAHU" cancel -w 'state=idle' >/dev/null

# --- when a dependency fails -----------------------------------------------------------------------------

one=$(submit -- sh -c "while [ ! -e $work/go ]; do sleep 0.05; done; exit 3")
two=$(submit -W "depend=afterok:$one" -- true)
three=$(submit -W "depend=afterok:$two" -- true)
four=$(submit -W "depend=afternotok:$two" -- true)
five=$(submit -W "depend=afterany:$three" -- true)
six=$(submit -h -W "depend=afterok:$one" -- true)
array=$(submit -t 0-2 -W "depend=afterok:$one" -- true)
seven=$(submit -W "depend=afterok:$array" -- true)
eight=$(submit -W "depend=before:nosuch" -- true 2>/dev/null) || eight=
check_equal "an invalid dependency is refused" "" "$eight"
touch go
check_status "wait for jobs whose dependency has failed returns 1" 1 timeout 60 "$KAHU" wait "$two" "$three" "$six" "$array" "$seven"
check_contains "it prints the reason" "job $three left the queue because its dependency can no longer be met: it depends on job $two, which has not ended with status 0" "$out"
check_status "jobs with afternotok and afterany run" 0 timeout 60 "$KAHU" wait "$four" "$five"
for job in "$two" "$three" "$six" "$seven"; do
	check_true "the outcome of job $job is DependFailed" has_ended "$job" DependFailed
done
check_contains "a task of an array has the reason in the history" "it depends on job $one, which has not ended with status 0" \
	"$("$KAHU" history | grep -F "${array%]}1]")"
check_true "no blocked job is left" test "$("$KAHU" queue --json | grep -c '"blocked":\[\]')" = 1
check_contains "the journal has the reason" "drop $two: it depends on job $one, which has not ended with status 0" \
	"$("$KAHU" journal --from 1)"
check_contains "the log has the outcome" "end job=$two user=$(id -un) outcome=dependfailed" "$(cat serve.err)"

# --- keepdependencyfailed --------------------------------------------------------------------------------

check_status "keepdependencyfailed is set" 0 "$KAHU" tune keepdependencyfailed true
one=$(submit -- false)
"$KAHU" wait "$one" >/dev/null
one=$(submit -- sh -c "while [ ! -e $work/again ]; do sleep 0.05; done; exit 3")
two=$(submit -W "depend=afterok:$one" -- true)
touch again
"$KAHU" wait "$one" >/dev/null
check_contains "the job stays blocked" "$two " "$(blocked)"
check_status "wait for it returns 1" 1 timeout 60 "$KAHU" wait "$two"
check_contains "it prints the reason" "Job $two never starts" "$err"
stop
serve
check_contains "the job stays blocked after a restart" "$two " "$(blocked)"
check_status "the dependency can be removed" 0 "$KAHU" set "$two" depend=
check_status "the job then runs" 0 timeout 60 "$KAHU" wait "$two"
one=$(submit -h -- true)
two=$(submit -W "depend=afterok:$one" -- true)
"$KAHU" cancel "$one" >/dev/null
check_contains "another job with a failed dependency stays blocked" "$two " "$(blocked)"
check_status "the setting is undone" 0 "$KAHU" undo "$("$KAHU" journal --from 1 | sed -n 's/^ *\([0-9]*\) .*set keepdependencyfailed = true.*/\1/p')"
check_true "the job is dropped" wait_until 10 has_ended "$two" DependFailed
stop
check_status "the store is intact" 0 "$KAHU" verify
