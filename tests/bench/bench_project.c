/* SPDX-License-Identifier: MIT */
/*
 * bench_project.c - the time of a full projection until the queue is empty
 *
 * The full projection simulates every pass from now on, with priorities that grow, windows that roll and
 * usage that falls. 1 000 jobs on 64 nodes are typical for a slider of the What-if screen; on 1 000 nodes
 * with limits and fairshare the budgets are 30 ms for 1 000 jobs, 600 ms for 10 000 and 5 s for 50 000. Gates
 * are counts and ratios to the instant plan of the same queue (bench_plan.c), which depend little on the
 * machine and its load. Long projections run only once, and not with BENCH_QUICK.
 */
#include "sched/base/str.h"
#include "sched/forecast/future.h"
#include "sched/forecast/plan.h"
#include "sched/forecast/project.h"
#include "sched/state/draft.h"
#include "tests/bench/queue_state.h"

static const char limits_conf[] =
	"reservationdepth = 10\n"
	"fspolicy = dedicatedps\nfsinterval = 24:00:00\nfsdepth = 7\nfsdecay = 0.8\nfsweight = 1\n"
	"fsuserweight = 100\nfsgroupweight = 50\n"
	"queuetimeweight = 1\nxfactorweight = 1000\nprocweight = 10\nuserweight = 1\n"
	"user DEFAULT {\n priority = 10\n fstarget = 10\n maxjob = \"40,80\"\n maxproc = \"1024,4096\"\n"
	" maxijob = 500\n}\n"
	"group DEFAULT {\n fstarget = 20\n maxproc = \"8000,12000\"\n}\n";

struct projecting {
	struct projection projection;
	struct plan plan;
	const struct snapshot *s;
};

static void run(void *self)
{
	struct projecting *p = self;

	project_run(&p->projection, p->s,
		    &(struct project_setup){.from_s = QUEUE_NOW_S, .until_s = TIME_NEVER});
}

static void plan(void *self)
{
	struct projecting *p = self;

	plan_build(&p->plan, p->s, QUEUE_NOW_S);
}

/* Gates: the time in instant plans of the queue, and the number of passes for each started job. */
struct gates {
	const char *plans, *passes;
};

static void measure(const struct queue_site *site, const char *what, uint32_t nodes, uint32_t queued,
		    unsigned times, struct gates gate)
{
	struct state *st = queue_state(site, nodes, queued);
	struct projecting p = {.s = state_view(st)};
	double took_ms = queue_best_ms(run, &p, times);
	double held = (double)(p.projection.passes - p.projection.quiet);
	struct str row = {0};

	str_addf(&row, "full projection, %u queued on %u nodes, %s", queued, nodes, what);
	bench_report(str_text(&row), took_ms, "ms", NULL);
	bench_report("  in instant plans of the queue", took_ms / queue_best_ms(plan, &p, times), "",
		     gate.plans);
	bench_report("  passes run for each job that starts", held / (double)p.projection.started, "",
		     gate.passes);
	str_free(&row);
	project_clear(&p.projection);
	plan_clear(&p.plan);
	state_free(st);
}

/* The effect of a changed weight: the projections with and without it, compared. */
struct comparing {
	struct future_pair pair;
	const struct snapshot *before, *after;
};

static void compare(void *self)
{
	struct comparing *c = self;

	(void)future_compare(&c->pair, c->before, c->after,
			     &(struct future_setup){.now_s = QUEUE_NOW_S, .full = true});
}

static void measure_whatif(const struct queue_site *site, const char *what, uint32_t nodes, uint32_t queued,
			   unsigned times)
{
	struct event weight = {.kind = EVENT_SETTING,
			       .time_s = QUEUE_NOW_S,
			       .who = "bench",
			       .setting = {.name = "xfactorweight", .value = "1100"}};
	struct state *st = queue_state(site, nodes, queued);
	struct state *changed = draft_make(state_view(st), &weight, 1, NULL, NULL);
	struct comparing c = {.before = state_view(st), .after = state_view(changed)};
	struct projecting p = {.s = c.before};
	double took_ms = queue_best_ms(compare, &c, times);
	struct str row = {0};

	str_addf(&row, "whatif, %u queued on %u nodes, %s", queued, nodes, what);
	bench_report(str_text(&row), took_ms, "ms", NULL);
	bench_report("  in projections of the queue", took_ms / queue_best_ms(run, &p, times), "", "<=3");
	str_free(&row);
	future_pair_clear(&c.pair);
	project_clear(&p.projection);
	state_free(changed);
	state_free(st);
}

int main(void)
{
	static const struct queue_site plain = {.conf = queue_conf}, limits = {.conf = limits_conf};

	measure(&plain, "weights", 64, 1000, 9, (struct gates){NULL, "<=1.5"});
	measure(&queue_usual_site, "with memory", 64, 1000, 9, (struct gates){NULL, "<=1"});
	measure(&limits, "limits and fairshare (budget 30 ms)", 1000, 1000, 5, (struct gates){NULL, "<=0.6"});
	measure_whatif(&limits, "limits and fairshare", 1000, 1000, 3);
	if (getenv("BENCH_QUICK") != NULL) {
		puts("full projection, 10000 and more queued: takes a minute, not under BENCH_QUICK");
		return EXIT_SUCCESS;
	}
	measure(&plain, "weights", 1000, 10000, 1, (struct gates){NULL, "<=0.5"});
	measure(&queue_usual_site, "with memory", 1000, 10000, 1, (struct gates){NULL, "<=0.8"});
	measure(&limits, "limits and fairshare (budget 600 ms)", 1000, 10000, 1,
		(struct gates){NULL, "<=0.75"});
	measure_whatif(&limits, "limits and fairshare", 1000, 10000, 1);
	return EXIT_SUCCESS;
}
