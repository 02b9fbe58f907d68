/* SPDX-License-Identifier: MIT */
/*
 * whatif_report.c - answers of what-if questions as text and JSON
 */
#include "whatif_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "field.h"
#include "job_text.h"
#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const struct field change_fields[] = {
	{"changed", NULL, FIELD_COUNT, FIELD_AT(struct start_changes, changed)},
	{"earlier", NULL, FIELD_COUNT, FIELD_AT(struct start_changes, earlier)},
	{"later", NULL, FIELD_COUNT, FIELD_AT(struct start_changes, later)},
	{"gain_s", NULL, FIELD_DURATION, FIELD_AT(struct start_changes, gain_s)},
	{0}};

static bool get_tier(const void *item, struct value *out)
{
	out->text = future_tier_name(((const struct whatif_report *)item)->tier);
	return true;
}

static bool get_assume(const void *item, struct value *out)
{
	out->text = assume_name(((const struct whatif_report *)item)->assume);
	return true;
}

static const struct field common_fields[] = {
	{"now", NULL, FIELD_INSTANT, FIELD_AT(struct whatif_report, now_s)},
	{"tier", NULL, FIELD_TEXT, .get = get_tier},
	{"assume", NULL, FIELD_TEXT, .get = get_assume},
	{0}};

static const char *tier_text(const struct whatif_report *r)
{
	return r->tier == FUTURE_FULL ? "full projection" : "instant plan";
}

/* Returns the label of the job in a slot: "12" or "12[3]". */
static const char *label_of(const struct snapshot *s, uint32_t slot, char label[static JOB_LABEL_TEXT])
{
	return snapshot_job_label(s, &snapshot_jobs(s)[slot], label);
}

/* Appends a start, with FUTURE_MARK if it comes from the instant plan; "-" if there is no start. */
static enum role start_cell(const struct whatif_report *r, int64_t at_s, struct str *out)
{
	char when[MOMENT_TEXT];

	if (at_s == TIME_NEVER)
		str_add_char(out, '-');
	else
		str_addf(out, "%s%s", r->tier == FUTURE_FULL ? "" : FUTURE_MARK,
			 wallclock_short(when, at_s, r->now_s));
	return ROLE_TEXT;
}

/* --- tables --------------------------------------------------------------------------------------------- */

static void begin_table(struct field_table *t, const struct whatif_report *r, const struct field *fields,
			const struct field_column *columns, size_t count)
{
	field_table_begin(t, fields, columns, count);
	t->report.width = r->width;
}

static void print_table(struct field_table *t, const struct whatif_report *r, struct str *out)
{
	field_table_print(t, 0, r->ascii, out);
	field_table_free(t);
}

/* --- totals of a future --------------------------------------------------------------------------------- */

/*
 * Totals of one future. Means and maximum are over the jobs that start in both futures; without such jobs the
 * means are NaN and the maximum is -1.
 */
struct totals_item {
	uint32_t starts, starts_now;
	double mean_wait_s, mean_xfactor;
	int64_t max_wait_s, last_start_s;
};

/* Values for fields.sets: only the totals of a whole draft contain the last start. */
#define OF_DRAFT 1U
#define OF_SWEEP 2U

static const struct field totals_fields[] = {
	{"starts", NULL, FIELD_COUNT, FIELD_AT(struct totals_item, starts)},
	{"starts_now", "NOW", FIELD_COUNT, FIELD_AT(struct totals_item, starts_now)},
	{"mean_wait_s", NULL, FIELD_REAL, FIELD_AT(struct totals_item, mean_wait_s)},
	{"max_wait_s", NULL, FIELD_DURATION, FIELD_OR_NULL(struct totals_item, max_wait_s, -1)},
	{"mean_xfactor", NULL, FIELD_REAL, FIELD_AT(struct totals_item, mean_xfactor)},
	{"last_start", NULL, FIELD_INSTANT, FIELD_OR_NULL(struct totals_item, last_start_s, TIME_NONE),
	 .sets = OF_DRAFT},
	{0}};

static struct totals_item totals_item(const struct whatif_totals *t, uint32_t jobs)
{
	return (struct totals_item){.starts = t->starts,
				    .starts_now = t->starts_now,
				    .mean_wait_s = whatif_mean(t->wait_s, jobs),
				    .mean_xfactor = whatif_mean(t->xfactor, jobs),
				    .max_wait_s = jobs > 0 ? t->most_wait_s : -1,
				    .last_start_s = t->last_start_s};
}

/* --- the starts with and without a draft ---------------------------------------------------------------- */

/* One waiting job in both futures. */
struct job_item {
	const struct whatif_report *report;
	struct whatif_job job;
	const char *label, *user;
	int64_t delay_s; /* TIME_NEVER: the job no longer starts */
};

static void visit_job(const struct whatif_report *r, const struct whatif_job *job, field_visit *visit,
		      void *self)
{
	struct job_item item = {.report = r, .job = *job};
	char label[JOB_LABEL_TEXT];

	item.label = label_of(r->s, job->slot_before, label);
	item.user = job_text_cred(r->s, &snapshot_jobs(r->s)[job->slot_before], CRED_USER);
	item.delay_s =
		job->start_after_s == TIME_NEVER ? TIME_NEVER : job->start_after_s - job->start_before_s;
	visit(self, &item);
}

static enum role start_before_cell(const void *item, struct str *out)
{
	const struct job_item *i = item;

	return start_cell(i->report, i->job.start_before_s, out);
}

static enum role start_after_cell(const void *item, struct str *out)
{
	const struct job_item *i = item;

	return start_cell(i->report, i->job.start_after_s, out);
}

/* Appends by how much the start moves: "+1:00:00", "-0:10:00", "no start". */
static enum role moved_cell(const void *item, struct str *out)
{
	const struct job_item *i = item;
	char text[DURATION_TEXT];

	if (i->job.start_before_s == i->job.start_after_s)
		return ROLE_TEXT;
	if (i->delay_s == TIME_NEVER || i->job.start_before_s == TIME_NEVER)
		str_add(out, i->delay_s == TIME_NEVER ? "no start" : "starts");
	else
		str_addf(out, "%c%s", i->delay_s > 0 ? '+' : '-', duration_text(text, llabs(i->delay_s)));
	return ROLE_TEXT;
}

static const struct field job_rows[] = {
	{"job", "JOB", FIELD_TEXT, FIELD_AT(struct job_item, label), .align = TEXT_RIGHT},
	{NULL, "USER", FIELD_TEXT, FIELD_AT(struct job_item, user)},
	{"rank_before", "RANK", FIELD_COUNT, FIELD_OR_NULL(struct job_item, job.rank_before, 0)},
	{"rank_after", "", FIELD_COUNT, FIELD_OR_NULL(struct job_item, job.rank_after, 0)},
	{"priority_before", "PRIORITY", FIELD_COUNT, FIELD_AT(struct job_item, job.points_before)},
	{"priority_after", "", FIELD_COUNT, FIELD_AT(struct job_item, job.points_after)},
	{"start_before", "START", FIELD_INSTANT, .cell = start_before_cell,
	 FIELD_OR_NULL(struct job_item, job.start_before_s, TIME_NEVER)},
	{"start_after", "THEN", FIELD_INSTANT, .cell = start_after_cell,
	 FIELD_OR_NULL(struct job_item, job.start_after_s, TIME_NEVER)},
	{NULL, "CHANGE", FIELD_TEXT, .cell = moved_cell, .align = TEXT_RIGHT},
	{0}};

/* The jobs of one user, group, account, QOS or class in both futures; or all jobs. */
struct group_item {
	const char *type, *name;
	struct totals_item before, after;
	uint32_t jobs, earlier, later;
};

static const struct field group_rows[] = {
	{"type", "", FIELD_TEXT, FIELD_AT(struct group_item, type)},
	{"name", "OF", FIELD_TEXT, FIELD_AT(struct group_item, name)},
	{"jobs", "JOBS", FIELD_COUNT, FIELD_AT(struct group_item, jobs)},
	{"earlier", "EARLIER", FIELD_COUNT, FIELD_AT(struct group_item, earlier)},
	{"later", "LATER", FIELD_COUNT, FIELD_AT(struct group_item, later)},
	{"before", NULL, FIELD_OBJECT, FIELD_AT(struct group_item, before), .of = totals_fields},
	{"after", NULL, FIELD_OBJECT, FIELD_AT(struct group_item, after), .of = totals_fields},
	{NULL, "MEANWAIT", FIELD_DURATION, FIELD_AT(struct group_item, before.mean_wait_s)},
	{NULL, "MEANWAIT THEN", FIELD_DURATION, FIELD_AT(struct group_item, after.mean_wait_s)},
	{NULL, "MEANXF", FIELD_REAL, FIELD_AT(struct group_item, before.mean_xfactor)},
	{NULL, "MEANXF THEN", FIELD_REAL, FIELD_AT(struct group_item, after.mean_xfactor)},
	{0}};

struct draft_item {
	struct whatif_report common;
	const struct whatif *w;
	struct group_item all;
};

static void each_job(const void *item, field_visit *visit, void *self)
{
	const struct draft_item *d = item;

	for (size_t i = 0; i < d->w->count; i++)
		visit_job(&d->common, &d->w->job[i], visit, self);
}

static void each_group(const void *item, field_visit *visit, void *self)
{
	const struct draft_item *d = item;
	const struct snapshot *s = d->common.s;

	for (size_t i = 0; i < d->w->groups; i++) {
		const struct whatif_group *g = &d->w->group[i];

		visit(self,
		      &(struct group_item){cred_type_name(g->type),
					   snapshot_string(s, snapshot_creds(s)[g->cred].name),
					   totals_item(&g->before, g->jobs), totals_item(&g->after, g->jobs),
					   g->jobs, g->earlier, g->later});
	}
}

static const struct field draft_fields[] = {
	{.type = FIELD_MEMBERS, FIELD_AT(struct draft_item, common), .of = common_fields},
	{"same_jobs", NULL, FIELD_COUNT, FIELD_AT(struct draft_item, all.jobs)},
	{"before", NULL, FIELD_OBJECT, FIELD_AT(struct draft_item, all.before), .of = totals_fields},
	{"after", NULL, FIELD_OBJECT, FIELD_AT(struct draft_item, all.after), .of = totals_fields},
	{"earlier", NULL, FIELD_COUNT, FIELD_AT(struct draft_item, all.earlier)},
	{"later", NULL, FIELD_COUNT, FIELD_AT(struct draft_item, all.later)},
	{"jobs", NULL, FIELD_LIST, .of = job_rows, .each = each_job},
	{"groups", NULL, FIELD_LIST, .of = group_rows, .each = each_group},
	{0}};

static struct draft_item draft_item(const struct whatif_report *r, const struct whatif *w)
{
	return (struct draft_item){*r,
				   w,
				   {"all", "", totals_item(&w->before, w->jobs),
				    totals_item(&w->after, w->jobs), w->jobs, w->earlier, w->later}};
}

void whatif_report_json(const struct whatif_report *r, const struct whatif *w, struct str *out)
{
	struct draft_item item = draft_item(r, w);

	fields_document(out, draft_fields, OF_DRAFT, &item);
}

static void print_jobs(const struct draft_item *d, struct str *out)
{
	static const struct field_column columns[] = {{.key = "job"},
						      {.key = "USER"},
						      {.key = "rank_before"},
						      {.key = "rank_after"},
						      {.key = "priority_before"},
						      {.key = "priority_after"},
						      {.key = "start_before"},
						      {.key = "start_after"},
						      {.key = "CHANGE"}};
	struct field_table t;

	begin_table(&t, &d->common, job_rows, columns, COUNT_OF(columns));
	each_job(d, field_table_visit, &t);
	print_table(&t, &d->common, out);
}

static void print_totals(const struct draft_item *d, struct str *out)
{
	static const struct field_column columns[] = {{.key = "type"},
						      {.key = "name"},
						      {.key = "jobs"},
						      {.key = "MEANWAIT"},
						      {.key = "MEANWAIT THEN", .title = "THEN"},
						      {.key = "MEANXF"},
						      {.key = "MEANXF THEN", .title = "THEN"},
						      {.key = "earlier"},
						      {.key = "later"}};
	struct field_table t;

	begin_table(&t, &d->common, group_rows, columns, COUNT_OF(columns));
	field_table_add(&t, &d->all);
	each_group(d, field_table_visit, &t);
	print_table(&t, &d->common, out);
}

void whatif_report_text(const struct whatif_report *r, const struct whatif *w, struct str *out)
{
	struct draft_item item = draft_item(r, w);

	for (size_t i = 0; i < r->edits; i++)
		str_addf(out, "%zu  %s\n", i + 1, r->edit[i]);
	str_addf(out,
		 "%s, nothing is changed: %" PRIu32 " of %zu waiting jobs start earlier, %" PRIu32
		 " later, %" PRIu32 " change rank\n\n",
		 r->tier == FUTURE_FULL ? "Full projection" : "Instant plan", w->earlier, w->count, w->later,
		 w->reordered);
	print_jobs(&item, out);
	str_add_char(out, '\n');
	print_totals(&item, out);
}

/* --- sweep ---------------------------------------------------------------------------------------------- */

#define BAR_CELLS 20

/* The result for one value of the option. For the current state, point.value is NULL. */
struct point_item {
	const struct sweep_report *report;
	struct sweep_point point;
	struct totals_item totals;
	double bar; /* mean wait as a fraction of the longest mean wait */
};

static bool is_accepted(const void *item)
{
	return !((const struct point_item *)item)->point.refused;
}

static bool is_refused(const void *item)
{
	return ((const struct point_item *)item)->point.refused;
}

static bool is_watched(const void *item)
{
	return is_accepted(item) && ((const struct point_item *)item)->report->slot != INDEX_NONE;
}

static enum role value_cell(const void *item, struct str *out)
{
	const struct point_item *p = item;

	str_add(out, p->point.value != NULL ? p->point.value : "current");
	return ROLE_TEXT;
}

/* Appends the mean wait; "refused" if the state does not accept the value: the other cells are then empty. */
static enum role wait_cell(const void *item, struct str *out)
{
	const struct point_item *p = item;
	char text[DURATION_TEXT];

	if (p->point.refused)
		str_add(out, "refused");
	else
		str_add(out, isnan(p->totals.mean_wait_s)
				     ? "-"
				     : duration_text(text, (int64_t)p->totals.mean_wait_s));
	return ROLE_TEXT;
}

static enum role bar_cell(const void *item, struct str *out)
{
	str_addf(out, "%.*s", (int)(BAR_CELLS * ((const struct point_item *)item)->bar + 0.5),
		 "####################");
	return ROLE_TEXT;
}

static enum role watched_start_cell(const void *item, struct str *out)
{
	const struct point_item *p = item;

	return start_cell(&p->report->common, p->point.watch_s, out);
}

static const struct field point_rows[] = {
	{"value", "", FIELD_TEXT, FIELD_AT(struct point_item, point.value), .cell = value_cell,
	 .align = TEXT_RIGHT, .optional = true},
	{"refused", NULL, FIELD_TEXT, FIELD_AT(struct point_item, point.err.text), .when = is_refused},
	{.type = FIELD_MEMBERS,
	 FIELD_AT(struct point_item, totals),
	 .of = totals_fields,
	 .when = is_accepted},
	{NULL, "MEANWAIT", FIELD_DURATION, .cell = wait_cell},
	{NULL, "BAR", FIELD_TEXT, .cell = bar_cell, .when = is_accepted},
	{NULL, "MEANXF", FIELD_REAL, FIELD_AT(struct point_item, totals.mean_xfactor), .when = is_accepted},
	{NULL, "NOW", FIELD_COUNT, FIELD_AT(struct point_item, totals.starts_now), .when = is_accepted},
	{"reordered", NULL, FIELD_COUNT, FIELD_AT(struct point_item, point.reordered), .when = is_accepted},
	{"earlier", "EARLIER", FIELD_COUNT, FIELD_AT(struct point_item, point.change.earlier),
	 .when = is_accepted},
	{"later", "LATER", FIELD_COUNT, FIELD_AT(struct point_item, point.change.later), .when = is_accepted},
	{"job_start", "START", FIELD_INSTANT, FIELD_OR_NULL(struct point_item, point.watch_s, TIME_NEVER),
	 .cell = watched_start_cell, .align = TEXT_RIGHT, .when = is_watched},
	{"job_rank", "RANK", FIELD_COUNT, FIELD_OR_NULL(struct point_item, point.watch_rank, 0),
	 .when = is_watched},
	{0}};

static double mean_wait_s(const struct sweep_report *r, const struct sweep_point *p)
{
	return p->refused || r->found->jobs == 0 ? 0 : whatif_mean(p->totals.wait_s, r->found->jobs);
}

static struct point_item point_item(const struct sweep_report *r, const struct sweep_point *p)
{
	double longest_s = mean_wait_s(r, &r->found->live);

	for (size_t i = 0; i < r->found->points; i++)
		longest_s = fmax(longest_s, mean_wait_s(r, &r->found->point[i]));
	return (struct point_item){r, *p, totals_item(&p->totals, r->found->jobs),
				   longest_s > 0 ? mean_wait_s(r, p) / longest_s : 0};
}

struct sweep_item {
	const struct sweep_report *report;
	const char *job;
	struct point_item live;
	uint32_t jobs;
};

static void each_point(const void *item, field_visit *visit, void *self)
{
	const struct sweep_report *r = ((const struct sweep_item *)item)->report;

	for (size_t i = 0; i < r->found->points; i++) {
		struct point_item point = point_item(r, &r->found->point[i]);

		visit(self, &point);
	}
}

static const struct field sweep_head_fields[] = {
	{.type = FIELD_MEMBERS, FIELD_AT(struct sweep_report, common), .of = common_fields},
	{"name", NULL, FIELD_TEXT, FIELD_AT(struct sweep_report, name)},
	{0}};

static const struct field sweep_fields[] = {
	{.type = FIELD_MEMBERS, FIELD_TO(struct sweep_item, report), .of = sweep_head_fields},
	{"job", NULL, FIELD_TEXT, FIELD_AT(struct sweep_item, job), .optional = true},
	{"same_jobs", NULL, FIELD_COUNT, FIELD_AT(struct sweep_item, jobs)},
	{"live", NULL, FIELD_OBJECT, FIELD_AT(struct sweep_item, live), .of = point_rows},
	{"values", NULL, FIELD_LIST, .of = point_rows, .each = each_point},
	{0}};

void sweep_report_json(const struct sweep_report *r, struct str *out)
{
	char label[JOB_LABEL_TEXT];
	struct sweep_item item = {r, r->slot == INDEX_NONE ? NULL : label_of(r->common.s, r->slot, label),
				  point_item(r, &r->found->live), r->found->jobs};

	fields_document(out, sweep_fields, OF_SWEEP, &item);
}

void sweep_report_text(const struct sweep_report *r, struct str *out)
{
	static const struct field_column columns[] = {
		{.key = "value"},  {.key = "MEANWAIT"},  {.key = "BAR", .title = ""},
		{.key = "MEANXF"}, {.key = "NOW"},       {.key = "earlier"},
		{.key = "later"},  {.key = "job_start"}, {.key = "job_rank"}};
	struct sweep_item item = {.report = r, .live = point_item(r, &r->found->live)};
	struct field_table t;
	char label[JOB_LABEL_TEXT];

	str_addf(out, "%s: %zu values tried%s; nothing is changed (%s)", r->name, r->found->points,
		 r->common.edits > 0 ? " on top of the draft" : "", tier_text(&r->common));
	if (r->slot != INDEX_NONE)
		str_addf(out, "; START and RANK of job %s", label_of(r->common.s, r->slot, label));
	str_add(out, "\n\n");
	begin_table(&t, &r->common, point_rows, columns, COUNT_OF(columns) - (r->slot == INDEX_NONE ? 2 : 0));
	field_table_add(&t, &item.live);
	each_point(&item, field_table_visit, &t);
	print_table(&t, &r->common, out);
}

/* --- ablation ------------------------------------------------------------------------------------------- */

/* The effect of one edit of the draft. */
struct edit_item {
	size_t number; /* number of the edit, from 1 */
	const char *edit;
	struct ablate_edit effect;
};

/* Seconds with one decimal, because small shares matter. */
static enum role share_cell(const void *item, struct str *out)
{
	str_addf(out, "%.1f s", ((const struct edit_item *)item)->effect.share_s);
	return ROLE_TEXT;
}

static const struct field edit_rows[] = {
	{"edit", "EDIT", FIELD_TEXT, FIELD_AT(struct edit_item, edit)},
	{"share_s", "SHARE", FIELD_REAL, FIELD_AT(struct edit_item, effect.share_s), .cell = share_cell},
	{"alone", NULL, FIELD_OBJECT, FIELD_AT(struct edit_item, effect.alone), .of = change_fields},
	{"last", NULL, FIELD_OBJECT, FIELD_AT(struct edit_item, effect.last), .of = change_fields},
	{NULL, "", FIELD_COUNT, FIELD_AT(struct edit_item, number)},
	{NULL, "ALONE", FIELD_COUNT, FIELD_AT(struct edit_item, effect.alone.changed)},
	{NULL, "ALONE LATER", FIELD_COUNT, FIELD_AT(struct edit_item, effect.alone.later)},
	{NULL, "ADDS", FIELD_COUNT, FIELD_AT(struct edit_item, effect.last.changed)},
	{NULL, "ADDS LATER", FIELD_COUNT, FIELD_AT(struct edit_item, effect.last.later)},
	{0}};

static void each_edit(const void *item, field_visit *visit, void *self)
{
	const struct ablation_report *r = item;

	for (size_t i = 0; i < r->found->count; i++)
		visit(self, &(struct edit_item){i + 1, r->common.edit[i], r->found->edit[i]});
}

static bool get_sentence(const void *item, struct value *out)
{
	const struct ablation_report *r = item;

	ablate_print(r->found, r->common.s, &out->made);
	return value_made(out);
}

static const struct field ablate_fields[] = {
	{"same_jobs", NULL, FIELD_COUNT, FIELD_AT(struct ablate, jobs)},
	{"exact", NULL, FIELD_BOOL, FIELD_AT(struct ablate, exact)},
	{"gain_s", NULL, FIELD_REAL, FIELD_AT(struct ablate, gain_s)},
	{"remainder_s", NULL, FIELD_REAL, FIELD_AT(struct ablate, remainder_s)},
	{"whole", NULL, FIELD_OBJECT, FIELD_AT(struct ablate, whole), .of = change_fields},
	{0}};

static const struct field ablation_fields[] = {
	{.type = FIELD_MEMBERS, FIELD_AT(struct ablation_report, common), .of = common_fields},
	{.type = FIELD_MEMBERS, FIELD_TO(struct ablation_report, found), .of = ablate_fields},
	{"sentence", NULL, FIELD_TEXT, .get = get_sentence},
	{"edits", NULL, FIELD_LIST, .of = edit_rows, .each = each_edit},
	{0}};

void ablation_report_json(const struct ablation_report *r, struct str *out)
{
	fields_document(out, ablation_fields, 0, r);
}

void ablation_report_text(const struct ablation_report *r, struct str *out)
{
	static const struct field_column columns[] = {
		{.key = ""},      {.key = "share_s"},
		{.key = "ALONE"}, {.key = "ALONE LATER", .title = "LATER"},
		{.key = "ADDS"},  {.key = "ADDS LATER", .title = "LATER"},
		{.key = "edit"}};
	struct field_table t;

	str_addf(out,
		 "The draft saves %.1f s of mean wait over %" PRIu32 " jobs and makes %" PRIu32
		 " start later (%s, nothing is changed).\n",
		 r->found->gain_s, r->found->jobs, r->found->whole.later, tier_text(&r->common));
	ablate_print(r->found, r->common.s, out);
	str_addf(
		out,
		".\n"
		"\n"
		"SHARE: part of the saved wait%s. ALONE: number of starts changed by this edit alone. ADDS: "
		"number of starts changed by adding this edit to all others. LATER: how many of these starts "
		"become later.\n"
		"\n",
		r->found->exact ? "" : ", counted as if this edit were added last, after all others");
	begin_table(&t, &r->common, edit_rows, columns, COUNT_OF(columns));
	each_edit(r, field_table_visit, &t);
	print_table(&t, &r->common, out);
}

/* --- solution ------------------------------------------------------------------------------------------- */

/* Appends the reason why the job does not start in time, as the predicate of a sentence about the job. */
static void add_holds(const struct solution_report *r, struct str *out)
{
	const struct snapshot *s = state_view(r->found->with);

	job_text_predicate(s, &snapshot_jobs(s)[r->slot], &r->found->holds, r->common.now_s, out);
}

struct solution_item {
	const struct solution_report *report;
	const char *job, *name, *outcome, *setting, *holds; /* NULL: not applicable */
	double value_before, value, soonest_value;          /* NaN: not applicable  */
	struct solve found;
};

static bool is_found(const void *item)
{
	return ((const struct solution_item *)item)->found.outcome == SOLVE_FOUND;
}

static bool is_without(const void *item)
{
	return ((const struct solution_item *)item)->found.outcome == SOLVE_NONE;
}

static void each_delay(const void *item, field_visit *visit, void *self)
{
	const struct solution_item *v = item;
	const struct whatif *w = &v->found.effect;

	for (size_t i = 0; i < w->count; i++)
		if (w->job[i].start_after_s > w->job[i].start_before_s)
			visit_job(&v->report->common, &w->job[i], visit, self);
}

static const struct field delay_fields[] = {
	{"job", NULL, FIELD_TEXT, FIELD_AT(struct job_item, label)},
	{"by_s", NULL, FIELD_DURATION, FIELD_OR_NULL(struct job_item, delay_s, TIME_NEVER)},
	{0}};

static const struct field asked_fields[] = {
	{"now", NULL, FIELD_INSTANT, FIELD_AT(struct solution_report, common.now_s)},
	{"by", NULL, FIELD_INSTANT, FIELD_AT(struct solution_report, by_s)},
	{"range_from", NULL, FIELD_REAL, FIELD_AT(struct solution_report, lo)},
	{"range_to", NULL, FIELD_REAL, FIELD_AT(struct solution_report, hi)},
	{0}};

static const struct field solution_fields[] = {
	{.type = FIELD_MEMBERS, FIELD_TO(struct solution_item, report), .of = asked_fields},
	{"job", NULL, FIELD_TEXT, FIELD_AT(struct solution_item, job)},
	{"name", NULL, FIELD_TEXT, FIELD_AT(struct solution_item, name)},
	{"outcome", NULL, FIELD_TEXT, FIELD_AT(struct solution_item, outcome)},
	{"value_before", NULL, FIELD_REAL, FIELD_AT(struct solution_item, value_before)},
	{"value", NULL, FIELD_REAL, FIELD_AT(struct solution_item, value)},
	{"setting", NULL, FIELD_TEXT, FIELD_AT(struct solution_item, setting)},
	{"start_before", NULL, FIELD_INSTANT,
	 FIELD_OR_NULL(struct solution_item, found.start_without_s, TIME_NEVER)},
	{"start_after", NULL, FIELD_INSTANT, FIELD_OR_NULL(struct solution_item, found.start_s, TIME_NEVER)},
	{"soonest_value", NULL, FIELD_REAL, FIELD_AT(struct solution_item, soonest_value),
	 .when = is_without},
	{"holds", NULL, FIELD_TEXT, FIELD_AT(struct solution_item, holds), .when = is_without},
	{"delays", NULL, FIELD_LIST, .of = delay_fields, .each = each_delay, .when = is_found},
	{"each_within", NULL, FIELD_REAL, FIELD_AT(struct solution_item, found.each_within)},
	{"projections", NULL, FIELD_COUNT, FIELD_AT(struct solution_item, found.tried)},
	{0}};

void solution_report_json(const struct solution_report *r, struct str *out)
{
	static const char *const outcomes[] = {
		[SOLVE_FOUND] = "found", [SOLVE_NEEDLESS] = "needless", [SOLVE_NONE] = "none"};
	bool found = r->found->outcome == SOLVE_FOUND, none = r->found->outcome == SOLVE_NONE;
	struct str setting = {0}, holds = {0};
	char label[JOB_LABEL_TEXT];
	struct solution_item item = {.report = r,
				     .name = r->knob->name,
				     .outcome = outcomes[r->found->outcome],
				     .value_before = r->knob->is_set ? r->knob->now : (double)NAN,
				     .value = found ? r->found->value : (double)NAN,
				     .soonest_value = r->found->value,
				     .found = *r->found};

	item.job = label_of(r->common.s, r->slot, label);
	knob_print(r->knob, r->found->value, &setting);
	item.setting = found ? str_text(&setting) : NULL;
	if (none)
		add_holds(r, &holds);
	item.holds = str_text(&holds);
	fields_document(out, solution_fields, 0, &item);
	str_free(&setting);
	str_free(&holds);
}

static const char *time_or_never(char buf[static MOMENT_TEXT], int64_t at_s, int64_t now_s)
{
	if (at_s == TIME_NEVER)
		return "never";
	return at_s <= now_s ? "now" : wallclock_short(buf, at_s, now_s);
}

void solution_report_text(const struct solution_report *r, struct str *out)
{
	const struct solve *found = r->found;
	const struct whatif *w = &found->effect;
	int64_t now_s = r->common.now_s;
	char text[JOB_LABEL_TEXT], one[MOMENT_TEXT], two[MOMENT_TEXT], delay[DURATION_TEXT];
	const char *label = label_of(r->common.s, r->slot, text);
	const char *start = time_or_never(one, found->start_s, now_s);

	if (found->outcome != SOLVE_FOUND) {
		str_addf(out, "Job %s starts in time without a change: %s\n", label, start);
		return;
	}
	str_add(out, "tune ");
	str_add_word(out, r->knob->name);
	str_add_char(out, ' ');
	knob_print(r->knob, found->value, out);
	if (r->knob->is_set)
		str_addf(out, "\nThe value closest to the current %.10g with which", r->knob->now);
	else
		str_add(out, "\nNot set now; the smallest value with which");
	str_addf(out, " job %s starts %s instead of %s: ", label, start,
		 time_or_never(two, found->start_without_s, now_s));
	report_count(out, w->earlier, "job starts", "jobs start");
	str_addf(out, " earlier, %" PRIu32 " later", w->later);
	if (w->most_delayed)
		str_addf(out, " by at most %s", duration_text(delay, w->most_delay_s));
	str_add(out, ". Nothing is changed.\n");
	/* Between two tried values, an untried value may be closer. */
	if (fabs(found->value - r->knob->now) > found->each_within)
		str_addf(out,
			 "Searched: all values within %.10g of the current value %.10g, and some others from "
			 "%.10g to %.10g.\n",
			 found->each_within, r->knob->now, r->lo, r->hi);
}

void solution_report_refusal(const struct solution_report *r, struct str *out)
{
	const struct solve *found = r->found;
	int64_t now_s = r->common.now_s;
	char label[JOB_LABEL_TEXT], by[MOMENT_TEXT], text[MOMENT_TEXT];
	const char *soonest = time_or_never(text, found->start_s, now_s);

	str_addf(out, "no tried value of %s from %.15g to %.15g starts job %s %s%s", r->knob->name, r->lo,
		 r->hi, label_of(r->common.s, r->slot, label), r->by_s <= now_s ? "" : "by ",
		 time_or_never(by, r->by_s, now_s));
	if (found->start_s < found->start_without_s)
		str_addf(out, "; the earliest start is %s, with the value %.15g, because the job ", soonest,
			 found->value);
	else if (found->start_s == TIME_NEVER)
		str_add(out, "; the job starts with none of these values, because it ");
	else
		str_addf(out, "; with none of these values does the job start earlier than %s, because it ",
			 soonest);
	add_holds(r, out);
	str_addf(out, " Tried: all values within %.10g of the current value %.10g, and some others.",
		 found->each_within, r->knob->now);
}
