#!/bin/sh
# SPDX-License-Identifier: MIT
#
# past.sh - all screens show a past state as they showed it then, and it cannot be changed
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

# Dumps of each screen at 10:00, three hours later, and then again at 10:00.
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
# The title, the hints and the messages are those of the live console.
body() { sed '1d;$d' "$1"; }
for n in 1 2 3 4 5 6 9; do
	check_equal "screen $n shows the past state as it did then" "$(body before-$n)" "$(body again-$n)"
	check_contains "the title of screen $n has the past time" "VIEW 10:00:00 -3:00h   READ-ONLY" "$(head -n 1 again-$n)"
done
for n in 1 2 3 6; do
	check_true "screen $n was different in between" sh -c "! cmp -s before-$n later-$n"
done
check_contains "the title of screen 7 has the past time" "VIEW 10:00:00 -3:00h   READ-ONLY" "$(head -n 1 again-7)"
check_contains "the title fits a small screen" "VIEW 10:00:00 -3:00h   READ-ONLY" "$(head -n 1 small)"
check_contains "the title fits a large screen" "VIEW 10:00:00 -3:00h   READ-ONLY" "$(head -n 1 large)"

play demo --nodes 8 --seed 5 <<'EOS'
size 100x30
advance 2h
:tune xfactorweight 500
keys A
wait-idle
advance 10m
wait-idle
keys 8
wait-idle
keys {
wait-idle
dump journal
keys c
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
keys q L
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
keys H d
dump draft
keys 8 [
dump open
EOS
screen 'ten entries back, with a timeline' journal <<'EOS'
 KAHU simulation  Fri Jan  9 10:10:00  stopped   VIEW 10:04:32 -5m   READ-ONLY
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if [8 Journal] 9 Config
  1 h [.......:......:......:......:......:.......:......:......:......:......:......^.......] now
            09:15  09:20  09:25  09:30  09:35   09:40  09:45  09:50  09:55  10:00  10:05
      SEQ TIME        WHO          WHAT                         EFFECT                   UNDO
     6333 10:07:18    eva          submit 1206: 4 processors f~ blocked MAXJOB 8>6       later
     6330 10:07:11    bob          submit 1205: 1 processor fo~ blocked MAXIJOB 16 of 16 later
     6328 10:06:14    tom          submit 1204: 2 processors f~ idle, place 21 of 22     later
     6326 10:06:03    sched        start 1182 (backfilled)                               later
     6325 10:06:03    sched        end 1202, status 0                                    later
     6323 10:05:50    sched        start 1202 (backfilled)                               later
     6322 10:05:50    sched        end 1200, status 0                                    later
     6320 10:05:14    eva          submit 1203: 3 processors f~ blocked MAXJOB 8>6       later
     6318 10:05:09    eva          submit 1202: 2 processors f~ blocked MAXJOB 8>6       later
     6316 10:04:32    sched        start 1200 (backfilled)                               later
>    6315 10:04:32    sched        start 1195 (backfilled)                               shown
     6314 10:04:32    sched        end 1197, status 0
     6312 10:04:18    sched        start 1197 (backfilled)
     6311 10:04:18    sched        end 1194, status 0
  +986 more
────────────────────────────────────────────────────────────────────────────────────────────────────
 6315  2026-01-09T10:04:32  sched: start 1195 (backfilled)





 1000 entries, without plans, queue time and bypass counts (f: all)

 L now  [ back  ] forward  <Enter> open  b replay  f all  c compare  / filter        ? help  Q quit
EOS
screen 'the differences from the live state' difference <<'EOS'
 KAHU simulation  Fri Jan  9 10:10:00  stopped   VIEW 10:04:32 -5m   READ-ONLY
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Difference]
 Changes since Fri Jan  9 10:04:32 (journal entry 6315), 0:05:28 ago.

 JOBS
 Submitted since: 5
   1203 1204 1205 1206
 Were idle, now running: 1
   1182
 Were idle, now gone: 1
   1200
 Were running, now ended: 0
 Were running, now requeued: 0

 PLACE IN THE QUEUE
 1119         9 -> 10
 1181         10 -> 9
 1201         16 -> 15
 1187         17 -> 16
 1179         18 -> 17
 1192         19 -> 18
 1185         20 -> 19
 1186         21 -> 20

 SETTINGS
 no changes



 L now  [ back  ] forward  q back  : command                                         ? help  Q quit
EOS
screen 'the queue in the past' queue <<'EOS'
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
IDLE 22 - by priority ──────────────────────────────────────────────────────────────────────────────
  960      r ravi       batch    32    2:00:00   8687 21:59h  Jan10 02:53 +16:48h 32 procs short
  +65 more
 Job 1195 has been running since 10:04:32.

 Total Jobs: 85   Active Jobs: 19   Idle Jobs: 22   Blocked Jobs: 44

 L now  [ back  ] forward  <Enter> open  w why  o output  = numbers  : command       ? help  Q quit
EOS
for change in hold undo slider command; do
	check_contains "$change: a past state cannot be changed" "a past state cannot be changed; L returns to live" "$(cat $change)"
	check_equal "$change: no draft is open" "" "$(grep 'Enter> apply' $change)"
done
check_contains "L returns to the live state" " LIVE " "$(head -n 1 live)"
check_contains "L in the live state gives a message" "The screens are live" "$(cat already)"
check_contains "( goes back an hour" "VIEW 08:10:00 -2:00h" "$(head -n 1 hours)"
check_contains ") goes forward an hour" "VIEW 09:10:00 -1:00h" "$(head -n 1 hour)"
check_contains ") goes forward to the live state" " LIVE " "$(head -n 1 forward)"
check_contains "a step after the last entry returns to the live state" "The screens are live" "$(cat last)"
check_contains "the last entry is announced" "This is the last entry; L returns to live." "$(cat behind)"
check_contains "a time before the journal is refused" "2020-01-01T00:00:00 is before the journal begins (entry 1," "$(cat gone)"
check_contains "the screen stays live" " LIVE " "$(head -n 1 gone)"
check_contains "the first entry can be shown" ">       1 " "$(grep shown first)"
check_contains "a step before it gives a message" "This is the first entry of the journal." "$(cat beginning)"
check_contains ":at now returns to the live state" " LIVE " "$(head -n 1 now)"
check_contains "with an open draft a past state is refused" "a draft is open" "$(cat open)"
