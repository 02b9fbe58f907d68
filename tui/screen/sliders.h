/* SPDX-License-Identifier: MIT */
/*
 * sliders.h - policy settings as a list of sliders
 *
 * A slider knows the value in force and the one wanted; what is wanted becomes command
 * lines ("tune xfactorweight 1200") that the console drafts, so that sliders change nothing
 * by themselves. The range of a weight follows the weight in force: from 0 to about twice as
 * much. A choice goes from one word to the next.
 */
#ifndef SCREEN_SLIDERS_H
#define SCREEN_SLIDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bindings.h"
#include "sched/base/err.h"
#include "sched/model/policy.h"
#include "tui/draw/table.h"

struct option; /* sched/base/option.h */

#define SLIDERS_MAX (PRIO_COMPONENT_COUNT + PRIO_FACTOR_COUNT + 1)

/* Which settings are listed. */
enum sliders_of {
	SLIDERS_ORDER,    /* all weights, those that count first, and how nodes are chosen  */
	SLIDERS_FAIRSHARE /* what usage is, and which windows of it count                   */
};

struct slider {
	const struct option *row; /* the option it moves                        */
	double applied, wanted;   /* of a choice: as option_read numbers it     */
	double min, max, step;
	unsigned part; /* of the list, from 0 */
};

struct sliders {
	enum sliders_of of;
	struct slider slider[SLIDERS_MAX];
	size_t count;
	struct table table;
	size_t row[SLIDERS_MAX + 3]; /* slider by row; of a heading: the part, from SLIDERS_MAX on */
	size_t rows;
	int slider_x; /* canvas column of the sliders, as last drawn */
};

void sliders_open(struct sliders *s, enum sliders_of of);
void sliders_close(struct sliders *s);

/* Takes the values in force, and those of the draft: drafted returns the value of an option, NULL = it has
 * none. drafted itself may be NULL. */
void sliders_update(struct sliders *s, const struct policy *policy,
		    const char *(*drafted)(const void *self, const char *name), const void *self);

/* By so many steps, counted from what is in force, within its range. */
void slider_move(struct slider *slider, int steps);
void slider_to_default(struct slider *slider);

/* To a part of its range, from 0 to 1, by whole steps. A choice stays. */
void slider_put(struct slider *slider, double part);

/* To a typed value; may leave the range, which grows. */
bool slider_read(struct slider *slider, const char *text, struct err *err);

/* Appends what is wanted as commands take it: "0.85", "minresource", "12:00:00". */
void slider_add_wanted(const struct slider *slider, struct str *out);

/* Does it stand elsewhere than what is in force? */
bool slider_is_moved(const struct slider *slider);

/* --- a pane of sliders, whose values are edits of the draft ------------------------------------------- */

struct screen_host; /* host.h */

struct slider_pane {
	struct screen_host *host;
	struct sliders sliders;
	bool focused; /* it has the keys */
};

/* Release with slider_pane_close. */
void slider_pane_open(struct slider_pane *p, struct screen_host *host, enum sliders_of of);
void slider_pane_close(struct slider_pane *p);

/* Takes the values in force; what is wanted stays while it is drafted. */
void slider_pane_recalc(struct slider_pane *p);
void slider_pane_draw(struct slider_pane *p, struct canvas *canvas, struct rect r);

/* Moving, sliding, typing a value, and from pane to pane. False: not a key of sliders. */
bool slider_pane_act(struct slider_pane *p, enum action action);

/* A click: on a slider it goes there, on a row beside it the cursor; elsewhere the pane has the keys no more.
 */
bool slider_pane_click(struct slider_pane *p, int x, int y);

#endif
