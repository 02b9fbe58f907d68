/* SPDX-License-Identifier: MIT */
/*
 * spool.c - the spool file of a job, written by its shepherd
 *
 * Each start has one file, which consists of parts; the shepherd holds the lock of the file until it exits. A
 * part that contains only zeros was never written. A part that is neither zero nor valid is damaged; a job
 * whose `begun` is damaged may have run.
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

#include "sched/base/crc32c.h"
#include "sched/base/failpoint.h"

/* --- the bytes of a spool file, part by part ---------------------------------------------------------- */

/*
 * Each part has a fixed place in the file: {u32 word, u32 CRC-32C of the rest, fields, zeros}. No part
 * crosses a page boundary, so that a part is written completely or not at all even if the process is killed.
 * For each part, one function walks over the fields, both for reading and for writing.
 */

#define PART_HEAD 8

#define LIST_SIZE 4096

_Static_assert(SPOOL_LIST == LIST_SIZE - PART_HEAD, "a list fills its part");

/* Offset, size and first word of a part. */
struct part {
	size_t at, size;
	uint32_t word;
};

static const struct part begun_part = {0, 1024, UINT32_C(0x31424b53)}; /* "SKB1" */

static const struct part usage_part = {1024, 512, UINT32_C(0x31554b53)};

static const struct part ended_part = {2048, 1024, UINT32_C(0x31454b53)};

static const struct part cpus_part = {4096, LIST_SIZE, UINT32_C(0x31434b53)};

static const struct part devices_part = {8192, LIST_SIZE, UINT32_C(0x31444b53)};

/* --- fields ------------------------------------------------------------------------------------------- */

/* A position in the fields of a part, for writing or reading. */
struct walk {
	unsigned char *at;
	bool writes;
};

static uint64_t number(struct walk *w, uint64_t value, size_t bytes)
{
	uint64_t read = 0;

	for (size_t i = 0; i < bytes; i++)
		if (w->writes)
			w->at[i] = (unsigned char)(value >> 8 * i);
		else
			read |= (uint64_t)w->at[i] << 8 * i;
	w->at += bytes;
	return w->writes ? value : read;
}

static void u32(struct walk *w, uint32_t *value)
{
	*value = (uint32_t)number(w, *value, 4);
}

static void i32(struct walk *w, int32_t *value)
{
	*value = (int32_t)number(w, (uint32_t)*value, 4);
}

static void i64(struct walk *w, int64_t *value)
{
	*value = (int64_t)number(w, (uint64_t)*value, 8);
}

static void flag(struct walk *w, bool *value)
{
	*value = number(w, *value, 1) != 0;
}

static void text(struct walk *w, char *value, size_t room)
{
	if (w->writes)
		memcpy(w->at, value, strnlen(value, room - 1)); /* the rest is zero */
	else
		memcpy(value, w->at, room);
	value[room - 1] = '\0';
	w->at += room;
}

static void walk_begun(struct walk *w, struct spool_begun *p)
{
	text(w, p->boot_id, sizeof p->boot_id);
	i64(w, &p->pid);
	i64(w, &p->pid_start);
	i64(w, &p->begun_s);
	u32(w, &p->level);
	u32(w, &p->uid);
	text(w, p->cpus, SPOOL_TEXT); /* of a longer list, only the beginning */
	text(w, p->devices, SPOOL_TEXT);
}

static void walk_usage(struct walk *w, struct spool_usage *p)
{
	i64(w, &p->at_s);
	i64(w, &p->cpu_ms);
	i64(w, &p->mem_kb);
	i64(w, &p->mem_peak_kb);
	u32(w, &p->processes);
	flag(w, &p->suspended);
}

static void walk_ended(struct walk *w, struct spool_ended *p)
{
	u32(w, &p->reason);
	i32(w, &p->status);
	i64(w, &p->begun_s);
	i64(w, &p->ended_s);
	i64(w, &p->run_ms);
	i64(w, &p->user_ms);
	i64(w, &p->system_ms);
	i64(w, &p->mem_peak_kb);
	u32(w, &p->survivors);
	text(w, p->text, sizeof p->text);
}

/* --- parts -------------------------------------------------------------------------------------------- */

static struct walk write_part(unsigned char *bytes)
{
	return (struct walk){bytes + PART_HEAD, true};
}

static uint32_t part_sum(const struct part *part, const unsigned char *bytes)
{
	return crc32c(part->word, bytes + PART_HEAD, part->size - PART_HEAD);
}

/*
 * Completes the head of a part and writes the part. One call writes everything, so that a part is written
 * completely or not at all even if the process is killed.
 */
static bool put_part(int fd, const struct part *part, unsigned char *bytes)
{
	struct walk head = {bytes, true};
	ssize_t n;

	number(&head, part->word, 4);
	number(&head, part_sum(part, bytes), 4);
	do
		n = pwrite(fd, bytes, part->size, (off_t)part->at);
	while (n < 0 && errno == EINTR);
	if (n == (ssize_t)part->size)
		return true;
	if (n >= 0)
		errno = ENOSPC;
	return false;
}

/*
 * Does the list need a part of its own? An older shepherd wrote the first 255 bytes of a longer list, so a
 * list of exactly 255 bytes needs one as well.
 */
static bool is_cut(const char *list)
{
	return strlen(list) >= SPOOL_TEXT - 1;
}

static bool write_list(int fd, const struct part *part, char *list)
{
	unsigned char bytes[LIST_SIZE] = {0};
	struct walk w = write_part(bytes);

	text(&w, list, SPOOL_LIST);
	return put_part(fd, part, bytes);
}

bool spool_set_list(char out[static SPOOL_LIST], const char *list)
{
	size_t len = list == NULL ? 0 : strlen(list);

	errno = E2BIG;
	if (len >= SPOOL_LIST)
		return false;
	memcpy(out, len == 0 ? "" : list, len + 1);
	return true;
}

/*
 * Long lists are written first: a reader that finds the beginning of a list in `begun` must also find the
 * whole list.
 */
bool spool_write_begun(int fd, const struct spool_begun *begun)
{
	unsigned char bytes[1024] = {0};
	struct spool_begun copy = *begun;
	struct walk w = write_part(bytes);

	if ((is_cut(copy.cpus) && !write_list(fd, &cpus_part, copy.cpus)) ||
	    (is_cut(copy.devices) && !write_list(fd, &devices_part, copy.devices)))
		return false;
	walk_begun(&w, &copy);
	return put_part(fd, &begun_part, bytes);
}

bool spool_write_usage(int fd, const struct spool_usage *usage)
{
	unsigned char bytes[512] = {0};
	struct spool_usage copy = *usage;
	struct walk w = write_part(bytes);

	walk_usage(&w, &copy);
	return put_part(fd, &usage_part, bytes);
}

bool spool_write_ended(int fd, const struct spool_ended *ended)
{
	unsigned char bytes[1024] = {0};
	struct spool_ended copy = *ended;
	struct walk w = write_part(bytes);

	walk_ended(&w, &copy);
	return put_part(fd, &ended_part, bytes);
}

/* Prepares to read the fields of a part. Returns false if the part is missing or damaged. */
static bool get_part(const struct part *part, unsigned char *file, struct walk *out)
{
	struct walk head = {file + part->at, false};
	uint32_t word = (uint32_t)number(&head, 0, 4), sum = (uint32_t)number(&head, 0, 4);

	*out = (struct walk){file + part->at + PART_HEAD, false};
	return word == part->word && sum == part_sum(part, file + part->at);
}

/*
 * If `begun` has only the beginning of a list, reads the whole list from the separate part. Returns false if
 * that part is missing or damaged.
 */
static bool read_list(const struct part *part, unsigned char *file, char list[static SPOOL_LIST])
{
	struct walk w;

	if (!is_cut(list))
		return true;
	if (!get_part(part, file, &w))
		return false;
	text(&w, list, SPOOL_LIST);
	return true;
}

/* Sets the valid parts and their flags. A value that no shepherd writes makes a part invalid. */
static void spool_read_parts(unsigned char *file, struct spool *out)
{
	struct walk w;

	if (get_part(&begun_part, file, &w)) {
		walk_begun(&w, &out->begun);
		out->has_begun = out->begun.level <= HOLD_FULL;
		out->has_cpus = out->has_begun && read_list(&cpus_part, file, out->begun.cpus);
		out->has_devices = out->has_begun && read_list(&devices_part, file, out->begun.devices);
	}
	if (get_part(&usage_part, file, &w)) {
		walk_usage(&w, &out->usage);
		out->has_usage = true;
	}
	if (get_part(&ended_part, file, &w)) {
		walk_ended(&w, &out->ended);
		out->has_ended = out->ended.reason < END_REASON_COUNT;
	}
}

static bool is_zero(const unsigned char *bytes, size_t size)
{
	return bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

/* Was the part `begun` (in the next function, `ended`) ever written, valid or not? */
static bool spool_has_begun(const unsigned char *file)
{
	return !is_zero(file + begun_part.at, begun_part.size);
}

static bool spool_has_ended(const unsigned char *file)
{
	return !is_zero(file + ended_part.at, ended_part.size);
}

/* --- the spool file of a job, written by its shepherd ------------------------------------------------- */

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

/*
 * Locks a file and checks that it was not removed in the meantime. Returns false with errno set on failure.
 * Waits for the lock if needed: a scheduler that evaluates the file holds it for a moment.
 */
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

/*
 * Reads a whole spool file; missing bytes at its end are read as zeros. Returns false with errno set on
 * failure.
 */
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

/* --- processors of a resumed job ---------------------------------------------------------------------- */

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

	unlinkat(folder, cpus_name(job, attempt, name), 0); /* usually there is no such file */
	return unlinkat(folder, file_name(job, attempt, name), 0) == 0 || errno == ENOENT ||
	       refuse(err, job, attempt, "removed");
}

/* --- evaluation of a spool file ----------------------------------------------------------------------- */

static enum spool_fate lost(struct err *err, const char *why)
{
	err_set(err, "%s", why);
	return SPOOL_LOST;
}

/* Evaluates a file whose shepherd has exited. */
static enum spool_fate judge_left(int folder, const char *name, const unsigned char *file,
				  const struct spool *out, struct err *err)
{
	if (out->has_ended)
		return SPOOL_ENDED;
	if (spool_has_ended(file))
		return lost(err, "the record of its end in the spool file is damaged");
	if (out->has_begun)
		return lost(err, "its shepherd was killed, so its exit status is unknown");
	if (spool_has_begun(file))
		return lost(err, "its spool file is damaged, so the job may have run");
	unlinkat(folder, name, 0);
	return SPOOL_NONE;
}

/* Does the error concern only this process, and so say nothing about the job? */
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
		return out->has_ended ? SPOOL_ENDED
				      : lost(err, "the machine went down while the job was running");
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
	close(fd); /* releases the lock */
	return fate;
}

/* --- boots and processes ------------------------------------------------------------------------------ */

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

	errno = ESRCH;
	snprintf(path, sizeof path, "/proc/%" PRId64 "/stat", pid);
	if (pid <= 0 || read_small(path, line, sizeof line) == 0)
		return -1;
	at = strrchr(line, ')'); /* the name, which ends here, may contain any character */
	for (int field = 2; at != NULL && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at == NULL ? -1 : (int64_t)strtoll(at, NULL, 10);
}

bool spool_pid_is_gone(int64_t pid, int64_t pid_start)
{
	int64_t start = spool_pid_start(pid);

	return start != pid_start && (start >= 0 || errno == ENOENT || errno == ESRCH);
}
