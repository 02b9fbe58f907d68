/* SPDX-License-Identifier: MIT */
/*
 * breakdown.h - of which parts is the priority of a job made?
 *
 * Each part is an expression among figures (figure.h): a weight times what was measured, with the cap where
 * it acts. FIGURE_NONE where there is nothing to tell.
 */
#ifndef REPORT_BREAKDOWN_H
#define REPORT_BREAKDOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "figure.h"
#include "forecast.h"

/* What all parts are read off. Borrows what it is made from. */
struct breakdown {
	struct figures *out;
	const struct forecast *f;
	const struct job *job;
	const struct prio_weights *w;
	struct prio_creds creds;
	struct prio_result r;
};

/* Parts are added to out. */
struct breakdown breakdown_of(struct figures *out, const struct forecast *f, const struct job *job);

/* What a component's factors give together, before its weight and its cap. */
double breakdown_inside(const struct prio_result *r, enum prio_component component);
bool breakdown_cap_acts(const struct breakdown *b, enum prio_component component);

/* What the job's QOS adds to a weight (P-52, P-60). */
double breakdown_qos_weight(const struct breakdown *b, enum prio_factor f);

/* What was measured, down to what the job asked for and how long it waits. */
uint32_t breakdown_measured(const struct breakdown *b, enum prio_factor f);

/* "373 min", taken apart "22380 s / 60 s"; with the cap where it acts; and that times its weight. */
uint32_t breakdown_value(const struct breakdown *b, enum prio_factor f, bool apart);
uint32_t breakdown_factor(const struct breakdown *b, enum prio_factor f, bool apart);

/* "user 1 * 150 + qos 1 * 500"; of a component with a weight or a cap "fs 100 * (...)". */
uint32_t breakdown_component(const struct breakdown *b, enum prio_component component);

/* "target 25 - usage 31.79": the delta of a share that has a target. */
uint32_t breakdown_delta(struct figures *out, const struct fs_share *share, bool as_part);

#endif
