/* SPDX-License-Identifier: MIT */
/*
 * ledger_inside.h - what the two files of a commit share
 *
 * ledger_touch.c says what is to be written, ledger.c writes it.
 */
#ifndef STORE_LEDGER_INSIDE_H
#define STORE_LEDGER_INSIDE_H

#include "inside.h"

struct commit {
	const struct ledger_step *step;
	bool prunes;      /* the past that is no longer to be kept goes */
	struct str bytes; /* the record at hand */
	struct behind before,
		behind; /* the entries behind the last checkpoint: before the step, and after it */
	uint64_t added; /* bytes of this step: entries, and what is to be run */
	struct codec_scratch scratch;
	size_t has[EVENT_KIND_COUNT]; /* events of each kind */
	struct touched {
		uint64_t id;
		uint32_t slot; /* INDEX_NONE: the job has ended */
	} * job;               /* touched by the step, by id, each once */
	size_t job_count, job_room;
	bool *node; /* touched by the step, by index; NULL = none */
	bool all_nodes;
	bool again; /* a job that ran waits again */
};

/* Fills in what the step touches. The caller frees job and node. */
void commit_touch(struct commit *c);

#endif
