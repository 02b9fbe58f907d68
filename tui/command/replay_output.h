/* SPDX-License-Identifier: MIT */
/*
 * replay_output.h - schedules, placements and summaries of replays
 */
#ifndef COMMAND_REPLAY_OUTPUT_H
#define COMMAND_REPLAY_OUTPUT_H

#include "sched/host/replay.h"
#include "tui/report/field.h"

struct str;

/*
 * Appends CSV lines "job,submit,start,end,procs" with the names and times of the log, ordered by job number,
 * then by line.
 */
void replay_print_starts(const struct trace *trace, const struct replay *replay, struct str *out);

/*
 * Appends CSV lines "job,nodes", with nodes as in "n001*2 n003*1". `keep_runs` in the replay's setup must
 * have been set.
 */
void replay_print_placement(const struct trace *trace, struct replay *replay, struct str *out);

/* Fields of a struct replay_summary. */
extern const struct field replay_summary_fields[];

/* Returns `other` minus `sum`. Unsigned counts that decrease wrap; reports read them as negative numbers. */
struct replay_summary replay_difference(const struct replay_summary *sum, const struct replay_summary *other);

/* Resources that the replay used. */
struct replay_cost {
	double elapsed_s;
	int64_t peak_rss_kb;
};

/* Appends the summary and the cost. passes: label of the number of passes. */
void replay_print_summary(const struct replay_summary *sum, const struct replay_cost *cost,
			  const char *passes, struct str *out);

/* A summary with what is printed beside it. The summary is borrowed. */
struct replay_printed {
	const struct replay_summary *sum;
	char hash[17]; /* hash of the decisions, as text */
	struct replay_cost cost;
};

struct replay_printed replay_printed(const struct replay_summary *sum, const struct replay_cost *cost);

/* Fields of a struct replay_printed: summary, hash of the decisions, and cost. */
extern const struct field replay_printed_fields[];

/* The same workload replayed under two configurations. */
struct replay_compared {
	const char *name, *other_name; /* names of the configurations */
	const char *passes;            /* label of the number of passes */
	struct replay_summary sum, other, difference;
};

/* Appends both summaries side by side; the difference is other minus sum. */
void replay_print_compared(const struct replay_compared *c, struct str *out);

/* Fields of a struct replay_compared: name and summary of the other configuration, and the difference. */
extern const struct field replay_compared_fields[];

#endif
