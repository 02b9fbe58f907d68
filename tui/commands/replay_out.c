/* SPDX-License-Identifier: MIT */
/*
 * replay_out.c - what does a replay hand over?
 *
 * Files of hundreds of thousands of lines are put together by hand: printf would take
 * longer than the schedule they tell about.
 */
#include "replay_out.h"

#include <inttypes.h>
#include <stdlib.h>

#include "report.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/base/vec.h"

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

/* --- in the order of the log's numbers ----------------------------------------------------- */

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

/* Positions in the trace by job number, then by place in the file; free() it. */
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

		add_number(out, job->number);
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

		add_number(out, place[i].number);
		if (record->run_count == 0)
			str_add_char(out, ',');
		for (uint32_t r = 0; r < record->run_count; r++)
			add_run(s, &runs[record->first_run + r], &between, out);
		str_add_char(out, '\n');
	}
	free(place);
}

/* --- the summary ---------------------------------------------------------------------------- */

static void hash_text(char text[static 17], uint64_t hash)
{
	static const char digit[] = "0123456789abcdef";

	for (int i = 0; i < 16; i++)
		text[i] = digit[(hash >> (60 - 4 * i)) & 15];
	text[16] = '\0';
}

void replay_json_summary(const struct replay_summary *sum, const struct replay_cost *cost, struct json *j)
{
	char hash[17];

	hash_text(hash, sum->decisions_hash);
	json_int(j, "jobs", (int64_t)sum->jobs);
	json_int(j, "rejected", (int64_t)sum->rejected);
	json_int(j, "bad_lines", (int64_t)sum->bad_lines);
	json_int(j, "first_submit", sum->first_submit_s);
	json_int(j, "makespan_s", sum->makespan_s);
	json_real(j, "utilization", sum->utilization);
	json_real(j, "mean_wait_s", sum->mean_wait_s);
	json_real(j, "median_wait_s", sum->median_wait_s);
	json_real(j, "p95_wait_s", sum->p95_wait_s);
	json_real(j, "mean_bounded_slowdown", sum->mean_bounded_slowdown);
	json_real(j, "mean_xfactor", sum->mean_xfactor);
	json_int(j, "backfilled", (int64_t)sum->backfilled);
	json_int(j, "cycles", (int64_t)sum->cycles);
	json_text(j, "decisions_hash", hash);
	json_real(j, "elapsed_s", cost->elapsed_s);
	json_int(j, "peak_rss_kb", cost->peak_rss_kb);
}

static void row_count(struct report *r, const char *what, uint64_t count)
{
	report_cell(r, what);
	report_cellf(r, "%" PRIu64, count);
}

static void row_duration(struct report *r, const char *what, double seconds)
{
	char text[DURATION_TEXT];

	report_cell(r, what);
	report_cellf(r, "%s  (%.1f s)", duration_text(text, (int64_t)seconds), seconds);
}

void replay_print_summary(const struct replay_summary *sum, const struct replay_cost *cost, struct str *out)
{
	static const struct report_column columns[] = {{"", TEXT_LEFT}, {"", TEXT_LEFT}};
	struct report r = {.column = columns, .columns = 2, .no_titles = true};
	char hash[17];

	hash_text(hash, sum->decisions_hash);
	row_count(&r, "jobs", sum->jobs);
	row_count(&r, "rejected", sum->rejected);
	row_count(&r, "bad lines", sum->bad_lines);
	row_duration(&r, "makespan", (double)sum->makespan_s);
	report_cell(&r, "utilization");
	report_cellf(&r, "%.2f %%", 100 * sum->utilization);
	row_duration(&r, "mean wait", sum->mean_wait_s);
	row_duration(&r, "median wait", sum->median_wait_s);
	row_duration(&r, "95 % wait at most", sum->p95_wait_s);
	report_cell(&r, "mean bounded slowdown");
	report_cellf(&r, "%.2f", sum->mean_bounded_slowdown);
	report_cell(&r, "mean xfactor");
	report_cellf(&r, "%.2f", sum->mean_xfactor);
	row_count(&r, "backfilled", sum->backfilled);
	row_count(&r, "passes", sum->cycles);
	report_cell(&r, "decisions hash");
	report_cell(&r, hash);
	report_cell(&r, "took");
	report_cellf(&r, "%.3f s, %.0f jobs a second, %" PRId64 " kB", cost->elapsed_s,
		     cost->elapsed_s > 0 ? (double)sum->jobs / cost->elapsed_s : 0, cost->peak_rss_kb);
	report_print(&r, 0, true, out);
	report_free(&r);
}
