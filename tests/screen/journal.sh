#!/bin/sh
# SPDX-License-Identifier: MIT
#
# journal.sh - the Journal screen: the effect of an entry, of its undo, and its consequences
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

play demo --nodes 8 --seed 5 <<'EOS'
size 100x30
advance 2h
:tune xfactorweight 500
keys A
wait-idle
advance 3h
keys 1 H <Enter>
wait-idle
advance 10m
keys 8
type /kind=hold
keys <Enter>
wait-idle
keys g
wait-idle
dump hold
keys / <C-u>
type set xfactorweight
keys <Enter>
wait-idle
keys b
wait-idle
dump because
size 80x24
wait-idle
dump small
size 200x60
wait-idle
dump large
size 80x16
wait-idle
dump low
size 100x30
keys <Esc> g
wait-idle
dump all
keys / <C-u>
type kind=end
keys <Enter> g b
wait-idle
dump follows
keys / <C-u>
type set xfactorweight
size 80x16
keys <Enter> [
wait-idle
dump first
keys 1
wait-idle
dump queue
EOS
screen 'a hold' hold <<'EOS'
 KAHU simulation  Fri Jan  9 13:10:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if [8 Journal] 9 Config
      SEQ TIME        WHO          WHAT                         EFFECT                   UNDO
>    6672 13:00:00    OPERATOR     hold user 960                1 idle -> blocked        u undoes it
     6174 08:00:00    ops          hold system 1124             1 idle -> blocked, 1 bl~ u undoes it
     6173 08:00:00    ops          hold user 1027               1 idle -> blocked, 1 bl~ u undoes it














────────────────────────────────────────────────────────────────────────────────────────────────────
 6672  2026-01-09T13:00:00  OPERATOR: hold user 960
   immediate: 1 idle -> blocked
   queue: 960 1213 914 957 1260 ... -> 1213 914 957 1260 1263 ...
   undo now: hold of 960: user -> none
   consequences: press b to replay with and without this entry

 3 entries, without plans, queue time and bypass counts (f: all)   filter: kind=hold

 u undo  U to here  <Enter> open  [ back  ] forward  b replay  f all  c compare      ? help  Q quit
EOS
screen 'a changed weight and its consequences' because <<'EOS'
 KAHU simulation  Fri Jan  9 13:10:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if [8 Journal] 9 Config
      SEQ TIME        WHO          WHAT                         EFFECT                   UNDO
>    6296 10:00:00    OPERATOR     set xfactorweight = 500      order unchanged          u undoes it
















────────────────────────────────────────────────────────────────────────────────────────────────────
 6296  2026-01-09T10:00:00  OPERATOR: set xfactorweight = 500
   immediate: order unchanged
   queue: 960 914 957 924 972 ..., unchanged
   undo now: xfactorweight: 500 -> 100
   consequences by 13:07:59: 8 jobs started earlier (max -0:05:30), 9 later (max +1:20:38), 7 would
   still wait, 7 would have started, utilization +0.0 %
 1 entry, without plans, queue time and bypass counts (f: all)   filter: set xfactorweight

 u undo  U to here  <Enter> open  [ back  ] forward  b replay  f all  c compare      ? help  Q quit
EOS
screen 'the same on a small screen' small <<'EOS'
 KAHU simulation  Fri Jan  9 13:10:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if [8 Journal] 9 Config
      SEQ TIME        WHO          WHAT                              UNDO
>    6296 10:00:00    OPERATOR     set xfactorweight = 500           u undoes it











────────────────────────────────────────────────────────────────────────────────
 6296  2026-01-09T10:00:00  OPERATOR: set xfactorweight = 500
   immediate: order unchanged
   queue: 960 914 957 924 972 ..., unchanged
   undo now: xfactorweight: 500 -> 100
   consequences by 13:07:59: 8 jobs started earlier (max -0:05:30), 9 later (max
   +1:20:38), 7 would still wait, 7 would have started, utilization +0.0 %
 1 entry, without plans, queue time and bypass coun~   filter: set xfactorweight
 u undo  U to here  <Enter> open  [ back  ] forward  b replay    ? help  Q quit
EOS
screen 'the same on a large screen' large <<'EOS'
 KAHU simulation  Fri Jan  9 13:10:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if [8 Journal] 9 Config
      SEQ TIME        WHO          WHAT                                                                                                             EFFECT                                   UNDO
>    6296 10:00:00    OPERATOR     set xfactorweight = 500                                                                                          order unchanged                          u undoes it














































────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
 6296  2026-01-09T10:00:00  OPERATOR: set xfactorweight = 500
   immediate: order unchanged
   queue: 960 914 957 924 972 ..., unchanged
   undo now: xfactorweight: 500 -> 100
   consequences by 13:07:59: 8 jobs started earlier (max -0:05:30), 9 later (max +1:20:38), 7 would still wait, 7 would have started, utilization +0.0 %

 1 entry, without plans, queue time and bypass counts (f: all)   filter: set xfactorweight

 u undo  U to here  <Enter> open  [ back  ] forward  b replay  f all  c compare  / filter  <F3> search  q back                                                                           ? help  Q quit
EOS
screen 'the same on a low screen' low <<'EOS'
 KAHU simulation  Fri Jan  9 13:10:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if [8 Journal] 9 Config
      SEQ TIME        WHO          WHAT                              UNDO
>    6296 10:00:00    OPERATOR     set xfactorweight = 500           u undoes it








────────────────────────────────────────────────────────────────────────────────
 6296  2026-01-09T10:00:00  OPERATOR: set xfactorweight = 500 ~
 1 entry, without plans, queue time and bypass coun~   filter: set xfactorweight
 u undo  U to here  <Enter> open  [ back  ] forward  b replay    ? help  Q quit
EOS
screen 'all entries, with the effect of submissions' all <<'EOS'
 KAHU simulation  Fri Jan  9 13:10:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if [8 Journal] 9 Config
      SEQ TIME        WHO          WHAT                         EFFECT                   UNDO
>    6687 13:07:59    eva          submit 1286: 4 processors f~ blocked MAXJOB 7>6
     6685 13:07:37    nora         submit 1285: 2 processors f~ idle, place 34 of 34
     6683 13:07:21    sofia        submit 1284: 4 processors f~ idle, place 17 of 33
     6680 13:04:56    sched        start 945 (backfilled)
     6679 13:04:56    sched        end 943, status 0
     6677 13:00:09    sched        start 1265 (backfilled)
     6676 13:00:09    sched        end 1249, status 0
     6672 13:00:00    OPERATOR     hold user 960                1 idle -> blocked        u undoes it
     6670 12:59:26    sched        start 1279 (backfilled)
     6669 12:59:26    sched        end 1262, status 0
     6667 12:58:54    nora         submit 1283: 4 processors f~ idle, place 35 of 35
     6665 12:58:49    sched        start 1249 (backfilled)
     6664 12:58:49    sched        start 1262 (backfilled)
     6663 12:58:49    sched        end 1258, status 0
     6661 12:57:00    sched        start 1258 (backfilled)
     6660 12:57:00    sched        end 1018, status 0
  +984 more
────────────────────────────────────────────────────────────────────────────────────────────────────
 6687  2026-01-09T13:07:59  eva: submit 1286: 4 processors for 0:10:00, user eva
   immediate: blocked MAXJOB 7>6
   queue: 1213 914 957 1260 1263 ..., unchanged
   consequences: press b to replay with and without this entry


 1000 entries, without plans, queue time and bypass counts (f: all)

 u undo  U to here  <Enter> open  [ back  ] forward  b replay  f all  c compare      ? help  Q quit
EOS
check_contains 'a decision that follows from earlier entries has no consequences of its own' 'follows from earlier entries' "$(cat follows)"
screen 'a filter with one match does not look like the begin of the journal' first <<'EOS'
 KAHU simulation  Fri Jan  9 13:10:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if [8 Journal] 9 Config
      SEQ TIME        WHO          WHAT                              UNDO
>    6296 10:00:00    OPERATOR     set xfactorweight = 500           u undoes it








────────────────────────────────────────────────────────────────────────────────
 6296  2026-01-09T10:00:00  OPERATOR: set xfactorweight = 500 ~
 No earlier entry matches the filter; <Esc> clears it.
 u undo  U to here  <Enter> open  [ back  ] forward  b replay    ? help  Q quit
EOS
screen 'a filter of the journal does not apply to the queue' queue <<'EOS'
 KAHU simulation  Fri Jan  9 13:10:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 64/64 100%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  1281    tom        2 1:00:00:00    548  Jan12 21:01 +3d07h  2 procs short
  1282    steve      2    6:00:00    547  Jan10 01:52 +12:42h 2 procs short
  1252    paul       2 1:00:00:00    533  Jan13 01:35 +3d12h  2 procs short
  1283    nora       4 1:00:00:00    330  Jan13 01:35 +3d12h  4 procs short
  1285    nora       2 1:00:00:00    307  Jan13 01:35 +3d12h  2 procs short
BLOCKED 3 - by hold ────────────────────────────────────────────────────────────
> 960   H ravi      32    2:00:00   9834 -                    held (user)
  1027  H bob        4 1:00:00:00   3355 -                    held (user)
  +65 more
 Job 960 is held (user); it can start only after a release.
 Total Jobs: 120   Active Jobs: 19   Idle Jobs: 34   Blocked Jobs: 67
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
