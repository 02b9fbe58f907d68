/* SPDX-License-Identifier: MIT */
/*
 * host_users.h - users and groups of this host
 *
 * Users here are accounts of people: a uid of at least 1000 and a login shell.
 */
#ifndef RM_HOST_USERS_H
#define RM_HOST_USERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define USERS_GROUPS_MAX 32
#define USERS_NAME       65

struct host_group {
	char name[USERS_NAME];
	uint32_t gid;
	uint32_t members;
};

struct host_users {
	uint32_t users;
	struct host_group group[USERS_GROUPS_MAX]; /* groups with members, except private groups of users */
	uint32_t groups;
};

/*
 * Counts the users and lists the groups. root: "/" for the system's databases, or a directory with etc/passwd
 * and etc/group.
 */
void host_users_find(const char *root, struct host_users *out);

/* --- the groups of an account ------------------------------------------------------------------------- */

/* The groups that list the account, and the account's primary group. Release `group` with free(). */
struct membership {
	gid_t *group;
	int count;
};

struct membership membership_of(const char *user, gid_t primary);
bool membership_has(const struct membership *membership, gid_t gid);

#endif
