/* SPDX-License-Identifier: MIT */
/*
 * state_depend.c - for which jobs may a job wait, and where is that kept?
 *
 * All dependencies stand in one table, those of a job chained. What has become of the others:
 * state_settle.c; how it is written: state_depend_text.c.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sched/base/vec.h"
#include "state_inside.h"

#define DEPEND_NAME (DEPEND_ON_TEXT + 8)

/* --- what is waited for -------------------------------------------------------------------- */

/*
 * Most jobs whose dependencies are changed are waited for by nobody, and are known by this without a search:
 * a bit for each job and each array that a dependency names. What is named no more keeps its bit until the
 * set is built anew, and two names may share one: then a search says that nobody waits.
 */
static void set_named(struct depend_search *search, uint64_t on)
{
	uint32_t bit = (uint32_t)state_mix(on) & (search->named_bits - 1);

	search->named[bit / 64] |= UINT64_C(1) << bit % 64;
}

static bool is_named(const struct depend_search *search, uint64_t on)
{
	uint32_t bit = (uint32_t)state_mix(on) & (search->named_bits - 1);

	return (search->named[bit / 64] >> bit % 64 & 1) != 0;
}

static void note_named(struct depend_search *search, const struct depend *depend)
{
	if (search->named == NULL)
		return;
	search->until_built -= search->until_built > 0;
	set_named(search, depend->on);
}

#define NAMED_BITS_LEAST 4096u

static void build_named(struct depend_search *search, const struct snapshot *s)
{
	uint32_t depends = snapshot_count(s, TABLE_DEPENDS);

	search->named_bits = NAMED_BITS_LEAST;
	while (search->named_bits / 16 < snapshot_count(s, TABLE_JOBS) && search->named_bits < 1u << 30)
		search->named_bits *= 2;
	free(search->named);
	search->named = mem_zero(search->named_bits / 64, sizeof *search->named);
	search->until_built = depends + NAMED_BITS_LEAST; /* what it costs is paid for by these */
	search->looked_at += depends;
	for (uint32_t i = 0; i < depends; i++)
		if (snapshot_depends(s)[i].on != 0)
			set_named(search, snapshot_depends(s)[i].on);
}

/* False: nobody waits for the job. */
static bool may_be_waited_for(const struct state *st, const struct job *job)
{
	struct depend_search *search = st->depend_search;

	if (search->named == NULL || search->until_built == 0)
		build_named(search, st->s);
	return is_named(search, job->id) || (job->array != 0 && is_named(search, job->array));
}

uint64_t state_depends_looked_at(const struct state *st)
{
	return st->depend_search->looked_at;
}

/* --- chains ---------------------------------------------------------------------------- */

static uint32_t take_depend(struct state *st)
{
	uint32_t i = st->free_depend;

	if (i != INDEX_NONE) {
		st->free_depend = ((struct depend *)state_item(st, TABLE_DEPENDS, i))->next;
		return i;
	}
	state_make_room(st, TABLE_DEPENDS, 1);
	return st->s->table[TABLE_DEPENDS].count++;
}

uint32_t state_chain_depends(struct state *st, const struct depend *item, size_t count)
{
	uint32_t next = INDEX_NONE;

	for (size_t i = count; i-- > 0;) {
		uint32_t at = take_depend(st);
		struct depend *depend = state_item(st, TABLE_DEPENDS, at);

		*depend = item[i];
		depend->next = next;
		next = at;
		st->no_lost = st->no_lost && depend->state != DEPEND_NEVER;
		state_name_depend(st, at);
		note_named(st->depend_search, depend);
	}
	return next;
}

void state_free_depends(struct state *st, uint32_t first)
{
	while (first != INDEX_NONE) {
		struct depend *depend = state_item(st, TABLE_DEPENDS, first);
		uint32_t next = depend->next;

		*depend = (struct depend){.next = st->free_depend};
		st->free_depend = first;
		first = next;
	}
}

/* --- what may be asked for ------------------------------------------------------------------ */

/* The jobs still to be looked at, each once. */
struct search {
	const struct state *st;
	uint32_t *slot;
	uint32_t count;
	bool *seen;       /* by slot */
	bool *array_seen; /* by place in the table of arrays */
};

static void look_at(struct search *search, uint32_t slot)
{
	if (slot == INDEX_NONE || search->seen[slot])
		return;
	search->seen[slot] = true;
	search->slot[search->count++] = slot;
}

/* Its tasks have ids one after the other, from its own on. */
static void look_at_array(struct search *search, uint64_t array)
{
	const struct snapshot *s = search->st->s;
	uint32_t place = state_array_place(search->st, array), left;

	if (place == INDEX_NONE || search->array_seen[place])
		return;
	search->array_seen[place] = true;
	left = search->st->arrays.item[place].tasks;
	for (uint64_t id = array; left > 0 && id < array + ARRAY_TASKS_MAX; id++) {
		uint32_t slot = state_find(search->st, id);

		search->st->depend_search->looked_at++;
		if (slot == INDEX_NONE || snapshot_jobs(s)[slot].array != array)
			continue;
		left--;
		look_at(search, slot);
	}
}

static void look_at_all(struct search *search, const struct depend *depend)
{
	switch ((enum depend_of)depend->of) {
	case DEPEND_ON_TASK:
		look_at(search, state_find_task(search->st, depend->on, depend->number));
		break;
	case DEPEND_ON_ARRAY:
		look_at_array(search, depend->on);
		break;
	default:
		look_at(search, state_find(search->st, depend->on));
		break;
	}
}

/* Does one of the jobs to be looked at wait for `job`, over any number of jobs between? */
static bool find_waiting_for(struct search *search, const struct job *job)
{
	const struct snapshot *s = search->st->s;

	while (search->count > 0) {
		uint32_t slot = search->slot[--search->count];

		for (uint32_t d = snapshot_jobs(s)[slot].depend; d != INDEX_NONE;
		     d = snapshot_depends(s)[d].next) {
			search->st->depend_search->looked_at++;
			if (snapshot_depends(s)[d].state != DEPEND_OPEN)
				continue;
			if (depend_is_on(&snapshot_depends(s)[d], job))
				return true;
			look_at_all(search, &snapshot_depends(s)[d]);
		}
	}
	return false;
}

/*
 * The first of the items that lead back to the job, or count. Only a job that others wait for can be behind
 * an item that does not name the job itself. The jobs behind an item that does not are not
 * looked at again for the next.
 */
static size_t find_leading_back(const struct state *st, const struct job *job, const struct depend *item,
				size_t count)
{
	uint32_t slots = snapshot_count(st->s, TABLE_JOBS);
	struct search search = {.st = st};
	size_t i = 0;

	while (i < count && !depend_is_on(&item[i], job))
		i++;
	if (!may_be_waited_for(st, job))
		return i;
	i = 0;
	st->depend_search->looked_at += slots;
	search.slot = mem_zero(slots + 1, sizeof *search.slot);
	search.seen = mem_zero(slots + 1, sizeof *search.seen);
	search.array_seen = mem_zero(st->arrays.room + 1, sizeof *search.array_seen);
	for (; i < count && !depend_is_on(&item[i], job); i++) {
		look_at_all(&search, &item[i]);
		if (find_waiting_for(&search, job))
			break;
	}
	free(search.slot);
	free(search.seen);
	free(search.array_seen);
	return i;
}

/* "job 12", "job 12[3]", "array 12[]"; for sentences. */
static const char *depend_name(const struct depend *depend, char out[static DEPEND_NAME])
{
	char on[DEPEND_ON_TEXT];

	snprintf(out, DEPEND_NAME, "%s %s", depend->of == DEPEND_ON_ARRAY ? "array" : "job",
		 job_depend_on(depend, on));
	return out;
}

static bool is_no_array(const struct state *st, const struct depend *depend)
{
	uint32_t slot = state_find(st, depend->on);

	return depend->of != DEPEND_ON_JOB && slot != INDEX_NONE && snapshot_jobs(st->s)[slot].array == 0;
}

bool state_check_depends(const struct state *st, uint64_t job, const struct depend *item, size_t count,
			 struct err *err)
{
	uint32_t slot = job == 0 ? INDEX_NONE : state_find(st, job);
	char name[DEPEND_NAME];
	size_t leading;

	for (size_t i = 0; i < count; i++) {
		if (item[i].type >= DEPEND_TYPE_COUNT || item[i].of >= DEPEND_OF_COUNT)
			return err_set(err, "there is no such kind of dependency; there are %s",
				       DEPEND_NAMES);
		depend_name(&item[i], name);
		if (item[i].on == 0 || item[i].on >= st->s->next_job_id)
			return err_set(err, "%s, which is to come first, has never been submitted", name);
		if (is_no_array(st, &item[i]))
			return err_set(err, "job %llu, which is to come first, is no array",
				       (unsigned long long)item[i].on);
	}
	if (slot == INDEX_NONE || count == 0)
		return true;
	leading = find_leading_back(st, &snapshot_jobs(st->s)[slot], item, count);
	return leading == count || err_set(err, "job %llu would wait for itself: %s waits for it",
					   (unsigned long long)job, depend_name(&item[leading], name));
}
