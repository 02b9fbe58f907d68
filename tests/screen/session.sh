#!/bin/sh
# SPDX-License-Identifier: MIT
#
# session.sh - can a person at 80x24 find the first idle job, see why it waits, hold and
# release it, raise a weight and see the order and the starts move, undo that, and leave?

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

play demo --nodes 8 --seed 9 <<'EOS'
size 80x24
dump first
keys w
dump why
keys q H
dump kind
keys u
dump held-draft
keys <Enter>
dump held
keys R <Enter>
dump released
keys W j <Right> }
dump slider
keys e <C-u>
type 1000
keys <Enter>
dump typed
keys <Enter>
dump tuned
keys 8
dump journal
keys u
dump undo-draft
keys <Enter>
dump undone
keys 1
dump last
keys Q
dump question
keys y
expect-exit 0
EOS

screen 'the first frame: the queue, the cursor on the first idle job' first <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 58/64  90%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
  423   b chen        8   18:00:00       -  18:52:41 +10:52h     39%
  385   b amina       8 1:00:00:00       -  21:37:30 +13:37h     43%
  515   b bob         8 1:00:00:00       -  Jan10 07:59 +23:59h   0%
  510   b lars        4 1:12:00:00       -  Jan10 12:54 +1d04h   19%
  456   b ravi        1 2:00:00:00       -  Jan10 19:01 +1d11h   27%
IDLE 13 - by priority ──────────────────────────────────────────────────────────
> 299   r john       64 1:00:00:00    5246  Jan10 19:01 +1d11h  58 procs short
  307   r bob        55 1:00:00:00    5200  Jan11 19:01 +2d11h  49 procs short
  491     amina      16    6:00:00    3448 ~11:14:00 +3:14h     10 procs short
  395     eva        64    4:00:00    2803 ~Jan12 19:01 +3d11h  58 procs short
  376     ines       32   12:00:00    2707 ~17:44:23 +9:44h     26 procs short
  408     paul       52 1:00:00:00    2123 ~Jan12 23:01 +3d15h  46 procs short
  447     tom        64 1:00:00:00    1908 ~Jan13 23:01 +4d15h  58 procs short
  442     paul       32 1:00:00:00    1852 ~Jan14 23:01 +5d15h  26 procs short
  479     eva        64    6:00:00    1610 ~Jan15 23:01 +6d15h  58 procs short
  502     eva        16   12:00:00    1166 ~21:37:30 +13:37h    10 procs short
  +5 more
 Job 299 needs 64 processors and 6 are free: 58 short.
 Total Jobs: 25   Active Jobs: 10   Idle Jobs: 13   Blocked Jobs: 2
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'w: every check with its numbers, the first that fails marked' why <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue [2 Job] 3 Priority  8 Journal
 Job 299  foam-steady
  for       john/engineering/turbine   class batch   QOS normal
  asks      64 procs for 1:00:00:00 = 5529600 PS, 4000 MB a task
  submitted Jan07 15:03, queued 1:16:56:03, bypassed 187x
  state     idle, number 1 of 13
  starts     Jan10 19:01 +1d11h (reserved)
 Job 299 needs 64 processors and 6 are free: 58 short.

 CHECK                   VALUE                      LIMIT               RESULT
 1 hold                  none                       -                   ok
 2 start date            none                       -                   ok
 3 fits the machine      64 procs                   64 in the machine   ok
 4 priority not negative 5246                       -                   ok
>5 resources now         64 procs                   6 free              FAIL
 6 reservations ahead    no reservation is delayed  >= 64               ok
 7 strict order          none ahead                 -                   ok

 PRIORITY
 5246 = proc 1 * 64 procs + queuetime 2 * 2456.05 min + xfactor 100 * 2.71
                                                                         +2 more

 H hold  R release  p priority  W weights  = numbers  u undo     ? help  Q quit
EOS
screen 'H asks which hold' kind <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 58/64  90%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
  423   b chen        8   18:00:00       -  18:52:41 +10:52h     39%
  385   b amina       8 1:00:00:00       -  21:37:30 +13:37h     43%
  515   b bob         8 1:00:00:00       -  Jan10 07:59 +23:59h   0%
  510   b lars        4 1:12:00:00       -  Jan10 12:54 +1d04h   19%
  456   b ravi        1 2:00:00:00       -  Jan10 19:01 +1d11h   27%
IDLE 13 - by priority ──────────────────────────────────────────────────────────
> 299   r john       64 1:00:00:00    5246  Jan10 19:01 +1d11h  58 procs short
  307   r bob        55 1:00:00:00    5200  Jan11 19:01 +2d11h  49 procs short
  491     amina      16    6:00:00    3448 ~11:14:00 +3:14h     10 procs short
  395     eva        64    4:00:00    2803 ~Jan12 19:01 +3d11h  58 procs short
  376     ines       32   12:00:00    2707 ~17:44:23 +9:44h     26 procs short
  408     paul       52 1:00:00:00    2123 ~Jan12 23:01 +3d15h  46 procs short
  447     tom        64 1:00:00:00    1908 ~Jan13 23:01 +4d15h  58 procs short
  442     paul       32 1:00:00:00    1852 ~Jan14 23:01 +5d15h  26 procs short
  479     eva        64    6:00:00    1610 ~Jan15 23:01 +6d15h  58 procs short
  502     eva        16   12:00:00    1166 ~21:37:30 +13:37h    10 procs short
  +5 more
 Job 299 needs 64 processors and 6 are free: 58 short.
 Which hold?  [u] user (Enter)  [s] system  [b] batch
 <Enter> give  <Esc> never mind                                  ? help  Q quit
EOS
screen 'the hold is a draft with its effect' held-draft <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 58/64  90%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
  423   b chen        8   18:00:00       -  18:52:41 +10:52h     39%
  385   b amina       8 1:00:00:00       -  21:37:30 +13:37h     43%
  515   b bob         8 1:00:00:00       -  Jan10 07:59 +23:59h   0%
  510   b lars        4 1:12:00:00       -  Jan10 12:54 +1d04h   19%
  456   b ravi        1 2:00:00:00       -  Jan10 19:01 +1d11h   27%
IDLE 13 - by priority ──────────────────────────────────────────────────────────
> 299   r john       64 1:00:00:00    5246  Jan10 19:01 +1d11h  58 procs short
  307   r bob        55 1:00:00:00    5200  Jan11 19:01 +2d11h  49 procs short
  491     amina      16    6:00:00    3448 ~11:14:00 +3:14h     10 procs short
  395     eva        64    4:00:00    2803 ~Jan12 19:01 +3d11h  58 procs short
  376     ines       32   12:00:00    2707 ~17:44:23 +9:44h     26 procs short
  408     paul       52 1:00:00:00    2123 ~Jan12 23:01 +3d15h  46 procs short
  447     tom        64 1:00:00:00    1908 ~Jan13 23:01 +4d15h  58 procs short
  442     paul       32 1:00:00:00    1852 ~Jan14 23:01 +5d15h  26 procs short
  479     eva        64    6:00:00    1610 ~Jan15 23:01 +6d15h  58 procs short
  502     eva        16   12:00:00    1166 ~21:37:30 +13:37h    10 procs short
  +5 more
 Job 299 needs 64 processors and 6 are free: 58 short.
 hold -u 299: the order stays; 8 earlier; 3 later; 502 +3:14:22:07
 <Enter> apply  <Esc> drop  w why  H hold  R release  W weights  ? help  Q quit
EOS
screen 'Enter applies it and the cursor follows the job' held <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 58/64  90%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
IDLE 12 - by priority ──────────────────────────────────────────────────────────
  307   r bob        55 1:00:00:00    5200  Jan10 07:59 +23:59h 49 procs short
  491   r amina      16    6:00:00    3448  11:14:00 +3:14h     10 procs short
  395     eva        64    4:00:00    2803 ~Jan11 07:59 +1d23h  58 procs short
  376     ines       32   12:00:00    2707 ~17:44:23 +9:44h     26 procs short
  408     paul       52 1:00:00:00    2123 ~Jan11 11:59 +2d03h  46 procs short
  447     tom        64 1:00:00:00    1908 ~Jan12 11:59 +3d03h  58 procs short
  442     paul       32 1:00:00:00    1852 ~Jan13 11:59 +4d03h  26 procs short
  479     eva        64    6:00:00    1610 ~Jan14 11:59 +5d03h  58 procs short
  502     eva        16   12:00:00    1166 ~Jan13 11:59 +4d03h  10 procs short
  513     eva        16    8:00:00    1048 ~21:37:30 +13:37h    10 procs short
  519     rosa        8 1:00:00:00     951 ~Jan11 11:59 +2d03h  2 procs short
  526     rosa        8 1:00:00:00     317 ~Jan13 11:59 +4d03h  2 procs short
BLOCKED 3 - by hold ────────────────────────────────────────────────────────────
> 299   H john       64 1:00:00:00    5246 -                    held (user)
  427   H mei        32    8:00:00    5155 -                    held (user)
  509   H bob        16 1:00:00:00    1120 -                    held (system)
 Job 299 is held (user); it can start only after a release.
 Done: hold -u 299. u undoes it.
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'released, it is the first again' released <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 58/64  90%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
ACTIVE 10 - by completion ──────────────── ENDS BY ──────────── USED ───────────
  521   b olga        4    8:00:00       -  09:58:47 +1:58h      75%
  500   b eva         8    4:00:00       -  11:14:00 +3:14h      19%
  494   b lars        8    6:00:00       -  13:15:40 +5:15h      12%
  489   b ravi        1   18:00:00       -  15:40:19 +7:40h      57%
  483   b eva         8   12:00:00       -  17:44:23 +9:44h      18%
  423   b chen        8   18:00:00       -  18:52:41 +10:52h     39%
  385   b amina       8 1:00:00:00       -  21:37:30 +13:37h     43%
  515   b bob         8 1:00:00:00       -  Jan10 07:59 +23:59h   0%
  510   b lars        4 1:12:00:00       -  Jan10 12:54 +1d04h   19%
  456   b ravi        1 2:00:00:00       -  Jan10 19:01 +1d11h   27%
IDLE 13 - by priority ──────────────────────────────────────────────────────────
> 299   r john       64 1:00:00:00    5246  Jan10 19:01 +1d11h  58 procs short
  307   r bob        55 1:00:00:00    5200  Jan11 19:01 +2d11h  49 procs short
  491     amina      16    6:00:00    3448 ~11:14:00 +3:14h     10 procs short
  395     eva        64    4:00:00    2803 ~Jan12 19:01 +3d11h  58 procs short
  +11 more
 Job 299 needs 64 processors and 6 are free: 58 short.
 Done: release 299. u undoes it.
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'a slider: ranks and starts before and after' slider <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job [3 Priority] 8 Journal
  JOB          RANK       PRIORITY    AFTER START       AFTER       CHANGE
IDLE 13 - in the order the draft would give ────────────────────────────────────
> 299        r 1              5246     5306 Jan10 19:01 Jan10 19:01
  307        r 2              5200     5259 Jan11 19:01 Jan11 19:01
  491          3              3448     3508 11:14:00    11:14:00
  395          4              2803     2929 Jan12 19:01 Jan12 19:01
  376          5              2707     2766 17:44:23    17:44:23
  408          6              2123     2161 Jan12 23:01 Jan12 23:01
  447          7              1908     1943 Jan13 23:01 Jan13 23:01
  442          8              1852     1888 Jan14 23:01 Jan14 23:01
  +7 more
────────────────────────────────────────────────────────────────────────────────
 299: 5306 = proc 1 * 64 procs + queuetime 2 * 2456.05 min + xfactor 122 * 2.71

WEIGHTS IN USE ─────────────────────────────────────── VALUE IN FORCE ──────────
  queuetimeweight             [────┃──────────────]        2        2 0..10
> xfactorweight               [───────────┃───────]      122      100 0..200
  targetqueuetimeweight       [─────────┃─────────]  0.00001  0.00001 0..0.00002
  userweight                  [──┃────────────────]        1        1 0..10
  +29 more
 tune xfactorweight 122: the order and all estimated starts stay
 <Enter> apply  <Esc> drop  W weights  e value  { -10  } +10     ? help  Q quit
EOS
screen 'a typed weight: the order changes and the starts move' typed <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job [3 Priority] 8 Journal
  JOB          RANK       PRIORITY    AFTER START       AFTER       CHANGE
  395          4 -> 1         2803     7955 Jan12 19:01 Jan10 19:01 -2:00:00:00
> 299        r 1 -> 2         5246     7681 Jan10 19:01 Jan10 23:01 +4:00:00
  307        r 2 -> 3         5200     7623 Jan11 19:01 Jan11 23:01 +4:00:00
  491          3 -> 4         3448     5894 11:14:00    11:14:00
  376          5              2707     5113 17:44:23    17:44:23
  479          9 -> 6         1610     4206 Jan15 23:01 Jan12 23:01 -3:00:00:00
  408          6 -> 7         2123     3679 Jan12 23:01 Jan13 05:01 +6:00:00
  447          7 -> 8         1908     3334 Jan13 23:01 Jan14 05:01 +6:00:00
  442          8 -> 9         1852     3332 Jan14 23:01 Jan15 05:01 +6:00:00
  +6 more
────────────────────────────────────────────────────────────────────────────────
 299: 7681 = proc 1 * 64 procs + queuetime 2 * 2456.05 min + xfactor 1000 *
 2.71
WEIGHTS IN USE ─────────────────────────────────────── VALUE IN FORCE ──────────
  queuetimeweight             [────┃──────────────]        2        2 0..10
> xfactorweight               [──────────────────┃]     1000      100 0..1000
  targetqueuetimeweight       [─────────┃─────────]  0.00001  0.00001 0..0.00002
  userweight                  [──┃────────────────]        1        1 0..10
  +29 more
 tune xfactorweight 1000: 10 jobs change order; 3 earlier; 8 later; 502 +8:00:00
 <Enter> apply  <Esc> drop  W weights  e value  { -10  } +10     ? help  Q quit
EOS
screen 'Enter tunes the weight' tuned <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job [3 Priority] 8 Journal
  JOB            PRIORITY     QOS*1   QTime*2 XFctr*10~ TgtQT*0.~ SHARES
  395        r       7955         0      2267      5723         0 qqqqxxxxxxxxxx
> 299        r       7681         0      4912      2705         0 qqqqqqqqqxxxxx
  307                7623         0      4875      2692         0 qqqqqqqqqxxxxx
  491                5894       500      1236      2853      1288 cqqqxxxxxxxttt
  376                5113         0      2408      2672         0 qqqqqqqxxxxxxx
  479                4206         0      1357      2885         0 cqqqqxxxxxxxxx
  408                3679      -200      2098      1728         0 cqqqqqqqxxxxxx
  447                3334         0      1685      1585         0 qqqqqqqxxxxxxx
  442                3332      -200      1856      1644         0 cqqqqqqqxxxxxx
  +6 more
────────────────────────────────────────────────────────────────────────────────
 299: 7681 = proc 1 * 64 procs + queuetime 2 * 2456.05 min + xfactor 1000 *
 2.71
WEIGHTS IN USE ─────────────────────────────────────── VALUE IN FORCE ──────────
  queuetimeweight             [────┃──────────────]        2        2 0..10
> xfactorweight               [─────────┃─────────]     1000     1000 0..2000
  targetqueuetimeweight       [─────────┃─────────]  0.00001  0.00001 0..0.00002
  userweight                  [──┃────────────────]        1        1 0..10
  +29 more
 Done: tune xfactorweight 1000. u undoes it.
 W weights  e value  { -10  } +10  0 default  b percent  u undo  ? help  Q quit
EOS
screen 'the journal has it, the newest on top' journal <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority [8 Journal]
      SEQ TIME        WHO          WHAT                              UNDO
>    2553 08:00:00    OPERATOR     set xfactorweight = 1000          u undoes it
     2549 08:00:00    OPERATOR     release user 299                  u undoes it
     2545 08:00:00    OPERATOR     hold user 299                     u undoes it
     2544 08:00:00    ops          hold system 509                   u undoes it
     2543 08:00:00    ops          hold user 427                     u undoes it
     2541 07:59:37    sched        start 515 (backfilled)
     2540 07:59:37    sched        end 485, status 0
     2538 07:15:40    sched        start 494 (backfilled)
     2537 07:15:40    sched        end 486, status 0
     2536 07:14:11    sched        end 528, status 0
     2534 07:14:00    sched        start 500 (backfilled)
     2533 07:14:00    sched        start 528 (backfilled)
     2532 07:14:00    sched        end 393, status 0
     2530 06:39:19    eva          submit 528: 2 processors for 0:1~
     2529 06:32:30    sched        end 527, status 0
     2527 06:30:04    sched        start 527 (backfilled)
  +984 more
────────────────────────────────────────────────────────────────────────────────
 2553  2026-01-09T08:00:00  OPERATOR: set xfactorweight = 1000
 1000 entries, without plans, queue time and bypass counts (f: all)
 u undo  <Enter> open  f all  / filter  <F3> search  q back      ? help  Q quit
EOS
screen 'u drafts its undoing' undo-draft <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority [8 Journal]
      SEQ TIME        WHO          WHAT                              UNDO
>    2553 08:00:00    OPERATOR     set xfactorweight = 1000          u undoes it
     2549 08:00:00    OPERATOR     release user 299                  u undoes it
     2545 08:00:00    OPERATOR     hold user 299                     u undoes it
     2544 08:00:00    ops          hold system 509                   u undoes it
     2543 08:00:00    ops          hold user 427                     u undoes it
     2541 07:59:37    sched        start 515 (backfilled)
     2540 07:59:37    sched        end 485, status 0
     2538 07:15:40    sched        start 494 (backfilled)
     2537 07:15:40    sched        end 486, status 0
     2536 07:14:11    sched        end 528, status 0
     2534 07:14:00    sched        start 500 (backfilled)
     2533 07:14:00    sched        start 528 (backfilled)
     2532 07:14:00    sched        end 393, status 0
     2530 06:39:19    eva          submit 528: 2 processors for 0:1~
     2529 06:32:30    sched        end 527, status 0
     2527 06:30:04    sched        start 527 (backfilled)
  +984 more
────────────────────────────────────────────────────────────────────────────────
 2553  2026-01-09T08:00:00  OPERATOR: set xfactorweight = 1000
 undo 2553 (xfactorweight = 1000): 10 jobs change order; 8 earlier; 3 later; 479
 <Enter> apply  <Esc> drop  u undo  f all  / filter  q back      ? help  Q quit
EOS
screen 'undone' undone <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority [8 Journal]
      SEQ TIME        WHO          WHAT                              UNDO
>    2557 08:00:00    OPERATOR     undo 2553                         u undoes it
     2553 08:00:00    OPERATOR     set xfactorweight = 1000          undone
     2549 08:00:00    OPERATOR     release user 299                  u undoes it
     2545 08:00:00    OPERATOR     hold user 299                     u undoes it
     2544 08:00:00    ops          hold system 509                   u undoes it
     2543 08:00:00    ops          hold user 427                     u undoes it
     2541 07:59:37    sched        start 515 (backfilled)
     2540 07:59:37    sched        end 485, status 0
     2538 07:15:40    sched        start 494 (backfilled)
     2537 07:15:40    sched        end 486, status 0
     2536 07:14:11    sched        end 528, status 0
     2534 07:14:00    sched        start 500 (backfilled)
     2533 07:14:00    sched        start 528 (backfilled)
     2532 07:14:00    sched        end 393, status 0
     2530 06:39:19    eva          submit 528: 2 processors for 0:1~
     2529 06:32:30    sched        end 527, status 0
  +985 more
────────────────────────────────────────────────────────────────────────────────
 2557  2026-01-09T08:00:00  OPERATOR: undo 2553
 Done: undo 2553 (xfactorweight = 1000).
 u undo  <Enter> open  f all  / filter  <F3> search  q back      ? help  Q quit
EOS
screen 'the order is as it was' last <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 58/64  90%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
ACTIVE 10 - by completion ──────────────── ENDS BY ──────────── USED ───────────
  521   b olga        4    8:00:00       -  09:58:47 +1:58h      75%
  500   b eva         8    4:00:00       -  11:14:00 +3:14h      19%
  494   b lars        8    6:00:00       -  13:15:40 +5:15h      12%
  489   b ravi        1   18:00:00       -  15:40:19 +7:40h      57%
  483   b eva         8   12:00:00       -  17:44:23 +9:44h      18%
  423   b chen        8   18:00:00       -  18:52:41 +10:52h     39%
  385   b amina       8 1:00:00:00       -  21:37:30 +13:37h     43%
  515   b bob         8 1:00:00:00       -  Jan10 07:59 +23:59h   0%
  510   b lars        4 1:12:00:00       -  Jan10 12:54 +1d04h   19%
  456   b ravi        1 2:00:00:00       -  Jan10 19:01 +1d11h   27%
IDLE 13 - by priority ──────────────────────────────────────────────────────────
> 299   r john       64 1:00:00:00    5246  Jan10 19:01 +1d11h  58 procs short
  307   r bob        55 1:00:00:00    5200  Jan11 19:01 +2d11h  49 procs short
  491     amina      16    6:00:00    3448 ~11:14:00 +3:14h     10 procs short
  395     eva        64    4:00:00    2803 ~Jan12 19:01 +3d11h  58 procs short
  +11 more
 Job 299 needs 64 processors and 6 are free: 58 short.
 Total Jobs: 25   Active Jobs: 10   Idle Jobs: 13   Blocked Jobs: 2
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'leaving asks' question <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
[1 Queue] 2 Job  3 Priority  8 Journal
 Procs  [███████████████████ 58/64  90%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER     PROC    WCLIMIT    PRIO EST.START            WHY NOT NOW
ACTIVE 10 - by completion ──────────────── ENDS BY ──────────── USED ───────────
  521   b olga        4    8:00:00       -  09:58:47 +1:58h      75%
  500   b eva         8    4:00:00       -  11:14:00 +3:14h      19%
  494   b lars        8    6:00:00       -  13:15:40 +5:15h      12%
  489   b ravi        1   18:00:00       -  15:40:19 +7:40h      57%
  483   b eva         8   12:00:00       -  17:44:23 +9:44h      18%
  423   b chen        8   18:00:00       -  18:52:41 +10:52h     39%
  385   b amina       8 1:00:00:00       -  21:37:30 +13:37h     43%
  515   b bob         8 1:00:00:00       -  Jan10 07:59 +23:59h   0%
  510   b lars        4 1:12:00:00       -  Jan10 12:54 +1d04h   19%
  456   b ravi        1 2:00:00:00       -  Jan10 19:01 +1d11h   27%
IDLE 13 - by priority ──────────────────────────────────────────────────────────
> 299   r john       64 1:00:00:00    5246  Jan10 19:01 +1d11h  58 procs short
  307   r bob        55 1:00:00:00    5200  Jan11 19:01 +2d11h  49 procs short
  491     amina      16    6:00:00    3448 ~11:14:00 +3:14h     10 procs short
  395     eva        64    4:00:00    2803 ~Jan12 19:01 +3d11h  58 procs short
  +11 more
 Job 299 needs 64 processors and 6 are free: 58 short.
 Leave? The scheduler stops too.  [y] leave (Enter)  [n] stay
 <Enter> give  <Esc> never mind                                  ? help  Q quit
EOS
