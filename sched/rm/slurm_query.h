/* SPDX-License-Identifier: MIT */
/*
 * slurm_query.h - questions to Slurm's commands, in processes of their own
 *
 * Four commands are run at the same time: squeue, and scontrol with `show node`, `show partition` and `show
 * reservation`. No other command is ever run, so nothing in Slurm is changed. No call waits for them. A
 * command that has not answered within the time limit is killed with its process group; one that even then
 * does not go away is waited for before the next question.
 */
#ifndef RM_SLURM_QUERY_H
#define RM_SLURM_QUERY_H

#include "sched/trace/slurm.h"

#define SLURM_TIMEOUT_MS 30000

struct slurm_setup {
	const char *path;   /* folders in which the commands are searched, as in $PATH */
	const char *config; /* $SLURM_CONF for the commands; NULL = not set */
	int timeout_ms;     /* time limit of a question */
};

struct slurm_query; /* opaque */

/* Copies the setup. NULL with err: descriptors are missing. */
struct slurm_query *slurm_query_new(const struct slurm_setup *setup, struct err *err);
/* Kills commands that are running. */
void slurm_query_free(struct slurm_query *q);

/* A descriptor that is readable when slurm_query_turn has work. */
int slurm_query_fd(const struct slurm_query *q);

enum slurm_query_state {
	QUERY_IDLE,
	QUERY_RUNNING, /* or killed, but not gone */
	QUERY_ANSWERED,
	QUERY_FAILED
};

/* Starts the commands; in state RUNNING it does nothing. */
void slurm_query_begin(struct slurm_query *q);

/* Reads what is there. *left_ms becomes the time until the next call is due at the latest; -1 = never. */
enum slurm_query_state slurm_query_turn(struct slurm_query *q, int *left_ms);

/* In state FAILED: one sentence. */
const char *slurm_query_fault(const struct slurm_query *q);

/*
 * In state ANSWERED: reads the answers into c, which is reset first, and returns to state IDLE; c is valid
 * until slurm_query_begin. False with err, one sentence: an answer is incomplete or wrong, and c is empty.
 */
bool slurm_query_read(struct slurm_query *q, struct slurm_cluster *c, struct err *err);

#endif
