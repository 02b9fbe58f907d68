/* SPDX-License-Identifier: MIT */
/*
 * share_settings.h - settings that define the shares, and where they are set
 */
#ifndef SCREEN_SHARE_SETTINGS_H
#define SCREEN_SHARE_SETTINGS_H

#include "share_list.h"

struct figures;    /* tui/report/figure.h */
struct lint_cache; /* tui/query/plan_query.h */
struct page;       /* page.h */

/* "FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00 ...": settings, the next roll, the weights, and
 * what lint counts. */
void share_settings_line(struct page *p, const struct forecast *f, const struct lint_cache *lint_cache,
			 int width);

/* Each setting that a row depends on, with the line of the configuration or the journal entry that set it. */
void share_settings_figures(struct figures *out, const struct forecast *f, const struct share_row *row);

/* Beside the last figure: where the target in force for a credential is set. */
void share_settings_note(struct figures *out, const struct snapshot *s, uint32_t cred, enum cred_type type);

#endif
