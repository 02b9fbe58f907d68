/* SPDX-License-Identifier: MIT */
/*
 * state_cred.c - credentials of a state: their rows, and which rows are unused
 *
 * Users can name any account, and any class if the site defines none; the rows that their jobs leave must not
 * accumulate. A credential is in use while a job, a limit, a list, a reservation, a setting or usage in a
 * fairshare window refers to it (a node's user has jobs there). Unused credentials are not part of the
 * state's hash, so that a state that reuses rows equals a restored one that never had them.
 */
#include <string.h>

#include "sched/base/vec.h"
#include "state_inside.h"

#define CREDS_FEW 256 /* a table up to this size is never searched for unused rows */

static void need(bool *spare, uint32_t cred)
{
	if (cred != INDEX_NONE)
		spare[cred] = false;
}

static void need_jobs(const struct snapshot *s, bool *spare)
{
	for (uint32_t slot = 0; slot < snapshot_count(s, TABLE_JOBS); slot++) {
		const struct job *job = &snapshot_jobs(s)[slot];

		if (job->state == JOB_NONE)
			continue;
		for (int t = 0; t < CRED_TYPE_COUNT; t++)
			need(spare, job->cred[t]);
		need(spare, job->qos_asked);
	}
}

static void need_site(const struct snapshot *s, bool *spare)
{
	need(spare, s->qdef);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_LIMITS); i++) {
		need(spare, snapshot_limits(s)[i].cred);
		need(spare, snapshot_limits(s)[i].second);
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_PERMITS); i++) {
		if (snapshot_permits(s)[i].kind != PERMIT_LEVEL)
			need(spare, snapshot_permits(s)[i].owner);
		need(spare, snapshot_permits(s)[i].qos);
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_GUESTS); i++)
		if (snapshot_guests(s)[i].type != GUEST_JOB)
			need(spare, snapshot_guests(s)[i].cred);
}

static bool has_used(const struct snapshot *s, const struct cred *cred)
{
	for (int c = 0; cred->usage != INDEX_NONE && c < FS_DEPTH_MAX; c++)
		if (snapshot_usage(s)[cred->usage].amount[c] != 0)
			return true;
	return false;
}

static bool is_set(double value)
{
	return value < 0 || value > 0;
}

static bool has_settings(const struct cred *cred)
{
	const struct cred_attr *a = &cred->attr;

	return cred->qdef != INDEX_NONE || cred->adef != INDEX_NONE || is_set(a->priority) ||
	       is_set(a->qt_weight) || is_set(a->xf_weight) || is_set(a->xf_target) || is_set(a->fs_target) ||
	       (a->fs_mode | a->access) != 0 || a->default_features != 0 ||
	       (a->qt_target_s | a->default_wall_s | a->max_wall_s | a->min_wall_s | a->max_procs |
		a->min_procs | a->max_nodes | a->min_nodes) != 0;
}

static void need_creds(const struct snapshot *s, bool *spare)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS); i++) {
		const struct cred *cred = &snapshot_creds(s)[i];

		need(spare, cred->qdef);
		need(spare, cred->adef);
		if (i < CRED_TYPE_COUNT || has_settings(cred) || has_used(s, cred))
			spare[i] = false;
	}
}

void state_find_spare_creds(struct state *st)
{
	uint32_t count = snapshot_count(st->s, TABLE_CREDS), needed = 0;

	if (count < CREDS_FEW || count < st->creds_look || st->spare_at < st->spare_end)
		return;
	st->spare_cred = mem_resize(st->spare_cred, count * sizeof *st->spare_cred);
	memset(st->spare_cred, true, count * sizeof *st->spare_cred);
	need_jobs(st->s, st->spare_cred);
	need_site(st->s, st->spare_cred);
	need_creds(st->s, st->spare_cred);
	for (uint32_t i = 0; i < count; i++)
		needed += !st->spare_cred[i];
	st->spare_end = count;
	st->spare_at = 0;
	/*
	 * If few rows are unused, the next search takes place only when the number of rows is twice that of
	 * the rows in use, so that the cost of a search is amortized.
	 */
	st->creds_look = needed > count / 2 ? 2 * needed : count;
}

/* Returns an unused row, which is removed from the index of names, or a new row. */
static uint32_t take_row(struct state *st)
{
	for (; st->spare_at < st->spare_end; st->spare_at++) {
		uint32_t i = st->spare_at;

		if (!st->spare_cred[i])
			continue;
		st->spare_at++;
		state_unindex_cred(st, i);
		state_waste_string(st, snapshot_creds(st->s)[i].name);
		return i;
	}
	state_make_room(st, TABLE_CREDS, 1);
	((struct cred *)state_item(st, TABLE_CREDS, st->s->table[TABLE_CREDS].count))->usage = INDEX_NONE;
	return st->s->table[TABLE_CREDS].count++;
}

uint32_t state_intern_cred(struct state *st, enum cred_type type, const char *name)
{
	uint32_t i = state_find_cred(st, type, name), at, usage;

	if (i != INDEX_NONE) {
		if (i < st->spare_end)
			st->spare_cred[i] = false;
		return i;
	}
	at = state_add_string(st, name);
	i = take_row(st);
	usage = snapshot_creds(st->s)[i].usage; /* the row of usage is kept; its windows are all 0 */
	*(struct cred *)state_item(st, TABLE_CREDS, i) = (struct cred){
		.type = (uint32_t)type, .name = at, .usage = usage, .qdef = INDEX_NONE, .adef = INDEX_NONE};
	state_index_cred(st, i);
	return i;
}
