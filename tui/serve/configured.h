/* SPDX-License-Identifier: MIT */
/*
 * configured.h - names of the classes and QOS that the configuration has sections for
 *
 * A section that says nothing is in the text of the configuration alone. Reading the text takes millions of
 * instructions, so the names are kept until the text changes.
 */
#ifndef TUI_SERVE_CONFIGURED_H
#define TUI_SERVE_CONFIGURED_H

#include <stdbool.h>

#include "sched/model/snapshot.h"

struct configured; /* opaque */

struct configured *configured_new(void);
void configured_free(struct configured *c);

struct configured_name {
	bool any;          /* the configuration has a section of that type, beside DEFAULT */
	bool this;         /* it has one of that name                                      */
	bool case_differs; /* it has none, but one whose name differs in case only   */
};

/* Looks a class or QOS up. c NULL: the text is read for this look alone. */
struct configured_name configured_find(struct configured *c, const struct snapshot *s, enum cred_type type,
				       const char *name);

#endif
