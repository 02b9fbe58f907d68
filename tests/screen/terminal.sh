#!/bin/sh
# SPDX-License-Identifier: MIT
#
# terminal.sh - the console in a real terminal, which it restores

. "${KAHU_SOURCE:?}/tests/lib.sh"

if ! command -v tmux >/dev/null; then
	skip 'the console in a terminal' 'tmux is not installed'
	exit 0
fi

# A separate server for each terminal, because the previous one may still be shutting down.
terminals=0
in_tmux() { TMUX='' tmux -L "kahu-test-$$-$terminals" -f /dev/null -u "$@"; }
open_terminal() { # SIZE COMMAND
	terminals=$((terminals + 1))
	in_tmux new-session -d -x "${1%x*}" -y "${1#*x}" "$2"
}
at_exit 'in_tmux kill-server 2>/dev/null'

shown() { in_tmux capture-pane -p | grep -qF -- "$1"; }
sees() { # NAME TEXT
	if wait_until 20 shown "$2"; then
		pass "$1"
	else
		fail "$1" "looked for: $2
$(in_tmux capture-pane -p)"
	fi
}
keys() { in_tmux send-keys "$@"; }

# One virtual second per second, so that the job under the cursor does not end on a slow machine.
mkdir stores
cat >run <<EOF
stty -a >before
TMPDIR="$PWD/stores" '$KAHU' demo --nodes 8 --seed 9 --speed 1
echo "status \$?"
stty -a >after
cmp before after && echo "the terminal is as it was"
sleep 1000
EOF

for size in 80x24 100x30 200x60; do
	open_terminal "$size" "sh run"
	sees "$size: the Queue screen is shown" 'by priority'
	keys H
	sees "$size: H proposes a hold" 'hold -u'
	sees "$size: the other kinds of holds are offered" '[s] system hold'
	keys Enter
	sees "$size: the hold is applied" 'Done: hold -u'
	keys u
	sees "$size: the undo is previewed" 'undo '
	keys Enter
	sees "$size: the hold is undone" 'Done: undo'
	keys C-z
	sees "$size: ^Z is explained" '^Z is disabled'
	keys 3
	sees "$size: another screen is shown" '[3 Priority]'
	keys Q
	sees "$size: Q asks for confirmation" 'Quit?'
	keys y
	sees "$size: the console ends with status 0" 'status 0'
	sees "$size: the terminal is restored" 'the terminal is as it was'
	in_tmux kill-session
done

open_terminal 80x24 "echo \$\$ >pid; exec env TMPDIR='$PWD/stores' '$KAHU' demo --nodes 8 --seed 9"
sees 'the console runs' '[1 Queue]'
in_tmux resize-window -x 40 -y 10
sees 'a terminal that is too small gives a message' 'needs 60x15'
in_tmux resize-window -x 120 -y 40
sees 'the screen returns in a larger terminal' '[1 Queue]'
in_tmux kill-session
ended() { ! kill -0 "$(cat pid)" 2>/dev/null; }
check_true 'the console ends when its terminal is lost' wait_until 20 ended
check_equal 'no temporary store is left' '' "$(ls stores)"
