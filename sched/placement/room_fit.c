/* SPDX-License-Identifier: MIT */
/*
 * room_fit.c - where is room for a job, now and later? How many of its tasks fit on a node.
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

#include "room_inside.h"

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

bool want_classes_matter(const struct snapshot *s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_TRAITS); i++)
		if (snapshot_traits(s)[i].kind == TRAIT_CLASS)
			return true;
	return false;
}

struct want want_of(const struct snapshot *s, const struct job *job, uint32_t slot)
{
	struct want want = {.s = s, .job = job, .slot = slot, .access = snapshot_job_access(s, job)};
	const char *class_name = snapshot_job_cred(s, job, CRED_CLASS);
	int bit = class_name == NULL ? -1 : snapshot_find_trait(s, TRAIT_CLASS, class_name);

	want.has_class = class_name != NULL;
	want.classes = bit < 0 ? 0 : UINT64_C(1) << bit;
	want.hosts = job->hosts == 0 ? NULL : snapshot_string(s, job->hosts);
	want.is_picky = want.hosts != NULL || job->partition != 0 || job->features != 0 ||
			job_requires_unknown(job) || (want.has_class && want_classes_matter(s));
	for (int kind = 0; kind < ALLOC_KIND_COUNT; kind++) {
		int64_t asked = alloc_asked(job, kind);

		if (asked == 0)
			continue;
		want.ask[want.count].kind = (uint8_t)kind;
		want.ask[want.count].lack = lack_of(kind);
		want.ask[want.count++].asked = asked;
	}
	return want;
}

struct want want_in(struct room *r, uint32_t slot)
{
	struct want want = want_of(r->s, room_job(r, slot), slot);

	if (r->guard_count > 0)
		want.guests = guard_guests(r, slot);
	return want;
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
static enum lack want_lacks(const struct want *want, const struct node *node)
{
	const struct job *job = want->job;

	if (!want->is_picky)
		return LACK_NONE;
	if (job->partition != 0 && node->partition != 0 && job->partition != node->partition)
		return LACK_PARTITION;
	if (want->hosts != NULL && !is_among(want->hosts, snapshot_string(want->s, node->name)))
		return LACK_HOST;
	if (want->has_class && node->classes != 0 && (node->classes & want->classes) == 0)
		return LACK_CLASS;
	if ((node->features & job->features) != job->features || job->unknown[UNKNOWN_FEATURES] != 0)
		return LACK_FEATURE;
	return job->unknown[UNKNOWN_GRES] != 0 ? LACK_GRES : LACK_NONE;
}

static enum node_access access_on(const struct want *want, const struct node *node)
{
	return want->access > node->access ? want->access : (enum node_access)node->access;
}

enum lack want_lacks_now(const struct want *want, const struct node *node)
{
	return node->drained ? LACK_DRAINED : want_lacks(want, node);
}

bool want_whole(const struct want *want, const struct node *node)
{
	return access_on(want, node) >= ACCESS_SINGLEJOB;
}

/* --- counting tasks ----------------------------------------------------------------------------- */

/* Narrows the count by ask i, of which so much is free. */
static void narrow(struct fit *fit, const struct want *want, unsigned i, int64_t free)
{
	int64_t tasks = free > 0 ? free / want->ask[i].asked : 0;

	if (tasks < (int64_t)fit->tasks)
		*fit = (struct fit){.tasks = (uint32_t)tasks, .lack = want->ask[i].lack};
}

/* Less than the tasks that must stay together is nothing. */
static struct fit settle(struct fit fit, const struct job *job)
{
	if (fit.tasks > 0 && fit.tasks < job->tasks_per_node)
		return (struct fit){.lack = LACK_TASKS};
	return fit;
}

struct fit fit_empty(const struct want *want, const struct node *node)
{
	struct fit fit = {.tasks = UINT32_MAX};
	enum lack lack = want_lacks(want, node);

	if (lack != LACK_NONE)
		return (struct fit){.lack = (uint8_t)lack};
	for (unsigned i = 0; i < want->count; i++)
		if (fit_is_known(node, want->ask[i].kind))
			narrow(&fit, want, i, alloc_configured(node, want->ask[i].kind));
	return settle(fit, want->job);
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

int64_t room_outside_procs(const struct snapshot *s, uint32_t node)
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

static enum availability how_counted(const struct room *r, int kind)
{
	static const uint8_t resource[] = {[ALLOC_PROCS] = AVAILABLE_PROCS,
					   [ALLOC_MEM] = AVAILABLE_MEM,
					   [ALLOC_SWAP] = AVAILABLE_SWAP,
					   [ALLOC_DISK] = AVAILABLE_DISK};

	if (kind >= ALLOC_GRES)
		return AVAILABLE_DEDICATED;
	return (enum availability)r->s->policy.available[resource[kind]];
}

/* What running jobs dedicate does not count where use does: but processors are never given twice. */
static bool goes_by_use(const struct room *r, const struct node *node, int kind)
{
	return kind != ALLOC_PROCS && how_counted(r, kind) == AVAILABLE_UTILIZED && used_on(node, kind) >= 0;
}

/* What running jobs leave of a node now. */
static int64_t left_now(const struct room *r, const struct node *node, int kind)
{
	int64_t dedicated = dedicated_on(node, kind), used = used_on(node, kind);

	if (how_counted(r, kind) == AVAILABLE_DEDICATED)
		used = -1;
	if (!goes_by_use(r, node, kind) && dedicated > used)
		used = dedicated;
	return alloc_configured(node, kind) - used;
}

/* --- beside claims ------------------------------------------------------------------------------- */

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* From a moment of the node on, for a job that begins now or later. */
static int64_t left_from(const struct room *r, const struct node *n, const struct course *c, uint32_t moment,
			 int kind, bool now)
{
	int64_t held = moment_held(r, c, moment, kind), left = alloc_configured(n, kind) - held;

	if (!now)
		return left;
	if (goes_by_use(r, n, kind) && c->moment[moment].promised == 0)
		left = INT64_MAX;
	/* Of what is held now the running jobs have what is dedicated; the rest are starts of this pass. */
	if (moment == 0)
		left = smaller(left, left_now(r, n, kind) - (held - dedicated_on(n, kind)));
	return left;
}

int64_t fit_left(struct room *r, uint32_t node, int kind, int64_t begin_s)
{
	const struct course *c = moment_course(r, node);

	return left_from(r, &snapshot_nodes(r->s)[node], c, moment_at(c, begin_s), kind, begin_s == r->now_s);
}

int64_t fit_least(struct room *r, uint32_t node, int kind, int64_t begin_s, int64_t end_s)
{
	const struct node *n = &snapshot_nodes(r->s)[node];
	bool now = begin_s == r->now_s;
	const struct course *c;
	int64_t least = INT64_MAX;

	if (now && r->spot[node].added == 0)
		return left_now(r, n, kind);
	c = moment_course(r, node);
	for (uint32_t i = moment_at(c, begin_s); i < c->count && c->moment[i].at_s < end_s; i++)
		least = smaller(least, left_from(r, n, c, i, kind, now));
	return least;
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

static bool gets_along_with_all(const struct room *r, const struct want *want, uint32_t node, int64_t begin_s,
				int64_t end_s)
{
	enum node_access access = access_on(want, &snapshot_nodes(r->s)[node]);

	if (access <= ACCESS_SHARED && !r->users_matter)
		return true;
	for (uint32_t i = r->spot[node].first; i != INDEX_NONE; i = r->claim[i].next) {
		const struct claim *claim = &r->claim[i];

		if (claim->begin_s < end_s && claim->end_s > begin_s && !gets_along(r, want, access, claim))
			return false;
	}
	return true;
}

/* As many tasks as fit now, on a node on which this pass has changed nothing. */
static struct fit fit_untouched(const struct room *r, const struct want *want, const struct node *node)
{
	struct fit fit = {.tasks = UINT32_MAX};

	for (unsigned i = 0; i < want->count; i++)
		if (fit_is_known(node, want->ask[i].kind))
			narrow(&fit, want, i, left_now(r, node, want->ask[i].kind));
	return fit;
}

/*
 * Less what is kept for others. Who holds nodes whole would hold that too, where anything is
 * kept. free: processors that nobody holds.
 */
static void narrow_by_guards(struct fit *fit, struct room *r, const struct want *want, uint32_t node,
			     int64_t at_s, int64_t free)
{
	int64_t kept = guard_kept(r, node, want->guests, at_s), tasks;

	if (kept == 0)
		return;
	tasks = free > kept && !want_whole(want, &snapshot_nodes(r->s)[node])
			? (free - kept) / want->job->task_procs
			: 0;
	if (tasks < (int64_t)fit->tasks)
		*fit = (struct fit){.tasks = (uint32_t)tasks, .lack = LACK_RESERVED};
}

/* From moment to moment, until nothing fits. Between two at which claims begin, ends only leave more. */
static struct fit fit_beside(struct room *r, const struct want *want, uint32_t node, int64_t begin_s,
			     int64_t end_s)
{
	const struct node *n = &snapshot_nodes(r->s)[node];
	const struct course *c = moment_course(r, node);
	struct fit fit = {.tasks = UINT32_MAX};
	bool now = begin_s == r->now_s, guarded = guard_stands_on(r, node);
	uint32_t first = moment_at(c, begin_s);

	for (uint32_t at = first; at < c->count && c->moment[at].at_s < end_s; at++) {
		if (at > first && !guarded && c->moment[at].at_s > c->last_begin_s)
			break;
		if (at > first && !guarded && c->moment[at].begins == 0)
			continue;
		for (unsigned i = 0; i < want->count; i++)
			if (fit_is_known(n, want->ask[i].kind))
				narrow(&fit, want, i, left_from(r, n, c, at, want->ask[i].kind, now));
		if (guarded)
			narrow_by_guards(&fit, r, want, node, c->moment[at].at_s,
					 left_from(r, n, c, at, ALLOC_PROCS, now));
		if (fit.tasks == 0)
			break;
	}
	return fit;
}

struct fit fit_between(struct room *r, const struct want *want, uint32_t node, int64_t begin_s, int64_t end_s)
{
	const struct node *n = &snapshot_nodes(r->s)[node];
	enum lack lack = want_lacks_now(want, n);
	struct fit fit;

	if (lack != LACK_NONE)
		return (struct fit){.lack = (uint8_t)lack};
	if (begin_s == r->now_s && r->spot[node].added == 0)
		fit = fit_untouched(r, want, n);
	else
		fit = fit_beside(r, want, node, begin_s, end_s);
	if (fit.tasks > 0 && !gets_along_with_all(r, want, node, begin_s, end_s))
		return (struct fit){.lack = LACK_ACCESS};
	return settle(fit, want->job);
}
