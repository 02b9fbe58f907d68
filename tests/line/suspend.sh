#!/bin/sh
# SPDX-License-Identifier: MIT
#
# suspend.sh - other jobs run on the processors of a suspended job, which is resumed on free processors
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

room_for 2
echo 'jobgrace = "0:00:02"' >>kahu.conf
serve

# A job that writes down who it is and then counts until it is told to stop.
cat >counts.sh <<'TEXT'
echo $$ >"$1.new" && mv "$1.new" "$1.pid"
while :; do
	echo >>"$1.beats"
	sleep 0.05
done
TEXT
counts() { # NAME JOB: a job of that name that runs
	check_status "job $2" 0 "$KAHU" submit -N "$1" -o /dev/null -e /dev/null -- sh "$PWD/counts.sh" "$PWD/$1"
	check_true "runs" wait_until 20 test -s "$1.pid"
}
cpus() { sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "/proc/$(cat "$1.pid")/status"; }
beats() { wc -l <"$1.beats"; }
beats_on() { [ "$(beats "$1")" -gt "$2" ]; }
is_suspended() { "$KAHU" queue | grep -q "^ *$1 .*Suspended"; }
is_resumed() { ! is_suspended "$1"; }
stands_still() { one=$(beats "$1") && sleep 0.3 && [ "$(beats "$1")" = "$one" ]; }
field() { "$KAHU" --json job "$1" | tr -d '\n' | sed -n "s/.*\"$2\": *\\([a-z0-9\"]*\\).*/\\1/p"; }

counts first 1
counts second 2
"$KAHU" submit -N third -o /dev/null -e /dev/null -- sh "$PWD/counts.sh" "$PWD/third" >/dev/null
check_status "a user chooses one or the other" 2 "$KAHU" suspend 1 --release --keep
check_status "the first is suspended and releases its processor" 0 "$KAHU" suspend 1 --release
check_true "another job has it" wait_until 20 test -s third.pid
check_true "the first stands still" wait_until 20 stands_still first
check_equal "its processor is said to be released" true "$(field 1 processors_released)"
check_contains "and what becomes of it" "its processors are released" "$("$KAHU" why 1)"

check_status "it is resumed" 0 "$KAHU" resume 1
check_true "and stays suspended" is_suspended 1
check_equal "as it waits" true "$(field 1 awaits_resume)"
check_contains "for its processor" "when the 1 of them that other jobs use are free" "$("$KAHU" why 1)"
check_status "once is enough" 1 "$KAHU" resume 1
check_status "a job that comes later" 0 "$KAHU" submit -N late -o /dev/null -e /dev/null -- true

# A scheduler that begins meanwhile knows of it.
kill -9 "$server"
wait "$server" 2>/dev/null
serve
check_true "after a restart it still waits" is_suspended 1

free=$(cpus second)
before=$(beats first)
check_status "a processor becomes free" 0 "$KAHU" cancel 2
check_true "the first has it before the late one" wait_until 60 is_resumed 1
check_true "and goes on" wait_until 20 beats_on first "$before"
check_contains "the late one waits" "Idle" "$("$KAHU" queue)"
if [ "$(nproc)" -eq 2 ]; then
	same_cpus() { [ "$(cpus first)" = "$free" ]; }
	check_true "it is bound to the processor that was free" wait_until 20 same_cpus
fi
check_status "a suspended job that keeps its processor" 0 "$KAHU" suspend 1 --keep
check_true "stands still" wait_until 20 stands_still first
check_contains "while the late one waits" "Idle" "$("$KAHU" queue)"
check_status "until it is resumed" 0 "$KAHU" resume 1
check_true "at once" wait_until 20 is_resumed 1

# Cancelled during a suspension that released its processor, a job gets no grace.
check_status "the third is suspended and releases its processor" 0 "$KAHU" suspend 3 --release
check_true "stands still" wait_until 20 stands_still third
third=$(beats third)
check_status "and is cancelled" 0 "$KAHU" cancel 3
check_true "it ends" wait_until 60 said 'end 3, status 265'
check_equal "without having run" "$third" "$(beats third)"
check_status "a suspension of a released processor ends by itself" 0 "$KAHU" suspend 1 --release --for 1s
check_true "and the job runs again" wait_until 60 is_resumed 1
check_status "all end" 0 "$KAHU" cancel 1
check_true "the late one has run" wait_until 60 said 'end 4, status 0'
check_true "nothing is left" wait_until 60 is_gone "counts.sh $PWD"
check_status "the store is in order" 0 "$KAHU" verify
