/* SPDX-License-Identifier: MIT */
/*
 * maui_cfg_names.h - parameters and attributes of maui.cfg, and how they are imported
 *
 * The case of names is ignored. Weights and caps are not in the table, because most have the same names as
 * the options of Kahu.
 */
#ifndef TRACE_MAUI_CFG_NAMES_H
#define TRACE_MAUI_CFG_NAMES_H

#include "sched/config/config.h"

struct str;

/* How a parameter is imported; after the colon, the meaning of `what` in struct import_name. */
enum import_use {
	USE_OPTION,   /* imported as an option outside sections: name of the option */
	USE_SECTION,  /* imported as attributes of a section: scope of the section */
	USE_QOS,      /* "NAME[QOS] VALUE", imported as an option of this QOS: name of the option */
	USE_LEVEL,    /* "NAME[n] VALUE", imported as an option of reservation level n: name of the option */
	USE_UNNEEDED, /* not imported: the reason why nothing is lost */
	USE_LOST,     /* not imported: what Kahu lacks */
	USE_ADMINS,   /* "NAME[n] ATTRIBUTES", imported as the administrators of level n: "admin" */
	USE_BANK,     /* not imported: what Kahu lacks, unless the value is NONE */
	USE_MOAB,     /* not imported, because it is a parameter of Moab, unknown to Maui: NULL */
	USE_UNKNOWN   /* not imported, because it is unknown to Maui: the name that was probably meant */
};

struct import_name {
	const char *names; /* names of parameters or attributes, separated by blanks */
	enum import_use use;
	const char *what;
};

/*
 * Returns the row of a parameter (scope "") or of an attribute of sections with this scope. NULL if there is
 * none: the name is unknown, or it is the name of an option of Kahu.
 */
const struct import_name *import_name_find(const char *scope, const char *name);

/* Returns the row of the weight or cap with this name; NULL if there is none. */
const struct option *import_weight(const char *name);

/*
 * Parses the name of a limit, such as MAXJOB, OMAXIPS or MAXPROCPERUSER. Returns its row in the scope; NULL
 * if the scope has no such limit. *per is the type of the second credential in the name, "USER" in
 * MAXPROCPERUSER; "" = none.
 */
const struct option *import_limit(const char *scope, const char *name, const char **per);

/*
 * Appends the most similar name of a parameter (scope "") or of an attribute of sections with this scope, in
 * capitals; nothing if no name is similar.
 */
void import_nearest(const char *scope, const char *name, struct str *out);

#endif
