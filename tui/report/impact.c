/* SPDX-License-Identifier: MIT */
/*
 * impact.c - what did an entry of the journal do to the queue, at once?
 *
 * A slot with the same id before and after is the same job. The order is compared as in plan.h: by places
 * among those that were idle in both.
 */
#include "impact.h"

#include <inttypes.h>
#include <stdlib.h>

#include "jobtext.h"
#include "report.h"
#include "sched/base/vec.h"
#include "sched/forecast/explain.h"
#include "sched/pass/queue.h"

enum part {
	PART_NONE, /* it is not there */
	PART_IDLE,
	PART_BLOCKED,
	PART_RUNNING,
	PART_COUNT
};

static const char *const part_name[PART_COUNT] = {
	[PART_NONE] = "gone", [PART_IDLE] = "idle", [PART_BLOCKED] = "blocked", [PART_RUNNING] = "running"};

/* Where a job stands. */
struct stand {
	uint64_t id;
	enum part part;
	uint32_t place; /* among the idle, from 1 */
};

/* The queue at one side of the entry. */
struct side {
	struct stand *job; /* by slot */
	uint32_t slots;
	uint32_t *order; /* slots of the idle */
	uint32_t idle;
	int64_t procs;
};

/* --- both sides -------------------------------------------------------------------------------- */

static void add_head(const struct snapshot *s, const struct queue *q, struct str *out)
{
	char label[JOB_LABEL_TEXT];

	for (uint32_t i = 0; i < q->idle_count && i < IMPACT_SHOWN; i++)
		str_addf(out, "%s%s", i > 0 ? " " : "",
			 snapshot_job_label(s, &snapshot_jobs(s)[q->idle[i].slot], label));
	if (q->idle_count > IMPACT_SHOWN)
		str_add(out, " ...");
}

static void side_take(struct side *side, const struct snapshot *s, const struct queue *q)
{
	side->slots = snapshot_count(s, TABLE_JOBS);
	side->procs = s->procs_total;
	side->job = mem_zero(side->slots + 1, sizeof *side->job);
	side->order = mem_alloc((q->idle_count + 1) * sizeof *side->order);
	for (uint32_t i = 0; i < side->slots; i++) {
		const struct job *job = &snapshot_jobs(s)[i];

		side->job[i].id = job->state == JOB_NONE ? 0 : job->id;
		side->job[i].part = job->state == JOB_NONE      ? PART_NONE
				    : job->state == JOB_RUNNING ? PART_RUNNING
								: PART_BLOCKED;
	}
	for (side->idle = 0; side->idle < q->idle_count; side->idle++) {
		struct stand *stand = &side->job[q->idle[side->idle].slot];

		side->order[side->idle] = q->idle[side->idle].slot;
		stand->part = PART_IDLE;
		stand->place = side->idle + 1;
	}
}

static void side_free(struct side *side)
{
	free(side->job);
	free(side->order);
}

static enum part part_at(const struct side *side, uint32_t slot, uint64_t id)
{
	return slot < side->slots && side->job[slot].id == id ? side->job[slot].part : PART_NONE;
}

/* --- what is other -------------------------------------------------------------------------------- */

struct comparison {
	struct side before, after;
	uint32_t went[PART_COUNT][PART_COUNT]; /* jobs, from one part to another */
	uint32_t moved;                        /* idle in both, elsewhere        */
	struct impact *out;
};

static void add_job(struct impact *out, uint64_t id)
{
	out->job = vec_room(out->job, &out->room, out->jobs + 1, sizeof *out->job);
	out->job[out->jobs++] = id;
}

/* Those of one side that are idle on both, in their order. The caller frees. */
static uint32_t *idle_in_both(const struct side *side, const struct side *other, uint32_t *count)
{
	uint32_t *slot = mem_alloc((side->idle + 1) * sizeof *slot);

	*count = 0;
	for (uint32_t i = 0; i < side->idle; i++)
		if (part_at(other, side->order[i], side->job[side->order[i]].id) == PART_IDLE)
			slot[(*count)++] = side->order[i];
	return slot;
}

static void compare_order(struct comparison *c)
{
	uint32_t count;
	uint32_t *was = idle_in_both(&c->before, &c->after, &count);
	uint32_t *is = idle_in_both(&c->after, &c->before, &count);
	uint32_t *place = mem_alloc((c->before.slots + 1) * sizeof *place);

	for (uint32_t i = 0; i < count; i++)
		place[was[i]] = i;
	for (uint32_t i = 0; i < count; i++) {
		if (place[is[i]] == i)
			continue;
		c->moved++;
		add_job(c->out, c->after.job[is[i]].id);
	}
	free(place);
	free(was);
	free(is);
}

static void compare_parts(struct comparison *c)
{
	for (uint32_t slot = 0; slot < c->before.slots; slot++) {
		const struct stand *was = &c->before.job[slot];

		if (was->part != PART_NONE)
			c->went[was->part][part_at(&c->after, slot, was->id)]++;
	}
	for (uint32_t slot = 0; slot < c->after.slots; slot++) {
		const struct stand *is = &c->after.job[slot];
		enum part was = part_at(&c->before, slot, is->id);

		if (is->part == PART_NONE || was == is->part)
			continue;
		add_job(c->out, is->id);
		if (was == PART_NONE)
			c->went[PART_NONE][is->part]++;
	}
}

/* --- in words ---------------------------------------------------------------------------------------- */

static void comma(struct str *out)
{
	if (out->len > 0)
		str_add(out, ", ");
}

static void say_parts(const struct comparison *c, struct str *out)
{
	for (int from = PART_NONE; from < PART_COUNT; from++)
		for (int to = PART_NONE; to < PART_COUNT; to++) {
			if (from == to || c->went[from][to] == 0)
				continue;
			comma(out);
			if (from == PART_NONE)
				str_addf(out, "%" PRIu32 " new %s", c->went[from][to], part_name[to]);
			else
				str_addf(out, "%" PRIu32 " %s -> %s", c->went[from][to], part_name[from],
					 part_name[to]);
		}
}

/* Of one job that is new: where it stands. */
static bool say_new(const struct comparison *c, const struct snapshot *s, const struct queue *q,
		    struct str *out)
{
	uint64_t id = c->out->jobs == 1 ? c->out->job[0] : 0;
	uint32_t slot = id == 0 ? INDEX_NONE : snapshot_find_job(s, id);

	if (slot == INDEX_NONE || part_at(&c->before, slot, id) != PART_NONE)
		return false;
	if (c->after.job[slot].part == PART_IDLE) {
		str_addf(out, "idle, place %" PRIu32 " of %" PRIu32, c->after.job[slot].place, c->after.idle);
		return true;
	}
	for (uint32_t i = 0; i < q->blocked_count; i++)
		if (q->blocked[i] == slot) {
			str_add(out, "blocked ");
			jobtext_short(s, &q->blocked_reason[i], s->now_s, out);
			return true;
		}
	return false;
}

static void say(const struct comparison *c, const struct snapshot *s, const struct queue *q, struct str *out)
{
	if (!say_new(c, s, q, out))
		say_parts(c, out);
	if (c->moved > 0) {
		comma(out);
		str_add(out, "order: ");
		report_count(out, c->moved, "job moved", "jobs moved");
	}
	if (c->before.procs != c->after.procs) {
		comma(out);
		str_addf(out, "%" PRId64 " -> %" PRId64 " procs", c->before.procs, c->after.procs);
	}
	if (out->len == 0)
		str_add(out, "order unchanged");
}

static int by_id(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* --- all of it ---------------------------------------------------------------------------------------- */

bool impact_is_of(enum event_kind kind)
{
	switch (kind) {
	case EVENT_CONFIG:
	case EVENT_NODE:
	case EVENT_SUBMIT:
	case EVENT_CANCEL:
	case EVENT_REQUEUE:
	case EVENT_DEFER:
	case EVENT_USAGE:
		return true;
	default:
		return event_can_undo(kind) || kind == EVENT_UNDO;
	}
}

static void look(struct side *side, const struct state *st, int64_t at_s, struct queue *q, struct str *head)
{
	queue_build(q, state_view(st), at_s);
	side_take(side, state_view(st), q);
	add_head(state_view(st), q, head);
}

bool impact_find(struct impact *out, struct state *st, const struct event *entry, struct err *err)
{
	struct comparison c = {.out = out};
	struct event ev = *entry;
	struct queue q = {.idle = NULL};
	bool good;

	out->seq = entry->seq;
	look(&c.before, st, entry->time_s, &q, &out->before);
	good = event_apply(st, &ev, err);
	if (good) {
		look(&c.after, st, entry->time_s, &q, &out->after);
		compare_parts(&c);
		compare_order(&c);
		say(&c, state_view(st), &q, &out->brief);
		if (out->jobs > 1)
			qsort(out->job, out->jobs, sizeof *out->job, by_id);
	}
	side_free(&c.before);
	side_free(&c.after);
	queue_clear(&q);
	return good;
}

void impact_clear(struct impact *impact)
{
	str_free(&impact->brief);
	str_free(&impact->before);
	str_free(&impact->after);
	free(impact->job);
	*impact = (struct impact){0};
}
