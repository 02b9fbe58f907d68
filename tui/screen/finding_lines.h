/* SPDX-License-Identifier: MIT */
/* finding_lines.h - lint findings in a few lines of a screen */
#ifndef SCREEN_FINDING_LINES_H
#define SCREEN_FINDING_LINES_H

#include "tui/draw/canvas.h"
#include "tui/query/plan_query.h"

struct str; /* sched/base/str.h */

/* The role of a severity. */
enum role finding_role(const struct config_finding *finding);

/*
 * "lint: 0 errors, 1 warning": counts all findings of at least this severity, so that all screens show the
 * same numbers.
 */
void finding_lines_count(const struct lint_cache *f, enum config_severity least, struct str *out);

/* Number of lines for findings at the bottom of a screen; 0 without findings. */
struct rect finding_lines_take(const struct lint_cache *f, enum config_subject subject, struct rect *body);

/*
 * "Lint: W17 fsinterval ...": findings caused by the draft first, then the most severe ones. The last line
 * says how many more the Config screen shows.
 */
void finding_lines_put(const struct lint_cache *f, enum config_subject subject, struct canvas *canvas,
		       struct rect r);

#endif
