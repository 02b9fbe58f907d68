/* SPDX-License-Identifier: MIT */
/*
 * estimate_accuracy.c - comparison of recorded estimates with actual starts
 *
 * Each walk through the journal starts with the state just before the first time that it needs.
 */
#include "estimate_accuracy.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cmd_env.h"
#include "ended.h"
#include "field.h"
#include "report.h"
#include "sched/base/arena.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/rm/wallclock.h"
#include "statistics.h"

/* --- comparison of recorded estimates with actual starts ---------------------------------------------- */

#define SHOWN_EVERY 256 /* number of entries between two updates of the progress line */

struct reading {
	const struct estimate_accuracy_query *wish;
	struct estimate_accuracy *out;
	struct err *err;
	struct journal_span span;
	uint64_t seen;
	/* members used by the current walk */
	struct estimate_starts starts;
	struct estimate_walk walk;
	struct estimate_tracker tracker;
	int64_t first_s, last_s; /* earliest submission and latest start of the rows */
	struct estimate_setup setup;
	bool failed;
};

/* --- walks ----------------------------------------------------------------------------------------- */

/*
 * Returns the state before the first entry. A walk that starts with this state is complete from *from_s on.
 * The scheduler provides only states after existing entries; if the journal is read through the scheduler,
 * the result is the state after the first entry.
 */
static struct state *first_state(const struct reading *r, int64_t *from_s)
{
	const struct history_source *source = &r->wish->source;
	const struct journal_span *span = &r->span;

	*from_s = INT64_MIN;
	if (span->first <= 1)
		return history_source_state(source, 0, r->err);
	*from_s = source->store != NULL ? span->first_s : span->first_s + 1;
	return history_source_state(source, source->store != NULL ? span->first - 1 : span->first, r->err);
}

/*
 * Returns the state before at_s. A walk that starts with this state is complete from *from_s on. Returns NULL
 * with r->err set on failure.
 */
static struct state *state_before(const struct reading *r, int64_t at_s, int64_t *from_s)
{
	if (r->span.last == 0 || at_s <= r->span.first_s)
		return first_state(r, from_s);
	*from_s = at_s;
	return history_source_state_of_time(&r->wish->source, at_s - 1, r->err);
}

static bool go_through(struct reading *r, uint64_t after, journal_visit *visit)
{
	return history_source_journal(&r->wish->source, after + 1, false, visit, r, r->err) && !r->failed;
}

static bool goes_on(struct reading *r)
{
	if (r->wish->bar != NULL && ++r->seen % SHOWN_EVERY == 0)
		progress_show(r->wish->bar, r->seen);
	return r->wish->setup.should_continue == NULL || r->wish->setup.should_continue(r->wish->setup.self);
}

static void begin_bar(struct reading *r, const char *what, uint64_t after)
{
	r->seen = 0;
	if (r->wish->bar != NULL)
		progress_begin(r->wish->bar, what, r->wish->until_seq - after);
}

/* --- starts ------------------------------------------------------------------------------------------- */

static bool take_start(void *self, const struct event *ev)
{
	struct reading *r = self;

	if (ev->seq > r->wish->until_seq)
		return false;
	estimate_starts_take(&r->starts, ev);
	r->failed = !goes_on(r);
	return !r->failed;
}

static bool find_starts(struct reading *r)
{
	const struct estimate_accuracy_query *wish = r->wish;
	int64_t from_s;
	struct state *st = state_before(r, wish->since_s, &from_s);
	bool good = st != NULL;

	if (good) {
		r->out->from_s = from_s > wish->since_s ? from_s : wish->since_s;
		begin_bar(r, "entries", state_view(st)->seq);
		estimate_starts_begin(&r->starts, state_view(st), wish->since_s);
		good = go_through(r, state_view(st)->seq, take_start);
		r->out->started = r->starts.started;
	}
	if (good)
		r->out->row = estimate_starts_choose(&r->starts, ESTIMATES_ASKED, &r->out->count);
	estimate_starts_clear(&r->starts);
	state_free(st);
	return good;
}

/* --- estimates ---------------------------------------------------------------------------------------- */

/* Sets first_s and last_s. Entries before the first submission and after the last start are not needed. */
static void find_bounds(struct reading *r)
{
	r->first_s = INT64_MAX;
	r->last_s = INT64_MIN;
	for (size_t i = 0; i < r->out->count; i++) {
		const struct estimate_row *row = &r->out->row[i];

		if (row->submit_s < r->first_s)
			r->first_s = row->submit_s;
		if (row->start_s > r->last_s)
			r->last_s = row->start_s;
	}
}

static bool take_said(void *self, const struct event *ev)
{
	struct reading *r = self;

	if (ev->seq > r->wish->until_seq || ev->time_s > r->last_s)
		return false;
	r->failed = !goes_on(r) || !estimate_walk_take(&r->walk, ev, r->err);
	return !r->failed;
}

static bool ask(struct reading *r)
{
	struct estimate_accuracy *out = r->out;
	int64_t from_s;
	struct state *st;
	bool good;

	find_bounds(r);
	st = state_before(r, r->first_s, &from_s);
	good = st != NULL;
	if (good) {
		begin_bar(r, "entries for estimates", state_view(st)->seq);
		if (r->setup.full_every > 0)
			r->setup.full_every =
				(uint32_t)((out->count + ESTIMATES_ASKED_FULL - 1) / ESTIMATES_ASKED_FULL);
		estimate_walk_begin(&r->walk, st, from_s, out->row, out->count, &r->setup);
		good = go_through(r, state_view(st)->seq, take_said);
		estimate_walk_clear(&r->walk);
	}
	state_free(st);
	return good;
}

/* --- causes of late starts ---------------------------------------------------------------------------- */

static bool take_cause(void *self, const struct event *ev)
{
	struct reading *r = self;

	if (ev->seq > r->wish->until_seq || estimate_tracker_is_done(&r->tracker))
		return false;
	r->failed = !goes_on(r) || !estimate_tracker_take(&r->tracker, ev, r->err);
	return !r->failed;
}

static bool explain(struct reading *r)
{
	struct estimate_accuracy *out = r->out;
	const struct estimate_row *worst[ESTIMATES_WORST];
	size_t count = estimate_worst(out->row, out->count, ESTIMATE_SUBMITTED, ESTIMATE_FULL, worst,
				      ESTIMATES_WORST);
	int64_t from_s;
	struct state *st = count == 0 ? NULL : state_before(r, r->first_s, &from_s);
	bool good;

	if (st == NULL)
		return count == 0;
	begin_bar(r, "entries for causes", state_view(st)->seq);
	estimate_tracker_begin(&r->tracker, st, worst, count, ESTIMATES_FOLLOW_MOST, &r->setup);
	good = go_through(r, state_view(st)->seq, take_cause);
	for (size_t i = 0; i < count; i++)
		out->track[i] = r->tracker.track[i];
	out->tales = count;
	estimate_tracker_clear(&r->tracker);
	state_free(st);
	return good;
}

bool estimate_accuracy_read(struct estimate_accuracy *out, const struct estimate_accuracy_query *wish,
			    struct err *err)
{
	struct reading r = {.wish = wish, .out = out, .err = err, .setup = wish->setup};
	bool good;

	estimate_accuracy_clear(out);
	err->text[0] = '\0';
	good = history_source_span(&wish->source, &r.span, err) && find_starts(&r) &&
	       (out->count == 0 || ask(&r)) && (!wish->worst || explain(&r));
	if (wish->bar != NULL)
		progress_end(wish->bar);
	return good;
}

void estimate_accuracy_clear(struct estimate_accuracy *e)
{
	estimate_rows_free(e->row, e->count);
	*e = (struct estimate_accuracy){.row = NULL};
}

/* --- report of the accuracy of estimates -------------------------------------------------------------- */

/*
 * The full projection for a past time uses only the run times that were known at that time: the run time of a
 * job counts from its end on.
 */

/* Run time of an ended job, used for later estimates. */
struct run {
	int64_t end_s, run_s, wall_limit_s;
	const char *user;
};

struct asking {
	struct cmd_env *env;
	struct estimate_accuracy found;
	struct estimate_accuracy_query wish;
	struct progress bar;
	/* run times, sorted by end; the first `noted` of them have been added to `known` */
	struct run *run;
	size_t runs, room, noted;
	struct accuracy known;
	struct arena arena;
};

/* --- run times ------------------------------------------------------------------------------------- */

static void take_run(void *self, const struct ended_job *ended)
{
	struct asking *a = self;
	const char *user = ended->record.cred[CRED_USER];

	if (!accuracy_counts(ended))
		return;
	a->run = vec_room(a->run, &a->room, a->runs + 1, sizeof *a->run);
	a->run[a->runs++] = (struct run){.end_s = ended->end_s,
					 .run_s = ended_run_s(ended),
					 .wall_limit_s = ended->record.job.wall_limit_s,
					 .user = user == NULL ? NULL : arena_string(&a->arena, user)};
}

static const struct accuracy *known_at(void *self, int64_t at_s)
{
	struct asking *a = self;

	if (a->noted > 0 && a->run[a->noted - 1].end_s > at_s) { /* another walk has begun */
		accuracy_clear(&a->known);
		a->noted = 0;
	}
	for (; a->noted < a->runs && a->run[a->noted].end_s <= at_s; a->noted++) {
		const struct run *run = &a->run[a->noted];

		accuracy_note(&a->known, run->user, run->run_s, run->wall_limit_s);
	}
	return &a->known;
}

/* --- errors by stage ------------------------------------------------------------------------------- */

/* Appends an error with its sign; "+0:04:00" means later than estimated. */
static void add_signed(struct str *out, int64_t s)
{
	char text[DURATION_TEXT];

	str_addf(out, "%s%s", s > 0 ? "+" : "", duration_text(text, s));
}

struct errors_item {
	const char *stage, *tier, *said, *by;
	struct estimate_errors errors;
	/* unknown values are -1, but TIME_NONE in shift_s */
	int64_t median_s, p80_s, p95_s, shift_s;
};

static enum role shift_cell(const void *item, struct str *out)
{
	const struct errors_item *i = item;

	if (i->errors.known > 0)
		add_signed(out, i->shift_s);
	else
		str_add_char(out, '-');
	return ROLE_TEXT;
}

/* Appends a count of jobs; "-" if no job has a known error. */
static enum role known_cell(const struct errors_item *i, uint32_t count, struct str *out)
{
	if (i->errors.known > 0)
		str_addf(out, "%" PRIu32, count);
	else
		str_add_char(out, '-');
	return ROLE_TEXT;
}

static enum role earlier_cell(const void *item, struct str *out)
{
	return known_cell(item, ((const struct errors_item *)item)->errors.earlier, out);
}

static enum role later_cell(const void *item, struct str *out)
{
	return known_cell(item, ((const struct errors_item *)item)->errors.later, out);
}

static enum role within_cell(const void *item, struct str *out)
{
	const struct estimate_errors *e = &((const struct errors_item *)item)->errors;

	if (e->known > 0)
		str_addf(out, "%.0f%%", 100.0 * e->within / e->known);
	else
		str_add_char(out, '-');
	return ROLE_TEXT;
}

static const struct field errors_fields[] = {
	{"stage", NULL, FIELD_TEXT, FIELD_AT(struct errors_item, stage)},
	{"tier", NULL, FIELD_TEXT, FIELD_AT(struct errors_item, tier)},
	{NULL, "SAID", FIELD_TEXT, FIELD_AT(struct errors_item, said)},
	{NULL, "BY", FIELD_TEXT, FIELD_AT(struct errors_item, by)},
	{"asked", NULL, FIELD_COUNT, FIELD_AT(struct errors_item, errors.asked)},
	{"unknown", "UNKNOWN", FIELD_COUNT, FIELD_AT(struct errors_item, errors.unknown)},
	{"at_once", "ATONCE", FIELD_COUNT, FIELD_AT(struct errors_item, errors.at_once)},
	{"known", "JOBS", FIELD_COUNT, FIELD_AT(struct errors_item, errors.known)},
	{"earlier", "EARLY", FIELD_COUNT, FIELD_AT(struct errors_item, errors.earlier), .cell = earlier_cell},
	{"later", "LATE", FIELD_COUNT, FIELD_AT(struct errors_item, errors.later), .cell = later_cell},
	{"within_tenth", "IN10%", FIELD_COUNT, FIELD_AT(struct errors_item, errors.within),
	 .cell = within_cell},
	{"median_s", "HALF", FIELD_DURATION, FIELD_OR_NULL(struct errors_item, median_s, -1)},
	{"p80_s", "80%", FIELD_DURATION, FIELD_OR_NULL(struct errors_item, p80_s, -1)},
	{"p95_s", "95%", FIELD_DURATION, FIELD_OR_NULL(struct errors_item, p95_s, -1)},
	{"shift_s", "SHIFT", FIELD_DURATION, FIELD_OR_NULL(struct errors_item, shift_s, TIME_NONE),
	 .cell = shift_cell},
	{0}};

static void visit_errors(const struct estimate_accuracy *e, enum estimate_stage stage,
			 enum estimate_tier tier, field_visit *visit, void *self)
{
	static const char *const stages[ESTIMATE_STAGES] = {"when submitted", "halfway", "1 h before start"};
	static const char *const tiers[ESTIMATE_TIERS] = {"instant plan", "full projection"};
	struct errors_item item = {.stage = estimate_stage_name(stage),
				   .tier = estimate_tier_name(tier),
				   .said = stages[stage],
				   .by = tiers[tier]};
	bool known;

	estimate_errors_of(&item.errors, e->row, e->count, stage, tier);
	known = item.errors.known > 0;
	item.median_s = known ? item.errors.median_s : -1;
	item.p80_s = known ? item.errors.p80_s : -1;
	item.p95_s = known ? item.errors.p95_s : -1;
	item.shift_s = known ? item.errors.shift_s : TIME_NONE;
	visit(self, &item);
}

static void each_errors(const void *item, field_visit *visit, void *self)
{
	for (enum estimate_stage stage = 0; stage < ESTIMATE_STAGES; stage++)
		for (enum estimate_tier tier = 0; tier < ESTIMATE_TIERS; tier++)
			if (estimate_is_asked(stage, tier))
				visit_errors(&((const struct asking *)item)->found, stage, tier, visit, self);
}

static void add_errors(void *table, const void *item)
{
	if (((const struct errors_item *)item)->errors.asked > 0)
		field_table_add(table, item);
}

static void print_errors(const struct asking *a)
{
	static const struct field_column columns[] = {
		{.key = "SAID"},        {.key = "BY"},        {"unknown", .drop = 5},
		{"at_once", .drop = 3}, {.key = "known"},     {.key = "median_s"},
		{.key = "p80_s"},       {.key = "p95_s"},     {"shift_s", .drop = 4},
		{"earlier", .drop = 1}, {"later", .drop = 2}, {.key = "within_tenth"},
	};
	struct field_table t;

	field_table_begin(&t, errors_fields, columns, sizeof columns / sizeof columns[0]);
	t.report.width = a->env->width;
	each_errors(a, add_errors, &t);
	field_table_print(&t, 0, a->env->ascii, a->env->out);
	field_table_free(&t);
}

/* --- the worst estimates ---------------------------------------------------------------------------- */

static bool get_label(const void *item, struct value *out)
{
	const struct estimate_row *row = item;

	if (row->label != NULL)
		str_add(&out->made, row->label);
	else
		str_addf(&out->made, "%" PRIu64, row->job);
	return value_made(out);
}

static const struct field row_fields[] = {
	{"job", NULL, FIELD_TEXT, .get = get_label},
	{"submit", NULL, FIELD_INSTANT, FIELD_AT(struct estimate_row, submit_s)},
	{"start", NULL, FIELD_INSTANT, FIELD_AT(struct estimate_row, start_s)},
	{0}};

struct move_item {
	const char *cause;
	struct estimate_move move;
};

static const struct field move_fields[] = {
	{"cause", NULL, FIELD_TEXT, FIELD_AT(struct move_item, cause)},
	{"moved_s", NULL, FIELD_DURATION, FIELD_AT(struct move_item, move.moved_s)},
	{"times", NULL, FIELD_COUNT, FIELD_AT(struct move_item, move.entries)},
	{"most_s", NULL, FIELD_DURATION, FIELD_AT(struct move_item, move.most_s)},
	{"most_entry", NULL, FIELD_COUNT, FIELD_OR_NULL(struct move_item, move.most_seq, 0)},
	{"most_job", NULL, FIELD_COUNT, FIELD_OR_NULL(struct move_item, move.most_job, 0)},
	{0}};

struct track_item {
	struct estimate_track track;
	int64_t now_s;
};

static void each_cause(const void *item, field_visit *visit, void *self)
{
	const struct estimate_track *track = &((const struct track_item *)item)->track;

	for (enum estimate_cause cause = 0; cause < ESTIMATE_CAUSES; cause++)
		if (track->by[cause].entries > 0)
			visit(self, &(struct move_item){estimate_cause_name(cause), track->by[cause]});
}

static bool get_cause(const void *item, struct value *out)
{
	enum estimate_cause main_cause = estimate_main_cause(&((const struct track_item *)item)->track);

	if (main_cause == ESTIMATE_CAUSES)
		return false;
	out->text = estimate_cause_name(main_cause);
	return true;
}

static bool get_followed(const void *item, struct value *out)
{
	out->whole = !((const struct track_item *)item)->track.lost;
	return true;
}

static int64_t said_s(const struct track_item *i)
{
	return i->track.row.said_s[ESTIMATE_SUBMITTED][ESTIMATE_FULL];
}

static enum role moment_cell(const struct track_item *i, int64_t at_s, struct str *out)
{
	char when[MOMENT_TEXT];

	str_add(out, wallclock_short(when, at_s, i->now_s));
	return ROLE_TEXT;
}

static enum role submitted_cell(const void *item, struct str *out)
{
	return moment_cell(item, ((const struct track_item *)item)->track.row.submit_s, out);
}

static enum role said_cell(const void *item, struct str *out)
{
	return moment_cell(item, said_s(item), out);
}

static enum role started_cell(const void *item, struct str *out)
{
	return moment_cell(item, ((const struct track_item *)item)->track.row.start_s, out);
}

static enum role error_cell(const void *item, struct str *out)
{
	const struct track_item *i = item;

	add_signed(out, i->track.row.start_s - said_s(i));
	return ROLE_TEXT;
}

static void add_cause(struct str *out, const struct estimate_move *move, enum estimate_cause cause)
{
	static const char *const words[ESTIMATE_CAUSES] = {
		"jobs that ended early",  "jobs submitted later", "changes by people",
		"nodes or failed starts", "passage of time",
	};

	str_addf(out, "%s%s ", str_text(out)[0] != '\0' ? ", " : "", words[cause]);
	add_signed(out, move->moved_s);
	if (move->most_seq == 0)
		return;
	str_addf(out, move->entries > 1 ? " (%" PRIu32 " times, the largest part by " : " (", move->entries);
	if (move->most_job != 0)
		str_addf(out, "job %" PRIu64 ", ", move->most_job);
	str_addf(out, "entry %" PRIu64 ")", move->most_seq);
}

/* The main cause comes first, so that narrow output still shows it. */
static void add_causes(struct str *out, const struct estimate_track *track)
{
	enum estimate_cause main_cause = estimate_main_cause(track);

	if (main_cause != ESTIMATE_CAUSES)
		add_cause(out, &track->by[main_cause], main_cause);
	for (enum estimate_cause cause = 0; cause < ESTIMATE_CAUSES; cause++)
		if (cause != main_cause && track->by[cause].entries > 0)
			add_cause(out, &track->by[cause], cause);
	if (track->lost)
		str_addf(out, "%snot followed up to its start (work limit reached)",
			 str_text(out)[0] != '\0' ? ", " : "");
}

static enum role causes_cell(const void *item, struct str *out)
{
	add_causes(out, &((const struct track_item *)item)->track);
	return ROLE_TEXT;
}

static const struct field track_fields[] = {
	{.type = FIELD_MEMBERS, FIELD_AT(struct track_item, track.row), .of = row_fields},
	{NULL, "JOB", FIELD_TEXT, FIELD_AT(struct track_item, track.row.label), .align = TEXT_RIGHT},
	{NULL, "SUBMITTED", FIELD_TEXT, .cell = submitted_cell},
	{"said", "SAID", FIELD_INSTANT,
	 FIELD_AT(struct track_item, track.row.said_s[ESTIMATE_SUBMITTED][ESTIMATE_FULL]), .cell = said_cell},
	{NULL, "STARTED", FIELD_TEXT, .cell = started_cell},
	{NULL, "ERROR", FIELD_TEXT, .cell = error_cell, .align = TEXT_RIGHT},
	{"cause", "MOVED BY", FIELD_TEXT, .get = get_cause, .cell = causes_cell},
	{"followed", NULL, FIELD_BOOL, .get = get_followed},
	{"causes", NULL, FIELD_LIST, .of = move_fields, .each = each_cause},
	{0}};

static void each_worst(const void *item, field_visit *visit, void *self)
{
	const struct asking *a = item;

	for (size_t i = 0; i < a->found.tales; i++)
		visit(self, &(struct track_item){a->found.track[i], a->env->now_s});
}

static void print_worst(const struct asking *a)
{
	static const struct field_column columns[] = {{.key = "JOB"},   {"SUBMITTED", .drop = 1},
						      {.key = "said"},  {.key = "STARTED"},
						      {.key = "ERROR"}, {.key = "cause"}};
	struct field_table t;

	field_table_begin(&t, track_fields, columns, sizeof columns / sizeof columns[0]);
	t.report.width = a->env->width;
	each_worst(a, field_table_visit, &t);
	if (t.report.cells > 0) {
		str_add(a->env->out, "\nWorst estimates of the full projection at submission:\n");
		field_table_print(&t, 0, a->env->ascii, a->env->out);
	}
	field_table_free(&t);
}

/* --- the document ----------------------------------------------------------------------------------- */

/* The estimate of one tier; `said_s` is TIME_NONE if no estimate was computed, or it found no start. */
struct said_item {
	const char *tier;
	int64_t said_s;
};

struct stage_item {
	const struct estimate_row *row;
	enum estimate_stage stage;
	const char *name;
};

static void each_said(const void *item, field_visit *visit, void *self)
{
	const struct stage_item *i = item;

	for (enum estimate_tier tier = 0; tier < ESTIMATE_TIERS; tier++) {
		int64_t at_s = i->row->said_s[i->stage][tier];

		if (estimate_is_asked(i->stage, tier))
			visit(self, &(struct said_item){estimate_tier_name(tier),
							at_s == TIME_NEVER ? TIME_NONE : at_s});
	}
}

static void each_stage(const void *item, field_visit *visit, void *self)
{
	for (enum estimate_stage stage = 0; stage < ESTIMATE_STAGES; stage++)
		visit(self, &(struct stage_item){item, stage, estimate_stage_name(stage)});
}

static const struct field said_fields[] = {
	{NULL, "BY", FIELD_TEXT, FIELD_AT(struct said_item, tier)},
	{NULL, "SAID", FIELD_INSTANT, FIELD_OR_NULL(struct said_item, said_s, TIME_NONE)},
	{0}};

static const struct field stage_fields[] = {{NULL, "STAGE", FIELD_TEXT, FIELD_AT(struct stage_item, name)},
					    {.type = FIELD_MAP, .of = said_fields, .each = each_said},
					    {0}};

static const struct field job_fields[] = {{.type = FIELD_MEMBERS, .held = HELD_ITEM, .of = row_fields},
					  {.type = FIELD_MAP, .of = stage_fields, .each = each_stage},
					  {0}};

static void each_job(const void *item, field_visit *visit, void *self)
{
	const struct estimate_accuracy *e = &((const struct asking *)item)->found;

	for (size_t i = 0; i < e->count; i++)
		visit(self, &e->row[i]);
}

static bool get_assume(const void *item, struct value *out)
{
	out->text = assume_name(((const struct asking *)item)->wish.setup.assume);
	return true;
}

static const struct field env_fields[] = {{"now", NULL, FIELD_INSTANT, FIELD_AT(struct cmd_env, now_s)}, {0}};

static const struct field accuracy_fields[] = {
	{.type = FIELD_MEMBERS, FIELD_TO(struct asking, env), .of = env_fields},
	{"since", NULL, FIELD_INSTANT, FIELD_AT(struct asking, found.from_s)},
	{"started", NULL, FIELD_COUNT, FIELD_AT(struct asking, found.started)},
	{"asked", NULL, FIELD_COUNT, FIELD_AT(struct asking, found.count)},
	{"assume", NULL, FIELD_TEXT, .get = get_assume},
	{"errors", NULL, FIELD_LIST, .of = errors_fields, .each = each_errors},
	{"worst", NULL, FIELD_LIST, .of = track_fields, .each = each_worst},
	{"jobs", NULL, FIELD_LIST, .of = job_fields, .each = each_job},
	{0}};

static void print_text(const struct asking *a)
{
	struct str *out = a->env->out;
	char when[MOMENT_TEXT];

	report_count(out, a->found.started, "job", "jobs");
	str_addf(out, " started since %s", wallclock_long(when, a->found.from_s));
	if (a->found.count < a->found.started)
		str_addf(out, "; %zu of them, evenly spread, are compared", a->found.count);
	str_add_char(out, '\n');
	if (a->found.count == 0)
		return;
	str_addf(out,
		 "Errors are actual minus estimated starts, for jobs that waited or were expected to wait.\n"
		 "The full projection assumed that jobs run %s.\n\n",
		 a->wish.setup.assume == ASSUME_WCLIMIT   ? "to their limits"
		 : a->wish.setup.assume == ASSUME_HISTORY ? "as each user's earlier jobs did"
							  : "as all earlier jobs did");
	print_errors(a);
	print_worst(a);
}

/* --- entry point -------------------------------------------------------------------------------------- */

static enum cmd_status read_wish(struct asking *a)
{
	struct cmd_env *env = a->env;
	const char *since = cmd_option(env, "--since");

	if (env->console != NULL) {
		err_set(&env->err, "stats --estimates reads the whole journal and takes a while; run it "
				   "from a shell (screen 2 shows a summary next to an estimated start)");
		return CMD_REFUSED;
	}
	if (env->store == NULL && env->client == NULL) {
		err_set(&env->err, "a replay keeps no journal; run it with --store DIR to have one");
		return CMD_REFUSED;
	}
	a->wish = (struct estimate_accuracy_query){
		.source = {env->store, env->client},
		.since_s = env->now_s - ESTIMATES_SINCE_S,
		.until_seq = env->s->seq,
		.worst = true,
		.bar = &a->bar,
		.setup = {.full_every = 1, .most_work = FUTURE_JOB_WORK, .known = known_at, .self = a},
	};
	if (!accuracy_assumption(env, &a->wish.setup.assume))
		return CMD_USAGE;
	if (since == NULL)
		return CMD_DONE;
	if (!wallclock_since(since, env->now_s, &a->wish.since_s, &env->err)) {
		err_prefix(&env->err, "--since");
		return CMD_USAGE;
	}
	if (a->wish.since_s <= env->now_s)
		return CMD_DONE;
	err_set(&env->err, "--since %s is in the future", since);
	return CMD_REFUSED;
}

static bool find_out(struct asking *a)
{
	const struct ended_wish runs = {
		.jobs = {.after = {.end_s = a->wish.since_s - ASSUME_LOOK_BACK_S}, .ran = true}};

	if (a->wish.setup.assume != ASSUME_WCLIMIT && !ended_find(a->env, &runs, take_run, a))
		return false;
	return estimate_accuracy_read(&a->found, &a->wish, &a->env->err);
}

enum cmd_status estimate_accuracy_print(struct cmd_env *env)
{
	struct asking a = {.env = env};
	enum cmd_status status = read_wish(&a);

	if (status == CMD_DONE && !find_out(&a))
		status = CMD_FAILED;
	if (status == CMD_DONE && env->json)
		fields_document(env->out, accuracy_fields, 0, &a);
	else if (status == CMD_DONE)
		print_text(&a);
	estimate_accuracy_clear(&a.found);
	accuracy_clear(&a.known);
	arena_free(&a.arena);
	free(a.run);
	return status;
}
