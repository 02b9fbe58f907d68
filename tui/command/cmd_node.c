/* SPDX-License-Identifier: MIT */
/*
 * cmd_node.c - kahu node: resources of nodes, and draining them
 *
 * Prints one line for each node, like Maui's diagnose -n, or for named nodes all details, like checknode.
 * Each resource is printed with its free and its configured amount. The priority of a node is PRIORITYF
 * without the terms that depend on a job. Draining a node sets an option, so it can be undone and tried out
 * like any other setting.
 */
#include <stdlib.h>
#include <string.h>

#include "complete.h"
#include "sched/base/vec.h"
#include "sched/placement/placement.h"
#include "tui/report/node_report.h"

/* --- JSON --------------------------------------------------------------------------------------------- */

struct chosen {
	const struct node_report *v;
	const uint32_t *node;
	size_t count;
};

static void each_chosen(const void *item, field_visit *visit, void *self)
{
	const struct chosen *c = item;

	for (size_t i = 0; i < c->count; i++) {
		const struct node_item node = node_item_of(c->v, c->node[i]);

		visit(self, &node);
	}
}

static bool get_now(const void *item, struct value *out)
{
	out->whole = ((const struct chosen *)item)->v->env->now_s;
	return true;
}

static const struct field document_fields[] = {
	{"now", NULL, FIELD_INSTANT, .get = get_now},
	{"nodes", NULL, FIELD_LIST, .each = each_chosen, .of = node_fields},
	{0},
};

/* --- the verb ----------------------------------------------------------------------------------------- */

static uint32_t find_node(const struct snapshot *s, const char *name, struct err *err)
{
	uint32_t count = snapshot_count(s, TABLE_NODES), i = 0;

	while (i < count && strcmp(snapshot_string(s, snapshot_nodes(s)[i].name), name) != 0)
		i++;
	if (i < count)
		return i;
	err_set(err, "there is no node '%s'; 'kahu node' lists them", name);
	return INDEX_NONE;
}

/*
 * Returns the indices of the named nodes, or of all nodes if none is named; the caller frees them. Returns
 * NULL with err set if there is no such node.
 */
static uint32_t *choose(struct cmd_env *env, int argc, char **argv, size_t *count)
{
	uint32_t *chosen;

	*count = argc > 1 ? (size_t)argc - 1 : snapshot_count(env->s, TABLE_NODES);
	chosen = mem_zero(*count + 1, sizeof *chosen);
	for (size_t i = 0; i < *count; i++) {
		chosen[i] = argc > 1 ? find_node(env->s, argv[i + 1], &env->err) : (uint32_t)i;
		if (chosen[i] == INDEX_NONE) {
			free(chosen);
			return NULL;
		}
	}
	return chosen;
}

static void print_text(const struct node_report *v, const uint32_t *chosen, size_t count, bool all,
		       struct str *out)
{
	if (all) {
		node_print_table(v, out);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			str_add_char(out, '\n');
		node_print(v, chosen[i], out);
	}
}

static const char *const drain_words[] = {"drain", "undrain", NULL};

/* Adds an event for each named node, except those that are already drained, or undrained, as requested. */
static enum cmd_status drain(struct cmd_env *env, int argc, char **argv)
{
	bool on = strcmp(argv[0], drain_words[0]) == 0;
	struct str name = {0};
	size_t count;
	uint32_t *chosen;

	if (argc < 2) {
		err_set(&env->err, "node %s: no nodes given; usage: node %s NODE...", argv[0], argv[0]);
		return CMD_USAGE;
	}
	chosen = choose(env, argc, argv, &count);
	if (chosen == NULL)
		return CMD_REFUSED;
	for (size_t i = 0; i < count; i++) {
		const struct node *node = &snapshot_nodes(env->s)[chosen[i]];
		struct event *ev;

		if (node->drained == on)
			continue;
		str_clear(&name);
		str_addf(&name, "node[%s].drained", snapshot_string(env->s, node->name));
		ev = cmd_add_event(env, EVENT_SETTING, 0);
		ev->setting.name = cmd_own(env, str_text(&name));
		ev->setting.value = on ? "true" : "false";
	}
	str_free(&name);
	free(chosen);
	return CMD_DONE;
}

static bool is_drain(const char *word)
{
	return strcmp(word, drain_words[0]) == 0 || strcmp(word, drain_words[1]) == 0;
}

static enum cmd_status run_node(struct cmd_env *env, int argc, char **argv)
{
	struct node_report v = {.env = env, .s = env->s};
	size_t count;
	uint32_t *chosen;

	if (argc > 1 && is_drain(argv[1]))
		return drain(env, argc - 1, argv + 1);
	chosen = choose(env, argc, argv, &count);
	if (!chosen)
		return CMD_REFUSED;
	v.placement = placement_new();
	placement_begin(v.placement, env->s, env->now_s);
	if (env->json)
		fields_document(env->out, document_fields, 0, &(struct chosen){&v, chosen, count});
	else
		print_text(&v, chosen, count, argc == 1, env->out);
	placement_free(v.placement);
	free(chosen);
	return CMD_DONE;
}

static void complete_nodes(const struct snapshot *s, const char *word, struct cmd_candidates *out)
{
	for (size_t i = 0; drain_words[i] != NULL; i++)
		candidates_add(out, word, drain_words[i]);
	for (uint32_t i = 0; s && i < snapshot_count(s, TABLE_NODES); i++)
		candidates_add(out, word, snapshot_string(s, snapshot_nodes(s)[i].name));
}

const struct cmd cmd_node = {
	.name = "node",
	.alias = "checknode",
	.args = "[[drain | undrain] NODE...]",
	.help = "Show the resources of each node and how much of them is free, or all details of the named "
		"nodes. drain prevents new jobs from starting on a node; undrain allows them again.",
	.max = -1,
	.authority = CMD_ANYONE,
	.flags = CMD_STORE | CMD_PAST,
	.changes_by = drain_words,
	.run = run_node,
	.complete = complete_nodes,
};
