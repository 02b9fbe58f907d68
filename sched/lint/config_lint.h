/* SPDX-License-Identifier: MIT */
/*
 * config_lint.h - lint of a configuration text (with the state: lint.h)
 */
#ifndef LINT_CONFIG_LINT_H
#define LINT_CONFIG_LINT_H

#include <stddef.h>

#include "finding.h"
#include "sched/base/err.h"

/*
 * Checks a configuration text. Writes at most `room` findings and returns their total number, which can be
 * larger; 0 for a text that config_read rejects.
 */
size_t config_lint(const char *file, const char *text, size_t len, struct config_finding *out, size_t room);

/*
 * Like config_lint, for a list of values without empty sections. Leaves out the rules about nodes
 * (lint_places), which lint_state checks with the existing nodes.
 */
size_t config_lint_list(const struct config_list *list, struct config_finding *out, size_t room);

/* Kinds of names in a configuration that only the host can check. */
enum host_thing {
	HOST_PROGRAM, /* a path */
	HOST_USER,
	HOST_CONFIG /* the configuration file itself */
};
enum host_state {
	HOST_GOOD, /* valid, or cannot be determined */
	HOST_MISSING,
	HOST_UNUSABLE, /* the path is not an executable program */
	HOST_UNTRUSTED /* the file's owner or permissions are unsafe, so Kahu does not run the program
			  (HOST_CONFIG: any program that the file configures); *why contains the reason */
};
/* Checks a name of the given kind on the host. */
typedef enum host_state host_ask(void *self, enum host_thing thing, const char *name, struct err *why);

/* Like config_lint, for the H rules; calls `ask` to check names on the host. */
size_t config_lint_host(const char *file, const char *text, size_t len, host_ask *ask, void *self,
			struct config_finding *out, size_t room);

#endif
