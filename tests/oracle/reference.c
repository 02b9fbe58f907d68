/* SPDX-License-Identifier: MIT */
/*
 * reference.c - the starts of the presets, compared with simple reference schedulers
 *
 * Three simple and slow schedulers, which share no code with the program:
 * no events, no profile; every query examines all jobs
 * again. They are compared with replay, job by job, on small random workloads with many
 * simultaneous events, estimates that are too long, and jobs as large as the machine.
 *
 * The rules: at each time all ends, then all submissions in order, then one pass.
 *   fcfs          the head of the queue starts while it fits.
 *   easy          likewise; then the blocked head gets the earliest time at which enough is
 *                 free if all running jobs use their whole estimates (its shadow); the processors
 *                 beyond its request are extra. The other jobs start in order of submission if
 *                 they fit now and either end before the shadow or use only the extra.
 *   conservative  each submission is planned at the earliest time at which it fits for its whole
 *                 estimate; after the ends at a time each waiting job in order of submission
 *                 is planned again. A job starts at its planned time.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "sched/host/arrivals.h"
#include "sched/host/replay.h"
#include "tests/seed.h"

#define JOBS_MAX  40
#define WORKLOADS 400
#define NOT_YET   INT64_MAX

struct task {
	int64_t submit, run, estimate, procs;
	int64_t start; /* NOT_YET until started                       */
	int64_t plan;  /* conservative: NOT_YET until it is submitted */
};

struct world {
	struct task task[JOBS_MAX];
	int count;
	int64_t machine;
};

/* --- the state at a time ------------------------------------------------------------ */

static bool has_started(const struct task *t)
{
	return t->start != NOT_YET;
}

static bool runs_at(const struct task *t, int64_t now)
{
	return has_started(t) && t->start <= now && now < t->start + t->run;
}

static bool waits_at(const struct task *t, int64_t now)
{
	return t->submit <= now && !has_started(t);
}

static int64_t free_at(const struct world *w, int64_t now)
{
	int64_t left = w->machine;

	for (int i = 0; i < w->count; i++)
		if (runs_at(&w->task[i], now))
			left -= w->task[i].procs;
	return left;
}

/* The next submission, end or planned start after now. */
static int64_t next_moment(const struct world *w, int64_t now)
{
	int64_t next = NOT_YET;

	for (int i = 0; i < w->count; i++) {
		const struct task *t = &w->task[i];
		int64_t moments[3] = {t->submit, has_started(t) ? t->start + t->run : NOT_YET,
				      has_started(t) ? NOT_YET : t->plan};

		for (int m = 0; m < 3; m++)
			if (moments[m] > now && moments[m] < next)
				next = moments[m];
	}
	return next;
}

/* --- fcfs and easy ------------------------------------------------------------------ */

/* Starts the first jobs that fit. Returns the index of the first that does not fit, -1 if none is left. */
static int start_heads(struct world *w, int64_t now)
{
	for (int i = 0; i < w->count; i++) {
		if (!waits_at(&w->task[i], now))
			continue;
		if (w->task[i].procs > free_at(w, now))
			return i;
		w->task[i].start = now;
	}
	return -1;
}

static void pass_fcfs(struct world *w, int64_t now)
{
	start_heads(w, now);
}

/* The free processors at `when` if every running job uses its whole estimate. */
static int64_t free_by_estimate(const struct world *w, int64_t now, int64_t when)
{
	int64_t left = w->machine;

	for (int i = 0; i < w->count; i++)
		if (runs_at(&w->task[i], now) && w->task[i].start + w->task[i].estimate > when)
			left -= w->task[i].procs;
	return left;
}

static int64_t shadow_of(const struct world *w, const struct task *head, int64_t now)
{
	int64_t shadow = NOT_YET;

	for (int i = 0; i < w->count; i++) {
		const struct task *t = &w->task[i];

		if (runs_at(t, now) && t->start + t->estimate < shadow &&
		    free_by_estimate(w, now, t->start + t->estimate) >= head->procs)
			shadow = t->start + t->estimate;
	}
	return shadow;
}

static void pass_easy(struct world *w, int64_t now)
{
	int head = start_heads(w, now);
	int64_t shadow, extra;

	if (head < 0)
		return;
	shadow = shadow_of(w, &w->task[head], now);
	extra = free_by_estimate(w, now, shadow) - w->task[head].procs;
	for (int i = head + 1; i < w->count; i++) {
		struct task *t = &w->task[i];
		bool ends_before = now + t->estimate <= shadow;

		if (!waits_at(t, now) || t->procs > free_at(w, now) || !(ends_before || t->procs <= extra))
			continue;
		t->start = now;
		if (!ends_before)
			extra -= t->procs;
	}
}

/* --- conservative ------------------------------------------------------------------- */

/* True if the task uses processors at `when`, as planned now. Ended jobs use none. */
static bool holds_at(const struct task *t, int64_t now, int64_t when)
{
	int64_t begin = has_started(t) ? t->start : t->plan;

	if (begin == NOT_YET || (has_started(t) && !runs_at(t, now)))
		return false;
	return begin <= when && when < begin + t->estimate;
}

static bool fits_at(const struct world *w, const struct task *asked, int64_t now, int64_t when)
{
	int64_t used = asked->procs;

	for (int i = 0; i < w->count; i++)
		if (&w->task[i] != asked && holds_at(&w->task[i], now, when))
			used += w->task[i].procs;
	return used <= w->machine;
}

/* Usage grows only when a job begins, so only these times are checked. */
static bool fits_from(const struct world *w, const struct task *asked, int64_t now, int64_t from)
{
	if (!fits_at(w, asked, now, from))
		return false;
	for (int i = 0; i < w->count; i++) {
		int64_t begin = has_started(&w->task[i]) ? w->task[i].start : w->task[i].plan;

		if (begin != NOT_YET && begin > from && begin < from + asked->estimate &&
		    !fits_at(w, asked, now, begin))
			return false;
	}
	return true;
}

/* The earliest start is now, or the end of another job. */
static void plan_task(struct world *w, struct task *asked, int64_t now)
{
	int64_t best = NOT_YET;

	asked->plan = NOT_YET;
	if (fits_from(w, asked, now, now))
		best = now;
	for (int i = 0; i < w->count; i++) {
		const struct task *t = &w->task[i];
		int64_t begin = has_started(t) ? t->start : t->plan;

		if (begin != NOT_YET && begin + t->estimate >= now && begin + t->estimate < best &&
		    fits_from(w, asked, now, begin + t->estimate))
			best = begin + t->estimate;
	}
	asked->plan = best;
}

static bool something_ended(const struct world *w, int64_t now)
{
	for (int i = 0; i < w->count; i++)
		if (has_started(&w->task[i]) && w->task[i].start + w->task[i].run == now)
			return true;
	return false;
}

static void pass_conservative(struct world *w, int64_t now)
{
	bool again = something_ended(w, now);

	for (int i = 0; i < w->count; i++)
		if (again && waits_at(&w->task[i], now) && w->task[i].submit < now)
			plan_task(w, &w->task[i], now);
	for (int i = 0; i < w->count; i++)
		if (w->task[i].submit == now)
			plan_task(w, &w->task[i], now);
	for (int i = 0; i < w->count; i++)
		if (waits_at(&w->task[i], now) && w->task[i].plan == now)
			w->task[i].start = now;
}

/* --- the comparison ----------------------------------------------------------------- */

static const struct {
	const char *name;
	void (*pass)(struct world *w, int64_t now);
} policies[] = {
	{"fcfs", pass_fcfs},
	{"easy", pass_easy},
	{"conservative", pass_conservative},
};

static void simulate(struct world *w, void (*pass)(struct world *w, int64_t now))
{
	for (int64_t now = next_moment(w, -1); now != NOT_YET; now = next_moment(w, now))
		pass(w, now);
}

static int64_t draw(struct rng *rng, int64_t from, int64_t to)
{
	return from + (int64_t)rng_below(rng, (uint64_t)(to - from + 1));
}

/* Few different numbers, so that events coincide and ties are frequent. */
static void draw_world(struct rng *rng, struct world *w)
{
	int64_t now = 0;
	int64_t gap = draw(rng, 0, 6);
	int64_t longest = draw(rng, 1, 25);

	w->count = (int)draw(rng, 1, JOBS_MAX);
	w->machine = draw(rng, 1, 16);
	for (int i = 0; i < w->count; i++) {
		struct task *t = &w->task[i];

		now += rng_below(rng, 3) == 0 ? 0 : draw(rng, 0, gap);
		*t = (struct task){
			.submit = now, .run = draw(rng, 1, longest), .start = NOT_YET, .plan = NOT_YET};
		t->procs = rng_below(rng, 6) == 0 ? w->machine : draw(rng, 1, w->machine);
		t->estimate = t->run;
		if (rng_below(rng, 3) != 0)
			t->estimate += draw(rng, 0, 3 * longest);
	}
}

static void fill_trace(const struct world *w, struct trace_job job[static JOBS_MAX], struct trace *trace)
{
	for (int i = 0; i < w->count; i++)
		job[i] = (struct trace_job){
			.number = 10 + 3 * i,
			.submit_s = w->task[i].submit,
			.run_s = w->task[i].run,
			.wall_limit_s = w->task[i].estimate,
			.procs = (int32_t)w->task[i].procs,
			.user = i % 3,
			.group = SWF_NONE,
			.queue = 1,
			.order = (uint32_t)i,
		};
	*trace = (struct trace){.job = job, .count = (size_t)w->count, .max_procs = w->machine};
}

static bool print_world(const struct world *w, const struct replay_record *record)
{
	printf("# a machine of %lld processors\n", (long long)w->machine);
	for (int i = 0; i < w->count; i++)
		printf("# job %2d submit %3lld run %2lld estimate %3lld procs %2lld: reference %3lld, replay "
		       "%3lld\n",
		       i, (long long)w->task[i].submit, (long long)w->task[i].run,
		       (long long)w->task[i].estimate, (long long)w->task[i].procs,
		       (long long)w->task[i].start, (long long)record[i].start_s);
	return false;
}

static bool starts_agree(const struct world *w, const struct replay_record *record)
{
	for (int i = 0; i < w->count; i++)
		if (record[i].start_s != w->task[i].start ||
		    record[i].end_s != w->task[i].start + w->task[i].run)
			return print_world(w, record);
	return true;
}

static bool replay_agrees(const struct world *w, const char *policy)
{
	struct trace_job job[JOBS_MAX];
	struct trace trace;
	struct err err = {{0}};
	struct replay_setup setup = {.trace = &trace,
				     .config_file = policy,
				     .config_text = replay_preset(policy),
				     .until_s = TIME_NEVER};
	struct replay *r;
	bool agrees;

	fill_trace(w, job, &trace);
	cluster_of_trace(&trace, &setup.cluster);
	r = replay_new(&setup, (struct ledger){0}, &err);
	if (!r || !replay_run(r, TIME_NEVER, &err))
		printf("# %s\n", err.text);
	agrees = r && starts_agree(w, replay_records(r));
	replay_free(r);
	return agrees;
}

static bool check_policy(size_t p)
{
	struct rng rng = seeded(policies[p].name);

	for (int i = 0; i < WORKLOADS; i++) {
		struct world w;

		draw_world(&rng, &w);
		simulate(&w, policies[p].pass);
		if (!replay_agrees(&w, policies[p].name)) {
			printf("# workload %d\n", i);
			return false;
		}
	}
	return true;
}

int main(void)
{
	int failed = 0;

	for (size_t p = 0; p < sizeof policies / sizeof policies[0]; p++) {
		bool good = check_policy(p);

		printf("%s %s starts every job of %d random workloads at the time of the reference "
		       "scheduler\n",
		       good ? "ok" : "not ok", policies[p].name, WORKLOADS);
		failed += !good;
	}
	return failed > 0;
}
