/* SPDX-License-Identifier: MIT */
/*
 * job_text.h - text and JSON elements shared by job reports
 *
 * Times are wall-clock times (sched/rm/wallclock.h).
 */
#ifndef REPORT_JOB_TEXT_H
#define REPORT_JOB_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd_env.h"
#include "sched/forecast/explain.h"
#include "sched/forecast/future.h"
#include "sched/model/snapshot.h"

struct str;

/*
 * Returns the state of a job as in showq: "Running", "Suspended", "Idle", "UserHold", "SystemHold",
 * "BatchHold" or "Deferred"; static storage.
 */
const char *job_text_state(const struct job *job, int64_t now_s);

/* Returns the name of a job's credential; "-" if it has none. */
const char *job_text_cred(const struct snapshot *s, const struct job *job, enum cred_type type);

/* Appends the displayed name of a job: its label while it is in the queue, else its ID; nothing for ID 0. */
void job_text_id(const struct snapshot *s, uint64_t id, struct str *out);

/* Returns the displayed number of a job: its label if that is a number, else its ID. */
uint64_t job_text_number(const struct snapshot *s, const struct job *job);

/* Appends "Mon Jan 5 16:02:11 (in 2:00:00)", "... (0:10:00 ago)" or "... (now)". */
void job_text_moment(struct str *out, int64_t at_s, int64_t now_s);

/*
 * Append a reason: job_text_short in a few words, job_text_sentence as a sentence about the job, and
 * job_text_predicate as the same sentence without its subject.
 */
/*
 * If the resource manager decides (snapshot.watched): appends what it says about an idle job, "Slurm:
 * Priority, expected 14:20:05". Otherwise appends nothing and returns false.
 */
bool job_text_manager(const struct snapshot *s, const struct job *job, int64_t now_s, struct str *out);

/* If the resource manager has a fault, appends what is wrong and returns true. */
bool job_text_fault(const struct snapshot *s, struct str *out);

void job_text_short(const struct snapshot *s, const struct reason *reason, int64_t now_s, struct str *out);
void job_text_sentence(const struct snapshot *s, const struct job *job, const struct reason *reason,
		       int64_t now_s, struct str *out);

void job_text_predicate(const struct snapshot *s, const struct job *job, const struct reason *reason,
			int64_t now_s, struct str *out);

/* Rewrites the value and the limit of a check with wall-clock times, if they contain times. */
void job_text_check(const struct snapshot *s, int64_t now_s, struct check *check);

/*
 * The nodes on which a job runs, or which are reserved for an idle job. job_text_nodes appends them as text,
 * "n001*2 n003*1"; job_text_each_node passes each one to a function.
 */
struct job_node {
	const char *node;
	uint32_t procs;
};

void job_text_nodes(const struct snapshot *s, const struct job *job, struct str *out);
void job_text_each_node(const struct snapshot *s, const struct job *job,
			void (*each)(void *self, const void *job_node), void *self);

/* --- estimated starts --------------------------------------------------------------------------------- */

/* All verbs use these functions, so that they show the same start for a job (sched/forecast/future.h). */

/*
 * Replaces *f with the estimated starts of all jobs of s. The work of the projection is limited to
 * FUTURE_LIST_WORK.
 */
void estimated_list(struct future *f, const struct cmd_env *env, const struct snapshot *s);

/*
 * Like estimated_list, for the job in a slot, whose estimated start is returned; no start if the job is not
 * idle. Outside of the console, the projection may do more work. accuracy: NULL for ASSUME_WCLIMIT.
 */
struct future_start estimated_job(struct future *f, const struct cmd_env *env, const struct snapshot *s,
				  uint32_t slot, enum assume_kind assume, const struct accuracy *accuracy);

/*
 * Appends "Mon Jan  5 16:02:11 (in 2:00:00)", with a mark for a placeholder, followed by the reserved start
 * if the job is expected to start later; reserved_s is TIME_NEVER without a reservation.
 */
void estimated_text(struct str *out, const struct future_start *start, int64_t reserved_s, int64_t now_s);

/* Appends a line that explains FUTURE_MARK, unless all starts come from the full projection. */
void estimated_note(struct str *out, const struct future *f, int64_t now_s);

/* --- jobs over a soft limit --------------------------------------------------------------------------- */

/*
 * Jobs are counted in the order of their starts: a job is over the limit if the jobs that started before it
 * leave less than it uses. Of the jobs that exceed a limit together, the last ones are marked, as in Maui.
 */

/* Returns an array, by job slot: is the running job over a soft limit? The caller frees the array. */
bool *job_text_over_soft(const struct snapshot *s, int64_t now_s);

#endif
