/* SPDX-License-Identifier: MIT */
/*
 * jobs.h - cells and filter fields of every list of jobs
 */
#ifndef SCREEN_JOBS_H
#define SCREEN_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/draw/theme.h"
#include "tui/query/plan_query.h"
#include "tui/report/filter.h"

/* The role of a job in lists: running, held, reserved, ... */
enum role jobs_role(const struct forecast *f, uint32_t slot);

/*
 * Does the job match the filter? Fields: job user group account qos class name state, and limit: the limit
 * that blocks it, as "MAXPS/user:eva".
 */
bool jobs_match(const struct forecast *f, uint32_t slot, const struct filter *filter);

/* Common cells of job lists: the label, the mark, and a credential, "-" = none. */
enum role jobs_add_label(const struct forecast *f, uint32_t slot, struct str *out);
enum role jobs_add_mark(const struct forecast *f, uint32_t slot, struct str *out);
enum role jobs_add_cred(const struct forecast *f, uint32_t slot, enum cred_type type, struct str *out);

/*
 * Appends the estimated start of a waiting job, " 19:44:39 +3:42h", "now" or "-", and returns its role. ~
 * marks a placeholder, > an estimated start later than the reserved one.
 */
enum role jobs_add_start(const struct forecast *f, uint32_t slot, struct str *out);
/*
 * "reserved 15:22:53, expected 15:37:53"; false if the job has no reservation or is expected to start by
 * then.
 */
bool jobs_add_slip(const struct forecast *f, uint32_t slot, struct str *out);

/* A start: "19:44:39", "~19:44:39", "now", or "-" if there is none. */
enum role jobs_add_when(int64_t start_s, int64_t now_s, bool placeholder, struct str *out);
/*
 * The change of a start: "-3:42:28", "+0:11:00", "starts", "no start"; empty if unchanged. Abbreviated to
 * "-1d00h" if it is wider than that many cells.
 */
enum role jobs_add_change(int64_t before_s, int64_t after_s, int cells, struct str *out);
/* The change of a rank, from 1, 0 = none: "3 -> 1". */
enum role jobs_add_rank(uint32_t before, uint32_t after, struct str *out);

/* A time with its distance from now: "19:44:39 +3:42h". */
void jobs_add_moment(struct str *out, int64_t at_s, int64_t now_s);

/* Fields of jobs in filters. */
#define JOBS_FIELDS "job name user group account qos class state limit procs walltime queued priority"

#endif
