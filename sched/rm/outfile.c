/* SPDX-License-Identifier: MIT */
/*
 * outfile.c - atomic replacement of a file
 */
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sched/base/str.h"

static bool refuse(const struct outfile *f, struct err *err)
{
	return err_set(err, "%s: cannot be written: %s", f->path, strerror(errno));
}

/* A link is followed: what it points to is what will be replaced. */
static bool is_special(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

/* Others may write to the folder: what has the name already is none of ours, or left by one of us that died.
 */
static int create(const char *path)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int fd = open(path, flags, 0666);

	return fd < 0 && errno == EEXIST && unlink(path) == 0 ? open(path, flags, 0666) : fd;
}

bool outfile_open(struct outfile *f, const char *path, struct err *err)
{
	*f = (struct outfile){.fd = -1};
	if (snprintf(f->path, sizeof f->path, "%s", path) >= (int)sizeof f->path)
		return err_set(err, "the path %.60s... is too long", path);
	if (is_special(path)) {
		f->fd = open(path, O_WRONLY | O_CLOEXEC);
	} else if (access(path, F_OK) == 0 && access(path, W_OK) != 0) {
		return refuse(f, err);
	} else {
		snprintf(f->temp, sizeof f->temp, "%s.%ld.new", path, (long)getpid());
		f->fd = create(f->temp);
	}
	if (f->fd < 0)
		return refuse(f, err);
	f->open = true;
	return true;
}

static bool write_all(int fd, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t put = write(fd, text, len);

		if (put < 0 && errno != EINTR)
			return false;
		if (put > 0) {
			text += put;
			len -= (size_t)put;
		}
	}
	return true;
}

bool outfile_write(struct outfile *f, const struct str *text, struct err *err)
{
	bool ok = write_all(f->fd, str_text(text), text->len) || refuse(f, err);

	if (close(f->fd) != 0 && ok)
		ok = refuse(f, err);
	f->open = false;
	if (f->temp[0] && ok && rename(f->temp, f->path) != 0)
		ok = refuse(f, err);
	if (f->temp[0] && !ok)
		unlink(f->temp);
	return ok;
}

void outfile_drop(struct outfile *f)
{
	if (!f->open)
		return;
	close(f->fd);
	if (f->temp[0])
		unlink(f->temp);
	f->open = false;
}
