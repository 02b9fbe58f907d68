/* SPDX-License-Identifier: MIT */
/*
 * option_scan.h - scanner that validates a configuration and locates its values
 *
 * The part of option.c that runs before libconfuse: it rejects everything outside the grammar of option.h and
 * records the line of each value. It does not read values.
 */
#ifndef BASE_OPTION_SCAN_H
#define BASE_OPTION_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "option.h"

struct option_section {
	const char *scope; /* as in the rows; "" is the top level        */
	const char *title; /* in option_scan.text, not NUL-terminated    */
	size_t title_len;  /* 0 when the section has none                */
	unsigned nth;      /* among the sections of its kind, from 0     */
	int line;          /* of its beginning                           */
};

/* A value, or an empty section. */
struct option_mark {
	const struct option *row; /* NULL: an empty section              */
	size_t section;           /* index into option_scan.section      */
	unsigned element;         /* index in a list                     */
	int line;
};

struct option_scan {
	char *text;                     /* a copy with comments blanked    */
	struct option_section *section; /* [0] is the top level            */
	struct option_mark *mark;       /* in the order of the text        */
	size_t section_count, section_cap;
	size_t mark_count, mark_cap;
};

/*
 * Fills *out, which the caller must release with option_scan_free in every case. Error messages begin with
 * "file:line: ".
 */
bool option_scan(const struct option *rows, size_t count, const char *file, const char *text, size_t len,
		 struct option_scan *out, struct err *err);
void option_scan_free(struct option_scan *scan);

#endif
