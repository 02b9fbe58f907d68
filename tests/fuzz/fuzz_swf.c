/* SPDX-License-Identifier: MIT */
/*
 * fuzz_swf.c - logs in the standard workload format: an accepted job has valid values
 */
#include <stdint.h>
#include <stdlib.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/trace/swf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void check_job(const struct trace *t, size_t i)
{
	const struct trace_job *job = &t->job[i];

	must(job->submit_s >= 0 && job->run_s > 0 && job->run_s <= job->wall_limit_s);
	must(job->procs > 0 && job->mem_mb >= 0);
	must(job->order < t->count);
	must(i == 0 || job[-1].submit_s < job->submit_s ||
	     (job[-1].submit_s == job->submit_s && job[-1].order < job->order));
}

/* An accepted log is equal after it is written and read again. */
static void check_round_trip(const struct trace *t)
{
	struct str text = {0};
	struct trace again;

	swf_write(t, &text);
	must(swf_read("again", str_text(&text), text.len, INT32_MAX, &again, NULL) == (t->count > 0));
	must(again.count == t->count && again.bad.count == 0 && again.rejected == 0);
	for (size_t i = 0; i < again.count; i++)
		must(again.job[i].number == t->job[i].number && again.job[i].run_s == t->job[i].run_s &&
		     again.job[i].procs == t->job[i].procs && again.job[i].mem_mb == t->job[i].mem_mb);
	trace_clear(&again);
	str_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace t;
	struct err err = {{0}};

	if (!swf_read("fuzz", (const char *)data, size, size % 3 == 0 ? 64 : 0, &t, &err)) {
		must(err.text[0] != '\0' && t.job == NULL);
		return 0;
	}
	must(t.bad.shown_count == (t.bad.count < BAD_LINES_SHOWN ? t.bad.count : BAD_LINES_SHOWN));
	for (size_t i = 0; i < t.count; i++)
		check_job(&t, i);
	check_round_trip(&t);
	trace_clear(&t);
	return 0;
}
