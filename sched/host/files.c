/* SPDX-License-Identifier: MIT */
/*
 * files.c - reading and atomic replacement of whole files
 *
 * The size that stat() reports is only a hint for the first allocation: a pipe has none, and a file may grow
 * while it is read. Reading ends when read() returns 0.
 */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sched/base/option.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/rm/trusted.h"

/* --- reading ------------------------------------------------------------------------------------------ */

#define PIECE ((size_t)1 << 16)

#define FIFO_MS 5000 /* time limit for a process to open a FIFO for writing */

const char *file_name(const char *path)
{
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

static bool refuse_open(const char *path, int why, struct err *err)
{
	const char *advice = why == ENOENT   ? "; check the name"
			     : why == EACCES ? "; ask its owner for permission to read it"
					     : "";

	return err_set(err, "cannot read %s: %s%s", file_name(path), strerror(why), advice);
}

/* Has a process opened the FIFO for writing? tee(2) finds out without consuming data. */
static bool has_writer(int fd)
{
	struct pollfd file = {.fd = fd, .events = POLLIN};
	int copy[2];
	bool has;

	if (poll(&file, 1, FIFO_MS) != 0 || pipe2(copy, O_CLOEXEC) != 0)
		return true;
	has = tee(fd, copy[1], 1, SPLICE_F_NONBLOCK) != 0;
	close(copy[0]);
	close(copy[1]);
	return has;
}

/*
 * Makes reads blocking. Returns false with err set if the file is a FIFO without a writer, because a read
 * would then wait indefinitely.
 */
static bool make_blocking(int fd, const char *path, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode) && !has_writer(fd))
		return err_set(err, "cannot read %s: it is a FIFO, and no process writes to it", path);
	return fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK) == 0 || refuse_open(path, errno, err);
}

/* Opens a file for reading. Returns its descriptor, or -1 with err set. */
static int open_to_read(const char *path, struct err *err)
{
	int fd;

	if (strcmp(path, "-") == 0)
		return STDIN_FILENO;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		refuse_open(path, errno, err);
	else if (!make_blocking(fd, path, err)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static bool refuse_size(const char *path, size_t max_bytes, struct err *err)
{
	return err_set(err, "cannot read %s: it has more than %zu bytes, the maximum", file_name(path),
		       max_bytes);
}

/* Checks that the file can be read, and sets *expected to the number of bytes to expect. */
static bool look_at(int fd, const char *path, size_t max_bytes, size_t *expected, struct err *err)
{
	struct stat st;

	*expected = PIECE;
	if (fstat(fd, &st) != 0)
		return refuse_open(path, errno, err);
	if (S_ISDIR(st.st_mode))
		return err_set(err, "cannot read %s: it is a directory; name a file in it", file_name(path));
	if (!S_ISREG(st.st_mode))
		return true;
	*expected = (size_t)st.st_size;
	return *expected <= max_bytes || refuse_size(path, max_bytes, err);
}

/* The buffer always has room for one more byte and the NUL, so that the last read can return 0. */
static bool read_all(int fd, const char *path, size_t expected, size_t max_bytes, struct str *out,
		     struct err *err)
{
	size_t begin = out->len;
	ssize_t n;

	out->data = vec_room(out->data, &out->cap, begin + expected + 2, 1);
	do {
		out->data = vec_room(out->data, &out->cap, out->len + 2, 1);
		n = read(fd, out->data + out->len, out->cap - out->len - 1);
		if (n < 0 && errno != EINTR)
			return refuse_open(path, errno, err);
		out->len += n > 0 ? (size_t)n : 0;
		if (out->len - begin > max_bytes)
			return refuse_size(path, max_bytes, err);
	} while (n != 0);
	out->data[out->len] = '\0';
	return true;
}

static bool read_open(int fd, const char *path, size_t max_bytes, struct str *out, struct err *err)
{
	size_t begin = out->len;
	size_t expected;
	bool good = look_at(fd, path, max_bytes, &expected, err) &&
		    read_all(fd, path, expected, max_bytes, out, err);

	if (!good && out->data) {
		out->len = begin;
		out->data[begin] = '\0';
	}
	return good;
}

static void close_read(int fd)
{
	if (fd != STDIN_FILENO)
		close(fd);
}

bool file_read(const char *path, size_t max_bytes, struct str *out, struct err *err)
{
	int fd = open_to_read(path, err);
	bool good = fd >= 0 && read_open(fd, path, max_bytes, out, err);

	if (fd >= 0)
		close_read(fd);
	return good;
}

bool file_read_config(const char *path, struct str *out, struct err *barred, struct err *err)
{
	int fd = open_to_read(path, err);
	struct stat st;
	bool good = fd >= 0 && read_open(fd, path, OPTION_TEXT_MAX, out, err);

	*barred = (struct err){{0}};
	if (good && fstat(fd, &st) != 0)
		err_set(barred, "the owner of %s is unknown: %s", file_name(path), strerror(errno));
	else if (good)
		trusted_config(file_name(path), &st, barred);
	if (fd >= 0)
		close_read(fd);
	return good;
}

/* --- atomic replacement ------------------------------------------------------------------------------- */

static bool refuse(const struct outfile *f, struct err *err)
{
	return err_set(err, "cannot write %s: %s", f->path, strerror(errno));
}

/*
 * Is the path, or the target if it is a symbolic link, something other than a regular file? Then it is
 * written directly. A link of another user is never followed.
 */
static bool is_special(const char *path)
{
	struct stat link, target;

	if (lstat(path, &link) != 0 ||
	    (S_ISLNK(link.st_mode) && link.st_uid != 0 && link.st_uid != geteuid()))
		return false;
	return stat(path, &target) == 0 && !S_ISREG(target.st_mode);
}

/*
 * Opens a device or pipe. Sets *regular if the path has become a regular file, or a link to one, which must
 * not be written directly.
 */
static int open_special(const char *path, bool *regular)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	struct stat st;

	*regular = fd >= 0 && (fstat(fd, &st) != 0 || S_ISREG(st.st_mode));
	if (!*regular)
		return fd;
	close(fd);
	return -1;
}

/*
 * Creates the temporary file. If other users may write to the directory, one of them may have created a file
 * of this name, or a process that died has left it: such a file is removed first.
 */
static int create(const char *path)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int fd = open(path, flags, 0666);

	return fd < 0 && errno == EEXIST && unlink(path) == 0 ? open(path, flags, 0666) : fd;
}

bool outfile_open(struct outfile *f, const char *path, struct err *err)
{
	bool regular = true;

	*f = (struct outfile){.fd = -1};
	if (snprintf(f->path, sizeof f->path, "%s", path) >= (int)sizeof f->path)
		return err_set(err, "the path %.60s... is too long", path);
	if (is_special(path))
		f->fd = open_special(path, &regular);
	if (regular) {
		if (access(path, F_OK) == 0 && access(path, W_OK) != 0)
			return refuse(f, err);
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
