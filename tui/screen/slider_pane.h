/* SPDX-License-Identifier: MIT */
/*
 * slider_pane.h - a pane of sliders, whose values are edits of the draft
 */
#ifndef SCREEN_SLIDER_PANE_H
#define SCREEN_SLIDER_PANE_H

#include <stdbool.h>
#include <stdint.h>

#include "sliders.h"
#include "tui/screen/bindings.h"

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
