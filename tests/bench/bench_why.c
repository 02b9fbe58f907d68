/* SPDX-License-Identifier: MIT */
/*
 * bench_why.c - the work to find changes that start a job
 *
 * The unit is a projection of the whole queue, so that it is the same on every machine: the times simulated
 * for one query, divided by those of one projection. The first of 1 000 idle jobs is to start at once, the
 * last within a day. If a fairshare cap blocks a job, most times of a projection are polls; the number of
 * polls with a pass is what counts.
 */
#include "sched/base/str.h"
#include "sched/forecast/project.h"
#include "sched/forecast/remedies.h"
#include "tests/bench/queue_state.h"

#define WAITING 1000

struct asking {
	const struct snapshot *s;
	uint32_t slot;
	int64_t by_s;
	struct remedies found;
	uint64_t moments;
};

static bool count(void *self)
{
	((struct asking *)self)->moments++;
	return true;
}

static void ask(void *self)
{
	struct asking *a = self;
	const struct remedies_setup setup = {
		.now_s = QUEUE_NOW_S, .by_s = a->by_s, .should_continue = count, .self = self};

	a->moments = 0;
	(void)remedies_find(&a->found, a->s, a->slot, &setup);
}

static void project(const struct snapshot *s, struct projection *out)
{
	project_run(out, s, &(struct project_setup){.from_s = QUEUE_NOW_S, .until_s = TIME_NEVER});
}

static void measure(const char *what, uint32_t waits, int64_t within_s, const char *gate)
{
	struct state *st = queue_state(&queue_usual_site, 64, WAITING);
	struct asking a = {.s = state_view(st), .by_s = QUEUE_NOW_S + within_s};
	struct projection whole = {.start_s = NULL};
	struct str row = {0};

	a.slot = snapshot_waiting(a.s)[waits].slot;
	project(a.s, &whole);
	str_addf(&row, "why, %u queued, %s", WAITING, what);
	bench_report(str_text(&row), queue_once_ms(ask, &a), "ms", NULL);
	bench_report("  in projections of the queue", (double)a.moments / (double)whole.passes, "", gate);
	str_free(&row);
	remedies_clear(&a.found);
	project_clear(&whole);
	state_free(st);
}

/* The share of simulated times that need a pass. */
static void measure_cap(void)
{
	static const struct queue_site site = {.users = 10,
					       .conf = "queuetimeweight = 1\nxfactorweight = 100\n"
						       "fspolicy = dedicatedps\nfsinterval = 24:00:00\n"
						       "user user001 {\n fstarget = \"1.0%\"\n}\n"};
	struct state *st = queue_state(&site, 64, WAITING);
	struct projection p = {.start_s = NULL};

	project(state_view(st), &p);
	bench_report("a cap holds a job: passes run, of polls and passes",
		     (double)(p.passes - p.quiet) / (double)p.passes, "", "<=0.1");
	project_clear(&p);
	state_free(st);
}

int main(void)
{
	measure("the first at once", 0, 0, "<=35");
	measure("the last within a day", WAITING - 1, 86400, "<=20");
	measure_cap();
	return EXIT_SUCCESS;
}
