/* SPDX-License-Identifier: MIT */
/*
 * reservation.h - job reservations of one scheduling pass
 *
 * A job reservation gives an idle job processors from its estimated start to the end of its wallclock limit.
 * While all processors are interchangeable, a reservation holds a number of processors and gets its nodes at
 * the start of the job; otherwise it names nodes (requirements M-11).
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
	uint32_t placed; /* 1: kept from an earlier pass, and already taken from the placement */
	int64_t begin_s, end_s;
	int64_t procs;
	uint32_t first_run,
		run_count; /* the nodes it names, in reservations.runs; run_count 0: it names none */
};

/* A zeroed struct is a valid empty list; reservations_free releases its memory. */
struct reservations {
	struct reservation *item; /* in the order of creation */
	size_t count, cap;
	struct alloc_list runs; /* of reservations that name nodes */
};

/* Empties the list and keeps its memory. */
void reservations_reset(struct reservations *list);

void reservations_free(struct reservations *list);

/* Appends r unchanged; the caller takes its processors from the profile. */
void reservation_add(struct reservations *list, struct reservation r);

/*
 * Finds the earliest time >= from_s with r->procs processors free for duration_s, takes them from the profile
 * and appends r with its start and end set. Returns the start; TIME_NEVER, and nothing appended, if there is
 * none.
 */
int64_t reservation_make(struct reservations *list, struct profile *profile, struct reservation r,
			 int64_t from_s, int64_t duration_s);

/* The job whose reservation begins at at_s, other than not_job; the first created if several do; 0 = none. */
uint64_t reservation_beginning(const struct reservations *list, int64_t at_s, uint64_t not_job);

/* The first reservation to begin after at_s, other than that of not_job; NULL if there is none. */
const struct reservation *reservation_next(const struct reservations *list, int64_t at_s, uint64_t not_job);

/*
 * The end of the interval that must be free for a job to start at begin_s. It is the end of the job's
 * wallclock limit; but if a reservation of another job begins within grace_s after that, the job could
 * overrun into the reservation, and the end is grace_s later.
 */
int64_t reservations_end_s(const struct reservations *list, const struct job *job, int64_t begin_s,
			   int64_t grace_s);

/* The reservation of a job; NULL if it has none. */
const struct reservation *reservation_of(const struct reservations *list, uint64_t job);

#endif
