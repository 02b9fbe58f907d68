/* SPDX-License-Identifier: MIT */
/*
 * room_reason.c - where is room for a job, now and later? How much of it there is, and what lacks.
 */
#include <stdlib.h>

#include "room_inside.h"
#include "sched/base/vec.h"

/* Why nodes do not fit: how many lack what; `none` of those on which nothing fits. */
struct lacks {
	uint32_t none[LACK_COUNT], some[LACK_COUNT];
};

static void count_lack(struct lacks *lacks, struct fit fit)
{
	if (fit.tasks == 0)
		lacks->none[fit.lack]++;
	else
		lacks->some[fit.lack]++;
}

static enum lack commonest(const uint32_t count[static LACK_COUNT])
{
	int most = LACK_NONE;

	for (int i = LACK_NONE + 1; i < LACK_COUNT; i++)
		if (count[i] > 0 && (most == LACK_NONE || count[i] > count[most]))
			most = i;
	return (enum lack)most;
}

/* What most nodes lack on which nothing fits; if there are none, what keeps more from fitting. */
static enum lack judge(const struct lacks *lacks)
{
	enum lack lack = commonest(lacks->none);

	if (lack == LACK_NONE)
		lack = commonest(lacks->some);
	return lack == LACK_NONE ? LACK_PROCS : lack;
}

/* --- beside all claims ------------------------------------------------------------------------------ */

static uint32_t in_units(const struct job *job, uint32_t tasks)
{
	return job->tasks_per_node > 1 ? tasks - tasks % job->tasks_per_node : tasks;
}

/* A node without a free processor now. */
static struct fit fit_closed(const struct want *want, const struct node *node)
{
	enum lack lack = want_lacks_now(want, node);

	return (struct fit){.lack = (uint8_t)(lack == LACK_NONE ? LACK_PROCS : lack)};
}

/* Looks at every node; the tasks that fit, wherever they are, and r->candidate for more. */
static int64_t look_at_all(struct room *r, const struct want *want, int64_t begin_s, int64_t end_s,
			   enum lack *lack)
{
	const struct node *node = snapshot_nodes(r->s);
	uint32_t nodes = snapshot_count(r->s, TABLE_NODES);
	bool now = begin_s == r->now_s;
	struct lacks lacks = {0};
	int64_t total = 0;

	room_need_claims(r);
	r->candidate = vec_room(r->candidate, &r->candidate_room, nodes, sizeof *r->candidate);
	r->candidate_count = 0;
	for (uint32_t i = 0; i < nodes; i++) {
		struct fit fit = now && room_free_on(r, i) == 0 ? fit_closed(want, &node[i])
								: fit_between(r, want, i, begin_s, end_s);

		count_lack(&lacks, fit);
		total += in_units(want->job, fit.tasks);
		if (fit.tasks > 0)
			r->candidate[r->candidate_count++] =
				(struct alloc_candidate){.node = i, .tasks = fit.tasks};
	}
	*lack = judge(&lacks);
	return total;
}

/* Only the sum of what fits counts for a job that does not care how many nodes these are, and which. */
static bool only_sum_counts(const struct snapshot *s, const struct job *job)
{
	return job->nodes == 0 && room_policy(s, job, true) != ALLOCATE_CONTIGUOUS;
}

static int64_t tasks_between(struct room *r, const struct want *want, int64_t begin_s, int64_t end_s,
			     enum lack *lack)
{
	bool memorable = begin_s == r->now_s && !r->promised[want->slot] && only_sum_counts(r->s, want->job);
	struct shape *shape = memorable ? memo_shape(r, want) : NULL;
	struct alloc_ask ask;
	int64_t total;

	if (shape == NULL || !memo_total(r, shape, end_s, &total, lack)) {
		total = look_at_all(r, want, begin_s, end_s, lack);
		if (shape != NULL)
			memo_note_total(r, shape, end_s, total, *lack);
	}
	if (only_sum_counts(r->s, want->job))
		return total;
	ask = room_ask(r, want->job, room_policy(r->s, want->job, begin_s == r->now_s));
	return nodealloc_most(&ask, r->candidate, r->candidate_count);
}

static int64_t fit_of(struct room *r, const struct want *want, int64_t begin_s, int64_t end_s,
		      enum lack *lack)
{
	const struct job *job = want->job;
	struct holding *own = room_lift(r, want->slot);
	int64_t tasks = tasks_between(r, want, begin_s, end_s, lack);
	int64_t most = in_units(job, job->tasks);

	room_lower(r, own);
	return (tasks < most ? tasks : most) * job->task_procs;
}

int64_t room_fit(struct room *r, uint32_t slot, int64_t begin_s, int64_t end_s, enum lack *lack)
{
	struct want want = want_in(r, slot);

	return fit_of(r, &want, begin_s, end_s, lack);
}

int64_t room_fit_past(struct room *r, uint32_t slot, int64_t begin_s, int64_t end_s, enum lack *lack)
{
	struct want want = want_in(r, slot);

	want.guests = GUEST_OF_ALL;
	return fit_of(r, &want, begin_s, end_s, lack);
}

/* With an invitation more there would be so much. */
static int64_t fit_if_invited(struct room *r, struct want want, uint32_t guard, int64_t begin_s,
			      int64_t end_s)
{
	want.guests = guard_invited_too(r, want.guests, guard);
	return fit_of(r, &want, begin_s, end_s, &(enum lack){LACK_NONE});
}

uint32_t room_reserved_by(struct room *r, uint32_t slot, int64_t begin_s, int64_t end_s)
{
	const struct want want = want_in(r, slot);
	uint32_t best = INDEX_NONE;
	int64_t best_fit = -1;

	for (uint32_t g = 0; g < r->guard_count; g++) {
		const struct guard *guard = &r->guard[g];
		int64_t fit;

		if (guard->begin_s >= end_s || guard->end_s <= begin_s || guard_invites(r, want.guests, g))
			continue;
		fit = fit_if_invited(r, want, g, begin_s, end_s);
		if (fit > best_fit || (fit == best_fit && guard->begin_s < r->guard[best].begin_s)) {
			best = g;
			best_fit = fit;
		}
	}
	return best == INDEX_NONE ? INDEX_NONE : r->guard[best].advance;
}

/* --- on an empty machine -------------------------------------------------------------------------- */

/* The nodes looked at so far. */
struct empty {
	struct alloc_ask ask;
	struct alloc_candidate *candidate;
	size_t count, room;
	struct lacks lacks;
};

/* How many could ever stand anywhere; looks no further once there are enough. */
static int64_t sum_empty(struct empty *e, const struct want *want)
{
	int64_t asked = want->job->tasks, tasks = 0;

	for (uint32_t i = 0; i < e->ask.node_count && tasks < asked; i++) {
		struct fit fit = fit_empty(want, &e->ask.node[i]);

		count_lack(&e->lacks, fit);
		tasks += in_units(want->job, fit.tasks);
	}
	return tasks < in_units(want->job, want->job->tasks) ? tasks : in_units(want->job, want->job->tasks);
}

/* The same where it matters on which nodes: whether those so far do is asked now and then, twice as many
 * apart each time. */
static int64_t most_empty(struct empty *e, const struct want *want)
{
	uint32_t asked = want->job->tasks;
	size_t next_look = want->job->nodes;

	for (uint32_t i = 0; i < e->ask.node_count; i++) {
		struct fit fit = fit_empty(want, &e->ask.node[i]);

		count_lack(&e->lacks, fit);
		if (fit.tasks == 0)
			continue;
		e->candidate = vec_room(e->candidate, &e->room, e->count + 1, sizeof *e->candidate);
		e->candidate[e->count++] = (struct alloc_candidate){.node = i, .tasks = fit.tasks};
		if (e->count < next_look)
			continue;
		next_look = 2 * e->count;
		if (nodealloc_most(&e->ask, e->candidate, e->count) == asked)
			return asked;
	}
	return nodealloc_most(&e->ask, e->candidate, e->count);
}

/* line: of the nodes, where the job's policy looks at it. */
static int64_t ever(const struct snapshot *s, const struct job *job, const uint32_t *line, enum lack *lack)
{
	struct want want = want_of(s, job, INDEX_NONE);
	struct empty e = {.ask = {.job = job,
				  .policy = room_policy(s, job, true),
				  .node = snapshot_nodes(s),
				  .node_count = snapshot_count(s, TABLE_NODES),
				  .line = line}};
	int64_t tasks;

	if (only_sum_counts(s, job))
		tasks = sum_empty(&e, &want);
	else
		tasks = most_empty(&e, &want);
	free(e.candidate);
	*lack = judge(&e.lacks);
	return tasks * job->task_procs;
}

int64_t room_ever(const struct snapshot *s, const struct job *job, enum lack *lack)
{
	uint32_t nodes = snapshot_count(s, TABLE_NODES);
	uint32_t *line = mem_alloc(nodes * sizeof *line);
	int64_t procs;

	nodealloc_line(snapshot_nodes(s), nodes, line);
	procs = ever(s, job, line, lack);
	free(line);
	return procs;
}

/* Goes on where the last job of the shape stopped, until there is enough. */
static void go_on(struct empty_sum *sum, const struct want *want)
{
	uint32_t nodes = snapshot_count(want->s, TABLE_NODES);

	for (; sum->nodes < nodes && sum->tasks < want->job->tasks; sum->nodes++)
		sum->tasks +=
			in_units(want->job, fit_empty(want, &snapshot_nodes(want->s)[sum->nodes]).tasks);
}

int64_t room_ever_in(struct room *r, uint32_t slot, enum lack *lack)
{
	const struct job *job = room_job(r, slot);
	struct want want = want_of(r->s, job, slot);
	struct shape *shape = only_sum_counts(r->s, job) ? memo_shape(r, &want) : NULL;
	struct empty_sum *sum;

	if (shape == NULL)
		return ever(r->s, job, room_line(r, room_policy(r->s, job, true)), lack);
	sum = memo_empty(shape);
	go_on(sum, &want);
	if (sum->tasks >= job->tasks)
		return (int64_t)in_units(job, job->tasks) * job->task_procs;
	if (!sum->has_lack) {
		enum lack found;

		ever(r->s, job, NULL, &found);
		sum->lack = (uint8_t)found;
		sum->has_lack = true;
	}
	*lack = (enum lack)sum->lack;
	return sum->tasks * job->task_procs;
}

bool room_could(const struct snapshot *s, const struct job *job, uint32_t node)
{
	struct want want = want_of(s, job, INDEX_NONE);

	return fit_empty(&want, &snapshot_nodes(s)[node]).tasks > 0;
}
