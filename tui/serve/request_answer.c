/* SPDX-License-Identifier: MIT */
/*
 * request_answer.c - answers to requests that change nothing
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "allowance.h"
#include "mask.h"
#include "past.h"
#include "request_server_inside.h"
#include "sched/base/vec.h"
#include "sched/rm/launch.h"
#include "sched/rm/monotonic.h"
#include "state_file.h"
#include "users.h"

/* --- journal and history --------------------------------------------------------------------------- */

struct owner {
	const struct request_server *p;
	const char *user;
};

/* Does the job belong to the user? The owner of an ended job is known for as long as the cache of ended jobs
 * has its entry. */
static bool owns(const void *self, uint64_t job)
{
	const struct owner *owner = self;
	const struct state *st = driver_state(owner->p->driver);
	const struct job_ref name = {.job = job};
	struct arena arena = {0};
	struct job_status job_status = ended_cache_find(owner->p->ended_cache, st, &name, NULL, &arena);
	bool own = job_status.user != NULL && strcmp(job_status.user, owner->user) == 0;

	arena_free(&arena);
	return own;
}

static bool is_site_class(const void *self, const char *name)
{
	const struct owner *owner = self;

	return mask_is_site_class(owner->p->configured, driver_view(owner->p->driver), name);
}

static bool is_site_trait(const void *self, enum trait_kind kind, const char *name)
{
	const struct owner *owner = self;

	return snapshot_find_trait(driver_view(owner->p->driver), kind, name) >= 0;
}

static int past_of(const struct request_server *p, struct asked *a)
{
	struct answer_text *answer = &a->answer;
	const struct person *by = request_server_person(p, a);
	const struct owner owner = {.p = p, .user = by->user};
	const struct past_reader reader = {.owns = owns,
					   .is_site_class = is_site_class,
					   .is_site_trait = is_site_trait,
					   .self = &owner,
					   .user = by->level <= ADMIN_SEES ? NULL : by->user,
					   .names = publisher_shows_names(driver_view(p->driver), by)};
	struct past_piece piece = {.count = 0};
	int fd = -1;

	if (p->store == NULL)
		err_set(&answer->err, "this scheduler keeps no journal");
	else if (a->text.past.journal && !reader.names)
		err_set(&answer->err,
			"changes by other users are hidden here (hidenames); an administrator of level %d "
			"can see them",
			ADMIN_SEES);
	else
		fd = past_file(p->store, &a->text.past, &reader, &piece, &answer->err);
	if (fd >= 0)
		fd = publisher_piece(p->publisher, fd, piece.size, by, &answer->err);
	answer->rows = piece.count;
	answer->at = piece.at;
	answer->more = piece.more;
	answer->outcome = fd >= 0 ? DRIVER_DONE : DRIVER_REFUSED;
	return fd;
}

/* --- past states ----------------------------------------------------------------------------------- */

static bool begin_past_worker(struct request_server *p, struct err *err)
{
	if (p->store == NULL)
		return err_set(err, "this scheduler keeps no journal");
	p->past_worker = past_worker_new(p->store, p->proxies, err);
	if (p->past_worker == NULL || request_server_listen_to(p, past_worker_fd(p->past_worker), err))
		return p->past_worker != NULL;
	past_worker_free(p->past_worker);
	p->past_worker = NULL;
	return false;
}

/*
 * The viewer's current permissions apply: what is hidden in the current state is also hidden in past states.
 */
void request_server_ask_moment(struct request_server *p, struct asked *a)
{
	struct store_moment moment = {.seq = a->text.past.from, .time_s = a->text.past.since_s};
	const struct person *to = request_server_person(p, a);
	bool whole = publisher_shows_names(driver_view(p->driver), to);

	if (p->past_worker != NULL || begin_past_worker(p, &a->answer.err))
		a->past_request = past_worker_ask(p->past_worker, to, whole, moment, &a->answer.err);
	a->refused = a->past_request == NULL;
}

static int moment_of(struct asked *a)
{
	struct answer_text *answer = &a->answer;
	struct store_moment moment;
	int fd = past_request_take(a->past_request, &moment, &answer->err);

	if (fd >= 0)
		answer->now_s = moment.time_s;
	answer->outcome = fd >= 0 ? DRIVER_DONE : DRIVER_REFUSED;
	return fd;
}

/* --- the scheduler itself ------------------------------------------------------------------------ */

static void ask_site(struct request_server *p, struct asked *a)
{
	bool reload = a->text.kind == ASK_RELOAD;
	struct answer_text *answer = &a->answer;

	if (request_server_person(p, a)->level > ADMIN_ALL) {
		err_set(&answer->err, "%s may not do this; an administrator of level %d may",
			request_server_person(p, a)->user, ADMIN_ALL);
	} else if (reload ? p->site.reload == NULL : p->site.stop == NULL) {
		err_set(&answer->err, "this scheduler %s",
			reload ? "has no configuration file" : "can only be stopped where it was started");
	} else if (reload) {
		answer->outcome = p->site.reload(p->site.self, p->driver, &answer->err);
		if (answer->outcome == DRIVER_FAILED)
			p->failed = answer->err;
	} else {
		p->site.stop(p->site.self);
		answer->outcome = DRIVER_DONE;
	}
}

/* --- outcomes of jobs -------------------------------------------------------------------------------- */

/* Failure reasons and output paths are private to the owner and to users who see everything. */
static void keep_private(struct job_status *job_status, const struct person *by)
{
	if (by->level <= ADMIN_SEES || (job_status->user != NULL && strcmp(job_status->user, by->user) == 0))
		return;
	job_status->user = job_status->why = job_status->output = job_status->errors = NULL;
}

static void tell_statuses(const struct request_server *p, struct asked *a)
{
	const struct person *by = request_server_person(p, a);
	const struct job_status_files files = {.user = by->level <= ADMIN_SEES ? NULL : by->user};
	size_t count = a->text.name_count;

	a->answer.outcome = DRIVER_DONE;
	a->answer.status_count = count;
	a->answer.job_status = mem_zero(count + 1, sizeof *a->answer.job_status);
	ended_cache_find_all(p->ended_cache, driver_state(p->driver), a->text.name, count,
			     a->text.outputs ? &files : NULL, &a->arena, a->answer.job_status);
	for (size_t i = 0; i < count; i++)
		keep_private(&a->answer.job_status[i], by);
}

/* --- limits of the requesting user --------------------------------------------------------------------- */

struct self_limits {
	struct self_limit row[SELF_LIMITS_MAX];
	size_t count;
	bool exempt;
};

static void add_limit(struct self_limits *l, const char *option, const char *unit, const char *what,
		      int64_t limit, int64_t used)
{
	struct self_limit *row = &l->row[l->count++];

	snprintf(row->option, sizeof row->option, "%s", option);
	snprintf(row->unit, sizeof row->unit, "%s", unit);
	snprintf(row->what, sizeof row->what, "%s", what);
	row->limit = limit;
	row->used = used;
	row->exempt = l->exempt;
}

/* Returns the largest number of changes that one job of the user has. */
static int64_t most_changes(const struct snapshot *s, uint32_t user)
{
	const struct job *jobs = snapshot_jobs(s);
	int64_t most = 0;

	for (uint32_t i = 0; user != INDEX_NONE && i < snapshot_count(s, TABLE_JOBS); i++) {
		if (jobs[i].state == JOB_NONE || jobs[i].cred[CRED_USER] != user || jobs[i].changed == 0)
			continue;
		if (state_count_changes(s, &jobs[i]) > most)
			most = state_count_changes(s, &jobs[i]);
	}
	return most;
}

/* Converts bytes to megabytes, rounded up so that any usage is shown as at least 1. */
static int64_t megabytes(size_t bytes)
{
	return (int64_t)((bytes + (1 << 20) - 1) >> 20);
}

static void add_of_queue(struct self_limits *l, const struct request_server *p, const struct asked *a,
			 const struct person *by)
{
	const struct snapshot *s = driver_view(p->driver);
	const struct site_rules *site = &s->policy.site;
	uint32_t user = state_find_cred(driver_state(p->driver), CRED_USER, by->user);

	l->exempt = by->level == ADMIN_ALL;
	add_limit(l, "maxuserqueuable", "jobs", "waiting and running jobs", site->user_jobs,
		  user == INDEX_NONE ? 0 : snapshot_creds(s)[user].jobs);
	add_limit(l, "maxrequestevents", "changes",
		  "changes in one request; array tasks and dependencies count", site->request_events,
		  SELF_USE_NONE);
	add_limit(l, "maxjobchanges", "changes",
		  "changes of one job that can be undone; in use: the most of any job", site->job_changes,
		  most_changes(s, user));
	add_limit(l, "maxuserchanges", "changes", "changes of all jobs that can be undone",
		  site->user_changes, user == INDEX_NONE ? 0 : (int64_t)snapshot_creds(s)[user].kept_changes);
	add_limit(l, "maxusernames", "names",
		  "new account, class and guest names since the scheduler started", site->user_names,
		  a->use->names);
	add_limit(l, "maxuserstored", "MB", "size of the jobs and their changes in the store",
		  site->user_stored_mb, user == INDEX_NONE ? 0 : megabytes(snapshot_creds(s)[user].stored));
	add_limit(l, "maxusertext", "MB", "size of names, host lists, reasons and values in the state",
		  site->user_text_mb, user == INDEX_NONE ? 0 : megabytes(snapshot_creds(s)[user].texts));
	add_limit(l, "maxuserjournal", "MB", "additions to the journal and the history in a day",
		  site->user_journal_mb, megabytes((size_t)allowance_journal_used(p->allowance, a->use)));
	add_limit(l, "maxusercpu", "percent", "share of a processor for requests in the last second",
		  site->user_cpu_pct, allowance_recent_ns(a->use, monotonic_ms()) / 10000000);
	add_limit(l, "maxusercpu", "ms", "of the scheduler for large requests, regained within minutes",
		  allowance_large_full_ns(p->allowance) / 1000000,
		  allowance_large_used_ns(p->allowance, a->use) / 1000000);
}

static void add_of_door(struct self_limits *l, const struct request_server *p, const struct person *by)
{
	const struct site_rules *site = &driver_view(p->driver)->policy.site;
	struct door_limits used = door_use_of(p->door, by->uid);

	l->exempt = by->uid == 0 || by->uid == geteuid();
	add_limit(l, "maxuserconnections", "connections", "open connections", site->user_connections,
		  (int64_t)used.connections);
	add_limit(l, "maxuserrequests", "requests", "requests in a second", site->user_requests,
		  (int64_t)(used.requests + 0.5));
	add_limit(l, "maxuserrequestmemory", "MB", "size of the requests and answers in progress",
		  site->user_request_mb, megabytes(used.held));
	l->exempt = false;
	add_limit(l, "maxuseranswermemory", "MB", "size of the answers made for this user alone",
		  site->user_answer_mb, megabytes(publisher_bytes_of(p->publisher, by->uid)));
}

static int limits_of(const struct request_server *p, struct asked *a)
{
	const struct person *by = request_server_person(p, a);
	struct self_limits l = {.count = 0};
	size_t size;
	int fd;

	add_of_queue(&l, p, a, by);
	add_of_door(&l, p, by);
	size = l.count * sizeof *l.row;
	fd = memory_file("kahu-limits", l.row, size, &a->answer.err);
	if (fd >= 0)
		fd = publisher_piece(p->publisher, fd, size, by, &a->answer.err);
	a->answer.rows = l.count;
	a->answer.outcome = fd >= 0 ? DRIVER_DONE : DRIVER_REFUSED;
	return fd;
}

/* --- job scripts ----------------------------------------------------------------------------------- */

/* Sends the launch data of a job. Its environment may contain secrets, so only the user named in the launch
 * data receives it. */
static int script_of(const struct request_server *p, struct asked *a)
{
	struct answer_text *answer = &a->answer;
	const struct person *by = request_server_person(p, a);
	struct str bytes = {0};
	struct launch launch;
	void *room = NULL;
	int fd = -1;

	if (p->store == NULL)
		err_set(&answer->err, "this scheduler keeps no scripts");
	else if (store_script(p->store, a->text.past.from, &bytes, &answer->err) &&
		 launch_read(bytes.data, bytes.len, &launch, &room, &answer->err) &&
		 (launch_is_of(&launch, by->uid, by->user) ||
		  err_set(&answer->err, "the job belongs to another user")))
		fd = memory_file("kahu-script", bytes.data, bytes.len, &answer->err);
	if (fd >= 0)
		fd = publisher_piece(p->publisher, fd, bytes.len, by, &answer->err);
	answer->outcome = fd >= 0 ? DRIVER_DONE : DRIVER_REFUSED;
	free(room);
	str_free(&bytes);
	return fd;
}

/*
 * Returns the journal entry that a state must include to answer the request: the state must contain the
 * user's own changes, and be newer than the state that the client has.
 */
static uint64_t least_seq(const struct asked *a)
{
	uint64_t known = a->text.past.from;

	return known >= a->use->changed_seq && known != 0 ? known + 1 : a->use->changed_seq;
}

/* --- dispatch -------------------------------------------------------------------------------------- */

int request_server_answer(struct request_server *p, struct asked *a)
{
	int fd = -1;

	switch (a->text.kind) {
	case ASK_STATE:
		fd = publisher_state(p->publisher, driver_view(p->driver), request_server_person(p, a),
				     least_seq(a), &a->answer.err);
		a->answer.outcome = fd >= 0 ? DRIVER_DONE : DRIVER_REFUSED;
		break;
	case ASK_JOBS:
		tell_statuses(p, a);
		break;
	case ASK_PAST:
		fd = past_of(p, a);
		break;
	case ASK_MOMENT:
		fd = moment_of(a);
		break;
	case ASK_LIMITS:
		fd = limits_of(p, a);
		break;
	case ASK_SCRIPT:
		fd = script_of(p, a);
		break;
	case ASK_RELOAD:
	case ASK_STOP:
		ask_site(p, a);
		break;
	case ASK_CHANGE:
	case ASK_KIND_COUNT:
		break;
	}
	return fd;
}
