/* SPDX-License-Identifier: MIT */
/*
 * bench_plan.c - how long does it take to estimate the start of every waiting job?
 *
 * What each step of a weight's slider costs: the queue is ordered anew and all of it is placed.
 */
#include "sched/base/str.h"
#include "sched/core/plan.h"
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

static void measure(uint32_t queued, unsigned times, const char *gate)
{
	struct state *st = queue_state(1000, queued);
	struct planning p = {.s = state_view(st)};
	double took_ms = queue_median_ms(run, &p, times);
	struct str row = {0};

	str_addf(&row, "instant plan, %u queued, 1000 nodes", queued);
	bench_report(str_text(&row), took_ms, "ms", gate);
	str_free(&row);
	plan_clear(&p.plan);
	state_free(st);
}

int main(void)
{
	measure(1000, 15, NULL);
	measure(10000, 15, "<=100");
	measure(100000, 3, NULL);
	return EXIT_SUCCESS;
}
