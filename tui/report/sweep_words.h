/* SPDX-License-Identifier: MIT */
/*
 * sweep_words.h - values of a sweep, as typed
 *
 *     NAME=LO..HI            eleven values
 *     NAME=LO..HI/STEPS      so many
 *     NAME=A|B|C             these
 */
#ifndef REPORT_SWEEP_WORDS_H
#define REPORT_SWEEP_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/arena.h"
#include "sched/base/str.h"
#include "sched/forecast/sweep.h"

struct sweep_words {
	const char *name;
	const char *value[SWEEP_VALUES];
	size_t values;
};

/* What is read lives in arena. */
bool sweep_words_read(struct sweep_words *out, const struct snapshot *s, const char *words,
		      struct arena *arena, struct err *err);

/* Words for a setting that is a number: from nothing to twice what it is in s. Appended; nothing for what is
 * no number. */
void sweep_words_offer(const struct snapshot *s, const char *name, struct str *out);

#endif
