/* SPDX-License-Identifier: MIT */
/*
 * job_figures.c - computation of the numbers of a job
 *
 * In the instant plan, a job starts when a running job, a job placed before it, or an advance reservation
 * ends. The figure of a start names this event, so the start is a sum of known times.
 */
#include "job_figures.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/forecast/explain.h"
#include "sched/rm/wallclock.h"
#include "tui/report/job_fields.h"
#include "tui/report/job_text.h"

#define NAMED_MOST 4 /* maximum number of jobs named in a sentence */

static const struct job *job_at(const struct forecast *f, uint32_t slot)
{
	return &snapshot_jobs(f->s)[slot];
}

/* Adds the label of the job as a remark to a part: "[901013]". Returns part. */
static uint32_t of_job(struct figures *out, const struct forecast *f, uint32_t part, uint32_t slot)
{
	char label[JOB_LABEL_TEXT];

	return figure_remark(out, part, snapshot_job_label(f->s, job_at(f, slot), label));
}

/* --- changes by operators ----------------------------------------------------------------------------- */

/*
 * Returns the last journal entry that modified the job and is still in effect; 0 if there is none. name: the
 * attribute that it modified, NULL = any.
 */
static uint64_t entry_of(const struct snapshot *s, uint64_t job, enum change_kind kind, const char *name)
{
	const struct change *change = snapshot_changes(s);

	for (uint32_t i = snapshot_count(s, TABLE_CHANGES); i-- > 0;)
		if (change[i].job == job && change[i].kind == kind && !change[i].dead &&
		    (!name || str_same_word(snapshot_string(s, change[i].name), name)))
			return change[i].seq;
	return 0;
}

static void note_entry(struct figures *out, const struct snapshot *s, const struct job *job,
		       enum change_kind kind, const char *name)
{
	uint64_t entry = entry_of(s, job->id, kind, name);
	struct str place = {0};

	if (entry == 0)
		return;
	str_addf(&place, "set by entry %" PRIu64, entry);
	figure_note_origin(out, name ? name : "priority", str_text(&place), entry);
	str_free(&place);
}

/* --- starts ------------------------------------------------------------------------------- */

/*
 * begin_of returns the start of a job in a projection, end_of its end; TIME_NEVER if the job does not start.
 */
static int64_t begin_of(const struct whatif_future *future, uint32_t slot)
{
	const struct job *job = job_at(future->f, slot);

	if (job->state == JOB_RUNNING)
		return job->start_s;
	return job->state == JOB_IDLE ? future->start_s[slot] : TIME_NEVER;
}

static int64_t end_of(const struct whatif_future *future, uint32_t slot)
{
	int64_t begin_s = begin_of(future, slot);

	if (begin_s == TIME_NEVER || (future->end_s && future->end_s[slot] != TIME_NEVER))
		return begin_s == TIME_NEVER ? TIME_NEVER : future->end_s[slot];
	if (job_at(future->f, slot)->state == JOB_RUNNING)
		return job_due_end_s(job_at(future->f, slot));
	return begin_s + job_at(future->f, slot)->wall_limit_s;
}

/*
 * Returns the part "started 10:50:09 + limit 14:54:30 [899744]" for the largest job other than `self` that
 * ends at at_s; FIGURE_NONE if no job does.
 */
static uint32_t end_part(struct figures *out, const struct whatif_future *future, uint32_t self, int64_t at_s)
{
	const struct forecast *f = future->f;
	uint32_t best = INDEX_NONE;
	int64_t begin_s;

	for (uint32_t slot = 0; slot < f->plan.slots; slot++)
		if (slot != self && end_of(future, slot) == at_s &&
		    (best == INDEX_NONE || job_procs(job_at(f, slot)) > job_procs(job_at(f, best))))
			best = slot;
	if (best == INDEX_NONE)
		return FIGURE_NONE;
	begin_s = begin_of(future, best);
	return figure_join(
		out, FIGURE_PLUS, figure_moment(out, begin_s > f->plan.now_s ? "start" : "started", begin_s),
		of_job(out, f,
		       figure_duration(out, at_s - begin_s == job_at(f, best)->wall_limit_s ? "limit" : "run",
				       at_s - begin_s),
		       best));
}

/* Returns the part for an advance reservation that ends at at_s; FIGURE_NONE if none does. */
static uint32_t advance_part(struct figures *out, const struct forecast *f, int64_t at_s)
{
	const struct advance *advance = snapshot_advances(f->s);

	for (uint32_t i = 0; i < snapshot_count(f->s, TABLE_ADVANCES); i++)
		if (advance[i].end_s == at_s)
			return figure_remark(out, figure_moment(out, "end", at_s),
					     snapshot_string(f->s, advance[i].name));
	return FIGURE_NONE;
}

/*
 * Returns the part that computes the estimated start: from the event at that time if there is one, otherwise
 * as now plus a duration.
 */
static uint32_t start_part(struct figures *out, const struct whatif_future *future, uint32_t slot)
{
	const struct forecast *f = future->f;
	const struct job *job = job_at(f, slot);
	int64_t start_s = future->start_s[slot], now_s = f->plan.now_s;
	uint32_t part;

	if (start_s <= now_s)
		return figure_moment(out, "now", now_s);
	if (start_s == job->not_before_s)
		return figure_moment(out, "startdate", start_s);
	if (start_s == job->defer_until_s)
		return figure_remark(out, figure_moment(out, NULL, start_s), "end of the deferral");
	part = end_part(out, future, slot, start_s);
	if (part == FIGURE_NONE)
		part = advance_part(out, f, start_s);
	if (part == FIGURE_NONE)
		part = figure_join(out, FIGURE_PLUS, figure_moment(out, "now", now_s),
				   figure_duration(out, NULL, start_s - now_s));
	return part;
}

/* --- events before the start -------------------------------------------------------------------------- */

struct named {
	struct str text;
	uint32_t count;
	int64_t procs;
};

static void name_job(struct named *n, const struct forecast *f, uint32_t slot, int64_t at_s)
{
	char label[JOB_LABEL_TEXT], when[MOMENT_TEXT];
	int64_t procs = job_procs(job_at(f, slot));

	n->procs += procs;
	if (n->count++ >= NAMED_MOST)
		return;
	str_addf(&n->text, "%s%s (%" PRId64 " procs, %s)", n->count > 1 ? ", " : "",
		 snapshot_job_label(f->s, job_at(f, slot), label), procs,
		 wallclock_short(when, at_s, f->plan.now_s));
}

static void say_named(struct figures *out, struct named *n, const char *what)
{
	struct str text = {0};

	if (n->count > 0) {
		str_addf(&text, "%s %s", what, str_text(&n->text));
		if (n->count > NAMED_MOST)
			str_addf(&text, " +%" PRIu32 " more", n->count - NAMED_MOST);
		str_addf(&text, "; %" PRId64 " processors in total.", n->procs);
		figure_say(out, str_text(&text));
	}
	str_free(&text);
	str_free(&n->text);
}

/*
 * Adds a sentence with the jobs that end by the estimated start of job `self`, and one with the idle jobs
 * that start before it.
 */
static void say_before(struct figures *out, const struct whatif_future *future, uint32_t self)
{
	struct named ends = {.count = 0}, begins = {.count = 0};
	const struct forecast *f = future->f;
	const struct queue *q = &f->plan.queue;
	int64_t start_s = future->start_s[self];

	for (uint32_t i = 0; i < q->active_count; i++)
		if (end_of(future, q->active[i]) <= start_s)
			name_job(&ends, f, q->active[i], end_of(future, q->active[i]));
	for (uint32_t i = 0; i < q->idle_count; i++)
		if (q->idle[i].slot != self && future->start_s[q->idle[i].slot] < start_s)
			name_job(&begins, f, q->idle[i].slot, future->start_s[q->idle[i].slot]);
	say_named(out, &ends, "Jobs that end by then:");
	say_named(out, &begins, "Jobs that start before this job:");
}

void job_figures_why(struct figures *out, const struct forecast *f, uint32_t slot)
{
	const struct reason reason = forecast_lead(f, slot).reason;
	struct str text = {0};

	job_text_sentence(f->s, job_at(f, slot), &reason, f->plan.now_s, &text);
	figure_say(out, str_text(&text));
	str_free(&text);
}

void job_figures_moment(struct figures *out, const char *title, int64_t at_s, uint32_t part)
{
	char when[MOMENT_TEXT];

	wallclock_short(when, at_s, out->now_s);
	figure_add(out, title, when, part, (double)at_s, strchr(when, ' ') ? FIGURE_SHORT : FIGURE_WHOLE);
}

/* Adds the duration between two times: "3:42h". */
static void add_distance(struct figures *out, const char *title, int64_t from_s, int64_t to_s,
			 const char *from, const char *to)
{
	char text[DURATION_TEXT];

	figure_add(out, title, duration_short(text, to_s - from_s),
		   figure_join(out, FIGURE_MINUS, figure_moment(out, to, to_s),
			       figure_moment(out, from, from_s)),
		   (double)(to_s - from_s), FIGURE_SHORT);
}

bool job_figures_start(struct figures *out, const struct whatif_future *future, uint32_t slot,
		       const char *title)
{
	int64_t start_s = future->start_s[slot], now_s = future->f->plan.now_s;

	if (start_s != TIME_NEVER)
		job_figures_moment(out, title, start_s > now_s ? start_s : now_s,
				   start_part(out, future, slot));
	return start_s != TIME_NEVER;
}

static void note_reservation(struct figures *out, const struct forecast *f, uint32_t slot)
{
	struct str slip = {0};

	if (job_at(f, slot)->planned_s == f->start_s[slot])
		figure_note(out, "start of the job's reservation");
	else if (jobs_add_slip(f, slot, &slip))
		figure_note(out, "%s", str_text(&slip));
	str_free(&slip);
}

static void add_start(struct figures *out, const struct whatif_future *future, uint32_t slot,
		      const char *title)
{
	const struct forecast *f = future->f;
	int64_t start_s = future->start_s[slot], now_s = f->plan.now_s;

	if (!job_figures_start(out, future, slot, title)) {
		figure_say(out, "No estimated start: the reason below does not clear without a change.");
		job_figures_why(out, f, slot);
		return;
	}
	note_reservation(out, f, slot);
	if (start_s <= now_s)
		return;
	add_distance(out, "IN", now_s, start_s, "now", NULL);
	job_figures_why(out, f, slot);
	say_before(out, future, slot);
}

/*
 * Adds the sentence with the assumptions under which starts were estimated. placeholder: the starts were
 * estimated by the instant plan.
 */
static void say_assumptions(struct figures *out, bool placeholder)
{
	figure_say(out, placeholder ? "Instant plan: assumes that jobs run to their limits, that priorities "
				      "do not change and that no jobs are submitted."
				    : "Projection: assumes that jobs run to their limits and that no jobs "
				      "are submitted.");
}

/*
 * Returns the source of the job's estimated start: the instant plan for placeholders, otherwise the
 * projection.
 */
static struct whatif_future future_of(const struct forecast *f, uint32_t slot)
{
	return whatif_future_of(f, f->placeholder[slot] ? FUTURE_INSTANT : FUTURE_FULL);
}

/* --- running jobs ------------------------------------------------------------------------------------- */

/*
 * Returns the part "started 10:50:09 + suspended 0:10:00": the start of the job, plus the time for which it
 * was suspended.
 */
static uint32_t begin_part(struct figures *out, const struct job *job)
{
	uint32_t started = figure_moment(out, "started", job->start_s);

	if (job->suspended_s == 0)
		return started;
	return figure_join(out, FIGURE_PLUS, started, figure_duration(out, "suspended", job->suspended_s));
}

/*
 * Returns the part for the time at which the job reaches its wallclock limit, counted from its start or, if
 * it is suspended, from the time at which it is resumed.
 */
static uint32_t due_part(struct figures *out, const struct job *job)
{
	if (!job_is_suspended(job))
		return figure_join(out, FIGURE_PLUS, begin_part(out, job),
				   figure_duration(out, "limit", job->wall_limit_s));
	return figure_join(out, FIGURE_PLUS, figure_moment(out, "resumed", job->resume_s),
			   figure_duration(out, "remaining", job_left_s(job, job->resume_s)));
}

static void add_due_end(struct figures *out, const struct job *job, int64_t now_s)
{
	int64_t end_s = job_due_end_s(job);

	if (end_s == TIME_NEVER)
		return;
	job_figures_moment(out, "EST.START", end_s, due_part(out, job));
	figure_note(out, "latest end of the job");
	if (end_s >= now_s)
		add_distance(out, "IN", now_s, end_s, "now", "end");
	else
		add_distance(out, "IN", end_s, now_s, "end", "now");
}

static void add_end(struct figures *out, const struct forecast *f, const struct job *job)
{
	bool suspended = job_is_suspended(job);
	int64_t ran_s = job_ran_s(job, f->plan.now_s),
		until_s = suspended ? job->suspended_at_s : f->plan.now_s;
	struct str shown = {0};

	add_due_end(out, job, f->plan.now_s);
	str_addf(&shown, "%" PRId64 "%%", ran_s * 100 / job->wall_limit_s);
	figure_add(out, "OF LIMIT", str_text(&shown),
		   figure_join(out, FIGURE_OVER,
			       figure_join(out, FIGURE_TIMES, figure_number(out, NULL, 100, NULL),
					   figure_join(out, FIGURE_MINUS,
						       figure_moment(out, suspended ? "suspended" : "now",
								     until_s),
						       begin_part(out, job))),
			       figure_duration(out, "limit", job->wall_limit_s)),
		   100 * (double)ran_s / (double)job->wall_limit_s, FIGURE_CUT);
	str_free(&shown);
}

/* --- all figures of a job ----------------------------------------------------------------------------- */

void job_figures_rank(struct figures *out, const struct forecast *f, uint32_t slot, const char *title)
{
	char shown[16];
	uint32_t place = f->place[slot];

	if (place == 0)
		return;
	snprintf(shown, sizeof shown, "%" PRIu32, place);
	figure_add(out, title, shown,
		   figure_join(out, FIGURE_PLUS, figure_number(out, NULL, 1, NULL),
			       figure_number(out, NULL, place - 1, "jobs ahead")),
		   place, FIGURE_WHOLE);
}

static void add_queued(struct figures *out, const struct forecast *f, const struct job *job)
{
	int64_t now_s = f->plan.now_s, queued_s = job_queued_s(job, now_s);

	if (job->state == JOB_RUNNING) {
		add_distance(out, "QUEUED", job->submit_s, job->start_s, "submitted", "started");
	} else if (queued_s > 0) {
		add_distance(out, "QUEUED", job->accrual_s, now_s, "since", "now");
	} else {
		figure_add(out, "QUEUED", "0s", figure_duration(out, NULL, 0), 0, FIGURE_SHORT);
		if (job->flags & JOB_ACCRUAL_PAUSED)
			figure_note(out, "jobprioaccrualpolicy: not counted while the job is blocked");
	}
	if (job->state != JOB_RUNNING && queued_s > 0 && job->accrual_s != job->submit_s)
		figure_note(out,
			    "queue time counts from then, not from the submission (jobprioaccrualpolicy)");
}

static void add_request(struct figures *out, const struct forecast *f, const struct job *job)
{
	char wall[DURATION_TEXT];
	int64_t procs = job_procs_counted(job);
	struct str shown = {0};

	str_addf(&shown, "%" PRId64, procs);
	figure_add(out, "PROC", str_text(&shown),
		   procs != job_procs(job)
			   ? figure_number(out, NULL, (double)procs, "procs held")
			   : figure_join(out, FIGURE_TIMES, figure_number(out, NULL, job->tasks, "tasks"),
					 figure_number(out, NULL, job->task_procs, "procs")),
		   (double)procs, FIGURE_WHOLE);
	figure_add(out, "WCLIMIT", duration_text(wall, job->wall_limit_s),
		   figure_duration(out, NULL, job->wall_limit_s), (double)job->wall_limit_s, FIGURE_WHOLE);
	note_entry(out, f->s, job, CHANGE_MODIFY, "walltime");
	str_free(&shown);
}

static void add_waiting(struct figures *out, const struct forecast *f, uint32_t slot)
{
	const struct whatif_future future = future_of(f, slot);

	job_figures_rank(out, f, slot, "RANK");
	add_start(out, &future, slot, "EST.START");
	say_assumptions(out, f->placeholder[slot]);
}

void job_figures(struct figures *out, const struct forecast *f, uint32_t slot, enum formula_form form)
{
	const struct job *job = job_at(f, slot);

	formula_sum(out, f, job, "PRIORITY");
	if (job->adjust != JOB_ADJUST_NONE)
		note_entry(out, f->s, job, CHANGE_PRIORITY, NULL);
	formula_factors(out, f, job, form);
	if (job->state == JOB_RUNNING)
		add_end(out, f, job);
	else
		add_waiting(out, f, slot);
	formula_xfactor(out, f, job);
	add_queued(out, f, job);
	add_request(out, f, job);
	formula_idle_factors(out, f, job, form);
}

/* --- changes by a draft ------------------------------------------------------------------------------- */

void job_figures_change(struct figures *out, int64_t before_s, int64_t after_s, int cells)
{
	struct str shown = {0}, whole = {0};

	if (before_s == TIME_NEVER || after_s == TIME_NEVER || before_s == after_s)
		return;
	(void)jobs_add_change(before_s, after_s, cells, &shown);
	(void)jobs_add_change(before_s, after_s, INT_MAX, &whole);
	figure_add(out, "CHANGE", str_text(&shown),
		   figure_join(out, FIGURE_MINUS, figure_moment(out, "after", after_s),
			       figure_moment(out, "before", before_s)),
		   (double)(after_s - before_s),
		   strcmp(str_text(&shown), str_text(&whole)) == 0 ? FIGURE_WHOLE : FIGURE_SHORT);
	str_free(&shown);
	str_free(&whole);
}

/*
 * Adds the figures of a job in one of the two compared plans. after: the plan of the draft, whose titles end
 * in AFTER.
 */
static void add_side(struct figures *out, const struct whatif_future *future, uint64_t id, bool after)
{
	const struct forecast *f = future->f;
	uint32_t slot;
	const struct job *job = forecast_job(f, id, &slot);

	if (!job)
		return;
	formula_sum(out, f, job, after ? "PRIORITY AFTER" : "PRIORITY");
	job_figures_rank(out, f, slot, after ? "RANK AFTER" : "RANK");
	add_start(out, future, slot, after ? "START AFTER" : "START");
}

/*
 * Adds PRIORITY, RANK and START, live and AFTER the draft, and the CHANGE of the start. There must be a
 * draft.
 */
static void put_draft(struct figures *out, const struct plan_query *o, uint64_t job)
{
	const struct whatif_future live = whatif_future_of(&o->live, whatif_draft_tier(o));
	const struct whatif_future draft = whatif_future_of(&o->draft, whatif_draft_tier(o));
	uint32_t before, after;

	add_side(out, &live, job, false);
	add_side(out, &draft, job, true);
	if (forecast_job(&o->live, job, &before) && forecast_job(&o->draft, job, &after))
		job_figures_change(out, live.start_s[before], draft.start_s[after], INT_MAX);
	say_assumptions(out, whatif_draft_tier(o) == FUTURE_INSTANT);
}

void job_figures_now(struct figures *out, const struct plan_query *o, uint64_t job, enum formula_form form)
{
	uint32_t slot;

	if (o->draft.s && forecast_job(&o->draft, job, NULL))
		put_draft(out, o, job);
	else if (forecast_job(&o->live, job, &slot))
		job_figures(out, &o->live, slot, form);
	else
		figure_say(out, "No job under the cursor.");
}
