/* SPDX-License-Identifier: MIT */
/*
 * lock.c - exclusive use of a store directory
 *
 * The lock is an open file description lock: the kernel releases it when the process ends for any reason, and
 * closing other descriptors of the file does not release it. Querying the holder does not acquire the lock,
 * so a query never makes the start of a scheduler fail.
 */
#include "lock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "db.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "store.h"

/* --- the directory ------------------------------------------------------------------ */

static bool cannot_make(const char *dir, int why, struct err *err)
{
	return err_set(err, "the store directory %s cannot be created: %s", dir, strerror(why));
}

/* The directory's own entry must be durable before anything in it is. */
static bool sync_parent(const char *dir, struct err *err)
{
	char *parent = mem_string(dir);
	char *slash = strrchr(parent, '/');
	int rc;

	if (slash == parent)
		slash[1] = '\0';
	else if (slash != NULL)
		*slash = '\0';
	rc = db_sync_folder(slash != NULL ? parent : ".");
	free(parent);
	if (rc == 0)
		return true;
	return cannot_make(dir, rc, err);
}

static bool make_one(const char *dir, struct err *err)
{
	if (mkdir(dir, 0700) == 0)
		return sync_parent(dir, err);
	if (errno == EEXIST)
		return true;
	return cannot_make(dir, errno, err);
}

bool store_make_dir(const char *dir, struct err *err)
{
	char *path = mem_string(dir);
	bool good = true;

	for (char *slash = strchr(path + (*path != '\0'), '/'); slash && good;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		good = make_one(path, err);
		*slash = '/';
	}
	free(path);
	return good && make_one(dir, err);
}

/* Returns the name of the network file system that contains dir; NULL = a local one. The rows are the magic
 * numbers in statfs(2) of file systems on which locks or shared maps do not work between machines. */
static const char *network_file_system(const char *dir)
{
	static const struct {
		uint32_t magic;
		const char *name;
	} row[] = {
		{0x6969, "NFS"},       {0x517b, "SMB"},        {0xfe534d42, "SMB"},  {0xff534d42, "CIFS"},
		{0x01021997, "9P"},    {0x5346414f, "AFS"},    {0x6b414653, "AFS"},  {0x73757245, "Coda"},
		{0x00c36400, "Ceph"},  {0x0bd00bd0, "Lustre"}, {0x47504653, "GPFS"}, {0x19830326, "BeeGFS"},
		{0x7461636f, "OCFS2"}, {0x01161970, "GFS2"},
	};
	struct statfs fs;

	if (statfs(dir, &fs) < 0)
		return NULL;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
		if ((uint32_t)fs.f_type == row[i].magic)
			return row[i].name;
	return NULL;
}

/* Contents of a directory. */
struct contents {
	bool store, empty; /* data.mdb exists; it is empty, perhaps after a power failure */
	bool lock;         /* kahu.lock exists: the directory was a store */
	bool others;
};

static void note_entry(struct contents *c, int dir, const char *name)
{
	struct stat st;

	if (strcmp(name, "data.mdb") == 0) {
		c->store = true;
		c->empty = fstatat(dir, name, &st, 0) == 0 && st.st_size == 0;
	} else if (strcmp(name, STORE_LOCK_NAME) == 0) {
		c->lock = true;
	} else if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strcmp(name, "lock.mdb") != 0 &&
		   strcmp(name, DB_FRESH) != 0) {
		c->others = true;
	}
}

/*
 * Checks that the directory contains a store or is empty. So a wrong path (--store $HOME) does not fill
 * another directory with files, and if the file of a store is lost, no new store is created beside the files
 * of its jobs.
 */
static bool check_contents(const char *dir, bool may_be_lost, struct err *err)
{
	struct contents c = {.store = false};
	DIR *d = opendir(dir);
	const struct dirent *entry;

	if (!d)
		return true;
	while ((entry = readdir(d)) != NULL)
		note_entry(&c, dirfd(d), entry->d_name);
	closedir(d);
	if (!c.others || (c.lock && may_be_lost) || (c.store && !(c.lock && c.empty)))
		return true;
	if (c.lock)
		return err_set(err,
			       "the store %s is lost: its data.mdb is empty or missing, but other files are "
			       "there; restore a copy with 'kahu restore', or recover the last good copy "
			       "with 'kahu restore --last-good'",
			       dir);
	return err_set(err, "the directory %s contains other files but no store: specify an empty one", dir);
}

static bool check_dir(const char *dir, bool may_be_lost, struct err *err)
{
	struct stat st;
	const char *network;

	if (stat(dir, &st) < 0)
		return err_set(err, "the store directory %s: %s%s", dir, strerror(errno),
			       errno == ENOENT ? "; check the name" : "");
	if (!S_ISDIR(st.st_mode))
		return err_set(err, "the store %s is not a directory", dir);
	if (st.st_uid != geteuid())
		return err_set(err,
			       "the store directory %s belongs to user %u, but you are user %u: use a "
			       "directory of your own",
			       dir, (unsigned)st.st_uid, (unsigned)geteuid());
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return err_set(err, "the store directory %s is writable by other users: run 'chmod 700 %s'",
			       dir, dir);
	network = network_file_system(dir);
	if (network)
		return err_set(err,
			       "the store directory %s is on a network file system (%s): use a local disk",
			       dir, network);
	return check_contents(dir, may_be_lost, err);
}

bool store_check_dir(const char *dir, struct err *err)
{
	return check_dir(dir, false, err);
}

bool store_check_place(const char *dir, struct err *err)
{
	return check_dir(dir, true, err);
}

/* --- one scheduler ------------------------------------------------------------------- */

#define PID_TEXT 12 /* ten digits, a newline, a NUL */
#define PID_SIZE (PID_TEXT - 1)
#define WAIT     "wait\n" /* second line of the file while other processes are asked to wait */

/* Within this time after the last change of the lock file, its holder is expected to release the lock: if the
 * holder has not asked other processes to wait, and if it has. */
#define UNASKED_MS 5000
#define ASKED_MS   60000

static int open_lock_file(const char *dir, int flags)
{
	struct str path = {0};
	int fd;

	str_addf(&path, "%s/%s", dir, STORE_LOCK_NAME);
	fd = open(str_text(&path), flags | O_CLOEXEC | O_NOFOLLOW, 0600);
	str_free(&path);
	return fd;
}

static struct flock whole_file(void)
{
	return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
}

static int read_pid(int fd)
{
	char text[PID_TEXT] = "";
	int64_t pid;

	if (pread(fd, text, sizeof text - 1, 0) <= 0)
		return -1;
	text[strcspn(text, "\n")] = '\0';
	return str_read_whole(text + strspn(text, " "), &pid) && pid > 0 && pid <= INT32_MAX ? (int)pid : -1;
}

/* Writes the process ID with a single write of fixed length, so that a reader sees the old or the new ID, and
 * then removes anything after it. */
static bool write_pid(int fd)
{
	char text[PID_TEXT];
	int len = snprintf(text, sizeof text, "%10d\n", (int)getpid());

	return pwrite(fd, text, (size_t)len, 0) == len && ftruncate(fd, PID_SIZE) == 0;
}

bool store_lock_say(int fd, bool wait)
{
	ssize_t len = sizeof WAIT - 1;

	return wait ? pwrite(fd, WAIT, (size_t)len, PID_SIZE) == len : ftruncate(fd, PID_SIZE) == 0;
}

int store_lock(const char *dir, struct err *err)
{
	struct flock lock = whole_file();
	int fd = open_lock_file(dir, O_RDWR | O_CREAT);
	bool held;

	if (fd < 0) {
		err_set(err, "%s/%s cannot be opened: %s", dir, STORE_LOCK_NAME, strerror(errno));
		return -1;
	}
	if (fcntl(fd, F_OFD_SETLK, &lock) == 0 && write_pid(fd))
		return fd;
	held = errno == EAGAIN || errno == EACCES;
	if (held)
		err_set(err,
			"the store %s is in use by process %d: stop that process first, or specify another "
			"store",
			dir, read_pid(fd));
	else
		err_set(err, "%s/%s cannot be locked: %s", dir, STORE_LOCK_NAME, strerror(errno));
	close(fd);
	errno = held ? EBUSY : EIO;
	return -1;
}

static bool is_lock_of(const char *dir, int fd)
{
	struct stat there, here;
	int file = open_lock_file(dir, O_RDONLY);
	bool same = file >= 0 && fstat(file, &there) == 0 && fstat(fd, &here) == 0 &&
		    there.st_dev == here.st_dev && there.st_ino == here.st_ino;

	if (file >= 0)
		close(file);
	return same;
}

int store_lock_adopt(const char *dir, int fd, struct err *err)
{
	struct flock lock = whole_file();

	if (is_lock_of(dir, fd) && fcntl(fd, F_OFD_SETLK, &lock) == 0 &&
	    fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && write_pid(fd))
		return fd;
	err_set(err, "the lock of the store %s was not handed over to this process", dir);
	if (fd >= 0)
		close(fd);
	return -1;
}

void store_unlock(int fd)
{
	if (fd >= 0)
		close(fd);
}

int store_holder(const char *dir)
{
	struct flock lock = whole_file();
	int fd = open_lock_file(dir, O_RDONLY);
	int pid = 0;

	if (fd < 0)
		return 0;
	if (fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK)
		pid = read_pid(fd);
	close(fd);
	return pid;
}

/*
 * Returns the milliseconds since the lock file was changed; INT64_MAX if they are unknown. The file changes
 * when a new holder writes its process ID, and when the holder adds or removes its request to wait.
 */
static int64_t unchanged_ms(int fd)
{
	struct timespec now;
	struct stat st;

	if (fstat(fd, &st) != 0)
		return INT64_MAX;
	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)(now.tv_sec - st.st_mtim.tv_sec) * 1000 +
	       (now.tv_nsec - st.st_mtim.tv_nsec) / 1000000;
}

static bool asks_to_wait(int fd)
{
	char word[sizeof WAIT] = "";

	return pread(fd, word, sizeof word - 1, PID_SIZE) > 0 && strcmp(word, WAIT) == 0;
}

bool store_is_soon_free(const char *dir)
{
	int fd = store_holder(dir) == 0 ? -1 : open_lock_file(dir, O_RDONLY);
	bool soon = fd < 0 || unchanged_ms(fd) < (asks_to_wait(fd) ? ASKED_MS : UNASKED_MS);

	if (fd >= 0)
		close(fd);
	return soon;
}

/* --- once in a process --------------------------------------------------------------- */

static struct {
	pthread_mutex_t mutex;
	struct store_claim *item;
	size_t count, cap;
} claims = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* Returns the index of the claim in claims.item; claims.count if it is not in the list. */
static size_t find_claim(const struct store_claim *claim)
{
	size_t i = 0;

	while (i < claims.count && (claims.item[i].dev != claim->dev || claims.item[i].ino != claim->ino))
		i++;
	return i;
}

bool store_claim(const char *dir, struct store_claim *out, struct err *err)
{
	struct stat st;
	bool is_new;

	if (stat(dir, &st) < 0)
		return err_set(err, "the store directory %s: %s", dir, strerror(errno));
	*out = (struct store_claim){st.st_dev, st.st_ino};
	pthread_mutex_lock(&claims.mutex);
	is_new = find_claim(out) == claims.count;
	if (is_new) {
		claims.item = vec_room(claims.item, &claims.cap, claims.count + 1, sizeof *claims.item);
		claims.item[claims.count++] = *out;
	}
	pthread_mutex_unlock(&claims.mutex);
	return is_new || err_set(err, "the store %s is already open in this process", dir);
}

void store_unclaim(const struct store_claim *claim)
{
	pthread_mutex_lock(&claims.mutex);
	size_t i = find_claim(claim);
	if (i < claims.count)
		claims.item[i] = claims.item[--claims.count];
	if (claims.count == 0) {
		free(claims.item);
		claims.item = NULL;
		claims.cap = 0;
	}
	pthread_mutex_unlock(&claims.mutex);
}
