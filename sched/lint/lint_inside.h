/* SPDX-License-Identifier: MIT */
/*
 * lint_inside.h - declarations shared by the lint rules for the live state
 */
#ifndef LINT_LINT_INSIDE_H
#define LINT_LINT_INSIDE_H

#include "lint.h"
#include "sched/base/str.h"

/* Input of the rules. */
struct lint_view {
	const struct snapshot *s;
	const struct plan *plan;
	const struct config_list *values; /* values in force: the configuration with live changes applied */
	struct lint_list *out;
};

/*
 * Adds a finding about a value in force (NULL: about no particular value). Returns the finding, whose other
 * members the caller may set; valid until the next call.
 */
struct config_finding *lint_found(const struct lint_view *v, const char *id, const struct config_value *value,
				  const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Sets the fix of a finding (config_finding_fix). */
void lint_say_fix(struct config_finding *finding, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Is value i the first of its section? The values of a section are adjacent. */
bool lint_begins_section(const struct lint_view *v, size_t i);

/* --- the rules ------------------------------------------------------------------------------ */

void lint_jobs(const struct lint_view *v);
void lint_machine(const struct lint_view *v);

#endif
