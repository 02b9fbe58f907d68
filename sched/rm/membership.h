/* SPDX-License-Identifier: MIT */
/*
 * membership.h - the groups of an account
 */
#ifndef RM_MEMBERSHIP_H
#define RM_MEMBERSHIP_H

#include <stdbool.h>
#include <sys/types.h>

/* The groups that the group database gives the account, and the primary one. Release group with free(). */
struct membership {
	gid_t *group;
	int count;
};

struct membership membership_of(const char *user, gid_t primary);
bool membership_has(const struct membership *membership, gid_t gid);

#endif
