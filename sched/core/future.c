/* SPDX-License-Identifier: MIT */
/*
 * future.c - what lies ahead of one queue?
 */
#include "future.h"

#include <stdlib.h>

bool future_build(struct future *f, const struct snapshot *s, const struct future_setup *setup)
{
	struct project_setup ahead = {
		.from_s = setup->now_s, .until_s = TIME_NEVER, .go_on = setup->go_on, .self = setup->self};
	bool finished = true;

	plan_build(&f->plan, s, setup->now_s);
	f->side = (struct whatif_side){.s = s, .plan = &f->plan, .start_s = f->plan.start_s};
	if (setup->full) {
		ahead.run_share = assume_shares(&f->assumed, s, setup->accuracy, setup->assume);
		finished = project_run(&f->projection, s, &ahead);
		f->side.start_s = f->projection.start_s;
	}
	return finished;
}

void future_clear(struct future *f)
{
	plan_clear(&f->plan);
	project_clear(&f->projection);
	free(f->assumed.share);
	*f = (struct future){.side = {.s = NULL}};
}
