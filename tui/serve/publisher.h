/* SPDX-License-Identifier: MIT */
/*
 * publisher.h - states and parts of the history that are lent to clients, and bounds on their memory
 *
 * A state is one file in memory for all who ask while it is the same. Why the starts of a user's jobs failed
 * only the user and administrators see: while there are such jobs, their users have a file each, and all
 * others share one without the reasons. Users who are to see no names but their own (mask.h) have one each.
 * Files are withdrawn (state_file.h) when there are newer ones and they take more than they may: those for
 * all what handout_new was told, those made for one user what option maxuseranswermemory says. All together
 * take at most a sixteenth of the descriptors of this process, but always two.
 */
#ifndef SERVE_PUBLISHER_H
#define SERVE_PUBLISHER_H

#include "sched/host/proxy.h"
#include "sched/model/snapshot.h"
#include "users.h"

struct handout; /* opaque */

/*
 * shared: bytes that files for all may take. newest: so many of those for all, and of each user's, stay
 * however much they take. proxies: files are withdrawn by them, since that takes the longer the more often a
 * client has mapped the file; until then they count. NULL: they are withdrawn here.
 */
struct handout *handout_new(size_t shared, size_t newest, struct proxies *proxies);
void handout_free(struct handout *h);

/* Bytes that what was made for one user may take; 2 MB until it is said. */
void handout_set(struct handout *h, size_t per_user);

/* Withdraws what has been there for a second or two and is not the state of the entry `newest`. */
void handout_expire(struct handout *h, uint64_t newest);

/* What was made for one user and is not withdrawn. */
size_t handout_bytes_of(const struct handout *h, uid_t uid);

/*
 * A descriptor of the state for whoever asks, the caller's to close; -1 with a sentence. s is durable: no
 * other state has its seq.
 *
 * While others change a large state all the time, a copy for each question would take all of the scheduler's
 * time. So what was made lately is lent although there is a newer state: for ten times as long as it took to
 * make, at most a second. least_seq: older ones are not lent, as those without the asker's own changes.
 */
int handout_state(struct handout *h, const struct snapshot *s, const struct person *to, uint64_t least_seq,
		  struct err *err);

/*
 * Time of the processor that states for all have taken since the last call. Those that were made because
 * least_seq wanted them are not among them: the asker pays.
 */
int64_t handout_shared_ns(struct handout *h);

/*
 * The same of states of any seq. names: with all names. What is kept of one, -1: nothing is; and what is made
 * of it, to be kept, -1 with a sentence.
 */
int handout_kept(const struct handout *h, uint64_t seq, const struct person *to, bool names);
int handout_make(struct handout *h, const struct snapshot *s, const struct person *to, bool names,
		 struct err *err);

/* Lends a file of so many bytes that is no state; fd becomes the handout's. */
int handout_piece(struct handout *h, int fd, size_t size, const struct person *to, struct err *err);

/* May they see other people's names? */
bool handout_shows_names(const struct snapshot *s, const struct person *to);

#endif
