/* SPDX-License-Identifier: MIT */
/*
 * cmd_limits.c - kahu limits: throttling limits, current usage and blocked jobs
 *
 * One row for each limit and each credential, or pair of credentials, that it counts; limits that block most
 * jobs come first. Then the limits on a single job, with the largest job.
 */
#include <inttypes.h>

#include "cmd.h"
#include "sched/base/json.h"
#include "tui/report/limit_report.h"
#include "tui/report/report.h"
#include "tui/serve/allowance.h"
#include "tui/serve/caller.h"

static void json_row(struct json *j, const struct snapshot *s, const struct limit_row *row)
{
	bool paired = row->second_type != CRED_TYPE_COUNT;
	struct str name = {0};

	limit_row_add_name(s, row, &name);
	json_open(j, NULL, '{');
	json_text(j, "type", limit_row_owner_type(s, row));
	json_text(j, "name", limit_row_owner(s, row));
	json_text(j, "limit", limit_name((enum limit_scope)row->scope, (enum limit_kind)row->kind));
	json_text(j, "label", str_text(&name));
	json_text(j, "second_type", paired ? cred_type_name((enum cred_type)row->second_type) : NULL);
	json_text(j, "second",
		  paired && row->second != INDEX_NONE
			  ? snapshot_string(s, snapshot_creds(s)[row->second].name)
			  : NULL);
	json_bool(j, "per_job", limit_row_is_per_job(row));
	json_bool(j, "override", limit_row_is_override(row));
	json_int(j, "in_use", row->used);
	json_int_or_null(j, "soft", row->soft, LIMIT_UNLIMITED);
	json_int_or_null(j, "hard", row->hard, LIMIT_UNLIMITED);
	json_real(j, "percent", limit_row_percent(row));
	json_int(j, "holds_back", row->holds_back);
	json_close(j);
	str_free(&name);
}

static void print_json(const struct limit_list *l, struct str *out)
{
	struct json j = {.out = out};

	json_open(&j, NULL, '{');
	json_int(&j, "now", l->now_s);
	json_open(&j, "limits", '[');
	for (size_t i = 0; i < l->count; i++)
		json_row(&j, l->s, &l->row[i]);
	json_close(&j);
	json_close(&j);
	str_add_char(out, '\n');
}

static void amount_cell(struct report *r, int64_t amount)
{
	if (amount == LIMIT_UNLIMITED)
		report_cell(r, "-");
	else
		report_cellf(r, "%" PRId64, amount);
}

static void text_row(struct report *r, const struct snapshot *s, const struct limit_row *row)
{
	const char *owner = limit_row_owner(s, row);
	struct str name = {0};

	limit_row_add_name(s, row, &name);
	report_cellf(r, "%s%s%s", limit_row_owner_type(s, row), owner ? " " : "", owner ? owner : "");
	report_cellf(r, "%s%s", str_text(&name),
		     row->scope == LIMIT_CLASS    ? " a job"
		     : limit_row_is_override(row) ? " (override)"
						  : "");
	amount_cell(r, row->used);
	amount_cell(r, row->soft);
	amount_cell(r, row->hard);
	report_cellf(r, "%.0f%%", limit_row_percent(row));
	report_cellf(r, "%" PRIu32, row->holds_back);
	str_free(&name);
}

static void print_text(const struct limit_list *l, bool ascii, struct str *out)
{
	static const struct report_column columns[] = {
		{"CREDENTIAL", TEXT_LEFT},  {"LIMIT", TEXT_LEFT}, {"IN USE", TEXT_RIGHT},
		{"SOFT", TEXT_RIGHT},       {"HARD", TEXT_RIGHT}, {"OF SOFT", TEXT_RIGHT},
		{"HOLDS BACK", TEXT_RIGHT},
	};
	struct report r = {.column = columns, .columns = 7};

	if (l->count == 0) {
		str_add(out, "No limits are set.\n");
		return;
	}
	for (size_t i = 0; i < l->count; i++)
		text_row(&r, l->s, &l->row[i]);
	report_print(&r, 0, ascii, out);
	report_free(&r);
}

/* --- limits on a single job --------------------------------------------------------------------------- */

static void print_self_json(const struct self_limit *limit, size_t count, int64_t now_s, struct str *out)
{
	struct json j = {.out = out};

	json_open(&j, NULL, '{');
	json_int(&j, "now", now_s);
	json_open(&j, "limits", '[');
	for (size_t i = 0; i < count; i++) {
		json_open(&j, NULL, '{');
		json_text(&j, "option", limit[i].option);
		json_text(&j, "unit", limit[i].unit);
		json_text(&j, "description", limit[i].what);
		json_int_or_null(&j, "in_use", limit[i].used, SELF_USE_NONE);
		json_int(&j, "limit", limit[i].limit);
		json_bool(&j, "exempt", limit[i].exempt != 0);
		json_close(&j);
	}
	json_close(&j);
	json_close(&j);
	str_add_char(out, '\n');
}

static void print_self_text(const struct self_limit *limit, size_t count, bool ascii, struct str *out)
{
	static const struct report_column columns[] = {
		{"OPTION", TEXT_LEFT}, {"IN USE", TEXT_RIGHT}, {"LIMIT", TEXT_RIGHT},
		{"UNIT", TEXT_LEFT},   {"OF", TEXT_LEFT},
	};
	struct report r = {.column = columns, .columns = 5};

	for (size_t i = 0; i < count; i++) {
		report_cell(&r, limit[i].option);
		if (limit[i].used == SELF_USE_NONE)
			report_cell(&r, "-");
		else
			report_cellf(&r, "%" PRId64, limit[i].used);
		report_cellf(&r, "%" PRId64 "%s", limit[i].limit, limit[i].exempt != 0 ? " (exempt)" : "");
		report_cell(&r, limit[i].unit);
		report_cell(&r, limit[i].what);
	}
	report_print(&r, 0, ascii, out);
	report_free(&r);
}

static enum cmd_status show_self(struct cmd_env *env)
{
	struct self_limit limit[SELF_LIMITS_MAX];
	size_t count;

	if (env->caller == NULL || env->past) {
		err_set(&env->err, "limits --self needs a running scheduler; start one with 'kahu serve'");
		return CMD_REFUSED;
	}
	if (!caller_limits(env->caller, limit, &count, &env->err))
		return CMD_FAILED;
	if (env->json)
		print_self_json(limit, count, env->now_s, env->out);
	else
		print_self_text(limit, count, env->ascii, env->out);
	return CMD_DONE;
}

static enum cmd_status run_limits(struct cmd_env *env, int argc, char **argv)
{
	struct limit_list list = {0};
	struct plan plan = {0};

	(void)argc;
	(void)argv;
	if (cmd_option(env, "--self"))
		return show_self(env);
	plan_build(&plan, env->s, env->now_s);
	limit_list_build(&list, env->s, &plan);
	if (env->json)
		print_json(&list, env->out);
	else
		print_text(&list, env->ascii, env->out);
	limit_list_free(&list);
	plan_clear(&plan);
	return CMD_DONE;
}

const struct cmd cmd_limits = {
	.name = "limits",
	.args = "",
	.help = "Show throttling limits, their current usage, and how many jobs each one blocks.",
	.options =
		(const struct cmd_option[]){
			{"--self", NULL, "show the limits on your own requests, and their current usage"},
			{0},
		},
	.flags = CMD_STORE | CMD_PAST,
	.run = run_limits,
};
