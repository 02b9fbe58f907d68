/* SPDX-License-Identifier: MIT */
/*
 * explain.h - reasons in words: the only place where a reason becomes a sentence
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

/* A few words for a column, at most about 28 cells: "12 procs short", "held (user)". */
void explain_short(const struct snapshot *s, const struct reason *reason, int64_t now_s, struct str *out);

/* One sentence with the numbers and, when known, the hour. */
void explain_sentence(const struct snapshot *s, const struct job *job, const struct reason *reason,
		      int64_t now_s, struct str *out);
/* The same behind its subject, which is left to the caller: "needs 8 processors and ...". Of a suspended job
 * whose processors are released reason->until_s says when it is expected to be resumed (room_resume_at). */
void explain_predicate(const struct snapshot *s, const struct job *job, const struct reason *reason,
		       int64_t now_s, struct str *out);

/* What a dependency is on, as job_depend_on says it. */
const char *explain_depend_on(const struct reason *reason, char buf[static DEPEND_ON_TEXT]);

/* "user eva", "class fast, group staff", "the system": whose limit or share a reason speaks of. */
void explain_owner(const struct snapshot *s, const struct reason *reason, struct str *out);

/* The advance reservation of a reason by name. */
const char *explain_advance(const struct snapshot *s, const struct reason *reason);

/* "MAXPS": the limit a reason speaks of; static storage. */
const char *explain_limit_name(const struct reason *reason);

/* Is it a limit on waiting jobs alone? queue_counted lists those that count. */
bool explain_is_idle_limit(const struct reason *reason);

/* What people call the other job of a reason. */
const char *explain_other(const struct snapshot *s, const struct reason *reason,
			  char buf[static JOB_LABEL_TEXT]);
/* The same within a sentence: "job 12", or "another job" when it has ended. */
void explain_other_job(const struct snapshot *s, const struct reason *reason, struct str *out);

enum verdict {
	VERDICT_RUNS,
	VERDICT_STARTS_NOW,
	VERDICT_NOT_NOW,
	VERDICT_NEVER,
	VERDICT_HELD
};

/* "runs", "starts-now", "not-now", "never", "held": as in JSON; static storage. */
const char *verdict_name(enum verdict verdict);

/* One row of the check list: a gate with what it found. */
struct check {
	enum gate gate;
	bool ok;
	bool known; /* false: the row did not apply (a running job)    */
	struct reason reason;
	char value[48]; /* what was found, as text                         */
	char limit[48]; /* against what; "-" when there is no limit        */
};

/* Writes value and limit of a row from its reason: what was found and against what. */
void explain_check(struct check *c, const struct snapshot *s, int64_t now_s);

/*
 * What is said first of a job that does not run, everywhere: of one that never starts what keeps it so, of
 * all others why it does not start now.
 */
struct explain_lead {
	enum verdict verdict;
	struct reason reason; /* of GATE_NONE: it runs, or starts now */
};

/* Of the job in a slot of s, by the plan of s. start_s: the start that the projection gives it, TIME_NEVER:
 * none. never: as never_of has it. */
struct explain_lead explain_lead(const struct snapshot *s, const struct plan *plan, uint32_t slot,
				 int64_t start_s, struct reason never);
/* The same of a future that was built with setup.reasons. */
struct explain_lead explain_future(const struct future *f, uint32_t slot);

/* The whole answer to "why is this job not running?". */
struct why {
	enum verdict verdict;
	enum gate first;                /* the first failing gate: the pass's reason   */
	struct reason lead;             /* explain_lead                                */
	struct check check[GATE_COUNT]; /* rows 1 .. GATE_COUNT-1 in order    */
	int64_t clears_s;               /* when it clears by itself; TIME_NEVER        */
	int64_t estimated_s;            /* of the instant plan until explain_dated; TIME_NEVER = none */
};

/* slot must hold a job. plan is rebuilt for s at now_s. */
void explain_why(const struct snapshot *s, uint32_t slot, int64_t now_s, struct plan *plan, struct why *out);
/* The same, cheap, with a plan that plan_build has made for s. */
void explain_planned(const struct snapshot *s, uint32_t slot, struct plan *plan, struct why *out);
/* Puts the estimated start in the place of that of the instant plan, and what follows from it in the place of
 * verdict and lead. A job of which the projection finds that it never starts has no date at all. */
void explain_dated(struct why *why, const struct snapshot *s, const struct future_start *start,
		   struct explain_lead lead);

#endif
