/* SPDX-License-Identifier: MIT */
/*
 * cmd_help.c - kahu help and version: help and manual pages
 *
 * Printed from the command table, so that help, usage lines and manual pages match the program.
 */
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "complete.h"
#include "sched/base/json.h"
#include "sched/config/config.h"
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
	str_add(out, "\nExit status: 0 done, 1 refused, 2 wrong usage, 3 the system failed.\n");
}

/* --- manual pages ------------------------------------------------------------------------------------- */

/*
 * tui/doc/ has the output of these functions. A test compares them, so 'kahu help --man' must be run again
 * when a row changes.
 */

/* Escapes text for roff. */
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

/* The list as it is printed, without filling. */
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

/* kahu(1): verbs and options; kahu.conf(5): every option of the configuration. In man(7) macros. */
static void print_man_program(const struct cmd_table *verbs, struct str *out)
{
	struct str options = {0};

	add_head(out, "kahu", "1", "job scheduler with a full-screen console");
	str_add(out,
		".SH SYNOPSIS\n.B kahu\n[\\fIOPTION\\fR]... [\\fIVERB\\fR [\\fIWORD\\fR]...]\n"
		".SH DESCRIPTION\nWithout a verb, opens the console on the store. A verb prints a report or"
		" changes something and ends.\nDurations are written [[[DD:]HH:]MM:]SS or 90s, 15m, 2h, 3d;"
		" moments 16:30, 2026\\-03\\-24T16:30 or +2:00:00. What is shown and what is typed is local "
		"time (TZ), in"
		" every report and on every screen; JSON output and scripts use seconds since 1970.\n"
		".SH OPTIONS\nBefore or after the verb, up to \\-\\-:\n.nf\n");
	cmd_print_global_options(&options);
	add_text(out, str_text(&options));
	str_free(&options);
	str_add(out, ".fi\n.SH VERBS\n");
	add_verbs(out, verbs, false);
	str_add(out, ".SH IN THE CONSOLE\nThe verbs above work after ':' too, and:\n");
	add_verbs(out, verbs, true);
	str_add(out,
		".SH CHANGES IN THE CONSOLE\nA key or command that acts on jobs opens a box with the effect "
		"of the act. The box has all keys until it is answered: Enter applies the act, Esc drops it, "
		"d adds it to the draft. H Enter is a user hold; s and b in the box make it a system or a "
		"batch hold. + and - pressed again add up. An act that ends jobs asks once more; the default "
		"is No. A change that was found, by 'why', by a sweep or by a solution, opens in the box as "
		"well: Enter on its line previews it.\n.PP\nSettings, and everything on the What\\-if "
		"screen, are edits of the draft. "
		"While a "
		"draft is open a bar on every screen lists its edits and their effect; A applies all of them "
		"or "
		"none, D discards them. Every new edit joins the draft; an edit of the same setting or "
		"attribute replaces the earlier one. Enter, moving and other screens never apply or change "
		"a draft, and an act in the box is applied without it.\n.PP\nEsc cancels what is typed or "
		"asked, closes a pane, or clears the filter; q goes back. u undoes the last act of the "
		"person at "
		"the console. When only acts of others are left, the box names who did what and when.\n");
	str_add(out,
		".SH FILTERS\nThe key / takes words, all of which must hold. A word is found in any field, "
		"with ! "
		"in none; with one of ^ $ . * + ? [ ] ( ) | it is an extended regular expression. "
		"user=eva compares a field as a whole, with * and ?; user=eva,bob is one of a list, "
		"user!=eva "
		"none of it, user=^e or user~e a regular expression in the field. procs>8, walltime<=2h, < "
		"and "
		">= compare numbers and durations. Jobs have the fields job, name, user, group, account, "
		"qos, "
		"class, state, limit, procs, walltime, queued and priority. An unknown field or an invalid "
		"pattern is reported while it is typed. Help can be filtered, too; F3, n and N search lists "
		"and "
		"texts.\n");
	str_add(out, ".PP\nThe key = says where the numbers of the row under the cursor come from: each as an"
		     " expression that gives what is shown, down to what was measured and to the line of the"
		     " configuration or the entry of the journal that set a weight, a target or a limit."
		     " Words are names and units, [ ] hold remarks, least( ) is a cap and most( ) a floor;"
		     " durations are seconds. = again goes on to what does not fit.\n");
	str_add(out, ".PP\nAll screens show the estimated start of the projection, which is kept up to date "
		     "beside the "
		     "keys. ~ marks a start of the instant plan, until the projection has reached the job; > "
		     "marks a start "
		     "that is expected later than the job's reservation, whose page names both. A job that "
		     "the projection "
		     "does not start has no date.\n");
	str_add(out,
		".SH THE PAST\nReports take \\-\\-at MOMENT: 14:10 (the last one), 2026\\-03\\-24T14:10, "
		"\\-2h, or the number of a journal entry, after which it was so. What lies before the "
		"first entry kept is refused.\nIn the console [ and ] go to the entry before and after, ( "
		"and ) an hour back and on, on every screen, and { and } ten entries where a slider does not "
		"have them; the title says which moment all screens show then. On the Journal screen Enter "
		"shows the queue after the entry under the cursor; c compares that moment with now; L "
		"goes back to now. Nothing can be changed meanwhile.\n");
	str_add(out, ".SH EXIT STATUS\n0 done; 1 refused; 2 wrong usage; 3 the system failed.\n"
		     ".SH ENVIRONMENT\nKAHU_STORE, KAHU_CONF: as \\-\\-store and \\-\\-config. KAHU_RUN: "
		     "where the socket is. NO_COLOR: no"
		     " colours.\n.SH FILES\n/var/lib/kahu, /etc/kahu/kahu.conf for root, below the prefix of "
		     "configure;\n"
		     "$XDG_STATE_HOME/kahu, $XDG_CONFIG_HOME/kahu/kahu.conf for others.\n"
		     ".SH SEE ALSO\n.BR kahu.conf (5),\n.BR kahu\\-jobs (7),\n.BR kahu\\-security (7),\n.BR "
		     "kahu\\-maui (7)\n");
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
	str_add(out, ".SH DESCRIPTION\n"
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
		     "without it. If localnodeallocation cannot be run, nodes are chosen as by minresource. "
		     "'kahu lint' and the log of the scheduler name the file and the reason.\n.SH OPTIONS\n");
	for (size_t i = 0; i < config_row_count; i++) {
		if (strcmp(config_rows[i].scope, scope) != 0) {
			scope = config_rows[i].scope;
			str_addf(out, ".SH \"IN A %s SECTION\"\n", option_section_name(scope));
		}
		add_row(out, &config_rows[i]);
	}
	str_add(out, ".SH \"LINT RULES\"\nEach finding of 'kahu lint' has a rule. Rules with an L also check "
		     "jobs and nodes; they are checked in the console.\n");
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
	.help = "Print the version.",
	.run = run_version,
};
