/* SPDX-License-Identifier: MIT */
/*
 * authorization.c - authorization of requests that change something
 */
#include "authorization.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "admission.h"
#include "allowance.h"
#include "ended_cache.h"
#include "mask.h"
#include "request_check.h"
#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/host/outputs.h"
#include "sched/rm/launch.h"
#include "sched/rm/spool.h"
#include "store/store.h"

/* --- number of jobs ----------------------------------------------------------------------------------- */

/* Would the user's idle and running jobs, with this many more, still be within maxuserqueuable? */
static bool has_room(const struct authorization *p, uint64_t more, struct err *err)
{
	const struct snapshot *s = state_view(p->st);
	uint64_t most = (uint64_t)s->policy.site.user_jobs;
	uint32_t user = state_find_cred(p->st, CRED_USER, p->by->user);
	uint64_t has = user == INDEX_NONE ? 0 : snapshot_creds(s)[user].jobs;

	return p->by->level == ADMIN_ALL || has + more <= most ||
	       err_set(err,
		       "%s would have more than the %" PRIu64
		       " jobs that maxuserqueuable allows; wait until some jobs have ended",
		       p->by->user, most);
}

static bool changes_depend(const struct event *ev)
{
	return ev->kind == EVENT_MODIFY && ev->modify.name != NULL &&
	       str_same_word(ev->modify.name, JOB_DEPEND_ATTRIBUTE);
}

uint64_t authorize_weight(const struct event *ev, size_t count)
{
	uint64_t weight = 0;

	for (size_t i = 0; i < count; i++) {
		weight += ev[i].kind == EVENT_SUBMIT ? job_record_tasks(&ev[i].submit) : 1;
		if (ev[i].kind == EVENT_SUBMIT)
			weight += ev[i].submit.depend_count;
		else if (changes_depend(&ev[i]))
			weight += state_names_in(ev[i].modify.value);
	}
	return weight;
}

/* A request is processed as a whole while all other requests wait, so its size is limited. */
bool authorize_size(const struct snapshot *s, const struct person *by, uint64_t asked, struct err *err)
{
	uint64_t most = (uint64_t)s->policy.site.request_events;

	return by->level == ADMIN_ALL || asked <= most ||
	       err_set(err,
		       "%" PRIu64 " changes in one request are more than the %" PRIu64
		       " that maxrequestevents allows; each task of an array and each dependency counts. "
		       "Request fewer changes at a time",
		       asked, most);
}

/* --- changes that can be undone -------------------------------------------------------------------- */

/* Returns the job for which the event stores a change that can be undone; 0: none. */
static uint64_t job_changed_by(const struct authorization *p, const struct event *ev)
{
	const struct change *named;

	switch (ev->kind) {
	case EVENT_HOLD:
	case EVENT_PRIORITY:
	case EVENT_MODIFY:
	case EVENT_SUSPEND:
		return ev->job;
	case EVENT_UNDO:
		named = state_find_change(state_view(p->st), ev->undo.seq);
		return named != NULL ? named->job : 0;
	default:
		return 0;
	}
}

/* Counts the changes of the job in this request before event i. */
static size_t changes_before(const struct authorization *p, const struct event *ev, size_t i, uint64_t job)
{
	size_t count = 0;

	for (size_t k = 0; k < i; k++)
		count += job_changed_by(p, &ev[k]) == job;
	return count;
}

/* Does the event release a hold in force? A release is accepted even beyond the limits on changes, because
 * otherwise the job would stay held. */
static bool is_release(const struct authorization *p, const struct event *ev)
{
	uint32_t slot = ev->kind == EVENT_HOLD && !ev->hold.on ? state_find(p->st, ev->job) : INDEX_NONE;

	return slot != INDEX_NONE && (snapshot_jobs(state_view(p->st))[slot].holds & ev->hold.bits) != 0;
}

/* Would the job still be within maxjobchanges after event i? The number of changes is limited because the
 * cost of each further change grows with it. */
static bool has_few_changes(const struct authorization *p, const struct event *ev, size_t i, struct err *err)
{
	const struct snapshot *s = state_view(p->st);
	uint64_t job = job_changed_by(p, &ev[i]), most = (uint64_t)s->policy.site.job_changes;
	uint32_t slot = job == 0 ? INDEX_NONE : state_find(p->st, job);
	char label[JOB_LABEL_TEXT];
	size_t has;

	if (slot == INDEX_NONE || p->by->level == ADMIN_ALL || is_release(p, &ev[i]))
		return true;
	has = state_count_changes(s, &snapshot_jobs(s)[slot]);
	if (has + i < most || has + changes_before(p, ev, i, job) < most)
		return true;
	return err_set(err,
		       "job %s has %" PRIu64 " changes that can be undone, the most that maxjobchanges "
		       "allows; submit the job again, or ask an "
		       "administrator of level 1",
		       snapshot_job_label(s, &snapshot_jobs(s)[slot], label), most);
}

/* Would the user's jobs still be within maxuserchanges? Changes are part of the state that every client
 * reads, so their number per user is limited. */
static bool keeps_few_changes(const struct authorization *p, const struct event *ev, size_t count,
			      struct err *err)
{
	const struct snapshot *s = state_view(p->st);
	uint32_t user = state_find_cred(p->st, CRED_USER, p->by->user);
	uint64_t has = user == INDEX_NONE ? 0 : snapshot_creds(s)[user].kept_changes, more = 0;
	uint64_t most = (uint64_t)s->policy.site.user_changes;

	for (size_t i = 0; i < count; i++)
		more += job_changed_by(p, &ev[i]) != 0 && !is_release(p, &ev[i]);
	return p->by->level == ADMIN_ALL || more == 0 || has + more <= most ||
	       err_set(err,
		       "the jobs of %s have %" PRIu64
		       " changes that can be undone, this request adds %" PRIu64
		       ", and maxuserchanges allows %" PRIu64
		       "; wait until some of the jobs have ended, or ask an administrator of level 1",
		       p->by->user, has, more, most);
}

/*
 * Maximum number of dependencies in the changes of one user that are kept for undo. A change of dependencies
 * keeps the old dependency text for undo, and each start or end of a job updates the texts that name the job.
 * The limit bounds the cost of one start or end.
 */
#define KEPT_DEPENDS_MAX 10000

static uint64_t depends_kept_by(const struct authorization *p, const struct event *ev)
{
	const struct snapshot *s = state_view(p->st);
	uint32_t slot = changes_depend(ev) ? state_find(p->st, ev->job) : INDEX_NONE;
	uint64_t names = 0;

	if (slot == INDEX_NONE)
		return 0;
	for (uint32_t d = snapshot_jobs(s)[slot].depend; d != INDEX_NONE; d = snapshot_depends(s)[d].next)
		names++;
	return names + state_names_in(ev->modify.value);
}

static bool keeps_few_depends(const struct authorization *p, const struct event *ev, size_t count,
			      struct err *err)
{
	const struct snapshot *s = state_view(p->st);
	uint32_t user = state_find_cred(p->st, CRED_USER, p->by->user);
	uint64_t has = user == INDEX_NONE ? 0 : snapshot_creds(s)[user].kept_depends, more = 0;

	for (size_t i = 0; i < count; i++)
		more += depends_kept_by(p, &ev[i]);
	return p->by->level == ADMIN_ALL || more == 0 || has + more <= KEPT_DEPENDS_MAX ||
	       err_set(err,
		       "%s has %" PRIu64 " dependencies in changes kept for undo, this request adds %" PRIu64
		       ", and at most %d are kept; submit the job again with its dependencies",
		       p->by->user, has, more, KEPT_DEPENDS_MAX);
}

/*
 * Maximum number of dependencies of the waiting jobs of one user. When a job ends, the dependency on it is
 * settled in every waiting job; the record of such a job is then rewritten with all its dependencies, in the
 * scheduler's thread. The limit bounds the cost of one job end.
 */
#define WAITING_DEPENDS_MAX 10000

static uint64_t depends_of_waiting(const struct snapshot *s, uint32_t user)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_waiting(s)[i].slot];
		uint32_t d = job->cred[CRED_USER] == user ? job->depend : INDEX_NONE;

		for (; d != INDEX_NONE; d = snapshot_depends(s)[d].next)
			count++;
	}
	return count;
}

static bool waits_for_few(const struct authorization *p, const struct event *ev, size_t count,
			  struct err *err)
{
	const struct snapshot *s = state_view(p->st);
	uint32_t user = state_find_cred(p->st, CRED_USER, p->by->user);
	uint64_t has = 0, more = 0;

	for (size_t i = 0; i < count; i++)
		if (ev[i].kind == EVENT_SUBMIT)
			more += (uint64_t)job_record_tasks(&ev[i].submit) * ev[i].submit.depend_count;
		else if (changes_depend(&ev[i]))
			more += state_names_in(ev[i].modify.value);
	if (p->by->level == ADMIN_ALL || more == 0 ||
	    more + snapshot_count(s, TABLE_DEPENDS) <= WAITING_DEPENDS_MAX)
		return true;
	if (user != INDEX_NONE)
		has = depends_of_waiting(s, user);
	return has + more <= WAITING_DEPENDS_MAX ||
	       err_set(err,
		       "the waiting jobs of %s have %" PRIu64 " dependencies, this request adds %" PRIu64
		       ", and at most %d are allowed; depend on an array as a whole, or wait until some of "
		       "the "
		       "jobs have started",
		       p->by->user, has, more, WAITING_DEPENDS_MAX);
}

/* --- names -------------------------------------------------------------------------------------------- */

/* A name that this request introduces. */
struct new_name {
	const struct new_name *before; /* NULL: first name of the list */
	const char *name;
	enum cred_type type;
};

static bool is_brought(const struct authorization *p, enum cred_type type, const char *name)
{
	const struct new_name *new = p->brought;

	while (new != NULL && (new->type != type || strcmp(new->name, name) != 0))
		new = new->before;
	return new != NULL;
}

/*
 * Adds a name to the names that the request introduces, unless it exists already. Returns false with err set
 * if the user exceeds maxusernames. A new name takes space in the state; it may be an account, a class at a
 * site that configures none and accepts any, or a guest of a reservation.
 */
static bool brings_few(struct authorization *p, enum cred_type type, const char *name, struct arena *arena,
		       struct err *err)
{
	uint64_t most = (uint64_t)state_view(p->st)->policy.site.user_names;
	struct new_name *new;

	if (name == NULL || state_find_cred(p->st, type, name) != INDEX_NONE || is_brought(p, type, name))
		return true;
	new = arena_take(arena, sizeof *new);
	*new = (struct new_name){.before = p->brought, .name = arena_string(arena, name), .type = type};
	p->brought = new;
	p->new_names++;
	return p->names + p->new_names <= most ||
	       err_set(err,
		       "%s %s is new, and %s has introduced the %" PRIu64
		       " new names that maxusernames allows; use an existing name",
		       cred_type_name(type), name, p->by->user, most);
}

/* Is the guest the person's own user or group? These names, which the kernel reports, do not count toward
 * maxusernames, as in submissions. */
static bool is_own_name(const struct authorization *p, const struct advance_guest *guest)
{
	return (guest->type == CRED_USER && strcmp(guest->name, p->by->user) == 0) ||
	       (guest->type == CRED_GROUP && strcmp(guest->name, p->by->group) == 0);
}

/*
 * May the person see the names of all guests? If names are hidden, the result of a reservation for another
 * user would reveal whether that user has jobs, and which jobs these are.
 */
static bool guests_are_shown(const struct authorization *p, const struct advance_text *text, struct err *err)
{
	const struct viewer viewer = {.user = p->by->user, .group = p->by->group};
	const struct advance_guest *hidden;

	if (p->by->level <= ADMIN_SEES || !state_view(p->st)->policy.site.hide_names)
		return true;
	hidden = mask_hidden_guest(p->configured, state_view(p->st), &viewer, text);
	return hidden == NULL ||
	       err_set(err,
		       "names of other users are hidden (hidenames), so %s cannot make a reservation for %s "
		       "%s; omit this guest, or ask an administrator of level %d",
		       p->by->user, guest_type_name(hidden->type), hidden->name, (int)ADMIN_JOBS);
}

static bool guests_bring_few(struct authorization *p, const struct event *ev, struct arena *arena,
			     struct err *err)
{
	struct advance_text text;
	bool good;

	if (!advance_read(ev->reserve.text, &text, err))
		return false;
	good = guests_are_shown(p, &text, err);
	for (size_t i = 0; good && i < text.guest_count; i++) {
		const struct advance_guest *guest = &text.guest[i];

		if (guest->type != GUEST_JOB && !is_own_name(p, guest))
			good = brings_few(p, (enum cred_type)guest->type, guest->name, arena, err);
	}
	advance_text_free(&text);
	return good;
}

static bool brings_few_names(struct authorization *p, const struct event *ev, struct arena *arena,
			     struct err *err)
{
	if (p->by->level == ADMIN_ALL)
		return true;
	if (ev->kind == EVENT_RESERVE)
		return guests_bring_few(p, ev, arena, err);
	return ev->kind != EVENT_SUBMIT ||
	       (brings_few(p, CRED_ACCOUNT, ev->submit.cred[CRED_ACCOUNT], arena, err) &&
		brings_few(p, CRED_CLASS, ev->submit.cred[CRED_CLASS], arena, err));
}

/* --- changes stored in the state ---------------------------------------------------------------------- */

/* Returns the number of bytes in the store (cred.stored) that an event adds for the user's jobs. */
static uint64_t stored_by(const struct event *ev)
{
	switch (ev->kind) {
	case EVENT_SUBMIT:
		return state_submission_bytes(&ev->submit);
	case EVENT_HOLD:
		return state_change_bytes(NULL, ev->hold.reason);
	case EVENT_MODIFY: /* the value is stored in the job and in the change */
		return state_change_bytes(ev->modify.name, ev->modify.value) +
		       state_change_bytes(NULL, ev->modify.value);
	case EVENT_PRIORITY:
	case EVENT_SUSPEND:
	case EVENT_UNDO:
		return state_change_bytes(NULL, NULL);
	default:
		return 0;
	}
}

static bool store_has_share(const struct authorization *p, const struct event *ev, size_t count,
			    struct err *err)
{
	const struct snapshot *s = state_view(p->st);
	uint64_t most_mb = (uint64_t)s->policy.site.user_stored_mb, more = 0;
	uint32_t user = state_find_cred(p->st, CRED_USER, p->by->user);
	uint64_t has = user == INDEX_NONE ? 0 : snapshot_creds(s)[user].stored;

	for (size_t i = 0; i < count; i++)
		more += stored_by(&ev[i]);
	return p->by->level == ADMIN_ALL || more == 0 || has + more <= most_mb << 20 ||
	       err_set(err,
		       "the jobs of %s take %" PRIu64 " kB in the store, this request adds %" PRIu64
		       " kB, and maxuserstored allows %" PRIu64
		       " MB; cancel jobs, or wait until some have ended",
		       p->by->user, has >> 10, (more + 1023) >> 10, most_mb);
}

static uint64_t texts_by(const struct event *ev)
{
	switch (ev->kind) {
	case EVENT_SUBMIT:
		return state_submission_texts(&ev->submit);
	case EVENT_HOLD:
		return state_change_texts(NULL, ev->hold.reason);
	case EVENT_MODIFY: /* the value is stored in the job and in the change */
		return state_change_texts(ev->modify.name, ev->modify.value) +
		       state_change_texts(NULL, ev->modify.value);
	default:
		return 0;
	}
}

/* Would the texts of the user's jobs still be within maxusertext? They are limited because every client keeps
 * all texts of the state in memory, and the scheduler keeps several copies of them. */
static bool texts_are_short(const struct authorization *p, const struct event *ev, size_t count,
			    struct err *err)
{
	const struct snapshot *s = state_view(p->st);
	uint64_t most_mb = (uint64_t)s->policy.site.user_text_mb, more = 0;
	uint32_t user = state_find_cred(p->st, CRED_USER, p->by->user);
	uint64_t has = user == INDEX_NONE ? 0 : snapshot_creds(s)[user].texts;

	for (size_t i = 0; i < count; i++)
		more += texts_by(&ev[i]);
	return p->by->level == ADMIN_ALL || more == 0 || has + more <= most_mb << 20 ||
	       err_set(err,
		       "names, host lists and reasons of the jobs of %s take %" PRIu64
		       " kB in the state, this request adds %" PRIu64 " kB, and maxusertext allows %" PRIu64
		       " MB; shorten them, or wait until some of the jobs have ended",
		       p->by->user, has >> 10, (more + 1023) >> 10, most_mb);
}

/* --- journal and history ------------------------------------------------------------------------------ */

/*
 * Estimated stored bytes. REQUEST: the remembered answer of a request. EVENT: a journal entry, without what
 * the request contains. JOB: the entries that a job causes until it ends, without its history record. WHY:
 * the failure reason of a job, which is stored in the journal and in the history.
 */
#define REQUEST_BYTES 256

#define EVENT_BYTES 64

#define JOB_BYTES 640

#define WHY_BYTES SPOOL_TEXT

#define CANCEL_REASON 64 /* bytes of a cancel's reason that are stored when the allowance is used up */

#define LONGEST_LABEL "18446744073709551615[4294967295]"

/*
 * Returns the number of bytes that the tasks of a submission add to the journal and the history until they
 * have ended. The history record of each task has its own paths of the output and error files, measured here
 * with the longest job and task numbers.
 */
static uint64_t tasks_bytes(const struct authorization *p, const struct launch *asked,
			    const struct job_record *record)
{
	uint64_t tasks = job_record_tasks(record), each;
	struct launch launch = *asked;

	launch.job = UINT64_MAX;
	launch.label = record->range_count > 0 ? LONGEST_LABEL : NULL;
	launch.user = p->by->user;
	each = (state_submission_bytes(record) - record->launch_size) / tasks + outputs_bytes(&launch) +
	       WHY_BYTES;
	return tasks * (JOB_BYTES + WHY_BYTES + store_record_bytes(each));
}

/*
 * Returns the approximate number of bytes that a request adds to the journal and the history. An entry is
 * assumed to take as many bytes as its event in the request, without the launch data.
 */
static int64_t journal_bytes(const struct authorization *p, const struct event *ev, size_t count)
{
	uint64_t launches = 0, bytes = REQUEST_BYTES + count * EVENT_BYTES;

	for (size_t i = 0; i < count; i++) {
		bytes += ev[i].until_s != 0 ? EVENT_BYTES
					    : 0; /* a temporary change adds a second entry: its undo */
		launches += ev[i].kind == EVENT_SUBMIT ? ev[i].submit.launch_size : 0;
	}
	return (int64_t)(bytes + p->tasks_bytes + (p->size > launches ? p->size - launches : 0));
}

static bool only_cancels(const struct event *ev, size_t count)
{
	size_t cancels = 0;

	while (cancels < count && ev[cancels].kind == EVENT_CANCEL)
		cancels++;
	return cancels == count;
}

static bool refuse_journal(const struct authorization *p, int64_t wait_s, struct err *err)
{
	int64_t most_mb = state_view(p->st)->policy.site.user_journal_mb;
	char wait[DURATION_TEXT];

	if (wait_s == TIME_NEVER)
		return err_set(err,
			       "the request adds %" PRId64
			       " kB to the journal and the history, more than the %" PRId64
			       " MB a day that maxuserjournal allows; make a smaller request",
			       p->journal >> 10, most_mb);
	return err_set(err,
		       "the request adds %" PRId64 " kB to the journal and the history, and of the %" PRId64
		       " MB a day that maxuserjournal allows, %s has %" PRId64 " kB left; try again in %s",
		       p->journal >> 10, most_mb, p->by->user, allowance_journal_left(p->use) >> 10,
		       duration_text(wait, wait_s));
}

/* Truncates each reason to CANCEL_REASON bytes, at a character boundary. */
static void cut_reasons(struct event *ev, size_t count, struct arena *arena)
{
	for (size_t i = 0; i < count; i++) {
		size_t len = CANCEL_REASON;
		char *cut;

		if (ev[i].why == NULL || strlen(ev[i].why) <= len)
			continue;
		while (len > 0 && ((unsigned char)ev[i].why[len] & 0xc0) == 0x80)
			len--;
		cut = arena_copy(arena, ev[i].why, len + 1);
		cut[len] = '\0';
		ev[i].why = cut;
	}
}

/*
 * Are there enough bytes left in the user's allowance for the journal? Cancels are always allowed, because
 * the end of a job was charged when it was submitted. Their reasons were not charged: if the allowance is
 * used up, only the beginning of each reason is stored.
 */
static bool journal_has_room(struct authorization *p, struct event *ev, size_t count, struct arena *arena,
			     struct err *err)
{
	int64_t wait_s, cut_bytes = (int64_t)(REQUEST_BYTES + count * (EVENT_BYTES + CANCEL_REASON));

	p->journal = journal_bytes(p, ev, count);
	if (p->allowance == NULL || p->by->level == ADMIN_ALL)
		return true;
	wait_s = allowance_journal_wait_s(p->allowance, p->use, p->journal);
	if (only_cancels(ev, count)) {
		if (wait_s > 0)
			cut_reasons(ev, count, arena);
		if (wait_s > 0 && p->journal > cut_bytes)
			p->journal = cut_bytes;
		return true;
	}
	return wait_s == 0 || refuse_journal(p, wait_s, err);
}

/* --- the disk ----------------------------------------------------------------------------------------- */

/*
 * Does the disk have space for the request? The last part of the disk (diskreserve) is reserved for starts
 * and ends of jobs. Cancels are still allowed: they need little space and free the space of the job.
 */
static bool disk_has_room(const struct authorization *p, const struct event *ev, size_t count,
			  struct err *err)
{
	int64_t reserve_mb = state_view(p->st)->policy.site.disk_reserve_mb;

	if (p->by->level == ADMIN_ALL || p->store == NULL || only_cancels(ev, count) ||
	    store_has_room(p->store, reserve_mb))
		return true;
	return err_set(err,
		       "the disk that holds the store is nearly full: the rest is reserved for running jobs "
		       "(diskreserve = %" PRId64 " MB); try again later, or tell an administrator",
		       reserve_mb);
}

/* --- dependencies ------------------------------------------------------------------------------------- */

static bool can_wait_for(const struct authorization *p, const struct depend *item, size_t count,
			 struct err *err)
{
	for (size_t i = 0; i < count; i++)
		if (!ended_cache_check_depend(p->ended_cache, &item[i], err))
			return false;
	return true;
}

/*
 * Marks those dependencies as failed that can no longer be met because of how the other job ended. A forced
 * job is accepted nevertheless and never starts; the state itself no longer knows how the other job ended.
 */
static void note_lost(const struct authorization *p, struct job_record *record, struct arena *arena)
{
	struct depend *item =
		arena_copy(arena, record->depend, record->depend_count * sizeof *record->depend);

	for (uint32_t i = 0; i < record->depend_count; i++)
		if (!ended_cache_check_depend(p->ended_cache, &item[i], NULL))
			item[i].state = DEPEND_NEVER;
	record->depend = item;
}

/* Checks a new value of a job attribute. A text that cannot be parsed is rejected later, by the code that
 * sets the value. */
static bool check_modify(const struct authorization *p, const struct event *ev, struct err *err)
{
	struct depend_list list = {0};
	bool good = true;

	if (str_same_word(ev->modify.name, JOB_DEPEND_ATTRIBUTE) &&
	    depend_list_read(ev->modify.value, &list, NULL))
		good = can_wait_for(p, list.item, list.count, err);
	free(list.item);
	return good && (ev->modify.name == NULL || ev->modify.value == NULL ||
			admission_check_modify(p->configured, p->st, ev->modify.name, ev->modify.value, err));
}

/* --- submissions --------------------------------------------------------------------------------- */

/*
 * Sets the user and group of the launch data to the authenticated person, whatever the client sent. The user
 * name is stored with the uid, to detect a later account that has the same uid.
 */
static bool sign_launch(struct authorization *p, struct event *ev, struct arena *arena, struct err *err)
{
	struct launch launch;
	struct str bytes = {0};
	void *room = NULL;
	bool good = launch_read(ev->submit.launch, ev->submit.launch_size, &launch, &room, err);

	if (good && (ev->submit.launch_size > LAUNCH_NEW_MAX || launch.script_size > LAUNCH_NEW_SCRIPT_MAX))
		good = err_set(
			err,
			"script, command and environment have %u bytes together (at most %zu are allowed), "
			"and the script has %u (at most %zu are allowed); put data into separate files",
			ev->submit.launch_size, LAUNCH_NEW_MAX, launch.script_size, LAUNCH_NEW_SCRIPT_MAX);
	if (good) {
		launch_forget_start(&launch);
		launch.uid = p->by->uid;
		launch.gid = p->by->gid;
		launch.user = p->by->user;
		launch_write(&launch, &bytes);
		arena_adopt(arena, bytes.data);
		ev->submit.launch = bytes.data;
		ev->submit.launch_size = (uint32_t)bytes.len;
		p->tasks_bytes += tasks_bytes(p, &launch, &ev->submit);
	}
	free(room);
	return good;
}

static bool sign_submit(struct authorization *p, struct event *ev, struct arena *arena, struct err *err)
{
	if (p->by->uid == 0 && !state_view(p->st)->policy.site.allow_root)
		return err_set(err,
			       "jobs of root are not accepted here; set allowroot = true to accept them");
	if (ev->submit.launch == NULL)
		return err_set(err, "the submission has no script or command");
	ev->job = 0;
	ev->submit.label = NULL; /* a client-supplied label could impersonate another job */
	ev->submit.job.submit_s = p->now_s;
	ev->submit.cred[CRED_USER] = arena_string(arena, p->by->user);
	ev->submit.cred[CRED_GROUP] = arena_string(arena, p->by->group);
	if (!admission_check(p->configured, p->st, &ev->submit, err))
		return false;
	if ((ev->submit.job.real & JOB_REAL_FORCED) != 0)
		note_lost(p, &ev->submit, arena);
	else if (!can_wait_for(p, ev->submit.depend, ev->submit.depend_count, err))
		return false;
	ev->submit.job.real &= (uint8_t)~JOB_REAL_FORCED;
	return sign_launch(p, ev, arena, err);
}

/* --- suspends ------------------------------------------------------------------------------------ */

#define RUN_LEAST_S 10

/*
 * Has the job run long enough to be suspended by its user? Usage is counted in whole seconds: a job suspended
 * and resumed within every second would run most of the time without being charged. So a job whose suspension
 * releases its processors must first have run for RUN_LEAST_S seconds.
 */
static bool has_run_on(const struct authorization *p, const struct job *job, struct err *err)
{
	int64_t since_s = job->held_since_s != 0 ? job->held_since_s : job->start_s;
	char label[JOB_LABEL_TEXT];

	if (state_view(p->st)->policy.site.owner_suspend != OWNER_SUSPEND_RELEASE ||
	    job->state != JOB_RUNNING || job_is_suspended(job) || p->now_s >= since_s + RUN_LEAST_S)
		return true;
	return err_set(err, "job %s has been running for less than %d s; suspend it later",
		       snapshot_job_label(state_view(p->st), job, label), RUN_LEAST_S);
}

/*
 * Returns false with err set if the job is being terminated. Such a job runs until it exits or its grace
 * period is over; suspending it would release processors that it still uses.
 */
static bool is_not_ending(const struct authorization *p, const struct job *job, struct err *err)
{
	const char *why = NULL;
	char label[JOB_LABEL_TEXT];

	if (job->state != JOB_RUNNING)
		return true;
	if ((job->flags & JOB_CANCELLED) != 0)
		why = "has been cancelled";
	else if (job_is_leaving(job))
		why = "is being requeued";
	else if (job_left_s(job, p->now_s) <= 0)
		why = "has reached its wallclock limit";
	return why == NULL || err_set(err, "job %s %s; it cannot be suspended",
				      snapshot_job_label(state_view(p->st), job, label), why);
}

/*
 * Checks a suspend and completes its fields. A user without admin level 2 may suspend a job only for a
 * limited time, is recorded as the suspending user, and cannot choose whether processors are released.
 * permission_check has verified that the job exists.
 */
static bool sign_suspend(const struct authorization *p, struct event *ev, struct err *err)
{
	const struct snapshot *s = state_view(p->st);
	const struct job *job;
	int64_t left_s;

	ev->suspend.how &= ev->suspend.on ? SUSPEND_RELEASE | SUSPEND_KEEP : 0;
	if (!ev->suspend.on || p->by->level <= ADMIN_JOBS)
		return true;
	job = &snapshot_jobs(s)[state_find(p->st, ev->job)];
	if (!is_not_ending(p, job, err) || !has_run_on(p, job, err))
		return false;
	ev->suspend.how = SUSPEND_BY_OWNER;
	left_s = permission_suspend_s(s, job);
	if (left_s != TIME_NEVER && (ev->until_s == 0 || ev->until_s > p->now_s + left_s))
		ev->until_s = p->now_s + left_s;
	return true;
}

/*
 * Adds the job's processors to the counts of its nodes. Returns the first node whose count then exceeds its
 * number of processors; INDEX_NONE: none.
 */
static uint32_t count_procs(const struct snapshot *s, const struct job *job, uint64_t *procs)
{
	uint32_t full = INDEX_NONE;

	for (uint32_t r = job->run; r != INDEX_NONE; r = snapshot_runs(s)[r].next) {
		const struct alloc_run *run = &snapshot_runs(s)[r];

		for (uint32_t n = run->node; n < run->node + run->nodes; n++) {
			procs[n] += run->procs;
			if (full == INDEX_NONE && procs[n] > snapshot_nodes(s)[n].procs)
				full = n;
		}
	}
	return full;
}

/*
 * Counts, by node, the processors of the user's suspended jobs that have released their processors; the
 * caller frees the result. Sets counted[slot] for these jobs.
 */
static uint64_t *released_procs(const struct snapshot *s, uint32_t user, bool *counted)
{
	uint64_t *procs = mem_zero((size_t)snapshot_count(s, TABLE_NODES) + 1, sizeof *procs);

	for (uint32_t i = 0; s->released > 0 && i < snapshot_count(s, TABLE_RUNNING); i++) {
		uint32_t slot = snapshot_running(s)[i];
		const struct job *job = &snapshot_jobs(s)[slot];

		if (!job_is_released(job) || job->cred[CRED_USER] != user)
			continue;
		counted[slot] = true;
		count_procs(s, job, procs);
	}
	return procs;
}

static bool refuse_release(const struct authorization *p, const struct job *job, uint32_t node,
			   struct err *err)
{
	const struct snapshot *s = state_view(p->st);
	char label[JOB_LABEL_TEXT];

	return err_set(
		err,
		"job %s cannot be suspended: it and the other suspended jobs of %s that have released their "
		"processors could not all run at the same time, because they need more than the %" PRIu32
		" processors of node %s; wait until one of them runs again, or ask an administrator of level "
		"%d",
		snapshot_job_label(s, job, label), p->by->user, snapshot_nodes(s)[node].procs,
		snapshot_string(s, snapshot_nodes(s)[node].name), (int)ADMIN_JOBS);
}

static bool suspends_any(const struct event *ev, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (ev[i].kind == EVENT_SUSPEND && ev[i].suspend.on)
			return true;
	return false;
}

/*
 * Can the user's suspended jobs still all run at the same time? A resumed job takes precedence over all idle
 * jobs on its nodes, whatever its priority. Without a limit, a user could start and suspend one job after the
 * other, and all of them would later run before other users' jobs. The user's suspended jobs that have
 * released their processors must therefore fit on their nodes at the same time, no matter who suspended them.
 * A job that waits to be resumed still counts; suspending it again is allowed, because it adds nothing. All
 * events of one request are considered, so that jobs suspended together count together.
 */
static bool releases_fit(const struct authorization *p, const struct event *ev, size_t count, struct err *err)
{
	const struct snapshot *s = state_view(p->st);
	uint32_t user = state_find_cred(p->st, CRED_USER, p->by->user), full = INDEX_NONE;
	bool *counted;
	uint64_t *procs;

	if (p->by->level <= ADMIN_JOBS || !suspends_any(ev, count) ||
	    s->policy.site.owner_suspend != OWNER_SUSPEND_RELEASE)
		return true;
	counted = mem_zero((size_t)snapshot_count(s, TABLE_JOBS) + 1, sizeof *counted);
	procs = released_procs(s, user, counted);
	for (size_t i = 0; full == INDEX_NONE && i < count; i++) {
		uint32_t slot = ev[i].kind == EVENT_SUSPEND ? state_find(p->st, ev[i].job) : INDEX_NONE;

		if (slot == INDEX_NONE || !ev[i].suspend.on || counted[slot] ||
		    !state_can_release(p->st, &snapshot_jobs(s)[slot], p->now_s))
			continue;
		counted[slot] = true;
		full = count_procs(s, &snapshot_jobs(s)[slot], procs);
		if (full != INDEX_NONE)
			refuse_release(p, &snapshot_jobs(s)[slot], full, err);
	}
	free(counted);
	free(procs);
	return full == INDEX_NONE;
}

/* --- whole requests ----------------------------------------------------------------------------------- */

/* Maximum size of the lists in one request. Lists are sorted, which takes 40 ns per byte, and no other
 * request is answered in that time. */
#define LISTS_KB 256

static bool has_short_lists(const struct event *ev, size_t count, struct err *err)
{
	size_t size = 0;

	for (size_t i = 0; i < count; i++)
		size += lists_size(&ev[i]);
	return size <= LISTS_KB << 10 ||
	       err_set(err,
		       "the lists of features, nodes and resources in this request take %zu kB, but at most "
		       "%d kB are allowed; change fewer jobs at a time",
		       size >> 10, LISTS_KB);
}

bool authorize_events(struct authorization *p, struct event *ev, size_t count, struct arena *arena,
		      struct err *err)
{
	const struct asker asker = {.user = arena_string(arena, p->by->user), .level = p->by->level};
	uint64_t jobs = 0;

	p->new_names = 0;
	p->tasks_bytes = 0;
	p->brought = NULL;
	if (!authorize_size(state_view(p->st), p->by, authorize_weight(ev, count), err) ||
	    !has_short_lists(ev, count, err))
		return false;
	for (size_t i = 0; i < count; i++) {
		ev[i].time_s = p->now_s;
		ev[i].who = asker.user;
		distinct_lists(&ev[i], arena);
		if (!permission_check(&asker, p->st, &ev[i], err) || !has_few_changes(p, ev, i, err))
			return false;
		if (ev[i].kind == EVENT_MODIFY && !check_modify(p, &ev[i], err))
			return false;
		if (ev[i].kind == EVENT_SUSPEND && !sign_suspend(p, &ev[i], err))
			return false;
		if (ev[i].kind == EVENT_SUBMIT && !sign_submit(p, &ev[i], arena, err))
			return false;
		if (!brings_few_names(p, &ev[i], arena, err))
			return false;
		jobs += ev[i].kind == EVENT_SUBMIT ? job_record_tasks(&ev[i].submit) : 0;
	}
	return releases_fit(p, ev, count, err) && disk_has_room(p, ev, count, err) &&
	       journal_has_room(p, ev, count, arena, err) && store_has_share(p, ev, count, err) &&
	       texts_are_short(p, ev, count, err) && keeps_few_changes(p, ev, count, err) &&
	       keeps_few_depends(p, ev, count, err) && waits_for_few(p, ev, count, err) &&
	       (jobs == 0 || has_room(p, jobs, err));
}
