/* SPDX-License-Identifier: MIT */
/*
 * group_commit.h - group commit of steps
 *
 * A simulation that catches up takes thousands of steps before anybody looks; none of
 * them needs to be durable before the last. A burst stands between driver and ledger: it
 * keeps the steps, hands them over as one, and after that lets each through as it comes.
 */
#ifndef HOST_GROUP_COMMIT_H
#define HOST_GROUP_COMMIT_H

#include "ledger.h"
#include "sched/base/arena.h"

/* Lives as long as the driver that has its ledger. */
struct group_commit {
	struct ledger inner;
	bool holding;
	struct arena arena;
	struct event *event;
	size_t event_count, event_room;
	struct ended_job *ended;
	size_t ended_count, ended_room;
};

/* A ledger that holds back what is committed until group_commit_end; loads are let through. */
struct ledger group_commit_begin(struct group_commit *b, struct ledger inner);

/* Commits all that was held; after is the state now. From here on commits are let through. */
bool group_commit_end(struct group_commit *b, const struct snapshot *after, struct err *err);

/* Forgets what is held. Does nothing after group_commit_end. */
void group_commit_drop(struct group_commit *b);

#endif
