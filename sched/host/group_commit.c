/* SPDX-License-Identifier: MIT */
/*
 * group_commit.c - group commit of steps
 */
#include "group_commit.h"

#include <stdlib.h>

#include "event_copy.h"
#include "sched/base/vec.h"

static bool group_commit_load(void *self, struct state *st, struct err *err)
{
	struct group_commit *b = self;

	return b->inner.ops->load(b->inner.self, st, err);
}

static void hold(struct group_commit *b, const struct ledger_step *step)
{
	b->event = vec_room(b->event, &b->event_cap, b->event_count + step->event_count, sizeof *b->event);
	for (size_t i = 0; i < step->event_count; i++)
		b->event[b->event_count++] = event_copy(&b->arena, &step->event[i]);
	b->ended = vec_room(b->ended, &b->ended_cap, b->ended_count + step->ended_count, sizeof *b->ended);
	for (size_t i = 0; i < step->ended_count; i++) {
		struct ended_job *kept = &b->ended[b->ended_count++];

		*kept = step->ended[i];
		kept->record = job_record_copy(&b->arena, &step->ended[i].record);
		kept->why = arena_string(&b->arena, step->ended[i].why);
	}
}

static bool group_commit_step(void *self, const struct ledger_step *step, struct err *err)
{
	struct group_commit *b = self;

	if (!b->holding)
		return b->inner.ops->commit(b->inner.self, step, err);
	hold(b, step);
	return true;
}

/*
 * Only the inner ledger is asked. The collected steps contain no answers, because the socket is opened only
 * after the group is committed.
 */
static bool group_commit_recall(void *self, const struct cookie *cookie, bool *known, struct str *out,
				struct err *err)
{
	struct group_commit *b = self;

	*known = false;
	return b->inner.ops->recall == NULL || b->inner.ops->recall(b->inner.self, cookie, known, out, err);
}

static bool group_commit_launch(void *self, uint64_t job, struct str *out, struct err *err)
{
	struct group_commit *b = self;

	return b->inner.ops->launch(b->inner.self, job, out, err);
}

static bool group_commit_has_room(void *self, struct err *err)
{
	struct group_commit *b = self;

	return b->inner.ops->has_room == NULL || b->inner.ops->has_room(b->inner.self, err);
}

static const struct ledger_ops group_commit_ops = {
	.load = group_commit_load,
	.commit = group_commit_step,
	.launch = group_commit_launch,
	.recall = group_commit_recall,
	.has_room = group_commit_has_room,
};

struct ledger group_commit_begin(struct group_commit *b, struct ledger inner)
{
	*b = (struct group_commit){.inner = inner, .holding = true};
	return (struct ledger){&group_commit_ops, b};
}

void group_commit_drop(struct group_commit *b)
{
	free(b->event);
	free(b->ended);
	arena_free(&b->arena);
	*b = (struct group_commit){.inner = b->inner};
}

bool group_commit_end(struct group_commit *b, const struct snapshot *after, struct err *err)
{
	struct ledger_step all = {
		.event = b->event,
		.event_count = b->event_count,
		.ended = b->ended,
		.ended_count = b->ended_count,
		.after = after,
	};
	bool ok = b->event_count == 0 || b->inner.ops->commit(b->inner.self, &all, err);

	group_commit_drop(b);
	return ok;
}
