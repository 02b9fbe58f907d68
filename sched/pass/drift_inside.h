/* SPDX-License-Identifier: MIT */
/*
 * drift_inside.h - what the files of drift share and nobody else sees
 *
 * drift.c says when the order of jobs may change what a pass decides, drift_still.c whether it has by a poll.
 */
#ifndef PASS_DRIFT_INSIDE_H
#define PASS_DRIFT_INSIDE_H

#include <stddef.h>

#include "drift.h"
#include "sched/policy/fairshare_steady.h"
#include "sched/policy/priority.h"

/* More seconds than this count as never. */
#define FAR_S 3.2e9 /* a hundred years */

/* Part of the numbers compared by which rounding may put them off. */
#define MARGIN_PART 1e-9

/* Two jobs whose order matters, and up to when the one surely stays ahead of the other. */
struct still_pair {
	uint32_t ahead, behind; /* slots */
	double until_s;
};

/*
 * Jobs of which some must stay ahead of all others: those that an idle limit lets through and those that it
 * keeps out, or the last with a reservation and those behind it. A line runs between them from at_s on; while
 * each stays on its side, the order is known.
 */
struct still_group {
	uint32_t first, count; /* members */
	uint32_t above;        /* the number of them, from the first, that are ahead */
	int64_t at_s;
	double value, slope; /* of the line, at at_s and each second */
};

/* Its rank lay between `least` and `most` when the walk was made, and since then grows by at least lo and at
 * most hi each second. Where that is not known, least and most are infinite. */
struct still_member {
	uint32_t slot;
	double least, most, lo, hi;
	double until_s; /* up to then it surely stays on its side */
};

struct growth; /* drift_still.c */

/* Drift at polls; memory kept from pass to pass. */
struct still {
	bool can_be; /* after this walk it can be told whether the order is the same */
	bool listed; /* for this walk */
	struct fairshare shares;
	struct still_pair *pair;
	struct still_group *group;
	struct still_member *member;
	struct growth *growth; /* by set of credentials */
	uint32_t *group_of;    /* by place of drift.limited: index + 1; 0 = none */
	size_t pair_count, pair_room, group_count, group_room, member_count, member_room, growth_room,
		group_of_room;
};

struct drift {
	const struct walk *w;
	const struct gate_context *ctx;
	const struct snapshot *s; /* of the walk, or what its decisions have made of it */
	const struct fairshare *shares;
	struct prio_world world;
	struct prio_terms terms; /* of the job looked at last */
	struct fs_pace pace;
	/* How each credential's factor changes, by index; computed on first use. */
	struct share_trend {
		struct trend trend;
		enum {
			SHARE_NOT_ASKED,
			SHARE_UNKNOWN,
			SHARE_KNOWN
		} state;
	} * share;
	size_t share_room;
	struct prio_trend *last; /* of the job before, by credential; [0] for limits on all */
	uint32_t *last_slot;     /* likewise; INDEX_NONE */
	bool *limited;           /* an idle limit or an array keeps a job of it out */
	size_t last_room, slot_room, limited_room;
	bool rests; /* see is_at_rest */
	bool moved; /* the walk stops or resumes the queue time of jobs, so that their ranks change at once */
	double keeps_s; /* seconds for which nothing changes                      */
	double near_s;  /* up to the next poll: what is sooner need not be known */
	struct still still;
};

static inline const struct job *drift_job(const struct drift *d, uint32_t slot)
{
	return &snapshot_jobs(d->s)[slot];
}

/* Does it start in the pass? */
static inline bool drift_starts(const struct drift *d, uint32_t slot)
{
	return (d->w->mark[slot] & MARK_STARTS) != 0;
}

/* Looks at a moment: s, and shares of then. */
void drift_begin(struct drift *d, const struct snapshot *s, int64_t now_s, const struct fairshare *shares);

/* How a job's rank changes from then on. */
void drift_trend(struct drift *d, uint32_t slot, struct prio_trend *out);

/* Seconds for which a job that is ahead of another stays so. */
double drift_order_keeps_s(const struct drift *d, uint32_t ahead, const struct prio_trend *a, uint32_t behind,
			   const struct prio_trend *b);

/* How many of the idle jobs, from the first, have an order that matters. */
uint32_t drift_count_ordered(const struct drift *d);

/* Marks the credentials of which an idle limit, or the limit of an array, keeps a job out: drift.limited[0]:
 * a limit for all jobs, else by index + 1. */
bool drift_find_limited(struct drift *d);

void still_clear(struct still *still);

#endif
