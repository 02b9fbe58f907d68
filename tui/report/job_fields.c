/* SPDX-License-Identifier: MIT */
/*
 * job_fields.c - fields of a job in the queue, and cells of job lists
 */
#include "job_fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "figure.h"
#include "job_report.h"
#include "job_text.h"
#include "limit_report.h"
#include "sched/base/duration.h"
#include "sched/pass/queue.h"
#include "sched/rm/wallclock.h"

/* --- cells of job lists ------------------------------------------------------------------------------- */

enum role jobs_role(const struct forecast *f, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(f->s)[slot];

	if (job->state == JOB_RUNNING)
		return job->flags & JOB_BACKFILLED ? ROLE_JOB_BACKFILLED : ROLE_JOB_RUNNING;
	if (job->holds)
		return ROLE_JOB_HELD;
	if (f->place[slot] == 0)
		return ROLE_JOB_BLOCKED;
	return job->planned_s != TIME_NEVER ? ROLE_JOB_RESERVED : ROLE_JOB_IDLE;
}

enum role jobs_add_label(const struct forecast *f, uint32_t slot, struct str *out)
{
	char label[JOB_LABEL_TEXT];

	str_add(out, snapshot_job_label(f->s, &snapshot_jobs(f->s)[slot], label));
	return jobs_role(f, slot);
}

enum role jobs_add_mark(const struct forecast *f, uint32_t slot, struct str *out)
{
	enum role role = jobs_role(f, slot);

	str_add(out, role_info(role)->mark);
	return role;
}

enum role jobs_add_cred(const struct forecast *f, uint32_t slot, enum cred_type type, struct str *out)
{
	const char *name = snapshot_job_cred(f->s, &snapshot_jobs(f->s)[slot], type);

	str_add(out, name ? name : "-");
	return ROLE_TEXT;
}

void jobs_add_moment(struct str *out, int64_t at_s, int64_t now_s)
{
	char when[MOMENT_TEXT], away[DURATION_TEXT];

	str_addf(out, "%s %s%s", wallclock_short(when, at_s, now_s), at_s < now_s ? "-" : "+",
		 duration_short(away, at_s < now_s ? now_s - at_s : at_s - now_s));
}

/*
 * Appends one mark at most: ~ for a placeholder, > for a start later than the reserved one. Returns the role.
 */
static enum role add_start_mark(const struct job *job, struct future_start start, struct str *out)
{
	if (start.placeholder) {
		str_add(out, FUTURE_MARK);
		return ROLE_START_PLACEHOLDER;
	}
	if (job->planned_s == TIME_NEVER || start.start_s <= job->planned_s) {
		str_add(out, " ");
		return job->planned_s == start.start_s ? ROLE_START_RESERVED : ROLE_START_ESTIMATE;
	}
	str_add(out, role_info(ROLE_START_SLIPS)->mark);
	return ROLE_START_SLIPS;
}

enum role jobs_add_start(const struct forecast *f, uint32_t slot, struct str *out)
{
	struct future_start start = forecast_start(f, slot);
	enum role role;

	if (start.start_s == TIME_NEVER && forecast_lead(f, slot).verdict == VERDICT_NEVER) {
		str_add(out, role_info(ROLE_START_NEVER)->mark);
		return ROLE_START_NEVER;
	}
	if (start.start_s == TIME_NEVER) {
		str_add(out, "-");
		return ROLE_DIM;
	}
	if (start.start_s <= f->plan.now_s) {
		str_addf(out, "%s%s", start.placeholder ? FUTURE_MARK : "", role_info(ROLE_START_NOW)->mark);
		return ROLE_START_NOW;
	}
	role = add_start_mark(&snapshot_jobs(f->s)[slot], start, out);
	jobs_add_moment(out, start.start_s, f->plan.now_s);
	return role;
}

bool jobs_add_slip(const struct forecast *f, uint32_t slot, struct str *out)
{
	const struct job *job = &snapshot_jobs(f->s)[slot];
	struct future_start start = forecast_start(f, slot);
	char reserved[MOMENT_TEXT], expected[MOMENT_TEXT];

	if (job->state != JOB_IDLE || job->planned_s == TIME_NEVER || start.placeholder ||
	    start.start_s == TIME_NEVER || start.start_s <= job->planned_s)
		return false;
	str_addf(out, "reserved %s, expected %s", wallclock_short(reserved, job->planned_s, f->plan.now_s),
		 wallclock_short(expected, start.start_s, f->plan.now_s));
	return true;
}

void jobs_add_manager(const struct snapshot *s, const struct job *job, int64_t now_s, struct str *out)
{
	size_t before = out->len;
	struct str said = {0};

	if (job_text_manager(s, job, now_s, &said))
		str_addf(out, "%s%s", before > 0 ? "; " : "would start; ", str_text(&said));
	str_free(&said);
}

enum role jobs_add_when(int64_t start_s, int64_t now_s, bool placeholder, struct str *out)
{
	char when[MOMENT_TEXT];

	if (start_s == TIME_NEVER) {
		str_add(out, "-");
		return ROLE_DIM;
	}
	str_addf(out, "%s%s", placeholder ? FUTURE_MARK : "",
		 start_s <= now_s ? role_info(ROLE_START_NOW)->mark : wallclock_short(when, start_s, now_s));
	return placeholder ? ROLE_START_PLACEHOLDER : ROLE_TEXT;
}

enum role jobs_add_change(int64_t before_s, int64_t after_s, int cells, struct str *out)
{
	int64_t by_s = after_s < before_s ? before_s - after_s : after_s - before_s;
	char by[DURATION_TEXT];

	if (before_s == after_s)
		return ROLE_DIM;
	if (before_s == TIME_NEVER || after_s == TIME_NEVER) {
		str_add(out, after_s == TIME_NEVER ? "no start" : "starts");
		return after_s == TIME_NEVER ? ROLE_LATER : ROLE_EARLIER;
	}
	if (strlen(duration_text(by, by_s)) + 1 > (size_t)cells)
		duration_short(by, by_s);
	str_addf(out, "%s%s", after_s < before_s ? "-" : "+", by);
	return after_s < before_s ? ROLE_EARLIER : ROLE_LATER;
}

static void add_place(struct str *out, uint32_t place)
{
	if (place)
		str_addf(out, "%" PRIu32, place);
	else
		str_add(out, "-");
}

enum role jobs_add_rank(uint32_t before, uint32_t after, struct str *out)
{
	add_place(out, before);
	if (before == after)
		return ROLE_DIM;
	str_add(out, " -> ");
	add_place(out, after);
	return after != 0 && (before == 0 || after < before) ? ROLE_EARLIER : ROLE_LATER;
}

/* --- values ------------------------------------------------------------------------------------------- */

static const struct plan *plan_of(const struct job_row *r)
{
	return r->future != NULL ? &r->future->plan : &r->forecast->plan;
}

static bool is_waiting(const struct job_row *r)
{
	return r->job->state == JOB_IDLE;
}

int64_t job_row_rank(const struct job_row *r)
{
	struct prio_world world;

	snapshot_world(r->s, r->now_s, &world);
	return queue_rank(r->s, r->job, &world, &plan_of(r)->queue.shares);
}

struct future_start job_row_start(const struct job_row *r)
{
	if (r->page != NULL)
		return r->page->start;
	if (!is_waiting(r))
		return (struct future_start){.start_s = TIME_NEVER, .end_s = TIME_NEVER, .tier = FUTURE_FULL};
	return r->future != NULL ? future_start(r->future, r->slot) : forecast_start(r->forecast, r->slot);
}

static struct reason reason_of(const struct job_row *r)
{
	return r->future != NULL ? explain_future(r->future, r->slot).reason
				 : forecast_lead(r->forecast, r->slot).reason;
}

static bool get_label(const void *item, struct value *out)
{
	const struct job_row *r = item;
	char label[JOB_LABEL_TEXT];

	str_add(&out->made, snapshot_job_label(r->s, r->job, label));
	return value_made(out);
}

static bool get_cred(const void *item, const char *key, struct value *out)
{
	const struct job_row *r = item;

	out->text = snapshot_job_cred(r->s, r->job, cred_type_find(key));
	return out->text != NULL;
}

static bool get_string(const struct job_row *r, uint32_t string, struct value *out)
{
	out->text = string != 0 ? snapshot_string(r->s, string) : NULL;
	return string != 0;
}

static bool get_name(const void *item, struct value *out)
{
	const struct job_row *r = item;

	return get_string(r, r->job->name, out);
}

static bool get_state(const void *item, struct value *out)
{
	const struct job_row *r = item;

	out->text = job_text_state(r->job, r->now_s);
	return true;
}

/* The state as filters name it: unlike the STATE column, it distinguishes blocked jobs from idle ones. */
static bool get_state_word(const void *item, struct value *out)
{
	const struct job_row *r = item;

	out->text = r->job->state == JOB_RUNNING ? "running"
		    : r->job->holds              ? "held"
		    : r->blocked                 ? "blocked"
						 : "idle";
	return true;
}

/* The limit that blocks the job. */
static bool get_limit(const void *item, struct value *out)
{
	const struct job_row *r = item;

	if (is_waiting(r))
		limit_add_label(r->s, r->job, &plan_of(r)->reason[r->slot], &out->made);
	return value_made(out);
}

static bool get_partition(const void *item, struct value *out)
{
	const struct job_row *r = item;

	out->text = snapshot_string(r->s, snapshot_partitions(r->s)[r->job->partition].name);
	return true;
}

static bool get_first_node(const void *item, struct value *out)
{
	const struct job_row *r = item;

	if (r->job->run == INDEX_NONE)
		return false;
	out->text = snapshot_string(r->s, snapshot_nodes(r->s)[snapshot_runs(r->s)[r->job->run].node].name);
	return true;
}

static bool get_procs(const void *item, struct value *out)
{
	out->whole = job_procs_counted(((const struct job_row *)item)->job);
	return true;
}

/* Used processor time in percent of the allocated processor time. */
static bool get_efficiency(const void *item, struct value *out)
{
	const struct job_row *r = item;
	double held = (double)job_procs_counted(r->job) * (double)job_held_s(r->job, r->now_s);

	out->real = 100 * (double)r->job->used_ps / held;
	return r->job->used_ps >= 0 && held > 0;
}

static bool get_wclimit(const void *item, struct value *out)
{
	out->whole = ((const struct job_row *)item)->job->wall_limit_s;
	return true;
}

static bool get_remaining(const void *item, struct value *out)
{
	const struct job_row *r = item;

	out->whole = job_left_s(r->job, r->now_s);
	return !is_waiting(r);
}

static bool get_start(const void *item, struct value *out)
{
	out->whole = ((const struct job_row *)item)->job->start_s;
	return out->whole != TIME_NONE;
}

static bool get_backfilled(const void *item, struct value *out)
{
	out->whole = (((const struct job_row *)item)->job->flags & JOB_BACKFILLED) != 0;
	return true;
}

static bool get_priority(const void *item, struct value *out)
{
	out->whole = job_row_rank(item);
	return true;
}

static bool get_xfactor(const void *item, struct value *out)
{
	const struct job_row *r = item;

	out->real = priority_xfactor(r->job, &r->s->policy, r->now_s);
	return true;
}

/* Effective queue time. */
static bool get_queued(const void *item, struct value *out)
{
	const struct job_row *r = item;

	out->whole = job_queued_s(r->job, r->now_s);
	return true;
}

static bool get_submit(const void *item, struct value *out)
{
	out->whole = ((const struct job_row *)item)->job->submit_s;
	return true;
}

static bool get_estimated_start(const void *item, struct value *out)
{
	out->whole = job_row_start(item).start_s;
	return out->whole != TIME_NEVER;
}

static bool get_reserved_start(const void *item, struct value *out)
{
	out->whole = ((const struct job_row *)item)->job->planned_s;
	return out->whole != TIME_NEVER;
}

static bool get_holds(const void *item, struct value *out)
{
	const struct job *job = ((const struct job_row *)item)->job;

	out->text = job->holds != 0 ? job_hold_names(job->holds) : NULL;
	return job->holds != 0;
}

static bool get_hold_reason(const void *item, struct value *out)
{
	const struct job_row *r = item;

	return get_string(r, r->job->hold_reason, out);
}

static bool get_reason(const void *item, struct value *out)
{
	const struct job_row *r = item;
	const struct reason reason = reason_of(r);

	job_text_short(r->s, &reason, r->now_s, &out->made);
	return value_made(out);
}

static bool get_manager_reason(const void *item, struct value *out)
{
	const struct job_row *r = item;

	return get_string(r, r->job->said, out);
}

static bool get_manager_start(const void *item, struct value *out)
{
	out->whole = ((const struct job_row *)item)->job->expected_s;
	return out->whole > 0;
}

/* Only jobs of a watched manager have these fields. */
static bool is_watched(const void *item)
{
	return ((const struct job_row *)item)->s->watched != 0;
}

static bool get_explanation(const void *item, struct value *out)
{
	const struct job_row *r = item;
	struct reason reason;

	if (r->page != NULL) {
		job_report_sentence(r->page, &out->made);
		if (out->made.len == 0 && job_report_starts_next(r->page))
			job_text_sentence(r->s, r->job, &(struct reason){.gate = GATE_NONE}, r->now_s,
					  &out->made);
		return value_made(out);
	}
	reason = reason_of(r);
	job_text_sentence(r->s, r->job, &reason, r->now_s, &out->made);
	return value_made(out);
}

static bool get_memory(const void *item, struct value *out)
{
	out->whole = ((const struct job_row *)item)->job->mem_mb;
	return out->whole != 0;
}

static bool get_array(const void *item, struct value *out)
{
	out->whole = (int64_t)((const struct job_row *)item)->job->array;
	return out->whole != 0;
}

static bool get_array_index(const void *item, struct value *out)
{
	const struct job *job = ((const struct job_row *)item)->job;

	out->whole = job->array_index;
	return job->array != 0;
}

static bool get_tier(const void *item, struct value *out)
{
	out->text = future_tier_name(job_row_start(item).tier);
	return true;
}

/* --- cells of the Queue screen -------------------------------------------------------------------------- */

static enum role cell_job(const void *item, struct str *out)
{
	const struct job_row *r = item;
	char label[JOB_LABEL_TEXT];

	str_add(out, r->label != NULL ? r->label : snapshot_job_label(r->s, r->job, label));
	return r->forecast != NULL ? jobs_role(r->forecast, r->slot) : ROLE_TEXT;
}

static enum role cell_mark(const void *item, struct str *out)
{
	const struct job_row *r = item;

	return jobs_add_mark(r->forecast, r->slot, out);
}

static enum role cell_none(struct str *out)
{
	str_add_char(out, '-');
	return ROLE_DIM;
}

static enum role cell_rank(const void *item, struct str *out)
{
	const struct job_row *r = item;

	if (!is_waiting(r))
		return cell_none(out);
	str_addf(out, "%" PRId64, job_row_rank(r));
	return r->forecast->place[r->slot] != 0 ? ROLE_STRONG : ROLE_DIM;
}

static enum role cell_xfactor(const void *item, struct str *out)
{
	const struct job_row *r = item;

	if (!is_waiting(r))
		return cell_none(out);
	formula_fixed(out, priority_xfactor(r->job, &r->s->policy, r->now_s));
	return ROLE_DIM;
}

/* Appends the effective queue time; for a running job, the time from submission to start. */
static enum role cell_queued(const void *item, struct str *out)
{
	const struct job_row *r = item;
	char text[DURATION_TEXT];

	str_add(out, duration_short(text, is_waiting(r) ? job_queued_s(r->job, r->now_s)
							: r->job->start_s - r->job->submit_s));
	return is_waiting(r) ? ROLE_TEXT : ROLE_DIM;
}

/* Appends the estimated start; for a running job, the time at which it reaches its wallclock limit. */
static enum role cell_start(const void *item, struct str *out)
{
	const struct job_row *r = item;

	if (is_waiting(r))
		return jobs_add_start(r->forecast, r->slot, out);
	if (job_due_end_s(r->job) == TIME_NEVER)
		return cell_none(out);
	str_add_char(out, ' ');
	jobs_add_moment(out, job_due_end_s(r->job), r->now_s);
	return ROLE_TEXT;
}

/* Appends why the job waits; for a running job, the used percentage of its wallclock limit. */
static enum role cell_why(const void *item, struct str *out)
{
	const struct job_row *r = item;
	struct reason reason;

	if (!is_waiting(r)) {
		str_addf(out, "%3" PRId64 "%%", job_ran_s(r->job, r->now_s) * 100 / r->job->wall_limit_s);
		return ROLE_DIM;
	}
	reason = reason_of(r);
	job_text_short(r->s, &reason, r->now_s, out);
	return ROLE_REASON;
}

/* Why the manager does not start the job. */
static enum role cell_manager(const void *item, struct str *out)
{
	const struct job_row *r = item;

	str_add(out, is_waiting(r) ? snapshot_string(r->s, r->job->said) : "");
	return ROLE_DIM;
}

/* --- nodes and sort order ----------------------------------------------------------------------------- */

static void each_node(const void *item, field_visit *visit, void *self)
{
	const struct job_row *r = item;

	job_text_each_node(r->s, r->job, visit, self);
}

static const struct field node_fields[] = {
	{"node", NULL, FIELD_TEXT, FIELD_AT(struct job_node, node)},
	{"procs", NULL, FIELD_COUNT, FIELD_AT(struct job_node, procs)},
	{0},
};

static int compare_whole(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_id(const void *a, const void *b)
{
	const struct job_row *x = a, *y = b;

	return compare_whole((int64_t)x->job->id, (int64_t)y->job->id);
}

/* Sorts by queue time, longest last. */
static int by_queued(const void *a, const void *b)
{
	const struct job_row *x = a, *y = b;

	return compare_whole(y->job->accrual_s, x->job->accrual_s);
}

/* Sorts by start: waiting jobs by their estimated start, running jobs by their actual start. */
static int by_start(const void *a, const void *b)
{
	const struct job_row *x = a, *y = b;

	return compare_whole(x->forecast->start_s[x->slot], y->forecast->start_s[y->slot]);
}

static bool get_page(const void *item, struct value *out)
{
	out->item = ((const struct job_row *)item)->page;
	return out->item != NULL;
}

/* --- table of fields ---------------------------------------------------------------------------------- */

#define QUEUE   (JOB_ACTIVE | JOB_WAITING)
#define STARTED (JOB_ACTIVE | JOB_PAGE)
#define WAITING (JOB_WAITING | JOB_PAGE)

const struct field job_fields[] = {
	{"job", "JOB", FIELD_TEXT, .get = get_label, .cell = cell_job, .filter = "job", .search = true,
	 .by = by_id, FIELD_SCREEN(5, 8, 0)},
	{NULL, "", FIELD_TEXT, .cell = cell_mark, FIELD_SCREEN(1, 0, 0), .screen.name = "FLAG"},
	{"user", "USER", FIELD_TEXT, .get_named = get_cred, .filter = "user", .search = true, .sorts = true,
	 FIELD_SCREEN(7, 10, 0)},
	{"group", "GROUP", FIELD_TEXT, .get_named = get_cred, .filter = "group", .search = true,
	 FIELD_SCREEN(8, 10, 9), .screen.hidden = true},
	{"account", "ACCOUNT", FIELD_TEXT, .get_named = get_cred, .filter = "account", .search = true,
	 FIELD_SCREEN(8, 10, 8)},
	{"qos", "QOS", FIELD_TEXT, .get_named = get_cred, .filter = "qos", .search = true,
	 FIELD_SCREEN(6, 8, 6)},
	{"class", "CLASS", FIELD_TEXT, .get_named = get_cred, .filter = "class", .search = true,
	 FIELD_SCREEN(6, 8, 5)},
	{"state", "STATE", FIELD_TEXT, .get = get_state},
	{.type = FIELD_TEXT, .get = get_state_word, .filter = "state", .search = true},
	{.type = FIELD_TEXT, .get = get_limit, .filter = "limit", .search = true},
	{"partition", "PAR", FIELD_TEXT, .get = get_partition, .sets = JOB_PAGE},
	{NULL, "MHOST", FIELD_TEXT, .get = get_first_node},
	{"procs", "PROC", FIELD_COUNT, .get = get_procs, .sets = QUEUE, .filter = "procs", .sorts = true,
	 FIELD_SCREEN(4, 7, 0)},
	{.type = FIELD_MEMBERS, .get = get_page, .of = job_page_request, .sets = JOB_PAGE},
	{"wclimit_s", "WCLIMIT", FIELD_DURATION, .get = get_wclimit, .filter = "walltime", .sorts = true,
	 FIELD_SCREEN(10, 0, 2)},
	{NULL, "EFFIC", FIELD_REAL, .get = get_efficiency},
	{"remaining_s", "REMAINING", FIELD_DURATION, .get = get_remaining, .sets = JOB_ACTIVE},
	{"start", "STARTTIME", FIELD_INSTANT, .get = get_start, .sets = STARTED},
	{"backfilled", NULL, FIELD_BOOL, .get = get_backfilled, .sets = STARTED},
	{"over_soft", NULL, FIELD_BOOL, FIELD_AT(struct job_row, over_soft), .sets = STARTED},
	{"priority", "PRIO", FIELD_COUNT, .get = get_priority, .cell = cell_rank, .sets = WAITING,
	 .filter = "priority", FIELD_SCREEN(6, 9, 0)},
	{"xfactor", "XF", FIELD_REAL, .get = get_xfactor, .cell = cell_xfactor, FIELD_SCREEN(6, 0, 7)},
	{"queued_s", "QUEUED", FIELD_DURATION, .get = get_queued, .cell = cell_queued, .filter = "queued",
	 .by = by_queued, FIELD_SCREEN(6, 7, 4)},
	{"queued_since", "QUEUETIME", FIELD_INSTANT, .get = get_submit, .sets = JOB_WAITING},
	{"estimated_start", "EST.START", FIELD_INSTANT, .get = get_estimated_start, .cell = cell_start,
	 .sets = WAITING, .by = by_start, FIELD_SCREEN(20, 0, 0), .screen.name = "START"},
	{"reserved_start", NULL, FIELD_INSTANT, .get = get_reserved_start, .sets = WAITING},
	{"holds", NULL, FIELD_TEXT, .get = get_holds, .sets = WAITING},
	{"hold_reason", NULL, FIELD_TEXT, .get = get_hold_reason, .sets = JOB_PAGE},
	{"manager_reason", "SLURM", FIELD_TEXT, .get = get_manager_reason, .cell = cell_manager,
	 .sets = WAITING, .when = is_watched, FIELD_SCREEN(9, 18, 3), .screen.hidden = true},
	{"reason", "WHY NOT NOW", FIELD_TEXT, .get = get_reason, .cell = cell_why, .sets = JOB_WAITING,
	 FIELD_SCREEN(18, 0, 1), .screen.flexible = true, .screen.name = "WHY"},
	{"explanation", NULL, FIELD_TEXT, .get = get_explanation, .sets = WAITING},
	{"manager_start", NULL, FIELD_INSTANT, .get = get_manager_start, .sets = WAITING, .when = is_watched},
	{"mem_mb", NULL, FIELD_COUNT, .get = get_memory},
	{"name", "NAME", FIELD_TEXT, .get = get_name, .filter = "name", .search = true},
	{"nodes", NULL, FIELD_LIST, .each = each_node, .of = node_fields, .sets = STARTED},
	{"blocked", NULL, FIELD_BOOL, FIELD_AT(struct job_row, blocked), .sets = JOB_WAITING},
	{"array", NULL, FIELD_COUNT, .get = get_array},
	{"array_index", NULL, FIELD_COUNT, .get = get_array_index},
	{"tier", NULL, FIELD_TEXT, .get = get_tier, .sets = WAITING},
	{.type = FIELD_MEMBERS, .get = get_page, .of = job_page_fields, .sets = JOB_PAGE},
	{0},
};

struct job_row job_row_of(const struct forecast *f, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(f->s)[slot];

	return (struct job_row){.s = f->s,
				.job = job,
				.slot = slot,
				.now_s = f->plan.now_s,
				.forecast = f,
				.blocked = job->state == JOB_IDLE && f->place[slot] == 0};
}

bool jobs_match(const struct forecast *f, uint32_t slot, const struct filter *filter)
{
	const struct job_row row = job_row_of(f, slot);

	return fields_match(filter, job_fields, &row);
}
