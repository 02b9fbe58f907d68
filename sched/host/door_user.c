/* SPDX-License-Identifier: MIT */
/*
 * door_user.c - limits for each user of the socket
 *
 * Requests are counted with a bucket of tokens: it holds those of one second, each request takes one, and it
 * fills at that rate. A user without connections whose bucket is full is as one who never came, and is
 * forgotten, so there are never more records than connections and requests of the last second.
 */
#include <stdlib.h>
#include <unistd.h>

#include "door_inside.h"
#include "sched/base/vec.h"
#include "sched/rm/monotonic.h"

static void fill(const struct door *door, struct door_user *user, int64_t now_ms)
{
	user->requests += (double)(now_ms - user->at_ms) * door->limits.requests / 1000;
	if (user->requests > door->limits.requests)
		user->requests = door->limits.requests;
	user->at_ms = now_ms;
}

static void forget_others(struct door *door, int64_t now_ms)
{
	size_t kept = 0;

	for (size_t i = 0; i < door->users; i++) {
		struct door_user *user = door->user[i];

		fill(door, user, now_ms);
		if (user->connections + user->parked == 0 && user->requests >= door->limits.requests)
			free(user);
		else
			door->user[kept++] = user;
	}
	door->users = kept;
}

bool user_is_trusted(uid_t uid)
{
	return uid == 0 || uid == geteuid();
}

struct door_user *user_of(struct door *door, uid_t uid)
{
	struct door_user *user;
	int64_t now_ms;

	for (size_t i = 0; i < door->users; i++)
		if (door->user[i]->uid == uid)
			return door->user[i];
	now_ms = monotonic_ms();
	forget_others(door, now_ms);
	door->user = vec_room(door->user, &door->user_room, door->users + 1, sizeof(struct door_user *));
	user = mem_zero(1, sizeof *user);
	*user = (struct door_user){.uid = uid,
				   .trusted = user_is_trusted(uid),
				   .requests = door->limits.requests,
				   .at_ms = now_ms};
	door->user[door->users++] = user;
	return user;
}

bool user_may_ask(const struct door *door, struct door_user *user, int64_t now_ms)
{
	fill(door, user, now_ms);
	if (user->trusted)
		return true;
	if (user->requests < 1)
		return false;
	user->requests -= 1;
	return true;
}

void door_set_limits(struct door *door, const struct door_limits *limits)
{
	door->limits = *limits;
}

struct door_limits door_use_of(struct door *door, uid_t uid)
{
	struct door_user *user = user_of(door, uid);

	fill(door, user, monotonic_ms());
	return (struct door_limits){user->connections, user->held, door->limits.requests - user->requests};
}
