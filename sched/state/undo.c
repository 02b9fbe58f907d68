/* SPDX-License-Identifier: MIT */
/*
 * undo.c - can an entry of the journal still be undone, and if not, why?
 */
#include "undo.h"

#include "state.h"

static enum undo_bar job_bar(const struct snapshot *s, const struct change *moved, uint32_t slot)
{
	enum job_state state;

	if (moved->job == 0)
		return UNDO_OPEN;
	if (slot == INDEX_NONE)
		return UNDO_UNKNOWN;
	state = (enum job_state)snapshot_jobs(s)[slot].state;
	if (moved->kind == CHANGE_SUSPEND)
		return state == JOB_RUNNING ? UNDO_OPEN : UNDO_STOPPED;
	return state == JOB_IDLE ? UNDO_OPEN : UNDO_STARTED;
}

/* An undo of an undo would make alive again what time has taken back. */
static bool is_over(const struct snapshot *s, const struct change *change, const struct change *moved)
{
	return change->kind == CHANGE_UNDO && moved->dead && moved->until_s != 0 &&
	       moved->until_s <= s->now_s;
}

enum undo_bar undo_bar(const struct snapshot *s, const struct change *change, uint32_t slot)
{
	const struct change *moved = state_change_moved(s, change);

	if (change == NULL || moved == NULL)
		return UNDO_UNKNOWN;
	if (change->dead)
		return UNDO_DONE;
	return is_over(s, change, moved) ? UNDO_OVER : job_bar(s, moved, slot);
}

enum undo_bar undo_bar_of(const struct snapshot *s, uint64_t seq)
{
	const struct change *change = state_find_change(s, seq);
	uint64_t job = change == NULL ? 0 : change->job;

	return undo_bar(s, change, job == 0 ? INDEX_NONE : snapshot_find_job(s, job));
}

const char *undo_bar_text(enum undo_bar bar)
{
	static const char *const text[UNDO_BAR_COUNT] = {
		[UNDO_OPEN] = "",
		[UNDO_UNKNOWN] = "has ended",
		[UNDO_DONE] = "undone",
		[UNDO_STARTED] = "job started",
		[UNDO_STOPPED] = "job stopped",
		[UNDO_OVER] = "time is over",
	};

	return text[bar];
}
