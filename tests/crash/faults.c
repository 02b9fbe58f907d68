/* SPDX-License-Identifier: MIT */
/*
 * faults.c - faults.so: failing system calls, interruptions, another clock, and a log of what reaches the
 * disk
 *
 * Loaded with LD_PRELOAD into the scheduler and, in a build with failpoints, into its shepherds. The
 * environment controls it:
 *
 *     KAHU_FAULTS=FOLDER          writes to files below it are logged; the two files below are next to it
 *     KAHU_FAULT=KIND:N:ERRNO:K   calls N to N+K-1 of a kind fail, counted over all processes from 1;
 *                                 KIND is malloc, write, sync, fork, open or read, ERRNO a number
 *     KAHU_FAULT_EINTR=1          a signal every millisecond, and no system call is restarted after it
 *
 *     FOLDER.calls                the counters, and the offset of the clock in seconds: struct shared
 *     FOLDER.writes               if it exists, a record for each call that changes a file below FOLDER
 *
 * A record is a line, "OP ARGUMENTS LENGTH", followed by LENGTH bytes; power_loss.c reads them. The order
 * of the records is the order of the calls, because a lock is held for both.
 */
#include "faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define PATH_SIZE 1024

static const char *const kind_name[FAULT_KINDS] = {"malloc", "write", "sync", "fork", "open", "read"};

static struct shared *shared;
static char folder[PATH_SIZE], log_path[PATH_SIZE + 8];
static enum fault_kind wanted_kind = FAULT_KINDS;
static uint64_t wanted_first, wanted_count;
static int wanted_errno;
static bool logs;
static _Thread_local bool inside; /* calls by this file itself are neither counted nor logged */

/* The function of that name in the C library. */
#define REAL(name) ((__typeof__(&(name)))find_real(#name))

static void *find_real(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	if (found == NULL)
		_exit(126);
	return found;
}

/* --- initialization ------------------------------------------------------------------------------ */

static void do_nothing(int signal_number)
{
	(void)signal_number;
}

static void interrupt_everything(void)
{
	struct sigaction act = {.sa_handler = do_nothing};
	const struct itimerval every_ms = {.it_interval = {.tv_usec = 1000}, .it_value = {.tv_usec = 1000}};

	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &every_ms, NULL);
}

static void read_fault(const char *text)
{
	char *end;

	for (int i = 0; text != NULL && i < FAULT_KINDS; i++) {
		size_t len = strlen(kind_name[i]);

		if (strncmp(text, kind_name[i], len) != 0 || text[len] != ':')
			continue;
		wanted_kind = (enum fault_kind)i;
		wanted_first = strtoull(text + len + 1, &end, 10);
		wanted_errno = (int)strtol(end + (*end == ':'), &end, 10);
		wanted_count = strtoull(end + (*end == ':'), &end, 10);
	}
}

static void open_shared(void)
{
	char path[PATH_SIZE + 8];
	int fd;

	snprintf(path, sizeof path, "%s.calls", folder);
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
	if (fd < 0)
		return;
	void *at = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	syscall(SYS_close, fd);
	if (at != MAP_FAILED)
		shared = at;
}

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("KAHU_FAULTS");

	if (text == NULL)
		return;
	snprintf(folder, sizeof folder, "%s", text);
	snprintf(log_path, sizeof log_path, "%s.writes", folder);
	open_shared();
	read_fault(getenv("KAHU_FAULT"));
	logs = access(log_path, W_OK) == 0;
	if (getenv("KAHU_FAULT_EINTR") != NULL)
		interrupt_everything();
}

/* Counts a call. True if it is to fail; then errno is set. */
static bool fails(enum fault_kind kind)
{
	uint64_t number;

	if (shared == NULL || inside)
		return false;
	number = __atomic_add_fetch(&shared->calls[kind], 1, __ATOMIC_RELAXED);
	if (kind != wanted_kind || number < wanted_first || number - wanted_first >= wanted_count)
		return false;
	__atomic_add_fetch(&shared->failed, 1, __ATOMIC_RELAXED);
	errno = wanted_errno;
	return true;
}

static bool is_file(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

/* --- the log ------------------------------------------------------------------------------------- */

/* A process that dies with the lock held would block all others; none is killed while writes are logged. */
static void lock_log(void)
{
	while (__atomic_exchange_n(&shared->lock, 1, __ATOMIC_ACQUIRE) != 0)
		usleep(10);
	inside = true;
}

static void unlock_log(void)
{
	inside = false;
	__atomic_store_n(&shared->lock, 0, __ATOMIC_RELEASE);
}

static bool is_logged(const char *path)
{
	size_t len = strlen(folder);

	return logs && shared != NULL && strncmp(path, folder, len) == 0 &&
	       (path[len] == '/' || path[len] == '\0');
}

/* False if the descriptor has no path, or one that is not logged. */
static bool path_of(int fd, char path[static PATH_SIZE])
{
	char link[32];
	ssize_t len;

	if (!logs || shared == NULL || inside)
		return false;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	len = readlink(link, path, PATH_SIZE - 1);
	if (len < 0)
		return false;
	path[len] = '\0';
	return is_logged(path);
}

static bool path_at(int dir, const char *name, char path[static PATH_SIZE])
{
	size_t len;

	if (!logs || shared == NULL || inside)
		return false;
	if (name[0] == '/') {
		snprintf(path, PATH_SIZE, "%s", name);
		return is_logged(path);
	}
	if (dir == AT_FDCWD) {
		if (getcwd(path, PATH_SIZE) == NULL)
			return false;
	} else {
		char link[32];
		ssize_t n;

		snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
		n = readlink(link, path, PATH_SIZE - 1);
		if (n < 0)
			return false;
		path[n] = '\0';
	}
	len = strlen(path);
	snprintf(path + len, PATH_SIZE - len, "/%s", name);
	return is_logged(path);
}

/* Called with the lock held. The name of the folder is omitted, because images are in other folders. */
static void log_record(const char *op, const char *path, const char *other, uint64_t at, const void *bytes,
		       size_t size)
{
	size_t skip = strlen(folder) + 1;
	char line[(2 * PATH_SIZE) + 64];
	int len = snprintf(line, sizeof line, "%s %s %s %lu %zu\n", op,
			   strlen(path) >= skip ? path + skip : ".", other != NULL ? other + skip : "-", at,
			   size);
	struct iovec part[2] = {{line, (size_t)len}, {(void *)(uintptr_t)bytes, size}};
	int fd = (int)syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_APPEND | O_CLOEXEC, 0);

	if (fd < 0 || syscall(SYS_writev, fd, part, size > 0 ? 2 : 1) < 0)
		_exit(125);
	syscall(SYS_close, fd);
}

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,bugprone-reserved-identifier,cert-dcl37-c,
 * cert-dcl51-cpp): replacements of functions of libc have their names */

/* --- writing --------------------------------------------------------------------------------------- */

static off_t place_of(int fd)
{
	struct stat st;

	if ((fcntl(fd, F_GETFL) & O_APPEND) != 0)
		return fstat(fd, &st) == 0 ? st.st_size : 0;
	return lseek(fd, 0, SEEK_CUR);
}

/* A write with O_DSYNC has reached the disk when the call returns. */
static const char *write_op(int fd)
{
	return (fcntl(fd, F_GETFL) & O_DSYNC) != 0 ? "dwrite" : "write";
}

static void log_vector(const char *op, const char *path, off_t at, const struct iovec *part, int count,
		       ssize_t done)
{
	size_t left = done > 0 ? (size_t)done : 0;

	for (int i = 0; i < count && left > 0; i++) {
		size_t size = part[i].iov_len < left ? part[i].iov_len : left;

		log_record(op, path, NULL, (uint64_t)at, part[i].iov_base, size);
		at += (off_t)size;
		left -= size;
	}
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	char path[PATH_SIZE];
	ssize_t done;
	off_t at;

	if (!inside && is_file(fd) && fails(FAULT_WRITE))
		return -1;
	if (!path_of(fd, path))
		return REAL(write)(fd, bytes, size);
	lock_log();
	at = place_of(fd);
	done = REAL(write)(fd, bytes, size);
	if (done > 0)
		log_record(write_op(fd), path, NULL, (uint64_t)at, bytes, (size_t)done);
	unlock_log();
	return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	char path[PATH_SIZE];
	ssize_t done;

	if (is_file(fd) && fails(FAULT_WRITE))
		return -1;
	if (!path_of(fd, path))
		return REAL(pwrite)(fd, bytes, size, at);
	lock_log();
	done = REAL(pwrite)(fd, bytes, size, at);
	if (done > 0)
		log_record(write_op(fd), path, NULL, (uint64_t)at, bytes, (size_t)done);
	unlock_log();
	return done;
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at)
{
	return pwrite(fd, bytes, size, at);
}

ssize_t writev(int fd, const struct iovec *part, int count)
{
	char path[PATH_SIZE];
	ssize_t done;
	off_t at;

	if (is_file(fd) && fails(FAULT_WRITE))
		return -1;
	if (!path_of(fd, path))
		return REAL(writev)(fd, part, count);
	lock_log();
	at = place_of(fd);
	done = REAL(writev)(fd, part, count);
	log_vector(write_op(fd), path, at, part, count, done);
	unlock_log();
	return done;
}

ssize_t pwritev(int fd, const struct iovec *part, int count, off_t at)
{
	char path[PATH_SIZE];
	ssize_t done;

	if (is_file(fd) && fails(FAULT_WRITE))
		return -1;
	if (!path_of(fd, path))
		return REAL(pwritev)(fd, part, count, at);
	lock_log();
	done = REAL(pwritev)(fd, part, count, at);
	log_vector(write_op(fd), path, at, part, count, done);
	unlock_log();
	return done;
}

ssize_t pwritev64(int fd, const struct iovec *part, int count, off64_t at)
{
	return pwritev(fd, part, count, at);
}

int ftruncate(int fd, off_t size)
{
	char path[PATH_SIZE];
	int failed;

	if (is_file(fd) && fails(FAULT_WRITE))
		return -1;
	if (!path_of(fd, path))
		return REAL(ftruncate)(fd, size);
	lock_log();
	failed = REAL(ftruncate)(fd, size);
	if (failed == 0)
		log_record("truncate", path, NULL, (uint64_t)size, NULL, 0);
	unlock_log();
	return failed;
}

int ftruncate64(int fd, off64_t size)
{
	return ftruncate(fd, size);
}

/* Holds the lock, so that a write made before the sync returns is not logged after it. */
static int sync_with(int (*sync)(int), int fd)
{
	char path[PATH_SIZE];
	int failed;

	if (is_file(fd) && fails(FAULT_SYNC))
		return -1;
	if (!path_of(fd, path))
		return sync(fd);
	lock_log();
	failed = sync(fd);
	if (failed == 0)
		log_record("sync", path, NULL, 0, NULL, 0);
	unlock_log();
	return failed;
}

int fsync(int fd)
{
	return sync_with(REAL(fsync), fd);
}

int fdatasync(int fd)
{
	return sync_with(REAL(fdatasync), fd);
}

/* --- names -------------------------------------------------------------------------------------------- */

static int open_logged(int dir, const char *name, int flags, mode_t mode)
{
	char path[PATH_SIZE];
	bool there;
	int fd;

	if (fails(FAULT_OPEN))
		return -1;
	if ((flags & (O_CREAT | O_TRUNC)) == 0 || !path_at(dir, name, path))
		return (int)syscall(SYS_openat, dir, name, flags | O_LARGEFILE, mode);
	lock_log();
	there = access(path, F_OK) == 0;
	fd = (int)syscall(SYS_openat, dir, name, flags | O_LARGEFILE, mode);
	if (fd >= 0 && !there)
		log_record("create", path, NULL, mode & 07777, NULL, 0);
	else if (fd >= 0 && (flags & O_TRUNC) != 0)
		log_record("truncate", path, NULL, 0, NULL, 0);
	unlock_log();
	return fd;
}

#define OPEN_MODE(flags, last)                                                                               \
	mode_t mode = 0;                                                                                     \
	if (((flags) & (O_CREAT | O_TMPFILE)) != 0) {                                                        \
		va_list more;                                                                                \
		va_start(more, last);                                                                        \
		mode = va_arg(more, mode_t);                                                                 \
		va_end(more);                                                                                \
	}

int open(const char *path, int flags, ...)
{
	OPEN_MODE(flags, flags)
	return open_logged(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	OPEN_MODE(flags, flags)
	return open_logged(AT_FDCWD, path, flags, mode);
}

int openat(int dir, const char *path, int flags, ...)
{
	OPEN_MODE(flags, flags)
	return open_logged(dir, path, flags, mode);
}

int openat64(int dir, const char *path, int flags, ...)
{
	OPEN_MODE(flags, flags)
	return open_logged(dir, path, flags, mode);
}

/* With _FORTIFY_SOURCE compilers call these instead. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __openat64_2(int dir, const char *path, int flags);

int __open_2(const char *path, int flags)
{
	return open_logged(AT_FDCWD, path, flags, 0);
}

int __open64_2(const char *path, int flags)
{
	return open_logged(AT_FDCWD, path, flags, 0);
}

int __openat_2(int dir, const char *path, int flags)
{
	return open_logged(dir, path, flags, 0);
}

int __openat64_2(int dir, const char *path, int flags)
{
	return open_logged(dir, path, flags, 0);
}

int mkdirat(int dir, const char *name, mode_t mode)
{
	char path[PATH_SIZE];
	int failed;

	if (!path_at(dir, name, path))
		return (int)syscall(SYS_mkdirat, dir, name, mode);
	lock_log();
	failed = (int)syscall(SYS_mkdirat, dir, name, mode);
	if (failed == 0)
		log_record("mkdir", path, NULL, mode & 07777, NULL, 0);
	unlock_log();
	return failed;
}

int mkdir(const char *path, mode_t mode)
{
	return mkdirat(AT_FDCWD, path, mode);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	char path[PATH_SIZE], other[PATH_SIZE];
	int failed;

	if (!path_at(from_dir, from, path) || !path_at(to_dir, to, other))
		return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, 0);
	lock_log();
	failed = (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, 0);
	if (failed == 0)
		log_record("rename", path, other, 0, NULL, 0);
	unlock_log();
	return failed;
}

int rename(const char *from, const char *to)
{
	return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int unlinkat(int dir, const char *name, int flags)
{
	char path[PATH_SIZE];
	int failed;

	if (!path_at(dir, name, path))
		return (int)syscall(SYS_unlinkat, dir, name, flags);
	lock_log();
	failed = (int)syscall(SYS_unlinkat, dir, name, flags);
	if (failed == 0)
		log_record("unlink", path, NULL, 0, NULL, 0);
	unlock_log();
	return failed;
}

int unlink(const char *path)
{
	return unlinkat(AT_FDCWD, path, 0);
}

/* --- calls that only fail ----------------------------------------------------------------------------- */

ssize_t read(int fd, void *bytes, size_t size)
{
	if (!inside && is_file(fd) && fails(FAULT_READ))
		return -1;
	return syscall(SYS_read, fd, bytes, size);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t at)
{
	if (is_file(fd) && fails(FAULT_READ))
		return -1;
	return syscall(SYS_pread64, fd, bytes, size, at);
}

ssize_t pread64(int fd, void *bytes, size_t size, off64_t at)
{
	return pread(fd, bytes, size, at);
}

pid_t fork(void)
{
	return fails(FAULT_FORK) ? -1 : REAL(fork)();
}

int posix_spawn(pid_t *restrict pid, const char *restrict path,
		const posix_spawn_file_actions_t *restrict files,
		const posix_spawnattr_t *restrict attributes, char *const *restrict argv,
		char *const *restrict environment)
{
	return fails(FAULT_FORK) ? errno : REAL(posix_spawn)(pid, path, files, attributes, argv, environment);
}

/* Calls without a function in the C library, such as clone3. */
long syscall(long number, ...)
{
	static long (*real)(long, ...);
	long a[6];
	va_list more;

	va_start(more, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(more, long);
	va_end(more);
	if (number == SYS_clone3 && fails(FAULT_FORK))
		return -1;
	if (real == NULL)
		*(void **)&real = find_real("syscall");
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size)
{
	return fails(FAULT_MALLOC) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails(FAULT_MALLOC) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	return fails(FAULT_MALLOC) ? NULL : __libc_realloc(old, size);
}

/* --- the clock ------------------------------------------------------------------------------------------ */

int clock_gettime(clockid_t clock, struct timespec *out)
{
	int failed = (int)syscall(SYS_clock_gettime, clock, out);

	if (failed == 0 && shared != NULL && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
		out->tv_sec += __atomic_load_n(&shared->clock_offset_s, __ATOMIC_RELAXED);
	return failed;
}

time_t time(time_t *out)
{
	struct timespec now = {0};

	clock_gettime(CLOCK_REALTIME, &now);
	if (out != NULL)
		*out = now.tv_sec;
	return now.tv_sec;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
	struct timespec now = {0};

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &now);
	*out = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
	return 0;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name,bugprone-reserved-identifier,cert-dcl37-c,
 * cert-dcl51-cpp) */
