/* SPDX-License-Identifier: MIT */
/*
 * swf.h - what does a workload log in the Standard Workload Format say?
 *
 * Format: Feitelson, "The Standard Workload Format" (18 whitespace-separated fields a line,
 * header comments "; Name: value"). The rules that turn a line into a job are Kahu's
 * contract (processors = field 8 if > 0, else 5; estimate = field 9 if > 0, else the run
 * time; run time cut at the estimate; ...). Buffers in, records out; no file is opened.
 */
#ifndef TRACE_SWF_H
#define TRACE_SWF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"

#define SWF_NONE INT32_MIN /* a credential field that is -1 or missing */

struct trace_job {
	int64_t number;       /* field 1: the log's own name of the job   */
	int64_t submit_s;     /* field 2                                  */
	int64_t run_s;        /* > 0, cut at wall_limit_s                 */
	int64_t wall_limit_s; /* > 0                                      */
	int64_t mem_mb;       /* field 10 (KB a processor), rounded up; 0 = not given */
	int32_t procs;        /* > 0                                      */
	int32_t user;         /* field 12; SWF_NONE                       */
	int32_t group;        /* field 13                                 */
	int32_t queue;        /* field 15                                 */
	uint32_t order;       /* position in the file among accepted jobs */
};

struct trace_bad {
	uint32_t line; /* 1-based                                         */
	char why[120]; /* "field 4 is not a number: 'abc'"                */
};

#define TRACE_BAD_SHOWN 10

/* A whole log. Release with trace_clear. */
struct trace {
	struct trace_job *job; /* by submit time, then file order       */
	size_t count, room;    /* entries in use; there is memory for   */
	int64_t max_procs;     /* header MaxProcs; 0 = none             */
	int64_t max_nodes;     /* header MaxNodes; 0 = none             */
	int64_t unix_start_s;  /* header UnixStartTime; 0 = none        */
	uint64_t rejected;     /* run time or processors <= 0, or more processors than the machine */
	uint64_t bad_lines;
	struct trace_bad bad[TRACE_BAD_SHOWN]; /* the first ten           */
	uint32_t bad_count;                    /* entries in bad                          */
};

/*
 * Reads a whole log of len bytes. procs_override > 0 is the machine whatever the header
 * says. False only when the text is not a log at all: no job line could be read, or the
 * machine's size is not known; with a sentence that starts with the file's name.
 */
bool swf_read(const char *file, const char *text, size_t len, int64_t procs_override, struct trace *out,
	      struct err *err);

void trace_clear(struct trace *trace);

struct str;
/* Writes a trace in the same format, header included: for tests and exports. */
void swf_write(const struct trace *trace, struct str *out);

#endif
