/* SPDX-License-Identifier: MIT */
/*
 * bench_store.c - the cost of a commit, of loading a store, and of reading its past
 *
 * CPU time is that of the committing thread; wall clock time includes the disk, whose speed is
 * measured separately: one page is written and synced.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "sched/base/vec.h"
#include "store/inside.h"
#include "tests/bench/bench.h"
#include "tests/store_dir.h"

#define JOBS       100000
#define STEP       10
#define SMALL      10000
#define STEPS      200
#define ENTRIES    200000
#define PASTS      40
#define CHECKPOINT ((int)STORE_CHECKPOINT_EVENTS)

struct bench {
	struct store *store;
	struct ledger ledger;
	struct state *st;
	struct event event[CHECKPOINT];
	size_t count;
	int64_t now_s;
};

static void fail(const struct err *err)
{
	fprintf(stderr, "bench_store: %s\n", err->text);
	exit(1);
}

static void apply(struct bench *b, struct event ev)
{
	struct err err;

	ev.time_s = b->now_s;
	ev.who = "eva";
	if (!event_apply(b->st, &ev, &err))
		fail(&err);
	b->event[b->count++] = ev;
}

static void submit(struct bench *b)
{
	struct event ev = {.kind = EVENT_SUBMIT};

	ev.submit = (struct job_record){.job = {.submit_s = 1774368000,
						.not_before_s = TIME_NONE,
						.wall_limit_s = 3600,
						.true_run_s = 1800,
						.tasks = 4,
						.task_procs = 1},
					.cred = {"john", "staff", NULL, "hi", "long"}};
	apply(b, ev);
}

static void commit(struct bench *b)
{
	struct ledger_step step = {.event = b->event, .event_count = b->count, .after = state_view(b->st)};
	struct err err;

	if (!b->ledger.ops->commit(b->ledger.self, &step, &err))
		fail(&err);
	b->count = 0;
}

static void fill(struct bench *b, uint64_t jobs)
{
	while (state_view(b->st)->next_job_id <= jobs) {
		while (b->count < 1000)
			submit(b);
		commit(b);
	}
}

/* The step of a pass in which ten jobs get another planned start. */
static void measure_steps(struct bench *b, uint64_t jobs, const char *cpu_name, const char *wall_name,
			  const char *gate)
{
	double cpu = 0, wall = 0;

	for (uint64_t i = 0; i < STEPS; i++) {
		for (uint64_t k = 0; k < STEP; k++)
			apply(b, (struct event){.kind = EVENT_PLAN,
						.job = 1 + (i * 7919 + k * 104729) % jobs,
						.plan = {.start_s = (int64_t)(1774368000 + i)}});
		double cpu_s = bench_cpu_s(), wall_s = bench_wall_s();
		commit(b);
		cpu += bench_cpu_s() - cpu_s;
		wall += bench_wall_s() - wall_s;
	}
	bench_report(cpu_name, cpu / STEPS * 1e6, "us CPU", gate);
	bench_report(wall_name, wall / STEPS * 1e6, "us", NULL);
}

static void measure_load(struct bench *b)
{
	struct state *st = state_new();
	struct err err;
	double cpu_s = bench_cpu_s();

	if (!b->ledger.ops->load(b->ledger.self, st, &err))
		fail(&err);
	bench_report("store: load 100 000 jobs", (bench_cpu_s() - cpu_s) * 1e3, "ms CPU", "<=1000");
	state_free(st);
}

static void measure_checkpoint(struct bench *b)
{
	double cpu_s, wall_s;

	while (b->count < CHECKPOINT)
		submit(b);
	cpu_s = bench_cpu_s();
	wall_s = bench_wall_s();
	commit(b);
	bench_report("store: commit of 5 000 submissions with a checkpoint", (bench_cpu_s() - cpu_s) * 1e3,
		     "ms CPU", "<=1000");
	bench_report("store: the same by the clock", (bench_wall_s() - wall_s) * 1e3, "ms", NULL);
}

/* A journal of many entries, ten in each step, with the given number of jobs: measures the time to load the
 * state of a random second. */
static void measure_past(uint64_t entries, uint64_t jobs)
{
	struct bench *b = mem_zero(1, sizeof *b);
	double worst_s = 0, sum_s = 0;
	struct err err;

	b->store = store_open(NULL, STORE_TEMP, &err);
	if (!b->store)
		fail(&err);
	b->ledger = store_ledger(b->store);
	b->st = state_new();
	b->now_s = 1774368000;
	fill(b, jobs);
	while (state_view(b->st)->seq < entries) {
		for (uint64_t k = 0; k < 1000; k++)
			apply(b, (struct event){.kind = EVENT_PLAN,
						.job = 1 + (state_view(b->st)->seq * 7919) % jobs,
						.plan = {.start_s = b->now_s}});
		b->now_s += 60;
		commit(b);
	}
	for (uint64_t i = 0; i < PASTS; i++) {
		int64_t at_s = 1774368000 + (int64_t)(i * 104729) % (b->now_s - 1774368000);
		struct state *st = state_new();
		struct store_moment m;
		double cpu_s = bench_cpu_s(), took_s;

		if (!store_moment_of_time(b->store, at_s, &m, NULL, &err) ||
		    !store_state_at(b->store, m.seq, st, &err))
			fail(&err);
		took_s = bench_cpu_s() - cpu_s;
		sum_s += took_s;
		worst_s = took_s > worst_s ? took_s : worst_s;
		state_free(st);
	}
	bench_report("store: a second of 200 000 entries and 10 000 jobs is there, mean", sum_s / PASTS * 1e3,
		     "ms CPU", NULL);
	bench_report("store: the same, the slowest of 40", worst_s * 1e3, "ms CPU", "<=300");
	state_free(b->st);
	store_close(b->store);
	free(b);
}

static void measure_disk(const char *dir)
{
	char path[1024], page[4096] = "";
	double wall_s;
	int fd;

	snprintf(path, sizeof path, "%s/page", dir);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	wall_s = bench_wall_s();
	for (int i = 0; fd >= 0 && i < 50; i++)
		if (pwrite(fd, page, sizeof page, 0) < 0 || fdatasync(fd) < 0)
			break;
	bench_report("disk: a page made durable", (bench_wall_s() - wall_s) / 50 * 1e6, "us", NULL);
	close(fd);
	unlink(path);
}

int main(void)
{
	struct bench *b = mem_zero(1, sizeof *b);
	struct store_dir dir = {.path = ""};
	struct err err;

	make_store_dir(&dir);
	measure_disk(dir.path);
	b->store = store_open(dir.path, STORE_CHANGE, &err);
	if (!b->store)
		fail(&err);
	b->ledger = store_ledger(b->store);
	b->st = state_new();
	b->now_s = 1774368000;
	fill(b, SMALL);
	measure_steps(b, SMALL, "store: commit of 10 events, 10 000 jobs", "store: the same by the clock",
		      "<=1000");
	fill(b, JOBS);
	measure_steps(b, JOBS, "store: commit of 10 events, 100 000 jobs", "store: the same by the clock",
		      "<=5000");
	measure_load(b);
	measure_checkpoint(b);
	state_free(b->st);
	store_close(b->store);
	remove_store_dir(&dir);
	free(b);
	measure_past(ENTRIES, SMALL);
	return 0;
}
