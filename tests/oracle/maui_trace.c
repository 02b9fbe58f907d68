/* SPDX-License-Identifier: MIT */
/*
 * maui_trace.c - schedules of whole workloads, compared with those of the original
 *
 * The traces of the original and the outcome of every job are in ../shared/cases, next to the sources;
 * if they do not exist, the comparison is reported as skipped. Without backfill every job
 * starts and ends in the same pass and on the same nodes. With backfill Kahu binds reservations to nodes
 * late (requirements M-11), so only the mean wait is compared: at most 10 % more than the original's.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/host/files.h"
#include "sched/host/replay.h"
#include "sched/trace/maui_resource.h"
#include "sched/trace/maui_workload.h"

#define T0     INT64_C(1699920000)
#define POLL_S 60

static const struct workload_case {
	const char *name, *config;
	bool job_by_job;
} cases[] = {
	{"21-trace-nobf", "backfillpolicy = none\n", true},
	{"21-trace-fifo", "", false},
};

/* The start and end of one job, in seconds after T0, and its nodes. */
struct outcome {
	char name[64];
	int64_t submit_s, start_s, end_s;
	struct str nodes; /* "n032:n031", the last node first */
};

struct run {
	struct trace trace;
	struct maui_resource machine;
	struct outcome *expected;
	size_t count, room;
	struct replay *replay;
	struct err err;
};

/* --- reading ------------------------------------------------------------------------------- */

static bool read_text(const char *name, const char *file, struct str *out, struct err *err)
{
	const char *source = getenv("KAHU_SOURCE");
	struct str path = {0};
	bool ok;

	str_addf(&path, "%s/../shared/cases/%s/%s", source ? source : ".", name, file);
	ok = file_read(str_text(&path), (size_t)1 << 30, out, err);
	str_free(&path);
	return ok;
}

/* The nine fields of a line: job tasks user submit start end flags bypass hosts. */
static bool read_outcome(char *line, struct outcome *o)
{
	char *field[9], *rest = line;

	for (int i = 0; i < 9; i++) {
		field[i] = strtok_r(rest, "\t ", &rest);
		if (field[i] == NULL)
			return false;
	}
	snprintf(o->name, sizeof o->name, "%s", field[0]);
	o->submit_s = strtoll(field[3], NULL, 10);
	o->start_s = strtoll(field[4], NULL, 10);
	o->end_s = strtoll(field[5], NULL, 10);
	str_add(&o->nodes, field[8]);
	return true;
}

static void read_expected(struct run *r, char *text)
{
	for (char *line = text, *next; line && *line; line = next) {
		struct outcome o = {.name = ""};

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (line[0] == '#' || !read_outcome(line, &o))
			continue;
		r->expected = vec_room(r->expected, &r->room, r->count + 1, sizeof *r->expected);
		r->expected[r->count++] = o;
	}
}

static bool read_case(const struct workload_case *c, struct run *r)
{
	struct str work = {0}, machine = {0}, expected = {0};
	bool ok =
		read_text(c->name, "workload.trace", &work, &r->err) &&
		read_text(c->name, "resource.trace", &machine, &r->err) &&
		read_text(c->name, "expected.txt", &expected, &r->err) &&
		maui_resource_read("resource.trace", str_text(&machine), machine.len, &r->machine, &r->err) &&
		maui_workload_read("workload.trace", str_text(&work), work.len, &r->trace, &r->err);

	if (ok)
		read_expected(r, expected.data);
	str_free(&work);
	str_free(&machine);
	str_free(&expected);
	return ok;
}

/* --- running and comparing ------------------------------------------------------------------- */

static bool run_case(const struct workload_case *c, struct run *r)
{
	struct replay_setup setup = {
		.trace = &r->trace,
		.cluster = {.nodes = (uint32_t)r->machine.count, .node = r->machine.node},
		.config_file = "case.conf",
		.config_text = c->config,
		.poll_s = POLL_S,
		.keep_runs = true,
		.until_s = TIME_NEVER,
	};

	r->replay = replay_new(&setup, (struct ledger){0}, &r->err);
	return r->replay && replay_run(r->replay, TIME_NEVER, &r->err);
}

static void add_nodes(const struct run *r, const struct replay_record *record, struct str *out)
{
	const struct snapshot *s = driver_view(replay_driver(r->replay));
	uint32_t count = snapshot_count(s, TABLE_NODES);
	bool *has = mem_zero(count, sizeof *has);

	for (uint32_t i = 0; i < record->run_count; i++) {
		const struct alloc_run *run = &replay_runs(r->replay)[record->first_run + i];

		for (uint32_t n = run->node; n < run->node + run->nodes; n++)
			has[n] = true;
	}
	for (uint32_t n = count; n-- > 0;)
		if (has[n])
			str_addf(out, "%s%s", out->len > 0 ? ":" : "",
				 snapshot_string(s, snapshot_nodes(s)[n].name));
	free(has);
}

/* The outcome in the original of the job at a position of the trace; NULL: it has none. */
static const struct outcome *find_expected(const struct run *r, size_t position)
{
	char number[TRACE_NAME_TEXT];
	const char *name = trace_job_name(&r->trace.job[position], number);

	for (size_t i = 0; i < r->count; i++)
		if (strcmp(r->expected[i].name, name) == 0)
			return &r->expected[i];
	return NULL;
}

static bool same_outcome(const struct run *r, size_t position, const struct outcome *expected)
{
	const struct replay_record *record = &replay_records(r->replay)[position];
	struct str nodes = {0};
	bool same = record->start_s - T0 == expected->start_s && record->end_s - T0 == expected->end_s;

	add_nodes(r, record, &nodes);
	same = same && strcmp(str_text(&nodes), str_text(&expected->nodes)) == 0;
	if (!same)
		printf("# %s runs from %" PRId64 " to %" PRId64 " on %s, in the original from %" PRId64
		       " to %" PRId64 " on %s\n",
		       expected->name, record->start_s - T0, record->end_s - T0, str_text(&nodes),
		       expected->start_s, expected->end_s, str_text(&expected->nodes));
	str_free(&nodes);
	return same;
}

static bool check_jobs(const struct run *r)
{
	for (size_t i = 0; i < r->trace.count; i++) {
		const struct outcome *expected = find_expected(r, i);

		if (!expected || !same_outcome(r, i, expected))
			return false;
	}
	return r->trace.count == r->count;
}

static bool check_wait(const struct run *r)
{
	struct replay_summary sum;
	double theirs = 0;

	replay_summarise(r->replay, &sum);
	for (size_t i = 0; i < r->count; i++)
		theirs += (double)(r->expected[i].start_s - r->expected[i].submit_s) / (double)r->count;
	printf("# mean wait %.1f s, in the original %.1f s\n", sum.mean_wait_s, theirs);
	return r->count > 0 && sum.jobs == r->count && sum.mean_wait_s <= 1.1 * theirs;
}

static void clear_run(struct run *r)
{
	for (size_t i = 0; i < r->count; i++)
		str_free(&r->expected[i].nodes);
	free(r->expected);
	replay_free(r->replay);
	trace_clear(&r->trace);
	maui_resource_clear(&r->machine);
}

static int check_case(const struct workload_case *c)
{
	const char *what =
		c->job_by_job ? "every job runs as in the original" : "the mean wait is at most 10 % longer";
	struct run r = {.count = 0};
	bool good;

	if (!read_case(c, &r)) {
		printf("ok %s: %s # SKIP %s\n", c->name, what, r.err.text);
		clear_run(&r);
		return 0;
	}
	good = run_case(c, &r) && (c->job_by_job ? check_jobs(&r) : check_wait(&r));
	if (r.err.text[0])
		printf("# %s\n", r.err.text);
	printf("%s %s: %s\n", good ? "ok" : "not ok", c->name, what);
	clear_run(&r);
	return !good;
}

int main(void)
{
	int failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		failed += check_case(&cases[i]);
	return failed > 0;
}
