/* SPDX-License-Identifier: MIT */
/*
 * array.h - which tasks has an array of jobs, and what are they called?
 *
 * An array is submitted at once and becomes one job for each of its numbers: 12[0], 12[1] ... 12 is the id
 * of its first task. All of it is meant by 12[], a part by 12[2-5,8].
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
#define ARRAY_DEPENDS_MAX 100000 /* dependencies of all tasks of one array together */

/* Numbers from first to last: 0-9, 1-100:10. */
struct array_range {
	int64_t first, last, step;
};

/*
 * How many numbers there are, and the one at a place among them as they were written. Safe for any ranges:
 * one that array_check refuses counts as empty, and more than ARRAY_TASKS_MAX numbers count as
 * ARRAY_TASKS_MAX + 1.
 */
uint32_t array_tasks(const struct array_range *range, size_t count);
uint32_t array_number(const struct array_range *range, size_t count, uint32_t place);

/* Can there be such an array: numbers within bounds, not too many, none twice? */
bool array_check(const struct array_range *range, size_t count, struct err *err);

/*
 * "0-9,12" at *at, which is moved behind it; what follows is the caller's to judge. At most
 * ARRAY_RANGES_MAX. False, without a sentence: no numbers stand there, or more ranges than that.
 */
bool array_read(const char **at, struct array_range *out, uint32_t *count);

/* What names tasks of one array: "12[]", "12[3]", "12[2-5,8]". */
struct array_word {
	const char *stem; /* of len bytes, in the word that was read */
	size_t len;
	struct array_range range[ARRAY_RANGES_MAX];
	uint32_t count; /* 0 = all tasks */
};
bool array_word_read(const char *word, struct array_word *out);

/* Is this what a task is called that the word means? */
bool array_word_has(const struct array_word *word, const char *label);

/* Numbers upward as people write them: "0-4,7,9-12". Of more than a few ranges the last are "...". */
void array_add_numbers(const uint32_t *number, size_t count, struct str *out);

#endif
