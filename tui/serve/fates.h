/* SPDX-License-Identifier: MIT */
/*
 * fates.h - what has become of the jobs that people ask the running scheduler about?
 *
 * The state knows the jobs that wait and run; those that have ended it forgets. So the ledger is looked
 * over the shoulder: whatever ends is remembered once that is durable, FATES_KEPT jobs and arrays of it,
 * which the users share. All of it is used by the scheduler's thread alone.
 */
#ifndef TUI_SERVE_FATES_H
#define TUI_SERVE_FATES_H

#include "fate.h"
#include "sched/base/arena.h"
#include "sched/host/ledger.h"

struct store;
struct fates; /* opaque */

/*
 * Entries for jobs and arrays that have ended. Of U users each has at least FATES_KEPT / U entries for what
 * ended last; what others leave unused is shared by those who need more. All of them take 2.6 MB, and the
 * texts (labels, paths, reasons) of the entries in use.
 */
#define FATES_KEPT 16384

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
