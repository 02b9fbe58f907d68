/* SPDX-License-Identifier: MIT */
/*
 * config.h - which options exist, and what does a configuration text mean?
 *
 * Every option is a row (sched/base/option.h): the libconfuse grammar, `tune`, the
 * Config screen, `kahu lint` and defaults.conf come from these rows. A name for one
 * value is written as in the file or, on the command line, with its section in brackets:
 *
 *     xfactorweight        user[john].priority        partition[p1].queuetimeweight
 *     reservationdepth     reservationdepth[0]        qos[hi].qtweight
 *
 * Reading a text calls a target for each value; the state (state.h) is such a target,
 * and so is a lint run. Everything here is pure.
 */
#ifndef CORE_CONFIG_H
#define CORE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cred.h"
#include "policy.h"
#include "sched/base/err.h"
#include "sched/base/option.h"

struct str;

/* The rows, all scopes; scopes are "", "user", "group", "account", "qos", "class",
 * "partition", "node", "reservationlevel". */
extern const struct option config_rows[];
extern const size_t config_row_count;

/* What a node section says. */
struct config_node {
	uint32_t procs;                   /* 0 = not given */
	int64_t mem_mb, swap_mb, disk_mb; /* -1 = not given */
};

/*
 * One value addressed to where it lives. For scope "" and "partition" number is stored
 * at row->offset of struct policy / struct prio_weights by config_store.
 */
struct config_value {
	const struct option *row;
	const char *title; /* section name: "john"; "" at the top level */
	struct option_value value;
	struct option_place place; /* file NULL for live changes and --set      */
};

/* Return false with err set to refuse. */
typedef bool config_target(void *self, const struct config_value *value, struct err *err);

/*
 * Reads a whole configuration text and checks everything that can be checked in it:
 * grammar, names, ranges, and rules between options. Values are handed over only when the
 * whole text is good. file is used in messages.
 */
bool config_read(const char *file, const char *text, size_t len, config_target *target, void *self,
		 struct err *err);

/*
 * Resolves NAME=VALUE as given to tune, --set and whatif. The title is copied into
 * title_out (room bytes). On failure err names the nearest option.
 */
bool config_resolve(const char *name, const char *value, struct config_value *out, char *title_out,
		    size_t room, struct err *err);

/* Stores a value of scope "" into a policy, "partition" into weights, a credential's
 * into attr, a node's into node; which is chosen by value->row->scope. Unneeded targets
 * may be NULL. */
void config_store(const struct config_value *value, struct policy *policy, struct prio_weights *weights,
		  struct cred_attr *attr, struct config_node *node);

/* The present value of an option of scope "" or "partition", as it would be written. */
void config_print_value(const struct option *row, const struct policy *policy,
			const struct prio_weights *weights, const struct cred_attr *attr, struct str *out);

/* Judges a good configuration: sentences about what it will not do. See config_lint_rules. */
struct config_finding {
	const char *id; /* "W3": stable                           */
	int line;       /* in the text; 0 = the whole             */
	char text[256]; /* what is odd, and what to do about it   */
};

/* Writes at most room findings, returns how many there are. text must be accepted by config_read. */
size_t config_lint(const char *file, const char *text, size_t len, struct config_finding *out, size_t room);

/* The shipped configuration, as text: every option with its default and sentence. */
extern const char core_defaults_conf[];

#endif
