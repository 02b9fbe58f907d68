/* SPDX-License-Identifier: MIT */
/*
 * jobtext.c - what several reports say about one job
 */
#include "jobtext.h"

#include <inttypes.h>

#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/base/str.h"

void jobtext_priority(const struct snapshot *s, uint32_t slot, int64_t now_s, struct prio_result *out)
{
	const struct job *job = &snapshot_jobs(s)[slot];
	double value[PRIO_FACTOR_COUNT];
	struct prio_creds creds;
	struct prio_world world;

	snapshot_job_creds(s, job, &creds);
	snapshot_world(s, now_s, &world);
	prio_measure(job, &creds, &world, value);
	prio_weigh(&s->policy, snapshot_job_weights(s, job), &creds, job, value, out);
}

int64_t jobtext_rank(const struct snapshot *s, uint32_t slot, int64_t now_s)
{
	struct prio_result result;

	jobtext_priority(s, slot, now_s, &result);
	return result.rank;
}

void jobtext_moment(struct str *out, int64_t at_s, int64_t now_s)
{
	char when[MOMENT_TEXT], away[DURATION_TEXT];

	str_add(out, moment_long(when, at_s));
	if (at_s == now_s)
		str_add(out, " (now)");
	else if (at_s > now_s)
		str_addf(out, " (in %s)", duration_text(away, at_s - now_s));
	else
		str_addf(out, " (%s ago)", duration_text(away, now_s - at_s));
}

/* Calls each for every node of a running job with the processors there. */
static void each_node(const struct snapshot *s, const struct job *job,
		      void (*each)(void *self, const char *node, uint32_t procs), void *self)
{
	for (uint32_t at = job->run; at != INDEX_NONE; at = snapshot_runs(s)[at].next) {
		const struct alloc_run *run = &snapshot_runs(s)[at];

		for (uint32_t n = run->node; n < run->node + run->nodes; n++)
			each(self, snapshot_string(s, snapshot_nodes(s)[n].name), run->procs);
	}
}

static void add_node(void *self, const char *node, uint32_t procs)
{
	struct str *out = self;

	str_addf(out, "%s%s*%" PRIu32, out->len > 0 ? " " : "", node, procs);
}

void jobtext_nodes(const struct snapshot *s, const struct job *job, struct str *out)
{
	struct str list = {0};

	each_node(s, job, add_node, &list);
	str_add(out, str_text(&list));
	str_free(&list);
}

static void add_json_node(void *self, const char *node, uint32_t procs)
{
	struct json *j = self;

	json_open(j, NULL, '{');
	json_text(j, "node", node);
	json_int(j, "procs", procs);
	json_close(j);
}

void jobtext_json_nodes(struct json *j, const char *key, const struct snapshot *s, const struct job *job)
{
	json_open(j, key, '[');
	each_node(s, job, add_json_node, j);
	json_close(j);
}
