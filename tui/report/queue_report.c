/* SPDX-License-Identifier: MIT */
/*
 * queue_report.c - reports of the queue
 *
 * Active and idle jobs are in the order of the plan; blocked jobs have no rank and are sorted by number.
 */
#include "queue_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ended.h"
#include "job_fields.h"
#include "job_text.h"
#include "report.h"
#include "sched/base/vec.h"
#include "sched/model/array.h"
#include "sched/policy/priority.h"
#include "sched/rm/wallclock.h"

/* --- array tasks on one line -------------------------------------------------------------------------- */

/* in fold.leads: the job has a separate line; other values: 1 + index of the first task of its line */
#define NONE 0

#define HIDDEN UINT32_MAX /* in fold.leads: the task is on the line of another task */

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

/* Collects the waiting tasks of the list, sorted by array; returns the index of the first one in f->task. */
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

/*
 * Folds the tasks from `first` up to, but not including, `end` into one line, at the place of the task that
 * comes first in the list.
 */
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

/* Does the job run on a node of the partition, or could it run there? */
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

/* --- queue as plain text ------------------------------------------------------------------------------ */

/*
 * The short form has the format of Maui's showq, word for word. The long form adds marks, priority, estimated
 * start and reason.
 */

/* Returns the name given by the user, if names are requested; NULL: the label is shown. */
static const char *called(const struct queue_report *r, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(r->s)[slot];

	return r->names && job->name != 0 ? snapshot_string(r->s, job->name) : NULL;
}

/* Returns the row of a job in a list. label: shown on its line; NULL = label of the job. */
static struct job_row row_of(const struct queue_report *r, uint32_t slot, const char *label, bool blocked)
{
	return (struct job_row){.s = r->s,
				.job = &snapshot_jobs(r->s)[slot],
				.slot = slot,
				.now_s = r->future.plan.now_s,
				.future = &r->future,
				.label = label,
				.blocked = blocked,
				.over_soft = r->over_soft[slot]};
}

/* --- the short form ----------------------------------------------------------------------- */

#define SHORT_COLUMNS 7

static const struct field_column short_active[SHORT_COLUMNS] = {
	{"job", .title = "JOBNAME"}, {"user", .title = "USERNAME", .align = 'r'},
	{"state", .align = 'r'},     {.key = "procs"},
	{.key = "remaining_s"},      {"start", .align = 'r'},
	{"name", .drop = 1},
};

static const struct field_column short_waiting[SHORT_COLUMNS] = {
	{"job", .title = "JOBNAME"}, {"user", .title = "USERNAME", .align = 'r'},
	{"state", .align = 'r'},     {.key = "procs"},
	{.key = "wclimit_s"},        {"queued_since", .align = 'r'},
	{"name", .drop = 1},
};

/* --- the long form -------------------------------------------------------------------------- */

static enum role active_cell(const void *item, struct str *out)
{
	const struct job_row *r = item;

	job_fields[0].cell(item, out);
	str_add(out, r->over_soft ? "_" : r->job->flags & JOB_BACKFILLED ? "+" : "");
	return ROLE_TEXT;
}

static enum role idle_cell(const void *item, struct str *out)
{
	const struct job_row *r = item;

	job_fields[0].cell(item, out);
	str_add(out, r->job->planned_s != TIME_NEVER ? "*" : "");
	return ROLE_TEXT;
}

static enum role xfactor_cell(const void *item, struct str *out)
{
	const struct job_row *r = item;

	str_addf(out, "%.1f", priority_xfactor(r->job, &r->s->policy, r->now_s));
	return ROLE_TEXT;
}

static enum role priority_cell(const void *item, struct str *out)
{
	const struct job_row *r = item;

	str_addf(out, "%" PRId64 "%s", job_row_rank(r), r->job->adjust != JOB_ADJUST_NONE ? "!" : "");
	return ROLE_TEXT;
}

static enum role start_cell(const void *item, struct str *out)
{
	const struct job_row *r = item;
	const struct future_start start = job_row_start(r);
	char when[MOMENT_TEXT];

	if (start.start_s == TIME_NEVER)
		str_add_char(out, '-');
	else
		str_addf(out, "%s%s", start.placeholder ? FUTURE_MARK : "",
			 wallclock_short(when, start.start_s, r->now_s));
	return ROLE_TEXT;
}

static enum role why_cell(const void *item, struct str *out)
{
	const struct job_row *r = item;
	const struct reason reason = explain_future(r->future, r->slot).reason;

	job_text_short(r->s, &reason, r->now_s, out);
	jobs_add_manager(r->s, r->job, r->now_s, out);
	return ROLE_TEXT;
}

static const struct field_column long_active[] = {
	{"job", .cell = active_cell},
	{"name", .drop = 7},
	{"partition", .drop = 6},
	{"EFFIC", .drop = 3},
	{"xfactor", .drop = 2, .title = "XFACTOR", .cell = xfactor_cell},
	{"qos", .drop = 4},
	{.key = "user"},
	{"group", .drop = 5},
	{"MHOST", .drop = 1},
	{.key = "procs"},
	{.key = "remaining_s"},
	{.key = "start"},
};

static const struct field_column long_idle[] = {
	{"job", .cell = idle_cell},
	{"name", .drop = 7},
	{"priority", .title = "PRIORITY", .cell = priority_cell},
	{"xfactor", .drop = 3, .title = "XFACTOR", .cell = xfactor_cell},
	{"qos", .drop = 4},
	{.key = "user"},
	{"group", .drop = 5},
	{"class", .drop = 6},
	{.key = "procs"},
	{"wclimit_s", .drop = 1},
	{"queued_since", .drop = 2},
	{"estimated_start", .cell = start_cell},
	{"reason", .cell = why_cell},
};

static const struct field_column long_blocked[] = {
	{.key = "job"},
	{"name", .drop = 5},
	{.key = "user"},
	{.key = "state"},
	{.key = "procs"},
	{"wclimit_s", .drop = 2},
	{"priority", .drop = 3, .title = "PRIORITY", .cell = priority_cell},
	{"queued_since", .drop = 4},
	{"estimated_start", .drop = 1, .cell = start_cell},
	{"reason", .cell = why_cell},
};

/* --- sections ----------------------------------------------------------------------------------------- */

/* The sections with jobs of the state; completed jobs come from the history. */
enum part {
	PART_ACTIVE,
	PART_IDLE,
	PART_BLOCKED,
	PART_COUNT
};

static const struct form {
	const struct field_column *column;
	size_t columns;
} short_forms[PART_COUNT] =
	{
		[PART_ACTIVE] = {short_active, SHORT_COLUMNS},
		[PART_IDLE] = {short_waiting, SHORT_COLUMNS},
		[PART_BLOCKED] = {short_waiting, SHORT_COLUMNS},
},
  long_forms[PART_COUNT] = {
	  [PART_ACTIVE] = {long_active, sizeof long_active / sizeof long_active[0]},
	  [PART_IDLE] = {long_idle, sizeof long_idle / sizeof long_idle[0]},
	  [PART_BLOCKED] = {long_blocked, sizeof long_blocked / sizeof long_blocked[0]},
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

/* Waiting tasks of an array share a line, unless they are requested individually. */
static void add_rows(const struct queue_report *r, enum part part, const uint32_t *slot, uint32_t count,
		     struct field_table *rows)
{
	struct fold fold = {.line = NULL};
	struct str name = {0};

	fold_list(&fold, r->s, slot, count, shows_tasks, r);
	for (size_t i = 0; i < fold.lines; i++) {
		uint32_t lead = fold.line[i].slot;
		struct job_row row = row_of(r, lead, called(r, lead), part == PART_BLOCKED);

		str_clear(&name);
		if (fold.line[i].tasks > 0) {
			fold_name(&fold, &fold.line[i], &name);
			row.label = str_text(&name);
		}
		field_table_add(rows, &row);
	}
	fold_free(&fold);
	str_free(&name);
}

/* Fills the rows of a section; returns the number of jobs in them. */
static uint32_t fill_part(const struct queue_report *r, enum part part, struct field_table *rows)
{
	const struct form *form = r->long_form ? &long_forms[part] : &short_forms[part];
	uint32_t *slot = mem_zero((size_t)part_size(&r->future.plan.queue, part) + 1, sizeof *slot),
		 count = 0;

	field_table_begin(rows, job_fields, form->column, form->columns);
	rows->report.width = r->env->width;
	rows->report.hidden = r->name_column ? 0 : r->long_form ? 2 : SHORT_COLUMNS;
	for (uint32_t i = 0; wanted(r, part) && i < part_size(&r->future.plan.queue, part); i++) {
		slot[count] = part_slot(r, part, i);
		count += queue_report_shows(r, slot[count]);
	}
	add_rows(r, part, slot, count, rows);
	free(slot);
	return count;
}

static double percent(int64_t part, int64_t whole)
{
	return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/*
 * Prints how many processors and nodes are active. The line about nodes is omitted if every node has a single
 * processor, because it would repeat the line about processors.
 */
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

static void print_part(const struct queue_report *r, enum part part, const struct field_table *rows,
		       uint32_t count, struct str *out)
{
	str_addf(out, "%s\n", headings[part]);
	field_table_print(rows, 0, r->env->ascii, out);
	if (part == PART_ACTIVE)
		print_use(r, count, out);
	else if (part == PART_IDLE)
		str_addf(out, "%" PRIu32 " Idle Job%s\n", count, count == 1 ? "" : "s");
}

/* --- completed jobs ----------------------------------------------------------------------------- */

struct completed {
	const struct queue_report *r;
	field_visit *visit;
	void *self;
	uint64_t count;
};

static void take_completed(void *self, const struct ended_job *ended)
{
	struct completed *c = self;
	const struct ended_row row = {ended, c->r->env->now_s};

	if (!ended_matches(&c->r->filter, ended))
		return;
	c->visit(c->self, &row);
	c->count++;
}

/*
 * Visits the completed jobs that match the filter, and counts them. Returns false if the history could not be
 * read.
 */
static bool each_completed(const struct queue_report *r, field_visit *visit, void *self, uint64_t *count)
{
	struct completed c = {.r = r, .visit = visit, .self = self};
	struct ended_wish wish = {.jobs = {.after = {.end_s = INT64_MIN}}};
	bool ok;

	ended_narrow(&wish, &r->filter);
	ok = ended_find(r->env, &wish, take_completed, &c);
	*count = c.count;
	return ok;
}

static bool print_completed(const struct queue_report *r, struct str *out)
{
	static const struct field_column columns[] = {
		{"job", .title = "JOBNAME", .align = 'l'},
		{"user", .title = "USERNAME", .align = 'r'},
		{"outcome", .title = "STATE", .align = 'r'},
		{.key = "procs"},
		{"run_s", .title = "WALLTIME"},
		{"end", .title = "ENDTIME", .align = 'r', .cell = ended_cell_end},
	};
	struct field_table rows;
	uint64_t count;
	bool ok;

	field_table_begin(&rows, ended_fields, columns, sizeof columns / sizeof columns[0]);
	ok = each_completed(r, field_table_visit, &rows, &count);
	str_add(out, "COMPLETED JOBS-----------------\n");
	field_table_print(&rows, 0, r->env->ascii, out);
	str_addf(out, "%" PRIu64 " Completed Job%s\n", count, count == 1 ? "" : "s");
	field_table_free(&rows);
	return ok;
}

/* --- report ------------------------------------------------------------------------------------------- */

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
	struct field_table rows[PART_COUNT];
	uint32_t count[PART_COUNT];
	int least[SHORT_COLUMNS] = {0};

	if (job_text_fault(r->s, out))
		str_add(out, "\n");
	for (enum part part = 0; part < PART_COUNT; part++) {
		count[part] = fill_part(r, part, &rows[part]);
		if (!r->long_form)
			report_widen(&rows[part].report, least);
	}
	for (enum part part = 0; part < PART_COUNT; part++) {
		rows[part].report.least = r->long_form ? NULL : least;
		if (wanted(r, part))
			print_part(r, part, &rows[part], count[part], out);
		field_table_free(&rows[part]);
	}
	if (r->active || r->idle || r->blocked)
		print_totals(r, count, out);
	return !r->completed || print_completed(r, out);
}

/* --- JSON ------------------------------------------------------------------------------------------- */

/* Item of queue_fields. */
struct queue_document {
	const struct queue_report *r;
	const struct snapshot *s;
	int64_t now_s;
	bool *ok; /* the history could be read */
};

static void each_shown(const struct queue_report *r, enum part part, field_visit *visit, void *self)
{
	for (uint32_t i = 0; wanted(r, part) && i < part_size(&r->future.plan.queue, part); i++) {
		uint32_t slot = part_slot(r, part, i);
		const struct job_row row = row_of(r, slot, NULL, part == PART_BLOCKED);

		if (queue_report_shows(r, slot))
			visit(self, &row);
	}
}

static void each_active(const void *item, field_visit *visit, void *self)
{
	each_shown(((const struct queue_document *)item)->r, PART_ACTIVE, visit, self);
}

static void each_idle(const void *item, field_visit *visit, void *self)
{
	each_shown(((const struct queue_document *)item)->r, PART_IDLE, visit, self);
}

static void each_blocked(const void *item, field_visit *visit, void *self)
{
	each_shown(((const struct queue_document *)item)->r, PART_BLOCKED, visit, self);
}

static bool get_tier(const void *item, struct value *out)
{
	const struct queue_report *r = ((const struct queue_document *)item)->r;

	out->text = future_tier_name(r->future.tier);
	return queue_report_has_starts(r);
}

static bool has_completed(const void *item)
{
	return ((const struct queue_document *)item)->r->completed;
}

static void each_ended(const void *item, field_visit *visit, void *self)
{
	const struct queue_document *d = item;
	uint64_t count;

	*d->ok = each_completed(d->r, visit, self, &count);
}

/* Only a watched manager can have a fault. */
static bool is_watched(const void *item)
{
	return ((const struct snapshot *)item)->watched != 0;
}

static bool get_fault(const void *item, struct value *out)
{
	const struct snapshot *s = item;

	out->text = snapshot_string(s, s->watch_fault);
	return s->watch_fault != 0;
}

static const struct field machine_fields[] = {
	{"manager_fault", NULL, FIELD_TEXT, .get = get_fault, .when = is_watched},
	{"procs_total", NULL, FIELD_COUNT, FIELD_AT(struct snapshot, procs_total)},
	{"procs_busy", NULL, FIELD_COUNT, FIELD_AT(struct snapshot, procs_busy)},
	{"nodes_total", NULL, FIELD_COUNT, FIELD_AT(struct snapshot, table[TABLE_NODES].count)},
	{"nodes_busy", NULL, FIELD_COUNT, FIELD_AT(struct snapshot, nodes_busy)},
	{0},
};

static const struct field queue_fields[] = {
	{"now", NULL, FIELD_INSTANT, FIELD_AT(struct queue_document, now_s)},
	{.type = FIELD_MEMBERS, FIELD_TO(struct queue_document, s), .of = machine_fields},
	{"active", NULL, FIELD_LIST, .of = job_fields, .of_set = JOB_ACTIVE, .each = each_active},
	{"idle", NULL, FIELD_LIST, .of = job_fields, .of_set = JOB_WAITING, .each = each_idle},
	{"blocked", NULL, FIELD_LIST, .of = job_fields, .of_set = JOB_WAITING, .each = each_blocked},
	{"tier", NULL, FIELD_TEXT, .get = get_tier},
	{"completed", NULL, FIELD_LIST, .of = ended_fields, .each = each_ended, .when = has_completed},
	{0},
};

bool queue_report_json(const struct queue_report *r, struct str *out)
{
	bool ok = true;

	fields_document(out, queue_fields, 0, &(struct queue_document){r, r->s, r->future.plan.now_s, &ok});
	return ok;
}
