/* SPDX-License-Identifier: MIT */
/*
 * placement_fit.c - where is room for a job, now and later? How many of its tasks fit on a node.
 *
 * What is held of a node grows only where a claim begins; so it is looked at when the job would
 * begin, and where claims begin while it would run. Of all these moments the least counts.
 * Where the pass has added nothing to a node, what is free now stays free: its running jobs
 * only end.
 *
 * For a job that starts now NODEAVAILABILITYPOLICY says what is left at that moment (M-15).
 * UTILIZED lets memory, swap and disk be dedicated twice when running jobs do not use
 * theirs; but never what a reservation counts on, and processors never.
 */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "placement_state.h"

#define UNTRACKED_LOAD_FACTOR                                                                                \
	1.2 /* of load that no job accounts for, to processors (NODEUNTRACKEDLOADFACTOR) */

/* --- what a job wants ------------------------------------------------------------------------- */

static uint8_t lack_of(int kind)
{
	static const uint8_t lack[] = {[ALLOC_PROCS] = LACK_PROCS,
				       [ALLOC_MEM] = LACK_MEMORY,
				       [ALLOC_SWAP] = LACK_SWAP,
				       [ALLOC_DISK] = LACK_DISK};

	return kind < ALLOC_GRES ? lack[kind] : LACK_GRES;
}

bool request_classes_matter(const struct snapshot *s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_TRAITS); i++)
		if (snapshot_traits(s)[i].kind == TRAIT_CLASS)
			return true;
	return false;
}

struct request request_of(const struct snapshot *s, const struct job *job, uint32_t slot)
{
	struct request request = {.s = s, .job = job, .slot = slot, .access = snapshot_job_access(s, job)};
	const char *class_name = snapshot_job_cred(s, job, CRED_CLASS);
	int bit = class_name == NULL ? -1 : snapshot_find_trait(s, TRAIT_CLASS, class_name);

	request.has_class = class_name != NULL;
	request.classes = bit < 0 ? 0 : UINT64_C(1) << bit;
	request.hosts = job->hosts == 0 ? NULL : snapshot_string(s, job->hosts);
	request.is_picky = request.hosts != NULL || job->partition != 0 || job->features != 0 ||
			   job_requires_unknown(job) || (request.has_class && request_classes_matter(s));
	for (int kind = 0; kind < ALLOC_KIND_COUNT; kind++) {
		int64_t asked = alloc_requested(job, kind);

		if (asked == 0)
			continue;
		request.resource[request.count].kind = (uint8_t)kind;
		request.resource[request.count].lack = lack_of(kind);
		request.resource[request.count++].amount = asked;
	}
	return request;
}

struct request request_in(struct placement *p, uint32_t slot)
{
	struct request request = request_of(p->s, placement_job(p, slot), slot);

	if (p->advance_count > 0)
		request.guests = advance_guests(p, slot);
	return request;
}

/* Is a name one of the words of a text? */
static bool is_among(const char *words, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = words; *at != '\0'; at += strcspn(at, " ")) {
		at += strspn(at, " ");
		if (strcspn(at, " ") == len && strncasecmp(at, name, len) == 0)
			return true;
	}
	return false;
}

/* Whether or not anything may start there. */
static enum lack request_lack(const struct request *request, const struct node *node)
{
	const struct job *job = request->job;

	if (!request->is_picky)
		return LACK_NONE;
	if (job->partition != 0 && node->partition != 0 && job->partition != node->partition)
		return LACK_PARTITION;
	if (request->hosts != NULL && !is_among(request->hosts, snapshot_string(request->s, node->name)))
		return LACK_HOST;
	if (request->has_class && node->classes != 0 && (node->classes & request->classes) == 0)
		return LACK_CLASS;
	if ((node->features & job->features) != job->features || job->unknown[UNKNOWN_FEATURES] != 0)
		return LACK_FEATURE;
	return job->unknown[UNKNOWN_GRES] != 0 ? LACK_GRES : LACK_NONE;
}

static enum node_access access_on(const struct request *request, const struct node *node)
{
	return request->access > node->access ? request->access : (enum node_access)node->access;
}

enum lack request_lack_now(const struct request *request, const struct node *node)
{
	return node->drained ? LACK_DRAINED : request_lack(request, node);
}

bool request_whole(const struct request *request, const struct node *node)
{
	return access_on(request, node) >= ACCESS_SINGLEJOB;
}

/* --- counting tasks ----------------------------------------------------------------------------- */

/* Narrows the count by ask i, of which so much is free. */
static void narrow(struct fit *fit, const struct request *request, unsigned i, int64_t free)
{
	int64_t tasks = free > 0 ? free / request->resource[i].amount : 0;

	if (tasks < (int64_t)fit->tasks)
		*fit = (struct fit){.tasks = (uint32_t)tasks, .lack = request->resource[i].lack};
}

/* Less than the tasks that must stay together is nothing. */
static struct fit settle(struct fit fit, const struct job *job)
{
	if (fit.tasks > 0 && fit.tasks < job->tasks_per_node)
		return (struct fit){.lack = LACK_TASKS};
	return fit;
}

struct fit fit_empty(const struct request *request, const struct node *node)
{
	struct fit fit = {.tasks = UINT32_MAX};
	enum lack lack = request_lack(request, node);

	if (lack != LACK_NONE)
		return (struct fit){.lack = (uint8_t)lack};
	for (unsigned i = 0; i < request->count; i++)
		if (fit_is_known(node, request->resource[i].kind))
			narrow(&fit, request, i, alloc_configured(node, request->resource[i].kind));
	return settle(fit, request->job);
}

/* --- what is left now, as the site counts it ---------------------------------------------------- */

static int64_t dedicated_on(const struct node *node, int kind)
{
	if (kind >= ALLOC_GRES)
		return node->gres_busy[kind - ALLOC_GRES];
	switch (kind) {
	case ALLOC_PROCS:
		return node->procs_busy;
	case ALLOC_MEM:
		return node->mem_busy_mb;
	case ALLOC_SWAP:
		return node->swap_busy_mb;
	case ALLOC_DISK:
		return node->disk_busy_mb;
	default:
		return 0;
	}
}

/* Processors at work, and load beyond them. */
static int64_t procs_used(const struct node *node)
{
	double used = node->used.procs, load = node->used.load;

	if (used < 0)
		return -1;
	if (load > used)
		used += UNTRACKED_LOAD_FACTOR * (load - used);
	return llround(fmin(used, (double)node->procs));
}

int64_t placement_outside_procs(const struct snapshot *s, uint32_t node)
{
	const struct node *n = &snapshot_nodes(s)[node];
	int64_t used = procs_used(n);

	if (s->policy.available[AVAILABLE_PROCS] == AVAILABLE_DEDICATED || used < n->procs_busy)
		return 0;
	return used - n->procs_busy;
}

/* As measured; negative = nobody has. */
static int64_t used_on(const struct node *node, int kind)
{
	const int64_t amount[ALLOC_GRES] = {0, node->used.mem_mb, node->used.swap_mb, node->used.disk_mb};

	if (kind == ALLOC_PROCS)
		return procs_used(node);
	return kind >= ALLOC_GRES ? -1 : amount[kind];
}

static enum availability how_counted(const struct placement *p, int kind)
{
	static const uint8_t resource[] = {[ALLOC_PROCS] = AVAILABLE_PROCS,
					   [ALLOC_MEM] = AVAILABLE_MEM,
					   [ALLOC_SWAP] = AVAILABLE_SWAP,
					   [ALLOC_DISK] = AVAILABLE_DISK};

	if (kind >= ALLOC_GRES)
		return AVAILABLE_DEDICATED;
	return (enum availability)p->s->policy.available[resource[kind]];
}

/* What running jobs dedicate does not count where use does: but processors are never given twice. */
static bool goes_by_use(const struct placement *p, const struct node *node, int kind)
{
	return kind != ALLOC_PROCS && how_counted(p, kind) == AVAILABLE_UTILIZED && used_on(node, kind) >= 0;
}

/* What running jobs leave of a node now. */
static int64_t left_now(const struct placement *p, const struct node *node, int kind)
{
	int64_t dedicated = dedicated_on(node, kind), used = used_on(node, kind);

	if (how_counted(p, kind) == AVAILABLE_DEDICATED)
		used = -1;
	if (!goes_by_use(p, node, kind) && dedicated > used)
		used = dedicated;
	return alloc_configured(node, kind) - used;
}

/* --- beside claims ------------------------------------------------------------------------------- */

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* From a moment of the node on, for a job that begins now or later. */
static int64_t left_from(const struct placement *p, const struct node *n, const struct timeline *c,
			 uint32_t step, int kind, bool now)
{
	int64_t held = timeline_held(p, c, step, kind), left = alloc_configured(n, kind) - held;

	if (!now)
		return left;
	if (goes_by_use(p, n, kind) && c->step[step].reservations == 0)
		left = INT64_MAX;
	/* Of what is held now the running jobs have what is dedicated; the rest are starts of this pass. */
	if (step == 0)
		left = smaller(left, left_now(p, n, kind) - (held - dedicated_on(n, kind)));
	return left;
}

int64_t fit_left(struct placement *p, uint32_t node, int kind, int64_t begin_s)
{
	const struct timeline *c = timeline_of(p, node);

	return left_from(p, &snapshot_nodes(p->s)[node], c, timeline_at(c, begin_s), kind,
			 begin_s == p->now_s);
}

int64_t fit_least(struct placement *p, uint32_t node, int kind, int64_t begin_s, int64_t end_s)
{
	const struct node *n = &snapshot_nodes(p->s)[node];
	bool now = begin_s == p->now_s;
	const struct timeline *c;
	int64_t least = INT64_MAX;

	if (now && p->node_claims[node].added == 0)
		return left_now(p, n, kind);
	c = timeline_of(p, node);
	for (uint32_t i = timeline_at(c, begin_s); i < c->count && c->step[i].at_s < end_s; i++)
		least = smaller(least, left_from(p, n, c, i, kind, now));
	return least;
}

/* May the job stand beside a claim? */
static bool gets_along(const struct placement *p, const struct request *request, enum node_access access,
		       const struct claim *claim)
{
	if (access >= ACCESS_SINGLEJOB || claim->access >= ACCESS_SINGLEJOB)
		return false;
	if (access != ACCESS_SINGLEUSER && claim->access != ACCESS_SINGLEUSER)
		return true;
	return placement_job(p, claim->slot)->cred[CRED_USER] == request->job->cred[CRED_USER];
}

static bool gets_along_with_all(const struct placement *p, const struct request *request, uint32_t node,
				int64_t begin_s, int64_t end_s)
{
	enum node_access access = access_on(request, &snapshot_nodes(p->s)[node]);

	if (access <= ACCESS_SHARED && !p->users_matter)
		return true;
	for (uint32_t i = p->node_claims[node].first; i != INDEX_NONE; i = p->claim[i].next) {
		const struct claim *claim = &p->claim[i];

		if (claim->begin_s < end_s && claim->end_s > begin_s &&
		    !gets_along(p, request, access, claim))
			return false;
	}
	return true;
}

/* As many tasks as fit now, on a node on which this pass has changed nothing. */
static struct fit fit_untouched(const struct placement *p, const struct request *request,
				const struct node *node)
{
	struct fit fit = {.tasks = UINT32_MAX};

	for (unsigned i = 0; i < request->count; i++)
		if (fit_is_known(node, request->resource[i].kind))
			narrow(&fit, request, i, left_now(p, node, request->resource[i].kind));
	return fit;
}

/*
 * Less what is kept for others. Who holds nodes whole would hold that too, where anything is
 * kept. free: processors that nobody holds.
 */
static void narrow_by_advances(struct fit *fit, struct placement *p, const struct request *request,
			       uint32_t node, int64_t at_s, int64_t free)
{
	int64_t kept = advance_kept(p, node, request->guests, at_s), tasks;

	if (kept == 0)
		return;
	tasks = free > kept && !request_whole(request, &snapshot_nodes(p->s)[node])
			? (free - kept) / request->job->task_procs
			: 0;
	if (tasks < (int64_t)fit->tasks)
		*fit = (struct fit){.tasks = (uint32_t)tasks, .lack = LACK_RESERVED};
}

/* From moment to moment, until nothing fits. Between two at which claims begin, ends only leave more. */
static struct fit fit_beside(struct placement *p, const struct request *request, uint32_t node,
			     int64_t begin_s, int64_t end_s)
{
	const struct node *n = &snapshot_nodes(p->s)[node];
	const struct timeline *c = timeline_of(p, node);
	struct fit fit = {.tasks = UINT32_MAX};
	bool now = begin_s == p->now_s, guarded = advances_on_node(p, node);
	uint32_t first = timeline_at(c, begin_s);

	for (uint32_t at = first; at < c->count && c->step[at].at_s < end_s; at++) {
		if (at > first && !guarded && c->step[at].at_s > c->last_begin_s)
			break;
		if (at > first && !guarded && c->step[at].begins == 0)
			continue;
		for (unsigned i = 0; i < request->count; i++)
			if (fit_is_known(n, request->resource[i].kind))
				narrow(&fit, request, i,
				       left_from(p, n, c, at, request->resource[i].kind, now));
		if (guarded)
			narrow_by_advances(&fit, p, request, node, c->step[at].at_s,
					   left_from(p, n, c, at, ALLOC_PROCS, now));
		if (fit.tasks == 0)
			break;
	}
	return fit;
}

struct fit fit_between(struct placement *p, const struct request *request, uint32_t node, int64_t begin_s,
		       int64_t end_s)
{
	const struct node *n = &snapshot_nodes(p->s)[node];
	enum lack lack = request_lack_now(request, n);
	struct fit fit;

	if (lack != LACK_NONE)
		return (struct fit){.lack = (uint8_t)lack};
	if (begin_s == p->now_s && p->node_claims[node].added == 0)
		fit = fit_untouched(p, request, n);
	else
		fit = fit_beside(p, request, node, begin_s, end_s);
	if (fit.tasks > 0 && !gets_along_with_all(p, request, node, begin_s, end_s))
		return (struct fit){.lack = LACK_ACCESS};
	return settle(fit, request->job);
}
