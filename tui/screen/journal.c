/* SPDX-License-Identifier: MIT */
/* journal.c - journal entries for screens */
#include "journal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "store/store.h"
#include "tui/report/filter.h"
#include "tui/report/history_source.h"

#define KEPT_MAX     5000  /* maximum number of entries kept */
#define LOOK_BACK    50000 /* maximum number of entries read backward */
#define FIRST_WANTED 1000

struct reading {
	struct journal *j;
	struct task_names names;
	bool counts; /* this is the first pass: entries are counted, and the array tasks that they name are
			collected */
	uint64_t from;
	bool backward;
	size_t looked, found;
	size_t wanted;    /* number of entries to find, when reading backward */
	int64_t oldest_s; /* earliest time of the entries found */
};

static bool is_quiet(enum event_kind kind)
{
	return kind == EVENT_PLAN || kind == EVENT_ACCRUAL || kind == EVENT_BYPASS || kind == EVENT_SIM;
}

static void entry_free(struct journal_entry *e)
{
	free(e->who);
	free(e->what);
}

void journal_clear(struct journal *j)
{
	for (size_t i = 0; i < j->count; i++)
		entry_free(&j->entry[i]);
	free(j->entry);
	*j = (struct journal){0};
}

static void keep(struct journal *j, const struct task_names *names, const struct event *ev)
{
	struct str what = {0};

	if (j->count == KEPT_MAX) {
		entry_free(&j->entry[0]);
		memmove(j->entry, j->entry + 1, --j->count * sizeof *j->entry);
		j->oldest = j->entry[0].seq;
	}
	task_names_describe(names, ev, &what);
	j->entry = vec_room(j->entry, &j->cap, j->count + 1, sizeof *j->entry);
	j->entry[j->count++] = (struct journal_entry){
		.seq = ev->seq,
		.job = ev->job,
		.time_s = ev->time_s,
		.kind = ev->kind,
		.who = mem_string(ev->who ? ev->who : "sched"),
		.what = mem_string(str_text(&what)),
	};
	str_free(&what);
}

static bool visit(void *self, const struct event *ev)
{
	struct reading *r = self;
	const struct journal_filter *f = &r->j->filter;

	if (!r->counts && ev->seq > r->j->seen)
		r->j->seen = ev->seq;
	if (!r->counts && (ev->seq < r->j->oldest || r->j->oldest == 0))
		r->j->oldest = ev->seq;
	if ((f->job == 0 || ev->job == f->job) && (f->quiet || !is_quiet(ev->kind))) {
		if (r->found++ == 0 || ev->time_s < r->oldest_s)
			r->oldest_s = ev->time_s;
		if (r->counts)
			task_names_want(&r->names, ev);
		else
			keep(r->j, &r->names, ev);
	}
	if (!r->backward)
		return true;
	return ++r->looked < LOOK_BACK && r->found < r->wanted &&
	       !(f->job && ev->job == f->job && ev->kind == EVENT_SUBMIT);
}

/*
 * Reads entries in two passes. The first pass finds the array tasks that the entries name, and the earliest
 * time. The labels of array tasks that have ended are then read from the history, back to this time, and the
 * second pass keeps the entries.
 */
static bool read_entries(struct reading *r, struct store *store, const struct snapshot *s, struct err *err)
{
	const struct history_source source = {.store = store};
	bool ok;

	r->counts = true;
	ok = store_journal(store, r->from, r->backward, visit, r, err);
	if (ok && r->looked + r->found > 0) {
		if (r->found > 0)
			ok = task_names_read(&r->names, s, &source, r->oldest_s, err);
		r->looked = r->found = 0;
		r->counts = false;
		ok = ok && store_journal(store, r->from, r->backward, visit, r, err);
	}
	task_names_clear(&r->names);
	return ok;
}

static void reverse(struct journal *j)
{
	for (size_t i = 0; i < j->count / 2; i++) {
		struct journal_entry other = j->entry[i];

		j->entry[i] = j->entry[j->count - 1 - i];
		j->entry[j->count - 1 - i] = other;
	}
}

bool journal_follow(struct journal *j, struct store *store, const struct snapshot *s,
		    struct journal_filter filter, struct err *err)
{
	struct reading r = {.j = j, .wanted = FIRST_WANTED};
	bool ok;

	if (filter.job != j->filter.job || filter.quiet != j->filter.quiet)
		journal_clear(j);
	j->filter = filter;
	if (!store)
		return true;
	r.backward = j->seen == 0;
	r.from = r.backward ? UINT64_MAX : j->seen + 1;
	ok = read_entries(&r, store, s, err);
	if (r.backward)
		reverse(j);
	return ok;
}

/* Moves the entries of `older` in front of those of `j`. */
static void put_before(struct journal *j, struct journal *older)
{
	j->entry = vec_room(j->entry, &j->cap, j->count + older->count, sizeof *j->entry);
	memmove(j->entry + older->count, j->entry, j->count * sizeof *j->entry);
	if (older->count > 0)
		memcpy(j->entry, older->entry, older->count * sizeof *j->entry);
	j->count += older->count;
	j->oldest = older->oldest;
	free(older->entry);
}

bool journal_read_older(struct journal *j, struct store *store, const struct snapshot *s, struct err *err)
{
	struct journal older = {.filter = j->filter, .seen = j->seen};
	struct reading r = {.j = &older, .from = j->oldest - 1, .backward = true, .wanted = FIRST_WANTED};

	if (!store || j->oldest <= 1)
		return false;
	if (!read_entries(&r, store, s, err)) {
		journal_clear(&older);
		return false;
	}
	if (older.oldest == 0)
		return false;
	reverse(&older);
	put_before(j, &older);
	return true;
}

bool journal_entry_passes(const struct journal_entry *e, const struct filter *filter)
{
	char seq[24], job[24];
	const struct named_text field[] = {
		{"who", e->who}, {"user", e->who}, {"what", e->what}, {"kind", event_kind_name(e->kind)},
		{"job", job},    {"seq", seq},
	};

	if (filter->count == 0)
		return true;
	snprintf(seq, sizeof seq, "%" PRIu64, e->seq);
	snprintf(job, sizeof job, "%" PRIu64, e->job);
	return filter_match(filter, field, sizeof field / sizeof field[0]);
}
