/* SPDX-License-Identifier: MIT */
/*
 * priority.c - job priority and its breakdown
 *
 * priority_weigh, which returns the breakdown, and priority_rank, which a pass calls for every job, add the
 * same terms in the same order; priority_rank omits only terms whose weight is 0, which do not change the
 * sum. All values and weights are finite and bounded (config_rows.c), so no sum overflows.
 *
 * The queue time of a running job ends at its start (job_queued_s). USAGE factors are 0 for idle jobs.
 */
#include "priority.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "sched/model/cred.h"
#include "sched/model/job.h"

/* Value of a TARGET factor when the target is reached; below the target the factor grows exponentially. */
#define TARGET_REACHED 1e8

/* --- measuring ---------------------------------------------------------------------------- */

/* What the factors of a job are measured from. */
struct subject {
	const struct job *job;
	const struct prio_creds *creds;
	const struct prio_world *world;
	double queued_s;
};

static inline struct subject subject_of(const struct job *job, const struct prio_creds *creds,
					const struct prio_world *world)
{
	return (struct subject){job, creds, world, (double)job_queued_s(job, world->now_s)};
}

static inline double procs_of(const struct job *job)
{
	return (double)job->tasks * job->task_procs;
}

/* Returns the wallclock limit that XFACTOR uses: at least XFMINWCLIMIT. */
static inline double expansion_s(const struct job *job, int64_t least_wall_s)
{
	return (double)(job->wall_limit_s > least_wall_s ? job->wall_limit_s : least_wall_s);
}

double priority_xfactor(const struct job *job, const struct policy *policy, int64_t now_s)
{
	return xfactor_of((double)job_queued_s(job, now_s), expansion_s(job, policy->xfactor_min_wall_s));
}

/* A TARGET factor; used: the fraction of the target that is used up, > 1 beyond the target. */
static double target_pressure(double used)
{
	return used <= 1 ? pow(TARGET_REACHED, used) : TARGET_REACHED * used;
}

/* Returns the seconds that a job has run, without time in suspension; 0 if it is not running. */
static double elapsed_s(const struct subject *of)
{
	if (of->job->state != JOB_RUNNING || of->job->start_s >= of->world->now_s)
		return 0;
	return (double)job_ran_s(of->job, of->world->now_s);
}

static inline double measure_CRED_USER(const struct subject *of)
{
	return of->creds->priority[CRED_USER];
}

static inline double measure_CRED_GROUP(const struct subject *of)
{
	return of->creds->priority[CRED_GROUP];
}

static inline double measure_CRED_ACCOUNT(const struct subject *of)
{
	return of->creds->priority[CRED_ACCOUNT];
}

static inline double measure_CRED_QOS(const struct subject *of)
{
	return of->creds->priority[CRED_QOS];
}

static inline double measure_CRED_CLASS(const struct subject *of)
{
	return of->creds->priority[CRED_CLASS];
}

static inline double measure_FS_USER(const struct subject *of)
{
	return of->creds->fs_delta[CRED_USER];
}

static inline double measure_FS_GROUP(const struct subject *of)
{
	return of->creds->fs_delta[CRED_GROUP];
}

static inline double measure_FS_ACCOUNT(const struct subject *of)
{
	return of->creds->fs_delta[CRED_ACCOUNT];
}

static inline double measure_FS_QOS(const struct subject *of)
{
	return of->creds->fs_delta[CRED_QOS];
}

static inline double measure_FS_CLASS(const struct subject *of)
{
	return of->creds->fs_delta[CRED_CLASS];
}

static inline double measure_RES_NODE(const struct subject *of)
{
	return of->job->nodes;
}

static inline double measure_RES_PROC(const struct subject *of)
{
	return procs_of(of->job);
}

static inline double measure_RES_MEM(const struct subject *of)
{
	return (double)of->job->mem_mb * of->job->tasks;
}

static inline double measure_RES_SWAP(const struct subject *of)
{
	return (double)of->job->swap_mb * of->job->tasks;
}

static inline double measure_RES_DISK(const struct subject *of)
{
	return (double)of->job->disk_mb * of->job->tasks;
}

static inline double measure_RES_PS(const struct subject *of)
{
	return procs_of(of->job) * (double)of->job->wall_limit_s;
}

static inline double measure_RES_PE(const struct subject *of)
{
	const struct prio_world *world = of->world;
	const struct machine machine = {world->procs, world->mem_mb, world->swap_mb, world->disk_mb};

	return job_pe(of->job, &machine);
}

static inline double measure_RES_WALLTIME(const struct subject *of)
{
	return (double)of->job->wall_limit_s;
}

static inline double queue_time_of(double queued_s)
{
	return queued_s / 60;
}

static inline double measure_SERV_QUEUETIME(const struct subject *of)
{
	return queue_time_of(of->queued_s);
}

static inline double measure_SERV_XFACTOR(const struct subject *of)
{
	return xfactor_of(of->queued_s, expansion_s(of->job, of->world->xfactor_min_wall_s));
}

static inline double measure_SERV_BYPASS(const struct subject *of)
{
	return of->job->bypass;
}

static double measure_TARGET_QUEUETIME(const struct subject *of)
{
	if (of->creds->qt_target_s <= 0)
		return 0;
	return target_pressure(of->queued_s / (double)of->creds->qt_target_s);
}

static double measure_TARGET_XFACTOR(const struct subject *of)
{
	if (of->creds->xf_target <= 1)
		return 0;
	return target_pressure(of->queued_s / expansion_s(of->job, of->world->xfactor_min_wall_s) /
			       (of->creds->xf_target - 1));
}

static double measure_USAGE_CONSUMED(const struct subject *of)
{
	return procs_of(of->job) * elapsed_s(of);
}

static double measure_USAGE_REMAINING(const struct subject *of)
{
	if (of->job->state != JOB_RUNNING)
		return 0;
	return procs_of(of->job) * fmax(0, (double)of->job->wall_limit_s - elapsed_s(of));
}

static double measure_USAGE_PERCENT(const struct subject *of)
{
	return 100 * elapsed_s(of) / (double)of->job->wall_limit_s;
}

static double measure_USAGE_EXECUTION(const struct subject *of)
{
	return elapsed_s(of);
}

#define MEASURE(FACTOR, COMPONENT, NAME, KEYWORD, COLUMN, UNIT, WEIGHT, COURSE, WHAT)                        \
	case PRIO_##FACTOR:                                                                                  \
		return measure_##FACTOR(of);

/*
 * Returns a factor of RES. It is a function of its own so that the compiler can inline it where a pass ranks
 * jobs.
 */
static inline double measure_request(unsigned f, const struct subject *of)
{
	switch (f) {
		PRIO_RES_FACTORS(MEASURE)
	default:
		return 0;
	}
}

static double measure(enum prio_factor f, const struct subject *of)
{
	switch (f) {
		PRIO_FACTOR_LIST(MEASURE)
	case PRIO_FACTOR_COUNT:
		break;
	}
	return 0;
}
#undef MEASURE

void priority_measure(const struct job *job, const struct prio_creds *creds, const struct prio_world *world,
		      double value[static PRIO_FACTOR_COUNT])
{
	const struct subject of = subject_of(job, creds, world);

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		value[f] = measure(f, &of);
}

/* --- weighing ----------------------------------------------------------------------------- */

/*
 * Sets component[] to the weighted components and returns their sum. inside: by component, the sum of its
 * weighted factors. + 0.0 turns a negative zero into 0.
 */
static double weigh_components(const struct prio_weights *weights,
			       const double inside[static PRIO_COMPONENT_COUNT],
			       double component[static PRIO_COMPONENT_COUNT])
{
	double sum = 0;

	for (int c = 0; c < PRIO_COMPONENT_COUNT; c++) {
		component[c] =
			weights->component[c] * priority_capped(inside[c], weights->component_cap[c]) + 0.0;
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

/* Applies an operator's adjustment to the bounded sum and truncates the result toward zero. */
static inline int64_t adjusted(uint8_t adjust, int64_t points, double bounded_sum)
{
	double rank = bounded_sum;

	if (adjust == JOB_ADJUST_ABSOLUTE)
		rank = PRIO_MAX + (double)points;
	else if (adjust == JOB_ADJUST_RELATIVE)
		rank += (double)points;
	if (rank > PRIO_RANK_LIMIT)
		rank = PRIO_RANK_LIMIT;
	return (int64_t)(rank < -PRIO_RANK_LIMIT ? -PRIO_RANK_LIMIT : rank);
}

void priority_weigh(const struct policy *policy, const struct prio_weights *weights,
		    const struct prio_creds *creds, const struct job *job,
		    const double value[static PRIO_FACTOR_COUNT], struct prio_result *out)
{
	double inside[PRIO_COMPONENT_COUNT] = {0};
	double within_bounds;

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		out->value[f] = value[f];
		out->capped[f] = priority_capped(value[f], weights->factor_cap[f]);
		out->weighted[f] = priority_weight(weights, creds, f) * out->capped[f] + 0.0;
		inside[policy_factor_info(f)->component] += out->weighted[f];
	}
	out->sum = weigh_components(weights, inside, out->component);
	within_bounds = bound(policy, out->sum);
	out->bounded = within_bounds != out->sum;
	out->rank = adjusted(job->adjust, job->points, within_bounds);
}

double priority_points(const struct job *job, const struct prio_result *result)
{
	if (job->adjust == JOB_ADJUST_ABSOLUTE || result->bounded || fabs(result->sum) >= PRIO_RANK_LIMIT)
		return (double)result->rank;
	return result->sum + (job->adjust == JOB_ADJUST_RELATIVE ? (double)job->points : 0);
}

/* Returns true for the two factors to whose weight a QOS may add (priority_qos_weight). */
static bool a_qos_may_add(enum prio_factor f)
{
	return f == PRIO_SERV_QUEUETIME || f == PRIO_SERV_XFACTOR;
}

void priority_terms_of(const struct prio_weights *weights, struct prio_terms *out)
{
	out->weights = weights;
	out->count = 0;
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (weights->factor[f] != 0 || a_qos_may_add(f))
			out->term[out->count++] =
				(struct prio_term){(uint8_t)f, (uint8_t)policy_factor_info(f)->component};
}

/* Adds a term to the sum of its component. */
static void add_term(const struct prio_weights *weights, const struct prio_term *term,
		     const struct subject *of, double inside[static PRIO_COMPONENT_COUNT])
{
	enum prio_factor f = term->factor;
	double weight = priority_weight(weights, of->creds, f);

	if (weight != 0)
		inside[term->component] += weight * priority_capped(measure(f, of), weights->factor_cap[f]);
}

int64_t priority_rank(const struct policy *policy, const struct prio_terms *terms,
		      const struct prio_creds *creds, const struct job *job, const struct prio_world *world)
{
	const struct prio_weights *weights = terms->weights;
	double inside[PRIO_COMPONENT_COUNT] = {0};
	double component[PRIO_COMPONENT_COUNT];
	const struct subject of = subject_of(job, creds, world);

	if (job->adjust == JOB_ADJUST_ABSOLUTE)
		return adjusted(job->adjust, job->points, 0);
	for (unsigned i = 0; i < terms->count; i++)
		add_term(weights, &terms->term[i], &of, inside);
	return adjusted(job->adjust, job->points,
			bound(policy, weigh_components(weights, inside, component)));
}

/* Returns true for the components that depend only on credentials; they come first in every sum. */
static bool is_of_creds(unsigned component)
{
	return component == PRIO_CRED || component == PRIO_FS;
}

static inline double weigh_component(const struct prio_weights *weights, double inside, int c)
{
	return weights->component[c] * priority_capped(inside, weights->component_cap[c]) + 0.0;
}

void priority_base_of(const struct prio_terms *terms, const struct prio_creds *creds, struct prio_base *out)
{
	const struct prio_weights *weights = terms->weights;
	double inside[PRIO_COMPONENT_COUNT] = {0};
	const struct subject of = {.creds = creds};
	unsigned at = 0;

	*out = (struct prio_base){.terms = terms, .creds = *creds};
	while (at < terms->count && is_of_creds(terms->term[at].component))
		add_term(weights, &terms->term[at++], &of, inside);
	out->sum += weigh_component(weights, inside[PRIO_CRED], PRIO_CRED);
	out->sum += weigh_component(weights, inside[PRIO_FS], PRIO_FS);
	out->requests = at;
	while (at < terms->count && terms->term[at].component == PRIO_RES)
		at++;
	out->after = at;
	for (enum prio_factor f = PRIO_SERV_QUEUETIME; f < PRIO_TARGET_QUEUETIME; f++)
		out->service[f - PRIO_SERV_QUEUETIME] =
			(struct prio_weighed){priority_weight(weights, creds, f), weights->factor_cap[f]};
	for (; at < terms->count; at++)
		out->has_targets |= terms->term[at].component == PRIO_TARGET;
}

/* Returns the sum of the weighted factors of RES, added in the order of factors.h. */
static inline double sum_requests(const struct prio_base *base, const struct subject *of)
{
	const struct prio_weights *weights = base->terms->weights;
	double sum = 0;

	for (unsigned i = base->requests; i < base->after; i++) {
		unsigned f = base->terms->term[i].factor;

		sum += weights->factor[f] * priority_capped(measure_request(f, of), weights->factor_cap[f]);
	}
	return sum;
}

void priority_own_of(const struct prio_base *base, const struct job *job, const struct prio_world *world,
		     struct prio_own *out)
{
	const struct subject of = subject_of(job, &base->creds, world);
	bool accrues = (job->flags & JOB_ACCRUAL_PAUSED) == 0;

	*out = (struct prio_own){
		.request = weigh_component(base->terms->weights, sum_requests(base, &of), PRIO_RES),
		.accrual_s = accrues ? job->accrual_s : TIME_NEVER,
		.expansion_s = expansion_s(job, world->xfactor_min_wall_s),
		.bypass = job->bypass,
		.is_adjusted = job->adjust != JOB_ADJUST_NONE,
	};
}

/*
 * Returns the sum of the weighted factors of SERV, added in the order of factors.h. A factor without a weight
 * is omitted.
 */
static inline double sum_service(const struct prio_base *base, const struct prio_own *own, int64_t now_s)
{
	double queued_s = now_s > own->accrual_s ? (double)(now_s - own->accrual_s) : 0, sum = 0;

#define ADD(FACTOR, VALUE)                                                                                   \
	if (base->service[FACTOR - PRIO_SERV_QUEUETIME].weight != 0)                                         \
		sum += base->service[FACTOR - PRIO_SERV_QUEUETIME].weight *                                  \
		       priority_capped(VALUE, base->service[FACTOR - PRIO_SERV_QUEUETIME].cap);
	static_assert(PRIO_SERV_COUNT == 3, "each factor of SERV has a line below");
	ADD(PRIO_SERV_QUEUETIME, queue_time_of(queued_s))
	ADD(PRIO_SERV_XFACTOR, xfactor_of(queued_s, own->expansion_s))
	ADD(PRIO_SERV_BYPASS, own->bypass)
#undef ADD
	return sum;
}

/* Returns the weighted component TARGET. */
static double weigh_targets(const struct prio_base *base, const struct subject *of)
{
	const struct prio_terms *terms = base->terms;
	double inside[PRIO_COMPONENT_COUNT] = {0};

	for (unsigned i = base->after; i < terms->count; i++)
		if (terms->term[i].component == PRIO_TARGET)
			add_term(terms->weights, &terms->term[i], of, inside);
	return weigh_component(terms->weights, inside[PRIO_TARGET], PRIO_TARGET);
}

/* USAGE is omitted, because it is 0 for idle jobs. */
int64_t priority_rank_idle(const struct policy *policy, const struct prio_base *base,
			   const struct prio_own *own, const struct job *job, const struct prio_world *world)
{
	double sum = base->sum;

	if (own->is_adjusted && job->adjust == JOB_ADJUST_ABSOLUTE)
		return adjusted(job->adjust, job->points, 0);
	sum += own->request;
	sum += weigh_component(base->terms->weights, sum_service(base, own, world->now_s), PRIO_SERV);
	if (base->has_targets) {
		const struct subject of = subject_of(job, &base->creds, world);

		sum += weigh_targets(base, &of);
	}
	return own->is_adjusted ? adjusted(job->adjust, job->points, bound(policy, sum))
				: adjusted(JOB_ADJUST_NONE, 0, bound(policy, sum));
}

/* --- trends -------------------------------------------------------------------------------- */

/* Relative error of floating-point sums. */
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

/*
 * Applies a limit (a cap or a bound) to a trend: a value beyond the limit becomes the limit and stays
 * constant. Reduces *steady_s to the seconds for which the value stays on the same side of the limit; 0 if it
 * changes and is exactly at the limit.
 */
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

/*
 * Returns the growth per second of a TARGET factor, which is constant once the target is reached. Until then
 * the growth is exponential, and *steady_s is set to 0.
 */
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

/*
 * Returns the trend of a factor. *steady_s is the time in seconds for which the trends found so far are
 * valid; sets it to 0 if the growth of this factor is not constant, or not known.
 */
static struct trend trend_of(enum prio_factor f, const struct subject *of,
			     const struct trend delta[static CRED_TYPE_COUNT], double *steady_s)
{
	enum factor_course course = policy_factor_info(f)->course;
	struct trend t = {.value = measure(f, of)};

	if (course == COURSE_FAIRSHARE)
		return delta[f - PRIO_FS_USER];
	if (course == COURSE_STEADY || !grows(of->job))
		return t;
	if (f == PRIO_SERV_QUEUETIME)
		t.lo = t.hi = 1.0 / 60;
	else if (f == PRIO_SERV_XFACTOR)
		t.lo = t.hi = 1.0 / expansion_s(of->job, of->world->xfactor_min_wall_s);
	else if (f == PRIO_TARGET_QUEUETIME || f == PRIO_TARGET_XFACTOR)
		t.lo = t.hi = target_pace(f, t.value, of->job, of->creds, of->world, steady_s);
	else
		*steady_s = 0;
	return t;
}

static void trend_of_components(const struct prio_terms *terms, const struct prio_creds *creds,
				const struct job *job, const struct prio_world *world,
				const struct trend delta[static CRED_TYPE_COUNT],
				struct trend inside[static PRIO_COMPONENT_COUNT], struct prio_trend *out)
{
	const struct prio_weights *weights = terms->weights;
	const struct subject of = subject_of(job, creds, world);
	bool apart = weights->component_cap[PRIO_FS] <= 0;

	for (unsigned i = 0; i < terms->count; i++) {
		enum prio_factor f = terms->term[i].factor;
		enum prio_component c = terms->term[i].component;
		double weight = priority_weight(weights, creds, f);
		struct trend t;

		if (weight == 0 || weights->component[c] == 0)
			continue;
		t = trend_of(f, &of, delta, &out->steady_s);
		cap_trend(&t, weights->factor_cap[f], &out->steady_s);
		t = weighted(t, weight);
		add_trend(&inside[c], &t);
		if (c == PRIO_FS && apart)
			out->share[f - PRIO_FS_USER] = weighted(t, weights->component[c]);
	}
}

void priority_trend_of(const struct policy *policy, const struct prio_terms *terms,
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

bool priority_all_equal(const struct prio_weights *weights)
{
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (weights->factor[f] != 0 && weights->component[policy_factor_info(f)->component] != 0)
			return false;
	return true;
}
