/* SPDX-License-Identifier: MIT */
/*
 * doctor_store.c - can a store be kept where it is to be, and how fast is the disk?
 *
 * The disk is tried with a file without a name, so that nothing is left behind whatever happens.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "doctor.h"
#include "sched/base/duration.h"
#include "sched/host/door.h"
#include "sched/rm/monotonic.h"
#include "store/lock.h"
#include "store/store.h"

#define PATH_ROOM    4096
#define TRIES        21 /* the middle one counts */
#define SLOW_MS      20.0
#define SPACE_WANTED (INT64_C(1) << 10) /* MB */
#define SPACE_NEEDED INT64_C(64)

/* The folder itself, or the nearest above it that is there. */
static void nearest_folder(const char *dir, char out[static PATH_ROOM])
{
	char *slash;

	snprintf(out, PATH_ROOM, "%s", dir);
	while (access(out, F_OK) != 0 && (slash = strrchr(out, '/')) != NULL && slash != out)
		*slash = '\0';
	if (access(out, F_OK) != 0)
		snprintf(out, PATH_ROOM, "%s", dir[0] == '/' ? "/" : ".");
}

/* --- the disk ------------------------------------------------------------------------------------------ */

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Milliseconds of a usual commit; negative: it cannot be tried. */
static double measure_sync(const char *folder)
{
	static const char block[4096];
	double took[TRIES];
	int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	bool good = fd >= 0;

	for (int i = 0; i < TRIES && good; i++) {
		double began = (double)monotonic_ns() / 1e6;

		good = pwrite(fd, block, sizeof block, (off_t)i * (off_t)sizeof block) ==
			       (ssize_t)sizeof block &&
		       fdatasync(fd) == 0;
		took[i] = (double)monotonic_ns() / 1e6 - began;
	}
	if (fd >= 0)
		close(fd);
	if (!good)
		return -1;
	qsort(took, TRIES, sizeof took[0], by_size);
	return took[TRIES / 2];
}

static void look_at_speed(struct findings *f, const char *folder)
{
	double ms = measure_sync(folder);
	struct statfs fs;
	bool in_memory = statfs(folder, &fs) == 0 && fs.f_type == TMPFS_MAGIC;

	if (in_memory)
		findings_add(f, HEALTH_WARN, "disk", "keep the store on a disk",
			     "%s is in memory: nothing is left of it when the machine goes down", folder);
	else if (ms < 0)
		findings_add(f, HEALTH_WARN, "disk", NULL, "how fast %s is cannot be tried: %s", folder,
			     strerror(errno));
	else if (ms > SLOW_MS)
		findings_add(f, HEALTH_WARN, "disk", "keep the store on a faster one",
			     "a commit takes %.1f ms (fdatasync): a submission takes longer than that", ms);
	else
		findings_add(f, HEALTH_OK, "disk", NULL, "a commit takes %.2f ms (fdatasync)", ms);
}

static void look_at_space(struct findings *f, const char *folder)
{
	struct statvfs fs;
	int64_t free_mb;

	if (statvfs(folder, &fs) != 0)
		return;
	free_mb = (int64_t)((unsigned long long)fs.f_bavail * fs.f_frsize >> 20);
	findings_add(f,
		     free_mb < SPACE_NEEDED   ? HEALTH_FAIL
		     : free_mb < SPACE_WANTED ? HEALTH_WARN
					      : HEALTH_OK,
		     "space", free_mb < SPACE_WANTED ? "make room there" : NULL, "%" PRId64 " MB free for %s",
		     free_mb, folder);
}

/* --- the store -------------------------------------------------------------------------------------------
 */

static void look_at_folder(struct findings *f, const char *dir, const char *folder)
{
	struct err err = {{0}};

	if (strcmp(dir, folder) == 0 && !store_check_dir(dir, &err))
		findings_add(f, HEALTH_FAIL, "store", NULL, "%s", err.text);
	else if (access(folder, W_OK | X_OK) != 0)
		findings_add(f, HEALTH_FAIL, "store", "name another with --store DIR, or be who owns it",
			     "nothing can be written in %s: %s", folder, strerror(errno));
	else if (strcmp(dir, folder) == 0)
		findings_add(f, HEALTH_OK, "store", NULL, "%s", dir);
	else
		findings_add(f, HEALTH_OK, "store", NULL, "%s will be made", dir);
}

void doctor_store(struct findings *f, const char *dir)
{
	char folder[PATH_ROOM];

	nearest_folder(dir, folder);
	look_at_folder(f, dir, folder);
	look_at_space(f, folder);
	look_at_speed(f, folder);
}

void doctor_last_good(struct findings *f, const char *dir, int64_t now_s)
{
	char age[DURATION_TEXT];
	struct str path = {0};
	uint64_t entry;
	int64_t at_s;

	if (access(dir, R_OK | X_OK) != 0 || !store_check_dir(dir, NULL))
		return;
	str_addf(&path, "%s/" STORE_LAST_GOOD, dir);
	if (store_last_good(dir, &entry, &at_s))
		findings_add(f, HEALTH_OK, "last good copy", NULL, "of entry %" PRIu64 ", %s old", entry,
			     duration_text(age, now_s > at_s ? now_s - at_s : 0));
	else if (access(str_text(&path), F_OK) != 0)
		findings_add(f, HEALTH_OK, "last good copy", NULL,
			     "none yet: the scheduler writes one when it stops");
	else
		findings_add(f, HEALTH_WARN, "last good copy",
			     "start and stop the scheduler: it writes another",
			     "it is damaged: damage to the store itself would lose more");
	str_free(&path);
}

/* --- the socket ------------------------------------------------------------------------------------------
 */

void doctor_socket(struct findings *f, const char *dir)
{
	char folder[PATH_ROOM];
	struct stat st;

	nearest_folder(dir, folder);
	if (strcmp(dir, folder) != 0)
		findings_add(f, access(folder, W_OK) == 0 ? HEALTH_OK : HEALTH_FAIL, "socket",
			     access(folder, W_OK) == 0 ? NULL : "name another folder with $KAHU_RUN",
			     "%s is to be made in %s", dir, folder);
	else if (stat(dir, &st) != 0 || st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
		findings_add(f, HEALTH_FAIL, "socket", "give it to who runs the scheduler, with mode 755",
			     "%s must be ours, and nobody else may write to it", dir);
	else
		findings_add(f, HEALTH_OK, "socket", NULL, "in %s", dir);
}

void doctor_scheduler(struct findings *f, const char *store, const char *socket)
{
	int pid = access(store, F_OK) == 0 ? store_holder(store) : 0;
	int connection = door_knock(socket, NULL);

	if (connection >= 0)
		close(connection);
	if (connection >= 0 && pid > 0)
		findings_add(f, HEALTH_OK, "scheduler", NULL, "process %d runs it, and answers", pid);
	else if (connection >= 0)
		findings_add(f, HEALTH_OK, "scheduler", NULL, "one answers at %s", socket);
	else if (pid > 0)
		findings_add(f, HEALTH_WARN, "scheduler", NULL,
			     "process %d holds the store, and nobody answers at %s", pid, socket);
	else
		findings_add(f, HEALTH_OK, "scheduler", "'kahu serve' starts it", "none runs");
}

bool doctor_served(struct findings *f, const char *socket)
{
	const struct passwd *owner;
	struct stat st;
	int connection;

	if (stat(socket, &st) != 0 || st.st_uid == geteuid())
		return false;
	connection = door_knock(socket, NULL);
	if (connection < 0)
		return false;
	close(connection);
	owner = getpwuid(st.st_uid);
	findings_add(f, HEALTH_OK, "scheduler", "what else stands here is of one of your own",
		     "that of %s answers at %s, and takes your jobs",
		     owner != NULL ? owner->pw_name : "somebody", socket);
	return true;
}
