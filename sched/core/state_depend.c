/* SPDX-License-Identifier: MIT */
/*
 * state_depend.c - which jobs must come before a job, and what has become of them?
 *
 * A dependency is open until the other job starts or ends, and then met, or never to be met. All
 * stand in one table; a start or an end goes through it once. A job that is not here any more when
 * a dependency on it is made counts as what was waited for: how it ended is history.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "state_inside.h"

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
static enum depend_state settled(uint8_t type, enum job_outcome outcome)
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

static bool settle(struct depend *depend, uint64_t job, enum job_outcome outcome)
{
	if (depend->on != job || depend->state != DEPEND_OPEN)
		return false;
	depend->state = (uint8_t)settled(depend->type, outcome);
	return depend->state != DEPEND_OPEN;
}

void state_settle_depends(struct state *st, uint64_t job, enum job_outcome outcome)
{
	struct depend *depend = state_item(st, TABLE_DEPENDS, 0);

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_DEPENDS); i++)
		settle(&depend[i], job, outcome);
	state_settle_changes(st, job, outcome);
}

void state_open_depend(const struct state *st, struct depend *depend)
{
	uint32_t slot = state_find(st, depend->on);

	depend->next = INDEX_NONE;
	depend->state = DEPEND_OPEN;
	if (slot == INDEX_NONE)
		depend->state = DEPEND_MET;
	else if (snapshot_jobs(st->s)[slot].state == JOB_RUNNING)
		depend->state = (uint8_t)settled(depend->type, JOB_STARTED);
}

/* --- what may be asked for ------------------------------------------------------------------ */

/* The jobs still to be looked at, each once. */
struct search {
	const struct state *st;
	uint32_t *slot;
	uint32_t count;
	bool *seen; /* by slot */
};

static void look_at(struct search *search, uint64_t job)
{
	uint32_t slot = state_find(search->st, job);

	if (slot == INDEX_NONE || search->seen[slot])
		return;
	search->seen[slot] = true;
	search->slot[search->count++] = slot;
}

/* Does one of the jobs to be looked at wait for `job`, over any number of jobs between? */
static bool find_waiting_for(struct search *search, uint64_t job)
{
	const struct snapshot *s = search->st->s;

	while (search->count > 0) {
		uint32_t slot = search->slot[--search->count];

		for (uint32_t d = snapshot_jobs(s)[slot].depend; d != INDEX_NONE;
		     d = snapshot_depends(s)[d].next) {
			if (snapshot_depends(s)[d].state != DEPEND_OPEN)
				continue;
			if (snapshot_depends(s)[d].on == job)
				return true;
			look_at(search, snapshot_depends(s)[d].on);
		}
	}
	return false;
}

static bool leads_back(const struct state *st, uint64_t job, uint64_t on)
{
	uint32_t slots = snapshot_count(st->s, TABLE_JOBS);
	struct search search = {.st = st};
	bool found;

	if (on == job)
		return true;
	search.slot = mem_zero(slots + 1, sizeof *search.slot);
	search.seen = mem_zero(slots + 1, sizeof *search.seen);
	look_at(&search, on);
	found = find_waiting_for(&search, job);
	free(search.slot);
	free(search.seen);
	return found;
}

bool state_check_depends(const struct state *st, uint64_t job, const struct depend *item, size_t count,
			 struct err *err)
{
	for (size_t i = 0; i < count; i++) {
		unsigned long long on = item[i].on;

		if (item[i].type >= DEPEND_TYPE_COUNT)
			return err_set(err, "there is no such kind of dependency; there are %s",
				       DEPEND_NAMES);
		if (on == 0 || on >= st->s->next_job_id)
			return err_set(err, "job %llu, which is to come first, has never been submitted", on);
		if (job != 0 && leads_back(st, job, on))
			return err_set(err, "job %llu would wait for itself: job %llu waits for it",
				       (unsigned long long)job, on);
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

static bool read_type(const char *text, size_t len, uint8_t *out)
{
	char name[16] = "";

	if (len >= sizeof name)
		return false;
	memcpy(name, text, len);
	for (unsigned t = 0; t < DEPEND_TYPE_COUNT; t++)
		if (str_same_word(name, type_names[t])) {
			*out = (uint8_t)t;
			return true;
		}
	return false;
}

static bool read_id(const char **at, struct depend *out)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;
	out->on = strtoull(*at, &end, 10);
	out->state = *end == '+' ? DEPEND_MET : *end == '-' ? DEPEND_NEVER : DEPEND_OPEN;
	*at = end + (out->state != DEPEND_OPEN);
	return **at == '\0' || **at == ':' || **at == ',';
}

/* "afterok:12:13": one kind and its jobs. */
static bool read_group(const char **at, struct depend_list *out)
{
	struct depend depend = {.next = INDEX_NONE};
	size_t len = strcspn(*at, ":,");

	if (!read_type(*at, len, &depend.type) || (*at)[len] != ':')
		return false;
	for (*at += len; **at == ':';) {
		++*at;
		if (!read_id(at, &depend))
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
			return err_set(err, "\"%s\" says no dependencies; write afterok:12,afterany:13 (%s)",
				       text, DEPEND_NAMES);
	return true;
}

/* "afterok:12", with the mark of one that is settled. */
static void add_depend(const struct depend *depend, struct str *out)
{
	str_addf(out, "%s:%llu", type_names[depend->type], (unsigned long long)depend->on);
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

bool state_settle_text(const char *text, uint64_t job, enum job_outcome outcome, struct str *out)
{
	struct depend_list list = {.item = NULL};
	bool changed = false;

	depend_list_read(text, &list, NULL);
	for (size_t i = 0; i < list.count; i++) {
		changed = settle(&list.item[i], job, outcome) || changed;
		if (i > 0)
			str_add_char(out, ',');
		add_depend(&list.item[i], out);
	}
	free(list.item);
	return changed;
}
