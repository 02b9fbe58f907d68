/* SPDX-License-Identifier: MIT */
/*
 * spool.c - the spool file of a job, written by its shepherd
 *
 * A file for each attempt, with the parts of spool_part.c; its shepherd holds its lock as long as it lives. A
 * part whose place is all zeros was never written; one that is neither zeros nor whole is damaged, and a job
 * whose begun part is damaged may have run.
 */
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sched/base/failpoint.h"
#include "spool_part.h"

#define NAME_ROOM 48
#define STAT_ROOM 1024 /* /proc/PID/stat */

static const char *file_name(uint64_t job, uint32_t attempt, char name[static NAME_ROOM])
{
	snprintf(name, NAME_ROOM, "%" PRIu64 ".%" PRIu32, job, attempt);
	return name;
}

static bool lock(int fd, int how)
{
	int failed;

	do
		failed = flock(fd, how);
	while (failed != 0 && errno == EINTR);
	return failed == 0;
}

/* The lock of a file that still has a name; false with errno. Whoever judges it holds it for a moment. */
static bool own(int fd)
{
	struct stat st;

	if (!lock(fd, LOCK_EX) || fstat(fd, &st) != 0)
		return false;
	if (st.st_nlink > 0)
		return true;
	errno = ESTALE;
	return false;
}

static bool fill(int fd)
{
	static const unsigned char zeros[SPOOL_SIZE];
	ssize_t n = pwrite(fd, zeros, sizeof zeros, 0);

	if (n >= 0 && n < SPOOL_SIZE)
		errno = ENOSPC;
	return n == SPOOL_SIZE;
}

int spool_create(int folder, uint64_t job, uint32_t attempt)
{
	char name[NAME_ROOM];
	int fd = openat(folder, file_name(job, attempt, name),
			O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	int why;

	if (fd < 0)
		return -1;
	if (!own(fd)) {
		why = errno;
	} else if (fill(fd)) {
		return fd;
	} else {
		why = errno;
		unlinkat(folder, name, 0);
	}
	close(fd);
	errno = why;
	return -1;
}

bool spool_sync(int fd)
{
	return fsync(fd) == 0;
}

/* What is missing at the end is as if it were zero. False with errno. */
static bool read_file(int fd, unsigned char file[static SPOOL_SIZE])
{
	size_t done = 0;
	ssize_t n = 1;

	memset(file, 0, SPOOL_SIZE);
	while (done < SPOOL_SIZE && n != 0) {
		n = pread(fd, file + done, SPOOL_SIZE - done, (off_t)done);
		if (n < 0 && errno != EINTR)
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return true;
}

static void begin(struct spool *out, uint64_t job, uint32_t attempt)
{
	memset(out, 0, sizeof *out);
	out->job = job;
	out->attempt = attempt;
}

static bool refuse(struct err *err, uint64_t job, uint32_t attempt, const char *what)
{
	return err_set(err, "the spool file %" PRIu64 ".%" PRIu32 " cannot be %s: %s", job, attempt, what,
		       strerror(errno));
}

bool spool_read(int folder, uint64_t job, uint32_t attempt, struct spool *out, struct err *err)
{
	unsigned char file[SPOOL_SIZE];
	char name[NAME_ROOM];
	int fd = openat(folder, file_name(job, attempt, name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	bool good;

	begin(out, job, attempt);
	if (fd < 0)
		return refuse(err, job, attempt, "read");
	good = read_file(fd, file) || refuse(err, job, attempt, "read");
	close(fd);
	if (good)
		spool_read_parts(file, out);
	return good;
}

/* --- processors of a resumed job ---------------------------------------------------------------- */

static const char *cpus_name(uint64_t job, uint32_t attempt, char name[static NAME_ROOM])
{
	snprintf(name, NAME_ROOM, "%" PRIu64 ".%" PRIu32 ".cpus", job, attempt);
	return name;
}

bool spool_write_cpus(int folder, uint64_t job, uint32_t attempt, const char *cpus)
{
	char name[NAME_ROOM];
	size_t len = strlen(cpus);
	bool good;
	int fd, why;

	errno = E2BIG;
	if (len >= SPOOL_LIST)
		return false;
	fd = openat(folder, cpus_name(job, attempt, name),
		    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	good = fd >= 0 && write(fd, cpus, len) == (ssize_t)len;
	why = errno;
	if (fd >= 0)
		close(fd);
	errno = why;
	return good;
}

bool spool_take_cpus(int folder, uint64_t job, uint32_t attempt, char cpus[static SPOOL_LIST])
{
	char name[NAME_ROOM];
	int fd = openat(folder, cpus_name(job, attempt, name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t n = fd < 0 ? -1 : read(fd, cpus, SPOOL_LIST - 1);

	cpus[n > 0 ? n : 0] = '\0';
	if (fd < 0)
		return false;
	close(fd);
	unlinkat(folder, name, 0);
	return n > 0;
}

bool spool_remove(int folder, uint64_t job, uint32_t attempt, struct err *err)
{
	char name[NAME_ROOM];

	unlinkat(folder, cpus_name(job, attempt, name), 0); /* mostly there is none */
	return unlinkat(folder, file_name(job, attempt, name), 0) == 0 || errno == ENOENT ||
	       refuse(err, job, attempt, "removed");
}

/* --- judging ----------------------------------------------------------------------------------- */

static enum spool_fate lost(struct err *err, const char *why)
{
	err_set(err, "%s", why);
	return SPOOL_LOST;
}

/* Of what stands in the file, when nobody writes it any more. */
static enum spool_fate judge_left(int folder, const char *name, const unsigned char *file,
				  const struct spool *out, struct err *err)
{
	if (out->has_ended)
		return SPOOL_ENDED;
	if (spool_has_ended(file))
		return lost(err, "its spool file is damaged where its end stands");
	if (out->has_begun)
		return lost(err, "its shepherd was killed, so nobody saw how it ended");
	if (spool_has_begun(file))
		return lost(err, "its spool file is damaged, so it may have run");
	unlinkat(folder, name, 0);
	return SPOOL_NONE;
}

/* Of this process at this moment, and not of the file: it says nothing about the job. */
static bool is_passing(int why)
{
	return why == EMFILE || why == ENFILE || why == ENOMEM || why == ENOLCK || why == EINTR;
}

static enum spool_fate unreadable(const struct spool *out, struct err *err)
{
	enum spool_fate fate = is_passing(errno) ? SPOOL_ALIVE : SPOOL_LOST;

	refuse(err, out->job, out->attempt, "read");
	return fate;
}

static bool is_of_other_boot(const struct spool *out, const char *boot_id)
{
	return out->has_begun && strcmp(out->begun.boot_id, boot_id) != 0;
}

static enum spool_fate judge_file(int fd, int folder, const char *name, const char *boot_id,
				  struct spool *out, struct err *err)
{
	unsigned char file[SPOOL_SIZE];
	bool is_free = lock(fd, LOCK_EX | LOCK_NB);
	bool is_held = !is_free && errno == EWOULDBLOCK;

	if ((!is_free && !is_held) || !read_file(fd, file))
		return unreadable(out, err);
	spool_read_parts(file, out);
	if (is_of_other_boot(out, boot_id))
		return out->has_ended ? SPOOL_ENDED : lost(err, "the machine went down while it ran");
	return is_held ? SPOOL_ALIVE : judge_left(folder, name, file, out, err);
}

enum spool_fate spool_judge(int folder, uint64_t job, uint32_t attempt, const char *boot_id,
			    struct spool *out, struct err *err)
{
	char name[NAME_ROOM];
	int fd = openat(folder, file_name(job, attempt, name), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	enum spool_fate fate;

	begin(out, job, attempt);
	if (fd < 0 && errno == ENOENT)
		return SPOOL_NONE;
	if (fd < 0)
		return unreadable(out, err);
	fate = judge_file(fd, folder, name, boot_id, out, err);
	close(fd); /* gives the lock back */
	return fate;
}

/* --- boots and processes ----------------------------------------------------------------------- */

static size_t read_small(const char *path, char *out, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, out, room - 1);

	if (fd >= 0)
		close(fd);
	out[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

bool spool_boot_id(char out[static BOOT_ID], struct err *err)
{
	const char *path = fail_path("KAHU_BOOT_FILE", "/proc/sys/kernel/random/boot_id");

	return read_small(path, out, BOOT_ID) == BOOT_ID - 1 ||
	       err_set(err, "%s cannot be read: is /proc mounted?", path);
}

int64_t spool_pid_start(int64_t pid)
{
	char path[NAME_ROOM], line[STAT_ROOM];
	const char *at;

	snprintf(path, sizeof path, "/proc/%" PRId64 "/stat", pid);
	if (pid <= 0 || read_small(path, line, sizeof line) == 0)
		return -1;
	at = strrchr(line, ')'); /* the name before it may hold anything */
	for (int field = 2; at != NULL && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at == NULL ? -1 : (int64_t)strtoll(at, NULL, 10);
}
