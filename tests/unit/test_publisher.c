/* SPDX-License-Identifier: MIT */
/*
 * test_publisher.c - copies of the state that the scheduler passes to clients
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sched/state/event.h"
#include "tui/serve/publisher.h"
#include "tui/serve/state_file.h"

static const struct person eva = {.uid = 1001, .gid = 1001, .user = "eva", .level = ADMIN_NONE};
static const struct person bob = {.uid = 1002, .gid = 1002, .user = "bob", .level = ADMIN_NONE};

/* CPU time that each copy takes, and the monotonic time, which only tests advance. */
static int64_t copy_ms, now_ms = 100000;

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
int clock_gettime(clockid_t clock, struct timespec *out)
{
	static int64_t cpu_ms;
	int64_t ms = clock == CLOCK_MONOTONIC ? now_ms : (cpu_ms += copy_ms);

	*out = (struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
	return 0;
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

static struct state *add_entry(struct state *st)
{
	struct event ev = {.kind = EVENT_SETTING,
			   .time_s = 1000,
			   .who = "eva",
			   .setting = {.name = "xfactorweight", .value = "1"}};
	struct err err;

	if (!event_apply(st, &ev, &err))
		fail_msg("%s", err.text);
	return st;
}

static ino_t inode_of(int fd)
{
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	return st.st_ino;
}

static off_t size_of(int fd)
{
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	return st.st_size;
}

static int publish(struct publisher *h, const struct state *st, const struct person *to)
{
	struct err err;
	int fd = publisher_state(h, state_view(st), to, 0, &err);

	if (fd < 0)
		fail_msg("%s", err.text);
	return fd;
}

static void all_users_share_one_copy_until_the_state_changes(void **state)
{
	struct state *st = add_entry(state_new());
	struct publisher *h = publisher_new((size_t)16 << 20, 2, NULL);
	int evas = publish(h, st, &eva), bobs = publish(h, st, &bob), later;

	(void)state;
	assert_int_equal(inode_of(evas), inode_of(bobs));
	add_entry(st);
	later = publish(h, st, &eva);
	assert_int_not_equal(inode_of(later), inode_of(evas));
	close(evas);
	close(bobs);
	close(later);
	publisher_free(h);
	state_free(st);
}

static ino_t publish_since(struct publisher *h, const struct state *st, uint64_t least_seq)
{
	int fd = publisher_state(h, state_view(st), &eva, least_seq, NULL);
	ino_t file;

	assert_true(fd >= 0);
	file = inode_of(fd);
	close(fd);
	return file;
}

static void a_copy_that_was_slow_to_make_is_reused_for_a_while(void **state)
{
	struct publisher *h = publisher_new(1 << 20, 2, NULL);
	struct state *st = add_entry(state_new());
	uint64_t first_seq = state_view(st)->seq;
	ino_t first, second;

	(void)state;
	copy_ms = 20;
	first = publish_since(h, st, 0);
	add_entry(st);
	now_ms += 199;
	assert_int_equal(publish_since(h, st, first_seq), first);
	now_ms += 1;
	second = publish_since(h, st, first_seq);
	assert_int_not_equal(second, first);
	assert_int_equal(publisher_shared_ns(h), 40000000);
	assert_int_equal(publisher_shared_ns(h), 0);

	/* No copy is reused for longer than a second. */
	copy_ms = 1000000;
	add_entry(st);
	now_ms += 200;
	first = publish_since(h, st, first_seq);
	add_entry(st);
	now_ms += 999;
	assert_int_equal(publish_since(h, st, first_seq), first);
	now_ms += 1;
	assert_int_not_equal(publish_since(h, st, first_seq), first);
	publisher_free(h);
	state_free(st);
}

/* A copy made because a client needs to see its own change does not count as shared. */
static void a_copy_contains_the_requested_entry(void **state)
{
	struct publisher *h = publisher_new(1 << 20, 2, NULL);
	struct state *st = add_entry(state_new());
	ino_t first, second;

	(void)state;
	copy_ms = 20;
	first = publish_since(h, st, 0);
	assert_int_equal(publisher_shared_ns(h), 20000000);
	add_entry(st);
	second = publish_since(h, st, state_view(st)->seq);
	assert_int_not_equal(second, first);
	assert_int_equal(publisher_shared_ns(h), 0);
	add_entry(st);
	assert_int_equal(publish_since(h, st, 0), second);
	copy_ms = 0;
	publisher_free(h);
	state_free(st);
}

static void a_client_cannot_change_a_published_file(void **state)
{
	struct state *st = add_entry(state_new());
	struct publisher *h = publisher_new((size_t)16 << 20, 2, NULL);
	int fd = publish(h, st, &eva), evas_second;
	char path[40];
	off_t size = size_of(fd);

	(void)state;
	assert_int_equal(ftruncate(fd, 0), -1);
	assert_int_equal(write(fd, "x", 1), -1);
	assert_int_equal(size_of(fd), size);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (geteuid() == 0 && seteuid(65534) == 0) {
		evas_second = open(path, O_RDWR);
		assert_int_equal(evas_second, -1);
		assert_int_equal(seteuid(0), 0);
	}
	close(fd);
	publisher_free(h);
	state_free(st);
}

/* The files of one client use a limited amount of memory, however many descriptors it keeps open. */
static void the_oldest_files_of_a_client_over_its_limit_are_withdrawn(void **state)
{
	enum {
		HOARD = 40
	};
	char *text = calloc(1, 1 << 20);
	struct publisher *h = publisher_new((size_t)16 << 20, 2, NULL);
	int fd[HOARD], with_memory = 0, bobs;
	struct err err;

	(void)state;
	publisher_set(h, (size_t)4 << 20);
	bobs = publisher_piece(h, memory_file("test", text, 1 << 20, &err), 1 << 20, &bob, &err);
	for (int i = 0; i < HOARD; i++) {
		fd[i] = publisher_piece(h, memory_file("test", text, 1 << 20, &err), 1 << 20, &eva, &err);
		assert_true(fd[i] >= 0);
		assert_int_equal(size_of(fd[i]), 1 << 20);
	}
	for (int i = 0; i < HOARD; i++)
		with_memory += size_of(fd[i]) > 0;
	assert_int_equal(with_memory, 4);
	assert_int_equal(size_of(fd[HOARD - 1]), 1 << 20);
	assert_int_equal(publisher_bytes_of(h, eva.uid), 4 << 20);
	assert_int_equal(size_of(bobs), 1 << 20);
	for (int i = 0; i < HOARD; i++)
		close(fd[i]);
	close(bobs);
	publisher_free(h);
	free(text);
}

/* Thousands of small files are within the limits of their users. */
static void many_small_files_of_some_users_withdraw_no_file_of_another(void **state)
{
	static const struct person ann = {.uid = 1003, .gid = 1003, .user = "ann", .level = ADMIN_NONE};
	const struct person *const clients[] = {&eva, &ann};
	struct publisher *h = publisher_new((size_t)16 << 20, 2, NULL);
	int bobs, fd;
	struct err err;

	(void)state;
	bobs = publisher_piece(h, memory_file("test", "words", 5, &err), 5, &bob, &err);
	for (int i = 0; i < 1000; i++) {
		fd = publisher_piece(h, memory_file("test", "words", 5, &err), 5, clients[i % 2], &err);
		assert_int_equal(size_of(fd), 5);
		close(fd);
	}
	assert_int_equal(size_of(bobs), 5);
	close(bobs);
	publisher_free(h);
}

static void the_two_newest_files_of_a_client_are_never_withdrawn(void **state)
{
	char *text = calloc(1, 3 << 20);
	struct publisher *h = publisher_new((size_t)16 << 20, 2, NULL);
	int fd[3];
	struct err err;

	(void)state;
	publisher_set(h, (size_t)1 << 20);
	for (int i = 0; i < 3; i++)
		fd[i] = publisher_piece(h, memory_file("test", text, 3 << 20, &err), 3 << 20, &eva, &err);
	assert_int_equal(size_of(fd[0]), 0);
	assert_int_equal(size_of(fd[1]), 3 << 20);
	assert_int_equal(size_of(fd[2]), 3 << 20);
	for (int i = 0; i < 3; i++)
		close(fd[i]);
	publisher_free(h);
	free(text);
}

static size_t count_open_states(void)
{
	char path[64], name[64];
	size_t count = 0;

	for (int fd = 0; fd < 256; fd++) {
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		ssize_t n = readlink(path, name, sizeof name - 1);
		name[n < 0 ? 0 : n] = '\0';
		count += strstr(name, "kahu-state") != NULL;
	}
	return count;
}

static void copies_use_a_sixteenth_of_the_descriptors_but_at_least_two(void **state)
{
	const struct {
		rlim_t limit;
		size_t copies;
	} row[] = {{40, 2}, {64, 4}, {128, 8}};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct publisher *h = publisher_new((size_t)1 << 30, 2, NULL);
		struct state *st = state_new();
		struct rlimit before, lowered;

		assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
		lowered = (struct rlimit){row[i].limit, before.rlim_max};
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &lowered), 0);
		for (int n = 0; n < 20; n++)
			close(publish(h, add_entry(st), &eva));
		assert_int_equal(count_open_states(), row[i].copies);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
		publisher_free(h);
		state_free(st);
	}
}

static void data_that_was_read_is_kept_when_the_file_is_withdrawn(void **state)
{
	struct err err;
	struct publisher *h = publisher_new((size_t)16 << 20, 2, NULL);
	int fd = publisher_piece(h, memory_file("test", "all of it", 9, &err), 9, &eva, &err);
	bool withdrawn;
	size_t size;
	const char *read = memory_file_read(fd, &size, &withdrawn, &err);

	(void)state;
	assert_non_null(read);
	publisher_free(h);
	assert_int_equal(size, 9);
	assert_memory_equal(read, "all of it", 9);
	assert_int_equal(size_of(fd), 0);
	memory_file_free(read, size);
	close(fd);
}

/* A state with Eva's job 1, whose start failed. `held`: it failed twice, and the job has a batch hold. */
static struct state *state_with_failed_start(bool held)
{
	static const struct alloc_run run = {.nodes = 1, .procs = 1, .tasks = 1, .next = INDEX_NONE};
	struct event ev[] = {
		{.kind = EVENT_SETTING, .setting = {.name = "defercount", .value = "1"}},
		{.kind = EVENT_NODE, .node = {.name = "n1", .procs = 1}},
		{.kind = EVENT_SUBMIT,
		 .submit = {.job = {.submit_s = 1000,
				    .not_before_s = TIME_NONE,
				    .wall_limit_s = 60,
				    .true_run_s = -1,
				    .tasks = 1,
				    .task_procs = 1},
			    .cred = {[CRED_USER] = "eva"}}},
		{.kind = EVENT_START, .job = 1, .start = {.runs = &run, .count = 1}},
		{.kind = EVENT_DEFER,
		 .job = 1,
		 .defer = {.reason = "/home/eva/secret/out", .until_s = 2000, .failed_start = true}},
	};
	struct state *st = state_new();
	struct err err;

	for (int round = 0; round <= held; round++)
		for (size_t i = round == 0 ? 0 : 3; i < sizeof ev / sizeof ev[0]; i++) {
			ev[i].time_s = 1000;
			ev[i].who = "sched";
			if (!event_apply(st, &ev[i], &err))
				fail_msg("%s", err.text);
			ev[i].seq = 0;
		}
	return st;
}

/* Does the file contain the text anywhere? */
static bool file_has(int fd, const char *text)
{
	struct err err;
	bool withdrawn;
	size_t size;
	const char *read = memory_file_read(fd, &size, &withdrawn, &err);
	bool has = read != NULL && memmem(read, size, text, strlen(text)) != NULL;

	assert_non_null(read);
	memory_file_free(read, size);
	return has;
}

static void check_who_sees_reason(const struct state *st)
{
	static const struct person root = {.uid = 0, .gid = 0, .user = "root", .level = ADMIN_ALL};
	static const struct person dan = {.uid = 1004, .gid = 1001, .user = "dan", .level = ADMIN_NONE};
	struct publisher *h = publisher_new((size_t)16 << 20, 2, NULL);
	int roots = publish(h, st, &root), evas = publish(h, st, &eva), bobs = publish(h, st, &bob),
	    dans = publish(h, st, &dan), evas_second = publish(h, st, &eva);

	assert_true(file_has(roots, "/home/eva/secret"));
	assert_true(file_has(evas, "/home/eva/secret"));
	assert_false(file_has(bobs, "/home/eva/secret"));
	assert_true(file_has(bobs, "eva"));
	assert_int_equal(inode_of(bobs), inode_of(dans)); /* bob and dan share a copy */
	assert_int_equal(inode_of(evas), inode_of(evas_second));
	close(roots);
	close(evas);
	close(bobs);
	close(dans);
	close(evas_second);
	publisher_free(h);
}

static void only_the_user_and_administrators_see_why_a_start_failed(void **state)
{
	struct state *st = state_with_failed_start(false);

	(void)state;
	check_who_sees_reason(st);
	state_free(st);
	st = state_with_failed_start(true);
	assert_true((snapshot_jobs(state_view(st))[0].holds & JOB_HOLD_BATCH) != 0);
	check_who_sees_reason(st);
	state_free(st);
}

/* M_PERTURB fills allocated memory with a byte, which must not be in a copy. */
static void a_copy_contains_no_uninitialized_memory(void **state)
{
	static const char filled[] = "\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5";
	struct state *st = state_with_failed_start(false);
	struct publisher *h = publisher_new((size_t)16 << 20, 2, NULL);
	int fd;

	(void)state;
	mallopt(M_PERTURB, 0x5a);
	fd = publish(h, st, &bob);
	mallopt(M_PERTURB, 0);
	assert_false(file_has(fd, filled));
	close(fd);
	publisher_free(h);
	state_free(st);
}

/* No copy contains the reason of a job that was cancelled. */
static void the_reason_is_removed_with_its_job(void **state)
{
	static const struct person root = {.uid = 0, .gid = 0, .user = "root", .level = ADMIN_ALL};
	struct state *st = state_with_failed_start(false);
	struct publisher *h = publisher_new((size_t)16 << 20, 2, NULL);
	struct event ev = {.kind = EVENT_CANCEL, .job = 1, .time_s = 1001, .who = "eva"};
	struct err err;
	int fd;

	(void)state;
	assert_true(event_apply(st, &ev, &err));
	fd = publish(h, st, &root);
	assert_false(file_has(fd, "/home/eva/secret"));
	close(fd);
	publisher_free(h);
	state_free(st);
}

static void apply(struct state *st, struct event ev)
{
	struct err err;

	ev.who = "sched";
	if (!event_apply(st, &ev, &err))
		fail_msg("%s", err.text);
}

/* Starts and requeues job 1, which was retried or held after its starts had failed. */
static struct state *start_and_requeue(struct state *st)
{
	static const struct alloc_run run = {.nodes = 1, .procs = 1, .tasks = 1, .next = INDEX_NONE};

	apply(st,
	      (struct event){
		      .kind = EVENT_START, .job = 1, .time_s = 2000, .start = {.runs = &run, .count = 1}});
	apply(st, (struct event){.kind = EVENT_REQUEUE, .job = 1, .time_s = 2001});
	apply(st, (struct event){.kind = EVENT_END, .job = 1, .time_s = 2001});
	assert_int_equal(snapshot_jobs(state_view(st))[0].state, JOB_IDLE);
	return st;
}

static void the_reason_of_a_failed_start_is_removed_when_the_job_starts(void **state)
{
	struct event evas_second = {.kind = EVENT_DEFER,
				    .job = 1,
				    .time_s = 1000,
				    .defer = {.reason = "/home/eva/secret/out",
					      .until_s = 2000,
					      .failed_start = true,
					      .retry = true}};
	static const struct alloc_run run = {.nodes = 1, .procs = 1, .tasks = 1, .next = INDEX_NONE};
	static const struct person root = {.uid = 0, .gid = 0, .user = "root", .level = ADMIN_ALL};
	struct state *st = state_with_failed_start(false);
	struct publisher *h = publisher_new((size_t)16 << 20, 2, NULL);
	int roots;

	(void)state;
	apply(st,
	      (struct event){
		      .kind = EVENT_START, .job = 1, .time_s = 1000, .start = {.runs = &run, .count = 1}});
	apply(st, evas_second);
	check_who_sees_reason(st);
	roots = publish(h, start_and_requeue(st), &root);
	assert_false(file_has(roots, "/home/eva/secret"));
	close(roots);
	publisher_free(h);
	state_free(st);
}

/* The hold can be undone, so the change keeps its reason. */
static void the_reason_of_a_released_hold_stays_hidden_after_the_job_has_started(void **state)
{
	struct state *st = state_with_failed_start(true);
	struct event release = {
		.kind = EVENT_HOLD, .job = 1, .time_s = 1000, .hold = {.bits = JOB_HOLD_BATCH, .on = false}};

	(void)state;
	apply(st, release);
	check_who_sees_reason(st);
	check_who_sees_reason(start_and_requeue(st));
	release.hold.on = true;
	release.time_s = 2001;
	apply(st, release);
	check_who_sees_reason(st);
	state_free(st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_users_share_one_copy_until_the_state_changes),
		cmocka_unit_test(a_copy_that_was_slow_to_make_is_reused_for_a_while),
		cmocka_unit_test(a_copy_contains_the_requested_entry),
		cmocka_unit_test(a_client_cannot_change_a_published_file),
		cmocka_unit_test(the_oldest_files_of_a_client_over_its_limit_are_withdrawn),
		cmocka_unit_test(many_small_files_of_some_users_withdraw_no_file_of_another),
		cmocka_unit_test(the_two_newest_files_of_a_client_are_never_withdrawn),
		cmocka_unit_test(copies_use_a_sixteenth_of_the_descriptors_but_at_least_two),
		cmocka_unit_test(only_the_user_and_administrators_see_why_a_start_failed),
		cmocka_unit_test(a_copy_contains_no_uninitialized_memory),
		cmocka_unit_test(the_reason_is_removed_with_its_job),
		cmocka_unit_test(the_reason_of_a_failed_start_is_removed_when_the_job_starts),
		cmocka_unit_test(the_reason_of_a_released_hold_stays_hidden_after_the_job_has_started),
		cmocka_unit_test(data_that_was_read_is_kept_when_the_file_is_withdrawn),
	};

	return cmocka_run_group_tests_name("publisher", tests, NULL, NULL);
}
