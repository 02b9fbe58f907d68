/* SPDX-License-Identifier: MIT */
/*
 * test_door.c - how do other processes reach the running scheduler, without ever delaying it?
 *
 * The door is turned here by a thread as the scheduler turns it; its handler echoes. Clients are
 * well behaved, or not at all.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sched/base/vec.h"
#include "sched/host/door.h"
#include "sched/host/door_packet.h"

#define NOBODY  65534
#define WAIT_MS 60000

struct scene {
	char dir[64];
	struct door *door;
	pthread_t thread;
	atomic_bool stop;
	atomic_int asked, gone;
	int with_fd;                  /* answers bring this along; -1 = none */
	bool keep;                    /* requests are kept unanswered        */
	struct door_request *kept[8]; /* the thread's                        */
	struct str kept_bytes[8];
	int kept_count;
	atomic_int answer_now; /* how many of the kept ones are to be answered, the last first */
};

static void echo(struct scene *s, struct door_request *request, const void *bytes, size_t size)
{
	struct door_answer answer = {.fd = s->with_fd >= 0 ? dup(s->with_fd) : -1};

	str_add_bytes(&answer.bytes, bytes, size);
	door_answer(request, &answer);
	str_free(&answer.bytes);
}

static void handle(void *self, struct door_request *request, const struct peer *peer, const void *bytes,
		   size_t size)
{
	struct scene *s = self;

	(void)peer;
	s->asked++;
	if (!s->keep || s->kept_count == 8) {
		echo(s, request, bytes, size);
		return;
	}
	str_add_bytes(&s->kept_bytes[s->kept_count], bytes, size);
	s->kept[s->kept_count++] = request;
}

static void gone(void *self, struct door_request *request)
{
	struct scene *s = self;

	for (int i = 0; i < s->kept_count; i++)
		if (s->kept[i] == request)
			s->kept[i] = NULL;
	s->gone++;
}

static void answer_kept(struct scene *s)
{
	while (s->answer_now > 0 && s->kept_count > 0) {
		int last = --s->kept_count;

		s->answer_now--;
		if (s->kept[last] != NULL)
			echo(s, s->kept[last], str_text(&s->kept_bytes[last]), s->kept_bytes[last].len);
		str_free(&s->kept_bytes[last]);
	}
}

static void *turn(void *self)
{
	struct scene *s = self;

	while (!s->stop) {
		struct pollfd fd = {.fd = door_fd(s->door), .events = POLLIN};

		poll(&fd, 1, 5);
		door_turn(s->door);
		answer_kept(s);
	}
	return NULL;
}

static void begin_as(struct scene *s, bool everybody)
{
	struct door_handler handler = {handle, gone, s};
	struct err err;

	*s = (struct scene){.with_fd = -1};
	strcpy(s->dir, "/tmp/kahu-door.XXXXXX");
	assert_non_null(mkdtemp(s->dir));
	if (everybody)
		assert_int_equal(chmod(s->dir, 0755), 0);
	s->door = door_open(s->dir, everybody, handler, &err);
	if (s->door == NULL)
		fail_msg("%s", err.text);
}

static void go(struct scene *s)
{
	assert_int_equal(pthread_create(&s->thread, NULL, turn, s), 0);
}

static void begin(struct scene *s)
{
	begin_as(s, false);
	go(s);
}

static void end(struct scene *s)
{
	s->stop = true;
	pthread_join(s->thread, NULL);
	door_close(s->door);
	for (int i = 0; i < s->kept_count; i++)
		str_free(&s->kept_bytes[i]);
	assert_int_equal(rmdir(s->dir), 0);
}

static int knock(const struct scene *s)
{
	struct err err;
	int connection = door_knock(s->dir, &err);

	if (connection < 0)
		fail_msg("%s", err.text);
	return connection;
}

static void must_echo(int connection, const void *bytes, size_t size)
{
	struct str answer = {0};
	struct err err;
	int fd;

	if (!door_ask(connection, bytes, size, &answer, &fd, WAIT_MS, &err))
		fail_msg("%s", err.text);
	assert_int_equal(answer.len, size);
	assert_memory_equal(str_text(&answer), bytes, size);
	str_free(&answer);
}

/* --- well behaved --------------------------------------------------------------------------------------- */

static void requests_of_all_sizes_come_through(void **state)
{
	static const size_t sizes[] = {
		0, 1, 7, DOOR_PACKET - 1, DOOR_PACKET, DOOR_PACKET + 1, 1000000, DOOR_REQUEST_MAX};
	char *bytes = mem_alloc(DOOR_REQUEST_MAX);
	struct scene s;
	int connection;

	(void)state;
	for (size_t i = 0; i < DOOR_REQUEST_MAX; i++)
		bytes[i] = (char)(i * 31 + i / 997);
	begin(&s);
	connection = knock(&s);
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		must_echo(connection, bytes, sizes[i]);
	close(connection);
	end(&s);
	free(bytes);
}

static void a_descriptor_comes_along(void **state)
{
	int sent = memfd_create("test", 0), fd;
	struct str answer = {0};
	struct scene s;
	struct err err;
	char word[6] = "";
	int connection;

	(void)state;
	assert_int_equal(pwrite(sent, "hello", 5, 0), 5);
	begin_as(&s, false);
	s.with_fd = sent;
	go(&s);
	connection = knock(&s);
	assert_true(door_ask(connection, "x", 1, &answer, &fd, WAIT_MS, &err));
	assert_true(fd >= 0);
	assert_int_equal(pread(fd, word, 5, 0), 5);
	assert_string_equal(word, "hello");
	assert_int_equal(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	close(fd);
	close(connection);
	end(&s);
	close(sent);
	str_free(&answer);
}

static void *ask_one(void *self)
{
	const struct scene *s = self;
	int connection = knock(s);
	char text[32];

	snprintf(text, sizeof text, "from %d", connection);
	must_echo(connection, text, strlen(text));
	close(connection);
	return NULL;
}

static void answers_may_come_in_any_order(void **state)
{
	pthread_t client[4];
	struct scene s;

	(void)state;
	begin_as(&s, false);
	s.keep = true;
	go(&s);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&client[i], NULL, ask_one, &s), 0);
	while (s.asked < 4)
		sched_yield();
	s.answer_now = 4;
	for (int i = 0; i < 4; i++)
		pthread_join(client[i], NULL);
	end(&s);
}

static void only_whom_it_is_for_can_reach_the_socket(void **state)
{
	struct str path = {0};
	struct stat st;
	struct scene s;

	(void)state;
	begin(&s);
	str_addf(&path, "%s/" DOOR_SOCKET, s.dir);
	assert_int_equal(stat(str_text(&path), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	end(&s);
	begin_as(&s, true);
	go(&s);
	str_clear(&path);
	str_addf(&path, "%s/" DOOR_SOCKET, s.dir);
	assert_int_equal(stat(str_text(&path), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0666);
	end(&s);
	str_free(&path);
}

static void a_folder_that_others_can_write_to_is_refused(void **state)
{
	char dir[] = "/tmp/kahu-door.XXXXXX";
	struct door_handler handler = {handle, gone, NULL};
	struct err err;

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(chmod(dir, 0777), 0);
	assert_null(door_open(dir, false, handler, &err));
	assert_non_null(strstr(err.text, "nobody else may write to it"));
	assert_int_equal(rmdir(dir), 0);
}

static void a_socket_left_over_is_taken_away(void **state)
{
	struct door_handler handler = {handle, gone, NULL};
	struct scene s;
	struct err err;
	struct door *again;

	(void)state;
	begin_as(&s, false);
	again = door_open(s.dir, false, handler, &err);
	assert_non_null(again);
	door_close(again);
	go(&s);
	end(&s);
}

static void a_handed_over_socket_goes_on(void **state)
{
	struct scene s;
	struct door *old;
	struct err err;
	int listening, connection;

	(void)state;
	begin_as(&s, false);
	old = s.door;
	connection = knock(&s);
	listening = door_hand_over(old);
	s.door = door_adopt(listening, s.dir, (struct door_handler){handle, gone, &s}, &err);
	assert_non_null(s.door);
	door_close(old);
	go(&s);
	must_echo(connection, "still here", 10);
	close(connection);
	end(&s);
}

static void where_nobody_listens_the_sentence_says_so(void **state)
{
	struct err err;

	(void)state;
	assert_int_equal(door_knock("/tmp/kahu-there-is-none", &err), -1);
	assert_string_equal(err.text, "no scheduler answers at /tmp/kahu-there-is-none/sock: No such file or "
				      "directory; 'kahu serve' starts one");
}

/* --- not at all ------------------------------------------------------------------------------------------
 */

/* The sentence with which the door refuses, or "" when it closes without a word. */
static void refusal(int connection, char out[static 128])
{
	struct pollfd fd = {.fd = connection, .events = POLLIN};
	struct packet p;

	out[0] = '\0';
	assert_int_equal(poll(&fd, 1, WAIT_MS), 1);
	if (packet_receive(connection, &p) != PACKET_WHOLE)
		return;
	assert_int_equal(p.kind, PACKET_REFUSAL);
	snprintf(out, 128, "%.*s", (int)p.size, (const char *)p.bytes);
}

static void what_is_no_packet_is_refused(void **state)
{
	static const char *const wrong[] = {
		"x", "KHD1", "KHD1\0\2\0\0", "KHD1\7\1\0\0", "KHD1\0\1\0\1", "khd1\0\1\0\0"};
	static const size_t size[] = {1, 4, 8, 8, 8, 8};
	char sentence[128];
	struct scene s;

	(void)state;
	begin(&s);
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		int connection = knock(&s);

		assert_int_equal(send(connection, wrong[i], size[i], 0), size[i]);
		refusal(connection, sentence);
		assert_string_equal(sentence, "this is no request of kahu");
		close(connection);
	}
	assert_int_equal(s.asked, 0);
	end(&s);
}

static void a_request_without_end_is_cut_off(void **state)
{
	char bytes[DOOR_PACKET] = "", sentence[128] = "";
	struct scene s;
	int connection;

	(void)state;
	begin(&s);
	connection = knock(&s);
	for (size_t sent = 0; sentence[0] == '\0'; sent += sizeof bytes) {
		struct pollfd fd = {.fd = connection, .events = POLLOUT};

		assert_true(sent <= 2 * DOOR_REQUEST_MAX);
		assert_int_equal(poll(&fd, 1, WAIT_MS), 1);
		if (packet_send(connection, PACKET_DATA, false, bytes, sizeof bytes, -1) < 0 &&
		    errno != EAGAIN)
			refusal(connection, sentence);
	}
	assert_string_equal(sentence, "the request is too large");
	close(connection);
	end(&s);
}

static void who_leaves_before_the_answer_is_told_of(void **state)
{
	struct scene s;
	int connection;

	(void)state;
	begin_as(&s, false);
	s.keep = true;
	go(&s);
	connection = knock(&s);
	assert_true(packet_send(connection, PACKET_DATA, true, "x", 1, -1) > 0);
	while (s.asked < 1)
		sched_yield();
	close(connection);
	while (s.gone < 1)
		sched_yield();
	end(&s);
}

static void descriptors_that_are_sent_in_are_closed(void **state)
{
	int pipes[2];
	struct scene s;
	int connection;
	char byte;

	(void)state;
	begin(&s);
	connection = knock(&s);
	assert_int_equal(pipe(pipes), 0);
	assert_true(packet_send(connection, PACKET_DATA, false, "x", 1, pipes[1]) > 0);
	close(pipes[1]);
	/* The end of the pipe comes only when nobody has it any more. */
	assert_int_equal(read(pipes[0], &byte, 1), 0);
	close(pipes[0]);
	close(connection);
	end(&s);
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void half_a_request_and_nothing_at_all_lose_their_connection(void **state)
{
	int64_t begun_ms = now_ms();
	struct scene s;
	int half, nothing;
	char byte;

	(void)state;
	begin(&s);
	half = knock(&s);
	nothing = knock(&s);
	assert_true(packet_send(half, PACKET_DATA, false, "half", 4, -1) > 0);
	assert_int_equal(recv(half, &byte, 1, 0), 0);
	assert_int_equal(recv(nothing, &byte, 1, 0), 0);
	assert_true(now_ms() - begun_ms >= DOOR_PATIENCE_MS);
	close(half);
	close(nothing);
	end(&s);
}

/* In a process of its own, as nobody: 1000 connections that do nothing. How many were let in. */
static int idle_as_nobody(const struct scene *s)
{
	int let_in = 0;

	if (setresgid(NOBODY, NOBODY, NOBODY) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0)
		return 255;
	for (int i = 0; i < 1000; i++) {
		int connection = door_knock(s->dir, NULL);
		struct pollfd fd = {.fd = connection, .events = POLLIN};

		if (connection < 0)
			return 254;
		if (poll(&fd, 1, i < DOOR_PER_USER ? 0 : WAIT_MS) == 0)
			let_in++;
		else
			close(connection);
	}
	return let_in;
}

static void a_user_with_a_thousand_idle_connections_keeps_nobody_out(void **state)
{
	struct scene s;
	int status, connection;
	pid_t pid;

	(void)state;
	if (geteuid() != 0)
		skip();
	begin_as(&s, true);
	go(&s);
	pid = fork();
	if (pid == 0)
		_exit(idle_as_nobody(&s));
	connection = knock(&s);
	must_echo(connection, "root", 4);
	close(connection);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), DOOR_PER_USER);
	end(&s);
}

/* In a process of its own, as nobody: asks until it is refused. How often it was answered, in tens. */
static int flood_as_nobody(const struct scene *s)
{
	int answered = 0;

	if (setresgid(NOBODY, NOBODY, NOBODY) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0)
		return 255;
	for (; answered < 2500; answered++) {
		struct str answer = {0};
		struct err err = {""};
		int connection = door_knock(s->dir, NULL), fd;
		bool good = door_ask(connection, "x", 1, &answer, &fd, WAIT_MS, &err);

		close(connection);
		str_free(&answer);
		if (!good)
			return strstr(err.text, "too many requests in a second") != NULL ? answered / 10
											 : 253;
	}
	return 252;
}

static void a_flood_is_held_to_a_rate(void **state)
{
	struct scene s;
	int status;
	pid_t pid;

	(void)state;
	if (geteuid() != 0)
		skip();
	begin_as(&s, true);
	go(&s);
	pid = fork();
	if (pid == 0)
		_exit(flood_as_nobody(&s));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_in_range(WEXITSTATUS(status), DOOR_RATE / 10, 250);
	end(&s);
}

static void without_descriptors_it_neither_spins_nor_shuts(void **state)
{
	struct rlimit before, few;
	struct scene s;
	int held[64], count = 0, connection;

	(void)state;
	begin(&s);
	connection = knock(&s);
	must_echo(connection, "a", 1);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = (struct rlimit){.rlim_cur = (rlim_t)connection + 16, .rlim_max = before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	while (count < 64 && (held[count] = dup(0)) >= 0)
		count++;
	close(held[--count]);
	close(held[--count]);
	/* One for the client; the door finds one or none for itself, and lets go of who is idle. */
	for (int i = 0; i < 20; i++) {
		int one = door_knock(s.dir, NULL);

		if (one >= 0)
			close(one);
	}
	while (count > 0)
		close(held[--count]);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	close(connection);
	connection = knock(&s);
	must_echo(connection, "b", 1);
	close(connection);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_of_all_sizes_come_through),
		cmocka_unit_test(a_descriptor_comes_along),
		cmocka_unit_test(answers_may_come_in_any_order),
		cmocka_unit_test(only_whom_it_is_for_can_reach_the_socket),
		cmocka_unit_test(a_folder_that_others_can_write_to_is_refused),
		cmocka_unit_test(a_socket_left_over_is_taken_away),
		cmocka_unit_test(a_handed_over_socket_goes_on),
		cmocka_unit_test(where_nobody_listens_the_sentence_says_so),
		cmocka_unit_test(what_is_no_packet_is_refused),
		cmocka_unit_test(a_request_without_end_is_cut_off),
		cmocka_unit_test(who_leaves_before_the_answer_is_told_of),
		cmocka_unit_test(descriptors_that_are_sent_in_are_closed),
		cmocka_unit_test(half_a_request_and_nothing_at_all_lose_their_connection),
		cmocka_unit_test(a_user_with_a_thousand_idle_connections_keeps_nobody_out),
		cmocka_unit_test(a_flood_is_held_to_a_rate),
		cmocka_unit_test(without_descriptors_it_neither_spins_nor_shuts),
	};

	return cmocka_run_group_tests_name("door", tests, NULL, NULL);
}
