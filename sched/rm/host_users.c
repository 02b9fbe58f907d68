/* SPDX-License-Identifier: MIT */
/*
 * host_users.c - users and groups of this host
 *
 * The user database is enumerated: users that a directory service does not enumerate are not found, and at
 * most USERS_MAX users are read. The members of a group are the users that have it as their primary group and
 * the users that it lists.
 */
#include "host_users.h"

#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"

#define USERS_MAX 10000

#define FIRST_UID 1000

#define NOBODY_UID 65534

struct person {
	char name[USERS_NAME];
	uint32_t gid;
};

struct list {
	struct person *item;
	size_t count, cap;
};

/* Opens the database `name` below root. Returns NULL if root is "/": then the system's database is used. */
static FILE *open_list(const char *root, const char *name)
{
	struct str path = {0};
	FILE *file;

	if (strcmp(root, "/") == 0)
		return NULL;
	str_addf(&path, "%s/etc/%s", root, name);
	file = fopen(str_text(&path), "re");
	if (file == NULL)
		file = fopen("/dev/null", "re");
	str_free(&path);
	return file;
}

static bool can_log_in(const struct passwd *pw)
{
	const char *shell = strrchr(pw->pw_shell, '/');

	shell = shell == NULL ? pw->pw_shell : shell + 1;
	return strcmp(shell, "nologin") != 0 && strcmp(shell, "false") != 0 && strcmp(shell, "sync") != 0;
}

static bool is_person(const struct passwd *pw)
{
	return pw->pw_uid >= FIRST_UID && pw->pw_uid != NOBODY_UID && strlen(pw->pw_name) < USERS_NAME &&
	       can_log_in(pw);
}

static void read_users(const char *root, struct list *list)
{
	FILE *file = open_list(root, "passwd");
	const struct passwd *pw;

	if (file == NULL)
		setpwent();
	while (list->count < USERS_MAX && (pw = file != NULL ? fgetpwent(file) : getpwent()) != NULL) {
		if (!is_person(pw))
			continue;
		list->item = vec_room(list->item, &list->cap, list->count + 1, sizeof *list->item);
		list->item[list->count].gid = (uint32_t)pw->pw_gid;
		snprintf(list->item[list->count++].name, USERS_NAME, "%s", pw->pw_name);
	}
	if (file != NULL)
		fclose(file);
	else
		endpwent();
}

static bool names(const struct group *gr, const char *user)
{
	for (char **member = gr->gr_mem; *member != NULL; member++)
		if (strcmp(*member, user) == 0)
			return true;
	return false;
}

static uint32_t count_members(const struct list *list, const struct group *gr, bool *only_own)
{
	uint32_t count = 0;

	*only_own = true;
	for (size_t i = 0; i < list->count; i++)
		if (list->item[i].gid == gr->gr_gid || names(gr, list->item[i].name)) {
			*only_own = *only_own && strcmp(list->item[i].name, gr->gr_name) == 0;
			count++;
		}
	return count;
}

static void read_groups(const char *root, const struct list *list, struct host_users *out)
{
	FILE *file = open_list(root, "group");
	const struct group *gr;

	if (file == NULL)
		setgrent();
	while (out->groups < USERS_GROUPS_MAX && (gr = file != NULL ? fgetgrent(file) : getgrent()) != NULL) {
		struct host_group *group = &out->group[out->groups];
		bool only_own;

		group->members = count_members(list, gr, &only_own);
		if (gr->gr_gid < FIRST_UID || group->members == 0 || only_own ||
		    strlen(gr->gr_name) >= USERS_NAME)
			continue;
		group->gid = (uint32_t)gr->gr_gid;
		snprintf(group->name, sizeof group->name, "%s", gr->gr_name);
		out->groups++;
	}
	if (file != NULL)
		fclose(file);
	else
		endgrent();
}

void host_users_find(const char *root, struct host_users *out)
{
	struct list list = {.item = NULL};

	*out = (struct host_users){.users = 0};
	read_users(root, &list);
	out->users = (uint32_t)list.count;
	read_groups(root, &list, out);
	free(list.item);
}

/* --- the groups of an account ------------------------------------------------------------------------- */

#define GROUPS 64

#define GROUPS_MAX 65536 /* NGROUPS_MAX of Linux */

struct membership membership_of(const char *user, gid_t primary)
{
	struct membership out;
	int room = GROUPS, count = GROUPS;

	out.group = mem_alloc((size_t)room * sizeof *out.group);
	while (getgrouplist(user, primary, out.group, &count) < 0 && room < GROUPS_MAX) {
		room = count > room ? count : 2 * room;
		count = room;
		out.group = mem_resize(out.group, (size_t)room * sizeof *out.group);
	}
	out.count = count < room ? count : room;
	return out;
}

bool membership_has(const struct membership *membership, gid_t gid)
{
	for (int i = 0; i < membership->count; i++)
		if (membership->group[i] == gid)
			return true;
	return false;
}
