/* SPDX-License-Identifier: MIT */
/*
 * people.c - who is behind a connection, and how much may they do here?
 *
 * Kept in a table by the last bits of the number: two users who share a place push each other out. A number
 * without an entry pushes no user out, since one account can have 65536 of them. For the same reason the time
 * of look-ups that find nobody is limited. A new list of administrators lets all entries expire.
 */
#include "people.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/rm/membership.h"
#include "sched/rm/monotonic.h"

#define PLACES   256
#define ROOM_MAX ((size_t)1 << 20) /* of a group with very many members */

/* Time for look-ups that find nobody: a tenth of all time. One that was slow is made up for later. */
#define LOOKUP_SHARE    10
#define LOOKUP_BURST_NS ((int64_t)100000000)
#define LOOKUP_DEBT_NS  ((int64_t)1000000000)

static const enum site_text lists[] = {SITE_ADMIN1, SITE_ADMIN2, SITE_ADMIN3};
#define LISTS (sizeof lists / sizeof lists[0])

struct place {
	bool taken;
	bool has_group; /* person has the one that goes with asked */
	struct person person;
	gid_t asked; /* as the kernel said it */
	gid_t primary;
	struct membership groups;
	int64_t until_s; /* by the monotonic clock */
};

struct people {
	struct place place[PLACES];
	struct person stranger; /* the last one that has no place */
	struct str list[LISTS]; /* by which they were judged */
	char *room;             /* for what the system says  */
	size_t size;
	int64_t credit_ns, credited_ns; /* for look-ups that find nobody, at that moment */
};

struct people *people_new(void)
{
	struct people *people = mem_zero(1, sizeof *people);

	people->size = 4096;
	people->room = mem_alloc(people->size);
	people->credit_ns = LOOKUP_BURST_NS;
	people->credited_ns = monotonic_ns();
	return people;
}

void people_free(struct people *people)
{
	if (people == NULL)
		return;
	for (size_t i = 0; i < PLACES; i++)
		free(people->place[i].groups.group);
	for (size_t i = 0; i < LISTS; i++)
		str_free(&people->list[i]);
	free(people->room);
	free(people);
}

/* --- the system ---------------------------------------------------------------------------------- */

static bool grow(struct people *people)
{
	if (people->size >= ROOM_MAX)
		return false;
	people->size *= 2;
	people->room = mem_resize(people->room, people->size);
	return true;
}

static bool try_again(struct people *people, int error)
{
	return error == EINTR || (error == ERANGE && grow(people));
}

/* A database that has no entry says 0 or one of two errors; any other error is that it could not be asked. */
static int lookup_error(int error)
{
	return error == ENOENT || error == ESRCH ? 0 : error;
}

/* NULL and *error 0: it has no entry. */
static const struct passwd *user_entry(struct people *people, uid_t uid, struct passwd *room, int *error)
{
	struct passwd *found = NULL;

	do
		*error = getpwuid_r(uid, room, people->room, people->size, &found);
	while (try_again(people, *error));
	*error = lookup_error(*error);
	return *error == 0 ? found : NULL;
}

static const struct group *group_entry(struct people *people, gid_t gid, struct group *room, int *error)
{
	struct group *found = NULL;

	do
		*error = getgrgid_r(gid, room, people->room, people->size, &found);
	while (try_again(people, *error));
	*error = lookup_error(*error);
	return *error == 0 ? found : NULL;
}

static const struct group *named_group(struct people *people, const char *name, struct group *room)
{
	struct group *found = NULL;

	while (try_again(people, getgrnam_r(name, room, people->room, people->size, &found)))
		;
	return found;
}

/* --- the lists ----------------------------------------------------------------------------------- */

static bool is_in_group(struct people *people, const struct place *place, const char *name)
{
	struct group room;
	const struct group *group = named_group(people, name, &room);

	return group != NULL && membership_has(&place->groups, group->gr_gid);
}

static bool is_meant(struct people *people, const struct place *place, const char *word)
{
	return word[0] == '@' ? is_in_group(people, place, word + 1) : strcmp(word, place->person.user) == 0;
}

static bool is_listed(struct people *people, const struct place *place, const char *list)
{
	char *words = mem_string(list), *rest = NULL;
	bool listed = false;

	for (char *word = strtok_r(words, " ,\t", &rest); word != NULL && !listed;
	     word = strtok_r(NULL, " ,\t", &rest))
		listed = is_meant(people, place, word);
	free(words);
	return listed;
}

static bool is_trusted(uid_t uid)
{
	return uid == 0 || uid == geteuid();
}

static enum admin_level level_of(struct people *people, const struct place *place)
{
	if (is_trusted(place->person.uid))
		return ADMIN_ALL;
	for (size_t i = 0; i < LISTS; i++)
		if (is_listed(people, place, str_text(&people->list[i])))
			return (enum admin_level)(ADMIN_ALL + i);
	return ADMIN_NONE;
}

/* Who was judged by other lists is judged again. */
static void take_lists(struct people *people, const struct snapshot *s)
{
	bool same = true;

	for (size_t i = 0; i < LISTS; i++) {
		const char *now = snapshot_site_text(s, lists[i]);

		now = now != NULL ? now : "";
		if (strcmp(str_text(&people->list[i]), now) == 0)
			continue;
		same = false;
		str_clear(&people->list[i]);
		str_add(&people->list[i], now);
	}
	for (size_t i = 0; i < PLACES && !same; i++)
		people->place[i].until_s = 0;
}

/* --- finding ------------------------------------------------------------------------------------- */

static bool has_credit(struct people *people)
{
	int64_t now_ns = monotonic_ns();

	people->credit_ns += (now_ns - people->credited_ns) / LOOKUP_SHARE;
	if (people->credit_ns > LOOKUP_BURST_NS)
		people->credit_ns = LOOKUP_BURST_NS;
	people->credited_ns = now_ns;
	return people->credit_ns > 0;
}

static void take_credit(struct people *people, int64_t began_ns)
{
	people->credited_ns = monotonic_ns();
	people->credit_ns -= people->credited_ns - began_ns;
	if (people->credit_ns < -LOOKUP_DEBT_NS)
		people->credit_ns = -LOOKUP_DEBT_NS;
}

/* What the user database says of a number; the groups are the caller's to free. */
static struct place look_up(struct people *people, uid_t uid)
{
	struct place place = {.taken = true, .person = {.uid = uid, .level = ADMIN_NONE}};
	struct person *person = &place.person;
	struct passwd room;
	const struct passwd *user;
	int64_t began_ns;

	snprintf(person->user, sizeof person->user, "%lu", (unsigned long)uid);
	if (!is_trusted(uid) && !has_credit(people)) {
		person->account = ACCOUNT_SKIPPED;
		return place;
	}
	began_ns = monotonic_ns();
	user = user_entry(people, uid, &room, &person->failed);
	if (user != NULL) {
		snprintf(person->user, sizeof person->user, "%s", user->pw_name);
		place.primary = user->pw_gid;
		place.groups = membership_of(person->user, user->pw_gid);
	} else if (!is_trusted(uid)) {
		person->account = person->failed == 0 ? ACCOUNT_NONE : ACCOUNT_UNKNOWN;
		take_credit(people, began_ns);
	}
	return place;
}

/* A user who is known stays so while the user database cannot be asked. */
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

/* The place of a number, looked up anew. NULL: it gets none, and is the stranger. */
static struct place *refresh(struct people *people, uid_t uid)
{
	struct place *place = &people->place[uid % PLACES];
	struct place now = look_up(people, uid);
	int64_t kept_s = now.person.account == ACCOUNT_FOUND || now.person.account == ACCOUNT_NONE
				 ? PEOPLE_KEPT_S
				 : PEOPLE_RETRY_S;

	if (!stays_known(place, &now.person)) {
		if (now.person.account == ACCOUNT_SKIPPED || !pushes_out(place, &now.person)) {
			people->stranger = now.person;
			return NULL;
		}
		free(place->groups.group);
		*place = now;
	}
	if (place->person.account == ACCOUNT_FOUND)
		place->person.level = level_of(people, place);
	place->until_s = monotonic_ms() / 1000 + kept_s;
	return place;
}

/*
 * The group that the kernel says if the account is a member of it and it has an entry; a subordinate gid is
 * not, nor is one that a program with the setgid bit or a group's password gave. False: the group database
 * could not be asked, and what it said before was about another group. fresh: it is asked in any case.
 */
static bool set_group(struct people *people, struct place *place, gid_t asked, bool fresh)
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
	entry = group_entry(people, gid, &room, &error);
	if (entry == NULL && error == 0 && !trusted && gid != place->primary) {
		gid = place->primary;
		entry = group_entry(people, gid, &room, &error);
	}
	if (error != 0 && !trusted) {
		if (place->has_group && place->asked == asked)
			return true;
		people->stranger = *person;
		people->stranger.account = ACCOUNT_UNKNOWN;
		people->stranger.failed = error;
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

const struct person *people_find(struct people *people, const struct snapshot *s, uid_t uid, gid_t gid)
{
	struct place *place = &people->place[uid % PLACES];
	bool fresh = false;

	take_lists(people, s);
	if (!place->taken || place->person.uid != uid || place->until_s <= monotonic_ms() / 1000) {
		place = refresh(people, uid);
		fresh = true;
	}
	if (place == NULL)
		return &people->stranger;
	if (place->person.account == ACCOUNT_FOUND && (fresh || !place->has_group || place->asked != gid) &&
	    !set_group(people, place, gid, fresh))
		return &people->stranger;
	return &place->person;
}

const struct person *people_named(struct people *people, const struct snapshot *s, const char *user)
{
	struct passwd room, *found = NULL;

	for (size_t at = 0; at < PLACES; at++) {
		const struct person *person = &people->place[at].person;

		if (people->place[at].has_group && strcmp(person->user, user) == 0)
			return people_find(people, s, person->uid, person->gid);
	}
	while (try_again(people, getpwnam_r(user, &room, people->room, people->size, &found)))
		;
	return found == NULL ? NULL : people_find(people, s, found->pw_uid, found->pw_gid);
}

/* --- who may ask --------------------------------------------------------------------------------- */

bool people_admit(const struct person *person, struct err *err)
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
