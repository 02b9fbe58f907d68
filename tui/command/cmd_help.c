/* SPDX-License-Identifier: MIT */
/*
 * cmd_help.c - what can be said to the program, and how?
 *
 * Printed from the command table, so that help, usage lines and the man page cannot
 * disagree with what runs.
 */
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "complete.h"
#include "line.h"
#include "man.h"
#include "sched/base/json.h"
#include "tui/serve/shell.h"

#define HELP_WIDTH   79
#define OPTION_WIDTH 18
#define VERB_WIDTH   26

/* Appends words from column `indent` on, where the line stands, broken at blanks to fit a narrow terminal. */
static void add_wrapped(const char *text, int indent, struct str *out)
{
	int column = indent;

	while (*text) {
		int len = (int)strcspn(text, " ");

		if (column + len > HELP_WIDTH && column > indent) {
			str_addf(out, "\n%*s", indent, "");
			column = indent;
		}
		str_addf(out, "%s%.*s", column > indent ? " " : "", len, text);
		column += len + 1;
		text += len;
		text += strspn(text, " ");
	}
	str_add_char(out, '\n');
}

void cmd_print_entry(const char *name, int width, const char *text, struct str *out)
{
	str_addf(out, "  %-*s", width, name);
	if (strlen(name) > (size_t)width)
		str_addf(out, "\n%*s", width + 4, "");
	else
		str_add(out, "  ");
	add_wrapped(text, width + 4, out);
}

static void print_option(const struct cmd_option *o, struct str *out)
{
	char name[40];

	snprintf(name, sizeof name, "%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
	cmd_print_entry(name, OPTION_WIDTH, o->help, out);
}

void cmd_print_usage(const struct cmd *cmd, struct str *out)
{
	bool options = cmd->options || cmd_shared_option(cmd, 0);

	str_addf(out, "usage: %s%s%s%s%s\n", cmd->flags & CMD_CONSOLE ? ":" : "kahu ", cmd->name,
		 options ? " [OPTION]..." : "", cmd->args[0] ? " " : "", cmd->args);
	add_wrapped(cmd->help, 0, out);
	if (cmd->alias)
		str_addf(out, "Also called: %s\n", cmd->alias);
	if (options)
		str_add(out, "\n");
	for (const struct cmd_option *o = cmd->options; o && o->name; o++)
		print_option(o, out);
	for (size_t i = 0; cmd_shared_option(cmd, i); i++)
		print_option(cmd_shared_option(cmd, i), out);
	if (cmd->list)
		cmd->list(out);
}

static void print_verbs(bool console, struct str *out)
{
	struct str name = {0};

	for (size_t i = 0; i < cmd_all_count; i++) {
		const struct cmd *cmd = cmd_all[i];

		if (((cmd->flags & CMD_CONSOLE) != 0) != console)
			continue;
		str_clear(&name);
		str_addf(&name, "%s%s%s", cmd->name, cmd->args[0] ? " " : "", cmd->args);
		cmd_print_entry(str_text(&name), VERB_WIDTH, cmd->help, out);
	}
	str_free(&name);
}

static void print_all(struct str *out)
{
	str_add(out, "usage: kahu [OPTION]... [VERB [WORD]...]\n\n"
		     "Without a verb: the console on the store. 'kahu demo' shows it on a simulated\n"
		     "cluster.\n\nVerbs ('kahu help VERB' tells more):\n");
	print_verbs(false, out);
	str_add(out, "\nOptions of every verb, before or after it, up to '--':\n");
	line_print_options(out);
	str_add(out, "\nExit status: 0 done, 1 refused, 2 wrong usage, 3 the system failed.\n");
}

static enum cmd_status run_help(struct cmd_env *env, int argc, char **argv)
{
	const struct cmd *cmd;

	if (cmd_option(env, "--man")) {
		man_print_program(env->out);
		return CMD_DONE;
	}
	if (cmd_option(env, "--man-conf")) {
		man_print_config(env->out);
		return CMD_DONE;
	}
	if (argc == 1) {
		print_all(env->out);
		if (env->console) {
			str_add(env->out, "\nOnly in the console:\n");
			print_verbs(true, env->out);
		}
		return CMD_DONE;
	}
	cmd = cmd_find(argv[1], &env->err);
	if (!cmd)
		return CMD_USAGE;
	cmd_print_usage(cmd, env->out);
	return CMD_DONE;
}

const struct cmd cmd_help = {
	.name = "help",
	.args = "[VERB]",
	.help = "What can be said to the program, or how a verb is used.",
	.options =
		(const struct cmd_option[]){
			{"--man", NULL, "the manual page kahu(1), made from the same table"},
			{"--man-conf", NULL, "the manual page kahu.conf(5), made from the options"},
			{0},
		},
	.max = 1,
	.run = run_help,
	.complete = complete_verbs,
};

static enum cmd_status run_version(struct cmd_env *env, int argc, char **argv)
{
	struct json j = {.out = env->out};

	(void)argc;
	(void)argv;
	if (!env->json) {
		str_add(env->out, "kahu " KAHU_VERSION "\n");
		return CMD_DONE;
	}
	json_open(&j, NULL, '{');
	json_text(&j, "version", KAHU_VERSION);
	json_close(&j);
	str_add_char(env->out, '\n');
	return CMD_DONE;
}

const struct cmd cmd_version = {
	.name = "version",
	.args = "",
	.help = "Which Kahu this is.",
	.run = run_version,
};
