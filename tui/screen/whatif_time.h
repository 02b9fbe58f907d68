/* SPDX-License-Identifier: MIT */
/*
 * whatif_time.h - projected utilization over time, live and with the draft
 *
 * Bars of the processors in use from now until the last job has started in both futures, the draft's over
 * those of the queue as it is.
 */
#ifndef SCREEN_WHATIF_TIME_H
#define SCREEN_WHATIF_TIME_H

#include "tui/draw/canvas.h"
#include "whatif_sight.h"

#define WHATIF_TIME_LINES 3 /* two of bars, and the hours */

void whatif_time_draw(const struct whatif_sight *sight, struct canvas *canvas, struct rect r);

#endif
