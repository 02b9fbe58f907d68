/* SPDX-License-Identifier: MIT */
/*
 * explain.h - reasons in words, and all checks of one job with their numbers
 *
 * Only explain.c turns a reason into a sentence.
 */
#ifndef FORECAST_EXPLAIN_H
#define FORECAST_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "future.h"
#include "plan.h"
#include "sched/model/reason.h"
#include "sched/model/snapshot.h"

struct str;

/* Appends a few words for a column, at most about 28 cells: "12 procs short", "held (user)". */
void explain_short(const struct snapshot *s, const struct reason *reason, int64_t now_s, struct str *out);

/* Appends one sentence with the numbers and, if known, the time at which the reason clears. */
void explain_sentence(const struct snapshot *s, const struct job *job, const struct reason *reason,
		      int64_t now_s, struct str *out);
/*
 * Appends the same sentence without the subject, which the caller prints: "needs 8 processors and ...". For a
 * suspended job that released its processors, reason->until_s is the expected time of its resume
 * (placement_resume_at).
 */
void explain_predicate(const struct snapshot *s, const struct job *job, const struct reason *reason,
		       int64_t now_s, struct str *out);

/*
 * Returns the job or array to which the dependency of a reason refers, as job_depend_on prints it; a job of a
 * watched manager has the manager's ID.
 */
const char *explain_depend_on(const struct snapshot *s, const struct reason *reason,
			      char buf[static DEPEND_ON_TEXT]);

/*
 * Appends the owner of the limit or share of a reason: "user eva", "class fast, group staff" or "the system".
 */
void explain_owner(const struct snapshot *s, const struct reason *reason, struct str *out);

/* Returns the name of the advance reservation of a reason; "another reservation" if it is gone. */
const char *explain_advance(const struct snapshot *s, const struct reason *reason);

/* Returns the name of the limit of a reason, such as "MAXPS"; static storage. */
const char *explain_limit_name(const struct reason *reason);

/* Returns true if the reason is a limit on idle jobs; queue_counted lists the jobs that count. */
bool explain_is_idle_limit(const struct reason *reason);

/*
 * Returns the label of the other job of a reason; "another job" if that job has ended. May be written to buf.
 */
const char *explain_other(const struct snapshot *s, const struct reason *reason,
			  char buf[static JOB_LABEL_TEXT]);
/*
 * Appends the other job of a reason as part of a sentence: "job 12", or "another job" if that job has ended.
 */
void explain_other_job(const struct snapshot *s, const struct reason *reason, struct str *out);

enum verdict {
	VERDICT_RUNS,
	VERDICT_STARTS_NOW,
	VERDICT_NOT_NOW,
	VERDICT_NEVER,
	VERDICT_HELD
};

/* "runs", "starts-now", "not-now", "never" or "held", as in JSON; static storage. */
const char *verdict_name(enum verdict verdict);

/* One row of the check list: a gate and its result. */
struct check {
	enum gate gate;
	bool ok;
	bool known; /* false: the gate does not apply, because the job is running */
	struct reason reason;
	char value[48]; /* what was found, as text */
	char limit[48]; /* what is allowed, as text; "-" if there is no limit */
};

/* Sets value and limit of a check from its reason. */
void explain_check(struct check *c, const struct snapshot *s, int64_t now_s);

/*
 * The reason that all outputs show first for a job that is not running: for a job that never starts the
 * permanent reason, for every other job the reason why it does not start now.
 */
struct explain_lead {
	enum verdict verdict;
	struct reason reason; /* GATE_NONE: the job runs, or starts now */
};

/*
 * Finds the lead of the job in a slot of s, with the plan of s. start_s: projected start, TIME_NEVER if there
 * is none. never: result of never_of.
 */
struct explain_lead explain_lead(const struct snapshot *s, const struct plan *plan, uint32_t slot,
				 int64_t start_s, struct reason never);
/* Finds the lead of the job in a slot of a future that was built with setup.reasons. */
struct explain_lead explain_future(const struct future *f, uint32_t slot);

/* All checks of one job, and what follows from them. */
struct why {
	enum verdict verdict;
	enum gate first;                /* the first gate that the job fails in the pass; GATE_NONE = none */
	struct reason lead;             /* the reason that is shown first (struct explain_lead) */
	struct check check[GATE_COUNT]; /* by gate, from GATE_NONE + 1 on */
	int64_t clears_s;    /* time at which the reason clears by itself; TIME_NEVER: it does not */
	int64_t estimated_s; /* start of the job: as in the instant plan, after explain_dated as estimated;
				TIME_NEVER = none */
};

/* Makes all checks of the job in a slot. Rebuilds plan for s at now_s. */
void explain_why(const struct snapshot *s, uint32_t slot, int64_t now_s, struct plan *plan, struct why *out);
/* Makes all checks of the job in a slot with a plan that plan_build has made for s, which costs little. */
void explain_planned(const struct snapshot *s, uint32_t slot, struct plan *plan, struct why *out);
/*
 * Replaces the start of the instant plan with the estimated start, and sets `verdict` and `lead` accordingly.
 * A job that never starts according to the projection has no start and no clear time.
 */
void explain_dated(struct why *why, const struct snapshot *s, const struct future_start *start,
		   struct explain_lead lead);

#endif
