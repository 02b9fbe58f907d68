#!/bin/sh
# SPDX-License-Identifier: MIT
#
# named.sh - names and states of jobs in the queue and the history, IDs as JSON, output folders that do not exist
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

room_for 2
serve

# --- submission ------------------------------------------------------------------------------

check_status "a missing output folder is refused" 1 "$KAHU" submit -o none/out -- true
check_equal "in one line with the option, the folder and what to do" \
	"kahu: -o: cannot use the folder $work/none: No such file or directory; create it, or name another one with -o" "$err"
check_status "a missing folder of errors likewise" 1 "$KAHU" submit -e none/ -- true
check_contains "with its option" "kahu: -e: cannot use the folder $work/none" "$err"
check_status "a missing working folder, where the output would be, likewise" 1 "$KAHU" submit -d none -- true
check_contains "with the same sentence" "kahu: -o: cannot use the folder $work/none" "$err"
: >file
check_status "a file is no folder" 1 "$KAHU" submit -o file/out -- true
check_contains "and so it is said" "kahu: -o: $work/file is not a folder" "$err"
check_status "a missing file of input is refused" 1 "$KAHU" submit --input="$work/none" -- true
check_contains "with its option" "kahu: --input: cannot read $work/none" "$err"
check_status "a dry run warns of it" 0 "$KAHU" submit --dry-run -o none/out -- true
check_contains "and says that it would be refused" "kahu: would be refused: -o: cannot use the folder $work/none" "$err"
check_status "--force submits the job" 0 "$KAHU" submit --force -h -N late -o none/out -- true
check_equal "with the first number" 1 "$out"
check_status "a folder that the job's number names is not looked at" 0 "$KAHU" submit -h -o '%j/out' -- true
check_equal "nor makes it one that is" 2 "$out"

# --- the queue -------------------------------------------------------------------------------

"$KAHU" submit -N fit_7 -l walltime=100 -- sleep 600 >job
"$KAHU" wait --any "$("$KAHU" submit -N quick -- true)" >/dev/null
check_contains "the queue shows names" "NAME" "$("$KAHU" queue)"
check_equal "behind each job" "fit_7" "$("$KAHU" queue -w name=fit_7 | awk '$1 == 3 { print $NF }')"
check_equal "but Maui's showq stays as it is" "" "$(ln -s "$KAHU" showq && ./showq | grep -e NAME -e fit_7 | grep -v JOBNAME)"
listed() { "$KAHU" queue "$@" | awk -v user="$(id -un)" '$2 == user { printf "%s ", $1 }'; }
check_equal "a selection by name" "3 " "$(listed -w name=fit_7)"
check_equal "by a pattern" "3 " "$(listed -w 'name=fit*')"
check_equal "by one of several names" "1 3 " "$(listed -w name=late,fit_7 | tr ' ' '\n' | sort | paste -s -d ' ' - | sed 's/^ //; s/$/ /')"
check_equal "by state" "3 " "$(listed -w state=running)"
check_equal "by one of several states" "3 1 2 " "$(listed -w state=running,userhold)"
check_status "a state of ended jobs is refused" 2 "$KAHU" queue -w state=failed
check_contains "with the verb that knows it" "'kahu history -w state=...' lists jobs that have ended" "$err"
check_status "a state that does not exist is refused" 2 "$KAHU" queue -w state=asleep
check_contains "with those that do" "state=asleep: a state is idle, running, held, suspended or deferred" "$err"
check_status "a job is cancelled by its name" 0 "$KAHU" cancel --dry-run -w name=fit_7

# --- IDs and names as JSON -----------------------------------------------------------------------

check_contains "the queue has IDs as texts" '"active":[{"job":"3","user":' "$("$KAHU" queue --json)"
check_contains "and names" '"name":"fit_7","nodes":[' "$("$KAHU" queue --json)"
check_contains "blocked jobs likewise" '"name":"late","blocked":true' "$("$KAHU" queue --json)"
check_equal "submit prints a text" '["5"]' "$("$KAHU" --json submit -N bad -- sh -c 'exit 3')"
check_contains "wait has it" '"job":"5"' "$("$KAHU" wait --json 5)"
check_contains "the journal has it" '"kind":"submit","job":"1"' "$("$KAHU" journal --from 1 -n 5 --json)"
check_contains "an entry of the journal likewise" '"job":"3"' "$("$KAHU" journal "$("$KAHU" journal --from 1 -n 50 --json |
	tr '{' '\n' | sed -n 's/"seq":\([0-9]*\).*"kind":"submit","job":"3".*/\1/p')" --json)"
check_contains "the history has both" '"job":"4","name":"quick"' "$("$KAHU" history --json)"

# --- the history -----------------------------------------------------------------------------

ended() { "$KAHU" history "$@" | awk '$1 ~ /^[0-9]+$/ { printf "%s ", $1 }'; }
check_equal "all that have ended" "4 5 " "$(ended)"
check_equal "those that failed" "5 " "$(ended -w state=failed)"
check_equal "those that did not" "4 " "$(ended -w state=Completed)"
check_equal "either" "4 5 " "$(ended -w state=completed,failed)"
check_equal "by name" "4 " "$(ended -w name=quick)"
check_status "a state of the queue is refused" 2 "$KAHU" history -w state=running
check_contains "with the states that ended jobs have" "completed, failed, atlimit, removed, notrun and lost" "$err"
for since in today yesterday -2d 2d -1:00:00; do
	check_equal "since $since" "4 5 " "$(ended --since "$since")"
done
check_equal "yesterday begins at midnight" \
	"$(date -d "$(date -d yesterday +%F) 00:00" +%s)" \
	"$("$KAHU" history --since yesterday --json | sed 's/.*"since":\([0-9]*\).*/\1/')"
