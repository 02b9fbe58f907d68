/* SPDX-License-Identifier: MIT */
/*
 * priority.h - job priority and its breakdown
 *
 * This is the only implementation of the factors, their caps and weights, the expansion factor and the order
 * of the queue. A priority is computed in two separate steps:
 *
 *   measure   job + world at a moment -> one value per factor     once per job and pass
 *   weigh     values + weights        -> one number, explained    cheap; repeated by previews
 *
 *   sum = over components c:  CW[c] * min(CCAP[c], over factors f of c: FW[f] * min(FCAP[f], value[f]))
 *
 * where a cap of 0 means "no cap". The sum is bounded, then an operator's adjustment is applied, and the
 * result is truncated once, toward zero, to the int64 rank.
 *
 * Source: Maui Administrator's Guide 5.1.1 (weights, bounds), 5.1.2 (factors, units),
 * 5.1.3 (caps), 5.1.5 (system priority). Choices where the guide is silent or contradicts itself: XFACTOR is
 * 1 + queued / max(XFMINWCLIMIT, limit) as printed; PS and WALLTIME count in RES; TARGET is 1e8^x up to the
 * target and 1e8 * x beyond, where x is queued / QTTARGET or (xfactor - 1) / (XFTARGET - 1); the floor is 1;
 * PERCENT is of the wallclock limit. A cap applies to the value before its weight.
 *
 * All functions are pure.
 */
#ifndef POLICY_PRIORITY_H
#define POLICY_PRIORITY_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/model/policy.h"
#include "sched/model/trend.h"

struct cred_attr; /* cred.h */
struct job;       /* job.h  */

/* Highest priority that factors alone can reach; guide 5.1.1. */
#define PRIO_MAX   1000000000.0
#define PRIO_FLOOR 1.0

/* Bound of the rank: within it, every double fits in an int64. */
#define PRIO_RANK_LIMIT 1e18

/* The input of measuring besides the job. All pointers are borrowed. */
struct prio_world {
	int64_t now_s;              /* the moment of the pass                                */
	int64_t xfactor_min_wall_s; /* XFMINWCLIMIT                                          */
	int64_t procs;              /* configured in the system; used for PE; > 0            */
	int64_t mem_mb;             /* likewise; 0 = unknown, does not count in PE           */
	int64_t swap_mb;
	int64_t disk_mb;
};

/*
 * The settings of the job's credentials, by enum cred_type. If a credential has no priority (0), the entry is
 * the priority of DEFAULT, except for QOS. snapshot_job_creds sets all members except fs_delta.
 */
struct prio_creds {
	double priority[5];
	double fs_delta[5];          /* fairshare_deltas of the job; 0 unless the caller sets it */
	double qt_weight, xf_weight; /* of the QOS                                */
	int64_t qt_target_s;         /* of the QOS, else the user's, else DEFAULT */
	double xf_target;
};

/* A priority with its breakdown, as all views and reports show it. */
struct prio_result {
	double value[PRIO_FACTOR_COUNT];        /* as measured                                 */
	double capped[PRIO_FACTOR_COUNT];       /* min(FCAP, value)                            */
	double weighted[PRIO_FACTOR_COUNT];     /* FW * capped                                 */
	double component[PRIO_COMPONENT_COUNT]; /* CW * min(CCAP, sum of weighted)             */
	double sum;                             /* of component[], before bounds and adjustment */
	int64_t rank;                           /* bounded, adjusted, truncated: orders the queue */
	bool bounded;                           /* a bound acted on the sum                    */
};

/*
 * Measures one job into value[PRIO_FACTOR_COUNT]; all are written, finite. A factor that
 * does not apply (no target, job not running, no fairshare) measures 0. The job's
 * wallclock limit must be > 0 (state_submit refuses others).
 */
void priority_measure(const struct job *job, const struct prio_creds *creds, const struct prio_world *world,
		      double value[static PRIO_FACTOR_COUNT]);

/* The expansion factor of a job that was queued for queued_s (guide 5.1.3.4). wall_s > 0. */
static inline double xfactor_of(double queued_s, double wall_s)
{
	return 1 + queued_s / wall_s;
}

/* The expansion factor as priority measures it: up to now, or up to the start of a running job. */
double priority_xfactor(const struct job *job, const struct policy *policy, int64_t now_s);

/*
 * Weighs measured values. creds adds the QOS's QTWEIGHT and XFWEIGHT to the weights
 * they modify; job gives the operator's adjustment.
 *
 * Example, guide 5.1.2.1: CREDWEIGHT 1, USERWEIGHT 1, GROUPWEIGHT 1, all else 0; user
 * john = 2000, group staff = 10000:   sum == 12000, rank == 12000.
 */
void priority_weigh(const struct policy *policy, const struct prio_weights *weights,
		    const struct prio_creds *creds, const struct job *job,
		    const double value[static PRIO_FACTOR_COUNT], struct prio_result *out);

/* A value or a sum with its cap; a cap of 0 is no cap. */
static inline double priority_capped(double value, double cap)
{
	return cap > 0 && value > cap ? cap : value;
}

/* What the job's QOS adds to the weight of a factor: QTWEIGHT and XFWEIGHT (P-52, P-60). */
static inline double priority_qos_weight(const struct prio_creds *creds, enum prio_factor f)
{
	return f == PRIO_SERV_QUEUETIME ? creds->qt_weight : f == PRIO_SERV_XFACTOR ? creds->xf_weight : 0;
}

/* The weight of a factor with the addition of the job's QOS. */
static inline double priority_weight(const struct prio_weights *weights, const struct prio_creds *creds,
				     enum prio_factor f)
{
	return weights->factor[f] + priority_qos_weight(creds, f);
}

/* The number that is truncated to the rank: bounded and adjusted. */
double priority_points(const struct job *job, const struct prio_result *result);

/*
 * The order of the queue: the higher rank first, and of equal ranks the older job. age < 0 if job a is older
 * than job b (job_compare_age, or their places in WAITING). Returns < 0 if a is before b.
 */
static inline int priority_compare(int64_t rank_a, int64_t rank_b, int age)
{
	return rank_a != rank_b ? (rank_a > rank_b ? -1 : 1) : age;
}

/* Weights, and the factors with a weight or to whose weight a QOS may add. A pass measures only these. */
struct prio_terms {
	const struct prio_weights *weights; /* borrowed */
	unsigned count;
	struct prio_term {
		uint8_t factor;    /* enum prio_factor, ascending */
		uint8_t component; /* enum prio_component it is part of */
	} term[PRIO_FACTOR_COUNT];
};

void priority_terms_of(const struct prio_weights *weights, struct prio_terms *out);

/* Only the rank, without the breakdown. Equal to the rank of priority_weigh. */
int64_t priority_rank(const struct policy *policy, const struct prio_terms *terms,
		      const struct prio_creds *creds, const struct job *job, const struct prio_world *world);

/*
 * The part of the rank that follows from the credentials of a waiting job, the same for all jobs with them.
 * terms is borrowed and must not change.
 */
struct prio_base {
	const struct prio_terms *terms;
	unsigned first; /* of the terms that depend on more than credentials */
	struct prio_creds creds;
	unsigned requests; /* of those, the first after RES   */
	unsigned last;     /* the first after SERV            */
	double sum;        /* of the components before `first` */
};
void priority_base_of(const struct prio_terms *terms, const struct prio_creds *creds, struct prio_base *out);

/* The rank of a waiting job. Equal to priority_rank. */
int64_t priority_rank_idle(const struct policy *policy, const struct prio_base *base, const struct job *job,
			   const struct prio_world *world);

/* Seconds for which the number certainly stays on its side of the limit; INFINITY if it never reaches it. */
double trend_keeps_s(const struct trend *trend, double limit);

/*
 * The change of the rank of a waiting job without events. Queue time grows by a second per second or is
 * stopped, so that QUEUETIME and XFACTOR are linear until a cap or a bound begins or ceases to act; the trend
 * holds until then. TARGET factors grow exponentially, and their trend does not hold for any time.
 */
struct prio_trend {
	struct trend rank; /* bounded and adjusted, but not truncated */
	/* The contribution of each share to the trend of the rank, by enum cred_type; the same for jobs with
	 * the same credential. 0 if the component has a cap. */
	struct trend share[5];
	double steady_s; /* the trend holds for this long; INFINITY: until the next event */
};

/* delta: the trends of the factors FSUSER .. FSCLASS of the job, by enum cred_type. */
void priority_trend_of(const struct policy *policy, const struct prio_terms *terms,
		       const struct prio_creds *creds, const struct job *job, const struct prio_world *world,
		       const struct trend delta[static 5], struct prio_trend *out);

/*
 * True if under these weights all jobs without adjustment have the same rank at any time, unless a QOS adds
 * to the weights: the order is then by submit time and ID and need not be computed. A weight of a fairshare
 * factor counts even if fairshare is off.
 */
bool priority_all_equal(const struct prio_weights *weights);

#endif
