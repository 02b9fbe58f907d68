/* SPDX-License-Identifier: MIT */
/*
 * test_vec.c - growing arrays, and the end of the process if memory is exhausted
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sched/base/vec.h"

static void appended_items_keep_their_values(void **state)
{
	int *item = NULL;
	size_t cap = 0;
	size_t moves = 0;

	(void)state;
	for (size_t i = 0; i < 10000; i++) {
		size_t before = cap;

		item = vec_room(item, &cap, i + 1, sizeof *item);
		moves += cap != before;
		item[i] = (int)i;
	}
	for (size_t i = 0; i < 10000; i++)
		assert_int_equal(item[i], i);
	assert_true(moves < 15);
	free(item);
}

static void sufficient_capacity_is_not_reallocated(void **state)
{
	size_t cap = 0;
	char *item = vec_room(NULL, &cap, 100, 1);

	(void)state;
	assert_true(cap >= 100);
	assert_ptr_equal(vec_room(item, &cap, cap, 1), item);
	free(item);
}

static void zero_items_need_no_memory(void **state)
{
	size_t cap = 0;

	(void)state;
	assert_null(vec_room(NULL, &cap, 0, 8));
	assert_int_equal(cap, 0);
}

static void zero_byte_allocation_is_not_null(void **state)
{
	void *a = mem_alloc(0);
	void *b = mem_zero(0, 16);
	void *c = mem_resize(NULL, 0);

	(void)state;
	assert_non_null(a);
	assert_non_null(b);
	assert_non_null(c);
	free(a);
	free(b);
	free(c);
}

static void zeroed_allocations_and_copies(void **state)
{
	unsigned char *zero = mem_zero(3, 7);
	char *copy = mem_string("kahu");

	(void)state;
	for (size_t i = 0; i < 21; i++)
		assert_int_equal(zero[i], 0);
	assert_string_equal(copy, "kahu");
	free(zero);
	free(copy);
}

/* Runs a function in a child, reads its message through a pipe and returns its exit status. */
static int run_in_child(void (*run)(void), char *text, size_t size)
{
	int fd[2];
	int status;
	ssize_t n;
	pid_t child;

	assert_int_equal(pipe(fd), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		const struct rlimit none = {0};

		setrlimit(RLIMIT_CORE, &none);
		signal(SIGABRT, SIG_DFL);
		dup2(fd[1], STDERR_FILENO);
		run();
		_exit(0);
	}
	close(fd[1]);
	n = read(fd[0], text, size - 1);
	text[n > 0 ? n : 0] = '\0';
	close(fd[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void ask_for_more_items_than_addresses(void)
{
	size_t cap = 0;

	free(vec_room(NULL, &cap, SIZE_MAX / 4, 16));
}

static void growing_zeroed_array_is_zero(void **state)
{
	size_t cap = 0;
	int *item = vec_zeroed(NULL, &cap, 10, sizeof *item), *same;

	(void)state;
	assert_true(cap >= 10);
	item[9] = 7;
	same = vec_zeroed(item, &cap, cap, sizeof *item);
	assert_ptr_equal(same, item);
	assert_int_equal(same[9], 7);
	item = vec_zeroed(item, &cap, cap + 1, sizeof *item);
	for (size_t i = 0; i < cap; i++)
		assert_int_equal(item[i], 0);
	free(item);
}

static void excessive_allocation_aborts_with_a_message(void **state)
{
	char text[256];
	int status = run_in_child(ask_for_more_items_than_addresses, text, sizeof text);

	(void)state;
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
	assert_non_null(strstr(text, "out of memory"));
}

static int by_number(const void *a, const void *b)
{
	const int *first = a, *second = b;

	return *first - *second;
}

static void vec_sort_last_inserts_the_last_item(void **state)
{
	int item[] = {2, 4, 6, 1, 5, 6, 9}, sorted[] = {1, 2, 4, 5, 6, 6, 9};
	size_t count = sizeof item / sizeof item[0];

	(void)state;
	vec_sort_last(item, 0, sizeof item[0], by_number);
	for (size_t i = 1; i <= count; i++)
		vec_sort_last(item, i, sizeof item[0], by_number);
	assert_memory_equal(item, sorted, sizeof sorted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(appended_items_keep_their_values),
		cmocka_unit_test(sufficient_capacity_is_not_reallocated),
		cmocka_unit_test(zero_items_need_no_memory),
		cmocka_unit_test(zero_byte_allocation_is_not_null),
		cmocka_unit_test(zeroed_allocations_and_copies),
		cmocka_unit_test(growing_zeroed_array_is_zero),
		cmocka_unit_test(vec_sort_last_inserts_the_last_item),
		cmocka_unit_test(excessive_allocation_aborts_with_a_message),
	};

	return cmocka_run_group_tests_name("vec", tests, NULL, NULL);
}
