#!/bin/sh
# SPDX-License-Identifier: MIT
#
# numbers.sh - = shows how the numbers of a row are computed, and the lines of the configuration that set them
#
# A property test computes each figure (tests/property/numbers.c).
# This test shows the layout, in ASCII, and that a second = shows the rest.

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

play demo --nodes 8 --seed 9 --ascii <<'EOS'
size 80x24
advance 30m
keys g
keys =
dump narrow
keys =
dump more
keys <Esc>
size 100x30
keys 6 =
dump limit
keys <Esc> 4 =
dump share
EOS
screen '80x24: the priority of a job, factor by factor' narrow <<'EOS'
 KAHU simulation  Fri Jan  9 08:30:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [||||||||||||||||||| 63/64  98%] Nodes  [||||||||||||||||||||| 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
ACTIVE 12 - by completion -------------- ENDS BY ------------ USED -------------
> 1221  b olga       1    4:00:00      -  10:37:15 +2:07h      46%
  1224  b amina      2    3:00:00      -  10:51:02 +2:21h      21%
  1188  b eva        3    6:00:00      -  13:51:35 +5:21h      10%
  1225  b julia      2    6:00:00      -  14:09:13 +5:39h       5%
  1057  b leila      4   12:00:00      -  15:06:53 +6:36h      44%
  +33 more
 Job 1221 has been running since 06:37:15.
--------------------------------------------------------------------------------
 PRIORITY 724 = qos 1 * 500 + proc 1 * 1 procs + queuetime 2 * 28.18 min +
 xfactor 150 * 1.1174 + targetqueuetime 0.00001 * 2.95, cut
 QOS 500 = qos 1 * 500
     qosweight: demo.conf:8, qos[high].priority: demo.conf:17
 Proc 1 = proc 1 * 1 procs                procweight: demo.conf:5
 QTime 56 = queuetime 2 * (1691 s / 60 s), cut queuetimeweight: demo.conf:2
 XFctr 167 = (xfactor 100 + qos 50) * (1 + 1691 s / 14400 s), cut
     xfactorweight: demo.conf:3, plus the weight added by the QOS
 TgtQT 0 = targetqueuetime 0.00001 * 100000000 ^ (1691 s / 28800 s), c~ +14 more
 Total Jobs: 38   Active Jobs: 12   Idle Jobs: 17   Blocked Jobs: 9
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'a second = shows the rest' more <<'EOS'
 KAHU simulation  Fri Jan  9 08:30:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [||||||||||||||||||| 63/64  98%] Nodes  [||||||||||||||||||||| 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
ACTIVE 12 - by completion -------------- ENDS BY ------------ USED -------------
> 1221  b olga       1    4:00:00      -  10:37:15 +2:07h      46%
  1224  b amina      2    3:00:00      -  10:51:02 +2:21h      21%
  1188  b eva        3    6:00:00      -  13:51:35 +5:21h      10%
  1225  b julia      2    6:00:00      -  14:09:13 +5:39h       5%
  1057  b leila      4   12:00:00      -  15:06:53 +6:36h      44%
  +33 more
 Job 1221 has been running since 06:37:15.
--------------------------------------------------------------------------------
     targetqueuetimeweight: demo.conf:9
 EST.START 10:37:15 = started 06:37:15 + limit 4:00:00 latest end of the job
 IN 2:07h = end 10:37:15 - now 08:30:00, cut
 OF LIMIT 46% = 100 * (now 08:30:00 - started 06:37:15) / limit 4:00:00, cut
 XF 1.12 = 1 + 1691 s / 14400 s, rounded
 QUEUED 28m = started 06:37:15 - submitted 06:09:04, cut
 PROC 1 = 1 tasks * 1 procs
 WCLIMIT 4:00:00 = 4:00:00
 User 0 = user 1 * 0                                                     +5 more
 Total Jobs: 38   Active Jobs: 12   Idle Jobs: 17   Blocked Jobs: 9
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'a limit: the jobs that count, its line, what is left, and when usage falls' limit <<'EOS'
 KAHU simulation  Fri Jan  9 08:30:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share [6 Limits] 7 What-if  8 Journal  9 Config
  CREDENTIAL         LIMIT                      IN USE     SOFT     HARD OF SOFT               HOLDS
> user bob           MAXJOB                          2        3        8 [|||||||   ]   67%        0
  user lars          MAXIJOB                         7       16       16 [||||      ]   44%        0
  user eva           MAXIJOB                         6       16       16 [||||      ]   38%        0
  user eva           MAXJOB                          1        6       12 [||        ]   17%        0
  user john          MAXIJOB                         2       16       16 [|         ]   12%        0
  user nora          MAXIJOB                         2       16       16 [|         ]   12%        0
  user ravi          MAXIJOB                         2       16       16 [|         ]   12%        0
  +15 more
----------------------------------------------------------------------------------------------------
 user[bob].maxjob = 3,8: 2 in use, 67% of the soft limit
 2 jobs: 1105, 1196
 forecast   08:30:00 2   Jan10 06:50 1   Jan10 08:21 0
 blocks no job



----------------------------------------------------------------------------------------------------
 IN USE 2 = 1 [1196] + 1 [1105]
 SOFT 3 = 3
 HARD 8 = 8                               user[bob].maxjob: demo.conf:25
 OF SOFT 67% = 100 * 2 / 3, rounded
 LEFT 1 = soft 3 - 2
 The next job that counts ends by Jan10 06:50 and leaves 1 in use.
 HOLDS 0 = 0                              jobs whose first failed check is this limit
 22 of 22 limits: all (f)   hardpass: resources   lint: 0 errors, 1 warning

 <Enter> open  e value  f near  = numbers  u undo  / filter  q back                  ? help  Q quit
EOS
screen 'a share: usage by windows, target, difference and effect' share <<'EOS'
 KAHU simulation  Fri Jan  9 08:30:00  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 6  FSDECAY 0.70  rolls in 3:30:00
 FSWEIGHT 1: U 20 G 5 A 0 Q 0 C 0  lint: 0 errors, 1 warning
  CREDENTIAL         TARGET  USAGE   DELTA       EFFECT       w0   w1*0.7  w2*0.49 w3*0.343 OLD..NEW
  TOTAL                     100.00                         499.1    668.8    590.8    717.1 #####+
  - USER                    100.00             20/point    499.1    668.8    590.8    717.1 #####+
>   eva           *  15.00-  24.76   -9.76     -195 pts    195.1    111.2    130.1     46.8 :#.::+
    mei              15.00   14.49    0.51       10 pts     70.9    114.5     37.0    201.7 ::#.+:
    bob                  -   11.78       -    no target     26.5     94.2     55.0     62.3 ##::+.
  +25 more
----------------------------------------------------------------------------------------------------
 eva = (195.11 + .7*111.18 + .49*130.1 + .343*46.83 + .2401*314.1 + .1681*98.92) / (499.07 +
 .7*668.77 + .49*590.8 + .343*717.06 + .2401*733.03 + .1681*700.36) = 444.79/1796.37 h = 24.76%
 * ceiling 15.00%: fsweight 1 * fsuserweight 20 * -9.76 = -195 points                        +5 more
----------------------------------------------------------------------------------------------------
 USAGE 24.76 = 100 * (w0 195.113 + 0.7 * w1 111.177 + 0.49 * w2 130.098 + 0.343 * w3 46.829 + 0.24
 * w4 314.102 + 0.168 * w5 98.921) / (w0 499.073 + 0.7 * w1 668.769 + 0.49 * w2 590.803 + 0.343 *
 w3 717.061 + 0.24 * w4 733.029 + 0.168 * w5 700.362), rounded
 TARGET 15.00- = 15                       user[eva].fstarget: demo.conf:24
 DELTA -9.76 = least(target 15 - usage 24.76, 0)
 EFFECT -195 pts = fsweight 1 * (fsuserweight 20 * delta -9.76), cut
 w0 195.1 = (ended 695492 + running 6915) / 3600, rounded 00:00:00 to 12:00:00
 w1 111.2 = ended 400237 / 3600, rounded  Jan08 12:00 to 00:00:00, weighted 0.7
 w2 130.1 = ended 468353 / 3600, rounded  Jan08 00:00 to Jan08 12:00, weighted 0.49
 w3 46.8 = ended 168584 / 3600, rounded   Jan07 12:00 to Jan08 00:00, weighted 0.343
 w4 314.1 = ended 1130766 / 3600, rounded Jan07 00:00 to Jan07 12:00, weighted 0.24          +9 more
 4 off target (*)   0 at a cap (!)   focus: shares (<Tab>)   caps block 7 jobs

 <Enter> open  e value  b percent  { -10  } +10  0 default  = numbers  u undo        ? help  Q quit
EOS
