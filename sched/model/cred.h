/* SPDX-License-Identifier: MIT */
/*
 * cred.h - users, groups, accounts, QOS, classes: who is who and what is set for each?
 *
 * A credential appears when a job or the configuration first names it. The name
 * DEFAULT of each type carries what holds for those without a setting of their own.
 * 0 means "not set", as in the original.
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

/* What is set for this name holds for jobs without a credential of the type ("account none"). */
#define CRED_NONE "none"

/* How a fairshare target is meant (guide 6.3; the suffix of FSTARGET). */
enum fs_mode {
	FS_NO_TARGET,
	FS_TARGET,       /* 25.0:  both directions                                       */
	FS_FLOOR,        /* 25.0+: below it the job gains, above nothing happens         */
	FS_CEILING,      /* 25.0-: above it the job loses                                */
	FS_CAP_ABSOLUTE, /* 50000^: more processor-seconds than that block               */
	FS_CAP_RELATIVE  /* 25.0%: a larger share than that blocks                       */
};

/* What the site has set for one credential. All zero = nothing. */
struct cred_attr {
	double priority;     /* points, may be negative (P-10 .. P-14)          */
	double qt_weight;    /* QOS: added to QUEUETIMEWEIGHT (P-52)            */
	double xf_weight;    /* QOS: added to XFACTORWEIGHT (P-60)              */
	int64_t qt_target_s; /* QOS, or user when the QOS has none (P-63)       */
	double xf_target;    /* likewise; > 1 when set                          */
	double fs_target;    /* in percent; FS_CAP_ABSOLUTE: in processor-seconds */
	uint8_t fs_mode;     /* enum fs_mode                                    */
	uint8_t access;      /* class: enum node_access of its jobs; UNSET      */
	uint8_t spare[6];
	/* Class: what its jobs get when they do not say (M-16), and what a single job may ask for. 0 = not
	 * set. */
	int64_t default_wall_s;
	uint64_t default_features; /* bits of kind TRAIT_FEATURE             */
	int64_t max_wall_s, min_wall_s;
	int64_t max_procs, min_procs; /* per job */
	int64_t max_nodes, min_nodes;
};

struct cred {
	uint32_t type;                     /* enum cred_type                */
	uint32_t name;                     /* string of the snapshot        */
	uint32_t usage;                    /* its row of the table of usage; INDEX_NONE = has used nothing */
	uint32_t limit_first, limit_count; /* its rows of the table of limits */
	uint32_t qdef;   /* credential: the QOS it gets when a job names none; INDEX_NONE (M-13) */
	uint32_t adef;   /* credential: the account that its jobs charge when they name none; INDEX_NONE */
	uint32_t jobs;   /* of a user: waiting and running */
	uint64_t stored; /* of a user: bytes that its jobs and their changes take in a store */
	/* Of a user: how often changes of dependencies that are kept for its jobs name a job. */
	uint64_t kept_depends;
	struct cred_attr attr;
};

/* "user", "group", "account", "qos", "class"; static storage. */
const char *cred_type_name(enum cred_type type);
/* "users", "QOS", "classes"; static storage. */
const char *cred_type_plural(enum cred_type type);

/* By name, any case; CRED_TYPE_COUNT if none. "acct" is account. */
enum cred_type cred_type_find(const char *name);

#endif
