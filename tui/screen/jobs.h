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

/* How a job stands in the lists: running, held, promised a start, ... */
enum role jobs_role(const struct forecast *f, uint32_t slot);

/*
 * Does the filter let the job through? Fields: job user group account qos class name state, and
 * limit: the one that keeps it waiting, "MAXPS/user:eva".
 */
bool jobs_match(const struct forecast *f, uint32_t slot, const struct filter *filter);

/* What all such lists have in the cells of a job: what it is called, its mark, and a credential, "-" = none.
 */
enum role jobs_add_label(const struct forecast *f, uint32_t slot, struct str *out);
enum role jobs_add_mark(const struct forecast *f, uint32_t slot, struct str *out);
enum role jobs_add_cred(const struct forecast *f, uint32_t slot, enum cred_type type, struct str *out);

/*
 * Appends the estimated start of a waiting job, " 19:44:39 +3:42h", "now" or "-", and returns its role. In
 * front stands ~ for a placeholder, and > where the job is expected later than it is reserved.
 */
enum role jobs_add_start(const struct forecast *f, uint32_t slot, struct str *out);
/* "reserved 15:22:53, expected 15:37:53"; false: it has no reservation, or is expected by then. */
bool jobs_add_slip(const struct forecast *f, uint32_t slot, struct str *out);

/* A start: "19:44:39", "~19:44:39", "now", "-" when there is none. */
enum role jobs_add_when(int64_t start_s, int64_t now_s, bool placeholder, struct str *out);
/*
 * What becomes of a start: "-3:42:28", "+0:11:00", "starts", "no start"; nothing when it stays. Where that is
 * more than so many cells, in short: "-1d00h".
 */
enum role jobs_add_change(int64_t before_s, int64_t after_s, int cells, struct str *out);
/* What becomes of a place in the order, from 1 and 0 = none: "3 -> 1". */
enum role jobs_add_rank(uint32_t before, uint32_t after, struct str *out);

/* A moment with its distance from now: "19:44:39 +3:42h". */
void jobs_add_moment(struct str *out, int64_t at_s, int64_t now_s);

/* Fields of jobs in filters. */
#define JOBS_FIELDS "job name user group account qos class state limit procs walltime queued priority"

#endif
