/* SPDX-License-Identifier: MIT */
/*
 * plan_query.h - plans of the queue and of a draft, as the screens show them
 *
 * A plan query adds the instant plan (estimated start and reason of each waiting job) to a snapshot and,
 * while a draft is open, the plan with the draft applied. A worker thread (worker.h) builds the query from
 * immutable data. A built query is read-only, so that all numbers of a screen are consistent.
 */
#ifndef QUERY_PLAN_QUERY_H
#define QUERY_PLAN_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/base/str.h"
#include "sched/forecast/whatif.h"
#include "sched/lint/lint.h"
#include "store/store.h"
#include "tui/report/changes.h"
#include "tui/report/forecast.h"
#include "tui/serve/session.h"
#include "worker.h"

struct shared_snapshot; /* sched/host/host.h  */
struct state;           /* sched/state/state.h */

/*
 * A reference-counted snapshot of the host, or a past state from the journal. Only the console's thread
 * changes the count.
 */
struct picture {
	int holders;
	struct source source; /* where the snapshot comes from, and is released to */
	const struct shared_snapshot *shared;
	const struct snapshot *s; /* for a past state: NULL until the first query of it is built */
	uint64_t version;
	/* members for past states: */
	bool is_past;
	struct store *store;         /* store to read the state from; NULL: it is requested from the source */
	struct store_moment moment;  /* the entry or the time of the state; the one that is not given is 0 */
	struct state *past;          /* owner of s if it was read from the store */
	struct past_picture fetched; /* owner of s if it came from the source */
};

/* Returns the latest snapshot with one reference. */
struct picture *picture_take(const struct source *source);

/*
 * Returns a past state with one reference: the state after entry moment.seq or, if seq is 0, at the time in
 * `moment`. The store is borrowed; if it is NULL, the state is requested from the source. The state is read
 * in the worker's thread when the first query of it is built.
 */
struct picture *picture_of_past(const struct source *source, struct store *store, struct store_moment moment);
struct picture *picture_hold(struct picture *p);
void picture_drop(struct picture *p); /* NULL is allowed */

/* The events of a draft, with a reference count that only the console's thread changes. */
struct proposal {
	int holders;
	uint64_t number; /* number of the draft; larger for later ones */
	struct cmd_changes changes;
};

struct proposal *proposal_hold(struct proposal *p);
void proposal_drop(struct proposal *p); /* NULL is allowed */

/* Only the console's thread changes the reference counts of a plan query and of its members. */
struct plan_query {
	struct query query;
	int holders;
	/* request */
	struct picture *picture;
	struct proposal *proposal; /* events of the draft; NULL: no draft */
	int64_t now_s;
	bool compares; /* compute `compared` */
	/* result */
	struct forecast live;
	struct forecast draft;     /* .s is NULL if there is no draft, or if the scheduler would refuse it */
	struct plan_change change; /* differences between the plans of live and draft */
	bool lost;                 /* the past state could not be read; the only other result is err */
	bool refused;              /* the scheduler would refuse the draft; err has the reason */
	struct err err;
	struct str effect;      /* effect of the draft, as text */
	struct state *changed;  /* owner of draft.s */
	struct whatif compared; /* comparison by job, based on the instant plans; without a draft, of the live
				   queue with itself */
};

/* Is the query about a past state? */
static inline bool plan_query_is_past(const struct plan_query *o)
{
	return o->picture->is_past;
}

/* The value of query.ops for plan queries. */
extern const struct query_ops plan_query_ops;

/*
 * Computes the result. Needs no lock, and changes no data that other threads use. A zeroed query is valid and
 * empty.
 */
void plan_query_build(struct plan_query *o);

/* Drops the references that the query holds, but keeps the memory of its plans for its next use. */
void plan_query_reset(struct plan_query *o);
void plan_query_free(struct plan_query *o); /* NULL is allowed */

struct plan_query *plan_query_hold(struct plan_query *o);
/* Drops a reference and frees the query with the last one. NULL is allowed. */
void plan_query_drop(struct plan_query *o);

/* --- lint findings of the state and of the draft ------------------------------------------------------ */

/*
 * All screens share one cache: lint checks every value, job and node, so it runs once for each state and
 * draft instead of once for each frame. Findings that depend only on time are updated with the next event.
 */

/* Identifies the state and the draft for which lint was run. */
struct lint_cache_key {
	uint64_t version; /* version of the snapshot; 0 for a past state */
	uint64_t past;    /* last journal entry of a past state; 0 = live */
	int64_t past_s;
	uint64_t draft; /* number of the draft; 0 = none, or it would be refused */
};

/* A zeroed cache is valid and empty. Free with lint_cache_free. */
struct lint_cache {
	bool known;
	struct lint_cache_key of;
	struct lint_list live, draft, brought; /* brought: findings that only the draft causes; without a
						  draft, `draft` and `brought` are empty */
};

/* Runs lint if state or draft differ from those of the last call. */
void lint_cache_take(struct lint_cache *f, const struct plan_query *o);
void lint_cache_free(struct lint_cache *f);

/* Returns the findings of the draft if there is one, otherwise those of the live state. */
const struct lint_list *lint_cache_shown(const struct lint_cache *f);

/* Is the finding caused by the draft? */
bool lint_cache_is_new(const struct lint_cache *f, const struct config_finding *finding);

/* Returns the number of shown findings with this subject and severity. */
size_t lint_cache_count(const struct lint_cache *f, enum config_subject subject,
			enum config_severity severity);

#endif
