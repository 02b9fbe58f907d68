/* SPDX-License-Identifier: MIT */
/*
 * ended.c - jobs that have ended
 *
 * A replay's records know times alone, by the position in its trace; who the job was is read
 * off the submission that the trace makes for it. Jobs that were submitted to the replay follow.
 */
#include "ended.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/host/arrivals.h"
#include "sched/host/replay.h"
#include "sched/model/array.h"
#include "store/store.h"
#include "tui/report/select.h"
#include "tui/serve/caller.h"

struct walk {
	ended_visit *each;
	void *self;
	int64_t since_s;
	uint64_t newest, seen;
	const struct cmd_env *env;
	const struct replay_record *record; /* of a replay */
	size_t position, count;
};

/* At a moment that is past some had not ended yet. */
static bool had_ended(const struct cmd_env *env, const struct ended_job *ended)
{
	return !env->past || ended->end_s < env->now_s ||
	       (ended->end_s == env->now_s && snapshot_find_job(env->s, ended->record.job.id) == INDEX_NONE);
}

static bool from_store(void *self, const struct ended_job *ended)
{
	struct walk *w = self;

	if (!had_ended(w->env, ended))
		return true;
	w->each(w->self, ended);
	return ++w->seen != w->newest;
}

/* The next job of the trace. */
static void from_trace(void *self, const struct event *ev)
{
	struct walk *w = self;
	const struct replay_record *record;
	struct ended_job ended = {.record = ev->submit};

	if (w->position == w->count)
		return;
	record = &w->record[w->position++];
	if (record->end_s == TIME_NONE || record->end_s < w->since_s)
		return;
	ended.record.job.id = ev->job;
	ended.record.job.start_s = record->start_s;
	ended.end_s = record->end_s;
	if (record->backfilled)
		ended.record.job.flags |= JOB_BACKFILLED;
	w->each(w->self, &ended);
}

static void walk_others(const struct replay *replay, struct walk *w)
{
	size_t count;
	const struct ended_job *other = replay_others(replay, &count);

	for (size_t i = 0; i < count; i++)
		if (other[i].end_s >= w->since_s)
			w->each(w->self, &other[i]);
}

static void walk_replay(const struct replay *replay, struct walk *w)
{
	struct arrivals jobs = arrivals_from_trace(replay_trace(replay));

	w->record = replay_records(replay);
	w->count = replay_trace(replay)->count;
	while (jobs.ops->next_s(jobs.self) != TIME_NEVER)
		jobs.ops->report(jobs.self, from_trace, w);
	jobs.ops->close(jobs.self);
	walk_others(replay, w);
}

bool ended_find(struct cmd_env *env, const struct ended_wish *wish, ended_visit *each, void *self)
{
	struct walk w = {.each = each,
			 .self = self,
			 .since_s = wish->jobs.after.end_s,
			 .newest = wish->newest,
			 .env = env};
	struct history_wish jobs = wish->jobs;
	struct history_walk walk = {.most = 0};

	jobs.backward = wish->newest > 0;
	if (env->past)
		jobs.before = (struct history_place){env->now_s, UINT64_MAX};
	if (env->store)
		return store_history_find(env->store, &jobs, &walk, from_store, &w, &env->err);
	if (env->caller)
		return caller_history(env->caller, &jobs, wish->own, from_store, &w, &env->err);
	if (env->replay)
		walk_replay(env->replay, &w);
	return true;
}

bool ended_each(struct cmd_env *env, int64_t since_s, ended_visit *each, void *self)
{
	const struct ended_wish wish = {.jobs = {.after = {.end_s = since_s}}};

	return ended_find(env, &wish, each, self);
}

bool ended_sample(struct cmd_env *env, int64_t since_s, ended_visit *each, void *self)
{
	const struct ended_wish wish = {.jobs = {.after = {.end_s = since_s}, .ran = true},
					.newest = ENDED_SAMPLE};

	return ended_find(env, &wish, each, self);
}

/* One name, and no list or pattern; "-" means none. */
static bool is_one_name(const char *value)
{
	return strcmp(value, "-") != 0 && strpbrk(value, ",*?[]\\") == NULL;
}

/* Can a job that never started be in one of these states? */
static bool may_not_have_run(const char *states)
{
	return strcasestr(states, "notrun") != NULL || strcasestr(states, "lost") != NULL ||
	       strcasestr(states, "dependfailed") != NULL;
}

void ended_narrow(struct ended_wish *wish, const struct job_filter *filter)
{
	for (size_t i = 0; i < filter->count; i++) {
		const char *key = filter->term[i].key, *value = filter->term[i].value;

		if (strcmp(key, "user") == 0 && is_one_name(value))
			wish->jobs.user = value;
		else if (strcmp(key, "state") == 0 && !may_not_have_run(value))
			wish->jobs.ran = true;
	}
}

bool ended_ids(const char *word, struct history_ids *out)
{
	unsigned long long first, last;
	char *end;

	if (word[0] < '0' || word[0] > '9')
		return false;
	first = last = strtoull(word, &end, 10);
	if (*end == '[')
		last += ARRAY_TASKS_MAX;
	else if (*end == '-' && end[1] >= '0' && end[1] <= '9')
		last = strtoull(end + 1, &end, 10);
	*out = (struct history_ids){first, last};
	return (*end == '\0' || *end == '[') && first <= last;
}

const char *ended_label(const struct job_record *record, char buf[static ENDED_LABEL_TEXT])
{
	if (record->label)
		return record->label;
	snprintf(buf, ENDED_LABEL_TEXT, "%" PRIu64, record->job.id);
	return buf;
}

int64_t ended_run_s(const struct ended_job *ended)
{
	const struct job *job = &ended->record.job;

	return job->start_s == TIME_NONE ? 0 : job_ran_s(job, ended->end_s);
}

int64_t ended_wait_s(const struct ended_job *ended)
{
	const struct job *job = &ended->record.job;

	return (job->start_s == TIME_NONE ? ended->end_s : job->start_s) - job->submit_s;
}

const char *ended_outcome(const struct ended_job *ended)
{
	if (ended->lost)
		return "Lost";
	if (ended->status == STATUS_DEPEND_FAILED)
		return "DependFailed";
	if (ended->record.job.start_s == TIME_NONE)
		return "NotRun";
	if ((ended->record.job.flags & JOB_CANCELLED) != 0)
		return "Removed"; /* however it ended then */
	if (ended->at_limit)
		return "AtLimit";
	return ended->status == 0 ? "Completed" : "Failed";
}

const char *ended_status(const struct ended_job *ended, char buf[static ENDED_STATUS_TEXT])
{
	const char *name;

	if (ended->lost)
		return "?";
	if (ended->record.job.start_s == TIME_NONE)
		return "-";
	name = ended->status >= STATUS_SIGNALLED ? sigabbrev_np(ended->status - STATUS_SIGNALLED) : NULL;
	if (name != NULL)
		return name;
	snprintf(buf, ENDED_STATUS_TEXT, "%" PRId32, ended->status);
	return buf;
}

double ended_efficiency(const struct ended_job *ended)
{
	const struct job *job = &ended->record.job;
	double held_ps = (double)job_procs_counted(job) * (double)ended_run_s(ended);

	return job->used_ps < 0 || held_ps <= 0 ? -1 : (double)job->used_ps / held_ps;
}

bool ended_matches(const struct job_filter *filter, const struct ended_job *ended)
{
	char label[ENDED_LABEL_TEXT];
	struct job_names names = {.label = ended_label(&ended->record, label),
				  .name = ended->record.name,
				  .outcome = ended_outcome(ended)};

	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		names.cred[type] = ended->record.cred[type];
	return job_filter_names(filter, &names, &ended->record.job);
}
