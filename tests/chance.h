/* SPDX-License-Identifier: MIT */
/*
 * chance.h - what might happen to a scene, at random?
 *
 * Small clusters, short times and few sizes, so that jobs collide, tie and end together.
 */
#ifndef TESTS_CHANCE_H
#define TESTS_CHANCE_H

#include "sched/base/rng.h"
#include "tests/scene.h"

enum chance_kind {
	CHANCE_TASKS = 1,       /* some jobs have tasks of several processors                      */
	CHANCE_STEADY = 2,      /* time and passes do not change which of two jobs ranks higher    */
	CHANCE_BACKFILL = 4,    /* backfill is always on                                           */
	CHANCE_DATES = 8,       /* some jobs have a start date                                     */
	CHANCE_PLAIN = 16,      /* no holds at submission, no policy of queue time                 */
	CHANCE_REPEATABLE = 32, /* what a pass changes of the queue time and counts changes no rank */
	CHANCE_LATE = 64,       /* time may go on past ends and due passes without a pass */
	CHANCE_LIMITS = 128,    /* limits of all kinds, fairshare with caps, dependencies, classes */
	CHANCE_RESERVED = 256,  /* operators reserve nodes in advance, and release them         */
	CHANCE_ARRAYS = 512     /* some jobs are arrays, of which some may run at a time        */
};

uint32_t chance_below(struct rng *rng, uint32_t limit);

/* A cluster with a policy. kinds: enum chance_kind bits. */
struct scene *chance_scene(struct rng *rng, unsigned kinds);

/* The text of a policy; free() it. */
char *chance_policy(struct rng *rng, unsigned kinds);

/* Submits a job; returns its id. */
uint64_t chance_submit(struct rng *rng, struct scene *sc, unsigned kinds);

/* An operator does something: a hold, a release, a priority, a setting, an undo. False if it was refused. */
bool chance_act(struct rng *rng, struct scene *sc, unsigned kinds);

/* A setting as an operator might change it; value has room for 32 bytes. Returns its name. */
const char *chance_setting(struct rng *rng, unsigned kinds, char value[static 32]);

/* The id of a waiting job, or 0. */
uint64_t chance_waiting(struct rng *rng, const struct scene *sc);

/* Time goes on, to the next end or to when the last pass wants another, or not so far; ends happen. */
void chance_go(struct rng *rng, struct scene *sc, unsigned kinds);

/* All that may happen between two passes: time, arrivals, and now and then an operator (one in `calm` steps;
 * 0 = never). */
void chance_step(struct rng *rng, struct scene *sc, unsigned kinds, uint32_t calm);

#endif
