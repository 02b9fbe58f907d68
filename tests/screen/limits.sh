#!/bin/sh
# SPDX-License-Identifier: MIT
#
# limits.sh - the Limits screen: which limits block jobs, and their changes as drafts
#
# user1 has 2 processors for another 34948 s: 69896 processor-seconds of a soft limit of 72000, so a request of
# 28800 more is within the limit when 43200 are left, at 19:44:39. In addition, a limit of users within
# a class, an override of a QOS, and a limit of every job.

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"
. "$KAHU_SOURCE/tests/screen/policy.sh"

now=1300982531 # Thu Mar 24 2011, 16:02:11
{
	echo "VERSION 230"
	job u1 2 user1 34948 $now 34948
	job u2 8 user1 3600 $now 3600
	job u3 8 user1 7200 $now 3600
	job u4 8 user1 7200 $now 3600
	job s1 4 steve 7200 $now 7000 fast
	job s2 4 steve 7200 $now 7000 fast
	job s3 2 steve 7200 $now 7000 fast
	job a1 4 ann 7200 $now 3600
	job a2 4 ann 7200 $now 3600
	job a3 4 ann 7200 $now 3600
} >work.trace
cat >kahu.conf <<'EOC'
xfactorweight = 10
systemmaxjobwalltime = "5:00:00:00"
user user1 {
	maxps = {"72000,1080000"}
	maxijob = {"2"}
}
user ann {
	qdef = hi
	maxproc = {"2"}
}
class fast {
	maxproc = {"USER:steve=4,8"}
	maxjob = {"GROUP=3"}
}
qos hi { omaxproc = {"8"} }
EOC

play replay work.trace --cluster 4x4 --config kahu.conf --console <<'EOS'
size 100x30
step 1
keys 6
dump limits
keys j
dump second
keys j j
dump override
keys j
dump overridden
keys k
keys <Enter>
dump held
keys q g e <C-u>
type 98696,1080000
keys <Enter>
dump draft
keys A u
dump undo-draft
keys <Enter>
dump undone
keys e <C-u>
type 4:00
keys <Enter>
dump no-number
keys e <C-u>
type -1
keys <Enter>
dump negative
keys e <C-u>
type 99999999999999999999
keys <Enter>
dump too-large
keys j e <C-u>
type 4,8,16
keys <Enter>
dump three
keys e <C-u>
type 12,6
keys <Enter>
dump soft-above-hard
keys D e <C-u>
type unlimited
keys <Enter>
dump unlimited
keys D y G e <C-u>
type 1:00:00
keys <Enter>
dump every-job-draft
size 60x15
dump least-draft
keys D g
dump least
keys e <C-u>
type none
keys <Enter>
dump least-error
size 80x24
keys H
dump no-job
keys ?
dump help
EOS

screen 'all limits, those that block most jobs first, and the future usage of the one under the cursor' limits <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share [6 Limits] 7 What-if  8 Journal  9 Config
  CREDENTIAL         LIMIT                      IN USE     SOFT     HARD OF SOFT               HOLDS
> user user1         MAXPS                       69896    72000  1080000 [██████████]   97% !!     2
  class fast         MAXPROC[USER:steve]             6        4        8 [██████████]  150% !!     1
  user user1         MAXIJOB                         2        2        2 [██████████]  100% !!     1
  qos hi             OMAXPROC (override)             8        8        8 [██████████]  100% !!     1
  user ann           MAXPROC                         8        2        2 [██████████]  400% !!     0
  class fast         MAXJOB[GROUP:staff]             2        3        3 [███████   ]   67%        0
  system             SYSTEMMAXJOBWALLTIME        34948   432000   432000 [█         ]    8%        0








────────────────────────────────────────────────────────────────────────────────────────────────────
 user[user1].maxps = 72000,1080000: 69896 in use, 97% of the soft limit
 1 job: u1 2 procs x 34948 s = 69896; decreases by 2 per second
 forecast   16:02:11 69896   17:00:00 62958   18:00:00 55758   19:00:00 48558   19:44:39 43200:
 room for u2 (28800)
 blocks 2 jobs (2 at the soft limit, 0 at the hard limit): u2 u3
 with this limit: first 20:02:11, all by 21:02:11 | with 85348,1080000 or 98696,1080000: first
 18:02:11, all by 20:02:11 | with 156296,1080000: first 18:02:11, all by 19:02:11
 Lint: L9 MAXIJOB keeps 1 job from gaining priority (QUEUEPOLICY); with jobprioaccrualpolicy = alw~
 7 of 7 limits: all (f)   hardpass: resources   lint: 0 errors, 0 warnings

 <Enter> open  e value  f near  = numbers  u undo  / filter  q back                  ? help  Q quit
EOS
screen 'a limit of a user within a class: its name, and the value that blocks no job' second <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share [6 Limits] 7 What-if  8 Journal  9 Config
  CREDENTIAL         LIMIT                      IN USE     SOFT     HARD OF SOFT               HOLDS
  user user1         MAXPS                       69896    72000  1080000 [██████████]   97% !!     2
> class fast         MAXPROC[USER:steve]             6        4        8 [██████████]  150% !!     1
  user user1         MAXIJOB                         2        2        2 [██████████]  100% !!     1
  qos hi             OMAXPROC (override)             8        8        8 [██████████]  100% !!     1
  user ann           MAXPROC                         8        2        2 [██████████]  400% !!     0
  class fast         MAXJOB[GROUP:staff]             2        3        3 [███████   ]   67%        0
  system             SYSTEMMAXJOBWALLTIME        34948   432000   432000 [█         ]    8%        0








────────────────────────────────────────────────────────────────────────────────────────────────────
 class[fast].maxproc[user:steve] = 4,8: 6 in use, 150% of the soft limit
 2 jobs: s1 4, s3 2
 forecast   16:02:11 6   18:02:11 0: room for s2 (4)
 blocks 1 job (0 at the soft limit, 1 at the hard limit): s2
 with this limit: 18:02:11 | with 9 or 10: the same


 Lint: L9 MAXIJOB keeps 1 job from gaining priority (QUEUEPOLICY); with jobprioaccrualpolicy = alw~
 7 of 7 limits: all (f)   hardpass: resources   lint: 0 errors, 0 warnings

 <Enter> open  e value  f near  = numbers  u undo  / filter  q back                  ? help  Q quit
EOS
screen 'an override of a QOS: the limit that it replaces' override <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share [6 Limits] 7 What-if  8 Journal  9 Config
  CREDENTIAL         LIMIT                      IN USE     SOFT     HARD OF SOFT               HOLDS
  user user1         MAXPS                       69896    72000  1080000 [██████████]   97% !!     2
  class fast         MAXPROC[USER:steve]             6        4        8 [██████████]  150% !!     1
  user user1         MAXIJOB                         2        2        2 [██████████]  100% !!     1
> qos hi             OMAXPROC (override)             8        8        8 [██████████]  100% !!     1
  user ann           MAXPROC                         8        2        2 [██████████]  400% !!     0
  class fast         MAXJOB[GROUP:staff]             2        3        3 [███████   ]   67%        0
  system             SYSTEMMAXJOBWALLTIME        34948   432000   432000 [█         ]    8%        0








────────────────────────────────────────────────────────────────────────────────────────────────────
 qos[hi].omaxproc = 8: 8 in use, 100% of the soft limit; for jobs of the QOS, replaces the limits
 of this kind on their user, group, account and class
 2 jobs: a1 4, a2 4
 forecast   16:02:11 8   18:02:11 0: room for a3 (4)
 blocks 1 job: a3
 with this limit: 18:02:11 | with 10 or 12: the same

 Lint: L9 MAXIJOB keeps 1 job from gaining priority (QUEUEPOLICY); with jobprioaccrualpolicy = alw~
 7 of 7 limits: all (f)   hardpass: resources   lint: 0 errors, 0 warnings

 <Enter> open  e value  f near  = numbers  u undo  / filter  q back                  ? help  Q quit
EOS
screen 'Enter: the jobs that the limit blocks' held <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
[1 Queue] 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config
 Procs  [███████████████████████████████████████████████████████████████████████████████ 16/16 100%]
 Nodes  [█████████████████████████████████████████████████████████████████████████████████ 4/4 100%]
  JOB        USER       CLASS  PROC    WCLIMIT   PRIO QUEUED EST.START            WHY NOT NOW
IDLE 0 - by priority ───────────────────────────────────────────────────────────────────────────────
BLOCKED 1 - by hard limits ─────────────────────────────────────────────────────────────────────────
> a3       ! ann        batch     4    2:00:00     10     0s  18:02:11 +2:00h     OMAXPROC 12>8

















 Job a3 would add 4 processors to the 8 in use by user ann: 12 is over the hard limit OMAXPROC of 8
 by 4; it clears by itself at 18:02:11, in 2:00:00.
 Total Jobs: 10   Active Jobs: 5   Idle Jobs: 0   Blocked Jobs: 5   filter: limit=OMAXPROC/qos:hi

 <Enter> open  w why  H hold  R release  W weights  u undo  o output  x cancel       ? help  Q quit
EOS
screen 'the limit and the blocked jobs, before and after' draft <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share [6 Limits] 7 What-if  8 Journal  9 Config
  CREDENTIAL           LIMIT                      IN USE    SOFT   AFTER    HARD   AFTER HOLDS AFTER
  class fast           MAXPROC[USER:steve]             6       4       4       8       8     1     1
  user user1           MAXIJOB                         2       2       2       2       2     1     1
  qos hi               OMAXPROC (override)             8       8       8       8       8     1     1
> user user1           MAXPS                       69896   72000   98696 1080000 1080000     2     1
  user ann             MAXPROC                         8       2       2       2       2     0     0
  class fast           MAXJOB[GROUP:staff]             2       3       3       3       3     0     0
  system               SYSTEMMAXJOBWALLTIME        34948  432000  432000  432000  432000     0     0





────────────────────────────────────────────────────────────────────────────────────────────────────
 user[user1].maxps = 98696,1080000: 69896 in use, 71% of the soft limit
 1 job: u1 2 procs x 34948 s = 69896; decreases by 2 per second
 forecast   16:02:11 69896   17:00:00 62958   18:00:00 55758   19:00:00 48558   20:02:11 41096:
 room for u3 (57600)
 blocks 1 job (1 at the soft limit, 0 at the hard limit): u3
 with this limit: 20:02:11 | with 113096,1080000 or 127496,1080000: 19:02:11

 Lint: L9 MAXIJOB keeps 1 job from gaining priority (QUEUEPOLICY); with jobprioaccrualpolicy = alw~
       L11 (new) user[user1].maxps has been 98696,1080000 since entry 22, overriding 72000,1080000~
 7 of 7 limits: all (f)   hardpass: resources   lint: 0 errors, 0 warnings
 DRAFT 1 edit: set user[user1].maxps = 98696,1080000                             A apply  D discard
 (projection): order unchanged; 3 earlier; 1 later; worst: a3 +1:00:00

 <Enter> open  e value  f near  = numbers  u undo  / filter  q back                  ? help  Q quit
EOS
screen 'u drafts the undo' undo-draft <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share [6 Limits] 7 What-if  8 Journal  9 Config
  CREDENTIAL           LIMIT                      IN USE    SOFT   AFTER    HARD   AFTER HOLDS AFTER
> user user1           MAXPS                       69896   98696   72000 1080000 1080000     1     2
  class fast           MAXPROC[USER:steve]             6       4       4       8       8     1     1
  user user1           MAXIJOB                         2       2       2       2       2     1     1
  qos hi               OMAXPROC (override)             8       8       8       8       8     1     1
  user ann             MAXPROC                         8       2       2       2       2     0     0
  class fast           MAXJOB[GROUP:staff]             2       3       3       3       3     0     0
  system               SYSTEMMAXJOBWALLTIME        34948  432000  432000  432000  432000     0     0








────────────────────────────────────────────────────────────────────────────────────────────────────
 user[user1].maxps = 72000,1080000: 69896 in use, 97% of the soft limit
┌─ Not applied yet ────────────────────────────────────────────────────────────────────────────────┐
│ undo 24 (user[user1].maxps = 98696,1080000)                                                      │
│ (projection): order unchanged; 1 earlier; 3 later; worst: u2 +2:00:00                            │
│ will be undone                                                                                   │
│   24  user[user1].maxps: 98696,1080000 -> 72000,1080000                                          │
│ <Enter> apply   <Esc> dismiss   d add to the draft                                               │
└──────────────────────────────────────────────────────────────────────────────────────────────────┘
 7 of 7 limits: all (f)   hardpass: resources   lint: 0 errors, 0 warnings
EOS
screen 'unlimited removes the limit, and no job is blocked' unlimited <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share [6 Limits] 7 What-if  8 Journal  9 Config
  CREDENTIAL           LIMIT                      IN USE    SOFT   AFTER    HARD   AFTER HOLDS AFTER
  user user1           MAXPS                       69896   72000   72000 1080000 1080000     2     2
  user user1           MAXIJOB                         2       2       2       2       2     1     1
  qos hi               OMAXPROC (override)             8       8       8       8       8     1     1
  user ann             MAXPROC                         8       2       2       2       2     0     0
  class fast           MAXJOB[GROUP:staff]             2       3       3       3       3     0     0
  system               SYSTEMMAXJOBWALLTIME        34948  432000  432000  432000  432000     0     0
> class fast           MAXPROC[USER:steve]             6       4       -       8       -     1     0





────────────────────────────────────────────────────────────────────────────────────────────────────
 class[fast].maxproc[user:steve] = unlimited: 6 in use
 2 jobs: s1 4, s3 2
 forecast   16:02:11 6   18:02:11 0
 blocks no job



 Lint: L9 MAXIJOB keeps 1 job from gaining priority (QUEUEPOLICY); with jobprioaccrualpolicy = alw~
       L11 (new) class[fast].maxproc[user:steve] has been unlimited since entry 28, overriding 4,8~
 7 of 7 limits: all (f)   hardpass: resources   lint: 0 errors, 0 warnings
 DRAFT 1 edit: set class[fast].maxproc[user:steve] = unlimited                   A apply  D discard
 (projection): order and all estimated starts unchanged

 <Enter> open  e value  f near  = numbers  u undo  / filter  q back                  ? help  Q quit
EOS
screen 'a limit of every job: the jobs that would exceed it' every-job-draft <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share [6 Limits] 7 What-if  8 Journal  9 Config
  CREDENTIAL           LIMIT                      IN USE    SOFT   AFTER    HARD   AFTER HOLDS AFTER
> system               SYSTEMMAXJOBWALLTIME        34948  432000    3600  432000    3600     0     4
  user user1           MAXPS                       69896   72000   72000 1080000 1080000     2     1
  user ann             MAXPROC                         8       2       2       2       2     0     0
  class fast           MAXPROC[USER:steve]             6       4       4       8       8     1     0
  qos hi               OMAXPROC (override)             8       8       8       8       8     1     0
  class fast           MAXJOB[GROUP:staff]             2       3       3       3       3     0     0
  user user1           MAXIJOB                         1       2       2       2       2     1     0






────────────────────────────────────────────────────────────────────────────────────────────────────
 systemmaxjobwalltime = 1:00:00, per job; the largest request is 9:42:28
 blocks 4 jobs: u3 u4 s2 a3





 Lint: L8 (new) systemmaxjobwalltime permanently blocks 4 jobs, whose requests exceed it (the firs~
 7 of 7 limits: all (f)   hardpass: resources   lint: 1 error, 0 warnings
 DRAFT 1 edit: set systemmaxjobwalltime = 1:00:00                                A apply  D discard
 (projection): order unchanged; 1 earlier; 4 later

 <Enter> open  e value  f near  = numbers  u undo  / filter  q back                  ? help  Q quit
EOS
screen '60x15: columns are dropped in a draft, too' least-draft <<'EOS'
 KAHU  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share [6 Limits] 7 What-if  8
  CREDENTIAL      LIMIT             SOFT   AFTER HOLDS AFTER
> system          SYSTEMMAXJOBW~  432000    3600     0     4
  user user1      MAXPS            72000   72000     2     1
  user ann        MAXPROC              2       2     0     0
  class fast      MAXPROC[USER:~       4       4     1     0
  qos hi          OMAXPROC (ove~       8       8     1     0
  class fast      MAXJOB[GROUP:~       3       3     0     0
  user user1      MAXIJOB              2       2     1     0

 DRAFT 1 edit: set systemmaxjobwalltime~ A apply  D discard
 (projection): order unchanged; 1 earlier; 4 later
 7 of 7 limits: all (f)   hardpass: resources   lint: 1 err~
 <Enter> open  e value  f near  = numbers    ? help  Q quit
EOS
screen '60x15: usage, soft value and blocked jobs stay' least <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share [6 Limits] 7 What-if  8
  CREDENTIAL LIMIT                  IN USE     SOFT    HOLDS
> user user1 MAXPS                   69896    72000 !!     2
  class fast MAXPROC[USER:steve]         6        4 !!     1
  user user1 MAXIJOB                     2        2 !!     1
  qos hi     OMAXPROC (override)         8        8 !!     1
  user ann   MAXPROC                     8        2 !!     0
  +2 more
────────────────────────────────────────────────────────────
 user[user1].maxps = 72000,1080000: 69896 in use, 97% of
 the soft limit
 1 job: u1 2 procs x 34948 s = 69896; decreases by~ +10 more
 7 of 7 limits: all (f)   hardpass: resources   lint: 0 err~
 <Enter> open  e value  f near  = numbers    ? help  Q quit
EOS
screen '60x15: the whole error message' least-error <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share [6 Limits] 7 What-if  8
  CREDENTIAL LIMIT                  IN USE     SOFT    HOLDS
> user user1 MAXPS                   69896    72000 !!     2
  class fast MAXPROC[USER:steve]         6        4 !!     1
  user user1 MAXIJOB                     2        2 !!     1
  qos hi     OMAXPROC (override)         8        8 !!     1
  user ann   MAXPROC                     8        2 !!     0
  +2 more
────────────────────────────────────────────────────────────
 user[user1].maxps = 72000,1080000: 69896 in use, 97% of
 the soft limit                                            ~
 maxps = "none": 'none' is not a whole number of at most
 1000000000000000, nor "unlimited"
 <Enter> open  e value  f near  = numbers    ? help  Q quit
EOS
screen 'keys for jobs say that there is no job' no-job <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share [6 Limits] 7 What-if  8 Journal  9 Config
  CREDENTIAL      LIMIT                  IN USE     SOFT     HARD          HOLDS
> user user1      MAXPS                   69896    72000  1080000   97% !!     2
  class fast      MAXPROC[USER:steve]         6        4        8  150% !!     1
  user user1      MAXIJOB                     2        2        2  100% !!     1
  qos hi          OMAXPROC (override)         8        8        8  100% !!     1
  user ann        MAXPROC                     8        2        2  400% !!     0
  class fast      MAXJOB[GROUP:staff]         2        3        3   67%        0
  system          SYSTEMMAXJOBWALLTIME    34948   432000   432000    8%        0



────────────────────────────────────────────────────────────────────────────────
 user[user1].maxps = 72000,1080000: 69896 in use, 97% of the soft limit
 1 job: u1 2 procs x 34948 s = 69896; decreases by 2 per second
 forecast   16:02:11 69896   17:00:00 62958   18:00:00 55758   19:00:00 48558
 19:44:39 43200: room for u2 (28800)
 blocks 2 jobs (2 at the soft limit, 0 at the hard limit): u2 u3
 with this limit: first 20:02:11, all by 21:02:11 | with 85348,1080000 or
 98696,1080000: first 18:02:11, all by 20:02:11 | with 156296,1080000: ~ +1 more
 Lint: L9 MAXIJOB keeps 1 job from gaining priority (QUEUEPOLICY); with jobpri~
 No job under the cursor.
 <Enter> open  e value  f near  = numbers  u undo  / filter      ? help  Q quit
EOS
screen 'the help lists the keys of the screen' help <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Help]
 ON THE PREVIOUS SCREEN ONLY
  e                   Enter a value for the row under the cursor: a weight, a
                      limit, an edit.
  f                   Show all limits, limits nearly reached, or limits
                      reached.
  {                   Show all screens as of ten journal entries earlier.
  }                   Show all screens as of ten journal entries later.

 FOR THE ROW UNDER THE CURSOR
  <Enter>             Open the row; preview a suggested change; apply the box.
  W                   Try other priority weights and see the order change.

 ON ALL SCREENS
  1 2 3 4 5 6 7 8 9   Show the screen with that number.
  q                   Return to the previous screen.
  <Esc>               Cancel: dismiss the box, close a pane, or clear the
                      filter.
  ? <F1>              Show the keys of this screen and all commands.
  Q <F10> <C-c>       Quit, after confirmation.
  / <F4>              Show only matching rows: text, !text, ^regexp$,  +215 more

 / filter  <F3> search  q back  : command                        ? help  Q quit
EOS

check_equal 'a limit with an override: the jobs that it does not apply to' \
	' 2 of them are subject to OMAXPROC of the QOS instead of this limit' "$(grep instead overridden)"

is_refused() { # WHAT DUMP MESSAGE: the screen is unchanged except for the message above its last line
	check_equal "$1: the message" "$3" "$(tail -n 3 "$2" | sed '$d' | grep -v -e '^$' -e hardpass)"
	check_equal "$1: nothing changes" "$(sed -n 3,17p limits | tr -d '> ')" "$(sed -n 3,17p "$2" | tr -d '> ')"
}
is_refused 'a duration' no-number \
	" maxps = \"4:00\": '4:00' is not a whole number of at most 1000000000000000, nor \"unlimited\""
is_refused 'a negative number' negative ' maxps = "-1": a limit must be at least 1; "unlimited" removes it'
is_refused 'a number that overflows' too-large \
	" maxps = \"99999999999999999999\": '99999999999999999999' is not a whole number of at most
 1000000000000000, nor \"unlimited\""
is_refused 'three values' three \
	" maxproc = \"4,8,16\": '8,16' is not a whole number of at most 1000000000000000, nor \"unlimited\""
check_equal 'a soft value above the hard one is lowered to it' \
	'> class fast           MAXPROC[USER:steve]             6       4       6       8       6     1     1' \
	"$(grep '^>' soft-above-hard)"
check_equal 'the applied change is undone' "$(sed -n 1,28p limits)" "$(sed -n 1,28p undone)"
