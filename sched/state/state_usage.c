/* SPDX-License-Identifier: MIT */
/*
 * state_usage.c - what have credentials used, window by window?
 *
 * A job is charged when it ends, to the windows in which it ran; until then what it has used
 * follows from time (fairshare.h). Without a fairshare policy dedicated processor-seconds are
 * recorded all the same: so a policy that is set later has a past to look at.
 */
#include "state_inside.h"

static void clear_column(struct state *st, uint32_t column)
{
	struct usage *usage = state_item(st, TABLE_USAGE, 0);

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_USAGE); i++)
		usage[i].amount[column] = 0;
}

/* The column of a window; what it forgets is gone from all rows. INDEX_NONE: too old to be kept. */
static uint32_t take_column(struct state *st, int64_t begin_s, int64_t length_s)
{
	bool forget = false;
	uint32_t column = fs_column(st->s->fs_window, begin_s, &forget);

	if (column == INDEX_NONE)
		return column;
	if (forget)
		clear_column(st, column);
	if (forget || st->s->fs_window[column].length_s == 0)
		st->s->fs_window[column] = (struct fs_window){.begin_s = begin_s, .length_s = length_s};
	return column;
}

static void charge_cred(struct state *st, uint32_t cred, uint32_t column, int64_t amount)
{
	uint32_t row = snapshot_creds(st->s)[cred].usage;
	int64_t *used;

	if (row == INDEX_NONE) {
		state_make_room(st, TABLE_USAGE, 1);
		row = st->s->table[TABLE_USAGE].count++;
		*(struct usage *)state_item(st, TABLE_USAGE, row) = (struct usage){.amount = {0}};
		((struct cred *)state_item(st, TABLE_CREDS, cred))->usage = row;
	}
	used = &((struct usage *)state_item(st, TABLE_USAGE, row))->amount[column];
	*used = fs_add(*used, amount);
}

static void charge_window(struct state *st, const struct job *job, int64_t begin_s, int64_t length_s,
			  int64_t amount)
{
	uint32_t column = amount > 0 ? take_column(st, begin_s, length_s) : INDEX_NONE;
	struct fs_window *window;

	if (column == INDEX_NONE)
		return;
	window = &st->s->fs_window[column];
	window->total = fs_add(window->total, amount);
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		if (job->cred[t] != INDEX_NONE)
			charge_cred(st, job->cred[t], column, amount);
}

void state_charge_job(struct state *st, uint32_t slot, int64_t end_s)
{
	const struct job job = *state_job(st, slot);
	const struct policy *policy = &st->s->policy;
	enum fs_policy metric = fs_metric((enum fs_policy)policy->fs_policy);
	int64_t length_s = policy->fs_interval_s;
	struct machine machine = snapshot_machine(st->s);
	int64_t last_s = fs_window_begin(end_s - 1, length_s);
	int64_t begin_s = fs_window_begin(job.start_s, length_s);

	if (job.state != JOB_RUNNING)
		return;
	if (metric == FS_NONE)
		metric = FS_DEDICATEDPS;
	/* Windows before those that can be kept would only be forgotten again. */
	if ((last_s - begin_s) / length_s >= FS_DEPTH_MAX)
		begin_s = last_s - (FS_DEPTH_MAX - 1) * length_s;
	for (; begin_s <= last_s; begin_s += length_s)
		charge_window(st, &job, begin_s, length_s,
			      fs_job_usage(metric, &job, &machine, end_s, begin_s, begin_s + length_s));
}

/* --- windows from elsewhere ------------------------------------------------------------------ */

bool state_check_usage(const struct state *st, const struct usage_window *window, struct err *err)
{
	bool forget;

	if (window->length_s <= 0)
		return err_set(err, "a window of fairshare usage lasts at least a second, this one %lld",
			       (long long)window->length_s);
	if (window->total < 0)
		return err_set(err, "a window of fairshare usage has a total below 0");
	for (uint32_t i = 0; i < window->count; i++) {
		const struct used_by *used = &window->item[i];

		if (used->type >= CRED_TYPE_COUNT || used->name == NULL || used->name[0] == '\0')
			return err_set(err, "fairshare usage without the name of a credential");
		if (used->amount < 0)
			return err_set(err, "the fairshare usage of %s %s is below 0",
				       cred_type_name((enum cred_type)used->type), used->name);
	}
	return fs_column(st->s->fs_window, window->begin_s, &forget) != INDEX_NONE ||
	       err_set(err, "a window of fairshare usage is older than the %d that are kept", FS_DEPTH_MAX);
}

void state_set_usage(struct state *st, const struct usage_window *window)
{
	uint32_t column = take_column(st, window->begin_s, window->length_s);

	clear_column(st, column);
	st->s->fs_window[column].length_s = window->length_s;
	st->s->fs_window[column].total = window->total;
	for (uint32_t i = 0; i < window->count; i++) {
		const struct used_by *used = &window->item[i];

		charge_cred(st, state_intern_cred(st, (enum cred_type)used->type, used->name), column,
			    used->amount);
	}
}
