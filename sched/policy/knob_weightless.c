/* SPDX-License-Identifier: MIT */
/*
 * knob_weightless.c - does a number weigh what is 0 for every job, now and later?
 *
 * Most weights of a site are such: points nobody has, targets nobody set, disk nobody asks for. Whatever they
 * are, every rank is what it was. What grows with time is never one of them, nor are shares; nor anything
 * while a setting is to be taken back, which may be the one that makes it 0.
 */
#include "knob.h"
#include "priority.h"

/* Is it 0 for this job as long as nobody does anything? While a job waits no usage counts. */
static bool stays_nothing(const struct snapshot *s, const struct job *job, enum prio_factor f, double value)
{
	switch (policy_factor_info(f)->component) {
	case PRIO_CRED:
	case PRIO_RES:
	case PRIO_TARGET:
		return value == 0;
	case PRIO_FS:
		return s->policy.fs_policy == FS_NONE;
	case PRIO_USAGE:
		return job->state == JOB_IDLE;
	case PRIO_SERV:
	case PRIO_COMPONENT_COUNT:
		break;
	}
	return false;
}

static bool is_nothing(const struct snapshot *s, const struct job *job, enum prio_factor f, int64_t now_s)
{
	double value[PRIO_FACTOR_COUNT];
	struct prio_creds creds = {.qt_weight = 0};
	struct prio_world world;

	snapshot_job_creds(s, job, &creds);
	snapshot_world(s, now_s, &world);
	priority_measure(job, &creds, &world, value);
	return stays_nothing(s, job, f, value[f]);
}

static bool is_nothing_for_all(const struct snapshot *s, enum prio_factor f, int64_t now_s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++)
		if (!is_nothing(s, &snapshot_jobs(s)[snapshot_waiting(s)[i].slot], f, now_s))
			return false;
	return true;
}

/* Whatever changes of itself: settings that are taken back, and jobs that run and wait again. */
static bool is_on_the_move(const struct snapshot *s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++)
		if (snapshot_is_for_a_while(&snapshot_changes(s)[i]))
			return true;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++)
		if (job_is_leaving(&snapshot_jobs(s)[snapshot_running(s)[i]]))
			return true;
	return false;
}

bool knob_is_weightless(const struct knob *k, const struct snapshot *s, int64_t now_s)
{
	struct config_weight weight = config_weight_of(k->value.row);

	/* Where no weight counts at all the queue is not ranked: any weight would have it ranked. */
	return weight.kind == FACTOR_WEIGHT && !s->ranks_equal && !is_on_the_move(s) &&
	       is_nothing_for_all(s, (enum prio_factor)weight.index, now_s);
}
