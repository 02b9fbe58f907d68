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

/* --- the socket --------------------------------------------------------------------------------- */

static int mode_of_socket(struct door_scene *s)
{
	struct stat st;

	assert_int_equal(stat(name_in(&s->dir, DOOR_SOCKET), &st), 0);
	assert_true(S_ISSOCK(st.st_mode));
	return (int)(st.st_mode & 0777);
}

static void only_whom_it_is_for_can_reach_the_socket(void **state)
{
	mode_t before = umask(0077);
	struct door_scene s;

	(void)state;
	scene_open(&s, true);
	assert_int_equal(mode_of_socket(&s), 0666);
	scene_end(&s);
	umask(0);
	scene_open(&s, false);
	assert_int_equal(mode_of_socket(&s), 0600);
	scene_end(&s);
	umask(before);
}

static void no_door_in(struct store_dir *dir, const char *path, const char *why)
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
		no_door_in(
			&dir, dir.path,
			"must be owned by the scheduler's user and must not be writable by group or others");
	}
}

static void a_folder_of_somebody_else_is_refused(void **state)
{
	struct store_dir dir = {.path = ""};

	(void)state;
	if (geteuid() != 0)
		skip();
	make_store_dir(&dir);
	assert_int_equal(chown(dir.path, NOBODY, NOBODY), 0);
	no_door_in(&dir, dir.path, "must be owned by the scheduler's user");
}

static void a_folder_behind_a_link_or_none_is_refused(void **state)
{
	struct store_dir dir = {.path = ""};

	(void)state;
	make_store_dir(&dir);
	no_door_in(&dir, name_in(&dir, "none"), "cannot be used: No such file or directory");
	make_store_dir(&dir);
	assert_int_equal(symlink("/", name_in(&dir, "link")), 0);
	no_door_in(&dir, name_in(&dir, "link"), "cannot be used: Not a directory");
}

static void what_lies_in_the_way_and_is_no_socket_is_named(void **state)
{
	struct store_dir dir = {.path = ""};

	(void)state;
	make_store_dir(&dir);
	assert_int_equal(mkdir(name_in(&dir, DOOR_SOCKET), 0700), 0);
	no_door_in(&dir, dir.path, "/sock cannot be created: Is a directory");
}

static void a_socket_left_over_is_taken_away(void **state)
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
	must_echo(&s, connection, "here");
	close(connection);
	scene_end(&s);
}

/* A socket's own path may have 108 bytes. */
static void the_folder_may_be_far_away(void **state)
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
	must_echo(&s, connection, "far");
	close(connection);
	scene_end(&s);
	remove_store_dir(&dir);
}

/* --- a new program ------------------------------------------------------------------------------ */

static void a_handed_over_socket_goes_on(void **state)
{
	struct door_scene s;
	struct door *old;
	int listening, let_in, waiting;

	(void)state;
	scene_open(&s, false);
	old = s.door;
	let_in = scene_knock(&s);
	must_echo(&s, let_in, "old");
	listening = door_hand_over(old);
	assert_int_equal(fcntl(listening, F_GETFD), 0); /* it stays open across exec */
	door_close(old);
	waiting = scene_knock(&s);
	s.door = door_adopt(listening, s.dir.path, scene_handler(&s), &err);
	assert_non_null(s.door);
	assert_int_equal(fcntl(listening, F_GETFD), FD_CLOEXEC);
	must_be_closed(&s, let_in);
	must_echo(&s, waiting, "new");
	close(let_in);
	close(waiting);
	scene_end(&s);
}

static void what_is_no_listening_socket_is_not_adopted(void **state)
{
	struct door_scene s;
	int pair[2];

	(void)state;
	scene_open(&s, false);
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
	assert_null(door_adopt(pair[0], s.dir.path, scene_handler(&s), &err));
	assert_non_null(strstr(err.text, "does not listen"));
	assert_int_equal(fcntl(pair[0], F_GETFD), -1);
	assert_null(door_adopt(open("/dev/null", O_RDONLY), s.dir.path, scene_handler(&s), &err));
	close(pair[1]);
	scene_end(&s);
}

/* --- many connections -------------------------------------------------------------------------------------
 */

/* Takes on somebody else's rights for good, in a process of its own. */
static bool become(unsigned uid)
{
	return setresgid(uid, uid, uid) == 0 && setresuid(uid, uid, uid) == 0;
}

/* As nobody: 1000 connections that do nothing. How many were let in; 0: something went wrong. */
static int idle_as_nobody(const struct door_scene *s)
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

/* The crowd stays until it is told to go. */
static pid_t begin_crowd(const struct door_scene *s, int tell[static 2])
{
	pid_t pid;

	assert_int_equal(pipe2(tell, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		char let_in = (char)idle_as_nobody(s);

		(void)!write(tell[1], &let_in, 1);
		pause();
		_exit(0);
	}
	assert_true(pid > 0);
	return pid;
}

static void a_user_with_a_thousand_idle_connections_keeps_nobody_out(void **state)
{
	struct door_scene s;
	int tell[2], status;
	int64_t begun_ms;
	char let_in = 0;
	pid_t crowd, stranger;

	(void)state;
	if (geteuid() != 0)
		skip();
	scene_open(&s, true);
	s.door->patience_ms = WAIT_MS;
	scene_go(&s);
	crowd = begin_crowd(&s, tell);
	assert_int_equal(read(tell[0], &let_in, 1), 1);
	assert_int_equal(let_in, DOOR_PER_USER);
	begun_ms = monotonic_ms();
	stranger = fork();
	if (stranger == 0)
		_exit(ask_as_stranger(&s));
	assert_int_equal(waitpid(stranger, &status, 0), stranger);
	assert_int_equal(status, 0);
	/* A few ms, with the fork; to wait for one of the crowd is to wait for its patience. */
	assert_true(monotonic_ms() - begun_ms < WAIT_MS / 2);
	kill(crowd, SIGKILL);
	waitpid(crowd, &status, 0);
	close(tell[0]);
	close(tell[1]);
	scene_end(&s);
	assert_int_equal(s.peer.uid, STRANGER);
	assert_int_equal(s.peer.pid, stranger);
}

/* --- processor time of users -------------------------------------------------------------------------------
 */

static int64_t cost_ns, must_wait_ms;

static void note_cost(void *self, const struct peer *peer, int64_t ns)
{
	(void)self;
	assert_int_equal(peer->uid, geteuid());
	cost_ns += ns;
}

static int64_t say_wait(void *self, const struct peer *peer)
{
	(void)self;
	(void)peer;
	return must_wait_ms;
}

static void open_charged(struct door_scene *s)
{
	scene_open(s, false);
	s->door->handler.charge = note_cost;
	s->door->handler.wait_ms = say_wait;
	cost_ns = must_wait_ms = 0;
}

static void what_connections_take_is_charged_but_not_to_root(void **state)
{
	struct door_scene s;
	int64_t let_in_ns, read_ns;
	int connection;

	(void)state;
	open_charged(&s);
	connection = scene_knock(&s);
	must_echo(&s, connection, "root's own");
	assert_int_equal(cost_ns, 0);
	close(connection);
	scene_distrust(&s);
	connection = scene_knock(&s);
	door_turn(s.door);
	let_in_ns = cost_ns;
	assert_true(let_in_ns > 0);
	must_echo(&s, connection, "x");
	read_ns = cost_ns;
	assert_true(read_ns > let_in_ns);
	close(connection);
	door_turn(s.door);
	assert_true(cost_ns > read_ns);
	scene_end(&s);
}

static void use_processor(int64_t ns)
{
	int64_t until_ns = monotonic_thread_ns() + ns;

	while (monotonic_thread_ns() < until_ns)
		;
}

static void note_and_use_processor(void *self, struct door_request *request, const struct peer *peer,
				   const void *bytes, size_t size)
{
	use_processor(10000000);
	scene_handle(self, request, peer, bytes, size);
}

/* Otherwise a user with large requests on many connections would delay all others by all of them. */
static void a_turn_serves_one_connection_of_a_user_and_others_while_time_is_left(void **state)
{
	struct door_scene s;
	int connection[3];

	(void)state;
	open_charged(&s);
	for (int i = 0; i < 3; i++) {
		connection[i] = scene_knock(&s);
		must_echo(&s, connection[i], "few ms");
	}
	s.asked = 0;
	s.door->handler.handle = note_and_use_processor;
	s.door->served_ns = 3000000;
	for (int i = 0; i < 3; i++)
		say(connection[i], "much", true);
	for (int i = 1; i <= 3; i++) {
		door_turn(s.door);
		assert_int_equal(s.asked, i);
		say(connection[0], "more", true); /* does not pass those that wait */
	}
	for (int i = 0; i < 3; i++)
		must_hear(&s, connection[i], "much");
	for (int i = 0; i < 3; i++)
		close(connection[i]);
	scene_end(&s);
}

/* Nothing is read, let in or answered, and the door does not spin meanwhile. */
static void who_has_used_up_the_allowance_is_put_off(void **state)
{
	struct door_scene s;
	int early, late, leaves;

	(void)state;
	open_charged(&s);
	scene_distrust(&s);
	early = scene_knock(&s);
	leaves = scene_knock(&s);
	must_echo(&s, early, "x");
	must_echo(&s, leaves, "x");
	must_wait_ms = WAIT_MS;
	say(early, "early", true);
	late = scene_knock(&s);
	say(late, "late", true);
	for (int i = 0; i < 5; i++)
		door_turn(s.door);
	assert_int_equal(s.asked, 2);
	assert_int_equal(s.door->paused, 1);
	assert_int_equal(s.door->parked_count, 1);
	assert_true(door_wait_ms(s.door) > 0);
	close(leaves);
	door_turn(s.door); /* sees it, pauses it, and drops it */
	door_turn(s.door);
	assert_int_equal(s.door->count, 1);
	must_wait_ms = 0;
	s.door->connection[0]->paused_ms = s.door->parked[0].until_ms = monotonic_ms();
	must_hear(&s, early, "early");
	must_hear(&s, late, "late");
	assert_int_equal(s.door->paused, 0);
	close(early);
	close(late);
	scene_end(&s);
}

/* --- peers that are not admitted ---------------------------------------------------------------------------
 */

static bool turns_away(void *self, const struct peer *peer, struct err *why)
{
	(void)self;
	return peer->uid != STRANGER || err_set(why, "%u is not admitted", (unsigned)peer->uid);
}

static int hear_why(const struct door_scene *s)
{
	struct str answer = {0};
	int fd;

	return !become(STRANGER) ||
	       door_ask(door_knock(s->dir.path, NULL), "x", 1, &answer, &fd, WAIT_MS, &err) ||
	       errno != EACCES || strcmp(err.text, "65533 is not admitted") != 0;
}

static void who_is_not_admitted_hears_why_and_takes_nothing(void **state)
{
	struct door_scene s;
	int status;
	pid_t pid;

	(void)state;
	if (geteuid() != 0)
		skip();
	scene_open(&s, true);
	s.door->handler.admits = turns_away;
	scene_go(&s);
	pid = fork();
	if (pid == 0)
		_exit(hear_why(&s));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	s.stop = true;
	pthread_join(s.thread, NULL);
	s.runs = false;
	assert_int_equal(s.door->users, 0);
	assert_int_equal(s.door->count, 0);
	assert_int_equal(s.asked, 0);
	scene_end(&s);
}

/* A process of that user that opens `count` connections, reports when they are open, and keeps them. */
static pid_t begin_knocks(const struct door_scene *s, unsigned uid, int count)
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

static size_t count_let_in(const struct door *door, unsigned uid)
{
	size_t count = 0;

	for (size_t i = 0; i < door->count; i++)
		count += door->connection[i]->peer.uid == uid && door->connection[i]->doing != GONE;
	return count;
}

static void of_a_flood_a_turn_lets_in_a_share_and_others_come_in_the_same_turn(void **state)
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
	flood = begin_knocks(&s, NOBODY, 200);
	stranger = begin_knocks(&s, STRANGER, 1);
	door_turn(s.door);
	assert_int_equal(count_let_in(s.door, STRANGER), 1);
	assert_int_equal(count_let_in(s.door, NOBODY), TURN_USER_NEW);
	assert_int_equal(door_wait_ms(s.door), 0); /* the others are not forgotten */
	while (door_wait_ms(s.door) == 0 && turns < 100) {
		door_turn(s.door);
		turns++;
	}
	assert_int_equal(count_let_in(s.door, NOBODY), limits.connections);
	assert_int_equal(turns, (limits.connections - 1) / TURN_USER_NEW);
	kill(flood, SIGKILL);
	kill(stranger, SIGKILL);
	assert_int_equal(waitpid(flood, NULL, 0), flood);
	assert_int_equal(waitpid(stranger, NULL, 0), stranger);
	scene_end(&s);
}

static void who_is_parked_when_the_door_closes_sees_its_end(void **state)
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
	scene_end(&s);
	for (int i = 0; i < TURN_USER_NEW + 2; i++) {
		assert_int_equal(packet_receive(connection[i], &p, NULL), PACKET_CLOSED);
		close(connection[i]);
	}
}

static void a_user_has_so_many_connections_and_no_more(void **state)
{
	int connection[DOOR_PER_USER], more;
	struct door_scene s;

	(void)state;
	scene_open(&s, false);
	scene_distrust(&s);
	for (int i = 0; i < DOOR_PER_USER; i++)
		connection[i] = scene_knock(&s);
	more = scene_knock(&s);
	must_be_refused(&s, more, "this user has too many connections open (maxuserconnections); close some");
	close(more);
	close(connection[0]);
	must_echo(&s, connection[1], "still in");
	more = scene_knock(&s);
	must_echo(&s, more, "in again");
	close(more);
	for (int i = 1; i < DOOR_PER_USER; i++)
		close(connection[i]);
	scene_end(&s);
}

static void when_all_places_are_taken_the_longest_idle_goes(void **state)
{
	struct door_scene s;
	int half, first, second, third;

	(void)state;
	scene_open(&s, false);
	scene_distrust(&s);
	s.door->most = 3;
	half = scene_knock(&s);
	must_echo(&s, half, "x");
	say(half, "half a requ", false);
	first = scene_knock(&s);
	must_echo(&s, first, "x");
	s.door->connection[1]->since_ms -= 1000; /* the first */
	second = scene_knock(&s);
	must_echo(&s, second, "x");
	third = scene_knock(&s);
	must_echo(&s, third, "x");
	must_be_closed(&s, first);
	must_echo(&s, second, "x");
	say(half, "est", true);
	must_hear(&s, half, "half a request");
	close(half);
	close(first);
	close(second);
	close(third);
	scene_end(&s);
}

static void when_nobody_is_idle_the_newcomer_is_told(void **state)
{
	struct door_scene s;
	int waits, second;

	(void)state;
	scene_open(&s, false);
	scene_distrust(&s);
	s.door->most = 1;
	s.keep = true;
	waits = scene_knock(&s);
	say(waits, "wait", true);
	while (s.asked == 0)
		door_turn(s.door);
	second = scene_knock(&s);
	must_be_refused(&s, second, "too many connections are open; try again in a while");
	assert_true(scene_answer_kept(&s, 0));
	must_hear(&s, waits, "wait");
	close(waits);
	close(second);
	scene_end(&s);
}

/*
 * A process of that user with `count` connections on each of which half a request has been sent; a connection
 * that is lost is begun anew. It ends when the door closes.
 */
static pid_t begin_halves(const struct door_scene *s, unsigned uid, int count)
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

/* Users with as many connections as all places together do not keep out one who has none. */
static void who_has_no_connection_gets_a_place_of_who_has_most(void **state)
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
	crowd[0] = begin_halves(&s, NOBODY, 16);
	crowd[1] = begin_halves(&s, NOBODY - 2, 16);
	while (s.door->count < s.door->most)
		door_turn(s.door);
	scene_go(&s);
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
	scene_end(&s);
}

/* A user with the most connections waits for an answer on one of them: the answer is given up last. */
static void of_who_has_most_the_idle_one_goes_first_then_what_began_first(void **state)
{
	struct door_scene s;
	int reads, waits, idle, other;
	pid_t stranger;

	(void)state;
	if (geteuid() != 0)
		skip();
	scene_open(&s, true);
	scene_distrust(&s);
	s.door->patience_ms = WAIT_MS;
	s.door->most = 3;
	s.keep = true;
	reads = scene_knock(&s);
	say(reads, "half", false);
	door_turn(s.door);
	door_turn(s.door);
	s.door->connection[0]->since_ms -= 1000;
	waits = scene_knock(&s);
	say(waits, "wait", true);
	while (s.asked == 0)
		door_turn(s.door);
	idle = scene_knock(&s);
	door_turn(s.door);
	stranger = begin_knocks(&s, STRANGER, 1);
	door_turn(s.door);
	must_be_closed(&s, idle);
	assert_int_equal(count_let_in(s.door, STRANGER), 1);
	other = (int)begin_knocks(&s, NOBODY, 1);
	door_turn(s.door);
	must_be_closed(&s, reads);
	assert_int_equal(count_let_in(s.door, NOBODY), 1);
	assert_int_equal(count_let_in(s.door, STRANGER), 1);
	assert_true(scene_answer_kept(&s, 0));
	must_hear(&s, waits, "wait");
	kill(stranger, SIGKILL);
	kill(other, SIGKILL);
	waitpid(stranger, NULL, 0);
	waitpid(other, NULL, 0);
	close(reads);
	close(waits);
	close(idle);
	scene_end(&s);
}

/* --- no descriptors left ------------------------------------------------------------------------ */

struct shortage {
	struct rlimit before;
	int held[256], count;
};

/* valgrind keeps this limit itself: it takes in who comes, then says that there is no room. */
static bool is_limit_kept_by_the_system(void)
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

static bool has_something_to_do(const struct door_scene *s)
{
	struct pollfd fd = {.fd = door_fd(s->door), .events = POLLIN};

	return poll(&fd, 1, 0) == 1;
}

static void without_descriptors_it_does_not_spin_and_comes_back_by_itself(void **state)
{
	struct shortage shortage;
	struct door_scene s;
	int connection;

	(void)state;
	if (!is_limit_kept_by_the_system())
		skip();
	scene_open(&s, false);
	assert_int_equal(door_wait_ms(s.door), -1);
	connection = scene_knock(&s);
	begin_shortage(&shortage);
	assert_true(has_something_to_do(&s));
	door_turn(s.door);
	assert_false(has_something_to_do(&s));
	assert_in_range(door_wait_ms(s.door), 0, 1000);
	end_shortage(&shortage);
	must_echo(&s, connection, "at last");
	close(connection);
	scene_end(&s);
}

static void without_descriptors_the_newest_parked_goes_first(void **state)
{
	int connection[TURN_USER_NEW + 2], more;
	struct shortage shortage;
	struct door_scene s;

	(void)state;
	if (!is_limit_kept_by_the_system())
		skip();
	scene_open(&s, false);
	scene_distrust(&s);
	for (int i = 0; i < TURN_USER_NEW + 2; i++)
		connection[i] = scene_knock(&s);
	door_turn(s.door);
	more = scene_knock(&s);
	begin_shortage(&shortage);
	s.door->turn--; /* the share of the turn is used up: both stay parked */
	door_turn(s.door);
	must_be_refused(&s, connection[TURN_USER_NEW + 1],
			"the scheduler has no file descriptors left; try again in a while");
	end_shortage(&shortage);
	must_echo(&s, connection[TURN_USER_NEW], "let in");
	for (int i = 0; i < TURN_USER_NEW + 2; i++)
		close(connection[i]);
	close(more);
	scene_end(&s);
}

static void without_descriptors_the_longest_idle_goes_for_who_comes(void **state)
{
	struct shortage shortage;
	struct door_scene s;
	int idle, connection;

	(void)state;
	if (!is_limit_kept_by_the_system())
		skip();
	scene_open(&s, false);
	idle = scene_knock(&s);
	must_echo(&s, idle, "x");
	connection = scene_knock(&s);
	begin_shortage(&shortage);
	must_echo(&s, connection, "in its place");
	must_be_closed(&s, idle);
	end_shortage(&shortage);
	close(idle);
	close(connection);
	scene_end(&s);
}

/* --- limits of a user ------------------------------------------------------------------------- */

/* Records of users alone, at times that the tests choose. */

/* Only its limits are looked at. */
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

static void so_many_may_be_asked_at_once_then_as_many_a_second(void **state)
{
	struct door_user user = full_bucket(1000);

	(void)state;
	assert_int_equal(ask_at(&user, 1000), DOOR_RATE);
	assert_int_equal(ask_at(&user, 1000), 0);
	assert_int_equal(ask_at(&user, 1100), DOOR_RATE / 10);
	assert_int_equal(ask_at(&user, 2100), DOOR_RATE);
}

static void a_long_rest_brings_no_more_than_one_burst(void **state)
{
	struct door_user user = full_bucket(0);

	(void)state;
	assert_int_equal(ask_at(&user, 0), DOOR_RATE);
	assert_int_equal(ask_at(&user, 86400000), DOOR_RATE);
}

static void who_is_trusted_asks_without_end(void **state)
{
	struct door_user user = full_bucket(0);

	(void)state;
	user.trusted = true;
	assert_int_equal(ask_at(&user, 0), 10 * DOOR_RATE);
}

static void root_and_ones_own_user_are_trusted_and_nobody_else(void **state)
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

static void a_user_has_one_record_until_there_is_nothing_to_remember(void **state)
{
	struct door door = {.limits = {DOOR_PER_USER, DOOR_HELD, DOOR_RATE}};
	struct door_user *stays, *asked, *leaves;

	(void)state;
	stays = user_of(&door, 1001);
	stays->connections = 1;
	asked = user_of(&door, 1002);
	assert_true(user_may_ask(&door, asked, asked->at_ms));
	asked->at_ms += 1000000; /* and that was not long ago */
	leaves = user_of(&door, 1003);
	assert_ptr_equal(user_of(&door, 1001), stays);
	assert_ptr_equal(user_of(&door, 1002), asked);
	assert_ptr_equal(user_of(&door, 1003), leaves);
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
		cmocka_unit_test(only_whom_it_is_for_can_reach_the_socket),
		cmocka_unit_test(a_folder_that_others_can_write_to_is_refused),
		cmocka_unit_test(a_folder_of_somebody_else_is_refused),
		cmocka_unit_test(a_folder_behind_a_link_or_none_is_refused),
		cmocka_unit_test(what_lies_in_the_way_and_is_no_socket_is_named),
		cmocka_unit_test(a_socket_left_over_is_taken_away),
		cmocka_unit_test(the_folder_may_be_far_away),
		cmocka_unit_test(a_handed_over_socket_goes_on),
		cmocka_unit_test(what_is_no_listening_socket_is_not_adopted),
		cmocka_unit_test(a_user_with_a_thousand_idle_connections_keeps_nobody_out),
		cmocka_unit_test(what_connections_take_is_charged_but_not_to_root),
		cmocka_unit_test(a_turn_serves_one_connection_of_a_user_and_others_while_time_is_left),
		cmocka_unit_test(who_has_used_up_the_allowance_is_put_off),
		cmocka_unit_test(who_is_not_admitted_hears_why_and_takes_nothing),
		cmocka_unit_test(of_a_flood_a_turn_lets_in_a_share_and_others_come_in_the_same_turn),
		cmocka_unit_test(who_is_parked_when_the_door_closes_sees_its_end),
		cmocka_unit_test(a_user_has_so_many_connections_and_no_more),
		cmocka_unit_test(when_all_places_are_taken_the_longest_idle_goes),
		cmocka_unit_test(when_nobody_is_idle_the_newcomer_is_told),
		cmocka_unit_test(who_has_no_connection_gets_a_place_of_who_has_most),
		cmocka_unit_test(of_who_has_most_the_idle_one_goes_first_then_what_began_first),
		cmocka_unit_test(without_descriptors_it_does_not_spin_and_comes_back_by_itself),
		cmocka_unit_test(without_descriptors_the_newest_parked_goes_first),
		cmocka_unit_test(without_descriptors_the_longest_idle_goes_for_who_comes),
		cmocka_unit_test(so_many_may_be_asked_at_once_then_as_many_a_second),
		cmocka_unit_test(a_long_rest_brings_no_more_than_one_burst),
		cmocka_unit_test(who_is_trusted_asks_without_end),
		cmocka_unit_test(root_and_ones_own_user_are_trusted_and_nobody_else),
		cmocka_unit_test(a_user_has_one_record_until_there_is_nothing_to_remember),
	};

	return cmocka_run_group_tests_name("door", tests, NULL, NULL);
}
