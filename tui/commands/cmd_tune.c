/* SPDX-License-Identifier: MIT */
/*
 * cmd_tune.c - how is the policy changed, and is a configuration good?
 */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "complete.h"
#include "report.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/base/vec.h"
#include "sched/core/config.h"
#include "sched/core/event.h"
#include "sched/host/files.h"
#include "tui/line.h"
#include "tui/session.h"

/* --- tune ------------------------------------------------------------------------------- */

/* 0 = for good. */
static bool read_for(struct cmd_env *env, int64_t *out_s)
{
	const char *text = cmd_option(env, "--for");

	if (text == NULL)
		return true;
	if (!duration_parse(text, out_s, &env->err))
		return err_prefix(&env->err, "--for");
	return *out_s > 0 || err_set(&env->err, "--for: no time at all; write how long, such as 30m");
}

static enum cmd_status run_tune(struct cmd_env *env, int argc, char **argv)
{
	char *sign = argc == 2 ? strchr(argv[1], '=') : NULL;
	const char *text = argc == 3 ? argv[2] : sign ? sign + 1 : NULL;
	struct config_value value;
	struct str name = {0};
	struct event *ev;
	char title[CONFIG_TITLE];
	int64_t for_s = 0;

	if (!read_for(env, &for_s))
		return CMD_USAGE;
	if (!text) {
		err_set(&env->err, "tune %s: to which value? usage: tune NAME VALUE", argv[1]);
		return CMD_USAGE;
	}
	if (sign)
		*sign = '\0';
	if (!config_resolve(argv[1], text, &value, title, sizeof title, &env->err) ||
	    !config_check_live(&value, &env->err))
		return CMD_REFUSED;
	/* As the option is written, whatever way it was typed. */
	config_print_name(&value, &name);
	ev = cmd_add_event(env, EVENT_SETTING, 0);
	ev->setting.name = cmd_own(env, str_text(&name));
	ev->setting.value = cmd_own(env, config_value_text(&value));
	ev->until_s = for_s > 0 ? env->now_s + for_s : 0;
	str_free(&name);
	return CMD_DONE;
}

const struct cmd cmd_tune = {
	.name = "tune",
	.alias = "changeparam",
	.args = "NAME VALUE",
	.help = "Sets an option at once; the change is in the journal and can be undone.",
	.options = (const struct cmd_option[]){{"--for", "DURATION",
						"taken back by itself then, unless it is set again for good"},
					       {0}},
	.min = 1,
	.max = 2,
	.authority = CMD_ADMIN1,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_tune,
	.complete = complete_options,
};

/* --- lint ------------------------------------------------------------------------------- */

#define FINDINGS_MAX 200

struct lint {
	const char *file;
	size_t values;
	struct config_finding *finding;
	size_t found;
};

static void print_lint_json(const struct lint *lint, struct str *out)
{
	struct json j = {.out = out};

	json_open(&j, NULL, '{');
	json_text(&j, "file", lint->file);
	json_int(&j, "values", (int64_t)lint->values);
	json_open(&j, "findings", '[');
	for (size_t i = 0; i < lint->found; i++) {
		json_open(&j, NULL, '{');
		json_text(&j, "id", lint->finding[i].id);
		json_int_or_null(&j, "line", lint->finding[i].line, 0);
		json_text(&j, "text", lint->finding[i].text);
		json_text(&j, "severity", config_severity_name(lint->finding[i].severity));
		json_text(&j, "option", lint->finding[i].option);
		json_text(&j, "fix", lint->finding[i].fix);
		json_close(&j);
	}
	json_close(&j);
	json_close(&j);
	str_add_char(out, '\n');
}

static void print_lint(const struct lint *lint, bool ascii, struct str *out)
{
	size_t errors = 0;

	for (size_t i = 0; i < lint->found; i++) {
		const struct config_finding *f = &lint->finding[i];

		errors += f->severity == SEVERITY_ERROR;
		text_safe(out, lint->file, ascii);
		if (f->line > 0)
			str_addf(out, ":%d", f->line);
		str_addf(out, ": %s ", f->id);
		text_safe(out, f->text, ascii);
		str_add_char(out, '\n');
		if (f->fix[0] != '\0') {
			str_add(out, "    fix: ");
			text_safe(out, f->fix, ascii);
			str_add_char(out, '\n');
		}
	}
	text_safe(out, lint->file, ascii);
	str_add(out, ": can be read, ");
	report_count(out, lint->values, "value", "values");
	str_add(out, ", ");
	if (errors > 0) {
		report_count(out, errors, "error", "errors");
		str_add(out, ", ");
	}
	report_count(out, lint->found - errors, "warning", "warnings");
	str_add_char(out, '\n');
}

/* Would a scheduler take it, which also counts what all sections name together? */
static bool can_be_used(const char *file, const char *text, struct err *err)
{
	struct state *st = state_new();
	struct event ev = {.kind = EVENT_CONFIG, .config = {.file = file, .text = text}};
	bool good = event_check(st, &ev, err);

	state_free(st);
	return good;
}

static bool lint_text(struct cmd_env *env, const char *file, const char *text, size_t len)
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
	if (lint.found > FINDINGS_MAX)
		lint.found = FINDINGS_MAX;
	if (env->json)
		print_lint_json(&lint, env->out);
	else
		print_lint(&lint, env->ascii, env->out);
	free(lint.finding);
	return true;
}

static enum cmd_status print_rules(const struct cmd_env *env)
{
	static const struct report_column columns[] = {
		{"RULE", TEXT_LEFT}, {"SEVERITY", TEXT_LEFT}, {"WHAT IT FINDS", TEXT_LEFT}};
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
	char file[4096];
	bool ok;

	if (cmd_option(env, "--rules") != NULL)
		return print_rules(env);
	if (!session_config_file(named, file, sizeof file, &env->err))
		return CMD_REFUSED;
	if (file[0] == '\0') {
		err_set(&env->err,
			"there is no configuration in the usual place; name a file: kahu lint FILE");
		return CMD_REFUSED;
	}
	ok = file_read(file, OPTION_TEXT_MAX, &text, &env->err) &&
	     lint_text(env, file_name(file), str_text(&text), text.len);
	str_free(&text);
	return ok ? CMD_DONE : CMD_REFUSED;
}

const struct cmd cmd_lint = {
	.name = "lint",
	.args = "[FILE]",
	.help = "Reads a configuration without using it, and says what in it will not do what it seems to.",
	.options =
		(const struct cmd_option[]){
			{"--rules", NULL,
			 "list the rules instead: L need a state, and are asked in the console"},
			{0}},
	.max = 1,
	.run = run_lint,
};
