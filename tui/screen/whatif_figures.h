/* SPDX-License-Identifier: MIT */
/*
 * whatif_figures.h - computation of the numbers of the What-if screen
 *
 * Computed from the shown tier. Titles are those of columns and lines; the draft's numbers end in DRAFT, its
 * ranks and priorities in AFTER.
 */
#ifndef SCREEN_WHATIF_FIGURES_H
#define SCREEN_WHATIF_FIGURES_H

#include "tui/report/figure.h"
#include "whatif_sight.h"

/* RANK, PRIORITY and the starts of a job: LIVE, DRAFT and CHANGE, or without a draft START and WAIT. */
void whatif_figures_job(struct figures *out, const struct whatif_sight *sight, uint64_t job);
/* The totals beside the jobs: "mean wait", "mean wait DRAFT". */
void whatif_figures_totals(struct figures *out, const struct whatif_sight *sight);
/* The row of one user, group or class: JOBS, MEAN WAIT, MEAN WAIT DRAFT, ... */
void whatif_figures_group(struct figures *out, const struct whatif_sight *sight,
			  const struct whatif_group *group);
/* The common assumptions. */
void whatif_figures_tier(struct figures *out, const struct whatif_sight *sight, enum assume_kind kind);

#endif
