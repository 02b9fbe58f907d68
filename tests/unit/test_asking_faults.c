/* SPDX-License-Identifier: MIT */
/*
 * test_asking_faults.c - programs asked, notices, output files and waiting clients with failing system calls
 *
 * Each operation is repeated; in run N, system call number N fails, in the test or in a process that it
 * starts, until a run makes fewer calls. The operation must succeed or report an error, and leave no
 * descriptor and no process.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "sched/rm/fd_passing.h"
#include "sched/rm/notify.h"
#include "sched/rm/output_read.h"
#include "sched/rm/site_program.h"
#include "sched/rm/waiter.h"
#include "tests/faulty.h"
#include "tests/store_dir.h"

#define CALLS_MAX 2000

static struct store_dir dir;
static char program[600], output[600], address[600];

/* --- trials --------------------------------------------------------------------------------------- */

static int count_descriptors(void)
{
	DIR *folder = REAL(opendir)("/proc/self/fd");
	int count = 0;

	while (readdir(folder) != NULL)
		count++;
	closedir(folder);
	return count;
}

/* Reaps zombies left by a failed wait. True if no child remains after 2 s. */
static bool no_child_remains(void)
{
	pid_t pid = 0;

	for (int i = 0; i < 2000 && pid >= 0; i++) {
		while ((pid = REAL(waitpid)(-1, NULL, WNOHANG)) > 0)
			continue;
		if (pid == 0)
			usleep(1000);
	}
	return pid < 0;
}

/* work: returns false if it failed without an error message. */
static void fail_calls(bool (*work)(void), int error, const char *spared)
{
	int files = count_descriptors();
	unsigned wrong = 0;
	long number = 0;
	bool failed = true;

	while (failed && number++ < CALLS_MAX) {
		const char *fault = NULL;
		bool good;

		faulty_begin(faulty, number, error, spared);
		good = work();
		failed = faulty_end(faulty);
		if (!good)
			fault = "nobody says why";
		if (count_descriptors() != files)
			fault = "a descriptor stays open";
		if (!no_child_remains())
			fault = "a process stays";
		if (fault == NULL)
			continue;
		print_error("call %ld, %s, failed (%s), and %s\n", number, faulty->failed, strerror(error),
			    fault);
		wrong++;
	}
	assert_int_equal(wrong, 0);
	assert_true(number > 1 && number < CALLS_MAX);
}

static void fail_each(bool (*work)(void), const char *spared)
{
	fail_calls(work, EIO, spared);
	fail_calls(work, EINTR, spared);
	fail_calls(work, FAULTY_SHORT, spared);
}

static void write_program(const char *text)
{
	FILE *f = fopen(program, "we");

	assert_non_null(f);
	fprintf(f, "#!/bin/sh\n%s\n", text);
	fclose(f);
	assert_int_equal(chmod(program, 0700), 0);
}

/* --- programs asked ------------------------------------------------------------------------------- */

static bool ask_twice(void)
{
	static const char *const variables[] = {"A=b", NULL};
	struct ask ask[2] = {{.environment = variables}, {.environment = variables}};
	bool good = true;

	for (int i = 0; i < 2; i++)
		str_add(&ask[i].input, i == 0 ? "first\n" : "second\n");
	ask_all(program, ask, 2, 5);
	for (int i = 0; i < 2; i++) {
		/* Whether the program got the whole question cannot be seen. */
		good = good && (ask[i].answered || ask[i].err.text[0] != '\0');
		ask_clear(&ask[i]);
	}
	return good;
}

static void a_failing_call_leaves_a_question_answered_or_with_an_error(void **state)
{
	(void)state;
	write_program("cat; exec >&-; exit 0");
	fail_each(ask_twice, "");
}

/* --- notices -------------------------------------------------------------------------------------- */

static unsigned warnings;

static void count_warning(void *self, const char *text)
{
	(void)self;
	warnings += text[0] != '\0';
}

static bool was_notified(void)
{
	return REAL(access)(output, F_OK) == 0;
}

static bool send_notice(void)
{
	const char *const words[] = {program, NULL}, *const variables[] = {"A=b", NULL};
	const struct notify_setup setup = {.limit_ms = 5000, .warn = count_warning};
	struct err err = {{0}};
	struct notify *n;

	unlink(output);
	warnings = 0;
	n = notify_new(&setup, &err);
	if (n == NULL)
		return err.text[0] != '\0';
	notify_send(n, &(struct notice){.user = "eva",
					.about = "job 1",
					.argv = words,
					.environment = variables,
					.input = "x"});
	notify_free(n);
	return was_notified() || warnings > 0;
}

static void a_failing_call_leaves_a_notice_delivered_or_with_a_warning(void **state)
{
	char text[700];

	(void)state;
	snprintf(text, sizeof text, "echo told >%s", output);
	write_program(text);
	fail_each(send_notice, "");
	fail_calls(send_notice, EMFILE, "");
}

/* --- output files --------------------------------------------------------------------------------- */

static bool open_output(void)
{
	struct err err = {{0}};
	struct output_reader *file = output_read_open(output, "nobody", &err);
	char byte;
	off_t size;
	bool good = file != NULL && output_read_size(file, &size, &err) &&
		    output_read_at(file, &byte, 1, 0, &err) >= 0;

	output_read_close(file);
	return good || err.text[0] != '\0';
}

static void a_failing_call_leaves_an_output_file_readable_or_with_an_error(void **state)
{
	FILE *f = fopen(output, "we");

	(void)state;
	assert_non_null(f);
	fclose(f);
	assert_int_equal(chmod(dir.path, 0711), 0);
	fail_calls(open_output, EIO, "");
	fail_calls(open_output, EINTR, "");
}

/* --- waiting clients ------------------------------------------------------------------------------ */

#define NO_SIGNAL 2

/* The shepherd's side, in a child process. Returns 0 if it received a signal, or failed with an error. */
static int run_for_waiter(void)
{
	const struct spool_ended ended = {.reason = END_EXITED, .status = 3, .text = "over"};
	const struct waiter_call call = {.path = address, .job = 12, .attempt = 1};
	struct err err = {{0}};
	int in[3], number = 0, connection = waiter_ask(&call, in, &err);
	enum waiter_word word = WAITER_SILENT;

	if (connection < 0)
		return err.text[0] == '\0';
	for (int i = 0; i < 300 && word == WAITER_SILENT; i++) {
		word = waiter_listen_to(connection, &number);
		usleep(1000);
	}
	waiter_tell(connection, &ended);
	return word == WAITER_SILENT ? NO_SIGNAL : 0;
}

/* Waits for a connection; false if the other side has failed before it connected. */
static bool wait_for_connection(int listening, pid_t other)
{
	struct pollfd one = {.fd = listening, .events = POLLIN};
	siginfo_t info = {.si_pid = 0};

	while (REAL(poll)(&one, 1, 2) == 0)
		if (REAL(waitid)(P_PID, (id_t)other, &info, WEXITED | WNOWAIT | WNOHANG) != 0 ||
		    info.si_pid != 0)
			return REAL(poll)(&one, 1, 0) > 0;
	return true;
}

static bool wait_for_job(int listening, pid_t other, bool *has_signalled)
{
	const int files[3] = {0, 1, 2};
	struct spool_ended ended;
	struct err err = {{0}};
	int connection;
	bool has_ended;

	if (!wait_for_connection(listening, other))
		return true;
	connection = waiter_accept(listening, NULL, 12, files, &err);
	if (connection < 0)
		return err.text[0] != '\0';
	*has_signalled = waiter_signal(connection, SIGTERM);
	has_ended = waiter_hear(connection, &ended);
	close(connection);
	return !has_ended || (ended.status == 3 && strcmp(ended.text, "over") == 0);
}

static bool wait_and_run(void)
{
	struct err err = {{0}};
	int listening, status = 0;
	pid_t other = -1;
	bool good, has_signalled = false;

	unlink(address);
	listening = waiter_listen(address, &err);
	if (listening < 0)
		return err.text[0] != '\0';
	other = REAL(fork)();
	if (other == 0) {
		close(listening);
		_exit(run_for_waiter());
	}
	good = wait_for_job(listening, other, &has_signalled);
	close(listening);
	REAL(waitpid)(other, &status, 0);
	return good && WIFEXITED(status) &&
	       WEXITSTATUS(status) == (has_signalled || WEXITSTATUS(status) == 0 ? 0 : NO_SIGNAL);
}

static void a_failing_call_leaves_a_waiting_client_served_or_with_an_error(void **state)
{
	(void)state;
	fail_calls(wait_and_run, EIO, "");
	fail_calls(wait_and_run, EINTR, "");
}

/* --- sockets with unwanted descriptors ------------------------------------------------------------ */

static bool clear_carried(void)
{
	static const int fd = STDIN_FILENO;
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof fd)];
	} control = {.room = {0}};
	struct iovec part = {(char[]){"x"}, 1};
	struct msghdr whole = {.msg_iov = &part,
			       .msg_iovlen = 1,
			       .msg_control = control.room,
			       .msg_controllen = sizeof control.room};
	struct deferred_closes carried = {.count = 0};
	size_t count;
	int pair[2];

	if (REAL(socketpair)(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		return false;
	control.head = (struct cmsghdr){
		.cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
	memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
	if (REAL(sendmsg)(pair[0], &whole, 0) != 1)
		return false;
	close(pair[0]);
	deferred_close(&carried, pair[1]);
	deferred_closes_flush(&carried);
	if (carried.count > 0) { /* the retry succeeds */
		faulty_end(faulty);
		deferred_closes_flush(&carried);
	}
	count = carried.count;
	deferred_closes_end(&carried);
	return count == 0;
}

static void a_socket_with_unwanted_descriptors_is_closed_despite_a_failing_call(void **state)
{
	/* setsockopt() cannot fail on such a socket. */
	(void)state;
	fail_calls(clear_carried, EAGAIN, "setsockopt");
	fail_calls(clear_carried, EINTR, "setsockopt");
}

/* --- setup ---------------------------------------------------------------------------------------- */

static int make_folder(void **state)
{
	(void)state;
	make_store_dir(&dir);
	snprintf(program, sizeof program, "%s/program", dir.path);
	snprintf(output, sizeof output, "%s/output", dir.path);
	snprintf(address, sizeof address, "%s/address", dir.path);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	remove_store_dir(&dir);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_failing_call_leaves_a_question_answered_or_with_an_error,
						make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(a_failing_call_leaves_a_notice_delivered_or_with_a_warning,
						make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(
			a_failing_call_leaves_an_output_file_readable_or_with_an_error, make_folder,
			remove_folder),
		cmocka_unit_test_setup_teardown(
			a_failing_call_leaves_a_waiting_client_served_or_with_an_error, make_folder,
			remove_folder),
		cmocka_unit_test_setup_teardown(
			a_socket_with_unwanted_descriptors_is_closed_despite_a_failing_call, make_folder,
			remove_folder),
	};

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	faulty = faulty_share(NULL);
	return faulty == NULL ? 1 : cmocka_run_group_tests_name("asking_faults", tests, NULL, NULL);
}
