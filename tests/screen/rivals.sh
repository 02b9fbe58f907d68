#!/bin/sh
# SPDX-License-Identifier: MIT
#
# rivals.sh - on the Priority screen, do a job and its neighbours swap at the weights that are printed?
#
# Each value of the line is set in a draft, and the one beyond it: the screen has to show the order as it is,
# and then the pair the other way round.

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

play demo --nodes 8 --seed 36 --ascii <<'EOS'
size 80x24
keys 3 j
dump narrow
size 100x30
dump middle
size 200x60
dump wide
EOS
screen '80x24: whom it swaps with' narrow <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  7 What-if  8 Journal  9 Config
  JOB            PRIORITY     QOS*1   Class*1   QTime*2 XFctr*100 SHARES
IDLE 11 - by priority ----------------------------------------------------------
  1138       r       2147       500      1000        80       350 cccccccccccqxx
> 1101       r       1602         0         0      1040       533 qqqqqqqqqxxxxx
  1139               1586         0      1000        66       764 ccccccccfxxxxx
  1140               1340         0      1000        44       321 ccccccccccqxxx
  1109               1014         0         0       880       130 qqqqqqqqqqqqxx
  1117                924         0         0       794       127 qqqqqqqqqqqqxx
  1142                908         0      1000         4       148 cccccccccccfxx
  +13 more
--------------------------------------------------------------------------------
 1101: 1602 = proc 1 * 29 procs + queuetime 2 * 520.15 min + xfactor 100 *
 5.335
 Swaps with 1139 if: xfactor > 107 | fsuser < 18 | queuetime -45..1 | +9 more
WEIGHTS IN USE ---------------------------------- VALUE ---- IN FORCE ----------
> queuetimeweight           [---|----------]          2             2 0..10
  xfactorweight             [-------|------]        100           100 0..200
  targetqueuetimeweight     [-------|------]    0.00001       0.00001 0..0.00002
  fsuserweight              [-------|------]         20            20 0..40
  +30 more
 points   keys: jobs (<Tab>)   no room for User*1 FSUser*20 FSGrp*5 Proc*1 TgtQ~
 W weights  e value  { -10  } +10  0 default  b percent  u undo  ? help  Q quit
EOS
screen '100x30: whom it passes, too, and what an hour does' middle <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  7 What-if  8 Journal  9 Config
  JOB            PRIORITY    User*1     QOS*1   Class*1 FSUser*20   QTime*2 XFctr*100 SHARES
IDLE 11 - by priority ------------------------------------------------------------------------------
  1138       r       2147       150       500      1000        66        80       350 cccccccccccqxx
> 1101       r       1602         0         0         0         0      1040       533 qqqqqqqqqxxxxx
  1139               1586      -100         0      1000      -121        66       764 ccccccccfxxxxx
  1140               1340         0         0      1000         0        44       321 ccccccccccqxxx
  1109               1014         0         0         0         0       880       130 qqqqqqqqqqqqxx
  1117                924         0         0         0         0       794       127 qqqqqqqqqqqqxx
  1142                908      -100         0      1000      -121         4       148 cccccccccccfxx
  1141                869      -100         0      1000      -121         5       109 cccccccccccffx
  +12 more
----------------------------------------------------------------------------------------------------
 1101: 1602 = proc 1 * 29 procs + queuetime 2 * 520.15 min + xfactor 100 * 5.335

 Swaps with 1139 if: xfactor > 107 | fsuser < 18 | queuetime -45..1 | fsgroup < 2 | +8 more
 Passes 1138 if: class < 1 | queuetime > 3 | cred < 1 | service > 1 | +8 more
 In 1 h: 1602 -> 1772 (queuetime +120, xfactor +50); by then 1139 has passed it
WEIGHTS IN USE --------------------------------- VALUE ---- IN FORCE -------------------------------
> queuetimeweight          [---|----------]          2             2 0..10      Weight of the effec~
  xfactorweight            [-------|------]        100           100 0..200     Weight of the expan~
  targetqueuetimeweight    [-------|------]    0.00001       0.00001 0..0.00002 Weight of how near ~
  fsuserweight             [-------|------]         20            20 0..40      Weight of how far t~
  fsgroupweight            [-------|------]          5             5 0..10      Weight of how far t~
  userweight               [-|------------]          1             1 0..10      Weight of the prior~
  +28 more
 points   keys: jobs (<Tab>)   no room for FSGrp*5 Proc*1 TgtQT*0.00001

 W weights  e value  { -10  } +10  0 default  b percent  = numbers  u undo  q back   ? help  Q quit
EOS

order() { # FILE: the idle jobs from the first to the last
	awk '/^BLOCKED/ { exit } idle { sub(/^>/, ""); print $1 } /^IDLE/ { idle = 1 }' "$1"
}

pieces() { # FILE LEAD: "xfactor 107 108" for each value printed, and the one beyond it
	sed -n "s/^ $2 if: //p" "$1" | tr '|' '\n' | awk '
		$2 == "<" || $2 == ">" { print $1, $3, $3 + ($2 == "<" ? -1 : 1) }
		split($2, range, /[.][.]/) == 2 { print $1, range[2] + 1, range[2] }'
}

# The rows of all drafts, from one session.
try_values() {
	echo 'size 200x60'
	echo 'keys 3 j'
	while read -r weight last beyond; do
		printf ':tune %sweight %s\ndump %s.last\nkeys <Esc>\n' "$weight" "$last" "$weight"
		printf ':tune %sweight %s\ndump %s.beyond\nkeys <Esc>\n' "$weight" "$beyond" "$weight"
	done
}

pair() { # FILE A B
	order "$1" | grep -xE "$2|$3" | tr '\n' ' '
}

check_pieces() { # LEAD UPPER LOWER
	pieces wide "$1" >values
	check_true "$1: some are printed" test "$(wc -l <values)" -ge 4
	try_values <values | play demo --nodes 8 --seed 36 --ascii
	while read -r weight last beyond; do
		check_equal "$1: with $weight $last the order stays" "$2 $3 " "$(pair "$weight.last" "$2" "$3")"
		check_equal "$1: with $weight $beyond it is the other" "$3 $2 " "$(pair "$weight.beyond" "$2" "$3")"
	done <values
}

check_pieces 'Swaps with 1139' 1101 1139
order xfactor.last | awk '$1 == 1101 { held = $1; next } { print } held { print held; held = "" }' >expected
check_equal 'nothing but this pair swaps between the two values' "$(cat expected)" "$(order xfactor.beyond)"
check_pieces 'Passes 1138' 1138 1101
