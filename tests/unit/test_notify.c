/* SPDX-License-Identifier: MIT */
/*
 * test_notify.c - do the site's programs hear what is said, and does nobody wait for them?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "sched/rm/notify.h"
#include "tests/store_dir.h"

#define PATIENCE_MS 60000

static struct store_dir folder;
static char program[700], heard[700];

/* What the notices' thread has warned of. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char warned[4096];

static void take_warning(void *self, const char *text)
{
	(void)self;
	pthread_mutex_lock(&lock);
	snprintf(warned + strlen(warned), sizeof warned - strlen(warned), "%s\n", text);
	pthread_mutex_unlock(&lock);
}

static bool was_warned(const char *text)
{
	bool found;

	pthread_mutex_lock(&lock);
	found = strstr(warned, text) != NULL;
	pthread_mutex_unlock(&lock);
	return found;
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void wait_for(bool (*holds)(const char *text), const char *text)
{
	const struct timespec pause = {.tv_nsec = 2000000};
	int64_t until_ms = now_ms() + PATIENCE_MS;

	while (!holds(text)) {
		if (now_ms() > until_ms)
			fail_msg("%s never came; warned of: %s", text, warned);
		nanosleep(&pause, NULL);
	}
}

/* What the programs have left behind. */
static const char *left_behind(void)
{
	static char text[1 << 16];
	FILE *f = fopen(heard, "r");
	size_t n = f == NULL ? 0 : fread(text, 1, sizeof text - 1, f);

	text[n] = '\0';
	if (f != NULL)
		fclose(f);
	return text;
}

static bool was_left(const char *text)
{
	return strstr(left_behind(), text) != NULL;
}

static int make_folder(void **state)
{
	(void)state;
	make_store_dir(&folder);
	snprintf(program, sizeof program, "%s", name_in(&folder, "program"));
	snprintf(heard, sizeof heard, "%s", name_in(&folder, "heard"));
	warned[0] = '\0';
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	remove_store_dir(&folder);
	return 0;
}

/* In it $heard is the file to leave words in. */
static void write_program(const char *body)
{
	FILE *f = fopen(program, "w");

	assert_non_null(f);
	fprintf(f, "#!/bin/sh\nheard=%s\n%s\n", heard, body);
	fclose(f);
	assert_int_equal(chmod(program, 0700), 0);
}

static struct notify *begin(int64_t limit_ms)
{
	struct err err = {{0}};
	struct notify *n =
		notify_new(&(struct notify_setup){.limit_ms = limit_ms, .warn = take_warning}, &err);

	if (n == NULL)
		fail_msg("%s", err.text);
	return n;
}

static void say(struct notify *n, const char *word)
{
	const char *const argv[] = {program, word, NULL};
	const char *const environment[] = {"KAHU_JOB=12", NULL};

	notify_send(n, &(struct notice){.user = "eva",
					.about = "job 12",
					.argv = argv,
					.environment = environment,
					.input = "Words.\n"});
}

static void a_program_gets_words_an_environment_and_its_input(void **state)
{
	struct notify *n;

	(void)state;
	setenv("KAHU_SECRET", "ours", 1);
	write_program("{ echo \"[$1] [$2]\"; cat; env | grep KAHU; pwd; echo done; } >$heard");
	n = begin(NOTIFY_LIMIT_MS);
	say(n, "a b; $(id)");
	wait_for(was_left, "done");
	assert_string_equal(left_behind(), "[a b; $(id)] []\nWords.\nKAHU_JOB=12\n/\ndone\n");
	notify_free(n);
	assert_string_equal(warned, "");
}

static void none_of_our_files_are_open_in_it(void **state)
{
	struct notify *n;
	int fd = dup(STDERR_FILENO); /* would be inherited */

	(void)state;
	write_program("ls /proc/self/fd | grep -c . >$heard.new; mv $heard.new $heard");
	n = begin(NOTIFY_LIMIT_MS);
	say(n, "");
	wait_for(was_left, "\n");
	assert_string_equal(left_behind(), "4\n"); /* its three, and the folder that ls reads */
	notify_free(n);
	close(fd);
}

/* Who is of our session could open our terminal as /dev/tty, and type on it. */
static void it_has_a_session_of_its_own(void **state)
{
	struct notify *n;

	(void)state;
	write_program("cut -d' ' -f6 /proc/self/stat >$heard.new; mv $heard.new $heard");
	n = begin(NOTIFY_LIMIT_MS);
	say(n, "");
	wait_for(was_left, "\n");
	assert_int_not_equal(strtol(left_behind(), NULL, 10), getsid(0));
	notify_free(n);
}

/* What the program started; 0: it had not come so far. */
static pid_t time_out(const char *warning, int64_t limit_ms)
{
	struct notify *n = begin(limit_ms);

	say(n, "");
	wait_for(was_warned, warning);
	notify_free(n);
	return (pid_t)strtol(left_behind(), NULL, 10);
}

static void who_takes_too_long_is_killed_with_all_that_it_started(void **state)
{
	pid_t child;

	(void)state;
	write_program("sleep 1000 & echo $! >$heard; wait");
	child = time_out("took longer than 1 s for job 12 and was killed", 1000);
	if (child == 0) /* so slow a machine that a second was not enough to begin */
		child = time_out("took longer than 16 s for job 12 and was killed", 16000);
	assert_true(child > 1);
	for (int i = 0; kill(child, 0) == 0 && i < PATIENCE_MS / 2; i++) {
		char path[64], line[300] = "";
		FILE *f;

		/* Whoever adopts it may leave it unburied. */
		snprintf(path, sizeof path, "/proc/%d/stat", (int)child);
		f = fopen(path, "r");
		if (f == NULL || fgets(line, sizeof line, f) == NULL || strstr(line, ") Z ") != NULL) {
			if (f != NULL)
				fclose(f);
			return;
		}
		fclose(f);
		nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
	}
	assert_int_equal(kill(child, 0), -1);
}

static void what_goes_wrong_with_a_program_is_said(void **state)
{
	struct notify *n = begin(NOTIFY_LIMIT_MS);

	(void)state;
	say(n, "");
	wait_for(was_warned, "could not be started for job 12: No such file or directory");
	write_program("exit 3");
	say(n, "");
	wait_for(was_warned, "ended with status 3 for job 12");
	write_program("kill -KILL $$");
	say(n, "");
	wait_for(was_warned, "was ended by signal 9 for job 12");
	notify_free(n);
}

/* Four that wait for the file "go"; whoever comes after waits for a place. */
static void so_many_run_at_a_time_and_so_many_wait_the_oldest_is_forgotten(void **state)
{
	char go[720];
	struct notify *n;

	(void)state;
	write_program("echo \"begun $1.\" >>$heard\n"
		      "[ ${1%%[0-9]*} = w ] || while [ ! -e $heard.go ]; do sleep 0.01; done");
	snprintf(go, sizeof go, "%s.go", heard);
	n = begin(NOTIFY_LIMIT_MS);
	for (unsigned i = 0; i < NOTIFY_RUNNING_MAX; i++) {
		char word[16];

		snprintf(word, sizeof word, "r%u", i);
		say(n, word);
		snprintf(word, sizeof word, "begun r%u.", i);
		wait_for(was_left, word);
	}
	for (unsigned i = 0; i < NOTIFY_WAITING_MAX + 2; i++) {
		char word[16];

		snprintf(word, sizeof word, i < NOTIFY_WAITING_MAX - 2 ? "/%u" : "w%u", i);
		say(n, word);
	}
	wait_for(was_warned, "notices were forgotten: more than 1000 waited");
	assert_false(was_left("begun /"));
	fclose(fopen(go, "w"));
	wait_for(was_left, "begun /2.");
	assert_false(was_left("begun /0."));
	assert_false(was_left("begun /1."));
	notify_free(n);
	assert_true(was_warned("were forgotten at the end") || was_left("begun w1001."));
}

static void the_end_does_not_wait_for_them(void **state)
{
	struct notify *n;
	int64_t from_ms;
	int status;
	pid_t pid;

	(void)state;
	write_program("echo $$ >$heard; exec sleep 1000");
	n = begin(NOTIFY_LIMIT_MS);
	say(n, "");
	wait_for(was_left, "\n");
	pid = (pid_t)strtol(left_behind(), NULL, 10);
	from_ms = now_ms();
	notify_free(n);
	assert_true(now_ms() - from_ms < PATIENCE_MS);
	if (waitpid(pid, &status, 0) == pid) /* killed, but not gone as soon as that */
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
}

static void what_is_said_last_is_still_heard(void **state)
{
	struct notify *n;
	int64_t from_ms;

	(void)state;
	write_program("echo heard >$heard");
	n = begin(NOTIFY_LIMIT_MS);
	say(n, "");
	from_ms = now_ms();
	notify_free(n);
	assert_true(was_left("heard") || was_warned("forgotten") || now_ms() - from_ms >= NOTIFY_CLOSE_MS);
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_A_FOLDER(a_program_gets_words_an_environment_and_its_input),
		IN_A_FOLDER(none_of_our_files_are_open_in_it),
		IN_A_FOLDER(it_has_a_session_of_its_own),
		IN_A_FOLDER(who_takes_too_long_is_killed_with_all_that_it_started),
		IN_A_FOLDER(what_goes_wrong_with_a_program_is_said),
		IN_A_FOLDER(so_many_run_at_a_time_and_so_many_wait_the_oldest_is_forgotten),
		IN_A_FOLDER(the_end_does_not_wait_for_them),
		IN_A_FOLDER(what_is_said_last_is_still_heard),
	};

	return cmocka_run_group_tests_name("notify", tests, NULL, NULL);
}
