/* SPDX-License-Identifier: MIT */
/*
 * foreign_device.c - which graphics processors has a process in use?
 *
 * Seen by what it has open: /dev/nvidiaN or /dev/dri/renderDN for each device, and beside it /dev/nvidia-uvm
 * or /dev/kfd, which only what computes opens. Of processes of others only root sees that.
 */
#include "foreign_inside.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/str.h"

#define OPEN_MAX_SEEN 4096 /* descriptors of one process */

struct seen {
	bool nvidia, amd; /* the drivers' memory */
	uint64_t nvidia_devices, amd_devices;
};

/* Behind the prefix a number, and nothing else; -1: it is not so. */
static int64_t number_behind(const char *path, const char *prefix)
{
	size_t len = strlen(prefix);
	int64_t number;

	return strncmp(path, prefix, len) == 0 && str_read_whole(path + len, &number) ? number : -1;
}

static uint64_t bit_of(const struct device *device, uint32_t count, bool amd, int64_t node)
{
	for (uint32_t i = 0; i < count && node >= 0; i++)
		if (device[i].node == node && (strcmp(device[i].kind, "amd") == 0) == amd)
			return UINT64_C(1) << i;
	return 0;
}

static void note_open(const char *path, const struct device *device, uint32_t count, struct seen *seen)
{
	seen->nvidia = seen->nvidia || strcmp(path, "/dev/nvidia-uvm") == 0;
	seen->amd = seen->amd || strcmp(path, "/dev/kfd") == 0;
	seen->nvidia_devices |= bit_of(device, count, false, number_behind(path, "/dev/nvidia"));
	seen->amd_devices |= bit_of(device, count, true, number_behind(path, "/dev/dri/renderD"));
}

static void look_at_open(DIR *folder, const struct device *device, uint32_t count, struct seen *seen)
{
	const struct dirent *entry;
	char path[64];

	for (int i = 0; i < OPEN_MAX_SEEN && (entry = readdir(folder)) != NULL; i++) {
		ssize_t len = readlinkat(dirfd(folder), entry->d_name, path, sizeof path - 1);

		if (len <= 0)
			continue;
		path[len] = '\0';
		note_open(path, device, count, seen);
	}
}

uint64_t process_devices(const char *prefix, int64_t pid, const struct device *device, uint32_t count)
{
	struct seen seen = {.nvidia = false};
	struct str path = {0};
	DIR *folder;

	str_addf(&path, "%s/proc/%" PRId64 "/fd", prefix, pid);
	folder = opendir(str_text(&path));
	str_free(&path);
	if (folder == NULL)
		return 0;
	look_at_open(folder, device, count, &seen);
	closedir(folder);
	return (seen.nvidia ? seen.nvidia_devices : 0) | (seen.amd ? seen.amd_devices : 0);
}
