/* SPDX-License-Identifier: MIT */
/*
 * judge.h - what would be said of a job under other rules, or of one node?
 */
#ifndef REPORT_JUDGE_H
#define REPORT_JUDGE_H

#include <stdint.h>

#include "sched/base/err.h"
#include "sched/forecast/explain.h"

/* Which rules count, as checkjob -l has it. */
enum judge_level {
	JUDGE_SOFT,   /* all                                             */
	JUDGE_HARD,   /* soft limits do not                              */
	JUDGE_OFF,    /* no limits, no caps                              */
	JUDGE_FUTURE, /* only those that time and other jobs cannot mend */
	JUDGE_LEVEL_COUNT
};

/* "soft", "hard", "off", "future"; static storage. */
const char *judge_level_name(enum judge_level level);
/* By name, any case; JUDGE_LEVEL_COUNT with a sentence when there is none. */
enum judge_level judge_find_level(const char *name, struct err *err);

/* The first gate that stops the job under these rules; GATE_NONE: nothing does. */
enum gate judge_first(const struct why *why, enum judge_level level);

/* Processors of a node that the job could have: ever, and now, up to what it asks for; and what is wrong. */
struct judged_node {
	int64_t ever, now;
	enum lack lack;
};
struct judged_node judge_node(const struct snapshot *s, uint32_t slot, uint32_t node, int64_t now_s);

/* "is in another partition": behind the node's name; static storage. */
const char *judge_lack(enum lack lack);

#endif
