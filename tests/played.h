/* SPDX-License-Identifier: MIT */
/*
 * played.h - plays a scene to its end and compares it with its projection
 *
 * The scene is played pass by pass, with jobs that run as long as the projection assumes; every job must
 * start at its projected second. For tests that include cmocka.h.
 */
#ifndef TESTS_PLAYED_H
#define TESTS_PLAYED_H

#include "sched/forecast/project.h"
#include "tests/scene.h"

/* The earliest projected end of the running jobs. */
static inline int64_t played_next_end_s(const struct scene *sc, const struct snapshot *from,
					const struct projection *p)
{
	const struct snapshot *s = scene_view(sc);
	int64_t next_s = TIME_NEVER;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		uint64_t id = snapshot_jobs(s)[snapshot_running(s)[i]].id;
		int64_t end_s = p->end_s[snapshot_find_job(from, id)];

		if (end_s < next_s)
			next_s = end_s;
	}
	return next_s;
}

static inline void played_end_due_jobs(struct scene *sc, const struct snapshot *from,
				       const struct projection *p)
{
	const struct snapshot *s = scene_view(sc);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING);) {
		uint64_t id = snapshot_jobs(s)[snapshot_running(s)[i]].id;

		if (p->end_s[snapshot_find_job(from, id)] > sc->now_s) {
			i++;
			continue;
		}
		scene_end(sc, id);
		s = scene_view(sc);
		i = 0;
	}
}

static inline void played_check_starts(const struct scene *sc, const struct snapshot *from,
				       const struct projection *p)
{
	const struct snapshot *s = scene_view(sc);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[i]];

		assert_true(p->start_s[snapshot_find_job(from, job->id)] == job->start_s);
	}
}

/* Drops the jobs whose dependency can no longer be met; returns their number. */
static inline uint32_t played_drop(struct scene *sc)
{
	uint32_t waiting = snapshot_count(scene_view(sc), TABLE_WAITING);

	scene_take_drops(sc);
	return waiting - snapshot_count(scene_view(sc), TABLE_WAITING);
}

/* Plays until no event is left. from: the projected snapshot, of which the scene is a copy. Returns the
 * number of jobs dropped because their dependency could no longer be met. */
static inline uint32_t played_to_the_end(struct scene *sc, const struct snapshot *from,
					 const struct projection *p)
{
	uint32_t dropped = 0;

	for (unsigned passes = 0;; passes++) {
		int64_t next_s;

		assert_true(passes < 100000);
		played_end_due_jobs(sc, from, p);
		scene_take_returns(sc);
		dropped += played_drop(sc);
		scene_pass(sc);
		played_check_starts(sc, from, p);
		next_s = played_next_end_s(sc, from, p);
		if (sc->result.next_due_s < next_s)
			next_s = sc->result.next_due_s;
		if (next_s == TIME_NEVER)
			return dropped;
		if (next_s > sc->now_s)
			sc->now_s = next_s;
	}
}

#endif
