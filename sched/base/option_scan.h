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
	const char *scope; /* scope, as in the rows; "" is the top level */
	const char *title; /* points into option_scan.text; not NUL-terminated */
	size_t title_len;  /* 0 if the section has no title */
	unsigned nth;      /* index among the sections of its kind */
	int line;          /* line in which the section begins */
};

/* The position of a value, or of an empty section. */
struct option_mark {
	const struct option *row; /* NULL: an empty section              */
	size_t section;           /* index into option_scan.section      */
	unsigned element;         /* index of the value in a list, otherwise 0 */
	int line;
};

struct option_scan {
	char *text;                     /* copy of the text, with blanks in place of comments */
	struct option_section *section; /* [0] is the top level            */
	struct option_mark *mark;       /* in the order of the text        */
	size_t section_count, section_cap;
	size_t mark_count, mark_cap;
};

/*
 * Checks the text and fills *out, which the caller must release with option_scan_free even if the text is
 * rejected. On rejection returns false with err set; the message begins with "file:line: ".
 */
bool option_scan(const struct option *rows, size_t count, const char *file, const char *text, size_t len,
		 struct option_scan *out, struct err *err);
void option_scan_free(struct option_scan *scan);

#endif
