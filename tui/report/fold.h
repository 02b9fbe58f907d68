/* SPDX-License-Identifier: MIT */
/*
 * fold.h - which jobs of a list share one line?
 *
 * Waiting tasks of one array are alike, and there may be thousands: where they stand in the same list they
 * share the line of the first of them, "12[4-9] x6". Who is alone there has a line of its own, and so
 * has every running job.
 */
#ifndef REPORT_FOLD_H
#define REPORT_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/str.h"
#include "sched/model/snapshot.h"

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
