#!/bin/sh
# SPDX-License-Identifier: MIT
#
# config.sh - does screen 9 show what is set, where, and what lint says; and is an edit or a fix a draft?

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
queuetimeweight = 10
xfactorcap = 50
user user1 {
	maxijob = {"2"}
}
class fast { maxjob = {"GROUP=3"} }
EOC

play replay work.trace --cluster 4x4 --config kahu.conf --console <<'EOS'
size 100x30
step 1
keys 9 f
dump changed
keys <Tab>
dump findings
keys e
dump fix
keys <Enter> <Tab>
dump fixed
size 80x24
keys f f f /
type xfactorweight
keys <Enter> e <C-u>
type 20
keys <Enter>
dump draft
size 200x60
keys <Esc> <Esc> f
dump wide
EOS

screen 'what was changed, with its line, and all about the one under the cursor' changed <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal [9 Config]
  PARAMETER                          VALUE                DEFAULT      UNIT   FROM          LINT
> queuetimeweight                    10                   1                   kahu.conf:1
  xfactorcap                         50                   0                   kahu.conf:2   W3
  user[user1].maxijob                2                    -            jobs   kahu.conf:4
  class[fast].maxjob[group]          3                    -            jobs   kahu.conf:6











────────────────────────────────────────────────────────────────────────────────────────────────────
 queuetimeweight = 10   default 1
 from     kahu.conf:1
 takes    a number from -1000000000000 to 1000000000000
 meaning  Weight of the effective queue time.




 4 parameters: changed (f)   <Tab> lint: 0 errors, 1 warning, 0 notes

 e value  0 default  f which  <Enter> open  / filter  u undo  q back                 ? help  Q quit
EOS

screen 'what lint finds, gravest first, with the fix' findings <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal [9 Config]
  RULE          PARAMETER                          WHAT
> W3   warning  xfactorcap                         xfactorcap = 50 has no effect: xfactorweight is ~














────────────────────────────────────────────────────────────────────────────────────────────────────
 W3 warning kahu.conf:2
 rule     What is capped has no weight.
 found    xfactorcap = 50 has no effect: xfactorweight is 0; give that a value or remove the cap
 fix      xfactorcap=0




 1 of 1 findings, <Tab> parameters   lint: 0 errors, 1 warning, 0 notes

 e value  0 default  f which  <Enter> open  / filter  u undo  q back                 ? help  Q quit
EOS

screen 'a fix is a draft: before and after' fix <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal [9 Config]
  RULE          PARAMETER                          WHAT
> L11  new      xfactorcap                         xfactorcap is 0 since entry 12, over 50 in line ~














────────────────────────────────────────────────────────────────────────────────────────────────────
 L11 note kahu.conf:2
 rule     A live change stands over a line of the configuration.
 found    xfactorcap is 0 since entry 12, over 50 in line 2 of the configuration
 fix      xfactorcap=50




 1 of 1 findings, <Tab> parameters   lint: 0 errors, 0 warnings, 1 note; 1 new
 tune xfactorcap 0 (plan): the order and all estimated starts stay
 <Enter> apply  <Esc> drop  e value  0 default  f which  / filter  u undo  q back    ? help  Q quit
EOS

screen 'applied, the finding is gone and the value is live' fixed <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal [9 Config]
  PARAMETER                          VALUE                DEFAULT      UNIT   FROM          LINT
> queuetimeweight                    10                   1                   kahu.conf:1
  user[user1].maxijob                2                    -            jobs   kahu.conf:4
  class[fast].maxjob[group]          3                    -            jobs   kahu.conf:6












────────────────────────────────────────────────────────────────────────────────────────────────────
 queuetimeweight = 10   default 1
 from     kahu.conf:1
 takes    a number from -1000000000000 to 1000000000000
 meaning  Weight of the effective queue time.




 3 parameters: changed (f)   <Tab> lint: 0 errors, 0 warnings, 1 note

 e value  0 default  f which  <Enter> open  / filter  u undo  q back                 ? help  Q quit
EOS

screen 'a value that is typed is a draft, and what lint finds anew is counted' draft <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal [9 Config]
  PARAMETER                   NOW            AFTER          FROM          LINT
  xfactorweight               0                             default
> xfactorcap                  0              20             the draft     W3 +
  targetxfactorweight         0                             default
  targetxfactorcap            0                             default






────────────────────────────────────────────────────────────────────────────────
 xfactorcap = 20   default 0
 W3       xfactorcap = 20 has no effect: xfactorweight is 0; give that a value
         or remove the cap
 L11      xfactorcap is 20 since entry 13, over 50 in line 2 of the
         configuration
 from     the draft; kahu.conf:2 says 50
 takes    a number from 0 to 1e+18
 meaning  What counts at most before xfactorweight; 0 is no cap.
 tune xfactorcap 20 (plan): the order and all estimated starts stay
 <Enter> apply  <Esc> drop  e value  0 default  f which  u undo  ? help  Q quit
EOS

screen 'a wide screen has units and meanings' wide <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal [9 Config]
  PARAMETER                          VALUE                DEFAULT        UNIT         FROM                 LINT      MEANING
  queuetimeweight                    10                   1                           kahu.conf:1                    Weight of the effective queue time.
  user[user1].maxijob                2                    -              jobs         kahu.conf:4                    Limit on the number of eligible jobs; those beyond it are blocked.
> class[fast].maxjob[group]          3                    -              jobs         kahu.conf:6                    Limit on the number of running jobs.










































────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
 class[fast].maxjob[group] = 3 jobs
 from     kahu.conf:6
 takes    limits such as 8, "2,8" (soft, hard), "GROUP=12" or "USER:steve=4"
 meaning  Limit on the number of running jobs.




 3 parameters: changed (f)   <Tab> lint: 0 errors, 0 warnings, 1 note

 e value  0 default  f which  <Enter> open  / filter  u undo  q back                                                                                                                     ? help  Q quit
EOS
