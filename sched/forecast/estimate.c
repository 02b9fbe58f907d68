/* SPDX-License-Identifier: MIT */
/*
 * estimate.c - how far from the truth was what had been said?
 *
 * Percentiles are by nearest rank, so that each is an error that there was. Half of the errors are at most as
 * large as the median.
 */
#include "estimate.h"

#include <stdlib.h>

#include "sched/base/vec.h"

const char *estimate_stage_name(enum estimate_stage stage)
{
	static const char *const names[ESTIMATE_STAGES] = {"submitted", "halfway", "hour-before"};

	return names[stage];
}

const char *estimate_tier_name(enum estimate_tier tier)
{
	static const char *const names[ESTIMATE_TIERS] = {"instant", "full"};

	return names[tier];
}

void estimate_rows_free(struct estimate_row *row, size_t count)
{
	for (size_t i = 0; row != NULL && i < count; i++)
		free(row[i].label);
	free(row);
}

static int64_t size_of(int64_t error_s)
{
	return error_s < 0 ? -error_s : error_s;
}

bool estimate_error(const struct estimate_row *row, enum estimate_stage stage, enum estimate_tier tier,
		    int64_t *out_s)
{
	int64_t said_s = row->said_s[stage][tier];

	if (said_s == TIME_NONE || said_s == TIME_NEVER)
		return false;
	*out_s = row->start_s - said_s;
	return true;
}

static int by_value(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* The value of which so many percent of them are at most as large. */
static int64_t nearest_rank(const int64_t *sorted, uint32_t count, uint32_t percent)
{
	uint64_t rank = ((uint64_t)count * percent + 99) / 100;

	return count == 0 ? 0 : sorted[rank == 0 ? 0 : rank - 1];
}

static bool was_at_once(const struct estimate_row *row, int64_t said_s)
{
	int64_t latest_s = row->submit_s + ESTIMATE_AT_ONCE_S;

	return said_s <= latest_s && row->start_s <= latest_s;
}

static void count_error(struct estimate_errors *out, const struct estimate_row *row, int64_t error_s)
{
	out->known++;
	out->earlier += error_s < 0;
	out->later += error_s > 0;
	out->within += size_of(error_s) * 10 <= row->start_s - row->submit_s;
}

void estimate_errors_of(struct estimate_errors *out, const struct estimate_row *row, size_t count,
			enum estimate_stage stage, enum estimate_tier tier)
{
	int64_t *error = mem_alloc((count + 1) * sizeof *error);

	*out = (struct estimate_errors){.asked = 0};
	for (size_t i = 0; i < count; i++) {
		int64_t error_s, said_s = row[i].said_s[stage][tier];

		out->asked += said_s != TIME_NONE;
		out->unknown += said_s == TIME_NEVER;
		if (!estimate_error(&row[i], stage, tier, &error_s))
			continue;
		if (was_at_once(&row[i], said_s)) {
			out->at_once++;
			continue;
		}
		error[out->known] = error_s;
		count_error(out, &row[i], error_s);
	}
	qsort(error, out->known, sizeof *error, by_value);
	out->shift_s = nearest_rank(error, out->known, 50);
	for (uint32_t i = 0; i < out->known; i++)
		error[i] = size_of(error[i]);
	qsort(error, out->known, sizeof *error, by_value);
	out->median_s = nearest_rank(error, out->known, 50);
	out->p80_s = nearest_rank(error, out->known, 80);
	out->p95_s = nearest_rank(error, out->known, 95);
	free(error);
}

/* Of the same size the older job is first. */
static bool is_worse(const struct estimate_row *a, const struct estimate_row *b, enum estimate_stage stage,
		     enum estimate_tier tier)
{
	int64_t a_s = 0, b_s = 0;

	(void)estimate_error(a, stage, tier, &a_s);
	(void)estimate_error(b, stage, tier, &b_s);
	return size_of(a_s) > size_of(b_s) || (size_of(a_s) == size_of(b_s) && a->job < b->job);
}

size_t estimate_worst(const struct estimate_row *row, size_t count, enum estimate_stage stage,
		      enum estimate_tier tier, const struct estimate_row **out, size_t most)
{
	size_t found = 0;

	for (size_t i = 0; i < count && most > 0; i++) {
		int64_t error_s;
		size_t at = found;

		if (!estimate_error(&row[i], stage, tier, &error_s) || error_s == 0)
			continue;
		while (at > 0 && is_worse(&row[i], out[at - 1], stage, tier))
			at--;
		if (at == most)
			continue;
		found += found < most;
		for (size_t k = found - 1; k > at; k--)
			out[k] = out[k - 1];
		out[at] = &row[i];
	}
	return found;
}
