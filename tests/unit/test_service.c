/* SPDX-License-Identifier: MIT */
/*
 * test_service.c - messages to the service manager (sd_notify)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "sched/host/service.h"
#include "tests/store_dir.h"

static int listen_at(const char *path, size_t name_size)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	memcpy(address.sun_path, path, name_size);
	assert_int_equal(bind(fd, (const struct sockaddr *)&address,
			      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + name_size)),
			 0);
	return fd;
}

static void assert_received(int fd, const char *text)
{
	char received[64] = "";

	assert_true(recv(fd, received, sizeof received - 1, 0) > 0);
	assert_string_equal(received, text);
}

static void messages_reach_the_service_manager(void **state)
{
	struct store_dir dir;
	char abstract[64];
	int fd;

	(void)state;
	make_store_dir(&dir);
	fd = listen_at(name_in(&dir, "notify"), strlen(name_in(&dir, "notify")));
	setenv("NOTIFY_SOCKET", dir.file, 1);
	assert_true(service_notify("READY=1"));
	assert_received(fd, "READY=1");
	close(fd);
	assert_false(service_notify("READY=1")); /* the socket is closed */
	snprintf(abstract, sizeof abstract, "@kahu-test-%ld", (long)getpid());
	setenv("NOTIFY_SOCKET", abstract, 1);
	abstract[0] = '\0';
	fd = listen_at(abstract, 1 + strlen(abstract + 1));
	assert_true(service_notify("STOPPING=1"));
	assert_received(fd, "STOPPING=1");
	close(fd);
	remove_store_dir(&dir);
}

static void without_a_service_manager_no_message_is_sent(void **state)
{
	char too_long[300];

	(void)state;
	unsetenv("NOTIFY_SOCKET");
	assert_false(service_notify("READY=1"));
	setenv("NOTIFY_SOCKET", "relative", 1);
	assert_false(service_notify("READY=1"));
	memset(too_long, '/', sizeof too_long - 1);
	too_long[sizeof too_long - 1] = '\0';
	setenv("NOTIFY_SOCKET", too_long, 1);
	assert_false(service_notify("READY=1"));
	unsetenv("NOTIFY_SOCKET");
}

static void the_watchdog_interval_is_half_of_its_timeout(void **state)
{
	char pid[32];

	(void)state;
	unsetenv("WATCHDOG_PID");
	unsetenv("WATCHDOG_USEC");
	assert_int_equal(service_watchdog_ms(), 0);
	setenv("WATCHDOG_USEC", "120000000", 1);
	assert_int_equal(service_watchdog_ms(), 60000);
	setenv("WATCHDOG_USEC", "1", 1);
	assert_int_equal(service_watchdog_ms(), 1);
	setenv("WATCHDOG_USEC", "9223372036854775807", 1);
	assert_int_equal(service_watchdog_ms(), 2147483647);
	for (size_t i = 0; i < 4; i++) {
		static const char *const nothing[] = {"0", "-5", "", "soon"};

		setenv("WATCHDOG_USEC", nothing[i], 1);
		assert_int_equal(service_watchdog_ms(), 0);
	}
	setenv("WATCHDOG_USEC", "120000000", 1);
	setenv("WATCHDOG_PID", "1", 1); /* a child of a watched service is not watched */
	assert_int_equal(service_watchdog_ms(), 0);
	snprintf(pid, sizeof pid, "%ld", (long)getpid());
	setenv("WATCHDOG_PID", pid, 1);
	assert_int_equal(service_watchdog_ms(), 60000);
	unsetenv("WATCHDOG_PID");
	unsetenv("WATCHDOG_USEC");
}

static void a_reload_message_contains_the_monotonic_time(void **state)
{
	const char *abstract = "kahu-test-reload";
	char name[64], received[128] = "";
	int fd;

	(void)state;
	snprintf(name, sizeof name, "@%s-%ld", abstract, (long)getpid());
	setenv("NOTIFY_SOCKET", name, 1);
	name[0] = '\0';
	fd = listen_at(name, 1 + strlen(name + 1));
	assert_true(service_notify_reload());
	assert_true(recv(fd, received, sizeof received - 1, 0) > 0);
	assert_memory_equal(received, "RELOADING=1\nMONOTONIC_USEC=", 27);
	assert_true(strtoll(received + 27, NULL, 10) > 0);
	close(fd);
	unsetenv("NOTIFY_SOCKET");
}

static void the_systemd_journal_is_recognised_by_its_inode(void **state)
{
	char stream[64];
	struct stat st;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	unsetenv("JOURNAL_STREAM");
	assert_false(service_is_journal(ends[1]));
	assert_int_equal(fstat(ends[1], &st), 0);
	snprintf(stream, sizeof stream, "%llu:%llu", (unsigned long long)st.st_dev,
		 (unsigned long long)st.st_ino);
	setenv("JOURNAL_STREAM", stream, 1);
	assert_true(service_is_journal(ends[1]));
	setenv("JOURNAL_STREAM", "1:1", 1);
	assert_false(service_is_journal(ends[1]));
	assert_false(service_is_journal(-1));
	unsetenv("JOURNAL_STREAM");
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_reach_the_service_manager),
		cmocka_unit_test(without_a_service_manager_no_message_is_sent),
		cmocka_unit_test(the_watchdog_interval_is_half_of_its_timeout),
		cmocka_unit_test(a_reload_message_contains_the_monotonic_time),
		cmocka_unit_test(the_systemd_journal_is_recognised_by_its_inode),
	};

	return cmocka_run_group_tests_name("service", tests, NULL, NULL);
}
