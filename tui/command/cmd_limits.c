/* SPDX-License-Identifier: MIT */
/*
 * cmd_limits.c - kahu limits: throttling limits, current usage and blocked jobs
 *
 * Prints one row for each limit and each credential, or pair of credentials, to which the limit applies.
 * Limits that block the most jobs come first. With --self, the verb prints the limits on the user's own
 * requests.
 */
#include <inttypes.h>

#include "cmd.h"
#include "tui/report/limit_report.h"
#include "tui/serve/allowance.h"
#include "tui/serve/client.h"

static void print_text(const struct limit_list *l, bool ascii, struct str *out)
{
	static const struct field_column columns[] = {
		{.key = "type"}, {.key = "limit"},   {.key = "in_use"},     {.key = "soft"},
		{.key = "hard"}, {.key = "percent"}, {.key = "holds_back"},
	};
	struct field_table t;

	if (l->count == 0) {
		str_add(out, "No limits are set.\n");
		return;
	}
	field_table_begin(&t, limit_fields, columns, sizeof columns / sizeof columns[0]);
	for (size_t i = 0; i < l->count; i++)
		field_table_add(&t, &(struct limit_item){l, &l->row[i]});
	field_table_print(&t, 0, ascii, out);
	field_table_free(&t);
}

/* --- limits on the user's requests -------------------------------------------------------------------- */

static enum role cell_self_limit(const void *item, struct str *out)
{
	const struct self_limit *limit = item;

	str_addf(out, "%" PRId64 "%s", limit->limit, limit->exempt != 0 ? " (exempt)" : "");
	return ROLE_TEXT;
}

static const struct field self_limit_fields[] = {
	{"option", "OPTION", FIELD_TEXT, FIELD_AT(struct self_limit, option)},
	{"unit", "UNIT", FIELD_TEXT, FIELD_AT(struct self_limit, unit)},
	{"description", "DESCRIPTION", FIELD_TEXT, FIELD_AT(struct self_limit, what)},
	{"in_use", "IN USE", FIELD_COUNT, FIELD_OR_NULL(struct self_limit, used, SELF_USE_NONE)},
	{"limit", "LIMIT", FIELD_COUNT, FIELD_AT(struct self_limit, limit), .cell = cell_self_limit},
	{"exempt", NULL, FIELD_BOOL, FIELD_AT(struct self_limit, exempt)},
	{0},
};

struct self_limits {
	int64_t now_s;
	struct self_limit limit[SELF_LIMITS_MAX];
	size_t count;
};

static void each_self_limit(const void *item, field_visit *visit, void *self)
{
	const struct self_limits *all = item;

	for (size_t i = 0; i < all->count; i++)
		visit(self, &all->limit[i]);
}

static const struct field self_document_fields[] = {
	{"now", NULL, FIELD_INSTANT, FIELD_AT(struct self_limits, now_s)},
	{"limits", NULL, FIELD_LIST, .each = each_self_limit, .of = self_limit_fields},
	{0},
};

static void print_self_text(const struct self_limits *all, bool ascii, struct str *out)
{
	static const struct field_column columns[] = {
		{.key = "option"}, {.key = "in_use"},      {.key = "limit"},
		{.key = "unit"},   {.key = "description"},
	};
	struct field_table t;

	field_table_begin(&t, self_limit_fields, columns, sizeof columns / sizeof columns[0]);
	for (size_t i = 0; i < all->count; i++)
		field_table_add(&t, &all->limit[i]);
	field_table_print(&t, 0, ascii, out);
	field_table_free(&t);
}

static enum cmd_status show_self(struct cmd_env *env)
{
	struct self_limits all = {.now_s = env->now_s};

	if (env->client == NULL || env->past) {
		err_set(&env->err, "limits --self needs a running scheduler; start one with 'kahu serve'");
		return CMD_REFUSED;
	}
	if (!client_limits(env->client, all.limit, &all.count, &env->err))
		return CMD_FAILED;
	if (env->json)
		fields_document(env->out, self_document_fields, 0, &all);
	else
		print_self_text(&all, env->ascii, env->out);
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
		fields_document(env->out, limit_document_fields, 0, &list);
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
