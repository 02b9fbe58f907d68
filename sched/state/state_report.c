/* SPDX-License-Identifier: MIT */
/*
 * state_report.c - what is a node of which manager and configuration both say something?
 *
 * The manager reports hardware. What the node's own section of the configuration says has the
 * last word over it; what the section DEFAULT says holds where neither of them says
 * anything. So it does not matter which of the two came first: a configuration that is read
 * later is followed by another report (driver.h).
 */
#include <stdio.h>
#include <string.h>

#include "sched/base/arena.h"
#include "state_inside.h"

/* What is known of the node so far. Texts are owned by the arena: the snapshot's may move. */
struct report {
	const struct state *st;
	struct node_record node;
	struct arena arena;
};

/* --- what the configuration says ------------------------------------------------------------ */

static const char *join(struct arena *arena, const char *words, const char *more)
{
	size_t room = strlen(words) + strlen(more) + 2;
	char *joined = arena_take(arena, room);

	snprintf(joined, room, "%s %s", words, more);
	return joined;
}

static const char **words_of(struct node_record *node, enum trait_kind kind)
{
	return kind == TRAIT_FEATURE ? &node->features : kind == TRAIT_CLASS ? &node->classes : &node->gres;
}

/* The elements of one list add up; the first replaces what was there. */
static void take_words(struct report *r, const struct config_value *value, bool first)
{
	const char **words = words_of(&r->node, (enum trait_kind)value->row->offset);
	const char *text = arena_string(&r->arena, value->value.text);

	*words = first ? text : join(&r->arena, *words, text);
}

static void take_numbers(struct node_record *node, const struct config_value *value)
{
	struct config_node said = {.procs = node->procs,
				   .rack = node->rack,
				   .index = node->index,
				   .speed = node->speed,
				   .procspeed = node->procspeed,
				   .mem_mb = node->mem_mb,
				   .swap_mb = node->swap_mb,
				   .disk_mb = node->disk_mb,
				   .access = node->access};

	config_store(value, NULL, NULL, NULL, &said);
	node->procs = said.procs;
	node->rack = said.rack;
	node->index = said.index;
	node->speed = said.speed;
	node->procspeed = said.procspeed;
	node->mem_mb = said.mem_mb;
	node->swap_mb = said.swap_mb;
	node->disk_mb = said.disk_mb;
	node->access = said.access;
}

/* All that the configuration's section of this name says. */
static void take_section(struct report *r, const char *title)
{
	const struct snapshot *s = r->st->s;
	const struct option *before = NULL;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_VALUES); i++) {
		const struct config_entry *entry = &snapshot_values(s)[i];
		struct config_value value = {.row = &config_rows[entry->row], .title = title};

		if (strcmp(value.row->scope, "node") != 0 ||
		    strcmp(snapshot_string(s, entry->title), title) != 0 ||
		    !option_read(value.row, snapshot_string(s, entry->text), &value.value, NULL))
			continue;
		if (value.row->form == FORM_PARTITION)
			r->node.partition = arena_string(&r->arena, value.value.text);
		else if (value.row->form == FORM_NODE_WORDS)
			take_words(r, &value, value.row != before);
		else
			take_numbers(&r->node, &value);
		before = value.row;
	}
}

/* --- what the manager says -------------------------------------------------------------------- */

static const char *either(const char *said, const char *otherwise)
{
	return said != NULL && said[0] != '\0' ? said : otherwise;
}

static void take_reported(struct node_record *node, const struct node_record *said)
{
	struct node_record usual = *node;

	*node = *said;
	node->partition = either(said->partition, usual.partition);
	node->features = either(said->features, usual.features);
	node->classes = either(said->classes, usual.classes);
	node->gres = either(said->gres, usual.gres);
	if (said->procs == 0)
		node->procs = usual.procs;
	if (said->mem_mb == 0)
		node->mem_mb = usual.mem_mb;
	if (said->swap_mb == 0)
		node->swap_mb = usual.swap_mb;
	if (said->disk_mb == 0)
		node->disk_mb = usual.disk_mb;
	if (!(said->speed > 0))
		node->speed = usual.speed;
	if (!(said->procspeed > 0))
		node->procspeed = usual.procspeed;
	if (said->rack == 0)
		node->rack = usual.rack;
	if (said->index == 0)
		node->index = usual.index;
	if (said->access == ACCESS_UNSET)
		node->access = usual.access;
}

/* Release the arena when done with the node. */
static void lay_over(struct report *r, const struct state *st, const struct node_record *reported)
{
	*r = (struct report){.st = st};
	take_section(r, CRED_DEFAULT);
	take_reported(&r->node, reported);
	take_section(r, reported->name);
}

bool state_check_report(const struct state *st, const struct node_record *reported, struct err *err)
{
	struct report r;
	bool ok;

	if (reported->name == NULL)
		return state_check_node(st, reported, err);
	lay_over(&r, st, reported);
	ok = state_check_node(st, &r.node, err);
	arena_free(&r.arena);
	return ok;
}

void state_report_node(struct state *st, const struct node_record *reported)
{
	struct report r;

	lay_over(&r, st, reported);
	state_add_node(st, &r.node);
	arena_free(&r.arena);
}

/* --- is it news? -------------------------------------------------------------------------------- */

/* Do the names of a text stand for these bits, as things are? */
static bool same_traits(const struct snapshot *s, enum trait_kind kind, const char *text, uint64_t bits)
{
	const char *word;
	size_t len;
	uint64_t named = 0;

	while (text != NULL && (word = config_word(&text, &len)) != NULL) {
		char name[CONFIG_TITLE];
		int bit;

		snprintf(name, sizeof name, "%.*s", (int)len, word);
		bit = snapshot_find_trait(s, kind, name);
		if (bit < 0)
			return false;
		named |= UINT64_C(1) << bit;
	}
	return named == bits;
}

static bool same_gres(const struct snapshot *s, const char *text, const struct node *node)
{
	uint32_t named[GRES_MAX] = {0};
	const char *word;
	size_t len;

	while (text != NULL && (word = config_word(&text, &len)) != NULL) {
		char name[CONFIG_TITLE] = "";
		uint32_t count = 0;
		int bit;

		if (config_gres_read(word, len, &len, &count, NULL))
			snprintf(name, sizeof name, "%.*s", (int)len, word);
		bit = snapshot_find_trait(s, TRAIT_GRES, name);
		if (bit < 0 && count == 0)
			continue; /* none of it is what a node has of a resource without a slot */
		if (bit < 0)
			return false;
		named[bit] = count;
	}
	return memcmp(named, node->gres, sizeof named) == 0;
}

static bool same_node(const struct state *st, const struct node *node, const struct node_record *r)
{
	double speed = r->speed > 0 ? r->speed : 1;

	return node->procs == r->procs && node->mem_mb == r->mem_mb && node->swap_mb == r->swap_mb &&
	       node->disk_mb == r->disk_mb && node->rack == r->rack && node->index == r->index &&
	       node->access == r->access && !(node->speed < speed) && !(node->speed > speed) &&
	       !(node->procspeed < r->procspeed) && !(node->procspeed > r->procspeed) &&
	       node->partition == state_find_partition(st, r->partition) &&
	       same_traits(st->s, TRAIT_FEATURE, r->features, node->features) &&
	       same_traits(st->s, TRAIT_CLASS, r->classes, node->classes) && same_gres(st->s, r->gres, node);
}

bool state_report_is_news(const struct state *st, const struct node_record *reported)
{
	uint32_t i = state_find_node(st, reported->name);
	struct report r;
	bool same;

	if (i == INDEX_NONE)
		return true;
	lay_over(&r, st, reported);
	same = same_node(st, &snapshot_nodes(st->s)[i], &r.node);
	arena_free(&r.arena);
	return !same;
}
