/* SPDX-License-Identifier: MIT */
/*
 * fold.c - which jobs of a list share one line?
 */
#include "fold.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/model/array.h"

#define NONE   0          /* leads nobody */
#define HIDDEN UINT32_MAX /* on the line of another */

void fold_clear(struct fold *f)
{
	f->lines = f->tasks = 0;
}

void fold_free(struct fold *f)
{
	free(f->line);
	free(f->task);
	free(f->leads);
	*f = (struct fold){.line = NULL};
}

static int compare_tasks(const void *a, const void *b)
{
	const struct fold_task *x = a, *y = b;

	if (x->array != y->array)
		return x->array < y->array ? -1 : 1;
	if (x->holds != y->holds)
		return x->holds < y->holds ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* The waiting tasks of the list, those of an array together; returns where they begin. */
static size_t find_tasks(struct fold *f, const struct snapshot *s, const uint32_t *slot, size_t count,
			 fold_open *is_open, const void *self)
{
	size_t before = f->tasks;

	for (size_t i = 0; i < count && s->of_arrays > 0; i++) {
		const struct job *job = &snapshot_jobs(s)[slot[i]];

		if (job->array == 0 || job->state != JOB_IDLE ||
		    (is_open != NULL && is_open(self, job->array)))
			continue;
		f->task = vec_room(f->task, &f->task_room, f->tasks + 1, sizeof *f->task);
		f->task[f->tasks++] = (struct fold_task){.array = job->array,
							 .number = job->array_index,
							 .holds = job->holds,
							 .slot = slot[i],
							 .at = (uint32_t)i};
	}
	if (f->tasks > before)
		qsort(f->task + before, f->tasks - before, sizeof *f->task, compare_tasks);
	return before;
}

static size_t end_of_array(const struct fold *f, size_t first)
{
	size_t end = first;

	while (end < f->tasks && f->task[end].array == f->task[first].array &&
	       f->task[end].holds == f->task[first].holds)
		end++;
	return end;
}

/* Of the tasks from first to end the one that comes first in the list leads the others. */
static void lead(struct fold *f, size_t first, size_t end)
{
	uint32_t leader = f->task[first].at;

	for (size_t i = first; i < end; i++) {
		f->leads[f->task[i].at] = HIDDEN;
		if (f->task[i].at < leader)
			leader = f->task[i].at;
	}
	f->leads[leader] = (uint32_t)first + 1;
}

void fold_list(struct fold *f, const struct snapshot *s, const uint32_t *slot, size_t count,
	       fold_open *is_open, const void *self)
{
	size_t before = find_tasks(f, s, slot, count, is_open, self);

	f->leads = vec_room(f->leads, &f->leads_room, count + 1, sizeof *f->leads);
	memset(f->leads, NONE, (count + 1) * sizeof *f->leads);
	for (size_t i = before, end; i < f->tasks; i = end) {
		end = end_of_array(f, i);
		if (end - i > 1)
			lead(f, i, end);
	}
	f->line = vec_room(f->line, &f->line_room, f->lines + count, sizeof *f->line);
	for (size_t i = 0; i < count; i++) {
		struct fold_line line = {.slot = slot[i]};

		if (f->leads[i] == HIDDEN)
			continue;
		if (f->leads[i] != NONE) {
			line.first = f->leads[i] - 1;
			line.tasks = (uint32_t)(end_of_array(f, line.first) - line.first);
		}
		f->line[f->lines++] = line;
	}
}

void fold_name(const struct fold *f, const struct fold_line *line, struct str *out)
{
	uint32_t *number = mem_zero((size_t)line->tasks + 1, sizeof *number);

	for (uint32_t i = 0; i < line->tasks; i++)
		number[i] = f->task[line->first + i].number;
	str_addf(out, "%" PRIu64 "[", f->task[line->first].array);
	array_add_numbers(number, line->tasks, out);
	str_addf(out, "] x%" PRIu32, line->tasks);
	free(number);
}
