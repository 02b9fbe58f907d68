/* SPDX-License-Identifier: MIT */
/*
 * estimated.h - the estimated starts of a report, in text and JSON
 *
 * Every verb asks here, so that all name the same date for a job (sched/forecast/future.h).
 */
#ifndef REPORT_ESTIMATED_H
#define REPORT_ESTIMATED_H

#include "cmd_env.h"
#include "sched/forecast/future.h"

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

#endif
