/* SPDX-License-Identifier: MIT */
/*
 * unblock_job.c - what could be changed of the job itself?
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sched/model/array.h"
#include "sched/model/policy.h"
#include "sched/state/state.h"
#include "unblock_inside.h"

#define NUMBER_TEXT 32

/* --- what holds it back by name ------------------------------------------------------------------- */

static void try_release(struct search *s)
{
	struct event ev = search_event(s, EVENT_HOLD);

	ev.hold.bits = s->job->holds;
	if (search_fails(s, GATE_HOLD))
		search_keep_if_it_does(s, ev);
}

static void try_no_defer(struct search *s)
{
	struct event ev = search_event(s, EVENT_DEFER);

	ev.defer.until_s = TIME_NONE;
	if (search_fails(s, GATE_DEFER))
		search_keep_if_it_does(s, ev);
}

static void try_no_date(struct search *s)
{
	if (search_fails(s, GATE_START_DATE))
		search_keep_if_it_does(s, search_modify(s, "starttime", "none"));
}

static void try_resume(struct search *s)
{
	struct event ev = search_event(s, EVENT_HALT);

	ev.job = 0;
	if (search_fails(s, GATE_HALT))
		search_keep_if_it_does(s, ev);
}

static void try_no_depend(struct search *s)
{
	if (search_fails(s, GATE_DEPENDENCY))
		search_keep_if_it_does(s, search_modify(s, JOB_DEPEND_ATTRIBUTE, ""));
}

/* --- what it asks for ------------------------------------------------------------------------------- */

static struct event with_amount(struct search *s, int64_t amount)
{
	char text[NUMBER_TEXT];

	snprintf(text, sizeof text, "%" PRId64, amount);
	return search_modify(s, s->attribute, text);
}

/* Down to the least that makes sense. With less than is needed others may be better off still. */
static void try_less_of(struct search *s, const char *attribute, int64_t from, int64_t to)
{
	int64_t number;

	s->attribute = attribute;
	if (from > to && search_number(s, with_amount, from, to, &number))
		search_cheaper(s, with_amount, number, to);
}

/* Less than a minute is no job, its class may want more, and at its limit the job is killed: no shorter one
 * is suggested than jobs of its user usually take. */
#define LEAST_WALL_S 60

static int64_t least_wall_s(const struct search *s)
{
	uint32_t class = s->job->cred[CRED_CLASS];
	int64_t least_s = class == INDEX_NONE ? 0 : snapshot_creds(s->s)[class].attr.min_wall_s;
	int64_t usual_s = (int64_t)ceil(
		assume_usual_share(s->setup->accuracy, snapshot_job_cred(s->s, s->job, CRED_USER)) *
		(double)s->job->wall_limit_s);

	if (usual_s > least_s)
		least_s = usual_s;
	return least_s > LEAST_WALL_S ? least_s : LEAST_WALL_S;
}

static void try_less(struct search *s)
{
	const struct job *job = s->job;

	try_less_of(s, "walltime", job->wall_limit_s, least_wall_s(s));
	try_less_of(s, "mem", job->mem_mb, 1);
	try_less_of(s, "swap", job->swap_mb, 0);
	try_less_of(s, "disk", job->disk_mb, 0);
	if (job->nodes > 0)
		search_keep_if_it_does(s, search_modify(s, "nodes", "0"));
	if (job->tasks_per_node > 1)
		search_keep_if_it_does(s, search_modify(s, "tpn", "0"));
}

static bool wants_gres(const struct job *job)
{
	for (size_t i = 0; i < GRES_MAX; i++)
		if (job->gres[i] > 0)
			return true;
	return job->unknown[UNKNOWN_GRES] != 0;
}

/* Anywhere, beside anybody. */
static void try_elsewhere(struct search *s)
{
	if (s->job->features != 0 || s->job->unknown[UNKNOWN_FEATURES] != 0)
		search_keep_if_it_does(s, search_modify(s, "features", ""));
	if (s->job->hosts != 0)
		search_keep_if_it_does(s, search_modify(s, "hosts", ""));
	if (wants_gres(s->job))
		search_keep_if_it_does(s, search_modify(s, "gres", ""));
	if (s->job->access > ACCESS_SHARED)
		search_keep_if_it_does(s, search_modify(s, "access", "shared"));
	for (uint32_t i = 0; i < snapshot_count(s->s, TABLE_PARTITIONS); i++)
		if (i != s->job->partition)
			search_keep_if_it_does(
				s, search_modify(s, "partition",
						 snapshot_string(s->s, snapshot_partitions(s->s)[i].name)));
}

/* More tasks of its array at a time: as many as it has, at most. */
static void try_array(struct search *s)
{
	uint32_t limit = s->job->array_limit;
	int64_t number;

	s->attribute = "throttle";
	if (limit > 0)
		search_number(s, with_amount, limit, ARRAY_TASKS_MAX, &number);
}

/* --- its place in the queue --------------------------------------------------------------------------- */

static struct event with_points(struct search *s, int64_t points)
{
	struct event ev = search_event(s, EVENT_PRIORITY);

	ev.priority.adjust = s->adjust;
	ev.priority.points = points;
	return ev;
}

/* The largest that an operator's priority may be. */
#define POINTS_MAX INT64_C(1000000000)

/* Points on top of its own; where these are not enough, or it has a place above all others already, in that
 * row. */
static void try_priority(struct search *s)
{
	bool above = s->job->adjust == JOB_ADJUST_ABSOLUTE;
	int64_t own = s->job->adjust == JOB_ADJUST_RELATIVE ? s->job->points : 0, number;

	s->adjust = JOB_ADJUST_RELATIVE;
	if (!above && search_number(s, with_points, own, POINTS_MAX, &number))
		return;
	s->adjust = JOB_ADJUST_ABSOLUTE;
	search_number(s, with_points, above ? s->job->points : -1, POINTS_MAX, &number);
}

/* DEFAULT stands for others, "none" for those who have none. */
static bool is_somebody(const char *name)
{
	return strcmp(name, CRED_DEFAULT) != 0 && strcmp(name, CRED_NONE) != 0;
}

static void try_qos(struct search *s)
{
	const struct cred *cred = snapshot_creds(s->s);

	for (uint32_t i = 0; i < snapshot_count(s->s, TABLE_CREDS); i++) {
		const char *name = snapshot_string(s->s, cred[i].name);

		if (cred[i].type == CRED_QOS && i != s->job->cred[CRED_QOS] && is_somebody(name))
			search_keep_if_it_does(s, search_modify(s, "qos", name));
	}
}

void search_job(struct search *s)
{
	try_release(s);
	try_no_defer(s);
	try_no_date(s);
	try_resume(s);
	try_no_depend(s);
	try_array(s);
	try_less(s);
	try_elsewhere(s);
	try_priority(s);
	try_qos(s);
}
