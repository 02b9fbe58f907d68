/* SPDX-License-Identifier: MIT */
/*
 * impact.c - effects of journal entries on the queue
 *
 * A slot that has the same job ID before and after the entry contains the same job. The order is compared as
 * in plan.h: by rank among the jobs that are idle before and after.
 */
#include "impact.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "job_text.h"
#include "report.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/forecast/explain.h"
#include "sched/pass/queue.h"
#include "sched/rm/wallclock.h"
#include "sched/state/undo_plan.h"

/* --- effects of journal entries on the queue ---------------------------------------------------------- */

enum part {
	PART_NONE, /* not in the queue */
	PART_IDLE,
	PART_BLOCKED,
	PART_RUNNING,
	PART_COUNT
};

static const char *const part_name[PART_COUNT] = {
	[PART_NONE] = "gone", [PART_IDLE] = "idle", [PART_BLOCKED] = "blocked", [PART_RUNNING] = "running"};

/* Position of a job in the queue. */
struct stand {
	uint64_t id;
	enum part part;
	uint32_t place; /* rank among idle jobs, from 1 */
};

/* The queue before or after the entry. */
struct side {
	struct stand *job; /* by slot */
	uint32_t slots;
	uint32_t *order; /* slots of the idle jobs */
	uint32_t idle;
	int64_t procs;
};

/* --- queue before and after the entry ----------------------------------------------------------------- */

static void add_head(const struct snapshot *s, const struct queue *q, struct str *out)
{
	char label[JOB_LABEL_TEXT];

	for (uint32_t i = 0; i < q->idle_count && i < IMPACT_SHOWN; i++)
		str_addf(out, "%s%s", i > 0 ? " " : "",
			 snapshot_job_label(s, &snapshot_jobs(s)[q->idle[i].slot], label));
	if (q->idle_count > IMPACT_SHOWN)
		str_add(out, " ...");
}

static void side_take(struct side *side, const struct snapshot *s, const struct queue *q)
{
	side->slots = snapshot_count(s, TABLE_JOBS);
	side->procs = s->procs_total;
	side->job = mem_zero(side->slots + 1, sizeof *side->job);
	side->order = mem_alloc((q->idle_count + 1) * sizeof *side->order);
	for (uint32_t i = 0; i < side->slots; i++) {
		const struct job *job = &snapshot_jobs(s)[i];

		side->job[i].id = job->state == JOB_NONE ? 0 : job->id;
		side->job[i].part = job->state == JOB_NONE      ? PART_NONE
				    : job->state == JOB_RUNNING ? PART_RUNNING
								: PART_BLOCKED;
	}
	for (side->idle = 0; side->idle < q->idle_count; side->idle++) {
		struct stand *stand = &side->job[q->idle[side->idle].slot];

		side->order[side->idle] = q->idle[side->idle].slot;
		stand->part = PART_IDLE;
		stand->place = side->idle + 1;
	}
}

static void side_free(struct side *side)
{
	free(side->job);
	free(side->order);
}

static enum part part_at(const struct side *side, uint32_t slot, uint64_t id)
{
	return slot < side->slots && side->job[slot].id == id ? side->job[slot].part : PART_NONE;
}

/* --- differences -------------------------------------------------------------------------------------- */

struct comparison {
	struct side before, after;
	uint32_t went[PART_COUNT][PART_COUNT]; /* jobs that moved from one part to another */
	uint32_t moved;                        /* jobs that are idle before and after, but at another rank */
	struct impact *out;
};

static void add_job(struct impact *out, uint64_t id)
{
	out->job = vec_room(out->job, &out->room, out->jobs + 1, sizeof *out->job);
	out->job[out->jobs++] = id;
}

static bool count(struct consequences *b, const struct event *ev);

/*
 * Returns the slots of the jobs that are idle on both sides, in the order of `side`. The caller frees the
 * result.
 */
static uint32_t *idle_in_both(const struct side *side, const struct side *other, uint32_t *count)
{
	uint32_t *slot = mem_alloc((side->idle + 1) * sizeof *slot);

	*count = 0;
	for (uint32_t i = 0; i < side->idle; i++)
		if (part_at(other, side->order[i], side->job[side->order[i]].id) == PART_IDLE)
			slot[(*count)++] = side->order[i];
	return slot;
}

static void compare_order(struct comparison *c)
{
	uint32_t count;
	uint32_t *was = idle_in_both(&c->before, &c->after, &count);
	uint32_t *is = idle_in_both(&c->after, &c->before, &count);
	uint32_t *place = mem_alloc((c->before.slots + 1) * sizeof *place);

	for (uint32_t i = 0; i < count; i++)
		place[was[i]] = i;
	for (uint32_t i = 0; i < count; i++) {
		if (place[is[i]] == i)
			continue;
		c->moved++;
		add_job(c->out, c->after.job[is[i]].id);
	}
	free(place);
	free(was);
	free(is);
}

static void compare_parts(struct comparison *c)
{
	for (uint32_t slot = 0; slot < c->before.slots; slot++) {
		const struct stand *was = &c->before.job[slot];

		if (was->part != PART_NONE)
			c->went[was->part][part_at(&c->after, slot, was->id)]++;
	}
	for (uint32_t slot = 0; slot < c->after.slots; slot++) {
		const struct stand *is = &c->after.job[slot];
		enum part was = part_at(&c->before, slot, is->id);

		if (is->part == PART_NONE || was == is->part)
			continue;
		add_job(c->out, is->id);
		if (was == PART_NONE)
			c->went[PART_NONE][is->part]++;
	}
}

/* --- text --------------------------------------------------------------------------------------------- */

static void comma(struct str *out)
{
	if (out->len > 0)
		str_add(out, ", ");
}

static void say_parts(const struct comparison *c, struct str *out)
{
	for (int from = PART_NONE; from < PART_COUNT; from++)
		for (int to = PART_NONE; to < PART_COUNT; to++) {
			if (from == to || c->went[from][to] == 0)
				continue;
			comma(out);
			if (from == PART_NONE)
				str_addf(out, "%" PRIu32 " new %s", c->went[from][to], part_name[to]);
			else
				str_addf(out, "%" PRIu32 " %s -> %s", c->went[from][to], part_name[from],
					 part_name[to]);
		}
}

/*
 * If the entry affects only one job, and that job is new, appends its rank, or the reason why it is blocked,
 * and returns true. Otherwise returns false.
 */
static bool say_new(const struct comparison *c, const struct snapshot *s, const struct queue *q,
		    struct str *out)
{
	uint64_t id = c->out->jobs == 1 ? c->out->job[0] : 0;
	uint32_t slot = id == 0 ? INDEX_NONE : snapshot_find_job(s, id);

	if (slot == INDEX_NONE || part_at(&c->before, slot, id) != PART_NONE)
		return false;
	if (c->after.job[slot].part == PART_IDLE) {
		str_addf(out, "idle, place %" PRIu32 " of %" PRIu32, c->after.job[slot].place, c->after.idle);
		return true;
	}
	for (uint32_t i = 0; i < q->blocked_count; i++)
		if (q->blocked[i] == slot) {
			str_add(out, "blocked ");
			job_text_short(s, &q->blocked_reason[i], s->now_s, out);
			return true;
		}
	return false;
}

static void say(const struct comparison *c, const struct snapshot *s, const struct queue *q, struct str *out)
{
	if (!say_new(c, s, q, out))
		say_parts(c, out);
	if (c->moved > 0) {
		comma(out);
		str_add(out, "order: ");
		report_count(out, c->moved, "job moved", "jobs moved");
	}
	if (c->before.procs != c->after.procs) {
		comma(out);
		str_addf(out, "%" PRId64 " -> %" PRId64 " procs", c->before.procs, c->after.procs);
	}
	if (out->len == 0)
		str_add(out, "order unchanged");
}

static int by_id(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* --- one entry ---------------------------------------------------------------------------------------- */

bool impact_applies(enum event_kind kind)
{
	switch (kind) {
	case EVENT_CONFIG:
	case EVENT_NODE:
	case EVENT_SUBMIT:
	case EVENT_CANCEL:
	case EVENT_REQUEUE:
	case EVENT_DEFER:
	case EVENT_USAGE:
		return true;
	default:
		return event_can_undo(kind) || kind == EVENT_UNDO;
	}
}

static void look(struct side *side, const struct state *st, int64_t at_s, struct queue *q, struct str *head)
{
	queue_build(q, state_view(st), at_s);
	side_take(side, state_view(st), q);
	add_head(state_view(st), q, head);
}

bool impact_find(struct impact *out, struct state *st, const struct event *entry, struct err *err)
{
	struct comparison c = {.out = out};
	struct event ev = *entry;
	struct queue q = {.idle = NULL};
	bool good;

	out->seq = entry->seq;
	look(&c.before, st, entry->time_s, &q, &out->before);
	good = event_apply(st, &ev, err);
	if (good) {
		look(&c.after, st, entry->time_s, &q, &out->after);
		compare_parts(&c);
		compare_order(&c);
		say(&c, state_view(st), &q, &out->brief);
		if (out->jobs > 1)
			qsort(out->job, out->jobs, sizeof *out->job, by_id);
	}
	side_free(&c.before);
	side_free(&c.after);
	queue_clear(&q);
	return good;
}

void impact_clear(struct impact *impact)
{
	str_free(&impact->brief);
	str_free(&impact->before);
	str_free(&impact->after);
	free(impact->job);
	*impact = (struct impact){0};
}

/* --- effects of several entries, and of undoing one --------------------------------------------------- */

/*
 * One walk through the journal serves entries that are close together; for an entry farther away, the state
 * is rebuilt from the nearest checkpoint.
 */

struct walk {
	const uint64_t *seq; /* remaining entries */
	size_t count;
	struct impact *out;
	struct state *st; /* state right before the next entry */
	bool (*should_continue)(void *self);
	void *self;
	struct err *err;
	bool failed;
};

static bool is_close(const struct walk *w, uint64_t seq)
{
	return w->count > 0 && w->seq[0] - seq <= STORE_CHECKPOINT_EVENTS;
}

static bool take_wanted(struct walk *w, const struct event *ev)
{
	struct event copy = *ev;
	bool good = impact_applies(ev->kind) ? impact_find(w->out, w->st, ev, w->err)
					     : event_apply(w->st, &copy, w->err);

	w->out->seq = ev->seq;
	w->out++;
	w->seq++;
	w->count--;
	return good;
}

static bool take(void *self, const struct event *ev)
{
	struct walk *w = self;
	struct event copy = *ev;
	bool wanted = ev->seq == w->seq[0];

	if (wanted ? !take_wanted(w, ev) : !event_apply(w->st, &copy, w->err)) {
		w->failed =
			!err_prefix(w->err, "entry %" PRIu64 " does not fit the state before it", ev->seq);
		return false;
	}
	if (wanted && w->should_continue != NULL && !w->should_continue(w->self))
		return false;
	return is_close(w, ev->seq);
}

static bool begin(struct walk *w, const struct history_source *source)
{
	struct journal_span span;

	state_free(w->st);
	w->st = NULL;
	if (!history_source_span(source, &span, w->err))
		return false;
	if (w->seq[0] < span.first && span.first > 1) {
		char when[MOMENT_TEXT];

		return err_set(w->err,
			       "entry %" PRIu64 " is before the journal begins (entry %" PRIu64 ", %s)",
			       w->seq[0], span.first, wallclock_iso(when, span.first_s));
	}
	if (w->seq[0] < span.first || w->seq[0] > span.last)
		return err_set(w->err,
			       "the journal has no entry %" PRIu64 ": it has the entries %" PRIu64
			       " to %" PRIu64,
			       w->seq[0], span.first, span.last);
	w->st = history_source_state(source, w->seq[0] - 1, w->err);
	return w->st != NULL;
}

bool impacts_read(const struct history_source *source, const uint64_t *seq, size_t count, struct impact *out,
		  bool (*should_continue)(void *self), void *self, struct err *err)
{
	struct walk w = {.seq = seq,
			 .count = count,
			 .out = out,
			 .should_continue = should_continue,
			 .self = self,
			 .err = err};
	bool good = true;

	err->text[0] = '\0';
	while (good && w.count > 0) {
		good = begin(&w, source) && history_source_journal(source, w.seq[0], false, take, &w, err) &&
		       !w.failed;
		good = good && (should_continue == NULL || should_continue(self));
	}
	state_free(w.st);
	return good;
}

/* --- undo --------------------------------------------------------------------------------------------- */

static int read_by_id(const void *key, const void *item)
{
	const uint64_t *x = key, *y = item;

	return (*x > *y) - (*x < *y);
}

static size_t count_waiting(const struct impact *impact, const struct snapshot *now)
{
	size_t waiting = 0;

	for (uint32_t i = 0; i < snapshot_count(now, TABLE_WAITING) && impact->jobs > 0; i++) {
		uint64_t id = snapshot_jobs(now)[snapshot_waiting(now)[i].slot].id;

		waiting += bsearch(&id, impact->job, impact->jobs, sizeof id, read_by_id) != NULL;
	}
	return waiting;
}

static void say_gone(const struct impact *impact, const struct snapshot *now, struct str *out)
{
	size_t gone = impact->jobs - count_waiting(impact, now);

	if (gone == 0)
		return;
	if (impact->jobs == 1)
		str_add(out, "; the affected job no longer waits");
	else
		str_addf(out, "; %zu of %zu affected jobs no longer wait", gone, impact->jobs);
}

void impact_print_undo(const struct impact *impact, const struct snapshot *now, struct str *out)
{
	struct undo_plan t = {.clock = wallclock};

	if (state_find_change(now, impact->seq) == NULL)
		return;
	undo_plan_add(&t, &impact->seq, 1);
	undo_plan_build(&t, now);
	if (t.count > 0) {
		str_add(out, t.item[0].text);
		say_gone(impact, now, out);
	}
	undo_plan_clear(&t);
}

/* --- later consequences of an entry ------------------------------------------------------------------- */

/*
 * The journal is read three times: first for the run times, then for each replay. Entries added meanwhile are
 * ignored: all three walks end with the same entry.
 */

#define TOLD_EVERY 256 /* number of entries between two calls of should_continue */

#define WALKS 3

/* --- walks -------------------------------------------------------------------------------------------- */

/* Counts an entry. Returns false to stop: the entry is after the last one, or the caller wants to stop. */
static bool count(struct consequences *b, const struct event *ev)
{
	if (ev->seq > b->last)
		return false;
	b->stopped = b->done++ % TOLD_EVERY == 0 && b->should_continue != NULL &&
		     !b->should_continue(b->self, b->done, b->all);
	return !b->stopped;
}

static bool note(void *self, const struct event *ev)
{
	struct consequences *b = self;

	return count(b, ev) && rerun_record_take(&b->record, ev);
}

struct run {
	struct consequences *b;
	struct rerun *rerun;
};

static bool run_entry(void *self, const struct event *ev)
{
	struct run *run = self;

	return count(run->b, ev) && rerun_take(run->rerun, ev);
}

static bool run_again(struct consequences *b, uint64_t without, struct rerun **out, struct err *err)
{
	struct rerun_setup setup = {.record = &b->record,
				    .from = state_view(b->from),
				    .pace = RERUN_WHEN_DUE,
				    .without = without,
				    .clock = wallclock};
	struct run run = {b, rerun_new(&setup, err)};

	*out = run.rerun;
	if (run.rerun == NULL || !history_source_journal(&b->source, b->seq, false, run_entry, &run, err) ||
	    b->stopped)
		return false;
	rerun_finish(run.rerun);
	return true;
}

/* --- look-up of the entry ----------------------------------------------------------------------------- */

struct because_look {
	uint64_t seq;
	int64_t time_s;
	bool found, can_be;
	struct str what;
};

static bool look_at(void *self, const struct event *ev)
{
	struct because_look *because_look = self;

	because_look->found = ev->seq == because_look->seq;
	because_look->time_s = ev->time_s;
	because_look->can_be = rerun_can_be_without(ev);
	event_describe(ev, wallclock, &because_look->what);
	return false;
}

static bool find_entry(struct consequences *b, int64_t *at_s, struct err *err)
{
	struct because_look because_look = {.seq = b->seq};
	bool good = history_source_journal(&b->source, b->seq, false, look_at, &because_look, err);

	*at_s = because_look.time_s;
	if (good && !because_look.found)
		good = err_set(err, "the journal has no entry %" PRIu64 "; 'kahu journal' lists them",
			       b->seq);
	else if (good && !because_look.can_be)
		good = err_set(err,
			       "entry %" PRIu64 " (%s) was made by the scheduler and cannot be left out; "
			       "name an entry made by a person or a node",
			       b->seq, str_text(&because_look.what));
	str_free(&because_look.what);
	return good;
}

/*
 * Sets b->last to the last entry of the journal, *last_s to its time, and b->all to the total number of
 * entries to process.
 */
static bool find_end(struct consequences *b, int64_t *last_s, struct err *err)
{
	struct journal_span span;

	if (!history_source_span(&b->source, &span, err))
		return false;
	b->last = span.last;
	*last_s = span.last_s;
	b->all = WALKS * (b->last - b->seq + 1);
	return true;
}

static bool read_record(struct consequences *b, struct err *err)
{
	int64_t at_s, last_s;

	if (!find_entry(b, &at_s, err) || !find_end(b, &last_s, err))
		return false;
	b->from = history_source_state(&b->source, b->seq - 1, err);
	if (b->from == NULL)
		return err_prefix(err, "the state before entry %" PRIu64, b->seq);
	rerun_record_begin(&b->record, state_view(b->from), at_s, last_s);
	if (!history_source_journal(&b->source, b->seq, false, note, b, err) || b->stopped)
		return false;
	rerun_record_finish(&b->record);
	return true;
}

bool consequences_find(struct consequences *b, struct err *err)
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

void consequences_clear(struct consequences *b)
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

/* --- text --------------------------------------------------------------------------------------------- */

/* Appends a number of jobs and the largest change among them, if there is one. */
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

void consequences_print(const struct consequences *b, struct str *out)
{
	double points = 100 * (b->after.utilization - b->before.utilization);
	struct str text = {0};

	say_part(&text, b->moves.earlier, "started earlier", -b->moves.most_earlier_s);
	say_part(&text, b->moves.later, b->moves.earlier > 0 ? "later" : "started later",
		 b->moves.most_later_s);
	say_part(&text, b->moves.only_after, "would still wait", 0);
	say_part(&text, b->moves.only_before, "would have started", 0);
	if (b->moves.count == 0)
		str_add(&text, "every job started at the same time with and without this entry");
	str_addf(&text, ", utilization %+.1f %%", fabs(points) < 0.05 ? 0.0 : points);
	str_add(out, str_text(&text));
	str_free(&text);
}
