/* SPDX-License-Identifier: MIT */
/*
 * self_limits.h - limits on what one user's requests cost, with that user's current use
 *
 * The scheduler sends an array of these in a file that it lends (handout.h).
 */
#ifndef TUI_SERVE_SELF_LIMITS_H
#define TUI_SERVE_SELF_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SELF_LIMITS_MAX 16
#define SELF_USE_NONE   INT64_C(-1) /* it is a limit of one request: nothing is in use between */

struct self_limit {
	char option[32]; /* its name                                   */
	char unit[16];
	char what[64];       /* a few words                                */
	int64_t limit, used; /* in that unit                           */
	int64_t exempt;      /* 1: the user is not held to it              */
};

/* Is what came an array of these, with texts that end? */
bool self_limits_check(const struct self_limit *limit, size_t size);

#endif
