/* SPDX-License-Identifier: MIT */
/*
 * lint.h - lint of the settings in force, with the present jobs, nodes and credentials
 *
 * The rules for a text (config_lint.h) are checked for the configuration with live changes applied, together
 * with rules that need the state: a class that no node accepts, a job that a limit always blocks. The new
 * findings of a draft are the difference of two such lists.
 */
#ifndef LINT_LINT_H
#define LINT_LINT_H

#include <stddef.h>

#include "finding.h"
#include "sched/forecast/plan.h"
#include "sched/model/snapshot.h"

/* A zeroed struct is a valid empty list. */
struct lint_list {
	struct config_finding *item; /* errors, then warnings, then notes; each in the order of the rules */
	size_t count, room;
};

/* Replaces the contents of the list. plan was built for s. Line numbers are those of the snapshot's
 * configuration. */
void lint_state(struct lint_list *list, const struct snapshot *s, const struct plan *plan);
void lint_free(struct lint_list *list);

/*
 * The findings after a change that were not there before it: of another rule, about another value, or with
 * more jobs. Replaces the contents of *out.
 */
void lint_new(struct lint_list *out, const struct lint_list *before, const struct lint_list *after);

size_t lint_count(const struct lint_list *list, enum config_severity severity);

#endif
