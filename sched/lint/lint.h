/* SPDX-License-Identifier: MIT */
/*
 * lint.h - what is odd about what is in force, beside the jobs, nodes and names that there are?
 *
 * The rules about a text (config.h) are asked of the configuration with its live changes; to them
 * come those that need the state: a class that no node takes, a job that no limit ever lets
 * through. What a draft brings anew is the difference of two such lists.
 */
#ifndef LINT_LINT_H
#define LINT_LINT_H

#include <stddef.h>

#include "sched/config/config.h"
#include "sched/forecast/plan.h"
#include "sched/model/snapshot.h"

/* Zero is a valid empty list. */
struct lint_list {
	struct config_finding
		*item; /* errors, then warnings, then notes; within each as the rules are asked */
	size_t count, room;
};

/* Replaces what the list holds. plan was built for s. Lines are of the snapshot's configuration. */
void lint_state(struct lint_list *list, const struct snapshot *s, const struct plan *plan);
void lint_free(struct lint_list *list);

/*
 * Of the findings after a change those that were not there before it: of another rule or another value, or
 * about more jobs than before. Replaces what *out holds.
 */
void lint_new(struct lint_list *out, const struct lint_list *before, const struct lint_list *after);

size_t lint_count(const struct lint_list *list, enum config_severity severity);

#endif
