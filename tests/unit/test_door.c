/* SPDX-License-Identifier: MIT */
/*
 * test_door.c - unit tests of the socket of the scheduler and the limits of its users
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "sched/host/door_inside.h"
#include "sched/rm/monotonic.h"
#include "tests/door_scene.h"

#define NOBODY   65534
#define STRANGER 65533

static struct err err;

/* --- the socket ----------------------------------------------------------------------------------- */

static int mode_of_socket(struct door_scene *s)
{
	struct stat st;

	assert_int_equal(stat(name_in(&s->dir, DOOR_SOCKET), &st), 0);
	assert_true(S_ISSOCK(st.st_mode));
	return (int)(st.st_mode & 0777);
}

static void the_socket_is_accessible_to_all_users_or_only_to_its_owner(void **state)
{
	mode_t before = umask(0077);
	struct door_scene s;

	(void)state;
	scene_open(&s, true);
	assert_int_equal(mode_of_socket(&s), 0666);
	scene_close(&s);
	umask(0);
	scene_open(&s, false);
	assert_int_equal(mode_of_socket(&s), 0600);
	scene_close(&s);
	umask(before);
}

static void expect_not_opened(struct store_dir *dir, const char *path, const char *why)
{
	struct door_scene s = {.with_fd = -1};

	assert_null(door_open(path, false, scene_handler(&s), &err));
	if (strstr(err.text, why) == NULL)
		fail_msg("%s: %s", path, err.text);
	remove_store_dir(dir);
}

static void a_folder_that_others_can_write_to_is_refused(void **state)
{
	static const mode_t modes[] = {0777, 01777, 0770, 0702};
	struct store_dir dir = {.path = ""};

	(void)state;
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
		make_store_dir(&dir);
		assert_int_equal(chmod(dir.path, modes[i]), 0);
		expect_not_opened(
			&dir, dir.path,
			"must be owned by the scheduler's user and must not be writable by group or others");
	}
}

static void a_folder_of_another_user_is_refused(void **state)
{
	struct store_dir dir = {.path = ""};

	(void)state;
	if (geteuid() != 0)
		skip();
	make_store_dir(&dir);
	assert_int_equal(chown(dir.path, NOBODY, NOBODY), 0);
	expect_not_opened(&dir, dir.path, "must be owned by the scheduler's user");
}

static void a_symbolic_link_or_a_missing_folder_is_refused(void **state)
{
	struct store_dir dir = {.path = ""};

	(void)state;
	make_store_dir(&dir);
	expect_not_opened(&dir, name_in(&dir, "none"), "cannot be used: No such file or directory");
	make_store_dir(&dir);
	assert_int_equal(symlink("/", name_in(&dir, "link")), 0);
	expect_not_opened(&dir, name_in(&dir, "link"), "cannot be used: Not a directory");
}

static void an_obstacle_that_is_not_a_socket_is_reported(void **state)
{
	struct store_dir dir = {.path = ""};

	(void)state;
	make_store_dir(&dir);
	assert_int_equal(mkdir(name_in(&dir, DOOR_SOCKET), 0700), 0);
	expect_not_opened(&dir, dir.path, "/sock cannot be created: Is a directory");
}

static void a_stale_socket_is_replaced(void **state)
{
	struct door_scene s;
	int listening, connection;

	(void)state;
	scene_open(&s, false);
	listening = door_hand_over(s.door);
	door_close(s.door);
	close(listening);
	assert_int_equal(mode_of_socket(&s), 0600);
	assert_int_equal(door_knock(s.dir.path, &err), -1);
	assert_int_equal(errno, ECONNREFUSED);
	s.door = door_open(s.dir.path, false, scene_handler(&s), &err);
	assert_non_null(s.door);
	connection = scene_knock(&s);
	expect_echo(&s, connection, "here");
	close(connection);
	scene_close(&s);
}

/* The path of a socket is limited to 108 bytes. */
static void the_path_of_the_folder_may_exceed_that_of_a_socket(void **state)
{
	struct door_scene s;
	struct store_dir dir = {.path = ""};
	char path[400];
	int connection;

	(void)state;
	make_store_dir(&dir);
	snprintf(path, sizeof path, "%.64s/%0200d", dir.path, 1);
	assert_int_equal(mkdir(path, 0700), 0);
	scene_open(&s, false);
	door_close(s.door);
	s.door = door_open(path, false, scene_handler(&s), &err);
	assert_non_null(s.door);
	connection = door_knock(path, &err);
	expect_echo(&s, connection, "far");
	close(connection);
	scene_close(&s);
	remove_store_dir(&dir);
}

/* --- socket handed over to a new process
 * ------------------------------------------------------------------------------ */

static void an_adopted_socket_continues_to_accept_clients(void **state)
{
	struct door_scene s;
	struct door *old;
	int listening, let_in, waiting;

	(void)state;
	scene_open(&s, false);
	old = s.door;
	let_in = scene_knock(&s);
	expect_echo(&s, let_in, "old");
	listening = door_hand_over(old);
	assert_int_equal(fcntl(listening, F_GETFD), 0); /* stays open across exec */
	door_close(old);
	waiting = scene_knock(&s);
	s.door = door_adopt(listening, s.dir.path, scene_handler(&s), &err);
	assert_non_null(s.door);
	assert_int_equal(fcntl(listening, F_GETFD), FD_CLOEXEC);
	expect_closed(&s, let_in);
	expect_echo(&s, waiting, "new");
	close(let_in);
	close(waiting);
	scene_close(&s);
}

static void only_a_listening_socket_is_adopted(void **state)
{
	struct door_scene s;
	int pair[2];

	(void)state;
	scene_open(&s, false);
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
	assert_null(door_adopt(pair[0], s.dir.path, scene_handler(&s), &err));
	assert_non_null(strstr(err.text, "is not listening"));
	assert_int_equal(fcntl(pair[0], F_GETFD), -1);
	assert_null(door_adopt(open("/dev/null", O_RDONLY), s.dir.path, scene_handler(&s), &err));
	close(pair[1]);
	scene_close(&s);
}

/* --- many connections ----------------------------------------------------------------------------- */

/* Switches to another user permanently; call it in a child process. */
static bool become(unsigned uid)
{
	return setresgid(uid, uid, uid) == 0 && setresuid(uid, uid, uid) == 0;
}

/* Opens 1000 idle connections as user nobody. Returns how many were accepted; 0: a call failed. */
static int open_idle_as_nobody(const struct door_scene *s)
{
	int let_in = 0;

	if (!become(NOBODY))
		return 0;
	for (int i = 0; i < 1000; i++) {
		int connection = door_knock(s->dir.path, NULL);
		struct pollfd fd = {.fd = connection, .events = POLLIN};

		if (connection < 0)
			return 0;
		if (poll(&fd, 1, i < DOOR_PER_USER ? 0 : WAIT_MS) == 0)
			let_in++;
		else
			close(connection);
	}
	return let_in;
}

static int ask_as_stranger(const struct door_scene *s)
{
	struct str answer = {0};
	int fd;

	if (!become(STRANGER))
		return 1;
	return !door_ask(door_knock(s->dir.path, NULL), "x", 1, &answer, &fd, WAIT_MS, NULL);
}

/* The child keeps its connections open until it is killed. */
static pid_t start_idle_clients(const struct door_scene *s, int tell[static 2])
{
	pid_t pid;

	assert_int_equal(pipe2(tell, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		char let_in = (char)open_idle_as_nobody(s);

		(void)!write(tell[1], &let_in, 1);
		pause();
		_exit(0);
	}
	assert_true(pid > 0);
	return pid;
}

static void a_thousand_idle_connections_of_a_user_do_not_exclude_others(void **state)
{
	struct door_scene s;
	int tell[2], status;
	int64_t start_ms;
	char let_in = 0;
	pid_t crowd, stranger;

	(void)state;
	if (geteuid() != 0)
		skip();
	scene_open(&s, true);
	s.door->patience_ms = WAIT_MS;
	scene_start_thread(&s);
	crowd = start_idle_clients(&s, tell);
	assert_int_equal(read(tell[0], &let_in, 1), 1);
	assert_int_equal(let_in, DOOR_PER_USER);
	start_ms = monotonic_ms();
	stranger = fork();
	if (stranger == 0)
		_exit(ask_as_stranger(&s));
	assert_int_equal(waitpid(stranger, &status, 0), stranger);
	assert_int_equal(status, 0);
	/* Takes a few ms with the fork; had it waited for an idle connection to expire, it would take
	 * WAIT_MS. */
	assert_true(monotonic_ms() - start_ms < WAIT_MS / 2);
	kill(crowd, SIGKILL);
	waitpid(crowd, &status, 0);
	close(tell[0]);
	close(tell[1]);
	scene_close(&s);
	assert_int_equal(s.peer.uid, STRANGER);
	assert_int_equal(s.peer.pid, stranger);
}

/* --- processor time of users ---------------------------------------------------------------------- */

static int64_t cost_ns, required_wait_ms;

static void note_cost(void *self, const struct peer *peer, int64_t ns)
{
	(void)self;
	assert_int_equal(peer->uid, geteuid());
	cost_ns += ns;
}

static int64_t required_wait(void *self, const struct peer *peer)
{
	(void)self;
	(void)peer;
	return required_wait_ms;
}

static void open_charged(struct door_scene *s)
{
	scene_open(s, false);
	s->door->handler.charge = note_cost;
	s->door->handler.wait_ms = required_wait;
	cost_ns = required_wait_ms = 0;
}

static void processor_time_of_connections_is_charged_except_to_trusted_users(void **state)
{
	struct door_scene s;
	int64_t accepted_ns, read_ns;
	int connection;

	(void)state;
	open_charged(&s);
	connection = scene_knock(&s);
	expect_echo(&s, connection, "root's own");
	assert_int_equal(cost_ns, 0);
	close(connection);
	scene_distrust(&s);
	connection = scene_knock(&s);
	door_turn(s.door);
	accepted_ns = cost_ns;
	assert_true(accepted_ns > 0);
	expect_echo(&s, connection, "x");
	read_ns = cost_ns;
	assert_true(read_ns > accepted_ns);
	close(connection);
	door_turn(s.door);
	assert_true(cost_ns > read_ns);
	scene_close(&s);
}

static void use_processor(int64_t ns)
{
	int64_t until_ns = monotonic_thread_ns() + ns;

	while (monotonic_thread_ns() < until_ns)
		;
}

static void handle_slowly(void *self, struct door_request *request, const struct peer *peer,
			  const void *bytes, size_t size)
{
	use_processor(10000000);
	scene_handle(self, request, peer, bytes, size);
}

/* Otherwise a user with large requests on many connections would delay all other users. */
static void a_turn_serves_further_connections_of_a_user_only_while_time_is_left(void **state)
{
	struct door_scene s;
	int connection[3];

	(void)state;
	open_charged(&s);
	for (int i = 0; i < 3; i++) {
		connection[i] = scene_knock(&s);
		expect_echo(&s, connection[i], "few ms");
	}
	s.asked = 0;
	s.door->handler.handle = handle_slowly;
	s.door->served_ns = 3000000;
	for (int i = 0; i < 3; i++)
		send_text(connection[i], "much", true);
	for (int i = 1; i <= 3; i++) {
		door_turn(s.door);
		assert_int_equal(s.asked, i);
		send_text(connection[0], "more", true); /* does not overtake the waiting ones */
	}
	for (int i = 0; i < 3; i++)
		expect_answer(&s, connection[i], "much");
	for (int i = 0; i < 3; i++)
		close(connection[i]);
	scene_close(&s);
}

/* Nothing of the user is read, accepted or answered, and the door does not spin meanwhile. */
static void requests_of_a_user_without_allowance_are_postponed(void **state)
{
	struct door_scene s;
	int early, late, leaving;

	(void)state;
	open_charged(&s);
	scene_distrust(&s);
	early = scene_knock(&s);
	leaving = scene_knock(&s);
	expect_echo(&s, early, "x");
	expect_echo(&s, leaving, "x");
	required_wait_ms = WAIT_MS;
	send_text(early, "early", true);
	late = scene_knock(&s);
	send_text(late, "late", true);
	for (int i = 0; i < 5; i++)
		door_turn(s.door);
	assert_int_equal(s.asked, 2);
	assert_int_equal(s.door->paused, 1);
	assert_int_equal(s.door->parked_count, 1);
	assert_true(door_wait_ms(s.door) > 0);
	close(leaving);
	door_turn(s.door); /* notices the close, pauses the connection, and drops it */
	door_turn(s.door);
	assert_int_equal(s.door->count, 1);
	required_wait_ms = 0;
	s.door->connection[0]->paused_ms = s.door->parked[0].until_ms = monotonic_ms();
	expect_answer(&s, early, "early");
	expect_answer(&s, late, "late");
	assert_int_equal(s.door->paused, 0);
	close(early);
	close(late);
	scene_close(&s);
}

/* --- peers that are not admitted ------------------------------------------------------------------ */

static bool refuse_stranger(void *self, const struct peer *peer, struct err *why)
{
	(void)self;
	return peer->uid != STRANGER || err_set(why, "%u is not admitted", (unsigned)peer->uid);
}

static int is_refused_with_the_reason(const struct door_scene *s)
{
	struct str answer = {0};
	int fd;

	return !become(STRANGER) ||
	       door_ask(door_knock(s->dir.path, NULL), "x", 1, &answer, &fd, WAIT_MS, &err) ||
	       errno != EACCES || strcmp(err.text, "65533 is not admitted") != 0;
}

static void a_refused_peer_gets_the_reason_and_uses_no_resources(void **state)
{
	struct door_scene s;
	int status;
	pid_t pid;

	(void)state;
	if (geteuid() != 0)
		skip();
	scene_open(&s, true);
	s.door->handler.admits = refuse_stranger;
	scene_start_thread(&s);
	pid = fork();
	if (pid == 0)
		_exit(is_refused_with_the_reason(&s));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	s.stop = true;
	pthread_join(s.thread, NULL);
	s.runs = false;
	assert_int_equal(s.door->users, 0);
	assert_int_equal(s.door->count, 0);
	assert_int_equal(s.asked, 0);
	scene_close(&s);
}

/* Starts a process of user `uid` that opens `count` connections, reports that they are open, and keeps them.
 */
static pid_t start_client(const struct door_scene *s, unsigned uid, int count)
{
	int tell[2];
	char word = 0;
	pid_t pid;

	assert_int_equal(pipe2(tell, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		bool good = become(uid) && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;

		for (int i = 0; i < count; i++)
			good = good && door_knock(s->dir.path, NULL) >= 0;
		word = good ? 'k' : 'x';
		(void)!write(tell[1], &word, 1);
		pause();
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(read(tell[0], &word, 1), 1);
	assert_int_equal(word, 'k');
	close(tell[0]);
	close(tell[1]);
	return pid;
}

static size_t count_accepted(const struct door *door, unsigned uid)
{
	size_t count = 0;

	for (size_t i = 0; i < door->count; i++)
		count += door->connection[i]->peer.uid == uid && door->connection[i]->doing != GONE;
	return count;
}

static void a_turn_accepts_a_share_of_a_flood_and_all_of_other_users(void **state)
{
	const struct door_limits limits = {150, DOOR_HELD, DOOR_RATE};
	pid_t flood, stranger;
	struct door_scene s;
	int turns = 0;

	(void)state;
	if (geteuid() != 0)
		skip();
	scene_open(&s, true);
	door_set_limits(s.door, &limits);
	flood = start_client(&s, NOBODY, 200);
	stranger = start_client(&s, STRANGER, 1);
	door_turn(s.door);
	assert_int_equal(count_accepted(s.door, STRANGER), 1);
	assert_int_equal(count_accepted(s.door, NOBODY), TURN_USER_NEW);
	assert_int_equal(door_wait_ms(s.door), 0); /* the others still wait */
	while (door_wait_ms(s.door) == 0 && turns < 100) {
		door_turn(s.door);
		turns++;
	}
	assert_int_equal(count_accepted(s.door, NOBODY), limits.connections);
	assert_int_equal(turns, (limits.connections - 1) / TURN_USER_NEW);
	kill(flood, SIGKILL);
	kill(stranger, SIGKILL);
	assert_int_equal(waitpid(flood, NULL, 0), flood);
	assert_int_equal(waitpid(stranger, NULL, 0), stranger);
	scene_close(&s);
}

static void parked_connections_are_closed_with_the_door(void **state)
{
	int connection[TURN_USER_NEW + 2];
	struct door_scene s;
	struct packet p;

	(void)state;
	scene_open(&s, false);
	scene_distrust(&s);
	for (int i = 0; i < TURN_USER_NEW + 2; i++)
		connection[i] = scene_knock(&s);
	door_turn(s.door);
	scene_close(&s);
	for (int i = 0; i < TURN_USER_NEW + 2; i++) {
		assert_int_equal(packet_receive(connection[i], &p, NULL), PACKET_CLOSED);
		close(connection[i]);
	}
}

static void connections_of_a_user_are_limited(void **state)
{
	int connection[DOOR_PER_USER], more;
	struct door_scene s;

	(void)state;
	scene_open(&s, false);
	scene_distrust(&s);
	for (int i = 0; i < DOOR_PER_USER; i++)
		connection[i] = scene_knock(&s);
	more = scene_knock(&s);
	expect_refusal(&s, more, "this user has too many connections open (maxuserconnections); close some");
	close(more);
	close(connection[0]);
	expect_echo(&s, connection[1], "still in");
	more = scene_knock(&s);
	expect_echo(&s, more, "in again");
	close(more);
	for (int i = 1; i < DOOR_PER_USER; i++)
		close(connection[i]);
	scene_close(&s);
}

static void a_full_door_closes_the_longest_idle_connection(void **state)
{
	struct door_scene s;
	int half, first, second, third;

	(void)state;
	scene_open(&s, false);
	scene_distrust(&s);
	s.door->most = 3;
	half = scene_knock(&s);
	expect_echo(&s, half, "x");
	send_text(half, "half a requ", false);
	first = scene_knock(&s);
	expect_echo(&s, first, "x");
	s.door->connection[1]->since_ms -= 1000; /* the first */
	second = scene_knock(&s);
	expect_echo(&s, second, "x");
	third = scene_knock(&s);
	expect_echo(&s, third, "x");
	expect_closed(&s, first);
	expect_echo(&s, second, "x");
	send_text(half, "est", true);
	expect_answer(&s, half, "half a request");
	close(half);
	close(first);
	close(second);
	close(third);
	scene_close(&s);
}

static void a_full_door_without_idle_connections_refuses_a_new_one(void **state)
{
	struct door_scene s;
	int waiting_client, second;

	(void)state;
	scene_open(&s, false);
	scene_distrust(&s);
	s.door->most = 1;
	s.keep = true;
	waiting_client = scene_knock(&s);
	send_text(waiting_client, "wait", true);
	while (s.asked == 0)
		door_turn(s.door);
	second = scene_knock(&s);
	expect_refusal(&s, second, "too many connections are open; try again in a while");
	assert_true(scene_answer_kept(&s, 0));
	expect_answer(&s, waiting_client, "wait");
	close(waiting_client);
	close(second);
	scene_close(&s);
}

/* Starts a process of user `uid` that sends half a request on each of `count` connections and reopens those
 * that are closed. It ends with the test. */
static pid_t start_half_requests(const struct door_scene *s, unsigned uid, int count)
{
	int tell[2];
	char word = 0;
	pid_t pid;

	assert_int_equal(pipe2(tell, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		struct pollfd fd[64] = {{.fd = 0}};

		if (!become(uid) || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
			_exit(1);
		for (int round = 0;; round++) {
			for (int i = 0; i < count; i++) {
				if (round > 0 && fd[i].revents == 0)
					continue;
				if (round > 0)
					close(fd[i].fd);
				fd[i] = (struct pollfd){door_knock(s->dir.path, NULL), POLLIN, 0};
				if (fd[i].fd >= 0)
					packet_send(fd[i].fd, PACKET_DATA, false, "half", 4, -1);
			}
			if (round == 0)
				(void)!write(tell[1], "h", 1);
			poll(fd, (nfds_t)count, WAIT_MS);
		}
	}
	assert_true(pid > 0);
	assert_int_equal(read(tell[0], &word, 1), 1);
	close(tell[0]);
	close(tell[1]);
	return pid;
}

/* Users that occupy all connections do not exclude a user that has none. */
static void a_user_without_connections_replaces_one_of_the_user_with_most(void **state)
{
	struct door_scene s;
	pid_t crowd[2], stranger;
	int status;

	(void)state;
	if (geteuid() != 0)
		skip();
	scene_open(&s, true);
	s.door->patience_ms = WAIT_MS;
	s.door->most = 32;
	crowd[0] = start_half_requests(&s, NOBODY, 16);
	crowd[1] = start_half_requests(&s, NOBODY - 2, 16);
	while (s.door->count < s.door->most)
		door_turn(s.door);
	scene_start_thread(&s);
	for (int i = 0; i < 20; i++) {
		stranger = fork();
		if (stranger == 0)
			_exit(ask_as_stranger(&s));
		assert_int_equal(waitpid(stranger, &status, 0), stranger);
		assert_int_equal(status, 0);
	}
	for (int i = 0; i < 2; i++) {
		kill(crowd[i], SIGKILL);
		waitpid(crowd[i], &status, 0);
	}
	scene_close(&s);
}

/* The user with the most connections waits for an answer on one of them, which is closed last. */
static void idle_connections_are_replaced_before_the_oldest_unfinished_request(void **state)
{
	struct door_scene s;
	int reading, waiting_client, idle, other;
	pid_t stranger;

	(void)state;
	if (geteuid() != 0)
		skip();
	scene_open(&s, true);
	scene_distrust(&s);
	s.door->patience_ms = WAIT_MS;
	s.door->most = 3;
	s.keep = true;
	reading = scene_knock(&s);
	send_text(reading, "half", false);
	door_turn(s.door);
	door_turn(s.door);
	s.door->connection[0]->since_ms -= 1000;
	waiting_client = scene_knock(&s);
	send_text(waiting_client, "wait", true);
	while (s.asked == 0)
		door_turn(s.door);
	idle = scene_knock(&s);
	door_turn(s.door);
	stranger = start_client(&s, STRANGER, 1);
	door_turn(s.door);
	expect_closed(&s, idle);
	assert_int_equal(count_accepted(s.door, STRANGER), 1);
	other = (int)start_client(&s, NOBODY, 1);
	door_turn(s.door);
	expect_closed(&s, reading);
	assert_int_equal(count_accepted(s.door, NOBODY), 1);
	assert_int_equal(count_accepted(s.door, STRANGER), 1);
	assert_true(scene_answer_kept(&s, 0));
	expect_answer(&s, waiting_client, "wait");
	kill(stranger, SIGKILL);
	kill(other, SIGKILL);
	waitpid(stranger, NULL, 0);
	waitpid(other, NULL, 0);
	close(reading);
	close(waiting_client);
	close(idle);
	scene_close(&s);
}

/* --- no descriptors left -------------------------------------------------------------------------- */

struct shortage {
	struct rlimit before;
	int held[256], count;
};

/* valgrind enforces this limit itself: it accepts a connection and then reports that there is no descriptor.
 */
static bool kernel_enforces_the_limit(void)
{
	const char *preloaded = getenv("LD_PRELOAD");

	return preloaded == NULL || strstr(preloaded, "vgpreload") == NULL;
}

static void begin_shortage(struct shortage *shortage)
{
	struct rlimit few;

	*shortage = (struct shortage){.count = 0};
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &shortage->before), 0);
	few = (struct rlimit){.rlim_cur = 64, .rlim_max = shortage->before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	while (shortage->count < 256 && (shortage->held[shortage->count] = dup(0)) >= 0)
		shortage->count++;
	assert_in_range(shortage->count, 1, 255);
}

static void end_shortage(struct shortage *shortage)
{
	while (shortage->count > 0)
		close(shortage->held[--shortage->count]);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &shortage->before), 0);
}

static bool is_readable(const struct door_scene *s)
{
	struct pollfd fd = {.fd = door_fd(s->door), .events = POLLIN};

	return poll(&fd, 1, 0) == 1;
}

static void without_descriptors_the_door_pauses_and_retries_by_itself(void **state)
{
	struct shortage shortage;
	struct door_scene s;
	int connection;

	(void)state;
	if (!kernel_enforces_the_limit())
		skip();
	scene_open(&s, false);
	assert_int_equal(door_wait_ms(s.door), -1);
	connection = scene_knock(&s);
	begin_shortage(&shortage);
	assert_true(is_readable(&s));
	door_turn(s.door);
	assert_false(is_readable(&s));
	assert_in_range(door_wait_ms(s.door), 0, 1000);
	end_shortage(&shortage);
	expect_echo(&s, connection, "at last");
	close(connection);
	scene_close(&s);
}

static void without_descriptors_the_newest_parked_connection_is_refused(void **state)
{
	int connection[TURN_USER_NEW + 2], more;
	struct shortage shortage;
	struct door_scene s;

	(void)state;
	if (!kernel_enforces_the_limit())
		skip();
	scene_open(&s, false);
	scene_distrust(&s);
	for (int i = 0; i < TURN_USER_NEW + 2; i++)
		connection[i] = scene_knock(&s);
	door_turn(s.door);
	more = scene_knock(&s);
	begin_shortage(&shortage);
	s.door->turn--; /* the user's share of the turn is used up, so both stay parked */
	door_turn(s.door);
	expect_refusal(&s, connection[TURN_USER_NEW + 1],
		       "the scheduler has no file descriptors left; try again in a while");
	end_shortage(&shortage);
	expect_echo(&s, connection[TURN_USER_NEW], "let in");
	for (int i = 0; i < TURN_USER_NEW + 2; i++)
		close(connection[i]);
	close(more);
	scene_close(&s);
}

static void without_descriptors_a_new_connection_replaces_the_longest_idle(void **state)
{
	struct shortage shortage;
	struct door_scene s;
	int idle, connection;

	(void)state;
	if (!kernel_enforces_the_limit())
		skip();
	scene_open(&s, false);
	idle = scene_knock(&s);
	expect_echo(&s, idle, "x");
	connection = scene_knock(&s);
	begin_shortage(&shortage);
	expect_echo(&s, connection, "in its place");
	expect_closed(&s, idle);
	end_shortage(&shortage);
	close(idle);
	close(connection);
	scene_close(&s);
}

/* --- limits of a user ----------------------------------------------------------------------------- */

/* These tests call the functions of a user's record directly, with chosen times. */

/* Only the limits of this door are read. */
static const struct door plain = {.limits = {DOOR_PER_USER, DOOR_HELD, DOOR_RATE}};

static struct door_user full_bucket(int64_t at_ms)
{
	return (struct door_user){.uid = 7, .requests = DOOR_RATE, .at_ms = at_ms};
}

static int ask_at(struct door_user *user, int64_t at_ms)
{
	int asked = 0;

	while (asked < 10 * DOOR_RATE && user_may_ask(&plain, user, at_ms))
		asked++;
	return asked;
}

static void a_burst_of_requests_is_limited_then_their_rate(void **state)
{
	struct door_user user = full_bucket(1000);

	(void)state;
	assert_int_equal(ask_at(&user, 1000), DOOR_RATE);
	assert_int_equal(ask_at(&user, 1000), 0);
	assert_int_equal(ask_at(&user, 1100), DOOR_RATE / 10);
	assert_int_equal(ask_at(&user, 2100), DOOR_RATE);
}

static void a_long_pause_permits_one_burst_only(void **state)
{
	struct door_user user = full_bucket(0);

	(void)state;
	assert_int_equal(ask_at(&user, 0), DOOR_RATE);
	assert_int_equal(ask_at(&user, 86400000), DOOR_RATE);
}

static void a_trusted_user_has_no_rate_limit(void **state)
{
	struct door_user user = full_bucket(0);

	(void)state;
	user.trusted = true;
	assert_int_equal(ask_at(&user, 0), 10 * DOOR_RATE);
}

static void only_root_and_the_user_of_the_scheduler_are_trusted(void **state)
{
	struct door door = {.limits = {DOOR_PER_USER, DOOR_HELD, DOOR_RATE}};

	(void)state;
	assert_true(user_of(&door, 0)->trusted);
	assert_true(user_of(&door, geteuid())->trusted);
	assert_false(user_of(&door, geteuid() + 1)->trusted);
	while (door.users > 0)
		free(door.user[--door.users]);
	free(door.user);
}

static void a_record_of_a_user_is_reused_when_it_is_empty(void **state)
{
	struct door door = {.limits = {DOOR_PER_USER, DOOR_HELD, DOOR_RATE}};
	struct door_user *stays, *asked, *leaving;

	(void)state;
	stays = user_of(&door, 1001);
	stays->connections = 1;
	asked = user_of(&door, 1002);
	assert_true(user_may_ask(&door, asked, asked->at_ms));
	asked->at_ms += 1000000; /* as if the request was recent */
	leaving = user_of(&door, 1003);
	assert_ptr_equal(user_of(&door, 1001), stays);
	assert_ptr_equal(user_of(&door, 1002), asked);
	assert_ptr_equal(user_of(&door, 1003), leaving);
	assert_int_equal(door.users, 3);
	user_of(&door, 1004);
	assert_int_equal(door.users, 3);
	assert_ptr_equal(user_of(&door, 1001), stays);
	assert_ptr_equal(user_of(&door, 1002), asked);
	while (door.users > 0)
		free(door.user[--door.users]);
	free(door.user);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_socket_is_accessible_to_all_users_or_only_to_its_owner),
		cmocka_unit_test(a_folder_that_others_can_write_to_is_refused),
		cmocka_unit_test(a_folder_of_another_user_is_refused),
		cmocka_unit_test(a_symbolic_link_or_a_missing_folder_is_refused),
		cmocka_unit_test(an_obstacle_that_is_not_a_socket_is_reported),
		cmocka_unit_test(a_stale_socket_is_replaced),
		cmocka_unit_test(the_path_of_the_folder_may_exceed_that_of_a_socket),
		cmocka_unit_test(an_adopted_socket_continues_to_accept_clients),
		cmocka_unit_test(only_a_listening_socket_is_adopted),
		cmocka_unit_test(a_thousand_idle_connections_of_a_user_do_not_exclude_others),
		cmocka_unit_test(processor_time_of_connections_is_charged_except_to_trusted_users),
		cmocka_unit_test(a_turn_serves_further_connections_of_a_user_only_while_time_is_left),
		cmocka_unit_test(requests_of_a_user_without_allowance_are_postponed),
		cmocka_unit_test(a_refused_peer_gets_the_reason_and_uses_no_resources),
		cmocka_unit_test(a_turn_accepts_a_share_of_a_flood_and_all_of_other_users),
		cmocka_unit_test(parked_connections_are_closed_with_the_door),
		cmocka_unit_test(connections_of_a_user_are_limited),
		cmocka_unit_test(a_full_door_closes_the_longest_idle_connection),
		cmocka_unit_test(a_full_door_without_idle_connections_refuses_a_new_one),
		cmocka_unit_test(a_user_without_connections_replaces_one_of_the_user_with_most),
		cmocka_unit_test(idle_connections_are_replaced_before_the_oldest_unfinished_request),
		cmocka_unit_test(without_descriptors_the_door_pauses_and_retries_by_itself),
		cmocka_unit_test(without_descriptors_the_newest_parked_connection_is_refused),
		cmocka_unit_test(without_descriptors_a_new_connection_replaces_the_longest_idle),
		cmocka_unit_test(a_burst_of_requests_is_limited_then_their_rate),
		cmocka_unit_test(a_long_pause_permits_one_burst_only),
		cmocka_unit_test(a_trusted_user_has_no_rate_limit),
		cmocka_unit_test(only_root_and_the_user_of_the_scheduler_are_trusted),
		cmocka_unit_test(a_record_of_a_user_is_reused_when_it_is_empty),
	};

	return cmocka_run_group_tests_name("door", tests, NULL, NULL);
}
