#!/bin/sh
# SPDX-License-Identifier: MIT
#
# whatif.sh - does screen 7 show what a draft would do, to each job and to all, and does only Enter do it?
#
# The queue of tests/hpc2n.sh at 16:02:11: one job of user1 holds 69896 of 72000 processor-seconds. With
# 98696 the next one starts at once and not at 19:44:39, and those behind it follow.

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
keys f k D
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
keys <Tab> D j f
dump all-off
keys <Enter>
dump nothing
keys <Esc>
dump dropped
EOS

screen 'the queue as it is, run ahead' live <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 The queue as it is                                       full projection, jobs run to their limits
 There is no draft: this is the queue as it is. W tries other weights, : another setting (tune
 user[eva].maxproc 8), H and R hold and release; what is drafted on any screen is shown here.
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          USER      RANK   PRIORITY START       WAITED THEN OF 17 JOBS                    LIVE
> S          r sam          1        532 Mar26 07:00 1:23:50:00  jobs that start                 17
  900991       user1        2        433 19:44:39    10:55:28    mean wait                 20:32:01
  900992       user1        3        431 23:44:39    14:53:41    max wait                1:23:50:00
  900993       user1        4        426 Mar25 02:07 17:12:19    mean xfactor                 13.78
  900995       user1        5        417 Mar25 04:02 18:58:07    last start             Mar26 07:00
  900997       user1        6        413 Mar25 06:01 20:53:21    in use till then             75.5%
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

 keys: jobs (<Tab>)

 V sweep  B solve  A assume  W weights  H hold  w why  R release  = numbers  q back  ? help  Q quit
EOS
screen 'three edits: their numbers are those of the full projection, and which edit does what' three <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 What the draft changes                                   full projection, jobs run to their limits
>  1     set account[none].maxps[user] = 98696,1080000
   2     set xfactorweight = 600
   3     hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          PRIORITY        LIVE        DRAFT       CHANGE    OF 16 JOBS        LIVE       DRAFT
> S          r 532->6454       Mar26 07:00 Mar26 07:00           jobs that start     17          16
  900991       433->5363       19:44:39    now         -3:42:28  mean wait     19:59:32    15:01:03
  900992       431->3187       23:44:39    20:48:45    -2:55:54  max wait    1:23:50:00  1:23:50:00
  900993       426->3160       Mar25 02:07 22:40:47    -3:27:02  mean xfactor     13.85       10.88
  900995       417->3104       Mar25 04:02 Mar25 00:13 -3:49:13  last start Mar26 07:00 Mar26 07:00
  900997       413->3082       Mar25 06:01 Mar25 00:59 -5:02:30  in use till then 75.5%       75.4%
  901025       312->2472       Mar25 07:31 Mar25 01:53 -5:38:10  jobs delayed         -           1
  901023     H 282->2018       Mar25 15:30 held        no start  worst delay          -    no start
  901013       272->2686       21:44:39    18:02:11    -3:42:28
  901620     ! 1->600          Mar25 05:01 23:20:16    -5:41:33
  901624     ! 1->600          Mar25 13:31 Mar25 05:18 -8:13:12
  901627     ! 1->600          Mar25 03:02 21:47:27    -5:15:22
  901069     ! 1->600          Mar25 12:01 Mar25 04:26 -7:34:51
  901070     ! 1->600          Mar25 01:21 19:45:23    -5:36:36
  +3 more
 edit 1 gives 93% of the gain; edit 2 changes no start; edit 3 gives 7% of the gain
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now            22:31:49       Mar25 05:01     Mar25 11:31    Mar25 18:00    Mar26 00:30
 15 earlier, 1 later, 4 change rank   keys: jobs (<Tab>)
 draft of 3 edits (projection): 2 jobs change order; 15 earlier; 1 later
 <Enter> apply  <Esc> drop  e value  f on/off  V sweep  B solve  A assume  D remove  ? help  Q quit
EOS
screen 'the list of edits has the keys' edits <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 What the draft changes                                   full projection, jobs run to their limits
>  1     set account[none].maxps[user] = 98696,1080000
   2     set xfactorweight = 600
   3     hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          PRIORITY        LIVE        DRAFT       CHANGE    OF 16 JOBS        LIVE       DRAFT
> S          r 532->6454       Mar26 07:00 Mar26 07:00           jobs that start     17          16
  900991       433->5363       19:44:39    now         -3:42:28  mean wait     19:59:32    15:01:03
  900992       431->3187       23:44:39    20:48:45    -2:55:54  max wait    1:23:50:00  1:23:50:00
  900993       426->3160       Mar25 02:07 22:40:47    -3:27:02  mean xfactor     13.85       10.88
  900995       417->3104       Mar25 04:02 Mar25 00:13 -3:49:13  last start Mar26 07:00 Mar26 07:00
  900997       413->3082       Mar25 06:01 Mar25 00:59 -5:02:30  in use till then 75.5%       75.4%
  901025       312->2472       Mar25 07:31 Mar25 01:53 -5:38:10  jobs delayed         -           1
  901023     H 282->2018       Mar25 15:30 held        no start  worst delay          -    no start
  901013       272->2686       21:44:39    18:02:11    -3:42:28
  901620     ! 1->600          Mar25 05:01 23:20:16    -5:41:33
  901624     ! 1->600          Mar25 13:31 Mar25 05:18 -8:13:12
  901627     ! 1->600          Mar25 03:02 21:47:27    -5:15:22
  901069     ! 1->600          Mar25 12:01 Mar25 04:26 -7:34:51
  901070     ! 1->600          Mar25 01:21 19:45:23    -5:36:36
  +3 more
 edit 1 gives 93% of the gain; edit 2 changes no start; edit 3 gives 7% of the gain
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now            22:31:49       Mar25 05:01     Mar25 11:31    Mar25 18:00    Mar26 00:30
 15 earlier, 1 later, 4 change rank   keys: edits (<Tab>)
 draft of 3 edits (projection): 2 jobs change order; 15 earlier; 1 later
 <Enter> apply  <Esc> drop  e value  f on/off  V sweep  B solve  A assume  D remove  ? help  Q quit
EOS
screen 'an edit switched off stays in the list and does nothing' off <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 What the draft changes                                   full projection, jobs run to their limits
   1     set account[none].maxps[user] = 98696,1080000
>  2 off set xfactorweight = 600
   3     hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          PRIORITY        LIVE        DRAFT       CHANGE    OF 16 JOBS        LIVE       DRAFT
> S          r 532             Mar26 07:00 Mar26 07:00           jobs that start     17          16
  900991       433             19:44:39    now         -3:42:28  mean wait     19:59:32    15:01:03
  900992       431             23:44:39    20:48:45    -2:55:54  max wait    1:23:50:00  1:23:50:00
  900993       426             Mar25 02:07 22:40:47    -3:27:02  mean xfactor     13.85       10.88
  900995       417             Mar25 04:02 Mar25 00:13 -3:49:13  last start Mar26 07:00 Mar26 07:00
  900997       413             Mar25 06:01 Mar25 00:59 -5:02:30  in use till then 75.5%       75.4%
  901025       312             Mar25 07:31 Mar25 01:53 -5:38:10  jobs delayed         -           1
  901023     H 282             Mar25 15:30 held        no start  worst delay          -    no start
  901013       272             21:44:39    18:02:11    -3:42:28
  901620     ! 1               Mar25 05:01 23:20:16    -5:41:33
  901624     ! 1               Mar25 13:31 Mar25 05:18 -8:13:12
  901627     ! 1               Mar25 03:02 21:47:27    -5:15:22
  901069     ! 1               Mar25 12:01 Mar25 04:26 -7:34:51
  901070     ! 1               Mar25 01:21 19:45:23    -5:36:36
  901071     ! 1               Mar25 00:48 19:06:11    -5:42:28
  +2 more
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now            22:31:49       Mar25 05:01     Mar25 11:31    Mar25 18:00    Mar26 00:30
 15 earlier, 1 later, 3 change rank   keys: edits (<Tab>)
 draft of 3 edits (projection): the order stays; 15 earlier; 1 later
 <Enter> apply  <Esc> drop  e value  f on/off  V sweep  B solve  A assume  D remove  ? help  Q quit
EOS
screen 'one taken out, one on again' removed <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 What the draft changes                                   full projection, jobs run to their limits
>  1     set xfactorweight = 600
   2     hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          PRIORITY        LIVE        DRAFT       CHANGE    OF 16 JOBS        LIVE       DRAFT
> S          r 532->6454       Mar26 07:00 Mar26 07:00           jobs that start     17          16
  900991       433->5363       19:44:39    19:44:39              mean wait     19:59:32    19:37:05
  900992       431->3187       23:44:39    Mar25 00:31 +0:46:34  max wait    1:23:50:00  1:23:50:00
  900993       426->3160       Mar25 02:07 Mar25 02:28 +0:20:15  mean xfactor     13.85       13.55
  900995       417->3104       Mar25 04:02 Mar25 04:27 +0:24:15  last start Mar26 07:00 Mar26 07:00
  900997       413->3082       Mar25 06:01 Mar25 05:57 -0:04:45  in use till then 75.5%       75.4%
  901025       312->2472       Mar25 07:31 Mar25 07:27 -0:04:45  jobs delayed         -           4
  901023     H 282->2018       Mar25 15:30 held        no start  worst delay          -    +0:46:34
  901013       272->2686       21:44:39    21:44:39
  901620     ! 1->600          Mar25 05:01 Mar25 03:27 -1:34:45
  901624     ! 1->600          Mar25 13:31 Mar25 13:27 -0:04:45
  901627     ! 1->600          Mar25 03:02 Mar25 01:29 -1:32:54
  901069     ! 1->600          Mar25 12:01 Mar25 11:57 -0:04:45
  901070     ! 1->600          Mar25 01:21 23:27:51    -1:54:08
  901071     ! 1->600          Mar25 00:48 22:48:39    -2:00:00
  +2 more
 edit 1 changes no start; edit 2 alone gives all of the gain
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now            22:31:49       Mar25 05:01     Mar25 11:31    Mar25 18:00    Mar26 00:30
 10 earlier, 4 later, 4 change rank   keys: edits (<Tab>)
 draft of 2 edits (projection): 2 jobs change order; 10 earlier; 4 later; worst: 900992 +0:46:34
 <Enter> apply  <Esc> drop  e value  f on/off  V sweep  B solve  A assume  D remove  ? help  Q quit
EOS
screen 'one written anew' written <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 What the draft changes                                   full projection, jobs run to their limits
>  1     set xfactorweight = 50
   2     hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          PRIORITY        LIVE        DRAFT       CHANGE    OF 16 JOBS        LIVE       DRAFT
> S          r 532->1025       Mar26 07:00 Mar26 07:00           jobs that start     17          16
  900991       433->843        19:44:39    19:44:39              mean wait     19:59:32    19:37:05
  900992       431->660        23:44:39    Mar25 00:31 +0:46:34  max wait    1:23:50:00  1:23:50:00
  900993       426->654        Mar25 02:07 Mar25 02:28 +0:20:15  mean xfactor     13.85       13.55
  900995       417->641        Mar25 04:02 Mar25 04:27 +0:24:15  last start Mar26 07:00 Mar26 07:00
  900997       413->636        Mar25 06:01 Mar25 05:57 -0:04:45  in use till then 75.5%       75.4%
  901025       312->492        Mar25 07:31 Mar25 07:27 -0:04:45  jobs delayed         -           4
  901023     H 282->426        Mar25 15:30 held        no start  worst delay          -    +0:46:34
  901013       272->473        21:44:39    21:44:39
  901620     ! 1->50           Mar25 05:01 Mar25 03:27 -1:34:45
  901624     ! 1->50           Mar25 13:31 Mar25 13:27 -0:04:45
  901627     ! 1->50           Mar25 03:02 Mar25 01:29 -1:32:54
  901069     ! 1->50           Mar25 12:01 Mar25 11:57 -0:04:45
  901070     ! 1->50           Mar25 01:21 23:27:51    -1:54:08
  901071     ! 1->50           Mar25 00:48 22:48:39    -2:00:00
  +2 more
 edit 1 changes no start; edit 2 alone gives all of the gain
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now            22:31:49       Mar25 05:01     Mar25 11:31    Mar25 18:00    Mar26 00:30
 10 earlier, 4 later, 3 change rank   keys: edits (<Tab>)
 draft of 2 edits (projection): the order stays; 10 earlier; 4 later; worst: 900992 +0:46:34
 <Enter> apply  <Esc> drop  e value  f on/off  V sweep  B solve  A assume  D remove  ? help  Q quit
EOS
screen 'a line that is refused changes nothing of the draft' refused <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 What the draft changes                                   full projection, jobs run to their limits
>  1     set xfactorweight = 50
   2     hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          PRIORITY        LIVE        DRAFT       CHANGE    OF 16 JOBS        LIVE       DRAFT
> S          r 532->1025       Mar26 07:00 Mar26 07:00           jobs that start     17          16
  900991       433->843        19:44:39    19:44:39              mean wait     19:59:32    19:37:05
  900992       431->660        23:44:39    Mar25 00:31 +0:46:34  max wait    1:23:50:00  1:23:50:00
  900993       426->654        Mar25 02:07 Mar25 02:28 +0:20:15  mean xfactor     13.85       13.55
  900995       417->641        Mar25 04:02 Mar25 04:27 +0:24:15  last start Mar26 07:00 Mar26 07:00
  900997       413->636        Mar25 06:01 Mar25 05:57 -0:04:45  in use till then 75.5%       75.4%
  901025       312->492        Mar25 07:31 Mar25 07:27 -0:04:45  jobs delayed         -           4
  901023     H 282->426        Mar25 15:30 held        no start  worst delay          -    +0:46:34
  901013       272->473        21:44:39    21:44:39
  901620     ! 1->50           Mar25 05:01 Mar25 03:27 -1:34:45
  901624     ! 1->50           Mar25 13:31 Mar25 13:27 -0:04:45
  901627     ! 1->50           Mar25 03:02 Mar25 01:29 -1:32:54
  901069     ! 1->50           Mar25 12:01 Mar25 11:57 -0:04:45
  901070     ! 1->50           Mar25 01:21 23:27:51    -1:54:08
  901071     ! 1->50           Mar25 00:48 22:48:39    -2:00:00
  +2 more
 edit 1 changes no start; edit 2 alone gives all of the gain
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now            22:31:49       Mar25 05:01     Mar25 11:31    Mar25 18:00    Mar26 00:30
 10 earlier, 4 later, 3 change rank   keys: edits (<Tab>)
 xfactorweight must be a number from -1000000000000 to 1000000000000, got "-"
 <Enter> apply  <Esc> drop  e value  f on/off  V sweep  B solve  A assume  D remove  ? help  Q quit
EOS
screen 'who gains and who loses' groups <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 What the draft changes                                   full projection, jobs run to their limits
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






 edit 1 changes no start; edit 2 alone gives all of the gain
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now            22:31:49       Mar25 05:01     Mar25 11:31    Mar25 18:00    Mar26 00:30
 10 earlier, 4 later, 3 change rank   keys: totals (<Tab>)
 draft of 2 edits (projection): the order stays; 10 earlier; 4 later; worst: 900992 +0:46:34
 <Enter> apply  <Esc> drop  e value  f on/off  V sweep  B solve  A assume  D remove  ? help  Q quit
EOS
screen 'all edits off: nothing is another' all-off <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 What the draft changes                                   full projection, jobs run to their limits
>  1 off hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          PRIORITY        LIVE        DRAFT       CHANGE    OF 17 JOBS        LIVE       DRAFT
> S          r 532             Mar26 07:00 Mar26 07:00           jobs that start     17          17
  900991       433             19:44:39    19:44:39              mean wait     20:32:01    20:32:01
  900992       431             23:44:39    23:44:39              max wait    1:23:50:00  1:23:50:00
  900993       426             Mar25 02:07 Mar25 02:07           mean xfactor     13.78       13.78
  900995       417             Mar25 04:02 Mar25 04:02           last start Mar26 07:00 Mar26 07:00
  900997       413             Mar25 06:01 Mar25 06:01           in use till then 75.5%       75.5%
  901025       312             Mar25 07:31 Mar25 07:31           jobs delayed         -           0
  901023       282             Mar25 15:30 Mar25 15:30           worst delay          -           -
  901013       272             21:44:39    21:44:39
  901620     ! 1               Mar25 05:01 Mar25 05:01
  901624     ! 1               Mar25 13:31 Mar25 13:31
  901627     ! 1               Mar25 03:02 Mar25 03:02
  901069     ! 1               Mar25 12:01 Mar25 12:01
  901070     ! 1               Mar25 01:21 Mar25 01:21
  901071     ! 1               Mar25 00:48 Mar25 00:48
  901074     ! 1               Mar25 10:31 Mar25 10:31
  901108     ! 1               Mar25 09:01 Mar25 09:01

 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now            22:31:49       Mar25 05:01     Mar25 11:31    Mar25 18:00    Mar26 00:30
 0 earlier, 0 later, 0 change rank   keys: edits (<Tab>)
 draft of 1 edit (projection): the order and all estimated starts stay
 <Enter> apply  <Esc> drop  e value  f on/off  V sweep  B solve  A assume  D remove  ? help  Q quit
EOS
screen 'and there is nothing to apply' nothing <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 What the draft changes                                   full projection, jobs run to their limits
>  1 off hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          PRIORITY        LIVE        DRAFT       CHANGE    OF 17 JOBS        LIVE       DRAFT
> S          r 532             Mar26 07:00 Mar26 07:00           jobs that start     17          17
  900991       433             19:44:39    19:44:39              mean wait     20:32:01    20:32:01
  900992       431             23:44:39    23:44:39              max wait    1:23:50:00  1:23:50:00
  900993       426             Mar25 02:07 Mar25 02:07           mean xfactor     13.78       13.78
  900995       417             Mar25 04:02 Mar25 04:02           last start Mar26 07:00 Mar26 07:00
  900997       413             Mar25 06:01 Mar25 06:01           in use till then 75.5%       75.5%
  901025       312             Mar25 07:31 Mar25 07:31           jobs delayed         -           0
  901023       282             Mar25 15:30 Mar25 15:30           worst delay          -           -
  901013       272             21:44:39    21:44:39
  901620     ! 1               Mar25 05:01 Mar25 05:01
  901624     ! 1               Mar25 13:31 Mar25 13:31
  901627     ! 1               Mar25 03:02 Mar25 03:02
  901069     ! 1               Mar25 12:01 Mar25 12:01
  901070     ! 1               Mar25 01:21 Mar25 01:21
  901071     ! 1               Mar25 00:48 Mar25 00:48
  901074     ! 1               Mar25 10:31 Mar25 10:31
  901108     ! 1               Mar25 09:01 Mar25 09:01

 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now            22:31:49       Mar25 05:01     Mar25 11:31    Mar25 18:00    Mar26 00:30
 0 earlier, 0 later, 0 change rank   keys: edits (<Tab>)
 Every edit of the draft is off: there is nothing to apply.
 <Enter> apply  <Esc> drop  e value  f on/off  V sweep  B solve  A assume  D remove  ? help  Q quit
EOS
screen 'Esc drops the whole draft' dropped <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 The queue as it is                                       full projection, jobs run to their limits
 There is no draft: this is the queue as it is. W tries other weights, : another setting (tune
 user[eva].maxproc 8), H and R hold and release; what is drafted on any screen is shown here.
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          USER      RANK   PRIORITY START       WAITED THEN OF 17 JOBS                    LIVE
> S          r sam          1        532 Mar26 07:00 1:23:50:00  jobs that start                 17
  900991       user1        2        433 19:44:39    10:55:28    mean wait                 20:32:01
  900992       user1        3        431 23:44:39    14:53:41    max wait                1:23:50:00
  900993       user1        4        426 Mar25 02:07 17:12:19    mean xfactor                 13.78
  900995       user1        5        417 Mar25 04:02 18:58:07    last start             Mar26 07:00
  900997       user1        6        413 Mar25 06:01 20:53:21    in use till then             75.5%
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

 keys: edits (<Tab>)

 V sweep  B solve  A assume  W weights  H hold  w why  R release  = numbers  q back  ? help  Q quit
EOS
on_the_day <<'EOS'
size 80x24
keys H u 7
:tune account[none].maxps[user]=98696,1080000
dump from-elsewhere
keys 1 j H s
dump added
keys <Esc>
dump taken-back
keys 7 A
dump assumed
size 200x60
dump large
keys <Enter>
step 1
keys 1
size 80x24
dump applied
EOS

screen 'what was drafted on another screen is here, and more is added to it' from-elsewhere <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 What the draft changes               full projection, jobs run to their limits
>  1     hold user 4 (S)
   2     set account[none].maxps[user] = 98696,1080000
────────────────────────────────────────────────────────────────────────────────
  JOB       LIVE        DRAFT       CHANGE    OF 16 JOBS        LIVE       DRAFT
> S       H Mar26 07:00 held        no start  jobs that start     17          16
  900991    19:44:39    now         -3:42:28  mean wait     18:49:39     5:37:21
  900992    23:44:39    now         -7:42:28  max wait    1:05:11:41     7:13:00
  900993    Mar25 02:07 now         -10:05:38 mean xfactor     11.59        4.36
  900995    Mar25 04:02 now         -12:00:38 last start Mar25 15:30         now
  900997    Mar25 06:01 now         -13:59:38 in use till then 75.5%           -
  901025    Mar25 07:31 now         -15:29:38 jobs delayed         -           1
  901023    Mar25 15:30 now         -23:28:38 worst delay          -    no start
  901013    21:44:39    now         -5:42:28
  901620  ! Mar25 05:01 now         -12:59:38
  +7 more
 edit 1 alone gives all of the gain; edit 2 adds nothing to the others
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now           23:49:44      Mar25 07:37    Mar25 15:24   Mar25 23:12
 draft of 2 edits (projection): the order stays; 16 earlier; 1 later
 <Enter> apply  <Esc> drop  e value  f on/off  V sweep  B solve  ? help  Q quit
EOS
screen 'a draft that was seen here stays, and what comes next is added' added <<'EOS'
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
> 900991   user1     8    1:00:00    433 ~19:44:39 +3:42h     MAXPS 98696>72000
  900992   user1     8    2:00:00    431 ~23:44:39 +7:42h     MAXPS 127496>72000
  900993   user1     8    2:00:00    426 ~23:44:39 +7:42h     MAXPS 127496>72000
  900995   user1     8    2:00:00    417 ~23:44:39 +7:42h     MAXPS 127496>72000
  900997   user1     8    2:00:00    413 ~23:44:39 +7:42h     MAXPS 127496>72000
  901025   user1     8    2:00:00    312 ~23:44:39 +7:42h     MAXPS 127496>72000
  901023   user1     8    2:29:00    282 ~Mar25 01:40 +9:38h  MAXPS 141416>72000
  901013   user1     8    1:30:00    272 ~21:44:39 +5:42h     MAXPS 113096>72000
BLOCKED 8 - by idle limits ─────────────────────────────────────────────────────
  +8 more
 Job 900991 would bring 28800 processor-seconds to the 69896 in use of account
 none, user user1: 98696 is over the soft limit MAXPS of 72000 by 26696; it    ~
 draft of 3 edits (plan): the order stays; 8 earlier; 2 later
 <Enter> apply  <Esc> drop  w why  H hold  R release  W weights  ? help  Q quit
EOS
screen 'Esc takes back what was added last, and leaves the rest' taken-back <<'EOS'
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
> 900991   user1     8    1:00:00    433 ~19:44:39 +3:42h     MAXPS 98696>72000
  900992   user1     8    2:00:00    431 ~23:44:39 +7:42h     MAXPS 127496>72000
  900993   user1     8    2:00:00    426 ~23:44:39 +7:42h     MAXPS 127496>72000
  900995   user1     8    2:00:00    417 ~23:44:39 +7:42h     MAXPS 127496>72000
  900997   user1     8    2:00:00    413 ~23:44:39 +7:42h     MAXPS 127496>72000
  901025   user1     8    2:00:00    312 ~23:44:39 +7:42h     MAXPS 127496>72000
  901023   user1     8    2:29:00    282 ~Mar25 01:40 +9:38h  MAXPS 141416>72000
  901013   user1     8    1:30:00    272 ~21:44:39 +5:42h     MAXPS 113096>72000
BLOCKED 8 - by idle limits ─────────────────────────────────────────────────────
  +8 more
 Job 900991 would bring 28800 processor-seconds to the 69896 in use of account
 none, user user1: 98696 is over the soft limit MAXPS of 72000 by 26696; it    ~
 draft of 2 edits (plan): the order stays; 8 earlier; 1 later
 <Enter> apply  <Esc> drop  w why  H hold  R release  W weights  ? help  Q quit
EOS
screen 'jobs run for as much of their limits as those before them' assumed <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 What the draft changes           full projection, jobs run as their users' did
>  1     hold user 4 (S)
   2     set account[none].maxps[user] = 98696,1080000
────────────────────────────────────────────────────────────────────────────────
  JOB       LIVE        DRAFT       CHANGE    OF 16 JOBS        LIVE       DRAFT
> S       H Mar26 07:00 held        no start  jobs that start     17          16
  900991    19:44:39    now         -3:42:28  mean wait     14:50:43     5:37:21
  900992    23:44:39    now         -7:42:28  max wait      18:19:56     7:13:00
  900993    Mar25 00:05 now         -8:02:52  mean xfactor      9.73        4.36
  900995    Mar25 00:25 now         -8:23:16  last start Mar25 03:54         now
  900997    Mar25 00:45 now         -8:43:40  in use till then 75.4%           -
  901025    Mar25 01:06 now         -9:04:04  jobs delayed         -           1
  901023    Mar25 01:47 now         -9:44:52  worst delay          -    no start
  901013    21:44:39    now         -5:42:28
  901620  ! Mar25 03:54 now         -11:52:11
  +7 more
 edit 1 alone gives all of the gain; edit 2 adds nothing to the others
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now           23:49:44      Mar25 07:37    Mar25 15:24   Mar25 23:12
 draft of 2 edits (projection): the order stays; 16 earlier; 1 later
 <Enter> apply  <Esc> drop  e value  f on/off  V sweep  B solve  ? help  Q quit
EOS
screen 'a large screen: whose jobs, places in the order' large <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 What the draft changes                                                                                                                                   full projection, jobs run as their users' did
>  1     hold user 4 (S)
   2     set account[none].maxps[user] = 98696,1080000
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          USER       RANK         PRIORITY              LIVE        DRAFT       CHANGE                                                                          OF 16 JOBS        LIVE       DRAFT
> S          H sam        1 -> -       532                   Mar26 07:00 held        no start                                                                        jobs that start     17          16
  900991       user1      2 -> 1       433                   19:44:39    now         -3:42:28                                                                        mean wait     14:50:43     5:37:21
  900992       user1      3 -> 2       431                   23:44:39    now         -7:42:28                                                                        max wait      18:19:56     7:13:00
  900993       user1      4 -> 3       426                   Mar25 00:05 now         -8:02:52                                                                        mean xfactor      9.73        4.36
  900995       user1      5 -> 4       417                   Mar25 00:25 now         -8:23:16                                                                        last start Mar25 03:54         now
  900997       user1      6 -> 5       413                   Mar25 00:45 now         -8:43:40                                                                        in use till then 75.4%           -
  901025       user1      7 -> 6       312                   Mar25 01:06 now         -9:04:04                                                                        jobs delayed         -           1
  901023       user1      8 -> 7       282                   Mar25 01:47 now         -9:44:52                                                                        worst delay          -    no start
  901013       user1      9 -> 8       272                   21:44:39    now         -5:42:28
  901620     ! user1      -            1                     Mar25 03:54 now         -11:52:11
  901624     ! user1      -            1                     Mar25 03:33 now         -11:31:47
  901627     ! user1      -            1                     Mar25 03:19 now         -11:17:20
  901069     ! user1      -            1                     Mar25 02:59 now         -10:56:56
  901070     ! user1      -            1                     Mar25 02:46 now         -10:44:11
  901071     ! user1      -            1                     Mar25 02:32 now         -10:30:35
  901074     ! user1      -            1                     Mar25 02:12 now         -10:10:11
  901108     ! user1      -            1                     Mar25 01:26 now         -9:24:28





























 edit 1 alone gives all of the gain; edit 2 adds nothing to the others
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now           19:02:00       22:01:50       Mar25 01:01    Mar25 04:01   Mar25 07:01    Mar25 10:01    Mar25 13:01    Mar25 16:00   Mar25 19:00    Mar25 22:00    Mar26 01:00    Mar26 04:00
 16 earlier, 1 later, 9 change rank   keys: jobs (<Tab>)
 draft of 2 edits (projection): the order stays; 16 earlier; 1 later
 <Enter> apply  <Esc> drop  e value  f on/off  V sweep  B solve  A assume  D remove  c commit  W weights  H hold  w why  R release  = numbers  / filter  q back                          ? help  Q quit
EOS
screen 'applied: 900991 starts at the second that was shown' applied <<'EOS'
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

screen 'without a sign beyond ASCII' ascii <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 What the draft changes               full projection, jobs run to their limits
>  1     set account[none].maxps[user] = 98696,1080000
--------------------------------------------------------------------------------
  JOB       LIVE        DRAFT       CHANGE    OF 17 JOBS        LIVE       DRAFT
> S       r Mar26 07:00 Mar26 07:00           jobs that start     17          17
  900991    19:44:39    now         -3:42:28  mean wait     20:32:01    15:38:26
  900992    23:44:39    20:02:11    -3:42:28  max wait    1:23:50:00  1:23:50:00
  900993    Mar25 02:07 22:22:47    -3:45:02  mean xfactor     13.78       11.03
  900995    Mar25 04:02 23:56:00    -4:06:49  last start Mar26 07:00 Mar26 07:00
  900997    Mar25 06:01 Mar25 01:15 -4:46:37  in use till then 75.5%       75.5%
  901025    Mar25 07:31 Mar25 01:52 -5:39:01  jobs delayed         -           0
  901023    Mar25 15:30 Mar25 06:29 -9:01:25  worst delay          -           -
  901013    21:44:39    18:02:11    -3:42:28
  901620  ! Mar25 05:01 Mar25 00:23 -4:38:10
  901624  ! Mar25 13:31 Mar25 05:23 -8:08:49
  +6 more
 draft ########################################################################
 live  ########################################################################
       now           23:49:44      Mar25 07:37    Mar25 15:24   Mar25 23:12
 tune account[none].maxps[user]=98696,1080000 (projection): the order stays; 16
 earlier
 <Enter> apply  <Esc> drop  e value  f on/off  V sweep  B solve  ? help  Q quit
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
keys <Esc> <Esc>
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

screen '= says where the numbers of a job come from, by the projection' figures-80 <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 What the draft changes               full projection, jobs run to their limits
>  1     set account[none].maxps[user] = 98696,1080000
   2     hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────
  JOB       LIVE        DRAFT       CHANGE    OF 16 JOBS        LIVE       DRAFT
  S       r Mar26 07:00 Mar26 07:00           jobs that start     17          16
> 900991    19:44:39    now         -3:42:28  mean wait     19:59:32    15:01:03
  900992    23:44:39    20:48:45    -2:55:54  max wait    1:23:50:00  1:23:50:00
  +14 more                                    mean xfactor     13.85     +4 more
 edit 1 gives 93% of the gain; edit 2 gives 7% of the gain
────────────────────────────────────────────────────────────────────────────────
 RANK 2 = 1 + 1 jobs ahead
 PRIORITY 433 = queuetime 1 * 433 min
 LIVE 19:44:39 = now 16:02:11 + 3:42:28
 Job 900991 would bring 28800 processor-seconds to the 69896 in use of account
 none, user user1: 98696 is over the soft limit MAXPS of 72000 by 26696; it
 clears by itself at 19:44:39, in 3:42:28.
 RANK AFTER 2 = 1 + 1 jobs ahead
 PRIORITY AFTER 433 = queuetime 1 * 433 min
 DRAFT 16:02:11 = now 16:02:11                                          +29 more
 draft of 2 edits (projection): the order stays; 15 earlier; 1 later
 <Enter> apply  <Esc> drop  e value  f on/off  V sweep  B solve  ? help  Q quit
EOS
screen '= goes on to the totals' figures-more <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 What the draft changes               full projection, jobs run to their limits
>  1     set account[none].maxps[user] = 98696,1080000
   2     hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────
  JOB       LIVE        DRAFT       CHANGE    OF 16 JOBS        LIVE       DRAFT
  S       r Mar26 07:00 Mar26 07:00           jobs that start     17          16
> 900991    19:44:39    now         -3:42:28  mean wait     19:59:32    15:01:03
  900992    23:44:39    20:48:45    -2:55:54  max wait    1:23:50:00  1:23:50:00
  +14 more                                    mean xfactor     13.85     +4 more
 edit 1 gives 93% of the gain; edit 2 gives 7% of the gain
────────────────────────────────────────────────────────────────────────────────
 CHANGE -3:42:28 = after 16:02:11 - before 19:44:39
 jobs that start 17 = 17 waiting - 0 without a start
 mean wait 19:59:32 = (172200 s [S] + 100464 s [901624] + 87560 s [901069] +
 80045 s [901074] + 76031 s [901025] + 75201 s [900997] + 560065 s [10 others])
 / 16 jobs, cut
 max wait 1:23:50:00 = start Mar26 07:00:00 [S] - submitted 07:10:00
 mean xfactor 13.85 = (48.83 [S] + 14.95 [901624] + 14.12 [901620] + 13.25
 [901627] + 13.16 [901069] + 12.12 [901074] + 105.1 [10 others]) / 16 jobs,
 rounded                                                                +20 more
 draft of 2 edits (projection): the order stays; 15 earlier; 1 later
 <Enter> apply  <Esc> drop  e value  f on/off  V sweep  B solve  ? help  Q quit
EOS
screen 'without a draft there is one start' figures-live <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 The queue as it is                                       full projection, jobs run to their limits
 There is no draft: this is the queue as it is. W tries other weights, : another setting (tune
 user[eva].maxproc 8), H and R hold and release; what is drafted on any screen is shown here.
────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          USER      RANK   PRIORITY START       WAITED THEN OF 17 JOBS                    LIVE
  S          r sam          1        532 Mar26 07:00 1:23:50:00  jobs that start                 17
> 900991       user1        2        433 19:44:39    10:55:28    mean wait                 20:32:01
  900992       user1        3        431 23:44:39    14:53:41    max wait                1:23:50:00
  900993       user1        4        426 Mar25 02:07 17:12:19    mean xfactor                 13.78
  900995       user1        5        417 Mar25 04:02 18:58:07    last start             Mar26 07:00
  900997       user1        6        413 Mar25 06:01 20:53:21    in use till then             75.5%
  901025       user1        7        312 Mar25 07:31 21:07:11
  +10 more
────────────────────────────────────────────────────────────────────────────────────────────────────
 RANK 2 = 1 + 1 jobs ahead
 PRIORITY 433 = queuetime 1 * 433 min
 START 19:44:39 = now 16:02:11 + 3:42:28
 Job 900991 would bring 28800 processor-seconds to the 69896 in use of account none, user user1:
 98696 is over the soft limit MAXPS of 72000 by 26696; it clears by itself at 19:44:39, in 3:42:28.
 WAITED THEN 10:55:28 = start 19:44:39 - submitted 08:49:11
 jobs that start 17 = 17 waiting - 0 without a start
 mean wait 20:32:01 = (172200 s [S] + 105101 s [901023] + 100464 s [901624] + 87560 s [901069] +
 80045 s [901074] + 76031 s [901025] + 635266 s [11 others]) / 17 jobs, cut
 max wait 1:23:50:00 = start Mar26 07:00:00 [S] - submitted 07:10:00
 mean xfactor 13.78 = (48.83 [S] + 14.95 [901624] + 14.12 [901620] + 13.25 [901627] + 13.16  +5 more
 keys: jobs (<Tab>)

 V sweep  B solve  A assume  W weights  H hold  w why  R release  = numbers  q back  ? help  Q quit
EOS
screen 'whose jobs a mean is of' figures-group <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 What the draft changes                                   full projection, jobs run to their limits
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
  snac1                1  1:23:50:00  1:23:50:00   48.83   48.83       0      0
  +1 more
────────────────────────────────────────────────────────────────────────────────────────────────────
 JOBS 15 = 15                             that start in both futures
 MEAN WAIT 18:08:11 = (100464 s [901624] + 87560 s [901069] + 80045 s [901074] + 76031 s [901025] +
 75201 s [900997] + 70043 s [901620] + 490022 s [9 others]) / 15 jobs, cut
 MEAN WAIT DRAFT 17:44:14 = (100179 s [901624] + 87275 s [901069] + 79760 s [901074] + 75746 s
 [901025] + 74916 s [900997] + 69742 s [900995] + 470195 s [9 others]) / 15 jobs, cut
 MEAN XF 11.51 = (14.95 [901624] + 14.12 [901620] + 13.25 [901627] + 13.16 [901069] + 12.12
 [901074] + 11.92 [900991] + 93.17 [9 others]) / 15 jobs, rounded
 MEAN XF DRAFT 11.20 = (14.91 [901624] + 13.12 [901069] + 13.05 [901620] + 12.16 [901627] + 12.08
 [901074] + 11.92 [900991] + 90.79 [9 others]) / 15 jobs, rounded
 EARLIER 10 = 1 [901070] + 1 [901069] + 1 [900997] + 1 [901620] + 1 [901624] + 1 [901627] + 4 [4
 others]                                                                                     +2 more
 10 earlier, 4 later, 3 change rank   keys: totals (<Tab>)
 hold 901023 (projection): the order stays; 10 earlier; 4 later; worst: 900992 +0:46:34
 <Enter> apply  <Esc> drop  e value  f on/off  V sweep  B solve  A assume  D remove  ? help  Q quit
EOS
screen 'all of them on a large screen' figures-200 <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 What the draft changes                                                                                                                                       full projection, jobs run to their limits
>  1     hold user 17 (901023)
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  JOB          USER       RANK         PRIORITY              LIVE        DRAFT       CHANGE                                                                          OF 16 JOBS        LIVE       DRAFT
  S          r sam        1            532                   Mar26 07:00 Mar26 07:00                                                                                 jobs that start     17          16
> 900991       user1      2            433                   19:44:39    19:44:39                                                                                    mean wait     19:59:32    19:37:05
  900992       user1      3            431                   23:44:39    Mar25 00:31 +0:46:34                                                                        max wait    1:23:50:00  1:23:50:00
  900993       user1      4            426                   Mar25 02:07 Mar25 02:28 +0:20:15                                                                        mean xfactor     13.85       13.55
  900995       user1      5            417                   Mar25 04:02 Mar25 04:27 +0:24:15                                                                        last start Mar26 07:00 Mar26 07:00
  900997       user1      6            413                   Mar25 06:01 Mar25 05:57 -0:04:45                                                                        in use till then 75.5%       75.4%
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
 Job 900991 would bring 28800 processor-seconds to the 69896 in use of account none, user user1: 98696 is over the soft limit MAXPS of 72000 by 26696; it clears by itself at 19:44:39, in 3:42:28.
 RANK AFTER 2 = 1 + 1 jobs ahead
 PRIORITY AFTER 433 = queuetime 1 * 433 min
 DRAFT 19:44:39 = now 16:02:11 + 3:42:28
 Job 900991 would bring 28800 processor-seconds to the 69896 in use of account none, user user1: 98696 is over the soft limit MAXPS of 72000 by 26696; it clears by itself at 19:44:39, in 3:42:28.
 jobs that start 17 = 17 waiting - 0 without a start
 mean wait 19:59:32 = (172200 s [S] + 100464 s [901624] + 87560 s [901069] + 80045 s [901074] + 76031 s [901025] + 75201 s [900997] + 560065 s [10 others]) / 16 jobs, cut
 max wait 1:23:50:00 = start Mar26 07:00:00 [S] - submitted 07:10:00
 mean xfactor 13.85 = (48.83 [S] + 14.95 [901624] + 14.12 [901620] + 13.25 [901627] + 13.16 [901069] + 12.12 [901074] + 105.1 [10 others]) / 16 jobs, rounded
 last start Mar26 07:00 = start Mar26 07:00:00 [S], cut
 in use till then 75.5% = 100 * used 537699199 s / (5080 procs * (last Mar26 07:00:00 - now 16:02:11)), rounded
 jobs that start DRAFT 16 = 17 waiting - 1 without a start
 mean wait DRAFT 19:37:05 = (172200 s [S] + 100179 s [901624] + 87275 s [901069] + 79760 s [901074] + 75746 s [901025] + 74916 s [900997] + 539937 s [10 others]) / 16 jobs, cut
 max wait DRAFT 1:23:50:00 = start Mar26 07:00:00 [S] - submitted 07:10:00
 mean xfactor DRAFT 13.55 = (48.83 [S] + 14.91 [901624] + 13.12 [901069] + 13.05 [901620] + 12.16 [901627] + 12.08 [901074] + 102.71 [10 others]) / 16 jobs, rounded
 last start DRAFT Mar26 07:00 = start Mar26 07:00:00 [S], cut
 in use till then DRAFT 75.4% = 100 * used 537627679 s / (5080 procs * (last Mar26 07:00:00 - now 16:02:11)), rounded
 jobs delayed DRAFT 4 = 1 [900992] + 1 [900993] + 1 [900995] + 1 [901023]
 worst delay DRAFT +0:46:34 = after Mar25 00:31:13 [900992] - before 23:44:39
 earlier 10 = 1 [901070] + 1 [901069] + 1 [900997] + 1 [901620] + 1 [901624] + 1 [901627] + 4 [4 others]
 change rank 3 = 1 [901013] + 1 [901023] + 1 [901108]
 Starts: full projection, jobs run to their limits; passes as time goes on, nobody else comes.
 10 earlier, 4 later, 3 change rank   keys: jobs (<Tab>)
 hold 901023 (projection): the order stays; 10 earlier; 4 later; worst: 900992 +0:46:34
 <Enter> apply  <Esc> drop  e value  f on/off  V sweep  B solve  A assume  D remove  c commit  W weights  H hold  w why  R release  = numbers  / filter  q back                          ? help  Q quit
EOS

# Away from screen 7 a draft takes the place of one that was neither applied nor dropped, and says so; pressed again
# a key goes on with its own, and what was said stays said. On screen 7 edits add up.
play demo --nodes 8 --seed 5 <<'EOS'
size 100x30
:filter state=idle
wait-idle
keys g + +
wait-idle
dump first-job
keys j + +
wait-idle
dump second-job
keys H u
wait-idle
dump held-instead
size 80x24
wait-idle
dump held-instead-small
keys 7 j +
wait-idle
dump both
keys <Esc> <Esc> <Esc> 1 +
wait-idle
dump anew
EOS
draft_line() { tail -n 4 "$1" | grep -v '^ *$' | sed '/Total Jobs/d;/<Enter>/d'; }
check_equal "nothing was there before" 0 "$(grep -c 'instead of' first-job)"
check_equal "another job's takes its place" \
	" set 914 priority=+20 (plan): the order and all estimated starts stay; instead of set priority of
 960 +20 (on screen 7 edits add up)" "$(draft_line second-job)"
check_equal "and so does another key" \
	" hold -u 914 (plan): the order stays; 15 earlier; 2 later; worst: 943 +4:03:00; instead of set
 priority of 914 +20 (on screen 7 edits add up)" "$(draft_line held-instead)"
check_contains "in a small terminal, too" "instead of" "$(cat held-instead-small)"
check_equal "on screen 7 nothing is replaced" 0 "$(grep -c 'instead of' both)"
check_contains "both are listed" "  2     " "$(cat both)"
check_equal "what was dropped was not replaced" 0 "$(grep -c 'instead of' anew)"

# Ids of seven digits are whole, also beside the totals.
sed 's/901\(...\)/9010\1/' log >log7
{
	printf '%s\n' "$until_then"
	printf 'size 80x24\nkeys 7\ndump long-ids-live\n:hold 9010023\ndump long-ids\n'
} | play replay log7 --cluster 635x8 --config "$policy" --console
screen 'ids of seven digits' long-ids <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits [7 What-if] 8 Journal  9 Config
 What the draft changes               full projection, jobs run to their limits
>  1     hold user 17 (9010023)
────────────────────────────────────────────────────────────────────────────────
  JOB       LIVE        DRAFT       CHANGE    OF 16 JOBS        LIVE       DRAFT
> S       r Mar26 07:00 Mar26 07:00           jobs that start     17          16
  900991    19:44:39    19:44:39              mean wait     19:59:32    19:37:05
  900992    23:44:39    Mar25 00:31 +0:46:34  max wait    1:23:50:00  1:23:50:00
  900993    Mar25 02:07 Mar25 02:28 +0:20:15  mean xfactor     13.85       13.55
  900995    Mar25 04:02 Mar25 04:27 +0:24:15  last start Mar26 07:00 Mar26 07:00
  900997    Mar25 06:01 Mar25 05:57 -0:04:45  in use till then 75.5%       75.4%
  9010025   Mar25 07:31 Mar25 07:27 -0:04:45  jobs delayed         -           4
  9010023 H Mar25 15:30 held        no start  worst delay          -    +0:46:34
  9010013   21:44:39    21:44:39
  9010620 ! Mar25 05:01 Mar25 03:27 -1:34:45
  9010624 ! Mar25 13:31 Mar25 13:27 -0:04:45
  +6 more
 draft ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
 live  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       now           23:49:44      Mar25 07:37    Mar25 15:24   Mar25 23:12
 hold 9010023 (projection): the order stays; 10 earlier; 4 later; worst: 900992
 +0:46:34
 <Enter> apply  <Esc> drop  e value  f on/off  V sweep  B solve  ? help  Q quit
EOS
check_contains "and without a draft" "  9010013         " "$(cat long-ids-live)"
