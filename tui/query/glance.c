/* SPDX-License-Identifier: MIT */
/*
 * glance.c - what did these entries of the journal do to the queue, and what would undoing one do now?
 */
#include "glance.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "tui/report/history_source.h"

static bool go_on(void *self)
{
	return !work_is_unwanted(&((struct glance *)self)->work);
}

static void run(struct work *self)
{
	struct glance *g = (struct glance *)self;

	if (impacts_read(&(struct history_source){.store = g->store}, g->seq, g->count, g->impact, go_on, g,
			 &g->err) &&
	    g->outlook)
		impact_print_undo(&g->impact[0], g->outlook->live.s, &g->undo);
	g->whole = !work_is_unwanted(self);
}

static void drop(struct work *self)
{
	glance_free((struct glance *)self);
}

static const struct work_ops glance_work = {.run = run, .drop = drop};

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

struct glance *glance_new(struct store *store, struct outlook *o, const uint64_t *seq, size_t count)
{
	struct glance *g = mem_zero(1, sizeof *g);

	g->work.ops = &glance_work;
	g->store = store;
	g->outlook = o;
	if (o)
		o->holders++;
	g->count = count < GLANCE_MAX ? count : GLANCE_MAX;
	memcpy(g->seq, seq, g->count * sizeof *seq);
	qsort(g->seq, g->count, sizeof *g->seq, by_number);
	return g;
}

void glance_free(struct glance *g)
{
	if (!g)
		return;
	outlook_drop(g->outlook);
	for (size_t i = 0; i < g->count; i++)
		impact_clear(&g->impact[i]);
	str_free(&g->undo);
	free(g);
}
