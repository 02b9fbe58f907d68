/* SPDX-License-Identifier: MIT */
/*
 * unblock_job.c - what could be changed of the job itself?
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "policy.h"
#include "unblock_inside.h"

#define NUMBER_TEXT 32

static bool fails(const struct search *s, enum gate gate)
{
	return s->why.check[gate].known && !s->why.check[gate].ok;
}

static void keep_if_it_does(struct search *s, struct event ev)
{
	if (search_try(s, &ev) != TIME_NEVER)
		search_keep(s, &ev);
}

/* --- what holds it back by name ------------------------------------------------------------------- */

static void try_release(struct search *s)
{
	struct event ev = search_event(s, EVENT_HOLD);

	ev.hold.bits = s->job->holds;
	if (fails(s, GATE_HOLD))
		keep_if_it_does(s, ev);
}

static void try_no_defer(struct search *s)
{
	struct event ev = search_event(s, EVENT_DEFER);

	ev.defer.until_s = TIME_NONE;
	if (fails(s, GATE_DEFER))
		keep_if_it_does(s, ev);
}

static void try_no_date(struct search *s)
{
	if (fails(s, GATE_START_DATE))
		keep_if_it_does(s, search_modify(s, "starttime", "none"));
}

static void try_resume(struct search *s)
{
	struct event ev = search_event(s, EVENT_HALT);

	ev.job = 0;
	if (fails(s, GATE_HALT))
		keep_if_it_does(s, ev);
}

/* --- what it asks for ------------------------------------------------------------------------------- */

static struct event with_limit(struct search *s, int64_t seconds)
{
	char text[NUMBER_TEXT];

	snprintf(text, sizeof text, "%" PRId64, seconds);
	return search_modify(s, "walltime", text);
}

static struct event with_memory(struct search *s, int64_t mem_mb)
{
	char text[NUMBER_TEXT];

	snprintf(text, sizeof text, "%" PRId64, mem_mb);
	return search_modify(s, "mem", text);
}

/* Less than a minute is no job. */
#define LEAST_WALL_S 60

static void try_less(struct search *s)
{
	if (s->job->wall_limit_s > LEAST_WALL_S)
		search_number(s, with_limit, s->job->wall_limit_s, LEAST_WALL_S);
	if (s->job->mem_mb > 1)
		search_number(s, with_memory, s->job->mem_mb, 1);
	if (s->job->features != 0)
		keep_if_it_does(s, search_modify(s, "features", ""));
	if (s->job->hosts != 0)
		keep_if_it_does(s, search_modify(s, "hosts", ""));
	if (s->job->nodes > 0)
		keep_if_it_does(s, search_modify(s, "nodes", "0"));
	if (s->job->tasks_per_node > 1)
		keep_if_it_does(s, search_modify(s, "tpn", "0"));
}

/* --- its place in the queue --------------------------------------------------------------------------- */

static struct event with_points(struct search *s, int64_t points)
{
	struct event ev = search_event(s, EVENT_PRIORITY);

	ev.priority.adjust = JOB_ADJUST_RELATIVE;
	ev.priority.points = points;
	return ev;
}

/* The largest that an operator's relative priority may be. */
#define POINTS_MAX INT64_C(1000000000)

static void try_priority(struct search *s)
{
	if (s->job->adjust != JOB_ADJUST_ABSOLUTE)
		search_number(s, with_points, s->job->adjust == JOB_ADJUST_RELATIVE ? s->job->points : 0,
			      POINTS_MAX);
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
			keep_if_it_does(s, search_modify(s, "qos", name));
	}
}

void search_job(struct search *s)
{
	try_release(s);
	try_no_defer(s);
	try_no_date(s);
	try_resume(s);
	try_less(s);
	try_priority(s);
	try_qos(s);
}
