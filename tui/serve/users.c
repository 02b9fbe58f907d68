/* SPDX-License-Identifier: MIT */
/*
 * users.c - permissions of users and administrators
 *
 * The table of rights has one row for each kind of event: the admin level that may request it for any job,
 * and whether the owner of the job may request it. Kinds without a row come only from the scheduler and the
 * resource manager.
 */
#include "users.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/rm/host_users.h"
#include "sched/rm/monotonic.h"

/* --- permissions of users and administrators ---------------------------------------------------------- */

static const struct right {
	enum admin_level level; /* required admin level; 0: the event cannot be requested */
	bool owner;             /* the owner of the job may request it at any level */
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
 * May a user make this change temporary? When a temporary change ends, the scheduler undoes it without
 * checking limits again. Users may not undo changes themselves, so they may make temporary only those changes
 * whose undo cannot exceed a limit.
 */
static bool may_end(const struct event *ev)
{
	return ev->until_s == 0 || ev->kind == EVENT_SUSPEND || ev->kind == EVENT_HOLD;
}

/* Returns false for holds other than user holds: users may neither set nor release them. */
static bool is_users_own(const struct event *ev)
{
	return ev->kind != EVENT_HOLD || ev->hold.bits == JOB_HOLD_USER;
}

#define GUESTS_MAX 100 /* per reservation of a user: every pass checks each job against each guest */

/*
 * May the user make the reservation? Users may only make personal reservations; the limits of the site are
 * checked when the event is applied.
 */
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
		return err_set(err,
			       "%s may only make personal reservations (-p), within the site's limits; other "
			       "reservations require admin level %d",
			       asker->user, (int)ADMIN_JOBS);
	return guests <= GUESTS_MAX || err_set(err,
					       "the reservation has %zu guests (users, groups, jobs and so "
					       "on), but a user's reservation may have at most %d; use a "
					       "group or an account, or ask an administrator of level %d",
					       guests, GUESTS_MAX, (int)ADMIN_JOBS);
}

static bool may_unreserve(const struct asker *asker, const struct snapshot *s, const struct event *ev,
			  struct err *err)
{
	const char *name = ev->reserve.name == NULL ? "" : ev->reserve.name;
	uint32_t i = snapshot_find_advance(s, name);
	const struct advance *a = i == INDEX_NONE ? NULL : &snapshot_advances(s)[i];

	return (a != NULL && a->personal && strcmp(snapshot_string(s, a->owner), asker->user) == 0) ||
	       err_set(err, "%s has no personal reservation %s to release", asker->user, name);
}

/*
 * May the owner suspend or resume the job? Users may suspend their jobs only if ownersuspend permits it, for
 * as long as suspendmax permits, and may resume only jobs that they suspended themselves.
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
		return err_set(err,
			       "%s may not choose what happens to the processors of a suspended job; "
			       "ownersuspend determines it, unless an administrator of level %d chooses",
			       asker->user, (int)ADMIN_JOBS);
	return permission_suspend_s(s, job) > 0 ||
	       err_set(err,
		       "job %s has been suspended for %s since its start, as long as suspendmax allows; an "
		       "administrator of level %d may suspend it again",
		       snapshot_job_label(s, job, label), duration_text(most, s->policy.site.suspend_max_s),
		       (int)ADMIN_JOBS);
}

int64_t permission_suspend_s(const struct snapshot *s, const struct job *job)
{
	int64_t most_s = s->policy.site.suspend_max_s, was_s = job->suspended_s;

	if (most_s == 0)
		return TIME_NEVER;
	/* Count the current suspension, too: if the job waits to be resumed, its user may suspend it again,
	 * but not for longer in total. */
	if (job_is_suspended(job))
		was_s += s->now_s - job->suspended_at_s;
	return most_s > was_s ? most_s - was_s : 0;
}

/* May the submission have its priority? Users may lower the priority of a job but not raise it. */
static bool may_submit(const struct asker *asker, const struct event *ev, struct err *err)
{
	return ev->submit.job.base_points <= 0 || asker->level <= ADMIN_JOBS ||
	       err_set(err,
		       "%s may lower the priority of a job (-p) but not raise it; an administrator of level "
		       "%d may",
		       asker->user, (int)ADMIN_JOBS);
}

/*
 * May the user change the attribute? A job without a memory request has no memory limit, so if the site has a
 * default, only an administrator may remove the request.
 */
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

/*
 * Returns the admin level that the event requires. Undoing or keeping a change requires the level of the
 * change itself: level 1 for settings and for halts of the scheduler.
 */
static enum admin_level level_for(const struct snapshot *s, const struct event *ev)
{
	bool names = ev->kind == EVENT_UNDO || ev->kind == EVENT_KEEP;
	const struct change *change =
		state_change_moved(s, names ? state_find_change(s, ev->undo.seq) : NULL);

	if (change == NULL || (change->kind != CHANGE_SETTING && change->kind != CHANGE_HALT))
		return rights[ev->kind].level;
	return ADMIN_ALL;
}

enum admin_level permission_level(const struct snapshot *s, uint64_t job, const struct event *ev)
{
	bool own = ev->job == job && rights[ev->kind].owner && is_users_own(ev) &&
		   (ev->kind != EVENT_SUSPEND || s->policy.site.owner_suspend != OWNER_SUSPEND_NO);

	return own ? ADMIN_NONE : level_for(s, ev);
}

/* Can the event be requested at all? A client may clear a deferral, but only the scheduler defers jobs. */
static bool is_asked_for(const struct event *ev)
{
	return rights[ev->kind].level != 0 && (ev->kind != EVENT_DEFER || ev->defer.until_s == TIME_NONE);
}

bool permission_check(const struct asker *asker, const struct state *st, const struct event *ev,
		      struct err *err)
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
		return err_set(err, "%s may not make this change temporary; an administrator of level %d may",
			       asker->user, (int)level);
	if (ev->kind == EVENT_RESERVE)
		return may_reserve(asker, ev, err);
	if (ev->kind == EVENT_UNRESERVE)
		return may_unreserve(asker, s, ev, err);
	if (rights[ev->kind].owner && ev->job != 0 && slot == INDEX_NONE)
		return err_set(err, "job %llu is not in the queue", (unsigned long long)ev->job);
	if (!rights[ev->kind].owner || slot == INDEX_NONE)
		return err_set(err, "%s may not do this; an administrator of level %d may", asker->user,
			       (int)level);
	if (!is_owner(asker, s, &snapshot_jobs(s)[slot]))
		return err_set(
			err, "job %llu does not belong to %s; only its owner or an administrator may do this",
			(unsigned long long)ev->job, asker->user);
	if (ev->kind == EVENT_SUSPEND)
		return may_suspend(asker, s, &snapshot_jobs(s)[slot], ev, err);
	if (ev->kind == EVENT_MODIFY && !may_modify(asker, s, ev, err))
		return false;
	return is_users_own(ev) ||
	       err_set(err, "the owner of job %llu may not do this; an administrator of level %d may",
		       (unsigned long long)ev->job, (int)level);
}

/* --- users behind connections, and their admin levels ------------------------------------------------- */

/*
 * Persons are cached in a hash table by the last bits of the uid, in which users with the same place displace
 * each other. A uid without an account displaces no user, because one account can have 65536 of them; for the
 * same reason the time of failed look-ups is limited. A new list of administrators invalidates all entries.
 */

#define PLACES 256

#define ROOM_MAX ((size_t)1 << 20) /* maximum buffer size, for a group with very many members */

/* Failed look-ups may take a tenth of the elapsed time; after a slow one, the next ones wait. */
#define LOOKUP_SHARE 10

#define LOOKUP_BURST_NS ((int64_t)100000000)

#define LOOKUP_DEBT_NS ((int64_t)1000000000)

static const enum site_text lists[] = {SITE_ADMIN1, SITE_ADMIN2, SITE_ADMIN3};

#define LISTS (sizeof lists / sizeof lists[0])

struct place {
	bool taken;
	bool has_group; /* `person.group` was determined from `asked` */
	struct person person;
	gid_t asked; /* the group as reported by the kernel */
	gid_t primary;
	struct membership groups;
	int64_t until_s; /* when the entry expires, monotonic clock */
};

struct users {
	struct place place[PLACES];
	struct person stranger; /* the last person who received no place */
	struct str list[LISTS]; /* the lists of administrators used for the entries */
	char *room;             /* buffer for getpwuid_r and getgrgid_r */
	size_t size;
	int64_t credit_ns,
		credited_ns; /* time left for failed look-ups, and the time at which it was computed */
};

struct users *users_new(void)
{
	struct users *users = mem_zero(1, sizeof *users);

	users->size = 4096;
	users->room = mem_alloc(users->size);
	users->credit_ns = LOOKUP_BURST_NS;
	users->credited_ns = monotonic_ns();
	return users;
}

void users_free(struct users *users)
{
	if (users == NULL)
		return;
	for (size_t i = 0; i < PLACES; i++)
		free(users->place[i].groups.group);
	for (size_t i = 0; i < LISTS; i++)
		str_free(&users->list[i]);
	free(users->room);
	free(users);
}

/* --- the user database -------------------------------------------------------------------------------- */

static bool grow(struct users *users)
{
	if (users->size >= ROOM_MAX)
		return false;
	users->size *= 2;
	users->room = mem_resize(users->room, users->size);
	return true;
}

static bool try_again(struct users *users, int error)
{
	return error == EINTR || (error == ERANGE && grow(users));
}

/* Converts the result of a look-up: 0 if there is no entry, otherwise the error of the database. A missing
 * entry is reported as 0 or one of two errors. */
static int lookup_error(int error)
{
	return error == ENOENT || error == ESRCH ? 0 : error;
}

/* Finds the entry of a uid. NULL and *error 0: there is none. NULL and *error not 0: the database failed. */
static const struct passwd *user_entry(struct users *users, uid_t uid, struct passwd *room, int *error)
{
	struct passwd *found = NULL;

	do
		*error = getpwuid_r(uid, room, users->room, users->size, &found);
	while (try_again(users, *error));
	*error = lookup_error(*error);
	return *error == 0 ? found : NULL;
}

static const struct group *group_entry(struct users *users, gid_t gid, struct group *room, int *error)
{
	struct group *found = NULL;

	do
		*error = getgrgid_r(gid, room, users->room, users->size, &found);
	while (try_again(users, *error));
	*error = lookup_error(*error);
	return *error == 0 ? found : NULL;
}

static const struct group *named_group(struct users *users, const char *name, struct group *room)
{
	struct group *found = NULL;

	while (try_again(users, getgrnam_r(name, room, users->room, users->size, &found)))
		;
	return found;
}

/* --- lists of administrators -------------------------------------------------------------------------- */

static bool is_in_group(struct users *users, const struct place *place, const char *name)
{
	struct group room;
	const struct group *group = named_group(users, name, &room);

	return group != NULL && membership_has(&place->groups, group->gr_gid);
}

static bool is_meant(struct users *users, const struct place *place, const char *word)
{
	return word[0] == '@' ? is_in_group(users, place, word + 1) : strcmp(word, place->person.user) == 0;
}

static bool is_listed(struct users *users, const struct place *place, const char *list)
{
	char *words = mem_string(list), *rest = NULL;
	bool listed = false;

	for (char *word = strtok_r(words, " ,\t", &rest); word != NULL && !listed;
	     word = strtok_r(NULL, " ,\t", &rest))
		listed = is_meant(users, place, word);
	free(words);
	return listed;
}

static bool is_trusted(uid_t uid)
{
	return uid == 0 || uid == geteuid();
}

static enum admin_level level_of(struct users *users, const struct place *place)
{
	if (is_trusted(place->person.uid))
		return ADMIN_ALL;
	for (size_t i = 0; i < LISTS; i++)
		if (is_listed(users, place, str_text(&users->list[i])))
			return (enum admin_level)(ADMIN_ALL + i);
	return ADMIN_NONE;
}

/*
 * Copies the lists of administrators from s. If they have changed, all cached entries will be looked up
 * again.
 */
static void take_lists(struct users *users, const struct snapshot *s)
{
	bool same = true;

	for (size_t i = 0; i < LISTS; i++) {
		const char *now = snapshot_site_text(s, lists[i]);

		now = now != NULL ? now : "";
		if (strcmp(str_text(&users->list[i]), now) == 0)
			continue;
		same = false;
		str_clear(&users->list[i]);
		str_add(&users->list[i], now);
	}
	for (size_t i = 0; i < PLACES && !same; i++)
		users->place[i].until_s = 0;
}

/* --- look-up ------------------------------------------------------------------------------------------ */

static bool has_credit(struct users *users)
{
	int64_t now_ns = monotonic_ns();

	users->credit_ns += (now_ns - users->credited_ns) / LOOKUP_SHARE;
	if (users->credit_ns > LOOKUP_BURST_NS)
		users->credit_ns = LOOKUP_BURST_NS;
	users->credited_ns = now_ns;
	return users->credit_ns > 0;
}

static void take_credit(struct users *users, int64_t began_ns)
{
	users->credited_ns = monotonic_ns();
	users->credit_ns -= users->credited_ns - began_ns;
	if (users->credit_ns < -LOOKUP_DEBT_NS)
		users->credit_ns = -LOOKUP_DEBT_NS;
}

/* Looks up the account of the uid in the user database; the caller frees the groups. */
static struct place look_up(struct users *users, uid_t uid)
{
	struct place place = {.taken = true, .person = {.uid = uid, .level = ADMIN_NONE}};
	struct person *person = &place.person;
	struct passwd room;
	const struct passwd *user;
	int64_t began_ns;

	snprintf(person->user, sizeof person->user, "%lu", (unsigned long)uid);
	if (!is_trusted(uid) && !has_credit(users)) {
		person->account = ACCOUNT_SKIPPED;
		return place;
	}
	began_ns = monotonic_ns();
	user = user_entry(users, uid, &room, &person->failed);
	if (user != NULL) {
		snprintf(person->user, sizeof person->user, "%s", user->pw_name);
		place.primary = user->pw_gid;
		place.groups = membership_of(person->user, user->pw_gid);
	} else if (!is_trusted(uid)) {
		person->account = person->failed == 0 ? ACCOUNT_NONE : ACCOUNT_UNKNOWN;
		take_credit(users, began_ns);
	}
	return place;
}

/* Should the cached entry be kept although the look-up failed? A known user remains known while the user
 * database fails. */
static bool stays_known(const struct place *place, const struct person *now)
{
	return place->taken && place->person.uid == now->uid && place->person.account == ACCOUNT_FOUND &&
	       (now->account == ACCOUNT_UNKNOWN || now->account == ACCOUNT_SKIPPED);
}

static bool pushes_out(const struct place *place, const struct person *now)
{
	return now->account == ACCOUNT_FOUND || !place->taken || place->person.uid == now->uid ||
	       place->person.account != ACCOUNT_FOUND;
}

/* Looks the uid up again and returns its place. NULL: the result gets no place and is stored as the stranger,
 * because there was no look-up or because the place belongs to a user with an account. */
static struct place *refresh(struct users *users, uid_t uid)
{
	struct place *place = &users->place[uid % PLACES];
	struct place now = look_up(users, uid);
	int64_t kept_s = now.person.account == ACCOUNT_FOUND || now.person.account == ACCOUNT_NONE
				 ? USERS_KEPT_S
				 : USERS_RETRY_S;

	if (!stays_known(place, &now.person)) {
		if (now.person.account == ACCOUNT_SKIPPED || !pushes_out(place, &now.person)) {
			users->stranger = now.person;
			return NULL;
		}
		free(place->groups.group);
		*place = now;
	}
	if (place->person.account == ACCOUNT_FOUND)
		place->person.level = level_of(users, place);
	place->until_s = monotonic_ms() / 1000 + kept_s;
	return place;
}

/*
 * Sets the group of a person: that reported by the kernel if the account is a member of it and the group has
 * an entry, otherwise the account's primary group. So neither subordinate gids are used, nor groups acquired
 * by a setgid program or a group password. fresh: look the group up in any case. Returns false if the group
 * database failed, and the cached result is for another group.
 */
static bool set_group(struct users *users, struct place *place, gid_t asked, bool fresh)
{
	struct person *person = &place->person;
	bool trusted = is_trusted(person->uid);
	gid_t gid = trusted || membership_has(&place->groups, asked) ? asked : place->primary;
	const struct group *entry;
	struct group room;
	int error;

	if (place->has_group && !fresh && gid == person->gid) {
		place->asked = asked;
		return true;
	}
	entry = group_entry(users, gid, &room, &error);
	if (entry == NULL && error == 0 && !trusted && gid != place->primary) {
		gid = place->primary;
		entry = group_entry(users, gid, &room, &error);
	}
	if (error != 0 && !trusted) {
		if (place->has_group && place->asked == asked)
			return true;
		users->stranger = *person;
		users->stranger.account = ACCOUNT_UNKNOWN;
		users->stranger.failed = error;
		return false;
	}
	person->gid = gid;
	if (entry != NULL)
		snprintf(person->group, sizeof person->group, "%s", entry->gr_name);
	else
		snprintf(person->group, sizeof person->group, "%lu", (unsigned long)gid);
	place->asked = asked;
	place->has_group = true;
	return true;
}

const struct person *users_find(struct users *users, const struct snapshot *s, uid_t uid, gid_t gid)
{
	struct place *place = &users->place[uid % PLACES];
	bool fresh = false;

	take_lists(users, s);
	if (!place->taken || place->person.uid != uid || place->until_s <= monotonic_ms() / 1000) {
		place = refresh(users, uid);
		fresh = true;
	}
	if (place == NULL)
		return &users->stranger;
	if (place->person.account == ACCOUNT_FOUND && (fresh || !place->has_group || place->asked != gid) &&
	    !set_group(users, place, gid, fresh))
		return &users->stranger;
	return &place->person;
}

const struct person *users_named(struct users *users, const struct snapshot *s, const char *user)
{
	struct passwd room, *found = NULL;

	for (size_t at = 0; at < PLACES; at++) {
		const struct person *person = &users->place[at].person;

		if (users->place[at].has_group && strcmp(person->user, user) == 0)
			return users_find(users, s, person->uid, person->gid);
	}
	while (try_again(users, getpwnam_r(user, &room, users->room, users->size, &found)))
		;
	return found == NULL ? NULL : users_find(users, s, found->pw_uid, found->pw_gid);
}

/* --- admission ---------------------------------------------------------------------------------------- */

bool users_admit(const struct person *person, struct err *err)
{
	unsigned long uid = person->uid;

	switch (person->account) {
	case ACCOUNT_NONE:
		return err_set(err,
			       "uid %lu has no entry in the user database of this host; use an account that "
			       "'getent passwd' finds",
			       uid);
	case ACCOUNT_UNKNOWN:
		return err_set(
			err,
			"the user database of this host failed to look up uid %lu: %s; try again later, "
			"or tell an administrator",
			uid, strerror(person->failed));
	case ACCOUNT_SKIPPED:
		return err_set(err,
			       "uid %lu was not looked up: look-ups of users without an entry in the user "
			       "database take too much time; try again in a second",
			       uid);
	case ACCOUNT_FOUND:
		break;
	}
	return true;
}
