/* SPDX-License-Identifier: MIT */
/*
 * cmd_why.c - kahu why: the reasons why a job is not running
 *
 * Every gate in the order of a pass, with the values found and allowed. The first that fails is the reason of
 * the pass.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cmd.h"
#include "cmd_console.h"
#include "complete.h"
#include "sched/base/amount.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/pass/queue.h"
#include "sched/rm/wallclock.h"
#include "tui/report/job_report.h"
#include "tui/report/job_text.h"
#include "tui/report/report.h"
#include "tui/report/select.h"
#include "tui/report/statistics.h"
#include "tui/report/why_report.h"

/* True if the check is of a limit or a cap. */
static bool has_owner(const struct check *check)
{
	const struct reason *r = &check->reason;

	if (check->gate == GATE_FS_CAP)
		return r->cred != INDEX_NONE;
	return check->gate >= GATE_CLASS_LIMIT && check->gate <= GATE_ACTIVE_SOFT &&
	       r->kind != LIMIT_KIND_COUNT;
}

static bool has_amounts(const struct check *check)
{
	return check->gate != GATE_FS_CAP && has_owner(check);
}

struct inquiry {
	struct cmd_env *env;
	uint32_t slot;
	int64_t by_s;
	struct future future;
	struct future_start start; /* estimated */
	struct why why;
	struct accuracy accuracy; /* run times as shares of limits */
	struct remedies remedies;
	bool sought; /* remedies is computed */
};

static struct why_known know(const struct inquiry *q)
{
	return (struct why_known){.s = q->env->s,
				  .now_s = q->env->now_s,
				  .slot = q->slot,
				  .plan = &q->future.plan,
				  .why = q->why,
				  .remedies = q->sought ? &q->remedies : NULL,
				  .start = q->start};
}

/* --- JSON --------------------------------------------------------------------------------------------- */

/* Values for scripts, which need not parse text. */
static void json_limit(struct json *j, const struct snapshot *s, const struct check *check)
{
	const struct reason *r = &check->reason;
	struct str owner = {0};
	char compared[32];

	explain_owner(s, r, &owner);
	json_text(j, "of", str_text(&owner));
	str_free(&owner);
	if (check->gate == GATE_FS_CAP && snapshot_creds(s)[r->cred].attr.fs_mode == FS_CAP_RELATIVE) {
		/* The cap bounds a share of the usage so far; `value` is a share that includes this job. */
		snprintf(compared, sizeof compared, "%.2f %%", (double)r->asked / 1000);
		json_text(j, "compared", compared);
	}
	if (!has_amounts(check))
		return;
	json_text(j, "name", explain_limit_name(r));
	json_text(j, "level", r->hard ? "hard" : "soft");
	json_int(j, "in_use", r->value);
	json_int(j, "asked", r->asked);
	json_int(j, "allowed", r->limit);
}

static void json_check(struct json *j, const struct snapshot *s, const struct check *check, bool never)
{
	json_open(j, NULL, '{');
	json_text(j, "check", gate_rows[check->gate].name);
	json_text(j, "value", check->value);
	json_text(j, "limit", check->limit[0] == '-' && check->limit[1] == '\0' ? NULL : check->limit);
	json_bool(j, "ok", check->ok);
	if (has_owner(check))
		json_limit(j, s, check);
	if (!check->ok)
		json_int_or_null(j, "until", never ? TIME_NEVER : check->reason.until_s, TIME_NEVER);
	json_close(j);
}

/* The projection without changes; null if it was not computed. Of a job that starts at the next pass nothing
 * else is sought. */
static void json_itself(struct json *j, struct cmd_env *env, const struct job *job, const struct why *why,
			const struct remedies *remedies, bool sought)
{
	bool starts_next = why->verdict == VERDICT_STARTS_NOW;
	struct str itself = {0};

	if (sought)
		remedy_itself(env->s, job, remedies, env->now_s, &itself);
	json_text(j, "by_itself", sought ? str_text(&itself) : NULL);
	json_int_or_null(j, "projected_start",
			 sought        ? remedies->start_s
			 : starts_next ? why->estimated_s
				       : TIME_NEVER,
			 TIME_NEVER);
	json_bool(j, "never_proven", sought && remedies_proven(remedies));
	str_free(&itself);
}

/* Jobs that count towards an idle limit. */
#define COUNTED_MOST 100

static void json_counted(struct json *j, const struct why_known *k)
{
	const struct check *check = &k->why.check[GATE_IDLE_LIMIT];
	uint32_t slot[COUNTED_MOST], count;
	char label[JOB_LABEL_TEXT];

	if (!check->known || check->ok || !explain_is_idle_limit(&check->reason))
		return;
	count = queue_counted(&k->plan->queue, k->s, k->slot, &check->reason, slot, COUNTED_MOST);
	json_open(j, "counted", '[');
	for (uint32_t i = 0; i < count && i < COUNTED_MOST; i++)
		json_text(j, NULL, snapshot_job_label(k->s, &snapshot_jobs(k->s)[slot[i]], label));
	json_close(j);
}

static void print_json(const struct inquiry *q, const struct job *job)
{
	struct cmd_env *env = q->env;
	const struct why_known known = know(q);
	const struct why *why = &q->why;
	const struct remedies *remedies = &q->remedies;
	const bool sought = q->sought;
	struct json j = {.out = env->out};
	struct str sentence = {0};
	char label[JOB_LABEL_TEXT];

	json_open(&j, NULL, '{');
	json_text(&j, "job", snapshot_job_label(env->s, job, label));
	json_text(&j, "verdict", verdict_name(why->verdict));
	json_open(&j, "checks", '[');
	for (int gate = 1; gate < GATE_COUNT; gate++)
		if (why->check[gate].known)
			json_check(&j, env->s, &why->check[gate], why->verdict == VERDICT_NEVER);
	json_close(&j);
	json_int_or_null(&j, "clears_at", why->clears_s, TIME_NEVER);
	json_int_or_null(&j, "estimated_start", why->estimated_s, TIME_NEVER);
	json_int_or_null(&j, "reserved_start", job->planned_s, TIME_NEVER);
	json_text(&j, "tier", future_tier_name(q->start.tier));
	if (why->lead.gate != GATE_NONE || why->verdict == VERDICT_STARTS_NOW)
		job_text_sentence(env->s, job, &why->lead, env->now_s, &sentence);
	json_text(&j, "explanation", sentence.len > 0 ? str_text(&sentence) : NULL);
	json_counted(&j, &known);
	json_open(&j, "passes", '{');
	for (enum policy_level level = 0; level < POLICY_LEVEL_COUNT; level++)
		json_bool(&j, policy_level_name(level), policy_level_first_gate(why, level) == GATE_NONE);
	json_close(&j);
	json_itself(&j, env, job, why, remedies, sought);
	remedies_json(&j, env->s, job->id, remedies);
	json_close(&j);
	str_add_char(env->out, '\n');
	str_free(&sentence);
}

/* --- text --------------------------------------------------------------------------------------------- */

static void owner_cell(struct report *r, const struct snapshot *s, const struct check *check)
{
	struct str owner = {0};

	if (has_owner(check))
		explain_owner(s, &check->reason, &owner);
	report_cell(r, str_text(&owner));
	str_free(&owner);
}

static void result_cell(struct report *r, const struct check *check)
{
	const struct reason *reason = &check->reason;
	int64_t sum = amount_add(reason->value, reason->asked);

	if (check->ok)
		report_cell(r, "ok");
	else if (!has_amounts(check))
		report_cell(r, "FAIL");
	else
		report_cellf(r, "FAIL %" PRId64 " %s %" PRId64, sum, sum > reason->limit ? ">" : "<",
			     reason->limit);
}

static void until_cell(struct report *r, const struct check *check, int64_t now_s)
{
	char when[MOMENT_TEXT];

	if (check->ok || check->reason.until_s == TIME_NEVER)
		report_cell(r, "");
	else
		report_cell(r, wallclock_short(when, check->reason.until_s, now_s));
}

static void add_check(struct report *r, const struct cmd_env *env, const struct why *why, int gate)
{
	struct check check = why->check[gate];

	job_text_check(env->s, env->now_s, &check);
	report_cellf(r, "%d", gate);
	report_cell(r, gate_rows[gate].name);
	report_cell(r, check.value);
	report_cell(r, check.limit);
	result_cell(r, &check);
	if (why->verdict == VERDICT_NEVER)
		report_cell(r, "");
	else
		until_cell(r, &check, env->now_s);
	owner_cell(r, env->s, &check);
}

/* Failed checks; with -v all. */
static void print_checks(struct cmd_env *env, const struct why *why)
{
	static const struct report_column columns[] = {
		{"", TEXT_RIGHT},      {"CHECK", TEXT_LEFT}, {"VALUE", TEXT_LEFT}, {"LIMIT", TEXT_LEFT},
		{"RESULT", TEXT_LEFT}, {"UNTIL", TEXT_LEFT}, {"OF", TEXT_LEFT}};
	static const unsigned char spare[] = {4, 0, 0, 0, 0, 3, 2};
	struct report r = {.column = columns, .columns = 7, .width = env->width, .spare = spare};
	bool all = cmd_option(env, "-v") != NULL;

	for (int gate = 1; gate < GATE_COUNT; gate++)
		if (why_text_shows(&why->check[gate], all))
			add_check(&r, env, why, gate);
	if (r.cells > 0) {
		str_add_char(env->out, '\n');
		report_print(&r, 0, env->ascii, env->out);
	}
	report_free(&r);
}

/* "Passes all checks with soft limits no, with hard limits yes, without limits yes." */
static void print_levels(struct cmd_env *env, const struct why *why)
{
	static const char *const words[] = {"with soft limits", "with hard limits only", "without limits"};

	str_add(env->out, "\nPasses all checks");
	for (enum policy_level level = POLICY_LEVEL_SOFT; level <= POLICY_LEVEL_OFF; level++)
		str_addf(env->out, "%s %s %s", level > POLICY_LEVEL_SOFT ? "," : "", words[level],
			 policy_level_first_gate(why, level) == GATE_NONE ? "yes" : "no");
	str_add(env->out, ".\n");
}

static void print_sentence(struct cmd_env *env, const struct why_known *known,
			   void (*say)(const struct why_known *k, struct str *out))
{
	struct str sentence = {0};

	say(known, &sentence);
	if (sentence.len > 0) {
		text_safe(env->out, str_text(&sentence), env->ascii);
		str_add_char(env->out, '\n');
	}
	str_free(&sentence);
}

static void print_text(const struct inquiry *q)
{
	const struct why_known known = know(q);
	struct cmd_env *env = q->env;

	print_sentence(env, &known, why_text_verdict);
	print_sentence(env, &known, why_text_start);
	if (q->why.verdict == VERDICT_RUNS)
		return;
	if (q->start.placeholder && q->why.estimated_s != TIME_NEVER)
		estimated_note(env->out, &q->future, env->now_s);
	print_sentence(env, &known, why_text_counted);
	print_checks(env, &q->why);
	if (cmd_option(env, "-v") != NULL)
		print_levels(env, &q->why);
}

/* --- the verb ----------------------------------------------------------------------------------------- */

static bool read_by(struct inquiry *q)
{
	const char *by = cmd_option(q->env, "--by");

	q->by_s = q->env->now_s;
	return by == NULL || wallclock_parse(by, q->env->now_s, &q->by_s, &q->env->err);
}

/* False: the history cannot be read. */
static bool find_remedies(struct inquiry *q)
{
	const struct snapshot *s = q->env->s;
	bool longer = cmd_option(q->env, "--changes") != NULL;
	struct remedy_view view = {s, snapshot_jobs(s)[q->slot].id};
	struct remedies_setup setup = {.now_s = q->env->now_s,
				       .by_s = q->by_s,
				       .most_work = longer ? REMEDIES_LONG_WORK : REMEDIES_WORK,
				       .accuracy = &q->accuracy,
				       .may = remedy_may,
				       .self = &view};

	q->sought = q->why.verdict != VERDICT_RUNS && q->why.verdict != VERDICT_STARTS_NOW;
	if (!q->sought)
		return true;
	if (!accuracy_gather(q->env, &q->accuracy))
		return false;
	remedies_find(&q->remedies, s, q->slot, &setup);
	explain_dated(&q->why, s, &q->start,
		      explain_lead(s, &q->future.plan, q->slot, q->remedies.start_s, q->remedies.never));
	return true;
}

static void answer(struct inquiry *q)
{
	const struct job *job = &snapshot_jobs(q->env->s)[q->slot];

	if (q->env->json) {
		print_json(q, job);
		return;
	}
	print_text(q);
	if (q->sought)
		remedies_print(q->env, job->id, &q->remedies, q->by_s);
}

/* The console shows the screen of the job, which searches for remedies in the background. */
static enum cmd_status show_in_console(struct inquiry *q)
{
	bool timed = cmd_option(q->env, "--by") != NULL;

	q->env->ask->seek(q->env->console, snapshot_jobs(q->env->s)[q->slot].id, timed ? q->by_s : TIME_NONE);
	return CMD_DONE;
}

/* The named job; in the console by default the one under the cursor. */
static uint32_t find_job(struct cmd_env *env, int argc, char **argv)
{
	uint32_t slot;

	if (argc > 1)
		return select_job(env->s, argv[1], &env->err);
	slot = snapshot_find_job(env->s, env->ask->job(env->console));
	if (slot == INDEX_NONE)
		err_set(&env->err, "why: no job under the cursor; name one");
	return slot;
}

static enum cmd_status run_why(struct cmd_env *env, int argc, char **argv)
{
	struct inquiry q = {.env = env, .slot = find_job(env, argc, argv)};
	bool found;

	if (q.slot == INDEX_NONE)
		return CMD_REFUSED;
	if (!read_by(&q))
		return CMD_USAGE;
	if (env->console != NULL)
		return show_in_console(&q);
	q.start = estimated_job(&q.future, env, env->s, q.slot, ASSUME_WCLIMIT, NULL);
	explain_planned(env->s, q.slot, &q.future.plan, &q.why);
	explain_dated(&q.why, env->s, &q.start, explain_future(&q.future, q.slot));
	found = find_remedies(&q);
	if (found)
		answer(&q);
	accuracy_clear(&q.accuracy);
	future_clear(&q.future);
	remedies_clear(&q.remedies);
	return found ? CMD_DONE : CMD_FAILED;
}

static const struct cmd_option why_options[] = {
	{"-v", NULL, "also show the checks that pass"},
	{"--by", "TIME", "find single changes that would start the job by this time (default: now)"},
	{"--changes", NULL,
	 "search longer for such changes if the queue is long; no suggestion lowers limits, shares or "
	 "priorities of other users"},
	{0},
};

const struct cmd cmd_why = {
	.name = "why",
	.alias = "explain",
	.args = "JOB",
	.help = "Explain why a job is not running: its estimated start, the checks that fail, with their "
		"numbers and the time each one clears, and the smallest changes that would start the job. A "
		"shorter wallclock limit is suggested only down to what jobs of the user usually take: the "
		"median share of their limits in the last 30 days, or the median of all users where the user "
		"has fewer than 5 jobs.",
	.options = why_options,
	.min = 1,
	.max = 1,
	.flags = CMD_CURSOR | CMD_STORE | CMD_PAST,
	.run = run_why,
	.complete = complete_jobs,
};
