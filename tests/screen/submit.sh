#!/bin/sh
# SPDX-License-Identifier: MIT
#
# submit.sh - is a job handed in by a form seen before it is handed in, and what it writes and costs afterwards?

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

screen 'the form, with what its field is for' empty <<'EOS'
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
screen 'the line that it makes, what it would do, and when it would start' filled <<'EOS'
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
screen 'left and right go through the names that are known' round <<'EOS'
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
screen 'a, then Enter in the box, submits it' handed-in <<'EOS'
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
check_contains "and it waits with the others" "IDLE 27" "$(cat queue)"

# Real jobs: what they write is followed, and they are cancelled when it is said what that costs.
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
check_status "a script is handed in by the form" 0 "$KAHU" --script script
check_contains "when it would start is said first" "starts" "$(cat real.form)"
check_contains "as the line is that could be typed" "submit -l walltime=1:00:00 words.sh" "$(cat real.form)"
check_contains "one is at the end of what it wrote" "following; scroll up to stop" "$(cat real.followed)"
check_contains "and can go up" "not following; G goes" "$(cat real.top)"
check_contains "where nothing it wrote is obeyed" '\x1b]0;evil\x07' "$(cat real.top)"
cat >script <<'EOS'
size 80x24
wait-for ACTIVE 1
keys o e
wait-for trouble
keys e
dump real.waiting
wait-for the end of it
keys q <Enter>
wait-for at most, 1 process
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
check_true "standard error has a key of its own" wait_until 20 test -s real.waiting
: >more.now
check_true "what comes is followed" wait "$console"
check_contains "what a cancellation costs is shown" "ends 1 running job, 1 process, 0.0" "$(cat real.sure)"
check_contains "and asked about, with no as the answer" "[n] no (Enter)" "$(cat real.sure)"
check_contains "and what it uses on its page" " MB now," "$(cat real.job)"
check_contains "among those that have ended it has its status" "Removed     TERM" "$(cat real.list)"
check_contains "what was written is there when it has ended" "the end of it" "$(cat real.ended)"
check_true "it is cancelled" said 'end 1, status 271'
stop
