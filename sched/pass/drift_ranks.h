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

#define FAR_S 3.2e9 /* about a hundred years in seconds: longer times count as never */

/* Relative rounding error of the numbers that are compared. */
#define MARGIN_PART 1e-9

/* Two jobs whose order matters. `ahead` certainly stays ahead of `behind` until until_s. */
struct ordered_pair {
	uint32_t ahead, behind; /* slots of the two jobs */
	double until_s;
};

/*
 * A group of jobs of which some must stay ahead of all others: either the jobs within an idle limit ahead of
 * those beyond it, or the last job with a reservation ahead of all jobs behind it. From at_s on, a straight
 * line separates the ranks of the two sides; while each job stays on its side of the line, the order is
 * known.
 */
struct job_group {
	uint32_t first, count; /* index of the first member, and number of members */
	uint32_t above;        /* number of members that must stay ahead; they come first */
	int64_t at_s;
	double value, slope; /* the line: its value at at_s, and its growth per second */
};

/*
 * A job in a group. At the time of the walk its rank was between `least` and `most`; since then it has grown
 * by at least lo and at most hi per second. If this is not known, least and most are infinite.
 */
struct group_member {
	uint32_t slot;
	double least, most, lo, hi;
	double until_s; /* time until which the job certainly stays on its side of the line */
};

struct growth; /* defined in drift_poll.c */

/* The groups in which the jobs of a set of credentials count against idle limits. */
struct set_groups {
	uint32_t group[CRED_TYPE_COUNT + 1]; /* indexes in drift_poll.group */
	uint8_t count;
	bool is_known;
};

/* The check at polls. Its memory is reused from pass to pass. */
struct drift_poll {
	bool can_tell; /* a poll can tell whether the order has changed since this walk */
	bool listed;   /* the pairs and groups of this walk are listed */
	struct fairshare shares;
	struct ordered_pair *pair;
	struct job_group *group;
	struct group_member *member;
	struct growth *growth;     /* bounds of the growth of ranks, by index of a set of credentials */
	uint32_t *group_of;        /* by index in drift.limited: index of the group + 1; 0 = none */
	struct set_groups *of_set; /* by index of a set of credentials */
	size_t pair_count, pair_room, group_count, group_room, member_count, member_room, growth_room,
		group_of_room, of_set_room;
};

struct drift {
	const struct walk *w;
	const struct gate_context *ctx;
	const struct snapshot *s; /* the state at the time of the walk, or after its decisions */
	const struct fairshare *shares;
	struct prio_world world;
	struct prio_terms terms; /* cache for drift_trend: terms of the weights that it used last */
	struct fs_pace pace;
	/* The trend of the fairshare factor, by index of a credential; computed on first use. */
	struct share_trend {
		struct trend trend;
		enum {
			SHARE_NOT_ASKED,
			SHARE_UNKNOWN,
			SHARE_KNOWN
		} state;
	} * share;
	size_t share_room;
	struct prio_trend *last; /* by the index of limited: trend of the job noted last (note_limited) */
	uint32_t *last_slot;     /* by the index of limited: slot of that job; INDEX_NONE = none */
	bool *limited; /* by index of a credential + 1, [0] for the system: an idle limit or array limit keeps
			  a job out */
	size_t last_room, slot_room, limited_room;
	bool rests;     /* the machine is at rest; see is_at_rest */
	bool moved;     /* the walk stops or resumes queue time, so that ranks change at once */
	double keeps_s; /* seconds for which no decision changes */
	double near_s; /* seconds until the next poll; the exact value of a shorter keeps_s does not matter */
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

/* Begins a computation for the state s and the shares at now_s. */
void drift_begin(struct drift *d, const struct snapshot *s, int64_t now_s, const struct fairshare *shares);

/* Computes the trend of the rank of a job from the time of drift_begin on. */
void drift_trend(struct drift *d, uint32_t slot, struct prio_trend *out);

/* Seconds for which a job certainly stays ahead of another one; a and b are the trends of their ranks. */
double drift_order_keeps_s(const struct drift *d, uint32_t ahead, const struct prio_trend *a, uint32_t behind,
			   const struct prio_trend *b);

/* Number of idle jobs, counted from the first, whose order matters. */
uint32_t drift_count_ordered(const struct drift *d);

/*
 * Sets drift.limited: marks the credentials whose idle limit, or array limit, keeps out a job. Returns
 * whether there are any.
 */
bool drift_find_limited(struct drift *d);

void drift_poll_clear(struct drift_poll *poll);

#endif
