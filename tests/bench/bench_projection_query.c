/* SPDX-License-Identifier: MIT */
/*
 * bench_projection_query.c - the time from a step of a slider until the What-if screen shows its effect
 *
 * Each step is a draft with another weight: the plan_query (instant plans of the queue and of the draft,
 * compared), then the full projection of the draft; that of the live queue exists already. Also the time
 * until a cancelled projection stops.
 */
#include <pthread.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "tests/bench/queue_state.h"
#include "tui/query/projection_query.h"

#define STEPS_MOST 40

struct bench {
	struct picture picture; /* with an extra holder, so that it is never freed */
	struct projection_query *before;
	double near_ms[STEPS_MOST], far_ms[STEPS_MOST];
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double p95(double *ms, unsigned count)
{
	qsort(ms, count, sizeof *ms, compare);
	return ms[(count * 95 + 99) / 100 - 1];
}

static struct proposal *weight(unsigned step, char text[static 16])
{
	struct proposal *p = mem_zero(1, sizeof *p);
	struct cmd_changes *c = &p->changes;

	snprintf(text, 16, "%u", 1000 + 50 * (step + 1));
	p->holders = 1;
	c->count = 1;
	c->event = vec_room(c->event, &c->room, 1, sizeof *c->event);
	c->event[0] =
		(struct event){.kind = EVENT_SETTING,
			       .time_s = QUEUE_NOW_S,
			       .who = "bench",
			       .setting = {.name = "xfactorweight", .value = arena_string(&c->arena, text)}};
	return p;
}

static struct plan_query *look(struct bench *b, unsigned step)
{
	struct plan_query *o = mem_zero(1, sizeof *o);
	char text[16];

	o->holders = 1;
	o->picture = picture_hold(&b->picture);
	o->proposal = weight(step, text);
	o->now_s = QUEUE_NOW_S;
	o->compares = true;
	plan_query_build(o);
	return o;
}

static void step(struct bench *b, unsigned at, bool full)
{
	double began_s = bench_cpu_s(), planned_s;
	struct plan_query *o = look(b, at);
	struct projection_query *f = projection_query_new(o, NULL, b->before);

	plan_query_drop(o);
	planned_s = bench_cpu_s();
	if (full)
		(void)projection_query_build(f);
	b->near_ms[at] = 1000 * (planned_s - began_s);
	b->far_ms[at] = 1000 * (bench_cpu_s() - began_s);
	projection_query_free(b->before);
	b->before = f;
}

static void *build(void *self)
{
	(void)projection_query_build(self);
	return NULL;
}

/* The time from the cancellation of a running projection until it has stopped. */
static double stop_ms(struct bench *b)
{
	struct plan_query *o = look(b, 0);
	struct projection_query *f = projection_query_new(o, NULL, NULL);
	pthread_t thread;
	double told_s;

	pthread_create(&thread, NULL, build, f);
	while (atomic_load(&f->started) == 0)
		;
	told_s = bench_wall_s();
	atomic_store(&f->query.unwanted, true);
	pthread_join(thread, NULL);
	told_s = bench_wall_s() - told_s;
	projection_query_free(f);
	plan_query_drop(o);
	return 1000 * told_s;
}

static void report(const char *what, uint32_t queued, uint32_t nodes, double value, const char *unit,
		   const char *gate)
{
	struct str row = {0};

	str_addf(&row, "%s, %u queued on %u nodes", what, queued, nodes);
	bench_report(str_text(&row), value, unit, gate);
	str_free(&row);
}

/*
 * Gates for the time of a step, and for the ratio of the fastest step to the fastest instant plan, which
 * depends little on the machine. With only a few long steps the fastest one is checked, because the 95th
 * percentile would be the slowest.
 */
struct gates {
	const char *p95_ms, *fastest_ms, *plans;
};

static void measure(uint32_t nodes, uint32_t queued, unsigned steps, bool full, struct gates gate)
{
	struct state *st = queue_state(&queue_usual_site, nodes, queued);
	struct bench b = {.picture = {.holders = 1, .s = state_view(st)}};

	if (full)
		step(&b, 0, true); /* the live queue, once */
	for (unsigned i = 0; i < steps; i++)
		step(&b, i, full);
	report("slider step, instant plan, p95", queued, nodes, p95(b.near_ms, steps), "ms", NULL);
	if (full) {
		report("slider step, full projection, p95", queued, nodes, p95(b.far_ms, steps), "ms",
		       gate.p95_ms);
		/* The times are sorted here. */
		report("slider step, full projection, fastest", queued, nodes, b.far_ms[0], "ms",
		       gate.fastest_ms);
		report("slider step, full projection, fastest", queued, nodes, b.far_ms[0] / b.near_ms[0],
		       "plans", gate.plans);
		report("a projection told to stop has stopped after", queued, nodes, stop_ms(&b), "ms", NULL);
	}
	projection_query_free(b.before);
	state_free(st);
}

int main(void)
{
	measure(64, 1000, 40, true, (struct gates){"<=300", NULL, "<=16"});
	measure(1000, 10000, getenv("BENCH_QUICK") != NULL ? 4 : 5, true,
		(struct gates){NULL, "<=8000", "<=100"});
	measure(10000, 100000, 3, false, (struct gates){NULL, NULL, NULL});
	return EXIT_SUCCESS;
}
