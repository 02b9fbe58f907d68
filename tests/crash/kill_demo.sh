#!/bin/sh
# SPDX-License-Identifier: MIT
#
# kill_demo.sh - does a demo in a terminal go on from its last entry after kill -9 at any moment?
#
# Each round starts the demo on the same store, waits until the journal has grown by a random
# number of entries, kills it, and looks: no entry is missing, the store is whole, and what
# happened since the kill before follows from how things stood then. SEED chooses the moments,
# ROUNDS how many there are.

. "${KAHU_SOURCE:?}/tests/lib.sh"

if command -v tmux >/dev/null; then
	# A server for each terminal: the one before may still be going down.
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
echo "# moments to die at: SEED=$seed"
state=$((seed % 2147483647))
# Into $random: from 1 to MOST, by the generator of Park and Miller.
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

# The journal, all of it, without the heading.
read_journal() { "$KAHU" journal --store "$1" --from 1 2>/dev/null | sed 1d >journal; } # STORE
gaps() { awk '$1 != NR { print "entry " NR " is missing: " $0; exit }' journal; }
back_in_time() { awk '$2 < before { print "before the one ahead of it: " $0; exit } { before = $2 }' journal; }
verify() { "$KAHU_BUILD/tests/crash/verify_store" "$1" 2>&1; } # STORE

# What became of the jobs that ran at entry $was? Names those that run no more and did not end,
# and those that were started once more.
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

# --- in the middle of its life ---------------------------------------------------------

"$KAHU" demo -b --nodes 16 --seed 5 --store st >/dev/null
was=$(last_entry st)
running >running-then
check_true 'jobs run from the first moment on' test -s running-then

round=1
while [ "$round" -le "$rounds" ]; do
	draw 150
	more=$random
	name="kill $round, $more entries on"
	demo st
	check_true "$name: it goes on" wait_until 20 grown $((was + more))
	kill_demo
	read_journal st
	check_equal "$name: no entry is missing" '' "$(gaps)"
	check_equal "$name: time only goes forward" '' "$(back_in_time)"
	check_equal "$name: the store is whole" '' "$(verify st)"
	check_equal "$name: what ran is not forgotten" '' "$(forgotten)"
	was=$(last_entry st)
	running >running-then
	round=$((round + 1))
done
check_status 'after all of it the demo goes on' 0 "$KAHU" demo -b --store st

# --- while its first days are committed ------------------------------------------------

"$KAHU" demo -b --nodes 500 --seed 5 --store whole >/dev/null
days=$(last_entry whole)
cut_short=0
for try in 1 2 3; do
	demo "new$try" --nodes 500 --seed 5
	# The store is there and empty, then the one commit of four days writes to it.
	wait_until 20 "$KAHU" journal --store "new$try"
	touch mark
	# shellcheck disable=SC3013 # -nt is in every shell that Debian and BSD have as sh
	until [ "new$try/data.mdb" -nt mark ] || gone 2>/dev/null; do :; done
	kill_demo
	read_journal "new$try"
	kept=$(awk 'END { print NR }' journal)
	[ "$kept" -gt 0 ] || cut_short=$((cut_short + 1))
	check_true "beginning $try: all of the first days or nothing: $kept of $days" \
		test "$kept" -eq 0 -o "$kept" -ge "$days"
	check_equal "beginning $try: no entry is missing" '' "$(gaps)"
	check_equal "beginning $try: the store is whole" '' "$(verify "new$try")"
	check_status "beginning $try: it begins or goes on" 0 "$KAHU" demo -b --store "new$try" --nodes 500 --seed 5
	check_true "beginning $try: with its first days" test "$(last_entry "new$try")" -ge "$days"
done
echo "# $cut_short of 3 were killed before their first days were there"
