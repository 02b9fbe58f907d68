/* SPDX-License-Identifier: MIT */
/*
 * remedies_search.h - the search for remedies: its state, and how a candidate is tried
 *
 * Private to remedies.c, which projects and judges a change, and remedies_candidates.c, which lists the
 * changes to try.
 */
#ifndef FORECAST_REMEDIES_SEARCH_H
#define FORECAST_REMEDIES_SEARCH_H

#include "course.h"
#include "plan.h"
#include "project.h"
#include "remedies.h"

struct search {
	struct remedies *out;
	const struct snapshot *s;
	const struct remedies_setup *setup;
	uint32_t slot;
	const struct job *job;
	struct plan plan;
	struct why why;
	struct projection base;      /* without any change                        */
	struct projection trial;     /* with the current candidate                */
	struct course course;        /* of the base; empty: no trial follows it   */
	const struct reason *reason; /* the limit that is raised                  */
	const char *attribute;       /* the attribute of the job that is lowered  */
	uint8_t adjust;              /* enum job_adjust of the points that are set */
	int64_t rank_slack;          /* see note_rank_slack; 0 unless points are tried */
	struct {
		int64_t number, slack;
	} failed;          /* the last number that failed; up to `slack` more of it fail as well */
	int64_t by_s;      /* the job has to start by then                                   */
	bool probing;      /* only the soonest start that any change gives is looked for ... */
	int64_t soonest_s; /* ... this one                                                   */
	/* By non-numeric candidate, in the order in which they are tried: the start that the probe found if
	 * it was the soonest until then, else TIME_NEVER. After the probe only the soonest are tried again.
	 */
	int64_t *probed_s;
	size_t probed, probed_room;
	size_t at; /* in probed_s: the next candidate after the probe */
	bool stopped;
	uint64_t work;      /* spent so far, without the current projection           */
	uint64_t allowance; /* upper bound of `work` in the current phase; 0 = none   */
	enum remedies_part part;
	bool is_cut; /* the current trial ended because the allowance was used up */
};

/* Keeps the change, with its cost to other jobs, if the job starts in time with it. */
void search_try(struct search *s, struct event ev);
/*
 * As above, for a change that is tried only if another one fails. The probe does not note it: the probe and
 * the search after it have to try the noted changes in the same order, whatever they find.
 */
void search_try_fallback(struct search *s, struct event ev);

typedef struct event make_event(struct search *s, int64_t number);
/*
 * Finds the number nearest to `from`, on the way to `to`, whose event starts the job in time, and keeps that
 * change. Tries numbers at doubling distances, then bisects between the last that fails and the first that
 * works. False: none was found.
 */
bool search_number(struct search *s, make_event *make, int64_t from, int64_t to, int64_t *number);
/* If the number that was kept last delays other jobs and `to` costs less, also keeps the number nearest to
 * `from`, on the way to `to`, that costs no more than `to`. */
void search_cheaper(struct search *s, make_event *make, int64_t from, int64_t to);

/* Tries all candidates, part by part: the job has to start by by_s. */
void search_candidates(struct search *s, int64_t by_s);

#endif
