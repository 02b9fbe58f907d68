/* SPDX-License-Identifier: MIT */
/*
 * priority.c - how urgent is each job, and why?
 *
 * prio_weigh, which explains, and prio_rank, which a pass calls for every job, are the
 * same additions in the same order: rank leaves out only terms whose weight is 0, and
 * adding 0 changes no sum. All values and weights are finite and bounded (config_rows.c),
 * so no sum can overflow.
 *
 * A running job keeps the service it had when it started (job_queued_s), and USAGE is
 * added: what orders preemption victims. For waiting jobs USAGE measures 0.
 */
#include "priority.h"

#include <math.h>
#include <string.h>

#include "sched/model/cred.h"
#include "sched/model/job.h"

/* Value of TARGET at the target itself; below it the growth is exponential. */
#define TARGET_REACHED 1e8

static double total_of(const struct job *job, int64_t per_task)
{
	return (double)per_task * job->tasks;
}

static inline double procs_of(const struct job *job)
{
	return (double)job->tasks * job->task_procs;
}

static double processor_equivalents(const struct job *job, const struct prio_world *world)
{
	const struct machine machine = {world->procs, world->mem_mb, world->swap_mb, world->disk_mb};

	return job_pe(job, &machine);
}

/* The time a job asks for, as XFACTOR counts it. */
static inline double expansion_s(const struct job *job, int64_t least_wall_s)
{
	return (double)(job->wall_limit_s > least_wall_s ? job->wall_limit_s : least_wall_s);
}

/* XFACTOR of a job that was queued for so long (guide 5.1.3.4). */
static double xfactor_of(const struct job *job, double queued_s, int64_t least_wall_s)
{
	return 1 + queued_s / expansion_s(job, least_wall_s);
}

/* QUEUETIME is in minutes. */
static double queuetime_of(double queued_s)
{
	return queued_s / 60;
}

double prio_xfactor(const struct job *job, const struct policy *policy, int64_t now_s)
{
	return xfactor_of(job, (double)job_queued_s(job, now_s), policy->xfactor_min_wall_s);
}

/* used: the part of the target that is used up. */
static double target_pressure(double used)
{
	return used <= 1 ? pow(TARGET_REACHED, used) : TARGET_REACHED * used;
}

/* Seconds that a job has run, without those it was suspended; 0 for a job that does not run. */
static double elapsed_s(const struct job *job, const struct prio_world *world)
{
	if (job->state != JOB_RUNNING || job->start_s >= world->now_s)
		return 0;
	return (double)job_ran_s(job, world->now_s);
}

static double remaining_s(const struct job *job, const struct prio_world *world)
{
	return job->state == JOB_RUNNING ? fmax(0, (double)job->wall_limit_s - elapsed_s(job, world)) : 0;
}

/* A factor of RES. */
static inline double measure_request(enum prio_factor f, const struct job *job,
				     const struct prio_world *world)
{
	switch (f) {
	case PRIO_RES_NODE:
		return job->nodes;
	case PRIO_RES_PROC:
		return procs_of(job);
	case PRIO_RES_MEM:
		return total_of(job, job->mem_mb);
	case PRIO_RES_SWAP:
		return total_of(job, job->swap_mb);
	case PRIO_RES_DISK:
		return total_of(job, job->disk_mb);
	case PRIO_RES_PS:
		return procs_of(job) * (double)job->wall_limit_s;
	case PRIO_RES_PE:
		return processor_equivalents(job, world);
	default: /* PRIO_RES_WALLTIME */
		return (double)job->wall_limit_s;
	}
}

static double measure(enum prio_factor f, const struct job *job, const struct prio_creds *creds,
		      const struct prio_world *world)
{
	switch (f) {
	case PRIO_CRED_USER:
		return creds->priority[CRED_USER];
	case PRIO_CRED_GROUP:
		return creds->priority[CRED_GROUP];
	case PRIO_CRED_ACCOUNT:
		return creds->priority[CRED_ACCOUNT];
	case PRIO_CRED_QOS:
		return creds->priority[CRED_QOS];
	case PRIO_CRED_CLASS:
		return creds->priority[CRED_CLASS];
	case PRIO_FS_USER:
		return creds->fs_delta[CRED_USER];
	case PRIO_FS_GROUP:
		return creds->fs_delta[CRED_GROUP];
	case PRIO_FS_ACCOUNT:
		return creds->fs_delta[CRED_ACCOUNT];
	case PRIO_FS_QOS:
		return creds->fs_delta[CRED_QOS];
	case PRIO_FS_CLASS:
		return creds->fs_delta[CRED_CLASS];
	case PRIO_RES_NODE:
	case PRIO_RES_PROC:
	case PRIO_RES_MEM:
	case PRIO_RES_SWAP:
	case PRIO_RES_DISK:
	case PRIO_RES_PS:
	case PRIO_RES_PE:
	case PRIO_RES_WALLTIME:
		return measure_request(f, job, world);
	case PRIO_SERV_QUEUETIME:
		return queuetime_of((double)job_queued_s(job, world->now_s));
	case PRIO_SERV_XFACTOR:
		return xfactor_of(job, (double)job_queued_s(job, world->now_s), world->xfactor_min_wall_s);
	case PRIO_SERV_BYPASS:
		return job->bypass;
	case PRIO_TARGET_QUEUETIME:
		if (creds->qt_target_s <= 0)
			return 0;
		return target_pressure((double)job_queued_s(job, world->now_s) / (double)creds->qt_target_s);
	case PRIO_TARGET_XFACTOR:
		if (creds->xf_target <= 1)
			return 0;
		return target_pressure((double)job_queued_s(job, world->now_s) /
				       expansion_s(job, world->xfactor_min_wall_s) / (creds->xf_target - 1));
	case PRIO_USAGE_CONSUMED:
		return procs_of(job) * elapsed_s(job, world);
	case PRIO_USAGE_REMAINING:
		return procs_of(job) * remaining_s(job, world);
	case PRIO_USAGE_PERCENT:
		return 100 * elapsed_s(job, world) / (double)job->wall_limit_s;
	case PRIO_USAGE_EXECUTION:
		return elapsed_s(job, world);
	case PRIO_FACTOR_COUNT:
		break;
	}
	return 0;
}

void prio_measure(const struct job *job, const struct prio_creds *creds, const struct prio_world *world,
		  double value[static PRIO_FACTOR_COUNT])
{
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		value[f] = measure(f, job, creds, world);
}

static inline double capped(double value, double cap)
{
	return cap > 0 && value > cap ? cap : value;
}

/* The site's weight with what the job's QOS adds (P-52, P-60). */
static double weight_of(const struct prio_weights *weights, const struct prio_creds *creds,
			enum prio_factor f)
{
	double weight = weights->factor[f];

	if (f == PRIO_SERV_QUEUETIME)
		weight += creds->qt_weight;
	else if (f == PRIO_SERV_XFACTOR)
		weight += creds->xf_weight;
	return weight;
}

/* inside: per component, the sum of its weighted factors. + 0.0 makes a negative zero plain. */
static double weigh_components(const struct prio_weights *weights,
			       const double inside[static PRIO_COMPONENT_COUNT],
			       double component[static PRIO_COMPONENT_COUNT])
{
	double sum = 0;

	for (int c = 0; c < PRIO_COMPONENT_COUNT; c++) {
		component[c] = weights->component[c] * capped(inside[c], weights->component_cap[c]) + 0.0;
		sum += component[c];
	}
	return sum;
}

static inline double bound(const struct policy *policy, double sum)
{
	if (!policy->allow_negative && !policy->reject_negative && sum < PRIO_FLOOR)
		return PRIO_FLOOR;
	return sum < PRIO_MAX ? sum : PRIO_MAX;
}

/* Applies the operator's adjustment to the bounded sum and truncates toward zero. */
static inline int64_t adjusted(const struct job *job, double bounded_sum)
{
	double rank = bounded_sum;

	if (job->adjust == JOB_ADJUST_ABSOLUTE)
		rank = PRIO_MAX + (double)job->points;
	else if (job->adjust == JOB_ADJUST_RELATIVE)
		rank += (double)job->points;
	if (rank > PRIO_RANK_LIMIT)
		rank = PRIO_RANK_LIMIT;
	return (int64_t)(rank < -PRIO_RANK_LIMIT ? -PRIO_RANK_LIMIT : rank);
}

void prio_weigh(const struct policy *policy, const struct prio_weights *weights,
		const struct prio_creds *creds, const struct job *job,
		const double value[static PRIO_FACTOR_COUNT], struct prio_result *out)
{
	double inside[PRIO_COMPONENT_COUNT] = {0};
	double within_bounds;

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		out->value[f] = value[f];
		out->capped[f] = capped(value[f], weights->factor_cap[f]);
		out->weighted[f] = weight_of(weights, creds, f) * out->capped[f] + 0.0;
		inside[policy_factor_info(f)->component] += out->weighted[f];
	}
	out->sum = weigh_components(weights, inside, out->component);
	within_bounds = bound(policy, out->sum);
	out->bounded = within_bounds != out->sum;
	out->rank = adjusted(job, within_bounds);
}

/* A QOS may add to these two (weight_of). */
static bool a_qos_may_add(enum prio_factor f)
{
	return f == PRIO_SERV_QUEUETIME || f == PRIO_SERV_XFACTOR;
}

void prio_terms_of(const struct prio_weights *weights, struct prio_terms *out)
{
	out->weights = weights;
	out->count = 0;
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (weights->factor[f] != 0 || a_qos_may_add(f))
			out->term[out->count++] =
				(struct prio_term){(uint8_t)f, (uint8_t)policy_factor_info(f)->component};
}

int64_t prio_rank(const struct policy *policy, const struct prio_terms *terms, const struct prio_creds *creds,
		  const struct job *job, const struct prio_world *world)
{
	const struct prio_weights *weights = terms->weights;
	double inside[PRIO_COMPONENT_COUNT] = {0};
	double component[PRIO_COMPONENT_COUNT];

	if (job->adjust == JOB_ADJUST_ABSOLUTE)
		return adjusted(job, 0);
	for (unsigned i = 0; i < terms->count; i++) {
		enum prio_factor f = terms->term[i].factor;
		double weight = weight_of(weights, creds, f);

		if (weight != 0)
			inside[terms->term[i].component] +=
				weight * capped(measure(f, job, creds, world), weights->factor_cap[f]);
	}
	return adjusted(job, bound(policy, weigh_components(weights, inside, component)));
}

/* Only these look at nothing but credentials, and they come first in every sum. */
static bool is_of_creds(unsigned component)
{
	return component == PRIO_CRED || component == PRIO_FS;
}

/* Adds a term to the sum of its component. */
static void add_term(const struct prio_weights *weights, const struct prio_term *term,
		     const struct prio_creds *creds, const struct job *job, const struct prio_world *world,
		     double inside[static PRIO_COMPONENT_COUNT])
{
	double weight = weight_of(weights, creds, (enum prio_factor)term->factor);

	if (weight != 0)
		inside[term->component] +=
			weight * capped(measure((enum prio_factor)term->factor, job, creds, world),
					weights->factor_cap[term->factor]);
}

static inline double weigh_component(const struct prio_weights *weights, double inside, int c)
{
	return weights->component[c] * capped(inside, weights->component_cap[c]) + 0.0;
}

void prio_base_of(const struct prio_terms *terms, const struct prio_creds *creds, struct prio_base *out)
{
	double inside[PRIO_COMPONENT_COUNT] = {0};

	*out = (struct prio_base){.terms = terms, .creds = *creds};
	while (out->first < terms->count && is_of_creds(terms->term[out->first].component))
		add_term(terms->weights, &terms->term[out->first++], creds, NULL, NULL, inside);
	out->sum += weigh_component(terms->weights, inside[PRIO_CRED], PRIO_CRED);
	out->sum += weigh_component(terms->weights, inside[PRIO_FS], PRIO_FS);
	out->qt_weight = weight_of(terms->weights, creds, PRIO_SERV_QUEUETIME);
	out->xf_weight = weight_of(terms->weights, creds, PRIO_SERV_XFACTOR);
	for (out->last = terms->count; out->last > 0 && terms->term[out->last - 1].component > PRIO_SERV;)
		out->last--;
	for (out->requests = out->first;
	     out->requests < out->last && terms->term[out->requests].component == PRIO_RES;)
		out->requests++;
}

/* The sums of the factors of RES and of SERV, in their order. */
static inline double request(const struct prio_base *base, const struct job *job,
			     const struct prio_world *world)
{
	const struct prio_weights *weights = base->terms->weights;
	double sum = 0;

	for (unsigned i = base->first; i < base->requests; i++) {
		enum prio_factor f = base->terms->term[i].factor;

		sum += weights->factor[f] * capped(measure_request(f, job, world), weights->factor_cap[f]);
	}
	return sum;
}

static inline double serve(const struct prio_base *base, const struct job *job,
			   const struct prio_world *world)
{
	const struct prio_weights *weights = base->terms->weights;
	const double bypass = weights->factor[PRIO_SERV_BYPASS];
	double queued_s = (double)job_queued_s(job, world->now_s), sum = 0;

	if (base->qt_weight != 0)
		sum += base->qt_weight *
		       capped(queuetime_of(queued_s), weights->factor_cap[PRIO_SERV_QUEUETIME]);
	if (base->xf_weight != 0)
		sum += base->xf_weight * capped(xfactor_of(job, queued_s, world->xfactor_min_wall_s),
						weights->factor_cap[PRIO_SERV_XFACTOR]);
	if (bypass != 0)
		sum += bypass * capped(job->bypass, weights->factor_cap[PRIO_SERV_BYPASS]);
	return sum;
}

/* USAGE is that of running jobs. */
int64_t prio_rank_from(const struct policy *policy, const struct prio_base *base, const struct job *job,
		       const struct prio_world *world)
{
	const struct prio_terms *terms = base->terms;
	double sum = base->sum;

	if (job->adjust == JOB_ADJUST_ABSOLUTE)
		return adjusted(job, 0);
	sum += weigh_component(terms->weights, request(base, job, world), PRIO_RES);
	sum += weigh_component(terms->weights, serve(base, job, world), PRIO_SERV);
	if (base->last < terms->count) {
		double inside[PRIO_COMPONENT_COUNT] = {0};

		for (unsigned i = base->last; i < terms->count && terms->term[i].component == PRIO_TARGET;
		     i++)
			add_term(terms->weights, &terms->term[i], &base->creds, job, world, inside);
		sum += weigh_component(terms->weights, inside[PRIO_TARGET], PRIO_TARGET);
	}
	return adjusted(job, bound(policy, sum));
}

/* --- trends -------------------------------------------------------------------------------- */

/* Sums of floating numbers are a little off the lines. */
#define MARGIN_PART 1e-9

double trend_keeps_s(const struct trend *trend, double limit)
{
	double apart = trend->value - limit, pace = apart > 0 ? -trend->lo : trend->hi;
	double margin = trend->margin + MARGIN_PART * (fabs(trend->value) + fabs(limit));

	if (pace <= 0)
		return INFINITY;
	return fabs(apart) > margin ? (fabs(apart) - margin) / pace : 0;
}

static struct trend weighted(struct trend t, double weight)
{
	double a = t.lo * weight, b = t.hi * weight;

	return (struct trend){t.value * weight, fmin(a, b), fmax(a, b), t.margin * fabs(weight)};
}

static void add_trend(struct trend *sum, const struct trend *t)
{
	sum->value += t->value;
	sum->lo += t->lo;
	sum->hi += t->hi;
	sum->margin += t->margin;
}

/* Beyond a limit the number stands still at it. Where it is at the limit, anything may come next. */
static void hold_at(struct trend *t, double limit, bool is_cap, double *steady_s)
{
	bool moves = t->lo != 0 || t->hi != 0;

	*steady_s = fmin(*steady_s, moves && t->value == limit ? 0 : trend_keeps_s(t, limit));
	if (is_cap ? t->value > limit : t->value < limit)
		*t = (struct trend){.value = limit};
}

static void cap_trend(struct trend *t, double cap, double *steady_s)
{
	if (cap > 0)
		hold_at(t, cap, true, steady_s);
}

static bool grows(const struct job *job)
{
	return (job->flags & JOB_ACCRUAL_PAUSED) == 0;
}

/* What a target adds each second: as much every second once the target has been reached; more and more before
 * that, where anything may come next. */
static double target_pace(enum prio_factor f, double value, const struct job *job,
			  const struct prio_creds *creds, const struct prio_world *world, double *steady_s)
{
	double target_s = f == PRIO_TARGET_QUEUETIME
				  ? (double)creds->qt_target_s
				  : (creds->xf_target - 1) * expansion_s(job, world->xfactor_min_wall_s);

	if (value <= 0)
		return 0;
	if (value < TARGET_REACHED)
		*steady_s = 0;
	return TARGET_REACHED / target_s;
}

/* From now on, up to *steady_s at most. */
static struct trend trend_of(enum prio_factor f, const struct job *job, const struct prio_creds *creds,
			     const struct prio_world *world, const struct trend delta[static CRED_TYPE_COUNT],
			     double *steady_s)
{
	struct trend t = {.value = measure(f, job, creds, world)};

	if (f >= PRIO_FS_USER && f <= PRIO_FS_CLASS)
		return delta[f - PRIO_FS_USER];
	if (!grows(job))
		return t;
	if (f == PRIO_SERV_QUEUETIME)
		t.lo = t.hi = 1.0 / 60;
	else if (f == PRIO_SERV_XFACTOR)
		t.lo = t.hi = 1.0 / expansion_s(job, world->xfactor_min_wall_s);
	else if (f == PRIO_TARGET_QUEUETIME || f == PRIO_TARGET_XFACTOR)
		t.lo = t.hi = target_pace(f, t.value, job, creds, world, steady_s);
	return t;
}

static void trend_of_components(const struct prio_terms *terms, const struct prio_creds *creds,
				const struct job *job, const struct prio_world *world,
				const struct trend delta[static CRED_TYPE_COUNT],
				struct trend inside[static PRIO_COMPONENT_COUNT], struct prio_trend *out)
{
	const struct prio_weights *weights = terms->weights;
	bool apart = weights->component_cap[PRIO_FS] <= 0;

	for (unsigned i = 0; i < terms->count; i++) {
		enum prio_factor f = terms->term[i].factor;
		enum prio_component c = terms->term[i].component;
		double weight = weight_of(weights, creds, f);
		struct trend t;

		if (weight == 0 || weights->component[c] == 0)
			continue;
		t = trend_of(f, job, creds, world, delta, &out->steady_s);
		cap_trend(&t, weights->factor_cap[f], &out->steady_s);
		t = weighted(t, weight);
		add_trend(&inside[c], &t);
		if (c == PRIO_FS && apart)
			out->share[f - PRIO_FS_USER] = weighted(t, weights->component[c]);
	}
}

void prio_trend_of(const struct policy *policy, const struct prio_terms *terms,
		   const struct prio_creds *creds, const struct job *job, const struct prio_world *world,
		   const struct trend delta[static CRED_TYPE_COUNT], struct prio_trend *out)
{
	const struct prio_weights *weights = terms->weights;
	struct trend inside[PRIO_COMPONENT_COUNT] = {{0}};

	*out = (struct prio_trend){.steady_s = INFINITY};
	if (job->adjust == JOB_ADJUST_ABSOLUTE) {
		out->rank.value = PRIO_MAX + (double)job->points;
		return;
	}
	if (grows(job) && job->accrual_s > world->now_s)
		out->steady_s = 0;
	trend_of_components(terms, creds, job, world, delta, inside, out);
	for (int c = 0; c < PRIO_COMPONENT_COUNT; c++) {
		cap_trend(&inside[c], weights->component_cap[c], &out->steady_s);
		inside[c] = weighted(inside[c], weights->component[c]);
		add_trend(&out->rank, &inside[c]);
	}
	if (!policy->allow_negative && !policy->reject_negative)
		hold_at(&out->rank, PRIO_FLOOR, false, &out->steady_s);
	hold_at(&out->rank, PRIO_MAX, true, &out->steady_s);
	if (out->rank.lo == 0 && out->rank.hi == 0)
		memset(out->share, 0, sizeof out->share);
	if (job->adjust == JOB_ADJUST_RELATIVE)
		out->rank.value += (double)job->points;
}

bool prio_all_equal(const struct prio_weights *weights)
{
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (weights->factor[f] != 0 && weights->component[policy_factor_info(f)->component] != 0)
			return false;
	return true;
}
