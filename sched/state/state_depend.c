/* SPDX-License-Identifier: MIT */
/*
 * state_depend.c - dependencies between jobs: the table, their text form, and how they are settled
 *
 * All dependencies are in one table; those of a job form a chain.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "state_inside.h"

#define DEPEND_NAME (DEPEND_ON_TEXT + 8)

/* --- jobs on which others depend ---------------------------------------------------------------------- */

/*
 * Usually no other job depends on the job whose dependencies are changed, so that no cycle is possible. A
 * bit set shows this without a search: it has a bit for each job and each array that a dependency names.
 * Bits of names that are no longer in use stay set until the set is rebuilt, and two names may share a bit:
 * in these cases the search gives the correct result.
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
	search->until_built = depends + NAMED_BITS_LEAST; /* amortizes the cost of building it */
	search->looked_at += depends;
	for (uint32_t i = 0; i < depends; i++)
		if (snapshot_depends(s)[i].on != 0)
			set_named(search, snapshot_depends(s)[i].on);
}

/* May other jobs depend on this job? False is certain; true must be verified by a search. */
static bool may_be_waited_for(const struct state *st, const struct job *job)
{
	struct depend_search *search = st->depend_search;

	if (search->named == NULL || search->until_built == 0)
		build_named(search, st->s);
	return is_named(search, job->id) || (job->array != 0 && is_named(search, job->array));
}

void state_free_depend_search(struct depend_search *search)
{
	free(search->named);
	free(search->item);
	free(search->reached);
	free(search);
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

	if (count > 0)
		st->depend_search->items = 0;
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

/* --- checks ------------------------------------------------------------------------------------------- */

/* The jobs that remain to be examined, each once. */
struct search {
	const struct state *st;
	uint32_t *slot;
	uint32_t count;
	bool *seen;       /* by slot */
	bool *array_seen; /* by index in the table of arrays */
};

static void look_at(struct search *search, uint32_t slot)
{
	if (slot == INDEX_NONE || search->seen[slot])
		return;
	search->seen[slot] = true;
	search->slot[search->count++] = slot;
}

/* The tasks of an array have consecutive IDs, beginning with the array's own. */
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

/* Does one of the jobs to be examined depend on `job`, directly or indirectly? */
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
 * Was the kept search made for these dependencies? A request often gives many jobs, such as all tasks of an
 * array, the same dependencies; as the last search is kept, it is made only once for all of them. Its result
 * stays valid: other jobs depend on every job that it reached, so the dependencies of such a job change only
 * after another search, which replaces this one. It may contain jobs that are no longer reached, because jobs
 * have left the queue since. So if it contains the job in question, the search is repeated.
 */
static bool is_kept(const struct depend_search *kept, const struct depend *item, size_t count)
{
	if (kept->items != count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (kept->item[i].of != item[i].of || kept->item[i].on != item[i].on ||
		    kept->item[i].number != item[i].number)
			return false;
	return true;
}

static bool has_reached(const struct depend_search *kept, uint32_t slot)
{
	return slot < kept->reached_slots && kept->reached[slot];
}

/* Keeps the search, with its array search->seen. */
static void keep_search(struct search *search, const struct depend *item, size_t count)
{
	struct depend_search *kept = search->st->depend_search;

	kept->item = vec_room(kept->item, &kept->item_cap, count, sizeof *item);
	memcpy(kept->item, item, count * sizeof *item);
	kept->items = count;
	free(kept->reached);
	kept->reached = search->seen;
	kept->reached_slots = snapshot_count(search->st->s, TABLE_JOBS);
	search->seen = NULL;
}

void state_replace_depends(struct state *st, struct job *job, const struct depend *item, size_t count)
{
	size_t kept = st->depend_search->items;

	state_free_depends(st, job->depend);
	job->depend = state_chain_depends(st, item, count);
	st->depend_search->items = kept;
}

/*
 * Returns the index of the first item that leads back to the job in a slot, or count. The job can be reached
 * indirectly only if other jobs depend on it. Jobs that were examined for one item without success are not
 * examined again for the next one.
 */
static size_t find_leading_back(const struct state *st, uint32_t job_slot, const struct depend *item,
				size_t count)
{
	const struct job *job = &snapshot_jobs(st->s)[job_slot];
	uint32_t slots = snapshot_count(st->s, TABLE_JOBS);
	struct search search = {.st = st};
	size_t i = 0;

	while (i < count && !depend_is_on(&item[i], job))
		i++;
	if (!may_be_waited_for(st, job))
		return i;
	st->depend_search->looked_at++;
	if (i == count && is_kept(st->depend_search, item, count) &&
	    !has_reached(st->depend_search, job_slot))
		return count;
	i = 0;
	st->depend_search->looked_at += slots / 64;
	search.slot = mem_zero(slots + 1, sizeof *search.slot);
	search.seen = mem_zero(slots + 1, sizeof *search.seen);
	search.array_seen = mem_zero(st->arrays.room + 1, sizeof *search.array_seen);
	for (; i < count && !depend_is_on(&item[i], job); i++) {
		look_at_all(&search, &item[i]);
		if (find_waiting_for(&search, job))
			break;
	}
	if (i == count)
		keep_search(&search, item, count);
	free(search.slot);
	free(search.seen);
	free(search.array_seen);
	return i;
}

/* Formats the other job of a dependency for messages: "job 12", "job 12[3]" or "array 12[]". */
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
			return err_set(err, "unknown kind of dependency; the kinds are %s", DEPEND_NAMES);
		depend_name(&item[i], name);
		if (item[i].on == 0 || item[i].on >= st->s->next_job_id)
			return err_set(err, "%s, on which the job would depend, was never submitted", name);
		if (is_no_array(st, &item[i]))
			return err_set(err, "job %llu, on which the job would depend, is not an array",
				       (unsigned long long)item[i].on);
	}
	if (slot == INDEX_NONE || count == 0)
		return true;
	leading = find_leading_back(st, slot, item, count);
	return leading == count || err_set(err, "job %llu would wait for itself: %s waits for it",
					   (unsigned long long)job, depend_name(&item[leading], name));
}

/* --- dependencies as text ----------------------------------------------------------------------------- */

static const char *const type_names[DEPEND_TYPE_COUNT] = {
	[DEPEND_START] = "after",
	[DEPEND_COMPLETE] = "afterany",
	[DEPEND_OK] = "afterok",
	[DEPEND_FAILED] = "afternotok",
};

/* The mark after the ID of a dependency; only texts of kept changes have one. */
static const char state_marks[] = {[DEPEND_OPEN] = '\0', [DEPEND_MET] = '+', [DEPEND_NEVER] = '-'};

/* Parses "afterok", or PBS's form for whole arrays, "afterokarray". */
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

/* Parses "[]" (all tasks) or "[3]" (one task). */
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

/* Parses "afterok:12:13": a type and its jobs. */
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
			return err_set(
				err,
				"\"%s\" is not a list of dependencies; write afterok:12,afterany:13, or "
				"afterok:14[] for all tasks of an array (%s)",
				text, DEPEND_NAMES);
	return true;
}

void state_add_depend(const struct depend *depend, struct str *out)
{
	char on[DEPEND_ON_TEXT];

	str_addf(out, "%s:%s", type_names[depend->type], job_depend_on(depend, on));
	if (depend->state != DEPEND_OPEN)
		str_add_char(out, state_marks[depend->state]);
}

void state_add_depends(const struct snapshot *s, const struct job *job, struct str *out)
{
	for (uint32_t d = job->depend; d != INDEX_NONE; d = snapshot_depends(s)[d].next) {
		if (d != job->depend)
			str_add_char(out, ',');
		state_add_depend(&snapshot_depends(s)[d], out);
	}
}

/* --- settling dependencies ---------------------------------------------------------------------------- */

/*
 * A dependency is open until the other job starts or ends; then it is met, or can no longer be met. A
 * dependency on an array is met by the last of its tasks, and can no longer be met as soon as one task rules
 * it out. A start or end examines exactly the dependencies and texts that it settles, through the index in
 * state_change.c. A new dependency on a job that has left the state counts as met; callers that know the
 * job's result from the history check it first.
 */

void state_set_no_room(struct state *st, bool no_room)
{
	st->s->no_room = no_room;
}

void state_set_watched(struct state *st, bool watched)
{
	st->s->watched = watched;
}

void state_set_fault(struct state *st, const char *fault)
{
	uint32_t at;

	if (strcmp(snapshot_string(st->s, st->s->watch_fault), fault != NULL ? fault : "") == 0)
		return;
	state_waste_string(st, st->s->watch_fault);
	at = state_add_string(st, fault); /* may move the tables */
	st->s->watch_fault = at;
}

void state_set_grid(struct state *st, int64_t grid_s, int64_t passed_s)
{
	st->s->grid_s = grid_s;
	st->s->grid_passed_s = passed_s;
}

/* --- the effect of an outcome ------------------------------------------------------------- */

/* A job that never ran counts as failed; a dependency on its start can no longer be met. */
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

/* What happened to a job, and whether other tasks of its array are still idle, or still in the state. */
struct settling {
	const struct job *job;
	enum job_outcome outcome;
	bool tasks_wait, tasks_left;
};

/*
 * Returns the state of a dependency after an outcome. For an array the first task that rules the dependency
 * out decides, otherwise the last task.
 */
static enum depend_state settled_by(const struct depend *depend, const struct settling *by)
{
	enum depend_state state = state_depend_after(depend->type, by->outcome);
	bool others = depend->type == DEPEND_START ? by->tasks_wait : by->tasks_left;

	return depend->of == DEPEND_ON_ARRAY && state == DEPEND_MET && others ? DEPEND_OPEN : state;
}

/* Settles a dependency if it is open and on this job. Returns true if it is no longer open. */
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

/* --- new dependencies ----------------------------------------------------------------------------- */

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

/* --- dependencies that can no longer be met ----------------------------------------------------------- */

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
			st->no_lost = true; /* unless this search finds one */
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

/* Sets *out to the text after the outcome. Returns true if it has changed. */
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

/* Settles the dependencies in the text of a change, which a later undo may restore. */
static void settle_change(struct state *st, uint32_t i, const struct settling *by)
{
	struct change change = *(struct change *)state_item(st, TABLE_CHANGES, i), before = change;
	bool value = settle_text(st, &change.value, by), base = settle_text(st, &change.base, by);

	if (!value && !base)
		return;
	*(struct change *)state_item(st, TABLE_CHANGES, i) = change;
	/* The old texts can still be measured: they remain until strings are compacted. */
	state_store_change(st, &before, -1);
	state_store_change(st, &change, 1);
	state_mark_change(st, i);
}

/* --- a job starts or ends ---------------------------------------------------------------------- */

static void settle_depend(struct state *st, struct depend *depend, const struct settling *by)
{
	if (!settle(depend, by))
		return;
	depend->settled_seq = st->s->settled_seq = st->s->seq;
	if (depend->state == DEPEND_NEVER)
		st->no_lost = false;
}

/* Settles all dependencies with the same key. */
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
