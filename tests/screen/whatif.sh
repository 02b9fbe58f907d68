#!/bin/sh
# SPDX-License-Identifier: MIT
#
# whatif.sh - the What-if screen shows the effect of a draft on each job and in total, and only Enter applies it
#
# The queue of tests/hpc2n.sh at 16:02:11: one job of user1 uses 69896 of 72000 processor-seconds. With a limit of
# 98696 the next job starts at once instead of at 19:44:39, and the jobs behind it earlier, too.

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"
# shellcheck source=tests/hpc2n.sh
. "$KAHU_SOURCE/tests/hpc2n.sh"
export TZ=UTC # the session below is drawn, and its hours are typed, in UTC

history snac1 >log

on_the_day <<'EOS'
size 100x30
keys 7
dump live
:tune account[none].maxps[user]=98696,1080000
:tune xfactorweight=600
:hold 901023
dump three
keys <S-Tab>
dump edits
keys j f
dump off
keys f k r
dump removed
keys e <C-u>
type tune xfactorweight=50
keys <Enter>
dump written
keys e <C-u>
type tune xfactorweight=-
keys <Enter>
dump refused
keys <Tab> <Tab>
dump groups
keys <Tab> r j f
dump all-off
keys A
dump nothing
keys D y
dump dropped
EOS

screen 'the projection of the live queue' live <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Projection of the queue                                  full projection, jobs run to their limits
 No draft is open. To open one, change weights (W) or a setting (: tune user[eva].maxproc 8), or
 hold and release jobs (H, R). This screen shows the draft's edits from all screens.
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          USER      RANK   PRIORITY START       WAIT        TOTALS OF 17 JOBS             LIVE
> S          r sam          1        532 Mar26 07:00 1:23:50:00  jobs that start                 17
  900991       user1        2        433 19:44:39    10:55:28    mean wait                 20:32:01
  900992       user1        3        431 23:44:39    14:53:41    max wait                1:23:50:00
  900993       user1        4        426 Mar25 02:07 17:12:19    mean xfactor                 13.78
  900995       user1        5        417 Mar25 04:02 18:58:07    last start             Mar26 07:00
  900997       user1        6        413 Mar25 06:01 20:53:21    used until then              75.5%
  901025       user1        7        312 Mar25 07:31 21:07:11
  901023       user1        8        282 Mar25 15:30 1:05:11:41
  901013       user1        9        272 21:44:39    12:01:34
  901620     ! user1        -          1 Mar25 05:01 19:27:23
  901624     ! user1        -          1 Mar25 13:31 1:03:54:24
  901627     ! user1        -          1 Mar25 03:02 17:21:36
  901069     ! user1        -          1 Mar25 12:01 1:00:19:20
  901070     ! user1        -          1 Mar25 01:21 13:38:18
  901071     ! user1        -          1 Mar25 00:48 12:37:16
  901074     ! user1        -          1 Mar25 10:31 22:14:05
  901108     ! user1        -          1 Mar25 09:01 18:28:43
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now            22:31:49       Mar25 05:01     Mar25 11:31    Mar25 18:00    Mar26 00:30

 focus: jobs (<Tab>)

 V sweep  B solve  m assume  W weights  H hold  w why  R release  = numbers  q back  ? help  Q quit
EOS
screen 'three edits: the numbers of the full projection, and the effect of each edit' three <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                                     full projection, jobs run to their limits
>  1     set account[none].maxps[user] = 98696,1080000
   2     set xfactorweight = 600
   3     hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          PRIORITY        LIVE        DRAFT       CHANGE    TOTALS OF 16 JOBS LIVE       DRAFT
> S          r 532->6454       Mar26 07:00 Mar26 07:00           jobs that start     17          16
  900991       433->5363       19:44:39    now         -3:42:28  mean wait     19:59:32    15:01:03
  900992       431->3187       23:44:39    20:48:45    -2:55:54  max wait    1:23:50:00  1:23:50:00
  900993       426->3160       Mar25 02:07 22:40:47    -3:27:02  mean xfactor     13.85       10.88
  900995       417->3104       Mar25 04:02 Mar25 00:13 -3:49:13  last start Mar26 07:00 Mar26 07:00
  900997       413->3082       Mar25 06:01 Mar25 00:59 -5:02:30  used until then  75.5%       75.4%
  901025       312->2472       Mar25 07:31 Mar25 01:53 -5:38:10  jobs delayed         -           1
  901023     H 282->2018       Mar25 15:30 held        no start  worst delay          -    no start
  901013       272->2686       21:44:39    18:02:11    -3:42:28
  901620     ! 1->600          Mar25 05:01 23:20:16    -5:41:33
  901624     ! 1->600          Mar25 13:31 Mar25 05:18 -8:13:12
  901627     ! 1->600          Mar25 03:02 21:47:27    -5:15:22
  +5 more
 edit 1 gives 93% of the gain; edit 2 changes no start; edit 3 gives 7% of the gain
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now            22:31:49       Mar25 05:01     Mar25 11:31    Mar25 18:00    Mar26 00:30
 15 earlier, 1 later, 4 change rank   focus: jobs (<Tab>)
 DRAFT 3 edits                                                                   A apply  D discard
 (projection): 2 jobs change order; 15 earlier; 1 later

 e value  f on/off  V sweep  B solve  m assume  r remove  W weights  H hold  w why   ? help  Q quit
EOS
screen 'the list of edits has the focus' edits <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                                     full projection, jobs run to their limits
>  1     set account[none].maxps[user] = 98696,1080000
   2     set xfactorweight = 600
   3     hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          PRIORITY        LIVE        DRAFT       CHANGE    TOTALS OF 16 JOBS LIVE       DRAFT
> S          r 532->6454       Mar26 07:00 Mar26 07:00           jobs that start     17          16
  900991       433->5363       19:44:39    now         -3:42:28  mean wait     19:59:32    15:01:03
  900992       431->3187       23:44:39    20:48:45    -2:55:54  max wait    1:23:50:00  1:23:50:00
  900993       426->3160       Mar25 02:07 22:40:47    -3:27:02  mean xfactor     13.85       10.88
  900995       417->3104       Mar25 04:02 Mar25 00:13 -3:49:13  last start Mar26 07:00 Mar26 07:00
  900997       413->3082       Mar25 06:01 Mar25 00:59 -5:02:30  used until then  75.5%       75.4%
  901025       312->2472       Mar25 07:31 Mar25 01:53 -5:38:10  jobs delayed         -           1
  901023     H 282->2018       Mar25 15:30 held        no start  worst delay          -    no start
  901013       272->2686       21:44:39    18:02:11    -3:42:28
  901620     ! 1->600          Mar25 05:01 23:20:16    -5:41:33
  901624     ! 1->600          Mar25 13:31 Mar25 05:18 -8:13:12
  901627     ! 1->600          Mar25 03:02 21:47:27    -5:15:22
  +5 more
 edit 1 gives 93% of the gain; edit 2 changes no start; edit 3 gives 7% of the gain
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now            22:31:49       Mar25 05:01     Mar25 11:31    Mar25 18:00    Mar26 00:30
 15 earlier, 1 later, 4 change rank   focus: edits (<Tab>)
 DRAFT 3 edits                                                                   A apply  D discard
 (projection): 2 jobs change order; 15 earlier; 1 later

 e value  f on/off  V sweep  B solve  m assume  r remove  W weights  H hold  w why   ? help  Q quit
EOS
screen 'a disabled edit stays in the list and has no effect' off <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                                     full projection, jobs run to their limits
   1     set account[none].maxps[user] = 98696,1080000
>  2 off set xfactorweight = 600
   3     hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          PRIORITY        LIVE        DRAFT       CHANGE    TOTALS OF 16 JOBS LIVE       DRAFT
> S          r 532             Mar26 07:00 Mar26 07:00           jobs that start     17          16
  900991       433             19:44:39    now         -3:42:28  mean wait     19:59:32    15:01:03
  900992       431             23:44:39    20:48:45    -2:55:54  max wait    1:23:50:00  1:23:50:00
  900993       426             Mar25 02:07 22:40:47    -3:27:02  mean xfactor     13.85       10.88
  900995       417             Mar25 04:02 Mar25 00:13 -3:49:13  last start Mar26 07:00 Mar26 07:00
  900997       413             Mar25 06:01 Mar25 00:59 -5:02:30  used until then  75.5%       75.4%
  901025       312             Mar25 07:31 Mar25 01:53 -5:38:10  jobs delayed         -           1
  901023     H 282             Mar25 15:30 held        no start  worst delay          -    no start
  901013       272             21:44:39    18:02:11    -3:42:28
  901620     ! 1               Mar25 05:01 23:20:16    -5:41:33
  901624     ! 1               Mar25 13:31 Mar25 05:18 -8:13:12
  901627     ! 1               Mar25 03:02 21:47:27    -5:15:22
  901069     ! 1               Mar25 12:01 Mar25 04:26 -7:34:51
  +4 more
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now            22:31:49       Mar25 05:01     Mar25 11:31    Mar25 18:00    Mar26 00:30
 15 earlier, 1 later, 3 change rank   focus: edits (<Tab>)
 DRAFT 3 edits                                                                   A apply  D discard
 (projection): order unchanged; 15 earlier; 1 later

 e value  f on/off  V sweep  B solve  m assume  r remove  W weights  H hold  w why   ? help  Q quit
EOS
screen 'one edit removed, one enabled again' removed <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                                     full projection, jobs run to their limits
>  1     set xfactorweight = 600
   2     hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          PRIORITY        LIVE        DRAFT       CHANGE    TOTALS OF 16 JOBS LIVE       DRAFT
> S          r 532->6454       Mar26 07:00 Mar26 07:00           jobs that start     17          16
  900991       433->5363       19:44:39    19:44:39              mean wait     19:59:32    19:37:05
  900992       431->3187       23:44:39    Mar25 00:31 +0:46:34  max wait    1:23:50:00  1:23:50:00
  900993       426->3160       Mar25 02:07 Mar25 02:28 +0:20:15  mean xfactor     13.85       13.55
  900995       417->3104       Mar25 04:02 Mar25 04:27 +0:24:15  last start Mar26 07:00 Mar26 07:00
  900997       413->3082       Mar25 06:01 Mar25 05:57 -0:04:45  used until then  75.5%       75.4%
  901025       312->2472       Mar25 07:31 Mar25 07:27 -0:04:45  jobs delayed         -           4
  901023     H 282->2018       Mar25 15:30 held        no start  worst delay          -    +0:46:34
  901013       272->2686       21:44:39    21:44:39
  901620     ! 1->600          Mar25 05:01 Mar25 03:27 -1:34:45
  901624     ! 1->600          Mar25 13:31 Mar25 13:27 -0:04:45
  901627     ! 1->600          Mar25 03:02 Mar25 01:29 -1:32:54
  901069     ! 1->600          Mar25 12:01 Mar25 11:57 -0:04:45
  +4 more
 edit 1 changes no start; edit 2 alone causes the whole gain
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now            22:31:49       Mar25 05:01     Mar25 11:31    Mar25 18:00    Mar26 00:30
 10 earlier, 4 later, 4 change rank   focus: edits (<Tab>)
 DRAFT 2 edits                                                                   A apply  D discard
 (projection): 2 jobs change order; 10 earlier; 4 later; worst: 900992 +0:46:34

 e value  f on/off  V sweep  B solve  m assume  r remove  W weights  H hold  w why   ? help  Q quit
EOS
screen 'one edit replaced' written <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                                     full projection, jobs run to their limits
>  1     set xfactorweight = 50
   2     hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          PRIORITY        LIVE        DRAFT       CHANGE    TOTALS OF 16 JOBS LIVE       DRAFT
> S          r 532->1025       Mar26 07:00 Mar26 07:00           jobs that start     17          16
  900991       433->843        19:44:39    19:44:39              mean wait     19:59:32    19:37:05
  900992       431->660        23:44:39    Mar25 00:31 +0:46:34  max wait    1:23:50:00  1:23:50:00
  900993       426->654        Mar25 02:07 Mar25 02:28 +0:20:15  mean xfactor     13.85       13.55
  900995       417->641        Mar25 04:02 Mar25 04:27 +0:24:15  last start Mar26 07:00 Mar26 07:00
  900997       413->636        Mar25 06:01 Mar25 05:57 -0:04:45  used until then  75.5%       75.4%
  901025       312->492        Mar25 07:31 Mar25 07:27 -0:04:45  jobs delayed         -           4
  901023     H 282->426        Mar25 15:30 held        no start  worst delay          -    +0:46:34
  901013       272->473        21:44:39    21:44:39
  901620     ! 1->50           Mar25 05:01 Mar25 03:27 -1:34:45
  901624     ! 1->50           Mar25 13:31 Mar25 13:27 -0:04:45
  901627     ! 1->50           Mar25 03:02 Mar25 01:29 -1:32:54
  901069     ! 1->50           Mar25 12:01 Mar25 11:57 -0:04:45
  +4 more
 edit 1 changes no start; edit 2 alone causes the whole gain
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now            22:31:49       Mar25 05:01     Mar25 11:31    Mar25 18:00    Mar26 00:30
 10 earlier, 4 later, 3 change rank   focus: edits (<Tab>)
 DRAFT 2 edits                                                                   A apply  D discard
 (projection): order unchanged; 10 earlier; 4 later; worst: 900992 +0:46:34

 e value  f on/off  V sweep  B solve  m assume  r remove  W weights  H hold  w why   ? help  Q quit
EOS
screen 'a refused command does not change the draft' refused <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                                     full projection, jobs run to their limits
>  1     set xfactorweight = 50
   2     hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          PRIORITY        LIVE        DRAFT       CHANGE    TOTALS OF 16 JOBS LIVE       DRAFT
> S          r 532->1025       Mar26 07:00 Mar26 07:00           jobs that start     17          16
  900991       433->843        19:44:39    19:44:39              mean wait     19:59:32    19:37:05
  900992       431->660        23:44:39    Mar25 00:31 +0:46:34  max wait    1:23:50:00  1:23:50:00
  900993       426->654        Mar25 02:07 Mar25 02:28 +0:20:15  mean xfactor     13.85       13.55
  900995       417->641        Mar25 04:02 Mar25 04:27 +0:24:15  last start Mar26 07:00 Mar26 07:00
  900997       413->636        Mar25 06:01 Mar25 05:57 -0:04:45  used until then  75.5%       75.4%
  901025       312->492        Mar25 07:31 Mar25 07:27 -0:04:45  jobs delayed         -           4
  901023     H 282->426        Mar25 15:30 held        no start  worst delay          -    +0:46:34
  901013       272->473        21:44:39    21:44:39
  901620     ! 1->50           Mar25 05:01 Mar25 03:27 -1:34:45
  901624     ! 1->50           Mar25 13:31 Mar25 13:27 -0:04:45
  901627     ! 1->50           Mar25 03:02 Mar25 01:29 -1:32:54
  901069     ! 1->50           Mar25 12:01 Mar25 11:57 -0:04:45
  +4 more
 edit 1 changes no start; edit 2 alone causes the whole gain
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now            22:31:49       Mar25 05:01     Mar25 11:31    Mar25 18:00    Mar26 00:30
 10 earlier, 4 later, 3 change rank   focus: edits (<Tab>)
 DRAFT 2 edits                                                                   A apply  D discard
 (projection): order unchanged; 10 earlier; 4 later; worst: 900992 +0:46:34
 xfactorweight must be a number from -1000000000000 to 1000000000000, got "-"
 e value  f on/off  V sweep  B solve  m assume  r remove  W weights  H hold  w why   ? help  Q quit
EOS
screen 'earlier and later starts by group' groups <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                                     full projection, jobs run to their limits
>  1     set xfactorweight = 50
   2     hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────────────────────────
  OF                JOBS   MEAN WAIT       DRAFT MEAN XF   DRAFT EARLIER  LATER
user ───────────────────────────────────────────────────────────────────────────────────────────────
> sam                  1  1:23:50:00  1:23:50:00   48.83   48.83       0      0
  user1               15    18:08:11    17:44:14   11.51   11.20      10      4
group ──────────────────────────────────────────────────────────────────────────────────────────────
  g                   16    19:59:32    19:37:05   13.85   13.55      10      4
account ────────────────────────────────────────────────────────────────────────────────────────────
  none                15    18:08:11    17:44:14   11.51   11.20      10      4
  snac1                1  1:23:50:00  1:23:50:00   48.83   48.83       0      0
class ──────────────────────────────────────────────────────────────────────────────────────────────
  batch               16    19:59:32    19:37:05   13.85   13.55      10      4




 edit 1 changes no start; edit 2 alone causes the whole gain
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now            22:31:49       Mar25 05:01     Mar25 11:31    Mar25 18:00    Mar26 00:30
 10 earlier, 4 later, 3 change rank   focus: totals (<Tab>)
 DRAFT 2 edits                                                                   A apply  D discard
 (projection): order unchanged; 10 earlier; 4 later; worst: 900992 +0:46:34

 e value  f on/off  V sweep  B solve  m assume  r remove  W weights  H hold  w why   ? help  Q quit
EOS
screen 'all edits disabled: nothing is different' all-off <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                                     full projection, jobs run to their limits
>  1 off hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          PRIORITY        LIVE        DRAFT       CHANGE    TOTALS OF 17 JOBS LIVE       DRAFT
> S          r 532             Mar26 07:00 Mar26 07:00           jobs that start     17          17
  900991       433             19:44:39    19:44:39              mean wait     20:32:01    20:32:01
  900992       431             23:44:39    23:44:39              max wait    1:23:50:00  1:23:50:00
  900993       426             Mar25 02:07 Mar25 02:07           mean xfactor     13.78       13.78
  900995       417             Mar25 04:02 Mar25 04:02           last start Mar26 07:00 Mar26 07:00
  900997       413             Mar25 06:01 Mar25 06:01           used until then  75.5%       75.5%
  901025       312             Mar25 07:31 Mar25 07:31           jobs delayed         -           0
  901023       282             Mar25 15:30 Mar25 15:30           worst delay          -           -
  901013       272             21:44:39    21:44:39
  901620     ! 1               Mar25 05:01 Mar25 05:01
  901624     ! 1               Mar25 13:31 Mar25 13:31
  901627     ! 1               Mar25 03:02 Mar25 03:02
  901069     ! 1               Mar25 12:01 Mar25 12:01
  901070     ! 1               Mar25 01:21 Mar25 01:21
  901071     ! 1               Mar25 00:48 Mar25 00:48
  +2 more
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now            22:31:49       Mar25 05:01     Mar25 11:31    Mar25 18:00    Mar26 00:30
 0 earlier, 0 later, 0 change rank   focus: edits (<Tab>)
 DRAFT 1 edit                                                                    A apply  D discard
 (projection): order and all estimated starts unchanged

 e value  f on/off  V sweep  B solve  m assume  r remove  W weights  H hold  w why   ? help  Q quit
EOS
screen 'there is nothing to apply' nothing <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                                     full projection, jobs run to their limits
>  1 off hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          PRIORITY        LIVE        DRAFT       CHANGE    TOTALS OF 17 JOBS LIVE       DRAFT
> S          r 532             Mar26 07:00 Mar26 07:00           jobs that start     17          17
  900991       433             19:44:39    19:44:39              mean wait     20:32:01    20:32:01
  900992       431             23:44:39    23:44:39              max wait    1:23:50:00  1:23:50:00
  900993       426             Mar25 02:07 Mar25 02:07           mean xfactor     13.78       13.78
  900995       417             Mar25 04:02 Mar25 04:02           last start Mar26 07:00 Mar26 07:00
  900997       413             Mar25 06:01 Mar25 06:01           used until then  75.5%       75.5%
  901025       312             Mar25 07:31 Mar25 07:31           jobs delayed         -           0
  901023       282             Mar25 15:30 Mar25 15:30           worst delay          -           -
  901013       272             21:44:39    21:44:39
  901620     ! 1               Mar25 05:01 Mar25 05:01
  901624     ! 1               Mar25 13:31 Mar25 13:31
  901627     ! 1               Mar25 03:02 Mar25 03:02
  901069     ! 1               Mar25 12:01 Mar25 12:01
  901070     ! 1               Mar25 01:21 Mar25 01:21
  901071     ! 1               Mar25 00:48 Mar25 00:48
  +2 more
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now            22:31:49       Mar25 05:01     Mar25 11:31    Mar25 18:00    Mar26 00:30
 0 earlier, 0 later, 0 change rank   focus: edits (<Tab>)
 DRAFT 1 edit                                                                    A apply  D discard
 (projection): order and all estimated starts unchanged
 All edits of the draft are disabled; nothing to apply.
 e value  f on/off  V sweep  B solve  m assume  r remove  W weights  H hold  w why   ? help  Q quit
EOS
screen 'Esc discards the whole draft' dropped <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Projection of the queue                                  full projection, jobs run to their limits
 No draft is open. To open one, change weights (W) or a setting (: tune user[eva].maxproc 8), or
 hold and release jobs (H, R). This screen shows the draft's edits from all screens.
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          USER      RANK   PRIORITY START       WAIT        TOTALS OF 17 JOBS             LIVE
> S          r sam          1        532 Mar26 07:00 1:23:50:00  jobs that start                 17
  900991       user1        2        433 19:44:39    10:55:28    mean wait                 20:32:01
  900992       user1        3        431 23:44:39    14:53:41    max wait                1:23:50:00
  900993       user1        4        426 Mar25 02:07 17:12:19    mean xfactor                 13.78
  900995       user1        5        417 Mar25 04:02 18:58:07    last start             Mar26 07:00
  900997       user1        6        413 Mar25 06:01 20:53:21    used until then              75.5%
  901025       user1        7        312 Mar25 07:31 21:07:11
  901023       user1        8        282 Mar25 15:30 1:05:11:41
  901013       user1        9        272 21:44:39    12:01:34
  901620     ! user1        -          1 Mar25 05:01 19:27:23
  901624     ! user1        -          1 Mar25 13:31 1:03:54:24
  901627     ! user1        -          1 Mar25 03:02 17:21:36
  901069     ! user1        -          1 Mar25 12:01 1:00:19:20
  901070     ! user1        -          1 Mar25 01:21 13:38:18
  901071     ! user1        -          1 Mar25 00:48 12:37:16
  901074     ! user1        -          1 Mar25 10:31 22:14:05
  901108     ! user1        -          1 Mar25 09:01 18:28:43
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now            22:31:49       Mar25 05:01     Mar25 11:31    Mar25 18:00    Mar26 00:30

 focus: edits (<Tab>)
 Copied: S
 V sweep  B solve  m assume  W weights  H hold  w why  R release  = numbers  q back  ? help  Q quit
EOS
on_the_day <<'EOS'
size 80x24
keys H d 7
:tune account[none].maxps[user]=98696,1080000
dump from-elsewhere
keys 1 j H s
dump added
keys <Esc>
dump taken-back
keys 7 m
dump assumed
size 200x60
dump large
keys A
step 1
keys 1
size 80x24
dump applied
EOS

screen 'a draft of another screen is shown, and edits are added' from-elsewhere <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                 full projection, jobs run to their limits
>  1     hold user 4 (S)
   2     set account[none].maxps[user] = 98696,1080000
────────────────────────────────────────────────────────────────────────────────
  JOB       LIVE        DRAFT       CHANGE    TOTALS OF 16 JOBS LIVE       DRAFT
> S       H Mar26 07:00 held        no start  jobs that start     17          16
  900991    19:44:39    now         -3:42:28  mean wait     18:49:39     5:37:21
  900992    23:44:39    now         -7:42:28  max wait    1:05:11:41     7:13:00
  900993    Mar25 02:07 now         -10:05:38 mean xfactor     11.59        4.36
  900995    Mar25 04:02 now         -12:00:38 last start Mar25 15:30         now
  900997    Mar25 06:01 now         -13:59:38 used until then  75.5%           -
  901025    Mar25 07:31 now         -15:29:38 jobs delayed         -           1
  901023    Mar25 15:30 now         -23:28:38 worst delay          -    no start
  +9 more
 edit 1 alone causes the whole gain; edit 2 adds nothing to the others
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now           23:49:44      Mar25 07:37    Mar25 15:24   Mar25 23:12
 DRAFT 2 edits                                               A apply  D discard
 (projection): order unchanged; 16 earlier; 1 later
 16 earlier, 1 later, 9 change rank   focus: jobs (<Tab>)
 e value  f on/off  V sweep  B solve  m assume  r remove  w why  ? help  Q quit
EOS
screen 'a draft that was shown here stays, and the next edit is added' added <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████ 3829/5080  75%] Nodes  [█████████████████ 635/635 100%]
  JOB      USER   PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
ACTIVE 3 - by completion ─────────────── ENDS BY ──────────── USED ─────────────
  899744   user1     2   14:54:30      -  Mar25 01:44 +9:42h   34%
  A        eva    3810 2:00:00:00      -  Mar26 07:00 +1d14h   18%
  B        eva      17 2:00:00:00      -  Mar26 07:00 +1d14h   18%
IDLE 9 - by priority ───────────────────────────────────────────────────────────
  S      r sam    2000    1:00:00    532  Mar26 07:00 +1d14h  749 procs short
> 900991   user1     8    1:00:00    433  19:44:39 +3:42h     MAXPS 98696>72000
  900992   user1     8    2:00:00    431  23:44:39 +7:42h     MAXPS 127496>72000
  900993   user1     8    2:00:00    426  Mar25 02:07 +10:05h MAXPS 127496>72000
  900995   user1     8    2:00:00    417  Mar25 04:02 +12:00h MAXPS 127496>72000
  900997   user1     8    2:00:00    413  Mar25 06:01 +13:59h MAXPS 127496>72000
┌─ Not applied yet ────────────────────────────────────────────────────────────┐
│ hold -s 900991                                                               │
│ [u] user hold  > [s] system hold  [b] batch hold                             │
│ (projection): order unchanged; 1 later                                       │
│ <Enter> apply   <Esc> dismiss   d add to the draft                           │
└──────────────────────────────────────────────────────────────────────────────┘
 DRAFT 2 edits: hold user 4 (S); and 1 more                  A apply  D discard
 Total Jobs: 20   Active Jobs: 3   Idle Jobs: 9   Blocked Jobs: 8
EOS
screen 'Esc removes the edit that was added last and keeps the others' taken-back <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████ 3829/5080  75%] Nodes  [█████████████████ 635/635 100%]
  JOB      USER   PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
ACTIVE 3 - by completion ─────────────── ENDS BY ──────────── USED ─────────────
  899744   user1     2   14:54:30      -  Mar25 01:44 +9:42h   34%
  A        eva    3810 2:00:00:00      -  Mar26 07:00 +1d14h   18%
  B        eva      17 2:00:00:00      -  Mar26 07:00 +1d14h   18%
IDLE 9 - by priority ───────────────────────────────────────────────────────────
  S      r sam    2000    1:00:00    532  Mar26 07:00 +1d14h  749 procs short
> 900991   user1     8    1:00:00    433  19:44:39 +3:42h     MAXPS 98696>72000
  900992   user1     8    2:00:00    431  23:44:39 +7:42h     MAXPS 127496>72000
  900993   user1     8    2:00:00    426  Mar25 02:07 +10:05h MAXPS 127496>72000
  900995   user1     8    2:00:00    417  Mar25 04:02 +12:00h MAXPS 127496>72000
  900997   user1     8    2:00:00    413  Mar25 06:01 +13:59h MAXPS 127496>72000
  901025   user1     8    2:00:00    312  Mar25 07:31 +15:29h MAXPS 127496>72000
  901023   user1     8    2:29:00    282  Mar25 15:30 +23:28h MAXPS 141416>72000
  +9 more
 Job 900991 would add 28800 processor-seconds to the 69896 in use by account
 none, user user1: 98696 is over the soft limit MAXPS of 72000 by 26696; it    ~
 DRAFT 2 edits: hold user 4 (S); and 1 more                  A apply  D discard
 (projection): order unchanged; 16 earlier; 1 later
 Total Jobs: 20   Active Jobs: 3   Idle Jobs: 9   Blocked Jobs: 8
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'run times by history instead of limits' assumed <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft              full projection, usual run times of the user
>  1     hold user 4 (S)
   2     set account[none].maxps[user] = 98696,1080000
────────────────────────────────────────────────────────────────────────────────
  JOB       LIVE        DRAFT       CHANGE    TOTALS OF 16 JOBS LIVE       DRAFT
  S       H Mar26 07:00 held        no start  jobs that start     17          16
> 900991    19:44:39    now         -3:42:28  mean wait     14:46:58     5:37:21
  900992    23:44:39    now         -7:42:28  max wait      18:08:35     7:13:00
  900993    Mar25 00:05 now         -8:02:52  mean xfactor      9.69        4.36
  900995    Mar25 00:25 now         -8:23:16  last start Mar25 03:43         now
  900997    Mar25 00:45 now         -8:43:40  used until then  75.4%           -
  901025    Mar25 01:06 now         -9:04:04  jobs delayed         -           1
  901023    Mar25 01:47 now         -9:44:52  worst delay          -    no start
  +9 more
 edit 1 alone causes the whole gain; edit 2 adds nothing to the others
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now           23:49:44      Mar25 07:37    Mar25 15:24   Mar25 23:12
 DRAFT 2 edits                                               A apply  D discard
 (projection): order unchanged; 16 earlier; 1 later
 16 earlier, 1 later, 9 change rank   focus: jobs (<Tab>)
 e value  f on/off  V sweep  B solve  m assume  r remove  w why  ? help  Q quit
EOS
screen 'a large screen: users and ranks' large <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                                                                                                                                      full projection, usual run times of the user
>  1     hold user 4 (S)
   2     set account[none].maxps[user] = 98696,1080000
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          USER       RANK         PRIORITY              LIVE        DRAFT       CHANGE                                                                          TOTALS OF 16 JOBS LIVE       DRAFT
  S          H sam        1 -> -       532                   Mar26 07:00 held        no start                                                                        jobs that start     17          16
> 900991       user1      2 -> 1       433                   19:44:39    now         -3:42:28                                                                        mean wait     14:46:58     5:37:21
  900992       user1      3 -> 2       431                   23:44:39    now         -7:42:28                                                                        max wait      18:08:35     7:13:00
  900993       user1      4 -> 3       426                   Mar25 00:05 now         -8:02:52                                                                        mean xfactor      9.69        4.36
  900995       user1      5 -> 4       417                   Mar25 00:25 now         -8:23:16                                                                        last start Mar25 03:43         now
  900997       user1      6 -> 5       413                   Mar25 00:45 now         -8:43:40                                                                        used until then  75.4%           -
  901025       user1      7 -> 6       312                   Mar25 01:06 now         -9:04:04                                                                        jobs delayed         -           1
  901023       user1      8 -> 7       282                   Mar25 01:47 now         -9:44:52                                                                        worst delay          -    no start
  901013       user1      9 -> 8       272                   21:44:39    now         -5:42:28
  901620     ! user1      -            1                     Mar25 03:43 now         -11:40:50
  901624     ! user1      -            1                     Mar25 03:22 now         -11:20:26
  901627     ! user1      -            1                     Mar25 02:47 now         -10:45:35
  901069     ! user1      -            1                     Mar25 03:02 now         -11:00:02
  901070     ! user1      -            1                     Mar25 02:37 now         -10:35:35
  901071     ! user1      -            1                     Mar25 02:32 now         -10:30:35
  901074     ! user1      -            1                     Mar25 02:12 now         -10:10:11
  901108     ! user1      -            1                     Mar25 01:26 now         -9:24:28



























 edit 1 alone causes the whole gain; edit 2 adds nothing to the others
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now           19:02:00       22:01:50       Mar25 01:01    Mar25 04:01   Mar25 07:01    Mar25 10:01    Mar25 13:01    Mar25 16:00   Mar25 19:00    Mar25 22:00    Mar26 01:00    Mar26 04:00
 16 earlier, 1 later, 9 change rank   focus: jobs (<Tab>)
 DRAFT 2 edits                                                                                                                                                                       A apply  D discard
 (projection): order unchanged; 16 earlier; 1 later

 e value  f on/off  V sweep  B solve  m assume  r remove  W weights  H hold  w why  R release  = numbers  / filter  q back                                                               ? help  Q quit
EOS
screen 'applied: 900991 starts at the projected second' applied <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████ 3957/5080  77%] Nodes  [█████████████████ 635/635 100%]
  JOB      USER   PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
  900992   user1     8    2:00:00      -  18:02:11 +2:00h       0%
  900993   user1     8    2:00:00      -  18:02:11 +2:00h       0%
  900995   user1     8    2:00:00      -  18:02:11 +2:00h       0%
  900997   user1     8    2:00:00      -  18:02:11 +2:00h       0%
  901624   user1     8    2:00:00      -  18:02:11 +2:00h       0%
  901025   user1     8    2:00:00      -  18:02:11 +2:00h       0%
  901069   user1     8    2:00:00      -  18:02:11 +2:00h       0%
  901074   user1     8    2:00:00      -  18:02:11 +2:00h       0%
  901108   user1     8    2:00:00      -  18:02:11 +2:00h       0%
  901023   user1     8    2:29:00      -  18:31:11 +2:29h       0%
  899744   user1     2   14:54:30      -  Mar25 01:44 +9:42h   34%
  A        eva    3810 2:00:00:00      -  Mar26 07:00 +1d14h   18%
  B        eva      17 2:00:00:00      -  Mar26 07:00 +1d14h   18%
IDLE 0 - by priority ───────────────────────────────────────────────────────────
BLOCKED 1 - by hold ────────────────────────────────────────────────────────────
> S      H sam    2000    1:00:00    532 -                    held (user)
 Job S is held (user); it can start only after a release.

 Total Jobs: 20   Active Jobs: 19   Idle Jobs: 0   Blocked Jobs: 1
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
on_the_day --ascii <<'EOS'
size 80x24
keys 7
:tune account[none].maxps[user]=98696,1080000
dump ascii
EOS

screen 'ASCII only' ascii <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                 full projection, jobs run to their limits
>  1     set account[none].maxps[user] = 98696,1080000
--------------------------------------------------------------------------------
  JOB       LIVE        DRAFT       CHANGE    TOTALS OF 17 JOBS LIVE       DRAFT
> S       r Mar26 07:00 Mar26 07:00           jobs that start     17          17
  900991    19:44:39    now         -3:42:28  mean wait     20:32:01    15:38:26
  900992    23:44:39    20:02:11    -3:42:28  max wait    1:23:50:00  1:23:50:00
  900993    Mar25 02:07 22:22:47    -3:45:02  mean xfactor     13.78       11.03
  900995    Mar25 04:02 23:56:00    -4:06:49  last start Mar26 07:00 Mar26 07:00
  900997    Mar25 06:01 Mar25 01:15 -4:46:37  used until then  75.5%       75.5%
  901025    Mar25 07:31 Mar25 01:52 -5:39:01  jobs delayed         -           0
  901023    Mar25 15:30 Mar25 06:29 -9:01:25  worst delay          -           -
  901013    21:44:39    18:02:11    -3:42:28
  901620  ! Mar25 05:01 Mar25 00:23 -4:38:10
  +7 more
 draft ########################################################################
 live  ########################################################################
       now           23:49:44      Mar25 07:37    Mar25 15:24   Mar25 23:12
 DRAFT 1 edit                                                A apply  D discard
 (projection): order unchanged; 16 earlier
 16 earlier, 0 later, 0 change rank   focus: jobs (<Tab>)
 e value  f on/off  V sweep  B solve  m assume  r remove  w why  ? help  Q quit
EOS

on_the_day <<'EOS'
size 80x24
keys 7
:tune account[none].maxps[user]=98696,1080000
:hold 901023
keys g j =
dump figures-80
keys =
dump figures-more
keys <Esc> D y
size 100x30
keys g j =
dump figures-live
:hold 901023
keys <Tab> g j
dump figures-group
size 200x60
keys <S-Tab> g j
dump figures-200
EOS

screen '= shows how the numbers of a job are computed, by the projection' figures-80 <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                 full projection, jobs run to their limits
>  1     set account[none].maxps[user] = 98696,1080000
   2     hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────
  JOB       LIVE        DRAFT       CHANGE    TOTALS OF 16 JOBS LIVE       DRAFT
  S       r Mar26 07:00 Mar26 07:00           jobs that start     17          16
> 900991    19:44:39    now         -3:42:28  mean wait     19:59:32    15:01:03
  +15 more                                    max wait    1:23:50:00  1~ +5 more
 edit 1 gives 93% of the gain; edit 2 gives 7% of the gain
────────────────────────────────────────────────────────────────────────────────
 RANK 2 = 1 + 1 jobs ahead
 PRIORITY 433 = queuetime 1 * 433 min
 LIVE 19:44:39 = now 16:02:11 + 3:42:28
 Job 900991 would add 28800 processor-seconds to the 69896 in use by account
 none, user user1: 98696 is over the soft limit MAXPS of 72000 by 26696; it
 clears by itself at 19:44:39, in 3:42:28.
 RANK AFTER 2 = 1 + 1 jobs ahead
 PRIORITY AFTER 433 = queuetime 1 * 433 min                             +30 more
 DRAFT 2 edits                                               A apply  D discard
 (projection): order unchanged; 15 earlier; 1 later
 15 earlier, 1 later, 3 change rank   focus: jobs (<Tab>)
 e value  f on/off  V sweep  B solve  m assume  r remove  w why  ? help  Q quit
EOS
screen 'a second = shows the totals' figures-more <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                 full projection, jobs run to their limits
>  1     set account[none].maxps[user] = 98696,1080000
   2     hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────
  JOB       LIVE        DRAFT       CHANGE    TOTALS OF 16 JOBS LIVE       DRAFT
  S       r Mar26 07:00 Mar26 07:00           jobs that start     17          16
> 900991    19:44:39    now         -3:42:28  mean wait     19:59:32    15:01:03
  +15 more                                    max wait    1:23:50:00  1~ +5 more
 edit 1 gives 93% of the gain; edit 2 gives 7% of the gain
────────────────────────────────────────────────────────────────────────────────
 DRAFT 16:02:11 = now 16:02:11
 CHANGE -3:42:28 = after 16:02:11 - before 19:44:39
 jobs that start 17 = 17 waiting - 0 without a start
 mean wait 19:59:32 = (172200 s [S] + 100464 s [901624] + 87560 s [901069] +
 80045 s [901074] + 76031 s [901025] + 75201 s [900997] + 560065 s [10 others])
 / 16 jobs, cut
 max wait 1:23:50:00 = start Mar26 07:00:00 [S] - submitted 07:10:00
 mean xfactor 13.85 = (48.83 [S] + 14.95 [901624] + 14.12 [901620] + 1~ +22 more
 DRAFT 2 edits                                               A apply  D discard
 (projection): order unchanged; 15 earlier; 1 later
 15 earlier, 1 later, 3 change rank   focus: jobs (<Tab>)
 e value  f on/off  V sweep  B solve  m assume  r remove  w why  ? help  Q quit
EOS
screen 'without a draft there is only one start' figures-live <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Projection of the queue                                  full projection, jobs run to their limits
 No draft is open. To open one, change weights (W) or a setting (: tune user[eva].maxproc 8), or
 hold and release jobs (H, R). This screen shows the draft's edits from all screens.
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          USER      RANK   PRIORITY START       WAIT        TOTALS OF 17 JOBS             LIVE
  S          r sam          1        532 Mar26 07:00 1:23:50:00  jobs that start                 17
> 900991       user1        2        433 19:44:39    10:55:28    mean wait                 20:32:01
  900992       user1        3        431 23:44:39    14:53:41    max wait                1:23:50:00
  900993       user1        4        426 Mar25 02:07 17:12:19    mean xfactor                 13.78
  900995       user1        5        417 Mar25 04:02 18:58:07    last start             Mar26 07:00
  900997       user1        6        413 Mar25 06:01 20:53:21    used until then              75.5%
  901025       user1        7        312 Mar25 07:31 21:07:11
  +10 more
────────────────────────────────────────────────────────────────────────────────────────────────────
 RANK 2 = 1 + 1 jobs ahead
 PRIORITY 433 = queuetime 1 * 433 min
 START 19:44:39 = now 16:02:11 + 3:42:28
 Job 900991 would add 28800 processor-seconds to the 69896 in use by account none, user user1:
 98696 is over the soft limit MAXPS of 72000 by 26696; it clears by itself at 19:44:39, in 3:42:28.
 WAIT 10:55:28 = start 19:44:39 - submitted 08:49:11
 jobs that start 17 = 17 waiting - 0 without a start
 mean wait 20:32:01 = (172200 s [S] + 105101 s [901023] + 100464 s [901624] + 87560 s [901069] +
 80045 s [901074] + 76031 s [901025] + 635266 s [11 others]) / 17 jobs, cut
 max wait 1:23:50:00 = start Mar26 07:00:00 [S] - submitted 07:10:00
 mean xfactor 13.78 = (48.83 [S] + 14.95 [901624] + 14.12 [901620] + 13.25 [901627] + 13.16  +5 more
 focus: jobs (<Tab>)

 V sweep  B solve  m assume  W weights  H hold  w why  R release  = numbers  q back  ? help  Q quit
EOS
screen 'the jobs of the group that a mean is of' figures-group <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                                     full projection, jobs run to their limits
>  1     hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────────────────────────
  OF                JOBS   MEAN WAIT       DRAFT MEAN XF   DRAFT EARLIER  LATER
user ───────────────────────────────────────────────────────────────────────────────────────────────
  sam                  1  1:23:50:00  1:23:50:00   48.83   48.83       0      0
> user1               15    18:08:11    17:44:14   11.51   11.20      10      4
group ──────────────────────────────────────────────────────────────────────────────────────────────
  g                   16    19:59:32    19:37:05   13.85   13.55      10      4
account ────────────────────────────────────────────────────────────────────────────────────────────
  none                15    18:08:11    17:44:14   11.51   11.20      10      4
  +2 more
────────────────────────────────────────────────────────────────────────────────────────────────────
 JOBS 15 = 15                             that start in both projections
 MEAN WAIT 18:08:11 = (100464 s [901624] + 87560 s [901069] + 80045 s [901074] + 76031 s [901025] +
 75201 s [900997] + 70043 s [901620] + 490022 s [9 others]) / 15 jobs, cut
 MEAN WAIT DRAFT 17:44:14 = (100179 s [901624] + 87275 s [901069] + 79760 s [901074] + 75746 s
 [901025] + 74916 s [900997] + 69742 s [900995] + 470195 s [9 others]) / 15 jobs, cut
 MEAN XF 11.51 = (14.95 [901624] + 14.12 [901620] + 13.25 [901627] + 13.16 [901069] + 12.12
 [901074] + 11.92 [900991] + 93.17 [9 others]) / 15 jobs, rounded
 MEAN XF DRAFT 11.20 = (14.91 [901624] + 13.12 [901069] + 13.05 [901620] + 12.16 [901627] + 12.08
 [901074] + 11.92 [900991] + 90.79 [9 others]) / 15 jobs, rounded
 EARLIER 10 = 1 [901070] + 1 [901069] + 1 [900997] + 1 [901620] + 1 [901624] + 1 [901627] +~ +3 more
 10 earlier, 4 later, 3 change rank   focus: totals (<Tab>)
 DRAFT 1 edit                                                                    A apply  D discard
 (projection): order unchanged; 10 earlier; 4 later; worst: 900992 +0:46:34

 e value  f on/off  V sweep  B solve  m assume  r remove  W weights  H hold  w why   ? help  Q quit
EOS
screen 'all figures on a large screen' figures-200 <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                                                                                                                                         full projection, jobs run to their limits
>  1     hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          USER       RANK         PRIORITY              LIVE        DRAFT       CHANGE                                                                          TOTALS OF 16 JOBS LIVE       DRAFT
  S          r sam        1            532                   Mar26 07:00 Mar26 07:00                                                                                 jobs that start     17          16
> 900991       user1      2            433                   19:44:39    19:44:39                                                                                    mean wait     19:59:32    19:37:05
  900992       user1      3            431                   23:44:39    Mar25 00:31 +0:46:34                                                                        max wait    1:23:50:00  1:23:50:00
  900993       user1      4            426                   Mar25 02:07 Mar25 02:28 +0:20:15                                                                        mean xfactor     13.85       13.55
  900995       user1      5            417                   Mar25 04:02 Mar25 04:27 +0:24:15                                                                        last start Mar26 07:00 Mar26 07:00
  900997       user1      6            413                   Mar25 06:01 Mar25 05:57 -0:04:45                                                                        used until then  75.5%       75.4%
  901025       user1      7            312                   Mar25 07:31 Mar25 07:27 -0:04:45                                                                        jobs delayed         -           4
  901023     H user1      8 -> -       282                   Mar25 15:30 held        no start                                                                        worst delay          -    +0:46:34
  901013       user1      9 -> 8       272                   21:44:39    21:44:39
  901620     ! user1      -            1                     Mar25 05:01 Mar25 03:27 -1:34:45
  901624     ! user1      -            1                     Mar25 13:31 Mar25 13:27 -0:04:45
  901627     ! user1      -            1                     Mar25 03:02 Mar25 01:29 -1:32:54
  901069     ! user1      -            1                     Mar25 12:01 Mar25 11:57 -0:04:45
  901070     ! user1      -            1                     Mar25 01:21 23:27:51    -1:54:08
  901071     ! user1      -            1                     Mar25 00:48 22:48:39    -2:00:00
  901074     ! user1      -            1                     Mar25 10:31 Mar25 10:27 -0:04:45
  901108       user1      - -> 9       1                     Mar25 09:01 Mar25 08:57 -0:04:45



 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now           19:02:00       22:01:50       Mar25 01:01    Mar25 04:01   Mar25 07:01    Mar25 10:01    Mar25 13:01    Mar25 16:00   Mar25 19:00    Mar25 22:00    Mar26 01:00    Mar26 04:00
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
 RANK 2 = 1 + 1 jobs ahead
 PRIORITY 433 = queuetime 1 * 433 min
 LIVE 19:44:39 = now 16:02:11 + 3:42:28
 Job 900991 would add 28800 processor-seconds to the 69896 in use by account none, user user1: 98696 is over the soft limit MAXPS of 72000 by 26696; it clears by itself at 19:44:39, in 3:42:28.
 RANK AFTER 2 = 1 + 1 jobs ahead
 PRIORITY AFTER 433 = queuetime 1 * 433 min
 DRAFT 19:44:39 = now 16:02:11 + 3:42:28
 Job 900991 would add 28800 processor-seconds to the 69896 in use by account none, user user1: 98696 is over the soft limit MAXPS of 72000 by 26696; it clears by itself at 19:44:39, in 3:42:28.
 jobs that start 17 = 17 waiting - 0 without a start
 mean wait 19:59:32 = (172200 s [S] + 100464 s [901624] + 87560 s [901069] + 80045 s [901074] + 76031 s [901025] + 75201 s [900997] + 560065 s [10 others]) / 16 jobs, cut
 max wait 1:23:50:00 = start Mar26 07:00:00 [S] - submitted 07:10:00
 mean xfactor 13.85 = (48.83 [S] + 14.95 [901624] + 14.12 [901620] + 13.25 [901627] + 13.16 [901069] + 12.12 [901074] + 105.1 [10 others]) / 16 jobs, rounded
 last start Mar26 07:00 = start Mar26 07:00:00 [S], cut
 used until then 75.5% = 100 * used 537699199 s / (5080 procs * (last Mar26 07:00:00 - now 16:02:11)), rounded
 jobs that start DRAFT 16 = 17 waiting - 1 without a start
 mean wait DRAFT 19:37:05 = (172200 s [S] + 100179 s [901624] + 87275 s [901069] + 79760 s [901074] + 75746 s [901025] + 74916 s [900997] + 539937 s [10 others]) / 16 jobs, cut
 max wait DRAFT 1:23:50:00 = start Mar26 07:00:00 [S] - submitted 07:10:00
 mean xfactor DRAFT 13.55 = (48.83 [S] + 14.91 [901624] + 13.12 [901069] + 13.05 [901620] + 12.16 [901627] + 12.08 [901074] + 102.71 [10 others]) / 16 jobs, rounded
 last start DRAFT Mar26 07:00 = start Mar26 07:00:00 [S], cut
 used until then DRAFT 75.4% = 100 * used 537627679 s / (5080 procs * (last Mar26 07:00:00 - now 16:02:11)), rounded
 jobs delayed DRAFT 4 = 1 [900992] + 1 [900993] + 1 [900995] + 1 [901023]
 worst delay DRAFT +0:46:34 = after Mar25 00:31:13 [900992] - before 23:44:39
 earlier 10 = 1 [901070] + 1 [901069] + 1 [900997] + 1 [901620] + 1 [901624] + 1 [901627] + 4 [4 others]
 change rank 3 = 1 [901013] + 1 [901023] + 1 [901108]
 Starts: full projection, jobs run to their limits; assumes that no jobs are submitted.
 10 earlier, 4 later, 3 change rank   focus: jobs (<Tab>)
 DRAFT 1 edit                                                                                                                                                                        A apply  D discard
 (projection): order unchanged; 10 earlier; 4 later; worst: 900992 +0:46:34

 e value  f on/off  V sweep  B solve  m assume  r remove  W weights  H hold  w why  R release  = numbers  / filter  q back                                                               ? help  Q quit
EOS

# An action on a job stays in the box, and d adds it to the draft; on the What-if screen actions join the draft, too.
play demo --nodes 8 --seed 5 <<'EOS'
size 100x30
:filter state=idle
:tune xfactorweight 5
wait-idle
keys g + +
wait-idle
dump in-box
keys d j H
wait-idle
dump hold-in-box
size 80x24
wait-idle
dump hold-in-box-small
keys <Enter>
wait-idle
dump held
keys 7 j +
wait-idle
dump three
size 80x24
wait-idle
dump three-small
EOS
screen 'repeated keys add up in the box, and the draft is unchanged' in-box <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████████████████████████████████████████████████████████████████ 63/64  98%]
 Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB        USER       CLASS  PROC    WCLIMIT   PRIO QUEUED EST.START            WHY NOT NOW
IDLE 41 - by priority ──────────────────────────────────────────────────────────────────────────────
> 960      r ravi       batch    32    2:00:00   3536 19:54h  Jan10 04:44 +20:44h 31 procs short
  914      r ravi       batch    32    3:00:00   3477 21:41h  Jan10 06:44 +22:44h 31 procs short
  957        leila      batch    32    3:00:00   3198 19:59h  Jan10 09:44 +1d01h  31 procs short
  924        ahmed      batch    14    8:00:00   2949 21:23h  19:19:22 +11:19h    13 procs short
  925        bob        batch    16 1:00:00:00   2738 21:07h  Jan11 05:22 +1d21h  15 procs short
  972        john       batch    16 1:00:00:00   2537 19:20h  Jan10 12:44 +1d04h  15 procs short
  1151       eva        batch    16    0:30:00   2284  7:31h  18:49:22 +10:49h    15 procs short
  1051       john       batch    16 1:00:00:00   2169 16:22h  Jan10 15:44 +1d07h  15 procs short
  1046       bob        batch     8 1:00:00:00   2090 15:58h  Jan10 05:22 +21:22h 7 procs short
  1085       eva        batch    16    3:00:00   1933 13:25h  Jan10 12:44 +1d04h  15 procs short
  1066       bob        batch     4 1:00:00:00   1865 14:11h  Jan10 04:44 +20:44h 3 procs short
  1057       eva        long      4 1:12:00:00   1861 16:16h  Jan10 05:22 +21:22h 3 procs short
  1082       eva        batch     4    4:00:00   1820 13:29h  11:27:35 +3:27h     3 procs short
  1091       chen       batch    15   12:00:00   1806 13:10h  Jan11 12:44 +2d04h  14 procs short
  1071       paul       batch    16 1:00:00:00   1709 14:17h  Jan11 15:44 +2d07h  15 procs short
┌─ Not applied yet ────────────────────────────────────────────────────────────────────────────────┐
│ set 960 priority=+20                                                                             │
│ (projection): order and all estimated starts unchanged                                           │
│ <Enter> apply   <Esc> dismiss   d add to the draft                                               │
└──────────────────────────────────────────────────────────────────────────────────────────────────┘
 Total Jobs: 79   Active Jobs: 14   Idle Jobs: 41   Blocked Jobs: 24   filter: state=idle
 DRAFT 1 edit: set xfactorweight = 5                                             A apply  D discard
EOS
screen 'd has added the action; the hold is of another job' hold-in-box <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████████████████████████████████████████████████████████████████ 63/64  98%]
 Nodes  [█████████████████████████████████████████████████████████████████████████████████ 8/8 100%]
  JOB        USER       CLASS  PROC    WCLIMIT   PRIO QUEUED EST.START            WHY NOT NOW
IDLE 41 - by priority ──────────────────────────────────────────────────────────────────────────────
  960      r ravi       batch    32    2:00:00   3536 19:54h  Jan10 04:44 +20:44h 31 procs short
> 914      r ravi       batch    32    3:00:00   3477 21:41h  Jan10 06:44 +22:44h 31 procs short
  957        leila      batch    32    3:00:00   3198 19:59h  Jan10 09:44 +1d01h  31 procs short
  924        ahmed      batch    14    8:00:00   2949 21:23h  19:19:22 +11:19h    13 procs short
  925        bob        batch    16 1:00:00:00   2738 21:07h  Jan11 05:22 +1d21h  15 procs short
  972        john       batch    16 1:00:00:00   2537 19:20h  Jan10 12:44 +1d04h  15 procs short
  1151       eva        batch    16    0:30:00   2284  7:31h  18:49:22 +10:49h    15 procs short
  1051       john       batch    16 1:00:00:00   2169 16:22h  Jan10 15:44 +1d07h  15 procs short
  1046       bob        batch     8 1:00:00:00   2090 15:58h  Jan10 05:22 +21:22h 7 procs short
  1085       eva        batch    16    3:00:00   1933 13:25h  Jan10 12:44 +1d04h  15 procs short
  1066       bob        batch     4 1:00:00:00   1865 14:11h  Jan10 04:44 +20:44h 3 procs short
  1057       eva        long      4 1:12:00:00   1861 16:16h  Jan10 05:22 +21:22h 3 procs short
  1082       eva        batch     4    4:00:00   1820 13:29h  11:27:35 +3:27h     3 procs short
  1091       chen       batch    15   12:00:00   1806 13:10h  Jan11 12:44 +2d04h  14 procs short
┌─ Not applied yet ────────────────────────────────────────────────────────────────────────────────┐
│ hold -u 914                                                                                      │
│ > [u] user hold  [s] system hold  [b] batch hold                                                 │
│ (projection): order unchanged; 36 earlier; 18 later; worst: 943 +2:13:46:24                      │
│ <Enter> apply   <Esc> dismiss   d add to the draft                                               │
└──────────────────────────────────────────────────────────────────────────────────────────────────┘
 Total Jobs: 79   Active Jobs: 14   Idle Jobs: 41   Blocked Jobs: 24   filter: state=idle
 DRAFT 2 edits: set xfactorweight = 5; change priority of 960 by +20             A apply  D discard
EOS
screen 'the same in a small terminal' hold-in-box-small <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 63/64  98%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
IDLE 41 - by priority ──────────────────────────────────────────────────────────
  960   r ravi      32    2:00:00   3536  Jan10 04:44 +20:44h 31 procs short
> 914   r ravi      32    3:00:00   3477  Jan10 06:44 +22:44h 31 procs short
  957     leila     32    3:00:00   3198  Jan10 09:44 +1d01h  31 procs short
  924     ahmed     14    8:00:00   2949  19:19:22 +11:19h    13 procs short
  925     bob       16 1:00:00:00   2738  Jan11 05:22 +1d21h  15 procs short
  972     john      16 1:00:00:00   2537  Jan10 12:44 +1d04h  15 procs short
  1151    eva       16    0:30:00   2284  18:49:22 +10:49h    15 procs short
  1051    john      16 1:00:00:00   2169  Jan10 15:44 +1d07h  15 procs short
  1046    bob        8 1:00:00:00   2090  Jan10 05:22 +21:22h 7 procs short
  1085    eva       16    3:00:00   1933  Jan10 12:44 +1d04h  15 procs short
┌─ Not applied yet ────────────────────────────────────────────────────────────┐
│ hold -u 914                                                                  │
│ > [u] user hold  [s] system hold  [b] batch hold                             │
│ (projection): order unchanged; 36 earlier; 18 later; worst: 943 +2:13:46:24  │
│ <Enter> apply   <Esc> dismiss   d add to the draft                           │
└──────────────────────────────────────────────────────────────────────────────┘
 DRAFT 2 edits: set xfactorweight = 5; and 1 more            A apply  D discard
 79 jobs: 14 active, 41 idle, 24 blocked   filter: state=idle
EOS
screen 'Enter applies the action in the box, not the draft' held <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████ 63/64  98%] Nodes  [█████████████████████ 8/8 100%]
  JOB     USER    PROC    WCLIMIT   PRIO EST.START            WHY NOT NOW
IDLE 40 - by priority ──────────────────────────────────────────────────────────
  960   r ravi      32    2:00:00   3536  Jan10 04:44 +20:44h 31 procs short
> 957   r leila     32    3:00:00   3198  Jan10 06:44 +22:44h 31 procs short
  924     ahmed     14    8:00:00   2949  19:19:22 +11:19h    13 procs short
  925     bob       16 1:00:00:00   2738  Jan10 05:22 +21:22h 15 procs short
  972     john      16 1:00:00:00   2537  Jan10 09:44 +1d01h  15 procs short
  1151    eva       16    0:30:00   2284  18:49:22 +10:49h    15 procs short
  1051    john      16 1:00:00:00   2169  Jan10 12:44 +1d04h  15 procs short
  1046    bob        8 1:00:00:00   2090  Jan11 05:22 +1d21h  7 procs short
  1085    eva       16    3:00:00   1933  Jan10 09:44 +1d01h  15 procs short
  1066    bob        4 1:00:00:00   1865  Jan10 06:57 +22:57h 3 procs short
  1057    eva        4 1:12:00:00   1861  Jan10 06:45 +22:45h 3 procs short
  1082    eva        4    4:00:00   1820  11:27:35 +3:27h     3 procs short
  +28 more
 Job 957 needs 32 processors and 1 is free: 31 short.

 DRAFT 2 edits: set xfactorweight = 5; and 1 more            A apply  D discard
 (projection): 26 jobs change order; 23 earlier; 38 later; worst: 1137         ~
 Done: hold -u 914. u undoes it.
 <Enter> open  w why  H hold  R release  W weights  u undo       ? help  Q quit
EOS
screen 'on the What-if screen an action joins the draft' three <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                 full projection, jobs run to their limits
>  1     set xfactorweight = 5
   2     change priority of 960 by +20
   3     change priority of 924 by +10
────────────────────────────────────────────────────────────────────────────────
  JOB       LIVE        DRAFT       CHANGE    TOTALS OF 62 JOBS LIVE       DRAFT
  960     r Jan10 04:44 Jan10 06:45 +2:00:42  jobs that start     62          62
  957     r Jan10 06:44 Jan10 08:45 +2:00:42  mean wait   3:13:29:44  3:14:30:35
> 924       19:19:22    18:49:22    -0:30:00  max wait   10:01:32:15 10:13:32:15
  925       Jan10 05:22 Jan10 02:49 -2:32:57  mean xfactor      9.36       10.08
  972       Jan10 09:44 Jan10 11:45 +2:00:42  last start Jan18 12:00 Jan19 00:00
  1151      18:49:22    Jan10 04:44 +9:55:20  used until then  46.1%       43.7%
  1051      Jan10 12:44 Jan10 11:45 -0:59:18  jobs delayed         -          38
  +33 more                                    worst delay          - +1:11:21:47
 mean wait: edit 1 costs 1:01:20; edit 2 saves 0:00:29; edit 3 changes no start
 draft ██████▇███████▇███████████▆▅▅▅▅▃▃▃▃▃▂▂▂▂▂▂▂▁▁▁▁▁▁▁▁
 live  ██████▇████████████████▇▆▆▇▆▆▆▅▅▅▃▂▂▂▂▂▂▂▁▁▁▁▁▁▁▁                   ▂▃▂▁
       now           Jan11 06:24   Jan13 04:48    Jan15 03:12   Jan17 01:36
 DRAFT 3 edits                                               A apply  D discard
 (projection): 26 jobs change order; 23 earlier; 38 later; worst: 1137         ~
 23 earlier, 38 later, 26 change rank   focus: jobs (<Tab>)   filter: state=idle
 e value  f on/off  V sweep  B solve  m assume  r remove  w why  ? help  Q quit
EOS

# IDs of seven digits are not truncated, also next to the totals.
sed 's/901\(...\)/9010\1/' log >log7
{
	printf '%s\n' "$until_then"
	printf 'size 80x24\nkeys 7\ndump long-ids-live\n:hold 9010023\ndump long-ids\n'
} | play replay log7 --cluster 635x8 --config "$policy" --console
screen 'IDs of seven digits' long-ids <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 Effects of the draft                 full projection, jobs run to their limits
>  1     hold user 17 (9010023)
────────────────────────────────────────────────────────────────────────────────
  JOB       LIVE        DRAFT       CHANGE    TOTALS OF 16 JOBS LIVE       DRAFT
> S       r Mar26 07:00 Mar26 07:00           jobs that start     17          16
  900991    19:44:39    19:44:39              mean wait     19:59:32    19:37:05
  900992    23:44:39    Mar25 00:31 +0:46:34  max wait    1:23:50:00  1:23:50:00
  900993    Mar25 02:07 Mar25 02:28 +0:20:15  mean xfactor     13.85       13.55
  900995    Mar25 04:02 Mar25 04:27 +0:24:15  last start Mar26 07:00 Mar26 07:00
  900997    Mar25 06:01 Mar25 05:57 -0:04:45  used until then  75.5%       75.4%
  9010025   Mar25 07:31 Mar25 07:27 -0:04:45  jobs delayed         -           4
  9010023 H Mar25 15:30 held        no start  worst delay          -    +0:46:34
  9010013   21:44:39    21:44:39
  9010620 ! Mar25 05:01 Mar25 03:27 -1:34:45
  +7 more
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now           23:49:44      Mar25 07:37    Mar25 15:24   Mar25 23:12
 DRAFT 1 edit                                                A apply  D discard
 (projection): order unchanged; 10 earlier; 4 later; worst: 900992 +0:46:34
 10 earlier, 4 later, 3 change rank   focus: jobs (<Tab>)
 e value  f on/off  V sweep  B solve  m assume  r remove  w why  ? help  Q quit
EOS
check_contains "IDs of seven digits without a draft" "  9010013         " "$(cat long-ids-live)"
