/* SPDX-License-Identifier: MIT */
/*
 * state_depend.c - which jobs must come before a job, and what has become of them?
 *
 * A dependency is open until the other job starts or ends, and then met, or never to be met; one on an array
 * is met by the last of its tasks, and never to be met as soon as one of them rules it out. All
 * stand in one table; a start or an end goes through it once. A job that is not here any more when
 * a dependency on it is made counts as what was waited for: how it ended is history, which is asked before.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "state_inside.h"

#define DEPEND_NAME 40

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

/* --- outcomes ---------------------------------------------------------------------------- */

/* A job that never ran failed: whoever waits for its start or its success waits in vain. */
enum depend_state state_depend_after(enum depend_type type, enum job_outcome outcome)
{
	static const uint8_t table[DEPEND_TYPE_COUNT][JOB_OUTCOME_COUNT] = {
		[DEPEND_START] = {[JOB_STARTED] = DEPEND_MET,
				  [JOB_SUCCEEDED] = DEPEND_MET,
				  [JOB_FAILED] = DEPEND_MET,
				  [JOB_NEVER_RAN] = DEPEND_NEVER},
		[DEPEND_COMPLETE] = {[JOB_SUCCEEDED] = DEPEND_MET,
				     [JOB_FAILED] = DEPEND_MET,
				     [JOB_NEVER_RAN] = DEPEND_MET},
		[DEPEND_OK] = {[JOB_SUCCEEDED] = DEPEND_MET,
			       [JOB_FAILED] = DEPEND_NEVER,
			       [JOB_NEVER_RAN] = DEPEND_NEVER},
		[DEPEND_FAILED] = {[JOB_SUCCEEDED] = DEPEND_NEVER,
				   [JOB_FAILED] = DEPEND_MET,
				   [JOB_NEVER_RAN] = DEPEND_MET},
	};

	return (enum depend_state)table[type][outcome];
}

/* What happened to a job, and what is left of its array after it. */
struct settling {
	const struct job *job;
	enum job_outcome outcome;
	bool tasks_wait, tasks_left;
};

/* Is it this job, or one of those, that is waited for? */
static bool is_on(const struct depend *depend, const struct job *job)
{
	switch ((enum depend_of)depend->of) {
	case DEPEND_ON_TASK:
		return job->array == depend->on && job->array_index == depend->number;
	case DEPEND_ON_ARRAY:
		return job->array == depend->on;
	default:
		return job->id == depend->on;
	}
}

/* Of an array the first task that rules it out decides, else the last one. */
static enum depend_state settled_by(const struct depend *depend, const struct settling *by)
{
	enum depend_state state = state_depend_after(depend->type, by->outcome);
	bool others = depend->type == DEPEND_START ? by->tasks_wait : by->tasks_left;

	return depend->of == DEPEND_ON_ARRAY && state == DEPEND_MET && others ? DEPEND_OPEN : state;
}

static bool settle(struct depend *depend, const struct settling *by)
{
	if (depend->state != DEPEND_OPEN || !is_on(depend, by->job))
		return false;
	depend->state = (uint8_t)settled_by(depend, by);
	return depend->state != DEPEND_OPEN;
}

static void find_tasks(const struct state *st, uint64_t array, struct settling *out)
{
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_JOBS); i++) {
		const struct job *job = &snapshot_jobs(st->s)[i];

		if (job->state == JOB_NONE || job->array != array)
			continue;
		out->tasks_left = true;
		out->tasks_wait = out->tasks_wait || job->state == JOB_IDLE;
	}
}

void state_settle_depends(struct state *st, const struct job *job, enum job_outcome outcome)
{
	struct depend *depend = state_item(st, TABLE_DEPENDS, 0);
	struct settling by = {.job = job, .outcome = outcome};

	if (snapshot_count(st->s, TABLE_DEPENDS) == 0 && snapshot_count(st->s, TABLE_CHANGES) == 0)
		return;
	if (job->array != 0)
		find_tasks(st, job->array, &by);
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_DEPENDS); i++)
		settle(&depend[i], &by);
	state_settle_changes(st, &by);
}

/* The task with a number; INDEX_NONE: it is not here. */
static uint32_t find_task(const struct state *st, const struct depend *depend)
{
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_JOBS); i++)
		if (snapshot_jobs(st->s)[i].state != JOB_NONE && is_on(depend, &snapshot_jobs(st->s)[i]))
			return i;
	return INDEX_NONE;
}

static enum depend_state open_on_array(const struct state *st, const struct depend *depend)
{
	struct settling left = {.job = NULL};

	find_tasks(st, depend->on, &left);
	return (depend->type == DEPEND_START ? left.tasks_wait : left.tasks_left) ? DEPEND_OPEN : DEPEND_MET;
}

static enum depend_state open_on_job(const struct state *st, const struct depend *depend)
{
	uint32_t slot = depend->of == DEPEND_ON_TASK ? find_task(st, depend) : state_find(st, depend->on);

	if (slot == INDEX_NONE)
		return DEPEND_MET;
	return snapshot_jobs(st->s)[slot].state == JOB_RUNNING ? state_depend_after(depend->type, JOB_STARTED)
							       : DEPEND_OPEN;
}

void state_open_depend(const struct state *st, struct depend *depend)
{
	depend->next = INDEX_NONE;
	depend->state = (uint8_t)(depend->of == DEPEND_ON_ARRAY ? open_on_array(st, depend)
								: open_on_job(st, depend));
}

/* --- what may be asked for ------------------------------------------------------------------ */

/* The jobs still to be looked at, each once. */
struct search {
	const struct state *st;
	uint32_t *slot;
	uint32_t count;
	bool *seen; /* by slot */
};

static void look_at(struct search *search, uint32_t slot)
{
	if (slot == INDEX_NONE || search->seen[slot])
		return;
	search->seen[slot] = true;
	search->slot[search->count++] = slot;
}

static void look_at_all(struct search *search, const struct depend *depend)
{
	const struct snapshot *s = search->st->s;

	if (depend->of == DEPEND_ON_JOB) {
		look_at(search, state_find(search->st, depend->on));
		return;
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++)
		if (snapshot_jobs(s)[i].state != JOB_NONE && is_on(depend, &snapshot_jobs(s)[i]))
			look_at(search, i);
}

/* Does one of the jobs to be looked at wait for `job`, over any number of jobs between? */
static bool find_waiting_for(struct search *search, const struct job *job)
{
	const struct snapshot *s = search->st->s;

	while (search->count > 0) {
		uint32_t slot = search->slot[--search->count];

		for (uint32_t d = snapshot_jobs(s)[slot].depend; d != INDEX_NONE;
		     d = snapshot_depends(s)[d].next) {
			if (snapshot_depends(s)[d].state != DEPEND_OPEN)
				continue;
			if (is_on(&snapshot_depends(s)[d], job))
				return true;
			look_at_all(search, &snapshot_depends(s)[d]);
		}
	}
	return false;
}

static bool leads_back(const struct state *st, const struct job *job, const struct depend *on)
{
	uint32_t slots = snapshot_count(st->s, TABLE_JOBS);
	struct search search = {.st = st};
	bool found;

	if (is_on(on, job))
		return true;
	search.slot = mem_zero(slots + 1, sizeof *search.slot);
	search.seen = mem_zero(slots + 1, sizeof *search.seen);
	look_at_all(&search, on);
	found = find_waiting_for(&search, job);
	free(search.slot);
	free(search.seen);
	return found;
}

/* "job 12", "job 12[3]", "array 12[]"; for sentences. */
static const char *depend_name(const struct depend *depend, char out[static DEPEND_NAME])
{
	unsigned long long on = depend->on;

	if (depend->of == DEPEND_ON_ARRAY)
		snprintf(out, DEPEND_NAME, "array %llu[]", on);
	else if (depend->of == DEPEND_ON_TASK)
		snprintf(out, DEPEND_NAME, "job %llu[%u]", on, depend->number);
	else
		snprintf(out, DEPEND_NAME, "job %llu", on);
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
		if (slot != INDEX_NONE && leads_back(st, &snapshot_jobs(st->s)[slot], &item[i]))
			return err_set(err, "job %llu would wait for itself: %s waits for it",
				       (unsigned long long)job, name);
	}
	return true;
}

/* --- texts ----------------------------------------------------------------------------------- */

static const char *const type_names[DEPEND_TYPE_COUNT] = {
	[DEPEND_START] = "after",
	[DEPEND_COMPLETE] = "afterany",
	[DEPEND_OK] = "afterok",
	[DEPEND_FAILED] = "afternotok",
};

/* Behind the id: what has become of it. Only texts that are kept have one. */
static const char state_marks[] = {[DEPEND_OPEN] = '\0', [DEPEND_MET] = '+', [DEPEND_NEVER] = '-'};

/* "afterok", or as PBS has it for whole arrays "afterokarray". */
static bool read_type(const char *text, size_t len, uint8_t *out, bool *array)
{
	static const char suffix[] = "array";
	char name[24] = "";

	if (len >= sizeof name)
		return false;
	memcpy(name, text, len);
	*array = len > strlen(suffix) && str_same_word(name + len - strlen(suffix), suffix);
	if (*array)
		name[len - strlen(suffix)] = '\0';
	for (unsigned t = 0; t < DEPEND_TYPE_COUNT; t++)
		if (str_same_word(name, type_names[t])) {
			*out = (uint8_t)t;
			return true;
		}
	return false;
}

/* "[]": all tasks; "[3]": one. */
static bool read_brackets(char **at, struct depend *out)
{
	char *end = *at + 1;
	unsigned long number = 0;

	out->of = *end == ']' ? DEPEND_ON_ARRAY : DEPEND_ON_TASK;
	if (out->of == DEPEND_ON_TASK) {
		if (!isdigit((unsigned char)*end))
			return false;
		number = strtoul(end, &end, 10);
	}
	if (*end != ']' || number > ARRAY_INDEX_MAX)
		return false;
	out->number = (uint32_t)number;
	*at = end + 1;
	return true;
}

static bool read_id(const char **at, struct depend *out)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;
	out->on = strtoull(*at, &end, 10);
	if (*end == '[' && !read_brackets(&end, out))
		return false;
	out->state = *end == '+' ? DEPEND_MET : *end == '-' ? DEPEND_NEVER : DEPEND_OPEN;
	*at = end + (out->state != DEPEND_OPEN);
	return **at == '\0' || **at == ':' || **at == ',';
}

/* "afterok:12:13": one kind and its jobs. */
static bool read_group(const char **at, struct depend_list *out)
{
	struct depend depend = {.next = INDEX_NONE};
	size_t len = strcspn(*at, ":,");
	bool array;

	if (!read_type(*at, len, &depend.type, &array) || (*at)[len] != ':')
		return false;
	for (*at += len; **at == ':';) {
		++*at;
		depend.of = array ? DEPEND_ON_ARRAY : DEPEND_ON_JOB;
		depend.number = 0;
		if (!read_id(at, &depend) || (array && depend.of != DEPEND_ON_ARRAY))
			return false;
		out->item = vec_room(out->item, &out->room, out->count + 1, sizeof *out->item);
		out->item[out->count++] = depend;
	}
	return true;
}

bool depend_list_read(const char *text, struct depend_list *out, struct err *err)
{
	const char *at = text;

	out->count = 0;
	while (*at != '\0')
		if (!read_group(&at, out) || (*at == ',' && *++at == '\0'))
			return err_set(err,
				       "\"%s\" says no dependencies; write afterok:12,afterany:13, or "
				       "afterok:14[] for all tasks of an array (%s)",
				       text, DEPEND_NAMES);
	return true;
}

/* "afterok:12", with the mark of one that is settled. */
static void add_depend(const struct depend *depend, struct str *out)
{
	str_addf(out, "%s:%llu", type_names[depend->type], (unsigned long long)depend->on);
	if (depend->of == DEPEND_ON_ARRAY)
		str_add(out, "[]");
	else if (depend->of == DEPEND_ON_TASK)
		str_addf(out, "[%u]", depend->number);
	if (depend->state != DEPEND_OPEN)
		str_add_char(out, state_marks[depend->state]);
}

void state_add_depends(const struct snapshot *s, const struct job *job, struct str *out)
{
	for (uint32_t d = job->depend; d != INDEX_NONE; d = snapshot_depends(s)[d].next) {
		if (d != job->depend)
			str_add_char(out, ',');
		add_depend(&snapshot_depends(s)[d], out);
	}
}

bool state_settle_text(const char *text, const struct settling *by, struct str *out)
{
	struct depend_list list = {.item = NULL};
	bool changed = false;

	depend_list_read(text, &list, NULL);
	for (size_t i = 0; i < list.count; i++) {
		changed = settle(&list.item[i], by) || changed;
		if (i > 0)
			str_add_char(out, ',');
		add_depend(&list.item[i], out);
	}
	free(list.item);
	return changed;
}
