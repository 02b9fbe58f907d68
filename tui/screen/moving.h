/* SPDX-License-Identifier: MIT */
/*
 * moving.h - movement keys of lists and texts
 */
#ifndef SCREEN_MOVING_H
#define SCREEN_MOVING_H

#include <stdbool.h>

#include "tui/screen/bindings.h"

struct page;  /* page.h           */
struct table; /* tui/draw/table.h */

/* False: the action is none that moves up or down. */
bool moving_table(struct table *t, enum action action);
bool moving_page(struct page *p, enum action action);

#endif
