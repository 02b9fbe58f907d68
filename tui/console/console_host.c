/* SPDX-License-Identifier: MIT */
/*
 * console_host.c - what screens and verbs may ask of the console
 */
#include "console_inside.h"
#include "tui/command/cmd.h"

static bool verb(size_t at, struct host_verb *out)
{
	for (size_t i = 0; i < cmd_all_count; i++) {
		const struct cmd *cmd = cmd_all[i];

		if ((cmd->flags & CMD_SHELL) != 0 || at-- > 0)
			continue;
		*out = (struct host_verb){.name = cmd->name, .args = cmd->args, .help = cmd->help};
		return true;
	}
	return false;
}

const struct screen_host_ops console_host_ops = {
	.outlook = console_outlook,
	.linted = console_linted,
	.foresight = console_foresight,
	.compared = console_compared,
	.foresees = console_foresees,
	.study = console_study,
	.assume_next = console_assume_next,
	.why = console_why,
	.ways = console_ways,
	.seeks_ways = console_seeks_ways,
	.headroom = console_headroom,
	.trust = console_trust,
	.seek = console_seek,
	.try_sweep = console_try_sweep,
	.try_goal = console_try_goal,
	.trial = console_trial,
	.impact = console_impact,
	.undo_now = console_undo_now,
	.turn_because = console_turn_because,
	.hindsight = console_hindsight,
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
