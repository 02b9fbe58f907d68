/* SPDX-License-Identifier: MIT */
/*
 * trial_head.c - question, tier and progress of a trial
 */
#include "trial_head.h"

#include <stdio.h>

#include "sched/rm/wallclock.h"
#include "view.h"
#include "whatif_sight.h"

const struct draft_query *trial_of_kind(struct screen_host *host, enum draft_query_kind kind, bool *making)
{
	const struct draft_query *t = host->ops->trial(host->console, making);

	return t && t->kind == kind ? t : NULL;
}

void trial_say_none(struct screen_host *host, const char *missing)
{
	bool making;

	(void)host->ops->trial(host->console, &making);
	host->ops->say(host->console, ROLE_MESSAGE, "%s",
		       making ? "The answer is still being looked for." : missing);
}

const char *trial_job_label(const struct draft_query *t, char buf[static JOB_LABEL_TEXT])
{
	const struct snapshot *s = t->outlook->live.s;
	const struct job *job = forecast_job(&t->outlook->live, t->job, NULL);

	if (job)
		return snapshot_job_label(s, job, buf);
	snprintf(buf, JOB_LABEL_TEXT, "-");
	return buf;
}

/* An answer stays what it is while another moment is looked at; the title says which that is. */
static void add_moment(const struct draft_query *t, struct screen_host *host, struct str *out)
{
	const struct plan_query *shown = host->ops->outlook(host->console), *asked = t->outlook;
	char when[MOMENT_TEXT];

	if (shown->picture != asked->picture && (plan_query_is_past(shown) || plan_query_is_past(asked)))
		str_addf(out, ", as of %s",
			 wallclock_short(when, asked->now_s, host->ops->now_s(host->console)));
}

void trial_head_put(struct page *p, struct screen_host *host, const struct draft_query *t,
		    const char *question, int width)
{
	struct str text = {0};
	const char *tier =
		whatif_tier(FUTURE_FULL, t->run_assumption ? t->run_assumption->kind : ASSUME_WCLIMIT);
	int at = width - 1 - text_width(tier);

	str_add(&text, question);
	add_moment(t, host, &text);
	page_line(p);
	page_at(p, 1);
	page_add(p, ROLE_HELP_HEADING, str_text(&text));
	if (at < text_width(str_text(&text)) + 3)
		page_line(p);
	str_free(&text);
	page_at(p, at);
	page_add(p, ROLE_STATUS, tier);
}

void trial_head_progress(struct page *p, const struct draft_query *t, const char *of_what)
{
	size_t of = atomic_load_explicit(&t->of, memory_order_relaxed);
	size_t done = atomic_load_explicit(&t->done, memory_order_relaxed);

	page_line(p);
	page_at(p, 1);
	if (of == 0)
		page_addf(p, ROLE_DIM, "looking at %s ...", of_what);
	else
		page_addf(p, ROLE_DIM, "%zu of %zu %s ...   <Esc> ends it", done, of, of_what);
}

void trial_head_nothing(struct page *p, const struct draft_query *t, const char *how, int width)
{
	page_wrap(p, t ? ROLE_ERROR : ROLE_DIM, 1, width - 2, t ? t->err.text : how);
}
