/* SPDX-License-Identifier: MIT */
/*
 * jobtext.h - what several reports say about one job
 *
 * Times are those of the clock on the wall (sched/rm/wallclock.h).
 */
#ifndef REPORT_JOBTEXT_H
#define REPORT_JOBTEXT_H

#include <stdint.h>

#include "sched/forecast/explain.h"
#include "sched/model/snapshot.h"

struct json;
struct str;

/* "Running", "Suspended", "Idle", "UserHold", "SystemHold", "BatchHold", "Deferred": as showq has it; static
 * storage. */
const char *jobtext_state(const struct job *job, int64_t now_s);

/* Name of a job's credential; "-" when it has none. */
const char *jobtext_cred(const struct snapshot *s, const struct job *job, enum cred_type type);
/* What people call a job, as text: its label while it is in the queue, else its number; 0 gives null. */
void jobtext_json_id(struct json *j, const char *key, const struct snapshot *s, uint64_t id);
/* The five of them as fields of the open object. */
void jobtext_json_creds(struct json *j, const struct snapshot *s, const struct job *job);

/* The number that people know a job by: its label where that is one, else its id. */
uint64_t jobtext_number(const struct snapshot *s, const struct job *job);

/* "Mon Jan  5 16:02:11 (in 2:00:00)", "... (0:10:00 ago)", "... (now)". */
void jobtext_moment(struct str *out, int64_t at_s, int64_t now_s);

/* A reason in a few words, as a sentence about the job, and the sentence without its subject. */
void jobtext_short(const struct snapshot *s, const struct reason *reason, int64_t now_s, struct str *out);
void jobtext_sentence(const struct snapshot *s, const struct job *job, const struct reason *reason,
		      int64_t now_s, struct str *out);
void jobtext_predicate(const struct snapshot *s, const struct job *job, const struct reason *reason,
		       int64_t now_s, struct str *out);

/* A row of the check list, its value and limit rewritten where they tell the time. */
void jobtext_check(const struct snapshot *s, int64_t now_s, struct check *check);

/* The nodes a job runs on, or that its planned start names: "n001*2 n003*1", or an array of
 * {node, procs}. Nothing when there are none. */
void jobtext_nodes(const struct snapshot *s, const struct job *job, struct str *out);
void jobtext_json_nodes(struct json *j, const char *key, const struct snapshot *s, const struct job *job);

#endif
