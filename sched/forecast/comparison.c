/* SPDX-License-Identifier: MIT */
/*
 * comparison.c - starts of the same jobs in several futures
 *
 * The state of a draft begins as a copy, so most jobs keep their slots. A draft that cancels a job may give
 * its slot to another job; therefore IDs are compared.
 */
#include "comparison.h"

#include <stdlib.h>

#include "sched/base/vec.h"

static int64_t start_of(const struct whatif_side *side, struct job_lookup *lookup, uint64_t id, uint32_t slot)
{
	uint32_t at = job_lookup(lookup, id, slot);

	return at == INDEX_NONE ? TIME_NEVER : side->start_s[at];
}

static const struct job *job_of(const struct comparison *l, uint32_t job)
{
	return &snapshot_jobs(l->s)[l->slot[job]];
}

void comparison_begin(struct comparison *l, const struct whatif_side *side)
{
	uint32_t jobs = snapshot_count(side->s, TABLE_WAITING);

	l->s = side->s;
	l->jobs = l->common_jobs = jobs;
	l->rows = 0;
	l->slot = vec_room(l->slot, &l->slot_room, jobs, sizeof *l->slot);
	l->common = vec_room(l->common, &l->common_room, jobs, sizeof *l->common);
	for (uint32_t i = 0; i < jobs; i++) {
		l->slot[i] = snapshot_waiting(side->s)[i].slot;
		l->common[i] = true;
	}
	(void)comparison_add(l, side);
}

size_t comparison_add(struct comparison *l, const struct whatif_side *side)
{
	struct job_lookup lookup = {.s = side->s};
	size_t row = l->rows++;

	l->start_s = vec_room(l->start_s, &l->start_room, l->rows * l->jobs, sizeof *l->start_s);
	for (uint32_t i = 0; i < l->jobs; i++) {
		int64_t start_s = start_of(side, &lookup, job_of(l, i)->id, l->slot[i]);

		l->start_s[row * l->jobs + i] = start_s;
		if (start_s == TIME_NEVER && l->common[i]) {
			l->common[i] = false;
			l->common_jobs--;
		}
	}
	free(lookup.by_id);
	return row;
}

void comparison_clear(struct comparison *l)
{
	free(l->slot);
	free(l->common);
	free(l->start_s);
	*l = (struct comparison){.s = NULL};
}

void comparison_totals(const struct comparison *l, size_t row, int64_t now_s, struct whatif_totals *out)
{
	*out = (struct whatif_totals){.last_start_s = TIME_NONE};
	for (uint32_t i = 0; i < l->jobs; i++) {
		int64_t start_s = comparison_start_s(l, row, i);

		whatif_add_start(out, start_s, now_s);
		if (l->common[i])
			whatif_add_wait(out, job_of(l, i), start_s);
	}
}

struct start_changes comparison_changes(const struct comparison *l, size_t from, size_t to)
{
	struct start_changes change = {.changed = 0};

	for (uint32_t i = 0; i < l->jobs; i++) {
		int64_t before_s = comparison_start_s(l, from, i), after_s = comparison_start_s(l, to, i);

		if (l->common[i])
			change.gain_s += before_s - after_s;
		if (before_s == after_s)
			continue;
		change.only = change.changed++ == 0 ? job_of(l, i)->id : 0;
		change.earlier += after_s < before_s;
		change.later += after_s > before_s;
	}
	return change;
}
