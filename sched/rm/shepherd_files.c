/* SPDX-License-Identifier: MIT */
/*
 * shepherd_files.c - input and output files of the job
 *
 * Everything is opened as the user, so nobody reaches what he could not reach himself. But others may have
 * put something at the path of an output: a link (it would lead to another file of his), a second name of
 * such a file, a FIFO (opening it would wait for ever), a device. So what was opened is looked at before it
 * is emptied: only a file with one name, or /dev/null, will do.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "shepherd_inside.h"
#include "waiter.h"

#define NULL_DEVICE makedev(1, 3)

static bool refuse(struct err *err, const char *what, const char *path, const char *why)
{
	return err_set(err, "its %s %s cannot be used: %s", what, path, why);
}

static const char *open_reason(int why)
{
	switch (why) {
	case ELOOP:
		return "it is a symbolic link, which is not followed";
	case ENXIO:
		return "it is no file";
	case ENOENT:
		return "its folder is not there";
	case EAGAIN:
		return "a process holds a lease on it";
	default:
		return strerror(why);
	}
}

/* NULL: it will do. */
static const char *objection(const struct stat *st, bool is_output)
{
	if (S_ISCHR(st->st_mode) && st->st_rdev == NULL_DEVICE)
		return NULL;
	if (!S_ISREG(st->st_mode))
		return "it is no file";
	if (is_output && st->st_nlink > 1)
		return "the file has other names as well (hard links)";
	return NULL;
}

/* From now on reads and writes wait, as everybody expects. */
static bool make_blocking(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0;
}

static bool check_open(int fd, const char *what, const char *path, bool is_output, struct err *err)
{
	const char *why;
	struct stat st;

	if (fstat(fd, &st) != 0 || !make_blocking(fd))
		return refuse(err, what, path, strerror(errno));
	why = objection(&st, is_output);
	return why == NULL || refuse(err, what, path, why);
}

/* Takes fd, which becomes descriptor `as`. */
static bool put_at(int fd, int as)
{
	bool good = dup2(fd, as) == as;

	if (fd != as)
		close(fd);
	return good;
}

/* The same, of a file that the job named. */
static bool place(int fd, int as, const char *what, const char *path, struct err *err)
{
	return put_at(fd, as) || child_note_errno(errno) || refuse(err, what, path, strerror(errno));
}

/* A process of the user may hold a lease (F_SETLEASE) on the file: that is no shortage of the host. */
static bool note_open(int why)
{
	return why == EAGAIN || why == EINTR ? child_note(END_NOT_STARTED) : child_note_errno(why);
}

/* Files of /proc are regular files as well, and say what the process is that opens them. */
static bool is_of_proc(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

static bool open_input(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
	int why = errno;

	if (fd < 0)
		return note_open(why) ||
		       refuse(err, "input", path, why == ENOENT ? strerror(why) : open_reason(why));
	if (is_of_proc(fd))
		return refuse(err, "input", path, "it is a file of /proc");
	return check_open(fd, "input", path, false, err) && place(fd, STDIN_FILENO, "input", path, err);
}

/*
 * A file of another user is bait where a user other than the job's and root can have put it: the owner reads
 * what the job writes, and changes it. Whose folder it is decides that, and not its mode alone: the owner of
 * a folder for everybody can close it to others before the job starts. Newer kernels refuse to open some
 * (fs.protected_regular), when the system is set up so and the folder is sticky.
 */
static bool is_bait(int folder_fd, int fd)
{
	struct stat file, folder;

	if (fstat(fd, &file) != 0 || fstat(folder_fd, &folder) != 0)
		return true;
	if (!S_ISREG(file.st_mode) || file.st_uid == geteuid() || (file.st_uid == 0 && folder.st_uid == 0))
		return false;
	return (folder.st_uid != geteuid() && folder.st_uid != 0) ||
	       (folder.st_mode & (S_IWOTH | S_IWGRP)) != 0;
}

/* What is behind the last '/'; a path that ends there names a folder. */
static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash[1] != '\0' ? slash + 1 : ".";
}

/* The folder that a path leads to now: whoever owns one above it can have it lead elsewhere later. */
static int open_folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct str dir = {0};
	int fd, why;

	str_add_bytes(&dir, slash == NULL ? "." : path, slash == NULL ? 1 : (size_t)(slash + 1 - path));
	fd = open(str_text(&dir), O_PATH | O_DIRECTORY | O_CLOEXEC);
	why = errno;
	str_free(&dir);
	errno = why;
	return fd;
}

/* Both descriptors of what is there, or was made; -1 with errno, and then neither is open. */
static int open_to_write(const char *path, int *folder)
{
	int fd, why;

	*folder = open_folder_of(path);
	if (*folder < 0)
		return -1;
	fd = openat(*folder, last_name(path),
		    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW, 0666);
	why = errno;
	if (fd < 0)
		close(*folder);
	errno = why;
	return fd;
}

static bool open_output(const char *what, const char *path, int as, bool appends, struct err *err)
{
	int folder, fd = open_to_write(path, &folder);
	bool bait;

	if (fd < 0)
		return note_open(errno) || refuse(err, what, path, open_reason(errno));
	bait = is_bait(folder, fd);
	close(folder);
	if (!check_open(fd, what, path, true, err))
		return false;
	if (bait)
		return refuse(err, what, path,
			      "it belongs to another user, in a folder that others can write to");
	if (!appends && ftruncate(fd, 0) != 0 && errno != EINVAL) /* EINVAL: /dev/null */
		return refuse(err, what, path, strerror(errno));
	return place(fd, as, what, path, err);
}

static bool open_named_output(const struct launch *launch, const char *what, const char *pattern, int as,
			      struct err *err)
{
	struct str path = {0};
	bool good;

	if (pattern == NULL)
		return open_output(what, "/dev/null", as, true, err);
	good = launch_path(pattern, launch, &path, err) &&
	       open_output(what, str_text(&path), as, (launch->flags & LAUNCH_APPEND) != 0, err);
	str_free(&path);
	return good;
}

static bool open_by_name(const struct launch *launch, struct err *err)
{
	bool joined = (launch->flags & LAUNCH_JOIN) != 0;

	if (!open_input(launch->input == NULL ? "/dev/null" : launch->input, err) ||
	    !open_named_output(launch, "output", launch->output, STDOUT_FILENO, err))
		return false;
	if (joined)
		return dup2(STDOUT_FILENO, STDERR_FILENO) == STDERR_FILENO || child_note_errno(errno) ||
		       err_set(err, "its errors cannot go where its output goes: %s", strerror(errno));
	return open_named_output(launch, "error output", launch->errors, STDERR_FILENO, err);
}

/* The descriptors of who waits; a terminal becomes ours. */
static bool open_from_waiter(const struct launch *launch, int *connection, struct err *err)
{
	const struct waiter_call call = {.path = launch->waiter,
					 .key = launch->waiter_key,
					 .job = launch->job,
					 .attempt = launch->attempt};
	int in[3];

	*connection = waiter_ask(&call, in, err);
	if (*connection < 0)
		return false;
	if (!put_at(in[0], STDIN_FILENO) || !put_at(in[1], STDOUT_FILENO) || !put_at(in[2], STDERR_FILENO))
		return err_set(err, "its input and output cannot be used: %s", strerror(errno));
	if ((launch->flags & LAUNCH_PTY) != 0 && ioctl(STDIN_FILENO, TIOCSCTTY, 0) != 0)
		return err_set(err, "its terminal cannot be used: %s", strerror(errno));
	return true;
}

bool files_open(const struct launch *launch, int *connection, struct err *err)
{
	*connection = -1;
	return launch->waiter != NULL ? open_from_waiter(launch, connection, err) : open_by_name(launch, err);
}
