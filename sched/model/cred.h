/* SPDX-License-Identifier: MIT */
/*
 * cred.h - credentials: users, groups, accounts, QOS, classes
 *
 * A credential is created when a job or the configuration first names it. The credential DEFAULT of each type
 * contains the settings for credentials without a setting of their own. 0 means "not set", as in Maui.
 */
#ifndef MODEL_CRED_H
#define MODEL_CRED_H

#include <stdbool.h>
#include <stdint.h>

enum cred_type {
	CRED_USER,
	CRED_GROUP,
	CRED_ACCOUNT,
	CRED_QOS,
	CRED_CLASS,
	CRED_TYPE_COUNT
};

#define CRED_DEFAULT "DEFAULT"

/*
 * Is this a valid name for a credential or a partition in a submission? It consists of letters (of any
 * script), digits and CRED_NAME_SIGNS and does not begin with '-', so that it is a single word in every
 * command line in which it is printed. Names in the configuration are not restricted.
 */
#define CRED_NAME_SIGNS "_-.+@%/:"
bool cred_name_is_plain(const char *name);

/* Settings for this name apply to jobs without a credential of the type ("account none"). */
#define CRED_NONE "none"

/* Kind of a fairshare target (guide 6.3; the suffix of FSTARGET). */
enum fs_mode {
	FS_NO_TARGET,
	FS_TARGET,       /* 25.0: raises the priority below the target and lowers it above */
	FS_FLOOR,        /* 25.0+: raises the priority below the target */
	FS_CEILING,      /* 25.0-: lowers the priority above the target */
	FS_CAP_ABSOLUTE, /* 50000^: usage above this number of processor-seconds blocks jobs */
	FS_CAP_RELATIVE  /* 25.0%: a share above this percentage blocks jobs */
};

/* Settings of one credential. A zeroed struct has none. */
struct cred_attr {
	double priority;     /* priority in points; may be negative (P-10 .. P-14) */
	double qt_weight;    /* QOS: weight added to QUEUETIMEWEIGHT (P-52) */
	double xf_weight;    /* QOS: weight added to XFACTORWEIGHT (P-60) */
	int64_t qt_target_s; /* QUEUETIME target of the QOS, or of the user if the QOS has none (P-63) */
	double xf_target;    /* XFACTOR target of the QOS, or of the user if the QOS has none; > 1 if set */
	double fs_target;    /* fairshare target in percent; for FS_CAP_ABSOLUTE in processor-seconds */
	uint8_t fs_mode;     /* enum fs_mode                                    */
	uint8_t access;      /* class: enum node_access of its jobs; ACCESS_UNSET = not set */
	uint8_t spare[6];
	/*
	 * Class: defaults for jobs that do not specify a value (M-16), and limits on a single job. 0 = not
	 * set.
	 */
	int64_t default_wall_s;
	uint64_t default_features; /* features: bits of kind TRAIT_FEATURE */
	int64_t max_wall_s, min_wall_s;
	int64_t max_procs, min_procs; /* processors of a job */
	int64_t max_nodes, min_nodes;
};

struct cred {
	uint32_t type;                     /* enum cred_type                */
	uint32_t name;                     /* name: string of the snapshot */
	uint32_t usage;                    /* its row of TABLE_USAGE; INDEX_NONE = no usage */
	uint32_t limit_first, limit_count; /* its rows of TABLE_LIMITS */
	uint32_t qdef;                     /* default QOS (M-13), a credential; INDEX_NONE = not set */
	uint32_t adef;                     /* default account, a credential; INDEX_NONE = not set */
	uint32_t jobs;                     /* user: number of idle and running jobs */
	uint64_t stored; /* user: bytes in the store that the user's jobs and their changes take */
	uint64_t texts;  /* user: bytes in the state that the names, host lists, reasons and values of these
			    jobs take */
	/*
	 * User: the number of dependencies in changes of the user's jobs that are kept for undo, and the
	 * number of all changes of these jobs that are kept for undo.
	 */
	uint64_t kept_depends, kept_changes;
	struct cred_attr attr;
};

/* Returns the name of a type: "user", "group", "account", "qos" or "class"; static storage. */
const char *cred_type_name(enum cred_type type);
/* Returns the plural of a type's name: "users", "QOS", "classes" ...; static storage. */
const char *cred_type_plural(enum cred_type type);

/* Finds a type by its name, ignoring case; "acct" is account. CRED_TYPE_COUNT if there is no such type. */
enum cred_type cred_type_find(const char *name);

#endif
