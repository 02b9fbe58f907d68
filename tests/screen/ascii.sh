#!/bin/sh
# SPDX-License-Identifier: MIT
#
# ascii.sh - is everything there without UTF-8?

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

play --ascii demo --nodes 8 --seed 36 <<'EOS'
size 80x24
dump queue
keys 3
dump priority
EOS

screen '--ascii: the queue' queue <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  8 Journal
 Procs  [|||||||||||||||||   37/64  57%] Nodes  [||||||||||||||||||||| 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  967   b eva        1 1:12:00:00      -  Jan10 04:31 +20:31h  42%
  1054    john       4 1:00:00:00      -  Jan10 06:33 +22:33h   6%
  1070    bob        4 1:00:00:00      -  Jan10 06:33 +22:33h   5%
  1124  b paul       4 1:00:00:00      -  Jan10 06:35 +22:35h   5%
  1104  b bob        4 1:00:00:00      -  Jan10 06:36 +22:36h   5%
IDLE 5 - by priority -----------------------------------------------------------
> 1101  r steve     29    2:00:00   1602  08:14:21 +14m       2 procs short
  1103    john       5 1:00:00:00   1281 ~08:45:32 +45m       would delay 1101
  1090    marco      5    8:00:00   1279 ~10:14:21 +2:14h     would delay 1101
  1141    eva        3    0:30:00    897 ~10:14:21 +2:14h     would delay 1101
  1130    finn      13    8:00:00    687 ~10:14:21 +2:14h     would delay 1101
BLOCKED 2 - by hold ------------------------------------------------------------
  1057  H nora       8 1:00:00:00   1400 -                    held (user)
  1115  H john      10 1:00:00:00   1174 -                    held (system)
BLOCKED 3 - by fairshare cap ---------------------------------------------------
  +3 more
 Job 1101 needs 29 processors and 27 are free: 2 short.

 Total Jobs: 21   Active Jobs: 11   Idle Jobs: 5   Blocked Jobs: 5
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen '--ascii: priorities and sliders' priority <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  8 Journal
  JOB            PRIORITY   Class*1 FSUser*20   QTime*2 XFctr*100 SHARES
IDLE 5 - by priority -----------------------------------------------------------
> 1101       r       1602         0         0      1040       533 qqqqqqqqqxxxxx
  1103               1281         0       160       905       131 fffqqqqqqqqqqx
  1090               1279         0         0      1084       212 qqqqqqqqqqqqxx
  1141                897      1000       -97         5       109 ccccccccccccfx
  1130                687         0         0       448       146 ffqqqqqqqqqxxx
BLOCKED 5 - not in the order ---------------------------------------------------
  634        !       5126         0         0      4866       437 cqqqqqqqqqqqqx
  696        !       4962         0         0      4555       574 cqqqqqqqqqqqqx
  +3 more
--------------------------------------------------------------------------------
 1101: 1602 = proc 1 * 29 procs + queuetime 2 * 520.15 min + xfactor 100 * 5.33

WEIGHTS IN USE ---------------------------------- VALUE ---- IN FORCE ----------
> queuetimeweight           [---|----------]          2             2 0..10
  xfactorweight             [-------|------]        100           100 0..200
  targetqueuetimeweight     [-------|------]    0.00001       0.00001 0..0.00002
  fsuserweight              [-------|------]         20            20 0..40
  +30 more
 points   keys: jobs (<Tab>)
 W weights  e value  { -10  } +10  0 default  b percent  u undo  ? help  Q quit
EOS
check_true 'not a byte beyond ASCII' sh -c 'LC_ALL=C; export LC_ALL; ! grep -q "[^ -~]" queue priority'

LC_ALL=C
play demo --nodes 8 --seed 36 <<'EOS'
size 80x24
dump locale
EOS
check_same_files 'a locale without UTF-8 means the same' queue locale
