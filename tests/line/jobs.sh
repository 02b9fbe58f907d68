#!/bin/sh
# SPDX-License-Identifier: MIT
#
# jobs.sh - do verbs that change something work on a stopped store, all or nothing, and can they be undone?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

# Four processors; at 40 job 1 runs, 2 to 5 wait.
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

check_equal "the queue is in the order of submission" "2 3 4 5 " "$(order)"

before=$(last_seq)
check_status "a dry run works" 0 "$KAHU" hold 3 --dry-run
check_contains "it says what would happen" "would hold user 3" "$out"
check_contains "and what that does to the order" "order" "$out"
check_equal "and changes nothing" "$before" "$(last_seq)"

check_status "a job is held" 0 "$KAHU" hold 3
check_contains "the journal's entry is named" "hold user 3  [journal $((before + 1))]" "$out"
check_equal "it leaves the idle jobs" "2 4 5 " "$(order)"
check_contains "and is blocked" "held (user)" "$("$KAHU" queue -b)"
check_status "holding it again is refused" 1 "$KAHU" hold 3
check_contains "because it is held" "already has that hold" "$err"
check_status "of several jobs all are held or none" 1 "$KAHU" hold 4 3 5
check_equal "none was" "2 4 5 " "$(order)"
check_status "a running job is refused" 1 "$KAHU" hold 1
check_contains "because it runs" "has run for" "$err"
check_status "a job that does not exist is refused" 1 "$KAHU" hold 77
check_contains "and named" "no job '77'" "$err"
check_status "another kind of hold can be added" 0 "$KAHU" hold -s 3
check_contains "and is named" "hold system 3" "$out"
check_status "all holds are released" 0 "$KAHU" release 3
check_contains "and named" "release user+system 3" "$out"
check_equal "the job is back" "2 3 4 5 " "$(order)"
check_status "releasing it again is refused" 1 "$KAHU" release 3

check_status "a range is held" 0 "$KAHU" hold 3-5
check_equal "all of it" "2 " "$(order)"
check_status "a selection is released" 0 "$KAHU" release -w 'state=held user=u3'
check_equal "only what matches all terms" "2 3 5 " "$(order)"
check_status "a selection of nothing is refused" 1 "$KAHU" release -w user=nobody
check_status "a wrong term is refused" 1 "$KAHU" release -w stat=held
check_contains "and named" "stat=held" "$err"
check_status "a state that does not exist is refused" 1 "$KAHU" release -w state=asleep
check_status "no job at all is wrong usage" 2 "$KAHU" hold
"$KAHU" release 4 >/dev/null
check_equal "everything is as it was" "2 3 4 5 " "$(order)"

check_status "a priority is added" 0 "$KAHU" set 4 priority=+50
check_equal "it counts" "50  (includes +50 set by an operator)" "$(priority_of 4 | sed 's/^5[01]/50/')"
check_equal "and reorders" "4 2 3 5 " "$(order)"
check_status "an absolute one is set" 0 "$KAHU" set 5 priority=5
check_equal "it is a thousand million and five" "1000000005  (set by an operator)" "$(priority_of 5)"
check_equal "and comes first" "5 4 2 3 " "$(order)"
check_status "none takes it away" 0 "$KAHU" set 5 priority=none
check_equal "the order says so" "4 2 3 5 " "$(order)"
check_status "setspri is absolute" 0 "$KAHU" setspri 7 3
check_equal "as Maui's was" "1000000007  (set by an operator)" "$(priority_of 3)"
check_status "setspri -r is relative" 0 "$KAHU" setspri -r 60 3
check_equal "it comes before 50" "3 4 2 5 " "$(order)"
check_status "a priority that is none is wrong usage" 2 "$KAHU" set 3 priority=high
check_status "a name that is none is wrong usage" 2 "$KAHU" set 3 colour=high
check_contains "and the others are named" "walltime" "$err"
check_status "no value at all is wrong usage" 2 "$KAHU" set 3
check_status "setspri without a number is wrong usage" 2 "$KAHU" setspri high 3

check_status "undo takes the last change back" 0 "$KAHU" undo
check_equal "3 is absolute again" "1000000007  (set by an operator)" "$(priority_of 3)"
check_status "and the one before" 0 "$KAHU" undo
check_status "and the one before that" 0 "$KAHU" undo
check_status "and again" 0 "$KAHU" undo
check_status "and again until 4 has its own priority" 0 "$KAHU" undo
check_equal "the order is as it was" "2 3 4 5 " "$(order)"
undone=$(last_seq)
check_status "an undo can be undone by its number" 0 "$KAHU" undo "$undone"
check_equal "so 4 is first again" "4 2 3 5 " "$(order)"
check_status "an entry that is no operator's is refused" 1 "$KAHU" undo 1
check_status "an entry that does not exist is refused" 1 "$KAHU" undo 99999
check_status "a word is no entry" 2 "$KAHU" undo last

check_status "an option is tuned" 0 "$KAHU" tune procweight 3
check_contains "undo says what it would take back" "(procweight = 3)" "$("$KAHU" undo --dry-run)"
check_status "its origin is the journal" 0 "$KAHU" config procweight
check_contains "by number" "journal $(last_seq)" "$out"
check_status "NAME=VALUE works too" 0 "$KAHU" changeparam 'user[u3].priority=9'
check_contains "a section's option is listed" "user[u3].priority" "$("$KAHU" config)"
check_status "an unknown option is refused" 1 "$KAHU" tune procwieght 3
check_contains "the nearest is named" "procweight" "$err"
check_status "a value out of range is refused" 1 "$KAHU" tune reservationdepth -3
check_status "a value that is none is refused" 1 "$KAHU" tune xfactorweight nan
check_status "no value is wrong usage" 2 "$KAHU" tune xfactorweight
check_status "--readonly refuses" 1 "$KAHU" --readonly tune procweight 1
check_status "--readonly lets reports through" 0 "$KAHU" --readonly queue
check_status "a change is there as JSON" 0 "$KAHU" tune procweight 4 --json
check_contains "with its entry" "\"applied\":true" "$out"

check_status "the journal is printed" 0 "$KAHU" journal -n 3
check_equal "as many entries as asked" 4 "$(printf '%s\n' "$out" | wc -l)"
check_contains "the newest last" "set procweight = 4" "$(printf '%s\n' "$out" | tail -n 1)"
check_status "the journal is there as JSON" 0 "$KAHU" journal -n 1 --json
check_contains "with all fields" '"kind":"set","job":null,"what":"set procweight = 4","undo":"yes"' "$out"
check_equal "it has no gap" "$(seq 1 "$(last_seq)")" "$("$KAHU" journal --from 1 | awk 'NR > 1 { print $1 }')"
check_status "a wrong number is wrong usage" 2 "$KAHU" journal -n 0
