/* SPDX-License-Identifier: MIT */
/*
 * line.h - how is a line of a trace taken apart?
 *
 * Traces are lines of words between blanks. Nothing is copied: a piece of text is a span of
 * the buffer that was read, which need not end with a NUL.
 */
#ifndef TRACE_LINE_H
#define TRACE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From at up to but not including end. */
struct span {
	const char *at, *end;
};

static inline size_t span_len(struct span s)
{
	return (size_t)(s.end - s.at);
}

/* Is it this word, letter by letter? */
bool span_is(struct span s, const char *word);

/* Goes past the byte order mark that some editors put in front of a text. */
void line_skip_mark(struct span *text);

/* Takes the next line off the text, without its newline; false at the end. */
bool line_next(struct span *text, struct span *line);

void line_skip_blanks(struct span *line);

/* How many words a line has; the first `room` of them are put into word. */
size_t line_words(struct span line, struct span *word, size_t room);

enum scan {
	SCAN_OK,
	SCAN_TEXT,     /* it is not a number   */
	SCAN_TOO_LARGE /* above INT64_MAX      */
};

/* Takes a number off the front, up to the next blank; digits after a point are cut off. */
enum scan line_number(struct span *line, int64_t *out);

/* The digits at the front as a number; false when it is above INT64_MAX. */
bool line_digits(struct span *line, int64_t *out);

/* Lines that could not be read. Zero is none. */
#define BAD_LINES_SHOWN 10
struct bad_line {
	uint32_t line; /* 1-based                                 */
	char why[120]; /* "field 4 (run time) is not a number: 'abc'" */
};
struct bad_lines {
	uint64_t count;
	uint32_t shown_count;
	struct bad_line shown[BAD_LINES_SHOWN]; /* the first of them */
};

/* Counts one; word, when it is not empty, is quoted up to its first blank. */
void bad_lines_note(struct bad_lines *bad, uint32_t line, const char *why, struct span word);

#endif
