#!/bin/sh
# SPDX-License-Identifier: MIT
#
# finding.sh - filter, search, sort, mark, freeze, and time that is moved by hand

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

play demo --nodes 8 --seed 9 <<'EOS'
size 80x24
keys /
type user=bob !state=held
dump typing
keys <Enter> * H s
dump marked
keys <Enter> \ <Esc>
keys <Tab>
dump blocked
keys s s s S g
dump sorted
keys <F3>
type paul
keys <Enter> n
dump found
keys Z
advance 2h
dump frozen
keys Z
dump later
keys 5
dump unknown
EOS

screen 'a filter is seen while it is typed' typing <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 58/64  90%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
ACTIVE 1 - by completion ───────────────── ENDS BY ──────────── USED ───────────
> 515   b bob         8 1:00:00:00       -  Jan10 07:59 +23:59h   0%
IDLE 1 - by priority ───────────────────────────────────────────────────────────
  307   r bob        55 1:00:00:00    5200  Jan11 19:01 +2d11h  49 procs short













 Job 515 runs since 07:59:37.
/user=bob !state=held
 <Enter> give  <Esc> never mind                                  ? help  Q quit
EOS
screen 'all that it shows are held together' marked <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 58/64  90%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
ACTIVE 1 - by completion ───────────────── ENDS BY ──────────── USED ───────────
>*515   b bob         8 1:00:00:00       -  Jan10 07:59 +23:59h   0%
IDLE 1 - by priority ───────────────────────────────────────────────────────────
 *307   r bob        55 1:00:00:00    5200  Jan11 19:01 +2d11h  49 procs short













 Job 515 runs since 07:59:37.
 hold -s 307 515: job 515 runs since 2026-01-09T07:59:37; a hold acts only on wa
 <Enter> apply  <Esc> drop  w why  H hold  R release  W weights  ? help  Q quit
EOS
screen 'Tab goes to the next part: the blocked, by reason' blocked <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 58/64  90%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
IDLE 13 - by priority ──────────────────────────────────────────────────────────
> 299   r john       64 1:00:00:00    5246  Jan10 19:01 +1d11h  58 procs short
  307   r bob        55 1:00:00:00    5200  Jan11 19:01 +2d11h  49 procs short
  491     amina      16    6:00:00    3448 ~11:14:00 +3:14h     10 procs short
  395     eva        64    4:00:00    2803 ~Jan12 19:01 +3d11h  58 procs short
  376     ines       32   12:00:00    2707 ~17:44:23 +9:44h     26 procs short
  408     paul       52 1:00:00:00    2123 ~Jan12 23:01 +3d15h  46 procs short
  447     tom        64 1:00:00:00    1908 ~Jan13 23:01 +4d15h  58 procs short
  442     paul       32 1:00:00:00    1852 ~Jan14 23:01 +5d15h  26 procs short
  479     eva        64    6:00:00    1610 ~Jan15 23:01 +6d15h  58 procs short
  502     eva        16   12:00:00    1166 ~21:37:30 +13:37h    10 procs short
  513     eva        16    8:00:00    1048 ~Jan10 05:44 +21:44h 10 procs short
  519     rosa        8 1:00:00:00     951 ~Jan11 19:01 +2d11h  2 procs short
  526     rosa        8 1:00:00:00     317 ~Jan12 23:01 +3d15h  2 procs short
BLOCKED 2 - by hold ────────────────────────────────────────────────────────────
  427   H mei        32    8:00:00    5155 -                    held (user)
  509   H bob        16 1:00:00:00    1120 -                    held (system)
 Job 299 needs 64 processors and 6 are free: 58 short.
 Total Jobs: 25   Active Jobs: 10   Idle Jobs: 13   Blocked Jobs: 2
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'sorted by processors, the most first, within the parts' sorted <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 58/64  90%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC▾    WCLIMIT    PRIO EST.START            WHY NOT NOW
ACTIVE 10 - by completion ──────────────── ENDS BY ──────────── USED ───────────
> 515   b bob         8 1:00:00:00       -  Jan10 07:59 +23:59h   0%
  500   b eva         8    4:00:00       -  11:14:00 +3:14h      19%
  494   b lars        8    6:00:00       -  13:15:40 +5:15h      12%
  483   b eva         8   12:00:00       -  17:44:23 +9:44h      18%
  423   b chen        8   18:00:00       -  18:52:41 +10:52h     39%
  385   b amina       8 1:00:00:00       -  21:37:30 +13:37h     43%
  521   b olga        4    8:00:00       -  09:58:47 +1:58h      75%
  510   b lars        4 1:12:00:00       -  Jan10 12:54 +1d04h   19%
  489   b ravi        1   18:00:00       -  15:40:19 +7:40h      57%
  456   b ravi        1 2:00:00:00       -  Jan10 19:01 +1d11h   27%
IDLE 13 - by priority ──────────────────────────────────────────────────────────
  479     eva        64    6:00:00    1610 ~Jan15 23:01 +6d15h  58 procs short
  447     tom        64 1:00:00:00    1908 ~Jan13 23:01 +4d15h  58 procs short
  395     eva        64    4:00:00    2803 ~Jan12 19:01 +3d11h  58 procs short
  299   r john       64 1:00:00:00    5246  Jan10 19:01 +1d11h  58 procs short
  +11 more
 Job 515 runs since 07:59:37.
 Total Jobs: 25   Active Jobs: 10   Idle Jobs: 13   Blocked Jobs: 2   sort: PROC
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'F3 finds and hides nothing' found <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 58/64  90%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC▾    WCLIMIT    PRIO EST.START            WHY NOT NOW
  494   b lars        8    6:00:00       -  13:15:40 +5:15h      12%
  483   b eva         8   12:00:00       -  17:44:23 +9:44h      18%
  423   b chen        8   18:00:00       -  18:52:41 +10:52h     39%
  385   b amina       8 1:00:00:00       -  21:37:30 +13:37h     43%
  521   b olga        4    8:00:00       -  09:58:47 +1:58h      75%
  510   b lars        4 1:12:00:00       -  Jan10 12:54 +1d04h   19%
  489   b ravi        1   18:00:00       -  15:40:19 +7:40h      57%
  456   b ravi        1 2:00:00:00       -  Jan10 19:01 +1d11h   27%
IDLE 13 - by priority ──────────────────────────────────────────────────────────
  479     eva        64    6:00:00    1610 ~Jan15 23:01 +6d15h  58 procs short
  447     tom        64 1:00:00:00    1908 ~Jan13 23:01 +4d15h  58 procs short
  395     eva        64    4:00:00    2803 ~Jan12 19:01 +3d11h  58 procs short
  299   r john       64 1:00:00:00    5246  Jan10 19:01 +1d11h  58 procs short
  307   r bob        55 1:00:00:00    5200  Jan11 19:01 +2d11h  49 procs short
  408     paul       52 1:00:00:00    2123 ~Jan12 23:01 +3d15h  46 procs short
> 442     paul       32 1:00:00:00    1852 ~Jan14 23:01 +5d15h  26 procs short
  +8 more
 Job 442 needs 32 processors and 6 are free: 26 short.
 Total Jobs: 25   Active Jobs: 10   Idle Jobs: 13   Blocked Jobs: 2   sort: PROC
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'frozen: two hours later the same picture, and its age' frozen <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   FROZEN 2:00h
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 58/64  90%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC▾    WCLIMIT    PRIO EST.START            WHY NOT NOW
  494   b lars        8    6:00:00       -  13:15:40 +5:15h      12%
  483   b eva         8   12:00:00       -  17:44:23 +9:44h      18%
  423   b chen        8   18:00:00       -  18:52:41 +10:52h     39%
  385   b amina       8 1:00:00:00       -  21:37:30 +13:37h     43%
  521   b olga        4    8:00:00       -  09:58:47 +1:58h      75%
  510   b lars        4 1:12:00:00       -  Jan10 12:54 +1d04h   19%
  489   b ravi        1   18:00:00       -  15:40:19 +7:40h      57%
  456   b ravi        1 2:00:00:00       -  Jan10 19:01 +1d11h   27%
IDLE 13 - by priority ──────────────────────────────────────────────────────────
  479     eva        64    6:00:00    1610 ~Jan15 23:01 +6d15h  58 procs short
  447     tom        64 1:00:00:00    1908 ~Jan13 23:01 +4d15h  58 procs short
  395     eva        64    4:00:00    2803 ~Jan12 19:01 +3d11h  58 procs short
  299   r john       64 1:00:00:00    5246  Jan10 19:01 +1d11h  58 procs short
  307   r bob        55 1:00:00:00    5200  Jan11 19:01 +2d11h  49 procs short
  408     paul       52 1:00:00:00    2123 ~Jan12 23:01 +3d15h  46 procs short
> 442     paul       32 1:00:00:00    1852 ~Jan14 23:01 +5d15h  26 procs short
  +8 more
 Job 442 needs 32 processors and 6 are free: 26 short.
 Total Jobs: 25   Active Jobs: 10   Idle Jobs: 13   Blocked Jobs: 2   sort: PROC
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'live again' later <<'EOS'
 KAHU simulation  Fri Jan  9 10:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 62/64  96%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC▾    WCLIMIT    PRIO EST.START            WHY NOT NOW
  526   b rosa        8 1:00:00:00       -  Jan10 08:20 +22:20h   6%
  494   b lars        8    6:00:00       -  13:15:40 +3:15h      45%
  483   b eva         8   12:00:00       -  17:44:23 +7:44h      35%
  423   b chen        8   18:00:00       -  18:52:41 +8:52h      50%
  385   b amina       8 1:00:00:00       -  21:37:30 +11:37h     51%
  510   b lars        4 1:12:00:00       -  Jan10 12:54 +1d02h   25%
  489   b ravi        1   18:00:00       -  15:40:19 +5:40h      68%
  456   b ravi        1 2:00:00:00       -  Jan10 19:01 +1d09h   31%
IDLE 10 - by priority ──────────────────────────────────────────────────────────
  479     eva        64    6:00:00    1883 ~Jan15 23:01 +6d13h  62 procs short
  447     tom        64 1:00:00:00    2156 ~Jan13 23:01 +4d13h  62 procs short
  395     eva        64    4:00:00    3093 ~Jan12 19:01 +3d09h  62 procs short
  299   r john       64 1:00:00:00    5494  Jan10 19:01 +1d09h  62 procs short
  307   r bob        55 1:00:00:00    5448  Jan11 19:01 +2d09h  53 procs short
  408     paul       52 1:00:00:00    2371 ~Jan12 23:01 +3d13h  50 procs short
> 442     paul       32 1:00:00:00    2100 ~Jan14 23:01 +5d13h  30 procs short
  +5 more
 Job 442 needs 32 processors and 2 are free: 30 short.
 Total Jobs: 21   Active Jobs: 9   Idle Jobs: 10   Blocked Jobs: 2   sort: PROC
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'a screen that is not there yet says so' unknown <<'EOS'
 KAHU simulation  Fri Jan  9 10:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 62/64  96%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC▾    WCLIMIT    PRIO EST.START            WHY NOT NOW
  526   b rosa        8 1:00:00:00       -  Jan10 08:20 +22:20h   6%
  494   b lars        8    6:00:00       -  13:15:40 +3:15h      45%
  483   b eva         8   12:00:00       -  17:44:23 +7:44h      35%
  423   b chen        8   18:00:00       -  18:52:41 +8:52h      50%
  385   b amina       8 1:00:00:00       -  21:37:30 +11:37h     51%
  510   b lars        4 1:12:00:00       -  Jan10 12:54 +1d02h   25%
  489   b ravi        1   18:00:00       -  15:40:19 +5:40h      68%
  456   b ravi        1 2:00:00:00       -  Jan10 19:01 +1d09h   31%
IDLE 10 - by priority ──────────────────────────────────────────────────────────
  479     eva        64    6:00:00    1883 ~Jan15 23:01 +6d13h  62 procs short
  447     tom        64 1:00:00:00    2156 ~Jan13 23:01 +4d13h  62 procs short
  395     eva        64    4:00:00    3093 ~Jan12 19:01 +3d09h  62 procs short
  299   r john       64 1:00:00:00    5494  Jan10 19:01 +1d09h  62 procs short
  307   r bob        55 1:00:00:00    5448  Jan11 19:01 +2d09h  53 procs short
  408     paul       52 1:00:00:00    2371 ~Jan12 23:01 +3d13h  50 procs short
> 442     paul       32 1:00:00:00    2100 ~Jan14 23:01 +5d13h  30 procs short
  +5 more
 Job 442 needs 32 processors and 2 are free: 30 short.
 there is no screen 5; there are 1 Queue, 2 Job, 3 Priority, 8 Journal
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
