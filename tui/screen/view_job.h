/* SPDX-License-Identifier: MIT */
/* view_job.h - parts of the page of a job, for other screens */
#ifndef SCREEN_VIEW_JOB_H
#define SCREEN_VIEW_JOB_H

#include <stdint.h>

struct page;        /* page.h */
struct screen_host; /* host.h */

/* Writes the request of the job, its state, and the reason why it waits. */
void job_page_head(struct page *p, struct screen_host *host, uint64_t id, int width);

/*
 * Writes all checks of the job in order. The first check that fails is marked. Writes nothing for a running
 * job.
 */
void job_page_checks(struct page *p, struct screen_host *host, uint64_t id, int width);

/* Writes the priority of the job as a formula. */
void job_page_priority(struct page *p, struct screen_host *host, uint64_t id, int width);

#endif
