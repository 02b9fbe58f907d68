/* SPDX-License-Identifier: MIT */
/*
 * ablate.h - which edit of a draft does what?
 *
 * Each edit is tried alone, and the draft is tried without it. The gain, the mean wait that the draft saves,
 * is shared out among the edits: of up to ABLATE_EXACT of them all subsets are tried, and each gets its
 * Shapley value, what it adds on average over all orders in which the edits could have been made; the shares
 * sum to the gain. Of more than that each gets what the draft loses without it, and what those leave of the
 * gain is told as the remainder: what no single edit brings, or several bring alike.
 *
 * An edit that is refused without another one before it (a hold on a job that the draft submits) changes
 * nothing where that one is left out.
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
	struct start_changes alone; /* from things as they are to this edit alone       */
	struct start_changes last;  /* from the draft without it to the whole draft     */
	double share_s;             /* of the gain                                      */
};

/* Zero is a valid empty one; ablate_clear frees. */
struct ablate {
	struct ablate_edit *edit; /* in the order of the events */
	size_t count, room;
	struct start_changes whole; /* from things as they are to the draft               */
	double gain_s;              /* in mean wait; what it costs when negative; 0 without any job */
	double remainder_s;         /* gain_s less the shares; 0 when exact                */
	uint32_t jobs;              /* over so many jobs means are taken                   */
	bool exact;                 /* by Shapley values                                   */
};

/*
 * Replaces what *out holds. live: the future of s, built with this setup. False: the draft is refused, or it
 * was told to stop.
 */
bool ablate_find(struct ablate *out, const struct snapshot *s, const struct whatif_side *live,
		 const struct event *ev, size_t count, const struct future_setup *setup, struct err *err);
void ablate_clear(struct ablate *a);

/*
 * "edit 1 alone gives all of the gain; edit 2 changes no start; edit 3 changes only 901023". Shares that are
 * no parts of the gain, being against it or more than all of it, are told in time: "mean wait: edit 1 costs
 * 0:02:55; edit 2 saves 0:04:01".
 */
void ablate_print(const struct ablate *a, const struct snapshot *s, struct str *out);

#endif
