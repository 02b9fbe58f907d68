/* SPDX-License-Identifier: MIT */
/*
 * replay_output.c - schedules, placements and summaries of replays
 *
 * Numbers are formatted without printf, which would take longer than the replay itself for files of hundreds
 * of thousands of lines.
 */
#include "replay_output.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "tui/report/field.h"

static void add_number(struct str *out, int64_t value)
{
	char text[24], *at = text + sizeof text;
	uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	do
		*--at = (char)('0' + left % 10);
	while (left /= 10);
	if (value < 0)
		*--at = '-';
	str_add_bytes(out, at, (size_t)(text + sizeof text - at));
}

static void add_moment(struct str *out, int64_t at_s)
{
	str_add_char(out, ',');
	if (at_s != TIME_NONE)
		add_number(out, at_s);
}

/* Appends the name of a job, quoted if it contains a comma or a quote, which names in Maui traces may. */
static void add_name(struct str *out, const struct trace_job *job)
{
	char number[TRACE_NAME_TEXT];
	const char *name = trace_job_name(job, number);

	if (!strpbrk(name, ",\"")) {
		str_add(out, name);
		return;
	}
	str_add_char(out, '"');
	for (; *name != '\0'; name++) {
		if (*name == '"')
			str_add_char(out, '"');
		str_add_char(out, *name);
	}
	str_add_char(out, '"');
}

/* --- schedules in order of job number ----------------------------------------------------------------- */

struct place {
	int64_t number;
	uint32_t order, position;
};

static int by_number(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/*
 * Returns the positions of the jobs in the trace, ordered by job number, then by line; the caller frees them.
 */
static struct place *in_order(const struct trace *trace)
{
	struct place *place = mem_alloc(trace->count * sizeof *place);
	bool sorted = true;

	for (size_t i = 0; i < trace->count; i++) {
		place[i] = (struct place){trace->job[i].number, trace->job[i].order, (uint32_t)i};
		sorted = sorted && (i == 0 || by_number(&place[i - 1], &place[i]) <= 0);
	}
	if (!sorted)
		qsort(place, trace->count, sizeof *place, by_number);
	return place;
}

void replay_print_starts(const struct trace *trace, const struct replay *replay, struct str *out)
{
	const struct replay_record *record = replay_records(replay);
	struct place *place = in_order(trace);

	str_add(out, "job,submit,start,end,procs\n");
	for (size_t i = 0; i < trace->count; i++) {
		const struct trace_job *job = &trace->job[place[i].position];

		add_name(out, job);
		add_moment(out, job->submit_s);
		add_moment(out, record[place[i].position].start_s);
		add_moment(out, record[place[i].position].end_s);
		add_moment(out, job->procs);
		str_add_char(out, '\n');
	}
	free(place);
}

static void add_run(const struct snapshot *s, const struct alloc_run *run, const char **between,
		    struct str *out)
{
	for (uint32_t n = run->node; n < run->node + run->nodes; n++) {
		str_add(out, *between);
		str_add(out, snapshot_string(s, snapshot_nodes(s)[n].name));
		str_add_char(out, '*');
		add_number(out, run->procs);
		*between = " ";
	}
}

void replay_print_placement(const struct trace *trace, struct replay *replay, struct str *out)
{
	const struct snapshot *s = driver_view(replay_driver(replay));
	const struct alloc_run *runs = replay_runs(replay);
	struct place *place = in_order(trace);

	str_add(out, "job,nodes\n");
	for (size_t i = 0; i < trace->count; i++) {
		const struct replay_record *record = &replay_records(replay)[place[i].position];
		const char *between = ",";

		add_name(out, &trace->job[place[i].position]);
		if (record->run_count == 0)
			str_add_char(out, ',');
		for (uint32_t r = 0; r < record->run_count; r++)
			add_run(s, &runs[record->first_run + r], &between, out);
		str_add_char(out, '\n');
	}
	free(place);
}

/* --- the summary -------------------------------------------------------------------------------------- */

/* The text shows only the fields that have a label. */
const struct field replay_summary_fields[] = {
	{"jobs", "jobs", FIELD_COUNT, FIELD_AT(struct replay_summary, jobs)},
	{"rejected", "rejected", FIELD_COUNT, FIELD_AT(struct replay_summary, rejected)},
	{"bad_lines", "bad lines", FIELD_COUNT, FIELD_AT(struct replay_summary, bad_lines)},
	{"not_started", "not started", FIELD_COUNT, FIELD_AT(struct replay_summary, not_started)},
	{"first_submit", NULL, FIELD_INSTANT, FIELD_AT(struct replay_summary, first_submit_s)},
	{"makespan_s", "makespan", FIELD_DURATION, FIELD_AT(struct replay_summary, makespan_s)},
	{"utilization", "utilization", FIELD_SHARE, FIELD_AT(struct replay_summary, utilization)},
	{"mean_wait_s", "mean wait", FIELD_SECONDS, FIELD_AT(struct replay_summary, mean_wait_s)},
	{"median_wait_s", "median wait", FIELD_SECONDS, FIELD_AT(struct replay_summary, median_wait_s)},
	{"p95_wait_s", "95 % wait at most", FIELD_SECONDS, FIELD_AT(struct replay_summary, p95_wait_s)},
	{"mean_bounded_slowdown", "mean bounded slowdown", FIELD_REAL,
	 FIELD_AT(struct replay_summary, mean_bounded_slowdown)},
	{"mean_xfactor", "mean xfactor", FIELD_REAL, FIELD_AT(struct replay_summary, mean_xfactor)},
	{"backfilled", "backfilled", FIELD_COUNT, FIELD_AT(struct replay_summary, backfilled)},
	{"cycles", "passes", FIELD_COUNT, FIELD_AT(struct replay_summary, cycles)},
	{0}};

struct replay_summary replay_difference(const struct replay_summary *sum, const struct replay_summary *other)
{
	return (struct replay_summary){
		.jobs = other->jobs - sum->jobs,
		.rejected = other->rejected - sum->rejected,
		.bad_lines = other->bad_lines - sum->bad_lines,
		.not_started = other->not_started - sum->not_started,
		.first_submit_s = other->first_submit_s - sum->first_submit_s,
		.makespan_s = other->makespan_s - sum->makespan_s,
		.utilization = other->utilization - sum->utilization,
		.mean_wait_s = other->mean_wait_s - sum->mean_wait_s,
		.median_wait_s = other->median_wait_s - sum->median_wait_s,
		.p95_wait_s = other->p95_wait_s - sum->p95_wait_s,
		.mean_bounded_slowdown = other->mean_bounded_slowdown - sum->mean_bounded_slowdown,
		.mean_xfactor = other->mean_xfactor - sum->mean_xfactor,
		.backfilled = other->backfilled - sum->backfilled,
		.cycles = other->cycles - sum->cycles,
	};
}
static void hash_text(char text[static 17], uint64_t hash)
{
	static const char digit[] = "0123456789abcdef";

	for (int i = 0; i < 16; i++)
		text[i] = digit[(hash >> (60 - 4 * i)) & 15];
	text[16] = '\0';
}

const struct field replay_printed_fields[] = {
	{.type = FIELD_MEMBERS, FIELD_TO(struct replay_printed, sum), .of = replay_summary_fields},
	{"decisions_hash", NULL, FIELD_TEXT, FIELD_AT(struct replay_printed, hash)},
	{"elapsed_s", NULL, FIELD_REAL, FIELD_AT(struct replay_printed, cost.elapsed_s)},
	{"peak_rss_kb", NULL, FIELD_COUNT, FIELD_AT(struct replay_printed, cost.peak_rss_kb)},
	{0}};

struct replay_printed replay_printed(const struct replay_summary *sum, const struct replay_cost *cost)
{
	struct replay_printed printed = {.sum = sum, .cost = *cost};

	hash_text(printed.hash, sum->decisions_hash);
	return printed;
}

const struct field replay_compared_fields[] = {
	{"config", NULL, FIELD_TEXT, FIELD_AT(struct replay_compared, other_name)},
	{.type = FIELD_MEMBERS, FIELD_AT(struct replay_compared, other), .of = replay_summary_fields},
	{"difference", NULL, FIELD_OBJECT, FIELD_AT(struct replay_compared, difference),
	 .of = replay_summary_fields},
	{0}};

/*
 * Adds a cell with the value of a field. exact: durations are also given in seconds. sign: "+" to mark
 * positive differences, else "".
 */
static void cell_value(struct report *r, const struct field *f, const struct replay_summary *sum, bool exact,
		       const char *sign)
{
	bool is_duration = f->type == FIELD_DURATION || f->type == FIELD_SECONDS;
	struct value v = {.text = NULL};
	struct str text = {0};

	field_value(f, sum, &v);
	sign = v.real > 0 ? sign : "";
	field_cell(f, sum, &text);
	if (exact && is_duration)
		report_cellf(r, "%s%s  (%s%.1f s)", sign, str_text(&text), sign, v.real);
	else
		report_cellf(r, "%s%s", sign, str_text(&text));
	str_free(&text);
}

static void cell_label(struct report *r, const struct field *f, const char *passes)
{
	report_cell(r, f->offset == offsetof(struct replay_summary, cycles) ? passes : f->title);
}

void replay_print_summary(const struct replay_summary *sum, const struct replay_cost *cost,
			  const char *passes, struct str *out)
{
	static const struct report_column columns[] = {{"", TEXT_LEFT}, {"", TEXT_LEFT}};
	struct report r = {.column = columns, .columns = 2, .no_titles = true};
	const struct replay_printed printed = replay_printed(sum, cost);

	for (const struct field *f = replay_summary_fields; !field_is_last(f); f++)
		if (f->title != NULL) {
			cell_label(&r, f, passes);
			cell_value(&r, f, sum, true, "");
		}
	report_cell(&r, "decisions hash");
	report_cell(&r, printed.hash);
	report_cell(&r, "took");
	report_cellf(&r, "%.3f s, %.0f jobs per second, %" PRId64 " kB", cost->elapsed_s,
		     cost->elapsed_s > 0 ? (double)sum->jobs / cost->elapsed_s : 0, cost->peak_rss_kb);
	report_print(&r, 0, true, out);
	report_free(&r);
}

void replay_print_compared(const struct replay_compared *c, struct str *out)
{
	const struct report_column columns[] = {{"", TEXT_LEFT},
						{c->name, TEXT_RIGHT},
						{c->other_name, TEXT_RIGHT},
						{"difference", TEXT_RIGHT}};
	struct report r = {.column = columns, .columns = 4};

	for (const struct field *f = replay_summary_fields; !field_is_last(f); f++) {
		if (f->title == NULL)
			continue;
		cell_label(&r, f, c->passes);
		cell_value(&r, f, &c->sum, false, "");
		cell_value(&r, f, &c->other, false, "");
		cell_value(&r, f, &c->difference, false, "+");
	}
	report_print(&r, 0, true, out);
	report_free(&r);
}
