#!/bin/sh
# SPDX-License-Identifier: MIT
#
# settings.sh - fairshare windows and the node allocation policy can be changed where their effect is shown

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

play demo --nodes 8 --seed 9 <<'EOS'
size 80x24
keys 4
dump shares
keys <Tab> j j e <C-u>
type 1
keys <Enter>
dump depth
keys A
dump depth-set
keys u <Enter> e <C-u>
type 33
keys <Enter>
dump too-deep
keys k e <C-u>
type 24:00:00
keys <Enter>
dump interval
keys D <Left>
dump one-less
keys D e <C-u>
type 0
keys <Enter>
dump no-interval
keys D
keys 3 W j j j j j j j j j j j j j j <Right>
dump next
keys A u
dump undo-draft
keys <Enter> e <C-u>
type priority
keys <Enter>
dump typed
keys D e <C-u>
type best
keys <Enter>
dump no-such
keys 0
dump default
EOS

screen 'FSDEPTH 1: shares and effects before and after' depth <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 1  FSDECAY 0.70
 rolls in 4:00:00  FSWEIGHT 1: U 20 G 5 A 0 Q 0 C 0  lint: 0 errors, 2 warnings
  CREDENTIAL             TARGET    AFTER  USAGE  AFTER       EFFECT        AFTER
  TOTAL                                         100.00
  - USER                                        100.00                  20/point
>   eva              *   15.00-   15.00-  24.26  38.19     -185 pts     -463 pts
    mei                  15.00    15.00   14.73  15.11        5 pts       -2 pts
    ines                     -        -    4.11   6.62    no target    no target
    leila                    -        -    3.66   5.47    no target    no target
    john             *   10.00+   10.00+   4.21   5.39      115 pts       92 pts
    amina                    -        -    6.14   5.13    no target    no target
  +18 more
FAIRSHARE ─────────────────────────────────────── VALUE ──── IN FORCE ──────────
  fspolicy                  <dedicatedps>                 dedicatedps
  fsinterval                [──────┃───────]   12:00:00      12:00:00 1:00:00..~
> fsdepth                   [┃─────────────]          1             6 1..32
  fsdecay                   [─────────┃────]        0.7           0.7 0..1
 Lint: L11 (new) fsdepth has been 1 since entry 6396, overriding 6 in line 13 ~
 DRAFT 1 edit: set fsdepth = 1                               A apply  D discard
 (projection): 13 jobs change order; 12 earlier; 2 later; worst: 1211          ~
 4 off target (*)   0 at a cap (!)   focus: settings (<Tab>)   caps block 6 jobs
 <Enter> open  e value  b percent  { -10  } +10  0 default       ? help  Q quit
EOS
screen 'FSINTERVAL of a day' interval <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 1:00:00:00  FSDEPTH 6
 FSDECAY 0.70  rolls in 16:00:00  FSWEIGHT 1: U 20 G 5 A 0 Q 0 C 0
 lint: 0 errors, 1 warning
  CREDENTIAL             TARGET    AFTER  USAGE  AFTER       EFFECT        AFTER
  TOTAL                                         100.00
  - USER                                        100.00                  20/point
>   eva              *   15.00-   15.00-  24.26  25.98     -185 pts     -219 pts
    mei                  15.00    15.00   14.73  12.33        5 pts       53 pts
    bob                      -        -   11.79  11.96    no target    no target
    steve                    -        -    5.14   5.27    no target    no target
    amina                    -        -    6.14   4.71    no target    no target
  +23 more
FAIRSHARE ─────────────────────────────────────── VALUE ──── IN FORCE ──────────
  fspolicy                  <dedicatedps>                 dedicatedps
> fsinterval                [──────┃───────] 1:00:00:00      12:00:00 1:00:00..~
  fsdepth                   [──┃───────────]          6             6 1..32
  fsdecay                   [─────────┃────]        0.7           0.7 0..1
 Lint: L11 (new) fsinterval has been 1:00:00:00 since entry 6398, overriding 1~
 DRAFT 1 edit: set fsinterval = 1:00:00:00                   A apply  D discard
 (projection): 2 jobs change order; 8 earlier; 14 later; worst: 510 +2:12:00:00
 4 off target (*)   0 at a cap (!)   focus: settings (<Tab>)   caps block 6 jobs
 <Enter> open  e value  b percent  { -10  } +10  0 default       ? help  Q quit
EOS
screen 'the next node allocation policy is a draft' next <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  7 What-if  8 Journal  9 Config
  JOB        RANK       PRIORITY    AFTER START        AFTER        CHANGE
IDLE 26 - in the order of the draft ────────────────────────────────────────────
> 1193     r 1              6248     6248 14:42:39     14:42:39
  1209     r 2              5074     5074 14:52:39     14:52:39
  1228       3              2491     2491 11:06:25     11:06:25
  1179       4              2393     2393 15:02:39     15:02:39
  1127       5              2377     2377 Jan10 03:02  Jan10 03:02
  1096       6              1781     1781 Jan10 06:50  Jan10 06:50
  +28 more
────────────────────────────────────────────────────────────────────────────────
 1193: 6248 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.266 % + proc 1 * 32   ~
 Swaps with 1209 if: xfactor -94..-73 | queuetime -18..-16 | +10 more
  fsweight                  [─┃────────────]          1             1 0..10
  credweight                [─┃────────────]          1             1 0..10
  resweight                 [─┃────────────]          1             1 0..10
NODES ──────────────────────────────────────────────────────────────────────────
> nodeallocationpolicy      <firstavailable>            lastavailable
  +19 more
 DRAFT 1 edit: set nodeallocationpolicy = firstavailable     A apply  D discard
 (projection): order and all estimated starts unchanged
 order changes: 0   starts moved: 0 (0 earlier, 0 later)   points   focus: weig~
 W weights  e value  { -10  } +10  0 default  b percent  u undo  ? help  Q quit
EOS
screen 'an unknown policy: all policies are listed, and nothing changes' no-such <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  7 What-if  8 Journal  9 Config
  JOB            PRIORITY     QOS*1   Class*1   QTime*2 XFctr*100 SHARES
IDLE 26 - by priority ──────────────────────────────────────────────────────────
> 1193       r       6248       500         0       636      4922 cqqxxxxxxxxxxx
  1209       r       5074       500         0       500      3902 ccqxxxxxxxxxxx
  1228               2491       500      1000        80       752 ccccccccccxxxx
  1179               2393       500         0       941       248 cccqqqqqxxtttt
  1127               2377         0         0      1398      1265 fqqqqqqqxxxxxx
  1096               1781         0         0      1527       170 fqqqqqqqqqqqqx
  1103               1683         0         0      1499       152 qqqqqqqqqqqqqx
  +27 more
────────────────────────────────────────────────────────────────────────────────
 1193: 6248 = user 1 * 150 + qos 1 * 500 + fsuser 20 * 0.266 % + proc 1 * 32   ~
 Swaps with 1209 if: xfactor -94..-73 | queuetime -18..-16 | +10 more
  fsweight                  [─┃────────────]          1             1 0..10
  credweight                [─┃────────────]          1             1 0..10
  resweight                 [─┃────────────]          1             1 0..10
NODES ──────────────────────────────────────────────────────────────────────────
> nodeallocationpolicy      <lastavailable>             lastavailable
  +19 more
 nodeallocationpolicy must be lastavailable, firstavailable, priority, cpuload,
 minresource, contiguous, maxbalance, fastest or local, got "best"
 W weights  e value  { -10  } +10  0 default  b percent  u undo  ? help  Q quit
EOS

message() { # FILE LINES: the lines above the keys
	tail -n "$((${2:-1} + 1))" "$1" | sed '$d'
}
under_cursor() { # FILE: the setting
	sed -n '/^> [a-z]*  /p' "$1" | tail -n 1 | tr -s ' '
}
settings() { # FILE: the settings in force
	grep -A 1 FSPOLICY "$1"
}
check_equal 'the new depth is in force' ' FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 1  FSDECAY 0.70' \
	"$(settings depth-set | head -n 1)"
check_equal 'too many windows: an error message' \
	' fsdepth must be a whole number from 1 to 32 windows, got "33"' "$(message too-deep)"
check_equal 'the undo restores all settings' "$(settings shares)" "$(settings too-deep)"
check_equal 'the slider moves by hours' ' DRAFT 1 edit: set fsinterval = 11:00:00                     A apply  D discard
 (projection): 2 jobs change order; 7 earlier; 14 later; worst: 1127 +6:00:00' "$(message one-less 3 | head -n 2)"
check_equal 'a window without length: an error message' \
	' fsinterval must be a duration from 0:00:01 to 3660:00:00:00, got "0"' "$(message no-interval)"
check_equal 'no setting changes' "$(settings shares)" "$(settings no-interval)"
check_equal 'u shows the undo of the applied draft' \
	'│ undo 6398 (nodeallocationpolicy = firstavailable)' "$(grep 'undo 6398' undo-draft | sed 's/ *│$//')"
check_equal 'a typed policy is a draft' '> nodeallocationpolicy <priority> lastavailable' "$(under_cursor typed)"
check_equal '0 resets the option to its default' '> nodeallocationpolicy <lastavailable> lastavailable' \
	"$(under_cursor default)"

play demo --nodes 8 --seed 9 --readonly <<'EOS'
size 80x24
keys 4 <Tab> <Right>
dump read-only
keys <Tab> :
type tune fspolicy none
keys <Enter> =
dump still
EOS
check_equal 'read-only: an error message' \
	' the console is read-only (--readonly)' "$(message read-only)"
check_equal 'read-only: the slider has not moved' '> fspolicy <dedicatedps> dedicatedps' "$(under_cursor read-only)"
check_equal 'read-only: a command changes no setting' "$(settings shares)" "$(settings still)"
