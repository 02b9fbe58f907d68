/* SPDX-License-Identifier: MIT */
/*
 * bench_snapshot.c - the cost of a snapshot of the state
 *
 * Fresh: memory is allocated and freed each time, as if each snapshot had other
 * readers. Reused: each copy overwrites the one before. The budget is 10 ms; the gate is the ratio to the
 * time of a plain copy of as many bytes, with the same use of memory.
 */
#include <string.h>

#include "sched/model/snapshot.h"
#include "tests/bench/queue_state.h"

#define QUEUED 100000

struct copying {
	const struct snapshot *s;
	struct snapshot_buffer buffer;
};

static void copy_fresh(void *self)
{
	struct copying *c = self;

	free(snapshot_copy(c->s));
}

static void copy_reused(void *self)
{
	struct copying *c = self;

	snapshot_copy_into(c->s, NULL, &c->buffer);
}

/* A plain copy of as many bytes. */
struct bytes {
	const void *from;
	void *to; /* NULL: memory is allocated for each copy */
	size_t size;
	unsigned sum; /* uses the copied bytes, so that the copy is not optimized away */
};

static void copy_bytes(void *self)
{
	struct bytes *b = self;
	char *to = b->to ? b->to : malloc(b->size);

	if (!to)
		return;
	memcpy(to, b->from, b->size);
	b->sum += (unsigned char)to[b->size / 2];
	if (!b->to)
		free(to);
}

static void compare(const char *name, const char *ratio_name, double took_ms, struct bytes bytes)
{
	bench_report(name, took_ms, "ms", NULL);
	bench_report(ratio_name, took_ms / queue_best_ms(copy_bytes, &bytes, 25), "times", "<=3");
}

int main(void)
{
	struct state *st = queue_state(&queue_usual_site, 1000, QUEUED);
	struct copying c = {.s = state_view(st)};

	bench_report("snapshot of 100000 jobs, size", (double)snapshot_copy_size(c.s) / 1e6, "MB", NULL);
	compare("snapshot of 100000 jobs, fresh", "  of the time to copy so many bytes, fresh",
		queue_best_ms(copy_fresh, &c, 25),
		(struct bytes){.from = c.s, .size = snapshot_copy_size(c.s)});
	copy_reused(&c);
	compare("snapshot of 100000 jobs, reused", "  of the time to copy so many bytes, reused",
		queue_best_ms(copy_reused, &c, 25),
		(struct bytes){.from = c.s, .to = c.buffer.at, .size = snapshot_copy_size(c.s)});
	free(c.buffer.at);
	state_free(st);
	return EXIT_SUCCESS;
}
