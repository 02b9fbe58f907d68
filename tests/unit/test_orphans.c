/* SPDX-License-Identifier: MIT */
/*
 * test_orphans.c - killing the processes that a killed shepherd left behind
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sched/rm/orphans.h"
#include "tests/blocked.h"
#include "tests/emulated.h"
#include "tests/store_dir.h"
#include "tests/take_turns.h"

#define UNUSED_UID 54321 /* no process on this host has this uid */

/* A dead shepherd: it has the pid of this process, but another start time. */
static struct spool dead_shepherd(int64_t start)
{
	struct spool spool = {.job = 12, .attempt = 1, .has_begun = true};

	spool.begun.uid = getuid();
	spool.begun.pid = getpid();
	spool.begun.pid_start = start;
	return spool;
}

/* Starts a process with the mark of the shepherd as the only (`alone`) or the last environment variable.
 * Returns after its exec. */
static pid_t marked_process(const struct spool *spool, bool alone)
{
	char setting[100], mark[ORPHANS_TEXT];
	char *environment[] = {alone ? setting : (char[]){"A=1"}, alone ? NULL : setting, NULL};
	char *argv[] = {(char[]){"sleep"}, (char[]){"1000"}, NULL};
	int pair[2];
	pid_t pid;
	char byte;

	orphans_mark(spool->begun.pid, spool->begun.pid_start, mark);
	snprintf(setting, sizeof setting, ORPHANS_MARK "=%s", mark);
	assert_int_equal(pipe2(pair, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		execve("/bin/sleep", argv, environment);
		_exit(127);
	}
	close(pair[1]);
	assert_int_equal(read(pair[0], &byte, 1), 0); /* closed by its exec */
	close(pair[0]);
	return pid;
}

static void only_processes_with_the_mark_of_the_shepherd_are_killed(void **state)
{
	const struct spool gone = dead_shepherd(1), other = dead_shepherd(11);
	pid_t first, second, stranger;
	unsigned tries = 0;
	int status;

	(void)state;
	if (is_emulated())
		skip();
	first = marked_process(&gone, false);
	second = marked_process(&gone, true);
	stranger = marked_process(&other, false);
	while (orphans_kill(&gone, "") != 0) /* on a busy machine, the exit can take longer than 1 s */
		assert_true(++tries < 50);
	kill(first, SIGTERM); /* ends the process if it is still alive */
	kill(second, SIGTERM);
	assert_int_equal(waitpid(first, &status, 0), first);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_int_equal(waitpid(second, &status, 0), second);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_int_equal(waitpid(stranger, &status, WNOHANG), 0);
	kill(stranger, SIGKILL);
	assert_int_equal(waitpid(stranger, &status, 0), stranger);
}

/* Starts a process whose environment cannot be read. 0: not possible here. */
static pid_t unreadable_process(const char *folder)
{
	int pair[2];
	pid_t pid;
	char byte = 0;

	assert_int_equal(pipe2(pair, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		byte = blocked_begin(folder) ? 1 : 0;
		(void)!write(pair[1], &byte, 1);
		for (;;)
			pause();
	}
	close(pair[1]);
	assert_int_equal(read(pair[0], &byte, 1), 1);
	close(pair[0]);
	while (byte != 0)
		if (blocked_is(pid))
			return pid;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return 0;
}

/* The alarm ends the test if it waits for the unreadable process, or if no process becomes unreadable. */
static void an_unreadable_process_does_not_prevent_the_kill_of_others(void **state)
{
	const struct spool gone = dead_shepherd(21);
	struct store_dir dir;
	pid_t unreadable, marked;
	int status;

	(void)state;
	make_store_dir(&dir);
	alarm(60);
	unreadable = getuid() == 0 && !is_emulated() ? unreadable_process(dir.path) : 0;
	if (unreadable == 0) {
		alarm(0);
		remove_store_dir(&dir);
		skip();
	}
	marked = marked_process(&gone, true);
	assert_int_equal(orphans_kill(&gone, ""), 1); /* the unreadable process may have the mark */
	assert_int_equal(waitpid(marked, &status, 0), marked);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	kill(unreadable, SIGKILL);
	waitpid(unreadable, NULL, 0);
	alarm(0);
	remove_store_dir(&dir);
}

static void without_orphans_no_process_is_killed(void **state)
{
	struct spool gone = dead_shepherd(2);

	(void)state;
	/* One of root's processes may be unreadable: that of a test which runs at the same time. */
	if (getuid() == 0)
		gone.begun.uid = UNUSED_UID;
	assert_int_equal(orphans_kill(&gone, ""), 0);
	assert_int_equal(orphans_kill(&gone, "/nonexistent"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_processes_with_the_mark_of_the_shepherd_are_killed),
		cmocka_unit_test(an_unreadable_process_does_not_prevent_the_kill_of_others),
		cmocka_unit_test(without_orphans_no_process_is_killed),
	};

	take_turns(LOCK_EX);
	return cmocka_run_group_tests_name("orphans", tests, NULL, NULL);
}
