/* SPDX-License-Identifier: MIT */
/*
 * fake_root.h - a simulated host: a folder with files of /proc and /sys
 *
 * The folder is in TMPDIR and is removed at the end of the test.
 */
#ifndef TESTS_FAKE_ROOT_H
#define TESTS_FAKE_ROOT_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "sched/base/str.h"
#include "tests/store_dir.h"

/* Creates the folder and its parents. */
static inline void fake_folder(const struct store_dir *root, const char *path)
{
	char whole[2048];

	snprintf(whole, sizeof whole, "%s/%s/", root->path, path);
	for (char *c = whole + 1; *c != '\0'; c++) {
		if (*c != '/')
			continue;
		*c = '\0';
		mkdir(whole, 0755);
		*c = '/';
	}
}

/* Creates the file and its parent folders; path has no leading '/'. */
static inline void fake_bytes(const struct store_dir *root, const char *path, const void *bytes, size_t size)
{
	char folder[1200];
	char *slash;

	snprintf(folder, sizeof folder, "%s", path);
	if ((slash = strrchr(folder, '/'))) {
		*slash = '\0';
		fake_folder(root, folder);
	}
	snprintf(folder, sizeof folder, "%s/%s", root->path, path);
	FILE *file = fopen(folder, "w");
	if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
		perror(folder);
		abort();
	}
}

static inline void __attribute__((format(printf, 3, 4)))
fake_file(const struct store_dir *root, const char *path, const char *format, ...)
{
	struct str text = {0};
	va_list words;

	va_start(words, format);
	str_addv(&text, format, words);
	va_end(words);
	fake_bytes(root, path, str_text(&text), text.len);
	str_free(&text);
}

/* Adds a processor; siblings "" = no such file. */
static inline void fake_cpu(const struct store_dir *root, unsigned id, int package, int core,
			    const char *siblings)
{
	char path[128];

	snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%u/topology/physical_package_id", id);
	fake_file(root, path, "%d\n", package);
	snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%u/topology/core_id", id);
	fake_file(root, path, "%d\n", core);
	snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%u/topology/thread_siblings_list", id);
	if (*siblings)
		fake_file(root, path, "%s\n", siblings);
}

/* Sets the lists of online and allowed processors. */
static inline void fake_cpus(const struct store_dir *root, const char *online, const char *allowed)
{
	fake_file(root, "sys/devices/system/cpu/online", "%s\n", online);
	fake_file(root, "proc/self/status",
		  "Name:\tkahu\nCpus_allowed:\tff\nCpus_allowed_list:\t%s\nMems:\t1\n", allowed);
}

#endif
