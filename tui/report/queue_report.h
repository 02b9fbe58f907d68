/* SPDX-License-Identifier: MIT */
/*
 * queue_report.h - reports of the queue
 */
#ifndef REPORT_QUEUE_REPORT_H
#define REPORT_QUEUE_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd_env.h"
#include "sched/base/str.h"
#include "sched/forecast/future.h"
#include "sched/model/snapshot.h"
#include "select.h"

/* A blocked job; they are listed by number (job_text_number). */
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
	bool *over_soft;                       /* by slot: job_text.h              */
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

/* The parts as text, and as JSON. False: history could not be read. */
bool queue_report_print(const struct queue_report *r, struct str *out);
bool queue_report_json(const struct queue_report *r, struct str *out);

/* --- array tasks that share a line -------------------------------------------------------------------- */

/*
 * Waiting tasks of one array are alike, and there may be thousands: where they stand in the same list they
 * share the line of the first of them, "12[4-9] x6". Who is alone there has a line of its own, and so
 * has every running job.
 */

/* A line: the first job on it in the order of the list, and the tasks folded into it, 0 = it stands alone. */
struct fold_line {
	uint32_t slot;
	uint32_t first, tasks; /* of struct fold.task */
};

/* A waiting task in the list. */
struct fold_task {
	uint64_t array;
	uint32_t number; /* in its array */
	uint32_t holds;  /* enum job_hold: held ones and others are not alike */
	uint32_t slot;
	uint32_t at; /* in the list that is folded */
};

/* Zero is one without lines; release with fold_free. */
struct fold {
	struct fold_line *line;
	size_t lines, line_room;
	struct fold_task *task; /* by array, holds, number */
	size_t tasks, task_room;
	uint32_t *leads; /* private: by place in the list */
	size_t leads_room;
};

/* Is this array shown task by task? */
typedef bool fold_open(const void *self, uint64_t array);

void fold_clear(struct fold *f);
void fold_free(struct fold *f);

/* Appends the lines of a list of slots. is_open may be NULL: none is. */
void fold_list(struct fold *f, const struct snapshot *s, const uint32_t *slot, size_t count,
	       fold_open *is_open, const void *self);

/* What stands in front of a line of several tasks: "12[4-9] x6". Appended. */
void fold_name(const struct fold *f, const struct fold_line *line, struct str *out);

#endif
