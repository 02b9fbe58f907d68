/* SPDX-License-Identifier: MIT */
/*
 * gen_swf.c - a workload log from a seed, for tests that need one: gen_swf SEED JOBS PROCS
 *
 * Writes the generator's first JOBS jobs for a machine of PROCS processors, loaded to 110
 * percent so that a queue forms, in the Standard Workload Format to stdout.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sched/base/str.h"
#include "sched/trace/swf.h"
#include "sched/trace/workload.h"

#define LOAD_PCT 110

int main(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr, "usage: gen_swf SEED JOBS PROCS\n");
		return 2;
	}
	const struct workload_model model = {
		.seed = strtoull(argv[1], NULL, 10),
		.load_pct = LOAD_PCT,
		.machine_procs = strtoll(argv[3], NULL, 10),
	};
	struct trace trace = {0};
	struct str text = {0};
	workload_trace(&model, strtoull(argv[2], NULL, 10), 0, &trace);
	swf_write(&trace, &text);
	size_t written = fwrite(str_text(&text), 1, text.len, stdout);
	int status = written == text.len && fflush(stdout) == 0 ? EXIT_SUCCESS : 3;
	trace_clear(&trace);
	str_free(&text);
	return status;
}
