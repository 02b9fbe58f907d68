/* SPDX-License-Identifier: MIT */
/*
 * bench_snapshot.c - what does it cost to freeze the state for those who look at it?
 *
 * Fresh: memory is asked for and given back each time, as when each snapshot is shared and
 * has its own last reader. Reused: the copy goes where the one before it was.
 */
#include "sched/core/snapshot.h"
#include "tests/bench/queue_state.h"

#define QUEUED 100000

struct copying {
	const struct snapshot *s;
	void *buffer;
	size_t room;
};

static void copy_fresh(void *self)
{
	struct copying *c = self;

	free(snapshot_copy(c->s));
}

static void copy_reused(void *self)
{
	struct copying *c = self;

	c->buffer = snapshot_copy_into(c->s, c->buffer, &c->room);
}

int main(void)
{
	struct state *st = queue_state(&queue_usual_site, 1000, QUEUED);
	struct copying c = {.s = state_view(st)};

	bench_report("snapshot of 100000 jobs, size", (double)snapshot_copy_size(c.s) / 1e6, "MB", NULL);
	bench_report("snapshot of 100000 jobs, fresh", queue_median_ms(copy_fresh, &c, 25), "ms", "<=10");
	bench_report("snapshot of 100000 jobs, reused", queue_median_ms(copy_reused, &c, 25), "ms", "<=10");
	free(c.buffer);
	state_free(st);
	return EXIT_SUCCESS;
}
