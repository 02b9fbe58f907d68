#!/bin/sh
# SPDX-License-Identifier: MIT
#
# kill_demo.sh - a demo in a terminal continues from its last entry after kill -9 at any time
#
# Each round starts the demo on the same store, waits until the journal has grown by a random
# number of entries, kills it, and checks: no entry is missing, the store is intact, and the jobs that
# ran at the previous kill still run or have ended. SEED chooses the times,
# ROUNDS the number of kills.

. "${KAHU_SOURCE:?}/tests/lib.sh"

if command -v tmux >/dev/null; then
	# A separate server for each terminal, because the previous one may still be shutting down.
	terminals=0
	in_tmux() { TMUX='' tmux -L "kahu-kill-$$-$terminals" -f /dev/null -u "$@"; }
	in_terminal() {
		terminals=$((terminals + 1))
		in_tmux new-session -d -x 100 -y 30 "$1"
	}
	at_exit 'in_tmux kill-server 2>/dev/null'
elif command -v script >/dev/null; then
	in_terminal() { script -qc "$1" /dev/null </dev/null >/dev/null 2>&1 & }
else
	skip 'a demo that is killed' 'there is neither tmux nor script(1) to give it a terminal'
	exit 0
fi

seed=${SEED:-20260324}
rounds=${ROUNDS:-10}
echo "# times of the kills: SEED=$seed"
state=$((seed % 2147483647))
# Sets $random: from 1 to MOST, by the generator of Park and Miller.
draw() { # MOST
	state=$((state * 48271 % 2147483647))
	random=$((1 + state % $1))
}

demo() { # STORE OPTIONS...: in a terminal; its process is in $pid
	rm -f pid
	in_terminal "echo \$\$ >pid; exec '$KAHU' demo --speed 100000 --store $*"
	wait_until 20 test -s pid
	pid=$(cat pid)
}
kill_demo() {
	kill -9 "$pid"
	wait_until 20 gone
}
gone() { ! kill -0 "$pid"; }

last_entry() { "$KAHU" journal --store "$1" -n 1 2>/dev/null | awk 'NR == 2 { print $1 }'; } # STORE
grown() { [ "$(last_entry st)" -ge "$1" ]; }                                                 # TO
running() { "$KAHU" queue --store st | awk '$3 == "Running" { print $1 }'; }

# The whole journal, without the heading.
read_journal() { "$KAHU" journal --store "$1" --from 1 2>/dev/null | sed 1d >journal; } # STORE
gaps() { awk '$1 != NR { print "entry " NR " is missing: " $0; exit }' journal; }
back_in_time() { awk '$2 < before { print "before the one ahead of it: " $0; exit } { before = $2 }' journal; }
verify() { "$KAHU_BUILD/tests/crash/verify_store" "$1" 2>&1; } # STORE

# Prints jobs that ran at entry $was and neither run nor have ended, and those that were
# started again.
forgotten() {
	running >running-now
	awk -v was="$was" '
		FILENAME == "running-now" { runs[$1] = 1; next }
		FILENAME == "journal" { sub(/,$/, "", $5) }
		FILENAME == "journal" && $1 > was && $4 == "end" { ended[$5] = 1 }
		FILENAME == "journal" && $1 > was && $4 == "start" { again[$5] = 1 }
		FILENAME == "running-then" && again[$1] { print $1 " was started twice" }
		FILENAME == "running-then" && !again[$1] && !runs[$1] && !ended[$1] { print $1 " was forgotten" }
	' running-now journal running-then
}

# --- kills while the demo runs ---------------------------------------------------------

"$KAHU" demo -b --nodes 16 --seed 5 --store st >/dev/null
was=$(last_entry st)
running >running-then
check_true 'jobs run at the beginning' test -s running-then

round=1
while [ "$round" -le "$rounds" ]; do
	draw 150
	more=$random
	name="kill $round, $more entries on"
	demo st
	check_true "$name: the demo continues" wait_until 20 grown $((was + more))
	kill_demo
	read_journal st
	check_equal "$name: no entry is missing" '' "$(gaps)"
	check_equal "$name: times do not decrease" '' "$(back_in_time)"
	check_equal "$name: the store is intact" '' "$(verify st)"
	check_equal "$name: no running job is forgotten" '' "$(forgotten)"
	was=$(last_entry st)
	running >running-then
	round=$((round + 1))
done
check_status 'after all kills the demo continues' 0 "$KAHU" demo -b --store st

# --- kills while the first days are committed ------------------------------------------

"$KAHU" demo -b --nodes 500 --seed 5 --store whole >/dev/null
days=$(last_entry whole)
cut_short=0
for try in 1 2 3; do
	demo "new$try" --nodes 500 --seed 5
	# The store exists and is empty; then one commit writes the first four days.
	wait_until 20 "$KAHU" journal --store "new$try"
	touch mark
	# shellcheck disable=SC3013 # -nt is in every shell that Debian and BSD have as sh
	until [ "new$try/data.mdb" -nt mark ] || gone 2>/dev/null; do :; done
	kill_demo
	read_journal "new$try"
	kept=$(awk 'END { print NR }' journal)
	[ "$kept" -gt 0 ] || cut_short=$((cut_short + 1))
	check_true "start $try: the journal has all of the first days or nothing: $kept of $days" \
		test "$kept" -eq 0 -o "$kept" -ge "$days"
	check_equal "start $try: no entry is missing" '' "$(gaps)"
	check_equal "start $try: the store is intact" '' "$(verify "new$try")"
	check_status "start $try: the demo starts or continues" 0 "$KAHU" demo -b --store "new$try" --nodes 500 --seed 5
	check_true "start $try: the journal has the first days" test "$(last_entry "new$try")" -ge "$days"
done
echo "# $cut_short of 3 were killed before their first days were committed"
