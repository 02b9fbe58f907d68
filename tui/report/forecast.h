/* SPDX-License-Identifier: MIT */
/*
 * forecast.h - the queue with its plan and the estimated starts of its jobs
 */
#ifndef TUI_FORECAST_H
#define TUI_FORECAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/forecast/explain.h"
#include "sched/forecast/future.h"
#include "sched/forecast/plan.h"
#include "sched/model/snapshot.h"
#include "sched/policy/priority.h"

/* A queue with its plan and estimated starts. */
struct forecast {
	const struct snapshot *s;
	struct plan plan;
	/*
	 * By slot: estimated starts and ends of jobs (future.h). Those of idle jobs are placeholders until
	 * forecast_take or forecast_follow is called.
	 */
	int64_t *start_s, *end_s;
	bool *placeholder;
	struct reason *never; /* by slot: why a job never starts (never.h); set by forecast_take and
				 forecast_follow */
	enum future_tier tier;
	size_t start_room, end_room, placeholder_room, never_room;
	uint32_t *place; /* by job slot: rank among the idle jobs from 1, 0 = not idle */
	size_t place_room;
	uint32_t *index; /* hash table of slots by job ID; INDEX_NONE = free */
	size_t index_room, index_mask;
};

/*
 * Builds the plan at the given time, with placeholders for estimated starts. A zeroed forecast is valid and
 * empty.
 */
void forecast_build(struct forecast *f, const struct snapshot *s, int64_t now_s);
/* Frees the members, not the struct. */
void forecast_free(struct forecast *f);

/* Copies the estimated starts and the never-starting jobs from a projection of the same snapshot. */
void forecast_take(struct forecast *f, const struct projection *p, const struct never *never);
/*
 * Copies the starts of an older forecast for jobs that have not changed since: slightly outdated starts
 * are more accurate than placeholders.
 */
void forecast_follow(struct forecast *f, const struct forecast *older);
/* Returns the estimated start of an idle job. */
struct future_start forecast_start(const struct forecast *f, uint32_t slot);

/* Returns the reason that is shown first for a job (explain.h). */
struct explain_lead forecast_lead(const struct forecast *f, uint32_t slot);

/*
 * Returns the job with the ID, and its slot in *slot unless slot is NULL. Returns NULL if the forecast does
 * not contain it.
 */
const struct job *forecast_job(const struct forecast *f, uint64_t id, uint32_t *slot);
/* The priority of a job with all its parts. */
void forecast_priority(const struct forecast *f, const struct job *job, struct prio_result *out);
/* Returns the expansion factor of a job. */
double forecast_xfactor(const struct forecast *f, const struct job *job);

#endif
