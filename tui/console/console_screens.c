/* SPDX-License-Identifier: MIT */
/* console_screens.c - the front screen, and functions for screens and verbs */
#include <stdlib.h>
#include <string.h>

#include "console_inside.h"
#include "sched/base/vec.h"
#include "sched/forecast/explain.h"
#include "tui/command/cmd.h"
#include "tui/report/job_text.h"
#include "tui/report/why_report.h"

/* --- the front screen --------------------------------------------------------------------------------- */

/* --- screens -------------------------------------------------------------------------- */

const struct view_ops *console_view(const struct console *c)
{
	return views_all[c->current];
}

static bool console_is_in_front(const struct console *c, const struct view_ops *view)
{
	return console_view(c) == view;
}

void *console_view_memory(const struct console *c)
{
	return c->memory[c->current];
}

struct table *console_table(const struct console *c)
{
	const struct view_ops *v = console_view(c);

	return v->table ? v->table(console_view_memory(c)) : NULL;
}

struct page *console_page(const struct console *c)
{
	const struct view_ops *v = console_view(c);

	return v->page ? v->page(console_view_memory(c)) : NULL;
}

/* When a list gets its first rows, its cursor is set to the current job. */
void console_freshen(struct console *c)
{
	struct table *t;
	bool empty;

	if (!c->shown || !c->stale[c->current])
		return;
	c->stale[c->current] = false;
	t = console_view(c)->jobs ? console_table(c) : NULL;
	empty = t && t->cursor == TABLE_NO_ROW;
	console_view(c)->recalc(console_view_memory(c));
	if (empty && c->job)
		(void)table_go(t, c->job);
	console_follow_cursor(c);
}

/* The current job is the one under the cursor of the list with the focus. */
void console_follow_cursor(struct console *c)
{
	struct table *t = console_view(c)->jobs ? console_table(c) : NULL;
	uint64_t key;

	if (t && table_key(t, &key))
		c->job = key;
}

static void come_to_front(struct console *c, size_t view)
{
	struct table *t;

	c->current = view;
	c->stale[view] = true;
	c->range_from = 0;
	c->dirty = true;
	if (console_view(c)->enter)
		console_view(c)->enter(console_view_memory(c));
	if (console_view(c)->shows_draft)
		console_want_plan_query(c); /* one with a comparison */
	if (!c->shown)
		return;
	c->stale[view] = false;
	console_view(c)->recalc(console_view_memory(c));
	t = console_view(c)->jobs ? console_table(c) : NULL;
	if (t && c->job && !table_go(t, c->job))
		console_follow_cursor(c);
}

void console_go(struct console *c, const char *screen)
{
	size_t view = views_find(screen);

	if (view == views_count || view == c->current)
		return;
	if (c->stacked == STACK_MAX) {
		free(c->stack[0].filter);
		memmove(c->stack, c->stack + 1, (STACK_MAX - 1) * sizeof *c->stack);
		c->stacked--;
	}
	c->stack[c->stacked++] = (struct visited){.view = c->current};
	come_to_front(c, view);
}

/* Filter terms contain no blanks, and wildcards stand for other characters. */
static void add_exactly(struct str *out, const char *value)
{
	for (; *value; value++) {
		if (strchr(" *[\\", *value))
			str_add_char(out, '?');
		else
			str_add_char(out, *value);
	}
}

void console_show_jobs(struct console *c, const char *field, const char *value)
{
	struct str filter = {0};

	str_addf(&filter, "%s=", field);
	add_exactly(&filter, value);
	console_go(c, "queue");
	c->stack[c->stacked - 1].filter = mem_string(filter_text(console_filter(c)));
	console_set_filter(c, str_text(&filter));
	str_free(&filter);
}

static void go_back(struct console *c)
{
	struct visited below = c->stack[--c->stacked];

	if (below.filter)
		console_set_filter(c, below.filter);
	come_to_front(c, below.view);
	free(below.filter);
}

void console_back(struct console *c)
{
	if (c->stacked > 0)
		go_back(c);
	else if (c->current != 0)
		come_to_front(c, 0);
	else
		console_say(c, ROLE_MESSAGE, "This is the first screen; Q quits the console.");
}

static const char *console_previous(const struct console *c)
{
	return views_all[c->stacked > 0 ? c->stack[c->stacked - 1].view : 0]->name;
}

static void list_screens(struct str *out)
{
	const char *between = "";

	for (size_t i = 0; i < views_count; i++) {
		if (views_all[i]->number == 0)
			continue;
		str_addf(out, "%s%d %s", between, views_all[i]->number, views_all[i]->title);
		between = ", ";
	}
}

bool console_show(struct console *c, const char *screen, struct err *err)
{
	struct str list = {0};

	for (size_t i = 0; i < views_count; i++) {
		char number[2] = {(char)('0' + views_all[i]->number), '\0'};

		if (!str_same_word(views_all[i]->name, screen) &&
		    (views_all[i]->number == 0 || strcmp(number, screen) != 0))
			continue;
		console_go(c, views_all[i]->name);
		return true;
	}
	list_screens(&list);
	err_set(err, "unknown screen %s; screens: %s", screen, str_text(&list));
	str_free(&list);
	return false;
}

/* --- for screens ---------------------------------------------------------------------- */

static const struct plan_query *console_plan_query(const struct console *c)
{
	return c->shown;
}

static const struct lint_cache *console_linted(struct console *c)
{
	lint_cache_take(&c->lint_cache, c->shown);
	return &c->lint_cache;
}

static bool console_why(const struct console *c, uint64_t job, struct why_known *out)
{
	struct forecast *f = c->shown ? &c->shown->live : NULL;
	const struct remedies_query *remedies = console_remedies(c);
	uint32_t slot;

	if (!f || !forecast_job(f, job, &slot))
		return false;
	*out = (struct why_known){.s = f->s,
				  .now_s = f->plan.now_s,
				  .slot = slot,
				  .plan = &f->plan,
				  .remedies = remedies && remedies->job == job ? &remedies->found : NULL,
				  .start = forecast_start(f, slot)};
	out->start.tier = f->placeholder[slot] ? FUTURE_INSTANT : f->tier;
	explain_planned(f->s, slot, &f->plan, &out->why);
	explain_dated(&out->why, f->s, &out->start, forecast_lead(f, slot));
	for (int gate = GATE_NONE + 1; gate < GATE_COUNT && out->why.verdict != VERDICT_RUNS; gate++)
		job_text_check(f->s, f->plan.now_s, &out->why.check[gate]);
	return true;
}

static const struct snapshot *console_latest(const struct console *c)
{
	return c->latest->s;
}

/* The minimum width of a screen. */
static int console_width(const struct console *c)
{
	return c->canvas.w > SMALL_W ? c->canvas.w : SMALL_W;
}

static uint64_t console_job(const struct console *c)
{
	return c->job;
}

void console_go_job(struct console *c, uint64_t job)
{
	c->job = job;
	c->dirty = true;
}

static struct filter *filter_here(const struct console *c)
{
	const struct view_ops *v = console_view(c);

	return &c->filter[v->jobs || v->one_job ? 0 : c->current];
}

const struct filter *console_filter(const struct console *c)
{
	return filter_here(c);
}

const struct filter *console_search(const struct console *c)
{
	return c->search.count > 0 ? &c->search : console_filter(c);
}

struct store *console_store(const struct console *c)
{
	return c->session->store;
}

int64_t console_now_s(const struct console *c)
{
	return c->source.ops->now_s(c->source.self);
}

void console_recalc(struct console *c)
{
	c->stale[c->current] = true;
	console_freshen(c);
	c->dirty = true;
}

void console_set_filter(struct console *c, const char *text)
{
	filter_set(filter_here(c), text);
	for (size_t i = 0; i < views_count; i++)
		c->stale[i] = true;
	console_recalc(c);
}

void console_say(struct console *c, enum role role, const char *format, ...)
{
	struct str text = {0};
	va_list args;

	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	if (c->messages == MESSAGES_KEPT) {
		free(c->message[0].text);
		memmove(c->message, c->message + 1, --c->messages * sizeof *c->message);
	}
	c->message = vec_room(c->message, &c->message_cap, c->messages + 1, sizeof *c->message);
	c->message[c->messages++] = (struct message){
		.time_s = console_now_s(c), .role = role, .text = mem_string(str_text(&text))};
	str_free(&text);
	c->said = true;
	c->dirty = true;
}

static const struct message *console_messages(const struct console *c, size_t *count)
{
	*count = c->messages;
	return c->message;
}

static const char *console_output(const struct console *c, const char **title)
{
	*title = c->output_title ? c->output_title : "";
	return str_text(&c->output);
}

/* --- functions for screens and verbs ------------------------------------------------------------------ */

static bool verb(size_t at, struct host_verb *out)
{
	for (size_t i = 0; i < cmd_verbs.count; i++) {
		const struct cmd *cmd = cmd_verbs.item[i];

		if ((cmd->flags & CMD_SHELL) != 0 || at-- > 0)
			continue;
		*out = (struct host_verb){.name = cmd->name, .args = cmd->args, .help = cmd->help};
		return true;
	}
	return false;
}

const struct screen_host_ops console_host_ops = {
	.plan_query = console_plan_query,
	.lint_cache = console_linted,
	.projection_query = console_foresight,
	.compared = console_compared,
	.projection_progress = console_projection_progress,
	.ablation = console_ablation,
	.assume_next = console_assume_next,
	.why = console_why,
	.remedies = console_remedies,
	.remedies_running = console_remedies_running,
	.headroom = console_headroom,
	.accuracy = console_accuracy,
	.seek = console_seek,
	.try_sweep = console_try_sweep,
	.try_goal = console_try_goal,
	.draft_query = console_draft_query,
	.impact = console_impact,
	.undo_now = console_undo_now,
	.turn_because = console_turn_because,
	.consequences_query = console_consequences,
	.width = console_width,
	.job = console_job,
	.go_job = console_go_job,
	.filter = console_filter,
	.search = console_search,
	.store = console_store,
	.show_past = console_show_past,
	.show_now = console_show_now,
	.moment_s = console_moment_s,
	.moment = console_moment,
	.latest = console_latest,
	.go = console_go,
	.back = console_back,
	.is_in_front = console_is_in_front,
	.show_jobs = console_show_jobs,
	.recalc = console_recalc,
	.say = console_say,
	.propose = console_propose,
	.propose_tune = console_propose_tune,
	.preview = console_preview,
	.preview_tune = console_preview_tune,
	.drafted = console_drafted,
	.unset = console_unset,
	.apply_for = console_apply_for,
	.drop_all = console_drop_all,
	.draft = console_draft,
	.edits = console_edits,
	.switch_edit = console_switch_edit,
	.remove_edit = console_remove_edit,
	.replace_edit = console_replace_edit,
	.ask = console_ask,
	.messages = console_messages,
	.output = console_output,
	.files = console_files,
	.ended = console_ended,
	.usage = console_usage,
	.previous = console_previous,
	.verb = verb,
	.now_s = console_now_s,
};

static const char *screen_name(size_t at)
{
	return at < views_count ? views_all[at]->name : NULL;
}

const struct cmd_console console_verbs = {
	.run = console_run,
	.has_terminal = console_has_terminal,
	.screen = screen_name,
	.show = console_show,
	.show_at = console_show_at,
	.seek = console_seek,
	.set_filter = console_set_filter,
	.set_theme = console_set_theme,
	.set_mouse = console_set_mouse,
	.set_speed = console_set_speed,
	.dump = console_dump,
	.export_list = console_export,
	.apply_for = console_apply_for,
	.drop_all = console_drop_all,
	.act_of = console_act_of,
	.job = console_job,
	.quit = console_quit,
	.detach = console_detach,
};
