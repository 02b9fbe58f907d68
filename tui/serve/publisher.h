/* SPDX-License-Identifier: MIT */
/*
 * publisher.h - memory files that are lent to clients, and limits on their memory
 *
 * All clients that ask for the same version of the state receive the same memory file. The reason for a
 * failed start is visible only to the user of the job and to administrators: users with such jobs receive
 * files of their own, and all other users share a file without the reasons. Users who may see no names but
 * their own (mask.h) also receive files of their own.
 *
 * Files are withdrawn (state_file.h) if newer ones exist and their memory exceeds the limit. For shared files
 * this is the limit given to publisher_new, for files of one user option maxuseranswermemory. All files
 * together use at most a sixteenth of the descriptors of this process, but may always use two.
 */
#ifndef SERVE_PUBLISHER_H
#define SERVE_PUBLISHER_H

#include "sched/host/proxy.h"
#include "sched/model/snapshot.h"
#include "users.h"

struct publisher; /* opaque */

/*
 * shared: memory limit of the shared files in bytes. newest: number of the newest shared files, and of the
 * newest files of each user, that are not withdrawn even if they exceed the limit. proxies: processes that
 * withdraw the files, because withdrawing takes longer the more often clients have mapped a file; until then
 * the file counts toward the limit. proxies NULL: the caller's thread withdraws the files.
 */
struct publisher *publisher_new(size_t shared, size_t newest, struct proxies *proxies);
void publisher_free(struct publisher *h);

/* Sets the memory limit of the files of one user; initially 2 MB. */
void publisher_set(struct publisher *h, size_t per_user);

/* Withdraws files that are more than a second or two old, except that of the state after entry `newest`. */
void publisher_expire(struct publisher *h, uint64_t newest);

/* Returns the number of bytes of the user's files that have not been withdrawn. */
size_t publisher_bytes_of(const struct publisher *h, uid_t uid);

/*
 * Returns a descriptor of the state for the person, which the caller closes; -1 with err set on failure. s is
 * durable, so no other state has the same seq.
 *
 * If a large state changes continuously, making a copy for each request would take all of the scheduler's
 * time. A recent file is therefore lent even if there is a newer state: for ten times as long as it took to
 * make, and for a second at most. Files older than least_seq are not lent, because they lack the person's own
 * changes.
 */
int publisher_state(struct publisher *h, const struct snapshot *s, const struct person *to,
		    uint64_t least_seq, struct err *err);

/*
 * Returns the processor time used to make shared states since the last call. States made only because of
 * least_seq are not included: they are charged to the person.
 */
int64_t publisher_shared_ns(struct publisher *h);

/*
 * For past states. names: with all names. publisher_kept returns a descriptor of a cached file, -1 if there
 * is none. publisher_make makes a file and caches it; -1 with err set on failure.
 */
int publisher_kept(const struct publisher *h, uint64_t seq, const struct person *to, bool names);
int publisher_make(struct publisher *h, const struct snapshot *s, const struct person *to, bool names,
		   struct err *err);

/*
 * Lends a file that is not a state. Takes ownership of fd; returns the descriptor for the client; -1 with err
 * set on failure.
 */
int publisher_piece(struct publisher *h, int fd, size_t size, const struct person *to, struct err *err);

/* May the person see other people's names? */
bool publisher_shows_names(const struct snapshot *s, const struct person *to);

#endif
