/* SPDX-License-Identifier: MIT */
/*
 * estimate.c - accuracy of past estimated starts, and what moved them
 *
 * Percentiles are by nearest rank, so each of them is an error that occurred. At least half of the errors are
 * at most as large as the median.
 */
#include <stdlib.h>
#include <string.h>

#include "estimate.h"
#include "sched/base/vec.h"

/* --- errors and percentiles --------------------------------------------------------------------------- */

const char *estimate_stage_name(enum estimate_stage stage)
{
	static const char *const names[ESTIMATE_STAGES] = {"submitted", "halfway", "hour-before"};

	return names[stage];
}

const char *estimate_tier_name(enum estimate_tier tier)
{
	static const char *const names[ESTIMATE_TIERS] = {"instant", "full"};

	return names[tier];
}

void estimate_rows_free(struct estimate_row *row, size_t count)
{
	for (size_t i = 0; row != NULL && i < count; i++)
		free(row[i].label);
	free(row);
}

static int64_t size_of(int64_t error_s)
{
	return error_s < 0 ? -error_s : error_s;
}

bool estimate_error(const struct estimate_row *row, enum estimate_stage stage, enum estimate_tier tier,
		    int64_t *out_s)
{
	int64_t said_s = row->said_s[stage][tier];

	if (said_s == TIME_NONE || said_s == TIME_NEVER)
		return false;
	*out_s = row->start_s - said_s;
	return true;
}

static int by_value(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/*
 * Returns the smallest value such that `percent` percent of the values are at most as large; 0 if there are
 * none.
 */
static int64_t nearest_rank(const int64_t *sorted, uint32_t count, uint32_t percent)
{
	uint64_t rank = ((uint64_t)count * percent + 99) / 100;

	return count == 0 ? 0 : sorted[rank == 0 ? 0 : rank - 1];
}

static bool was_at_once(const struct estimate_row *row, int64_t said_s)
{
	int64_t latest_s = row->submit_s + ESTIMATE_AT_ONCE_S;

	return said_s <= latest_s && row->start_s <= latest_s;
}

static void count_error(struct estimate_errors *out, const struct estimate_row *row, int64_t error_s)
{
	out->known++;
	out->earlier += error_s < 0;
	out->later += error_s > 0;
	out->within += size_of(error_s) * 10 <= row->start_s - row->submit_s;
}

void estimate_errors_of(struct estimate_errors *out, const struct estimate_row *row, size_t count,
			enum estimate_stage stage, enum estimate_tier tier)
{
	int64_t *error = mem_alloc((count + 1) * sizeof *error);

	*out = (struct estimate_errors){.asked = 0};
	for (size_t i = 0; i < count; i++) {
		int64_t error_s, said_s = row[i].said_s[stage][tier];

		out->asked += said_s != TIME_NONE;
		out->unknown += said_s == TIME_NEVER;
		if (!estimate_error(&row[i], stage, tier, &error_s))
			continue;
		if (was_at_once(&row[i], said_s)) {
			out->at_once++;
			continue;
		}
		error[out->known] = error_s;
		count_error(out, &row[i], error_s);
	}
	qsort(error, out->known, sizeof *error, by_value);
	out->shift_s = nearest_rank(error, out->known, 50);
	for (uint32_t i = 0; i < out->known; i++)
		error[i] = size_of(error[i]);
	qsort(error, out->known, sizeof *error, by_value);
	out->median_s = nearest_rank(error, out->known, 50);
	out->p80_s = nearest_rank(error, out->known, 80);
	out->p95_s = nearest_rank(error, out->known, 95);
	free(error);
}

/* Returns true if row a has the larger error. Of equal errors, that of the older job counts as larger. */
static bool is_worse(const struct estimate_row *a, const struct estimate_row *b, enum estimate_stage stage,
		     enum estimate_tier tier)
{
	int64_t a_s = 0, b_s = 0;

	(void)estimate_error(a, stage, tier, &a_s);
	(void)estimate_error(b, stage, tier, &b_s);
	return size_of(a_s) > size_of(b_s) || (size_of(a_s) == size_of(b_s) && a->job < b->job);
}

size_t estimate_worst(const struct estimate_row *row, size_t count, enum estimate_stage stage,
		      enum estimate_tier tier, const struct estimate_row **out, size_t most)
{
	size_t found = 0;

	for (size_t i = 0; i < count && most > 0; i++) {
		int64_t error_s;
		size_t at = found;

		if (!estimate_error(&row[i], stage, tier, &error_s) || error_s == 0)
			continue;
		while (at > 0 && is_worse(&row[i], out[at - 1], stage, tier))
			at--;
		if (at == most)
			continue;
		found += found < most;
		for (size_t k = found - 1; k > at; k--)
			out[k] = out[k - 1];
		out[at] = &row[i];
	}
	return found;
}

/* --- starts on record --------------------------------------------------------------------------------- */

/*
 * Jobs arrive nearly sorted by ID, because IDs ascend; only jobs that were submitted during the replay of a
 * log have larger IDs than later jobs of the log. An even selection in the order of starts is as good as a
 * random sample, and reproducible.
 */

static void add_job(struct estimate_starts *s, uint64_t id, int64_t submit_s)
{
	s->job = vec_room(s->job, &s->room, s->jobs + 1, sizeof *s->job);
	s->job[s->jobs++] = (struct estimate_start){.job = id, .submit_s = submit_s, .start_s = TIME_NONE};
}

static int by_id(const void *left, const void *right)
{
	const struct estimate_start *a = left, *b = right;

	return a->job < b->job ? -1 : a->job > b->job;
}

void estimate_starts_begin(struct estimate_starts *s, const struct snapshot *from, int64_t since_s)
{
	s->since_s = since_s;
	s->jobs = s->started = 0;
	for (uint32_t i = 0; i < snapshot_count(from, TABLE_WAITING); i++) {
		const struct job *job = &snapshot_jobs(from)[snapshot_waiting(from)[i].slot];

		add_job(s, job->id, job->submit_s);
	}
	if (s->jobs > 1)
		qsort(s->job, s->jobs, sizeof *s->job, by_id);
}

static struct estimate_start *find(struct estimate_starts *s, uint64_t id)
{
	struct estimate_start key = {.job = id};

	return s->jobs == 0 ? NULL : bsearch(&key, s->job, s->jobs, sizeof *s->job, by_id);
}

void estimate_starts_take(struct estimate_starts *s, const struct event *ev)
{
	struct estimate_start *job;

	if (ev->kind == EVENT_SUBMIT) {
		for (uint32_t i = 0; i < job_record_tasks(&ev->submit); i++) {
			add_job(s, ev->job + i, ev->submit.job.submit_s);
			vec_sort_last(s->job, s->jobs, sizeof *s->job, by_id);
		}
		return;
	}
	job = ev->kind == EVENT_START ? find(s, ev->job) : NULL;
	if (job == NULL || job->start_s != TIME_NONE)
		return;
	job->start_s = ev->time_s;
	s->started += ev->time_s >= s->since_s;
}

static int by_start(const void *left, const void *right)
{
	const struct estimate_start *a = left, *b = right;

	if (a->start_s != b->start_s)
		return a->start_s < b->start_s ? -1 : 1;
	return by_id(left, right);
}

static struct estimate_row row_of(const struct estimate_start *start)
{
	struct estimate_row row = {.job = start->job, .submit_s = start->submit_s, .start_s = start->start_s};

	for (int stage = 0; stage < ESTIMATE_STAGES; stage++)
		for (int tier = 0; tier < ESTIMATE_TIERS; tier++)
			row.said_s[stage][tier] = TIME_NONE;
	return row;
}

struct estimate_row *estimate_starts_choose(const struct estimate_starts *s, size_t most, size_t *count)
{
	struct estimate_start *started = mem_alloc((s->started + 1) * sizeof *started);
	struct estimate_row *row;
	size_t n = 0;

	for (size_t i = 0; i < s->jobs; i++)
		if (s->job[i].start_s != TIME_NONE && s->job[i].start_s >= s->since_s)
			started[n++] = s->job[i];
	qsort(started, n, sizeof *started, by_start);
	*count = n < most ? n : most;
	row = mem_alloc((*count + 1) * sizeof *row);
	for (size_t i = 0; i < *count; i++)
		row[i] = row_of(&started[i * n / *count]);
	free(started);
	return row;
}

void estimate_starts_clear(struct estimate_starts *s)
{
	free(s->job);
	*s = (struct estimate_starts){.job = NULL};
}

/* --- estimates at submission and later ---------------------------------------------------------------- */

/*
 * The state advances entry by entry. The estimate at submission is made right after the entry of the
 * submission, before anything else that happened in the same second; other estimates are made after all
 * entries of their second. Tasks of one array, and rows that are due at the same time, share one future.
 */

static int by_row_id(const void *left, const void *right)
{
	const struct estimate_row *a = left, *b = right;

	return a->job < b->job ? -1 : a->job > b->job;
}

static int by_moment(const void *left, const void *right)
{
	const struct estimate_due *a = left, *b = right;

	if (a->at_s != b->at_s)
		return a->at_s < b->at_s ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

static void add_due(struct estimate_walk *w, size_t row, enum estimate_stage stage, int64_t at_s)
{
	w->due[w->dues++] =
		(struct estimate_due){.at_s = at_s, .row = (uint32_t)row, .stage = (uint32_t)stage};
}

void estimate_walk_begin(struct estimate_walk *w, struct state *st, int64_t from_s, struct estimate_row *row,
			 size_t count, const struct estimate_setup *setup)
{
	*w = (struct estimate_walk){.st = st, .setup = setup, .row = row, .count = count};
	w->due = mem_alloc((2 * count + 1) * sizeof *w->due);
	if (count > 1)
		qsort(row, count, sizeof *row, by_row_id);
	for (size_t i = 0; i < count; i++) {
		int64_t wait_s = row[i].start_s - row[i].submit_s;

		if (wait_s >= 2)
			add_due(w, i, ESTIMATE_HALFWAY, row[i].submit_s + wait_s / 2);
		if (wait_s > ESTIMATE_HOUR_S)
			add_due(w, i, ESTIMATE_HOUR_BEFORE, row[i].start_s - ESTIMATE_HOUR_S);
	}
	qsort(w->due, w->dues, sizeof *w->due, by_moment);
	while (w->next < w->dues && w->due[w->next].at_s < from_s)
		w->next++;
}

static bool should_continue(void *self, uint32_t started)
{
	const struct estimate_setup *setup = self;

	(void)started;
	return setup->should_continue == NULL || setup->should_continue(setup->self);
}

/* Returns the setup of a future at a time. */
static struct future_setup future_of(const struct estimate_setup *setup, int64_t at_s, bool full)
{
	struct future_setup ahead = {.now_s = at_s,
				     .full = full,
				     .assume = setup->assume,
				     .most_work = setup->most_work,
				     .should_continue = should_continue,
				     .self = (void *)(uintptr_t)setup};

	if (full && setup->assume != ASSUME_WCLIMIT)
		ahead.accuracy = setup->known(setup->self, at_s);
	return ahead;
}

/* Builds the future of the current state at a time, unless it is built already. Returns false if stopped. */
static bool look_ahead(struct estimate_walk *w, int64_t at_s, bool full)
{
	const struct snapshot *s = state_view(w->st);
	struct future_setup ahead;

	if (w->has_future && w->seq == s->seq && w->at_s == at_s && w->has_full >= full)
		return true;
	ahead = future_of(w->setup, at_s, full);
	w->has_future = should_continue(ahead.self, 0) && future_build(&w->future, s, &ahead);
	w->has_full = full;
	w->seq = s->seq;
	w->at_s = at_s;
	w->stopped = !w->has_future;
	return w->has_future;
}

static bool is_asked_in_full(const struct estimate_walk *w, const struct estimate_row *row,
			     enum estimate_stage stage)
{
	uint32_t every = w->setup->full_every;

	return every > 0 && (size_t)(row - w->row) % every == 0 && estimate_is_asked(stage, ESTIMATE_FULL);
}

/*
 * Makes an estimate for a row. None is made for a job that is not idle at that time, because the walk began
 * too late for it. Returns false if stopped.
 */
static bool ask(struct estimate_walk *w, struct estimate_row *row, enum estimate_stage stage, int64_t at_s)
{
	const struct snapshot *s = state_view(w->st);
	uint32_t slot = snapshot_find_job(s, row->job);
	bool full = is_asked_in_full(w, row, stage);
	char label[JOB_LABEL_TEXT];

	if (slot == INDEX_NONE || snapshot_jobs(s)[slot].state != JOB_IDLE)
		return true;
	if (!look_ahead(w, at_s, full))
		return false;
	row->said_s[stage][ESTIMATE_INSTANT] = w->future.plan.start_s[slot];
	if (full)
		row->said_s[stage][ESTIMATE_FULL] = future_start(&w->future, slot).start_s;
	if (row->label == NULL)
		row->label = mem_string(snapshot_job_label(s, &snapshot_jobs(s)[slot], label));
	return true;
}

static bool ask_those_due(struct estimate_walk *w, int64_t before_s)
{
	while (w->next < w->dues && w->due[w->next].at_s < before_s) {
		const struct estimate_due *due = &w->due[w->next++];

		if (!ask(w, &w->row[due->row], (enum estimate_stage)due->stage, due->at_s))
			return false;
	}
	return true;
}

/* Makes the estimates for all rows of a submission, which are consecutive. Returns false if stopped. */
static bool ask_submitted(struct estimate_walk *w, const struct event *ev)
{
	uint64_t end = ev->job + job_record_tasks(&ev->submit);
	size_t first = 0, last = w->count;

	while (first < last) {
		size_t middle = first + (last - first) / 2;

		if (w->row[middle].job < ev->job)
			first = middle + 1;
		else
			last = middle;
	}
	for (size_t i = first; i < w->count && w->row[i].job < end; i++)
		if (!ask(w, &w->row[i], ESTIMATE_SUBMITTED, ev->time_s))
			return false;
	return true;
}

bool estimate_follow(struct state *st, const struct event *ev, struct err *err)
{
	struct event copy = *ev;

	if (ev->seq != state_view(st)->seq + 1)
		return err_set(err, "the state before entry %llu of the journal is no longer stored",
			       (unsigned long long)ev->seq);
	return event_apply(st, &copy, err) ||
	       err_prefix(err, "entry %llu does not fit the state before it", (unsigned long long)ev->seq);
}

bool estimate_walk_take(struct estimate_walk *w, const struct event *ev, struct err *err)
{
	return ask_those_due(w, ev->time_s) && estimate_follow(w->st, ev, err) &&
	       (ev->kind != EVENT_SUBMIT || ask_submitted(w, ev));
}

void estimate_walk_clear(struct estimate_walk *w)
{
	free(w->due);
	future_clear(&w->future);
	*w = (struct estimate_walk){.due = NULL};
}

/* --- what moved a start ------------------------------------------------------------------------------- */

/*
 * The moves of a job add up to its error: each is the estimate after an entry minus the estimate before it;
 * the first estimate is the one at submission, and the last one is the start.
 */

const char *estimate_cause_name(enum estimate_cause cause)
{
	static const char *const names[ESTIMATE_CAUSES] = {"ends", "arrivals", "people", "machine", "time"};

	return names[cause];
}

static bool is_of_people(const struct event *ev)
{
	return ev->who != NULL && strcmp(ev->who, "sched") != 0;
}

/*
 * Returns the cause for an end: the job reached its limit, ended earlier, or was being cancelled or requeued.
 */
static enum estimate_cause cause_of_end(const struct snapshot *s, const struct event *ev)
{
	uint32_t slot = snapshot_find_job(s, ev->job);
	const struct job *job = slot == INDEX_NONE ? NULL : &snapshot_jobs(s)[slot];

	if (job == NULL || (job->state == JOB_RUNNING && ev->time_s >= job_due_end_s(job)))
		return ESTIMATE_BY_TIME;
	return job_is_leaving(job) ? ESTIMATE_BY_PEOPLE : ESTIMATE_BY_END;
}

/*
 * Returns the cause to which a move of an estimate by this entry is attributed. ESTIMATE_BY_TIME: the entry
 * itself moves no estimate, because the projection anticipates decisions of the scheduler.
 */
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

/* Adds a move to a cause. ev: the entry that moved the start; NULL if no entry did. */
static void add_move(struct estimate_track *t, enum estimate_cause cause, int64_t moved_s,
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

static void expect(struct estimate_track *t, int64_t start_s, enum estimate_cause cause,
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

static bool is_tracked(const struct estimate_track *t)
{
	return t->begun && !t->ended;
}

static bool any_tracked(const struct estimate_tracker *f)
{
	for (size_t i = 0; i < f->count; i++)
		if (is_tracked(&f->track[i]))
			return true;
	return false;
}

/* Marks all jobs that have not started as lost. */
static void give_up(struct estimate_tracker *f)
{
	for (size_t i = 0; i < f->count; i++)
		if (!f->track[i].ended)
			f->track[i].lost = f->track[i].ended = true;
}

/* A projection that ends when all followed jobs have started. */
struct sight {
	const struct estimate_tracker *f;
	uint32_t slot[ESTIMATE_TRACKS]; /* INDEX_NONE: not followed now */
	bool seen;                      /* all have started */
};

static bool sees_more(void *self, uint32_t started)
{
	struct sight *sight = self;

	sight->seen = true;
	for (size_t i = 0; i < sight->f->count && sight->seen; i++)
		sight->seen = sight->slot[i] == INDEX_NONE ||
			      sight->f->projection.start_s[sight->slot[i]] != TIME_NEVER;
	return !sight->seen && should_continue((void *)(uintptr_t)sight->f->setup, started);
}

/*
 * Projects the followed jobs. Returns false if stopped, or if the limit of work is reached.
 */
static bool project_tracked(struct estimate_tracker *f, int64_t at_s, struct sight *sight)
{
	struct future_setup ahead = future_of(f->setup, at_s, true);
	struct never none = {0};
	bool good;

	ahead.most_work = f->most - f->cost;
	ahead.should_continue = sees_more;
	ahead.self = sight;
	good = future_project(&f->projection, &none, &f->assumed, state_view(f->st), &ahead) || sight->seen;
	f->cost += f->projection.work;
	return good && f->cost < f->most;
}

/* Updates the estimates of the followed jobs. cause: what changed them since the last projection. */
static void look(struct estimate_tracker *f, int64_t at_s, enum estimate_cause cause, const struct event *ev)
{
	const struct snapshot *s = state_view(f->st);
	struct sight sight = {.f = f};

	for (size_t i = 0; i < f->count; i++)
		sight.slot[i] =
			is_tracked(&f->track[i]) ? snapshot_find_job(s, f->track[i].row.job) : INDEX_NONE;
	if (!project_tracked(f, at_s, &sight)) {
		give_up(f);
		return;
	}
	f->holds = true;
	for (size_t i = 0; i < f->count; i++)
		if (sight.slot[i] != INDEX_NONE)
			expect(&f->track[i], f->projection.start_s[sight.slot[i]], cause, ev);
}

/* --- the walk -------------------------------------------------------------------------------------- */

void estimate_tracker_begin(struct estimate_tracker *f, struct state *st,
			    const struct estimate_row *const *row, size_t count, uint64_t most,
			    const struct estimate_setup *setup)
{
	*f = (struct estimate_tracker){.st = st, .count = count, .most = most, .setup = setup};
	for (size_t i = 0; i < count; i++) {
		int64_t said_s = row[i]->said_s[ESTIMATE_SUBMITTED][ESTIMATE_FULL];

		f->track[i] =
			(struct estimate_track){.row = *row[i], .expected_s = said_s, .known_s = said_s};
	}
}

/* Begins to follow the jobs of a submission; their rows have an estimate at submission. */
static void begin_tracks(struct estimate_tracker *f, const struct event *ev)
{
	uint64_t end = ev->job + job_record_tasks(&ev->submit);

	for (size_t i = 0; i < f->count; i++)
		if (f->track[i].row.job >= ev->job && f->track[i].row.job < end)
			f->track[i].begun = true;
}

static void end_track(struct estimate_tracker *f, const struct event *ev)
{
	for (size_t i = 0; i < f->count; i++) {
		struct estimate_track *t = &f->track[i];

		if (t->row.job != ev->job || !is_tracked(t))
			continue;
		if (is_of_people(ev))
			expect(t, ev->time_s, ESTIMATE_BY_PEOPLE, ev);
		else
			expect(t, ev->time_s, ESTIMATE_BY_TIME, NULL);
		t->ended = true;
	}
}

/* Returns true if a start or the end of a job at its limit happens at the projected time. */
static bool is_projected(const struct estimate_tracker *f, const struct event *ev)
{
	const struct projection *p = &f->projection;
	uint32_t slot = snapshot_find_job(state_view(f->st), ev->job);

	if (slot == INDEX_NONE || slot >= p->slots)
		return false;
	return (ev->kind == EVENT_START ? p->start_s : p->end_s)[slot] == ev->time_s;
}

bool estimate_tracker_take(struct estimate_tracker *f, const struct event *ev, struct err *err)
{
	enum estimate_cause cause = cause_of(state_view(f->st), ev);
	bool moves = cause != ESTIMATE_BY_TIME && any_tracked(f);

	/* Unless something happened that was not projected, another projection would have the same starts. */
	if (moves && !f->holds)
		look(f, ev->time_s, ESTIMATE_BY_TIME, NULL);
	if (!moves && (ev->kind == EVENT_START || ev->kind == EVENT_END))
		f->holds = f->holds && is_projected(f, ev);
	if (!estimate_follow(f->st, ev, err))
		return false;
	if (moves && any_tracked(f))
		look(f, ev->time_s, cause, ev);
	if (ev->kind == EVENT_SUBMIT)
		begin_tracks(f, ev);
	else if (ev->kind == EVENT_START)
		end_track(f, ev);
	return true;
}

bool estimate_tracker_is_done(const struct estimate_tracker *f)
{
	for (size_t i = 0; i < f->count; i++)
		if (!f->track[i].ended)
			return false;
	return true;
}

void estimate_tracker_clear(struct estimate_tracker *f)
{
	project_clear(&f->projection);
	free(f->assumed.share);
	*f = (struct estimate_tracker){.count = 0};
}

enum estimate_cause estimate_main_cause(const struct estimate_track *track)
{
	int64_t error_s = track->row.start_s - track->row.said_s[ESTIMATE_SUBMITTED][ESTIMATE_FULL];
	enum estimate_cause main = ESTIMATE_CAUSES;
	int64_t most_s = 0;

	for (enum estimate_cause cause = 0; cause < ESTIMATE_CAUSES; cause++) {
		int64_t moved_s = error_s < 0 ? -track->by[cause].moved_s : track->by[cause].moved_s;

		if (moved_s <= most_s)
			continue;
		main = cause;
		most_s = moved_s;
	}
	return main;
}
