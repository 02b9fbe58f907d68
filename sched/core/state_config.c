/* SPDX-License-Identifier: MIT */
/*
 * state_config.c - what does a new configuration change?
 *
 * The text is read into a draft and checked against the state; only a good one is taken,
 * as entries of the snapshot from which the policy is rebuilt ever after without parsing.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/arena.h"
#include "sched/base/vec.h"
#include "state_inside.h"

/* Of an empty section its kind is all that is said. */
static bool is_node(const struct config_value *value)
{
	return strcmp(value->row != NULL ? value->row->scope : value->value.text, "node") == 0;
}

/* What a text says, before it is taken. Titles and texts are owned by the arena. */
struct draft_value {
	struct config_value value;
	uint32_t row;
};

struct draft {
	struct draft_value *item;
	size_t count, room;
	struct arena arena;
};

static bool draft_value(void *self, const struct config_value *value, struct err *err)
{
	struct draft *draft = self;
	struct draft_value *added;

	(void)err;
	/* A node may owe all it has to the section DEFAULT; nobody else is there by being named. */
	if (value->row == NULL && !is_node(value))
		return true;
	draft->item = vec_room(draft->item, &draft->room, draft->count + 1, sizeof *draft->item);
	added = &draft->item[draft->count++];
	*added = (struct draft_value){.value = *value};
	if (value->row != NULL)
		added->row = (uint32_t)(value->row - config_rows);
	added->value.title = arena_string(&draft->arena, value->title);
	added->value.value.text = arena_string(&draft->arena, value->value.text);
	return true;
}

static void draft_clear(struct draft *draft)
{
	free(draft->item);
	arena_free(&draft->arena);
}

/* What the sections DEFAULT and `title` say together. */
static struct node_record draft_node(const struct draft *draft, const char *title)
{
	struct config_node node = {.mem_mb = -1, .swap_mb = -1, .disk_mb = -1};

	for (int own = 0; own < 2; own++)
		for (size_t i = 0; i < draft->count; i++) {
			const struct config_value *value = &draft->item[i].value;

			if (is_node(value) && strcmp(value->title, own ? title : CRED_DEFAULT) == 0)
				config_store(value, NULL, NULL, NULL, &node);
		}
	return (struct node_record){
		.name = title,
		.procs = node.procs,
		.mem_mb = node.mem_mb < 0 ? 0 : node.mem_mb,
		.swap_mb = node.swap_mb < 0 ? 0 : node.swap_mb,
		.disk_mb = node.disk_mb < 0 ? 0 : node.disk_mb,
	};
}

static bool names_node(const struct config_value *value)
{
	return is_node(value) && strcmp(value->title, CRED_DEFAULT) != 0;
}

static bool check_nodes(const struct state *st, const struct draft *draft, struct err *err)
{
	for (size_t i = 0; i < draft->count; i++) {
		const struct config_value *value = &draft->item[i].value;
		struct node_record record;
		uint32_t at;

		if (!names_node(value))
			continue;
		record = draft_node(draft, value->title);
		if (record.procs == 0)
			return err_set(err, "node %s: procs is missing; say how many processors it has",
				       value->title);
		at = state_find_node(st, value->title);
		if (at != INDEX_NONE && snapshot_nodes(st->s)[at].procs_busy > record.procs)
			return err_set(
				err,
				"node %s: procs = %u is less than the %u processors its running jobs use",
				value->title, record.procs, snapshot_nodes(st->s)[at].procs_busy);
	}
	return true;
}

static void take_entry(struct state *st, const struct draft_value *drafted)
{
	struct config_entry entry = {.row = drafted->row, .line = (uint32_t)drafted->value.place.line};

	entry.title = state_add_string(st, drafted->value.title);
	entry.text = state_add_string(st, drafted->value.value.text);
	state_make_room(st, TABLE_VALUES, 1);
	*(struct config_entry *)state_item(st, TABLE_VALUES, st->s->table[TABLE_VALUES].count++) = entry;
}

static void take_values(struct state *st, const struct draft *draft, const char *file, const char *text)
{
	uint32_t at = state_add_string(st, file);

	st->s->config_file = at;
	at = state_add_string(st, text);
	st->s->config_text = at;
	st->s->table[TABLE_VALUES].count = 0;
	for (size_t i = 0; i < draft->count; i++)
		if (draft->item[i].value.row != NULL)
			take_entry(st, &draft->item[i]);
	state_rebuild_policy(st);
}

static void take_nodes(struct state *st, const struct draft *draft)
{
	for (size_t i = 0; i < draft->count; i++) {
		struct node_record record;

		if (!names_node(&draft->item[i].value))
			continue;
		record = draft_node(draft, draft->item[i].value.title);
		state_add_node(st, &record);
	}
}

bool state_set_config(struct state *st, const char *file, const char *text, struct err *err)
{
	struct draft draft = {0};
	bool ok = config_read(file, text, strlen(text), draft_value, &draft, err) &&
		  check_nodes(st, &draft, err);

	if (ok) {
		take_nodes(st, &draft);
		take_values(st, &draft, file, text);
	}
	draft_clear(&draft);
	return ok;
}

bool state_restore_config(struct state *st, const char *file, const char *text, struct err *err)
{
	struct draft draft = {0};
	bool ok = config_read(file, text, strlen(text), draft_value, &draft, err);

	if (ok)
		take_values(st, &draft, file, text);
	draft_clear(&draft);
	return ok;
}
