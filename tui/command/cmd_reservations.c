/* SPDX-License-Identifier: MIT */
/*
 * cmd_reservations.c - kahu reservations: reservations of jobs and advance reservations
 *
 * Lists the allocations of running jobs, the reservations of idle jobs, and advance reservations, by start
 * time or by node. Maui's command is showres.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd.h"
#include "sched/base/vec.h"
#include "tui/report/field.h"
#include "tui/report/job_text.h"

struct held {
	const struct job *job;         /* NULL for an advance reservation */
	const struct advance *advance; /* NULL for a job */
	int64_t begin_s, end_s;        /* end_s TIME_NEVER: no end, or an unknown one */
	int64_t nodes;                 /* -1: unknown until the job starts */
	int64_t procs;
};

struct list {
	struct held *item;
	size_t count, room;
};

static void add(struct list *list, struct held held)
{
	list->item = vec_room(list->item, &list->room, list->count + 1, sizeof *list->item);
	list->item[list->count++] = held;
}

static int64_t nodes_of(const struct snapshot *s, const struct job *job)
{
	int64_t nodes = 0;

	for (uint32_t at = job->run; at != INDEX_NONE; at = snapshot_runs(s)[at].next)
		nodes += snapshot_runs(s)[at].nodes;
	return nodes > 0 ? nodes : -1;
}

static uint64_t number_of(const struct held *held)
{
	return held->job ? held->job->id : held->advance->seq;
}

/* Compares for qsort: by begin_s, then advance reservations before jobs, then by number. */
static int by_begin(const void *a, const void *b)
{
	const struct held *x = a, *y = b;

	if (x->begin_s != y->begin_s)
		return x->begin_s < y->begin_s ? -1 : 1;
	if (!x->job != !y->job)
		return x->job ? 1 : -1;
	return (number_of(x) > number_of(y)) - (number_of(x) < number_of(y));
}

static void gather_jobs(const struct snapshot *s, struct list *list)
{
	const struct job *jobs = snapshot_jobs(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++) {
		bool runs = jobs[i].state == JOB_RUNNING;
		int64_t begin_s = runs ? jobs[i].start_s : jobs[i].planned_s;

		if (!runs && (jobs[i].state != JOB_IDLE || begin_s == TIME_NEVER))
			continue;
		add(list,
		    (struct held){.job = &jobs[i],
				  .begin_s = begin_s,
				  .end_s = runs ? job_due_end_s(&jobs[i]) : begin_s + jobs[i].wall_limit_s,
				  .nodes = nodes_of(s, &jobs[i]),
				  .procs = job_procs_counted(&jobs[i])});
	}
}

/*
 * Returns the number of processors that a run of an advance reservation reserves on a node; run->procs 0
 * means all.
 */
static uint32_t kept_on(const struct snapshot *s, const struct alloc_run *run, uint32_t node)
{
	uint32_t whole = snapshot_nodes(s)[node].procs;

	return run->procs == 0 || run->procs > whole ? whole : run->procs;
}

static void gather_advances(const struct cmd_env *env, struct list *list)
{
	const struct snapshot *s = env->s;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_ADVANCES); i++) {
		const struct advance *a = &snapshot_advances(s)[i];
		struct held held = {.advance = a, .begin_s = a->begin_s, .end_s = a->end_s};

		if (advance_is_over(a, env->now_s))
			continue;
		for (uint32_t k = 0; k < a->run_count; k++) {
			const struct alloc_run *run = &snapshot_kept_runs(s)[a->first_run + k];

			held.nodes += run->nodes;
			for (uint32_t n = run->node; n < run->node + run->nodes; n++)
				held.procs += kept_on(s, run, n);
		}
		add(list, held);
	}
}

static void gather(const struct cmd_env *env, struct list *list)
{
	gather_jobs(env->s, list);
	gather_advances(env, list);
	if (list->count > 0)
		qsort(list->item, list->count, sizeof *list->item, by_begin);
}

/* --- list of reservations ----------------------------------------------------------------------------- */

/* The object that held_fields describe. */
struct held_item {
	const struct cmd_env *env;
	const struct held *held;
	/* for the list by node: the node, and how many of its processors are reserved */
	uint32_t node, procs;
};

static const struct held *held_of(const void *item)
{
	return ((const struct held_item *)item)->held;
}

static const struct snapshot *snapshot_of(const void *item)
{
	return ((const struct held_item *)item)->env->s;
}

static int64_t now_of(const void *item)
{
	return ((const struct held_item *)item)->env->now_s;
}

static bool get_name(const void *item, struct value *out)
{
	const struct held *held = held_of(item);
	char label[JOB_LABEL_TEXT];

	str_add(&out->made, held->job ? snapshot_job_label(snapshot_of(item), held->job, label)
				      : snapshot_string(snapshot_of(item), held->advance->name));
	return value_made(out);
}

static bool get_type(const void *item, struct value *out)
{
	out->text = held_of(item)->job ? "job" : "user";
	return true;
}

static enum role cell_type(const void *item, struct str *out)
{
	str_add(out, held_of(item)->job ? "Job" : "User");
	return ROLE_TEXT;
}

/* Returns true for a running job or a reservation that has begun. */
static bool is_active(const void *item)
{
	const struct held *held = held_of(item);

	return held->job ? held->job->state == JOB_RUNNING : held->begin_s <= now_of(item);
}

static bool get_state(const void *item, struct value *out)
{
	const struct held *held = held_of(item);

	out->text = held->job         ? job_text_state(held->job, now_of(item))
		    : is_active(item) ? "Active"
				      : "Later";
	return true;
}

static enum role cell_state(const void *item, struct str *out)
{
	str_add_char(out, is_active(item) ? 'R' : 'I');
	return ROLE_TEXT;
}

static bool get_start(const void *item, struct value *out)
{
	out->whole = held_of(item)->begin_s;
	return true;
}

static bool get_end(const void *item, struct value *out)
{
	out->whole = held_of(item)->end_s;
	return out->whole != TIME_NEVER;
}

static bool get_until_start(const void *item, struct value *out)
{
	out->whole = held_of(item)->begin_s - now_of(item);
	return true;
}

static bool get_until_end(const void *item, struct value *out)
{
	out->whole = held_of(item)->end_s - now_of(item);
	return held_of(item)->end_s != TIME_NEVER;
}

static bool get_duration(const void *item, struct value *out)
{
	out->whole = held_of(item)->end_s - held_of(item)->begin_s;
	return held_of(item)->end_s != TIME_NEVER;
}

static bool get_procs(const void *item, struct value *out)
{
	out->whole = held_of(item)->procs;
	return true;
}

static bool get_nodes(const void *item, struct value *out)
{
	out->whole = held_of(item)->nodes;
	return out->whole >= 0;
}

/* Nodes and processors as "2/8"; "-/8" if the nodes are unknown. */
static enum role cell_size(const void *item, struct str *out)
{
	const struct held *held = held_of(item);

	if (held->nodes < 0)
		str_addf(out, "-/%" PRId64, held->procs);
	else
		str_addf(out, "%" PRId64 "/%" PRId64, held->nodes, held->procs);
	return ROLE_TEXT;
}

static bool get_node(const void *item, struct value *out)
{
	const struct snapshot *s = snapshot_of(item);

	out->text = snapshot_string(s, snapshot_nodes(s)[((const struct held_item *)item)->node].name);
	return true;
}

/* --- guests of an advance reservation ----------------------------------------------------------------- */

struct guest_item {
	const struct snapshot *s;
	const struct guest *guest;
};

static bool get_guest_type(const void *item, struct value *out)
{
	out->text = guest_type_name(((const struct guest_item *)item)->guest->type);
	return true;
}

static bool get_guest_job(const void *item, struct value *out)
{
	const struct guest_item *g = item;

	if (g->guest->type != GUEST_JOB)
		return false;
	job_text_id(g->s, g->guest->job, &out->made);
	return value_made(out);
}

static bool get_guest_name(const void *item, struct value *out)
{
	const struct guest_item *g = item;

	if (g->guest->type == GUEST_JOB)
		return false;
	out->text = snapshot_string(g->s, snapshot_creds(g->s)[g->guest->cred].name);
	return true;
}

static const struct field guest_fields[] = {
	{"type", NULL, FIELD_TEXT, .get = get_guest_type},
	{"job", NULL, FIELD_TEXT, .get = get_guest_job, .optional = true},
	{"name", NULL, FIELD_TEXT, .get = get_guest_name, .optional = true},
	{0},
};

static void each_guest(const void *item, field_visit *visit, void *self)
{
	const struct snapshot *s = snapshot_of(item);
	const struct advance *a = held_of(item)->advance;

	for (uint32_t i = 0; i < a->guest_count; i++)
		visit(self, &(struct guest_item){s, &snapshot_guests(s)[a->first_guest + i]});
}

static bool get_owner(const void *item, struct value *out)
{
	out->text = snapshot_string(snapshot_of(item), held_of(item)->advance->owner);
	return true;
}

static bool get_personal(const void *item, struct value *out)
{
	out->whole = held_of(item)->advance->personal != 0;
	return true;
}

static bool get_why(const void *item, struct value *out)
{
	const struct advance *a = held_of(item)->advance;

	out->text = a->reason != 0 ? snapshot_string(snapshot_of(item), a->reason) : NULL;
	return out->text != NULL;
}

static const struct field advance_fields[] = {
	{"owner", NULL, FIELD_TEXT, .get = get_owner},
	{"personal", NULL, FIELD_BOOL, .get = get_personal},
	{"why", NULL, FIELD_TEXT, .get = get_why},
	{"guests", NULL, FIELD_LIST, .each = each_guest, .of = guest_fields},
	{0},
};

static bool get_advance(const void *item, struct value *out)
{
	out->item = item;
	return held_of(item)->advance != NULL;
}

/* --- the table ---------------------------------------------------------------------------------------- */

static const struct field held_fields[] = {
	{"name", "RESERVATION", FIELD_TEXT, .get = get_name},
	{"type", "TYPE", FIELD_TEXT, .get = get_type, .cell = cell_type},
	{"state", "S", FIELD_TEXT, .get = get_state, .cell = cell_state},
	{"start", "STARTTIME", FIELD_INSTANT, .get = get_start},
	{"end", NULL, FIELD_INSTANT, .get = get_end},
	{NULL, "START", FIELD_DURATION, .get = get_until_start},
	{NULL, "END", FIELD_DURATION, .get = get_until_end},
	{NULL, "DURATION", FIELD_DURATION, .get = get_duration},
	{"procs", NULL, FIELD_COUNT, .get = get_procs},
	{"nodes", NULL, FIELD_COUNT, .get = get_nodes},
	{NULL, "N/P", FIELD_TEXT, .cell = cell_size, .align = TEXT_RIGHT},
	{NULL, "NODE", FIELD_TEXT, .get = get_node},
	{NULL, "PROCS", FIELD_COUNT, FIELD_AT(struct held_item, procs)},
	{.type = FIELD_MEMBERS, .get = get_advance, .of = advance_fields},
	{0},
};

struct document {
	const struct cmd_env *env;
	const struct list *list;
};

static bool get_now(const void *item, struct value *out)
{
	out->whole = ((const struct document *)item)->env->now_s;
	return true;
}

static void each_held(const void *item, field_visit *visit, void *self)
{
	const struct document *d = item;

	for (size_t i = 0; i < d->list->count; i++)
		visit(self, &(struct held_item){.env = d->env, .held = &d->list->item[i]});
}

static const struct field document_fields[] = {
	{"now", NULL, FIELD_INSTANT, .get = get_now},
	{"reservations", NULL, FIELD_LIST, .each = each_held, .of = held_fields},
	{0},
};

static void print_text(const struct cmd_env *env, const struct list *list)
{
	static const struct field_column columns[] = {
		{.key = "name"}, {.key = "type", .drop = 2},     {.key = "state"}, {.key = "START"},
		{.key = "END"},  {.key = "DURATION", .drop = 1}, {.key = "N/P"},   {.key = "start"},
	};
	struct field_table t;

	field_table_begin(&t, held_fields, columns, sizeof columns / sizeof columns[0]);
	t.report.width = env->width;
	for (size_t i = 0; i < list->count; i++)
		field_table_add(&t, &(struct held_item){.env = env, .held = &list->item[i]});
	field_table_print(&t, 0, env->ascii, env->out);
	field_table_free(&t);
	report_count(env->out, list->count, "reservation", "reservations");
	str_add(env->out, " located\n");
}

/* --- list by node ------------------------------------------------------------------------------------- */

static uint32_t of_run(const struct alloc_run *run, uint32_t node)
{
	return node >= run->node && node - run->node < run->nodes ? run->procs : 0;
}

/*
 * Returns the number of processors that a reservation has on a node; 0 if none, or if its nodes are not known
 * yet.
 */
static uint32_t procs_on(const struct cmd_env *env, const struct held *held, uint32_t node)
{
	const struct snapshot *s = env->s;
	uint32_t procs = 0;

	for (uint32_t at = held->job ? held->job->run : INDEX_NONE; at != INDEX_NONE;
	     at = snapshot_runs(s)[at].next)
		procs += of_run(&snapshot_runs(s)[at], node);
	for (uint32_t i = 0; held->advance && i < held->advance->run_count; i++) {
		const struct alloc_run *run = &snapshot_kept_runs(s)[held->advance->first_run + i];

		if (node >= run->node && node - run->node < run->nodes)
			procs += kept_on(s, run, node);
	}
	return procs;
}

static void print_by_node(const struct cmd_env *env, const struct list *list)
{
	static const struct field_column columns[] = {
		{.key = "NODE"},  {.key = "name"},  {.key = "type", .drop = 2},     {.key = "state"},
		{.key = "PROCS"}, {.key = "START"}, {.key = "DURATION", .drop = 1}, {.key = "start"},
	};
	struct field_table t;
	size_t count = 0;

	field_table_begin(&t, held_fields, columns, sizeof columns / sizeof columns[0]);
	t.report.width = env->width;
	for (uint32_t n = 0; n < snapshot_count(env->s, TABLE_NODES); n++)
		for (size_t i = 0; i < list->count; i++) {
			const struct held *held = &list->item[i];
			uint32_t procs = procs_on(env, held, n);

			if (procs == 0)
				continue;
			field_table_add(&t, &(struct held_item){env, held, n, procs});
			count++;
		}
	field_table_print(&t, 0, env->ascii, env->out);
	field_table_free(&t);
	report_count(env->out, count, "allocation on a node", "allocations on nodes");
	str_add(env->out, "\n");
}

static enum cmd_status run_reservations(struct cmd_env *env, int argc, char **argv)
{
	struct list list = {.count = 0};

	(void)argc;
	(void)argv;
	gather(env, &list);
	if (env->json)
		fields_document(env->out, document_fields, 0, &(struct document){env, &list});
	else if (cmd_option(env, "-n"))
		print_by_node(env, &list);
	else
		print_text(env, &list);
	free(list.item);
	return CMD_DONE;
}

const struct cmd cmd_reservations = {
	.name = "reservations",
	.alias = "showres",
	.args = "",
	.help = "Show reservations with their processors and times: running jobs, job reservations and "
		"advance reservations.",
	.options = (const struct cmd_option[]){{"-n", NULL, "list reservations by node"}, {0}},
	.flags = CMD_STORE | CMD_PAST,
	.run = run_reservations,
};
