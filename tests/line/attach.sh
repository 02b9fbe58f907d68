#!/bin/sh
# SPDX-License-Identifier: MIT
#
# attach.sh - the console attaches to a running scheduler, or starts one, and leaves it running
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

starts_of() { "$KAHU" journal --from 1 | grep -c "start $1\$"; } # JOB
not_served() { ! "$KAHU" sched stop; }
all_ended() { [ "$("$KAHU" journal --from 1 | grep -c ' end [0-9]*, status 0')" -ge "$(wc -l <hurry.ids)" ]; }

# Several consoles are attached at once, and each shows the changes made in another one.
room_for 4
serve
check_equal "a job is submitted" 1 "$("$KAHU" submit -h -o /dev/null -e /dev/null -- sleep "2000.$$")"
at_exit 'pkill -f "^sleep 2000[.]$$"'
cat >one <<'EOS'
size 100x30
wait-for BLOCKED 1
dump one.before
wait-for ACTIVE 1
EOS
"$KAHU" --script one &
one=$!
check_true "a console is attached" wait_until 20 test -s one.before
check_contains "its header says that it is attached" "KAHU attached" "$(cat one.before)"
cat >two <<'EOS'
size 80x24
wait-for BLOCKED 1
keys R
wait-idle
dump two.draft
keys <Enter>
wait-for ACTIVE 1
dump two.after
keys 8
wait-for release
dump two.journal
keys Q
expect-exit 0
EOS
check_status "a second console releases the job" 0 "$KAHU" --script two
check_contains "the change is previewed first" "release 1" "$(cat two.draft)"
check_contains "the change is in the journal" "release" "$(cat two.journal)"
check_true "the first console shows the change" wait "$one"
cat >readonly.keys <<'EOS'
wait-for ACTIVE
:cancel 1
expect-exit 1
dump readonly.said
EOS
check_status "a command that changes something is refused in a read-only console" 0 "$KAHU" --readonly --script readonly.keys
check_contains "the header says READ-ONLY" "READ-ONLY" "$(cat readonly.said)"

# A console whose scheduler has died tries to connect until there is one again.
cat >lost <<'EOS'
size 80x24
wait-for ACTIVE
dump lost.before
wait-for NO SCHEDULER
dump lost.gone
wait-for LIVE
dump lost.back
EOS
"$KAHU" --script lost &
lost=$!
check_true "a console is attached" wait_until 20 test -s lost.before
kill -9 "$server"
wait "$server" 2>/dev/null
check_true "the console shows the loss of the scheduler" wait_until 20 test -s lost.gone
check_contains "it says that it is trying again" "trying again" "$(cat lost.gone)"
serve
check_true "it is attached again after a restart" wait "$lost"
stop

# Without a scheduler the console runs one in its own process; on detach it continues in a new process, even of a newer program.
cp "$KAHU" "${KAHU%/*}/kahu-shepherd" "$work/" || exit 3
cat >host <<'EOS'
size 80x24
wait-for ACTIVE 1
dump host.screen
wait-for BLOCKED 1
keys Q
dump host.question
keys d
expect-exit 0
EOS
# Jobs are submitted all the time; the longest wait is the cost of a detach.
cat >hurry.sh <<'EOS'
last=$(date +%s%N)
while [ ! -e hurry.stop ]; do
	"$KAHU" submit -l walltime=60 -o /dev/null -e /dev/null -- true >>hurry.ids || echo "not taken" >>hurry.bad
	now=$(date +%s%N)
	echo $(((now - last) / 1000000)) >>hurry.waits
	last=$now
done
EOS
has_more() { test "$(wc -l <hurry.ids)" -gt $((handed + 5)); }
detach() {
	rm -f host.screen hurry.stop hurry.waits
	: >>hurry.ids
	"$work/kahu" --script host >host.out 2>&1 &
	console=$!
	check_true "the console runs the scheduler" wait_until 20 test -s host.screen
	check_contains "the header says that it runs in the console's process" "KAHU local" "$(cat host.screen)"
	rm "$work/kahu" && cp "$KAHU" "$work/kahu"
	sh hurry.sh &
	hurry=$!
	handed=$(wc -l <hurry.ids)
	check_true "jobs are submitted meanwhile" wait_until 10 has_more
	held=$("$KAHU" submit -h -- true)
	check_true "the user detaches" wait "$console"
	check_contains "the console asks before it detaches" "[d] detach" "$(cat host.question)"
	server=$(sed -n 's/.* as process \([0-9]*\)[.].*/\1/p' host.out)
	check_contains "the console prints the process that continues" "The scheduler continues as process" "$(cat host.out)"
	check_equal "the new process runs the installed program" "$(stat -c %i "$work/kahu")" \
		"$(stat -L -c %i "/proc/$server/exe")"
	handed=$(wc -l <hurry.ids)
	check_true "it accepts jobs" wait_until 20 has_more
	: >hurry.stop
	wait "$hurry"
	check_true "no submission was refused" test ! -e hurry.bad
}
# A submission waits less than a second on a machine that needs at most 50 ms for one, and proportionally longer on
# a slower one. As other load may delay it, the best of three detachments counts.
is_short() {
	sort -n hurry.waits | awk '{ wait[NR] = $1 }
		END {
			usual = wait[int((NR + 1) / 2)]
			print "# the longest wait for a submission: " wait[NR] " ms, the usual one: " usual " ms"
			exit wait[NR] >= 1000 && wait[NR] >= 20 * usual
		}'
}
detach
for _ in 1 2; do
	is_short && break
	"$KAHU" cancel "$held"
	"$KAHU" sched stop
	detach
done
check_true "no submission waits long for the handover" is_short
check_true "all submitted jobs have run" wait_until 60 all_ended
# A start that was decided and not carried out before the handover is withdrawn and decided again.
started_again() {
	"$KAHU" journal --from 1 | awk '/ start [0-9]+$/ { starts[$NF]++ }
		match($0, / start of [0-9]+ failed/) { split(substr($0, RSTART, RLENGTH), word, " "); starts[word[3]]-- }
		END { for (id in starts) if (starts[id] != 1) print id, starts[id] }'
}
check_equal "each of them ran once" "" "$(started_again)"
check_equal "the first job still runs in the same process" 1 "$(starts_of 1)"
check_status "the scheduler is stopped with sched stop" 0 "$KAHU" sched stop
check_true "its process has ended" wait_until 10 is_gone "$work/kahu serve"

# The scheduler also continues if the console's terminal is lost.
if command -v tmux >/dev/null; then
	tmux() { command tmux -L "kahu-$$" "$@"; }
	at_exit 'tmux kill-server 2>/dev/null'
	tmux -f /dev/null new-session -d -x 80 -y 24 "$work/kahu" || fail "a tmux session is created"
	on_screen() { tmux capture-pane -p | grep -q "$1"; }
	check_true "a console in a terminal runs the scheduler" wait_until 20 on_screen "KAHU local"
	tmux kill-server
	goes_on() { "$KAHU" queue --json | grep -q '"active":\[{"job":"1"'; }
	check_true "the scheduler continues without the terminal" wait_until 20 pgrep -f "^kahu serve"
	check_true "it responds" wait_until 10 goes_on
	check_equal "the first job still runs in the same process" 1 "$(starts_of 1)"
	"$KAHU" sched stop >/dev/null
else
	skip "a lost terminal" "there is no tmux"
fi
check_true "the scheduler is stopped" wait_until 20 not_served
check_status "the store is intact" 0 "$KAHU_BUILD/tests/crash/verify_store" "$KAHU_STORE"
