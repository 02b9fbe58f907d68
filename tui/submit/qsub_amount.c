/* SPDX-License-Identifier: MIT */
/*
 * qsub_amount.c - how do the words about processors, memory and devices come together in a draft?
 *
 * A thing may be said in several words (nodes= and procs=, mem= and pmem=). What the command line says of a
 * thing replaces all that the script said of it; two words of one side that contradict each other
 * are refused, for nobody knows which was meant.
 */
#include <inttypes.h>
#include <string.h>

#include "qsub_inside.h"
#include "sched/config/config.h"

struct qsub_shape *qsub_shape(struct submission *s)
{
	struct qsub_draft *draft = &s->draft;

	if (draft->last_word && !draft->shape.last_word)
		draft->shape = (struct qsub_shape){.last_word = true};
	return &draft->shape;
}

bool qsub_set_shape(int64_t *field, int64_t value, const char *what, struct err *err)
{
	if (*field != 0 && *field != value)
		return err_set(err, "%s: %" PRId64 " is asked for here, %" PRId64 " before; say it once",
			       what, value, *field);
	*field = value;
	return true;
}

struct qsub_memory *qsub_memory(struct submission *s, struct qsub_memory *memory)
{
	if (s->draft.last_word && !memory->last_word)
		*memory = (struct qsub_memory){.last_word = true};
	return memory;
}

static struct qsub_gres *find_gres(struct qsub_draft *draft, const char *name)
{
	for (uint32_t i = 0; i < draft->gres_count; i++)
		if (str_same_word(draft->gres[i].name, name))
			return &draft->gres[i];
	return NULL;
}

bool qsub_add_gres(struct submission *s, const char *name, uint32_t count, enum qsub_scope scope,
		   struct err *err)
{
	struct qsub_draft *draft = &s->draft;
	struct qsub_gres *gres = find_gres(draft, name);
	struct qsub_gres wanted = {.count = count, .scope = (uint8_t)scope, .last_word = draft->last_word};

	if (!qsub_read_name(s, name, &wanted.name, err))
		return false;
	if (gres != NULL && gres->last_word == wanted.last_word &&
	    (gres->count != count || gres->scope != wanted.scope))
		return err_set(err, "%s is asked for here and before, in other terms; say it once", name);
	if (gres == NULL && draft->gres_count == GRES_MAX)
		return err_set(err, "%s would be one more than the %d kinds of resource that there can be",
			       name, GRES_MAX);
	if (gres == NULL)
		gres = &draft->gres[draft->gres_count++];
	*gres = wanted;
	return true;
}

/* One of a list; the guide writes gpu@2. */
static bool add_item(struct submission *s, char *item, enum qsub_scope scope, struct err *err)
{
	char *at = strchr(item, '@');
	size_t len;
	uint32_t count;

	if (at != NULL)
		*at = ':';
	if (!config_gres_read(item, strlen(item), &len, &count, err))
		return false;
	item[len] = '\0';
	return qsub_add_gres(s, item, count, scope, err);
}

bool qsub_read_gres(struct submission *s, const char *text, enum qsub_scope scope, struct err *err)
{
	for (;; text++) {
		size_t len = strcspn(text, ",+");
		char *item = arena_take(&s->arena, len + 1);

		memcpy(item, text, len);
		item[len] = '\0';
		if (!add_item(s, item, scope, err))
			return false;
		text += len;
		if (*text == '\0')
			return true;
	}
}
