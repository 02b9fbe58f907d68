/* SPDX-License-Identifier: MIT */
/*
 * whatif_report.h - answers of what-if questions as text and JSON
 *
 * Four questions: the projected starts with and without a draft, one option over several values (sweep), the
 * effect of each edit of a draft (ablation), and the value that starts a job in time (solution).
 */
#ifndef REPORT_WHATIF_REPORT_H
#define REPORT_WHATIF_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/str.h"
#include "sched/forecast/ablate.h"
#include "sched/forecast/future.h"
#include "sched/forecast/solve.h"
#include "sched/forecast/sweep.h"
#include "sched/model/assume.h"
#include "sched/policy/knob.h"

/* The data that all four answers share. All pointers are borrowed. */
struct whatif_report {
	const struct snapshot *s;
	int64_t now_s;
	enum future_tier tier; /* FUTURE_FULL or FUTURE_INSTANT */
	enum assume_kind assume;
	int width; /* width of the terminal; 0 = unlimited */
	bool ascii;
	const char *const *edit; /* the draft, each edit as a sentence */
	size_t edits;
};

void whatif_report_json(const struct whatif_report *r, const struct whatif *w, struct str *out);
void whatif_report_text(const struct whatif_report *r, const struct whatif *w, struct str *out);

struct sweep_report {
	struct whatif_report common;
	const char *name; /* name of the option */
	uint32_t slot;    /* slot of the watched job; INDEX_NONE = none */
	const struct sweep *found;
};

void sweep_report_json(const struct sweep_report *r, struct str *out);
void sweep_report_text(const struct sweep_report *r, struct str *out);

struct ablation_report {
	struct whatif_report common;
	const struct ablate *found; /* effects of the edits in common.edit, in the same order */
};

void ablation_report_json(const struct ablation_report *r, struct str *out);
void ablation_report_text(const struct ablation_report *r, struct str *out);

struct solution_report {
	struct whatif_report common;
	const struct knob *knob;
	double lo, hi; /* the range that was searched */
	uint32_t slot; /* slot of the job */
	int64_t by_s;  /* time by which the job is to start */
	const struct solve *found;
};

void solution_report_json(const struct solution_report *r, struct str *out);
/* Appends the answer if the outcome is SOLVE_FOUND or SOLVE_NEEDLESS. */
void solution_report_text(const struct solution_report *r, struct str *out);
/* Appends why no value starts the job in time, if the outcome is SOLVE_NONE. */
void solution_report_refusal(const struct solution_report *r, struct str *out);

#endif
