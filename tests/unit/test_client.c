/* SPDX-License-Identifier: MIT */
/*
 * test_client.c - how does a verb in another process reach the running scheduler?
 *
 * What is asked and answered is test_request_server.c; here the scheduler is one that begins or ends, and has
 * no door.
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

/* It has had the store for longer than a verb would, and goes after a while. */
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

static pid_t scheduler_that_ends(void)
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

static void a_scheduler_without_a_door_is_waited_for(void **state)
{
	pid_t pid = scheduler_that_ends();
	struct err err = {""};
	bool runs = true;

	(void)state;
	assert_null(client_await(dir.path, 0, &runs, &err));
	assert_false(runs);
	assert_int_equal(store_holder(dir.path), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void a_socket_that_is_left_over_is_no_scheduler(void **state)
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
		cmocka_unit_test_setup_teardown(a_scheduler_without_a_door_is_waited_for, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_socket_that_is_left_over_is_no_scheduler, new_dir, old_dir),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
