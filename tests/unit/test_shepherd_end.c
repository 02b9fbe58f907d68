/* SPDX-License-Identifier: MIT */
/*
 * test_shepherd_end.c - limits, orders and the end of all processes of a job
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/ptrace.h>

#include "tests/blocked.h"
#include "tests/sanitized.h"
#include "tests/shepherd_run.h"
#include "tests/take_turns.h"

/* --- limits and orders ------------------------------------------------------------------------------ */

static void no_process_of_a_job_survives_its_time_limit(void **state)
{
	struct launch launch = launch_script(stubborn);
	pid_t pid;

	(void)state;
	pid = start(&launch);
	WAIT_UNTIL(count_pids(false) == 7);
	order(pid, SHEPHERD_LIMIT, 1);
	finish(pid);
	assert_end(END_WALL_LIMIT, 256 + 9);
	assert_int_equal(count_pids(true), 0);
	assert_true(spool.ended.run_ms >= 2000 && spool.ended.run_ms < 60000);
}

/* The job keeps its processors, and is charged for them, until all of its processes have ended. */
static void a_job_ends_when_its_last_process_has_ended(void **state)
{
	struct launch launch = launch_script("(trap '' TERM; echo >>ready; while :; do sleep 0.1; done) &\n"
					     "while [ ! -e ready ]; do sleep 0.01; done; exit 3\n");
	pid_t pid;

	(void)state;
	launch.grace_s = 1;
	pid = start(&launch);
	finish(pid);
	assert_end(END_EXITED, 3);
	assert_in_range(spool.ended.run_ms, 1000, 60000);
}

static void a_cancelled_job_gets_sigterm_first(void **state)
{
	struct launch launch =
		launch_script("trap 'echo asked; exit 9' TERM\necho ready\nsleep 1000 & wait\n");
	pid_t pid = start(&launch);

	(void)state;
	WAIT_UNTIL(strcmp(text_of(in_home("out")), "ready\n") == 0);
	order(pid, SHEPHERD_CANCEL, 0);
	finish(pid);
	assert_end(END_CANCELLED, 9);
	assert_string_equal(text_of(in_home("out")), "ready\nasked\n");
}

static void a_job_can_be_killed_at_once(void **state)
{
	struct launch launch = launch_script(stubborn);
	pid_t pid;

	(void)state;
	launch.grace_s = 1000;
	pid = start(&launch);
	WAIT_UNTIL(count_pids(false) == 7);
	order(pid, SHEPHERD_CANCEL, 0); /* the second order kills at once */
	order(pid, SHEPHERD_CANCEL, 1);
	finish(pid);
	assert_end(END_CANCELLED, 256 + 9);
	assert_int_equal(count_pids(true), 0);
}

static bool shows_suspended(bool expected)
{
	return spool_read(folder, 12, 1, &spool, &err) && spool.has_usage &&
	       spool.usage.suspended == expected;
}

/* Each process has started another one before it is killed. */
static void a_job_that_forks_continuously_is_killed(void **state)
{
	struct launch launch = launch_script("trap '' TERM\nstorm() { while :; do (setsid sleep 0.2 &); echo "
					     ">>pids; done; }\nstorm & storm\n");
	pid_t pid = start(&launch);

	(void)state;
	WAIT_UNTIL(strlen(text_of(in_home("pids"))) > 100);
	order(pid, SHEPHERD_CANCEL, 1);
	finish(pid);
	assert_end(END_CANCELLED, 256 + 9);
}

static void a_suspension_does_not_count_against_the_time_limit(void **state)
{
	static const char script[] =
		"echo $$ >me; i=0; while :; do i=$((i + 1)); echo $i >count; sleep 0.01; done\n";
	struct launch launch = launch_script(script);
	int64_t begun_ms = time_ms(), since_ms, suspended_ms, limit_s;
	char before[TEXT_ROOM];
	pid_t pid, shell;

	(void)state;
	pid = start(&launch);
	WAIT_UNTIL(text_of(in_home("count"))[0] != '\0');
	order(pid, SHEPHERD_SUSPEND, 0);
	WAIT_UNTIL(shows_suspended(true));
	since_ms = time_ms();
	shell = pid_in("me");
	WAIT_UNTIL(strchr("TD", state_of(shell)) != NULL); /* D: it waits for the exec of a stopped child */
	assert_true(spool.usage.processes >= 1 && spool.usage.mem_kb > 0);
	snprintf(before, sizeof before, "%s", text_of(in_home("count")));
	limit_s = (since_ms - begun_ms) / 1000 +
		  1; /* more than its run time, less than its run time and its suspension */
	order(pid, SHEPHERD_LIMIT, (int)limit_s);
	WAIT_UNTIL(time_ms() > since_ms + limit_s * 1000 + 200);
	assert_string_equal(text_of(in_home("count")), before);
	assert_int_equal(judge(12), SPOOL_ALIVE);
	suspended_ms = time_ms() - since_ms;
	order(pid, SHEPHERD_RESUME, 0);
	WAIT_UNTIL(strcmp(text_of(in_home("count")), before) != 0);
	finish(pid);
	assert_end(END_WALL_LIMIT, 256 + 15);
	assert_true(spool.ended.run_ms >= limit_s * 1000 &&
		    spool.ended.run_ms <= time_ms() - begun_ms - suspended_ms);
}

static void a_suspended_job_can_be_cancelled(void **state)
{
	struct launch launch =
		launch_script("trap 'exit 9' TERM\necho ready\nwhile :; do sleep 0.01; done\n");
	pid_t pid = start(&launch);

	(void)state;
	WAIT_UNTIL(strcmp(text_of(in_home("out")), "ready\n") == 0);
	order(pid, SHEPHERD_SUSPEND, 0);
	order(pid, SHEPHERD_CANCEL, 0);
	finish(pid);
	assert_end(END_CANCELLED, 9);
}

/* Otherwise the job would run for its grace period on processors of other jobs. */
static void a_cancelled_job_is_killed_when_its_processors_are_released(void **state)
{
	struct launch launch = launch_script(stubborn);
	pid_t pid;

	(void)state;
	launch.grace_s = 1000;
	pid = start(&launch);
	WAIT_UNTIL(count_pids(false) == 7);
	order(pid, SHEPHERD_CANCEL, 0);
	order(pid, SHEPHERD_SUSPEND, 1);
	finish(pid);
	assert_end(END_CANCELLED, 256 + 9);
	assert_int_equal(count_pids(true), 0);
}

static void a_signal_reaches_the_job(void **state)
{
	struct launch launch = launch_script("trap 'echo got; exit 3' USR1\necho ready\nsleep 1000 & wait\n");
	pid_t pid = start(&launch);

	(void)state;
	WAIT_UNTIL(strcmp(text_of(in_home("out")), "ready\n") == 0);
	order(pid, SHEPHERD_SIGNAL, 0);
	order(pid, SHEPHERD_SIGNAL, 1000);
	kill(pid, SIGTERM); /* ignored by the shepherd */
	order(pid, SHEPHERD_SIGNAL, SIGUSR1);
	finish(pid);
	assert_end(END_EXITED, 3);
	assert_string_equal(text_of(in_home("out")), "ready\ngot\n");
}

/* The warning is not sent to sleep, which does not catch the signal. */
static void the_warning_signal_reaches_only_processes_that_catch_it(void **state)
{
	struct launch launch = launch_script("trap 'kill -0 $! && echo warned; exit 5' USR1\n"
					     "sleep 1000 & echo ready; wait\n");
	pid_t pid;

	(void)state;
	launch.wall_limit_s = 1000;
	launch.warn_s = 99;
	launch.warn_signal = SIGUSR1;
	pid = start(&launch);
	WAIT_UNTIL(strcmp(text_of(in_home("out")), "ready\n") == 0);
	order(pid, SHEPHERD_LIMIT, 100);
	finish(pid);
	assert_end(END_EXITED, 5);
	assert_string_equal(text_of(in_home("out")), "ready\nwarned\n");
}

static void a_new_limit_counts_from_the_start(void **state)
{
	struct launch launch = launch_script("echo ready; exec sleep 1000\n");
	pid_t pid = start(&launch);

	(void)state;
	WAIT_UNTIL(strcmp(text_of(in_home("out")), "ready\n") == 0);
	order(pid, SHEPHERD_LIMIT, 1);
	finish(pid);
	assert_end(END_WALL_LIMIT, 256 + 15);
	assert_true(spool.ended.run_ms >= 1000 && spool.ended.run_ms < 60000);
}

/* tail keeps all of its input: more than the memory limit, but below the data limit of each process. */
static void a_job_that_exceeds_its_memory_is_killed(void **state)
{
	struct launch launch = launch_script("{ head -c 60000000 /dev/zero; sleep 1000; } | tail -n 1\n");

	(void)state;
	launch.mem_mb = 40;
	run(&launch);
	assert_end(END_MEM_LIMIT, 256 + 9);
	assert_true(spool.ended.mem_peak_kb > 40 * 1024);
	assert_true(spool.ended.user_ms + spool.ended.system_ms > 0);
}

#define BLOCKED_MB 48

/* The program of the job: allocates memory, then makes it impossible to read from /proc how much it uses. */
static int take_and_block(const char *place)
{
	const void *memory = mmap(NULL, BLOCKED_MB << 20, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (memory == MAP_FAILED || !blocked_begin(place))
		return 6;
	for (;;)
		pause();
}

static void a_job_with_unreadable_memory_usage_is_killed(void **state)
{
	char self[4096] = "", text[9000];
	struct launch launch;

	(void)state;
	if (HAS_ADDRESS_SANITIZER) /* a program with AddressSanitizer does not run with this limit */
		skip();
	assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
	snprintf(text, sizeof text, "exec '%s' --block '%s'\n", self, home);
	launch = launch_script(text);
	launch.mem_mb = BLOCKED_MB * 3 / 4;
	run(&launch);
	if (spool.ended.status == 6)
		skip();
	assert_end(END_MEM_LIMIT, 256 + 9);
	assert_true(spool.ended.run_ms >= 5000); /* the memory could not be read earlier */
}

/* The pid is not reused while its session has a process left. Only root can choose the next pid, and other
 * processes are started meanwhile, so the job tries until a process has the pid.
 */
static void exit_status_is_not_that_of_a_process_with_the_reused_pid(void **state)
{
	struct launch launch = launch_script("(echo $$ >/proc/sys/kernel/ns_last_pid) 2>/dev/null || exit 6\n"
					     "setsid sh later $$ &\n"
					     "until [ -e ready ]; do sleep 0.01; done\n"
					     "exit 5\n");

	(void)state;
	put_file(in_home("later"),
		 "trap '' TERM\n"
		 "echo >ready\n"
		 "while kill -0 $1 2>/dev/null; do sleep 0.01; done\n"
		 "until [ -e again ]; do\n"
		 "	(echo $(($1 - 1)) >/proc/sys/kernel/ns_last_pid\n"
		 "	sh -c \"[ \\$\\$ != $1 ] || { echo >again; exit 77; }\" &)\n"
		 "done\n",
		 0644);
	launch.grace_s = PATIENCE_S;
	run(&launch);
	if (spool.ended.status == 6)
		skip();
	assert_int_equal(access(in_home("again"), F_OK), 0);
	assert_end(END_EXITED, 5);
}

/* The next signal stops the process, and waitpid() reports the stop to the shepherd. */
static int ask_to_be_traced(void)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
		return 6;
	raise(SIGWINCH);
	puts("went on");
	return 5;
}

static int ask_to_be_traced_always(void)
{
	while (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
		raise(SIGWINCH);
	return 6;
}

/* Runs a job that executes this test program with an option. */
static void run_test_program(const char *option)
{
	char self[600], script[700];
	ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
	struct launch launch;

	assert_true(size > 0);
	self[size] = '\0';
	snprintf(script, sizeof script, "exec %s %s\n", self, option);
	launch = launch_script(script);
	run(&launch);
}

static void a_job_that_repeatedly_stops_as_traced_is_killed(void **state)
{
	(void)state;
	run_test_program("--traced-always");
	if (spool.ended.status == 6)
		skip();
	assert_end(END_EXITED, 256 + SIGKILL);
}

static void a_traced_stop_is_not_taken_for_the_end_of_the_job(void **state)
{
	(void)state;
	run_test_program("--traced");
	if (spool.ended.status == 6)
		skip();
	assert_end(END_EXITED, 5);
	assert_string_equal(text_of(in_home("out")), "went on\n");
}

int main(int count, char **word)
{
	static const struct CMUnitTest tests[] = {
		OURS(no_process_of_a_job_survives_its_time_limit),
		OURS(a_job_ends_when_its_last_process_has_ended),
		OURS(a_cancelled_job_gets_sigterm_first),
		OURS(a_job_that_forks_continuously_is_killed),
		OURS(a_suspension_does_not_count_against_the_time_limit),
		OURS(a_suspended_job_can_be_cancelled),
		OURS(a_cancelled_job_is_killed_when_its_processors_are_released),
		OURS(a_signal_reaches_the_job),
		OURS(the_warning_signal_reaches_only_processes_that_catch_it),
		OURS(a_new_limit_counts_from_the_start),
		OURS(a_job_that_exceeds_its_memory_is_killed),
		OURS(a_job_with_unreadable_memory_usage_is_killed),
		OURS(exit_status_is_not_that_of_a_process_with_the_reused_pid),
		OURS(a_traced_stop_is_not_taken_for_the_end_of_the_job),
		OURS(a_job_that_repeatedly_stops_as_traced_is_killed),
		NOBODYS(a_job_can_be_killed_at_once),
	};

	if (count == 2 && strcmp(word[1], "--traced") == 0)
		return ask_to_be_traced();
	if (count == 2 && strcmp(word[1], "--traced-always") == 0)
		return ask_to_be_traced_always();
	if (count == 3 && strcmp(word[1], "--block") == 0)
		return take_and_block(word[2]);
	take_turns(LOCK_EX);
	return run_shepherd_tests("shepherd_end", tests, sizeof tests / sizeof tests[0]);
}
