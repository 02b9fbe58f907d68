/* SPDX-License-Identifier: MIT */
/*
 * plan_query.h - plans of the queue and of a draft, as the screens show them
 *
 * Adds to a snapshot the instant plan (estimated start and reason of each waiting job) and, while a draft is
 * open, the same with the draft applied. A worker thread (worker.h) builds it from immutable data. A built
 * query is read-only, so that all numbers of a screen are consistent.
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
	struct source source; /* returns the snapshot to this source */
	const struct shared_snapshot *shared;
	const struct snapshot *s; /* of a past state: NULL until the first query of it is built */
	uint64_t version;
	/* for past states: */
	bool is_past;
	struct store *store;         /* NULL: read from the source */
	struct store_moment moment;  /* by entry or by time; the other one is 0 until it is read */
	struct state *past;          /* owner of s, read from the store */
	struct past_picture fetched; /* owner of s, read from the source */
};

/* Returns the latest snapshot with one reference. */
struct picture *picture_take(const struct source *source);

/*
 * The same for a past state; seq 0: the state at that second. The store is borrowed; with NULL, the source is
 * asked. The state is read when the first query of it is built, in the worker's thread.
 */
struct picture *picture_of_past(const struct source *source, struct store *store, struct store_moment moment);
struct picture *picture_hold(struct picture *p);
void picture_drop(struct picture *p); /* NULL is allowed */

/* Events of a draft, reference-counted in the same way. */
struct proposal {
	int holders;
	uint64_t number; /* increases with each draft */
	struct cmd_changes changes;
};

struct proposal *proposal_hold(struct proposal *p);
void proposal_drop(struct proposal *p); /* NULL is allowed */

/* Only the console's thread changes the reference counts of this and of its members. */
struct plan_query {
	struct query query;
	int holders;
	/* request */
	struct picture *picture;
	struct proposal *proposal; /* NULL: no draft */
	int64_t now_s;
	bool compares; /* fill in compared */
	/* result */
	struct forecast live;
	struct forecast draft;     /* .s is NULL without a draft, or if the draft would be refused */
	struct plan_change change; /* from live to draft                                    */
	bool lost;                 /* the past state could not be read: only err is set */
	bool refused;              /* the events of the draft would be refused: see err */
	struct err err;
	struct str effect;      /* effect of the draft as text */
	struct state *changed;  /* owner of draft.s */
	struct whatif compared; /* comparison by job, based on the instant plans; without a draft, the live
				   queue with itself */
};

/* Is it a past state? */
static inline bool plan_query_is_past(const struct plan_query *o)
{
	return o->picture->is_past;
}

/* For .query.ops. */
extern const struct query_ops plan_query_ops;

/* Computes the result; needs no lock and changes no shared data. A zeroed query is valid and empty. */
void plan_query_build(struct plan_query *o);

/* Drops the references of request and result, but keeps the memory of the plans. */
void plan_query_reset(struct plan_query *o);
void plan_query_free(struct plan_query *o); /* NULL is allowed */

struct plan_query *plan_query_hold(struct plan_query *o);
/* Drops a reference and frees the query with the last one. NULL is allowed. */
void plan_query_drop(struct plan_query *o);

/* --- lint findings of the state and of the draft ------------------------------------------------------ */

/*
 * One cache for all screens: lint checks every value, job and node, so it runs once per state and draft
 * instead of once per frame. Findings that only depend on time are updated with the next event.
 */

/* Identifies the input of lint. */
struct lint_cache_key {
	uint64_t version; /* of the snapshot; 0 for a past state */
	uint64_t past;    /* last entry of a past state; 0 = live */
	int64_t past_s;
	uint64_t draft; /* 0 = none, or it would be refused */
};

/* A zeroed cache is valid and empty. Free with lint_cache_free. */
struct lint_cache {
	bool known;
	struct lint_cache_key of;
	struct lint_list live, draft,
		brought; /* brought: new findings of the draft; draft and brought are empty without a draft */
};

/* Runs lint if the query differs from the last one. */
void lint_cache_take(struct lint_cache *f, const struct plan_query *o);
void lint_cache_free(struct lint_cache *f);

/* The findings of the draft if there is one, otherwise the live ones. */
const struct lint_list *lint_cache_shown(const struct lint_cache *f);

/* Is the finding caused by the draft? */
bool lint_cache_is_new(const struct lint_cache *f, const struct config_finding *finding);

/* Number of shown findings with this subject and severity. */
size_t lint_cache_count(const struct lint_cache *f, enum config_subject subject,
			enum config_severity severity);

#endif
