/* SPDX-License-Identifier: MIT */
/*
 * cred.h - users, groups, accounts, QOS, classes: who is who and what is set for each?
 *
 * A credential appears when a job or the configuration first names it. The name
 * DEFAULT of each type carries what holds for those without a setting of their own.
 * 0 means "not set", as in the original.
 */
#ifndef CORE_CRED_H
#define CORE_CRED_H

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

/* What the site has set for one credential. All zero = nothing. */
struct cred_attr {
	double priority;     /* points, may be negative (P-10 .. P-14)          */
	double qt_weight;    /* QOS: added to QUEUETIMEWEIGHT (P-52)            */
	double xf_weight;    /* QOS: added to XFACTORWEIGHT (P-60)              */
	int64_t qt_target_s; /* QOS, or user when the QOS has none (P-63)       */
	double xf_target;    /* likewise; > 1 when set                          */
};

struct cred {
	uint32_t type; /* enum cred_type                */
	uint32_t name; /* string of the snapshot        */
	struct cred_attr attr;
};

/* "user", "group", "account", "qos", "class"; static storage. */
const char *cred_type_name(enum cred_type type);

/* By name, any case; CRED_TYPE_COUNT if none. "acct" is account. */
enum cred_type cred_type_find(const char *name);

#endif
