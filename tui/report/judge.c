/* SPDX-License-Identifier: MIT */
/*
 * judge.c - what would be said of a job under other rules, or of one node?
 *
 * A node is asked about in a copy of the snapshot in which it is the whole machine.
 */
#include "judge.h"

#include <stdlib.h>

#include "sched/base/str.h"
#include "sched/placement/room.h"

static const char *const level_names[JUDGE_LEVEL_COUNT] = {"soft", "hard", "off", "future"};

const char *judge_level_name(enum judge_level level)
{
	return level_names[level];
}

enum judge_level judge_find_level(const char *name, struct err *err)
{
	for (int l = 0; l < JUDGE_FUTURE; l++)
		if (str_same_word(level_names[l], name))
			return (enum judge_level)l;
	err_set(err, "policy level '%s': there are soft, hard and off", name);
	return JUDGE_LEVEL_COUNT;
}

/* Does the gate count at this level? */
static bool counts(const struct check *check, enum judge_level level)
{
	enum gate gate = check->gate;

	switch (level) {
	case JUDGE_HARD:
		return gate != GATE_ACTIVE_SOFT;
	case JUDGE_OFF:
		return gate < GATE_CLASS_LIMIT || gate > GATE_FS_CAP;
	case JUDGE_FUTURE:
		return gate == GATE_FEASIBLE || gate == GATE_CLASS_LIMIT || gate == GATE_SYSTEM_LIMIT ||
		       (gate == GATE_DEPENDENCY && check->reason.limit == DEPEND_NEVER);
	case JUDGE_SOFT:
	case JUDGE_LEVEL_COUNT:
		break;
	}
	return true;
}

enum gate judge_first(const struct why *why, enum judge_level level)
{
	for (int g = GATE_NONE + 1; g < GATE_COUNT; g++)
		if (why->check[g].known && !why->check[g].ok && counts(&why->check[g], level))
			return (enum gate)g;
	return GATE_NONE;
}

/* --- one node ------------------------------------------------------------------------------- */

static void *items(struct snapshot *s, enum snapshot_table_id id)
{
	return (char *)s + s->table[id].offset;
}

/* What advance reservations keep of this node they keep of the first, and nothing of the others. */
static void keep_only(struct snapshot *copy, uint32_t node)
{
	struct alloc_run *run = items(copy, TABLE_KEPT_RUNS);

	for (uint32_t i = 0; i < snapshot_count(copy, TABLE_KEPT_RUNS); i++) {
		run[i].nodes = node >= run[i].node && node - run[i].node < run[i].nodes;
		run[i].node = 0;
	}
}

/* A copy in which the machine is this node alone, as busy as it is, and the job may have any number of nodes.
 */
static struct snapshot *copy_for(const struct snapshot *s, uint32_t slot, uint32_t node)
{
	struct snapshot *copy = snapshot_copy(s);
	struct job *job = (struct job *)items(copy, TABLE_JOBS) + slot;
	struct node *nodes = items(copy, TABLE_NODES);

	nodes[0] = nodes[node];
	keep_only(copy, node);
	copy->table[TABLE_NODES].count = 1;
	copy->table[TABLE_RUNNING].count = copy->table[TABLE_WAITING].count = 0;
	copy->procs_total = nodes[0].procs;
	copy->procs_busy = nodes[0].procs_busy;
	copy->particular++; /* so that nodes are looked at */
	job->flags |= JOB_PARTICULAR;
	job->nodes = 0;
	return copy;
}

struct judged_node judge_node(const struct snapshot *s, uint32_t slot, uint32_t node, int64_t now_s)
{
	struct snapshot *copy = copy_for(s, slot, node);
	const struct job *job = &snapshot_jobs(copy)[slot];
	struct judged_node judged = {.lack = LACK_NONE};
	struct room *room = room_new();
	enum lack now_lack;

	judged.ever = room_ever(copy, job, &judged.lack);
	room_begin(room, copy, now_s);
	judged.now = room_fit(room, slot, now_s, now_s + 1, &now_lack);
	if (judged.ever > 0)
		judged.lack = judged.now > 0 ? LACK_NONE : now_lack;
	room_free(room);
	free(copy);
	return judged;
}

const char *judge_lack(enum lack lack)
{
	static const char *const words[LACK_COUNT] = {
		[LACK_NONE] = "has room",
		[LACK_PARTITION] = "is in another partition",
		[LACK_HOST] = "is not on the job's list of hosts",
		[LACK_CLASS] = "is not for its class",
		[LACK_FEATURE] = "does not have its features",
		[LACK_PROCS] = "has too few processors",
		[LACK_MEMORY] = "has too little memory",
		[LACK_SWAP] = "has too little swap",
		[LACK_DISK] = "has too little disk",
		[LACK_GRES] = "has too few generic resources",
		[LACK_ACCESS] = "is held by others",
		[LACK_TASKS] = "holds too few of its tasks",
		[LACK_DRAINED] = "is drained",
		[LACK_RESERVED] = "is reserved for others",
	};

	return words[lack];
}
