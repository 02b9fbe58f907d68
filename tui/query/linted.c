/* SPDX-License-Identifier: MIT */
/*
 * linted.c - what does lint say of what is shown?
 */
#include "linted.h"

#include <string.h>

static struct linted_of parts_of(const struct outlook *o)
{
	struct linted_of of = {.draft = o->draft.s != NULL ? o->proposal->number : 0};

	if (outlook_is_past(o)) {
		of.past = o->picture->moment.seq;
		of.past_s = o->now_s;
	} else {
		of.version = o->picture->version;
	}
	return of;
}

static bool are_same(const struct linted_of *a, const struct linted_of *b)
{
	return a->version == b->version && a->past == b->past && a->past_s == b->past_s &&
	       a->draft == b->draft;
}

void linted_take(struct linted *f, const struct outlook *o)
{
	struct linted_of of = parts_of(o);

	if (f->known && are_same(&f->of, &of))
		return;
	f->known = true;
	f->of = of;
	lint_state(&f->live, o->live.s, &o->live.plan);
	f->draft.count = f->brought.count = 0;
	if (of.draft == 0)
		return;
	lint_state(&f->draft, o->draft.s, &o->draft.plan);
	lint_new(&f->brought, &f->live, &f->draft);
}

void linted_free(struct linted *f)
{
	lint_free(&f->live);
	lint_free(&f->draft);
	lint_free(&f->brought);
	f->known = false;
}

const struct lint_list *linted_shown(const struct linted *f)
{
	return f->of.draft != 0 ? &f->draft : &f->live;
}

bool linted_is_new(const struct linted *f, const struct config_finding *finding)
{
	for (size_t i = 0; i < f->brought.count; i++)
		if (strcmp(f->brought.item[i].id, finding->id) == 0 &&
		    strcmp(f->brought.item[i].option, finding->option) == 0)
			return true;
	return false;
}

size_t linted_count(const struct linted *f, enum config_subject subject, enum config_severity severity)
{
	const struct lint_list *shown = linted_shown(f);
	size_t count = 0;

	for (size_t i = 0; i < shown->count; i++)
		count += shown->item[i].severity == severity &&
			 config_finding_subject(&shown->item[i]) == subject;
	return count;
}
