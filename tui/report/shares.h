/* SPDX-License-Identifier: MIT */
/*
 * shares.h - fairshare: the report as text and JSON, and figures for the screen
 */
#ifndef REPORT_SHARES_H
#define REPORT_SHARES_H

#include <stdbool.h>

#include "forecast.h"
#include "sched/policy/fairshare.h"

#define SHARES_ROLLS 4 /* number of window rolls in forecasts */

/* Usage compared with targets, for each window, and a forecast. All pointers are borrowed. */
struct shares_report {
	const struct snapshot *s;
	const struct fairshare *f;
	int64_t now_s;
	bool ascii;
};

void shares_report_json(const struct shares_report *r, struct str *out);
void shares_report_text(const struct shares_report *r, struct str *out);

/*
 * Returns the name of the usage that FSPOLICY selects: "DEDICATEDPS", without the percent sign; static
 * storage.
 */
const char *shares_metric_name(enum fs_policy policy);
/* Returns the suffix of a target: ' ' + - ^ or %. */
char shares_suffix(enum fs_mode mode);

/* Does the credential have a target or any usage? */
bool shares_is_shown(const struct fs_share *share);

/*
 * Returns the usage of a full window at the current load of the machine, in processor-seconds: estimated from
 * the current window or, while that is young, from the previous one.
 */
double shares_busy_window(const struct fairshare *f);

/* Returns the points that the share of a credential adds to each of its jobs. */
double shares_effect(const struct prio_weights *w, enum cred_type type, const struct fs_share *share);

/* Has usage reached a cap, so that no job of the credential may start? */
bool shares_cap_is_reached(const struct fs_share *share);
/*
 * Returns the number of waiting jobs of a credential. Sets *capped to the number of jobs that are blocked by
 * its cap, including jobs that would exceed the cap with their whole request.
 */
uint32_t shares_waiting(const struct forecast *f, uint32_t cred, uint32_t *capped);

/*
 * Moves a target by percentage points, within 0 and 100; at 0 it is removed. A cap in processor-seconds moves
 * by hundredths of its value.
 */
void shares_move_target(struct cred_attr *attr, int points);

/* Do all jobs with usage have a credential of this type, in every window that counts? */
bool shares_add_up(const struct fairshare *f, const struct cred *creds, enum cred_type type);

#endif
