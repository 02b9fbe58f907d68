/* SPDX-License-Identifier: MIT */
/*
 * bench.h - rows of the table of `make bench`
 *
 * A bench program prints rows; tests/bench/run.sh prints the table and checks the
 * gates. A gate is "<=N" or ">=N" in the value's unit, or NULL for a value that is only
 * shown. Gates are coarse: they fail on a wrong algorithm, not on a busy machine.
 */
#ifndef TESTS_BENCH_H
#define TESTS_BENCH_H

#include <stdio.h>
#include <time.h>

/* CPU seconds of this thread, which other load affects least. */
static inline double bench_cpu_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline double bench_wall_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* One row: "cycle, 10 000 queued", 3.2, "ms", "<=40". */
static inline void bench_report(const char *name, double value, const char *unit, const char *gate)
{
	printf("%s\t%.6g\t%s\t%s\n", name, value, unit, gate ? gate : "-");
	fflush(stdout);
}

#endif
