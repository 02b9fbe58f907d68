/* SPDX-License-Identifier: MIT */
/*
 * throttle.c - how much is in use of everybody that some limit looks at?
 *
 * Which credentials and pairs have to be counted follows from the limits: a group is a type of
 * owner, with or without a type of second. A job counts once in each group; the counter is
 * found through a hash of the credentials. Without limits there are no groups, so that nothing
 * is counted and nothing found.
 */
#include "throttle_inside.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

#define HASH_LEAST 64

/* --- what a job counts -------------------------------------------------------------------- */

/* A real job that is past its limit holds its processors until its processes have ended: they are killed
 * after the grace. */
static int64_t time_counted(const struct job *job, int64_t grace_s, int64_t now_s)
{
	int64_t left_s;

	if (job->state != JOB_RUNNING)
		return job->wall_limit_s;
	left_s = job_left_s(job, now_s);
	if (left_s > 0)
		return left_s;
	if ((job->real & JOB_REAL_LAUNCH) == 0)
		return 0;
	return amount_add(left_s, grace_s) > 1 ? amount_add(left_s, grace_s) : 1;
}

/* Of LIMIT_PROC or LIMIT_PS. */
static int64_t amount_of_procs(enum limit_kind kind, int64_t procs, const struct job *job, int64_t grace_s,
			       int64_t now_s)
{
	return kind == LIMIT_PROC ? procs : amount_times(procs, time_counted(job, grace_s, now_s));
}

int64_t throttle_amount(enum limit_kind kind, const struct job *job, const struct machine *machine,
			int64_t grace_s, int64_t now_s)
{
	switch (kind) {
	case LIMIT_JOB:
		return 1;
	case LIMIT_PROC:
	case LIMIT_PS:
		return amount_of_procs(kind, job_procs_counted(job), job, grace_s, now_s);
	case LIMIT_NODE:
		return job->nodes == 0 && job->state == JOB_IDLE ? 1 : job->nodes;
	case LIMIT_PE:
		return (int64_t)job_pe(job, machine);
	case LIMIT_WC:
		return time_counted(job, grace_s, now_s);
	case LIMIT_MEM:
		return amount_times(job->mem_mb, job->tasks);
	case LIMIT_KIND_COUNT:
		break;
	}
	return 0;
}

static int64_t nodes_held(const struct alloc_run *runs, uint32_t first)
{
	int64_t nodes = 0;

	for (uint32_t r = first; r != INDEX_NONE; r = runs[r].next)
		nodes += runs[r].nodes;
	return nodes;
}

/*
 * Free processors of the nodes of a running job that requests to keep other users off them. Each node's
 * count for one such job alone: the first that is counted.
 */
static int64_t procs_kept(const struct throttle *t, const struct job *job)
{
	const struct throttle_world *w = &t->world;
	uint32_t slot = (uint32_t)(job - w->job);
	int64_t kept = 0;

	if (job->access != ACCESS_SINGLEUSER || job->state != JOB_RUNNING || w->node == NULL)
		return 0;
	for (uint32_t r = job->run; r != INDEX_NONE; r = w->run[r].next)
		for (uint32_t n = w->run[r].node; n < w->run[r].node + w->run[r].nodes; n++)
			if (!t->has_keepers || t->keeper[n] == INDEX_NONE || t->keeper[n] == slot)
				kept += node_procs_free(&w->node[n]);
	return kept;
}

static int64_t procs_counted(const struct throttle *t, const struct job *job)
{
	const struct throttle_world *w = &t->world;

	if (w->least_held != NULL && job->state == JOB_IDLE && job->access >= ACCESS_SINGLEUSER)
		return w->least_held(w->self, (uint32_t)(job - w->job)).procs;
	return job_procs_counted(job) + procs_kept(t, job);
}

static int64_t nodes_counted(const struct throttle *t, const struct job *job)
{
	const struct throttle_world *w = &t->world;

	if (w->run != NULL && job->state == JOB_RUNNING && job->run != INDEX_NONE)
		return nodes_held(w->run, job->run);
	if (w->least_held != NULL && job->state == JOB_IDLE && job->nodes == 0)
		return w->least_held(w->self, (uint32_t)(job - w->job)).nodes;
	return throttle_amount(LIMIT_NODE, job, &w->machine, 0, w->now_s);
}

int64_t throttle_amount_at(const struct throttle *t, enum limit_kind kind, uint32_t slot,
			   const struct job *job, int64_t at_s)
{
	const struct throttle_world *w = &t->world;
	int64_t grace_s = w->policy->site.grace_s;

	if (kind == LIMIT_PROC || kind == LIMIT_PS)
		return amount_of_procs(kind, procs_counted(t, &w->job[slot]), job, grace_s, at_s);
	if (kind == LIMIT_NODE)
		return nodes_counted(t, &w->job[slot]);
	return throttle_amount(kind, job, &w->machine, grace_s, at_s);
}

int64_t throttle_count(const struct throttle *t, enum limit_kind kind, const struct job *job)
{
	return throttle_amount_at(t, kind, (uint32_t)(job - t->world.job), job, t->world.now_s);
}

/* --- counters -------------------------------------------------------------------------------- */

/* Where the counter stands in the hash, or the empty place where it would. */
static size_t hash_place(const struct throttle *t, uint32_t cred, uint32_t second)
{
	uint64_t h = ((uint64_t)cred << 32 | second) * UINT64_C(0x9e3779b97f4a7c15);
	size_t mask = t->hash_room - 1, at = (size_t)(h >> 32) & mask;

	while (t->hash[at] != INDEX_NONE &&
	       (t->counter[t->hash[at]].cred != cred || t->counter[t->hash[at]].second != second))
		at = (at + 1) & mask;
	return at;
}

static void make_hash(struct throttle *t, size_t room)
{
	if (room > t->hash_room) {
		t->hash = mem_resize(t->hash, room * sizeof *t->hash);
		t->hash_room = room;
	}
	memset(t->hash, 0xff, t->hash_room * sizeof *t->hash);
	for (uint32_t i = 0; i < t->count; i++)
		t->hash[hash_place(t, t->counter[i].cred, t->counter[i].second)] = i;
}

/* A row of the world, as it is kept: the world's may move. */
static const struct limit *kept_row(const struct throttle *t, const struct limit *row)
{
	return row == NULL ? NULL : t->seen.limit + (row - t->world.limit);
}

static void find_rows(struct throttle *t, const struct counter *c, const struct places *places, size_t group)
{
	for (size_t i = 0; i < places->count; i++) {
		struct place place = places->item[i];

		if (place.group_at == group)
			t->row[c->row + place.row_at] =
				kept_row(t, throttle_row(t, place, c->cred, c->second));
	}
}

static uint32_t new_counter(struct throttle *t, size_t group, uint32_t cred, uint32_t second)
{
	size_t had = t->room;
	struct counter *c;

	t->counter = vec_room(t->counter, &t->room, t->count + 1, sizeof *t->counter);
	if (t->room > had) /* the lists of counters used before are kept */
		memset(&t->counter[had], 0, (t->room - had) * sizeof *t->counter);
	c = &t->counter[t->count];
	*c = (struct counter){.group = t->group[group],
			      .cred = cred,
			      .second = second,
			      .group_at = (uint8_t)group,
			      .row = t->row_used,
			      .member = INDEX_NONE,
			      .release = c->release,
			      .release_room = c->release_room};
	t->row_used += t->row_count[group];
	t->row = vec_room(t->row, &t->row_room, t->row_used, sizeof *t->row);
	find_rows(t, c, &t->active, group);
	find_rows(t, c, &t->idle, group);
	return (uint32_t)t->count++;
}

static uint32_t counter_of(struct throttle *t, size_t group, uint32_t cred, uint32_t second)
{
	uint32_t *place;

	if (2 * (t->count + 1) > t->hash_room)
		make_hash(t, 2 * t->hash_room);
	place = &t->hash[hash_place(t, cred, second)];
	if (*place == INDEX_NONE)
		*place = new_counter(t, group, cred, second);
	return *place;
}

/* Those of the places at this level, in their order. */
static void add_bounds(struct throttle *t, const struct job *job, const uint32_t *in,
		       const struct places *places, enum limit_level level)
{
	t->bound = vec_room(t->bound, &t->bound_room, t->bound_count + places->count, sizeof *t->bound);
	for (size_t i = 0; i < places->count; i++) {
		struct bound bound;
		int64_t limit;

		if (!throttle_bound(t, job, in, places->item[i], &bound))
			continue;
		limit = level == LEVEL_SOFT ? bound.row->soft : bound.row->hard;
		if (limit == LIMIT_UNLIMITED)
			continue;
		t->bound[t->bound_count++] =
			(struct set_bound){.limit = limit,
					   .least = INT64_MAX,
					   .counter = (uint32_t)(bound.counter - t->counter),
					   .kind = places->item[i].kind,
					   .scope = places->item[i].scope};
	}
}

/* Finds the counters and limits of a set, of which this job is one. */
static void find_bounds(struct throttle *t, const struct job *job, uint32_t *in, struct set_bounds *of_set)
{
	uint32_t cred, second;

	for (size_t g = 0; g < t->group_count; g++)
		in[g] = throttle_members(t, job, t->group[g], &cred, &second) ? counter_of(t, g, cred, second)
									      : INDEX_NONE;
	of_set->limits = t->limits;
	of_set->starts = 0;
	of_set->first[BOUNDS_SOFT] = (uint32_t)t->bound_count;
	add_bounds(t, job, in, &t->active, LEVEL_SOFT);
	of_set->first[BOUNDS_HARD] = (uint32_t)t->bound_count;
	add_bounds(t, job, in, &t->active, LEVEL_HARD);
	of_set->first[BOUNDS_IDLE] = (uint32_t)t->bound_count;
	add_bounds(t, job, in, &t->idle, LEVEL_HARD);
	of_set->first[BOUNDS_COUNT] = (uint32_t)t->bound_count;
}

/* Up to this one. */
static void note_sets(struct throttle *t, uint32_t set)
{
	struct limits_seen *seen = &t->seen;

	if (set < seen->set_count)
		return;
	seen->set = vec_room(seen->set, &seen->set_room, (size_t)set + 1, sizeof *seen->set);
	memcpy(&seen->set[seen->set_count], &t->sets->item[seen->set_count],
	       (set + 1 - seen->set_count) * sizeof *seen->set);
	seen->set_count = set + 1;
}

struct set_bounds *throttle_look_at_set(struct throttle *t, uint32_t set, const struct job *job)
{
	size_t had = t->of_set_room;

	t->of_set = vec_room(t->of_set, &t->of_set_room, (size_t)set + 1, sizeof *t->of_set);
	memset(&t->of_set[had], 0, (t->of_set_room - had) * sizeof *t->of_set);
	t->in = vec_room(t->in, &t->in_room, ((size_t)set + 1) * t->group_count, sizeof *t->in);
	note_sets(t, set);
	find_bounds(t, job, &t->in[set * t->group_count], &t->of_set[set]);
	return &t->of_set[set];
}

static uint32_t set_of(struct throttle *t, const struct job *job)
{
	return cred_sets_find(t->sets, (uint32_t)(job - t->world.job), job);
}

const uint32_t *throttle_counters(struct throttle *t, const struct job *job)
{
	uint32_t set = set_of(t, job);

	throttle_bounds_of(t, set, job);
	return &t->in[set * t->group_count];
}

/* --- counting --------------------------------------------------------------------------------- */

/* They do not change while a pass lasts. */
const int64_t *throttle_amounts(struct throttle *t, const struct job *job)
{
	uint32_t slot = (uint32_t)(job - t->world.job);
	bool simple = counts_simply(job, t->kinds);

	if (t->amounts_slot == slot)
		return t->amount;
	for (unsigned left = t->kinds, k = 0; left != 0; left >>= 1, k++)
		if ((left & 1) != 0)
			t->amount[k] = simple ? simple_count((enum limit_kind)k, job)
					      : throttle_count(t, (enum limit_kind)k, job);
	t->amounts_slot = job->state == JOB_IDLE ? slot : INDEX_NONE;
	return t->amount;
}

void throttle_tell_set(struct throttle *t, const struct job *job, uint32_t set)
{
	int64_t procs = job_procs(job), wall_s = job->wall_limit_s;
	struct asked *asked;

	if (!throttle_any(t))
		return;
	asked = &t->asked[job - t->world.job];
	asked->pass = t->pass;
	asked->set = set;
	asked->procs = (uint32_t)procs;
	asked->wall_s = (uint32_t)wall_s;
	asked->plain = job->access < ACCESS_SINGLEUSER && procs <= UINT32_MAX && wall_s <= UINT32_MAX;
	asked->turned_by = INDEX_NONE;
}

/* One that was told waits. */
struct asked *throttle_asked(struct throttle *t, const struct job *job)
{
	struct asked *asked = &t->asked[job - t->world.job];

	if (asked->pass == t->pass)
		return asked;
	if (job->state != JOB_IDLE)
		return NULL;
	throttle_tell_set(t, job, set_of(t, job));
	return asked;
}

/* The job is the keeper of those of its nodes that have none. */
static void keep_nodes(struct throttle *t, uint32_t slot)
{
	const struct throttle_world *w = &t->world;
	const struct job *job = &w->job[slot];

	if (job->access != ACCESS_SINGLEUSER || job->state != JOB_RUNNING || w->node == NULL)
		return;
	if (!t->has_keepers) {
		t->keeper = vec_room(t->keeper, &t->keeper_room, w->node_count, sizeof *t->keeper);
		memset(t->keeper, 0xff, w->node_count * sizeof *t->keeper);
		t->has_keepers = true;
	}
	for (uint32_t r = job->run; r != INDEX_NONE; r = w->run[r].next)
		for (uint32_t n = w->run[r].node; n < w->run[r].node + w->run[r].nodes; n++)
			if (t->keeper[n] == INDEX_NONE)
				t->keeper[n] = slot;
}

static void count_active(struct throttle *t, uint32_t slot)
{
	const struct job *job = &t->world.job[slot];
	const uint32_t *in = throttle_counters(t, job);
	const int64_t *amount;

	keep_nodes(t, slot);
	amount = throttle_amounts(t, job);
	t->member = vec_room(t->member, &t->member_room, t->member_count + t->group_count, sizeof *t->member);
	for (size_t g = 0; g < t->group_count; g++) {
		struct counter *c;

		if (in[g] == INDEX_NONE)
			continue;
		c = &t->counter[in[g]];
		for (unsigned left = t->kinds, k = 0; left != 0; left >>= 1, k++)
			if ((left & 1) != 0)
				c->active[k] = amount_add(c->active[k], amount[k]);
		t->member[t->member_count] = (struct member){.slot = slot, .next = c->member};
		c->member = (uint32_t)t->member_count++;
		c->released = false;
		c->pass = t->pass;
	}
	t->mark[slot] |= SLOT_ACTIVE;
}

static void add_idle(struct counter *c, enum limit_kind kind, int64_t amount, bool leaves)
{
	c->idle[kind] = leaves ? amount_take(c->idle[kind], amount) : amount_add(c->idle[kind], amount);
}

/* Of kinds that no limit on the waiting jobs of a group looks at nothing is added up. */
static void count_idle(struct throttle *t, uint32_t slot, bool leaves)
{
	const struct job *job = &t->world.job[slot];
	const struct asked *asked = throttle_asked(t, job);
	int64_t own[LIMIT_KIND_COUNT] = {0};
	const int64_t *amount = asked_amounts(t, job, asked, own);
	const uint32_t *in;

	throttle_bounds_of(t, asked->set, job);
	in = &t->in[asked->set * t->group_count];
	for (size_t g = 0; g < t->group_count; g++)
		for (unsigned left = in[g] != INDEX_NONE ? t->group_idle_kinds[g] : 0, k = 0; left != 0;
		     left >>= 1, k++)
			if ((left & 1) != 0)
				add_idle(&t->counter[in[g]], (enum limit_kind)k, amount[k], leaves);
	t->mark[slot] ^= SLOT_IDLE;
}

void throttle_count_idle(struct throttle *t, uint32_t slot)
{
	if (throttle_any(t) && (t->mark[slot] & (SLOT_IDLE | SLOT_ACTIVE)) == 0)
		count_idle(t, slot, false);
}

bool throttle_uncount_idle(struct throttle *t, uint32_t slot)
{
	if (!throttle_any(t) || (t->mark[slot] & SLOT_IDLE) == 0)
		return false;
	count_idle(t, slot, true);
	return true;
}

void throttle_count_start(struct throttle *t, uint32_t slot)
{
	if (!throttle_any(t) || (t->mark[slot] & SLOT_ACTIVE) != 0)
		return;
	if ((t->mark[slot] & SLOT_IDLE) != 0)
		count_idle(t, slot, true);
	count_active(t, slot);
	t->starts++;
}

/* --- a pass ----------------------------------------------------------------------------------- */

struct throttle *throttle_new(void)
{
	return mem_zero(1, sizeof(struct throttle));
}

void throttle_free(struct throttle *t)
{
	if (t == NULL)
		return;
	for (size_t i = 0; i < t->room; i++)
		free(t->counter[i].release);
	free(t->counter);
	free(t->active.item);
	free(t->idle.item);
	free(t->row);
	free(t->in);
	free(t->hash);
	free(t->member);
	free(t->mark);
	free(t->keeper);
	free(t->of_set);
	free(t->seen.limit);
	free(t->seen.cred);
	free(t->seen.set);
	free(t->bound);
	free(t->asked);
	free(t->noted);
	cred_sets_clear(&t->own_sets);
	free(t);
}

static bool sees_the_same(const struct throttle *t)
{
	const struct throttle_world *w = &t->world;
	const struct limits_seen *seen = &t->seen;

	if (seen->limit_count != w->limit_count || seen->cred_count != w->cred_count ||
	    seen->sets != t->sets || seen->set_count > t->sets->count ||
	    memcmp(seen->no_cred, w->no_cred, sizeof seen->no_cred) != 0 ||
	    memcmp(seen->limit, w->limit, w->limit_count * sizeof *w->limit) != 0 ||
	    (seen->set_count > 0 &&
	     memcmp(seen->set, t->sets->item, seen->set_count * sizeof *seen->set) != 0))
		return false;
	for (uint32_t i = 0; i < w->cred_count; i++)
		if (seen->cred[i].type != w->cred[i].type || seen->cred[i].first != w->cred[i].limit_first ||
		    seen->cred[i].count != w->cred[i].limit_count)
			return false;
	return true;
}

static void see(struct throttle *t)
{
	const struct throttle_world *w = &t->world;
	struct limits_seen *seen = &t->seen;

	seen->limit = vec_room(seen->limit, &seen->limit_room, w->limit_count, sizeof *seen->limit);
	memcpy(seen->limit, w->limit, w->limit_count * sizeof *seen->limit);
	seen->cred = vec_room(seen->cred, &seen->cred_room, w->cred_count, sizeof *seen->cred);
	for (uint32_t i = 0; i < w->cred_count; i++)
		seen->cred[i] =
			(struct cred_limits){w->cred[i].type, w->cred[i].limit_first, w->cred[i].limit_count};
	memcpy(seen->no_cred, w->no_cred, sizeof seen->no_cred);
	seen->limit_count = w->limit_count;
	seen->cred_count = w->cred_count;
	seen->sets = t->sets;
	seen->set_count = 0;
}

/* Nothing is in use yet. Counters and what binds the jobs of a set stay while the limits do. */
static void begin_counters(struct throttle *t)
{
	if (!sees_the_same(t)) {
		see(t);
		t->limits++;
		throttle_find_places(t);
		t->count = t->row_used = t->bound_count = 0;
		make_hash(t, HASH_LEAST);
	}
	for (size_t i = 0; i < t->count; i++) {
		struct counter *c = &t->counter[i];

		memset(c->active, 0, sizeof c->active);
		memset(c->idle, 0, sizeof c->idle);
		c->member = INDEX_NONE;
		c->released = false;
	}
}

/* So that another pass begins without. */
static void forget_noted(struct throttle *t)
{
	for (size_t i = 0; i < t->noted_count; i++)
		t->bound[t->noted[i]].least = INT64_MAX;
	t->noted_count = 0;
	t->noted_clear_s = TIME_NEVER;
}

void throttle_begin(struct throttle *t, const struct throttle_world *world)
{
	t->world = *world;
	t->has_keepers = false;
	t->amounts_slot = INDEX_NONE;
	t->pass++;
	t->starts++;
	forget_noted(t);
	if (!throttle_any(t))
		return;
	t->sets = world->sets != NULL ? world->sets : &t->own_sets;
	if (world->sets == NULL)
		cred_sets_begin(t->sets, world->job_count);
	begin_counters(t);
	t->member_count = 0;
	/* One more, so that there is something to wipe for a queue without jobs. */
	t->mark = vec_room(t->mark, &t->mark_room, (size_t)world->job_count + 1, sizeof *t->mark);
	memset(t->mark, 0, world->job_count * sizeof *t->mark);
	t->asked = vec_zeroed(t->asked, &t->asked_room, (size_t)world->job_count + 1, sizeof *t->asked);
	for (uint32_t i = 0; i < world->running_count; i++)
		count_active(t, world->running[i]);
}

bool throttle_any(const struct throttle *t)
{
	return t->world.limit_count > 0;
}

/* --- reports ---------------------------------------------------------------------------------- */

/* Is this the limit that holds for those whom the counter counts? Theirs by name, or else DEFAULT's. */
static bool holds_for(const struct throttle *t, const struct limit *limit, const struct counter *c)
{
	struct place place = {.group = c->group, .kind = limit->kind, .scope = limit->scope};

	return c->group.second_type == limit->second_type &&
	       (limit->cred == c->cred || limit->cred == c->group.owner) &&
	       throttle_row(t, place, c->cred, c->second) == limit;
}

/* So that those show too whose jobs are all blocked. */
static void find_waiting(struct throttle *t)
{
	for (uint32_t slot = 0; slot < t->world.job_count; slot++) {
		const struct job *job = &t->world.job[slot];
		const uint32_t *in = job->state == JOB_IDLE ? throttle_counters(t, job) : NULL;

		for (size_t g = 0; in != NULL && g < t->group_count; g++)
			if (in[g] != INDEX_NONE)
				t->counter[in[g]].pass = t->pass;
	}
}

static int compare_counters(const void *a, const void *b)
{
	const struct counter *const *x = a, *const *y = b;

	if ((*x)->cred != (*y)->cred)
		return (*x)->cred < (*y)->cred ? -1 : 1;
	return ((*x)->second > (*y)->second) - ((*x)->second < (*y)->second);
}

/* Those in which jobs of this pass count, by credential; free() it. */
static const struct counter **list_counters(const struct throttle *t, size_t *count)
{
	const struct counter **list = mem_zero(t->count + 1, sizeof *list);

	*count = 0;
	for (size_t i = 0; i < t->count; i++)
		if (t->counter[i].pass == t->pass)
			list[(*count)++] = &t->counter[i];
	qsort(list, *count, sizeof *list, compare_counters);
	return list;
}

void throttle_each(struct throttle *t, limit_visit *visit, void *self)
{
	const struct counter **list;
	size_t count;

	if (!throttle_any(t))
		return;
	find_waiting(t);
	list = list_counters(t, &count);
	for (uint32_t i = 0; i < t->world.limit_count; i++) {
		const struct limit *limit = &t->world.limit[i];
		bool seen = false;

		for (size_t k = 0; k < count; k++) {
			if (!holds_for(t, limit, list[k]))
				continue;
			seen = true;
			visit(self, limit, list[k]->cred, list[k]->second,
			      counter_use(list[k], limit->kind, limit->scope));
		}
		if (!seen)
			visit(self, limit, limit->cred, limit->second, 0);
	}
	free(list);
}
