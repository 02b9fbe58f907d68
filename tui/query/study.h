/* SPDX-License-Identifier: MIT */
/*
 * study.h - which edit of the draft does what, and what is odd about it?
 *
 * Made of a foresight that is whole, in the same lane: each edit alone, all without it, and what lint says
 * that it did not say before. It takes as many projections as there are sets of edits, so it comes last and
 * is told to stop first.
 */
#ifndef QUERY_STUDY_H
#define QUERY_STUDY_H

#include <stdbool.h>

#include "foresight.h"
#include "sched/forecast/ablate.h"
#include "sched/lint/lint.h"

struct study {
	struct work work; /* of LANE_FAR */
	/* asked */
	struct outlook *outlook; /* held */
	struct habits *habits;   /* held; NULL: jobs run to their limits */
	struct ahead *live;      /* held, done */
	bool singly;             /* each edit, too */
	/* found */
	struct ablate ablate; /* count 0: not asked for, or it was refused */
	struct lint_list odd; /* findings that the draft brings            */
	bool whole;
};

extern const struct work_ops study_work;

/* To be built: of a foresight that is whole and has a draft. */
struct study *study_new(const struct foresight *f, bool singly);
void study_free(struct study *s); /* NULL is allowed */
/* Fills what is found; false: it was told to stop. */
bool study_build(struct study *s);

#endif
