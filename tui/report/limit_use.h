/* SPDX-License-Identifier: MIT */
/*
 * limit_use.h - which jobs count against a limit, and how much each?
 *
 * A forecast's running jobs, those that the next pass starts, and, against limits on eligible jobs,
 * those that wait for nothing but their turn.
 */
#ifndef REPORT_LIMIT_USE_H
#define REPORT_LIMIT_USE_H

#include "forecast.h"
#include "limit_list.h"

typedef void limit_use_visit(void *self, uint32_t slot, const struct job *job);

/* Running ones by due end, then waiting ones by submit time. job: as it counts. */
void limit_use_each(const struct forecast *f, const struct limit_row *row, limit_use_visit *visit,
		    void *self);

/* What one of them counts at a moment, running to its limit. */
int64_t limit_use_amount(const struct forecast *f, const struct limit_row *row, uint32_t slot,
			 const struct job *job, int64_t at_s);

/* The processors that it counts with. */
int64_t limit_use_procs(const struct forecast *f, uint32_t slot, const struct job *job);

/* Does what is outstanding fall all the time, and not only at the ends of jobs? */
bool limit_use_falls(const struct limit_row *row);

/* All of them at a moment: who has ended by then is left out. */
struct limit_use {
	const struct forecast *f;
	const struct limit_row *row;
	int64_t at_s;
	int64_t amount, procs; /* processors: of those that run */
	uint32_t jobs, running;
	int64_t next_end_s; /* the first due end of a job that counts, after at_s */
};
struct limit_use limit_use_at(const struct forecast *f, const struct limit_row *row, int64_t at_s);

#endif
