/* SPDX-License-Identifier: MIT */
/*
 * finding_lines.h - lint's findings in a few lines of a screen
 */
#ifndef SCREEN_FINDING_LINES_H
#define SCREEN_FINDING_LINES_H

#include "tui/draw/canvas.h"
#include "tui/query/plan_query.h"

struct str; /* sched/base/str.h */

/* How a finding is shown, by its severity. */
enum role finding_role(const struct config_finding *finding);

/* "lint: 0 errors, 1 warning": all that it finds and that is at least so grave, whatever it is about, so that
 * every screen says the same. */
void finding_lines_count(const struct lint_cache *f, enum config_severity least, struct str *out);

/* The lines for them at the bottom of a screen, one where there is little room; none when nothing is odd. */
struct rect finding_lines_take(const struct lint_cache *f, enum config_subject subject, struct rect *body);

/* "Lint: W17 fsinterval ..." for what a draft brings, then the gravest; the last line says how many more the
 * Config screen has. */
void finding_lines_put(const struct lint_cache *f, enum config_subject subject, struct canvas *canvas,
		       struct rect r);

#endif
