/* SPDX-License-Identifier: MIT */
/*
 * burst.h - group commit of steps
 *
 * A simulation that catches up takes thousands of steps before anybody looks; none of
 * them needs to be durable before the last. A burst stands between driver and ledger: it
 * keeps the steps, hands them over as one, and after that lets each through as it comes.
 */
#ifndef HOST_BURST_H
#define HOST_BURST_H

#include "ledger.h"
#include "sched/base/arena.h"

/* Lives as long as the driver that has its ledger. */
struct burst {
	struct ledger inner;
	bool holding;
	struct arena arena;
	struct event *event;
	size_t event_count, event_room;
	struct ended_job *ended;
	size_t ended_count, ended_room;
};

/* A ledger that holds back what is committed until burst_end; loads are let through. */
struct ledger burst_begin(struct burst *b, struct ledger inner);

/* Commits all that was held; after is the state now. From here on commits are let through. */
bool burst_end(struct burst *b, const struct snapshot *after, struct err *err);

/* Forgets what is held. Does nothing after burst_end. */
void burst_drop(struct burst *b);

#endif
