/* SPDX-License-Identifier: MIT */
/*
 * unblock_place.c - how many more points would change nothing?
 *
 * Points matter by the order alone, and by a priority below 0. So more of them that leave the job behind the
 * next one in every pass, and below 0 where it was, give the same passes. A rank is a sum cut to a whole
 * number: it may grow by one more than the points.
 */
#include "unblock_inside.h"

static void keep_below(struct place *p, int64_t rank, int64_t bound)
{
	int64_t room = bound - rank - 2;

	if (room < p->room)
		p->room = room > 0 ? room : 0;
}

/* One that has no place of its own: its priority may be why. */
static void look_outside(struct place *p, const struct snapshot *s, const struct queue *queue)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++)
		if (snapshot_waiting(s)[i].slot == p->slot && queue->failed[i] == GATE_NEGATIVE)
			p->room = 0;
}

void place_look(struct place *p, const struct snapshot *s, const struct queue *queue,
		const struct project_ranks *ranks)
{
	const struct queued *ranked = ranks->ranked;
	uint32_t at = 0, ahead;

	while (at < ranks->count && ranked[at].slot != p->slot)
		at++;
	ahead = at < ranks->ordered ? at : ranks->ordered;
	if (!queue)
		p->room = 0;
	else if (at == ranks->count)
		look_outside(p, s, queue);
	else if (ranked[at].rank < 0)
		keep_below(p, ranked[at].rank, 0);
	if (ahead > 0 && at < ranks->count)
		keep_below(p, ranked[at].rank, ranked[ahead - 1].rank);
}
