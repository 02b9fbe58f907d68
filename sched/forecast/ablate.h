/* SPDX-License-Identifier: MIT */
/*
 * ablate.h - the effect of each edit of a draft (ablation)
 *
 * Each edit is tried alone, and the draft is tried without it. The gain, which is the mean wait that the
 * draft saves, is divided among the edits. With up to ABLATE_EXACT edits all subsets are tried, and the share
 * of an edit is its Shapley value: what it adds on average over all orders of the edits; the shares sum to
 * the gain. With more edits, the share of an edit is what the draft loses without it. The rest of the gain is
 * the remainder: it is gained by no single edit, or by several edits equally.
 *
 * An edit that depends on an earlier edit (a hold on a job that the draft submits) is refused in subsets
 * without the earlier edit, and changes nothing there.
 *
 * Source: L. S. Shapley, A value for n-person games, 1953.
 */
#ifndef FORECAST_ABLATE_H
#define FORECAST_ABLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "comparison.h"
#include "future.h"
#include "sched/state/event.h"

#define ABLATE_EXACT 6

struct ablate_edit {
	struct start_changes alone; /* difference between the live state and this edit alone */
	struct start_changes last;  /* difference between the draft without this edit and the whole draft */
	double share_s;             /* its share of the gain: mean wait in seconds */
};

/* The effects of all edits. A zeroed struct is a valid empty one; ablate_clear frees it. */
struct ablate {
	struct ablate_edit *edit; /* in the order of the events */
	size_t count, room;
	struct start_changes whole; /* difference between the live state and the draft */
	double gain_s;      /* mean wait that the draft saves; negative: a loss; 0 if there are no jobs */
	double remainder_s; /* gain_s minus the sum of the shares; 0 if exact */
	uint32_t jobs;      /* number of jobs over which means are taken */
	bool exact;         /* true: the shares are Shapley values */
};

/*
 * Replaces the contents of *out. live: the future of s, built with the same setup. Returns false with err set
 * if the draft was refused or the search was stopped.
 */
bool ablate_find(struct ablate *out, const struct snapshot *s, const struct whatif_side *live,
		 const struct event *ev, size_t count, const struct future_setup *setup, struct err *err);
void ablate_clear(struct ablate *a);

/*
 * Appends the effects: "edit 1 alone causes the whole gain; edit 2 changes no start; edit 3 changes only
 * 901023". If a share has the opposite sign of the gain or exceeds the gain, shares are printed as durations:
 * "mean wait: edit 1 costs 0:02:55; edit 2 saves 0:04:01".
 */
void ablate_print(const struct ablate *a, const struct snapshot *s, struct str *out);

#endif
