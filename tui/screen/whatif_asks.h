/* SPDX-License-Identifier: MIT */
/*
 * whatif_asks.h - prompts for a sweep and for a goal
 */
#ifndef SCREEN_WHATIF_ASKS_H
#define SCREEN_WHATIF_ASKS_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/screen/bindings.h"

struct screen_host; /* host.h */

/* Asks for the words of a question; edit: of the draft, whose setting is offered for a sweep, SIZE_MAX =
 * none. False: the action is no question. */
bool whatif_asks(struct screen_host *host, enum action action, size_t edit);

#endif
