/* SPDX-License-Identifier: MIT */
/*
 * swf.h - workload logs in the Standard Workload Format
 *
 * Format: Feitelson, "The Standard Workload Format" (18 whitespace-separated fields per line, header comments
 * "; Name: value"). The rules that convert a line to a job are part of Kahu's interface: the
 * processors are field 8, or field 5 if field 8 is not > 0; the wallclock limit is field 9, or the run time
 * if field 9 is not > 0; the run time is at most the limit. No function opens a file.
 */
#ifndef TRACE_SWF_H
#define TRACE_SWF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "trace.h"

/*
 * Parses a log of len bytes. procs_override > 0 replaces the machine size in the header. Returns false, with
 * a message that begins with the file name, if the text is compressed, if no job can be read, or if the
 * machine size is unknown or too large.
 */
bool swf_read(const char *file, const char *text, size_t len, int64_t procs_override, struct trace *out,
	      struct err *err);

struct str;
/* Appends a trace as a log with a header, for tests and exports. */
void swf_write(const struct trace *trace, struct str *out);

#endif
