/* SPDX-License-Identifier: MIT */
/*
 * snapshot_find.c - lookup by ID or name in a snapshot
 *
 * Lookups are linear searches: only the live state has indexes (state_index.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "snapshot.h"

uint32_t snapshot_find_job(const struct snapshot *s, uint64_t id)
{
	const struct job *job = snapshot_jobs(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++)
		if (job[i].id == id && job[i].state != JOB_NONE)
			return i;
	return INDEX_NONE;
}

/* --- many jobs ------------------------------------------------------------------------------------ */

struct job_slot {
	uint64_t id;
	uint32_t slot;
};

static int by_id(const void *a, const void *b)
{
	const struct job_slot *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static void sort_jobs(struct job_lookup *lookup)
{
	const struct job *job = snapshot_jobs(lookup->s);
	uint32_t slots = snapshot_count(lookup->s, TABLE_JOBS);

	lookup->by_id = mem_alloc(((size_t)slots + 1) * sizeof *lookup->by_id);
	lookup->count = 0;
	for (uint32_t i = 0; i < slots; i++)
		if (job[i].state != JOB_NONE)
			lookup->by_id[lookup->count++] = (struct job_slot){job[i].id, i};
	qsort(lookup->by_id, lookup->count, sizeof *lookup->by_id, by_id);
}

uint32_t job_lookup(struct job_lookup *lookup, uint64_t id, uint32_t slot)
{
	const struct job_slot key = {.id = id}, *found;
	const struct job *job = snapshot_jobs(lookup->s);

	if (slot < snapshot_count(lookup->s, TABLE_JOBS) && job[slot].id == id && job[slot].state != JOB_NONE)
		return slot;
	if (lookup->by_id == NULL)
		sort_jobs(lookup);
	found = bsearch(&key, lookup->by_id, lookup->count, sizeof key, by_id);
	return found == NULL ? INDEX_NONE : found->slot;
}

/* --- by name -------------------------------------------------------------------------------------- */

uint32_t snapshot_find_partition(const struct snapshot *s, const char *name)
{
	if (name == NULL || name[0] == '\0')
		return 0;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_PARTITIONS); i++)
		if (str_same_word(snapshot_string(s, snapshot_partitions(s)[i].name), name))
			return i;
	return INDEX_NONE;
}

uint32_t snapshot_find_advance(const struct snapshot *s, const char *name)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_ADVANCES); i++)
		if (str_same_word(snapshot_string(s, snapshot_advances(s)[i].name), name))
			return i;
	return INDEX_NONE;
}

bool snapshot_is_guest(const struct snapshot *s, const struct advance *advance, const struct job *job)
{
	for (uint32_t i = 0; i < advance->guest_count; i++) {
		const struct guest *guest = &snapshot_guests(s)[advance->first_guest + i];

		if (guest->type == GUEST_JOB ? guest->job == job->id : guest->cred == job->cred[guest->type])
			return true;
	}
	return false;
}

/*
 * Returns the job ID that a label spells, which identifies a job without a label; 0 if the label is not a job
 * ID.
 */
static uint64_t plain_number(const char *label)
{
	char *end, again[JOB_LABEL_TEXT];
	unsigned long long number;

	if (label[0] < '1' || label[0] > '9')
		return 0;
	number = strtoull(label, &end, 10);
	snprintf(again, sizeof again, "%llu", number);
	return *end == '\0' && strcmp(again, label) == 0 ? number : 0;
}

uint32_t snapshot_find_label(const struct snapshot *s, const char *label)
{
	const struct job *job = snapshot_jobs(s);
	uint64_t id = plain_number(label);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++) {
		if (job[i].state == JOB_NONE)
			continue;
		if (job[i].label == 0 ? id != 0 && job[i].id == id
				      : strcmp(snapshot_string(s, job[i].label), label) == 0)
			return i;
	}
	return INDEX_NONE;
}

uint32_t snapshot_find_cred(const struct snapshot *s, enum cred_type type, const char *name)
{
	const struct cred *cred = snapshot_creds(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS); i++)
		if (cred[i].type == (uint32_t)type && strcmp(snapshot_string(s, cred[i].name), name) == 0)
			return i;
	return INDEX_NONE;
}

const char *snapshot_job_label(const struct snapshot *s, const struct job *job,
			       char buf[static JOB_LABEL_TEXT])
{
	if (job->label != 0)
		return snapshot_string(s, job->label);
	snprintf(buf, JOB_LABEL_TEXT, "%llu", (unsigned long long)job->id);
	return buf;
}

const char *snapshot_job_cred(const struct snapshot *s, const struct job *job, enum cred_type type)
{
	uint32_t i = job->cred[type];

	return i == INDEX_NONE ? NULL : snapshot_string(s, snapshot_creds(s)[i].name);
}
