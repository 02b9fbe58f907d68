/* SPDX-License-Identifier: MIT */
/*
 * throttle_within.c - is a job within its limits, given what is in use?
 */
#include <string.h>

#include "sched/base/vec.h"
#include "throttle_inside.h"

static const struct limit_finding nothing_binds = {
	.kind = LIMIT_KIND_COUNT, .cred = INDEX_NONE, .second = INDEX_NONE, .clears_s = TIME_NEVER};

/* --- the job alone ---------------------------------------------------------------------------- */

/* What one job may ask for of a kind; 0 = as much, or as little, as it likes. */
struct range {
	enum limit_kind kind;
	int64_t most, least;
};

/* Tests against the first `count` ranges in turn; *out is what is broken, else the first with a most. */
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
		/* Who names no number of nodes has not asked for too few. */
		{LIMIT_NODE, own_or_all(own->max_nodes, all->max_nodes),
		 job->nodes == 0 ? 0 : own_or_all(own->min_nodes, all->min_nodes)},
	};

	return keeps_to(t, job, LIMIT_CLASS, class, range, sizeof range / sizeof range[0], out);
}

/* Few classes are: and each waiting job is asked in each pass. */
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

/* --- beside others ---------------------------------------------------------------------------- */

/* What others use. A job that has been counted is not counted twice. */
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

/* Only usage of active jobs goes away by itself; what idle ones use of a limit on both stays. */
static int64_t clears_s(const struct throttle *t, struct counter *c, const struct job *job,
			const struct limit_finding *f)
{
	int64_t stays;

	if (!scope_has_active(f->scope) || (t->mark[job - t->world.job] & SLOT_ACTIVE) != 0)
		return TIME_NEVER;
	stays = amount_take(f->used, c->active[f->kind]);
	return throttle_clears(t, c, f->kind, f->limit - f->asked - stays);
}

static int64_t left_of(const struct limit_finding *f)
{
	return f->limit - amount_add(f->used, f->asked);
}

/* Keeps within a bound, and within all before it? */
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

/* --- the first that is broken, or the one with the least left ---------------------------------- */

static bool is_within(struct throttle *t, const struct job *job, const struct places *places,
		      enum limit_level level, struct limit_finding *out)
{
	const uint32_t *in;
	struct bound bound;

	if (out != NULL)
		*out = nothing_binds;
	if (!throttle_any(t) || places->count == 0)
		return true;
	in = throttle_counters(t, job);
	for (size_t i = 0; i < places->count; i++)
		if (throttle_bound(t, job, in, places->item[i], &bound) &&
		    !keeps_within(t, job, places->item[i], &bound, level, out))
			return false;
	return true;
}

/* --- a waiting job that is not counted where it is asked about ---------------------------------- */

static bool is_counted(const struct throttle *t, const struct job *job, unsigned marks)
{
	return job->state != JOB_IDLE || (t->mark[job - t->world.job] & marks) != 0;
}

/* What a waiting job asks for of a kind that some limit looks at. */
static int64_t asked_of(struct throttle *t, const struct job *job, enum limit_kind kind)
{
	return counts_simply(job, t->kinds) ? simple_count(kind, job) : throttle_amounts(t, job)[kind];
}

static int64_t left_by(const struct throttle *t, const struct set_bound *bound)
{
	return bound->limit - counter_use(&t->counter[bound->counter], (enum limit_kind)bound->kind,
					  (enum limit_scope)bound->scope);
}

/* The first of the limits that bind the jobs of its credentials which it breaks; NULL. */
static struct set_bound *first_broken(struct throttle *t, const struct set_bounds *of_set,
				      const struct job *job, enum bounds which)
{
	const struct set_bound *end = t->bound + of_set->first[which + 1];

	for (struct set_bound *bound = t->bound + of_set->first[which]; bound < end; bound++)
		if (asked_of(t, job, (enum limit_kind)bound->kind) > left_by(t, bound))
			return bound;
	return NULL;
}

static enum bounds bounds_of(enum limit_level level)
{
	return level == LEVEL_SOFT ? BOUNDS_SOFT : BOUNDS_HARD;
}

bool throttle_active(struct throttle *t, const struct job *job, enum limit_level level,
		     struct limit_finding *out)
{
	if (out == NULL && throttle_any(t) && !is_counted(t, job, SLOT_ACTIVE))
		return first_broken(t, throttle_bounds(t, job), job, bounds_of(level)) == NULL;
	return is_within(t, job, &t->active, level, out);
}

bool throttle_idle(struct throttle *t, const struct job *job, struct limit_finding *out)
{
	if (out == NULL && throttle_any(t) && !is_counted(t, job, SLOT_ACTIVE | SLOT_IDLE))
		return first_broken(t, throttle_bounds(t, job), job, BOUNDS_IDLE) == NULL;
	return is_within(t, job, &t->idle, LEVEL_HARD, out);
}

/* --- when the first of many is within its limits again ------------------------------------------ */

static void note_clear(struct throttle *t, int64_t clears_s)
{
	if (clears_s > t->world.now_s && clears_s < t->noted_clear_s)
		t->noted_clear_s = clears_s;
}

static void note_broken(struct throttle *t, struct set_bound *bound, int64_t asked)
{
	if (bound->least == INT64_MAX) {
		t->noted = vec_room(t->noted, &t->noted_room, t->noted_count + 1, sizeof *t->noted);
		t->noted[t->noted_count++] = (size_t)(bound - t->bound);
	}
	if (asked < bound->least)
		bound->least = asked;
}

bool throttle_active_noted(struct throttle *t, const struct job *job, enum limit_level level)
{
	struct limit_finding found;
	struct set_bound *bound;

	if (!throttle_any(t) || is_counted(t, job, SLOT_ACTIVE)) {
		if (is_within(t, job, &t->active, level, &found))
			return true;
		note_clear(t, found.clears_s);
		return false;
	}
	bound = first_broken(t, throttle_bounds(t, job), job, bounds_of(level));
	if (bound != NULL)
		note_broken(t, bound, asked_of(t, job, (enum limit_kind)bound->kind));
	return bound == NULL;
}

struct throttle_asked throttle_asked_by(uint32_t slot, uint32_t set, const struct job *job)
{
	int64_t procs = job_procs(job), wall_s = job->wall_limit_s;

	return (struct throttle_asked){.slot = slot,
				       .set = set,
				       .procs = (uint32_t)procs,
				       .wall_s = (uint32_t)wall_s,
				       .cred = INDEX_NONE,
				       .plain = job->access < ACCESS_SINGLEUSER && procs <= UINT32_MAX &&
						wall_s <= UINT32_MAX};
}

/* As first_broken, of a job that is plain. */
static struct set_bound *plain_broken(struct throttle *t, const struct set_bounds *of_set,
				      const struct throttle_asked *asked, enum bounds which)
{
	const struct set_bound *end = t->bound + of_set->first[which + 1];

	for (struct set_bound *bound = t->bound + of_set->first[which]; bound < end; bound++)
		if (plain_count((enum limit_kind)bound->kind, asked) > left_by(t, bound))
			return bound;
	return NULL;
}

/* Its turn ends at this idle limit. */
static enum throttle_turn stop_at(const struct throttle *t, const struct set_bound *broken,
				  struct throttle_asked *asked)
{
	asked->cred = t->counter[broken->counter].cred;
	return TURN_IDLE;
}

static enum throttle_turn take_plain_turn(struct throttle *t, const struct set_bounds *of_set,
					  struct throttle_asked *asked)
{
	struct set_bound *broken = plain_broken(t, of_set, asked, BOUNDS_IDLE);
	enum throttle_turn turn = TURN_HARD;

	if (broken != NULL)
		return stop_at(t, broken, asked);
	broken = plain_broken(t, of_set, asked, BOUNDS_HARD);
	if (broken == NULL) {
		throttle_count_plain(t, asked);
		broken = plain_broken(t, of_set, asked, BOUNDS_SOFT);
		turn = TURN_SOFT;
	}
	if (broken == NULL)
		return TURN_WITHIN;
	note_broken(t, broken, plain_count((enum limit_kind)broken->kind, asked));
	return turn;
}

enum throttle_turn throttle_take_turn(struct throttle *t, struct throttle_asked *asked)
{
	const struct job *job = &t->world.job[asked->slot];
	const struct set_bounds *of_set;
	const struct set_bound *broken;

	if (!throttle_any(t))
		return TURN_WITHIN;
	of_set = throttle_bounds_of(t, asked->set, job);
	if (asked->plain && (t->kinds & ~PLAIN_KINDS) == 0)
		return take_plain_turn(t, of_set, asked);
	broken = first_broken(t, of_set, job, BOUNDS_IDLE);
	if (broken != NULL)
		return stop_at(t, broken, asked);
	if (!throttle_active_noted(t, job, LEVEL_HARD))
		return TURN_HARD;
	throttle_count_idle(t, asked->slot);
	return throttle_active_noted(t, job, LEVEL_SOFT) ? TURN_WITHIN : TURN_SOFT;
}

/* A limit clears first for the job that asks for the least. */
int64_t throttle_noted_clear_s(struct throttle *t)
{
	int64_t clears_s;

	for (size_t i = 0; i < t->noted_count; i++) {
		struct set_bound *bound = &t->bound[t->noted[i]];

		note_clear(t, throttle_clears(t, &t->counter[bound->counter], (enum limit_kind)bound->kind,
					      bound->limit - bound->least));
		bound->least = INT64_MAX;
	}
	clears_s = t->noted_clear_s;
	t->noted_count = 0;
	t->noted_clear_s = TIME_NEVER;
	return clears_s;
}
