/* SPDX-License-Identifier: MIT */
/*
 * bench_plan.c - the time to estimate the starts of all idle jobs
 *
 * This is the cost of each step of a slider: the queue is sorted again and all jobs are placed on
 * 1 000 nodes; jobs that request memory only on nodes that have it.
 */
#include "sched/base/str.h"
#include "sched/forecast/plan.h"
#include "tests/bench/queue_state.h"

struct planning {
	struct plan plan;
	const struct snapshot *s;
};

static void run(void *self)
{
	struct planning *p = self;

	plan_build(&p->plan, p->s, QUEUE_NOW_S);
}

static void measure(const struct queue_site *site, uint32_t queued, unsigned times, const char *gate)
{
	struct state *st = queue_state(site, 1000, queued);
	struct planning p = {.s = state_view(st)};
	double took_ms = queue_median_ms(run, &p, times);
	struct str row = {0};

	str_addf(&row, "instant plan, %u queued%s", queued, site->memory ? " with memory" : "");
	bench_report(str_text(&row), took_ms, "ms", gate);
	str_free(&row);
	plan_clear(&p.plan);
	state_free(st);
}

int main(void)
{
	static const struct queue_site plain = {.conf = queue_conf};

	measure(&plain, 1000, 15, NULL);
	measure(&plain, 10000, 15, "<=100");
	measure(&plain, 100000, 3, NULL);
	measure(&queue_usual_site, 1000, 15, NULL);
	measure(&queue_usual_site, 10000, 7, NULL);
	measure(&queue_usual_site, 100000, 3, NULL);
	return EXIT_SUCCESS;
}
