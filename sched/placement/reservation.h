/* SPDX-License-Identifier: MIT */
/*
 * reservation.h - job reservations of one scheduling pass
 *
 * A job reservation reserves processors for an idle job from its estimated start to the end of its wallclock
 * limit. While all processors are interchangeable, it reserves a number of processors, and nodes are chosen
 * when the job starts; otherwise it names the nodes.
 */
#ifndef PLACEMENT_RESERVATION_H
#define PLACEMENT_RESERVATION_H

#include <stddef.h>
#include <stdint.h>

#include "sched/model/job.h"

struct profile;

struct reservation {
	uint64_t job;
	uint32_t slot;
	uint32_t placed; /* 1: kept from an earlier pass; its processors are already taken in the placement */
	int64_t begin_s, end_s;
	int64_t procs;
	uint32_t first_run,
		run_count; /* the named nodes, in reservations.runs; run_count 0: it names no nodes */
};

/* A zeroed struct is a valid empty list; reservations_free releases its memory. */
struct reservations {
	struct reservation *item; /* in the order of creation */
	size_t count, cap;
	struct alloc_list runs; /* the nodes of all reservations that name nodes */
};

/* Empties the list and keeps its memory. */
void reservations_reset(struct reservations *list);

void reservations_free(struct reservations *list);

/* Appends `r` unchanged. The caller must take its processors from the profile. */
void reservation_add(struct reservations *list, struct reservation r);

/*
 * Finds the earliest time >= from_s from which r.procs processors are free for duration_s, takes them from
 * the profile and appends r with its start and end set. Returns the start; TIME_NEVER, with nothing changed,
 * if there is none.
 */
int64_t reservation_make(struct reservations *list, struct profile *profile, struct reservation r,
			 int64_t from_s, int64_t duration_s);

/*
 * Returns the job, other than not_job, whose reservation begins at at_s; the first created if there are
 * several. 0 = none.
 */
uint64_t reservation_beginning(const struct reservations *list, int64_t at_s, uint64_t not_job);

/*
 * Returns the first reservation, other than that of not_job, that begins after at_s; NULL if there is none.
 */
const struct reservation *reservation_next(const struct reservations *list, int64_t at_s, uint64_t not_job);

/*
 * Returns the end of the interval in which processors must be free for a job to start at begin_s: the end of
 * the job's wallclock limit, or grace_s later if a reservation of another job begins within that time,
 * because the job might run up to grace_s beyond its limit.
 */
int64_t reservations_end_s(const struct reservations *list, const struct job *job, int64_t begin_s,
			   int64_t grace_s);

/* Returns the reservation of a job; NULL if it has none. */
const struct reservation *reservation_of(const struct reservations *list, uint64_t job);

#endif
