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
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [||||||||||||||||||| 64/64 100%] Nodes  [||||||||||||||||||||| 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1078  b olga       4   18:00:00      -  21:03:46 +13:03h     27%
  1070  b bob        4 1:00:00:00      -  Jan10 04:44 +20:44h  13%
  967   b eva        1 1:12:00:00      -  Jan10 05:08 +21:08h  41%
  1104  b bob        4 1:00:00:00      -  Jan10 07:02 +23:02h   4%
  1115  b john      10 1:00:00:00      -  Jan10 07:02 +23:02h   4%
IDLE 11 - by priority ----------------------------------------------------------
> 1138  r mei        1    0:30:00   2147  08:14:21 +14m       1 proc short
  1101  r steve     29    2:00:00   1602  10:36:05 +2:36h     29 procs short
  1139    eva        4    0:05:00   1586 ~08:44:21 +44m       4 procs short
  1140    marco      2    0:10:00   1340 ~08:14:21 +14m       2 procs short
  1109    bob        4 1:00:00:00   1014 ~12:36:05 +4:36h     4 procs short
  1117    bob        3 1:00:00:00    924 ~12:36:05 +4:36h     3 procs short
  1142    eva        4    0:05:00    908 ~08:49:21 +49m       4 procs short
  1141    eva        3    0:30:00    869 ~08:54:21 +54m       3 procs short
  1130    finn      13    8:00:00    686 ~12:36:05 +4:36h     13 procs short
  +11 more
 Job 1138 needs 1 processor and 0 are free: 1 short.

 Total Jobs: 31   Active Jobs: 11   Idle Jobs: 11   Blocked Jobs: 9
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen '--ascii: priorities and sliders' priority <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  7 What-if  8 Journal  9 Config
  JOB            PRIORITY     QOS*1   Class*1   QTime*2 XFctr*100 SHARES
IDLE 11 - by priority ----------------------------------------------------------
> 1138       r       2147       500      1000        80       350 cccccccccccqxx
  1101       r       1602         0         0      1040       533 qqqqqqqqqxxxxx
  1139               1586         0      1000        66       764 ccccccccfxxxxx
  1140               1340         0      1000        44       321 ccccccccccqxxx
  1109               1014         0         0       880       130 qqqqqqqqqqqqxx
  1117                924         0         0       794       127 qqqqqqqqqqqqxx
  1142                908         0      1000         4       148 cccccccccccfxx
  +13 more
--------------------------------------------------------------------------------
 1138: 2147 = user 1 * 150 + qos 1 * 500 + class 1 * 1000 + fsuser 20 * 3.3261
 % + proc 1 * 1 procs + queuetime 2 * 40.067 min + xfactor 150 * 2.33556 +     ~
 Swaps with 1101 if: class < 1 | queuetime > 3 | cred < 1 | +9 more
WEIGHTS IN USE ---------------------------------- VALUE ---- IN FORCE ----------
> queuetimeweight           [---|----------]          2             2 0..10
  xfactorweight             [-------|------]        100           100 0..200
  targetqueuetimeweight     [-------|------]    0.00001       0.00001 0..0.00002
  fsuserweight              [-------|------]         20            20 0..40
  +30 more
 points   keys: jobs (<Tab>)   no room for User*1 FSUser*20 FSGrp*5 Proc*1 TgtQ~
 W weights  e value  { -10  } +10  0 default  b percent  u undo  ? help  Q quit
EOS
check_true 'not a byte beyond ASCII' sh -c 'LC_ALL=C; export LC_ALL; ! grep -q "[^ -~]" queue priority'

LC_ALL=C
play demo --nodes 8 --seed 36 <<'EOS'
size 80x24
dump locale
EOS
check_same_files 'a locale without UTF-8 means the same' queue locale
