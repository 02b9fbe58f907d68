/* SPDX-License-Identifier: MIT */
/*
 * state_limit.c - limits and access lists that settings define
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "state_inside.h"
#include "state_policy.h"

/* --- limits ------------------------------------------------------------------------------------------- */

/*
 * A limit replaces an earlier one with the same owner, scope, kind and second credential; so a live change of
 * one limit does not affect other limits of the same option.
 */

struct drafted_limit {
	struct limit limit;
	uint32_t order; /* position in the order of settings */
};

/*
 * Returns the second credential of a limit, which is added if new; INDEX_NONE if there is none. The name
 * must not be one of the state's own strings.
 */
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

	/* It was checked when it was set, so it cannot fail. */
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

/* Drops all but the last of several limits with the same key. */
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

/* --- access lists ------------------------------------------------------------------------------------- */

/*
 * The elements of a list in the configuration add up; a live change sets the whole list. A suffix & or ^ of
 * one name applies to the whole list.
 *
 * Source: Maui Administrator's Guide 7.3 (QLIST), Appendix F (RESERVATIONQOSLIST).
 */

#define EVERY_QOS "ALL"

static bool is_level(const struct permit *permit)
{
	return permit->kind == PERMIT_LEVEL;
}

static bool is_account(const struct permit *permit)
{
	return permit->kind == PERMIT_ACCOUNT;
}

static bool same_list(const struct permit *a, const struct permit *b)
{
	return a->owner == b->owner && is_level(a) == is_level(b) && is_account(a) == is_account(b);
}

/* Removes all entries of the list that this permit belongs to. */
static void drop_list(struct permits_draft *draft, const struct permit *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < draft->count; i++)
		if (!same_list(&draft->item[i], list))
			draft->item[kept++] = draft->item[i];
	draft->count = kept;
}

/* Removes the suffix of a QOS in a list; returns the kind of the list. */
static uint32_t take_suffix(const char *word, size_t *len)
{
	char last = word[*len - 1];

	*len -= last == '&' || last == '^';
	return last == '&' ? PERMIT_QOS_BOTH : last == '^' ? PERMIT_QOS_ONLY : PERMIT_QOS;
}

static uint32_t intern_named(struct state *st, enum cred_type type, const char *word, size_t len)
{
	char name[CONFIG_TITLE];

	memcpy(name, word, len);
	name[len] = '\0';
	return state_intern_cred(st, type, str_same_word(name, CRED_DEFAULT) ? CRED_DEFAULT : name);
}

static void draft_word(struct state *st, struct permits_draft *draft, struct permit permit, const char *word,
		       size_t len)
{
	if (!is_level(&permit) && !is_account(&permit))
		permit.kind = take_suffix(word, &len);
	else if (is_level(&permit) && len == strlen(EVERY_QOS) && strncmp(word, EVERY_QOS, len) == 0)
		return;
	permit.qos = intern_named(st, is_account(&permit) ? CRED_ACCOUNT : CRED_QOS, word, len);
	draft->item = vec_room(draft->item, &draft->room, draft->count + 1, sizeof *draft->item);
	draft->item[draft->count++] = permit;
}

void state_draft_permits(struct state *st, struct permits_draft *draft, const struct setting *setting)
{
	const struct config_value *value = &setting->value;
	struct permit permit = {.kind = PERMIT_QOS};
	const char *at = value->value.text, *word;
	size_t len;

	if (value->row->form == FORM_LEVEL_QOS) {
		permit.kind = PERMIT_LEVEL;
		permit.owner = config_level(value->title);
	} else {
		if (value->row->form == FORM_ALIST)
			permit.kind = PERMIT_ACCOUNT;
		permit.owner = state_setting_owner(st, setting);
	}
	if (setting->live)
		drop_list(draft, &permit);
	while ((word = config_word(&at, &len)) != NULL)
		draft_word(st, draft, permit, word, len);
}

/* The entries of a list are adjacent. Applies the strictest suffix to all of them; returns the start of the
 * next list. */
static size_t even_out(struct permits_draft *draft, size_t first)
{
	uint32_t kind = draft->item[first].kind;
	size_t end = first;

	for (; end < draft->count && same_list(&draft->item[first], &draft->item[end]); end++)
		if (draft->item[end].kind > kind)
			kind = draft->item[end].kind;
	for (size_t i = first; i < end; i++)
		draft->item[i].kind = kind;
	return end;
}

void state_take_permits(struct state *st, struct permits_draft *draft)
{
	for (size_t i = 0; i < draft->count;)
		i = even_out(draft, i);
	st->s->table[TABLE_PERMITS].count = 0;
	state_make_room(st, TABLE_PERMITS, (uint32_t)draft->count);
	for (size_t i = 0; i < draft->count; i++)
		*(struct permit *)state_item(st, TABLE_PERMITS, (uint32_t)i) = draft->item[i];
	st->s->table[TABLE_PERMITS].count = (uint32_t)draft->count;
	free(draft->item);
	*draft = (struct permits_draft){.count = 0};
}
