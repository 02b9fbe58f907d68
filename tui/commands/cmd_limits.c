/* SPDX-License-Identifier: MIT */
/*
 * cmd_limits.c - which limits are there, how much of each is in use, and which of them hurt?
 *
 * A row for each limit and each credential, or pair of credentials, that it looks at: those that hold
 * most jobs back first. Then the limits on a single job, against the largest one here.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "report.h"
#include "sched/base/json.h"
#include "sched/base/vec.h"
#include "sched/core/explain.h"
#include "sched/core/plan.h"

/* One limit and whose usage counts against it. */
struct row {
	uint8_t kind, scope; /* enum limit_kind, enum limit_scope                  */
	uint8_t second_type; /* CRED_TYPE_COUNT = no second credential              */
	uint32_t cred;       /* INDEX_NONE = the system                             */
	uint32_t second;     /* INDEX_NONE = none                                   */
	int64_t used, soft, hard;
	uint32_t holds_back; /* jobs whose reason it is                             */
	uint32_t order;      /* as configured                                       */
};

struct rows {
	const struct cmd_env *env;
	struct plan plan;
	struct row *item;
	size_t count, room;
};

static bool is_override(const struct row *row)
{
	return row->scope == LIMIT_OVERRIDE_ACTIVE || row->scope == LIMIT_OVERRIDE_IDLE;
}

/* --- gathering ------------------------------------------------------------------------------- */

static struct row *add_row(struct rows *rows, struct row row)
{
	rows->item = vec_room(rows->item, &rows->room, rows->count + 1, sizeof *rows->item);
	row.order = (uint32_t)rows->count;
	rows->item[rows->count] = row;
	return &rows->item[rows->count++];
}

static void add_limit(void *self, const struct limit *limit, uint32_t cred, uint32_t second, int64_t used)
{
	add_row(self, (struct row){.kind = limit->kind,
				   .scope = limit->scope,
				   .second_type = limit->second_type,
				   .cred = cred,
				   .second = second,
				   .used = used,
				   .soft = limit->soft,
				   .hard = limit->hard});
}

/* What the largest of the jobs asks for: of a class's, of all for INDEX_NONE and class DEFAULT. */
static int64_t largest(const struct rows *rows, enum limit_kind kind, uint32_t class_cred)
{
	const struct snapshot *s = rows->env->s;
	const struct machine machine = snapshot_machine(s);
	const struct job *jobs = snapshot_jobs(s);
	bool of_all = class_cred == INDEX_NONE || class_cred == CRED_CLASS;
	int64_t most = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++) {
		struct job job = jobs[i];
		int64_t amount;

		if (job.state == JOB_NONE || (!of_all && job.cred[CRED_CLASS] != class_cred))
			continue;
		job.state = JOB_IDLE; /* with its whole wallclock limit */
		amount = throttle_amount(kind, &job, &machine, rows->env->now_s);
		if (amount > most)
			most = amount;
	}
	return most;
}

static void add_single(struct rows *rows, enum limit_scope scope, enum limit_kind kind, uint32_t cred,
		       int64_t most)
{
	if (most > 0)
		add_row(rows, (struct row){.kind = (uint8_t)kind,
					   .scope = (uint8_t)scope,
					   .second_type = CRED_TYPE_COUNT,
					   .cred = cred,
					   .second = INDEX_NONE,
					   .used = largest(rows, kind, cred),
					   .soft = most,
					   .hard = most});
}

static void add_singles(struct rows *rows)
{
	const struct snapshot *s = rows->env->s;
	const struct cred *cred = snapshot_creds(s);

	add_single(rows, LIMIT_SYSTEM, LIMIT_PROC, INDEX_NONE, s->policy.max_job_procs);
	add_single(rows, LIMIT_SYSTEM, LIMIT_WC, INDEX_NONE, s->policy.max_job_wall_s);
	add_single(rows, LIMIT_SYSTEM, LIMIT_PS, INDEX_NONE, s->policy.max_job_ps);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS); i++) {
		if (cred[i].type != CRED_CLASS)
			continue;
		add_single(rows, LIMIT_CLASS, LIMIT_WC, i, cred[i].attr.max_wall_s);
		add_single(rows, LIMIT_CLASS, LIMIT_PROC, i, cred[i].attr.max_procs);
		add_single(rows, LIMIT_CLASS, LIMIT_NODE, i, cred[i].attr.max_nodes);
	}
}

/* --- jobs held back ----------------------------------------------------------------------------- */

static bool is_limit(const struct reason *reason)
{
	return reason->gate >= GATE_CLASS_LIMIT && reason->gate <= GATE_ACTIVE_SOFT;
}

/*
 * Is the row the limit that the reason speaks of? Class DEFAULT's limit is that of each class without one; an
 * override is the QOS's, whosever usage it is compared with.
 */
static bool speaks_of(const struct job *job, const struct reason *reason, const struct row *row)
{
	if (reason->kind != row->kind || reason->scope != row->scope)
		return false;
	if (is_override(row))
		return row->cred == job->cred[CRED_QOS];
	if (row->scope == LIMIT_CLASS && row->cred == CRED_CLASS)
		return reason->limit == row->hard;
	return reason->cred == row->cred && reason->second == row->second;
}

static void count_job(struct rows *rows, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(rows->env->s)[slot];

	for (size_t i = 0; i < rows->count; i++)
		if (speaks_of(job, &rows->plan.reason[slot], &rows->item[i])) {
			rows->item[i].holds_back++;
			return;
		}
}

static void count_jobs(struct rows *rows)
{
	const struct snapshot *s = rows->env->s;
	const struct waiting *waiting = snapshot_waiting(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++)
		if (is_limit(&rows->plan.reason[waiting[i].slot]))
			count_job(rows, waiting[i].slot);
}

/* --- order ----------------------------------------------------------------------------------------- */

/* Of the soft limit; 0 where there is none. */
static double percent(const struct row *row)
{
	if (row->soft == LIMIT_UNLIMITED)
		return 0;
	return row->soft > 0 ? 100 * (double)row->used / (double)row->soft : row->used > 0 ? 100 : 0;
}

static int by_harm(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	double part_x = percent(x), part_y = percent(y);

	if (x->holds_back != y->holds_back)
		return x->holds_back > y->holds_back ? -1 : 1;
	if (part_x > part_y || part_x < part_y)
		return part_x > part_y ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static void gather(struct rows *rows)
{
	plan_build(&rows->plan, rows->env->s, rows->env->now_s);
	throttle_each(rows->plan.queue.throttle, add_limit, rows);
	add_singles(rows);
	count_jobs(rows);
	if (rows->count > 0)
		qsort(rows->item, rows->count, sizeof *rows->item, by_harm);
}

/* --- printing ----------------------------------------------------------------------------------------- */

/* "MAXPS", "MAXPS[USER:eva]"; of a class "MAX.WCLIMIT". */
static void add_name(const struct snapshot *s, const struct row *row, struct str *out)
{
	const char *name = limit_name((enum limit_scope)row->scope, (enum limit_kind)row->kind);

	str_addf(out, "%s%s", row->scope == LIMIT_CLASS ? "MAX." : "", name);
	if (row->second_type == CRED_TYPE_COUNT)
		return;
	str_add_char(out, '[');
	report_capitals(out, cred_type_name((enum cred_type)row->second_type));
	if (row->second != INDEX_NONE)
		str_addf(out, ":%s", snapshot_string(s, snapshot_creds(s)[row->second].name));
	str_add_char(out, ']');
}

static const char *owner_type(const struct snapshot *s, const struct row *row)
{
	if (row->cred == INDEX_NONE)
		return "system";
	return cred_type_name((enum cred_type)snapshot_creds(s)[row->cred].type);
}

static const char *owner_name(const struct snapshot *s, const struct row *row)
{
	return row->cred == INDEX_NONE ? NULL : snapshot_string(s, snapshot_creds(s)[row->cred].name);
}

static void json_row(struct json *j, const struct snapshot *s, const struct row *row)
{
	bool paired = row->second_type != CRED_TYPE_COUNT;
	struct str name = {0};

	add_name(s, row, &name);
	json_open(j, NULL, '{');
	json_text(j, "type", owner_type(s, row));
	json_text(j, "name", owner_name(s, row));
	json_text(j, "limit", limit_name((enum limit_scope)row->scope, (enum limit_kind)row->kind));
	json_text(j, "label", str_text(&name));
	json_text(j, "second_type", paired ? cred_type_name((enum cred_type)row->second_type) : NULL);
	json_text(j, "second",
		  paired && row->second != INDEX_NONE
			  ? snapshot_string(s, snapshot_creds(s)[row->second].name)
			  : NULL);
	json_bool(j, "per_job", row->scope == LIMIT_SYSTEM || row->scope == LIMIT_CLASS);
	json_bool(j, "override", is_override(row));
	json_int(j, "in_use", row->used);
	json_int_or_null(j, "soft", row->soft, LIMIT_UNLIMITED);
	json_int_or_null(j, "hard", row->hard, LIMIT_UNLIMITED);
	json_real(j, "percent", percent(row));
	json_int(j, "holds_back", row->holds_back);
	json_close(j);
	str_free(&name);
}

static void print_json(const struct rows *rows, struct str *out)
{
	struct json j = {.out = out};

	json_open(&j, NULL, '{');
	json_int(&j, "now", rows->env->now_s);
	json_open(&j, "limits", '[');
	for (size_t i = 0; i < rows->count; i++)
		json_row(&j, rows->env->s, &rows->item[i]);
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

static void text_row(struct report *r, const struct snapshot *s, const struct row *row)
{
	const char *owner = owner_name(s, row);
	struct str name = {0};

	add_name(s, row, &name);
	report_cellf(r, "%s%s%s", owner_type(s, row), owner ? " " : "", owner ? owner : "");
	report_cellf(r, "%s%s", str_text(&name),
		     row->scope == LIMIT_CLASS ? " a job"
		     : is_override(row)        ? " (override)"
					       : "");
	amount_cell(r, row->used);
	amount_cell(r, row->soft);
	amount_cell(r, row->hard);
	report_cellf(r, "%.0f%%", percent(row));
	report_cellf(r, "%" PRIu32, row->holds_back);
	str_free(&name);
}

static void print_text(const struct rows *rows, struct str *out)
{
	static const struct report_column columns[] = {
		{"CREDENTIAL", TEXT_LEFT},  {"LIMIT", TEXT_LEFT}, {"IN USE", TEXT_RIGHT},
		{"SOFT", TEXT_RIGHT},       {"HARD", TEXT_RIGHT}, {"OF SOFT", TEXT_RIGHT},
		{"HOLDS BACK", TEXT_RIGHT},
	};
	struct report r = {.column = columns, .columns = 7};

	if (rows->count == 0) {
		str_add(out, "No limits are set.\n");
		return;
	}
	for (size_t i = 0; i < rows->count; i++)
		text_row(&r, rows->env->s, &rows->item[i]);
	report_print(&r, 0, rows->env->ascii, out);
	report_free(&r);
}

static enum cmd_status run_limits(struct cmd_env *env, int argc, char **argv)
{
	struct rows rows = {.env = env};

	(void)argc;
	(void)argv;
	gather(&rows);
	if (env->json)
		print_json(&rows, env->out);
	else
		print_text(&rows, env->out);
	plan_clear(&rows.plan);
	free(rows.item);
	return CMD_DONE;
}

const struct cmd cmd_limits = {
	.name = "limits",
	.args = "",
	.help = "Throttling limits: how much of each is in use, and how many jobs it holds back.",
	.flags = CMD_STORE,
	.run = run_limits,
};
