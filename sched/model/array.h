/* SPDX-License-Identifier: MIT */
/*
 * array.h - job arrays: task numbers and labels
 *
 * An array is submitted at once and becomes one job per task number: 12[0], 12[1] ... 12 is the job ID of its
 * first task. 12[] means the whole array, 12[2-5,8] some of its tasks.
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
#define ARRAY_DEPENDS_MAX 100000 /* total dependencies of all tasks of one array */

/* A range of task numbers: 0-9, 1-100:10. */
struct array_range {
	int64_t first, last, step;
};

/*
 * array_tasks counts the task numbers; the second function returns the number at an index, in the order in
 * which they were written. Both accept any ranges: a range that array_check rejects counts as empty, and more
 * than ARRAY_TASKS_MAX numbers count as ARRAY_TASKS_MAX + 1.
 */
uint32_t array_tasks(const struct array_range *range, size_t count);
uint32_t array_number(const struct array_range *range, size_t count, uint32_t place);

/* Checks that the task numbers are within bounds, not too many, and unique. */
bool array_check(const struct array_range *range, size_t count, struct err *err);

/*
 * Parses "0-9,12" at *at and moves *at behind it; the caller checks what follows. At most ARRAY_RANGES_MAX
 * ranges. Returns false, without a message, if there are no numbers or too many ranges.
 */
bool array_read(const char **at, struct array_range *out, uint32_t *count);

/* A reference to tasks of one array: "12[]", "12[3]", "12[2-5,8]". */
struct array_word {
	const char *stem; /* the part before the bracket, len bytes, in the parsed word */
	size_t len;
	struct array_range range[ARRAY_RANGES_MAX];
	uint32_t count; /* 0 = all tasks */
};
bool array_word_read(const char *word, struct array_word *out);

/* Does the reference include the task with this label? */
bool array_word_has(const struct array_word *word, const char *label);

/* Appends ascending numbers as ranges: "0-4,7,9-12". After a few ranges the rest is "...". */
void array_add_numbers(const uint32_t *number, size_t count, struct str *out);

#endif
