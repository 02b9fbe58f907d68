/* SPDX-License-Identifier: MIT */
/*
 * slurm_query.h - questions to Slurm's commands, in processes of their own
 *
 * Four commands are run at the same time: squeue, and scontrol with `show node`, `show partition` and `show
 * reservation`. No other command is ever run, so nothing in Slurm is changed. No call waits for them. A
 * command that has not answered within the time limit is killed with its process group; the next question
 * waits until the killed command has exited.
 */
#ifndef RM_SLURM_QUERY_H
#define RM_SLURM_QUERY_H

#include "sched/trace/slurm.h"

#define SLURM_TIMEOUT_MS 30000

struct slurm_setup {
	const char *path;   /* folders to search for the commands, as in $PATH */
	const char *config; /* $SLURM_CONF for the commands; NULL = not set */
	int timeout_ms;     /* time limit of a question */
};

struct slurm_query; /* opaque */

/* Creates a query and copies the setup. Returns NULL with err set if no descriptor is left. */
struct slurm_query *slurm_query_new(const struct slurm_setup *setup, struct err *err);
/* Kills the commands that are running, and frees the query. */
void slurm_query_free(struct slurm_query *q);

/* Returns a descriptor that is readable when slurm_query_turn has something to do. */
int slurm_query_fd(const struct slurm_query *q);

enum slurm_query_state {
	QUERY_IDLE,
	QUERY_RUNNING, /* commands are running, or were killed and have not exited */
	QUERY_ANSWERED,
	QUERY_FAILED
};

/* Starts the commands. Does nothing in state QUERY_RUNNING. */
void slurm_query_begin(struct slurm_query *q);

/*
 * Reads what the commands have printed, and returns the new state. *left_ms becomes the time after which this
 * function must be called again even if the descriptor stays unreadable; -1 = never.
 */
enum slurm_query_state slurm_query_turn(struct slurm_query *q, int *left_ms);

/* Returns the reason in state QUERY_FAILED, one sentence. */
const char *slurm_query_fault(const struct slurm_query *q);

/*
 * Called in state QUERY_ANSWERED: resets c, parses the answers into it, and changes to state QUERY_IDLE; c is
 * valid until slurm_query_begin. If an answer is incomplete or wrong, returns false with one sentence in err,
 * and c is empty.
 */
bool slurm_query_read(struct slurm_query *q, struct slurm_cluster *c, struct err *err);

#endif
