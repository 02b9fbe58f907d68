#!/bin/sh
# SPDX-License-Identifier: MIT
#
# ascii.sh - the console without UTF-8

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

play --ascii demo --nodes 8 --seed 36 <<'EOS'
size 80x24
dump queue
keys 3
dump priority
EOS

screen '--ascii: the Queue screen' queue <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [||||||||||||||||||| 58/64  90%] Nodes  [||||||||||||||||||||| 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1078  b olga       4   18:00:00      -  18:19:06 +10:19h     42%
  1070  b bob        4 1:00:00:00      -  Jan10 04:25 +20:25h  14%
  967   b eva        1 1:12:00:00      -  Jan10 05:08 +21:08h  41%
  1104  b bob        4 1:00:00:00      -  Jan10 07:45 +23:45h   1%
  1124  b paul       4 1:00:00:00      -  Jan10 07:45 +23:45h   0%
IDLE 3 - by priority -----------------------------------------------------------
> 1050  r tom       16 1:00:00:00   1589  10:20:11 +2:20h     10 procs short
  1115    john      10 1:00:00:00   1170  08:14:21 +14m       4 procs short
  1130    finn      13    8:00:00    688  12:46:26 +4:46h     7 procs short
BLOCKED 2 - by hold ------------------------------------------------------------
  670   H lars       2   12:00:00   4987 -                    held (user)
  1101  H steve     29    2:00:00   1602 -                    held (system)
BLOCKED 7 - by fairshare cap ---------------------------------------------------
  19    ! lars       3    8:00:00  12360  Jan13 00:00 +3d16h  cap of user lars
  345   ! lars       3    8:00:00   8740  Jan13 00:00 +3d16h  cap of user lars
  +5 more
 Job 1050 needs 16 processors and 6 are free: 10 short.

 Total Jobs: 23   Active Jobs: 11   Idle Jobs: 3   Blocked Jobs: 9
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen '--ascii: the Priority screen with sliders' priority <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  7 What-if  8 Journal  9 Config
  JOB            PRIORITY FSUser*20   FSGrp*5   QTime*2 XFctr*100 SHARES
IDLE 3 - by priority -----------------------------------------------------------
> 1050       r       1589         0       -31      1453       150 qqqqqqqqqqqqqx
  1115               1170       154        79       797       127 fffqqqqqqqqqqx
  1130                688         0        79       448       146 ffqqqqqqqqqxxx
BLOCKED 9 - not ranked ---------------------------------------------------------
  19         !      12360         0         0     11282      1275 qqqqqqqqqqqqxx
  345        !       8740         0         0      8003       933 qqqqqqqqqqqqxx
  629        !       5466         0         0      4884       778 qqqqqqqqqqqqxx
  +6 more
--------------------------------------------------------------------------------
 1050: 1589 = fsgroup 5 * -6.21 % + proc 1 * 16 procs + queuetime 2 * 726.98
 min + xfactor 100 * 1.505
 Swaps with 1115 if: queuetime = 0 | service = 0 | fs > 2 | +9 more
WEIGHTS IN USE ---------------------------------- VALUE ---- IN FORCE ----------
> queuetimeweight           [---|----------]          2             2 0..10
  xfactorweight             [-------|------]        100           100 0..200
  targetqueuetimeweight     [-------|------]    0.00001       0.00001 0..0.00002
  fsuserweight              [-------|------]         20            20 0..40
  +30 more
 points   focus: jobs (<Tab>)   hidden columns: User*1 QOS*1 Class*1 Proc*1 Tgt~
 W weights  e value  { -10  } +10  0 default  b percent  u undo  ? help  Q quit
EOS
check_true 'both screens are ASCII only' sh -c 'LC_ALL=C; export LC_ALL; ! grep -q "[^ -~]" queue priority'

LC_ALL=C
play demo --nodes 8 --seed 36 <<'EOS'
size 80x24
dump locale
EOS
check_same_files 'a locale without UTF-8 has the effect of --ascii' queue locale
