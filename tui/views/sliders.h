/* SPDX-License-Identifier: MIT */
/*
 * sliders.h - the weights of the policy as a list of sliders
 *
 * A slider knows the weight in force and the one wanted; what is wanted becomes command
 * lines ("tune xfactorweight 1200") that the console drafts, so that sliders change nothing
 * by themselves. The range follows the weight in force: from 0 to about twice as much.
 */
#ifndef VIEWS_SLIDERS_H
#define VIEWS_SLIDERS_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/err.h"
#include "sched/core/policy.h"
#include "tui/draw/table.h"

struct option; /* sched/base/option.h */

struct slider {
	const struct option *row; /* the option it moves */
	double applied, wanted;
	double min, max, step;
	bool used; /* it counts in the policy in force */
};

struct sliders {
	struct slider slider[PRIO_COMPONENT_COUNT + PRIO_FACTOR_COUNT];
	size_t count;
	struct table table;
	size_t row[PRIO_COMPONENT_COUNT + PRIO_FACTOR_COUNT + 2]; /* slider by row; SIZE_MAX = a heading */
	size_t rows;
};

void sliders_open(struct sliders *s);
void sliders_close(struct sliders *s);

/* Takes the weights in force. keep: what is wanted stays, else it becomes what is in force. */
void sliders_update(struct sliders *s, const struct policy *policy, bool keep);

/* The slider under the cursor; NULL when there is none. */
struct slider *sliders_at_cursor(struct sliders *s);
/* By so many steps, counted from what is in force, within its range. */
void slider_move(struct slider *slider, int steps);
void slider_to_default(struct slider *slider);
/* To a typed value; may leave the range, which grows. */
bool slider_read(struct slider *slider, const char *text, struct err *err);

/* The lines that would make what is wanted so; appends nothing when nothing is to change. */
void sliders_lines(const struct sliders *s, struct str *out);

void sliders_draw(struct sliders *s, struct canvas *canvas, struct rect r, bool focused);

#endif
