/* SPDX-License-Identifier: MIT */
/*
 * state_config.c - applying a configuration: its text, its entries, and the nodes that it defines
 *
 * The text is parsed into a draft and checked against the state. A valid draft is stored as entries of the
 * snapshot, from which the policy is rebuilt later without parsing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/arena.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "state_inside.h"
#include "state_policy.h"

/* Does the value belong to a node section? An empty section consists only of its kind. */
static bool is_node(const struct config_value *value)
{
	return strcmp(value->row != NULL ? value->row->scope : value->value.text, "node") == 0;
}

/* A parsed value that is not applied yet. The arena owns titles and texts. */
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
	/* An empty node section defines a node, which may inherit everything from DEFAULT; other empty
	 * sections do nothing. */
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

/* --- nodes ------------------------------------------------------------------------------- */

/* A node section's hardware values. */
struct node_draft {
	struct config_node node;
	const char *partition;
	const char *words[TRAIT_KIND_COUNT]; /* names, separated by blanks; NULL = none */
};

static bool is_default(const struct config_value *value)
{
	return strcmp(value->title, CRED_DEFAULT) == 0;
}

/* Returns the end of the section that begins at `first`. The values of a node's section are adjacent. */
static size_t section_end(const struct draft *draft, size_t first)
{
	const struct config_value *value = &draft->item[first].value;
	size_t end = first + 1;

	while (is_node(value) && end < draft->count && is_node(&draft->item[end].value) &&
	       strcmp(draft->item[end].value.title, value->title) == 0)
		end++;
	return end;
}

static const char *join(struct draft *draft, const char *words, const char *more)
{
	size_t room = strlen(words) + strlen(more) + 2;
	char *joined = arena_take(&draft->arena, room);

	snprintf(joined, room, "%s %s", words, more);
	return joined;
}

/*
 * Adds the values of a section to *out. A list in the node's own section replaces the list of section
 * DEFAULT; the elements of one list add up.
 */
static void read_section(struct draft *draft, size_t first, size_t end, struct node_draft *out)
{
	const struct option *before = NULL;

	for (size_t i = first; i < end; i++) {
		const struct config_value *value = &draft->item[i].value;
		const struct option *row = value->row;

		if (row == NULL)
			continue;
		if (row->form == FORM_PARTITION)
			out->partition = value->value.text;
		else if (row->form == FORM_NODE_WORDS)
			out->words[row->offset] =
				row == before ? join(draft, out->words[row->offset], value->value.text)
					      : value->value.text;
		else
			config_store(value, NULL, NULL, NULL, &out->node);
		before = row;
	}
}

static struct node_draft read_default(struct draft *draft)
{
	struct node_draft node = {.node = {.mem_mb = -1, .swap_mb = -1, .disk_mb = -1}};

	for (size_t i = 0; i < draft->count; i++)
		if (is_node(&draft->item[i].value) && is_default(&draft->item[i].value)) {
			read_section(draft, i, section_end(draft, i), &node);
			break;
		}
	return node;
}

static struct node_record record_of(const char *name, const struct node_draft *draft)
{
	const struct config_node *node = &draft->node;

	return (struct node_record){
		.name = name,
		.partition = draft->partition,
		.procs = node->procs,
		.mem_mb = node->mem_mb < 0 ? 0 : node->mem_mb,
		.swap_mb = node->swap_mb < 0 ? 0 : node->swap_mb,
		.disk_mb = node->disk_mb < 0 ? 0 : node->disk_mb,
		.features = draft->words[TRAIT_FEATURE],
		.classes = draft->words[TRAIT_CLASS],
		.gres = draft->words[TRAIT_GRES],
		.speed = node->speed,
		.procspeed = node->procspeed,
		.rack = node->rack,
		.index = node->index,
		.access = node->access,
		.used = {.load = -1, .procs = -1, .mem_mb = -1, .swap_mb = -1, .disk_mb = -1},
	};
}

/* Called for each node that has a section, in the order of the file; false ends the loop. */
typedef bool visit_node(struct state *st, const struct node_record *record, struct err *err);

static bool each_node(struct state *st, struct draft *draft, visit_node *visit, struct err *err)
{
	struct node_draft usual = read_default(draft);

	for (size_t first = 0, end; first < draft->count; first = end) {
		const struct config_value *value = &draft->item[first].value;
		struct node_draft own = usual;
		struct node_record record;

		end = section_end(draft, first);
		if (!is_node(value) || is_default(value))
			continue;
		read_section(draft, first, end, &own);
		record = record_of(value->title, &own);
		if (!visit(st, &record, err))
			return err_prefix(err, "%s:%d", value->place.file, value->place.line);
	}
	return true;
}

/*
 * Checks the section of a node. A section without procs describes a node that a resource manager reports: it
 * must exist, unless no nodes have been reported yet.
 */
static bool check_node(struct state *st, const struct node_record *record, struct err *err)
{
	if (record->procs > 0)
		return state_check_node_size(st, record, err);
	return snapshot_count(st->s, TABLE_NODES) == 0 || state_find_node(st, record->name) != INDEX_NONE ||
	       err_set(err,
		       "node %s: procs is missing, and no resource manager has reported the node; set "
		       "procs to its number of processors",
		       record->name);
}

static bool take_node(struct state *st, const struct node_record *record, struct err *err)
{
	(void)err;
	if (record->procs > 0)
		state_add_node(st, record);
	return true;
}

/*
 * Returns a flag for each node: does its section in the draft set its processors, so that the draft describes
 * the node anew? The caller frees the array.
 */
static bool *nodes_described(const struct state *st, struct draft *draft)
{
	bool *described = mem_zero((size_t)snapshot_count(st->s, TABLE_NODES) + 1, sizeof *described);
	struct node_draft usual = read_default(draft);

	for (size_t first = 0, end; first < draft->count; first = end) {
		const struct config_value *value = &draft->item[first].value;
		struct node_draft own = usual;
		uint32_t i;

		end = section_end(draft, first);
		if (!is_node(value) || is_default(value))
			continue;
		read_section(draft, first, end, &own);
		i = state_find_node(st, value->title);
		if (own.node.procs > 0 && i != INDEX_NONE)
			described[i] = true;
	}
	return described;
}

/* Returns the kind of traits whose names are in a value; TRAIT_KIND_COUNT = none. */
static enum trait_kind names_kind(const struct config_value *value)
{
	int kind = 0;

	while (kind < TRAIT_KIND_COUNT &&
	       (value->row == NULL || !config_row_names(value->row, (enum trait_kind)kind)))
		kind++;
	return (enum trait_kind)kind;
}

/* For each kind of trait, a flag for each node: will its names of this kind be replaced? */
struct replaced {
	bool *node[TRAIT_KIND_COUNT];
};

static void replaced_clear(struct replaced *r)
{
	for (int kind = 0; kind < TRAIT_KIND_COUNT; kind++)
		free(r->node[kind]);
}

static struct replaced replaced_by(const struct state *st, struct draft *draft)
{
	struct replaced r;

	for (int kind = 0; kind < TRAIT_KIND_COUNT; kind++)
		r.node[kind] = nodes_described(st, draft);
	return r;
}

/*
 * Adds the nodes to which the old configuration gave names, including nodes reported by the resource manager
 * that the new configuration does not describe: their names are replaced, too.
 */
static void add_reported(const struct state *st, struct replaced *r)
{
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_VALUES); i++) {
		const struct config_entry *entry = &snapshot_values(st->s)[i];
		const struct option *row = &config_rows[entry->row];
		uint32_t node = row->form == FORM_NODE_WORDS
					? state_find_node(st, snapshot_string(st->s, entry->title))
					: INDEX_NONE;

		if (node != INDEX_NONE)
			r->node[row->offset][node] = true;
	}
}

/*
 * Checks that there are enough slots for the names of the whole draft: the names of each single node may fit,
 * but not those of all nodes together.
 */
static bool check_traits(const struct state *st, const struct draft *draft, const struct replaced *r,
			 struct err *err)
{
	struct str words[TRAIT_KIND_COUNT] = {{0}};
	bool good = true;

	for (size_t i = 0; i < draft->count; i++) {
		enum trait_kind kind = names_kind(&draft->item[i].value);

		if (kind != TRAIT_KIND_COUNT)
			str_addf(&words[kind], " %s", draft->item[i].value.value.text);
	}
	for (int kind = 0; kind < TRAIT_KIND_COUNT; kind++) {
		good = good && state_check_traits(st, (enum trait_kind)kind, str_text(&words[kind]),
						  r->node[kind], true, err);
		str_free(&words[kind]);
	}
	return good;
}

/*
 * Finds out which names must be replaced. Names of reported nodes are kept until the next report, unless
 * their slots are needed now. Returns false with err set if there are too few slots.
 */
static bool find_slots(const struct state *st, const struct draft *draft, struct replaced *r, struct err *err)
{
	if (check_traits(st, draft, r, NULL))
		return true;
	add_reported(st, r);
	return check_traits(st, draft, r, err);
}

/* Releases the slots of the names in the old configuration, for those in the new one. */
static void forget_traits(struct state *st, const struct replaced *r)
{
	for (int kind = 0; kind < TRAIT_KIND_COUNT; kind++)
		for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_NODES); i++)
			if (r->node[kind][i])
				state_forget_traits(st, i, (enum trait_kind)kind);
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_CREDS); i++)
		((struct cred *)state_item(st, TABLE_CREDS, i))->attr.default_features = 0;
	st->s->table[TABLE_VALUES].count = 0;
}

/* Gives slots to the names in the configuration at once, because the nodes may be reported later. */
static void intern_traits(struct state *st, const struct draft *draft)
{
	for (size_t i = 0; i < draft->count; i++) {
		enum trait_kind kind = names_kind(&draft->item[i].value);

		if (kind != TRAIT_KIND_COUNT)
			state_intern_traits(st, kind, draft->item[i].value.value.text);
	}
}

/* --- applying a draft -------------------------------------------------------------------- */

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
	intern_traits(st, draft);
	state_rebuild_policy(st);
}

bool state_set_config(struct state *st, const char *file, const char *text, struct err *err)
{
	struct draft draft = {0};
	struct replaced replaced = {{NULL}};
	bool ok = config_read(file, text, strlen(text), draft_value, &draft, err) &&
		  each_node(st, &draft, check_node, err);

	if (ok) {
		replaced = replaced_by(st, &draft);
		ok = find_slots(st, &draft, &replaced, err);
	}
	if (ok) {
		forget_traits(st, &replaced);
		each_node(st, &draft, take_node, NULL);
		take_values(st, &draft, file, text);
	}
	replaced_clear(&replaced);
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
