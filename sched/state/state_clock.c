/* SPDX-License-Identifier: MIT */
/*
 * state_clock.c - what moves when the system's clock is set
 *
 * Everything that was measured as elapsed time moves with the clock, so that its distance from now stays;
 * what names a moment of the clock stays (event.h). All jobs move by the same amount: their order does not
 * change.
 */
#include "state_inside.h"

/* 0: there is no such moment. */
static void move_if_any(int64_t *at_s, int64_t by_s)
{
	if (*at_s != 0)
		time_move(at_s, by_s);
}

static void move_job(struct job *job, int64_t by_s)
{
	time_move(&job->submit_s, by_s);
	time_move(&job->accrual_s, by_s);
	time_move(&job->start_s, by_s);
	time_move(&job->planned_s, by_s);
	time_move(&job->defer_until_s, by_s);
	move_if_any(&job->suspended_at_s, by_s);
	move_if_any(&job->resume_s, by_s);
	move_if_any(&job->held_since_s, by_s);
}

/* By whole intervals, so that the window of now stays that of now, and ends when the new clock says so. */
static void move_windows(struct snapshot *s, int64_t now_s, int64_t by_s)
{
	int64_t length_s = s->policy.fs_interval_s;
	int64_t windows_s = fs_window_begin(now_s, length_s) - fs_window_begin(now_s - by_s, length_s);

	for (uint32_t i = 0; i < FS_DEPTH_MAX; i++)
		if (s->fs_window[i].length_s > 0)
			time_move(&s->fs_window[i].begin_s, windows_s);
}

void state_set_clock(struct state *st, int64_t now_s, int64_t by_s)
{
	for (uint32_t slot = 0; slot < snapshot_count(st->s, TABLE_JOBS); slot++)
		if (snapshot_jobs(st->s)[slot].state != JOB_NONE)
			move_job(state_job(st, slot), by_s);
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_NODES); i++)
		time_move(&((struct node *)state_item(st, TABLE_NODES, i))->active_from_s, by_s);
	time_move(&st->s->stats_since_s, by_s);
	move_windows(st->s, now_s, by_s);
}
