/* SPDX-License-Identifier: MIT */
/*
 * job_report.h - what one job is described from
 */
#ifndef REPORT_JOB_REPORT_H
#define REPORT_JOB_REPORT_H

#include "cmd_env.h"
#include "judge.h"
#include "sched/forecast/future.h"
#include "sched/policy/priority.h"

struct job_report {
	const struct cmd_env *env;
	const struct snapshot *s; /* the state, or a copy with another QOS */
	const struct job *job;
	uint32_t slot;
	struct future future;
	struct future_start start; /* estimated; of a waiting job */
	struct why why;
	struct prio_result priority;
	bool over_soft; /* oversoft.h                               */
	bool judged;    /* a policy level was asked about           */
	enum judge_level level;
	uint32_t node; /* asked about; INDEX_NONE = none           */
	struct judged_node on_node;
};

void job_report_json(const struct job_report *a, struct str *out);
void job_report_text(const struct job_report *a, struct str *out);

#endif
