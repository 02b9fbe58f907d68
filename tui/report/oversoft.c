/* SPDX-License-Identifier: MIT */
/*
 * oversoft.c - which running jobs are over a soft limit?
 */
#include "oversoft.h"

#include <stdlib.h>

#include "sched/base/vec.h"

struct started {
	int64_t start_s;
	uint64_t id;
	uint32_t slot;
};

static int by_start(const void *a, const void *b)
{
	const struct started *x = a, *y = b;

	if (x->start_s != y->start_s)
		return x->start_s < y->start_s ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

static struct started *list_started(const struct snapshot *s)
{
	uint32_t count = snapshot_count(s, TABLE_RUNNING);
	struct started *list = mem_zero((size_t)count + 1, sizeof *list);

	for (uint32_t i = 0; i < count; i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[i]];

		list[i] = (struct started){job->start_s, job->id, snapshot_running(s)[i]};
	}
	qsort(list, count, sizeof *list, by_start);
	return list;
}

bool *oversoft_find(const struct snapshot *s, int64_t now_s)
{
	bool *over = mem_zero((size_t)snapshot_count(s, TABLE_JOBS) + 1, sizeof *over);
	struct throttle *t = throttle_new();
	struct throttle_world world;
	struct limit_finding found;
	struct started *list;

	snapshot_throttle_world(s, now_s, &world);
	world.running_count = 0; /* they are counted one by one */
	throttle_begin(t, &world);
	if (throttle_any(t)) {
		list = list_started(s);
		for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
			over[list[i].slot] =
				!throttle_active(t, &snapshot_jobs(s)[list[i].slot], LEVEL_SOFT, &found);
			throttle_count_start(t, list[i].slot);
		}
		free(list);
	}
	throttle_free(t);
	return over;
}
