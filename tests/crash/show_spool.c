/* SPDX-License-Identifier: MIT */
/*
 * show_spool.c - lists the shepherds of a spool folder: show_spool FOLDER
 *
 * A line for each spool file: job, attempt, PID of the shepherd (0: unknown), "alive" or "dead", and the
 * progress of the job: "none", "begun", or "ended" with the status. Takes no locks, so it does not affect the
 * scheduler.
 */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sched/rm/spool.h"

static void show(int folder, uint64_t job, uint32_t attempt)
{
	struct spool spool;
	int64_t pid;

	if (!spool_read(folder, job, attempt, &spool, NULL))
		return;
	pid = spool.has_begun ? spool.begun.pid : 0;
	printf("%" PRIu64 " %" PRIu32 " %" PRId64 " %s ", job, attempt, pid,
	       pid > 0 && spool_pid_start(pid) == spool.begun.pid_start ? "alive" : "dead");
	if (spool.has_ended)
		printf("ended %" PRId32 "\n", spool.ended.status);
	else
		printf("%s\n", spool.has_begun ? "begun" : "none");
}

/* "12.1": job and start. */
static bool is_start(const char *name, uint64_t *job, uint32_t *attempt)
{
	char *end;

	*job = strtoull(name, &end, 10);
	if (end == name || *end != '.')
		return false;
	name = end + 1;
	*attempt = (uint32_t)strtoul(name, &end, 10);
	return end != name && *end == '\0';
}

int main(int argc, char **argv)
{
	int folder = argc == 2 ? open(argv[1], O_RDONLY | O_DIRECTORY) : -1;
	DIR *dir = argc == 2 ? opendir(argv[1]) : NULL;
	const struct dirent *entry;
	uint64_t job;
	uint32_t attempt;

	if (folder < 0 || dir == NULL) {
		fprintf(stderr, "usage: show_spool FOLDER\n");
		return 2;
	}
	while ((entry = readdir(dir)) != NULL)
		if (is_start(entry->d_name, &job, &attempt))
			show(folder, job, attempt);
	closedir(dir);
	return EXIT_SUCCESS;
}
