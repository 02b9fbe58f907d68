#!/bin/sh
# SPDX-License-Identifier: MIT
#
# others.sh - root's scheduler runs jobs as the submitting user, and users see and change only their own
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

serve_users "jobs of other users"

check_equal "a job runs as the submitting user" "$(id -u nobody)" "$(theirs run -- id -u </dev/null)"
check_status "run returns its exit status" 9 theirs run -- sh -c 'exit 9'
check_equal "run passes standard input" "from here" "$(echo from here | theirs run -- cat)"
check_equal "no file of the connection is left" "" "$(ls theirs)"
check_equal "the user submits a job" 4 "$(theirs submit -o out -e /dev/null -- sh -c 'echo words; exit 3')"
check_status "the user's wait returns the exit status" 3 theirs wait 4
check_status "the user can tail the output" 0 theirs tail 4
check_equal "it is complete" words "$out"
check_status "root can tail the output" 0 "$KAHU" tail 4
check_equal "it is complete" words "$out"

check_contains "doctor tells the user that root's scheduler accepts jobs" \
	"scheduler: the scheduler of root responds at $work/run and accepts your jobs; the other findings apply to a scheduler that you start yourself" \
	"$(theirs doctor 2>&1)"
check_equal "doctor does not ask the user to start one" "" "$(theirs doctor 2>&1 | grep -e ' socket: ' -e 'kahu serve')"
check_contains "doctor tells root the process of the scheduler" "scheduler: process $server is running and responds" \
	"$("$KAHU" --store "$work/st" doctor)"

check_status "stats --estimates works for the user" 0 theirs stats --estimates --json
of_starts() { sed 's/.*"started"/"started"/'; } # without the time of the query
check_equal "it equals the output for root, who reads the store" \
	"$(printf '%s' "$out" | of_starts)" "$("$KAHU" stats --estimates --json | of_starts)"
since=$(date -d "@$("$KAHU" stats --estimates --json | sed 's/.*"job":"4","submit":\([0-9]*\).*/\1/')" +%Y-%m-%dT%H:%M:%S)
check_status "stats --estimates --since works for the user" 0 theirs stats --estimates --json --since "$since"
check_equal "it equals the output for root" "$("$KAHU" stats --estimates --json --since "$since" | of_starts)" "$(printf '%s' "$out" | of_starts)"
check_status "stats --estimates works for all jobs" 0 theirs stats --estimates --json
check_contains "it counts all jobs" '"started":4,"asked":4,' "$out"
check_status "hidenames is set" 0 "$KAHU" tune hidenames true
check_status "stats --estimates is refused for the user" 3 theirs stats --estimates
check_contains "the refusal names the reason" "changes by other users are hidden here" "$err"
check_status "hidenames is reset" 0 "$KAHU" tune hidenames false

check_status "limits --self works for the user" 0 theirs limits --self
check_contains "it prints the options with the amounts in use" "maxuserconnections 1 64 connections" "$(echo "$out" | tr -s ' ')"
check_status "limits --self --json works for the user" 0 theirs limits --self --json
check_contains "it has the fields of each option" '"option":"maxrequestevents","unit":"changes","description":"changes in one request; array tasks and dependencies count","in_use":null,"limit":1000,"exempt":false' "$out"
check_contains "descriptions are complete" '"description":"new account, class and guest names since the scheduler started"' "$out"
check_status "limits --self works for root" 0 "$KAHU" limits --self --json
check_equal "root is exempt from all but one limit" 1 "$(printf '%s' "$out" | grep -o '"exempt":false' | wc -l)"

check_equal "root submits a job" 5 "$("$KAHU" submit -o "$work/roots" -e /dev/null -- sh -c 'echo secret; exec sleep 4815')"
check_true "it runs" wait_until 10 test -s roots
check_status "the user cannot tail root's job" 1 theirs tail 5
check_contains "the refusal says that the job belongs to another user" "job 5 does not belong to nobody" "$err"
check_equal "it does not name the output file" "" "$(printf '%s' "$err" | grep roots)"
check_status "the user cannot signal root's job" 1 theirs signal KILL 5
check_contains "the refusal says that the job belongs to another user" "job 5 does not belong to nobody" "$err"
check_status "root can signal it" 0 "$KAHU" signal KILL 5
check_status "the user can wait for root's job" 137 theirs wait 5
check_equal "wait prints the signal" "job 5 was ended by KILL" "$out"

# --- past states ----------------------------------------------------------------------------------

last() { "$KAHU" --store "$work/st" journal -n 1 --json | sed 's/.*"seq":\([0-9]*\).*/\1/'; }
roots() { "$KAHU" --store "$work/st" "$@"; }
check_equal "root submits a job of a class that is not configured" 6 "$(roots submit -h -q roots-class -- sleep 4816)"
check_equal "the user submits another job" 7 "$(theirs submit -h -o /dev/null -e /dev/null -- sleep 4816)"
then=$(last)
check_status "root cancels both" 0 roots cancel 6 7
check_status "the user can see a past queue" 0 theirs queue --at "$then"
check_contains "it has the time and the entry" ", after entry $then of the journal" "$out"
for report in queue priority limits "job 6" "job 7" "why 7" config reservations; do
	# shellcheck disable=SC2086 # it is words
	check_equal "the past $report for the user equals that for root" "$(roots $report --at "$then" --json)" "$(theirs $report --at "$then" --json)"
done
check_equal "the consequences of an entry for the user equal those for root" "$(roots journal "$then" --because --json)" "$(theirs journal "$then" --because --json)"
check_contains "a past entry has its effect" '"effect":{"text":"blocked held (user)"' "$(theirs journal "$then" --json)"
check_status "an entry that does not exist is refused" 1 theirs queue --at 999999
check_contains "the refusal is that of the store" "entry 999999 has not been written yet" "$err"
printf 'size 80x24\nwait-idle\n:at %s\nwait-idle\ndump then\nkeys L\nwait-idle\ndump now\n' "$then" >theirs/at.script
check_status "the user can see a past state in the console" 0 theirs --script at.script
check_contains "the header says VIEW" "VIEW " "$(head -n 1 theirs/then)"
check_contains "the job is in the queue" " 7 " "$(grep nobody theirs/then)"
check_contains "L returns to the live state" "LIVE" "$(head -n 1 theirs/now)"
check_equal "the job is no longer in the queue" "" "$(grep ' 7 .*nobody' theirs/now)"
theirs submit -h -N mine -o /dev/null -e /dev/null -- true >/dev/null
printf 'size 100x60\nwait-idle\nkeys 2\nwait-idle\ndump page\n' >theirs/job.script
check_status "the user can see the page of a job" 0 theirs --script job.script
check_contains "it says that the journal cannot be read" "Journal not readable: the store belongs to another user; use :journal." "$(cat theirs/page)"
theirs cancel -w user=nobody >/dev/null
printf 'size 100x30\nwait-idle\nkeys f\nwait-idle\ndump ended\n' >theirs/ended.script
check_status "the user can see the ended jobs in the console" 0 theirs --script ended.script
check_contains "it lists the user's own jobs" "Failed         3" "$(grep '^[> ]*4 .*nobody' theirs/ended)"
check_contains "it lists jobs of root" "Failed      KILL" "$(grep '^[> ]*5 .*root' theirs/ended)"
check_status "hidenames is set" 0 roots tune hidenames true
check_status "the user can see the user's own past job" 0 theirs job 7 --at "$then"
check_contains "it has the user's name" "nobody" "$out"
check_status "the user can see the past queue" 0 theirs queue --at "$then" --json
check_contains "it has root's job" '"job":"6"' "$out"
check_equal "it does not have root's name" "" "$(printf '%s' "$out" | grep root)"
theirs journal 2>hidden
check_contains "journal says that changes by other users are hidden" "changes by other users are hidden here" "$(cat hidden)"
check_status "history lists the user's own ended jobs" 0 theirs history --json
check_equal "it lists no other jobs" "" "$(printf '%s' "$out" | grep '"job":"6"')"
check_status "history --all lists the jobs of all users" 0 theirs history --all --json
check_equal "the user's own jobs have their user" 7 "$(printf '%s' "$out" | sed 's/.*"job":"7".*"user":"nobody".*/7/')"
check_contains "jobs of others have no name and no user" '"job":"6","name":null,"user":null' "$out"
check_equal "they have no class" "" "$(printf '%s' "$out" | grep roots-class)"
check_status "hidenames is reset" 0 roots tune hidenames false
check_equal "root submits a job with a missing working directory" 9 "$(roots submit --force -d /no-such-folder -- true)"
check_status "it fails" 126 roots wait 9
check_contains "history tells root the reason" "no-such-folder" "$(roots history)"
check_contains "history tells the user that it has failed" "Failed" "$(theirs history 9 | grep '^ *9 ')"
check_equal "a selection by user tells it, too" "Failed" "$(theirs history -w user=root | awk '$1 == 9 { print $4 }')"
check_equal "history does not tell the user the reason" "" "$(theirs history --all | grep no-such)"
check_status "hidenames is set again" 0 roots tune hidenames true

# --- large requests ---------------------------------------------------------------------------------

check_status "maxrequestevents is lowered to 2" 0 roots tune maxrequestevents 2
many=
for _ in 1 2 3 4 5; do
	many="$many $(theirs submit -h -- true)"
done
printf 'size 100x30\nwait-idle\n:set%s walltime=7:00\nwait-idle\nkeys <Enter>\nwait-idle\ndump done\n' "$many" >theirs/many.script
check_status "the console splits a change of five jobs into several requests" 0 theirs --script many.script
check_contains "it is one change" "Done: set" "$(cat theirs/done)"
check_equal "all five jobs are changed" 5 "$("$KAHU" --store "$work/st" queue --json | tr '{' '\n' | grep -c '"wclimit_s":420')"
# shellcheck disable=SC2086 # several numbers
check_status "cancel of five jobs works" 0 theirs cancel $many
# shellcheck disable=SC2086
check_equal "all five jobs are cancelled" "NotRun NotRun NotRun NotRun NotRun" \
	"$(for job in $many; do roots history --json | tr '{' '\n' | grep "\"job\":\"$job\"" | sed 's/.*"outcome":"\([A-Za-z]*\)".*/\1/'; done | tr '\n' ' ' | sed 's/ $//')"
check_status "an array beyond the limit is refused" 1 theirs submit -h -t 0-2 -- true
check_contains "the refusal names the option" "maxrequestevents" "$err"
check_status "maxrequestevents is reset" 0 roots tune maxrequestevents 1000

# --- ended tasks of arrays --------------------------------------------------------------------------

check_status "hidenames is reset" 0 roots tune hidenames false
array=$(theirs submit -o /dev/null -j oe -t 2-3 -- true)
check_status "an array ends" 0 theirs wait "$array"
check_contains "the journal names the ended task" " end ${array%]}3], status 0" "$(theirs journal -n 30)"
ended=$(theirs journal -n 30 | awk -v task="${array%]}3]," '{ for (i = 1; i < NF; i++) if ($i == "end" && $(i + 1) == task) print $1 }')
check_contains "a single journal entry names the ended task" "end ${array%]}3], status 0" "$(theirs journal "$ended")"
check_status "a task is submitted again" 0 theirs resubmit "${array%]}3]"
check_contains "it completes" "Completed" "$(theirs wait "$out" >/dev/null; theirs history "$out")"

# --- no scheduler ----------------------------------------------------------------------------------

kill -9 "$server"
wait "$server" 2>/dev/null
for mode in 700 755; do # whether or not the user can list the files of the store
	chmod "$mode" "$work/st"
	for verb in queue "submit -- true" "hold 1"; do
		# shellcheck disable=SC2086 # it is words
		check_status "$verb of a user is refused without a scheduler (store with mode $mode)" 1 theirs --store "$work/st" $verb
		check_contains "the refusal says that no scheduler runs, and what to do" \
			"no scheduler is running, and the store $work/st cannot be opened by nobody; its owner can start the scheduler with 'kahu serve'" "$err"
	done
done
