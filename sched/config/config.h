/* SPDX-License-Identifier: MIT */
/*
 * config.h - which options exist, and what does a configuration text mean?
 *
 * Every option is a row (sched/base/option.h): the libconfuse grammar, `tune`, the
 * Config screen, `kahu lint` and defaults.conf come from these rows. A name for one
 * value is written as in the file or, on the command line, with its section in brackets:
 *
 *     xfactorweight        user[john].priority        partition[p1].queuetimeweight
 *     reservationdepth[3]  class[fast].maxjob[group]  class[fast].maxproc[user:steve]
 *     system.maxjob        class[fast].max.wclimit    node[DEFAULT].priorityf
 *
 * A text is read whole into a list of values, or refused whole. Everything here is pure,
 * but for libconfuse: one thread at a time may read a text (option.h).
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

/* How the value of a row is kept. */
enum config_form {
	FORM_FIELD,       /* a number, choice or switch: at row->offset of what its scope owns  */
	FORM_LIMIT,       /* elements are limits; row->offset: CONFIG_LIMIT                     */
	FORM_TARGET,      /* a fairshare target: fs_target and fs_mode of cred_attr             */
	FORM_QLIST,       /* names of the QOS that a credential may use                         */
	FORM_QDEF,        /* name of the QOS that its jobs get                                  */
	FORM_LEVEL_DEPTH, /* of the reservation level that the section's title says             */
	FORM_LEVEL_QOS,   /* names of the QOS of that level                                     */
	FORM_AVAILABLE,   /* policy.available                                                   */
	FORM_FEATURES,    /* names of features that a class's jobs ask for                      */
	FORM_NODE_WORDS,  /* names of a node's features ...; row->offset: enum trait_kind       */
	FORM_PARTITION,   /* name of a node's partition                                         */
	FORM_PRIORITYF,   /* an expression of a node                                            */
	FORM_PROGRAM,     /* path of the site's program for LOCAL                               */
	FORM_SITE_TEXT,   /* a text for the manager of real jobs; row->offset: enum site_text   */
	FORM_ALIST,       /* names of the accounts that jobs may charge                         */
	FORM_ADEF,        /* name of the account that jobs without one charge                   */
	FORM_UMASK        /* policy.site.umask                                                  */
};

/* Where a row of form LIMIT points. */
#define CONFIG_LIMIT(scope, kind) ((size_t)(scope)*LIMIT_KIND_COUNT + (kind))

/* The rows, all scopes; scopes are "", "user", "group", "account", "qos", "class",
 * "!system", "reservationlevel", "partition", "node". Weights are finite and small enough that no
 * sum can overflow. */
extern const struct option config_rows[];
extern const size_t config_row_count;

/* Which weight or cap an option of scope "" or "partition" sets; index: an enum of policy.h. */
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

/* "xfactorweight": the option that sets it; static storage. */
const char *config_weight_name(struct config_weight weight);

/* Room for the name of a section, NUL included: what a user, partition, node ... may be called. */
#define CONFIG_TITLE 65

/* What a node section says, but for its texts. */
struct config_node {
	uint32_t procs; /* 0 = not given, here and below */
	uint32_t rack, index;
	double speed, procspeed;
	double priority;
	int64_t mem_mb, swap_mb, disk_mb; /* -1 = not given                */
	uint8_t access;                   /* enum node_access              */
	bool drained;
};

/* --- what texts mean (config_text.c) ---------------------------------------------------- */

/* The largest amount that a limit of any kind may have. */
#define CONFIG_LIMIT_MAX INT64_C(1000000000000000)

/* One limit as it is written: [CREDTYPE[:NAME]=][SOFT,]HARD. */
struct config_limit {
	enum limit_scope scope;
	enum limit_kind kind;
	enum cred_type second_type; /* CRED_TYPE_COUNT = no second credential          */
	const char *second;         /* its name, borrowed and not terminated           */
	size_t second_len;          /* 0 = each of that type                           */
	int64_t soft, hard;         /* soft <= hard (T-29)                             */
	bool soft_beyond;           /* soft was above hard as it is written            */
};

/*
 * Reads a limit by its row. second, second_len: what stood in the last brackets of the name,
 * "user:steve"; NULL when nothing did.
 */
bool config_limit_read(const struct option *row, const char *second, size_t second_len, const char *text,
		       struct config_limit *out, struct err *err);

/* "25.0+": how much, and an enum fs_mode; "none" is FS_NO_TARGET. */
bool config_target_read(const char *text, double *target, uint8_t *mode, struct err *err);

/*
 * The next word of a text of names between blanks or commas, from *at on; *at moves behind it. NULL at
 * the end. Elements of lists of names may hold several.
 */
const char *config_word(const char **at, size_t *len);

/* Do values of the row name traits of a kind: those of nodes, or the features of a class? */
static inline bool config_row_names(const struct option *row, enum trait_kind kind)
{
	return row->form == FORM_NODE_WORDS ? row->offset == (size_t)kind
					    : row->form == FORM_FEATURES && kind == TRAIT_FEATURE;
}

/* "gpu:4", "gpu": how long the name is, and how many (1). */
bool config_gres_read(const char *word, size_t len, size_t *name_len, uint32_t *count, struct err *err);

/* "dedicated:mem" sets one entry, "dedicated" all. */
bool config_available_read(const char *word, size_t len, uint8_t available[static AVAILABLE_RESOURCE_COUNT],
			   struct err *err);

/* "027": permissions, in octal. */
bool config_umask_read(const char *text, uint32_t *out, struct err *err);

/* Their names, by enum availability and enum available_resource; NULL at the end. */
extern const char *const config_available_policy[], *const config_available_resource[];

/* --- texts and names -------------------------------------------------------------------- */

/*
 * One value addressed to where it lives. A section that is opened and left empty is a
 * value too, with row == NULL and its kind in value.text: "node n1 {}" names a node.
 */
struct config_value {
	const struct option *row;
	const char *title;  /* section name: "john"; "" at the top level; DEFAULT in capitals */
	const char *second; /* of a limit whose name has a second credential in brackets: that, borrowed from
			     * the name; else NULL (it may stand in the text) */
	size_t second_len;
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

/* The same for a name alone: *out has everything but a value. */
bool config_resolve_name(const char *name, struct config_value *out, char *title_out, size_t room,
			 struct err *err);

/* The name of a value, as config_resolve reads it: "class[fast].maxproc[user:steve]", and the text that
 * goes with that name. */
void config_print_name(const struct config_value *value, struct str *out);
const char *config_value_text(const struct config_value *value);

/* May the value be set while the scheduler runs? A node's hardware is as it is; which node is taken first, or
 * not at all, can be told at any time. */
bool config_check_live(const struct config_value *value, struct err *err);

/* Is the value the PRIORITY of a node? Does it say whether a node is drained? */
bool config_is_node_priority(const struct config_value *value);
bool config_is_node_drained(const struct config_value *value);

/* May a section of this kind have this name? DEFAULT becomes so written. */
bool config_check_section(const char *scope, const char **title, struct err *err);

/* The row by which a value goes when two rows mean one thing: reservationlevel 0 is the top level's. */
const struct option *config_one_row(const struct option *row, const char **title);

/* Stores a value of scope "" or "reservationlevel" into a policy, "partition" into weights, a credential's
 * into attr, a node's into node; which is chosen by value->row->scope. Unneeded targets
 * may be NULL. An empty section stores nothing. */
void config_store(const struct config_value *value, struct policy *policy, struct prio_weights *weights,
		  struct cred_attr *attr, struct config_node *node);

/* The reservation level that a section's title means; RESERVATION_LEVELS when it is none. */
unsigned config_level(const char *title);

/* NODEAVAILABILITYPOLICY: what holds for processors, then the resources for which something else holds. */
void config_print_available(const uint8_t available[static AVAILABLE_RESOURCE_COUNT], struct str *out);

/* The present value of an option that is not a node's, as it would be written; nothing when unset, or when
 * it is no number, choice or target. */
void config_print_value(const struct option *row, const struct policy *policy,
			const struct prio_weights *weights, const struct cred_attr *attr, struct str *out);

/* "2,8": a limit's amounts as they would be written. */
void config_print_limit(const struct limit *limit, struct str *out);

/* --- lint: what a good configuration will not do (config_lint.c; beside the state: lint.h) ---- */

enum config_severity {
	SEVERITY_NOTE,    /* is it meant?                          */
	SEVERITY_WARNING, /* something that is set does not do what it seems to */
	SEVERITY_ERROR    /* jobs can never run, or never all      */
};

/* Which screen a rule concerns, beside that of the configuration. */
enum config_subject {
	SUBJECT_OF_OPTION, /* that of the option which its finding names */
	SUBJECT_SHARES,
	SUBJECT_LIMITS,
	SUBJECT_OTHER
};

/* A rule and what it is about, in a sentence. Ids are stable: W of what is written, L of the
 * living state, H of the host. */
struct config_rule {
	const char *id;
	enum config_severity severity;
	const char *says;
	enum config_subject subject;
};
extern const struct config_rule config_rules[];
extern const size_t config_rule_count;
/* By id, any case; NULL if there is none. */
const struct config_rule *config_rule_find(const char *id);
/* "note", "warning", "error"; static storage. */
const char *config_severity_name(enum config_severity severity);

#define CONFIG_NAME 208 /* room for the name of a value */

struct config_finding {
	const char *id; /* "W3": of a rule                                         */
	enum config_severity severity;
	int line;                   /* in the text; 0 = the whole, or a live change            */
	int64_t count;              /* how many jobs or nodes it is about; 0 = that is not counted */
	char option[CONFIG_NAME];   /* the value that it is about, as config_resolve reads it; "" = none */
	char fix[CONFIG_NAME + 64]; /* "NAME=VALUE": set so, the finding goes; "" = no one value does it */
	char text[256];             /* what is odd, and what to do about it                    */
};

/* Never SUBJECT_OF_OPTION: fsinterval and user[eva].fstarget are of shares, maxjob of limits. */
enum config_subject config_finding_subject(const struct config_finding *finding);

/* Writes at most room findings, returns how many there are. text must be accepted by config_read. */
size_t config_lint(const char *file, const char *text, size_t len, struct config_finding *out, size_t room);

/* The same of a list without empty sections. */
size_t config_lint_list(const struct config_list *list, struct config_finding *out, size_t room);

/* What a text names that only a host can tell of. */
enum host_thing {
	HOST_PROGRAM, /* by its path */
	HOST_USER,
	HOST_CONFIG /* the file of the configuration itself */
};
enum host_state {
	HOST_GOOD, /* also when that cannot be seen */
	HOST_MISSING,
	HOST_UNUSABLE, /* a program that is none */
	HOST_UNTRUSTED /* a program that is not run, or a configuration whose programs are not: why says it */
};
typedef enum host_state host_ask(void *self, enum host_thing thing, const char *name, struct err *why);

/* As config_lint, the rules with H; the host is asked by whoever may. */
size_t config_lint_host(const char *file, const char *text, size_t len, host_ask *ask, void *self,
			struct config_finding *out, size_t room);

/* Sets one value in a list, as a live change does: it takes the place of what has its name. Copies it. */
void config_list_set(struct config_list *list, const struct config_value *value);

/* The shipped configuration, as text: every option with its default and sentence. */
extern const char core_defaults_conf[];

#endif
