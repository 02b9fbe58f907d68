/* SPDX-License-Identifier: MIT */
/*
 * maui_workload.h - Maui workload traces
 *
 * A line "VERSION n", then one line per job with 44 fields separated by blanks: name, nodes, tasks, user,
 * group, wallclock limit, state, class, times of submission, dispatch, start and completion (12); features
 * (20), tasks per node (23), QOS (24), account (26); processors, memory, disk and swap per task (32-35),
 * earliest start (36), required hosts (40). The other fields describe the execution or are unknown to Kahu,
 * and are ignored. Missing fields after the twelfth count as not set.
 *
 * Each job becomes a submission (struct job_record) with its name as label. Its run time is completion minus
 * start, cut at the wallclock limit; if there is no limit, the run time is used as the limit. Of a QOS
 * "asked:delivered" the first one counts. The name DEFAULT, and a QOS or account 0, mean none.
 *
 * Source: Maui Administrator's Guide 16.3.
 */
#ifndef TRACE_MAUI_WORKLOAD_H
#define TRACE_MAUI_WORKLOAD_H

#include "sched/base/err.h"
#include "trace.h"

/*
 * Parses a whole trace with the beginning that maui_begins (maui_text.h) requires. Jobs that are too large
 * for a machine are included: they will be blocked. For a job without a wallclock limit the record's limit is
 * 0, so that the default of its class or the site applies. Returns false if there are no readable jobs, with
 * a message that begins with the file name.
 */
bool maui_workload_read(const char *file, const char *text, size_t len, struct trace *out, struct err *err);

struct str;
/* Writes a trace whose jobs have records, as if each had started when it was submitted. */
void maui_workload_write(const struct trace *trace, struct str *out);

#endif
