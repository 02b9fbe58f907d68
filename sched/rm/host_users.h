/* SPDX-License-Identifier: MIT */
/*
 * host_users.h - users and groups of this host
 *
 * People are those who can log in and are no part of the system: a uid from 1000 on, and a shell.
 */
#ifndef RM_HOST_USERS_H
#define RM_HOST_USERS_H

#include <stdint.h>

#define USERS_GROUPS_MAX 32
#define USERS_NAME       65

struct host_group {
	char name[USERS_NAME];
	uint32_t gid;
	uint32_t members; /* of the people */
};

struct host_users {
	uint32_t users;
	struct host_group group[USERS_GROUPS_MAX]; /* with somebody in it; one's own group is none */
	uint32_t groups;
};

/* root: "/", where the system is asked, or a folder with an etc/passwd and an etc/group. */
void host_users_find(const char *root, struct host_users *out);

#endif
