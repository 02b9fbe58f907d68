/* SPDX-License-Identifier: MIT */
/*
 * job_ways.c - the changes that would start a job, as text
 */
#include "job_ways.h"

#include <string.h>

#include "page.h"
#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"
#include "tui/query/job_query.h"
#include "tui/report/why_report.h"
#include "view.h"
#include "whatif_sight.h"

#define CHANGE_X 3
#define TIER_X   25
#define WIDE     100

size_t job_ways_count(const struct remedies_query *ways)
{
	if (!ways)
		return 0;
	return ways->found.count < JOB_WAYS_MOST ? ways->found.count : JOB_WAYS_MOST;
}

void job_ways_line(const struct remedies_query *ways, size_t at, struct str *out)
{
	remedy_line(ways->outlook->live.s, &ways->found.change[at].ev, out);
}

/* Behind what is to be done: when it starts then, whom it delays and who may do it. */
static void put_effect(struct page *p, const struct remedies_query *ways, const struct unblock_change *change,
		       int width)
{
	const struct plan_query *o = ways->outlook;
	int when_x = width < WIDE ? 34 : 42;
	char when[MOMENT_TEXT];
	struct str cost = {0};

	page_at(p, when_x);
	page_add(p, ROLE_TEXT,
		 change->starts_s <= o->now_s ? "now" : wallclock_short(when, change->starts_s, o->now_s));
	remedy_cost(o->live.s, change, &cost);
	str_addf(&cost, "; %s", remedy_who(o->live.s, ways->job, &change->ev));
	page_beside(p, ROLE_DIM, when_x + 10, width - 1, str_text(&cost));
	str_free(&cost);
}

static void put_changes(struct page *p, const struct remedies_query *ways, const char *chosen, int width,
			size_t *line)
{
	struct str text = {0};

	for (size_t i = 0; i < job_ways_count(ways); i++) {
		bool is_chosen;

		str_clear(&text);
		job_ways_line(ways, i, &text);
		is_chosen = strcmp(str_text(&text), chosen) == 0;
		page_line(p);
		if (is_chosen)
			*line = p->lines;
		page_add(p, ROLE_STRONG, is_chosen ? ">" : " ");
		page_at(p, CHANGE_X);
		page_add(p, is_chosen ? ROLE_STRONG : ROLE_TEXT, str_text(&text));
		put_effect(p, ways, &ways->found.change[i], width);
	}
	str_free(&text);
}

static void put_found(struct page *p, const struct remedies_query *ways, const char *chosen, int width,
		      size_t *line)
{
	const struct plan_query *o = ways->outlook;
	struct str text = {0};

	if (ways->found.start_s > remedies_query_due_s(ways)) {
		remedies_heading(&ways->found, remedies_query_due_s(ways), o->now_s, &text);
		page_wrap(p, ROLE_TEXT, 1, width - 2, str_text(&text));
	}
	put_changes(p, ways, chosen, width, line);
	str_clear(&text);
	remedies_unsearched(&ways->found, o->now_s, &text);
	if (text.len > 0)
		page_wrap(p, ROLE_DIM, 1, width - 2, str_text(&text));
	str_free(&text);
}

size_t job_ways_put(struct page *p, struct screen_host *host, const char *chosen, int width)
{
	const struct job *job =
		forecast_job(&host->ops->outlook(host->console)->live, host->ops->job(host->console), NULL);
	const char *tier = whatif_tier(FUTURE_FULL, ASSUME_WCLIMIT); /* as unblock.h projects */
	const struct remedies_query *ways = host->ops->ways(host->console);
	size_t line = 0, tried;

	if (!job || job->state != JOB_IDLE)
		return 0;
	page_heading(p, "WHAT WOULD START IT");
	page_at(p, TIER_X);
	page_add(p, ROLE_STATUS, tier);
	if (ways) {
		put_found(p, ways, chosen, width, &line);
	} else {
		page_line(p);
		page_at(p, 1);
		page_add(p, ROLE_DIM, "looking for changes ...");
		if (host->ops->seeks_ways(host->console, &tried) && tried > 0)
			page_addf(p, ROLE_DIM, " %zu tried", tried);
	}
	return line;
}
