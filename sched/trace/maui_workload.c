/* SPDX-License-Identifier: MIT */
/*
 * maui_workload.c - Maui workload traces
 *
 * A line is split into words; numeric fields are parsed with one table, names with another. A line with any
 * error is recorded as bad.
 */
#include "maui_workload.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "maui_text.h"
#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/state/state.h"

/* Fields, numbered as in the guide. */
enum field {
	FIELD_NAME = 1,
	FIELD_NODES,
	FIELD_TASKS,
	FIELD_USER,
	FIELD_GROUP,
	FIELD_WALL_LIMIT,
	FIELD_STATE,
	FIELD_CLASS,
	FIELD_SUBMIT,
	FIELD_START = 11,
	FIELD_COMPLETION,
	FIELD_FEATURES = 20,
	FIELD_TASKS_PER_NODE = 23,
	FIELD_QOS,
	FIELD_ACCOUNT = 26,
	FIELD_TASK_PROCS = 32,
	FIELD_TASK_MEMORY,
	FIELD_TASK_DISK,
	FIELD_TASK_SWAP,
	FIELD_EARLIEST,
	FIELD_HOSTS = 40,
	FIELD_COUNT = 44
};

static const struct maui_number number_rows[] = {
	{FIELD_NODES, "nodes", INT32_MAX, 0},
	{FIELD_TASKS, "tasks", INT32_MAX, 0},
	{FIELD_WALL_LIMIT, "wallclock limit", DURATION_MAX_S, 0},
	{FIELD_SUBMIT, "submission", MOMENT_MAX_S, 0},
	{FIELD_START, "start", MOMENT_MAX_S, 0},
	{FIELD_COMPLETION, "completion", MOMENT_MAX_S, 0},
	{FIELD_TASKS_PER_NODE, "tasks per node", INT32_MAX, 0},
	{FIELD_TASK_PROCS, "processors per task", INT32_MAX, 1},
	{FIELD_TASK_MEMORY, "memory per task", MEMORY_MAX_MB, 0},
	{FIELD_TASK_DISK, "disk per task", MEMORY_MAX_MB, 0},
	{FIELD_TASK_SWAP, "swap per task", MEMORY_MAX_MB, 0},
	{FIELD_EARLIEST, "earliest start", MOMENT_MAX_S, 0},
};
#define NUMBER_ROWS (sizeof number_rows / sizeof number_rows[0])

static const char *const outcome_names[] = {
	[OUTCOME_UNKNOWN] = "[NONE]",
	[OUTCOME_COMPLETED] = "Completed",
	[OUTCOME_REMOVED] = "Removed",
	[OUTCOME_NOT_RUN] = "NotRun",
};
#define OUTCOMES (sizeof outcome_names / sizeof outcome_names[0])

struct reader {
	struct trace *out;
	struct maui_line line;
	uint64_t readable; /* lines that describe a job, including rejected ones */
};

/* --- a line ------------------------------------------------------------------------- */

/* The fields that are names, or lists of which only the first name counts. */
static const struct name_row {
	uint8_t field; /* enum field */
	bool list;
	const char *name;
} name_rows[] = {
	{FIELD_NAME, false, "name"},  {FIELD_USER, false, "user"}, {FIELD_GROUP, false, "group"},
	{FIELD_CLASS, true, "class"}, {FIELD_QOS, true, "QOS"},    {FIELD_ACCOUNT, false, "account"},
};

static bool check_names(struct maui_line *line)
{
	if (maui_is_none(line->word[FIELD_NAME]))
		return maui_line_refuse(line, FIELD_NAME, "name", "is missing");
	for (size_t i = 0; i < sizeof name_rows / sizeof name_rows[0]; i++) {
		const struct name_row *row = &name_rows[i];
		struct span word = line->word[row->field];

		if (!maui_is_name(row->list ? maui_first(word) : word))
			return maui_line_refuse(line, row->field, row->name,
						"is too long or contains control characters");
	}
	return true;
}

/* Returns the number of the first time field with a negative value; 0 if there is none. */
static unsigned negative_moment(const struct maui_line *line)
{
	static const uint8_t moments[] = {FIELD_SUBMIT, FIELD_START, FIELD_COMPLETION};

	for (size_t i = 0; i < sizeof moments; i++)
		if (line->value[moments[i]] < 0)
			return moments[i];
	return 0;
}

static bool read_line(struct reader *r, struct span text)
{
	struct maui_line *line = &r->line;

	if (!maui_line_cut(line, text, FIELD_COUNT, FIELD_COMPLETION, "job") || !check_names(line) ||
	    !maui_line_numbers(line, number_rows, NUMBER_ROWS))
		return false;
	if (negative_moment(line) != 0)
		return maui_line_refuse(line, negative_moment(line), "time", "is negative");
	return line->value[FIELD_COMPLETION] - line->value[FIELD_START] <= DURATION_MAX_S ||
	       maui_line_refuse(line, FIELD_COMPLETION, "completion",
				"is more than ten years after the start");
}

/* --- conversion of a line to a job ------------------------------------------------------------------ */

/* Returns the name; NULL if it equals `none`, the word that stands for no credential. */
static const char *unless(const char *name, const char *none)
{
	return name != NULL && strcmp(name, none) == 0 ? NULL : name;
}

static const char *name_of(struct reader *r, enum field field)
{
	return unless(maui_name(&r->out->arena, r->line.word[field]), CRED_DEFAULT);
}

static const char *first_name(struct reader *r, enum field field)
{
	return unless(maui_name(&r->out->arena, maui_first(r->line.word[field])), CRED_DEFAULT);
}

static enum trace_outcome outcome_of(struct span word)
{
	for (size_t i = 0; i < OUTCOMES; i++)
		if (span_is(word, outcome_names[i]))
			return (enum trace_outcome)i;
	return OUTCOME_UNKNOWN;
}

static int64_t at_least(int64_t number, int64_t least)
{
	return number < least ? least : number;
}

/* Returns a job with the numeric requests of the line. */
static struct job make_job(const struct reader *r, int64_t run_s, int64_t limit_s)
{
	const int64_t *n = r->line.value;

	return (struct job){
		.submit_s = n[FIELD_SUBMIT],
		.not_before_s = n[FIELD_EARLIEST] > 0 ? n[FIELD_EARLIEST] : TIME_NONE,
		.wall_limit_s = limit_s,
		.true_run_s = run_s,
		.start_s = TIME_NONE,
		.planned_s = TIME_NEVER,
		.defer_until_s = TIME_NONE,
		.used_ps = -1,
		.mem_mb = at_least(n[FIELD_TASK_MEMORY], 0),
		.swap_mb = at_least(n[FIELD_TASK_SWAP], 0),
		.disk_mb = at_least(n[FIELD_TASK_DISK], 0),
		.tasks = (uint32_t)n[FIELD_TASKS],
		.task_procs = (uint32_t)at_least(n[FIELD_TASK_PROCS], 1),
		.nodes = (uint32_t)at_least(n[FIELD_NODES], 0),
		.tasks_per_node = (uint32_t)(n[FIELD_TASKS_PER_NODE] > 1 ? n[FIELD_TASKS_PER_NODE] : 0),
	};
}

static const struct job_record *make_record(struct reader *r, const struct job *job)
{
	struct arena *arena = &r->out->arena;
	struct job_record *record = arena_take(arena, sizeof *record);

	*record = (struct job_record){
		.job = *job,
		.cred = {[CRED_USER] = name_of(r, FIELD_USER),
			 [CRED_GROUP] = name_of(r, FIELD_GROUP),
			 [CRED_ACCOUNT] = unless(name_of(r, FIELD_ACCOUNT), "0"),
			 [CRED_QOS] = unless(first_name(r, FIELD_QOS), "0"),
			 [CRED_CLASS] = first_name(r, FIELD_CLASS)},
		.label = maui_name(arena, r->line.word[FIELD_NAME]),
		.features = maui_names(arena, r->line.word[FIELD_FEATURES], false),
		.hosts = maui_names(arena, r->line.word[FIELD_HOSTS], false),
	};
	return record;
}

static void add_job(struct reader *r)
{
	const int64_t *n = r->line.value;
	int64_t run_s = n[FIELD_COMPLETION] - n[FIELD_START];
	int64_t limit_s = at_least(n[FIELD_WALL_LIMIT], 0);
	struct job job;

	if (limit_s > 0 && run_s > limit_s)
		run_s = limit_s;
	r->readable++;
	job = make_job(r, run_s, limit_s);
	if (run_s <= 0 || n[FIELD_TASKS] <= 0 || job_procs(&job) > INT32_MAX) {
		r->out->rejected++;
		return;
	}
	trace_add(r->out, &(struct trace_job){
				  .number = (int64_t)r->readable,
				  .submit_s = job.submit_s,
				  .run_s = run_s,
				  .wall_limit_s = limit_s > 0 ? limit_s : run_s,
				  .mem_mb = job.mem_mb,
				  .record = make_record(r, &job),
				  .procs = (int32_t)job_procs(&job),
				  .user = SWF_NONE,
				  .group = SWF_NONE,
				  .queue = SWF_NONE,
				  .outcome = (uint8_t)outcome_of(r->line.word[FIELD_STATE]),
			  });
}

bool maui_workload_read(const char *file, const char *text, size_t len, struct trace *out, struct err *err)
{
	struct reader r = {.out = out, .line.bad = &out->bad};
	struct span all = {text, text + len}, line;

	*out = (struct trace){.from_epoch = true};
	for (line_skip_mark(&all); line_next(&all, &line);) {
		r.line.number++;
		if (maui_line_counts(line) && read_line(&r, line))
			add_job(&r);
	}
	if (r.readable > 0) {
		trace_finish(out, INT32_MAX);
		return true;
	}
	if (out->bad.count == 0)
		err_set(err, "%s: it contains no jobs, only a version line", file);
	else
		err_set(err,
			"%s: no job could be read; the file must be a Maui workload trace; line %" PRIu32
			": %s",
			file, out->bad.shown[0].line, out->bad.shown[0].why);
	trace_clear(out);
	return false;
}

/* --- writing ------------------------------------------------------------------------------ */

static const char *or_none(const char *name)
{
	return name == NULL ? "[NONE]" : name;
}

/* Writes fields 1 to 22. */
static void write_times(const struct trace_job *job, struct str *out)
{
	const struct job_record *record = job->record;
	const struct job *asks = &record->job;
	int64_t submit_s = job->submit_s;

	str_addf(out, "%s %" PRIu32 " %" PRIu32 " %s %s %" PRId64 " %s ", or_none(record->label), asks->nodes,
		 asks->tasks, or_none(record->cred[CRED_USER]), or_none(record->cred[CRED_GROUP]),
		 asks->wall_limit_s, outcome_names[job->outcome]);
	maui_add_list(out, record->cred[CRED_CLASS], ":1");
	str_addf(out, " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " [NONE] [NONE] [NONE] >= 0 >= 0 ",
		 submit_s, submit_s, submit_s, submit_s + job->run_s);
	maui_add_list(out, record->features, "");
	str_addf(out, " %" PRId64 " %" PRIu32, submit_s, asks->tasks);
}

/* Writes a blank-separated list of names with colons as separators. */
static void write_hosts(const char *names, struct str *out)
{
	size_t len = strcspn(names, " ");

	str_add_bytes(out, names, len);
	while (names[len] != '\0') {
		names += len + 1;
		len = strcspn(names, " ");
		str_add_char(out, ':');
		str_add_bytes(out, names, len);
	}
}

/* Writes fields 23 to 44. */
static void write_rest(const struct trace_job *job, struct str *out)
{
	const struct job_record *record = job->record;
	const struct job *asks = &record->job;
	const char *qos = record->cred[CRED_QOS];

	if (asks->tasks_per_node > 1)
		str_addf(out, " %" PRIu32, asks->tasks_per_node);
	else
		str_add(out, " -1");
	str_addf(out, " %s%s%s", or_none(qos), qos ? ":" : "", qos ? qos : "");
	str_addf(out, " %s %s [NONE] [NONE] 0 0 [DEFAULT]", record->hosts ? "[HOSTLIST]" : "[NONE]",
		 or_none(record->cred[CRED_ACCOUNT]));
	str_addf(out, " %" PRIu32 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " 0 [NONE] [NONE] ",
		 asks->task_procs, asks->mem_mb, asks->disk_mb, asks->swap_mb,
		 asks->not_before_s == TIME_NONE ? 0 : asks->not_before_s);
	write_hosts(or_none(record->hosts), out);
	str_add(out, " [NONE] [NONE] [NONE] [NONE]\n");
}

void maui_workload_write(const struct trace *trace, struct str *out)
{
	str_add(out, "VERSION 230\n");
	for (size_t i = 0; i < trace->count; i++) {
		write_times(&trace->job[i], out);
		write_rest(&trace->job[i], out);
	}
}
