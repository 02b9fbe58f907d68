/* SPDX-License-Identifier: MIT */
/*
 * throttle.c - the limits that apply to a job, and the usage counted against them
 *
 * A group is a type of owner of limits, alone or with a second type of credential; the limits of a site
 * determine which groups exist. A job counts once in each group, in the counter of its credential or pair,
 * which is found through a hash table. Without limits there are no groups and nothing is counted.
 *
 * A place is a group, kind and scope. At most one limit of a place applies to a job: the limit of its
 * credential for its second credential, else the limit of its credential for any second credential, else, if
 * its credential has no limit in this place, that of DEFAULT. There are few places, even if there are many
 * limits. A row is such a limit; it is found once for all jobs of a counter. An override by a QOS is found in
 * the same way, once for each set of credentials.
 */
#include "throttle_account.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

#define HASH_LEAST 64

/* --- the amounts of a job ----------------------------------------------------------------- */

/*
 * Returns the seconds that count for a job: its wallclock limit if it is idle, the time left if it is
 * running. A real job beyond its limit counts the rest of the grace period, because it holds its processors
 * until its processes are killed.
 */
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

/* Returns the amount of LIMIT_PROC or LIMIT_PS. */
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
 * Returns the number of free processors on the nodes of a running job that shares its nodes with no other
 * user. The free processors of a node count for only one such job: the first that is counted.
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

/* --- places ------------------------------------------------------------------------------- */

/* By scope, type of owner and second type: bits of enum limit_kind with a limit. */
struct kinds {
	uint8_t of[LIMIT_SYSTEM][OWNER_COUNT][SECONDS_COUNT];
};

/*
 * Returns true if a limit applies to the credential for which it is set. An override does not, except OMAXJOB
 * (T-22).
 */
static bool limits_itself(enum limit_scope scope, enum limit_kind kind)
{
	return !scope_is_override(scope) || kind == LIMIT_JOB;
}

static void find_kinds(struct throttle *t, struct kinds *kinds)
{
	t->kinds = t->idle_kinds = t->overridden = t->system_count = 0;
	for (uint32_t i = 0; i < t->world.limit_count; i++) {
		const struct limit *l = &t->world.limit[i];
		uint32_t owner = l->cred == INDEX_NONE ? OWNER_SYSTEM : t->world.cred[l->cred].type;
		unsigned bit = 1U << l->kind;

		if (owner == OWNER_SYSTEM && t->system_count++ == 0)
			t->system_first = i;
		kinds->of[l->scope][owner][l->second_type] |= (uint8_t)bit;
		t->kinds |= bit;
		if (scope_has_idle((enum limit_scope)l->scope))
			t->idle_kinds |= bit;
		if (!limits_itself((enum limit_scope)l->scope, (enum limit_kind)l->kind))
			t->overridden |= bit;
	}
}

static void add_group(struct throttle *t, const struct kinds *kinds, struct group group)
{
	unsigned all = 0, idle = 0;

	for (unsigned scope = 0; scope < LIMIT_SYSTEM; scope++) {
		unsigned of = kinds->of[scope][group.owner][group.second_type];

		all |= of;
		idle |= scope_has_idle((enum limit_scope)scope) ? of : 0;
	}
	if (all == 0)
		return;
	t->row_count[t->group_count] = 0;
	t->group_idle_kinds[t->group_count] = idle;
	t->group[t->group_count++] = group;
}

/* Returns the index of a group, which must exist. */
static size_t group_index(const struct throttle *t, struct group group)
{
	size_t g = 0;

	while (t->group[g].owner != group.owner || t->group[g].second_type != group.second_type)
		g++;
	return g;
}

static void add_place(struct throttle *t, struct places *places, struct group group, enum limit_kind kind,
		      enum limit_scope scope)
{
	size_t g = group_index(t, group);

	places->item = vec_room(places->item, &places->room, places->count + 1, sizeof *places->item);
	places->item[places->count++] = (struct place){.group = group,
						       .kind = (uint8_t)kind,
						       .scope = (uint8_t)scope,
						       .group_at = (uint8_t)g,
						       .row_at = t->row_count[g]++};
}

static void add_places(struct throttle *t, struct places *places, const struct kinds *kinds,
		       struct group group, enum limit_kind kind, const enum limit_scope *scopes,
		       size_t scope_count)
{
	for (size_t s = 0; s < scope_count; s++)
		if ((kinds->of[scopes[s]][group.owner][group.second_type] >> kind & 1) != 0 &&
		    limits_itself(scopes[s], kind))
			add_place(t, places, group, kind, scopes[s]);
}

/* Adds the groups and places of an owner, with or without a second type; places are ordered by kind. */
static void add_owner(struct throttle *t, const struct kinds *kinds, unsigned owner, bool pairs)
{
	static const enum limit_scope active[] = {LIMIT_ACTIVE, LIMIT_OVERRIDE_ACTIVE};
	static const enum limit_scope idle[] = {LIMIT_IDLE, LIMIT_QUEUED, LIMIT_OVERRIDE_IDLE};
	unsigned first = pairs ? 0 : NO_SECOND, end = pairs ? NO_SECOND : SECONDS_COUNT;

	for (unsigned second = first; second < end; second++)
		add_group(t, kinds, (struct group){(uint8_t)owner, (uint8_t)second});
	for (enum limit_kind kind = 0; kind < LIMIT_KIND_COUNT; kind++)
		for (unsigned second = first; second < end; second++) {
			struct group group = {(uint8_t)owner, (uint8_t)second};

			add_places(t, &t->active, kinds, group, kind, active, 2);
			add_places(t, &t->idle, kinds, group, kind, idle, 3);
		}
}

/* Finds the groups, places and kinds that occur in the limits. */
static void find_places(struct throttle *t)
{
	struct kinds kinds;

	memset(&kinds, 0, sizeof kinds);
	t->group_count = t->active.count = t->idle.count = 0;
	find_kinds(t, &kinds);
	for (unsigned owner = 0; owner < OWNER_COUNT; owner++)
		add_owner(t, &kinds, owner, false);
	for (unsigned owner = 0; owner < OWNER_COUNT; owner++)
		add_owner(t, &kinds, owner, true);
}

/* --- rows --------------------------------------------------------------------------------- */

struct rows {
	const struct limit *row;
	uint32_t count;
};

static struct rows rows_of(const struct throttle *t, uint32_t cred)
{
	if (cred == INDEX_NONE)
		return (struct rows){t->world.limit + t->system_first, t->system_count};
	return (struct rows){t->world.limit + t->world.cred[cred].limit_first,
			     t->world.cred[cred].limit_count};
}

/* Returns the index of the first row that is not ordered before this limit. */
static uint32_t first_from(struct rows rows, const struct limit *limit)
{
	uint64_t place = limit_place(limit);
	uint32_t low = 0, high = rows.count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (limit_place(&rows.row[middle]) < place)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the row at an index if it belongs to the place; otherwise NULL. */
static const struct limit *row_at(struct rows rows, uint32_t at, struct place place)
{
	const struct limit *row = at < rows.count ? &rows.row[at] : NULL;

	return row != NULL && row->kind == place.kind && row->scope == place.scope &&
			       row->second_type == place.group.second_type
		       ? row
		       : NULL;
}

/*
 * Returns true if the credential has a row in a place. *out is then the row for this second credential; NULL
 * if the credential has rows for other second credentials only.
 */
static bool row_in(const struct throttle *t, struct place place, uint32_t cred, uint32_t second,
		   const struct limit **out)
{
	struct rows rows = rows_of(t, cred);
	struct limit key;
	uint32_t at;

	*out = NULL;
	if (rows.count == 0)
		return false;
	key = (struct limit){.cred = cred,
			     .kind = place.kind,
			     .scope = place.scope,
			     .second_type = place.group.second_type,
			     .second = second};
	at = first_from(rows, &key);
	*out = row_at(rows, at, place);
	if (*out != NULL && (*out)->second == second)
		return true;
	if (place.group.second_type == NO_SECOND)
		return false;    /* no row for any second credential can exist */
	key.second = INDEX_NONE; /* a row for any second credential: ordered behind rows for one */
	at = first_from(rows, &key);
	*out = row_at(rows, at, place);
	return *out != NULL || (at > 0 && row_at(rows, at - 1, place) != NULL);
}

/*
 * Returns the row that applies in a place to this credential or pair: its own, else that of DEFAULT; NULL if
 * there is none.
 */
static const struct limit *find_row(const struct throttle *t, struct place place, uint32_t cred,
				    uint32_t second)
{
	const struct limit *row;

	if (!row_in(t, place, cred, second, &row) && place.group.owner != OWNER_SYSTEM)
		row_in(t, place, place.group.owner, second, &row); /* the index of DEFAULT is the type */
	return row;
}

/*
 * Returns the credential of a job, or else the credential whose limits apply to jobs without one; INDEX_NONE
 * if there is none.
 */
static uint32_t cred_of(const struct throttle *t, const struct job *job, unsigned type)
{
	return job->cred[type] != INDEX_NONE ? job->cred[type] : t->world.no_cred[type];
}

/*
 * Finds the credential and second credential of a group whose usage includes the job. Returns false if the
 * job does not count in the group.
 */
static bool find_members(const struct throttle *t, const struct job *job, struct group group, uint32_t *cred,
			 uint32_t *second)
{
	*cred = group.owner == OWNER_SYSTEM ? INDEX_NONE : cred_of(t, job, group.owner);
	*second = group.second_type == NO_SECOND ? INDEX_NONE : cred_of(t, job, group.second_type);
	return (*cred != INDEX_NONE || group.owner == OWNER_SYSTEM) &&
	       (*second != INDEX_NONE || group.second_type == NO_SECOND);
}

/* --- overrides --------------------------------------------------------------------------- */

/*
 * Returns the override by the job's QOS for a place; NULL if there is none. An override for pairs takes
 * precedence. Limits of a QOS or of the system, and limits on the number of jobs, are never overridden
 * (T-22).
 */
static const struct limit *override_of(const struct throttle *t, const struct job *job, struct place place,
				       uint32_t second)
{
	const struct limit *row = NULL;
	uint32_t qos, none;

	if ((t->overridden >> place.kind & 1) == 0 || place.group.owner >= OWNER_SYSTEM ||
	    place.group.owner == CRED_QOS || place.scope == LIMIT_QUEUED)
		return NULL;
	place.scope = place.scope == LIMIT_ACTIVE ? LIMIT_OVERRIDE_ACTIVE : LIMIT_OVERRIDE_IDLE;
	place.group.owner = CRED_QOS;
	if (place.group.second_type != NO_SECOND)
		row = find_members(t, job, place.group, &qos, &second) ? find_row(t, place, qos, second)
								       : NULL;
	place.group.second_type = NO_SECOND;
	if (row == NULL && find_members(t, job, place.group, &qos, &none))
		row = find_row(t, place, qos, none);
	return row;
}

bool throttle_bound(const struct throttle *t, const struct job *job, const uint32_t *in, struct place place,
		    struct bound *out)
{
	uint32_t at = in[place.group_at];
	const struct limit *instead;

	if (at == INDEX_NONE)
		return false;
	out->counter = &t->counter[at];
	out->row = t->row[out->counter->row + place.row_at];
	if (out->row == NULL)
		return false;
	instead = override_of(t, job, place, out->counter->second);
	if (instead != NULL)
		out->row = instead;
	return true;
}

/* --- counters -------------------------------------------------------------------------------- */

/* Returns the index of a counter in the hash table, or the empty index at which to add it. */
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

/* Returns the copy in t->seen of a row of the world, whose rows may move. */
static const struct limit *kept_row(const struct throttle *t, const struct limit *row)
{
	return row == NULL ? NULL : t->seen.limit + (row - t->world.limit);
}

static void find_rows(struct throttle *t, const struct counter *c, const struct places *places, size_t group)
{
	for (size_t i = 0; i < places->count; i++) {
		struct place place = places->item[i];

		if (place.group_at == group)
			t->row[c->row + place.row_at] = kept_row(t, find_row(t, place, c->cred, c->second));
	}
}

static uint32_t new_counter(struct throttle *t, size_t group, uint32_t cred, uint32_t second)
{
	size_t had = t->room;
	struct counter *c;

	t->counter = vec_room(t->counter, &t->room, t->count + 1, sizeof *t->counter);
	if (t->room > had) /* keeps the lists of earlier counters */
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

/* Appends the limits of these places at a level, in the order of places, except unlimited ones. */
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

/* Finds the counters and limits of a set of credentials; job is any job with these credentials. */
static void find_bounds(struct throttle *t, const struct job *job, uint32_t *in, struct set_bounds *of_set)
{
	uint32_t cred, second;

	for (size_t g = 0; g < t->group_count; g++)
		in[g] = find_members(t, job, t->group[g], &cred, &second) ? counter_of(t, g, cred, second)
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

/* Copies all sets up to this one to t->seen. */
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

struct set_bounds *throttle_find_set(struct throttle *t, uint32_t set, const struct job *job)
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

/* Amounts of the last idle job are kept, because they do not change during a pass. */
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
	asked->told = t->told;
	asked->set = set;
	if (job->access >= ACCESS_SINGLEUSER || procs >= NOT_PLAIN || wall_s > UINT32_MAX)
		procs = NOT_PLAIN;
	asked->procs = (uint32_t)procs;
	asked->wall_s = (uint32_t)wall_s;
}

struct asked *throttle_ask(struct throttle *t, const struct job *job)
{
	if (job->state != JOB_IDLE)
		return NULL;
	throttle_tell_set(t, job, set_of(t, job));
	return &t->asked[job - t->world.job];
}

/* Makes the job the keeper of those of its nodes that have none: their free processors count for this job. */
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

/* Counts an idle job as eligible or, if it leaves, no longer. */
static void count_idle(struct throttle *t, uint32_t slot, bool leaves)
{
	const struct job *job = &t->world.job[slot];
	const struct asked *asked = throttle_asked(t, job);
	int64_t own[LIMIT_KIND_COUNT] = {0};
	const int64_t *amount = asked_amounts(t, job, asked, own);

	throttle_bounds_of(t, asked->set, job);
	account_idle(t, asked->set, amount, leaves);
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
	free(t->turned_by);
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

static void copy_seen(struct throttle *t)
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

/* Clears all usage. Counters, and the limits of sets, are reused if the limits have not changed. */
static void begin_counters(struct throttle *t)
{
	if (!sees_the_same(t)) {
		copy_seen(t);
		t->limits++;
		find_places(t);
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

/* Forgets what throttle_active_noted() noted in the last pass. */
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
	if (!world->keeps_requests && ++t->told == 0)
		t->told = 1;
	t->starts++;
	forget_noted(t);
	if (!throttle_any(t))
		return;
	t->sets = world->sets != NULL ? world->sets : &t->own_sets;
	if (world->sets == NULL)
		cred_sets_begin(t->sets, world->job_count);
	begin_counters(t);
	t->member_count = 0;
	/* One element more, so that memset has memory even without jobs. */
	t->mark = vec_room(t->mark, &t->mark_room, (size_t)world->job_count + 1, sizeof *t->mark);
	memset(t->mark, 0, world->job_count * sizeof *t->mark);
	t->asked = vec_zeroed(t->asked, &t->asked_room, (size_t)world->job_count + 1, sizeof *t->asked);
	t->turned_by =
		vec_room(t->turned_by, &t->turned_room, (size_t)world->job_count + 1, sizeof *t->turned_by);
	for (uint32_t i = 0; i < world->running_count; i++)
		count_active(t, world->running[i]);
}

bool throttle_any(const struct throttle *t)
{
	return t->world.limit_count > 0;
}

/* --- reports ---------------------------------------------------------------------------------- */

/* Returns true if the limit applies to the counter, as a limit of its credential or of DEFAULT. */
static bool holds_for(const struct throttle *t, const struct limit *limit, const struct counter *c)
{
	struct place place = {.group = c->group, .kind = limit->kind, .scope = limit->scope};

	return c->group.second_type == limit->second_type &&
	       (limit->cred == c->cred || limit->cred == c->group.owner) &&
	       find_row(t, place, c->cred, c->second) == limit;
}

/* Marks the counters of idle jobs, so that credentials whose jobs are all blocked appear in reports. */
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

/* Returns the counters with jobs in this pass, sorted by credential. The caller frees the list. */
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
