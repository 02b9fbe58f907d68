/* SPDX-License-Identifier: MIT */
/*
 * sliders.h - policy settings as a list of sliders
 *
 * A slider has a current and a new value. The new value becomes a command line ("tune xfactorweight 1200") in
 * the draft; sliders do not change settings themselves. The range of a weight is from 0 to about twice its
 * current value. An option whose values are words moves from one word to the next.
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
	SLIDERS_ORDER,    /* all weights, those in use first, and the node allocation policy */
	SLIDERS_FAIRSHARE /* fspolicy and the options of the fairshare windows */
};

struct slider {
	const struct option *row; /* option that the slider sets */
	/* Current and new value; a word is represented by its number (option_read). */
	double applied, wanted;
	double min, max, step;
	unsigned part; /* section of the list, from 0 */
};

struct sliders {
	enum sliders_of of;
	struct slider slider[SLIDERS_MAX];
	size_t count;
	struct table table;
	/* By row: index of a slider, or SLIDERS_MAX + section for a heading. */
	size_t row[SLIDERS_MAX + 3];
	size_t rows;
	int slider_x; /* column of the sliders in the last frame */
};

void sliders_open(struct sliders *s, enum sliders_of of);
void sliders_close(struct sliders *s);

/*
 * Updates the current values from the policy and the new values from the draft. drafted(self, name) returns
 * the value of an option in the draft, NULL if the draft does not set it; drafted is NULL if there is no
 * draft.
 */
void sliders_update(struct sliders *s, const struct policy *policy,
		    const char *(*drafted)(const void *self, const char *name), const void *self);

/* Moves the new value by a number of steps, within the range. */
void slider_move(struct slider *slider, int steps);
void slider_to_default(struct slider *slider);

/*
 * Moves the new value to a position of the range (0 = min, 1 = max), rounded to whole steps. Does nothing for
 * options whose values are words.
 */
void slider_put(struct slider *slider, double part);

/*
 * Sets the new value to a value as typed, and extends the range if necessary. Returns false with err set if
 * the value is not valid.
 */
bool slider_read(struct slider *slider, const char *text, struct err *err);

/* Appends the new value in the syntax of commands: "0.85", "minresource", "12:00:00". */
void slider_add_wanted(const struct slider *slider, struct str *out);

/* Does the new value differ from the current one? */
bool slider_is_moved(const struct slider *slider);

/* --- a pane of sliders, whose values are edits of the draft ------------------------------------------- */

struct screen_host; /* host.h */

struct slider_pane {
	struct screen_host *host;
	struct sliders sliders;
	bool focused; /* the pane has the focus */
};

/* Free with slider_pane_close. */
void slider_pane_open(struct slider_pane *p, struct screen_host *host, enum sliders_of of);
void slider_pane_close(struct slider_pane *p);

/* Updates the sliders from the live policy and the draft. */
void slider_pane_recalc(struct slider_pane *p);
void slider_pane_draw(struct slider_pane *p, struct canvas *canvas, struct rect r);

/*
 * Handles the keys that move the cursor or a slider, enter a value, reset it, or switch to the next pane.
 * Returns false for other keys.
 */
bool slider_pane_act(struct slider_pane *p, enum action action);

/*
 * Handles a click: moves the cursor to the row and, on a slider, the slider to this position. A click outside
 * of the pane takes the focus from it and returns false.
 */
bool slider_pane_click(struct slider_pane *p, int x, int y);

#endif
