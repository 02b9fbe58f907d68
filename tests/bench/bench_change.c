/* SPDX-License-Identifier: MIT */
/*
 * bench_change.c - the cost of one change of a job among many changes
 *
 * Jobs that each have a few changes, and then a modification, a hold, a priority, an undo, and the end of a
 * job; and the cancellation of tasks of an array that changes of dependencies name, which settles none of
 * them. The cost must not grow with the changes of other jobs: the gate is its ratio at the largest number to
 * that at the smallest. With a number as argument only that many changes are made, for callgrind:
 * valgrind --tool=callgrind --toggle-collect=event_apply bench_change 10000
 */
#include <stdlib.h>

#include "sched/state/event.h"
#include "tests/bench/bench.h"

#define EACH  5 /* changes of one job */
#define TRIES 2000
#define TASKS 200
#define NOW_S 1774368000

enum act {
	MODIFY,
	HOLD,
	PRIORITY,
	UNDO,
	CANCEL,
	ACT_COUNT
};

static const char *const act_name[ACT_COUNT] = {"modify", "hold", "priority", "undo", "cancel"};

static uint64_t apply(struct state *st, struct event ev)
{
	struct err err;

	ev.time_s = NOW_S;
	ev.who = "eva";
	if (event_apply(st, &ev, &err))
		return ev.seq;
	fprintf(stderr, "bench_change: %s\n", err.text);
	exit(1);
}

static void submit_as(struct state *st, const struct array_range *ranges, uint32_t count)
{
	apply(st, (struct event){.kind = EVENT_SUBMIT,
				 .submit = {.job = {.submit_s = NOW_S,
						    .not_before_s = TIME_NONE,
						    .wall_limit_s = 3600,
						    .true_run_s = -1,
						    .tasks = 1,
						    .task_procs = 1},
					    .cred = {[CRED_USER] = "eva"},
					    .ranges = ranges,
					    .range_count = count}});
}

static void submit(struct state *st)
{
	submit_as(st, NULL, 0);
}

static uint64_t modify(struct state *st, uint64_t job, bool more)
{
	return apply(st, (struct event){.kind = EVENT_MODIFY,
					.job = job,
					.modify = {.name = "mem", .value = more ? "200" : "100"}});
}

static uint64_t reweigh(struct state *st, uint64_t job, int64_t points)
{
	return apply(st, (struct event){.kind = EVENT_PRIORITY,
					.job = job,
					.priority = {.points = points, .adjust = JOB_ADJUST_RELATIVE}});
}

static uint64_t hold(struct state *st, uint64_t job)
{
	return apply(st, (struct event){.kind = EVENT_HOLD,
					.job = job,
					.hold = {.bits = JOB_HOLD_USER, .on = true, .reason = "wait"}});
}

/* Makes jobs 1 .. changes / EACH, each with EACH changes. */
static struct state *changed(uint32_t changes)
{
	struct state *st = state_new();

	for (uint32_t i = 0; i < changes / EACH + TRIES; i++)
		submit(st);
	for (int k = 0; k < EACH; k++)
		for (uint32_t job = 1; job <= changes / EACH; job++)
			modify(st, job, k % 2 == 0);
	return st;
}

/* One measured event of a job with EACH changes. */
static void act_on(struct state *st, enum act act, uint64_t job, uint64_t seq)
{
	switch (act) {
	case MODIFY:
		modify(st, job, true);
		break;
	case HOLD:
		hold(st, job);
		break;
	case PRIORITY:
		reweigh(st, job, 7);
		break;
	case UNDO:
		apply(st, (struct event){.kind = EVENT_UNDO, .undo.seq = seq});
		break;
	default:
		apply(st, (struct event){.kind = EVENT_CANCEL, .job = job});
		break;
	}
}

/* Nanoseconds for each event; the jobs are spread over all jobs, so that none is in the cache by chance. */
static double act_ns(struct state *st, enum act act, uint32_t jobs)
{
	uint32_t tries = jobs < TRIES ? jobs : TRIES, step = jobs / tries;
	uint64_t *seq = malloc(tries * sizeof *seq);
	double began_s;

	for (uint32_t i = 0; i < tries; i++)
		seq[i] = act == UNDO ? reweigh(st, 1 + (uint64_t)i * step, 3) : 0;
	began_s = bench_cpu_s();
	for (uint32_t i = 0; i < tries; i++)
		act_on(st, act, 1 + (uint64_t)i * step, seq[i]);
	began_s = bench_cpu_s() - began_s;
	free(seq);
	return began_s / tries * 1e9;
}

/* An array, whose tasks are jobs 1 .. TASKS, and as many changes that make other jobs depend on the whole
 * array. */
static struct state *named(uint32_t changes)
{
	struct array_range tasks = {1, TASKS, 1};
	struct state *st = state_new();

	submit_as(st, &tasks, 1);
	for (uint32_t i = 0; i < changes; i++) {
		submit(st);
		apply(st, (struct event){.kind = EVENT_MODIFY,
					 .job = 1 + TASKS + i,
					 .modify = {.name = "depend", .value = "afterany:1[]"}});
	}
	return st;
}

/* Nanoseconds to cancel one task. The first one, which builds the index, is not counted. */
static double cancel_task_ns(struct state *st)
{
	double began_s = 0;

	for (uint64_t task = 1; task < TASKS; task++) {
		if (task == 2)
			began_s = bench_cpu_s();
		apply(st, (struct event){.kind = EVENT_CANCEL, .job = task});
	}
	return (bench_cpu_s() - began_s) / (TASKS - 2) * 1e9;
}

static void report_named(const uint32_t *size, size_t sizes)
{
	char name[80];

	for (size_t i = 0; i < sizes; i++) {
		struct state *st = named(size[i]);
		double ns = cancel_task_ns(st);

		snprintf(name, sizeof name, "cancel of a task that %u changes name", size[i]);
		bench_report(name, ns / 1000, "us", i + 1 == sizes ? "<=100" : NULL);
		state_free(st);
	}
}

int main(int argc, char **argv)
{
	static const uint32_t size[] = {1000, 10000, 100000};
	double first[ACT_COUNT] = {0};
	char name[80];

	for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
		uint32_t changes = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : size[i];
		struct state *st = changed(changes);

		for (enum act act = 0; act < ACT_COUNT; act++) {
			double ns = act_ns(st, act, changes / EACH);
			bool largest = i + 1 == sizeof size / sizeof size[0];

			first[act] = i == 0 ? ns : first[act];
			snprintf(name, sizeof name, "%s beside %u changes", act_name[act], changes);
			bench_report(name, ns / 1000, "us", NULL);
			snprintf(name, sizeof name, "  %s: of the time beside %u", act_name[act], size[0]);
			if (argc < 2 && largest)
				bench_report(name, ns / first[act], "times", "<=10");
		}
		state_free(st);
		if (argc > 1)
			break;
	}
	if (argc < 2)
		report_named(size, sizeof size / sizeof size[0]);
	return EXIT_SUCCESS;
}
