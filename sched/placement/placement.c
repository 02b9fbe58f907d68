/* SPDX-License-Identifier: MIT */
/*
 * placement.c - placement of jobs on nodes, now and later
 *
 * A plain placement keeps the number of processors that are free now on each node, and the availability
 * profile. Other placements also keep the claims on each node (claims.c). All this is built on demand: a pass
 * in which no processor is free builds nothing.
 *
 * Finding nodes: a start now in a plain placement takes the first or the last nodes with free processors and
 * looks no further. In all other cases the nodes on which at least one task fits are the candidates among
 * which the allocation policy selects (nodealloc.h).
 *
 * Finding the earliest start: free processors increase only when a job or an advance reservation ends. So the
 * search tries only these times, and of these only the times from which the profile has enough processors for
 * the job's wallclock limit. From one time to the next it updates only two kinds of nodes: those on which a
 * claim has ended, and those on which a claim begins before the later end of the job. On all other nodes the
 * job still overlaps the same claims.
 */
#include "placement_state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "reservation.h"
#include "sched/base/vec.h"

/* --- create, free, begin -------------------------------------------------------------------------------- */

struct placement *placement_new(void)
{
	struct placement *p = mem_zero(1, sizeof *p);

	p->profile = profile_new();
	return p;
}

void placement_free(struct placement *p)
{
	if (p == NULL)
		return;
	profile_free(p->profile);
	free(p->pending);
	free(p->taken);
	free(p->starts.item);
	free(p->node_claims);
	free(p->claim);
	timelines_free(p);
	advances_free(p);
	free(p->resume);
	free(p->resumed.item);
	free(p->holding);
	free(p->held.item);
	free(p->open);
	free(p->fits);
	free(p->future_begin_s);
	free(p->is_reserved);
	free(p->reserved_slot);
	free(p->shape);
	free(p->shape_at);
	free(p->candidate);
	free(p->line);
	free(p->function);
	free(p->function_of);
	free(p);
}

/* Resets everything that the last pass changed. */
static void wipe(struct placement *p)
{
	for (size_t i = 0; i < p->starts.count; i++)
		memset(&p->taken[p->starts.item[i].node], 0, p->starts.item[i].nodes * sizeof *p->taken);
	for (size_t i = 0; i < p->reserved_count; i++)
		p->is_reserved[p->reserved_slot[i]] = 0;
	resume_wipe(p);
	memo_forget(p);
	p->starts.count = p->pending_count = p->function_count = p->reserved_count = p->future_begin_count =
		0;
	p->has_profile = p->has_claims = p->has_open = false;
	p->knows_machine = p->knows_least = p->has_line = p->has_functions = false;
	p->users_matter = false;
}

/*
 * Are all processors interchangeable, apart from advance reservations and suspended jobs? With CONTIGUOUS
 * they never are.
 */
static bool is_plain(const struct snapshot *s)
{
	return s->particular == 0 && !s->nodes_differ && s->policy.access <= ACCESS_SHARED &&
	       s->policy.allocation != ALLOCATE_CONTIGUOUS;
}

void placement_begin(struct placement *p, const struct snapshot *s, int64_t now_s)
{
	uint32_t nodes = snapshot_count(s, TABLE_NODES);

	wipe(p);
	p->s = s;
	p->now_s = now_s;
	p->procs_free = s->procs_total - s->procs_busy;
	p->lowest = 0;
	p->highest = nodes;
	p->taken = vec_zeroed(p->taken, &p->taken_cap, nodes, sizeof *p->taken);
	p->is_reserved = vec_zeroed(p->is_reserved, &p->is_reserved_cap, snapshot_count(s, TABLE_JOBS),
				    sizeof *p->is_reserved);
	advances_begin(p);
	for (uint32_t g = 0; g < p->advance_count; g++)
		if (p->advance[g].begin_s > now_s)
			claims_note_begin(p, p->advance[g].begin_s);
	p->plain = p->advance_count == 0 && s->released == 0 && is_plain(s);
	if (s->released > 0)
		claims_build(p);
}

bool placement_is_plain(const struct placement *p)
{
	return p->plain;
}

int64_t placement_procs_free(const struct placement *p)
{
	return p->procs_free;
}

/* --- availability profile ------------------------------------------------------------------------------- */

static void note_running(struct placement *p)
{
	const uint32_t *running = snapshot_running(p->s);

	profile_reset(p->profile, p->now_s, p->s->procs_total - p->s->procs_busy);
	for (uint32_t i = 0; i < snapshot_count(p->s, TABLE_RUNNING); i++) {
		const struct job *job = placement_job(p, running[i]);
		int64_t until_s = claim_running_until(p, job);

		if (until_s != TIME_NEVER && !job_is_released(job))
			profile_note(p->profile, until_s, job_procs_counted(job));
	}
	resume_note_profile(p);
}

struct profile *placement_profile(struct placement *p)
{
	if (p->has_profile)
		return p->profile;
	note_running(p);
	profile_settle(p->profile);
	for (size_t i = 0; i < p->pending_count; i++)
		profile_take(p->profile, p->pending[i].begin_s, p->pending[i].end_s, p->pending[i].procs);
	p->has_profile = true;
	return p->profile;
}

/* Takes processors from the profile, or notes that they are to be taken when the profile is built. */
static void take_procs(struct placement *p, int64_t begin_s, int64_t end_s, int64_t procs)
{
	if (p->has_profile) {
		profile_take(p->profile, begin_s, end_s, procs);
		return;
	}
	p->pending = vec_room(p->pending, &p->pending_cap, p->pending_count + 1, sizeof *p->pending);
	p->pending[p->pending_count++] = (struct pending_take){begin_s, end_s, procs};
}

bool placement_claim_all(struct placement *p, const struct reservation *item, size_t count)
{
	assert(p->plain && !p->has_profile && p->pending_count == 0);
	note_running(p);
	for (size_t i = 0; i < count; i++) {
		if (item[i].begin_s < p->now_s)
			return false;
		profile_note(p->profile, item[i].begin_s, -item[i].procs);
		profile_note(p->profile, item[i].end_s, item[i].procs);
	}
	p->has_profile = profile_settle(p->profile);
	return p->has_profile;
}

/* --- taking and giving back claims ---------------------------------------------------------------- */

static int64_t procs_of(const struct alloc_run *runs, uint32_t count)
{
	int64_t procs = 0;

	for (uint32_t i = 0; i < count; i++)
		procs += (int64_t)runs[i].nodes * runs[i].procs;
	return procs;
}

/* Makes processors unavailable to other starts in this pass. */
static void take_now(struct placement *p, uint32_t slot, const struct alloc_run *run)
{
	struct alloc_list *starts = &p->starts;

	for (uint32_t n = run->node; n < run->node + run->nodes; n++)
		p->taken[n] += run->procs;
	starts->item = vec_room(starts->item, &starts->room, starts->count + 1, sizeof *run);
	starts->item[starts->count] = *run;
	starts->item[starts->count++].next = slot;
}

void placement_take(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
		    const struct alloc_run *runs, uint32_t count)
{
	bool starts = begin_s == p->now_s;
	int64_t procs = procs_of(runs, count);

	if (!p->plain)
		claims_build(p);
	if (!p->plain && !starts)
		claims_note_reservation(p, slot, begin_s);
	if (p->has_claims && (starts || !p->plain))
		claim_take(p, slot, begin_s, end_s, runs, count);
	p->version++;
	take_procs(p, begin_s, end_s, procs);
	p->procs_free -= starts ? procs : 0;
	for (uint32_t i = 0; i < count && starts; i++)
		take_now(p, slot, &runs[i]);
}

void placement_give_back(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
			 const struct alloc_run *runs, uint32_t count)
{
	bool now = begin_s == p->now_s;

	assert(!p->plain);
	memo_forget(p);
	p->version++;
	take_procs(p, begin_s, end_s, -procs_of(runs, count));
	claim_drop_holding(p, slot, begin_s);
	if (now) {
		p->procs_free += procs_of(runs, count);
		p->has_open = false;
	}
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t n = runs[i].node; n < runs[i].node + runs[i].nodes; n++) {
			p->taken[n] -= now ? runs[i].procs : 0;
			claim_drop(p, n, slot, begin_s);
		}
}

/* --- a job's own reservation ---------------------------------------------------------------------------- */

static struct holding *reservation_of_slot(struct placement *p, uint32_t slot)
{
	for (size_t i = 0; i < p->holding_count; i++)
		if (p->holding[i].slot == slot && p->holding[i].begin_s > p->now_s)
			return &p->holding[i];
	return NULL;
}

struct holding *holding_lift(struct placement *p, uint32_t slot)
{
	struct holding *h = p->plain || !p->is_reserved[slot] ? NULL : reservation_of_slot(p, slot);

	if (h == NULL)
		return NULL;
	take_procs(p, h->begin_s, h->end_s, -procs_of(&p->held.item[h->first_run], h->run_count));
	for (uint32_t i = 0; i < h->run_count; i++) {
		const struct alloc_run *run = &p->held.item[h->first_run + i];

		for (uint32_t n = run->node; n < run->node + run->nodes; n++)
			claim_drop(p, n, slot, h->begin_s);
	}
	return h;
}

void holding_restore(struct placement *p, struct holding *h)
{
	struct claim claim;

	if (h == NULL)
		return;
	claim = (struct claim){.begin_s = h->begin_s,
			       .end_s = h->end_s,
			       .slot = h->slot,
			       .access = (uint8_t)snapshot_job_access(p->s, placement_job(p, h->slot)),
			       .kind = CLAIM_LATER};
	take_procs(p, h->begin_s, h->end_s, procs_of(&p->held.item[h->first_run], h->run_count));
	for (uint32_t i = 0; i < h->run_count; i++)
		claim_add(p, claim, &p->held.item[h->first_run + i]);
}

/* --- starts now in a plain placement -------------------------------------------------------------------- */

/* Places as many tasks of one processor on a node as fit; returns the number of tasks left. */
static uint32_t place_on(const struct placement *p, uint32_t node, uint32_t tasks, size_t first,
			 struct alloc_list *out)
{
	uint32_t fits = placement_free_on(p, node);

	if (fits > tasks)
		fits = tasks;
	if (fits > 0)
		nodealloc_add(out, first, node, fits, fits);
	return tasks - fits;
}

static bool choose_first(struct placement *p, uint32_t tasks, struct alloc_list *out)
{
	uint32_t count = snapshot_count(p->s, TABLE_NODES);
	size_t first = out->count;

	while (p->lowest < count && placement_free_on(p, p->lowest) == 0)
		p->lowest++;
	for (uint32_t i = p->lowest; i < count && tasks > 0; i++)
		tasks = place_on(p, i, tasks, first, out);
	return tasks == 0;
}

static bool choose_last(struct placement *p, uint32_t tasks, struct alloc_list *out)
{
	size_t first = out->count;

	while (p->highest > 0 && placement_free_on(p, p->highest - 1) == 0)
		p->highest--;
	for (uint32_t i = p->highest; i > 0 && tasks > 0; i--)
		tasks = place_on(p, i - 1, tasks, first, out);
	return tasks == 0;
}

/* --- candidates ----------------------------------------------------------------------------------------- */

struct alloc_input placement_alloc_input(struct placement *p, const struct job *job,
					 enum allocation_policy policy)
{
	placement_need_machine(p);
	return (struct alloc_input){.job = job,
				    .policy = policy,
				    .speeds = p->speeds,
				    .machine = p->machine,
				    .node = snapshot_nodes(p->s),
				    .node_count = snapshot_count(p->s, TABLE_NODES),
				    .line = placement_line(p, policy)};
}

void placement_list_open(struct placement *p)
{
	uint32_t nodes = snapshot_count(p->s, TABLE_NODES);

	if (p->has_open)
		return;
	p->open = vec_room(p->open, &p->open_cap, nodes, sizeof *p->open);
	p->open_first = p->open_listed = 0;
	p->shut_drained = 0;
	for (uint32_t i = 0; i < nodes; i++)
		if (placement_free_on(p, i) > 0)
			p->open[p->open_listed++] = i;
		else
			p->shut_drained += snapshot_nodes(p->s)[i].drained != 0;
	p->open_end = p->open_listed;
	p->has_open = true;
}

/* Does the policy take nodes by index from one end, so that the search can stop when the job fits? */
static bool is_in_order(const struct placement *p, const struct alloc_input *input)
{
	if (input->job->nodes > 0 || input->job->prefer != 0 || input->invited)
		return false;
	return input->policy == ALLOCATE_FIRSTAVAILABLE ||
	       (input->policy == ALLOCATE_LASTAVAILABLE && p->future_begin_count == 0);
}

/*
 * Adds a node as a candidate if tasks fit on it. Returns the number of tasks, rounded down to a multiple of
 * tasks_per_node.
 */
static uint32_t add_candidate(struct placement *p, const struct alloc_input *input,
			      const struct request *request, uint32_t node, uint32_t tasks, int64_t begin_s,
			      int64_t end_s)
{
	if (tasks > 0)
		p->candidate[p->candidate_count++] =
			candidate_make(p, input->policy, request, node, tasks, begin_s, end_s);
	return request->job->tasks_per_node > 1 ? tasks - tasks % request->job->tasks_per_node : tasks;
}

/*
 * Collects the nodes on which at least one task fits throughout [begin_s, end_s): all such nodes, or only as
 * many as the policy will take. For a start now, only nodes with a free processor (open nodes) are examined.
 * Starts fill the machine from one end, so full nodes are removed from both ends of the list of open nodes.
 */
static void find_candidates(struct placement *p, const struct alloc_input *input,
			    const struct request *request, int64_t begin_s, int64_t end_s)
{
	bool in_order = is_in_order(p, input), down = in_order && input->policy == ALLOCATE_LASTAVAILABLE;
	int64_t wanted = in_order ? input->job->tasks : INT64_MAX, found = 0;
	const uint32_t *open = NULL; /* NULL = all nodes */
	size_t count = input->node_count, closed = 0;

	if (begin_s <= p->now_s) {
		placement_list_open(p);
		while (p->open_first < p->open_end && placement_free_on(p, p->open[p->open_first]) == 0)
			p->open_first++;
		while (p->open_first < p->open_end && placement_free_on(p, p->open[p->open_end - 1]) == 0)
			p->open_end--;
		open = p->open + p->open_first;
		count = p->open_end - p->open_first;
	}
	for (size_t i = 0; i < count && found < wanted; i++) {
		size_t at = down ? count - 1 - i : i;
		uint32_t node = open == NULL ? (uint32_t)at : open[at];

		if (open != NULL && placement_free_on(p, node) == 0)
			closed++;
		else
			found += add_candidate(p, input, request, node,
					       fit_between(p, request, node, begin_s, end_s).tasks, begin_s,
					       end_s);
	}
	if (closed > count / 2)
		p->has_open = false;
}

/*
 * Finds the nodes for a job by a policy and appends them; false if the job does not fit. `fits` contains the
 * number of tasks that fit, by node; NULL = not known.
 */
static bool find_by(struct placement *p, const struct request *request, enum allocation_policy policy,
		    int64_t begin_s, int64_t end_s, const uint32_t *fits, struct alloc_list *out)
{
	struct alloc_input input = placement_alloc_input(p, request->job, policy);

	input.invited = advance_prefers_any(p, request->guests, begin_s, end_s);
	claims_build(p);
	p->candidate = vec_room(p->candidate, &p->candidate_cap, input.node_count, sizeof *p->candidate);
	p->candidate_count = 0;
	if (fits == NULL)
		find_candidates(p, &input, request, begin_s, end_s);
	for (uint32_t n = 0; n < input.node_count && fits != NULL; n++)
		add_candidate(p, &input, request, n, fits[n], begin_s, end_s);
	return nodealloc_choose(&input, p->candidate, p->candidate_count, out);
}

/* --- find nodes ----------------------------------------------------------------------------------------- */

/* Are enough processors free throughout [begin_s, end_s)? A necessary condition that is quick to check. */
static bool has_procs(struct placement *p, const struct job *job, int64_t begin_s, int64_t end_s)
{
	return profile_first_below(placement_profile(p), begin_s, end_s, job_procs(job)) == TIME_NEVER;
}

bool placement_choose(struct placement *p, uint32_t slot, struct alloc_list *out)
{
	const struct job *job = placement_job(p, slot);
	enum allocation_policy policy = placement_policy(p->s, job, true);
	struct request request;

	assert(p->plain);
	if (job_procs(job) > p->procs_free)
		return false;
	if (job->prefer == 0 && policy == ALLOCATE_FIRSTAVAILABLE)
		return choose_first(p, job->tasks, out);
	if (job->prefer == 0 && policy == ALLOCATE_LASTAVAILABLE)
		return choose_last(p, job->tasks, out);
	request = request_of(p->s, job, slot);
	return find_by(p, &request, policy, p->now_s, p->now_s + job->wall_limit_s, NULL, out);
}

/*
 * Returns the cache for a request; NULL if the job has a reservation, which makes its results different from
 * those of other jobs with equal requests.
 */
static struct shape *shape_for(struct placement *p, const struct request *request)
{
	return p->is_reserved[request->slot] ? NULL : memo_shape(p, request);
}

/* Returns an upper bound of the number of tasks that fit, for a job whose tasks do not all fit. */
static int64_t at_most(const struct placement *p, const struct job *job)
{
	int64_t tasks = 0;

	/* The policy has reordered the candidates, but all are still in the array. */
	for (size_t i = 0; i < p->candidate_count; i++)
		tasks += p->candidate[i].tasks;
	return tasks < job->tasks ? tasks : job->tasks - 1;
}

static bool find_now(struct placement *p, const struct request *request, int64_t end_s,
		     struct alloc_list *out)
{
	enum allocation_policy policy = placement_policy(p->s, request->job, true);
	struct shape *shape = shape_for(p, request);

	if (shape != NULL && memo_hopeless(shape, request->job->tasks, end_s))
		return false;
	if (!has_procs(p, request->job, p->now_s, end_s))
		return false;
	if (find_by(p, request, policy, p->now_s, end_s, NULL, out))
		return true;
	/*
	 * Results are cached for other jobs with equal requests. A job whose tasks are not a multiple of
	 * tasks_per_node never fits, whatever is free, so its result is not cached.
	 */
	if (shape != NULL &&
	    (request->job->tasks_per_node <= 1 || request->job->tasks % request->job->tasks_per_node == 0))
		memo_note_total(p, shape, end_s, at_most(p, request->job), LACK_COUNT);
	return false;
}

static bool find_later(struct placement *p, const struct request *request, int64_t begin_s, int64_t end_s,
		       const uint32_t *fits, struct alloc_list *out)
{
	return find_by(p, request, placement_policy(p->s, request->job, false), begin_s, end_s, fits, out);
}

bool placement_find(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
		    struct alloc_list *out)
{
	const struct job *job = placement_job(p, slot);
	struct holding *own;
	struct request request;
	bool found;

	if (p->plain)
		return has_procs(p, job, begin_s, end_s) &&
		       (begin_s > p->now_s || placement_choose(p, slot, out));
	request = request_in(p, slot);
	own = holding_lift(p, slot);
	found = begin_s == p->now_s ? find_now(p, &request, end_s, out)
				    : has_procs(p, job, begin_s, end_s) &&
					      find_later(p, &request, begin_s, end_s, NULL, out);
	holding_restore(p, own);
	return found;
}

/* Does each run have the processors that the job would get on its nodes, and do its tasks fit there? */
static bool can_take_runs(struct placement *p, const struct request *request, int64_t begin_s, int64_t end_s,
			  const struct alloc_run *runs, uint32_t count)
{
	const struct node *node = snapshot_nodes(p->s);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t procs = runs[i].tasks * request->job->task_procs;

		for (uint32_t n = runs[i].node; n < runs[i].node + runs[i].nodes; n++)
			if (runs[i].procs != (request_whole(request, &node[n]) ? node[n].procs : procs) ||
			    fit_between(p, request, n, begin_s, end_s).tasks < runs[i].tasks)
				return false;
	}
	return true;
}

bool placement_can_take(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
			const struct alloc_run *runs, uint32_t count)
{
	struct request request = request_in(p, slot);
	struct holding *own;
	bool good;

	if (p->plain)
		return has_procs(p, request.job, begin_s, end_s);
	claims_build(p);
	own = holding_lift(p, slot);
	good = can_take_runs(p, &request, begin_s, end_s, runs, count);
	holding_restore(p, own);
	return good;
}

/* --- the earliest start --------------------------------------------------------------------------------- */

/*
 * A search for the earliest start, which has reached at_s: p->fits contains the number of tasks that fit on
 * each node throughout [at_s, at_s + wallclock limit), `tasks` their total.
 */
struct search {
	struct placement *p;
	const struct request *request;
	int64_t at_s, tasks;
};

static int64_t end_of(const struct search *k)
{
	return k->at_s + k->request->job->wall_limit_s;
}

/*
 * Returns the number of tasks that fit on a node; quick for nodes that one job fills, and for nodes without
 * claims.
 */
static uint32_t fits_on(struct search *k, uint32_t node)
{
	const struct node_claims *node_claims = &k->p->node_claims[node];
	const struct node *n = &snapshot_nodes(k->p->s)[node];

	if (k->at_s < node_claims->full_until_s)
		return 0;
	if (k->at_s >= node_claims->idle_from_s && !advances_on_node(k->p, node))
		return n->drained ? 0 : fit_empty(k->request, n).tasks;
	return fit_between(k->p, k->request, node, k->at_s, end_of(k)).tasks;
}

static void update_node(struct search *k, uint32_t node)
{
	uint32_t *fits = &k->p->fits[node];

	k->tasks -= *fits;
	*fits = fits_on(k, node);
	k->tasks += *fits;
}

static void update_runs(struct search *k, const struct alloc_run *runs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t n = runs[i].node; n < runs[i].node + runs[i].nodes; n++)
			update_node(k, n);
}

/*
 * Moves the search to a later time and updates the nodes on which a claim has ended, or begins before the
 * job's new end.
 */
static void advance_to(struct search *k, int64_t at_s)
{
	int64_t from_s = k->at_s, old_end_s = end_of(k);

	k->at_s = at_s;
	for (uint32_t g = 0; g < k->p->advance_count; g++) {
		const struct advance_reservation *advance = &k->p->advance[g];
		const struct advance *a = &snapshot_advances(k->p->s)[advance->index];

		if ((advance->end_s > from_s && advance->end_s <= at_s) ||
		    (advance->begin_s >= old_end_s && advance->begin_s < end_of(k)))
			update_runs(k, &snapshot_kept_runs(k->p->s)[a->first_run], a->run_count);
	}
	for (size_t i = 0; i < k->p->holding_count; i++) {
		const struct holding *h = &k->p->holding[i];

		if ((h->end_s > from_s && h->end_s <= at_s) ||
		    (h->begin_s >= old_end_s && h->begin_s < end_of(k)))
			update_runs(k, &k->p->held.item[h->first_run], h->run_count);
	}
}

/*
 * Finds the earliest start >= from_s, which is later than now, so that NODEAVAILABILITYPOLICY does not apply.
 */
static int64_t search_later(struct placement *p, const struct request *request, int64_t from_s,
			    struct alloc_list *out)
{
	const struct job *job = request->job;
	const struct profile *profile = placement_profile(p);
	uint32_t nodes = snapshot_count(p->s, TABLE_NODES);
	struct search k = {.p = p, .request = request};

	k.at_s = profile_earliest(profile, from_s, job_procs(job), job->wall_limit_s);
	if (k.at_s == TIME_NEVER)
		return TIME_NEVER;
	claims_build(p);
	p->fits = vec_room(p->fits, &p->fits_cap, nodes, sizeof *p->fits);
	for (uint32_t n = 0; n < nodes; n++) {
		p->fits[n] = 0;
		update_node(&k, n);
	}
	while (k.tasks < job->tasks || !find_later(p, request, k.at_s, end_of(&k), p->fits, out)) {
		int64_t next_s = placement_next_change(p, k.at_s);

		if (next_s != TIME_NEVER)
			next_s = profile_earliest(profile, next_s, job_procs(job), job->wall_limit_s);
		if (next_s == TIME_NEVER)
			return TIME_NEVER;
		advance_to(&k, next_s);
	}
	return k.at_s;
}

static int64_t search_from(struct placement *p, const struct request *request, int64_t from_s,
			   struct alloc_list *out)
{
	if (from_s > p->now_s)
		return search_later(p, request, from_s, out);
	if (find_now(p, request, p->now_s + request->job->wall_limit_s, out))
		return p->now_s;
	from_s = placement_next_change(p, p->now_s);
	return from_s == TIME_NEVER ? TIME_NEVER : search_later(p, request, from_s, out);
}

/*
 * Finds the earliest start >= from_s with the help of the results that are cached for jobs with equal
 * requests.
 */
static int64_t search_cached(struct placement *p, const struct request *request, int64_t from_s,
			     struct alloc_list *out)
{
	struct shape *shape = shape_for(p, request);
	int64_t begin_s;

	if (shape == NULL)
		return search_from(p, request, from_s, out);
	begin_s = memo_not_before(shape, request->job, from_s);
	if (begin_s != TIME_NEVER)
		begin_s = search_from(p, request, begin_s, out);
	memo_note_begin(shape, request->job, from_s, begin_s);
	return begin_s;
}

int64_t placement_earliest(struct placement *p, uint32_t slot, int64_t from_s, struct alloc_list *out)
{
	const struct job *job = placement_job(p, slot);
	struct holding *own;
	struct request request;
	int64_t begin_s;

	if (p->plain) {
		begin_s = profile_earliest(placement_profile(p), from_s, job_procs(job), job->wall_limit_s);
		if (begin_s == p->now_s)
			placement_choose(p, slot, out);
		return begin_s;
	}
	request = request_in(p, slot);
	own = holding_lift(p, slot);
	begin_s = search_cached(p, &request, from_s, out);
	holding_restore(p, own);
	return begin_s;
}

/* --- advance reservations ----------------------------------------------------------------------------- */

int64_t placement_next_change(struct placement *p, int64_t at_s)
{
	int64_t next_s = profile_next(placement_profile(p), at_s);

	for (uint32_t g = 0; g < p->advance_count; g++) {
		if (p->advance[g].begin_s > at_s && p->advance[g].begin_s < next_s)
			next_s = p->advance[g].begin_s;
		if (p->advance[g].end_s > at_s && p->advance[g].end_s < next_s)
			next_s = p->advance[g].end_s;
	}
	return next_s;
}

int64_t placement_spare(struct placement *p, uint32_t node, int64_t begin_s, int64_t end_s)
{
	int64_t least = INT64_MAX, whole = snapshot_nodes(p->s)[node].procs;
	const struct timeline *c;

	claims_build(p);
	c = timeline_of(p, node);
	if (begin_s < p->now_s)
		begin_s = p->now_s;
	for (uint32_t i = timeline_at(c, begin_s); i < c->count && c->step[i].at_s < end_s; i++) {
		int64_t spare = whole - timeline_held(p, c, i, ALLOC_PROCS) -
				advance_kept(p, node, GUEST_OF_NONE, c->step[i].at_s);

		least = spare < least ? spare : least;
	}
	return least;
}

void placement_count_reservation(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
				 const struct alloc_run *runs, uint32_t count)
{
	claims_build(p);
	claim_take(p, slot, begin_s, end_s, runs, count);
}

void placement_take_advances(struct placement *p)
{
	for (uint32_t n = 0; p->advance_count > 0 && n < snapshot_count(p->s, TABLE_NODES); n++) {
		const struct timeline *c;

		claims_build(p);
		if (!advances_on_node(p, n))
			continue;
		c = timeline_of(p, n);
		for (uint32_t i = 0; i < c->count; i++) {
			int64_t begin_s = c->step[i].at_s;
			int64_t end_s = i + 1 < c->count ? c->step[i + 1].at_s : TIME_NEVER;
			int64_t left = snapshot_nodes(p->s)[n].procs - timeline_held(p, c, i, ALLOC_PROCS);
			int64_t kept = advance_kept(p, n, GUEST_OF_NONE, begin_s), least;

			kept = kept < left ? kept : left;
			if (kept <= 0)
				continue;
			least = profile_least(placement_profile(p), begin_s, end_s);
			profile_take(placement_profile(p), begin_s, end_s, kept < least ? kept : least);
		}
	}
}

/* --- time of a resume, without a placement -------------------------------------------------------- */

int64_t placement_resume_at(const struct snapshot *s, uint32_t slot, int64_t now_s)
{
	int64_t at_s = TIME_NEVER;
	struct placement *placement;

	if (!job_is_released(&snapshot_jobs(s)[slot]) || snapshot_is_halted(s))
		return TIME_NEVER;
	placement = placement_new();
	placement_begin(placement, s, now_s);
	at_s = placement_resume_s(placement, slot);
	placement_free(placement);
	return at_s;
}
