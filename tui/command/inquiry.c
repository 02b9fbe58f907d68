/* SPDX-License-Identifier: MIT */
/*
 * inquiry.c - what do the questions of `kahu whatif` have in common?
 */
#include "inquiry.h"

#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"
#include "tui/report/select.h"

struct future_setup inquiry_setup(const struct inquiry *q)
{
	return (struct future_setup){
		.now_s = q->env->now_s, .full = q->full, .assume = q->assume, .accuracy = &q->accuracy};
}

bool inquiry_job(const struct inquiry *q, uint32_t *slot)
{
	const char *word = cmd_option(q->env, "--job");

	*slot = INDEX_NONE;
	if (!word)
		return true;
	*slot = select_job(q->env->s, word, &q->env->err);
	if (*slot == INDEX_NONE)
		return false;
	return snapshot_jobs(q->env->s)[*slot].state == JOB_IDLE ||
	       err_set(&q->env->err, "job %s does not wait any more", word);
}

void inquiry_cell_moment(struct report *r, const struct inquiry *q, int64_t at_s)
{
	char when[MOMENT_TEXT];

	if (at_s == TIME_NEVER)
		report_cell(r, "-");
	else
		report_cellf(r, "%s%s", q->full ? "" : FUTURE_MARK,
			     wallclock_short(when, at_s, q->env->now_s));
}
