/* SPDX-License-Identifier: MIT */
/*
 * job_report.h - report of one job
 */
#ifndef REPORT_JOB_REPORT_H
#define REPORT_JOB_REPORT_H

#include <stdint.h>

#include "cmd_env.h"
#include "field.h"
#include "sched/base/err.h"
#include "sched/forecast/explain.h"
#include "sched/forecast/future.h"
#include "sched/policy/priority.h"

/* --- gates under other policy levels, and on a single node -------------------------------------------- */

/* The gates that a report considers, as with checkjob -l. */
enum policy_level {
	POLICY_LEVEL_SOFT,   /* all gates */
	POLICY_LEVEL_HARD,   /* all gates except soft limits */
	POLICY_LEVEL_OFF,    /* all gates except limits and caps */
	POLICY_LEVEL_FUTURE, /* only gates that neither time nor other jobs can clear */
	POLICY_LEVEL_COUNT
};

/* "soft", "hard", "off", "future"; static storage. */
const char *policy_level_name(enum policy_level level);

/*
 * Returns the level named "soft", "hard" or "off", in any case; POLICY_LEVEL_COUNT with err set for other
 * names.
 */
enum policy_level policy_level_find(const char *name, struct err *err);

/* Returns the first gate that blocks the job at this level; GATE_NONE if no gate does. */
enum gate policy_level_first_gate(const struct why *why, enum policy_level level);

/*
 * Number of processors of a node that the job could use, at most what it requests: `ever` on the empty node,
 * `now` at present. `lack` is the reason why the job can use none; LACK_NONE if it can use some now.
 */
struct node_fit {
	int64_t ever, now;
	enum lack lack;
};

struct node_fit node_fit_find(const struct snapshot *s, uint32_t slot, uint32_t node, int64_t now_s);

/* --- the report --------------------------------------------------------------------------------------- */

struct job_report {
	const struct cmd_env *env;
	const struct snapshot *s; /* the state, or a copy in which the job has another QOS */
	const struct job *job;
	uint32_t slot;
	struct future future;
	struct future_start start; /* estimated start of an idle job */
	struct why why;
	struct prio_result priority;
	bool over_soft;   /* result of job_text_over_soft() for the job */
	bool level_asked; /* -l or --flags was given  */
	enum policy_level level;
	uint32_t node; /* node whose fit is reported; INDEX_NONE = none */
	struct node_fit on_node;
};

extern const struct field job_page_request[], job_page_fields[]; /* items are struct job_report */

/* Appends why the job does not start at the requested level; nothing if it can. */
void job_report_sentence(const struct job_report *a, struct str *out);
/* Does the job start at the next pass? Always false if a policy level was requested. */
bool job_report_starts_next(const struct job_report *a);

void job_report_json(const struct job_report *a, struct str *out);
void job_report_text(const struct job_report *a, struct str *out);

#endif
