/* SPDX-License-Identifier: MIT */
/*
 * because.c - what has happened because of an entry of the journal?
 *
 * Three walks over the journal: how long jobs ran, then both runs. A journal that grows meanwhile is not
 * followed: all three end with the same entry.
 */
#include "because.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "report.h"
#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/rm/wallclock.h"

#define TOLD_EVERY 256 /* entries */
#define WALKS      3

/* --- one walk ------------------------------------------------------------------------------------ */

/* Counts an entry. False: it is behind the last, or nobody wants to know any more. */
static bool count(struct because *b, const struct event *ev)
{
	if (ev->seq > b->last)
		return false;
	b->stopped = b->done++ % TOLD_EVERY == 0 && b->go_on != NULL && !b->go_on(b->self, b->done, b->all);
	return !b->stopped;
}

static bool note(void *self, const struct event *ev)
{
	struct because *b = self;

	return count(b, ev) && rerun_record_take(&b->record, ev);
}

struct run {
	struct because *b;
	struct rerun *rerun;
};

static bool run_entry(void *self, const struct event *ev)
{
	struct run *run = self;

	return count(run->b, ev) && rerun_take(run->rerun, ev);
}

static bool run_again(struct because *b, uint64_t without, struct rerun **out, struct err *err)
{
	struct rerun_setup setup = {.record = &b->record,
				    .from = state_view(b->from),
				    .pace = RERUN_WHEN_DUE,
				    .without = without,
				    .clock = wallclock};
	struct run run = {b, rerun_new(&setup, err)};

	*out = run.rerun;
	if (run.rerun == NULL || !annals_journal(&b->annals, b->seq, false, run_entry, &run, err) ||
	    b->stopped)
		return false;
	rerun_finish(run.rerun);
	return true;
}

/* --- the entry ------------------------------------------------------------------------------------ */

struct look {
	uint64_t seq;
	int64_t time_s;
	bool found, can_be;
	struct str what;
};

static bool look_at(void *self, const struct event *ev)
{
	struct look *look = self;

	look->found = ev->seq == look->seq;
	look->time_s = ev->time_s;
	look->can_be = rerun_can_be_without(ev);
	event_describe(ev, wallclock, &look->what);
	return false;
}

static bool find_entry(struct because *b, int64_t *at_s, struct err *err)
{
	struct look look = {.seq = b->seq};
	bool good = annals_journal(&b->annals, b->seq, false, look_at, &look, err);

	*at_s = look.time_s;
	if (good && !look.found)
		good = err_set(err, "the journal has no entry %" PRIu64 "; 'kahu journal' lists them",
			       b->seq);
	else if (good && !look.can_be)
		good = err_set(err,
			       "entry %" PRIu64
			       " (%s) follows from what was so before it, and cannot be left "
			       "out; ask for what people or nodes did",
			       b->seq, str_text(&look.what));
	str_free(&look.what);
	return good;
}

/* Where the journal ends, and when. */
static bool find_end(struct because *b, int64_t *last_s, struct err *err)
{
	struct journal_span span;

	if (!annals_range(&b->annals, &span, err))
		return false;
	b->last = span.last;
	*last_s = span.last_s;
	b->all = WALKS * (b->last - b->seq + 1);
	return true;
}

static bool read_record(struct because *b, struct err *err)
{
	int64_t at_s, last_s;

	if (!find_entry(b, &at_s, err) || !find_end(b, &last_s, err))
		return false;
	b->from = annals_state(&b->annals, b->seq - 1, err);
	if (b->from == NULL)
		return err_prefix(err, "the state before entry %" PRIu64, b->seq);
	rerun_record_begin(&b->record, state_view(b->from), at_s, last_s);
	if (!annals_journal(&b->annals, b->seq, false, note, b, err) || b->stopped)
		return false;
	rerun_record_finish(&b->record);
	return true;
}

bool because_find(struct because *b, struct err *err)
{
	err->text[0] = '\0';
	if (!read_record(b, err) || !run_again(b, b->seq, &b->without, err) ||
	    !run_again(b, 0, &b->with, err))
		return false;
	rerun_find_moves(&b->moves, b->without, b->with);
	rerun_summarise(b->without, &b->before);
	rerun_summarise(b->with, &b->after);
	return true;
}

void because_clear(struct because *b)
{
	rerun_free(b->without);
	rerun_free(b->with);
	rerun_record_clear(&b->record);
	state_free(b->from);
	free(b->moves.item);
	b->without = b->with = NULL;
	b->from = NULL;
	b->moves = (struct rerun_moves){.item = NULL};
}

/* --- in words --------------------------------------------------------------------------------------- */

/* How far the farthest of them went; nothing where that has no meaning. */
static void say_part(struct str *out, uint32_t jobs, const char *what, int64_t most_s)
{
	char most[DURATION_TEXT];

	if (jobs == 0)
		return;
	if (out->len > 0)
		str_addf(out, ", %" PRIu32, jobs);
	else
		report_count(out, jobs, "job", "jobs");
	str_addf(out, " %s", what);
	if (most_s != 0)
		str_addf(out, " (%s%c%s)", jobs > 1 ? "max " : "", most_s > 0 ? '+' : '-',
			 duration_text(most, most_s > 0 ? most_s : -most_s));
}

void because_say(const struct because *b, struct str *out)
{
	double points = 100 * (b->after.utilization - b->before.utilization);
	struct str text = {0};

	say_part(&text, b->moves.earlier, "started earlier", -b->moves.most_earlier_s);
	say_part(&text, b->moves.later, b->moves.earlier > 0 ? "later" : "started later",
		 b->moves.most_later_s);
	say_part(&text, b->moves.only_after, "would still wait", 0);
	say_part(&text, b->moves.only_before, "would have started", 0);
	if (b->moves.count == 0)
		str_add(&text, "every job has started when it would have without it");
	str_addf(&text, ", utilisation %+.1f %%", fabs(points) < 0.05 ? 0.0 : points);
	str_add(out, str_text(&text));
	str_free(&text);
}
