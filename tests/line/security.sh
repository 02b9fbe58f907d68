#!/bin/sh
# SPDX-License-Identifier: MIT
#
# security.sh - no user of a shared machine can harm another user, the operator or the scheduler
#
# The scheduler is root's; nobody and daemon are two of its users. Without root only the attacks of a single user
# are tried.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

# The other users must reach the program and need a folder.
mkdir bin run home
cp "$KAHU" "$KAHU_BUILD/../kahu-shepherd" "$KAHU_BUILD/tests/crash/hostile" bin/ || exit 3
KAHU="$work/bin/kahu"
chmod 755 "$work" bin run
export KAHU_RUN="$work/run"
cat >kahu.conf <<'TEXT'
systemdefaultjobwalltime = "1:00:00"
systemmaxjobwalltime = "10:00:00"
class fast { }
qos gold { }
TEXT

serve() {
	"$KAHU" --store "$work/st" --config "$work/kahu.conf" serve >serve.out 2>serve.err &
	server=$!
	wait_until 10 test -s serve.out || fail "the scheduler starts" "$(cat serve.err)"
}
serve
at_exit 'kill -9 "$server" 2>/dev/null; wait "$server" 2>/dev/null'

root=no
[ "$(id -u)" != 0 ] || root=yes
as() { # USER COMMAND...
	as_user=$1
	shift
	setpriv --reuid="$as_user" --regid="$(id -g "$as_user")" --clear-groups -- "$@"
}
journal_has() { "$KAHU" --store "$work/st" journal --from 1 | grep -q "$1"; } # WORDS
journal_gets() { wait_until 20 journal_has "$1"; }
last_id() { printf '%s' "$out" | tail -n 1; }
why_of() { "$KAHU" --store "$work/st" journal --from 1 | grep " end $1,"; } # ID

# --- submissions ----------------------------------------------------------------------------------

check_status "an unknown class is refused" 1 "$KAHU" submit -q fats -- true
check_contains "the message names it" "class fats is not known here" "$err"
check_status "an unknown QOS is refused" 1 "$KAHU" submit -l qos=silver -- true
check_contains "the message names it" "QOS silver is not known here" "$err"
check_status "a request beyond the cluster is refused" 1 "$KAHU" submit -l nodes=1:ppn=99999 -- true
check_status "--force submits it, because the cluster may grow" 0 "$KAHU" submit --force -l nodes=1:ppn=99999 -- true
check_contains "why says that it never starts" "never" "$("$KAHU" why "$(last_id)")"
check_status "a walltime beyond the limit is refused" 1 "$KAHU" submit -l walltime=99:00:00 -- true
check_contains "the message names the limit" "SYSTEMMAXJOBWALLTIME" "$err"
head -c 1000000 /dev/zero >zeros
{ printf '#!/bin/sh\n#PBS -N zeros -o /dev/null -j oe\n'; cat zeros; } >zeros.sh
check_status "a script of 1 MB with NULs is refused or submitted" 0 sh -c '"$1" submit zeros.sh >id 2>refused ||
	[ -s refused ]' sh "$KAHU"
[ ! -s id ] || check_true "it ends" journal_gets "end $(cat id),"
check_status "a shell that does not exist is accepted" 0 sh -c 'echo true | "$1" submit -S /nonexistent/shell -o /dev/null -j oe' sh "$KAHU"
check_true "it is the reason of the job's end" journal_gets "end $(last_id), status 126: .*/nonexistent/shell"
big=$(head -c 120000 /dev/zero | tr '\0' x)
check_status "an environment of 240 kB is refused with a message or accepted" 0 sh -c 'A=$2 B=$2 "$1" submit -V -o /dev/null -j oe -- \
	sh -c "[ \${#A}\${#B} = 120000120000 ]" >id 2>refused || [ -s refused ]' sh "$KAHU" "$big"
[ ! -s id ] || check_true "it is complete" journal_gets "end $(cat id), status 0"

# --- output files ---------------------------------------------------------------------------------

mkdir out && chmod 777 out
echo precious >out/victim
chmod 666 out/victim
ln -s victim out/link
ln out/victim out/hard
mkfifo out/fifo
output_refused() { # NAME PATH WORDS
	check_status "a job whose output is $1 is submitted" 0 "$KAHU" submit --force -o "$2" -j oe -- sh -c 'echo drawn'
	check_true "it ends with that reason ($1)" journal_gets "end $(last_id), status 126: .*$3"
}
output_refused "a symbolic link" "$work/out/link" "symbolic link"
output_refused "a hard link" "$work/out/hard" "hard links"
output_refused "a FIFO" "$work/out/fifo" "not a regular file"
output_refused "a terminal" /dev/tty "cannot be used"
output_refused "a file in a missing folder" "$work/out/none/x" "folder does not exist"
check_equal "the existing file is unchanged" precious "$(cat out/victim)"

# --- names with control sequences -----------------------------------------------------------------

esc=$(printf '\033')
for name in "${esc}[2Jgone" "$(printf 'a\302\233b')" "$(printf 'a\342\200\256evil')" "$(printf 'a\007\010b')" "$(printf 'a\nb  root')"; do
	"$KAHU" submit -h -N "$name" -o "/tmp/$name" -- true >>named 2>>refused_names || :
	"$KAHU" submit -h -A "$name" -- "$name" >>named 2>>refused_names || :
	bin/hostile run draw "$name" >>named 2>>refused_names || : # not through the client, which would refuse it
	bin/hostile run whisper "$name" >>named 2>>refused_names && fail "a reason with arbitrary bytes is refused" "$name"
	bin/hostile run path "$name" >>named || fail "a path with arbitrary bytes is accepted" "$name"
done
# None of ESC, BEL, BS, C1 controls (in UTF-8: 302 200 to 302 237) and bidi controls.
harmless() { # COMMAND...
	"$@" >shown 2>&1 </dev/null
	! LC_ALL=C grep -qaP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]' shown
}
for verb in queue "queue -b" "queue -i" job journal history why priority stats "job --json" "journal --json" "queue --json"; do
	case $verb in
	job* | why) ids=$(sort -un named) ;;
	*) ids= ;;
	esac
	for id in ${ids:-""}; do
		# shellcheck disable=SC2086 # words
		check_true "kahu $verb ${id:+$id }prints no control sequence" harmless "$KAHU" $verb $id
	done
done >names_shown
grep -c '^ok' names_shown | sed 's/^/# looked at: /'
check_equal "no report prints a control sequence" "" "$(grep -v '^ok' names_shown)"
for key in l p f j; do printf 'size 200x50\nkeys %s\nwait-idle\ndump console.%s\n' "$key" "$key"; done >look
if "$KAHU" --store "$work/st" --script look >console.out 2>&1; then
	check_true "the console prints no control sequence" harmless cat console.*
else
	skip "the console prints no control sequence" "$(cat console.out)"
fi
check_true "no error message has a control sequence" harmless cat refused_names

# --- several users --------------------------------------------------------------------------------

if [ $root = no ]; then
	skip "several users" "only root can be several users"
	exit $tests_failed
fi
chown nobody home
check_status "user nobody submits a job" 0 as nobody "$KAHU" submit -d / -o "$work/home/o" -j oe -- sh -c 'id -u; sleep 100'
victim=$(last_id)
check_true "it runs" journal_gets "start $victim"
check_true "it runs as nobody" wait_until 10 grep -qx "$(id -u nobody)" home/o
for try in "cancel $victim" "hold $victim" "release $victim" "set $victim walltime=5" "signal KILL $victim" \
	"signal $victim KILL" "suspend $victim" "requeue $victim" "tail $victim" "set $victim priority=9" \
	"tune queuetimeweight 99" "sched stop"; do
	# shellcheck disable=SC2086 # words
	as daemon "$KAHU" $try >.out 2>.err </dev/null
	status=$?
	check_true "another user's '$try' is refused with a message" \
		test $status -ne 0 -a -s .err -a ! -s .out
done
check_true "the job is still running" sh -c '! "$1" --store "$2" journal --from 1 | grep -q " end $3,"' sh "$KAHU" "$work/st" "$victim"
check_status "its user can cancel it" 0 as nobody "$KAHU" cancel "$victim"
check_true "it ends" journal_gets "end $victim, status 271"

check_status "a job with a missing output folder is submitted" 0 as nobody "$KAHU" submit --force -d / -o /nowhere/secret/out -j oe -- true
secret=$(last_id)
check_true "it ends with that reason" journal_gets "end $secret, status 126: .*/nowhere/secret/out"
check_contains "its user's journal has the reason" "end $secret, status 126: its output /nowhere/secret/out" "$(as nobody "$KAHU" journal --from 1)"
check_contains "the reversed journal has it, too" "/nowhere/secret/out" "$(as nobody "$KAHU" journal)"
check_equal "another user's journal does not have it" 0 "$(as daemon "$KAHU" journal --from 1 | grep -c /nowhere/secret)"
check_true "another user's journal has the end" test "$(as daemon "$KAHU" journal --from 1 | grep -c "end $secret, status 126")" = 1

check_status "user nobody submits a job" 0 as nobody "$KAHU" submit -h -d / -o /dev/null -j oe -- true
victim=$(last_id)
check_status "another user's job with a forged label is accepted" 0 as daemon "$work/bin/hostile" "$work/run" label "$victim"
check_equal "the forged label has no effect" 1 "$("$KAHU" queue --json | grep -o "\"job\":\"$victim\"" | grep -c .)"
check_status "cancel of the label's job succeeds" 0 "$KAHU" cancel "$victim"
check_true "the right job is cancelled" journal_gets "cancel $victim"

check_status "a submission that claims to be root's is accepted" 0 as nobody "$work/bin/hostile" "$work/run" forge "$work/home/uid"
check_true "it runs" journal_gets "end $(last_id), status 0"
check_equal "it runs as the sender" "$(id -u nobody)" "$(cat home/uid)"
check_contains "the journal has the sender" nobody "$("$KAHU" --store "$work/st" journal --from 1 | grep " submit $(last_id):")"

# A job of kahu run starts after its client and the client's folder are gone and another user has created that folder.
mkdir meet && chmod 1777 meet
XDG_RUNTIME_DIR="$work/meet" "$KAHU" run -h -N meets -- echo words >run.out 2>run.err &
client=$!
check_true "a client waits for its job" wait_until 20 sh -c '"$1" queue --json | grep -q "\"name\":\"meets\""' sh "$KAHU"
job=$("$KAHU" queue --json | sed 's/.*"job":"\([0-9]*\)"[^{}]*"name":"meets".*/\1/')
kill -9 "$client"
wait "$client" 2>/dev/null
folder=$(echo meet/kahu-run.*)
rm -rf "$folder"
as daemon mkdir "$folder"
as daemon "$work/bin/hostile" "$work/$folder" squat >squat.out 2>squat.err &
squatter=$!
check_true "another user listens in the folder" wait_until 10 test -s squat.out
check_status "the job is released" 0 "$KAHU" release "$job"
check_true "it ends with a reason" journal_gets "end $job, status 126: the client that waited for it is gone: its folder .* belongs to uid $(id -u daemon)"
kill "$squatter" 2>/dev/null
wait "$squatter" 2>/dev/null
check_equal "the other user has received nothing" listens "$(cat squat.out)"

# An account can have further UIDs through newuidmap, without an entry in the user database. If each had its own
# limits, such an account would be without limits.
none=54321
while getent passwd $none >/dev/null || getent group $none >/dev/null; do none=$((none + 1)); done
stranger() { (cd / && exec setpriv --reuid=$none --regid=$none --clear-groups -- "$KAHU" "$@"); }
check_status "a UID without an entry cannot submit" 3 stranger submit -o /dev/null -j oe -- true
check_contains "the message has the reason" "uid $none has no entry in the user database of this host; use an account" "$err"
check_status "a UID without an entry cannot query" 3 stranger queue
check_contains "the message has the reason" "uid $none has no entry in the user database" "$err"
check_equal "the journal does not have the UID" 0 "$("$KAHU" --store "$work/st" journal --from 1 | grep -c "$none")"
setpriv --reuid=nobody --regid=$none --clear-groups -- "$KAHU" submit -h -d / -o /dev/null -j oe -- true >id
check_contains "a job of a GID without an entry has the group of its user" "\"group\":\"$(id -gn nobody)\"" \
	"$("$KAHU" job --json "$(cat id)")"
setpriv --reuid=nobody --regid="$(id -g daemon)" --clear-groups -- "$KAHU" submit -h -d / -o /dev/null -j oe -- true >id
check_contains "a job of a group that its user is not a member of has the group of its user" "\"group\":\"$(id -gn nobody)\"" \
	"$("$KAHU" job --json "$(cat id)")"

# Programs of a configuration that another user can change are not run.
printf 'prolog = "/bin/touch"\nsystemdefaultjobwalltime = "1:00:00"\n' >theirs.conf
chown daemon theirs.conf
mkdir run2
KAHU_RUN="$work/run2" "$KAHU" --store "$work/st2" --config "$work/theirs.conf" serve >serve2.out 2>serve2.err &
second=$!
at_exit 'kill -9 "$second" 2>/dev/null; wait "$second" 2>/dev/null'
wait_until 10 test -s serve2.out || fail "a second scheduler starts" "$(cat serve2.err)"
warned() { grep -q "programs of the configuration are not run, because the configuration .*theirs.conf belongs to user $(id -u daemon)" serve2.err; }
check_true "a scheduler warns of the owner of its configuration" wait_until 10 warned
KAHU_RUN="$work/run2" "$KAHU" submit -o "$work/run2/ran" -j oe -- true >/dev/null
check_true "its prolog is not run, and neither is a job" wait_until 20 sh -c \
	"KAHU_RUN='$work/run2' '$KAHU' journal --from 1 | grep -q '/bin/touch is not run, as the configuration .*theirs.conf belongs to user'"
check_true "the job has no output" test ! -e "$work/run2/ran"
chown root theirs.conf
mkdir everybodys && chmod 777 everybodys
printf 'epilog = "%s/everybodys/epilog"\nsystemdefaultjobwalltime = "1:00:00"\n' "$work" >theirs.conf
printf '#!/bin/sh\ntouch "%s/run2/cleaned"\n' "$work" >everybodys/epilog
chmod 755 everybodys/epilog
check_status "a configuration of root with a program in a folder that all users can write to is loaded" 0 env KAHU_RUN="$work/run2" "$KAHU" reload
check_true "a warning has the reason" wait_until 10 grep -q "epilog is not run, as all users can write to $work/everybodys" serve2.err
KAHU_RUN="$work/run2" "$KAHU" submit -o "$work/run2/ran" -j oe -- true >/dev/null
check_true "a job runs" wait_until 20 test -e "$work/run2/ran"
check_true "the journal says that the epilog did not run" wait_until 20 sh -c \
	"KAHU_RUN='$work/run2' '$KAHU' journal --from 1 | grep -q 'the epilog did not run: $work/everybodys/epilog is not run, as all users'"
check_true "the epilog has not run" test ! -e "$work/run2/cleaned"
kill "$second"
wait "$second"

chmod 700 out
check_status "a job whose user cannot write its output is submitted" 0 as nobody "$KAHU" submit --force -d / -o "$work/out/x" -j oe -- true
check_true "it ends with that reason" journal_gets "end $(last_id), status 126: .*Permission denied"
check_status "a job whose user cannot enter its folder is submitted" 0 as nobody "$KAHU" submit -d "$work/out" -o /dev/null -j oe -- true
check_true "it ends with that reason" journal_gets "end $(last_id), status 126: .*Permission denied"
check_equal "only its owner can access the store" 700 "$(stat -c %a st)"

# --- invalid requests -----------------------------------------------------------------------------

check_status "an array with a step of 0 is refused" 1 as nobody "$work/bin/hostile" "$work/run" step
check_contains "the message has the reason" "the step of an array must be at least 1, got 0" "$(cat .err)"
check_true "the scheduler still runs" kill -0 "$server"
check_status "an endless request is refused" 0 as nobody "$work/bin/hostile" "$work/run" huge
check_status "an incomplete request is refused after a timeout" 0 as nobody "$work/bin/hostile" "$work/run" half
check_status "random bytes get no answer" 0 as nobody "$work/bin/hostile" "$work/run" noise
check_status "unused descriptors are sent" 0 as nobody "$work/bin/hostile" "$work/run" linger
check_status "they do not stop the scheduler when they are closed" 0 timeout 60 "$KAHU" queue
mkfifo hold
as nobody "$work/bin/hostile" "$work/run" idle 1000 <hold >held 2>/dev/null &
idle=$!
exec 3>hold
check_true "1000 idle connections of a user are open" wait_until 20 test -s held
check_status "root can still submit" 0 timeout 5 "$KAHU" submit -h -- true
check_status "another user can still submit" 0 as daemon timeout 5 "$KAHU" submit -d / -h -- true
exec 3>&-
wait $idle
check_true "the scheduler still runs" kill -0 "$server"
kill "$server"
wait "$server"
