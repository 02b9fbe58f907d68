/* SPDX-License-Identifier: MIT */
/*
 * test_client.c - finding the running scheduler from another process
 *
 * Requests and answers are tested in test_request_server.c; here the scheduler starts or stops, and has no
 * socket.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "own_dir.h"
#include "sched/host/door.h"
#include "store/lock.h"
#include "tui/serve/client.h"

#define HELD_MS 300

/* Holds the store as a scheduler does, with a lock older than that of any verb, and exits after HELD_MS. */
static void hold_for_a_while(int ready)
{
	const struct timespec held = {.tv_nsec = HELD_MS * 1000000L};
	struct timespec then;
	int fd = store_lock(dir.path, NULL);

	clock_gettime(CLOCK_REALTIME, &then);
	then.tv_sec -= 6;
	if (fd < 0 || !store_lock_say(fd, true) ||
	    futimens(fd, (const struct timespec[2]){then, then}) != 0 || write(ready, "1", 1) != 1)
		_exit(1);
	nanosleep(&held, NULL);
	_exit(0);
}

static pid_t start_exiting_scheduler(void)
{
	int ready[2];
	pid_t pid;
	char c;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0)
		hold_for_a_while(ready[1]);
	close(ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
	return pid;
}

static void the_end_of_a_scheduler_without_a_socket_is_awaited(void **state)
{
	pid_t pid = start_exiting_scheduler();
	struct err err = {""};
	bool runs = true;

	(void)state;
	assert_null(client_await(dir.path, 0, &runs, &err));
	assert_false(runs);
	assert_int_equal(store_holder(dir.path), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void a_stale_socket_is_not_a_running_scheduler(void **state)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = DOOR_SOCKET};
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct err err = {""};
	bool runs = true;

	(void)state;
	assert_null(client_find(dir.path, &runs, &err));
	assert_false(runs);
	assert_int_equal(chdir(dir.path), 0);
	assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
	close(fd);
	runs = true;
	assert_null(client_find(dir.path, &runs, &err));
	assert_false(runs);
	assert_int_equal(unlink(DOOR_SOCKET), 0);
	assert_int_equal(chdir("/"), 0);
}

int main(void)
{
	unsetenv("KAHU_RUN");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_end_of_a_scheduler_without_a_socket_is_awaited, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(a_stale_socket_is_not_a_running_scheduler, new_dir, old_dir),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
