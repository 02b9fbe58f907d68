/* SPDX-License-Identifier: MIT */
/*
 * drift_ranks.h - how ranks change with time; private to drift.c and drift_poll.c
 *
 * drift.c computes when a changed order of jobs may change the decisions of a pass; drift_poll.c checks at a
 * poll whether the order has changed.
 */
#ifndef PASS_DRIFT_RANKS_H
#define PASS_DRIFT_RANKS_H

#include <stddef.h>

#include "drift.h"
#include "sched/policy/fairshare_steady.h"
#include "sched/policy/priority.h"

#define FAR_S 3.2e9 /* a hundred years: longer counts as never */

/* Relative rounding error of the numbers compared. */
#define MARGIN_PART 1e-9

/* Two jobs whose order matters. `ahead` certainly stays ahead of `behind` until until_s. */
struct ordered_pair {
	uint32_t ahead, behind; /* slots */
	double until_s;
};

/*
 * A group of jobs of which some must stay ahead of all others: the jobs within an idle limit ahead of those
 * beyond it, or the last job with a reservation ahead of all jobs behind it. From at_s on, a line separates
 * the ranks of the two sides; while each job stays on its side, the order is known.
 */
struct job_group {
	uint32_t first, count; /* members */
	uint32_t above;        /* number of members, from the first, that are ahead */
	int64_t at_s;
	double value, slope; /* of the line: at at_s, and per second */
};

/* At the time of the walk the rank was between `least` and `most`; since then it grows by at least lo and at
 * most hi per second. If that is not known, least and most are infinite. */
struct group_member {
	uint32_t slot;
	double least, most, lo, hi;
	double until_s; /* it certainly stays on its side until then */
};

struct growth; /* drift_poll.c */

/* The check at polls; memory is kept from pass to pass. */
struct drift_poll {
	bool can_tell; /* after this walk a poll can tell whether the order has changed */
	bool listed;   /* pairs and groups of this walk are listed */
	struct fairshare shares;
	struct ordered_pair *pair;
	struct job_group *group;
	struct group_member *member;
	struct growth *growth; /* by set of credentials */
	uint32_t *group_of;    /* by place of drift.limited: index + 1; 0 = none */
	size_t pair_count, pair_room, group_count, group_room, member_count, member_room, growth_room,
		group_of_room;
};

struct drift {
	const struct walk *w;
	const struct gate_context *ctx;
	const struct snapshot *s; /* of the walk, or the state after its decisions */
	const struct fairshare *shares;
	struct prio_world world;
	struct prio_terms terms; /* cache: weights of the job of the last drift_trend */
	struct fs_pace pace;
	/* The change of the fairshare factor, by index of a credential; computed on first use. */
	struct share_trend {
		struct trend trend;
		enum {
			SHARE_NOT_ASKED,
			SHARE_UNKNOWN,
			SHARE_KNOWN
		} state;
	} * share;
	size_t share_room;
	struct prio_trend *last; /* of the previous job, by credential; [0]: for limits of the system */
	uint32_t *last_slot;     /* likewise; INDEX_NONE */
	bool *limited;           /* likewise: an idle limit or an array limit keeps out a job */
	size_t last_room, slot_room, limited_room;
	bool rests;     /* see is_at_rest */
	bool moved;     /* the walk stops or resumes queue time, so that ranks change at once */
	double keeps_s; /* seconds for which no decision changes                  */
	double near_s;  /* seconds to the next poll: a shorter keeps_s need not be exact */
	struct drift_poll poll;
};

static inline const struct job *drift_job(const struct drift *d, uint32_t slot)
{
	return &snapshot_jobs(d->s)[slot];
}

/* True if the job starts in the pass. */
static inline bool drift_starts(const struct drift *d, uint32_t slot)
{
	return (d->w->mark[slot] & MARK_STARTS) != 0;
}

/* Begins a computation for a moment: s and shares at now_s. */
void drift_begin(struct drift *d, const struct snapshot *s, int64_t now_s, const struct fairshare *shares);

/* The change of the rank of a job from that moment on. */
void drift_trend(struct drift *d, uint32_t slot, struct prio_trend *out);

/* Seconds for which a job certainly stays ahead of another. */
double drift_order_keeps_s(const struct drift *d, uint32_t ahead, const struct prio_trend *a, uint32_t behind,
			   const struct prio_trend *b);

/* The number of idle jobs, from the first, whose order matters. */
uint32_t drift_count_ordered(const struct drift *d);

/* Marks in drift.limited the credentials of which an idle limit, or an array limit, keeps out a job: by index
 * + 1; [0]: a limit of the system. True if any is marked. */
bool drift_find_limited(struct drift *d);

void drift_poll_clear(struct drift_poll *poll);

#endif
