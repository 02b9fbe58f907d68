/* SPDX-License-Identifier: MIT */
/*
 * ended_cache.h - outcomes of jobs, and the cache of ended jobs
 *
 * Answers clients that ask for jobs by number or label, whether the jobs are idle, running or have ended
 * recently. Private details are returned only to the owner of a job and to administrators.
 */
#ifndef SERVE_ENDED_CACHE_H
#define SERVE_ENDED_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/base/arena.h"
#include "sched/host/ledger.h"

enum job_phase {
	JOB_PHASE_UNKNOWN, /* no such job, or it ended too long ago */
	JOB_PHASE_WAITING,
	JOB_PHASE_RUNNING,
	JOB_PHASE_ENDED,
	JOB_PHASE_COUNT
};

/*
 * A job, named by its ID or, if job is 0, by a label or a number as text. "12[]" and the number of an array
 * refer to all its tasks, and the outcome is the worst one of the tasks.
 */
struct job_ref {
	uint64_t job;
	const char *label; /* NULL = none */
};

/* The outcome of a job. Texts: NULL = not available. Times: TIME_NONE = not yet. */
struct job_status {
	uint64_t job;
	uint8_t phase;       /* enum job_phase                                    */
	bool lost, at_limit; /* ended: the outcome is unknown; the job reached its wallclock limit */
	bool cancelled;      /* ended: cancelled by a person */
	int32_t status;      /* ended: exit status as in ledger.h */
	int64_t start_s, end_s;
	const char *label, *user;    /* label NULL: the number is the label */
	const char *why;             /* ended: explanation of the status, or reason for the cancel */
	const char *output, *errors; /* paths of the output files (outputs.h), only if requested */
};

#define JOB_REFS_MAX 1000 /* jobs per request */
/* Maximum number of labels per request; each requires a search through all jobs. */
#define JOB_REF_LABELS_MAX 32

/* Jobs per request for output files; each requires reading up to LAUNCH_MAX bytes of launch data. */
#define JOB_REF_FILES_MAX 4

struct str;

/*
 * Appends a description for people, such as "job 12 ended with status 0", "job 12 was ended by TERM" or "job
 * 12 is running". The caller applies text_safe.
 */
void job_status_describe(const struct job_status *job_status, struct str *out);

/* Returns the exit status as in a shell: 128 + signal if a signal ended the job; 1 if unknown. */
uint8_t job_status_exit(const struct job_status *job_status);

/* Returns the exit status as in a shell for the status of a struct ended_job. */
uint8_t exit_status_of(int32_t status);

/* --- cache of ended jobs ------------------------------------------------------------------------------ */

/*
 * The state contains only idle and running jobs. The cache is a ledger around another ledger, and records
 * each job end once it is durable. It holds ENDED_CACHE_MAX entries for jobs and arrays, shared among the
 * users. Only the scheduler's thread uses it.
 */

struct store;
struct ended_cache; /* opaque */

/*
 * Maximum number of entries for jobs and arrays that have ended. With U users, each has at least
 * ENDED_CACHE_MAX / U entries for the user's most recent jobs; entries that a user does not need are
 * available to others. All entries take 2.6 MB, plus the texts (labels, paths, reasons) of the entries in
 * use.
 */
#define ENDED_CACHE_MAX 16384
/* Jobs that ended within this number of seconds before a start are loaded from the history. */
#define ENDED_CACHE_RECALLED_S 86400

/* Creates an empty cache around the ledger inner, which must outlive the cache. */
struct ended_cache *ended_cache_new(struct ledger inner);
void ended_cache_free(struct ended_cache *ended_cache);

/* Returns the ledger for the driver: forwards to inner and records job ends. */
struct ledger ended_cache_ledger(struct ended_cache *ended_cache);

/* Loads the jobs of the store that ended at or after since_s. */
bool ended_cache_recall(struct ended_cache *ended_cache, struct store *store, int64_t since_s,
			struct err *err);

/* The user whose output paths are returned. For idle and running jobs, finding the paths requires reading the
 * launch data. */
struct job_status_files {
	const char *user; /* NULL: the paths of all users */
};

/*
 * Finds the outcome of a job. ended_cache NULL: only jobs in the state are known. files NULL: without output
 * paths. Texts are in the arena or in the state; the texts of an ended job are valid until the next commit.
 */
struct job_status ended_cache_find(const struct ended_cache *ended_cache, const struct state *st,
				   const struct job_ref *name, const struct job_status_files *files,
				   struct arena *arena);

/*
 * Finds the outcomes of many jobs at hardly more than the cost of one. The caller limits the number of names
 * that are labels to JOB_REF_LABELS_MAX.
 */
void ended_cache_find_all(const struct ended_cache *ended_cache, const struct state *st,
			  const struct job_ref *name, size_t count, const struct job_status_files *files,
			  struct arena *arena, struct job_status *out);

/*
 * Can the dependency still be met? Returns false with err set if the other job has ended with an outcome for
 * which the new job would never start. The state alone treats a dependency on an unknown job as met.
 * ended_cache NULL: the outcome is unknown, so true.
 */
bool ended_cache_check_depend(const struct ended_cache *ended_cache, const struct depend *depend,
			      struct err *err);

#endif
