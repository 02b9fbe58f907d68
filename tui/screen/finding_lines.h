/* SPDX-License-Identifier: MIT */
/* finding_lines.h - lint findings in a few lines of a screen */
#ifndef SCREEN_FINDING_LINES_H
#define SCREEN_FINDING_LINES_H

#include "tui/draw/canvas.h"
#include "tui/query/plan_query.h"

struct str; /* sched/base/str.h */

/* Returns the role in which a finding is drawn, by its severity. */
enum role finding_role(const struct config_finding *finding);

/*
 * Appends "lint: 0 errors, 1 warning": the numbers of findings of at least this severity. Findings about all
 * subjects are counted, so that all screens show the same numbers.
 */
void finding_lines_count(const struct lint_cache *f, enum config_severity least, struct str *out);

/*
 * Cuts the lines for the findings about a subject from the bottom of *body and returns them: one line for
 * each finding, at most four, fewer on a low screen.
 */
struct rect finding_lines_take(const struct lint_cache *f, enum config_subject subject, struct rect *body);

/*
 * Writes the findings about a subject, one per line: "Lint: W17 fsinterval ...". Findings caused by the draft
 * come first, then the most severe ones. The last line ends with the number of findings that did not fit,
 * which the Config screen shows.
 */
void finding_lines_put(const struct lint_cache *f, enum config_subject subject, struct canvas *canvas,
		       struct rect r);

#endif
