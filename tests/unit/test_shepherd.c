/* SPDX-License-Identifier: MIT */
/*
 * test_shepherd.c - jobs are run at most once, as their user, and their end is recorded
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>

#include "fuse_server.h"
#include "sched/rm/waiter.h"
#include "tests/carrier.h"
#include "tests/shepherd_run.h"

/* --- ends of jobs ----------------------------------------------------------------------------------- */

static void exit_status_and_signal_are_recorded(void **state)
{
	static const char *const killed[] = {"sh", "-c", "kill -9 $$", NULL};
	struct launch launch = launch_script("exit 7\n");

	(void)state;
	run(&launch);
	assert_end(END_EXITED, 7);
	assert_true(spool.ended.begun_s > 0 && spool.ended.ended_s >= spool.ended.begun_s);
	assert_true(spool.ended.run_ms >= 0 && spool.ended.run_ms < 60000);
	assert_true(spool.has_begun && spool.begun.uid == who);
	spool_remove(folder, 12, 1, NULL);
	launch = launch_of(killed, 3);
	run(&launch);
	assert_end(END_EXITED, 256 + 9);
}

static void extreme_limits_do_not_affect_a_job(void **state)
{
	struct launch launch = launch_script("exit 7\n");

	(void)state;
	launch.wall_limit_s = launch.grace_s = launch.warn_s = launch.mem_mb = launch.procs = INT64_MAX;
	launch.warn_signal = 64;
	run(&launch);
	assert_end(END_EXITED, 7);
}

/* The interpreter cat prints the script that the kernel passes to it. */
static void a_script_is_passed_unchanged_with_nul_bytes(void **state)
{
	static const char script[] = "#!/bin/cat\nprintf '\0\xff\0'\n";
	struct launch launch = launch_of(no_words, 0);
	char out[sizeof script + 1] = "";
	int fd;

	(void)state;
	launch.script = script;
	launch.script_size = sizeof script;
	run(&launch);
	assert_end(END_EXITED, 0);
	fd = open(in_home("out"), O_RDONLY | O_CLOEXEC);
	assert_int_equal(read(fd, out, sizeof out), sizeof script);
	assert_memory_equal(out, script, sizeof script);
	close(fd);
}

static void a_script_without_interpreter_is_run_by_the_shell(void **state)
{
	struct launch launch =
		launch_script("x=1\necho $((x + 1)) $PWD\nls -l /proc/self/fd | grep -c 'secret'\n");

	(void)state;
	run(&launch);
	assert_end(END_EXITED, 1);
	assert_string_equal(text_of(in_home("err")), "");
	assert_true(strncmp(text_of(in_home("out")), "2 /", 3) == 0);
	assert_non_null(strstr(text_of(in_home("out")), home));
}

static void background_processes_are_killed_when_the_job_ends(void **state)
{
	struct launch launch = launch_script("sleep 1000 & setsid sleep 1000 & echo $! >last; exit 4\n");

	(void)state;
	run(&launch);
	assert_end(END_EXITED, 4);
	assert_false(is_alive(pid_in("last")));
}

/* --- at most one run of a job --------------------------------------------------------------------- */

static void a_second_shepherd_does_nothing(void **state)
{
	struct launch launch = launch_script("echo begun >>starts\nwhile [ ! -e go ]; do sleep 0.01; done\n");
	pid_t first = start(&launch);

	(void)state;
	WAIT_UNTIL(text_of(in_home("starts"))[0] != '\0');
	assert_int_equal(exit_of(start(&launch)), SHEPHERD_NOT_IT);
	put_file(in_home("go"), "", 0644);
	finish(first);
	assert_int_equal(exit_of(start(&launch)), SHEPHERD_NOT_IT);
	assert_string_equal(text_of(in_home("starts")), "begun\n");
	assert_end(END_EXITED, 0);
}

static void a_job_is_lost_when_its_shepherd_is_killed(void **state)
{
	struct launch launch = launch_script("echo $$ >me; exec sleep 1000\n");
	pid_t pid = start(&launch);

	(void)state;
	WAIT_UNTIL(text_of(in_home("me"))[0] != '\0');
	assert_int_equal(judge(12), SPOOL_ALIVE);
	assert_int_equal(spool.begun.pid, pid);
	assert_int_equal(spool.begun.pid_start, spool_pid_start(pid));
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(judge(12), SPOOL_LOST);
	WAIT_UNTIL(!is_alive(pid_in("me")));
}

static void an_invalid_launch_is_not_started(void **state)
{
	struct launch launch = launch_script("true\n");
	struct str bytes = {0};

	(void)state;
	launch.wall_limit_s = 0;
	assert_int_equal(exit_of(start(&launch)), SHEPHERD_FAILED);
	assert_int_equal(judge(12), SPOOL_NONE);
	str_add(&bytes, "KL1?");
	assert_int_equal(exit_of(start_bytes(&bytes, getuid())), SHEPHERD_FAILED);
	str_free(&bytes);
}

/* --- clients that wait for a job
 * -------------------------------------------------------------------------------------- */

/* As root, the job runs as another user than the test and does not accept the listening socket. */
static void a_job_uses_the_terminal_of_its_client_and_reports_its_end(void **state)
{
	struct launch launch = launch_script("tty; test -t 0 && echo yes >/dev/tty; exit 6\n");
	int listening, terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), side, connection;
	char name[100], words[1000] = "", expected[200];
	struct spool_ended ended;
	size_t len = 0;
	pid_t pid;

	(void)state;
	assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
	assert_int_equal(ptsname_r(terminal, name, sizeof name), 0);
	side = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_int_equal(fchown(side, who, who), 0);
	listening = waiter_listen(in_home("w"), &err);
	assert_true(listening >= 0);
	assert_int_equal(chmod(in_home("w"), 0777), 0);
	launch.waiter = in_home("w");
	launch.flags = LAUNCH_PTY;
	pid = start(&launch);
	connection = waiter_accept(listening, NULL, 12, (const int[]){side, side, side}, &err);
	if (who != getuid()) { /* the job connects as its user, which is not the user of the test */
		assert_int_equal(connection, -1);
		assert_string_equal(err.text, "a process of another user connected");
		finish(pid);
		assert_non_null(strstr(spool.ended.text, "uid 0, which is not the job's user, listens at "));
	} else {
		assert_true(connection >= 0);
		assert_true(waiter_hear(connection, &ended));
		assert_true(ended.reason == END_EXITED && ended.status == 6);
		finish(pid);
		snprintf(expected, sizeof expected, "%s\r\nyes\r\n", name);
		while (len < strlen(expected)) {
			ssize_t n = read(terminal, words + len, sizeof words - 1 - len);

			assert_true(n > 0);
			len += (size_t)n;
		}
		assert_string_equal(words, expected);
		close(connection);
	}
	close(listening);
	close(side);
	close(terminal);
}

/* Starts a job with a waiting client, which writes to the file "words"; *connection leads to its shepherd. */
static pid_t start_with_client(const char *script, int *connection)
{
	struct launch launch = launch_script(script);
	int listening = waiter_listen(in_home("w"), &err), words;
	pid_t pid;

	assert_true(listening >= 0);
	words = open(in_home("words"), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	launch.waiter = in_home("w");
	launch.grace_s = 20;
	pid = start(&launch);
	*connection = waiter_accept(listening, NULL, 12, (const int[]){words, words, words}, &err);
	assert_true(*connection >= 0);
	close(words);
	close(listening);
	return pid;
}

static void signals_from_the_waiting_client_reach_the_job(void **state)
{
	struct spool_ended ended;
	int connection;
	pid_t pid = start_with_client("trap 'echo int' INT; trap 'echo usr; exit 3' USR1; echo begun\n"
				      "while :; do sleep 0.05; done\n",
				      &connection);

	(void)state;
	WAIT_UNTIL(has_line(text_of(in_home("words")), "begun"));
	assert_true(waiter_signal(connection, SIGINT));
	WAIT_UNTIL(has_line(text_of(in_home("words")), "int"));
	assert_true(waiter_signal(connection, SIGUSR1));
	assert_true(waiter_hear(connection, &ended));
	assert_int_equal(ended.reason, END_EXITED);
	assert_int_equal(ended.status, 3);
	finish(pid);
	close(connection);
}

static int64_t elapsed_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The shepherd limits the rate at which it reads signals; the rest waits in the small buffer of the socket.
 */
static void signals_from_the_waiting_client_are_limited_in_rate(void **state)
{
	int connection, small = 1;
	pid_t pid =
		start_with_client("trap '' USR1; echo begun\nwhile :; do sleep 0.05; done\n", &connection);
	char message[32];
	int64_t began_ms, sent = 0;

	(void)state;
	WAIT_UNTIL(has_line(text_of(in_home("words")), "begun"));
	snprintf(message, sizeof message, "signal %d", SIGUSR1);
	setsockopt(connection, SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
	began_ms = elapsed_ms();
	while (elapsed_ms() < began_ms + 1000) {
		if (send(connection, message, strlen(message), MSG_DONTWAIT | MSG_NOSIGNAL) > 0)
			sent++;
		else
			(void)poll(NULL, 0, 1);
	}
	assert_in_range(sent, 1, 60 + (elapsed_ms() - began_ms) / 50);
	close(connection);
	finish(pid);
	assert_end(END_CANCELLED, 256 + SIGHUP);
}

static void a_job_gets_hup_and_ends_when_its_client_is_lost(void **state)
{
	int connection;
	pid_t pid = start_with_client("trap '' TERM; trap 'echo hup; exit 4' HUP; echo begun\n"
				      "while :; do sleep 0.05; done\n",
				      &connection);

	(void)state;
	WAIT_UNTIL(has_line(text_of(in_home("words")), "begun"));
	close(connection);
	finish(pid);
	assert_end(END_CANCELLED, 4);
	assert_true(has_line(text_of(in_home("words")), "hup"));
}

/* Answers the job as a waiting client does, then sends `words` and an unexpected descriptor. The job is
 * stopped meanwhile, so that the descriptor is queued before the job can refuse it. Returns the connection.
 */
static int answer_with_extra_descriptor(int listening, const char *words, int fd)
{
	int connection = accept4(listening, NULL, NULL, SOCK_CLOEXEC),
	    null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct ucred job = {.pid = -1};
	socklen_t size = sizeof job;
	char question[100];

	assert_true(recv(connection, question, sizeof question, 0) > 0);
	assert_int_equal(getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &job, &size), 0);
	kill(job.pid, SIGSTOP);
	assert_true(carrier_send_all(connection, "go", (const int[]){null, null, null}, 3));
	if (words[0] != '\0')
		assert_true(send(connection, words, strlen(words), 0) > 0);
	assert_true(carrier_send(connection, "more", fd));
	kill(job.pid, SIGCONT);
	close(null);
	return connection;
}

static bool ends_within(pid_t pid, int seconds)
{
	int64_t until_ms = time_ms() + seconds * 1000;
	int status;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (time_ms() >= until_ms)
			return false;
		a_moment();
	}
	return true;
}

/* The shepherd must end, although closing the descriptor hangs, because its end frees the job's processors.
 */
static void check_extra_descriptor(const char *words, enum end_reason reason)
{
	struct launch launch = launch_script("exec sleep 1000\n");
	int listening = waiter_listen(in_home("w"), &err), sent, other, connection;
	char page[4096] = "unwritten";
	bool has_ended;
	pid_t server, pid;

	fuse_unanswered = FUSE_WRITE;
	mkdir(in_home("fuse"), 0755);
	server = fuse_begin(in_home("fuse"), getuid());
	if (server < 0) {
		close(listening);
		skip();
	}
	sent = open(in_home("fuse/file"), O_RDWR | O_CLOEXEC);
	other = open(in_home("fuse/file"), O_RDWR | O_CLOEXEC);
	assert_true(sent >= 0 && other >= 0);
	launch.waiter = in_home("w");
	launch.grace_s = 1;
	pid = start(&launch);
	connection = answer_with_extra_descriptor(listening, words, sent);
	close(sent);
	assert_int_equal(pwrite(other, page, sizeof page, 0), sizeof page);
	has_ended = ends_within(pid, 20);
	assert_int_equal(judge(12), SPOOL_ENDED);
	fuse_end(server, in_home("fuse"));
	close(other);
	close(connection);
	close(listening);
	if (!has_ended)
		waitpid(pid, NULL, 0);
	assert_true(has_ended);
	assert_int_equal(spool.ended.reason, reason);
	rmdir(in_home("fuse"));
}

static void an_extra_descriptor_after_the_files_does_not_block_the_shepherd(void **state)
{
	(void)state;
	check_extra_descriptor("", END_NOT_STARTED);
	assert_non_null(strstr(spool.ended.text, "has sent more than three descriptors"));
}

static void a_descriptor_after_a_signal_does_not_block_the_shepherd(void **state)
{
	(void)state;
	check_extra_descriptor("signal 28", END_CANCELLED);
}

/* Stopped processes are used in place of relays that cannot end. */
static void the_number_of_stuck_relays_of_a_user_is_limited(void **state)
{
	struct launch launch = launch_script("true\n");
	pid_t stuck[8];

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		stuck[i] = fork();
		if (stuck[i] == 0) {
			prctl(PR_SET_NAME, "kahu-relay");
			raise(SIGSTOP);
			_exit(0);
		}
		assert_int_equal(waitpid(stuck[i], NULL, WUNTRACED), stuck[i]);
	}
	launch.waiter = in_home("w");
	finish(start(&launch));
	assert_int_equal(spool.ended.reason, END_NOT_STARTED);
	assert_non_null(strstr(spool.ended.text, "of this user cannot exit"));
	for (size_t i = 0; i < 8; i++) {
		kill(stuck[i], SIGKILL);
		waitpid(stuck[i], NULL, 0);
	}
}

static pid_t start_waiting_for_client(int *listening)
{
	struct launch launch = launch_script("true\n");
	pid_t pid;

	*listening = waiter_listen(in_home("w"), &err);
	assert_true(*listening >= 0);
	assert_int_equal(chmod(in_home("w"), 0777), 0);
	launch.waiter = in_home("w");
	pid = start(&launch);
	WAIT_UNTIL(poll(&(struct pollfd){.fd = *listening, .events = POLLIN}, 1, 0) == 1);
	return pid;
}

/* The job waits for its client, as it would for a file system that does not answer. */
static void a_job_that_hangs_before_its_start_can_be_cancelled(void **state)
{
	int listening;
	pid_t pid = start_waiting_for_client(&listening);

	(void)state;
	order(pid, SHEPHERD_CANCEL, 0);
	finish(pid);
	assert_end(END_CANCELLED, 256 + 15);
	close(listening);
}

static void a_job_that_hangs_before_its_start_does_not_keep_the_lock(void **state)
{
	int listening;
	pid_t pid = start_waiting_for_client(&listening);

	(void)state;
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(judge(12), SPOOL_LOST);
	close(listening);
}

/* --- single user ------------------------------------------------------------------------------------ */

static void without_root_a_shepherd_runs_only_jobs_of_its_user(void **state)
{
	struct launch launch = launch_script("id -u\n");
	struct str bytes = {0};
	char expected[32];

	(void)state;
	if (who != getuid())
		assert_int_equal(fchown(folder, who, who), 0);
	launch_write(&launch, &bytes);
	finish(start_bytes(&bytes, who));
	assert_end(END_EXITED, 0);
	snprintf(expected, sizeof expected, "%u\n", who);
	assert_string_equal(text_of(in_home("out")), expected);
	if (who != 0) {
		spool_remove(folder, 12, 1, NULL);
		str_clear(&bytes);
		launch.uid = 0;
		launch_write(&launch, &bytes);
		finish(start_bytes(&bytes, who));
		snprintf(expected, sizeof expected, "of user %u only", who);
		assert_int_equal(spool.ended.reason, END_NOT_STARTED);
		assert_non_null(strstr(spool.ended.text, expected));
	}
	str_free(&bytes);
}

/* --- prolog and epilog
 * --------------------------------------------------------------------------------------- */

static void prolog_and_epilog_run_before_and_after_a_job(void **state)
{
	struct launch launch = launch_script("cat before\n");
	char text[2000];

	(void)state;
	snprintf(text, sizeof text,
		 "#!/bin/sh\necho $KAHU_JOBID $KAHU_USER $KAHU_UID $OURS >%s/before\nsleep 1000 &\n", home);
	launch.prolog = put_program("prolog", text);
	snprintf(text, sizeof text, "#!/bin/sh\ncat %s/out >%s/after\nexit 3\n", home, home);
	launch.epilog = put_program("epilog", text);
	run(&launch);
	assert_end(END_EXITED, 0);
	snprintf(text, sizeof text, "12 %s %u\n", launch.user, who);
	assert_string_equal(text_of(in_home("out")), text);
	assert_string_equal(text_of(in_home("after")), text);
}

static void a_prolog_can_refuse_a_job(void **state)
{
	struct launch launch = launch_script("true\n");
	char expected[1000];

	(void)state;
	launch.prolog = put_program("prolog", "#!/bin/sh\nexit 3\n");
	run(&launch);
	assert_int_equal(spool.ended.reason, END_PROLOG);
	assert_int_equal(spool.ended.status, SPOOL_NEVER_RAN);
	snprintf(expected, sizeof expected, "%s/prolog ended with status 3", programs.path);
	assert_string_equal(spool.ended.text, expected);
	assert_int_equal(access(in_home("out"), F_OK), -1);
	spool_remove(folder, 12, 1, NULL);
	launch.prolog = "/no/prolog";
	run(&launch);
	assert_string_equal(spool.ended.text, "/no/prolog could not be run: No such file or directory");
	assert_int_equal(spool.ended.reason, END_HOST_FAULT);
	assert_int_equal(spool.ended.status, SPOOL_NEVER_RAN);
	spool_remove(folder, 12, 1, NULL);
	launch.prolog = put_program("prolog", "#!/bin/sh\nexit 127\n");
	run(&launch);
	assert_int_equal(spool.ended.reason, END_PROLOG);
}

/* The shepherd finishes the prolog and does not start the job. */
static void a_job_cancelled_before_its_start_never_runs(void **state)
{
	struct launch launch = launch_script("true\n");
	char text[2000];
	pid_t pid;

	(void)state;
	snprintf(text, sizeof text, "#!/bin/sh\ncd %s; echo >begun; while [ ! -e go ]; do sleep 0.01; done\n",
		 home);
	launch.prolog = put_program("prolog", text);
	pid = start(&launch);
	WAIT_UNTIL(access(in_home("begun"), F_OK) == 0);
	order(pid, SHEPHERD_CANCEL, 0);
	put_file(in_home("go"), "", 0644);
	finish(pid);
	assert_end(END_CANCELLED, 256 + SIGTERM);
	assert_int_equal(access(in_home("out"), F_OK), -1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		OURS(exit_status_and_signal_are_recorded),
		OURS(extreme_limits_do_not_affect_a_job),
		OURS(a_script_is_passed_unchanged_with_nul_bytes),
		OURS(a_script_without_interpreter_is_run_by_the_shell),
		OURS(background_processes_are_killed_when_the_job_ends),
		OURS(a_second_shepherd_does_nothing),
		OURS(a_job_is_lost_when_its_shepherd_is_killed),
		OURS(an_invalid_launch_is_not_started),
		OURS(a_job_uses_the_terminal_of_its_client_and_reports_its_end),
		OURS(signals_from_the_waiting_client_reach_the_job),
		OURS(signals_from_the_waiting_client_are_limited_in_rate),
		OURS(a_job_gets_hup_and_ends_when_its_client_is_lost),
		OURS(an_extra_descriptor_after_the_files_does_not_block_the_shepherd),
		OURS(a_descriptor_after_a_signal_does_not_block_the_shepherd),
		OURS(the_number_of_stuck_relays_of_a_user_is_limited),
		OURS(a_job_that_hangs_before_its_start_can_be_cancelled),
		OURS(a_job_that_hangs_before_its_start_does_not_keep_the_lock),
		OURS(without_root_a_shepherd_runs_only_jobs_of_its_user),
		NOBODYS(exit_status_and_signal_are_recorded),
		NOBODYS(a_script_is_passed_unchanged_with_nul_bytes),
		NOBODYS(a_script_without_interpreter_is_run_by_the_shell),
		NOBODYS(a_job_is_lost_when_its_shepherd_is_killed),
		NOBODYS(a_job_uses_the_terminal_of_its_client_and_reports_its_end),
		NOBODYS(without_root_a_shepherd_runs_only_jobs_of_its_user),
		OURS(prolog_and_epilog_run_before_and_after_a_job),
		OURS(a_prolog_can_refuse_a_job),
		OURS(a_job_cancelled_before_its_start_never_runs),
		NOBODYS(prolog_and_epilog_run_before_and_after_a_job),
	};

	return run_shepherd_tests("shepherd", tests, sizeof tests / sizeof tests[0]);
}
