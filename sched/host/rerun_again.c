/* SPDX-License-Identifier: MIT */
/*
 * rerun_again.c - what people, managers and nodes did: does it happen again, and can it?
 *
 * Numbers of entries are others than in the journal, so what an undo names is looked up. What people did and
 * cannot be done here is told; what a manager reports of a job that does not run here says nothing.
 */
#include <stdlib.h>

#include "fingerprint.h"
#include "rerun_inside.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

static void note_twin(struct rerun *r, uint64_t on_record, uint64_t here)
{
	r->twin = vec_room(r->twin, &r->twin_room, r->twins + 1, sizeof *r->twin);
	r->twin[r->twins++] = (struct twin){on_record, here};
}

static int by_record(const void *left, const void *right)
{
	const struct twin *a = left, *b = right;

	return a->on_record < b->on_record ? -1 : a->on_record > b->on_record;
}

/* Under which number that entry is known here; 0: it did not happen. */
static uint64_t twin_of(const struct rerun *r, uint64_t on_record)
{
	struct twin key = {.on_record = on_record};
	const struct twin *found;

	if (on_record <= r->record->first_seq)
		return on_record;
	if (r->twins == 0)
		return 0;
	found = bsearch(&key, r->twin, r->twins, sizeof key, by_record);
	return found == NULL ? 0 : found->here;
}

/* Under another policy what was set live is neither undone nor kept, as it is not set. */
static bool is_of_the_policy(const struct rerun *r, const struct event *ev)
{
	uint64_t here = twin_of(r, ev->undo.seq);
	const struct change *change = here == 0 ? NULL : state_find_change(state_view(r->st), here);

	return r->other_policy && (change == NULL || change->kind == CHANGE_SETTING);
}

/* What did not happen here cannot be taken back or kept. */
static bool is_of_what_is_left_out(const struct rerun *r, const struct event *ev)
{
	return r->without != 0 && twin_of(r, ev->undo.seq) == 0;
}

/* The end of a job that was not started then is of another start. */
static bool is_its_end(const struct rerun *r, const struct event *ev)
{
	size_t place = rerun_place(r, ev->job);
	const struct job *job = rerun_job_here(r, ev->job);

	return place < r->record->jobs && job != NULL && job->state == JOB_RUNNING &&
	       r->end_s[place] == TIME_NONE;
}

bool rerun_happens_again(const struct rerun *r, const struct event *ev)
{
	switch (ev->kind) {
	case EVENT_SIM:
		return false;
	case EVENT_CONFIG:
	case EVENT_SETTING:
		return !r->other_policy;
	case EVENT_UNDO:
	case EVENT_KEEP:
		return !is_of_the_policy(r, ev) && !is_of_what_is_left_out(r, ev);
	case EVENT_END:
		return is_its_end(r, ev);
	default:
		return true;
	}
}

/* What a manager reports of a job that does not run here says nothing; what people did is told. */
static void note_refusal(struct rerun *r, const struct event *ev, const struct err *err)
{
	struct str what = {0};

	if (ev->who != NULL && str_same_word(ev->who, "sched"))
		return;
	if (ev->kind == EVENT_SUBMIT)
		r->rejected += job_record_tasks(&ev->submit);
	if (r->refusals < REFUSALS_KEPT) {
		event_describe(ev, r->clock, &what);
		r->refusal[r->refusals] =
			(struct rerun_refusal){.time_s = ev->time_s,
					       .job = ev->job,
					       .what = arena_string(&r->arena, str_text(&what)),
					       .why = arena_string(&r->arena, err->text)};
		str_free(&what);
	}
	r->refusals++;
}

bool rerun_do_again(struct rerun *r, const struct event *ev)
{
	struct event copy = *ev;
	struct err err;

	if (ev->kind == EVENT_UNDO || ev->kind == EVENT_KEEP)
		copy.undo.seq = twin_of(r, ev->undo.seq);
	if (!event_apply(r->st, &copy, &err)) {
		note_refusal(r, ev, &err);
		return false;
	}
	if (event_can_undo(ev->kind))
		note_twin(r, ev->seq, copy.seq);
	if (ev->kind == EVENT_START)
		fingerprint_add(&r->hash, &copy);
	rerun_note(r, &copy);
	return true;
}

void rerun_note_return(struct rerun *r, const struct event *ev)
{
	uint64_t undone = twin_of(r, ev->undo.seq);
	const struct snapshot *s = state_view(r->st);

	for (uint32_t i = snapshot_count(s, TABLE_CHANGES); i-- > 0 && undone != 0;) {
		const struct change *change = &snapshot_changes(s)[i];

		if (change->kind == CHANGE_UNDO && (uint64_t)change->number == undone) {
			note_twin(r, ev->seq, change->seq);
			return;
		}
	}
}
