/* SPDX-License-Identifier: MIT */
/*
 * membership.c - the groups of an account
 */
#include "membership.h"

#include <grp.h>

#include "sched/base/vec.h"

#define GROUPS     64
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
