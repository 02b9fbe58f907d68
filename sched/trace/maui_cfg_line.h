/* SPDX-License-Identifier: MIT */
/*
 * maui_cfg_line.h - parsing of the lines of a maui.cfg
 *
 *     NAME VALUE...                      QUEUETIMEWEIGHT 10
 *     NAME[INDEX] VALUE...               RESERVATIONDEPTH[1] 4
 *     NAME[INDEX] ATTRIBUTE=VALUE...     USERCFG[john] MAXJOB=2,8 MAXPROC[CLASS:fast]=32
 *
 * As in Maui, # begins a comment anywhere; a backslash, with all blanks and newlines after it, counts as one
 * blank, so that it continues a line; and = may replace the blank after a name. Attribute values may be
 * quoted with '...' or "...".
 */
#ifndef TRACE_MAUI_CFG_LINE_H
#define TRACE_MAUI_CFG_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/str.h"

struct import_reader {
	const char *at, *end; /* the rest of the text                             */
	int number;           /* number of the next line, from 1                  */
	struct str text;      /* the current line with its continuations; freed by the owner */
};

/*
 * The strings are in the reader's memory and valid until the next line is read. Only `included` and `wrong`
 * can be NULL.
 */
struct import_line {
	int number;           /* number of its first line in the file */
	const char *name;     /* "USERCFG"                              */
	const char *index;    /* "john"; "" = none                      */
	char *value;          /* the rest of the line, trimmed; may be modified */
	const char *included; /* the FILE of an "#INCLUDE FILE" line; NULL for other lines */
	const char *wrong;    /* what is wrong with the line; NULL = it is valid */
};

/* Reads the next line that is not empty. Returns false at the end of the text. */
bool import_line_next(struct import_reader *reader, struct import_line *out);

struct import_attribute {
	const char *name;   /* "MAXPROC"                 */
	const char *second; /* "CLASS:fast", the text in brackets; "" = none */
	char *value;        /* value, without quotes */
	const char *wrong;  /* what is wrong with the attribute; NULL = it is valid */
};

/*
 * Removes the next attribute from the value of a line and parses it. Returns false at the end of the value.
 */
bool import_attribute_next(char **rest, struct import_attribute *out);

/*
 * Removes the first word, which ends at one of the separators, and returns it; NULL at the end of the text.
 */
char *import_word(char **rest, const char *separators);

#endif
