/* SPDX-License-Identifier: MIT */
/*
 * task_names.c - names of tasks of arrays, also of those that have ended
 */
#include "task_names.h"

#include <stdio.h>
#include <stdlib.h>

#include "sched/base/vec.h"
#include "sched/rm/wallclock.h"

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

/* The wanted ones that are in the queue are known. */
static bool read_ended(struct task_names *names, const struct snapshot *s, const struct annals *annals,
		       int64_t since_s, struct err *err)
{
	struct history_wish wish = {.after = {.end_s = since_s}};
	struct history_walk walk = {.most = 0};
	struct history_ids *ids = mem_zero(names->wanted_count + 1, sizeof *ids);
	size_t count = 0;
	bool good = true;

	for (size_t i = 0; i < names->wanted_count; i++)
		if (snapshot_find_job(s, names->wanted[i]) == INDEX_NONE)
			ids[count++] = (struct history_ids){names->wanted[i], names->wanted[i]};
	history_want_ids(&wish, ids, count);
	if (count > 0)
		good = annals->store != NULL
			       ? store_history_find(annals->store, &wish, &walk, add_ended, names, err)
			       : caller_history(annals->caller, &wish, false, add_ended, names, err);
	free(ids);
	return good;
}

bool task_names_read(struct task_names *names, const struct snapshot *s, const struct annals *annals,
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
	good = read_ended(names, s, annals, since_s, err);
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
