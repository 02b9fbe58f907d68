/* SPDX-License-Identifier: MIT */
/*
 * bench_memory.c - the memory of a queued job
 *
 * Anonymous memory of this process as counted by the kernel, before and after jobs
 * have been submitted, each with a different name of 32 bytes. Allocated memory that was never
 * written to is not counted, because it has no pages.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/queue_state.h"

#define JOBS 200000

/* In kilobytes; 0 if unknown. */
static long anonymous_kb(void)
{
	FILE *file = fopen("/proc/self/smaps_rollup", "r");
	static const char name[] = "Anonymous:";
	char line[256];
	long kb = 0;

	while (file && kb == 0 && fgets(line, sizeof line, file))
		if (strncmp(line, name, strlen(name)) == 0)
			kb = strtol(line + strlen(name), NULL, 10);
	if (file)
		fclose(file);
	return kb;
}

int main(void)
{
	const struct workload_model model = {
		.seed = 7, .machine_procs = INT64_C(1000) * QUEUE_NODE_PROCS, .load_pct = 100};
	struct state *st = queue_machine(1000);
	long before_kb = anonymous_kb(), after_kb;
	struct workload w;

	workload_begin(&w, &model);
	for (uint64_t i = 1; i <= JOBS; i++) {
		struct workload_job job;
		char name[33];

		workload_job(&w, i, 0, &job);
		snprintf(name, sizeof name, "a simulation number %012" PRIu64, i);
		queue_submit(st, &job, QUEUE_NOW_S, name);
	}
	after_kb = anonymous_kb();
	if (after_kb > 0)
		bench_report("memory of the state a queued job", (double)(after_kb - before_kb) * 1024 / JOBS,
			     "bytes", "<=512");
	state_free(st);
	return EXIT_SUCCESS;
}
