/* SPDX-License-Identifier: MIT */
/*
 * test_shepherd_tree.c - does a signal reach the processes of a job, and never a stranger?
 *
 * The test is the shepherd here: what it forks is its job. A number that a stranger has got since the walk is
 * written into the tree by hand, which is what the reuse of a number looks like to the shepherd.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sched/rm/shepherd_inside.h"

static pid_t fork_sleeper(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	assert_true(pid > 0);
	return pid;
}

static int signal_that_ended(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	return WTERMSIG(status);
}

static void a_signal_reaches_what_was_found(void **state)
{
	struct tree tree = {.count = 0};
	pid_t pid = fork_sleeper();

	(void)state;
	tree_signal(&tree, SIGKILL);
	assert_int_equal(tree.count, 1);
	assert_int_equal(tree.pid[0], pid);
	assert_int_equal(tree.parent[0], getpid());
	assert_int_equal(signal_that_ended(pid), SIGKILL);
	assert_false(tree_signal_one(&tree, 0, SIGKILL)); /* nobody has the number */
	tree_free(&tree);
}

/* The parent of this test is a process that exists and is not below it. */
static void a_stranger_with_the_number_of_one_that_was_found_is_spared(void **state)
{
	struct tree tree = {.count = 0};
	pid_t pid = fork_sleeper();

	(void)state;
	tree_find(&tree);
	assert_int_equal(tree.count, 1);
	tree.pid[0] = getppid();
	assert_false(tree_signal_one(&tree, 0, 0));
	tree.pid[0] = getpid();
	assert_false(tree_signal_one(&tree, 0, SIGKILL)); /* nor is the shepherd its own job */
	tree.pid[0] = pid;
	assert_true(tree_signal_one(&tree, 0, SIGKILL));
	assert_int_equal(signal_that_ended(pid), SIGKILL);
	tree_free(&tree);
}

/* It was found under a parent that has ended: by now it is the shepherd's, or that of a subreaper in the job.
 */
static void a_process_that_was_given_to_another_parent_is_still_reached(void **state)
{
	struct tree tree = {.count = 0};
	pid_t pid = fork_sleeper();

	(void)state;
	tree_find(&tree);
	tree.parent[0] = 1;
	assert_true(tree_signal_one(&tree, 0, SIGKILL));
	assert_int_equal(signal_that_ended(pid), SIGKILL);
	tree_free(&tree);
}

static void without_a_descriptor_the_parent_is_checked_all_the_same(void **state)
{
	struct rlimit before, none;
	struct tree tree = {.count = 0};
	pid_t pid = fork_sleeper();
	bool reached;

	(void)state;
	tree_find(&tree);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	reached = tree_signal_one(&tree, 0, SIGKILL); /* /proc cannot be read either: nobody is signalled */
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_false(reached);
	assert_true(tree_signal_one(&tree, 0, SIGKILL));
	assert_int_equal(signal_that_ended(pid), SIGKILL);
	tree_free(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_signal_reaches_what_was_found),
		cmocka_unit_test(a_stranger_with_the_number_of_one_that_was_found_is_spared),
		cmocka_unit_test(a_process_that_was_given_to_another_parent_is_still_reached),
		cmocka_unit_test(without_a_descriptor_the_parent_is_checked_all_the_same),
	};

	return cmocka_run_group_tests_name("shepherd_tree", tests, NULL, NULL);
}
