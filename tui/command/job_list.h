/* SPDX-License-Identifier: MIT */
/*
 * job_list.h - jobs of the queue for the listings of PBS and Slurm
 */
#ifndef COMMAND_JOB_LIST_H
#define COMMAND_JOB_LIST_H

#include "delegate.h"
#include "sched/forecast/future.h"

struct job_list {
	const struct snapshot *s;
	int64_t now_s;
	uint32_t *slot; /* ascending by ID */
	size_t count;
	struct future future; /* reasons and estimated starts */
};

/*
 * The jobs that match the terms and, where words name jobs, are among those. False with a sentence: a term is
 * wrong, or a word names no job of the queue. Releases d; release *out with job_list_free in any case.
 */
bool job_list_find(struct cmd_env *env, struct delegate *d, struct job_list *out);
void job_list_free(struct job_list *list);

/* Letters and words for the state of a job. */
struct job_state_words {
	const char *pbs;   /* "R" */
	const char *slurm; /* "PD" */
	const char *slurm_long;
};
const struct job_state_words *job_list_state(const struct job_list *list, const struct job *job);

/* Seconds since its start; 0 while it waits. */
int64_t job_list_ran_s(const struct job_list *list, const struct job *job);
/* Why it waits, in a few words; "None" for a running job. */
void job_list_reason(const struct job_list *list, uint32_t slot, struct str *out);
/* "vm", "n1,n2": the nodes that it runs on. */
void job_list_nodes(const struct job_list *list, const struct job *job, struct str *out);
uint32_t job_list_node_count(const struct job_list *list, const struct job *job);
const char *job_list_name(const struct job_list *list, const struct job *job);

#endif
