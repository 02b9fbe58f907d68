/* SPDX-License-Identifier: MIT */
/*
 * figure.h - numbers on the screen with the expressions that compute them
 *
 * A figure is a number as a cell shows it, with the expression that gives it: values with names and units,
 * joined by operators. All figures of one row of a screen are in one list; the code that computes a number
 * builds its figure, and figure.c converts it to text:
 *
 *     PRIO 724 = qos 1 * 500 + queuetime 2 * 28.18 min + xfactor 150 * 1.1174, cut
 *
 * A reader can evaluate the text: words are names and units, text in [ ] is a remark, * and / bind before +
 * and -, x ^ y is a power, least(a, b) and most(a, b) are the minimum and the maximum. A duration H:MM:SS
 * stands for its seconds, a time for the seconds since the start of the current day. Values have as few
 * digits as are needed to compute the displayed number; the loss of precision is named after a comma.
 */
#ifndef REPORT_FIGURE_H
#define REPORT_FIGURE_H

#include <stddef.h>
#include <stdint.h>

#include "sched/base/str.h"

enum figure_sign {
	FIGURE_PLUS,
	FIGURE_MINUS,
	FIGURE_TIMES,
	FIGURE_OVER,
	FIGURE_POWER,
	FIGURE_LEAST, /* minimum of two values: a cap */
	FIGURE_MOST   /* maximum of two values: a floor */
};

/* Loss of precision when a value is displayed. */
enum figure_loss {
	FIGURE_WHOLE,   /* none: a whole number, a duration or a time */
	FIGURE_CUT,     /* the fraction is dropped */
	FIGURE_ROUNDED, /* rounded to the number of digits shown */
	FIGURE_SHORT    /* a duration or a time without its last fields */
};

/* A value, or two parts with an operator. Parts are referenced by their index in figures.part. */
struct figure_part {
	enum {
		PART_NUMBER,
		PART_DURATION,
		PART_MOMENT,
		PART_JOIN
	} kind;
	enum figure_sign sign;
	uint32_t left, right;
	double value;
	int digits;                /* minimum number of digits after the decimal point */
	size_t name, unit, remark; /* offsets in figures.words; 0 = none */
};

#define FIGURE_NONE UINT32_MAX /* no part */

struct figure {
	size_t title, shown, note; /* offsets in figures.words; 0 = none */
	uint32_t part;             /* FIGURE_NONE: a sentence, which is in `title` */
	enum figure_loss loss;
	int decimals;   /* decimals shown, for FIGURE_ROUNDED */
	double value;   /* exact value, before the loss of precision */
	double seen;    /* rounded value as displayed */
	uint64_t entry; /* journal entry that set the value; 0 = none */
};

/* {0} is an empty list. Free with figures_free. */
struct figures {
	int64_t now_s; /* the current time; times on the same day are written without a date */
	struct str words;
	struct figure_part *part;
	struct figure *item;
	size_t parts, part_room, count, room;
};

/* Removes all figures, but keeps the memory. */
void figures_clear(struct figures *f, int64_t now_s);
void figures_free(struct figures *f);

/* --- parts: texts are copied; NULL and "" mean no text; names begin with a letter ------------ */

uint32_t figure_number(struct figures *f, const char *name, double value, const char *unit);
uint32_t figure_duration(struct figures *f, const char *name, int64_t s);
uint32_t figure_moment(struct figures *f, const char *name, int64_t at_s);

/* If one of the operands is FIGURE_NONE, returns the other. */
uint32_t figure_join(struct figures *f, enum figure_sign sign, uint32_t left, uint32_t right);

/* Sets the minimum number of digits after the decimal point for a part; trailing zeros are still dropped. */
void figure_digits(struct figures *f, uint32_t part, int digits);

/* Adds a remark that names the subject of the value: "[899744]". Returns part. */
uint32_t figure_remark(struct figures *f, uint32_t part, const char *text);

/* --- figures ------------------------------------------------------------------------------- */

/*
 * Adds a figure: the title of its column, the displayed text, and the part that computes it. value: the exact
 * number, to which the part must evaluate.
 */
void figure_add(struct figures *f, const char *title, const char *shown, uint32_t part, double value,
		enum figure_loss loss);

/* Like figure_add; the displayed text is the value rounded to `decimals` digits. */
void figure_add_rounded(struct figures *f, const char *title, double value, int decimals, uint32_t part);

/* Like figure_add; the displayed text is the value without its fraction. */
void figure_add_cut(struct figures *f, const char *title, double value, uint32_t part);

/* Appends a note to the last figure, such as where its value is set and since when. */
void figure_note(struct figures *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Appends "procweight: kahu.conf:2" to the note of the last figure, after a comma if needed. entry: journal
 * entry of the live change that set the option; 0 = none.
 */
void figure_note_origin(struct figures *f, const char *option, const char *place, uint64_t entry);

/* Replaces the displayed text of the last figure. */
void figure_show(struct figures *f, const char *shown);

/* Adds a sentence in place of a figure. */
void figure_say(struct figures *f, const char *text);

/* --- reading (figure.c) ---------------------------------------------------------------- */

const char *figure_word(const struct figures *f, size_t at);

/* Appends "qos 1 * 500 + queuetime 2 * 28.18 min", with as many digits as the figure needs. */
void figure_expression(const struct figures *f, const struct figure *figure, struct str *out);

/* Appends "724 = qos 1 * 500 + queuetime 2 * 28.18 min, cut". */
void figure_text(const struct figures *f, const struct figure *figure, struct str *out);

/*
 * Calls tell for each figure that refers to a journal entry; tell appends the author of the entry, which is
 * added to the note: "by ops, 14:05:02".
 */
typedef void figure_tell(void *self, uint64_t entry, struct str *out);

void figures_tell(struct figures *f, figure_tell *tell, void *self);

/* --- rounding of the numbers in formulas -------------------------------------------------------------- */

/*
 * Appends the number with at most two digits after the decimal point, without trailing zeros: "373.5".
 * Numbers below 0.1 have as many digits as they need.
 */
void formula_number(struct str *out, double value);

/* Appends the number with two digits after the decimal point: "4.50". */
void formula_fixed(struct str *out, double value);

/*
 * formula_digits returns the smallest number of digits after the decimal point, from 2 to 6, that is enough
 * to compute value * weight with an error of less than `error`: 4 for a value of 7.2168, a weight of 1000 and
 * an error of 0.05. formula_factor appends the value with that number of digits.
 */
int formula_digits(double value, double weight, double error);
void formula_factor(struct str *out, double value, double weight, double error);

#endif
