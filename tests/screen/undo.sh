#!/bin/sh
# SPDX-License-Identifier: MIT
#
# undo.sh - undo in the console: what cannot be undone, required reasons, temporary changes

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

play demo --nodes 8 --seed 9 <<EOS
size 100x30
advance 1h
:tune xfactorweight 5
keys A
wait-idle
:tune xfactorweight 7
keys A
wait-idle
keys g x <Enter> y
wait-idle
keys 8 /
type ^set|^cancel
keys <Enter> G <Space> <Space> u
wait-idle
dump together
keys <Esc> \\ G U
wait-idle
dump point
keys <Enter>
dump asked
keys <Enter>
dump left-alone
keys U <Enter> y
wait-idle
dump part
EOS
screen 'marked entries are undone together' together <<'EOS'
 KAHU simulation  Fri Jan  9 09:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if [8 Journal] 9 Config
      SEQ TIME        WHO          WHAT                         EFFECT                   UNDO
     6462 09:00:00    OPERATOR     cancel 1221                  order unchanged
     6461 09:00:00    OPERATOR     set xfactorweight = 7        order unchanged          u undoes it
>    6458 09:00:00    OPERATOR     set xfactorweight = 5        order: 10 jobs moved     u undoes it












┌─ Not applied yet ────────────────────────────────────────────────────────────────────────────────┐
│ undo 6458 (xfactorweight = 5)                                                                    │
│ (projection): order and all estimated starts unchanged                                           │
│ changes nothing now                                                                              │
│   6458  xfactorweight: stays 7 because of entry 6461                                             │
│ stays                                                                                            │
│   since then, 0 jobs have started and 1 ended                                                    │
│ <Enter> apply   <Esc> dismiss   d add to the draft                                               │
└──────────────────────────────────────────────────────────────────────────────────────────────────┘
 3 entries, without plans, queue time and bypass counts (f: all)   filter: ^set|^cancel
EOS
screen 'undo to a point: entries that cannot be undone come first' point <<'EOS'
 KAHU simulation  Fri Jan  9 09:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if [8 Journal] 9 Config
      SEQ TIME        WHO          WHAT                         EFFECT                   UNDO
     6462 09:00:00    OPERATOR     cancel 1221                  order unchanged
     6461 09:00:00    OPERATOR     set xfactorweight = 7        order unchanged          u undoes it
>    6458 09:00:00    OPERATOR     set xfactorweight = 5        order: 10 jobs moved     u undoes it










┌─ Not applied yet ────────────────────────────────────────────────────────────────────────────────┐
│ undo 6461 (xfactorweight = 7)                                                                    │
│ (projection): order and all estimated starts unchanged                                           │
│ cannot be undone                                                                                 │
│   entry 6462 (cancel 1221) cannot be undone: it left no change that could be undone              │
│ will be undone                                                                                   │
│   6461  xfactorweight: 7 -> 5                                                                    │
│ stays                                                                                            │
│   since then, 0 jobs have started and 1 ended                                                    │
│ <Enter> apply   <Esc> dismiss   d add to the draft                                               │
└──────────────────────────────────────────────────────────────────────────────────────────────────┘
 3 entries, without plans, queue time and bypass counts (f: all)   filter: ^set|^cancel
EOS
screen 'a partial undo asks for confirmation, with no as the default' asked <<'EOS'
 KAHU simulation  Fri Jan  9 09:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if [8 Journal] 9 Config
      SEQ TIME        WHO          WHAT                         EFFECT                   UNDO
     6462 09:00:00    OPERATOR     cancel 1221                  order unchanged
     6461 09:00:00    OPERATOR     set xfactorweight = 7        order unchanged          u undoes it
>    6458 09:00:00    OPERATOR     set xfactorweight = 5        order: 10 jobs moved     u undoes it










┌─ Not applied yet ────────────────────────────────────────────────────────────────────────────────┐
│ undo 6461 (xfactorweight = 7)                                                                    │
│ (projection): order and all estimated starts unchanged                                           │
│ cannot be undone                                                                                 │
│   entry 6462 (cancel 1221) cannot be undone: it left no change that could be undone              │
│ will be undone                                                                                   │
│   6461  xfactorweight: 7 -> 5                                                                    │
│ stays                                                                                            │
│   since then, 0 jobs have started and 1 ended                                                    │
│ <Enter> apply   <Esc> dismiss   d add to the draft                                               │
└──────────────────────────────────────────────────────────────────────────────────────────────────┘
 3 entries, without plans, queue time and bypass counts (f: all)   filter: ^set|^cancel
 1 of the changes cannot be undone; undo the other 1?  [y] yes  [n] no (Enter)
 <Enter> accept  <Esc> cancel                                                        ? help  Q quit
EOS
check_equal 'n declines it' 0 "$(grep -c 'DRAFT' left-alone)"
check_equal 'nothing was undone' 0 "$(grep -c ' undone' left-alone)"
check_contains 'y undoes the others' 'undo 6461 (xfactorweight = 7)' "$(cat part)"

# --- actions of another operator ----------------------------------------------------------------

# Two holds of the demo were made by ops; the user who runs the test has made no change yet.
play demo --nodes 8 --seed 9 <<'EOS'
size 80x24
keys u
wait-idle
dump others-80
keys <Esc>
size 100x30
keys H <Enter> u
wait-idle
dump own
keys <Enter> 8 / ^ h o l d <Space> s y s <Enter> u
wait-idle
dump others
EOS
screen 'without an own change, u names who made the last one and when' others-80 <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1180  b eva        2   18:00:00      -  22:03:29 +14:03h     21%
  1219  b amina      1   18:00:00      -  Jan10 00:37 +16:37h   7%
  1105  b bob        6 1:00:00:00      -  Jan10 06:50 +22:50h   4%
  1175  b chen       2 1:12:00:00      -  Jan10 15:42 +1d07h   11%
  1074  b steve      2 2:00:00:00      -  Jan10 19:24 +1d11h   26%
IDLE 26 - by priority ──────────────────────────────────────────────────────────
> 1193  r mei       32    0:10:00   6248  14:42:39 +6:42h     32 procs short
  1209  r mei       16    0:10:00   5074  14:52:39 +6:52h     16 procs short
  1228    mei        4    0:10:00   2491  11:06:25 +3:06h     4 procs short
┌─ Not applied yet ────────────────────────────────────────────────────────────┐
│ undo 6395 (hold system of 1201)                                              │
│ (projection): order unchanged; 3 earlier; 1 later; worst: 1211 +2:16:46:42   │
│ made by other operators                                                      │
│   6395  hold system 1201, made by ops at 2026-01-09T08:00:00                 │
│ will be undone                                                               │
│   6395  hold of 1201: system -> none                                         │
│ <Enter> apply   <Esc> dismiss   d add to the draft                           │
└──────────────────────────────────────────────────────────────────────────────┘
 Total Jobs: 47   Active Jobs: 13   Idle Jobs: 26   Blocked Jobs: 8
EOS
check_equal 'an own change is undone first, without a name' '0 1' "$(grep -c 'made by' own) $(grep -c 'undo.*hold user' own)"
screen 'the journal names the operator of an entry, too' others <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if [8 Journal] 9 Config
      SEQ TIME        WHO          WHAT                         EFFECT                   UNDO
>    6395 08:00:00    ops          hold system 1201             1 idle -> blocked        u undoes it














┌─ Not applied yet ────────────────────────────────────────────────────────────────────────────────┐
│ undo 6395 (hold system of 1201)                                                                  │
│ (projection): order unchanged; 3 earlier; 1 later; worst: 1211 +2:16:46:42                       │
│ made by other operators                                                                          │
│   6395  hold system 1201, made by ops at 2026-01-09T08:00:00                                     │
│ will be undone                                                                                   │
│   6395  hold of 1201: system -> none                                                             │
│ <Enter> apply   <Esc> dismiss   d add to the draft                                               │
└──────────────────────────────────────────────────────────────────────────────────────────────────┘
 1 entry, without plans, queue time and bypass counts (f: all)   filter: ^hold sys
EOS

# --- required reasons and temporary changes -----------------------------------------------------

play demo --nodes 8 --seed 9 --store st <<'EOS'
size 80x24
:tune guarddelayed 1
keys A
wait-idle
:tune queuetimeweight 5000
keys A
dump reason
keys <Enter>
dump no-reason
keys A
type short jobs starve
keys <Enter>
wait-idle
dump applied
:tune xfactorweight 9
:apply --for 30m --reason trial
wait-idle
dump until
advance 10m
wait-idle
dump later
keys <F8>
wait-idle
dump keep
keys <Enter>
wait-idle
:tune xfactorweight 11
keys <F7>
dump how-long
keys <C-u>
type 20m
keys <Enter>
wait-idle
:cancel 1096
:apply --for 30m
expect-exit 1
dump not-for-a-while
EOS
screen 'a change that delays many jobs asks for a reason' reason <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1180  b eva        2   18:00:00      -  22:03:29 +14:03h     21%
  1219  b amina      1   18:00:00      -  Jan10 00:37 +16:37h   7%
  1105  b bob        6 1:00:00:00      -  Jan10 06:50 +22:50h   4%
  1175  b chen       2 1:12:00:00      -  Jan10 15:42 +1d07h   11%
  1074  b steve      2 2:00:00:00      -  Jan10 19:24 +1d11h   26%
IDLE 26 - by priority ──────────────────────────────────────────────────────────
> 1193  r mei       32    0:10:00   6248  14:42:39 +6:42h     32 procs short
  1209  r mei       16    0:10:00   5074  14:52:39 +6:52h     16 procs short
  1228    mei        4    0:10:00   2491  11:06:25 +3:06h     4 procs short
  1179    amina     32   12:00:00   2393  15:02:39 +7:02h     32 procs short
  1127    eva       32    1:00:00   2377  Jan10 03:02 +19:02h 32 procs short
  1096    ravi       8   18:00:00   1781  Jan10 06:50 +22:50h 8 procs short
  1103    bob       32 1:00:00:00   1683  Jan11 14:50 +2d06h  32 procs short
  +27 more
 Job 1193 needs 32 processors and 0 are free: 32 short.

 DRAFT 1 edit: set queuetimeweight = 5000                    A apply  D discard
 (projection): 25 jobs change order; 15 earlier; 13 later; worst: 1193         ~
it delays 13 jobs; reason:
 <Enter> accept  <Esc> cancel                                    ? help  Q quit
EOS
check_contains 'without a reason it is not applied' 'Not applied: a reason is required.' "$(cat no-reason)"
check_contains 'with a reason it is applied' 'Done: tune queuetimeweight 5000' "$(cat applied)"
check_contains 'the title has the time until the undo' 'UNDO IN 30m: KEEP?' "$(head -n 1 until)"
check_contains 'the time decreases' 'UNDO IN 20m: KEEP?' "$(head -n 1 later)"
check_contains 'the change can be kept' 'keep' "$(cat keep)"
screen 'the duration is asked for' how-long <<'EOS'
 KAHU simulation  Fri Jan  9 08:10:00  stopped   LIVE   DRAFT
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 60/64  93%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1141    eva       32    6:00:00 33514~  Jan10 16:06 +1d07h  28 procs short
  1149    eva       16   12:00:00 32512~  Jan10 22:06 +1d13h  12 procs short
  1152    paul       4 1:00:00:00 31875~  Jan10 00:41 +16:31h would delay 1088
  1169    ravi      32    8:00:00 27447~  Jan11 08:42 +2d00h  28 procs short
  1179    amina     32   12:00:00 24059~  Jan11 10:37 +2d02h  28 procs short
  1185    john      16 1:00:00:00 23393~  Jan11 16:42 +2d08h  12 procs short
> 1193    mei       32    0:10:00 16436~  Jan11 22:37 +2d14h  28 procs short
  1196    bob        4 1:00:00:00 15906~  Jan10 10:37 +1d02h  would delay 1088
  1197    john       8 1:00:00:00 15617~  Jan11 16:42 +2d08h  4 procs short
  1198    eva        8    8:00:00 15557~  Jan10 22:06 +1d13h  4 procs short
  1199    tom        8 1:00:00:00 15328~  Jan11 16:42 +2d08h  4 procs short
  1205    amina     32 1:12:00:00 13795~  Jan11 22:47 +2d14h  28 procs short
  1209    mei       16    0:10:00 13031~  14:42:39 +6:32h     12 procs short
  +14 more
 Job 1193 needs 32 processors and 4 are free: 28 short.

 DRAFT 1 edit: set xfactorweight = 11                        A apply  D discard
 (projection): order and all estimated starts unchanged
duration: 30m
 <Enter> accept  <Esc> cancel                                    ? help  Q quit
EOS
check_contains 'an action that cannot be undone cannot be temporary' "'cancel' cannot be undone" "$(cat not-for-a-while)"

# The console has ended and the change was not kept: the next scheduler undoes it in its first pass.
export KAHU_STORE="$work/st"
of() { "$KAHU" config "$1" | grep -i "^ *$1 " | awk '{ print $2 }'; }
check_equal 'the change is in force after the console has ended' 11 "$(of xfactorweight)"
cat >later.script <<'EOS'
advance 21m
EOS
check_status 'twenty minutes later' 0 "$KAHU" demo --store st --script later.script
check_equal 'the change is undone' 9 "$(of xfactorweight)"
check_contains 'the journal has the reason' 'set queuetimeweight = 5000: short jobs starve' "$("$KAHU" journal --from 1)"
check_contains 'the journal has the temporary change' 'set xfactorweight = 9 for 0:30:00: trial' "$("$KAHU" journal --from 1)"
