/* SPDX-License-Identifier: MIT */
/*
 * limit.c - names and sort order of throttling limits
 */
#include "limit.h"

int limit_compare(const struct limit *a, const struct limit *b)
{
	uint64_t place = limit_place(a), other = limit_place(b);

	if (a->cred != b->cred)
		return a->cred < b->cred ? -1 : 1;
	return (place > other) - (place < other);
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
