/* SPDX-License-Identifier: MIT */
/*
 * journal_entry.c - report of one journal entry
 *
 * Consequences are listed for each job, with its starts with and without the entry, and as totals.
 */
#include "journal_entry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "field.h"
#include "history_source.h"
#include "impact.h"
#include "job_text.h"
#include "report.h"
#include "sched/base/duration.h"
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
	char *who, *what; /* NULL: the entry does not exist */
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

/*
 * Reads what the report shows. Returns false with env->err set on failure; what has been read by then is
 * still printed, before the error.
 */
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

/* A job that starts at another time because of the entry. */
struct move_item {
	char label[JOB_LABEL_TEXT];
	struct rerun_move move;
};

static enum role start_cell(int64_t at_s, struct str *out)
{
	char when[MOMENT_TEXT];

	str_add(out, at_s == TIME_NONE ? "-" : wallclock_iso(when, at_s));
	return ROLE_TEXT;
}

static enum role without_cell(const void *item, struct str *out)
{
	return start_cell(((const struct move_item *)item)->move.before_s, out);
}

static enum role with_cell(const void *item, struct str *out)
{
	return start_cell(((const struct move_item *)item)->move.after_s, out);
}

static enum role moved_cell(const void *item, struct str *out)
{
	const struct rerun_move *move = &((const struct move_item *)item)->move;
	int64_t later_s = move->after_s - move->before_s;
	char by[DURATION_TEXT];

	if (move->before_s != TIME_NONE && move->after_s != TIME_NONE)
		str_addf(out, "%c%s", later_s > 0 ? '+' : '-',
			 duration_text(by, later_s > 0 ? later_s : -later_s));
	return ROLE_TEXT;
}

static const struct field move_fields[] = {
	{"job", "JOB", FIELD_TEXT, FIELD_AT(struct move_item, label), .align = TEXT_RIGHT},
	{"start_without", "WITHOUT IT", FIELD_INSTANT,
	 FIELD_OR_NULL(struct move_item, move.before_s, TIME_NONE), .cell = without_cell},
	{"start_with", "WITH IT", FIELD_INSTANT, FIELD_OR_NULL(struct move_item, move.after_s, TIME_NONE),
	 .cell = with_cell},
	{NULL, "MOVED", FIELD_TEXT, .cell = moved_cell, .align = TEXT_RIGHT},
	{0}};

static void visit_moves(const struct consequences *c, size_t most, field_visit *visit, void *self)
{
	for (size_t i = 0; i < c->moves.count && i < most; i++) {
		struct move_item item = {.move = c->moves.item[i]};
		char label[JOB_LABEL_TEXT];

		snprintf(item.label, sizeof item.label, "%s", rerun_label(c->with, item.move.job, label));
		visit(self, &item);
	}
}

static void print_moves(const struct telling *t, struct str *out)
{
	static const struct field_column columns[] = {
		{.key = "job"}, {.key = "start_without"}, {.key = "start_with"}, {.key = "MOVED"}};
	const struct rerun_moves *moves = &t->consequences.moves;
	struct field_table table;

	field_table_begin(&table, move_fields, columns, sizeof columns / sizeof columns[0]);
	visit_moves(&t->consequences, SHOWN, field_table_visit, &table);
	if (moves->count > 0)
		field_table_print(&table, 2, t->env->ascii, out);
	if (moves->count > SHOWN)
		str_addf(out, "  and %zu more; --json lists all of them\n", moves->count - SHOWN);
	field_table_free(&table);
}

/* Prints for how many jobs the replay had to assume a run time. */
static void print_assumed(const struct rerun_record *record, struct str *out)
{
	uint32_t jobs = record->no_end + record->taken_away;

	if (jobs == 0)
		return;
	str_add(out, "  The run time of ");
	report_count(out, jobs, "job", "jobs");
	str_add(out, " is unknown (not ended, or cancelled); a job that starts at another time is assumed "
		     "to run to its wallclock limit.\n");
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
	put_pair(&r, "consequences", &since);
	report_print(&r, 2, t->env->ascii, out);
	if (t->asked) {
		print_moves(t, out);
		print_assumed(&t->consequences.record, out);
	}
	str_free(&since);
	report_free(&r);
}

/* --- JSON -------------------------------------------------------------------------------------------- */

static void each_affected(const void *item, field_visit *visit, void *self)
{
	const struct impact *impact = item;

	for (size_t i = 0; i < impact->jobs; i++)
		visit(self, &impact->job[i]);
}

static const struct field id_fields[] = {{NULL, "", FIELD_COUNT, .held = HELD_U64}, {0}};

static const struct field effect_fields[] = {
	{"text", NULL, FIELD_TEXT, FIELD_AT(struct impact, brief)},
	{"queue_before", NULL, FIELD_TEXT, FIELD_AT(struct impact, before)},
	{"queue_after", NULL, FIELD_TEXT, FIELD_AT(struct impact, after)},
	{"jobs", NULL, FIELD_LIST, .of = id_fields, .each = each_affected},
	{0}};

static void each_move(const void *item, field_visit *visit, void *self)
{
	visit_moves(item, SIZE_MAX, visit, self);
}

static bool get_unknown_run_times(const void *item, struct value *out)
{
	const struct rerun_record *record = &((const struct consequences *)item)->record;

	out->whole = record->no_end + record->taken_away;
	return true;
}

static const struct field because_fields[] = {
	{"until", NULL, FIELD_INSTANT, FIELD_AT(struct consequences, record.until_s)},
	{"earlier", NULL, FIELD_COUNT, FIELD_AT(struct consequences, moves.earlier)},
	{"later", NULL, FIELD_COUNT, FIELD_AT(struct consequences, moves.later)},
	{"only_with", NULL, FIELD_COUNT, FIELD_AT(struct consequences, moves.only_after)},
	{"only_without", NULL, FIELD_COUNT, FIELD_AT(struct consequences, moves.only_before)},
	{"utilization_with", NULL, FIELD_SHARE, FIELD_AT(struct consequences, after.utilization)},
	{"utilization_without", NULL, FIELD_SHARE, FIELD_AT(struct consequences, before.utilization)},
	{"run_time_not_known", NULL, FIELD_COUNT, .get = get_unknown_run_times},
	{"jobs", NULL, FIELD_LIST, .of = move_fields, .each = each_move},
	{0}};

static bool get_kind(const void *item, struct value *out)
{
	out->text = event_kind_name(((const struct telling *)item)->kind);
	return true;
}

static bool get_job(const void *item, struct value *out)
{
	const struct telling *t = item;

	job_text_id(t->env->s, t->job, &out->made);
	return value_made(out);
}

static bool get_undo(const void *item, struct value *out)
{
	const struct telling *t = item;

	out->text = journal_undo_state(t->env->s, t->kind, t->seq);
	return out->text[0] != '\0';
}

static bool get_effect(const void *item, struct value *out)
{
	const struct impact *impact = &((const struct telling *)item)->impact;

	out->item = impact;
	return impact->brief.len > 0;
}

static bool is_asked(const void *item)
{
	return ((const struct telling *)item)->asked;
}

static const struct field entry_fields[] = {
	{"seq", NULL, FIELD_COUNT, FIELD_AT(struct telling, seq)},
	{"time", NULL, FIELD_INSTANT, FIELD_AT(struct telling, time_s)},
	{"who", NULL, FIELD_TEXT, FIELD_AT(struct telling, who)},
	{"kind", NULL, FIELD_TEXT, .get = get_kind},
	{"job", NULL, FIELD_TEXT, .get = get_job},
	{"what", NULL, FIELD_TEXT, FIELD_AT(struct telling, what)},
	{"undo", NULL, FIELD_TEXT, .get = get_undo},
	{"effect", NULL, FIELD_OBJECT, .get = get_effect, .of = effect_fields},
	{"undo_now", NULL, FIELD_TEXT, FIELD_AT(struct telling, undo)},
	{"because", NULL, FIELD_OBJECT, FIELD_AT(struct telling, consequences), .of = because_fields,
	 .when = is_asked},
	{0}};

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
		fields_document(env->out, entry_fields, 0, &t);
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
