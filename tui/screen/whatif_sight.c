/* SPDX-License-Identifier: MIT */
/* whatif_sight.c - the projections of the What-if screen, and the computation of their numbers */
#include "whatif_sight.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "job_figures.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/forecast/occupancy.h"
#include "sched/policy/priority.h"
#include "tui/report/job_fields.h"
#include "view.h"

/* --- projections to compare --------------------------------------------------------------------------- */

const char *whatif_tier(enum future_tier tier, enum assume_kind kind)
{
	static const char *const words[ASSUME_KIND_COUNT] = {
		[ASSUME_WCLIMIT] = "full projection, jobs run to their limits",
		[ASSUME_HISTORY] = "full projection, usual run times of the user",
		[ASSUME_MEDIAN] = "full projection, usual run times of all users",
	};

	if (tier == FUTURE_INSTANT)
		return "instant plan";
	return tier == FUTURE_FULL ? words[kind] : "partial projection; ~ marks the instant plan";
}

enum future_tier whatif_draft_tier(const struct plan_query *o)
{
	return o->live.tier == FUTURE_FULL && o->draft.tier == FUTURE_FULL ? FUTURE_FULL : FUTURE_INSTANT;
}

struct whatif_future whatif_future_of(const struct forecast *f, enum future_tier tier)
{
	if (tier == FUTURE_INSTANT)
		return (struct whatif_future){.f = f, .start_s = f->plan.start_s, .tier = FUTURE_INSTANT};
	return (struct whatif_future){.f = f,
				      .start_s = f->start_s,
				      .end_s = f->end_s,
				      .tier = FUTURE_PARTIAL,
				      .placeholder = f->placeholder};
}

enum role whatif_put_start(const struct whatif_future *future, uint32_t slot, struct str *out)
{
	bool placeholder = future->tier == FUTURE_INSTANT ||
			   (future->tier == FUTURE_PARTIAL && future->placeholder[slot]);

	return jobs_add_when(future->start_s[slot], future->f->plan.now_s, placeholder, out);
}

/*
 * Returns the starts of a projection, made with the run time assumption of the What-if screen; those of the
 * instant plan of f if the projection is NULL.
 */
static struct whatif_future future_ahead(const struct forecast *f, const struct projected *a)
{
	if (a == NULL)
		return whatif_future_of(f, FUTURE_INSTANT);
	return (struct whatif_future){.f = f,
				      .start_s = projected_starts(a),
				      .end_s = a->run.end_s,
				      .tier = future_tier_of(&a->run),
				      .placeholder = a->placeholder};
}

void whatif_sight_take(struct whatif_sight *sight, struct screen_host *host)
{
	const struct plan_query *o = host->ops->plan_query(host->console);
	const struct projection_query *f = host->ops->projection_query(host->console);

	if (f != NULL && (!projection_query_same_draft(f, o) || (f->draft && !projection_query_compares(f))))
		f = NULL;
	if (f != NULL)
		o = f->query.plan_query;
	*sight = (struct whatif_sight){.o = o, .tier = FUTURE_INSTANT};
	if (f == NULL && !o->compares)
		return;
	sight->w = f != NULL ? &f->compared : &o->compared;
	sight->comparing = o->draft.s != NULL;
	sight->live = sight->draft = future_ahead(&o->live, f != NULL ? f->live : NULL);
	if (sight->comparing)
		sight->draft = future_ahead(&o->draft, f != NULL ? f->draft : NULL);
	sight->tier = sight->draft.tier;
}

bool whatif_sight_is_past(const struct whatif_sight *sight)
{
	return plan_query_is_past(sight->o);
}

int64_t whatif_sight_end_s(const struct whatif_sight *sight)
{
	int64_t end_s = sight->o->now_s;

	for (size_t i = 0; i < sight->w->count; i++) {
		const struct whatif_job *j = &sight->w->job[i];

		if (j->start_before_s != TIME_NEVER && j->start_before_s > end_s)
			end_s = j->start_before_s;
		if (j->start_after_s != TIME_NEVER && j->start_after_s > end_s)
			end_s = j->start_after_s;
	}
	return end_s;
}

/* --- computation of the numbers ----------------------------------------------------------------------- */

/*
 * A mean is shown as a sum over the jobs that start in both projections, divided by their number. The largest
 * terms name their jobs; all other terms are combined.
 */

#define NAMED_MOST 6 /* maximum number of jobs named in a sum */

/* --- sums over jobs ------------------------------------------------------------------------------ */

struct addend {
	double value;
	uint32_t slot; /* slot of the job in the live queue */
};

struct summing {
	const struct whatif_sight *sight;
	const struct whatif_group *group; /* only jobs of this group; NULL = all */
	struct addend *item;
	size_t count, room;
};

/* Sets *value to what a job adds to a sum; false if the job does not belong to the sum. */
typedef bool addend_of(const struct summing *sum, const struct whatif_job *j, double *value);

static const struct job *job_of(const struct whatif_sight *sight, const struct whatif_job *j)
{
	return &snapshot_jobs(sight->live.f->s)[j->slot_before];
}

static int by_value(const void *a, const void *b)
{
	const struct addend *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return (x->slot > y->slot) - (x->slot < y->slot);
}

static void take_addends(struct summing *sum, addend_of *of)
{
	const struct whatif *w = sum->sight->w;

	for (size_t i = 0; i < w->count; i++) {
		const struct whatif_job *j = &w->job[i];
		struct addend one = {.slot = j->slot_before};

		if ((sum->group && job_of(sum->sight, j)->cred[sum->group->type] != sum->group->cred) ||
		    !of(sum, j, &one.value))
			continue;
		sum->item = vec_room(sum->item, &sum->room, sum->count + 1, sizeof *sum->item);
		sum->item[sum->count++] = one;
	}
	if (sum->count > 1)
		qsort(sum->item, sum->count, sizeof *sum->item, by_value);
}

static uint32_t others_part(struct figures *out, const struct summing *sum, const char *unit)
{
	struct str remark = {0};
	double value = 0;
	uint32_t part;

	for (size_t i = NAMED_MOST; i < sum->count; i++)
		value += sum->item[i].value;
	str_addf(&remark, "%zu others", sum->count - NAMED_MOST);
	part = figure_remark(out, figure_number(out, NULL, value, unit), str_text(&remark));
	str_free(&remark);
	return part;
}

/* Returns the part for the sum; 0 if it has no terms. */
static uint32_t sum_part(struct figures *out, const struct summing *sum, const char *unit)
{
	const struct snapshot *s = sum->sight->live.f->s;
	uint32_t part = FIGURE_NONE;
	char label[JOB_LABEL_TEXT];

	for (size_t i = 0; i < sum->count && i < NAMED_MOST; i++)
		part = figure_join(
			out, FIGURE_PLUS, part,
			figure_remark(out, figure_number(out, NULL, sum->item[i].value, unit),
				      snapshot_job_label(s, &snapshot_jobs(s)[sum->item[i].slot], label)));
	if (sum->count > NAMED_MOST)
		part = figure_join(out, FIGURE_PLUS, part, others_part(out, sum, unit));
	return part == FIGURE_NONE ? figure_number(out, NULL, 0, unit) : part;
}

static bool starts_in_both(const struct whatif_job *j)
{
	return j->start_before_s != TIME_NEVER && j->start_after_s != TIME_NEVER;
}

static double wait_of(const struct summing *sum, const struct whatif_job *j, int64_t start_s)
{
	return (double)(start_s - job_of(sum->sight, j)->submit_s);
}

static bool wait_live(const struct summing *sum, const struct whatif_job *j, double *value)
{
	*value = wait_of(sum, j, j->start_before_s);
	return starts_in_both(j);
}

static bool wait_draft(const struct summing *sum, const struct whatif_job *j, double *value)
{
	*value = wait_of(sum, j, j->start_after_s);
	return starts_in_both(j);
}

static double xfactor_at(const struct summing *sum, const struct whatif_job *j, int64_t start_s)
{
	return xfactor_of(wait_of(sum, j, start_s), (double)job_of(sum->sight, j)->wall_limit_s);
}

static bool xfactor_live(const struct summing *sum, const struct whatif_job *j, double *value)
{
	*value = xfactor_at(sum, j, j->start_before_s);
	return starts_in_both(j);
}

static bool xfactor_draft(const struct summing *sum, const struct whatif_job *j, double *value)
{
	*value = xfactor_at(sum, j, j->start_after_s);
	return starts_in_both(j);
}

static bool is_earlier(const struct summing *sum, const struct whatif_job *j, double *value)
{
	(void)sum;
	*value = 1;
	return j->start_after_s < j->start_before_s;
}

static bool is_later(const struct summing *sum, const struct whatif_job *j, double *value)
{
	(void)sum;
	*value = 1;
	return j->start_after_s > j->start_before_s;
}

static bool changes_rank(const struct summing *sum, const struct whatif_job *j, double *value)
{
	(void)sum;
	*value = 1;
	return j->rank_before != j->rank_after;
}

/* --- figures of sums ------------------------------------------------------------------------------ */

static uint32_t mean_part(struct figures *out, const struct summing *sum, const char *unit)
{
	return figure_join(out, FIGURE_OVER, sum_part(out, sum, unit),
			   figure_number(out, NULL, (double)sum->count, "jobs"));
}

static double mean_of(const struct summing *sum)
{
	double value = 0;

	for (size_t i = 0; i < sum->count; i++)
		value += sum->item[i].value;
	return value / (double)sum->count;
}

static void add_mean_wait(struct figures *out, struct summing sum, const char *title, addend_of *of)
{
	char text[DURATION_TEXT];
	double mean_s;

	take_addends(&sum, of);
	if (sum.count > 0) {
		mean_s = mean_of(&sum);
		figure_add(out, title, duration_text(text, (int64_t)mean_s), mean_part(out, &sum, "s"),
			   mean_s, FIGURE_CUT);
	}
	free(sum.item);
}

static void add_mean_xfactor(struct figures *out, struct summing sum, const char *title, addend_of *of)
{
	take_addends(&sum, of);
	if (sum.count > 0)
		figure_add_rounded(out, title, mean_of(&sum), 2, mean_part(out, &sum, NULL));
	free(sum.item);
}

static void add_whole(struct figures *out, const char *title, uint32_t value, uint32_t part)
{
	struct str shown = {0};

	str_addf(&shown, "%" PRIu32, value);
	figure_add(out, title, str_text(&shown), part, value, FIGURE_WHOLE);
	str_free(&shown);
}

static void add_count(struct figures *out, struct summing sum, const char *title, addend_of *of)
{
	take_addends(&sum, of);
	add_whole(out, title, (uint32_t)sum.count, sum_part(out, &sum, NULL));
	free(sum.item);
}

/* --- a job ---------------------------------------------------------------------------------------- */

static const struct whatif_job *find_job(const struct whatif *w, uint64_t job)
{
	for (size_t i = 0; w && i < w->count; i++)
		if (w->job[i].job == job)
			return &w->job[i];
	return NULL;
}

static void add_duration(struct figures *out, const char *title, int64_t value_s, uint32_t part)
{
	char text[DURATION_TEXT];

	figure_add(out, title, duration_text(text, value_s), part, (double)value_s, FIGURE_WHOLE);
}

/* Returns the part for the wait of a job: "start 19:44:39 - submitted 08:49:11". */
static uint32_t waited_part(struct figures *out, const struct job *job, int64_t start_s)
{
	return figure_join(out, FIGURE_MINUS, figure_moment(out, "start", start_s),
			   figure_moment(out, "submitted", job->submit_s));
}

static void add_side(struct figures *out, const struct whatif_future *future, uint32_t slot, bool after,
		     const char *start)
{
	const struct job *job = &snapshot_jobs(future->f->s)[slot];

	job_figures_rank(out, future->f, slot, after ? "RANK AFTER" : "RANK");
	formula_sum(out, future->f, job, after ? "PRIORITY AFTER" : "PRIORITY");
	if (!job_figures_start(out, future, slot, start))
		figure_say(out, after ? "With the draft, the job does not start in the projection."
				      : "The job does not start in the projection.");
	if (future->start_s[slot] > future->f->plan.now_s)
		job_figures_why(out, future->f, slot);
}

void whatif_figures_job(struct figures *out, const struct whatif_sight *sight, uint64_t job)
{
	const struct whatif_job *j = find_job(sight->w, job);

	if (!j) {
		figure_say(out, "No job under the cursor.");
		return;
	}
	add_side(out, &sight->live, j->slot_before, false, sight->comparing ? "LIVE" : "START");
	if (sight->comparing) {
		add_side(out, &sight->draft, j->slot_after, true, "DRAFT");
		job_figures_change(out, j->start_before_s, j->start_after_s,
				   sight->change_cells > 0 ? sight->change_cells : INT_MAX);
	} else if (j->start_before_s != TIME_NEVER) {
		add_duration(out, "WAIT", j->start_before_s - job_of(sight, j)->submit_s,
			     waited_part(out, job_of(sight, j), j->start_before_s));
	}
}

/* --- totals ------------------------------------------------------------------------------------------- */

/* One of the two projections. after: that of the draft, whose titles end in DRAFT. */
struct side {
	const struct whatif_future *future;
	const struct whatif_totals *totals;
	bool after;
};

/* Writes the title of a number of one side to out, and returns it: "mean wait" or "mean wait DRAFT". */
static const char *title_of(struct str *out, const char *name, const struct side *side)
{
	str_clear(out);
	str_addf(out, "%s%s", name, side->after ? " DRAFT" : "");
	return str_text(out);
}

static int64_t start_of(const struct side *side, const struct whatif_job *j)
{
	return side->after ? j->start_after_s : j->start_before_s;
}

/*
 * Returns the first job that starts in both projections and has value_s as its wait (if is_wait is true) or
 * its start in the projection of `side`; NULL if there is none.
 */
static const struct whatif_job *job_with(const struct whatif_sight *sight, const struct side *side,
					 int64_t value_s, bool is_wait)
{
	const struct whatif *w = sight->w;

	for (size_t i = 0; i < w->count; i++) {
		int64_t since_s = is_wait ? job_of(sight, &w->job[i])->submit_s : 0;

		if (starts_in_both(&w->job[i]) && start_of(side, &w->job[i]) - since_s == value_s)
			return &w->job[i];
	}
	return NULL;
}

static uint32_t remark_job(struct figures *out, uint32_t part, const struct whatif_sight *sight,
			   const struct whatif_job *j)
{
	char label[JOB_LABEL_TEXT];

	return figure_remark(out, part, snapshot_job_label(sight->live.f->s, job_of(sight, j), label));
}

static void add_starts(struct figures *out, const struct whatif_sight *sight, const struct side *side,
		       const char *title)
{
	uint32_t waiting = (uint32_t)sight->w->count;

	add_whole(out, title, side->totals->starts,
		  figure_join(out, FIGURE_MINUS, figure_number(out, NULL, waiting, "waiting"),
			      figure_number(out, NULL, waiting - side->totals->starts, "without a start")));
}

static void add_most_wait(struct figures *out, const struct whatif_sight *sight, const struct side *side,
			  const char *title)
{
	const struct whatif_job *j = job_with(sight, side, side->totals->most_wait_s, true);
	int64_t submit_s = j ? job_of(sight, j)->submit_s : 0;

	if (!j)
		return;
	add_duration(out, title, side->totals->most_wait_s,
		     figure_join(out, FIGURE_MINUS,
				 remark_job(out, figure_moment(out, "start", start_of(side, j)), sight, j),
				 figure_moment(out, "submitted", submit_s)));
}

static void add_last(struct figures *out, const struct whatif_sight *sight, const struct side *side,
		     const char *title)
{
	int64_t last_s = side->totals->last_start_s;
	const struct whatif_job *j = last_s == TIME_NONE ? NULL : job_with(sight, side, last_s, false);

	if (j)
		job_figures_moment(out, title, last_s,
				   remark_job(out, figure_moment(out, "start", last_s), sight, j));
}

/* Adds the utilization until the last start: used processor-seconds divided by those of the machine. */
static void add_used(struct figures *out, const struct side *side, const char *title)
{
	const struct snapshot *s = side->future->f->s;
	int64_t now_s = side->future->f->plan.now_s, last_s = side->totals->last_start_s;
	struct str shown = {0};
	double procs, percent;

	if (last_s <= now_s || s->procs_total == 0)
		return;
	occupancy(s, side->future->start_s, side->future->end_s, now_s, last_s, &procs, 1);
	percent = 100 * procs / (double)s->procs_total;
	str_addf(&shown, "%.1f%%", percent);
	figure_add_rounded(
		out, title, percent, 1,
		figure_join(out, FIGURE_OVER,
			    figure_join(out, FIGURE_TIMES, figure_number(out, NULL, 100, NULL),
					figure_number(out, "used", procs * (double)(last_s - now_s), "s")),
			    figure_join(out, FIGURE_TIMES,
					figure_number(out, NULL, (double)s->procs_total, "procs"),
					figure_join(out, FIGURE_MINUS, figure_moment(out, "last", last_s),
						    figure_moment(out, "now", now_s)))));
	figure_show(out, str_text(&shown));
	str_free(&shown);
}

static void add_totals(struct figures *out, const struct whatif_sight *sight, const struct side *side)
{
	struct summing sum = {.sight = sight};
	struct str title = {0};

	add_starts(out, sight, side, title_of(&title, "jobs that start", side));
	add_mean_wait(out, sum, title_of(&title, "mean wait", side), side->after ? wait_draft : wait_live);
	add_most_wait(out, sight, side, title_of(&title, "max wait", side));
	add_mean_xfactor(out, sum, title_of(&title, "mean xfactor", side),
			 side->after ? xfactor_draft : xfactor_live);
	add_last(out, sight, side, title_of(&title, "last start", side));
	add_used(out, side, title_of(&title, "used until then", side));
	str_free(&title);
}

static void add_worst(struct figures *out, const struct whatif_sight *sight)
{
	const struct whatif_job *j = find_job(sight->w, sight->w->most_delayed);
	char text[DURATION_TEXT];
	struct str shown = {0};

	if (!j || sight->w->most_delay_s == 0)
		return;
	str_addf(&shown, "+%s", duration_text(text, sight->w->most_delay_s));
	figure_add(out, "worst delay DRAFT", str_text(&shown),
		   figure_join(out, FIGURE_MINUS,
			       remark_job(out, figure_moment(out, "after", j->start_after_s), sight, j),
			       figure_moment(out, "before", j->start_before_s)),
		   (double)sight->w->most_delay_s, FIGURE_WHOLE);
	str_free(&shown);
}

void whatif_figures_totals(struct figures *out, const struct whatif_sight *sight)
{
	const struct whatif *w = sight->w;

	if (!w)
		return;
	add_totals(out, sight, &(struct side){&sight->live, &w->before, false});
	if (!sight->comparing)
		return;
	add_totals(out, sight, &(struct side){&sight->draft, &w->after, true});
	add_count(out, (struct summing){.sight = sight}, "jobs delayed DRAFT", is_later);
	add_worst(out, sight);
	add_count(out, (struct summing){.sight = sight}, "earlier", is_earlier);
	add_count(out, (struct summing){.sight = sight}, "change rank", changes_rank);
}

/* --- groups ------------------------------------------------------------------------------------------- */

void whatif_figures_group(struct figures *out, const struct whatif_sight *sight,
			  const struct whatif_group *group)
{
	const struct summing sum = {.sight = sight, .group = group};

	add_whole(out, "JOBS", group->jobs, figure_number(out, NULL, group->jobs, NULL));
	figure_note(out, "that start in both projections");
	add_mean_wait(out, sum, "MEAN WAIT", wait_live);
	add_mean_wait(out, sum, "MEAN WAIT DRAFT", wait_draft);
	add_mean_xfactor(out, sum, "MEAN XF", xfactor_live);
	add_mean_xfactor(out, sum, "MEAN XF DRAFT", xfactor_draft);
	add_count(out, sum, "EARLIER", is_earlier);
	add_count(out, sum, "LATER", is_later);
}

void whatif_figures_tier(struct figures *out, const struct whatif_sight *sight, enum assume_kind kind)
{
	struct str text = {0};

	if (sight->tier != FUTURE_INSTANT)
		str_addf(&text, "Starts: %s; assumes that no jobs are submitted.",
			 whatif_tier(sight->tier, kind));
	else
		str_add(&text, "Starts: instant plan, until the full projection is complete.");
	figure_say(out, str_text(&text));
	str_free(&text);
}
