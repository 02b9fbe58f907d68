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
	/* Estimated starts and ends of jobs, by slot (future.h). Until a projection is taken or followed,
	 * which is done in the console's thread alone, those of waiting jobs are placeholders. */
	int64_t *start_s, *end_s;
	bool *placeholder;
	struct reason *never; /* likewise: what keeps those that never start (never.h) */
	enum future_tier tier;
	size_t start_room, end_room, placeholder_room, never_room;
	uint32_t *place; /* by job slot: position among the idle jobs from 1, 0 = not idle */
	size_t place_room;
	uint32_t *index; /* slots by the hash of their job's id; INDEX_NONE = free */
	size_t index_room, index_mask;
};

/* Zero is a valid empty forecast. Builds the plan at a time, with placeholders for estimated starts. */
void forecast_build(struct forecast *f, const struct snapshot *s, int64_t now_s);
/* Frees what it holds, not the struct. */
void forecast_free(struct forecast *f);

/* Takes the estimated starts of a projection of the same snapshot, and which jobs never start. */
void forecast_take(struct forecast *f, const struct projection *p, const struct never *never);
/* Takes those of an older forecast for jobs that have not been changed since: a little older is nearer to the
 * truth than a placeholder. */
void forecast_follow(struct forecast *f, const struct forecast *older);
/* The estimated start of a waiting job. */
struct future_start forecast_start(const struct forecast *f, uint32_t slot);

/* What is said first of a job. */
struct explain_lead forecast_lead(const struct forecast *f, uint32_t slot);

/* A job of a forecast by id; NULL if it is not there. */
const struct job *forecast_job(const struct forecast *f, uint64_t id, uint32_t *slot);
/* Its priority with all reasons. */
void forecast_priority(const struct forecast *f, const struct job *job, struct prio_result *out);
/* Its expansion factor. */
double forecast_xfactor(const struct forecast *f, const struct job *job);

#endif
