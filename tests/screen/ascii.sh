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
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [||||||||||||||||||| 49/64  76%] Nodes  [||||||||||||||||||||| 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
  911   b paul        2 1:00:00:00       -  16:21:45 +8:21h      65%
  1031    eva         4   12:00:00       -  18:57:19 +10:57h      8%
  1078  b olga        4   18:00:00       -  21:04:17 +13:04h     27%
  967   b eva         1 1:12:00:00       -  Jan10 04:15 +20:15h  43%
  1017    bob         4 1:00:00:00       -  Jan10 06:57 +22:57h   4%
  1054    john        4 1:00:00:00       -  Jan10 06:57 +22:57h   4%
  1070    bob         4 1:00:00:00       -  Jan10 06:57 +22:57h   4%
  1104  b bob         4 1:00:00:00       -  Jan10 06:58 +22:58h   4%
  1124  b paul        4 1:00:00:00       -  Jan10 06:59 +22:59h   4%
IDLE 4 - by priority -----------------------------------------------------------
> 1057  r nora        8 1:00:00:00    1400 now                  starts now
  1090    marco       5    8:00:00    1302 now                  starts now
  1103    john        5 1:00:00:00    1042 ~08:14:21 +14m       3 procs short
  1115    john       10 1:00:00:00     935 ~14:57:00 +6:57h     8 procs short
BLOCKED 2 - by hold ------------------------------------------------------------
  1101  H steve      29    2:00:00    1602 -                    held (user)
  1130  H finn       13    8:00:00     608 -                    held (system)
 Job 1057 starts at the next pass.
 Total Jobs: 20   Active Jobs: 14   Idle Jobs: 4   Blocked Jobs: 2
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen '--ascii: priorities and sliders' priority <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 8 Journal
  JOB            PRIORITY     QOS*1    Proc*1   QTime*2 XFctr*100 SHARES
IDLE 4 - by priority -----------------------------------------------------------
> 1057       r       1400      -200         8      1442       150 ccqqqqqqqqqqqx
  1090               1302         0         5      1084       212 qqqqqqqqqqqqxx
  1103               1042         0         5       905       131 qqqqqqqqqqqqxx
  1115                935         0        10       797       127 qqqqqqqqqqqqxx
BLOCKED 2 - not in the order ---------------------------------------------------
  1101       H       1602         0        29      1040       533 qqqqqqqqqxxxxx
  1130       H        608         0        13       448       146 qqqqqqqqqqxxxx


--------------------------------------------------------------------------------
 1057: 1400 = qos 1 * -200 + proc 1 * 8 procs + queuetime 2 * 721.2 min +
 xfactor 100 * 1.5
WEIGHTS IN USE --------------------------------------- VALUE IN FORCE ----------
> queuetimeweight             [----|--------------]        2        2 0..10
  xfactorweight               [---------|---------]      100      100 0..200
  targetqueuetimeweight       [---------|---------]  0.00001  0.00001 0..0.00002
  userweight                  [--|----------------]        1        1 0..10
  +29 more
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
