/* SPDX-License-Identifier: MIT */
/*
 * swf.h - workload logs in the Standard Workload Format
 *
 * Format: Feitelson, "The Standard Workload Format" (18 whitespace-separated fields per line, header comments
 * "; Name: value"). The rules that convert a line to a job are part of Kahu's interface (processors = field 8
 * if > 0, else 5; limit = field 9 if > 0, else the run time; run time cut at the limit; ...). No function
 * opens a file.
 */
#ifndef TRACE_SWF_H
#define TRACE_SWF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "trace.h"

/*
 * Parses a log of len bytes. procs_override > 0 takes precedence over the machine size in the header. Returns
 * false, with a message that begins with the file name, only if the text is not a log: no job line could be
 * read, or the machine's size is not known.
 */
bool swf_read(const char *file, const char *text, size_t len, int64_t procs_override, struct trace *out,
	      struct err *err);

struct str;
/* Writes a trace in the same format, with a header, for tests and exports. */
void swf_write(const struct trace *trace, struct str *out);

#endif
