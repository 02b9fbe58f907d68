/* SPDX-License-Identifier: MIT */
/*
 * state_submit.c - what may be submitted, and what does a job get that does not say?
 *
 * From its class, then class DEFAULT: features and a wallclock limit; then the site's limit. From the site:
 * memory. Its QOS is the one it asks for if that is open to it, else the one it is given (M-13, M-16).
 */
#include <stdlib.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "state_inside.h"

/* What is set for a class: its own if `is_set` finds it there, else DEFAULT's. */
static const struct cred_attr *class_attr(const struct state *st, uint32_t class_cred,
					  bool (*is_set)(const struct cred_attr *attr))
{
	const struct cred *cred = snapshot_creds(st->s);

	return class_cred != INDEX_NONE && is_set(&cred[class_cred].attr) ? &cred[class_cred].attr
									  : &cred[CRED_CLASS].attr;
}

static bool has_wall(const struct cred_attr *attr)
{
	return attr->default_wall_s > 0;
}

static bool has_features(const struct cred_attr *attr)
{
	return attr->default_features != 0;
}

static int64_t wall_limit(const struct state *st, const struct job_record *record)
{
	const char *class_name = record->cred[CRED_CLASS];
	const struct cred_attr *attr;

	if (record->job.wall_limit_s != 0)
		return record->job.wall_limit_s;
	attr = class_attr(st, class_name == NULL ? INDEX_NONE : state_find_cred(st, CRED_CLASS, class_name),
			  has_wall);
	return has_wall(attr) ? attr->default_wall_s : st->s->policy.default_wall_s;
}

/* Memory of each task. What the site gives is for the job, or for each of the nodes that it asks for; no part
 * has less. */
static int64_t task_memory(const struct state *st, const struct job *job)
{
	int64_t given_mb = st->s->policy.default_mem_mb;
	uint32_t parts = job->nodes > 0 ? job->tasks / job->nodes : job->tasks;

	if (job->mem_mb != 0 || given_mb == 0)
		return job->mem_mb;
	return parts > 1 ? (given_mb + parts - 1) / parts : given_mb;
}

/* All its tasks are tables' rows at once: so their number is bounded, and that of what they wait for. */
static bool check_array(const struct job_record *record, struct err *err)
{
	if (record->range_count == 0)
		return record->job.array_limit == 0 ||
		       err_set(err, "only an array says how many of its tasks may run at a time");
	if (!array_check(record->ranges, record->range_count, err))
		return false;
	return (uint64_t)job_record_tasks(record) * record->depend_count <= ARRAY_DEPENDS_MAX ||
	       err_set(err, "%u tasks that each wait for %u jobs are too many: at most %d together",
		       job_record_tasks(record), record->depend_count, ARRAY_DEPENDS_MAX);
}

bool state_check_submission(const struct state *st, const struct job_record *record, struct err *err)
{
	struct job job = record->job;

	if ((job.base_holds & ~JOB_HOLD_ALL) != 0)
		return err_set(err, "there is no such kind of hold; there are user, system and batch");
	if ((job.real & ~(JOB_REAL_LAUNCH | JOB_REAL_RERUN | JOB_REAL_MAIL)) != 0)
		return err_set(err, "a job that is submitted cannot be suspended or requeued yet");
	if (record->launch != NULL && (job.real & JOB_REAL_LAUNCH) == 0)
		return err_set(err, "the job brings what is to be run, and does not say so");
	job.wall_limit_s = wall_limit(st, record);
	job.mem_mb = task_memory(st, &record->job);
	return check_array(record, err) && state_check_size(&job, err) &&
	       state_check_job_traits(record, err) &&
	       state_check_depends(st, 0, record->depend, record->depend_count, err);
}

/* A job that has just been submitted has no past. */
static void forget_past(struct job *job)
{
	job->accrual_s = job->submit_s;
	job->start_s = TIME_NONE;
	job->suspended_s = job->suspended_at_s = job->resume_s = 0;
	job->released_s = job->held_since_s = job->charged_ps = 0;
	job->planned_s = TIME_NEVER;
	job->defer_until_s = TIME_NONE;
	job->used_ps = -1;
	job->holds = job->base_holds;
	job_take_base_points(job);
	job->array = 0;
	job->array_index = 0;
	job->bypass = job->defer_count = job->start_count = job->procs_held = 0;
	job->retries = 0;
	job->access_held = ACCESS_UNSET;
	job->flags = 0;
}

static struct depend *open_depends(const struct state *st, const struct job_record *record)
{
	struct depend *depend = mem_zero((size_t)record->depend_count + 1, sizeof *depend);

	for (uint32_t i = 0; i < record->depend_count; i++) {
		depend[i] = record->depend[i];
		state_open_depend(st, &depend[i]);
	}
	return depend;
}

static void give_defaults(struct state *st, uint32_t slot)
{
	const struct job *job = state_job(st, slot);
	uint64_t features = job->features;
	struct job changed = *job;
	uint32_t qos;

	/* Which QOS it may have depends on its account too. */
	if (changed.cred[CRED_ACCOUNT] == INDEX_NONE)
		changed.cred[CRED_ACCOUNT] = snapshot_account_for(st->s, changed.cred);
	qos = snapshot_qos_for(st->s, changed.cred, job->qos_asked);

	if (features == 0 && job->unknown[UNKNOWN_FEATURES] == 0)
		features = class_attr(st, job->cred[CRED_CLASS], has_features)->default_features;
	if (qos == job->cred[CRED_QOS] && features == job->features &&
	    changed.cred[CRED_ACCOUNT] == job->cred[CRED_ACCOUNT])
		return;
	changed.cred[CRED_QOS] = qos;
	changed.features = features;
	state_edit_waiting(st, slot, &changed);
}

/* One job for each number; the first has the array's own id. */
static void add_tasks(struct state *st, struct job_record *record, uint64_t id)
{
	struct str label = {0};

	record->job.array = id;
	for (uint32_t i = 0; i < job_record_tasks(record); i++) {
		record->job.array_index = array_number(record->ranges, record->range_count, i);
		str_clear(&label);
		str_addf(&label, "%llu[%u]", (unsigned long long)id, record->job.array_index);
		record->label = str_text(&label);
		give_defaults(st, state_add_job(st, record, id + i));
	}
	str_free(&label);
}

void state_submit_job(struct state *st, const struct job_record *asked, uint64_t id)
{
	struct job_record record = *asked;
	struct depend *depend = NULL;

	forget_past(&record.job);
	record.job.wall_limit_s = wall_limit(st, asked);
	record.job.mem_mb = task_memory(st, &asked->job);
	record.qos_asked = asked->cred[CRED_QOS];
	record.base_reason = asked->hold_reason;
	record.order = NULL;
	if (asked->depend_count > 0)
		record.depend = depend = open_depends(st, asked);
	if (asked->range_count > 0)
		add_tasks(st, &record, id);
	else
		give_defaults(st, state_add_job(st, &record, id));
	free(depend);
}
