#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh - kahu run: status, input and output, signals, terminals, and failures of the client and the scheduler
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

export KAHU_STORE="$work/st"
begin() { # ARGUMENTS of run; leaves its process in $run
	: >words
	"$KAHU" run "$@" >words 2>run.err &
	run=$!
}

check_status "run without a scheduler is refused" 1 "$KAHU" run -- true
check_contains "the message has the reason" "no scheduler is running" "$err"
serve

# Status, input, output.
check_status "run returns the exit status" 7 "$KAHU" run -- sh -c 'echo out; echo err >&2; exit 7'
check_equal "run prints the standard output" out "$out"
check_equal "run prints the standard error" err "$err"
check_equal "run passes the standard input" "from here" "$(echo from here | "$KAHU" run -- cat)"
check_equal "the job has the working directory of the client" "$work" "$("$KAHU" run -- pwd)"
check_status "the status of a job killed by signal 9 is 137" 137 "$KAHU" run -- sh -c 'kill -9 $$'
check_status "the options of submit apply" 0 "$KAHU" run -N mine -l walltime=0:05:00 -- sh -c 'test "$PBS_JOBNAME" = mine'
check_status "a command that cannot be executed gives status 126" 126 "$KAHU" run -- ./nowhere
check_contains "the message has the reason" "./nowhere cannot be run: it, or the interpreter that it needs, does not exist" "$err"
check_equal "no file of the connection is left" "" "$(ls -d "$work"/kahu-run.* 2>/dev/null)"

# Invalid calls.
check_status "a call without a command is wrong usage" 2 "$KAHU" run
check_contains "the message has the reason" "no command given" "$err"
check_status "-o is wrong usage" 2 "$KAHU" run -o x -- true
check_contains "the message says that it is not allowed" "are not allowed" "$err"
check_status "-t is wrong usage" 2 "$KAHU" run -t 0-3 -- true
check_status "--dry-run is wrong usage" 2 "$KAHU" run --dry-run -- true
check_status "an unknown option is wrong usage" 2 "$KAHU" run -Q -- true
check_status "--pty without a terminal is refused" 1 "$KAHU" run --pty -- true
check_status "a job that would never start is refused" 1 "$KAHU" run -l nodes=1:ppn=999999 -- true
check_contains "the message has the reason" "would never start" "$err"
check_true "it is not in the queue" wait_until 10 sh -c '! "$KAHU" queue | grep -q 999999'

# Signals to the client are passed to the job.
cat >listen.sh <<'TEXT'
trap 'echo int' INT
trap 'echo term; exit 5' TERM
echo begun
while :; do sleep 0.05; done
TEXT
begin -- sh listen.sh
check_true "a job that handles signals runs" wait_until 20 has begun words
kill -INT $run
check_true "the job gets SIGINT" wait_until 10 has int words
kill -TERM $run
wait $run
check_equal "run returns its status after SIGTERM" 5 $?
check_true "run prints its last output" has term words
# The client knows the end at once, the scheduler possibly later.
is_idle() { ! "$KAHU" queue --json | grep -q Running; }
check_true "the scheduler knows its end" wait_until 20 is_idle

# A job is cancelled or requeued while its client waits.
begin -- sh -c "echo begun; exec sleep 4811.$$"
check_true "a job runs" wait_until 20 has begun words
job=$("$KAHU" queue --json | grep -o '"job":"*[0-9]*' | head -n 1 | grep -o '[0-9]*')
check_status "it is cancelled" 0 "$KAHU" cancel "$job"
wait $run
check_equal "run returns 143" 143 $?
check_true "the job has ended" wait_until 20 is_idle
begin -- sh -c "test -e second && echo again && exit 9; echo begun; exec sleep 4812.$$"
check_true "another job runs" wait_until 20 has begun words
touch second
check_status "it is requeued" 0 "$KAHU" requeue -w state=running
wait $run
check_equal "run returns the status of its second run" 9 $?
check_equal "it has run twice" "begun again" "$(tr '\n' ' ' <words | sed 's/ $//')"
# Likewise if the scheduler reports the requeue late.
check_true "the job has ended" wait_until 20 is_idle
cat >slow.sh <<'TEXT'
trap 'echo told >told; until test -e let; do sleep 0.02; done; exit 1' TERM
test -e third && exit 9
echo begun
while :; do sleep 0.05; done
TEXT
begin -- sh slow.sh
check_true "a job that ends slowly runs" wait_until 20 has begun words
check_status "it is requeued" 0 "$KAHU" requeue -w state=running
check_true "it gets SIGTERM" wait_until 20 test -s told
kill -STOP "$server"
touch third let
sleep 6
kill -CONT "$server"
wait $run
check_equal "run returns the status of its second run" 9 $?

# The client is interrupted while the job waits.
begin -h -- true
check_true "a held job waits" wait_until 20 sh -c '"$KAHU" queue --json | grep -q Hold'
kill -INT $run
wait $run
check_equal "run returns 130 after SIGINT" 130 $?
check_true "the job is cancelled" wait_until 10 sh -c '! "$KAHU" queue --json | grep -q Hold'

# The client is killed.
begin -- sh -c 'trap "" TERM; trap "echo hup >hup; exit 4" HUP; echo begun; while :; do sleep 0.05; done'
check_true "a job runs" wait_until 20 has begun words
kill -9 $run
wait $run 2>/dev/null
check_true "it gets SIGHUP when its client is killed" wait_until 10 test -e hup
check_true "it ends" wait_until 10 sh -c '! "$KAHU" queue --json | grep -q Running'
begin -h -- touch never
check_true "a held job waits" wait_until 20 sh -c '"$KAHU" queue --json | grep -q Hold'
kill -9 $run
wait $run 2>/dev/null
check_status "it is released after its client was killed" 0 "$KAHU" release -w state=held
check_true "it leaves the queue" wait_until 20 sh -c '! "$KAHU" queue --json | grep -q "Idle\|Running"'
check_true "it has not run" test ! -e never

# The scheduler is killed.
begin -- sh -c 'echo begun; until test -e go; do sleep 0.02; done; exit 6'
check_true "a job runs" wait_until 20 has begun words
kill -9 "$server"
wait "$server" 2>/dev/null
touch go
wait $run
check_equal "run returns its status without a scheduler" 6 $?
serve
begin -h -- sh -c 'exit 8'
check_true "a held job waits" wait_until 20 sh -c '"$KAHU" queue --json | grep -q Hold'
kill -9 "$server"
wait "$server" 2>/dev/null
serve
check_status "the next scheduler releases it" 0 "$KAHU" release -w state=held
wait $run
check_equal "run returns its status" 8 $?

# The client cannot cancel the job without a scheduler: it leaves its folder, so that no other user can create one of that name and listen there.
mkdir left
export XDG_RUNTIME_DIR="$work/left"
begin -h -N left -- sh -c 'echo ran >ran'
check_true "a held job waits" wait_until 20 sh -c '"$KAHU" queue --json | grep -q Hold'
job=$("$KAHU" queue --json | sed 's/.*"job":"\([0-9]*\)"[^{}]*"name":"left".*/\1/')
kill -9 "$server"
wait "$server" 2>/dev/null
kill -INT $run
wait $run
check_equal "run returns 130 after SIGINT without a scheduler" 130 $?
check_contains "it says that the job stays in the queue" "job $job was not cancelled because no scheduler responds" \
	"$(cat run.err)"
check_true "its folder is kept, without the socket" sh -c 'test -d left/kahu-run.* && ! test -e left/kahu-run.*/w'
serve
check_status "the next scheduler releases the job" 0 "$KAHU" release "$job"
check_true "the job ends with a reason" wait_until 20 journal_has "end $job, status 126: .*/w does not answer"
check_true "it has not run" test ! -e ran
export XDG_RUNTIME_DIR="$work"

# With a terminal.
if ! command -v tmux >/dev/null; then
	skip "run --pty" "tmux is not installed"
else
	tmux="tmux -L kahu-run.$$"
	at_exit "$tmux kill-server 2>/dev/null"
	shows() { $tmux capture-pane -p | grep -q "$1"; } # WORDS
	$tmux -f /dev/null new-session -d -x 90 -y 20 "PS1='outer> ' sh"
	$tmux send-keys "$KAHU run --pty -- bash --norc --noprofile" Enter
	check_true "a shell runs with run --pty" wait_until 20 shows 'bash-.*[$#]$'
	$tmux send-keys 'stty size; tty; echo job $PBS_JOBID' Enter
	check_true "it has the size of the terminal" wait_until 10 shows '^20 90$'
	check_true "it has a terminal" wait_until 10 shows '^/dev/pts/'
	$tmux send-keys "sleep 4813.$$" Enter
	check_true "the shell runs a command" wait_until 10 pgrep -fx "sleep 4813.$$"
	$tmux send-keys C-z
	check_true "Ctrl-Z stops it" wait_until 10 shows 'Stopped'
	$tmux send-keys 'fg' Enter
	is_in_front() { ps -o stat= -p "$(pgrep -fx "sleep 4813.$$")" | grep -q '^S.*+'; }
	check_true "fg continues it" wait_until 10 is_in_front
	$tmux send-keys C-c
	check_true "Ctrl-C ends it" wait_until 10 is_gone "sleep 4813.$$"
	$tmux resize-window -x 70 -y 15
	$tmux send-keys 'until stty size | grep -x "15 70"; do sleep 0.1; done' Enter
	check_true "a new size of the terminal is passed on" wait_until 10 shows '^15 70$'
	$tmux send-keys 'exit 3' Enter
	check_true "the shell ends" wait_until 10 shows 'outer>$'
	$tmux send-keys 'echo status $?; stty -a | grep -o " echo "' Enter
	check_true "run returns its status" wait_until 10 shows '^status 3$'
	check_true "the terminal is restored" wait_until 10 shows '^ echo'
	$tmux send-keys "$KAHU submit -l nodes=1:ppn=999999 -- true" Enter
	check_true "submit in the terminal refuses a job that would never start" wait_until 20 shows '^kahu: the job would never start: '

	# A lost terminal sends CONT as well, to the whole process group. LeakSanitizer stops the process when it exits
	# and hangs when that CONT cancels its STOP, so it does not look for leaks here.
	lost="ASAN_OPTIONS=\$ASAN_OPTIONS:detect_leaks=0 $KAHU run --pty"
	$tmux send-keys "$lost -- sleep 4814.$$" Enter
	check_true "a job runs in the terminal" wait_until 10 pgrep -fx "sleep 4814.$$"
	$tmux kill-server
	check_true "it ends when the terminal is lost" wait_until 20 is_gone "sleep 4814.$$"
	check_true "the scheduler knows its end" wait_until 20 is_idle
	$tmux -f /dev/null new-session -d -x 90 -y 20 "PS1='outer> ' sh"
	$tmux send-keys "$lost -h -- sleep 4815.$$" Enter
	check_true "a held job waits" wait_until 20 sh -c '"$KAHU" queue --json | grep -q Hold'
	$tmux kill-server
	check_true "it is cancelled when the terminal is lost" wait_until 20 sh -c '! "$KAHU" queue --json | grep -q Hold'
	check_true "no process of run --pty is left" wait_until 20 is_gone "sleep 4815.$$"
fi
