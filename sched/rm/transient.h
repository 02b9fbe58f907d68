/* SPDX-License-Identifier: MIT */
/*
 * transient.h - which errors of the system pass by themselves
 *
 * The host is short of something that others will give back: processes, descriptors, memory, disk space. A
 * start that fails for such a reason is retried after seconds; nothing is wrong with the job.
 */
#ifndef RM_TRANSIENT_H
#define RM_TRANSIENT_H

#include <errno.h>
#include <stdbool.h>

static inline bool error_is_transient(int error)
{
	switch (error) {
	case EAGAIN:
	case EINTR:
	case EMFILE:
	case ENFILE:
	case ENOBUFS:
	case ENOMEM:
	case ENOSPC:
		return true;
	default:
		return false;
	}
}

#endif
