/* SPDX-License-Identifier: MIT */
/*
 * mask_reasons.c - hides from users why starts of other users' jobs failed
 *
 * Such a reason names files of the job's user. The scheduler writes it: as the reason of a job that is
 * deferred or retried, and as that of the batch hold which follows too many defers. Without it the screens
 * say in general that the start failed. In the copy the texts themselves are overwritten, as whoever has the
 * file can read all of it.
 */
#include <stdlib.h>
#include <string.h>

#include "mask.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

struct hiding {
	const struct snapshot *s;
	struct snapshot *copy;
	const char *user;
	uint64_t *own; /* ids of the user's jobs that have such a reason, upward */
	size_t count, room;
};

/* A reason given by people is theirs to tell. */
static bool has_reason(const struct job *job)
{
	return job->state != JOB_NONE && job->base_reason != 0 && (job->defer_count > 0 || job->retries > 0);
}

static bool is_held_for(const struct snapshot *s, uint32_t text)
{
	return strncmp(snapshot_string(s, text), HOLD_AFTER_DEFERS, strlen(HOLD_AFTER_DEFERS)) == 0;
}

static const char *user_of(const struct snapshot *s, const struct job *job)
{
	uint32_t user = job->cred[CRED_USER];

	return user == INDEX_NONE ? "" : snapshot_string(s, snapshot_creds(s)[user].name);
}

char *mask_reason_owners(const struct snapshot *s)
{
	bool *listed = NULL;
	struct str list = {0};

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++) {
		const struct job *job = &snapshot_jobs(s)[i];

		if (!has_reason(job) || job->cred[CRED_USER] == INDEX_NONE)
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

static void wipe(const struct hiding *h, uint32_t *text)
{
	char *strings = (char *)h->copy + h->copy->table[TABLE_STRINGS].offset;

	memset(strings + *text, 0, strlen(snapshot_string(h->s, *text)));
	*text = 0;
}

static void hide_of_job(struct hiding *h, struct job *job)
{
	if (!has_reason(job))
		return;
	if (h->user != NULL && strcmp(user_of(h->s, job), h->user) == 0) {
		h->own = vec_room(h->own, &h->room, h->count + 1, sizeof *h->own);
		h->own[h->count++] = job->id;
		return;
	}
	if (job->hold_reason == job->base_reason || is_held_for(h->s, job->hold_reason))
		job->hold_reason = 0;
	wipe(h, &job->base_reason);
}

static int compare_ids(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void hide_of_changes(const struct hiding *h)
{
	struct change *change = (struct change *)((char *)h->copy + h->copy->table[TABLE_CHANGES].offset);

	for (uint32_t i = 0; i < snapshot_count(h->copy, TABLE_CHANGES); i++)
		if (change[i].kind == CHANGE_HOLD && change[i].value != 0 &&
		    is_held_for(h->s, change[i].value) &&
		    (h->count == 0 ||
		     bsearch(&change[i].job, h->own, h->count, sizeof *h->own, compare_ids) == NULL))
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
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++)
		hide_of_job(&h, &job[i]);
	if (h.count > 0)
		qsort(h.own, h.count, sizeof *h.own, compare_ids);
	hide_of_changes(&h);
	free(h.own);
	return h.copy;
}
