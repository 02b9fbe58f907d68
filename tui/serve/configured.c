/* SPDX-License-Identifier: MIT */
/*
 * configured.c - names of the classes and QOS that the configuration has sections for
 */
#include "configured.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/config/config.h"

struct names {
	char **item;
	size_t count, room;
};

struct configured {
	struct str text; /* that the names are of */
	bool read;
	struct names of[CRED_TYPE_COUNT];
};

struct configured *configured_new(void)
{
	return mem_zero(1, sizeof(struct configured));
}

static void clear(struct configured *c)
{
	for (int type = 0; type < CRED_TYPE_COUNT; type++) {
		for (size_t i = 0; i < c->of[type].count; i++)
			free(c->of[type].item[i]);
		c->of[type].count = 0;
	}
}

void configured_free(struct configured *c)
{
	if (c == NULL)
		return;
	clear(c);
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		free(c->of[type].item);
	str_free(&c->text);
	free(c);
}

static bool has(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->item[i], name) == 0)
			return true;
	return false;
}

static bool has_in_other_case(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcasecmp(names->item[i], name) == 0)
			return true;
	return false;
}

/* A section has a value for each of its lines, or one that says it is there. */
static void add(struct configured *c, const struct config_value *value)
{
	enum cred_type type = cred_type_find(value->row != NULL ? value->row->scope : value->value.text);
	struct names *names;

	if ((type != CRED_CLASS && type != CRED_QOS) || strcmp(value->title, CRED_DEFAULT) == 0 ||
	    has(&c->of[type], value->title))
		return;
	names = &c->of[type];
	names->item = vec_room(names->item, &names->room, names->count + 1, sizeof *names->item);
	names->item[names->count++] = mem_string(value->title);
}

static void read_again(struct configured *c, const char *text)
{
	struct config_list list = {0};

	clear(c);
	str_clear(&c->text);
	str_add(&c->text, text);
	c->read = true;
	if (config_list_read("kahu.conf", text, c->text.len, &list, NULL))
		for (size_t i = 0; i < list.count; i++)
			add(c, &list.item[i].value);
	config_list_free(&list);
}

static struct configured_name find(struct configured *c, const char *text, enum cred_type type,
				   const char *name)
{
	if (!c->read || strcmp(text, str_text(&c->text)) != 0)
		read_again(c, text);
	return (struct configured_name){.any = c->of[type].count > 0,
					.this = has(&c->of[type], name),
					.case_differs = !has(&c->of[type], name) &&
							has_in_other_case(&c->of[type], name)};
}

struct configured_name configured_find(struct configured *c, const struct snapshot *s, enum cred_type type,
				       const char *name)
{
	const char *text = snapshot_string(s, s->config_text);
	struct configured *once;
	struct configured_name found;

	if (c != NULL)
		return find(c, text, type, name);
	once = configured_new();
	found = find(once, text, type, name);
	configured_free(once);
	return found;
}
