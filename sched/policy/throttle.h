/* SPDX-License-Identifier: MIT */
/*
 * throttle.h - which limits bind a job, and does it keep within them?
 *
 * A throttle is the account of one pass: what is in use of every credential, and pair of
 * credentials, that some limit looks at. Running jobs are added first; then, in the order of
 * promotion, each job that becomes eligible counts against the idle limits; each start of
 * the pass moves a job from idle to active. A job is within a limit if what is in use by its
 * own credential plus what it asks for does not exceed it. Amounts are 64 bits wide.
 *
 * Which limit counts, for each credential type of the job and each kind: the credential's own,
 * else DEFAULT's of the type. A QOS with OMAX<kind> replaces by it the limits of the job's
 * other credentials that have one of the kind, and adds none to those that have none (one with a
 * second credential replaces those of such pairs only, and goes before one without); OMAXJOB
 * instead limits the QOS itself and lifts nothing (T-21, T-22).
 *
 * Limits of the system as owner count all jobs together; they come after those of credentials.
 *
 * A job that requests to share its nodes with no other job, or with none of another user, counts with all
 * processors of its nodes. What is free of a node that several such jobs of a user share counts once.
 *
 * Outstanding processor-seconds fall with time: a finding says when enough will have gone,
 * jobs taken to run to their limits.
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

/* What the account is of. All borrowed, and must live, and stay as it is, as long as the account is used. */
struct throttle_world {
	int64_t now_s;
	const struct policy *policy;
	struct machine machine;
	const struct cred *cred;
	uint32_t cred_count;
	const struct limit *limit; /* in the order of limit_compare */
	uint32_t limit_count;
	uint32_t no_cred[CRED_TYPE_COUNT]; /* credential CRED_NONE of each type: counts for jobs without one;
					      INDEX_NONE = nothing is set for it */
	const struct job *job;             /* slots; jobs that are asked about stand here too */
	uint32_t job_count;
	const struct alloc_run *run; /* of running jobs; NULL: they hold as many nodes as they asked for */
	const struct node *node;     /* NULL: a running job holds its own processors alone */
	uint32_t node_count;
	const uint32_t *running; /* by due end */
	uint32_t running_count;
	/* The least that a waiting job can hold. Asked for the processors of jobs that keep others off their
	 * nodes, and, where a limit looks at nodes, for the nodes of jobs that name no number. NULL: the
	 * processors that the job requests, one node. */
	struct job_least (*least_held)(void *self, uint32_t slot);
	void *self;
	struct cred_sets *sets; /* begun for these jobs; NULL: the throttle has its own */
};

enum limit_level {
	LEVEL_SOFT,
	LEVEL_HARD
};

/* One limit and where a job stands against it. */
struct limit_finding {
	enum limit_kind kind;
	enum limit_scope scope; /* as it is set: OVERRIDE_... when a QOS's limit counts instead      */
	enum limit_level level;
	uint32_t cred;              /* whose usage; INDEX_NONE for SYSTEM                               */
	uint32_t second;            /* of a pair; INDEX_NONE                                            */
	int64_t limit, used, asked; /* within: used + asked <= limit                          */
	int64_t clears_s; /* first moment at which it would be within if nothing else starts, running jobs
			     ending at their limits; now_s when within; TIME_NEVER = not that way,
			     or it has started itself */
};

struct throttle; /* opaque; memory kept from pass to pass */

struct throttle *throttle_new(void);
void throttle_free(struct throttle *t);

/* Begins the account of a pass with the running jobs. */
void throttle_begin(struct throttle *t, const struct throttle_world *world);

/* Is there any active, idle or queued limit at all? False: all tests pass and nothing is counted. */
bool throttle_any(const struct throttle *t);

/*
 * Limits on the job alone: the system's, its class's. False: *out is the first it breaks; of one that asks
 * for too little, limit is the least and above asked. True: *out is one it keeps to, kind LIMIT_KIND_COUNT
 * when there is none. used is 0.
 */
bool throttle_system(const struct throttle *t, const struct job *job, struct limit_finding *out);
bool throttle_class(const struct throttle *t, const struct job *job, struct limit_finding *out);

/*
 * Within all active limits at this level, or all idle and queued limits (hard alone counts)? False: *out is
 * the broken limit that clears last, so that clears_s holds for all; of several the first in the order:
 * credential type, then kind; plain limits before pairs. True: *out is the one with the least left, kind
 * LIMIT_KIND_COUNT when none binds. out NULL: only whether. A job that has been counted, or runs, is not
 * counted twice.
 */
bool throttle_active(struct throttle *t, const struct job *job, enum limit_level level,
		     struct limit_finding *out);
bool throttle_idle(struct throttle *t, const struct job *job, struct limit_finding *out);

/*
 * The same of active limits, where only the first moment matters at which one of the jobs asked about would
 * be within its own: throttle_noted_clear_s returns it, and forgets. TIME_NEVER: there is none, or it need
 * not be before before_s (TIME_NEVER: it is wanted in any case). No job may start in between.
 */
bool throttle_active_noted(struct throttle *t, const struct job *job, enum limit_level level);
int64_t throttle_noted_clear_s(struct throttle *t, int64_t before_s);

/*
 * The set of credentials (of world.sets) that a waiting job has. It is told before the job is asked about, so
 * that nobody looks at the job again in this pass. Nobody has to tell it.
 */
void throttle_tell_set(struct throttle *t, const struct job *job, uint32_t set);

/*
 * A waiting job's turn in the order of promotion: is it within its idle limits, then within its hard ones?
 * Then it counts as eligible, and last its soft limits are looked at. What is broken first; active limits are
 * noted, as above.
 */
enum throttle_turn {
	TURN_WITHIN,
	TURN_IDLE,   /* a limit that counts waiting jobs alone: no end of a job makes room below it */
	TURN_QUEUED, /* another idle limit */
	TURN_HARD,
	TURN_SOFT /* it counts as eligible */
};
enum throttle_turn throttle_take_turn(struct throttle *t, uint32_t slot);

/* The job in this slot has its turn soon: memory is asked for ahead. */
void throttle_fetch(const struct throttle *t, uint32_t slot);

/* Whose idle limit ended the job's turn: a credential; INDEX_NONE = one for all jobs. */
uint32_t throttle_turned_by(const struct throttle *t, uint32_t slot);

/* The job in this slot is eligible now, resp. starts now. */
void throttle_count_idle(struct throttle *t, uint32_t slot);
/* It is not eligible after all. False: it was not counted as such. */
bool throttle_uncount_idle(struct throttle *t, uint32_t slot);
void throttle_count_start(struct throttle *t, uint32_t slot);

/* Visits every limit with what is in use of it, for reports: DEFAULT's once for each credential that has
 * usage or waiting jobs; an override with what its QOS uses. */
typedef void limit_visit(void *self, const struct limit *limit, uint32_t cred, uint32_t second, int64_t used);
void throttle_each(struct throttle *t, limit_visit *visit, void *self);

/*
 * What an idle or active limit of a kind counts for one job: waiting (its wallclock limit) or running (time
 * left). A real job that is past its limit has the rest of the grace left, at least 1 s; grace_s: seconds
 * between TERM and KILL (policy.site). A simulated job has 0 s left then.
 */
int64_t throttle_amount(enum limit_kind kind, const struct job *job, const struct machine *machine,
			int64_t grace_s, int64_t now_s);

/*
 * What a limit of a kind counts for the job in a slot at a moment: as throttle_amount, but with the nodes it
 * holds and those that it keeps others off. job: a copy that may differ in its state and its start.
 */
int64_t throttle_amount_at(const struct throttle *t, enum limit_kind kind, uint32_t slot,
			   const struct job *job, int64_t at_s);

#endif
