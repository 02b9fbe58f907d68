/* SPDX-License-Identifier: MIT */
/*
 * test_notify.c - notification of site programs: delivery, limits, fairness between users, and shutdown
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

static struct store_dir dir;
static char program[700], output_path[700];

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void wait_for(bool (*condition)(const char *text), const char *text)
{
	const struct timespec pause = {.tv_nsec = 2000000};
	int64_t until_ms = now_ms() + PATIENCE_MS;

	while (!condition(text)) {
		if (now_ms() > until_ms)
			fail_msg("%s never came; warned of: %s", text, warned);
		nanosleep(&pause, NULL);
	}
}

/* Everything that the programs have written. */
static const char *output(void)
{
	static char text[1 << 16];
	FILE *f = fopen(output_path, "r");
	size_t n = f == NULL ? 0 : fread(text, 1, sizeof text - 1, f);

	text[n] = '\0';
	if (f != NULL)
		fclose(f);
	return text;
}

static bool is_in_output(const char *text)
{
	return strstr(output(), text) != NULL;
}

static int make_test_folder(void **state)
{
	(void)state;
	make_store_dir(&dir);
	snprintf(program, sizeof program, "%s", name_in(&dir, "program"));
	snprintf(output_path, sizeof output_path, "%s", name_in(&dir, "heard"));
	warned[0] = '\0';
	return 0;
}

static int remove_test_folder(void **state)
{
	(void)state;
	remove_store_dir(&dir);
	return 0;
}

/* In the script, $heard is the path of the output file. */
static void write_program(const char *body)
{
	FILE *f = fopen(program, "w");

	assert_non_null(f);
	fprintf(f, "#!/bin/sh\nheard=%s\n%s\n", output_path, body);
	fclose(f);
	assert_int_equal(chmod(program, 0700), 0);
}

static struct notify *start_with(int64_t limit_ms, int64_t warn_apart_ms)
{
	const struct notify_setup setup = {
		.limit_ms = limit_ms, .warn_apart_ms = warn_apart_ms, .warn = take_warning};
	struct err err = {{0}};
	struct notify *n = notify_new(&setup, &err);

	if (n == NULL)
		fail_msg("%s", err.text);
	return n;
}

static struct notify *start(int64_t limit_ms)
{
	return start_with(limit_ms, NOTIFY_WARN_APART_MS);
}

static void send_notice_for(struct notify *n, const char *user, const char *word)
{
	const char *const argv[] = {program, word, NULL};
	const char *const environment[] = {"KAHU_JOB=12", NULL};

	notify_send(n, &(struct notice){.user = user,
					.about = "job 12",
					.argv = argv,
					.environment = environment,
					.input = "Words.\n"});
}

static void send_notice(struct notify *n, const char *word)
{
	send_notice_for(n, "eva", word);
}

/* A program that runs until the file .go, or the file named after its argument, exists; w and w1, w2 ... exit
 * at once. */
static void write_waiting_program(void)
{
	write_program("echo \"begun $1.\" >>$heard\n"
		      "[ ${1%%[0-9]*} = w ] ||\n"
		      "while [ ! -e $heard.go ] && [ ! -e $heard.$1 ]; do sleep 0.02; done");
}

static void finish(const char *word)
{
	char path[800];
	FILE *f;

	snprintf(path, sizeof path, "%s.%s", output_path, word);
	f = fopen(path, "w");
	assert_non_null(f);
	fclose(f);
}

static void start_one(struct notify *n, const char *user, const char *word)
{
	char text[32];

	send_notice_for(n, user, word);
	snprintf(text, sizeof text, "begun %s.", word);
	wait_for(is_in_output, text);
}

/* Occupies all slots with programs r0, r1 ... of users u0, u1 ..., as many of each user as may run. */
static void fill_slots(struct notify *n)
{
	for (unsigned i = 0; i < NOTIFY_RUNNING_MAX; i++) {
		char user[16], word[16];

		snprintf(user, sizeof user, "u%u", i / NOTIFY_USER_RUNNING_MAX);
		snprintf(word, sizeof word, "r%u", i);
		start_one(n, user, word);
	}
}

/* Number of dropped notices that the warnings report, and the number of these warnings. */
static unsigned long dropped(unsigned *warnings)
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

static void a_program_gets_its_arguments_environment_and_input(void **state)
{
	struct notify *n;

	(void)state;
	setenv("KAHU_SECRET", "ours", 1);
	write_program("{ echo \"[$1] [$2]\"; cat; env | grep KAHU; pwd; echo done; } >$heard");
	n = start(NOTIFY_LIMIT_MS);
	send_notice(n, "a b; $(id)");
	wait_for(is_in_output, "done");
	assert_string_equal(output(), "[a b; $(id)] []\nWords.\nKAHU_JOB=12\n/\ndone\n");
	notify_free(n);
	assert_string_equal(warned, "");
}

static void a_program_inherits_no_descriptors_of_the_scheduler(void **state)
{
	struct notify *n;
	int fd = dup(STDERR_FILENO); /* without FD_CLOEXEC */

	(void)state;
	write_program("ls /proc/self/fd | grep -c . >$heard.new; mv $heard.new $heard");
	n = start(NOTIFY_LIMIT_MS);
	send_notice(n, "");
	wait_for(is_in_output, "\n");
	assert_string_equal(output(), "4\n"); /* stdin, stdout, stderr, and the folder that ls reads */
	notify_free(n);
	close(fd);
}

/* A process in the session of the scheduler could open its terminal as /dev/tty, and insert input there. */
static void a_program_runs_in_a_new_session(void **state)
{
	struct notify *n;

	(void)state;
	write_program("cut -d' ' -f6 /proc/self/stat >$heard.new; mv $heard.new $heard");
	n = start(NOTIFY_LIMIT_MS);
	send_notice(n, "");
	wait_for(is_in_output, "\n");
	assert_int_not_equal(strtol(output(), NULL, 10), getsid(0));
	notify_free(n);
}

/* Returns the pid of the program's child; 0: the program was killed before it started one. */
static pid_t run_past_limit(const char *warning, int64_t limit_ms)
{
	struct notify *n = start(limit_ms);

	send_notice(n, "");
	wait_for(was_warned, warning);
	notify_free(n);
	return (pid_t)strtol(output(), NULL, 10);
}

static void a_program_past_its_time_limit_is_killed_with_its_children(void **state)
{
	pid_t child;

	(void)state;
	write_program("sleep 1000 & echo $! >$heard; wait");
	child = run_past_limit("took longer than 1 s for job 12 and was killed", 1000);
	if (child == 0) /* on a slow machine, one second can be too short to start the child */
		child = run_past_limit("took longer than 16 s for job 12 and was killed", 16000);
	assert_true(child > 1);
	for (int i = 0; kill(child, 0) == 0 && i < PATIENCE_MS / 2; i++) {
		char path[64], line[300] = "";
		FILE *f;

		/* Its new parent may leave it as a zombie. */
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

static void failures_of_programs_are_reported(void **state)
{
	struct notify *n = start_with(NOTIFY_LIMIT_MS, 0);

	(void)state;
	send_notice(n, "");
	wait_for(was_warned, "could not be started for job 12: No such file or directory");
	write_program("exit 3");
	send_notice(n, "");
	wait_for(was_warned, "ended with status 3 for job 12");
	write_program("kill -KILL $$");
	send_notice(n, "");
	wait_for(was_warned, "was ended by signal 9 for job 12");
	notify_free(n);
}

/* Number of failed programs that the warnings report, and the number of these warnings. */
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

static bool have_failed(const char *count)
{
	unsigned warnings;

	return failed_programs(&warnings) == strtoul(count, NULL, 10);
}

static void many_failures_produce_one_warning_and_a_count_of_the_others(void **state)
{
	struct notify *n = start_with(NOTIFY_LIMIT_MS, 10 * NOTIFY_WARN_APART_MS);
	unsigned warnings;

	(void)state;
	write_program("echo \"begun $1.\" >>$heard; exit 3");
	start_one(n, "eva", "a");
	wait_for(was_warned, "ended with status 3 for job 12");
	for (unsigned i = 0; i < 40; i++) {
		char user[16], word[16];

		snprintf(user, sizeof user, "u%u", i % 3);
		snprintf(word, sizeof word, "b%u", i);
		start_one(n, user, word);
	}
	assert_int_equal(failed_programs(&warnings), 1);
	notify_free(n); /* programs that notify_free() kills are not reported as failed */
	assert_in_range(failed_programs(&warnings), 41 - NOTIFY_RUNNING_MAX, 41);
	assert_int_equal(warnings, 2);
	assert_true(was_warned(" earlier warnings about such programs were suppressed"));
}

static void many_killed_programs_produce_at_most_two_warnings(void **state)
{
	struct notify *n = start_with(100, 10 * NOTIFY_WARN_APART_MS);
	unsigned warnings;

	(void)state;
	write_program("exec sleep 1000");
	for (unsigned i = 0; i < 8; i++) {
		char user[16];

		snprintf(user, sizeof user, "u%u", i);
		send_notice_for(n, user, "");
	}
	wait_for(was_warned, "and was killed");
	nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
	notify_free(n);
	failed_programs(&warnings);
	assert_true(warnings <= 2);
}

static void the_count_of_failures_is_reported_without_another_notice(void **state)
{
	struct notify *n = start_with(NOTIFY_LIMIT_MS, 300);
	unsigned warnings;

	(void)state;
	write_program("exit 3");
	for (unsigned i = 0; i < 20; i++)
		send_notice(n, "x");
	wait_for(have_failed, "20");
	failed_programs(&warnings);
	assert_true(warnings >= 2 && warnings < 20);
	notify_free(n);
}

static void wait_for_dropped(unsigned long count)
{
	int64_t until_ms = now_ms() + PATIENCE_MS;
	unsigned warnings;

	while (dropped(&warnings) < count) {
		if (now_ms() > until_ms)
			fail_msg("%lu of %lu forgotten notices are known", dropped(&warnings), count);
		nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
	}
}

static void running_programs_and_queued_notices_are_limited_and_the_oldest_is_dropped(void **state)
{
	struct notify *n;

	(void)state;
	write_waiting_program();
	n = start(NOTIFY_LIMIT_MS);
	fill_slots(n);
	for (unsigned i = 0; i < NOTIFY_WAITING_MAX + 2; i++) {
		char word[16];

		snprintf(word, sizeof word, i < NOTIFY_WAITING_MAX - 2 ? "/%u" : "w%u", i);
		send_notice(n, word);
	}
	wait_for(was_warned, "notices were dropped: more than 1000 were queued");
	assert_false(is_in_output("begun /"));
	finish("go");
	wait_for(is_in_output, "begun /2.");
	assert_false(is_in_output("begun /0."));
	assert_false(is_in_output("begun /1."));
	notify_free(n);
	assert_true(was_warned("were dropped at shutdown") || is_in_output("begun w1001."));
}

/* A user can stop programs with SIGSTOP, because they run as that user. */
static void a_user_with_hanging_programs_does_not_block_other_users(void **state)
{
	struct notify *n;

	(void)state;
	write_waiting_program();
	n = start(NOTIFY_LIMIT_MS);
	start_one(n, "eva", "r0");
	start_one(n, "eva", "r1");
	for (unsigned i = 2; i < 2 * NOTIFY_RUNNING_MAX; i++) {
		char word[16];

		snprintf(word, sizeof word, "r%u", i);
		send_notice(n, word);
	}
	start_one(n, "bob", "w1");
	start_one(n, "bob", "w2");
	start_one(n, "bob", "w3");
	assert_false(is_in_output("begun r2."));
	finish("r1");
	wait_for(is_in_output, "begun r2.");
	assert_false(is_in_output("begun r3."));
	notify_free(n);
}

/* Starts a child that traces the process `pid` with these options until the child is killed. It never waits
 * for the process. */
static pid_t trace_with(pid_t pid, unsigned long options)
{
	char done;
	int ready[2];
	pid_t tracer;

	assert_int_equal(pipe(ready), 0);
	tracer = fork();
	if (tracer == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* no tracer outlives a failed test */
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
static void traced_programs_do_not_block_other_users(void **state)
{
	pid_t tracer[NOTIFY_USER_RUNNING_MAX];
	struct notify *n;

	(void)state;
	write_program("echo \"$1 begun $$.\" >>$heard\n"
		      "while [ $1 -lt 10 ] && [ ! -e $heard.go ]; do sleep 0.02; done");
	n = start(NOTIFY_LIMIT_MS);
	for (unsigned i = 0; i < NOTIFY_USER_RUNNING_MAX; i++) {
		char word[16], text[32];

		snprintf(word, sizeof word, "%u", i);
		send_notice(n, word);
		snprintf(text, sizeof text, "%u begun ", i);
		wait_for(is_in_output, text);
		tracer[i] = trace((pid_t)strtol(strstr(output(), text) + strlen(text), NULL, 10));
	}
	finish("go");
	send_notice(n, "10"); /* stays queued: the user has the maximum number of programs */
	send_notice_for(n, "bob", "20");
	wait_for(is_in_output, "20 begun ");
	assert_false(is_in_output("10 begun "));
	for (unsigned i = 0; i < NOTIFY_USER_RUNNING_MAX; i++) {
		kill(tracer[i], SIGKILL);
		waitpid(tracer[i], NULL, 0);
	}
	wait_for(is_in_output, "10 begun ");
	notify_free(n);
}

/* PTRACE_O_TRACEEXIT stops a killed process before it exits. It stands for a process that is blocked in a
 * file system that does not respond. */
static void programs_that_cannot_be_killed_lose_their_slots(void **state)
{
	pid_t tracer[NOTIFY_RUNNING_MAX];
	struct notify *n;

	(void)state;
	write_program("echo \"$1 begun $$.\" >>$heard\n[ $1 -ge 20 ] || exec sleep 1000");
	n = start(4000);
	for (unsigned i = 0; i < NOTIFY_RUNNING_MAX; i++) {
		char user[16], word[16], text[32];

		snprintf(user, sizeof user, "u%u", i / NOTIFY_USER_RUNNING_MAX);
		snprintf(word, sizeof word, "%u", i);
		snprintf(text, sizeof text, "%u begun ", i);
		send_notice_for(n, user, word);
		wait_for(is_in_output, text);
		tracer[i] = trace_with((pid_t)strtol(strstr(output(), text) + strlen(text), NULL, 10),
				       PTRACE_O_TRACEEXIT);
	}
	send_notice_for(n, "u0",
			"20"); /* stays queued: programs that cannot be killed still count for their user */
	send_notice_for(n, "bob", "30");
	wait_for(is_in_output, "30 begun ");
	assert_false(is_in_output("20 begun "));
	for (unsigned i = 0; i < NOTIFY_RUNNING_MAX; i++) {
		kill(tracer[i], SIGKILL);
		waitpid(tracer[i], NULL, 0);
	}
	wait_for(is_in_output, "20 begun ");
	notify_free(n);
	assert_true(was_warned("was killed but has not exited; its slot is free for another program"));
}

static void notify_free_does_not_wait_for_a_traced_program(void **state)
{
	struct notify *n;
	pid_t pid, tracer;
	int64_t from_ms;

	(void)state;
	write_program("echo $$ >$heard; exec sleep 1000");
	n = start(NOTIFY_LIMIT_MS);
	send_notice(n, "");
	wait_for(is_in_output, "\n");
	pid = (pid_t)strtol(output(), NULL, 10);
	tracer = trace(pid);
	from_ms = now_ms();
	notify_free(n);
	assert_true(now_ms() - from_ms < PATIENCE_MS);
	kill(tracer, SIGKILL);
	waitpid(tracer, NULL, 0);
	waitpid(pid, NULL, 0);
}

static void a_slot_goes_to_the_user_with_the_fewest_programs_then_to_the_oldest_notice(void **state)
{
	struct notify *n;

	(void)state;
	write_waiting_program();
	n = start(NOTIFY_LIMIT_MS);
	fill_slots(n);
	finish("r1"); /* u0 and ann, who gets the slot, have one program each */
	start_one(n, "ann", "a1");
	send_notice_for(n, "u0", "b2");
	send_notice_for(n, "ann", "a2");
	send_notice_for(n, "zoe", "z1");
	finish("r2");
	wait_for(is_in_output, "begun z1.");
	assert_false(is_in_output("begun a2."));
	assert_false(is_in_output("begun b2."));
	finish("r3");
	wait_for(is_in_output, "begun b2.");
	assert_false(is_in_output("begun a2."));
	notify_free(n);
}

static void a_full_queue_drops_the_oldest_notice_of_the_user_with_the_most(void **state)
{
	struct notify *n;
	unsigned warnings;

	(void)state;
	write_waiting_program();
	n = start_with(NOTIFY_LIMIT_MS, 0);
	fill_slots(n);
	send_notice_for(n, "bob", "w1");
	for (unsigned i = 0; i < NOTIFY_WAITING_MAX + 50; i++) {
		char word[16];

		snprintf(word, sizeof word, "e%u", i);
		send_notice_for(n, "eva", word);
	}
	send_notice_for(n, "zoe", "w2");
	wait_for_dropped(52);
	finish("go");
	wait_for(is_in_output, "begun w1.");
	wait_for(is_in_output, "begun w2.");
	wait_for(is_in_output, "begun e52.");
	assert_false(is_in_output("begun e51."));
	notify_free(n);
	assert_int_equal(dropped(&warnings), 52);
}

static void overflow(struct notify *n, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		send_notice(n, "x");
		nanosleep(&(struct timespec){.tv_nsec = 2000000},
			  NULL); /* long enough for the thread to write a warning */
	}
}

static void fill_queue(struct notify *n)
{
	write_waiting_program();
	fill_slots(n);
	for (unsigned i = 0; i < NOTIFY_WAITING_MAX; i++)
		send_notice(n, "x");
}

static void warnings_of_dropped_notices_are_rate_limited_and_count_every_notice(void **state)
{
	struct notify *n = start_with(NOTIFY_LIMIT_MS, 10 * NOTIFY_WARN_APART_MS);
	unsigned warnings;

	(void)state;
	fill_queue(n);
	overflow(n, 100);
	wait_for(was_warned, " notices were dropped: more than 1000 were queued");
	dropped(&warnings);
	assert_int_equal(warnings, 1);
	notify_free(n);
	assert_int_equal(dropped(&warnings), 100);
	assert_true(warnings <= 2);
}

static void a_delayed_warning_is_reported_without_another_notice(void **state)
{
	struct notify *n =
		start_with(10 * PATIENCE_MS, 300); /* no program reaches its time limit before the warning */
	unsigned warnings;

	(void)state;
	fill_queue(n);
	overflow(n, 20);
	wait_for_dropped(20);
	assert_int_equal(dropped(&warnings), 20);
	assert_true(warnings >= 1 && warnings < 20);
	notify_free(n);
}

static void notify_free_kills_running_programs_without_waiting(void **state)
{
	struct notify *n;
	int64_t from_ms;
	int status;
	pid_t pid;

	(void)state;
	write_program("echo $$ >$heard; exec sleep 1000");
	n = start(NOTIFY_LIMIT_MS);
	send_notice(n, "");
	wait_for(is_in_output, "\n");
	pid = (pid_t)strtol(output(), NULL, 10);
	from_ms = now_ms();
	notify_free(n);
	assert_true(now_ms() - from_ms < PATIENCE_MS);
	if (waitpid(pid, &status, 0) == pid) /* killed, but not yet reaped by notify_free() */
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
}

static void the_last_notice_is_delivered_before_notify_free_returns(void **state)
{
	struct notify *n;
	int64_t from_ms;

	(void)state;
	write_program("echo heard >$heard");
	n = start(NOTIFY_LIMIT_MS);
	send_notice(n, "");
	from_ms = now_ms();
	notify_free(n);
	assert_true(is_in_output("heard") || was_warned("forgotten") ||
		    now_ms() - from_ms >= NOTIFY_CLOSE_MS);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_test_folder, remove_test_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_FOLDER(a_program_gets_its_arguments_environment_and_input),
		WITH_FOLDER(a_program_inherits_no_descriptors_of_the_scheduler),
		WITH_FOLDER(a_program_runs_in_a_new_session),
		WITH_FOLDER(a_program_past_its_time_limit_is_killed_with_its_children),
		WITH_FOLDER(failures_of_programs_are_reported),
		WITH_FOLDER(many_failures_produce_one_warning_and_a_count_of_the_others),
		WITH_FOLDER(many_killed_programs_produce_at_most_two_warnings),
		WITH_FOLDER(the_count_of_failures_is_reported_without_another_notice),
		WITH_FOLDER(running_programs_and_queued_notices_are_limited_and_the_oldest_is_dropped),
		WITH_FOLDER(a_user_with_hanging_programs_does_not_block_other_users),
		WITH_FOLDER(traced_programs_do_not_block_other_users),
		WITH_FOLDER(programs_that_cannot_be_killed_lose_their_slots),
		WITH_FOLDER(notify_free_does_not_wait_for_a_traced_program),
		WITH_FOLDER(a_slot_goes_to_the_user_with_the_fewest_programs_then_to_the_oldest_notice),
		WITH_FOLDER(a_full_queue_drops_the_oldest_notice_of_the_user_with_the_most),
		WITH_FOLDER(warnings_of_dropped_notices_are_rate_limited_and_count_every_notice),
		WITH_FOLDER(a_delayed_warning_is_reported_without_another_notice),
		WITH_FOLDER(notify_free_kills_running_programs_without_waiting),
		WITH_FOLDER(the_last_notice_is_delivered_before_notify_free_returns),
	};

	return cmocka_run_group_tests_name("notify", tests, NULL, NULL);
}
