#!/bin/sh
# SPDX-License-Identifier: MIT
#
# account_gone.sh - idle jobs whose user's account loses its uid or leaves a group
#
# Uses real accounts that this test creates, so it runs only as root.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

before=kh_before$$ after=kh_after$$ team=kh_team$$
for program in useradd usermod groupadd gpasswd setpriv; do
	command -v $program >/dev/null || break
	program=
done
if [ "$(id -u)" != 0 ] || [ -n "$program" ]; then
	skip "jobs of removed accounts" "needs root and useradd"
	exit 0
fi
at_exit "userdel $after 2>/dev/null; userdel $before 2>/dev/null; groupdel $team 2>/dev/null"
groupadd $team && useradd -M -N -g nogroup -G $team -d "$work" -s /bin/sh $before || exit 3

serve_users "jobs of removed accounts"
cp "$KAHU_BUILD/tests/crash/hostile" bin/ || exit 3
export KAHU_STORE="$work/st"
chown $before theirs
as() { # USER GROUP COMMAND...
	as_user=$1 as_group=$2
	shift 2
	(cd theirs && exec setpriv --reuid="$as_user" --regid="$as_group" --init-groups -- "$KAHU" "$@")
}
submit() { # GROUP; leaves the ID in $out
	check_status "a job is submitted with group $1" 0 as $before "$1" submit -h -o /dev/null -j oe -- \
		sh -c "id -un >>$work/theirs/ran; id -gn >>$work/theirs/ran"
}
journal_gets() { wait_until 20 journal_has "$1"; }

# A group that the user leaves.
submit $team
left=$out
submit $team
stays=$out
check_contains "the job has that group" "\"group\":\"$team\"" "$("$KAHU" job --json "$left")"
check_status "a job is released while its user is a member of its group" 0 "$KAHU" release "$stays"
check_true "it runs" journal_gets "end $stays, status 0"
check_equal "it runs as its user and group" "$before $team" "$(paste -s -d ' ' theirs/ran)"
rm theirs/ran
gpasswd -d $before $team >/dev/null
check_status "a job whose user has left the group is released" 0 "$KAHU" release "$left"
check_true "it ends with that reason" journal_gets \
	"end $left, status 126: $before is no longer a member of group $(getent group $team | cut -d : -f 3)"
check_true "it has not run" test ! -e theirs/ran

# A uid that now belongs to another account.
submit nogroup
job=$out
asks() { (cd theirs && exec setpriv --reuid="$1" --regid=nogroup --clear-groups -- "$work/bin/hostile" "$work/run" script "$job"); }
check_status "the job's user can read its script" 0 asks $before
usermod -l $after $before || exit 3
check_status "a job whose user's uid belongs to another account is released" 0 "$KAHU" release "$job"
check_true "it ends with that reason" journal_gets \
	"end $job, status 126: uid $(id -u $after) belonged to $before when the job was submitted, and belongs to $after now"
check_true "it has not run" test ! -e theirs/ran
stop # the scheduler caches names for a minute
: >serve.out
"$KAHU" serve >serve.out 2>serve.err &
server=$!
check_true "the scheduler starts again" wait_until 10 test -s serve.out
check_status "the other account cannot read the job's script" 1 asks $after
check_contains "the refusal says that the job belongs to another user" "the job belongs to another user" "$err"
stop
