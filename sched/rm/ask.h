/* SPDX-License-Identifier: MIT */
/*
 * ask.h - answers of site programs
 *
 * Each question is a process of its own: the text on its standard input, the answer on its standard
 * output, nothing of our own environment. All questions run side by side within one time limit;
 * who has not ended by then is killed, with all that it has started.
 */
#ifndef RM_ASK_H
#define RM_ASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/base/str.h"

#define ASK_ANSWER_MAX ((size_t)1 << 20) /* bytes of an answer; more is no answer */

/* One question. Zero but for the first two. */
struct ask {
	struct str input;
	const char *const *environment; /* "NAME=value", NULL at the end; PATH and LC_ALL are added */
	bool answered;                  /* it ended with status 0 in time                  */
	struct str answer;              /* as it was written, without NUL bytes            */
	struct err err;                 /* why there is no answer                          */
};

/* Asks them all; returns when each has an answer or none. program is a path; one that others could
 * change is not run (trusted.h). */
void ask_all(const char *program, struct ask *ask, size_t count, int64_t timeout_s);

/* Gives input and answer back. */
void ask_clear(struct ask *ask);

#endif
