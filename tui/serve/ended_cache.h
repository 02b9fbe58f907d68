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

enum fate_phase {
	FATE_UNKNOWN, /* no such job, or it ended too long ago */
	FATE_WAITING,
	FATE_RUNNING,
	FATE_ENDED,
	FATE_PHASE_COUNT
};

/*
 * A job: its ID or, if that is 0, a label or a number as text. "12[]" and the number of an array refer to all
 * its tasks, of which the worst outcome counts.
 */
struct fate_name {
	uint64_t job;
	const char *label; /* NULL = none */
};

/* Texts: NULL = not available. Times: TIME_NONE = not yet. */
struct fate {
	uint64_t job;
	uint8_t phase;       /* enum fate_phase                                    */
	bool lost, at_limit; /* ended: outcome unknown; at its wallclock limit */
	bool cancelled;      /* ended: cancelled by a person */
	int32_t status;      /* ended: exit status as in ledger.h */
	int64_t start_s, end_s;
	const char *label, *user;    /* label NULL: the number is the label */
	const char *why;             /* ended: explanation of the status; reason of the cancellation */
	const char *output, *errors; /* see outputs.h; only if requested */
};

#define FATE_NAMES_MAX  1000 /* per request */
#define FATE_LABELS_MAX 32   /* names that are labels, per request; each requires a search through all jobs */
#define FATE_FILES_MAX                                                                                       \
	4 /* names per request with output files; each requires reading a launch of up to LAUNCH_MAX bytes   \
	   */

struct str;

/*
 * A description for a person: "job 12 ended with 0", "job 12 was ended by TERM", "job 12 runs". The caller
 * applies text_safe.
 */
void fate_describe(const struct fate *fate, struct str *out);

/* Exit status as in a shell: 128 + signal if a signal ended the job; 1 if unknown. */
uint8_t fate_exit_status(const struct fate *fate);

/* The same for an exit status as in the ledger. */
uint8_t exit_status_of(int32_t status);

/* --- cache of ended jobs ------------------------------------------------------------------------------ */

/*
 * The state contains only idle and running jobs. The cache wraps the ledger and records each job end once it
 * is durable. It holds FATES_KEPT entries for jobs and arrays, shared among the users. It is used by the
 * scheduler's thread alone.
 */

struct store;
struct fates; /* opaque */

/*
 * Entries for jobs and arrays that have ended. With U users, each has at least FATES_KEPT / U entries for its
 * most recent jobs; entries that a user does not need are available to others. The entries take 2.6 MB in
 * total, plus the texts (labels, paths, reasons) of those in use.
 */
#define FATES_KEPT 16384
#define FATES_RECALLED_S                                                                                     \
	86400 /* seconds; jobs that ended within this time before a scheduler starts are loaded from the     \
		 history */

/* Wraps inner, which must outlive the cache. */
struct fates *fates_new(struct ledger inner);
void fates_free(struct fates *fates);

/* The ledger for the driver: forwards to inner and records job ends. */
struct ledger fates_ledger(struct fates *fates);

/* Loads the jobs of the store that ended at or after since_s. */
bool fates_recall(struct fates *fates, struct store *store, int64_t since_s, struct err *err);

/* Whose output paths are returned. For idle and running jobs they require reading the launch. */
struct fate_files {
	const char *user; /* NULL: of all users */
};

/*
 * The outcome of a job. fates NULL: only jobs in the state are known; files NULL: without output paths. Texts
 * are in the arena or in the state; those of an ended job are valid until the next commit.
 */
struct fate fates_find(const struct fates *fates, const struct state *st, const struct fate_name *name,
		       const struct fate_files *files, struct arena *arena);

/*
 * The same for many jobs at hardly more than the cost of one. At most FATE_LABELS_MAX names may be labels
 * without a number.
 */
void fates_find_all(const struct fates *fates, const struct state *st, const struct fate_name *name,
		    size_t count, const struct fate_files *files, struct arena *arena, struct fate *out);

/*
 * Can the dependency still be satisfied? False with a sentence: the other job has ended with an outcome for
 * which the new job would never start. The state alone treats unknown jobs as satisfied. fates NULL: unknown,
 * so true.
 */
bool fates_check_depend(const struct fates *fates, const struct depend *depend, struct err *err);

#endif
