/* SPDX-License-Identifier: MIT */
/*
 * maui_cfg_settings.h - settings collected from a maui.cfg, and their output
 *
 * Lines about one object may be anywhere in the file; here they are collected, in the order in which the
 * objects were first named.
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
	char *value;  /* as returned by import_value and import_amounts */
	int line;     /* of maui.cfg; 0 = Maui's own default                      */
};

struct import_section {
	const char *scope; /* of its rows; "" outside sections */
	char *title;
	int line; /* line where it was first named */
	struct import_setting *item;
	size_t count, room;
};

/* A zeroed struct is empty. Release with import_settings_clear. */
struct import_settings {
	struct import_section *section;
	size_t count, room;
};

/* The section with this title, in any case, otherwise a new one. */
struct import_section *import_section(struct import_settings *all, const char *scope, const char *title,
				      int line);

/* The setting of a row and, for a limit, with this second credential; NULL if there is none. */
struct import_setting *import_find(const struct import_section *section, const struct option *row,
				   const char *second);

/* Sets a value, replacing the previous one. Texts are copied. */
void import_put(struct import_section *section, const struct option *row, const char *second,
		const char *value, int line);

/* Is it a valid title of a kahu.conf section? */
bool import_may_be_title(const char *title);

/* Appends all settings as a kahu.conf. */
void import_write(const struct import_settings *all, struct str *out);

void import_settings_clear(struct import_settings *all);

#endif
