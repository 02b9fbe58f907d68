/* SPDX-License-Identifier: MIT */
/*
 * maui_workload.h - Maui workload traces
 *
 * A line "VERSION n", then one line per job with 44 fields separated by blanks. The fields and their numbers:
 * name, nodes, tasks, user, group, wallclock limit, state, class, times of submission, dispatch, start and
 * completion (1-12); features (20); tasks per node (23); QOS (24); account (26); processors, memory, disk and
 * swap per task (32-35); earliest start (36); required hosts (40). The other fields describe the execution or
 * have no equivalent in Kahu, and are ignored. Fields after the twelfth may be missing.
 *
 * Each job becomes a submission (struct job_record) with its name as label. Its run time is the completion
 * time minus the start time, at most its wallclock limit; if there is no limit, the run time is used as the
 * limit. For a QOS "asked:delivered", the requested QOS counts. A credential named DEFAULT, and a QOS or
 * account named 0, mean none.
 *
 * Source: Maui Administrator's Guide 16.3.
 */
#ifndef TRACE_MAUI_WORKLOAD_H
#define TRACE_MAUI_WORKLOAD_H

#include "sched/base/err.h"
#include "trace.h"

/*
 * Parses a whole trace for which maui_begins (maui_text.h) is true. Jobs that are too large for a machine are
 * included; the scheduler will block them. If a job has no wallclock limit, the limit in its record is 0, so
 * that the default of its class or of the site applies. Returns false, with a message that begins with the
 * file name, if no job can be read.
 */
bool maui_workload_read(const char *file, const char *text, size_t len, struct trace *out, struct err *err);

struct str;
/* Appends a trace whose jobs all have records, with a start time that equals the submit time. */
void maui_workload_write(const struct trace *trace, struct str *out);

#endif
