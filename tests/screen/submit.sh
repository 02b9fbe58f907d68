#!/bin/sh
# SPDX-License-Identifier: MIT
#
# submit.sh - the submission form and its preview, the output of a job, and the cost of a cancellation

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

play demo --nodes 8 --seed 9 <<'EOS'
size 80x24
keys a
dump empty
keys e
type sh -c 'sleep 60'
keys <Enter> j j e
type a name
keys <Enter> j j e
type 2
keys <Enter> j j e
type 0:10:00
keys <Enter> j j <Right> <Right>
dump filled
keys <Left> <Left> <Left>
dump round
keys a <Enter>
dump handed-in
keys q
dump queue
EOS

screen 'the form, with the description of the field' empty <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Submit]
> command   -                               command to run, with its arguments
  script    -
  name      -
  nodes     -
  ppn       -
  memory    -
  walltime  -
  gpus      -
  class     -
  QOS       -
  account   -
  start     -
  depends   -
  output    -
  errors    -
  directory -
  Enter a command or a script in the first or second line.




 a submit  e value  0 default  q back  : command                 ? help  Q quit
EOS
screen 'the resulting command, its effect, and the estimated start' filled <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Submit]
  command   sh -c 'sleep 60'
  script    -
  name      a name
  nodes     -
  ppn       2
  memory    -
  walltime  0:10:00
  gpus      -
> class     long                            select with <Left> and <Right>
  QOS       -
  account   -
  start     -
  depends   -
  output    -
  errors    -
  directory -
  submit -N "a name" -q long -l nodes=1:ppn=2,walltime=0:10:00 -- sh -c 'sleep
  60'



 a submit  e value  0 default  q back  : command                 ? help  Q quit
EOS
screen 'left and right select known names' round <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Submit]
  command   sh -c 'sleep 60'
  script    -
  name      a name
  nodes     -
  ppn       2
  memory    -
  walltime  0:10:00
  gpus      -
> class     batch                           select with <Left> and <Right>
  QOS       -
  account   -
  start     -
  depends   -
  output    -
  errors    -
  directory -
  submit -N "a name" -q batch -l nodes=1:ppn=2,walltime=0:10:00 -- sh -c 'sleep
  60'



 a submit  e value  0 default  q back  : command                 ? help  Q quit
EOS
screen 'a, then Enter in the box, submits the job' handed-in <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 2 Job  3 Priority  4 Share  6 Limits  7 What-if  8 Journal  9 Config [Submit]
  command   sh -c 'sleep 60'
  script    -
  name      a name
  nodes     -
  ppn       2
  memory    -
  walltime  0:10:00
  gpus      -
> class     batch                           select with <Left> and <Right>
  QOS       -
  account   -
  start     -
  depends   -
  output    -
  errors    -
  directory -
  submit -N "a name" -q batch -l nodes=1:ppn=2,walltime=0:10:00 -- sh -c 'sleep
  60'

 Done: submit -N "a name" -q batch -l nodes=1:ppn=2,walltime=0:10:00 -- sh -c
 'sleep 60'.
 a submit  e value  0 default  q back  : command                 ? help  Q quit
EOS
check_contains "the job is idle" "IDLE 27" "$(cat queue)"

# Real jobs: their output is followed, and they are cancelled after the cost is shown.
serve
cat >words.sh <<'EOS'
printf '\033]0;evil\007\twords\n'
i=0
while [ $i -lt 60 ]; do i=$((i + 1)) && echo "line $i"; done
echo trouble >&2
until [ -e more.now ]; do sleep 0.02; done
echo "the end of it"
exec sleep 300
EOS
cat >script <<'EOS'
size 80x24
keys a j e
type words.sh
keys <Enter> j j j j j e
type 1:00:00
keys <Enter> a
wait-idle
dump real.form
keys <Enter> q
wait-for ACTIVE 1
keys o
wait-for line 60
dump real.followed
keys g
dump real.top
:quit
EOS
check_status "a script is submitted with the form" 0 "$KAHU" --script script
check_contains "the form has the estimated start" "starts" "$(cat real.form)"
check_contains "the form has the equivalent command" "submit -l walltime=1:00:00 words.sh" "$(cat real.form)"
check_contains "the output is followed at its end" "following; scroll up to stop" "$(cat real.followed)"
check_contains "the output can be scrolled" "not following; G goes" "$(cat real.top)"
check_contains "control sequences in the output are escaped" '\x1b]0;evil\x07' "$(cat real.top)"
cat >script <<'EOS'
size 80x24
wait-for ACTIVE 1
keys o e
wait-for trouble
keys e
dump real.waiting
wait-for the end of it
keys q <Enter>
wait-for MB, 1 process
dump real.job
keys x
dump real.draft
keys <Enter>
dump real.sure
keys <Enter>
wait-idle
keys o x <Enter> y
wait-for ended,
dump real.ended
keys q q f
wait-for TERM
dump real.list
EOS
"$KAHU" --script script &
console=$!
check_true "standard error has its own key" wait_until 20 test -s real.waiting
: >more.now
check_true "new output is shown" wait "$console"
check_contains "the cost of a cancellation is shown" "ends 1 running job, 1 process, 0.0" "$(cat real.sure)"
check_contains "a confirmation is asked for, with no as the default" "[n] no (Enter)" "$(cat real.sure)"
check_contains "the page of the job has its memory" " MB now," "$(cat real.job)"
check_contains "the list of ended jobs has its status" "Removed     TERM" "$(cat real.list)"
check_contains "its output can be shown after its end" "the end of it" "$(cat real.ended)"
check_true "the job is cancelled" journal_has 'end 1, status 271'
stop
