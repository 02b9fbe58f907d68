/* SPDX-License-Identifier: MIT */
/*
 * ended_cache.h - outcomes of jobs, in words and as numbers
 *
 * The scheduler's answer to who asks about jobs by number or label, whether they wait, run or have ended
 * lately. What only concerns the owner is told to the owner alone, and to those who see everything.
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

/* Which job: its id, or when that is 0 what people call it: a label, a number; "12[]" and the number of an
 * array are all its tasks, of which the worst end counts. */
struct fate_name {
	uint64_t job;
	const char *label; /* NULL = none */
};

/* Texts: NULL = not said. Times: TIME_NONE = not yet. */
struct fate {
	uint64_t job;
	uint8_t phase;       /* enum fate_phase                                    */
	bool lost, at_limit; /* ended: it is not known how; at its wallclock limit */
	bool cancelled;      /* ended: as somebody cancelled it                    */
	int32_t status;      /* ended: as in ledger.h                              */
	int64_t start_s, end_s;
	const char *label, *user;    /* label NULL: the number                          */
	const char *why;             /* ended: a sentence where status does not say it; the reason given to
					cancel */
	const char *output, *errors; /* see outputs.h; only when they were asked for */
};

#define FATE_NAMES_MAX  1000 /* of one request */
#define FATE_LABELS_MAX 32   /* of them; each is looked for from end to end */
#define FATE_FILES_MAX                                                                                       \
	4 /* when their files are asked for; a launch of up to LAUNCH_MAX bytes is read for each */

struct str;

/* "job 12 ended with 0", "job 12 was ended by TERM", "job 12 runs", for a person; text_safe is yours. */
void fate_describe(const struct fate *fate, struct str *out);

/* As a shell has it: 128 and the number of the signal that ended it. 1 when nobody knows. */
uint8_t fate_exit_status(const struct fate *fate);

/* 128 + signal, of a status in the ledger's terms. */
uint8_t exit_status_of(int32_t status);

/* --- outcomes of ended jobs, kept for clients --------------------------------------------------------- */

/*
 * The state knows the jobs that wait and run; those that have ended it forgets. So the ledger is looked
 * over the shoulder: whatever ends is remembered once that is durable, FATES_KEPT jobs and arrays of it,
 * which the users share. All of it is used by the scheduler's thread alone.
 */

struct store;
struct fates; /* opaque */

/*
 * Entries for jobs and arrays that have ended. Of U users each has at least FATES_KEPT / U entries for what
 * ended last; what others leave unused is shared by those who need more. All of them take 2.6 MB, and the
 * texts (labels, paths, reasons) of the entries in use.
 */
#define FATES_KEPT       16384
#define FATES_RECALLED_S 86400 /* of jobs that ended before the start of a scheduler */

/* Looks over inner, which must outlive it. */
struct fates *fates_new(struct ledger inner);
void fates_free(struct fates *fates);

/* The ledger for the driver: inner, overheard. */
struct ledger fates_ledger(struct fates *fates);

/* Remembers what a store has of jobs that ended at or after since_s. */
bool fates_recall(struct fates *fates, struct store *store, int64_t since_s, struct err *err);

/* Whose files are told: of a job that is here they are in its launch, which is read for nobody else. */
struct fate_files {
	const char *user; /* NULL: of all users */
};

/*
 * What has become of a job. fates NULL: nobody remembers; files NULL: no files are told. Texts are in the
 * arena or in the state, those of one that has ended are good until the next commit.
 */
struct fate fates_find(const struct fates *fates, const struct state *st, const struct fate_name *name,
		       const struct fate_files *files, struct arena *arena);

/* The same of many, for hardly more than of one. At most FATE_LABELS_MAX of them have a label and no number.
 */
void fates_find_all(const struct fates *fates, const struct state *st, const struct fate_name *name,
		    size_t count, const struct fate_files *files, struct arena *arena, struct fate *out);

/* May a job still come after what it is to wait for? False with a sentence: that has ended, and so that the
 * job would never start. The state takes whatever it has forgotten for what was waited for. fates NULL: it is
 * not known, so it may. */
bool fates_check_depend(const struct fates *fates, const struct depend *depend, struct err *err);

#endif
