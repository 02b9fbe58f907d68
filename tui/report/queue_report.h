/* SPDX-License-Identifier: MIT */
/*
 * queue_report.h - what the queue is printed from
 */
#ifndef REPORT_QUEUE_REPORT_H
#define REPORT_QUEUE_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd_env.h"
#include "sched/forecast/future.h"
#include "tui/report/select.h"

/* A blocked job; they are listed by number (jobtext_number). */
struct queue_blocked {
	uint64_t number, id;
	uint32_t slot;
};

struct queue_report {
	struct cmd_env *env;
	const struct snapshot *s;
	struct future future; /* of a part with estimated starts the projection */
	struct job_filter filter;
	uint32_t partition;                    /* only its jobs; 0 = all           */
	bool active, idle, blocked, completed; /* which parts                      */
	bool long_form;                        /* with marks, priorities, reasons  */
	bool names;                            /* what users call their jobs, in place of their IDs */
	bool name_column;                      /* beside their IDs: some job shown has a name       */
	bool tasks;                            /* waiting tasks of arrays one by one */
	bool *over_soft;                       /* by slot: oversoft.h              */
	struct queue_blocked *blocked_jobs;    /* as many as future.plan.queue has        */
};

/* Plans and lists from what was asked for (env to filter); forget it afterwards. */
void queue_report_look(struct queue_report *r);
void queue_report_forget(struct queue_report *r);

/* Has a job among those asked for a name of its user's choice? */
bool queue_report_has_names(const struct queue_report *r);

/* Is the job among those asked for? */
bool queue_report_shows(const struct queue_report *r, uint32_t slot);

/* Does a part with estimated starts appear? */
bool queue_report_has_starts(const struct queue_report *r);

/* A job's rank at the moment of the report. */
int64_t queue_report_rank(const struct queue_report *r, uint32_t slot);

/* queue_text.c: the parts as text. False: history could not be read. */
bool queue_report_print(const struct queue_report *r, struct str *out);

#endif
