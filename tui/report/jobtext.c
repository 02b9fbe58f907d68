/* SPDX-License-Identifier: MIT */
/*
 * jobtext.c - what several reports say about one job
 */
#include "jobtext.h"

#include <inttypes.h>
#include <stdio.h>

#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/base/str.h"
#include "sched/placement/room.h"
#include "sched/rm/wallclock.h"

const char *jobtext_state(const struct job *job, int64_t now_s)
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

const char *jobtext_cred(const struct snapshot *s, const struct job *job, enum cred_type type)
{
	const char *name = snapshot_job_cred(s, job, type);

	return name ? name : "-";
}

void jobtext_json_id(struct json *j, const char *key, const struct snapshot *s, uint64_t id)
{
	uint32_t slot = id == 0 || s == NULL ? INDEX_NONE : snapshot_find_job(s, id);
	char label[JOB_LABEL_TEXT];

	snprintf(label, sizeof label, "%" PRIu64, id);
	if (slot != INDEX_NONE)
		json_text(j, key, snapshot_job_label(s, &snapshot_jobs(s)[slot], label));
	else
		json_text(j, key, id == 0 ? NULL : label);
}

void jobtext_json_creds(struct json *j, const struct snapshot *s, const struct job *job)
{
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		json_text(j, cred_type_name(type), snapshot_job_cred(s, job, type));
}

uint64_t jobtext_number(const struct snapshot *s, const struct job *job)
{
	char label[JOB_LABEL_TEXT];
	int64_t number;

	if (str_read_whole(snapshot_job_label(s, job, label), &number) && number >= 0)
		return (uint64_t)number;
	return job->id;
}

void jobtext_moment(struct str *out, int64_t at_s, int64_t now_s)
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

/* --- reasons by the clock on the wall --------------------------------------------------- */

/* Of a job whose processors are released: until it is expected to be resumed. */
static struct reason until_resumed(const struct snapshot *s, const struct job *job,
				   const struct reason *reason, int64_t now_s)
{
	struct reason until = *reason;

	if (reason->gate == GATE_NONE && job_is_released(job))
		until.until_s = room_resume_at(s, snapshot_find_job(s, job->id), now_s);
	return until;
}

/* The reason with its moments as they are shown. */
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

/* The job likewise. */
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

void jobtext_short(const struct snapshot *s, const struct reason *reason, int64_t now_s, struct str *out)
{
	struct reason shown = as_shown(reason);

	explain_short(s, &shown, wallclock(now_s), out);
}

void jobtext_sentence(const struct snapshot *s, const struct job *job, const struct reason *reason,
		      int64_t now_s, struct str *out)
{
	struct reason until = until_resumed(s, job, reason, now_s), shown = as_shown(&until);
	struct job started = as_started(job);

	explain_sentence(s, &started, &shown, wallclock(now_s), out);
}

void jobtext_predicate(const struct snapshot *s, const struct job *job, const struct reason *reason,
		       int64_t now_s, struct str *out)
{
	struct reason until = until_resumed(s, job, reason, now_s), shown = as_shown(&until);
	struct job started = as_started(job);

	explain_predicate(s, &started, &shown, wallclock(now_s), out);
}

void jobtext_check(const struct snapshot *s, int64_t now_s, struct check *check)
{
	struct reason as_found = check->reason;

	check->reason = as_shown(&as_found);
	explain_check(check, s, wallclock(now_s));
	check->reason = as_found;
}

/* --- nodes -------------------------------------------------------------------------------- */

/* Calls each for every node of the job with the processors there. */
static void each_node(const struct snapshot *s, const struct job *job,
		      void (*each)(void *self, const char *node, uint32_t procs), void *self)
{
	for (uint32_t at = job->run; at != INDEX_NONE; at = snapshot_runs(s)[at].next) {
		const struct alloc_run *run = &snapshot_runs(s)[at];

		for (uint32_t n = run->node; n < run->node + run->nodes; n++)
			each(self, snapshot_string(s, snapshot_nodes(s)[n].name), run->procs);
	}
}

static void add_node(void *self, const char *node, uint32_t procs)
{
	struct str *out = self;

	str_addf(out, "%s%s*%" PRIu32, out->len > 0 ? " " : "", node, procs);
}

void jobtext_nodes(const struct snapshot *s, const struct job *job, struct str *out)
{
	struct str list = {0};

	each_node(s, job, add_node, &list);
	str_add(out, str_text(&list));
	str_free(&list);
}

static void add_json_node(void *self, const char *node, uint32_t procs)
{
	struct json *j = self;

	json_open(j, NULL, '{');
	json_text(j, "node", node);
	json_int(j, "procs", procs);
	json_close(j);
}

void jobtext_json_nodes(struct json *j, const char *key, const struct snapshot *s, const struct job *job)
{
	json_open(j, key, '[');
	each_node(s, job, add_json_node, j);
	json_close(j);
}
