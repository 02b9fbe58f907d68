#!/bin/sh
# SPDX-License-Identifier: MIT
#
# notify_hook.sh - do the site's program and whoever asked for mail hear what happens to jobs?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

# Both programs run as the jobs' user: they write where everybody may.
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

check_true "a job is handed in" submit -N first -m abe -M ops@example.org,eva -- sh -c 'exit 3'
for event in submit begin end; do
	check_true "the program hears of its $event" wait_until 10 test -s heard/1.$event
done
check_equal "with all there is to know" "KAHU_EVENT=end
KAHU_JOB=1
KAHU_NAME=first
KAHU_OUTCOME=failed
KAHU_STATUS=3
KAHU_USER=$me
Job 1 (first) of $me has ended with status 3." "$(cat heard/1.end)"
check_equal "and a sentence" "Job 1 (first) of $me was submitted." "$(tail -n 1 heard/1.submit)"
check_true "a letter says that it has begun" wait_until 10 wrote "Subject: Kahu: job 1 has begun"
check_true "one that it has ended" wait_until 10 wrote "Subject: Kahu: job 1 has ended with status 3"
check_true "to whom it was said" wrote "To: ops@example.org,eva"
check_equal "as words of their own behind the options" "WORD -i
WORD --
WORD ops@example.org
WORD eva" "$(grep -h ^WORD "$(find letters -type f -name '[0-9]*' | head -n 1)")"
check_equal "there are two letters" 2 "$(count)"

check_true "a job that asks for none" submit -m n -M eva -- true
check_true "runs" wait_until 10 test -s heard/2.end
check_true "one that asks for its abort alone" submit -m a -l walltime=1:00:00 -- sleep 1000
check_true "begins" wait_until 10 test -s heard/3.begin
check_status "is cancelled" 0 "$KAHU" cancel 3
check_true "the program hears of that" wait_until 20 test -s heard/3.abort
check_contains "as of no end of its own" KAHU_OUTCOME=cancelled "$(cat heard/3.abort)"
check_true "and the user by mail" wait_until 10 wrote "Subject: Kahu: job 3 was cancelled"
check_true "at the name he logs in with" wrote "To: $me"
check_equal "and by nothing else" 3 "$(count)"

check_status "an option is no address, and ignored" 0 "$KAHU" submit -m e -M -f/etc/passwd -- true
check_contains "which is said" "ignored, no effect here: the mail address -f/etc/passwd" "$err"
check_status "nor are two lines" 0 "$KAHU" submit -m e -M 'eva
Bcc: all@example.org' -- true
five() { test "$(count)" -eq 5; }
check_true "their owner is told instead" wait_until 10 five
check_status "and nobody else" 1 wrote all@example.org
check_status "nor what looked like an option" 1 wrote /etc/passwd

check_true "a job whose program fails" submit -N unwell -- true
check_true "is a job like others" wait_until 10 test -s heard/6.end
logged() { grep -q "$1" serve.err; }
check_true "the log has it" wait_until 10 logged "hook ended with status 9 for job 6"

if [ "$(id -u)" -eq 0 ] && getent passwd nobody >/dev/null; then
	cat >"$programs/hook" <<TEXT
#!/bin/sh
id -un >"$work/heard/.who.\$\$" && id -G >>"$work/heard/.who.\$\$"
mv "$work/heard/.who.\$\$" "$work/heard/who.\$KAHU_EVENT"
TEXT
	check_true "another's job" setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups -- \
		"$KAHU" submit -d / -o /dev/null -e /dev/null -- true
	check_true "is told of" wait_until 10 test -s heard/who.end
	check_equal "by that user, with no group of ours" "nobody
$(id -G nobody)" "$(cat heard/who.end)"
else
	skip "another's job" "only root has such"
fi

# All users can write to the folder of a program, which is then not run.
check_true "the program is in a folder that is not root's alone" chmod 777 "$programs"
check_true "a job" submit -N unsafe -- true
check_true "whose program is not run" wait_until 10 logged "hook is not run, as all users can write to $programs"
check_true "until the folder is root's again" chmod 755 "$programs"

slow=$(mktemp -d heard/slow.XXXXXX) && chmod 777 "$slow"
printf '#!/bin/sh\necho >%s/$$\nexec sleep 1000\n' "$work/$slow" >"$programs/hook"
started() { [ "$(find "$slow" -type f | wc -l)" -ge "$1" ]; }
for name in one two three; do
	submit -N $name -- sh -c "touch heard/ran.$name"
done
check_true "programs that take long are run beside each other" wait_until 10 started 2
count=2
if [ "$(id -u)" -eq 0 ] && getent passwd nobody >/dev/null; then
	setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups -- \
		"$KAHU" submit -d / -o /dev/null -e /dev/null -- true >/dev/null
	check_true "and do not keep the programs of other users from starting" wait_until 10 started 4
	count=4
fi
ran() { [ -e heard/ran.one ] && [ -e heard/ran.two ] && [ -e heard/ran.three ]; }
check_true "and hold up no job" wait_until 20 ran
check_true "nor the end of the scheduler" stop
gone() { for pid in "$slow"/*; do ! kill -0 "$(basename "$pid")" 2>/dev/null || return 1; done; }
check_true "which leaves none of them behind" wait_until 5 gone
check_equal "there were two of each user at a time" $count "$(find "$slow" -type f | wc -l)"
