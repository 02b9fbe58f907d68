/* SPDX-License-Identifier: MIT */
/*
 * state_limits.c - which limits are in force?
 *
 * A limit replaces one that was set before for the same owner, scope, kind and second
 * credential; so a live change of one limit leaves the others of its option alone.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "state_policy.h"

struct drafted_limit {
	struct limit limit;
	uint32_t order; /* in which it was set */
};

/* A name that is no string of its own becomes a credential. */
static uint32_t intern_second(struct state *st, const struct config_limit *limit)
{
	char name[CONFIG_TITLE];

	if (limit->second_len == 0)
		return INDEX_NONE;
	memcpy(name, limit->second, limit->second_len);
	name[limit->second_len] = '\0';
	return state_intern_cred(st, limit->second_type, name);
}

void state_draft_limit(struct state *st, struct limits_draft *draft, const struct setting *setting)
{
	const struct config_value *value = &setting->value;
	struct config_limit read;
	struct drafted_limit *added;

	/* It was read when it was taken, so it reads again. */
	if (!config_limit_read(value->row, value->second, value->second_len, value->value.text, &read, NULL))
		return;
	draft->item = vec_room(draft->item, &draft->room, draft->count + 1, sizeof *draft->item);
	added = &draft->item[draft->count];
	*added = (struct drafted_limit){.order = (uint32_t)draft->count++,
					.limit = {.cred = state_setting_owner(st, setting),
						  .kind = (uint8_t)read.kind,
						  .scope = (uint8_t)read.scope,
						  .second_type = (uint8_t)read.second_type,
						  .second = intern_second(st, &read),
						  .soft = read.soft,
						  .hard = read.hard}};
}

void state_draft_limits_in_force(const struct state *st, struct limits_draft *draft)
{
	uint32_t count = snapshot_count(st->s, TABLE_LIMITS);

	draft->item = vec_room(draft->item, &draft->room, draft->count + count, sizeof *draft->item);
	for (uint32_t i = 0; i < count; i++, draft->count++)
		draft->item[draft->count] = (struct drafted_limit){.limit = snapshot_limits(st->s)[i],
								   .order = (uint32_t)draft->count};
}

static int by_number(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int by_place_and_order(const void *a, const void *b)
{
	const struct drafted_limit *x = a, *y = b;
	int place = limit_compare(&x->limit, &y->limit);

	return place != 0 ? place : by_number(x->order, y->order);
}

/* Of those with one place the last stays. */
static void drop_replaced(struct limits_draft *draft)
{
	size_t kept = 0;

	for (size_t i = 0; i < draft->count; i++) {
		if (i + 1 < draft->count &&
		    limit_compare(&draft->item[i].limit, &draft->item[i + 1].limit) == 0)
			continue;
		draft->item[kept++] = draft->item[i];
	}
	draft->count = kept;
}

static void name_rows(struct state *st)
{
	const struct limit *limit = snapshot_limits(st->s);
	struct cred *cred = state_item(st, TABLE_CREDS, 0);

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_CREDS); i++)
		cred[i].limit_first = cred[i].limit_count = 0;
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_LIMITS); i++) {
		struct cred *owner = limit[i].cred == INDEX_NONE ? NULL : &cred[limit[i].cred];

		if (owner != NULL && owner->limit_count++ == 0)
			owner->limit_first = i;
	}
}

void state_take_limits(struct state *st, struct limits_draft *draft)
{
	if (draft->count > 0)
		qsort(draft->item, draft->count, sizeof *draft->item, by_place_and_order);
	drop_replaced(draft);
	st->s->table[TABLE_LIMITS].count = 0;
	state_make_room(st, TABLE_LIMITS, (uint32_t)draft->count);
	for (size_t i = 0; i < draft->count; i++)
		*(struct limit *)state_item(st, TABLE_LIMITS, (uint32_t)i) = draft->item[i].limit;
	st->s->table[TABLE_LIMITS].count = (uint32_t)draft->count;
	name_rows(st);
	free(draft->item);
	*draft = (struct limits_draft){.count = 0};
}
