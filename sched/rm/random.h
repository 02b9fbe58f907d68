/* SPDX-License-Identifier: MIT */
/*
 * random.h - random bytes that nobody can predict, for keys and cookies
 */
#ifndef RM_RANDOM_H
#define RM_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/err.h"

/* Fills out with `size` bytes, at most 256. False with a sentence. */
bool random_bytes(void *out, size_t size, struct err *err);

#endif
