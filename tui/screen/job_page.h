/* SPDX-License-Identifier: MIT */
/*
 * job_page.h - everything about one job, as text
 *
 * The job screen is this page; the queue shows it beside the list where there is room.
 */
#ifndef SCREEN_JOB_PAGE_H
#define SCREEN_JOB_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/str.h"

struct screen_host; /* host.h */
struct page;

/* What it asks for, its state and the sentence. */
void job_page_head(struct page *p, struct screen_host *host, uint64_t id, int width);

/* Every check in order, with the first that fails marked. */
void job_page_checks(struct page *p, struct screen_host *host, uint64_t id, int width);

/* Its priority, written out. */
void job_page_priority(struct page *p, struct screen_host *host, uint64_t id, int width);

/* --- the changes that would start a job, as text ------------------------------------------------------ */

/*
 * One of the changes may be chosen: it is marked, and its command line is what Enter makes a draft of.
 */

struct remedies_query;

#define JOB_WAYS_MOST 9

/* How many changes are shown. ways may be NULL, here and below: they are being looked for. */
size_t job_ways_count(const struct remedies_query *ways);

/* The command line of one of them. Appended. */
void job_ways_line(const struct remedies_query *ways, size_t at, struct str *out);

/* chosen: the line of the change that is marked, "" = none. Returns the line of the page on which it stands,
 * 0 = on none. */
size_t job_ways_put(struct page *p, struct screen_host *host, const char *chosen, int width);

#endif
