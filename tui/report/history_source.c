/* SPDX-License-Identifier: MIT */
/* history_source.c - the journal and past states, read from the store or from the running scheduler */
#include "history_source.h"

#include <stdio.h>
#include <stdlib.h>

#include "sched/base/vec.h"
#include "sched/rm/wallclock.h"
#include "sched/state/state.h"
#include "tui/serve/state_file.h"

/* --- the range of the journal ------------------------------------------------------------------------- */

static bool moment_of(struct store *store, uint64_t seq, int64_t *out_s, struct err *err)
{
	struct store_moment moment;

	if (!store_moment_of_entry(store, seq, &moment, wallclock, err))
		return false;
	*out_s = moment.time_s;
	return true;
}

bool journal_span_find(struct store *store, struct journal_span *out, struct err *err)
{
	*out = (struct journal_span){.last = 0};
	if (!store_journal_range(store, &out->first, &out->last, err))
		return false;
	return out->last == 0 || (moment_of(store, out->first, &out->first_s, err) &&
				  moment_of(store, out->last, &out->last_s, err));
}

bool journal_span_before(struct store *store, const struct journal_span *span, int64_t at_s, uint64_t *seq,
			 struct err *err)
{
	struct store_moment moment;

	*seq = span->first == 0 ? 0 : span->first - 1;
	if (span->last == 0 || at_s <= span->first_s)
		return true;
	if (!store_moment_of_time(store, at_s - 1, &moment, wallclock, err))
		return false;
	*seq = moment.seq;
	return true;
}

/* --- the journal and past states ---------------------------------------------------------------------- */

bool history_source_journal(const struct history_source *a, uint64_t from, bool backward,
			    journal_visit *visit, void *self, struct err *err)
{
	return a->store != NULL ? store_journal(a->store, from, backward, visit, self, err)
				: client_journal(a->client, from, backward, visit, self, err);
}

/* --- range of the journal, from either source ---------------------------------------------------------- */

struct end {
	uint64_t seq;
	int64_t time_s;
};

static bool take_one(void *self, const struct event *ev)
{
	*(struct end *)self = (struct end){.seq = ev->seq, .time_s = ev->time_s};
	return false;
}

bool history_source_span(const struct history_source *a, struct journal_span *out, struct err *err)
{
	struct end begin = {.seq = 0}, end = {.seq = 0};

	if (!history_source_journal(a, 1, false, take_one, &begin, err) ||
	    !history_source_journal(a, UINT64_MAX, true, take_one, &end, err))
		return false;
	*out = (struct journal_span){
		.first = begin.seq, .last = end.seq, .first_s = begin.time_s, .last_s = end.time_s};
	return true;
}

/* --- states ------------------------------------------------------------------------------------- */

static struct state *fetch(struct client *c, const struct store_moment *moment, struct err *err)
{
	struct client_picture picture;
	struct state *st;

	if (!client_moment(c, moment, &picture, err))
		return NULL;
	st = state_from_snapshot(picture.s);
	memory_file_free(picture.s, picture.size);
	return st;
}

struct state *history_source_state(const struct history_source *a, uint64_t seq, struct err *err)
{
	struct store_moment moment = {.seq = seq};

	if (a->store != NULL)
		return store_state_after(a->store, seq, err);
	return seq > 0 ? fetch(a->client, &moment, err) : state_new();
}

struct state *history_source_state_of_time(const struct history_source *a, int64_t time_s, struct err *err)
{
	struct store_moment moment = {.time_s = time_s};

	if (a->store == NULL)
		return fetch(a->client, &moment, err);
	return store_moment_of_time(a->store, time_s, &moment, wallclock, err)
		       ? store_state_after(a->store, moment.seq, err)
		       : NULL;
}

/* --- names of array tasks, also of tasks that have ended ---------------------------------------------- */

static void add(struct task_names *names, uint64_t job, const char *label)
{
	struct task_name *name;

	names->item = vec_room(names->item, &names->room, names->count + 1, sizeof *names->item);
	name = &names->item[names->count++];
	name->job = job;
	snprintf(name->label, sizeof name->label, "%s", label);
}

static bool add_ended(void *self, const struct ended_job *ended)
{
	if (ended->record.job.array != 0 && ended->record.label != NULL)
		add(self, ended->record.job.id, ended->record.label);
	return true;
}

static int by_job(const void *a, const void *b)
{
	const struct task_name *x = a, *y = b;

	return (x->job > y->job) - (x->job < y->job);
}

void task_names_want(struct task_names *names, const struct event *ev)
{
	if (ev->job == 0 || ev->kind == EVENT_SUBMIT)
		return;
	names->wanted =
		vec_room(names->wanted, &names->wanted_room, names->wanted_count + 1, sizeof *names->wanted);
	names->wanted[names->wanted_count++] = ev->job;
}

/* Reads the labels of the wanted tasks that are not in s from the history of ended jobs. */
static bool read_ended(struct task_names *names, const struct snapshot *s,
		       const struct history_source *source, int64_t since_s, struct err *err)
{
	struct history_filter wish = {.after = {.end_s = since_s}};
	struct history_walk walk = {.most = 0};
	struct history_ids *ids = mem_zero(names->wanted_count + 1, sizeof *ids);
	size_t count = 0;
	bool good = true;

	for (size_t i = 0; i < names->wanted_count; i++)
		if (snapshot_find_job(s, names->wanted[i]) == INDEX_NONE)
			ids[count++] = (struct history_ids){names->wanted[i], names->wanted[i]};
	history_filter_ids(&wish, ids, count);
	if (count > 0)
		good = source->store != NULL
			       ? store_history_find(source->store, &wish, &walk, add_ended, names, err)
			       : client_history(source->client, &wish, false, add_ended, names, err);
	free(ids);
	return good;
}

bool task_names_read(struct task_names *names, const struct snapshot *s, const struct history_source *source,
		     int64_t since_s, struct err *err)
{
	char label[JOB_LABEL_TEXT];
	bool good;

	names->count = 0;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++) {
		const struct job *job = &snapshot_jobs(s)[i];

		if (job->state != JOB_NONE && job->array != 0)
			add(names, job->id, snapshot_job_label(s, job, label));
	}
	good = read_ended(names, s, source, since_s, err);
	names->wanted_count = 0;
	if (names->count > 0)
		qsort(names->item, names->count, sizeof *names->item, by_job);
	return good;
}

void task_names_clear(struct task_names *names)
{
	free(names->item);
	free(names->wanted);
	*names = (struct task_names){.item = NULL};
}

void task_names_describe(const struct task_names *names, const struct event *ev, struct str *out)
{
	const struct task_name wanted = {.job = ev->job}, *found = NULL;

	if (names->count > 0 && ev->job != 0 && ev->kind != EVENT_SUBMIT)
		found = bsearch(&wanted, names->item, names->count, sizeof *names->item, by_job);
	event_describe_as(ev, found != NULL ? found->label : NULL, wallclock, out);
}
