/* SPDX-License-Identifier: MIT */
/*
 * archive.c - replays of real logs, compared job by job with reference schedules
 *
 * The logs of the Parallel Workloads Archive and their schedules are not part of the
 * project: they are read from ../shared/traces, next to the sources, and the comparison
 * is reported as skipped if they do not exist.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/host/arrivals.h"
#include "sched/host/replay.h"
#include "sched/trace/swf.h"

static const char *const logs[] = {"SDSC-SP2-1998-4.2-cln", "NASA-iPSC-1993-3.1-cln", "lublin_256"};
static const char *const policies[] = {"fcfs", "easy", "conservative"};

static struct str path_of(const char *folder, const char *name, const char *ending)
{
	const char *source = getenv("KAHU_SOURCE");
	struct str path = {0};

	str_addf(&path, "%s/../shared/traces/%s%s%s", source ? source : ".", folder, name, ending);
	return path;
}

/* The unpacked text of a .gz file. */
static bool unpack(const struct str *path, struct str *out)
{
	struct str command = {0};
	char piece[1 << 16];
	size_t n;
	FILE *pipe;

	str_addf(&command, "gzip -dc '%s'", str_text(path));
	pipe = popen(str_text(&command), "r"); /* NOLINT(cert-env33-c): the path is not user input */
	str_free(&command);
	if (!pipe)
		return false;
	while ((n = fread(piece, 1, sizeof piece, pipe)) > 0)
		str_add_bytes(out, piece, n);
	return pclose(pipe) == 0;
}

/* One job in the order of the schedules: by number, then as in the file. */
struct row {
	const struct trace_job *job;
	const struct replay_record *record;
};

static int by_number(const void *left, const void *right)
{
	const struct trace_job *a = ((const struct row *)left)->job;
	const struct trace_job *b = ((const struct row *)right)->job;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static struct row *sorted_rows(const struct trace *trace, const struct replay *r)
{
	struct row *row = mem_alloc(trace->count * sizeof *row);

	for (size_t i = 0; i < trace->count; i++)
		row[i] = (struct row){&trace->job[i], &replay_records(r)[i]};
	qsort(row, trace->count, sizeof *row, by_number);
	return row;
}

/* Writes the schedule of a replay in the format of the reference schedules. */
static void write_starts(const struct trace *trace, const struct replay *r, struct str *out)
{
	struct row *row = sorted_rows(trace, r);

	str_add(out, "job,submit,start,end,procs\n");
	for (size_t i = 0; i < trace->count; i++)
		str_addf(out, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId32 "\n",
			 row[i].job->number, row[i].job->submit_s, row[i].record->start_s,
			 row[i].record->end_s, row[i].job->procs);
	free(row);
}

static bool same_text(const char *ours, const char *theirs)
{
	for (int line = 1;; line++) {
		size_t our_len = strcspn(ours, "\n");
		size_t their_len = strcspn(theirs, "\n");

		if (our_len != their_len || memcmp(ours, theirs, our_len) != 0) {
			printf("# line %d: replay has '%.*s', the reference '%.*s'\n", line, (int)our_len,
			       ours, (int)their_len, theirs);
			return false;
		}
		if (!ours[our_len] || !theirs[their_len])
			return ours[our_len] == theirs[their_len];
		ours += our_len + 1;
		theirs += their_len + 1;
	}
}

static bool schedule_is(const struct trace *trace, const char *policy, const char *expected)
{
	struct replay_setup setup = {.trace = trace,
				     .config_file = policy,
				     .config_text = replay_preset(policy),
				     .until_s = TIME_NEVER};
	struct str starts = {0};
	struct err err = {{0}};
	struct replay *r;
	bool same;

	cluster_of_trace(trace, &setup.cluster);
	r = replay_new(&setup, (struct ledger){0}, &err);
	if (!r || !replay_run(r, TIME_NEVER, &err)) {
		printf("# %s\n", err.text);
		replay_free(r);
		return false;
	}
	write_starts(trace, r, &starts);
	same = same_text(str_text(&starts), expected);
	str_free(&starts);
	replay_free(r);
	return same;
}

static bool check_policy(const struct trace *trace, const char *log, const char *policy)
{
	struct str ending = {0};
	struct str path;
	struct str expected = {0};
	bool good;

	str_addf(&ending, "-%s.csv.gz", policy);
	path = path_of("expected/", log, str_text(&ending));
	good = unpack(&path, &expected) && schedule_is(trace, policy, str_text(&expected));
	printf("%s %s: every job of %s starts as in the reference schedule\n", good ? "ok" : "not ok", policy,
	       log);
	str_free(&expected);
	str_free(&path);
	str_free(&ending);
	return good;
}

static int check_log(const char *log)
{
	struct str path = path_of("", log, ".swf.gz");
	struct str text = {0};
	struct trace trace;
	struct err err = {{0}};
	int failed = 0;

	if (access(str_text(&path), R_OK) != 0) {
		printf("ok %s is replayed as in the reference schedules # SKIP there is no %s\n", log,
		       str_text(&path));
	} else if (!unpack(&path, &text) || !swf_read(log, str_text(&text), text.len, 0, &trace, &err)) {
		printf("not ok %s is read: %s\n", log, err.text);
		failed++;
	} else {
		for (size_t p = 0; p < sizeof policies / sizeof policies[0]; p++)
			failed += !check_policy(&trace, log, policies[p]);
		trace_clear(&trace);
	}
	str_free(&text);
	str_free(&path);
	return failed;
}

int main(void)
{
	int failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++)
		failed += check_log(logs[i]);
	return failed > 0;
}
