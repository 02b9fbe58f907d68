/* SPDX-License-Identifier: MIT */
/*
 * maui_cfg.h - what does a site's maui.cfg say, in the words of kahu.conf?
 *
 * The aim is the policy that ran: a name that Maui did not know, and so ignored, is not
 * carried over as if it had meant something; a number that it cut is cut; where its own
 * default differs from Kahu's, the default is written. Every parameter is either in the
 * text or named, with its line and a sentence, among the findings; most of them are in one
 * of the two, those that are in both say what was changed.
 *
 * Source: Maui Administrator's Guide 3.4 (the file), Appendix F (parameters), and the parts
 * that each option names.
 */
#ifndef TRACE_MAUI_CFG_H
#define TRACE_MAUI_CFG_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/err.h"
#include "sched/base/str.h"

enum maui_severity {
	MAUI_UNNEEDED, /* not in the text, and nothing is lost                     */
	MAUI_CHANGED,  /* in the text, but not letter by letter                    */
	MAUI_LOST,     /* not in the text: Kahu does not have it                   */
	MAUI_WRONG,    /* the line itself: unknown, unreadable, said twice         */
	MAUI_SEVERITY_COUNT
};

/* "unneeded", "changed", "lost", "wrong"; static storage. */
const char *maui_severity_name(enum maui_severity severity);

struct maui_finding {
	int line; /* 1-based; 0 = of the file as a whole                       */
	enum maui_severity severity;
	char *text; /* "USERCFG[john] MAXFOO=3: there is no such ..."            */
};

/* Zero is nothing. Release with maui_cfg_clear. */
struct maui_cfg {
	struct str conf;              /* a kahu.conf; config_read accepts it                       */
	size_t values;                /* in it                                                     */
	struct maui_finding *finding; /* by line, those of the whole last             */
	size_t count, room;
};

/*
 * Reads a whole file. False, with a sentence that begins with the file's name and *out zero: it
 * is no maui.cfg (no parameter is known, it is a kahu.conf, there are NUL bytes), or larger than
 * a kahu.conf can be.
 */
bool maui_cfg_read(const char *file, const char *text, size_t len, struct maui_cfg *out, struct err *err);

void maui_cfg_clear(struct maui_cfg *cfg);

#endif
