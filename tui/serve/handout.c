/* SPDX-License-Identifier: MIT */
/*
 * handout.c - how does everybody get the state without a copy for each?
 */
#include "handout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mask.h"
#include "memory_file.h"
#include "sched/base/vec.h"

#define FILES 4 /* at a time: each is as large as the state */

/* A state as somebody may see it. */
struct file {
	int fd; /* -1 = none */
	uint64_t seq;
	uid_t uid;
	gid_t gid;
	bool whole; /* for all who may see names */
};

struct handout {
	struct file file[FILES];
	unsigned next; /* to be replaced */
};

struct handout *handout_new(void)
{
	struct handout *h = mem_zero(1, sizeof *h);

	for (int i = 0; i < FILES; i++)
		h->file[i].fd = -1;
	return h;
}

static void forget(struct file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}

void handout_free(struct handout *h)
{
	if (h == NULL)
		return;
	for (int i = 0; i < FILES; i++)
		forget(&h->file[i]);
	free(h);
}

bool handout_shows_names(const struct snapshot *s, const struct person *to)
{
	return to->level <= ADMIN_SEES || !s->policy.site.hide_names;
}

static int whole_file(const struct snapshot *s, struct err *err)
{
	size_t size = snapshot_copy_size(s), used = size;
	void *at;
	int fd = memory_file_begin("kahu-state", size, &at, err);

	if (fd >= 0)
		snapshot_copy_into(s, at, &used);
	return fd >= 0 ? memory_file_seal(fd, at, size, err) : -1;
}

static int masked_file(const struct snapshot *s, const struct person *to, struct err *err)
{
	const struct viewer viewer = {.user = to->user, .group = to->group};
	struct snapshot *masked = mask_snapshot(s, &viewer);
	int fd = memory_file("kahu-state", masked, (size_t)masked->size, err);

	free(masked);
	return fd;
}

static int another(const struct file *file, struct err *err)
{
	int fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);

	if (fd < 0)
		err_set(err, "the state cannot be handed out: %s", strerror(errno));
	return fd;
}

int handout_kept(const struct handout *h, uint64_t seq, const struct person *to, bool whole)
{
	for (int i = 0; i < FILES; i++) {
		const struct file *file = &h->file[i];

		if (file->fd >= 0 && file->seq == seq && file->whole == whole &&
		    (whole || (file->uid == to->uid && file->gid == to->gid)))
			return another(file, NULL);
	}
	return -1;
}

int handout_make(struct handout *h, const struct snapshot *s, const struct person *to, bool whole,
		 struct err *err)
{
	struct file *file = &h->file[h->next++ % FILES];

	forget(file);
	*file = (struct file){.seq = s->seq, .uid = to->uid, .gid = to->gid, .whole = whole};
	file->fd = whole ? whole_file(s, err) : masked_file(s, to, err);
	return file->fd >= 0 ? another(file, err) : -1;
}

int handout_state(struct handout *h, const struct snapshot *s, const struct person *to, struct err *err)
{
	bool whole = handout_shows_names(s, to);
	int fd;

	for (int i = 0; i < FILES; i++)
		if (h->file[i].seq != s->seq)
			forget(&h->file[i]);
	fd = handout_kept(h, s->seq, to, whole);
	return fd >= 0 ? fd : handout_make(h, s, to, whole, err);
}
