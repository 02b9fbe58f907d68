#!/bin/sh
# SPDX-License-Identifier: MIT
#
# lint.sh - the Fairshare and Limits screens show findings of lint, those of a draft first

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"
. "$KAHU_SOURCE/tests/screen/policy.sh"

now=1300982531 # Thu Mar 24 2011, 16:02:11
{
	echo "VERSION 230"
	job u1 2 user1 34948 $now 34948
	job u2 8 user1 3600 $now 3600
	job s1 4 steve 7200 $now 7000 fast
} >work.trace
cat >kahu.conf <<'EOC'
fspolicy = "dedicatedps"
fsinterval = "12:00:00"
fsweight = 1
fsuserweight = 10
user user1 { fstarget = 70  maxjob = {"8,4"}  maxproc = {"9999"} }
user steve { fstarget = 60  maxijob = {"2,4"} }
group staff { fstarget = 30  maxproc = {"4", "4"} }
EOC

play replay work.trace --cluster 4x4 --config kahu.conf --console --ascii <<'EOS'
size 80x24
step 1
keys 4
dump shares
keys 6
dump limits
:tune user[user1].maxproc 1
dump draft
keys D
size 100x30
keys 4
dump shares-middle
size 200x60
dump shares-wide
keys 6
dump limits-wide
keys 9 <Tab>
dump all
EOS

screen '80x24: one finding about shares, and the number of others' shares <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 7  FSDECAY 1.00
 rolls in 7:57:49  FSWEIGHT 1: U 10 G 0 A 0 Q 0 C 0  lint: 1 error, 6 warnings
  CREDENTIAL       TARGET  USAGE   DELTA       EFFECT       w0       w1 OLD..NEW
  TOTAL                     0.00                           0.0      0.0
  - USER                    0.00             10/point      0.0      0.0
>   user1       *  70.00    0.00    0.00        0 pts      0.0      0.0
    steve       *  60.00    0.00    0.00        0 pts      0.0      0.0
  + GROUP                   0.00             weight 0      0.0      0.0

--------------------------------------------------------------------------------
 user1 = (0 + 0 + 0 + 0 + 0 + 0 + 0) / (0 + 0 + 0 + 0 + 0 + 0 + 0) = 0/0 h =
 0.00%
 * target 70.00%: exactly on target; below the target with 1 job queued
 4 rolls without its jobs, busy (0 h):            -       -       -       -
 4 rolls without its jobs, idle machine:          -       -       -       -
 other settings: FSDECAY 0.80 -> 0.00%, 0.50 -> 0.00%; FSDEPTH 3 -> 0.00%
 w0 began 12:00:00; sums: user = group = account = qos = class = TOTAL


 Lint: W5 fstarget of group staff has no effect: fsgroupweight is ~  +1 more: 9
 3 off target (*)   0 at a cap (!)   focus: shares (<Tab>)
 <Enter> open  e value  b percent  { -10  } +10  0 default       ? help  Q quit
EOS
screen '80x24: one finding about limits, and the number of others' limits <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share [6 Limits] 7 What-if  8 Journal  9 Config
  CREDENTIAL      LIMIT                  IN USE     SOFT     HARD          HOLDS
> group staff     MAXPROC                     2        4        4   50% !!     2
  user user1      MAXJOB                      1        4        4   25%        0
  user user1      MAXPROC                     2     9999     9999    0%        0
  user steve      MAXIJOB                     0        2        4    0%        0





--------------------------------------------------------------------------------
 group[staff].maxproc = 4: 2 in use, 50% of the soft limit
 1 job: u1 2
 forecast   16:02:11 2   Mar25 01:44 0: room for s1 (4)
 blocks 2 jobs: u2 s1
 with this limit: 1 of 2 by Mar25 01:44 | with 5: the same | with 6: 1 of 2 now
 | with 14: all now

 Lint: L8 group[staff].maxproc permanently blocks 1 job, whose request exceeds~
       W18 maxjob of user user1: the soft limit in 8,4 is above th~  +3 more: 9
 4 of 4 limits: all (f)   hardpass: resources   lint: 1 error, 6 warnings
 <Enter> open  e value  f near  = numbers  u undo  / filter      ? help  Q quit
EOS
screen '100x30: two findings about shares' shares-middle <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 7  FSDECAY 1.00  rolls in 7:57:49
 FSWEIGHT 1: U 10 G 0 A 0 Q 0 C 0  lint: 1 error, 6 warnings
  CREDENTIAL         TARGET  USAGE   DELTA       EFFECT       w0       w1       w2       w3 OLD..NEW
  TOTAL                       0.00                           0.0      0.0      0.0      0.0
  - USER                      0.00             10/point      0.0      0.0      0.0      0.0
>   user1         *  70.00    0.00    0.00        0 pts      0.0      0.0      0.0      0.0
    steve         *  60.00    0.00    0.00        0 pts      0.0      0.0      0.0      0.0
  + GROUP                     0.00             weight 0      0.0      0.0      0.0      0.0





----------------------------------------------------------------------------------------------------
 user1 = (0 + 0 + 0 + 0 + 0 + 0 + 0) / (0 + 0 + 0 + 0 + 0 + 0 + 0) = 0/0 h = 0.00%
 * target 70.00%: exactly on target; below the target with 1 job queued
 4 rolls without its jobs, busy (0 h):            -       -       -       -
 4 rolls without its jobs, idle machine:          -       -       -       -
 other settings: FSDECAY 0.80 -> 0.00%, 0.50 -> 0.00%; FSDEPTH 3 -> 0.00%
 w0 began 12:00:00; sums: user = group = account = qos = class = TOTAL



 Lint: W5 fstarget of group staff has no effect: fsgroupweight is 0; set it to 1
       W33 the fstargets of users add up to 130 percent, so not all can be reached; lower them
 3 off target (*)   0 at a cap (!)   focus: shares (<Tab>)

 <Enter> open  e value  b percent  { -10  } +10  0 default  = numbers  u undo        ? help  Q quit
EOS

# No other line of the screen has an ID at this place.
lint_lines() { # FILE
	grep -E '^ (Lint:|     ) [WL][0-9]+ ' "$1" | sed 's/  *+/ +/'
}

check_equal 'findings that a draft would cause come first' \
	' Lint: L8 (new) user[user1].maxproc permanently blocks 1 job, whos~ +4 more: 9' "$(lint_lines draft)"
check_equal '200x60: all findings about shares' \
	' Lint: W5 fstarget of group staff has no effect: fsgroupweight is 0; set it to 1
       W33 the fstargets of users add up to 130 percent, so not all can be reached; lower them' \
	"$(lint_lines shares-wide)"
check_equal '200x60: four findings about limits' \
	'L8 W18 W19 W20 +1' "$(lint_lines limits-wide | grep -oE '(L|W)[0-9]+ |\+1' | tr -d ' ' | tr '\n' ' ' | sed 's/ $//')"
check_contains 'the Config screen has all findings' '7 of 7 findings' "$(tail -n 4 all)"
