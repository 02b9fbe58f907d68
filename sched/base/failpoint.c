/* SPDX-License-Identifier: MIT */
/*
 * failpoint.c - failure points for tests
 *
 * Compiled only with --enable-failpoints, so that this file, the only one of sched/base that reads the
 * environment, is never part of a production build. Processes count together through a file opened with
 * O_APPEND: the file offset after a process has written its byte is the count, even with concurrent writers.
 */
#include "failpoint.h"

#ifdef KAHU_FAILPOINTS

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WISH      "KAHU_FAILPOINT"
#define BOOT_FILE "KAHU_BOOT_FILE"
#define CLOCK     "KAHU_CLOCK_FILE"
#define DELAY_NS  300000000L

#define FAILPOINT_NAME(id, name) name,
static const char *const point_name[FAILPOINT_COUNT] = {FAILPOINTS(FAILPOINT_NAME)};

struct entry {
	char name[64], action[16], file[400];
	int count;
};

/* Parses one entry, up to a comma. Returns false for an invalid entry, which is ignored. */
static bool read_entry(const char *text, struct entry *out)
{
	out->file[0] = '\0';
	return sscanf(text, "%63[^:,]:%d:%15[^:,]:%399[^,]", out->name, &out->count, out->action,
		      out->file) >= 3;
}

/*
 * Counts that the point was reached once more. Returns how often it has been reached; 0 if the file cannot be
 * written.
 */
static long count_time(const struct entry *entry, enum failpoint point)
{
	static long own[FAILPOINT_COUNT];
	long number = 0;
	int fd;

	if (entry->file[0] == '\0')
		return ++own[point];
	fd = open(entry->file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd >= 0 && write(fd, "x", 1) == 1)
		number = (long)lseek(fd, 0, SEEK_CUR);
	if (fd >= 0)
		close(fd);
	return number;
}

static bool act(const char *action)
{
	static const struct {
		const char *name;
		int error;
	} failure[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EINTR", EINTR},
		       {"EAGAIN", EAGAIN}, {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM}};
	const struct timespec delay = {.tv_nsec = DELAY_NS};

	if (strcmp(action, "kill") == 0)
		kill(getpid(), SIGKILL);
	if (strcmp(action, "trap") == 0)
		__builtin_trap();
	if (strcmp(action, "abort") == 0)
		abort();
	if (strcmp(action, "delay") == 0)
		nanosleep(&delay, NULL);
	for (size_t i = 0; i < sizeof failure / sizeof failure[0]; i++)
		if (strcmp(action, failure[i].name) == 0) {
			errno = failure[i].error;
			return true;
		}
	return false;
}

bool fail_at(enum failpoint point)
{
	const char *text = getenv(WISH);
	struct entry entry;

	for (; text != NULL; text = strchr(text, ',')) {
		text += *text == ',';
		if (read_entry(text, &entry) && strcmp(entry.name, point_name[point]) == 0)
			return (entry.count == 0 || count_time(&entry, point) == entry.count) &&
			       act(entry.action);
	}
	return false;
}

void fail_environment(const char **out, size_t room)
{
	static const char *const passed[] = {WISH "=",
					     BOOT_FILE "=",
					     CLOCK "=",
					     "LD_PRELOAD=",
					     "KAHU_FAULTS=",
					     "KAHU_FAULT=",
					     "KAHU_PAM_LIMIT_MS=",
					     "KAHU_USER_SETUP_MS="};

	for (size_t i = 0; i < sizeof passed / sizeof passed[0]; i++)
		for (char **own = environ; *own != NULL && room > 0; own++)
			if (strncmp(*own, passed[i], strlen(passed[i])) == 0) {
				*out++ = *own;
				room--;
			}
}

const char *fail_path(const char *variable, const char *path)
{
	const char *other = getenv(variable);

	return other == NULL ? path : other;
}

bool fail_list(void)
{
	const char *text = getenv(WISH);

	if (text == NULL || strcmp(text, "list") != 0)
		return false;
	for (int i = 0; i < FAILPOINT_COUNT; i++)
		puts(point_name[i]);
	return true;
}

#endif
