/* SPDX-License-Identifier: MIT */
/*
 * outputs.h - in which files are the words of a job?
 *
 * What was submitted says it with patterns (launch.h); here they are resolved as its shepherd does, so a
 * file is found while the job waits (where it will be), while it runs, and in what is kept of it when it
 * has ended.
 */
#ifndef HOST_OUTPUTS_H
#define HOST_OUTPUTS_H

#include "ledger.h"
#include "sched/base/arena.h"

struct launch;

/* Absolute paths, in the arena; NULL: nowhere, or at who waits for it. Joined ones are the same. With them
 * who wants to read of it. */
struct outputs {
	const char *output, *errors;
	const char *mail, *mail_to; /* as in struct launch; not looked at */
};

/* Of a job that is here. Nothing for one that nobody runs really, or when the ledger does not know. */
struct outputs outputs_find(struct ledger ledger, const struct snapshot *s, const struct job *job,
			    struct arena *arena);

/* At most so many bytes both paths have for a launch whose job, label and user are set. */
size_t outputs_bytes(const struct launch *launch);

#endif
