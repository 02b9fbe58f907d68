#!/bin/sh
# SPDX-License-Identifier: MIT
#
# others.sh - where root runs the scheduler: are jobs run as who asks, and does each see and reach only his own?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

serve_users "jobs of others"

check_equal "a job runs as who asks for it" "$(id -u nobody)" "$(theirs run -- id -u </dev/null)"
check_status "with its status" 9 theirs run -- sh -c 'exit 9'
check_equal "and its input" "from here" "$(echo from here | theirs run -- cat)"
check_equal "nothing is left of the meeting" "" "$(ls theirs)"
check_equal "job" 4 "$(theirs submit -o out -e /dev/null -- sh -c 'echo words; exit 3')"
check_status "whose status he is told" 3 theirs wait 4
check_status "and reads it" 0 theirs tail 4
check_equal "as it is" words "$out"
check_status "root does so too" 0 "$KAHU" tail 4
check_equal "all of it" words "$out"

check_contains "a look at the host tells him whose scheduler has his jobs" \
	"scheduler: the scheduler of root responds at $work/run and accepts your jobs; the other findings apply to a scheduler that you start yourself" \
	"$(theirs doctor 2>&1)"
check_equal "and not that it would have to be his" "" "$(theirs doctor 2>&1 | grep -e ' socket: ' -e 'kahu serve')"
check_contains "whose it is sees the process" "scheduler: process $server is running and responds" \
	"$("$KAHU" --store "$work/st" doctor)"

check_status "he asks how starts came that had been foretold, of whom he may see" 0 theirs stats --estimates --json
of_starts() { sed 's/.*"started"/"started"/'; } # without the moment that it was asked at
check_equal "as root does, who reads the store" \
	"$(printf '%s' "$out" | of_starts)" "$("$KAHU" stats --estimates --json | of_starts)"
since=$(date -d "@$("$KAHU" stats --estimates --json | sed 's/.*"job":"4","submit":\([0-9]*\).*/\1/')" +%Y-%m-%dT%H:%M:%S)
check_status "since a moment" 0 theirs stats --estimates --json --since "$since"
check_equal "as root, too" "$("$KAHU" stats --estimates --json --since "$since" | of_starts)" "$(printf '%s' "$out" | of_starts)"
check_status "and of all" 0 theirs stats --estimates --json
check_contains "of all jobs" '"started":4,"asked":4,' "$out"
check_status "where names are hidden" 0 "$KAHU" tune hidenames true
check_status "that is not his to know" 3 theirs stats --estimates
check_contains "as what others did is not" "changes by other users are hidden here" "$err"
check_status "until they are shown again" 0 "$KAHU" tune hidenames false

check_status "he asks what his requests may cost" 0 theirs limits --self
check_contains "which names the options, with what is in use" "maxuserconnections 1 64 connections" "$(echo "$out" | tr -s ' ')"
check_status "for programs, too" 0 theirs limits --self --json
check_contains "with numbers" '"option":"maxrequestevents","unit":"changes","description":"in one request, tasks of arrays and dependencies included","in_use":null,"limit":1000,"exempt":false' "$out"
check_status "root is held to none but that of memory" 0 "$KAHU" limits --self --json
check_equal "as is said" 1 "$(printf '%s' "$out" | grep -o '"exempt":false' | wc -l)"

check_equal "one of root's" 5 "$("$KAHU" submit -o "$work/roots" -e /dev/null -- sh -c 'echo secret; exec sleep 4815')"
check_true "runs" wait_until 10 test -s roots
check_status "its words are not nobody's" 1 theirs tail 5
check_contains "and he is told whose they are" "job 5 does not belong to nobody" "$err"
check_equal "though not where" "" "$(printf '%s' "$err" | grep roots)"
check_status "nor is it his to signal" 1 theirs signal KILL 5
check_contains "which is said" "job 5 does not belong to nobody" "$err"
check_status "root may" 0 "$KAHU" signal KILL 5
check_status "how it ended is no secret" 137 theirs wait 5
check_equal "in a few words" "job 5 was ended by KILL" "$out"

# --- what was so ----------------------------------------------------------------------------------

last() { "$KAHU" --store "$work/st" journal -n 1 --json | sed 's/.*"seq":\([0-9]*\).*/\1/'; }
roots() { "$KAHU" --store "$work/st" "$@"; }
check_equal "another job of root's, of a class that root made up" 6 "$(roots submit -h -q roots-class -- sleep 4816)"
check_equal "and one of nobody's" 7 "$(theirs submit -h -o /dev/null -e /dev/null -- sleep 4816)"
then=$(last)
check_status "both are cancelled" 0 roots cancel 6 7
check_status "what was so is told all the same" 0 theirs queue --at "$then"
check_contains "with its moment" ", after entry $then of the journal" "$out"
for report in queue priority limits "job 6" "job 7" "why 7" config reservations; do
	# shellcheck disable=SC2086 # it is words
	check_equal "as root is told: $report" "$(roots $report --at "$then" --json)" "$(theirs $report --at "$then" --json)"
done
check_equal "what an entry did, too" "$(roots journal "$then" --because --json)" "$(theirs journal "$then" --because --json)"
check_contains "which is something" '"effect":{"text":"blocked held (user)"' "$(theirs journal "$then" --json)"
check_status "what is not kept is refused" 1 theirs queue --at 999999
check_contains "as in the store" "entry 999999 has not been written yet" "$err"
printf 'size 80x24\nwait-idle\n:at %s\nwait-idle\ndump then\nkeys L\nwait-idle\ndump now\n' "$then" >theirs/at.script
check_status "in the console, too" 0 theirs --script at.script
check_contains "it is a view of the past" "VIEW " "$(head -n 1 theirs/then)"
check_contains "with what was there" " 7 " "$(grep nobody theirs/then)"
check_contains "from which there is a way back" "LIVE" "$(head -n 1 theirs/now)"
check_equal "to where it is gone" "" "$(grep ' 7 .*nobody' theirs/now)"
theirs submit -h -N mine -o /dev/null -e /dev/null -- true >/dev/null
printf 'size 100x60\nwait-idle\nkeys 2\nwait-idle\ndump page\n' >theirs/job.script
check_status "the page of a job is shown to him" 0 theirs --script job.script
check_contains "though not that nothing had happened to it" "Journal not readable: the store belongs to another user; use :journal." "$(cat theirs/page)"
theirs cancel -w user=nobody >/dev/null
printf 'size 100x30\nwait-idle\nkeys f\nwait-idle\ndump ended\n' >theirs/ended.script
check_status "which jobs have ended is shown to him" 0 theirs --script ended.script
check_contains "his own" "Failed         3" "$(grep '^[> ]*4 .*nobody' theirs/ended)"
check_contains "and those of others" "Failed      KILL" "$(grep '^[> ]*5 .*root' theirs/ended)"
check_status "names are hidden" 0 roots tune hidenames true
check_status "one's own rows stay" 0 theirs job 7 --at "$then"
check_contains "with the name" "nobody" "$out"
check_status "those of others are there" 0 theirs queue --at "$then" --json
check_contains "the job" '"job":"6"' "$out"
check_equal "without a name" "" "$(printf '%s' "$out" | grep root)"
theirs journal 2>hidden
check_contains "what others did is hidden, which is said" "changes by other users are hidden here" "$(cat hidden)"
check_status "a user's own ended jobs are listed" 0 theirs history --json
check_equal "and no others" "" "$(printf '%s' "$out" | grep '"job":"6"')"
check_status "with --all those of all users are" 0 theirs history --all --json
check_equal "the user's own with their name" 7 "$(printf '%s' "$out" | sed 's/.*"job":"7".*"user":"nobody".*/7/')"
check_contains "and those of others" '"job":"6","name":null,"user":null' "$out"
check_equal "nor the class that root made up" "" "$(printf '%s' "$out" | grep roots-class)"
check_status "names are shown again" 0 roots tune hidenames false
check_equal "a job of root's cannot write" 9 "$(roots submit --force -d /no-such-folder -- true)"
check_status "and fails" 126 roots wait 9
check_contains "root is told why" "no-such-folder" "$(roots history)"
check_contains "he is told that it has" "Failed" "$(theirs history 9 | grep '^ *9 ')"
check_equal "among the others" "Failed" "$(theirs history -w user=root | awk '$1 == 9 { print $4 }')"
check_equal "where and why is root's business" "" "$(theirs history --all | grep no-such)"
check_status "names are hidden once more" 0 roots tune hidenames true

# --- large requests ---------------------------------------------------------------------------------

check_status "the site limits the changes of a request" 0 roots tune maxrequestevents 2
many=
for _ in 1 2 3 4 5; do
	many="$many $(theirs submit -h -- true)"
done
printf 'size 100x30\nwait-idle\n:set%s walltime=7:00\nwait-idle\nkeys <Enter>\nwait-idle\ndump done\n' "$many" >theirs/many.script
check_status "the console divides more into several requests" 0 theirs --script many.script
check_contains "which is one change" "Done: set" "$(cat theirs/done)"
check_equal "and all of it is made" 5 "$("$KAHU" --store "$work/st" queue --json | tr '{' '\n' | grep -c '"wclimit_s":420')"
# shellcheck disable=SC2086 # several numbers
check_status "as verbs do" 0 theirs cancel $many
# shellcheck disable=SC2086
check_equal "and all of them are made" "NotRun NotRun NotRun NotRun NotRun" \
	"$(for job in $many; do roots history --json | tr '{' '\n' | grep "\"job\":\"$job\"" | sed 's/.*"outcome":"\([A-Za-z]*\)".*/\1/'; done | tr '\n' ' ' | sed 's/ $//')"
check_status "but not an array" 1 theirs submit -h -t 0-2 -- true
check_contains "and the limit is named" "maxrequestevents" "$err"
check_status "that limit is taken back" 0 roots tune maxrequestevents 1000

# --- tasks that have ended --------------------------------------------------------------------------

check_status "names are shown" 0 roots tune hidenames false
array=$(theirs submit -o /dev/null -j oe -t 2-3 -- true)
check_status "an array ends" 0 theirs wait "$array"
check_contains "its tasks have their names in the journal" " end ${array%]}3], status 0" "$(theirs journal -n 30)"
ended=$(theirs journal -n 30 | awk -v task="${array%]}3]," '{ for (i = 1; i < NF; i++) if ($i == "end" && $(i + 1) == task) print $1 }')
check_contains "and in one entry" "end ${array%]}3], status 0" "$(theirs journal "$ended")"
check_status "one of them is submitted again" 0 theirs resubmit "${array%]}3]"
check_contains "and runs" "Completed" "$(theirs wait "$out" >/dev/null; theirs history "$out")"

# --- nobody there ----------------------------------------------------------------------------------

kill -9 "$server"
wait "$server" 2>/dev/null
for verb in queue "submit -- true" "hold 1"; do
	# shellcheck disable=SC2086 # it is words
	check_status "without a scheduler he is told so: $verb" 1 theirs --store "$work/st" $verb
	check_contains "and who can start it" "no scheduler is running, and the store $work/st cannot be opened by nobody" "$err"
done
