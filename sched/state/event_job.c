/* SPDX-License-Identifier: MIT */
/*
 * event_job.c - which job is an event about, and does the job's state allow it?
 */
#include "event_inside.h"
#include "sched/base/duration.h"

uint32_t event_job_slot(const struct state *st, const struct event *ev, enum job_action action,
			const char *what, struct err *err)
{
	const struct snapshot *s = state_view(st);
	uint32_t slot = state_find(st, ev->job);
	const struct job *job = &snapshot_jobs(s)[slot == INDEX_NONE ? 0 : slot];
	char label[JOB_LABEL_TEXT], since[DURATION_TEXT];

	if (slot == INDEX_NONE)
		err_set(err, "job %llu is not here: it never was, or it has ended",
			(unsigned long long)ev->job);
	else if (job_next((enum job_state)job->state, action) != JOB_STATE_COUNT)
		return slot;
	else if (job->state == JOB_RUNNING)
		err_set(err, "job %s has run for %s; %s acts only on waiting jobs",
			snapshot_job_label(s, job, label), duration_text(since, ev->time_s - job->start_s),
			what);
	else
		err_set(err, "job %s is %s; %s does not apply", snapshot_job_label(s, job, label),
			job_state_name((enum job_state)job->state), what);
	return INDEX_NONE;
}
