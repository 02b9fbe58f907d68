#!/bin/sh
# SPDX-License-Identifier: MIT
#
# suspend.sh - other jobs run on the processors of a suspended job, which is resumed on free processors
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

room_for 2
echo 'jobgrace = "0:00:02"' >>kahu.conf
serve

# A job that writes its PID to a file and then counts until it is stopped.
cat >counts.sh <<'TEXT'
echo $$ >"$1.new" && mv "$1.new" "$1.pid"
while :; do
	echo >>"$1.beats"
	sleep 0.05
done
TEXT
counts() { # NAME JOB: submits a job that counts, and waits until it runs
	check_status "job $2 is submitted" 0 "$KAHU" submit -N "$1" -o /dev/null -e /dev/null -- sh "$PWD/counts.sh" "$PWD/$1"
	check_true "job $2 runs" wait_until 20 test -s "$1.pid"
}
cpus() { sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "/proc/$(cat "$1.pid")/status"; }
beats() { wc -l <"$1.beats"; }
has_continued() { [ "$(beats "$1")" -gt "$2" ]; }
is_suspended() { "$KAHU" queue | grep -q "^ *$1 .*Suspended"; }
is_resumed() { ! is_suspended "$1"; }
is_stopped() { one=$(beats "$1") && sleep 0.3 && [ "$(beats "$1")" = "$one" ]; }
field() { "$KAHU" --json job "$1" | tr -d '\n' | sed -n "s/.*\"$2\": *\\([a-z0-9\"]*\\).*/\\1/p"; }

counts first 1
counts second 2
"$KAHU" submit -N third -o /dev/null -e /dev/null -- sh "$PWD/counts.sh" "$PWD/third" >/dev/null
check_status "--release with --keep is wrong usage" 2 "$KAHU" suspend 1 --release --keep
check_status "job 1 is suspended with --release" 0 "$KAHU" suspend 1 --release
check_true "another job starts on its processor" wait_until 20 test -s third.pid
check_true "job 1 is stopped" wait_until 20 is_stopped first
check_equal "processors_released is true" true "$(field 1 processors_released)"
check_contains "why says that its processors are released" "its processors are released" "$("$KAHU" why 1)"

check_status "job 1 is resumed" 0 "$KAHU" resume 1
check_true "it stays suspended" is_suspended 1
check_equal "awaits_resume is true" true "$(field 1 awaits_resume)"
check_contains "why says that it waits for its processor" "when the 1 of its processors that other jobs use are free" "$("$KAHU" why 1)"
check_status "a second resume is refused" 1 "$KAHU" resume 1
check_status "a later job is submitted" 0 "$KAHU" submit -N late -o /dev/null -e /dev/null -- true

# A restart while the job waits.
kill -9 "$server"
wait "$server" 2>/dev/null
serve
check_true "the job still waits after a restart" is_suspended 1

free=$(cpus second)
before=$(beats first)
check_status "the job on another processor is cancelled" 0 "$KAHU" cancel 2
check_true "job 1 is resumed before the later job starts" wait_until 60 is_resumed 1
check_true "it continues" wait_until 20 has_continued first "$before"
check_contains "the later job is idle" "Idle" "$("$KAHU" queue)"
if [ "$(nproc)" -eq 2 ]; then
	same_cpus() { [ "$(cpus first)" = "$free" ]; }
	check_true "job 1 is bound to the free processor" wait_until 20 same_cpus
fi
check_status "job 1 is suspended with --keep" 0 "$KAHU" suspend 1 --keep
check_true "it is stopped" wait_until 20 is_stopped first
check_contains "the later job stays idle" "Idle" "$("$KAHU" queue)"
check_status "job 1 is resumed" 0 "$KAHU" resume 1
check_true "it continues at once" wait_until 20 is_resumed 1

# A job that is cancelled while its processors are released is killed without grace.
check_status "job 3 is suspended with --release" 0 "$KAHU" suspend 3 --release
check_true "it is stopped" wait_until 20 is_stopped third
third=$(beats third)
check_status "it is cancelled" 0 "$KAHU" cancel 3
check_true "it ends" wait_until 60 journal_has 'end 3, status 265'
check_equal "it has not continued" "$third" "$(beats third)"
check_status "job 1 is suspended with --release for one second" 0 "$KAHU" suspend 1 --release --for 1s
check_true "it is resumed" wait_until 60 is_resumed 1
check_status "job 1 is cancelled" 0 "$KAHU" cancel 1
check_true "the later job has run" wait_until 60 journal_has 'end 4, status 0'
check_true "no process is left" wait_until 60 is_gone "counts.sh $PWD"
check_status "the store is intact" 0 "$KAHU" verify
