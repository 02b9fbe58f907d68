/* SPDX-License-Identifier: MIT */
/*
 * maui_cfg_settings.h - settings collected from a maui.cfg, and their output
 *
 * The lines about one user, node or other object may be anywhere in a maui.cfg. Here they are collected in
 * one section for each object, in the order in which the file first names the objects.
 */
#ifndef TRACE_MAUI_CFG_SETTINGS_H
#define TRACE_MAUI_CFG_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/option.h"

struct str;

struct import_setting {
	const struct option *row;
	char *second; /* second credential of a limit, "USER:steve"; "" = none */
	char *value;  /* value as returned by import_value or import_amounts */
	int line;     /* line of the maui.cfg; 0 = the value is a default of Maui */
};

struct import_section {
	const char *scope; /* scope of the rows; "" = outside sections */
	char *title;
	int line; /* line in which the maui.cfg first names the object */
	struct import_setting *item;
	size_t count, room;
};

/* A zeroed struct is empty. Release with import_settings_clear. */
struct import_settings {
	struct import_section *section;
	size_t count, room;
};

/* Returns the section with this title, in any case; adds it if there is none. */
struct import_section *import_section(struct import_settings *all, const char *scope, const char *title,
				      int line);

/*
 * Returns the setting of a row (for a limit, the setting with this second credential); NULL if there is none.
 */
struct import_setting *import_find(const struct import_section *section, const struct option *row,
				   const char *second);

/* Sets a value, in place of the previous one if there is one. The strings are copied. */
void import_put(struct import_section *section, const struct option *row, const char *second,
		const char *value, int line);

/* Can a section of a kahu.conf have this title? */
bool import_may_be_title(const char *title);

/* Appends all settings as the text of a kahu.conf. */
void import_write(const struct import_settings *all, struct str *out);

void import_settings_clear(struct import_settings *all);

#endif
