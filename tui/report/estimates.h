/* SPDX-License-Identifier: MIT */
/*
 * estimates.h - what was said of the starts that have come, by what the journal keeps?
 *
 * The walks of sched/forecast/estimate.h over a journal: of a store, from any thread; or through the door of
 * the scheduler, which shows it to those who may see what others did. There is a bound to the work: however
 * many jobs have started, ESTIMATES_ASKED of them are asked about, and ESTIMATES_ASKED_FULL of these of the
 * full projection, which costs a hundred instant plans.
 */
#ifndef REPORT_ESTIMATES_H
#define REPORT_ESTIMATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "annals.h"
#include "sched/forecast/estimate_cause.h"

struct progress;

#define ESTIMATES_ASKED       200
#define ESTIMATES_ASKED_FULL  40
#define ESTIMATES_WORST       5
#define ESTIMATES_SINCE_S     (7 * INT64_C(86400)) /* before now, where nothing else is asked for */
#define ESTIMATES_FOLLOW_MOST 3000000              /* jobs in plans, to find the causes: some seconds */

struct estimates_wish {
	struct annals annals;        /* a caller is of the thread that asks */
	int64_t since_s;             /* starts from then on ... */
	uint64_t until_seq;          /* ... up to this entry    */
	struct estimate_setup setup; /* full_every: 0 = no full projections, else as many as there may be */
	bool worst;                  /* the causes of the worst, too */
	struct progress *bar;        /* to be shown; NULL = none */
};

/* Zero is a valid empty one; estimates_clear frees. */
struct estimates {
	struct estimate_row *row;                   /* by id */
	size_t count;                               /* jobs asked about */
	size_t started;                             /* all there were   */
	int64_t from_s;                             /* the journal is known from then on; since_s or later */
	struct estimate_tale tale[ESTIMATES_WORST]; /* of what the instant plan said at submission */
	size_t tales;
};

/* Replaces what *out holds. False with a sentence: the journal cannot be read; without one: it was told to
 * stop. */
bool estimates_read(struct estimates *out, const struct estimates_wish *wish, struct err *err);
void estimates_clear(struct estimates *e);

#endif
