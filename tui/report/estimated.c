/* SPDX-License-Identifier: MIT */
/*
 * estimated.c - the estimated starts of a report, in text and JSON
 */
#include "estimated.h"

#include "jobtext.h"
#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"

void estimated_list(struct future *f, const struct cmd_env *env, const struct snapshot *s)
{
	future_build(
		f, s,
		&(struct future_setup){
			.now_s = env->now_s, .full = true, .most_work = FUTURE_LIST_WORK, .reasons = true});
}

/* In the console a verb runs between two keys. */
struct future_start estimated_job(struct future *f, const struct cmd_env *env, const struct snapshot *s,
				  uint32_t slot, enum assume_kind assume, const struct accuracy *accuracy)
{
	bool waits = snapshot_jobs(s)[slot].state == JOB_IDLE;
	struct future_setup setup = {.now_s = env->now_s,
				     .full = waits,
				     .assume = assume,
				     .accuracy = accuracy,
				     .most_work = env->console ? FUTURE_LIST_WORK : FUTURE_JOB_WORK,
				     .reasons = true,
				     .one = true,
				     .slot = slot};

	future_build(f, s, &setup);
	return waits ? future_start(f, slot)
		     : (struct future_start){.start_s = TIME_NEVER, .end_s = TIME_NEVER, .tier = FUTURE_FULL};
}

void estimated_text(struct str *out, const struct future_start *start, int64_t reserved_s, int64_t now_s)
{
	char when[MOMENT_TEXT], slip[DURATION_TEXT];

	if (start->placeholder)
		str_add(out, FUTURE_MARK);
	jobtext_moment(out, start->start_s, now_s);
	if (reserved_s != TIME_NEVER && start->start_s > reserved_s)
		str_addf(out, "; reserved %s, expected %s later", wallclock_short(when, reserved_s, now_s),
			 duration_text(slip, start->start_s - reserved_s));
}

void estimated_note(struct str *out, const struct future *f, int64_t now_s)
{
	char when[MOMENT_TEXT];

	if (f->tier == FUTURE_FULL)
		return;
	str_add(out, FUTURE_MARK " marks starts by the instant plan, which keeps today's order");
	if (f->tier == FUTURE_PARTIAL)
		str_addf(out, "; the projection reached %s within its budget",
			 wallclock_short(when, f->projection.last_s, now_s));
	str_add(out, ".\n");
}
