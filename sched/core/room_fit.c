/* SPDX-License-Identifier: MIT */
/*
 * room_fit.c - where is room for a job, now and later? How many of its tasks fit on a node.
 *
 * What is held of a node grows only where a claim begins; so it is looked at when the job would
 * begin, and where claims begin while it would run. Of all these moments the least counts.
 *
 * For a job that starts now NODEAVAILABILITYPOLICY says what is left at that moment (M-15).
 * UTILIZED lets memory, swap and disk be dedicated twice when running jobs do not use
 * theirs; but never what a reservation counts on, and processors never.
 */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "room_inside.h"

#define UNTRACKED_LOAD_FACTOR                                                                                \
	1.2 /* of load that no job accounts for, to processors (NODEUNTRACKEDLOADFACTOR) */

/* --- what a job wants ------------------------------------------------------------------------- */

struct want want_of(const struct snapshot *s, const struct job *job, uint32_t slot)
{
	struct want want = {.s = s, .job = job, .slot = slot, .access = snapshot_job_access(s, job)};
	const char *class_name = snapshot_job_cred(s, job, CRED_CLASS);
	int bit = class_name == NULL ? -1 : snapshot_find_trait(s, TRAIT_CLASS, class_name);

	want.has_class = class_name != NULL;
	want.classes = bit < 0 ? 0 : UINT64_C(1) << bit;
	want.hosts = job->hosts == 0 ? NULL : snapshot_string(s, job->hosts);
	return want;
}

/* Is a name one of the words of a text? */
static bool is_among(const char *words, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = words; *at != '\0'; at += strcspn(at, " ")) {
		at += strspn(at, " ");
		if (strcspn(at, " ") == len && len > 0 && strncasecmp(at, name, len) == 0)
			return true;
	}
	return false;
}

/* What the node is, whatever is free of it. */
static enum lack lacks(const struct want *want, const struct node *node)
{
	const struct job *job = want->job;

	if (job->partition != 0 && node->partition != 0 && job->partition != node->partition)
		return LACK_PARTITION;
	if (want->hosts != NULL && !is_among(want->hosts, snapshot_string(want->s, node->name)))
		return LACK_HOST;
	if (want->has_class && node->classes != 0 && (node->classes & want->classes) == 0)
		return LACK_CLASS;
	return (node->features & job->features) != job->features ? LACK_FEATURE : LACK_NONE;
}

static enum node_access access_on(const struct want *want, const struct node *node)
{
	return want->access > node->access ? want->access : (enum node_access)node->access;
}

/* --- amounts ------------------------------------------------------------------------------------ */

static struct alloc_amounts configured_of(const struct node *node)
{
	struct alloc_amounts all = {node->procs, node->mem_mb, node->swap_mb, node->disk_mb, {0}};

	for (int i = 0; i < GRES_MAX; i++)
		all.gres[i] = node->gres[i];
	return all;
}

static void add_amounts(struct alloc_amounts *sum, const struct job *job, const struct claim *claim)
{
	sum->procs += claim->procs;
	sum->mem_mb += claim->tasks * job->mem_mb;
	sum->swap_mb += claim->tasks * job->swap_mb;
	sum->disk_mb += claim->tasks * job->disk_mb;
	for (int i = 0; i < GRES_MAX; i++)
		sum->gres[i] += (int64_t)claim->tasks * job->gres[i];
}

/* Narrows the count of tasks by one resource, of which a node has `configured`. */
static void narrow(struct fit *fit, int64_t free, int64_t asked, enum lack lack)
{
	int64_t tasks = asked == 0 ? INT64_MAX : free > 0 ? free / asked : 0;

	if (tasks >= (int64_t)fit->tasks)
		return;
	fit->tasks = (uint32_t)tasks;
	fit->lack = (uint8_t)lack;
}

/* Memory, swap and disk of which nothing is known are not looked at. */
static void narrow_known(struct fit *fit, int64_t free, int64_t asked, int64_t configured, enum lack lack)
{
	if (configured > 0)
		narrow(fit, free, asked, lack);
}

static void narrow_all(struct fit *fit, const struct job *job, const struct node *node,
		       const struct alloc_amounts *free)
{
	narrow(fit, free->procs, job->task_procs, LACK_PROCS);
	narrow_known(fit, free->mem_mb, job->mem_mb, node->mem_mb, LACK_MEMORY);
	narrow_known(fit, free->swap_mb, job->swap_mb, node->swap_mb, LACK_SWAP);
	narrow_known(fit, free->disk_mb, job->disk_mb, node->disk_mb, LACK_DISK);
	for (int i = 0; i < GRES_MAX; i++)
		narrow(fit, free->gres[i], job->gres[i], LACK_GRES);
}

/* What the node allows at all; tasks 0 = nothing. */
static struct fit fit_at_most(const struct want *want, const struct node *node)
{
	struct fit fit = {.tasks = want->job->tasks, .until_s = TIME_NEVER, .free = configured_of(node)};
	enum node_access access = access_on(want, node);
	enum lack lack = lacks(want, node);

	fit.whole = access >= ACCESS_SINGLEJOB;
	if (lack != LACK_NONE)
		return (struct fit){.lack = (uint8_t)lack};
	return fit;
}

/* Less than the tasks that must stay together is nothing. */
static struct fit settle(struct fit fit, const struct job *job)
{
	if (fit.tasks > 0 && fit.tasks < job->tasks_per_node) {
		fit.tasks = 0;
		fit.lack = LACK_TASKS;
	}
	return fit;
}

struct fit fit_empty(const struct want *want, const struct node *node)
{
	struct fit fit = fit_at_most(want, node);

	if (fit.tasks > 0)
		narrow_all(&fit, want->job, node, &fit.free);
	return settle(fit, want->job);
}

/* --- what is left now, as the site counts it ---------------------------------------------------- */

/* used < 0: nobody has measured it. */
static int64_t left_of(enum availability how, int64_t configured, int64_t dedicated, int64_t used)
{
	if (how == AVAILABLE_DEDICATED || used < 0)
		return configured - dedicated;
	if (how == AVAILABLE_COMBINED && dedicated > used)
		return configured - dedicated;
	return configured - used;
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

static struct alloc_amounts left_now(const struct room *r, const struct node *node,
				     const struct alloc_amounts *taken)
{
	const uint8_t *how = r->s->policy.available;
	struct alloc_amounts left = configured_of(node);

#define LEFT(resource, configured, dedicated, used)                                                          \
	left_of((enum availability)how[resource], configured, dedicated, used)
	left.procs = LEFT(AVAILABLE_PROCS, node->procs, node->procs_busy, procs_used(node)) - taken->procs;
	left.mem_mb = LEFT(AVAILABLE_MEM, node->mem_mb, node->mem_busy_mb, node->used.mem_mb) - taken->mem_mb;
	left.swap_mb =
		LEFT(AVAILABLE_SWAP, node->swap_mb, node->swap_busy_mb, node->used.swap_mb) - taken->swap_mb;
	left.disk_mb =
		LEFT(AVAILABLE_DISK, node->disk_mb, node->disk_busy_mb, node->used.disk_mb) - taken->disk_mb;
#undef LEFT
	for (int i = 0; i < GRES_MAX; i++)
		left.gres[i] -= node->gres_busy[i] + taken->gres[i];
	return left;
}

/* --- beside claims ------------------------------------------------------------------------------- */

/* What is held of a node at a moment by others than a job; its own reservation is in nobody's way. */
struct held {
	struct alloc_amounts all, starts; /* by everybody; by starts of this pass alone */
	uint32_t jobs;
	bool promised; /* to a reservation */
};

static struct held held_at(const struct room *r, uint32_t node, int64_t at_s, uint32_t own)
{
	struct held held = {0};

	for (uint32_t i = r->first[node]; i != INDEX_NONE; i = r->claim[i].next) {
		const struct claim *claim = &r->claim[i];

		if (claim->begin_s > at_s || claim->end_s <= at_s || claim->slot == own)
			continue;
		add_amounts(&held.all, room_job(r, claim->slot), claim);
		if (claim->kind == CLAIM_STARTS)
			add_amounts(&held.starts, room_job(r, claim->slot), claim);
		held.promised |= claim->kind == CLAIM_LATER;
		held.jobs++;
	}
	return held;
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void keep_least(struct alloc_amounts *least, const struct alloc_amounts *other)
{
	least->procs = smaller(least->procs, other->procs);
	least->mem_mb = smaller(least->mem_mb, other->mem_mb);
	least->swap_mb = smaller(least->swap_mb, other->swap_mb);
	least->disk_mb = smaller(least->disk_mb, other->disk_mb);
	for (int i = 0; i < GRES_MAX; i++)
		least->gres[i] = smaller(least->gres[i], other->gres[i]);
}

static struct alloc_amounts less(struct alloc_amounts all, const struct alloc_amounts *held)
{
	all.procs -= held->procs;
	all.mem_mb -= held->mem_mb;
	all.swap_mb -= held->swap_mb;
	all.disk_mb -= held->disk_mb;
	for (int i = 0; i < GRES_MAX; i++)
		all.gres[i] -= held->gres[i];
	return all;
}

static bool by_use(const struct room *r, enum available_resource resource, int64_t used)
{
	return r->s->policy.available[resource] == AVAILABLE_UTILIZED && used >= 0;
}

/* Of resources counted by use, what running jobs have dedicated does not matter. */
static void forget_dedicated(const struct room *r, const struct node *node, struct alloc_amounts *left)
{
	if (by_use(r, AVAILABLE_MEM, node->used.mem_mb))
		left->mem_mb = INT64_MAX;
	if (by_use(r, AVAILABLE_SWAP, node->used.swap_mb))
		left->swap_mb = INT64_MAX;
	if (by_use(r, AVAILABLE_DISK, node->used.disk_mb))
		left->disk_mb = INT64_MAX;
}

/* What is left of a node at a moment, for a job that begins at begin_s. */
static struct alloc_amounts left_at(const struct room *r, uint32_t index, const struct held *held,
				    int64_t at_s, int64_t begin_s)
{
	const struct node *node = &snapshot_nodes(r->s)[index];
	struct alloc_amounts left = less(configured_of(node), &held->all), now;

	if (begin_s > r->now_s)
		return left;
	if (!held->promised)
		forget_dedicated(r, node, &left);
	if (at_s == r->now_s) {
		now = left_now(r, node, &held->starts);
		keep_least(&left, &now);
	}
	return left;
}

/* May the job stand beside a claim? */
static bool gets_along(const struct room *r, const struct want *want, enum node_access access,
		       const struct claim *claim)
{
	if (access >= ACCESS_SINGLEJOB || claim->access >= ACCESS_SINGLEJOB)
		return false;
	if (access != ACCESS_SINGLEUSER && claim->access != ACCESS_SINGLEUSER)
		return true;
	return room_job(r, claim->slot)->cred[CRED_USER] == want->job->cred[CRED_USER];
}

/* At the begin of a job in slot `own`. */
static void look_at_begin(struct room *r, uint32_t index, uint32_t own, int64_t begin_s, struct fit *fit)
{
	struct held held = held_at(r, index, begin_s, own);

	fit->jobs = held.jobs;
	fit->dedicated = held.all.procs;
	fit->first = fit->free = left_at(r, index, &held, begin_s, begin_s);
}

/* Looks at the node where the job begins, and where claims begin while it runs. */
static void narrow_by_claims(struct room *r, const struct want *want, uint32_t index, int64_t begin_s,
			     int64_t end_s, struct fit *fit)
{
	const struct node *node = &snapshot_nodes(r->s)[index];
	enum node_access access = access_on(want, node);

	look_at_begin(r, index, want->slot, begin_s, fit);
	for (uint32_t i = r->first[index]; i != INDEX_NONE; i = r->claim[i].next) {
		const struct claim *claim = &r->claim[i];
		struct alloc_amounts left;
		struct held held;

		if (claim->slot == want->slot || claim->end_s <= begin_s)
			continue;
		if (claim->begin_s >= end_s) {
			fit->until_s = smaller(fit->until_s, claim->begin_s);
			continue;
		}
		if (!gets_along(r, want, access, claim))
			narrow(fit, 0, 1, LACK_ACCESS);
		if (claim->begin_s <= begin_s)
			continue;
		held = held_at(r, index, claim->begin_s, want->slot);
		left = left_at(r, index, &held, claim->begin_s, begin_s);
		keep_least(&fit->free, &left);
	}
	narrow_all(fit, want->job, node, &fit->free);
}

struct fit fit_between(struct room *r, const struct want *want, uint32_t node, int64_t begin_s, int64_t end_s)
{
	struct fit fit = fit_at_most(want, &snapshot_nodes(r->s)[node]);

	if (fit.tasks > 0)
		narrow_by_claims(r, want, node, begin_s, end_s, &fit);
	return settle(fit, want->job);
}

struct fit fit_now(struct room *r, uint32_t node)
{
	struct fit fit = {.until_s = TIME_NEVER};

	room_need_claims(r);
	look_at_begin(r, node, INDEX_NONE, r->now_s, &fit);
	return fit;
}
