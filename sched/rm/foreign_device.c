/* SPDX-License-Identifier: MIT */
/*
 * foreign_device.c - which graphics processors has a process in use?
 *
 * Seen by what it has open: /dev/nvidiaN or /dev/dri/renderDN for each device, and beside it /dev/nvidia-uvm
 * or /dev/kfd, which only what computes opens. Of processes of others only root sees that.
 *
 * A link costs about ten microseconds, and users can have millions of them: the search is made in pieces, and
 * ends when it has read OPEN_MAX_LOOK of them. The next look then begins with the process at which this one
 * ended. Processes are searched in the order of their pids, so a user with many of them can make a round over
 * all of them longer, but not keep it from an end.
 */
#include "foreign_inside.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/str.h"

#define OPEN_MAX_SEEN 4096   /* descriptors of one process that are looked at        */
#define OPEN_MAX_LOOK 200000 /* in one look; the process that reaches it is completed */

/* --- what is looked for ------------------------------------------------------------------------------ */

static bool is_same_list(const struct device_look *look, const struct device_node *node, uint32_t count)
{
	bool same = look->count == count;

	for (uint32_t i = 0; same && i < count; i++)
		same = look->wanted[i].amd == node[i].amd && look->wanted[i].node == node[i].node;
	return same;
}

void device_look_for(struct device_look *look, const struct device *device, uint32_t count)
{
	struct device_node node[FACTS_DEVICES_MAX];

	for (uint32_t i = 0; i < count; i++)
		node[i] = (struct device_node){.amd = strcmp(device[i].kind, "amd") == 0,
					       .node = device[i].node};
	if (is_same_list(look, node, count))
		return;
	if (count > 0)
		memcpy(look->wanted, node, count * sizeof *node);
	look->count = count;
	look->used = look->found = 0;
	look->from = 0;
	look->at = 0;
	device_look_end(look);
}

bool device_look_wanted(const struct device_look *look)
{
	for (uint32_t i = 0; i < look->count; i++)
		if (look->wanted[i].node >= 0)
			return true;
	return false;
}

/* --- one process -------------------------------------------------------------------------------------- */

/* Behind the prefix a number, and nothing else; -1: it is not so. */
static int64_t number_behind(const char *path, const char *prefix)
{
	size_t len = strlen(prefix);
	int64_t number;

	return strncmp(path, prefix, len) == 0 && str_read_whole(path + len, &number) ? number : -1;
}

static uint64_t bit_of(const struct device_look *look, bool amd, int64_t node)
{
	for (uint32_t i = 0; i < look->count && node >= 0; i++)
		if (look->wanted[i].node == node && look->wanted[i].amd == amd)
			return UINT64_C(1) << i;
	return 0;
}

static void note_open(struct device_look *look, const char *path)
{
	struct device_seen *seen = &look->seen;

	seen->nvidia = seen->nvidia || strcmp(path, "/dev/nvidia-uvm") == 0;
	seen->amd = seen->amd || strcmp(path, "/dev/kfd") == 0;
	seen->nvidia_devices |= bit_of(look, false, number_behind(path, "/dev/nvidia"));
	seen->amd_devices |= bit_of(look, true, number_behind(path, "/dev/dri/renderD"));
}

/* False: it has gone. */
static bool open_process(struct device_look *look, const char *prefix, int64_t pid)
{
	struct str path = {0};

	str_addf(&path, "%s/proc/%" PRId64 "/fd", prefix, pid);
	look->folder = opendir(str_text(&path));
	str_free(&path);
	look->folder_links = 0;
	look->seen = (struct device_seen){.nvidia = false};
	return look->folder != NULL;
}

/* Counts *most down; true: that was all of this process. */
static bool read_open(struct device_look *look, size_t *most)
{
	const struct dirent *entry;
	char path[64];

	for (; look->folder_links < OPEN_MAX_SEEN; look->folder_links++, look->links++, --*most) {
		if (*most == 0)
			return false;
		entry = readdir(look->folder);
		if (entry == NULL)
			return true;
		ssize_t len = readlinkat(dirfd(look->folder), entry->d_name, path, sizeof path - 1);
		if (len <= 0)
			continue;
		path[len] = '\0';
		note_open(look, path);
	}
	return true;
}

static void close_process(struct device_look *look)
{
	look->found |= (look->seen.nvidia ? look->seen.nvidia_devices : 0) |
		       (look->seen.amd ? look->seen.amd_devices : 0);
	device_look_end(look);
	look->at++;
}

/* --- all of them --------------------------------------------------------------------------------------- */

void device_look_begin(struct device_look *look, const struct process_table *table)
{
	for (look->at = 0; look->at < table->count && table->item[look->at].pid < look->from;)
		look->at++;
	look->links = 0;
}

void device_look_end(struct device_look *look)
{
	if (look->folder != NULL)
		closedir(look->folder);
	look->folder = NULL;
}

/* Others remain for the next look. */
static enum look end_part(struct device_look *look, int64_t next_pid)
{
	look->used |= look->found;
	look->from = next_pid;
	return LOOK_DONE;
}

static enum look end_round(struct device_look *look)
{
	look->used = look->found;
	look->found = 0;
	look->from = 0;
	return LOOK_DONE;
}

enum look device_look_some(struct device_look *look, const char *prefix, const struct process_table *table,
			   size_t processes, size_t links)
{
	if (!device_look_wanted(look))
		return end_round(look);
	while (look->at < table->count) {
		const struct process *p = &table->item[look->at];

		if (p->whose != WHOSE_FOREIGN) {
			look->at++;
			continue;
		}
		if (look->folder == NULL) {
			if (look->links >= OPEN_MAX_LOOK)
				return end_part(look, p->pid);
			if (processes-- == 0)
				return LOOK_ON;
			if (!open_process(look, prefix, p->pid)) {
				look->at++;
				continue;
			}
		}
		if (!read_open(look, &links))
			return LOOK_ON;
		close_process(look);
	}
	return end_round(look);
}
