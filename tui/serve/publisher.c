/* SPDX-License-Identifier: MIT */
/*
 * publisher.c - memory files that are lent to clients, and limits on their memory
 *
 * The files are kept in the order in which they were made. Shared files form one group, and the files of each
 * user form a group. If a group exceeds its memory limit, its oldest file is withdrawn, but never the newest
 * ones. If there are too many files, the oldest file of the user with the most files is withdrawn.
 */
#include "publisher.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "allowance.h"
#include "mask.h"
#include "sched/base/vec.h"
#include "sched/rm/descriptors.h"
#include "sched/rm/monotonic.h"
#include "state_file.h"

#define FILES 128 /* maximum number of files of all users together */

#define SHARE 16 /* files use at most 1/16 of the descriptors; jobs and connections need the others */

#define OLD_MS 1500 /* files older than this are withdrawn, except the newest */

#define BEHIND_TIMES 4 /* maximum size of files being withdrawn, as a multiple of the memory limit */

#define LENT_TIMES 10 /* a state is reused for this many times the time it took to make */

#define LENT_MAX_MS 1000

struct file {
	int fd;
	uint64_t seq; /* version of the state; 0 = not a state */
	uid_t uid;
	gid_t gid;
	bool whole; /* shared by several users */
	bool names;
	bool reasons; /* of a shared state: includes failure reasons of all jobs */
	char *owners; /* users whose jobs have such reasons (mask.h); NULL = none */
	size_t size;
	int64_t made_ms;
	int64_t took_ns; /* processor time that making the file took */
};

struct publisher {
	struct file file[FILES];
	size_t count;
	size_t shared;   /* memory limit of the shared files, bytes */
	size_t newest;   /* number of files that are never withdrawn to free memory */
	size_t per_user; /* memory limit of one user, bytes */
	int64_t shared_ns;
	struct proxies *proxies;       /* processes that withdraw files; NULL = this thread does */
	unsigned lane;                 /* next lane of the proxies for shared files */
	struct snapshot_buffer masked; /* memory of the copies that are made for one user */
};

struct publisher *publisher_new(size_t shared, size_t newest, struct proxies *proxies)
{
	struct publisher *h = mem_zero(1, sizeof *h);

	h->shared = shared;
	h->newest = newest;
	h->proxies = proxies;
	h->per_user = (size_t)2 << 20;
	return h;
}

void publisher_set(struct publisher *h, size_t per_user)
{
	h->per_user = per_user;
}

/* Withdraws a file. Shared files use the lanes in turn, so that a file with many mappings does not delay the
 * others. */
static void withdraw(struct publisher *h, size_t i)
{
	const struct file *file = &h->file[i];

	if (h->proxies == NULL)
		memory_file_withdraw(file->fd);
	else if (file->whole)
		proxy_withdraw(h->proxies, PROXY_SHARED + h->lane++ % PROXY_LANES, file->fd, file->size);
	else
		proxy_withdraw(h->proxies, (uint32_t)file->uid, file->fd, file->size);
	free(h->file[i].owners);
	memmove(&h->file[i], &h->file[i + 1], (h->count - i - 1) * sizeof *h->file);
	h->count--;
}

void publisher_free(struct publisher *h)
{
	if (h == NULL)
		return;
	while (h->count > 0)
		withdraw(h, 0);
	free(h->masked.at);
	free(h);
}

/* --- limits -------------------------------------------------------------------------------------------- */

static bool is_together(const struct file *a, const struct file *b)
{
	return a->whole == b->whole && (a->whole || a->uid == b->uid);
}

/*
 * Returns the index of the oldest file of a group; SIZE_MAX: it has none. Sets the group's number of files
 * and bytes.
 */
static size_t oldest_of(const struct publisher *h, const struct file *like, size_t *count, size_t *bytes)
{
	size_t oldest = SIZE_MAX;

	*count = *bytes = 0;
	for (size_t i = 0; i < h->count; i++) {
		if (!is_together(&h->file[i], like))
			continue;
		oldest = oldest == SIZE_MAX ? i : oldest;
		*bytes += h->file[i].size;
		++*count;
	}
	return oldest;
}

/* Returns the number of bytes of the group's files that are being withdrawn, which still use memory. */
static size_t being_withdrawn(const struct publisher *h, const struct file *file)
{
	size_t bytes = 0, part;

	if (h->proxies == NULL)
		return 0;
	if (!file->whole) {
		proxy_withdrawing(h->proxies, (uint32_t)file->uid, &bytes);
		return bytes;
	}
	for (uint32_t i = 0; i < PROXY_LANES; i++) {
		proxy_withdrawing(h->proxies, PROXY_SHARED + i, &part);
		bytes += part;
	}
	return bytes;
}

/*
 * Sets err and returns true if the files that are still being withdrawn exceed BEHIND_TIMES the memory limit
 * (or the size of this file, if larger), because clients have mapped them very often. Administrators of level
 * 1 are not refused.
 */
static bool is_behind(const struct publisher *h, const struct file *file, const struct person *to,
		      struct err *err)
{
	size_t most = file->whole ? h->shared : h->per_user;

	return to->level != ADMIN_ALL &&
	       being_withdrawn(h, file) > BEHIND_TIMES * (file->size > most ? file->size : most) &&
	       !err_set(err,
			"too many earlier answers are still in use (mapped) by client programs; try again "
			"in a while");
}

/* Withdraws old files of the group to make room for a new one. To be called before the file is made, so that
 * the limit covers the remaining files and the new one. */
static void make_room(struct publisher *h, const struct file *file)
{
	size_t count, bytes, most = file->whole ? h->shared : h->per_user;
	size_t oldest;

	while ((oldest = oldest_of(h, file, &count, &bytes)) != SIZE_MAX && bytes + file->size > most &&
	       count >= h->newest)
		withdraw(h, oldest);
}

static size_t files_max(void)
{
	int64_t share = descriptors_limit() / SHARE;

	return share < 2 ? 2 : share < FILES ? (size_t)share : FILES;
}

/*
 * Returns the index of the oldest file of the user with the most files, so that many small answers to one
 * user do not displace the files of others.
 */
static size_t oldest_of_most(const struct publisher *h)
{
	size_t found = 0, most = 0;

	for (size_t i = 0; i < h->count; i++) {
		size_t count, bytes, oldest = oldest_of(h, &h->file[i], &count, &bytes);

		if (count > most) {
			most = count;
			found = oldest;
		}
	}
	return found;
}

static int lend(struct publisher *h, struct file file, struct err *err)
{
	if (file.fd < 0) {
		free(file.owners);
		return -1;
	}
	make_room(h, &file);
	while (h->count >= files_max())
		withdraw(h, oldest_of_most(h));
	file.made_ms = monotonic_ms();
	h->file[h->count++] = file;
	return memory_file_lend(file.fd, err);
}

void publisher_expire(struct publisher *h, uint64_t newest)
{
	int64_t now_ms = monotonic_ms();

	for (size_t i = h->count; i-- > 0;)
		if (h->file[i].seq != newest && h->file[i].made_ms + OLD_MS <= now_ms)
			withdraw(h, i);
}

size_t publisher_bytes_of(const struct publisher *h, uid_t uid)
{
	const struct file like = {.uid = uid};
	size_t count, bytes;

	oldest_of(h, &like, &count, &bytes);
	return bytes;
}

/* --- states ---------------------------------------------------------------------------------------- */

bool publisher_shows_names(const struct snapshot *s, const struct person *to)
{
	return to->level <= ADMIN_SEES || !s->policy.site.hide_names;
}

static bool sees_reasons(const struct person *to)
{
	return to->level <= ADMIN_SEES;
}

/*
 * Is the file suitable for the person? A shared file must contain all reasons that the person may see, and no
 * others.
 */
static bool is_for(const struct file *file, const struct person *to, bool names)
{
	if (file->names != names)
		return false;
	if (!file->whole)
		return file->uid == to->uid && file->gid == to->gid;
	if (file->reasons)
		return sees_reasons(to) || file->owners == NULL;
	return !sees_reasons(to) && !mask_owns_reason(file->owners, to->user);
}

int publisher_kept(const struct publisher *h, uint64_t seq, const struct person *to, bool names)
{
	for (size_t i = 0; i < h->count; i++)
		if (seq != 0 && h->file[i].seq == seq && is_for(&h->file[i], to, names))
			return memory_file_lend(h->file[i].fd, NULL);
	return -1;
}

int publisher_make(struct publisher *h, const struct snapshot *s, const struct person *to, bool names,
		   struct err *err)
{
	const struct viewer viewer = {.user = to->user, .group = to->group};
	struct file file = {.seq = s->seq,
			    .uid = to->uid,
			    .gid = to->gid,
			    .names = names,
			    .owners = names ? mask_reason_owners(s) : NULL};

	file.reasons = names && (sees_reasons(to) || file.owners == NULL);
	file.whole = names && (file.reasons || !mask_owns_reason(file.owners, to->user));
	make_room(h, &file);
	if (is_behind(h, &file, to, err))
		file.fd = -1;
	else if (file.reasons)
		file.fd = state_file_make(s, &file.size, err);
	else if (names)
		file.fd = state_file_make(mask_reasons(s, file.whole ? NULL : to->user, &h->masked),
					  &file.size, err);
	else
		file.fd = state_file_make(mask_snapshot(s, &viewer, &h->masked), &file.size, err);
	return lend(h, file, err);
}

int publisher_piece(struct publisher *h, int fd, size_t size, const struct person *to, struct err *err)
{
	struct file file = {.fd = fd, .uid = to->uid, .gid = to->gid, .size = size};

	if (is_behind(h, &file, to, err)) {
		close(fd);
		file.fd = -1;
	}
	return lend(h, file, err);
}

static bool is_recent(const struct file *file, int64_t now_ms)
{
	int64_t age_ms = now_ms - file->made_ms;

	return age_ms < LENT_MAX_MS && age_ms < LENT_TIMES * file->took_ns / 1000000;
}

/* Returns the newest file of a state that is suitable for the person; NULL: none. */
static const struct file *newest_for(const struct publisher *h, const struct person *to, bool names)
{
	for (size_t i = h->count; i-- > 0;)
		if (h->file[i].seq != 0 && is_for(&h->file[i], to, names))
			return &h->file[i];
	return NULL;
}

int publisher_state(struct publisher *h, const struct snapshot *s, const struct person *to,
		    uint64_t least_seq, struct err *err)
{
	bool names = publisher_shows_names(s, to), is_wanted;
	const struct file *newest = newest_for(h, to, names);
	int64_t began_ns = monotonic_thread_ns();
	int fd;

	if (newest != NULL &&
	    (newest->seq == s->seq || (newest->seq >= least_seq && is_recent(newest, monotonic_ms()))))
		return memory_file_lend(newest->fd, err);
	is_wanted = newest != NULL && newest->seq < least_seq && is_recent(newest, monotonic_ms());
	fd = publisher_make(h, s, to, names, err);
	if (fd < 0)
		return -1;
	h->file[h->count - 1].took_ns = monotonic_thread_ns() - began_ns;
	if (h->file[h->count - 1].whole && !is_wanted)
		h->shared_ns += h->file[h->count - 1].took_ns;
	return fd;
}

int64_t publisher_shared_ns(struct publisher *h)
{
	int64_t ns = h->shared_ns;

	h->shared_ns = 0;
	return ns;
}
