/* SPDX-License-Identifier: MIT */
/*
 * state_settle.c - what has become of the jobs that others wait for?
 *
 * A dependency is open until the other job starts or ends, and then met, or never to be met; one on an array
 * is met by the last of its tasks, and never to be met as soon as one of them rules it out. A start or an
 * end looks at the dependencies and texts that it settles, by the index of state_named.c. A job that is not
 * here any more when a dependency on it is made counts as what was waited for: how it ended is history, which
 * is asked before.
 */
#include <stdlib.h>

#include "sched/base/str.h"
#include "state_inside.h"

void state_set_no_room(struct state *st, bool no_room)
{
	st->s->no_room = no_room;
}

void state_set_grid(struct state *st, int64_t grid_s, int64_t passed_s)
{
	st->s->grid_s = grid_s;
	st->s->grid_passed_s = passed_s;
}

/* --- by an outcome ------------------------------------------------------------------------ */

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

/* Of an array the first task that rules it out decides, else the last one. */
static enum depend_state settled_by(const struct depend *depend, const struct settling *by)
{
	enum depend_state state = state_depend_after(depend->type, by->outcome);
	bool others = depend->type == DEPEND_START ? by->tasks_wait : by->tasks_left;

	return depend->of == DEPEND_ON_ARRAY && state == DEPEND_MET && others ? DEPEND_OPEN : state;
}

/* True: it is open no longer. */
static bool settle(struct depend *depend, const struct settling *by)
{
	if (depend->state != DEPEND_OPEN || !depend_is_on(depend, by->job))
		return false;
	depend->state = (uint8_t)settled_by(depend, by);
	return depend->state != DEPEND_OPEN;
}

static void find_tasks(const struct state *st, uint64_t array, struct settling *out)
{
	struct array_tasks left = state_array_tasks(st, array);

	out->tasks_left = left.tasks > 0;
	out->tasks_wait = left.idle > 0;
}

/* --- when it is made -------------------------------------------------------------------------- */

static enum depend_state open_on_array(const struct state *st, const struct depend *depend)
{
	struct settling left = {.job = NULL};

	find_tasks(st, depend->on, &left);
	return (depend->type == DEPEND_START ? left.tasks_wait : left.tasks_left) ? DEPEND_OPEN : DEPEND_MET;
}

static enum depend_state open_on_job(const struct state *st, const struct depend *depend)
{
	uint32_t slot = depend->of == DEPEND_ON_TASK ? state_find_task(st, depend->on, depend->number)
						     : state_find(st, depend->on);

	if (slot == INDEX_NONE)
		return DEPEND_MET;
	return snapshot_jobs(st->s)[slot].state == JOB_RUNNING ? state_depend_after(depend->type, JOB_STARTED)
							       : DEPEND_OPEN;
}

void state_open_depend(const struct state *st, struct depend *depend)
{
	depend->next = INDEX_NONE;
	if (depend->state == DEPEND_NEVER)
		return;
	depend->state = (uint8_t)(depend->of == DEPEND_ON_ARRAY ? open_on_array(st, depend)
								: open_on_job(st, depend));
}

/* --- never to be met --------------------------------------------------------------------------- */

static const struct depend *find_lost(const struct snapshot *s, const struct job *job)
{
	for (uint32_t i = job->depend; i != INDEX_NONE; i = snapshot_depends(s)[i].next)
		if (snapshot_depends(s)[i].state == DEPEND_NEVER)
			return &snapshot_depends(s)[i];
	return NULL;
}

const struct depend *state_next_lost(struct state *st, uint32_t *at)
{
	const struct snapshot *s = st->s;

	while (!st->no_lost) {
		if (*at == 0)
			st->no_lost = true; /* unless this walk finds one, or one is lost meanwhile */
		for (; *at < snapshot_count(s, TABLE_WAITING); (*at)++) {
			const struct depend *lost =
				find_lost(s, &snapshot_jobs(s)[snapshot_waiting(s)[*at].slot]);

			if (lost == NULL)
				continue;
			st->no_lost = false;
			return lost;
		}
		*at = 0;
	}
	return NULL;
}

/* --- in the texts of changes ------------------------------------------------------------------ */

/* *out is the text after it; true if it differs. */
static bool settle_list(const char *text, const struct settling *by, struct str *out)
{
	struct depend_list list = {.item = NULL};
	bool changed = false;

	depend_list_read(text, &list, NULL);
	for (size_t i = 0; i < list.count; i++) {
		changed = settle(&list.item[i], by) || changed;
		if (i > 0)
			str_add_char(out, ',');
		state_add_depend(&list.item[i], out);
	}
	free(list.item);
	return changed;
}

static bool settle_text(struct state *st, uint32_t *at, const struct settling *by)
{
	struct str text = {0};
	bool settled = settle_list(snapshot_string(st->s, *at), by, &text);

	if (settled) {
		state_waste_string(st, *at);
		*at = state_add_string(st, str_text(&text));
	}
	str_free(&text);
	return settled;
}

/* An undo later brings back what a change said before: so texts of changes settle with the job. */
static void settle_change(struct state *st, uint32_t i, const struct settling *by)
{
	struct change change = *(struct change *)state_item(st, TABLE_CHANGES, i), before = change;
	bool value = settle_text(st, &change.value, by), base = settle_text(st, &change.base, by);

	if (!value && !base)
		return;
	*(struct change *)state_item(st, TABLE_CHANGES, i) = change;
	/* The texts it had are there until strings are compacted. */
	state_store_change(st, &before, -1);
	state_store_change(st, &change, 1);
	state_mark_change(st, i);
}

/* --- a job starts or ends ---------------------------------------------------------------------- */

static void settle_depend(struct state *st, struct depend *depend, const struct settling *by)
{
	if (settle(depend, by) && depend->state == DEPEND_NEVER)
		st->no_lost = false;
}

/* Of one type and kind all are settled, or none is. */
static void settle_named(struct state *st, struct depend key, const struct settling *by)
{
	uint32_t depend, change;

	if (settled_by(&key, by) == DEPEND_OPEN)
		return;
	while (state_take_named(st, &key, &depend, &change))
		if (change != INDEX_NONE)
			settle_change(st, change, by);
		else
			settle_depend(st, state_item(st, TABLE_DEPENDS, depend), by);
}

void state_settle_depends(struct state *st, const struct job *job, enum job_outcome outcome)
{
	struct settling by = {.job = job, .outcome = outcome};

	if (snapshot_count(st->s, TABLE_DEPENDS) == 0 && st->s->depend_changes == 0)
		return;
	if (job->array != 0)
		find_tasks(st, job->array, &by);
	for (int i = 0; i < DEPEND_TYPE_COUNT; i++) {
		uint8_t type = (uint8_t)i;

		settle_named(st, (struct depend){.on = job->id, .type = type, .of = DEPEND_ON_JOB}, &by);
		if (job->array == 0)
			continue;
		settle_named(st,
			     (struct depend){.on = job->array,
					     .type = type,
					     .of = DEPEND_ON_TASK,
					     .number = job->array_index},
			     &by);
		settle_named(st, (struct depend){.on = job->array, .type = type, .of = DEPEND_ON_ARRAY}, &by);
	}
}
