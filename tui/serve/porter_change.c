/* SPDX-License-Identifier: MIT */
/*
 * porter_change.c - what becomes of a change that somebody asks for at the door?
 *
 * One request is one batch: all of it happens, or nothing; but for what is about jobs that have moved on
 * since they were chosen, where who asks has said how they were. A change whose cookie is known is not made
 * again but answered as it was.
 */
#include <stdlib.h>
#include <string.h>

#include "petition.h"
#include "porter_inside.h"
#include "sched/base/vec.h"
#include "sched/rm/monotonic.h"

/* Is the job of an event another than it was when it was chosen? One that has ended is in no state. */
static bool has_moved(const struct state *st, const struct request_text *text, size_t i)
{
	uint32_t slot;

	if (text->was == NULL || text->was[i] == JOB_NONE)
		return false;
	slot = state_find(st, text->event[i].job);
	return slot == INDEX_NONE || snapshot_jobs(state_view(st))[slot].state != text->was[i];
}

/* Leaves out what is about jobs that have moved on. False: nothing is, or nothing would be left. */
static bool leave_moved(const struct porter *p, struct asked *a)
{
	struct request_text *text = &a->text;
	size_t kept = 0;

	a->place = arena_take(&a->arena, (text->count + 1) * sizeof *a->place);
	for (size_t i = 0; i < text->count; i++)
		if (!has_moved(driver_state(p->driver), text, i))
			a->place[kept++] = i;
	if (kept == 0 || kept == text->count)
		return false;
	for (size_t i = 0; i < kept; i++)
		text->event[i] = text->event[a->place[i]];
	text->count = kept;
	return true;
}

/* Each at the place where it stood in the request. */
static void note_applied(struct asked *a)
{
	const struct request_text *text = &a->text;

	a->answer.count = a->events;
	a->answer.applied = mem_zero(a->events + 1, sizeof *a->answer.applied);
	for (size_t i = 0; i < text->count; i++) {
		const struct event *ev = &text->event[i];

		a->answer.applied[text->count < a->events ? a->place[i] : i] =
			(struct applied){ev->seq, ev->job, ev->until_s};
	}
}

/* All zero: who asks does not want to be remembered. */
static bool has_cookie(const struct asked *a)
{
	static const unsigned char none[COOKIE_BYTES];

	return memcmp(a->text.cookie, none, COOKIE_BYTES) != 0;
}

static struct cookie cookie_of(const struct asked *a)
{
	struct cookie cookie = {.uid = (uint32_t)a->peer.uid};

	memcpy(cookie.bytes, a->text.cookie, COOKIE_BYTES);
	return cookie;
}

/* False with a sentence: it is not known whether it was made. */
static bool recall(const struct porter *p, struct asked *a, struct err *err)
{
	struct cookie cookie = cookie_of(a);

	a->asked_before = false;
	str_clear(&a->kept);
	return !has_cookie(a) || driver_recall(p->driver, &cookie, &a->asked_before, &a->kept, err);
}

static enum driver_outcome accept_all(struct porter *p, struct asked *a, struct err *err)
{
	struct petition petition = {.by = porter_who(p, a),
				    .st = driver_state(p->driver),
				    .fates = p->fates,
				    .store = p->store,
				    .now_s = p->now_s,
				    .configured = p->configured,
				    .allowance = p->allowance,
				    .use = a->use,
				    .size = a->size,
				    .names = a->use->names};
	enum driver_outcome outcome;

	if (!petition_sign(&petition, a->text.event, a->text.count, &a->arena, err))
		return DRIVER_REFUSED;
	outcome = driver_accept(p->driver, a->text.event, a->text.count, err);
	if (outcome == DRIVER_DONE) {
		a->use->names += petition.new_names;
		allowance_charge_journal(a->use, petition.journal);
	}
	return outcome;
}

/*
 * Of many jobs that were chosen together some may end or start before it is heard here: that is no reason to
 * leave the others.
 */
static enum driver_outcome accept_events(struct porter *p, struct asked *a, struct err *err)
{
	enum driver_outcome outcome;

	a->events = a->text.count;
	outcome = accept_all(p, a, err);
	return outcome == DRIVER_REFUSED && leave_moved(p, a) ? accept_all(p, a, err) : outcome;
}

void porter_take_change(struct porter *p, struct asked *a)
{
	struct cookie cookie = cookie_of(a);

	if (!recall(p, a, &a->answer.err)) {
		a->refused = true;
		return;
	}
	if (a->asked_before)
		return;
	a->answer.outcome = accept_events(p, a, &a->answer.err);
	a->accepted = a->answer.outcome == DRIVER_DONE;
	a->refused = !a->accepted;
	if (a->answer.outcome == DRIVER_FAILED)
		p->failed = a->answer.err;
	if (!a->accepted)
		return;
	note_applied(a);
	answer_write(&a->answer, &a->kept);
	if (has_cookie(a) && a->text.count > 0)
		driver_remember(p->driver, &cookie, a->kept.data, a->kept.len);
}

/* The store could not be written: of what was accepted in this turn nothing is true any more. */
static void take_back(struct porter *p, struct asked *a, enum driver_outcome outcome, const struct err *why)
{
	struct err err;

	if (a->asked_before && recall(p, a, &err) && a->asked_before)
		return;
	str_clear(&a->kept);
	free(a->answer.applied);
	a->answer = (struct answer_text){.outcome = outcome, .now_s = p->now_s, .err = *why};
	a->refused = true;
}

/* Of a request in a commit: its changes, and its bytes, which are mostly what is to be run. */
#define BYTES_LIKE_A_CHANGE 1024

static uint64_t weight_of(const struct asked *a)
{
	return petition_weight(a->text.event, a->text.count) + a->size / BYTES_LIKE_A_CHANGE;
}

/*
 * What a commit took is paid by those whose changes are in it. While the disk writes no processor is used,
 * but everybody waits: each byte counts as it takes on a disk of 200 MB/s. The time itself would count
 * against a user what others do to the disk.
 */
#define DISK_NS_PER_BYTE 5

static void share_cost(struct porter *p, uint64_t changes, int64_t took_ns)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct asked *a = p->asked[i];

		if (a->accepted)
			allowance_charge(a->use,
					 (int64_t)((double)took_ns * (double)weight_of(a) / (double)changes) +
						 (int64_t)a->size * DISK_NS_PER_BYTE);
	}
}

void porter_settle(struct porter *p)
{
	enum driver_outcome outcome = DRIVER_FAILED;
	struct err err = p->failed;
	uint64_t changes = 0;
	bool any = false;
	int64_t began_ns;

	for (size_t i = 0; i < p->count; i++) {
		const struct asked *a = p->asked[i];

		any = any || a->accepted;
		if (a->accepted)
			changes += weight_of(a);
	}
	if (!any)
		return;
	began_ns = monotonic_thread_ns();
	if (p->failed.text[0] == '\0')
		outcome = driver_settle(p->driver, p->now_s, &err);
	if (changes > 0)
		share_cost(p, changes, monotonic_thread_ns() - began_ns);
	if (outcome == DRIVER_FAILED)
		p->failed = err;
	for (size_t i = 0; i < p->count && outcome == DRIVER_DONE; i++)
		if (p->asked[i]->accepted) {
			p->asked[i]->use->changed_seq = driver_view(p->driver)->seq;
			p->asked[i]->use->changed_ms = monotonic_ms();
		}
	for (size_t i = 0; i < p->count && outcome != DRIVER_DONE; i++)
		if (p->asked[i]->accepted || p->asked[i]->asked_before)
			take_back(p, p->asked[i], outcome, &err);
}
