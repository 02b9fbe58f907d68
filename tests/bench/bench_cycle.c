/* SPDX-License-Identifier: MIT */
/*
 * bench_cycle.c - how long is one pass over a long queue, and how does it grow?
 *
 * The pass is repeated on the same snapshot: it is a pure function, so each does the same.
 * Reasons are not asked for. The growth is the worst ratio of a pass over twice the jobs.
 */
#include "sched/base/str.h"
#include "sched/core/cycle.h"
#include "tests/bench/queue_state.h"

struct pass {
	struct cycle *cycle;
	const struct snapshot *s;
	struct cycle_result result;
};

static void run(void *self)
{
	struct pass *p = self;

	cycle_run(p->cycle, p->s, QUEUE_NOW_S, false, &p->result);
}

static double measure(uint32_t nodes, uint32_t queued, const char *gate)
{
	struct state *st = queue_state(nodes, queued);
	struct pass pass = {.cycle = cycle_new(), .s = state_view(st)};
	double took_ms = queue_median_ms(run, &pass, queued > 20000 ? 7 : 15);
	struct str row = {0};

	str_addf(&row, "cycle, %u queued, %u nodes", queued, nodes);
	bench_report(str_text(&row), took_ms, "ms", gate);
	str_free(&row);
	cycle_free(pass.cycle);
	state_free(st);
	return took_ms;
}

int main(void)
{
	double worst = 0, before_ms = 0;

	measure(1000, 10000, "<=40");
	for (uint32_t queued = 12500; queued <= 100000; queued *= 2) {
		double took_ms = measure(1000, queued, NULL);

		if (queued > 12500 && took_ms / before_ms > worst)
			worst = took_ms / before_ms;
		before_ms = took_ms;
	}
	bench_report("cycle, growth for twice the jobs", worst, "times", "<=2.5");
	measure(10000, 100000, NULL);
	return EXIT_SUCCESS;
}
