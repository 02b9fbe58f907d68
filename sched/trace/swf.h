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
#include "trace.h"

/*
 * Reads a whole log of len bytes. procs_override > 0 is the machine whatever the header
 * says. False only when the text is not a log at all: no job line could be read, or the
 * machine's size is not known; with a sentence that starts with the file's name.
 */
bool swf_read(const char *file, const char *text, size_t len, int64_t procs_override, struct trace *out,
	      struct err *err);

struct str;
/* Writes a trace in the same format, header included: for tests and exports. */
void swf_write(const struct trace *trace, struct str *out);

#endif
