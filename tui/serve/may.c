/* SPDX-License-Identifier: MIT */
/*
 * may.c - what may who do to the running scheduler?
 *
 * One row for each kind of event: who may ask for it of any job, and whether its owner may. Kinds that are
 * not here are the scheduler's and its manager's own: nobody asks for them.
 */
#include "may.h"

#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"

static const struct right {
	enum admin_level level; /* needed; 0: nobody may ask for it */
	bool owner;             /* of the job, whatever their level */
} rights[EVENT_KIND_COUNT] = {
	[EVENT_CONFIG] = {ADMIN_ALL, false},    [EVENT_NODE] = {ADMIN_ALL, false},
	[EVENT_SETTING] = {ADMIN_ALL, false},   [EVENT_USAGE] = {ADMIN_ALL, false},
	[EVENT_SUBMIT] = {ADMIN_NONE, true},    [EVENT_CANCEL] = {ADMIN_JOBS, true},
	[EVENT_HOLD] = {ADMIN_JOBS, true},      [EVENT_MODIFY] = {ADMIN_JOBS, true},
	[EVENT_SUSPEND] = {ADMIN_JOBS, true},   [EVENT_REQUEUE] = {ADMIN_JOBS, true},
	[EVENT_SIGNAL] = {ADMIN_JOBS, true},    [EVENT_START] = {ADMIN_JOBS, false},
	[EVENT_PRIORITY] = {ADMIN_JOBS, false}, [EVENT_UNDO] = {ADMIN_JOBS, false},
	[EVENT_HALT] = {ADMIN_ALL, false},      [EVENT_RESERVE] = {ADMIN_JOBS, true},
	[EVENT_UNRESERVE] = {ADMIN_JOBS, true}, [EVENT_KEEP] = {ADMIN_JOBS, false},
	[EVENT_DEFER] = {ADMIN_JOBS, false},
};

static bool is_owner(const struct asker *asker, const struct snapshot *s, const struct job *job)
{
	uint32_t user = job->cred[CRED_USER];

	return user != INDEX_NONE &&
	       strcmp(snapshot_string(s, snapshot_creds(s)[user].name), asker->user) == 0;
}

/*
 * Users may not undo changes. When a temporary change ends, the scheduler undoes it without checking limits
 * again. Users may therefore make only such changes temporary whose undo cannot exceed a limit.
 */
static bool may_end(const struct event *ev)
{
	return ev->until_s == 0 || ev->kind == EVENT_SUSPEND || ev->kind == EVENT_HOLD;
}

/* A user's own hold is theirs; the system's is not. */
static bool is_users_own(const struct event *ev)
{
	return ev->kind != EVENT_HOLD || ev->hold.bits == JOB_HOLD_USER;
}

#define GUESTS_MAX 100 /* of a user's reservation: every pass asks for each job whether it is one of them */

/* Of reservations those that users make as their own: what the site allows of them the event's check says. */
static bool may_reserve(const struct asker *asker, const struct event *ev, struct err *err)
{
	struct advance_text a;
	size_t guests;
	bool own;

	if (!advance_read(ev->reserve.text, &a, err))
		return false;
	own = a.personal;
	guests = a.guest_count;
	advance_text_free(&a);
	if (!own)
		return err_set(
			err,
			"%s may reserve for himself alone (-p), as far as the site allows; the rest is "
			"for an administrator of level %d",
			asker->user, (int)ADMIN_JOBS);
	return guests <= GUESTS_MAX ||
	       err_set(err,
		       "the reservation is for %zu users, groups, jobs and so on, and a user's may be for "
		       "%d; "
		       "name a group or an account, or ask an administrator of level %d",
		       guests, GUESTS_MAX, (int)ADMIN_JOBS);
}

static bool may_unreserve(const struct asker *asker, const struct snapshot *s, const struct event *ev,
			  struct err *err)
{
	const char *name = ev->reserve.name == NULL ? "" : ev->reserve.name;
	uint32_t i = snapshot_find_advance(s, name);
	const struct advance *a = i == INDEX_NONE ? NULL : &snapshot_advances(s)[i];

	return (a != NULL && a->personal && strcmp(snapshot_string(s, a->owner), asker->user) == 0) ||
	       err_set(err, "%s has no reservation %s of his own to release", asker->user, name);
}

/*
 * Users suspend their own jobs only where ownersuspend lets them, for as long as suspendmax allows, and
 * resume only what they suspended themselves.
 */
static bool may_suspend(const struct asker *asker, const struct snapshot *s, const struct job *job,
			const struct event *ev, struct err *err)
{
	char label[JOB_LABEL_TEXT], most[DURATION_TEXT];

	if (s->policy.site.owner_suspend == OWNER_SUSPEND_NO)
		return err_set(err,
			       "%s may not suspend or resume jobs (ownersuspend is no); an administrator of "
			       "level %d may",
			       asker->user, (int)ADMIN_JOBS);
	if (!ev->suspend.on)
		return !job_is_suspended(job) || (job->real & JOB_REAL_OWNER) != 0 ||
		       err_set(err,
			       "job %s was suspended by an administrator; an administrator of level %d may "
			       "resume it",
			       snapshot_job_label(s, job, label), (int)ADMIN_JOBS);
	if ((ev->suspend.how & (SUSPEND_RELEASE | SUSPEND_KEEP)) != 0)
		return err_set(
			err,
			"%s may not choose what becomes of the processors of a suspended job; ownersuspend "
			"says so, and an administrator of level %d may choose",
			asker->user, (int)ADMIN_JOBS);
	return may_suspend_s(s, job) > 0 ||
	       err_set(err,
		       "job %s has been suspended for %s since its start, as long as suspendmax allows; an "
		       "administrator of level %d may suspend it again",
		       snapshot_job_label(s, job, label), duration_text(most, s->policy.site.suspend_max_s),
		       (int)ADMIN_JOBS);
}

int64_t may_suspend_s(const struct snapshot *s, const struct job *job)
{
	int64_t most_s = s->policy.site.suspend_max_s, was_s = job->suspended_s;

	if (most_s == 0)
		return TIME_NEVER;
	/* One that waits for its processors can be suspended again: that begins no new time. */
	if (job_is_suspended(job))
		was_s += s->now_s - job->suspended_at_s;
	return most_s > was_s ? most_s - was_s : 0;
}

/* Who submits may stand back behind others, not step in front of them. */
static bool may_submit(const struct asker *asker, const struct event *ev, struct err *err)
{
	return ev->submit.job.base_points <= 0 || asker->level <= ADMIN_JOBS ||
	       err_set(err,
		       "%s may give a job fewer points of priority (-p), not more; an administrator of "
		       "level %d may",
		       asker->user, (int)ADMIN_JOBS);
}

/* A job without a memory request is not limited. Where the site has a default, only an administrator may
 * remove the request. */
static bool may_modify(const struct asker *asker, const struct snapshot *s, const struct event *ev,
		       struct err *err)
{
	const char *name = ev->modify.name, *value = ev->modify.value;
	int64_t mb;

	return s->policy.default_mem_mb == 0 || name == NULL || value == NULL ||
	       !str_same_word(name, "mem") || !memory_parse(value, &mb, NULL) || mb > 0 ||
	       err_set(err,
		       "%s may not remove the memory request of a job (systemdefaultjobmemory is %lld MB); "
		       "admin level %d required",
		       asker->user, (long long)s->policy.default_mem_mb, (int)ADMIN_JOBS);
}

/* To undo something is as much as to do it, and so is to keep it: a setting is the policy's, a pause the
 * scheduler's, everything else a job's or a reservation. */
static enum admin_level level_for(const struct snapshot *s, const struct event *ev)
{
	bool names = ev->kind == EVENT_UNDO || ev->kind == EVENT_KEEP;
	const struct change *change =
		state_change_moved(s, names ? state_find_change(s, ev->undo.seq) : NULL);

	if (change == NULL || (change->kind != CHANGE_SETTING && change->kind != CHANGE_HALT))
		return rights[ev->kind].level;
	return ADMIN_ALL;
}

enum admin_level may_least(const struct snapshot *s, uint64_t job, const struct event *ev)
{
	bool own = ev->job == job && rights[ev->kind].owner && is_users_own(ev) &&
		   (ev->kind != EVENT_SUSPEND || s->policy.site.owner_suspend != OWNER_SUSPEND_NO);

	return own ? ADMIN_NONE : level_for(s, ev);
}

/* To let a job be is the scheduler's own; that it is let be no longer can be asked for. */
static bool is_asked_for(const struct event *ev)
{
	return rights[ev->kind].level != 0 && (ev->kind != EVENT_DEFER || ev->defer.until_s == TIME_NONE);
}

bool may_ask(const struct asker *asker, const struct state *st, const struct event *ev, struct err *err)
{
	const struct snapshot *s = state_view(st);
	uint32_t slot = ev->job != 0 ? state_find(st, ev->job) : INDEX_NONE;
	enum admin_level level = level_for(s, ev);

	if (!is_asked_for(ev))
		return err_set(err, "'%s' is an event of the scheduler and cannot be requested",
			       event_kind_name(ev->kind));
	if (asker->level <= level)
		return ev->kind != EVENT_SUBMIT || may_submit(asker, ev, err);
	if (!may_end(ev))
		return err_set(err, "%s may not do this for a while; an administrator of level %d may",
			       asker->user, (int)level);
	if (ev->kind == EVENT_RESERVE)
		return may_reserve(asker, ev, err);
	if (ev->kind == EVENT_UNRESERVE)
		return may_unreserve(asker, s, ev, err);
	if (!rights[ev->kind].owner || slot == INDEX_NONE)
		return err_set(err, "%s may not do this; an administrator of level %d may", asker->user,
			       (int)level);
	if (!is_owner(asker, s, &snapshot_jobs(s)[slot]))
		return err_set(err, "job %llu is not %s's; its owner or an administrator may do this",
			       (unsigned long long)ev->job, asker->user);
	if (ev->kind == EVENT_SUSPEND)
		return may_suspend(asker, s, &snapshot_jobs(s)[slot], ev, err);
	if (ev->kind == EVENT_MODIFY && !may_modify(asker, s, ev, err))
		return false;
	return is_users_own(ev) ||
	       err_set(err, "this is not for the owner of job %llu; an administrator of level %d may do it",
		       (unsigned long long)ev->job, (int)level);
}
