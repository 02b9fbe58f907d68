#!/bin/sh
# SPDX-License-Identifier: MIT
#
# reasons.sh - only the user of a job and administrators see why its start failed
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

serve_users "reasons of failed starts"

check_status "a prolog that does not exist is set" 0 "$KAHU" tune prolog "$work/no-prolog"
check_equal "root submits a job" 1 "$("$KAHU" submit -o /dev/null -e /dev/null -- true)"
check_equal "nobody submits a job" 2 "$(theirs submit -o /dev/null -e /dev/null -- true)"
failed() { "$KAHU" journal --from 1 | grep -q "start of $1 failed.*no-prolog"; }
check_true "the start of root's job fails" wait_until 20 failed 1
check_true "the start of nobody's job fails" wait_until 20 failed 2

check_contains "the journal for nobody says that the start of root's job failed" "start of 1 failed" "$(theirs journal --from 1)"
check_equal "it does not say why" "" "$(theirs journal --from 1 | grep 'start of 1 .*no-prolog')"
check_contains "it says why the start of nobody's own job failed" "no-prolog" "$(theirs journal --from 1 | grep 'start of 2 failed')"
for verb in why job; do
	check_contains "$verb tells root the reason of root's job" no-prolog "$("$KAHU" $verb 1)"
	check_contains "$verb tells root the reason of nobody's job" no-prolog "$("$KAHU" $verb 2)"
	check_equal "$verb does not tell nobody the reason of root's job" "" "$(theirs $verb 1 | grep no-prolog)"
	check_contains "$verb tells nobody the reason of nobody's own job" no-prolog "$(theirs $verb 2)"
done
check_contains "why tells nobody that root's job waits" "deferred until" "$(theirs why 1)"
check_status "root's job is cancelled" 0 "$KAHU" cancel 1
check_equal "the history does not tell nobody the reason" "" "$(theirs history --json 2>&1 | grep no-prolog)"
