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

/*
 * Steps per unit where whole numbers are too coarse: for real numbers whose range is within 0..1, and for
 * real numbers below 10 whose value in force has a fraction.
 */
#define KNOB_PARTS 1000

struct knob {
	struct config_value value; /* the option; value.value is a placeholder; its texts are in the arena */
	const char *name;          /* the option's name in commands: "user[john].maxps" */
	bool is_set;               /* false: the limit or target is not set, and `now` is 0 */
	double now;                /* value in force; for a limit, its soft part */
	double min, max;           /* legal range, in which a double represents whole numbers exactly */
	int parts;                 /* steps per unit in a search: 1 or KNOB_PARTS */
	struct limit limit;        /* for a limit: the limit in force */
	struct cred_attr attr;     /* for a setting of a credential: its attributes in force */
};

/*
 * Finds a knob by the name that `kahu tune` takes. Its texts are stored in arena. Returns false with err set
 * if the option does not exist, its value is not a number, or it cannot be set while the scheduler runs.
 */
bool knob_find(struct knob *out, const struct snapshot *s, const char *name, struct arena *arena,
	       struct err *err);

/* Appends a number in the syntax of the option's value: "98696,1080000", "25.0+", "3600". */
void knob_print(const struct knob *k, double number, struct str *out);
/*
 * Parses a number: "3600", "1:00:00", "4gb". Returns false with err set if the text is not a value of this
 * option.
 */
bool knob_read(const struct knob *k, const char *text, double *out, struct err *err);
/* Parses both ends of a range. False also if an end exceeds max. */
bool knob_read_ends(const struct knob *k, const char *lo_text, const char *hi_text, double *lo, double *hi,
		    struct err *err);
/* Returns the event that sets the option to a number; its texts are in arena. */
struct event knob_event(const struct knob *k, double number, struct arena *arena);

/*
 * Sets *lo and *hi to the default range of a search: from 0, or from ten times the value in force if that is
 * negative, to ten times the value in force, but at least to 1000. The range is limited to legal values and
 * rounded to steps.
 */
void knob_range(const struct knob *k, double *lo, double *hi);

/* knob_ceil returns the nearest step at or above the number, knob_floor the nearest step at or below it. */
double knob_ceil(const struct knob *k, double number);
double knob_floor(const struct knob *k, double number);

/*
 * Returns true if the knob is the weight of a factor that is 0 for every idle job, now and until the next
 * event, as for most weights of a site. Then no value of the weight changes any rank. Factors that grow with
 * time, and fairshare factors, never count as 0.
 */
bool knob_is_weightless(const struct knob *k, const struct snapshot *s, int64_t now_s);

#endif
