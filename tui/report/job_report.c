/* SPDX-License-Identifier: MIT */
/*
 * job_report.c - report of one job
 */
#include "job_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "job_fields.h"
#include "job_text.h"
#include "report.h"
#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/placement/placement.h"

/* --- gates under other policy levels, and on a single node -------------------------------------------- */

/*
 * For the checks on a node, a copy of the snapshot is made in which the machine consists only of that node.
 */

static const char *const level_names[POLICY_LEVEL_COUNT] = {"soft", "hard", "off", "future"};

const char *policy_level_name(enum policy_level level)
{
	return level_names[level];
}

enum policy_level policy_level_find(const char *name, struct err *err)
{
	for (int l = 0; l < POLICY_LEVEL_FUTURE; l++)
		if (str_same_word(level_names[l], name))
			return (enum policy_level)l;
	err_set(err, "unknown policy level '%s'; use soft, hard or off", name);
	return POLICY_LEVEL_COUNT;
}

/* Does the gate count at this level? */
static bool counts(const struct check *check, enum policy_level level)
{
	enum gate gate = check->gate;

	switch (level) {
	case POLICY_LEVEL_HARD:
		return gate != GATE_ACTIVE_SOFT;
	case POLICY_LEVEL_OFF:
		return gate < GATE_CLASS_LIMIT || gate > GATE_FS_CAP;
	case POLICY_LEVEL_FUTURE:
		return gate == GATE_FEASIBLE || gate == GATE_CLASS_LIMIT || gate == GATE_SYSTEM_LIMIT ||
		       (gate == GATE_DEPENDENCY && check->reason.limit == DEPEND_NEVER);
	case POLICY_LEVEL_SOFT:
	case POLICY_LEVEL_COUNT:
		break;
	}
	return true;
}

enum gate policy_level_first_gate(const struct why *why, enum policy_level level)
{
	for (int g = GATE_NONE + 1; g < GATE_COUNT; g++)
		if (why->check[g].known && !why->check[g].ok && counts(&why->check[g], level))
			return (enum gate)g;
	return GATE_NONE;
}

/* --- a single node ------------------------------------------------------------------------------------ */

static void *items(struct snapshot *s, enum snapshot_table_id id)
{
	return (char *)s + s->table[id].offset;
}

/* Moves the reservations of this node to the first node of the copy, and removes those of all other nodes. */
static void keep_only(struct snapshot *copy, uint32_t node)
{
	struct alloc_run *run = items(copy, TABLE_KEPT_RUNS);

	for (uint32_t i = 0; i < snapshot_count(copy, TABLE_KEPT_RUNS); i++) {
		run[i].nodes = node >= run[i].node && node - run[i].node < run[i].nodes;
		run[i].node = 0;
	}
}

/*
 * Returns a copy in which the machine consists only of this node, with its current load, and the job may use
 * any number of nodes.
 */
static struct snapshot *copy_for(const struct snapshot *s, uint32_t slot, uint32_t node)
{
	struct snapshot *copy = snapshot_copy(s);
	struct job *job = (struct job *)items(copy, TABLE_JOBS) + slot;
	struct node *nodes = items(copy, TABLE_NODES);

	nodes[0] = nodes[node];
	keep_only(copy, node);
	copy->table[TABLE_NODES].count = 1;
	copy->table[TABLE_RUNNING].count = copy->table[TABLE_WAITING].count = 0;
	copy->procs_total = nodes[0].procs;
	copy->procs_busy = nodes[0].procs_busy;
	copy->particular++; /* makes the search for nodes consider each node */
	job->flags |= JOB_PARTICULAR;
	job->nodes = 0;
	return copy;
}

struct node_fit node_fit_find(const struct snapshot *s, uint32_t slot, uint32_t node, int64_t now_s)
{
	struct snapshot *copy = copy_for(s, slot, node);
	const struct job *job = &snapshot_jobs(copy)[slot];
	struct node_fit fit = {.lack = LACK_NONE};
	struct placement *placement = placement_new();
	enum lack now_lack;

	fit.ever = placement_feasible(copy, job, &fit.lack);
	placement_begin(placement, copy, now_s);
	fit.now = placement_fit(placement, slot, now_s, now_s + 1, &now_lack);
	if (fit.ever > 0)
		fit.lack = fit.now > 0 ? LACK_NONE : now_lack;
	placement_free(placement);
	free(copy);
	return fit;
}

/*
 * Returns why the job cannot use the node, as a predicate of the node: "is in another partition"; static
 * storage.
 */
static const char *node_fit_lack(enum lack lack)
{
	static const char *const words[LACK_COUNT] = {
		[LACK_NONE] = "has room",
		[LACK_PARTITION] = "is in another partition",
		[LACK_HOST] = "is not on the job's list of hosts",
		[LACK_CLASS] = "does not accept the job's class",
		[LACK_FEATURE] = "does not have the job's features",
		[LACK_PROCS] = "has too few processors",
		[LACK_MEMORY] = "has too little memory",
		[LACK_SWAP] = "has too little swap",
		[LACK_DISK] = "has too little disk",
		[LACK_GRES] = "has too few generic resources",
		[LACK_ACCESS] = "cannot be shared with the jobs on it",
		[LACK_TASKS] = "has room for too few of the job's tasks",
		[LACK_DRAINED] = "is drained",
		[LACK_RESERVED] = "is reserved for others",
	};

	return words[lack];
}

/* --- report of one job -------------------------------------------------------------------------------- */

/* Replaces *out with the value of an attribute; empty if it is not set. */
static void attribute_text(const struct job_report *a, const char *name, struct str *out)
{
	str_clear(out);
	state_print_attribute(a->s, a->job, state_find_attribute(name), out);
	if (strcmp(str_text(out), "none") == 0)
		str_clear(out);
}

static double pe_of(const struct job_report *a)
{
	struct machine machine = snapshot_machine(a->s);

	return job_pe(a->job, &machine);
}

/* Returns the gate that blocks the job at the requested level; GATE_NONE if none does. */
static enum gate stopping(const struct job_report *a)
{
	return a->job->state == JOB_RUNNING ? GATE_NONE : policy_level_first_gate(&a->why, a->level);
}

void job_report_sentence(const struct job_report *a, struct str *out)
{
	enum gate gate = stopping(a);
	const struct reason *reason = a->level_asked ? &a->why.check[gate].reason : &a->why.lead;

	if (a->why.verdict == VERDICT_NEVER)
		reason = &a->why.lead;
	if (gate != GATE_NONE)
		job_text_sentence(a->s, a->job, reason, a->env->now_s, out);
}

bool job_report_starts_next(const struct job_report *a)
{
	return a->why.verdict == VERDICT_STARTS_NOW && !a->level_asked;
}

/* --- JSON ------------------------------------------------------------------------------- */

static bool get_asked(const void *item, struct value *out)
{
	out->whole = job_procs(((const struct job_report *)item)->job);
	return true;
}

static bool get_pe(const void *item, struct value *out)
{
	out->real = pe_of(item);
	return true;
}

static bool get_attribute(const void *item, const char *name, struct value *out)
{
	attribute_text(item, name, &out->made);
	return value_made(out);
}

static bool get_job(const void *item, struct value *out)
{
	out->item = ((const struct job_report *)item)->job;
	return true;
}

static const struct field asked_tasks[] = {
	{"tasks", NULL, FIELD_COUNT, FIELD_AT(struct job, tasks)},
	{"task_procs", NULL, FIELD_COUNT, FIELD_AT(struct job, task_procs)},
	{"nodes_asked", NULL, FIELD_COUNT, FIELD_OR_NULL(struct job, nodes, 0)},
	{"tasks_per_node", NULL, FIELD_COUNT, FIELD_OR_NULL(struct job, tasks_per_node, 0)},
	{"swap_mb", NULL, FIELD_COUNT, FIELD_OR_NULL(struct job, swap_mb, 0)},
	{"disk_mb", NULL, FIELD_COUNT, FIELD_OR_NULL(struct job, disk_mb, 0)},
	{0},
};

/* Attributes whose text comes from state_print_attribute. */
static const struct field attributes[] = {
	{"gres", NULL, FIELD_TEXT, .get_named = get_attribute},
	{"features", NULL, FIELD_TEXT, .get_named = get_attribute},
	{"prefer", NULL, FIELD_TEXT, .get_named = get_attribute},
	{"hosts", NULL, FIELD_TEXT, .get_named = get_attribute},
	{"access", NULL, FIELD_TEXT, .get_named = get_attribute},
	{"nallocpolicy", NULL, FIELD_TEXT, .get_named = get_attribute},
	{JOB_DEPEND_ATTRIBUTE, NULL, FIELD_TEXT, .get_named = get_attribute},
	{0},
};

const struct field job_page_request[] = {
	{"procs", NULL, FIELD_COUNT, .get = get_asked},
	{.type = FIELD_MEMBERS, .get = get_job, .of = asked_tasks},
	{"pe", NULL, FIELD_REAL, .get = get_pe},
	{.type = FIELD_MEMBERS, .of = attributes},
	{0},
};

/* Returns when a running job reaches its wallclock limit; TIME_NEVER: unknown, or the job is not running. */
static int64_t due_end_s(const struct job_report *a)
{
	const struct job *job = a->job;
	int64_t resume_s;

	if (job->state != JOB_RUNNING)
		return TIME_NEVER;
	if (!job_is_released(job))
		return job_due_end_s(job);
	resume_s = placement_resume_at(a->s, a->slot, a->env->now_s);
	return resume_s == TIME_NEVER ? TIME_NEVER : resume_s + job_left_s(job, job->suspended_at_s);
}

static bool get_due_end(const void *item, struct value *out)
{
	out->whole = due_end_s(item);
	return out->whole != TIME_NEVER;
}

/* Total time for which the job has been suspended since its start. */
static bool get_suspended(const void *item, struct value *out)
{
	const struct job_report *a = item;
	const struct job *job = a->job;

	out->whole = job->suspended_s + (job_is_suspended(job) ? a->env->now_s - job->suspended_at_s : 0);
	return true;
}

static bool get_suspended_since(const void *item, struct value *out)
{
	const struct job *job = ((const struct job_report *)item)->job;

	out->whole = job->suspended_at_s;
	return job_is_suspended(job);
}

static bool get_released(const void *item, struct value *out)
{
	out->whole = job_is_released(((const struct job_report *)item)->job);
	return true;
}

static bool get_awaits_resume(const void *item, struct value *out)
{
	out->whole = job_awaits_resume(((const struct job_report *)item)->job);
	return true;
}

/*
 * The time at which the processors that the job released become free; not applicable if that time is unknown,
 * or if the job has not released any.
 */
static bool get_resume_expected(const void *item, struct value *out)
{
	const struct job_report *a = item;

	out->whole = placement_resume_at(a->s, a->slot, a->env->now_s);
	return out->whole != TIME_NEVER;
}

static bool get_points(const void *item, struct value *out)
{
	const struct job *job = ((const struct job_report *)item)->job;

	out->whole = job->points;
	return job->adjust != JOB_ADJUST_NONE;
}

static bool get_level(const void *item, struct value *out)
{
	const struct job_report *a = item;

	out->text = policy_level_name(a->level);
	return a->level_asked;
}

static bool get_passes(const void *item, struct value *out)
{
	const struct job_report *a = item;

	out->whole = stopping(a) == GATE_NONE;
	return a->level_asked;
}

static bool get_node(const void *item, struct value *out)
{
	const struct job_report *a = item;

	out->item = a;
	return a->node != INDEX_NONE;
}

static bool get_node_name(const void *item, struct value *out)
{
	const struct job_report *a = item;

	out->text = snapshot_string(a->s, snapshot_nodes(a->s)[a->node].name);
	return true;
}

static bool get_lack(const void *item, struct value *out)
{
	const struct job_report *a = item;

	out->text = node_fit_lack(a->on_node.lack);
	return a->on_node.lack != LACK_NONE;
}

static const struct field times[] = {
	{"id", NULL, FIELD_COUNT, FIELD_AT(struct job, id)},
	{"submit", NULL, FIELD_INSTANT, FIELD_AT(struct job, submit_s)},
	{"not_before", NULL, FIELD_INSTANT, FIELD_OR_NULL(struct job, not_before_s, TIME_NONE)},
	{"resume_by", NULL, FIELD_INSTANT, FIELD_OR_NULL(struct job, resume_s, 0)},
	{"defers", NULL, FIELD_COUNT, FIELD_AT(struct job, defer_count)},
	{"starts", NULL, FIELD_COUNT, FIELD_AT(struct job, start_count)},
	{"bypass", NULL, FIELD_COUNT, FIELD_AT(struct job, bypass)},
	{0},
};

static const struct field on_node[] = {
	{"name", NULL, FIELD_TEXT, .get = get_node_name},
	{"procs_ever", NULL, FIELD_COUNT, FIELD_AT(struct job_report, on_node.ever)},
	{"procs_now", NULL, FIELD_COUNT, FIELD_AT(struct job_report, on_node.now)},
	{"lack", NULL, FIELD_TEXT, .get = get_lack},
	{0},
};

const struct field job_page_fields[] = {
	{.type = FIELD_MEMBERS, .get = get_job, .of = times},
	{"due_end", NULL, FIELD_INSTANT, .get = get_due_end},
	{"suspended_s", NULL, FIELD_DURATION, .get = get_suspended},
	{"suspended_since", NULL, FIELD_INSTANT, .get = get_suspended_since},
	{"processors_released", NULL, FIELD_BOOL, .get = get_released},
	{"awaits_resume", NULL, FIELD_BOOL, .get = get_awaits_resume},
	{"resume_expected", NULL, FIELD_INSTANT, .get = get_resume_expected},
	{"system", NULL, FIELD_COUNT, .get = get_points},
	{"level", NULL, FIELD_TEXT, .get = get_level, .optional = true},
	{"passes", NULL, FIELD_BOOL, .get = get_passes, .optional = true},
	{"node", NULL, FIELD_OBJECT, .get = get_node, .of = on_node, .optional = true},
	{0},
};

void job_report_json(const struct job_report *a, struct str *out)
{
	const struct job_row row = {.s = a->s,
				    .job = a->job,
				    .slot = a->slot,
				    .now_s = a->env->now_s,
				    .future = &a->future,
				    .page = a,
				    .over_soft = a->over_soft};

	fields_document(out, job_fields, JOB_PAGE, &row);
}

/* --- text ------------------------------------------------------------------------------- */

static void row_moment(struct report *r, const struct job_report *a, const char *what, int64_t at_s,
		       int64_t none_s)
{
	struct str text = {0};

	if (at_s == none_s)
		return;
	job_text_moment(&text, at_s, a->env->now_s);
	report_pair(r, what, "%s", str_text(&text));
	str_free(&text);
}

static void rows_of_creds(struct report *r, const struct job_report *a)
{
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++) {
		const char *name = snapshot_job_cred(a->s, a->job, type);

		if (name)
			report_pair(r, cred_type_name(type), "%s", name);
	}
}

static void row_size(struct report *r, const char *what, int64_t mb)
{
	if (mb > 0)
		report_pair(r, what, "%" PRId64 " MB per task", mb);
}

static void rows_of_texts(struct report *r, const struct job_report *a)
{
	struct str text = {0};

	for (const struct field *f = attributes; f->key != NULL; f++) {
		attribute_text(a, f->key, &text);
		if (text.len > 0)
			report_pair(r, f->key, "%s", str_text(&text));
	}
	str_free(&text);
}

static void rows_of_request(struct report *r, const struct job_report *a)
{
	const struct job *job = a->job;
	char limit[DURATION_TEXT];

	report_pair(r, "asks for", "%" PRId64 " processor%s for %s", job_procs(job),
		    job_procs(job) == 1 ? "" : "s", duration_text(limit, job->wall_limit_s));
	if (job->task_procs > 1)
		report_pair(r, "tasks", "%" PRIu32 " of %" PRIu32 " processors", job->tasks, job->task_procs);
	if (job->nodes > 0)
		report_pair(r, "nodes requested", "%" PRIu32, job->nodes);
	if (job->tasks_per_node > 1)
		report_pair(r, "tasks per node", "%" PRIu32, job->tasks_per_node);
	row_size(r, "memory", job->mem_mb);
	row_size(r, "swap", job->swap_mb);
	row_size(r, "disk", job->disk_mb);
	rows_of_texts(r, a);
	report_pair(r, "PE", "%.2f", pe_of(a));
}

static void rows_of_suspension(struct report *r, const struct job_report *a)
{
	const struct job *job = a->job;
	char for_s[DURATION_TEXT];

	if (job->suspended_s > 0)
		report_pair(r, "was suspended", "for %s", duration_text(for_s, job->suspended_s));
	if (!job_is_suspended(job))
		return;
	row_moment(r, a, "suspended", job->suspended_at_s, TIME_NONE);
	row_moment(r, a, "resumed by", job->resume_s, 0);
	if (job_is_released(job)) {
		report_pair(r, "processors", "released");
		row_moment(r, a, "resume expected", placement_resume_at(a->s, a->slot, a->env->now_s),
			   TIME_NEVER);
	}
	report_pair(r, "remaining", "%s of its wallclock limit",
		    duration_text(for_s, job_left_s(job, a->env->now_s)));
}

static void row_of_estimate(struct report *r, const struct job_report *a)
{
	struct str text = {0};

	if (a->start.start_s == TIME_NEVER)
		return;
	estimated_text(&text, &a->start, a->job->planned_s, a->env->now_s);
	report_pair(r, "estimated start", "%s", str_text(&text));
	str_free(&text);
}

/* Adds a row with what the resource manager says about the job, if that manager decides which jobs start. */
static void row_of_manager(struct report *r, const struct job_report *a)
{
	struct str text = {0};

	if (job_text_manager(a->s, a->job, a->env->now_s, &text))
		report_pair(r, "decided by", "%s", str_text(&text));
	str_free(&text);
}

static void rows_of_time(struct report *r, const struct job_report *a)
{
	const struct job *job = a->job;
	int64_t until_s = job->state == JOB_RUNNING ? job->start_s : a->env->now_s;
	char all[DURATION_TEXT], effective[DURATION_TEXT];

	row_moment(r, a, "submitted", job->submit_s, TIME_NONE);
	report_pair(r, "queued", "%s, effective %s", duration_text(all, until_s - job->submit_s),
		    duration_text(effective, job_queued_s(job, a->env->now_s)));
	row_moment(r, a, "not before", job->not_before_s, TIME_NONE);
	row_moment(r, a, "started", job->start_s, TIME_NONE);
	if (job->state == JOB_RUNNING) {
		rows_of_suspension(r, a);
		row_moment(r, a, "ends by", due_end_s(a), TIME_NEVER);
		return;
	}
	row_moment(r, a, "reserved start", job->planned_s, TIME_NEVER);
	row_of_estimate(r, a);
	row_of_manager(r, a);
}

static void rows_of_rank(struct report *r, const struct job_report *a)
{
	const struct job *job = a->job;

	if (job->adjust == JOB_ADJUST_RELATIVE)
		report_pair(r, "priority", "%" PRId64 "  (includes %+" PRId64 " set by an operator)",
			    a->priority.rank, job->points);
	else if (job->adjust == JOB_ADJUST_ABSOLUTE)
		report_pair(r, "priority", "%" PRId64 "  (set by an operator)", a->priority.rank);
	else
		report_pair(r, "priority", "%" PRId64, a->priority.rank);
}

static void rows_of_fate(struct report *r, const struct job_report *a)
{
	const struct job *job = a->job;
	const char *reason = snapshot_string(a->s, job->hold_reason);

	report_pair(r, "holds", "%s%s%s", job_hold_names(job->holds), job->holds && reason[0] ? ": " : "",
		    job->holds ? reason : "");
	row_moment(r, a, "deferred until", job->defer_until_s, TIME_NONE);
	if (job->defer_count > 0)
		report_pair(r, "deferrals", "%" PRIu32 "%s%s", job->defer_count,
			    reason[0] ? ", the last: " : "", reason);
	report_pair(r, "bypass", "%" PRIu32, job->bypass);
	report_pair(r, "starts", "%" PRIu32, job->start_count);
}

static void row_of_nodes(struct report *r, const struct job_report *a)
{
	struct str nodes = {0};

	job_text_nodes(a->s, a->job, &nodes);
	if (nodes.len > 0)
		report_pair(r, a->job->state == JOB_RUNNING ? "nodes" : "reserved nodes", "%s",
			    str_text(&nodes));
	str_free(&nodes);
}

static const char *can_run(enum policy_level level)
{
	switch (level) {
	case POLICY_LEVEL_SOFT:
		return "The job can run now.";
	case POLICY_LEVEL_HARD:
		return "The job can run now, if only hard limits apply.";
	case POLICY_LEVEL_OFF:
		return "The job can run now, if no limits apply.";
	default:
		return "The job can run at some time.";
	}
}

/* Prints why the job does not start, and whether it fits the requested policy level and node. */
static void print_answers(const struct job_report *a, struct str *out)
{
	const struct node_fit *node = &a->on_node;
	struct str text = {0};

	job_report_sentence(a, &text);
	if (text.len == 0 && a->level_asked && a->job->state == JOB_IDLE)
		str_add(&text, can_run(a->level));
	if (text.len > 0)
		str_add_char(out, '\n');
	text_safe(out, str_text(&text), a->env->ascii);
	if (text.len > 0)
		str_add_char(out, '\n');
	str_free(&text);
	if (a->node == INDEX_NONE)
		return;
	str_add(out, "\nNode ");
	text_safe(out, snapshot_string(a->s, snapshot_nodes(a->s)[a->node].name), a->env->ascii);
	str_addf(out, " %s: %" PRId64 " processor%s for the job when empty, %" PRId64 " now.\n",
		 node_fit_lack(node->lack), node->ever, node->ever == 1 ? "" : "s", node->now);
}

void job_report_text(const struct job_report *a, struct str *out)
{
	static const struct report_column columns[] = {{"", TEXT_LEFT}, {"", TEXT_LEFT}};
	struct report r = {.column = columns, .columns = 2, .no_titles = true};
	const struct job *job = a->job;
	char label[JOB_LABEL_TEXT];

	report_pair(&r, "job", "%s", snapshot_job_label(a->s, job, label));
	if (job->name)
		report_pair(&r, "name", "%s", snapshot_string(a->s, job->name));
	report_pair(&r, "state", "%s%s%s", job_text_state(job, a->env->now_s),
		    job->flags & JOB_BACKFILLED ? ", backfilled" : "",
		    a->over_soft ? ", over a soft limit" : "");
	rows_of_creds(&r, a);
	if (job->partition != 0)
		report_pair(&r, "partition", "%s",
			    snapshot_string(a->s, snapshot_partitions(a->s)[job->partition].name));
	rows_of_request(&r, a);
	rows_of_time(&r, a);
	rows_of_rank(&r, a);
	rows_of_fate(&r, a);
	row_of_nodes(&r, a);
	report_print(&r, 0, a->env->ascii, out);
	report_free(&r);
	if (a->start.placeholder)
		estimated_note(out, &a->future, a->env->now_s);
	print_answers(a, out);
}
