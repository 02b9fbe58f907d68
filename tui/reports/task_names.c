/* SPDX-License-Identifier: MIT */
/*
 * task_names.c - names of tasks of arrays, also of those that have ended
 */
#include "task_names.h"

#include <stdio.h>
#include <stdlib.h>

#include "sched/base/vec.h"
#include "tui/wallclock.h"

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

bool task_names_read(struct task_names *names, const struct snapshot *s, const struct annals *annals,
		     int64_t since_s, struct err *err)
{
	const struct history_wish since = {.after = {.end_s = since_s}};
	char label[JOB_LABEL_TEXT];
	bool good;

	names->count = 0;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++) {
		const struct job *job = &snapshot_jobs(s)[i];

		if (job->state != JOB_NONE && job->array != 0)
			add(names, job->id, snapshot_job_label(s, job, label));
	}
	good = annals->store != NULL ? store_history(annals->store, since_s, add_ended, names, err)
				     : caller_history(annals->caller, &since, add_ended, names, err);
	if (names->count > 0)
		qsort(names->item, names->count, sizeof *names->item, by_job);
	return good;
}

void task_names_clear(struct task_names *names)
{
	free(names->item);
	*names = (struct task_names){.item = NULL};
}

void task_names_describe(const struct task_names *names, const struct event *ev, struct str *out)
{
	const struct task_name wanted = {.job = ev->job}, *found = NULL;

	if (names->count > 0 && ev->job != 0 && ev->kind != EVENT_SUBMIT)
		found = bsearch(&wanted, names->item, names->count, sizeof *names->item, by_job);
	event_describe_as(ev, found != NULL ? found->label : NULL, wallclock, out);
}
