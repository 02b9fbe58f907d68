/* SPDX-License-Identifier: MIT */
/* reservation.c - job reservations of one scheduling pass */
#include "reservation.h"

#include <stdlib.h>

#include "profile.h"
#include "sched/base/vec.h"
#include "sched/model/job.h"

void reservations_free(struct reservations *list)
{
	free(list->item);
	free(list->runs.item);
	*list = (struct reservations){0};
}

void reservations_reset(struct reservations *list)
{
	list->count = 0;
	list->runs.count = 0;
}

void reservation_add(struct reservations *list, struct reservation r)
{
	list->item = vec_room(list->item, &list->cap, list->count + 1, sizeof *list->item);
	list->item[list->count++] = r;
}

int64_t reservation_make(struct reservations *list, struct profile *profile, struct reservation r,
			 int64_t from_s, int64_t duration_s)
{
	r.begin_s = profile_earliest(profile, from_s, r.procs, duration_s);
	if (r.begin_s == TIME_NEVER)
		return TIME_NEVER;
	r.end_s = r.begin_s + duration_s;
	profile_take(profile, r.begin_s, r.end_s, r.procs);
	reservation_add(list, r);
	return r.begin_s;
}

uint64_t reservation_beginning(const struct reservations *list, int64_t at_s, uint64_t not_job)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct reservation *r = &list->item[i];

		if (r->begin_s == at_s && r->job != not_job)
			return r->job;
	}
	return 0;
}

const struct reservation *reservation_next(const struct reservations *list, int64_t at_s, uint64_t not_job)
{
	const struct reservation *next = NULL;

	for (size_t i = 0; i < list->count; i++) {
		const struct reservation *r = &list->item[i];

		if (r->begin_s > at_s && r->job != not_job && (next == NULL || r->begin_s < next->begin_s))
			next = r;
	}
	return next;
}

int64_t reservations_end_s(const struct reservations *list, const struct job *job, int64_t begin_s,
			   int64_t grace_s)
{
	int64_t end_s = begin_s + job->wall_limit_s;

	for (size_t i = 0; i < list->count && grace_s > 0; i++)
		if (list->item[i].job != job->id && list->item[i].begin_s >= end_s &&
		    list->item[i].begin_s < end_s + grace_s)
			return end_s + grace_s;
	return end_s;
}

const struct reservation *reservation_of(const struct reservations *list, uint64_t job)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->item[i].job == job)
			return &list->item[i];
	return NULL;
}
