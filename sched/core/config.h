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
 * A text is read whole into a list of values, or refused whole. Everything here is pure,
 * but for libconfuse: one thread at a time may read a text (option.h).
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
 * "partition", "node". Weights are finite and small enough that no sum can overflow. */
extern const struct option config_rows[];
extern const size_t config_row_count;

/* Which weight or cap an option of scope "" or "partition" sets; index: an enum of policy.h. */
struct config_weight {
	enum {
		NO_WEIGHT,
		COMPONENT_WEIGHT,
		COMPONENT_CAP,
		FACTOR_WEIGHT,
		FACTOR_CAP
	} kind;
	unsigned index;
};
struct config_weight config_weight_of(const struct option *row);

/* "xfactorweight": the option that sets it; static storage. */
const char *config_weight_name(struct config_weight weight);

/* Room for the name of a section, NUL included: what a user, partition, node ... may be called. */
#define CONFIG_TITLE 65

/* What a node section says. */
struct config_node {
	uint32_t procs;                   /* 0 = not given */
	int64_t mem_mb, swap_mb, disk_mb; /* -1 = not given */
};

/*
 * One value addressed to where it lives. A section that is opened and left empty is a
 * value too, with row == NULL and its kind in value.text: "node n1 {}" names a node.
 */
struct config_value {
	const struct option *row;
	const char *title; /* section name: "john"; "" at the top level; DEFAULT in capitals */
	struct option_value value;
	struct option_place place; /* file NULL for live changes and --set      */
};

/* Every value of a text, in the order of the file. place.file is borrowed. */
struct config_kept {
	struct config_value value; /* title and text point into words */
	char *words;               /* owned                           */
};
struct config_list {
	struct config_kept *item;
	size_t count, room;
};

/*
 * Reads a whole configuration text and checks everything that can be checked in it:
 * grammar, names, ranges. *out is a zero list; it stays empty on failure. file is used
 * in messages. Release with config_list_free.
 */
bool config_list_read(const char *file, const char *text, size_t len, struct config_list *out,
		      struct err *err);
void config_list_free(struct config_list *list);

/* Return false with err set to refuse. */
typedef bool config_target(void *self, const struct config_value *value, struct err *err);

/* The same, handed over value by value; nothing is handed over unless the whole text is good. */
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
 * may be NULL. An empty section stores nothing. */
void config_store(const struct config_value *value, struct policy *policy, struct prio_weights *weights,
		  struct cred_attr *attr, struct config_node *node);

/* The present value of an option that is not a node's, as it would be written; nothing when unset. */
void config_print_value(const struct option *row, const struct policy *policy,
			const struct prio_weights *weights, const struct cred_attr *attr, struct str *out);

/* What a good configuration will not do. The rules are in lint.c. */
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
