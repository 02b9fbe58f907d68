/* SPDX-License-Identifier: MIT */
/*
 * lint_machine.c - what is set that the nodes there are cannot do?
 *
 * Rules L2 to L5 and L10. A cluster whose nodes are not known yet is not judged.
 */
#include <inttypes.h>
#include <string.h>

#include "lint_inside.h"

/* --- partitions and classes ----------------------------------------------------------------- */

static bool has_nodes(const struct snapshot *s, const char *partition)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++) {
		uint32_t of = snapshot_nodes(s)[i].partition;

		if (str_same_word(snapshot_string(s, snapshot_partitions(s)[of].name), partition))
			return true;
	}
	return false;
}

static void empty_partition(const struct lint_view *v, const struct config_value *value)
{
	if (strcmp(value->row->scope, "partition") != 0 || has_nodes(v->s, value->title))
		return;
	lint_found(v, "L2", value,
		   "no node is in partition %s, so its weights rank no job; node NAME { partition = %s } "
		   "puts one there",
		   value->title, value->title);
}

static bool is_taken(const struct snapshot *s, const char *class_name)
{
	int bit = snapshot_find_trait(s, TRAIT_CLASS, class_name);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++) {
		uint64_t classes = snapshot_nodes(s)[i].classes;

		if (classes == 0 || (bit >= 0 && (classes >> bit & 1) != 0))
			return true;
	}
	return false;
}

static bool has_features(const struct snapshot *s, uint64_t features)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++)
		if ((snapshot_nodes(s)[i].features & features) == features)
			return true;
	return false;
}

static void lost_class(const struct lint_view *v, const struct config_value *value)
{
	uint32_t cred;

	if (strcmp(value->row->scope, "class") != 0 || strcmp(value->title, CRED_DEFAULT) == 0)
		return;
	if (!is_taken(v->s, value->title))
		lint_found(v, "L3", value,
			   "no node takes class %s, so its jobs never start; add it to the classes of some "
			   "nodes",
			   value->title);
	cred = snapshot_find_cred(v->s, CRED_CLASS, value->title);
	if (cred != INDEX_NONE && !has_features(v->s, snapshot_creds(v->s)[cred].attr.default_features))
		lint_found(v, "L4", value,
			   "no node has all the default.features of class %s, so its jobs never start; add "
			   "them to "
			   "the features of some nodes",
			   value->title);
}

/* --- limits --------------------------------------------------------------------------------- */

/* How much of a kind there is in all; 0 = that is not bounded. */
static int64_t whole_machine(const struct snapshot *s, enum limit_kind kind)
{
	switch (kind) {
	case LIMIT_JOB: /* a running job has a processor at least */
	case LIMIT_PROC:
	case LIMIT_PE:
		return s->procs_total;
	case LIMIT_NODE:
		return snapshot_count(s, TABLE_NODES);
	case LIMIT_MEM:
		return s->mem_mb_total;
	default:
		return 0;
	}
}

static void above_the_machine(const struct lint_view *v, const struct config_value *value)
{
	struct config_limit limit;
	struct config_finding *found;
	struct str name = {0};
	int64_t most;

	if (value->row->form != FORM_LIMIT ||
	    !config_limit_read(value->row, value->second, value->second_len, value->value.text, &limit,
			       NULL) ||
	    limit.scope != LIMIT_ACTIVE || limit.soft == LIMIT_UNLIMITED)
		return;
	most = whole_machine(v->s, limit.kind);
	if (most <= 0 || limit.soft <= most)
		return;
	config_print_name(value, &name);
	found = lint_found(v, "L5", value, "%s is never reached: the whole machine has %" PRId64,
			   str_text(&name), most);
	lint_say_fix(found, str_text(&name), "%" PRId64, most);
	str_free(&name);
}

/* --- nodes ---------------------------------------------------------------------------------- */

static void all_drained(const struct lint_view *v)
{
	uint32_t nodes = snapshot_count(v->s, TABLE_NODES);
	struct config_finding *found;
	struct str name = {0};

	for (uint32_t i = 0; i < nodes; i++)
		if (!snapshot_nodes(v->s)[i].drained)
			return;
	str_addf(&name, "node[%s].drained", snapshot_string(v->s, snapshot_nodes(v->s)[0].name));
	found = lint_found(v, "L10", NULL,
			   "nothing can start: all %" PRIu32 " nodes are drained; undrain some", nodes);
	found->count = nodes;
	lint_say_fix(found, str_text(&name), "false");
	str_free(&name);
}

void lint_machine(const struct lint_view *v)
{
	if (snapshot_count(v->s, TABLE_NODES) == 0)
		return;
	for (size_t i = 0; i < v->values->count; i++) {
		const struct config_value *value = &v->values->item[i].value;

		if (lint_begins_section(v, i)) {
			empty_partition(v, value);
			lost_class(v, value);
		}
		above_the_machine(v, value);
	}
	all_drained(v);
}
