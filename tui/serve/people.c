/* SPDX-License-Identifier: MIT */
/*
 * people.c - who is behind a connection, and how much may they do here?
 *
 * Kept in a table by the last bits of the number: two users who share a place push each other out. It is
 * emptied when the lists of administrators change.
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
#include "sched/rm/monotonic.h"

#define PLACES   256
#define ROOM_MAX ((size_t)1 << 20) /* of a group with very many members */
#define GROUPS   256

static const enum site_text lists[] = {SITE_ADMIN1, SITE_ADMIN2, SITE_ADMIN3};
#define LISTS (sizeof lists / sizeof lists[0])

struct people {
	struct {
		struct person person;
		int64_t until_s; /* by the monotonic clock; 0 = free */
	} place[PLACES];
	struct str list[LISTS]; /* by which they were judged */
	char *room;             /* for what the system says  */
	size_t size;
};

struct people *people_new(void)
{
	struct people *people = mem_zero(1, sizeof *people);

	people->size = 4096;
	people->room = mem_alloc(people->size);
	return people;
}

void people_free(struct people *people)
{
	if (people == NULL)
		return;
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

static const struct passwd *user_entry(struct people *people, uid_t uid, struct passwd *room)
{
	struct passwd *found = NULL;

	while (getpwuid_r(uid, room, people->room, people->size, &found) == ERANGE && grow(people))
		;
	return found;
}

static const struct group *group_entry(struct people *people, gid_t gid, struct group *room)
{
	struct group *found = NULL;

	while (getgrgid_r(gid, room, people->room, people->size, &found) == ERANGE && grow(people))
		;
	return found;
}

static const struct group *named_group(struct people *people, const char *name, struct group *room)
{
	struct group *found = NULL;

	while (getgrnam_r(name, room, people->room, people->size, &found) == ERANGE && grow(people))
		;
	return found;
}

static void name_person(struct people *people, struct person *person)
{
	struct passwd user_room;
	struct group group_room;
	const struct passwd *user = user_entry(people, person->uid, &user_room);
	const struct group *group;

	if (user != NULL)
		snprintf(person->user, sizeof person->user, "%s", user->pw_name);
	else
		snprintf(person->user, sizeof person->user, "%lu", (unsigned long)person->uid);
	group = group_entry(people, person->gid, &group_room);
	if (group != NULL)
		snprintf(person->group, sizeof person->group, "%s", group->gr_name);
	else
		snprintf(person->group, sizeof person->group, "%lu", (unsigned long)person->gid);
}

/* --- the lists ----------------------------------------------------------------------------------- */

static bool is_in_group(struct people *people, const struct person *person, const char *name)
{
	gid_t groups[GROUPS];
	int count = GROUPS;
	struct group room;
	const struct group *group = named_group(people, name, &room);
	gid_t wanted;

	if (group == NULL)
		return false;
	wanted = group->gr_gid;
	if (getgrouplist(person->user, person->gid, groups, &count) < 0)
		count = GROUPS;
	for (int i = 0; i < count; i++)
		if (groups[i] == wanted)
			return true;
	return false;
}

static bool is_meant(struct people *people, const struct person *person, const char *word)
{
	return word[0] == '@' ? is_in_group(people, person, word + 1) : strcmp(word, person->user) == 0;
}

static bool is_listed(struct people *people, const struct person *person, const char *list)
{
	char *words = mem_string(list), *rest = NULL;
	bool listed = false;

	for (char *word = strtok_r(words, " ,\t", &rest); word != NULL && !listed;
	     word = strtok_r(NULL, " ,\t", &rest))
		listed = is_meant(people, person, word);
	free(words);
	return listed;
}

static enum admin_level level_of(struct people *people, const struct person *person)
{
	if (person->uid == 0 || person->uid == geteuid())
		return ADMIN_ALL;
	for (size_t i = 0; i < LISTS; i++)
		if (is_listed(people, person, str_text(&people->list[i])))
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
	if (!same)
		memset(people->place, 0, sizeof people->place);
}

/* --- finding ------------------------------------------------------------------------------------- */

const struct person *people_find(struct people *people, const struct snapshot *s, uid_t uid, gid_t gid)
{
	size_t at = uid % PLACES;
	struct person *person = &people->place[at].person;

	take_lists(people, s);
	if (people->place[at].until_s > monotonic_ms() / 1000 && person->uid == uid && person->gid == gid)
		return person;
	*person = (struct person){.uid = uid, .gid = gid};
	name_person(people, person);
	person->level = level_of(people, person);
	people->place[at].until_s = monotonic_ms() / 1000 + PEOPLE_KEPT_S;
	return person;
}

const struct person *people_named(struct people *people, const struct snapshot *s, const char *user)
{
	struct passwd room, *found = NULL;

	for (size_t at = 0; at < PLACES; at++) {
		const struct person *person = &people->place[at].person;

		if (people->place[at].until_s != 0 && strcmp(person->user, user) == 0)
			return people_find(people, s, person->uid, person->gid);
	}
	while (getpwnam_r(user, &room, people->room, people->size, &found) == ERANGE && grow(people))
		;
	return found == NULL ? NULL : people_find(people, s, found->pw_uid, found->pw_gid);
}
