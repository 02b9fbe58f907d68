/* SPDX-License-Identifier: MIT */
/*
 * explain.c - reasons in words
 */
#include "explain.h"

#include <stdio.h>

#include "sched/base/amount.h"
#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/placement/placement.h"

const char *explain_other(const struct snapshot *s, const struct reason *reason,
			  char buf[static JOB_LABEL_TEXT])
{
	uint32_t slot = reason->other == 0 ? INDEX_NONE : snapshot_find_job(s, reason->other);

	if (slot == INDEX_NONE)
		return "another job";
	return snapshot_job_label(s, &snapshot_jobs(s)[slot], buf);
}

void explain_other_job(const struct snapshot *s, const struct reason *reason, struct str *out)
{
	char label[JOB_LABEL_TEXT];
	bool known = reason->other != 0 && snapshot_find_job(s, reason->other) != INDEX_NONE;

	str_addf(out, "%s%s", known ? "job " : "", explain_other(s, reason, label));
}

const char *explain_advance(const struct snapshot *s, const struct reason *reason)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_ADVANCES); i++)
		if (snapshot_advances(s)[i].seq == reason->other)
			return snapshot_string(s, snapshot_advances(s)[i].name);
	return "another reservation";
}

/* --- limits, shares, dependencies in words -------------------------------------------------- */

void explain_owner(const struct snapshot *s, const struct reason *reason, struct str *out)
{
	const struct cred *cred = snapshot_creds(s);

	if (reason->cred == INDEX_NONE) {
		str_add(out, "the system");
		return;
	}
	str_addf(out, "%s %s", cred_type_name((enum cred_type)cred[reason->cred].type),
		 snapshot_string(s, cred[reason->cred].name));
	if (reason->second != INDEX_NONE)
		str_addf(out, ", %s %s", cred_type_name((enum cred_type)cred[reason->second].type),
			 snapshot_string(s, cred[reason->second].name));
}

static const char *kind_unit(enum limit_kind kind, int64_t count)
{
	static const char *const units[LIMIT_KIND_COUNT] = {
		[LIMIT_JOB] = "jobs",
		[LIMIT_PROC] = "processors",
		[LIMIT_NODE] = "nodes",
		[LIMIT_PS] = "processor-seconds",
		[LIMIT_PE] = "processor equivalents",
		[LIMIT_WC] = "seconds",
		[LIMIT_MEM] = "MB",
	};

	return kind == LIMIT_JOB && count == 1 ? "job" : units[kind];
}

const char *explain_limit_name(const struct reason *reason)
{
	return limit_name((enum limit_scope)reason->scope, (enum limit_kind)reason->kind);
}

/* Returns true if the limit is the minimum of a class and the request is below it. */
static bool is_minimum(const struct reason *reason)
{
	return reason->scope == LIMIT_CLASS && reason->asked < reason->limit;
}

static void say_single_limit(const struct snapshot *s, const struct reason *reason, struct str *out)
{
	str_addf(out, "never starts: it asks for %lld %s, and ", (long long)reason->asked,
		 kind_unit((enum limit_kind)reason->kind, reason->asked));
	explain_owner(s, reason, out);
	str_addf(out, " allows a job at %s %lld", is_minimum(reason) ? "least" : "most",
		 (long long)reason->limit);
	if (reason->scope == LIMIT_SYSTEM)
		str_addf(out, " (%s)", explain_limit_name(reason));
}

static void say_clears(const struct reason *reason, int64_t now_s, struct str *out)
{
	char when[MOMENT_TEXT], in[DURATION_TEXT];

	if (reason->until_s == TIME_NEVER || reason->until_s <= now_s)
		return;
	str_addf(out, "; it clears by itself at %s, in %s", moment_short(when, reason->until_s, now_s),
		 duration_text(in, reason->until_s - now_s));
}

/* Appends that a job over a soft limit never starts, because such jobs start only by backfill. */
static void say_no_second_turn(const struct snapshot *s, const struct reason *reason, struct str *out)
{
	str_addf(out, "never starts: it asks for %lld %s, more than the soft limit %s of %lld of ",
		 (long long)reason->asked, kind_unit((enum limit_kind)reason->kind, reason->asked),
		 explain_limit_name(reason), (long long)reason->limit);
	explain_owner(s, reason, out);
	str_add(out,
		", and with strict order (backfillpolicy none) and hardpass resources no job over a soft "
		"limit starts");
}

bool explain_is_idle_limit(const struct reason *reason)
{
	return reason->gate == GATE_IDLE_LIMIT &&
	       (reason->scope == LIMIT_IDLE || reason->scope == LIMIT_OVERRIDE_IDLE);
}

static void say_limit(const struct snapshot *s, const struct reason *reason, int64_t now_s, struct str *out)
{
	long long sum = (long long)amount_add(reason->value, reason->asked);

	if (reason->asked > reason->limit) {
		/* the request alone exceeds the limit, whatever the current usage */
		str_addf(out, "asks for %lld %s, and the %s limit %s of ", (long long)reason->asked,
			 kind_unit((enum limit_kind)reason->kind, reason->asked),
			 reason->hard ? "hard" : "soft", explain_limit_name(reason));
		explain_owner(s, reason, out);
		str_addf(out, " is %lld", (long long)reason->limit);
		say_clears(reason, now_s, out);
		return;
	}
	str_addf(out, "would add %lld %s to ", (long long)reason->asked,
		 kind_unit((enum limit_kind)reason->kind, reason->asked));
	str_addf(out, "the %lld %s ", (long long)reason->value,
		 explain_is_idle_limit(reason) ? "counted for" : "in use by");
	explain_owner(s, reason, out);
	str_addf(out, ": %lld is over the %s limit %s of %lld by %lld", sum, reason->hard ? "hard" : "soft",
		 explain_limit_name(reason), (long long)reason->limit, sum - (long long)reason->limit);
	say_clears(reason, now_s, out);
}

static void say_share(const struct snapshot *s, const struct reason *reason, int64_t now_s, struct str *out)
{
	const struct cred_attr *attr = &snapshot_creds(s)[reason->cred].attr;

	str_add(out, "would bring ");
	explain_owner(s, reason, out);
	if (attr->fs_mode == FS_CAP_RELATIVE)
		str_addf(out, " to %.2f %% of recent usage, and the fairshare cap is %.2f %%",
			 (double)reason->value / 1000, (double)reason->limit / 1000);
	else
		str_addf(out, " to %lld processor-seconds, and the fairshare cap is %lld",
			 (long long)reason->value, (long long)reason->limit);
	if (attr->fs_mode == FS_CAP_RELATIVE && reason->value <= reason->limit)
		str_addf(out, "; the cap is compared with %.2f %%, the share of the usage without this job",
			 (double)reason->asked / 1000);
	say_clears(reason, now_s, out);
}

static void say_array(const struct job *job, const struct reason *reason, struct str *out)
{
	str_addf(out, "waits for other tasks of array %llu[]: at most %lld run at a time; %lld %s running",
		 (unsigned long long)job->array, (long long)reason->limit, (long long)reason->value,
		 reason->value == 1 ? "is" : "are");
	if (reason->asked > 0)
		str_addf(out, " and %lld %s next", (long long)reason->asked,
			 reason->asked == 1 ? "starts" : "start");
}

const char *explain_depend_on(const struct snapshot *s, const struct reason *reason,
			      char buf[static DEPEND_ON_TEXT])
{
	const struct depend depend = {
		.on = reason->other, .of = (uint8_t)reason->asked, .number = reason->second};
	uint32_t slot = s->watched != 0 ? snapshot_find_job(s, reason->other) : INDEX_NONE;

	if (slot != INDEX_NONE && snapshot_jobs(s)[slot].label != 0) {
		snprintf(buf, DEPEND_ON_TEXT, "%s", snapshot_string(s, snapshot_jobs(s)[slot].label));
		return buf;
	}
	return job_depend_on(&depend, buf);
}

static const char *depend_words(const struct reason *reason)
{
	static const char *const open[DEPEND_TYPE_COUNT] = {
		[DEPEND_START] = "has started",
		[DEPEND_COMPLETE] = "has ended",
		[DEPEND_OK] = "has ended with status 0",
		[DEPEND_FAILED] = "has failed",
	};

	return open[reason->value];
}

static void say_dependency(const struct snapshot *s, const struct reason *reason, struct str *out)
{
	const char *what = reason->asked == DEPEND_ON_ARRAY ? "every task of" : "job";
	char on[DEPEND_ON_TEXT];

	explain_depend_on(s, reason, on);
	if (reason->limit == DEPEND_NEVER)
		str_addf(out, "never starts: it waits until %s %s %s, which can no longer happen", what, on,
			 depend_words(reason));
	else
		str_addf(out, "waits until %s %s %s", what, on, depend_words(reason));
}

/*
 * Returns why nodes do not suit the job, as the words that follow "most other nodes "; NULL if this is not
 * known.
 */
static const char *lack_words(const struct reason *reason)
{
	static const char *const words[LACK_COUNT] = {
		[LACK_PARTITION] = "are in another partition",
		[LACK_HOST] = "are not on its list of hosts",
		[LACK_CLASS] = "do not accept its class",
		[LACK_FEATURE] = "do not have its features",
		[LACK_PROCS] = "have too few processors",
		[LACK_MEMORY] = "have too little memory",
		[LACK_SWAP] = "have too little swap",
		[LACK_DISK] = "have too little disk",
		[LACK_GRES] = "have too few generic resources",
		[LACK_ACCESS] = "cannot be shared with the jobs on them",
		[LACK_TASKS] = "have room for too few of its tasks",
		[LACK_DRAINED] = "are drained",
		[LACK_RESERVED] = "are reserved for other jobs",
	};

	return words[reason->lack];
}

static void say_lack(const struct snapshot *s, const struct job *job, const struct reason *reason,
		     struct str *out)
{
	bool plain = !s->nodes_differ && (job->flags & JOB_PARTICULAR) == 0;

	if (reason->gate == GATE_RESOURCES && reason->lack == LACK_PROCS)
		return; /* the number of missing processors is printed already */
	if (!plain && lack_words(reason) != NULL)
		str_addf(out, "; most %snodes %s", reason->limit > 0 ? "other " : "", lack_words(reason));
}

static void say_infeasible(const struct snapshot *s, const struct job *job, const struct reason *reason,
			   struct str *out)
{
	str_addf(out, "never starts: it asks for %lld processor%s", (long long)reason->value,
		 reason->value == 1 ? "" : "s");
	if (job->task_procs > 1)
		str_addf(out, ", in tasks of %u,", job->task_procs);
	if (reason->limit >= s->procs_total)
		str_addf(out, " and the machine has %lld", (long long)reason->limit);
	else if (reason->limit > 0)
		str_addf(out, " and can use only %lld of the machine's %lld", (long long)reason->limit,
			 (long long)s->procs_total);
	else
		str_addf(out, " and can use none of the machine's %lld", (long long)s->procs_total);
	say_lack(s, job, reason, out);
}

/* --- reservations of other jobs ------------------------------------------------------------- */

static bool is_in_force(const struct reason *reason, int64_t now_s)
{
	return reason->asked <= now_s;
}

static void short_reserved(const struct snapshot *s, const struct reason *reason, int64_t now_s,
			   struct str *out)
{
	char when[MOMENT_TEXT];

	str_addf(out, "reserved for %s", explain_advance(s, reason));
	if (!is_in_force(reason, now_s))
		str_addf(out, " at %s", moment_short(when, reason->asked, now_s));
	else if (reason->until_s != TIME_NEVER)
		str_addf(out, " until %s", moment_short(when, reason->until_s, now_s));
}

static void say_reserved(const struct snapshot *s, const struct reason *reason, int64_t now_s,
			 struct str *out)
{
	char from[MOMENT_TEXT], to[MOMENT_TEXT];

	if (is_in_force(reason, now_s))
		str_addf(out, "needs %lld processors and can use %lld: the others are reserved for %s",
			 (long long)reason->value, (long long)reason->limit, explain_advance(s, reason));
	else
		str_addf(out,
			 "would run into reservation %s at %s, which leaves it %lld of its %lld processors",
			 explain_advance(s, reason), moment_short(from, reason->asked, now_s),
			 (long long)reason->limit, (long long)reason->value);
	if (reason->until_s == TIME_NEVER)
		str_add(out, " until it is released");
	else
		str_addf(out, "%s until %s", is_in_force(reason, now_s) ? "" : "; it lasts",
			 moment_short(to, reason->until_s, now_s));
}

/* --- short texts -------------------------------------------------------------------------- */

void explain_short(const struct snapshot *s, const struct reason *reason, int64_t now_s, struct str *out)
{
	char on[DEPEND_ON_TEXT], label[JOB_LABEL_TEXT], when[MOMENT_TEXT];

	switch ((enum gate)reason->gate) {
	case GATE_NONE:
		str_add(out, "starts now");
		break;
	case GATE_HOLD:
		str_addf(out, "held (%s)", job_hold_names((unsigned)reason->value));
		break;
	case GATE_DEFER:
		str_addf(out, reason->other > 0 ? "start failed, retried at %s" : "deferred until %s",
			 moment_short(when, reason->until_s, reason->value));
		break;
	case GATE_DEPENDENCY:
		str_addf(out, "%s %s", reason->limit == DEPEND_NEVER ? "never: depends on" : "waits for",
			 explain_depend_on(s, reason, on));
		break;
	case GATE_START_DATE:
		str_addf(out, "not before %s", moment_short(when, reason->until_s, reason->value));
		break;
	case GATE_CLASS_LIMIT:
	case GATE_SYSTEM_LIMIT:
		str_addf(out, "never: %s %lld%s%lld", explain_limit_name(reason), (long long)reason->asked,
			 is_minimum(reason) ? "<" : ">", (long long)reason->limit);
		break;
	case GATE_ARRAY:
		str_addf(out, "array: %lld of %lld", (long long)amount_add(reason->value, reason->asked),
			 (long long)reason->limit);
		break;
	case GATE_IDLE_LIMIT:
		str_addf(out, "%s %lld of %lld", explain_limit_name(reason), (long long)reason->value,
			 (long long)reason->limit);
		break;
	case GATE_ACTIVE_HARD:
	case GATE_ACTIVE_SOFT:
		str_addf(out, "%s %lld>%lld", explain_limit_name(reason),
			 (long long)amount_add(reason->value, reason->asked), (long long)reason->limit);
		break;
	case GATE_FS_CAP:
		str_add(out, "cap of ");
		explain_owner(s, reason, out);
		break;
	case GATE_FEASIBLE:
		str_addf(out, "never: %lld procs > %lld", (long long)reason->value, (long long)reason->limit);
		break;
	case GATE_NEGATIVE:
		str_addf(out, "priority %lld < 0", (long long)reason->value);
		break;
	case GATE_RESOURCES:
		str_addf(out, "%lld proc%s short", (long long)(reason->value - reason->limit),
			 reason->value - reason->limit == 1 ? "" : "s");
		break;
	case GATE_RESERVED:
		short_reserved(s, reason, now_s, out);
		break;
	case GATE_RESERVATIONS:
		if (reason->other == 0)
			str_add(out, "waits for reservation");
		else
			str_addf(out, "would delay %s", explain_other(s, reason, label));
		break;
	case GATE_ORDER:
		str_addf(out, "behind %s", explain_other(s, reason, label));
		break;
	case GATE_HALT:
		str_add(out, reason->value == HALTED_NO_ROOM ? "disk full" : "scheduler paused");
		break;
	case GATE_COUNT:
		break;
	}
}

/* --- sentences ------------------------------------------------------------------------------ */

/* Appends how many processors are used by processes outside the queue. */
static void say_outside(const struct snapshot *s, struct str *out)
{
	uint32_t nodes = 0, largest = INDEX_NONE;
	int64_t procs = 0, most = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++) {
		int64_t here = placement_outside_procs(s, i);

		procs += here;
		nodes += here > 0;
		if (here > most) {
			most = here;
			largest = i;
		}
	}
	if (largest == INDEX_NONE)
		return;
	const struct node *node = &snapshot_nodes(s)[largest];
	str_addf(out, "; processes outside the queue use %lld processor%s", (long long)procs,
		 procs == 1 ? "" : "s");
	if (nodes == 1)
		str_addf(out, " on node %s", snapshot_string(s, node->name));
	else
		str_addf(out, " on %u nodes, most of them on node %s", nodes, snapshot_string(s, node->name));
	const char *by = snapshot_string(s, node->used_by);

	if (by[0] != '\0' && strcmp(by, SNAPSHOT_HIDDEN) != 0)
		str_addf(out, ", mainly %s", snapshot_string(s, node->used_by));
}

static void say_resources(const struct snapshot *s, const struct job *job, const struct reason *reason,
			  struct str *out)
{
	str_addf(out, "needs %lld processor%s and %lld %s free: %lld short", (long long)reason->value,
		 reason->value == 1 ? "" : "s", (long long)reason->limit, reason->limit == 1 ? "is" : "are",
		 (long long)(reason->value - reason->limit));
	say_lack(s, job, reason, out);
	say_outside(s, out);
}

static void say_reservations(const struct snapshot *s, const struct job *job, const struct reason *reason,
			     int64_t now_s, struct str *out)
{
	char when[MOMENT_TEXT], limit[DURATION_TEXT];

	moment_short(when, reason->until_s, now_s);
	if (reason->other == 0) {
		str_addf(out, "has a reservation that begins at %s, or earlier if a job ends early", when);
		return;
	}
	if (now_s + job->wall_limit_s > reason->until_s)
		str_addf(out, "would run %s into the reservation of ",
			 duration_text(limit, now_s + job->wall_limit_s - reason->until_s));
	else
		str_addf(out,
			 "may run on for %s (jobgrace) after its wallclock limit, into the reservation of ",
			 duration_text(limit, s->policy.site.grace_s));
	explain_other_job(s, reason, out);
	str_addf(out, " at %s, which leaves it %lld of its %lld processors", when, (long long)reason->limit,
		 (long long)reason->value);
}

/* Returns the number of processors on the job's nodes that the job needs and that other jobs use. */
static int64_t missing_procs(const struct snapshot *s, const struct job *job)
{
	const struct node *node = snapshot_nodes(s);
	int64_t missing = 0;

	for (uint32_t r = job->run; r != INDEX_NONE; r = snapshot_runs(s)[r].next) {
		const struct alloc_run *run = &snapshot_runs(s)[r];

		for (uint32_t n = run->node; n < run->node + run->nodes; n++)
			if (node_procs_free(&node[n]) < run->procs)
				missing += run->procs - node_procs_free(&node[n]);
	}
	return missing;
}

/* Appends what a suspended job that released its processors waits for, and until when. */
static void explain_released(const struct snapshot *s, const struct job *job, int64_t at_s, int64_t now_s,
			     struct str *out)
{
	int64_t missing = missing_procs(s, job);
	char when[MOMENT_TEXT];

	str_add(out, "; its processors are released");
	if (!job_awaits_resume(job) && job->resume_s == 0) {
		str_add(out,
			", and it runs again once it is resumed (kahu resume) and its processors are free");
		return;
	}
	if (!job_awaits_resume(job) && !job_claims_resume(job)) {
		str_addf(out, ", and it will be resumed from %s on, as soon as its processors are free",
			 moment_short(when, job->resume_s, now_s));
		return;
	}
	if (!job_awaits_resume(job) && missing > 0)
		str_addf(out,
			 ", and it will be resumed from %s on, when the %lld of its processors that other "
			 "jobs use are free",
			 moment_short(when, job->resume_s, now_s), (long long)missing);
	else if (!job_awaits_resume(job))
		str_addf(out, ", and it will be resumed at %s", moment_short(when, job->resume_s, now_s));
	else if (missing > 0)
		str_addf(out,
			 ", and it is resumed when the %lld of its processors that other jobs use are free",
			 (long long)missing);
	else if (snapshot_is_halted(s))
		str_add(out, ", and it is resumed when the scheduler is no longer paused");
	else
		str_add(out, ", and it is resumed at the next pass");
	if (missing > 0 && at_s != TIME_NEVER)
		str_addf(out, ", which is expected at %s", moment_short(when, at_s, now_s));
	else if (missing > 0)
		str_add(out, "; that time is unknown");
}

static void explain_suspended(const struct snapshot *s, const struct job *job, const struct reason *reason,
			      int64_t now_s, struct str *out)
{
	char since[MOMENT_TEXT], until[MOMENT_TEXT];

	str_addf(out, "has been suspended since %s", moment_short(since, job->suspended_at_s, now_s));
	if (job_is_released(job))
		explain_released(s, job, reason->until_s, now_s, out);
	else if (job->resume_s != 0)
		str_addf(out, " and will be resumed by %s", moment_short(until, job->resume_s, now_s));
	else
		str_add(out, " and runs again once it is resumed (kahu resume)");
}

void explain_predicate(const struct snapshot *s, const struct job *job, const struct reason *reason,
		       int64_t now_s, struct str *out)
{
	char when[MOMENT_TEXT];

	switch ((enum gate)reason->gate) {
	case GATE_NONE:
		if (job_is_suspended(job))
			explain_suspended(s, job, reason, now_s, out);
		else if (job->state == JOB_RUNNING)
			str_addf(out, "has been running since %s", moment_short(when, job->start_s, now_s));
		else
			str_add(out, "starts at the next pass");
		break;
	case GATE_HOLD:
		str_addf(out, "is held (%s)%s%s; it can start only after a release",
			 job_hold_names((unsigned)reason->value), job->hold_reason != 0 ? ": " : "",
			 snapshot_string(s, job->hold_reason));
		break;
	case GATE_DEFER:
		str_addf(out,
			 reason->other > 0 ? "could not be started, and is retried at %s%s%s"
					   : "is deferred until %s%s%s",
			 moment_short(when, reason->until_s, now_s), job->hold_reason != 0 ? ": " : "",
			 snapshot_string(s, job->hold_reason));
		break;
	case GATE_DEPENDENCY:
		say_dependency(s, reason, out);
		break;
	case GATE_START_DATE:
		str_addf(out, "must not start before %s", moment_short(when, reason->until_s, now_s));
		break;
	case GATE_FEASIBLE:
		say_infeasible(s, job, reason, out);
		break;
	case GATE_CLASS_LIMIT:
	case GATE_SYSTEM_LIMIT:
		say_single_limit(s, reason, out);
		break;
	case GATE_ARRAY:
		say_array(job, reason, out);
		break;
	case GATE_IDLE_LIMIT:
	case GATE_ACTIVE_HARD:
	case GATE_ACTIVE_SOFT:
		if (reason->gate == GATE_ACTIVE_SOFT && plan_is_permanent(s, reason))
			say_no_second_turn(s, reason, out);
		else
			say_limit(s, reason, now_s, out);
		break;
	case GATE_FS_CAP:
		say_share(s, reason, now_s, out);
		break;
	case GATE_NEGATIVE:
		str_addf(out, "has priority %lld, and REJECTNEGPRIOJOBS blocks jobs with a negative priority",
			 (long long)reason->value);
		break;
	case GATE_RESOURCES:
		say_resources(s, job, reason, out);
		break;
	case GATE_RESERVED:
		say_reserved(s, reason, now_s, out);
		break;
	case GATE_RESERVATIONS:
		say_reservations(s, job, reason, now_s, out);
		break;
	case GATE_ORDER:
		str_add(out, "waits for ");
		explain_other_job(s, reason, out);
		str_add(out, ", which is ahead of it in the queue and does not fit yet; backfill is off");
		break;
	case GATE_HALT:
		str_add(out, reason->value == HALTED_NO_ROOM ? "could start, but the disk that holds the "
							       "store is full: it starts when space "
							       "is available"
							     : "could start, but the scheduler is paused: "
							       "use 'kahu sched resume' to continue");
		break;
	case GATE_COUNT:
		break;
	}
	str_add(out, ".");
}

void explain_sentence(const struct snapshot *s, const struct job *job, const struct reason *reason,
		      int64_t now_s, struct str *out)
{
	char label[JOB_LABEL_TEXT];

	str_addf(out, "Job %s ", snapshot_job_label(s, job, label));
	explain_predicate(s, job, reason, now_s, out);
}
