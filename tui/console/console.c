/* SPDX-License-Identifier: MIT */
/* console.c - creating and freeing a console, and its functions for screens and verbs */
#include <stdio.h>
#include <stdlib.h>

#include "console_inside.h"
#include "sched/base/vec.h"
#include "sched/forecast/explain.h"
#include "tui/command/cmd.h"
#include "tui/query/worker.h"
#include "tui/report/job_text.h"
#include "tui/report/why_report.h"

/* --- facts for screens ------------------------------------------------------------------------------- */

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

/* Returns the width of the screens: that of the terminal, at least SMALL_W. */
static int console_width(const struct console *c)
{
	return c->canvas.w > SMALL_W ? c->canvas.w : SMALL_W;
}

static uint64_t console_job(const struct console *c)
{
	return c->job;
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

static bool console_is_in_front(const struct console *c, const struct view_ops *view)
{
	return console_view(c) == view;
}

static const char *console_previous(const struct console *c)
{
	return views_all[c->stacked > 0 ? c->stack[c->stacked - 1].view : 0]->name;
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

static const struct screen_host_ops console_host_ops = {
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

/* --- create and free ------------------------------------------------------------------ */

static void open_views(struct console *c)
{
	c->memory = mem_zero(views_count, sizeof *c->memory);
	c->stale = mem_zero(views_count, sizeof *c->stale);
	c->filter = mem_zero(views_count, sizeof *c->filter);
	for (size_t i = 0; i < views_count; i++) {
		c->memory[i] = mem_zero(1, views_all[i]->size);
		c->stale[i] = true;
		views_all[i]->open(c->memory[i], &c->host);
	}
}

struct console *console_new(const struct session *s, const struct console_door *door, bool scripted,
			    struct err *err)
{
	struct console *c = mem_zero(1, sizeof *c);

	c->host = (struct screen_host){.ops = &console_host_ops, .console = c};
	c->verbs = &console_verbs;
	c->worker = worker_start(err);
	if (!c->worker) {
		free(c);
		return NULL;
	}
	c->session = s;
	c->source = s->source;
	if (door)
		c->door = *door;
	c->scripted = scripted;
	c->ascii = s->ascii;
	c->canvas.ascii = s->ascii;
	snprintf(c->theme, sizeof c->theme, "%s", s->theme ? s->theme : THEME_AT_FIRST);
	c->speed = scripted ? 0 : s->simulated ? host_speed(s->host) : 1;
	open_views(c);
	c->latest = picture_take(&c->source);
	console_want_plan_query(c);
	c->dirty = true;
	return c;
}

static void free_draft(struct draft *d)
{
	proposal_drop(d->proposal);
	edits_clear(&d->edits);
	str_free(&d->lines);
	str_free(&d->again);
	str_free(&d->label);
	str_free(&d->reason);
}

static void free_texts(struct console *c)
{
	for (size_t i = 0; i < c->messages; i++)
		free(c->message[i].text);
	for (size_t i = 0; i < c->tickets; i++)
		free(c->ticket[i].what);
	for (size_t i = 0; i < c->stacked; i++)
		free(c->stack[i].filter);
	free(c->message);
	free(c->ticket);
	free(c->act);
	free(c->filter_before);
	free(c->output_title);
	str_free(&c->output);
	str_free(&c->asked);
	str_free(&c->problem);
	str_free(&c->again);
	free_draft(&c->draft);
	free_draft(&c->box);
	page_free(&c->box_page);
	page_free(&c->note);
	figures_free(&c->figures);
	lint_cache_free(&c->lint_cache);
	for (size_t i = 0; i < views_count; i++)
		filter_clear(&c->filter[i]);
	free(c->filter);
	filter_clear(&c->search);
	prompt_history_free(&c->commands);
	prompt_history_free(&c->filters);
}

void console_free(struct console *c)
{
	if (!c)
		return;
	if (c->prompting)
		prompt_close(&c->prompt);
	worker_stop(c->worker);
	for (size_t i = 0; i < views_count; i++) {
		views_all[i]->close(c->memory[i]);
		free(c->memory[i]);
	}
	free(c->memory);
	free(c->stale);
	console_forget_ended(c);
	console_free_queries(c);
	console_free_impacts(c);
	run_assumption_drop(c->run_assumption);
	run_assumption_drop(c->usual);
	plan_query_drop(c->shown);
	console_free_spares(c);
	picture_drop(c->latest);
	picture_drop(c->past);
	free_texts(c);
	canvas_free(&c->canvas);
	free(c);
}
