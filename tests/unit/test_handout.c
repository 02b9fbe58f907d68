/* SPDX-License-Identifier: MIT */
/*
 * test_handout.c - states that are lent to clients: shared, read only, withdrawn
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sched/core/event.h"
#include "tui/serve/handout.h"
#include "tui/serve/memory_file.h"

static const struct person eva = {.uid = 1001, .gid = 1001, .user = "eva", .level = ADMIN_NONE};
static const struct person bob = {.uid = 1002, .gid = 1002, .user = "bob", .level = ADMIN_NONE};

static struct state *one_more_entry(struct state *st)
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

static ino_t file_of(int fd)
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

static int state_for(struct handout *h, const struct state *st, const struct person *to)
{
	struct err err;
	int fd = handout_state(h, state_view(st), to, &err);

	if (fd < 0)
		fail_msg("%s", err.text);
	return fd;
}

static void one_copy_is_lent_to_all_until_the_state_changes(void **state)
{
	struct state *st = one_more_entry(state_new());
	struct handout *h = handout_new((size_t)16 << 20, 2);
	int evas = state_for(h, st, &eva), bobs = state_for(h, st, &bob), later;

	(void)state;
	assert_int_equal(file_of(evas), file_of(bobs));
	one_more_entry(st);
	later = state_for(h, st, &eva);
	assert_int_not_equal(file_of(later), file_of(evas));
	close(evas);
	close(bobs);
	close(later);
	handout_free(h);
	state_free(st);
}

static void a_client_can_only_read_what_it_was_lent(void **state)
{
	struct state *st = one_more_entry(state_new());
	struct handout *h = handout_new((size_t)16 << 20, 2);
	int fd = state_for(h, st, &eva), again;
	char path[40];
	off_t size = size_of(fd);

	(void)state;
	assert_int_equal(ftruncate(fd, 0), -1);
	assert_int_equal(write(fd, "x", 1), -1);
	assert_int_equal(size_of(fd), size);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (geteuid() == 0 && seteuid(65534) == 0) {
		again = open(path, O_RDWR);
		assert_int_equal(again, -1);
		assert_int_equal(seteuid(0), 0);
	}
	close(fd);
	handout_free(h);
	state_free(st);
}

/* Whatever a client keeps open: only so much of it has memory. */
static void what_one_client_hoards_is_withdrawn(void **state)
{
	enum {
		HOARD = 40
	};
	char *text = calloc(1, 1 << 20);
	struct handout *h = handout_new((size_t)16 << 20, 2);
	int fd[HOARD], with_memory = 0, bobs;
	struct err err;

	(void)state;
	handout_set(h, (size_t)4 << 20);
	bobs = handout_piece(h, memory_file("test", text, 1 << 20, &err), 1 << 20, &bob, &err);
	for (int i = 0; i < HOARD; i++) {
		fd[i] = handout_piece(h, memory_file("test", text, 1 << 20, &err), 1 << 20, &eva, &err);
		assert_true(fd[i] >= 0);
		assert_int_equal(size_of(fd[i]), 1 << 20);
	}
	for (int i = 0; i < HOARD; i++)
		with_memory += size_of(fd[i]) > 0;
	assert_int_equal(with_memory, 4);
	assert_int_equal(size_of(fd[HOARD - 1]), 1 << 20);
	assert_int_equal(handout_bytes_of(h, eva.uid), 4 << 20);
	assert_int_equal(size_of(bobs), 1 << 20);
	for (int i = 0; i < HOARD; i++)
		close(fd[i]);
	close(bobs);
	handout_free(h);
	free(text);
}

static void the_newest_two_are_never_withdrawn_for_want_of_room(void **state)
{
	char *text = calloc(1, 3 << 20);
	struct handout *h = handout_new((size_t)16 << 20, 2);
	int fd[3];
	struct err err;

	(void)state;
	handout_set(h, (size_t)1 << 20);
	for (int i = 0; i < 3; i++)
		fd[i] = handout_piece(h, memory_file("test", text, 3 << 20, &err), 3 << 20, &eva, &err);
	assert_int_equal(size_of(fd[0]), 0);
	assert_int_equal(size_of(fd[1]), 3 << 20);
	assert_int_equal(size_of(fd[2]), 3 << 20);
	for (int i = 0; i < 3; i++)
		close(fd[i]);
	handout_free(h);
	free(text);
}

static void what_was_read_stays_when_the_file_is_withdrawn(void **state)
{
	struct err err;
	struct handout *h = handout_new((size_t)16 << 20, 2);
	int fd = handout_piece(h, memory_file("test", "all of it", 9, &err), 9, &eva, &err);
	bool withdrawn;
	size_t size;
	const char *read = memory_file_read(fd, &size, &withdrawn, &err);

	(void)state;
	assert_non_null(read);
	handout_free(h);
	assert_int_equal(size, 9);
	assert_memory_equal(read, "all of it", 9);
	assert_int_equal(size_of(fd), 0);
	memory_file_free(read, size);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_copy_is_lent_to_all_until_the_state_changes),
		cmocka_unit_test(a_client_can_only_read_what_it_was_lent),
		cmocka_unit_test(what_one_client_hoards_is_withdrawn),
		cmocka_unit_test(the_newest_two_are_never_withdrawn_for_want_of_room),
		cmocka_unit_test(what_was_read_stays_when_the_file_is_withdrawn),
	};

	return cmocka_run_group_tests_name("handout", tests, NULL, NULL);
}
