/* SPDX-License-Identifier: MIT */
/* node_file.c - the file with the nodes of a running job ($PBS_NODEFILE) */
#include "node_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system_clock.h"

#define PREFIX "kahu-nodes."

#define YOUNG_S 60 /* younger files are not removed: the shepherd may not have locked them yet */

/*
 * Folders in order of preference. Only root can fill the file system of the first; the first two are usually
 * in memory, so a full disk does no harm.
 */
static const char *const folders[] = {"/run", "/dev/shm", "/tmp"};

#define FOLDERS (sizeof folders / sizeof folders[0])

/* Writes and locks the file. It belongs to root if root runs the scheduler; the job can only read it. */
static bool write_to(int fd, const char *lines, size_t len)
{
	ssize_t written = write(fd, lines, len);

	if (written >= 0 && written < (ssize_t)len)
		errno = ENOSPC;
	return written == (ssize_t)len && fchmod(fd, 0444) == 0 && flock(fd, LOCK_EX | LOCK_NB) == 0;
}

bool node_file_write(struct node_file *out, const char *lines, size_t len)
{
	for (size_t i = 0; i < FOLDERS; i++) {
		int why;

		snprintf(out->path, sizeof out->path, "%s/" PREFIX "XXXXXX", folders[i]);
		out->fd = mkostemp(out->path, O_CLOEXEC);
		if (out->fd < 0)
			continue;
		if (write_to(out->fd, lines, len))
			return true;
		why = errno;
		node_file_remove(out);
		errno = why;
	}
	*out = (struct node_file){.fd = -1};
	return false;
}

void node_file_remove(struct node_file *file)
{
	if (file->path[0] == '\0')
		return;
	unlink(file->path);
	close(file->fd);
	*file = (struct node_file){.fd = -1};
}

static bool is_left(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	       st.st_mtime + YOUNG_S <= system_clock_s() && flock(fd, LOCK_EX | LOCK_NB) == 0;
}

/*
 * Removes leftover files from one folder. Another user may have created a file with such a name: a symbolic
 * link is not followed, and opening does not block.
 */
static void sweep(DIR *dir)
{
	const struct dirent *entry;

	while ((entry = readdir(dir)) != NULL) {
		int fd = -1;

		if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0)
			fd = openat(dirfd(dir), entry->d_name,
				    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (is_left(fd))
			unlinkat(dirfd(dir), entry->d_name, 0);
		close(fd);
	}
}

void node_file_sweep(void)
{
	for (size_t i = 0; i < FOLDERS; i++) {
		DIR *dir = opendir(folders[i]);

		if (dir == NULL)
			continue;
		sweep(dir);
		closedir(dir);
	}
}
