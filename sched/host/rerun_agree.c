/* SPDX-License-Identifier: MIT */
/*
 * rerun_agree.c - do jobs start in the order in which they did?
 *
 * Jobs in the order of the record, with their places in the other order: the longest ascending sequence of
 * these is what keeps its order (patience sorting: M. Fredman, On computing the length of longest increasing
 * subsequences, 1975); n log n.
 */
#include <stdlib.h>

#include "rerun.h"
#include "sched/base/vec.h"

/* The jobs that started in both, in the order of the record. */
struct row {
	uint32_t *job; /* places in the record */
	uint32_t count;
	uint32_t *pile; /* of each length the row's item with which the best sequence ends */
	uint32_t *before;
	uint32_t piles;
};

static void line_up(struct row *row, const struct rerun_record *record, const struct rerun_fate *fate)
{
	uint32_t *by_rank = mem_alloc((record->started + 1) * sizeof *by_rank);

	for (size_t i = 0; i < record->jobs; i++)
		if (record->job[i].start_s != TIME_NONE)
			by_rank[record->job[i].rank] = (uint32_t)i;
	row->job = by_rank;
	for (uint32_t i = 0; i < record->started; i++)
		if (fate[by_rank[i]].start_s != TIME_NONE)
			row->job[row->count++] = by_rank[i];
}

/* The first pile whose last has a higher rank. */
static uint32_t pile_for(const struct row *row, const struct rerun_fate *fate, uint32_t rank)
{
	uint32_t low = 0, high = row->piles;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (fate[row->job[row->pile[middle]]].rank < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void sort_piles(struct row *row, const struct rerun_fate *fate)
{
	row->pile = mem_alloc((row->count + 1) * sizeof *row->pile);
	row->before = mem_alloc((row->count + 1) * sizeof *row->before);
	for (uint32_t i = 0; i < row->count; i++) {
		uint32_t at = pile_for(row, fate, fate[row->job[i]].rank);

		row->before[i] = at > 0 ? row->pile[at - 1] : INDEX_NONE;
		row->pile[at] = i;
		if (at == row->piles)
			row->piles++;
	}
}

static bool *keepers(const struct row *row, size_t jobs)
{
	bool *keeps = mem_zero(jobs + 1, sizeof *keeps);
	uint32_t i = row->piles > 0 ? row->pile[row->piles - 1] : INDEX_NONE;

	for (; i != INDEX_NONE; i = row->before[i])
		keeps[row->job[i]] = true;
	return keeps;
}

static void add_difference(struct rerun_agreement *out, size_t job)
{
	out->differs = vec_room(out->differs, &out->room, out->count + 1, sizeof *out->differs);
	out->differs[out->count++] = (uint32_t)job;
}

void rerun_agree(const struct rerun *r, struct rerun_agreement *out)
{
	const struct rerun_record *record = rerun_of(r);
	const struct rerun_fate *fate = rerun_fates(r);
	struct row row = {.job = NULL};
	bool *keeps;

	line_up(&row, record, fate);
	sort_piles(&row, fate);
	keeps = keepers(&row, record->jobs);
	out->jobs = out->same_start = 0;
	out->in_order = row.piles;
	out->count = 0;
	for (size_t i = 0; i < record->jobs; i++) {
		if (record->job[i].start_s == TIME_NONE && fate[i].start_s == TIME_NONE)
			continue;
		out->jobs++;
		out->same_start += record->job[i].start_s == fate[i].start_s;
		if (!keeps[i])
			add_difference(out, i);
	}
	free(keeps);
	free(row.job);
	free(row.pile);
	free(row.before);
}
