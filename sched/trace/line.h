/* SPDX-License-Identifier: MIT */
/*
 * line.h - splitting of trace files into lines, words and numbers
 *
 * Traces consist of lines of words separated by blanks. Nothing is copied: a span refers to the buffer that
 * was read, which need not be NUL-terminated.
 */
#ifndef TRACE_LINE_H
#define TRACE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes from `at` up to but not including `end`. */
struct span {
	const char *at, *end;
};

static inline size_t span_len(struct span s)
{
	return (size_t)(s.end - s.at);
}

/* Does the span equal this word? */
bool span_is(struct span s, const char *word);

/* Skips a byte order mark. */
void line_skip_mark(struct span *text);

/*
 * Removes the next line from the text and returns it, without its newline, in *line. Returns false at the end
 * of the text.
 */
bool line_next(struct span *text, struct span *line);

void line_skip_blanks(struct span *line);

/* Returns the number of words in a line and stores the first `room` words in `word`. */
size_t line_words(struct span line, struct span *word, size_t room);

enum scan {
	SCAN_OK,
	SCAN_TEXT,     /* not a number         */
	SCAN_TOO_LARGE /* above INT64_MAX      */
};

/* Removes a number, which must end at a blank, from the beginning of the line; its decimals are discarded. */
enum scan line_number(struct span *line, int64_t *out);

/*
 * Removes the digits at the beginning of the line and converts them; *out is 0 if there are none. Returns
 * false if the number is above INT64_MAX.
 */
bool line_digits(struct span *line, int64_t *out);

/* Lines that could not be parsed. A zeroed struct contains none. */
#define BAD_LINES_SHOWN 10
struct bad_line {
	uint32_t line; /* line number, from 1 */
	char why[120]; /* "field 4 (run time) is not a number: 'abc'" */
};
struct bad_lines {
	uint64_t count;
	uint32_t shown_count;
	struct bad_line shown[BAD_LINES_SHOWN]; /* the first bad lines */
};

/*
 * Records a bad line with the reason `why`. Unless `word` is empty, the reason ends with `word` in quotes, up
 * to its first blank.
 */
void bad_lines_note(struct bad_lines *bad, uint32_t line, const char *why, struct span word);

#endif
