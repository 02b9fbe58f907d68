/* SPDX-License-Identifier: MIT */
/*
 * maui_cfg_settings.h - which values are in force at the end of a maui.cfg, and how are they written?
 *
 * Lines about one object may stand anywhere; here they come together, in the order in which
 * they were first named.
 */
#ifndef TRACE_MAUI_CFG_SETTINGS_H
#define TRACE_MAUI_CFG_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/option.h"

struct str;

struct import_setting {
	const struct option *row;
	char *second; /* of a limit: "USER:steve"; "" = none                      */
	char *value;  /* as import_value and import_amounts give it               */
	int line;     /* of maui.cfg; 0 = Maui's own default                      */
};

struct import_section {
	const char *scope; /* of its rows; "" outside sections */
	char *title;
	int line; /* where it was first named */
	struct import_setting *item;
	size_t count, room;
};

/* Zero is empty. Release with import_settings_clear. */
struct import_settings {
	struct import_section *section;
	size_t count, room;
};

/* The section of this name, in any case, else a new one. */
struct import_section *import_section(struct import_settings *all, const char *scope, const char *title,
				      int line);

/* The setting of a row, and of a limit with this second credential; NULL when there is none yet. */
struct import_setting *import_find(const struct import_section *section, const struct option *row,
				   const char *second);

/* Sets it; what was there before is forgotten. Texts are copied. */
void import_put(struct import_section *section, const struct option *row, const char *second,
		const char *value, int line);

/* Can a section of a kahu.conf be called so? */
bool import_may_be_title(const char *title);

/* Appends it all as a kahu.conf. */
void import_write(const struct import_settings *all, struct str *out);

void import_settings_clear(struct import_settings *all);

#endif
