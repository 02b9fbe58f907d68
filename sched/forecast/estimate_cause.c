/* SPDX-License-Identifier: MIT */
/*
 * estimate_cause.c - what moved the start of a job between what was said and what came?
 *
 * The moves of a job telescope: each is what is said after less what was said before, the first is what was
 * said at its submission and the last its start.
 */
#include "estimate_cause.h"

#include <string.h>

const char *estimate_cause_name(enum estimate_cause cause)
{
	static const char *const names[ESTIMATE_CAUSES] = {"ends", "arrivals", "people", "machine", "time"};

	return names[cause];
}

static bool is_of_people(const struct event *ev)
{
	return ev->who != NULL && strcmp(ev->who, "sched") != 0;
}

/* Of an end: somebody wanted it, or the job came to it by itself. */
static enum estimate_cause cause_of_end(const struct snapshot *s, const struct event *ev)
{
	uint32_t slot = snapshot_find_job(s, ev->job);
	const struct job *job = slot == INDEX_NONE ? NULL : &snapshot_jobs(s)[slot];

	if (job == NULL || (job->state == JOB_RUNNING && ev->time_s >= job_due_end_s(job)))
		return ESTIMATE_BY_TIME;
	return job_is_leaving(job) ? ESTIMATE_BY_PEOPLE : ESTIMATE_BY_END;
}

/* BY_TIME: it moves nothing by itself, as what the scheduler decides is what had been planned. */
static enum estimate_cause cause_of(const struct snapshot *s, const struct event *ev)
{
	switch (ev->kind) {
	case EVENT_END:
		return cause_of_end(s, ev);
	case EVENT_SUBMIT:
		return ESTIMATE_BY_ARRIVAL;
	case EVENT_NODE:
		return is_of_people(ev) ? ESTIMATE_BY_PEOPLE : ESTIMATE_BY_MACHINE;
	case EVENT_DEFER:
		return ESTIMATE_BY_MACHINE;
	case EVENT_SUSPEND:
		return (ev->suspend.how & SUSPEND_RESUMED) != 0 ? ESTIMATE_BY_TIME : ESTIMATE_BY_PEOPLE;
	case EVENT_CONFIG:
	case EVENT_HOLD:
	case EVENT_PRIORITY:
	case EVENT_SETTING:
	case EVENT_UNDO:
	case EVENT_CANCEL:
	case EVENT_MODIFY:
	case EVENT_REQUEUE:
	case EVENT_HALT:
	case EVENT_RESERVE:
	case EVENT_UNRESERVE:
		return ESTIMATE_BY_PEOPLE;
	default:
		return ESTIMATE_BY_TIME;
	}
}

/* --- moves ----------------------------------------------------------------------------------------- */

static int64_t size_of(int64_t moved_s)
{
	return moved_s < 0 ? -moved_s : moved_s;
}

/* ev NULL: by time. */
static void add_move(struct estimate_tale *t, enum estimate_cause cause, int64_t moved_s,
		     const struct event *ev)
{
	struct estimate_move *m = &t->by[cause];

	if (moved_s == 0)
		return;
	m->moved_s += moved_s;
	m->entries++;
	if (size_of(moved_s) <= size_of(m->most_s))
		return;
	m->most_s = moved_s;
	m->most_seq = ev == NULL ? 0 : ev->seq;
	m->most_job = ev == NULL ? 0 : ev->job;
}

static void expect(struct estimate_tale *t, int64_t start_s, enum estimate_cause cause,
		   const struct event *ev)
{
	if (start_s == TIME_NEVER) {
		if (t->expected_s != TIME_NEVER)
			t->unknown_by = cause;
		t->expected_s = TIME_NEVER;
		return;
	}
	if (t->expected_s == TIME_NEVER)
		cause = t->unknown_by;
	add_move(t, cause, start_s - t->known_s, ev);
	t->expected_s = t->known_s = start_s;
}

static bool is_followed(const struct estimate_tale *t)
{
	return t->begun && !t->ended;
}

static bool any_followed(const struct estimate_follower *f)
{
	for (size_t i = 0; i < f->count; i++)
		if (is_followed(&f->tale[i]))
			return true;
	return false;
}

/* Nobody is followed any more. */
static void give_up(struct estimate_follower *f)
{
	for (size_t i = 0; i < f->count; i++)
		if (!f->tale[i].ended)
			f->tale[i].lost = f->tale[i].ended = true;
}

/* What is said at a moment; cause: what has brought it about. */
static void look(struct estimate_follower *f, int64_t at_s, enum estimate_cause cause, const struct event *ev)
{
	const struct snapshot *s = state_view(f->st);

	f->cost += snapshot_count(s, TABLE_WAITING) + snapshot_count(s, TABLE_RUNNING);
	if (f->cost > f->most) {
		give_up(f);
		return;
	}
	plan_build(&f->plan, s, at_s);
	f->planned_s = at_s;
	f->planned_seq = s->seq;
	for (size_t i = 0; i < f->count; i++) {
		uint32_t slot =
			is_followed(&f->tale[i]) ? snapshot_find_job(s, f->tale[i].row.job) : INDEX_NONE;

		if (slot != INDEX_NONE)
			expect(&f->tale[i], f->plan.start_s[slot], cause, ev);
	}
}

/* --- the walk -------------------------------------------------------------------------------------- */

void estimate_follower_begin(struct estimate_follower *f, struct state *st,
			     const struct estimate_row *const *row, size_t count, int64_t most)
{
	*f = (struct estimate_follower){.st = st, .count = count, .most = most};
	for (size_t i = 0; i < count; i++) {
		int64_t said_s = row[i]->said_s[ESTIMATE_SUBMITTED][ESTIMATE_INSTANT];

		f->tale[i] = (struct estimate_tale){.row = *row[i], .expected_s = said_s, .known_s = said_s};
	}
}

/* Those that are submitted by it begin here; they have been asked about. */
static void begin_tales(struct estimate_follower *f, const struct event *ev)
{
	uint64_t end = ev->job + job_record_tasks(&ev->submit);

	for (size_t i = 0; i < f->count; i++)
		if (f->tale[i].row.job >= ev->job && f->tale[i].row.job < end)
			f->tale[i].begun = true;
}

static void end_tale(struct estimate_follower *f, const struct event *ev)
{
	for (size_t i = 0; i < f->count; i++) {
		struct estimate_tale *t = &f->tale[i];

		if (t->row.job != ev->job || !is_followed(t))
			continue;
		if (is_of_people(ev))
			expect(t, ev->time_s, ESTIMATE_BY_PEOPLE, ev);
		else
			expect(t, ev->time_s, ESTIMATE_BY_TIME, NULL);
		t->ended = true;
	}
}

bool estimate_follower_take(struct estimate_follower *f, const struct event *ev, struct err *err)
{
	enum estimate_cause cause = cause_of(state_view(f->st), ev);
	bool moves = cause != ESTIMATE_BY_TIME && any_followed(f);

	if (moves && (f->planned_seq != state_view(f->st)->seq || f->planned_s != ev->time_s))
		look(f, ev->time_s, ESTIMATE_BY_TIME, NULL);
	if (!estimate_follow(f->st, ev, err))
		return false;
	if (moves && any_followed(f))
		look(f, ev->time_s, cause, ev);
	if (ev->kind == EVENT_SUBMIT)
		begin_tales(f, ev);
	else if (ev->kind == EVENT_START)
		end_tale(f, ev);
	return true;
}

bool estimate_follower_is_done(const struct estimate_follower *f)
{
	for (size_t i = 0; i < f->count; i++)
		if (!f->tale[i].ended)
			return false;
	return true;
}

void estimate_follower_clear(struct estimate_follower *f)
{
	plan_clear(&f->plan);
	*f = (struct estimate_follower){.count = 0};
}

enum estimate_cause estimate_main_cause(const struct estimate_tale *tale)
{
	int64_t error_s = tale->row.start_s - tale->row.said_s[ESTIMATE_SUBMITTED][ESTIMATE_INSTANT];
	enum estimate_cause main = ESTIMATE_CAUSES;
	int64_t most_s = 0;

	for (enum estimate_cause cause = 0; cause < ESTIMATE_CAUSES; cause++) {
		int64_t moved_s = error_s < 0 ? -tale->by[cause].moved_s : tale->by[cause].moved_s;

		if (moved_s <= most_s)
			continue;
		main = cause;
		most_s = moved_s;
	}
	return main;
}
