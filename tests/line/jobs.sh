#!/bin/sh
# SPDX-License-Identifier: MIT
#
# jobs.sh - verbs that change a stopped store: all or nothing, and undo
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

# Four processors; at 40 job 1 runs, 2 to 5 are idle.
cat >log.swf <<'TEXT'
; MaxProcs: 4
1  0 -1 100 4 -1 -1 4 100 -1 1 1 1 -1 1 -1 -1 -1
2 10 -1 100 4 -1 -1 4 100 -1 1 2 1 -1 1 -1 -1 -1
3 20 -1  50 4 -1 -1 4  50 -1 1 3 2 -1 1 -1 -1 -1
4 30 -1 200 4 -1 -1 4 200 -1 1 1 1 -1 2 -1 -1 -1
5 40 -1  10 4 -1 -1 4  10 -1 1 3 1 -1 2 -1 -1 -1
TEXT
"$KAHU" replay log.swf --policy easy --until 40 --store st >/dev/null || exit 3
export KAHU_STORE="$work/st"

order() { "$KAHU" queue | awk '/^BLOCKED/ { exit } $3 == "Idle" { printf "%s ", $1 }'; }
priority_of() { "$KAHU" job "$1" | sed -n 's/^priority *//p'; }
last_seq() { "$KAHU" journal -n 1 | awk 'END { print $1 }'; }

check_equal "the queue is in order of submission" "2 3 4 5 " "$(order)"

before=$(last_seq)
check_status "a dry run works" 0 "$KAHU" hold 3 --dry-run
check_contains "it prints what would be changed" "would hold user 3" "$out"
check_contains "it prints the effect on the order" "order" "$out"
check_equal "it changes nothing" "$before" "$(last_seq)"

check_status "a job is held" 0 "$KAHU" hold 3
check_contains "the journal entry is printed" "hold user 3  [journal $((before + 1))]" "$out"
check_equal "the job is no longer idle" "2 4 5 " "$(order)"
check_contains "the job is blocked with the reason" "held (user)" "$("$KAHU" queue -b)"
check_status "holding it again is refused" 1 "$KAHU" hold 3
check_contains "the refusal says that the job has that hold" "already has that hold" "$err"
check_status "holding several jobs is refused if one is held already" 1 "$KAHU" hold 4 3 5
check_equal "none of them was held" "2 4 5 " "$(order)"
check_status "holding a running job is refused" 1 "$KAHU" hold 1
check_contains "the refusal says that the job runs" "has run for" "$err"
check_status "a job that does not exist is refused" 1 "$KAHU" hold 77
check_contains "the refusal names the job" "no job '77'" "$err"
check_status "another kind of hold can be added" 0 "$KAHU" hold -s 3
check_contains "the new hold is printed" "hold system 3" "$out"
check_status "release releases all holds" 0 "$KAHU" release 3
check_contains "the released holds are printed" "release user+system 3" "$out"
check_equal "the job is idle again" "2 3 4 5 " "$(order)"
check_status "releasing it again is refused" 1 "$KAHU" release 3

check_status "a range is held" 0 "$KAHU" hold 3-5
check_equal "all jobs of the range are held" "2 " "$(order)"
check_status "the jobs of a selection are released" 0 "$KAHU" release -w 'state=held user=u3'
check_equal "only jobs that match all terms were released" "2 3 5 " "$(order)"
check_status "a selection without a match is refused" 1 "$KAHU" release -w user=nobody
check_status "an unknown term is refused" 1 "$KAHU" release -w stat=held
check_contains "the refusal names the term" "stat=held" "$err"
check_status "a state that does not exist is refused" 1 "$KAHU" release -w state=asleep
check_status "a call without a job is wrong usage" 2 "$KAHU" hold
"$KAHU" release 4 >/dev/null
check_equal "all jobs are idle again" "2 3 4 5 " "$(order)"

check_status "a relative priority is set" 0 "$KAHU" set 4 priority=+50
check_equal "it is part of the priority" "50  (includes +50 set by an operator)" "$(priority_of 4 | sed 's/^5[01]/50/')"
check_equal "the job comes first" "4 2 3 5 " "$(order)"
check_status "an absolute priority is set" 0 "$KAHU" set 5 priority=5
check_equal "it is added to 1000000000" "1000000005  (set by an operator)" "$(priority_of 5)"
check_equal "the job comes first" "5 4 2 3 " "$(order)"
check_status "priority=none removes the absolute priority" 0 "$KAHU" set 5 priority=none
check_equal "the order changes" "4 2 3 5 " "$(order)"
check_status "setspri sets an absolute priority" 0 "$KAHU" setspri 7 3
check_equal "it is added to 1000000000" "1000000007  (set by an operator)" "$(priority_of 3)"
check_status "setspri -r sets a relative priority" 0 "$KAHU" setspri -r 60 3
check_equal "the job ranks above one with +50" "3 4 2 5 " "$(order)"
check_status "a priority that is not a number is wrong usage" 2 "$KAHU" set 3 priority=high
check_status "an unknown attribute is wrong usage" 2 "$KAHU" set 3 colour=high
check_contains "the message lists the attributes" "walltime" "$err"
check_status "a call without an attribute is wrong usage" 2 "$KAHU" set 3
check_status "setspri without a number is wrong usage" 2 "$KAHU" setspri high 3

check_status "undo undoes the last change" 0 "$KAHU" undo
check_equal "job 3 has its absolute priority again" "1000000007  (set by an operator)" "$(priority_of 3)"
check_status "a second undo undoes the change before" 0 "$KAHU" undo
check_status "a third undo succeeds" 0 "$KAHU" undo
check_status "a fourth undo succeeds" 0 "$KAHU" undo
check_status "a fifth undo succeeds" 0 "$KAHU" undo
check_equal "the order is that of submission" "2 3 4 5 " "$(order)"
undone=$(last_seq)
check_status "an undo can be undone by its entry" 0 "$KAHU" undo "$undone"
check_equal "job 4 is first again" "4 2 3 5 " "$(order)"
check_status "undo of an entry that no operator made is refused" 1 "$KAHU" undo 1
check_status "undo of an entry that does not exist is refused" 1 "$KAHU" undo 99999
check_status "undo of a word is wrong usage" 2 "$KAHU" undo last

check_status "an option is changed" 0 "$KAHU" tune procweight 3
check_contains "undo --dry-run prints what would be undone" "(procweight = 3)" "$("$KAHU" undo --dry-run)"
check_status "config prints the option" 0 "$KAHU" config procweight
check_contains "the origin is the journal entry" "journal $(last_seq)" "$out"
check_status "changeparam accepts NAME=VALUE" 0 "$KAHU" changeparam 'user[u3].priority=9'
check_contains "config lists an option of a section" "user[u3].priority" "$("$KAHU" config)"
check_status "an unknown option is refused" 1 "$KAHU" tune procwieght 3
check_contains "the refusal names the nearest option" "procweight" "$err"
check_status "a value out of range is refused" 1 "$KAHU" tune reservationdepth -3
check_status "nan is refused" 1 "$KAHU" tune xfactorweight nan
check_status "a call without a value is wrong usage" 2 "$KAHU" tune xfactorweight
check_status "--readonly refuses a change" 1 "$KAHU" --readonly tune procweight 1
check_status "--readonly permits a report" 0 "$KAHU" --readonly queue
check_status "--json prints a change" 0 "$KAHU" tune procweight 4 --json
check_contains "the JSON says that it was applied" "\"applied\":true" "$out"

check_status "journal -n 3 succeeds" 0 "$KAHU" journal -n 3
check_equal "it prints three entries and the title" 4 "$(printf '%s\n' "$out" | wc -l)"
check_contains "the newest entry is last" "set procweight = 4" "$(printf '%s\n' "$out" | tail -n 1)"
check_status "journal --json succeeds" 0 "$KAHU" journal -n 1 --json
check_contains "an entry has all fields" '"kind":"set","job":null,"what":"set procweight = 4","undo":"yes"' "$out"
check_equal "the journal has no gap" "$(seq 1 "$(last_seq)")" "$("$KAHU" journal --from 1 | awk 'NR > 1 { print $1 }')"
check_status "journal -n 0 is wrong usage" 2 "$KAHU" journal -n 0
