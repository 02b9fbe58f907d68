/* SPDX-License-Identifier: MIT */
/*
 * replay_output.c - schedules, placements and summaries of replays
 *
 * Numbers are formatted without printf, which would take longer than the replay for files of hundreds of
 * thousands of lines.
 */
#include "replay_output.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/base/vec.h"
#include "tui/report/report.h"

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

/* A job name of a Maui trace that contains a comma or a quote is quoted. */
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

/* Positions in the trace by job number, then by line. Release with free(). */
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

enum sum_form {
	SUM_COUNT,
	SUM_SECONDS,
	SUM_DURATION, /* a real number of seconds */
	SUM_SHARE,
	SUM_RATIO
};

/* Fields of a summary with their JSON names and text labels. Text leaves out fields without a label. */
static const struct sum_row {
	const char *name, *label;
	enum sum_form form;
	size_t offset;
} sum_rows[] = {
	{"jobs", "jobs", SUM_COUNT, offsetof(struct replay_summary, jobs)},
	{"rejected", "rejected", SUM_COUNT, offsetof(struct replay_summary, rejected)},
	{"bad_lines", "bad lines", SUM_COUNT, offsetof(struct replay_summary, bad_lines)},
	{"not_started", "not started", SUM_COUNT, offsetof(struct replay_summary, not_started)},
	{"first_submit", NULL, SUM_SECONDS, offsetof(struct replay_summary, first_submit_s)},
	{"makespan_s", "makespan", SUM_SECONDS, offsetof(struct replay_summary, makespan_s)},
	{"utilization", "utilization", SUM_SHARE, offsetof(struct replay_summary, utilization)},
	{"mean_wait_s", "mean wait", SUM_DURATION, offsetof(struct replay_summary, mean_wait_s)},
	{"median_wait_s", "median wait", SUM_DURATION, offsetof(struct replay_summary, median_wait_s)},
	{"p95_wait_s", "95 % wait at most", SUM_DURATION, offsetof(struct replay_summary, p95_wait_s)},
	{"mean_bounded_slowdown", "mean bounded slowdown", SUM_RATIO,
	 offsetof(struct replay_summary, mean_bounded_slowdown)},
	{"mean_xfactor", "mean xfactor", SUM_RATIO, offsetof(struct replay_summary, mean_xfactor)},
	{"backfilled", "backfilled", SUM_COUNT, offsetof(struct replay_summary, backfilled)},
	{"cycles", "passes", SUM_COUNT, offsetof(struct replay_summary, cycles)},
};

#define SUM_ROWS (sizeof sum_rows / sizeof sum_rows[0])

/* Counts of a replay are exact in a double. */
static double sum_value(const struct replay_summary *sum, const struct sum_row *row)
{
	const void *at = (const char *)sum + row->offset;

	switch (row->form) {
	case SUM_COUNT:
		return (double)*(const uint64_t *)at;
	case SUM_SECONDS:
		return (double)*(const int64_t *)at;
	default:
		return *(const double *)at;
	}
}

static void hash_text(char text[static 17], uint64_t hash)
{
	static const char digit[] = "0123456789abcdef";

	for (int i = 0; i < 16; i++)
		text[i] = digit[(hash >> (60 - 4 * i)) & 15];
	text[16] = '\0';
}

void replay_json_values(const struct replay_summary *sum, struct json *j)
{
	for (size_t i = 0; i < SUM_ROWS; i++) {
		const struct sum_row *row = &sum_rows[i];

		if (row->form == SUM_COUNT || row->form == SUM_SECONDS)
			json_int(j, row->name, (int64_t)sum_value(sum, row));
		else
			json_real(j, row->name, sum_value(sum, row));
	}
}

void replay_json_summary(const struct replay_summary *sum, const struct replay_cost *cost, struct json *j)
{
	char hash[17];

	replay_json_values(sum, j);
	hash_text(hash, sum->decisions_hash);
	json_text(j, "decisions_hash", hash);
	json_real(j, "elapsed_s", cost->elapsed_s);
	json_int(j, "peak_rss_kb", cost->peak_rss_kb);
}

void replay_json_compared(const struct replay_compared *c, struct json *j)
{
	json_text(j, "config", c->other_name);
	replay_json_values(&c->other, j);
	json_open(j, "difference", '{');
	for (size_t i = 0; i < SUM_ROWS; i++)
		json_real(j, sum_rows[i].name,
			  sum_value(&c->other, &sum_rows[i]) - sum_value(&c->sum, &sum_rows[i]));
	json_close(j);
}

/* sign is "+" for a difference, else "". */
static void cell_duration(struct report *r, double seconds, bool exact, const char *sign)
{
	char text[DURATION_TEXT];

	duration_text(text, (int64_t)seconds);
	if (exact)
		report_cellf(r, "%s%s  (%s%.1f s)", seconds > 0 ? sign : "", text, seconds > 0 ? sign : "",
			     seconds);
	else
		report_cellf(r, "%s%s", seconds > 0 ? sign : "", text);
}

static void cell_value(struct report *r, enum sum_form form, double value, bool exact, const char *sign)
{
	switch (form) {
	case SUM_COUNT:
		report_cellf(r, "%s%.0f", value > 0 ? sign : "", value);
		break;
	case SUM_SECONDS:
	case SUM_DURATION:
		cell_duration(r, value, exact, sign);
		break;
	case SUM_SHARE:
		report_cellf(r, "%s%.2f %%", value > 0 ? sign : "", 100 * value);
		break;
	case SUM_RATIO:
		report_cellf(r, "%s%.2f", value > 0 ? sign : "", value);
		break;
	}
}

static void cell_label(struct report *r, const struct sum_row *row, const char *passes)
{
	report_cell(r, row->offset == offsetof(struct replay_summary, cycles) ? passes : row->label);
}

void replay_print_summary(const struct replay_summary *sum, const struct replay_cost *cost,
			  const char *passes, struct str *out)
{
	static const struct report_column columns[] = {{"", TEXT_LEFT}, {"", TEXT_LEFT}};
	struct report r = {.column = columns, .columns = 2, .no_titles = true};
	char hash[17];

	for (size_t i = 0; i < SUM_ROWS; i++) {
		if (!sum_rows[i].label)
			continue;
		cell_label(&r, &sum_rows[i], passes);
		cell_value(&r, sum_rows[i].form, sum_value(sum, &sum_rows[i]), true, "");
	}
	hash_text(hash, sum->decisions_hash);
	report_cell(&r, "decisions hash");
	report_cell(&r, hash);
	report_cell(&r, "took");
	report_cellf(&r, "%.3f s, %.0f jobs a second, %" PRId64 " kB", cost->elapsed_s,
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

	for (size_t i = 0; i < SUM_ROWS; i++) {
		const struct sum_row *row = &sum_rows[i];
		double value = sum_value(&c->sum, row), other = sum_value(&c->other, row);

		if (!row->label)
			continue;
		cell_label(&r, row, c->passes);
		cell_value(&r, row->form, value, false, "");
		cell_value(&r, row->form, other, false, "");
		cell_value(&r, row->form, other - value, false, "+");
	}
	report_print(&r, 0, true, out);
	report_free(&r);
}
