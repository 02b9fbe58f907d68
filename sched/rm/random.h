/* SPDX-License-Identifier: MIT */
/*
 * random.h - unpredictable random bytes, for keys and cookies
 */
#ifndef RM_RANDOM_H
#define RM_RANDOM_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/random.h>

#include "sched/base/err.h"

/* Fills *out with `size` random bytes, at most 256. Returns false with a message on failure. */
static inline bool random_bytes(void *out, size_t size, struct err *err)
{
	ssize_t got;

	do
		got = getrandom(out, size, 0);
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)size ||
	       err_set(err, "cannot get random bytes from the system: %s", strerror(errno));
}

#endif
