/* SPDX-License-Identifier: MIT */
/*
 * gate.c - the table of gates: the conditions for a start
 */
#include "gate.h"

#include "sched/model/array_throttle.h"
#include "sched/placement/placement.h"
#include "sched/placement/profile.h"
#include "sched/placement/reservation.h"

static uint32_t slot_of(const struct gate_context *ctx, const struct job *job)
{
	return (uint32_t)(job - snapshot_jobs(ctx->s));
}

/* --- single jobs ------------------------------------------------------------------------ */

static bool test_hold(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	(void)ctx;
	out->value = job->holds;
	return job->holds == 0;
}

static bool test_moment(int64_t at_s, int64_t now_s, struct reason *out)
{
	out->value = now_s;
	out->limit = at_s;
	if (at_s == TIME_NONE || at_s <= now_s)
		return true;
	out->until_s = at_s;
	return false;
}

static bool test_defer(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	if (test_moment(job->defer_until_s, ctx->now_s, out))
		return true;
	out->other = job_is_retried(job) ? job->retries : 0;
	return false;
}

static bool test_start_date(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	return test_moment(job->not_before_s, ctx->now_s, out);
}

/*
 * Passes if all dependencies are met. A dependency that can never be met is reported in preference to open
 * ones.
 */
static bool test_dependency(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	const struct depend *depends = snapshot_depends(ctx->s);

	for (uint32_t i = job->depend; i != INDEX_NONE; i = depends[i].next) {
		const struct depend *d = &depends[i];

		if (d->state == DEPEND_MET || (out->other != 0 && d->state == DEPEND_OPEN))
			continue;
		out->other = d->on;
		out->asked = d->of;
		out->second = d->of == DEPEND_ON_TASK ? d->number : INDEX_NONE;
		out->value = d->type;
		out->limit = d->state;
		if (d->state == DEPEND_NEVER)
			return false;
	}
	return out->other == 0;
}

static bool test_negative(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	(void)job;
	out->value = ctx->rank;
	return ctx->rank >= 0 || !ctx->s->policy.reject_negative;
}

/* True if the partition of the nodes, which are all equal here, suits the job. */
static bool has_partition(const struct snapshot *s, const struct job *job)
{
	return snapshot_count(s, TABLE_NODES) == 0 || snapshot_nodes(s)[0].partition == 0 ||
	       job->partition == 0 || snapshot_nodes(s)[0].partition == job->partition;
}

/* True if the nodes, which are all equal here, accept the class of the job. */
static bool has_class(const struct snapshot *s, const struct job *job)
{
	uint64_t classes = snapshot_count(s, TABLE_NODES) > 0 ? snapshot_nodes(s)[0].classes : 0;
	const char *class = classes == 0 ? NULL : snapshot_job_cred(s, job, CRED_CLASS);
	int bit;

	if (class == NULL)
		return true;
	bit = snapshot_find_trait(s, TRAIT_CLASS, class);
	return bit >= 0 && (classes >> bit & 1) != 0;
}

static bool is_plain(const struct snapshot *s, const struct job *job)
{
	return !s->nodes_differ && (job->flags & JOB_PARTICULAR) == 0 && has_partition(s, job) &&
	       has_class(s, job);
}

static bool test_feasible(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	enum lack lack = LACK_PROCS;

	out->value = job_procs(job);
	if (is_plain(ctx->s, job))
		out->limit = ctx->s->procs_total;
	else
		out->limit = placement_feasible_in(ctx->machine, slot_of(ctx, job), &lack);
	out->lack = (uint8_t)lack;
	return out->value <= out->limit;
}

/* --- limits and shares -------------------------------------------------------------------- */

static bool report_limit(bool within, const struct limit_finding *found, struct reason *out)
{
	out->kind = (uint8_t)found->kind;
	if (found->kind == LIMIT_KIND_COUNT)
		return within;
	out->scope = (uint8_t)found->scope;
	out->hard = found->level == LEVEL_HARD;
	out->cred = found->cred;
	out->second = found->second;
	out->value = found->used;
	out->asked = found->asked;
	out->limit = found->limit;
	if (!within)
		out->until_s = found->clears_s;
	return within;
}

static bool test_class_limit(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	struct limit_finding found;

	return report_limit(throttle_class(ctx->throttle, job, &found), &found, out);
}

static bool test_system_limit(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	struct limit_finding found;

	return report_limit(throttle_system(ctx->throttle, job, &found), &found, out);
}

static bool test_array(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	struct array_throttle_use use;
	bool within = array_throttle_within(ctx->array_throttle, job, &use);

	out->value = use.running;
	out->asked = use.next;
	out->limit = job->array_limit;
	return within;
}

static bool test_idle_limit(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	struct limit_finding found;

	return report_limit(throttle_idle(ctx->throttle, job, &found), &found, out);
}

static bool test_active_hard(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	struct limit_finding found;

	return report_limit(throttle_active(ctx->throttle, job, LEVEL_HARD, &found), &found, out);
}

static bool test_active_soft(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	struct limit_finding found;

	return report_limit(throttle_active(ctx->throttle, job, LEVEL_SOFT, &found), &found, out);
}

/*
 * Converts usage or a share to a whole number for struct reason: thousandths of a percent, or
 * processor-seconds.
 */
static int64_t whole_share(double share, enum fs_mode mode)
{
	return (int64_t)(mode == FS_CAP_RELATIVE ? share * 1000 : share);
}

static bool test_fs_cap(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	const struct machine machine = snapshot_machine(ctx->s);
	struct fs_cap cap = {.cred = INDEX_NONE};

	if (ctx->shares == NULL || fairshare_within_caps(ctx->shares, job, &machine, &cap))
		return true;
	out->cred = cap.cred;
	out->value = whole_share(cap.counted, cap.mode);
	out->asked = whole_share(cap.with_job, cap.mode);
	out->limit = whole_share(cap.cap, cap.mode);
	return false;
}

/* --- the state after the pass --------------------------------------------------------------- */

static bool test_resources(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	enum lack lack = LACK_PROCS;

	out->value = job_procs(job);
	out->limit = placement_procs_free(ctx->placement);
	if (!placement_is_plain(ctx->placement) && out->value <= out->limit)
		out->limit = placement_fit_unreserved(ctx->placement, slot_of(ctx, job), ctx->now_s,
						      ctx->now_s + 1, &lack);
	out->lack = (uint8_t)lack;
	return out->value <= out->limit;
}

/*
 * Number of processors that are free for the job from now until end_s; past: count processors that advance
 * reservations withhold from the job as free.
 */
static int64_t fit(const struct gate_context *ctx, const struct job *job, int64_t end_s, bool past)
{
	enum lack lack = LACK_NONE;

	return past ? placement_fit_unreserved(ctx->placement, slot_of(ctx, job), ctx->now_s, end_s, &lack)
		    : placement_fit(ctx->placement, slot_of(ctx, job), ctx->now_s, end_s, &lack);
}

/*
 * True if the job would fit only on processors that advance reservations withhold from it: either for its
 * whole wallclock limit, or even now, whatever job reservations follow. False if the job is too large for the
 * processors that are free now. beside: number of processors free for its whole wallclock limit.
 */
static bool is_kept_out(const struct gate_context *ctx, const struct job *job, int64_t beside)
{
	int64_t procs = job_procs(job), now_alone_s = ctx->now_s + 1;
	int64_t end_s = ctx->now_s + job->wall_limit_s;

	if (beside >= procs || fit(ctx, job, now_alone_s, true) < procs)
		return false;
	return fit(ctx, job, end_s, true) >= procs || fit(ctx, job, now_alone_s, false) < procs;
}

static bool test_reserved(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	int64_t end_s = ctx->now_s + job->wall_limit_s;
	const struct advance *a;
	uint32_t by;

	out->value = out->limit = job_procs(job);
	if (!placement_has_advances(ctx->placement))
		return true;
	out->limit = fit(ctx, job, end_s, false);
	if (!is_kept_out(ctx, job, out->limit))
		return true;
	by = placement_reserved_by(ctx->placement, slot_of(ctx, job), ctx->now_s, end_s);
	if (by == INDEX_NONE)
		return true;
	a = &snapshot_advances(ctx->s)[by];
	out->other = a->seq;
	out->asked = a->begin_s;
	out->until_s = a->end_s;
	return false;
}

/* Time until which the processors of a start must be free, as in the walk. */
static int64_t end_of_start_s(const struct gate_context *ctx, const struct job *job)
{
	return reservations_end_s(ctx->reservations, job, ctx->now_s, snapshot_job_grace_s(ctx->s, job));
}

/*
 * True if the job has a reservation and would fit now. A kept reservation moves up only when it is its turn;
 * reservations of jobs behind it that move up later may free what the job needs.
 */
static bool keeps_reservation(const struct gate_context *ctx, const struct job *job,
			      const struct reservation *own, struct reason *out)
{
	struct reason resources = {0};

	if (own == NULL || !test_resources(ctx, job, &resources))
		return false;
	out->until_s = own->begin_s;
	return true;
}

/*
 * The test of GATE_RESERVATIONS if reservations name nodes: false if nodes that the job needs are reserved
 * for other jobs before it would end.
 */
static bool named_beside_reservations(const struct gate_context *ctx, const struct job *job,
				      const struct reservation *own, struct reason *out)
{
	struct reason resources = {0};
	const struct resume_claim *resume = placement_next_resume(ctx->placement, ctx->now_s);
	const struct reservation *first;

	if (!test_resources(ctx, job, &resources))
		return true;
	out->limit = fit(ctx, job, end_of_start_s(ctx, job), true);
	if (out->limit >= out->value)
		return !keeps_reservation(ctx, job, own, out);
	first = reservation_next(ctx->reservations, ctx->now_s, job->id);
	if (first != NULL) {
		out->until_s = first->begin_s;
		out->other = first->job;
	}
	if (resume != NULL && (first == NULL || resume->begin_s < first->begin_s)) {
		out->until_s = resume->begin_s;
		out->other = resume->job;
	}
	return false;
}

/*
 * Free processors decrease only where a reservation begins; the job's own reservation is ignored. A job that
 * is too large for the processors that are free now is tested with the number of free processors, so that
 * this gate reports only reservations.
 */
static bool test_reservations(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	const struct reservation *own = reservation_of(ctx->reservations, job->id);
	int64_t procs = job_procs(job), end_s = end_of_start_s(ctx, job);
	int64_t free = placement_procs_free(ctx->placement);
	struct profile *profile;

	out->value = out->limit = procs;
	if (!placement_is_plain(ctx->placement))
		return named_beside_reservations(ctx, job, own, out);
	if (own != NULL && own->begin_s < end_s)
		end_s = own->begin_s;
	if (end_s <= ctx->now_s)
		return true;
	profile = placement_profile(ctx->placement);
	out->until_s = profile_first_below(profile, ctx->now_s, end_s, procs < free ? procs : free);
	if (out->until_s == TIME_NEVER)
		return !keeps_reservation(ctx, job, own, out);
	out->limit = profile_least(profile, ctx->now_s, end_s);
	out->other = reservation_beginning(ctx->reservations, out->until_s, job->id);
	return false;
}

static bool test_order(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	out->other = ctx->strict_head == job->id ? 0 : ctx->strict_head;
	return out->other == 0;
}

/* The last gate: if a job fails only this one, it would start without the pause. */
static bool test_halt(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	(void)job;
	out->value = ctx->s->no_room != 0 ? HALTED_NO_ROOM : snapshot_is_halted(ctx->s);
	return out->value == 0;
}

/* --- the table -------------------------------------------------------------------------------- */

const struct gate_row gate_rows[GATE_COUNT] = {
	[GATE_HOLD] = {.name = "hold", .blocks = true, .pauses_full = true, .test = test_hold},
	[GATE_DEFER] = {.name = "defer", .blocks = true, .pauses_full = true, .test = test_defer},
	[GATE_DEPENDENCY] = {.name = "dependency",
			     .blocks = true,
			     .pauses_full = true,
			     .test = test_dependency},
	[GATE_START_DATE] = {.name = "start date", .blocks = true, .test = test_start_date},
	[GATE_NEGATIVE] = {.name = "priority not negative",
			   .blocks = true,
			   .pauses_full = true,
			   .test = test_negative},
	[GATE_FEASIBLE] = {.name = "fits the machine",
			   .blocks = true,
			   .pauses_full = true,
			   .test = test_feasible},
	[GATE_CLASS_LIMIT] = {.name = "limits of its class",
			      .blocks = true,
			      .pauses_full = true,
			      .test = test_class_limit},
	[GATE_SYSTEM_LIMIT] = {.name = "limits of any job",
			       .blocks = true,
			       .pauses_queue = true,
			       .test = test_system_limit},
	[GATE_ARRAY] = {.name = "tasks of its array",
			.blocks = true,
			.pauses_full = true,
			.test = test_array},
	[GATE_IDLE_LIMIT] = {.name = "idle limits",
			     .blocks = true,
			     .pauses_queue = true,
			     .test = test_idle_limit},
	[GATE_ACTIVE_HARD] = {.name = "hard limits",
			      .blocks = true,
			      .pauses_queue = true,
			      .test = test_active_hard},
	[GATE_ACTIVE_SOFT] = {.name = "soft limits", .blocks = true, .test = test_active_soft},
	[GATE_FS_CAP] = {.name = "fairshare cap", .blocks = true, .pauses_full = true, .test = test_fs_cap},
	[GATE_RESOURCES] = {.name = "resources now", .in_pass = true, .test = test_resources},
	[GATE_RESERVED] = {.name = "reserved for others", .in_pass = true, .test = test_reserved},
	[GATE_RESERVATIONS] = {.name = "reservations ahead", .in_pass = true, .test = test_reservations},
	[GATE_ORDER] = {.name = "strict order", .in_pass = true, .test = test_order},
	[GATE_HALT] = {.name = "pause", .in_pass = true, .test = test_halt},
};

bool gate_test(const struct gate_context *ctx, const struct job *job, enum gate gate, struct reason *out)
{
	*out = (struct reason){.gate = (uint8_t)gate,
			       .kind = LIMIT_KIND_COUNT,
			       .cred = INDEX_NONE,
			       .second = INDEX_NONE,
			       .until_s = TIME_NEVER};
	return gate_rows[gate].test(ctx, job, out);
}

static const struct reason no_reason = {.gate = GATE_NONE,
					.kind = LIMIT_KIND_COUNT,
					.cred = INDEX_NONE,
					.second = INDEX_NONE,
					.until_s = TIME_NEVER};

enum gate gate_first_between(const struct gate_context *ctx, const struct job *job, enum gate from,
			     enum gate to, struct reason *out)
{
	for (unsigned g = from; g < (unsigned)to; g++)
		if (!gate_test(ctx, job, (enum gate)g, out))
			return (enum gate)g;
	*out = no_reason;
	return GATE_NONE;
}

enum gate gate_first_failing(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	return gate_first_between(ctx, job, GATE_NONE + 1,
				  ctx->placement != NULL ? GATE_COUNT : GATE_RESOURCES, out);
}

bool gate_pauses(enum gate gate, enum accrual_policy accrual)
{
	const struct gate_row *row = &gate_rows[gate];

	if (gate == GATE_NONE || accrual == ACCRUAL_ALWAYS)
		return false;
	return row->pauses_queue || (row->pauses_full && accrual == ACCRUAL_FULL);
}

bool gate_blocks(enum gate gate, const struct policy *policy)
{
	if (gate == GATE_ACTIVE_SOFT && policy->hard_pass == HARD_IDLEONLY)
		return false;
	return gate_rows[gate].blocks;
}
