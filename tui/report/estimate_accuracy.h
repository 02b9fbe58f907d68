/* SPDX-License-Identifier: MIT */
/*
 * estimate_accuracy.h - comparison of recorded estimates with actual starts
 *
 * Runs the walks of sched/forecast/estimate.h over a journal: of a store, in any thread; or through the
 * scheduler, which returns what the user may see. The work is bounded: of all jobs that started, at most
 * ESTIMATES_ASKED are compared, and at most ESTIMATES_ASKED_FULL of these with the full projection, each of
 * which costs as much as a hundred instant plans.
 */
#ifndef REPORT_ESTIMATE_ACCURACY_H
#define REPORT_ESTIMATE_ACCURACY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd_env.h"
#include "history_source.h"
#include "sched/forecast/estimate.h"

struct progress;

#define ESTIMATES_ASKED      200
#define ESTIMATES_ASKED_FULL 40
#define ESTIMATES_WORST      5
#define ESTIMATES_SINCE_S    (7 * INT64_C(86400)) /* default time span before now, seconds */
/* Maximum work of all projections made to find causes (projection.work); this takes some seconds. */
#define ESTIMATES_FOLLOW_MOST UINT64_C(30000000)

struct estimate_accuracy_query {
	struct history_source source; /* source.client, if set, must belong to the calling thread */
	int64_t since_s;              /* only starts at or after this time */
	uint64_t until_seq;           /* only journal entries up to this one */
	/*
	 * setup.full_every: 0 = no full projections are made; other values = at most ESTIMATES_ASKED_FULL are
	 * made
	 */
	struct estimate_setup setup;
	bool worst;           /* also find the causes of the worst estimates */
	struct progress *bar; /* progress display; NULL = none */
};

/* A zeroed struct is valid and empty; estimate_accuracy_clear frees. */
struct estimate_accuracy {
	struct estimate_row *row; /* sorted by job ID */
	size_t count;             /* jobs compared */
	size_t started;           /* jobs that started */
	/* beginning of the compared period; later than since_s if the journal begins later */
	int64_t from_s;
	struct estimate_track
		track[ESTIMATES_WORST]; /* worst estimates of the full projection at submission */
	size_t tales;
};

/*
 * Reads the journal and replaces *out. Returns false with err set if the journal cannot be read, and false
 * with an empty err if the query was stopped.
 */
bool estimate_accuracy_read(struct estimate_accuracy *out, const struct estimate_accuracy_query *wish,
			    struct err *err);
void estimate_accuracy_clear(struct estimate_accuracy *e);

/* --- report of the accuracy of estimates -------------------------------------------------------------- */

/*
 * Prints how the estimates of both tiers compare with the actual starts since --since, and the causes of the
 * worst differences.
 */
enum cmd_status estimate_accuracy_print(struct cmd_env *env);

#endif
