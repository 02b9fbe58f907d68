/* SPDX-License-Identifier: MIT */
/*
 * jobtext.h - what several reports say about one job
 */
#ifndef TUI_JOBTEXT_H
#define TUI_JOBTEXT_H

#include <stdint.h>

#include "sched/core/priority.h"
#include "sched/core/snapshot.h"

struct json;
struct str;

/* The priority of the job in a slot, with all its reasons. */
void jobtext_priority(const struct snapshot *s, uint32_t slot, int64_t now_s, struct prio_result *out);
int64_t jobtext_rank(const struct snapshot *s, uint32_t slot, int64_t now_s);

/* "Mon Jan  5 16:02:11 (in 2:00:00)", "... (0:10:00 ago)", "... (now)". */
void jobtext_moment(struct str *out, int64_t at_s, int64_t now_s);

/* Where a running job runs: "n001*2 n003*1", or an array of {node, procs}. Nothing when it does not run. */
void jobtext_nodes(const struct snapshot *s, const struct job *job, struct str *out);
void jobtext_json_nodes(struct json *j, const char *key, const struct snapshot *s, const struct job *job);

#endif
