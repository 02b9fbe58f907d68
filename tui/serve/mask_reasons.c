/* SPDX-License-Identifier: MIT */
/*
 * mask_reasons.c - hides from users why starts of other users' jobs failed, or why those were cancelled
 *
 * A reason of the first kind names files of the job's user. The scheduler writes it: as the reason of a job
 * that is deferred or retried, and as that of the batch hold which follows too many defers. Without it the
 * screens say in general that the start failed. In the copy the texts themselves are overwritten, as whoever
 * has the file can read all of it.
 */
#include <stdlib.h>
#include <string.h>

#include "mask.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

/* Of jobs, upward. */
struct ids {
	uint64_t *item;
	size_t count, room;
};

struct hiding {
	const struct snapshot *s;
	struct snapshot *copy;
	const char *user;
	struct ids own; /* of the user's jobs */
};

bool mask_is_held_after_defers(const char *reason)
{
	return strncmp(reason, HOLD_AFTER_DEFERS, strlen(HOLD_AFTER_DEFERS)) == 0;
}

static bool is_held_for(const struct snapshot *s, uint32_t text)
{
	return mask_is_held_after_defers(snapshot_string(s, text));
}

static const char *user_of(const struct snapshot *s, const struct job *job)
{
	uint32_t user = job->cred[CRED_USER];

	return user == INDEX_NONE ? "" : snapshot_string(s, snapshot_creds(s)[user].name);
}

/* --- ids ------------------------------------------------------------------------------------------- */

static void add_id(struct ids *ids, uint64_t id)
{
	ids->item = vec_room(ids->item, &ids->room, ids->count + 1, sizeof *ids->item);
	ids->item[ids->count++] = id;
}

static int compare_ids(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void sort_ids(struct ids *ids)
{
	if (ids->count > 0)
		qsort(ids->item, ids->count, sizeof *ids->item, compare_ids);
}

static bool has_id(const struct ids *ids, uint64_t id)
{
	return ids->count > 0 && bsearch(&id, ids->item, ids->count, sizeof *ids->item, compare_ids) != NULL;
}

/* --- whose they are -------------------------------------------------------------------------------- */

/* A hold after defers that was released is kept for undo, with its reason, also when the job has started. */
static bool is_hold_after_defers(const struct snapshot *s, const struct change *change)
{
	return change->kind == CHANGE_HOLD && change->value != 0 && is_held_for(s, change->value);
}

static struct ids held_after_defers(const struct snapshot *s)
{
	struct ids held = {.item = NULL};

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++)
		if (is_hold_after_defers(s, &snapshot_changes(s)[i]))
			add_id(&held, snapshot_changes(s)[i].job);
	sort_ids(&held);
	return held;
}

char *mask_reason_owners(const struct snapshot *s)
{
	struct ids held = held_after_defers(s);
	bool *listed = NULL;
	struct str list = {0};

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++) {
		const struct job *job = &snapshot_jobs(s)[i];

		if (job->state == JOB_NONE || job->cred[CRED_USER] == INDEX_NONE ||
		    (!job_has_private_reason(job) && !has_id(&held, job->id)))
			continue;
		if (listed == NULL) {
			listed = mem_zero((size_t)snapshot_count(s, TABLE_CREDS) + 1, sizeof *listed);
			str_add_char(&list, ',');
		}
		if (!listed[job->cred[CRED_USER]])
			str_addf(&list, "%s,", user_of(s, job));
		listed[job->cred[CRED_USER]] = true;
	}
	free(listed);
	free(held.item);
	if (list.len > 0)
		return list.data;
	str_free(&list);
	return NULL;
}

bool mask_owns_reason(const char *owners, const char *user)
{
	size_t len = strlen(user);

	for (const char *at = owners; at != NULL && (at = strstr(at, user)) != NULL; at++)
		if (len > 0 && at > owners && at[-1] == ',' && at[len] == ',')
			return true;
	return false;
}

/* --- hiding ---------------------------------------------------------------------------------------- */

static void wipe(const struct hiding *h, uint32_t *text)
{
	char *strings = (char *)h->copy + h->copy->table[TABLE_STRINGS].offset;

	memset(strings + *text, 0, strlen(snapshot_string(h->s, *text)));
	*text = 0;
}

static void note_own(struct hiding *h)
{
	const struct job *job = snapshot_jobs(h->s);

	for (uint32_t i = 0; h->user != NULL && i < snapshot_count(h->s, TABLE_JOBS); i++)
		if (job[i].state != JOB_NONE && strcmp(user_of(h->s, &job[i]), h->user) == 0)
			add_id(&h->own, job[i].id);
	sort_ids(&h->own);
}

static void hide_of_job(const struct hiding *h, struct job *job)
{
	if (job->state == JOB_NONE || has_id(&h->own, job->id))
		return;
	if (is_held_for(h->s, job->hold_reason))
		job->hold_reason = 0;
	if (!job_has_private_reason(job))
		return;
	if (job->hold_reason == job->base_reason)
		job->hold_reason = 0;
	wipe(h, &job->base_reason);
}

static void hide_of_changes(const struct hiding *h)
{
	struct change *change = (struct change *)((char *)h->copy + h->copy->table[TABLE_CHANGES].offset);

	for (uint32_t i = 0; i < snapshot_count(h->copy, TABLE_CHANGES); i++)
		if (is_hold_after_defers(h->s, &change[i]) && !has_id(&h->own, change[i].job))
			wipe(h, &change[i].value);
}

struct snapshot *mask_reasons(const struct snapshot *s, const char *user)
{
	struct hiding h = {.s = s, .user = user};
	uint32_t room[TABLE_COUNT];
	struct job *job;

	for (int i = 0; i < TABLE_COUNT; i++)
		room[i] = snapshot_count(s, (enum snapshot_table_id)i);
	h.copy = snapshot_copy_with_room(s, room);
	job = (struct job *)((char *)h.copy + h.copy->table[TABLE_JOBS].offset);
	note_own(&h);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++)
		hide_of_job(&h, &job[i]);
	hide_of_changes(&h);
	free(h.own.item);
	return h.copy;
}
