/* SPDX-License-Identifier: MIT */
/*
 * priority.h - job priority and its breakdown
 *
 * This is the only implementation of the factors, their caps and weights, the expansion factor and the order
 * of the queue. A priority is computed in two separate steps:
 *
 *   measure   job + world at a given time -> one value per factor   once per job and pass
 *   weigh     values + weights -> one number, with its breakdown    cheap; repeated by previews
 *
 *   sum = over components c:  CW[c] * min(CCAP[c], over factors f of c: FW[f] * min(FCAP[f], value[f]))
 *
 * A cap of 0 means "no cap" and applies to the value before its weight. The sum is bounded, then an
 * operator's adjustment is applied, and the result is truncated once, toward zero, to the int64 rank.
 *
 * Source: Maui Administrator's Guide 5.1.1 (weights, bounds), 5.1.2 (factors, units), 5.1.3 (caps), 5.1.5
 * (system priority). Choices where the guide is silent or contradicts itself: XFACTOR is 1 + queued /
 * max(XFMINWCLIMIT, limit) as printed; PS and WALLTIME count in RES; TARGET is 1e8^x up to the target and
 * 1e8 * x beyond it, where x is queued / QTTARGET or (xfactor - 1) / (XFTARGET - 1); the minimum priority is
 * 1; PERCENT is relative to the wallclock limit.
 *
 * All functions are pure.
 */
#ifndef POLICY_PRIORITY_H
#define POLICY_PRIORITY_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/model/policy.h"
#include "sched/model/trend.h"

struct cred_attr; /* defined in sched/model/cred.h */
struct job;       /* defined in sched/model/job.h */

/* Maximum and minimum of a priority that factors alone can reach (guide 5.1.1). */
#define PRIO_MAX   1000000000.0
#define PRIO_FLOOR 1.0

/* Bound of the absolute value of a rank: within it, every double fits in an int64. */
#define PRIO_RANK_LIMIT 1e18

/* The input of priority_measure apart from the job and its credentials. */
struct prio_world {
	int64_t now_s;              /* time of the pass */
	int64_t xfactor_min_wall_s; /* XFMINWCLIMIT; see struct policy */
	int64_t procs;              /* configured processors of the machine, used for PE; > 0 */
	int64_t mem_mb;             /* configured memory; 0 = unknown, does not count in PE */
	int64_t swap_mb;
	int64_t disk_mb;
};

/*
 * The settings of the job's credentials; arrays are indexed by enum cred_type. If a credential has no
 * priority (0), the entry is the priority of DEFAULT, except for QOS. snapshot_job_creds sets all members
 * except fs_delta.
 */
struct prio_creds {
	double priority[5];
	double fs_delta[5];          /* fairshare_deltas of the job; 0 unless the caller sets it */
	double qt_weight, xf_weight; /* weights added by the QOS */
	int64_t qt_target_s;         /* target of the QOS, else of the user, else of user DEFAULT */
	double xf_target;
};

/* A priority with its breakdown, as all screens and reports show it. */
struct prio_result {
	double value[PRIO_FACTOR_COUNT];        /* measured value of each factor */
	double capped[PRIO_FACTOR_COUNT];       /* min(FCAP, value) of each factor */
	double weighted[PRIO_FACTOR_COUNT];     /* FW * capped, for each factor */
	double component[PRIO_COMPONENT_COUNT]; /* CW * min(CCAP, sum of weighted), for each component */
	double sum;                             /* sum of component[], before bounds and adjustment */
	int64_t rank; /* the sum, bounded, adjusted and truncated: determines the order of the queue */
	bool bounded; /* the sum was outside its bounds and was replaced by a bound */
};

/*
 * Measures all factors of one job; every value is finite. A factor that does not apply (no target, job not
 * running, no fairshare) is 0. The job's wallclock limit must be > 0 (state_submit refuses other jobs).
 */
void priority_measure(const struct job *job, const struct prio_creds *creds, const struct prio_world *world,
		      double value[static PRIO_FACTOR_COUNT]);

/* Returns the expansion factor of a job that was queued for queued_s seconds (guide 5.1.3.4). wall_s > 0. */
static inline double xfactor_of(double queued_s, double wall_s)
{
	return 1 + queued_s / wall_s;
}

/*
 * Returns the expansion factor as priority_measure computes it: with the queue time up to now_s, or up to the
 * start of a running job.
 */
double priority_xfactor(const struct job *job, const struct policy *policy, int64_t now_s);

/*
 * Weighs measured values into *out. creds provides QTWEIGHT and XFWEIGHT of the QOS, which are added to two
 * weights; job provides the adjustment by an operator.
 *
 * Example, guide 5.1.2.1: CREDWEIGHT 1, USERWEIGHT 1, GROUPWEIGHT 1, all other weights 0; user john = 2000,
 * group staff = 10000. Then sum and rank are 12000.
 */
void priority_weigh(const struct policy *policy, const struct prio_weights *weights,
		    const struct prio_creds *creds, const struct job *job,
		    const double value[static PRIO_FACTOR_COUNT], struct prio_result *out);

/* Applies a cap to a value or a sum; a cap of 0 means no cap. */
static inline double priority_capped(double value, double cap)
{
	return cap > 0 && value > cap ? cap : value;
}

/* Returns the weight that the job's QOS adds to the weight of a factor: QTWEIGHT or XFWEIGHT (P-52, P-60). */
static inline double priority_qos_weight(const struct prio_creds *creds, enum prio_factor f)
{
	return f == PRIO_SERV_QUEUETIME ? creds->qt_weight : f == PRIO_SERV_XFACTOR ? creds->xf_weight : 0;
}

/* Returns the weight of a factor, including the weight that the job's QOS adds. */
static inline double priority_weight(const struct prio_weights *weights, const struct prio_creds *creds,
				     enum prio_factor f)
{
	return weights->factor[f] + priority_qos_weight(creds, f);
}

/*
 * Returns the bounded and adjusted priority before it is truncated to the rank; the rank itself if a bound
 * applied.
 */
double priority_points(const struct job *job, const struct prio_result *result);

/*
 * Compares two jobs by the order of the queue: the higher rank first, and of equal ranks the older job.
 * Returns < 0 if job a comes before job b. age: < 0 if job a is older than job b (job_compare_age, or the
 * difference of their indexes in TABLE_WAITING).
 */
static inline int priority_compare(int64_t rank_a, int64_t rank_b, int age)
{
	return rank_a != rank_b ? (rank_a > rank_b ? -1 : 1) : age;
}

/*
 * The factors that a pass has to measure under some weights: those with a weight, and those to whose weight a
 * QOS may add.
 */
struct prio_terms {
	const struct prio_weights *weights; /* borrowed */
	unsigned count;
	struct prio_term {
		uint8_t factor;    /* enum prio_factor; terms are in ascending order of it */
		uint8_t component; /* enum prio_component to which the factor belongs */
	} term[PRIO_FACTOR_COUNT];
};

/* Determines the factors to measure under these weights. *out borrows weights. */
void priority_terms_of(const struct prio_weights *weights, struct prio_terms *out);

/* Computes only the rank, without the breakdown. It is equal to the rank of priority_weigh. */
int64_t priority_rank(const struct policy *policy, const struct prio_terms *terms,
		      const struct prio_creds *creds, const struct job *job, const struct prio_world *world);

/*
 * The part of the rank of an idle job that depends only on its credentials; it is the same for all jobs with
 * these credentials. terms is borrowed and must not change.
 */
#define PRIO_SERV_COUNT (PRIO_TARGET_QUEUETIME - PRIO_SERV_QUEUETIME) /* number of factors of SERV */
struct prio_base {
	const struct prio_terms *terms;
	struct prio_creds creds;
	double sum;               /* sum of the components that depend only on credentials: CRED and FS */
	unsigned requests, after; /* indexes of the first term of RES, and of the first term after RES */
	/* The weights of the factors of SERV, including those that the QOS adds, and their caps. */
	struct prio_weighed {
		double weight, cap;
	} service[PRIO_SERV_COUNT];
	bool has_targets; /* a factor of TARGET may have a weight */
};
void priority_base_of(const struct prio_terms *terms, const struct prio_creds *creds, struct prio_base *out);

/*
 * What the rank of an idle job depends on besides its credentials and the time. It remains valid until the
 * job, the machine or the weights change.
 */
struct prio_own {
	double request;     /* the weighted component RES */
	int64_t accrual_s;  /* start of effective queue time; TIME_NEVER if it does not accrue */
	double expansion_s; /* wallclock limit that XFACTOR uses */
	uint32_t bypass;
	bool is_adjusted; /* an operator has set the priority */
};
void priority_own_of(const struct prio_base *base, const struct job *job, const struct prio_world *world,
		     struct prio_own *out);

/*
 * Returns the rank of an idle job; equal to the result of priority_rank. own: the result of priority_own_of.
 * The record of the job is read only for factors of TARGET and if it is adjusted.
 */
int64_t priority_rank_idle(const struct policy *policy, const struct prio_base *base,
			   const struct prio_own *own, const struct job *job, const struct prio_world *world);

/*
 * Returns for how many seconds the value of the trend certainly stays on the same side of the limit; INFINITY
 * if it never reaches the limit.
 */
double trend_keeps_s(const struct trend *trend, double limit);

/*
 * The change of the rank of an idle job while no event occurs. Queue time grows by a second per second or
 * does not accrue, so QUEUETIME and XFACTOR are linear until they cross a cap or a bound; the trend is valid
 * until then. TARGET factors grow exponentially, and their trend is valid for no time at all.
 */
struct prio_trend {
	struct trend rank; /* trend of the bounded and adjusted rank, before it is truncated */
	/*
	 * By enum cred_type, the contribution of the fairshare factor to the trend of the rank. It is the
	 * same for all jobs with the same credential. 0 if component FS has a cap.
	 */
	struct trend share[5];
	double steady_s; /* seconds for which the trend is valid; INFINITY: until the next event */
};

/*
 * Computes the trend of the rank of an idle job. delta: by enum cred_type, the trends of the factors FSUSER
 * .. FSCLASS of the job.
 */
void priority_trend_of(const struct policy *policy, const struct prio_terms *terms,
		       const struct prio_creds *creds, const struct job *job, const struct prio_world *world,
		       const struct trend delta[static 5], struct prio_trend *out);

/*
 * Returns true if under these weights all jobs without adjustment always have the same rank, unless a QOS
 * adds to the weights: the order is then by submit time and ID and need not be computed. A weight of a
 * fairshare factor counts even if fairshare is off.
 */
bool priority_all_equal(const struct prio_weights *weights);

#endif
