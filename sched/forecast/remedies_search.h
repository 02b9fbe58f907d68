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
	struct projection base;      /* projection without any change */
	struct projection trial;     /* projection with the current candidate */
	struct course course;        /* passes of `base`; empty: no trial follows it */
	const struct reason *reason; /* the limit or cap that is currently raised */
	const char *attribute;       /* attribute of the job that is currently changed */
	uint8_t adjust;              /* enum job_adjust of the points that are currently tried */
	int64_t rank_slack;          /* see note_rank_slack; 0 unless points are tried */
	struct {
		int64_t number, slack;
	} failed;          /* the last number that failed; numbers larger by up to `slack` fail as well */
	int64_t by_s;      /* the job must start at or before this time */
	bool probing;      /* the search looks only for the soonest start that any change gives */
	int64_t soonest_s; /* the soonest start that the probe has found */
	/*
	 * By index of a non-numeric candidate, in the order in which candidates are tried: the start that the
	 * probe found, if it was the soonest until then; else TIME_NEVER. After the probe only the candidates
	 * with the soonest start are tried again.
	 */
	int64_t *probed_s;
	size_t probed, probed_room;
	size_t at; /* index in probed_s of the next candidate after the probe */
	bool stopped;
	uint64_t work;      /* work done so far, without the current projection */
	uint64_t allowance; /* upper bound of `work` in the current phase; 0 = none */
	enum remedies_part part;
	bool is_cut; /* the current trial ended because the allowance was used up */
};

/* Tries a change, and keeps it with its cost to other jobs if the job starts in time with it. */
void search_try(struct search *s, struct event ev);
/*
 * Like search_try, for a change that is tried only if another change fails. The probe does not record it in
 * probed_s: the probe and the search after it must try the recorded candidates in the same order, whatever
 * they find.
 */
void search_try_fallback(struct search *s, struct event ev);

typedef struct event make_event(struct search *s, int64_t number);
/*
 * Finds the number nearest to `from`, on the way to `to`, whose event (from make) starts the job in time, and
 * keeps that change; sets *number to it. Tries numbers at doubling distances, then bisects between the last
 * number that fails and the first that works. Returns false if none was found.
 */
bool search_number(struct search *s, make_event *make, int64_t from, int64_t to, int64_t *number);
/*
 * If the change that was kept last delays other jobs and the number `to` costs less, also keeps the number
 * nearest to `from`, on the way to `to`, that costs no more than `to`.
 */
void search_cheaper(struct search *s, make_event *make, int64_t from, int64_t to);

/* Tries all candidates, part by part; the job must start at or before by_s. */
void search_candidates(struct search *s, int64_t by_s);

#endif
