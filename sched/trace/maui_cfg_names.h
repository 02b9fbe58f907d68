/* SPDX-License-Identifier: MIT */
/*
 * maui_cfg_names.h - which names may stand in maui.cfg, and what becomes of them?
 *
 * Names are in any case. A parameter that is not in the table may still be a weight or a
 * cap: those have the names of Kahu's own options.
 */
#ifndef TRACE_MAUI_CFG_NAMES_H
#define TRACE_MAUI_CFG_NAMES_H

#include "sched/config/config.h"

struct str;

/* What becomes of it; what `what` is for. */
enum import_use {
	USE_OPTION,   /* an option outside sections: its name                            */
	USE_SECTION,  /* its value is attributes of a section: the scope                 */
	USE_QOS,      /* NAME[QOS] VALUE: the option of that qos                         */
	USE_LEVEL,    /* NAME[n] VALUE: the option of reservation level n                */
	USE_UNNEEDED, /* nothing: why nothing is lost                                    */
	USE_LOST,     /* nothing: what Kahu does not have                                */
	USE_ADMINS,   /* attributes that name administrators of level n, as ADMINCFG[n]  */
	USE_BANK,     /* nothing: what is lost unless the value says that there is none  */
	USE_MOAB,     /* nothing: it is Moab's, and Maui does not know it                */
	USE_UNKNOWN   /* nothing, as Maui does not know it either: the name that it has  */
};

struct import_name {
	const char *names; /* of parameters or attributes, blanks between them */
	enum import_use use;
	const char *what;
};

/*
 * The row of a parameter, with scope "", or of an attribute of a section of that scope. NULL when
 * there is none: it is unknown, or an option of the same name.
 */
const struct import_name *import_name_find(const char *scope, const char *name);

/* The option that is a weight or a cap by this name, NULL when there is none. */
const struct option *import_weight(const char *name);

/*
 * Reads the name of a limit: MAXJOB, OMAXIPS, MAXPROCPERUSER. Gives its row in the scope and, for
 * the last, "USER" in *per (else ""). NULL: it is none there.
 */
const struct option *import_limit(const char *scope, const char *name, const char **per);

/* What was probably meant, in capitals; nothing when no name is near. scope as above. */
void import_nearest(const char *scope, const char *name, struct str *out);

#endif
