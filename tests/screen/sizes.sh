#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sizes.sh - does the console use the room it has, and does a resize lose nothing?

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

play demo --nodes 8 --seed 36 <<'EOS'
size 100x30
dump middle
keys j =
dump numbers
keys <Esc>
size 40x10
dump small
size 60x15
dump least
size 200x50
dump large
keys 3 W
dump weights
keys 1 ?
size 100x30
dump help
EOS

screen '100x30: meters on lines of their own, more columns' middle <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████████████████████████████████████████████████████████████████ 64/64 100%]
 Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB        USER       CLASS  PROC    WCLIMIT   PRIO QUEUED EST.START            WHY NOT NOW
  1078     b olga       batch     4   18:00:00      -  6:08h  21:03:46 +13:03h     27%
  1070     b bob        batch     4 1:00:00:00      -  8:32h  Jan10 04:44 +20:44h  13%
  967      b eva        long      1 1:12:00:00      -  1:46h  Jan10 05:08 +21:08h  41%
  1104     b bob        batch     4 1:00:00:00      -  6:34h  Jan10 07:02 +23:02h   4%
  1115     b john       batch    10 1:00:00:00      -  5:41h  Jan10 07:02 +23:02h   4%
IDLE 11 - by priority ──────────────────────────────────────────────────────────────────────────────
> 1138     r mei        debug     1    0:30:00   2147    40m  08:14:21 +14m       1 proc short
  1101     r steve      batch    29    2:00:00   1602  8:40h  10:36:05 +2:36h     29 procs short
  1139       eva        debug     4    0:05:00   1586    33m ~08:44:21 +44m       4 procs short
  1140       marco      debug     2    0:10:00   1340    22m ~08:14:21 +14m       2 procs short
  1109       bob        batch     4 1:00:00:00   1014  7:20h ~12:36:05 +4:36h     4 procs short
  1117       bob        batch     3 1:00:00:00    924  6:37h ~12:36:05 +4:36h     3 procs short
  1142       eva        debug     4    0:05:00    908     2m ~08:49:21 +49m       4 procs short
  1141       eva        debug     3    0:30:00    869     2m ~08:54:21 +54m       3 procs short
  1130       finn       batch    13    8:00:00    686  3:44h ~12:36:05 +4:36h     13 procs short
  1125       tom        batch     4 1:00:00:00    641  4:33h ~12:36:05 +4:36h     4 procs short
  1124       paul       batch     4 1:00:00:00    555  4:37h ~12:36:05 +4:36h     4 procs short
BLOCKED 2 - by hold ────────────────────────────────────────────────────────────────────────────────
  971      H lars       batch     4    4:00:00   2313 16:37h -                    held (user)
  +8 more
 Job 1138 needs 1 processor and 0 are free: 1 short.

 Total Jobs: 31   Active Jobs: 11   Idle Jobs: 11   Blocked Jobs: 9

 <Enter> open  w why  H hold  R release  W weights  u undo  o output  x cancel       ? help  Q quit
EOS
screen '=: where the numbers of the job under the cursor come from' numbers <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [█████████████████████████████ 64/64 100%] Nodes  [███████████████████████████████ 8/8 100%]
  JOB        USER       CLASS  PROC    WCLIMIT   PRIO QUEUED EST.START            WHY NOT NOW
  1078     b olga       batch     4   18:00:00      -  6:08h  21:03:46 +13:03h     27%
  1070     b bob        batch     4 1:00:00:00      -  8:32h  Jan10 04:44 +20:44h  13%
  967      b eva        long      1 1:12:00:00      -  1:46h  Jan10 05:08 +21:08h  41%
  1104     b bob        batch     4 1:00:00:00      -  6:34h  Jan10 07:02 +23:02h   4%
  1115     b john       batch    10 1:00:00:00      -  5:41h  Jan10 07:02 +23:02h   4%
IDLE 11 - by priority ──────────────────────────────────────────────────────────────────────────────
  1138     r mei        debug     1    0:30:00   2147    40m  08:14:21 +14m       1 proc short
> 1101     r steve      batch    29    2:00:00   1602  8:40h  10:36:05 +2:36h     29 procs short
  1139       eva        debug     4    0:05:00   1586    33m ~08:44:21 +44m       4 procs short
  +17 more
 Job 1101 needs 29 processors and 0 are free: 29 short.
────────────────────────────────────────────────────────────────────────────────────────────────────
 PRIORITY 1602 = proc 1 * 29 procs + queuetime 2 * 520.15 min + xfactor 100 * 5.335, cut
 Proc 29 = proc 1 * 29 procs              procweight: the demo's own:5
 QTime 1040 = queuetime 2 * (31209 s / 60 s), cut queuetimeweight: the demo's own:2
 XFctr 533 = xfactor 100 * (1 + 31209 s / 7200 s), cut xfactorweight: the demo's own:3
 RANK 2 = 1 + 1 jobs ahead
 EST.START 10:36:05 = started 04:36:05 + limit 6:00:00 [1000]
     promised: the reservation of this job begins then
 IN 2:36h = 10:36:05 - now 08:00:00, cut
 Job 1101 needs 29 processors and 0 are free: 29 short.
 By then end 1137 (4 procs, 08:14:21), 1000 (25 procs, 10:36:05): 29 processors.
 Ahead of it are placed 1138 (1 procs, 08:14:21): 1 processors.                             +13 more
 Total Jobs: 31   Active Jobs: 11   Idle Jobs: 11   Blocked Jobs: 9

 <Enter> open  w why  H hold  R release  W weights  u undo  o output  x cancel       ? help  Q quit
EOS
screen '40x10: one line says so' small <<'EOS'
Needs 60x15. 11 active, 11 idle, 9 block
EOS
screen '60x15 is enough, and the cursor is on the same job' least <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8
 Procs  [█████████ 64/64 100%] Nodes  [███████████ 8/8 100%]
  JOB        USER          PROC    PRIO EST.START
  1070     b bob              4       -  Jan10 04:44 +20:44h
  967      b eva              1       -  Jan10 05:08 +21:08h
  1104     b bob              4       -  Jan10 07:02 +23:02h
  1115     b john            10       -  Jan10 07:02 +23:02h
IDLE 11 - by priority ──────────────────────────────────────
  1138     r mei              1    2147  08:14:21 +14m
> 1101     r steve           29    1602  10:36:05 +2:36h
  +18 more
 Job 1101 needs 29 processors and 0 are free: 29 short.
 31 jobs: 11 active, 11 idle, 9 blocked
 <Enter> open  w why  H hold  R release      ? help  Q quit
EOS
screen '200x50: the job beside the list' large <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████████████████████████████████████████████████████████████████ 64/64 100%] Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB        USER       ACCOUNT  QOS    CLASS     PROC    WCLIMIT      PRIO     XF  QUEUED EST.START            WHY NOT NOW       │ Job 1101  nemo-restart
ACTIVE 11 - by completion ──────────────────────────────────────────────────────────────── ENDS BY ──────────── USED ─────────────│  for       steve/climate/ocean   class batch   QOS normal
  1137     b karl       polymers normal batch        4    1:00:00         -      -      0s  08:14:21 +14m        76%              │  asks      29 procs for 2:00:00 = 208800 PS, 4000 MB a task
  1000       marco      lattice  normal batch       25    6:00:00         -      -  11:42h  10:36:05 +2:36h      56%              │  submitted Jan08 23:19, queued 8:40:09, bypassed 17x
  1131     b lars       catalys~ low    batch        1    6:00:00         -      -      0s  11:26:53 +3:26h      42%              │  state     idle, number 2 of 11
  1090     b marco      lattice  normal batch        5    8:00:00         -      -   7:07h  14:05:17 +6:05h      23%              │  starts     10:36:05 +2:36h (reserved)   instant plan
  911      b paul       acousti~ low    batch        2 1:00:00:00         -      -     55m  14:29:21 +6:29h      72%              │ Job 1101 needs 29 processors and 0 are free: 29 short.
  1031       eva        lattice  normal batch        4   12:00:00         -      -  10:48h  16:39:06 +8:39h      27%              │
  1078     b olga       weather  high   batch        4   18:00:00         -      -   6:08h  21:03:46 +13:03h     27%              │ CHECK                    VALUE          LIMIT               RESULT
  1070     b bob        catalys~ normal batch        4 1:00:00:00         -      -   8:32h  Jan10 04:44 +20:44h  13%              │  5 priority not negative 1602           -                   ok
  967      b eva        lattice  normal long         1 1:12:00:00         -      -   1:46h  Jan10 05:08 +21:08h  41%              │  6 fits the machine      29 procs       64 in the machine   ok
  1104     b bob        catalys~ normal batch        4 1:00:00:00         -      -   6:34h  Jan10 07:02 +23:02h   4%              │ 10 idle limits           0 + 1 = 1      MAXIJOB 16          ok
  1115     b john       turbine  normal batch       10 1:00:00:00         -      -   5:41h  Jan10 07:02 +23:02h   4%              │>14 resources now         29 procs       0 free              FAIL
IDLE 11 - by priority ────────────────────────────────────────────────────────────────────────────────────────────────────────────│ 16 reservations ahead    no reservation is delayed >= 29    ok
  1138     r mei        protein  high   debug        1    0:30:00      2147   2.34     40m  08:14:21 +14m       1 proc short      │ 17 strict order          none ahead     -                   ok
> 1101     r steve      ocean    normal batch       29    2:00:00      1602   5.33   8:40h  10:36:05 +2:36h     29 procs short    │    none: hold, defer, dependency, start date, limits of its class,
  1139       eva        lattice  normal debug        4    0:05:00      1586   7.65     33m ~08:44:21 +44m       4 procs short     │    limits of any job, tasks of its array, hard limits, soft limits,
  1140       marco      lattice  normal debug        2    0:10:00      1340   3.22     22m ~08:14:21 +14m       2 procs short     │    fairshare cap, reserved for others, pause
  1109       bob        catalys~ normal batch        4 1:00:00:00      1014   1.31   7:20h ~12:36:05 +4:36h     4 procs short     │
  1117       bob        catalys~ normal batch        3 1:00:00:00       924   1.28   6:37h ~12:36:05 +4:36h     3 procs short     │ PRIORITY
  1142       eva        lattice  normal debug        4    0:05:00       908   1.49      2m ~08:49:21 +49m       4 procs short     │ 1602 = proc 1 * 29 procs + queuetime 2 * 520.15 min + xfactor 100 *
  1141       eva        lattice  normal debug        3    0:30:00       869   1.09      2m ~08:54:21 +54m       3 procs short     │ 5.335
  1130       finn       turbine  normal batch       13    8:00:00       686   1.47   3:44h ~12:36:05 +4:36h     13 procs short    │
  1125       tom        plasma   normal batch        4 1:00:00:00       641   1.19   4:33h ~12:36:05 +4:36h     4 procs short     │
  1124       paul       acousti~ low    batch        4 1:00:00:00       555   1.19   4:37h ~12:36:05 +4:36h     4 procs short     │
BLOCKED 2 - by hold ──────────────────────────────────────────────────────────────────────────────────────────────────────────────│
  971      H lars       catalys~ low    batch        4    4:00:00      2313   5.15  16:37h -                    held (user)       │
  1128     H paul       acousti~ low    batch        4 1:00:00:00       506   1.18   4:13h -                    held (system)     │
BLOCKED 7 - by fairshare cap ─────────────────────────────────────────────────────────────────────────────────────────────────────│
  19       ! lars       catalys~ low    batch        3    8:00:00     12360  12.75   3d22h ~Jan10 12:00 +1d04h  cap of user lars  │
  345      ! lars       catalys~ low    batch        3    8:00:00      8740   9.34   2d18h ~Jan10 12:00 +1d04h  cap of user lars  │
  629      ! lars       catalys~ low    batch        4    6:00:00      5466   7.78   1d16h ~Jan10 12:00 +1d04h  cap of user lars  │
  634      ! lars       catalys~ low    batch       22   12:00:00      5126   4.38   1d16h -                    cap of user lars  │
  670      ! lars       catalys~ low    batch        2   12:00:00      4987   4.30   1d15h ~Jan10 12:00 +1d04h  cap of user lars  │
  696      ! lars       catalys~ low    batch       32    8:00:00      4962   5.75   1d13h -                    cap of user lars  │
  977      ! lars       catalys~ low    batch       16    8:00:00      2097   3.06  16:27h -                    cap of user lars  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
                                                                                                                                  │
 Total Jobs: 31   Active Jobs: 11   Idle Jobs: 11   Blocked Jobs: 9

 <Enter> open  w why  H hold  R release  W weights  u undo  o output  x cancel  a submit  = numbers  : command  <Space> mark  / filter  s sort  Z freeze  < slower  > faster             ? help  Q quit
EOS
screen '200x50: points and what was measured, shares, every weight' weights <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 4 Share  6 Limits  7 What-if  8 Journal  9 Config
  JOB          USER         PRIORITY          User*1           QOS*1         Class*1       FSUser*20         FSGrp*5          Proc*1         QTime*2       XFctr*100   TgtQT*0.00001 SHARES
IDLE 11 - by priority ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  1138       r mei              2147       150 (150)       500 (500)     1000 (1000)       66 (3.33)           0 (0)           1 (1)      80 (40.07)      350 (2.34)        0 (4.65) ccccccccccccccfqxxx
> 1101       r steve            1602           0 (0)           0 (0)           0 (0)           0 (0)           0 (0)         29 (29)   1040 (520.15)      533 (5.33)           0 (0) rqqqqqqqqqqqqxxxxxx
  1139         eva              1586     -100 (-100)           0 (0)     1000 (1000)    -121 (-6.06)     -27 (-5.55)           4 (4)      66 (33.23)      764 (7.65)           0 (0) ccccccccccfqxxxxxxx
  1140         marco            1340           0 (0)           0 (0)     1000 (1000)           0 (0)     -27 (-5.55)           2 (2)      44 (22.15)      321 (3.22)           0 (0) ccccccccccccccqxxxx
  1109         bob              1014           0 (0)           0 (0)           0 (0)           0 (0)           0 (0)           4 (4)    880 (440.17)      130 (1.31)           0 (0) qqqqqqqqqqqqqqqqqxx
  1117         bob               924           0 (0)           0 (0)           0 (0)           0 (0)           0 (0)           3 (3)    794 (397.02)      127 (1.28)           0 (0) qqqqqqqqqqqqqqqqxxx
  1142         eva               908     -100 (-100)           0 (0)     1000 (1000)    -121 (-6.06)     -27 (-5.55)           4 (4)        4 (2.43)      148 (1.49)           0 (0) cccccccccccccccffxx
  1141         eva               869     -100 (-100)           0 (0)     1000 (1000)    -121 (-6.06)     -27 (-5.55)           3 (3)        5 (2.83)      109 (1.09)           0 (0) cccccccccccccccffxx
  1130         finn              686           0 (0)           0 (0)           0 (0)           0 (0)      77 (15.52)         13 (13)    448 (224.42)      146 (1.47)           0 (0) ffqqqqqqqqqqqqqxxxx
  1125         tom               641           0 (0)           0 (0)           0 (0)           0 (0)     -27 (-5.55)           4 (4)    546 (273.32)      118 (1.19)           0 (0) fqqqqqqqqqqqqqqqxxx
  1124         paul              555           0 (0)     -200 (-200)           0 (0)           0 (0)      77 (15.52)           4 (4)    554 (277.23)      119 (1.19)           0 (0) ccccffqqqqqqqqqqqxx
BLOCKED 9 - not in the order ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  19         ! lars            12360           0 (0)     -200 (-200)           0 (0)           0 (0)           0 (0)           3 (3) 11282 (5641.22)    1275 (12.75)           0 (0) qqqqqqqqqqqqqqqqqxx
  345        ! lars             8740           0 (0)     -200 (-200)           0 (0)           0 (0)           0 (0)           3 (3)  8003 (4001.93)      933 (9.34)           0 (0) qqqqqqqqqqqqqqqqqxx
  629        ! lars             5466           0 (0)     -200 (-200)           0 (0)           0 (0)           0 (0)           4 (4)  4884 (2442.07)      778 (7.78)           0 (0) cqqqqqqqqqqqqqqqqxx
  634        ! lars             5126           0 (0)     -200 (-200)           0 (0)           0 (0)           0 (0)         22 (22)  4866 (2433.48)      437 (4.38)           0 (0) cqqqqqqqqqqqqqqqqqx
  670        ! lars             4987           0 (0)     -200 (-200)           0 (0)           0 (0)           0 (0)           2 (2)  4754 (2377.42)       430 (4.3)           0 (0) cqqqqqqqqqqqqqqqqqx
  696        ! lars             4962           0 (0)     -200 (-200)           0 (0)           0 (0)           0 (0)         32 (32)  4555 (2277.77)      574 (5.75)           0 (0) cqqqqqqqqqqqqqqqqxx
  971        H lars             2313           0 (0)     -200 (-200)           0 (0)           0 (0)           0 (0)           4 (4)   1994 (997.08)      515 (5.15)           0 (0) cqqqqqqqqqqqqqqxxxx
  977        ! lars             2097           0 (0)     -200 (-200)           0 (0)           0 (0)           0 (0)         16 (16)    1975 (987.7)      305 (3.06)           0 (0) ccqqqqqqqqqqqqqqqxx
  1128       H paul              506           0 (0)     -200 (-200)           0 (0)           0 (0)      77 (15.52)           4 (4)     507 (253.6)      117 (1.18)           0 (0) ccccffqqqqqqqqqqqxx

────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
 1101: 1602 = proc 1 * 29 procs + queuetime 2 * 520.15 min + xfactor 100 * 5.335

 Swaps with 1139 if: xfactor > 107 | fsuser < 18 | queuetime -45..1 | fsgroup < 2 | user < 1 | class > 1 | proc < 1 | cred > 1 | fs < 1 | service = 0 | never by qos targetqueuetime
 Passes 1138 if: class < 1 | queuetime > 3 | cred < 1 | service > 1 | xfactor < -818 or > 281 | qos < 0 | user < -2 | fsuser < -143 | fs < -7 | proc > 20 | targetqueuetime < -117 | never by fsgroup
 In 1 h: 1602 -> 1772 (queuetime +120, xfactor +50); by then 1139 has passed it
WEIGHTS IN USE ──────────────────────────────────────────────────────────── VALUE ───── IN FORCE ───────────────────────────────────────────────────────────────────────────────────────────────────────
> queuetimeweight             [───────┃──────────────────────────────]          2              2 0..10                Weight of the effective queue time.
  xfactorweight               [───────────────────┃──────────────────]        100            100 0..200               Weight of the expansion factor, 1 + queue time / wallclock limit.
  targetqueuetimeweight       [───────────────────┃──────────────────]    0.00001        0.00001 0..0.00002           Weight of how near the queue time is to qttarget: 1 at first, 1e8 at the target.
  fsuserweight                [───────────────────┃──────────────────]         20             20 0..40                Weight of how far the user is below the share aimed at.
  fsgroupweight               [───────────────────┃──────────────────]          5              5 0..10                Weight of how far the group is below the share aimed at.
  userweight                  [────┃─────────────────────────────────]          1              1 0..10                Weight of the priority set for the job's user.
  qosweight                   [────┃─────────────────────────────────]          1              1 0..10                Weight of the priority set for the job's QOS.
  classweight                 [────┃─────────────────────────────────]          1              1 0..10                Weight of the priority set for the job's class.
  procweight                  [────┃─────────────────────────────────]          1              1 0..10                Weight of the processors asked for.
  serviceweight               [────┃─────────────────────────────────]          1              1 0..10                Weight of the service received: how long the job has waited.
  targetweight                [────┃─────────────────────────────────]          1              1 0..10                Weight of the service aimed at: how near the job is to its targets.
  fsweight                    [────┃─────────────────────────────────]          1              1 0..10                Weight of fairshare: who has had less than their share.
  credweight                  [────┃─────────────────────────────────]          1              1 0..10                Weight of who asks: user, group, account, QOS and class.
  +21 more
 points   keys: weights (<Tab>)

 W weights  e value  { -10  } +10  0 default  b percent  = numbers  u undo  q back                                                                                                       ? help  Q quit
EOS
screen 'help is printed from the table of keys' help <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Help]
 ONLY ON THE SCREEN YOU CAME FROM
  {                   Ten entries of the journal earlier.
  }                   Ten entries later.
  f                   Jobs that have ended: how, and what they made of what they held.

 ON THE JOB UNDER THE CURSOR, OR THE MARKED ONES
  <Enter>             Open it; a draft: apply it; a value tried: take it.
  w                   Every check of the job, with numbers.
  p                   What its priority is made of.
  H                   Hold it: user, system or batch.
  R                   Release its holds.
  W                   Try other weights, and see the order change.
  +                   Ten points more of relative priority.
  -                   Ten points less of relative priority.
  #                   Set an absolute priority, above all computed.
  t                   Give it another wallclock limit.
  x <F9>              Cancel it; what runs ends, with all its processes.
  X                   Send a signal to what runs.
  i                   Stop what runs and let it wait again.
  z                   Suspend what runs, or resume what is suspended.
  o                   What it writes, as it is written.
  a                   Fill in the form for a new job.
  J                   One place down in the order, by the smallest change.
  K                   One place up in the order, by the smallest change.
                                                                                           +144 more


 q back  : command                                                                   ? help  Q quit
EOS
