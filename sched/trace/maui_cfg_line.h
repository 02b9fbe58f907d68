/* SPDX-License-Identifier: MIT */
/*
 * maui_cfg_line.h - parsing of the lines of a maui.cfg
 *
 *     NAME VALUE...                      QUEUETIMEWEIGHT 10
 *     NAME[INDEX] VALUE...               RESERVATIONDEPTH[1] 4
 *     NAME[INDEX] ATTRIBUTE=VALUE...     USERCFG[john] MAXJOB=2,8 MAXPROC[CLASS:fast]=32
 *
 * As in Maui, # begins a comment anywhere, a backslash is a blank that also skips the blanks and the newline
 * after it, and = may replace the blank after a name. Attribute values may be quoted with '...' or "...".
 */
#ifndef TRACE_MAUI_CFG_LINE_H
#define TRACE_MAUI_CFG_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/str.h"

struct import_reader {
	const char *at, *end; /* the rest of the text                             */
	int number;           /* number of the next line, from 1                  */
	struct str text;      /* the current line, joined; freed by the owner     */
};

/* The texts are in the reader's memory until the next line is read; none is NULL. */
struct import_line {
	int number;           /* number of its first line */
	const char *name;     /* "USERCFG"                              */
	const char *index;    /* "john"; "" = none                      */
	char *value;          /* the rest of the line, trimmed; may be modified */
	const char *included; /* "#INCLUDE FILE": the file; NULL = another line */
	const char *wrong;    /* error, with the whole line in name; NULL = valid */
};

/* Reads the next line that is not empty; false at the end. */
bool import_line_next(struct import_reader *reader, struct import_line *out);

struct import_attribute {
	const char *name;   /* "MAXPROC"                 */
	const char *second; /* "CLASS:fast"; "" = none   */
	char *value;        /* without quotes            */
	const char *wrong;  /* as above                  */
};

/* Removes the next attribute from a line's value; false at the end. */
bool import_attribute_next(char **rest, struct import_attribute *out);

/* Removes the first word, up to one of the separators; NULL at the end. */
char *import_word(char **rest, const char *separators);

#endif
