/* SPDX-License-Identifier: MIT */
/*
 * site_shepherd.c - where is the program that watches a job?
 */
#include "site_shepherd.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sched/rm/shepherd.h"

void site_find_shepherd(char out[static SITE_PATH])
{
	ssize_t len = readlink("/proc/self/exe", out, SITE_PATH - sizeof SHEPHERD_PROGRAM - 1);
	char *slash = NULL;

	if (len > 0) {
		out[len] = '\0';
		slash = strrchr(out, '/');
	}
	if (slash != NULL) {
		memcpy(slash + 1, SHEPHERD_PROGRAM, sizeof SHEPHERD_PROGRAM);
		if (access(out, X_OK) == 0)
			return;
	}
	snprintf(out, SITE_PATH, "%s", KAHU_LIBEXECDIR "/" SHEPHERD_PROGRAM);
}
