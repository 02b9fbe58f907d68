/* SPDX-License-Identifier: MIT */
/*
 * job_page.h - everything about one job, as text
 *
 * The job screen is this page; the queue shows it beside the list where there is room.
 */
#ifndef SCREEN_JOB_PAGE_H
#define SCREEN_JOB_PAGE_H

#include <stdbool.h>
#include <stdint.h>

struct screen_host; /* host.h */
struct page;

/* What it asks for, its state and the sentence. */
void job_page_head(struct page *p, struct screen_host *host, uint64_t id, int width);
/* Every check in order, with the first that fails marked. */
void job_page_checks(struct page *p, struct screen_host *host, uint64_t id, int width);
/* Its priority, written out. */
void job_page_priority(struct page *p, struct screen_host *host, uint64_t id, int width);

#endif
