#!/bin/sh
# SPDX-License-Identifier: MIT
#
# notify_hook.sh - the notification program of the site and the mail to users
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

# Both programs run as the user of the job, so they write to folders that all users can write to.
chmod 755 "$work"
mkdir -m 755 bin run
mkdir -m 1777 heard letters
cp "$KAHU" "$KAHU_BUILD/../kahu-shepherd" bin/ || exit 3
make_programs
KAHU="$work/bin/kahu"
export KAHU_RUN="$work/run"
cat >"$programs/hook" <<TEXT
#!/bin/sh
{ env | grep '^KAHU_' | grep -v KAHU_TIME | sort; cat; } >"$work/heard/.\$\$"
mv "$work/heard/.\$\$" "$work/heard/\$KAHU_JOB.\$KAHU_EVENT"
[ "\$KAHU_NAME" != unwell ] || exit 9
TEXT
cat >"$programs/mailer" <<TEXT
#!/bin/sh
name=\$(date +%s%N)
{ printf 'WORD %s\n' "\$@"; cat; } >"$work/letters/.\$name"
mv "$work/letters/.\$name" "$work/letters/\$name"
TEXT
chmod 755 "$programs/hook" "$programs/mailer"
cat >kahu.conf <<TEXT
notifyprogram = "$programs/hook"
mailprogram = "$programs/mailer"
TEXT
me=$(id -un)
serve --config "$work/kahu.conf"

submit() { "$KAHU" submit -o /dev/null -e /dev/null "$@" >/dev/null; }
letters() { cat letters/* 2>/dev/null; }
wrote() { letters | grep -qF "$1"; }
count() { find letters -type f -name '[0-9]*' | wc -l; }

check_true "a job that requests mail is submitted" submit -N first -m abe -M ops@example.org,eva -- sh -c 'exit 3'
for event in submit begin end; do
	check_true "the program is called for the $event event" wait_until 10 test -s heard/1.$event
done
check_equal "it gets all variables and a sentence" "KAHU_EVENT=end
KAHU_JOB=1
KAHU_NAME=first
KAHU_OUTCOME=failed
KAHU_STATUS=3
KAHU_USER=$me
Job 1 (first) of $me has ended with status 3." "$(cat heard/1.end)"
check_equal "it gets a sentence about the submission" "Job 1 (first) of $me was submitted." "$(tail -n 1 heard/1.submit)"
check_true "a mail says that the job has begun" wait_until 10 wrote "Subject: Kahu: job 1 has begun"
check_true "a mail says that the job has ended" wait_until 10 wrote "Subject: Kahu: job 1 has ended with status 3"
check_true "it has the requested recipients" wrote "To: ops@example.org,eva"
check_equal "the recipients are separate arguments after the options" "WORD -i
WORD --
WORD ops@example.org
WORD eva" "$(grep -h ^WORD "$(find letters -type f -name '[0-9]*' | head -n 1)")"
check_equal "two mails were sent" 2 "$(count)"

check_true "a job with -m n is submitted" submit -m n -M eva -- true
check_true "it ends" wait_until 10 test -s heard/2.end
check_true "a job with -m a is submitted" submit -m a -l walltime=1:00:00 -- sleep 1000
check_true "it begins" wait_until 10 test -s heard/3.begin
check_status "it is cancelled" 0 "$KAHU" cancel 3
check_true "the program is called for the abort event" wait_until 20 test -s heard/3.abort
check_contains "the outcome is cancelled" KAHU_OUTCOME=cancelled "$(cat heard/3.abort)"
check_true "a mail says that the job was cancelled" wait_until 10 wrote "Subject: Kahu: job 3 was cancelled"
check_true "it is sent to the login name of the user" wrote "To: $me"
check_equal "no other mail was sent" 3 "$(count)"

check_status "a mail address that looks like an option is ignored" 0 "$KAHU" submit -m e -M -f/etc/passwd -- true
check_contains "a warning names it" "ignored, no effect here: the mail address -f/etc/passwd" "$err"
check_status "a mail address with a newline is ignored" 0 "$KAHU" submit -m e -M 'eva
Bcc: all@example.org' -- true
five() { test "$(count)" -eq 5; }
check_true "a mail is sent to the user of the job" wait_until 10 five
check_status "no mail is sent to the second line of the address" 1 wrote all@example.org
check_status "no mail is sent to the address that looks like an option" 1 wrote /etc/passwd

check_true "a job whose notification program fails is submitted" submit -N unwell -- true
check_true "the job ends" wait_until 10 test -s heard/6.end
logged() { grep -q "$1" serve.err; }
check_true "the log has the status of the program" wait_until 10 logged "hook ended with status 9 for job 6"

if [ "$(id -u)" -eq 0 ] && getent passwd nobody >/dev/null; then
	cat >"$programs/hook" <<TEXT
#!/bin/sh
id -un >"$work/heard/.who.\$\$" && id -G >>"$work/heard/.who.\$\$"
mv "$work/heard/.who.\$\$" "$work/heard/who.\$KAHU_EVENT"
TEXT
	check_true "a job of another user is submitted" setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups -- \
		"$KAHU" submit -d / -o /dev/null -e /dev/null -- true
	check_true "the program is called for it" wait_until 10 test -s heard/who.end
	check_equal "the program runs as that user, with the groups of that user" "nobody
$(id -G nobody)" "$(cat heard/who.end)"
else
	skip "a job of another user is submitted" "only root has such"
fi

# A program in a folder that all users can write to is not run.
check_true "the folder of the program gets mode 777" chmod 777 "$programs"
check_true "a job is submitted" submit -N unsafe -- true
check_true "the program is not run, and the log has the reason" wait_until 10 logged "hook is not run, as all users can write to $programs"
check_true "the folder gets its mode again" chmod 755 "$programs"

slow=$(mktemp -d heard/slow.XXXXXX) && chmod 777 "$slow"
printf '#!/bin/sh\necho >%s/$(id -un).$$\nexec sleep 1000\n' "$work/$slow" >"$programs/hook"
started() { [ "$(find "$slow" -type f | wc -l)" -ge "$1" ]; }
for name in one two three; do
	submit -N $name -- sh -c "touch heard/ran.$name"
done
check_true "slow programs run concurrently" wait_until 10 started 2
count=2
if [ "$(id -u)" -eq 0 ] && getent passwd nobody >/dev/null; then
	setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups -- \
		"$KAHU" submit -d / -o /dev/null -e /dev/null -- true >/dev/null
	of_nobody() { [ "$(find "$slow" -type f -name 'nobody.*' | wc -l)" -eq 2 ]; }
	check_true "they do not delay the programs of other users" wait_until 10 of_nobody
	count=4
fi
ran() { [ -e heard/ran.one ] && [ -e heard/ran.two ] && [ -e heard/ran.three ]; }
check_true "they delay no job" wait_until 20 ran
check_true "they do not delay the stop of the scheduler" stop
gone() { for pid in "$slow"/*; do ! kill -0 "${pid##*.}" 2>/dev/null || return 1; done; }
check_true "the scheduler leaves no program behind" wait_until 5 gone
check_equal "at most two programs of each user ran at a time" $count "$(find "$slow" -type f | wc -l)"
check_equal "two of this user ran" 2 "$(find "$slow" -type f -name "$me.*" | wc -l)"
