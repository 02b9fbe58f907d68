/* SPDX-License-Identifier: MIT */
/*
 * cmd_node.c - what do the nodes offer, and what is left of it?
 *
 * One line a node, as diagnose -n, or all about one of them, as checknode: amounts are free of
 * configured. The priority is the node's PRIORITYF for no job in particular.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "complete.h"
#include "report.h"
#include "sched/base/json.h"
#include "sched/base/vec.h"
#include "sched/core/room.h"

struct view {
	const struct cmd_env *env;
	const struct snapshot *s;
	struct room *room;
};

/* --- one node ------------------------------------------------------------------------------- */

/* "Idle", "Running": something is free; "Busy": nothing is. */
static const char *state_of(const struct node *node)
{
	if (node->jobs == 0)
		return "Idle";
	return node_procs_free(node) > 0 && node->held_whole == 0 ? "Running" : "Busy";
}

static const char *access_name(const struct node *node)
{
	static const char *const names[] = {
		[ACCESS_UNSET] = NULL,
		[ACCESS_SHARED] = "SHARED",
		[ACCESS_SINGLEUSER] = "SINGLEUSER",
		[ACCESS_SINGLEJOB] = "SINGLEJOB",
		[ACCESS_SINGLETASK] = "SINGLETASK",
	};

	return names[node->access];
}

/* Percent of the time since statistics began in which it had jobs. */
static double active_percent(const struct view *v, const struct node *node)
{
	int64_t now_s = v->env->now_s, all_s = now_s - v->s->stats_since_s, active_s = node->active_s;

	if (node->active_from_s != TIME_NONE)
		active_s += now_s - node->active_from_s;
	return all_s > 0 ? 100 * (double)active_s / (double)all_s : 0;
}

/* Calls each for every job on the node, with its processors there. */
static void each_job(const struct view *v, uint32_t node,
		     void (*each)(void *self, const struct job *job, uint32_t procs), void *self)
{
	const struct alloc_run *runs = snapshot_runs(v->s);

	for (uint32_t i = 0; i < snapshot_count(v->s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(v->s)[snapshot_running(v->s)[i]];

		for (uint32_t at = job->run; at != INDEX_NONE; at = runs[at].next)
			if (node >= runs[at].node && node < runs[at].node + runs[at].nodes)
				each(self, job, runs[at].procs);
	}
}

static void free_gres(const struct node *node, uint32_t out[static GRES_MAX])
{
	for (int i = 0; i < GRES_MAX; i++)
		out[i] = node->gres[i] - node->gres_busy[i];
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void json_amount(struct json *j, const char *name, int64_t configured, int64_t busy)
{
	json_open(j, name, '{');
	json_int(j, "free", configured - busy);
	json_int(j, "configured", configured);
	json_close(j);
}

static void json_names(struct json *j, const struct view *v, const char *key, enum trait_kind kind,
		       uint64_t bits)
{
	struct str names = {0};

	snapshot_trait_names(v->s, kind, bits, &names);
	json_text(j, key, names.len > 0 ? str_text(&names) : NULL);
	str_free(&names);
}

static void json_gres(struct json *j, const struct view *v, const struct node *node)
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

static void json_node(struct json *j, const struct view *v, uint32_t i)
{
	const struct node *node = &snapshot_nodes(v->s)[i];
	struct json_jobs jobs = {j, v->s};

	json_open(j, NULL, '{');
	json_text(j, "node", snapshot_string(v->s, node->name));
	json_text(j, "state", state_of(node));
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
	json_text(j, "access", access_name(node));
	json_measured(j, "load", node->used.load);
	json_measured(j, "procs_used", node->used.procs);
	json_real(j, "active_pct", active_percent(v, node));
	json_real(j, "priority", room_node_priority(v->room, i, INDEX_NONE));
	json_open(j, "jobs", '[');
	each_job(v, i, json_job, &jobs);
	json_close(j);
	json_close(j);
}

static void print_json(const struct view *v, const uint32_t *chosen, size_t count, struct str *out)
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

/* --- the table ------------------------------------------------------------------------------------ */

/* "6:8"; nothing where nobody said how much there is. */
static void amount_cell(struct report *r, int64_t configured, int64_t busy)
{
	if (configured == 0)
		report_cell(r, "-");
	else
		report_cellf(r, "%" PRId64 ":%" PRId64, configured - busy, configured);
}

static void load_cell(struct report *r, const struct node *node)
{
	if (node->used.load < 0)
		report_cell(r, "-");
	else
		report_cellf(r, "%.2f", node->used.load);
}

static void names_cell(struct report *r, const struct view *v, enum trait_kind kind, uint64_t bits,
		       const char *none)
{
	struct str names = {0};

	snapshot_trait_names(v->s, kind, bits, &names);
	report_cell(r, names.len > 0 ? str_text(&names) : none);
	str_free(&names);
}

/* "1:2 gpu": free of configured. */
static void gres_cell(struct report *r, const struct view *v, const struct node *node)
{
	const struct trait *trait = snapshot_traits(v->s);
	struct str text = {0};

	for (uint32_t i = 0; i < snapshot_count(v->s, TABLE_TRAITS); i++)
		if (trait[i].kind == TRAIT_GRES && node->gres[trait[i].bit] > 0)
			str_addf(&text, "%s%" PRIu32 ":%" PRIu32 " %s", text.len > 0 ? ", " : "",
				 node->gres[trait[i].bit] - node->gres_busy[trait[i].bit],
				 node->gres[trait[i].bit], snapshot_string(v->s, trait[i].name));
	report_cell(r, text.len > 0 ? str_text(&text) : "-");
	str_free(&text);
}

static void table_row(struct report *r, const struct view *v, uint32_t i)
{
	const struct node *node = &snapshot_nodes(v->s)[i];

	report_cell(r, snapshot_string(v->s, node->name));
	report_cell(r, state_of(node));
	amount_cell(r, node->procs, node->procs_busy);
	amount_cell(r, node->mem_mb, node->mem_busy_mb);
	amount_cell(r, node->disk_mb, node->disk_busy_mb);
	amount_cell(r, node->swap_mb, node->swap_busy_mb);
	report_cellf(r, "%.2f", node->speed);
	report_cell(r, snapshot_string(v->s, snapshot_partitions(v->s)[node->partition].name));
	load_cell(r, node);
	report_cellf(r, "%" PRIu32, node->jobs);
	report_cellf(r, "%.2f", room_node_priority(v->room, i, INDEX_NONE));
	gres_cell(r, v, node);
	names_cell(r, v, TRAIT_CLASS, node->classes, "any");
	names_cell(r, v, TRAIT_FEATURE, node->features, "-");
}

struct sums {
	int64_t procs, procs_busy, mem, mem_busy, disk, disk_busy, swap, swap_busy;
	uint32_t active;
};

static void add_sums(struct sums *sums, const struct node *node)
{
	sums->procs += node->procs;
	sums->procs_busy += node->procs_busy;
	sums->mem += node->mem_mb;
	sums->mem_busy += node->mem_busy_mb;
	sums->disk += node->disk_mb;
	sums->disk_busy += node->disk_busy_mb;
	sums->swap += node->swap_mb;
	sums->swap_busy += node->swap_busy_mb;
	sums->active += node->jobs > 0;
}

static void sums_row(struct report *r, const struct sums *sums)
{
	report_cell(r, "-----");
	report_cell(r, "---");
	amount_cell(r, sums->procs, sums->procs_busy);
	amount_cell(r, sums->mem, sums->mem_busy);
	amount_cell(r, sums->disk, sums->disk_busy);
	amount_cell(r, sums->swap, sums->swap_busy);
	while (r->cells % r->columns != 0)
		report_cell(r, "");
}

static void print_table(const struct view *v, struct str *out)
{
	static const struct report_column columns[] = {
		{"NODE", TEXT_LEFT},    {"STATE", TEXT_LEFT},     {"PROCS", TEXT_RIGHT},
		{"MEMORY", TEXT_RIGHT}, {"DISK", TEXT_RIGHT},     {"SWAP", TEXT_RIGHT},
		{"SPEED", TEXT_RIGHT},  {"PAR", TEXT_LEFT},       {"LOAD", TEXT_RIGHT},
		{"JOBS", TEXT_RIGHT},   {"PRIORITY", TEXT_RIGHT}, {"GRES", TEXT_LEFT},
		{"CLASSES", TEXT_LEFT}, {"FEATURES", TEXT_LEFT},
	};
	static const unsigned char spare[] = {0, 0, 0, 0, 6, 7, 5, 9, 0, 0, 4, 1, 8, 2};
	struct report r = {.column = columns,
			   .columns = sizeof columns / sizeof columns[0],
			   .width = v->env->width,
			   .spare = spare};
	uint32_t count = snapshot_count(v->s, TABLE_NODES);
	struct sums sums = {0};

	for (uint32_t i = 0; i < count; i++) {
		table_row(&r, v, i);
		add_sums(&sums, &snapshot_nodes(v->s)[i]);
	}
	sums_row(&r, &sums);
	report_print(&r, 0, v->env->ascii, out);
	report_free(&r);
	str_addf(out, "Total Nodes: %" PRIu32 "  (Active: %" PRIu32 "  Idle: %" PRIu32 ")\n", count,
		 sums.active, count - sums.active);
}

/* --- all about one ----------------------------------------------------------------------------------- */

/* "PROCS: 4  MEM: 2048M  SWAP: 4096M  DISK: 4000M", what is 0 left out. */
static void resources_row(struct report *r, const char *what, int64_t procs, int64_t mem, int64_t swap,
			  int64_t disk)
{
	struct str text = {0};

	str_addf(&text, "PROCS: %" PRId64, procs);
	if (mem > 0)
		str_addf(&text, "  MEM: %" PRId64 "M", mem);
	if (swap > 0)
		str_addf(&text, "  SWAP: %" PRId64 "M", swap);
	if (disk > 0)
		str_addf(&text, "  DISK: %" PRId64 "M", disk);
	report_pair(r, what, "%s", str_text(&text));
	str_free(&text);
}

static void amounts_rows(struct report *r, const struct view *v, const struct node *node)
{
	uint32_t left[GRES_MAX];
	struct str gres = {0};

	resources_row(r, "configured", node->procs, node->mem_mb, node->swap_mb, node->disk_mb);
	resources_row(r, "dedicated", node->procs_busy, node->mem_busy_mb, node->swap_busy_mb,
		      node->disk_busy_mb);
	if (node->used.procs >= 0)
		report_pair(r, "used", "PROCS: %.2f  MEM: %" PRId64 "M", node->used.procs,
			    node->used.mem_mb > 0 ? node->used.mem_mb : 0);
	snapshot_gres_names(v->s, node->gres, &gres);
	if (gres.len > 0) {
		report_pair(r, "generic", "%s", str_text(&gres));
		str_clear(&gres);
		free_gres(node, left);
		snapshot_gres_names(v->s, left, &gres);
		report_pair(r, "generic free", "%s", gres.len > 0 ? str_text(&gres) : "none");
	}
	str_free(&gres);
}

static void place_rows(struct report *r, const struct view *v, const struct node *node)
{
	report_pair(r, "partition", "%s",
		    snapshot_string(v->s, snapshot_partitions(v->s)[node->partition].name));
	report_pair(r, "speed", "%.2f", node->speed);
	if (node->procspeed > 0)
		report_pair(r, "procspeed", "%g", node->procspeed);
	if (node->used.load >= 0)
		report_pair(r, "load", "%.3f", node->used.load);
	if (access_name(node))
		report_pair(r, "access", "%s", access_name(node));
	if (node->rack > 0 || node->index > 0)
		report_pair(r, "place", "rack %" PRIu32 ", index %" PRIu32, node->rack, node->index);
	report_cell(r, "features");
	names_cell(r, v, TRAIT_FEATURE, node->features, "none");
	report_cell(r, "classes");
	names_cell(r, v, TRAIT_CLASS, node->classes, "any");
}

struct job_list {
	const struct snapshot *s;
	struct str *out;
};

static void list_job(void *self, const struct job *job, uint32_t procs)
{
	const struct job_list *list = self;
	char label[JOB_LABEL_TEXT];

	str_addf(list->out, "%s%s*%" PRIu32, list->out->len > 0 ? " " : "",
		 snapshot_job_label(list->s, job, label), procs);
}

static void print_node(const struct view *v, uint32_t i, struct str *out)
{
	static const struct report_column columns[] = {{"", TEXT_LEFT}, {"", TEXT_LEFT}};
	struct report r = {.column = columns, .columns = 2, .no_titles = true};
	const struct node *node = &snapshot_nodes(v->s)[i];
	uint32_t function = node->priorityf ? node->priorityf : v->s->priorityf;
	struct str jobs = {0};
	struct job_list list = {v->s, &jobs};

	report_pair(&r, "node", "%s", snapshot_string(v->s, node->name));
	report_pair(&r, "state", "%s", state_of(node));
	amounts_rows(&r, v, node);
	place_rows(&r, v, node);
	report_pair(&r, "active", "%.2f%% of the time", active_percent(v, node));
	report_pair(&r, "priority", "%.2f%s%s", room_node_priority(v->room, i, INDEX_NONE),
		    function ? " = " : "", snapshot_string(v->s, function));
	each_job(v, i, list_job, &list);
	report_pair(&r, "jobs", "%s", jobs.len > 0 ? str_text(&jobs) : "none");
	report_print(&r, 0, v->env->ascii, out);
	report_free(&r);
	str_free(&jobs);
}

/* --- the verb ------------------------------------------------------------------------------------------ */

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

/* The nodes named, or all; NULL with a sentence when one does not exist. */
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

static void print_text(const struct view *v, const uint32_t *chosen, size_t count, bool all, struct str *out)
{
	if (all) {
		print_table(v, out);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			str_add_char(out, '\n');
		print_node(v, chosen[i], out);
	}
}

static enum cmd_status run_node(struct cmd_env *env, int argc, char **argv)
{
	struct view v = {.env = env, .s = env->s};
	size_t count;
	uint32_t *chosen = choose(env, argc, argv, &count);

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
	for (uint32_t i = 0; s && i < snapshot_count(s, TABLE_NODES); i++)
		candidates_add(out, word, snapshot_string(s, snapshot_nodes(s)[i].name));
}

const struct cmd cmd_node = {
	.name = "node",
	.alias = "checknode",
	.args = "[NODE...]",
	.help = "What each node offers and what is left of it, or everything about some.",
	.max = -1,
	.flags = CMD_STORE,
	.run = run_node,
	.complete = complete_nodes,
};
