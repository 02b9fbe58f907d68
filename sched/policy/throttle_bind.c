/* SPDX-License-Identifier: MIT */
/*
 * throttle_bind.c - which limits bind a job?
 *
 * A place is what limits have in common that may take each other's: type of owner, kind, scope
 * and type of the second. There are few, however many limits; in each a job finds at
 * most one row: the credential's own for that very second, its own for each second, or, if it
 * has none in this place, DEFAULT's. It is found once for all jobs of the credential or pair.
 * What a QOS overrides is found in the same way, for each job. Nothing is counted here.
 */
#include <string.h>

#include "sched/base/vec.h"
#include "throttle_inside.h"

/* --- places ------------------------------------------------------------------------------- */

/* Bits of enum limit_kind: which kinds some limit has, by scope, type of owner and of second. */
struct kinds {
	uint8_t of[LIMIT_SYSTEM][OWNER_COUNT][SECONDS_COUNT];
};

/* An override limits nobody by itself, but for OMAXJOB (T-22). */
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

/* The index of a group that has places. */
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

/* By type of owner, then kind. */
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

void throttle_find_places(struct throttle *t)
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

/* The first row that does not stand before this one. */
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

/* The row at an index, when it stands in a place; NULL. */
static const struct limit *row_at(struct rows rows, uint32_t at, struct place place)
{
	const struct limit *row = at < rows.count ? &rows.row[at] : NULL;

	return row != NULL && row->kind == place.kind && row->scope == place.scope &&
			       row->second_type == place.group.second_type
		       ? row
		       : NULL;
}

/* Has a credential anything in a place? Then *out is the row for this second; NULL = for others only. */
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
		return false;    /* there is no other second */
	key.second = INDEX_NONE; /* for each second: behind those for one */
	at = first_from(rows, &key);
	*out = row_at(rows, at, place);
	return *out != NULL || (at > 0 && row_at(rows, at - 1, place) != NULL);
}

const struct limit *throttle_row(const struct throttle *t, struct place place, uint32_t cred, uint32_t second)
{
	const struct limit *row;

	if (!row_in(t, place, cred, second, &row) && place.group.owner != OWNER_SYSTEM)
		row_in(t, place, place.group.owner, second, &row); /* DEFAULT's index is the type */
	return row;
}

/* --- members ----------------------------------------------------------------------------- */

/* A job's credential: its own, else that of those who have none. INDEX_NONE: nothing is set for them. */
static uint32_t cred_of(const struct throttle *t, const struct job *job, unsigned type)
{
	return job->cred[type] != INDEX_NONE ? job->cred[type] : t->world.no_cred[type];
}

bool throttle_members(const struct throttle *t, const struct job *job, struct group group, uint32_t *cred,
		      uint32_t *second)
{
	*cred = group.owner == OWNER_SYSTEM ? INDEX_NONE : cred_of(t, job, group.owner);
	*second = group.second_type == NO_SECOND ? INDEX_NONE : cred_of(t, job, group.second_type);
	return (*cred != INDEX_NONE || group.owner == OWNER_SYSTEM) &&
	       (*second != INDEX_NONE || group.second_type == NO_SECOND);
}

/* --- bounds ------------------------------------------------------------------------------- */

/*
 * What the job's QOS sets instead; NULL = nothing. One for pairs goes before one for all. It
 * replaces limits of others only, and nobody's limit of jobs (T-22).
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
		row = throttle_members(t, job, place.group, &qos, &second)
			      ? throttle_row(t, place, qos, second)
			      : NULL;
	place.group.second_type = NO_SECOND;
	if (row == NULL && throttle_members(t, job, place.group, &qos, &none))
		row = throttle_row(t, place, qos, none);
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
