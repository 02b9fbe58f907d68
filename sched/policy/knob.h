/* SPDX-License-Identifier: MIT */
/*
 * knob.h - options as numbers that can be read, varied and set
 *
 * A knob is an option whose value is a number: a weight, cap, count, duration, size, share or limit. Options
 * with a choice or a name as their value have no knob. The number of a limit is its soft part; the hard part
 * is at least as large. If both are equal, they change together.
 */
#ifndef POLICY_KNOB_H
#define POLICY_KNOB_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/base/arena.h"
#include "sched/config/config.h"
#include "sched/model/snapshot.h"
#include "sched/state/event.h"

/* Steps per unit where whole numbers are too coarse: for real numbers that are limited to 0..1, or that have
 * a fraction and are below 10 now. */
#define KNOB_PARTS 1000

struct knob {
	struct config_value value; /* the option, without a value; its texts live in the arena */
	const char *name;          /* its name in commands: "user[john].maxps"               */
	bool is_set;               /* false: there is no such limit or share, and now is 0   */
	double now;                /* value in force; of a limit the soft part               */
	double min, max;           /* legal range, within what a double represents exactly   */
	int parts;                 /* steps per unit in a search: 1 or KNOB_PARTS */
	struct limit limit;        /* of a limit: the limit in force                         */
	struct cred_attr attr;     /* of a credential: its attributes in force               */
};

/* Finds a knob by name, as in `kahu tune`. Its texts live in arena. False: there is no such option, its value
 * is not a number, or it cannot be set while the scheduler runs. */
bool knob_find(struct knob *out, const struct snapshot *s, const char *name, struct arena *arena,
	       struct err *err);

/* Appends the number in the syntax of the option's value: "98696,1080000", "25.0+", "3600". */
void knob_print(const struct knob *k, double number, struct str *out);
/* Reads a number: "3600", "1:00:00", "4gb". False: the text is not a value of this option. */
bool knob_read(const struct knob *k, const char *text, double *out, struct err *err);
/* Reads both ends of a range. Also false if one of them exceeds max. */
bool knob_read_ends(const struct knob *k, const char *lo_text, const char *hi_text, double *lo, double *hi,
		    struct err *err);
/* The event that sets the number; its texts live in arena. */
struct event knob_event(const struct knob *k, double number, struct arena *arena);

/* The default range of a search: up to ten times the value in force, and down to 0 or, for a negative value,
 * to ten times it; within the legal range, rounded to steps. */
void knob_range(const struct knob *k, double *lo, double *hi);

/* The number rounded up or down to a step. */
double knob_ceil(const struct knob *k, double number);
double knob_floor(const struct knob *k, double number);

/* True if the knob is the weight of a factor that is 0 for every waiting job, now and until the next event:
 * most weights of a site are. No value of it then changes any rank. Factors that grow with time, and shares,
 * are never counted as 0. */
bool knob_is_weightless(const struct knob *k, const struct snapshot *s, int64_t now_s);

#endif
