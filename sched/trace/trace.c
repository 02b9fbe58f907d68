/* SPDX-License-Identifier: MIT */
/*
 * trace.c - functions common to all workload formats
 *
 * Parsers add jobs in the order of the file; only at the end is it known whether each job fits on the
 * machine, and how they are ordered.
 */
#include "trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sched/base/vec.h"
#include "sched/state/state.h"

const char *trace_job_name(const struct trace_job *job, char buf[static TRACE_NAME_TEXT])
{
	if (job->record != NULL && job->record->label != NULL)
		return job->record->label;
	snprintf(buf, TRACE_NAME_TEXT, "%" PRId64, job->number);
	return buf;
}

void trace_add(struct trace *trace, const struct trace_job *job)
{
	trace->job = vec_room(trace->job, &trace->room, trace->count + 1, sizeof *trace->job);
	trace->job[trace->count++] = *job;
}

/* Removes jobs larger than the machine and numbers the others. */
static void drop_too_large(struct trace *t, int64_t machine_procs)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->count; i++) {
		if (t->job[i].procs > machine_procs)
			continue;
		t->job[kept] = t->job[i];
		t->job[kept].order = (uint32_t)kept;
		kept++;
	}
	t->rejected += t->count - kept;
	t->count = kept;
}

static int by_submit(const void *left, const void *right)
{
	const struct trace_job *a = left;
	const struct trace_job *b = right;

	if (a->submit_s != b->submit_s)
		return a->submit_s < b->submit_s ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* Sorts only if necessary, because most logs are already sorted. */
void trace_finish(struct trace *trace, int64_t machine_procs)
{
	drop_too_large(trace, machine_procs);
	for (size_t i = 1; i < trace->count; i++) {
		if (trace->job[i - 1].submit_s > trace->job[i].submit_s) {
			qsort(trace->job, trace->count, sizeof *trace->job, by_submit);
			return;
		}
	}
}

void trace_clear(struct trace *trace)
{
	free(trace->job);
	arena_free(&trace->arena);
	*trace = (struct trace){0};
}
