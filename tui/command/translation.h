/* SPDX-License-Identifier: MIT */
/*
 * translation.h - commands of PBS and Slurm translated to verbs, and the jobs of their listings
 *
 * For example, 'qdel 12.server' runs 'cancel 12'.
 */
#ifndef COMMAND_TRANSLATION_H
#define COMMAND_TRANSLATION_H

#include "cmd.h"
#include "sched/forecast/future.h"

#define DELEGATE_WORDS 256

/* The words and terms with which a verb will be run. A zeroed struct is empty. */
struct delegate {
	char *word[DELEGATE_WORDS + 1];
	int count;
	struct str terms; /* terms for -w */
	struct arena arena;
};

/* Adds a formatted word. With more than DELEGATE_WORDS words, delegate_run refuses to run the verb. */
void delegate_add(struct delegate *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds KEY=VALUE to the terms of -w. The value may contain any characters. */
void delegate_term(struct delegate *d, const char *key, const char *value);

/*
 * Adds a job as PBS or Slurm writes it: 12, 12.server, 12[3].server, 12_3, 12_[1-3]. The number of an array
 * stands for all its tasks.
 */
void delegate_job(const struct snapshot *s, struct delegate *d, const char *text);

/* Adds the jobs of a list separated by commas, each in the notation of delegate_job. */
void delegate_jobs(const struct snapshot *s, struct delegate *d, const char *list);

void delegate_free(struct delegate *d);
/* Runs the verb with the words and terms, releases d, and returns the status of the verb. */
enum cmd_status delegate_run(struct cmd_env *env, struct delegate *d, const struct cmd *cmd);

/* --- jobs of a listing -------------------------------------------------------------------------------- */

struct job_list {
	const struct snapshot *s;
	int64_t now_s;
	uint32_t *slot; /* jobs in the order of their IDs */
	size_t count;
	struct future future; /* reasons and estimated starts */
};

/*
 * Finds the jobs that match the terms in d, of the named jobs if d has words, else of all. Returns false with
 * err set if a term is invalid, or a word names no job. Releases d. Call job_list_free(out) in every case.
 */
bool job_list_find(struct cmd_env *env, struct delegate *d, struct job_list *out);
void job_list_free(struct job_list *list);

/* The words of PBS and Slurm for the state of a job. */
struct job_state_words {
	const char *pbs;   /* "R" */
	const char *slurm; /* "PD" */
	const char *slurm_long;
};

const struct job_state_words *job_list_state(const struct job_list *list, const struct job *job);

/* Returns how long the job has run, in seconds; 0 if it is not running. */
int64_t job_list_ran_s(const struct job_list *list, const struct job *job);

/* Appends a short reason why the job is not running; "None" for a running job. */
void job_list_reason(const struct job_list *list, uint32_t slot, struct str *out);

/* Appends the nodes of a running job as "n1,n2". */
void job_list_nodes(const struct job_list *list, const struct job *job, struct str *out);
uint32_t job_list_node_count(const struct job_list *list, const struct job *job);
const char *job_list_name(const struct job_list *list, const struct job *job);

#endif
