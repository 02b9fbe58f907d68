/* SPDX-License-Identifier: MIT */
/*
 * small_past.h - how does a test make a past in a few lines, and run it again?
 *
 *     past_begin(&p, 2, 1);           two nodes of one processor; what happens to p.sc now comes before
 *     past_record(&p);                from here on it is on record
 *     ...                             scene_submit, scene_pass, past_end, ...
 *     r = past_again(&p, NULL, RERUN_AS_RECORDED, NULL);
 */
#ifndef TESTS_SMALL_PAST_H
#define TESTS_SMALL_PAST_H

#include "sched/base/vec.h"
#include "sched/host/event_copy.h"
#include "sched/host/rerun.h"
#include "tests/scene.h"

struct past {
	struct scene *sc;
	struct arena arena;
	struct event *event;
	size_t count, room;
	struct state *from; /* as it was when the record begins */
	int64_t from_s;
	struct rerun_record record; /* since the last past_look or past_again */
};

static inline void past_take(void *self, const struct event *ev)
{
	struct past *p = self;

	p->event = vec_room(p->event, &p->room, p->count + 1, sizeof *p->event);
	p->event[p->count++] = event_copy(&p->arena, ev);
}

static inline void past_begin(struct past *p, uint32_t nodes, uint32_t procs)
{
	*p = (struct past){.sc = scene_new(nodes, procs)};
}

static inline void past_record(struct past *p)
{
	p->from = state_from_snapshot(scene_view(p->sc));
	p->from_s = p->sc->now_s;
	p->sc->tell = past_take;
	p->sc->tell_self = p;
}

/* Its manager reports the end of a job. */
static inline void past_end(struct past *p, uint64_t job)
{
	struct event ev = {.kind = EVENT_END, .job = job, .who = "sched"};

	scene_apply(p->sc, &ev);
}

/* Its manager could not start it. */
static inline void past_refuse_start(struct past *p, uint64_t job)
{
	struct event ev = {.kind = EVENT_DEFER,
			   .job = job,
			   .who = "sched",
			   .defer = {.until_s = TIME_NONE, .failed_start = true, .reason = "no answer"}};

	scene_apply(p->sc, &ev);
}

/* What is on record until now. */
static inline const struct rerun_record *past_look(struct past *p)
{
	rerun_record_clear(&p->record);
	rerun_record_begin(&p->record, state_view(p->from), p->from_s, p->sc->now_s);
	for (size_t i = 0; i < p->count; i++)
		assert_true(rerun_record_take(&p->record, &p->event[i]));
	rerun_record_finish(&p->record);
	return &p->record;
}

/* other: the beginning in place of that on record; NULL = as it was. config likewise. */
static inline struct rerun *past_again(struct past *p, const struct state *other, enum rerun_pace pace,
				       const char *config)
{
	struct rerun_setup setup = {.record = past_look(p),
				    .from = state_view(other != NULL ? other : p->from),
				    .pace = pace,
				    .config_file = "other.conf",
				    .config_text = config};
	struct err err;
	struct rerun *r = rerun_new(&setup, &err);

	assert_non_null(r);
	for (size_t i = 0; i < p->count; i++)
		assert_true(rerun_take(r, &p->event[i]));
	rerun_finish(r);
	return r;
}

static inline void past_free(struct past *p)
{
	rerun_record_clear(&p->record);
	state_free(p->from);
	scene_free(p->sc);
	arena_free(&p->arena);
	free(p->event);
}

#endif
