/* SPDX-License-Identifier: MIT */
/*
 * trace.h - a workload read from a file of any format
 *
 * Logs in the Standard Workload Format (swf.h) contain only numbers. Maui's traces (maui_workload.h) also
 * contain names and more requests, so their jobs have a complete job record.
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

/* The recorded result of the job, if the trace contains it. */
enum trace_outcome {
	OUTCOME_UNKNOWN,
	OUTCOME_COMPLETED,
	OUTCOME_REMOVED,
	OUTCOME_NOT_RUN
};

struct trace_job {
	int64_t number; /* job number in the log; for Maui's traces, the position in the file, from 1 */
	int64_t submit_s;
	int64_t run_s;        /* run time, > 0, at most wall_limit_s */
	int64_t wall_limit_s; /* wallclock limit, > 0; the run time if the log contains no limit */
	int64_t mem_mb;       /* requested memory per task; 0 = not given */
	const struct job_record
		*record; /* submission with the job's name as label; NULL in logs without names */
	int32_t procs;   /* requested processors, > 0 */
	int32_t user;    /* number of the credential in the log, or SWF_NONE; likewise group and queue */
	int32_t group;
	int32_t queue;
	uint32_t order;  /* position in the file, counting accepted jobs only */
	uint8_t outcome; /* enum trace_outcome                       */
	uint8_t spare[3];
};

/* A complete workload. Release with trace_clear. */
struct trace {
	struct trace_job *job; /* sorted by submit time, then by order in the file */
	size_t count, room;    /* number of jobs; capacity */
	int64_t max_procs;     /* size of the machine in the log; 0 = not known */
	int64_t max_nodes;     /* nodes of the machine in the log; 0 = not known */
	int64_t unix_start_s;  /* time of second 0 of the log; 0 = not known */
	bool from_epoch;   /* are submit times seconds since the epoch, and not since the start of the log? */
	uint64_t rejected; /* number of jobs left out: no run time, no processors, or larger than the machine
			    */
	struct bad_lines bad;
	struct arena arena; /* memory of the records and their texts */
};

/* Returns the name of a job: the label of its record, or else its number, written to buf. */
#define TRACE_NAME_TEXT 24
const char *trace_job_name(const struct trace_job *job, char buf[static TRACE_NAME_TEXT]);

/* For parsers: appends a job. */
void trace_add(struct trace *trace, const struct trace_job *job);

/* For parsers, at the end: rejects jobs larger than the machine, and sorts the others. */
void trace_finish(struct trace *trace, int64_t machine_procs);

/* Releases the memory of a trace and empties it. */
void trace_clear(struct trace *trace);

#endif
