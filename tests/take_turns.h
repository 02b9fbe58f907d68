/* SPDX-License-Identifier: MIT */
/*
 * take_turns.h - programs of tests that must not run at the same time
 *
 * A process that nobody can look at may be one of any killed shepherd of its user. Tests that make one as
 * root have the machine's processes of root to themselves; tests that kill a shepherd of root share them.
 */
#ifndef TESTS_TAKE_TURNS_H
#define TESTS_TAKE_TURNS_H

#include <fcntl.h>
#include <sys/file.h>

/* how: LOCK_EX or LOCK_SH. Until the program ends; processes that it starts do not count. */
static inline void take_turns(int how)
{
	int fd = open("/tmp/kahu-test-turns", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);

	if (fd >= 0)
		(void)!flock(fd, how);
}

#endif
