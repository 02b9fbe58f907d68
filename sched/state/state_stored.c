/* SPDX-License-Identifier: MIT */
/*
 * state_stored.c - stored bytes per user, and the tasks of each array
 *
 * The bytes of a job are those of its record and its launch data; the bytes of a change of a job include its
 * texts. The tasks of an array share their launch data, which counts once as long as one of them is in the
 * state. The sums in cred.stored change with every job and change that is added or removed; job.stored is the
 * amount counted for a job, without its changes. Texts, which are in the memory of every client as well, are
 * also counted by themselves (cred.texts, job.texts). Only what is stored counts, so that a restored state
 * has the same sums. How often kept changes of dependencies name a job is counted in the same way
 * (cred.kept_depends), and so are all changes of jobs (cred.kept_changes). The tasks of each array are
 * counted in state.arrays, which is rebuilt with the other indexes.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "state_inside.h"

/*
 * Approximate sizes in bytes. JOB_BYTES: the numeric fields of a job, with its index entries. DEPEND_BYTES: a
 * dependency with its index entry, in memory, where it takes more space than in the store. CHANGE_BYTES: the
 * numeric fields of a change.
 */
#define JOB_BYTES 400

#define DEPEND_BYTES 70

#define CHANGE_BYTES 80

/* --- sizes --------------------------------------------------------------------------------------- */

static uint32_t text_bytes(const char *text)
{
	return text == NULL ? 0 : (uint32_t)strlen(text);
}

static uint32_t string_bytes(const struct snapshot *s, uint32_t at)
{
	return at == 0 ? 0 : text_bytes(snapshot_string(s, at));
}

/* Names of features and resources are few and belong to the site: they do not count. */
static uint32_t texts_of_job(const struct snapshot *s, const struct job *job)
{
	return string_bytes(s, job->name) + string_bytes(s, job->hosts);
}

static uint32_t bytes_of_job(const struct snapshot *s, const struct job *job)
{
	uint32_t bytes = JOB_BYTES + texts_of_job(s, job) + (job->array == 0 ? job->launch_size : 0);

	for (uint32_t d = job->depend; d != INDEX_NONE; d = snapshot_depends(s)[d].next)
		bytes += DEPEND_BYTES;
	return bytes;
}

static uint32_t texts_of_change(const struct snapshot *s, const struct change *change)
{
	return string_bytes(s, change->name) + string_bytes(s, change->value) + string_bytes(s, change->base);
}

static uint32_t bytes_of_change(const struct snapshot *s, const struct change *change)
{
	return CHANGE_BYTES + texts_of_change(s, change);
}

uint64_t state_names_in(const char *text)
{
	uint64_t count = 0;

	for (const char *at = text; at != NULL && (at = strchr(at, ':')) != NULL; at++)
		count++;
	return count;
}

static uint64_t names_of_change(const struct snapshot *s, const struct change *change)
{
	return !state_changes_depend(s, change) ? 0
						: state_names_in(snapshot_string(s, change->value)) +
							  state_names_in(snapshot_string(s, change->base));
}

uint64_t state_submission_bytes(const struct job_record *record)
{
	uint64_t each = JOB_BYTES + text_bytes(record->name) + text_bytes(record->hosts) +
			text_bytes(record->features) + text_bytes(record->prefer) + text_bytes(record->gres) +
			(uint64_t)DEPEND_BYTES * record->depend_count;

	return job_record_tasks(record) * each + record->launch_size;
}

uint64_t state_submission_texts(const struct job_record *record)
{
	return job_record_tasks(record) * ((uint64_t)text_bytes(record->name) + text_bytes(record->hosts));
}

uint64_t state_change_texts(const char *name, const char *value)
{
	return (uint64_t)text_bytes(name) + text_bytes(value);
}

uint64_t state_change_bytes(const char *name, const char *value)
{
	return CHANGE_BYTES + state_change_texts(name, value);
}

/* --- arrays -------------------------------------------------------------------------------------- */

/* Returns the entry of an array, or where it would be inserted. */
static uint32_t find_array(const struct array_table *t, uint64_t array)
{
	uint32_t i = (uint32_t)state_mix(array) & (t->room - 1);

	while (t->item[i].tasks != 0 && t->item[i].array != array)
		i = (i + 1) & (t->room - 1);
	return i;
}

static void make_room(struct array_table *t)
{
	struct array_table old = *t;

	if (t->room > 0 && (t->count + 1) * 3 <= t->room * 2)
		return;
	t->room = old.room == 0 ? 64 : 2 * old.room;
	t->item = mem_zero(t->room, sizeof *t->item);
	for (uint32_t i = 0; i < old.room; i++)
		if (old.item[i].tasks != 0)
			t->item[find_array(t, old.item[i].array)] = old.item[i];
	free(old.item);
}

/* Backward-shift deletion, as in the other indexes. */
static void drop_array(struct array_table *t, uint32_t hole)
{
	uint32_t mask = t->room - 1;

	for (uint32_t i = (hole + 1) & mask; t->item[i].tasks != 0; i = (i + 1) & mask) {
		uint32_t home = (uint32_t)state_mix(t->item[i].array) & mask;

		if (((i - home) & mask) >= ((i - hole) & mask)) {
			t->item[hole] = t->item[i];
			hole = i;
		}
	}
	t->item[hole] = (struct array_tasks){.tasks = 0};
	t->count--;
}

/* Counts a new task. Returns the bytes to add to its user. */
static uint32_t add_task(struct array_table *t, const struct job *job)
{
	struct array_tasks *found;

	make_room(t);
	found = &t->item[find_array(t, job->array)];
	found->idle += job->state == JOB_IDLE;
	if (found->tasks++ > 0)
		return 0;
	found->array = job->array;
	found->launch_size = job->launch_size;
	t->count++;
	return found->launch_size;
}

/* Counts a task that leaves. Returns the bytes to subtract from its user. */
static uint32_t drop_task(struct array_table *t, const struct job *job)
{
	uint32_t at = find_array(t, job->array), bytes = t->item[at].launch_size;

	if (t->item[at].tasks > 1) {
		t->item[at].tasks--;
		t->item[at].idle -= job->state == JOB_IDLE;
		return 0;
	}
	drop_array(t, at);
	return bytes;
}

void state_index_arrays(struct state *st)
{
	const struct job *job = snapshot_jobs(st->s);

	state_free_arrays(st);
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_JOBS); i++)
		if (job[i].state != JOB_NONE && job[i].array != 0)
			add_task(&st->arrays, &job[i]);
}

/* Copies the table of arrays, which is empty until the first array is submitted. */
void state_copy_arrays(struct state *to, const struct state *from)
{
	const struct array_table *a = &from->arrays;

	to->arrays.item = mem_copy_into(to->arrays.item, a->item, a->room * sizeof *a->item);
	to->arrays.room = a->room;
	to->arrays.count = a->count;
}

void state_free_arrays(struct state *st)
{
	free(st->arrays.item);
	st->arrays = (struct array_table){.item = NULL};
}

uint32_t state_array_place(const struct state *st, uint64_t array)
{
	uint32_t at = st->arrays.room == 0 ? INDEX_NONE : find_array(&st->arrays, array);

	return at == INDEX_NONE || st->arrays.item[at].tasks == 0 ? INDEX_NONE : at;
}

struct array_tasks state_array_tasks(const struct state *st, uint64_t array)
{
	const struct array_tasks none = {.tasks = 0};
	uint32_t at = state_array_place(st, array);

	return at == INDEX_NONE ? none : st->arrays.item[at];
}

void state_count_idle_task(struct state *st, const struct job *job, uint32_t one)
{
	if (job->array != 0)
		st->arrays.item[find_array(&st->arrays, job->array)].idle += one;
}

/* --- counting ------------------------------------------------------------------------------------ */

/* Adds to the sums of a user. Sums wrap around, so adding a negative amount subtracts it. */
static void add_to_user(struct state *st, uint32_t user, uint64_t bytes, uint64_t texts)
{
	struct cred *cred;

	if (user == INDEX_NONE)
		return;
	cred = (struct cred *)state_item(st, TABLE_CREDS, user);
	cred->stored += bytes;
	cred->texts += texts;
}

void state_store_job(struct state *st, uint32_t slot)
{
	struct job *job = state_job(st, slot);

	job->stored = bytes_of_job(st->s, job);
	job->texts = texts_of_job(st->s, job);
	add_to_user(st, job->cred[CRED_USER], job->stored, job->texts);
	if (job->array != 0)
		add_to_user(st, job->cred[CRED_USER], add_task(&st->arrays, job), 0);
}

void state_restate_job(struct state *st, uint32_t slot)
{
	struct job *job = state_job(st, slot);
	uint32_t bytes = bytes_of_job(st->s, job), texts = texts_of_job(st->s, job);

	add_to_user(st, job->cred[CRED_USER], (uint64_t)bytes - job->stored, (uint64_t)texts - job->texts);
	job->stored = bytes;
	job->texts = texts;
}

void state_unstore_job(struct state *st, uint32_t slot)
{
	const struct job *job = state_job(st, slot);

	add_to_user(st, job->cred[CRED_USER], UINT64_C(0) - job->stored, UINT64_C(0) - job->texts);
	if (job->array != 0)
		add_to_user(st, job->cred[CRED_USER], UINT64_C(0) - drop_task(&st->arrays, job), 0);
}

void state_store_change(struct state *st, const struct change *change, int sign)
{
	uint32_t slot = change->job == 0 ? INDEX_NONE : state_find(st, change->job);
	uint64_t bytes, texts, names;
	struct cred *cred;
	uint32_t user;

	if (slot == INDEX_NONE)
		return;
	bytes = bytes_of_change(st->s, change);
	texts = texts_of_change(st->s, change);
	names = names_of_change(st->s, change);
	user = state_job(st, slot)->cred[CRED_USER];
	add_to_user(st, user, sign > 0 ? bytes : UINT64_C(0) - bytes, sign > 0 ? texts : UINT64_C(0) - texts);
	if (user == INDEX_NONE)
		return;
	cred = (struct cred *)state_item(st, TABLE_CREDS, user);
	cred->kept_depends += sign > 0 ? names : UINT64_C(0) - names;
	cred->kept_changes += sign > 0 ? UINT64_C(1) : UINT64_MAX;
}

/* --- check --------------------------------------------------------------------------------------- */

/* The sums of a user. */
struct kept {
	uint64_t stored, texts, names, changes;
};

/*
 * Recomputes the sums of all users from jobs and changes. Returns false if the number of tasks of an array is
 * wrong.
 */
static bool recount(const struct state *st, struct kept *kept)
{
	const struct snapshot *s = st->s;
	const struct job *job = snapshot_jobs(s);
	const struct change *change = snapshot_changes(s);
	struct array_table again = {.item = NULL};
	bool good = true;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++) {
		uint32_t more;

		if (job[i].state == JOB_NONE)
			continue;
		more = bytes_of_job(s, &job[i]);
		good = good && more == job[i].stored && texts_of_job(s, &job[i]) == job[i].texts;
		more += job[i].array == 0 ? 0 : add_task(&again, &job[i]);
		if (job[i].cred[CRED_USER] != INDEX_NONE)
			kept[job[i].cred[CRED_USER]].stored += more;
		if (job[i].cred[CRED_USER] != INDEX_NONE)
			kept[job[i].cred[CRED_USER]].texts += job[i].texts;
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++) {
		uint32_t slot = change[i].job == 0 ? INDEX_NONE : state_find(st, change[i].job);

		if (slot == INDEX_NONE || job[slot].cred[CRED_USER] == INDEX_NONE)
			continue;
		kept[job[slot].cred[CRED_USER]].stored += bytes_of_change(s, &change[i]);
		kept[job[slot].cred[CRED_USER]].texts += texts_of_change(s, &change[i]);
		kept[job[slot].cred[CRED_USER]].names += names_of_change(s, &change[i]);
		kept[job[slot].cred[CRED_USER]].changes++;
	}
	good = good && again.count == st->arrays.count;
	for (uint32_t i = 0; i < again.room && good; i++) {
		const struct array_tasks *a = &again.item[i];
		struct array_tasks b = state_array_tasks(st, a->array);

		good = a->tasks == 0 || (a->tasks == b.tasks && a->idle == b.idle);
	}
	free(again.item);
	return good;
}

static bool check_kept(const char *user, const struct cred *cred, const struct kept *kept, struct err *err)
{
	if (kept->stored != cred->stored)
		return err_set(err, "the jobs of %s take %llu bytes, but the state records %llu", user,
			       (unsigned long long)kept->stored, (unsigned long long)cred->stored);
	if (kept->texts != cred->texts)
		return err_set(err, "the texts of the jobs of %s take %llu bytes, but the state records %llu",
			       user, (unsigned long long)kept->texts, (unsigned long long)cred->texts);
	if (kept->names != cred->kept_depends)
		return err_set(err,
			       "the changes of %s's jobs kept for undo contain %llu dependencies, but the "
			       "state records %llu",
			       user, (unsigned long long)kept->names, (unsigned long long)cred->kept_depends);
	return kept->changes == cred->kept_changes ||
	       err_set(err, "%s's jobs have %llu changes, but the state records %llu", user,
		       (unsigned long long)kept->changes, (unsigned long long)cred->kept_changes);
}

bool state_check_stored(const struct state *st, struct err *err)
{
	const struct cred *cred = snapshot_creds(st->s);
	uint32_t count = snapshot_count(st->s, TABLE_CREDS);
	struct kept *kept = mem_zero((size_t)count + 1, sizeof *kept);
	bool good =
		recount(st, kept) || err_set(err, "the counts of stored bytes or of array tasks are wrong");

	for (uint32_t i = 0; i < count && good; i++)
		good = check_kept(snapshot_string(st->s, cred[i].name), &cred[i], &kept[i], err);
	free(kept);
	return good;
}
