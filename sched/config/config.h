/* SPDX-License-Identifier: MIT */
/*
 * config.h - configuration options, and the values of a configuration
 *
 * Every option is a row (sched/base/option.h): the libconfuse grammar, `tune`, the Config screen, `kahu lint`
 * and defaults.conf are generated from these rows. The name of a value is written as in the file or, on the
 * command line, with its section in brackets:
 *
 *     xfactorweight        user[john].priority        partition[p1].queuetimeweight
 *     reservationdepth[3]  class[fast].maxjob[group]  class[fast].maxproc[user:steve]
 *     system.maxjob        class[fast].max.wclimit    node[DEFAULT].priorityf
 *
 * A text is parsed completely into a list of values, or rejected. The functions are pure, except for
 * libconfuse: only one thread at a time can parse a text (option.h).
 */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/base/option.h"
#include "sched/model/cred.h"
#include "sched/model/limit.h"
#include "sched/model/policy.h"

struct str;

/* Representation of a row's value. */
enum config_form {
	FORM_FIELD,       /* a number, choice or switch, stored at row->offset in the struct of its scope */
	FORM_LIMIT,       /* a list of limits; row->offset is a CONFIG_LIMIT() */
	FORM_TARGET,      /* a fairshare target, stored in fs_target and fs_mode of a cred_attr */
	FORM_QLIST,       /* names of the QOS that a credential may use */
	FORM_QDEF,        /* name of the default QOS of a credential's jobs */
	FORM_LEVEL_DEPTH, /* depth of the reservation level in the title of the section */
	FORM_LEVEL_QOS,   /* names of the QOS whose jobs belong to the reservation level in the title */
	FORM_AVAILABLE,   /* the node availability policies, stored in policy.available */
	FORM_FEATURES,    /* names of features required by a class's jobs */
	FORM_NODE_WORDS,  /* names of a node's features, classes or generic resources; row->offset: enum
			     trait_kind */
	FORM_PARTITION,   /* name of a node's partition                                         */
	FORM_PRIORITYF,   /* the expression that computes the priority of a node */
	FORM_PROGRAM,     /* path of the site's program for nodeallocationpolicy = local */
	FORM_SITE_TEXT,   /* a text setting of the site; row->offset: enum site_text */
	FORM_ALIST,       /* names of accounts that jobs may charge */
	FORM_ADEF,        /* name of the default account of a credential's jobs */
	FORM_UMASK        /* octal permissions, stored in policy.site.umask */
};

/* row->offset of a row with FORM_LIMIT. */
#define CONFIG_LIMIT(scope, kind) ((size_t)(scope)*LIMIT_KIND_COUNT + (kind))

/* The rows of all scopes: "", "user", "group", "account", "qos", "class", "!system", "reservationlevel",
 * "partition", "node". The ranges of weights ensure that no sum can overflow. */
extern const struct option config_rows[];
extern const size_t config_row_count;

/*
 * The weight or cap that an option of scope "" or "partition" sets. `index` is an enum prio_component or
 * prio_factor.
 */
enum config_weight_kind {
	NO_WEIGHT,
	COMPONENT_WEIGHT,
	COMPONENT_CAP,
	FACTOR_WEIGHT,
	FACTOR_CAP
};
struct config_weight {
	enum config_weight_kind kind;
	unsigned index;
};
struct config_weight config_weight_of(const struct option *row);

/* Returns the name of the option that sets a weight or cap, such as "xfactorweight"; static storage. */
const char *config_weight_name(struct config_weight weight);

/* Buffer size for the title of a section, NUL included: the name of a user, partition, node ... */
#define CONFIG_TITLE 65

/* Buffer size for the name of a value. */
#define CONFIG_NAME 208

/* Values of a node section, except for texts. */
struct config_node {
	uint32_t procs; /* 0 = not set; also for the numbers in the next three lines */
	uint32_t rack, index;
	double speed, procspeed;
	double priority;
	int64_t mem_mb, swap_mb, disk_mb; /* -1 = not set                  */
	uint8_t access;                   /* enum node_access              */
	bool drained;
};

/* --- parsing of texts (config_text.c) ---------------------------------------------------- */

/* The largest value of a limit of any kind. */
#define CONFIG_LIMIT_MAX INT64_C(1000000000000000)

/* A limit as it is written: [CREDTYPE[:NAME]=][SOFT,]HARD. */
struct config_limit {
	enum limit_scope scope;
	enum limit_kind kind;
	enum cred_type second_type; /* CRED_TYPE_COUNT = no second credential          */
	const char *second;         /* name of the second credential; borrowed, not NUL-terminated */
	size_t second_len;          /* 0 = every credential of that type */
	int64_t soft, hard;         /* soft <= hard */
	bool soft_beyond;           /* the text contains a soft value above the hard value */
};

/*
 * Parses a limit according to its row. `second` is the text in the last brackets of the name, such as
 * "user:steve", with second_len bytes; NULL if the name has none.
 */
bool config_limit_read(const struct option *row, const char *second, size_t second_len, const char *text,
		       struct config_limit *out, struct err *err);

/* Parses a fairshare target such as "25.0+" into its value and an enum fs_mode; "none" gives FS_NO_TARGET. */
bool config_target_read(const char *text, double *target, uint8_t *mode, struct err *err);

/*
 * Returns the next word in a text of names separated by blanks or commas, and moves *at behind it; NULL at
 * the end of the text. An element of a list of names may contain several words.
 */
const char *config_word(const char **at, size_t *len);

/* Does the row contain trait names of this kind: those of a node, or the features that a class requires? */
static inline bool config_row_names(const struct option *row, enum trait_kind kind)
{
	return row->form == FORM_NODE_WORDS ? row->offset == (size_t)kind
					    : row->form == FORM_FEATURES && kind == TRAIT_FEATURE;
}

/* Parses "gpu:4" or "gpu" into the length of the name and the count (default 1). */
bool config_gres_read(const char *word, size_t len, size_t *name_len, uint32_t *count, struct err *err);

/* Parses "dedicated:mem", which sets the entry of one resource, or "dedicated", which sets all entries. */
bool config_available_read(const char *word, size_t len, uint8_t available[static AVAILABLE_RESOURCE_COUNT],
			   struct err *err);

/* Parses octal permissions such as "027". */
bool config_umask_read(const char *text, uint32_t *out, struct err *err);

/* Names of the values of enum availability and of enum available_resource; NULL at the end. */
extern const char *const config_available_policy[], *const config_available_resource[];

/* --- values and names -------------------------------------------------------------------- */

/*
 * A value with the option that it sets. An empty section is a value, too, with row == NULL and its kind in
 * value.text: "node n1 {}" defines a node.
 */
struct config_value {
	const struct option *row;
	const char *title;  /* section name: "john"; "" at the top level; DEFAULT in capitals */
	const char *second; /* second credential of a limit if it is in brackets in the name, borrowed; NULL
			     * if the name has none (the text may have one) */
	size_t second_len;
	struct option_value value;
	struct option_place place; /* .file is NULL for live changes and --set */
};

/* A copy of a value that owns its texts; place.file is borrowed. */
struct config_kept {
	struct config_value value; /* title and text point into words */
	char *words;               /* owned                           */
};
struct config_list {
	struct config_kept *item;
	size_t count, room;
};

/*
 * Parses a configuration and checks everything that can be checked in the text: grammar, names, ranges. *out
 * must be zeroed; it stays empty on failure. file is used in messages. Release with config_list_free.
 */
bool config_list_read(const char *file, const char *text, size_t len, struct config_list *out,
		      struct err *err);
void config_list_free(struct config_list *list);

/* Receives a value; returns false with err set to reject it. */
typedef bool config_target(void *self, const struct config_value *value, struct err *err);

/*
 * Parses a configuration like config_list_read and passes its values to `target` one by one, but only if the
 * whole text is valid. Returns false if it is not, or if target rejects a value.
 */
bool config_read(const char *file, const char *text, size_t len, config_target *target, void *self,
		 struct err *err);

/*
 * Resolves NAME=VALUE as given to tune, --set and whatif. The title is copied into title_out, a buffer of
 * `room` bytes. For an unknown name, err suggests the most similar one, if any.
 */
bool config_resolve(const char *name, const char *value, struct config_value *out, char *title_out,
		    size_t room, struct err *err);

/* Resolves a name without a value: like config_resolve, but leaves out->value empty. */
bool config_resolve_name(const char *name, struct config_value *out, char *title_out, size_t room,
			 struct err *err);

/* Appends the name of a value, as config_resolve accepts it: "class[fast].maxproc[user:steve]". */
void config_print_name(const struct config_value *value, struct str *out);
/*
 * Returns the text of a value without the second credential, which is part of the name: "4" for
 * "USER:steve=4".
 */
const char *config_value_text(const struct config_value *value);

/*
 * May the value be set while the scheduler runs? Of the options of a node, only `priority`, `priorityf` and
 * `drained` may. If not, returns false with err set.
 */
bool config_check_live(const struct config_value *value, struct err *err);

/* Does the value set `priority` (config_is_node_drained: `drained`) of a node? */
bool config_is_node_priority(const struct config_value *value);
bool config_is_node_drained(const struct config_value *value);

/*
 * May a section of this kind have this title? If not, returns false with err set. Converts DEFAULT, in any
 * case, to capitals.
 */
bool config_check_section(const char *scope, const char **title, struct err *err);

/*
 * Returns the row under which a value is stored, which is `row` with one exception: reservationdepth in the
 * section of reservation level 0 is the same setting as reservationdepth of the top level, so the row of the
 * top level is returned and *title becomes "".
 */
const struct option *config_one_row(const struct option *row, const char **title);

/*
 * Stores a value in the struct for its scope: `policy` for "" and "reservationlevel", `weights` for
 * "partition", `attr` for credentials, `node` for nodes. If that pointer is NULL, or if the value is an empty
 * section, nothing is stored.
 */
void config_store(const struct config_value *value, struct policy *policy, struct prio_weights *weights,
		  struct cred_attr *attr, struct config_node *node);

/* Returns the reservation level in a section's title; RESERVATION_LEVELS if the title is not a level. */
unsigned config_level(const char *title);

/*
 * Appends the value of NODEAVAILABILITYPOLICY: the policy for processors, then each resource with another
 * policy.
 */
void config_print_available(const uint8_t available[static AVAILABLE_RESOURCE_COUNT], struct str *out);

/*
 * Appends the current value of an option, as it would be written in a configuration; the scope must not be
 * node. Appends nothing if the option is unset, or if it is a limit, a text or a list of names, which these
 * structs do not contain.
 */
void config_print_value(const struct option *row, const struct policy *policy,
			const struct prio_weights *weights, const struct cred_attr *attr, struct str *out);

/* Appends the values of a limit as they would be written: "2,8". */
void config_print_limit(const struct limit *limit, struct str *out);

/* Puts a copy of a value into a list, where it replaces all values with the same name, like a live change. */
void config_list_set(struct config_list *list, const struct config_value *value);

/* The shipped configuration: every option with its default and help. */
extern const char core_defaults_conf[];

#endif
