/* SPDX-License-Identifier: MIT */
/*
 * job_page.h - all details of one job as text
 *
 * The Job screen shows this page; the queue shows it beside the list if there is room.
 */
#ifndef SCREEN_JOB_PAGE_H
#define SCREEN_JOB_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/str.h"

struct screen_host; /* host.h */
struct page;

/* The request, the state and the reason for waiting of the job. */
void job_page_head(struct page *p, struct screen_host *host, uint64_t id, int width);

/* All checks in order; the first that fails is marked. */
void job_page_checks(struct page *p, struct screen_host *host, uint64_t id, int width);

/* The priority of the job as a formula. */
void job_page_priority(struct page *p, struct screen_host *host, uint64_t id, int width);

/* --- the changes that would start a job, as text ------------------------------------------------------ */

/* One of the changes may be selected; Enter previews its command line. */

struct remedies_query;

#define JOB_WAYS_MOST 9

/* Number of changes shown. ways may be NULL while the search runs, here and below. */
size_t job_ways_count(const struct remedies_query *ways);

/* Appends the command line of a change. */
void job_ways_line(const struct remedies_query *ways, size_t at, struct str *out);

/* chosen: command line of the selected change, "" = none. Returns its line on the page, 0 = none. */
size_t job_ways_put(struct page *p, struct screen_host *host, const char *chosen, int width);

#endif
