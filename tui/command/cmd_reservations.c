/* SPDX-License-Identifier: MIT */
/*
 * cmd_reservations.c - kahu reservations: reservations of jobs and advance reservations
 *
 * The allocations of running jobs, the reservations of idle jobs and advance reservations (showres), in order
 * of begin or by node.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/base/vec.h"
#include "sched/rm/wallclock.h"
#include "tui/report/job_text.h"
#include "tui/report/report.h"

struct held {
	const struct job *job;         /* NULL: an advance reservation */
	const struct advance *advance; /* NULL: a job                  */
	int64_t begin_s, end_s;        /* TIME_NEVER: until released   */
	int64_t nodes;                 /* -1: not known before the start */
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

/* In order of begin; advance reservations first. */
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

/* Processors of a node that are reserved. */
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

static const char *name_of(const struct cmd_env *env, const struct held *held,
			   char label[static JOB_LABEL_TEXT])
{
	return held->job ? snapshot_job_label(env->s, held->job, label)
			 : snapshot_string(env->s, held->advance->name);
}

/* True for a running job or a reservation that has begun. */
static bool is_active(const struct cmd_env *env, const struct held *held)
{
	return held->job ? held->job->state == JOB_RUNNING : held->begin_s <= env->now_s;
}

static void print_guests(struct json *j, const struct cmd_env *env, const struct advance *a)
{
	json_open(j, "guests", '[');
	for (uint32_t i = 0; i < a->guest_count; i++) {
		const struct guest *guest = &snapshot_guests(env->s)[a->first_guest + i];

		json_open(j, NULL, '{');
		json_text(j, "type", guest_type_name(guest->type));
		if (guest->type == GUEST_JOB)
			job_text_json_id(j, "job", env->s, guest->job);
		else
			json_text(j, "name",
				  snapshot_string(env->s, snapshot_creds(env->s)[guest->cred].name));
		json_close(j);
	}
	json_close(j);
}

static void print_advance(struct json *j, const struct cmd_env *env, const struct advance *a)
{
	json_text(j, "owner", snapshot_string(env->s, a->owner));
	json_bool(j, "personal", a->personal != 0);
	json_text(j, "why", a->reason != 0 ? snapshot_string(env->s, a->reason) : NULL);
	print_guests(j, env, a);
}

static void print_held(struct json *j, const struct cmd_env *env, const struct held *held)
{
	char label[JOB_LABEL_TEXT];

	json_open(j, NULL, '{');
	json_text(j, "name", name_of(env, held, label));
	json_text(j, "type", held->job ? "job" : "user");
	json_text(j, "state",
		  held->job ? job_text_state(held->job, env->now_s)
			    : (is_active(env, held) ? "Active" : "Later"));
	json_int(j, "start", held->begin_s);
	json_int_or_null(j, "end", held->end_s, TIME_NEVER);
	json_int(j, "procs", held->procs);
	json_int_or_null(j, "nodes", held->nodes, -1);
	if (held->advance)
		print_advance(j, env, held->advance);
	json_close(j);
}

static void print_json(const struct cmd_env *env, const struct list *list)
{
	struct json j = {.out = env->out};

	json_open(&j, NULL, '{');
	json_int(&j, "now", env->now_s);
	json_open(&j, "reservations", '[');
	for (size_t i = 0; i < list->count; i++)
		print_held(&j, env, &list->item[i]);
	json_close(&j);
	json_close(&j);
	str_add_char(env->out, '\n');
}

/* Cells of name, type, state and times. */
static void begin_row(struct report *r, const struct cmd_env *env, const struct held *held)
{
	char label[JOB_LABEL_TEXT];

	report_cell(r, name_of(env, held, label));
	report_cell(r, held->job ? "Job" : "User");
	report_cell(r, is_active(env, held) ? "R" : "I");
}

static void time_cells(struct report *r, const struct cmd_env *env, const struct held *held, bool with_end)
{
	char from[DURATION_TEXT], to[DURATION_TEXT], lasts[DURATION_TEXT];
	bool ends = held->end_s != TIME_NEVER;

	report_cell(r, duration_text(from, held->begin_s - env->now_s));
	if (with_end)
		report_cell(r, ends ? duration_text(to, held->end_s - env->now_s) : "-");
	report_cell(r, ends ? duration_text(lasts, held->end_s - held->begin_s) : "-");
}

static void row(struct report *r, const struct cmd_env *env, const struct held *held)
{
	char when[MOMENT_TEXT];

	begin_row(r, env, held);
	time_cells(r, env, held, true);
	if (held->nodes < 0)
		report_cellf(r, "-/%" PRId64, held->procs);
	else
		report_cellf(r, "%" PRId64 "/%" PRId64, held->nodes, held->procs);
	report_cell(r, wallclock_long(when, held->begin_s));
}

static void print_text(const struct cmd_env *env, const struct list *list)
{
	static const struct report_column columns[] = {
		{"RESERVATION", TEXT_LEFT}, {"TYPE", TEXT_LEFT},      {"S", TEXT_LEFT},
		{"START", TEXT_RIGHT},      {"END", TEXT_RIGHT},      {"DURATION", TEXT_RIGHT},
		{"N/P", TEXT_RIGHT},        {"STARTTIME", TEXT_LEFT},
	};
	static const unsigned char spare[] = {0, 2, 0, 0, 0, 1, 0, 0};
	struct report r = {.column = columns, .columns = 8, .width = env->width, .spare = spare};

	for (size_t i = 0; i < list->count; i++)
		row(&r, env, &list->item[i]);
	report_print(&r, 0, env->ascii, env->out);
	report_free(&r);
	report_count(env->out, list->count, "reservation", "reservations");
	str_add(env->out, " located\n");
}

/* --- list by node ------------------------------------------------------------------------------------- */

static uint32_t of_run(const struct alloc_run *run, uint32_t node)
{
	return node >= run->node && node - run->node < run->nodes ? run->procs : 0;
}

/* Processors of a node that it holds; 0 = none, or its nodes are not known. */
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

static void node_row(struct report *r, const struct cmd_env *env, const struct held *held, uint32_t node,
		     uint32_t procs)
{
	char when[MOMENT_TEXT];

	report_cell(r, snapshot_string(env->s, snapshot_nodes(env->s)[node].name));
	begin_row(r, env, held);
	report_cellf(r, "%" PRIu32, procs);
	time_cells(r, env, held, false);
	report_cell(r, wallclock_long(when, held->begin_s));
}

static void print_by_node(const struct cmd_env *env, const struct list *list)
{
	static const struct report_column columns[] = {
		{"NODE", TEXT_LEFT},      {"RESERVATION", TEXT_LEFT}, {"TYPE", TEXT_LEFT},
		{"S", TEXT_LEFT},         {"PROCS", TEXT_RIGHT},      {"START", TEXT_RIGHT},
		{"DURATION", TEXT_RIGHT}, {"STARTTIME", TEXT_LEFT},
	};
	static const unsigned char spare[] = {0, 0, 2, 0, 0, 0, 1, 0};
	struct report r = {.column = columns, .columns = 8, .width = env->width, .spare = spare};
	size_t count = 0;

	for (uint32_t n = 0; n < snapshot_count(env->s, TABLE_NODES); n++)
		for (size_t i = 0; i < list->count; i++) {
			uint32_t procs = procs_on(env, &list->item[i], n);

			if (procs == 0)
				continue;
			node_row(&r, env, &list->item[i], n, procs);
			count++;
		}
	report_print(&r, 0, env->ascii, env->out);
	report_free(&r);
	report_count(env->out, count, "part of a node", "parts of nodes");
	str_add(env->out, " held\n");
}

static enum cmd_status run_reservations(struct cmd_env *env, int argc, char **argv)
{
	struct list list = {.count = 0};

	(void)argc;
	(void)argv;
	gather(env, &list);
	if (env->json)
		print_json(env, &list);
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
	.options = (const struct cmd_option[]){{"-n", NULL, "list nodes separately"}, {0}},
	.flags = CMD_STORE | CMD_PAST,
	.run = run_reservations,
};
