/* SPDX-License-Identifier: MIT */
/*
 * sliders.h - policy settings as a list of sliders
 *
 * A slider has a current and a new value. The new value becomes a command line ("tune xfactorweight 1200") in
 * the draft; sliders change nothing themselves. The range of a weight depends on its current value: from 0 to
 * about twice as much. A choice moves from one word to the next.
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
	SLIDERS_ORDER,    /* all weights, the ones in use first, and node allocation */
	SLIDERS_FAIRSHARE /* the definition of usage and its windows */
};

struct slider {
	const struct option *row; /* the option */
	double applied, wanted;   /* for a choice, the number from option_read */
	double min, max, step;
	unsigned part; /* section of the list, from 0 */
};

struct sliders {
	enum sliders_of of;
	struct slider slider[SLIDERS_MAX];
	size_t count;
	struct table table;
	size_t row[SLIDERS_MAX + 3]; /* slider by row; for a heading: SLIDERS_MAX + section */
	size_t rows;
	int slider_x; /* column of the sliders in the last frame */
};

void sliders_open(struct sliders *s, enum sliders_of of);
void sliders_close(struct sliders *s);

/*
 * Reads the current and the drafted values. drafted returns the value of an option, NULL = none, and may
 * itself be NULL.
 */
void sliders_update(struct sliders *s, const struct policy *policy,
		    const char *(*drafted)(const void *self, const char *name), const void *self);

/* Moves by steps from the current value, within the range. */
void slider_move(struct slider *slider, int steps);
void slider_to_default(struct slider *slider);

/* Moves to a position of the range, from 0 to 1, in whole steps. Choices do not move. */
void slider_put(struct slider *slider, double part);

/* Sets a typed value; the range is extended if necessary. */
bool slider_read(struct slider *slider, const char *text, struct err *err);

/* Appends the new value in the syntax of commands: "0.85", "minresource", "12:00:00". */
void slider_add_wanted(const struct slider *slider, struct str *out);

/* Does it differ from the current value? */
bool slider_is_moved(const struct slider *slider);

/* --- a pane of sliders, whose values are edits of the draft ------------------------------------------- */

struct screen_host; /* host.h */

struct slider_pane {
	struct screen_host *host;
	struct sliders sliders;
	bool focused; /* it has the focus */
};

/* Free with slider_pane_close. */
void slider_pane_open(struct slider_pane *p, struct screen_host *host, enum sliders_of of);
void slider_pane_close(struct slider_pane *p);

/* Reads the current values; drafted values are kept. */
void slider_pane_recalc(struct slider_pane *p);
void slider_pane_draw(struct slider_pane *p, struct canvas *canvas, struct rect r);

/* Keys for moving, sliding, entering a value, and changing the pane. False for other keys. */
bool slider_pane_act(struct slider_pane *p, enum action action);

/* A click on a slider moves it, on its row moves the cursor; elsewhere, the pane loses the focus. */
bool slider_pane_click(struct slider_pane *p, int x, int y);

#endif
