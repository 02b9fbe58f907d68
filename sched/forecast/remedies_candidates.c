/* SPDX-License-Identifier: MIT */
/*
 * remedies_candidates.c - the changes that are tried as remedies: of the job, of limits, of the site, of
 * other jobs
 */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "remedies_search.h"
#include "sched/base/amount.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/config/config.h"
#include "sched/model/array.h"
#include "sched/model/policy.h"
#include "sched/placement/placement.h"
#include "sched/state/state.h"

/* Maximum number of nodes, of idle jobs and of running jobs that are tried. */
#define OTHERS_MAX 16

static bool check_fails(const struct check *check)
{
	return check->known && !check->ok;
}

static bool fails_gate(const struct search *s, enum gate gate)
{
	return check_fails(&s->why.check[gate]);
}

static struct event new_event(const struct search *s, enum event_kind kind)
{
	return (struct event){.kind = kind, .job = s->job->id, .who = "whatif"};
}

static struct event modify(struct search *s, const char *name, const char *value)
{
	struct event ev = new_event(s, EVENT_MODIFY);

	ev.modify.name = name;
	ev.modify.value = arena_string(&s->out->arena, value);
	return ev;
}

static struct event setting(struct search *s, const char *name, const char *value)
{
	struct event ev = new_event(s, EVENT_SETTING);

	ev.job = 0;
	ev.setting.name = arena_string(&s->out->arena, name);
	ev.setting.value = arena_string(&s->out->arena, value);
	return ev;
}

/* --- the job: holds, dates, dependencies ------------------------------------------------------------ */

static void try_release(struct search *s)
{
	struct event ev = new_event(s, EVENT_HOLD);

	ev.hold.bits = s->job->holds;
	if (fails_gate(s, GATE_HOLD))
		search_try(s, ev);
}

static void try_no_defer(struct search *s)
{
	struct event ev = new_event(s, EVENT_DEFER);

	ev.defer.until_s = TIME_NONE;
	if (fails_gate(s, GATE_DEFER))
		search_try(s, ev);
}

static void try_no_date(struct search *s)
{
	if (fails_gate(s, GATE_START_DATE))
		search_try(s, modify(s, "starttime", "none"));
}

static void try_resume(struct search *s)
{
	struct event ev = new_event(s, EVENT_HALT);

	ev.job = 0;
	if (fails_gate(s, GATE_HALT))
		search_try(s, ev);
}

static void try_no_depend(struct search *s)
{
	if (fails_gate(s, GATE_DEPENDENCY))
		search_try(s, modify(s, JOB_DEPEND_ATTRIBUTE, ""));
}

/* --- the job: its request ------------------------------------------------------------------------------ */

#define NUMBER_TEXT 32

static struct event with_amount(struct search *s, int64_t amount)
{
	char text[NUMBER_TEXT];

	snprintf(text, sizeof text, "%" PRId64, amount);
	return modify(s, s->attribute, text);
}

/*
 * Tries smaller amounts of a request, from the current amount down to the smallest sensible one. A request
 * smaller than needed to start in time may delay other jobs less.
 */
static void try_less_of(struct search *s, const char *attribute, int64_t from, int64_t to)
{
	int64_t number;

	s->attribute = attribute;
	if (from > to && search_number(s, with_amount, from, to, &number))
		search_cheaper(s, with_amount, number, to);
}

/* Lower bound for a suggested wallclock limit in seconds; see least_wall_s. */
#define LEAST_WALL_S 60

/*
 * Returns the shortest wallclock limit to suggest: a minute, the minimum of the class, or the usual run time
 * of the user's jobs, whichever is longest, because a job is killed when it exceeds its limit.
 */
static int64_t least_wall_s(const struct search *s)
{
	uint32_t class = s->job->cred[CRED_CLASS];
	int64_t least_s = class == INDEX_NONE ? 0 : snapshot_creds(s->s)[class].attr.min_wall_s;
	int64_t usual_s = (int64_t)ceil(
		assume_usual_share(s->setup->accuracy, snapshot_job_cred(s->s, s->job, CRED_USER)) *
		(double)s->job->wall_limit_s);

	if (usual_s > least_s)
		least_s = usual_s;
	return least_s > LEAST_WALL_S ? least_s : LEAST_WALL_S;
}

static void try_less(struct search *s)
{
	const struct job *job = s->job;

	try_less_of(s, "walltime", job->wall_limit_s, least_wall_s(s));
	try_less_of(s, "mem", job->mem_mb, 1);
	try_less_of(s, "swap", job->swap_mb, 0);
	try_less_of(s, "disk", job->disk_mb, 0);
	if (job->nodes > 0)
		search_try(s, modify(s, "nodes", "0"));
	if (job->tasks_per_node > 1)
		search_try(s, modify(s, "tpn", "0"));
}

static bool wants_gres(const struct job *job)
{
	for (size_t i = 0; i < GRES_MAX; i++)
		if (job->gres[i] > 0)
			return true;
	return job->unknown[UNKNOWN_GRES] != 0;
}

static void try_elsewhere(struct search *s)
{
	if (s->job->features != 0 || s->job->unknown[UNKNOWN_FEATURES] != 0)
		search_try(s, modify(s, "features", ""));
	if (s->job->hosts != 0)
		search_try(s, modify(s, "hosts", ""));
	if (wants_gres(s->job))
		search_try(s, modify(s, "gres", ""));
	if (s->job->access > ACCESS_SHARED)
		search_try(s, modify(s, "access", "shared"));
	for (uint32_t i = 0; i < snapshot_count(s->s, TABLE_PARTITIONS); i++)
		if (i != s->job->partition)
			search_try(s, modify(s, "partition",
					     snapshot_string(s->s, snapshot_partitions(s->s)[i].name)));
}

static void try_array(struct search *s)
{
	uint32_t limit = s->job->array_limit;
	int64_t number;

	s->attribute = "throttle";
	if (limit > 0)
		search_number(s, with_amount, limit, ARRAY_TASKS_MAX, &number);
}

/* --- the job: its priority and QOS ---------------------------------------------------------------------- */

static struct event with_points(struct search *s, int64_t points)
{
	struct event ev = new_event(s, EVENT_PRIORITY);

	ev.priority.adjust = s->adjust;
	ev.priority.points = points;
	return ev;
}

/* The largest number of points that an operator can set. */
#define POINTS_MAX INT64_C(1000000000)

/*
 * Tries relative points first. If they are not enough, or if the job has an absolute priority already, which
 * ranks it above all jobs without one, tries absolute points.
 */
static void try_priority(struct search *s)
{
	bool above = s->job->adjust == JOB_ADJUST_ABSOLUTE;
	int64_t own = s->job->adjust == JOB_ADJUST_RELATIVE ? s->job->points : 0, number;

	s->adjust = JOB_ADJUST_RELATIVE;
	if (!above && search_number(s, with_points, own, POINTS_MAX, &number))
		return;
	s->adjust = JOB_ADJUST_ABSOLUTE;
	search_number(s, with_points, above ? s->job->points : -1, POINTS_MAX, &number);
}

static void try_qos(struct search *s)
{
	const struct cred *cred = snapshot_creds(s->s);

	for (uint32_t i = 0; i < snapshot_count(s->s, TABLE_CREDS); i++) {
		const char *name = snapshot_string(s->s, cred[i].name);

		if (cred[i].type == CRED_QOS && i != s->job->cred[CRED_QOS] &&
		    strcmp(name, CRED_DEFAULT) != 0 && strcmp(name, CRED_NONE) != 0)
			search_try(s, modify(s, "qos", name));
	}
}

static void try_job(struct search *s)
{
	try_release(s);
	try_no_defer(s);
	try_no_date(s);
	try_resume(s);
	try_no_depend(s);
	try_array(s);
	try_less(s);
	try_elsewhere(s);
	try_priority(s);
	try_qos(s);
}

/* --- limits and fairshare caps ----------------------------------------------------------------------------
 */

/*
 * Returns the credential whose option sets the limit of a reason. A limit that a QOS overrides belongs to the
 * QOS, although it counts the usage of the other credential.
 */
static uint32_t owner_of(const struct search *s, const struct reason *r)
{
	bool overrides = r->scope == LIMIT_OVERRIDE_ACTIVE || r->scope == LIMIT_OVERRIDE_IDLE;

	return overrides ? s->job->cred[CRED_QOS] : r->cred;
}

/*
 * Appends the name of the option that sets the limit of a reason for its owner alone: "user[eva].maxps",
 * "class[fast].maxproc[user:eva]".
 */
static void add_option(const struct search *s, const struct reason *r, struct str *out)
{
	const struct cred *cred = snapshot_creds(s->s);
	uint32_t owner = owner_of(s, r);
	size_t name;

	if (owner != INDEX_NONE)
		str_addf(out, "%s[%s].", cred_type_name((enum cred_type)cred[owner].type),
			 snapshot_string(s->s, cred[owner].name));
	else if (r->scope != LIMIT_SYSTEM)
		str_add(out, "system.");
	name = out->len;
	str_addf(out, "%s%s", r->scope == LIMIT_CLASS ? "max." : "",
		 limit_name((enum limit_scope)r->scope, (enum limit_kind)r->kind));
	for (size_t i = name; i < out->len; i++)
		out->data[i] = (char)tolower((unsigned char)out->data[i]);
	if (r->second != INDEX_NONE)
		str_addf(out, "[%s:%s]", cred_type_name((enum cred_type)cred[r->second].type),
			 snapshot_string(s->s, cred[r->second].name));
}

static bool is_of(const struct search *s, const struct limit *limit, const struct reason *r)
{
	bool pair = limit->second_type != CRED_TYPE_COUNT;
	uint32_t owner = owner_of(s, r);

	return limit->scope == r->scope && limit->kind == r->kind && pair == (r->second != INDEX_NONE) &&
	       (r->hard ? limit->hard : limit->soft) == r->limit &&
	       (limit->cred == INDEX_NONE) == (owner == INDEX_NONE) &&
	       (owner == INDEX_NONE ||
		snapshot_creds(s->s)[limit->cred].type == snapshot_creds(s->s)[owner].type);
}

/* Returns the configured limit of a reason; if there is none, a limit with the value in the reason. */
static struct limit find_limit(const struct search *s, const struct reason *r)
{
	struct limit found = {.kind = r->kind, .soft = r->limit, .hard = r->limit};

	for (uint32_t i = 0; i < snapshot_count(s->s, TABLE_LIMITS); i++) {
		const struct limit *limit = &snapshot_limits(s->s)[i];

		if (is_of(s, limit, r) && (limit->cred == owner_of(s, r) || found.hard == r->limit))
			found = *limit;
	}
	return found;
}

/*
 * Returns true for limits on a single job, which have one value, and for limits on idle or queued jobs, of
 * which only the hard value counts.
 */
static bool has_one_amount(const struct reason *r)
{
	return r->scope == LIMIT_SYSTEM || r->scope == LIMIT_CLASS || r->scope == LIMIT_IDLE ||
	       r->scope == LIMIT_OVERRIDE_IDLE || r->scope == LIMIT_QUEUED;
}

static struct event with_limit(struct search *s, int64_t number)
{
	const struct reason *r = s->reason;
	struct limit limit = find_limit(s, r);
	struct str name = {0}, value = {0};
	struct event ev;

	if (!r->hard || has_one_amount(r))
		limit.soft = number;
	if (limit.hard < number || has_one_amount(r))
		limit.hard = number;
	add_option(s, r, &name);
	config_print_limit(&limit, &value);
	ev = setting(s, str_text(&name), str_text(&value));
	str_free(&name);
	str_free(&value);
	return ev;
}

/* A limit of this size has no effect. */
#define LIFTED INT64_C(1000000000)

/*
 * Tries larger values of a limit. To start the job at once, the limit must be as large as the current usage
 * plus the request of the job. For a later start, a smaller limit may be enough; if other jobs that the limit
 * blocks come first, a larger one is needed. A limit inherited from DEFAULT is set for this credential alone.
 */
static void try_limit(struct search *s, const struct reason *r)
{
	int64_t needed = amount_add(r->value, r->asked), number;

	s->reason = r;
	if (r->kind != LIMIT_KIND_COUNT && needed > r->limit)
		search_number(s, with_limit, r->limit, needed > LIFTED ? needed : LIFTED, &number);
}

/* The largest relative cap, in thousandths of a percent; a cap of 100 percent would be no cap. */
#define SHARE_MOST INT64_C(99999)

/* Returns the event that sets a cap. number: the cap in thousandths of a percent or in processor-seconds. */
static struct event with_cap(struct search *s, int64_t number)
{
	const struct cred *cred = &snapshot_creds(s->s)[s->reason->cred];
	struct str name = {0}, value = {0};
	struct event ev;

	str_addf(&name, "%s[%s].fstarget", cred_type_name((enum cred_type)cred->type),
		 snapshot_string(s->s, cred->name));
	if (cred->attr.fs_mode == FS_CAP_RELATIVE && number > SHARE_MOST)
		str_add(&value, "none");
	else if (cred->attr.fs_mode == FS_CAP_RELATIVE)
		str_addf(&value, "%.3f%%", (double)number / 1000);
	else
		str_addf(&value, "%lld^", (long long)number);
	ev = setting(s, str_text(&name), str_text(&value));
	str_free(&name);
	str_free(&value);
	return ev;
}

/*
 * Tries larger values of a fairshare cap. A relative cap is compared with the usage including this job,
 * divided by the total usage without it: if that is 100 percent or more, no cap is large enough, and the cap
 * must be removed.
 */
static void try_cap(struct search *s, const struct reason *r)
{
	int64_t needed = amount_add(r->asked, 1), most = needed > LIFTED ? needed : LIFTED, number;
	bool relative =
		r->cred != INDEX_NONE && snapshot_creds(s->s)[r->cred].attr.fs_mode == FS_CAP_RELATIVE;

	s->reason = r;
	if (r->cred == INDEX_NONE)
		return;
	if (relative)
		most = SHARE_MOST;
	if (r->limit < most && (needed <= most || s->by_s > s->setup->now_s) &&
	    search_number(s, with_cap, r->limit, most, &number))
		return;
	if (relative)
		search_try_fallback(s, with_cap(s, SHARE_MOST + 1));
}

static bool is_same(const struct reason *a, const struct reason *b)
{
	return a->scope == b->scope && a->kind == b->kind && a->hard == b->hard && a->cred == b->cred &&
	       a->second == b->second;
}

/*
 * Tries the limit that the job fails now and, unless the job must start at once, the limit that it fails just
 * before it would start.
 */
static void try_gate(struct search *s, enum gate gate, void (*try)(struct search *s, const struct reason *r))
{
	const struct check *now = &s->why.check[gate], *last = &s->out->last.check[gate];

	if (check_fails(now))
		try(s, &now->reason);
	if (s->by_s > s->setup->now_s && check_fails(last) &&
	    (!check_fails(now) || !is_same(&now->reason, &last->reason)))
		try(s, &last->reason);
}

static void try_limits(struct search *s)
{
	static const enum gate limit[] = {GATE_CLASS_LIMIT, GATE_SYSTEM_LIMIT, GATE_IDLE_LIMIT,
					  GATE_ACTIVE_HARD, GATE_ACTIVE_SOFT};

	for (size_t i = 0; i < sizeof limit / sizeof limit[0]; i++)
		try_gate(s, limit[i], try_limit);
	try_gate(s, GATE_FS_CAP, try_cap);
}

/* --- the site ------------------------------------------------------------------------------------ */

static void try_undrain(struct search *s)
{
	struct str name = {0};
	unsigned tried = 0;

	for (uint32_t i = 0; i < snapshot_count(s->s, TABLE_NODES) && tried < OTHERS_MAX; i++) {
		const struct node *node = &snapshot_nodes(s->s)[i];

		if (!node->drained || node->shut)
			continue;
		tried++;
		str_clear(&name);
		str_addf(&name, "node[%s].drained", snapshot_string(s->s, node->name));
		search_try(s, setting(s, str_text(&name), "false"));
	}
	str_free(&name);
}

static void try_unreserve(struct search *s)
{
	for (uint32_t i = 0; i < snapshot_count(s->s, TABLE_ADVANCES); i++) {
		const struct advance *a = &snapshot_advances(s->s)[i];
		struct event ev = new_event(s, EVENT_UNRESERVE);

		if (advance_is_over(a, s->setup->now_s))
			continue;
		ev.job = 0;
		ev.reserve.name = snapshot_string(s->s, a->name);
		search_try(s, ev);
	}
}

static bool is_used_outside(const struct snapshot *s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++)
		if (placement_outside_procs(s, i) > 0)
			return true;
	return false;
}

/* Lets jobs use processors that processes outside the queue use. */
static void try_dedicated(struct search *s)
{
	uint8_t available[AVAILABLE_RESOURCE_COUNT];
	struct str value = {0};

	memcpy(available, s->s->policy.available, sizeof available);
	available[AVAILABLE_PROCS] = AVAILABLE_DEDICATED;
	config_print_available(available, &value);
	search_try(s, setting(s, "nodeavailabilitypolicy", str_text(&value)));
	str_free(&value);
}

static void try_policy(struct search *s)
{
	if (s->s->policy.reject_negative)
		search_try(s, setting(s, "rejectnegpriojobs", "false"));
	if (s->s->policy.hard_pass == HARD_IDLEONLY)
		search_try(s, setting(s, "hardpass", "resources"));
	if (s->s->policy.backfill == BACKFILL_NONE)
		search_try(s, setting(s, "backfillpolicy", "firstfit"));
	if (s->s->policy.reservation != RESERVE_NEVER)
		search_try(s, setting(s, "reservationpolicy", "never"));
	if (is_used_outside(s->s))
		try_dedicated(s);
}

static void try_site(struct search *s)
{
	try_undrain(s);
	try_unreserve(s);
	try_policy(s);
}

/* --- other jobs ------------------------------------------------------------------------------------------
 */

static void try_hold(struct search *s, uint32_t slot)
{
	struct event ev = new_event(s, EVENT_HOLD);

	ev.job = snapshot_jobs(s->s)[slot].id;
	ev.hold.bits = JOB_HOLD_SYSTEM;
	ev.hold.on = true;
	search_try(s, ev);
}

/*
 * Tries to hold other jobs. First the jobs ahead in the queue, the nearest first: holding one may leave the
 * processors that this job needs. Then the jobs behind it, which may have a reservation or count against a
 * limit.
 */
static void try_hold_others(struct search *s)
{
	const struct queue *q = &s->plan.queue;
	uint32_t at = 0, tried = 0;

	while (at < q->idle_count && q->idle[at].slot != s->slot)
		at++;
	for (uint32_t i = at; i-- > 0 && tried < OTHERS_MAX; tried++)
		try_hold(s, q->idle[i].slot);
	for (uint32_t i = at + 1; i < q->idle_count && tried < OTHERS_MAX; i++, tried++)
		try_hold(s, q->idle[i].slot);
	for (uint32_t i = 0; i < q->blocked_count && tried < OTHERS_MAX; i++)
		if (q->blocked[i] != s->slot) {
			try_hold(s, q->blocked[i]);
			tried++;
		}
}

static void try_cancel(struct search *s, uint64_t job)
{
	struct event ev = new_event(s, EVENT_CANCEL);

	ev.job = job;
	search_try(s, ev);
}

/*
 * Tries to cancel an idle job on which the job depends: a dependency on the end or failure of that job is
 * then met. Running jobs are tried by try_cancel_others.
 */
static void try_cancel_awaited(struct search *s)
{
	const struct reason *r = &s->why.check[GATE_DEPENDENCY].reason;
	uint32_t slot = fails_gate(s, GATE_DEPENDENCY) && r->asked == DEPEND_ON_JOB
				? snapshot_find_job(s->s, r->other)
				: INDEX_NONE;

	if (slot != INDEX_NONE && snapshot_jobs(s->s)[slot].state == JOB_IDLE)
		try_cancel(s, r->other);
}

struct victim {
	uint64_t job;
	int64_t done_ps;
};

static int by_loss(const void *a, const void *b)
{
	const struct victim *one = a, *two = b;

	if (one->done_ps != two->done_ps)
		return one->done_ps < two->done_ps ? -1 : 1;
	return (one->job > two->job) - (one->job < two->job);
}

/*
 * Tries to cancel running jobs. In the copied state a cancelled job ends at once; in reality its resource
 * manager must end it first.
 */
static void try_cancel_others(struct search *s)
{
	uint32_t count = snapshot_count(s->s, TABLE_RUNNING);
	struct victim *victim = mem_zero(count + (size_t)1, sizeof *victim);

	for (uint32_t i = 0; i < count; i++) {
		const struct job *job = &snapshot_jobs(s->s)[snapshot_running(s->s)[i]];

		victim[i] =
			(struct victim){job->id, (s->setup->now_s - job->start_s) * job_procs_counted(job)};
	}
	qsort(victim, count, sizeof *victim, by_loss);
	for (uint32_t i = 0; i < count && i < OTHERS_MAX; i++)
		try_cancel(s, victim[i].job);
	free(victim);
}

static void try_others(struct search *s)
{
	try_hold_others(s);
	try_cancel_awaited(s);
	try_cancel_others(s);
}

void search_candidates(struct search *s, int64_t by_s)
{
	s->by_s = by_s;
	s->part = REMEDIES_OF_JOB;
	try_job(s);
	s->part = REMEDIES_OF_LIMITS;
	try_limits(s);
	s->part = REMEDIES_OF_SITE;
	try_site(s);
	s->part = REMEDIES_OF_OTHERS;
	try_others(s);
}
