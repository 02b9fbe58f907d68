/* SPDX-License-Identifier: MIT */
/*
 * throttle.h - throttling limits: usage and tests
 *
 * A throttle is the account of one pass: the usage of every credential, and pair of credentials, that has a
 * limit. Running jobs are counted first. Then, in the order of promotion, each job that becomes eligible
 * counts against the idle limits; each start in the pass moves a job from idle to active. A job is within a
 * limit if the usage plus its request does not exceed the limit. Amounts are 64 bits wide and saturate.
 *
 * For each type of credential of the job and each kind, the limit of the credential itself applies, or else
 * that of DEFAULT of the type. OMAX<kind> of the job's QOS replaces the limits of this kind of the job's
 * other credentials; it adds no limit to credentials without one. An override with a second credential
 * replaces only the limits of such pairs, and takes precedence. OMAXJOB limits the QOS itself and replaces
 * nothing (T-21, T-22).
 *
 * Limits of the system count all jobs together; they are tested after limits of credentials.
 *
 * For a job that shares its nodes with no other job, or with no other user, all processors of its nodes
 * count. On a node that several such jobs of a user share, the free processors count for only one of them.
 *
 * Outstanding processor-seconds fall with time. A finding therefore reports when the job will be within the
 * limit if all jobs run to their wallclock limits.
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

/*
 * The input of an account. All pointers are borrowed; what they point to must not change while the account is
 * used.
 */
struct throttle_world {
	int64_t now_s;
	const struct policy *policy;
	struct machine machine;
	const struct cred *cred;
	uint32_t cred_count;
	const struct limit *limit; /* all limits, in the order of limit_compare */
	uint32_t limit_count;
	uint32_t no_cred[CRED_TYPE_COUNT]; /* by type: credential whose limits apply to jobs without a
					      credential of the type (snapshot_throttle_world); INDEX_NONE =
					      no limits for such jobs */
	const struct job *job;             /* jobs by slot, including the jobs that are tested */
	uint32_t job_count;
	/* Runs of running jobs. NULL: a running job holds the number of nodes that it requested. */
	const struct alloc_run *run;
	const struct node *node; /* nodes; NULL: a running job holds only its own processors */
	uint32_t node_count;
	const uint32_t *running; /* slots of running jobs by due end */
	uint32_t running_count;
	/*
	 * Returns the minimum that an idle job will hold. It is called for the processors of jobs that do not
	 * share their nodes and, if there is a limit on nodes, for the nodes of jobs that request no number
	 * of nodes. NULL: for such a job, the processors that it requests and one node count.
	 */
	struct job_least (*least_held)(void *self, uint32_t slot);
	void *self;
	struct cred_sets *sets; /* ready for these jobs (cred_sets_begin); NULL: the throttle uses its own */
	/* What throttle_tell_set was passed in earlier passes is still valid, and the sets are the same. */
	bool keeps_requests;
};

enum limit_level {
	LEVEL_SOFT,
	LEVEL_HARD
};

/* A limit, with the usage and the request of a job that are compared with it. */
struct limit_finding {
	enum limit_kind kind;
	enum limit_scope scope; /* scope of the limit that applies: LIMIT_OVERRIDE_... if a QOS overrides */
	enum limit_level level;
	uint32_t cred;              /* credential whose usage counts; INDEX_NONE for the system */
	uint32_t second;            /* second credential of a pair; INDEX_NONE = no pair */
	int64_t limit, used, asked; /* the job is within the limit if used + asked <= limit */
	int64_t clears_s; /* first time at which the job is within the limit if no other job starts and
			     running jobs end at their wallclock limits; now_s if it is within; TIME_NEVER:
			     there is no such time, or the job is active */
};

struct throttle; /* opaque; its memory is reused from pass to pass */

struct throttle *throttle_new(void);
void throttle_free(struct throttle *t);

/* Begins the account of a pass and counts the running jobs. */
void throttle_begin(struct throttle *t, const struct throttle_world *world);

/*
 * Returns true if there is any active, idle or queued limit. If not, all tests pass and nothing is counted.
 */
bool throttle_any(const struct throttle *t);

/*
 * Tests the limits on a single job: of the system, or of the job's class. Returns true if the job is within
 * them; *out is then one of the limits, with kind LIMIT_KIND_COUNT if there is none. Otherwise returns false,
 * and *out is the first limit that the job breaks; if the request is too small, out->limit is the minimum.
 * out->used is 0.
 */
bool throttle_system(const struct throttle *t, const struct job *job, struct limit_finding *out);
bool throttle_class(const struct throttle *t, const struct job *job, struct limit_finding *out);

/*
 * Returns true if the job is within all active limits at a level (throttle_active), or within all idle and
 * queued limits, which have only hard values (throttle_idle). *out is then the limit that leaves least, with
 * kind LIMIT_KIND_COUNT if no limit applies. Otherwise returns false, and *out is the broken limit that
 * clears last, so that all limits are clear at clears_s; if several clear last, the first in the order of
 * credential type, then kind, with pairs last. out may be NULL. A job that is counted already, or runs, does
 * not count twice.
 */
bool throttle_active(struct throttle *t, const struct job *job, enum limit_level level,
		     struct limit_finding *out);
bool throttle_idle(struct throttle *t, const struct job *job, struct limit_finding *out);

/*
 * throttle_active_noted is like throttle_active, for callers that need only the first time at which one of
 * the tested jobs will be within its limits. throttle_noted_clear_s returns this time and forgets the jobs;
 * TIME_NEVER if there is no such time. It may also return TIME_NEVER if the time is not before before_s. No
 * job may start between the calls.
 */
bool throttle_active_noted(struct throttle *t, const struct job *job, enum limit_level level);
int64_t throttle_noted_clear_s(struct throttle *t, int64_t before_s);

/*
 * Tells the throttle the set of credentials (in world.sets) of an idle job before the job is tested, so that
 * the job record need not be read again. This call is optional.
 */
void throttle_tell_set(struct throttle *t, const struct job *job, uint32_t set);

/*
 * Tests an idle job when it is its turn to be promoted: first its idle limits, then its hard active limits.
 * If it is within them, counts it as eligible and tests its soft active limits. Returns which kind of limit
 * the job breaks first, or TURN_WITHIN. Broken active limits are noted, as by throttle_active_noted. later:
 * the slot of a job whose turn comes soon; its memory is prefetched.
 */
enum throttle_turn {
	TURN_WITHIN,
	TURN_IDLE,   /* breaks a limit that counts only idle jobs: it does not clear when a job ends */
	TURN_QUEUED, /* breaks a limit that counts idle and running jobs */
	TURN_HARD,
	TURN_SOFT /* breaks a soft limit, but counts as eligible */
};
enum throttle_turn throttle_take_turn(struct throttle *t, uint32_t slot, uint32_t later);

/*
 * Returns true if the first idle limit of a set of credentials counts only idle jobs and leaves nothing for
 * more of them. The turn of every job of the set then ends at this limit (TURN_IDLE), until a job is
 * uncounted. Known only for sets of which a job was tested in this pass.
 */
bool throttle_is_shut(const struct throttle *t, uint32_t set);

/* Returns true if the jobs of both sets count against the same first idle limit. */
bool throttle_shares_limit(const struct throttle *t, uint32_t set, uint32_t other);

/*
 * Returns the credential whose idle limit ended the turn of the job; INDEX_NONE if it was a limit of the
 * system.
 */
uint32_t throttle_turned_by(const struct throttle *t, uint32_t slot);

/* Counts the job in this slot as eligible. */
void throttle_count_idle(struct throttle *t, uint32_t slot);
/* Reverses throttle_count_idle. Returns false if the job was not counted as eligible. */
bool throttle_uncount_idle(struct throttle *t, uint32_t slot);
/* Counts the start of the job in this slot. */
void throttle_count_start(struct throttle *t, uint32_t slot);

/*
 * Calls visit for every limit with its usage, for reports. A limit of DEFAULT is visited once for each
 * credential to which it applies and that has usage or idle jobs; an override is visited with the usage of
 * its QOS.
 */
typedef void limit_visit(void *self, const struct limit *limit, uint32_t cred, uint32_t second, int64_t used);
void throttle_each(struct throttle *t, limit_visit *visit, void *self);

/*
 * Returns the amount that one job uses of limits of the given kind. Kinds that depend on time count the
 * wallclock limit of an idle job, and the remaining time of a running job. Past its wallclock limit a real
 * job counts the rest of the grace period, at least 1 s, and a simulated job counts 0 s. grace_s: seconds
 * between SIGTERM and SIGKILL (policy.site).
 */
int64_t throttle_amount(enum limit_kind kind, const struct job *job, const struct machine *machine,
			int64_t grace_s, int64_t now_s);

/*
 * Like throttle_amount for the job in a slot at at_s, but also counts the nodes that the job holds and, if it
 * does not share them, all their processors. job: a copy of the job that may differ in state and start.
 */
int64_t throttle_amount_at(const struct throttle *t, enum limit_kind kind, uint32_t slot,
			   const struct job *job, int64_t at_s);

#endif
