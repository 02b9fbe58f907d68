/* SPDX-License-Identifier: MIT */
/*
 * linted.h - what does lint say of what is shown?
 *
 * One memory for all screens: lint looks at every value, job and node, so it is asked once for a state and a
 * draft, not once for a frame. What follows from time alone it finds with the next event.
 */
#ifndef QUERY_LINTED_H
#define QUERY_LINTED_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/lint/lint.h"
#include "tui/query/outlook.h"

/* What an outlook is of: two with the same parts have the same findings. */
struct linted_of {
	uint64_t version; /* of the picture; of a past one 0 */
	uint64_t past;    /* the entry after which it is, 0 = it is what is */
	int64_t past_s;
	uint64_t draft; /* 0 = there is none, or it would be refused */
};

/* Zero is a valid empty memory. Release with linted_free. */
struct linted {
	bool known;
	struct linted_of of;
	struct lint_list live, draft, brought; /* brought: by the draft; the last two empty without one */
};

/* Asks lint if the outlook is of something else than the last one was. */
void linted_take(struct linted *f, const struct outlook *o);
void linted_free(struct linted *f);

/* With a draft as it would be. */
const struct lint_list *linted_shown(const struct linted *f);

/* Does the draft bring it? */
bool linted_is_new(const struct linted *f, const struct config_finding *finding);

/* How many of what is shown are of a subject and so grave. */
size_t linted_count(const struct linted *f, enum config_subject subject, enum config_severity severity);

#endif
