#!/bin/sh
# SPDX-License-Identifier: MIT
#
# past.sh - do all screens show a moment of the past as they showed it then, and is it left alone?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

# Each screen at 10:00, three hours later, and then again at 10:00.
every_screen() { # PREFIX
	echo "keys 1 g"
	for n in 1 2 3 4 5 6 7 9; do
		printf 'keys %s\nwait-idle\ndump %s-%s\n' $n "$1" $n
	done
}
{
	printf 'size 100x30\nadvance 2h\nwait-idle\n'
	every_screen before
	printf 'advance 3h\nwait-idle\n'
	every_screen later
	printf ':at 10:00\nwait-idle\n'
	every_screen again
	printf 'size 80x24\nkeys 1\nwait-idle\ndump small\nsize 200x60\nwait-idle\ndump large\n'
} >every.script
play demo --nodes 8 --seed 5 <every.script
# Title, hints and messages are of now.
body() { sed '1d;$d' "$1"; }
for n in 1 2 3 4 5 6 9; do
	check_equal "screen $n shows what it showed then" "$(body before-$n)" "$(body again-$n)"
	check_contains "and its title says which moment" "VIEW 10:00:00 -3:00h   READ-ONLY" "$(head -n 1 again-$n)"
done
for n in 1 2 3 6; do
	check_true "screen $n was another in between" sh -c "! cmp -s before-$n later-$n"
done
check_contains "screen 7's title says it, too" "VIEW 10:00:00 -3:00h   READ-ONLY" "$(head -n 1 again-7)"
check_contains "it fits a small screen" "VIEW 10:00:00 -3:00h   READ-ONLY" "$(head -n 1 small)"
check_contains "and a large one" "VIEW 10:00:00 -3:00h   READ-ONLY" "$(head -n 1 large)"

play demo --nodes 8 --seed 5 <<'EOS'
size 100x30
advance 2h
:tune xfactorweight 500
keys <Enter>
wait-idle
advance 10m
wait-idle
keys 8
wait-idle
keys {
wait-idle
dump journal
keys D
wait-idle
dump difference
keys q <Enter>
wait-idle
dump queue
keys H
dump hold
keys u
dump undo
keys 3 <Tab> <Right>
wait-idle
dump slider
keys :
type hold 1171
keys <Enter>
dump command
:queue --at 1
dump older
keys <Esc> <Esc>
wait-idle
dump live
keys L
dump already
keys 8 ( (
wait-idle
dump hours
keys )
wait-idle
dump hour
keys ) )
wait-idle
dump forward
keys ]
dump last
keys [ ] ]
wait-idle
dump behind
keys L
wait-idle
keys :
type at 2020-01-01T00:00
keys <Enter>
dump gone
:at 1
wait-idle
dump first
keys [
dump beginning
:at now
wait-idle
keys 1
wait-idle
dump now
keys H u
dump draft
keys 8 [
dump open
EOS
screen 'ten entries back, with a time line' journal <<'EOS'
 KAHU simulation  Fri Jan  9 10:10:00  stopped   VIEW 10:04:32 -5m   READ-ONLY
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if [8 Journal] 9 Config
  1 h [.......:......:......:......:......:.......:......:......:......:......:......^.......] now
            09:15  09:20  09:25  09:30  09:35   09:40  09:45  09:50  09:55  10:00  10:05
      SEQ TIME        WHO          WHAT                         EFFECT                   UNDO
     6334 10:07:18    eva          submit 1206: 4 processors f~ blocked MAXJOB 8>6       later
     6331 10:07:11    bob          submit 1205: 1 processor fo~ blocked MAXIJOB 16 of 16 later
     6329 10:06:14    tom          submit 1204: 2 processors f~ idle, place 21 of 22     later
     6327 10:06:03    sched        start 1182 (backfilled)                               later
     6326 10:06:03    sched        end 1202, status 0                                    later
     6324 10:05:50    sched        start 1202 (backfilled)                               later
     6323 10:05:50    sched        end 1200, status 0                                    later
     6321 10:05:14    eva          submit 1203: 3 processors f~ blocked MAXJOB 8>6       later
     6319 10:05:09    eva          submit 1202: 2 processors f~ blocked MAXJOB 8>6       later
     6317 10:04:32    sched        start 1200 (backfilled)                               later
>    6316 10:04:32    sched        start 1195 (backfilled)                               shown
     6315 10:04:32    sched        end 1197, status 0
     6313 10:04:18    sched        start 1197 (backfilled)
     6312 10:04:18    sched        end 1194, status 0
  +986 more
────────────────────────────────────────────────────────────────────────────────────────────────────
 6316  2026-01-09T10:04:32  sched: start 1195 (backfilled)





 1000 entries, without plans, queue time and bypass counts (f: all)

 L now  [ back  ] on  <Enter> open  b because  f all  D difference  / filter         ? help  Q quit
EOS
screen 'what has changed since' difference <<'EOS'
 KAHU simulation  Fri Jan  9 10:10:00  stopped   VIEW 10:04:32 -5m   READ-ONLY
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Difference]
 From Fri Jan  9 10:04:32, after entry 6316, until now: 0:05:28.

 JOBS
 Submitted since: 5
   1203 1204 1205 1206
 Waited then, run now: 1
   1182
 Waited then, are gone now: 1
   1200
 Ran then, have ended: 0
 Ran then, wait again: 0

 PLACE IN THE QUEUE
 1119         9 -> 10
 1181         10 -> 9
 1175         21 -> 22

 SETTINGS
 all as they were








 L now  [ back  ] on  q back  : command                                              ? help  Q quit
EOS
screen 'the queue as it was' queue <<'EOS'
 KAHU simulation  Fri Jan  9 10:10:00  stopped   VIEW 10:04:32 -5m   READ-ONLY
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████████████████████████████████████████████████████████████████ 62/64  96%]
 Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB        USER       CLASS  PROC    WCLIMIT   PRIO QUEUED EST.START            WHY NOT NOW
> 1195     b mei        batch     2    2:00:00      -     7m  12:04:32 +2:00h       0%
  1082     b eva        batch     4    4:00:00      - 14:18h  12:48:50 +2:44h      31%
  1125     b eva        batch     4    4:00:00      - 11:09h  13:56:33 +3:52h       3%
  1170     b yuki       batch     4    8:00:00      -  1:12h  16:58:40 +6:54h      13%
  1147     b julia      batch     8    8:00:00      -  9:18h  17:25:31 +7:20h       8%
  1191     b ines       batch     1   12:00:00      -     1m  21:52:02 +11:47h      1%
  1176     b eva        batch     1   18:00:00      -     0s  Jan10 02:53 +16:48h   6%
  916      b bob        batch     4 1:00:00:00      - 18:22h  Jan10 04:44 +18:40h  22%
  1059     b steve      batch     3 1:00:00:00      - 13:36h  Jan10 05:22 +19:17h  19%
  1018     b tom        batch     4 1:00:00:00      - 17:00h  Jan10 06:45 +20:40h  13%
  1064     b tom        batch     4 1:00:00:00      - 14:33h  Jan10 06:57 +20:53h  12%
  951      b bob        batch     3 1:00:00:00      - 21:12h  Jan10 09:01 +22:56h   4%
  1148     b john       batch     2 1:00:00:00      -  8:40h  Jan10 09:01 +22:56h   4%
  1161     b tom        batch     2 1:00:00:00      -  7:43h  Jan10 09:01 +22:56h   4%
  943      b bob        batch     2 1:00:00:00      - 21:24h  Jan10 09:01 +22:57h   4%
  1057     b eva        long      4 1:12:00:00      - 16:22h  Jan10 20:05 +1d10h    5%
  801      b eva        long      4 2:00:00:00      -  1d03h  Jan10 23:00 +1d12h   23%
IDLE 21 - by priority ──────────────────────────────────────────────────────────────────────────────
  960      r ravi       batch    32    2:00:00   8687 21:59h  Jan10 02:53 +16:48h 32 procs short
  +65 more
 Job 1195 runs since 10:04:32.

 Total Jobs: 85   Active Jobs: 19   Idle Jobs: 21   Blocked Jobs: 45

 L now  [ back  ] on  <Enter> open  w why  o output  = numbers  : command  / filter  ? help  Q quit
EOS
for change in hold undo slider command; do
	check_contains "$change: the past stays as it is" "the past cannot be changed: L goes back to now" "$(cat $change)"
	check_equal "and no draft is open" "" "$(grep 'Enter> apply' $change)"
done
check_contains "Esc goes back to now" " LIVE " "$(head -n 1 live)"
check_contains "where L has nothing to do" "This is what is so now" "$(cat already)"
check_contains "( goes back an hour" "VIEW 08:10:00 -2:00h" "$(head -n 1 hours)"
check_contains ") goes on an hour" "VIEW 09:10:00 -1:00h" "$(head -n 1 hour)"
check_contains "up to now" " LIVE " "$(head -n 1 forward)"
check_contains "behind the last entry is now" "This is what is so now" "$(cat last)"
check_contains "as is said on the last" "This is the last entry; L goes back to now." "$(cat behind)"
check_contains "what is not kept is refused" "2020-01-01T00:00:00 is not kept: the journal begins with entry 1" "$(cat gone)"
check_contains "and nothing else is shown" " LIVE " "$(head -n 1 gone)"
check_contains "the first entry can be shown" ">       1 " "$(grep shown first)"
check_contains "and nothing is before it" "The journal begins with this entry." "$(cat beginning)"
check_contains ":at now goes back" " LIVE " "$(head -n 1 now)"
check_contains "an open draft is about now" "a draft is open" "$(cat open)"

# Steps can be made on every screen: they begin at the moment that is shown, also when several keys come at once,
# and the filter of the screen is not one of entries.
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
screen 'two steps back in the queue' stepped <<'EOS'
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
  957     leila     32    3:00:00   3521 ~Jan10 07:53 +21:47h 32 procs short
  924     ahmed     14    8:00:00   3228 ~13:56:33 +3:50h     14 procs short
  972     john      16 1:00:00:00   2799 ~Jan10 09:01 +22:54h 16 procs short
  1051    john      16 1:00:00:00   2431 ~Jan10 10:53 +1d00h  16 procs short
  1091    chen      15   12:00:00   2076 ~Jan10 10:53 +1d00h  15 procs short
  1071    paul      16 1:00:00:00   1971 ~Jan10 22:53 +1d12h  16 procs short
  1119    john       8 1:00:00:00   1616 ~Jan10 09:01 +22:55h 8 procs short
  +57 more
 Job 960 needs 32 processors and 0 are free: 32 short.

 After entry 6328, tom: submit 1204: 2 processors for 1:00:00:00, user tom.
 L now  [ back  ] on  <Enter> open  w why  o output  = numbers   ? help  Q quit
EOS
check_contains "another on the Priority screen" "VIEW 10:06:03 -3m   READ-ONLY" "$(head -n 1 before)"
check_contains "says after what" "After entry 6326, sched: start 1182 (backfilled)." "$(cat before)"
check_equal "one back and one on" "$(head -n 1 before)" "$(head -n 1 same)"
check_contains "ten on the Limits screen" "VIEW 10:04:18 -5m   READ-ONLY" "$(head -n 1 ten)"
check_contains "an hour on the Config screen" "VIEW 09:04:18 -1:05h   READ-ONLY" "$(head -n 1 hour-before)"
check_contains "an answer says of which moment it is" ", as of 10:10:00" "$(cat answer)"
check_equal "where that is not the one shown" 0 "$(grep -c 'as of' answer-now)"
check_contains "there is nothing after now" "This is what is so now; [ goes back through the journal." "$(cat here)"
screen 'what was ahead then' ahead <<'EOS'
 KAHU simulation  Fri Jan  9 10:10:00  stopped   VIEW 10:06:14 -3m   READ-ONLY
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 The queue at 10:06:14                full projection, jobs run to their limits
 Run ahead from that moment, as it looked then: what has come since is not
 known to it. Nothing is drafted in the past; L goes back to now.
────────────────────────────────────────────────────────────────────────────────
  JOB        PRIORITY START       WAITED THEN OF 64 JOBS                    THEN
> 960      r     3895 Jan10 02:53 1:14:48:06  jobs that start                 64
  914      r     3800 Jan10 04:53 1:18:34:36  mean wait               3:14:13:32
  957            3521 Jan10 07:53 1:19:53:24  max wait               13:03:03:29
  924            3228 17:41:33    1:07:05:30  mean xfactor                  8.89
  972            2799 Jan11 04:53 2:16:13:52  last start             Jan19 00:00
  1051           2431 Jan11 11:00 2:19:23:33  in use till then             46.2%
  1091           2076 Jan12 04:44 3:09:55:29
  1071           1971 Jan12 04:53 3:11:10:28
  1119           1616 Jan12 04:53 3:06:46:02
  1181           1310 14:11:33    4:43:48
  1193           1196 13:56:33    4:00:32
  +55 more
 then  ████▇███▇▇▇████▇▇▇▇▇▇████████▇▆▅▅▄▄▄▃▃▃▂▂▂▂▂▁▁▁▁▁▁▁
       10:06:14      Jan11 08:04   Jan13 06:03    Jan15 04:02   Jan17 02:01

 keys: jobs (<Tab>)
 L now  [ back  ] on  V sweep  B solve  A assume  w why  q back  ? help  Q quit
EOS
screen 'what was ahead then, on a large screen' ahead-large <<'EOS'
 KAHU simulation  Fri Jan  9 10:10:00  stopped   VIEW 10:06:14 -3m   READ-ONLY
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 The queue at 10:06:14                                                                                                                                        full projection, jobs run to their limits
 Run ahead from that moment, as it looked then: what has come since is not known to it. Nothing is drafted in the past; L goes back to now.
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          USER         RANK   PRIORITY START       WAITED THEN                                                                                                  OF 64 JOBS                    THEN
> 960        r ravi            1       3895 Jan10 02:53 1:14:48:06                                                                                                   jobs that start                 64
  914        r ravi            2       3800 Jan10 04:53 1:18:34:36                                                                                                   mean wait               3:14:13:32
  957          leila           3       3521 Jan10 07:53 1:19:53:24                                                                                                   max wait               13:03:03:29
  924          ahmed           4       3228 17:41:33    1:07:05:30                                                                                                   mean xfactor                  8.89
  972          john            5       2799 Jan11 04:53 2:16:13:52                                                                                                   last start             Jan19 00:00
  1051         john            6       2431 Jan11 11:00 2:19:23:33                                                                                                   in use till then             46.2%
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

 keys: jobs (<Tab>)

 L now  [ back  ] on  V sweep  B solve  A assume  w why  = numbers  / filter  q back                                                                                                     ? help  Q quit
EOS
check_contains "a filter of jobs hides no entry" "VIEW 10:07:11" "$(head -n 1 filtered)"
