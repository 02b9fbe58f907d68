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
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "sched/rm/notify.h"
#include "tests/store_dir.h"
#include "tests/warned.h"

#define PATIENCE_MS 60000

static struct store_dir folder;
static char program[700], heard[700];

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

static struct notify *begin_with(int64_t limit_ms, int64_t warn_apart_ms)
{
	const struct notify_setup setup = {
		.limit_ms = limit_ms, .warn_apart_ms = warn_apart_ms, .warn = take_warning};
	struct err err = {{0}};
	struct notify *n = notify_new(&setup, &err);

	if (n == NULL)
		fail_msg("%s", err.text);
	return n;
}

static struct notify *begin(int64_t limit_ms)
{
	return begin_with(limit_ms, NOTIFY_WARN_APART_MS);
}

static void say_for(struct notify *n, const char *user, const char *word)
{
	const char *const argv[] = {program, word, NULL};
	const char *const environment[] = {"KAHU_JOB=12", NULL};

	notify_send(n, &(struct notice){.user = user,
					.about = "job 12",
					.argv = argv,
					.environment = environment,
					.input = "Words.\n"});
}

static void say(struct notify *n, const char *word)
{
	say_for(n, "eva", word);
}

/* A program that runs until the file "go" is there, or one with its word; words in "w" do not wait. */
static void write_waiting_program(void)
{
	write_program("echo \"begun $1.\" >>$heard\n"
		      "[ ${1%%[0-9]*} = w ] ||\n"
		      "while [ ! -e $heard.go ] && [ ! -e $heard.$1 ]; do sleep 0.02; done");
}

static void let_end(const char *word)
{
	char path[800];
	FILE *f;

	snprintf(path, sizeof path, "%s.%s", heard, word);
	f = fopen(path, "w");
	assert_non_null(f);
	fclose(f);
}

static void begin_one(struct notify *n, const char *user, const char *word)
{
	char text[32];

	say_for(n, user, word);
	snprintf(text, sizeof text, "begun %s.", word);
	wait_for(was_left, text);
}

/* Programs r0, r1 ... of users u0, u1 ...: as many for each as may be. */
static void fill_places(struct notify *n)
{
	for (unsigned i = 0; i < NOTIFY_RUNNING_MAX; i++) {
		char user[16], word[16];

		snprintf(user, sizeof user, "u%u", i / NOTIFY_USER_RUNNING_MAX);
		snprintf(word, sizeof word, "r%u", i);
		begin_one(n, user, word);
	}
}

/* How many notices are known to be forgotten, and how many warnings say so. */
static unsigned long forgotten(unsigned *warnings)
{
	unsigned long sum = 0;

	*warnings = 0;
	pthread_mutex_lock(&warned_lock);
	for (const char *line = warned; *line != '\0'; line = strchr(line, '\n') + 1) {
		char *rest;
		unsigned long count = strtoul(line, &rest, 10);

		if (strncmp(rest, " notices were dropped: more", 27) != 0)
			continue;
		sum += count;
		++*warnings;
	}
	pthread_mutex_unlock(&warned_lock);
	return sum;
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
	struct notify *n = begin_with(NOTIFY_LIMIT_MS, 0);

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

/* How many programs are known to have failed, and how many warnings say so. */
static unsigned long failed_programs(unsigned *warnings)
{
	unsigned long sum = 0;

	*warnings = 0;
	pthread_mutex_lock(&warned_lock);
	for (const char *line = warned; *line != '\0'; line = strchr(line, '\n') + 1) {
		const char *end = strchr(line, '\n'), *more = strstr(line, "; ");

		sum++;
		if (more != NULL && more < end)
			sum += strtoul(more + 2, NULL, 10);
		++*warnings;
	}
	pthread_mutex_unlock(&warned_lock);
	return sum;
}

static bool are_known_to_fail(const char *count)
{
	unsigned warnings;

	return failed_programs(&warnings) == strtoul(count, NULL, 10);
}

static void of_many_programs_that_fail_one_line_is_written_and_the_number_of_the_others(void **state)
{
	struct notify *n = begin_with(NOTIFY_LIMIT_MS, 10 * NOTIFY_WARN_APART_MS);
	unsigned warnings;

	(void)state;
	write_program("echo \"begun $1.\" >>$heard; exit 3");
	begin_one(n, "eva", "a");
	wait_for(was_warned, "ended with status 3 for job 12");
	for (unsigned i = 0; i < 40; i++) {
		char user[16], word[16];

		snprintf(user, sizeof user, "u%u", i % 3);
		snprintf(word, sizeof word, "b%u", i);
		begin_one(n, user, word);
	}
	assert_int_equal(failed_programs(&warnings), 1);
	notify_free(n); /* those that it has to kill are not said to fail */
	assert_in_range(failed_programs(&warnings), 41 - NOTIFY_RUNNING_MAX, 41);
	assert_int_equal(warnings, 2);
	assert_true(was_warned(" earlier warnings about such programs were suppressed"));
}

static void a_killed_program_is_no_line_of_its_own_either(void **state)
{
	struct notify *n = begin_with(100, 10 * NOTIFY_WARN_APART_MS);
	unsigned warnings;

	(void)state;
	write_program("exec sleep 1000");
	for (unsigned i = 0; i < 8; i++) {
		char user[16];

		snprintf(user, sizeof user, "u%u", i);
		say_for(n, user, "");
	}
	wait_for(was_warned, "and was killed");
	nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
	notify_free(n);
	failed_programs(&warnings);
	assert_true(warnings <= 2);
}

static void the_number_of_failed_programs_comes_without_another_notice(void **state)
{
	struct notify *n = begin_with(NOTIFY_LIMIT_MS, 300);
	unsigned warnings;

	(void)state;
	write_program("exit 3");
	for (unsigned i = 0; i < 20; i++)
		say(n, "x");
	wait_for(are_known_to_fail, "20");
	failed_programs(&warnings);
	assert_true(warnings >= 2 && warnings < 20);
	notify_free(n);
}

static void wait_for_forgotten(unsigned long count)
{
	int64_t until_ms = now_ms() + PATIENCE_MS;
	unsigned warnings;

	while (forgotten(&warnings) < count) {
		if (now_ms() > until_ms)
			fail_msg("%lu of %lu forgotten notices are known", forgotten(&warnings), count);
		nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
	}
}

static void so_many_run_at_a_time_and_so_many_wait_the_oldest_is_forgotten(void **state)
{
	struct notify *n;

	(void)state;
	write_waiting_program();
	n = begin(NOTIFY_LIMIT_MS);
	fill_places(n);
	for (unsigned i = 0; i < NOTIFY_WAITING_MAX + 2; i++) {
		char word[16];

		snprintf(word, sizeof word, i < NOTIFY_WAITING_MAX - 2 ? "/%u" : "w%u", i);
		say(n, word);
	}
	wait_for(was_warned, "notices were dropped: more than 1000 were queued");
	assert_false(was_left("begun /"));
	let_end("go");
	wait_for(was_left, "begun /2.");
	assert_false(was_left("begun /0."));
	assert_false(was_left("begun /1."));
	notify_free(n);
	assert_true(was_warned("were dropped at shutdown") || was_left("begun w1001."));
}

/* A user can stop the programs that run as that user. */
static void a_user_whose_programs_do_not_end_keeps_no_place_of_others(void **state)
{
	struct notify *n;

	(void)state;
	write_waiting_program();
	n = begin(NOTIFY_LIMIT_MS);
	begin_one(n, "eva", "r0");
	begin_one(n, "eva", "r1");
	for (unsigned i = 2; i < 2 * NOTIFY_RUNNING_MAX; i++) {
		char word[16];

		snprintf(word, sizeof word, "r%u", i);
		say(n, word);
	}
	begin_one(n, "bob", "w1");
	begin_one(n, "bob", "w2");
	begin_one(n, "bob", "w3");
	assert_false(was_left("begun r2."));
	let_end("r1");
	wait_for(was_left, "begun r2.");
	assert_false(was_left("begun r3."));
	notify_free(n);
}

/* A child that traces the process, with these options, until it is killed, and never waits for it. */
static pid_t trace_with(pid_t pid, unsigned long options)
{
	char done;
	int ready[2];
	pid_t tracer;

	assert_int_equal(pipe(ready), 0);
	tracer = fork();
	if (tracer == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves none */
		close(ready[0]);
		if (ptrace(PTRACE_SEIZE, pid, NULL, options) != 0 || write(ready[1], "1", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &done, 1), 1);
	close(ready[0]);
	return tracer;
}

static pid_t trace(pid_t pid)
{
	return trace_with(pid, 0);
}

/* Until its tracer has exited, a traced process that has exited cannot be waited for. */
static void programs_that_are_traced_keep_nobody_else_waiting(void **state)
{
	pid_t tracer[NOTIFY_USER_RUNNING_MAX];
	struct notify *n;

	(void)state;
	write_program("echo \"$1 begun $$.\" >>$heard\n"
		      "while [ $1 -lt 10 ] && [ ! -e $heard.go ]; do sleep 0.02; done");
	n = begin(NOTIFY_LIMIT_MS);
	for (unsigned i = 0; i < NOTIFY_USER_RUNNING_MAX; i++) {
		char word[16], text[32];

		snprintf(word, sizeof word, "%u", i);
		say(n, word);
		snprintf(text, sizeof text, "%u begun ", i);
		wait_for(was_left, text);
		tracer[i] = trace((pid_t)strtol(strstr(left_behind(), text) + strlen(text), NULL, 10));
	}
	let_end("go");
	say(n, "10"); /* waits: the user has as many as may run */
	say_for(n, "bob", "20");
	wait_for(was_left, "20 begun ");
	assert_false(was_left("10 begun "));
	for (unsigned i = 0; i < NOTIFY_USER_RUNNING_MAX; i++) {
		kill(tracer[i], SIGKILL);
		waitpid(tracer[i], NULL, 0);
	}
	wait_for(was_left, "10 begun ");
	notify_free(n);
}

/* Stopped by its tracer on the way out, a process that was killed does not end: as one that waits in a file
 * system that never answers. */
static void programs_that_cannot_be_killed_give_their_places_back(void **state)
{
	pid_t tracer[NOTIFY_RUNNING_MAX];
	struct notify *n;

	(void)state;
	write_program("echo \"$1 begun $$.\" >>$heard\n[ $1 -ge 20 ] || exec sleep 1000");
	n = begin(4000);
	for (unsigned i = 0; i < NOTIFY_RUNNING_MAX; i++) {
		char user[16], word[16], text[32];

		snprintf(user, sizeof user, "u%u", i / NOTIFY_USER_RUNNING_MAX);
		snprintf(word, sizeof word, "%u", i);
		snprintf(text, sizeof text, "%u begun ", i);
		say_for(n, user, word);
		wait_for(was_left, text);
		tracer[i] = trace_with((pid_t)strtol(strstr(left_behind(), text) + strlen(text), NULL, 10),
				       PTRACE_O_TRACEEXIT);
	}
	say_for(n, "u0", "20"); /* waits: what cannot be killed counts for its user */
	say_for(n, "bob", "30");
	wait_for(was_left, "30 begun ");
	assert_false(was_left("20 begun "));
	for (unsigned i = 0; i < NOTIFY_RUNNING_MAX; i++) {
		kill(tracer[i], SIGKILL);
		waitpid(tracer[i], NULL, 0);
	}
	wait_for(was_left, "20 begun ");
	notify_free(n);
	assert_true(was_warned("was killed but has not exited; its slot is free for another program"));
}

static void the_end_does_not_wait_for_a_traced_program(void **state)
{
	struct notify *n;
	pid_t pid, tracer;
	int64_t from_ms;

	(void)state;
	write_program("echo $$ >$heard; exec sleep 1000");
	n = begin(NOTIFY_LIMIT_MS);
	say(n, "");
	wait_for(was_left, "\n");
	pid = (pid_t)strtol(left_behind(), NULL, 10);
	tracer = trace(pid);
	from_ms = now_ms();
	notify_free(n);
	assert_true(now_ms() - from_ms < PATIENCE_MS);
	kill(tracer, SIGKILL);
	waitpid(tracer, NULL, 0);
	waitpid(pid, NULL, 0);
}

static void a_place_goes_to_the_user_with_the_fewest_programs_then_to_the_oldest_notice(void **state)
{
	struct notify *n;

	(void)state;
	write_waiting_program();
	n = begin(NOTIFY_LIMIT_MS);
	fill_places(n);
	let_end("r1"); /* u0 has one program, and so has who takes its place */
	begin_one(n, "ann", "a1");
	say_for(n, "u0", "b2");
	say_for(n, "ann", "a2");
	say_for(n, "zoe", "z1");
	let_end("r2");
	wait_for(was_left, "begun z1.");
	assert_false(was_left("begun a2."));
	assert_false(was_left("begun b2."));
	let_end("r3");
	wait_for(was_left, "begun b2.");
	assert_false(was_left("begun a2."));
	notify_free(n);
}

static void of_a_full_queue_the_oldest_of_the_user_with_the_most_is_forgotten(void **state)
{
	struct notify *n;
	unsigned warnings;

	(void)state;
	write_waiting_program();
	n = begin_with(NOTIFY_LIMIT_MS, 0);
	fill_places(n);
	say_for(n, "bob", "w1");
	for (unsigned i = 0; i < NOTIFY_WAITING_MAX + 50; i++) {
		char word[16];

		snprintf(word, sizeof word, "e%u", i);
		say_for(n, "eva", word);
	}
	say_for(n, "zoe", "w2");
	wait_for_forgotten(52);
	let_end("go");
	wait_for(was_left, "begun w1.");
	wait_for(was_left, "begun w2.");
	wait_for(was_left, "begun e52.");
	assert_false(was_left("begun e51."));
	notify_free(n);
	assert_int_equal(forgotten(&warnings), 52);
}

static void lose_some(struct notify *n, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		say(n, "x");
		nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL); /* long enough for a warning */
	}
}

static void fill_queue(struct notify *n)
{
	write_waiting_program();
	fill_places(n);
	for (unsigned i = 0; i < NOTIFY_WAITING_MAX; i++)
		say(n, "x");
}

static void warnings_of_forgotten_notices_are_apart_and_leave_none_out(void **state)
{
	struct notify *n = begin_with(NOTIFY_LIMIT_MS, 10 * NOTIFY_WARN_APART_MS);
	unsigned warnings;

	(void)state;
	fill_queue(n);
	lose_some(n, 100);
	wait_for(was_warned, " notices were dropped: more than 1000 were queued");
	forgotten(&warnings);
	assert_int_equal(warnings, 1);
	notify_free(n);
	assert_int_equal(forgotten(&warnings), 100);
	assert_true(warnings <= 2);
}

static void a_warning_that_had_to_wait_comes_without_another_notice(void **state)
{
	struct notify *n = begin_with(10 * PATIENCE_MS, 300); /* no end of a program comes first */
	unsigned warnings;

	(void)state;
	fill_queue(n);
	lose_some(n, 20);
	wait_for_forgotten(20);
	assert_int_equal(forgotten(&warnings), 20);
	assert_true(warnings >= 1 && warnings < 20);
	notify_free(n);
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
		IN_A_FOLDER(of_many_programs_that_fail_one_line_is_written_and_the_number_of_the_others),
		IN_A_FOLDER(a_killed_program_is_no_line_of_its_own_either),
		IN_A_FOLDER(the_number_of_failed_programs_comes_without_another_notice),
		IN_A_FOLDER(so_many_run_at_a_time_and_so_many_wait_the_oldest_is_forgotten),
		IN_A_FOLDER(a_user_whose_programs_do_not_end_keeps_no_place_of_others),
		IN_A_FOLDER(programs_that_are_traced_keep_nobody_else_waiting),
		IN_A_FOLDER(programs_that_cannot_be_killed_give_their_places_back),
		IN_A_FOLDER(the_end_does_not_wait_for_a_traced_program),
		IN_A_FOLDER(a_place_goes_to_the_user_with_the_fewest_programs_then_to_the_oldest_notice),
		IN_A_FOLDER(of_a_full_queue_the_oldest_of_the_user_with_the_most_is_forgotten),
		IN_A_FOLDER(warnings_of_forgotten_notices_are_apart_and_leave_none_out),
		IN_A_FOLDER(a_warning_that_had_to_wait_comes_without_another_notice),
		IN_A_FOLDER(the_end_does_not_wait_for_them),
		IN_A_FOLDER(what_is_said_last_is_still_heard),
	};

	return cmocka_run_group_tests_name("notify", tests, NULL, NULL);
}
