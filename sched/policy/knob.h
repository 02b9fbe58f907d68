/* SPDX-License-Identifier: MIT */
/*
 * knob.h - which number does the name of an option stand for, and how is another set?
 *
 * Weights, caps, counts, durations, sizes, shares and limits are numbers; what has no number (a choice, a
 * name) is no knob. Of a limit with a soft and a hard part the soft one is meant; the hard one is as large at
 * least. Where both are one number they move together.
 */
#ifndef POLICY_KNOB_H
#define POLICY_KNOB_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/base/arena.h"
#include "sched/config/config.h"
#include "sched/model/snapshot.h"
#include "sched/state/event.h"

/* Parts of one that are tried where whole numbers are too coarse: of what may have a fraction and lies
 * between 0 and 1, or is one below 10 today. */
#define KNOB_PARTS 1000

struct knob {
	struct config_value value; /* which option, without a value; its texts live in the arena */
	const char *name;          /* as commands name it: "user[john].maxps"                */
	bool is_set;               /* false: there is no such limit or share, now is 0       */
	double now;                /* in force; of a limit the soft part                     */
	double min, max;           /* legal, as far as neighbouring whole numbers are two    */
	int parts;                 /* whoever looks for a number tries so many in one: 1, or of a fraction
				      KNOB_PARTS */
	struct limit limit;        /* of a limit: as it is set                               */
	struct cred_attr attr;     /* of what a credential has: as it is set                 */
};

/* name: as for tune. The knob's texts live in arena. False: there is no such option, it is no number, or it
 * cannot be set while the scheduler runs. */
bool knob_find(struct knob *out, const struct snapshot *s, const char *name, struct arena *arena,
	       struct err *err);

/* The number as the option's value is written: "98696,1080000", "25.0+", "3600". */
void knob_print(const struct knob *k, double number, struct str *out);
/* One that was typed for it: "3600", "1:00:00", "4gb". False: it is no number of this option. */
bool knob_read(const struct knob *k, const char *text, double *out, struct err *err);
/* Both ends of a range. False besides: one is farther out than max. */
bool knob_read_ends(const struct knob *k, const char *lo_text, const char *hi_text, double *lo, double *hi,
		    struct err *err);
/* The setting; its texts live in arena. */
struct event knob_event(const struct knob *k, double number, struct arena *arena);

/* A range to look through when none is given: today's value to ten times as much, and down to 0 or as far
 * below; numbers that are tried (parts), within what is legal. */
void knob_range(const struct knob *k, double *lo, double *hi);

/* The next number that is tried, upward or downward, where this one is not. */
double knob_ceil(const struct knob *k, double number);
double knob_floor(const struct knob *k, double number);

/* Is it a weight of what is 0 for every job that waits, now and as long as nobody does anything? Then no
 * value of it changes any rank. */
bool knob_is_weightless(const struct knob *k, const struct snapshot *s, int64_t now_s);

#endif
