/* SPDX-License-Identifier: MIT */
/*
 * maui_cfg.h - import of a maui.cfg as a kahu.conf
 *
 * The import preserves the policy that was in effect. A parameter that Maui did not know, and therefore
 * ignored, is not imported; a number that Maui truncated is truncated; a default of Maui that differs from
 * Kahu's is written. Every parameter is in the resulting text, or in the findings with its line and an
 * explanation, or in both if its value was changed.
 *
 * Source: Maui Administrator's Guide 3.4 (the file), Appendix F (parameters), and the sections cited by each
 * option.
 */
#ifndef TRACE_MAUI_CFG_H
#define TRACE_MAUI_CFG_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/err.h"
#include "sched/base/str.h"

enum maui_severity {
	MAUI_UNNEEDED, /* not imported, without consequence */
	MAUI_CHANGED,  /* imported with a change */
	MAUI_LOST,     /* not imported: Kahu has no equivalent */
	MAUI_WRONG,    /* unknown to Maui, invalid, or set twice */
	MAUI_SEVERITY_COUNT
};

/* Returns "unneeded", "changed", "lost" or "wrong"; static storage. */
const char *maui_severity_name(enum maui_severity severity);

struct maui_finding {
	int line; /* line number, from 1; 0 = the finding is about the whole file */
	enum maui_severity severity;
	char *text; /* "USERCFG[john] MAXFOO=3: there is no such ..."            */
};

/* A zeroed struct is empty. Release with maui_cfg_clear. */
struct maui_cfg {
	struct str conf;              /* a kahu.conf; config_read accepts it                       */
	size_t values;                /* number of values in it */
	struct maui_finding *finding; /* sorted by line; findings about the whole file are last */
	size_t count, room;
};

/*
 * Parses a whole file. Returns false, with a message that begins with the file name and *out zeroed, if it is
 * not a maui.cfg (no known parameter, a kahu.conf, NUL bytes) or is larger than a kahu.conf can be.
 */
bool maui_cfg_read(const char *file, const char *text, size_t len, struct maui_cfg *out, struct err *err);

void maui_cfg_clear(struct maui_cfg *cfg);

#endif
