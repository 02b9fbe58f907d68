/* SPDX-License-Identifier: MIT */
/*
 * bench_replay.c - the rate of jobs of a replay, from the bytes of the log to the CSV
 *
 * Uses the SDSC-SP2 log if it exists next to the project, otherwise a generated one of
 * 50 000 jobs. First within this process, in CPU time: the log is parsed, replayed, and the
 * schedule written to memory. Then the whole program, in wall clock time, if $KAHU is set. The gate is
 * the budget.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "sched/base/str.h"
#include "sched/host/arrivals.h"
#include "sched/host/replay.h"
#include "sched/trace/swf.h"
#include "sched/trace/workload.h"

#define ARCHIVE_LOG "/../shared/traces/SDSC-SP2-1998-4.2-cln.swf.gz"
#define JOBS        50000
#define TIMES       3
#define GATE        ">=100000"

static bool unpack_archive(struct str *out)
{
	const char *source = getenv("KAHU_SOURCE");
	struct str path = {0};
	struct str command = {0};
	char piece[1 << 16];
	FILE *pipe = NULL;
	size_t n;

	str_addf(&path, "%s%s", source ? source : ".", ARCHIVE_LOG);
	str_addf(&command, "gzip -dc '%s'", str_text(&path));
	if (access(str_text(&path), R_OK) == 0)
		pipe = popen(str_text(&command), "r"); /* NOLINT(cert-env33-c): the path is not user input */
	while (pipe && (n = fread(piece, 1, sizeof piece, pipe)) > 0)
		str_add_bytes(out, piece, n);
	if (pipe)
		pclose(pipe);
	str_free(&command);
	str_free(&path);
	return out->len > 0;
}

static void generate(struct str *out)
{
	const struct workload_model model = {.seed = 1, .machine_procs = 128, .load_pct = 80};
	struct trace trace;

	workload_trace(&model, JOBS, 0, &trace);
	swf_write(&trace, out);
	trace_clear(&trace);
}

static void must(bool good, const struct err *err)
{
	if (good)
		return;
	fprintf(stderr, "bench_replay: %s\n", err->text);
	exit(EXIT_FAILURE);
}

static void write_starts(const struct trace *trace, const struct replay *r, struct str *out)
{
	const struct replay_record *record = replay_records(r);

	for (size_t i = 0; i < trace->count; i++)
		str_addf(out, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId32 "\n",
			 trace->job[i].number, trace->job[i].submit_s, record[i].start_s, record[i].end_s,
			 trace->job[i].procs);
}

/* One replay, from the text of the log to the text of the schedule; returns the number of jobs. */
static size_t replay_once(const struct str *log, const char *policy)
{
	struct trace trace;
	struct err err;
	struct replay_setup setup = {.trace = &trace,
				     .config_file = policy,
				     .config_text = replay_preset(policy),
				     .until_s = TIME_NEVER};
	struct str starts = {0};
	struct replay *r;
	size_t jobs;

	must(swf_read("log", str_text(log), log->len, 0, &trace, &err), &err);
	cluster_of_trace(&trace, &setup.cluster);
	r = replay_new(&setup, (struct ledger){0}, &err);
	must(r != NULL, &err);
	must(replay_run(r, TIME_NEVER, &err), &err);
	write_starts(&trace, r, &starts);
	jobs = trace.count;
	str_free(&starts);
	replay_free(r);
	trace_clear(&trace);
	return jobs;
}

/* The best of the given number of times. */
static void measure(const struct str *log, const char *name, const char *policy, int times, const char *gate)
{
	double best_s = 0;
	size_t jobs = 0;
	struct str row = {0};

	for (int i = 0; i < times; i++) {
		double begin_s = bench_cpu_s();
		double took_s;

		jobs = replay_once(log, policy);
		took_s = bench_cpu_s() - begin_s;
		best_s = i == 0 || took_s < best_s ? took_s : best_s;
	}
	str_addf(&row, "replay %s, %s, %zu jobs", policy, name, jobs);
	bench_report(str_text(&row), (double)jobs / best_s, "jobs/s", gate);
	str_free(&row);
}

/* Writes the log to a temporary file; false if that fails. */
static bool put_file(const struct str *log, char *path)
{
	int fd = mkstemp(path);
	bool good = fd >= 0 && write(fd, log->data, log->len) == (ssize_t)log->len;

	if (fd >= 0)
		close(fd);
	return good;
}

/* Wall clock seconds of the program, including its start and end; negative if it failed. */
static double run_program(const char *kahu, const char *path)
{
	struct str command = {0};
	double begin_s;
	int status;

	str_addf(&command, "'%s' replay --policy easy --starts /dev/null '%s' >/dev/null", kahu, path);
	begin_s = bench_wall_s();
	status = system(str_text(&command)); /* NOLINT(cert-env33-c): the command is not user input */
	str_free(&command);
	return status == 0 ? bench_wall_s() - begin_s : -1;
}

static void measure_program(const struct str *log, const char *name, size_t jobs)
{
	const char *kahu = getenv("KAHU");
	char path[] = "/tmp/kahu-bench-XXXXXX";
	double best_s = 0;
	struct str row = {0};

	if (!kahu || access(kahu, X_OK) != 0 || !put_file(log, path))
		return;
	for (int i = 0; i < TIMES; i++) {
		double took_s = run_program(kahu, path);

		best_s = i == 0 || took_s < best_s ? took_s : best_s;
	}
	str_addf(&row, "kahu replay --policy easy, %s, whole process", name);
	bench_report(str_text(&row), (double)jobs / best_s, "jobs/s", GATE);
	str_free(&row);
	unlink(path);
}

static size_t count_jobs(const struct str *log)
{
	struct trace trace;
	struct err err;
	size_t jobs;

	must(swf_read("log", str_text(log), log->len, 0, &trace, &err), &err);
	jobs = trace.count;
	trace_clear(&trace);
	return jobs;
}

static void measure_reading(const struct str *log)
{
	double begin_s = bench_cpu_s();
	struct trace trace;
	struct err err;

	must(swf_read("log", str_text(log), log->len, 0, &trace, &err), &err);
	bench_report("reading a log", (double)log->len / 1e6 / (bench_cpu_s() - begin_s), "MB/s", ">=20");
	trace_clear(&trace);
}

int main(void)
{
	struct str log = {0};
	const char *name = "SDSC-SP2";

	if (!unpack_archive(&log)) {
		name = "generated";
		generate(&log);
	}
	measure_reading(&log);
	measure(&log, name, "easy", TIMES, GATE);
	measure(&log, name, "fcfs", TIMES, NULL);
	measure(&log, name, "conservative", 1, NULL);
	measure_program(&log, name, count_jobs(&log));
	str_free(&log);
	return EXIT_SUCCESS;
}
