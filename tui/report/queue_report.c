/* SPDX-License-Identifier: MIT */
/*
 * queue_report.c - reports of the queue
 *
 * The plan orders those that run and those that wait; blocked jobs have no rank, so they stand by number.
 */
#include "queue_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ended.h"
#include "job_text.h"
#include "report.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/model/array.h"
#include "sched/policy/priority.h"
#include "sched/rm/wallclock.h"

/* --- array tasks that share a line -------------------------------------------------------------------- */

#define NONE 0 /* leads nobody */

#define HIDDEN UINT32_MAX /* on the line of another */

void fold_clear(struct fold *f)
{
	f->lines = f->tasks = 0;
}

void fold_free(struct fold *f)
{
	free(f->line);
	free(f->task);
	free(f->leads);
	*f = (struct fold){.line = NULL};
}

static int compare_tasks(const void *a, const void *b)
{
	const struct fold_task *x = a, *y = b;

	if (x->array != y->array)
		return x->array < y->array ? -1 : 1;
	if (x->holds != y->holds)
		return x->holds < y->holds ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* The waiting tasks of the list, those of an array together; returns where they begin. */
static size_t find_tasks(struct fold *f, const struct snapshot *s, const uint32_t *slot, size_t count,
			 fold_open *is_open, const void *self)
{
	size_t before = f->tasks;

	for (size_t i = 0; i < count && s->of_arrays > 0; i++) {
		const struct job *job = &snapshot_jobs(s)[slot[i]];

		if (job->array == 0 || job->state != JOB_IDLE ||
		    (is_open != NULL && is_open(self, job->array)))
			continue;
		f->task = vec_room(f->task, &f->task_room, f->tasks + 1, sizeof *f->task);
		f->task[f->tasks++] = (struct fold_task){.array = job->array,
							 .number = job->array_index,
							 .holds = job->holds,
							 .slot = slot[i],
							 .at = (uint32_t)i};
	}
	if (f->tasks > before)
		qsort(f->task + before, f->tasks - before, sizeof *f->task, compare_tasks);
	return before;
}

static size_t end_of_array(const struct fold *f, size_t first)
{
	size_t end = first;

	while (end < f->tasks && f->task[end].array == f->task[first].array &&
	       f->task[end].holds == f->task[first].holds)
		end++;
	return end;
}

/* Of the tasks from first to end the one that comes first in the list leads the others. */
static void lead(struct fold *f, size_t first, size_t end)
{
	uint32_t leader = f->task[first].at;

	for (size_t i = first; i < end; i++) {
		f->leads[f->task[i].at] = HIDDEN;
		if (f->task[i].at < leader)
			leader = f->task[i].at;
	}
	f->leads[leader] = (uint32_t)first + 1;
}

void fold_list(struct fold *f, const struct snapshot *s, const uint32_t *slot, size_t count,
	       fold_open *is_open, const void *self)
{
	size_t before = find_tasks(f, s, slot, count, is_open, self);

	f->leads = vec_room(f->leads, &f->leads_room, count + 1, sizeof *f->leads);
	memset(f->leads, NONE, (count + 1) * sizeof *f->leads);
	for (size_t i = before, end; i < f->tasks; i = end) {
		end = end_of_array(f, i);
		if (end - i > 1)
			lead(f, i, end);
	}
	f->line = vec_room(f->line, &f->line_room, f->lines + count, sizeof *f->line);
	for (size_t i = 0; i < count; i++) {
		struct fold_line line = {.slot = slot[i]};

		if (f->leads[i] == HIDDEN)
			continue;
		if (f->leads[i] != NONE) {
			line.first = f->leads[i] - 1;
			line.tasks = (uint32_t)(end_of_array(f, line.first) - line.first);
		}
		f->line[f->lines++] = line;
	}
}

void fold_name(const struct fold *f, const struct fold_line *line, struct str *out)
{
	uint32_t *number = mem_zero((size_t)line->tasks + 1, sizeof *number);

	for (uint32_t i = 0; i < line->tasks; i++)
		number[i] = f->task[line->first + i].number;
	str_addf(out, "%" PRIu64 "[", f->task[line->first].array);
	array_add_numbers(number, line->tasks, out);
	str_addf(out, "] x%" PRIu32, line->tasks);
	free(number);
}

/* --- reports of the queue ----------------------------------------------------------------------------- */

/* Does the job run on a node of the partition, or could it? */
static bool is_in_partition(const struct queue_report *r, const struct job *job)
{
	if (r->partition == 0 || job->partition == r->partition)
		return true;
	for (uint32_t at = job->run; job->state == JOB_RUNNING && at != INDEX_NONE;
	     at = snapshot_runs(r->s)[at].next)
		if (snapshot_nodes(r->s)[snapshot_runs(r->s)[at].node].partition == r->partition)
			return true;
	return job->state == JOB_IDLE && job->partition == 0;
}

bool queue_report_shows(const struct queue_report *r, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(r->s)[slot];

	return job_filter_match(&r->filter, r->s, job) && is_in_partition(r, job);
}

bool queue_report_has_names(const struct queue_report *r)
{
	const struct job *jobs = snapshot_jobs(r->s);

	for (uint32_t i = 0; i < snapshot_count(r->s, TABLE_JOBS); i++)
		if (jobs[i].state != JOB_NONE && jobs[i].name != 0 && queue_report_shows(r, i))
			return true;
	return false;
}

int64_t queue_report_rank(const struct queue_report *r, uint32_t slot)
{
	struct prio_world world;

	snapshot_world(r->s, r->future.plan.now_s, &world);
	return queue_rank(r->s, &snapshot_jobs(r->s)[slot], &world, &r->future.plan.queue.shares);
}

static int by_number(const void *a, const void *b)
{
	const struct queue_blocked *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

static void list_blocked(struct queue_report *r)
{
	const struct queue *q = &r->future.plan.queue;

	r->blocked_jobs = mem_zero((size_t)q->blocked_count + 1, sizeof *r->blocked_jobs);
	for (uint32_t i = 0; i < q->blocked_count; i++) {
		const struct job *job = &snapshot_jobs(r->s)[q->blocked[i]];

		r->blocked_jobs[i] =
			(struct queue_blocked){job_text_number(r->s, job), job->id, q->blocked[i]};
	}
	qsort(r->blocked_jobs, q->blocked_count, sizeof *r->blocked_jobs, by_number);
}

bool queue_report_has_starts(const struct queue_report *r)
{
	return (r->env->json || r->long_form) && (r->idle || r->blocked);
}

void queue_report_look(struct queue_report *r)
{
	if (queue_report_has_starts(r))
		estimated_list(&r->future, r->env, r->s);
	else
		future_build(&r->future, r->s, &(struct future_setup){.now_s = r->env->now_s});
	r->over_soft = job_text_over_soft(r->s, r->env->now_s);
	list_blocked(r);
}

void queue_report_forget(struct queue_report *r)
{
	future_clear(&r->future);
	job_filter_clear(&r->filter);
	free(r->over_soft);
	free(r->blocked_jobs);
}

/* --- the queue as plain text -------------------------------------------------------------------------- */

/*
 * In the short form as Maui's showq has it, word for word. The long form of a part adds
 * what an operator asks next: marks, priority, when it would start and why not now.
 */

/* A job, or the first of several tasks of an array that share its line. */
struct line {
	uint32_t slot;
	const char *tasks; /* "12[4-9] x6"; NULL = it is alone */
};

static const char *name_of(const struct queue_report *r, const struct line *line,
			   char label[static JOB_LABEL_TEXT])
{
	const struct job *job = &snapshot_jobs(r->s)[line->slot];

	if (line->tasks != NULL)
		return line->tasks;
	if (r->names && job->name != 0)
		return snapshot_string(r->s, job->name);
	return snapshot_job_label(r->s, job, label);
}

static const struct job *job_at(const struct queue_report *r, uint32_t slot)
{
	return &snapshot_jobs(r->s)[slot];
}

/* What its user calls it. */
static void name_cell(struct report *rows, const struct queue_report *r, const struct job *job)
{
	report_cell(rows, job->name != 0 ? snapshot_string(r->s, job->name) : "-");
}

/* --- the short form ----------------------------------------------------------------------- */

#define SHORT_COLUMNS 7

static const struct report_column short_active[SHORT_COLUMNS] = {
	{"JOBNAME", TEXT_LEFT},    {"USERNAME", TEXT_RIGHT},  {"STATE", TEXT_RIGHT}, {"PROC", TEXT_RIGHT},
	{"REMAINING", TEXT_RIGHT}, {"STARTTIME", TEXT_RIGHT}, {"NAME", TEXT_LEFT},
};

static const struct report_column short_waiting[SHORT_COLUMNS] = {
	{"JOBNAME", TEXT_LEFT},  {"USERNAME", TEXT_RIGHT},  {"STATE", TEXT_RIGHT}, {"PROC", TEXT_RIGHT},
	{"WCLIMIT", TEXT_RIGHT}, {"QUEUETIME", TEXT_RIGHT}, {"NAME", TEXT_LEFT},
};

static void short_row(struct report *rows, const struct queue_report *r, const struct line *line)
{
	const struct job *job = job_at(r, line->slot);
	bool runs = job->state == JOB_RUNNING;
	char label[JOB_LABEL_TEXT], left[DURATION_TEXT], when[MOMENT_TEXT];

	report_cell(rows, name_of(r, line, label));
	report_cell(rows, job_text_cred(r->s, job, CRED_USER));
	report_cell(rows, job_text_state(job, r->future.plan.now_s));
	report_cellf(rows, "%" PRId64, job_procs_counted(job));
	report_cell(rows,
		    duration_text(left, runs ? job_left_s(job, r->future.plan.now_s) : job->wall_limit_s));
	report_cell(rows, wallclock_long(when, runs ? job->start_s : job->submit_s));
	name_cell(rows, r, job);
}

/* --- the long form -------------------------------------------------------------------------- */

static const struct report_column long_active[] = {
	{"JOB", TEXT_LEFT},      {"NAME", TEXT_LEFT},  {"PAR", TEXT_LEFT},        {"EFFIC", TEXT_RIGHT},
	{"XFACTOR", TEXT_RIGHT}, {"QOS", TEXT_LEFT},   {"USER", TEXT_LEFT},       {"GROUP", TEXT_LEFT},
	{"MHOST", TEXT_LEFT},    {"PROC", TEXT_RIGHT}, {"REMAINING", TEXT_RIGHT}, {"STARTTIME", TEXT_LEFT},
};

static const struct report_column long_idle[] = {
	{"JOB", TEXT_LEFT},         {"NAME", TEXT_LEFT},      {"PRIORITY", TEXT_RIGHT},
	{"XFACTOR", TEXT_RIGHT},    {"QOS", TEXT_LEFT},       {"USER", TEXT_LEFT},
	{"GROUP", TEXT_LEFT},       {"CLASS", TEXT_LEFT},     {"PROC", TEXT_RIGHT},
	{"WCLIMIT", TEXT_RIGHT},    {"QUEUETIME", TEXT_LEFT}, {"EST.START", TEXT_LEFT},
	{"WHY NOT NOW", TEXT_LEFT},
};

static const struct report_column long_blocked[] = {
	{"JOB", TEXT_LEFT},         {"NAME", TEXT_LEFT},      {"USER", TEXT_LEFT},
	{"STATE", TEXT_LEFT},       {"PROC", TEXT_RIGHT},     {"WCLIMIT", TEXT_RIGHT},
	{"PRIORITY", TEXT_RIGHT},   {"QUEUETIME", TEXT_LEFT}, {"EST.START", TEXT_LEFT},
	{"WHY NOT NOW", TEXT_LEFT},
};

static double xfactor(const struct queue_report *r, const struct job *job)
{
	return prio_xfactor(job, &r->s->policy, r->future.plan.now_s);
}

/* How much of what it holds a job uses; "-" while its manager does not say. */
static void efficiency_cell(struct report *rows, const struct job *job, int64_t now_s)
{
	double held = (double)job_procs_counted(job) * (double)job_held_s(job, now_s);

	if (job->used_ps < 0 || held <= 0)
		report_cell(rows, "-");
	else
		report_cellf(rows, "%.2f", 100 * (double)job->used_ps / held);
}

static void long_active_row(struct report *rows, const struct queue_report *r, const struct line *line)
{
	uint32_t slot = line->slot;
	const struct job *job = job_at(r, slot);
	const char *mark = r->over_soft[slot] ? "_" : job->flags & JOB_BACKFILLED ? "+" : "";
	uint32_t node = job->run == INDEX_NONE ? INDEX_NONE : snapshot_runs(r->s)[job->run].node;
	char label[JOB_LABEL_TEXT], left[DURATION_TEXT], when[MOMENT_TEXT];

	report_cellf(rows, "%s%s", name_of(r, line, label), mark);
	name_cell(rows, r, job);
	report_cell(rows, snapshot_string(r->s, snapshot_partitions(r->s)[job->partition].name));
	efficiency_cell(rows, job, r->future.plan.now_s);
	report_cellf(rows, "%.1f", xfactor(r, job));
	report_cell(rows, job_text_cred(r->s, job, CRED_QOS));
	report_cell(rows, job_text_cred(r->s, job, CRED_USER));
	report_cell(rows, job_text_cred(r->s, job, CRED_GROUP));
	report_cell(rows, node == INDEX_NONE ? "-" : snapshot_string(r->s, snapshot_nodes(r->s)[node].name));
	report_cellf(rows, "%" PRId64, job_procs_counted(job));
	report_cell(rows, duration_text(left, job_left_s(job, r->future.plan.now_s)));
	report_cell(rows, wallclock_long(when, job->start_s));
}

static void priority_cell(struct report *rows, const struct queue_report *r, uint32_t slot)
{
	report_cellf(rows, "%" PRId64 "%s", queue_report_rank(r, slot),
		     job_at(r, slot)->adjust != JOB_ADJUST_NONE ? "!" : "");
}

/* When it was submitted, its estimated start, why it does not start now. */
static void fate_cells(struct report *rows, const struct queue_report *r, uint32_t slot)
{
	const struct job *job = job_at(r, slot);
	const struct future_start start = future_start(&r->future, slot);
	char when[MOMENT_TEXT];
	const struct explain_lead lead = explain_future(&r->future, slot);
	struct str why = {0};

	report_cell(rows, wallclock_long(when, job->submit_s));
	if (start.start_s == TIME_NEVER)
		report_cell(rows, "-");
	else
		report_cellf(rows, "%s%s", start.placeholder ? FUTURE_MARK : "",
			     wallclock_short(when, start.start_s, r->future.plan.now_s));
	job_text_short(r->s, &lead.reason, r->future.plan.now_s, &why);
	report_cell(rows, str_text(&why));
	str_free(&why);
}

static void long_idle_row(struct report *rows, const struct queue_report *r, const struct line *line)
{
	uint32_t slot = line->slot;
	const struct job *job = job_at(r, slot);
	char label[JOB_LABEL_TEXT], limit[DURATION_TEXT];

	report_cellf(rows, "%s%s", name_of(r, line, label), job->planned_s != TIME_NEVER ? "*" : "");
	name_cell(rows, r, job);
	priority_cell(rows, r, slot);
	report_cellf(rows, "%.1f", xfactor(r, job));
	report_cell(rows, job_text_cred(r->s, job, CRED_QOS));
	report_cell(rows, job_text_cred(r->s, job, CRED_USER));
	report_cell(rows, job_text_cred(r->s, job, CRED_GROUP));
	report_cell(rows, job_text_cred(r->s, job, CRED_CLASS));
	report_cellf(rows, "%" PRId64, job_procs(job));
	report_cell(rows, duration_text(limit, job->wall_limit_s));
	fate_cells(rows, r, slot);
}

static void long_blocked_row(struct report *rows, const struct queue_report *r, const struct line *line)
{
	uint32_t slot = line->slot;
	const struct job *job = job_at(r, slot);
	char label[JOB_LABEL_TEXT], limit[DURATION_TEXT];

	report_cell(rows, name_of(r, line, label));
	name_cell(rows, r, job);
	report_cell(rows, job_text_cred(r->s, job, CRED_USER));
	report_cell(rows, job_text_state(job, r->future.plan.now_s));
	report_cellf(rows, "%" PRId64, job_procs(job));
	report_cell(rows, duration_text(limit, job->wall_limit_s));
	priority_cell(rows, r, slot);
	fate_cells(rows, r, slot);
}

/* --- parts ------------------------------------------------------------------------------------ */

/* The three parts that are in the state. */
enum part {
	PART_ACTIVE,
	PART_IDLE,
	PART_BLOCKED,
	PART_COUNT
};

/* What a narrow line does without: report.h. */
static const unsigned char short_spare[] = {0, 0, 0, 0, 0, 0, 1};

static const unsigned char active_spare[] = {0, 7, 6, 3, 2, 4, 0, 5, 1, 0, 0, 0};

static const unsigned char idle_spare[] = {0, 7, 0, 3, 4, 0, 5, 6, 0, 1, 2, 0, 0};

static const unsigned char blocked_spare[] = {0, 5, 0, 0, 0, 2, 3, 4, 1, 0};

typedef void part_row(struct report *rows, const struct queue_report *r, const struct line *line);

static const struct form {
	const struct report_column *column;
	size_t columns;
	part_row *row;
	const unsigned char *spare; /* report.h */
} short_forms[PART_COUNT] =
	{
		[PART_ACTIVE] = {short_active, SHORT_COLUMNS, short_row, short_spare},
		[PART_IDLE] = {short_waiting, SHORT_COLUMNS, short_row, short_spare},
		[PART_BLOCKED] = {short_waiting, SHORT_COLUMNS, short_row, short_spare},
},
  long_forms[PART_COUNT] = {
	  [PART_ACTIVE] = {long_active, sizeof long_active / sizeof long_active[0], long_active_row,
			   active_spare},
	  [PART_IDLE] = {long_idle, sizeof long_idle / sizeof long_idle[0], long_idle_row, idle_spare},
	  [PART_BLOCKED] = {long_blocked, sizeof long_blocked / sizeof long_blocked[0], long_blocked_row,
			    blocked_spare},
};

static const char *const headings[PART_COUNT] = {
	[PART_ACTIVE] = "ACTIVE JOBS--------------------",
	[PART_IDLE] = "IDLE JOBS----------------------",
	[PART_BLOCKED] = "BLOCKED JOBS----------------",
};

static bool wanted(const struct queue_report *r, enum part part)
{
	return part == PART_ACTIVE ? r->active : part == PART_IDLE ? r->idle : r->blocked;
}

static uint32_t part_size(const struct queue *q, enum part part)
{
	return part == PART_ACTIVE ? q->active_count : part == PART_IDLE ? q->idle_count : q->blocked_count;
}

static uint32_t part_slot(const struct queue_report *r, enum part part, uint32_t at)
{
	const struct queue *q = &r->future.plan.queue;

	return part == PART_ACTIVE ? q->active[at]
	       : part == PART_IDLE ? q->idle[at].slot
				   : r->blocked_jobs[at].slot;
}

static bool shows_tasks(const void *self, uint64_t array)
{
	(void)array;
	return ((const struct queue_report *)self)->tasks;
}

/* Waiting tasks of an array share a line, unless they are asked for. */
static void add_rows(const struct queue_report *r, const struct form *form, const uint32_t *slot,
		     uint32_t count, struct report *rows)
{
	struct fold fold = {.line = NULL};
	struct str name = {0};

	fold_list(&fold, r->s, slot, count, shows_tasks, r);
	for (size_t i = 0; i < fold.lines; i++) {
		struct line line = {.slot = fold.line[i].slot};

		str_clear(&name);
		if (fold.line[i].tasks > 0) {
			fold_name(&fold, &fold.line[i], &name);
			line.tasks = str_text(&name);
		}
		form->row(rows, r, &line);
	}
	fold_free(&fold);
	str_free(&name);
}

/* Fills the rows; returns how many jobs they stand for. */
static uint32_t fill_part(const struct queue_report *r, enum part part, struct report *rows)
{
	const struct form *form = r->long_form ? &long_forms[part] : &short_forms[part];
	uint32_t *slot = mem_zero((size_t)part_size(&r->future.plan.queue, part) + 1, sizeof *slot),
		 count = 0;

	rows->column = form->column;
	rows->columns = form->columns;
	rows->spare = form->spare;
	rows->width = r->env->width;
	rows->hidden = r->name_column ? 0 : r->long_form ? 2 : SHORT_COLUMNS;
	for (uint32_t i = 0; wanted(r, part) && i < part_size(&r->future.plan.queue, part); i++) {
		slot[count] = part_slot(r, part, i);
		count += queue_report_shows(r, slot[count]);
	}
	add_rows(r, form, slot, count, rows);
	free(slot);
	return count;
}

static double percent(int64_t part, int64_t whole)
{
	return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* Where every node is one processor the second line would say the same again. */
static void print_use(const struct queue_report *r, uint32_t rows, struct str *out)
{
	const struct snapshot *s = r->s;
	uint32_t nodes = snapshot_count(s, TABLE_NODES);
	int width = snprintf(NULL, 0, "%" PRId64, s->procs_total);

	str_addf(out, "%6" PRIu32 " Active Job%-3s %*" PRId64 " of %*" PRId64 " Processors Active (%.2f%%)\n",
		 rows, rows == 1 ? "" : "s", width, s->procs_busy, width, s->procs_total,
		 percent(s->procs_busy, s->procs_total));
	if (s->procs_total != nodes)
		str_addf(out, "%21s %*" PRId64 " of %*" PRIu32 " Nodes Active      (%.2f%%)\n", "", width,
			 s->nodes_busy, width, nodes, percent(s->nodes_busy, nodes));
}

static void print_part(const struct queue_report *r, enum part part, const struct report *rows,
		       uint32_t count, struct str *out)
{
	str_addf(out, "%s\n", headings[part]);
	report_print(rows, 0, r->env->ascii, out);
	if (part == PART_ACTIVE)
		print_use(r, count, out);
	else if (part == PART_IDLE)
		str_addf(out, "%" PRIu32 " Idle Job%s\n", count, count == 1 ? "" : "s");
}

/* --- completed jobs ----------------------------------------------------------------------------- */

struct completed {
	const struct queue_report *r;
	struct report rows;
	uint64_t count;
};

static void completed_row(void *self, const struct ended_job *ended)
{
	struct completed *c = self;
	const struct job_record *record = &ended->record;
	char label[ENDED_LABEL_TEXT], ran[DURATION_TEXT], when[MOMENT_TEXT];

	if (!ended_matches(&c->r->filter, ended))
		return;
	report_cell(&c->rows, ended_label(record, label));
	report_cell(&c->rows, record->cred[CRED_USER] ? record->cred[CRED_USER] : "-");
	report_cell(&c->rows, ended_outcome(ended));
	report_cellf(&c->rows, "%" PRId64, job_procs_counted(&record->job));
	report_cell(&c->rows, duration_text(ran, ended_run_s(ended)));
	report_cell(&c->rows, wallclock_long(when, ended->end_s));
	c->count++;
}

static bool print_completed(const struct queue_report *r, struct str *out)
{
	static const struct report_column columns[] = {
		{"JOBNAME", TEXT_LEFT}, {"USERNAME", TEXT_RIGHT}, {"STATE", TEXT_RIGHT},
		{"PROC", TEXT_RIGHT},   {"WALLTIME", TEXT_RIGHT}, {"ENDTIME", TEXT_RIGHT},
	};
	struct completed c = {.r = r, .rows = {.column = columns, .columns = 6}};
	struct ended_wish wish = {.jobs = {.after = {.end_s = INT64_MIN}}};
	bool ok;

	ended_narrow(&wish, &r->filter);
	ok = ended_find(r->env, &wish, completed_row, &c);
	str_add(out, "COMPLETED JOBS-----------------\n");
	report_print(&c.rows, 0, r->env->ascii, out);
	str_addf(out, "%" PRIu64 " Completed Job%s\n", c.count, c.count == 1 ? "" : "s");
	report_free(&c.rows);
	return ok;
}

/* --- the whole ------------------------------------------------------------------------------------ */

static void print_totals(const struct queue_report *r, const uint32_t count[static PART_COUNT],
			 struct str *out)
{
	str_addf(out,
		 "Total Jobs: %" PRIu32 "   Active Jobs: %" PRIu32 "   Idle Jobs: %" PRIu32
		 "   Blocked Jobs: %" PRIu32 "\n",
		 count[PART_ACTIVE] + count[PART_IDLE] + count[PART_BLOCKED], count[PART_ACTIVE],
		 count[PART_IDLE], count[PART_BLOCKED]);
	if (r->long_form)
		str_add(out, "+ backfilled   _ over a soft limit   * has a reservation   ! priority set by "
			     "an operator\n");
	if (r->long_form && queue_report_has_starts(r))
		estimated_note(out, &r->future, r->future.plan.now_s);
}

bool queue_report_print(const struct queue_report *r, struct str *out)
{
	struct report rows[PART_COUNT] = {{0}, {0}, {0}};
	uint32_t count[PART_COUNT];
	int least[SHORT_COLUMNS] = {0};

	for (enum part part = 0; part < PART_COUNT; part++) {
		count[part] = fill_part(r, part, &rows[part]);
		if (!r->long_form)
			report_widen(&rows[part], least);
	}
	for (enum part part = 0; part < PART_COUNT; part++) {
		rows[part].least = r->long_form ? NULL : least;
		if (wanted(r, part))
			print_part(r, part, &rows[part], count[part], out);
		report_free(&rows[part]);
	}
	if (r->active || r->idle || r->blocked)
		print_totals(r, count, out);
	return !r->completed || print_completed(r, out);
}
