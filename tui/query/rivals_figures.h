/* SPDX-License-Identifier: MIT */
/*
 * rivals_figures.h - where do the numbers come from at which two jobs change places?
 */
#ifndef QUERY_RIVALS_FIGURES_H
#define QUERY_RIVALS_FIGURES_H

#include "rivals.h"
#include "tui/report/figure.h"

/* A figure, or a sentence, for each number of the lines (rivals_line.h). Nothing of a job that does not wait.
 */
void rivals_figures(struct figures *out, const struct rivals *r);

#endif
