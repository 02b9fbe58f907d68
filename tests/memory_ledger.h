/* SPDX-License-Identifier: MIT */
/*
 * memory_ledger.h - a ledger in memory that checks what a driver commits
 *
 * Each commit copies all texts, applies the events to a separate state, and compares that state with the
 * committed one; the first difference is kept in `fault`. Commits and loads fail on request. Loading applies
 * all events again.
 */
#ifndef TESTS_MEMORY_LEDGER_H
#define TESTS_MEMORY_LEDGER_H

#include <stdlib.h>
#include <string.h>

#include "sched/base/arena.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/host/event_copy.h"
#include "sched/host/ledger.h"

struct memory_ledger {
	struct state *st; /* after all events so far */
	struct arena arena;
	struct event *event; /* all events */
	size_t count, room;
	struct str ended;          /* "7 ended at 100, status 0, user u1, 4 processors" a line */
	struct answered *answered; /* all answers, in the arena */
	size_t answered_count, answered_room;
	unsigned commits;   /* successful commits */
	unsigned fail_next; /* number of commits to refuse                 */
	unsigned launches;  /* launches that were read */
	bool fail_load;
	struct err fault; /* the first error found */
};

static inline void memory_fault(struct memory_ledger *m, const char *what)
{
	if (m->fault.text[0] == '\0')
		err_set(&m->fault, "commit %u: %s", m->commits, what);
}

static inline void memory_take_event(struct memory_ledger *m, const struct event *ev)
{
	struct event applied = *ev;
	struct err err;

	m->event = vec_room(m->event, &m->room, m->count + 1, sizeof *m->event);
	m->event[m->count++] = event_copy(&m->arena, ev);
	if (!event_apply(m->st, &applied, &err))
		memory_fault(m, err.text);
	else if (applied.seq != ev->seq)
		memory_fault(m, "the numbers of events are not consecutive");
}

static inline void memory_take_ended(struct memory_ledger *m, const struct ended_job *ended)
{
	const struct job_record *record = &ended->record;
	int64_t procs = 0;

	for (uint32_t i = 0; i < record->run_count; i++)
		procs += (int64_t)record->runs[i].nodes * record->runs[i].procs;
	str_addf(&m->ended,
		 "%llu ended at %lld%s, status %d, started at %lld, user %s, name %s, %lld processors\n",
		 (unsigned long long)record->job.id, (long long)ended->end_s,
		 ended->at_limit ? " (limit)" : "", (int)ended->status, (long long)record->job.start_s,
		 record->cred[CRED_USER] ? record->cred[CRED_USER] : "none",
		 record->name ? record->name : "none", (long long)procs);
}

static inline const struct answered *memory_find_answer(const struct memory_ledger *m,
							const struct cookie *cookie)
{
	for (size_t i = 0; i < m->answered_count; i++)
		if (m->answered[i].cookie.uid == cookie->uid &&
		    memcmp(m->answered[i].cookie.bytes, cookie->bytes, COOKIE_BYTES) == 0)
			return &m->answered[i];
	return NULL;
}

static inline void memory_take_answer(struct memory_ledger *m, const struct answered *answered)
{
	struct answered *kept;

	if (memory_find_answer(m, &answered->cookie) != NULL)
		memory_fault(m, "a cookie is kept twice");
	m->answered = vec_room(m->answered, &m->answered_room, m->answered_count + 1, sizeof *m->answered);
	kept = &m->answered[m->answered_count++];
	*kept = *answered;
	kept->answer = arena_copy(&m->arena, answered->answer, answered->size);
}

static inline bool memory_recall(void *self, const struct cookie *cookie, bool *known, struct str *out,
				 struct err *err)
{
	const struct answered *kept = memory_find_answer(self, cookie);

	(void)err;
	*known = kept != NULL;
	if (kept != NULL)
		str_add_bytes(out, kept->answer, kept->size);
	return true;
}

static inline bool memory_commit(void *self, const struct ledger_step *step, struct err *err)
{
	struct memory_ledger *m = self;

	if (m->fail_next > 0) {
		m->fail_next--;
		return err_set(err, "the disk is full");
	}
	if (step->event_count == 0)
		memory_fault(m, "an empty step was committed");
	for (size_t i = 0; i < step->event_count; i++)
		memory_take_event(m, &step->event[i]);
	for (size_t i = 0; i < step->ended_count; i++)
		memory_take_ended(m, &step->ended[i]);
	for (size_t i = 0; i < step->answered_count; i++)
		memory_take_answer(m, &step->answered[i]);
	if (state_hash(step->after) != state_hash(state_view(m->st)))
		memory_fault(m, "the events do not lead to the state");
	m->commits++;
	return true;
}

static inline bool memory_load(void *self, struct state *st, struct err *err)
{
	struct memory_ledger *m = self;

	if (m->fail_load)
		return err_set(err, "the disk cannot be read");
	for (size_t i = 0; i < m->count; i++) {
		struct event ev = m->event[i];

		if (!event_apply(st, &ev, err))
			return false;
	}
	return true;
}

static inline bool memory_launch(void *self, uint64_t job, struct str *out, struct err *err)
{
	struct memory_ledger *m = self;

	m->launches++;
	for (size_t i = 0; i < m->count; i++) {
		const struct event *ev = &m->event[i];

		if (ev->kind != EVENT_SUBMIT || ev->job != job || ev->submit.launch == NULL)
			continue;
		str_add_bytes(out, ev->submit.launch, ev->submit.launch_size);
		return true;
	}
	return err_set(err, "nothing is kept for it");
}

static inline void memory_begin(struct memory_ledger *m)
{
	*m = (struct memory_ledger){.st = state_new()};
}

static inline void memory_end(struct memory_ledger *m)
{
	state_free(m->st);
	arena_free(&m->arena);
	str_free(&m->ended);
	free(m->event);
	free(m->answered);
}

static inline struct ledger memory_ledger(struct memory_ledger *m)
{
	static const struct ledger_ops ops = {.load = memory_load,
					      .commit = memory_commit,
					      .launch = memory_launch,
					      .recall = memory_recall};

	return (struct ledger){.ops = &ops, .self = m};
}

#endif
