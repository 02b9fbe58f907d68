/* SPDX-License-Identifier: MIT */
/*
 * descriptors.h - limits on the number of open file descriptors
 *
 * A scheduler uses one descriptor for each connection and each running job. It raises its soft limit to the
 * hard limit; jobs get the original soft limit (programs that use select() fail beyond 1024).
 *
 * The last descriptors are a reserve: job starts, and requests of users other than root and the scheduler's
 * user, run with a lower soft limit. They fail first, so that descriptors are left for requests of
 * administrators and for ends of jobs.
 */
#ifndef RM_DESCRIPTORS_H
#define RM_DESCRIPTORS_H

#include <stdint.h>
#include <sys/resource.h>

/* Environment variable that tells a fork server the soft limit of its jobs. */
#define DESCRIPTORS_OF_JOBS "KAHU_SOFT_NOFILE"

static inline int64_t descriptors_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return 0;
	return limit.rlim_cur > INT32_MAX ? INT32_MAX : (int64_t)limit.rlim_cur;
}

/* Number of reserved descriptors; a quarter of the soft limit if that is less. */
#define DESCRIPTORS_RESERVE 16

/* Lowers the soft limit by the reserve. Returns the previous limits, for descriptors_restore(). */
static inline struct rlimit descriptors_withhold(void)
{
	struct rlimit before = {0, 0}, less;

	if (getrlimit(RLIMIT_NOFILE, &before) != 0)
		return before;
	less = before;
	less.rlim_cur -=
		before.rlim_cur / 4 < DESCRIPTORS_RESERVE ? before.rlim_cur / 4 : DESCRIPTORS_RESERVE;
	setrlimit(RLIMIT_NOFILE, &less);
	return before;
}

static inline void descriptors_restore(struct rlimit before)
{
	if (before.rlim_max > 0)
		setrlimit(RLIMIT_NOFILE, &before);
}

/* Raises the soft limit to the hard limit; returns the previous soft limit. */
static inline int64_t descriptors_raise(void)
{
	struct rlimit limit;
	int64_t before = descriptors_limit();

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	return before;
}

#endif
