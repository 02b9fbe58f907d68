/* SPDX-License-Identifier: MIT */
/*
 * replay_output.h - schedules, placements and summaries of replays
 */
#ifndef COMMAND_REPLAY_OUTPUT_H
#define COMMAND_REPLAY_OUTPUT_H

#include "sched/host/replay.h"
#include "tui/report/field.h"

struct str;

/* CSV "job,submit,start,end,procs" with the log's names and times, by job number, then by line. */
void replay_print_starts(const struct trace *trace, const struct replay *replay, struct str *out);

/* CSV "job,nodes" with nodes as "n001*2 n003*1". Needs keep_runs of the setup. */
void replay_print_placement(const struct trace *trace, struct replay *replay, struct str *out);

/* Of a struct replay_summary. */
extern const struct field replay_summary_fields[];

/* `other` minus `sum`. Smaller counts wrap and are read as negative numbers. */
struct replay_summary replay_difference(const struct replay_summary *sum, const struct replay_summary *other);

/* Resources that the replay used. */
struct replay_cost {
	double elapsed_s;
	int64_t peak_rss_kb;
};

/* passes: the label of the number of passes. */
void replay_print_summary(const struct replay_summary *sum, const struct replay_cost *cost,
			  const char *passes, struct str *out);

/* What a summary is printed with. Borrows the summary. */
struct replay_printed {
	const struct replay_summary *sum;
	char hash[17]; /* of the decisions */
	struct replay_cost cost;
};

struct replay_printed replay_printed(const struct replay_summary *sum, const struct replay_cost *cost);

/* Summary, hash of decisions and cost; of a struct replay_printed. */
extern const struct field replay_printed_fields[];

/* One workload under two configurations. */
struct replay_compared {
	const char *name, *other_name; /* of the configurations */
	const char *passes;            /* label of the number of passes */
	struct replay_summary sum, other, difference;
};

/* Both summaries side by side; the difference is other minus sum. */
void replay_print_compared(const struct replay_compared *c, struct str *out);

/* The other configuration's name, its summary and the difference; of a struct replay_compared. */
extern const struct field replay_compared_fields[];

#endif
