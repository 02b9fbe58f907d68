#!/bin/sh
# SPDX-License-Identifier: MIT
#
# rivals.sh - the weights printed on the Priority screen are those at which a job and its neighbours swap
#
# Each printed value is set in a draft, and the value beyond it: with the first, the screen must show the order as it
# is, with the second, the two jobs swapped.

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
screen '80x24: the jobs that it swaps with' narrow <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  7 What-if  8 Journal  9 Config
  JOB            PRIORITY FSUser*20   FSGrp*5   QTime*2 XFctr*100 SHARES
IDLE 3 - by priority -----------------------------------------------------------
  1050       r       1589         0       -31      1453       150 qqqqqqqqqqqqqx
> 1115               1170       154        79       797       127 fffqqqqqqqqqqx
  1130                688         0        79       448       146 ffqqqqqqqqqxxx
BLOCKED 9 - not ranked ---------------------------------------------------------
  19         !      12360         0         0     11282      1275 qqqqqqqqqqqqxx
  345        !       8740         0         0      8003       933 qqqqqqqqqqqqxx
  629        !       5466         0         0      4884       778 qqqqqqqqqqqqxx
  +6 more
--------------------------------------------------------------------------------
 1115: 1170 = fsuser 20 * 7.743 % + fsgroup 5 * 15.91 % + proc 1 * 10 procs +
 queuetime 2 * 398.98 min + xfactor 100 * 1.277
 Swaps with 1130 if: queuetime = -1 | fsuser < -42 | fs -7..-3 | +9 more
WEIGHTS IN USE ---------------------------------- VALUE ---- IN FORCE ----------
> queuetimeweight           [---|----------]          2             2 0..10
  xfactorweight             [-------|------]        100           100 0..200
  targetqueuetimeweight     [-------|------]    0.00001       0.00001 0..0.00002
  fsuserweight              [-------|------]         20            20 0..40
  +30 more
 points   focus: jobs (<Tab>)   hidden columns: User*1 QOS*1 Class*1 Proc*1 Tgt~
 W weights  e value  { -10  } +10  0 default  b percent  u undo  ? help  Q quit
EOS
screen '100x30: also the jobs that it passes, and the effect of an hour' middle <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  7 What-if  8 Journal  9 Config
  JOB            PRIORITY    User*1 FSUser*20   FSGrp*5    Proc*1   QTime*2 XFctr*100 SHARES
IDLE 3 - by priority -------------------------------------------------------------------------------
  1050       r       1589         0         0       -31        16      1453       150 qqqqqqqqqqqqqx
> 1115               1170         0       154        79        10       797       127 fffqqqqqqqqqqx
  1130                688         0         0        79        13       448       146 ffqqqqqqqqqxxx
BLOCKED 9 - not ranked -----------------------------------------------------------------------------
  19         !      12360         0         0         0         3     11282      1275 qqqqqqqqqqqqxx
  345        !       8740         0         0         0         3      8003       933 qqqqqqqqqqqqxx
  629        !       5466         0         0         0         4      4884       778 qqqqqqqqqqqqxx
  634        !       5126         0         0         0        22      4866       437 cqqqqqqqqqqqqx
  +5 more
----------------------------------------------------------------------------------------------------
 1115: 1170 = fsuser 20 * 7.743 % + fsgroup 5 * 15.91 % + proc 1 * 10 procs + queuetime 2 * 398.98
 min + xfactor 100 * 1.277
 Swaps with 1130 if: queuetime = -1 | fsuser < -42 | fs -7..-3 | xfactor = 2633 | +8 more
 Passes 1050 if: queuetime = 0 | service = 0 | fs > 2 | fsuser > 74 | fsgroup > 23 | +7 more
 In 1 h: 1170 -> 1294 (queuetime +120, xfactor +4); still behind 1050
WEIGHTS IN USE --------------------------------- VALUE ---- IN FORCE -------------------------------
> queuetimeweight          [---|----------]          2             2 0..10      Weight of the effec~
  xfactorweight            [-------|------]        100           100 0..200     Weight of the expan~
  targetqueuetimeweight    [-------|------]    0.00001       0.00001 0..0.00002 Weight of how close~
  fsuserweight             [-------|------]         20            20 0..40      Weight of how far t~
  fsgroupweight            [-------|------]          5             5 0..10      Weight of how far t~
  userweight               [-|------------]          1             1 0..10      Weight of the prior~
  +28 more
 points   focus: jobs (<Tab>)   hidden columns: QOS*1 Class*1 TgtQT*0.00001

 W weights  e value  { -10  } +10  0 default  b percent  = numbers  u undo  q back   ? help  Q quit
EOS

order() { # FILE: the idle jobs from the first to the last
	awk '/^BLOCKED/ { exit } idle { sub(/^>/, ""); print $1 } /^IDLE/ { idle = 1 }' "$1"
}

pieces() { # FILE LEAD: "xfactor 107 108" for each printed value and the value beyond it
	sed -n "s/^ $2 if: //p" "$1" | tr '|' '\n' | awk '
		$2 == "=" { print $1, $3 + ($3 > 0 ? -1 : 1), $3 }
		$2 == "<" || $2 == ">" { print $1, $3, $3 + ($2 == "<" ? -1 : 1) }
		split($2, range, /[.][.]/) == 2 { print $1, range[2] + 1, range[2] }'
}

# The rows of all drafts, from one session.
try_values() {
	echo 'size 200x60'
	echo 'keys 3 j'
	while read -r weight last beyond; do
		printf ':tune %sweight %s\ndump %s.last\nkeys D\n' "$weight" "$last" "$weight"
		printf ':tune %sweight %s\ndump %s.beyond\nkeys D\n' "$weight" "$beyond" "$weight"
	done
}

pair() { # FILE A B
	order "$1" | grep -xE "$2|$3" | tr '\n' ' '
}

check_pieces() { # LEAD UPPER LOWER
	pieces wide "$1" >values
	check_true "$1: at least four values are printed" test "$(wc -l <values)" -ge 4
	try_values <values | play demo --nodes 8 --seed 36 --ascii
	while read -r weight last beyond; do
		check_equal "$1: with $weight $last the order stays" "$2 $3 " "$(pair "$weight.last" "$2" "$3")"
		check_equal "$1: with $weight $beyond the two jobs are swapped" "$3 $2 " "$(pair "$weight.beyond" "$2" "$3")"
	done <values
}

check_pieces 'Swaps with 1130' 1115 1130
order fsuser.last | awk '$1 == 1115 { held = $1; next } { print } held { print held; held = "" }' >expected
check_equal 'only this pair swaps between the two values' "$(cat expected)" "$(order fsuser.beyond)"
check_pieces 'Passes 1050' 1050 1115
