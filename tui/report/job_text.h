/* SPDX-License-Identifier: MIT */
/*
 * job_text.h - parts of text and JSON that several job reports share
 *
 * Times are those of the clock on the wall (sched/rm/wallclock.h).
 */
#ifndef REPORT_JOB_TEXT_H
#define REPORT_JOB_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd_env.h"
#include "sched/forecast/explain.h"
#include "sched/forecast/future.h"
#include "sched/model/snapshot.h"

struct json;
struct str;

/* "Running", "Suspended", "Idle", "UserHold", "SystemHold", "BatchHold", "Deferred": as showq has it; static
 * storage. */
const char *job_text_state(const struct job *job, int64_t now_s);

/* Name of a job's credential; "-" when it has none. */
const char *job_text_cred(const struct snapshot *s, const struct job *job, enum cred_type type);

/* What people call a job: its label while it is in the queue, else its number; nothing for 0. Appended. */
void job_text_id(const struct snapshot *s, uint64_t id, struct str *out);

/* The same as a member of the open object; 0 gives null. */
void job_text_json_id(struct json *j, const char *key, const struct snapshot *s, uint64_t id);

/* The five of them as fields of the open object. */
void job_text_json_creds(struct json *j, const struct snapshot *s, const struct job *job);

/* The number that people know a job by: its label where that is one, else its id. */
uint64_t job_text_number(const struct snapshot *s, const struct job *job);

/* "Mon Jan  5 16:02:11 (in 2:00:00)", "... (0:10:00 ago)", "... (now)". */
void job_text_moment(struct str *out, int64_t at_s, int64_t now_s);

/* A reason in a few words, as a sentence about the job, and the sentence without its subject. */
void job_text_short(const struct snapshot *s, const struct reason *reason, int64_t now_s, struct str *out);
void job_text_sentence(const struct snapshot *s, const struct job *job, const struct reason *reason,
		       int64_t now_s, struct str *out);

void job_text_predicate(const struct snapshot *s, const struct job *job, const struct reason *reason,
			int64_t now_s, struct str *out);

/* A row of the check list, its value and limit rewritten where they tell the time. */
void job_text_check(const struct snapshot *s, int64_t now_s, struct check *check);

/* The nodes a job runs on, or that its planned start names: "n001*2 n003*1", or one by one as struct
 * job_node. Nothing when there are none. */
struct job_node {
	const char *node;
	uint32_t procs;
};

void job_text_nodes(const struct snapshot *s, const struct job *job, struct str *out);
void job_text_each_node(const struct snapshot *s, const struct job *job,
			void (*each)(void *self, const void *job_node), void *self);

/* --- estimated starts --------------------------------------------------------------------------------- */

/*
 * Every verb asks here, so that all name the same date for a job (sched/forecast/future.h).
 */

/* Replaces *f by the future of all jobs of s, within the budget of a list. */
void estimated_list(struct future *f, const struct cmd_env *env, const struct snapshot *s);

/* The same for one job, whose estimated start is returned; none of a running one. accuracy: NULL for
 * ASSUME_WCLIMIT. */
struct future_start estimated_job(struct future *f, const struct cmd_env *env, const struct snapshot *s,
				  uint32_t slot, enum assume_kind assume, const struct accuracy *accuracy);

/* "Mon Jan  5 16:02:11 (in 2:00:00)", with the mark of a placeholder. A reserved start that is expected to
 * slip is named behind it; reserved_s is TIME_NEVER without one. */
void estimated_text(struct str *out, const struct future_start *start, int64_t reserved_s, int64_t now_s);

/* One line that explains the mark; nothing where no start needs it. */
void estimated_note(struct str *out, const struct future *f, int64_t now_s);

/* --- jobs over a soft limit --------------------------------------------------------------------------- */

/*
 * Counted in the order in which they started: a job is over when what ran before it leaves
 * less than it takes. So of jobs that are over a limit together the last ones are marked,
 * as in the original.
 */

/* By job slot; free() it. */
bool *job_text_over_soft(const struct snapshot *s, int64_t now_s);

#endif
