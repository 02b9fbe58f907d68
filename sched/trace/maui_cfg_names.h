/* SPDX-License-Identifier: MIT */
/*
 * maui_cfg_names.h - parameters and attributes of maui.cfg, and how they are imported
 *
 * Names are case-insensitive. Parameters that are not in the table may be weights or caps: those have the
 * same names as Kahu's options.
 */
#ifndef TRACE_MAUI_CFG_NAMES_H
#define TRACE_MAUI_CFG_NAMES_H

#include "sched/config/config.h"

struct str;

/* How a parameter is imported, and the meaning of `what`. */
enum import_use {
	USE_OPTION,   /* an option outside sections: its name */
	USE_SECTION,  /* attributes of a section: its scope */
	USE_QOS,      /* NAME[QOS] VALUE: an option of that QOS                         */
	USE_LEVEL,    /* NAME[n] VALUE: an option of reservation level n                */
	USE_UNNEEDED, /* not imported: why nothing is lost */
	USE_LOST,     /* not imported: what Kahu lacks */
	USE_ADMINS,   /* administrators of level n, as ADMINCFG[n] */
	USE_BANK,     /* not imported: what is lost unless the value is NONE */
	USE_MOAB,     /* not imported: a Moab parameter, unknown to Maui */
	USE_UNKNOWN   /* not imported: unknown to Maui, too; the correct name */
};

struct import_name {
	const char *names; /* of parameters or attributes, separated by blanks */
	enum import_use use;
	const char *what;
};

/*
 * The row of a parameter, with scope "", or of an attribute of a section of that scope. NULL if there is
 * none: it is unknown, or an option of the same name.
 */
const struct import_name *import_name_find(const char *scope, const char *name);

/* The weight or cap of this name, NULL if there is none. */
const struct option *import_weight(const char *name);

/*
 * Parses the name of a limit: MAXJOB, OMAXIPS, MAXPROCPERUSER. Returns its row in the scope and, for the last
 * one, "USER" in *per (otherwise ""). NULL: it is not a limit in this scope.
 */
const struct option *import_limit(const char *scope, const char *name, const char **per);

/* Appends the most similar name, in capitals; nothing if no name is similar. scope as above. */
void import_nearest(const char *scope, const char *name, struct str *out);

#endif
