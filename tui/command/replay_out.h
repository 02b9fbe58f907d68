/* SPDX-License-Identifier: MIT */
/*
 * replay_out.h - what does a replay hand over?
 */
#ifndef COMMAND_REPLAY_OUT_H
#define COMMAND_REPLAY_OUT_H

#include "sched/host/replay.h"

struct json;
struct str;

/* "job,submit,start,end,procs": the log's own names and seconds, by job number, then file order. */
void replay_print_starts(const struct trace *trace, const struct replay *replay, struct str *out);
/* "job,nodes": nodes as n001*2 n003*1; for a replay that kept its runs. */
void replay_print_placement(const struct trace *trace, struct replay *replay, struct str *out);

/* The fields of the summary themselves. */
void replay_json_values(const struct replay_summary *sum, struct json *j);

/* What it cost beside the summary. */
struct replay_cost {
	double elapsed_s;
	int64_t peak_rss_kb;
};
/* passes: what these are called, as not always the same ones are counted. */
void replay_print_summary(const struct replay_summary *sum, const struct replay_cost *cost,
			  const char *passes, struct str *out);
/* The same as fields of the open object. */
void replay_json_summary(const struct replay_summary *sum, const struct replay_cost *cost, struct json *j);

/* The same workload under two configurations. */
struct replay_compared {
	const char *name, *other_name; /* of the configurations */
	const char *passes;            /* what these are called */
	struct replay_summary sum, other;
};
/* Side by side, with the differences: what the other has more. */
void replay_print_compared(const struct replay_compared *c, struct str *out);
/* The other's name, fields and the differences as fields of the open object. */
void replay_json_compared(const struct replay_compared *c, struct json *j);

#endif
