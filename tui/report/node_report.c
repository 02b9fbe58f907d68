/* SPDX-License-Identifier: MIT */
/*
 * node_report.c - in which state is a node, and what has it done?
 *
 * What is told of it as text and as JSON alike.
 */
#include "node_report.h"

#include "sched/placement/room.h"

const char *node_state(const struct node *node)
{
	if (node->drained)
		return node->jobs == 0 ? "Drained" : "Draining";
	if (node->jobs == 0)
		return "Idle";
	return node_procs_free(node) > 0 && node->held_whole == 0 ? "Running" : "Busy";
}

const char *node_access(const struct node *node)
{
	static const char *const names[] = {
		[ACCESS_UNSET] = NULL,
		[ACCESS_SHARED] = "SHARED",
		[ACCESS_SINGLEUSER] = "SINGLEUSER",
		[ACCESS_SINGLEJOB] = "SINGLEJOB",
		[ACCESS_SINGLETASK] = "SINGLETASK",
	};

	return names[node->access];
}

double node_active_percent(const struct node_report *v, const struct node *node)
{
	int64_t now_s = v->env->now_s, all_s = now_s - v->s->stats_since_s, active_s = node->active_s;

	if (node->active_from_s != TIME_NONE)
		active_s += now_s - node->active_from_s;
	return all_s > 0 ? 100 * (double)active_s / (double)all_s : 0;
}

void node_each_job(const struct node_report *v, uint32_t node,
		   void (*each)(void *self, const struct job *job, uint32_t procs), void *self)
{
	const struct alloc_run *runs = snapshot_runs(v->s);

	for (uint32_t i = 0; i < snapshot_count(v->s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(v->s)[snapshot_running(v->s)[i]];

		for (uint32_t at = job->run; at != INDEX_NONE; at = runs[at].next)
			if (node >= runs[at].node && node < runs[at].node + runs[at].nodes)
				each(self, job, runs[at].procs);
	}
}

double node_priority(const struct node_report *v, uint32_t node)
{
	return room_node_priority(v->room, node, INDEX_NONE);
}
