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
	FORM_FIELD,       /* a number, choice or switch at row->offset in the scope's owner */
	FORM_LIMIT,       /* elements are limits; row->offset: CONFIG_LIMIT                     */
	FORM_TARGET,      /* a fairshare target: fs_target and fs_mode of cred_attr             */
	FORM_QLIST,       /* names of the QOS that a credential may use */
	FORM_QDEF,        /* name of the default QOS of its jobs */
	FORM_LEVEL_DEPTH, /* depth of the reservation level in the section's title */
	FORM_LEVEL_QOS,   /* names of the QOS of that level                                     */
	FORM_AVAILABLE,   /* policy.available                                                   */
	FORM_FEATURES,    /* names of features required by a class's jobs */
	FORM_NODE_WORDS,  /* names of a node's features ...; row->offset: enum trait_kind       */
	FORM_PARTITION,   /* name of a node's partition                                         */
	FORM_PRIORITYF,   /* an expression of a node                                            */
	FORM_PROGRAM,     /* path of the site's program for nodeallocationpolicy = local */
	FORM_SITE_TEXT,   /* a text setting of the site; row->offset: enum site_text */
	FORM_ALIST,       /* names of accounts that jobs may charge */
	FORM_ADEF,        /* name of the default account */
	FORM_UMASK        /* policy.site.umask                                                  */
};

/* row->offset of a row of form LIMIT. */
#define CONFIG_LIMIT(scope, kind) ((size_t)(scope)*LIMIT_KIND_COUNT + (kind))

/* The rows of all scopes: "", "user", "group", "account", "qos", "class", "!system", "reservationlevel",
 * "partition", "node". The ranges of weights ensure that no sum can overflow. */
extern const struct option config_rows[];
extern const size_t config_row_count;

/* The weight or cap that an option of scope "" or "partition" sets; index: an enum of policy.h. */
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

/* Name of the option that sets it: "xfactorweight"; static storage. */
const char *config_weight_name(struct config_weight weight);

/* Buffer size for the title of a section, NUL included: the name of a user, partition, node ... */
#define CONFIG_TITLE 65

/* Buffer size for the name of a value. */
#define CONFIG_NAME 208

/* Values of a node section, except for texts. */
struct config_node {
	uint32_t procs; /* 0 = not set, here and below */
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
	const char *second;         /* its name, borrowed, not NUL-terminated */
	size_t second_len;          /* 0 = each of that type                           */
	int64_t soft, hard;         /* soft <= hard (T-29)                             */
	bool soft_beyond;           /* the written soft value was above the hard one */
};

/*
 * Parses a limit according to its row. second, second_len: the text in the last brackets of the name,
 * "user:steve"; NULL if there is none.
 */
bool config_limit_read(const struct option *row, const char *second, size_t second_len, const char *text,
		       struct config_limit *out, struct err *err);

/* Parses "25.0+": value and enum fs_mode; "none" is FS_NO_TARGET. */
bool config_target_read(const char *text, double *target, uint8_t *mode, struct err *err);

/*
 * The next word at *at in a text of names separated by blanks or commas; advances *at. NULL at the end.
 * Elements of lists of names may contain several.
 */
const char *config_word(const char **at, size_t *len);

/* Are the values of the row trait names of this kind: those of nodes, or the features of a class? */
static inline bool config_row_names(const struct option *row, enum trait_kind kind)
{
	return row->form == FORM_NODE_WORDS ? row->offset == (size_t)kind
					    : row->form == FORM_FEATURES && kind == TRAIT_FEATURE;
}

/* Parses "gpu:4" or "gpu": length of the name, and count (default 1). */
bool config_gres_read(const char *word, size_t len, size_t *name_len, uint32_t *count, struct err *err);

/* Parses "dedicated:mem", which sets one entry, or "dedicated", which sets all. */
bool config_available_read(const char *word, size_t len, uint8_t available[static AVAILABLE_RESOURCE_COUNT],
			   struct err *err);

/* Parses "027": permissions in octal. */
bool config_umask_read(const char *text, uint32_t *out, struct err *err);

/* Names by enum availability and by enum available_resource; NULL at the end. */
extern const char *const config_available_policy[], *const config_available_resource[];

/* --- values and names -------------------------------------------------------------------- */

/*
 * A value with the option that it sets. An empty section is a value, too, with row == NULL and its kind in
 * value.text: "node n1 {}" defines a node.
 */
struct config_value {
	const struct option *row;
	const char *title;  /* section name: "john"; "" at the top level; DEFAULT in capitals */
	const char *second; /* of a limit: the second credential in brackets in the name, borrowed; else NULL
			     * (it may be in the text) */
	size_t second_len;
	struct option_value value;
	struct option_place place; /* file NULL for live changes and --set      */
};

/* A value of a text with its own memory. place.file is borrowed. */
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

/* Returns false with err set to reject the value. */
typedef bool config_target(void *self, const struct config_value *value, struct err *err);

/* The same, passing the values one by one; none is passed unless the whole text is valid. */
bool config_read(const char *file, const char *text, size_t len, config_target *target, void *self,
		 struct err *err);

/*
 * Resolves NAME=VALUE as given to tune, --set and whatif. The title is copied into title_out of room bytes.
 * On failure err contains the most similar option name.
 */
bool config_resolve(const char *name, const char *value, struct config_value *out, char *title_out,
		    size_t room, struct err *err);

/* The same for a name: *out contains everything but a value. */
bool config_resolve_name(const char *name, struct config_value *out, char *title_out, size_t room,
			 struct err *err);

/* Appends the name of a value, as config_resolve accepts it: "class[fast].maxproc[user:steve]"; and the text
 * of the value with that name. */
void config_print_name(const struct config_value *value, struct str *out);
const char *config_value_text(const struct config_value *value);

/* May the value be set while the scheduler runs? A node's hardware may not; its priority and whether it is
 * drained may. */
bool config_check_live(const struct config_value *value, struct err *err);

/* Is the value the PRIORITY of a node? Does it drain a node? */
bool config_is_node_priority(const struct config_value *value);
bool config_is_node_drained(const struct config_value *value);

/* May a section of this kind have this title? Converts any case of DEFAULT to capitals. */
bool config_check_section(const char *scope, const char **title, struct err *err);

/* The canonical row of a value that two rows can set: those of reservationlevel 0 become those of the top
 * level. */
const struct option *config_one_row(const struct option *row, const char **title);

/* Stores a value of scope "" or "reservationlevel" into a policy, of "partition" into weights, of a
 * credential into attr, of a node into node, depending on value->row->scope. The other targets may be NULL.
 * An empty section stores nothing. */
void config_store(const struct config_value *value, struct policy *policy, struct prio_weights *weights,
		  struct cred_attr *attr, struct config_node *node);

/* The reservation level in a section's title; RESERVATION_LEVELS if it is not a level. */
unsigned config_level(const char *title);

/* Appends NODEAVAILABILITYPOLICY: the policy for processors, then the resources with a different policy. */
void config_print_available(const uint8_t available[static AVAILABLE_RESOURCE_COUNT], struct str *out);

/* Appends the present value of an option of a scope other than node, as it would be written; nothing if it is
 * unset, or is not a number, choice or target. */
void config_print_value(const struct option *row, const struct policy *policy,
			const struct prio_weights *weights, const struct cred_attr *attr, struct str *out);

/* Appends a limit's values as they would be written: "2,8". */
void config_print_limit(const struct limit *limit, struct str *out);

/* Sets one value in a list like a live change: it replaces the values with the same name. Copies it. */
void config_list_set(struct config_list *list, const struct config_value *value);

/* The shipped configuration: every option with its default and help. */
extern const char core_defaults_conf[];

#endif
