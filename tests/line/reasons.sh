#!/bin/sh
# SPDX-License-Identifier: MIT
#
# reasons.sh - why a start failed: do the job's user and administrators see it, and no others?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

serve_users "reasons of failed starts"

check_status "a prolog that cannot be run" 0 "$KAHU" tune prolog "$work/no-prolog"
check_equal "a job of root's" 1 "$("$KAHU" submit -o /dev/null -e /dev/null -- true)"
check_equal "a job of nobody's" 2 "$(theirs submit -o /dev/null -e /dev/null -- true)"
failed() { "$KAHU" journal --from 1 | grep -q "start of $1 failed.*no-prolog"; }
check_true "root's cannot start" wait_until 20 failed 1
check_true "nor can nobody's" wait_until 20 failed 2

check_contains "the journal tells nobody that root's start failed" "start of 1 failed" "$(theirs journal --from 1)"
check_equal "and not why" "" "$(theirs journal --from 1 | grep 'start of 1 .*no-prolog')"
check_contains "but why nobody's own failed" "no-prolog" "$(theirs journal --from 1 | grep 'start of 2 failed')"
for verb in why job; do
	check_contains "$verb tells root" no-prolog "$("$KAHU" $verb 1)"
	check_contains "also about nobody's" no-prolog "$("$KAHU" $verb 2)"
	check_equal "$verb does not tell nobody about root's" "" "$(theirs $verb 1 | grep no-prolog)"
	check_contains "but about nobody's own" no-prolog "$(theirs $verb 2)"
done
check_contains "that root's waits is no secret" "deferred until" "$(theirs why 1)"
check_status "a job that leaves" 0 "$KAHU" cancel 1
check_equal "takes its reason with it" "" "$(theirs history --json 2>&1 | grep no-prolog)"
