/* SPDX-License-Identifier: MIT */
/*
 * trace.h - a workload, whatever the format it was written in
 *
 * Logs in the Standard Workload Format (swf.h) are numbers; Maui's traces (maui_workload.h)
 * name everything and ask for more, so their jobs have a whole record besides.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "line.h"
#include "sched/base/arena.h"

struct job_record; /* sched/state/state.h */

#define SWF_NONE INT32_MIN /* a credential field that is -1 or missing */

/* How the job ended when it really ran, where the trace says. */
enum trace_outcome {
	OUTCOME_UNKNOWN,
	OUTCOME_COMPLETED,
	OUTCOME_REMOVED,
	OUTCOME_NOT_RUN
};

struct trace_job {
	int64_t number; /* the log's own name of the job; in Maui's traces its place in the file, from 1 */
	int64_t submit_s;
	int64_t run_s;        /* > 0, cut at wall_limit_s                 */
	int64_t wall_limit_s; /* > 0; its run when it names none          */
	int64_t mem_mb;       /* per task; 0 = not given                  */
	const struct job_record
		*record; /* a submission, its label the job's name; NULL: the numbers here are all */
	int32_t procs;   /* > 0                                      */
	int32_t user;    /* numbers of credentials; SWF_NONE         */
	int32_t group;
	int32_t queue;
	uint32_t order;  /* position in the file among accepted jobs */
	uint8_t outcome; /* enum trace_outcome                       */
	uint8_t spare[3];
};

/* A whole workload. Release with trace_clear. */
struct trace {
	struct trace_job *job; /* by submit time, then file order       */
	size_t count, room;    /* entries in use; there is memory for   */
	int64_t max_procs;     /* what the log says of its machine; 0 = nothing */
	int64_t max_nodes;
	int64_t unix_start_s; /* the moment that its second 0 is; 0 = it does not say */
	bool from_epoch;      /* its seconds are moments               */
	uint64_t rejected;    /* run time or processors <= 0, or more processors than the machine */
	struct bad_lines bad;
	struct arena arena; /* of records and their texts            */
};

/* The name of a trace's job: of its record, else its number. */
#define TRACE_NAME_TEXT 24
const char *trace_job_name(const struct trace_job *job, char buf[static TRACE_NAME_TEXT]);

/* For readers: adds a job at the end. */
void trace_add(struct trace *trace, const struct trace_job *job);

/* For readers, when all is read: rejects what is larger than the machine, and puts the rest in order. */
void trace_finish(struct trace *trace, int64_t machine_procs);

void trace_clear(struct trace *trace);

#endif
