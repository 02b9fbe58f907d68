#!/bin/sh
# SPDX-License-Identifier: MIT
#
# ascii.sh - is everything there without UTF-8?

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

play --ascii demo --nodes 8 --seed 4 <<'EOS'
size 80x24
dump queue
keys 3
dump priority
EOS

screen '--ascii: the queue' queue <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [||||||||||||||||||| 49/64  76%] Nodes  [||||||||||||||||||||| 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
ACTIVE 4 - by completion ----------------- ENDS BY ------------ USED -----------
  483   b eva         8    6:00:00       -  10:49:05 +2:49h      53%
  476   b steve      32    8:00:00       -  13:33:31 +5:33h      30%
  526   b amina       1   12:00:00       -  15:38:33 +7:38h      36%
  462   b julia       8   12:00:00       -  16:49:09 +8:49h      26%
IDLE 3 - by priority -----------------------------------------------------------
> 395   r tom        64 1:00:00:00    3201  16:49:09 +8:49h     49 procs short
  511     lars       32    3:00:00    1890 ~13:33:31 +5:33h     17 procs short
  528     tom        11 1:00:00:00     726 ~Jan10 16:49 +1d08h  would delay 395
BLOCKED 2 - by hold ------------------------------------------------------------
  418   H bob        32 1:00:00:00    2659 -                    held (user)
  523   H john        8 1:00:00:00     821 -                    held (system)





 Job 395 needs 64 processors and 15 are free: 49 short.
 Total Jobs: 9   Active Jobs: 4   Idle Jobs: 3   Blocked Jobs: 2
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen '--ascii: priorities and sliders' priority <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 8 Journal
  JOB            PRIORITY     QOS*1    Proc*1   QTime*2 XFctr*100 SHARES
IDLE 3 - by priority -----------------------------------------------------------
> 395        r       3201         0        64      2935       201 qqqqqqqqqqqqqx
  511                1890      -200        32      1533       525 cqqqqqqqqqqxxx
  528                 726         0        11       594       120 qqqqqqqqqqqqxx
BLOCKED 2 - not in the order ---------------------------------------------------
  418        H       2659         0        32      2442       184 qqqqqqqqqqqqqx
  523        H        821         0         8       689       123 qqqqqqqqqqqqxx



--------------------------------------------------------------------------------
 395: 3201 = proc 1 * 64 procs + queuetime 2 * 1467.72 min + xfactor 100 * 2.02

WEIGHTS IN USE --------------------------------------- VALUE IN FORCE ----------
> queuetimeweight             [----|--------------]        2        2 0..10
  xfactorweight               [---------|---------]      100      100 0..200
  targetqueuetimeweight       [---------|---------]  0.00001  0.00001 0..0.00002
  userweight                  [--|----------------]        1        1 0..10
  +29 more
 points   keys go to the jobs (<Tab> changes)
 W weights  e value  { -10  } +10  0 default  b percent  u undo  ? help  Q quit
EOS
check_true 'not a byte beyond ASCII' sh -c 'LC_ALL=C; export LC_ALL; ! grep -q "[^ -~]" queue priority'

LC_ALL=C
play demo --nodes 8 --seed 4 <<'EOS'
size 80x24
dump locale
EOS
check_same_files 'a locale without UTF-8 means the same' queue locale
