/* SPDX-License-Identifier: MIT */
/*
 * maui_cfg_line.h - what stands on a line of maui.cfg?
 *
 *     NAME VALUE...                      QUEUETIMEWEIGHT 10
 *     NAME[INDEX] VALUE...               RESERVATIONDEPTH[1] 4
 *     NAME[INDEX] ATTRIBUTE=VALUE...     USERCFG[john] MAXJOB=2,8 MAXPROC[CLASS:fast]=32
 *
 * As in the original: # begins a comment wherever it stands, a backslash is a blank that
 * swallows the blanks and the line end behind it, and = may stand for the blank behind a
 * name. Values of attributes may stand in '...' or "...".
 */
#ifndef TRACE_MAUI_CFG_LINE_H
#define TRACE_MAUI_CFG_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/str.h"

struct import_reader {
	const char *at, *end; /* of what is still to be read                      */
	int number;           /* of the line that comes next, from 1              */
	struct str text;      /* the present line, joined; released by its owner  */
};

/* Texts are in the reader's memory until the next line is taken; none is NULL. */
struct import_line {
	int number;           /* of the first line that it stands on    */
	const char *name;     /* "USERCFG"                              */
	const char *index;    /* "john"; "" = none                      */
	char *value;          /* all that follows, no blanks around it; may be cut up */
	const char *included; /* "#INCLUDE FILE": the file, the rest is empty; NULL = an ordinary line */
	const char *wrong;    /* why it cannot be taken apart; name is then all of it; NULL = it can    */
};

/* The next line with something on it; false at the end. */
bool import_line_next(struct import_reader *reader, struct import_line *out);

struct import_attribute {
	const char *name;   /* "MAXPROC"                 */
	const char *second; /* "CLASS:fast"; "" = none   */
	char *value;        /* without quotes            */
	const char *wrong;  /* as above                  */
};

/* Cuts the next attribute off a line's value; false at the end. */
bool import_attribute_next(char **rest, struct import_attribute *out);

/* Cuts the first word off, up to one of the separators; NULL at the end. */
char *import_word(char **rest, const char *separators);

#endif
