/* SPDX-License-Identifier: MIT */
/*
 * settings.h - options that are set, their values and origins
 *
 * Three layers, each over the one before: defaults of the options that hold for all, the configuration
 * as it was read, live changes.
 */
#ifndef REPORT_SETTINGS_H
#define REPORT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/base/option.h"
#include "sched/model/snapshot.h"

/* One option with what is known about it. */
struct setting_row {
	const struct option *row;
	char *name;   /* as on the command line: user[john].priority */
	char *value;  /* in force; NULL = not set                    */
	char *said;   /* by the configuration; NULL = nothing        */
	char *origin; /* "default", "kahu.conf:12", "journal 431"    */
	int line;     /* of the configuration; 0 = it does not say   */
	uint64_t seq; /* of the live change; 0 = none                */
};

/* Zero is a valid empty list. */
struct settings {
	struct setting_row *item;
	size_t count, room;
};

void settings_add_defaults(struct settings *all);

/* The values of a configuration text; on failure err has the sentence. */
bool settings_add_text(struct settings *all, const char *file, const char *text, struct err *err);

/* All three of a state. */
bool settings_of(struct settings *all, const struct snapshot *s, struct err *err);

/* The position of a name, any case; all->count when it is not there. */
size_t settings_find(const struct settings *all, const char *name);

/* Differs from what holds where nothing is said? */
bool setting_is_changed(const struct setting_row *item);
void settings_free(struct settings *all);

/* --- where an option was set -------------------------------------------------------------------------- */

struct str; /* sched/base/str.h */

/*
 * Appends "set by entry 431", "kahu.conf:12" or "default" for an option as commands name it:
 * "xfactorweight", "user[john].fstarget", "class[fast].maxproc[user:bob]". *entry is that of the live
 * change, 0 = none. False: nobody set it.
 */
bool origin_find(const struct snapshot *s, const char *option, struct str *out, uint64_t *entry);

#endif
