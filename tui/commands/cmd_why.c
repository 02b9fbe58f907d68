/* SPDX-License-Identifier: MIT */
/*
 * cmd_why.c - why is this job not running?
 *
 * Every gate in the order a pass tries them, with what was found and against what; the
 * first that fails is the pass's own reason.
 */
#include "cmd.h"
#include "complete.h"
#include "jobtext.h"
#include "report.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/core/explain.h"
#include "sched/core/queue.h"
#include "select.h"

static void print_json(struct cmd_env *env, const struct job *job, const struct why *why)
{
	struct json j = {.out = env->out};
	struct str sentence = {0};
	char label[JOB_LABEL_TEXT];

	json_open(&j, NULL, '{');
	json_text(&j, "job", snapshot_job_label(env->s, job, label));
	json_text(&j, "verdict", verdict_name(why->verdict));
	json_open(&j, "checks", '[');
	for (int gate = 1; gate < GATE_COUNT; gate++) {
		const struct check *check = &why->check[gate];

		if (!check->known)
			continue;
		json_open(&j, NULL, '{');
		json_text(&j, "check", gate_rows[gate].name);
		json_text(&j, "value", check->value);
		json_text(&j, "limit",
			  check->limit[0] == '-' && check->limit[1] == '\0' ? NULL : check->limit);
		json_bool(&j, "ok", check->ok);
		json_close(&j);
	}
	json_close(&j);
	json_int_or_null(&j, "clears_at", why->clears_s, TIME_NEVER);
	json_int_or_null(&j, "estimated_start", why->estimated_s, TIME_NEVER);
	if (why->first != GATE_NONE)
		explain_sentence(env->s, job, &why->check[why->first].reason, env->now_s, &sentence);
	json_text(&j, "explanation", sentence.len > 0 ? str_text(&sentence) : NULL);
	json_open(&j, "changes", '[');
	json_close(&j);
	json_close(&j);
	str_add_char(env->out, '\n');
	str_free(&sentence);
}

static void print_checks(struct cmd_env *env, const struct why *why)
{
	static const struct report_column columns[] = {{"", TEXT_RIGHT},
						       {"CHECK", TEXT_LEFT},
						       {"VALUE", TEXT_LEFT},
						       {"LIMIT", TEXT_LEFT},
						       {"RESULT", TEXT_LEFT}};
	struct report r = {.column = columns, .columns = 5};

	for (int gate = 1; gate < GATE_COUNT; gate++) {
		const struct check *check = &why->check[gate];

		if (!check->known)
			continue;
		report_cellf(&r, "%d", gate);
		report_cell(&r, gate_rows[gate].name);
		report_cell(&r, check->value);
		report_cell(&r, check->limit);
		report_cell(&r, check->ok ? "ok" : "FAIL");
	}
	report_print(&r, 0, env->ascii, env->out);
	report_free(&r);
}

static void print_moment(struct cmd_env *env, const char *what, int64_t at_s)
{
	if (at_s == TIME_NEVER)
		return;
	str_addf(env->out, "%s ", what);
	jobtext_moment(env->out, at_s, env->now_s);
	str_add_char(env->out, '\n');
}

static void print_text(struct cmd_env *env, const struct job *job, const struct why *why)
{
	static const char *const verdicts[] = {
		[VERDICT_RUNS] = "runs",
		[VERDICT_STARTS_NOW] = "starts in the next pass",
		[VERDICT_NOT_NOW] = "does not start now",
		[VERDICT_NEVER] = "will never start as it is",
		[VERDICT_HELD] = "is held",
	};
	struct str sentence = {0};
	char label[JOB_LABEL_TEXT];

	text_safe(env->out, snapshot_job_label(env->s, job, label), env->ascii);
	str_addf(env->out, " %s.\n", verdicts[why->verdict]);
	if (why->verdict == VERDICT_RUNS)
		return;
	if (why->first != GATE_NONE) {
		explain_sentence(env->s, job, &why->check[why->first].reason, env->now_s, &sentence);
		text_safe(env->out, str_text(&sentence), env->ascii);
		str_add_char(env->out, '\n');
		str_free(&sentence);
	}
	str_add_char(env->out, '\n');
	print_checks(env, why);
	str_add_char(env->out, '\n');
	print_moment(env, "Clears by itself:", why->clears_s);
	print_moment(env, "Estimated start: ", why->estimated_s);
}

static enum cmd_status run_why(struct cmd_env *env, int argc, char **argv)
{
	uint32_t slot = select_job(env->s, argv[1], &env->err);
	struct plan plan = {0};
	struct why why;

	(void)argc;
	if (slot == INDEX_NONE)
		return CMD_REFUSED;
	explain_why(env->s, slot, env->now_s, &plan, &why);
	if (env->json)
		print_json(env, &snapshot_jobs(env->s)[slot], &why);
	else
		print_text(env, &snapshot_jobs(env->s)[slot], &why);
	plan_clear(&plan);
	return CMD_DONE;
}

const struct cmd cmd_why = {
	.name = "why",
	.alias = "explain",
	.args = "JOB",
	.help = "Why a job does not run: every check with its numbers, and when that ends.",
	.min = 1,
	.max = 1,
	.flags = CMD_STORE,
	.run = run_why,
	.complete = complete_jobs,
};
