/* SPDX-License-Identifier: MIT */
/* view_query.h - prompts for a sweep and for a goal */
#ifndef SCREEN_VIEW_QUERY_H
#define SCREEN_VIEW_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "bindings.h"

struct screen_host; /* host.h */

/*
 * Opens the prompt for a sweep (ACTION_SWEEP) or a goal (ACTION_GOAL); false for other actions. `edit` is the
 * index of the draft edit whose option the prompt for a sweep offers; SIZE_MAX = none.
 */
bool query_prompt(struct screen_host *host, enum action action, size_t edit);

#endif
