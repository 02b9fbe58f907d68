/* SPDX-License-Identifier: MIT */
/*
 * rerun_fate.c - what becomes of each job of the record?
 *
 * A job that starts when it did on record is the journal's: its entry of the end ends it. Any other stands in
 * a queue of ends, as long after its start as it really ran.
 */
#include "rerun_inside.h"
#include "sched/base/vec.h"

size_t rerun_place(const struct rerun *r, uint64_t id)
{
	const struct rerun_job *job = rerun_record_find(r->record, id);

	return job == NULL ? r->record->jobs : (size_t)(job - r->record->job);
}

const struct job *rerun_job_here(const struct rerun *r, uint64_t id)
{
	uint32_t slot = state_find(r->st, id);

	return slot == INDEX_NONE ? NULL : &snapshot_jobs(state_view(r->st))[slot];
}

static void note_facts(struct rerun *r, size_t place, const struct job *job)
{
	struct rerun_fate *fate = &r->fate[place];

	fate->wall_limit_s = job->wall_limit_s;
	fate->procs = job_procs(job);
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		fate->cred[type] = job->cred[type];
}

static void note_waiting(struct rerun *r, uint64_t id)
{
	size_t place = rerun_place(r, id);
	const struct job *job = rerun_job_here(r, id);

	if (place == r->record->jobs || job == NULL)
		return;
	r->fate[place].submit_s = job->submit_s;
	note_facts(r, place, job);
	if (job->label != 0)
		r->label[place] = arena_string(&r->arena, snapshot_string(state_view(r->st), job->label));
}

/* Did the job start just then on record? */
static bool started_then(const struct rerun *r, const struct rerun_job *job, int64_t at_s)
{
	for (uint32_t i = job->stint; i != INDEX_NONE; i = r->record->stint[i].next)
		if (r->record->stint[i].start_s == at_s)
			return true;
	return false;
}

static void queue_end(struct rerun *r, size_t place, int64_t at_s)
{
	const struct rerun_job *job = &r->record->job[place];

	r->end_s[place] = at_s;
	ends_add(&r->ends,
		 &(struct ending){
			 .end_s = at_s, .job = job->id, .status = job->status, .at_limit = job->at_limit});
}

/* How long it runs who knows, else to its limit. */
static void note_start(struct rerun *r, const struct event *ev)
{
	size_t place = rerun_place(r, ev->job);
	const struct job *job = rerun_job_here(r, ev->job);
	struct rerun_fate *fate;
	int64_t run_s;

	if (place == r->record->jobs)
		return;
	fate = &r->fate[place];
	run_s = r->record->job[place].run_s;
	note_facts(r, place, job);
	fate->end_s = TIME_NONE;
	if (fate->start_s == TIME_NONE) {
		fate->start_s = ev->time_s;
		fate->rank = r->started++;
		fate->backfilled = ev->start.backfilled;
	}
	r->end_s[place] = TIME_NONE;
	if (!started_then(r, &r->record->job[place], ev->time_s))
		queue_end(r, place, ev->time_s + (run_s >= 0 ? run_s : job->wall_limit_s));
}

/* It may wait again: then this was not the end. */
static void note_end(struct rerun *r, const struct event *ev)
{
	size_t place = rerun_place(r, ev->job);

	if (place == r->record->jobs)
		return;
	r->end_s[place] = TIME_NONE;
	if (rerun_job_here(r, ev->job) == NULL)
		r->fate[place].end_s = ev->time_s;
}

/* A running job that is asked to end takes as long for it as it did. */
static void note_asked(struct rerun *r, const struct event *ev)
{
	size_t place = rerun_place(r, ev->job);
	const struct job *job = rerun_job_here(r, ev->job);
	int64_t end_s;

	if (place == r->record->jobs || job == NULL || job->state != JOB_RUNNING ||
	    r->end_s[place] == TIME_NONE)
		return;
	end_s = ev->time_s + r->record->job[place].grace_s;
	if (end_s < r->end_s[place])
		queue_end(r, place, end_s);
}

void rerun_note(struct rerun *r, const struct event *ev)
{
	switch (ev->kind) {
	case EVENT_SUBMIT:
		for (uint32_t i = 0; i < job_record_tasks(&ev->submit); i++)
			note_waiting(r, ev->job + i);
		break;
	case EVENT_START:
		note_start(r, ev);
		break;
	case EVENT_END:
		note_end(r, ev);
		break;
	case EVENT_CANCEL:
	case EVENT_REQUEUE:
		note_asked(r, ev);
		break;
	default:
		break;
	}
}

void rerun_make_fates(struct rerun *r)
{
	size_t count = r->record->jobs;
	const struct snapshot *s = state_view(r->st);

	r->fate = mem_zero(count + 1, sizeof *r->fate);
	r->end_s = mem_alloc((count + 1) * sizeof *r->end_s);
	r->label = mem_zero(count + 1, sizeof *r->label);
	for (size_t i = 0; i < count; i++) {
		r->fate[i].submit_s = r->fate[i].start_s = r->fate[i].end_s = TIME_NONE;
		r->end_s[i] = TIME_NONE;
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++)
		note_waiting(r, snapshot_jobs(s)[snapshot_waiting(s)[i].slot].id);
}
