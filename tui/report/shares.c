/* SPDX-License-Identifier: MIT */
/*
 * shares.c - fairshare figures for the report and the screen
 */
#include "shares.h"
#include "sched/policy/priority.h"

#include <math.h>

const char *shares_metric_name(enum fs_policy policy)
{
	static const char *const names[] = {
		[FS_NONE] = "NONE",
		[FS_DEDICATEDPS] = "DEDICATEDPS",
		[FS_DEDICATEDPES] = "DEDICATEDPES",
		[FS_UTILIZEDPS] = "UTILIZEDPS",
	};

	return names[fs_metric(policy)];
}

char shares_suffix(enum fs_mode mode)
{
	static const char suffix[] = {[FS_NO_TARGET] = ' ', [FS_TARGET] = ' ',       [FS_FLOOR] = '+',
				      [FS_CEILING] = '-',   [FS_CAP_ABSOLUTE] = '^', [FS_CAP_RELATIVE] = '%'};

	return suffix[mode];
}

bool shares_is_shown(const struct fs_share *share)
{
	return share->mode != FS_NO_TARGET || share->usage > 0;
}

double shares_busy_window(const struct fairshare *f)
{
	int64_t now = f->total[0], before = f->depth > 1 ? f->total[1] : 0;

	return (double)(now >= before / 2 ? now : before) / (double)FS_UNIT;
}

double shares_effect(const struct prio_weights *w, enum cred_type type, const struct fs_share *share)
{
	enum prio_factor factor = PRIO_FS_USER + (enum prio_factor)type;
	double points = w->factor[factor] * priority_capped(share->delta, w->factor_cap[factor]);

	return w->component[PRIO_FS] * priority_capped(points, w->component_cap[PRIO_FS]);
}

bool shares_cap_is_reached(const struct fs_share *share)
{
	if (share->mode == FS_CAP_RELATIVE)
		return share->percent >= share->target;
	return share->mode == FS_CAP_ABSOLUTE && share->usage >= share->target;
}

uint32_t shares_waiting(const struct forecast *f, uint32_t cred, uint32_t *capped)
{
	const struct waiting *waiting = snapshot_waiting(f->s);
	enum cred_type type = (enum cred_type)snapshot_creds(f->s)[cred].type;
	uint32_t count = 0;

	*capped = 0;
	for (uint32_t i = 0; i < snapshot_count(f->s, TABLE_WAITING); i++) {
		uint32_t slot = waiting[i].slot;
		const struct reason *reason = &f->plan.reason[slot];

		if (snapshot_jobs(f->s)[slot].cred[type] != cred)
			continue;
		count++;
		*capped += reason->gate == GATE_FS_CAP && reason->cred == cred;
	}
	return count;
}

void shares_move_target(struct cred_attr *attr, int points)
{
	double target = attr->fs_mode == FS_NO_TARGET ? 0 : attr->fs_target;

	if (attr->fs_mode == FS_CAP_ABSOLUTE)
		target += target * points / 100;
	else
		target = fmin(target + points, 100);
	if (target <= 0)
		attr->fs_mode = FS_NO_TARGET;
	else if (attr->fs_mode == FS_NO_TARGET)
		attr->fs_mode = FS_TARGET;
	attr->fs_target = target;
}

bool shares_add_up(const struct fairshare *f, const struct cred *creds, enum cred_type type)
{
	for (uint32_t i = 0; i < f->depth; i++) {
		int64_t sum = 0;

		for (uint32_t c = 0; c < f->share_count; c++)
			if (creds[c].type == type)
				sum = fs_add(sum, f->share[c].window[i]);
		if (sum != f->total[i])
			return false;
	}
	return true;
}
