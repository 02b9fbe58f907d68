/* SPDX-License-Identifier: MIT */
/*
 * bench_project.c - how long does it take to run the scheduler ahead until the queue is empty?
 *
 * The full projection: every pass from now on, with priorities that grow, windows that roll and limits that
 * fall. 1 000 jobs on 64 nodes is what a slider of the What-if screen moves. The other tier, the instant
 * plan, is measured by bench_plan.c. 100 000 jobs are run ahead once, and not under BENCH_QUICK.
 */
#include "sched/base/str.h"
#include "sched/core/project.h"
#include "tests/bench/queue_state.h"

struct projecting {
	struct projection projection;
	const struct snapshot *s;
};

static void run(void *self)
{
	struct projecting *p = self;

	project_run(&p->projection, p->s,
		    &(struct project_setup){.from_s = QUEUE_NOW_S, .until_s = TIME_NEVER});
}

static void measure(const struct queue_site *site, const char *what, uint32_t nodes, uint32_t queued,
		    unsigned times, const char *gate)
{
	struct state *st = queue_state(site, nodes, queued);
	struct projecting p = {.s = state_view(st)};
	double took_ms = queue_best_ms(run, &p, times);
	struct str row = {0};

	str_addf(&row, "full projection, %u queued on %u nodes, %s", queued, nodes, what);
	bench_report(str_text(&row), took_ms, "ms", gate);
	str_clear(&row);
	str_addf(&row, "  passes of it");
	bench_report(str_text(&row), (double)p.projection.passes, "", NULL);
	str_free(&row);
	project_clear(&p.projection);
	state_free(st);
}

int main(void)
{
	static const struct queue_site plain = {.conf = queue_conf};

	measure(&plain, "weights", 64, 1000, 9, NULL);
	measure(&queue_usual_site, "with memory", 64, 1000, 9, "<=300");
	measure(&plain, "weights", 1000, 10000, 3, NULL);
	measure(&queue_usual_site, "with memory", 1000, 10000, 3, "<=8000");
	if (getenv("BENCH_QUICK") == NULL)
		measure(&plain, "weights", 1000, 100000, 1, NULL);
	else
		puts("full projection, 100000 queued on 1000 nodes: takes a minute, not under BENCH_QUICK");
	return EXIT_SUCCESS;
}
