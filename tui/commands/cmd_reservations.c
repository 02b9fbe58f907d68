/* SPDX-License-Identifier: MIT */
/*
 * cmd_reservations.c - who holds which part of the machine from when to when?
 *
 * Of each running job what it runs on, of each waiting job with a promised start what it is
 * promised (showres); the earliest first.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd.h"
#include "jobtext.h"
#include "report.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/base/vec.h"
#include "tui/wallclock.h"

struct held {
	const struct job *job;
	int64_t begin_s, end_s;
	int64_t nodes; /* -1: they are not named before it starts */
};

struct list {
	struct held *item;
	size_t count, room;
};

static int64_t nodes_of(const struct snapshot *s, const struct job *job)
{
	int64_t nodes = 0;

	for (uint32_t at = job->run; at != INDEX_NONE; at = snapshot_runs(s)[at].next)
		nodes += snapshot_runs(s)[at].nodes;
	return nodes > 0 ? nodes : -1;
}

static int by_begin(const void *a, const void *b)
{
	const struct held *x = a, *y = b;

	if (x->begin_s != y->begin_s)
		return x->begin_s < y->begin_s ? -1 : 1;
	return (x->job->id > y->job->id) - (x->job->id < y->job->id);
}

static void gather(const struct snapshot *s, struct list *list)
{
	const struct job *jobs = snapshot_jobs(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++) {
		bool runs = jobs[i].state == JOB_RUNNING;
		int64_t begin_s = runs ? jobs[i].start_s : jobs[i].planned_s;

		if (!runs && (jobs[i].state != JOB_IDLE || begin_s == TIME_NEVER))
			continue;
		list->item = vec_room(list->item, &list->room, list->count + 1, sizeof *list->item);
		list->item[list->count++] = (struct held){.job = &jobs[i],
							  .begin_s = begin_s,
							  .end_s = begin_s + jobs[i].wall_limit_s,
							  .nodes = nodes_of(s, &jobs[i])};
	}
	if (list->count > 0)
		qsort(list->item, list->count, sizeof *list->item, by_begin);
}

static void print_json(const struct cmd_env *env, const struct list *list)
{
	struct json j = {.out = env->out};
	char label[JOB_LABEL_TEXT];

	json_open(&j, NULL, '{');
	json_int(&j, "now", env->now_s);
	json_open(&j, "reservations", '[');
	for (size_t i = 0; i < list->count; i++) {
		const struct held *held = &list->item[i];

		json_open(&j, NULL, '{');
		json_text(&j, "name", snapshot_job_label(env->s, held->job, label));
		json_text(&j, "type", "job");
		json_text(&j, "state", jobtext_state(held->job, env->now_s));
		json_int(&j, "start", held->begin_s);
		json_int(&j, "end", held->end_s);
		json_int(&j, "procs", job_procs_counted(held->job));
		json_int_or_null(&j, "nodes", held->nodes, -1);
		json_close(&j);
	}
	json_close(&j);
	json_close(&j);
	str_add_char(env->out, '\n');
}

static void row(struct report *r, const struct cmd_env *env, const struct held *held)
{
	char label[JOB_LABEL_TEXT], from[DURATION_TEXT], to[DURATION_TEXT], lasts[DURATION_TEXT],
		when[MOMENT_TEXT];

	report_cell(r, snapshot_job_label(env->s, held->job, label));
	report_cell(r, "Job");
	report_cell(r, held->job->state == JOB_RUNNING ? "R" : "I");
	report_cell(r, duration_text(from, held->begin_s - env->now_s));
	report_cell(r, duration_text(to, held->end_s - env->now_s));
	report_cell(r, duration_text(lasts, held->end_s - held->begin_s));
	if (held->nodes < 0)
		report_cellf(r, "-/%" PRId64, job_procs_counted(held->job));
	else
		report_cellf(r, "%" PRId64 "/%" PRId64, held->nodes, job_procs_counted(held->job));
	report_cell(r, moment_long(when, wallclock(held->begin_s)));
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

static enum cmd_status run_reservations(struct cmd_env *env, int argc, char **argv)
{
	struct list list = {.count = 0};

	(void)argc;
	(void)argv;
	gather(env->s, &list);
	if (env->json)
		print_json(env, &list);
	else
		print_text(env, &list);
	free(list.item);
	return CMD_DONE;
}

const struct cmd cmd_reservations = {
	.name = "reservations",
	.alias = "showres",
	.args = "",
	.help = "Who holds how much from when to when: running jobs, and those promised a start.",
	.flags = CMD_STORE,
	.run = run_reservations,
};
