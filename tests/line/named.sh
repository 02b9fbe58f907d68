#!/bin/sh
# SPDX-License-Identifier: MIT
#
# named.sh - selection of jobs by name and state, IDs and names in JSON, and output folders that do not exist
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

room_for 2
serve

# --- submission ------------------------------------------------------------------------------

check_status "a missing output folder is refused" 1 "$KAHU" submit -o none/out -- true
check_equal "the message has the option, the folder and what to do" \
	"kahu: -o: cannot use the folder $work/none: No such file or directory; create it, or name another one with -o" "$err"
check_status "a missing folder for standard error is refused" 1 "$KAHU" submit -e none/ -- true
check_contains "the message names -e" "kahu: -e: cannot use the folder $work/none" "$err"
check_status "a missing working directory is refused if the output would be in it" 1 "$KAHU" submit -d none -- true
check_contains "the message names -o" "kahu: -o: cannot use the folder $work/none" "$err"
: >file
check_status "an output folder that is a file is refused" 1 "$KAHU" submit -o file/out -- true
check_contains "the message says that it is not a folder" "kahu: -o: $work/file is not a folder" "$err"
check_status "a missing input file is refused" 1 "$KAHU" submit --input="$work/none" -- true
check_contains "the message names --input" "kahu: --input: cannot read $work/none" "$err"
check_status "a dry run only warns about a missing folder" 0 "$KAHU" submit --dry-run -o none/out -- true
check_contains "it prints that the job would be refused" "kahu: the submission would be refused: -o: cannot use the folder $work/none" "$err"
check_status "--force submits the job" 0 "$KAHU" submit --force -h -N late -o none/out -- true
check_equal "it gets the first ID" 1 "$out"
check_status "an output folder with %j is not checked" 0 "$KAHU" submit -h -o '%j/out' -- true
check_equal "it gets the second ID" 2 "$out"

# --- the queue -------------------------------------------------------------------------------

"$KAHU" submit -N fit_7 -l walltime=100 -- sleep 600 >job
"$KAHU" wait --any "$("$KAHU" submit -N quick -- true)" >/dev/null
check_contains "queue has a column for names" "NAME" "$("$KAHU" queue)"
check_equal "the column has the name of the job" "fit_7" "$("$KAHU" queue -w name=fit_7 | awk '$1 == 3 { print $NF }')"
check_equal "showq has no column for names" "" "$(ln -s "$KAHU" showq && ./showq | grep -e NAME -e fit_7 | grep -v JOBNAME)"
listed() { "$KAHU" queue "$@" | awk -v user="$(id -un)" '$2 == user { printf "%s ", $1 }'; }
check_equal "a job is selected by name" "3 " "$(listed -w name=fit_7)"
check_equal "a job is selected by a pattern of names" "3 " "$(listed -w 'name=fit*')"
check_equal "jobs are selected by a list of names" "1 3 " "$(listed -w name=late,fit_7 | tr ' ' '\n' | sort | paste -s -d ' ' - | sed 's/^ //; s/$/ /')"
check_equal "a job is selected by state" "3 " "$(listed -w state=running)"
check_equal "jobs are selected by a list of states" "3 1 2 " "$(listed -w state=running,userhold)"
check_status "a state of ended jobs is refused" 2 "$KAHU" queue -w state=failed
check_contains "the message refers to history" "'kahu history -w state=...' lists jobs that have ended" "$err"
check_status "a state that does not exist is refused" 2 "$KAHU" queue -w state=asleep
check_contains "the message lists the states" "state=asleep: a state is idle, running, held, suspended or deferred" "$err"
check_status "cancel selects a job by name" 0 "$KAHU" cancel --dry-run -w name=fit_7

# --- IDs and names as JSON -----------------------------------------------------------------------

check_contains "IDs of active jobs are strings" '"active":[{"job":"3","user":' "$("$KAHU" queue --json)"
check_contains "names of active jobs are in the JSON" '"name":"fit_7","nodes":[' "$("$KAHU" queue --json)"
check_contains "names of blocked jobs are in the JSON" '"name":"late","blocked":true' "$("$KAHU" queue --json)"
check_equal "submit --json prints a list of strings" '["5"]' "$("$KAHU" --json submit -N bad -- sh -c 'exit 3')"
check_contains "wait --json has the ID" '"job":"5"' "$("$KAHU" wait --json 5)"
check_contains "the journal has the ID" '"kind":"submit","job":"1"' "$("$KAHU" journal --from 1 -n 5 --json)"
check_contains "a single journal entry has the ID" '"job":"3"' "$("$KAHU" journal "$("$KAHU" journal --from 1 -n 50 --json |
	tr '{' '\n' | sed -n 's/"seq":\([0-9]*\).*"kind":"submit","job":"3".*/\1/p')" --json)"
check_contains "the history has ID and name" '"job":"4","name":"quick"' "$("$KAHU" history --json)"

# --- the history -----------------------------------------------------------------------------

ended() { "$KAHU" history "$@" | awk '$1 ~ /^[0-9]+$/ { printf "%s ", $1 }'; }
check_equal "history lists all ended jobs" "4 5 " "$(ended)"
check_equal "history selects failed jobs" "5 " "$(ended -w state=failed)"
check_equal "history selects completed jobs" "4 " "$(ended -w state=Completed)"
check_equal "history selects jobs by a list of states" "4 5 " "$(ended -w state=completed,failed)"
check_equal "history selects a job by name" "4 " "$(ended -w name=quick)"
check_status "a state of the queue is refused" 2 "$KAHU" history -w state=running
check_contains "the message lists the states of ended jobs" "completed, failed, atlimit, removed, notrun and lost" "$err"
for since in today yesterday -2d 2d -1:00:00; do
	check_equal "history --since $since lists the ended jobs" "4 5 " "$(ended --since "$since")"
done
check_equal "--since yesterday begins at midnight" \
	"$(date -d "$(date -d yesterday +%F) 00:00" +%s)" \
	"$("$KAHU" history --since yesterday --json | sed 's/.*"since":\([0-9]*\).*/\1/')"
