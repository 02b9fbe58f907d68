#!/bin/sh
# SPDX-License-Identifier: MIT
#
# lab.sh - a shared lab machine: three accounts, arrays, dependencies, GPUs, kills, outside load, a full disk, a clock
#
# Root's scheduler runs on one store and is killed several times. At the end every job has its expected outcome, and
# no job has run twice: each start appends a line to a file of the job's user. The script runs in a separate PID
# namespace, so that it controls all processes outside the queue.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

users="daemon bin games"
if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null || ! id $users >/dev/null 2>&1; then
	skip "a shared lab machine" "only root runs jobs of others"
	exit 0
fi
if [ -z "${LAB_INSIDE-}" ] && unshare --mount --pid --fork --mount-proc true 2>/dev/null; then
	LAB_INSIDE=yes unshare --mount --pid --fork --mount-proc sh "$KAHU_SOURCE/tests/line/lab.sh"
	exit
fi
mkdir small bin
if [ -z "${LAB_INSIDE-}" ] || ! mount -t tmpfs -o size=8m kahu-test small 2>/dev/null; then
	skip "a shared lab machine" "no namespaces, or no small file system, can be made here"
	exit 0
fi
at_exit 'umount -l "$work/small"'

# --- the machine --------------------------------------------------------------------------------------

cp "${KAHU_FAILING:?}" "$(dirname "$KAHU_FAILING")/kahu-shepherd" bin/ || exit 3
KAHU="$work/bin/kahu"
chmod 755 "$work" bin
for user in $users; do
	mkdir "home.$user" && chown "$user" "home.$user"
done
export KAHU_RUN="$work/run" KAHU_STORE="$work/small/st" KAHU_CONF="$work/kahu.conf" KAHU_CLOCK_FILE="$work/by"
echo 0 >by
configure() { # PROCESSORS
	cat >kahu.conf <<-TEXT
		node $(uname -n) { procs = $1 }
		rmpollinterval = 2s
		nodeavailabilitypolicy = combined
		devices = "0,1"
		jobgrace = 1s
		systemdefaultjobwalltime = "5:00"
	TEXT
}
serve_lab() {
	: >serve.out
	"$KAHU" serve >serve.out 2>>serve.err &
	server=$!
	wait_slowly 10 test -s serve.out || fail "the scheduler starts" "$(cat serve.err)"
}
kill_server() {
	kill -9 "$server"
	wait "$server" 2>/dev/null
}
# Polls slowly: a test that uses much processor time would be outside load itself.
wait_slowly() { # SECONDS COMMAND...
	slow_tries=$(($1 * 6 * 4))
	shift
	until "$@" >/dev/null 2>&1; do
		slow_tries=$((slow_tries - 1))
		[ $slow_tries -gt 0 ] || return 1
		sleep 0.25
	done
}
as() { # USER COMMAND...
	as_user=$1
	shift
	(cd "home.$as_user" && exec setpriv --reuid="$as_user" --regid="$(id -g "$as_user")" --clear-groups -- "$@")
}
submit() { # USER NAME [OPTION]... -- SCRIPT; sets $job
	submit_user=$1 submit_name=$2
	shift 2
	submit_options=
	while [ "$1" != -- ]; do
		submit_options="$submit_options $1"
		shift
	done
	# shellcheck disable=SC2086 # options are words
	job=$(as "$submit_user" "$KAHU" submit -N "$submit_name" -o /dev/null -j oe $submit_options -- \
		sh -c "echo $submit_name \$PBS_ARRAYID >>ran; $2") || fail "$submit_name is submitted" "$job"
}
explains() { "$KAHU" why "$1" | grep -q "$2"; } # JOB WORDS
is() { # JOB WORD: in the history
	"$KAHU" history --all --json | tr -d ' \n' | tr '{' '\n' | grep "\"job\":\"$1\"" | grep -q "$2"
}
idle() { [ "$("$KAHU" queue --json | tr -d ' \n' | grep -o '"job":' | wc -l)" -eq 0 ]; }

# --- outside load that ends while no scheduler runs -------------------------------------------------------

configure 2
serve_lab
at_exit 'kill -9 "$server" 2>/dev/null; wait 2>/dev/null'
# Other sessions on this machine share the processors equally, whatever their niceness, so the autogroup is raised.
busy='echo -10 >/proc/self/autogroup; while :; do :; done'
setsid nice -n -10 sh -c "$busy" 2>/dev/null &
loop1=$!
setsid nice -n -10 sh -c "$busy" 2>/dev/null &
loop2=$!
at_exit 'kill -9 $loop1 $loop2 2>/dev/null'
loaded() { "$KAHU" node --json | tr -d ' \n' | grep -q '"load":\(0\.[5-9]\|[1-9]\)'; }
check_true "two loops outside the queue are measured" wait_slowly 30 loaded
submit daemon both -l nodes=1:ppn=2 -- true
check_true "a job for both processors waits for them, and why names the reason" \
	wait_slowly 10 explains "$job" "processes outside the queue use"
as daemon "$KAHU" cancel "$job" >/dev/null
kill_server
kill -9 $loop1 $loop2
wait $loop1 $loop2 2>/dev/null
serve_lab
submit daemon loaded -l nodes=1:ppn=2 -- true
loaded=$job
check_true "the job starts when the loops have ended" wait_slowly 20 is "$loaded" '"outcome":"Completed"'

# --- three accounts ----------------------------------------------------------------------------------------

configure 8
check_status "the number of processors is raised" 0 "$KAHU" reload
for user in $users; do
	submit "$user" array -t 0-7%3 -- 'sleep 0.1'
	submit "$user" good -h -- 'sleep 0.5' # until those that depend on it are there
	good=$job
	submit "$user" after -W depend=afterok:"$good" -- true
	eval "after_$user=$job"
	submit "$user" instead -W depend=afternotok:"$good" -- true
	eval "instead_$user=$job"
	submit "$user" bad -h -- 'sleep 0.5; exit 3'
	bad=$job
	eval "bad_$user=$job"
	submit "$user" mended -W depend=afternotok:"$job" -- true
	eval "mended_$user=$job"
	submit "$user" never -W depend=afterok:"$bad" -- true
	eval "never_$user=$job"
	as "$user" "$KAHU" release "$good" "$bad" >/dev/null || fail "the jobs that others depend on are released"
	submit "$user" gpu -l gpus=1 -- 'echo gpu $CUDA_VISIBLE_DEVICES >>gpus; sleep 2'
	eval "gpu_$user=$job"
	submit "$user" long -l walltime=3 -- 'sleep 600'
	eval "long_$user=$job"
	submit "$user" held -h -- true
	eval "held_$user=$job"
	kill_server
	serve_lab
done
# shellcheck disable=SC2154 # they are set above
check_true "why names the hold of a held job" wait_slowly 5 explains "$held_daemon" "hold"
# shellcheck disable=SC2154
as bin "$KAHU" cancel "$held_bin" >/dev/null || fail "a held job is cancelled"
# shellcheck disable=SC2154
as daemon "$KAHU" release "$held_daemon" >/dev/null || fail "a held job is released"
check_status "a user cannot cancel another user's job" 1 as bin "$KAHU" cancel "$held_daemon"
submit games three -l gpus=2 -- 'sleep 0.1'
gpus=$job
submit daemon dated -a "$(date -d "@$(($(date +%s) + 7200))" +%Y-%m-%dT%H:%M:%S)" -- true
dated=$job
check_true "why names the start date of a job" wait_slowly 5 explains "$dated" "start"

# --- the clock ---------------------------------------------------------------------------------------------

echo 3600 >by.new && mv by.new by
check_true "a clock that is set forward is noticed" wait_slowly 10 eval '"$KAHU" journal --from 1 | grep -q "set forward by 1:00:00"'
kill_server
echo -3600 >by.new && mv by.new by
serve_lab
check_true "a clock that is set back while no scheduler runs is noticed" wait_slowly 10 eval '"$KAHU" journal --from 1 | grep -q "set back by"'

# --- a full disk -------------------------------------------------------------------------------------------

submit bin during -- 'sleep 1; exit 7'
during=$job
check_true "a job runs" wait_slowly 20 grep -qx during home.bin/ran
dd if=/dev/zero of=small/filler bs=4k >/dev/null 2>&1
refused() { ! as games "$KAHU" submit -h -o /dev/null -j oe -- true >/dev/null 2>&1; }
check_true "on a full disk submissions are refused" wait_slowly 10 refused
kill_server
serve_lab
rm small/filler
check_true "the end of a job is recorded when there is room again" wait_slowly 20 is "$during" '"exit_status":7'

# --- the outcomes ----------------------------------------------------------------------------------------

check_true "the job with a start date still waits" explains "$dated" "start"
echo 7260 >by.new && mv by.new by
check_true "it starts when the clock reaches its date" wait_slowly 20 is "$dated" '"outcome":"Completed"'
# shellcheck disable=SC2154
as games "$KAHU" release "$held_games" >/dev/null
check_true "at the end no job waits or runs" wait_slowly 30 idle
id=
for user in $users; do
	for name in after mended gpu; do
		eval "id=\$${name}_$user"
		check_true "job $name of $user has completed" is "$id" '"outcome":"Completed"'
	done
	for name in instead never; do
		eval "id=\$${name}_$user"
		check_true "job $name of $user was dropped because of its dependency" is "$id" '"outcome":"DependFailed"'
	done
	eval "id=\$long_$user"
	check_true "job long of $user was stopped at its limit" is "$id" '"outcome":"AtLimit"'
	eval "id=\$bad_$user"
	check_true "job bad of $user has failed" is "$id" '"exit_status":3'
	check_equal "all tasks of the array of $user have run" 8 "$(grep -c '^array ' "home.$user/ran")"
	check_equal "no job of $user has run twice" "" "$(sort "home.$user/ran" | uniq -d)"
	check_equal "the GPU job of $user had one GPU" 1 "$(grep -cx 'gpu [01]' "home.$user/gpus")"
done
check_true "the job with two GPUs has completed" is "$gpus" '"outcome":"Completed"'
check_equal "a cancelled job has not run" 0 "$(grep -c '^held' home.bin/ran)"
check_equal "a released job has run" 1 "$(grep -c '^held' home.daemon/ran)"
"$KAHU" sched stop >/dev/null
wait "$server" 2>/dev/null
check_status "the store is intact" 0 "$KAHU" verify
check_status "the state follows from the journal" 0 "$KAHU_BUILD/tests/crash/verify_store" "$KAHU_STORE"
