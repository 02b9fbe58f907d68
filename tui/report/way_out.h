/* SPDX-License-Identifier: MIT */
/*
 * way_out.h - which changes would start a job, as `why` says it?
 */
#ifndef REPORT_WAY_OUT_H
#define REPORT_WAY_OUT_H

#include "changes.h"
#include "sched/forecast/unblock.h"

struct json;

/* What a person would type to make the change: "tune user[eva].maxps 98696,1080000", "hold -s 901023". */
void way_out_line(const struct snapshot *s, const struct event *ev, struct str *out);

/* May whoever sees this snapshot make the change, or ask for it? Where names are hidden nothing is offered
 * that is done to jobs of others. self: the way_out_view of who asks. */
struct way_out_view {
	const struct snapshot *s;
	uint64_t job;
};
bool way_out_may(void *self, const struct event *ev);

/* "its owner", "administrator 2": who may make the change for the job. Static storage. */
const char *way_out_who(const struct snapshot *s, uint64_t job, const struct event *ev);

/* Appends what happens without any change: when it starts by itself and what it waits for until then, or that
 * it never does. */
void way_out_itself(const struct snapshot *s, const struct job *job, const struct unblock *u, int64_t now_s,
		    struct str *out);
/* What it waits for until it starts, behind "it"; nothing where it starts at once, or never. */
void way_out_until(const struct snapshot *s, const struct job *job, const struct unblock *u, struct str *out);
/* "; job 12 ends then": the largest that ends when it starts. */
void way_out_ending(const struct snapshot *s, const struct unblock *u, struct str *out);
/* "2 jobs delayed, 17 by 0:10:00": what a change costs others. Appended. */
void way_out_cost(const struct snapshot *s, const struct unblock_change *c, struct str *out);
/* "Single changes that start it now, each tried on a copy, none made:": the line above the list. */
void way_out_heading(const struct unblock *u, int64_t by_s, int64_t now_s, struct str *out);

/* What was not searched, and up to when delays were looked at; nothing when all was. */
void way_out_unsearched(const struct unblock *u, int64_t now_s, struct str *out);

/* The list, best first; what each costs others stands behind it. */
void way_out_print(const struct cmd_env *env, uint64_t job, const struct unblock *u, int64_t by_s);
/* The fields "changes", "search" and "not_searched" of the open object. */
void way_out_json(struct json *j, const struct snapshot *s, uint64_t job, const struct unblock *u);

#endif
