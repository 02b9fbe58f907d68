#!/bin/sh
# SPDX-License-Identifier: MIT
#
# pam.sh - account checks and PAM sessions of jobs
#
# Creates an account and a PAM service, so it runs only as root. Uses modules of Linux-PAM:
# pam_unix for an expired account, pam_limits with limits of this test, and pam_exec, whose program records
# each opened or closed session and hangs on request.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

service=kahu-test-$$
user=kh_jobs$$
if [ "$(id -u)" != 0 ] || ! grep -q -e -DHAVE_PAM "$KAHU_BUILD/../config.mk" || ! [ -d /etc/pam.d ] ||
	! command -v useradd >/dev/null || ! command -v chage >/dev/null; then
	skip "jobs get a PAM session" "needs root, libpam and useradd"
	exit 0
fi
at_exit "rm -f /etc/pam.d/$service; userdel $user 2>/dev/null"
useradd -M -d "$work" -s /bin/sh $user || exit 3
chmod 755 "$work"
# The account must reach the program and its socket.
mkdir bin out
cp "$KAHU" "$KAHU_BUILD/../kahu-shepherd" bin/ || exit 3
KAHU="$work/bin/kahu"
export KAHU_RUN="$work/run"
chown $user out

cat >limits.conf <<TEXT
$user - nofile 321
$user - nproc 777
TEXT
cat >note.sh <<TEXT
#!/bin/sh
echo "\$PAM_TYPE \$PAM_USER \$PAM_SERVICE \$(id -u)" >>"$work/noted"
TEXT
echo 'FROM_PAM=yes' >env.conf
echo 'HOME=/nowhere' >>env.conf
chmod 755 note.sh
write_service() { # [LINE]
	cat >/etc/pam.d/$service <<TEXT
account required pam_unix.so
session required pam_limits.so conf=$work/limits.conf
session required pam_env.so conffile=/dev/null readenv=1 envfile=$work/env.conf user_readenv=0
session required pam_exec.so quiet $work/note.sh
${1-}
TEXT
}

room_for 2
cat >>kahu.conf <<TEXT
pamservice = "$service"
jobnonewprivs = true
jobgrace = 1s
TEXT
server=
serve
journal_has() { "$KAHU" journal --from 1 | grep -q "$1"; }
job=0
# Submits a job as the account; its ID is $job.
submit() {
	job=$((job + 1))
	(cd / && setpriv --reuid $user --regid $user --init-groups env -u KAHU_STORE \
		"$KAHU" submit -d "$work" -o "$work/out/$job" -j oe "$@") >said.out 2>&1 || fail "job $job is submitted" "$(cat said.out)"
}
noted() { [ "$(cat noted 2>/dev/null)" = "$1" ]; }

write_service
submit -- sh -c 'ulimit -n; awk "/Max processes/ { print \$3 }" /proc/self/limits; echo "$FROM_PAM $HOME"; grep NoNewPrivs /proc/self/status; id -un'
check_true "a job with a session succeeds" wait_until 20 journal_has "end $job, status 0"
check_equal "it has the limits and environment of PAM, and no new privileges" "321
777
yes /nowhere
NoNewPrivs:	1
$user" "$(cat out/$job)"
check_true "root opened and closed the session" wait_until 20 noted "open_session $user $service 0
close_session $user $service 0"

rm -f noted
submit -- sleep 1000
check_true "a job runs" wait_until 20 journal_has "start $job"
check_true "its session is open" wait_until 20 noted "open_session $user $service 0"
check_status "the job is killed" 0 "$KAHU" signal KILL "$job"
check_true "its session is closed" wait_until 20 noted "open_session $user $service 0
close_session $user $service 0"

# The session takes two seconds to open. Meanwhile requests of the user wait; afterwards they take effect, and the
# session is closed. pam_exec runs a program that any signal ends.
cat >slow.sh <<TEXT
#!/bin/sh
echo >"$work/opening"
exec sleep 2
TEXT
chmod 755 slow.sh
write_service "session required pam_exec.so quiet type=open_session $work/slow.sh"
for how in "signal KILL" "signal USR1" cancel; do
	rm -f noted opening
	submit -- sleep 1000
	check_true "the session of job $job is being opened" wait_until 20 test -e opening
	# shellcheck disable=SC2086
	check_status "$how is accepted meanwhile" 0 "$KAHU" $how "$job"
	case $how in
	*KILL) how_ended=265 ;;
	*USR1) how_ended=266 ;;
	*) how_ended=2 ;; # by TERM, or by KILL after the grace
	esac
	check_true "the job ends by it ($how)" wait_until 20 journal_has "end $job, status $how_ended"
	check_true "its session is closed" wait_until 20 noted "open_session $user $service 0
close_session $user $service 0"
done

rm -f noted
write_service
chage -E 0 $user
submit -- touch "$work/out/never"
check_true "the job of an expired account fails with the reason" \
	wait_until 20 journal_has "end $job, status 126: the account of its user is refused (PAM service $service): User account has expired"
check_true "it did not run" test ! -e out/never
check_true "no session was opened" test ! -e noted
chage -E -1 $user

write_service 'session required pam_deny.so'
submit -- touch "$work/out/never"
check_true "a job whose session is denied fails with the reason" \
	wait_until 20 journal_has "end $job, status 126: no session can be opened for its user (PAM service $service)"
check_true "it did not run" test ! -e out/never

write_service 'session required pam_no_such_module.so'
submit -- sh -c 'exit 4'
check_true "a job is deferred if a PAM module is missing" \
	wait_until 20 journal_has "start of $job failed, deferred until .*(PAM service $service): "
write_service
check_status "it is released" 0 "$KAHU" release $job
check_true "it runs when the service is corrected" wait_until 20 journal_has "end $job, status 4"

rm -f /etc/pam.d/$service noted
submit -- sh -c 'ulimit -n >/dev/null'
check_true "without a service file jobs run without a session" wait_until 20 journal_has "end $job, status 0"
kill "$server" && wait "$server"

[ -x "${KAHU_FAILING-}" ] || {
	skip "a module that hangs" "needs the programs with failpoints, which make check builds"
	exit 0
}

# A module that hangs: pam_exec waits for a program that does not end. The time limit is 3 s instead of 60 s, which
# is enough on a busy machine for the program to record its process.
cp "$KAHU_FAILING" "$(dirname "$KAHU_FAILING")/kahu-shepherd" bin/ || exit 3
export KAHU_PAM_LIMIT_MS=3000
serve
cat >hang.sh <<TEXT
#!/bin/sh
echo "\$\$" >>"$work/hanging"
exec sleep 1000
TEXT
chmod 755 hang.sh
hangs() { kill -0 "$(tail -n 1 hanging)" 2>/dev/null; }
write_service "session required pam_exec.so quiet type=open_session $work/hang.sh"
submit -- sh -c 'exit 5'
check_true "a job is deferred if opening its session hangs" \
	wait_until 20 journal_has "start of $job failed, deferred until .*PAM did not open a session for the job within"
check_true "the program of the module has run" test -s hanging
check_true "it is killed" wait_until 20 eval '! hangs'
write_service "session required pam_exec.so quiet type=close_session $work/hang.sh"
rm -f hanging
check_status "the job is released" 0 "$KAHU" release $job
check_true "a job ends although closing its session hangs" \
	wait_until 20 journal_has "end $job, status 5"
check_true "the program of the module has run" wait_until 20 test -s hanging
check_true "it is killed" wait_until 20 eval '! hangs'
submit -- sh -c 'exit 6'
check_true "the next job runs" wait_until 20 journal_has "end $job, status 6"
kill "$server" && wait "$server"
