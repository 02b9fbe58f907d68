/* SPDX-License-Identifier: MIT */
/*
 * rerun_record.c - recorded run times and starts, and comparisons of replays with them
 *
 * IDs are assigned in ascending order, so submissions are nearly sorted by ID: only jobs that users submit
 * during the replay of a log have larger IDs than jobs of the log that arrive later. A job that was requeued
 * or could not be started has several runs; its run time is that of the last run if the job ended by itself.
 */
#include <stdlib.h>
#include <string.h>

#include "rerun.h"
#include "sched/base/vec.h"
#include "sched/policy/priority.h"

/* --- the record --------------------------------------------------------------------------------------- */

bool rerun_is_decision(const struct event *ev)
{
	switch (ev->kind) {
	case EVENT_START:
	case EVENT_UNDO: /* an expired temporary change is undone before a pass ... */
	case EVENT_KEEP: /* ... or kept if it cannot be undone */
	case EVENT_HALT: /* a pass after which nothing starts is counted */
		return ev->who != NULL && strcmp(ev->who, "sched") == 0;
	case EVENT_CANCEL: /* because its dependency can no longer be met */
		return ev->cancel.depends;
	case EVENT_SUSPEND: /* a suspended job resumes because its processors are free */
		return (ev->suspend.how & SUSPEND_RESUMED) != 0;
	case EVENT_PLAN:
	case EVENT_ACCRUAL:
	case EVENT_BYPASS:
	case EVENT_PASS:
	case EVENT_ELIGIBLE:
		return true;
	default:
		return false;
	}
}

bool rerun_can_be_without(const struct event *ev)
{
	return !rerun_is_decision(ev) && ev->kind != EVENT_END && ev->kind != EVENT_SIM;
}

/* --- jobs ---------------------------------------------------------------------------------------- */

static struct rerun_job *add_job(struct rerun_record *record, uint64_t id)
{
	record->job = vec_room(record->job, &record->job_cap, record->jobs + 1, sizeof *record->job);
	record->job[record->jobs] = (struct rerun_job){.id = id,
						       .entered_s = TIME_NONE,
						       .start_s = TIME_NONE,
						       .stint = INDEX_NONE,
						       .last = INDEX_NONE,
						       .run_s = -1,
						       .asked_s = TIME_NONE};
	return &record->job[record->jobs++];
}

static int by_id(const void *left, const void *right)
{
	const struct rerun_job *a = left, *b = right;

	return a->id < b->id ? -1 : a->id > b->id;
}

const struct rerun_job *rerun_record_find(const struct rerun_record *record, uint64_t id)
{
	struct rerun_job key = {.id = id};

	return record->jobs == 0 ? NULL
				 : bsearch(&key, record->job, record->jobs, sizeof *record->job, by_id);
}

static struct rerun_job *find(struct rerun_record *record, uint64_t id)
{
	const struct rerun_job *job = rerun_record_find(record, id);

	return job == NULL ? NULL : &record->job[job - record->job];
}

static void begin_stint(struct rerun_record *record, struct rerun_job *job, int64_t start_s)
{
	uint32_t at = (uint32_t)record->stints++;

	record->stint = vec_room(record->stint, &record->stint_cap, record->stints, sizeof *record->stint);
	record->stint[at] = (struct rerun_stint){.start_s = start_s, .end_s = TIME_NEVER, .next = INDEX_NONE};
	if (job->stint == INDEX_NONE)
		job->stint = at;
	else
		record->stint[job->last].next = at;
	job->last = at;
}

/* Returns the current run of a job; NULL if the job does not run. */
static struct rerun_stint *running(struct rerun_record *record, const struct rerun_job *job)
{
	struct rerun_stint *stint = job->last == INDEX_NONE ? NULL : &record->stint[job->last];

	return stint != NULL && stint->end_s == TIME_NEVER ? stint : NULL;
}

/* --- entries --------------------------------------------------------------------------------------- */

static void take_start(struct rerun_record *record, struct rerun_job *job, const struct event *ev)
{
	begin_stint(record, job, event_start_s(ev));
	record->reported += ev->start.reported;
	job->run_s = -1;
	job->asked_s = TIME_NONE;
	if (job->start_s != TIME_NONE)
		return;
	job->start_s = event_start_s(ev);
	job->rank = record->started++;
}

/*
 * Records the end of a run. The run time of a job that was cancelled or requeued is unknown, because it would
 * have run longer.
 */
static void take_end(struct rerun_job *job, struct rerun_stint *stint, const struct event *ev)
{
	stint->end_s = ev->time_s;
	job->status = ev->end.status;
	job->at_limit = ev->end.at_limit;
	if (job->asked_s == TIME_NONE)
		job->run_s = ev->time_s - stint->start_s;
	else
		job->grace_s = ev->time_s - job->asked_s;
}

static void take_of_job(struct rerun_record *record, struct rerun_job *job, const struct event *ev)
{
	struct rerun_stint *stint = running(record, job);

	if (ev->kind == EVENT_START) {
		take_start(record, job, ev);
	} else if (ev->kind == EVENT_CANCEL && stint == NULL) {
		job->gone = true;
	} else if (stint == NULL) {
		return;
	} else if (ev->kind == EVENT_CANCEL || ev->kind == EVENT_REQUEUE) {
		job->asked_s = ev->time_s;
		job->taken_away = ev->kind == EVENT_CANCEL;
	} else if (ev->kind == EVENT_END) {
		take_end(job, stint, ev);
	} else if (ev->kind == EVENT_DEFER && ev->defer.failed_start) {
		stint->end_s = ev->time_s;
	}
}

void rerun_record_begin(struct rerun_record *record, const struct snapshot *from, int64_t from_s,
			int64_t until_s)
{
	*record = (struct rerun_record){.from_s = from_s, .until_s = until_s, .first_seq = from->seq};
	for (uint32_t i = 0; i < snapshot_count(from, TABLE_JOBS); i++) {
		const struct job *job = &snapshot_jobs(from)[i];
		struct rerun_job *added;

		if (job->state == JOB_NONE)
			continue;
		added = add_job(record, job->id);
		if (job->state != JOB_RUNNING)
			continue;
		added->ran_before = true;
		begin_stint(record, added, job->start_s);
		if ((job->flags & JOB_CANCELLED) != 0 || (job->real & JOB_REAL_AGAIN) != 0)
			added->asked_s = from_s;
	}
	if (record->jobs > 1)
		qsort(record->job, record->jobs, sizeof *record->job, by_id);
}

static void take_clock(struct rerun_record *record, const struct event *ev)
{
	record->clock_last_s = ev->time_s;
	if (record->clock != 0)
		return;
	record->clock = ev->seq;
	record->clock_old_s = ev->time_s - ev->clock.by_s;
	record->clock_new_s = ev->time_s;
}

bool rerun_record_take(struct rerun_record *record, const struct event *ev)
{
	struct rerun_job *job;

	if (ev->time_s > record->until_s)
		return false;
	record->entries++;
	record->last_s = ev->time_s;
	if (ev->kind == EVENT_CLOCK)
		take_clock(record, ev);
	if (ev->kind == EVENT_SUBMIT) {
		for (uint32_t i = 0; i < job_record_tasks(&ev->submit); i++) {
			add_job(record, ev->job + i)->entered_s = ev->time_s;
			vec_sort_last(record->job, record->jobs, sizeof *record->job, by_id);
		}
		return true;
	}
	job = ev->job == 0 ? NULL : find(record, ev->job);
	if (job != NULL)
		take_of_job(record, job, ev);
	return true;
}

void rerun_record_finish(struct rerun_record *record)
{
	for (size_t i = 0; i < record->jobs; i++) {
		const struct rerun_job *job = &record->job[i];

		record->taken_away += job->taken_away;
		record->no_end += job->run_s < 0 && !job->taken_away && !job->gone;
	}
}

void rerun_record_clear(struct rerun_record *record)
{
	free(record->job);
	free(record->stint);
	*record = (struct rerun_record){.job = NULL};
}

/* --- do jobs start in the recorded order? ------------------------------------------------------------ */

/*
 * Takes the jobs in recorded order, each with its rank in the replay. The jobs in the longest ascending
 * subsequence of ranks are those in the same order (patience sorting: M. Fredman, On computing the length of
 * longest increasing subsequences, 1975); O(n log n).
 */

/* The jobs that started in the record and in the replay, in recorded order. */
struct row {
	uint32_t *job; /* indices in the record */
	uint32_t count;
	uint32_t *pile; /* for each length, the last item of the best sequence of this length */
	uint32_t *before;
	uint32_t piles;
};

static void line_up(struct row *row, const struct rerun_record *record, const struct rerun_fate *fate)
{
	uint32_t *by_rank = mem_alloc((record->started + 1) * sizeof *by_rank);

	for (size_t i = 0; i < record->jobs; i++)
		if (record->job[i].start_s != TIME_NONE)
			by_rank[record->job[i].rank] = (uint32_t)i;
	row->job = by_rank;
	for (uint32_t i = 0; i < record->started; i++)
		if (fate[by_rank[i]].start_s != TIME_NONE)
			row->job[row->count++] = by_rank[i];
}

/* Returns the first pile whose top has a higher rank; row->piles if there is none. */
static uint32_t pile_for(const struct row *row, const struct rerun_fate *fate, uint32_t rank)
{
	uint32_t low = 0, high = row->piles;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (fate[row->job[row->pile[middle]]].rank < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void sort_piles(struct row *row, const struct rerun_fate *fate)
{
	row->pile = mem_alloc((row->count + 1) * sizeof *row->pile);
	row->before = mem_alloc((row->count + 1) * sizeof *row->before);
	for (uint32_t i = 0; i < row->count; i++) {
		uint32_t at = pile_for(row, fate, fate[row->job[i]].rank);

		row->before[i] = at > 0 ? row->pile[at - 1] : INDEX_NONE;
		row->pile[at] = i;
		if (at == row->piles)
			row->piles++;
	}
}

static bool *keepers(const struct row *row, size_t jobs)
{
	bool *keeps = mem_zero(jobs + 1, sizeof *keeps);
	uint32_t i = row->piles > 0 ? row->pile[row->piles - 1] : INDEX_NONE;

	for (; i != INDEX_NONE; i = row->before[i])
		keeps[row->job[i]] = true;
	return keeps;
}

static void add_difference(struct rerun_agreement *out, size_t job)
{
	out->differs = vec_room(out->differs, &out->cap, out->count + 1, sizeof *out->differs);
	out->differs[out->count++] = (uint32_t)job;
}

void rerun_agree(const struct rerun *r, struct rerun_agreement *out)
{
	const struct rerun_record *record = rerun_of(r);
	const struct rerun_fate *fate = rerun_fates(r);
	struct row row = {.job = NULL};
	bool *keeps;

	line_up(&row, record, fate);
	sort_piles(&row, fate);
	keeps = keepers(&row, record->jobs);
	out->jobs = out->same_start = 0;
	out->in_order = row.piles;
	out->count = 0;
	for (size_t i = 0; i < record->jobs; i++) {
		if (record->job[i].start_s == TIME_NONE && fate[i].start_s == TIME_NONE)
			continue;
		out->jobs++;
		out->same_start += record->job[i].start_s == fate[i].start_s;
		if (!keeps[i])
			add_difference(out, i);
	}
	free(keeps);
	free(row.job);
	free(row.pile);
	free(row.before);
}

/* --- gains and losses by user, account and class ------------------------------------------------------ */

/* One job in both replays. */
struct pair {
	const struct rerun_fate *before, *after;
	int64_t run_before_s, run_after_s;
};

static void add_sums(struct rerun_sums *sums, const struct rerun_fate *fate, int64_t run_s)
{
	int64_t wait_s = fate->start_s - fate->submit_s;

	sums->wait_s += (double)wait_s;
	sums->slowdown += replay_bounded_slowdown(wait_s, run_s);
	sums->xfactor += xfactor_of((double)wait_s, (double)fate->wall_limit_s);
}

static void add_pair(struct rerun_party *party, const struct pair *pair)
{
	party->jobs++;
	party->earlier += pair->after->start_s < pair->before->start_s;
	party->later += pair->after->start_s > pair->before->start_s;
	add_sums(&party->before, pair->before, pair->run_before_s);
	add_sums(&party->after, pair->after, pair->run_after_s);
}

/*
 * Adds a job to the sums of its credentials and of all jobs. by_cred: one party for each credential in the
 * view of the first replay, then one for all jobs.
 */
static void parties_add_job(struct rerun_party *by_cred, uint32_t creds, const struct pair *pair)
{
	add_pair(&by_cred[creds], pair);
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		if (pair->before->cred[type] != INDEX_NONE)
			add_pair(&by_cred[pair->before->cred[type]], pair);
}

static void keep(struct rerun_parties *out, const struct rerun_party *party)
{
	out->item = vec_room(out->item, &out->cap, out->count + 1, sizeof *out->item);
	out->item[out->count++] = *party;
}

static void keep_type(struct rerun_parties *out, const struct rerun_party *by_cred, uint32_t creds,
		      enum cred_type type)
{
	for (uint32_t i = 0; i < creds; i++)
		if (by_cred[i].type == type && by_cred[i].jobs > 0)
			keep(out, &by_cred[i]);
}

static struct rerun_party *make_parties(const struct snapshot *s, uint32_t creds)
{
	struct rerun_party *by_cred = mem_zero(creds + 1, sizeof *by_cred);

	for (uint32_t i = 0; i < creds; i++)
		by_cred[i] =
			(struct rerun_party){.type = (enum cred_type)snapshot_creds(s)[i].type, .cred = i};
	by_cred[creds] = (struct rerun_party){.type = CRED_TYPE_COUNT, .cred = INDEX_NONE};
	return by_cred;
}

void rerun_compare(struct rerun_parties *out, const struct rerun *before, const struct rerun *after)
{
	const struct snapshot *s = rerun_view(before);
	uint32_t creds = snapshot_count(s, TABLE_CREDS);
	struct rerun_party *by_cred = make_parties(s, creds);

	out->count = out->only_before = out->only_after = out->neither = 0;
	for (size_t i = 0; i < rerun_of(before)->jobs; i++) {
		struct pair pair = {.before = &rerun_fates(before)[i],
				    .after = &rerun_fates(after)[i],
				    .run_before_s = rerun_run_s(before, i),
				    .run_after_s = rerun_run_s(after, i)};
		bool one = pair.before->start_s != TIME_NONE, other = pair.after->start_s != TIME_NONE;

		if (pair.before->submit_s == TIME_NONE || pair.after->submit_s == TIME_NONE)
			continue;
		out->only_before += one && !other;
		out->only_after += other && !one;
		out->neither += !one && !other;
		if (one && other)
			parties_add_job(by_cred, creds, &pair);
	}
	keep(out, &by_cred[creds]);
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		keep_type(out, by_cred, creds, type);
	free(by_cred);
}

/* --- jobs that start at another time ------------------------------------------------------------------ */

static void note_both(struct rerun_moves *out, const struct rerun_move *move)
{
	int64_t later_s = move->after_s - move->before_s;

	if (later_s > 0)
		out->later++;
	else
		out->earlier++;
	if (later_s > out->most_later_s)
		out->most_later_s = later_s;
	if (-later_s > out->most_earlier_s)
		out->most_earlier_s = -later_s;
}

static void note(struct rerun_moves *out, const struct rerun_move *move)
{
	out->item = vec_room(out->item, &out->cap, out->count + 1, sizeof *out->item);
	out->item[out->count++] = *move;
	if (move->after_s == TIME_NONE)
		out->only_before++;
	else if (move->before_s == TIME_NONE)
		out->only_after++;
	else
		note_both(out, move);
}

void rerun_find_moves(struct rerun_moves *out, const struct rerun *before, const struct rerun *after)
{
	*out = (struct rerun_moves){.item = out->item, .cap = out->cap};
	for (size_t i = 0; i < rerun_of(before)->jobs; i++) {
		const struct rerun_fate *was = &rerun_fates(before)[i], *is = &rerun_fates(after)[i];
		struct rerun_move move = {
			.job = (uint32_t)i, .before_s = was->start_s, .after_s = is->start_s};

		if (was->submit_s != TIME_NONE && is->submit_s != TIME_NONE && move.before_s != move.after_s)
			note(out, &move);
	}
}
