#!/bin/sh
# SPDX-License-Identifier: MIT
#
# churn.sh - one user cannot push the entries of others out of the journal
#
# One user holds and releases jobs with long reasons until the user's allowance is used up. The journal must
# still begin with the first entry. As a control, the same is done without the limit: then the first entries
# are removed.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
	skip "one user's churn" "only root runs jobs of others"
	exit 0
fi

mkdir bin
cp "$KAHU" "$KAHU_BUILD/../kahu-shepherd" bin/ || exit 3
KAHU="$work/bin/kahu"
chmod 755 "$work" bin
export KAHU_RUN="$work/run" KAHU_STORE="$work/st" KAHU_CONF="$work/kahu.conf"
cat >kahu.conf <<TEXT
node $(hostname) { procs = 1 }
journalmax = 4mb
maxuserjournal = 3
maxusertext = 1000
maxusercpu = 100
TEXT
"$KAHU" serve >serve.out 2>serve.err &
server=$!
at_exit 'kill -9 "$server" 2>/dev/null'
wait_until 10 test -s serve.out || fail "the scheduler starts" "$(cat serve.err)"
as() { who=$1; shift; (cd / && exec setpriv --reuid="$who" --regid="$(id -g "$who")" --clear-groups -- "$KAHU" "$@"); }

check_equal "one user submits a job" 1 "$(as daemon submit -h -o /dev/null -e /dev/null -- true)"
check_equal "another user submits an array" "2[]" "$(as games submit -h -a +24:00:00 -t 1-500 -o /dev/null -e /dev/null -- true)"
reason=$(head -c 3000 /dev/zero | tr '\0' x)
# Holds and releases all of its jobs the given number of times, until it is refused.
churn() { # TIMES
	for _ in $(seq "$1"); do
		as games release -w user=games --reason "$reason" || return
		as games hold -w user=games --reason "$reason" || return
	done >/dev/null 2>churn.err
}
first() { "$KAHU" journal --from 1 --json | sed 's/.*"entries":\[{"seq":\([0-9]*\).*/\1/;q'; }

check_status "repeated holds and releases are refused" 1 churn 10
check_contains "the refusal names the limit" "MB a day that maxuserjournal allows, games has " "$(cat churn.err)"
check_contains "it says when there is room again" " kB left; try again in " "$(cat churn.err)"
check_equal "the journal still begins with its first entry" 1 "$(first)"
check_contains "it has the submission of the first user" '"who":"daemon","kind":"submit","job":"1"' "$("$KAHU" journal --from 1 -n 5 --json)"
check_status "limits --self works for the user" 0 as games limits --self --json
check_contains "it has the usage of maxuserjournal" '"option":"maxuserjournal","unit":"MB","description":"additions to the journal and the history in a day","in_use":' "$out"
check_status "the user can still cancel jobs" 0 as games cancel "2[1-20]"
check_status "another user can release a job" 0 as daemon release 1
check_status "root is not limited" 0 "$KAHU" hold -w user=games --reason "$reason"

check_status "the control raises the limit" 0 "$KAHU" tune maxuserjournal 1000
check_status "the user holds and releases jobs without a refusal" 0 churn 6
check_true "the first entries are removed" [ "$(first)" -gt 1 ]
