/* SPDX-License-Identifier: MIT */
/*
 * statistics.c - job statistics, in total and by credential
 */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ended.h"
#include "field.h"
#include "report.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/policy/priority.h"

/* --- wallclock accuracy of ended jobs ----------------------------------------------------------------- */

bool accuracy_counts(const struct ended_job *ended)
{
	const struct job *job = &ended->record.job;
	bool taken_away = (job->flags & JOB_CANCELLED) != 0 || ended->status == STATUS_CANCELLED;

	return job->start_s != TIME_NONE && !ended->lost && !taken_away;
}

static void take(void *self, const struct ended_job *ended)
{
	if (accuracy_counts(ended))
		accuracy_note(self, ended->record.cred[CRED_USER], ended_run_s(ended),
			      ended->record.job.wall_limit_s);
}

bool accuracy_gather(struct cmd_env *env, struct accuracy *out)
{
	return ended_sample(env, env->now_s - ASSUME_LOOK_BACK_S, take, out);
}

bool accuracy_assumption(struct cmd_env *env, enum assume_kind *kind)
{
	const char *text = cmd_option(env, "--assume");

	*kind = ASSUME_WCLIMIT;
	return text == NULL || assume_read(text, kind, &env->err) || err_prefix(&env->err, "--assume");
}

enum cmd_status accuracy_option(struct cmd_env *env, enum assume_kind *kind, struct accuracy *out)
{
	if (!accuracy_assumption(env, kind))
		return CMD_USAGE;
	return *kind == ASSUME_WCLIMIT || accuracy_gather(env, out) ? CMD_DONE : CMD_FAILED;
}

/* --- job statistics, in total and by credential ------------------------------------------------------- */

/* --- credentials by name ----------------------------------------------------------------- */

static int compare_names(const struct snapshot *s, uint32_t a, enum cred_type type, const char *name)
{
	const struct cred *cred = &snapshot_creds(s)[a];

	if (cred->type != (uint32_t)type)
		return cred->type < (uint32_t)type ? -1 : 1;
	return strcmp(snapshot_string(s, cred->name), name);
}

static int by_name(const void *a, const void *b, void *self)
{
	const struct snapshot *s = self;
	const struct cred *other = &snapshot_creds(s)[*(const uint32_t *)b];

	return compare_names(s, *(const uint32_t *)a, (enum cred_type)other->type,
			     snapshot_string(s, other->name));
}

static void index_names(struct statistics *st)
{
	uint32_t count = snapshot_count(st->s, TABLE_CREDS);

	st->by_name = mem_zero((size_t)count + 1, sizeof *st->by_name);
	for (uint32_t i = 0; i < count; i++)
		st->by_name[i] = i;
	qsort_r(st->by_name, count, sizeof *st->by_name, by_name, (void *)(uintptr_t)st->s);
}

/* Returns the tally of a credential; NULL if the state does not contain the credential. */
static struct tally *find_tally(const struct statistics *st, enum cred_type type, const char *name)
{
	uint32_t low = 0, high = snapshot_count(st->s, TABLE_CREDS);

	while (name && low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order = compare_names(st->s, st->by_name[middle], type, name);

		if (order == 0)
			return &st->of_cred[st->by_name[middle]];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* --- accumulation ------------------------------------------------------------------------------------- */

static void add_start(struct tally *t, const struct ended_job *ended)
{
	const struct job *job = &ended->record.job;
	int64_t wait_s = ended_wait_s(ended);
	double limit_s = (double)job->wall_limit_s, run_s = (double)ended_run_s(ended);
	double procs = (double)job_procs_counted(job), xfactor = xfactor_of((double)wait_s, limit_s);

	t->started++;
	t->backfilled += (job->flags & JOB_BACKFILLED) != 0;
	t->asked_s += procs * limit_s;
	t->dedicated_s += procs * run_s;
	t->wait_s += (double)wait_s;
	if (wait_s > t->most_wait_s)
		t->most_wait_s = wait_s;
	t->xfactor += xfactor;
	if (xfactor > t->most_xfactor)
		t->most_xfactor = xfactor;
	t->accuracy += run_s / limit_s;
	if (job->used_ps >= 0) {
		t->known_s += procs * run_s;
		t->used_s += (double)job->used_ps;
	}
}

static void add_ended(struct tally *t, const struct ended_job *ended)
{
	t->ended++;
	if (ended->record.job.start_s != TIME_NONE)
		add_start(t, ended);
}

static void take_ended(void *self, const struct ended_job *ended)
{
	struct statistics *st = self;

	add_ended(&st->all, ended);
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++) {
		struct tally *t = find_tally(st, type, ended->record.cred[type]);

		if (t)
			add_ended(t, ended);
	}
	if (st->first_end_s == TIME_NONE || ended->end_s < st->first_end_s)
		st->first_end_s = ended->end_s;
	if (st->last_end_s == TIME_NONE || ended->end_s > st->last_end_s)
		st->last_end_s = ended->end_s;
}

static void add_present(struct tally *t, const struct job *job, int64_t now_s)
{
	if (job->state != JOB_RUNNING) {
		t->waiting++;
		return;
	}
	t->running++;
	t->procs += job_is_released(job) ? 0 : job_procs_counted(job);
	t->procs_s += (double)job_procs_counted(job) * (double)job_held_s(job, now_s);
}

static void take_present(struct statistics *st, int64_t now_s)
{
	const struct job *jobs = snapshot_jobs(st->s);

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_JOBS); i++) {
		if (jobs[i].state == JOB_NONE)
			continue;
		add_present(&st->all, &jobs[i], now_s);
		for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
			if (jobs[i].cred[type] != INDEX_NONE)
				add_present(&st->of_cred[jobs[i].cred[type]], &jobs[i], now_s);
	}
}

bool statistics_gather(struct statistics *st, struct cmd_env *env, int64_t since_s)
{
	*st = (struct statistics){.s = env->s, .first_end_s = TIME_NONE, .last_end_s = TIME_NONE};
	st->of_cred = mem_zero((size_t)snapshot_count(env->s, TABLE_CREDS) + 1, sizeof *st->of_cred);
	index_names(st);
	take_present(st, env->now_s);
	return ended_each(env, since_s, take_ended, st);
}

void statistics_clear(struct statistics *st)
{
	free(st->of_cred);
	free(st->by_name);
	*st = (struct statistics){.s = NULL};
}

/* --- statistics by job size and length ---------------------------------------------------------------- */

#define ROWS 11 /* up to 1, 2, 4 ... 512 processors, and more */

#define COLUMNS 12 /* up to 2, 4, 8 minutes ... 34 hours, and longer */

#define FIRST_END_S 120

struct cell {
	double jobs, backfilled;
	double asked_h, dedicated_h, backfilled_h; /* processor-hours              */
	double wait_h, xfactor, most_xfactor, accuracy;
	double bypass, most_bypass;
	double known_h, used_h; /* processor-hours allocated to, and used by, jobs whose usage was measured */
};

struct grid {
	struct cell cell[ROWS][COLUMNS];
};

/* --- statistics ------------------------------------------------------------------------------- */

static double per_job(const struct cell *c, double sum)
{
	return c->jobs > 0 ? sum / c->jobs : 0;
}

static double job_count(const struct cell *c)
{
	return c->jobs;
}

static double avg_qtime(const struct cell *c)
{
	return per_job(c, c->wait_h);
}

static double avg_xfactor(const struct cell *c)
{
	return per_job(c, c->xfactor);
}

static double max_xfactor(const struct cell *c)
{
	return c->most_xfactor;
}

static double avg_bypass(const struct cell *c)
{
	return per_job(c, c->bypass);
}

static double max_bypass(const struct cell *c)
{
	return c->most_bypass;
}

static double bf_count(const struct cell *c)
{
	return 100 * per_job(c, c->backfilled);
}

static double bf_run(const struct cell *c)
{
	return c->dedicated_h > 0 ? 100 * c->backfilled_h / c->dedicated_h : 0;
}

static double ph_request(const struct cell *c)
{
	return c->asked_h;
}

static double ph_run(const struct cell *c)
{
	return c->dedicated_h;
}

static double wc_accuracy(const struct cell *c)
{
	return 100 * per_job(c, c->accuracy);
}

static double job_efficiency(const struct cell *c)
{
	return c->known_h > 0 ? 100 * c->used_h / c->known_h : 0;
}

static const struct statistic {
	const char *name, *unit;
	double (*of)(const struct cell *c);
} statistics[] = {
	{"AVGBYPASS", "mean number of times that a job was bypassed", avg_bypass},
	{"AVGQTIME", "mean queue time in hours", avg_qtime},
	{"AVGXFACTOR", "mean expansion factor", avg_xfactor},
	{"BFCOUNT", "percent of jobs that were backfilled", bf_count},
	{"BFPHRUN", "percent of processor-hours that were backfilled", bf_run},
	{"JOBCOUNT", "jobs", job_count},
	{"JOBEFFICIENCY", "percent of the allocated processor time that jobs used", job_efficiency},
	{"MAXBYPASS", "maximum number of times that a job was bypassed", max_bypass},
	{"MAXXFACTOR", "maximum expansion factor", max_xfactor},
	{"PHREQUEST", "processor-hours requested", ph_request},
	{"PHRUN", "processor-hours run", ph_run},
	{"WCACCURACY", "percent of the wallclock limit that jobs used", wc_accuracy},
};

#define STATISTICS (sizeof statistics / sizeof statistics[0])

static const struct statistic *find_statistic(const char *name, struct err *err)
{
	struct str names = {0};

	for (size_t i = 0; i < STATISTICS; i++)
		if (str_same_word(statistics[i].name, name))
			return &statistics[i];
	for (size_t i = 0; i < STATISTICS; i++)
		str_addf(&names, "%s%s", i > 0 ? ", " : "", statistics[i].name);
	err_set(err, "unknown statistic '%s'; statistics: %s", name, str_text(&names));
	str_free(&names);
	return NULL;
}

/* --- accumulation ------------------------------------------------------------------------------------- */

/*
 * Returns the index of the first of the bounds first, 2 * first, 4 * first ... that is at least value; the
 * last index for larger values.
 */
static int place(int64_t value, int64_t first, int places)
{
	int at = 0;

	while (at + 1 < places && value > first << at)
		at++;
	return at;
}

static void grid_take(void *self, const struct ended_job *ended)
{
	struct grid *grid = self;
	const struct job *job = &ended->record.job;
	double procs = (double)job_procs_counted(job), wait_s = (double)ended_wait_s(ended);
	double run_s = (double)ended_run_s(ended), limit_s = (double)job->wall_limit_s;
	struct cell *c = &grid->cell[place(job_procs_counted(job), 1, ROWS)]
				    [place(job->wall_limit_s, FIRST_END_S, COLUMNS)];

	if (job->start_s == TIME_NONE)
		return;
	c->jobs++;
	c->asked_h += procs * limit_s / 3600;
	c->dedicated_h += procs * run_s / 3600;
	if (job->flags & JOB_BACKFILLED) {
		c->backfilled++;
		c->backfilled_h += procs * run_s / 3600;
	}
	c->wait_h += wait_s / 3600;
	c->xfactor += xfactor_of(wait_s, limit_s);
	c->most_xfactor = fmax(c->most_xfactor, xfactor_of(wait_s, limit_s));
	c->accuracy += run_s / limit_s;
	c->bypass += job->bypass;
	if (job->bypass > c->most_bypass)
		c->most_bypass = job->bypass;
	if (job->used_ps >= 0) {
		c->known_h += procs * run_s / 3600;
		c->used_h += (double)job->used_ps / 3600;
	}
}

/* --- output ------------------------------------------------------------------------------------------- */

/* One statistic of the jobs of a cell. */
struct cell_item {
	int64_t procs, limit_s; /* upper bounds of the cell; 0 = no bound */
	int64_t jobs;
	double value;
};

static enum role cell_cell(const void *item, struct str *out)
{
	const struct cell_item *i = item;

	if (i->jobs > 0)
		str_addf(out, "%.2f", i->value);
	else
		str_add_char(out, '-');
	return ROLE_TEXT;
}

static const struct field cell_fields[] = {
	{NULL, "", FIELD_REAL, FIELD_AT(struct cell_item, value), .cell = cell_cell},
	{"procs", NULL, FIELD_COUNT, FIELD_OR_NULL(struct cell_item, procs, 0)},
	{"wclimit_s", NULL, FIELD_DURATION, FIELD_OR_NULL(struct cell_item, limit_s, 0)},
	{"jobs", NULL, FIELD_COUNT, FIELD_AT(struct cell_item, jobs)},
	{"value", NULL, FIELD_REAL, FIELD_AT(struct cell_item, value)},
	{0}};

/* A row of the grid: jobs with a similar number of processors. */
struct grid_row {
	const struct grid *grid;
	const struct statistic *statistic;
	int row;
};

static enum role procs_cell(const void *item, struct str *out)
{
	int row = ((const struct grid_row *)item)->row;

	if (row + 1 < ROWS)
		str_addf(out, "%d", 1 << row);
	else
		str_add(out, "more");
	return ROLE_TEXT;
}

static void each_cell(const void *item, field_visit *visit, void *self)
{
	const struct grid_row *i = item;

	for (int c = 0; c < COLUMNS; c++) {
		const struct cell *cell = &i->grid->cell[i->row][c];

		visit(self, &(struct cell_item){i->row + 1 < ROWS ? 1 << i->row : 0,
						c + 1 < COLUMNS ? FIRST_END_S << c : 0, (int64_t)cell->jobs,
						i->statistic->of(cell)});
	}
}

static const struct field row_fields[] = {{NULL, "PROCS", FIELD_COUNT, .cell = procs_cell},
					  {NULL, "CELLS", FIELD_LIST, .of = cell_fields, .each = each_cell},
					  {0}};

struct grid_item {
	const struct grid *grid;
	const struct statistic *statistic;
};

static void each_row(const void *item, field_visit *visit, void *self)
{
	const struct grid_item *i = item;

	for (int r = 0; r < ROWS; r++)
		visit(self, &(struct grid_row){i->grid, i->statistic, r});
}

/* A visitor to which only cells with jobs are passed. */
struct filled_cells {
	field_visit *visit;
	void *self;
};

static void visit_filled(void *self, const void *item)
{
	const struct filled_cells *filled = self;

	if (((const struct cell_item *)item)->jobs > 0)
		filled->visit(filled->self, item);
}

static void visit_filled_of(void *self, const void *item)
{
	each_cell(item, visit_filled, self);
}

static void each_filled(const void *item, field_visit *visit, void *self)
{
	each_row(item, visit_filled_of, &(struct filled_cells){visit, self});
}

static const struct field statistic_fields[] = {
	{"statistic", NULL, FIELD_TEXT, FIELD_AT(struct statistic, name)}, {0}};

static const struct field grid_fields[] = {
	{.type = FIELD_MEMBERS, FIELD_TO(struct grid_item, statistic), .of = statistic_fields},
	{"cells", NULL, FIELD_LIST, .of = cell_fields, .each = each_filled},
	{0}};

static void add_row(void *self, const void *item)
{
	static const struct field_column columns[] = {{.key = "PROCS"}, {.key = "CELLS"}};

	field_cells(self, row_fields, columns, 2, item);
}

static void print_text(const struct cmd_env *env, const struct grid_item *grid)
{
	struct report_column column[1 + COLUMNS];
	struct report table = {
		.column = column, .columns = 1 + COLUMNS, .no_titles = true, .width = env->width};
	char limit[DURATION_TEXT];

	for (int c = 0; c <= COLUMNS; c++)
		column[c] = (struct report_column){"", TEXT_RIGHT};
	report_cell(&table, "PROCS");
	for (int c = 0; c + 1 < COLUMNS; c++)
		report_cell(&table, duration_text(limit, (int64_t)FIRST_END_S << c));
	report_cell(&table, "more");
	each_row(grid, add_row, &table);
	str_addf(env->out, "%s: %s, by processors and wallclock limit\n", grid->statistic->name,
		 grid->statistic->unit);
	report_print(&table, 0, env->ascii, env->out);
	report_free(&table);
}

enum cmd_status grid_print(struct cmd_env *env, const char *statistic, int64_t since_s)
{
	const struct statistic *found = find_statistic(statistic, &env->err);
	const struct ended_wish ran = {.jobs = {.after = {.end_s = since_s}, .ran = true}};
	struct grid grid = {.cell = {{{0}}}};

	if (!found)
		return CMD_USAGE;
	if (!ended_find(env, &ran, grid_take, &grid))
		return CMD_FAILED;
	if (env->json)
		fields_document(env->out, grid_fields, 0, &(struct grid_item){&grid, found});
	else
		print_text(env, &(struct grid_item){&grid, found});
	return CMD_DONE;
}
