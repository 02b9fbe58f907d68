/* SPDX-License-Identifier: MIT */
/*
 * throttle_check.c - tests of jobs against limits, and clear times
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "throttle_account.h"

static const struct limit_finding nothing_binds = {
	.kind = LIMIT_KIND_COUNT, .cred = INDEX_NONE, .second = INDEX_NONE, .clears_s = TIME_NEVER};

/* --- the job alone ---------------------------------------------------------------------------- */

/* The minimum and maximum amount of a kind that one job may request; 0 = no bound. */
struct range {
	enum limit_kind kind;
	int64_t most, least;
};

/*
 * Tests the ranges in turn. Returns true if the job is within all of them. *out is the first broken range, or
 * else the first with an upper bound.
 */
static bool keeps_to(const struct throttle *t, const struct job *job, enum limit_scope scope, uint32_t cred,
		     const struct range *range, size_t count, struct limit_finding *out)
{
	*out = nothing_binds;
	for (size_t i = 0; i < count; i++) {
		const struct range *r = &range[i];
		int64_t asked;
		bool too_little, broken;

		if ((r->most | r->least) == 0)
			continue;
		asked = throttle_count(t, r->kind, job);
		too_little = asked < r->least;
		broken = too_little || (r->most > 0 && asked > r->most);
		if (broken || (out->kind == LIMIT_KIND_COUNT && r->most > 0))
			*out = (struct limit_finding){.kind = r->kind,
						      .scope = scope,
						      .level = LEVEL_HARD,
						      .cred = cred,
						      .second = INDEX_NONE,
						      .limit = too_little ? r->least : r->most,
						      .asked = asked,
						      .clears_s = broken ? TIME_NEVER : t->world.now_s};
		if (broken)
			return false;
	}
	return true;
}

bool throttle_system(const struct throttle *t, const struct job *job, struct limit_finding *out)
{
	const struct policy *p = t->world.policy;
	const struct range range[] = {{LIMIT_PROC, p->max_job_procs, 0},
				      {LIMIT_WC, p->max_job_wall_s, 0},
				      {LIMIT_PS, p->max_job_ps, 0}};

	*out = nothing_binds;
	if ((p->max_job_procs | p->max_job_wall_s | p->max_job_ps) == 0)
		return true;
	return keeps_to(t, job, LIMIT_SYSTEM, INDEX_NONE, range, sizeof range / sizeof range[0], out);
}

static int64_t own_or_all(int64_t own, int64_t all)
{
	return own != 0 ? own : all;
}

static bool keeps_to_class(const struct throttle *t, const struct job *job, uint32_t class,
			   const struct cred_attr *own, const struct cred_attr *all,
			   struct limit_finding *out)
{
	const struct range range[] = {
		{LIMIT_WC, own_or_all(own->max_wall_s, all->max_wall_s),
		 own_or_all(own->min_wall_s, all->min_wall_s)},
		{LIMIT_PROC, own_or_all(own->max_procs, all->max_procs),
		 own_or_all(own->min_procs, all->min_procs)},
		/* min_nodes does not apply to a job that requests no number of nodes. */
		{LIMIT_NODE, own_or_all(own->max_nodes, all->max_nodes),
		 job->nodes == 0 ? 0 : own_or_all(own->min_nodes, all->min_nodes)},
	};

	return keeps_to(t, job, LIMIT_CLASS, class, range, sizeof range / sizeof range[0], out);
}

/*
 * Returns true if the class has a limit on a single job. It saves time: few classes have one, and every idle
 * job is tested in every pass.
 */
static bool is_bounded(const struct cred *class)
{
	const struct cred_attr *a = &class->attr;

	return (a->max_wall_s | a->min_wall_s | a->max_procs | a->min_procs | a->max_nodes | a->min_nodes) !=
	       0;
}

bool throttle_class(const struct throttle *t, const struct job *job, struct limit_finding *out)
{
	const struct cred *cred = t->world.cred;
	uint32_t class = job->cred[CRED_CLASS];

	*out = nothing_binds;
	return class == INDEX_NONE || !(is_bounded(&cred[class]) || is_bounded(&cred[CRED_CLASS])) ||
	       keeps_to_class(t, job, class, &cred[class].attr, &cred[CRED_CLASS].attr, out);
}

/*
 * --- clear times ------------------------------------------------------------------------------
 *
 * Running jobs are assumed to run to their wallclock limits. Usage that is counted in pieces (jobs,
 * processors, memory) falls when a job ends; outstanding usage (PS, WC) falls linearly between two ends. The
 * usage after each end is added up from the last end to the first, once for each counter, and the clear time
 * is found by bisection.
 */

static int compare_releases(const void *a, const void *b)
{
	const struct release *x = a, *y = b;

	return (x->left_s > y->left_s) - (x->left_s < y->left_s);
}

/*
 * Like throttle_count, but 0 for LIMIT_NODE if there is no limit on nodes: counting nodes may search all
 * nodes.
 */
static int64_t count_for_clear(const struct throttle *t, enum limit_kind kind, const struct job *job)
{
	return kind == LIMIT_NODE && (t->kinds >> LIMIT_NODE & 1) == 0 ? 0 : throttle_count(t, kind, job);
}

/* Adds a suspended job without a known time of resume, whose usage never clears. */
static void add_stuck(const struct throttle *t, struct counter *c, const struct job *job)
{
	for (int k = 0; k < LIMIT_KIND_COUNT; k++)
		c->stuck[k] = amount_add(c->stuck[k], count_for_clear(t, (enum limit_kind)k, job));
}

static void add_release(const struct throttle *t, struct counter *c, uint32_t slot)
{
	const struct job *job = &t->world.job[slot];
	int64_t left_s = throttle_count(t, LIMIT_WC, job);

	if (job_is_suspended(job)) {
		if (job->resume_s == 0) {
			add_stuck(t, c, job);
			return;
		}
		left_s = amount_take(job_due_end_s(job), t->world.now_s);
	}
	c->release = vec_room(c->release, &c->release_room, c->release_count + 1, sizeof *c->release);
	c->release[c->release_count++] = (struct release){.left_s = left_s > 0 ? left_s : 1, .slot = slot};
}

/*
 * Returns the bits of the kinds with a limit, and of the kinds from which outstanding amounts are computed.
 */
static unsigned kinds_added_up(const struct throttle *t)
{
	return t->kinds | 1U << LIMIT_PROC | 1U << LIMIT_JOB;
}

/* Sets the usage after each end, adding from the last end to the first. */
static void add_up(const struct throttle *t, struct counter *c)
{
	int64_t pieces[LIMIT_KIND_COUNT] = {0}, outstanding[LIMIT_KIND_COUNT] = {0};

	for (size_t i = c->release_count; i-- > 0;) {
		struct release *r = &c->release[i];
		int64_t until_next_s = i + 1 < c->release_count ? r[1].left_s - r->left_s : 0;

		outstanding[LIMIT_PS] =
			amount_add(outstanding[LIMIT_PS], amount_times(pieces[LIMIT_PROC], until_next_s));
		outstanding[LIMIT_WC] =
			amount_add(outstanding[LIMIT_WC], amount_times(pieces[LIMIT_JOB], until_next_s));
		for (int k = 0; k < LIMIT_KIND_COUNT; k++) {
			enum limit_kind kind = (enum limit_kind)k;

			if ((kinds_added_up(t) >> k & 1) == 0)
				continue;
			r->in_use[k] = kind_is_outstanding(kind) ? outstanding[k] : pieces[k];
			pieces[k] = amount_add(pieces[k], count_for_clear(t, kind, &t->world.job[r->slot]));
		}
	}
}

/*
 * Sorts the ends by time. Running jobs are counted in the order of their ends, and a counter lists its last
 * member first, so the list usually only has to be reversed.
 */
static void sort_releases(struct counter *c)
{
	struct release *r = c->release;
	bool sorted = true;

	for (size_t i = 0; 2 * i + 1 < c->release_count; i++) {
		struct release first = r[i];

		r[i] = r[c->release_count - 1 - i];
		r[c->release_count - 1 - i] = first;
	}
	for (size_t i = 1; i < c->release_count && sorted; i++)
		sorted = r[i - 1].left_s <= r[i].left_s;
	if (!sorted)
		qsort(r, c->release_count, sizeof *r, compare_releases);
}

static void list_releases(const struct throttle *t, struct counter *c)
{
	if (c->released)
		return;
	c->release_count = 0;
	memset(c->stuck, 0, sizeof c->stuck);
	for (uint32_t m = c->member; m != INDEX_NONE; m = t->member[m].next)
		add_release(t, c, t->member[m].slot);
	sort_releases(c);
	add_up(t, c);
	c->released = true;
}

/* Returns the index of the first end after which usage is at most `most`. After the last end it is 0. */
static size_t find_end(const struct counter *c, enum limit_kind kind, int64_t most)
{
	size_t low = 0, high = c->release_count - 1;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (c->release[middle].in_use[kind] <= most)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/*
 * Returns the first time at which the active jobs of a counter use at most `most` of a kind: now_s if they
 * already do, TIME_NEVER if there is no such time.
 */
static int64_t clear_time(const struct throttle *t, struct counter *c, enum limit_kind kind, int64_t most)
{
	const struct release *end;
	int64_t before = c->active[kind], from_s = 0, each_s;

	if (before <= most)
		return t->world.now_s;
	if (most < 0)
		return TIME_NEVER;
	list_releases(t, c);
	most -= c->stuck[kind];
	before = amount_take(before, c->stuck[kind]);
	if (most < 0 || c->release_count == 0)
		return TIME_NEVER;
	if (before <= most) /* possible if sums saturated */
		return t->world.now_s;
	end = &c->release[find_end(c, kind, most)];
	if (!kind_is_outstanding(kind))
		return t->world.now_s + end->left_s;
	if (end > c->release) {
		before = end[-1].in_use[kind];
		from_s = end[-1].left_s;
	}
	/*
	 * Between two ends, usage falls by a constant amount per second, which is less than 1 only if sums
	 * saturated.
	 */
	each_s = (before - end->in_use[kind]) / (end->left_s - from_s);
	return t->world.now_s + (each_s > 0 ? from_s + (before - most - 1) / each_s + 1 : end->left_s);
}

/* --- limits with other jobs --------------------------------------------------------------------- */

/* Returns the usage of a counter without that of the job itself. */
static int64_t used_beside(const struct throttle *t, const struct counter *c, const struct job *job,
			   struct place place)
{
	int64_t used = counter_use(c, place.kind, place.scope);
	uint8_t mark = t->mark[job - t->world.job];

	if (((mark & SLOT_ACTIVE) != 0 && scope_has_active(place.scope)) ||
	    ((mark & SLOT_IDLE) != 0 && scope_has_idle(place.scope)))
		used = amount_take(used, throttle_count(t, (enum limit_kind)place.kind, job));
	return used;
}

/*
 * Returns the time at which the broken limit *f clears. Only usage of active jobs ends with time; if the
 * limit counts idle jobs, too, their usage remains.
 */
static int64_t clears_s(const struct throttle *t, struct counter *c, const struct job *job,
			const struct limit_finding *f)
{
	int64_t stays;

	if (!scope_has_active(f->scope) || (t->mark[job - t->world.job] & SLOT_ACTIVE) != 0)
		return TIME_NEVER;
	stays = amount_take(f->used, c->active[f->kind]);
	return clear_time(t, c, f->kind, f->limit - f->asked - stays);
}

static int64_t left_of(const struct limit_finding *f)
{
	return f->limit - amount_add(f->used, f->asked);
}

/* Tests one limit. Replaces *out if this limit is broken or leaves less than the limit in *out. */
static bool keeps_within(const struct throttle *t, const struct job *job, struct place place,
			 const struct bound *bound, enum limit_level level, struct limit_finding *out)
{
	struct counter *c = bound->counter;
	int64_t limit = level == LEVEL_SOFT ? bound->row->soft : bound->row->hard;
	int64_t used, asked, left;

	if (limit == LIMIT_UNLIMITED)
		return true;
	used = used_beside(t, c, job, place);
	asked = throttle_count(t, (enum limit_kind)place.kind, job);
	left = limit - amount_add(used, asked);
	if (out == NULL || (left >= 0 && out->kind != LIMIT_KIND_COUNT && left >= left_of(out)))
		return left >= 0;
	*out = (struct limit_finding){
		.kind = (enum limit_kind)place.kind,
		.scope = (enum limit_scope)bound->row->scope,
		.level = level,
		.cred = c->cred,
		.second = c->second,
		.limit = limit,
		.used = used,
		.asked = asked,
		.clears_s = t->world.now_s,
	};
	if (left < 0)
		out->clears_s = clears_s(t, c, job, out);
	return left >= 0;
}

/*
 * Tests the limits of all places. *out is the broken limit that clears last, or else the limit that leaves
 * least.
 */
static bool is_within(struct throttle *t, const struct job *job, const struct places *places,
		      enum limit_level level, struct limit_finding *out)
{
	struct limit_finding broken = nothing_binds;
	const uint32_t *in;
	struct bound bound;
	bool within = true;

	if (out != NULL)
		*out = nothing_binds;
	if (!throttle_any(t) || places->count == 0)
		return true;
	in = throttle_counters(t, job);
	for (size_t i = 0; i < places->count; i++) {
		if (!throttle_bound(t, job, in, places->item[i], &bound) ||
		    keeps_within(t, job, places->item[i], &bound, level, out))
			continue;
		if (out == NULL)
			return false;
		if (within || out->clears_s > broken.clears_s)
			broken = *out;
		within = false;
	}
	if (!within)
		*out = broken;
	return within;
}

/* --- a waiting job that is not counted yet ------------------------------------------------------- */

/*
 * Returns the request of an idle job that has none of these marks, which say how it is already counted; NULL
 * for other jobs.
 */
static const struct asked *asked_uncounted(struct throttle *t, const struct job *job, unsigned marks)
{
	return (t->mark[job - t->world.job] & marks) != 0 ? NULL : throttle_asked(t, job);
}

static inline int64_t left_now(const struct throttle *t, const struct set_bound *bound)
{
	return bound->limit - counter_use(&t->counter[bound->counter], (enum limit_kind)bound->kind,
					  (enum limit_scope)bound->scope);
}

/*
 * Returns the first idle or queued limit of a set that a job with these amounts breaks; NULL if it breaks
 * none.
 */
static inline struct set_bound *first_idle_above(const struct throttle *t, const struct set_bounds *of_set,
						 const int64_t *amount)
{
	for (uint32_t i = of_set->first[BOUNDS_IDLE]; i < of_set->first[BOUNDS_IDLE + 1]; i++)
		if (amount[t->bound[i].kind] > left_now(t, &t->bound[i]))
			return &t->bound[i];
	return NULL;
}

static void leave_at_most(int64_t *room, int64_t left)
{
	*room = left < *room ? left : *room;
}

static void find_room(const struct throttle *t, struct set_bounds *of_set, enum bounds which)
{
	struct set_room *room = &of_set->room[which];

	*room = (struct set_room){INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, false};
	for (uint32_t i = of_set->first[which]; i < of_set->first[which + 1]; i++) {
		int64_t left = left_now(t, &t->bound[i]);

		t->bound[i].left = left;
		switch ((enum limit_kind)t->bound[i].kind) {
		case LIMIT_JOB:
			leave_at_most(&room->jobs, left);
			break;
		case LIMIT_PROC:
			leave_at_most(&room->procs, left);
			break;
		case LIMIT_PS:
			leave_at_most(&room->ps, left);
			break;
		case LIMIT_WC:
			leave_at_most(&room->wall_s, left);
			break;
		default:
			room->other_kinds = true;
		}
	}
}

/*
 * Returns how much the active limits leave (struct set_room). Usage of active jobs changes only with starts,
 * so this is computed once for all jobs.
 */
static inline const struct set_room *room_of(const struct throttle *t, struct set_bounds *of_set,
					     enum bounds which)
{
	if (of_set->starts != t->starts) {
		of_set->starts = t->starts;
		find_room(t, of_set, BOUNDS_SOFT);
		find_room(t, of_set, BOUNDS_HARD);
	}
	return &of_set->room[which];
}

static inline bool has_room(const struct set_room *room, const int64_t *amount)
{
	return !((amount[LIMIT_JOB] > room->jobs) | (amount[LIMIT_PROC] > room->procs) |
		 (amount[LIMIT_PS] > room->ps) | (amount[LIMIT_WC] > room->wall_s) | room->other_kinds);
}

/* Returns the first active limit of a test that a job with these amounts breaks; NULL if it breaks none. */
static inline struct set_bound *first_active_above(const struct throttle *t, struct set_bounds *of_set,
						   const int64_t *amount, enum bounds which)
{
	if (has_room(room_of(t, of_set, which), amount))
		return NULL;
	for (uint32_t i = of_set->first[which]; i < of_set->first[which + 1]; i++)
		if (amount[t->bound[i].kind] > t->bound[i].left)
			return &t->bound[i];
	return NULL;
}

static enum bounds bounds_of(enum limit_level level)
{
	return level == LEVEL_SOFT ? BOUNDS_SOFT : BOUNDS_HARD;
}

bool throttle_active(struct throttle *t, const struct job *job, enum limit_level level,
		     struct limit_finding *out)
{
	const struct asked *asked =
		out != NULL || !throttle_any(t) ? NULL : asked_uncounted(t, job, SLOT_ACTIVE);
	int64_t own[LIMIT_KIND_COUNT] = {0};

	if (asked == NULL)
		return is_within(t, job, &t->active, level, out);
	return first_active_above(t, throttle_bounds_of(t, asked->set, job),
				  asked_amounts(t, job, asked, own), bounds_of(level)) == NULL;
}

bool throttle_idle(struct throttle *t, const struct job *job, struct limit_finding *out)
{
	const struct asked *asked =
		out != NULL || !throttle_any(t) ? NULL : asked_uncounted(t, job, SLOT_ACTIVE | SLOT_IDLE);
	int64_t own[LIMIT_KIND_COUNT] = {0};

	if (asked == NULL)
		return is_within(t, job, &t->idle, LEVEL_HARD, out);
	return first_idle_above(t, throttle_bounds_of(t, asked->set, job),
				asked_amounts(t, job, asked, own)) == NULL;
}

/* --- the first clear time of many jobs ----------------------------------------------------------- */

static void note_clear(struct throttle *t, int64_t clears_s)
{
	if (clears_s > t->world.now_s && clears_s < t->noted_clear_s)
		t->noted_clear_s = clears_s;
}

static void add_noted(struct throttle *t, const struct set_bound *bound)
{
	t->noted = vec_room(t->noted, &t->noted_room, t->noted_count + 1, sizeof *t->noted);
	t->noted[t->noted_count++] = (size_t)(bound - t->bound);
}

static inline void note_broken(struct throttle *t, struct set_bound *bound, int64_t asked)
{
	if (bound->least == INT64_MAX)
		add_noted(t, bound);
	if (asked < bound->least)
		bound->least = asked;
}

/*
 * Tests the active limits of a test (BOUNDS_SOFT or BOUNDS_HARD) and notes the first limit that the job
 * breaks.
 */
static inline bool keeps_or_notes(struct throttle *t, struct set_bounds *of_set, const int64_t *amount,
				  enum bounds which)
{
	struct set_bound *bound = first_active_above(t, of_set, amount, which);

	if (bound != NULL)
		note_broken(t, bound, amount[bound->kind]);
	return bound == NULL;
}

bool throttle_active_noted(struct throttle *t, const struct job *job, enum limit_level level)
{
	const struct asked *asked = !throttle_any(t) ? NULL : asked_uncounted(t, job, SLOT_ACTIVE);
	struct limit_finding found;
	int64_t own[LIMIT_KIND_COUNT] = {0};

	if (asked != NULL)
		return keeps_or_notes(t, throttle_bounds_of(t, asked->set, job),
				      asked_amounts(t, job, asked, own), bounds_of(level));
	if (is_within(t, job, &t->active, level, &found))
		return true;
	note_clear(t, found.clears_s);
	return false;
}

static enum throttle_turn take_turn(struct throttle *t, const struct job *job, const struct asked *asked)
{
	struct set_bounds *of_set = throttle_bounds_of(t, asked->set, job);
	int64_t own[LIMIT_KIND_COUNT] = {0};
	const int64_t *amount = asked_amounts(t, job, asked, own);
	const struct set_bound *broken = first_idle_above(t, of_set, amount);
	uint8_t *mark = &t->mark[job - t->world.job];

	if (broken != NULL) {
		t->turned_by[job - t->world.job] = t->counter[broken->counter].cred;
		return scope_has_active((enum limit_scope)broken->scope) ? TURN_QUEUED : TURN_IDLE;
	}
	if (!keeps_or_notes(t, of_set, amount, BOUNDS_HARD))
		return TURN_HARD;
	if ((*mark & (SLOT_IDLE | SLOT_ACTIVE)) == 0) {
		account_idle(t, asked->set, amount, false);
		*mark |= SLOT_IDLE;
	}
	return keeps_or_notes(t, of_set, amount, BOUNDS_SOFT) ? TURN_WITHIN : TURN_SOFT;
}

enum throttle_turn throttle_take_turn(struct throttle *t, uint32_t slot, uint32_t later)
{
	const struct job *job = &t->world.job[slot];

	if (t->world.limit_count == 0)
		return TURN_WITHIN;
	__builtin_prefetch(&t->asked[later]);
	return take_turn(t, job, throttle_asked(t, job));
}

/* Returns the first idle or queued limit of a set; NULL if it has none or if it is not known in this pass. */
static const struct set_bound *first_idle(const struct throttle *t, uint32_t set)
{
	const struct set_bounds *of_set = set < t->of_set_room ? &t->of_set[set] : NULL;

	if (of_set == NULL || of_set->limits != t->limits ||
	    of_set->first[BOUNDS_IDLE] == of_set->first[BOUNDS_IDLE + 1])
		return NULL;
	return &t->bound[of_set->first[BOUNDS_IDLE]];
}

/* Every job requests more than 0 of each of PLAIN_KINDS, so that no job fits if nothing is left. */
bool throttle_is_shut(const struct throttle *t, uint32_t set)
{
	const struct set_bound *bound = first_idle(t, set);

	return bound != NULL && !scope_has_active((enum limit_scope)bound->scope) &&
	       (PLAIN_KINDS >> bound->kind & 1) != 0 && left_now(t, bound) <= 0;
}

bool throttle_shares_limit(const struct throttle *t, uint32_t set, uint32_t other)
{
	const struct set_bound *a = first_idle(t, set), *b = first_idle(t, other);

	return a != NULL && b != NULL && a->counter == b->counter;
}

uint32_t throttle_turned_by(const struct throttle *t, uint32_t slot)
{
	return t->turned_by[slot];
}

/*
 * Returns the earliest time at which a running job reaches its wallclock limit, but at least one second from
 * now.
 */
static int64_t first_end_s(const struct throttle *t)
{
	const struct throttle_world *w = &t->world;
	int64_t end_s = w->running_count > 0 ? job_due_end_s(&w->job[w->running[0]]) : TIME_NEVER;

	return end_s > w->now_s ? end_s : w->now_s + 1;
}

/* A noted limit clears first for the job with the smallest request. */
int64_t throttle_noted_clear_s(struct throttle *t, int64_t before_s)
{
	bool end_matters = first_end_s(t) < before_s;
	int64_t clears_s;

	for (size_t i = 0; i < t->noted_count; i++) {
		struct set_bound *bound = &t->bound[t->noted[i]];

		if (end_matters || kind_is_outstanding((enum limit_kind)bound->kind))
			note_clear(t, clear_time(t, &t->counter[bound->counter], (enum limit_kind)bound->kind,
						 bound->limit - bound->least));
		bound->least = INT64_MAX;
	}
	clears_s = t->noted_clear_s;
	t->noted_count = 0;
	t->noted_clear_s = TIME_NEVER;
	return clears_s;
}
