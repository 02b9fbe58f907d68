/* SPDX-License-Identifier: MIT */
/*
 * test_door_faults.c - unit tests of the scheduler's socket with failing system calls
 *
 * Each run opens a door, lets two clients ask, hands the socket over, and lets a third client ask the next
 * door. In run N, system call number N fails, on either side, until a run has fewer calls than that. A door
 * that cannot be opened reports why, an open door serves later clients, and no descriptor stays open. The
 * functions below replace those of the C library.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "tests/door_scene.h"

/* --- calls that fail ------------------------------------------------------------------------------ */

static long countdown; /* calls until one fails; 0 = none fails */
static int fault;      /* errno of the failure */
static long in_a_row;  /* number of calls that fail */
static bool has_failed;

static bool fails(void)
{
	if (countdown == 0)
		return false;
	if (countdown > 1) {
		countdown--;
		return false;
	}
	if (--in_a_row <= 0)
		countdown = 0;
	has_failed = true;
	errno = fault;
	return true;
}

/* The replaced function of the C library. */
#define REAL(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): replacements of functions of libc */
int open(const char *path, int flags, ...)
{
	va_list rest;
	mode_t mode;

	va_start(rest, flags);
	mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
	va_end(rest);
	return fails() ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int fstat(int fd, struct stat *out)
{
	return fails() ? -1 : (int)syscall(SYS_fstat, fd, out);
}

int unlinkat(int at, const char *path, int flags)
{
	return fails() ? -1 : (int)syscall(SYS_unlinkat, at, path, flags);
}

int fchmodat(int at, const char *path, mode_t mode, int flags)
{
	return fails() ? -1 : REAL(fchmodat)(at, path, mode, flags);
}

int fcntl(int fd, int command, ...)
{
	va_list rest;
	long value;

	va_start(rest, command);
	value = va_arg(rest, long);
	va_end(rest);
	return fails() ? -1 : (int)syscall(SYS_fcntl, fd, command, value);
}

static rlim_t descriptors; /* simulated limit; 0: the actual one */
static int limit_reads;    /* calls of getrlimit() */

int getrlimit(__rlimit_resource_t resource, struct rlimit *out)
{
	limit_reads++;
	if (fails() || REAL(getrlimit)(resource, out) != 0)
		return -1;
	if (descriptors != 0)
		out->rlim_cur = descriptors;
	return 0;
}

int socket(int domain, int type, int protocol)
{
	return fails() ? -1 : (int)syscall(SYS_socket, domain, type, protocol);
}

int bind(int fd, __CONST_SOCKADDR_ARG address, socklen_t size)
{
	return fails() ? -1 : REAL(bind)(fd, address, size);
}

int listen(int fd, int backlog)
{
	return fails() ? -1 : (int)syscall(SYS_listen, fd, backlog);
}

int connect(int fd, __CONST_SOCKADDR_ARG address, socklen_t size)
{
	return fails() ? -1 : REAL(connect)(fd, address, size);
}

int accept4(int fd, __SOCKADDR_ARG address, socklen_t *restrict size, int flags)
{
	return fails() ? -1 : REAL(accept4)(fd, address, size, flags);
}

int getsockopt(int fd, int level, int name, void *restrict value, socklen_t *restrict size)
{
	return fails() ? -1 : (int)syscall(SYS_getsockopt, fd, level, name, value, size);
}

int epoll_create1(int flags)
{
	return fails() ? -1 : (int)syscall(SYS_epoll_create1, flags);
}

int epoll_ctl(int fd, int command, int of, struct epoll_event *event)
{
	return fails() ? -1 : (int)syscall(SYS_epoll_ctl, fd, command, of, event);
}

int epoll_wait(int fd, struct epoll_event *out, int most, int wait_ms)
{
	return fails() ? -1 : REAL(epoll_wait)(fd, out, most, wait_ms);
}

int poll(struct pollfd *fd, nfds_t count, int wait_ms)
{
	return fails() ? -1 : REAL(poll)(fd, count, wait_ms);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	return fails() ? -1 : syscall(SYS_sendmsg, fd, message, flags);
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	return fails() ? -1 : syscall(SYS_recvmsg, fd, message, flags);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

/* --- one run -------------------------------------------------------------------------------------- */

static struct door_scene s;
static bool distrusted; /* the user of the test is subject to the limits */
static struct err err;

/* Every request here is complete after a few turns. */
static void turn_often(void)
{
	for (int i = 0; i < 6; i++)
		door_turn(s.door);
}

/* False, with an error, if there is no answer. */
static bool ask(const char *words)
{
	int connection = door_knock(s.dir.path, &err), fd = -1;
	struct str answer = {0};
	bool good;

	if (connection < 0)
		return false;
	good = packet_send(connection, PACKET_DATA, true, words, strlen(words), -1);
	turn_often();
	/* door_ask() sends a second request, and has no time to wait: it receives the answer to the first. */
	good = good && door_ask(connection, words, strlen(words), &answer, &fd, 0, &err) &&
	       strcmp(str_text(&answer), words) == 0;
	if (fd >= 0)
		close(fd);
	close(connection);
	turn_often();
	str_free(&answer);
	return good;
}

static struct door *distrust(struct door *door)
{
	if (door != NULL && distrusted)
		user_of(door, geteuid())->trusted = false;
	return door;
}

/* Without further faults an open door serves; one that had no descriptors retries after a while. */
static void expect_service(const char *trial)
{
	int64_t until_ms = monotonic_ms() + WAIT_MS;
	long left = countdown;

	countdown = 0;
	while (!ask("later")) {
		if (monotonic_ms() > until_ms)
			fail_msg("%s: the door serves nobody any more: %s", trial, err.text);
		usleep(10000);
	}
	countdown = left;
}

/* False, with an error, if a door could not be opened. */
static bool use_two_doors(const char *trial)
{
	int listening;

	s.door = distrust(door_open(s.dir.path, false, scene_handler(&s), &err));
	if (s.door == NULL)
		return false;
	(void)ask("first");
	(void)ask("second");
	expect_service(trial);
	listening = door_hand_over(s.door);
	door_close(s.door);
	if (listening < 0)
		return err_set(&err, "the socket is not handed over");
	s.door = distrust(door_adopt(listening, s.dir.path, scene_handler(&s), &err));
	if (s.door == NULL)
		return false;
	(void)ask("third");
	expect_service(trial);
	door_close(s.door);
	return true;
}

/* --- trials --------------------------------------------------------------------------------------- */

static int count_descriptors(void)
{
	int count = 0;

	for (int fd = 0; fd < 256; fd++)
		count += syscall(SYS_fcntl, fd, F_GETFD, 0) >= 0;
	return count;
}

/* False if the run made fewer calls. */
static bool run_trial(long number)
{
	int before = count_descriptors();
	char trial[100];
	bool good;

	snprintf(trial, sizeof trial, "call %ld fails: %s", number, strerror(fault));
	err.text[0] = '\0';
	has_failed = false;
	countdown = number;
	good = use_two_doors(trial);
	countdown = 0;
	if (!good && (!has_failed || err.text[0] == '\0'))
		fail_msg("%s: \"%s\" was said", trial, err.text);
	if (count_descriptors() != before)
		fail_msg("%s: a descriptor stays open", trial);
	(void)unlink(name_in(&s.dir, DOOR_SOCKET));
	return has_failed;
}

static void fail_calls(int why, long in_row)
{
	long number = 0;

	fault = why;
	do {
		number++;
		in_a_row = in_row;
	} while (run_trial(number));
	assert_in_range(number, 50, 10000);
}

static void a_door_serves_after_any_call_has_failed(void **state)
{
	static const int why[] = {EIO, EMFILE, EINTR, EAGAIN, ECONNRESET, ENFILE, ENOBUFS};

	(void)state;
	for (int i = 0; i < 2; i++) {
		distrusted = i == 1;
		for (size_t w = 0; w < sizeof why / sizeof why[0]; w++) {
			fail_calls(why[w], 1);
			fail_calls(why[w], 2);
			fail_calls(why[w], 9);
		}
	}
}

/* The descriptor limit is read once a turn, not for each connection. */
static void a_turn_reads_the_descriptor_limit_once(void **state)
{
	int connection[8];

	(void)state;
	s.door = door_open(s.dir.path, false, scene_handler(&s), &err);
	assert_non_null(s.door);
	user_of(s.door, geteuid())->trusted = false;
	for (int i = 0; i < 8; i++)
		connection[i] = door_knock(s.dir.path, &err);
	limit_reads = 0;
	door_turn(s.door);
	assert_in_range(limit_reads, 1, 1);
	for (int i = 0; i < 8; i++)
		close(connection[i]);
	limit_reads = 0;
	door_turn(s.door);
	assert_in_range(limit_reads, 1, 1);
	assert_int_equal(s.door->count, 0);
	door_close(s.door);
}

static void at_most_half_of_the_descriptors_are_for_connections(void **state)
{
	static const struct {
		rlim_t descriptors;
		size_t most;
	} row[] = {{2, 1},
		   {100, 50},
		   {2 * DOOR_ALL - 1, DOOR_ALL - 1},
		   {2 * DOOR_ALL, DOOR_ALL},
		   {RLIM_INFINITY, DOOR_ALL}};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		descriptors = row[i].descriptors;
		s.door = door_open(s.dir.path, false, scene_handler(&s), &err);
		assert_non_null(s.door);
		assert_int_equal(s.door->most, row[i].most);
		door_close(s.door);
	}
	descriptors = 0;
}

static int setup(void **state)
{
	(void)state;
	s.answers_kept = -1;
	s.with_fd = memfd_create("test", MFD_CLOEXEC); /* passed with every answer */
	make_store_dir(&s.dir);
	return s.with_fd < 0;
}

static int teardown(void **state)
{
	(void)state;
	close(s.with_fd);
	remove_store_dir(&s.dir);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_turn_reads_the_descriptor_limit_once),
		cmocka_unit_test(at_most_half_of_the_descriptors_are_for_connections),
		cmocka_unit_test(a_door_serves_after_any_call_has_failed),
	};

	return cmocka_run_group_tests_name("door_faults", tests, setup, teardown);
}
