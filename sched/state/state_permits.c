/* SPDX-License-Identifier: MIT */
/*
 * state_permits.c - lists of the QOS and accounts that credentials may use, of the QOS of reservation levels
 *
 * The elements of a list in the configuration add up; a live change says the whole list. A
 * suffix of one name, & or ^, holds for the whole list.
 *
 * Source: Maui Administrator's Guide 7.3 (QLIST), Appendix F (RESERVATIONQOSLIST).
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "state_policy.h"

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

/* The list begins anew. */
static void drop_list(struct permits_draft *draft, const struct permit *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < draft->count; i++)
		if (!same_list(&draft->item[i], list))
			draft->item[kept++] = draft->item[i];
	draft->count = kept;
}

/* The last byte of a QOS in a list may say how the list counts. */
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

/* A list stands together. Its strictest suffix holds for all of it; returns where the next begins. */
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
