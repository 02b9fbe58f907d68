/* SPDX-License-Identifier: MIT */
/*
 * cmd_screen.c - verbs that act on the console
 *
 * These verbs switch screens, filter, change colors, write files, apply or discard changes, and quit. They
 * exist only in the console.
 */
#include "cmd.h"
#include "cmd_console.h"
#include "complete.h"
#include "sched/base/duration.h"
#include "tui/draw/theme.h"

static enum cmd_status refused_unless(bool ok)
{
	return ok ? CMD_DONE : CMD_REFUSED;
}

/* --- screens ------------------------------------------------------------------------------------------ */

static void complete_screens(const struct snapshot *s, const char *word, struct cmd_candidates *out)
{
	(void)s;
	for (size_t i = 0; out->ask != NULL && out->ask->screen(i) != NULL; i++)
		candidates_add(out, word, out->ask->screen(i));
}

static enum cmd_status run_screen(struct cmd_env *env, int argc, char **argv)
{
	(void)argc;
	return refused_unless(env->ask->show(env->console, argv[1], &env->err));
}

const struct cmd cmd_screen = {
	.name = "screen",
	.args = "NAME",
	.help = "Show a screen, by name or number.",
	.min = 1,
	.max = 1,
	.flags = CMD_CONSOLE,
	.run = run_screen,
	.complete = complete_screens,
};

static enum cmd_status run_messages(struct cmd_env *env, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return refused_unless(env->ask->show(env->console, "messages", &env->err));
}

const struct cmd cmd_messages = {
	.name = "messages",
	.args = "",
	.help = "Show the messages of this session.",
	.flags = CMD_CONSOLE,
	.run = run_messages,
};

static enum cmd_status run_at(struct cmd_env *env, int argc, char **argv)
{
	(void)argc;
	return refused_unless(env->ask->show_at(env->console, argv[1], &env->err));
}

const struct cmd cmd_console_at = {
	.name = "at",
	.args = "MOMENT",
	.help = "Show all screens as of a past time: 14:10, 2026-03-24T14:10, -2h, or after a journal entry. "
		"'now' returns to live.",
	.min = 1,
	.max = 1,
	.flags = CMD_CONSOLE,
	.run = run_at,
};

static enum cmd_status run_filter(struct cmd_env *env, int argc, char **argv)
{
	struct str text = {0};

	for (int i = 1; i < argc; i++)
		str_addf(&text, "%s%s", i > 1 ? " " : "", argv[i]);
	env->ask->set_filter(env->console, str_text(&text));
	str_free(&text);
	return CMD_DONE;
}

const struct cmd cmd_filter = {
	.name = "filter",
	.args = "[TERM...]",
	.help = "Show only matching rows, like the key /; without terms, show all rows. All screens that "
		"list jobs share one filter; every other screen has a separate one.",
	.max = -1,
	.flags = CMD_CONSOLE,
	.run = run_filter,
};

/* --- appearance --------------------------------------------------------------------------------------- */

struct theme_choice {
	const char *word;
	struct cmd_candidates *out;
};

static void add_theme(void *self, const char *name)
{
	const struct theme_choice *choice = self;

	candidates_add(choice->out, choice->word, name);
}

static void complete_themes(const struct snapshot *s, const char *word, struct cmd_candidates *out)
{
	struct theme_choice choice = {word, out};

	(void)s;
	theme_each(NULL, add_theme, &choice);
}

static enum cmd_status run_theme(struct cmd_env *env, int argc, char **argv)
{
	(void)argc;
	return refused_unless(env->ask->set_theme(env->console, argv[1], &env->err));
}

const struct cmd cmd_theme = {
	.name = "theme",
	.args = "NAME",
	.help = "Change the colors of the console.",
	.min = 1,
	.max = 1,
	.flags = CMD_CONSOLE,
	.run = run_theme,
	.complete = complete_themes,
};

static enum cmd_status run_dump(struct cmd_env *env, int argc, char **argv)
{
	(void)argc;
	return refused_unless(cmd_option(env, "--all")
				      ? env->ask->export_list(env->console, argv[1], &env->err)
				      : env->ask->dump(env->console, argv[1], &env->err));
}

const struct cmd cmd_dump = {
	.name = "dump",
	.args = "FILE",
	.help = "Write the screen to a text file.",
	.options =
		(const struct cmd_option[]){
			{"--all", NULL, "include all rows of the list; FILE must not exist"}, {0}},
	.min = 1,
	.max = 1,
	.flags = CMD_CONSOLE,
	.run = run_dump,
};

static enum cmd_status run_mouse(struct cmd_env *env, int argc, char **argv)
{
	bool on = str_same_word(argv[1], "on");

	(void)argc;
	if (!on && !str_same_word(argv[1], "off")) {
		err_set(&env->err, "mouse must be on or off, got '%s'", argv[1]);
		return CMD_USAGE;
	}
	env->ask->set_mouse(env->console, on);
	return CMD_DONE;
}

const struct cmd cmd_mouse = {
	.name = "mouse",
	.args = "on|off",
	.help = "Let the mouse select and scroll. Hold Shift to select text.",
	.min = 1,
	.max = 1,
	.flags = CMD_CONSOLE,
	.run = run_mouse,
};

/* --- the session -------------------------------------------------------------------------------------- */

static enum cmd_status run_speed(struct cmd_env *env, int argc, char **argv)
{
	int64_t speed;

	(void)argc;
	if (!str_read_whole(argv[1], &speed)) {
		err_set(&env->err, "simulation speed must be a whole number, got '%s'", argv[1]);
		return CMD_USAGE;
	}
	return refused_unless(env->ask->set_speed(env->console, speed, &env->err));
}

const struct cmd cmd_speed = {
	.name = "speed",
	.args = "N",
	.help = "Set the simulation speed in simulated seconds per second; 0 stops the clock.",
	.min = 1,
	.max = 1,
	.flags = CMD_CONSOLE,
	.run = run_speed,
};

static enum cmd_status run_apply(struct cmd_env *env, int argc, char **argv)
{
	const char *time = cmd_option(env, "--for");
	int64_t for_s = 0;

	(void)argc;
	(void)argv;
	if (time && !duration_parse(time, &for_s, &env->err)) {
		err_prefix(&env->err, "--for");
		return CMD_USAGE;
	}
	if (time && for_s <= 0) {
		err_set(&env->err, "--for: the duration is 0; give one such as 30m");
		return CMD_USAGE;
	}
	return refused_unless(
		env->ask->apply_for(env->console, for_s, cmd_option(env, "--reason"), &env->err));
}

const struct cmd cmd_apply = {
	.name = "apply",
	.args = "",
	.help = "Apply the action in the box, or else the draft, permanently or temporarily.",
	.options =
		(const struct cmd_option[]){
			{"--for", "DURATION", "undo the change after this time, unless it is made permanent"},
			{"--reason", "TEXT", "reason for the change, recorded in the journal"},
			{0}},
	.flags = CMD_CONSOLE,
	.run = run_apply,
};

static enum cmd_status run_discard(struct cmd_env *env, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return refused_unless(env->ask->drop_all(env->console, &env->err));
}

const struct cmd cmd_discard = {
	.name = "discard",
	.args = "",
	.help = "Dismiss the action in the box, or else discard the draft.",
	.flags = CMD_CONSOLE,
	.run = run_discard,
};

static enum cmd_status run_quit(struct cmd_env *env, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	env->ask->quit(env->console);
	return CMD_DONE;
}

static enum cmd_status run_detach(struct cmd_env *env, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return refused_unless(env->ask->detach(env->console, &env->err));
}

const struct cmd cmd_detach = {
	.name = "detach",
	.args = "",
	.help = "Quit the console. The scheduler that runs in it continues in the background.",
	.flags = CMD_CONSOLE,
	.run = run_detach,
};

const struct cmd cmd_quit = {
	.name = "quit",
	.alias = "q",
	.args = "",
	.help = "Quit the console without confirmation.",
	.flags = CMD_CONSOLE,
	.run = run_quit,
};
