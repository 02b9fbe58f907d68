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
	bool prunes;      /* prunes old records */
	struct str bytes; /* the current record */
	struct behind before,
		behind; /* journal entries after the last checkpoint: before the step, and after it */
	uint64_t added; /* bytes of this step: journal entries and launch data */
	struct codec_scratch scratch;
	size_t has[EVENT_KIND_COUNT]; /* number of events by kind */
	struct touched {
		uint64_t id;
		uint32_t slot; /* INDEX_NONE: the job has ended */
	} * job;               /* touched by the step, sorted by ID, each once */
	size_t job_count, job_room;
	bool *node; /* touched by the step, by index; NULL = none */
	bool all_nodes;
	bool again; /* a running job became idle again */
};

/* Determines the records that the step changes. The caller frees job and node. */
void commit_touch(struct commit *c);

#endif
