/* SPDX-License-Identifier: MIT */
/*
 * never_starts.c - jobs that can never start, found by one pass over a copy of the queue
 */
#include "never_starts.h"

#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/vec.h"
#include "sched/pass/cycle.h"
#include "sched/state/draft.h"
#include "sched/state/state.h"
#include "tui/draw/text.h"
#include "tui/report/job_text.h"
#include "tui/serve/client.h"
#include "tui/serve/state_file.h"

static bool is_never(const struct reason *reason)
{
	switch (reason->gate) {
	case GATE_FEASIBLE:
	case GATE_CLASS_LIMIT:
	case GATE_SYSTEM_LIMIT:
		return true;
	case GATE_IDLE_LIMIT:
	case GATE_ACTIVE_HARD:
		return reason->asked > reason->limit;
	case GATE_DEPENDENCY:
		return reason->limit == DEPEND_NEVER;
	default:
		return false;
	}
}

static void add(struct never_starts *f, const struct snapshot *s, uint32_t slot, const struct reason *reason,
		int64_t now_s, bool ascii)
{
	struct str line = {0}, safe = {0};
	size_t room = f->room;

	job_text_sentence(s, &snapshot_jobs(s)[slot], reason, now_s, &line);
	text_safe(&safe, str_text(&line), ascii);
	f->job = vec_room(f->job, &room, f->count + 1, sizeof *f->job);
	f->why = vec_room(f->why, &f->room, f->count + 1, sizeof *f->why);
	f->job[f->count] = snapshot_jobs(s)[slot].id;
	f->why[f->count++] = mem_string(str_text(&safe));
	str_free(&line);
	str_free(&safe);
}

void never_starts_find(const struct snapshot *s, int64_t now_s, bool ascii, struct never_starts *out)
{
	struct cycle *cycle = cycle_new();
	struct cycle_result result;

	if (now_s < s->now_s)
		now_s = s->now_s;
	cycle_run(cycle, s, now_s, true, &result);
	for (uint32_t slot = 0; slot < snapshot_count(s, TABLE_JOBS); slot++)
		if (snapshot_jobs(s)[slot].state == JOB_IDLE && is_never(&result.reason[slot]))
			add(out, s, slot, &result.reason[slot], now_s, ascii);
	cycle_free(cycle);
}

const char *never_starts_reason(const struct never_starts *f, uint64_t job)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->job[i] == job)
			return f->why[i];
	return NULL;
}

void never_starts_clear(struct never_starts *f)
{
	for (size_t i = 0; i < f->count; i++)
		free(f->why[i]);
	free(f->job);
	free(f->why);
	*f = (struct never_starts){0};
}

/* --- submissions -------------------------------------------------------------------------------------- */

void submission_set_owner(struct event *ev)
{
	const struct passwd *user = getpwuid(geteuid());
	const struct group *group = getgrgid(getegid());
	struct job_record *record = &ev->submit;

	if (record->cred[CRED_USER] == NULL && user != NULL)
		record->cred[CRED_USER] = user->pw_name;
	if (record->cred[CRED_GROUP] == NULL && group != NULL)
		record->cred[CRED_GROUP] = group->gr_name;
}

/*
 * Prepares a submission for the test. Removes holds and a start date, which would hide other reasons. Sets
 * the user, because limits depend on it and the scheduler has not set it yet.
 */
static void make_trial(struct event *ev, bool with_dependencies)
{
	struct job_record *record = &ev->submit;

	record->job.base_holds = record->job.holds = 0;
	record->job.not_before_s = TIME_NONE;
	submission_set_owner(ev);
	if (!with_dependencies) {
		record->depend = NULL;
		record->depend_count = 0;
	}
}

/*
 * Returns true if the job requests a name that does not exist, for example a feature. The scheduler refuses
 * such jobs itself, with a message that lists the names.
 */
static bool asks_for_unknown(const struct snapshot *s, uint64_t job)
{
	uint32_t slot = snapshot_find_job(s, job);

	return slot != INDEX_NONE && job_requires_unknown(&snapshot_jobs(s)[slot]);
}

/*
 * Appends a sentence without its beginning "Job 12 never starts: ", or with "it" in place of "Job 12",
 * because the job has no ID yet. Omits the final period.
 */
static void add_cause(const char *why, struct str *out)
{
	static const char says[] = " never starts: ";
	const char *cause = strstr(why, says), *name_end = NULL;
	size_t len;

	if (cause == NULL && strncmp(why, "Job ", 4) == 0)
		name_end = strchr(why + 4, ' ');
	if (name_end != NULL)
		str_add(out, "it");
	cause = cause != NULL ? cause + strlen(says) : name_end != NULL ? name_end : why;
	len = strlen(cause);
	str_add_bytes(out, cause, len - (len > 0 && cause[len - 1] == '.'));
}

/*
 * Returns a copy of the state with the submission; NULL if the state refuses it. Other jobs, of which there
 * may be tens of thousands, are copied only if the submission depends on some.
 */
static struct state *with_trial(const struct snapshot *s, const struct event *trial)
{
	struct snapshot *site;
	struct state *st;

	if (trial->submit.depend_count > 0)
		return draft_make(s, trial, 1, NULL, NULL);
	site = snapshot_copy_site(s);
	st = draft_make(site, trial, 1, NULL, NULL);
	free(site);
	return st;
}

/* Tests one submission. Returns false if it can never start; the reason is appended to cause. */
static bool may_start(const struct cmd_env *env, const struct snapshot *s, int64_t now_s,
		      const struct event *ev, bool with_dependencies, struct str *cause)
{
	struct event trial = *ev;
	struct never_starts found = {0};
	const struct snapshot *then;
	struct state *copy;
	const char *why = NULL;

	make_trial(&trial, with_dependencies);
	trial.time_s = now_s;
	trial.job = 0;
	copy = with_trial(s, &trial);
	if (copy == NULL)
		return true;
	then = state_view(copy);
	never_starts_find(then, now_s, env->ascii, &found);
	for (size_t i = 0; i < found.count && why == NULL; i++)
		if (found.job[i] >= s->next_job_id && !asks_for_unknown(then, found.job[i]))
			why = found.why[i];
	if (why != NULL)
		add_cause(why, cause);
	never_starts_clear(&found);
	state_free(copy);
	return why == NULL;
}

bool submissions_can_start_in(struct cmd_env *env, const struct snapshot *s, int64_t now_s, struct str *cause)
{
	const struct cmd_changes *changes = env->changes;

	if (snapshot_count(s, TABLE_NODES) == 0)
		return true;
	for (size_t i = 0; i < changes->count; i++) {
		const struct event *ev = &changes->event[i];

		if (!may_start(env, s, now_s, ev, true, cause) ||
		    (ev->submit.depend_count > 0 && !may_start(env, s, now_s, ev, false, cause)))
			return false;
	}
	return true;
}

static bool all_may_start(struct cmd_env *env, const struct snapshot *s, int64_t now_s)
{
	struct str cause = {0};
	bool good = submissions_can_start_in(env, s, now_s, &cause);

	if (!good)
		err_set(&env->err, "the job would never start: %s; --force submits it anyway",
			str_text(&cause));
	str_free(&cause);
	return good;
}

bool submissions_can_start(struct cmd_env *env, struct client *client, const struct snapshot *s)
{
	struct client_picture picture;
	bool good;

	if (client == NULL)
		return all_may_start(env, s, env->now_s > s->now_s ? env->now_s : s->now_s);
	if (!client_newer(client, 0, &picture, &(struct err){{0}}))
		return true;
	good = all_may_start(env, picture.s,
			     picture.now_s > picture.s->now_s ? picture.now_s : picture.s->now_s);
	memory_file_free(picture.s, picture.size);
	return good;
}
