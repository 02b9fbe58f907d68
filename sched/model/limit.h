/* SPDX-License-Identifier: MIT */
/*
 * limit.h - throttling limits as configured
 *
 * A record is one configured limit: its owner, kind and value. throttle.h determines which limits apply to a
 * job and the current usage.
 *
 * Source: Maui Administrator's Guide 6.2 (Throttling policies).
 */
#ifndef MODEL_LIMIT_H
#define MODEL_LIMIT_H

#include <stdint.h>

#include "cred.h"

/* The limited quantity. Names in the configuration: MAX + JOB ..., MAXI + JOB ..., OMAX + JOB ... */
enum limit_kind {
	LIMIT_JOB,  /* number of jobs */
	LIMIT_PROC, /* processors dedicated or requested */
	LIMIT_NODE, /* nodes: allocated, or requested, or the minimum that the job needs */
	LIMIT_PS,   /* processor-seconds outstanding: processors * remaining time or limit */
	LIMIT_PE,   /* processor equivalents, truncated for each job */
	LIMIT_WC,   /* seconds outstanding, without processors                      */
	LIMIT_MEM,  /* MB of memory dedicated to, or requested by, all tasks */
	LIMIT_KIND_COUNT
};

/* The jobs that count against the limit. */
enum limit_scope {
	LIMIT_ACTIVE,          /* MAX...: running jobs                                 */
	LIMIT_IDLE,            /* MAXI...: eligible jobs; jobs beyond the limit are blocked */
	LIMIT_QUEUED,          /* MAXQUEUED (only of kind LIMIT_JOB): running and eligible jobs */
	LIMIT_OVERRIDE_ACTIVE, /* OMAX... of a QOS: running jobs; replaces MAX... (T-21) */
	LIMIT_OVERRIDE_IDLE,   /* OMAXI... of a QOS: eligible jobs; replaces MAXI... */
	LIMIT_SYSTEM,          /* limit of the system on a single job */
	LIMIT_CLASS,           /* limit of a class on a single job (M-16) */
	LIMIT_SCOPE_COUNT
};

#define LIMIT_UNLIMITED INT64_MAX

/*
 * A configured limit; soft <= hard (T-29). With a second credential, the limit applies to pairs (owner,
 * second): to a pair with each credential of second_type if second is INDEX_NONE, otherwise only with this
 * second credential. The owner DEFAULT stands for every credential of its type that has no limit of the same
 * kind, scope and second type.
 */
struct limit {
	uint32_t cred;       /* owner: index into the table of credentials; INDEX_NONE = the system */
	uint8_t kind;        /* enum limit_kind                                              */
	uint8_t scope;       /* enum limit_scope; never LIMIT_SYSTEM or LIMIT_CLASS */
	uint8_t second_type; /* enum cred_type of the second credential; CRED_TYPE_COUNT = none */
	uint8_t spare;
	uint32_t second; /* second credential; INDEX_NONE = each of second_type */
	uint32_t spare2;
	int64_t soft, hard; /* in the unit of kind; LIMIT_UNLIMITED = no limit */
};

/* Returns the sort key of a limit among the limits of its owner. */
static inline uint64_t limit_place(const struct limit *limit)
{
	uint64_t pair = limit->second_type != CRED_TYPE_COUNT;

	return (uint64_t)limit->scope << 56 | pair << 48 | (uint64_t)limit->kind << 40 |
	       (uint64_t)limit->second_type << 32 | limit->second;
}

/*
 * Compares two limits in the sort order of the table of limits: by owner (the system last), scope, limits
 * without a second credential before limits on pairs, kind, type of the second credential, second credential
 * (INDEX_NONE last). Returns 0 if the limits have the same key, so that one replaces the other.
 */
int limit_compare(const struct limit *a, const struct limit *b);

/* Returns the name of a limit: "MAXPS", "MAXIJOB", "MAXQUEUED", "OMAXNODE" ...; static storage. */
const char *limit_name(enum limit_scope scope, enum limit_kind kind);

#endif
