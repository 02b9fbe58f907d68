/* SPDX-License-Identifier: MIT */
/*
 * cmd_resubmit.c - kahu resubmit: resubmission of jobs
 *
 * Script, working folder and environment are those stored with the job; of ended jobs, only the newest still
 * have them. The requested resources come from the queue or the history. Several tasks of an array become one
 * new array. Dependencies, holds and a start date in the past are not copied.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "complete.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/host/event_copy.h"
#include "sched/rm/launch.h"
#include "store/store.h"
#include "tui/report/ended.h"
#include "tui/report/select.h"
#include "tui/serve/client.h"
#include "tui/serve/session.h"

struct again {
	struct cmd_env *env;
	struct arena arena;
	struct job_filter filter;
	struct job_record record; /* record of the first matching job */
	uint32_t *index;          /* array indices of the matching jobs */
	size_t count, room;       /* number of matching jobs */
	uint64_t launch;          /* ID under which script and environment are stored */
	struct array_range range[ARRAY_RANGES_MAX];
};

/* --- the job ------------------------------------------------------------------------------------------ */

static void take(struct again *a, const struct job_record *record)
{
	const struct job *job = &record->job;

	if ((job->real & JOB_REAL_LAUNCH) == 0 || (a->count > 0 && job_launch_id(job) != a->launch))
		return;
	if (a->count == 0) {
		a->record = job_record_copy(&a->arena, record);
		a->launch = job_launch_id(job);
	}
	a->index = vec_room(a->index, &a->room, a->count + 1, sizeof *a->index);
	a->index[a->count++] = job->array_index;
}

static void take_ended(void *self, const struct ended_job *ended)
{
	struct again *a = self;

	if (ended_matches(&a->filter, ended))
		take(a, &ended->record);
}

static void take_live(struct again *a)
{
	const struct snapshot *s = a->env->s;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++) {
		struct state_parts parts = {.run = NULL};
		struct job_record record;

		if (snapshot_jobs(s)[i].state == JOB_NONE ||
		    !job_filter_match(&a->filter, s, &snapshot_jobs(s)[i]))
			continue;
		state_job_record(s, i, &record, &parts);
		take(a, &record);
		state_parts_free(&parts);
	}
}

/*
 * Finds ended jobs. The scheduler is asked only for the IDs that the word can mean, because it finds jobs by
 * ID.
 */
static bool find_ended(struct again *a, const char *word)
{
	struct ended_wish wish = {.jobs = {.id_count = 0}};
	struct history_ids ids;

	if (a->env->client != NULL && ended_ids(word, &ids))
		history_filter_ids(&wish.jobs, &ids, 1);
	return ended_find(a->env, &wish, take_ended, a);
}

/*
 * Finds the jobs that a word names. A number that is no job is tried as the number of an array. Returns false
 * with err set on failure.
 */
static bool find(struct again *a, const char *word)
{
	struct str term = {0};
	bool good;

	for (int all = 0; all < 2 && a->count == 0; all++) {
		str_clear(&term);
		str_addf(&term, "'job=%s%s'", word, all ? "[]" : "");
		good = job_filter_read(str_text(&term), &a->filter, &a->env->err);
		if (good)
			take_live(a);
		good = good && find_ended(a, a->filter.term[0].value);
		job_filter_clear(&a->filter);
		if (!good || strchr(word, '[') != NULL)
			break;
	}
	str_free(&term);
	return a->env->err.text[0] == '\0' &&
	       (a->count > 0 ||
		err_set(&a->env->err, "no script is stored for job '%s'; 'kahu history' lists ended jobs",
			word));
}

/* --- the new request ----------------------------------------------------------------------------------- */

static int by_number(const void *x, const void *y)
{
	const uint32_t *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

static bool find_ranges(struct again *a)
{
	struct job_record *record = &a->record;

	record->ranges = a->range;
	record->range_count = 0;
	if (record->job.array == 0)
		return true;
	qsort(a->index, a->count, sizeof *a->index, by_number);
	for (size_t i = 0; i < a->count; i++) {
		struct array_range *last = &a->range[record->range_count > 0 ? record->range_count - 1 : 0];

		if (record->range_count > 0 && a->index[i] <= (uint64_t)last->last)
			continue;
		if (record->range_count > 0 && a->index[i] == (uint64_t)last->last + 1) {
			last->last++;
			continue;
		}
		if (record->range_count == ARRAY_RANGES_MAX)
			return err_set(&a->env->err,
				       "the tasks of array %" PRIu64
				       " form more than %d ranges; name fewer tasks",
				       record->job.array, ARRAY_RANGES_MAX);
		a->range[record->range_count++] =
			(struct array_range){.first = a->index[i], .last = a->index[i], .step = 1};
	}
	return true;
}

/* Restores the record to what was requested at submission, without later changes and results. */
static void forget_fate(struct again *a)
{
	struct job_record *record = &a->record;
	const struct job was = record->job;

	record->job = (struct job){
		.submit_s = a->env->now_s,
		.not_before_s = was.not_before_s > a->env->now_s ? was.not_before_s : TIME_NONE,
		.wall_limit_s = was.wall_limit_s,
		.true_run_s = -1,
		.start_s = TIME_NONE,
		.planned_s = TIME_NEVER,
		.defer_until_s = TIME_NONE,
		.used_ps = -1,
		.base_points = was.base_points,
		.access = was.access,
		.allocation = was.allocation,
		.tasks = was.tasks,
		.task_procs = was.task_procs,
		.tasks_per_node = was.tasks_per_node,
		.nodes = was.nodes,
		.mem_mb = was.mem_mb,
		.swap_mb = was.swap_mb,
		.disk_mb = was.disk_mb,
		.array_limit = was.array_limit,
		.real = was.real & (JOB_REAL_LAUNCH | JOB_REAL_RERUN | JOB_REAL_MAIL),
	};
	record->cred[CRED_USER] = record->cred[CRED_GROUP] = NULL;
	record->cred[CRED_QOS] = record->qos_asked;
	record->label = record->order = record->hold_reason = record->base_reason = NULL;
	record->depend = NULL;
	record->runs = NULL;
	record->depend_count = record->run_count = 0;
}

static bool is_own(const struct again *a, const char *word)
{
	const char *user = a->record.cred[CRED_USER];

	return user == NULL || strcmp(user, session_user()) == 0 ||
	       err_set(&a->env->err, "job %s belongs to %s; only that user can resubmit it", word, user);
}

/* --- the verb ----------------------------------------------------------------------------------------- */

static bool read_script(const struct again *a, struct str *out, struct err *err)
{
	const struct cmd_env *env = a->env;

	if (env->client != NULL)
		return client_script(env->client, a->launch, out, err);
	return env->store != NULL ? store_script(env->store, a->launch, out, err)
				  : err_set(err, "job scripts are not stored here");
}

static void show(const struct again *a, const struct launch *launch, const char *word)
{
	const struct job_record *record = &a->record;
	struct str *out = a->env->out;
	char text[DURATION_TEXT];

	str_addf(out, "resubmits %s: %s, ", word, record->name != NULL ? record->name : "-");
	if (record->range_count > 0)
		str_addf(out, "%" PRIu32 " tasks of ", array_tasks(record->ranges, record->range_count));
	str_addf(out, "%" PRIu32 " x %" PRIu32 " processors, limit %s\n", record->job.tasks,
		 record->job.task_procs, duration_text(text, record->job.wall_limit_s));
	str_addf(out, "in %s, output %s\n", launch->dir != NULL ? launch->dir : "-",
		 launch->output != NULL ? launch->output : "-");
}

static bool submit(struct again *a, const char *word)
{
	struct cmd_env *env = a->env;
	struct str bytes = {0};
	struct launch launch;
	void *room = NULL;
	bool good =
		read_script(a, &bytes, &env->err) &&
		launch_read(bytes.data, bytes.len, &launch, &room, &env->err) &&
		(launch.waiter == NULL ||
		 err_set(&env->err,
			 "job %s was started by 'kahu run' and cannot be resubmitted; use 'kahu run' again",
			 word));

	if (good && env->dry_run) {
		show(a, &launch, word);
	} else if (good) {
		struct event *ev = cmd_add_event(env, EVENT_SUBMIT, 0);

		a->record.launch = bytes.data;
		a->record.launch_size = (uint32_t)bytes.len;
		ev->submit = job_record_copy(&env->changes->arena, &a->record);
	}
	free(room);
	str_free(&bytes);
	return good;
}

static bool resubmit(struct cmd_env *env, const char *word)
{
	struct again a = {.env = env};
	bool good = find(&a, word) && is_own(&a, word) && find_ranges(&a);

	if (good) {
		forget_fate(&a);
		good = submit(&a, word);
	}
	free(a.index);
	arena_free(&a.arena);
	return good;
}

static enum cmd_status run_resubmit(struct cmd_env *env, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!resubmit(env, argv[i]))
			return CMD_REFUSED;
	return CMD_DONE;
}

const struct cmd cmd_resubmit = {
	.name = "resubmit",
	.args = "JOB...",
	.help = "Submit jobs again with the same script, working directory, environment and options, and "
		"print the new IDs. Completed jobs can be resubmitted too. Dependencies and holds are not "
		"copied.",
	.min = 1,
	.max = -1,
	.authority = CMD_ANYONE,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_resubmit,
	.complete = complete_jobs,
};
