/* SPDX-License-Identifier: MIT */
/*
 * group_commit.h - group commit of steps
 *
 * A simulation that catches up runs thousands of steps, and none of them needs to be durable before the last
 * one. A group commit is a ledger between the driver and the real ledger: it collects the steps, commits them
 * together, and then passes each further step through.
 */
#ifndef HOST_GROUP_COMMIT_H
#define HOST_GROUP_COMMIT_H

#include "ledger.h"
#include "sched/base/arena.h"

/* Must not be freed before the driver that uses its ledger. */
struct group_commit {
	struct ledger inner;
	bool holding;
	struct arena arena;
	struct event *event;
	size_t event_count, event_cap;
	struct ended_job *ended;
	size_t ended_count, ended_cap;
};

/* Returns a ledger that collects commits until group_commit_end(); loads go to the inner ledger at once. */
struct ledger group_commit_begin(struct group_commit *b, struct ledger inner);

/*
 * Commits all collected steps together; `after` is the current state. Later commits go to the inner ledger at
 * once. Returns false if the commit failed.
 */
bool group_commit_end(struct group_commit *b, const struct snapshot *after, struct err *err);

/* Discards the collected steps. Does nothing after group_commit_end(). */
void group_commit_drop(struct group_commit *b);

#endif
