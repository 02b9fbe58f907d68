/* SPDX-License-Identifier: MIT */
/*
 * throttle_bind.c - which limits bind a job?
 *
 * For each credential of the job: its own limits, then DEFAULT's where it has none in the same
 * place (kind, scope, type of the second). Among an owner's own, one for a named second
 * goes before the one for each of its type. What a QOS overrides is looked up as a limit is met.
 */
#include "throttle_inside.h"

static bool is_idle_scope(const struct limit *limit)
{
	return limit->scope == LIMIT_IDLE || limit->scope == LIMIT_QUEUED;
}

static bool is_active_scope(const struct limit *limit)
{
	return limit->scope == LIMIT_ACTIVE;
}

static bool same_place(const struct limit *a, const struct limit *b)
{
	return a->kind == b->kind && a->scope == b->scope && a->second_type == b->second_type;
}

/* The rows of an owner. */
struct rows {
	const struct limit *row;
	uint32_t count;
};

static struct rows rows_of(const struct throttle *t, uint32_t cred)
{
	const struct cred *owner = &t->world.cred[cred];

	return (struct rows){t->world.limit + owner->limit_first, owner->limit_count};
}

static bool stands_in(const struct rows *rows, const struct limit *limit)
{
	for (uint32_t i = 0; i < rows->count; i++)
		if (same_place(&rows->row[i], limit))
			return true;
	return false;
}

/* Is there a row for this very second in the same place? */
static bool is_named_elsewhere(const struct rows *rows, const struct limit *limit, uint32_t second)
{
	for (uint32_t i = 0; limit->second == INDEX_NONE && i < rows->count; i++)
		if (same_place(&rows->row[i], limit) && rows->row[i].second == second)
			return true;
	return false;
}

/* What the job's QOS sets instead for a kind; NULL = nothing. OMAXJOB replaces nobody's limit (T-22). */
static const struct limit *override_of(const struct throttle *t, const struct job *job,
				       const struct limit *limit)
{
	uint32_t qos = throttle_cred(t, job, CRED_QOS);
	enum limit_scope scope = limit->scope == LIMIT_ACTIVE ? LIMIT_OVERRIDE_ACTIVE : LIMIT_OVERRIDE_IDLE;
	struct rows rows;

	if (qos == INDEX_NONE || limit->kind == LIMIT_JOB || limit->scope == LIMIT_QUEUED)
		return NULL;
	rows = rows_of(t, qos);
	for (uint32_t i = 0; i < rows.count; i++)
		if (rows.row[i].scope == scope && rows.row[i].kind == limit->kind)
			return &rows.row[i];
	return NULL;
}

struct binding {
	const struct throttle *t;
	const struct job *job;
	bool idle;
	bool pairs; /* which of the two rounds */
	bound_visit *visit;
	void *self;
};

/* Does this row bind the job, and through which pair? */
static bool second_of(const struct binding *b, const struct rows *rows, const struct limit *limit,
		      uint32_t *second)
{
	*second = INDEX_NONE;
	if (limit->second_type == CRED_TYPE_COUNT)
		return !b->pairs;
	*second = throttle_cred(b->t, b->job, (enum cred_type)limit->second_type);
	return b->pairs && *second != INDEX_NONE &&
	       (limit->second == INDEX_NONE || limit->second == *second) &&
	       !is_named_elsewhere(rows, limit, *second);
}

static bool visit_row(const struct binding *b, const struct limit *limit, uint32_t cred, uint32_t second,
		      bool is_qos)
{
	const struct limit *instead = is_qos || cred == INDEX_NONE ? NULL : override_of(b->t, b->job, limit);
	struct bound bound = {.limit = limit,
			      .scope = (enum limit_scope)(instead ? instead : limit)->scope,
			      .cred = cred,
			      .second = second,
			      .soft = (instead ? instead : limit)->soft,
			      .hard = (instead ? instead : limit)->hard};

	return b->visit(b->self, &bound);
}

/* OMAXJOB and OMAXIJOB limit the QOS that sets them. */
static bool limits_itself(const struct binding *b, const struct limit *limit)
{
	return limit->kind == LIMIT_JOB &&
	       limit->scope == (b->idle ? LIMIT_OVERRIDE_IDLE : LIMIT_OVERRIDE_ACTIVE);
}

static bool visit_rows(const struct binding *b, const struct rows *rows, const struct rows *own,
		       uint32_t cred, bool is_qos)
{
	for (uint32_t i = 0; i < rows->count; i++) {
		const struct limit *limit = &rows->row[i];
		uint32_t second;

		if (!(b->idle ? is_idle_scope(limit) : is_active_scope(limit)) &&
		    !(is_qos && limits_itself(b, limit)))
			continue;
		if (own != NULL && stands_in(own, limit))
			continue;
		if (second_of(b, rows, limit, &second) && !visit_row(b, limit, cred, second, is_qos))
			return false;
	}
	return true;
}

static bool visit_owner(const struct binding *b, enum cred_type type)
{
	uint32_t cred = throttle_cred(b->t, b->job, type);
	struct rows own, all;

	if (cred == INDEX_NONE)
		return true;
	own = rows_of(b->t, cred);
	all = rows_of(b->t, (uint32_t)type);
	return visit_rows(b, &own, NULL, cred, type == CRED_QOS) &&
	       (cred == (uint32_t)type || visit_rows(b, &all, &own, cred, type == CRED_QOS));
}

void throttle_bind(const struct throttle *t, const struct job *job, bool idle, bound_visit *visit, void *self)
{
	struct binding b = {.t = t, .job = job, .idle = idle, .visit = visit, .self = self};
	struct rows system = {t->world.limit + t->system_first, t->system_count};

	for (int pairs = 0; pairs < 2; pairs++) {
		b.pairs = pairs == 1;
		for (int type = 0; type < CRED_TYPE_COUNT; type++)
			if (!visit_owner(&b, (enum cred_type)type))
				return;
		if (!visit_rows(&b, &system, NULL, INDEX_NONE, false))
			return;
	}
}
