/* SPDX-License-Identifier: MIT */
/* view_job.h - parts of the page of a job, for other screens */
#ifndef SCREEN_VIEW_JOB_H
#define SCREEN_VIEW_JOB_H

#include <stdint.h>

struct page;        /* page.h */
struct screen_host; /* host.h */

/* The request, the state and the reason for waiting of the job. */
void job_page_head(struct page *p, struct screen_host *host, uint64_t id, int width);

/* All checks in order; the first that fails is marked. */
void job_page_checks(struct page *p, struct screen_host *host, uint64_t id, int width);

/* The priority of the job as a formula. */
void job_page_priority(struct page *p, struct screen_host *host, uint64_t id, int width);

#endif
