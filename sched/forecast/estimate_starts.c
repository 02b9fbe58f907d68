/* SPDX-License-Identifier: MIT */
/*
 * estimate_starts.c - which jobs started when, and of which of them is it asked what was said?
 *
 * Ids are given in ascending order, so jobs are sorted by id nearly as they come; jobs that were submitted to
 * the replay of a log have larger ids than those of the log that come later. A row in the order of starts is
 * as good a sample of a week as chance would draw, and it is the same one each time.
 */
#include <stdlib.h>
#include <string.h>

#include "estimate.h"
#include "sched/base/vec.h"

static void add_job(struct estimate_starts *s, uint64_t id, int64_t submit_s)
{
	s->job = vec_room(s->job, &s->room, s->jobs + 1, sizeof *s->job);
	s->job[s->jobs++] = (struct estimate_start){.job = id, .submit_s = submit_s, .start_s = TIME_NONE};
}

static int by_id(const void *left, const void *right)
{
	const struct estimate_start *a = left, *b = right;

	return a->job < b->job ? -1 : a->job > b->job;
}

void estimate_starts_begin(struct estimate_starts *s, const struct snapshot *from, int64_t since_s)
{
	s->since_s = since_s;
	s->jobs = s->started = 0;
	for (uint32_t i = 0; i < snapshot_count(from, TABLE_WAITING); i++) {
		const struct job *job = &snapshot_jobs(from)[snapshot_waiting(from)[i].slot];

		add_job(s, job->id, job->submit_s);
	}
	if (s->jobs > 1)
		qsort(s->job, s->jobs, sizeof *s->job, by_id);
}

static struct estimate_start *find(struct estimate_starts *s, uint64_t id)
{
	struct estimate_start key = {.job = id};

	return s->jobs == 0 ? NULL : bsearch(&key, s->job, s->jobs, sizeof *s->job, by_id);
}

void estimate_starts_take(struct estimate_starts *s, const struct event *ev)
{
	struct estimate_start *job;

	if (ev->kind == EVENT_SUBMIT) {
		for (uint32_t i = 0; i < job_record_tasks(&ev->submit); i++) {
			add_job(s, ev->job + i, ev->submit.job.submit_s);
			vec_sort_last(s->job, s->jobs, sizeof *s->job, by_id);
		}
		return;
	}
	job = ev->kind == EVENT_START ? find(s, ev->job) : NULL;
	if (job == NULL || job->start_s != TIME_NONE)
		return;
	job->start_s = ev->time_s;
	s->started += ev->time_s >= s->since_s;
}

static int by_start(const void *left, const void *right)
{
	const struct estimate_start *a = left, *b = right;

	if (a->start_s != b->start_s)
		return a->start_s < b->start_s ? -1 : 1;
	return by_id(left, right);
}

static struct estimate_row row_of(const struct estimate_start *start)
{
	struct estimate_row row = {.job = start->job, .submit_s = start->submit_s, .start_s = start->start_s};

	for (int stage = 0; stage < ESTIMATE_STAGES; stage++)
		for (int tier = 0; tier < ESTIMATE_TIERS; tier++)
			row.said_s[stage][tier] = TIME_NONE;
	return row;
}

struct estimate_row *estimate_starts_choose(const struct estimate_starts *s, size_t most, size_t *count)
{
	struct estimate_start *started = mem_alloc((s->started + 1) * sizeof *started);
	struct estimate_row *row;
	size_t n = 0;

	for (size_t i = 0; i < s->jobs; i++)
		if (s->job[i].start_s != TIME_NONE && s->job[i].start_s >= s->since_s)
			started[n++] = s->job[i];
	qsort(started, n, sizeof *started, by_start);
	*count = n < most ? n : most;
	row = mem_alloc((*count + 1) * sizeof *row);
	for (size_t i = 0; i < *count; i++)
		row[i] = row_of(&started[i * n / *count]);
	free(started);
	return row;
}

void estimate_starts_clear(struct estimate_starts *s)
{
	free(s->job);
	*s = (struct estimate_starts){.job = NULL};
}
