#!/bin/sh
# SPDX-License-Identifier: MIT
#
# why.sh - "why is my job not running?": each cause is explained in the console within ten keys
#
# Three causes, starting from the Queue screen: a limit of the user; a hold, and a dependency on a job that
# waits itself; nodes in use by other jobs. Each time the screen shows what blocks the job with its numbers, when that
# clears, and which changes would start the job; one of them is made.

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"
. "$KAHU_SOURCE/tests/screen/policy.sh"

now=1300982531 # Thu Mar 24 2011, 16:02:11
{
	echo "VERSION 230"
	job u1 2 user1 34948 $now 34948
	job u2 8 user1 3600 $now 3600
	job e1 4 eva 7200 $now 7200
	job b1 14 bob 3600 $now 3600
} >work.trace
cat >kahu.conf <<'EOC'
user user1 { maxps = {"72000"} }
EOC

# Five keys to the explanation; two more to a preview of the change, one that applies it.
play replay work.trace --cluster 4x4 --config kahu.conf --console <<'EOS'
size 100x30
step 1
keys / u 2 <Enter> w
wait-idle
dump limit
keys <Tab> <Enter>
wait-idle
dump draft
keys <Enter>
wait-idle
step 1
dump started
EOS

# Five keys; and a start by another time.
play replay work.trace --cluster 4x4 --config kahu.conf --console <<'EOS'
size 100x30
step 1
keys / b 1 <Enter> w
wait-idle
dump resources
:why --by +2:30:00
wait-idle
dump later
EOS

play replay work.trace --cluster 4x4 --config kahu.conf --console <<'EOS'
size 100x30
step 1
:hold b1
keys <Enter>
:set u2 depend=afterok:4
keys <Enter>
step 1
keys / b 1 <Enter> w
wait-idle
dump held
keys q / <C-u> u 2 <Enter> w
wait-idle
keys <Tab>
dump dependency
EOS

screen 'a limit: its owner, the excess, when it clears, and which changes start the job' limit <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue [2 Job] 3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Job u2
  for       user1/staff/-   class batch   QOS -
  asks      8 procs for 1:00:00 = 28800 PS
  submitted 16:02:11, queued 0:00:00
  state     blocked
  starts     19:44:39 +3:42h      projection
 Job u2 does not start now: it would add 28800 processor-seconds to the 69896 in use by user user1:
 98696 is over the hard limit MAXPS of 72000 by 26696; it clears by itself at 19:44:39, in 3:42:28.
 Estimated start: Thu Mar 24 19:44:39 (in 3:42:28).

 CHECK                    VALUE                                         LIMIT               RESULT
  5 priority not negative 1                                             -                   ok
  6 fits the machine      8 procs                                       16 in the machine   ok
>11 hard limits           69896 + 28800 = 98696  user user1             MAXPS 72000         FAIL
 12 soft limits           69896 + 28800 = 98696  user user1             MAXPS 72000         FAIL
 14 resources now         8 procs                                       10 free             ok
 16 reservations ahead    no reservation is delayed                     >= 8                ok
 17 strict order          none ahead                                    -                   ok
    none: hold, defer, dependency, start date, limits of its class, limits of any job, tasks of its
    array, idle limits, fairshare cap, reserved for others, pause

 WHAT WOULD START IT     full projection, jobs run to their limits
 Single changes that start the job now (simulated only):
   tune user[user1].maxps 72000,98696     now       no job delayed; admin level 1
   tune user[user1].maxps 98696           now       no job delayed; admin level 1            +9 more
 filter: u2

 H hold  R release  p priority  W weights  = numbers  u undo  q back                 ? help  Q quit
EOS

screen 'Enter previews the smallest limit that starts it' draft <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue [2 Job] 3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Job u2
  for       user1/staff/-   class batch   QOS -
  asks      8 procs for 1:00:00 = 28800 PS
  submitted 16:02:11, queued 0:00:00
  state     blocked
  starts     19:44:39 +3:42h      projection
 Job u2 does not start now: it would add 28800 processor-seconds to the 69896 in use by user user1:
 98696 is over the hard limit MAXPS of 72000 by 26696; it clears by itself at 19:44:39, in 3:42:28.
 Estimated start: Thu Mar 24 19:44:39 (in 3:42:28).

 CHECK                    VALUE                                         LIMIT               RESULT
  5 priority not negative 1                                             -                   ok
  6 fits the machine      8 procs                                       16 in the machine   ok
>11 hard limits           69896 + 28800 = 98696  user user1             MAXPS 72000         FAIL
 12 soft limits           69896 + 28800 = 98696  user user1             MAXPS 72000         FAIL
 14 resources now         8 procs                                       10 free             ok
 16 reservations ahead    no reservation is delayed                     >= 8                ok
 17 strict order          none ahead                                    -                   ok
    none: hold, defer, dependency, start date, limits of its class, limits of any job, tasks of its
    array, idle limits, fairshare cap, reserved for others, pause
┌─ Not applied yet ────────────────────────────────────────────────────────────────────────────────┐
│ tune user[user1].maxps 72000,98696                                                               │
│ (projection): order unchanged; 1 earlier                                                         │
│ <Enter> apply   <Esc> dismiss   d add to the draft                                               │
└──────────────────────────────────────────────────────────────────────────────────────────────────┘
 filter: u2
EOS

screen 'nodes in use by other jobs: which job ends first, and which changes start the job earlier' resources <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue [2 Job] 3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Job b1
  for       bob/staff/-   class batch   QOS -
  asks      14 procs for 1:00:00 = 50400 PS
  submitted 16:02:11, queued 0:00:00
  state     idle, number 1 of 1
  starts     18:02:11 +2:00h   reserved   projection
 Job b1 does not start now: it needs 14 processors and 10 are free: 4 short.
 Estimated start: Thu Mar 24 18:02:11 (in 2:00:00); job e1 ends then.

 CHECK                    VALUE                                         LIMIT               RESULT
  5 priority not negative 1                                             -                   ok
  6 fits the machine      14 procs                                      16 in the machine   ok
>14 resources now         14 procs                                      10 free             FAIL
 16 reservations ahead    no reservation is delayed                     >= 14               ok
 17 strict order          none ahead                                    -                   ok
    none: hold, defer, dependency, start date, limits of its class, limits of any job, tasks of its
    array, idle limits, hard limits, soft limits, fairshare cap, reserved for others, pause

 WHAT WOULD START IT     full projection, jobs run to their limits
 Single changes that start the job now (simulated only):
   cancel e1                              now       no job delayed; admin level 2

 PRIORITY
 1 = most(0, 1)
                                                                                             +2 more
 filter: b1

 H hold  R release  p priority  W weights  = numbers  u undo  q back                 ? help  Q quit
EOS

screen 'by a later time the job starts without a change' later <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue [2 Job] 3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Job b1
  for       bob/staff/-   class batch   QOS -
  asks      14 procs for 1:00:00 = 50400 PS
  submitted 16:02:11, queued 0:00:00
  state     idle, number 1 of 1
  starts     18:02:11 +2:00h   reserved   projection
 Job b1 does not start now: it needs 14 processors and 10 are free: 4 short.
 Estimated start: Thu Mar 24 18:02:11 (in 2:00:00); job e1 ends then.

 CHECK                    VALUE                                         LIMIT               RESULT
  5 priority not negative 1                                             -                   ok
  6 fits the machine      14 procs                                      16 in the machine   ok
>14 resources now         14 procs                                      10 free             FAIL
 16 reservations ahead    no reservation is delayed                     >= 14               ok
 17 strict order          none ahead                                    -                   ok
    none: hold, defer, dependency, start date, limits of its class, limits of any job, tasks of its
    array, idle limits, hard limits, soft limits, fairshare cap, reserved for others, pause

 WHAT WOULD START IT     full projection, jobs run to their limits

 PRIORITY
 1 = most(0, 1)

 HISTORY
 16:02:11     submit 4: 14 processors for 1:00:00, user bob  (bob, entry 9)
 filter: b1

 H hold  R release  p priority  W weights  = numbers  u undo  q back                 ? help  Q quit
EOS

screen 'a hold: only a release ends it' held <<'EOS'
 KAHU simulation  Thu Mar 24 18:02:11  stopped   LIVE
 1 Queue [2 Job] 3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Job b1
  for       bob/staff/-   class batch   QOS -
  asks      14 procs for 1:00:00 = 50400 PS
  submitted 16:02:11, queued 2:00:00
  state     held (user)
  starts    -      no start in the projection
 Job b1 is held (user); it can start only after a release.
 Estimated start: none while the job is held.

 CHECK                    VALUE                                         LIMIT               RESULT
> 1 hold                  user                                          -                   FAIL
  5 priority not negative 120                                           -                   ok
  6 fits the machine      14 procs                                      16 in the machine   ok
 14 resources now         14 procs                                      14 free             ok
 16 reservations ahead    no reservation is delayed                     >= 14               ok
 17 strict order          none ahead                                    -                   ok
    none: defer, dependency, start date, limits of its class, limits of any job, tasks of its
    array, idle limits, hard limits, soft limits, fairshare cap, reserved for others, pause

 WHAT WOULD START IT     full projection, jobs run to their limits
 Single changes that start the job now (simulated only):
   release b1                             now       no job delayed; its owner

 PRIORITY
 120 = queuetime 1 * 120 min                                                                 +4 more
 filter: b1

 H hold  R release  p priority  W weights  = numbers  u undo  q back                 ? help  Q quit
EOS

screen 'a dependency on a held job' dependency <<'EOS'
 KAHU simulation  Thu Mar 24 18:02:11  stopped   LIVE
 1 Queue [2 Job] 3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
  for       user1/staff/-   class batch   QOS -
  asks      8 procs for 1:00:00 = 28800 PS
  submitted 16:02:11, queued 2:00:00
  state     blocked
  starts    never      no start in the projection
 Job u2 never starts: once no more events are due, it still waits until job 4 has ended with status
 0.
 Estimated start: never.

 CHECK                    VALUE                                         LIMIT               RESULT
> 3 dependency            job 4                                         -                   FAIL
  5 priority not negative 120                                           -                   ok
  6 fits the machine      8 procs                                       16 in the machine   ok
 11 hard limits           55496 + 28800 = 84296  user user1             MAXPS 72000         FAIL
 12 soft limits           55496 + 28800 = 84296  user user1             MAXPS 72000         FAIL
 14 resources now         8 procs                                       14 free             ok
 16 reservations ahead    no reservation is delayed                     >= 8                ok
 17 strict order          none ahead                                    -                   ok
    none: hold, defer, start date, limits of its class, limits of any job, tasks of its array, idle
    limits, fairshare cap, reserved for others, pause

 WHAT WOULD START IT     full projection, jobs run to their limits
 No single change starts the job now; changes that start it soonest, at 19:44:39 (simulated only):
>  set u2 depend=                         19:44:39  no job delayed; its owner
                                                                                             +6 more
 filter: u2

 H hold  R release  p priority  W weights  = numbers  u undo  q back                 ? help  Q quit
EOS

check_contains 'the selected change was applied' 'Done: tune user[user1].maxps 72000,98696. u undoes it.' "$(cat started)"
check_contains 'the job started' 'start 2 (backfilled)' "$(cat started)"

# If no change starts the job in time, the list has the earliest start of all changes, and that of each.
play demo --nodes 8 --seed 9 --store st <<'EOS'
size 100x40
keys / 1 0 9 6 <Enter> w
wait-idle
dump later-rows
keys q / <C-u> 1 1 2 7 <Enter> w
wait-idle
dump amounts
keys <Tab> <Enter>
wait-idle
dump amount-draft
EOS
check_contains 'the title of the list has the earliest start' 'changes that start it soonest, from 13:51:35 on' \
	"$(cat later-rows)"
check_contains 'a change with that start is in the list' 'setspri -r +8447 1096                  13:51:35' "$(cat later-rows)"
check_contains 'a change with a later start is in the list' 'cancel 1105                            14:01:35' "$(cat later-rows)"
check_contains 'the title says so if all changes have that start' 'changes that start it soonest, at 15:02:39' "$(cat amounts)"
check_contains 'a time limit is printed as h:mm:ss' 'set 1127 walltime=0:43:29 ' "$(cat amounts)"
check_contains 'the draft has it in that form, too' 'set 1127 walltime=0:43:29' "$(cat amount-draft)"
check_contains 'the page has the start and the jobs that end then, in the words of why' \
	'Estimated start: Sat Jan 10 06:50:11 (in 22:50:11); job 1105 ends then.' "$(cat later-rows)"
check_contains 'the page has the verdict' 'Job 1096 does not start now: it needs 8 processors and 0 are free: 8 short.' \
	"$(cat later-rows)"
KAHU_STORE=st "$KAHU" why 1096 >outside
check_contains 'why prints the same verdict' \
	'Job 1096 does not start now: it needs 8 processors and 0 are free: 8 short.' "$(cat outside)"
check_contains 'why prints the same start' 'Estimated start: Sat Jan 10 06:50:11 (in 22:50:11); job 1105 ends then.' "$(cat outside)"
check_equal 'why does not print the start of the instant plan' '' "$(grep 'instant plan' outside)"
