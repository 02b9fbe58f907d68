/* SPDX-License-Identifier: MIT */
/*
 * inquiry.h - what do the questions of `kahu whatif` have in common?
 *
 * Each begins with a draft, the changes of the verb's own words, and looks at futures under one assumption.
 * What a question prints goes to env->out.
 */
#ifndef COMMAND_INQUIRY_H
#define COMMAND_INQUIRY_H

#include "cmd.h"
#include "sched/forecast/future.h"
#include "tui/report/accuracy.h"
#include "tui/report/report.h"

struct inquiry {
	struct cmd_env *env;
	struct cmd_changes changes; /* the draft; may be empty              */
	bool full;                  /* the whole projection; else the instant plan */
	enum assume_kind assume;
	struct accuracy accuracy;
};

struct future_setup inquiry_setup(const struct inquiry *q);

/* The job of --job, INDEX_NONE without one. False: there is no such job, or it does not wait. */
bool inquiry_job(const struct inquiry *q, uint32_t *slot);

/* The start of a job as a cell, "-" for none; of the instant plan with FUTURE_MARK in front. */
void inquiry_cell_moment(struct report *r, const struct inquiry *q, int64_t at_s);

/* --sweep: one setting over several values. */
enum cmd_status inquiry_sweep(struct inquiry *q, const char *words);
/* --solve: the nearest value that starts a job in time. REFUSED also when none does. */
enum cmd_status inquiry_solve(struct inquiry *q, const char *name);
/* --ablate: what each edit does. */
enum cmd_status inquiry_ablate(struct inquiry *q);

#endif
