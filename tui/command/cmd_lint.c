/* SPDX-License-Identifier: MIT */
/*
 * cmd_lint.c - kahu lint: checks of a configuration
 *
 * Checks a configuration file, together with the programs and users of this host that it names. With --live,
 * the verb checks the configuration of the running scheduler, together with its jobs, nodes and names.
 */
#include "cmd_lint.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd.h"
#include "sched/base/vec.h"
#include "sched/forecast/plan.h"
#include "sched/host/files.h"
#include "sched/lint/lint.h"
#include "sched/rm/trusted.h"
#include "sched/state/event.h"
#include "sched/state/state.h"
#include "tui/draw/text.h"
#include "tui/report/field.h"
#include "tui/report/report.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"
#include "verbs.h"

/* --- programs and users of this host ------------------------------------------------------------------ */

/*
 * The scheduler may run as another user than lint. Therefore a program is checked by its mode and not by
 * access(), and a program in a folder that this process cannot read is assumed to be good.
 */

static enum host_state program_state(const char *path, struct err *why)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return errno == ENOENT || errno == ENOTDIR ? HOST_MISSING : HOST_GOOD;
	if (!S_ISREG(st.st_mode) || (st.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) == 0)
		return HOST_UNUSABLE;
	return trusted_program(path, why) ? HOST_GOOD : HOST_UNTRUSTED;
}

/* Tests whether a user exists. If the user database cannot be read, the user is assumed to exist. */
static enum host_state user_state(const char *name)
{
	errno = 0;
	if (getpwnam(name) != NULL)
		return HOST_GOOD;
	return errno == 0 || errno == ENOENT || errno == ESRCH ? HOST_MISSING : HOST_GOOD;
}

static enum host_state config_state(const struct err *barred, struct err *why)
{
	if (barred == NULL || barred->text[0] == '\0')
		return HOST_GOOD;
	*why = *barred;
	return HOST_UNTRUSTED;
}

enum host_state lint_ask_host(void *self, enum host_thing thing, const char *name, struct err *why)
{
	switch (thing) {
	case HOST_PROGRAM:
		return program_state(name, why);
	case HOST_CONFIG:
		return config_state(self, why);
	case HOST_USER:
		break;
	}
	return user_state(name);
}

/* --- the verb ----------------------------------------------------------------------------------------- */

#define FINDINGS_MAX 200

struct lint {
	const char *file;
	bool in_force; /* the configuration of a scheduler is checked, not a file */
	size_t values;
	struct config_finding *finding;
	size_t found;
};

static bool get_severity(const void *item, struct value *out)
{
	out->text = config_severity_name(((const struct config_finding *)item)->severity);
	return true;
}

static const struct field finding_fields[] = {
	{"id", NULL, FIELD_TEXT, FIELD_AT(struct config_finding, id)},
	{"line", NULL, FIELD_COUNT, FIELD_OR_NULL(struct config_finding, line, 0)},
	{"text", NULL, FIELD_TEXT, FIELD_AT(struct config_finding, text)},
	{"severity", NULL, FIELD_TEXT, .get = get_severity},
	{"option", NULL, FIELD_TEXT, FIELD_AT(struct config_finding, option)},
	{"fix", NULL, FIELD_TEXT, FIELD_AT(struct config_finding, fix)},
	{0}};

static void each_finding(const void *item, field_visit *visit, void *self)
{
	const struct lint *lint = item;

	for (size_t i = 0; i < lint->found; i++)
		visit(self, &lint->finding[i]);
}

static const struct field lint_fields[] = {
	{"file", NULL, FIELD_TEXT, FIELD_AT(struct lint, file)},
	{"values", NULL, FIELD_COUNT, FIELD_AT(struct lint, values)},
	{"findings", NULL, FIELD_LIST, .of = finding_fields, .each = each_finding},
	{0}};

static size_t count_of(const struct lint *lint, enum config_severity severity)
{
	size_t count = 0;

	for (size_t i = 0; i < lint->found; i++)
		count += lint->finding[i].severity == severity;
	return count;
}

/* Prints the number of values and findings. Errors and notes are mentioned only if there are any. */
static void print_counts(const struct lint *lint, struct str *out)
{
	size_t errors = count_of(lint, SEVERITY_ERROR), notes = count_of(lint, SEVERITY_NOTE);

	str_add(out, lint->in_force ? ": in force, " : ": can be read, ");
	report_count(out, lint->values, "value", "values");
	str_add(out, ", ");
	if (errors > 0) {
		report_count(out, errors, "error", "errors");
		str_add(out, ", ");
	}
	report_count(out, count_of(lint, SEVERITY_WARNING), "warning", "warnings");
	if (notes > 0) {
		str_add(out, ", ");
		report_count(out, notes, "note", "notes");
	}
	str_add_char(out, '\n');
}

static void print_finding(const char *file, const struct config_finding *f, bool ascii, struct str *out)
{
	text_safe(out, file, ascii);
	if (f->line > 0)
		str_addf(out, ":%d", f->line);
	str_addf(out, ": %s ", f->id);
	text_safe(out, f->text, ascii);
	str_add_char(out, '\n');
	if (f->fix[0] == '\0')
		return;
	str_add(out, "    fix: ");
	text_safe(out, f->fix, ascii);
	str_add_char(out, '\n');
}

static void print_lint(const struct lint *lint, bool ascii, struct str *out)
{
	for (size_t i = 0; i < lint->found; i++)
		print_finding(lint->file, &lint->finding[i], ascii, out);
	text_safe(out, lint->file, ascii);
	print_counts(lint, out);
}

/*
 * Tests whether a scheduler would accept the configuration, including the total number of names in it.
 * Returns false with err set if not.
 */
static bool can_be_used(const char *file, const char *text, struct err *err)
{
	struct state *st = state_new();
	struct event ev = {.kind = EVENT_CONFIG, .config = {.file = file, .text = text}};
	bool good = event_check(st, &ev, err);

	state_free(st);
	return good;
}

static void print_findings(struct cmd_env *env, const struct lint *lint)
{
	if (env->json)
		fields_document(env->out, lint_fields, 0, lint);
	else
		print_lint(lint, env->ascii, env->out);
	env->exit_status = count_of(lint, SEVERITY_ERROR) > 0 ? CMD_REFUSED : CMD_DONE;
}

static bool lint_text(struct cmd_env *env, const char *file, const char *text, size_t len, struct err *barred)
{
	struct config_list list = {0};
	struct lint lint = {.file = file};

	if (!config_list_read(file, text, len, &list, &env->err))
		return false;
	lint.values = list.count;
	config_list_free(&list);
	if (!can_be_used(file, text, &env->err))
		return false;
	lint.finding = mem_alloc(FINDINGS_MAX * sizeof *lint.finding);
	lint.found = config_lint(file, text, len, lint.finding, FINDINGS_MAX);
	if (lint.found < FINDINGS_MAX)
		lint.found += config_lint_host(file, text, len, lint_ask_host, barred,
					       lint.finding + lint.found, FINDINGS_MAX - lint.found);
	if (lint.found > FINDINGS_MAX)
		lint.found = FINDINGS_MAX;
	print_findings(env, &lint);
	free(lint.finding);
	return true;
}

/* Checks the configuration of the scheduler against its jobs, nodes and names. */
static enum cmd_status lint_in_force(struct cmd_env *env)
{
	enum cmd_status status = env->s == NULL && env->open ? env->open(env, &cmd_lint) : CMD_DONE;
	struct lint_list found = {0};
	struct plan plan = {0};

	if (status != CMD_DONE || env->s == NULL)
		return status;
	plan_build(&plan, env->s, env->now_s);
	lint_state(&found, env->s, &plan);
	print_findings(env, &(struct lint){.file = snapshot_string(env->s, env->s->config_file),
					   .in_force = true,
					   .values = snapshot_count(env->s, TABLE_VALUES),
					   .finding = found.item,
					   .found = found.count});
	lint_free(&found);
	plan_clear(&plan);
	return CMD_DONE;
}

static enum cmd_status print_rules(const struct cmd_env *env)
{
	static const struct report_column columns[] = {
		{"RULE", TEXT_LEFT}, {"SEVERITY", TEXT_LEFT}, {"DESCRIPTION", TEXT_LEFT}};
	struct report r = {.column = columns, .columns = 3};

	for (size_t i = 0; i < config_rule_count; i++) {
		report_cell(&r, config_rules[i].id);
		report_cell(&r, config_severity_name(config_rules[i].severity));
		report_cell(&r, config_rules[i].says);
	}
	report_print(&r, 0, env->ascii, env->out);
	report_free(&r);
	return CMD_DONE;
}

static enum cmd_status run_lint(struct cmd_env *env, int argc, char **argv)
{
	const char *named = argc > 1 ? argv[1] : env->shell ? env->shell->config : NULL;
	struct str text = {0};
	struct err barred;
	char file[4096];
	bool ok;

	if (cmd_option(env, "--rules") != NULL)
		return print_rules(env);
	if (cmd_option(env, "--live") != NULL)
		return lint_in_force(env);
	if (!session_config_file(named, file, sizeof file, &env->err))
		return CMD_REFUSED;
	if (file[0] == '\0') {
		err_set(&env->err, "no configuration file at the default path; name one (kahu lint FILE), or "
				   "check the running configuration (kahu lint --live)");
		return CMD_REFUSED;
	}
	ok = file_read_config(file, &text, &barred, &env->err) &&
	     lint_text(env, file_name(file), str_text(&text), text.len, &barred);
	str_free(&text);
	return ok ? CMD_DONE : CMD_REFUSED;
}

const struct cmd cmd_lint = {
	.name = "lint",
	.args = "[FILE]",
	.help = "Check a configuration for errors and for settings that do not have the effect they suggest. "
		"Programs and credentials are looked up on this host. The exit status is 1 when there are "
		"errors.",
	.options =
		(const struct cmd_option[]){
			{"--live", NULL,
			 "check the options of the running scheduler with its jobs and nodes instead"},
			{"--rules", NULL, "list the rules; L rules apply with --live, H rules to a FILE"},
			{0}},
	.max = 1,
	.run = run_lint,
};
