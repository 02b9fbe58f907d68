/* SPDX-License-Identifier: MIT */
/*
 * priority.h - job priority and its breakdown
 *
 * This is the only implementation of the factors, their caps and weights, the expansion factor and the order
 * of the queue. A priority is computed in two separate steps:
 *
 *   measure   job + world at a moment -> one value per factor     once per job and pass
 *   weigh     values + weights        -> one number, explained    cheap; repeated by sliders
 *
 *   sum = over components c:  CW[c] * min(CCAP[c], over factors f of c: FW[f] * min(FCAP[f], value[f]))
 *
 * where a cap of 0 means "no cap". The sum is bounded, an operator's adjustment is
 * applied last, and the result is truncated once, toward zero, to the int64 that ranks.
 *
 * Source: Maui Administrator's Guide 5.1.1 (weights, bounds), 5.1.2 (factors, units),
 * 5.1.3 (caps), 5.1.5 (system priority). Choices where it is silent or contradicts
 * itself: XFACTOR is 1 + queued / max(XFMINWCLIMIT, limit) as printed; PS and WALLTIME
 * count in RES; TARGET is 1e8^x up to the target and 1e8 * x beyond, x the part of the
 * target used up, (xfactor - 1) / (XFTARGET - 1) for the other; the floor is 1; PERCENT
 * is of the wallclock limit. caps act on the value before the weight next to them.
 *
 * Nothing here reads a clock, allocates, logs or keeps state: same arguments, same answer.
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

/* Sums beyond this hold more than anybody can mean; within it, every double fits an int64. */
#define PRIO_RANK_LIMIT 1e18

/* Everything besides the job that measuring needs. All pointers are borrowed. */
struct prio_world {
	int64_t now_s;              /* the moment of the pass                                */
	int64_t xfactor_min_wall_s; /* XFMINWCLIMIT                                          */
	int64_t procs;              /* configured in the system; used for PE; > 0            */
	int64_t mem_mb;             /* likewise; 0 = unknown, does not count in PE           */
	int64_t swap_mb;
	int64_t disk_mb;
};

/*
 * What is set for the job's credentials, by enum cred_type; never NULL. Where the job's
 * own credential sets no priority (0) the entry holds the type's DEFAULT priority, but
 * not for QOS. Made by snapshot_job_creds, but for fs_delta, which a pass has at hand.
 */
struct prio_creds {
	double priority[5];
	double fs_delta[5];          /* fairshare_deltas of the job; all 0 unless the caller fills it in */
	double qt_weight, xf_weight; /* of the QOS                                */
	int64_t qt_target_s;         /* of the QOS, else the user's, else DEFAULT */
	double xf_target;
};

/* A priority together with its reasons: what every view and report shows. */
struct prio_result {
	double value[PRIO_FACTOR_COUNT];        /* as measured                                 */
	double capped[PRIO_FACTOR_COUNT];       /* min(FCAP, value)                            */
	double weighted[PRIO_FACTOR_COUNT];     /* FW * capped                                 */
	double component[PRIO_COMPONENT_COUNT]; /* CW * min(CCAP, sum of weighted)             */
	double sum;                             /* of component[], before bounds and adjustment */
	int64_t rank;                           /* bounded, adjusted, truncated: what orders jobs */
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

/* Weights with the factors that can count under them, so that a pass measures only those. The others
 * have no weight, and no QOS gives them one. */
struct prio_terms {
	const struct prio_weights *weights; /* borrowed */
	unsigned count;
	struct prio_term {
		uint8_t factor;    /* enum prio_factor, ascending */
		uint8_t component; /* enum prio_component it is part of */
	} term[PRIO_FACTOR_COUNT];
};

void priority_terms_of(const struct prio_weights *weights, struct prio_terms *out);

/* Only the rank, without the breakdown: what a pass needs. Equal to priority_weigh's rank. */
int64_t priority_rank(const struct policy *policy, const struct prio_terms *terms,
		      const struct prio_creds *creds, const struct job *job, const struct prio_world *world);

/*
 * What follows for a waiting job's rank from its credentials: the same for all jobs that have them. terms
 * must stay as they are while it is used.
 */
struct prio_base {
	const struct prio_terms *terms;
	unsigned first; /* of the terms that look at more than credentials */
	struct prio_creds creds;
	unsigned requests; /* of those, the first behind RES  */
	unsigned last;     /* the first behind SERV           */
	double sum;        /* of the components before */
};
void priority_base_of(const struct prio_terms *terms, const struct prio_creds *creds, struct prio_base *out);

/* The rank of a waiting job. Equal to priority_rank. */
int64_t priority_rank_idle(const struct policy *policy, const struct prio_base *base, const struct job *job,
			   const struct prio_world *world);

/* Seconds for which the number at least stays on its side of the limit; INFINITY if it never reaches it.
 */
double trend_keeps_s(const struct trend *trend, double limit);

/*
 * How a waiting job's rank changes while nothing happens. Queue time grows by a second each second or stands
 * still, so that its factor and XFACTOR are straight lines until a cap or a bound begins or ceases to act; up
 * to there the trend holds. TARGET factors grow ever faster: of them nothing is promised.
 */
struct prio_trend {
	struct trend rank; /* bounded and adjusted, but not truncated */
	/* What each share, by enum cred_type, adds to the rank's trend; two jobs with the same share have the
	 * same here. All 0 where the component has a cap. */
	struct trend share[5];
	double steady_s; /* up to there it holds; INFINITY: until something happens */
};

/* delta: the factors FSUSER .. FSCLASS of the job, by enum cred_type, as they change. */
void priority_trend_of(const struct policy *policy, const struct prio_terms *terms,
		       const struct prio_creds *creds, const struct job *job, const struct prio_world *world,
		       const struct trend delta[static 5], struct prio_trend *out);

/*
 * True when the weights give every job without adjustment the same rank at any time, unless
 * a QOS adds to them: then the order is by submit time and id and need not be computed.
 * A weight on a fairshare factor counts whether or not fairshare is on.
 */
bool priority_all_equal(const struct prio_weights *weights);

#endif
