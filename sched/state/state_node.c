/* SPDX-License-Identifier: MIT */
/*
 * state_node.c - which nodes are there, and may a node be as it is reported?
 *
 * A report says what a node is; what is in use there stays. Its PRIORITY and PRIORITYF
 * are no part of it: they are policy, and come from the settings.
 */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "sched/base/duration.h"
#include "state_policy.h"

/* --- may it be? --------------------------------------------------------------------------- */

static bool check_amounts(const struct node_record *r, struct err *err)
{
	const int64_t amount[] = {r->mem_mb, r->swap_mb, r->disk_mb};

	for (size_t i = 0; i < sizeof amount / sizeof amount[0]; i++) {
		if (amount[i] < 0)
			return err_set(err, "node %s was reported with less than no memory or disk", r->name);
		if (amount[i] > MEMORY_MAX_MB)
			return err_set(err, "node %s was reported with %lld MB; more than %lld cannot be",
				       r->name, (long long)amount[i], (long long)MEMORY_MAX_MB);
	}
	if (!isfinite(r->speed) || r->speed < 0 || !isfinite(r->procspeed) || r->procspeed < 0)
		return err_set(err, "node %s was reported with a speed that is none", r->name);
	return r->access <= ACCESS_SINGLETASK ||
	       err_set(err, "node %s was reported with an access policy that does not exist", r->name);
}

/* How many of a generic resource a text says that a node has: the last word on it counts. */
static uint32_t gres_count(const char *text, const char *name)
{
	const char *word;
	size_t len, name_len;
	uint32_t count, found = 0;

	while (text != NULL && (word = config_word(&text, &len)) != NULL)
		if (config_gres_read(word, len, &name_len, &count, NULL) && strlen(name) == name_len &&
		    strncasecmp(word, name, name_len) == 0)
			found = count;
	return found;
}

/* Processors and counted resources that running jobs have cannot go; memory may be less than was promised. */
static bool check_busy(const struct state *st, const struct node *node, const struct node_record *r,
		       struct err *err)
{
	const struct trait *trait = snapshot_traits(st->s);

	if (r->procs < node->procs_busy)
		return err_set(err, "node %s was reported with %u processors, its running jobs use %u",
			       r->name, r->procs, node->procs_busy);

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_TRAITS); i++) {
		const char *name = snapshot_string(st->s, trait[i].name);

		if (trait[i].kind == TRAIT_GRES && gres_count(r->gres, name) < node->gres_busy[trait[i].bit])
			return err_set(err, "node %s was reported with %u of %s, its running jobs have %u",
				       r->name, gres_count(r->gres, name), name,
				       node->gres_busy[trait[i].bit]);
	}
	return true;
}

bool state_check_node_size(const struct state *st, const struct node_record *r, struct err *err)
{
	uint32_t i;

	if (r->name == NULL || r->name[0] == '\0')
		return err_set(err, "a node was reported without a name");
	if (!check_amounts(r, err))
		return false;
	i = state_find_node(st, r->name);
	return i == INDEX_NONE || check_busy(st, &snapshot_nodes(st->s)[i], r, err);
}

bool state_check_node(const struct state *st, const struct node_record *r, struct err *err)
{
	return state_check_node_size(st, r, err) &&
	       (state_check_node_traits(st, state_find_node(st, r->name), r, err) ||
		err_prefix(err, "node %s", r->name));
}

/* --- taking --------------------------------------------------------------------------------- */

/* Which resources the machine has at all. */
static unsigned has_what(const struct snapshot *s)
{
	return (s->mem_mb_total > 0 ? 1u : 0u) | (s->swap_mb_total > 0 ? 2u : 0u) |
	       (s->disk_mb_total > 0 ? 4u : 0u);
}

static uint32_t new_node(struct state *st, const char *name)
{
	uint32_t at = state_add_string(st, name), i;

	state_make_room(st, TABLE_NODES, 1);
	i = st->s->table[TABLE_NODES].count++;
	*(struct node *)state_item(st, TABLE_NODES, i) = (struct node){
		.name = at, .user = INDEX_NONE, .used = NODE_NOT_MEASURED, .active_from_s = TIME_NONE};
	state_index_node(st, i);
	return i;
}

/* The sums move by the difference: a machine of 40 000 nodes is reported in linear time. */
static void move_sums(struct snapshot *s, const struct node *node, const struct node_record *record)
{
	s->procs_total += (int64_t)record->procs - node->procs;
	s->mem_mb_total += record->mem_mb - node->mem_mb;
	s->swap_mb_total += record->swap_mb - node->swap_mb;
	s->disk_mb_total += record->disk_mb - node->disk_mb;
}

void state_forget_traits(struct state *st, uint32_t i, enum trait_kind kind)
{
	struct node *node = state_item(st, TABLE_NODES, i);

	if (kind == TRAIT_FEATURE)
		node->features = 0;
	else if (kind == TRAIT_CLASS)
		node->classes = 0;
	for (int k = 0; k < GRES_MAX && kind == TRAIT_GRES; k++)
		if (node->gres_busy[k] == 0)
			node->gres[k] = 0;
}

static void describe_node(struct state *st, uint32_t i, const struct node_record *record)
{
	uint32_t partition = state_intern_partition(st, record->partition);
	uint32_t gres[GRES_MAX];
	uint64_t features, classes;
	struct node *node;

	/* What it had may make room for what it has. */
	for (int kind = 0; kind < TRAIT_KIND_COUNT; kind++)
		state_forget_traits(st, i, (enum trait_kind)kind);
	features = state_intern_traits(st, TRAIT_FEATURE, record->features);
	classes = state_intern_traits(st, TRAIT_CLASS, record->classes);
	state_intern_gres(st, record->gres, gres);
	node = state_item(st, TABLE_NODES, i);
	move_sums(st->s, node, record);
	node->partition = partition;
	node->features = features;
	node->classes = classes;
	memcpy(node->gres, gres, sizeof gres);
	node->procs = record->procs;
	node->mem_mb = record->mem_mb;
	node->swap_mb = record->swap_mb;
	node->disk_mb = record->disk_mb;
	node->speed = record->speed > 0 ? record->speed : 1;
	node->procspeed = record->procspeed;
	node->rack = record->rack;
	node->index = record->index;
	node->access = record->access;
}

uint32_t state_add_node(struct state *st, const struct node_record *record)
{
	uint32_t i = state_find_node(st, record->name);
	bool is_new = i == INDEX_NONE;
	unsigned had = has_what(st->s);
	struct node before;

	if (is_new)
		i = new_node(st, record->name);
	before = snapshot_nodes(st->s)[i];
	describe_node(st, i, record);
	if (has_what(st->s) != had)
		state_note_particular(st);
	if (is_new)
		state_settle_node(st, i); /* settings may be waiting for it */
	if (is_new && snapshot_count(st->s, TABLE_ADVANCES) > 0)
		state_rebuild_advances(st, NULL); /* those of all nodes have one more */
	state_note_difference(st, i, is_new, &before);
	return i;
}

void state_set_load(struct state *st, uint32_t node, const struct node_used *used, const char *by)
{
	uint32_t used_by = snapshot_nodes(st->s)[node].used_by;
	struct node *n;
	bool was_measured;

	if (strcmp(snapshot_string(st->s, used_by), by != NULL ? by : "") != 0) {
		state_waste_string(st, used_by);
		used_by = state_add_string(st, by);
	}
	n = state_item(st, TABLE_NODES, node);
	was_measured = n->used.procs >= 0;
	n->used = *used;
	n->used_by = used_by;
	if ((n->used.procs >= 0) != was_measured)
		state_note_nodes_differ(st);
}
