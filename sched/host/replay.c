/* SPDX-License-Identifier: MIT */
/*
 * replay.c - replay of a workload on a simulated cluster
 *
 * The driver is stepped from one due time to the next. The record of each job is taken from the events as
 * they are applied, by the job's position in the trace.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "arrivals.h"
#include "event_copy.h"
#include "replay.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/policy/priority.h"

/* --- statistics of waiting ------------------------------------------------------------------------- */

/*
 * The sums are added in a fixed order, and doubles hold whole seconds exactly, so that every compiler gives
 * the same summary.
 */

#define SHORT_RUN_S 10 /* threshold of the bounded slowdown */

static double larger(double a, double b)
{
	return a > b ? a : b;
}

double replay_bounded_slowdown(int64_t wait_s, int64_t run_s)
{
	return larger(1, ((double)wait_s + (double)run_s) / larger((double)run_s, SHORT_RUN_S));
}

void replay_sum_job(struct replay_sums *sums, int64_t wait_s, int64_t run_s, int64_t wall_limit_s,
		    bool backfilled)
{
	sums->wait_s = vec_room(sums->wait_s, &sums->cap, sums->started + 1, sizeof *sums->wait_s);
	sums->wait_s[sums->started++] = wait_s;
	sums->wait += (double)wait_s;
	sums->slowdown += replay_bounded_slowdown(wait_s, run_s);
	sums->xfactor += xfactor_of((double)wait_s, (double)wall_limit_s);
	sums->backfilled += backfilled;
}

static int by_value(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left;
	int64_t b = *(const int64_t *)right;

	return a < b ? -1 : a > b;
}

/*
 * Sets the median, which is the mean of the two middle values if their number is even, and the 95th
 * percentile by nearest rank. wait_s must be sorted.
 */
static void tell_waits(const int64_t *wait_s, size_t count, struct replay_summary *out)
{
	size_t nearest_rank = (count * 95 + 99) / 100;
	size_t below = (count - 1) / 2;
	size_t above = count / 2;

	out->median_wait_s = (double)(wait_s[below] + wait_s[above]) / 2;
	out->p95_wait_s = (double)wait_s[nearest_rank - 1];
}

void replay_sums_tell(struct replay_sums *sums, struct replay_summary *out)
{
	double started = (double)sums->started;

	if (sums->started == 0)
		return;
	qsort(sums->wait_s, sums->started, sizeof *sums->wait_s, by_value);
	tell_waits(sums->wait_s, sums->started, out);
	out->mean_wait_s = sums->wait / started;
	out->mean_bounded_slowdown = sums->slowdown / started;
	out->mean_xfactor = sums->xfactor / started;
	out->backfilled = sums->backfilled;
}

/* --- the replay -------------------------------------------------------------------------------------- */

struct replay {
	const struct trace *trace;
	struct driver *driver;
	int64_t until_s;
	bool keep_runs;
	uint32_t *position; /* positions in the trace, by job ID - first_id */
	uint64_t first_id;
	size_t id_count;
	struct replay_record *record;
	struct alloc_run *run;
	size_t run_count, run_cap;
	struct ended_job *other; /* the jobs of replay_others(), followed by the job that is about to leave,
				    if there is one */
	size_t other_count, other_cap;
	bool leaves; /* the last item of `other` is a job that is about to leave */
	struct arena arena;
	uint64_t ended;
};

/* --- presets ------------------------------------------------------------------------ */

/* Clears all weights that are not 0 by default, so that jobs are ordered by submit time, then by ID. */
#define FIRST_COME "queuetimeweight = 0\n"

static const struct {
	const char *name, *text;
} presets[] = {
	{"fcfs", FIRST_COME "backfillpolicy = none\n"
			    "reservationpolicy = never\n"},
	{"easy", FIRST_COME "backfillpolicy = firstfit\n"
			    "reservationpolicy = currenthighest\n"
			    "reservationdepth = 1\n"},
	{"conservative", FIRST_COME "backfillpolicy = firstfit\n"
				    "reservationpolicy = highest\n"
				    "reservationdepth = 1000000000\n"},
};

const char *replay_preset(const char *name)
{
	for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++)
		if (str_same_word(presets[i].name, name))
			return presets[i].text;
	return NULL;
}

/* --- records ------------------------------------------------------------------------ */

/*
 * Fills the table of positions by ID, beginning with first_id; an ID without a job has the position `count`.
 */
static void index_positions(struct replay *r)
{
	const struct trace *t = r->trace;
	bool numbers = trace_numbers_are_ids(t);

	if (t->count == 0)
		return;
	r->first_id = numbers ? (uint64_t)t->job[0].number : 1;
	r->id_count = numbers ? (size_t)(t->job[t->count - 1].number - t->job[0].number) + 1 : t->count;
	r->position = mem_alloc(r->id_count * sizeof *r->position);
	for (size_t i = 0; i < r->id_count; i++)
		r->position[i] = (uint32_t)t->count;
	for (size_t i = 0; i < t->count; i++)
		r->position[numbers ? (uint64_t)t->job[i].number - r->first_id : i] = (uint32_t)i;
}

/* Returns the record of the job with this ID; NULL if the job is not in the trace. */
static struct replay_record *find_record(struct replay *r, uint64_t id)
{
	uint64_t i = id - r->first_id;

	if (i >= r->id_count || r->position[i] == r->trace->count)
		return NULL;
	return &r->record[r->position[i]];
}

static void keep_placement(struct replay *r, struct replay_record *record, const struct event *ev)
{
	r->run = vec_room(r->run, &r->run_cap, r->run_count + ev->start.count, sizeof *r->run);
	record->first_run = (uint32_t)r->run_count;
	record->run_count = ev->start.count;
	for (uint32_t i = 0; i < ev->start.count; i++)
		r->run[r->run_count++] = ev->start.runs[i];
}

static void note_start(struct replay *r, struct replay_record *record, const struct event *ev)
{
	record->start_s = ev->time_s;
	record->backfilled = ev->start.backfilled;
	if (r->keep_runs)
		keep_placement(r, record, ev);
}

/*
 * Stores the record of a job that is about to leave, after those of the other jobs (replay_others).
 * note_event() counts it, because the event may still be refused.
 */
static void note_leaving(void *self, const struct event *ev, const struct state *before)
{
	struct replay *r = self;

	r->leaves = ev->kind == EVENT_CANCEL || find_record(r, ev->job) == NULL;
	if (!r->leaves)
		return;
	r->other = vec_room(r->other, &r->other_cap, r->other_count + 1, sizeof *r->other);
	r->leaves = ended_job_of_event(&r->arena, before, ev, &r->other[r->other_count]);
}

static void note_event(void *self, const struct event *ev, const struct snapshot *after)
{
	struct replay *r = self;
	bool refused = ev->kind == EVENT_DEFER && ev->defer.failed_start;
	struct replay_record *record;

	(void)after;
	if (ev->kind == EVENT_CANCEL || ev->kind == EVENT_END) {
		r->other_count += r->leaves;
		r->leaves = false;
	}
	if (ev->kind != EVENT_START && ev->kind != EVENT_END && !refused)
		return;
	record = find_record(r, ev->job);
	if (!record)
		return;
	if (ev->kind == EVENT_START) {
		note_start(r, record, ev);
	} else if (refused) {
		*record = (struct replay_record){.start_s = TIME_NONE, .end_s = TIME_NONE};
	} else {
		record->end_s = ev->time_s;
		r->ended++;
	}
}

/* --- running ------------------------------------------------------------------------ */

static bool post(struct driver *driver, const struct replay_setup *setup, struct event *ev, size_t count,
		 struct err *err)
{
	for (size_t i = 0; i < count; i++) {
		ev[i].time_s = driver_view(driver)->now_s;
		ev[i].who = setup->who ? setup->who : "sched";
	}
	return count == 0 || driver_post(driver, ev, count, err) == DRIVER_DONE;
}

/* Posts the configuration and the settings, either all of them or none. */
static bool configure(struct driver *driver, const struct replay_setup *setup, struct err *err)
{
	struct event *ev = mem_zero(setup->set_count + 1, sizeof *ev);
	size_t count = 0;
	bool ok;

	if (setup->config_text)
		ev[count++] = (struct event){
			.kind = EVENT_CONFIG,
			.config = {.file = setup->config_file, .text = setup->config_text},
		};
	for (size_t i = 0; i < setup->set_count; i++)
		ev[count++] = (struct event){
			.kind = EVENT_SETTING,
			.setting = {.name = setup->set_name[i], .value = setup->set_value[i]},
		};
	ok = post(driver, setup, ev, count, err);
	free(ev);
	return ok;
}

static bool take_window(struct driver *driver, const struct replay_setup *setup, const struct fsfile *window,
			struct err *err)
{
	struct used_by *item = mem_zero(window->count, sizeof *item);
	struct event ev = {.kind = EVENT_USAGE};
	bool ok;

	for (size_t i = 0; i < window->count; i++)
		item[i] = (struct used_by){.type = (uint32_t)window->use[i].type,
					   .name = window->use[i].name,
					   .amount = window->use[i].amount};
	ev.usage.begin_s = window->begin_s;
	ev.usage.length_s =
		window->length_s > 0 ? window->length_s : driver_view(driver)->policy.fs_interval_s;
	ev.usage.item = item;
	ev.usage.count = (uint32_t)window->count;
	ev.usage.total = window->total;
	ok = post(driver, setup, &ev, 1, err);
	free(item);
	return ok || err_prefix(err, "FS.%" PRId64, window->begin_s);
}

static bool set_up(struct driver *driver, const struct replay_setup *setup, struct err *err)
{
	if (!configure(driver, setup, err))
		return false;
	driver_bar_programs(driver, setup->barred);
	for (size_t i = 0; i < setup->window_count; i++)
		if (!take_window(driver, setup, &setup->window[i], err))
			return false;
	driver_set_poll(driver, setup->poll_s);
	driver_reserve_ids(driver, trace_last_id(setup->trace));
	return true;
}

struct driver *replay_driver_new(const struct replay_setup *setup, struct ledger ledger, struct err *err)
{
	struct driver *driver = driver_new(fake_from_trace(&setup->cluster, setup->trace), ledger, err);

	if (!driver || set_up(driver, setup, err))
		return driver;
	driver_free(driver);
	return NULL;
}

struct replay *replay_new(const struct replay_setup *setup, struct ledger ledger, struct err *err)
{
	struct driver *driver = replay_driver_new(setup, ledger, err);
	const struct trace *trace = setup->trace;
	struct replay *r;

	if (!driver)
		return NULL;
	r = mem_zero(1, sizeof *r);
	r->driver = driver;
	r->trace = trace;
	r->until_s = setup->until_s;
	r->keep_runs = setup->keep_runs;
	index_positions(r);
	r->record = mem_zero(trace->count, sizeof *r->record);
	for (size_t i = 0; i < trace->count; i++)
		r->record[i] = (struct replay_record){.start_s = TIME_NONE, .end_s = TIME_NONE};
	driver_set_watch(driver, note_event, r);
	driver_set_watch_end(driver, note_leaving, r);
	return r;
}

void replay_free(struct replay *r)
{
	if (!r)
		return;
	driver_free(r->driver);
	free(r->position);
	free(r->record);
	free(r->run);
	free(r->other);
	arena_free(&r->arena);
	free(r);
}

/* Returns the time of the next step; TIME_NEVER when the replay is complete. */
static int64_t next_s(const struct replay *r)
{
	int64_t at_s = driver_next_s(r->driver);

	return at_s <= r->until_s ? at_s : TIME_NEVER;
}

bool replay_run(struct replay *r, int64_t until_s, struct err *err)
{
	for (;;) {
		int64_t at_s = next_s(r);

		if (at_s == TIME_NEVER || at_s > until_s)
			return true;
		if (!driver_step(r->driver, at_s, err))
			return false;
	}
}

bool replay_done(const struct replay *r)
{
	return next_s(r) == TIME_NEVER;
}

uint64_t replay_jobs_ended(const struct replay *r)
{
	return r->ended;
}

struct driver *replay_driver(struct replay *r)
{
	return r->driver;
}

const struct trace *replay_trace(const struct replay *r)
{
	return r->trace;
}

const struct replay_record *replay_records(const struct replay *r)
{
	return r->record;
}

const struct ended_job *replay_others(const struct replay *r, size_t *count)
{
	*count = r->other_count;
	return r->other;
}

const struct alloc_run *replay_runs(const struct replay *r)
{
	return r->run;
}

/* --- the summary -------------------------------------------------------------------- */

/* Adds the jobs in the order of the trace, so that the sums are always the same. */
static void summarise_started(const struct replay *r, struct replay_summary *out)
{
	struct replay_sums sums = {.wait_s = NULL};

	for (size_t i = 0; i < r->trace->count; i++) {
		const struct trace_job *job = &r->trace->job[i];
		const struct replay_record *record = &r->record[i];

		if (record->start_s != TIME_NONE)
			replay_sum_job(&sums, record->start_s - job->submit_s, job->run_s, job->wall_limit_s,
				       record->backfilled);
	}
	replay_sums_tell(&sums, out);
	free(sums.wait_s);
}

static int64_t last_end_s(const struct replay *r)
{
	int64_t last_s = TIME_NONE;

	for (size_t i = 0; i < r->trace->count; i++)
		if (r->record[i].end_s > last_s)
			last_s = r->record[i].end_s;
	return last_s;
}

/* If the replay was cut short, running jobs count until the last end. */
static void summarise_machine(const struct replay *r, int64_t last_s, struct replay_summary *out)
{
	double busy = 0;

	out->makespan_s = last_s - out->first_submit_s;
	for (size_t i = 0; i < r->trace->count; i++) {
		const struct replay_record *record = &r->record[i];
		int64_t end_s = record->end_s == TIME_NONE ? last_s : record->end_s;

		if (record->start_s != TIME_NONE && record->start_s < end_s)
			busy += (double)(end_s - record->start_s) * (double)r->trace->job[i].procs;
	}
	if (out->makespan_s > 0)
		out->utilization =
			busy / ((double)driver_view(r->driver)->procs_total * (double)out->makespan_s);
}

void replay_summarise(const struct replay *r, struct replay_summary *out)
{
	struct driver_stats stats;

	driver_get_stats(r->driver, &stats);
	*out = (struct replay_summary){
		.jobs = r->trace->count,
		.rejected = r->trace->rejected,
		.bad_lines = r->trace->bad.count,
		.first_submit_s = r->trace->count > 0 ? r->trace->job[0].submit_s : 0,
		.cycles = stats.passes,
		.decisions_hash = stats.decisions_hash,
	};
	for (size_t i = 0; i < r->trace->count; i++)
		out->not_started += r->record[i].start_s == TIME_NONE;
	summarise_started(r, out);
	if (r->ended > 0)
		summarise_machine(r, last_end_s(r), out);
}
