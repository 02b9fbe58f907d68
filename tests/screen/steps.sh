#!/bin/sh
# SPDX-License-Identifier: MIT
#
# steps.sh - steps through the past on every screen, whose titles show the time
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

# Steps start from the time that is shown, also if several keys arrive at once; a filter of a screen does not
# filter the entries.
play demo --nodes 8 --seed 5 <<'EOS'
size 80x24
advance 130m
wait-idle
keys [ [
wait-idle
dump stepped
keys 7
wait-idle
dump ahead
size 200x60
wait-idle
dump ahead-large
size 80x24
keys 3 [
wait-idle
dump before
keys 4 [ ]
wait-idle
dump same
keys 6 {
wait-idle
dump ten
keys 9 (
wait-idle
dump hour-before
keys L 7 V <Enter>
wait-idle
keys [
wait-idle
dump answer
keys L
wait-idle
dump answer-now
keys 1
wait-idle
keys ]
dump here
keys /
type user=nobody
keys <Enter> 2 [
wait-idle
dump filtered
EOS
screen 'two steps back on the Queue screen' stepped <<'EOS'
 KAHU simulation  Fri Jan  9 10:10:00  stopped   VIEW 10:06:14 -3m   READ-ONLY
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1148  b john       2 1:00:00:00      -  Jan10 09:01 +22:54h   4%
  1161  b tom        2 1:00:00:00      -  Jan10 09:01 +22:54h   4%
  943   b bob        2 1:00:00:00      -  Jan10 09:01 +22:55h   4%
  1057  b eva        4 1:12:00:00      -  Jan10 20:05 +1d09h    5%
  801   b eva        4 2:00:00:00      -  Jan10 23:00 +1d12h   23%
IDLE 22 - by priority ──────────────────────────────────────────────────────────
> 960   r ravi      32    2:00:00   3895  Jan10 02:53 +16:47h 32 procs short
  914   r ravi      32    3:00:00   3800  Jan10 04:53 +18:47h 32 procs short
  957     leila     32    3:00:00   3521  Jan10 07:53 +21:47h 32 procs short
  924     ahmed     14    8:00:00   3228  17:41:33 +7:35h     14 procs short
  972     john      16 1:00:00:00   2799  Jan11 04:53 +1d18h  16 procs short
  1051    john      16 1:00:00:00   2431  Jan11 11:00 +2d00h  16 procs short
  1091    chen      15   12:00:00   2076  Jan12 04:44 +2d18h  15 procs short
  1071    paul      16 1:00:00:00   1971  Jan12 04:53 +2d18h  16 procs short
  1119    john       8 1:00:00:00   1616  Jan12 04:53 +2d18h  8 procs short
  +57 more
 Job 960 needs 32 processors and 0 are free: 32 short.

 After entry 6327, tom: submit 1204: 2 processors for 1:00:00:00, user tom.
 L now  [ back  ] forward  <Enter> open  w why  o output         ? help  Q quit
EOS
check_contains "another step back on the Priority screen" "VIEW 10:06:03 -3m   READ-ONLY" "$(head -n 1 before)"
check_contains "the entry of that time is named" "After entry 6325, sched: start 1182 (backfilled)." "$(cat before)"
check_equal "one step back and one forward give the same state" "$(head -n 1 before)" "$(head -n 1 same)"
check_contains "ten steps back on the Limits screen" "VIEW 10:04:18 -5m   READ-ONLY" "$(head -n 1 ten)"
check_contains "an hour back on the Config screen" "VIEW 09:04:18 -1:05h   READ-ONLY" "$(head -n 1 hour-before)"
check_contains "an answer names its time" ", as of 10:10:00" "$(cat answer)"
check_equal "an answer about the shown time does not" 0 "$(grep -c 'as of' answer-now)"
check_contains "a step forward from the live state gives a message" "The screens are live; [ goes back through the journal." "$(cat here)"
screen 'the projection at that time' ahead <<'EOS'
 KAHU simulation  Fri Jan  9 10:10:00  stopped   VIEW 10:06:14 -3m   READ-ONLY
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Projection of the queue at 10:06:14  full projection, jobs run to their limits
 Projected from this past state, without later submissions and changes. A past
 state cannot be changed; L returns to live.
────────────────────────────────────────────────────────────────────────────────
  JOB        PRIORITY START       WAIT        TOTALS OF 64 JOBS             THEN
> 960      r     3895 Jan10 02:53 1:14:48:06  jobs that start                 64
  914      r     3800 Jan10 04:53 1:18:34:36  mean wait               3:14:13:32
  957            3521 Jan10 07:53 1:19:53:24  max wait               13:03:03:29
  924            3228 17:41:33    1:07:05:30  mean xfactor                  8.89
  972            2799 Jan11 04:53 2:16:13:52  last start             Jan19 00:00
  1051           2431 Jan11 11:00 2:19:23:33  used until then              46.2%
  1091           2076 Jan12 04:44 3:09:55:29
  1071           1971 Jan12 04:53 3:11:10:28
  1119           1616 Jan12 04:53 3:06:46:02
  1181           1310 14:11:33    4:43:48
  1193           1196 13:56:33    4:00:32
  +55 more
 then  ████▇███▇▇▇████▇▇▇▇▇▇████████▇▆▅▅▄▄▄▃▃▃▂▂▂▂▂▁▁▁▁▁▁▁
       10:06:14      Jan11 08:04   Jan13 06:03    Jan15 04:02   Jan17 02:01

 focus: jobs (<Tab>)
 L now  [ back  ] forward  V sweep  B solve  m assume  w why     ? help  Q quit
EOS
screen 'the projection at that time, on a large screen' ahead-large <<'EOS'
 KAHU simulation  Fri Jan  9 10:10:00  stopped   VIEW 10:06:14 -3m   READ-ONLY
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Projection of the queue at 10:06:14                                                                                                                          full projection, jobs run to their limits
 Projected from this past state, without later submissions and changes. A past state cannot be changed; L returns to live.
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          USER         RANK   PRIORITY START       WAIT                                                                                                         TOTALS OF 64 JOBS             THEN
> 960        r ravi            1       3895 Jan10 02:53 1:14:48:06                                                                                                   jobs that start                 64
  914        r ravi            2       3800 Jan10 04:53 1:18:34:36                                                                                                   mean wait               3:14:13:32
  957          leila           3       3521 Jan10 07:53 1:19:53:24                                                                                                   max wait               13:03:03:29
  924          ahmed           4       3228 17:41:33    1:07:05:30                                                                                                   mean xfactor                  8.89
  972          john            5       2799 Jan11 04:53 2:16:13:52                                                                                                   last start             Jan19 00:00
  1051         john            6       2431 Jan11 11:00 2:19:23:33                                                                                                   used until then              46.2%
  1091         chen            7       2076 Jan12 04:44 3:09:55:29
  1071         paul            8       1971 Jan12 04:53 3:11:10:28
  1119         john            9       1616 Jan12 04:53 3:06:46:02
  1181         marco          10       1310 14:11:33    4:43:48
  1193         yuki           11       1196 13:56:33    4:00:32
  1162         john           12       1184 Jan10 04:44 1:03:10:28
  1163         rosa           13       1162 Jan10 06:45 1:05:10:09
  1188         mei            14        987 Jan10 10:53 1:01:05:57
  1201         mei            15        926 11:22:35    1:19:00
  1187         amina          16        707 Jan10 23:00 1:13:13:44
  1179         john           17        210 Jan10 06:57 21:33:13
  1185         tom            18        164 Jan10 09:01 23:25:34
  1186         yuki           19        156 Jan11 05:22 1:19:41:56
  1192         karl           20        149 20:55:31    11:02:28
  1204         tom            21        102 Jan12 16:44 3:06:38:28
  1175         paul           22         75 Jan12 16:44 3:07:51:54
  250        ! lars            -      11187 Jan19 00:00 13:03:03:29
  919        ! lars            -       3146 Jan19 00:00 10:13:32:15
  925        ! bob             -       2999 Jan11 04:53 2:18:00:37
  945        ! bob             -        363 Jan12 16:44 4:05:04:02
  955        ! bob             -        351 Jan13 04:53 4:16:58:45
  965        ! bob             -        101 Jan14 11:00 5:22:27:29
  977        ! bob             -        101 Jan14 16:44 6:03:59:35
  978        ! bob             -        101 Jan14 16:44 6:03:59:11
  994        ! bob             -        237 Jan13 16:44 5:03:39:48
  997        ! bob             -        101 Jan14 16:44 6:03:38:01
  1000       ! lars            -       2471 Jan19 00:00 10:10:49:27
  1007       ! bob             -        101 Jan15 00:44 6:11:21:02
  1014       ! bob             -        101 Jan15 04:53 6:15:12:30
  1027       H bob             -       2238 held
  1033       ! bob             -        690 Jan10 05:22 1:14:39:13
  1043       ! bob             -        235 Jan13 16:44 5:01:23:07
  1050       ! bob             -        181 Jan14 04:53 5:13:16:25
  1052       ! bob             -        101 Jan15 04:53 6:13:13:46
  1077       ! bob             -        102 Jan11 06:45 2:12:51:44
  1083       ! bob             -        101 Jan15 04:53 6:10:21:38
  1085       ! eva             -       2233 17:55:31    23:21:00
  1096       ! bob             -        769 Jan11 04:44 2:09:39:02
  1098       ! bob             -       1504 Jan12 11:00 3:15:34:37
  1114       ! bob             -        769 Jan12 04:53 3:08:22:21
  1117       ! bob             -        102 Jan14 04:53 5:06:52:02
  +19 more
 then  █████▇█████▇▆▅██████▇▇▇▇▇▇▇▇▇▇▇████████▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇█████████████████████▇▇▇▇▇▅▅▅▅▅▄▄▄▄▄▄▄▄▄▄▃▃▃▃▃▃▃▃▃▂▂▂▂▂▂▂▂▂▂▂▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
       10:06:14      Jan10 03:47    Jan10 21:28    Jan11 15:09    Jan12 08:50   Jan13 02:31    Jan13 20:12    Jan14 13:53    Jan15 07:34   Jan16 01:15    Jan16 18:56    Jan17 12:37    Jan18 06:18

 focus: jobs (<Tab>)

 L now  [ back  ] forward  V sweep  B solve  m assume  w why  = numbers  / filter  q back                                                                                                ? help  Q quit
EOS
check_contains "a filter of jobs hides no entry" "VIEW 10:07:11" "$(head -n 1 filtered)"
