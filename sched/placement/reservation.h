/* SPDX-License-Identifier: MIT */
/*
 * reserve.h - who is promised which processors from when to when?
 *
 * The reservations of one pass: so far those of waiting jobs. Where any processor is as good
 * as another a reservation holds capacity, and gets its nodes at its start; else it
 * names nodes (requirements M-11).
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
	uint32_t placed; /* 1: of a kept reservation, what it needs is taken already */
	int64_t begin_s, end_s;
	int64_t procs;
	uint32_t first_run, run_count; /* the nodes it names, into the list's runs; count 0: it floats */
};

/* Zero is a valid empty list; reservations_free gives the memory back. */
struct reservations {
	struct reservation *item; /* in the order made */
	size_t count, cap;
	struct alloc_list runs; /* of those that name nodes */
};

/* Forgets all, keeps the memory. */
void reservations_reset(struct reservations *list);

void reservations_free(struct reservations *list);

/* Adds r as it is, to be taken from the profile by the caller. */
void reservation_add(struct reservations *list, struct reservation r);

/*
 * Finds the earliest begin at or after from_s for r->procs over duration_s, takes it from
 * the profile and adds r to the list with begin and end written. Returns the begin;
 * TIME_NEVER (nothing added) when there is none.
 */
int64_t reservation_make(struct reservations *list, struct profile *profile, struct reservation r,
			 int64_t from_s, int64_t duration_s);

/* The job of a reservation that begins at at_s, not not_job's; the one made first; 0 = none. */
uint64_t reservation_beginning(const struct reservations *list, int64_t at_s, uint64_t not_job);

/* The first to begin after at_s, not not_job's; NULL if there is none. */
const struct reservation *reservation_next(const struct reservations *list, int64_t at_s, uint64_t not_job);

/*
 * The end of the time that must be free for a job to start at begin_s. That is its wallclock limit; but if a
 * reservation of another job begins within grace_s after it, the job could run on into that reservation, and
 * the end is grace_s later.
 */
int64_t reservations_end_s(const struct reservations *list, const struct job *job, int64_t begin_s,
			   int64_t grace_s);

/* The reservation of a job; NULL if it has none. */
const struct reservation *reservation_of(const struct reservations *list, uint64_t job);

#endif
