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

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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

/* --- threads ------------------------------------------------------------------------------------ */

static int told[2]; /* a pipe: a child has got as far as it is wanted */

static void *fork_and_sleep(void *self)
{
	pid_t pid = fork();

	if (pid == 0)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (pid > 0)
		(void)!write(told[1], "", 1);
	for (;;)
		pause();
	return self;
}

/* Its second thread has a child. */
static pid_t fork_with_thread(void)
{
	pid_t pid;
	char byte;

	assert_int_equal(pipe(told), 0);
	pid = fork();
	if (pid == 0) {
		pthread_t thread;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (pthread_create(&thread, NULL, fork_and_sleep, NULL) != 0)
			_exit(1);
		pthread_join(thread, NULL);
		_exit(2);
	}
	assert_true(pid > 0);
	assert_int_equal(read(told[0], &byte, 1), 1);
	close(told[0]);
	close(told[1]);
	return pid;
}

static void end_all(struct tree *tree, pid_t pid)
{
	tree_signal(tree, SIGKILL);
	assert_int_equal(signal_that_ended(pid), SIGKILL);
	while (waitpid(-1, NULL, WNOHANG) >= 0) /* what it leaves becomes ours */
		tree_signal(tree, SIGKILL);
	tree_free(tree);
	assert_int_equal(tree->count, 0);
	assert_null(tree->pid);
}

static void children_of_every_thread_are_found(void **state)
{
	struct tree tree = {.count = 0};
	pid_t pid = fork_with_thread();

	(void)state;
	tree_find(&tree);
	assert_int_equal(tree.count, 2);
	assert_int_equal(tree.pid[0], pid);
	assert_int_equal(tree.parent[0], getpid());
	assert_int_equal(tree.parent[1], pid);
	assert_int_equal(tree_living(&tree), 2);
	assert_int_equal(tree.count, 2); /* not those of the walk before as well */
	end_all(&tree, pid);
}

/* How many threads of a process there are, each of which may use that processor only. */
static int threads_bound_to(pid_t pid, size_t cpu)
{
	const struct dirent *entry;
	char path[64];
	int count = 0;
	DIR *threads;

	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	threads = opendir(path);
	assert_non_null(threads);
	while ((entry = readdir(threads)) != NULL) {
		cpu_set_t set;

		if (entry->d_name[0] == '.')
			continue;
		assert_int_equal(sched_getaffinity((pid_t)strtol(entry->d_name, NULL, 10), sizeof set, &set),
				 0);
		assert_int_equal(CPU_COUNT(&set), 1);
		assert_true(CPU_ISSET(cpu, &set));
		count++;
	}
	closedir(threads);
	return count;
}

static void every_thread_of_all_processes_is_bound(void **state)
{
	struct tree tree = {.count = 0};
	pid_t pid = fork_with_thread();
	char cpus[24];
	size_t last = CPU_SETSIZE - 1;
	cpu_set_t own, after;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof own, &own), 0);
	while (!CPU_ISSET(last, &own))
		last--;
	snprintf(cpus, sizeof cpus, "%zu", last);
	assert_false(tree_bind(&tree, "no processor"));
	assert_true(tree_bind(&tree, cpus));
	assert_int_equal(tree.count, 2);
	assert_int_equal(threads_bound_to(tree.pid[0], last), 2);
	assert_int_equal(threads_bound_to(tree.pid[1], last), 1);
	assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
	assert_true(CPU_EQUAL(&own, &after)); /* the shepherd may use what it could use */
	end_all(&tree, pid);
}

/* --- signals ------------------------------------------------------------------------------------- */

static void exit_with_signal(int number)
{
	_exit(number);
}

static pid_t fork_catcher(void)
{
	pid_t pid;
	char byte;

	assert_int_equal(pipe(told), 0);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGUSR1, exit_with_signal);
		(void)!write(told[1], "", 1);
		for (;;)
			pause();
	}
	assert_true(pid > 0);
	assert_int_equal(read(told[0], &byte, 1), 1);
	close(told[0]);
	close(told[1]);
	return pid;
}

static void a_warning_reaches_only_a_process_that_catches_it(void **state)
{
	struct tree tree = {.count = 0};
	pid_t deaf = fork_sleeper(), pid = fork_catcher();
	int status;

	(void)state;
	tree_warn(&tree, SIGUSR2);
	tree_warn(&tree, SIGUSR1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), SIGUSR1);
	end_all(&tree, deaf);
}

static void all_are_stopped_and_a_dead_one_is_not_counted(void **state)
{
	struct tree tree = {.count = 0};
	pid_t pid = fork_with_thread(), dead = fork_sleeper();
	struct process p;
	siginfo_t info;
	int status;

	(void)state;
	kill(dead, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)dead, &info, WEXITED | WNOWAIT), 0);
	tree_signal(&tree, SIGSTOP);
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFSTOPPED(status));
	assert_int_equal(tree.count, 3);
	for (size_t i = 0; i < tree.count; i++) {
		do
			assert_true(process_read(tree.pid[i], &p));
		while (p.state != (tree.pid[i] == dead ? 'Z' : 'T')); /* the signal is on its way */
		assert_int_equal(p.parent, tree.parent[i]);
		if (tree.pid[i] == pid)
			assert_int_equal(p.threads, 2);
	}
	assert_int_equal(tree_living(&tree), 2);
	assert_int_equal(waitpid(dead, &status, 0), dead);
	end_all(&tree, pid);
}

#define HELD_KB 32768

static void *hold_memory(void *self)
{
	volatile char *memory = malloc((size_t)HELD_KB << 10);

	(void)self;
	if (memory == NULL)
		_exit(1);
	for (size_t i = 0; i < (size_t)HELD_KB << 10; i += 1024)
		memory[i] = 1;
	for (;;)
		pause();
}

/* /proc says of its memory nothing, as it says what the first thread has. */
static void memory_of_a_process_whose_first_thread_has_ended_is_counted(void **state)
{
	struct process p = {.rss_kb = 0};
	struct tree tree = {.count = 0};
	pid_t pid = fork();
	pthread_t thread;

	(void)state;
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pthread_create(&thread, NULL, hold_memory, NULL);
		pthread_exit(NULL);
	}
	for (int i = 0; i < 3000 && (p.state != 'Z' || p.rss_kb < HELD_KB); i++) {
		usleep(10000);
		assert_true(process_read(pid, &p));
	}
	assert_int_equal(p.state, 'Z');
	assert_true(p.rss_kb >= HELD_KB);
	assert_true(p.thread != pid);
	end_all(&tree, pid);
}

/* A job may make processes that die as fast as they are waited for; its limits must come in between. */
static void the_dead_are_waited_for_in_pieces(void **state)
{
	struct shepherd s = {.leader = -1};
	unsigned calls = 1;
	siginfo_t last;
	pid_t pid = 0;

	(void)state;
	for (int i = 0; i < 600; i++) {
		pid = fork();
		if (pid == 0)
			_exit(0);
		assert_true(pid > 0);
		assert_int_equal(waitid(P_PID, (id_t)pid, &last, WEXITED | WNOWAIT), 0);
	}
	while (shepherd_reap(&s)) {
		assert_true(s.more_to_reap);
		calls++;
	}
	assert_false(s.more_to_reap);
	assert_in_range(calls, 3, 600);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_signal_reaches_what_was_found),
		cmocka_unit_test(a_stranger_with_the_number_of_one_that_was_found_is_spared),
		cmocka_unit_test(a_process_that_was_given_to_another_parent_is_still_reached),
		cmocka_unit_test(without_a_descriptor_the_parent_is_checked_all_the_same),
		cmocka_unit_test(children_of_every_thread_are_found),
		cmocka_unit_test(every_thread_of_all_processes_is_bound),
		cmocka_unit_test(a_warning_reaches_only_a_process_that_catches_it),
		cmocka_unit_test(all_are_stopped_and_a_dead_one_is_not_counted),
		cmocka_unit_test(memory_of_a_process_whose_first_thread_has_ended_is_counted),
		cmocka_unit_test(the_dead_are_waited_for_in_pieces),
	};

	prctl(PR_SET_CHILD_SUBREAPER, 1); /* as the shepherd is */
	return cmocka_run_group_tests_name("shepherd_tree", tests, NULL, NULL);
}
