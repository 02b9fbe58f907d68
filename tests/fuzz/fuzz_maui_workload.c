/* SPDX-License-Identifier: MIT */
/*
 * fuzz_maui_workload.c - Maui's workload traces: an accepted job has valid values
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/state/state.h"
#include "sched/trace/maui_text.h"
#include "sched/trace/maui_workload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void check_job(const struct trace *t, size_t i)
{
	const struct trace_job *job = &t->job[i];
	const struct job *asks = &job->record->job;

	must(job->submit_s >= 0 && job->run_s > 0 && job->run_s <= job->wall_limit_s);
	must(asks->tasks > 0 && asks->task_procs > 0 && job_procs(asks) == job->procs);
	must(asks->mem_mb >= 0 && asks->swap_mb >= 0 && asks->disk_mb >= 0 && asks->tasks_per_node != 1);
	must(job->record->label != NULL && job->record->label[0] != '\0');
	must(i == 0 || job[-1].submit_s < job->submit_s ||
	     (job[-1].submit_s == job->submit_s && job[-1].order < job->order));
}

static bool same_text(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* An accepted trace is equal after it is written and read again. */
static void check_round_trip(const struct trace *t)
{
	struct str text = {0};
	struct trace again;

	maui_workload_write(t, &text);
	must(maui_begins(str_text(&text), text.len));
	must(maui_workload_read("again", str_text(&text), text.len, &again, NULL) == (t->count > 0));
	must(again.count == t->count && again.bad.count == 0 && again.rejected == 0);
	for (size_t i = 0; i < again.count; i++) {
		const struct job_record *a = t->job[i].record, *b = again.job[i].record;

		must(again.job[i].run_s == t->job[i].run_s && again.job[i].procs == t->job[i].procs);
		must(same_text(a->label, b->label) && same_text(a->hosts, b->hosts));
		must(same_text(a->features, b->features));
		for (int c = 0; c < CRED_TYPE_COUNT; c++)
			must(same_text(a->cred[c], b->cred[c]));
	}
	trace_clear(&again);
	str_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace t;
	struct err err = {{0}};

	maui_begins((const char *)data, size);
	if (!maui_workload_read("fuzz", (const char *)data, size, &t, &err)) {
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
