/* SPDX-License-Identifier: MIT */
/*
 * config_lint.h - lint of a configuration text (with the state: lint.h)
 */
#ifndef LINT_CONFIG_LINT_H
#define LINT_CONFIG_LINT_H

#include <stddef.h>

#include "finding.h"
#include "sched/base/err.h"

/* Writes at most room findings and returns their total number. config_read must accept the text. */
size_t config_lint(const char *file, const char *text, size_t len, struct config_finding *out, size_t room);

/* The same for a list without empty sections. */
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
	HOST_UNUSABLE, /* not an executable program */
	HOST_UNTRUSTED /* its owner or permissions are unsafe, so that its programs are not run; why contains
			  the reason */
};
typedef enum host_state host_ask(void *self, enum host_thing thing, const char *name, struct err *why);

/* Like config_lint, for the H rules; the caller's function checks the names on the host. */
size_t config_lint_host(const char *file, const char *text, size_t len, host_ask *ask, void *self,
			struct config_finding *out, size_t room);

#endif
