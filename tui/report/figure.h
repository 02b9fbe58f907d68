/* SPDX-License-Identifier: MIT */
/*
 * figure.h - numbers on the screen with the expressions that give them
 *
 * A figure is a number as a cell shows it and the expression that gives it: values with their
 * names and units, joined by signs. All figures about one row of a screen stand in one list; who
 * knows a number builds its figure, and here alone it becomes text:
 *
 *     PRIO 724 = qos 1 * 500 + queuetime 2 * 28.18 min + xfactor 150 * 1.1174, cut
 *
 * The text can be computed by whoever reads it: words are names and units, what stands in [ ] is a
 * remark, * / bind before + -, x ^ y is a power, least(a, b) and most(a, b) are the smaller and the
 * larger. A duration H:MM:SS is its seconds, a moment those since the day of now began. Values have as
 * few digits as give the number that is shown; what was lost to show it is said behind a comma.
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
	FIGURE_LEAST, /* the smaller of two: a cap   */
	FIGURE_MOST   /* the larger of two: a floor  */
};

/* What a cell does to a value. */
enum figure_loss {
	FIGURE_WHOLE,   /* nothing: the value is a whole number, a duration or a moment   */
	FIGURE_CUT,     /* what is behind the point is dropped                           */
	FIGURE_ROUNDED, /* to so many digits behind the point as are shown               */
	FIGURE_SHORT    /* a duration or a moment without its last fields                */
};

/* A value, or two parts and a sign. Parts are named by their position in figures.part. */
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
	int digits;                /* behind the point, at least */
	size_t name, unit, remark; /* in figures.words; 0 = none */
};

#define FIGURE_NONE UINT32_MAX /* no part */

struct figure {
	size_t title, shown, note; /* in figures.words; 0 = none                           */
	uint32_t part;             /* FIGURE_NONE: it is a sentence, which stands in title */
	enum figure_loss loss;
	int decimals;   /* of a rounded value */
	double value;   /* before the loss  */
	double seen;    /* of a rounded one: as it is shown */
	uint64_t entry; /* of the journal, which set it; 0 = none */
};

/* {0} is an empty list. Release with figures_free. */
struct figures {
	int64_t now_s; /* moments of its day are written without a date */
	struct str words;
	struct figure_part *part;
	struct figure *item;
	size_t parts, part_room, count, room;
};

/* Forgets all, keeps the memory. */
void figures_clear(struct figures *f, int64_t now_s);
void figures_free(struct figures *f);

/* --- parts: texts are copied; NULL and "" are none; names begin with a letter ---------------- */

uint32_t figure_number(struct figures *f, const char *name, double value, const char *unit);
uint32_t figure_duration(struct figures *f, const char *name, int64_t s);
uint32_t figure_moment(struct figures *f, const char *name, int64_t at_s);

/* Where one of them is FIGURE_NONE it is the other. */
uint32_t figure_join(struct figures *f, enum figure_sign sign, uint32_t left, uint32_t right);

/* A number has at least so many digits behind the point, if it has them. */
void figure_digits(struct figures *f, uint32_t part, int digits);

/* Whose the value is: "[899744]". Returns part. */
uint32_t figure_remark(struct figures *f, uint32_t part, const char *text);

/* --- figures ------------------------------------------------------------------------------- */

/*
 * A number: the title of its column, what stands there, and what it is. value is what was computed,
 * which the part has to give.
 */
void figure_add(struct figures *f, const char *title, const char *shown, uint32_t part, double value,
		enum figure_loss loss);

/* The same; shown is the value, rounded to so many digits. */
void figure_add_rounded(struct figures *f, const char *title, double value, int decimals, uint32_t part);

/* The same; shown is the value, cut. */
void figure_add_cut(struct figures *f, const char *title, double value, uint32_t part);

/* What stands beside the last figure: where it is set, since when. Adds to what is there. */
void figure_note(struct figures *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "procweight: kahu.conf:2", behind a comma where something stands there; entry: of a live change, else 0. */
void figure_note_origin(struct figures *f, const char *option, const char *place, uint64_t entry);

/* The last figure is shown so instead. */
void figure_show(struct figures *f, const char *shown);

/* A sentence of its own. */
void figure_say(struct figures *f, const char *text);

/* --- reading (figure.c) ---------------------------------------------------------------- */

const char *figure_word(const struct figures *f, size_t at);

/* "qos 1 * 500 + queuetime 2 * 28.18 min", with as many digits as the figure needs. */
void figure_expression(const struct figures *f, const struct figure *figure, struct str *out);

/* "724 = qos 1 * 500 + queuetime 2 * 28.18 min, cut" */
void figure_text(const struct figures *f, const struct figure *figure, struct str *out);

/* Asks who made each entry that is named, and adds the answer to the note: "by ops, 14:05:02". */
typedef void figure_tell(void *self, uint64_t entry, struct str *out);

void figures_tell(struct figures *f, figure_tell *tell, void *self);

/* --- rounding of the numbers in formulas -------------------------------------------------------------- */

/* At most two digits behind the point, and no zeros at the end: "373.5"; small ones in full. */
void formula_number(struct str *out, double value);

/* With both digits: "4.50". */
void formula_fixed(struct str *out, double value);

/*
 * A factor of a product, with so many digits behind the point that what is written, times the weight, is
 * within `error` of the product: 7.2168 for a weight of 1000 and an error of 0.05.
 */
int formula_digits(double value, double weight, double error);
void formula_factor(struct str *out, double value, double weight, double error);

#endif
