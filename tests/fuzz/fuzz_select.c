/* SPDX-License-Identifier: MIT */
/*
 * fuzz_select.c - selections of jobs
 *
 * The first line is the argument of -w, the second has the other arguments. Each selected job exists,
 * is selected once and matches the terms; a refusal has a message and selects no job.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "tests/unit/small_state.h"
#include "tui/command/cmd.h"
#include "tui/report/select.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_chosen(const struct snapshot *s, const char *where, const struct job_selection *chosen)
{
	struct job_filter filter = {0};

	require(!where || job_filter_read(where, &filter, NULL));
	require(chosen->count > 0 && chosen->count <= snapshot_count(s, TABLE_JOBS));
	for (size_t i = 0; i < chosen->count; i++) {
		const struct job *job = &snapshot_jobs(s)[chosen->slot[i]];

		require(chosen->slot[i] < snapshot_count(s, TABLE_JOBS) && job->state != JOB_NONE);
		require(job_filter_match(&filter, s, job));
		for (size_t k = 0; k < i; k++)
			require(chosen->slot[k] != chosen->slot[i]);
	}
	job_filter_clear(&filter);
}

static void select_with(const struct snapshot *s, const char *where, char *const *word, int count)
{
	struct job_selection chosen;
	struct err err = {""};

	if (select_jobs(s, word, count, where, &chosen, &err))
		check_chosen(s, where, &chosen);
	else
		require(err.text[0] != '\0' && !chosen.slot && chosen.count == 0);
	free(chosen.slot);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct state *st;
	char *where = mem_alloc(size + 1), *words, **word;
	int count;

	if (!st)
		st = small_state();
	memcpy(where, data, size);
	where[size] = '\0';
	words = where + strcspn(where, "\n");
	if (*words)
		*words++ = '\0';
	word = cmd_split(words, &count, NULL);
	if (word) {
		select_with(state_view(st), NULL, word, count);
		select_with(state_view(st), where, word, count);
		select_with(state_view(st), where, NULL, 0);
	}
	free(word);
	free(where);
	return 0;
}
