/* SPDX-License-Identifier: MIT */
/*
 * rerun_moves.c - which jobs start at another moment?
 */
#include "rerun_moves.h"

#include "sched/base/vec.h"

static void note_both(struct rerun_moves *out, const struct rerun_move *move)
{
	int64_t later_s = move->after_s - move->before_s;

	if (later_s > 0)
		out->later++;
	else
		out->earlier++;
	if (later_s > out->most_later_s)
		out->most_later_s = later_s;
	if (-later_s > out->most_earlier_s)
		out->most_earlier_s = -later_s;
}

static void note(struct rerun_moves *out, const struct rerun_move *move)
{
	out->item = vec_room(out->item, &out->room, out->count + 1, sizeof *out->item);
	out->item[out->count++] = *move;
	if (move->after_s == TIME_NONE)
		out->only_before++;
	else if (move->before_s == TIME_NONE)
		out->only_after++;
	else
		note_both(out, move);
}

void rerun_find_moves(struct rerun_moves *out, const struct rerun *before, const struct rerun *after)
{
	*out = (struct rerun_moves){.item = out->item, .room = out->room};
	for (size_t i = 0; i < rerun_of(before)->jobs; i++) {
		const struct rerun_fate *was = &rerun_fates(before)[i], *is = &rerun_fates(after)[i];
		struct rerun_move move = {
			.job = (uint32_t)i, .before_s = was->start_s, .after_s = is->start_s};

		if (was->submit_s != TIME_NONE && is->submit_s != TIME_NONE && move.before_s != move.after_s)
			note(out, &move);
	}
}
