/* SPDX-License-Identifier: MIT */
/*
 * coverage.h - a process that ends by _exit says what it ran
 *
 * Read first by every file of the build of make coverage, and by no other. gcc itself does this for exit and
 * exec.
 */
#ifndef TESTS_COVERAGE_H
#define TESTS_COVERAGE_H

#include <unistd.h>

void __gcov_dump(void);

static inline _Noreturn void coverage_exit(int status)
{
	__gcov_dump();
	_exit(status);
}

#define _exit(status) coverage_exit(status)

/*
 * Both always return false, which the compiler cannot know: a branch for true would be counted wherever a
 * condition ends with one of them, and no test can take it.
 */
#include "../sched/base/err.h"

#define err_set(...)    ((err_set)(__VA_ARGS__), false)
#define err_prefix(...) ((err_prefix)(__VA_ARGS__), false)

#endif
