/* SPDX-License-Identifier: MIT */
/*
 * limit.c - what are the throttling limits called, and in which order do they stand?
 */
#include "limit.h"

#include "cred.h"

static uint32_t place_of(const struct limit *limit)
{
	uint32_t pair = limit->second_type != CRED_TYPE_COUNT;

	return (uint32_t)limit->scope << 24 | pair << 16 | (uint32_t)limit->kind << 8 | limit->second_type;
}

static int by_number(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

int limit_compare(const struct limit *a, const struct limit *b)
{
	if (a->cred != b->cred)
		return by_number(a->cred, b->cred);
	if (place_of(a) != place_of(b))
		return by_number(place_of(a), place_of(b));
	return by_number(a->second, b->second);
}

const char *limit_name(enum limit_scope scope, enum limit_kind kind)
{
	static const char *const names[LIMIT_SCOPE_COUNT][LIMIT_KIND_COUNT] = {
		[LIMIT_ACTIVE] = {"MAXJOB", "MAXPROC", "MAXNODE", "MAXPS", "MAXPE", "MAXWC", "MAXMEM"},
		[LIMIT_IDLE] = {"MAXIJOB", "MAXIPROC", "MAXINODE", "MAXIPS", "MAXIPE", "MAXIWC", "MAXIMEM"},
		[LIMIT_QUEUED] = {[LIMIT_JOB] = "MAXQUEUED"},
		[LIMIT_OVERRIDE_ACTIVE] = {"OMAXJOB", "OMAXPROC", "OMAXNODE", "OMAXPS", "OMAXPE", "OMAXWC",
					   "OMAXMEM"},
		[LIMIT_OVERRIDE_IDLE] = {"OMAXIJOB", "OMAXIPROC", "OMAXINODE", "OMAXIPS", "OMAXIPE",
					 "OMAXIWC", "OMAXIMEM"},
		[LIMIT_SYSTEM] = {[LIMIT_PROC] = "SYSTEMMAXPROCPERJOB",
				  [LIMIT_PS] = "SYSTEMMAXPROCSECONDPERJOB",
				  [LIMIT_WC] = "SYSTEMMAXJOBWALLTIME"},
		[LIMIT_CLASS] = {[LIMIT_PROC] = "PROC", [LIMIT_NODE] = "NODE", [LIMIT_WC] = "WCLIMIT"},
	};
	const char *name = names[scope][kind];

	return name != 0 ? name : "";
}
