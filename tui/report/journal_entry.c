/* SPDX-License-Identifier: MIT */
/*
 * journal_entry.c - report of one journal entry
 *
 * Consequences are listed by job, with both starts, and not only as totals.
 */
#include "journal_entry.h"

#include <inttypes.h>
#include <stdlib.h>

#include "history_source.h"
#include "impact.h"
#include "job_text.h"
#include "report.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/base/vec.h"
#include "sched/rm/wallclock.h"
#include "sched/state/undo.h"
#include "tui/draw/text.h"
#include "tui/report/cmd_env.h"

#define SHOWN 20 /* maximum number of jobs listed */

struct telling {
	struct cmd_env *env;
	struct history_source source;
	uint64_t seq, job;
	int64_t time_s;
	enum event_kind kind;
	struct task_names names;
	char *who, *what; /* NULL: no such entry */
	struct impact impact;
	struct str undo;
	bool asked; /* consequences were requested */
	struct consequences consequences;
	struct progress bar;
};

const char *journal_undo_state(const struct snapshot *s, enum event_kind kind, uint64_t seq)
{
	enum undo_bar bar = undo_bar_of(s, seq);

	if (!event_can_undo(kind))
		return "";
	return bar == UNDO_OPEN ? "yes" : undo_bar_text(bar);
}

/* --- look-up ------------------------------------------------------------------------------------------ */

static bool take(void *self, const struct event *ev)
{
	struct telling *t = self;
	struct str what = {0};

	if (ev->seq != t->seq)
		return false;
	task_names_describe(&t->names, ev, &what);
	t->job = ev->job;
	t->time_s = ev->time_s;
	t->kind = ev->kind;
	t->who = mem_string(ev->who != NULL ? ev->who : "sched");
	t->what = mem_string(str_text(&what));
	str_free(&what);
	return false;
}

static bool note_time(void *self, const struct event *ev)
{
	struct telling *t = self;

	t->time_s = ev->time_s;
	task_names_want(&t->names, ev);
	return false;
}

static bool read_names(struct telling *t)
{
	struct err *err = &t->env->err;

	return history_source_journal(&t->source, t->seq, false, note_time, t, err) &&
	       task_names_read(&t->names, t->env->s, &t->source, t->time_s, err);
}

static bool should_continue(void *self, uint64_t done, uint64_t all)
{
	struct telling *t = self;

	if (t->bar.total != all)
		progress_begin(&t->bar, "entries", all);
	progress_show(&t->bar, done);
	return true;
}

static bool find_because(struct telling *t)
{
	bool good;

	t->consequences = (struct consequences){
		.source = t->source, .seq = t->seq, .should_continue = should_continue, .self = t};
	good = consequences_find(&t->consequences, &t->env->err);
	if (t->bar.total > 0)
		progress_end(&t->bar);
	return good;
}

/* False: partial data is still printed, before the error. */
static bool find(struct telling *t)
{
	struct cmd_env *env = t->env;
	bool asked = t->asked, good = read_names(t);

	good = good && history_source_journal(&t->source, t->seq, false, take, t, &env->err);

	if (good && (t->who == NULL || impact_applies(t->kind)))
		good = impacts_read(&t->source, &t->seq, 1, &t->impact, NULL, NULL, &env->err);
	t->impact.seq = t->seq;
	if (good)
		impact_print_undo(&t->impact, env->s, &t->undo);
	t->asked = asked && good && find_because(t);
	return good && t->asked == asked;
}

/* --- text ------------------------------------------------------------------------------------------- */

static void put_pair(struct report *r, const char *name, const struct str *text)
{
	if (text->len > 0)
		report_pair(r, name, "%s", str_text(text));
}

static void cell_start(struct report *r, int64_t at_s)
{
	char when[MOMENT_TEXT];

	report_cell(r, at_s == TIME_NONE ? "-" : wallclock_iso(when, at_s));
}

static void cell_by(struct report *r, const struct rerun_move *move)
{
	char by[DURATION_TEXT];
	int64_t later_s;

	if (move->before_s == TIME_NONE || move->after_s == TIME_NONE) {
		report_cell(r, "");
		return;
	}
	later_s = move->after_s - move->before_s;
	report_cellf(r, "%c%s", later_s > 0 ? '+' : '-', duration_text(by, later_s > 0 ? later_s : -later_s));
}

static void print_moves(const struct telling *t, struct str *out)
{
	static const struct report_column columns[] = {{"JOB", TEXT_RIGHT},
						       {"WITHOUT IT", TEXT_LEFT},
						       {"WITH IT", TEXT_LEFT},
						       {"MOVED", TEXT_RIGHT}};
	struct report r = {.column = columns, .columns = 4};
	const struct rerun_moves *moves = &t->consequences.moves;
	char label[JOB_LABEL_TEXT];

	for (size_t i = 0; i < moves->count && i < SHOWN; i++) {
		report_cell(&r, rerun_label(t->consequences.with, moves->item[i].job, label));
		cell_start(&r, moves->item[i].before_s);
		cell_start(&r, moves->item[i].after_s);
		cell_by(&r, &moves->item[i]);
	}
	if (moves->count > 0)
		report_print(&r, 2, t->env->ascii, out);
	if (moves->count > SHOWN)
		str_addf(out, "  and %zu more; --json lists all of them\n", moves->count - SHOWN);
	report_free(&r);
}

/* Prints the assumptions of the replay. */
static void print_assumed(const struct rerun_record *record, struct str *out)
{
	uint32_t jobs = record->no_end + record->taken_away;

	if (jobs == 0)
		return;
	str_add(out, "  For how long ");
	report_count(out, jobs, "job", "jobs");
	str_add(out, " would have run is unknown (not ended, or cancelled): to the limit, if the start "
		     "differs.\n");
}

static void print_text(const struct telling *t)
{
	static const struct report_column columns[] = {{"", TEXT_LEFT}, {"", TEXT_LEFT}};
	struct report r = {.column = columns, .columns = 2, .no_titles = true};
	struct str *out = t->env->out, since = {0};
	char when[MOMENT_TEXT];

	str_addf(out, "%" PRIu64 "  %s  ", t->seq, wallclock_iso(when, t->time_s));
	text_safe(out, t->who, t->env->ascii);
	str_add(out, ": ");
	text_safe(out, t->what, t->env->ascii);
	str_add_char(out, '\n');
	put_pair(&r, "at once", &t->impact.brief);
	put_pair(&r, "queue before", &t->impact.before);
	put_pair(&r, "queue after", &t->impact.after);
	put_pair(&r, "undo now", &t->undo);
	if (t->asked)
		consequences_print(&t->consequences, &since);
	put_pair(&r, "because of it", &since);
	report_print(&r, 2, t->env->ascii, out);
	if (t->asked) {
		print_moves(t, out);
		print_assumed(&t->consequences.record, out);
	}
	str_free(&since);
	report_free(&r);
}

/* --- JSON -------------------------------------------------------------------------------------------- */

static void json_words(struct json *j, const char *key, const struct str *text)
{
	json_text(j, key, text->len > 0 ? str_text(text) : NULL);
}

static void json_impact(struct json *j, const struct impact *impact)
{
	if (impact->brief.len == 0) {
		json_null(j, "effect");
		return;
	}
	json_open(j, "effect", '{');
	json_words(j, "text", &impact->brief);
	json_words(j, "queue_before", &impact->before);
	json_words(j, "queue_after", &impact->after);
	json_open(j, "jobs", '[');
	for (size_t i = 0; i < impact->jobs; i++)
		json_int(j, NULL, (int64_t)impact->job[i]);
	json_close(j);
	json_close(j);
}

static void json_because(struct json *j, const struct consequences *b)
{
	char label[JOB_LABEL_TEXT];

	json_open(j, "because", '{');
	json_int(j, "until", b->record.until_s);
	json_int(j, "earlier", b->moves.earlier);
	json_int(j, "later", b->moves.later);
	json_int(j, "only_with", b->moves.only_after);
	json_int(j, "only_without", b->moves.only_before);
	json_real(j, "utilization_with", b->after.utilization);
	json_real(j, "utilization_without", b->before.utilization);
	json_int(j, "run_time_not_known", b->record.no_end + b->record.taken_away);
	json_open(j, "jobs", '[');
	for (size_t i = 0; i < b->moves.count; i++) {
		const struct rerun_move *move = &b->moves.item[i];

		json_open(j, NULL, '{');
		json_text(j, "job", rerun_label(b->with, move->job, label));
		json_int_or_null(j, "start_without", move->before_s, TIME_NONE);
		json_int_or_null(j, "start_with", move->after_s, TIME_NONE);
		json_close(j);
	}
	json_close(j);
	json_close(j);
}

static void print_json(const struct telling *t)
{
	struct json j = {.out = t->env->out};
	const char *undo = journal_undo_state(t->env->s, t->kind, t->seq);

	json_open(&j, NULL, '{');
	json_int(&j, "seq", (int64_t)t->seq);
	json_int(&j, "time", t->time_s);
	json_text(&j, "who", t->who);
	json_text(&j, "kind", event_kind_name(t->kind));
	job_text_json_id(&j, "job", t->env->s, t->job);
	json_text(&j, "what", t->what);
	json_text(&j, "undo", undo[0] ? undo : NULL);
	json_impact(&j, &t->impact);
	json_words(&j, "undo_now", &t->undo);
	if (t->asked)
		json_because(&j, &t->consequences);
	json_close(&j);
	str_add_char(t->env->out, '\n');
}

/* --- entry point -------------------------------------------------------------------------------------- */

static enum cmd_status may_look(struct telling *t, const char *number)
{
	struct cmd_env *env = t->env;
	int64_t seq;

	if (!str_read_whole(number, &seq) || seq <= 0) {
		err_set(&env->err,
			"journal takes the number of an entry, got '%s'; 'kahu journal' lists them", number);
		return CMD_USAGE;
	}
	t->seq = (uint64_t)seq;
	if (env->store == NULL && env->client == NULL)
		err_set(&env->err, "a replay keeps no journal; run it with --store DIR to have one");
	else if (t->asked && env->console != NULL)
		err_set(&env->err,
			"--because takes a while: press b on the Journal screen to run it in the background");
	else
		return CMD_DONE;
	return CMD_REFUSED;
}

enum cmd_status journal_entry(struct cmd_env *env, const char *number, bool because)
{
	struct telling t = {.env = env, .source = {env->store, env->client}, .asked = because};
	enum cmd_status status = may_look(&t, number);

	if (status == CMD_DONE && !find(&t))
		status = CMD_REFUSED;
	if (t.who != NULL && env->json)
		print_json(&t);
	else if (t.who != NULL)
		print_text(&t);
	impact_clear(&t.impact);
	consequences_clear(&t.consequences);
	str_free(&t.undo);
	free(t.who);
	free(t.what);
	task_names_clear(&t.names);
	return status;
}
