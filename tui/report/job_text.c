/* SPDX-License-Identifier: MIT */
/*
 * job_text.c - text and JSON elements shared by job reports
 */
#include "job_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/placement/placement.h"
#include "sched/rm/wallclock.h"

/* --- text and JSON elements shared by job reports ----------------------------------------------------- */

const char *job_text_state(const struct job *job, int64_t now_s)
{
	if (job->state == JOB_RUNNING && (job->real & JOB_REAL_SUSPENDED) != 0)
		return "Suspended";
	if (job->state != JOB_IDLE)
		return job_state_name((enum job_state)job->state);
	if (job->holds & JOB_HOLD_BATCH)
		return "BatchHold";
	if (job->holds & JOB_HOLD_SYSTEM)
		return "SystemHold";
	if (job->holds & JOB_HOLD_USER)
		return "UserHold";
	return job->defer_until_s > now_s ? "Deferred" : "Idle";
}

const char *job_text_cred(const struct snapshot *s, const struct job *job, enum cred_type type)
{
	const char *name = snapshot_job_cred(s, job, type);

	return name ? name : "-";
}

void job_text_id(const struct snapshot *s, uint64_t id, struct str *out)
{
	uint32_t slot = id == 0 || s == NULL ? INDEX_NONE : snapshot_find_job(s, id);
	char label[JOB_LABEL_TEXT];

	if (slot != INDEX_NONE)
		str_add(out, snapshot_job_label(s, &snapshot_jobs(s)[slot], label));
	else if (id != 0)
		str_addf(out, "%" PRIu64, id);
}

uint64_t job_text_number(const struct snapshot *s, const struct job *job)
{
	char label[JOB_LABEL_TEXT];
	int64_t number;

	if (str_read_whole(snapshot_job_label(s, job, label), &number) && number >= 0)
		return (uint64_t)number;
	return job->id;
}

void job_text_moment(struct str *out, int64_t at_s, int64_t now_s)
{
	char when[MOMENT_TEXT], away[DURATION_TEXT];

	str_add(out, wallclock_long(when, at_s));
	if (at_s == now_s)
		str_add(out, " (now)");
	else if (at_s > now_s)
		str_addf(out, " (in %s)", duration_text(away, at_s - now_s));
	else
		str_addf(out, " (%s ago)", duration_text(away, now_s - at_s));
}

/* --- reasons in wall-clock time ----------------------------------------------------------------------- */

/* Adds to a reason the time at which a job with released processors is expected to be resumed. */
static struct reason until_resumed(const struct snapshot *s, const struct job *job,
				   const struct reason *reason, int64_t now_s)
{
	struct reason until = *reason;

	if (reason->gate == GATE_NONE && job_is_released(job))
		until.until_s = placement_resume_at(s, snapshot_find_job(s, job->id), now_s);
	return until;
}

/* Converts the times in a reason to wall-clock time. */
static struct reason as_shown(const struct reason *reason)
{
	struct reason shown = *reason;

	shown.until_s = wallclock(reason->until_s);
	if (reason->gate == GATE_DEFER || reason->gate == GATE_START_DATE) {
		shown.value = wallclock(reason->value);
		shown.limit = wallclock(reason->limit);
	}
	if (reason->gate == GATE_RESERVED)
		shown.asked = wallclock(reason->asked);
	return shown;
}

/* Converts the times of a job to wall-clock time. */
static struct job as_started(const struct job *job)
{
	struct job started = *job;

	started.start_s = wallclock(job->start_s);
	if (job_is_suspended(job)) {
		started.suspended_at_s = wallclock(job->suspended_at_s);
		started.resume_s = job->resume_s == 0 ? 0 : wallclock(job->resume_s);
	}
	return started;
}

void job_text_short(const struct snapshot *s, const struct reason *reason, int64_t now_s, struct str *out)
{
	struct reason shown = as_shown(reason);

	explain_short(s, &shown, wallclock(now_s), out);
}

void job_text_sentence(const struct snapshot *s, const struct job *job, const struct reason *reason,
		       int64_t now_s, struct str *out)
{
	struct reason until = until_resumed(s, job, reason, now_s), shown = as_shown(&until);
	struct job started = as_started(job);

	explain_sentence(s, &started, &shown, wallclock(now_s), out);
}

void job_text_predicate(const struct snapshot *s, const struct job *job, const struct reason *reason,
			int64_t now_s, struct str *out)
{
	struct reason until = until_resumed(s, job, reason, now_s), shown = as_shown(&until);
	struct job started = as_started(job);

	explain_predicate(s, &started, &shown, wallclock(now_s), out);
}

void job_text_check(const struct snapshot *s, int64_t now_s, struct check *check)
{
	struct reason as_found = check->reason;

	check->reason = as_shown(&as_found);
	explain_check(check, s, wallclock(now_s));
	check->reason = as_found;
}

/* --- nodes -------------------------------------------------------------------------------- */

void job_text_each_node(const struct snapshot *s, const struct job *job,
			void (*each)(void *self, const void *job_node), void *self)
{
	for (uint32_t at = job->run; at != INDEX_NONE; at = snapshot_runs(s)[at].next) {
		const struct alloc_run *run = &snapshot_runs(s)[at];

		for (uint32_t n = run->node; n < run->node + run->nodes; n++)
			each(self,
			     &(struct job_node){snapshot_string(s, snapshot_nodes(s)[n].name), run->procs});
	}
}

static void add_node(void *self, const void *job_node)
{
	const struct job_node *node = job_node;
	struct str *out = self;

	str_addf(out, "%s%s*%" PRIu32, out->len > 0 ? " " : "", node->node, node->procs);
}

void job_text_nodes(const struct snapshot *s, const struct job *job, struct str *out)
{
	struct str list = {0};

	job_text_each_node(s, job, add_node, &list);
	str_add(out, str_text(&list));
	str_free(&list);
}

/* --- estimated starts --------------------------------------------------------------------------------- */

void estimated_list(struct future *f, const struct cmd_env *env, const struct snapshot *s)
{
	future_build(
		f, s,
		&(struct future_setup){
			.now_s = env->now_s, .full = true, .most_work = FUTURE_LIST_WORK, .reasons = true});
}

/* In the console a verb must be fast, because it blocks the keys. */
struct future_start estimated_job(struct future *f, const struct cmd_env *env, const struct snapshot *s,
				  uint32_t slot, enum assume_kind assume, const struct accuracy *accuracy)
{
	bool waits = snapshot_jobs(s)[slot].state == JOB_IDLE;
	struct future_setup setup = {.now_s = env->now_s,
				     .full = waits,
				     .assume = assume,
				     .accuracy = accuracy,
				     .most_work = env->console ? FUTURE_LIST_WORK : FUTURE_JOB_WORK,
				     .reasons = true,
				     .one = true,
				     .slot = slot};

	future_build(f, s, &setup);
	return waits ? future_start(f, slot)
		     : (struct future_start){.start_s = TIME_NEVER, .end_s = TIME_NEVER, .tier = FUTURE_FULL};
}

bool job_text_manager(const struct snapshot *s, const struct job *job, int64_t now_s, struct str *out)
{
	const char *said = snapshot_string(s, job->said);
	char when[MOMENT_TEXT];

	if (!s->watched || job->state != JOB_IDLE)
		return false;
	str_addf(out, "Slurm: %s", said[0] != '\0' ? said : "no reason");
	if (job->expected_s > 0)
		str_addf(out, ", expected %s", wallclock_short(when, job->expected_s, now_s));
	return true;
}

bool job_text_fault(const struct snapshot *s, struct str *out)
{
	str_add(out, snapshot_string(s, s->watch_fault));
	return s->watch_fault != 0;
}

void estimated_text(struct str *out, const struct future_start *start, int64_t reserved_s, int64_t now_s)
{
	char when[MOMENT_TEXT], slip[DURATION_TEXT];

	if (start->placeholder)
		str_add(out, FUTURE_MARK);
	job_text_moment(out, start->start_s, now_s);
	if (reserved_s != TIME_NEVER && start->start_s > reserved_s)
		str_addf(out, "; reserved %s, expected %s later", wallclock_short(when, reserved_s, now_s),
			 duration_text(slip, start->start_s - reserved_s));
}

void estimated_note(struct str *out, const struct future *f, int64_t now_s)
{
	char when[MOMENT_TEXT];

	if (f->tier == FUTURE_FULL)
		return;
	str_add(out, FUTURE_MARK " marks starts of the instant plan, which assumes that the order of the "
				 "queue does not change");
	if (f->tier == FUTURE_PARTIAL)
		str_addf(out, "; the projection reached %s within its budget",
			 wallclock_short(when, f->projection.last_s, now_s));
	str_add(out, ".\n");
}

/* --- jobs over a soft limit --------------------------------------------------------------------------- */

struct started {
	int64_t start_s;
	uint64_t id;
	uint32_t slot;
};

static int by_start(const void *a, const void *b)
{
	const struct started *x = a, *y = b;

	if (x->start_s != y->start_s)
		return x->start_s < y->start_s ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

static struct started *list_started(const struct snapshot *s)
{
	uint32_t count = snapshot_count(s, TABLE_RUNNING);
	struct started *list = mem_zero((size_t)count + 1, sizeof *list);

	for (uint32_t i = 0; i < count; i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[i]];

		list[i] = (struct started){job->start_s, job->id, snapshot_running(s)[i]};
	}
	qsort(list, count, sizeof *list, by_start);
	return list;
}

bool *job_text_over_soft(const struct snapshot *s, int64_t now_s)
{
	bool *over = mem_zero((size_t)snapshot_count(s, TABLE_JOBS) + 1, sizeof *over);
	struct throttle *t = throttle_new();
	struct throttle_world world;
	struct limit_finding found;
	struct started *list;

	snapshot_throttle_world(s, now_s, &world);
	world.running_count = 0; /* running jobs are added one by one below */
	throttle_begin(t, &world);
	if (throttle_any(t)) {
		list = list_started(s);
		for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
			over[list[i].slot] =
				!throttle_active(t, &snapshot_jobs(s)[list[i].slot], LEVEL_SOFT, &found);
			throttle_count_start(t, list[i].slot);
		}
		free(list);
	}
	throttle_free(t);
	return over;
}
