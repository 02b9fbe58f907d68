/* SPDX-License-Identifier: MIT */
/*
 * warned.h - the warnings of a thread that sends notices, for tests
 *
 * take_warning() is given to notify_setup.warn; it runs in that thread.
 */
#ifndef TESTS_WARNED_H
#define TESTS_WARNED_H

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t warned_lock = PTHREAD_MUTEX_INITIALIZER;
static char warned[1 << 16];

static inline void take_warning(void *self, const char *text)
{
	(void)self;
	pthread_mutex_lock(&warned_lock);
	snprintf(warned + strlen(warned), sizeof warned - strlen(warned), "%s\n", text);
	pthread_mutex_unlock(&warned_lock);
}

static inline bool was_warned(const char *text)
{
	bool found;

	pthread_mutex_lock(&warned_lock);
	found = strstr(warned, text) != NULL;
	pthread_mutex_unlock(&warned_lock);
	return found;
}

#endif
