/* SPDX-License-Identifier: MIT */
/*
 * settings.h - options that are set, their values and origins
 *
 * Three layers, each overriding the previous one: defaults of the global options, the configuration, live
 * changes.
 */
#ifndef REPORT_SETTINGS_H
#define REPORT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/base/option.h"
#include "sched/model/snapshot.h"

/* An option with its value and origin. */
struct setting_row {
	const struct option *row;
	char *name;   /* in command syntax: user[john].priority */
	char *value;  /* in effect; NULL = not set */
	char *said;   /* value in the configuration file; NULL = not set there */
	char *origin; /* "default", "kahu.conf:12", "journal 431"    */
	int line;     /* line of the configuration; 0 = not set there */
	uint64_t seq; /* journal entry of the live change; 0 = none */
};

/* A zeroed list is valid and empty. */
struct settings {
	struct setting_row *item;
	size_t count, room;
};

void settings_add_defaults(struct settings *all);

/* Adds the values of a configuration text. Returns false with err set on failure. */
bool settings_add_text(struct settings *all, const char *file, const char *text, struct err *err);

/* Adds all three layers of a state. Returns false with err set if the configuration text cannot be read. */
bool settings_of(struct settings *all, const struct snapshot *s, struct err *err);

/* Returns the index of the option with this name, in any case; all->count if it is not in the list. */
size_t settings_find(const struct settings *all, const char *name);

/* Does the value differ from the default? */
bool setting_is_changed(const struct setting_row *item);
void settings_free(struct settings *all);

/* --- origin of an option ------------------------------------------------------------------------------ */

struct str; /* sched/base/str.h */

/*
 * Appends "set by entry 431", "kahu.conf:12" or "default" for an option in command syntax: "xfactorweight",
 * "user[john].fstarget", "class[fast].maxproc[user:bob]". Sets *entry to the journal entry of the live
 * change; 0 = none. Returns false if the option is not set.
 */
bool origin_find(const struct snapshot *s, const char *option, struct str *out, uint64_t *entry);

#endif
