#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh - is a job that is run here as if it were run here?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

export KAHU_STORE="$work/st"
begin() { # WORDS of run; leaves its process in $run
	: >words
	"$KAHU" run "$@" >words 2>run.err &
	run=$!
}

check_status "nothing runs where no scheduler does" 1 "$KAHU" run -- true
check_contains "and it is said so" "no scheduler is running" "$err"
serve

# Status, input, output.
check_status "its exit status" 7 "$KAHU" run -- sh -c 'echo out; echo err >&2; exit 7'
check_equal "its output" out "$out"
check_equal "and its errors are ours" err "$err"
check_equal "so is its input" "from here" "$(echo from here | "$KAHU" run -- cat)"
check_equal "it stands where we do" "$work" "$("$KAHU" run -- pwd)"
check_status "a signal that ends it is a shell's 128 and more" 137 "$KAHU" run -- sh -c 'kill -9 $$'
check_status "it has what was asked for" 0 "$KAHU" run -N mine -l walltime=0:05:00 -- sh -c 'test "$PBS_JOBNAME" = mine'
check_status "what cannot be run says why" 126 "$KAHU" run -- ./nowhere
check_contains "here" "./nowhere cannot be run: it, or the interpreter that it needs, does not exist" "$err"
check_equal "nothing is left of the meeting" "" "$(ls -d "$work"/kahu-run.* 2>/dev/null)"

# What cannot be.
check_status "without a command" 2 "$KAHU" run
check_contains "it is said how" "no command given" "$err"
check_status "a file for the output" 2 "$KAHU" run -o x -- true
check_contains "is in the way" "are not allowed" "$err"
check_status "an array" 2 "$KAHU" run -t 0-3 -- true
check_status "what submit alone understands" 2 "$KAHU" run --dry-run -- true
check_status "an option that is not known" 2 "$KAHU" run -Q -- true
check_status "a terminal where none is" 1 "$KAHU" run --pty -- true
check_status "what never could start is not waited for" 1 "$KAHU" run -l nodes=1:ppn=999999 -- true
check_contains "but named" "would never start" "$err"
check_true "and taken away" wait_until 10 sh -c '! "$KAHU" queue | grep -q 999999'

# Signals.
cat >listen.sh <<'TEXT'
trap 'echo int' INT
trap 'echo term; exit 5' TERM
echo begun
while :; do sleep 0.05; done
TEXT
begin -- sh listen.sh
check_true "one that listens" wait_until 20 has begun words
kill -INT $run
check_true "gets the signals that we get" wait_until 10 has int words
kill -TERM $run
wait $run
check_equal "and ends as it likes" 5 $?
check_true "with its last words" has term words
# Run knows of the end at once, and the scheduler perhaps later.
is_idle() { ! "$KAHU" queue --json | grep -q Running; }
check_true "which the scheduler hears of, too" wait_until 20 is_idle

# Somebody else stops it, or puts it back.
begin -- sh -c "echo begun; exec sleep 4811.$$"
check_true "one that runs" wait_until 20 has begun words
job=$("$KAHU" queue --json | grep -o '"job":"*[0-9]*' | head -n 1 | grep -o '[0-9]*')
check_status "is cancelled by its owner" 0 "$KAHU" cancel "$job"
wait $run
check_equal "which is TERM" 143 $?
check_true "and has ended for all" wait_until 20 is_idle
begin -- sh -c "test -e second && echo again && exit 9; echo begun; exec sleep 4812.$$"
check_true "one that is put back" wait_until 20 has begun words
touch second
check_status "into the queue" 0 "$KAHU" requeue -w state=running
wait $run
check_equal "is still run here" 9 $?
check_equal "both times" "begun again" "$(tr '\n' ' ' <words | sed 's/ $//')"
# Also when the scheduler, which lives, says so late.
check_true "which all know" wait_until 20 is_idle
cat >slow.sh <<'TEXT'
trap 'echo told >told; until test -e let; do sleep 0.02; done; exit 1' TERM
test -e third && exit 9
echo begun
while :; do sleep 0.05; done
TEXT
begin -- sh slow.sh
check_true "one that takes its time" wait_until 20 has begun words
check_status "is put back, too" 0 "$KAHU" requeue -w state=running
check_true "and told to go" wait_until 20 test -s told
kill -STOP "$server"
touch third let
sleep 6
kill -CONT "$server"
wait $run
check_equal "and is waited for until it is there again" 9 $?

# While it waits.
begin -h -- true
check_true "one that waits" wait_until 20 sh -c '"$KAHU" queue --json | grep -q Hold'
kill -INT $run
wait $run
check_equal "is cancelled by ^C" 130 $?
check_true "and goes" wait_until 10 sh -c '! "$KAHU" queue --json | grep -q Hold'

# Who is lost ends it.
begin -- sh -c 'trap "" TERM; trap "echo hup >hup; exit 4" HUP; echo begun; while :; do sleep 0.05; done'
check_true "one whose run is killed" wait_until 20 has begun words
kill -9 $run
wait $run 2>/dev/null
check_true "is told as by a lost terminal" wait_until 10 test -e hup
check_true "and gone" wait_until 10 sh -c '! "$KAHU" queue --json | grep -q Running'
begin -h -- touch never
check_true "one that waits" wait_until 20 sh -c '"$KAHU" queue --json | grep -q Hold'
kill -9 $run
wait $run 2>/dev/null
check_status "and whose run is killed" 0 "$KAHU" release -w state=held
check_true "does not run" wait_until 20 sh -c '! "$KAHU" queue --json | grep -q "Idle\|Running"'
check_true "at all" test ! -e never

# The scheduler may die.
begin -- sh -c 'echo begun; until test -e go; do sleep 0.02; done; exit 6'
check_true "one that runs" wait_until 20 has begun words
kill -9 "$server"
wait "$server" 2>/dev/null
touch go
wait $run
check_equal "ends with its status though nobody schedules" 6 $?
serve
begin -h -- sh -c 'exit 8'
check_true "one that waits" wait_until 20 sh -c '"$KAHU" queue --json | grep -q Hold'
kill -9 "$server"
wait "$server" 2>/dev/null
serve
check_status "waits for the next scheduler" 0 "$KAHU" release -w state=held
wait $run
check_equal "and is started by it" 8 $?

# One that cannot be cancelled keeps the name of its folder from others, who could then wait for it there.
mkdir left
export XDG_RUNTIME_DIR="$work/left"
begin -h -N left -- sh -c 'echo ran >ran'
check_true "one more that waits" wait_until 20 sh -c '"$KAHU" queue --json | grep -q Hold'
job=$("$KAHU" queue --json | sed 's/.*"job":"\([0-9]*\)"[^{}]*"name":"left".*/\1/')
kill -9 "$server"
wait "$server" 2>/dev/null
kill -INT $run
wait $run
check_equal "can be left without a scheduler" 130 $?
check_contains "and it is said that it stays in the queue" "job $job was not cancelled because no scheduler responds" \
	"$(cat run.err)"
check_true "its folder is kept, without the socket" sh -c 'test -d left/kahu-run.* && ! test -e left/kahu-run.*/w'
serve
check_status "the next scheduler" 0 "$KAHU" release "$job"
check_true "ends it with a reason" wait_until 20 said "end $job, status 126: .*/w does not answer"
check_true "without running it" test ! -e ran
export XDG_RUNTIME_DIR="$work"

# A terminal.
if ! command -v tmux >/dev/null; then
	skip "a terminal of its own" "tmux is not installed"
else
	tmux="tmux -L kahu-run.$$"
	at_exit "$tmux kill-server 2>/dev/null"
	shows() { $tmux capture-pane -p | grep -q "$1"; } # WORDS
	$tmux -f /dev/null new-session -d -x 90 -y 20 "PS1='outer> ' sh"
	$tmux send-keys "$KAHU run --pty -- bash --norc --noprofile" Enter
	check_true "a shell" wait_until 20 shows 'bash-.*[$#]$'
	$tmux send-keys 'stty size; tty; echo job $PBS_JOBID' Enter
	check_true "has our size" wait_until 10 shows '^20 90$'
	check_true "and a terminal" wait_until 10 shows '^/dev/pts/'
	$tmux send-keys "sleep 4813.$$" Enter
	check_true "what it runs" wait_until 10 pgrep -fx "sleep 4813.$$"
	$tmux send-keys C-z
	check_true "is stopped by ^Z" wait_until 10 shows 'Stopped'
	$tmux send-keys 'fg' Enter
	is_in_front() { ps -o stat= -p "$(pgrep -fx "sleep 4813.$$")" | grep -q '^S.*+'; }
	check_true "goes on" wait_until 10 is_in_front
	$tmux send-keys C-c
	check_true "and ended by ^C" wait_until 10 is_gone "sleep 4813.$$"
	$tmux resize-window -x 70 -y 15
	$tmux send-keys 'until stty size | grep -x "15 70"; do sleep 0.1; done' Enter
	check_true "another size is its too" wait_until 10 shows '^15 70$'
	$tmux send-keys 'exit 3' Enter
	check_true "it ends" wait_until 10 shows 'outer>$'
	$tmux send-keys 'echo status $?; stty -a | grep -o " echo "' Enter
	check_true "with its status" wait_until 10 shows '^status 3$'
	check_true "and our terminal is as it was" wait_until 10 shows '^ echo'
	$tmux send-keys "$KAHU submit -l nodes=1:ppn=999999 -- true" Enter
	check_true "a job that would never start is refused" wait_until 20 shows '^kahu: the job would never start: '

	# A lost terminal sends CONT as well, to the whole process group. LeakSanitizer stops the process when it exits
	# and hangs when that CONT cancels its STOP, so it does not look for leaks here.
	lost="ASAN_OPTIONS=\$ASAN_OPTIONS:detect_leaks=0 $KAHU run --pty"
	$tmux send-keys "$lost -- sleep 4814.$$" Enter
	check_true "another runs" wait_until 10 pgrep -fx "sleep 4814.$$"
	$tmux kill-server
	check_true "until its terminal is lost" wait_until 20 is_gone "sleep 4814.$$"
	check_true "which the scheduler hears of" wait_until 20 is_idle
	$tmux -f /dev/null new-session -d -x 90 -y 20 "PS1='outer> ' sh"
	$tmux send-keys "$lost -h -- sleep 4815.$$" Enter
	check_true "one that waits when its terminal is lost" wait_until 20 sh -c '"$KAHU" queue --json | grep -q Hold'
	$tmux kill-server
	check_true "is cancelled" wait_until 20 sh -c '! "$KAHU" queue --json | grep -q Hold'
	check_true "and is waited for no longer" wait_until 20 is_gone "sleep 4815.$$"
fi
