/* SPDX-License-Identifier: MIT */
/*
 * test_waiter.c - connection between a job and the client that waits for it
 *
 * The shepherd's side runs in a child process, whose exit status is the number of the check that failed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sched/rm/waiter.h"
#include "tests/store_dir.h"

static struct store_dir dir;
static struct err err;
static int listening;
static char key[WAITER_KEY + 1], other_key[WAITER_KEY + 1];

static int begin(void **state)
{
	(void)state;
	make_store_dir(&dir);
	listening = waiter_listen(name_in(&dir, "w"), &err);
	return listening < 0 || !waiter_make_key(key, &err) || !waiter_make_key(other_key, &err);
}

static int end(void **state)
{
	(void)state;
	close(listening);
	remove_store_dir(&dir);
	return 0;
}

static int connect_as_shepherd(const char *path, const char *job_key, uint64_t job, int in[static 3],
			       struct err *why)
{
	return waiter_ask(&(struct waiter_call){.path = path, .key = job_key, .job = job, .attempt = 1}, in,
			  why);
}

/* Connects as a shepherd, writes to the descriptors that it received, and optionally reports the job's end.
 */
static void shepherd(const char *job_key, uint64_t job, bool reports_end)
{
	struct err why;
	int in[3], connection = connect_as_shepherd(name_in(&dir, "w"), job_key, job, in, &why);

	if (connection < 0)
		_exit(2);
	if (write(in[1], "out", 3) != 3 || write(in[2], "err", 3) != 3)
		_exit(3);
	if (reports_end)
		waiter_tell(connection, &(struct spool_ended){.reason = END_WALL_LIMIT,
							      .status = 256 + 9,
							      .text = "too long"});
	_exit(0);
}

static pid_t start_shepherd(const char *job_key, uint64_t job, bool reports_end)
{
	pid_t pid = fork();

	if (pid == 0)
		shepherd(job_key, job, reports_end);
	return pid;
}

static int status_of(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void a_job_receives_the_files_and_reports_its_end(void **state)
{
	char words[8] = "";
	int out[2], errors[2], connection;
	struct spool_ended ended;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	assert_int_equal(pipe2(errors, O_CLOEXEC), 0);
	pid = start_shepherd(key, 12, true);
	connection = waiter_accept(listening, key, 12, (const int[]){out[0], out[1], errors[1]}, &err);
	assert_true(connection >= 0);
	assert_true(waiter_hear(connection, &ended));
	assert_int_equal(ended.reason, END_WALL_LIMIT);
	assert_int_equal(ended.status, 256 + 9);
	assert_string_equal(ended.text, "too long");
	assert_int_equal(read(out[0], words, 3), 3);
	assert_int_equal(read(errors[0], words + 3, 3), 3);
	assert_string_equal(words, "outerr");
	assert_int_equal(status_of(pid), 0);
	close(connection);
	for (int i = 0; i < 2; i++) {
		close(out[i]);
		close(errors[i]);
	}
}

static void a_shepherd_that_dies_reports_no_end(void **state)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), connection;
	pid_t pid = start_shepherd(key, 12, false);
	struct spool_ended ended;

	(void)state;
	connection = waiter_accept(listening, key, 12, (const int[]){null, null, null}, &err);
	assert_true(connection >= 0);
	assert_false(waiter_hear(connection, &ended));
	assert_int_equal(status_of(pid), 0);
	close(connection);
	close(null);
}

static void the_connection_of_another_job_is_refused(void **state)
{
	pid_t pid = start_shepherd(key, 13, true);

	(void)state;
	assert_int_equal(waiter_accept(listening, key, 1, (const int[]){0, 1, 2}, &err), -1);
	assert_string_equal(err.text, "another job connected: job 13.1");
	assert_int_equal(status_of(pid), 2);
}

static void a_path_without_a_listener_is_an_error(void **state)
{
	char path[200];
	int in[3];

	(void)state;
	assert_int_equal(connect_as_shepherd("/nowhere/w", key, 12, in, &err), -1);
	assert_string_equal(
		err.text,
		"the client that waits for it at /nowhere/w does not answer: No such file or directory");
	memset(path, 'a', sizeof path - 1);
	path[sizeof path - 1] = '\0';
	assert_int_equal(connect_as_shepherd(path, key, 12, in, &err), -1);
	assert_int_equal(waiter_listen(path, &err), -1);
	assert_int_equal(waiter_listen(name_in(&dir, "w"), &err), -1); /* the path is in use */
}

static void a_silent_connection_is_not_accepted_as_the_job(void **state)
{
	const int out[3] = {0, 1, 2};
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const char *path = name_in(&dir, "w");
	int silent = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	(void)state;
	assert_int_equal(waiter_accept(-1, key, 12, out, &err), -1);
	assert_string_equal(err.text, "the connection of the job cannot be accepted: Bad file descriptor");
	assert_true(strlen(path) < sizeof address.sun_path);
	memcpy(address.sun_path, path, strlen(path) + 1);
	assert_int_equal(connect(silent, (const struct sockaddr *)&address, sizeof address), 0);
	close(silent);
	assert_int_equal(waiter_accept(listening, key, 12, out, &err), -1);
	assert_string_equal(err.text, "the job did not identify itself");
}

/* Answers a shepherd with the given text and number of descriptors. */
static void send_answer(int fd, size_t descriptors, const char *word)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(4 * sizeof(int))];
	} control = {.room = {0}};
	char message[WAITER_KEY];
	struct iovec part = {message, (size_t)snprintf(message, sizeof message, "%s", word)};
	struct msghdr whole = {.msg_iov = &part, .msg_iovlen = 1};
	struct cmsghdr *head;

	if (descriptors > 0) {
		whole.msg_control = control.room;
		whole.msg_controllen = CMSG_LEN(descriptors * sizeof(int));
		head = CMSG_FIRSTHDR(&whole);
		head->cmsg_level = SOL_SOCKET;
		head->cmsg_type = SCM_RIGHTS;
		head->cmsg_len = CMSG_LEN(descriptors * sizeof(int));
		memset(CMSG_DATA(head), 0, descriptors * sizeof(int)); /* standard input, several times */
	}
	(void)!sendmsg(fd, &whole, MSG_NOSIGNAL);
}

static size_t open_files(void)
{
	size_t count = 0;

	for (int fd = 0; fd < 100; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static void check_false_answer(size_t descriptors, const char *word, bool is_good)
{
	size_t before = open_files();
	pid_t pid = fork();
	char question[100];
	int in[3], fd;

	if (pid == 0) {
		fd = accept(listening, NULL, NULL);
		(void)!read(fd, question, sizeof question);
		send_answer(fd, descriptors, word);
		_exit(0);
	}
	fd = connect_as_shepherd(name_in(&dir, "w"), key, 12, in, &err);
	assert_int_equal(fd >= 0, is_good);
	if (fd >= 0)
		close(fd);
	for (size_t i = 0; i < 3 && fd >= 0; i++)
		close(in[i]);
	assert_int_equal(status_of(pid), 0);
	assert_int_equal(open_files(), before);
}

static void a_false_answer_is_rejected_and_leaks_no_descriptor(void **state)
{
	char go[WAITER_KEY], half[WAITER_KEY], wrong[WAITER_KEY];

	(void)state;
	snprintf(go, sizeof go, "go %s", key + WAITER_KEY / 2);
	snprintf(half, sizeof half, "go %.*s", WAITER_KEY / 2,
		 key); /* the half of the key that the shepherd has sent */
	snprintf(wrong, sizeof wrong, "go %s", other_key + WAITER_KEY / 2);
	check_false_answer(3, go, true);
	check_false_answer(3, "go", false);
	check_false_answer(3, half, false);
	check_false_answer(3, wrong, false);
	check_false_answer(3, "no", false);
	check_false_answer(2, go, false);
	check_false_answer(0, go, false);
	check_false_answer(0, "", false);
	check_false_answer(4, "gone", false);
}

static void keys_are_hexadecimal_and_distinct(void **state)
{
	char cut[WAITER_KEY + 1];

	(void)state;
	assert_true(waiter_is_key(key) && waiter_is_key(other_key));
	assert_string_not_equal(key, other_key);
	snprintf(cut, sizeof cut, "%.*s", WAITER_KEY - 1, key);
	assert_false(waiter_is_key(cut));
	cut[0] = 'g';
	assert_false(waiter_is_key(cut) || waiter_is_key(""));
}

static void a_job_with_a_wrong_key_is_refused(void **state)
{
	pid_t pid = start_shepherd(other_key, 12, true);

	(void)state;
	assert_int_equal(waiter_accept(listening, key, 12, (const int[]){0, 1, 2}, &err), -1);
	assert_string_equal(err.text, "another job connected: job 12.1");
	assert_int_equal(status_of(pid), 2);
	pid = start_shepherd(NULL, 12, true);
	assert_int_equal(waiter_accept(listening, key, 12, (const int[]){0, 1, 2}, &err), -1);
	assert_int_equal(status_of(pid), 2);
}

/* Such a job was submitted by a client of a version without keys, which is still waiting. */
static void a_job_of_an_earlier_version_is_accepted_without_a_key(void **state)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), connection;
	pid_t pid = start_shepherd(NULL, 12, true);
	struct spool_ended ended;

	(void)state;
	connection = waiter_accept(listening, NULL, 12, (const int[]){null, null, null}, &err);
	assert_true(connection >= 0);
	assert_true(waiter_hear(connection, &ended));
	assert_int_equal(status_of(pid), 0);
	close(connection);
	close(null);
}

/* --- another process in place of the client --------------------------------------------------------- */

#define STRANGER 65533u

/* Connects as a shepherd of the given user and checks the error; @ stands for the directory of the test. */
static void check_refused_as(uid_t user, const char *sentence)
{
	char expected[sizeof err.text + 1];
	const char *at = strchr(sentence, '@');
	pid_t pid = fork();
	int in[3];

	if (pid == 0) {
		if (user != geteuid() && setresuid(user, user, user) != 0)
			_exit(9);
		if (connect_as_shepherd(name_in(&dir, "w"), key, 12, in, &err) >= 0)
			_exit(1);
		snprintf(expected, sizeof expected, "%.*s%s%s", (int)(at - sentence), sentence, dir.path,
			 at + 1);
		if (strcmp(err.text, expected) != 0)
			fprintf(stderr, "%s\ninstead of\n%s\n", err.text, expected);
		_exit(strcmp(err.text, expected) != 0 ? 2 : 0);
	}
	assert_int_equal(status_of(pid), 0);
}

/* The shepherd connected and sent nothing. */
static void check_nothing_received(void)
{
	char word[200];
	int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	assert_true(fd >= 0);
	assert_int_equal(recv(fd, word, sizeof word, MSG_DONTWAIT), 0);
	close(fd);
}

static void a_socket_in_a_directory_of_another_user_is_not_used(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(chmod(dir.path, 0755), 0);
	check_refused_as(STRANGER,
			 "the client that waited for it is gone: its folder @ belongs to uid 0, which is not "
			 "the job's user");
}

static void nothing_is_sent_to_a_socket_of_another_user(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(chmod(name_in(&dir, "w"), 0777), 0);
	assert_int_equal(chown(dir.path, STRANGER, STRANGER), 0);
	check_refused_as(STRANGER,
			 "the client that waited for it is gone: uid 0, which is not the job's user, "
			 "listens at @/w");
	check_nothing_received();
}

static void a_job_of_root_sends_nothing_to_a_socket_of_a_user(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	close(listening);
	assert_int_equal(unlink(name_in(&dir, "w")), 0);
	assert_int_equal(chmod(dir.path, 0777), 0);
	assert_int_equal(seteuid(STRANGER), 0);
	listening = waiter_listen(name_in(&dir, "w"), &err);
	assert_int_equal(seteuid(0), 0);
	assert_true(listening >= 0);
	check_refused_as(0, "the client that waits for it has its socket in @, to which others can write");
	assert_int_equal(chmod(dir.path, 0755), 0);
	check_refused_as(0, "the client that waited for it is gone: uid 65533, which is not the job's user, "
			    "listens at @/w");
	check_nothing_received();
}

/* --- messages after the connection is made
 * ------------------------------------------------------------------- */

static void numbers_in_an_end_message_are_parsed_strictly(void **state)
{
	char last[32], beyond[32];
	const struct {
		const char *message;
		bool good;
	} cases[] = {{"ended 0 0 ", true},
		     {last, true},
		     {beyond, false},
		     {"ended 5 -1 it was so", true},
		     {"ended 5", false},
		     {"ended", false},
		     {"begun 1 2 ", false},
		     {"ended 1 2", false},
		     {"ended -1 0 ", false},
		     {"ended 4294967296 0 ", false},
		     {"ended 0 99999999999999999999 ", false},
		     {"ended 0 2147483648 ", false}};
	struct spool_ended ended;

	(void)state;
	snprintf(last, sizeof last, "ended %d 0 ", END_REASON_COUNT - 1);
	snprintf(beyond, sizeof beyond, "ended %d 0 ", END_REASON_COUNT);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		int pair[2];

		assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
		assert_true(send(pair[0], cases[i].message, strlen(cases[i].message), 0) > 0);
		assert_int_equal(waiter_hear(pair[1], &ended), cases[i].good);
		close(pair[0]);
		close(pair[1]);
	}
}

static void signals_are_forwarded_one_by_one(void **state)
{
	int pair[2], number = 0;

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	assert_int_equal(waiter_listen_to(pair[0], &number), WAITER_SILENT);
	assert_true(waiter_signal(pair[1], SIGINT));
	assert_true(waiter_signal(pair[1], SIGRTMAX));
	assert_int_equal(waiter_listen_to(pair[0], &number), WAITER_SIGNAL);
	assert_int_equal(number, SIGINT);
	assert_int_equal(waiter_listen_to(pair[0], &number), WAITER_SIGNAL);
	assert_int_equal(number, SIGRTMAX);
	assert_int_equal(waiter_listen_to(pair[0], &number), WAITER_SILENT);
	close(pair[1]);
	assert_int_equal(waiter_listen_to(pair[0], &number), WAITER_GONE);
	close(pair[0]);
}

static void an_invalid_message_counts_as_a_closed_connection(void **state)
{
	static const char *const nonsense[] = {"signal 0",  "signal 65", "signal -1", "signal 2 ",
					       "signal x9", "signal ",   "sig",       "kill 9"};

	(void)state;
	for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
		int pair[2], number = 0;

		assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
		assert_true(send(pair[1], nonsense[i], strlen(nonsense[i]), 0) > 0);
		assert_int_equal(waiter_listen_to(pair[0], &number), WAITER_GONE);
		assert_int_equal(number, 0);
		close(pair[0]);
		close(pair[1]);
	}
}

#define WITH_SOCKET(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_SOCKET(a_job_receives_the_files_and_reports_its_end),
		WITH_SOCKET(a_shepherd_that_dies_reports_no_end),
		WITH_SOCKET(the_connection_of_another_job_is_refused),
		WITH_SOCKET(a_silent_connection_is_not_accepted_as_the_job),
		WITH_SOCKET(a_path_without_a_listener_is_an_error),
		WITH_SOCKET(keys_are_hexadecimal_and_distinct),
		WITH_SOCKET(a_job_with_a_wrong_key_is_refused),
		WITH_SOCKET(a_job_of_an_earlier_version_is_accepted_without_a_key),
		WITH_SOCKET(a_socket_in_a_directory_of_another_user_is_not_used),
		WITH_SOCKET(nothing_is_sent_to_a_socket_of_another_user),
		WITH_SOCKET(a_job_of_root_sends_nothing_to_a_socket_of_a_user),
		WITH_SOCKET(a_false_answer_is_rejected_and_leaks_no_descriptor),
		cmocka_unit_test(numbers_in_an_end_message_are_parsed_strictly),
		cmocka_unit_test(signals_are_forwarded_one_by_one),
		cmocka_unit_test(an_invalid_message_counts_as_a_closed_connection),
	};

	return cmocka_run_group_tests_name("waiter", tests, NULL, NULL);
}
