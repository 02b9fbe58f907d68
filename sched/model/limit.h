/* SPDX-License-Identifier: MIT */
/*
 * limit.h - which throttling limits may a site set?
 *
 * One record is one limit as the configuration has it: whose, of what, how much. Which of
 * them bind a job, and how much is in use, is throttle.h.
 *
 * Source: Maui Administrator's Guide 6.2 (Throttling policies).
 */
#ifndef MODEL_LIMIT_H
#define MODEL_LIMIT_H

#include <stdint.h>

#include "cred.h"

/* What is limited. Names in the configuration: MAX + JOB ..., MAXI + JOB ..., OMAX + JOB ... */
enum limit_kind {
	LIMIT_JOB,  /* jobs                                                         */
	LIMIT_PROC, /* processors dedicated, or asked for                           */
	LIMIT_NODE, /* nodes: those held, or asked for, or the fewest that the job can be held on */
	LIMIT_PS,   /* processor-seconds outstanding: processors * time left, or limit */
	LIMIT_PE,   /* processor equivalents, each job's cut to a whole number      */
	LIMIT_WC,   /* seconds outstanding, without processors                      */
	LIMIT_MEM,  /* MB of memory dedicated, or asked for by all tasks            */
	LIMIT_KIND_COUNT
};

/* Of which jobs. */
enum limit_scope {
	LIMIT_ACTIVE,          /* MAX...: running jobs                                 */
	LIMIT_IDLE,            /* MAXI...: eligible jobs; what is beyond is blocked    */
	LIMIT_QUEUED,          /* MAXQUEUED, of kind JOB only: running and eligible    */
	LIMIT_OVERRIDE_ACTIVE, /* OMAX... of a QOS (T-21)                               */
	LIMIT_OVERRIDE_IDLE,   /* OMAXI...                                              */
	LIMIT_SYSTEM,          /* a single job; owner is the whole system              */
	LIMIT_CLASS,           /* a single job; owner is its class (M-16)              */
	LIMIT_SCOPE_COUNT
};

#define LIMIT_UNLIMITED INT64_MAX

/*
 * soft <= hard (T-29). With a second credential it holds for the pairs (owner, second): for
 * each credential of second_type when second is INDEX_NONE, else for that one alone.
 * DEFAULT as owner stands for each credential of its type without a limit of its own of
 * the same kind, scope and second type.
 */
struct limit {
	uint32_t cred;       /* owner: index into the table of credentials; INDEX_NONE = the system */
	uint8_t kind;        /* enum limit_kind                                              */
	uint8_t scope;       /* enum limit_scope; SYSTEM and CLASS do not occur here         */
	uint8_t second_type; /* enum cred_type, CRED_TYPE_COUNT = no second credential        */
	uint8_t spare;
	uint32_t second; /* credential, INDEX_NONE = each of that type                   */
	uint32_t spare2;
	int64_t soft, hard; /* in the unit of kind; LIMIT_UNLIMITED = none                  */
};

/* Where it stands among those of its owner: as large as those before it are small. */
static inline uint64_t limit_place(const struct limit *limit)
{
	uint64_t pair = limit->second_type != CRED_TYPE_COUNT;

	return (uint64_t)limit->scope << 56 | pair << 48 | (uint64_t)limit->kind << 40 |
	       (uint64_t)limit->second_type << 32 | limit->second;
}

/*
 * The order of a table of limits: by owner (the system last), scope, those with a second behind
 * those without, kind, type of the second, second (each of its type last). 0: one replaces the other.
 */
int limit_compare(const struct limit *a, const struct limit *b);

/* "MAXPS", "MAXIJOB", "MAXQUEUED", "OMAXNODE"; static storage. */
const char *limit_name(enum limit_scope scope, enum limit_kind kind);

#endif
