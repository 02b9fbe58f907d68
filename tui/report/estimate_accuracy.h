/* SPDX-License-Identifier: MIT */
/*
 * estimate_accuracy.h - estimates that the journal records, compared with actual starts
 *
 * The walks of sched/forecast/estimate.h over a journal: of a store, from any thread; or through the door of
 * the scheduler, which shows it to those who may see what others did. There is a bound to the work: however
 * many jobs have started, ESTIMATES_ASKED of them are asked about, and ESTIMATES_ASKED_FULL of these of the
 * full projection, which costs a hundred instant plans.
 */
#ifndef REPORT_ESTIMATE_ACCURACY_H
#define REPORT_ESTIMATE_ACCURACY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd_env.h"
#include "history_source.h"
#include "sched/forecast/estimate_cause.h"

struct progress;

#define ESTIMATES_ASKED       200
#define ESTIMATES_ASKED_FULL  40
#define ESTIMATES_WORST       5
#define ESTIMATES_SINCE_S     (7 * INT64_C(86400)) /* before now, where nothing else is asked for */
#define ESTIMATES_FOLLOW_MOST 3000000              /* jobs in plans, to find the causes: some seconds */

struct estimate_accuracy_query {
	struct history_source source; /* a caller is of the thread that asks */
	int64_t since_s;              /* starts from then on ... */
	uint64_t until_seq;           /* ... up to this entry    */
	struct estimate_setup setup;  /* full_every: 0 = no full projections, else as many as there may be */
	bool worst;                   /* the causes of the worst, too */
	struct progress *bar;         /* to be shown; NULL = none */
};

/* Zero is a valid empty one; estimate_accuracy_clear frees. */
struct estimate_accuracy {
	struct estimate_row *row;                   /* by id */
	size_t count;                               /* jobs asked about */
	size_t started;                             /* all there were   */
	int64_t from_s;                             /* the journal is known from then on; since_s or later */
	struct estimate_tale tale[ESTIMATES_WORST]; /* of what the instant plan said at submission */
	size_t tales;
};

/* Replaces what *out holds. False with a sentence: the journal cannot be read; without one: it was told to
 * stop. */
bool estimate_accuracy_read(struct estimate_accuracy *out, const struct estimate_accuracy_query *wish,
			    struct err *err);
void estimate_accuracy_clear(struct estimate_accuracy *e);

/* --- report of the accuracy of estimates -------------------------------------------------------------- */

/* What was said of the starts since --since, by both tiers, against what came; why the worst did not come. */
enum cmd_status estimate_accuracy_print(struct cmd_env *env);

#endif
