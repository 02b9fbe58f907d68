/* SPDX-License-Identifier: MIT */
/*
 * array.h - job arrays: task numbers and labels
 *
 * An array is submitted as a whole and becomes one job for each task number, such as 12[0] and 12[1]. 12 is
 * the job ID of its first task. 12[] refers to the whole array, 12[2-5,8] to some of its tasks.
 */
#ifndef MODEL_ARRAY_H
#define MODEL_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/base/str.h"

#define ARRAY_RANGES_MAX  64
#define ARRAY_TASKS_MAX   10000
#define ARRAY_INDEX_MAX   9999999
#define ARRAY_DEPENDS_MAX 100000 /* maximum number of dependencies of all tasks of one array */

/* A range of task numbers: 0-9, or 1-100:10 with a step of 10. */
struct array_range {
	int64_t first, last, step;
};

/*
 * array_tasks returns the number of tasks, at most ARRAY_TASKS_MAX + 1. array_number returns the task number
 * at index `place`, in the order in which the ranges were written; 0 if there are not that many tasks. Both
 * accept ranges that were not checked: a range that array_check rejects has no tasks.
 */
uint32_t array_tasks(const struct array_range *range, size_t count);
uint32_t array_number(const struct array_range *range, size_t count, uint32_t place);

/*
 * Checks that the task numbers are within bounds, not too many, and unique. Returns false with err set if
 * not.
 */
bool array_check(const struct array_range *range, size_t count, struct err *err);

/*
 * Parses ranges such as "0-9,12" at *at and moves *at behind them; the caller checks what follows. Writes at
 * most ARRAY_RANGES_MAX ranges to out and sets *count. Returns false, without a message, if a range is
 * missing or invalid or if there are too many.
 */
bool array_read(const char **at, struct array_range *out, uint32_t *count);

/* A reference to tasks of one array: "12[]", "12[3]", "12[2-5,8]". */
struct array_word {
	const char *stem; /* the part of the word before the bracket; points into the word */
	size_t len;       /* length of the stem in bytes */
	struct array_range range[ARRAY_RANGES_MAX];
	uint32_t count; /* number of ranges; 0 = all tasks */
};
/* Parses a reference; *out then points into the word. Returns false if the word is not a valid reference. */
bool array_word_read(const char *word, struct array_word *out);

/* Does the reference include the task with this label? */
bool array_word_has(const struct array_word *word, const char *label);

/*
 * Appends ascending numbers as ranges: "0-4,7,9-12". If there are more than four ranges, ",..." replaces the
 * rest.
 */
void array_add_numbers(const uint32_t *number, size_t count, struct str *out);

#endif
