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

/* --- only whether ------------------------------------------------------------------------------ */

static void note_spare(int64_t *spare, int64_t limit, int64_t used)
{
	if (limit != LIMIT_UNLIMITED && limit - used < *spare)
		*spare = limit - used;
}

/* The least that the limits in some places leave of each kind. */
static void find_spare(const struct throttle *t, struct counter *c)
{
	for (int i = 0; i < SPARE_COUNT; i++)
		for (int k = 0; k < LIMIT_KIND_COUNT; k++)
			c->spare[i][k] = INT64_MAX;
	for (size_t i = 0; i < t->active.count + t->idle.count; i++) {
		bool active = i < t->active.count;
		struct place place = active ? t->active.item[i] : t->idle.item[i - t->active.count];
		const struct limit *row =
			place.group_at == c->group_at ? t->row[c->row + place.row_at] : NULL;
		int64_t used;

		if (row == NULL)
			continue;
		used = counter_use(c, (enum limit_kind)place.kind, (enum limit_scope)place.scope);
		if (active)
			note_spare(&c->spare[SPARE_SOFT][place.kind], row->soft, used);
		note_spare(&c->spare[active ? SPARE_HARD : SPARE_IDLE][place.kind], row->hard, used);
	}
	c->has_spare = true;
}

/* Of a job that is not counted yet, where no QOS sets other limits: what its credentials leave says it all.
 */
static bool is_within_spare(struct throttle *t, const struct job *job, enum spare which)
{
	const uint32_t *in = throttle_counters(t, job);
	const int64_t *amount = throttle_amounts(t, job);

	for (size_t g = 0; g < t->group_count; g++) {
		struct counter *c = in[g] == INDEX_NONE ? NULL : &t->counter[in[g]];

		if (c == NULL)
			continue;
		if (!c->has_spare)
			find_spare(t, c);
		for (int k = 0; k < LIMIT_KIND_COUNT; k++)
			if (amount[k] > c->spare[which][k])
				return false;
	}
	return true;
}

/* No QOS sets other limits, and the job is not counted where it is asked about. */
static bool counts_alone(const struct throttle *t, const struct job *job, unsigned counted)
{
	return t->overridden == 0 && (t->mark[job - t->world.job] & counted) == 0;
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

/* --- what was found for others ------------------------------------------------------------------ */

static struct verdict *verdict_of(struct throttle *t, const struct job *job, enum limit_level level,
				  bool *is_known)
{
	const uint32_t *in = throttle_counters(t, job);
	const int64_t *amount = throttle_amounts(t, job);
	size_t in_size = t->group_count * sizeof *in;
	uint64_t hash = (uint64_t)level;
	struct verdict *v;

	if (t->verdict == NULL)
		t->verdict = mem_zero(VERDICTS, sizeof *t->verdict);
	for (size_t g = 0; g < t->group_count; g++)
		hash = (hash ^ in[g]) * UINT64_C(0x9e3779b97f4a7c15);
	for (int k = 0; k < LIMIT_KIND_COUNT; k++)
		hash = ((hash >> 29) ^ hash ^ (uint64_t)amount[k]) * UINT64_C(0x9e3779b97f4a7c15);
	v = &t->verdict[(hash >> 32) % VERDICTS];
	*is_known = v->version == t->version && v->level == level && memcmp(v->in, in, in_size) == 0 &&
		    memcmp(v->amount, amount, sizeof v->amount) == 0;
	if (*is_known)
		return v;
	v->version = t->version;
	v->level = level;
	memcpy(v->in, in, in_size);
	memcpy(v->amount, amount, sizeof v->amount);
	return v;
}

/* The finding of a job that is over an active limit. */
static void find_broken(struct throttle *t, const struct job *job, enum limit_level level,
			struct limit_finding *out)
{
	bool is_known;
	struct verdict *v = verdict_of(t, job, level, &is_known);

	if (!is_known)
		is_within(t, job, &t->active, level, &v->finding);
	*out = v->finding;
}

bool throttle_active(struct throttle *t, const struct job *job, enum limit_level level,
		     struct limit_finding *out)
{
	bool alone = throttle_any(t) && job->state == JOB_IDLE && counts_alone(t, job, SLOT_ACTIVE);
	bool within = alone && is_within_spare(t, job, level == LEVEL_SOFT ? SPARE_SOFT : SPARE_HARD);

	if (alone && (out == NULL || !within)) {
		if (out != NULL)
			find_broken(t, job, level, out);
		return within;
	}
	return is_within(t, job, &t->active, level, out);
}

bool throttle_idle(struct throttle *t, const struct job *job, struct limit_finding *out)
{
	if (out == NULL && throttle_any(t) && counts_alone(t, job, SLOT_ACTIVE | SLOT_IDLE))
		return is_within_spare(t, job, SPARE_IDLE);
	return is_within(t, job, &t->idle, LEVEL_HARD, out);
}
