/* SPDX-License-Identifier: MIT */
/*
 * maui_workload.h - what does a Maui workload trace say?
 *
 * A line "VERSION n", then one job a line in 44 fields between blanks: name, nodes, tasks,
 * user, group, wallclock limit, state, class, moments of submission, dispatch, start and
 * completion (12); features (20), tasks per node (23), QOS (24), account (26); processors,
 * memory, disk and swap of a task (32-35), earliest start (36), the hosts it must have (40).
 * The other fields say how it went, or what Kahu does not know of; they are not looked at. Fields
 * missing behind the twelfth are as if they said nothing.
 *
 * A job becomes a submission as a whole (struct job_record), with its name as label. Its run
 * time is completion less start, cut at the wallclock limit, which is the run time when it
 * is not given. A QOS is "asked:delivered"; the asked one counts. What is called DEFAULT, and a QOS or
 * account 0, is none.
 *
 * Source: Maui Administrator's Guide 16.3.
 */
#ifndef TRACE_MAUI_WORKLOAD_H
#define TRACE_MAUI_WORKLOAD_H

#include "sched/base/err.h"
#include "trace.h"

/*
 * Reads a whole trace that begins as maui_begins (maui_text.h) says. A job that is too large
 * for a machine is one all the same: it will be blocked there. Nor need it name a wallclock
 * limit: its record's is 0, and that of its class or of the site holds. False when there is no
 * job to be read, with a sentence that starts with the file's name.
 */
bool maui_workload_read(const char *file, const char *text, size_t len, struct trace *out, struct err *err);

struct str;
/* Writes a trace whose jobs have records: started when they were submitted. */
void maui_workload_write(const struct trace *trace, struct str *out);

#endif
