/* SPDX-License-Identifier: MIT */
/*
 * test_local_end.c - reports of jobs that have ended
 *
 * The manager has one job. An eventfd stands for the pidfd of its shepherd: it is readable at once, as if the
 * shepherd had exited.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "sched/rm/local_inside.h"
#include "sched/rm/shepherd.h"
#include "tests/store_dir.h"

#define BOOT "3f2a6d1c-0000-4000-8000-000000000001"

#define NOW_S 5000

#define UNUSED_UID 54321 /* no process on this host has this uid, so none can be one of the job */

static struct store_dir dir;

static struct local local;

static struct event last_event; /* the event reported last; its text is in `why` */

static unsigned event_count;

static char why[SPOOL_TEXT];

static int end(void **state);

static void record_event(void *self, const struct event *ev)
{
	const char *text = ev->kind == EVENT_DEFER ? ev->defer.reason : ev->end.why;

	(void)self;
	last_event = *ev;
	snprintf(why, sizeof why, "%s", text != NULL ? text : "");
	event_count++;
}

static int begin(void **state)
{
	const struct job job = {.id = 12, .start_count = 1, .tasks = 1};

	(void)state;
	make_store_dir(&dir);
	local = (struct local){.setup = {.spool = dir.path}, .boot_id = BOOT, .fork_socket = -1};
	local.folder = open(dir.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	local.epoll = epoll_create1(EPOLL_CLOEXEC);
	event_count = 0;
	local_add(&local, &job);
	return pipe2(local.ends, O_CLOEXEC | O_NONBLOCK);
}

static int end(void **state)
{
	(void)state;
	local_forget(&local);
	close(local.folder);
	close(local.epoll);
	close(local.ends[0]);
	close(local.ends[1]);
	free(local.job);
	free(local.gone);
	arena_free(&local.arena);
	remove_store_dir(&dir);
	return 0;
}

static void shepherd_exits(void)
{
	local_watch(&local, &local.job[0], 4711, eventfd(1, EFD_CLOEXEC));
	local_take_ends(&local, NOW_S, record_event, NULL);
}

/* --- events of an end --------------------------------------------------------------------------------- */

static struct event event_of(struct spool_ended ended)
{
	static struct spool spool;

	spool = (struct spool){.job = 12, .ended = ended, .has_ended = true};
	return local_end_event(12, &spool, NOW_S);
}

static void an_end_has_a_reason_unless_it_is_ordinary(void **state)
{
	static const struct {
		struct spool_ended ended;
		const char *why;
	} rows[] = {
		{{.reason = END_EXITED}, NULL},
		{{.reason = END_EXITED, .text = "the epilog did not run: no memory"},
		 "the epilog did not run: no memory"},
		{{.reason = END_EXITED, .survivors = 1}, "some of its processes could not be killed"},
		{{.reason = END_CANCELLED, .survivors = 2}, "some of its processes could not be killed"},
		{{.reason = END_WALL_LIMIT}, NULL},
		{{.reason = END_MEM_LIMIT}, "it used more memory than its limit"},
		{{.reason = END_MEM_LIMIT, .text = "too much"}, "too much"},
		{{.reason = END_NOT_STARTED, .text = "no shell"}, "no shell"},
		{{.reason = END_PROLOG, .text = "refused"}, "refused"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct event ev = event_of(rows[i].ended);

		assert_int_equal(ev.kind, EVENT_END);
		assert_false(ev.end.lost);
		assert_int_equal(ev.end.at_limit, rows[i].ended.reason == END_WALL_LIMIT);
		if (rows[i].why == NULL)
			assert_null(ev.end.why);
		else
			assert_string_equal(ev.end.why, rows[i].why);
	}
}

static void a_failed_start_is_retried_unless_the_host_is_at_fault(void **state)
{
	struct event ev = event_of((struct spool_ended){.reason = END_TRY_AGAIN, .ended_s = NOW_S + 9});

	(void)state;
	assert_int_equal(ev.kind, EVENT_DEFER);
	assert_true(ev.defer.failed_start && ev.defer.retry);
	assert_int_equal(ev.time_s, NOW_S); /* the clock was set back */
	ev = event_of((struct spool_ended){.reason = END_HOST_FAULT, .ended_s = NOW_S - 9, .text = "PAM"});
	assert_int_equal(ev.kind, EVENT_DEFER);
	assert_true(ev.defer.failed_start && !ev.defer.retry);
	assert_int_equal(ev.defer.until_s, TIME_NEVER);
	assert_int_equal(ev.time_s, NOW_S - 9);
	assert_string_equal(ev.defer.reason, "PAM");
}

static void a_lost_job_has_a_reason(void **state)
{
	struct spool spool = {.job = 12};
	struct err err = {{0}};
	struct event ev = local_lost_event(&local, &spool, &err, NOW_S);

	(void)state;
	assert_true(ev.end.lost);
	assert_string_equal(ev.end.why, "its shepherd was killed, so its end was not observed");
	/* A job of another boot: none of its processes exist, even if a process has its pid now. */
	spool.has_begun = true;
	spool.begun.pid = getpid();
	err_set(&err, "the machine went down");
	ev = local_lost_event(&local, &spool, &err, NOW_S);
	assert_string_equal(ev.end.why, "the machine went down");
}

/* --- a shepherd that has exited ---------------------------------------------------------------------- */

static void the_exit_of_a_shepherd_before_its_job_began_defers_the_job(void **state)
{
	static const struct {
		int failed;
		bool passes;
		const char *words;
	} rows[] = {{0, true, "it was killed or ran out of memory"},
		    {ENOMEM, true, "Cannot allocate memory"},
		    {EIO, false, "Input/output error"}};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct job job = {.id = 12, .start_count = 1, .tasks = 1};

		if (i > 0)
			local_add(&local, &job);
		local.job[0].failed = rows[i].failed;
		shepherd_exits();
		assert_int_equal(event_count, i + 1);
		assert_int_equal(last_event.kind, EVENT_DEFER);
		assert_int_equal(last_event.defer.retry, rows[i].passes);
		assert_non_null(strstr(why, rows[i].words));
		assert_int_equal(local.job_count, 0);
	}
}

static int make_file(bool has_begun, bool has_ended)
{
	struct spool_begun begun = {.boot_id = BOOT, .uid = UNUSED_UID, .pid = 0};
	const struct spool_ended ended = {.reason = END_EXITED, .status = 4};
	int fd = spool_create(local.folder, 12, 1);

	assert_true(fd >= 0);
	if (has_begun)
		assert_true(spool_write_begun(fd, &begun));
	if (has_ended)
		assert_true(spool_write_ended(fd, &ended));
	return fd;
}

static void an_end_that_the_shepherd_has_written_is_reported(void **state)
{
	(void)state;
	close(make_file(true, true));
	shepherd_exits();
	assert_int_equal(last_event.kind, EVENT_END);
	assert_false(last_event.end.lost);
	assert_int_equal(last_event.end.status, 4);
	assert_int_equal(local.gone_count, 1);
}

static void a_job_is_lost_if_its_shepherd_exits_without_writing_an_end(void **state)
{
	(void)state;
	close(make_file(true, false));
	shepherd_exits();
	assert_int_equal(last_event.kind, EVENT_END);
	assert_true(last_event.end.lost);
	assert_string_equal(why, "its shepherd was killed, so its exit status is unknown");
}

/* A child that the shepherd has just forked may hold the lock a moment longer. */
static void a_job_is_checked_again_while_its_spool_file_is_locked(void **state)
{
	int fd = make_file(true, false);

	(void)state;
	shepherd_exits();
	assert_int_equal(event_count, 0);
	assert_int_equal(local.job_count, 1);
	assert_int_equal(local.job[0].pidfd, -1);
	assert_int_equal(local.again_s, NOW_S + LOCAL_AGAIN_S);
	close(fd);
}

/* --- ends announced by shepherds ---------------------------------------------------------------------- */

static void an_announced_end_that_is_not_in_the_file_is_ignored(void **state)
{
	const struct shepherd_end announced = {.job = 12, .attempt = 1};
	int fd;

	(void)state;
	assert_int_equal(write(local.ends[1], &announced, sizeof announced), sizeof announced);
	local_take_ends(&local, NOW_S, record_event, NULL); /* no spool file */
	fd = make_file(true, false);
	assert_int_equal(write(local.ends[1], &announced, sizeof announced), sizeof announced);
	local_take_ends(&local, NOW_S, record_event, NULL); /* no end in the file */
	assert_int_equal(event_count, 0);
	close(fd);
}

/* More than fit into one epoll_wait(). */
static void a_hundred_exited_shepherds_are_reported_in_one_call(void **state)
{
	(void)state;
	for (uint64_t id = 13; id < 13 + 99; id++) {
		const struct job job = {.id = id, .start_count = 1, .tasks = 1};

		local_watch(&local, local_add(&local, &job), 4711, eventfd(1, EFD_CLOEXEC));
	}
	shepherd_exits();
	assert_int_equal(event_count, 100);
	assert_int_equal(local.job_count, 0);
}

#define WITH_MANAGER(test) cmocka_unit_test_setup_teardown(test, begin, end)

/* --- order of writes and syncs when the boot of a spool folder is recorded ---------------------------- */

/* fsync() and renameat() are replaced by functions that record their calls. */

static char calls[64];

static int syncs_left; /* number of calls of fsync() that succeed */

static struct err err;

/* Records "file " for a file with content, "empty " for one without, and "folder " for a folder. */
int fsync(int fd)
{
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	strcat(calls, S_ISDIR(st.st_mode) ? "folder " : st.st_size > 0 ? "file " : "empty ");
	errno = EIO;
	return syncs_left-- > 0 ? 0 : -1;
}

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): libc has reserved names there */
int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
	strcat(calls, "rename ");
	return (int)syscall(SYS_renameat, from_folder, from, to_folder, to);
}

static int adopt_begin(void **state)
{
	(void)state;
	make_store_dir(&dir);
	local = (struct local){.setup = {.spool = dir.path}, .boot_id = BOOT};
	local.folder = open(dir.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	calls[0] = '\0';
	syncs_left = 2;
	return 0;
}

static int adopt_end(void **state)
{
	(void)state;
	close(local.folder);
	remove_store_dir(&dir);
	return 0;
}

static bool has_boot(void)
{
	char text[BOOT_ID] = "";
	int fd = openat(local.folder, "boot", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);

	if (fd >= 0)
		close(fd);
	return n == BOOT_ID - 1 && strcmp(text, BOOT) == 0;
}

static void a_boot_is_synced_before_it_is_renamed_and_the_folder_afterwards(void **state)
{
	(void)state;
	assert_true(local_keep_boot(&local, NULL, &err));
	assert_string_equal(calls, "file rename folder ");
	assert_true(has_boot());
}

static void a_boot_is_recorded_once(void **state)
{
	(void)state;
	assert_true(local_keep_boot(&local, NULL, &err));
	calls[0] = '\0';
	assert_true(local_keep_boot(&local, NULL, &err));
	assert_string_equal(calls, "");
}

static void a_boot_that_was_not_synced_is_not_renamed(void **state)
{
	(void)state;
	syncs_left = 0;
	assert_false(local_keep_boot(&local, NULL, &err));
	assert_string_equal(calls, "file ");
	assert_false(has_boot());
	assert_non_null(strstr(err.text, "/boot cannot be written: "));
	syncs_left = 2;
	assert_true(local_keep_boot(&local, NULL, &err)); /* tried again */
	assert_true(has_boot());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_MANAGER(an_end_has_a_reason_unless_it_is_ordinary),
		WITH_MANAGER(a_failed_start_is_retried_unless_the_host_is_at_fault),
		WITH_MANAGER(a_lost_job_has_a_reason),
		WITH_MANAGER(the_exit_of_a_shepherd_before_its_job_began_defers_the_job),
		WITH_MANAGER(an_end_that_the_shepherd_has_written_is_reported),
		WITH_MANAGER(a_job_is_lost_if_its_shepherd_exits_without_writing_an_end),
		WITH_MANAGER(a_job_is_checked_again_while_its_spool_file_is_locked),
		WITH_MANAGER(an_announced_end_that_is_not_in_the_file_is_ignored),
		WITH_MANAGER(a_hundred_exited_shepherds_are_reported_in_one_call),
		cmocka_unit_test_setup_teardown(
			a_boot_is_synced_before_it_is_renamed_and_the_folder_afterwards, adopt_begin,
			adopt_end),
		cmocka_unit_test_setup_teardown(a_boot_is_recorded_once, adopt_begin, adopt_end),
		cmocka_unit_test_setup_teardown(a_boot_that_was_not_synced_is_not_renamed, adopt_begin,
						adopt_end),
	};

	return cmocka_run_group_tests_name("local_end", tests, NULL, NULL);
}
