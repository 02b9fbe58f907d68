/* SPDX-License-Identifier: MIT */
/*
 * lint.h - lint of the settings in force, with the current jobs, nodes and credentials
 *
 * The configuration with live changes applied is checked with the rules for a text (config_lint.h) and with
 * rules that need the state: a class that no node accepts, a job that a limit always blocks. The new findings
 * of a draft are the difference between the findings with and without the draft.
 */
#ifndef LINT_LINT_H
#define LINT_LINT_H

#include <stddef.h>

#include "finding.h"
#include "sched/forecast/plan.h"
#include "sched/model/snapshot.h"

/* A zeroed struct is a valid empty list. */
struct lint_list {
	struct config_finding *item; /* errors, then warnings, then notes; each group in the order in which
					the rules are checked */
	size_t count, room;
};

/*
 * Checks the settings of a snapshot and replaces the contents of the list with the findings. `plan` was built
 * for this snapshot. Line numbers refer to the configuration that the snapshot contains.
 */
void lint_state(struct lint_list *list, const struct snapshot *s, const struct plan *plan);
void lint_free(struct lint_list *list);

/*
 * Replaces the contents of *out with the findings in `after` that are new: `before` has no finding of the
 * same rule about the same option with at least as many jobs.
 */
void lint_new(struct lint_list *out, const struct lint_list *before, const struct lint_list *after);

/* Returns the number of findings with this severity. */
size_t lint_count(const struct lint_list *list, enum config_severity severity);

#endif
