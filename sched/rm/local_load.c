/* SPDX-License-Identifier: MIT */
/*
 * local_load.c - what do processes outside the queue leave of this host, and when is that news?
 *
 * The scheduler is told how many processors are at work: those that jobs have, which are theirs whether they
 * use them or not, and those that others keep busy. NODEAVAILABILITYPOLICY says what that is to it. While
 * others use none, nothing is told, and the load alone is shown.
 *
 * Graphics processors that they use are given when no other is left: the scheduler counts those by what jobs
 * have alone.
 *
 * It is news when the others' load has changed by more than a processor since it was told, and when
 * jobs have come or gone while others use some: the sum would stay too high or too low until the next look.
 */
#include <math.h>
#include <stdlib.h>

#include "local_inside.h"
#include "sched/base/vec.h"

#define NEWS 1.0 /* processors */

static int64_t *shepherds(const struct local *l)
{
	int64_t *pid = mem_zero(l->job_count + 1, sizeof *pid);

	for (size_t i = 0; i < l->job_count; i++)
		pid[i] = l->job[i].pid;
	return pid;
}

static bool is_news(const struct local_load *load, double now)
{
	return fabs(now - load->told) > NEWS || (load->told >= 0.5 && now < 0.5);
}

void local_look(struct local *l, int64_t now_s)
{
	int64_t *pid = shepherds(l);
	struct foreign foreign;

	if (foreign_look(l->load.watch, pid, l->job_count, &foreign, NULL)) {
		seats_avoid(&l->seats,
			    foreign_devices(l->load.watch, l->seats.device, l->seats.device_count));
		if (is_news(&l->load, foreign.load)) {
			l->load.told = foreign.load;
			l->load.is_news = true;
		}
	}
	l->load.look_s = now_s + l->load.every_s;
	free(pid);
}

void local_jobs_changed(struct local *l)
{
	if (l->load.told >= 0.5)
		l->load.is_news = true;
}

static uint32_t procs_of_jobs(const struct local *l)
{
	uint32_t procs = 0;

	for (size_t i = 0; i < l->job_count; i++)
		procs += l->job[i].procs;
	return procs;
}

void local_tell_load(struct local *l, int64_t now_s, rm_report *report, void *to)
{
	struct event ev = {.kind = EVENT_LOAD, .time_s = now_s, .who = "sched"};
	double others = round(l->load.told);

	if (!l->load.is_news)
		return;
	l->load.is_news = false;
	ev.load.node = l->facts.host;
	ev.load.used = NODE_NOT_MEASURED;
	ev.load.used.load = l->load.told;
	if (others > 0)
		ev.load.used.procs = procs_of_jobs(l) + others;
	report(to, &ev);
}
