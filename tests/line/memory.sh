#!/bin/sh
# SPDX-License-Identifier: MIT
#
# memory.sh - is a job that names no memory held to systemdefaultjobmemory, as if it had asked for it?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

room_for 8
cat >>kahu.conf <<'TEXT'
systemdefaultjobmemory = 200mb
user DEFAULT { maxmem = {"300"} }
TEXT
serve_users "the memory of jobs of others"

ended_as() { "$KAHU" --store "$work/st" journal --from 1 | grep -q " end $1, .*$2"; } # ID WORDS
# tail keeps 250 MB that nobody takes from it.
holds='head -c 250000000 /dev/zero | tail | sleep 300'

check_status "a dry run" 0 theirs submit --dry-run -o /dev/null -- true
check_contains "shows the default of memory" "memory      200 MB a task (default)" "$out"
check_status "of a job that asks" 0 theirs submit --dry-run -l mem=10mb,walltime=60 -o /dev/null -- true
check_equal "it names no default" "" "$(printf '%s' "$out" | grep default)"
check_contains "but what is asked for" "memory      10 MB a task" "$out"
check_status "for programs" 0 theirs --json submit --dry-run -l nodes=1:ppn=2 -o /dev/null -- true
check_contains "likewise" '"mem_mb":0,"wclimit_s":0,"default_mem_mb":100,' "$out"

check_status "a job that names no memory and one that does" 0 theirs submit -o /dev/null -j oe -- sh -c "$holds"
check_contains "has the default" "200 MB a task" "$(theirs job 1)"
check_contains "for programs, too" '"mem_mb":200' "$(theirs queue --json)"
check_status "both" 0 theirs submit -l mem=200mb -o /dev/null -j oe -- sh -c "$holds"
check_status "and one more" 0 theirs submit --mem=0 -h -o /dev/null -j oe -- true
check_contains "with --mem=0" "200 MB a task" "$(theirs job 3)"
check_true "ends as it uses more" wait_until 20 ended_as 1 "it used more memory than its limit"
check_true "as the one that asked" wait_until 20 ended_as 2 "it used more memory than its limit"

check_status "a job that waits" 0 theirs submit -o /dev/null -- sleep 100
check_status "and another" 0 theirs submit -o /dev/null -- sleep 100
check_contains "are counted by MAXMEM" "MAXMEM" "$(theirs why 5)"
check_status "its user cannot change that" 1 theirs set 5 mem=0
check_contains "which is said" "may not remove the memory request of a job (systemdefaultjobmemory is 200 MB)" "$err"
check_status "less he may ask for" 0 theirs set 5 mem=50
check_true "and then it runs" wait_until 20 sh -c '"$1" job 5 --json | grep -q "\"state\":\"Running\""' sh "$KAHU"
check_status "an administrator can" 0 "$KAHU" set 3 mem=0
check_contains "take it away" '"mem_mb":null' "$("$KAHU" job 3 --json)"

check_status "a default that is beyond MAXMEM" 0 "$KAHU" tune --reason test systemdefaultjobmemory 301
check_status "but no job that would never start for it" 1 theirs submit -o /dev/null -- true
check_contains "for its memory" "asks for 301 MB, and the hard limit MAXMEM of user nobody is 300" "$err"
check_status "nor, with a default that no node has" 0 "$KAHU" tune --reason test 'user[DEFAULT].maxmem' unlimited
check_status "of 900 TB" 0 "$KAHU" tune --reason test systemdefaultjobmemory 900tb
check_status "one that would fit on none" 1 theirs submit -o /dev/null -- true
check_contains "which is said" "too little memory" "$err"
check_status "while one that asks starts" 0 theirs run -l mem=10mb -- true
check_status "without a default" 0 "$KAHU" tune systemdefaultjobmemory 0
check_status "a job gets none" 0 theirs submit -h -o /dev/null -- true
check_contains "as before" '"mem_mb":null' "$(theirs job 7 --json)"
check_status "cancel" 0 "$KAHU" cancel 3 4 5 7
