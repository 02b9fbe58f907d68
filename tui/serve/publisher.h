/* SPDX-License-Identifier: MIT */
/*
 * publisher.h - memory files that are lent to clients, and limits on their memory
 *
 * All clients that ask for the same version of the state receive the same memory file. The reason for a
 * failed start is visible only to the user of the job and to administrators: users with such jobs receive
 * their own files, and all others share one without the reasons. Users who may see no names but their own
 * (mask.h) have a file each. Files are withdrawn (state_file.h) if newer ones exist and their memory exceeds
 * the limit: for shared files the limit given to publisher_new, for files of one user option
 * maxuseranswermemory. The files together use at most a sixteenth of the descriptors of this process, but
 * always two.
 */
#ifndef SERVE_PUBLISHER_H
#define SERVE_PUBLISHER_H

#include "sched/host/proxy.h"
#include "sched/model/snapshot.h"
#include "users.h"

struct publisher; /* opaque */

/*
 * shared: memory limit of the shared files in bytes. newest: number of shared files, and of each user's
 * files, that stay even if they exceed the limit. proxies: withdraw the files, because that takes longer the
 * more often clients have mapped them; until then the files count. NULL: withdrawn by the caller's thread.
 */
struct publisher *publisher_new(size_t shared, size_t newest, struct proxies *proxies);
void publisher_free(struct publisher *h);

/* Memory limit of the files of one user; 2 MB by default. */
void publisher_set(struct publisher *h, size_t per_user);

/* Withdraws files that are a second or two old and are not the state after entry `newest`. */
void publisher_expire(struct publisher *h, uint64_t newest);

/* Bytes of the user's files that are not withdrawn. */
size_t publisher_bytes_of(const struct publisher *h, uid_t uid);

/*
 * A descriptor of the state for the person, to be closed by the caller; -1 with a sentence. s is durable: no
 * other state has its seq.
 *
 * If a large state changes continuously, a copy for each request would take all of the scheduler's time. A
 * recent file is therefore lent even if there is a newer state: for ten times as long as it took to make, at
 * most a second. Files older than least_seq are not lent, because they lack the person's own changes.
 */
int publisher_state(struct publisher *h, const struct snapshot *s, const struct person *to,
		    uint64_t least_seq, struct err *err);

/*
 * Processor time used for shared states since the last call, except for states made because of least_seq,
 * which are charged to the person.
 */
int64_t publisher_shared_ns(struct publisher *h);

/*
 * The same for past states of any seq. names: with all names. The first returns a cached file, -1: none; the
 * second makes and caches one, -1 with a sentence.
 */
int publisher_kept(const struct publisher *h, uint64_t seq, const struct person *to, bool names);
int publisher_make(struct publisher *h, const struct snapshot *s, const struct person *to, bool names,
		   struct err *err);

/* Lends a file of the given size that is not a state; takes ownership of fd. */
int publisher_piece(struct publisher *h, int fd, size_t size, const struct person *to, struct err *err);

/* May the person see other people's names? */
bool publisher_shows_names(const struct snapshot *s, const struct person *to);

#endif
