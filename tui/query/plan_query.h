/* SPDX-License-Identifier: MIT */
/*
 * plan_query.h - plans of the queue and of a draft, as the screens show them
 *
 * A snapshot alone says who waits; an outlook adds the instant plan (when each would start
 * and why not now) and, while a draft is open, the same after its changes. It is built away
 * from the keys (worker.h) from things that do not change, and is read-only once built, so
 * the screen always shows numbers that belong together.
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
 * A snapshot of the host, held as long as somebody looks at it; or a state out of the journal. Counted by the
 * console's thread alone.
 */
struct picture {
	int holders;
	struct source source; /* to give it back to */
	const struct shared_snapshot *shared;
	const struct snapshot *s; /* of the past: NULL until the first outlook of it is built */
	uint64_t version;
	/* of a moment that is past: */
	bool is_past;
	struct store *store;         /* NULL: the source has it             */
	struct store_moment moment;  /* seq 0, or the second 0, until it is found by the other */
	struct state *past;          /* behind s, out of the store           */
	struct past_picture fetched; /* behind s, from the source            */
};

/* Takes the latest, with one holder. */
struct picture *picture_take(const struct source *source);

/* A moment that the journal keeps, likewise; seq 0: whatever it is at that second. The store stays the
 * caller's; NULL: the source is asked. It is read when an outlook of it is built, away from the keys. */
struct picture *picture_of_past(const struct source *source, struct store *store, struct store_moment moment);
struct picture *picture_hold(struct picture *p);
void picture_drop(struct picture *p); /* NULL is allowed */

/* Events of a draft, shared likewise. */
struct proposal {
	int holders;
	uint64_t number; /* which draft: grows */
	struct cmd_changes changes;
};

struct proposal *proposal_hold(struct proposal *p);
void proposal_drop(struct proposal *p); /* NULL is allowed */

/* Counted by the console's thread alone, like what it holds. */
struct plan_query {
	struct work work; /* of LANE_NEAR */
	int holders;
	/* asked */
	struct picture *picture;
	struct proposal *proposal; /* NULL = no draft */
	int64_t now_s;
	bool compares; /* compared is asked for, too */
	/* found */
	struct forecast live;
	struct forecast draft;     /* .s is NULL without a draft, or when it would be refused */
	struct plan_change change; /* from live to draft                                    */
	bool lost;                 /* the past could not be read: nothing was found but err    */
	bool refused;              /* the draft's events would not be taken: see err         */
	struct err err;
	struct str effect;      /* of the draft, in words                              */
	struct state *changed;  /* the state behind draft.s                            */
	struct whatif compared; /* job by job, by the instant plans; the same twice without a draft */
};

/* Is it of a moment that is past? */
static inline bool plan_query_is_past(const struct plan_query *o)
{
	return o->picture->is_past;
}

/* For .work.ops. */
extern const struct work_ops plan_query_work;

/* Zero is a valid empty outlook. Fills what is found; needs no lock and touches nothing shared. */
void plan_query_build(struct plan_query *o);

/* Gives back what was asked and found, keeps the memory of the plans. */
void plan_query_reset(struct plan_query *o);
void plan_query_free(struct plan_query *o); /* NULL is allowed */

/* One holder less; without any it is freed. NULL is allowed. */
void plan_query_drop(struct plan_query *o);

/* --- lint findings of the state and of the draft ------------------------------------------------------ */

/*
 * One memory for all screens: lint looks at every value, job and node, so it is asked once for a state and a
 * draft, not once for a frame. What follows from time alone it finds with the next event.
 */

/* What an outlook is of: two with the same parts have the same findings. */
struct lint_cache_key {
	uint64_t version; /* of the picture; of a past one 0 */
	uint64_t past;    /* the entry after which it is, 0 = it is what is */
	int64_t past_s;
	uint64_t draft; /* 0 = there is none, or it would be refused */
};

/* Zero is a valid empty memory. Release with lint_cache_free. */
struct lint_cache {
	bool known;
	struct lint_cache_key of;
	struct lint_list live, draft, brought; /* brought: by the draft; the last two empty without one */
};

/* Asks lint if the outlook is of something else than the last one was. */
void lint_cache_take(struct lint_cache *f, const struct plan_query *o);
void lint_cache_free(struct lint_cache *f);

/* With a draft as it would be. */
const struct lint_list *lint_cache_shown(const struct lint_cache *f);

/* Does the draft bring it? */
bool lint_cache_is_new(const struct lint_cache *f, const struct config_finding *finding);

/* How many of what is shown are of a subject and so grave. */
size_t lint_cache_count(const struct lint_cache *f, enum config_subject subject,
			enum config_severity severity);

#endif
