/* SPDX-License-Identifier: MIT */
/*
 * coverage.h - a process that ends by _exit or exec writes what it ran
 *
 * Included first in every file of the build of make coverage, and in no other. gcc itself does this for exit,
 * and for exec only where the language is not strictly that of the standard.
 */
#ifndef TESTS_COVERAGE_H
#define TESTS_COVERAGE_H

#include <stdbool.h>
#include <unistd.h>

void __gcov_dump(void);
void __gcov_reset(void);

/* Of tests whose calls of the system fail (faulty.h): those of gcov must not. */
void coverage_sleeps(bool now) __attribute__((weak));

static inline void coverage_dump(void)
{
	if (coverage_sleeps)
		coverage_sleeps(true);
	__gcov_dump();
	if (coverage_sleeps)
		coverage_sleeps(false);
}

static inline _Noreturn void coverage_exit(int status)
{
	coverage_dump();
	_exit(status);
}

/* Evaluates to the result of call, which returns only when it has failed. */
#define coverage_exec(call)                                                                                  \
	__extension__({                                                                                      \
		int result_;                                                                                 \
                                                                                                             \
		coverage_dump();                                                                             \
		result_ = call;                                                                              \
		__gcov_reset();                                                                              \
		result_;                                                                                     \
	})

#define _exit(status)            coverage_exit(status)
#define execv(path, argv)        coverage_exec((execv)(path, argv))
#define execvp(file, argv)       coverage_exec((execvp)(file, argv))
#define execve(path, argv, envp) coverage_exec((execve)(path, argv, envp))

/*
 * Both always return false, which the compiler cannot know: a branch for true would be counted wherever a
 * condition ends with one of them, and no test can take it.
 */
#include "../sched/base/err.h"

#define err_set(...)    ((err_set)(__VA_ARGS__), false)
#define err_prefix(...) ((err_prefix)(__VA_ARGS__), false)

#endif
