/* SPDX-License-Identifier: MIT */
/*
 * test_door_ask.c - requests of a client
 *
 * A thread serves the door. Where the scheduler has to misbehave, the test takes its part.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "sched/base/vec.h"
#include "tests/door_scene.h"

#define NOBODY   65534
#define STRANGER 65533

static struct err err;

static bool ask(int connection, const void *bytes, size_t size, struct str *answer, int wait_ms)
{
	int fd;

	str_clear(answer);
	return door_ask(connection, bytes, size, answer, &fd, wait_ms, &err);
}

static void requests_of_all_sizes_arrive(void **state)
{
	static const size_t sizes[] = {
		0, 1, 7, DOOR_PACKET - 1, DOOR_PACKET, DOOR_PACKET + 1, 1000000, DOOR_REQUEST_MAX};
	char *bytes = mem_alloc(DOOR_REQUEST_MAX);
	struct str answer = {0};
	struct door_scene s;
	int connection;

	(void)state;
	for (size_t i = 0; i < DOOR_REQUEST_MAX; i++)
		bytes[i] = (char)(i * 31 + i / 997);
	scene_open(&s, false);
	scene_start_thread(&s);
	connection = scene_knock(&s);
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		if (!ask(connection, sizes[i] > 0 ? bytes : NULL, sizes[i], &answer, WAIT_MS))
			fail_msg("%zu bytes: %s", sizes[i], err.text);
		assert_int_equal(answer.len, sizes[i]);
		assert_memory_equal(str_text(&answer), bytes, sizes[i]);
	}
	close(connection);
	scene_close(&s);
	str_free(&answer);
	free(bytes);
}

static void an_answer_can_pass_a_descriptor(void **state)
{
	int sent = memfd_create("test", MFD_CLOEXEC), fd;
	struct str answer = {0};
	struct door_scene s;
	char word[6] = "";
	int connection;

	(void)state;
	assert_int_equal(pwrite(sent, "hello", 5, 0), 5);
	scene_open(&s, false);
	s.with_fd = sent;
	s.answer_size = 3 * DOOR_PACKET;
	scene_start_thread(&s);
	connection = scene_knock(&s);
	assert_true(door_ask(connection, "x", 1, &answer, &fd, WAIT_MS, &err));
	assert_int_equal(answer.len, 3 * DOOR_PACKET);
	assert_int_equal(pread(fd, word, 5, 0), 5);
	assert_string_equal(word, "hello");
	close(fd);
	close(connection);
	scene_close(&s);
	close(sent);
	str_free(&answer);
}

/* The door stops reading in the middle of the request; the client receives the refusal nevertheless. */
static void a_client_receives_the_reason_of_a_refusal(void **state)
{
	char *bytes = mem_zero(1, 3 * DOOR_REQUEST_MAX);
	static const size_t sizes[] = {DOOR_REQUEST_MAX + 1, 3 * DOOR_REQUEST_MAX};
	struct str answer = {0};
	struct door_scene s;

	(void)state;
	scene_open(&s, false);
	scene_start_thread(&s);
	for (size_t i = 0; i < 2; i++) {
		int connection = scene_knock(&s);

		assert_false(ask(connection, bytes, sizes[i], &answer, WAIT_MS));
		assert_string_equal(err.text, "the request is too large: more than 5 MB");
		close(connection);
	}
	scene_close(&s);
	str_free(&answer);
	free(bytes);
}

static void waiting_for_an_answer_has_a_time_limit(void **state)
{
	struct str answer = {0};
	struct door_scene s;
	int connection;

	(void)state;
	scene_open(&s, false);
	s.keep = true;
	scene_start_thread(&s);
	connection = scene_knock(&s);
	assert_false(ask(connection, "x", 1, &answer, 10));
	assert_non_null(strstr(err.text, "the scheduler does not answer in time"));
	assert_false(ask(connection, "y", 1, &answer, WAIT_MS));
	assert_string_equal(err.text, "the scheduler exited before it answered");
	close(connection);
	scene_close(&s);
	str_free(&answer);
}

static void sending_a_request_has_a_time_limit(void **state)
{
	char *bytes = mem_zero(1, DOOR_REQUEST_MAX);
	struct str answer = {0};
	struct door_scene s;
	int connection;

	(void)state;
	scene_open(&s, false);
	connection = scene_knock(&s);
	assert_false(ask(connection, bytes, DOOR_REQUEST_MAX, &answer, 10));
	assert_non_null(strstr(err.text, "the scheduler does not answer in time"));
	close(connection);
	scene_close(&s);
	str_free(&answer);
	free(bytes);
}

/* --- identity of the scheduler
 * -------------------------------------------------------------------------------- */

static void without_a_scheduler_the_error_says_how_to_start_one(void **state)
{
	struct store_dir dir = {.path = ""};
	char expected[700];

	(void)state;
	make_store_dir(&dir);
	assert_int_equal(door_knock(dir.path, &err), -1);
	assert_int_equal(errno, ENOENT);
	snprintf(expected, sizeof expected, "no scheduler runs at %s/sock; 'kahu serve' starts one",
		 dir.path);
	assert_string_equal(err.text, expected);
	assert_int_equal(rmdir(dir.path), 0);
	assert_int_equal(door_knock(dir.path, &err), -1);
	assert_string_equal(err.text, expected);
}

/* Runs `what` as another user in a child process; returns 0 on success. */
static int run_as_stranger(int (*what)(const struct store_dir *dir), const struct store_dir *dir)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(setresgid(STRANGER, STRANGER, STRANGER) != 0 ||
		      setresuid(STRANGER, STRANGER, STRANGER) != 0 || what(dir));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static int is_denied(const struct store_dir *dir)
{
	return door_knock(dir->path, &err) != -1 || errno != EACCES ||
	       strstr(err.text, "cannot be reached: Permission denied") == NULL;
}

static int is_distrusted(const struct store_dir *dir)
{
	return door_knock(dir->path, &err) != -1 || errno != EPERM ||
	       strstr(err.text, "which is neither root nor you") == NULL;
}

static void a_private_socket_cannot_be_reached_by_another_user(void **state)
{
	struct door_scene s;

	(void)state;
	if (geteuid() != 0)
		skip();
	scene_open(&s, false);
	assert_int_equal(chmod(s.dir.path, 0755), 0);
	assert_int_equal(run_as_stranger(is_denied, &s.dir), 0);
	scene_close(&s);
}

/* The socket of a scheduler that runs as user nobody, open to all users. */
static int listen_as_nobody(const struct store_dir *dir)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int listening = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof address.sun_path, "%.80s/sock", dir->path);
	assert_int_equal(bind(listening, (const struct sockaddr *)&address, sizeof address), 0);
	assert_int_equal(chmod(address.sun_path, 0666), 0);
	assert_int_equal(seteuid(NOBODY), 0);
	assert_int_equal(listen(listening, 1), 0);
	assert_int_equal(seteuid(0), 0);
	return listening;
}

static void a_scheduler_of_a_third_user_is_not_trusted(void **state)
{
	struct store_dir dir = {.path = ""};
	int listening;

	(void)state;
	if (geteuid() != 0)
		skip();
	make_store_dir(&dir);
	assert_int_equal(chmod(dir.path, 0755), 0);
	listening = listen_as_nobody(&dir);
	assert_int_equal(run_as_stranger(is_distrusted, &dir), 0);
	/* Root does not trust it either: it would compute with a state sent by another user. */
	assert_int_equal(is_distrusted(&dir), 0);
	close(listening);
	remove_store_dir(&dir);
}

/* --- invalid answers ------------------------------------------------------------------------------ */

static void check_answer_of(const char *bytes, size_t size, const char *sentence)
{
	struct str answer = {0};
	int pair[2], fd;

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	if (size > 0)
		assert_int_equal(send(pair[1], bytes, size, 0), size);
	shutdown(pair[1], SHUT_WR);
	assert_false(door_ask(pair[0], "x", 1, &answer, &fd, WAIT_MS, &err));
	assert_int_equal(fd, -1);
	assert_string_equal(err.text, sentence);
	close(pair[0]);
	close(pair[1]);
	str_free(&answer);
}

static void an_invalid_answer_is_reported(void **state)
{
	(void)state;
	check_answer_of("", 0, "the scheduler exited before it answered");
	check_answer_of("KHD1\0\0\0\0half", 12, "the scheduler exited before it answered");
	check_answer_of("HTTP/1.1", 8, "the process that answers is not a kahu scheduler");
	check_answer_of("KHD1\1\1\0\0no\33", 11, "no?");
}

/* The descriptors of an incomplete answer are closed, and so is every descriptor after the first. */
static void check_descriptors(bool from_zero)
{
	int sent = memfd_create("test", MFD_CLOEXEC), pair[2], fd, next;
	int kept = dup(STDIN_FILENO);
	struct str answer = {0};

	for (int whole = 0; whole < 2; whole++) {
		assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
		if (from_zero)
			close(STDIN_FILENO);
		next = dup(sent);
		close(next);
		assert_true(packet_send(pair[1], PACKET_DATA, false, "a", 1, sent));
		assert_true(packet_send(pair[1], PACKET_DATA, whole, "b", 1, sent));
		shutdown(pair[1], SHUT_WR);
		str_clear(&answer);
		assert_int_equal(door_ask(pair[0], "x", 1, &answer, &fd, WAIT_MS, &err), whole);
		assert_string_equal(str_text(&answer), "ab");
		assert_int_equal(fd, whole ? next : -1);
		if (whole)
			close(fd);
		fd = dup(sent);
		assert_int_equal(fd, next);
		close(fd);
		close(pair[0]);
		close(pair[1]);
		assert_int_equal(dup2(kept, STDIN_FILENO), STDIN_FILENO);
	}
	close(kept);
	close(sent);
	str_free(&answer);
}

/* With standard input closed, a passed descriptor can have the number 0. */
static void surplus_descriptors_are_closed(void **state)
{
	(void)state;
	check_descriptors(false);
	check_descriptors(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_of_all_sizes_arrive),
		cmocka_unit_test(an_answer_can_pass_a_descriptor),
		cmocka_unit_test(a_client_receives_the_reason_of_a_refusal),
		cmocka_unit_test(waiting_for_an_answer_has_a_time_limit),
		cmocka_unit_test(sending_a_request_has_a_time_limit),
		cmocka_unit_test(without_a_scheduler_the_error_says_how_to_start_one),
		cmocka_unit_test(a_private_socket_cannot_be_reached_by_another_user),
		cmocka_unit_test(a_scheduler_of_a_third_user_is_not_trusted),
		cmocka_unit_test(an_invalid_answer_is_reported),
		cmocka_unit_test(surplus_descriptors_are_closed),
	};

	return cmocka_run_group_tests_name("door_ask", tests, NULL, NULL);
}
