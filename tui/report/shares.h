/* SPDX-License-Identifier: MIT */
/*
 * shares.h - fairshare figures for the report and the screen
 */
#ifndef REPORT_SHARES_H
#define REPORT_SHARES_H

#include <stdbool.h>

#include "forecast.h"
#include "sched/policy/fairshare.h"

#define SHARES_ROLLS 4 /* how many rolls forecasts look ahead */

/* "DEDICATEDPS", without the percent sign; static storage. */
const char *shares_metric_name(enum fs_policy policy);
/* The sign behind a target: ' ' + - ^ or %. */
char shares_suffix(enum fs_mode mode);

/* Does the credential have a target, or has it used anything? */
bool shares_is_shown(const struct fs_share *share);

/*
 * What a window's usage would be while the machine is as busy as now, in processor-seconds:
 * the window of now or, while that is young, the one before.
 */
double shares_busy_window(const struct fairshare *f);

/* Points that the share of a credential of this type gives each of its jobs. */
double shares_effect(const struct prio_weights *w, enum cred_type type, const struct fs_share *share);

/* Has usage reached a cap, so that no job of the credential may start? */
bool shares_cap_is_reached(const struct fs_share *share);
/* Waiting jobs of a credential, and those of them that a cap of its keeps from starting; below the cap these
 * are jobs that would exceed it with all that they ask for. */
uint32_t shares_waiting(const struct forecast *f, uint32_t cred, uint32_t *capped);

/*
 * Moves a target by so many points, within 0 and 100; one that is no more than 0 is a target no longer. A cap
 * in processor-seconds moves by so many hundredths of itself.
 */
void shares_move_target(struct cred_attr *attr, int points);

/* Do all jobs that used anything have a credential of this type, in every window that counts (F-21)? */
bool shares_add_up(const struct fairshare *f, const struct cred *creds, enum cred_type type);

#endif
