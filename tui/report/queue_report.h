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

/* A blocked job; blocked jobs are listed by number (job_text_number). */
struct queue_blocked {
	uint64_t number, id;
	uint32_t slot;
};

struct queue_report {
	struct cmd_env *env;
	const struct snapshot *s;
	struct future future; /* the plan; with the projection if a section shows estimated starts */
	struct job_filter filter;
	uint32_t partition;                    /* only jobs of this partition; 0 = all */
	bool active, idle, blocked, completed; /* sections to include */
	bool long_form;                        /* show marks, priorities and reasons */
	bool names;                            /* show job names in place of IDs */
	bool name_column;                      /* show a column of job names beside the IDs */
	bool tasks;                            /* list waiting array tasks individually */
	bool *over_soft;                       /* by slot: is the job over a soft limit (job_text.h) */
	struct queue_blocked *blocked_jobs;    /* array of future.plan.queue.blocked_count elements */
};

/*
 * Fills future, over_soft and blocked_jobs; the caller has set the other members. Free with
 * queue_report_forget.
 */
void queue_report_look(struct queue_report *r);
void queue_report_forget(struct queue_report *r);

/* Does any selected job have a name given by its user? */
bool queue_report_has_names(const struct queue_report *r);

/* Is the job selected by the filter and the partition? */
bool queue_report_shows(const struct queue_report *r, uint32_t slot);

/* Is a section with estimated starts included? */
bool queue_report_has_starts(const struct queue_report *r);

/* Prints the sections as text or JSON. Returns false if the history could not be read. */
bool queue_report_print(const struct queue_report *r, struct str *out);
bool queue_report_json(const struct queue_report *r, struct str *out);

/* --- array tasks on one line -------------------------------------------------------------------------- */

/*
 * Waiting tasks of one array are alike, and there may be thousands of them. Tasks in the same list share the
 * line of the first one, "12[4-9] x6". A single waiting task and every running task has its own line.
 */

/*
 * A line of a list: `slot` is its first job in the order of the list, `tasks` the number of array tasks
 * folded into the line; 0 = a single job.
 */
struct fold_line {
	uint32_t slot;
	uint32_t first, tasks; /* tasks of the line, in fold.task */
};

/* A waiting task of the list. */
struct fold_task {
	uint64_t array;
	uint32_t number; /* task number in the array */
	uint32_t holds;  /* enum job_hold; only tasks with equal holds share a line */
	uint32_t slot;
	uint32_t at; /* index in the list */
};

/* A zeroed struct has no lines; free with fold_free. */
struct fold {
	struct fold_line *line;
	size_t lines, line_room;
	struct fold_task *task; /* sorted by array, holds, number */
	size_t tasks, task_room;
	uint32_t *leads; /* private: by index in the list: NONE, HIDDEN or a line (queue_report.c) */
	size_t leads_room;
};

/* Is this array shown with one line per task? */
typedef bool fold_open(const void *self, uint64_t array);

void fold_clear(struct fold *f);
void fold_free(struct fold *f);

/* Appends the lines of a list of slots. is_open NULL: no array is expanded. */
void fold_list(struct fold *f, const struct snapshot *s, const uint32_t *slot, size_t count,
	       fold_open *is_open, const void *self);

/* Appends the label of a line of several tasks: "12[4-9] x6". */
void fold_name(const struct fold *f, const struct fold_line *line, struct str *out);

#endif
