/* SPDX-License-Identifier: MIT */
/*
 * cmd_node.c - kahu node: resources of nodes, and draining them
 *
 * One line for each node, like diagnose -n, or all details, like checknode. Amounts are free and configured.
 * The priority is PRIORITYF without the terms of a job. Draining a node is a setting, so it can be undone and
 * tried like all settings.
 */
#include <stdlib.h>
#include <string.h>

#include "complete.h"
#include "sched/base/json.h"
#include "sched/base/vec.h"
#include "sched/placement/room.h"
#include "tui/report/node_report.h"

/* --- JSON --------------------------------------------------------------------------------------------- */

static void json_amount(struct json *j, const char *name, int64_t configured, int64_t busy)
{
	json_open(j, name, '{');
	json_int(j, "free", configured - busy);
	json_int(j, "configured", configured);
	json_close(j);
}

static void json_names(struct json *j, const struct node_report *v, const char *key, enum trait_kind kind,
		       uint64_t bits)
{
	struct str names = {0};

	snapshot_trait_names(v->s, kind, bits, &names);
	json_text(j, key, names.len > 0 ? str_text(&names) : NULL);
	str_free(&names);
}

static void json_gres(struct json *j, const struct node_report *v, const struct node *node)
{
	const struct trait *trait = snapshot_traits(v->s);

	json_open(j, "gres", '[');
	for (uint32_t i = 0; i < snapshot_count(v->s, TABLE_TRAITS); i++) {
		unsigned bit = trait[i].bit;

		if (trait[i].kind != TRAIT_GRES || node->gres[bit] == 0)
			continue;
		json_open(j, NULL, '{');
		json_text(j, "name", snapshot_string(v->s, trait[i].name));
		json_int(j, "free", node->gres[bit] - node->gres_busy[bit]);
		json_int(j, "configured", node->gres[bit]);
		json_close(j);
	}
	json_close(j);
}

static void json_measured(struct json *j, const char *key, double value)
{
	if (value < 0)
		json_null(j, key);
	else
		json_real(j, key, value);
}

struct json_jobs {
	struct json *j;
	const struct snapshot *s;
};

static void json_job(void *self, const struct job *job, uint32_t procs)
{
	const struct json_jobs *to = self;
	char label[JOB_LABEL_TEXT];

	json_open(to->j, NULL, '{');
	json_text(to->j, "job", snapshot_job_label(to->s, job, label));
	json_int(to->j, "procs", procs);
	json_close(to->j);
}

static void json_node(struct json *j, const struct node_report *v, uint32_t i)
{
	const struct node *node = &snapshot_nodes(v->s)[i];
	struct json_jobs jobs = {j, v->s};

	json_open(j, NULL, '{');
	json_text(j, "node", snapshot_string(v->s, node->name));
	json_text(j, "state", node_state(node));
	json_text(j, "partition", snapshot_string(v->s, snapshot_partitions(v->s)[node->partition].name));
	json_amount(j, "procs", node->procs, node->procs_busy);
	json_amount(j, "mem_mb", node->mem_mb, node->mem_busy_mb);
	json_amount(j, "swap_mb", node->swap_mb, node->swap_busy_mb);
	json_amount(j, "disk_mb", node->disk_mb, node->disk_busy_mb);
	json_gres(j, v, node);
	json_real(j, "speed", node->speed);
	json_real(j, "procspeed", node->procspeed);
	json_names(j, v, "features", TRAIT_FEATURE, node->features);
	json_names(j, v, "classes", TRAIT_CLASS, node->classes);
	json_text(j, "access", node_access(node));
	json_measured(j, "load", node->used.load);
	json_measured(j, "procs_used", node->used.procs);
	json_real(j, "active_pct", node_active_percent(v, node));
	json_real(j, "priority", node_priority(v, i));
	json_open(j, "jobs", '[');
	node_each_job(v, i, json_job, &jobs);
	json_close(j);
	json_close(j);
}

static void print_json(const struct node_report *v, const uint32_t *chosen, size_t count, struct str *out)
{
	struct json j = {.out = out};

	json_open(&j, NULL, '{');
	json_int(&j, "now", v->env->now_s);
	json_open(&j, "nodes", '[');
	for (size_t i = 0; i < count; i++)
		json_node(&j, v, chosen[i]);
	json_close(&j);
	json_close(&j);
	str_add_char(out, '\n');
}

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

/* The named nodes, or all. NULL sets err: no such node. */
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

/* Skips nodes that have the value already. */
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
	v.room = room_new();
	room_begin(v.room, env->s, env->now_s);
	if (env->json)
		print_json(&v, chosen, count, env->out);
	else
		print_text(&v, chosen, count, argc == 1, env->out);
	room_free(v.room);
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
