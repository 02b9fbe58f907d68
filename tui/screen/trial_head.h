/* SPDX-License-Identifier: MIT */
/*
 * trial_head.h - question, tier and progress of a trial
 *
 * The lines above the rows of the screens that show what was tried.
 */
#ifndef SCREEN_TRIAL_HEAD_H
#define SCREEN_TRIAL_HEAD_H

#include <stdbool.h>

#include "page.h"
#include "tui/query/draft_query.h"

struct screen_host; /* host.h */

/* The question of a kind that was asked last: NULL when another was. *making as console_trial has it. */
const struct draft_query *trial_of_kind(struct screen_host *host, enum draft_query_kind kind, bool *making);
/* Nothing can be taken: says what is missing, or that it is still looked for. */
void trial_say_none(struct screen_host *host, const char *missing);
/* Its job, "-" when it is gone. */
const char *trial_job_label(const struct draft_query *t, char buf[static JOB_LABEL_TEXT]);

/* The question, of which moment where another is shown, and the tier, on one line or two. */
void trial_head_put(struct page *p, struct screen_host *host, const struct draft_query *t,
		    const char *question, int width);
/* "3 of 12 futures": while it is made. */
void trial_head_progress(struct page *p, const struct draft_query *t, const char *of_what);
/* Nothing was asked, or why there is no answer. */
void trial_head_nothing(struct page *p, const struct draft_query *t, const char *how, int width);

#endif
