/* SPDX-License-Identifier: MIT */
/* view_query.h - prompts for a sweep and for a goal */
#ifndef SCREEN_VIEW_QUERY_H
#define SCREEN_VIEW_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "bindings.h"

struct screen_host; /* host.h */

/* Prompts for a query. edit: whose option a sweep offers, SIZE_MAX = none. False if the action is no query.
 */
bool query_prompt(struct screen_host *host, enum action action, size_t edit);

#endif
