/* SPDX-License-Identifier: MIT */
/*
 * throttle.h - throttling limits: usage and tests
 *
 * A throttle is the account of one pass: the usage of every credential, and pair of credentials, that has a
 * limit. Running jobs are counted first; then, in the order of promotion, each job that becomes eligible
 * counts against the idle limits; each start of the pass moves a job from idle to active. A job is within a
 * limit if the usage plus its request does not exceed the limit. Amounts are 64 bits wide and saturate.
 *
 * For each type of credential of the job and each kind, the limit of the credential itself applies, else that
 * of DEFAULT of the type. OMAX<kind> of the job's QOS replaces the limits of this kind of its other
 * credentials; it adds no limit to credentials without one. An override with a second credential replaces
 * only the limits of such pairs, and takes precedence. OMAXJOB limits the QOS itself and replaces nothing
 * (T-21, T-22).
 *
 * Limits of the system count all jobs together; they are tested after those of credentials.
 *
 * A job that shares its nodes with no other job, or with no other user, counts with all processors of its
 * nodes. Free processors of a node that several such jobs of a user share count once.
 *
 * Outstanding processor-seconds fall with time; a finding reports when the limit clears if all jobs run to
 * their wallclock limits.
 *
 * Source: Maui Administrator's Guide 6.2.
 */
#ifndef POLICY_THROTTLE_H
#define POLICY_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/model/cred.h"
#include "sched/model/credset.h"
#include "sched/model/job.h"
#include "sched/model/limit.h"
#include "sched/model/node.h"
#include "sched/model/policy.h"

/* The input of an account. All borrowed; must not change while the account is used. */
struct throttle_world {
	int64_t now_s;
	const struct policy *policy;
	struct machine machine;
	const struct cred *cred;
	uint32_t cred_count;
	const struct limit *limit; /* in the order of limit_compare */
	uint32_t limit_count;
	uint32_t no_cred[CRED_TYPE_COUNT]; /* credential "none" of each type, which limits jobs without one;
					      INDEX_NONE = no limits for such jobs */
	const struct job *job;             /* slots, including the jobs that are tested */
	uint32_t job_count;
	const struct alloc_run *run; /* of running jobs; NULL: they hold as many nodes as they requested */
	const struct node *node;     /* NULL: a running job holds only its own processors */
	uint32_t node_count;
	const uint32_t *running; /* by due end */
	uint32_t running_count;
	/* The least that a waiting job can hold. Called for the processors of jobs that do not share their
	 * nodes, and, if there is a limit on nodes, for the nodes of jobs without a number of nodes. NULL:
	 * the processors that the job requests, and one node. */
	struct job_least (*least_held)(void *self, uint32_t slot);
	void *self;
	struct cred_sets *sets; /* begun for these jobs; NULL: the throttle makes its own */
};

enum limit_level {
	LEVEL_SOFT,
	LEVEL_HARD
};

/* A limit, and the usage and request of a job against it. */
struct limit_finding {
	enum limit_kind kind;
	enum limit_scope scope; /* of the limit in force: OVERRIDE_... if a QOS overrides         */
	enum limit_level level;
	uint32_t cred;              /* the credential of the usage; INDEX_NONE for the system        */
	uint32_t second;            /* of a pair; INDEX_NONE                                            */
	int64_t limit, used, asked; /* within: used + asked <= limit                          */
	int64_t clears_s; /* the first moment at which the job is within the limit if no other job starts and
			     running jobs end at their limits; now_s if it is within; TIME_NEVER: there is
			     none, or the job itself is active */
};

struct throttle; /* opaque; memory kept from pass to pass */

struct throttle *throttle_new(void);
void throttle_free(struct throttle *t);

/* Begins the account of a pass with the running jobs. */
void throttle_begin(struct throttle *t, const struct throttle_world *world);

/* True if there is an active, idle or queued limit. False: all tests pass and nothing is counted. */
bool throttle_any(const struct throttle *t);

/*
 * Limits on a single job: of the system, and of its class. False: *out is the first limit that it breaks; for
 * a request that is too small, limit is the minimum. True: *out is a limit that it keeps; kind is
 * LIMIT_KIND_COUNT if there is none. used is 0.
 */
bool throttle_system(const struct throttle *t, const struct job *job, struct limit_finding *out);
bool throttle_class(const struct throttle *t, const struct job *job, struct limit_finding *out);

/*
 * True if the job is within all active limits at this level, or within all idle and queued limits (which have
 * only hard parts). False: *out is the broken limit that clears last, so that clears_s holds for all; of
 * several the first in the order of credential type, then kind, with pairs last. True: *out is the limit with
 * the least left; kind is LIMIT_KIND_COUNT if no limit applies. out may be NULL. A job that is counted
 * already, or runs, does not count twice.
 */
bool throttle_active(struct throttle *t, const struct job *job, enum limit_level level,
		     struct limit_finding *out);
bool throttle_idle(struct throttle *t, const struct job *job, struct limit_finding *out);

/*
 * As throttle_active, for callers that need only the first moment at which one of the tested jobs will be
 * within its limits: throttle_noted_clear_s returns it and forgets the jobs. TIME_NEVER: there is none, or it
 * is not before before_s; with before_s TIME_NEVER it is always computed. No job may start between the calls.
 */
bool throttle_active_noted(struct throttle *t, const struct job *job, enum limit_level level);
int64_t throttle_noted_clear_s(struct throttle *t, int64_t before_s);

/*
 * Tells the set of credentials (in world.sets) of a waiting job, before the job is tested, so that the job
 * record need not be read again in this pass. Optional.
 */
void throttle_tell_set(struct throttle *t, const struct job *job, uint32_t set);

/*
 * Promotes a waiting job in its turn: tests its idle limits, then its hard ones; if it is within them, counts
 * it as eligible and tests its soft limits. Returns the first that is broken. Active limits are noted, as
 * above.
 */
enum throttle_turn {
	TURN_WITHIN,
	TURN_IDLE,   /* a limit that counts only waiting jobs: it does not clear when a job ends */
	TURN_QUEUED, /* another idle limit */
	TURN_HARD,
	TURN_SOFT /* it counts as eligible */
};
enum throttle_turn throttle_take_turn(struct throttle *t, uint32_t slot);

/* Prefetches memory for the turn of the job in this slot. */
void throttle_fetch(const struct throttle *t, uint32_t slot);

/* The credential whose idle limit ended the turn of the job; INDEX_NONE: the limit of the system. */
uint32_t throttle_turned_by(const struct throttle *t, uint32_t slot);

/* Counts the job in this slot as eligible. */
void throttle_count_idle(struct throttle *t, uint32_t slot);
/* Reverses throttle_count_idle. False: the job was not counted as eligible. */
bool throttle_uncount_idle(struct throttle *t, uint32_t slot);
/* Counts a start of the job in this slot. */
void throttle_count_start(struct throttle *t, uint32_t slot);

/* Visits every limit with its usage, for reports: a limit of DEFAULT once for each credential with usage or
 * waiting jobs; an override with the usage of its QOS. */
typedef void limit_visit(void *self, const struct limit *limit, uint32_t cred, uint32_t second, int64_t used);
void throttle_each(struct throttle *t, limit_visit *visit, void *self);

/*
 * The amount that a limit of a kind counts for one job, with its wallclock limit if it is waiting or the time
 * left if it is running. A real job beyond its limit has the rest of the grace period left, at least 1 s; a
 * simulated job 0 s. grace_s: seconds between SIGTERM and SIGKILL (policy.site).
 */
int64_t throttle_amount(enum limit_kind kind, const struct job *job, const struct machine *machine,
			int64_t grace_s, int64_t now_s);

/*
 * As throttle_amount for the job in a slot at a moment, including the nodes that it holds or does not share.
 * job: a copy of the job that may differ in state and start.
 */
int64_t throttle_amount_at(const struct throttle *t, enum limit_kind kind, uint32_t slot,
			   const struct job *job, int64_t at_s);

#endif
