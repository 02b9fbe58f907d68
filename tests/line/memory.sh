#!/bin/sh
# SPDX-License-Identifier: MIT
#
# memory.sh - systemdefaultjobmemory applies to jobs without a memory request as if they had requested it
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

room_for 8
cat >>kahu.conf <<'TEXT'
systemdefaultjobmemory = 200mb
user DEFAULT { maxmem = {"300"} }
TEXT
serve_users "the memory of other users' jobs"

ended_as() { "$KAHU" --store "$work/st" journal --from 1 | grep -q " end $1, .*$2"; } # ID WORDS
# tail keeps 250 MB in memory.
holds='head -c 250000000 /dev/zero | tail | sleep 300'

check_status "submit --dry-run without a memory request succeeds" 0 theirs submit --dry-run -o /dev/null -- true
check_contains "it prints the default" "memory      200 MB per task (default)" "$out"
check_status "submit --dry-run with a memory request succeeds" 0 theirs submit --dry-run -l mem=10mb,walltime=60 -o /dev/null -- true
check_equal "it prints no default" "" "$(printf '%s' "$out" | grep default)"
check_contains "it prints the request" "memory      10 MB per task" "$out"
check_status "submit --dry-run --json succeeds" 0 theirs --json submit --dry-run -l nodes=1:ppn=2 -o /dev/null -- true
check_contains "it has the default for each of two tasks" '"mem_mb":0,"wclimit_s":0,"default_mem_mb":100,' "$out"

check_status "a job without a memory request is submitted" 0 theirs submit -o /dev/null -j oe -- sh -c "$holds"
check_contains "job prints the default" "200 MB per task" "$(theirs job 1)"
check_contains "queue --json has the default" '"mem_mb":200' "$(theirs queue --json)"
check_status "a job that requests as much is submitted" 0 theirs submit -l mem=200mb -o /dev/null -j oe -- sh -c "$holds"
check_status "a job with --mem=0 is submitted" 0 theirs submit --mem=0 -h -o /dev/null -j oe -- true
check_contains "it has the default" "200 MB per task" "$(theirs job 3)"
check_true "the job without a request is killed when it uses more" wait_until 20 ended_as 1 "it used more memory than its limit"
check_true "so is the job with a request" wait_until 20 ended_as 2 "it used more memory than its limit"

check_status "an idle job is submitted" 0 theirs submit -o /dev/null -- sleep 100
check_status "another idle job is submitted" 0 theirs submit -o /dev/null -- sleep 100
check_contains "MAXMEM counts the default" "MAXMEM" "$(theirs why 5)"
check_status "the user cannot remove the default" 1 theirs set 5 mem=0
check_contains "the refusal names the option" "may not remove the memory request of a job (systemdefaultjobmemory is 200 MB)" "$err"
check_status "the user can request less" 0 theirs set 5 mem=50
check_true "the job then runs" wait_until 20 sh -c '"$1" job 5 --json | grep -q "\"state\":\"Running\""' sh "$KAHU"
check_status "an administrator can remove the default" 0 "$KAHU" set 3 mem=0
check_contains "the job has no memory request" '"mem_mb":null' "$("$KAHU" job 3 --json)"

check_status "the default is raised above MAXMEM" 0 "$KAHU" tune --reason test systemdefaultjobmemory 301
check_status "a job that would exceed MAXMEM by the default is refused" 1 theirs submit -o /dev/null -- true
check_contains "the refusal has the default and the limit" "asks for 301 MB, and the hard limit MAXMEM of user nobody is 300" "$err"
check_status "MAXMEM is removed" 0 "$KAHU" tune --reason test 'user[DEFAULT].maxmem' unlimited
check_status "the default is raised above the memory of all nodes" 0 "$KAHU" tune --reason test systemdefaultjobmemory 900tb
check_status "a job that would fit on no node by the default is refused" 1 theirs submit -o /dev/null -- true
check_contains "the refusal names the memory" "too little memory" "$err"
check_status "a job that requests less runs" 0 theirs run -l mem=10mb -- true
check_status "the default is removed" 0 "$KAHU" tune systemdefaultjobmemory 0
check_status "a job without a memory request is submitted" 0 theirs submit -h -o /dev/null -- true
check_contains "it has no memory request" '"mem_mb":null' "$(theirs job 7 --json)"
check_status "all jobs are cancelled" 0 "$KAHU" cancel 3 4 5 7
