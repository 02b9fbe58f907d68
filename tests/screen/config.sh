#!/bin/sh
# SPDX-License-Identifier: MIT
#
# config.sh - the Config screen: values and origins, findings of lint, edits and fixes as drafts

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
keys D <Esc> f
dump wide
EOS

screen 'changed options with their line, and the details of the one under the cursor' changed <<'EOS'
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
 values   a number from -1000000000000 to 1000000000000
 meaning  Weight of the effective queue time.




 4 parameters: changed (f)   <Tab> lint: 0 errors, 1 warning, 0 notes

 e value  0 default  f which  <Enter> open  / filter  u undo  q back                 ? help  Q quit
EOS

screen 'findings of lint, errors first, with the fix' findings <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal [9 Config]
  RULE          PARAMETER                          WHAT
> W3   warning  xfactorcap                         xfactorcap = 50 has no effect: xfactorweight is ~














────────────────────────────────────────────────────────────────────────────────────────────────────
 W3 warning kahu.conf:2
 rule     A cap of a component or factor without a weight.
 found    xfactorcap = 50 has no effect: xfactorweight is 0; set that weight or remove the cap
 fix      xfactorcap=0




 1 of 1 findings, <Tab> parameters   lint: 0 errors, 1 warning, 0 notes

 e value  0 default  f which  <Enter> open  / filter  u undo  q back                 ? help  Q quit
EOS

screen 'a fix is a draft with the value before and after' fix <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal [9 Config]
  RULE          PARAMETER                          WHAT
> L11  new      xfactorcap                         xfactorcap has been 0 since entry 12, overriding~












────────────────────────────────────────────────────────────────────────────────────────────────────
 L11 note kahu.conf:2
 rule     A live change overrides a line of the configuration.
 found    xfactorcap has been 0 since entry 12, overriding 50 in line 2 of the configuration
 fix      xfactorcap=50




 1 of 1 findings, <Tab> parameters   lint: 0 errors, 0 warnings, 1 note; 1 new
 DRAFT 1 edit: set xfactorcap = 0                                                A apply  D discard
 (projection): order and all estimated starts unchanged

 e value  0 default  f which  <Enter> open  / filter  u undo  q back                 ? help  Q quit
EOS

screen 'after it is applied the finding is gone and the value is live' fixed <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal [9 Config]
  RULE          PARAMETER                          WHAT
> L11  new      xfactorcap                         xfactorcap has been 0 since entry 12, overriding~












────────────────────────────────────────────────────────────────────────────────────────────────────
 L11 note kahu.conf:2
 rule     A live change overrides a line of the configuration.
 found    xfactorcap has been 0 since entry 12, overriding 50 in line 2 of the configuration
 fix      xfactorcap=50




 1 of 1 findings, <Tab> parameters   lint: 0 errors, 0 warnings, 1 note; 1 new
 DRAFT 1 edit: set xfactorcap = 0                                                A apply  D discard
 (projection): order and all estimated starts unchanged

 e value  0 default  f which  <Enter> open  / filter  u undo  q back                 ? help  Q quit
EOS

screen 'a typed value is a draft, and new findings are counted' draft <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal [9 Config]
  PARAMETER                   NOW            AFTER          FROM          LINT
> xfactorcap                  50             0              the draft     W3 +







────────────────────────────────────────────────────────────────────────────────
 xfactorcap = 0   default 0
 W3       xfactorcap = 20 has no effect: xfactorweight is 0; set that weight or
         remove the cap
 L11      xfactorcap has been 20 since entry 12, overriding 50 in line 2 of the
         configuration
 from     the draft; kahu.conf:2 says 50
 values   a number from 0 to 1e+18
 meaning  Maximum of the value that xfactorweight multiplies; 0 means no cap.
 DRAFT 1 edit: set xfactorcap = 20                           A apply  D discard
 (projection): order and all estimated starts unchanged
 1 parameters: with findings (f)   <Tab> lint: 0 errors~   filter: xfactorweight
 e value  0 default  f which  <Enter> open  / filter  u undo     ? help  Q quit
EOS

screen 'a wide screen has units and descriptions' wide <<'EOS'
 KAHU simulation  Thu Mar 24 16:02:11  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal [9 Config]
  PARAMETER                          VALUE                DEFAULT        UNIT         FROM                 LINT      MEANING
  fsusercap                          0                    0              %            default                        Maximum of the value that fsuserweight multiplies; 0 means no cap.
  fsgroupweight                      0                    0                           default                        Weight of how far the group is below its fairshare target.
  fsgroupcap                         0                    0              %            default                        Maximum of the value that fsgroupweight multiplies; 0 means no cap.
  fsaccountweight                    0                    0                           default                        Weight of how far the account is below its fairshare target.
  fsaccountcap                       0                    0              %            default                        Maximum of the value that fsaccountweight multiplies; 0 means no cap.
  fsqosweight                        0                    0                           default                        Weight of how far the QOS is below its fairshare target.
  fsqoscap                           0                    0              %            default                        Maximum of the value that fsqosweight multiplies; 0 means no cap.
  fsclassweight                      0                    0                           default                        Weight of how far the class is below its fairshare target.
  fsclasscap                         0                    0              %            default                        Maximum of the value that fsclassweight multiplies; 0 means no cap.
  nodeweight                         0                    0                           default                        Weight of the number of requested nodes.
  nodecap                            0                    0              nodes        default                        Maximum of the value that nodeweight multiplies; 0 means no cap.
  procweight                         0                    0                           default                        Weight of the number of requested processors.
  proccap                            0                    0              procs        default                        Maximum of the value that procweight multiplies; 0 means no cap.
  memweight                          0                    0                           default                        Weight of the requested memory of all tasks.
  memcap                             0                    0              MB           default                        Maximum of the value that memweight multiplies; 0 means no cap.
  swapweight                         0                    0                           default                        Weight of the requested virtual memory of all tasks.
  swapcap                            0                    0              MB           default                        Maximum of the value that swapweight multiplies; 0 means no cap.
  diskweight                         0                    0                           default                        Weight of the requested local disk of all tasks.
  diskcap                            0                    0              MB           default                        Maximum of the value that diskweight multiplies; 0 means no cap.
  psweight                           0                    0                           default                        Weight of processors times wallclock limit.
  pscap                              0                    0              proc-s       default                        Maximum of the value that psweight multiplies; 0 means no cap.
  peweight                           0                    0                           default                        Weight of the largest requested share of any resource, in processors.
  pecap                              0                    0              procs        default                        Maximum of the value that peweight multiplies; 0 means no cap.
  walltimeweight                     0                    0                           default                        Weight of the wallclock limit.
  walltimecap                        0                    0              s            default                        Maximum of the value that walltimeweight multiplies; 0 means no cap.
  queuetimeweight                    10                   1                           kahu.conf:1                    Weight of the effective queue time.
  queuetimecap                       0                    0              min          default                        Maximum of the value that queuetimeweight multiplies; 0 means no cap.
  xfactorweight                      0                    0                           default                        Weight of the expansion factor, 1 + queue time / wallclock limit.
> xfactorcap                         50                   0                           kahu.conf:2          W3        Maximum of the value that xfactorweight multiplies; 0 means no cap.
  bypassweight                       0                    0                           default                        Weight of the number of jobs that were backfilled past this job.
  bypasscap                          0                    0              jobs         default                        Maximum of the value that bypassweight multiplies; 0 means no cap.
  targetqueuetimeweight              0                    0                           default                        Weight of how close the queue time is to qttarget: 1 at first, 1e8 at the target.
  targetqueuetimecap                 0                    0                           default                        Maximum of the value that targetqueuetimeweight multiplies; 0 means no cap.
  targetxfactorweight                0                    0                           default                        Weight of how close the expansion factor is to xftarget: 1 at first, 1e8 at the ta~
  targetxfactorcap                   0                    0                           default                        Maximum of the value that targetxfactorweight multiplies; 0 means no cap.
  usageconsumedweight                0                    0                           default                        Weight of processor-seconds dedicated so far.
  usageconsumedcap                   0                    0              proc-s       default                        Maximum of the value that usageconsumedweight multiplies; 0 means no cap.
  usageremainingweight               0                    0                           default                        Weight of processor-seconds outstanding.
  usageremainingcap                  0                    0              proc-s       default                        Maximum of the value that usageremainingweight multiplies; 0 means no cap.
  usagepercentweight                 0                    0                           default                        Weight of the percentage of the wallclock limit that is used.
  usagepercentcap                    0                    0              %            default                        Maximum of the value that usagepercentweight multiplies; 0 means no cap.
  usageexecutiontimeweight           0                    0                           default                        Weight of the time since the job started.
  usageexecutiontimecap              0                    0              s            default                        Maximum of the value that usageexecutiontimeweight multiplies; 0 means no cap.
  user[user1].maxijob                2                    -              jobs         kahu.conf:4                    Limit on the number of eligible jobs; those beyond it are blocked.
  class[fast].maxjob[group]          3                    -              jobs         kahu.conf:6                    Limit on the number of running jobs.
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
 xfactorcap = 50   default 0
 W3       xfactorcap = 50 has no effect: xfactorweight is 0; set that weight or remove the cap
 from     kahu.conf:2
 values   a number from 0 to 1e+18
 meaning  Maximum of the value that xfactorweight multiplies; 0 means no cap.



 147 parameters: all (f)   <Tab> lint: 0 errors, 1 warning, 0 notes

 e value  0 default  f which  <Enter> open  / filter  u undo  q back                                                                                                                     ? help  Q quit
EOS
