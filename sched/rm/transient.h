/* SPDX-License-Identifier: MIT */
/*
 * transient.h - transient system errors
 *
 * An error is transient if the host lacks a resource that other processes will release: processes,
 * descriptors, memory, disk space. A start that fails for such a reason is retried after a few seconds; the
 * job itself is not the cause.
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
