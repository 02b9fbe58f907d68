#!/bin/sh
# SPDX-License-Identifier: MIT
#
# asked.sh - queries of the What-if screen: an option at several values, and changes that start a job in time
#
# The queue of tests/hpc2n.sh at 16:02:11. With MAXPS 98696 job 900991 starts at once; for a start by 19:00 a smaller
# limit suffices. A value that is taken from an answer is added to the draft only.

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"
# shellcheck source=tests/hpc2n.sh
. "$KAHU_SOURCE/tests/hpc2n.sh"
export TZ=UTC # the session below is drawn, and its hours are typed, in UTC

history snac1 >log

on_the_day <<'EOS'
size 80x24
keys 7 V
dump offered
keys <C-u>
type account[none].maxps[user]=60000..140000/9
keys <Enter>
dump sweep
keys k <Enter>
dump preview
keys d q
dump taken
keys A
dump commit
keys n D g
:tune xfactorweight=600
keys V
dump offered-again
keys <Enter>
dump no-better
keys V <C-u>
type backfillpolicy=firstfit|nonsense
keys <Enter> j j <Enter>
dump refused
keys V <C-u>
type backfillpolicy=nonsense
keys <Enter>
dump no-answer
keys V <C-u>
type nothing=1..2
keys <Enter>
dump no-option
keys V <C-u>
type user[eva].maxps=1..unlimited
keys <Enter>
dump no-end
size 100x30
keys V <C-u>
type fsweight=1..5/3
keys <Enter>
dump sweep-100
keys q q
dump left
EOS

screen 'V suggests a weight that is in use' offered <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Projection of the queue              full projection, jobs run to their limits
 No draft is open. To open one, change weights (W) or a setting (: tune
 user[eva].maxproc 8), or hold and release jobs (H, R). This screen shows the
 draft's edits from all screens.
────────────────────────────────────────────────────────────────────────────────
  JOB        PRIORITY START       WAIT        TOTALS OF 17 JOBS             LIVE
> S        r      532 Mar26 07:00 1:23:50:00  jobs that start                 17
  900991          433 19:44:39    10:55:28    mean wait                 20:32:01
  900992          431 23:44:39    14:53:41    max wait                1:23:50:00
  900993          426 Mar25 02:07 17:12:19    mean xfactor                 13.78
  900995          417 Mar25 04:02 18:58:07    last start             Mar26 07:00
  900997          413 Mar25 06:01 20:53:21    used until then              75.5%
  901025          312 Mar25 07:31 21:07:11
  901023          282 Mar25 15:30 1:05:11:41
  901013          272 21:44:39    12:01:34
  901620   !        1 Mar25 05:01 19:27:23
  +7 more
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now           23:49:44      Mar25 07:37    Mar25 15:24   Mar25 23:12

sweep: queuetimeweight=0..2
 <Enter> accept  <Esc> cancel                                    ? help  Q quit
EOS
screen 'each value with its mean wait, moved starts, and the start of the job under the cursor' sweep <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Sweep]
 account[none].maxps[user] at 9 values
                                      full projection, jobs run to their limits
 * 140000,1080000 gives the shortest mean wait, 12:01:58 instead of 20:32:01,
 over the jobs that start with all values (17).
────────────────────────────────────────────────────────────────────────────────
                     VALUE   MEAN WAIT  ORDER  MOVED  LATER   START         RANK
                   current    20:32:01      0      0      0   Mar26 07:00      1
             60000,1080000  1:00:23:04      0     16     16   Mar26 07:00      1
             70000,1080000    21:52:04      0     16     16   Mar26 07:00      1
             80000,1080000    18:49:53      0     16      0   Mar26 07:00      1
             90000,1080000    16:59:03      0     16      0   Mar26 07:00      1
            100000,1080000    15:27:47      0     16      0   Mar26 07:00      1
            110000,1080000    14:09:56      0     16      0   Mar26 07:00      1
            120000,1080000    13:22:59      0     16      0   Mar26 07:00      1
            130000,1080000    12:40:39      0     16      0   Mar26 07:00      1
> *         140000,1080000    12:01:58      0     16      0   Mar26 07:00      1




 START and RANK are those of job S; MOVED and LATER count all jobs
 <Enter> preview  V sweep  B solve  q back  : command            ? help  Q quit
EOS
screen 'Enter previews a value and leaves the draft unchanged' preview <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Sweep]
 account[none].maxps[user] at 9 values
                                      full projection, jobs run to their limits
 * 140000,1080000 gives the shortest mean wait, 12:01:58 instead of 20:32:01,
 over the jobs that start with all values (17).
────────────────────────────────────────────────────────────────────────────────
                     VALUE   MEAN WAIT  ORDER  MOVED  LATER   START         RANK
                   current    20:32:01      0      0      0   Mar26 07:00      1
             60000,1080000  1:00:23:04      0     16     16   Mar26 07:00      1
             70000,1080000    21:52:04      0     16     16   Mar26 07:00      1
             80000,1080000    18:49:53      0     16      0   Mar26 07:00      1
             90000,1080000    16:59:03      0     16      0   Mar26 07:00      1
            100000,1080000    15:27:47      0     16      0   Mar26 07:00      1
            110000,1080000    14:09:56      0     16      0   Mar26 07:00      1
            120000,1080000    13:22:59      0     16      0   Mar26 07:00      1
>           130000,1080000    12:40:39      0     16      0   Mar26 07:00      1
┌─ Not applied yet ────────────────────────────────────────────────────────────┐
│ tune account[none].maxps[user] 130000,1080000                                │
│ (projection): order unchanged; 16 earlier                                    │
│ <Enter> apply   <Esc> dismiss   d add to the draft                           │
└──────────────────────────────────────────────────────────────────────────────┘
 START and RANK are those of job S; MOVED and LATER count all jobs
EOS
screen 'd adds the value to the draft' taken <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                 full projection, jobs run to their limits
>  1     set account[none].maxps[user] = 130000,1080000
────────────────────────────────────────────────────────────────────────────────
  JOB       LIVE        DRAFT       CHANGE    TOTALS OF 17 JOBS LIVE       DRAFT
> S       r Mar26 07:00 Mar26 07:00           jobs that start     17          17
  900991    19:44:39    now         -3:42:28  mean wait     20:32:01    12:40:39
  900992    23:44:39    17:25:53    -6:18:46  max wait    1:23:50:00  1:23:50:00
  900993    Mar25 02:07 19:19:15    -6:48:34  mean xfactor     13.78        9.39
  900995    Mar25 04:02 20:39:42    -7:23:07  last start Mar26 07:00 Mar26 07:00
  900997    Mar25 06:01 21:51:37    -8:10:12  used until then  75.5%       75.5%
  901025    Mar25 07:31 22:28:32    -9:03:17  jobs delayed         -           0
  901023    Mar25 15:30 Mar25 01:46 -13:44:24 worst delay          -           -
  901013    21:44:39    16:22:01    -5:22:38
  901620  ! Mar25 05:01 21:07:05    -7:54:44
  +7 more
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now           23:49:44      Mar25 07:37    Mar25 15:24   Mar25 23:12
 DRAFT 1 edit                                                A apply  D discard
 (projection): order unchanged; 16 earlier
 16 earlier, 0 later, 0 change rank   focus: jobs (<Tab>)
 e value  f on/off  V sweep  B solve  m assume  r remove  w why  ? help  Q quit
EOS
screen 'c lists the edits and asks for confirmation' commit <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Projection of the queue              full projection, jobs run to their limits
 No draft is open. To open one, change weights (W) or a setting (: tune
 user[eva].maxproc 8), or hold and release jobs (H, R). This screen shows the
 draft's edits from all screens.
────────────────────────────────────────────────────────────────────────────────
  JOB        PRIORITY START       WAIT        TOTALS OF 16 JOBS             LIVE
> S        r      532 Mar26 07:00 1:23:50:00  jobs that start                 16
  900992          431 17:25:53    8:34:55     mean wait                 13:01:08
  900993          426 19:19:15    10:23:45    max wait                1:23:50:00
  900995          417 20:39:42    11:35:00    mean xfactor                  9.46
  900997          413 21:51:37    12:43:09    last start             Mar26 07:00
  901025          312 22:28:32    12:03:54    used until then              75.5%
  901023          282 Mar25 01:46 15:27:17
  901013          272 16:22:01    6:38:56
  901108            1 23:13:33    8:40:27
  901620   !        1 21:07:05    11:32:39
  +6 more
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now           23:49:44      Mar25 07:37    Mar25 15:24   Mar25 23:12

 Done: tune account[none].maxps[user] 130000,1080000. u undoes it.
 V sweep  B solve  m assume  W weights  H hold  w why  / filter  ? help  Q quit
EOS
screen 'V suggests the option of the edit under the cursor, from nothing to twice its value' offered-again <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                 full projection, jobs run to their limits
>  1     set xfactorweight = 600
────────────────────────────────────────────────────────────────────────────────
  JOB       LIVE        DRAFT       CHANGE    TOTALS OF 16 JOBS LIVE       DRAFT
> S       r Mar26 07:00 Mar26 07:00           jobs that start     16          16
  900992    17:25:53    17:25:53              mean wait     13:01:08    13:01:08
  900993    19:19:15    19:19:15              max wait    1:23:50:00  1:23:50:00
  900995    20:39:42    20:39:42              mean xfactor      9.46        9.46
  900997    21:51:37    21:51:37              last start Mar26 07:00 Mar26 07:00
  901025    22:28:32    22:28:32              used until then  75.5%       75.5%
  901023    Mar25 01:46 Mar25 01:46           jobs delayed         -           0
  901013    16:22:01    16:22:01              worst delay          -           -
  901108    23:13:33    23:13:33
  901620  ! 21:07:05    21:07:05
  +6 more
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now           23:49:44      Mar25 07:37    Mar25 15:24   Mar25 23:12
 DRAFT 1 edit                                                A apply  D discard
 (projection): 3 jobs change order
sweep: xfactorweight=0..1200
 <Enter> accept  <Esc> cancel                                    ? help  Q quit
EOS
screen 'it says if no value is better' no-better <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Sweep]
 xfactorweight at 11 values, on top of the draft
                                      full projection, jobs run to their limits
 No value gives a shorter mean wait than the current one, 13:01:08, over the
 jobs that start with all values (16).
────────────────────────────────────────────────────────────────────────────────
                     VALUE   MEAN WAIT  ORDER  MOVED  LATER   START         RANK
>                  current    13:01:08      0      0      0   Mar26 07:00      1
                         0    13:01:08      0      0      0   Mar26 07:00      1
                       120    13:01:08      3      0      0   Mar26 07:00      1
                       240    13:01:08      3      0      0   Mar26 07:00      1
                       360    13:01:08      3      0      0   Mar26 07:00      1
                       480    13:01:08      3      0      0   Mar26 07:00      1
                       600    13:01:08      3      0      0   Mar26 07:00      1
                       720    13:01:08      3      0      0   Mar26 07:00      1
                       840    13:01:08      3      0      0   Mar26 07:00      1
                       960    13:01:08      3      0      0   Mar26 07:00      1
                      1080    13:01:08      3      0      0   Mar26 07:00      1
                      1200    13:01:08      3      0      0   Mar26 07:00      1
 DRAFT 1 edit: set xfactorweight = 600                       A apply  D discard
 (projection): 3 jobs change order
 START and RANK are those of job S; MOVED and LATER count all jobs
 <Enter> preview  V sweep  B solve  q back  : command            ? help  Q quit
EOS
screen 'a refused value has its reason' refused <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Sweep]
 backfillpolicy at 2 values, on top of the draft
                                      full projection, jobs run to their limits
 No value gives a shorter mean wait than the current one, 13:01:08, over the
 jobs that start with all values (16).
────────────────────────────────────────────────────────────────────────────────
                     VALUE   MEAN WAIT  ORDER  MOVED  LATER   START         RANK
                   current    13:01:08      0      0      0   Mar26 07:00      1
                  firstfit    13:01:08      3      0      0   Mar26 07:00      1
>                 nonsense     refused









 DRAFT 1 edit: set xfactorweight = 600                       A apply  D discard
 (projection): 3 jobs change order
 backfillpolicy must be firstfit, none, bestfit or greedy, got "nonsense"
 <Enter> preview  V sweep  B solve  q back  : command            ? help  Q quit
EOS
screen 'all values are refused: there is no answer' no-answer <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Sweep]
 backfillpolicy at 1 value, on top of the draft
                                      full projection, jobs run to their limits
 backfillpolicy must be firstfit, none, bestfit or greedy, got "nonsense"
────────────────────────────────────────────────────────────────────────────────














 DRAFT 1 edit: set xfactorweight = 600                       A apply  D discard
 (projection): 3 jobs change order

 <Enter> preview  V sweep  B solve  q back  : command            ? help  Q quit
EOS
screen 'unknown option: the last answer stays' no-option <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Sweep]
 backfillpolicy at 1 value, on top of the draft
                                      full projection, jobs run to their limits
 backfillpolicy must be firstfit, none, bestfit or greedy, got "nonsense"
────────────────────────────────────────────────────────────────────────────────














 DRAFT 1 edit: set xfactorweight = 600                       A apply  D discard
 (projection): 3 jobs change order
 there is no option nothing
 <Enter> preview  V sweep  B solve  q back  : command            ? help  Q quit
EOS
screen 'a range without an end is refused' no-end <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Sweep]
 backfillpolicy at 1 value, on top of the draft
                                      full projection, jobs run to their limits
 backfillpolicy must be firstfit, none, bestfit or greedy, got "nonsense"
────────────────────────────────────────────────────────────────────────────────













 DRAFT 1 edit: set xfactorweight = 600                       A apply  D discard
 (projection): 3 jobs change order
 unlimited cannot be the end of a range: user[eva].maxps allows 1000000000000000
 at most
 <Enter> preview  V sweep  B solve  q back  : command            ? help  Q quit
EOS
screen '100x30: the answer' sweep-100 <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Sweep]
 fsweight at 3 values, on top of the draft                full projection, jobs run to their limits
 No value gives a shorter mean wait than the current one, 13:01:08, over the jobs that start with
 all values (16).
────────────────────────────────────────────────────────────────────────────────────────────────────
                       VALUE   MEAN WAIT  ORDER  MOVED  LATER   START         RANK
>                    current    13:01:08      0      0      0   Mar26 07:00      1
                           1    13:01:08      3      0      0   Mar26 07:00      1
                           3    13:01:08      3      0      0   Mar26 07:00      1
                           5    13:01:08      3      0      0   Mar26 07:00      1














 START and RANK are those of job S; MOVED and LATER count all jobs
 DRAFT 1 edit: set xfactorweight = 600                                           A apply  D discard
 (projection): 3 jobs change order

 <Enter> preview  V sweep  B solve  q back  : command                                ? help  Q quit
EOS
screen 'Esc closes the answer, and a second Esc discards the draft' left <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [█████████████████████████ 3837/5080  75%] Nodes  [███████████████████████████ 635/635 100%]
  JOB        USER       CLASS  PROC    WCLIMIT   PRIO QUEUED EST.START            WHY NOT NOW
  900991   b user1      batch     8    1:00:00      -  7:13h  17:02:11 +1:00h       0%
  899744     user1      batch     2   14:54:30      -  2:50h  Mar25 01:44 +9:42h   34%
  A          eva        batch  3810 2:00:00:00      -     0s  Mar26 07:00 +1d14h   18%
  B          eva        batch    17 2:00:00:00      -     0s  Mar26 07:00 +1d14h   18%
IDLE 9 - by priority ───────────────────────────────────────────────────────────────────────────────
> S        r sam        batch  2000    1:00:00    532  8:52h  Mar26 07:00 +1d14h  757 procs short
  900992     user1      batch     8    2:00:00    431  7:11h  17:25:53 +1:23h     MAXPS 156296>1300~
  900993     user1      batch     8    2:00:00    426  7:06h  19:19:15 +3:17h     MAXPS 156296>1300~
  900995     user1      batch     8    2:00:00    417  6:57h  20:39:42 +4:37h     MAXPS 156296>1300~
  900997     user1      batch     8    2:00:00    413  6:53h  21:51:37 +5:49h     MAXPS 156296>1300~
  901025     user1      batch     8    2:00:00    312  5:12h  22:28:32 +6:26h     MAXPS 156296>1300~
  901023     user1      batch     8    2:29:00    282  4:42h  Mar25 01:46 +9:44h  MAXPS 170216>1300~
  901013     user1      batch     8    1:30:00    272  4:32h  16:22:01 +19m       MAXPS 141896>1300~
  901108     user1      batch     8    2:00:00      1     0s  23:13:33 +7:11h     MAXPS 156296>1300~
BLOCKED 7 - by idle limits ─────────────────────────────────────────────────────────────────────────
  901620   ! user1      batch     8    1:29:00      1     0s  21:07:05 +5:04h     MAXIJOB 8 of 8
  901624   ! user1      batch     8    2:00:00      1     0s  Mar25 01:03 +9:01h  MAXIJOB 8 of 8
  901627   ! user1      batch     8    1:25:00      1     0s  19:49:44 +3:47h     MAXIJOB 8 of 8
  +4 more
 Job S needs 2000 processors and 1243 are free: 757 short.

 Total Jobs: 20   Active Jobs: 4   Idle Jobs: 9   Blocked Jobs: 7
 DRAFT 1 edit: set xfactorweight = 600                                           A apply  D discard
 (projection): 3 jobs change order

 <Enter> open  w why  H hold  R release  W weights  u undo  o output  x cancel       ? help  Q quit
EOS

on_the_day <<'EOS'
size 80x24
keys 7 g j B
dump by-when
keys <Enter>
dump now
keys <Enter> d q g j B <Enter>
dump needless
keys q D g j B <C-u>
type 19:00
keys <Enter>
dump later
keys <Enter> d q
dump taken
keys g j B <Enter>
dump more
keys q D g B <Enter>
dump none
keys q g j B <C-u>
type soon
keys <Enter>
dump no-time
size 100x30
keys B <Enter>
dump now-100
size 200x60
dump now-200
EOS

screen 'B asks for the time of the start' by-when <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Projection of the queue              full projection, jobs run to their limits
 No draft is open. To open one, change weights (W) or a setting (: tune
 user[eva].maxproc 8), or hold and release jobs (H, R). This screen shows the
 draft's edits from all screens.
────────────────────────────────────────────────────────────────────────────────
  JOB        PRIORITY START       WAIT        TOTALS OF 17 JOBS             LIVE
  S        r      532 Mar26 07:00 1:23:50:00  jobs that start                 17
> 900991          433 19:44:39    10:55:28    mean wait                 20:32:01
  900992          431 23:44:39    14:53:41    max wait                1:23:50:00
  900993          426 Mar25 02:07 17:12:19    mean xfactor                 13.78
  900995          417 Mar25 04:02 18:58:07    last start             Mar26 07:00
  900997          413 Mar25 06:01 20:53:21    used until then              75.5%
  901025          312 Mar25 07:31 21:07:11
  901023          282 Mar25 15:30 1:05:11:41
  901013          272 21:44:39    12:01:34
  901620   !        1 Mar25 05:01 19:27:23
  +7 more
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now           23:49:44      Mar25 07:37    Mar25 15:24   Mar25 23:12

start job 900991 by: now
 <Enter> accept  <Esc> cancel                                    ? help  Q quit
EOS
screen 'the smallest single change that starts the job now' now <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Start by]
 Start job 900991 now                 full projection, jobs run to their limits
 Changing any one of 1 weights and limits (of 33 tried) is enough; the smallest
 change is first. The job starts 19:44:39 without a change. Each change was
 projected; none is applied.
────────────────────────────────────────────────────────────────────────────────
  SETTING                                TO CHANGE STARTS      LATER     AT MOST
> account[none].maxps[user:user1]     98696  37.1% now             0













 EARLIER and LATER count other jobs
 <Enter> preview  B solve  V sweep  q back  : command            ? help  Q quit
EOS
screen 'with the draft the job starts in time already' needless <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Start by]
 Start job 900991 now                 full projection, jobs run to their limits
 No change needed: the job starts now without a change.
────────────────────────────────────────────────────────────────────────────────















 DRAFT 1 edit: set account[none].maxps[user:user1] = 98696,~ A apply  D discard
 (projection): order unchanged; 16 earlier

 <Enter> preview  B solve  V sweep  q back  : command            ? help  Q quit
EOS
screen 'a later start needs a smaller limit' later <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Start by]
 Start job 900991 by 19:00:00         full projection, jobs run to their limits
 Changing any one of 1 weights and limits (of 33 tried) is enough; the smallest
 change is first. The job starts 19:44:39 without a change. Each change was
 projected; none is applied.
────────────────────────────────────────────────────────────────────────────────
  SETTING                                TO CHANGE STARTS      LATER     AT MOST
> account[none].maxps[user:user1]     77358   7.4% 19:00:00        0













 EARLIER and LATER count other jobs
 <Enter> preview  B solve  V sweep  q back  : command            ? help  Q quit
EOS
screen 'd adds the change to the draft' taken <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                 full projection, jobs run to their limits
>  1     set account[none].maxps[user:user1] = 77358,1080000
────────────────────────────────────────────────────────────────────────────────
  JOB       LIVE        DRAFT       CHANGE    TOTALS OF 17 JOBS LIVE       DRAFT
  S       r Mar26 07:00 Mar26 07:00           jobs that start     17          17
> 900991    19:44:39    19:00:00    -0:44:39  mean wait     20:32:01    19:22:45
  900992    23:44:39    23:00:00    -0:44:39  max wait    1:23:50:00  1:23:50:00
  900993    Mar25 02:07 Mar25 01:20 -0:47:13  mean xfactor     13.78       13.14
  900995    Mar25 04:02 Mar25 03:04 -0:58:22  last start Mar26 07:00 Mar26 07:00
  900997    Mar25 06:01 Mar25 04:52 -1:09:31  used until then  75.5%       75.5%
  901025    Mar25 07:31 Mar25 06:11 -1:20:40  jobs delayed         -           0
  901023    Mar25 15:30 Mar25 13:14 -2:16:25  worst delay          -           -
  901013    21:44:39    21:00:00    -0:44:39
  901620  ! Mar25 05:01 Mar25 03:52 -1:09:31
  +7 more
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now           23:49:44      Mar25 07:37    Mar25 15:24   Mar25 23:12
 DRAFT 1 edit                                                A apply  D discard
 (projection): order unchanged; 16 earlier
 16 earlier, 0 later, 0 change rank   focus: jobs (<Tab>)
 e value  f on/off  V sweep  B solve  m assume  r remove  w why  ? help  Q quit
EOS
screen 'the distance is computed from the draft' more <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Start by]
 Start job 900991 now                 full projection, jobs run to their limits
 Changing any one of 1 weights and limits (of 34 tried) is enough; the smallest
 change is first. The job starts 19:00:00 without a change. Each change was
 projected; none is applied.
────────────────────────────────────────────────────────────────────────────────
  SETTING                                TO CHANGE STARTS      LATER     AT MOST
> account[none].maxps[user:user1]     98696  27.6% now             0











 DRAFT 1 edit: set account[none].maxps[user:user1] = 77358,~ A apply  D discard
 (projection): order unchanged; 16 earlier
 EARLIER and LATER count other jobs
 <Enter> preview  B solve  V sweep  q back  : command            ? help  Q quit
EOS
screen 'no value in the range, and what blocks the job' none <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Start by]
 Start job S now                      full projection, jobs run to their limits
 No single change of 33 weights and limits is enough, from 0 to ten times the
 current value (at least 1000). The job starts Mar26 07:00 without a change. It
 needs 2000 processors and 1251 are free: 749 short.
────────────────────────────────────────────────────────────────────────────────
















 <Enter> preview  B solve  V sweep  q back  : command            ? help  Q quit
EOS
screen 'an invalid time is refused' no-time <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Projection of the queue              full projection, jobs run to their limits
 No draft is open. To open one, change weights (W) or a setting (: tune
 user[eva].maxproc 8), or hold and release jobs (H, R). This screen shows the
 draft's edits from all screens.
────────────────────────────────────────────────────────────────────────────────
  JOB        PRIORITY START       WAIT        TOTALS OF 17 JOBS             LIVE
  S        r      532 Mar26 07:00 1:23:50:00  jobs that start                 17
> 900991          433 19:44:39    10:55:28    mean wait                 20:32:01
  900992          431 23:44:39    14:53:41    max wait                1:23:50:00
  900993          426 Mar25 02:07 17:12:19    mean xfactor                 13.78
  900995          417 Mar25 04:02 18:58:07    last start             Mar26 07:00
  900997          413 Mar25 06:01 20:53:21    used until then              75.5%
  901025          312 Mar25 07:31 21:07:11
  901023          282 Mar25 15:30 1:05:11:41
  901013          272 21:44:39    12:01:34
  +8 more
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now           23:49:44      Mar25 07:37    Mar25 15:24   Mar25 23:12

 "soon" is not a time: write 16:30, 2026-03-24T16:30, +2:00:00 (from now) or
 seconds since 1970
 V sweep  B solve  m assume  W weights  H hold  w why  / filter  ? help  Q quit
EOS
screen '100x30: the current value, and the jobs that start earlier' now-100 <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Start by]
 Start job 900991 now                                     full projection, jobs run to their limits
 Changing any one of 1 weights and limits (of 33 tried) is enough; the smallest change is first.
 The job starts 19:44:39 without a change. Each change was projected; none is applied.
────────────────────────────────────────────────────────────────────────────────────────────────────
  SETTING                                 NOW        TO CHANGE STARTS      EARLIER LATER     AT MOST
> account[none].maxps[user:user1]       72000     98696  37.1% now              15     0



















 EARLIER and LATER count other jobs

 <Enter> preview  B solve  V sweep  q back  : command                                ? help  Q quit
EOS
screen '200x60: the current value, and the jobs that start earlier' now-200 <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Start by]
 Start job 900991 now                                                                                                                                         full projection, jobs run to their limits
 Changing any one of 1 weights and limits (of 33 tried) is enough; the smallest change is first. The job starts 19:44:39 without a change. Each change was projected; none is applied.
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  SETTING                                                                                                                                     NOW        TO CHANGE STARTS      EARLIER LATER     AT MOST
> account[none].maxps[user:user1]                                                                                                           72000     98696  37.1% now              15     0


















































 EARLIER and LATER count other jobs

 <Enter> preview  B solve  V sweep  q back  : command                                                                                                                                    ? help  Q quit
EOS

# There is one processor, used until 08:00. A job of bob's ranks before eva's because of its longer limit, although
# she has 100000 points: 3600 s * 27 are less, 3600 s * 28 are more.
cat >weights.conf <<'CONF'
queuetimeweight = 0
walltimeweight = 50
userweight = 1
user eva { priority = 100000 }
CONF
{
	echo "VERSION 230"
	job 1 sam other 1 1:00:00 08:00:00
	job 2 bob other 1 2:00:00 08:10:00
	job 3 eva other 1 1:00:00 08:10:00
} >weights.log

play replay weights.log --cluster 1x1 --config weights.conf --console <<'EOS'
size 80x24
until 07:20:00
keys 7 g j B <C-u>
type 08:00
keys <Enter>
dump weights
size 100x30
dump weights-100
keys q V <C-u>
type walltimeweight=0..50/6
keys <Enter>
dump best
size 80x24
keys B <Enter>
dump hopeless
keys q
dump back
EOS

screen 'weights: the smallest change first' weights <<'EOS'
 KAHU simulation  Thu Mar 24 07:20:00  stopped   LIVE
 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Start by]
 Start job 3 by 08:00:00              full projection, jobs run to their limits
 Changing any one of 4 weights and limits (of 29 tried) is enough; the smallest
 change is first. The job starts 10:00:00 without a change. Each change was
 projected; none is applied.
────────────────────────────────────────────────────────────────────────────────
  SETTING                                TO CHANGE STARTS      LATER     AT MOST
> walltimeweight                         27  46.0% 08:00:00        1    +1:00:00
  credweight                              2 100.0% 08:00:00        1    +1:00:00
  resweight                               0 100.0% 08:00:00        1    +1:00:00
  userweight                              2 100.0% 08:00:00        1    +1:00:00










 EARLIER and LATER count other jobs; job 2 is delayed most
 <Enter> preview  B solve  V sweep  q back  : command            ? help  Q quit
EOS
screen '100x30: weights, the smallest change first' weights-100 <<'EOS'
 KAHU simulation  Thu Mar 24 07:20:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Start by]
 Start job 3 by 08:00:00                                  full projection, jobs run to their limits
 Changing any one of 4 weights and limits (of 29 tried) is enough; the smallest change is first.
 The job starts 10:00:00 without a change. Each change was projected; none is applied.
────────────────────────────────────────────────────────────────────────────────────────────────────
  SETTING                                 NOW        TO CHANGE STARTS      EARLIER LATER     AT MOST
> walltimeweight                           50        27  46.0% 08:00:00          0     1    +1:00:00
  credweight                                1         2 100.0% 08:00:00          0     1    +1:00:00
  resweight                                 1         0 100.0% 08:00:00          0     1    +1:00:00
  userweight                                1         2 100.0% 08:00:00          0     1    +1:00:00
















 EARLIER and LATER count other jobs; job 2 is delayed most

 <Enter> preview  B solve  V sweep  q back  : command                                ? help  Q quit
EOS
screen 'the best value is marked and has the cursor' best <<'EOS'
 KAHU simulation  Thu Mar 24 07:20:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Sweep]
 walltimeweight at 6 values                               full projection, jobs run to their limits
 * 0 gives the shortest mean wait, 1:20:00 instead of 1:50:00, over the jobs that start with all
 values (2).
────────────────────────────────────────────────────────────────────────────────────────────────────
                       VALUE   MEAN WAIT  ORDER  MOVED  LATER   START         RANK
                     current     1:50:00      0      0      0   10:00:00         2
> *                        0     1:20:00      2      2      1   08:00:00         1
                          10     1:20:00      2      2      1   08:00:00         1
                          20     1:20:00      2      2      1   08:00:00         1
                          30     1:50:00      0      0      0   10:00:00         2
                          40     1:50:00      0      0      0   10:00:00         2
                          50     1:50:00      0      0      0   10:00:00         2













 START and RANK are those of job 3; MOVED and LATER count all jobs

 <Enter> preview  V sweep  B solve  q back  : command                                ? help  Q quit
EOS
screen 'no weight and no limit starts the job while its processor is in use' hopeless <<'EOS'
 KAHU simulation  Thu Mar 24 07:20:00  stopped   LIVE
 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Start by]
 Start job 3 now                      full projection, jobs run to their limits
 No single change of 29 weights and limits is enough, from 0 to ten times the
 current value (at least 1000). The job starts 10:00:00 without a change. It
 needs 1 processor and 0 are free: 1 short.
────────────────────────────────────────────────────────────────────────────────
















 <Enter> preview  B solve  V sweep  q back  : command            ? help  Q quit
EOS
screen 'from one answer to another, and back to the What-if screen' back <<'EOS'
 KAHU simulation  Thu Mar 24 07:20:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Projection of the queue              full projection, jobs run to their limits
 No draft is open. To open one, change weights (W) or a setting (: tune
 user[eva].maxproc 8), or hold and release jobs (H, R). This screen shows the
 draft's edits from all screens.
────────────────────────────────────────────────────────────────────────────────
  JOB        PRIORITY START       WAIT        TOTALS OF 2 JOBS              LIVE
  2        r   360000 08:00:00    0:50:00     jobs that start                  2
> 3            280000 10:00:00    2:50:00     mean wait                  1:50:00
                                              max wait                   2:50:00
                                              mean xfactor                  2.62
                                              last start                10:00:00
                                              used until then             100.0%





 live  ████████████████████████████████████████████████████████████████████████
       now           07:52:00      08:24:00       08:56:00      09:28:00

 focus: jobs (<Tab>)
 V sweep  B solve  m assume  W weights  H hold  w why  / filter  ? help  Q quit
EOS
