/* SPDX-License-Identifier: MIT */
/*
 * lint_inside.h - what the files of rules about the living state share
 */
#ifndef LINT_LINT_INSIDE_H
#define LINT_LINT_INSIDE_H

#include "lint.h"
#include "sched/base/str.h"

/* What the rules look at. */
struct lint_view {
	const struct snapshot *s;
	const struct plan *plan;
	const struct config_list *values; /* in force: the configuration with its live changes */
	struct lint_list *out;
};

/* A finding about a value in force, NULL = about no value. It may still be given a name and a fix; valid
 * until the next. */
struct config_finding *lint_found(const struct lint_view *v, const char *id, const struct config_value *value,
				  const char *format, ...) __attribute__((format(printf, 4, 5)));
void lint_say_fix(struct config_finding *finding, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Is it the first of its section? Values of one stand together. */
bool lint_begins_section(const struct lint_view *v, size_t i);

/* --- the rules ------------------------------------------------------------------------------ */

void lint_jobs(const struct lint_view *v);
void lint_machine(const struct lint_view *v);

#endif
