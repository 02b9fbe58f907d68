/* SPDX-License-Identifier: MIT */
/*
 * estimate_accuracy.c - comparison of recorded estimates with actual starts
 *
 * A walk through the journal begins with the state before its first time.
 */
#include "estimate_accuracy.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd_env.h"
#include "ended.h"
#include "report.h"
#include "sched/base/arena.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/base/vec.h"
#include "sched/rm/wallclock.h"
#include "statistics.h"

/* --- comparison of recorded estimates with actual starts ---------------------------------------------- */

#define SHOWN_EVERY 256 /* entries */

struct reading {
	const struct estimate_accuracy_query *wish;
	struct estimate_accuracy *out;
	struct err *err;
	struct journal_span span;
	uint64_t seen;
	/* of the current walk */
	struct estimate_starts starts;
	struct estimate_walk walk;
	struct estimate_tracker tracker;
	int64_t first_s, last_s; /* earliest submission and latest start of the rows */
	struct estimate_setup setup;
	bool failed;
};

/* --- walks ----------------------------------------------------------------------------------------- */

/*
 * The state before the first entry. The scheduler only provides states after existing entries, so through the
 * scheduler it is the state after the first entry.
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

/* The state before a time, and the time from which a walk is complete; NULL with a sentence. */
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

/* Entries before the first submission and after the last start are not needed. */
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
		begin_bar(r, "entries asked about", state_view(st)->seq);
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
	size_t count = estimate_worst(out->row, out->count, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT, worst,
				      ESTIMATES_WORST);
	int64_t from_s;
	struct state *st = count == 0 ? NULL : state_before(r, r->first_s, &from_s);
	bool good;

	if (st == NULL)
		return count == 0;
	begin_bar(r, "entries followed", state_view(st)->seq);
	estimate_tracker_begin(&r->tracker, st, worst, count, ESTIMATES_FOLLOW_MOST);
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
 * The full projection uses the run times that were known at each time, not those known now: a job counts from
 * its end on.
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
	/* run times in order of their ends; the first `noted` are already in known */
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

	for (; a->noted < a->runs && a->run[a->noted].end_s <= at_s; a->noted++) {
		const struct run *run = &a->run[a->noted];

		accuracy_note(&a->known, run->user, run->run_s, run->wall_limit_s);
	}
	return &a->known;
}

/* --- JSON ------------------------------------------------------------------------------------------ */

static void json_errors(struct json *j, const struct estimate_accuracy *e, enum estimate_stage stage,
			enum estimate_tier tier)
{
	struct estimate_errors errors;

	estimate_errors_of(&errors, e->row, e->count, stage, tier);
	json_open(j, NULL, '{');
	json_text(j, "stage", estimate_stage_name(stage));
	json_text(j, "tier", estimate_tier_name(tier));
	json_int(j, "asked", errors.asked);
	json_int(j, "unknown", errors.unknown);
	json_int(j, "at_once", errors.at_once);
	json_int(j, "known", errors.known);
	json_int(j, "earlier", errors.earlier);
	json_int(j, "later", errors.later);
	json_int(j, "within_tenth", errors.within);
	json_int_or_null(j, "median_s", errors.known > 0 ? errors.median_s : -1, -1);
	json_int_or_null(j, "p80_s", errors.known > 0 ? errors.p80_s : -1, -1);
	json_int_or_null(j, "p95_s", errors.known > 0 ? errors.p95_s : -1, -1);
	json_int_or_null(j, "shift_s", errors.known > 0 ? errors.shift_s : TIME_NONE, TIME_NONE);
	json_close(j);
}

/* An unknown start is omitted, like one that was not computed. */
static void json_said(struct json *j, const struct estimate_row *row, enum estimate_stage stage)
{
	json_open(j, estimate_stage_name(stage), '{');
	for (enum estimate_tier tier = 0; tier < ESTIMATE_TIERS; tier++) {
		int64_t said_s = row->said_s[stage][tier];

		if (!estimate_is_asked(stage, tier))
			continue;
		json_int_or_null(j, estimate_tier_name(tier), said_s == TIME_NEVER ? TIME_NONE : said_s,
				 TIME_NONE);
	}
	json_close(j);
}

static void json_row(struct json *j, const struct estimate_row *row)
{
	char id[JOB_LABEL_TEXT];

	snprintf(id, sizeof id, "%" PRIu64, row->job);
	json_text(j, "job", row->label != NULL ? row->label : id);
	json_int(j, "submit", row->submit_s);
	json_int(j, "start", row->start_s);
}

static void json_track(struct json *j, const struct estimate_track *track)
{
	enum estimate_cause main_cause = estimate_main_cause(track);

	json_open(j, NULL, '{');
	json_row(j, &track->row);
	json_int(j, "said", track->row.said_s[ESTIMATE_SUBMITTED][ESTIMATE_INSTANT]);
	json_text(j, "cause", main_cause == ESTIMATE_CAUSES ? NULL : estimate_cause_name(main_cause));
	json_bool(j, "followed", !track->lost);
	json_open(j, "causes", '[');
	for (enum estimate_cause cause = 0; cause < ESTIMATE_CAUSES; cause++) {
		const struct estimate_move *move = &track->by[cause];

		if (move->entries == 0)
			continue;
		json_open(j, NULL, '{');
		json_text(j, "cause", estimate_cause_name(cause));
		json_int(j, "moved_s", move->moved_s);
		json_int(j, "times", move->entries);
		json_int(j, "most_s", move->most_s);
		json_int_or_null(j, "most_entry", (int64_t)move->most_seq, 0);
		json_int_or_null(j, "most_job", (int64_t)move->most_job, 0);
		json_close(j);
	}
	json_close(j);
	json_close(j);
}

static void print_json(const struct asking *a)
{
	struct json j = {.out = a->env->out};
	const struct estimate_accuracy *e = &a->found;

	json_open(&j, NULL, '{');
	json_int(&j, "now", a->env->now_s);
	json_int(&j, "since", e->from_s);
	json_int(&j, "started", (int64_t)e->started);
	json_int(&j, "asked", (int64_t)e->count);
	json_text(&j, "assume", assume_name(a->wish.setup.assume));
	json_open(&j, "errors", '[');
	for (enum estimate_stage stage = 0; stage < ESTIMATE_STAGES; stage++)
		for (enum estimate_tier tier = 0; tier < ESTIMATE_TIERS; tier++)
			if (estimate_is_asked(stage, tier))
				json_errors(&j, e, stage, tier);
	json_close(&j);
	json_open(&j, "worst", '[');
	for (size_t i = 0; i < e->tales; i++)
		json_track(&j, &e->track[i]);
	json_close(&j);
	json_open(&j, "jobs", '[');
	for (size_t i = 0; i < e->count; i++) {
		json_open(&j, NULL, '{');
		json_row(&j, &e->row[i]);
		for (enum estimate_stage stage = 0; stage < ESTIMATE_STAGES; stage++)
			json_said(&j, &e->row[i], stage);
		json_close(&j);
	}
	json_close(&j);
	json_close(&j);
	str_add_char(a->env->out, '\n');
}

/* --- text ------------------------------------------------------------------------------------------ */

static void cell_time(struct report *r, int64_t s)
{
	char text[DURATION_TEXT];

	report_cell(r, duration_text(text, s));
}

/* "+0:04:00": later than estimated. */
static void add_signed(struct str *out, int64_t s)
{
	char text[DURATION_TEXT];

	str_addf(out, "%s%s", s > 0 ? "+" : "", duration_text(text, s));
}

static void cell_signed(struct report *r, int64_t s)
{
	struct str text = {0};

	add_signed(&text, s);
	report_cell(r, str_text(&text));
	str_free(&text);
}

static void errors_row(struct report *r, const struct estimate_accuracy *e, enum estimate_stage stage,
		       enum estimate_tier tier)
{
	static const char *const stages[ESTIMATE_STAGES] = {"when submitted", "half-way", "an hour before"};
	static const char *const tiers[ESTIMATE_TIERS] = {"instant plan", "full projection"};
	struct estimate_errors errors;

	estimate_errors_of(&errors, e->row, e->count, stage, tier);
	if (errors.asked == 0)
		return;
	report_cell(r, stages[stage]);
	report_cell(r, tiers[tier]);
	report_cellf(r, "%" PRIu32, errors.unknown);
	report_cellf(r, "%" PRIu32, errors.at_once);
	report_cellf(r, "%" PRIu32, errors.known);
	if (errors.known == 0) {
		for (int i = 0; i < 7; i++)
			report_cell(r, "-");
		return;
	}
	cell_time(r, errors.median_s);
	cell_time(r, errors.p80_s);
	cell_time(r, errors.p95_s);
	cell_signed(r, errors.shift_s);
	report_cellf(r, "%" PRIu32, errors.earlier);
	report_cellf(r, "%" PRIu32, errors.later);
	report_cellf(r, "%.0f%%", 100.0 * errors.within / errors.known);
}

static void print_errors(const struct asking *a)
{
	static const struct report_column columns[] = {
		{"SAID", TEXT_LEFT},   {"BY", TEXT_LEFT},     {"UNKNOWN", TEXT_RIGHT}, {"ATONCE", TEXT_RIGHT},
		{"JOBS", TEXT_RIGHT},  {"HALF", TEXT_RIGHT},  {"80%", TEXT_RIGHT},     {"95%", TEXT_RIGHT},
		{"SHIFT", TEXT_RIGHT}, {"EARLY", TEXT_RIGHT}, {"LATE", TEXT_RIGHT},    {"IN10%", TEXT_RIGHT},
	};
	static const unsigned char spare[] = {0, 0, 5, 3, 0, 0, 0, 0, 4, 1, 2, 0};
	struct report r = {.column = columns,
			   .columns = sizeof columns / sizeof columns[0],
			   .width = a->env->width,
			   .spare = spare};

	for (enum estimate_stage stage = 0; stage < ESTIMATE_STAGES; stage++)
		for (enum estimate_tier tier = 0; tier < ESTIMATE_TIERS; tier++)
			if (estimate_is_asked(stage, tier))
				errors_row(&r, &a->found, stage, tier);
	report_print(&r, 0, a->env->ascii, a->env->out);
	report_free(&r);
}

static void add_cause(struct str *out, const struct estimate_move *move, enum estimate_cause cause)
{
	static const char *const words[ESTIMATE_CAUSES] = {
		"jobs that ended early",  "jobs submitted later", "what people changed",
		"nodes or failed starts", "time going on",
	};

	str_addf(out, "%s%s ", str_text(out)[0] != '\0' ? ", " : "", words[cause]);
	add_signed(out, move->moved_s);
	if (move->most_seq == 0)
		return;
	str_addf(out, move->entries > 1 ? " (%" PRIu32 " times, the most by " : " (", move->entries);
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
		str_addf(out, "%snot followed to its start", str_text(out)[0] != '\0' ? ", " : "");
}

static void print_worst(const struct asking *a)
{
	static const struct report_column columns[] = {
		{"JOB", TEXT_RIGHT},    {"SUBMITTED", TEXT_LEFT}, {"SAID", TEXT_LEFT},
		{"STARTED", TEXT_LEFT}, {"ERROR", TEXT_RIGHT},    {"MOVED BY", TEXT_LEFT},
	};
	static const unsigned char spare[] = {0, 1, 0, 0, 0, 0};
	struct report r = {.column = columns, .columns = 6, .width = a->env->width, .spare = spare};
	int64_t now_s = a->env->now_s;
	struct str why = {0};
	char when[MOMENT_TEXT];

	for (size_t i = 0; i < a->found.tales; i++) {
		const struct estimate_track *track = &a->found.track[i];
		int64_t said_s = track->row.said_s[ESTIMATE_SUBMITTED][ESTIMATE_INSTANT];

		str_clear(&why);
		add_causes(&why, track);
		report_cell(&r, track->row.label);
		report_cell(&r, wallclock_short(when, track->row.submit_s, now_s));
		report_cell(&r, wallclock_short(when, said_s, now_s));
		report_cell(&r, wallclock_short(when, track->row.start_s, now_s));
		cell_signed(&r, track->row.start_s - said_s);
		report_cell(&r, str_text(&why));
	}
	if (r.cells > 0) {
		str_add(a->env->out, "\nWorst estimates of the instant plan at submission:\n");
		report_print(&r, 0, a->env->ascii, a->env->out);
	}
	report_free(&r);
	str_free(&why);
}

static void print_text(const struct asking *a)
{
	struct str *out = a->env->out;
	char when[MOMENT_TEXT];

	report_count(out, a->found.started, "job", "jobs");
	str_addf(out, " started since %s", wallclock_long(when, a->found.from_s));
	if (a->found.count < a->found.started)
		str_addf(out, "; of %zu, evenly spread:", a->found.count);
	str_add_char(out, '\n');
	if (a->found.count == 0)
		return;
	str_addf(out,
		 "Errors are actual minus estimated starts, of jobs that waited or were expected to.\n"
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
		err_set(&env->err, "stats --estimates reads the whole journal, which takes a while: run it "
				   "from a shell; screen 2 shows a summary beside a start");
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
		.setup = {.full_every = 1, .known = known_at, .self = a},
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
		print_json(&a);
	else if (status == CMD_DONE)
		print_text(&a);
	estimate_accuracy_clear(&a.found);
	accuracy_clear(&a.known);
	arena_free(&a.arena);
	free(a.run);
	return status;
}
