/* SPDX-License-Identifier: MIT */
/*
 * job.c - state transitions, queue time and sizes of jobs
 *
 * The table lists all transitions; a transition that it does not list is not allowed. Holds and a priority
 * set by an operator apply only to idle jobs and do not change their state.
 */
#include "job.h"

#include <math.h>
#include <stdio.h>

/* The state after an action; 0 (JOB_NONE) = not allowed, as no action leads to an empty slot. */
static const uint8_t next_state[JOB_STATE_COUNT][JOB_ACTION_COUNT] = {
	[JOB_NONE] = {[JOB_SUBMIT] = JOB_IDLE},
	[JOB_IDLE] = {[JOB_START] = JOB_RUNNING,
		      [JOB_HOLD] = JOB_IDLE,
		      [JOB_REWEIGH] = JOB_IDLE,
		      [JOB_MODIFY] = JOB_IDLE,
		      [JOB_CANCEL] = JOB_COMPLETED},
	[JOB_RUNNING] = {[JOB_END] = JOB_COMPLETED,
			 [JOB_CANCEL] = JOB_RUNNING,
			 [JOB_SUSPEND] = JOB_RUNNING,
			 [JOB_REQUEUE] = JOB_RUNNING,
			 [JOB_SIGNAL] = JOB_RUNNING},
};

enum job_state job_next(enum job_state state, enum job_action action)
{
	enum job_state next = next_state[state][action];

	return next == JOB_NONE ? JOB_STATE_COUNT : next;
}

const char *job_state_name(enum job_state state)
{
	static const char *const names[JOB_STATE_COUNT] = {
		[JOB_NONE] = "None",
		[JOB_IDLE] = "Idle",
		[JOB_RUNNING] = "Running",
		[JOB_COMPLETED] = "Completed",
	};

	return names[state];
}

const char *job_hold_names(unsigned holds)
{
	static const char *const names[JOB_HOLD_ALL + 1] = {
		"none",  "user",       "system",       "user+system",
		"batch", "user+batch", "system+batch", "user+system+batch",
	};

	return names[holds & JOB_HOLD_ALL];
}

static double total_of(const struct job *job, int64_t per_task)
{
	return (double)per_task * job->tasks;
}

/*
 * Converts a requested amount of a resource to processors, in proportion to the machine's totals of both; 0
 * if the machine has none of the resource.
 */
static double as_procs(double asked, int64_t configured, int64_t procs)
{
	return configured > 0 ? asked * (double)procs / (double)configured : 0;
}

double job_pe(const struct job *job, const struct machine *machine)
{
	double pe = (double)job_procs(job);

	pe = fmax(pe, as_procs(total_of(job, job->mem_mb), machine->mem_mb, machine->procs));
	pe = fmax(pe, as_procs(total_of(job, job->swap_mb), machine->swap_mb, machine->procs));
	return fmax(pe, as_procs(total_of(job, job->disk_mb), machine->disk_mb, machine->procs));
}

static bool asks_for_gres(const struct job *job)
{
	for (int i = 0; i < GRES_MAX; i++)
		if (job->gres[i] > 0)
			return true;
	return false;
}

bool job_is_particular(const struct job *job, const struct machine *machine)
{
	return job->task_procs > 1 || job->nodes > 0 || job->tasks_per_node > 1 || job->features != 0 ||
	       job->hosts != 0 || job->access > ACCESS_SHARED || asks_for_gres(job) ||
	       job_requires_unknown(job) || job->allocation == ALLOCATE_CONTIGUOUS + 1 ||
	       (job->mem_mb > 0 && machine->mem_mb > 0) || (job->swap_mb > 0 && machine->swap_mb > 0) ||
	       (job->disk_mb > 0 && machine->disk_mb > 0);
}

const char *job_depend_on(const struct depend *depend, char buf[static DEPEND_ON_TEXT])
{
	unsigned long long on = depend->on;

	if (depend->of == DEPEND_ON_ARRAY)
		snprintf(buf, DEPEND_ON_TEXT, "%llu[]", on);
	else if (depend->of == DEPEND_ON_TASK)
		snprintf(buf, DEPEND_ON_TEXT, "%llu[%u]", on, depend->number);
	else
		snprintf(buf, DEPEND_ON_TEXT, "%llu", on);
	return buf;
}

int64_t job_retry_delay_s(const struct job *job)
{
	int64_t delay_s = JOB_RETRY_FIRST_S;

	for (unsigned i = 0; i < job->retries && delay_s < JOB_RETRY_MOST_S; i++)
		delay_s *= 2;
	return delay_s < JOB_RETRY_MOST_S ? delay_s : JOB_RETRY_MOST_S;
}
