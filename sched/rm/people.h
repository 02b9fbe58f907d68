/* SPDX-License-Identifier: MIT */
/*
 * people.h - who works on this host, and in which groups?
 *
 * People are those who can log in and are no part of the system: a uid from 1000 on, and a shell.
 */
#ifndef RM_PEOPLE_H
#define RM_PEOPLE_H

#include <stdint.h>

#define PEOPLE_GROUPS_MAX 32
#define PEOPLE_NAME       65

struct people_group {
	char name[PEOPLE_NAME];
	uint32_t gid;
	uint32_t members; /* of the people */
};

struct people {
	uint32_t users;
	struct people_group group[PEOPLE_GROUPS_MAX]; /* with somebody in it; one's own group is none */
	uint32_t groups;
};

/* root: "/", where the system is asked, or a folder with an etc/passwd and an etc/group. */
void people_find(const char *root, struct people *out);

#endif
