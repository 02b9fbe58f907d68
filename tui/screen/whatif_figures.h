/* SPDX-License-Identifier: MIT */
/*
 * whatif_figures.h - where the numbers of the What-if screen come from
 *
 * By the tier that is shown. Titles are those of the columns and lines; what the screen shows twice, as it is
 * and with the draft, ends in DRAFT for the latter, as a rank and a priority end in AFTER.
 */
#ifndef SCREEN_WHATIF_FIGURES_H
#define SCREEN_WHATIF_FIGURES_H

#include "tui/report/figure.h"
#include "whatif_sight.h"

/* RANK, PRIORITY and the starts of one job: LIVE, DRAFT, CHANGE, or without a draft START, WAITED THEN. */
void whatif_figures_job(struct figures *out, const struct whatif_sight *sight, uint64_t job);
/* The totals beside the jobs: "mean wait", "mean wait DRAFT". */
void whatif_figures_totals(struct figures *out, const struct whatif_sight *sight);
/* One user's, group's, class's: JOBS, MEAN WAIT, MEAN WAIT DRAFT, ... */
void whatif_figures_group(struct figures *out, const struct whatif_sight *sight,
			  const struct whatif_group *group);
/* What all of them take for granted. */
void whatif_figures_tier(struct figures *out, const struct whatif_sight *sight, enum assume_kind kind);

#endif
