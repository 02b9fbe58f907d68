/* SPDX-License-Identifier: MIT */
/*
 * trace.h - a workload read from a file of any format
 *
 * Logs in the Standard Workload Format (swf.h) contain numbers only; jobs of Maui's traces (maui_workload.h)
 * have names and more requests, and therefore a complete job record.
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
	int64_t number; /* job number in the log; in Maui's traces position in the file, from 1 */
	int64_t submit_s;
	int64_t run_s;                   /* > 0, cut at wall_limit_s                 */
	int64_t wall_limit_s;            /* > 0; the run time if there is none       */
	int64_t mem_mb;                  /* per task; 0 = not given                  */
	const struct job_record *record; /* a submission with the job's name as label; NULL: none */
	int32_t procs;                   /* > 0                                      */
	int32_t user;                    /* numbers of credentials, or SWF_NONE */
	int32_t group;
	int32_t queue;
	uint32_t order;  /* position in the file among accepted jobs */
	uint8_t outcome; /* enum trace_outcome                       */
	uint8_t spare[3];
};

/* A complete workload. Release with trace_clear. */
struct trace {
	struct trace_job *job; /* by submit time, then file order       */
	size_t count, room;    /* entries in use; capacity             */
	int64_t max_procs;     /* size of the machine in the log; 0 = not known */
	int64_t max_nodes;
	int64_t unix_start_s; /* time of second 0 of the log; 0 = not known */
	bool from_epoch;      /* times are absolute                    */
	uint64_t rejected;    /* run time or processors <= 0, or more processors than the machine */
	struct bad_lines bad;
	struct arena arena; /* of records and their texts            */
};

/* The name of a job: the label of its record, otherwise its number. */
#define TRACE_NAME_TEXT 24
const char *trace_job_name(const struct trace_job *job, char buf[static TRACE_NAME_TEXT]);

/* For parsers: appends a job. */
void trace_add(struct trace *trace, const struct trace_job *job);

/* For parsers, at the end: rejects jobs larger than the machine, and sorts the others. */
void trace_finish(struct trace *trace, int64_t machine_procs);

void trace_clear(struct trace *trace);

#endif
