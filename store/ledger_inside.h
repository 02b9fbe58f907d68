/* SPDX-License-Identifier: MIT */
/*
 * ledger_inside.h - declarations shared by the two files of a commit
 *
 * ledger_touch.c determines which records to write, ledger.c writes them.
 */
#ifndef STORE_LEDGER_INSIDE_H
#define STORE_LEDGER_INSIDE_H

#include "inside.h"

struct commit {
	const struct ledger_step *step;
	bool prunes;      /* the commit also prunes old records */
	struct str bytes; /* bytes of the record that is being written */
	struct behind before,
		behind; /* size of the journal entries after the last checkpoint, before and after the step */
	uint64_t added; /* bytes of this step: journal entries and launch data */
	struct codec_scratch scratch;
	size_t has[EVENT_KIND_COUNT]; /* number of events of the step, by kind */
	struct touched {
		uint64_t id;
		uint32_t slot; /* INDEX_NONE: the job has ended */
	} * job;               /* jobs that the step changes, sorted by ID, without duplicates */
	size_t job_count, job_room;
	bool *node; /* by index: does the step change the node? NULL = no node, or all_nodes */
	bool all_nodes;
	bool again; /* a running job was requeued in this step */
};

/* Determines the jobs and nodes whose records the step changes. The caller frees the members job and node. */
void commit_touch(struct commit *c);

#endif
