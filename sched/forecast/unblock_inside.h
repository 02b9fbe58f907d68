/* SPDX-License-Identifier: MIT */
/*
 * unblock_inside.h - what the files of unblock share and nobody else sees
 *
 * unblock_try.c tries a change and judges what it does, unblock_place.c which of many points need no try;
 * unblock_itself.c says what happens without any; unblock_limit.c, unblock_job.c and unblock_other.c say what
 * could be tried.
 */
#ifndef FORECAST_UNBLOCK_INSIDE_H
#define FORECAST_UNBLOCK_INSIDE_H

#include "plan.h"
#include "project.h"
#include "unblock.h"

/* How much more may the job's rank be without a change of anybody's place in any pass? */
struct place {
	uint32_t slot;
	int64_t room;
};
void place_look(struct place *p, const struct snapshot *s, const struct queue *queue,
		const struct project_ranks *ranks);

struct search {
	struct unblock *out;
	const struct snapshot *s;
	const struct unblock_setup *setup;
	uint32_t slot;
	const struct job *job;
	struct plan plan;
	struct why why;
	struct projection base;      /* without any change */
	struct projection trial;     /* with the one at hand */
	const struct reason *reason; /* of the limit at hand */
	const char *attribute;       /* which amount of the job is at hand */
	uint8_t adjust;              /* enum job_adjust of the points at hand */
	struct place place;          /* of the job in the trial at hand; no room where points are not tried */
	struct {
		int64_t number, room;
	} failed;          /* the last number that did not do it: so many more would not either */
	int64_t by_s;      /* the job is to start by then */
	bool probing;      /* only how soon any change would start it ... */
	int64_t soonest_s; /* ... this                                    */
	/* What the probe found of changes that are no numbers, in the order they are tried: the start where
	 * it was the soonest by then, else TIME_NEVER. Afterwards only the soonest of all are looked at
	 * again. */
	int64_t *probed_s;
	size_t probed, probed_room;
	size_t at; /* in probed_s: the next, once the probe is over */
	bool stopped;
	uint64_t work;      /* spent so far, without the projection at hand */
	uint64_t allowance; /* may be spent by what is tried now; 0 = no bound */
	enum unblock_part part;
	bool is_cut; /* the trial at hand ended as no work was left */
};

/* Whoever asks has not had enough of it yet. */
bool search_goes_on(struct search *s);

/* Is there work left, after so much more for the projection at hand? Otherwise the part at hand is left. */
bool search_may_spend(struct search *s, uint64_t more);

/* The future without any change: base, and what the answer says of it. */
void search_itself(struct search *s);

/* Keeps a change with which the job starts in time, with what it costs others. */
void search_keep_if_it_does(struct search *s, struct event ev);
/*
 * The same of a change that is tried only where another fails. The probe does not note it: the probe and the
 * search after it have to ask for the changes that are noted in the same order, whatever they find.
 */
void search_keep_unnoted(struct search *s, struct event ev);

typedef struct event make_event(struct search *s, int64_t number);
/*
 * The number nearest to `from` on the way to `to` with which the event that `make` gives does it, kept where
 * there is one. Numbers are tried at distances that double, as far as `to`, and between the last that does
 * not and the first that does the nearest is found by halving.
 */
bool search_number(struct search *s, make_event *make, int64_t from, int64_t to, int64_t *number);
/* Where the number that was kept last delays others and `to` costs less: beside it the number nearest to it,
 * `from`, on the way to `to` that costs no more than `to`. */
void search_cheaper(struct search *s, make_event *make, int64_t from, int64_t to);

/* Does the job fail this check now? */
bool search_fails(const struct search *s, enum gate gate);

/* As unblock.h says; < 0: one costs less than two. */
int search_compare(const struct unblock_change *one, const struct unblock_change *two);

/* An event about the job; texts are copied. */
struct event search_event(const struct search *s, enum event_kind kind);
struct event search_modify(struct search *s, const char *name, const char *value);
struct event search_setting(struct search *s, const char *name, const char *value);

void search_limits(struct search *s);
void search_job(struct search *s);
void search_site(struct search *s);
void search_others(struct search *s);

#endif
