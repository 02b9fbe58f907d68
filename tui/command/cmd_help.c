/* SPDX-License-Identifier: MIT */
/*
 * cmd_help.c - kahu help and version: help and manual pages
 *
 * Help, usage lines and manual pages are printed from the command table, so that they match the program.
 */
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "complete.h"
#include "sched/lint/finding.h"
#include "tui/report/field.h"
#include "tui/serve/shell.h"

struct str;

/* --- help --------------------------------------------------------------------------------------------- */

#define VERB_WIDTH 26

static void print_verbs(const struct cmd_table *verbs, bool console, struct str *out)
{
	struct str name = {0};

	for (size_t i = 0; i < verbs->count; i++) {
		const struct cmd *cmd = verbs->item[i];

		if (((cmd->flags & CMD_CONSOLE) != 0) != console)
			continue;
		str_clear(&name);
		str_addf(&name, "%s%s%s", cmd->name, cmd->args[0] ? " " : "", cmd->args);
		cmd_print_entry(str_text(&name), VERB_WIDTH, cmd->help, out);
	}
	str_free(&name);
}

static void print_all(const struct cmd_table *verbs, struct str *out)
{
	str_add(out, "usage: kahu [OPTION]... [VERB [WORD]...]\n\n"
		     "Without a verb, opens the console on the store. 'kahu demo' opens it on a\n"
		     "simulated cluster.\n\nVerbs ('kahu help VERB' shows the options of a verb):\n");
	print_verbs(verbs, false, out);
	str_add(out, "\nGlobal options, before or after the verb, up to '--':\n");
	cmd_print_global_options(out);
	str_add(out, "\n"
		     "Exit status: 0 success, 1 refused, 2 usage error, 3 system error.\n");
}

/* --- manual pages ------------------------------------------------------------------------------------- */

/*
 * tui/doc/ contains the output of these functions; a test compares them. After changing a verb, an option or
 * a lint rule, write the pages again with 'kahu help --man' and '--man-conf'.
 */

/* Appends text, escaped for roff. */
static void add_text(struct str *out, const char *text)
{
	if (text[0] == '.' || text[0] == '\'')
		str_add(out, "\\&");
	for (; *text; text++) {
		if (*text == '\\')
			str_add(out, "\\e");
		else if (*text == '-')
			str_add(out, "\\-");
		else
			str_add_char(out, *text);
	}
}

static void add_line(struct str *out, const char *text)
{
	add_text(out, text);
	str_add_char(out, '\n');
}

static void add_head(struct str *out, const char *name, const char *section, const char *what)
{
	str_addf(out, ".TH %s %s \"\" \"kahu " KAHU_VERSION "\"\n.SH NAME\n%s \\- %s\n", name, section, name,
		 what);
}

static void add_option(struct str *out, const struct cmd_option *o)
{
	str_add(out, ".TP\n.B ");
	add_text(out, o->name);
	if (o->value) {
		str_add_char(out, ' ');
		add_text(out, o->value);
	}
	str_add_char(out, '\n');
	add_line(out, o->help);
}

/* Appends the list of options that `list` prints, with its line breaks. */
static void add_list(struct str *out, void (*list)(struct str *out))
{
	struct str text = {0};

	list(&text);
	str_add(out, ".nf\n");
	add_text(out, str_text(&text));
	str_add(out, ".fi\n");
	str_free(&text);
}

static void add_verb(struct str *out, const struct cmd *cmd)
{
	str_addf(out, ".SS \"%s%s%s\"\n", cmd->name, cmd->args[0] ? " " : "", cmd->args);
	add_line(out, cmd->help);
	if (cmd->alias) {
		str_add(out, "Also called ");
		add_text(out, cmd->alias);
		str_add(out, ".\n");
	}
	for (const struct cmd_option *o = cmd->options; o && o->name; o++)
		add_option(out, o);
	for (size_t i = 0; cmd_shared_option(cmd, i); i++)
		add_option(out, cmd_shared_option(cmd, i));
	if (cmd->list)
		add_list(out, cmd->list);
}

static void add_verbs(struct str *out, const struct cmd_table *verbs, bool console)
{
	for (size_t i = 0; i < verbs->count; i++)
		if (((verbs->item[i]->flags & CMD_CONSOLE) != 0) == console)
			add_verb(out, verbs->item[i]);
}

/* Prints kahu(1), with all verbs and options, in man(7) macros. */
static void print_man_program(const struct cmd_table *verbs, struct str *out)
{
	struct str options = {0};

	add_head(out, "kahu", "1", "job scheduler with a full-screen console");
	str_add(out, ".SH SYNOPSIS\n"
		     ".B kahu\n"
		     "[\\fIOPTION\\fR]... [\\fIVERB\\fR [\\fIWORD\\fR]...]\n"
		     ".SH DESCRIPTION\n"
		     "Without a verb, opens the console on the store. A verb prints a report or makes a "
		     "change, and exits.\n"
		     "Durations are written [[[DD:]HH:]MM:]SS or 90s, 15m, 2h, 3d; times 16:30, "
		     "2026\\-03\\-24T16:30 or +2:00:00. Times are entered and shown in local time (TZ); JSON "
		     "output and scripts use seconds since 1970.\n"
		     ".SH OPTIONS\n"
		     "Before or after the verb, up to \\-\\-:\n"
		     ".nf\n");
	cmd_print_global_options(&options);
	add_text(out, str_text(&options));
	str_free(&options);
	str_add(out, ".fi\n.SH VERBS\n");
	add_verbs(out, verbs, false);
	str_add(out, ".SH IN THE CONSOLE\n"
		     "The verbs above can also be entered after ':'. These verbs are available only in the "
		     "console:\n");
	add_verbs(out, verbs, true);
	str_add(out,
		".SH CHANGES IN THE CONSOLE\n"
		"A key or command that acts on jobs opens a box that shows the effect of the action. The box "
		"receives all keys until it is answered: Enter applies the action, Esc dismisses it, d adds "
		"it to the draft. H Enter places a user hold; in the box, s and b change it to a system or a "
		"batch hold. Repeated presses of + and - add up. An action that ends jobs asks for "
		"confirmation; the default is No. A change suggested by 'why', a sweep or a search opens in "
		"the box as well: press Enter on its line to preview it.\n"
		".PP\n"
		"Changes of settings, and all changes on the What\\-if screen, are edits of the draft. While "
		"a draft is open, a bar on every screen lists its edits and their effect; A applies all of "
		"them or none, D discards them. Every new edit is added to the draft; an edit of the same "
		"setting or attribute replaces the earlier one. Enter, movement keys and other screens never "
		"apply or change a draft, and an action in the box is applied without the draft.\n"
		".PP\n"
		"Esc cancels a prompt or question, closes a pane, or clears the filter; q returns to the "
		"previous screen. u undoes the last change of the user at the console. If only changes of "
		"other users are left, the box shows the user, the change and the time.\n");
	str_add(out, ".SH FILTERS\n"
		     "The key / takes one or more terms; a row is shown if all of them match. A plain word "
		     "matches if any field contains it, and with a leading ! if no field does; a word that "
		     "contains one of ^ $ . * + ? [ ] ( ) | is an extended regular expression. user=eva "
		     "matches a whole field, with the wildcards * and ?; user=eva,bob matches any value of a "
		     "list, user!=eva all other values, and user=^e or user~e a regular expression in that "
		     "field. procs>8 and walltime<=2h, also with < and >=, compare numbers and durations. "
		     "Jobs have the fields job, name, user, group, account, qos, class, state, limit, procs, "
		     "walltime, queued and priority. Unknown fields and invalid patterns are reported during "
		     "input. The help screen can be filtered as well; F3, n and N search lists and texts.\n");
	str_add(out, ".PP\n"
		     "The key = shows how the numbers of the row under the cursor are computed: each as an "
		     "expression of measured values and of weights, targets and limits, with the line of the "
		     "configuration or the journal entry that set them. Words are names and units, [ ] "
		     "contain remarks, least( ) is a cap and most( ) a floor; durations are in seconds. "
		     "Press = again to show the rest if it does not fit.\n");
	str_add(out, ".PP\n"
		     "All screens show the estimated start from the projection, which is updated in the "
		     "background. ~ marks a start from the instant plan, shown until the projection has "
		     "reached the job; > marks an estimated start later than the job's reservation; the job "
		     "page shows both. A job that does not start in the projection has no date.\n");
	str_add(out, ".SH THE PAST\n"
		     "Reports take \\-\\-at TIME: 14:10 (the most recent one), 2026\\-03\\-24T14:10, \\-2h, "
		     "or the number of a journal entry, to report the state after it. Times before the first "
		     "entry of the journal are refused.\n"
		     "On every screen of the console, [ and ] go to the previous and the next entry, and ( "
		     "and ) one hour back and forward. { and } go ten entries back and forward, except on "
		     "screens with sliders. The title shows the time of the past state. On the Journal "
		     "screen, Enter shows the queue after the entry under the cursor, and c compares that "
		     "state with the present. L returns to live. A past state cannot be changed.\n");
	str_add(out, ".SH EXIT STATUS\n"
		     "0 success; 1 refused; 2 usage error; 3 system error.\n"
		     ".SH ENVIRONMENT\n"
		     "KAHU_STORE, KAHU_CONF: defaults for \\-\\-store and \\-\\-config. KAHU_RUN: directory "
		     "of the socket. NO_COLOR: do not use colors.\n"
		     ".SH FILES\n"
		     "/var/lib/kahu, /etc/kahu/kahu.conf for root, below the prefix of configure;\n"
		     "$XDG_STATE_HOME/kahu, $XDG_CONFIG_HOME/kahu/kahu.conf for others.\n"
		     ".SH SEE ALSO\n"
		     ".BR kahu.conf (5),\n"
		     ".BR kahu\\-jobs (7),\n"
		     ".BR kahu\\-security (7),\n"
		     ".BR kahu\\-maui (7)\n");
}

static void add_row(struct str *out, const struct option *row)
{
	str_addf(out, ".TP\n.B %s\n", row->name);
	add_line(out, row->help);
	str_add(out, "Takes ");
	option_print_legal(row, out);
	if (row->fallback)
		str_addf(out, "; default %s", row->fallback[0] ? row->fallback : "\"\"");
	if (row->unit[0])
		str_addf(out, " (%s)", row->unit);
	str_add(out, ".\n");
}

static void print_man_config(struct str *out)
{
	const char *scope = "";

	add_head(out, "kahu.conf", "5", "configuration of the scheduler");
	str_add(out,
		".SH DESCRIPTION\n"
		"The file consists of lines NAME = VALUE and sections KIND NAME { ... }. Comments begin "
		"with #.\n"
		"Run 'kahu lint FILE' to check a file for errors and for settings without effect.\n.PP\n"
		"A section named DEFAULT applies to all credentials of its kind, option by option. It "
		"is used if a credential has no section, or if its section does not set the option. A "
		"priority of 0 counts as not set. Of qos DEFAULT, only the limits apply to other QOS. "
		"An fstarget of DEFAULT that is a cap applies to no credential.\n.PP\n"
		"The programs of a configuration (prolog, epilog, localnodeallocation, notifyprogram, "
		"mailprogram) are run only if no other user can change them. The file, the symbolic "
		"links to it and all folders above it must belong to root or to the user who runs Kahu, "
		"and neither group nor others may have write permission. A folder with the sticky bit, "
		"such as /tmp, is exempt if the next component of the path exists. None of the programs "
		"is run if the configuration file belongs to another user, or if others can write to "
		"it. If the prolog cannot be run, no job starts. If the epilog cannot be run, jobs end "
		"without it. If localnodeallocation cannot be run, nodes are allocated as with minresource. "
		"'kahu lint' and the log of the scheduler name the file and the reason.\n.SH OPTIONS\n");
	for (size_t i = 0; i < config_row_count; i++) {
		if (strcmp(config_rows[i].scope, scope) != 0) {
			scope = config_rows[i].scope;
			str_addf(out, ".SH \"IN A %s SECTION\"\n", option_section_name(scope));
		}
		add_row(out, &config_rows[i]);
	}
	str_add(out,
		".SH \"LINT RULES\"\nEach finding of 'kahu lint' has a rule. L rules also check jobs and "
		"nodes; they apply with 'kahu lint --live' and in the console.\n");
	for (size_t i = 0; i < config_rule_count; i++)
		str_addf(out, ".TP\n.B %s\n%s (%s)\n", config_rules[i].id, config_rules[i].says,
			 config_severity_name(config_rules[i].severity));
	str_add(out, ".SH SEE ALSO\n.BR kahu (1),\n.BR kahu\\-jobs (7),\n.BR kahu\\-maui (7)\n");
}

static enum cmd_status run_help(struct cmd_env *env, int argc, char **argv)
{
	const struct cmd *cmd;

	if (cmd_option(env, "--man")) {
		print_man_program(env->verbs, env->out);
		return CMD_DONE;
	}
	if (cmd_option(env, "--man-conf")) {
		print_man_config(env->out);
		return CMD_DONE;
	}
	if (argc == 1) {
		print_all(env->verbs, env->out);
		if (env->console) {
			str_add(env->out, "\nOnly in the console:\n");
			print_verbs(env->verbs, true, env->out);
		}
		return CMD_DONE;
	}
	cmd = cmd_find(env->verbs, argv[1], &env->err);
	if (!cmd)
		return CMD_USAGE;
	cmd_print_usage(cmd, env->out);
	return CMD_DONE;
}

const struct cmd cmd_help = {
	.name = "help",
	.args = "[VERB]",
	.help = "List commands, or show help for one.",
	.options =
		(const struct cmd_option[]){
			{"--man", NULL, "print the manual page kahu(1)"},
			{"--man-conf", NULL, "print the manual page kahu.conf(5)"},
			{0},
		},
	.max = 1,
	.run = run_help,
	.complete = complete_verbs,
};

static bool get_version(const void *item, struct value *out)
{
	out->text = item;
	return true;
}

static const struct field version_fields[] = {{"version", NULL, FIELD_TEXT, .get = get_version}, {0}};

static enum cmd_status run_version(struct cmd_env *env, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	if (env->json)
		fields_document(env->out, version_fields, 0, KAHU_VERSION);
	else
		str_add(env->out, "kahu " KAHU_VERSION "\n");
	return CMD_DONE;
}

const struct cmd cmd_version = {
	.name = "version",
	.args = "",
	.help = "Print the version.",
	.run = run_version,
};
