/* SPDX-License-Identifier: MIT */
/*
 * random.c - random bytes that nobody can predict, for keys and cookies
 */
#include "random.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

bool random_bytes(void *out, size_t size, struct err *err)
{
	ssize_t got;

	do
		got = getrandom(out, size, 0);
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)size || err_set(err, "the system gives no random bytes: %s", strerror(errno));
}
