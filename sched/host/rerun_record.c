/* SPDX-License-Identifier: MIT */
/*
 * rerun_record.c - for how long did each job really run, and in which order did jobs start?
 *
 * Ids are given in ascending order, so jobs are sorted by id nearly as they come; jobs that were submitted to
 * the replay of a log have larger ids than those of the log that come later. A job that waits again after it
 * was requeued or could not be started has several stints; how long it really takes is what the last one
 * took, where it came to its own end.
 */
#include <stdlib.h>
#include <string.h>

#include "rerun.h"
#include "sched/base/vec.h"

bool rerun_is_decision(const struct event *ev)
{
	switch (ev->kind) {
	case EVENT_START:
	case EVENT_UNDO: /* what was made for a while is taken back before a pass ... */
	case EVENT_KEEP: /* ... or stays, where it cannot be                        */
	case EVENT_HALT: /* a pass is counted of those after which nothing starts   */
		return ev->who != NULL && strcmp(ev->who, "sched") == 0;
	case EVENT_CANCEL: /* a dependency can no longer be met */
		return ev->cancel.depends;
	case EVENT_SUSPEND: /* a suspended job has its processors again */
		return (ev->suspend.how & SUSPEND_RESUMED) != 0;
	case EVENT_PLAN:
	case EVENT_ACCRUAL:
	case EVENT_BYPASS:
	case EVENT_PASS:
	case EVENT_ELIGIBLE:
		return true;
	default:
		return false;
	}
}

bool rerun_can_be_without(const struct event *ev)
{
	return !rerun_is_decision(ev) && ev->kind != EVENT_END && ev->kind != EVENT_SIM;
}

/* --- jobs ---------------------------------------------------------------------------------------- */

static struct rerun_job *add_job(struct rerun_record *record, uint64_t id)
{
	record->job = vec_room(record->job, &record->job_room, record->jobs + 1, sizeof *record->job);
	record->job[record->jobs] = (struct rerun_job){.id = id,
						       .start_s = TIME_NONE,
						       .stint = INDEX_NONE,
						       .last = INDEX_NONE,
						       .run_s = -1,
						       .asked_s = TIME_NONE};
	return &record->job[record->jobs++];
}

static int by_id(const void *left, const void *right)
{
	const struct rerun_job *a = left, *b = right;

	return a->id < b->id ? -1 : a->id > b->id;
}

const struct rerun_job *rerun_record_find(const struct rerun_record *record, uint64_t id)
{
	struct rerun_job key = {.id = id};

	return record->jobs == 0 ? NULL
				 : bsearch(&key, record->job, record->jobs, sizeof *record->job, by_id);
}

static struct rerun_job *find(struct rerun_record *record, uint64_t id)
{
	const struct rerun_job *job = rerun_record_find(record, id);

	return job == NULL ? NULL : &record->job[job - record->job];
}

static void begin_stint(struct rerun_record *record, struct rerun_job *job, int64_t start_s)
{
	uint32_t at = (uint32_t)record->stints++;

	record->stint = vec_room(record->stint, &record->stint_room, record->stints, sizeof *record->stint);
	record->stint[at] = (struct rerun_stint){.start_s = start_s, .end_s = TIME_NEVER, .next = INDEX_NONE};
	if (job->stint == INDEX_NONE)
		job->stint = at;
	else
		record->stint[job->last].next = at;
	job->last = at;
}

/* The time it is running, NULL when it does not. */
static struct rerun_stint *running(struct rerun_record *record, const struct rerun_job *job)
{
	struct rerun_stint *stint = job->last == INDEX_NONE ? NULL : &record->stint[job->last];

	return stint != NULL && stint->end_s == TIME_NEVER ? stint : NULL;
}

/* --- entries --------------------------------------------------------------------------------------- */

static void take_start(struct rerun_record *record, struct rerun_job *job, const struct event *ev)
{
	begin_stint(record, job, ev->time_s);
	job->run_s = -1;
	job->asked_s = TIME_NONE;
	if (job->start_s != TIME_NONE)
		return;
	job->start_s = ev->time_s;
	job->rank = record->started++;
}

/* One that was asked to end would have run for longer. */
static void take_end(struct rerun_job *job, struct rerun_stint *stint, const struct event *ev)
{
	stint->end_s = ev->time_s;
	job->status = ev->end.status;
	job->at_limit = ev->end.at_limit;
	if (job->asked_s == TIME_NONE)
		job->run_s = ev->time_s - stint->start_s;
	else
		job->grace_s = ev->time_s - job->asked_s;
}

static void take_of_job(struct rerun_record *record, struct rerun_job *job, const struct event *ev)
{
	struct rerun_stint *stint = running(record, job);

	if (ev->kind == EVENT_START) {
		take_start(record, job, ev);
	} else if (ev->kind == EVENT_CANCEL && stint == NULL) {
		job->gone = true;
	} else if (stint == NULL) {
		return;
	} else if (ev->kind == EVENT_CANCEL || ev->kind == EVENT_REQUEUE) {
		job->asked_s = ev->time_s;
		job->taken_away = ev->kind == EVENT_CANCEL;
	} else if (ev->kind == EVENT_END) {
		take_end(job, stint, ev);
	} else if (ev->kind == EVENT_DEFER && ev->defer.failed_start) {
		stint->end_s = ev->time_s;
	}
}

void rerun_record_begin(struct rerun_record *record, const struct snapshot *from, int64_t from_s,
			int64_t until_s)
{
	*record = (struct rerun_record){.from_s = from_s, .until_s = until_s, .first_seq = from->seq};
	for (uint32_t i = 0; i < snapshot_count(from, TABLE_JOBS); i++) {
		const struct job *job = &snapshot_jobs(from)[i];
		struct rerun_job *added;

		if (job->state == JOB_NONE)
			continue;
		added = add_job(record, job->id);
		if (job->state != JOB_RUNNING)
			continue;
		added->ran_before = true;
		begin_stint(record, added, job->start_s);
		if ((job->flags & JOB_CANCELLED) != 0 || (job->real & JOB_REAL_AGAIN) != 0)
			added->asked_s = from_s;
	}
	if (record->jobs > 1)
		qsort(record->job, record->jobs, sizeof *record->job, by_id);
}

bool rerun_record_take(struct rerun_record *record, const struct event *ev)
{
	struct rerun_job *job;

	if (ev->time_s > record->until_s)
		return false;
	record->entries++;
	record->last_s = ev->time_s;
	if (ev->kind == EVENT_CLOCK)
		record->clock = ev->seq;
	if (ev->kind == EVENT_SUBMIT) {
		for (uint32_t i = 0; i < job_record_tasks(&ev->submit); i++) {
			(void)add_job(record, ev->job + i);
			vec_sort_last(record->job, record->jobs, sizeof *record->job, by_id);
		}
		return true;
	}
	job = ev->job == 0 ? NULL : find(record, ev->job);
	if (job != NULL)
		take_of_job(record, job, ev);
	return true;
}

void rerun_record_finish(struct rerun_record *record)
{
	for (size_t i = 0; i < record->jobs; i++) {
		const struct rerun_job *job = &record->job[i];

		record->taken_away += job->taken_away;
		record->no_end += job->run_s < 0 && !job->taken_away && !job->gone;
	}
}

void rerun_record_clear(struct rerun_record *record)
{
	free(record->job);
	free(record->stint);
	*record = (struct rerun_record){.job = NULL};
}
