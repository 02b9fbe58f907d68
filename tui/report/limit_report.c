/* SPDX-License-Identifier: MIT */
/*
 * limit_report.c - throttling limits with their current usage
 *
 * A limit is identified by its scope, kind and credentials. A reason has the same data, with two exceptions:
 * an override belongs to the QOS, whichever usage it is compared with; and the limit of class DEFAULT applies
 * to each class without a limit of its own.
 */
#include "limit_report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/config/config.h"
#include "sched/policy/throttle.h"

/* --- throttling limits with their current usage ------------------------------------------------------- */

/* --- identity of a limit ------------------------------------------------------------------------------ */

struct limit_id {
	uint8_t scope, kind;
	uint32_t cred, second;
};

static bool is_override(uint8_t scope)
{
	return scope == LIMIT_OVERRIDE_ACTIVE || scope == LIMIT_OVERRIDE_IDLE;
}

static bool is_limit(const struct reason *reason)
{
	return reason->gate >= GATE_CLASS_LIMIT && reason->gate <= GATE_ACTIVE_SOFT;
}

static struct limit_id id_of_row(const struct limit_row *row)
{
	return (struct limit_id){row->scope, row->kind, row->cred,
				 is_override(row->scope) ? INDEX_NONE : row->second};
}

static bool class_sets(const struct cred_attr *attr, enum limit_kind kind)
{
	switch (kind) {
	case LIMIT_WC:
		return attr->max_wall_s != 0;
	case LIMIT_PROC:
		return attr->max_procs != 0;
	default:
		return attr->max_nodes != 0;
	}
}

/*
 * Returns the QOS whose limits apply to the job: the QOS of the job; if the job has no QOS, the QOS "none" if
 * that has limits, else DEFAULT.
 */
static uint32_t qos_of(const struct snapshot *s, const struct job *job)
{
	uint32_t none;

	if (job->cred[CRED_QOS] != INDEX_NONE)
		return job->cred[CRED_QOS];
	none = snapshot_find_cred(s, CRED_QOS, CRED_NONE);
	return none != INDEX_NONE && snapshot_creds(s)[none].limit_count > 0 ? none : (uint32_t)CRED_QOS;
}

static struct limit_id id_of_reason(const struct snapshot *s, const struct job *job,
				    const struct reason *reason)
{
	struct limit_id id = {reason->scope, reason->kind, reason->cred, reason->second};

	if (is_override(reason->scope))
		return (struct limit_id){id.scope, id.kind, qos_of(s, job), INDEX_NONE};
	if (reason->scope == LIMIT_CLASS &&
	    !class_sets(&snapshot_creds(s)[reason->cred].attr, (enum limit_kind)reason->kind))
		id.cred = CRED_CLASS;
	return id;
}

static int compare_numbers(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_ids(const struct limit_id *a, const struct limit_id *b)
{
	int order = compare_numbers(a->scope, b->scope);

	if (order == 0)
		order = compare_numbers(a->kind, b->kind);
	if (order == 0)
		order = compare_numbers(a->cred, b->cred);
	return order != 0 ? order : compare_numbers(a->second, b->second);
}

/* --- collection of rows ------------------------------------------------------------------------------- */

static void add_row(struct limit_list *l, struct limit_row row)
{
	l->row = vec_room(l->row, &l->room, l->count + 1, sizeof *l->row);
	l->row[l->count++] = row;
}

static const char *cred_text(const struct limit_list *l, uint32_t cred)
{
	return cred == INDEX_NONE ? "" : snapshot_string(l->s, snapshot_creds(l->s)[cred].name);
}

static bool is_named_before(const struct limit_list *l, const struct limit_row *a, const struct limit_row *b)
{
	int order = strcmp(cred_text(l, a->cred), cred_text(l, b->cred));

	return order != 0 ? order < 0 : strcmp(cred_text(l, a->second), cred_text(l, b->second)) < 0;
}

/*
 * Adds the rows of one limit. Credentials to which a DEFAULT limit applies are sorted by name, because their
 * indexes differ in a restored state.
 */
static void add_limit(void *self, const struct limit *limit, uint32_t cred, uint32_t second, int64_t used)
{
	struct limit_list *l = self;

	if (l->of != limit)
		l->first = l->count;
	l->of = limit;
	add_row(l, (struct limit_row){.kind = limit->kind,
				      .scope = limit->scope,
				      .second_type = limit->second_type,
				      .cred = cred,
				      .second = second,
				      .used = used,
				      .soft = limit->soft,
				      .hard = limit->hard});
	for (size_t i = l->count - 1; i > l->first && is_named_before(l, &l->row[i], &l->row[i - 1]); i--) {
		struct limit_row row = l->row[i];

		l->row[i] = l->row[i - 1];
		l->row[i - 1] = row;
	}
}

/*
 * Returns the largest request of any job of the class; of any job at all if class_cred is INDEX_NONE or class
 * DEFAULT.
 */
static int64_t largest(const struct limit_list *l, enum limit_kind kind, uint32_t class_cred)
{
	const struct machine machine = snapshot_machine(l->s);
	const struct job *jobs = snapshot_jobs(l->s);
	bool of_all = class_cred == INDEX_NONE || class_cred == CRED_CLASS;
	int64_t most = 0;

	for (uint32_t i = 0; i < snapshot_count(l->s, TABLE_JOBS); i++) {
		struct job job = jobs[i];
		int64_t amount;

		if (job.state == JOB_NONE || (!of_all && job.cred[CRED_CLASS] != class_cred))
			continue;
		job.state = JOB_IDLE; /* so that its whole wallclock limit counts, and not only the remaining
					 time */
		amount = throttle_amount(kind, &job, &machine, l->s->policy.site.grace_s, l->now_s);
		if (amount > most)
			most = amount;
	}
	return most;
}

static void add_single(struct limit_list *l, enum limit_scope scope, enum limit_kind kind, uint32_t cred,
		       int64_t most)
{
	if (most > 0)
		add_row(l, (struct limit_row){.kind = (uint8_t)kind,
					      .scope = (uint8_t)scope,
					      .second_type = CRED_TYPE_COUNT,
					      .cred = cred,
					      .second = INDEX_NONE,
					      .used = largest(l, kind, cred),
					      .soft = most,
					      .hard = most});
}

static void add_singles(struct limit_list *l)
{
	const struct policy *p = &l->s->policy;
	const struct cred *cred = snapshot_creds(l->s);

	add_single(l, LIMIT_SYSTEM, LIMIT_PROC, INDEX_NONE, p->max_job_procs);
	add_single(l, LIMIT_SYSTEM, LIMIT_WC, INDEX_NONE, p->max_job_wall_s);
	add_single(l, LIMIT_SYSTEM, LIMIT_PS, INDEX_NONE, p->max_job_ps);
	for (uint32_t i = 0; i < snapshot_count(l->s, TABLE_CREDS); i++) {
		if (cred[i].type != CRED_CLASS)
			continue;
		add_single(l, LIMIT_CLASS, LIMIT_WC, i, cred[i].attr.max_wall_s);
		add_single(l, LIMIT_CLASS, LIMIT_PROC, i, cred[i].attr.max_procs);
		add_single(l, LIMIT_CLASS, LIMIT_NODE, i, cred[i].attr.max_nodes);
	}
}

/* --- jobs blocked by limits --------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
	const struct limit_row *x = a, *y = b;
	struct limit_id id_x = id_of_row(x), id_y = id_of_row(y);
	int order = compare_ids(&id_x, &id_y);

	return order != 0 ? order : compare_numbers(x->order, y->order);
}

/* Returns the first row with the ID, in rows sorted by by_id; NULL if there is none. */
static struct limit_row *find_sorted(const struct limit_list *l, const struct limit_id *id)
{
	size_t low = 0, high = l->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		struct limit_id found = id_of_row(&l->row[middle]);

		if (compare_ids(&found, id) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < l->count) {
		struct limit_id found = id_of_row(&l->row[low]);

		if (compare_ids(&found, id) == 0)
			return &l->row[low];
	}
	return NULL;
}

static void count_jobs(struct limit_list *l, const struct plan *plan)
{
	const struct waiting *waiting = snapshot_waiting(l->s);

	for (uint32_t i = 0; i < snapshot_count(l->s, TABLE_WAITING); i++) {
		uint32_t slot = waiting[i].slot;
		const struct reason *reason = &plan->reason[slot];
		struct limit_row *row;
		struct limit_id id;

		if (!is_limit(reason))
			continue;
		id = id_of_reason(l->s, &snapshot_jobs(l->s)[slot], reason);
		row = find_sorted(l, &id);
		if (row)
			row->holds_back++;
	}
}

/* --- the list -------------------------------------------------------------------------------- */

static int by_harm(const void *a, const void *b)
{
	const struct limit_row *x = a, *y = b;
	double part_x = limit_row_percent(x), part_y = limit_row_percent(y);

	if (x->holds_back != y->holds_back)
		return x->holds_back > y->holds_back ? -1 : 1;
	if (part_x > part_y || part_x < part_y)
		return part_x > part_y ? -1 : 1;
	return compare_numbers(x->order, y->order);
}

void limit_list_build(struct limit_list *l, const struct snapshot *s, const struct plan *plan)
{
	l->s = s;
	l->now_s = plan->now_s;
	l->count = l->first = 0;
	l->of = NULL;
	throttle_each(plan->queue.throttle, add_limit, l);
	add_singles(l);
	if (l->count == 0)
		return;
	for (size_t i = 0; i < l->count; i++)
		l->row[i].order = (uint32_t)i;
	qsort(l->row, l->count, sizeof *l->row, by_id);
	count_jobs(l, plan);
	qsort(l->row, l->count, sizeof *l->row, by_harm);
}

void limit_list_free(struct limit_list *l)
{
	free(l->row);
	*l = (struct limit_list){0};
}

size_t limit_list_find_row(const struct limit_list *l, const struct limit_row *row)
{
	struct limit_id id = id_of_row(row);
	size_t best = l->count;

	for (size_t i = 0; i < l->count; i++) {
		struct limit_id found = id_of_row(&l->row[i]);

		if (compare_ids(&found, &id) == 0 &&
		    (best == l->count || l->row[i].order < l->row[best].order))
			best = i;
	}
	return best;
}

/* --- one row --------------------------------------------------------------------------------- */

double limit_row_percent(const struct limit_row *row)
{
	if (row->soft == LIMIT_UNLIMITED)
		return 0;
	return row->soft > 0 ? 100 * (double)row->used / (double)row->soft : row->used > 0 ? 100 : 0;
}

bool limit_row_is_per_job(const struct limit_row *row)
{
	return row->scope == LIMIT_SYSTEM || row->scope == LIMIT_CLASS;
}

bool limit_row_is_override(const struct limit_row *row)
{
	return is_override(row->scope);
}

static const char *type_of(const struct snapshot *s, uint32_t cred)
{
	return cred == INDEX_NONE ? "system" : cred_type_name((enum cred_type)snapshot_creds(s)[cred].type);
}

static const char *name_of(const struct snapshot *s, uint32_t cred)
{
	return cred == INDEX_NONE ? NULL : snapshot_string(s, snapshot_creds(s)[cred].name);
}

const char *limit_row_owner_type(const struct snapshot *s, const struct limit_row *row)
{
	return type_of(s, row->cred);
}

const char *limit_row_owner(const struct snapshot *s, const struct limit_row *row)
{
	return name_of(s, row->cred);
}

static void add_plain_name(uint8_t scope, uint8_t kind, struct str *out)
{
	str_addf(out, "%s%s", scope == LIMIT_CLASS ? "MAX." : "",
		 limit_name((enum limit_scope)scope, (enum limit_kind)kind));
}

void limit_row_add_name(const struct snapshot *s, const struct limit_row *row, struct str *out)
{
	add_plain_name(row->scope, row->kind, out);
	if (row->second_type == CRED_TYPE_COUNT)
		return;
	str_add_char(out, '[');
	report_capitals(out, cred_type_name((enum cred_type)row->second_type));
	if (row->second != INDEX_NONE)
		str_addf(out, ":%s", name_of(s, row->second));
	str_add_char(out, ']');
}

void limit_row_add_option(const struct snapshot *s, const struct limit_row *row, struct str *out)
{
	size_t name;

	if (row->cred != INDEX_NONE)
		str_addf(out, "%s[%s].", type_of(s, row->cred), name_of(s, row->cred));
	else if (row->scope != LIMIT_SYSTEM)
		str_add(out, "system.");
	name = out->len;
	add_plain_name(row->scope, row->kind, out);
	for (size_t i = name; i < out->len; i++)
		out->data[i] = (char)tolower((unsigned char)out->data[i]);
	if (row->second_type == CRED_TYPE_COUNT)
		return;
	str_addf(out, "[%s", cred_type_name((enum cred_type)row->second_type));
	if (row->second != INDEX_NONE)
		str_addf(out, ":%s", name_of(s, row->second));
	str_add_char(out, ']');
}

void limit_row_add_value(const struct limit_row *row, struct str *out)
{
	struct limit limit = {.kind = row->kind, .soft = row->soft, .hard = row->hard};

	config_print_limit(&limit, out);
}

static void add_label(const struct snapshot *s, const struct limit_id *id, struct str *out)
{
	add_plain_name(id->scope, id->kind, out);
	str_addf(out, "/%s", type_of(s, id->cred));
	if (id->cred != INDEX_NONE)
		str_addf(out, ":%s", name_of(s, id->cred));
	if (id->second != INDEX_NONE)
		str_addf(out, "/%s:%s", type_of(s, id->second), name_of(s, id->second));
}

void limit_add_label(const struct snapshot *s, const struct job *job, const struct reason *reason,
		     struct str *out)
{
	struct limit_id id;

	if (!is_limit(reason))
		return;
	id = id_of_reason(s, job, reason);
	add_label(s, &id, out);
}

void limit_row_add_label(const struct snapshot *s, const struct limit_row *row, struct str *out)
{
	struct limit_id id = id_of_row(row);

	add_label(s, &id, out);
}

bool limit_row_holds(const struct snapshot *s, const struct limit_row *row, const struct job *job,
		     const struct reason *reason)
{
	struct limit_id own = id_of_row(row), id;

	if (!is_limit(reason))
		return false;
	id = id_of_reason(s, job, reason);
	return compare_ids(&own, &id) == 0;
}

/* Does the job belong to the credential? A job without a credential of the type belongs to "none". */
static bool is_of(const struct snapshot *s, const struct job *job, uint32_t cred)
{
	const struct cred *c = &snapshot_creds(s)[cred];

	if (c->type == CRED_QOS)
		return qos_of(s, job) == cred;
	return job->cred[c->type] == cred ||
	       (job->cred[c->type] == INDEX_NONE && str_same_word(snapshot_string(s, c->name), CRED_NONE));
}

bool limit_row_counts(const struct snapshot *s, const struct limit_row *row, const struct job *job,
		      bool active)
{
	bool of_active = row->scope == LIMIT_ACTIVE || row->scope == LIMIT_OVERRIDE_ACTIVE;

	if (limit_row_is_per_job(row) || (row->scope != LIMIT_QUEUED && active != of_active))
		return false;
	if (row->second_type != CRED_TYPE_COUNT && row->second == INDEX_NONE)
		return false; /* the limit applies to each credential of a type, and none of them uses it */
	return (row->cred == INDEX_NONE || is_of(s, job, row->cred)) &&
	       (row->second == INDEX_NONE || is_of(s, job, row->second));
}

/* --- fields ------------------------------------------------------------------------------------------- */

static const struct snapshot *snapshot_of(const void *item)
{
	return ((const struct limit_item *)item)->list->s;
}

static const struct limit_row *row_of(const void *item)
{
	return ((const struct limit_item *)item)->row;
}

static bool get_type(const void *item, struct value *out)
{
	out->text = limit_row_owner_type(snapshot_of(item), row_of(item));
	return true;
}

static bool get_owner(const void *item, struct value *out)
{
	out->text = limit_row_owner(snapshot_of(item), row_of(item));
	return out->text != NULL;
}

static enum role cell_credential(const void *item, struct str *out)
{
	const char *owner = limit_row_owner(snapshot_of(item), row_of(item));

	str_addf(out, "%s%s%s", limit_row_owner_type(snapshot_of(item), row_of(item)), owner ? " " : "",
		 owner ? owner : "");
	return ROLE_TEXT;
}

static bool get_limit(const void *item, struct value *out)
{
	out->text = limit_name((enum limit_scope)row_of(item)->scope, (enum limit_kind)row_of(item)->kind);
	return true;
}

static bool get_label(const void *item, struct value *out)
{
	limit_row_add_name(snapshot_of(item), row_of(item), &out->made);
	return value_made(out);
}

static enum role cell_limit(const void *item, struct str *out)
{
	limit_row_add_name(snapshot_of(item), row_of(item), out);
	str_add(out, row_of(item)->scope == LIMIT_CLASS    ? " a job"
		     : limit_row_is_override(row_of(item)) ? " (override)"
							   : "");
	return ROLE_TEXT;
}

static bool get_second_type(const void *item, struct value *out)
{
	unsigned type = row_of(item)->second_type;

	out->text = type != CRED_TYPE_COUNT ? cred_type_name((enum cred_type)type) : NULL;
	return out->text != NULL;
}

static bool get_second(const void *item, struct value *out)
{
	const struct snapshot *s = snapshot_of(item);
	const struct limit_row *row = row_of(item);

	if (row->second_type == CRED_TYPE_COUNT || row->second == INDEX_NONE)
		return false;
	out->text = snapshot_string(s, snapshot_creds(s)[row->second].name);
	return true;
}

static bool get_per_job(const void *item, struct value *out)
{
	out->whole = limit_row_is_per_job(row_of(item));
	return true;
}

static bool get_override(const void *item, struct value *out)
{
	out->whole = limit_row_is_override(row_of(item));
	return true;
}

static bool get_percent(const void *item, struct value *out)
{
	out->real = limit_row_percent(row_of(item));
	return true;
}

static bool get_used(const void *item, struct value *out)
{
	out->whole = row_of(item)->used;
	return true;
}

static bool get_soft(const void *item, struct value *out)
{
	out->whole = row_of(item)->soft;
	return out->whole != LIMIT_UNLIMITED;
}

static bool get_hard(const void *item, struct value *out)
{
	out->whole = row_of(item)->hard;
	return out->whole != LIMIT_UNLIMITED;
}

static bool get_holds_back(const void *item, struct value *out)
{
	out->whole = row_of(item)->holds_back;
	return true;
}

const struct field limit_fields[] = {
	{"type", "CREDENTIAL", FIELD_TEXT, .get = get_type, .cell = cell_credential},
	{"name", NULL, FIELD_TEXT, .get = get_owner},
	{"limit", "LIMIT", FIELD_TEXT, .get = get_limit, .cell = cell_limit},
	{"label", NULL, FIELD_TEXT, .get = get_label},
	{"second_type", NULL, FIELD_TEXT, .get = get_second_type},
	{"second", NULL, FIELD_TEXT, .get = get_second},
	{"per_job", NULL, FIELD_BOOL, .get = get_per_job},
	{"override", NULL, FIELD_BOOL, .get = get_override},
	{"in_use", "IN USE", FIELD_COUNT, .get = get_used},
	{"soft", "SOFT", FIELD_COUNT, .get = get_soft},
	{"hard", "HARD", FIELD_COUNT, .get = get_hard},
	{"percent", "OF SOFT", FIELD_PERCENT, .get = get_percent},
	{"holds_back", "HOLDS BACK", FIELD_COUNT, .get = get_holds_back},
	{0},
};

static void each_row(const void *list, field_visit *visit, void *self)
{
	const struct limit_list *l = list;

	for (size_t i = 0; i < l->count; i++)
		visit(self, &(struct limit_item){l, &l->row[i]});
}

const struct field limit_document_fields[] = {
	{"now", NULL, FIELD_INSTANT, FIELD_AT(struct limit_list, now_s)},
	{"limits", NULL, FIELD_LIST, .each = each_row, .of = limit_fields},
	{0},
};

/* --- jobs that count against a limit ------------------------------------------------------------------ */

/*
 * Returns a copy of the job in the state in which it counts: a job that the next pass starts counts as
 * running.
 */
static struct job counted_job(const struct forecast *f, uint32_t slot)
{
	struct job job = snapshot_jobs(f->s)[slot];

	if (job.state == JOB_IDLE && f->plan.reason[slot].gate == GATE_NONE &&
	    f->plan.start_s[slot] == f->plan.now_s) {
		job.state = JOB_RUNNING;
		job.start_s = f->plan.now_s;
	}
	return job;
}

/*
 * Returns an array, by slot: 1 if the job is eligible. The pass decides this before it starts jobs; the
 * started jobs may bring an eligible job to a hard limit. The caller frees the array.
 */
static uint8_t *find_eligible(const struct forecast *f)
{
	const struct queue *q = &f->plan.queue;
	uint8_t *eligible = mem_zero((size_t)f->plan.slots + 1, 1);

	for (uint32_t i = 0; i < q->idle_count; i++)
		eligible[q->idle[i].slot] = 1;
	for (uint32_t i = 0; i < q->blocked_count; i++)
		eligible[q->blocked[i]] = q->blocked_reason[i].gate >= GATE_ACTIVE_SOFT;
	return eligible;
}

void limit_use_each(const struct forecast *f, const struct limit_row *row, limit_use_visit *visit, void *self)
{
	const struct queue *q = &f->plan.queue;
	const struct waiting *waiting = snapshot_waiting(f->s);
	uint8_t *eligible = find_eligible(f);

	for (uint32_t i = 0; i < q->active_count; i++) {
		const struct job *job = &snapshot_jobs(f->s)[q->active[i]];

		if (limit_row_counts(f->s, row, job, true))
			visit(self, q->active[i], job);
	}
	for (uint32_t i = 0; i < snapshot_count(f->s, TABLE_WAITING); i++) {
		struct job job = counted_job(f, waiting[i].slot);
		bool starts = job.state == JOB_RUNNING;

		if ((starts || eligible[waiting[i].slot]) && limit_row_counts(f->s, row, &job, starts))
			visit(self, waiting[i].slot, &job);
	}
	free(eligible);
}

int64_t limit_use_amount(const struct forecast *f, const struct limit_row *row, uint32_t slot,
			 const struct job *job, int64_t at_s)
{
	return throttle_amount_at(f->plan.queue.throttle, (enum limit_kind)row->kind, slot, job, at_s);
}

int64_t limit_use_procs(const struct forecast *f, uint32_t slot, const struct job *job)
{
	return throttle_amount_at(f->plan.queue.throttle, LIMIT_PROC, slot, job, f->plan.now_s);
}

static void add_job(void *self, uint32_t slot, const struct job *job)
{
	struct limit_use *use = self;

	if (job->state == JOB_RUNNING && job_due_end_s(job) <= use->at_s && use->at_s > use->f->plan.now_s)
		return;
	use->amount += limit_use_amount(use->f, use->row, slot, job, use->at_s);
	use->jobs++;
	if (job->state != JOB_RUNNING)
		return;
	use->running++;
	use->procs += limit_use_procs(use->f, slot, job);
	if (job_due_end_s(job) > use->at_s && job_due_end_s(job) < use->next_end_s)
		use->next_end_s = job_due_end_s(job);
}

struct limit_use limit_use_at(const struct forecast *f, const struct limit_row *row, int64_t at_s)
{
	struct limit_use use = {.f = f, .row = row, .at_s = at_s, .next_end_s = TIME_NEVER};

	limit_use_each(f, row, add_job, &use);
	return use;
}

bool limit_use_falls(const struct limit_row *row)
{
	return row->kind == LIMIT_PS || row->kind == LIMIT_WC;
}
