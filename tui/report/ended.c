/* SPDX-License-Identifier: MIT */
/*
 * ended.c - ended jobs
 *
 * The records of a replay contain only times, by position in the trace; names are taken from the submissions
 * in the trace. Jobs that are not from the trace, and jobs cancelled while they waited, have complete records
 * (replay_others); they are visited last.
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
#include "sched/rm/wallclock.h"
#include "store/store.h"
#include "tui/report/select.h"
#include "tui/serve/client.h"

struct walk {
	ended_visit *each;
	void *self;
	int64_t since_s;
	uint64_t newest, seen;
	const struct cmd_env *env;
	const struct replay_record *record; /* records of a replay */
	size_t position, count;
};

/* Had the job ended at the time of the past state (--at)? Always true for the live state. */
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

/* Called for each submission in the trace; visits the job if it has ended, at or after w->since_s. */
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
	struct history_filter jobs = wish->jobs;
	struct history_walk walk = {.most = 0};

	jobs.backward = wish->newest > 0;
	if (env->past)
		jobs.before = (struct history_place){env->now_s, UINT64_MAX};
	if (env->store)
		return store_history_find(env->store, &jobs, &walk, from_store, &w, &env->err);
	if (env->client)
		return client_history(env->client, &jobs, wish->own, from_store, &w, &env->err);
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

/* Is the value a single name, and not a list or a pattern? "-" stands for no name. */
static bool is_one_name(const char *value)
{
	return strcmp(value, "-") != 0 && strpbrk(value, ",*?[]\\") == NULL;
}

/* Do these states include jobs that never started? */
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
		return "Removed"; /* regardless of its exit status */
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

/* --- fields ------------------------------------------------------------------------------------------- */

static const struct ended_job *ended_of(const void *item)
{
	return ((const struct ended_row *)item)->ended;
}

static bool get_label(const void *item, struct value *out)
{
	char label[ENDED_LABEL_TEXT];

	str_add(&out->made, ended_label(&ended_of(item)->record, label));
	return value_made(out);
}

static bool get_name(const void *item, struct value *out)
{
	out->text = ended_of(item)->record.name;
	return out->text != NULL;
}

static bool get_cred(const void *item, const char *key, struct value *out)
{
	out->text = ended_of(item)->record.cred[cred_type_find(key)];
	return out->text != NULL;
}

static bool get_outcome(const void *item, struct value *out)
{
	out->text = ended_outcome(ended_of(item));
	return true;
}

static bool get_status(const void *item, struct value *out)
{
	char status[ENDED_STATUS_TEXT];

	str_add(&out->made, ended_status(ended_of(item), status));
	return value_made(out);
}

static enum role cell_outcome(const void *item, struct str *out)
{
	str_add(out, ended_outcome(ended_of(item)));
	return strcmp(ended_outcome(ended_of(item)), "Completed") == 0 ? ROLE_CHECK_OK : ROLE_CHECK_FAIL;
}

static enum role cell_status(const void *item, struct str *out)
{
	char status[ENDED_STATUS_TEXT];

	str_add(out, ended_status(ended_of(item), status));
	return strcmp(ended_outcome(ended_of(item)), "Completed") == 0 ? ROLE_CHECK_OK : ROLE_CHECK_FAIL;
}

static bool get_wait_status(const void *item, struct value *out)
{
	out->whole = ended_of(item)->status;
	return true;
}

static bool ran(const struct ended_job *ended)
{
	return ended->record.job.start_s != TIME_NONE && !ended->lost;
}

static bool get_exit_status(const void *item, struct value *out)
{
	out->whole = ended_of(item)->status;
	return ran(ended_of(item)) && out->whole < STATUS_SIGNALLED && out->whole != -1;
}

static bool get_signal(const void *item, struct value *out)
{
	out->whole = ended_of(item)->status - STATUS_SIGNALLED;
	return ran(ended_of(item)) && out->whole >= 0;
}

static bool get_why(const void *item, struct value *out)
{
	out->text = ended_of(item)->why;
	return out->text != NULL;
}

static enum role cell_why(const void *item, struct str *out)
{
	const char *why = ended_of(item)->why;

	str_add(out, why != NULL ? why : "");
	return ROLE_REASON;
}

static bool get_procs(const void *item, struct value *out)
{
	out->whole = job_procs_counted(&ended_of(item)->record.job);
	return true;
}

static bool get_wait(const void *item, struct value *out)
{
	out->whole = ended_wait_s(ended_of(item));
	return true;
}

static bool get_run(const void *item, struct value *out)
{
	out->whole = ended_run_s(ended_of(item));
	return true;
}

static bool get_efficiency(const void *item, struct value *out)
{
	out->real = ended_efficiency(ended_of(item));
	return out->real >= 0;
}

static enum role cell_efficiency(const void *item, struct str *out)
{
	double efficiency = ended_efficiency(ended_of(item));

	if (efficiency >= 0)
		str_addf(out, "%.0f%%", 100 * efficiency);
	else
		str_add_char(out, '-');
	return ROLE_TEXT;
}

static bool get_memory(const void *item, struct value *out)
{
	out->whole = ended_of(item)->mem_mb;
	return out->whole != 0;
}

static enum role cell_memory(const void *item, struct str *out)
{
	int64_t mem_mb = ended_of(item)->mem_mb;

	if (mem_mb > 0)
		str_addf(out, "%" PRId64 "M", mem_mb);
	else
		str_add_char(out, '-');
	return ROLE_TEXT;
}

static bool get_end(const void *item, struct value *out)
{
	out->whole = ended_of(item)->end_s;
	return true;
}

static enum role cell_end(const void *item, struct str *out)
{
	const struct ended_row *r = item;
	char when[MOMENT_TEXT];

	str_add(out, wallclock_short(when, r->ended->end_s, r->now_s));
	return ROLE_TEXT;
}

enum role ended_cell_end(const void *item, struct str *out)
{
	char when[MOMENT_TEXT];

	str_add(out, wallclock_long(when, ended_of(item)->end_s));
	return ROLE_TEXT;
}

static bool get_job(const void *item, struct value *out)
{
	out->item = &ended_of(item)->record.job;
	return true;
}

static bool get_array_index(const void *item, struct value *out)
{
	const struct job *job = item;

	out->whole = job->array_index;
	return job->array != 0;
}

static const struct field record_fields[] = {
	{"wclimit_s", NULL, FIELD_DURATION, FIELD_AT(struct job, wall_limit_s)},
	{"submit", NULL, FIELD_INSTANT, FIELD_AT(struct job, submit_s)},
	{"start", NULL, FIELD_INSTANT, FIELD_OR_NULL(struct job, start_s, TIME_NONE)},
	{"array", NULL, FIELD_COUNT, FIELD_OR_NULL(struct job, array, 0)},
	{"array_index", NULL, FIELD_COUNT, .get = get_array_index},
	{0},
};

const struct field ended_fields[] = {
	{"job", "JOB", FIELD_TEXT, .get = get_label, .filter = "job", .search = true, FIELD_SCREEN(7, 14, 0)},
	{"name", "NAME", FIELD_TEXT, .get = get_name, .filter = "name", .search = true,
	 FIELD_SCREEN(8, 16, 3)},
	{"user", "USER", FIELD_TEXT, .get_named = get_cred, .filter = "user", .search = true,
	 FIELD_SCREEN(8, 12, 0)},
	{"group", NULL, FIELD_TEXT, .get_named = get_cred},
	{"account", NULL, FIELD_TEXT, .get_named = get_cred},
	{"qos", NULL, FIELD_TEXT, .get_named = get_cred},
	{"class", NULL, FIELD_TEXT, .get_named = get_cred},
	{"outcome", "OUTCOME", FIELD_TEXT, .get = get_outcome, .cell = cell_outcome, .filter = "outcome",
	 .search = true, FIELD_SCREEN(9, 0, 0)},
	{"state", NULL, FIELD_TEXT, .get = get_outcome},
	{NULL, "STATUS", FIELD_TEXT, .get = get_status, .cell = cell_status, .align = TEXT_RIGHT,
	 .filter = "status", .search = true, FIELD_SCREEN(6, 0, 0)},
	{"status", NULL, FIELD_COUNT, .get = get_wait_status},
	{"exit_status", NULL, FIELD_COUNT, .get = get_exit_status},
	{"signal", NULL, FIELD_COUNT, .get = get_signal},
	{"procs", "PROC", FIELD_COUNT, .get = get_procs, FIELD_SCREEN(4, 0, 4)},
	{.type = FIELD_MEMBERS, .get = get_job, .of = record_fields},
	{"wait_s", "WAITED", FIELD_DURATION, .get = get_wait, FIELD_SCREEN(9, 0, 5)},
	{"run_s", "RAN", FIELD_DURATION, .get = get_run, FIELD_SCREEN(9, 0, 0)},
	{"efficiency", "EFF", FIELD_REAL, .get = get_efficiency, .cell = cell_efficiency,
	 FIELD_SCREEN(4, 0, 0)},
	{"mem_mb", "MEMORY", FIELD_COUNT, .get = get_memory, .cell = cell_memory, FIELD_SCREEN(8, 0, 2)},
	{"end", "ENDED", FIELD_INSTANT, .get = get_end, .cell = cell_end, FIELD_SCREEN(8, 0, 0)},
	{"why", "WHY", FIELD_TEXT, .get = get_why, .cell = cell_why, .filter = "why", .search = true,
	 FIELD_SCREEN(6, 0, 1), .screen.flexible = true},
	{0},
};
