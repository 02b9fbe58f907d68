/* SPDX-License-Identifier: MIT */
/*
 * test_proxy.c - processes that read, write and close connections of users on behalf of the scheduler
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "sched/host/proxy.h"
#include "tests/door_scene.h"

#define OWNER 1001
#define OTHER 1002

static struct proxies *proxies;
static size_t descriptors_before; /* number of open descriptors when the test began */

static size_t count_descriptors(void)
{
	size_t count = 0;

	for (int fd = 0; fd < 512; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

/* This process is a subreaper: it adopts the dispatcher when the dispatcher's parent exits. */
static void read_children(pid_t of, char *line, int size)
{
	char path[64];
	FILE *file;

	line[0] = '\0';
	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)of, (int)of);
	file = fopen(path, "re");
	if (file == NULL)
		return;
	(void)!fgets(line, size, file);
	fclose(file);
}

static pid_t first_child(void)
{
	char line[4096];

	read_children(getpid(), line, sizeof line);
	return (pid_t)strtol(line, NULL, 10);
}

static int begin(void **state)
{
	(void)state;
	descriptors_before = count_descriptors();
	proxies = proxies_new();
	return 0;
}

static int end(void **state)
{
	(void)state;
	proxies_end(proxies);
	/* A proxy may still be busy. The next test must not wait for it. */
	for (pid_t child; (child = first_child()) > 0; waitpid(child, NULL, 0))
		kill(child, SIGKILL);
	return count_descriptors() != descriptors_before;
}

/* Connects a user through a proxy: `user` is the user's end, `door` that of the scheduler. */
static void connect_user(uint32_t owner, int *user, int *door)
{
	int pair[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	*user = pair[0];
	*door = proxy_connect(proxies, owner, pair[1]);
	assert_true(*door >= 0);
	assert_true(proxies_wait_ms(proxies) >= 0 ||
		    fcntl(pair[1], F_GETFD) < 0); /* sent to the dispatcher, or pending */
}

static bool is_ready(int fd, short what, int wait_ms)
{
	struct pollfd look = {.fd = fd, .events = what};

	return poll(&look, 1, wait_ms) > 0 && (look.revents & what) != 0;
}

static void check_receive(int fd, const char *words)
{
	char text[64] = "";

	assert_true(is_ready(fd, POLLIN, WAIT_MS));
	assert_int_equal(recv(fd, text, sizeof text - 1, 0), strlen(words));
	assert_string_equal(text, words);
}

static void check_hangup(int fd)
{
	char byte;

	assert_true(is_ready(fd, POLLHUP, WAIT_MS));
	while (recv(fd, &byte, 1, MSG_DONTWAIT) > 0)
		;
}

/* --- connections ---------------------------------------------------------------------------------- */

static void messages_pass_both_ways_and_keep_their_boundaries(void **state)
{
	int user, door;

	(void)state;
	connect_user(OWNER, &user, &door);
	assert_int_equal(send(user, "one", 3, 0), 3);
	assert_int_equal(send(user, "two", 3, 0), 3);
	check_receive(door, "one");
	check_receive(door, "two");
	assert_int_equal(send(door, "answer", 6, 0), 6);
	check_receive(user, "answer");
	close(door);
	check_hangup(user);
	close(user);
}

static void pending_messages_arrive_before_the_hangup(void **state)
{
	int user, door;

	(void)state;
	connect_user(OWNER, &user, &door);
	assert_int_equal(send(user, "last", 4, 0), 4);
	close(user);
	check_receive(door, "last");
	check_hangup(door);
	close(door);
	connect_user(OWNER, &user, &door);
	assert_int_equal(send(door, "last", 4, 0), 4);
	close(door);
	check_receive(user, "last");
	check_hangup(user);
	close(user);
}

static void a_refused_connection_receives_the_reason(void **state)
{
	struct packet p;
	int pair[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	proxy_refuse(proxies, PROXY_STRANGERS, pair[1], "no");
	proxies_turn(proxies);
	assert_true(is_ready(pair[0], POLLIN, WAIT_MS));
	assert_int_equal(packet_receive(pair[0], &p, NULL), PACKET_WHOLE);
	assert_int_equal(p.kind, PACKET_REFUSAL);
	assert_memory_equal(p.bytes, "no", 2);
	check_hangup(pair[0]);
	close(pair[0]);
}

/* More refusals than one order can contain, for two users and with two reasons. Each connection receives its
 * reason and is closed. */
static void refusals_sent_as_one_order_reach_each_connection(void **state)
{
	enum {
		REFUSED = 200
	};
	static const char *const reason[] = {"no", "not now"};
	static int client[REFUSED];
	static struct packet p;

	(void)state;
	for (int i = 0; i < REFUSED; i++) {
		int pair[2];

		assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
		client[i] = pair[0];
		proxy_refuse(proxies, OWNER + (uint32_t)(i / 100), pair[1], reason[i % 100 / 90]);
	}
	proxies_turn(proxies);
	for (int i = 0; i < REFUSED; i++) {
		const char *expected = reason[i % 100 / 90];

		assert_true(is_ready(client[i], POLLIN, WAIT_MS));
		assert_int_equal(packet_receive(client[i], &p, NULL), PACKET_WHOLE);
		assert_int_equal(p.kind, PACKET_REFUSAL);
		assert_memory_equal(p.bytes, expected, strlen(expected));
		check_hangup(client[i]);
		close(client[i]);
	}
}

/* Each refusal is a separate order here, because the reasons alternate. */
static void refusals_of_one_user_share_a_process(void **state)
{
	char line[4096], *next = line, *rest;
	int children = 0;

	(void)state;
	if (geteuid() != 0)
		skip(); /* without root, the size of a channel is limited */
	proxies_set(proxies, 1);
	for (int i = 0; i < 2000; i++) {
		int pair[2];

		assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
		close(pair[0]);
		proxy_refuse(proxies, OWNER, pair[1], i % 2 == 0 ? "no" : "not now");
		if (i % 50 == 49)
			poll(NULL, 0, 10); /* a burst fits into the channel */
	}
	while (proxies_wait_ms(proxies) >= 0)
		proxies_turn(proxies);
	read_children(first_child(), line, sizeof line);
	while (strtol(next, &rest, 10) > 0) {
		children++;
		next = rest;
	}
	assert_int_equal(children, 1);
}

static void a_proxy_with_few_descriptors_serves_several_connections(void **state)
{
	struct rlimit before_limit, few;
	int user[8], door[8];

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before_limit), 0);
	few = (struct rlimit){64, before_limit.rlim_max};
	proxies_end(proxies);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	proxies = proxies_new();
	for (int i = 0; i < 8; i++)
		connect_user(OWNER, &user[i], &door[i]);
	for (int i = 0; i < 8; i++) {
		assert_int_equal(send(user[i], "hello", 5, 0), 5);
		check_receive(door[i], "hello");
	}
	for (int i = 0; i < 8; i++) {
		close(user[i]);
		close(door[i]);
	}
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before_limit), 0);
}

/* The last close also closes pending connections, and their owners determine how long that takes. */
static void the_listening_socket_is_closed_by_the_dispatcher(void **state)
{
	struct sockaddr_un where = {.sun_family = AF_UNIX, .sun_path = ""}; /* autobind chooses a name */
	int listening = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	int pending = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	pid_t dispatcher = first_child();
	socklen_t size = sizeof where;

	(void)state;
	assert_int_equal(bind(listening, (struct sockaddr *)&where, sizeof(sa_family_t)), 0);
	assert_int_equal(getsockname(listening, (struct sockaddr *)&where, &size), 0);
	assert_int_equal(listen(listening, 1), 0);
	assert_int_equal(connect(pending, (struct sockaddr *)&where, size), 0);
	proxies_hold(proxies, listening);
	assert_true(dispatcher > 0);
	assert_int_equal(kill(dispatcher, SIGKILL), 0); /* the next dispatcher also receives the socket */
	assert_int_equal(waitpid(dispatcher, NULL, 0), dispatcher);
	for (int64_t until_ms = monotonic_ms() + WAIT_MS; first_child() <= 0 && monotonic_ms() < until_ms;) {
		proxy_refuse(proxies, OWNER, open("/dev/null", O_RDONLY | O_CLOEXEC), "");
		proxies_turn(proxies);
		poll(NULL, 0, 50);
	}
	proxies_hold(proxies, -1);
	close(listening);
	assert_false(is_ready(pending, POLLHUP, 50));
	proxies_end(proxies);
	proxies = NULL;
	check_hangup(pending);
	close(pending);
}

/* The scheduler passes files to users. Descriptors that a user sends are closed by the proxy. */
static void descriptors_pass_to_the_user_but_not_from_the_user(void **state)
{
	static const unsigned char packet[] = "KHD1\0\1\0\0x";
	int user, door, ends[2], fd = -1;
	static struct packet p;
	char byte;

	(void)state;
	connect_user(OWNER, &user, &door);
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_true(packet_send(door, PACKET_DATA, true, "x", 1, ends[0]));
	assert_true(is_ready(user, POLLIN, WAIT_MS));
	assert_int_equal(packet_receive(user, &p, &fd), PACKET_WHOLE);
	assert_int_equal(write(ends[1], "y", 1), 1);
	assert_int_equal(read(fd, &byte, 1), 1);
	close(fd);
	assert_true(packet_send(user, PACKET_DATA, true, "x", 1, ends[1]));
	close(ends[1]);
	assert_true(is_ready(door, POLLIN, WAIT_MS));
	assert_int_equal(packet_receive(door, &p, &fd), PACKET_WHOLE);
	assert_int_equal(fd, -1);
	assert_int_equal(p.size + PACKET_HEADER, sizeof packet - 1);
	assert_true(is_ready(ends[0], POLLHUP, WAIT_MS)); /* no process has the write end open */
	close(ends[0]);
	close(user);
	close(door);
}

/* If the door does not read, the proxy stops reading from the user. */
static void a_user_whose_messages_are_not_read_is_blocked(void **state)
{
	int user, door, sent = 0;

	(void)state;
	connect_user(OWNER, &user, &door);
	while (send(user, "x", 1, MSG_DONTWAIT) == 1 || is_ready(user, POLLOUT, 200))
		assert_in_range(++sent, 1, 1000000);
	sent = 0;
	for (char byte; is_ready(door, POLLIN, 1000) && recv(door, &byte, 1, MSG_DONTWAIT) == 1 && sent < 5;)
		sent++;
	assert_int_equal(sent, 5);
	close(user);
	close(door);
}

/* --- files ---------------------------------------------------------------------------------------- */

static int make_file(void)
{
	int fd = memfd_create("kahu-test", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 4096), 0);
	return fd;
}

static void wait_until_withdrawn(uint32_t owner)
{
	int64_t until_ms = monotonic_ms() + WAIT_MS;
	size_t bytes;

	while (proxy_withdrawing(proxies, owner, &bytes) > 0) {
		assert_true(monotonic_ms() < until_ms);
		poll(NULL, 0, 1);
	}
	assert_int_equal(bytes, 0);
}

static void a_file_counts_until_it_has_been_truncated(void **state)
{
	int fd = make_file(), held = dup(fd);
	pid_t dispatcher = first_child();
	struct stat st;
	size_t bytes;

	(void)state;
	assert_true(dispatcher > 0);
	assert_int_equal(kill(dispatcher, SIGSTOP), 0); /* nothing is truncated until it continues */
	proxy_withdraw(proxies, OWNER, fd, 4096);
	assert_int_equal(proxy_withdrawing(proxies, OWNER, &bytes), 1);
	assert_int_equal(bytes, 4096);
	assert_int_equal(proxy_withdrawing(proxies, OTHER, &bytes), 0);
	assert_int_equal(bytes, 0);
	assert_int_equal(fstat(held, &st), 0);
	assert_int_equal(st.st_size, 4096);
	assert_int_equal(kill(dispatcher, SIGCONT), 0);
	wait_until_withdrawn(OWNER);
	assert_int_equal(fstat(held, &st), 0);
	assert_int_equal(st.st_size, 0);
	close(held);
}

/* --- processes ------------------------------------------------------------------------------------ */

#define DUPS   500
#define EPOLLS 10

/* Adds entries to the wait queue of a socket; each send and each receive walks that queue. */
static void lengthen_wait_queue(int fd, int epoll[static EPOLLS])
{
	struct epoll_event never = {.events = EPOLLPRI};
	int copy[DUPS];

	for (int i = 0; i < EPOLLS; i++)
		epoll[i] = epoll_create1(EPOLL_CLOEXEC);
	for (int i = 0; i < DUPS; i++) {
		copy[i] = fcntl(fd, F_DUPFD_CLOEXEC, 0);
		for (int k = 0; k < EPOLLS; k++)
			epoll_ctl(epoll[k], EPOLL_CTL_ADD, copy[i], &never);
	}
	for (int i = 0; i < DUPS; i++) /* the entries stay as long as the socket is open */
		close(copy[i]);
}

/* The close takes seconds of CPU time in the proxy of that user: each discarded message walks the wait queue.
 */
static void a_slow_close_delays_no_other_user_and_no_shutdown(void **state)
{
	int user, door, other, others_door, epoll[EPOLLS];
	const int large = 1 << 30;
	int64_t began_ms;

	(void)state;
	connect_user(OWNER, &user, &door);
	setsockopt(user, SOL_SOCKET, SO_SNDBUF, &large, sizeof large); /* as much as the system allows */
	connect_user(OTHER, &other, &others_door);
	lengthen_wait_queue(user, epoll);
	while (send(user, "x", 1, MSG_DONTWAIT) == 1)
		;
	began_ms = monotonic_ms();
	assert_int_equal(shutdown(user, SHUT_RDWR), 0);
	check_hangup(door);
	close(door);
	assert_int_equal(send(other, "quick", 5, 0), 5);
	check_receive(others_door, "quick");
	proxies_end(proxies); /* while that proxy is busy, and then throttled for ten times as long */
	proxies = NULL;
	assert_true(monotonic_ms() - began_ms < 10000);
	proxies = proxies_new();
	for (int i = 0; i < EPOLLS; i++)
		close(epoll[i]);
	close(user);
	close(other);
	close(others_door);
}

static void a_dispatcher_that_is_killed_is_replaced(void **state)
{
	int64_t until_ms = monotonic_ms() + WAIT_MS;
	pid_t dispatcher = first_child();
	int user, door;

	(void)state;
	assert_true(dispatcher > 0);
	assert_int_equal(kill(dispatcher, SIGKILL), 0);
	assert_int_equal(waitpid(dispatcher, NULL, 0), dispatcher);
	connect_user(OWNER, &user, &door);
	assert_int_equal(send(user, "hello", 5, 0), 5);
	for (int wait_ms; (wait_ms = proxies_wait_ms(proxies)) >= 0; proxies_turn(proxies)) {
		assert_true(monotonic_ms() < until_ms);
		poll(NULL, 0, wait_ms);
	}
	check_receive(door, "hello");
	close(user);
	close(door);
}

static void proxies_exit_when_their_connections_are_closed(void **state)
{
	int64_t until_ms = monotonic_ms() + WAIT_MS;
	int user, door;

	connect_user(OWNER, &user, &door);
	proxies_end(proxies);
	proxies = NULL;
	assert_int_equal(send(user, "still", 5, 0), 5);
	check_receive(door, "still");
	close(user);
	check_hangup(door);
	close(door);
	while (waitpid(-1, NULL, WNOHANG) >= 0) {
		assert_true(monotonic_ms() < until_ms);
		poll(NULL, 0, 5);
	}
	begin(state);
}

/* --- the door ------------------------------------------------------------------------------------- */

static void a_door_serves_an_untrusted_user_through_a_proxy(void **state)
{
	struct door_scene s;
	struct packet p;
	int connection;

	(void)state;
	scene_open(&s, false);
	s.door->handler.proxies = proxies;
	scene_distrust(&s);
	connection = scene_knock(&s);
	expect_echo(&s, connection, "by proxy");
	assert_true(s.door->connection[0]->by_proxy);
	s.answer_size = (size_t)1 << 20;
	send_text(connection, "much", true);
	for (size_t got = 0; got < s.answer_size; got += p.size)
		assert_int_equal(receive_packet(&s, connection, &p), PACKET_WHOLE);
	s.answer_size = 0;
	expect_echo(&s, connection, "again");
	assert_int_equal(send(connection, "nonsense", 8, 0), 8);
	expect_refusal(&s, connection, "this is not a kahu request");
	close(connection);
	while (s.door->count > 0)
		door_turn(s.door);
	scene_close(&s);
}

static void a_client_that_disconnects_while_waiting_is_reported_by_the_proxy(void **state)
{
	struct door_scene s;
	int connection;

	(void)state;
	scene_open(&s, false);
	s.door->handler.proxies = proxies;
	scene_distrust(&s);
	s.keep = true;
	connection = scene_knock(&s);
	send_text(connection, "wait", true);
	while (s.asked == 0)
		door_turn(s.door);
	send_text(connection, "more", true);
	close(connection);
	while (s.gone == 0)
		door_turn(s.door);
	scene_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(messages_pass_both_ways_and_keep_their_boundaries, begin,
						end),
		cmocka_unit_test_setup_teardown(pending_messages_arrive_before_the_hangup, begin, end),
		cmocka_unit_test_setup_teardown(a_refused_connection_receives_the_reason, begin, end),
		cmocka_unit_test_setup_teardown(refusals_sent_as_one_order_reach_each_connection, begin, end),
		cmocka_unit_test_setup_teardown(refusals_of_one_user_share_a_process, begin, end),
		cmocka_unit_test_setup_teardown(a_proxy_with_few_descriptors_serves_several_connections,
						begin, end),
		cmocka_unit_test_setup_teardown(the_listening_socket_is_closed_by_the_dispatcher, begin, end),
		cmocka_unit_test_setup_teardown(descriptors_pass_to_the_user_but_not_from_the_user, begin,
						end),
		cmocka_unit_test_setup_teardown(a_user_whose_messages_are_not_read_is_blocked, begin, end),
		cmocka_unit_test_setup_teardown(a_file_counts_until_it_has_been_truncated, begin, end),
		cmocka_unit_test_setup_teardown(a_slow_close_delays_no_other_user_and_no_shutdown, begin,
						end),
		cmocka_unit_test_setup_teardown(a_dispatcher_that_is_killed_is_replaced, begin, end),
		cmocka_unit_test_setup_teardown(proxies_exit_when_their_connections_are_closed, begin, end),
		cmocka_unit_test_setup_teardown(a_door_serves_an_untrusted_user_through_a_proxy, begin, end),
		cmocka_unit_test_setup_teardown(
			a_client_that_disconnects_while_waiting_is_reported_by_the_proxy, begin, end),
	};

	/* Dispatchers become children of this process when their parents exit. */
	return prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 ||
	       cmocka_run_group_tests_name("proxy", tests, NULL, NULL);
}
